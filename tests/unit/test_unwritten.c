/* Bytes that were never written, as they are told when they are copied to the host, and in a copy within the device (observe/checks.h). */
#include "machine/written.h"
#include "observe/checks.h"
#include "observe/global_check.h"
#include "suite.h"

enum { BYTES = 200 };

typedef struct Filled {
    uint64_t from, to;
} Filled;

static Memory *memory;
static void begin(void) { memory = memory_new(); }
static void end(void) { memory_free(memory); }

static Allocation *written(const Filled *runs, uint8_t widest) {
    Allocation *of = memory_allocate(memory, BYTES, "a", false);
    for (; runs->to; runs++) written_add(of, runs->from, runs->to - runs->from);
    of->widest_written = widest;
    return of;
}

/* 16 bytes and more that follow each other were forgotten; fewer may be padding, which is narrower than the widest member and in each element: one or two runs
 * of others count, in arrays of 128 bytes and more. */
START_TEST(forgotten_bytes_are_counted_and_padding_is_not)
{
    static const struct {
        Filled written[4];
        uint8_t widest;
        uint64_t offset, bytes, first, count;
    } rows[] = {
        {{{0, 200}}, 4, 0, 160, 0, 0},
        {{{32, 160}}, 4, 0, 160, 0, 32},
        {{{20, 60}, {100, 160}}, 4, 0, 160, 0, 60}, /* 0-19 and 60-99 */
        {{{0, 60}, {100, 120}}, 4, 0, 160, 60, 80}, /* 60-99 and 120-159 */
        {{{0, 144}}, 4, 0, 160, 144, 16},           /* just as many */
        {{{0, 145}}, 16, 0, 160, 0, 0},             /* one less, which may be padding of a member of 16 */
        {{{0, 152}}, 4, 0, 160, 152, 8},            /* the last element of 8 */
        {{{0, 152}}, 8, 0, 160, 152, 8},            /* as wide as the widest: no padding */
        {{{0, 152}}, 16, 0, 160, 0, 0},
        {{{4, 80}, {84, 160}}, 4, 0, 160, 0, 8},             /* two short ones */
        {{{4, 80}, {84, 150}, {154, 160}}, 4, 0, 160, 0, 0}, /* three: a member that nobody uses */
        {{{4, 100}, {120, 160}}, 4, 0, 160, 0, 24},          /* a short one before a long one */
        {{{20, 156}}, 4, 0, 160, 0, 24},                     /* and behind it */
        {{{0, 120}}, 4, 0, 124, 0, 0},                       /* of 124 bytes none are told, of 128 they are */
        {{{0, 124}}, 4, 0, 128, 124, 4},
        {{{0, 50}, {80, 200}}, 4, 40, 60, 50, 30}, /* from byte 40 on */
        {{{0, 50}, {80, 200}}, 4, 60, 10, 60, 0},  /* ten of them */
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        UnwrittenBytes found = {0};
        checks_find_unwritten(written(rows[i].written, rows[i].widest), rows[i].offset, rows[i].bytes, &found);
        checks_settle_unwritten(&found);
        ck_assert_msg(found.count == rows[i].count && (!found.count || found.first == rows[i].first),
                      "row %zu: %llu bytes from %llu", i, (unsigned long long)found.count, (unsigned long long)found.first);
    }
}
END_TEST

/* The rows of a box, one after the other. */
START_TEST(rows_add_up)
{
    const Allocation *of = written((const Filled[]){{0, 40}, {60, 100}, {120, 200}, {0, 0}}, 4);
    UnwrittenBytes found = {0};
    checks_find_unwritten(of, 0, 80, &found);
    checks_find_unwritten(of, 100, 80, &found);
    checks_settle_unwritten(&found);
    ck_assert_uint_eq(found.first, 40);
    ck_assert_uint_eq(found.count, 40);
}
END_TEST

START_TEST(a_copy_is_as_written_as_what_it_is_of)
{
    const Allocation *from = written((const Filled[]){{8, 32}, {0, 0}}, 8);
    Allocation *to = written((const Filled[]){{0, 150}, {0, 0}}, 4);
    checks_copied(to, 64, from, 0, 40);
    for (uint64_t b = 0; b < BYTES; b++) {
        const bool undefined = (b >= 64 && b < 72) || (b >= 96 && b < 104) || b >= 150;
        ck_assert_msg(global_check_undefined(to, b) == undefined, "byte %llu", (unsigned long long)b);
    }
    ck_assert_uint_eq(to->widest_written, 8);
    Allocation *wide = written((const Filled[]){{0, 0}}, 16);
    checks_copied(wide, 0, from, 8, 24);
    ck_assert_uint_eq(wide->widest_written, 16);
    ck_assert(!global_check_undefined(wide, 23) && global_check_undefined(wide, 24));
}
END_TEST

SUITE_WITH("unwritten", begin, end, forgotten_bytes_are_counted_and_padding_is_not, rows_add_up,
           a_copy_is_as_written_as_what_it_is_of)
