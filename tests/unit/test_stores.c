/* Stores that leave an SM together: see stores_count in stores.h. Every expected number is worked out from its rules by hand. */

#include "observe/stores.h"

#include "../hardware/play.h"
#include "suite.h"

/* Of one line: the words it writes. */
static Footprint store_of(uint32_t line, uint32_t words) { return (Footprint){.n_lines = 1, .line = {line}, .words = {words}}; }

/* How many of its sectors reach L2 with the store before. */
static uint32_t joined_of(StoreTail *tail, const MergeConfig *merge, const Place *place, const Footprint *store) {
    uint32_t touched = 0;
    const uint32_t sent = stores_count(tail, merge, place, store);
    for (uint32_t i = 0; i < store->n_lines; i++) touched += (uint32_t)__builtin_popcount(sectors_touched(store->words[i]));
    return touched - sent;
}

START_TEST(a_store_joins_the_one_before_it_in_the_sector_where_that_ended)
{
    static const struct {
        uint32_t line, before, words;
        uint32_t shared;                        /* sectors that reach L2 once */
    } rows[] = {{7, 0x0000000f, 0x000000f0, 1}, /* the other half of sector 0 */
                {7, 0x000000ff, 0x0000ff00, 0}, /* of the line, but of no sector */
                {7, 0x00000fff, 0x00fff000, 1}, {7, 0x0fffffff, 0xf0000000, 1}, {7, 0x00ffff00, 0x00ffff00, 2},
                {7, 0xffffffff, 0xffffffff, 4}, {8, 0x0000000f, 0x000000f0, 0}, /* another line */
                {7, 0x00000005, 0x000000f0, 0},                                 /* the first has a gap */
                {7, 0x0000000f, 0x00000050, 0},                                 /* the second has one */
                {7, 0x80000000, 0x80000000, 1}, {7, 0x00000001, 0x00000002, 1}};
    const MergeConfig merge = {.stores = 4};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        StoreTail tail = {0};
        Footprint before = store_of(7, rows[i].before), after = store_of(rows[i].line, rows[i].words);
        const Place place = {.warp = 1};
        ck_assert_uint_eq(joined_of(&tail, &merge, &place, &before), 0); /* the first of all */
        stores_end(&tail, &place, &before);
        ck_assert_msg(joined_of(&tail, &merge, &place, &after) == rows[i].shared, "row %zu", i);
    }
}
END_TEST

/* Each writes the next word of a sector; so many leave together, and the next begins anew. */
START_TEST(so_many_stores_leave_together)
{
    for (uint32_t most = 0; most <= 5; most++) {
        const MergeConfig merge = {.stores = most};
        StoreTail tail = {0};
        uint32_t sent = 0;
        for (uint32_t i = 0; i < 8; i++) {
            Footprint store = store_of(7, 1u << i);
            sent += 1 - joined_of(&tail, &merge, &(Place){.warp = i}, &store);
            stores_end(&tail, &(Place){.warp = i}, &store);
        }
        ck_assert_uint_eq(sent, most < 2 ? 8 : (8 + most - 1) / most);
    }
}
END_TEST

/* After a load by the SM: only stores of different warps, and every second time. */
START_TEST(after_a_load_every_second_store_of_another_warp_joins)
{
    const MergeConfig merge = {.stores = 4};
    const Place one = {.block = 1, .warp = 1}, same_warp_of_another_block = {.block = 2, .warp = 1},
                other = {.block = 1, .warp = 2};
    const Place *const then[] = {&one, &same_warp_of_another_block, &other};
    for (int i = 0; i < 3; i++) {
        StoreTail tail = {0};
        uint32_t joined = 0;
        for (int k = 0; k < 8; k++) { /* pairs of stores, each pair to a line of its own */
            Footprint first = store_of(100 + (uint32_t)k, 0x0f), second = store_of(100 + (uint32_t)k, 0xf0);
            ck_assert_uint_eq(joined_of(&tail, &merge, &one, &first), 0);
            stores_end(&tail, &one, &first);
            stores_wait(&tail, then[i]);
            stores_wait_for_line(&tail, 0, 500 + (uint32_t)k, true);
            joined += joined_of(&tail, &merge, then[i], &second);
            stores_end(&tail, then[i], &second);
            ck_assert(!tail.loaded);
        }
        ck_assert_uint_eq(joined, i ? 4 : 0);
    }
}
END_TEST

