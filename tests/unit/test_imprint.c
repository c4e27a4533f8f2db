/* What works leave of how they touched memory, and when two of them need an order, which host_race and stream_race are told by; clocks of streams. */
#include "observe/imprint.h"
#include "runtime/vectorclock.h"
#include "suite.h"

enum { R = IMPRINT_READ, W = IMPRINT_WRITE, RA = IMPRINT_READ_ATOMIC, WA = IMPRINT_WRITE_ATOMIC };

START_TEST(a_write_needs_an_order_unless_both_are_atomic)
{
    static const struct {
        uint32_t one, other;
        bool clash, strictly;
    } rows[] = {
        {R, R, false, false},          {R, W, true, true},     {W, W, true, true},    {W, WA, true, true},
        {WA, WA, false, false},        {RA, WA, false, false}, {R, WA, true, true},   {R | WA, WA, false, true},
        {R | WA, R | WA, false, true}, {0, W, false, false},   {R, RA, false, false}, {W | RA, RA, true, true},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        ck_assert_msg(imprint_ways_clash(rows[i].one, rows[i].other, false) == rows[i].clash, "row %zu", i);
        ck_assert_msg(imprint_ways_clash(rows[i].other, rows[i].one, false) == rows[i].clash, "row %zu, other way round", i);
        ck_assert_msg(imprint_ways_clash(rows[i].one, rows[i].other, true) == rows[i].strictly, "row %zu, strictly", i);
    }
}
END_TEST

START_TEST(runs_join_and_clash_where_they_overlap)
{
    Imprint one = {0}, other = {0};
    ImprintClash clash;
    imprint_add(&one, 0, 8, W);
    imprint_add(&one, 8, 16, W);
    imprint_add(&one, 32, 36, R);
    imprint_add(&one, 34, 40, R); /* not behind the last: left out */
    ck_assert_uint_eq(one.count, 2);
    ck_assert_uint_eq(one.runs[0].to, 16);
    ck_assert_uint_eq(imprint_at(&one, 15), W);
    ck_assert_uint_eq(imprint_at(&one, 16), 0);
    ck_assert_uint_eq(imprint_at(&one, 35), R);
    ck_assert_uint_eq(imprint_at(&one, 36), 0);
    imprint_add(&other, 16, 32, W);
    ck_assert(!imprint_clash(&one, &other, false, &clash));
    imprint_add(&other, 32, 33, R);
    ck_assert(!imprint_clash(&one, &other, false, &clash));
    imprint_add(&other, 35, 50, W);
    ck_assert(imprint_clash(&one, &other, false, &clash));
    ck_assert_uint_eq(clash.offset, 35);
    ck_assert_uint_eq(clash.one, R);
    ck_assert_uint_eq(clash.other, W);
    imprint_free(&one);
    imprint_free(&other);
}
END_TEST

START_TEST(clocks_join_and_cover)
{
    LOCAL_CLOCK one = {0}, other = {0};
    ck_assert(vectorclock_covers(&one, &other));
    vectorclock_raise(&one, 2, 5);
    vectorclock_raise(&one, 2, 4); /* never back */
    vectorclock_raise(&other, 0, 1);
    ck_assert_uint_eq(vectorclock_at(&one, 2), 5);
    ck_assert_uint_eq(vectorclock_at(&one, 7), 0);
    ck_assert(!vectorclock_covers(&one, &other) && !vectorclock_covers(&other, &one));
    vectorclock_join(&other, &one);
    ck_assert(vectorclock_covers(&other, &one) && !vectorclock_covers(&one, &other));
}
END_TEST

SUITE("imprint", a_write_needs_an_order_unless_both_are_atomic, runs_join_and_clash_where_they_overlap, clocks_join_and_cover)
