// The launches of h100-bulk.csv and h100-fragments.csv, in their order; prints the label of each.
#include <cstdint>
#include <cstdio>
#include <cuda_runtime.h>
extern __shared__ __align__(1024) uint8_t s[];
__device__ uint32_t at(const void *p) { return (uint32_t)__cvta_generic_to_shared(p); }
__device__ void wait0(uint32_t bar, uint32_t parity) {
    asm volatile("{ .reg .pred p; again: mbarrier.try_wait.parity.shared::cta.b64 p, [%0], %1; @!p bra again; }" ::"r"(bar), "r"(parity) : "memory");
}
// n copies of size bytes, each apart `step` bytes in global memory; per block gap bytes on
__global__ void g2s(const uint8_t *in, uint32_t size, uint32_t offset, uint32_t n, uint32_t step, uint32_t gap) {
    __shared__ __align__(8) uint64_t bar;
    if (threadIdx.x == 0) {
        asm volatile("mbarrier.init.shared::cta.b64 [%0], 1;" ::"r"(at(&bar)));
        asm volatile("fence.proxy.async.shared::cta;" ::: "memory");
        asm volatile("mbarrier.arrive.expect_tx.shared::cta.b64 _, [%0], %1;" ::"r"(at(&bar)), "r"(size * n) : "memory");
        for (uint32_t i = 0; i < n; i++)
            asm volatile("cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [%0], [%1], %2, [%3];" ::"r"(at(s) + i * size), "l"(in + (size_t)blockIdx.x * gap + offset + i * step), "r"(size), "r"(at(&bar)) : "memory");
        wait0(at(&bar), 0);
    }
}
__global__ void s2g(uint8_t *out, uint32_t size, uint32_t offset, uint32_t n, uint32_t step, uint32_t gap) {
    if (threadIdx.x == 0) {
        for (uint32_t i = 0; i < n; i++)
            asm volatile("cp.async.bulk.global.shared::cta.bulk_group [%0], [%1], %2;" ::"l"(out + (size_t)blockIdx.x * gap + offset + i * step), "r"(at(s) + i * size), "r"(size) : "memory");
        asm volatile("cp.async.bulk.commit_group;"); asm volatile("cp.async.bulk.wait_group 0;" ::: "memory");
    }
}
#define RED(name, op) __global__ void name(uint8_t *out, uint32_t size, uint32_t offset, uint32_t n, uint32_t step, uint32_t gap) { \
    if (threadIdx.x == 0) { \
        for (uint32_t i = 0; i < n; i++) \
            asm volatile("cp.reduce.async.bulk.global.shared::cta.bulk_group." op " [%0], [%1], %2;" ::"l"(out + (size_t)blockIdx.x * gap + offset + i * step), "r"(at(s) + i * size), "r"(size) : "memory"); \
        asm volatile("cp.async.bulk.commit_group;"); asm volatile("cp.async.bulk.wait_group 0;" ::: "memory"); } }
RED(red_add_u32, "add.u32") RED(red_add_u64, "add.u64") RED(red_add_f32, "add.f32") RED(red_add_f16, "add.noftz.f16") RED(red_min_s32, "min.s32") RED(red_and_b32, "and.b32")
__global__ void pre(const uint8_t *in, uint32_t size, uint32_t offset, uint32_t n, uint32_t step, uint32_t gap) {
    if (threadIdx.x == 0) for (uint32_t i = 0; i < n; i++)
        asm volatile("cp.async.bulk.prefetch.L2.global [%0], %1;" ::"l"(in + (size_t)blockIdx.x * gap + offset + i * step), "r"(size) : "memory");
}
__global__ void barriers(uint32_t *out, uint32_t n) { // n arrivals and waits by 32 lanes
    __shared__ __align__(8) uint64_t bar;
    if (threadIdx.x == 0) asm volatile("mbarrier.init.shared::cta.b64 [%0], 32;" ::"r"(at(&bar)));
    __syncthreads();
    for (uint32_t i = 0; i < n; i++) asm volatile("mbarrier.arrive.shared::cta.b64 _, [%0];" ::"r"(at(&bar)) : "memory");
    wait0(at(&bar), (n - 1) & 1);
}
#define LDM(name, op, regs, list, ...) __global__ void name(uint32_t *out, uint32_t pitch, uint32_t swizzle) { \
    uint32_t l = threadIdx.x, row = l % 8, m = l / 8, r[4] = {}; \
    uint32_t to = at(s) + row * pitch + m * 16; if (swizzle) to = at(s) + row * pitch + ((m ^ row) % 8) * 16; \
    asm volatile(op " " list ", [%" #regs "];" : __VA_ARGS__ : "r"(to)); out[l] = r[0] ^ r[1] ^ r[2] ^ r[3]; }
LDM(ldm1, "ldmatrix.sync.aligned.m8n8.x1.shared.b16", 1, "{%0}", "=r"(r[0]))
LDM(ldm2, "ldmatrix.sync.aligned.m8n8.x2.shared.b16", 2, "{%0,%1}", "=r"(r[0]), "=r"(r[1]))
LDM(ldm4, "ldmatrix.sync.aligned.m8n8.x4.shared.b16", 4, "{%0,%1,%2,%3}", "=r"(r[0]), "=r"(r[1]), "=r"(r[2]), "=r"(r[3]))
LDM(ldm4t, "ldmatrix.sync.aligned.m8n8.x4.trans.shared.b16", 4, "{%0,%1,%2,%3}", "=r"(r[0]), "=r"(r[1]), "=r"(r[2]), "=r"(r[3]))
#define STM(name, op, list, ...) __global__ void name(uint32_t *out, uint32_t pitch, uint32_t swizzle) { \
    uint32_t l = threadIdx.x, row = l % 8, m = l / 8; \
    uint32_t to = at(s) + row * pitch + m * 16; if (swizzle) to = at(s) + row * pitch + ((m ^ row) % 8) * 16; \
    asm volatile(op " [%0], " list ";" :: "r"(to), __VA_ARGS__ : "memory"); }
