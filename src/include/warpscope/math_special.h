/* math_special.h: error functions, gamma functions, roots and distances, remainders, in double precision. */
#pragma once

#include "math_double.h"

/* --- roots and distances --- */

WARPSCOPE_MATH double warpscope_cbrt(double x) {
    WARPSCOPE_EXACT
    if (x == 0 || !(__builtin_fabs(x) < WARPSCOPE_INF)) return x;
    double a = __builtin_fabs(x);
    int exponent, third;
    double unit = warpscope_split(a, &exponent);
    third = (exponent + 3072) / 3 - 1024; /* floor(exponent / 3) */
    double m = unit * warpscope_power2(exponent - 3 * third);
    double t = __builtin_fma(__builtin_fma(m, -0.0146, 0.2745), m, 0.7401); /* within 5 % for 0.7 <= m < 5.7 */
    for (int i = 0; i < 3; i++) t -= (t * t * t - m) / (3 * t * t);
    double square = t * t;
    double over = __builtin_fma(square, t, -m) + __builtin_fma(t, t, -square) * t;
    t -= over / (3 * square);
    return __builtin_copysign(t * warpscope_power2(third), x);
}

/* a^2 + b^2 + c^2 + d^2 times *scale^2, a power of two by which no square overflows or vanishes. */
WARPSCOPE_MATH WarpscopePair warpscope_squares(double a, double b, double c, double d, double *scale) {
    WARPSCOPE_EXACT
    double v[4] = {__builtin_fabs(a), __builtin_fabs(b), __builtin_fabs(c), __builtin_fabs(d)}, most = 0, sum = 0, lost = 0;
    for (int i = 0; i < 4; i++) most = v[i] > most ? v[i] : most;
    *scale = most > 0x1p500 ? 0x1p-600 : most < 0x1p-400 ? 0x1p600 : 1;
    for (int i = 0; i < 4; i++) {
        double x = v[i] * *scale, square = x * x, before = sum;
        sum += square;
        double back = sum - before;
        lost += __builtin_fma(x, x, -square) + ((before - (sum - back)) + (square - back));
    }
    WarpscopePair r;
    r.hi = sum + lost;
    r.lo = sum - r.hi + lost;
    return r;
}
WARPSCOPE_MATH int warpscope_any_infinite(double a, double b, double c, double d) {
    return warpscope_isinf(a) || warpscope_isinf(b) || warpscope_isinf(c) || warpscope_isinf(d);
}
/* The root of the sum of the squares. */
WARPSCOPE_MATH double warpscope_norm4(double a, double b, double c, double d) {
    if (warpscope_any_infinite(a, b, c, d)) return WARPSCOPE_INF;
    double scale;
    WarpscopePair sum = warpscope_squares(a, b, c, d, &scale);
    return __builtin_sqrt(sum.hi) / scale;
}
/* 1 over it: a first value, and one step of Newton's by what that is off. */
WARPSCOPE_MATH double warpscope_rnorm4(double a, double b, double c, double d) {
    WARPSCOPE_EXACT
    if (warpscope_any_infinite(a, b, c, d)) return 0;
    double scale;
    WarpscopePair sum = warpscope_squares(a, b, c, d, &scale);
    double r = 1 / __builtin_sqrt(sum.hi), t = sum.hi * r;
    if (!(r < WARPSCOPE_INF)) return r;
    double off = __builtin_fma(-t, r, 1) - r * (__builtin_fma(sum.hi, r, -t) + sum.lo * r);
    return __builtin_fma(0.5 * r, off, r) * scale;
}
WARPSCOPE_MATH double warpscope_hypot(double a, double b) { return warpscope_norm4(a, b, 0, 0); }
WARPSCOPE_MATH double warpscope_rhypot(double a, double b) { return warpscope_rnorm4(a, b, 0, 0); }

/* --- error functions --- */

