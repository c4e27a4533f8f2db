/* Shapes that are tried, from ranges and numbers that are given here. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "lab/running.h"
#include "suite.h"

/* `asks` compares with 777 and, by an addition, with 5000; what it calls with 333; `other` with 444. */
static const char ptx[] = ".version 7.0\n.target sm_75\n.address_size 64\n"
                          ".func called(.reg .b32 %x) { .reg .pred %p<2>; setp.eq.s32 %p1, %x, 333; ret; }\n"
                          ".visible .entry asks(.param .u32 n) { .reg .b32 %r<4>; .reg .pred %p<3>;\n"
                          "ld.param.u32 %r1, [n]; setp.eq.s32 %p1, %r1, 777; add.s32 %r2, %r1, -5000; setp.lt.u32 %p2, %r2, "
                          "3;\ncall called, (%r1); ret; }\n"
                          ".visible .entry other(.param .u32 n) { .reg .b32 %r<4>; .reg .pred %p<3>;\n"
                          "ld.param.u32 %r1, [n]; setp.eq.s32 %p1, %r1, 444; ret; }\n";

static const char facts[] =
    "LAB(\"07\", \"slug\", \"Title\", 10) KERNEL(asks) KERNEL(other) RUN(first, asks, \"8\") CORRECT(first, 10)";

static Lab lab;

static void begin(uint64_t seed) {
    Diag diag = {0};
    lab = (Lab){.goals = goals_parse("", facts, "lab.goals", &diag), .seed = seed, .run = -1};
    ck_assert(lab.goals && source_from_ptx("kernel.cu", ptx, strlen(ptx), &lab.source, &diag));
}

static void end(void) {
    source_free(&lab.source);
    goals_free(lab.goals);
}

enum { TRIED_MOST = 100 };
static uint32_t tried[TRIED_MOST][LAB_SIZES], n_tried;

static void note(Lab *of, const char *kernel, const uint32_t *sizes) {
    ck_assert(of == &lab && strlen(kernel) > 0 && n_tried < TRIED_MOST);
    memcpy(tried[n_tried++], sizes, sizeof tried[0]);
}

static void try_all(uint64_t seed, const char *kernel, const LabRanges *ranges) {
    begin(seed);
    n_tried = 0;
    lab_try(&lab, kernel, ranges, note);
    end();
}

static bool was_tried(uint32_t of, uint32_t size) {
    for (uint32_t i = 0; i < n_tried; i++)
        if (tried[i][of] == size) return true;
    return false;
}

static const LabRanges two = {3, 2, 1 << 17, 1 << 17, {{1, 10000}, {2, 900}, {0, 7}}};

START_TEST(sizes_keep_to_their_ranges)
{
    for (uint64_t seed = 1; seed <= 200; seed++) {
        try_all(seed, "asks", &two);
        ck_assert_uint_ge(n_tried, 16);
        for (uint32_t i = 0; i < n_tried; i++) {
            for (uint32_t of = 0; of < two.count; of++) {
                ck_assert_uint_ge(tried[i][of], two.of[of].least);
                ck_assert_uint_le(tried[i][of], two.of[of].most);
            }
            ck_assert_uint_le((uint64_t)tried[i][0] * tried[i][1], two.most);
            ck_assert(tried[i][3] == 0 && tried[i][4] == 0);
        }
    }
}
END_TEST

/* Of 10,000, where a lab's tables end at a hundred or a thousand: each decade is met, and most of them often. */
START_TEST(sizes_come_from_everywhere)
{
    static const uint32_t ends[] = {10, 100, 1000, 3000, 5000, 7500, 10000};
    static const LabRanges one = {1, 1, 10000, 10000, {{1, 10000}}};
    for (size_t e = 0; e < sizeof ends / sizeof *ends; e++) {
        uint32_t met = 0;
        for (uint64_t seed = 1; seed <= 100; seed++) {
            try_all(seed, "other", &one);
            bool found = false;
            for (uint32_t i = 0; i < n_tried; i++) found |= tried[i][0] > (e ? ends[e - 1] : 0) && tried[i][0] <= ends[e];
            met += found;
        }
        ck_assert_msg(met >= 90, "up to %u: %u of 100", ends[e], met);
    }
}
END_TEST

