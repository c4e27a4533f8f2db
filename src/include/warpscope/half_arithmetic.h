/* half_arithmetic.h: arithmetic and comparisons of halves, and of pairs, two at a time: instructions on the device; on the host by way of
 * float, which holds a sum, product or quotient of two halves well enough that rounding twice is rounding once. */
#pragma once

#ifdef __CUDA_ARCH__
#define WARPSCOPE_HALF_OP2(single, pair, instruction, expression)                                                   \
    WARPSCOPE_BOTH __half single(__half a, __half b) {                                                              \
        unsigned short r;                                                                                           \
        asm(instruction ".f16 %0, %1, %2;" : "=h"(r) : "h"(a.bits), "h"(b.bits));                                   \
        return warpscope_half(r);                                                                                   \
    }                                                                                                               \
    WARPSCOPE_BOTH __half2 pair(__half2 a, __half2 b) {                                                             \
        unsigned int r;                                                                                             \
        asm(instruction ".f16x2 %0, %1, %2;" : "=r"(r) : "r"(warpscope_pair_bits(a)), "r"(warpscope_pair_bits(b))); \
        return warpscope_pair(r);                                                                                   \
    }
#else
#define WARPSCOPE_HALF_OP2(single, pair, instruction, expression) \
    WARPSCOPE_BOTH __half single(__half left, __half right) {     \
        float a = (float)left, b = (float)right;                  \
        return __half(expression);                                \
    }                                                             \
    WARPSCOPE_BOTH __half2 pair(__half2 a, __half2 b) { return __half2(single(a.x, b.x), single(a.y, b.y)); }
#endif
/* In [0, 1], NaN as 0. */
WARPSCOPE_BOTH float warpscope_saturated(float v) { return v > 1 ? 1 : v > 0 ? v : 0; }
WARPSCOPE_HALF_OP2(__hadd, __hadd2, "add", a + b)
WARPSCOPE_HALF_OP2(__hsub, __hsub2, "sub", a - b)
WARPSCOPE_HALF_OP2(__hmul, __hmul2, "mul", a *b)
WARPSCOPE_HALF_OP2(__hadd_rn, __hadd2_rn, "add.rn", a + b)
WARPSCOPE_HALF_OP2(__hsub_rn, __hsub2_rn, "sub.rn", a - b)
WARPSCOPE_HALF_OP2(__hmul_rn, __hmul2_rn, "mul.rn", a *b)
WARPSCOPE_HALF_OP2(__hadd_sat, __hadd2_sat, "add.sat", warpscope_saturated(a + b))
WARPSCOPE_HALF_OP2(__hsub_sat, __hsub2_sat, "sub.sat", warpscope_saturated(a - b))
WARPSCOPE_HALF_OP2(__hmul_sat, __hmul2_sat, "mul.sat", warpscope_saturated(a *b))
#undef WARPSCOPE_HALF_OP2

#define WARPSCOPE_HALF_FMA(single, pair, instruction)                                                 \
    WARPSCOPE_DEVICE __half single(__half a, __half b, __half c) {                                    \
        unsigned short r;                                                                             \
        asm(instruction ".f16 %0, %1, %2, %3;" : "=h"(r) : "h"(a.bits), "h"(b.bits), "h"(c.bits));    \
        return warpscope_half(r);                                                                     \
    }                                                                                                 \
    WARPSCOPE_DEVICE __half2 pair(__half2 a, __half2 b, __half2 c) {                                  \
        unsigned int r;                                                                               \
        asm(instruction ".f16x2 %0, %1, %2, %3;"                                                      \
            : "=r"(r)                                                                                 \
            : "r"(warpscope_pair_bits(a)), "r"(warpscope_pair_bits(b)), "r"(warpscope_pair_bits(c))); \
        return warpscope_pair(r);                                                                     \
    }
WARPSCOPE_HALF_FMA(__hfma, __hfma2, "fma.rn")
WARPSCOPE_HALF_FMA(__hfma_sat, __hfma2_sat, "fma.rn.sat")
#undef WARPSCOPE_HALF_FMA

WARPSCOPE_BOTH bool __hisnan(__half v) { return (v.bits & 0x7fffu) > 0x7c00u; }
WARPSCOPE_BOTH int __hisinf(__half v) { return v.bits == 0x7c00u ? 1 : v.bits == 0xfc00u ? -1 : 0; }

/* Signs are bits. */
WARPSCOPE_BOTH __half __hneg(__half v) { return warpscope_half(v.bits ^ 0x8000u); }
WARPSCOPE_BOTH __half __habs(__half v) { return warpscope_half(v.bits & 0x7fffu); }
WARPSCOPE_BOTH __half2 __hneg2(__half2 v) { return warpscope_pair(warpscope_pair_bits(v) ^ 0x80008000u); }
WARPSCOPE_BOTH __half2 __habs2(__half2 v) { return warpscope_pair(warpscope_pair_bits(v) & 0x7fff7fffu); }

