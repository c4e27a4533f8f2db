//run one --grid 64 --block 64 --arg buf:u16:106496:zero
//run pairs --grid 64 --block 64 --arg buf:u32:81920:zero
//run comparisons --grid 16 --block 64 --arg buf:u32:44032:zero
//run from_numbers --grid 16 --block 64 --arg buf:u16:47104:zero
//run to_numbers --grid 64 --block 64 --arg buf:i32:167936:zero
//run rearranged --grid 1 --block 64 --arg buf:u32:1280:zero
//run operators --grid 64 --block 64 --arg buf:u32:106496:zero
//run exact_functions --grid 256 --block 256 --arg buf:u16:524288:zero
//run atomics --grid 1 --block 32 --arg buf:u32:8:zero
//run lanes_and_caches --grid 1 --block 32 --arg buf:u32:768:zero --arg buf:u32:64:iota
// Half precision: arithmetic, comparisons and conversions on many bit patterns. NaN results are made one: their bits mean nothing.
#include <cuda_fp16.h>

__device__ __half any_half(int i) { return __ushort_as_half((unsigned short)(i * 40503u >> 3)); }
__device__ __half2 any_pair(int i) { return __halves2half2(any_half(i), any_half(i * 3 + 1)); }
__device__ unsigned short bits(__half h) { return __hisnan(h) ? 0x7fff : __half_as_ushort(h); }
__device__ unsigned bits(__half2 v) { return bits(v.x) | (unsigned)bits(v.y) << 16; }

extern "C" __global__ void one(unsigned short *out) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    __half a = any_half(i), b = any_half(i * 5 + 7), c = any_half(i * 11 + 3);
    out += i * 26;
    *out++ = bits(__hadd(a, b)), *out++ = bits(__hsub(a, b)), *out++ = bits(__hmul(a, b)), *out++ = bits(__hdiv(a, b));
    *out++ = bits(__hadd_sat(a, b)), *out++ = bits(__hsub_sat(a, b)), *out++ = bits(__hmul_sat(a, b));
    *out++ = bits(__hadd_rn(a, b)), *out++ = bits(__hsub_rn(a, b)), *out++ = bits(__hmul_rn(a, b));
    *out++ = bits(__hfma(a, b, c)), *out++ = bits(__hfma_sat(a, b, c)), *out++ = bits(__hfma_relu(a, b, c));
    *out++ = bits(__hneg(a)), *out++ = bits(__habs(a));
    *out++ = bits(__hmax(a, b)), *out++ = bits(__hmin(a, b)), *out++ = bits(__hmax_nan(a, b)), *out++ = bits(__hmin_nan(a, b));
}

extern "C" __global__ void pairs(unsigned *out) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    __half2 a = any_pair(i), b = any_pair(i * 5 + 7), c = any_pair(i * 11 + 3);
    out += i * 20;
    *out++ = bits(__hadd2(a, b)), *out++ = bits(__hsub2(a, b)), *out++ = bits(__hmul2(a, b)), *out++ = bits(__h2div(a, b));
    *out++ = bits(__hadd2_sat(a, b)), *out++ = bits(__hsub2_sat(a, b)), *out++ = bits(__hmul2_sat(a, b));
    *out++ = bits(__hadd2_rn(a, b)), *out++ = bits(__hsub2_rn(a, b)), *out++ = bits(__hmul2_rn(a, b));
    *out++ = bits(__hfma2(a, b, c)), *out++ = bits(__hfma2_sat(a, b, c)), *out++ = bits(__hfma2_relu(a, b, c));
    *out++ = bits(__hneg2(a)), *out++ = bits(__habs2(a)), *out++ = bits(__hcmadd(a, b, c));
    *out++ = bits(__hmax2(a, b)), *out++ = bits(__hmin2(a, b)), *out++ = bits(__hmax2_nan(a, b)), *out++ = bits(__hmin2_nan(a, b));
}

