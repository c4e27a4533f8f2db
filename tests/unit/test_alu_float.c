/* Arithmetic and comparisons of f32, f64 and the halves: rounding, NaN, infinities, signed zeros, subnormals. Values "read
 * off an H200" are what that GPU answers. */
#include "ptx/opcode.h"
#include "suite.h"
#include <fenv.h>
#include <math.h>

#include "alu_test.h"

#define F32_NAN 0x7fffffffu
#define F32_INF 0x7f800000u
#define MINUS 0x80000000u

static double double_of(uint64_t bits) {
    double x;
    memcpy(&x, &bits, sizeof x);
    return x;
}

START_TEST(each_rounding_goes_its_way)
{
    /* 1 + 2^-24 lies halfway between 1 and 1 + 2^-23; 1/3 = 0x3eaaaaaa.aaa…; sqrt 2 = 1.41421356237, between 0x3fb504f3
     * (1.41421354) and 0x3fb504f4; (1 + 2^-23)^2 = 1 + 2^-22 + 2^-46. */
    static const struct {
        uint8_t op;
        uint32_t a, b, rn, rz, rm, rp;
    } cases[] = {
        {OP_add, 0x3f800000, 0x33800000, 0x3f800000, 0x3f800000, 0x3f800000, 0x3f800001},
        {OP_add, 0xbf800000, 0xb3800000, 0xbf800000, 0xbf800000, 0xbf800001, 0xbf800000},
        {OP_add, 0x3f800001, 0x33800000, 0x3f800002, 0x3f800001, 0x3f800001, 0x3f800002}, /* tie to even, upwards */
        {OP_sub, 0x3f800000, 0xb3800001, 0x3f800001, 0x3f800000, 0x3f800000, 0x3f800001}, /* just above the tie */
        {OP_sub, 0x3f800000, 0x3f800000, 0, 0, MINUS, 0},
        {OP_mul, 0x3f800001, 0x3f800001, 0x3f800002, 0x3f800002, 0x3f800002, 0x3f800003},
        {OP_mul, 0x7f7fffff, 0x40000000, F32_INF, 0x7f7fffff, 0x7f7fffff, F32_INF},
        {OP_mul, 0x00000001, 0x3f000000, 0, 0, 0, 1}, /* half the least subnormal */
        {OP_div, 0x3f800000, 0x40400000, 0x3eaaaaab, 0x3eaaaaaa, 0x3eaaaaaa, 0x3eaaaaab},
        {OP_div, 0xbf800000, 0x40400000, 0xbeaaaaab, 0xbeaaaaaa, 0xbeaaaaab, 0xbeaaaaaa},
        {OP_rcp, 0x40400000, 0, 0x3eaaaaab, 0x3eaaaaaa, 0x3eaaaaaa, 0x3eaaaaab},
        {OP_sqrt, 0x40000000, 0, 0x3fb504f3, 0x3fb504f3, 0x3fb504f3, 0x3fb504f4},
    };
    for (unsigned k = 0; k < NUMBER_OF(cases); k++) {
        const bool unary = cases[k].op == OP_rcp || cases[k].op == OP_sqrt;
        const uint32_t expected[] = {cases[k].rn, cases[k].rz, cases[k].rm, cases[k].rp};
        for (unsigned r = 0; r < 4; r++) {
            const Insn insn = {.op = cases[k].op, .type = TYPE_f32, .rounding = (uint8_t)(ROUND_RN + r), .n_dst = 1};
            same(unary ? run_word1(insn, cases[k].a) : run_word2(insn, cases[k].a, cases[k].b), expected[r]);
            ck_assert_int_eq(fegetround(), FE_TONEAREST);
        }
    }
}
END_TEST

START_TEST(each_rounding_goes_its_way_in_double)
{
    const uint64_t one = 0x3ff0000000000000, ulp_half = 0x3ca0000000000000 /* 2^-53 */, three = 0x4008000000000000;
    static const uint64_t sums[] = {0x3ff0000000000000, 0x3ff0000000000000, 0x3ff0000000000000, 0x3ff0000000000001};
    static const uint64_t thirds[] = {0x3fd5555555555555, 0x3fd5555555555555, 0x3fd5555555555555, 0x3fd5555555555556};
    for (unsigned r = 0; r < 4; r++) {
        const uint8_t rounding = (uint8_t)(ROUND_RN + r);
        same(run_long2(INSN(add, f64, .rounding = rounding), one, ulp_half), sums[r]);
        same(run_long2(INSN(div, f64, .rounding = rounding), one, three), thirds[r]);
        same(run_long1(INSN(rcp, f64, .rounding = rounding), three), thirds[r]);
        /* 1 * 1 + 2^-53 */
        same(run_long3(INSN(fma, f64, .rounding = rounding), one, one, ulp_half), sums[r]);
    }
}
END_TEST

