/* Conversions and arithmetic on halves, against a reference that reads formats bit by bit and rounds in 128-bit integers. */
#include "ptx/opcode.h"
#include "suite.h"
#include <math.h>

#include "alu_test.h"
#include "machine/alu_lanes.h"

typedef __int128 s128;

/* The value of a half's bits, by the definition of the format. */
static double half_value(uint32_t bits, unsigned mantissa, unsigned exponent) {
    const int bias = (1 << (exponent - 1)) - 1, stored = (int)(bits >> mantissa) & ((1 << exponent) - 1);
    const double fraction = bits & ((1u << mantissa) - 1), sign = bits >> (mantissa + exponent) & 1 ? -1 : 1;
    if (stored == (1 << exponent) - 1) return fraction != 0 ? NAN : sign * INFINITY;
    if (stored == 0) return sign * ldexp(fraction, 1 - bias - (int)mantissa);
    return sign * ldexp(ldexp(1, (int)mantissa) + fraction, stored - bias - (int)mantissa);
}
static double f16_value(uint32_t bits) { return half_value(bits, 10, 5); }
static double bf16_value(uint32_t bits) { return half_value(bits, 7, 8); }

/* For runs on 32 different values at once, which is what the exhaustive tests need. */
static Alu *find(Insn insn, uint8_t sources) {
    insn.n_src = sources;
    return select_alu(&insn);
}
static void run_lanes(Alu *alu, const void *a, const void *b, const void *c, void *d) {
    alu(d, a, b, LANES_ALL, &(AluMore){.c = c});
}

START_TEST(every_half_widens_to_its_value)
{
    Alu *const from_f16 = find(INSN(cvt, f32, .type2 = TYPE_f16), 1), *const from_bf16 =
                                                                          find(INSN(cvt, f32, .type2 = TYPE_bf16), 1);
    Alu *const to_f64 = find(INSN(cvt, f64, .type2 = TYPE_f16), 1);
    for (uint32_t base = 0; base < 0x10000; base += WARP_LANES) {
        Slot a, single, brain, wide;
        for (unsigned i = 0; i < WARP_LANES; i++) a.w[i] = base + i;
        run_lanes(from_f16, &a, NULL, NULL, &single);
        run_lanes(from_bf16, &a, NULL, NULL, &brain);
        run_lanes(to_f64, &a, NULL, NULL, &wide);
        for (unsigned i = 0; i < WARP_LANES; i++) {
            const double h = f16_value(base + i), b = bf16_value(base + i);
            same(single.w[i], isnan(h) ? 0x7fffffff : bits_of((float)h));
            same(brain.w[i], isnan(b) ? (base + i) << 16 : bits_of((float)b)); /* bf16 keeps the payload, as an H200 does */
            if (!isnan(h)) same(wide.r[i], bits_of_double(h));
        }
    }
}
END_TEST

/* Between each pair of neighbouring halves, the points where roundings change their mind. */
static void check_between(uint8_t type, double (*value)(uint32_t), uint32_t infinity) {
    static const uint8_t modes[] = {ROUND_RN, ROUND_RZ, ROUND_RM, ROUND_RP};
    Alu *alus[4];
    for (unsigned m = 0; m < 4; m++) {
        alus[m] = find((Insn){.op = OP_cvt, .type = type, .type2 = TYPE_f32, .rounding = modes[m], .n_dst = 1}, 1);
    }
    for (uint32_t low = 0; low < infinity; low++) {
        const double least = value(low), step = low + 1 < infinity ? value(low + 1) - least : least - value(low - 1);
        const float middle = (float)(least + step / 2);
        Slot a, d;
        const float points[] = {(float)least, nextafterf((float)least, INFINITY), nextafterf(middle, 0), middle,
                                nextafterf(middle, INFINITY)};
        /* How far above low each point ends, to nearest: the middle goes to the even one. */
        const uint32_t nearest[] = {0, 0, 0, low & 1, 1};
        for (unsigned i = 0; i < WARP_LANES; i++) a.f[i] = i % 10 < 5 ? points[i % 5] : -points[i % 5];
        for (unsigned m = 0; m < 4; m++) {
            run_lanes(alus[m], &a, NULL, NULL, &d);
            for (unsigned i = 0; i < 10; i++) {
                const bool negative = i >= 5, exact = i % 5 == 0;
                const bool up = modes[m] == ROUND_RP ? !negative : modes[m] == ROUND_RM && negative;
                const uint32_t above = modes[m] == ROUND_RN ? nearest[i % 5] : up && !exact;
                same(d.w[i], (low + above) | (negative ? 0x8000u : 0));
            }
        }
    }
}
START_TEST(every_f16_rounds_as_asked_between_neighbours)
{ check_between(TYPE_f16, f16_value, 0x7c00); }
END_TEST
START_TEST(every_bf16_rounds_as_asked_between_neighbours)
{
    /* Below 2^-126 a float's neighbours are as far apart as 1/2^16 of a bf16's step, so the points stay distinct there too. */
    check_between(TYPE_bf16, bf16_value, 0x7f80);
}
END_TEST

