/* The mathematical functions that clang compiles into kernels are C as well: here they run natively and are compared with the C
 * library's in long double. The limits are those of the CUDA C++ Programming Guide 12 and 13, "Mathematical Functions", tables of the
 * maximum ULP error: a maximum distance, in units in the last place, from the correctly rounded result; so the distance from the true
 * value may be half a unit more. */
#define _GNU_SOURCE /* exp10l */
#include <float.h>
#include <math.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include "include/warpscope/math_bessel.h"
#include "include/warpscope/math_float.h"
#include "suite.h"

#define SAMPLES 6000
#define REFERENCE_ULP (LDBL_MANT_DIG > 60 ? 0.01 : 1.0) /* what the reference itself may be off, in units of a double */

typedef enum Spacing { EVEN, BY_FACTOR, BY_FACTOR_BOTH_SIGNS } Spacing;

static uint64_t state;

static double uniform(void) {
    state ^= state << 13;
    state ^= state >> 7;
    state ^= state << 17;
    return (double)(state >> 11) * 0x1p-53;
}

static double sample(double from, double to, Spacing spacing) {
    if (spacing == EVEN) return from + (to - from) * uniform();
    double x = exp(log(from) + (log(to) - log(from)) * uniform());
    return spacing == BY_FACTOR_BOTH_SIGNS && uniform() < 0.5 ? -x : x;
}

/* Distance from the true value in units in the last place of that value, for a format of so many digits and its smallest number. */
static double distance(long double got, long double want, int digits, int least) {
    if (isnan(want)) return isnan(got) ? 0 : INFINITY;
    int exponent = least + digits;
    if (want != 0) frexpl(want, &exponent);
    int unit = exponent - digits < least ? least : exponent - digits;
    long double most = digits == 24 ? FLT_MAX : DBL_MAX;
    if (fabsl(want) > most) return isinf(got) ? 0 : (double)(fabsl(want - got) / ldexpl(1, unit));
    return (double)(fabsl(got - want) / ldexpl(1, unit));
}

/* --- references that the C library has no name for --- */

static long double ref_sinpi(long double x) {
    const long double pi = 3.14159265358979323846264338327950288L;
    long double halves = roundl(2 * x), rest = pi * (x - halves / 2);
    int quarter = (int)(((long long)halves % 4 + 4) % 4);
    long double value = quarter & 1 ? cosl(rest) : sinl(rest);
    return quarter & 2 ? -value : value;
}
static long double ref_cospi(long double x) { return ref_sinpi(x + 0.5L); }
static long double ref_exp10(long double x) { return powl(10, x); }
static long double ref_normcdf(long double x) { return 0.5L * erfcl(-x * 0.707106781186547524400844362104849039L); }
static long double ref_rcbrt(long double x) { return 1 / cbrtl(x); }
static long double ref_rhypot(long double x, long double y) { return 1 / hypotl(x, y); }
static long double ref_rsqrt(long double x) { return 1 / sqrtl(x); }
/* All terms are positive: their sum is as good as long double. */
static long double ref_bessel_i(int n, long double x) {
    long double term = n ? x / 2 : 1, sum = term;
    for (int k = 1; term > sum * 1e-22L; k++) {
        term *= x * x / 4 / k / (k + n);
        sum += term;
    }
    return sum;
}
static long double ref_i0(long double x) { return ref_bessel_i(0, x); }
static long double ref_i1(long double x) { return ref_bessel_i(1, x); }
static long double ref_erfcx(long double x) { return expl(x * x) * erfcl(x); }

/* As math.h composes them. Not under their own names, some of which the C library has too. */
static double our_rcbrt(double x) { return 1 / warpscope_cbrt(x); }
static double our_rsqrt(double x) { return 1 / sqrt(x); }
static float our_rhypotf(float x, float y) { return 1 / warpscope_hypotf(x, y); }

/* --- one argument --- */

typedef struct Row1 {
    const char *name;
    double (*function)(double);
    long double (*reference)(long double);
    double from, to;
    Spacing spacing;
    double limit;
} Row1;

