/* math_double.h: elementary functions in double precision; errors are the classes of the CUDA C++ Programming Guide, "Mathematical
 * Functions", and are measured by the unit tests. */
#pragma once

#include "math_core.h"

/* --- exponentials and logarithms --- */

WARPSCOPE_MATH double warpscope_exp(double x) { return warpscope_exp_pair(x, 0); }

WARPSCOPE_MATH double warpscope_exp2(double x) {
    WARPSCOPE_EXACT
    if (warpscope_isnan(x)) return x;
    if (x > 1024) return WARPSCOPE_INF;
    if (x < -1076) return 0;
    double k = __builtin_rint(x), r = x - k;
    double t = r * 0x1.62e42fefa39efp-1;
    double tail = __builtin_fma(r, 0x1.62e42fefa39efp-1, -t) + r * 0x1.abc9e3b39803fp-56;
    return warpscope_exp_kernel(t, tail, (int)k);
}

WARPSCOPE_MATH double warpscope_exp10(double x) {
    WARPSCOPE_EXACT
    if (warpscope_isnan(x)) return x;
    if (x > 309) return WARPSCOPE_INF;
    if (x < -324) return 0;
    double k = __builtin_rint(x * 0x1.a934f0979a371p+1);
    double r = __builtin_fma(-k, 0x1.34413509f79ffp-2, x), r_lo = k * 0x1.9dc1da994fd21p-59;
    double t = r * 0x1.26bb1bbb55516p+1;
    double tail = __builtin_fma(r, 0x1.26bb1bbb55516p+1, -t) - r * 0x1.f48ad494ea3e9p-53 + r_lo * 0x1.26bb1bbb55516p+1;
    return warpscope_exp_kernel(t, tail, (int)k);
}

WARPSCOPE_MATH double warpscope_expm1(double x) {
    WARPSCOPE_EXACT
    if (warpscope_isnan(x)) return x;
    if (x > 710) return WARPSCOPE_INF;
    if (x < -40) return -1;
    double k = __builtin_rint(x * 0x1.71547652b82fep+0);
    double t = __builtin_fma(-k, 0x1.62e42fefa39efp-1, x), tail = -k * 0x1.abc9e3b39803fp-56;
    double rest = t * t * warpscope_exp_poly(t);
    double m = t + __builtin_fma(tail, t + rest, tail + rest);
    if (k == 0) return x == 0 ? x : m;
    if (k == 1024) return 2 * __builtin_fma(m, 0x1p1023, 0x1p1023);
    double power = warpscope_power2((int)k);
    return __builtin_fma(m, power, power - 1);
}

/* What every logarithm does with zero, negative numbers, infinity and NaN; true when x is none of these. */
WARPSCOPE_MATH int warpscope_log_special(double x, double *result) {
    *result = x == 0 ? -WARPSCOPE_INF : x < 0 ? WARPSCOPE_NAN : x;
    return x > 0 && x < WARPSCOPE_INF;
}

WARPSCOPE_MATH double warpscope_log(double x) {
    WARPSCOPE_EXACT
    double special;
    if (!warpscope_log_special(x, &special)) return special;
    int k;
    double f = warpscope_split(x, &k) - 1;
    double half = 0.5 * f * f;
    return k * 0x1.62e42feep-1 - ((half - (warpscope_log_tail(f) + k * 0x1.a39ef35793c76p-33)) - f);
}

/* log(1 + f) as a pair. */
WARPSCOPE_MATH WarpscopePair warpscope_log_split(double f) {
    WARPSCOPE_EXACT
    double half = 0.5 * f * f;
    WarpscopePair r;
    r.hi = f - half;
    r.lo = ((f - r.hi) - half) + (warpscope_log_tail(f) - __builtin_fma(0.5 * f, f, -half));
    return r;
}

WARPSCOPE_MATH double warpscope_log2(double x) {
    WARPSCOPE_EXACT
    double special;
    if (!warpscope_log_special(x, &special)) return special;
    int k;
    WarpscopePair m = warpscope_log_split(warpscope_split(x, &k) - 1);
    double c = 0x1.71547652b82fep+0;
    double p = m.hi * c, tail = __builtin_fma(m.hi, c, -p) + (m.hi * 0x1.777d0ffda0d24p-56 + m.lo * c);
    double w = k + p;
    return w + (((k - w) + p) + tail);
}