/* (erf(x) - x) / x in z = x^2 <= 1. */
WARPSCOPE_MATH double warpscope_erf_small(double x) {
    double z = x * x;
    double p = WARPSCOPE_POLY(z, -0x1.29b9f1b3df556p-38, 0x1.7f072188e194dp-34, -0x1.4e607b41a6416p-30, 0x1.fc4356498c2d9p-27,
            -0x1.5f6d925a0bc7ap-23, 0x1.b9e6509b9867dp-20, -0x1.f4d2561aeafd4p-17, 0x1.f9a326c233146p-14,
            -0x1.c02db3feeb579p-11, 0x1.565bcd0e6502dp-8, -0x1.b82ce312889bap-6, 0x1.ce2f21a042bdep-4, -0x1.812746b0379e7p-2,
            0x1.06eba8214db69p-3);
    return __builtin_fma(x, p, x);
}
/* (1 + 2x) e^(x^2) erfc(x) in t = (x - 4) / (x + 4), for x >= 1/2; to 2^-54. The polynomial is Schonfelder's idea. */
WARPSCOPE_MATH double warpscope_erfcx_tail(double x) {
    WARPSCOPE_EXACT
    double t = (x - 4) / (x + 4);
    t += __builtin_fma(-t, x + 4, x - 4) / (x + 4);
    double p = WARPSCOPE_POLY(t, -0x1.c0f3551bcce05p-34, 0x1.ebdca0df87410p-29, -0x1.412a689fa9143p-27, -0x1.982485fcf853fp-26,
            0x1.ba15570a603b9p-24, 0x1.650d80270190ep-24, -0x1.b7e8cff542ad9p-21, 0x1.33f08ed87c362p-22, 0x1.7ef5cbadc78b8p-18,
            -0x1.786d7f14c3ed9p-17, -0x1.9955283a149c1p-16, 0x1.3bdfc1271e7b7p-13, -0x1.a1df40d221e84p-13,
            -0x1.8d4a9329a289ap-11, 0x1.49c672a31184ap-8, -0x1.0962388c72492p-6, 0x1.3079edf638b81p-5, -0x1.0fb06dfe23568p-4,
            0x1.7fee004e13fd3p-4, -0x1.9ddb23c3eaa04p-4, 0x1.16ecefcfa5302p-4, 0x1.f7f5df66fdb01p-7, -0x1.1df1ad154a28ep-3,
            0x1.3ba5916e9fd7fp+0);
    return x < 0x1p1000 ? p / (1 + 2 * x) : p / x * 0.5;
}
/* e^(sign * x^2), the square kept as a pair. */
WARPSCOPE_MATH double warpscope_exp_square(double x, double sign) {
    WARPSCOPE_EXACT
    double square = x * x;
    return warpscope_exp_pair(sign * square, sign * __builtin_fma(x, x, -square));
}
WARPSCOPE_MATH double warpscope_erfc(double x) {
    if (warpscope_isnan(x)) return x;
    if (x < 0.5 && x > -0.5) return 1 - warpscope_erf_small(x);
    double a = __builtin_fabs(x);
    if (a > 28) return x > 0 ? 0 : 2;
    double r = warpscope_exp_square(a, -1) * warpscope_erfcx_tail(a);
    return x > 0 ? r : 2 - r;
}
WARPSCOPE_MATH double warpscope_erf(double x) {
    double a = __builtin_fabs(x);
    if (warpscope_isnan(x) || a < 0x1p-500) return x * 0x1.20dd750429b6dp+0;
    if (a <= 1) return warpscope_erf_small(x);
    return __builtin_copysign(a > 6 ? 1 : 1 - warpscope_erfc(a), x);
}
WARPSCOPE_MATH double warpscope_erfcx(double x) {
    if (warpscope_isnan(x)) return x;
    if (x >= 0.5) return x == WARPSCOPE_INF ? 0 : warpscope_erfcx_tail(x);
    if (x < -27) return WARPSCOPE_INF;
    return warpscope_exp_square(x, 1) * warpscope_erfc(x);
}

/* erfc(-x / sqrt 2) / 2, with the quotient's rounding put right: far out it would be magnified by x^2. */
WARPSCOPE_MATH double warpscope_normcdf(double x) {
    WARPSCOPE_EXACT
    if (x < -39 || x > 39) return x > 0;
    double t = x * -0x1.6a09e667f3bcdp-1;
    double t_lo = __builtin_fma(x, -0x1.6a09e667f3bcdp-1, -t) + x * 0x1.bdd3413b26456p-55;
    double r = warpscope_erfc(t);
    if (t > -5) r -= t_lo * (0x1.20dd750429b6dp+0 * warpscope_exp_square(t, -1));
    return 0.5 * r;
}