START_TEST(fma_rounds_once)
{
    /* (1 + 2^-23)(1 - 2^-23) - 1 = -2^-46; rounding the product first would give 0. */
    same(run_word3(INSN(fma, f32, .rounding = ROUND_RN), 0x3f800001, 0x3f7ffffe, 0xbf800000), bits_of(-0x1p-46f));
    same(run_word3(INSN(mad, f32, .rounding = ROUND_RN), 0x3f800001, 0x3f7ffffe, 0xbf800000), bits_of(-0x1p-46f));
    /* (1 + 2^-52)(1 - 2^-52) - 1 = -2^-104 */
    same(run_long3(INSN(fma, f64, .rounding = ROUND_RN), 0x3ff0000000000001, 0x3feffffffffffffe, 0xbff0000000000000),
         bits_of_double(-0x1p-104));
    /* 1 - 2^-60 under each rounding. */
    static const uint32_t expected[] = {0x3f800000, 0x3f7fffff, 0x3f7fffff, 0x3f800000};
    for (unsigned r = 0; r < 4; r++) {
        same(run_word3(INSN(fma, f32, .rounding = (uint8_t)(ROUND_RN + r)), bits_of(0x1p-30f), bits_of(-0x1p-30f), 0x3f800000),
             expected[r]);
    }
}
END_TEST

START_TEST(f32_nan_is_canonical_and_invalid_operations_make_one)
{
    const Insn add = INSN(add, f32), mul = INSN(mul, f32), div = INSN(div, f32, .rounding = ROUND_RN);
    same(run_word2(add, F32_INF, F32_INF | MINUS), F32_NAN);
    same(run_word2(add, 0xffc00001, 0x3f800000), F32_NAN);
    same(run_word2(mul, 0, F32_INF), F32_NAN);
    same(run_word2(div, 0, MINUS), F32_NAN);
    same(run_word2(div, 0x3f800000, MINUS), F32_INF | MINUS);
    same(run_word1(INSN(sqrt, f32, .rounding = ROUND_RN), 0xbf800000), F32_NAN);
    same(run_word1(INSN(sqrt, f32, .rounding = ROUND_RN), MINUS), MINUS);
    same(run_word3(INSN(fma, f32, .rounding = ROUND_RM), 0, F32_INF, 0x3f800000), F32_NAN);
    same(run_word1(INSN(neg, f32), 0x7f800001), F32_NAN); /* read off an H200 */
    same(run_word1(INSN(abs, f32), 0xffc00001), F32_NAN);
    same(run_word1(INSN(neg, f32), 0), MINUS);
    same(run_word1(INSN(abs, f32), 0x80000001), 1);
    same(run_long1(INSN(neg, f64), 0x3ff0000000000000), 0xbff0000000000000);
    same(run_long1(INSN(abs, f64), 0x8000000000000000), 0);
    ck_assert(isnan(double_of(run_long2(INSN(add, f64), 0x7ff0000000000000, 0xfff0000000000000))));
}
END_TEST

START_TEST(ftz_flushes_operands_and_results_keeping_the_sign)
{
    const Insn add = INSN(add, f32, .flags = INSN_FTZ), mul = INSN(mul, f32, .flags = INSN_FTZ);
    same(run_word2(add, 0x807fffff, 0x80000001), MINUS);                 /* -0 + -0 */
    same(run_word2(INSN(add, f32), 0x807fffff, 0x80000001), 0x80800000); /* without .ftz: the least normal number */
    same(run_word2(add, 0x00800001, 0x80800000), 0);                     /* the difference is subnormal */
    same(run_word2(mul, 0x80800000, 0x3f000000), MINUS);
    same(run_word2(mul, F32_INF, 1), F32_NAN); /* infinity times zero */
    same(run_word1(INSN(abs, f32, .flags = INSN_FTZ), 0x80000001), 0);
    same(run_word1(INSN(neg, f32, .flags = INSN_FTZ), 0x00000001), MINUS);
    same(run_word3(INSN(fma, f32, .rounding = ROUND_RN, .flags = INSN_FTZ), 1, 0x4b800000, MINUS), 0);
    same(run_word1(INSN(rcp, f32, .rounding = ROUND_RN, .flags = INSN_FTZ), 0x80000001), F32_INF | MINUS);
    same(RUN(INSN(setp, f32, .compare = CMP_EQ, .flags = INSN_FTZ), SHAPE(BITS, 4, 4), 0x80000001, 0x007fffff), 1);
    same(RUN(INSN(setp, f32, .compare = CMP_EQ), SHAPE(BITS, 4, 4), 0x80000001, 0x007fffff), 0);
}
END_TEST