/* clang-format off */
static const Row1 rows1[] = {
    {"exp",    warpscope_exp,    expl,       -745,    709,     EVEN, 1},
    {"exp",    warpscope_exp,    expl,       1e-12,   2,       BY_FACTOR_BOTH_SIGNS, 1},
    {"exp2",   warpscope_exp2,   exp2l,      -1074,   1023.9,  EVEN, 1},
    {"exp10",  warpscope_exp10,  ref_exp10,  -323,    308,     EVEN, 1},
    {"expm1",  warpscope_expm1,  expm1l,     -40,     709,     EVEN, 1},
    {"expm1",  warpscope_expm1,  expm1l,     1e-20,   2,       BY_FACTOR_BOTH_SIGNS, 1},
    {"log",    warpscope_log,    logl,       5e-324,  1e308,   BY_FACTOR, 1},
    {"log",    warpscope_log,    logl,       0.5,     2,       EVEN, 1},
    {"log2",   warpscope_log2,   log2l,      5e-324,  1e308,   BY_FACTOR, 1},
    {"log2",   warpscope_log2,   log2l,      0.5,     2,       EVEN, 1},
    {"log10",  warpscope_log10,  log10l,     5e-324,  1e308,   BY_FACTOR, 1},
    {"log10",  warpscope_log10,  log10l,     0.5,     2,       EVEN, 1},
    {"log1p",  warpscope_log1p,  log1pl,     -0.9999, 3,       EVEN, 1},
    {"log1p",  warpscope_log1p,  log1pl,     1e-20,   1e308,   BY_FACTOR, 1},
    {"sin",    warpscope_sin,    sinl,       -10,     10,      EVEN, 2},
    {"sin",    warpscope_sin,    sinl,       1,       1e18,    BY_FACTOR_BOTH_SIGNS, 2},
    {"cos",    warpscope_cos,    cosl,       -10,     10,      EVEN, 2},
    {"cos",    warpscope_cos,    cosl,       1,       1e18,    BY_FACTOR_BOTH_SIGNS, 2},
    {"tan",    warpscope_tan,    tanl,       -10,     10,      EVEN, 2},
    {"tan",    warpscope_tan,    tanl,       1,       1e18,    BY_FACTOR_BOTH_SIGNS, 2},
    {"sinpi",  warpscope_sinpi,  ref_sinpi,  -10,     10,      EVEN, 2},
    {"cospi",  warpscope_cospi,  ref_cospi,  -10,     10,      EVEN, 2},
    {"asin",   warpscope_asin,   asinl,      -1,      1,       EVEN, 2},
    {"acos",   warpscope_acos,   acosl,      -1,      1,       EVEN, 2},
    {"atan",   warpscope_atan,   atanl,      1e-6,    1e6,     BY_FACTOR_BOTH_SIGNS, 2},
    {"sinh",   warpscope_sinh,   sinhl,      -710.4,  710.4,   EVEN, 2},
    {"sinh",   warpscope_sinh,   sinhl,      -3,      3,       EVEN, 2},
    {"cosh",   warpscope_cosh,   coshl,      -710.4,  710.4,   EVEN, 1},
    {"cosh",   warpscope_cosh,   coshl,      -3,      3,       EVEN, 1},
    {"tanh",   warpscope_tanh,   tanhl,      1e-6,    30,      BY_FACTOR_BOTH_SIGNS, 1},
    {"asinh",  warpscope_asinh,  asinhl,     1e-6,    1e300,   BY_FACTOR_BOTH_SIGNS, 3},
    {"asinh",  warpscope_asinh,  asinhl,     -3,      3,       EVEN, 3},
    {"acosh",  warpscope_acosh,  acoshl,     1,       1e300,   BY_FACTOR, 3},
    {"acosh",  warpscope_acosh,  acoshl,     1,       3,       EVEN, 3},
    {"atanh",  warpscope_atanh,  atanhl,     -1,      1,       EVEN, 2},
    {"cbrt",   warpscope_cbrt,   cbrtl,      5e-324,  1e308,   BY_FACTOR_BOTH_SIGNS, 1},
    {"rcbrt",  our_rcbrt,            ref_rcbrt,  1e-300,  1e308,   BY_FACTOR_BOTH_SIGNS, 1},
    {"rsqrt",  our_rsqrt,            ref_rsqrt,  1e-300,  1e308,   BY_FACTOR, 1},
    {"i0",     warpscope_i0,     ref_i0,     0,       713.9,   EVEN, 6},
    {"i0",     warpscope_i0,     ref_i0,     1e-10,   50,      BY_FACTOR, 6},
    {"i1",     warpscope_i1,     ref_i1,     0,       713.9,   EVEN, 6},
    {"i1",     warpscope_i1,     ref_i1,     1e-10,   50,      BY_FACTOR, 6},
    {"erf",    warpscope_erf,    erfl,       1e-10,   7,       BY_FACTOR_BOTH_SIGNS, 2},
    {"erfc",   warpscope_erfc,   erfcl,      -6,      26.5,    EVEN, 5},
    {"erfcx",  warpscope_erfcx,  ref_erfcx,  -10,     20,      EVEN, 4},
    {"normcdf", warpscope_normcdf, ref_normcdf, -37,  8,       EVEN, 5},
    {"tgamma", warpscope_tgamma, tgammal,    0,       171.6,   EVEN, 10},
    {"tgamma", warpscope_tgamma, tgammal,    -30,     2,       EVEN, 10},
    {"lgamma", warpscope_lgamma, lgammal,    1e-10,   1e300,   BY_FACTOR, 4},
    {"lgamma", warpscope_lgamma, lgammal,    0.5,     12,      EVEN, 4},
    {"lgamma", warpscope_lgamma, lgammal,    -40,     -24,     EVEN, 4},
};
/* clang-format on */

