// mma.sync on random fragments: prints for each product the instruction, how many registers a, b and d have, and the spread of the exponents, then a, b, c
// and d of all lanes, register by register, as hexadecimal words. h100-mma.txt has the first product of spreads 4 and 12.
#include <cstdint>
#include <cstdio>
#include <cuda_bf16.h>
#include <cuda_fp16.h>
#include <cuda_runtime.h>
__host__ __device__ inline uint32_t mix(uint32_t x) { x ^= x >> 16; x *= 0x7feb352du; x ^= x >> 15; x *= 0x846ca68bu; return x ^ x >> 16; }
enum Kind { F16, BF16, TF32, F32, INT8, INT32 };
__device__ float draw(uint32_t seed, int spread) { // sign, mantissa, an exponent within +-spread
    uint32_t r = mix(seed); int e = spread ? (int)(mix(seed + 77777) % (2 * spread + 1)) - spread : 0;
    return __uint_as_float((r & 0x80000000u) | (uint32_t)(127 + e) << 23 | (r & 0x7fffff));
}
__device__ uint32_t word(Kind k, uint32_t seed, int spread) {
    switch (k) {
    case F16: return __half_as_ushort(__float2half(draw(seed, spread))) | (uint32_t)__half_as_ushort(__float2half(draw(seed + 1000003, spread))) << 16;
    case BF16: return __bfloat16_as_ushort(__float2bfloat16(draw(seed, spread))) | (uint32_t)__bfloat16_as_ushort(__float2bfloat16(draw(seed + 1000003, spread))) << 16;
    case TF32: return __float_as_uint(draw(seed, spread));
    case F32: return __float_as_uint(draw(seed, spread));
    case INT8: return mix(seed);
    case INT32: return mix(seed) & 0xffffff;
    }
    return 0;
}
#define ROW(name, op, KA, NA, NB, KC, NC, text, ...) \
    __global__ void name(uint32_t *o, int trial, int spread) { \
        uint32_t a[4], b[2], c[4], d[4] = {}; \
        for (int i = 0; i < 4; i++) { a[i] = word(KA, trial * 4096 + threadIdx.x * 32 + i, spread); c[i] = word(KC, trial * 4096 + threadIdx.x * 32 + 8 + i, spread); if (i < 2) b[i] = word(KA, trial * 4096 + threadIdx.x * 32 + 16 + i, spread); } \
        asm volatile(op " " text ";" : __VA_ARGS__); \
        uint32_t n = 0; for (int i = 0; i < NA; i++) o[n++ * 32 + threadIdx.x] = a[i]; for (int i = 0; i < NB; i++) o[n++ * 32 + threadIdx.x] = b[i]; \
        for (int i = 0; i < NC; i++) o[n++ * 32 + threadIdx.x] = c[i]; for (int i = 0; i < NC; i++) o[n++ * 32 + threadIdx.x] = d[i]; }
