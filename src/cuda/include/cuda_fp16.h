/* cuda_fp16.h: half precision. Arithmetic is what sm_53 and newer have as instructions; functions go through float, and so does all
 * arithmetic of host code: a sum, product or quotient of halves that was rounded to float rounds to the same half as the exact one. */
#pragma once
#define __CUDA_FP16_H__ /* programs ask for it */

#include "warpscope_cuda.h"

/* Conversions of the host: rounding to nearest even, by hand, since only the device has the instruction. */
WARPSCOPE_BOTH unsigned short warpscope_half_bits(float f) {
    unsigned int bits = __builtin_bit_cast(unsigned int, f), sign = bits >> 16 & 0x8000u, a = bits & 0x7fffffffu;
    if (a > 0x7f800000u) return 0x7fffu;
    if (a >= 0x47800000u) return (unsigned short)(sign | 0x7c00u);
    unsigned int base = a >= 0x38800000u ? (a - 0x38000000u) >> 13 : 0, rest = a & 0x1fffu, half = 0x1000u;
    if (a < 0x38800000u) { /* a denormal half */
        unsigned int shift = 126 - (a >> 23), mantissa = (a & 0x7fffffu) | 0x800000u;
        if (shift > 24) return (unsigned short)sign;
        base = mantissa >> shift;
        rest = mantissa & ((1u << shift) - 1);
        half = 1u << (shift - 1);
    }
    if (rest > half || (rest == half && (base & 1))) base++;
    return (unsigned short)(sign | base);
}
WARPSCOPE_BOTH float warpscope_half_value(unsigned short h) {
    unsigned int sign = (unsigned int)(h & 0x8000u) << 16, exponent = h >> 10 & 31, mantissa = h & 0x3ffu;
    if (exponent == 0) {
        float f = (float)mantissa * 0x1p-24f;
        return sign ? -f : f;
    }
    exponent = exponent == 31 ? 255 : exponent + 112;
    return __builtin_bit_cast(float, sign | exponent << 23 | mantissa << 13);
}

WARPSCOPE_BOTH unsigned short warpscope_to_half(float f) {
#ifdef __CUDA_ARCH__
    unsigned short h;
    asm("cvt.rn.f16.f32 %0, %1;" : "=h"(h) : "f"(f));
    return h;
#else
    return warpscope_half_bits(f);
#endif
}
WARPSCOPE_BOTH float warpscope_from_half(unsigned short h) {
#ifdef __CUDA_ARCH__
    float f;
    asm("cvt.f32.f16 %0, %1;" : "=f"(f) : "h"(h));
    return f;
#else
    return warpscope_half_value(h);
#endif
}

struct __half_raw {
    unsigned short x;
};
struct __attribute__((aligned(2))) __half {
    unsigned short bits;
    __half() = default;
    WARPSCOPE_BOTH_METHOD __half(__half_raw raw) : bits(raw.x) {}
    WARPSCOPE_BOTH_METHOD __half(float v) : bits(warpscope_to_half(v)) {}
    WARPSCOPE_BOTH_METHOD __half(double v) : bits(warpscope_to_half((float)v)) {}
    WARPSCOPE_BOTH_METHOD __half(int v) : bits(warpscope_to_half((float)v)) {}
    WARPSCOPE_BOTH_METHOD __half(unsigned int v) : bits(warpscope_to_half((float)v)) {}
    WARPSCOPE_BOTH_METHOD __half(short v) : bits(warpscope_to_half((float)v)) {}
    WARPSCOPE_BOTH_METHOD __half(unsigned short v) : bits(warpscope_to_half((float)v)) {}
    WARPSCOPE_BOTH_METHOD __half(long long v) : bits(warpscope_to_half((float)v)) {}
    WARPSCOPE_BOTH_METHOD __half(unsigned long long v) : bits(warpscope_to_half((float)v)) {}
    WARPSCOPE_BOTH_METHOD operator float() const { return warpscope_from_half(bits); }
    WARPSCOPE_BOTH_METHOD operator __half_raw() const { return __half_raw{bits}; }
    WARPSCOPE_BOTH_METHOD __half &operator=(float v) {
        bits = warpscope_to_half(v);
        return *this;
    }
};
struct __attribute__((aligned(4))) __half2 {
    __half x, y;
    __half2() = default;
    WARPSCOPE_BOTH_METHOD __half2(__half low, __half high) : x(low), y(high) {}
};
typedef __half half;
typedef __half2 half2;

