/* What leaves the SMs, request by request, by the rules that stand in traffic.h. Every expected number of requests is worked out from them by
 * hand; that the rules give an H200's counts is for test_traffic.c to show. */
#include <check.h>

#include "observe/traffic.h"

enum { SMS = 8, MOST = 200 };

static Traffic *traffic;
static TrafficLog *log_of;

/* Without a cache: whatever reaches L2 goes on to device memory. */
static void begin_with(const MergeConfig *merge, uint64_t l2_bytes) {
    const CacheConfig l2 = {.bytes = l2_bytes, .ways = 1};
    traffic = traffic_new(merge, SMS, &l2);
    log_of = traffic_log_new(traffic);
}

static void begin(MergeConfig merge) { begin_with(&merge, 0); }

static void end(void) {
    traffic_log_free(log_of);
    traffic_free(traffic);
}

static void reads(TrafficKind kind, uint32_t line, uint32_t mask) { traffic_note(log_of, kind, line, mask, 0, NULL); }

static void ends(uint64_t batch) {
    traffic_end(log_of);
    traffic_commit(log_of, batch);
}

/* A batch that reads these lines as a whole, one after the other; 0 ends them. */
static void batch_reads(uint64_t batch, TrafficKind kind, const uint32_t *lines) {
    traffic_begin(log_of, batch);
    for (; *lines; lines++) reads(kind, *lines, 0xf);
    ends(batch);
}

static uint64_t sectors(void) { return traffic_totals(traffic).l2_read_sectors; }

START_TEST(so_many_requests_become_one)
{
    for (uint32_t limit = 0; limit <= 5; limit++)
        for (uint32_t n = 1; n <= 12; n++) {
            const uint32_t together = limit < 2 ? 1 : limit;
            begin((MergeConfig){.limit = limit, .entries_log2 = 5});
            traffic_begin(log_of, 0);
            for (uint32_t i = 0; i < n; i++) reads(i % 2 ? TRAFFIC_READ : TRAFFIC_READ_IN_STEP, 7, 0x6);
            ends(0);
            ck_assert_uint_eq(sectors(), 2 * ((n + together - 1) / together));
            ck_assert_uint_eq(traffic_totals(traffic).dram.read, sectors());
            end();
        }
}
END_TEST

/* With the last one for its line, if that was for the same sectors, and if no other line has its entry since. */
START_TEST(requests_merge_with_the_last_for_their_line)
{
    static const struct {
        struct {
            uint32_t line, mask;
        } read[6];
        uint32_t entries_log2, sectors;
    } rows[] = {{{{7, 1}, {7, 1}}, 5, 1},
                {{{7, 1}, {7, 2}}, 5, 2},
                {{{7, 1}, {7, 2}, {7, 1}}, 5, 3},
                {{{7, 1}, {8, 1}}, 5, 2},
                {{{7, 1}, {8, 1}, {7, 1}, {8, 1}}, 5, 2},
                {{{7, 1}, {8, 1}, {7, 1}, {8, 1}}, 0, 4}, /* one entry */
                {{{7, 1}, {7, 1}, {8, 1}, {8, 1}}, 0, 2},
                {{{6, 1}, {7, 1}, {6, 1}, {7, 1}}, 1, 2}, /* neighbouring lines have different ones */
                {{{1, 1}, {2, 1}, {3, 1}, {1, 1}, {2, 1}, {3, 1}}, 2, 3},
                {{{5, 1}, {5, 1}, {5, 3}, {5, 3}, {5, 1}}, 5, 1 + 2 + 1}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        begin((MergeConfig){.limit = MOST, .entries_log2 = rows[i].entries_log2});
        traffic_begin(log_of, 0);
        for (int k = 0; k < 6 && rows[i].read[k].mask; k++) reads(TRAFFIC_READ, rows[i].read[k].line, rows[i].read[k].mask);
        ends(0);
        ck_assert_msg(sectors() == rows[i].sectors, "row %zu: %u sectors", i, (unsigned)sectors());
        end();
    }
    /* 32 entries: as many neighbouring lines merge wherever they are read again */
    for (uint32_t first = 1; first < 1000; first += 77) {
        begin((MergeConfig){.limit = MOST, .entries_log2 = 5});
        traffic_begin(log_of, 0);
        for (uint32_t i = 0; i < 96; i++) reads(TRAFFIC_READ, first * 32 + i % 32, 1);
        ends(0);
        ck_assert_uint_eq(sectors(), 32);
        end();
    }
}
END_TEST