/* (1 - 2^-24) * 2^-126 has the 24 bits of a float, and lies below the normal numbers. As a subnormal it is halfway between 0x007fffff and
 * 2^-126, which is even. An H200 flushes it. */
START_TEST(ftz_flushes_what_is_small_before_it_is_a_subnormal)
{
    const uint32_t below_one = 0x3f7fffff, least = 0x00800000;
    same(run_word2(INSN(mul, f32), below_one, least), least);
    same(run_word2(INSN(mul, f32, .flags = INSN_FTZ), below_one, least), 0);
    same(run_word2(INSN(mul, f32, .flags = INSN_FTZ), below_one, least | MINUS), MINUS);
    same(run_word2(INSN(mul, f32, .flags = INSN_FTZ), below_one, 0x00800001), least); /* 1 + 2^-24 - 2^-47, to 24 bits: 1 */
    same(run_word3(INSN(fma, f32, .rounding = ROUND_RN, .flags = INSN_FTZ), below_one, least, 0), 0);
    same(run_word3(INSN(fma, f32, .rounding = ROUND_RP, .flags = INSN_FTZ), below_one, least, 0), 0);
    same(run_word2(INSN(div, f32, .rounding = ROUND_RN, .flags = INSN_FTZ), below_one, 0x7e800000), 0); /* by 2^126 */
    same(run_word1(INSN(rcp, f32, .rounding = ROUND_RP, .flags = INSN_FTZ), 0x7e800001),
         0); /* 2^-126 / (1 + 2^-23), up: 1 - 2^-24 */
    const Insn halves = INSN(mul, f16, .rounding = ROUND_RN, .flags = INSN_FTZ);
    same(run_word2(halves, 0x3bff, 0x0400), 0); /* (1 - 2^-11) * 2^-14 */
    same(run_word2(halves, 0x3bff, 0x0401), 0x0400);
    same(run_word2(INSN(mul, f16, .rounding = ROUND_RN), 0x3bff, 0x0400), 0x0400);
}
END_TEST

/* As an H200 does: quiet, the second source's before the third's before the first's; a division's first before its second. */
START_TEST(a_double_that_is_no_number_is_handed_on)
{
    const uint64_t a = 0x7ff8000000000001, b = 0xfff0000000000002, c = 0x7ff0000000000003, quiet = UINT64_C(1) << 51,
                   one = 0x3ff0000000000000;
    for (uint8_t rounding = ROUND_RN; rounding <= ROUND_RP; rounding++) {
        const Insn insns[] = {INSN(add, f64, .rounding = rounding), INSN(sub, f64, .rounding = rounding),
                              INSN(mul, f64, .rounding = rounding)};
        for (unsigned i = 0; i < NUMBER_OF(insns); i++) {
            same(run_long2(insns[i], a, b), b | quiet);
            same(run_long2(insns[i], c, one), c | quiet);
            same(run_long2(insns[i], one, b), b | quiet);
        }
        const Insn fma_insn = INSN(fma, f64, .rounding = rounding), div_insn = INSN(div, f64, .rounding = rounding);
        same(run_long3(fma_insn, a, b, c), b | quiet);
        same(run_long3(fma_insn, a, one, c), c | quiet);
        same(run_long3(fma_insn, a, one, one), a);
        same(run_long2(div_insn, c, b), c | quiet);
        same(run_long2(div_insn, one, b), b | quiet);
    }
    same(run_long2(INSN(add, f64), 0x7ff0000000000000, 0xfff0000000000000), 0xfff8000000000000);
    same(run_long1(INSN(neg, f64), c), c | quiet);
    same(run_long1(INSN(abs, f64), b), b | quiet);
    same(run_long2(INSN(max, f64), a, b), b | quiet);
    same(run_long2(INSN(min, f64), b, one), one);
}
END_TEST

START_TEST(sat_clamps_to_0_and_1_and_nan_to_0)
{
    const Insn add = INSN(add, f32, .flags = INSN_SAT);
    same(run_word2(add, 0x3f800000, 0x3f800000), 0x3f800000);
    same(run_word2(add, 0xbf800000, 0x3f000000), 0);
    same(run_word2(add, MINUS, MINUS), 0);
    same(run_word2(add, F32_INF, F32_INF | MINUS), 0);
    same(run_word2(add, 0x3e800000, 0x3e800000), 0x3f000000);
    same(run_word3(INSN(fma, f32, .rounding = ROUND_RN, .flags = INSN_SAT), 0x40000000, 0x40000000, 0), 0x3f800000);
    same(run_word3(INSN(fma, f32, .rounding = ROUND_RN, .flags = INSN_SAT | INSN_FTZ), 1, 0x3f800000, 0), 0);
}
END_TEST