START_TEST(double_functions_keep_the_errors_of_cuda)
{
    for (size_t i = 0; i < sizeof rows1 / sizeof *rows1; i++) {
        const Row1 *row = &rows1[i];
        state = 88172645463325252u;
        for (int n = 0; n < SAMPLES; n++) {
            double x = sample(row->from, row->to, row->spacing);
            double off = distance(row->function(x), row->reference(x), 53, -1074);
            ck_assert_msg(off <= row->limit + 0.5 + REFERENCE_ULP, "%s(%a) is %.2f units off", row->name, x, off);
        }
    }
}
END_TEST

typedef struct Row1f {
    const char *name;
    float (*function)(float);
    long double (*reference)(long double);
    double from, to;
    Spacing spacing;
    double limit;
} Row1f;

/* clang-format off */
static const Row1f rows1f[] = {
    {"expf",   warpscope_expf,   expl,      -104,    88.7,  EVEN, 2},
    {"expf",   warpscope_expf,   expl,      1e-7,    2,     BY_FACTOR_BOTH_SIGNS, 2},
    {"exp2f",  warpscope_exp2f,  exp2l,     -149,    127.9, EVEN, 2},
    {"exp10f", warpscope_exp10f, ref_exp10, -45,     38.5,  EVEN, 2},
    {"expm1f", warpscope_expm1f, expm1l,    -20,     88,    EVEN, 1},
    {"expm1f", warpscope_expm1f, expm1l,    1e-7,    2,     BY_FACTOR_BOTH_SIGNS, 1},
    {"logf",   warpscope_logf,   logl,      1e-45,   3e38,  BY_FACTOR, 1},
    {"logf",   warpscope_logf,   logl,      0.5,     2,     EVEN, 1},
    {"log2f",  warpscope_log2f,  log2l,     1e-45,   3e38,  BY_FACTOR, 1},
    {"log2f",  warpscope_log2f,  log2l,     0.5,     2,     EVEN, 1},
    {"log10f", warpscope_log10f, log10l,    1e-45,   3e38,  BY_FACTOR, 2},
    {"log10f", warpscope_log10f, log10l,    0.5,     2,     EVEN, 2},
    {"log1pf", warpscope_log1pf, log1pl,    -0.9999, 3,     EVEN, 1},
    {"log1pf", warpscope_log1pf, log1pl,    1e-10,   1e38,  BY_FACTOR, 1},
    {"sinf",   warpscope_sinf,   sinl,      -10,     10,    EVEN, 2},
    {"sinf",   warpscope_sinf,   sinl,      1,       1e18,  BY_FACTOR_BOTH_SIGNS, 2},
    {"cosf",   warpscope_cosf,   cosl,      -10,     10,    EVEN, 2},
    {"cosf",   warpscope_cosf,   cosl,      1,       1e18,  BY_FACTOR_BOTH_SIGNS, 2},
    {"tanf",   warpscope_tanf,   tanl,      -10,     10,    EVEN, 4},
    {"tanf",   warpscope_tanf,   tanl,      1,       1e18,  BY_FACTOR_BOTH_SIGNS, 4},
    {"sinpif", warpscope_sinpif, ref_sinpi, -10,     10,    EVEN, 1},
    {"cospif", warpscope_cospif, ref_cospi, -10,     10,    EVEN, 1},
    {"asinf",  warpscope_asinf,  asinl,     -1,      1,     EVEN, 2},
    {"acosf",  warpscope_acosf,  acosl,     -1,      1,     EVEN, 2},
    {"atanf",  warpscope_atanf,  atanl,     1e-5,    1e5,   BY_FACTOR_BOTH_SIGNS, 2},
    {"tanhf",  warpscope_tanhf,  tanhl,     1e-5,    20,    BY_FACTOR_BOTH_SIGNS, 2},
};
/* clang-format on */