START_TEST(halves_overflow_to_infinity_or_the_greatest)
{
    static const struct {
        uint32_t word, rn, rz, rm, rp;
    } cases[] = {{0x477fefff, 0x7bff, 0x7bff, 0x7bff, 0x7c00}, /* just under 65520, the middle between 65504 and 2^16 */
                 {0x477ff000, 0x7c00, 0x7bff, 0x7bff, 0x7c00},
                 {0xff7fffff, 0xfc00, 0xfbff, 0xfc00, 0xfbff},
                 {0x7f800000, 0x7c00, 0x7c00, 0x7c00, 0x7c00},
                 {0xffc00001, 0x7fff, 0x7fff, 0x7fff, 0x7fff}};
    for (unsigned k = 0; k < NUMBER_OF(cases); k++) {
        const uint32_t expected[] = {cases[k].rn, cases[k].rz, cases[k].rm, cases[k].rp};
        for (unsigned r = 0; r < 4; r++) {
            same(run_word1(INSN(cvt, f16, .type2 = TYPE_f32, .rounding = (uint8_t)(ROUND_RN + r)), cases[k].word), expected[r]);
        }
    }
    /* 1 + 2^-11 + 2^-40 lies above the middle by less than a float can tell. */
    same(RUN(INSN(cvt, f16, .type2 = TYPE_f64, .rounding = ROUND_RN), SHAPE(4, 8), bits_of_double(1 + 0x1p-11 + 0x1p-40)),
         0x3c01);
    /* The first source is the upper half. */
    same(run_word2(INSN(cvt, f16x2, .type2 = TYPE_f32, .rounding = ROUND_RN), 0x3f800000, 0xc0000000), 0x3c00c000);
    same(run_word2(INSN(cvt, bf16x2, .type2 = TYPE_f32, .rounding = ROUND_RZ), 0x3fffffff, 0xbfffffff), 0x3fffbfff);
    same(run_word2(INSN(cvt, f16x2, .type2 = TYPE_f32, .rounding = ROUND_RN, .flags = INSN_RELU), 0xbf800000, 0x40000000),
         0x4000);
    same(run_word1(INSN(cvt, f16, .type2 = TYPE_f32, .rounding = ROUND_RN, .flags = INSN_SAT), 0x40000000), 0x3c00);
}
END_TEST

