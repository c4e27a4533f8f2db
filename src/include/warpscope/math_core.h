/* math_core.h: what the functions of math_double.h, math_special.h and math_float.h are built of. These four files are C as well as
 * CUDA C++: the unit tests include them and compare them with the C library. A GPU has no libm, and what LLVM makes of sin() for
 * it cannot be compiled.
 *
 * Every polynomial interpolates its function at the Chebyshev nodes of the interval that its comment names; coefficients were
 * computed with 80 digits, highest power first. Reductions and error-free steps follow Dekker, Cody and Waite, Payne and Hanek. */
#pragma once

/* Host code may call what lies between. What uses a table is the device's alone: a table that both use would stand in every PTX. */
#ifdef __CUDACC__
#define WARPSCOPE_MATH static __inline__ __attribute__((host, device, nodebug, unused))
#define WARPSCOPE_RARE static __attribute__((device, noinline, nodebug, unused))
#define WARPSCOPE_TABLE static __attribute__((constant))
#define WARPSCOPE_EXACT _Pragma("clang fp contract(off) reassociate(off)")
#else
#define WARPSCOPE_MATH static __inline__ __attribute__((unused))
#define WARPSCOPE_RARE static __attribute__((unused))
#define WARPSCOPE_TABLE static
#define WARPSCOPE_EXACT
#endif

#define WARPSCOPE_INF __builtin_inf()
#define WARPSCOPE_NAN __builtin_nan("")

/* A polynomial in z by Horner's rule: 2 to 24 coefficients, from the highest power down. HORNER_n has n of them left, f is a fused
 * multiply-add of the type, and p what came of those before. */
#define WARPSCOPE_POLY(z, ...) WARPSCOPE_HORNER(__VA_ARGS__)(__builtin_fma, z, __VA_ARGS__)
#define WARPSCOPE_POLYF(z, ...) WARPSCOPE_HORNER(__VA_ARGS__)(__builtin_fmaf, z, __VA_ARGS__)
#define WARPSCOPE_HORNER(...) \
    WARPSCOPE_HORNER_OF(__VA_ARGS__, 23, 22, 21, 20, 19, 18, 17, 16, 15, 14, 13, 12, 11, 10, 9, 8, 7, 6, 5, 4, 3, 2, 1, 0)
#define WARPSCOPE_HORNER_OF(a, b, c, d, e, f, g, h, i, j, k, l, m, n, o, p, q, r, s, t, u, v, w, x, count, ...) WARPSCOPE_HORNER_##count
#define WARPSCOPE_HORNER_1(f, z, p, c) f(p, z, c)
#define WARPSCOPE_HORNER_2(f, z, p, c, ...) WARPSCOPE_HORNER_1(f, z, f(p, z, c), __VA_ARGS__)
#define WARPSCOPE_HORNER_3(f, z, p, c, ...) WARPSCOPE_HORNER_2(f, z, f(p, z, c), __VA_ARGS__)
#define WARPSCOPE_HORNER_4(f, z, p, c, ...) WARPSCOPE_HORNER_3(f, z, f(p, z, c), __VA_ARGS__)
#define WARPSCOPE_HORNER_5(f, z, p, c, ...) WARPSCOPE_HORNER_4(f, z, f(p, z, c), __VA_ARGS__)
#define WARPSCOPE_HORNER_6(f, z, p, c, ...) WARPSCOPE_HORNER_5(f, z, f(p, z, c), __VA_ARGS__)
#define WARPSCOPE_HORNER_7(f, z, p, c, ...) WARPSCOPE_HORNER_6(f, z, f(p, z, c), __VA_ARGS__)
#define WARPSCOPE_HORNER_8(f, z, p, c, ...) WARPSCOPE_HORNER_7(f, z, f(p, z, c), __VA_ARGS__)
#define WARPSCOPE_HORNER_9(f, z, p, c, ...) WARPSCOPE_HORNER_8(f, z, f(p, z, c), __VA_ARGS__)
#define WARPSCOPE_HORNER_10(f, z, p, c, ...) WARPSCOPE_HORNER_9(f, z, f(p, z, c), __VA_ARGS__)
#define WARPSCOPE_HORNER_11(f, z, p, c, ...) WARPSCOPE_HORNER_10(f, z, f(p, z, c), __VA_ARGS__)
#define WARPSCOPE_HORNER_12(f, z, p, c, ...) WARPSCOPE_HORNER_11(f, z, f(p, z, c), __VA_ARGS__)
#define WARPSCOPE_HORNER_13(f, z, p, c, ...) WARPSCOPE_HORNER_12(f, z, f(p, z, c), __VA_ARGS__)
#define WARPSCOPE_HORNER_14(f, z, p, c, ...) WARPSCOPE_HORNER_13(f, z, f(p, z, c), __VA_ARGS__)
#define WARPSCOPE_HORNER_15(f, z, p, c, ...) WARPSCOPE_HORNER_14(f, z, f(p, z, c), __VA_ARGS__)
#define WARPSCOPE_HORNER_16(f, z, p, c, ...) WARPSCOPE_HORNER_15(f, z, f(p, z, c), __VA_ARGS__)
#define WARPSCOPE_HORNER_17(f, z, p, c, ...) WARPSCOPE_HORNER_16(f, z, f(p, z, c), __VA_ARGS__)
#define WARPSCOPE_HORNER_18(f, z, p, c, ...) WARPSCOPE_HORNER_17(f, z, f(p, z, c), __VA_ARGS__)
#define WARPSCOPE_HORNER_19(f, z, p, c, ...) WARPSCOPE_HORNER_18(f, z, f(p, z, c), __VA_ARGS__)
#define WARPSCOPE_HORNER_20(f, z, p, c, ...) WARPSCOPE_HORNER_19(f, z, f(p, z, c), __VA_ARGS__)
#define WARPSCOPE_HORNER_21(f, z, p, c, ...) WARPSCOPE_HORNER_20(f, z, f(p, z, c), __VA_ARGS__)
#define WARPSCOPE_HORNER_22(f, z, p, c, ...) WARPSCOPE_HORNER_21(f, z, f(p, z, c), __VA_ARGS__)
#define WARPSCOPE_HORNER_23(f, z, p, c, ...) WARPSCOPE_HORNER_22(f, z, f(p, z, c), __VA_ARGS__)