WARPSCOPE_BOTH __half warpscope_half(unsigned short bits) { return __half(__half_raw{bits}); }
WARPSCOPE_BOTH unsigned int warpscope_pair_bits(__half2 v) { return __builtin_bit_cast(unsigned int, v); }
WARPSCOPE_BOTH __half2 warpscope_pair(unsigned int bits) { return __builtin_bit_cast(__half2, bits); }

/* --- conversions --- */

WARPSCOPE_BOTH __half __float2half(float v) { return __half(v); }
WARPSCOPE_BOTH __half __float2half_rn(float v) { return __half(v); }
WARPSCOPE_BOTH __half __double2half(double v) { return __half((float)v); }
WARPSCOPE_BOTH float __half2float(__half v) { return (float)v; }
WARPSCOPE_BOTH __half2 __halves2half2(__half low, __half high) { return __half2(low, high); }
WARPSCOPE_BOTH __half2 make_half2(__half low, __half high) { return __half2(low, high); }
WARPSCOPE_BOTH __half2 __half2half2(__half v) { return __half2(v, v); }
WARPSCOPE_BOTH __half2 __float2half2_rn(float v) { return __half2(__half(v), __half(v)); }
WARPSCOPE_BOTH __half2 __floats2half2_rn(float low, float high) { return __half2(__half(low), __half(high)); }
WARPSCOPE_BOTH __half2 __float22half2_rn(float2 v) { return __half2(__half(v.x), __half(v.y)); }
WARPSCOPE_BOTH float2 __half22float2(__half2 v) { return make_float2((float)v.x, (float)v.y); }
WARPSCOPE_BOTH __half __low2half(__half2 v) { return v.x; }
WARPSCOPE_BOTH __half __high2half(__half2 v) { return v.y; }
WARPSCOPE_BOTH float __low2float(__half2 v) { return (float)v.x; }
WARPSCOPE_BOTH float __high2float(__half2 v) { return (float)v.y; }
WARPSCOPE_BOTH __half2 __low2half2(__half2 v) { return __half2(v.x, v.x); }
WARPSCOPE_BOTH __half2 __high2half2(__half2 v) { return __half2(v.y, v.y); }
WARPSCOPE_BOTH __half2 __lowhigh2highlow(__half2 v) { return __half2(v.y, v.x); }
WARPSCOPE_BOTH __half2 __lows2half2(__half2 a, __half2 b) { return __half2(a.x, b.x); }
WARPSCOPE_BOTH __half2 __highs2half2(__half2 a, __half2 b) { return __half2(a.y, b.y); }
WARPSCOPE_BOTH short __half_as_short(__half v) { return (short)v.bits; }
WARPSCOPE_BOTH unsigned short __half_as_ushort(__half v) { return v.bits; }
WARPSCOPE_BOTH __half __short_as_half(short v) { return warpscope_half((unsigned short)v); }
WARPSCOPE_BOTH __half __ushort_as_half(unsigned short v) { return warpscope_half(v); }

#define WARPSCOPE_HALF_CONVERT(function, type, out, text, result) \
    WARPSCOPE_DEVICE type function(__half v) {                    \
        result r;                                                 \
        asm(text " %0, %1;" : "=" out(r) : "h"(v.bits));          \
        return (type)r;                                           \
    }
WARPSCOPE_HALF_CONVERT(__half2int_rn, int, "r", "cvt.rni.s32.f16", int)
WARPSCOPE_HALF_CONVERT(__half2int_rd, int, "r", "cvt.rmi.s32.f16", int)
WARPSCOPE_HALF_CONVERT(__half2int_ru, int, "r", "cvt.rpi.s32.f16", int)
WARPSCOPE_HALF_CONVERT(__half2uint_rn, unsigned int, "r", "cvt.rni.u32.f16", unsigned int)
WARPSCOPE_HALF_CONVERT(__half2short_rn, short, "h", "cvt.rni.s16.f16", short)
WARPSCOPE_HALF_CONVERT(__half2ushort_rn, unsigned short, "h", "cvt.rni.u16.f16", unsigned short)
#undef WARPSCOPE_HALF_CONVERT

/* Towards zero; what the type cannot hold becomes its nearest number, NaN becomes 0. */
#ifdef __CUDA_ARCH__
#define WARPSCOPE_HALF_TRUNCATE(function, type, out, text, least, most) \
    WARPSCOPE_BOTH type function(__half v) {                            \
        type r;                                                         \
        asm(text " %0, %1;" : "=" out(r) : "h"(v.bits));                \
        return r;                                                       \
    }
