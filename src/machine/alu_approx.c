/* alu_approx.c: what PTX calls approximate and C has in its library: sin, cos, lg2, ex2, tanh. A result is that of C's function in double,
 * rounded once: at least as good as the hardware, and the same on every host with a good libm. All lanes are computed at once by series of
 * Taylor's, which are within ERROR of the true value. Where that leaves open which float is the nearest, or the argument is none that a
 * series is for, C's function says it (Ziv, "Fast evaluation of elementary mathematical functions with correctly rounded last bit", ACM TOMS 1991):
 * some one lane in a million. So no result depends on the series. */
#include "machine/alu_lanes.h"
#include "ptx/opcode.h"

/* Relative. The series' own is below 2^-49: what is left out after the last term, and a rounding or two. */
#define ERROR 0x1p-44

#ifdef __FP_FAST_FMA
#define PRODUCT_SUM(a, b, c) fma(a, b, c)
#else
#define PRODUCT_SUM(a, b, c) ((a) * (b) + (c))
#endif

/* c[0] + c[1] z + c[2] z^2 … */
static ALWAYS_INLINE double series(const double *c, unsigned n, double z) {
    double sum = c[n - 1];
    for (unsigned k = n - 1; k-- > 0;) sum = PRODUCT_SUM(sum, z, c[k]);
    return sum;
}
#define SERIES(z, ...) series((const double[]){__VA_ARGS__}, sizeof((const double[]){__VA_ARGS__}) / sizeof(double), z)

/* To the nearest whole number, which then stands in the low bits: |x| < 2^50. */
#define WHOLE 0x1.8p52

/* e^t - 1, |t| <= ln(2) / 2. */
static ALWAYS_INLINE double power_less_1(double t) {
    return t * SERIES(t, 1, 1. / 2, 1. / 6, 1. / 24, 1. / 120, 1. / 720, 1. / 5040, 1. / 40320, 1. / 362880, 1. / 3628800,
                      1. / 39916800, 1. / 479001600, 1. / 6227020800);
}

/* 2^n of a number to which WHOLE has been added, -1022 <= n <= 1023. */
static ALWAYS_INLINE double power_of_2(double whole) { return f64_from_bits((f64_bits(whole) + 1023) << 52); }

#define LN2 0x1.62e42fefa39efp-1
#define LOG2_E 0x1.71547652b82fep+0

static ALWAYS_INLINE double ex2_series(double x) {
    x = x < -200 ? -200 : x > 200 ? 200 : x; /* beyond all floats */
    const double whole = x + WHOLE, power = power_of_2(whole);
    return PRODUCT_SUM(power, power_less_1((x - (whole - WHOLE)) * LN2), power);
}

/* m is in [sqrt(1/2), sqrt(2)), and ln(m) = 2 artanh(s) with s = (m - 1) / (m + 1). */
static ALWAYS_INLINE double lg2_series(double x) {
    const uint64_t least = UINT64_C(0x3fe6a09e667f3bcd), one = UINT64_C(0x3ff0000000000000); /* bits of sqrt(1/2) and of 1 */
    const uint64_t biased = (f64_bits(x) + (one - least)) >> 52;
    const double exponent = f64_from_bits(biased | f64_bits(0x1p52)) - (0x1p52 + 1023);
    const double m = f64_from_bits(f64_bits(x) - (biased << 52) + one), s = (m - 1) / (m + 1);
    const double sum = SERIES(s * s, 1, 1. / 3, 1. / 5, 1. / 7, 1. / 9, 1. / 11, 1. / 13, 1. / 15, 1. / 17, 1. / 19);
    return x > 0 && x < (double)INFINITY ? PRODUCT_SUM(s * (2 * LOG2_E), sum, exponent) : (double)NAN;
}

/* pi/2 in three: as many bits of the first two as leave their products with whole numbers up to 2^20 exact. */
#define HALF_PI_1 0x1.921fb544p+0
#define HALF_PI_2 0x1.0b4611a6p-34
#define HALF_PI_3 0x1.3198a2e037073p-69

