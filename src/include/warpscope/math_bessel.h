/* math_bessel.h: Bessel functions. Up to SERIES the power series, in pairs of doubles, so that the cancellation of its terms leaves enough
 * digits even beside a zero; from there on Hankel's expansion for large arguments (Abramowitz and Stegun, chapter 9). C as well as CUDA
 * C++, as the other files on which math.h is built. */
#pragma once

#include "math_special.h"

#define WARPSCOPE_BESSEL_SERIES 25 /* the expansion's smallest term is then about e^-50 */

/* --- pairs --- */

WARPSCOPE_MATH WarpscopePair warpscope_pair_of(double hi, double lo) {
    WARPSCOPE_EXACT
    WarpscopePair r;
    r.hi = hi + lo;
    r.lo = hi - r.hi + lo; /* |lo| is at most |hi| */
    return r;
}
WARPSCOPE_MATH WarpscopePair warpscope_pair_add(WarpscopePair a, WarpscopePair b) {
    WARPSCOPE_EXACT
    double sum = a.hi + b.hi, part = sum - a.hi, lost = (a.hi - (sum - part)) + (b.hi - part);
    return warpscope_pair_of(sum, lost + (a.lo + b.lo));
}
WARPSCOPE_MATH WarpscopePair warpscope_pair_mul(WarpscopePair a, WarpscopePair b) {
    WARPSCOPE_EXACT
    double product = a.hi * b.hi;
    return warpscope_pair_of(product, __builtin_fma(a.hi, b.hi, -product) + (a.hi * b.lo + a.lo * b.hi));
}
WARPSCOPE_MATH WarpscopePair warpscope_pair_div(WarpscopePair a, double b) {
    WARPSCOPE_EXACT
    double quotient = a.hi / b;
    return warpscope_pair_of(quotient, (__builtin_fma(-quotient, b, a.hi) + a.lo) / b);
}
WARPSCOPE_MATH WarpscopePair warpscope_pair_scale(WarpscopePair a, double b) {
    WarpscopePair factor = {b, 0};
    return warpscope_pair_mul(a, factor);
}

/* --- series --- */

/* (x/2)^n / n! */
WARPSCOPE_MATH WarpscopePair warpscope_bessel_first(int n, double x) {
    WarpscopePair term = {1, 0};
    for (int k = 1; k <= n && term.hi != 0; k++) term = warpscope_pair_div(warpscope_pair_scale(term, 0.5 * x), k);
    return term;
}

/* Sum of (x/2)^(n+2k) * sign^k / (k! (n+k)!): J_n for sign -1, I_n for +1; 0 <= x. */
WARPSCOPE_RARE WarpscopePair warpscope_bessel_series(int n, double x, double sign) {
    WarpscopePair term = warpscope_bessel_first(n, x), sum = term, half = {0.5 * x, 0};
    WarpscopePair q = warpscope_pair_scale(warpscope_pair_mul(half, half), sign);
    double largest = __builtin_fabs(term.hi);
    for (int k = 1; k < 400; k++) {
        term = warpscope_pair_div(warpscope_pair_mul(term, q), (double)k * (n + k));
        sum = warpscope_pair_add(sum, term);
        double size = __builtin_fabs(term.hi);
        if (size > largest) largest = size;
        if (size <= largest * 0x1p-108) break;
    }
    return sum;
}

/* Y_0 and Y_1 are ln(x/2) + gamma times J_n, and a series with harmonic numbers:
 *   Y_0 = 2/pi * ((ln(x/2) + gamma) J_0 - sum of H_k t_k),                     t_k = (-x^2/4)^k / k!^2
 *   Y_1 = 2/pi * ((ln(x/2) + gamma) J_1 - 1/x) - 1/pi * sum of (H_k + H_(k+1)) t_k,  t_k = x/2 (-x^2/4)^k / (k! (k+1)!) */