START_TEST(minimum_and_maximum_prefer_numbers_and_order_zeros)
{
    static const struct {
        uint32_t a, b, min, max, min_nan;
    } cases[] = {
        {0x3f800000, 0x40000000, 0x3f800000, 0x40000000, 0x3f800000},
        {0, MINUS, MINUS, 0, MINUS},
        {MINUS, 0, MINUS, 0, MINUS},
        {0x7fc00000, 0x3f800000, 0x3f800000, 0x3f800000, F32_NAN},
        {0xbf800000, 0xffc00001, 0xbf800000, 0xbf800000, F32_NAN},
        {0x7fc00000, 0xffc00001, F32_NAN, F32_NAN, F32_NAN},
        {F32_INF, 0xc0000000, 0xc0000000, F32_INF, 0xc0000000},
    };
    for (unsigned k = 0; k < NUMBER_OF(cases); k++) {
        same(run_word2(INSN(min, f32), cases[k].a, cases[k].b), cases[k].min);
        same(run_word2(INSN(max, f32), cases[k].a, cases[k].b), cases[k].max);
        same(run_word2(INSN(min, f32, .flags = INSN_NAN), cases[k].a, cases[k].b), cases[k].min_nan);
    }
    same(run_word2(INSN(min, f32, .flags = INSN_XORSIGN_ABS), 0xc0000000, 0x40400000), 0xc0000000); /* 2 and 3, signs differ */
    same(run_word2(INSN(max, f32, .flags = INSN_XORSIGN_ABS), 0xc0000000, 0xc0400000), 0x40400000);
    same(run_long2(INSN(min, f64), 0, 0x8000000000000000), 0x8000000000000000);
    same(run_long2(INSN(min, f64), 0x8000000000000000, 0), 0x8000000000000000);
    same(run_long2(INSN(max, f64), 0x8000000000000000, 0), 0);
    same(run_long2(INSN(max, f64), 0, 0x8000000000000000), 0);
    same(run_long2(INSN(min, f64), 0x7ff8000000000001, 0x4000000000000000), 0x4000000000000000);
    same(run_long2(INSN(min, f64), 0x4000000000000000, 0x7ff8000000000001), 0x4000000000000000);
    same(run_long2(INSN(max, f64), 0x7ff8000000000001, 0xc000000000000000), 0xc000000000000000);
    same(run_long2(INSN(max, f64), 0xc000000000000000, 0x7ff8000000000001), 0xc000000000000000);
    same(run_long2(INSN(max, f64), 0x7ff8000000000000, 0xbff0000000000000), 0xbff0000000000000);
    same(run_word2(INSN(copysign, f32), MINUS, 0x3f800000), 0xbf800000); /* the sign of a on b */
    same(run_long2(INSN(copysign, f64), 0x3ff0000000000000, 0xfff0000000000000), 0x7ff0000000000000);
}
END_TEST

/* The result in units of the last place of the exact value, which the host's double functions give well enough. */
static double ulps(uint32_t got, double exact) {
    float g;
    memcpy(&g, &got, sizeof g);
    return fabs(((double)g - exact) / ldexp(1, ilogb(exact) - 23));
}

START_TEST(approximate_functions_are_within_one_ulp)
{
    static const float values[] = {0x1p-20f, 0.3f, 0.7f, 1.1f, 1.9f, 3.5f, 7.25f, 20.5f};
    for (unsigned k = 0; k < NUMBER_OF(values); k++) {
        const double x = values[k];
        const uint32_t a = bits_of(values[k]), b = bits_of(3.3f);
#define APPROX(name) run_word1(INSN(name, f32, .flags = INSN_APPROX), a)
        ck_assert_double_le(ulps(APPROX(sin), sin(x)), 0.51);
        ck_assert_double_le(ulps(APPROX(cos), cos(x)), 0.51);
        ck_assert_double_le(ulps(APPROX(ex2), exp2(x)), 0.51);
        ck_assert_double_le(ulps(APPROX(lg2), log2(x)), 0.51);
        ck_assert_double_le(ulps(APPROX(tanh), tanh(x)), 0.51);
        ck_assert_double_le(ulps(APPROX(rcp), 1 / x), 0.51);
        ck_assert_double_le(ulps(APPROX(sqrt), sqrt(x)), 0.51);
        ck_assert_double_le(ulps(APPROX(rsqrt), 1 / sqrt(x)), 0.51);
        ck_assert_double_le(ulps(run_word2(INSN(div, f32, .flags = INSN_APPROX), a, b), x / (double)3.3f), 0.51);
        ck_assert_double_le(ulps(run_word2(INSN(div, f32, .flags = INSN_FULL), a, b), x / (double)3.3f), 0.51);
    }
}
END_TEST