WARPSCOPE_MATH double warpscope_log10(double x) {
    WARPSCOPE_EXACT
    double special;
    if (!warpscope_log_special(x, &special)) return special;
    int k;
    WarpscopePair m = warpscope_log_split(warpscope_split(x, &k) - 1);
    double c = 0x1.bcb7b1526e50ep-2;
    double p = m.hi * c, tail = __builtin_fma(m.hi, c, -p) + (m.hi * 0x1.95355baaafad3p-57 + m.lo * c);
    double whole = k * 0x1.34413509f6p-2; /* exact: the constant ends in 13 zero bits */
    double w = whole + p;
    return w + (((whole - w) + p) + (tail + k * 0x1.9fef311f12b36p-42));
}

WARPSCOPE_MATH double warpscope_log1p(double x) {
    WARPSCOPE_EXACT
    double special;
    if (x <= -1 || !(x < WARPSCOPE_INF)) {
        warpscope_log_special(1 + x, &special);
        return special;
    }
    if (__builtin_fabs(x) < 0x1p-54) return x;
    int k = 0;
    double f = x, lost = 0;
    if (!(x > -0.2928 && x < 0.4142)) {
        double u = 1 + x;
        f = warpscope_split(u, &k) - 1;
        lost = (x > 1 ? 1 - (u - x) : x - (u - 1)) / u;
    }
    double half = 0.5 * f * f;
    return k * 0x1.62e42feep-1 - ((half - (warpscope_log_tail(f) + (k * 0x1.a39ef35793c76p-33 + lost))) - f);
}

/* 0: not whole, 1: odd, 2: even. */
WARPSCOPE_MATH int warpscope_parity(double y) {
    double a = __builtin_fabs(y);
    if (a >= 0x1p53) return 2;
    if (__builtin_trunc(a) != a) return 0;
    return __builtin_trunc(a * 0.5) * 2 == a ? 2 : 1;
}

WARPSCOPE_MATH double warpscope_pow(double x, double y) {
    WARPSCOPE_EXACT
    if (y == 0 || x == 1) return 1;
    if (warpscope_isnan(x) || warpscope_isnan(y)) return x + y;
    double a = __builtin_fabs(x);
    if (warpscope_isinf(y)) return a == 1 ? 1 : (a > 1) == (y > 0) ? WARPSCOPE_INF : 0;
    int parity = warpscope_parity(y);
    double sign = parity == 1 ? __builtin_copysign(1, x) : 1;
    if (a == 0) return y > 0 ? sign * 0 : sign * WARPSCOPE_INF;
    if (a == WARPSCOPE_INF) return y > 0 ? sign * WARPSCOPE_INF : sign * 0;
    if (x < 0 && parity == 0) return WARPSCOPE_NAN;
    WarpscopePair log = warpscope_log_pair(a);
    double hi = y * log.hi;
    if (!(__builtin_fabs(hi) < 2000)) return sign * (hi > 0 ? WARPSCOPE_INF : 0);
    return sign * warpscope_exp_pair(hi, __builtin_fma(y, log.hi, -hi) + y * log.lo);
}

/* --- trigonometric functions --- */

/* An angle as quarter * pi/2 + hi + lo, |hi| <= pi/4; only quarter mod 4 matters. */
typedef struct WarpscopeAngle {
    double hi, lo;
    int quarter;
} WarpscopeAngle;

/* 2/pi in binary after 64 zero bits: bit 64 has the weight 1/2. */
WARPSCOPE_TABLE const unsigned long long warpscope_two_over_pi[20] = {
    0x0000000000000000u, 0xa2f9836e4e441529u, 0xfc2757d1f534ddc0u, 0xdb6295993c439041u, 0xfe5163abdebbc561u,
    0xb7246e3a424dd2e0u, 0x06492eea09d1921cu, 0xfe1deb1cb129a73eu, 0xe88235f52ebb4484u, 0xe99c7026b45f7e41u,
    0x3991d639835339f4u, 0x9c845f8bbdf9283bu, 0x1ff897ffde05980fu, 0xef2f118b5a0a6d1fu, 0x6d367ecf27cb09b7u,
    0x4f463f669e5fea2du, 0x7527bac7ebe5f17bu, 0x3d0739f78a5292eau, 0x6bfb5fb11f8d5d08u, 0x56033046fc7b6babu};

