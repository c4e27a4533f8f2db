/* What a lab's inputs hold (lab/lab.h, case.c): over which range, in which shapes, and that no two are alike. */
#include "lab/case.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "suite.h"

static const char ptx[] =
    ".version 7.0\n.target sm_75\n.address_size 64\n.visible .entry add(.param .u64 a, .param .u64 b) { ret; }\n";

static Lab lab;
static Goals goals; /* no kernel of which it says anything */
static KernelResult kernels[1];

static void begin(void) {
    Diag diag = {0};
    lab =
        (Lab){.profile = profile_find("h200", &diag), .seed = 1, .threads = 1, .kernels = kernels, .run = -1, .goals = &goals};
    ck_assert(source_from_ptx("kernel.cu", ptx, strlen(ptx), &lab.source, &diag));
    lab.small = *lab.profile;
}

static void end(void) {
    for (LabCase *c = lab.cases, *next; c; c = next) next = c->next, case_free(c);
    source_free(&lab.source);
}

/* 24 random bits as a float and 53 as a double, from -1 to 1; integers of all their bits. No two buffers, nor two cases, are alike. */
START_TEST(inputs_are_random_over_their_range)
{
    enum { COUNT = 1500 };
    static const struct {
        Type type;
        double least, most, step;
    } rows[] = {{TYPE_f32, -1, 1 - 0x1p-23, 0x1p-23},
                {TYPE_f64, -1, 1 - 0x1p-52, 0x1p-52},
                {TYPE_u8, 0, 255, 1},
                {TYPE_u16, 0, 65535, 1},
                {TYPE_u32, 0, 4294967295.0, 1}};
    for (size_t r = 0; r < sizeof rows / sizeof *rows; r++) {
        LabCase *c = lab_case(&lab, "add", "x");
        const uint8_t *bytes = lab_data(lab_input(c, "in", rows[r].type, COUNT));
        double least = DBL_MAX, most = -DBL_MAX, sum = 0, value[COUNT];
        uint32_t alike = 0;
        for (int i = 0; i < COUNT; i++) {
            uint64_t bits = 0;
            float narrow;
            memcpy(&bits, bytes + i * type_bytes[rows[r].type], type_bytes[rows[r].type]);
            memcpy(&narrow, &bits, 4);
            memcpy(&value[i], &bits, 8);
            if (rows[r].type == TYPE_f32) value[i] = (double)narrow;
            if (rows[r].type != TYPE_f32 && rows[r].type != TYPE_f64) value[i] = (double)bits;
            ck_assert_double_eq(fmod(value[i], rows[r].step), 0);
            least = fmin(least, value[i]), most = fmax(most, value[i]), sum += value[i];
            alike += i >= 512 && value[i] == value[i - 512];
        }
        const double range = rows[r].most - rows[r].least;
        ck_assert(least >= rows[r].least && most <= rows[r].most);
        ck_assert_msg(least < rows[r].least + range / 50 && most > rows[r].most - range / 50, "row %zu: %g to %g", r, least,
                      most);
        ck_assert_double_eq_tol(sum / COUNT, rows[r].least + range / 2, range / 20);
        ck_assert_uint_lt(alike, 20);
        lab_end(c);
    }
    LabCase *c = lab_case(&lab, "add", "x"), *d = lab_case(&lab, "add", "x");
    const void *one = lab_data(lab_input(c, "a", TYPE_u64, 4)), *two = lab_data(lab_input(c, "b", TYPE_u64, 4)),
               *other = lab_data(lab_input(d, "a", TYPE_u64, 4));
    ck_assert(memcmp(one, two, 8) != 0 && memcmp(one, other, 8) != 0 && lab_random(c, 0) != lab_random(c, 1));
    ck_assert(lab_random(c, 0) != lab_random(d, 0));
    lab.n_cases -= 2; /* the same case of the same seed once more */
    LabCase *again = lab_case(&lab, "add", "x");
    ck_assert(memcmp(one, lab_data(lab_input(again, "a", TYPE_u64, 4)), 32) == 0 && lab_random(c, 3) == lab_random(again, 3));
}
END_TEST

/* Of twelve cases of shapes that are tried four have numbers of another size each, whose exponents are scale's; an eighth of them is 0, an eighth is as
 * large as a number can be, and an eighth is less than 2^-126. */
START_TEST(numbers_of_tried_shapes_are_of_every_size)
{
    enum { CASES = 12, COUNT = 1024 };
    static const double scales[] = {0x1p-60, 0x1p-20, 0x1p20, 0x1p60};
    uint32_t found[4] = {0};
    for (int i = 0; i < 2 * CASES; i++) {
        lab.corners = i < CASES ? (struct Corners *)&lab : NULL;
        LabCase *c = lab_case(&lab, "add", "x");
        const double scale = lab_scale(c);
        uint32_t zeros = 0, largest = 0, smallest = 0;
        const float *floats = lab_data(lab_input(c, "in", TYPE_f32, COUNT));
        for (uint32_t k = 0; k < COUNT; k++) {
            ck_assert(fabs((double)floats[k]) <= scale);
            smallest += fpclassify(floats[k]) == FP_SUBNORMAL;
            zeros += floats[k] == 0, largest += fabs((double)floats[k]) == scale;
        }
        for (int s = 0; s < 4; s++) found[s] += scale == scales[s];
        ck_assert(scale == 1 ? zeros + largest + smallest < 5
                             : zeros > COUNT / 16 && largest > COUNT / 16 && smallest > COUNT / 16);
        ck_assert(fabs((double)lab_float(c, 1)) <= scale);
        lab_end(c);
    }
    for (int s = 0; s < 4; s++) ck_assert_uint_eq(found[s], 1);
    lab.corners = NULL;
}
END_TEST

START_TEST(what_is_moved_has_any_bits)
{
    enum { COUNT = 4096 };
    uint32_t others = 0, zeros = 0;
    lab.corners = (struct Corners *)&lab;
    LabCase *c = lab_case(&lab, "add", "x");
    while (lab_scale(c) == 1) lab_end(c), c = lab_case(&lab, "add", "x");
    lab_moves(c);
    const float *floats = lab_data(lab_input(c, "in", TYPE_f32, COUNT));
    for (uint32_t k = 0; k < COUNT; k++) others += !isfinite(floats[k]), zeros += signbit(floats[k]) && floats[k] == 0;
    ck_assert(others > 0 && zeros > COUNT / 32);
    lab.corners = NULL;
    lab_end(c);
}
END_TEST

SUITE_WITH("inputs", begin, end, inputs_are_random_over_their_range, numbers_of_tried_shapes_are_of_every_size,
           what_is_moved_has_any_bits)