/* Each lane its own float, from all of them; those of C's functions in double, rounded once. */
START_TEST(approximate_functions_are_those_of_c_in_each_lane)
{
    enum { APART = 99991 }; /* a prime: mantissas of all kinds, near whole numbers, near 0 and beyond what can overflow */
    static const struct {
        uint8_t op;
        double (*of)(double);
    } cases[] = {{OP_sin, sin}, {OP_cos, cos}, {OP_ex2, exp2}, {OP_lg2, log2}, {OP_tanh, tanh}};
    /* The cosine of 2^-12 and the power of 2^-24.47 lie all but halfway between two floats. */
    static const uint32_t hard[] = {0x39800000, 0xb9800000, 0x3338aa3b, 0x33b8aa3b,
                                    0x49800001, 0xc9000001, 0x7f7fffff, 0x3f7fffff};
    for (unsigned k = 0; k < NUMBER_OF(cases); k++) {
        const Insn insn = {.op = cases[k].op, .type = TYPE_f32, .flags = INSN_APPROX, .n_dst = 1};
        Alu *alu = select_alu(&insn);
        for (uint64_t first = 0; first < UINT32_MAX; first += (uint64_t)APART * WARP_LANES) {
            Slot d, a;
            for (unsigned i = 0; i < WARP_LANES; i++) a.w[i] = (uint32_t)(first + (uint64_t)APART * i);
            if (first == 0) memcpy(a.w, hard, sizeof hard);
            alu(&d, &a, NULL, LANES_ALL, NULL);
            for (unsigned i = 0; i < WARP_LANES; i++) {
                const float exact = (float)cases[k].of((double)a.f[i]);
                const uint32_t wanted = exact == exact ? bits_of(exact) : F32_NAN;
                if (d.w[i] != wanted)
                    ck_abort_msg("%s of %08x is %08x, not %08x", opcode_names[insn.op], a.w[i], d.w[i], wanted);
            }
        }
    }
}
END_TEST

START_TEST(approximate_functions_at_their_edges)
{
    const uint32_t a[] = {0, MINUS, F32_INF, F32_INF | MINUS, 0x7fc00000, 0xbf800000};
    static const struct {
        uint8_t op;
        uint32_t expected[6]; /* of 0, -0, inf, -inf, NaN, -1 where that is exact */
    } cases[] = {
        {OP_rcp, {F32_INF, F32_INF | MINUS, 0, MINUS, F32_NAN, 0xbf800000}},
        {OP_sqrt, {0, MINUS, F32_INF, F32_NAN, F32_NAN, F32_NAN}},
        {OP_rsqrt, {F32_INF, F32_INF | MINUS, 0, F32_NAN, F32_NAN, F32_NAN}},
        {OP_lg2, {F32_INF | MINUS, F32_INF | MINUS, F32_INF, F32_NAN, F32_NAN, F32_NAN}},
        {OP_ex2, {0x3f800000, 0x3f800000, F32_INF, 0, F32_NAN, 0x3f000000}},
    };
    for (unsigned k = 0; k < NUMBER_OF(cases); k++) {
        for (unsigned n = 0; n < 6; n++) {
            const Insn insn = {.op = cases[k].op, .type = TYPE_f32, .flags = INSN_APPROX, .n_dst = 1};
            same(run_word1(insn, a[n]), cases[k].expected[n]);
        }
    }
    same(run_word1(INSN(sin, f32, .flags = INSN_APPROX), F32_INF), F32_NAN);
    same(run_word1(INSN(cos, f32, .flags = INSN_APPROX), 0), 0x3f800000);
    /* 2^-127 is subnormal. */
    same(run_word1(INSN(ex2, f32, .flags = INSN_APPROX), bits_of(-127)), 0x00400000);
    same(run_word1(INSN(ex2, f32, .flags = INSN_APPROX | INSN_FTZ), bits_of(-127)), 0);
    /* Beyond 2^126 the divisor's reciprocal is 0. */
    same(run_word2(INSN(div, f32, .flags = INSN_APPROX), 0x7f000000, 0x7f000000), 0);
    same(run_word2(INSN(div, f32, .flags = INSN_FULL), 0x7f000000, 0x7f000000), 0x3f800000);
    /* A double's upper word alone: 1/3 = 0x3fd55555|55555555. */
    same(run_long1(INSN(rcp, f64, .flags = INSN_APPROX | INSN_FTZ), 0x4008000000000000), 0x3fd5555500000000);
    same(run_long1(INSN(rsqrt, f64, .flags = INSN_APPROX), 0x4010000000000000), 0x3fe0000000000000);
}
END_TEST

