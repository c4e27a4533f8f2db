#define _GNU_SOURCE /* exp10 */
#include <fenv.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "oracle.h"

enum { N = 1000 };

/* --- the math library ------------------------------------------------------------------------------------------------------ */

static long double one_over_sqrt(long double x) { return 1 / sqrtl(x); }

/* Bounds are the maximum errors that NVIDIA documents (CUDA C++ Programming Guide, mathematical functions), in units in the last place,
 * plus 1/2 since the expected value is itself rounded. The arguments are spread evenly over [least, most]. */
static const struct Unary {
    const char *name;
    long double (*expected)(long double);
    double least, most;
    double float_ulps, double_ulps;
} unary[] = {
    {"sin", sinl, -100, 100, 2, 2},
    {"cos", cosl, -100, 100, 2, 2},
    {"tan", tanl, -100, 100, 4, 2},
    {"asin", asinl, -1, 1, 2, 2},
    {"acos", acosl, -1, 1, 2, 2},
    {"atan", atanl, -50, 50, 2, 2},
    {"sinh", sinhl, -20, 20, 3, 2},
    {"cosh", coshl, -20, 20, 2, 1},
    {"tanh", tanhl, -5, 5, 2, 1},
    {"asinh", asinhl, -500, 500, 3, 3},
    {"acosh", acoshl, 1, 500, 4, 3},
    {"atanh", atanhl, -0.99, 0.99, 3, 2},
    {"exp", expl, -80, 80, 2, 1},
    {"exp2", exp2l, -120, 120, 2, 1},
    {"exp10", exp10l, -30, 30, 2, 1},
    {"expm1", expm1l, -3, 30, 1, 1},
    {"log", logl, 1e-3, 1000, 1, 1},
    {"log2", log2l, 1e-3, 1000, 1, 1},
    {"log10", log10l, 1e-3, 1000, 2, 1},
    {"log1p", log1pl, -0.9, 1000, 1, 1},
    {"sqrt", sqrtl, 0, 1e6, 0, 0},
    {"cbrt", cbrtl, -1000, 1000, 1, 1},
    {"rsqrt", one_over_sqrt, 1e-3, 1e6, 2, 1},
    {"floor", floorl, -9, 9, 0, 0},
    {"ceil", ceill, -9, 9, 0, 0},
    {"trunc", truncl, -9, 9, 0, 0},
    {"round", roundl, -9, 9, 0, 0},
    {"rint", rintl, -9, 9, 0, 0},
    {"fabs", fabsl, -9, 9, 0, 0},
    {"erf", erfl, -4, 4, 2, 2},
    {"erfc", erfcl, -3, 8, 4, 5},
    {"tgamma", tgammal, 0.1, 30, 10, 10},
    {"lgamma", lgammal, 3, 100, 6, 4},
    {"logb", logbl, 1e-3, 1000, 0, 0},
};

enum { UNARY = sizeof unary / sizeof *unary };

static const struct Binary {
    const char *name;
    long double (*expected)(long double, long double);
    double least, most; /* of the first argument; the second spreads over [-3, 3] */
    double float_ulps, double_ulps;
} binary[] = {
    {"pow", powl, 0.01, 100, 9, 2},     {"atan2", atan2l, -100, 100, 3, 2},   {"fmod", fmodl, -100, 100, 0, 0},
    {"hypot", hypotl, -100, 100, 3, 2}, {"fmin", fminl, -3, 3, 0, 0},         {"fmax", fmaxl, -3, 3, 0, 0},
    {"fdim", fdiml, -3, 3, 0, 0},       {"copysign", copysignl, -9, 9, 0, 0}, {"remainder", remainderl, -100, 100, 0, 0},
};

enum { BINARY = sizeof binary / sizeof *binary };

static double spread(double least, double most, int i) { return least + (most - least) * ((i * 379 % N) + 0.37) / N; }

static double half_more(double ulps) { return ulps > 0 ? ulps + 0.5 : 0; }

