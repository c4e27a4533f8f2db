// What the assembler makes of atomics, which words L1 serves, which stores join before L2, what constants cost: one launch a kernel (h100-shapes.csv).
#include <cstdio>
#include <cuda_fp16.h>
typedef unsigned long long u64;
#define G extern "C" __global__ void
#define A (int *o, int v)
#define T int t = threadIdx.x;
#define S __shared__ int s[1024]; __shared__ float f[1024]; __shared__ u64 q[1024]; T for (int i = t; i < 1024; i += blockDim.x) s[i] = 0, f[i] = 0, q[i] = 0; __syncthreads();
#define E __syncthreads(); o[t] = s[t] + (int)f[t] + (int)q[t];
// --- shared, float: loops of CAS
G a_fadd_bins8 A { S atomicAdd(&f[t & 7], 1.f); E }
G a_fadd_bins16 A { S atomicAdd(&f[t & 15], 1.f); E }
G a_fadd_bank0 A { S atomicAdd(&f[t * 32], 1.f); E }
G a_fadd_bank2 A { S atomicAdd(&f[t * 2], 1.f); E }
G a_fadd_two0 A { S atomicAdd(&f[(t & 1) * 32], 1.f); E }
G a_fadd_four0 A { S atomicAdd(&f[(t & 3) * 32], 1.f); E }
G a_fadd_zero A { S atomicAdd(&f[5], 0.f * v); E }
G a_fadd_zeros8 A { S atomicAdd(&f[t & 7], t < 8 ? 1.f : 0.f); E }
G a_fadd_ret_same A { S float r = atomicAdd(&f[5], 1.f); E o[t] += (int)r; }
G a_fadd_half A { S if (t < 16) atomicAdd(&f[5], 1.f); E }
G a_fadd_same2w A { S atomicAdd(&f[5], 1.f); E }
G a_dadd_same A { S atomicAdd((double *)&q[5], 1.); E }
G a_dadd_own A { S atomicAdd((double *)&q[t], 1.); E }
G a_dadd_bins8 A { S atomicAdd((double *)&q[t & 7], 1.); E }
G a_dadd_bank0 A { S atomicAdd((double *)&q[t * 16], 1.); E }
G a_half2_same A { S atomicAdd((__half2 *)&s[5], __floats2half2_rn(1.f, 1.f)); E }
G a_half2_own A { S atomicAdd((__half2 *)&s[t], __floats2half2_rn(1.f, 1.f)); E }
G a_half_same A { S atomicAdd((__half *)&s[5], __float2half(1.f)); E }
G a_half_own A { S atomicAdd((__half *)&s[t], __float2half(1.f)); E }
// --- shared, 64 bits
G a_add64_t_same A { S atomicAdd(&q[5], (u64)t * v); E }
G a_add64_t_bins8 A { S atomicAdd(&q[t & 7], (u64)t * v + 1); E }
G a_add64_1_bins8 A { S atomicAdd(&q[t & 7], 1ull); E }
G a_add64_t_bank0 A { S atomicAdd(&q[t * 16], (u64)t * v + 1); E }
G a_add64_ret_same A { S u64 r = atomicAdd(&q[5], 1ull); E o[t] += (int)r; }
G a_max64_up A { S atomicMax(&q[5], (u64)t + 1); E }
G a_max64_down A { S atomicMax(&q[5], (u64)32 - t); E }
G a_max64_own A { S atomicMax(&q[t], (u64)t); E }
G a_min64_none A { S atomicMin(&q[5], (u64)t); E }
G a_or64_bits A { S atomicOr(&q[5], 1ull << t); E }
G a_or64_v A { S atomicOr(&q[5], (u64)v); E }
G a_exch64_same A { S atomicExch(&q[5], (u64)t); E }
G a_exch64_own A { S atomicExch(&q[t], (u64)t); E }
G a_exch64_bins8 A { S atomicExch(&q[t & 7], (u64)t); E }
G a_cas64_same A { S atomicCAS(&q[5], 0ull, (u64)t + 1); E }
G a_cas64_own A { S atomicCAS(&q[t], 0ull, (u64)t + 1); E }
G a_cas64_bins8 A { S atomicCAS(&q[t & 7], 0ull, (u64)t + 1); E }
// --- shared, 32 bits
G a_cas_bins8 A { S atomicCAS(&s[t & 7], 0, t + 1); E }
G a_cas_bank0 A { S atomicCAS(&s[t * 32], 0, t + 1); E }
G a_cas_half A { S if (t < 16) atomicCAS(&s[5], 0, t + 1); E }
G a_exch_bins8 A { S atomicExch(&s[t & 7], t); E }
G a_exch_own A { S atomicExch(&s[t], t); E }
G a_inc_bins8 A { S atomicInc((unsigned *)&s[t & 7], 1000); E }
G a_dec_same A { S atomicDec((unsigned *)&s[5], 1000); E }
G a_add1_bank0 A { S atomicAdd(&s[t * 32], 1); E }
G a_add1_two0 A { S atomicAdd(&s[(t & 1) * 32], 1); E }
G a_add1_if5 A { S if (t < 5) atomicAdd(&s[5], 1); E }
G a_add1_ret_bins8 A { S int r = atomicAdd(&s[t & 7], 1); E o[t] += r; }
G a_add2_bins8 A { S atomicAdd(&s[t & 7], 2); E }
G a_sub1_bins8 A { S atomicSub(&s[t & 7], 1); E }
G a_addt_ret_same A { S int r = atomicAdd(&s[5], t * v); E o[t] += r; }
G a_addt_ret_half A { S int r = 0; if (t < 16) r = atomicAdd(&s[5], t * v); E o[t] += r; }
G a_addt_half A { S if (t & 1) atomicAdd(&s[5], t * v); E }
G a_addv_ret_same A { S int r = atomicAdd(&s[5], v); E o[t] += r; }
G a_or_same A { S atomicOr(&s[5], 1 << t); E }
G a_and_same A { S atomicAnd(&s[5], t * v); E }
G a_xor_same A { S atomicXor(&s[5], t * v); E }
G a_min_ret_same A { S int r = atomicMin(&s[5], -t * v); E o[t] += r; }
G a_max_bins8 A { S atomicMax(&s[t & 7], t * v); E }
G a_loaded_uni A { S atomicAdd(&s[o[5]], t); E }
G a_select A { S atomicAdd(&s[t < 16 ? 5 : 6], t); E }
G a_generic A { S int *p = v ? s : o; atomicAdd(p + 5, t); E }
// --- global
G g_addt_same A { T atomicAdd(&o[5], t); }
G g_add1_ret_same A { T o[64 + t] = atomicAdd(&o[5], 1); }
G g_addt_ret_half A { T if (t < 16) o[64 + t] = atomicAdd(&o[5], t * v); }
G g_add1_if5 A { T if (t < 5) atomicAdd(&o[5], 1); }
G g_add1_bins8 A { T atomicAdd(&o[t & 7], 1); }
G g_addt_bins8 A { T atomicAdd(&o[t & 7], t); }
G g_add1_ret_bins8 A { T o[64 + t] = atomicAdd(&o[t & 7], 1); }
G g_addt_stride8 A { T atomicAdd(&o[t * 8], t); }
G g_max_same A { T atomicMax(&o[5], t); }
G g_max_ret_same A { T o[64 + t] = atomicMax(&o[5], t); }
G g_or_same A { T atomicOr(&o[5], 1 << t); }
G g_exch_same A { T atomicExch(&o[5], t); }
G g_exch_own A { T atomicExch(&o[t], t); }
G g_inc_same A { T atomicInc((unsigned *)&o[5], 1000); }
G g_add64_1_same A { T atomicAdd((u64 *)&o[6], 1ull); }
G g_add64_t_same A { T atomicAdd((u64 *)&o[6], (u64)t); }
G g_add64_t_own A { T atomicAdd((u64 *)&o[2 * t], (u64)t); }
G g_add64_ret_same A { T o[64 + t] = (int)atomicAdd((u64 *)&o[6], 1ull); }
G g_max64_t_same A { T atomicMax((u64 *)&o[6], (u64)t); }
G g_fadd_own A { T atomicAdd((float *)&o[t], 1.f); }
G g_fadd_bins8 A { T atomicAdd((float *)&o[t & 7], 1.f); }
G g_fadd_ret_same A { T o[64 + t] = (int)atomicAdd((float *)&o[5], 1.f); }
G g_dadd_same A { T atomicAdd((double *)&o[6], 1.); }
G g_half2_same A { T atomicAdd((__half2 *)&o[5], __floats2half2_rn(1.f, 1.f)); }
G g_cas_own A { T atomicCAS(&o[t], 0, t); }
G g_cas64_own A { T atomicCAS((u64 *)&o[2 * t], 0ull, (u64)t); }
// --- L1: words that were stored
#define C char *c = (char *)o;
#define H short *h = (short *)o;
#define R __syncthreads(); o[1024 + t] =
G p_byte_full A { T C c[t] = t; R c[t ^ 1]; }
G p_byte_two A { T C c[2 * t] = t; R c[2 * (t ^ 1)]; }
G p_byte_four A { T C for (int k = 0; k < 4; k++) c[4 * t + k] = t + k * v; R o[t ^ 1]; }
G p_short A { T H h[2 * t] = t; R h[2 * (t ^ 1)]; }
G p_short_full A { T H h[t] = t; R h[t ^ 1]; }
G p_short_pair A { T H h[2 * t] = t; h[2 * t + 1] = v; R o[t ^ 1]; }
G p_short_readint A { T H h[t] = t; R o[(t ^ 1) & 15]; }
G p_short_half A { T H if (t < 16) h[t] = t; R h[(t ^ 1) & 15]; }
G p_byte_after A { T C o[2 * t] = t; __syncthreads(); c[8 * t + 1] = 1; R o[2 * (t ^ 1)]; }
G p_word_part A { T o[2 * t] = t; __syncthreads(); int2 x = *(int2 *)&o[2 * (t ^ 1)]; o[1024 + t] = x.x + x.y; }
G p_wide A { T *(int4 *)&o[8 * t] = make_int4(t, t, t, t); R o[8 * (t ^ 1) + 2]; }
G p_wide_miss A { T *(int4 *)&o[8 * t] = make_int4(t, t, t, t); R o[8 * (t ^ 1) + 6]; }
G p_miss_then A { T o[8 * t] = t; __syncthreads(); int y = o[8 * t + 1]; __syncthreads(); int z = o[8 * (t ^ 1)]; __syncthreads(); o[1024 + t] = y + z + o[8 * t + 7]; }
G p_hit_then A { T o[8 * t] = t; __syncthreads(); int y = o[8 * (t ^ 1)]; __syncthreads(); int z = o[8 * t + 1]; __syncthreads(); o[1024 + t] = y + z + o[8 * (t ^ 1)]; }
G p_cg A { T __stcg(&o[8 * t], t); R o[8 * (t ^ 1)]; }
G p_cs A { T __stcs(&o[8 * t], t); R o[8 * (t ^ 1)]; }
G p_wt A { T __stwt(&o[8 * t], t); R o[8 * (t ^ 1)]; }
G p_volatile A { T ((volatile int *)o)[8 * t] = t; R o[8 * (t ^ 1)]; }
G p_ldcg A { T o[8 * t] = t; R __ldcg(&o[8 * (t ^ 1)]); }
G p_ldcg_then A { T o[8 * t] = t; __syncthreads(); int y = __ldcg(&o[8 * (t ^ 1)]); __syncthreads(); o[1024 + t] = y + o[8 * (t ^ 1)]; }
G p_red_after A { T o[8 * t] = t; __syncthreads(); atomicAdd(&o[8 * t + 1], t); R o[8 * (t ^ 1)]; }
G p_even_all A { T if (t % 2 == 0) o[t] = t; R o[t ^ 1]; }
G p_even_even A { T if (t % 2 == 0) o[t] = t; __syncthreads(); if (t % 2 == 0) o[1024 + t] = o[t ^ 2]; }
G p_two_times A { T if (t % 2 == 0) o[t] = t; __syncthreads(); if (t % 2) o[t] = t; R o[t ^ 1]; }
G p_eight_times A { T for (int k = 0; k < 8; k++) { o[8 * t + k] = t; __syncthreads(); } R o[8 * (t ^ 1) + 3]; }
G p_other_warp A { T o[8 * t] = t; R o[8 * (t ^ 32)]; }
G p_own_store_load A { T ((volatile int *)o)[8 * t] = t; o[1024 + t] = ((volatile int *)o)[8 * t]; }
G p_relaxed A { T o[8 * t] = t; __syncthreads(); int y; asm volatile("ld.relaxed.gpu.global.s32 %0, [%1];" : "=r"(y) : "l"(o + 8 * (t ^ 1)) : "memory"); __syncthreads(); o[1024 + t] = y + o[8 * (t ^ 1)]; }
// --- stores that are joined on their way to L2: one warp, then a grid (j…, l…: with a load first; m…: a grid; ml…)
template <int K, int STEP, bool LOAD> __device__ void stores(int *o, int t, int v) {
    int x = LOAD ? o[(1 << 24) + t] : v;
#pragma unroll
    for (int k = 0; k < K; k++) o[t * STEP + k] = x + k;
}
#define STORES(K, STEP) \
    G j_##K##_##STEP A { stores<K, STEP, false>(o, threadIdx.x, v); } \
    G l_##K##_##STEP A { stores<K, STEP, true>(o, threadIdx.x, v); } \
    G m_##K##_##STEP A { stores<K, STEP, false>(o, blockIdx.x * 256 + threadIdx.x, v); } \
    G ml_##K##_##STEP A { stores<K, STEP, true>(o, blockIdx.x * 256 + threadIdx.x, v); }