/* A first guess at erfinv(x) where w = -log(1 - x^2), good to about 2^-20 (M. Giles, "Approximating the erfinv function"). */
WARPSCOPE_MATH double warpscope_erfinv_guess(double x, double w) {
    double p;
    if (w < 5) {
        w -= 2.5;
        p = WARPSCOPE_POLY(w, 2.81022636e-08, 3.43273939e-07, -3.5233877e-06, -4.39150654e-06, 0.00021858087, -0.00125372503,
                -0.00417768164, 0.246640727, 1.50140941);
    } else {
        w = __builtin_sqrt(w) - 3;
        p = WARPSCOPE_POLY(w, -0.000200214257, 0.000100950558, 0.00134934322, -0.00367342844, 0.00573950773, -0.0076224613,
                0.00943887047, 1.00167406, 2.83297682);
    }
    return p * x;
}
/* x with erfc(x) = y, for 0 < y <= 1: Halley's steps, scaled by e^(x^2) so that nothing vanishes far out. */
WARPSCOPE_MATH double warpscope_erfcinv_half(double y) {
    WARPSCOPE_EXACT
    double x = y > 1e-7 ? warpscope_erfinv_guess(1 - y, -warpscope_log(y * (2 - y))) : 0;
    if (y <= 1e-7) {
        double l = -warpscope_log(y * 1.7724538509055159);
        x = __builtin_sqrt(l - 0.5 * warpscope_log(l));
    }
    for (int i = 0; i < 4; i++) {
        double scaled = x < 0.5 ? warpscope_exp_square(x, 1) * warpscope_erfc(x) : warpscope_erfcx_tail(x);
        double square = x * x, grown = warpscope_exp_shifted(square, __builtin_fma(x, x, -square), -100);
        double off = scaled - y * 0x1p100 * grown; /* (erfc(x) - y) e^(x^2) */
        double u = off * 0x1.c5bf891b4ef6bp-1;     /* sqrt(pi) / 2 */
        x += u / (1 - x * u);
    }
    return x;
}
WARPSCOPE_MATH double warpscope_erfinv(double x) {
    double a = __builtin_fabs(x);
    if (!(a <= 1)) return WARPSCOPE_NAN;
    if (a == 1) return x * WARPSCOPE_INF;
    if (a > 0.5) return __builtin_copysign(warpscope_erfcinv_half(1 - a), x);
    double r = warpscope_erfinv_guess(x, -warpscope_log((1 - x) * (1 + x)));
    for (int i = 0; i < 2; i++) {
        double u = (warpscope_erf(r) - x) * 0x1.c5bf891b4ef6bp-1 * warpscope_exp_square(r, 1);
        r -= u / (1 + r * u);
    }
    return r;
}
WARPSCOPE_MATH double warpscope_erfcinv(double y) {
    if (!(y >= 0 && y <= 2)) return WARPSCOPE_NAN;
    if (y == 0 || y == 2) return y == 0 ? WARPSCOPE_INF : -WARPSCOPE_INF;
    if (y > 0.5 && y < 1.5) return warpscope_erfinv(1 - y); /* exact: beside 1 erfc's own digits say nothing of x */
    return y <= 1 ? warpscope_erfcinv_half(y) : -warpscope_erfcinv_half(2 - y);
}
WARPSCOPE_MATH double warpscope_normcdfinv(double p) { return -0x1.6a09e667f3bcdp+0 * warpscope_erfcinv(2 * p); }

/* --- gamma functions --- */