static void launch_math(Run *run) {
    run_i32(run, N);
    run_launch(run, (Shape){4, 1, 1}, (Shape){256, 1, 1}, 0);
}

/* A kernel of N threads with one input, or two, of `bytes` each, and one output of `count` elements of the type, which are compared:
 * integers and halves by their bits. */
static void compute(int compiler, const char *kernel, const void *a, const void *b, uint64_t bytes, uint8_t type,
                    const void *expected, uint64_t count, double ulps) {
    Run *run = run_new(compiler, "numbers.cu", kernel);
    run_input(run, a, bytes);
    if (b) run_input(run, b, bytes);
    const void *out = run_output(run, count * type_bytes[type]);
    launch_math(run);
    if (type == TYPE_f32 || type == TYPE_f64)
        run_near(run, type, out, expected, count, ulps);
    else
        run_equal(run, type, out, expected, count);
    run_free(run);
}

START_TEST(math_functions_of_floats_are_as_close_as_documented)
{
    for (int f = 0; f < UNARY; f++) {
        float in[N], expected[N];
        char kernel[40];
        snprintf(kernel, sizeof kernel, "%s_float", unary[f].name);
        for (int i = 0; i < N; i++) {
            in[i] = (float)spread(unary[f].least, unary[f].most, i);
            expected[i] = (float)unary[f].expected(in[i]);
        }
        compute(_i, kernel, in, NULL, sizeof in, TYPE_f32, expected, N, half_more(unary[f].float_ulps));
    }
}
END_TEST

START_TEST(math_functions_of_doubles_are_as_close_as_documented)
{
    for (int f = 0; f < UNARY; f++) {
        double in[N], expected[N];
        char kernel[40];
        snprintf(kernel, sizeof kernel, "%s_double", unary[f].name);
        for (int i = 0; i < N; i++) {
            in[i] = spread(unary[f].least, unary[f].most, i);
            expected[i] = (double)unary[f].expected(in[i]);
        }
        compute(_i, kernel, in, NULL, sizeof in, TYPE_f64, expected, N, half_more(unary[f].double_ulps));
    }
}
END_TEST

static void check_binary(int compiler, const char *name, const void *a, const void *b, const void *expected, uint8_t type,
                         double ulps) {
    char kernel[40];
    snprintf(kernel, sizeof kernel, "%s_%s", name, type == TYPE_f32 ? "float" : "double");
    compute(compiler, kernel, a, b, N * type_bytes[type], type, expected, N, half_more(ulps));
}

START_TEST(math_functions_of_two_arguments_are_as_close_as_documented)
{
    for (int f = 0; f < BINARY; f++) {
        float a[N], b[N], expected[N];
        double wide_a[N], wide_b[N], wide_expected[N];
        for (int i = 0; i < N; i++) {
            wide_a[i] = spread(binary[f].least, binary[f].most, i);
            wide_b[i] = spread(-3, 3, i * 7 % N);
            a[i] = (float)wide_a[i];
            b[i] = (float)wide_b[i];
            expected[i] = (float)binary[f].expected(a[i], b[i]);
            wide_expected[i] = (double)binary[f].expected(wide_a[i], wide_b[i]);
        }
        check_binary(_i, binary[f].name, a, b, expected, TYPE_f32, binary[f].float_ulps);
        check_binary(_i, binary[f].name, wide_a, wide_b, wide_expected, TYPE_f64, binary[f].double_ulps);
    }
    float a[N], b[N], expected[N];
    for (int i = 0; i < N; i++) {
        a[i] = (float)spread(-1, 1, i);
        b[i] = (float)(i % 2 ? 5 : -5);
        expected[i] = nextafterf(a[i], b[i]);
    }
    check_binary(_i, "nextafter", a, b, expected, TYPE_f32, 0);
}
END_TEST

/* --- arithmetic ------------------------------------------------------------------------------------------------------------ */