STM(stm1, "stmatrix.sync.aligned.m8n8.x1.shared.b16", "{%1}", "r"(l))
STM(stm2, "stmatrix.sync.aligned.m8n8.x2.shared.b16", "{%1,%2}", "r"(l), "r"(l))
STM(stm4, "stmatrix.sync.aligned.m8n8.x4.shared.b16", "{%1,%2,%3,%4}", "r"(l), "r"(l), "r"(l), "r"(l))
STM(stm4t, "stmatrix.sync.aligned.m8n8.x4.trans.shared.b16", "{%1,%2,%3,%4}", "r"(l), "r"(l), "r"(l), "r"(l))
int main() {
    uint8_t *in, *out; cudaMalloc(&in, 1 << 26); cudaMalloc(&out, 1 << 26); cudaMemset(in, 1, 1 << 26); cudaMemset(out, 0, 1 << 26);
#define COPY(k, buf, size, offset, n, step, blocks, gap) printf(#k "/%d/%d/%d/%d/%d/%d\n", size, offset, n, step, blocks, gap), k<<<blocks, 32, 32768>>>(buf, size, offset, n, step, gap)
    int sizes[] = {16, 32, 48, 64, 128, 256, 1024, 4096, 16384};
    for (int size : sizes) for (int offset : {0, 16}) { COPY(g2s, in, size, offset, 1, size, 1, 0); COPY(s2g, out, size, offset, 1, size, 1, 0); }
    COPY(g2s, in, 128, 64, 1, 0, 1, 0); COPY(g2s, in, 128, 0, 8, 0, 1, 0); COPY(g2s, in, 16, 0, 8, 16, 1, 0); COPY(g2s, in, 128, 0, 8, 128, 1, 0); COPY(g2s, in, 128, 0, 8, 4096, 1, 0);
    COPY(g2s, in, 4096, 0, 1, 0, 132, 4096); COPY(g2s, in, 4096, 0, 1, 0, 132, 0); COPY(g2s, in, 4096, 0, 4, 4096, 264, 16384);
    COPY(s2g, out, 128, 64, 1, 0, 1, 0); COPY(s2g, out, 128, 0, 8, 0, 1, 0); COPY(s2g, out, 16, 0, 8, 16, 1, 0); COPY(s2g, out, 4096, 0, 1, 0, 132, 4096); COPY(s2g, out, 4096, 0, 4, 4096, 264, 16384);
    for (int size : {16, 32, 128, 1024, 4096}) { COPY(red_add_u32, out, size, 0, 1, 0, 1, 0); COPY(red_add_f32, out, size, 0, 1, 0, 1, 0); }
    COPY(red_add_u32, out, 128, 16, 1, 0, 1, 0); COPY(red_add_u64, out, 1024, 0, 1, 0, 1, 0); COPY(red_add_f16, out, 1024, 0, 1, 0, 1, 0); COPY(red_min_s32, out, 1024, 0, 1, 0, 1, 0); COPY(red_and_b32, out, 1024, 0, 1, 0, 1, 0);
    COPY(red_add_u32, out, 4096, 0, 1, 0, 132, 4096); COPY(red_add_u32, out, 4096, 0, 1, 0, 132, 0);
    for (int size : {16, 128, 4096}) COPY(pre, in, size, 0, 1, 0, 1, 0);
    for (int n : {1, 2, 8}) printf("barriers/%d\n", n), barriers<<<1, 32>>>((uint32_t *)out, n);
#define MAT(k, pitch, swz) printf(#k "/%d/%d\n", pitch, swz), k<<<1, 32, 32768>>>((uint32_t *)out, pitch, swz)
    for (int pitch : {16, 32, 48, 64, 80, 128, 144, 256}) { MAT(ldm1, pitch, 0); MAT(ldm2, pitch, 0); MAT(ldm4, pitch, 0); MAT(ldm4t, pitch, 0); MAT(stm1, pitch, 0); MAT(stm4, pitch, 0); }
    MAT(ldm4, 128, 1); MAT(stm2, 128, 0); MAT(stm4, 128, 1); MAT(stm4t, 128, 0); MAT(stm4t, 144, 0);
    fprintf(stderr, "%s\n", cudaGetErrorString(cudaDeviceSynchronize()));
}
