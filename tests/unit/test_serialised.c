/* Which atomic operations wait for each other (observe/serialised.h): by hand from what it says of an H200. */
#include "observe/serialised.h"

#include "suite.h"

static Serialised *seen[2];

static void begin(void) { seen[0] = seen[1] = NULL; }

static void end(void) {
    serialised_free(seen[0]);
    serialised_free(seen[1]);
    begin();
}

static SerialisedCounts counts(void) { return serialised_count((const Serialised *const *)seen, 2); }

/* Lines of one sector each; `sectors`: that are served, where lanes meet. */
static Footprint lines(uint32_t n, const uint32_t *line, uint32_t sectors) {
    Footprint footprint = {.n_lines = n, .sectors = sectors};
    for (uint32_t i = 0; i < n; i++) footprint.line[i] = line[i], footprint.mask[i] = 1;
    return footprint;
}
#define LINES(sectors, ...) lines(sizeof((uint32_t[]){__VA_ARGS__}) / sizeof(uint32_t), (uint32_t[]){__VA_ARGS__}, sectors)

/* 1024 bytes, eight lines, lie in two slices, 256 bytes, two lines, in each by turns. */
START_TEST(a_slice_takes_its_sectors_one_by_one)
{
    static const struct {
        uint32_t one, other;
        bool together;
    } rows[] = {{0, 0, true}, {0, 1, true}, {0, 2, false}, {1, 2, false}, {0, 3, false}, {0, 4, true},
                {2, 6, true}, {3, 7, true}, {1, 6, false}, {0, 8, false}, {7, 8, false}, {2, 10, false}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        begin();
        const Footprint one = LINES(1, rows[i].one), other = LINES(1, rows[i].other);
        serialised_global(&seen[0], &one, false);
        serialised_global(&seen[0], &other, false);
        ck_assert_msg(counts().slice == (rows[i].together ? 2 : 1), "lines %u and %u", rows[i].one, rows[i].other);
        ck_assert_uint_eq(counts().sums, 0);
        end();
        begin(); /* by two host threads */
        serialised_global(&seen[0], &one, false);
        serialised_global(&seen[1], &other, false);
        ck_assert_msg(counts().slice == (rows[i].together ? 2 : 1), "lines %u and %u", rows[i].one, rows[i].other);
        end();
    }
}
END_TEST

START_TEST(sectors_of_a_request_are_shared_out_over_its_lines)
{
    const Footprint footprint = LINES(8, 0, 16, 32); /* three slices: 3, 3 and 2 */
    serialised_global(&seen[0], &footprint, false);
    ck_assert_uint_eq(counts().slice, 3);
    const Footprint last = LINES(2, 32);
    serialised_global(&seen[0], &last, false);
    ck_assert_uint_eq(counts().slice, 4);
}
END_TEST

/* Lanes of one request in different sectors count once; 32 of one word 32 times. */
START_TEST(sums_of_floats_wait_in_their_line)
{
    Footprint footprint = LINES(4, 5);
    footprint.mask[0] = 0xf;
    serialised_global(&seen[0], &footprint, true);
    ck_assert_uint_eq(counts().sums, 1);
    serialised_global(&seen[1], &footprint, true);
    ck_assert_uint_eq(counts().sums, 2);
    footprint = LINES(32, 5);
    serialised_global(&seen[0], &footprint, true);
    ck_assert_uint_eq(counts().sums, 34);
    footprint = LINES(33, 6, 7); /* 33 of two sectors: 17 at most in one */
    serialised_global(&seen[0], &footprint, true);
    ck_assert_uint_eq(counts().sums, 34);
    serialised_global(&seen[0], &footprint, true);
    serialised_global(&seen[0], &footprint, true);
    ck_assert_uint_eq(counts().sums, 51);
    footprint = LINES(40, 5);
    serialised_global(&seen[0], &footprint, false); /* no floats */
    ck_assert_uint_eq(counts().sums, 51);
}
END_TEST

static void update(unsigned thread, uint32_t block, uint32_t lanes, uint64_t address, uint64_t stride) {
    Access access = {.space = SPACE_SHARED, .kind = ACCESS_ATOMIC, .bytes = 4, .active = lanes};
    for (uint32_t l = 0; l < WARP_LANES; l++) access.addr[l] = address + l * stride;
    serialised_shared(&seen[thread], block, &access);
}

START_TEST(a_word_of_shared_memory_is_its_blocks_own)
{
    static const struct {
        uint32_t block, lanes;
        uint64_t address, stride;
        uint64_t most; /* after five updates of word 16 by block 0 */
    } rows[] = {{0, 0x7, 64, 0, 8}, {0, 0x7, 66, 0, 8} /* bytes of the word */,
                {0, 0x7, 68, 0, 5}, {0, 0x7, 60, 0, 5},
                {1, 0x7, 64, 0, 5}, {31, 0x7, 64, 0, 5},
                {0, 0x7, 64, 4, 6}, {1, 0x3f, 64, 0, 6},
                {0, 0, 64, 0, 5}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        begin();
        update(0, 0, 0x1f, 64, 0);
        update(0, rows[i].block, rows[i].lanes, rows[i].address, rows[i].stride);
        serialised_end_batch(seen[0]);
        ck_assert_msg(counts().word == rows[i].most && counts().batches == 1, "row %zu: %llu", i,
                      (unsigned long long)counts().word);
        end();
    }
}
END_TEST

START_TEST(each_batch_begins_anew_and_counts_where_it_had_any)
{
    serialised_end_batch(NULL);
    ck_assert_uint_eq(counts().batches, 0);
    update(0, 0, 0x1f, 64, 0);
    ck_assert_uint_eq(counts().word, 0); /* it has not ended */
    serialised_end_batch(seen[0]);
    serialised_end_batch(seen[0]); /* one that has none */
    ck_assert(counts().word == 5 && counts().batches == 1);
    update(0, 0, 0x3, 64, 0);
    serialised_end_batch(seen[0]);
    ck_assert(counts().word == 7 && counts().batches == 2);
    update(1, 0, 0x7, 64, 0);
    serialised_end_batch(seen[1]);
    ck_assert(counts().word == 10 && counts().batches == 3);
}
END_TEST

SUITE_WITH("serialised", begin, end, a_slice_takes_its_sectors_one_by_one, sectors_of_a_request_are_shared_out_over_its_lines,
           sums_of_floats_wait_in_their_line, a_word_of_shared_memory_is_its_blocks_own,
           each_batch_begins_anew_and_counts_where_it_had_any)