/* Payne and Hanek: of x * 2/pi only the bits below weight 4 are computed, 192 of them. For 2^20 <= |x| < infinity. */
WARPSCOPE_RARE WarpscopeAngle warpscope_reduce_large(double x) {
    unsigned long long bits = warpscope_bits(x);
    unsigned long long mantissa = (bits & 0x000fffffffffffffu) | 0x0010000000000000u;
    int exponent = (int)(bits >> 52 & 0x7ff) - 1075; /* |x| = mantissa * 2^exponent */
    int offset = exponent - 2 + 64, shift = offset % 64;
    const unsigned long long *word = warpscope_two_over_pi + offset / 64;
    unsigned long long v[3];
    for (int i = 0; i < 3; i++) v[i] = shift ? word[i] << shift | word[i + 1] >> (64 - shift) : word[i];
    unsigned __int128 low = (unsigned __int128)mantissa * v[2];
    unsigned __int128 middle = (unsigned __int128)mantissa * v[1] + (unsigned long long)(low >> 64);
    unsigned long long top = mantissa * v[0] + (unsigned long long)(middle >> 64);
    unsigned __int128 fraction =
        (unsigned __int128)top << 66 | (unsigned __int128)(unsigned long long)middle << 2 | (unsigned long long)low >> 62;
    WarpscopeAngle r;
    r.quarter = (int)(top >> 62);
    int negative = (int)(fraction >> 127); /* past the half: the next quarter is nearer */
    r.quarter += negative;
    if (negative) fraction = -fraction;
    int zeros = (unsigned long long)(fraction >> 64) ? __builtin_clzll((unsigned long long)(fraction >> 64))
                                                     : 64 + __builtin_clzll((unsigned long long)fraction | 1);
    fraction <<= zeros;
    double scale = warpscope_power2(-53 - zeros);
    double hi = (double)(unsigned long long)(fraction >> 75) * scale;
    double lo = (double)(unsigned long long)(fraction >> 22 & 0x1fffffffffffffu) * (scale * 0x1p-53);
    r.hi = hi * 0x1.921fb54442d18p+0;
    r.lo = __builtin_fma(hi, 0x1.921fb54442d18p+0, -r.hi) + (hi * 0x1.1a62633145c07p-54 + lo * 0x1.921fb54442d18p+0);
    if (negative != (x < 0)) {
        r.hi = -r.hi;
        r.lo = -r.lo;
    }
    if (x < 0) r.quarter = -r.quarter;
    return r;
}

/* For finite x. Cody and Waite with pi/2 in three pieces, exact under fma. */
WARPSCOPE_MATH WarpscopeAngle warpscope_reduce(double x) {
    WARPSCOPE_EXACT
    if (!(__builtin_fabs(x) < 0x1p20)) return warpscope_reduce_large(x);
    double k = __builtin_rint(x * 0x1.45f306dc9c883p-1);
    double r = __builtin_fma(-k, 0x1.921fb54442d18p+0, x);
    double p = k * 0x1.1a62633145c07p-54, p_lo = __builtin_fma(k, 0x1.1a62633145c07p-54, -p);
    WarpscopeAngle angle;
    angle.hi = r - p;
    double back = r - angle.hi; /* two-sum: after cancellation p may be the larger one */
    angle.lo = (r - (angle.hi + back)) + (back - p) - p_lo + k * 0x1.f1976b7ed8fbcp-110;
    angle.quarter = (int)k;
    return angle;
}