/* Floats of every exponent, subnormal ones, infinities and NaN too. */
static float any_float(uint64_t seed, int i) {
    static const float edges[] = {0, -0.0f, 1, -1, INFINITY, -INFINITY, NAN, 0x1p-149f, -0x1p-126f, 0x1.fffffep127f};
    if (i < 10) return edges[i];
    uint32_t bits = (uint32_t)random_bits(seed, (uint64_t)i);
    if (i % 2) bits = (bits & 0x807fffff) | ((bits >> 23 & 15) + 120) << 23; /* near 1 */
    float value;
    memcpy(&value, &bits, 4);
    return value;
}

/* As PTX has it: of a number and a NaN, quiet or not, the number. */
static float least(float a, float b) { return isnan(a) || b < a ? b : a; }
static double greatest(double a, double b) { return isnan(a) || b > a ? b : a; }

static float rounded(float a, float b, char operation, int mode) {
    volatile float x = a, y = b, result;
    fesetround(mode);
    result = operation == '+' ? x + y : x * y;
    fesetround(FE_TONEAREST);
    return result;
}

START_TEST(float_arithmetic_is_rounded_as_ieee_754_says)
{
    static float a[N], b[N], expected[10 * N];
    for (int i = 0; i < N; i++) {
        a[i] = any_float(1, i);
        b[i] = any_float(2, i * 3 % N);
        const float row[10] = {a[i] + b[i],
                               a[i] - b[i],
                               a[i] * b[i],
                               a[i] / b[i],
                               sqrtf(fabsf(a[i])),
                               fmaf(a[i], b[i], 1.0f),
                               1.0f / b[i],
                               least(a[i], b[i]),
                               rounded(a[i], b[i], '+', FE_TOWARDZERO),
                               rounded(a[i], b[i], '*', FE_UPWARD)};
        memcpy(expected + 10 * i, row, sizeof row);
    }
    compute(_i, "arithmetic_float", a, b, sizeof a, TYPE_f32, expected, 10 * N, 0);
}
END_TEST

START_TEST(double_arithmetic_is_rounded_as_ieee_754_says)
{
    static double a[N], b[N], expected[8 * N];
    for (int i = 0; i < N; i++) {
        a[i] = any_float(3, i) * (1 + 1e-9 * i);
        b[i] = any_float(4, i * 3 % N) / 3.0;
        const double row[8] = {a[i] + b[i],      a[i] - b[i],          a[i] * b[i], a[i] / b[i],
                               sqrt(fabs(a[i])), fma(a[i], b[i], 1.0), (float)a[i], greatest(a[i], b[i])};
        memcpy(expected + 8 * i, row, sizeof row);
    }
    compute(_i, "arithmetic_double", a, b, sizeof a, TYPE_f64, expected, 8 * N, 0);
}
END_TEST

START_TEST(conversions_between_numbers_are_right)
{
    static double in[N];
    static int64_t expected[12 * N];
    for (int i = 0; i < N; i++) {
        /* quarters, so that halves occur, and magnitudes up to 2^30 */
        in[i] = (double)(int64_t)(random_bits(5, (uint64_t)i) >> (32 + i % 31)) / 4 * (i % 2 ? -1 : 1);
        double d = in[i];
        float f = (float)d, whole = (float)(int64_t)d;
        double positive = (uint32_t)fabs(d);
        int64_t *o = expected + 12 * i;
        o[0] = (int32_t)d;
        o[1] = (int64_t)d;
        o[2] = (uint32_t)fabs(d);
        o[3] = (int32_t)f;
        o[4] = (int32_t)nearbyintf(f);
        o[5] = (int32_t)ceilf(f);
        o[6] = (int32_t)floorf(f);
        o[7] = (int64_t)(float)(int32_t)d;
        o[8] = (int16_t)(int32_t)f;
        int32_t bits;
        memcpy(&bits, &whole, 4);
        o[9] = bits;
        memcpy(o + 10, &positive, 8);
        o[11] = (int64_t)nearbyint(d);
    }
    compute(_i, "conversions", in, NULL, sizeof in, TYPE_s64, expected, 12 * N, 0);
}
END_TEST

/* --- half precision -------------------------------------------------------------------------------------------------------- */

