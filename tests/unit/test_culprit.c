/* Which access is to blame for a missed goal (lab/culprit.h), and its picture: of accesses whose waste can be counted by hand. */
#include "lab/culprit.h"

#include "shapes_lab.h"
#include "suite.h"

static const Sample *culprit(int goal) {
    score_again();
    return culprit_of(&lab, &score, (uint32_t)goal).sample;
}

/* Without its 280 sectors beyond the fewest there would be 4 a request. Of what is missed it must explain a quarter. */
START_TEST(an_access_is_to_blame_for_what_its_waste_costs)
{
    Goal *goal = &lab.goals->goals[LOADS];
    make_accesses();
    ck_assert_ptr_eq(culprit(LOADS), &insn_counters[0].worst);
    ck_assert(!culprit_of(&lab, &score, LOADS).is_frequent);
    ck_assert_ptr_null(culprit(CORRECT));
    ck_assert_ptr_null(culprit(GUESS));
    goal->full = 32 - 4 * 28; /* four times what the waste explains */
    ck_assert_ptr_eq(culprit(LOADS), &insn_counters[0].worst);
    goal->full -= 1;
    ck_assert_ptr_null(culprit(LOADS));
    goal->full = 0.5, goal->zero = 0, goal->metric = "global.load.requests / global.load.sectors"; /* more is better */
    ck_assert_ptr_eq(culprit(LOADS), &insn_counters[0].worst);
    goal->metric = "global.store.sectors", goal->full = 4, goal->zero = 40; /* which waste nothing */
    ck_assert_ptr_null(culprit(LOADS));
    goal->metric = "l";
    ck_assert_ptr_null(culprit(LOADS));
    /* 320 lines: 40 * 32 bytes would fit into 10 */
    goal->metric = "global.load.lines", goal->full = 10, goal->zero = 320;
    ck_assert_ptr_eq(culprit(LOADS), &insn_counters[0].worst);
    lab.goals->goals[WORK].metric = "global.load.sectors";
    ck_assert_ptr_eq(culprit(WORK), &insn_counters[0].worst);
    lab.goals->goals[LOADS].kind = GOAL_FIGURE;
    ck_assert_ptr_null(culprit(LOADS));
    lab.goals->goals[LOADS].kind = GOAL_METRIC;
    runs[A].kept = NULL;
    ck_assert_ptr_null(culprit(LOADS));
}
END_TEST

/* What the compiler made of a line adds up, and the worst of it is shown. */
START_TEST(accesses_of_one_line_are_one)
{
    make_accesses();
    has_value(A, "global.load.sectors", 600);
    lab.goals->goals[LOADS].metric = "global.load.sectors";
    lab.goals->goals[LOADS].full = 40, lab.goals->goals[LOADS].zero = 700;
    put(2, 1, strided(SPACE_GLOBAL, ACCESS_LOAD, 4, 128, 0, LANES_ALL), 5);  /* 5 * 28 = 140 */
    put(3, 4, strided(SPACE_GLOBAL, ACCESS_LOAD, 4, 128, 0, LANES_ALL), 14); /* 14 * 28 = 392 < 280 + 140 */
    ck_assert_ptr_eq(culprit(LOADS), &insn_counters[0].worst);
    put(3, 4, strided(SPACE_GLOBAL, ACCESS_LOAD, 4, 128, 0, LANES_ALL), 16); /* 448 */
    ck_assert_ptr_eq(culprit(LOADS), &insn_counters[3].worst);
    put(2, 1, strided(SPACE_GLOBAL, ACCESS_LOAD, 4, 128, 0, LANES_ALL), 20); /* 560, of 840 */
    ck_assert_ptr_eq(culprit(LOADS), &insn_counters[2].worst);
}
END_TEST

