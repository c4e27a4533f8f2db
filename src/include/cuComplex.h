/* cuComplex.h: complex numbers as NVIDIA's libraries take them, and what can be computed with them, for programs that are compiled without NVIDIA's
 * toolkit. */
#pragma once
#define CU_COMPLEX_H_ /* programs ask for it */

#include <math.h>

#include "vector_types.h"

#if defined __CUDACC__ || defined __CUDA__
#define WARPSCOPE_OF_BOTH static inline __host__ __device__
#else
#define WARPSCOPE_OF_BOTH static inline __attribute__((unused))
#endif

typedef float2 cuFloatComplex;
typedef double2 cuDoubleComplex;
typedef cuFloatComplex cuComplex;

/* The calls of one type, whose names end so. A quotient and an absolute value are found of numbers that are scaled, so that no square is too large or too
 * small. */
#define WARPSCOPE_COMPLEX(type, part, ending, word, magnitude, root)                                               \
    WARPSCOPE_OF_BOTH part cuCreal##ending(type x) { return x.x; }                                                 \
    WARPSCOPE_OF_BOTH part cuCimag##ending(type x) { return x.y; }                                                 \
    WARPSCOPE_OF_BOTH type make_cu##word##Complex(part r, part i) {                                                \
        type made;                                                                                                 \
        made.x = r;                                                                                                \
        made.y = i;                                                                                                \
        return made;                                                                                               \
    }                                                                                                              \
    WARPSCOPE_OF_BOTH type cuConj##ending(type x) { return make_cu##word##Complex(x.x, -x.y); }                    \
    WARPSCOPE_OF_BOTH type cuCadd##ending(type x, type y) { return make_cu##word##Complex(x.x + y.x, x.y + y.y); } \
    WARPSCOPE_OF_BOTH type cuCsub##ending(type x, type y) { return make_cu##word##Complex(x.x - y.x, x.y - y.y); } \
    WARPSCOPE_OF_BOTH type cuCmul##ending(type x, type y) {                                                        \
        return make_cu##word##Complex(x.x * y.x - x.y * y.y, x.x * y.y + x.y * y.x);                               \
    }                                                                                                              \
    WARPSCOPE_OF_BOTH type cuCdiv##ending(type x, type y) {                                                        \
        const part scale = 1 / (magnitude(y.x) + magnitude(y.y));                                                  \
        const part r = x.x * scale, i = x.y * scale, s = y.x * scale, j = y.y * scale;                             \
        const part over = 1 / (s * s + j * j);                                                                     \
        return make_cu##word##Complex((r * s + i * j) * over, (i * s - r * j) * over);                             \
    }                                                                                                              \
    WARPSCOPE_OF_BOTH part cuCabs##ending(type x) {                                                                \
        const part r = magnitude(x.x), i = magnitude(x.y), most = r > i ? r : i, least = r > i ? i : r;            \
        const part ratio = least / most;                                                                           \
        /* of 0 / 0, and of what is infinite or no number */                                                       \
        if (!(most > 0) || most - most != 0 || least - least != 0) return r + i;                                   \
        return most * root(1 + ratio * ratio);                                                                     \
    }                                                                                                              \
    /* z first: what is rounded depends on it */                                                                   \
    WARPSCOPE_OF_BOTH type cuCfma##ending(type x, type y, type z) {                                                \
        const part r = x.x * y.x + z.x, i = x.x * y.y + z.y;                                                       \
        return make_cu##word##Complex(r - x.y * y.y, i + x.y * y.x);                                               \
    }

WARPSCOPE_COMPLEX(cuFloatComplex, float, f, Float, fabsf, sqrtf)
WARPSCOPE_COMPLEX(cuDoubleComplex, double, , Double, fabs, sqrt)
#undef WARPSCOPE_COMPLEX

WARPSCOPE_OF_BOTH cuComplex make_cuComplex(float r, float i) { return make_cuFloatComplex(r, i); }
WARPSCOPE_OF_BOTH cuDoubleComplex cuComplexFloatToDouble(cuFloatComplex x) { return make_cuDoubleComplex(x.x, x.y); }
WARPSCOPE_OF_BOTH cuFloatComplex cuComplexDoubleToFloat(cuDoubleComplex x) {
    return make_cuFloatComplex((float)x.x, (float)x.y);
}
#undef WARPSCOPE_OF_BOTH