/* sin(x + y) and cos(x + y) for |x| <= pi/4; the polynomials are (sin x - x) / x^3 and (cos x - 1 + x^2/2) / x^4 in x^2. */
WARPSCOPE_MATH double warpscope_sin_kernel(double x, double y) {
    WARPSCOPE_EXACT
    double z = x * x, v = z * x;
    double p = WARPSCOPE_POLY(z, 0x1.5e098556d302ep-33, -0x1.ae60069e53ef1p-26, 0x1.71de379252004p-19, -0x1.a01a019e80693p-13,
            0x1.1111111110ba5p-7);
    return x - ((z * (0.5 * y - v * p) - y) - v * -0x1.5555555555555p-3);
}
WARPSCOPE_MATH double warpscope_cos_kernel(double x, double y) {
    WARPSCOPE_EXACT
    double z = x * x;
    double p = WARPSCOPE_POLY(z, -0x1.907c0e63adbb6p-37, 0x1.1eeb66b683028p-29, -0x1.27e4fa15bd814p-22, 0x1.a01a019f4d0edp-16,
            -0x1.6c16c16c16960p-10, 0x1.5555555555555p-5);
    double half = 0.5 * z, w = 1 - half;
    return w + (((1 - w) - half) + (z * (z * p) - x * y));
}

WARPSCOPE_MATH double warpscope_sin_angle(WarpscopeAngle a) {
    double r = a.quarter & 1 ? warpscope_cos_kernel(a.hi, a.lo) : warpscope_sin_kernel(a.hi, a.lo);
    return a.quarter & 2 ? -r : r;
}

/* Infinity has no sine; NaN stays. */
WARPSCOPE_MATH double warpscope_sin(double x) {
    if (!(__builtin_fabs(x) < WARPSCOPE_INF)) return x - x;
    if (x == 0) return x;
    return warpscope_sin_angle(warpscope_reduce(x));
}
WARPSCOPE_MATH double warpscope_cos(double x) {
    if (!(__builtin_fabs(x) < WARPSCOPE_INF)) return x - x;
    WarpscopeAngle a = warpscope_reduce(x);
    a.quarter++;
    return warpscope_sin_angle(a);
}
WARPSCOPE_MATH double warpscope_tan_angle(WarpscopeAngle a) {
    double s = warpscope_sin_kernel(a.hi, a.lo), c = warpscope_cos_kernel(a.hi, a.lo);
    return a.quarter & 1 ? -c / s : s / c;
}
WARPSCOPE_MATH double warpscope_tan(double x) {
    if (!(__builtin_fabs(x) < WARPSCOPE_INF)) return x - x;
    return x == 0 ? x : warpscope_tan_angle(warpscope_reduce(x));
}
WARPSCOPE_MATH void warpscope_sincos(double x, double *sine, double *cosine) {
    if (!(__builtin_fabs(x) < WARPSCOPE_INF)) {
        *sine = *cosine = x - x;
        return;
    }
    WarpscopeAngle a = warpscope_reduce(x);
    *sine = x == 0 ? x : warpscope_sin_angle(a);
    a.quarter++;
    *cosine = warpscope_sin_angle(a);
}

/* pi * x has no rounding in its reduction: whole halves are taken away first. */
WARPSCOPE_MATH WarpscopeAngle warpscope_reduce_pi(double x) {
    WARPSCOPE_EXACT
    double k = __builtin_rint(2 * x), r = __builtin_fma(-0.5, k, x);
    WarpscopeAngle a;
    a.hi = r * 0x1.921fb54442d18p+1;
    a.lo = __builtin_fma(r, 0x1.921fb54442d18p+1, -a.hi) + r * 0x1.1a62633145c07p-53;
    k -= 4 * __builtin_floor(0.25 * k);
    a.quarter = (int)k;
    return a;
}
WARPSCOPE_MATH double warpscope_sinpi(double x) {
    if (!(__builtin_fabs(x) < WARPSCOPE_INF)) return x - x;
    if (__builtin_trunc(x) == x) return __builtin_copysign(0.0, x);
    return warpscope_sin_angle(warpscope_reduce_pi(x));
}
WARPSCOPE_MATH double warpscope_cospi(double x) {
    if (!(__builtin_fabs(x) < WARPSCOPE_INF)) return x - x;
    WarpscopeAngle a = warpscope_reduce_pi(x);
    a.quarter++;
    return a.hi == 0 && a.quarter % 2 == 0 ? 0 : warpscope_sin_angle(a);
}

/* --- their inverses --- */