/* 280 sectors of loads from one array are no quarter of what is missed; with the 140 that another access of the line wastes they would be. */
START_TEST(a_store_and_another_array_are_other_accesses)
{
    for (int store = 0; store < 2; store++) {
        make_accesses();
        lab.goals->goals[LOADS].metric = "global.load.sectors";
        lab.goals->goals[LOADS].full = 320 - 4 * 281, lab.goals->goals[LOADS].zero = 700;
        Sample sample = strided(SPACE_GLOBAL, store ? ACCESS_STORE : ACCESS_LOAD, 4, 128, 0, LANES_ALL);
        const Allocation *other = memory_allocate(request.launch.memory, 1 << 16, "other", false);
        for (uint64_t l = 0; l < WARP_LANES && !store; l++) sample.access.addr[l] = other->address + 128 * l;
        put(2, 1, sample, 5);
        ck_assert_ptr_null(culprit(LOADS));
        put(2, 1, strided(SPACE_GLOBAL, ACCESS_LOAD, 4, 128, 0, LANES_ALL), 5);
        ck_assert_ptr_eq(culprit(LOADS), &insn_counters[0].worst);
    }
}
END_TEST

/* 100 loads of 4 bytes a lane are 12800 bytes, which 25 of 16 bytes a lane would load. */
START_TEST(requests_without_waste_are_too_many)
{
    make_accesses();
    put(0, 1, strided(SPACE_GLOBAL, ACCESS_LOAD, 4, 4, 0, LANES_ALL), 100);
    has_value(A, "global.load.requests", 100);
    lab.goals->goals[LOADS].metric = "global.load.requests";
    lab.goals->goals[LOADS].full = 25, lab.goals->goals[LOADS].zero = 100;
    ck_assert_ptr_eq(culprit(LOADS), &insn_counters[0].worst);
    ck_assert(culprit_of(&lab, &score, LOADS).is_frequent);
    has_part("\n  No sector is wasted, but there are many requests: 4 bytes a lane, where 16 are the\n  most.\n", false);
    has_part("\n  No sector is wasted, but there are many requests: 4 bytes a lane, where 16 are\n  the most.\n", true);
    /* one lane's 4 bytes: that it might take 16 is not what makes them many */
    put(0, 1, strided(SPACE_GLOBAL, ACCESS_LOAD, 4, 4, 0, 1), 100);
    has_part("where 16 are", false);
    has_part("\n  No sector is wasted, but there are many requests: 1 of 32 lanes takes part in\n  this one.\n", true);
    /* all lanes want one place: wider accesses would not make them fewer */
    put(0, 1, strided(SPACE_GLOBAL, ACCESS_LOAD, 4, 0, 0, LANES_ALL), 100);
    has_part("where 16 are", false);
    has_part("\n  All 32 lanes ask for the same place, which one request brings. It is made too\n  often: load it ahead of a "
             "loop, or let "
             "fewer warps need it.\n",
             true);
    put(0, 1, strided(SPACE_GLOBAL, ACCESS_LOAD, 16, 16, 0, LANES_ALL), 100);
    ck_assert_ptr_null(culprit(LOADS));
}
END_TEST

/* 100 requests where 25 would do, but half of their sectors are wasted: it is not for their number alone. */
START_TEST(requests_that_waste_sectors_are_not_just_many)
{
    make_accesses();
    put(0, 1, strided(SPACE_GLOBAL, ACCESS_LOAD, 4, 8, 0, LANES_ALL), 100);
    has_value(A, "global.load.requests", 100);
    lab.goals->goals[LOADS].metric = "global.load.requests";
    lab.goals->goals[LOADS].full = 25, lab.goals->goals[LOADS].zero = 100;
    ck_assert_ptr_eq(culprit(LOADS), &insn_counters[0].worst);
    ck_assert(!culprit_of(&lab, &score, LOADS).is_frequent);
    has_part("No sector is wasted", false);
}
END_TEST

