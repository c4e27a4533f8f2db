/* What waits for asynchronous copies cost, by hand from the rule in observe/copy_groups.h: a group that was in flight for k waits costs a k-th. A letter is an
 * event: c a copy, g the end of a group, w all copies are waited for, a digit all groups but so many, m an arrival of the copies at an mbarrier, p a wait for its phase. */
#include <ctype.h>

#include "observe/copy_groups.h"
#include "observe/timeline.h"
#include "ptx/program.h"
#include "suite.h"

static CopyBlocks blocks;
static CopyWaits sum;

static Place place_in(uint32_t slot, uint32_t warp) {
    return (Place){.warp = warp, .block_slot = slot, .resident_warp = 4 * slot + warp, .threads = 4 * WARP_LANES};
}

static Place place_of(uint32_t warp) { return place_in(3, warp); }

static void begin(void) {
    const Place place = place_of(0);
    copy_groups_begin(&blocks, &place);
    sum = (CopyWaits){0};
}

/* By this warp; of an mbarrier at this offset: phases that are complete. */
static void does_at(uint32_t warp, int variant, uint32_t barrier, uint32_t phase) {
    const Place place = place_of(warp);
    copy_groups_event(&blocks, &place,
                      &(AsyncEvent){.lanes = 1, .variant = (uint8_t)variant, .barrier = barrier, .phase = phase}, &sum);
}

static void does(uint32_t warp, int variant) { does_at(warp, variant, 0, 0); }

static void meet(uint32_t warps) {
    const Place place = place_of(2);
    copy_groups_meet(&blocks, &place, warps, &sum);
}