typedef struct Comparison {
    uint8_t compare;
    bool less, equal, greater, unordered;
} Comparison;
static const Comparison comparisons[] = {
    {CMP_EQ, 0, 1, 0, 0},  {CMP_NE, 1, 0, 1, 0},  {CMP_LT, 1, 0, 0, 0},  {CMP_LE, 1, 1, 0, 0},  {CMP_GT, 0, 0, 1, 0},
    {CMP_GE, 0, 1, 1, 0},  {CMP_EQU, 0, 1, 0, 1}, {CMP_NEU, 1, 0, 1, 1}, {CMP_LTU, 1, 0, 0, 1}, {CMP_LEU, 1, 1, 0, 1},
    {CMP_GTU, 0, 0, 1, 1}, {CMP_GEU, 0, 1, 1, 1}, {CMP_NUM, 1, 1, 1, 0}, {CMP_NAN, 0, 0, 0, 1},
};

START_TEST(float_comparisons_say_what_nan_makes_true)
{
    static const uint32_t word[] = {0xff800000, 0xbf800000, 0, 0x3f800000, 0x7fc00000};
    static const uint64_t wide[] = {0xfff0000000000000, 0xbff0000000000000, 0, 0x3ff0000000000000, 0x7ff8000000000000};
    static const uint32_t half[] = {0xfc00, 0xbc00, 0, 0x3c00, 0x7e00}, brain[] = {0xff80, 0xbf80, 0, 0x3f80, 0x7fc0};
    for (unsigned k = 0; k < NUMBER_OF(comparisons); k++) {
        const Comparison c = comparisons[k];
        for (unsigned i = 0; i < 5; i++) {
            for (unsigned j = 0; j < 5; j++) {
                const bool expected = i == 4 || j == 4 ? c.unordered : i < j ? c.less : i == j ? c.equal : c.greater;
                const uint32_t pair_a = half[i] << 16 | half[2], pair_b = half[j] << 16 | half[2];
                const uint32_t pair_expected = (expected ? 0x3c000000u : 0) | (c.equal ? 0x3c00 : 0);
                same(RUN(INSN(setp, f32, .compare = c.compare), SHAPE(BITS, 4, 4), word[i], word[j]), expected);
                same(RUN(INSN(setp, f64, .compare = c.compare), SHAPE(BITS, 8, 8), wide[i], wide[j]), expected);
                same(RUN(INSN(setp, f16, .compare = c.compare), SHAPE(BITS, 4, 4), half[i], half[j]), expected);
                same(RUN(INSN(setp, bf16, .compare = c.compare), SHAPE(BITS, 4, 4), brain[i], brain[j]), expected);
                same(run_word2(INSN(set, u32, .type2 = TYPE_f32, .compare = c.compare), word[i], word[j]),
                     expected ? UINT32_MAX : 0);
                same(run_word2(INSN(set, f32, .type2 = TYPE_f32, .compare = c.compare), word[i], word[j]),
                     expected ? 0x3f800000 : 0);
                same(RUN(INSN(set, s32, .type2 = TYPE_f64, .compare = c.compare), SHAPE(4, 8, 8), wide[i], wide[j]),
                     expected ? UINT32_MAX : 0);
                same(run_word2(INSN(set, f16x2, .type2 = TYPE_f16x2, .compare = c.compare), pair_a, pair_b), pair_expected);
            }
        }
    }
}
END_TEST