START_TEST(floats_become_integers_by_rounding_and_clamping)
{
    static const struct {
        double from;
        int64_t rni, rzi, rmi, rpi;
    } cases[] = {{0.5, 0, 0, 0, 1},
                 {1.5, 2, 1, 1, 2},
                 {2.5, 2, 2, 2, 3},
                 {-0.5, 0, 0, -1, 0},
                 {-1.5, -2, -1, -2, -1},
                 {-0.25, 0, 0, -1, 0},
                 {100.75, 101, 100, 100, 101},
                 {0x1p-140, 0, 0, 0, 1},
                 {-0x1p-140, 0, 0, -1, 0}};
    for (unsigned k = 0; k < NUMBER_OF(cases); k++) {
        const int64_t expected[] = {cases[k].rni, cases[k].rzi, cases[k].rmi, cases[k].rpi};
        const uint32_t word = bits_of((float)cases[k].from);
        const uint64_t wide = bits_of_double(cases[k].from);
        for (unsigned r = 0; r < 4; r++) {
            const uint8_t rounding = (uint8_t)(ROUND_RNI + r);
            const int64_t positive = expected[r] < 0 ? 0 : expected[r];
            same(run_word1(INSN(cvt, s32, .type2 = TYPE_f32, .rounding = rounding), word), (uint32_t)expected[r]);
            same(run_word1(INSN(cvt, u32, .type2 = TYPE_f32, .rounding = rounding), word), (uint32_t)positive);
            same(run_word1(INSN(cvt, s8, .type2 = TYPE_f32, .rounding = rounding), word), (uint32_t)expected[r]);
            same(run_long1(INSN(cvt, s64, .type2 = TYPE_f64, .rounding = rounding), wide), (uint64_t)expected[r]);
            same(RUN(INSN(cvt, s64, .type2 = TYPE_f32, .rounding = rounding), SHAPE(8, 4), word), (uint64_t)expected[r]);
            same(RUN(INSN(cvt, u32, .type2 = TYPE_f64, .rounding = rounding), SHAPE(4, 8), wide), (uint32_t)positive);
            const double integral = f64_from_bits(run_long1(INSN(cvt, f64, .type2 = TYPE_f64, .rounding = rounding), wide));
            ck_assert(integral == (double)expected[r] && signbit(integral) == signbit(cases[k].from));
        }
    }
    /* A signalling NaN keeps its payload and becomes quiet (tests/conformance, an H200). */
    for (uint8_t rounding = ROUND_RNI; rounding <= ROUND_RPI; rounding++)
        same(run_long1(INSN(cvt, f64, .type2 = TYPE_f64, .rounding = rounding), 0xfff0123456789abc), 0xfff8123456789abc);
    /* .ftz acts before the rounding. */
    same(run_word1(INSN(cvt, s32, .type2 = TYPE_f32, .rounding = ROUND_RMI, .flags = INSN_FTZ), 0x80000001), 0);
}
END_TEST

START_TEST(integers_out_of_reach_clamp_and_nan_is_marked_in_64_bits)
{
    static const struct {
        uint32_t from; /* f32: 2^31, -2^31 - 256, 2^32, 2^63, -2^63, 2^64, inf, -inf, NaN */
        uint64_t s32, u32, s64, u64, s16, u8;
    } cases[] = {
        {0x4f000000, 0x7fffffff, 0x80000000, 0x80000000, 0x80000000, 0x7fff, 0xff},
        {0xcf000001, 0x80000000, 0, 0xffffffff7fffff00, 0, 0xffff8000, 0},
        {0x4f800000, 0x7fffffff, 0xffffffff, 0x100000000, 0x100000000, 0x7fff, 0xff},
        {0x5f000000, 0x7fffffff, 0xffffffff, 0x7fffffffffffffff, 0x8000000000000000, 0x7fff, 0xff},
        {0xdf000000, 0x80000000, 0, 0x8000000000000000, 0, 0xffff8000, 0},
        {0x5f800000, 0x7fffffff, 0xffffffff, 0x7fffffffffffffff, 0xffffffffffffffff, 0x7fff, 0xff},
        {0x7f800000, 0x7fffffff, 0xffffffff, 0x7fffffffffffffff, 0xffffffffffffffff, 0x7fff, 0xff},
        {0xff800000, 0x80000000, 0, 0x8000000000000000, 0, 0xffff8000, 0},
        {0x7fc00000, 0, 0, 0x8000000000000000, 0x8000000000000000, 0, 0}, /* read off an H200 */
    };
    for (unsigned k = 0; k < NUMBER_OF(cases); k++) {
        const uint32_t from = cases[k].from;
        float f;
        memcpy(&f, &from, sizeof f);
        const uint64_t wide = bits_of_double(f);
        same(run_word1(INSN(cvt, s32, .type2 = TYPE_f32, .rounding = ROUND_RZI), from), cases[k].s32);
        same(run_word1(INSN(cvt, u32, .type2 = TYPE_f32, .rounding = ROUND_RZI), from), cases[k].u32);
        same(RUN(INSN(cvt, s64, .type2 = TYPE_f32, .rounding = ROUND_RZI), SHAPE(8, 4), from), cases[k].s64);
        same(RUN(INSN(cvt, u64, .type2 = TYPE_f32, .rounding = ROUND_RZI), SHAPE(8, 4), from), cases[k].u64);
        same(run_word1(INSN(cvt, s16, .type2 = TYPE_f32, .rounding = ROUND_RZI), from), cases[k].s16);
        same(run_word1(INSN(cvt, u8, .type2 = TYPE_f32, .rounding = ROUND_RZI, .flags = INSN_SAT), from), cases[k].u8);
        same(run_long1(INSN(cvt, s64, .type2 = TYPE_f64, .rounding = ROUND_RNI), wide), cases[k].s64);
        same(run_long1(INSN(cvt, u64, .type2 = TYPE_f64, .rounding = ROUND_RNI), wide), cases[k].u64);
    }
    /* From f64 NaN is marked at every width (read off an H200). */
    same(RUN(INSN(cvt, s32, .type2 = TYPE_f64, .rounding = ROUND_RZI), SHAPE(4, 8), 0x7ff8000000000000), 0x80000000);
    same(RUN(INSN(cvt, u16, .type2 = TYPE_f64, .rounding = ROUND_RZI), SHAPE(4, 8), 0x7ff8000000000000), 0x8000);
}
END_TEST