#else
#define WARPSCOPE_HALF_TRUNCATE(function, type, out, text, least, most)                    \
    WARPSCOPE_BOTH type function(__half v) {                                               \
        double x = (double)(float)v;                                                       \
        return x != x ? (type)0 : (type)(x < (least) ? (least) : x > (most) ? (most) : x); \
    }
#endif
WARPSCOPE_HALF_TRUNCATE(__half2int_rz, int, "r", "cvt.rzi.s32.f16", -2147483648.0, 2147483647.0)
WARPSCOPE_HALF_TRUNCATE(__half2uint_rz, unsigned int, "r", "cvt.rzi.u32.f16", 0.0, 4294967295.0)
WARPSCOPE_HALF_TRUNCATE(__half2short_rz, short, "h", "cvt.rzi.s16.f16", -32768.0, 32767.0)
WARPSCOPE_HALF_TRUNCATE(__half2ushort_rz, unsigned short, "h", "cvt.rzi.u16.f16", 0.0, 65535.0)
#undef WARPSCOPE_HALF_TRUNCATE

/* value is the host's way. */
#ifdef __CUDA_ARCH__
#define WARPSCOPE_TO_HALF(function, type, in, text, value) \
    WARPSCOPE_BOTH __half function(type v) {               \
        unsigned short r;                                  \
        asm(text " %0, %1;" : "=h"(r) : in(v));            \
        return warpscope_half(r);                          \
    }
#else
#define WARPSCOPE_TO_HALF(function, type, in, text, value) \
    WARPSCOPE_BOTH __half function(type v) { return value; }
#endif
/* The half next to the nearest, where that one lies beyond v on the wrong side; up and down say which sides are wrong. Magnitudes
 * follow each other as bit patterns do. */
WARPSCOPE_BOTH __half warpscope_half_directed(float v, bool up, bool down) {
    __half nearest(v);
    float rounded = (float)nearest;
    if (!((up && rounded > v) || (down && rounded < v))) return nearest;
    if (nearest.bits == 0 || nearest.bits == 0x8000u) return warpscope_half(rounded > v ? 0x8001u : 0x0001u);
    return warpscope_half((unsigned short)(nearest.bits + ((rounded > v) == (rounded > 0) ? -1 : 1)));
}
WARPSCOPE_TO_HALF(__int2half_rn, int, "r", "cvt.rn.f16.s32", __half((float)v))
WARPSCOPE_TO_HALF(__uint2half_rn, unsigned int, "r", "cvt.rn.f16.u32", __half((float)v))
WARPSCOPE_TO_HALF(__short2half_rn, short, "h", "cvt.rn.f16.s16", __half((float)v))
WARPSCOPE_TO_HALF(__ushort2half_rn, unsigned short, "h", "cvt.rn.f16.u16", __half((float)v))
WARPSCOPE_TO_HALF(__ll2half_rn, long long, "l", "cvt.rn.f16.s64", __half((float)v))
WARPSCOPE_TO_HALF(__ull2half_rn, unsigned long long, "l", "cvt.rn.f16.u64", __half((float)v))
WARPSCOPE_TO_HALF(__float2half_rz, float, "f", "cvt.rz.f16.f32", warpscope_half_directed(v, v > 0, v < 0))
WARPSCOPE_TO_HALF(__float2half_rd, float, "f", "cvt.rm.f16.f32", warpscope_half_directed(v, true, false))
WARPSCOPE_TO_HALF(__float2half_ru, float, "f", "cvt.rp.f16.f32", warpscope_half_directed(v, false, true))
#undef WARPSCOPE_TO_HALF

/* --- arithmetic: the same instruction for one half and for a pair --- */

/* a and b in value are floats. */
#ifdef __CUDA_ARCH__
#define WARPSCOPE_HALF_OP2(single, pair, op, value)                                                        \
    WARPSCOPE_BOTH __half single(__half a, __half b) {                                                     \
        unsigned short r;                                                                                  \
        asm(op ".f16 %0, %1, %2;" : "=h"(r) : "h"(a.bits), "h"(b.bits));                                   \
        return warpscope_half(r);                                                                          \
    }                                                                                                      \
    WARPSCOPE_BOTH __half2 pair(__half2 a, __half2 b) {                                                    \
        unsigned int r;                                                                                    \
        asm(op ".f16x2 %0, %1, %2;" : "=r"(r) : "r"(warpscope_pair_bits(a)), "r"(warpscope_pair_bits(b))); \
        return warpscope_pair(r);                                                                          \
    }