START_TEST(float_functions_keep_the_errors_of_cuda)
{
    for (size_t i = 0; i < sizeof rows1f / sizeof *rows1f; i++) {
        const Row1f *row = &rows1f[i];
        state = 88172645463325252u;
        for (int n = 0; n < SAMPLES; n++) {
            float x = (float)sample(row->from, row->to, row->spacing);
            double off = distance(row->function(x), row->reference(x), 24, -149);
            ck_assert_msg(off <= row->limit + 0.5, "%s(%a) is %.2f units off", row->name, x, off);
        }
    }
}
END_TEST

/* --- two arguments --- */

typedef struct Row2 {
    const char *name;
    double (*function)(double, double);
    float (*function_f)(float, float); /* one of the two is NULL */
    long double (*reference)(long double, long double);
    double x_from, x_to, y_from, y_to;
    double limit;
} Row2;

/* clang-format off */
static const Row2 rows2[] = {
    {"pow",    warpscope_pow,   NULL, powl,   0.001, 10,     -100,  100,  2},
    {"pow",    warpscope_pow,   NULL, powl,   0.9,   1.1,    -6000, 6000, 2},
    {"pow",    warpscope_pow,   NULL, powl,   0,     1e300,  -1,    1,    2},
    {"pow",    warpscope_pow,   NULL, powl,   0,     1e-290, -1,    1.1,  2},
    {"atan2",  warpscope_atan2, NULL, atan2l, -3,    3,      -3,    3,    2},
    {"hypot",  warpscope_hypot, NULL, hypotl, -3,    3,      -3,    3,    2},
    {"hypot",  warpscope_hypot, NULL, hypotl, -8e307, 8e307, -8e307, 8e307, 2},
    {"hypot",  warpscope_hypot, NULL, hypotl, -1e-308, 1e-308, -1e-308, 1e-308, 2},
    {"rhypot", warpscope_rhypot, NULL, ref_rhypot, -3, 3,    -3,    3,    1},
    {"rhypot", warpscope_rhypot, NULL, ref_rhypot, -8e307, 8e307, -8e307, 8e307, 1},
    {"rhypot", warpscope_rhypot, NULL, ref_rhypot, -1e-300, 1e-300, -1e-300, 1e-300, 1},
    {"rhypotf", NULL, our_rhypotf, ref_rhypot,    -3,    3,      -3,    3,    2},
    {"powf",   NULL, warpscope_powf,   powl,   0.001, 10,    -30,   30,   4},
    {"powf",   NULL, warpscope_powf,   powl,   0,     1e38,  -1,    1,    4},
    {"atan2f", NULL, warpscope_atan2f, atan2l, -3,    3,     -3,    3,    3},
    {"hypotf", NULL, warpscope_hypotf, hypotl, -3,    3,     -3,    3,    3},
    {"hypotf", NULL, warpscope_hypotf, hypotl, -1e38, 1e38,  -1e38, 1e38, 3},
};
/* clang-format on */

START_TEST(functions_of_two_arguments_keep_the_errors_of_cuda)
{
    for (size_t i = 0; i < sizeof rows2 / sizeof *rows2; i++) {
        const Row2 *row = &rows2[i];
        state = 88172645463325252u;
        for (int n = 0; n < SAMPLES; n++) {
            double x = sample(row->x_from, row->x_to, EVEN), y = sample(row->y_from, row->y_to, EVEN), off;
            if (row->function) {
                off = distance(row->function(x, y), row->reference(x, y), 53, -1074);
            } else {
                float xf = (float)x, yf = (float)y;
                off = distance(row->function_f(xf, yf), row->reference(xf, yf), 24, -149);
            }
            ck_assert_msg(off <= row->limit + 0.5 + REFERENCE_ULP, "%s(%a, %a) is %.2f units off", row->name, x, y, off);
        }
    }
}
END_TEST

