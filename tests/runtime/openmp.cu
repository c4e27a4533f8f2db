// Two threads of OpenMP's, a stream each: a kernel of the one waits for what the other's host code does once its own kernel has ended.
#include <cstdio>
#include <omp.h>

__global__ void wait_for(volatile int *flag, int *out) {
    while (*flag == 0) {}
    *out = *flag + 1;
}
__global__ void put(int *out, int value) { *out = value; }

int main() {
    int *flag, *out, threads = 0;
    cudaMallocHost(&flag, sizeof *flag);
    cudaMallocHost(&out, 2 * sizeof *out);
    *flag = out[0] = out[1] = 0;
    cudaFuncAttributes loaded; // while nothing waits: loading a kernel may wait for those that run
    cudaFuncGetAttributes(&loaded, wait_for);
    cudaFuncGetAttributes(&loaded, put);
#pragma omp parallel num_threads(2)
    {
        const int mine = omp_get_thread_num();
        cudaStream_t stream;
        cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking);
#pragma omp single
        threads = omp_get_num_threads();
        if (mine == 0) {
            wait_for<<<1, 32, 0, stream>>>(flag, out);
            cudaStreamSynchronize(stream);
        } else {
            put<<<1, 1, 0, stream>>>(out + 1, 41);
            cudaStreamSynchronize(stream);
            *(volatile int *)flag = out[1];
        }
        cudaStreamDestroy(stream);
    }
    printf("%d threads: %d %d\n", threads, out[0], out[1]);
    return 0;
}
