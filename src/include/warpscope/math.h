/* math.h: the functions of <math.h> and CUDA's additions for device code, under their C names, as C++ overloads, and in namespace
 * std, where libstdc++'s own would become calls that no GPU answers. What <math.h> defines as macros is undefined first. */
#pragma once

#include "math_bessel.h"
#include "math_float.h"

#undef isnan
#undef isinf
#undef isfinite
#undef isnormal
#undef signbit
#undef fpclassify

/* Whole numbers given to a function of reals are taken as double. */
template <typename T> struct WarpscopeWhole {};
#define WARPSCOPE_WHOLE(type) \
    template <> struct WarpscopeWhole<type> { typedef double Double; };
WARPSCOPE_WHOLE(bool) WARPSCOPE_WHOLE(char) WARPSCOPE_WHOLE(signed char) WARPSCOPE_WHOLE(unsigned char) WARPSCOPE_WHOLE(short)
WARPSCOPE_WHOLE(unsigned short) WARPSCOPE_WHOLE(int) WARPSCOPE_WHOLE(unsigned int) WARPSCOPE_WHOLE(long)
WARPSCOPE_WHOLE(unsigned long) WARPSCOPE_WHOLE(long long) WARPSCOPE_WHOLE(unsigned long long)
#undef WARPSCOPE_WHOLE

#define WARPSCOPE_STD(name) \
    namespace std {         \
    using ::name;           \
    using ::name##f;        \
    }