WARPSCOPE_RARE double warpscope_neumann_series(int n, double x) {
    const WarpscopePair gamma = {0x1.2788cfc6fb619p-1, -0x1.6cb90701fbfabp-58};
    const WarpscopePair two_over_pi = {0x1.45f306dc9c883p-1, -0x1.6b01ec5417056p-55}, one = {1, 0}, nothing = {0, 0};
    WarpscopePair log = warpscope_pair_add(warpscope_log_pair(0.5 * x), gamma);
    WarpscopePair term = warpscope_bessel_first(n, x), half = {0.5 * x, 0};
    WarpscopePair q = warpscope_pair_scale(warpscope_pair_mul(half, half), -1);
    WarpscopePair bessel = term, harmonic = {0, 0}, sum = n ? warpscope_pair_scale(term, 0.5) : nothing;
    double largest = __builtin_fabs(term.hi);
    for (int k = 1; k < 400; k++) {
        term = warpscope_pair_div(warpscope_pair_mul(term, q), (double)k * (n + k));
        harmonic = warpscope_pair_add(harmonic, warpscope_pair_div(one, k));
        bessel = warpscope_pair_add(bessel, term);
        WarpscopePair weight = harmonic; /* for Y_1 half of H_k + H_(k+1), as its factor is half of Y_0's */
        if (n) weight = warpscope_pair_add(weight, warpscope_pair_div(one, 2.0 * (k + 1)));
        sum = warpscope_pair_add(sum, warpscope_pair_mul(weight, term));
        double size = __builtin_fabs(term.hi);
        if (size > largest) largest = size;
        if (size <= largest * 0x1p-112) break;
    }
    WarpscopePair value = warpscope_pair_add(warpscope_pair_mul(log, bessel), warpscope_pair_scale(sum, -1));
    if (n) value = warpscope_pair_add(value, warpscope_pair_scale(warpscope_pair_div(one, x), -1));
    value = warpscope_pair_mul(value, two_over_pi);
    return value.hi + value.lo;
}

/* --- large arguments --- */

/* P and Q of Hankel's expansion for order n, x >= WARPSCOPE_BESSEL_SERIES. */
WARPSCOPE_MATH void warpscope_hankel(int n, double x, double *p, double *q) {
    double mu = 4.0 * n * n, term = 1;
    *p = 1;
    *q = 0;
    for (int k = 1; k < 40 && __builtin_fabs(term) > 0x1p-60; k++) {
        double odd = 2 * k - 1;
        term *= (mu - odd * odd) / (k * 8 * x);
        double signed_term = k & 2 ? -term : term;
        if (k & 1)
            *q += signed_term;
        else
            *p += signed_term;
    }
}

/* J_n and Y_n for n = 0 and 1: 1 / sqrt(pi x) * (P * a - Q * b) and so on, where a and b are cos(x) +- sin(x). */
WARPSCOPE_MATH void warpscope_bessel_large(int n, double x, double *j, double *y) {
    double p, q, sine, cosine;
    warpscope_hankel(n, x, &p, &q);
    warpscope_sincos(x, &sine, &cosine);
    double scale = 0x1.20dd750429b6dp-1 / __builtin_sqrt(x), plus = cosine + sine, minus = sine - cosine;
    double c = n ? minus : plus, s = n ? -plus : minus; /* cosine and sine of x - n pi/2 - pi/4, times sqrt(2) */
    *j = scale * (p * c - q * s);
    *y = scale * (p * s + q * c);
}

/* --- the functions --- */

/* J_n for n >= 2 and x >= WARPSCOPE_BESSEL_SERIES: the recurrence upwards as far as it is stable, else downwards from where J is nothing,
 * scaled by J_0 + 2 J_2 + 2 J_4 + ... = 1. */
WARPSCOPE_RARE double warpscope_jn_large(int n, double x) {
    double a, b, unused;
    if (n <= x) {
        warpscope_bessel_large(0, x, &a, &unused);
        warpscope_bessel_large(1, x, &b, &unused);
        for (int k = 1; k < n; k++) {
            double next = 2 * k / x * b - a;
            a = b;
            b = next;
        }
        return b;
    }
    if (n * warpscope_log(0x1.5bf0a8b145769p+0 * x / n) < -800) return 0; /* below (e x / 2n)^n */
    int start = n + (int)__builtin_sqrt(60.0 * n) + 10;
    double sum = 0, result = 0;
    a = 0;
    b = 0x1p-900;
    for (int k = start; k > 0; k--) {
        double below = 2 * k / x * b - a;
        a = b;
        b = below;
        if (k - 1 == n) result = b;
        if (!((k - 1) & 1)) sum += k - 1 ? 2 * b : b;
        if (__builtin_fabs(b) > 0x1p900) {
            a *= 0x1p-900;
            b *= 0x1p-900;
            sum *= 0x1p-900;
            result *= 0x1p-900;
        }
    }
    return result / sum;
}