#else
#define WARPSCOPE_HALF_OP2(single, pair, op, value)                                      \
    WARPSCOPE_BOTH __half warpscope##single(float a, float b) { return __half(value); }  \
    WARPSCOPE_BOTH __half single(__half a, __half b) { return warpscope##single(a, b); } \
    WARPSCOPE_BOTH __half2 pair(__half2 a, __half2 b) { return __half2(single(a.x, b.x), single(a.y, b.y)); }
#endif
/* Between 0 and 1; 0 for NaN. */
WARPSCOPE_BOTH float warpscope_saturate(float v) { return v > 0 ? (v < 1 ? v : 1) : 0; }
WARPSCOPE_HALF_OP2(__hadd, __hadd2, "add", a + b)
WARPSCOPE_HALF_OP2(__hsub, __hsub2, "sub", a - b)
WARPSCOPE_HALF_OP2(__hmul, __hmul2, "mul", a *b)
WARPSCOPE_HALF_OP2(__hadd_rn, __hadd2_rn, "add.rn", a + b)
WARPSCOPE_HALF_OP2(__hsub_rn, __hsub2_rn, "sub.rn", a - b)
WARPSCOPE_HALF_OP2(__hmul_rn, __hmul2_rn, "mul.rn", a *b)
WARPSCOPE_HALF_OP2(__hadd_sat, __hadd2_sat, "add.sat", warpscope_saturate(a + b))
WARPSCOPE_HALF_OP2(__hsub_sat, __hsub2_sat, "sub.sat", warpscope_saturate(a - b))
WARPSCOPE_HALF_OP2(__hmul_sat, __hmul2_sat, "mul.sat", warpscope_saturate(a *b))
#undef WARPSCOPE_HALF_OP2

#define WARPSCOPE_HALF_FMA(single, pair, op)                                                          \
    WARPSCOPE_DEVICE __half single(__half a, __half b, __half c) {                                    \
        unsigned short r;                                                                             \
        asm(op ".f16 %0, %1, %2, %3;" : "=h"(r) : "h"(a.bits), "h"(b.bits), "h"(c.bits));             \
        return warpscope_half(r);                                                                     \
    }                                                                                                 \
    WARPSCOPE_DEVICE __half2 pair(__half2 a, __half2 b, __half2 c) {                                  \
        unsigned int r;                                                                               \
        asm(op ".f16x2 %0, %1, %2, %3;"                                                               \
            : "=r"(r)                                                                                 \
            : "r"(warpscope_pair_bits(a)), "r"(warpscope_pair_bits(b)), "r"(warpscope_pair_bits(c))); \
        return warpscope_pair(r);                                                                     \
    }
WARPSCOPE_HALF_FMA(__hfma, __hfma2, "fma.rn")
WARPSCOPE_HALF_FMA(__hfma_sat, __hfma2_sat, "fma.rn.sat")
#undef WARPSCOPE_HALF_FMA

/* Signs are bits; maxima go through float, because their instruction came with sm_80. */
WARPSCOPE_BOTH __half __hneg(__half v) { return warpscope_half(v.bits ^ 0x8000u); }
WARPSCOPE_BOTH __half __habs(__half v) { return warpscope_half(v.bits & 0x7fffu); }
WARPSCOPE_BOTH __half2 __hneg2(__half2 v) { return warpscope_pair(warpscope_pair_bits(v) ^ 0x80008000u); }
WARPSCOPE_BOTH __half2 __habs2(__half2 v) { return warpscope_pair(warpscope_pair_bits(v) & 0x7fff7fffu); }
WARPSCOPE_BOTH __half __hmax(__half a, __half b) { return __half(__builtin_fmaxf((float)a, (float)b)); }
WARPSCOPE_BOTH __half __hmin(__half a, __half b) { return __half(__builtin_fminf((float)a, (float)b)); }
WARPSCOPE_BOTH __half2 __hmax2(__half2 a, __half2 b) { return __half2(__hmax(a.x, b.x), __hmax(a.y, b.y)); }
WARPSCOPE_BOTH __half2 __hmin2(__half2 a, __half2 b) { return __half2(__hmin(a.x, b.x), __hmin(a.y, b.y)); }
WARPSCOPE_BOTH __half __hdiv(__half a, __half b) { return __half((float)a / (float)b); }
WARPSCOPE_BOTH __half2 __h2div(__half2 a, __half2 b) { return __half2(__hdiv(a.x, b.x), __hdiv(a.y, b.y)); }

/* --- comparisons: false for NaN, the u forms true --- */

/* Of the host's operators only != is true for NaN: `unordered` says what single is then. */
#ifdef __CUDA_ARCH__
#define WARPSCOPE_HALF_COMPARE1(single, op, sign, unordered)                                                              \
    WARPSCOPE_BOTH bool single(__half a, __half b) {                                                                      \
        unsigned int yes;                                                                                                 \
        asm("{ .reg .pred p; setp." op ".f16 p, %1, %2; selp.u32 %0, 1, 0, p; }" : "=r"(yes) : "h"(a.bits), "h"(b.bits)); \
        return yes;                                                                                                       \
    }
#else
#define WARPSCOPE_HALF_COMPARE1(single, op, sign, unordered) \
    WARPSCOPE_BOTH bool single(__half a, __half b) {         \
        float x = (float)a, y = (float)b;                    \
        return x != x || y != y ? unordered : x sign y;      \
    }
#endif
#define WARPSCOPE_HALF_COMPARE(single, pair, all, op, sign, unordered)                                  \
    WARPSCOPE_HALF_COMPARE1(single, op, sign, unordered)                                                \
    WARPSCOPE_BOTH bool all(__half2 a, __half2 b) { return single(a.x, b.x) && single(a.y, b.y); }      \
    WARPSCOPE_BOTH __half2 pair(__half2 a, __half2 b) {                                                 \
        return __half2(__half(single(a.x, b.x) ? 1.0f : 0.0f), __half(single(a.y, b.y) ? 1.0f : 0.0f)); \
    }
/* clang-format off */
WARPSCOPE_HALF_COMPARE(__heq, __heq2, __hbeq2, "eq", ==, false)
WARPSCOPE_HALF_COMPARE(__hne, __hne2, __hbne2, "ne", !=, false)
WARPSCOPE_HALF_COMPARE(__hlt, __hlt2, __hblt2, "lt", <, false)
WARPSCOPE_HALF_COMPARE(__hle, __hle2, __hble2, "le", <=, false)
WARPSCOPE_HALF_COMPARE(__hgt, __hgt2, __hbgt2, "gt", >, false)
WARPSCOPE_HALF_COMPARE(__hge, __hge2, __hbge2, "ge", >=, false)
WARPSCOPE_HALF_COMPARE(__hequ, __hequ2, __hbequ2, "equ", ==, true)
WARPSCOPE_HALF_COMPARE(__hneu, __hneu2, __hbneu2, "neu", !=, true)
WARPSCOPE_HALF_COMPARE(__hltu, __hltu2, __hbltu2, "ltu", <, true)
WARPSCOPE_HALF_COMPARE(__hleu, __hleu2, __hbleu2, "leu", <=, true)
WARPSCOPE_HALF_COMPARE(__hgtu, __hgtu2, __hbgtu2, "gtu", >, true)
WARPSCOPE_HALF_COMPARE(__hgeu, __hgeu2, __hbgeu2, "geu", >=, true)
/* clang-format on */
#undef WARPSCOPE_HALF_COMPARE1
#undef WARPSCOPE_HALF_COMPARE
WARPSCOPE_BOTH bool __hisnan(__half v) { return (v.bits & 0x7fffu) > 0x7c00u; }
WARPSCOPE_BOTH int __hisinf(__half v) { return v.bits == 0x7c00u ? 1 : v.bits == 0xfc00u ? -1 : 0; }

/* --- functions, by way of float --- */

#define WARPSCOPE_HALF_FUNCTION(name, expression) \
    WARPSCOPE_DEVICE __half h##name(__half v) {   \
        float x = (float)v;                       \
        return __half((float)(expression));       \
    }                                             \
    WARPSCOPE_DEVICE __half2 h2##name(__half2 v) { return __half2(h##name(v.x), h##name(v.y)); }