/* Of a store of several lines the first joins what was before, and the last is what the next may join. */
START_TEST(a_store_of_two_lines_ends_in_the_second)
{
    const MergeConfig merge = {.stores = 4};
    const Place place = {.warp = 1};
    StoreTail tail = {0};
    Footprint before = store_of(7, 0x0fffffff), both = {.n_lines = 2, .line = {7, 8}, .words = {0xf0000000, 0x0000000f}},
              to_first = store_of(7, 0xff000000), to_last = store_of(8, 0x000000f0);
    stores_end(&tail, &place, &before);
    ck_assert_uint_eq(joined_of(&tail, &merge, &place, &both), 1);
    stores_end(&tail, &place, &both);
    ck_assert_uint_eq(tail.stores, 1); /* the second line's first */
    ck_assert_uint_eq(tail.words[tail.n_lines - 1], 0x0f);
    ck_assert_uint_eq(joined_of(&tail, &merge, &place, &to_first), 0);
    ck_assert_uint_eq(joined_of(&tail, &merge, &place, &to_last), 1);
}
END_TEST

/* Stores of all warps of a block to one line, 64 times, as stores.cu's on an H200 (tests/hardware/h200-stores.csv, loops): how many of them leave. */
typedef enum Between { NOTHING_BETWEEN, BARRIER, LINE_OF_ALL, LINE_OF_ALL_PAST_L1, OWN_LINES } Between;
static uint32_t left_of_loops(Between between, uint32_t warps) {
    enum { ROUNDS = 64 };
    const MergeConfig merge = {.stores = 4};
    const Footprint store = store_of(7, LANES_ALL);
    StoreTail tail = {0};
    uint32_t sectors = 0;
    for (uint32_t n = 0; n < ROUNDS; n++) {
        if (between == BARRIER) stores_meet(&tail, &(Place){0}, LANES_ALL >> (32 - warps));
        for (uint32_t w = 0; w < warps; w++) {
            const Place place = {.warp = w, .resident_warp = w};
            if (between >= LINE_OF_ALL) {
                stores_wait(&tail, &place);
                stores_wait_for_line(&tail, w, 1000 + n * warps + (between == OWN_LINES ? w : 0),
                                     between != LINE_OF_ALL || w == 0);
            }
            sectors += stores_count(&tail, &merge, &place, &store);
            stores_end(&tail, &place, &store);
        }
    }
    return sectors / 4;
}