/* SMs 0 to 3 are a group, 4 to 7 another; in later waves pairs are. Reads that are not in step are no one else's. */
START_TEST(sms_of_a_group_ask_once)
{
    static const uint32_t line[] = {7, 0};
    static const struct {
        uint32_t sms, later_sms, requests; /* of 16 batches, two waves of 8 */
    } rows[] = {{4, 2, 2 + 4}, {4, 4, 2 + 2}, {2, 2, 4 + 4}, {8, 2, 1 + 4}, {1, 1, 16}, {4, 0, 2 + 8}, {0, 4, 8 + 2}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        for (int in_step = 0; in_step < 2; in_step++) {
            begin((MergeConfig){
                .limit = MOST, .sms = rows[i].sms, .later_sms = rows[i].later_sms, .entries_log2 = 5, .window = 8});
            for (uint64_t batch = 0; batch < 16; batch++)
                batch_reads(batch, in_step ? TRAFFIC_READ_IN_STEP : TRAFFIC_READ, line);
            ck_assert_uint_eq(sectors(), 4 * (in_step ? rows[i].requests : 16));
            end();
        }
    begin((MergeConfig){.limit = 3, .sms = 8, .later_sms = 8, .entries_log2 = 5, .window = 8}); /* 3 of 8 at a time */
    for (uint64_t batch = 0; batch < 8; batch++) batch_reads(batch, TRAFFIC_READ_IN_STEP, line);
    ck_assert_uint_eq(sectors(), 4 * 3);
    end();
}
END_TEST

/* Two SMs read 24 lines each, of which one is the same, the first SM as its p-th, the other as its q-th. */
START_TEST(sms_meet_within_the_window)
{
    for (uint32_t window = 0; window < 8; window++)
        for (uint32_t p = 0; p < 24; p++)
            for (uint32_t q = 0; q < 24; q++) {
                begin((MergeConfig){.limit = MOST, .sms = 2, .later_sms = 2, .entries_log2 = 8, .window = window});
                traffic_begin(log_of, 0);
                for (uint32_t i = 0; i < 24; i++) reads(TRAFFIC_READ_IN_STEP, i == p ? 99 : 100 + i, 1);
                ends(0);
                traffic_begin(log_of, 1);
                for (uint32_t i = 0; i < q; i++) reads(TRAFFIC_READ_IN_STEP, 200, 1); /* in the place of the other's first */
                reads(TRAFFIC_READ_IN_STEP, 99, 1);
                ends(1);
                const bool meet = (p < q ? q - p : p - q) <= window && !(p == 0 && q > 0);
                const uint64_t expected = 24u + (q > 0) + !meet;
                ck_assert_msg(sectors() == expected, "window %u, %u and %u: %u", window, p, q, (unsigned)sectors());
                end();
            }
}
END_TEST

/* --- reads that bypass L1: the SM's four schedulers issue one request each --- */

/* Each letter is a line that the warp reads by a request of its own; with one entry A B A B are four requests, A A B B two. */
static uint64_t requests_of(const char *const warps[], const uint32_t *numbers, int n, bool bypass) {
    begin((MergeConfig){.limit = 4, .entries_log2 = 0});
    traffic_begin(log_of, 0);
    for (int w = 0; w < n; w++)
        for (const char *line = warps[w]; *line; line++) {
            if (bypass && *line != '+') traffic_bypass_l1(log_of, &(Place){.warp = numbers[w]});
            if (*line == '+') line++; /* of the same request */
            reads(TRAFFIC_READ, (uint32_t)*line, 1);
        }
    ends(0);
    uint64_t requests = sectors();
    end();
    return requests;
}

START_TEST(four_neighbouring_warps_take_turns)
{
    static const struct {
        const char *warps[5];
        uint32_t numbers[5];
        uint64_t bypassing, through_l1;
    } rows[] = {{{"AB", "AB"}, {0, 1}, 2, 4},
                {{"AB", "AB", "AB", "AB"}, {0, 1, 2, 3}, 2, 8},
                {{"AB", "AB", "AB", "AB"}, {4, 5, 6, 7}, 2, 8},
                {{"AB", "AB"}, {3, 4}, 4, 4}, /* of different fours */
                {{"AB", "AB"}, {0, 2}, 4, 4}, /* no neighbours */
                {{"AB", "AB", "AB"}, {2, 3, 4}, 2 + 2, 6},
                {{"AB", "AB", "AB", "AB"}, {2, 3, 4, 5}, 2 + 2, 8},
                {{"AB", "B"}, {0, 1}, 2, 2},           /* A B B */
                {{"A", "BAB"}, {0, 1}, 4, 4},          /* A B A B */
                {{"ABC", "AB", "A"}, {0, 1, 2}, 3, 6}, /* AAA BB C */
                {{"A+B", "A+B"}, {0, 1}, 4, 4},        /* whole requests alternate */
                {{"A+BC", "A+BC"}, {0, 1}, 5, 6},      /* A B A B C C */
                {{"AB"}, {9}, 2, 2}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        int n = 0;
        while (n < 5 && rows[i].warps[n]) n++;
        const uint64_t bypassing = requests_of(rows[i].warps, rows[i].numbers, n, true),
                       through_l1 = requests_of(rows[i].warps, rows[i].numbers, n, false);
        ck_assert_msg(bypassing == rows[i].bypassing, "row %zu: %u", i, (unsigned)bypassing);
        ck_assert_msg(through_l1 == rows[i].through_l1, "row %zu: %u", i, (unsigned)through_l1);
    }
}
END_TEST

/* --- writes and atomics, seen by what a cache of one line gives back --- */

static void writes(uint32_t line, uint32_t words) {
    Footprint footprint = {.n_lines = 1, .line = {line}, .words = {words}};
    traffic_write(log_of, &footprint, NULL);
}

START_TEST(writes_of_a_batch_to_one_line_are_one)
{
    static const struct {
        uint32_t first, between, second; /* lines; 0: none */
        bool other_batch;
        uint64_t written, filled; /* sectors, when line 99 has come in place of all */
    } rows[] = {{7, 0, 7, false, 1, 0},
                {7, 8, 7, false, 2, 0}, /* the second half goes with the first: 7, whole, then 8 */
                {7, 8, 7, true, 3, 2},  /* half of 7, 8, the other half */
                {7, 0, 8, false, 2, 2},
                {7, 7, 7, false, 1, 0}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        begin_with(&(MergeConfig){0}, 128);
        traffic_begin(log_of, 0);
        writes(rows[i].first, 0x0f);
        if (rows[i].between) writes(rows[i].between, 0xff);
        if (rows[i].other_batch) {
            ends(0);
            traffic_begin(log_of, 1);
        }
        writes(rows[i].second, 0xf0);
        reads(TRAFFIC_READ, 99, 1);
        ends(rows[i].other_batch);
        const CacheTraffic dram = traffic_totals(traffic).dram;
        ck_assert_msg(dram.written == rows[i].written && dram.filled == rows[i].filled, "row %zu: %u written, %u filled", i,
                      (unsigned)dram.written, (unsigned)dram.filled);
        ck_assert_uint_eq(sectors(), 1);
        end();
    }
}
END_TEST

START_TEST(an_atomic_reads_and_writes_in_l2_alone)
{
    begin_with(&(MergeConfig){0}, 128);
    traffic_begin(log_of, 0);
    traffic_note(log_of, TRAFFIC_ATOMIC, 7, 0x5, 0x10001, NULL); /* a word of sectors 0 and 2 */
    traffic_note(log_of, TRAFFIC_ATOMIC, 7, 0x5, 0x10001, NULL);
    ends(0);
    ck_assert_uint_eq(sectors(), 0);
    ck_assert_uint_eq(traffic_totals(traffic).dram.read, 2);
    traffic_begin(log_of, 1);
    reads(TRAFFIC_READ, 8, 1);
    ends(1);
    ck_assert_uint_eq(traffic_totals(traffic).dram.written, 2);
    ck_assert_uint_eq(traffic_totals(traffic).dram.filled, 0);
    end();
}
END_TEST

/* --- the log --- */

START_TEST(a_batch_may_have_more_notes_than_the_log_holds)
{
    enum { NOTES = (1 << 20) + 1000 };
    begin((MergeConfig){0});
    for (uint64_t batch = 0; batch < 2; batch++) {
        traffic_begin(log_of, batch);
        for (uint32_t i = 0; i < NOTES; i++) reads(TRAFFIC_READ, i, 0x3);
        ends(batch);
        ck_assert_uint_eq(sectors(), (batch + 1) * 2 * NOTES);
    }
    end();
}
END_TEST

/* A worker may have noted several batches before the first is committed. */
START_TEST(batches_wait_in_the_log)
{
    TrafficLog *other;
    begin((MergeConfig){.limit = 4, .sms = 4, .later_sms = 4, .entries_log2 = 5, .window = 8});
    other = traffic_log_new(traffic);
    traffic_begin(log_of, 0);
    reads(TRAFFIC_READ_IN_STEP, 7, 0xf);
    traffic_end(log_of);
    traffic_begin(log_of, 2);
    reads(TRAFFIC_READ_IN_STEP, 7, 0xf);
    reads(TRAFFIC_READ_IN_STEP, 8, 0x1);
    traffic_end(log_of);
    traffic_begin(other, 1);
    traffic_note(other, TRAFFIC_READ_IN_STEP, 7, 0xf, 0, NULL);
    traffic_end(other);
    ck_assert_uint_eq(sectors(), 0);
    traffic_commit(log_of, 0);
    ck_assert_uint_eq(sectors(), 4);
    traffic_commit(other, 1);
    ck_assert_uint_eq(sectors(), 4);
    traffic_commit(log_of, 2);
    ck_assert_uint_eq(sectors(), 5);
    traffic_log_free(other);
    end();
}
END_TEST

/* --- stores that leave together: see stores_join --- */

/* Of one line: the words it writes. */
static Footprint store_of(uint32_t line, uint32_t words) { return (Footprint){.n_lines = 1, .line = {line}, .words = {words}}; }

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
        ck_assert_uint_eq(stores_join(&tail, &merge, &place, &before), 0); /* the first of all */
        stores_end(&tail, &place, &before);
        ck_assert_msg(stores_join(&tail, &merge, &place, &after) == rows[i].shared, "row %zu", i);
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
            sent += 1 - stores_join(&tail, &merge, &(Place){.warp = i}, &store);
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
            ck_assert_uint_eq(stores_join(&tail, &merge, &one, &first), 0);
            stores_end(&tail, &one, &first);
            tail.loaded = true;
            joined += stores_join(&tail, &merge, then[i], &second);
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
    ck_assert_uint_eq(stores_join(&tail, &merge, &place, &both), 1);
    stores_end(&tail, &place, &both);
    ck_assert_uint_eq(tail.stores, 1); /* the second line's first */
    ck_assert_uint_eq(tail.words, 0x0f);
    ck_assert_uint_eq(stores_join(&tail, &merge, &place, &to_first), 0);
    ck_assert_uint_eq(stores_join(&tail, &merge, &place, &to_last), 1);
}
END_TEST