/* 280 of 360 sectors are wasted; conflicts are of shared memory, whose wavefronts alone count there. */
START_TEST(a_time_is_blamed_on_what_limits_the_launch)
{
    double *bound_us = kept.result.model.bound_us;
    static const ModelBound global[] = {BOUND_dram, BOUND_stores, BOUND_atomics, BOUND_l1},
                            none[] = {BOUND_issue, BOUND_latency, BOUND_blocks, BOUND_launch};
    lab.goals->goals[TIME].run = A;
    has_value(A, "model.time_us", 15);
    make_accesses();
    lab.goals->goals[LOADS].metric = "l";
    put(2, 2, strided(SPACE_SHARED, ACCESS_LOAD, 4, 128, 0, LANES_ALL), 3); /* 3 * 31 conflicts of 3 * 32 wavefronts */
    counters.shared[COUNTER_LOAD] = (BankCounters){0};
    for (size_t i = 0; i < 4; i++) {
        bound_us[global[i]] = 2; /* launching takes longer, which no access can change */
        ck_assert_ptr_eq(culprit(TIME), &insn_counters[0].worst);
        bound_us[global[i]] = 0;
        bound_us[none[i]] = 2;
        ck_assert_ptr_null(culprit(TIME));
        bound_us[none[i]] = 0;
    }
    kept.result.model.time_us = 15;
    bound_us[BOUND_issue] = 3, bound_us[BOUND_launch] = 12;
    has_part("\ntime: 15; full points at 10, none at 20\n  Modelled: 15.0 us, limited by instructions\n", true);
    bound_us[BOUND_shared] = 4;
    counters.shared[COUNTER_LOAD] = (BankCounters){.wavefronts = 96, .bank_conflicts = 93};
    ck_assert_ptr_eq(culprit(TIME), &insn_counters[2].worst);
    has_part("\nNext: Of the wavefronts of shared memory 97% are bank conflicts: let the lanes\n      of a warp meet different "
             "banks.\n",
             true);
    bound_us[BOUND_dram] = 5;
    has_part("bank conflicts:", false);
    insn_counters[1].sectors.sectors = insn_counters[1].sectors.ideal_sectors = 800; /* 280 of 1120: just a quarter */
    ck_assert_ptr_eq(culprit(TIME), &insn_counters[0].worst);
    insn_counters[1].sectors.sectors++;
    insn_counters[1].sectors.ideal_sectors++;
    ck_assert_ptr_null(culprit(TIME));
}
END_TEST

START_TEST(a_picture_shows_the_line_and_its_lanes)
{
    make_accesses();
    has_part("\nloads: 32; full points at 4, none at 32\n", true);
    has_part("       2 | float v = in[i];\n", true);
    has_part("kernel.cu:2, global load: block (0,0,0), warp 0, 4 bytes a lane\n", true);
    has_part("  32 sectors = 1024 bytes moved, 128 of them used (12.5%)\n", true);
    lab.goals->goals[WORK].metric = "global.load.sectors / 10", lab.goals->goals[WORK].full = 31;
    lab.all = true;
    has_part("by the access that is shown", false); /* the limit voids the goal */
    lab.goals->goals[WORK].kind = GOAL_METRIC, lab.goals->goals[WORK].zero = 32;
    has_part("\nwork: 32; full points at 31, none at 32\n  by the access that is shown at loads\n", true);
    lab.all = false;
    lab.goals->goals[LOADS].full = -1000;
    has_part("  No access wastes this much by itself: they are too many, or ask for the same\n  data again.\n", true);
}
END_TEST

SUITE_WITH("culprit", begin, graded_end, an_access_is_to_blame_for_what_its_waste_costs, accesses_of_one_line_are_one,
           a_store_and_another_array_are_other_accesses, requests_without_waste_are_too_many,
           requests_that_waste_sectors_are_not_just_many, a_time_is_blamed_on_what_limits_the_launch,
           a_picture_shows_the_line_and_its_lanes)