START_TEST(warps_that_go_on_together_store_together)
{
    const struct {
        Between between;
        uint32_t warps, left;
    } rows[] = {{BARRIER, 1, 64},
                {BARRIER, 2, 64},
                {BARRIER, 8, 64},
                {BARRIER, 16, 64},
                {BARRIER, 32, 64}, /* 71 on the GPU */
                {LINE_OF_ALL, 1, 64},
                {LINE_OF_ALL, 2, 64},
                {LINE_OF_ALL, 8, 64},
                {LINE_OF_ALL, 16, 64},
                {LINE_OF_ALL, 32, 64}, /* 66 and 72 */
                {OWN_LINES, 1, 64},
                {OWN_LINES, 2, 64}, /* 68 */
                {LINE_OF_ALL_PAST_L1, 4, 64}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        ck_assert_msg(left_of_loops(rows[i].between, rows[i].warps) == rows[i].left, "row %zu: %u", i,
                      left_of_loops(rows[i].between, rows[i].warps));
    /* those that wait for their own join every second time: 436 to 576 of 1024 on the GPU */
    ck_assert_uint_eq(left_of_loops(OWN_LINES, 16), 512);
    ck_assert_uint_eq(left_of_loops(NOTHING_BETWEEN, 4), 64);
}
END_TEST

/* Two warps that write every second word each, in up to 16 lines; with 32 lines none joins (meet, stride 2 to 32). */
START_TEST(stores_of_several_lines_join)
{
    const MergeConfig merge = {.stores = 4};
    for (uint32_t lines = 1; lines <= 32; lines *= 2) {
        Footprint even = {.n_lines = lines}, odd = even;
        for (uint32_t i = 0; i < lines; i++) {
            even.line[i] = odd.line[i] = 50 + i;
            even.words[i] = 0x55555555, odd.words[i] = 0xaaaaaaaa;
        }
        StoreTail tail = {0};
        const Place one = {.warp = 1, .resident_warp = 1}, other = {.warp = 2, .resident_warp = 2};
        ck_assert_uint_eq(stores_count(&tail, &merge, &one, &even), 4 * lines);
        stores_end(&tail, &one, &even);
        ck_assert_uint_eq(stores_count(&tail, &merge, &other, &odd), lines > 16 ? 4 * lines : 0);
    }
}
END_TEST

/* p_eight_times of tests/hardware/h100-shapes.csv: eight stores of a word make sectors whole, as one that leaves nothing out. */
static void eight_words_of_each_lane(Play *play) {
    Access access = {.space = SPACE_GLOBAL, .kind = ACCESS_STORE, .bytes = 4, .active = LANES_ALL};
    for (access.pc = 0; access.pc < 8; access.pc++) {
        for (uint32_t l = 0; l < 32; l++) access.addr[l] = OUT + 32 * l + 4 * access.pc;
        access_now(play, &access);
    }
    access.kind = ACCESS_LOAD;
    for (uint32_t l = 0; l < 32; l++) access.addr[l] = OUT + 32 * (l ^ 1) + 4 * 3;
    access_now(play, &access);
}

START_TEST(stores_that_are_joined_make_sectors_whole_in_l1)
{
    Play play = play_of(1, 1, 32, 1);
    const Counters *counters = play_all(&play, eight_words_of_each_lane);
    ck_assert_uint_eq(counters->global[COUNTER_LOAD].l1_hit_sectors, 32);
    ck_assert_uint_eq(counters->l2_write_sectors, 32);
    counters_free(play.set);
}
END_TEST

/* As stores.h says of an H100: other lanes, elements, warps or sectors do not join, nor do those that 16 instructions or a load are between. */
START_TEST(a_store_joins_one_that_its_lanes_made_a_little_before)
{
    enum { LANES_OF_HALF = 0x0000ffff };
    static const struct {
        const char *what;
        uint32_t pc, active, bytes, warp, block, line, mask;
        bool waits, joins;
    } rows[] = {
        {"the same lanes, sectors", 11, LANES_OF_HALF, 4, 1, 3, 7, 0xf, false, true},
        {"fewer sectors", 14, LANES_OF_HALF, 4, 1, 3, 7, 0x6, false, true},
        {"other lanes", 11, LANES_ALL, 4, 1, 3, 7, 0xf, false, false},
        {"other lanes, as many", 11, ~(uint32_t)LANES_OF_HALF, 4, 1, 3, 7, 0xf, false, false},
        {"wider elements", 11, LANES_OF_HALF, 8, 1, 3, 7, 0xf, false, false},
        {"another warp", 11, LANES_OF_HALF, 4, 2, 3, 7, 0xf, false, false},
        {"another block's", 11, LANES_OF_HALF, 4, 1, 4, 7, 0xf, false, false},
        {"another line", 11, LANES_OF_HALF, 4, 1, 3, 8, 0xf, false, false},
        {"more sectors: two of four", 11, LANES_OF_HALF, 4, 1, 3, 9, 0xf, false, true},
        {"far behind", 27, LANES_OF_HALF, 4, 1, 3, 7, 0xf, false, false},
        {"before it in the program", 9, LANES_OF_HALF, 4, 1, 3, 7, 0xf, false, false},
        {"behind a load", 11, LANES_OF_HALF, 4, 1, 3, 7, 0xf, true, false},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        StoreTail tail = {0};
        Footprint left;
        const Place before = {.warp = 1, .block = 3}, place = {.warp = rows[i].warp, .block = rows[i].block};
        const Access first = {.pc = 10, .active = LANES_OF_HALF, .bytes = 4},
                     access = {.pc = rows[i].pc, .active = rows[i].active, .bytes = rows[i].bytes};
        const Footprint had = {.n_lines = 2, .line = {7, 9}, .mask = {0xf, 0x3}},
                        has = {.n_lines = 1, .line = {rows[i].line}, .mask = {(uint8_t)rows[i].mask}};
        ck_assert(!stores_join_near(&tail, &first, &before, &had, false, &left));
        if (rows[i].waits) stores_wait(&tail, &before);
        ck_assert_msg((stores_join_near(&tail, &access, &place, &has, false, &left) != 0) == rows[i].joins, "%s", rows[i].what);
    }
}
END_TEST

/* By each warp: out[2 * t + 1], then out[2 * t + 2]. Of the second's nine sectors eight are the first's, in lines 7 and 8; the ninth is line 9's first, which
 * the next warp's first store has as well. On an H200 281,279 of 557,056 sectors reach L2 (shifted, kind 3, of h200-lines.csv): 8.6 of 17 a warp. */
START_TEST(of_a_store_that_has_more_sectors_those_join_that_were_stored)
{
    StoreTail tail = {0};
    const Place place = {.warp = 1, .block = 3};
    Footprint first = {.n_lines = 2, .line = {7, 8}, .mask = {0xf, 0xf}, .words = {0xaaaaaaaa, 0xaaaaaaaa}},
              second = {.n_lines = 3, .line = {7, 8, 9}, .mask = {0xf, 0xf, 1}, .words = {0x55555554, 0x55555555, 1}},
              third = {.n_lines = 1, .line = {9}, .mask = {3}, .words = {0x1fe}}, left;
    ck_assert_uint_eq(
        stores_join_near(&tail, &(Access){.pc = 1, .active = LANES_ALL, .bytes = 4}, &place, &first, false, &left), 0);
    ck_assert_uint_eq(
        stores_join_near(&tail, &(Access){.pc = 2, .active = LANES_ALL, .bytes = 4}, &place, &second, false, &left), 8);
    ck_assert_uint_eq(left.n_lines, 1);
    ck_assert_uint_eq(left.line[0], 9);
    ck_assert_uint_eq(left.words[0], 1);
    ck_assert_uint_eq(stores_count(&tail, &(MergeConfig){.stores = 4}, &place, &left), 1);
    ck_assert_uint_eq(
        stores_join_near(&tail, &(Access){.pc = 3, .active = LANES_ALL, .bytes = 4}, &place, &third, false, &left), 1);
    ck_assert_uint_eq(left.words[0], 0x100); /* the second's sector is not asked for again, the next one is */
    /* out[t], out[t + 4]: words that were stored are stored again, and hardly any join (shifted, kind 7: 269,128 of 294,912); but of a warp alone (x_rows). */
    for (int alone = 0; alone <= 1; alone++) {
        StoreTail other = {0};
        Footprint line = {.n_lines = 1, .line = {7}, .mask = {0xf}, .words = {LANES_ALL}},
                  further = {.n_lines = 2, .line = {7, 8}, .mask = {0xf, 1}, .words = {0xfffffff0, 0xf}};
        stores_join_near(&other, &(Access){.pc = 1, .active = LANES_ALL, .bytes = 4}, &place, &line, alone, &left);
        ck_assert_uint_eq(
            stores_join_near(&other, &(Access){.pc = 2, .active = LANES_ALL, .bytes = 4}, &place, &further, alone, &left),
            alone ? 4 : 0);
    }
}
END_TEST

/* A store of these lines by half of a warp, at an instruction. */
static bool stores_near(StoreTail *tail, uint32_t pc, uint32_t warp, uint32_t active, uint32_t lines, bool alone) {
    const Access access = {.pc = pc, .active = active, .bytes = 4};
    const Place place = {.warp = warp, .block = 3};
    Footprint footprint = {.n_lines = lines};
    for (uint32_t i = 0; i < lines; i++) footprint.line[i] = 7 + i, footprint.mask[i] = 1;
    return stores_join_near(tail, &access, &place, &footprint, alone, &(Footprint){0}) != 0;
}

/* Of few lines all join, of more every second warp's second, of many none, but where a warp is alone. */
START_TEST(how_many_join_depends_on_their_lines)
{
    static const struct {
        uint32_t lines, warp;
        bool alone, second, third;
    } rows[] = {{1, 1, false, true, true},   {4, 1, false, true, true},   {4, 2, false, true, true},
                {5, 1, false, false, false}, {5, 2, false, true, false},  {8, 2, false, true, false},
                {8, 1, false, false, false}, {9, 2, false, false, false}, {9, 2, true, true, true},
                {9, 1, true, true, true},    {16, 1, true, true, true},   {17, 1, true, false, false}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        StoreTail tail = {0};
        ck_assert(!stores_near(&tail, 10, rows[i].warp, 0xffff, rows[i].lines, rows[i].alone));
        ck_assert_msg(stores_near(&tail, 11, rows[i].warp, 0xffff, rows[i].lines, rows[i].alone) == rows[i].second, "row %zu",
                      i);
        ck_assert_msg(stores_near(&tail, 12, rows[i].warp, 0xffff, rows[i].lines, rows[i].alone) == rows[i].third, "row %zu",
                      i);
    }
}
END_TEST

/* Twelve instructions behind the last that joined, and no more than three others between. */
START_TEST(a_store_is_waited_for_a_while)
{
    static const uint32_t apart[] = {1, 12, 13};
    for (size_t i = 0; i < 3; i++) {
        StoreTail tail = {0};
        ck_assert(!stores_near(&tail, 10, 1, 0xffff, 1, false));
        ck_assert_msg(stores_near(&tail, 10 + apart[i], 1, 0xffff, 1, false) == (apart[i] <= 12), "%u apart", apart[i]);
        if (apart[i] <= 12)
            ck_assert(stores_near(&tail, 10 + 2 * apart[i], 1, 0xffff, 1, false)); /* from the one that joined */
    }
    for (uint32_t others = 3; others <= 4; others++) {
        StoreTail tail = {0};
        ck_assert(!stores_near(&tail, 10, 1, 0xffff, 1, false));
        for (uint32_t i = 0; i < others; i++) ck_assert(!stores_near(&tail, 11, 1, 1u << i, 1, false));
        ck_assert_int_eq(stores_near(&tail, 12, 1, 0xffff, 1, false), others == 3);
    }
    StoreTail tail = {0}; /* a load by another warp or block is waited for by those */
    ck_assert(!stores_near(&tail, 10, 1, 0xffff, 1, false));
    stores_wait(&tail, &(Place){.warp = 2, .block = 3});
    stores_wait(&tail, &(Place){.warp = 1, .block = 4});
    ck_assert(stores_near(&tail, 11, 1, 0xffff, 1, false));
}
END_TEST

SUITE("stores", how_many_join_depends_on_their_lines, a_store_is_waited_for_a_while,
      a_store_joins_one_that_its_lanes_made_a_little_before, of_a_store_that_has_more_sectors_those_join_that_were_stored,
      a_store_joins_the_one_before_it_in_the_sector_where_that_ended, so_many_stores_leave_together,
      after_a_load_every_second_store_of_another_warp_joins, a_store_of_two_lines_ends_in_the_second,
      warps_that_go_on_together_store_together, stores_of_several_lines_join, stores_that_are_joined_make_sectors_whole_in_l1)
