/* math_float.h: single precision. What kernels use in their inner loops is computed in single precision; the rare functions round a
 * result in double precision once, which is within 0.51 units in the last place. */
#pragma once

#include "math_special.h"

#define WARPSCOPE_INFF __builtin_inff()
#define WARPSCOPE_NANF __builtin_nanf("")

/* --- exponentials and logarithms --- */

/* e^(t + tail) * 2^k for |t| <= 0.347: (e^t - 1 - t) / t^2 to 2^-26. */
WARPSCOPE_MATH float warpscope_exp_polyf(float t) {
    return WARPSCOPE_POLYF(t, 0x1.a12516p-13f, 0x1.6d434ep-10f, 0x1.1110ep-7f, 0x1.5554e8p-5f, 0x1.555556p-3f, 0x1.p-1f);
}
WARPSCOPE_MATH float warpscope_exp_kernelf(float t, float tail, int k) {
    WARPSCOPE_EXACT
    float rest = t * t * warpscope_exp_polyf(t);
    return (1 + (t + __builtin_fmaf(tail, t + rest, tail + rest))) * warpscope_power2f(k >> 1) *
           warpscope_power2f(k - (k >> 1));
}
WARPSCOPE_MATH float warpscope_expf(float x) {
    WARPSCOPE_EXACT
    if (x != x) return x;
    if (x > 89) return WARPSCOPE_INFF;
    if (x < -104) return 0;
    float k = __builtin_rintf(x * 0x1.715476p+0f);
    float t = __builtin_fmaf(-k, 0x1.62e43p-1f, x);
    return warpscope_exp_kernelf(t, k * 0x1.05c61p-29f, (int)k);
}
WARPSCOPE_MATH float warpscope_exp2f(float x) {
    WARPSCOPE_EXACT
    if (x != x) return x;
    if (x > 128) return WARPSCOPE_INFF;
    if (x < -151) return 0;
    float k = __builtin_rintf(x), r = x - k;
    float t = r * 0x1.62e43p-1f;
    float tail = __builtin_fmaf(r, 0x1.62e43p-1f, -t) - r * 0x1.05c61p-29f;
    return warpscope_exp_kernelf(t, tail, (int)k);
}
WARPSCOPE_MATH float warpscope_exp10f(float x) {
    WARPSCOPE_EXACT
    if (x != x) return x;
    if (x > 39) return WARPSCOPE_INFF;
    if (x < -46) return 0;
    float k = __builtin_rintf(x * 0x1.a934fp+1f);
    float r = __builtin_fmaf(-k, 0x1.344136p-2f, x), r_lo = k * 0x1.ec10cp-27f;
    float t = r * 0x1.26bb1cp+1f;
    float tail = __builtin_fmaf(r, 0x1.26bb1cp+1f, -t) - r * 0x1.12aabap-25f + r_lo * 0x1.26bb1cp+1f;
    return warpscope_exp_kernelf(t, tail, (int)k);
}
WARPSCOPE_MATH float warpscope_expm1f(float x) {
    WARPSCOPE_EXACT
    if (x != x) return x;
    if (x > 89) return WARPSCOPE_INFF;
    if (x < -20) return -1;
    float k = __builtin_rintf(x * 0x1.715476p+0f);
    float t = __builtin_fmaf(-k, 0x1.62e43p-1f, x), tail = k * 0x1.05c61p-29f;
    float rest = t * t * warpscope_exp_polyf(t);
    float m = t + __builtin_fmaf(tail, t + rest, tail + rest);
    if (k == 0) return x == 0 ? x : m;
    if (k == 128) return 2 * __builtin_fmaf(m, 0x1p127f, 0x1p127f);
    float power = warpscope_power2f((int)k);
    return __builtin_fmaf(m, power, power - 1);
}

