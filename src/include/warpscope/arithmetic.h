/* arithmetic.h: floating-point operations with a stated rounding, which the compiler must not fuse or reorder, and the fast
 * approximations that are one or two instructions (CUDA C++ Programming Guide, "Intrinsic Functions"). */
#pragma once

/* --use_fast_math flushes denormal floats to zero. */
#ifdef __USE_FAST_MATH__
#define WARPSCOPE_FTZ ".ftz"
#else
#define WARPSCOPE_FTZ ""
#endif

/* An operation by each rounding; the rest: the types and constraints of its OP (integer.h). */
#define WARPSCOPE_ROUNDED(OP, function, op, suffix, ...)  \
    OP(function##_rn, op ".rn" suffix, __VA_ARGS__)       \
    OP(function##_rz, op ".rz" suffix, __VA_ARGS__)       \
    OP(function##_ru, op ".rp" suffix, __VA_ARGS__)       \
    OP(function##_rd, op ".rm" suffix, __VA_ARGS__)

WARPSCOPE_ROUNDED(WARPSCOPE_OP2, __fadd, "add", WARPSCOPE_FTZ ".f32", float, "f", float, "f", float, "f")
WARPSCOPE_ROUNDED(WARPSCOPE_OP2, __fsub, "sub", WARPSCOPE_FTZ ".f32", float, "f", float, "f", float, "f")
WARPSCOPE_ROUNDED(WARPSCOPE_OP2, __fmul, "mul", WARPSCOPE_FTZ ".f32", float, "f", float, "f", float, "f")
WARPSCOPE_ROUNDED(WARPSCOPE_OP2, __fdiv, "div", WARPSCOPE_FTZ ".f32", float, "f", float, "f", float, "f")
WARPSCOPE_ROUNDED(WARPSCOPE_OP3, __fmaf, "fma", WARPSCOPE_FTZ ".f32", float, "f", float, "f", float, "f", float, "f")
WARPSCOPE_ROUNDED(WARPSCOPE_OP3, __fmaf_ieee, "fma", ".f32", float, "f", float, "f", float, "f", float, "f")
WARPSCOPE_ROUNDED(WARPSCOPE_OP1, __frcp, "rcp", WARPSCOPE_FTZ ".f32", float, "f", float, "f")
WARPSCOPE_ROUNDED(WARPSCOPE_OP1, __fsqrt, "sqrt", WARPSCOPE_FTZ ".f32", float, "f", float, "f")
WARPSCOPE_ROUNDED(WARPSCOPE_OP2, __dadd, "add", ".f64", double, "d", double, "d", double, "d")
WARPSCOPE_ROUNDED(WARPSCOPE_OP2, __dsub, "sub", ".f64", double, "d", double, "d", double, "d")
WARPSCOPE_ROUNDED(WARPSCOPE_OP2, __dmul, "mul", ".f64", double, "d", double, "d", double, "d")
WARPSCOPE_ROUNDED(WARPSCOPE_OP2, __ddiv, "div", ".f64", double, "d", double, "d", double, "d")
WARPSCOPE_ROUNDED(WARPSCOPE_OP3, __fma, "fma", ".f64", double, "d", double, "d", double, "d", double, "d")
WARPSCOPE_ROUNDED(WARPSCOPE_OP1, __drcp, "rcp", ".f64", double, "d", double, "d")
WARPSCOPE_ROUNDED(WARPSCOPE_OP1, __dsqrt, "sqrt", ".f64", double, "d", double, "d")

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