#define COMPARISON(name)                     \
    *out++ = __h##name(a.x, b.x);            \
    *out++ = bits(__h##name##2(a, b));       \
    *out++ = __h##name##2_mask(a, b);        \
    all |= __hb##name##2(a, b) << of++;
extern "C" __global__ void comparisons(unsigned *out) {
    int i = blockIdx.x * blockDim.x + threadIdx.x, of = 0;
    unsigned all = 0;
    __half2 a = any_pair(i), b = i % 3 ? any_pair(i * 5 + 7) : a;
    out += i * 43;
    COMPARISON(eq) COMPARISON(ne) COMPARISON(lt) COMPARISON(le) COMPARISON(gt) COMPARISON(ge)
    COMPARISON(equ) COMPARISON(neu) COMPARISON(ltu) COMPARISON(leu) COMPARISON(gtu) COMPARISON(geu)
    *out++ = all;
    *out++ = bits(__hisnan2(a));
    *out++ = __hisnan(a.x) + 2 * __hisnan(a.y) + 4 * (__hisinf(a.x) + 1);
}

#define FROM(name, v) \
    *out++ = bits(__##name##2half_rn(v)), *out++ = bits(__##name##2half_rz(v)), *out++ = bits(__##name##2half_rd(v)), \
    *out++ = bits(__##name##2half_ru(v));
extern "C" __global__ void from_numbers(unsigned short *out) {
    int i = blockIdx.x * blockDim.x + threadIdx.x, v = (i - 512) * 137;
    __half h;
    out += i * 46;
    FROM(float, v * 0.037f) FROM(int, v) FROM(uint, v) FROM(short, v) FROM(ushort, v) FROM(ll, v * 3ll) FROM(ull, v * 3ll)
    *out++ = bits(__float2half(v * 1e-9f)), *out++ = bits(__double2half(v * 1e-5)), *out++ = bits(__float2half(v * 1e9f));
    h = v * 0.5f, *out++ = bits(h), h = v * 0.25, *out++ = bits(h), h = v, *out++ = bits(h), h = (unsigned)v, *out++ = bits(h);
    h = (short)v, *out++ = bits(h), h = (unsigned short)v, *out++ = bits(h), h = (long long)v, *out++ = bits(h);
    h = (unsigned long long)v, *out++ = bits(h), *out++ = bits(__half(v)), *out++ = bits(__half(0.1));
    *out++ = bits(__short_as_half(v)), *out++ = bits(__ushort_as_half(v)), *out++ = bits(__half(__half_raw{0x3555}));
}

#define TO(name) \
    *out++ = __half2##name##_rn(h), *out++ = __half2##name##_rz(h), *out++ = __half2##name##_rd(h), *out++ = __half2##name##_ru(h);
extern "C" __global__ void to_numbers(int *out) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    __half h = any_half(i * 17);
    out += i * 41;
    TO(int) TO(uint) TO(short) TO(ushort) TO(ll) TO(ull)
    *out++ = __half2char_rz(h), *out++ = __half2uchar_rz(h), *out++ = __half_as_short(h), *out++ = __half_as_ushort(h);
    *out++ = (int)h, *out++ = (unsigned)h, *out++ = (short)h, *out++ = (unsigned short)h, *out++ = (int)(long long)h;
    *out++ = (int)(unsigned long long)h, *out++ = (signed char)h, *out++ = (unsigned char)h, *out++ = (bool)h;
    if (!__hisnan(h)) out[0] = __float_as_int((float)h), out[1] = __float_as_int(__half2float(h));
}

extern "C" __global__ void rearranged(unsigned *out) {
    float f = (threadIdx.x - 20.5f) * 0.77f;
    __half2 a = any_pair(threadIdx.x), b = any_pair(threadIdx.x + 99), c(a.y, b.x);
    float2 both = __half22float2(__floats2half2_rn(f, f * 2));
    out += threadIdx.x * 20;
    *out++ = bits(__float2half2_rn(f)), *out++ = bits(__floats2half2_rn(f, f + 1)), *out++ = bits(__float22half2_rn(both));
    *out++ = __float_as_int(both.x) ^ __float_as_int(both.y);
    *out++ = __float_as_int(__low2float(__float2half2_rn(f))), *out++ = __float_as_int(__high2float(__floats2half2_rn(1, f)));
    *out++ = bits(__low2half(a)), *out++ = bits(__high2half(a)), *out++ = bits(__half2half2(a.x)), *out++ = bits(__low2half2(a));
    *out++ = bits(__high2half2(a)), *out++ = bits(__lowhigh2highlow(a)), *out++ = bits(__lows2half2(a, b));
    *out++ = bits(__highs2half2(a, b)), *out++ = bits(make_half2(a.y, b.y)), *out++ = bits(c);
    c.x = b.y;
    *out++ = bits(c);
}

extern "C" __global__ void operators(unsigned *out) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    half a = any_half(i), b = any_half(i * 5 + 7), c = a;
    half2 p = any_pair(i), q = any_pair(i * 5 + 7), r = p;
    out += i * 26;
    *out++ = bits(a + b), *out++ = bits(a - b), *out++ = bits(a * b), *out++ = bits(a / b), *out++ = bits(-a), *out++ = bits(+a);
    *out++ = bits(p + q), *out++ = bits(p - q), *out++ = bits(p * q), *out++ = bits(p / q), *out++ = bits(-p), *out++ = bits(+p);
    c += b, *out++ = bits(c), c -= a, c *= b, c /= a, *out++ = bits(c), *out++ = bits(c++), *out++ = bits(--c), ++c, c--;
    r += q, *out++ = bits(r), r -= p, r *= q, r /= p, *out++ = bits(r), *out++ = bits(r++), *out++ = bits(--r), ++r, r--;
    *out++ = (a < b) + 2 * (a <= b) + 4 * (a == b) + 8 * (a != b) + 16 * (a > b) + 32 * (a >= b) + (a ? 64 : 0) + 128 * !a;
    *out++ = (p == q) + 2 * (p != q) + 4 * (p < q) + 8 * (p <= q) + 16 * (p > q) + 32 * (p >= q) + 64 * (p == p);
    __half_raw raw = a;
    __half2_raw raws = p;
    *out++ = bits(__half(raw)) + bits(__half2(raws));
    *out++ = bits(CUDART_ONE_FP16) ^ bits(CUDART_INF_FP16) ^ bits(CUDART_MAX_NORMAL_FP16) ^ bits(CUDART_MIN_DENORM_FP16);
}

// Those whose result is the right one rounded, whatever way they take; on all 65536 halves.
extern "C" __global__ void exact_functions(unsigned short *out) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    __half h = __ushort_as_half((unsigned short)i);
    out += i * 8;
    *out++ = bits(hsqrt(h)), *out++ = bits(hceil(h)), *out++ = bits(hfloor(h)), *out++ = bits(htrunc(h)), *out++ = bits(hrint(h));
    *out++ = bits(h2floor(__half2(h, h)).y), *out++ = bits(h2sqrt(__half2(h, h)));
}

