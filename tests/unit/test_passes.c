/* Cycles in which L1 serves a load, as an H100's counters have them (tests/hardware/h100-l1.csv): the greater of output_wavefronts and data_wavefronts, divided by the
 * requests, of which 1 in 60 are others. Patterns as in tests/hardware/l1.cu. */
#include "observe/passes.h"

#include "../hardware/play.h"
#include "suite.h"

static uint32_t passes_of(uint32_t bytes, const uint32_t *words) {
    Access access = {.space = SPACE_GLOBAL, .kind = ACCESS_LOAD, .bytes = (uint8_t)bytes, .active = LANES_ALL};
    for (int i = 0; i < WARP_LANES; i++) access.addr[i] = UINT64_C(0x10000000) + 4 * words[i];
    Footprint footprint;
    sectors_find(&access, &footprint);
    sectors_set_words(&access, &footprint);
    return passes_count(&footprint);
}

START_TEST(strides)
{
    static const struct {
        uint32_t bytes, stride, passes;
    } rows[] = {{4, 0, 1},   {4, 1, 1},    {4, 2, 2},   {4, 4, 4},   {4, 8, 8},    {4, 16, 16},  {4, 24, 8},
                {4, 32, 32}, {4, 33, 8},   {4, 36, 9},  {4, 40, 10}, {4, 48, 16},  {4, 64, 32},  {4, 65, 8},
                {4, 96, 32}, {4, 128, 32}, {4, 129, 8}, {4, 257, 8}, {8, 2, 2},    {8, 4, 4},    {8, 8, 8},
                {8, 16, 16}, {8, 32, 32},  {16, 4, 4},  {16, 8, 8},  {16, 16, 16}, {16, 32, 32}, {16, 64, 32}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        uint32_t words[WARP_LANES];
        for (uint32_t l = 0; l < WARP_LANES; l++) words[l] = l * rows[i].stride;
        ck_assert_msg(passes_of(rows[i].bytes, words) == rows[i].passes, "%u bytes, stride %u: %u", rows[i].bytes,
                      rows[i].stride, passes_of(rows[i].bytes, words));
    }
}
END_TEST

/* Lanes in turns in `lines` lines, each lane in a bank of its own, or as many in one as there are lines. */
START_TEST(lines_that_lanes_share)
{
    static const struct {
        uint32_t lines, banks, one_bank;
    } rows[] = {{2, 1, 2}, {4, 1, 4}, {8, 2, 8}, {16, 4, 16}, {32, 8, 32}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        uint32_t words[2][WARP_LANES], n = rows[i].lines;
        for (uint32_t l = 0; l < WARP_LANES; l++) words[0][l] = l % n * 32 + l, words[1][l] = l % n * 32 + l / n;
        ck_assert_uint_eq(passes_of(4, words[0]), rows[i].banks);
        ck_assert_uint_eq(passes_of(4, words[1]), rows[i].one_bank);
    }
}
END_TEST

static uint32_t draw(uint32_t *seed) { return (*seed = *seed * 1664525u + 1013904223u) >> 8; }

START_TEST(random_words)
{
    static const uint32_t sizes[] = {256, 1024, 4096, 8192, 16384}, passes[][2] = {{4, 4}, {7, 6}, {12, 11}, {8, 11}, {10, 14}};
    uint32_t seed = 1;
    for (int i = 0; i < 5; i++)
        for (int t = 0; t < 2; t++) {
            uint32_t words[WARP_LANES];
            for (int l = 0; l < WARP_LANES; l++) words[l] = draw(&seed) % sizes[i];
            ck_assert_uint_eq(passes_of(4, words), passes[i][t]);
        }
}
END_TEST

static uint64_t lane_of(const Play *play, uint32_t l) { return (void)play, l; }

static void read_twice(Play *play) {
    for (int i = 0; i < 2; i++) load(play, IN, lane_of);
}

/* Two warps read 4 sectors, twice. The second warp's first hits are in lines that the first has asked for; the 4 hits of each one's second read are not, and
 * nor are those of a later wave's blocks counted. */
START_TEST(hits_in_lines_that_another_warp_has_asked_for_may_be_late)
{
    Play play = play_of(1, 1, 64, 1), later = play_of(132 * 32 + 1, 1, 64, 1);
    const SectorCounters *loads = &play_all(&play, read_twice)->global[COUNTER_LOAD];
    ck_assert_uint_eq(loads->l1_hit_sectors, 12);
    ck_assert_uint_eq(loads->first_hits, 12);
    ck_assert_uint_eq(loads->late_hits, 4);
    ck_assert_uint_eq(loads->first_lines, 4);
    ck_assert_uint_eq(loads->first_passes, 4);
    counters_free(play.set);
    loads = &play_all(&later, read_twice)->global[COUNTER_LOAD];
    ck_assert_uint_eq(loads->lines - loads->first_lines, 4);
    counters_free(later.set);
}
END_TEST

SUITE("passes", strides, lines_that_lanes_share, random_words, hits_in_lines_that_another_warp_has_asked_for_may_be_late)