/* An unevaluated sum: hi is the value rounded, lo what rounding left. */
typedef struct WarpscopePair {
    double hi, lo;
} WarpscopePair;

WARPSCOPE_MATH unsigned long long warpscope_bits(double x) {
    unsigned long long bits;
    __builtin_memcpy(&bits, &x, sizeof bits);
    return bits;
}
WARPSCOPE_MATH double warpscope_double(unsigned long long bits) {
    double x;
    __builtin_memcpy(&x, &bits, sizeof x);
    return x;
}
WARPSCOPE_MATH unsigned int warpscope_bitsf(float x) {
    unsigned int bits;
    __builtin_memcpy(&bits, &x, sizeof bits);
    return bits;
}
WARPSCOPE_MATH float warpscope_float(unsigned int bits) {
    float x;
    __builtin_memcpy(&x, &bits, sizeof x);
    return x;
}

WARPSCOPE_MATH int warpscope_isnan(double x) { return x != x; }
WARPSCOPE_MATH int warpscope_isinf(double x) { return __builtin_fabs(x) == WARPSCOPE_INF; }

/* 2^k for -1022 <= k <= 1023. */
WARPSCOPE_MATH double warpscope_power2(int k) { return warpscope_double((unsigned long long)(k + 1023) << 52); }
WARPSCOPE_MATH float warpscope_power2f(int k) { return warpscope_float((unsigned int)(k + 127) << 23); }

/* x * 2^k for any k, rounded once: going down, the steps stop 53 binary places above the last one. */
WARPSCOPE_MATH double warpscope_scalbn(double x, int k) {
    for (int i = 0; i < 2 && k > 1023; i++) {
        x *= 0x1p1023;
        k -= 1023;
    }
    for (int i = 0; i < 2 && k < -1022; i++) {
        x *= 0x1p-969;
        k += 969;
    }
    k = k > 1023 ? 1023 : k < -1022 ? -1022 : k;
    return x * warpscope_power2(k);
}
WARPSCOPE_MATH float warpscope_scalbnf(float x, int k) {
    for (int i = 0; i < 2 && k > 127; i++) {
        x *= 0x1p127f;
        k -= 127;
    }
    for (int i = 0; i < 2 && k < -126; i++) {
        x *= 0x1p-102f;
        k += 102;
    }
    k = k > 127 ? 127 : k < -126 ? -126 : k;
    return x * warpscope_power2f(k);
}

/* x = m * 2^*k with sqrt(1/2) <= m < sqrt(2), for finite x > 0. */
WARPSCOPE_MATH double warpscope_split(double x, int *k) {
    int shift = 0;
    if (x < 0x1p-1022) {
        x *= 0x1p54;
        shift = 54;
    }
    unsigned long long bits = warpscope_bits(x) + (0x3ff0000000000000u - 0x3fe6a09e667f3bcdu);
    *k = (int)(bits >> 52) - 1023 - shift;
    return warpscope_double((bits & 0x000fffffffffffffu) + 0x3fe6a09e667f3bcdu);
}