/* 1 / gamma(2 + u) for |u| <= 1/2, to 2^-57. */
WARPSCOPE_MATH double warpscope_rgamma_poly(double u) {
    return WARPSCOPE_POLY(u, 0x1.b56e3694c9c1cp-28, -0x1.87f0cd548923dp-30, -0x1.b95493e7f5d6ep-23, 0x1.6770696145deep-20,
            -0x1.5b7cee214bce4p-19, -0x1.265f5c225ac70p-16, 0x1.315655486e68bp-13, -0x1.7a5da90bd01dbp-12,
            -0x1.a5b350a63fcbcp-11, 0x1.06e8179df52bap-7, -0x1.21198511758ccp-6, -0x1.92449b66f0de4p-6, 0x1.875ac5782250ap-3,
            -0x1.dd603fb6ac126p-3, -0x1.b0ee6072093cep-2, 0x1.0000000000000p+0);
}
/* What Stirling's formula lacks for x >= 8: log gamma(x) - ((x - 1/2) log x - x + log(2 pi) / 2). */
WARPSCOPE_MATH double warpscope_stirling(double x) {
    double r = 1 / x, z = r * r;
    double p = WARPSCOPE_POLY(z, -0x1.55b3a69f41fdbp-6, 0x1.96db404425ca5p-8, -0x1.f5ff2fda221f6p-10, 0x1.b94f6d658153cp-11,
            -0x1.38137ec06ff8ep-11, 0x1.a01a019ee0dbcp-11, -0x1.6c16c16c16b29p-9, 0x1.5555555555555p-4);
    return r * p;
}
/* log gamma(a) as a pair, for 12 <= a < 1000. */
WARPSCOPE_MATH WarpscopePair warpscope_lgamma_pair(double a) {
    WARPSCOPE_EXACT
    WarpscopePair log = warpscope_log_pair(a), r;
    double b = a - 0.5;
    double p = b * log.hi, p_lo = __builtin_fma(b, log.hi, -p) + b * log.lo;
    double s = p - a, back = s - p;
    p_lo += (p - (s - back)) + (-a - back);
    p_lo += warpscope_stirling(a) + 0x1.d67f1c864beb5p-1;
    r.hi = s + p_lo;
    r.lo = (s - r.hi) + p_lo;
    return r;
}
WARPSCOPE_MATH double warpscope_tgamma(double x) {
    WARPSCOPE_EXACT
    if (x == 0) return 1 / x;
    if (warpscope_isnan(x) || x == WARPSCOPE_INF) return x;
    int whole = __builtin_floor(x) == x;
    if (x < 0 && whole) return WARPSCOPE_NAN;
    if (__builtin_fabs(x) < 12) {
        double above = 1, below = 1;
        for (; x > 2.5; above *= x) x -= 1;
        for (; x < 1.5; x += 1) below *= x;
        return above / (warpscope_rgamma_poly(x - 2) * below);
    }
    if (x > 172) return WARPSCOPE_INF;
    if (x < -186) return __builtin_floor(x) * 0.5 == __builtin_floor(__builtin_floor(x) * 0.5) ? 0.0 : -0.0;
    WarpscopePair log = warpscope_lgamma_pair(__builtin_fabs(x));
    if (x > 0) return warpscope_exp_pair(log.hi, log.lo);
    double e = warpscope_exp_shifted(-log.hi, -log.lo, 60); /* the reflection formula; 2^60 keeps it normal */
    return -0x1.921fb54442d18p+1 / (x * warpscope_sinpi(x)) * e * 0x1p-60;
}

/* log gamma(1 + u) / (u (u - 1)) for 0 <= u <= 1, and log gamma(x) / ((x - 1)(x - 2)) for 2 <= x <= 3; to 2^-53.6. */
WARPSCOPE_MATH double warpscope_lgamma_1_2(double u) {
    double v = u - 0.5;
    double p = WARPSCOPE_POLY(v, -0x1.2eb5136d557dbp-16, 0x1.db79b9599b3a6p-16, -0x1.72274bc432ce1p-16, 0x1.25823abba02b4p-15,
            -0x1.1bbedb9aeb43dp-14, 0x1.c3ca9686347cfp-14, -0x1.61af5dcde0802p-13, 0x1.1c0dd4afb9573p-12,
            -0x1.cb4cc1c288e9ep-12, 0x1.7510a4178474dp-11, -0x1.313e688773355p-10, 0x1.f81485f78bbd0p-10, -0x1.a50352d82388ep-9,
            0x1.64f066cdbffa0p-8, -0x1.34dbda13c8fa0p-7, 0x1.13342351dde0fp-6, -0x1.007aa83cee7e5p-5, 0x1.01af62a292e9ep-4,
            -0x1.2aed059bd608ap-3, 0x1.eeb95b094c191p-2);
    return p * u * (u - 1) + 0.0; /* not -0 at u = 0 */
}
WARPSCOPE_MATH double warpscope_lgamma_2_3(double x) {
    double v = x - 2.5;
    double p = WARPSCOPE_POLY(v, -0x1.2030cbd99fa28p-25, 0x1.7cf41d9a811e3p-24, -0x1.b15b9a85d7940p-23, 0x1.210c79bba49bbp-21,
            -0x1.873aeb522d5b2p-20, 0x1.07d9e2af53b04p-18, -0x1.667015ab27ae6p-17, 0x1.eb8ee8a05e504p-16,
            -0x1.5501abd8a8808p-14, 0x1.e05c3d59c366dp-13, -0x1.595120000a053p-11, 0x1.feef08b013722p-10, -0x1.8a722dfc5dd32p-8,
            0x1.462044b0af9dcp-6, -0x1.31d26e9323010p-4, 0x1.84afe00cddfdfp-2);
    return p * (x - 1) * (x - 2);
}
WARPSCOPE_MATH double warpscope_lgamma_positive(double x) {
    if (x < 0x1p-60) return -warpscope_log(x);
    if (x < 1) return warpscope_lgamma_1_2(x) - warpscope_log(x);
    if (x <= 2) return warpscope_lgamma_1_2(x - 1);
    if (x <= 3) return warpscope_lgamma_2_3(x);
    if (x < 8) {
        double product = 1;
        for (; x > 3; product *= x) x -= 1;
        return warpscope_log(product) + warpscope_lgamma_2_3(x);
    }
    if (x > 0x1p55) return x * (warpscope_log(x) - 1);
    return __builtin_fma(x - 0.5, warpscope_log(x) - 1, warpscope_stirling(x) + (0x1.d67f1c864beb5p-1 - 0.5));
}
WARPSCOPE_MATH double warpscope_lgamma(double x) {
    if (warpscope_isnan(x)) return x;
    if (warpscope_isinf(x)) return WARPSCOPE_INF;
    if (x > 0) return warpscope_lgamma_positive(x);
    if (__builtin_floor(x) == x) return WARPSCOPE_INF;
    if (x > -0x1p-60) return -warpscope_log(-x);
    return warpscope_log(0x1.921fb54442d18p+1 / __builtin_fabs(x * warpscope_sinpi(x))) - warpscope_lgamma_positive(-x);
}