/* CUDA Math API: NaN for n < 0, +0 at infinity; odd orders are odd. */
WARPSCOPE_MATH double warpscope_jn(int n, double x) {
    if (warpscope_isnan(x) || n < 0) return WARPSCOPE_NAN;
    double a = __builtin_fabs(x), value, unused;
    if (warpscope_isinf(x)) return 0;
    if (a < WARPSCOPE_BESSEL_SERIES) {
        WarpscopePair sum = warpscope_bessel_series(n, a, -1);
        value = sum.hi + sum.lo;
    } else if (n < 2) {
        warpscope_bessel_large(n, a, &value, &unused);
    } else {
        value = warpscope_jn_large(n, a);
    }
    return n & 1 && x < 0 ? -value : n & 1 && x == 0 ? x * value : value;
}
WARPSCOPE_MATH double warpscope_j0(double x) { return warpscope_jn(0, x); }
WARPSCOPE_MATH double warpscope_j1(double x) { return x == 0 ? x : warpscope_jn(1, x); }

/* NaN for x < 0 or n < 0, -infinity at 0. */
WARPSCOPE_MATH double warpscope_y01(int n, double x) {
    if (warpscope_isnan(x) || x < 0) return WARPSCOPE_NAN;
    if (x == 0) return -WARPSCOPE_INF;
    if (warpscope_isinf(x)) return 0;
    if (x < WARPSCOPE_BESSEL_SERIES) return warpscope_neumann_series(n, x);
    double unused, value;
    warpscope_bessel_large(n, x, &unused, &value);
    return value;
}
WARPSCOPE_MATH double warpscope_y0(double x) { return warpscope_y01(0, x); }
WARPSCOPE_MATH double warpscope_y1(double x) { return warpscope_y01(1, x); }
WARPSCOPE_MATH double warpscope_yn(int n, double x) {
    if (n < 0) return WARPSCOPE_NAN;
    double a = warpscope_y01(0, x), b = warpscope_y01(1, x);
    if (n == 0) return a;
    if (warpscope_isnan(b) || x == 0 || warpscope_isinf(x)) return b;
    for (int k = 1; k < n && b > -WARPSCOPE_INF; k++) {
        double next = 2 * k / x * b - a;
        a = b;
        b = next;
    }
    return b;
}

/* I_n for n = 0 and 1. From 40 on e^x / sqrt(2 pi x) times Hankel's expansion; the root goes into the exponent, since e^x alone overflows
 * before I_n does. */
WARPSCOPE_MATH double warpscope_bessel_i(int n, double x) {
    WARPSCOPE_EXACT
    if (warpscope_isnan(x)) return x;
    double a = __builtin_fabs(x), value;
    if (a < 40) {
        WarpscopePair sum = warpscope_bessel_series(n, a, 1);
        value = sum.hi + sum.lo;
    } else if (a > 720) {
        value = WARPSCOPE_INF;
    } else {
        double mu = 4.0 * n * n, term = 1, rest = 0;
        for (int k = 1; k < 40 && __builtin_fabs(term) > 0x1p-60; k++) {
            double odd = 2 * k - 1;
            term *= -(mu - odd * odd) / (k * 8 * a);
            rest += term;
        }
        WarpscopePair log = warpscope_log_pair(0x1.921fb54442d18p+2 * a), power = {a, 0};
        power = warpscope_pair_add(power, warpscope_pair_scale(log, -0.5));
        double main = warpscope_exp_pair(power.hi, power.lo);
        value = __builtin_fma(main, rest, main);
    }
    return n && x < 0 ? -value : n && x == 0 ? x : value;
}
WARPSCOPE_MATH double warpscope_i0(double x) { return warpscope_bessel_i(0, x); }
WARPSCOPE_MATH double warpscope_i1(double x) { return warpscope_bessel_i(1, x); }
