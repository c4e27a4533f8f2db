// Accesses to the own block's and to the other block's shared memory in patterns, whose counters an H200 gave: patterns.expect. Eight of each, by two blocks of a
// warp; lane l's word is at stride * l of 1024, or only the first lanes have one.
#include <cstdint>
#include <cstdio>

__device__ uint32_t shared_of(const void *p) { return (uint32_t)__cvta_generic_to_shared(p); }
__device__ uint32_t mapped(uint32_t address, uint32_t rank) {
    uint32_t to;
    asm volatile("mapa.shared::cluster.u32 %0, %1, %2;" : "=r"(to) : "r"(address), "r"(rank));
    return to;
}
__device__ uint32_t rank_here() {
    uint32_t rank;
    asm volatile("mov.u32 %0, %%cluster_ctarank;" : "=r"(rank));
    return rank;
}
__device__ void meet() { asm volatile("barrier.cluster.arrive.aligned;\nbarrier.cluster.wait.aligned;" ::: "memory"); }

enum { LD_CTA, LD_OWN, LD_PEER, LD_GENERIC, ST_OWN, ST_PEER, ATOM_OWN, ATOM_PEER, RED_PEER, LD_PEER_V4, ST_PEER_V4 };

template <int OP> __device__ uint32_t access(uint32_t at, uint32_t value) {
    uint32_t x = 0, y = 0, z = 0, w = 0;
    uint64_t generic;
    switch (OP) {
    case LD_CTA: asm volatile("ld.shared::cta.u32 %0, [%1];" : "=r"(x) : "r"(at)); break;
    case LD_OWN:
    case LD_PEER: asm volatile("ld.shared::cluster.u32 %0, [%1];" : "=r"(x) : "r"(at) : "memory"); break;
    case LD_GENERIC:
        asm volatile("{.reg .u64 t; cvt.u64.u32 t, %1; cvta.shared::cluster.u64 %0, t;}" : "=l"(generic) : "r"(at));
        x = *(volatile uint32_t *)generic;
        break;
    case ST_OWN:
    case ST_PEER: asm volatile("st.shared::cluster.u32 [%0], %1;" ::"r"(at), "r"(value) : "memory"); break;
    case ATOM_OWN:
    case ATOM_PEER: asm volatile("atom.shared::cluster.add.u32 %0, [%1], %2;" : "=r"(y) : "r"(at), "r"(1) : "memory"); break;
    case RED_PEER: asm volatile("red.shared::cluster.add.u32 [%0], %1;" ::"r"(at), "r"(1) : "memory"); break;
    case LD_PEER_V4:
        asm volatile("ld.shared::cluster.v4.u32 {%0,%1,%2,%3}, [%4];" : "=r"(x), "=r"(y), "=r"(z), "=r"(w) : "r"(at));
        return x + y + z + w;
    case ST_PEER_V4: asm volatile("st.shared::cluster.v4.u32 [%0], {%1,%1,%1,%1};" ::"r"(at), "r"(value) : "memory"); break;
    }
    return x;
}

template <int OP, int STRIDE, int LANES> __global__ void __cluster_dims__(2) touch(uint32_t *out) {
    __shared__ __align__(16) uint32_t data[4096];
    for (int i = threadIdx.x; i < 4096; i += 32) data[i] = i;
    meet();
    const bool own = OP == LD_OWN || OP == ST_OWN || OP == ATOM_OWN;
    uint32_t at = shared_of(data), sum = 0;
    if (OP != LD_CTA) at = mapped(at, own ? rank_here() : rank_here() ^ 1);
    at += threadIdx.x * STRIDE * 4 % 4096;
    if (threadIdx.x < LANES)
        for (int i = 0; i < 8; i++) {
            sum += access<OP>(at + i * 1024, i);
            __syncwarp(LANES < 32 ? (1u << LANES % 32) - 1 : ~0u);
        }
    meet();
    out[blockIdx.x * 32 + threadIdx.x] = sum + data[threadIdx.x];
}

template <int OP, int STRIDE, int LANES> bool run(uint32_t *out, uint32_t lane_1) {
    uint32_t host[64];
    touch<OP, STRIDE, LANES><<<2, 32>>>(out);
    const bool fine = cudaMemcpy(host, out, sizeof host, cudaMemcpyDeviceToHost) == cudaSuccess;
    if (fine && host[1] == lane_1 && host[33] == lane_1) return true;
    printf("touch<%d, %d, %d>: %u and %u, not %u\n", OP, STRIDE, LANES, host[1], host[33], lane_1);
    return false;
}

// What lane 1 of each block has in the end, on an H200.
int main() {
    uint32_t *out;
    cudaMalloc(&out, 64 * sizeof *out);
    bool fine = run<LD_CTA, 1, 32>(out, 7177) & run<LD_OWN, 1, 32>(out, 7177) & run<LD_PEER, 1, 32>(out, 7177) &
                run<LD_GENERIC, 1, 32>(out, 7177) & run<LD_PEER, 2, 32>(out, 7185) & run<LD_PEER, 8, 32>(out, 7233) &
                run<LD_PEER, 32, 32>(out, 7425) & run<LD_OWN, 32, 32>(out, 7425) & run<LD_PEER, 0, 32>(out, 7169) &
                run<LD_PEER, 1, 8>(out, 7177) & run<LD_PEER, 1, 1>(out, 1) & run<LD_PEER_V4, 4, 32>(out, 28849) &
                run<ST_PEER_V4, 4, 32>(out, 0) & run<ST_OWN, 1, 32>(out, 0) & run<ST_PEER, 1, 32>(out, 0) &
                run<ST_PEER, 8, 32>(out, 1) & run<ST_PEER, 32, 32>(out, 1) & run<ST_PEER, 1, 8>(out, 0) &
                run<ATOM_OWN, 1, 32>(out, 2) & run<ATOM_PEER, 1, 32>(out, 2) & run<ATOM_PEER, 0, 32>(out, 1) &
                run<ATOM_PEER, 32, 32>(out, 1) & run<RED_PEER, 1, 32>(out, 2) & run<RED_PEER, 0, 32>(out, 1);
    cudaFree(out);
    puts(fine ? "ok" : "wrong");
}