START_TEST(integers_become_floats_as_asked)
{
    /* 2^24 + 1 is the tie between 2^24 and 2^24 + 2; 2^53 + 1 likewise in double. */
    static const uint32_t words[] = {0x4b800000, 0x4b800000, 0x4b800000, 0x4b800001};
    static const uint32_t negative[] = {0xcb800000, 0xcb800000, 0xcb800001, 0xcb800000};
    static const uint64_t wides[] = {0x4340000000000000, 0x4340000000000000, 0x4340000000000000, 0x4340000000000001};
    static const uint32_t greatest[] = {0x5f800000, 0x5f7fffff, 0x5f7fffff, 0x5f800000};
    static const uint32_t half[] = {0x6800, 0x6800, 0x6800, 0x6801}; /* 2049 */
    for (unsigned r = 0; r < 4; r++) {
        const uint8_t rounding = (uint8_t)(ROUND_RN + r);
        same(run_word1(INSN(cvt, f32, .type2 = TYPE_u32, .rounding = rounding), 0x1000001), words[r]);
        same(run_word1(INSN(cvt, f32, .type2 = TYPE_s32, .rounding = rounding), 0u - 0x1000001), negative[r]);
        same(RUN(INSN(cvt, f32, .type2 = TYPE_s64, .rounding = rounding), SHAPE(4, 8), 0x1000001), words[r]);
        same(RUN(INSN(cvt, f32, .type2 = TYPE_u64, .rounding = rounding), SHAPE(4, 8), UINT64_MAX), greatest[r]);
        same(run_long1(INSN(cvt, f64, .type2 = TYPE_u64, .rounding = rounding), (UINT64_C(1) << 53) + 1), wides[r]);
        same(run_long1(INSN(cvt, f64, .type2 = TYPE_u64, .rounding = rounding), 0), 0);
        same(run_word1(INSN(cvt, f16, .type2 = TYPE_u16, .rounding = rounding), 0xffff0000 + 2049), half[r]);
        same(run_word1(INSN(cvt, f32, .type2 = TYPE_s8, .rounding = rounding), 0x80), 0xc3000000); /* -128 */
    }
    same(RUN(INSN(cvt, f64, .type2 = TYPE_s32, .rounding = ROUND_RN), SHAPE(8, 4), 0x80000000), 0xc1e0000000000000);
}
END_TEST