/* e^(t + tail) * 2^k for |t| <= 0.347. (e^t - 1 - t) / t^2 to 2^-57. */
WARPSCOPE_MATH double warpscope_exp_poly(double t) {
    return WARPSCOPE_POLY(t, 0x1.1f731566affe1p-29, 0x1.af4e092e229f6p-26, 0x1.27e4db5bb6080p-22, 0x1.71de02225a29ap-19,
            0x1.a01a01a6db48fp-16, 0x1.a01a01abeccc3p-13, 0x1.6c16c16c162cfp-10, 0x1.11111111100d3p-7, 0x1.5555555555556p-5,
            0x1.5555555555557p-3, 0x1.0000000000000p-1);
}
WARPSCOPE_MATH double warpscope_exp_kernel(double t, double tail, int k) {
    WARPSCOPE_EXACT
    double rest = t * t * warpscope_exp_poly(t);
    /* 2^k in two factors: the first product is exact, and the second rounds even where the result is a denormal. */
    return (1 + (t + __builtin_fma(tail, t + rest, tail + rest))) * warpscope_power2(k >> 1) * warpscope_power2(k - (k >> 1));
}

/* e^(hi + lo) * 2^shift; lo is small beside hi. The shift keeps half of e^x finite where e^x no longer is. */
WARPSCOPE_MATH double warpscope_exp_shifted(double hi, double lo, int shift) {
    WARPSCOPE_EXACT
    if (warpscope_isnan(hi)) return hi;
    if (hi > 712) return WARPSCOPE_INF;
    if (hi < -746) return 0;
    double k = __builtin_rint(hi * 0x1.71547652b82fep+0);
    double t = __builtin_fma(-k, 0x1.62e42fefa39efp-1, hi);
    return warpscope_exp_kernel(t, __builtin_fma(-k, 0x1.abc9e3b39803fp-56, lo), (int)k + shift);
}
WARPSCOPE_MATH double warpscope_exp_pair(double hi, double lo) { return warpscope_exp_shifted(hi, lo, 0); }

/* log(1 + f) = f - f^2/2 + this, for 1 + f between sqrt(1/2) and sqrt(2): with s = f / (2 + f),
 * log(1 + f) = 2 atanh(s), whose series after 2s is s^3 times the polynomial, to 2^-54. */
WARPSCOPE_MATH double warpscope_log_tail(double f) {
    WARPSCOPE_EXACT
    double s = f / (2 + f), z = s * s;
    double p = WARPSCOPE_POLY(z, 0x1.0c0aff044a970p-3, 0x1.0fbde0f4ad17bp-3, 0x1.3b1c3c1c81c8fp-3, 0x1.745cf8e4bba1bp-3,
            0x1.c71c7201a55d7p-3, 0x1.2492492476a1ap-2, 0x1.9999999999a39p-2, 0x1.5555555555555p-1);
    return s * __builtin_fma(z, p, 0.5 * f * f);
}

/* log(x) to about 2^-65 of its value, for finite x > 0. */
WARPSCOPE_MATH WarpscopePair warpscope_log_pair(double x) {
    WARPSCOPE_EXACT
    int k;
    double f = warpscope_split(x, &k) - 1;
    double g = 2 + f, s = f / g;
    double s_lo = (__builtin_fma(-s, g, f) - s * (f - (g - 2))) / g;
    double z = s * s, z_lo = __builtin_fma(s, s, -z) + 2 * s * s_lo;
    /* (2 atanh(s) / s - 2 - 2 z / 3) / z^2, to 2^-53 */
    double p = WARPSCOPE_POLY(z, 0x1.e03a7acf07f85p-4, 0x1.df7ba1f4809c3p-4, 0x1.1118cd67251c5p-3, 0x1.3b1395b82701ep-3,
            0x1.745d177ad436ap-3, 0x1.c71c71c6ea5acp-3, 0x1.2492492492522p-2, 0x1.999999999999ap-2);
    double q = z * p, two_thirds = 0x1.5555555555555p-1;
    double c = two_thirds + q, c_lo = (two_thirds - c) + q + 0x1.5555555555555p-55;
    double t = s * z, t_lo = __builtin_fma(s, z, -t) + s * z_lo + s_lo * z;
    double u = t * c, u_lo = __builtin_fma(t, c, -u) + t * c_lo + t_lo * c;
    double h = 2 * s + u, l = (2 * s - h) + u + (u_lo + 2 * s_lo);
    double kh = k * 0x1.62e42feep-1; /* exact: the constant ends in 21 zero bits */
    double sum = kh + h, rest = (kh - sum) + h + (l + k * 0x1.a39ef35793c76p-33);
    WarpscopePair r;
    r.hi = sum + rest;
    r.lo = (sum - r.hi) + rest;
    return r;
}