START_TEST(integer_comparisons_know_their_sign)
{
    static const uint64_t ordered[] = {0, 1, 0x7fffffffffffffff, 0x8000000000000000, 0xffffffffffffffff}; /* unsigned */
    static const int rank[] = {2, 3, 4, 0, 1};                                                            /* signed */
    for (unsigned k = 0; k < 6; k++) {
        const Comparison c = comparisons[k];
        for (unsigned i = 0; i < 5; i++) {
            for (unsigned j = 0; j < 5; j++) {
                const bool u = i < j ? c.less : i == j ? c.equal : c.greater;
                const bool s = rank[i] < rank[j] ? c.less : i == j ? c.equal : c.greater;
                const uint64_t a = ordered[i], b = ordered[j];
                const uint32_t p = (uint32_t)(a >> 32 | (a & 1)), q = (uint32_t)(b >> 32 | (b & 1));
                same(RUN(INSN(setp, u64, .compare = c.compare), SHAPE(BITS, 8, 8), a, b), u);
                same(RUN(INSN(setp, s64, .compare = c.compare), SHAPE(BITS, 8, 8), a, b), s);
                same(RUN(INSN(setp, u32, .compare = c.compare), SHAPE(BITS, 4, 4), p, q), u);
                same(RUN(INSN(setp, s32, .compare = c.compare), SHAPE(BITS, 4, 4), p, q), s);
                const uint32_t h = (p >> 16 | (p & 1)) + 0xabcd0000, g = (q >> 16 | (q & 1)); /* upper halves do not count */
                same(RUN(INSN(setp, u16, .compare = c.compare), SHAPE(BITS, 4, 4), h, g), u);
                same(RUN(INSN(setp, s16, .compare = c.compare), SHAPE(BITS, 4, 4), h, g), s);
            }
        }
    }
    same(RUN(INSN(setp, u32, .compare = CMP_LO), SHAPE(BITS, 4, 4), 1, 0xffffffff), 1);
    same(RUN(INSN(setp, u32, .compare = CMP_HS), SHAPE(BITS, 4, 4), 1, 0xffffffff), 0);
    same(RUN(INSN(setp, b16, .compare = CMP_EQ), SHAPE(BITS, 4, 4), 0xffff0001, 1), 1);
}
END_TEST

START_TEST(comparisons_give_each_lane_its_own_bit)
{
    Slot a, b, d;
    uint32_t bits = 0;
    for (unsigned i = 0; i < WARP_LANES; i++) {
        a.w[i] = i;
        b.w[i] = 7 * i % 32;
    }
    /* i < 7i mod 32, lane by lane. */
    uint32_t expected = 0;
    for (unsigned i = 0; i < WARP_LANES; i++) expected |= (uint32_t)(i < 7 * i % 32) << i;
    Insn insn = INSN(setp, u32, .compare = CMP_LT);
    select_alu (&insn)(&bits, &a, &b, LANES_ALL, NULL);
    same(bits, expected);
    for (unsigned i = 0; i < WARP_LANES; i++) {
        a.r[i] = UINT64_C(5) << 32 | i;
        b.r[i] = UINT64_C(5) << 32 | (7 * i % 32);
    }
    insn.type = TYPE_s64;
    select_alu (&insn)(&bits, &a, &b, LANES_ALL, NULL);
    same(bits, expected);
    /* selp and set read such bits back, each lane its own. */
    const Insn selp = INSN(selp, b64);
    select_alu (&selp)(&d, &a, &b, LANES_ALL, &(AluMore){.c = &bits});
    for (unsigned i = 0; i < WARP_LANES; i++) same(d.r[i], expected >> i & 1 ? a.r[i] : b.r[i]);
    const uint32_t other = 0x0ff0f00f;
    const Insn set = INSN(set, u32, .type2 = TYPE_s64, .compare = CMP_LT, .boolop = BOOL_XOR);
    select_alu (&set)(&d, &a, &b, LANES_ALL, &(AluMore){.c = &other});
    for (unsigned i = 0; i < WARP_LANES; i++) same(d.w[i], (expected ^ other) >> i & 1 ? UINT32_MAX : 0);
}
END_TEST

START_TEST(set_combines_with_a_predicate)
{
    for (unsigned p = 0; p < 2; p++) {
        for (unsigned q = 0; q < 2; q++) {
#define SET(combine) RUN(INSN(set, u32, .type2 = TYPE_u32, .compare = CMP_EQ, .boolop = combine), SHAPE(4, 4, 4, BITS), 1, p, q)
            same(SET(BOOL_AND), p && q ? UINT32_MAX : 0);
            same(SET(BOOL_OR), p || q ? UINT32_MAX : 0);
            same(SET(BOOL_XOR), p != q ? UINT32_MAX : 0);
        }
    }
}
END_TEST

START_TEST(selections_take_one_of_two)
{
    for (unsigned p = 0; p < 2; p++) {
        same(RUN(INSN(selp, s32), SHAPE(4, 4, 4, BITS), 5, 9, p), p ? 5 : 9);
        same(RUN(INSN(selp, f64), SHAPE(8, 8, 8, BITS), 5, 9, p), p ? 5 : 9);
        same(RUN(INSN(selp, s16), SHAPE(4, 4, 4, BITS), 0x8000, 9, p), p ? 0xffff8000 : 9);
    }
    same(run_word3(INSN(slct, u32, .type2 = TYPE_s32), 5, 9, 0), 5);
    same(run_word3(INSN(slct, u32, .type2 = TYPE_s32), 5, 9, 0xffffffff), 9);
    same(run_word3(INSN(slct, f32, .type2 = TYPE_f32), 5, 9, MINUS), 5); /* -0 >= 0 */
    same(run_word3(INSN(slct, f32, .type2 = TYPE_f32), 5, 9, 0x7fc00000), 9);
    same(run_word3(INSN(slct, f32, .type2 = TYPE_f32), 5, 9, 0x80000001), 9);
    same(run_word3(INSN(slct, f32, .type2 = TYPE_f32, .flags = INSN_FTZ), 5, 9, 0x80000001), 5);
    same(RUN(INSN(slct, b64, .type2 = TYPE_s32), SHAPE(8, 8, 8, 4), 5, 9, 0x80000000), 9);
}
END_TEST

