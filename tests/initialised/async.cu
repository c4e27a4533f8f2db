// Asynchronous copies to shared memory that are used too early, and in time: the case is the argument. From sm_80 on they are asynchronous.
#include <cooperative_groups.h>
#include <cooperative_groups/memcpy_async.h>
#include <cstdio>
#include <cstdlib>
#include <cuda_pipeline.h>
namespace cg = cooperative_groups;

__global__ void copy(const int *in, int *out, int which) {
    __shared__ __align__(16) int first[64], second[64];
    int t = threadIdx.x, other = 63 - t;
    if (which < 6) {
        __pipeline_memcpy_async(&first[t], in + t, 4);
        __pipeline_commit();
    }
    switch (which) {
    case 1: out[t] = first[t]; break;
    case 2:
        __pipeline_memcpy_async(&second[t], in + t, 4);
        __pipeline_commit();
        __pipeline_wait_prior(1);
        out[t] = second[t];
        break;
    case 3:
        __pipeline_memcpy_async(&second[t], in + t, 4);
        __pipeline_commit();
        __pipeline_wait_prior(1);
        out[t] = first[t];
        break;
    case 4:
        __pipeline_wait_prior(0);
        __syncthreads();
        out[t] = first[other];
        break;
    case 5:
        first[t] = 7;
        __pipeline_wait_prior(0);
        out[t] = first[t];
        break;
    case 6:
        cg::memcpy_async(cg::this_thread_block(), second, in, sizeof second);
        __syncthreads();
        out[t] = second[other];
        break;
    case 7:
        cg::memcpy_async(cg::this_thread_block(), second, in, sizeof second);
        cg::wait(cg::this_thread_block());
        out[t] = second[other];
        break;
    }
}

int main(int, char **words) {
    int host[64], *in, *out;
    for (int i = 0; i < 64; i++) host[i] = i;
    cudaMalloc(&in, sizeof host), cudaMalloc(&out, sizeof host);
    cudaMemcpy(in, host, sizeof host, cudaMemcpyHostToDevice);
    copy<<<1, 64>>>(in, out, atoi(words[1]));
    cudaMemcpy(host, out, sizeof host, cudaMemcpyDeviceToHost);
    printf("%d %d\n", host[0], host[63]);
    cudaFree(in), cudaFree(out);
}
