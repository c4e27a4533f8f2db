/* arithmetic.h: floating-point operations with a stated rounding, which the compiler must not fuse or reorder, and the fast
 * approximations that are one or two instructions (CUDA C++ Programming Guide, "Intrinsic Functions"). */
#pragma once

/* --use_fast_math flushes denormal floats to zero. */
#ifdef __USE_FAST_MATH__
#define WARPSCOPE_FTZ ".ftz"
#else
#define WARPSCOPE_FTZ ""
#endif

#define WARPSCOPE_ROUNDED2(function, op, type, suffix, c)                    \
    WARPSCOPE_OP2(function##_rn, op ".rn" suffix, type, c, type, c, type, c) \
    WARPSCOPE_OP2(function##_rz, op ".rz" suffix, type, c, type, c, type, c) \
    WARPSCOPE_OP2(function##_ru, op ".rp" suffix, type, c, type, c, type, c) \
    WARPSCOPE_OP2(function##_rd, op ".rm" suffix, type, c, type, c, type, c)
#define WARPSCOPE_ROUNDED1(function, op, type, suffix, c)           \
    WARPSCOPE_OP1(function##_rn, op ".rn" suffix, type, c, type, c) \
    WARPSCOPE_OP1(function##_rz, op ".rz" suffix, type, c, type, c) \
    WARPSCOPE_OP1(function##_ru, op ".rp" suffix, type, c, type, c) \
    WARPSCOPE_OP1(function##_rd, op ".rm" suffix, type, c, type, c)
#define WARPSCOPE_ROUNDED3(function, op, type, suffix, c)                             \
    WARPSCOPE_OP3(function##_rn, op ".rn" suffix, type, c, type, c, type, c, type, c) \
    WARPSCOPE_OP3(function##_rz, op ".rz" suffix, type, c, type, c, type, c, type, c) \
    WARPSCOPE_OP3(function##_ru, op ".rp" suffix, type, c, type, c, type, c, type, c) \
    WARPSCOPE_OP3(function##_rd, op ".rm" suffix, type, c, type, c, type, c, type, c)

WARPSCOPE_ROUNDED2(__fadd, "add", float, WARPSCOPE_FTZ ".f32", "f")
WARPSCOPE_ROUNDED2(__fsub, "sub", float, WARPSCOPE_FTZ ".f32", "f")
WARPSCOPE_ROUNDED2(__fmul, "mul", float, WARPSCOPE_FTZ ".f32", "f")
WARPSCOPE_ROUNDED2(__fdiv, "div", float, WARPSCOPE_FTZ ".f32", "f")
WARPSCOPE_ROUNDED3(__fmaf, "fma", float, WARPSCOPE_FTZ ".f32", "f")
WARPSCOPE_ROUNDED3(__fmaf_ieee, "fma", float, ".f32", "f")
WARPSCOPE_ROUNDED1(__frcp, "rcp", float, WARPSCOPE_FTZ ".f32", "f")
WARPSCOPE_ROUNDED1(__fsqrt, "sqrt", float, WARPSCOPE_FTZ ".f32", "f")
WARPSCOPE_ROUNDED2(__dadd, "add", double, ".f64", "d")
WARPSCOPE_ROUNDED2(__dsub, "sub", double, ".f64", "d")
WARPSCOPE_ROUNDED2(__dmul, "mul", double, ".f64", "d")
WARPSCOPE_ROUNDED2(__ddiv, "div", double, ".f64", "d")
WARPSCOPE_ROUNDED3(__fma, "fma", double, ".f64", "d")
WARPSCOPE_ROUNDED1(__drcp, "rcp", double, ".f64", "d")
WARPSCOPE_ROUNDED1(__dsqrt, "sqrt", double, ".f64", "d")
#undef WARPSCOPE_ROUNDED1
#undef WARPSCOPE_ROUNDED2
#undef WARPSCOPE_ROUNDED3

WARPSCOPE_OP2(__fdividef, "div.approx" WARPSCOPE_FTZ ".f32", float, "f", float, "f", float, "f")
WARPSCOPE_DEVICE float __frsqrt_rn(float x) { return (float)(1 / __builtin_sqrt((double)x)); }
WARPSCOPE_OP1(__saturatef, "cvt" WARPSCOPE_FTZ ".sat.f32.f32", float, "f", float, "f")
WARPSCOPE_OP1(__sinf, "sin.approx" WARPSCOPE_FTZ ".f32", float, "f", float, "f")
WARPSCOPE_OP1(__cosf, "cos.approx" WARPSCOPE_FTZ ".f32", float, "f", float, "f")
WARPSCOPE_OP1(__log2f, "lg2.approx" WARPSCOPE_FTZ ".f32", float, "f", float, "f")
WARPSCOPE_OP1(warpscope_ex2, "ex2.approx" WARPSCOPE_FTZ ".f32", float, "f", float, "f")
WARPSCOPE_DEVICE float __expf(float x) { return warpscope_ex2(x * 0x1.715476p+0f); }
WARPSCOPE_DEVICE float __exp10f(float x) { return warpscope_ex2(x * 0x1.a934f0p+1f); }
WARPSCOPE_DEVICE float __logf(float x) { return __log2f(x) * 0x1.62e430p-1f; }
WARPSCOPE_DEVICE float __log10f(float x) { return __log2f(x) * 0x1.344136p-2f; }
WARPSCOPE_DEVICE float __powf(float x, float y) { return warpscope_ex2(y * __log2f(x)); }
WARPSCOPE_DEVICE float __tanf(float x) { return __fdividef(__sinf(x), __cosf(x)); }
WARPSCOPE_DEVICE void __sincosf(float x, float *sine, float *cosine) {
    *sine = __sinf(x);
    *cosine = __cosf(x);
}
#if !defined(__CUDA_ARCH__) || __CUDA_ARCH__ >= 750
WARPSCOPE_OP1(__tanhf, "tanh.approx.f32", float, "f", float, "f")
#endif