START_TEST(integers_truncate_extend_or_saturate)
{
    same(run_word1(INSN(cvt, s8, .type2 = TYPE_s32), 0x1280), 0xffffff80);
    same(run_word1(INSN(cvt, u8, .type2 = TYPE_s32), 0xffffff80), 0x80);
    same(run_word1(INSN(cvt, s32, .type2 = TYPE_u16), 0xabcd8000), 0x8000);
    same(run_word1(INSN(cvt, s32, .type2 = TYPE_s16), 0xabcd8000), 0xffff8000);
    same(RUN(INSN(cvt, s64, .type2 = TYPE_s32), SHAPE(8, 4), 0x80000000), 0xffffffff80000000);
    same(RUN(INSN(cvt, u64, .type2 = TYPE_u32), SHAPE(8, 4), 0x80000000), 0x80000000);
    same(RUN(INSN(cvt, u64, .type2 = TYPE_s8), SHAPE(8, 4), 0x80), 0xffffffffffffff80);
    same(RUN(INSN(cvt, u32, .type2 = TYPE_u64), SHAPE(4, 8), 0x123456789abcdef0), 0x9abcdef0);
    same(RUN(INSN(cvt, s32, .type2 = TYPE_s64, .flags = INSN_SAT), SHAPE(4, 8), 0x80000000), 0x7fffffff);
    same(RUN(INSN(cvt, s32, .type2 = TYPE_s64, .flags = INSN_SAT), SHAPE(4, 8), UINT64_C(1) << 63), 0x80000000);
    same(run_word1(INSN(cvt, u8, .type2 = TYPE_s32, .flags = INSN_SAT), 0xffffffff), 0);
    same(run_word1(INSN(cvt, s8, .type2 = TYPE_u32, .flags = INSN_SAT), 0xffffffff), 127);
    same(RUN(INSN(cvt, u64, .type2 = TYPE_s8, .flags = INSN_SAT), SHAPE(8, 4), 0x80), 0);
}
END_TEST

START_TEST(floats_change_width)
{
    same(RUN(INSN(cvt, f64, .type2 = TYPE_f32), SHAPE(8, 4), 0x00000001), 0x36a0000000000000); /* 2^-149 */
    same(RUN(INSN(cvt, f64, .type2 = TYPE_f32, .flags = INSN_FTZ), SHAPE(8, 4), 0x80000001), 0x8000000000000000);
    /* 1 + 2^-24: a tie; -2^-150: half of the least subnormal. */
    static const uint32_t ties[] = {0x3f800000, 0x3f800000, 0x3f800000, 0x3f800001};
    static const uint32_t halves[] = {0x80000000, 0x80000000, 0x80000001, 0x80000000};
    for (unsigned r = 0; r < 4; r++) {
        const uint8_t rounding = (uint8_t)(ROUND_RN + r);
        const Insn insn = INSN(cvt, f32, .type2 = TYPE_f64, .rounding = rounding);
        same(RUN(insn, SHAPE(4, 8), bits_of_double(1 + 0x1p-24)), ties[r]);
        same(RUN(insn, SHAPE(4, 8), bits_of_double(-0x1p-150)), halves[r]);
    }
    same(
        RUN(INSN(cvt, f32, .type2 = TYPE_f64, .rounding = ROUND_RN, .flags = INSN_FTZ), SHAPE(4, 8), bits_of_double(-0x1p-130)),
        0x80000000);
    same(run_word1(INSN(cvt, f32, .type2 = TYPE_f32, .flags = INSN_SAT), 0x40000000), 0x3f800000);
    same(run_word1(INSN(cvt, f32, .type2 = TYPE_f32, .flags = INSN_SAT), 0x7fc00000), 0);
    same(run_word1(INSN(cvt, f32, .type2 = TYPE_f32, .rounding = ROUND_RNI), 0x40200000), 0x40000000); /* 2.5 */
    same(run_word1(INSN(cvt, f16, .type2 = TYPE_f16, .rounding = ROUND_RPI), 0x3c01), 0x4000);
}
END_TEST

/* Where both have a form, the fast loops and the exact rule agree. Roundings that the host's mode decides are not among
 * them. */