/* x = m * 2^*k with 2/3 <= m < 4/3, for finite x > 0. */
WARPSCOPE_MATH float warpscope_splitf(float x, int *k) {
    int shift = 0;
    if (x < 0x1p-126f) {
        x *= 0x1p25f;
        shift = 25;
    }
    int bits = (int)warpscope_bitsf(x), scale = (bits - 0x3f2aaaab) & (int)0xff800000;
    *k = scale / 0x800000 - shift;
    return warpscope_float((unsigned int)(bits - scale));
}
/* log(1 + f) = f - f^2/2 + f^3 times this, |f| <= 1/3. */
WARPSCOPE_MATH float warpscope_log_polyf(float f) {
    return WARPSCOPE_POLYF(f, 0x1.d01a22p-4f, -0x1.fcd036p-4f, 0x1.bf1afp-4f, -0x1.f75896p-4f, 0x1.24b28cp-3f, -0x1.557832p-3f,
            0x1.999954p-3f, -0x1.ffffb6p-3f, 0x1.555556p-2f);
}
WARPSCOPE_MATH float warpscope_logf_finite(float m, float k, float lost) {
    WARPSCOPE_EXACT
    float f = m - 1, square = f * f;
    float small = __builtin_fmaf(square * f, warpscope_log_polyf(f), __builtin_fmaf(k, -0x1.05c61p-29f, lost));
    float r = __builtin_fmaf(square, -0.5f, small) + f;
    return __builtin_fmaf(k, 0x1.62e43p-1f, r);
}
WARPSCOPE_MATH float warpscope_logf(float x) {
    if (!(x > 0 && x < WARPSCOPE_INFF)) return x == 0 ? -WARPSCOPE_INFF : x < 0 ? WARPSCOPE_NANF : x;
    int k;
    float m = warpscope_splitf(x, &k);
    return warpscope_logf_finite(m, (float)k, 0);
}
WARPSCOPE_MATH float warpscope_log1pf(float x) {
    WARPSCOPE_EXACT
    if (!(x > -1 && x < WARPSCOPE_INFF)) return x == -1 ? -WARPSCOPE_INFF : x < -1 ? WARPSCOPE_NANF : x;
    float square = x * x;
    if (x > -0.3333f && x < 0.3333f) {
        if (x == 0) return x;
        return __builtin_fmaf(square, -0.5f, square * x * warpscope_log_polyf(x)) + x;
    }
    float u = 1 + x, lost = x > 1 ? 1 - (u - x) : x - (u - 1);
    int k;
    float m = warpscope_splitf(u, &k);
    return warpscope_logf_finite(m, (float)k, lost / u);
}

/* log(m) = hi + lo, then times the constant c + c_lo, plus whole. */
WARPSCOPE_MATH float warpscope_log_scaledf(float m, float c, float c_lo, float whole, float whole_lo) {
    WARPSCOPE_EXACT
    float f = m - 1, half = 0.5f * f * f;
    float hi = f - half;
    float lo = ((f - hi) - half) + __builtin_fmaf(f * f * f, warpscope_log_polyf(f), -__builtin_fmaf(0.5f * f, f, -half));
    float p = hi * c, tail = __builtin_fmaf(hi, c, -p) + (hi * c_lo + lo * c);
    float w = whole + p;
    return w + (((whole - w) + p) + (tail + whole_lo));
}
WARPSCOPE_MATH float warpscope_log2f(float x) {
    if (!(x > 0 && x < WARPSCOPE_INFF)) return x == 0 ? -WARPSCOPE_INFF : x < 0 ? WARPSCOPE_NANF : x;
    int k;
    float m = warpscope_splitf(x, &k);
    return warpscope_log_scaledf(m, 0x1.715476p+0f, 0x1.4ae0cp-26f, (float)k, 0);
}
WARPSCOPE_MATH float warpscope_log10f(float x) {
    WARPSCOPE_EXACT
    if (!(x > 0 && x < WARPSCOPE_INFF)) return x == 0 ? -WARPSCOPE_INFF : x < 0 ? WARPSCOPE_NANF : x;
    int k;
    float m = warpscope_splitf(x, &k);
    float whole = (float)k * 0x1.3441p-2f; /* exact: the constant ends in 7 zero bits */
    return warpscope_log_scaledf(m, 0x1.bcb7b2p-2f, -0x1.5b235ep-27f, whole, (float)k * 0x1.a84fb6p-21f);
}

