// 512 bins over the shared memory of a cluster's two blocks: atomic operations on the own block's and on the other's.
#include <cooperative_groups.h>
#include <cstdio>
#include <vector>

namespace cg = cooperative_groups;
enum { BINS = 512, EACH = BINS / 2, N = 20000 };

__global__ void __cluster_dims__(2, 1, 1) histogram(unsigned *out, const unsigned *in, int n) {
    __shared__ unsigned bins[EACH];
    cg::cluster_group cluster = cg::this_cluster();
    for (int i = threadIdx.x; i < EACH; i += blockDim.x) bins[i] = 0;
    cluster.sync();
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) {
        const unsigned bin = in[i] % BINS;
        atomicAdd(cluster.map_shared_rank(bins, bin / EACH) + bin % EACH, 1);
    }
    cluster.sync();
    for (int i = threadIdx.x; i < EACH; i += blockDim.x) atomicAdd(&out[cluster.block_rank() * EACH + i], bins[i]);
}

int main() {
    std::vector<unsigned> in(N), out(BINS), wanted(BINS);
    for (int i = 0; i < N; i++) in[i] = i * 2654435761u >> 7, wanted[in[i] % BINS]++;
    unsigned *d_in, *d_out;
    cudaMalloc(&d_in, N * 4);
    cudaMalloc(&d_out, BINS * 4);
    cudaMemset(d_out, 0, BINS * 4);
    cudaMemcpy(d_in, in.data(), N * 4, cudaMemcpyHostToDevice);
    histogram<<<8, 128>>>(d_out, d_in, N);
    cudaMemcpy(out.data(), d_out, BINS * 4, cudaMemcpyDeviceToHost);
    cudaFree(d_in);
    cudaFree(d_out);
    puts(cudaGetLastError() == cudaSuccess && out == wanted ? "ok" : "wrong");
}