static CopyWaits waits_of(const char *events) {
    uint32_t arrivals = 0, waits = 0;
    begin();
    for (; *events; events++) {
        AsyncEvent event = {.lanes = 1};
        event.variant = *events == 'c' ? CP_ASYNC_COPY : *events == 'g' ? CP_ASYNC_COMMIT : CP_ASYNC_WAIT_ALL;
        if (*events == 'm') event.variant = CP_ASYNC_ARRIVE_NOINC, event.barrier = 8 * (arrivals++ % 8);
        if (*events == 'p') event.variant = MBARRIER_TRY_WAIT, event.barrier = 8 * (waits % 8), event.phase = waits++ / 8 + 1;
        if (*events == 'm') event.phase = (arrivals - 1) / 8;
        if (isdigit((unsigned char)*events)) event.variant = CP_ASYNC_WAIT_GROUP, event.left = (uint32_t)(*events - '0');
        if (*events == 'b') event.variant = BULK_COMMIT;
        const Place place = place_of(0);
        copy_groups_event(&blocks, &place, &event, &sum);
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
    costs("cm", 0, 0); /* nobody waits for the mbarrier */
    costs("cmp", 1, 1);
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
    const Place place = place_of(0);
    begin();
    for (int i = 0; i < 60; i++) {
        does(0, CP_ASYNC_COPY), does(0, CP_ASYNC_COMMIT);
        if (i < 20) continue;
        if (i == 50) sum = (CopyWaits){0};
        copy_groups_event(&blocks, &place, &(AsyncEvent){.variant = CP_ASYNC_WAIT_GROUP, .left = 15}, &sum);
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

/* Of three warps the first waits for a copy and the second for two, the third for none: 2 each. Who is not there has its own. */
START_TEST(warps_that_meet_have_waited_as_long_as_each_other)
{
    begin();
    does(0, CP_ASYNC_COPY), does(0, CP_ASYNC_WAIT_ALL);
    for (int i = 0; i < 2; i++) does(1, CP_ASYNC_COPY), does(1, CP_ASYNC_WAIT_ALL);
    ck_assert_uint_eq(sum.shares, 3 * COPY_SHARES);
    meet(4 | 1); /* warps 0 and 2: 1 more for the latter */
    ck_assert_uint_eq(sum.shares, 4 * COPY_SHARES);
    meet(4 | 2 | 1); /* warp 1, too: 1 more for each of the others */
    ck_assert_uint_eq(sum.shares, 6 * COPY_SHARES);
    meet(4 | 2 | 1);
    ck_assert_uint_eq(sum.shares, 6 * COPY_SHARES);
    ck_assert_uint_eq(sum.waits, 3);
}
END_TEST

/* 64 warps further on, as a cooperative launch has blocks of several SMs side by side. */
START_TEST(blocks_of_other_sms_have_their_own)
{
    const Place other = place_in(3 + RESIDENT_WARPS / 4, 1);
    begin();
    does(0, CP_ASYNC_COPY), does(0, CP_ASYNC_WAIT_ALL);
    copy_groups_begin(&blocks, &other);
    copy_groups_meet(&blocks, &other, 2 | 1, &sum);
    ck_assert_uint_eq(sum.shares, COPY_SHARES);
    meet(2 | 1);
    ck_assert_uint_eq(sum.shares, 2 * COPY_SHARES);
}
END_TEST

/* Of a ring of three the first wait costs a copy, and the two that were asked for at the same time are there as well; so do those which are asked for behind it. */
START_TEST(copies_that_arrive_cost_where_the_phase_is_waited_for)
{
    costs("cmpcmpcmp", 3, 3);
    costs("cmcmcmppp", 1, 1);
    costs("cmcmcmpcmpcmpcmpcmpcmp", 2, 2);
    costs("cmcmcmcmcmpcmpcmpcmpcmpcmpcmpcmpcmpcmpcmp", 3, 3); /* 11 waits, 5 in flight */
    costs("mp", 0, 0);
    costs("cgmp0", 2, 2); /* by the mbarrier, and by its group */
}
END_TEST

/* Warp 0 waits for its copy and arrives, the others wait for that phase, and one of them twice; of the next phase, at which it arrives before they have all waited,
 * they know nothing. Then another copies with no wait, and arrives as late as before. */
START_TEST(who_waits_for_a_phase_has_waited_as_long_as_its_arrivers)
{
    begin();
    does(0, CP_ASYNC_COPY), does(0, CP_ASYNC_WAIT_ALL), does_at(0, MBARRIER_ARRIVE, 264, 0);
    does_at(1, MBARRIER_TRY_WAIT, 264, 1);
    ck_assert_uint_eq(sum.shares, 2 * COPY_SHARES);
    does(0, CP_ASYNC_COPY), does(0, CP_ASYNC_WAIT_ALL), does_at(0, MBARRIER_ARRIVE, 264, 1);
    ck_assert_uint_eq(sum.shares, 3 * COPY_SHARES);
    does_at(2, MBARRIER_TEST_WAIT, 264, 1), does_at(2, MBARRIER_TEST_WAIT, 264, 1), does_at(1, MBARRIER_TRY_WAIT, 264, 1);
    ck_assert_uint_eq(sum.shares, 4 * COPY_SHARES);
    does_at(1, MBARRIER_TRY_WAIT, 264, 2);
    ck_assert_uint_eq(sum.shares, 5 * COPY_SHARES);
    does(1, CP_ASYNC_COPY), does_at(1, MBARRIER_ARRIVE_DROP, 264, 2), does_at(2, MBARRIER_TRY_WAIT, 264, 3);
    ck_assert_uint_eq(sum.shares, 6 * COPY_SHARES);
    does_at(3, MBARRIER_TRY_WAIT, 16, 1);
    ck_assert_uint_eq(sum.shares, 6 * COPY_SHARES);
}
END_TEST

/* 256 bytes apart: the later arrival, which is at another, stands for the earlier as well. */
START_TEST(arrivals_that_have_no_room_are_not_forgotten)
{
    begin();
    does(0, CP_ASYNC_COPY), does(0, CP_ASYNC_WAIT_ALL), does_at(0, MBARRIER_ARRIVE, 8, 0), does_at(0, MBARRIER_ARRIVE, 264, 0);
    does_at(1, MBARRIER_TRY_WAIT, 8, 1);
    ck_assert_uint_eq(sum.shares, 2 * COPY_SHARES);
}
END_TEST

SUITE("copy_groups", a_group_that_is_waited_for_at_once_costs_a_whole_copy, groups_in_flight_together_share_the_time,
      a_wait_that_nothing_is_waited_for_in_is_free, no_more_groups_count_than_there_is_room_for,
      a_group_that_is_pushed_out_is_waited_for, warps_that_meet_have_waited_as_long_as_each_other,
      blocks_of_other_sms_have_their_own, copies_that_arrive_cost_where_the_phase_is_waited_for,
      who_waits_for_a_phase_has_waited_as_long_as_its_arrivers, arrivals_that_have_no_room_are_not_forgotten)