/* A power needs some 35 bits of the logarithm: double precision with short polynomials. */
WARPSCOPE_MATH double warpscope_log2_short(double x) {
    int k;
    double f = warpscope_split(x, &k) - 1, s = f / (2 + f), z = s * s;
    double p = WARPSCOPE_POLY(z, 0x1.2b5f68a50d903p-3, 0x1.39fdcceb4bb45p-3, 0x1.7462b91b8df65p-3, 0x1.c71c62d5e53e0p-3,
            0x1.2492492dfd86cp-2, 0x1.9999999995273p-2, 0x1.5555555555558p-1);
    return k + (2 * s + s * z * p) * 0x1.71547652b82fep+0;
}
WARPSCOPE_MATH float warpscope_powf(float x, float y) {
    if (y == 0 || x == 1) return 1;
    if (x != x || y != y) return x + y;
    float a = __builtin_fabsf(x);
    int parity = warpscope_parity(y);
    float sign = parity == 1 ? __builtin_copysignf(1, x) : 1;
    if (__builtin_fabsf(y) == WARPSCOPE_INFF) return a == 1 ? 1 : (a > 1) == (y > 0) ? WARPSCOPE_INFF : 0;
    if (a == 0) return y > 0 ? sign * 0 : sign * WARPSCOPE_INFF;
    if (a == WARPSCOPE_INFF) return y > 0 ? sign * WARPSCOPE_INFF : sign * 0;
    if (x < 0 && parity == 0) return WARPSCOPE_NANF;
    double e = y * warpscope_log2_short(a);
    if (!(e > -160 && e < 130)) return sign * (e > 0 ? WARPSCOPE_INFF : 0);
    double k = __builtin_rint(e), t = (e - k) * 0x1.62e42fefa39efp-1;
    return sign * (float)((1 + (t + t * t * warpscope_exp_poly(t))) * warpscope_power2((int)k));
}

/* --- trigonometric functions --- */

typedef struct WarpscopeAnglef {
    float value;
    int quarter;
} WarpscopeAnglef;

WARPSCOPE_MATH WarpscopeAnglef warpscope_reducef(float x) {
    WARPSCOPE_EXACT
    WarpscopeAnglef r;
    if (__builtin_fabsf(x) < 32768) {
        float k = __builtin_rintf(x * 0x1.45f306p-1f);
        float t = __builtin_fmaf(-k, 0x1.921fb6p+0f, x);
        t = __builtin_fmaf(k, 0x1.777a5cp-25f, t);
        r.value = __builtin_fmaf(k, 0x1.ee59dap-50f, t);
        r.quarter = (int)k;
    } else {
        WarpscopeAngle a = warpscope_reduce(x);
        r.value = (float)a.hi;
        r.quarter = a.quarter;
    }
    return r;
}

