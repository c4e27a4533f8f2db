/* What waits for asynchronous copies cost, by hand from the rule in observe/copy_groups.h: a group that was in flight for k waits costs a k-th. A letter is an
 * event: c a copy, g the end of a group, w all copies are waited for, a digit all groups but so many, m an arrival at an mbarrier. */
#include <ctype.h>

#include "observe/copy_groups.h"
#include "ptx/program.h"
#include "suite.h"

static CopyWaits waits_of(const char *events) {
    CopyGroups groups = {0};
    CopyWaits sum = {0};
    for (; *events; events++) {
        AsyncEvent event = {.lanes = 1};
        event.variant = *events == 'c' ? CP_ASYNC_COPY : *events == 'g' ? CP_ASYNC_COMMIT : CP_ASYNC_WAIT_ALL;
        if (*events == 'm') event.variant = CP_ASYNC_ARRIVE_NOINC;
        if (isdigit((unsigned char)*events)) event.variant = CP_ASYNC_WAIT_GROUP, event.left = (uint32_t)(*events - '0');
        if (*events == 'b') event.variant = BULK_COMMIT;
        copy_groups_event(&groups, &event, &sum);
    }
    return sum;
}

static void costs(const char *events, uint64_t waits, double copies) {
    const CopyWaits found = waits_of(events);
    ck_assert_uint_eq(found.waits, waits);
    ck_assert_uint_eq(found.shares, (uint64_t)(copies * COPY_SHARES + 0.5));
}

START_TEST(a_group_that_is_waited_for_at_once_costs_a_whole_copy)
{
    costs("", 0, 0);
    costs("cg0", 1, 1);
    costs("ccccg0", 1, 1);
    costs("cg0cg0cg0", 3, 3);
    costs("cw", 1, 1); /* of no group yet */
    costs("c0", 0, 0); /* only groups are waited for */
    costs("cm", 1, 1);
}
END_TEST

/* Two in flight at a time: the first costs 1, each later one a half. With three, 1, 1/2 and then a third each. */
START_TEST(groups_in_flight_together_share_the_time)
{
    costs("cgcg1cg1cg1", 3, 1 + 0.5 + 0.5);
    costs("cgcgcg2cg2cg2cg2", 4, 1 + 0.5 + 2.0 / 3);
    costs("cgcgcg0", 1, 1);                   /* all at once, as long as the latest takes */
    costs("cgcgcg2cg0", 2, 1 + 1);            /* the latest was in flight for one wait */
    costs("cgcg1cg1cg1g1g1", 4, 1 + 3 * 0.5); /* empty groups behind the last */
}
END_TEST

/* What lets nothing go costs nothing, and does not make others seem older. */
START_TEST(a_wait_that_nothing_is_waited_for_in_is_free)
{
    costs("cg7777770", 1, 1);
    costs("g0g0w", 0, 0);
    costs("cg00", 1, 1);
    costs("b0bw", 0, 0); /* groups of bulk copies */
}
END_TEST

/* 20 groups in flight count as 16. */
START_TEST(no_more_groups_count_than_there_is_room_for)
{
    CopyGroups groups = {0};
    CopyWaits sum = {0};
    const AsyncEvent copy = {.variant = CP_ASYNC_COPY}, commit = {.variant = CP_ASYNC_COMMIT};
    for (int i = 0; i < 60; i++) {
        copy_groups_event(&groups, &copy, &sum), copy_groups_event(&groups, &commit, &sum);
        if (i < 20) continue;
        if (i == 50) sum = (CopyWaits){0};
        copy_groups_event(&groups, &(AsyncEvent){.variant = CP_ASYNC_WAIT_GROUP, .left = 15}, &sum);
    }
    ck_assert_uint_eq(sum.waits, 10);
    ck_assert_uint_eq(sum.shares, 10 * COPY_SHARES / 16);
}
END_TEST

/* 16 empty groups behind one with a copy: it is waited for when the last of them is made. Twelve groups in flight of each of two outlines, as many as there is
 * room for, and no later: 12 of 24 are waited for, the first after as many waits as have been. */
START_TEST(a_group_that_is_pushed_out_is_waited_for)
{
    costs("cgggggggggggggggg", 0, 0);
    costs("cggggggggggggggggg", 1, 1);
    costs("cggggggggggggggggg0", 1, 1);
    costs("cgcgcgcgcgcgcgcgcgcgcgcgcgcgcgcgcg", 1, 1);
    costs("cgcgcgcgcgcgcgcgcgcgcgcgcgcgcgcgcgcg", 2, 1 + 0.5);
}
END_TEST

/* Of three warps the first waits for a copy and the second for two, the third for none: 2 each. Behind the barrier all begin anew; who is not there has its own. */
START_TEST(warps_that_meet_have_waited_as_long_as_each_other)
{
    enum { ROOM = 4, FIRST = 3 };
    CopyGroups ring[ROOM] = {0};
    CopyWaits sum = {0};
    const AsyncEvent copy = {.variant = CP_ASYNC_COPY}, wait = {.variant = CP_ASYNC_WAIT_ALL};
    static const uint32_t waits[] = {1, 2};
    for (uint32_t warp = 0; warp < 2; warp++)
        for (uint32_t i = 0; i < waits[warp]; i++) {
            copy_groups_event(&ring[(FIRST + warp) % ROOM], &copy, &sum);
            copy_groups_event(&ring[(FIRST + warp) % ROOM], &wait, &sum);
        }
    ck_assert_uint_eq(sum.shares, 3 * COPY_SHARES);
    copy_groups_meet(ring, ROOM, FIRST, 4 | 1, &sum); /* warps 0 and 2: 1 more */
    ck_assert_uint_eq(sum.shares, 4 * COPY_SHARES);
    copy_groups_meet(ring, ROOM, FIRST, 4 | 2 | 1, &sum); /* warp 1, too: 2 more for each of the others */
    ck_assert_uint_eq(sum.shares, 8 * COPY_SHARES);
    copy_groups_meet(ring, ROOM, FIRST, 4 | 2 | 1, &sum);
    ck_assert_uint_eq(sum.shares, 8 * COPY_SHARES);
    ck_assert_uint_eq(sum.waits, 3);
}
END_TEST

SUITE("copy_groups", a_group_that_is_waited_for_at_once_costs_a_whole_copy, groups_in_flight_together_share_the_time,
      a_wait_that_nothing_is_waited_for_in_is_free, no_more_groups_count_than_there_is_room_for,
      a_group_that_is_pushed_out_is_waited_for, warps_that_meet_have_waited_as_long_as_each_other)
