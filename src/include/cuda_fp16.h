/* cuda_fp16.h: half precision. Arithmetic is what sm_53 and newer have as instructions; functions go through float. */
#pragma once
#define __CUDA_FP16_H__ /* programs ask for it */

#include "warpscope_cuda.h"

#include "warpscope/half_type.h"

#include "warpscope/half_convert.h"

#include "warpscope/half_arithmetic.h"

/* --- functions, by way of float: at most a unit in the last place from the exact result --- */

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
WARPSCOPE_HALF_FUNCTION(tanh, tanhf(x))
WARPSCOPE_HALF_FUNCTION(tanh_approx, tanhf(x))
WARPSCOPE_HALF_FUNCTION(floor, floorf(x))
WARPSCOPE_HALF_FUNCTION(ceil, ceilf(x))
WARPSCOPE_HALF_FUNCTION(trunc, truncf(x))
WARPSCOPE_HALF_FUNCTION(rint, rintf(x))
#undef WARPSCOPE_HALF_FUNCTION

/* --- lanes, caches and atomics: as bits --- */

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

#define WARPSCOPE_HALF_LOAD(function)                                                                                 \
    WARPSCOPE_DEVICE __half function(const __half *p) { return warpscope_half(function((const unsigned short *)p)); } \
    WARPSCOPE_DEVICE __half2 function(const __half2 *p) { return warpscope_pair(function((const unsigned int *)p)); }
WARPSCOPE_HALF_LOAD(__ldg)
WARPSCOPE_HALF_LOAD(__ldcg)
WARPSCOPE_HALF_LOAD(__ldca)
WARPSCOPE_HALF_LOAD(__ldcs)
WARPSCOPE_HALF_LOAD(__ldlu)
WARPSCOPE_HALF_LOAD(__ldcv)
#undef WARPSCOPE_HALF_LOAD
#define WARPSCOPE_HALF_STORE(function)                                                             \
    WARPSCOPE_DEVICE void function(__half *p, __half v) { function((unsigned short *)p, v.bits); } \
    WARPSCOPE_DEVICE void function(__half2 *p, __half2 v) { function((unsigned int *)p, warpscope_pair_bits(v)); }
WARPSCOPE_HALF_STORE(__stwb)
WARPSCOPE_HALF_STORE(__stcg)
WARPSCOPE_HALF_STORE(__stcs)
WARPSCOPE_HALF_STORE(__stwt)
#undef WARPSCOPE_HALF_STORE

WARPSCOPE_DEVICE __half atomicAdd(__half *p, __half v) {
    unsigned short before;
    asm volatile("atom.add.noftz.f16 %0, [%1], %2;" : "=h"(before) : "l"(p), "h"(v.bits) : "memory");
    return warpscope_half(before);
}
WARPSCOPE_DEVICE __half2 atomicAdd(__half2 *p, __half2 v) {
    unsigned int before;
    asm volatile("atom.add.noftz.f16x2 %0, [%1], %2;" : "=r"(before) : "l"(p), "r"(warpscope_pair_bits(v)) : "memory");
    return warpscope_pair(before);
}