/* The order of the numbers as one of integers, -0 just below +0. The instructions for maxima came with sm_80. */
WARPSCOPE_BOTH int warpscope_half_order(__half v) { return v.bits & 0x8000u ? -1 - (int)(v.bits & 0x7fffu) : (int)v.bits; }
WARPSCOPE_BOTH __half warpscope_half_nan() { return warpscope_half(0x7fffu); }
#define WARPSCOPE_HALF_EXTREME(name, relation)                                                                              \
    WARPSCOPE_BOTH __half __h##name##_nan(__half a, __half b) {                                                             \
        if (__hisnan(a) || __hisnan(b)) return warpscope_half_nan();                                                        \
        return warpscope_half_order(a) relation warpscope_half_order(b) ? a : b;                                            \
    }                                                                                                                       \
    WARPSCOPE_BOTH __half __h##name(__half a, __half b) {                                                                   \
        if (__hisnan(a)) return __hisnan(b) ? warpscope_half_nan() : b;                                                     \
        return __hisnan(b) ? a : __h##name##_nan(a, b);                                                                     \
    }                                                                                                                       \
    WARPSCOPE_BOTH __half2 __h##name##2(__half2 a, __half2 b) { return __half2(__h##name(a.x, b.x), __h##name(a.y, b.y)); } \
    WARPSCOPE_BOTH __half2 __h##name##2_nan(__half2 a, __half2 b) {                                                         \
        return __half2(__h##name##_nan(a.x, b.x), __h##name##_nan(a.y, b.y));                                               \
    }
WARPSCOPE_HALF_EXTREME(max, >)
WARPSCOPE_HALF_EXTREME(min, <)
#undef WARPSCOPE_HALF_EXTREME

/* Negative results, and -0, become 0; NaN stays. */
WARPSCOPE_DEVICE __half __hfma_relu(__half a, __half b, __half c) { return __hmax_nan(__hfma(a, b, c), warpscope_half(0)); }
WARPSCOPE_DEVICE __half2 __hfma2_relu(__half2 a, __half2 b, __half2 c) {
    return __hmax2_nan(__hfma2(a, b, c), warpscope_pair(0));
}
/* Complex: a * b + c, the real part in x. */
WARPSCOPE_DEVICE __half2 __hcmadd(__half2 a, __half2 b, __half2 c) {
    __half2 sum = __hfma2(__half2(a.x, a.x), b, c);
    return __hfma2(__half2(__hneg(a.y), a.y), __half2(b.y, b.x), sum);
}

WARPSCOPE_BOTH __half __hdiv(__half a, __half b) { return __half((float)a / (float)b); }
WARPSCOPE_BOTH __half2 __h2div(__half2 a, __half2 b) { return __half2(__hdiv(a.x, b.x), __hdiv(a.y, b.y)); }

/* --- comparisons: false for NaN, the u forms true --- */

#define WARPSCOPE_HALF_COMPARE(name, condition)                                                                    \
    WARPSCOPE_BOTH bool __h##name(__half left, __half right) {                                                     \
        float a = (float)left, b = (float)right;                                                                   \
        return condition;                                                                                          \
    }                                                                                                              \
    WARPSCOPE_BOTH bool __hb##name##2(__half2 a, __half2 b) { return __h##name(a.x, b.x) && __h##name(a.y, b.y); } \
    WARPSCOPE_BOTH unsigned int __h##name##2_mask(__half2 a, __half2 b) {                                          \
        return (__h##name(a.x, b.x) ? 0xffffu : 0) | (__h##name(a.y, b.y) ? 0xffff0000u : 0);                      \
    }                                                                                                              \
    WARPSCOPE_BOTH __half2 __h##name##2(__half2 a, __half2 b) { return warpscope_pair(__h##name##2_mask(a, b) & 0x3c003c00u); }
WARPSCOPE_HALF_COMPARE(eq, a == b)
WARPSCOPE_HALF_COMPARE(ne, a<b || a> b)
WARPSCOPE_HALF_COMPARE(lt, a < b)
WARPSCOPE_HALF_COMPARE(le, a <= b)
WARPSCOPE_HALF_COMPARE(gt, a > b)
WARPSCOPE_HALF_COMPARE(ge, a >= b)
WARPSCOPE_HALF_COMPARE(equ, !(a < b || a > b))
WARPSCOPE_HALF_COMPARE(neu, !(a == b))
WARPSCOPE_HALF_COMPARE(ltu, !(a >= b))
WARPSCOPE_HALF_COMPARE(leu, !(a > b))
WARPSCOPE_HALF_COMPARE(gtu, !(a <= b))
WARPSCOPE_HALF_COMPARE(geu, !(a < b))
#undef WARPSCOPE_HALF_COMPARE
WARPSCOPE_BOTH __half2 __hisnan2(__half2 v) {
    return warpscope_pair((__hisnan(v.x) ? 0x3c00u : 0) | (__hisnan(v.y) ? 0x3c000000u : 0));
}

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
#define WARPSCOPE_HALF_STEP(type, op, one, function)                           \
    WARPSCOPE_BOTH type &operator op(type &v) { return v = function(v, one); } \
    WARPSCOPE_BOTH type operator op(type &v, int) {                            \
        type before = v;                                                       \
        v = function(v, one);                                                  \
        return before;                                                         \
    }
WARPSCOPE_HALF_STEP(__half, ++, warpscope_half(0x3c00u), __hadd)
WARPSCOPE_HALF_STEP(__half, --, warpscope_half(0x3c00u), __hsub)
WARPSCOPE_HALF_STEP(__half2, ++, warpscope_pair(0x3c003c00u), __hadd2)
WARPSCOPE_HALF_STEP(__half2, --, warpscope_pair(0x3c003c00u), __hsub2)
#undef WARPSCOPE_HALF_STEP
WARPSCOPE_BOTH __half operator+(const __half &v) { return v; }
WARPSCOPE_BOTH __half operator-(const __half &v) { return __hneg(v); }
WARPSCOPE_BOTH __half2 operator+(const __half2 &v) { return v; }
WARPSCOPE_BOTH __half2 operator-(const __half2 &v) { return __hneg2(v); }
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
