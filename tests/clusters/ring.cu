// Blocks of a cluster hand a value round: each arrives at the mbarrier of the next with what it has stored there. The last one has the sum of all.
#include <cooperative_groups.h>
#include <cstdint>
#include <cstdio>

namespace cg = cooperative_groups;

__device__ uint32_t shared_of(const void *p) { return (uint32_t)__cvta_generic_to_shared(p); }
__device__ uint32_t mapped(uint32_t address, unsigned rank) {
    uint32_t to;
    asm("mapa.shared::cluster.u32 %0, %1, %2;" : "=r"(to) : "r"(address), "r"(rank));
    return to;
}

__global__ void __cluster_dims__(4) ring(int *out) {
    __shared__ uint64_t arrived;
    __shared__ int sum;
    cg::cluster_group cluster = cg::this_cluster();
    const unsigned rank = cluster.block_rank();
    if (threadIdx.x == 0) asm volatile("mbarrier.init.shared::cta.b64 [%0], 1;" ::"r"(shared_of(&arrived)) : "memory");
    cluster.sync();
    if (threadIdx.x == 0) {
        uint32_t over = rank == 0;
        while (!over)
            asm volatile("{.reg .pred p; mbarrier.try_wait.parity.acquire.cluster.shared::cta.b64 p, [%1], 0; selp.u32 %0, 1, 0, p;}"
                         : "=r"(over)
                         : "r"(shared_of(&arrived))
                         : "memory");
        const int value = (rank ? sum : 0) + 1 + blockIdx.x;
        if (rank + 1 < cluster.num_blocks()) {
            *cluster.map_shared_rank(&sum, rank + 1) = value;
            asm volatile("mbarrier.arrive.release.cluster.shared::cluster.b64 _, [%0];" ::"r"(mapped(shared_of(&arrived), rank + 1))
                         : "memory");
        } else {
            out[blockIdx.x / 4] = value;
        }
    }
    cluster.sync();
}

int main() {
    int *d_out, out[3];
    cudaMalloc(&d_out, sizeof out);
    ring<<<12, 32>>>(d_out);
    cudaMemcpy(out, d_out, sizeof out, cudaMemcpyDeviceToHost);
    cudaFree(d_out);
    bool fine = cudaGetLastError() == cudaSuccess;
    for (int c = 0; c < 3; c++) fine &= out[c] == 4 * (4 * c) + 1 + 2 + 3 + 4;
    puts(fine ? "ok" : "wrong");
}