/* (atan(x) - x) / x^3 in z = x^2 <= 1, to 2^-51.7 of a term that is at most a fifth of the whole. */
WARPSCOPE_MATH double warpscope_atan_poly(double z) {
    return WARPSCOPE_POLY(z, 0x1.2f07811f9f6e9p-16, -0x1.a359b96a4eee4p-13, 0x1.1325b2f8964bep-10, -0x1.ca3677db66678p-9,
            0x1.123baedb61abdp-7, -0x1.fd0e4de8fed90p-7, 0x1.843f4bca23369p-6, -0x1.00390504e9f2fp-5, 0x1.3328700bb8169p-5,
            -0x1.5d02278205cc7p-5, 0x1.841dcf603a209p-5, -0x1.aebbb1647a168p-5, 0x1.e1d0239d392a6p-5, -0x1.110fff599e4d2p-4,
            0x1.3b1399d1dcdc7p-4, -0x1.745d15ee35819p-4, 0x1.c71c71bb00a6cp-4, -0x1.24924924753ecp-3, 0x1.9999999999620p-3,
            -0x1.5555555555555p-2);
}

/* atan(y / x) for 0 <= y, 0 <= x, not both 0 or infinite. */
WARPSCOPE_MATH double warpscope_atan_quotient(double y, double x) {
    WARPSCOPE_EXACT
    int swap = y > x;
    double t = swap ? x / y : y / x, z = t * t;
    double tail = t * (z * warpscope_atan_poly(z));
    return swap ? 0x1.921fb54442d18p+0 - (t + (tail - 0x1.1a62633145c07p-54)) : t + tail;
}
WARPSCOPE_MATH double warpscope_atan(double x) {
    if (warpscope_isnan(x) || x == 0) return x;
    return __builtin_copysign(warpscope_atan_quotient(__builtin_fabs(x), 1), x);
}
WARPSCOPE_MATH double warpscope_atan2(double y, double x) {
    WARPSCOPE_EXACT
    if (warpscope_isnan(x) || warpscope_isnan(y)) return x + y;
    double ay = __builtin_fabs(y), ax = __builtin_fabs(x), angle;
    int behind = __builtin_copysign(1, x) < 0;
    if (ay == ax && (ay == 0 || ay == WARPSCOPE_INF)) {
        angle = ay == 0 ? 0 : 0x1.921fb54442d18p-1;
    } else {
        angle = warpscope_atan_quotient(ay, ax);
    }
    if (behind) angle = 0x1.921fb54442d18p+1 - (angle - 0x1.1a62633145c07p-53);
    return __builtin_copysign(angle, y);
}

/* (asin(x) - x) / x^3 in z = x^2 <= 1/4, to 2^-53. */
WARPSCOPE_MATH double warpscope_asin_poly(double z) {
    return WARPSCOPE_POLY(z, 0x1.d72b2bc8155f8p-6, -0x1.e6aaa8a0a04ccp-7, 0x1.1d189408314eep-6, 0x1.65a9c4dfcf8b2p-8,
            0x1.52420b04b37bep-7, 0x1.782651caa6547p-7, 0x1.c9cf07674736ap-7, 0x1.1c4d35cf95421p-6, 0x1.6e8bb1c8209a2p-6,
            0x1.f1c71c1db0623p-6, 0x1.6db6db6e31f13p-5, 0x1.3333333332ecap-4, 0x1.5555555555556p-3);
}
/* For 1/2 <= a <= 1, asin(a) = pi/2 - 2 asin(sqrt((1 - a) / 2)): the root, what it lacks, and the tail of its arc sine. */
WARPSCOPE_MATH WarpscopePair warpscope_asin_root(double a) {
    WARPSCOPE_EXACT
    double z = 0.5 * (1 - a), s = __builtin_sqrt(z);
    double missing = z == 0 ? 0 : __builtin_fma(-s, s, z) / (2 * s);
    WarpscopePair r = {s, s * (z * warpscope_asin_poly(z)) + missing};
    return r;
}
WARPSCOPE_MATH double warpscope_asin(double x) {
    WARPSCOPE_EXACT
    double a = __builtin_fabs(x), z = x * x;
    if (!(a <= 1)) return WARPSCOPE_NAN;
    if (a < 0.5) return x + x * (z * warpscope_asin_poly(z));
    WarpscopePair root = warpscope_asin_root(a);
    return __builtin_copysign((0x1.921fb54442d18p+0 - 2 * root.hi) - (2 * root.lo - 0x1.1a62633145c07p-54), x);
}
WARPSCOPE_MATH double warpscope_acos(double x) {
    WARPSCOPE_EXACT
    double a = __builtin_fabs(x), z = x * x;
    if (!(a <= 1)) return WARPSCOPE_NAN;
    if (a < 0.5) return 0x1.921fb54442d18p+0 - (x - (0x1.1a62633145c07p-54 - x * (z * warpscope_asin_poly(z))));
    WarpscopePair root = warpscope_asin_root(a);
    double angle = 2 * (root.hi + root.lo);
    return x > 0 ? angle : 0x1.921fb54442d18p+1 - (2 * root.hi + (2 * root.lo - 0x1.1a62633145c07p-53));
}