/* The half nearest to x, which is finite, ties to even; or the next one towards zero. */
static uint16_t to_half(double x, bool towards_zero) {
    uint16_t sign = signbit(x) ? 0x8000 : 0;
    double size = fabs(x);
    if (size == 0) return sign;
    int exponent = ilogb(size) < -14 ? -14 : ilogb(size);
    double scaled = ldexp(size, 10 - exponent); /* in units of the last place */
    double whole = towards_zero ? floor(scaled) : nearbyint(scaled);
    if (whole >= 2048) {
        exponent++;
        whole /= 2;
    }
    if (exponent > 15) return sign | (towards_zero ? 0x7bff : 0x7c00);
    if (whole < 1024) return sign | (uint16_t)whole; /* subnormal */
    return (uint16_t)(sign | (exponent + 15) << 10 | ((int)whole - 1024));
}

static double from_half(uint16_t half) {
    int exponent = half >> 10 & 31, fraction = half & 1023;
    double size = exponent ? ldexp(1024 + fraction, exponent - 25) : ldexp(fraction, -24);
    return half & 0x8000 ? -size : size;
}

/* Exponents from -8 to 7: sums, products and fused products are then exact in double. */
static uint16_t moderate_half(uint64_t seed, int i) {
    uint64_t bits = random_bits(seed, (uint64_t)i);
    return (uint16_t)((bits & 0x83ff) | ((bits >> 16 & 15) + 7) << 10);
}

START_TEST(half_arithmetic_is_rounded_once)
{
    static uint16_t a[N], b[N], expected[5 * N];
    for (int i = 0; i < N; i++) {
        a[i] = moderate_half(6, i);
        b[i] = moderate_half(7, i);
        double x = from_half(a[i]), y = from_half(b[i]);
        const uint16_t row[5] = {to_half(x + y, false), to_half(x - y, false), to_half(x * y, false), to_half(x * y + x, false),
                                 x < y ? a[i] : b[i]};
        memcpy(expected + 5 * i, row, sizeof row);
    }
    compute(_i, "half_arithmetic", a, b, sizeof a, TYPE_b16, expected, 5 * N, 0);
}
END_TEST

START_TEST(pairs_of_halves_are_computed_side_by_side)
{
    static uint16_t a[2 * N], b[2 * N], expected[2 * N];
    for (int i = 0; i < 2 * N; i++) {
        a[i] = moderate_half(8, i);
        b[i] = moderate_half(9, i);
        double x = from_half(a[i]), y = from_half(b[i]);
        expected[i] = to_half(x * y + from_half(to_half(x + y, false)), false);
    }
    compute(_i, "half_pairs", a, b, sizeof a, TYPE_b16, expected, 2 * N, 0);
}
END_TEST

START_TEST(conversions_to_and_from_half_are_right)
{
    static float in[N], back[N];
    static uint16_t halves[2 * N];
    static int32_t whole[N];
    static const float edges[] = {0, -0.0f, 65504, 65519, 65520, -1e6f, 0x1p-24f, 0x1p-25f, 0x1.8p-25f, 0x1.ffcp-15f};
    for (int i = 0; i < N; i++) {
        uint64_t bits = random_bits(10, (uint64_t)i);
        in[i] = i < 10 ? edges[i] : ldexpf((float)(int32_t)bits, (int)(bits >> 32 & 31) - 45); /* from 2^-45 to 2^17 */
        halves[2 * i] = to_half(in[i], false);
        halves[2 * i + 1] = to_half(in[i], true);
        back[i] = (halves[2 * i] & 0x7fff) == 0x7c00 ? copysignf(INFINITY, in[i]) : (float)from_half(halves[2 * i]);
        whole[i] = isinf(back[i]) ? (in[i] > 0 ? INT32_MAX : INT32_MIN) : (int32_t)nearbyintf(back[i]);
    }
    Run *run = run_new(_i, "numbers.cu", "half_conversions");
    run_input(run, in, sizeof in);
    const void *got_halves = run_output(run, sizeof halves), *got_back = run_output(run, sizeof back);
    const void *got_whole = run_output(run, sizeof whole);
    launch_math(run);
    run_equal(run, TYPE_b16, got_halves, halves, 2 * N);
    run_equal(run, TYPE_f32, got_back, back, N);
    run_equal(run, TYPE_s32, got_whole, whole, N);
    run_free(run);
}
END_TEST