int main(void) {
    Suite *suite = suite_create("coalescer");
    TCase *tests = tcase_create("coalescer");
    tcase_add_test(tests, so_many_requests_become_one);
    tcase_add_test(tests, requests_merge_with_the_last_for_their_line);
    tcase_add_test(tests, sms_of_a_group_ask_once);
    tcase_add_test(tests, sms_meet_within_the_window);
    tcase_add_test(tests, four_neighbouring_warps_take_turns);
    tcase_add_test(tests, writes_of_a_batch_to_one_line_are_one);
    tcase_add_test(tests, an_atomic_reads_and_writes_in_l2_alone);
    tcase_add_test(tests, a_batch_may_have_more_notes_than_the_log_holds);
    tcase_add_test(tests, batches_wait_in_the_log);
    tcase_add_test(tests, a_store_joins_the_one_before_it_in_the_sector_where_that_ended);
    tcase_add_test(tests, so_many_stores_leave_together);
    tcase_add_test(tests, after_a_load_every_second_store_of_another_warp_joins);
    tcase_add_test(tests, a_store_of_two_lines_ends_in_the_second);
    suite_add_tcase(suite, tests);
    SRunner *runner = srunner_create(suite);
    srunner_run_all(runner, CK_ENV);
    int failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    return failed != 0;
}