/* An argument where the long way round is needed: the double nearest to a multiple of pi/2, whose cosine is smaller than any
 * other's (J.-M. Muller, "Elementary Functions", worst case of range reduction), and the largest double. */
START_TEST(the_worst_angle_is_reduced_exactly)
{
    double worst = 0x1.6ac5b262ca1ffp+849;
    ck_assert(distance(warpscope_cos(worst), cosl(worst), 53, -1074) < 1);
    ck_assert(fabs(warpscope_cos(worst)) < 1e-18);
    ck_assert(distance(warpscope_sin(DBL_MAX), sinl(DBL_MAX), 53, -1074) < 1);
    ck_assert(distance(warpscope_cosf(FLT_MAX), cosl(FLT_MAX), 24, -149) < 2);
    ck_assert(distance(warpscope_tanf(0x1.ddebdep+120f), tanl(0x1.ddebdep+120f), 24, -149) < 4);
}
END_TEST

/* Remainders have no error at all, whatever the two exponents. */
START_TEST(remainders_are_exact)
{
    state = 88172645463325252u;
    for (int n = 0; n < 20000; n++) {
        uniform();
        double a = warpscope_double(state), b;
        uniform();
        b = n % 2 ? warpscope_double(state) : warpscope_double((warpscope_bits(a) & 0xfff0000000000000u) | (state >> 12));
        if (n % 5 == 0) b = warpscope_double(state >> 13); /* a denormal */
        int got_quotient, want_quotient;
        double want = fmod(a, b), got = warpscope_fmod(a, b);
        ck_assert_msg(want == got || (isnan(want) && isnan(got)), "fmod(%a, %a)", a, b);
        want = remquo(a, b, &want_quotient);
        got = warpscope_remquo(a, b, &got_quotient);
        ck_assert_msg(want == got || (isnan(want) && isnan(got)), "remainder(%a, %a)", a, b);
        if (!isnan(want)) ck_assert_msg((want_quotient & 7) == (got_quotient & 7), "remquo(%a, %a)", a, b);
    }
}
END_TEST

/* An inverse is right when it leads back: the error of x shows in f(x) multiplied by the slope of f. */
START_TEST(inverse_error_functions_lead_back)
{
    const long double two_over_root_pi = 1.12837916709551257389615890312154517L;
    state = 88172645463325252u;
    for (int n = 0; n < 3000; n++) {
        double y = exp(-700 * uniform()), x = warpscope_erfcinv(y);
        long double slope = two_over_root_pi * expl(-(long double)x * x);
        ck_assert_msg(fabsl(erfcl(x) - y) / slope <= fabs(x) * 0x1p-52 * 6.5, "erfcinv(%a)", y);
        y = 2 * uniform();
        x = warpscope_erfcinv(y);
        slope = two_over_root_pi * expl(-(long double)x * x);
        ck_assert_msg(fabsl(erfl(x) - (1 - (long double)y)) / slope <= fabs(x) * 0x1p-52 * 6.5, "erfcinv(%a)", y);
        y = 1 + sample(1e-15, 0.4, BY_FACTOR_BOTH_SIGNS); /* beside 1, where the result is small */
        x = warpscope_erfcinv(y);
        slope = two_over_root_pi * expl(-(long double)x * x);
        ck_assert_msg(fabsl(erfl(x) - (1 - (long double)y)) / slope <= fabs(x) * 0x1p-52 * 6.5, "erfcinv(%a)", y);
        x = warpscope_normcdfinv(y / 2);
        slope = 0.5L * two_over_root_pi / sqrtl(2) * expl(-(long double)x * x / 2);
        ck_assert_msg(fabsl(erfl(x / sqrtl(2)) / 2 - ((long double)y - 1) / 2) / slope <= fabs(x) * 0x1p-52 * 8.5,
                      "normcdfinv(%a)", y / 2);
        y = 2 * uniform() - 1;
        x = warpscope_erfinv(y);
        slope = two_over_root_pi * expl(-(long double)x * x);
        ck_assert_msg(fabsl(erfl(x) - y) / slope <= fabs(x) * 0x1p-52 * 5.5, "erfinv(%a)", y);
    }
}
END_TEST