/* quarter: how many of the circle are added. */
static ALWAYS_INLINE double circle_series(double x, unsigned quarter) {
    const double whole = x * (1 / HALF_PI_1) + WHOLE, n = whole - WHOLE;
    const double r = x - n * HALF_PI_1 - n * HALF_PI_2 - n * HALF_PI_3, z = r * r;
    const double sine = r * SERIES(z, 1, -1. / 6, 1. / 120, -1. / 5040, 1. / 362880, -1. / 39916800, 1. / 6227020800,
                                   -1. / 1307674368000, 1. / 355687428096000);
    const double cosine = SERIES(z, 1, -1. / 2, 1. / 24, -1. / 720, 1. / 40320, -1. / 3628800, 1. / 479001600,
                                 -1. / 87178291200, 1. / 20922789888000);
    const uint64_t quarters = f64_bits(whole) + quarter;
    const double value = quarters & 1 ? cosine : sine;
    return x < 0x1p20 ? f64_from_bits(f64_bits(value) ^ (quarters & 2) << 62) : (double)NAN;
}
static ALWAYS_INLINE double with_sign(double magnitude, double x) {
    return f64_from_bits(f64_bits(magnitude) ^ (f64_bits(x) & UINT64_C(1) << 63));
}
static ALWAYS_INLINE double sin_series(double x) { return with_sign(circle_series(fabs(x), 0), x); }
static ALWAYS_INLINE double cos_series(double x) { return circle_series(fabs(x), 1); }

/* (e^2x - 1) / (e^2x + 1). */
static ALWAYS_INLINE double tanh_series(double x) {
    const double ln2_1 = 0x1.62e42fefa2p-1,
                 ln2_2 = 0x1.9ef35793c7673p-41; /* their sum is ln(2); products with the first are exact */
    const double twice = fabs(x) > 20 ? 40 : 2 * fabs(x), whole = twice * LOG2_E + WHOLE, n = whole - WHOLE;
    const double power = power_of_2(whole), less_1 = power * power_less_1(twice - n * ln2_1 - n * ln2_2) + (power - 1);
    return with_sign(less_1 / (less_1 + 2), x);
}

#define LANES(name, argument, result, near, exact)                                                                       \
    static void name(ALU_PARAMETERS) {                                                                                   \
        SOURCE(f32, a)                                                                                                   \
        Lane_f32 *const d = ALIGNED(to);                                                                                 \
        _Alignas(SLOT_BYTES) float value[WARP_LANES];                                                                    \
        _Alignas(SLOT_BYTES) uint32_t open[WARP_LANES];                                                                  \
        EACH_LANE {                                                                                                      \
            const double about = near((double)argument(a[i])), error = fabs(about) * ERROR;                              \
            value[i] = (float)(about - error);                                                                           \
            open[i] = value[i] == (float)(about + error) ? 0 : UINT32_MAX;                                               \
        }                                                                                                                \
        EACH_ACTIVE_LANE(i, LANES_PACK(open) & mask) { value[i] = f32_canonical((float)exact((double)argument(a[i]))); } \
        EACH_LANE d[i] = LANE_ON(mask) ? result(value[i]) : d[i];                                                        \
    }
#define AS_IS(x) (x)
#define FUNCTION(name, exact)                             \
    LANES(name##_f32, AS_IS, AS_IS, name##_series, exact) \
    LANES(name##_f32_ftz, f32_flush, f32_flush, name##_series, exact)
FUNCTION(sin, sin)
FUNCTION(cos, cos)
FUNCTION(lg2, log2)
FUNCTION(ex2, exp2)
LANES(tanh_f32, AS_IS, AS_IS, tanh_series, tanh)

/* clang-format off */
#define ROWS(op) ROW(op, f32, op##_f32, .flags = INSN_APPROX) ROW(op, f32, op##_f32_ftz, .flags = INSN_APPROX | INSN_FTZ)

static const AluRow rows[] = {
    ROWS(sin) ROWS(cos) ROWS(lg2) ROWS(ex2) ROW(tanh, f32, tanh_f32, .flags = INSN_APPROX)
};
/* clang-format on */
ALU_TABLE(alu_approx_table, rows);