STORES(2, 2) STORES(2, 3) STORES(3, 3) STORES(2, 4) STORES(4, 4) STORES(5, 5) STORES(2, 8) STORES(8, 8) STORES(2, 16) STORES(2, 32)
template <int N> __device__ void apart(int *o, int v) {
    T o[2 * t] = t;
    float x = v;
#pragma unroll
    for (int i = 0; i < N; i++) asm volatile("fma.rn.f32 %0, %0, %0, %0;" : "+f"(x));
    o[2 * t + 1] = (int)x;
}
G w_4 A { apart<4>(o, v); }
G w_16 A { apart<16>(o, v); }
G w_64 A { apart<64>(o, v); }
G w_256 A { apart<256>(o, v); }
G w_1024 A { apart<1024>(o, v); }
G x_other A { T o[2 * t] = t; o[4096 + 2 * t] = v; o[2 * t + 1] = t; o[4096 + 2 * t + 1] = v; }
G x_others A { T o[2 * t] = t; o[4096 + 2 * t] = v; o[8192 + 2 * t] = v; o[2 * t + 1] = t; o[4096 + 2 * t + 1] = v; o[8192 + 2 * t + 1] = v; }
G x_load A { T o[2 * t] = t; int y; asm volatile("ld.global.s32 %0, [%1];" : "=r"(y) : "l"(o + 9000 + t) : "memory"); o[2 * t + 1] = t; o[4096 + t] = y; }
G x_shared A { T __shared__ int s[64]; o[2 * t] = t; ((volatile int *)s)[t] = v; o[2 * t + 1] = ((volatile int *)s)[t]; }
G x_bytes A { T C for (int k = 0; k < 4; k++) c[4 * t + k] = t + k * v; }
G x_same A { T volatile int *p = o; p[t] = t; p[t] = v; p[t] = 7; }
G x_four1 A { T for (int k = 0; k < 4; k++) ((volatile int *)o)[t + 32 * (k & 0)] = k; }
G x_halves A { T if (t & 1) o[t] = v; else o[t] = t; }
G x_two_warps A { T o[2 * (t & 31) + (t >> 5)] = t; }
G x_rows A { T o[t] = t; o[32 + t] = t; o[t + 16] = v; }
G up_2d A { int i = blockIdx.x * 256 + threadIdx.x, x = i & 2047, y = i >> 11; int p = o[(1 << 23) + i]; int *d = o + 4096 * 2 * (y & 511) + 2 * x; d[0] = p; d[1] = p; d[4096] = p; d[4097] = p; }
G up_1d A { int i = blockIdx.x * 256 + threadIdx.x; int p = o[(1 << 23) + i]; o[2 * i] = p; o[2 * i + 1] = p + v; }
// --- constants
__constant__ int k[4096];
G c_two A { T o[t] = k[(t & 1) * v]; }
G c_eight A { T o[t] = k[(t & 7) * v]; }
G c_row A { T o[t] = k[t]; }
G c_far A { T o[t] = k[t * 64]; }
G c_pairs A { T int2 x = ((int2 *)k)[t]; o[t] = x.x + x.y; }
G c_half A { T if (t < 16) o[t] = k[t]; }
G c_uniform A { T o[t] = k[v] + k[v + 1]; }
G c_twice A { T o[t] = k[t] + k[t + 64]; }
G c_again A { T o[t] = k[t & v]; }
// --- time
G t_gadd_same A { atomicAdd(&o[5], threadIdx.x & v); }
G t_gfadd_same A { atomicAdd((float *)&o[5], 1.f); }
G t_gadd_ret A { int i = blockIdx.x * 256 + threadIdx.x; o[64 + i] = atomicAdd(&o[5], 1); }
G t_gadd_bins A { int i = blockIdx.x * 256 + threadIdx.x; atomicAdd(&o[(i * 2654435761u) >> 24], 1); }
G t_gadd_many A { int i = blockIdx.x * 256 + threadIdx.x; atomicAdd(&o[(i * 2654435761u) >> 10], 1); }
G t_gadd_own A { int i = blockIdx.x * 256 + threadIdx.x; atomicAdd(&o[i], i); }
G t_gexch_same A { atomicExch(&o[5], threadIdx.x); }
#define LOOP __shared__ int s[1024]; T for (int i = t; i < 1024; i += 256) s[i] = 0; __syncthreads(); for (int n = 0; n < 256; n++)
#define DONE __syncthreads(); o[blockIdx.x * 256 + t] = s[t];
G t_sadd1_same A { LOOP atomicAdd(&s[5], 1); DONE }
G t_saddt_same A { LOOP atomicAdd(&s[5], t + n); DONE }
G t_sadd1_bins A { LOOP atomicAdd(&s[((t + n) * 2654435761u) >> 24], 1); DONE }
G t_saddt_bins A { LOOP atomicAdd(&s[((t + n) * 2654435761u) >> 24], t); DONE }
G t_sexch_same A { LOOP atomicExch(&s[5], t + n); DONE }
G t_scas_own A { LOOP atomicCAS(&s[t], n, n + 1); DONE }
G t_sfadd_same A { LOOP atomicAdd((float *)&s[5], 1.f); DONE }
G t_sfadd_own A { LOOP atomicAdd((float *)&s[t], 1.f); DONE }

static int *o;
static void prepare() { cudaMemset(o, 0, 1 << 27); }
static void ended(const char *name) { cudaError_t e = cudaDeviceSynchronize(); if (e) { fprintf(stderr, "%s: %s\n", name, cudaGetErrorString(e)); } }
#define X(name, grid, block) prepare(); name<<<grid, block>>>(o, 3); ended(#name);
#define LIST_STORES(K, STEP) X(j_##K##_##STEP, 1, 32) X(l_##K##_##STEP, 1, 32) X(m_##K##_##STEP, 1024, 256) X(ml_##K##_##STEP, 1024, 256)
int main() {
    cudaMalloc(&o, 1 << 27);
#include "shapes.inc"
    LIST_STORES(2, 2) LIST_STORES(2, 3) LIST_STORES(3, 3) LIST_STORES(2, 4) LIST_STORES(4, 4) LIST_STORES(5, 5) LIST_STORES(2, 8) LIST_STORES(8, 8) LIST_STORES(2, 16) LIST_STORES(2, 32)
}