/* sin(x) and cos(x) for |x| <= pi/4. */
WARPSCOPE_MATH float warpscope_sin_kernelf(float x) {
    WARPSCOPE_EXACT
    float z = x * x;
    float p = WARPSCOPE_POLYF(z, 0x1.6dbbeep-19f, -0x1.a013a2p-13f, 0x1.11110ep-7f, -0x1.555556p-3f);
    return __builtin_fmaf(z * x, p, x);
}
WARPSCOPE_MATH float warpscope_cos_kernelf(float x) {
    WARPSCOPE_EXACT
    float z = x * x;
    float p = WARPSCOPE_POLYF(z, -0x1.2522e6p-22f, 0x1.a015cp-16f, -0x1.6c16cp-10f, 0x1.555556p-5f);
    return __builtin_fmaf(z * z, p, __builtin_fmaf(z, -0.5f, 1));
}
WARPSCOPE_MATH float warpscope_sin_anglef(WarpscopeAnglef a) {
    float r = a.quarter & 1 ? warpscope_cos_kernelf(a.value) : warpscope_sin_kernelf(a.value);
    return a.quarter & 2 ? -r : r;
}
WARPSCOPE_MATH float warpscope_sinf(float x) {
    if (!(__builtin_fabsf(x) < WARPSCOPE_INFF)) return x - x;
    return x == 0 ? x : warpscope_sin_anglef(warpscope_reducef(x));
}
WARPSCOPE_MATH float warpscope_cosf(float x) {
    if (!(__builtin_fabsf(x) < WARPSCOPE_INFF)) return x - x;
    WarpscopeAnglef a = warpscope_reducef(x);
    a.quarter++;
    return warpscope_sin_anglef(a);
}
WARPSCOPE_MATH void warpscope_sincosf(float x, float *sine, float *cosine) {
    if (!(__builtin_fabsf(x) < WARPSCOPE_INFF)) {
        *sine = *cosine = x - x;
        return;
    }
    WarpscopeAnglef a = warpscope_reducef(x);
    *sine = x == 0 ? x : warpscope_sin_anglef(a);
    a.quarter++;
    *cosine = warpscope_sin_anglef(a);
}
WARPSCOPE_MATH float warpscope_tanf(float x) {
    if (!(__builtin_fabsf(x) < WARPSCOPE_INFF)) return x - x;
    if (x == 0) return x;
    WarpscopeAnglef a = warpscope_reducef(x);
    float s = warpscope_sin_kernelf(a.value), c = warpscope_cos_kernelf(a.value);
    return a.quarter & 1 ? -c / s : s / c;
}
WARPSCOPE_MATH WarpscopeAnglef warpscope_reduce_pif(float x) {
    WARPSCOPE_EXACT
    float k = __builtin_rintf(2 * x), r = __builtin_fmaf(-0.5f, k, x);
    WarpscopeAnglef a;
    a.value = __builtin_fmaf(r, 0x1.921fb6p+1f, r * -0x1.777a5cp-24f);
    a.quarter = (int)(k - 4 * __builtin_floorf(0.25f * k));
    return a;
}
WARPSCOPE_MATH float warpscope_sinpif(float x) {
    if (!(__builtin_fabsf(x) < WARPSCOPE_INFF)) return x - x;
    if (__builtin_truncf(x) == x) return __builtin_copysignf(0, x);
    return warpscope_sin_anglef(warpscope_reduce_pif(x));
}
WARPSCOPE_MATH float warpscope_cospif(float x) {
    if (!(__builtin_fabsf(x) < WARPSCOPE_INFF)) return x - x;
    WarpscopeAnglef a = warpscope_reduce_pif(x);
    a.quarter++;
    return a.value == 0 && a.quarter % 2 == 0 ? 0 : warpscope_sin_anglef(a);
}

/* atan(y / x) for 0 <= y, 0 <= x, not both 0 or infinite; the polynomial is (atan(t) - t) / t^3 in t^2. */
WARPSCOPE_MATH float warpscope_atan_quotientf(float y, float x) {
    WARPSCOPE_EXACT
    int swap = y > x;
    float t = swap ? x / y : y / x, z = t * t;
    float p = WARPSCOPE_POLYF(z, -0x1.38de56p-9f, 0x1.ba9f66p-7f, -0x1.25dc12p-5f, 0x1.0001c6p-4f, -0x1.6295f8p-4f,
            0x1.c3f168p-4f, -0x1.246cd2p-3f, 0x1.99983cp-3f, -0x1.555554p-2f);
    float tail = t * (z * p);
    return swap ? 0x1.921fb6p+0f - (t + (tail + 0x1.777a5cp-25f)) : t + tail;
}
WARPSCOPE_MATH float warpscope_atanf(float x) {
    if (x != x || x == 0) return x;
    return __builtin_copysignf(warpscope_atan_quotientf(__builtin_fabsf(x), 1), x);
}
WARPSCOPE_MATH float warpscope_atan2f(float y, float x) {
    WARPSCOPE_EXACT
    if (x != x || y != y) return x + y;
    float ay = __builtin_fabsf(y), ax = __builtin_fabsf(x), angle;
    if (ay == ax && (ay == 0 || ay == WARPSCOPE_INFF)) {
        angle = ay == 0 ? 0 : 0x1.921fb6p-1f;
    } else {
        angle = warpscope_atan_quotientf(ay, ax);
    }
    if (__builtin_copysignf(1, x) < 0) angle = 0x1.921fb6p+1f - (angle + 0x1.777a5cp-24f);
    return __builtin_copysignf(angle, y);
}