START_TEST(fast_conversions_agree_with_the_exact_rule)
{
    unsigned pairs = 0;
    for (unsigned f = 0; f < alu_cvt_table.count; f++) {
        for (unsigned g = 0; g < alu_convert_table.count; g++) {
            AluRow fast = alu_cvt_table.rows[f];
            const AluRow *exact = &alu_convert_table.rows[g];
            Alu *const alu = fast.alu;
            fast.alu = exact->alu;
            if (memcmp(&fast, exact, sizeof fast) != 0) continue;
            pairs++;
            uint64_t state = 1;
            for (unsigned round = 0; round < 64; round++) {
                Slot a, b, mine, theirs;
                memset(&mine, 0, sizeof mine);
                memset(&theirs, 0, sizeof theirs);
                for (unsigned i = 0; i < WARP_LANES; i++) {
                    state = state * 6364136223846793005u + 1442695040888963407u;
                    const uint64_t random =
                        round % 2 ? state ^ state >> 29 : edges[(state >> 33) % NUMBER_OF(edges)] << (state >> 60);
                    if (type_bytes[fast.type2] == 8) {
                        a.r[i] = random;
                    } else {
                        a.w[i] = (uint32_t)random;
                    }
                    b.w[i] = (uint32_t)(random >> 32);
                }
                alu(&mine, &a, &b, LANES_ALL, NULL);
                exact->alu(&theirs, &a, &b, LANES_ALL, NULL);
                for (unsigned i = 0; i < WARP_LANES; i++) {
                    const int lane = type_bytes[fast.type] == 8 ? 8 : 4;
                    same(slot_lane(&mine, lane, i), slot_lane(&theirs, lane, i));
                }
            }
        }
    }
    ck_assert_uint_ge(pairs, 70);
}
END_TEST

/* Halves as multiples of 2^-48, where every f16, product and sum of them is an integer. */
static s128 f16_units(uint32_t bits) {
    const unsigned stored = bits >> 10 & 31;
    const s128 fraction = stored ? (bits & 0x3ff) | 0x400 : bits & 0x3ff;
    const s128 magnitude = fraction << ((stored ? stored : 1) - 1 + 24); /* the least subnormal is 2^-24 */
    return bits & 0x8000 ? -magnitude : magnitude;
}

/* The f16 nearest to v * 2^-48, ties to even. A zero is positive: the callers leave out sums of zeros. */
static uint32_t f16_nearest(s128 v) {
    const uint32_t sign = v < 0 ? 0x8000 : 0;
    const s128 magnitude = v < 0 ? -v : v;
    uint32_t low = 0, high = 0x7c00; /* bits order finite halves; 0x7c00 stands for 2^16 */
    while (high - low > 1) {
        const uint32_t middle = (low + high) / 2;
        if (f16_units(middle) <= magnitude)
            low = middle;
        else
            high = middle;
    }
    const s128 top = high == 0x7c00 ? (s128)1 << 64 : f16_units(high), below = magnitude - f16_units(low),
               above = top - magnitude;
    return sign | (above < below || (above == below && low & 1) ? high : low);
}

