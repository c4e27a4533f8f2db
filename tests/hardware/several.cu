#include <cstdint>
#include <cstdio>
__device__ uint32_t mapped(uint32_t a, uint32_t r) {
    uint32_t t;
    asm volatile("mapa.shared::cluster.u32 %0, %1, %2;" : "=r"(t) : "r"(a), "r"(r));
    return t;
}
__device__ uint32_t rank_here() {
    uint32_t r;
    asm volatile("mov.u32 %0, %%cluster_ctarank;" : "=r"(r));
    return r;
}
__device__ void meet() { asm volatile("barrier.cluster.arrive.aligned;\nbarrier.cluster.wait.aligned;" ::: "memory"); }
// lane l: word[l] of the block of rank (own + owner[l]) % 4
template <int OP> __device__ void touch(const int *owner, const int *word, uint32_t *out, uint32_t lanes) {
    __shared__ uint32_t data[1024];
    for (int i = threadIdx.x; i < 1024; i += 32) data[i] = i;
    meet();
    const uint32_t at =
        mapped((uint32_t)__cvta_generic_to_shared(data) + 4 * word[threadIdx.x], (rank_here() + owner[threadIdx.x]) % 4);
    uint32_t x = 0;
    if (lanes >> threadIdx.x & 1) {
        if (OP == 0) asm volatile("ld.shared::cluster.u32 %0, [%1];" : "=r"(x) : "r"(at) : "memory");
        if (OP == 1) asm volatile("st.shared::cluster.u32 [%0], %1;" ::"r"(at), "r"(at) : "memory");
        if (OP == 2)
            asm volatile("atom.shared::cluster.add.u32 %0, [%1], %2;"
                         : "=r"(x)
                         : "r"(at), "r"(word[threadIdx.x] + 1)
                         : "memory");
        if (OP == 3) asm volatile("red.shared::cluster.add.u32 [%0], %1;" ::"r"(at), "r"(word[threadIdx.x] + 1) : "memory");
        if (OP == 4) {
            uint64_t g;
            asm volatile("{.reg .u64 t; cvt.u64.u32 t, %1; cvta.shared::cluster.u64 %0, t;}" : "=l"(g) : "r"(at));
            atomicAdd((unsigned *)g, 1u);
        }
    }
    meet();
    out[32 * blockIdx.x + threadIdx.x] = x + data[threadIdx.x];
}
#define K(name, op)                                                                                              \
    __global__ void __cluster_dims__(4) name(const int *owner, const int *word, uint32_t *out, uint32_t lanes) { \
        touch<op>(owner, word, out, lanes);                                                                      \
    }
K(ld, 0) K(st, 1) K(atom, 2) K(red, 3) K(generic, 4) int main() {
    int *owner, *word;
    uint32_t *out;
    cudaMallocManaged(&owner, 128);
    cudaMallocManaged(&word, 128);
    cudaMalloc(&out, 512);
    for (int p = 0; p < 9; p++) {
        uint32_t lanes = 0xffffffff;
        for (int l = 0; l < 32; l++) {
            owner[l] = p == 0 || p == 7 ? l % 4 : p == 1 ? l % 4 : p == 2 ? 1 + l % 3 : 1;
            word[l] = p == 0   ? l
                      : p == 1 ? 5
                      : p == 2 ? l / 3
                      : p == 3 ? 5
                      : p == 4 ? l / 2
                      : p == 5 ? l % 8
                      : p == 6 ? l
                      : p == 7 ? 8 * l
                               : (l * 7) % 11;
        }
        if (p == 6) lanes = 0xff;
        ld<<<4, 32>>>(owner, word, out, lanes);
        cudaDeviceSynchronize();
        st<<<4, 32>>>(owner, word, out, lanes);
        cudaDeviceSynchronize();
        atom<<<4, 32>>>(owner, word, out, lanes);
        cudaDeviceSynchronize();
        red<<<4, 32>>>(owner, word, out, lanes);
        cudaDeviceSynchronize();
        generic<<<4, 32>>>(owner, word, out, lanes);
        cudaDeviceSynchronize();
    }
    printf("%s\n", cudaGetErrorString(cudaGetLastError()));
}