/* Up to 8 within 7 units in the last place, beyond within 5e-12; the reference has 64 bits itself, which counts beside the zeros. */
START_TEST(bessel_functions_keep_the_errors_of_cuda)
{
    static const struct {
        const char *name;
        double (*function)(double);
        long double (*reference)(long double);
    } rows[] = {{"j0", warpscope_j0, j0l}, {"j1", warpscope_j1, j1l}, {"y0", warpscope_y0, y0l}, {"y1", warpscope_y1, y1l}};
    state = 88172645463325252u;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        for (int n = 0; n < SAMPLES; n++) {
            double x = sample(1e-9, 8, n % 2 ? EVEN : BY_FACTOR), got = rows[i].function(x);
            long double want = rows[i].reference(x);
            double off = distance(got, want, 53, -1074);
            ck_assert_msg(off <= 7.5 || fabsl(got - want) < 0x1p-63, "%s(%a) is %.2f units off", rows[i].name, x, off);
            x = n % 2 ? sample(8, 60, EVEN) : sample(8, 1e15, BY_FACTOR);
            got = rows[i].function(x);
            ck_assert_msg(fabsl(got - rows[i].reference(x)) <= 5e-12L, "%s(%a) is %g", rows[i].name, x, got);
        }
    }
    for (int n = 0; n < SAMPLES; n++) {
        int order = (int)(150 * uniform());
        double x = sample(1e-3, 300, EVEN);
        ck_assert_msg(fabsl(warpscope_jn(order, x) - jnl(order, x)) <= 5e-12L, "jn(%d, %a)", order, x);
        if (x > 1.5 * order) ck_assert_msg(fabsl(warpscope_yn(order, x) - ynl(order, x)) <= 5e-12L, "yn(%d, %a)", order, x);
    }
}
END_TEST

static bool same(double got, double want) { return isnan(want) ? isnan(got) : got == want && !signbit(got) == !signbit(want); }

/* C11, annex F.10: what the functions do at zeros, infinities and NaN. Here the C library is the authority. */
START_TEST(special_values_are_those_of_the_standard)
{
    static double (*const functions[])(double) = {
        warpscope_exp,   warpscope_exp2, warpscope_expm1, warpscope_log,  warpscope_log2,   warpscope_log10,
        warpscope_log1p, warpscope_sin,  warpscope_cos,   warpscope_tan,  warpscope_asin,   warpscope_acos,
        warpscope_atan,  warpscope_sinh, warpscope_cosh,  warpscope_tanh, warpscope_asinh,  warpscope_acosh,
        warpscope_atanh, warpscope_cbrt, warpscope_erf,   warpscope_erfc, warpscope_tgamma, warpscope_lgamma};
    static double (*const references[])(double) = {exp,   exp2,  expm1, log,  log2, log10, log1p,  sin,
                                                   cos,   tan,   asin,  acos, atan, sinh,  cosh,   tanh,
                                                   asinh, acosh, atanh, cbrt, erf,  erfc,  tgamma, lgamma};
    static const double values[] = {0.0, -0.0, INFINITY, -INFINITY, NAN, 1.0, -1.0, 2.0};
    for (size_t f = 0; f < sizeof functions / sizeof *functions; f++) {
        for (size_t i = 0; i < sizeof values / sizeof *values; i++) {
            double want = references[f](values[i]), got = functions[f](values[i]);
            if (isfinite(want) && want != 0) continue; /* the rows above look at those */
            ck_assert_msg(same(got, want), "function %zu of %g is %g, not %g", f, values[i], got, want);
        }
    }
}
END_TEST