/* (asin(x) - x) / x^3 in z = x^2 <= 1/4. */
WARPSCOPE_MATH float warpscope_asin_polyf(float z) {
    return WARPSCOPE_POLYF(z, 0x1.13fed4p-5f, 0x1.18f91ep-6f, 0x1.fd8da2p-6f, 0x1.6d5bbap-5f, 0x1.33343p-4f, 0x1.555554p-3f);
}
WARPSCOPE_MATH float warpscope_asinf(float x) {
    WARPSCOPE_EXACT
    float a = __builtin_fabsf(x);
    if (!(a <= 1)) return WARPSCOPE_NANF;
    if (a < 0.5f) return __builtin_fmaf(x * (x * x), warpscope_asin_polyf(x * x), x);
    float z = 0.5f * (1 - a), s = __builtin_sqrtf(z);
    float angle = __builtin_fmaf(s * z, warpscope_asin_polyf(z), s);
    return __builtin_copysignf(__builtin_fmaf(-2, angle, 0x1.921fb6p+0f) - 0x1.777a5cp-25f, x);
}
WARPSCOPE_MATH float warpscope_acosf(float x) {
    WARPSCOPE_EXACT
    float a = __builtin_fabsf(x);
    if (!(a <= 1)) return WARPSCOPE_NANF;
    if (a < 0.5f) return 0x1.921fb6p+0f - (x + __builtin_fmaf(x * (x * x), warpscope_asin_polyf(x * x), 0x1.777a5cp-25f));
    float z = 0.5f * (1 - a), s = __builtin_sqrtf(z);
    float angle = 2 * __builtin_fmaf(s * z, warpscope_asin_polyf(z), s);
    return x > 0 ? angle : 0x1.921fb6p+1f - (angle + 0x1.777a5cp-24f);
}

/* --- the rest --- */

/* Below 0.6 (tanh(x) - x) / x^3 in x^2. */
WARPSCOPE_MATH float warpscope_tanhf(float x) {
    WARPSCOPE_EXACT
    float a = __builtin_fabsf(x), z = x * x;
    if (x != x || a < 0x1p-13f) return x;
    if (a < 0.6f) {
        float p = WARPSCOPE_POLYF(z, 0x1.36bdb2p-9f, -0x1.1394cap-7f, 0x1.64fad8p-6f, -0x1.ba0d94p-5f, 0x1.1110f6p-3f,
                -0x1.555556p-2f);
        return __builtin_fmaf(z * x, p, x);
    }
    return __builtin_copysignf(a > 10 ? 1 : 1 - 2 / (warpscope_expf(2 * a) + 1), x);
}
WARPSCOPE_MATH float warpscope_hypotf(float x, float y) {
    WARPSCOPE_EXACT
    float a = __builtin_fabsf(x), b = __builtin_fabsf(y);
    if (a < b) {
        float c = a;
        a = b;
        b = c;
    }
    if (a > 0x1p-60f && a < 0x1p60f && b == b) return __builtin_sqrtf(__builtin_fmaf(a, a, b * b));
    if (a == WARPSCOPE_INFF || b == WARPSCOPE_INFF) return WARPSCOPE_INFF;
    return (float)__builtin_sqrt((double)a * a + (double)b * b);
}
/* A float's quotient fits double precision only up to 2^53, so the long division works there and stays exact. */
WARPSCOPE_MATH float warpscope_fmodf(float a, float b) { return (float)warpscope_fmod(a, b); }