START_TEST(testp_sorts_floats_into_classes)
{
    /* finite, infinite, number, notanumber, normal, subnormal; zero counts as normal. */
    static const struct {
        uint32_t word;
        uint64_t wide;
        bool is[6];
    } cases[] = {
        {0, 0, {1, 0, 1, 0, 1, 0}},
        {0x80000001, 0x8000000000000001, {1, 0, 1, 0, 0, 1}},
        {0x007fffff, 0x000fffffffffffff, {1, 0, 1, 0, 0, 1}},
        {0x00800000, 0x0010000000000000, {1, 0, 1, 0, 1, 0}},
        {0xff7fffff, 0xffefffffffffffff, {1, 0, 1, 0, 1, 0}},
        {0xff800000, 0xfff0000000000000, {0, 1, 1, 0, 0, 0}},
        {0x7f800001, 0x7ff0000000000001, {0, 0, 0, 1, 0, 0}},
    };
    for (unsigned k = 0; k < NUMBER_OF(cases); k++) {
        for (unsigned n = 0; n < 6; n++) {
            const uint8_t variant = (uint8_t)(TESTP_FINITE + n);
            same(RUN(INSN(testp, f32, .variant = variant), SHAPE(BITS, 4), cases[k].word), cases[k].is[n]);
            same(RUN(INSN(testp, f64, .variant = variant), SHAPE(BITS, 8), cases[k].wide), cases[k].is[n]);
        }
    }
}
END_TEST

static bool refused(Insn insn, const char *message) {
    Diag diag = {0};
    return alu_select(&insn, &diag) == NULL && diag.set && strcmp(diag.message, message) == 0;
}

START_TEST(forms_that_ptx_lacks_are_refused_by_name)
{
    ck_assert(refused(INSN(sin, f64, .flags = INSN_APPROX), "this form of an instruction is not emulated: 'sin.approx.f64'"));
    ck_assert(refused(INSN(sin, f32), "this form of an instruction is not emulated: 'sin.f32'"));
    ck_assert(refused(INSN(add, pred), "this form of an instruction is not emulated: 'add.pred'"));
    ck_assert(refused(INSN(add, u32, .flags = INSN_SAT), "this form of an instruction is not emulated: 'add.sat.u32'"));
    ck_assert(refused(INSN(mul, u32), "this form of an instruction is not emulated: 'mul.u32'"));
    ck_assert(refused(INSN(setp, b32, .compare = CMP_LT), "this form of an instruction is not emulated: 'setp.lt.b32'"));
    ck_assert(refused(INSN(cvt, s32, .type2 = TYPE_f32), "this form of an instruction is not emulated: 'cvt.s32.f32'"));
    ck_assert(refused(INSN(cvt, f32, .type2 = TYPE_f64), "this form of an instruction is not emulated: 'cvt.f32.f64'"));
    ck_assert(refused(INSN(cvt, u32, .type2 = TYPE_s32, .rounding = ROUND_RN),
                      "this form of an instruction is not emulated: 'cvt.rn.u32.s32'"));
    ck_assert(refused(INSN(add, f64, .flags = INSN_FTZ), "this form of an instruction is not emulated: 'add.ftz.f64'"));
}
END_TEST

SUITE("alu_float", each_rounding_goes_its_way, each_rounding_goes_its_way_in_double, fma_rounds_once,
      f32_nan_is_canonical_and_invalid_operations_make_one, ftz_flushes_operands_and_results_keeping_the_sign,
      ftz_flushes_what_is_small_before_it_is_a_subnormal, a_double_that_is_no_number_is_handed_on,
      sat_clamps_to_0_and_1_and_nan_to_0, minimum_and_maximum_prefer_numbers_and_order_zeros,
      approximate_functions_are_within_one_ulp, approximate_functions_are_those_of_c_in_each_lane,
      approximate_functions_at_their_edges, float_comparisons_say_what_nan_makes_true, integer_comparisons_know_their_sign,
      comparisons_give_each_lane_its_own_bit, set_combines_with_a_predicate, selections_take_one_of_two,
      testp_sorts_floats_into_classes, forms_that_ptx_lacks_are_refused_by_name)