/* --- programs -------------------------------------------------------------------------------------------------------------- */

START_TEST(the_mandelbrot_set_has_its_shape)
{
    enum { WIDTH = 70, HEIGHT = 65, LIMIT = 100 };
    static uint16_t expected[WIDTH * HEIGHT];
    for (int py = 0; py < HEIGHT; py++)
        for (int px = 0; px < WIDTH; px++) {
            float cx = fmaf((float)px, 3.0f / 64, -2.25f), cy = fmaf((float)py, 3.0f / 64, -1.5f), x = 0, y = 0;
            int n = 0;
            for (; n < LIMIT && fmaf(x, x, y * y) < 4; n++) {
                float t = fmaf(x, x, -(y * y)) + cx;
                y = fmaf(2 * x, y, cy);
                x = t;
            }
            expected[py * WIDTH + px] = (uint16_t)n;
        }
    Run *run = run_new(_i, "numbers.cu", "mandelbrot");
    const void *out = run_output(run, sizeof expected);
    run_i32(run, WIDTH);
    run_i32(run, HEIGHT);
    run_i32(run, LIMIT);
    run_launch(run, (Shape){blocks_for(WIDTH, 16), blocks_for(HEIGHT, 8), 1}, (Shape){16, 8, 1}, 0);
    run_equal(run, TYPE_u16, out, expected, WIDTH * HEIGHT);
    run_free(run);
}
END_TEST

START_TEST(fast_intrinsics_are_close)
{
    static float in[N];
    for (int i = 0; i < N; i++) in[i] = (float)spread(-3, 3, i);
    Run *run = run_new(_i, "numbers.cu", "fast_math");
    run_input(run, in, sizeof in);
    const float *out = run_output(run, 8 * sizeof in);
    launch_math(run);
    for (int i = 0; i < N; i++) {
        double x = in[i], size = fabs(x);
        const double expected[8] = {exp(x),
                                    log(size + 0.5),
                                    sin(x),
                                    cos(x),
                                    1 / (size + 1),
                                    1 / sqrt(size + 1),
                                    pow(size + 0.5, 1.5),
                                    x < 0 ? 0 : x > 1 ? 1 : x};
        /* NVIDIA documents 2^-21.41 for __sinf and __cosf in this range and a few units in the last place for the others; 2^-20 of the
         * result, or of 1, is more than any of them. */
        for (int k = 0; k < 8; k++)
            ck_assert_msg(fabs(out[8 * i + k] - expected[k]) <= 0x1p-20 * fmax(1, fabs(expected[k])),
                          "function %d of %.9g is %.9g, expected %.9g", k, x, out[8 * i + k], expected[k]);
    }
    run_free(run);
}
END_TEST

void add_numbers(Suite *suite) {
    TCase *tcase = tcase_create("numbers");
    oracle_add(tcase, math_functions_of_floats_are_as_close_as_documented);
    oracle_add(tcase, math_functions_of_doubles_are_as_close_as_documented);
    oracle_add(tcase, math_functions_of_two_arguments_are_as_close_as_documented);
    oracle_add(tcase, float_arithmetic_is_rounded_as_ieee_754_says);
    oracle_add(tcase, double_arithmetic_is_rounded_as_ieee_754_says);
    oracle_add(tcase, conversions_between_numbers_are_right);
    oracle_add(tcase, half_arithmetic_is_rounded_once);
    oracle_add(tcase, pairs_of_halves_are_computed_side_by_side);
    oracle_add(tcase, conversions_to_and_from_half_are_right);
    oracle_add(tcase, the_mandelbrot_set_has_its_shape);
    oracle_add(tcase, fast_intrinsics_are_close);
    suite_add_tcase(suite, tcase);
}