extern "C" __global__ void atomics(unsigned *out) {
    atomicAdd((__half *)out, __float2half(0.5f));
    atomicAdd((__half2 *)(out + 1), __floats2half2_rn(0.5f, 1.0f));
    atomicAdd((__half *)(out + 2) + 1, __float2half(0.25f));
    if (threadIdx.x == 0) out[3] = bits(atomicAdd((__half *)(out + 4), __float2half(3.0f)));
}

extern "C" __global__ void lanes_and_caches(unsigned *out, const __half2 *in) {
    int i = threadIdx.x;
    __half2 v = in[i];
    out += i * 24;
    *out++ = bits(__shfl_sync(~0u, v.x, 3)), *out++ = bits(__shfl_up_sync(~0u, v.x, 3)), *out++ = bits(__shfl_down_sync(~0u, v.x, 3));
    *out++ = bits(__shfl_xor_sync(~0u, v.x, 3, 8)), *out++ = bits(__shfl_sync(~0u, v, 5)), *out++ = bits(__shfl_up_sync(~0u, v, 1));
    *out++ = bits(__shfl_down_sync(~0u, v, 2, 16)), *out++ = bits(__shfl_xor_sync(~0u, v, 7));
    *out++ = bits(__ldg(in + i)) + bits(__ldcg(in + i)) + bits(__ldca(in + i)) + bits(__ldcs(in + i)) + bits(__ldcv(in + i));
    *out++ = bits(__ldg(&in[i].x)) + bits(__ldcg(&in[i].y)) + bits(__ldca(&in[i].x)) + bits(__ldlu(&in[i].y));
    __stcg((__half2 *)out, v), __stcs((__half *)(out + 1), v.y), __stwb((__half2 *)(out + 2), v), __stwt((__half *)(out + 3), v.x);
}