/* Seven times the usual size costs a grading one trial; each part of what is beyond is met by some gradings. */
START_TEST(one_trial_is_beyond_the_usual_sizes)
{
    static const LabRanges large = {1, 1, 1000, 8000, {{1, 8000}}};
    uint32_t parts[8] = {0};
    for (uint64_t seed = 1; seed <= 200; seed++) {
        uint32_t beyond = 0;
        try_all(seed, "other", &large);
        for (uint32_t i = 0; i < n_tried; i++) {
            beyond += tried[i][0] > large.usual;
            parts[(tried[i][0] - 1) / 1000]++;
        }
        ck_assert_uint_eq(beyond, 1);
    }
    for (size_t i = 0; i < 8; i++) ck_assert_msg(parts[i] > 0, "part %zu", i);
}
END_TEST

/* 5000 is compared with, and five times what is usual. */
START_TEST(own_numbers_may_be_beyond_the_usual_sizes)
{
    static const LabRanges large = {1, 1, 1000, 8000, {{1, 8000}}};
    uint32_t met = 0;
    for (uint64_t seed = 1; seed <= 20; seed++) {
        try_all(seed, "asks", &large);
        met += was_tried(0, 4999) || was_tried(0, 5000) || was_tried(0, 5001);
    }
    ck_assert_uint_eq(met, 20);
}
END_TEST

START_TEST(a_kernels_own_numbers_are_tried)
{
    for (uint64_t seed = 1; seed <= 20; seed++) {
        try_all(seed, "asks", &two);
        for (uint32_t number = 776; number <= 778; number++) ck_assert(was_tried(0, number) && was_tried(1, number));
        ck_assert(was_tried(0, 333) && was_tried(0, 332) && was_tried(0, 334));
        ck_assert(was_tried(0, 5000) && was_tried(0, 4999) && was_tried(0, 5001)); /* larger than the other range */
        ck_assert(was_tried(0, 2) && was_tried(0, 4) && was_tried(2, 3));
        try_all(seed, "other", &two);
        ck_assert(was_tried(0, 443) && was_tried(0, 444) && was_tried(0, 445));
    }
}
END_TEST

/* With both sizes about one of them. */
START_TEST(numbers_meet)
{
    uint32_t met = 0;
    for (uint64_t seed = 1; seed <= 20; seed++) {
        static const LabRanges wide = {2, 2, 1 << 20, 1 << 20, {{1, 1000}, {1, 1000}}};
        try_all(seed, "other", &wide);
        for (uint32_t i = 0; i < n_tried; i++) met += tried[i][0] - 443 < 3 && tried[i][1] - 443 < 3;
    }
    ck_assert_uint_ge(met, 20);
}
END_TEST

START_TEST(one_seed_tries_the_same)
{
    uint32_t first[TRIED_MOST][LAB_SIZES], n_first;
    try_all(7, "asks", &two);
    memcpy(first, tried, sizeof tried);
    n_first = n_tried;
    try_all(7, "asks", &two);
    ck_assert(n_first == n_tried && memcmp(first, tried, n_tried * sizeof tried[0]) == 0);
    try_all(8, "asks", &two);
    ck_assert(memcmp(first, tried, 16 * sizeof tried[0]) != 0);
}
END_TEST

SUITE("trials", sizes_keep_to_their_ranges, sizes_come_from_everywhere, one_trial_is_beyond_the_usual_sizes,
      own_numbers_may_be_beyond_the_usual_sizes, a_kernels_own_numbers_are_tried, numbers_meet, one_seed_tries_the_same)