/* CUDA Math API: what Bessel functions do at their ends; negative orders are no numbers. */
START_TEST(special_values_of_bessel_functions_are_those_of_cuda)
{
    ck_assert(same(warpscope_j0(0.0), 1) && same(warpscope_j1(-0.0), -0.0) && same(warpscope_jn(2, 0.0), 0));
    ck_assert(same(warpscope_j0(INFINITY), 0) && same(warpscope_j1(INFINITY), 0) && same(warpscope_jn(5, INFINITY), 0));
    ck_assert(same(warpscope_j1(-3), -warpscope_j1(3)) && same(warpscope_jn(2, -3), warpscope_jn(2, 3)));
    ck_assert(isnan(warpscope_jn(-1, 1)) && isnan(warpscope_yn(-1, 1)) && isnan(warpscope_j0(NAN)) && isnan(warpscope_y1(NAN)));
    ck_assert(same(warpscope_y0(0.0), -INFINITY) && same(warpscope_yn(3, 0.0), -INFINITY) && isnan(warpscope_y0(-1)));
    ck_assert(same(warpscope_y1(INFINITY), 0) && isnan(warpscope_yn(2, -1)) && same(warpscope_yn(2, INFINITY), 0));
    ck_assert(same(warpscope_i0(0.0), 1) && same(warpscope_i1(-0.0), -0.0) && same(warpscope_i1(-INFINITY), -INFINITY));
    ck_assert(same(warpscope_i0(715), INFINITY) && same(warpscope_i1(-2), -warpscope_i1(2)));
}
END_TEST

START_TEST(special_values_of_float_functions_are_those_of_the_standard)
{
    static float (*const functions[])(float) = {
        warpscope_expf, warpscope_exp2f, warpscope_expm1f, warpscope_logf,  warpscope_log2f, warpscope_log10f, warpscope_log1pf,
        warpscope_sinf, warpscope_cosf,  warpscope_tanf,   warpscope_asinf, warpscope_acosf, warpscope_atanf,  warpscope_tanhf};
    static float (*const references[])(float) = {expf, exp2f, expm1f, logf,  log2f, log10f, log1pf,
                                                 sinf, cosf,  tanf,   asinf, acosf, atanf,  tanhf};
    static const float values[] = {0.0f, -0.0f, INFINITY, -INFINITY, NAN, 1.0f, -1.0f, 2.0f};
    for (size_t f = 0; f < sizeof functions / sizeof *functions; f++) {
        for (size_t i = 0; i < sizeof values / sizeof *values; i++) {
            float want = references[f](values[i]), got = functions[f](values[i]);
            if (isfinite(want) && want != 0) continue;
            ck_assert_msg(same(got, want), "function %zu of %g is %g, not %g", f, values[i], got, want);
        }
    }
}
END_TEST

START_TEST(powers_and_angles_of_special_values_are_those_of_the_standard)
{
    static const double values[] = {0.0,  -0.0, INFINITY, -INFINITY, NAN,  1.0,   -1.0,  2.0,
                                    -2.0, 3.0,  -3.0,     0.5,       -0.5, 1e300, -1e300};
    for (size_t i = 0; i < sizeof values / sizeof *values; i++) {
        for (size_t j = 0; j < sizeof values / sizeof *values; j++) {
            double x = values[i], y = values[j];
            double want = pow(x, y);
            if (!isfinite(want) || want == 0 || fabs(want) == 1) {
                ck_assert_msg(same(warpscope_pow(x, y), want), "pow(%g, %g)", x, y);
            }
            want = powf((float)x, (float)y);
            if (!isfinite(want) || want == 0 || fabs(want) == 1) {
                ck_assert_msg(same(warpscope_powf((float)x, (float)y), want), "powf(%g, %g)", x, y);
            }
            want = atan2(y, x);
            ck_assert_msg(same(warpscope_atan2(y, x), want) || fabs(warpscope_atan2(y, x) - want) < 1e-15, "atan2(%g, %g)", y,
                          x);
            ck_assert_msg(same(warpscope_hypot(x, y), hypot(x, y)) || isfinite(hypot(x, y)), "hypot(%g, %g)", x, y);
        }
    }
}
END_TEST

SUITE("cuda_math", double_functions_keep_the_errors_of_cuda, float_functions_keep_the_errors_of_cuda,
      functions_of_two_arguments_keep_the_errors_of_cuda, the_worst_angle_is_reduced_exactly, remainders_are_exact,
      inverse_error_functions_lead_back, bessel_functions_keep_the_errors_of_cuda,
      special_values_of_bessel_functions_are_those_of_cuda, special_values_are_those_of_the_standard,
      special_values_of_float_functions_are_those_of_the_standard,
      powers_and_angles_of_special_values_are_those_of_the_standard)