WARPSCOPE_HALF_FUNCTION(sqrt, sqrtf(x))
WARPSCOPE_HALF_FUNCTION(rsqrt, rsqrtf(x))
WARPSCOPE_HALF_FUNCTION(rcp, 1 / x)
WARPSCOPE_HALF_FUNCTION(exp, expf(x))
WARPSCOPE_HALF_FUNCTION(exp2, exp2f(x))
WARPSCOPE_HALF_FUNCTION(exp10, exp10f(x))
WARPSCOPE_HALF_FUNCTION(log, logf(x))
WARPSCOPE_HALF_FUNCTION(log2, log2f(x))
WARPSCOPE_HALF_FUNCTION(log10, log10f(x))
WARPSCOPE_HALF_FUNCTION(sin, sinf(x))
WARPSCOPE_HALF_FUNCTION(cos, cosf(x))
WARPSCOPE_HALF_FUNCTION(floor, floorf(x))
WARPSCOPE_HALF_FUNCTION(ceil, ceilf(x))
WARPSCOPE_HALF_FUNCTION(trunc, truncf(x))
WARPSCOPE_HALF_FUNCTION(rint, rintf(x))
#undef WARPSCOPE_HALF_FUNCTION

/* --- operators --- */

#define WARPSCOPE_HALF_OPERATOR(op, single, pair)                                                  \
    WARPSCOPE_BOTH __half operator op(const __half &a, const __half &b) { return single(a, b); }   \
    WARPSCOPE_BOTH __half2 operator op(const __half2 &a, const __half2 &b) { return pair(a, b); }  \
    WARPSCOPE_BOTH __half &operator op##=(__half &a, const __half &b) { return a = single(a, b); } \
    WARPSCOPE_BOTH __half2 &operator op##=(__half2 &a, const __half2 &b) { return a = pair(a, b); }