#define D4 "=r"(d[0]), "=r"(d[1]), "=r"(d[2]), "=r"(d[3])
#define D2 "=r"(d[0]), "=r"(d[1])
#define A4 "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3])
#define A2 "r"(a[0]), "r"(a[1])
#define B2 "r"(b[0]), "r"(b[1])
#define C4 "r"(c[0]), "r"(c[1]), "r"(c[2]), "r"(c[3])
#define C2 "r"(c[0]), "r"(c[1])
#define T442 "{%0,%1,%2,%3}, {%4,%5,%6,%7}, {%8,%9}, {%10,%11,%12,%13}"
#define T421 "{%0,%1,%2,%3}, {%4,%5}, {%6}, {%7,%8,%9,%10}"
#define T242 "{%0,%1}, {%2,%3,%4,%5}, {%6,%7}, {%8,%9}"
#define T221 "{%0,%1}, {%2,%3}, {%4}, {%5,%6}"
ROW(f16_16_f32, "mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32", F16, 4, 2, F32, 4, T442, D4 : A4, B2, C4)
ROW(f16_8_f32, "mma.sync.aligned.m16n8k8.row.col.f32.f16.f16.f32", F16, 2, 1, F32, 4, T421, D4 : A2, "r"(b[0]), C4)
ROW(f16_16_f16, "mma.sync.aligned.m16n8k16.row.col.f16.f16.f16.f16", F16, 4, 2, F16, 2, T242, D2 : A4, B2, C2)
ROW(f16_8_f16, "mma.sync.aligned.m16n8k8.row.col.f16.f16.f16.f16", F16, 2, 1, F16, 2, T221, D2 : A2, "r"(b[0]), C2)
ROW(bf16_16, "mma.sync.aligned.m16n8k16.row.col.f32.bf16.bf16.f32", BF16, 4, 2, F32, 4, T442, D4 : A4, B2, C4)
ROW(bf16_8, "mma.sync.aligned.m16n8k8.row.col.f32.bf16.bf16.f32", BF16, 2, 1, F32, 4, T421, D4 : A2, "r"(b[0]), C4)
ROW(tf32_8, "mma.sync.aligned.m16n8k8.row.col.f32.tf32.tf32.f32", TF32, 4, 2, F32, 4, T442, D4 : A4, B2, C4)
ROW(tf32_4, "mma.sync.aligned.m16n8k4.row.col.f32.tf32.tf32.f32", TF32, 2, 1, F32, 4, T421, D4 : A2, "r"(b[0]), C4)
ROW(s8_32, "mma.sync.aligned.m16n8k32.row.col.s32.s8.s8.s32", INT8, 4, 2, INT32, 4, T442, D4 : A4, B2, C4)
ROW(s8_16, "mma.sync.aligned.m16n8k16.row.col.s32.s8.s8.s32", INT8, 2, 1, INT32, 4, T421, D4 : A2, "r"(b[0]), C4)
ROW(u8s8_32, "mma.sync.aligned.m16n8k32.row.col.satfinite.s32.u8.s8.s32", INT8, 4, 2, INT32, 4, T442, D4 : A4, B2, C4)
template <typename K> void show(const char *name, K kernel, int a, int b, int d) {
    uint32_t *o; cudaMallocManaged(&o, 16 * 32 * 4);
    int spreads[] = {0, 1, 4, 8, 12};
    for (int spread : spreads) for (int t = 0; t < 3; t++) {
        kernel<<<1, 32>>>(o, t + 10 * spread, spread); cudaDeviceSynchronize();
        printf("%s %d %d %d %d\n", name, a, b, d, spread);
        for (int i = 0; i < a + b + 2 * d; i++) for (int l = 0; l < 32; l++) printf("%08x%c", o[i * 32 + l], l < 31 ? ' ' : '\n');
    }
}
int main() {
    show("m16n8k16.row.col.f32.f16.f16.f32", f16_16_f32, 4, 2, 4);
    show("m16n8k8.row.col.f32.f16.f16.f32", f16_8_f32, 2, 1, 4);
    show("m16n8k16.row.col.f16.f16.f16.f16", f16_16_f16, 4, 2, 2);
    show("m16n8k8.row.col.f16.f16.f16.f16", f16_8_f16, 2, 1, 2);
    show("m16n8k16.row.col.f32.bf16.bf16.f32", bf16_16, 4, 2, 4);
    show("m16n8k8.row.col.f32.bf16.bf16.f32", bf16_8, 2, 1, 4);
    show("m16n8k8.row.col.f32.tf32.tf32.f32", tf32_8, 4, 2, 4);
    show("m16n8k4.row.col.f32.tf32.tf32.f32", tf32_4, 2, 1, 4);
    show("m16n8k32.row.col.s32.s8.s8.s32", s8_32, 4, 2, 4);
    show("m16n8k16.row.col.s32.s8.s8.s32", s8_16, 2, 1, 4);
    show("m16n8k32.row.col.satfinite.s32.u8.s8.s32", u8s8_32, 4, 2, 4);
}