/* --- remainders: exact, by long division in binary --- */

/* |a| mod |b| for finite a and b != 0; the quotient's last bits go to *quotient. */
WARPSCOPE_MATH double warpscope_mod(double a, double b, unsigned int *quotient) {
    a = __builtin_fabs(a);
    b = __builtin_fabs(b);
    *quotient = 0;
    if (a < b) return a;
    double whole = a / b;
    if (whole < 0x1p30) { /* one division comes within one of the quotient, and fma makes the rest exact */
        double k = __builtin_trunc(whole), r = __builtin_fma(-k, b, a);
        if (r < 0) {
            k -= 1;
            r += b;
        }
        *quotient = (unsigned int)k;
        return r;
    }
    int ka = (int)(warpscope_bits(a) >> 52), kb = (int)(warpscope_bits(b) >> 52);
    unsigned long long hidden = 0x0010000000000000u, ma = warpscope_bits(a) & (hidden - 1),
                       mb = warpscope_bits(b) & (hidden - 1);
    ma |= ka ? hidden : 0;
    mb |= kb ? hidden : 0;
    ka += ka == 0;
    kb += kb == 0;
    for (; mb < hidden; mb <<= 1) kb--; /* now ma < 2 mb, as each step below keeps it */
    for (int k = ka - kb;; k--) {
        *quotient = *quotient << 1 | (ma >= mb);
        if (ma >= mb) ma -= mb;
        if (k == 0) break;
        ma <<= 1;
    }
    return warpscope_scalbn((double)ma, kb - 1075);
}
WARPSCOPE_MATH double warpscope_fmod(double a, double b) {
    unsigned int quotient;
    if (!(__builtin_fabs(a) < WARPSCOPE_INF) || warpscope_isnan(b) || b == 0) return WARPSCOPE_NAN;
    return warpscope_isinf(b) ? a : __builtin_copysign(warpscope_mod(a, b, &quotient), a);
}
WARPSCOPE_MATH double warpscope_remquo(double a, double b, int *quotient) {
    unsigned int k = 0;
    int negative = !__builtin_signbit(a) != !__builtin_signbit(b);
    *quotient = 0;
    if (!(__builtin_fabs(a) < WARPSCOPE_INF) || warpscope_isnan(b) || b == 0) return WARPSCOPE_NAN;
    if (warpscope_isinf(b)) return a;
    double r = warpscope_mod(a, b, &k), half = 0.5 * __builtin_fabs(b);
    b = __builtin_fabs(b);
    int above = b < 0x1p-1021 ? 2 * r > b || (2 * r == b && k % 2) : r > half || (r == half && k % 2);
    if (above) {
        r -= b;
        k++;
    }
    int low = (int)(k & 0x7fffffff);
    *quotient = negative ? -low : low;
    return __builtin_signbit(a) ? -r : r;
}
WARPSCOPE_MATH double warpscope_remainder(double a, double b) {
    int quotient;
    return warpscope_remquo(a, b, &quotient);
}