START_TEST(f16_arithmetic_is_rounded_once)
{
    Alu *const add = find(INSN(add, f16), 2), *const mul = find(INSN(mul, f16), 2);
    Alu *const fma = find(INSN(fma, f16, .rounding = ROUND_RN), 3), *const fma2 =
                                                                        find(INSN(fma, f16x2, .rounding = ROUND_RN), 3);
    uint32_t state = 1;
    for (unsigned round = 0; round < 4000; round++) {
        Slot a, b, c, sum, product, fused, pairs;
        for (unsigned i = 0; i < WARP_LANES; i++) {
            uint32_t v[3];
            for (unsigned k = 0; k < 3; k++) {
                state = state * 1664525 + 1013904223;
                v[k] = state >> 16;
                if ((v[k] & 0x7c00) == 0x7c00 || (v[k] & 0x7fff) == 0) v[k] = 0x3c01; /* finite, not 0 */
            }
            if (round & 1)
                v[2] = (v[2] & 0x83ff) | ((v[0] & 0x7c00) + (v[1] & 0x7c00) > 0x3c00 + 0x1000 ? 0x4000 : 0); /* far from a*b */
            if ((v[2] & 0x7fff) == 0) v[2] = 1;
            a.w[i] = v[0], b.w[i] = v[1], c.w[i] = v[2];
        }
        run_lanes(add, &a, &b, NULL, &sum);
        run_lanes(mul, &a, &b, NULL, &product);
        run_lanes(fma, &a, &b, &c, &fused);
        for (unsigned i = 0; i < WARP_LANES; i++) {
            const s128 x = f16_units(a.w[i]), y = f16_units(b.w[i]), z = f16_units(c.w[i]), xy = (x >> 24) * (y >> 24);
            const uint32_t sign = (a.w[i] ^ b.w[i]) & 0x8000;
            if (x + y != 0) same(sum.w[i], f16_nearest(x + y));
            same(product.w[i], f16_nearest(xy) | sign);
            if (xy + z != 0) same(fused.w[i], f16_nearest(xy + z));
        }
        /* Both halves of a pair at once. */
        for (unsigned i = 0; i < WARP_LANES; i++) {
            a.w[i] |= a.w[31 - i] << 16, b.w[i] |= b.w[31 - i] << 16, c.w[i] |= c.w[31 - i] << 16;
        }
        run_lanes(fma2, &a, &b, &c, &pairs);
        for (unsigned i = 0; i < WARP_LANES / 2; i++) same(pairs.w[i], fused.w[i] | fused.w[31 - i] << 16);
    }
}
END_TEST

START_TEST(halves_at_their_edges)
{
    const Insn add = INSN(add, f16), fma = INSN(fma, f16, .rounding = ROUND_RN);
    same(run_word2(add, 0x7c00, 0xfc00), 0x7fff);
    same(run_word2(add, 0x7e01, 0x3c00), 0x7fff);
    same(run_word2(add, 0x7bff, 0x4c00), 0x7c00); /* 65504 + 16 = 65520 rounds to infinity */
    same(run_word2(add, 0x7bff, 0x4bff), 0x7bff);
    same(run_word2(add, 0x8000, 0x8000), 0x8000);
    same(run_word2(add, 0x3c00, 0xbc00), 0);
    same(run_word2(INSN(add, f16, .flags = INSN_SAT), 0x3c00, 0x3c00), 0x3c00);
    same(run_word2(INSN(add, f16, .flags = INSN_FTZ), 0x0001, 0x8002), 0x0000); /* 0 + -0 */
    same(run_word2(INSN(mul, f16, .flags = INSN_FTZ), 0x8400, 0x3800), 0x8000);
    same(run_word3(INSN(fma, f16, .rounding = ROUND_RN, .flags = INSN_RELU), 0x3c00, 0xbc00, 0), 0);
    same(run_word3(fma, 0x3c01, 0x3c01, 0xbc02), 0x0010); /* (1 + 2^-10)^2 - (1 + 2^-9) = 2^-20 */
    same(run_word2(INSN(min, f16), 0x7e00, 0xbc00), 0xbc00);
    same(run_word2(INSN(min, f16, .flags = INSN_NAN), 0x7e00, 0xbc00), 0x7fff);
    same(run_word2(INSN(max, f16x2), 0x80003c00, 0x00004000), 0x00004000);
    same(run_word2(INSN(min, bf16, .flags = INSN_XORSIGN_ABS), 0xc000, 0x4040), 0xc000); /* 2 and 3, signs differ */
    same(run_word1(INSN(neg, f16x2), 0x3c00fe01), 0xbc007fff);
    same(run_word1(INSN(abs, bf16x2), 0xbf80ff80), 0x3f807f80);
    same(run_word1(INSN(ex2, f16, .flags = INSN_APPROX), 0x4000), 0x4400);
    same(run_word1(INSN(tanh, bf16x2, .flags = INSN_APPROX), 0x7f80ff80), 0x3f80bf80);
    /* bf16: (1 + 2^-7)(1 + 2^-7) = 1 + 2^-6 + 2^-14. Adding 2^-120 to the tie (1 + 2^-7) * (1 + 2^-1) = 1.5 + 2^-7 + 2^-8
     * leaves no tie, which a double does not show: 1.5 + 2^-7 + 2^-7 = 0x3fc2 with it, 0x3fc2 or 0x3fc1 without. */
    same(run_word2(INSN(mul, bf16), 0x3f81, 0x3f81), 0x3f82);
    same(run_word3(INSN(fma, bf16, .rounding = ROUND_RN), 0x3f81, 0x3fc0, 0x8000), 0x3fc2); /* 0x3fc1.8: the even one */
    same(run_word3(INSN(fma, bf16, .rounding = ROUND_RN), 0x3f81, 0x3fc0, 0x8380), 0x3fc1); /* less 2^-120 */
    same(run_word3(INSN(fma, bf16, .rounding = ROUND_RN), 0x3f83, 0x3fc0, 0x0380), 0x3fc5); /* 0x3fc4.8 and 2^-120 more */
    same(run_word3(INSN(fma, bf16, .rounding = ROUND_RN), 0x3f83, 0x3fc0, 0x0000), 0x3fc4);
    same(run_word2(INSN(mul, bf16), 0x0001, 0x3f00), 0);      /* half the least subnormal: a tie to 0 */
    same(run_word2(INSN(mul, bf16), 0x0003, 0x3f00), 0x0002); /* 1.5 of them */
}
END_TEST