/* --- hyperbolic functions --- */

WARPSCOPE_MATH double warpscope_sinh(double x) {
    double a = __builtin_fabs(x), h = __builtin_copysign(0.5, x);
    if (!(a < 22)) return warpscope_isnan(x) ? x : __builtin_copysign(warpscope_exp_shifted(a, 0, -1), x);
    double t = warpscope_expm1(a);
    if (a < 0x1p-28) return x;
    return a < 1 ? h * (2 * t - t * t / (t + 1)) : h * (t + t / (t + 1));
}
WARPSCOPE_MATH double warpscope_cosh(double x) {
    double a = __builtin_fabs(x);
    if (!(a < 22)) return warpscope_isnan(x) ? x : warpscope_exp_shifted(a, 0, -1);
    if (a < 0.7) {
        double t = warpscope_expm1(a);
        return 1 + t * t / (2 * (1 + t));
    }
    double e = warpscope_exp(a);
    return 0.5 * e + 0.5 / e;
}
/* Below 0.55 (tanh(x) - x) / x^3 in x^2, to 2^-53.7. */
WARPSCOPE_MATH double warpscope_tanh(double x) {
    double a = __builtin_fabs(x), z = x * x;
    if (warpscope_isnan(x) || a < 0x1p-28) return x;
    if (a > 0.55) return __builtin_copysign(a > 20 ? 1 : 1 - 2 / (warpscope_expm1(2 * a) + 2), x);
    double p = WARPSCOPE_POLY(z, -0x1.546807b2df0a7p-16, 0x1.6313f634c2327p-14, -0x1.eb7963777b35fp-13, 0x1.34b8c5cadd5bep-11,
            -0x1.7d967d0cab245p-10, 0x1.d6d323bf00283p-9, -0x1.226e32869b4a2p-7, 0x1.664f4874c2a52p-6, -0x1.ba1ba1b9f8362p-5,
            0x1.1111111110ff9p-3, -0x1.5555555555555p-2);
    return x + x * (z * p);
}
WARPSCOPE_MATH double warpscope_asinh(double x) {
    double a = __builtin_fabs(x), r;
    if (!(a < WARPSCOPE_INF) || a < 0x1p-28) return x;
    if (a > 0x1p28) {
        r = warpscope_log(a) + 0x1.62e42fefa39efp-1;
    } else if (a > 2) {
        r = warpscope_log(2 * a + 1 / (__builtin_sqrt(a * a + 1) + a));
    } else {
        r = warpscope_log1p(a + a * a / (__builtin_sqrt(a * a + 1) + 1));
    }
    return __builtin_copysign(r, x);
}
WARPSCOPE_MATH double warpscope_acosh(double x) {
    if (!(x >= 1)) return WARPSCOPE_NAN;
    if (x < 2) return warpscope_log1p(x - 1 + __builtin_sqrt((x - 1) * (x - 1) + 2 * (x - 1)));
    if (x < 0x1p28) return warpscope_log(2 * x - 1 / (x + __builtin_sqrt(x * x - 1)));
    return warpscope_log(x) + 0x1.62e42fefa39efp-1;
}
WARPSCOPE_MATH double warpscope_atanh(double x) {
    double a = __builtin_fabs(x);
    if (!(a <= 1)) return WARPSCOPE_NAN;
    double r = a < 0.5 ? 0.5 * warpscope_log1p(2 * a + 2 * a * a / (1 - a)) : 0.5 * warpscope_log1p(2 * (a / (1 - a)));
    return a < 0x1p-28 ? x : __builtin_copysign(r, x);
}