/* clang-format off */
#define WARPSCOPE_F1(name, single, twice)                                                                                          \
    WARPSCOPE_DEVICE float name##f(float x) { return single; }                                                                     \
    WARPSCOPE_DEVICE double name(double x) { return twice; }                                                                       \
    WARPSCOPE_DEVICE float name(float x) { return name##f(x); }                                                                    \
    template <typename T> WARPSCOPE_DEVICE typename WarpscopeWhole<T>::Double name(T x) { return name((double)x); }
/* Host code may call these too. */
#define WARPSCOPE_H1(name, single, twice)                                                                                          \
    WARPSCOPE_F1(name, single, twice)                                                                                              \
    WARPSCOPE_SPARE float name##f(float x) { return single; }                                                                      \
    WARPSCOPE_SPARE double name(double x) { return twice; }                                                                        \
    WARPSCOPE_SPARE float name(float x) { return name##f(x); }                                                                     \
    template <typename T> WARPSCOPE_HOST typename WarpscopeWhole<T>::Double name(T x) { return name((double)x); }
#define WARPSCOPE_F2(name, single, twice)                                                                                          \
    WARPSCOPE_DEVICE float name##f(float x, float y) { return single; }                                                            \
    WARPSCOPE_DEVICE double name(double x, double y) { return twice; }                                                             \
    WARPSCOPE_DEVICE float name(float x, float y) { return name##f(x, y); }                                                        \
    WARPSCOPE_DEVICE double name(float x, double y) { return name((double)x, y); }                                                 \
    WARPSCOPE_DEVICE double name(double x, float y) { return name(x, (double)y); }                                                 \
    template <typename T> WARPSCOPE_DEVICE typename WarpscopeWhole<T>::Double name(double x, T y) { return name(x, (double)y); }   \
    template <typename T> WARPSCOPE_DEVICE typename WarpscopeWhole<T>::Double name(T x, double y) { return name((double)x, y); }   \
    template <typename T> WARPSCOPE_DEVICE typename WarpscopeWhole<T>::Double name(float x, T y) {                                 \
        return name((double)x, (double)y);                                                                                         \
    }                                                                                                                              \
    template <typename T> WARPSCOPE_DEVICE typename WarpscopeWhole<T>::Double name(T x, float y) {                                 \
        return name((double)x, (double)y);                                                                                         \
    }                                                                                                                              \
    template <typename T, typename U>                                                                                              \
    WARPSCOPE_DEVICE typename WarpscopeWhole<T>::Double name(T x, U y, typename WarpscopeWhole<U>::Double = 0) {                   \
        return name((double)x, (double)y);                                                                                         \
    }
/* Of C++ as well. */
#define WARPSCOPE_S1(name, single, twice)                                                                                          \
    WARPSCOPE_F1(name, single, twice)                                                                                              \
    WARPSCOPE_STD(name)
#define WARPSCOPE_S2(name, single, twice)                                                                                          \
    WARPSCOPE_F2(name, single, twice)                                                                                              \
    WARPSCOPE_STD(name)

WARPSCOPE_OP1(warpscope_sqrt_approx, "sqrt.approx" WARPSCOPE_FTZ ".f32", float, "f", float, "f")
/* The sign of the first operand on the second's value: the instruction's order. */
WARPSCOPE_OP2(warpscope_copysignf, "copysign.f32", float, "f", float, "f", float, "f")
WARPSCOPE_OP2(warpscope_copysign, "copysign.f64", double, "d", double, "d", double, "d")

#ifdef __USE_FAST_MATH__
#define WARPSCOPE_FAST(fast, exact) fast
#else
#define WARPSCOPE_FAST(fast, exact) exact
#endif

WARPSCOPE_S1(sin,   WARPSCOPE_FAST(__sinf(x),   warpscope_sinf(x)),   warpscope_sin(x))
WARPSCOPE_S1(cos,   WARPSCOPE_FAST(__cosf(x),   warpscope_cosf(x)),   warpscope_cos(x))
WARPSCOPE_S1(tan,   WARPSCOPE_FAST(__tanf(x),   warpscope_tanf(x)),   warpscope_tan(x))
WARPSCOPE_S1(exp,   WARPSCOPE_FAST(__expf(x),   warpscope_expf(x)),   warpscope_exp(x))
WARPSCOPE_F1(exp10, WARPSCOPE_FAST(__exp10f(x), warpscope_exp10f(x)), warpscope_exp10(x))
WARPSCOPE_S1(log,   WARPSCOPE_FAST(__logf(x),   warpscope_logf(x)),   warpscope_log(x))
WARPSCOPE_S1(log2,  WARPSCOPE_FAST(__log2f(x),  warpscope_log2f(x)),  warpscope_log2(x))
WARPSCOPE_S1(log10, WARPSCOPE_FAST(__log10f(x), warpscope_log10f(x)), warpscope_log10(x))
WARPSCOPE_S2(pow,   WARPSCOPE_FAST(__powf(x, y), warpscope_powf(x, y)), warpscope_pow(x, y))

WARPSCOPE_S1(exp2,  WARPSCOPE_FAST(warpscope_ex2(x), warpscope_exp2f(x)), warpscope_exp2(x))
WARPSCOPE_S1(expm1, warpscope_expm1f(x), warpscope_expm1(x))
WARPSCOPE_S1(log1p, warpscope_log1pf(x), warpscope_log1p(x))
WARPSCOPE_H1(sinpi, warpscope_sinpif(x), warpscope_sinpi(x))
WARPSCOPE_H1(cospi, warpscope_cospif(x), warpscope_cospi(x))
WARPSCOPE_S1(asin,  warpscope_asinf(x),  warpscope_asin(x))
WARPSCOPE_S1(acos,  warpscope_acosf(x),  warpscope_acos(x))
WARPSCOPE_S1(atan,  warpscope_atanf(x),  warpscope_atan(x))
WARPSCOPE_S1(tanh,  WARPSCOPE_FAST(__tanhf(x), warpscope_tanhf(x)), warpscope_tanh(x))
WARPSCOPE_S1(sinh,  (float)warpscope_sinh(x),  warpscope_sinh(x))
WARPSCOPE_S1(cosh,  (float)warpscope_cosh(x),  warpscope_cosh(x))
WARPSCOPE_S1(asinh, (float)warpscope_asinh(x), warpscope_asinh(x))
WARPSCOPE_S1(acosh, (float)warpscope_acosh(x), warpscope_acosh(x))
WARPSCOPE_S1(atanh, (float)warpscope_atanh(x), warpscope_atanh(x))
WARPSCOPE_S1(cbrt,  (float)warpscope_cbrt(x),  warpscope_cbrt(x))
WARPSCOPE_H1(rcbrt, (float)(1 / warpscope_cbrt(x)), 1 / warpscope_cbrt(x))
WARPSCOPE_S1(erf,   (float)warpscope_erf(x),   warpscope_erf(x))
WARPSCOPE_S1(erfc,  (float)warpscope_erfc(x),  warpscope_erfc(x))
WARPSCOPE_H1(erfcx, (float)warpscope_erfcx(x), warpscope_erfcx(x))
WARPSCOPE_H1(erfinv,  (float)warpscope_erfinv(x),  warpscope_erfinv(x))
WARPSCOPE_H1(erfcinv, (float)warpscope_erfcinv(x), warpscope_erfcinv(x))
WARPSCOPE_H1(normcdf, (float)warpscope_normcdf(x), warpscope_normcdf(x))
WARPSCOPE_H1(normcdfinv, (float)warpscope_normcdfinv(x), warpscope_normcdfinv(x))
WARPSCOPE_S1(tgamma, (float)warpscope_tgamma(x), warpscope_tgamma(x))
WARPSCOPE_S1(lgamma, (float)warpscope_lgamma(x), warpscope_lgamma(x))
WARPSCOPE_F1(j0, (float)warpscope_j0(x), warpscope_j0(x))
WARPSCOPE_F1(j1, (float)warpscope_j1(x), warpscope_j1(x))
WARPSCOPE_F1(y0, (float)warpscope_y0(x), warpscope_y0(x))
WARPSCOPE_F1(y1, (float)warpscope_y1(x), warpscope_y1(x))
WARPSCOPE_F1(cyl_bessel_i0, (float)warpscope_i0(x), warpscope_i0(x))
WARPSCOPE_F1(cyl_bessel_i1, (float)warpscope_i1(x), warpscope_i1(x))
WARPSCOPE_S2(atan2, warpscope_atan2f(x, y), warpscope_atan2(x, y))
WARPSCOPE_S2(hypot, warpscope_hypotf(x, y), warpscope_hypot(x, y))
WARPSCOPE_F2(rhypot, 1 / warpscope_hypotf(x, y), warpscope_rhypot(x, y))
WARPSCOPE_S2(fmod,  warpscope_fmodf(x, y),  warpscope_fmod(x, y))
WARPSCOPE_S2(remainder, (float)warpscope_remainder(x, y), warpscope_remainder(x, y))

/* These are instructions, or a few of them. Half is added towards zero, so that 0.49999997 does not become 1. */
WARPSCOPE_S2(copysign, warpscope_copysignf(y, x), warpscope_copysign(y, x))
WARPSCOPE_S1(sqrt,  WARPSCOPE_FAST(warpscope_sqrt_approx(x), __builtin_sqrtf(x)),  __builtin_sqrt(x))
WARPSCOPE_S1(fabs,  __builtin_fabsf(x),  __builtin_fabs(x))
WARPSCOPE_S1(floor, __builtin_floorf(x), __builtin_floor(x))
WARPSCOPE_S1(ceil,  __builtin_ceilf(x),  __builtin_ceil(x))
WARPSCOPE_S1(trunc, __builtin_truncf(x), __builtin_trunc(x))
WARPSCOPE_S1(round, __builtin_truncf(__fadd_rz(x, copysignf(0.5f, x))), __builtin_trunc(__dadd_rz(x, copysign(0.5, x))))
WARPSCOPE_S1(rint,  __builtin_rintf(x),  __builtin_rint(x))
WARPSCOPE_S1(nearbyint, __builtin_rintf(x), __builtin_rint(x))
WARPSCOPE_S2(fmin,  __builtin_fminf(x, y), __builtin_fmin(x, y))
WARPSCOPE_S2(fmax,  __builtin_fmaxf(x, y), __builtin_fmax(x, y))
WARPSCOPE_S2(fdim,  x > y ? x - y : x <= y ? 0 : x + y, x > y ? x - y : x <= y ? 0 : x + y)
/* clang-format on */

WARPSCOPE_DEVICE float fmaf(float x, float y, float z) { return __builtin_fmaf(x, y, z); }
WARPSCOPE_DEVICE float fma(float x, float y, float z) { return __builtin_fmaf(x, y, z); }
WARPSCOPE_DEVICE double fma(double x, double y, double z) { return __builtin_fma(x, y, z); }
WARPSCOPE_STD(fma)
WARPSCOPE_DEVICE float fdividef(float x, float y) { return x / y; }
WARPSCOPE_DEVICE float fdivide(float x, float y) { return x / y; }
WARPSCOPE_DEVICE double fdivide(double x, double y) { return x / y; }
WARPSCOPE_DEVICE float abs(float x) { return __builtin_fabsf(x); }
WARPSCOPE_DEVICE double abs(double x) { return __builtin_fabs(x); }
WARPSCOPE_OP1(warpscope_rsqrtf, "rsqrt.approx" WARPSCOPE_FTZ ".f32", float, "f", float, "f")
WARPSCOPE_DEVICE float rsqrtf(float x) { return warpscope_rsqrtf(x); }
WARPSCOPE_SPARE float rsqrtf(float x) { return 1 / __builtin_sqrtf(x); }
WARPSCOPE_EITHER(float rsqrt(float x) { return rsqrtf(x); })
WARPSCOPE_EITHER(double rsqrt(double x) { return 1 / __builtin_sqrt(x); })

WARPSCOPE_DEVICE void sincosf(float x, float *sine, float *cosine) {
#ifdef __USE_FAST_MATH__
    __sincosf(x, sine, cosine);
#else
    warpscope_sincosf(x, sine, cosine);
#endif
}
WARPSCOPE_DEVICE void sincos(double x, double *sine, double *cosine) { warpscope_sincos(x, sine, cosine); }
WARPSCOPE_DEVICE void sincos(float x, float *sine, float *cosine) { sincosf(x, sine, cosine); }
WARPSCOPE_EITHER(void sincospif(float x, float *sine, float *cosine) {
    *sine = warpscope_sinpif(x);
    *cosine = warpscope_cospif(x);
})
WARPSCOPE_EITHER(void sincospi(double x, double *sine, double *cosine) {
    *sine = warpscope_sinpi(x);
    *cosine = warpscope_cospi(x);
})
WARPSCOPE_EITHER(void sincospi(float x, float *sine, float *cosine) { sincospif(x, sine, cosine); })
WARPSCOPE_DEVICE double norm3d(double x, double y, double z) { return warpscope_norm4(x, y, z, 0); }
WARPSCOPE_DEVICE double norm4d(double x, double y, double z, double w) { return warpscope_norm4(x, y, z, w); }
WARPSCOPE_DEVICE double rnorm3d(double x, double y, double z) { return warpscope_rnorm4(x, y, z, 0); }
WARPSCOPE_DEVICE double rnorm4d(double x, double y, double z, double w) { return warpscope_rnorm4(x, y, z, w); }
WARPSCOPE_DEVICE float norm3df(float x, float y, float z) { return (float)warpscope_norm4(x, y, z, 0); }
WARPSCOPE_DEVICE float norm4df(float x, float y, float z, float w) { return (float)warpscope_norm4(x, y, z, w); }
WARPSCOPE_DEVICE float rnorm3df(float x, float y, float z) { return (float)warpscope_rnorm4(x, y, z, 0); }
WARPSCOPE_DEVICE float rnorm4df(float x, float y, float z, float w) { return (float)warpscope_rnorm4(x, y, z, w); }
/* Of any number of elements. */
WARPSCOPE_DEVICE double norm(int count, const double *p) {
    double sum = 0;
    for (int i = 0; i < count; i++) sum = warpscope_hypot(sum, p[i]);
    return sum;
}
WARPSCOPE_DEVICE double rnorm(int count, const double *p) { return 1 / norm(count, p); }
WARPSCOPE_DEVICE float normf(int count, const float *p) {
    double sum = 0; /* no square of a float overflows or vanishes here */
    for (int i = 0; i < count; i++) sum += (double)p[i] * p[i];
    return (float)__builtin_sqrt(sum);
}
WARPSCOPE_DEVICE float rnormf(int count, const float *p) {
    double sum = 0;
    for (int i = 0; i < count; i++) sum += (double)p[i] * p[i];
    return (float)(1 / __builtin_sqrt(sum));
}

WARPSCOPE_DEVICE double jn(int n, double x) { return warpscope_jn(n, x); }
WARPSCOPE_DEVICE double yn(int n, double x) { return warpscope_yn(n, x); }
WARPSCOPE_DEVICE float jnf(int n, float x) { return (float)warpscope_jn(n, x); }
WARPSCOPE_DEVICE float ynf(int n, float x) { return (float)warpscope_yn(n, x); }
WARPSCOPE_DEVICE float jn(int n, float x) { return jnf(n, x); }
WARPSCOPE_DEVICE float yn(int n, float x) { return ynf(n, x); }

/* --- to whole numbers, and into parts --- */

#define WARPSCOPE_TO_INTEGER(name, type, value, rounding)                                 \
    WARPSCOPE_DEVICE type name##f(float x) { return (type)__float2ll_##rounding(value); } \
    WARPSCOPE_DEVICE type name(double x) { return (type)__double2ll_##rounding(value); }  \
    WARPSCOPE_DEVICE type name(float x) { return name##f(x); }                            \
    WARPSCOPE_STD(name)
WARPSCOPE_TO_INTEGER(lrint, long, x, rn)
WARPSCOPE_TO_INTEGER(llrint, long long, x, rn)
WARPSCOPE_TO_INTEGER(lround, long, round(x), rz)
WARPSCOPE_TO_INTEGER(llround, long long, round(x), rz)
#undef WARPSCOPE_TO_INTEGER

WARPSCOPE_DEVICE double modf(double x, double *whole) {
    *whole = __builtin_trunc(x);
    return __builtin_copysign(warpscope_isinf(x) ? 0 : x - *whole, x);
}
WARPSCOPE_DEVICE float modff(float x, float *whole) {
    *whole = __builtin_truncf(x);
    return __builtin_copysignf(warpscope_isinf(x) ? 0 : x - *whole, x);
}
WARPSCOPE_DEVICE float modf(float x, float *whole) { return modff(x, whole); }
WARPSCOPE_STD(modf)

/* Works for float too: every float is a double with more exponents to spare. */
WARPSCOPE_DEVICE double frexp(double x, int *exponent) {
    *exponent = 0;
    if (x == 0 || !(__builtin_fabs(x) < WARPSCOPE_INF)) return x;
    int shift = __builtin_fabs(x) < 0x1p-1022 ? 54 : 0;
    unsigned long long bits = warpscope_bits(shift ? x * 0x1p54 : x);
    *exponent = (int)(bits >> 52 & 0x7ff) - 1022 - shift;
    return warpscope_double((bits & 0x800fffffffffffffu) | 0x3fe0000000000000u);
}
WARPSCOPE_DEVICE float frexpf(float x, int *exponent) { return (float)frexp((double)x, exponent); }
WARPSCOPE_DEVICE float frexp(float x, int *exponent) { return frexpf(x, exponent); }
WARPSCOPE_STD(frexp)

WARPSCOPE_DEVICE int ilogb(double x) {
    int exponent;
    if (x == 0 || x != x) return (int)0x80000000;
    if (warpscope_isinf(x)) return 0x7fffffff;
    frexp(x, &exponent);
    return exponent - 1;
}
WARPSCOPE_DEVICE int ilogbf(float x) { return ilogb((double)x); }
WARPSCOPE_DEVICE int ilogb(float x) { return ilogb((double)x); }
WARPSCOPE_STD(ilogb)
WARPSCOPE_DEVICE double logb(double x) {
    if (x == 0) return -WARPSCOPE_INF;
    return __builtin_fabs(x) < WARPSCOPE_INF ? ilogb(x) : x * x;
}
WARPSCOPE_DEVICE float logbf(float x) { return (float)logb((double)x); }
WARPSCOPE_DEVICE float logb(float x) { return logbf(x); }
WARPSCOPE_STD(logb)

#define WARPSCOPE_SCALE(name, type)                                                                                            \
    WARPSCOPE_DEVICE double name(double x, type k) {                                                                           \
        return warpscope_scalbn(x, k > 5000 ? 5000 : k < -5000 ? -5000 : (int)k);                                              \
    }                                                                                                                          \
    WARPSCOPE_DEVICE float name##f(float x, type k) { return warpscope_scalbnf(x, k > 500 ? 500 : k < -500 ? -500 : (int)k); } \
    WARPSCOPE_DEVICE float name(float x, type k) { return name##f(x, k); }                                                     \
    WARPSCOPE_STD(name)
WARPSCOPE_SCALE(ldexp, int)
WARPSCOPE_SCALE(scalbn, int)
WARPSCOPE_SCALE(scalbln, long)
#undef WARPSCOPE_SCALE

WARPSCOPE_DEVICE double remquo(double x, double y, int *quotient) { return warpscope_remquo(x, y, quotient); }
WARPSCOPE_DEVICE float remquof(float x, float y, int *quotient) { return (float)warpscope_remquo(x, y, quotient); }
WARPSCOPE_DEVICE float remquo(float x, float y, int *quotient) { return remquof(x, y, quotient); }
WARPSCOPE_STD(remquo)

WARPSCOPE_DEVICE double nextafter(double x, double y) {
    if (x != x || y != y) return x + y;
    if (x == y) return y;
    if (x == 0) return __builtin_copysign(0x1p-1074, y);
    return warpscope_double(warpscope_bits(x) + ((x < y) == (x > 0) ? 1 : -1ull));
}
WARPSCOPE_DEVICE float nextafterf(float x, float y) {
    if (x != x || y != y) return x + y;
    if (x == y) return y;
    if (x == 0) return __builtin_copysignf(0x1p-149f, y);
    return warpscope_float(warpscope_bitsf(x) + ((x < y) == (x > 0) ? 1 : -1u));
}
WARPSCOPE_DEVICE float nextafter(float x, float y) { return nextafterf(x, y); }
WARPSCOPE_STD(nextafter)
WARPSCOPE_DEVICE double nan(const char *) { return WARPSCOPE_NAN; }
WARPSCOPE_DEVICE float nanf(const char *) { return WARPSCOPE_NANF; }

#define WARPSCOPE_CLASSIFY(type)                                                         \
    WARPSCOPE_DEVICE bool isnan(type x) { return x != x; }                               \
    WARPSCOPE_DEVICE bool isinf(type x) { return __builtin_fabs(x) == WARPSCOPE_INF; }   \
    WARPSCOPE_DEVICE bool isfinite(type x) { return __builtin_fabs(x) < WARPSCOPE_INF; } \
    WARPSCOPE_DEVICE bool signbit(type x) { return __builtin_copysign(1.0, x) < 0; }
WARPSCOPE_CLASSIFY(float)
WARPSCOPE_CLASSIFY(double)
#undef WARPSCOPE_CLASSIFY

#define WARPSCOPE_MINMAX(type, a_type, b_type, suffix)                                   \
    WARPSCOPE_BOTH type min(a_type a, b_type b) { return __builtin_fmin##suffix(a, b); } \
    WARPSCOPE_BOTH type max(a_type a, b_type b) { return __builtin_fmax##suffix(a, b); }
WARPSCOPE_MINMAX(float, float, float, f)
WARPSCOPE_MINMAX(double, double, double, )
WARPSCOPE_MINMAX(double, float, double, )
WARPSCOPE_MINMAX(double, double, float, )
#undef WARPSCOPE_MINMAX

#undef WARPSCOPE_STD
namespace std {
using ::abs;
using ::isfinite;
using ::isinf;
using ::isnan;
using ::signbit;
} // namespace std