WARPSCOPE_HALF_OPERATOR(+, __hadd, __hadd2)
WARPSCOPE_HALF_OPERATOR(-, __hsub, __hsub2)
WARPSCOPE_HALF_OPERATOR(*, __hmul, __hmul2)
WARPSCOPE_HALF_OPERATOR(/, __hdiv, __h2div)
#undef WARPSCOPE_HALF_OPERATOR
WARPSCOPE_BOTH __half operator-(const __half &v) { return __hneg(v); }
WARPSCOPE_BOTH __half2 operator-(const __half2 &v) { return __hneg2(v); }
WARPSCOPE_BOTH __half &operator++(__half &v) { return v = __hadd(v, __half(1.0f)); }
WARPSCOPE_BOTH __half &operator--(__half &v) { return v = __hsub(v, __half(1.0f)); }
#define WARPSCOPE_HALF_RELATION(op, single, all)                                               \
    WARPSCOPE_BOTH bool operator op(const __half &a, const __half &b) { return single(a, b); } \
    WARPSCOPE_BOTH bool operator op(const __half2 &a, const __half2 &b) { return all(a, b); }
WARPSCOPE_HALF_RELATION(==, __heq, __hbeq2)
WARPSCOPE_HALF_RELATION(!=, __hneu, __hbneu2)
WARPSCOPE_HALF_RELATION(<, __hlt, __hblt2)
WARPSCOPE_HALF_RELATION(<=, __hle, __hble2)
WARPSCOPE_HALF_RELATION(>, __hgt, __hbgt2)
WARPSCOPE_HALF_RELATION(>=, __hge, __hbge2)
#undef WARPSCOPE_HALF_RELATION

/* --- lanes and caches --- */

#define WARPSCOPE_HALF_SHUFFLE(function, operand_type)                                                            \
    WARPSCOPE_DEVICE __half function(unsigned int mask, __half v, operand_type operand, int width = warpSize) {   \
        return warpscope_half((unsigned short)function(mask, (unsigned int)v.bits, operand, width));              \
    }                                                                                                             \
    WARPSCOPE_DEVICE __half2 function(unsigned int mask, __half2 v, operand_type operand, int width = warpSize) { \
        return warpscope_pair(function(mask, warpscope_pair_bits(v), operand, width));                            \
    }
WARPSCOPE_HALF_SHUFFLE(__shfl_sync, int)
WARPSCOPE_HALF_SHUFFLE(__shfl_up_sync, unsigned int)
WARPSCOPE_HALF_SHUFFLE(__shfl_down_sync, unsigned int)
WARPSCOPE_HALF_SHUFFLE(__shfl_xor_sync, int)
#undef WARPSCOPE_HALF_SHUFFLE

WARPSCOPE_DEVICE __half __ldg(const __half *p) { return warpscope_half(__ldg((const unsigned short *)p)); }
WARPSCOPE_DEVICE __half2 __ldg(const __half2 *p) { return warpscope_pair(__ldg((const unsigned int *)p)); }