/* PTX ISA: an operation on a pair is that on each of its halves, in every form that the halves have. */
START_TEST(pairs_are_two_halves)
{
    static const uint16_t values[] = {0,      0x8000, 0x3c00, 0xbc01, 0x0001, 0x83ff,
                                      0x7bff, 0x7c00, 0xfc00, 0x7e01, 0x3f80, 0xc2c8};
    unsigned rows = 0;
    for (unsigned k = 0; k < alu_half_table.count; k++) {
        const AluRow *row = &alu_half_table.rows[k];
        if (row->type != TYPE_f16x2 && row->type != TYPE_bf16x2) continue;
        Insn pair = {.op = row->op, .type = row->type, .rounding = row->rounding, .flags = row->flags, .n_dst = 1}, half = pair;
        half.type = row->type == TYPE_f16x2 ? TYPE_f16 : TYPE_bf16;
        const unsigned sources = (unsigned)strlen(opcode_operands[row->op]) - 1;
        const Shape shape = SHAPE(4, 4, sources > 1 ? 4 : 0, sources > 2 ? 4 : 0);
        for (unsigned i = 0; i < NUMBER_OF(values); i++) {
            for (unsigned j = 0; j < NUMBER_OF(values); j++) {
                const uint32_t a[2] = {values[i], values[j]}, b[2] = {values[j], values[(i + 1) % NUMBER_OF(values)]};
                const uint32_t c[2] = {values[(i + j) % NUMBER_OF(values)], values[i]};
                const uint32_t wanted =
                    (uint32_t)RUN(half, shape, a[0], b[0], c[0]) | (uint32_t)RUN(half, shape, a[1], b[1], c[1]) << 16;
                same(RUN(pair, shape, a[0] | a[1] << 16, b[0] | b[1] << 16, c[0] | c[1] << 16), wanted);
            }
        }
        rows++;
    }
    ck_assert_uint_gt(rows, 10);
}
END_TEST

SUITE("alu_cvt", every_half_widens_to_its_value, pairs_are_two_halves, every_f16_rounds_as_asked_between_neighbours,
      every_bf16_rounds_as_asked_between_neighbours, halves_overflow_to_infinity_or_the_greatest,
      floats_become_integers_by_rounding_and_clamping, integers_out_of_reach_clamp_and_nan_is_marked_in_64_bits,
      integers_become_floats_as_asked, integers_truncate_extend_or_saturate, floats_change_width,
      fast_conversions_agree_with_the_exact_rule, f16_arithmetic_is_rounded_once, halves_at_their_edges)
