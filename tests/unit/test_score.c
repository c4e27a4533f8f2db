/* Points from what was measured (lab/score.h): of numbers that stand here. */
#include "lab/score.h"

#include "device/model.h"
#include "graded.h"
#include "suite.h"

/* `two` is only to be predicted; `three` is neither. */
static const char facts[] =
    "LAB(\"07\", \"slug\", \"Title\", 100) KERNEL(one) KERNEL(two) KERNEL(three) RUN(first, one, \"8\") RUN(second, three, "
    "\"9\")\n"
    "RUN(table, none, \"a table\") GOAL(goal, first, \"m\", 4, 8, 30, \"\") CORRECT(first, 20) LIMIT(work, first, \"w\", 10, "
    "\"\")\n"
    "LIMIT(more, first, \"v\", 10, \"\") MEASURED(speed, first, 0.9, \"\") FIGURE(beat, first, \"f\", 1, 2, \"\")\n"
    "GOAL(other, second, \"first.m + m\", 2, 0, 30, \"\") VARY(table, \"n\", 1, 2, 3) GOAL(right, table, \"right\", 3, 1, 20, "
    "\"\")\n";
enum { GOAL, CORRECT, WORK, MORE, SPEED, BEAT, OTHER, RIGHT, RULE };
static const char rules[] = "RULE(rule, \"u\", 5, \"\")";
enum { FIRST, SECOND, TABLE };

static void begin(void) {
    graded_begin(rules, facts);
    has_value(FIRST, "m", 4);
    has_value(FIRST, "w", 10);
    has_value(FIRST, "v", 10);
    has_value(FIRST, "u", 5);
    has_value(FIRST, "f", 1.5);
    has_value(SECOND, "m", 0);
    has_value(TABLE, "right", 3);
    score_again();
}

static const GoalResult *of(int goal) { return &score.goals[goal]; }

static void has_reason(int goal, const char *reason) { ck_assert_str_eq(of(goal)->reason, reason); }

/* 4 of the first run's and none of its own are more than 2: in full. */
START_TEST(everything_met_is_full_marks)
{
    ck_assert_double_eq(score.points, 100);
    ck_assert(score.full);
    for (int g = 0; g <= RULE + 1; g++) {
        ck_assert_msg(of(g)->met == (g != SPEED && g != BEAT), "goal %d", g);
        ck_assert_msg(of(g)->skipped == (g == SPEED), "goal %d", g);
        has_reason(g, "");
    }
    ck_assert_double_eq(of(CORRECT)->score, 20);
    ck_assert(!of(CORRECT)->has_value && of(GOAL)->has_value && of(BEAT)->has_value && !of(SPEED)->has_value);
    ck_assert_double_eq(of(OTHER)->value, 4);
    ck_assert_double_eq(of(BEAT)->value, 1.5);
}
END_TEST

/* Linear between the bounds, cut to hundredths; what is nearly full is full by a rounding error alone. */
START_TEST(a_goal_has_its_share_of_the_points)
{
    static const struct {
        double full, zero, points, value, score;
        bool met;
    } rows[] = {{4, 8, 30, 4, 30, true},      {4, 8, 30, 3, 30, true},         {4, 8, 30, 8, 0, false},
                {4, 8, 30, 9, 0, false},      {4, 8, 30, 6, 15, false},        {4, 8, 30, 7, 7.5, false},
                {4, 8, 1, 5, 0.75, false},    {8, 4, 30, 8, 30, true},         {8, 4, 30, 7, 22.5, false},
                {8, 4, 30, 3, 0, false},      {3, 0, 10, 1, 3.33, false},      {3, 0, 10, 2, 6.66, false},
                {0, 3, 10, 1, 6.66, false},   {1, 0, 10, 1 - 1e-10, 10, true}, {1, 0, 10, 1 - 1e-8, 9.99, false},
                {1, 0, 10, 0.05, 0.5, false}, {1, 0, 7, 0.29, 2.03, false}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        Goal *goal = &lab.goals->goals[GOAL];
        goal->full = rows[i].full, goal->zero = rows[i].zero, goal->points = rows[i].points;
        has_value(FIRST, "m", rows[i].value);
        score_again();
        ck_assert_msg(fabs(of(GOAL)->score - rows[i].score) < 1e-12, "row %zu: %g", i, of(GOAL)->score);
        ck_assert_msg(of(GOAL)->met == rows[i].met, "row %zu", i);
        ck_assert_double_eq(of(GOAL)->value, rows[i].value);
    }
}
END_TEST

START_TEST(a_limit_is_kept_up_to_its_bound)
{
    static const struct {
        double most, value;
        bool met;
    } rows[] = {{10, 10, true}, {10, 10 + 1e-12, true}, {10, 10 + 1e-9, false}, {10, 11, false}, {10, -3, true},
                {0, 0, true},   {0, 1e-15, false},      {0, 1, false},          {1, 1.5, false}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        lab.goals->goals[WORK].full = rows[i].most;
        has_value(FIRST, "w", rows[i].value);
        score_again();
        ck_assert_msg(of(WORK)->met == rows[i].met, "row %zu", i);
        ck_assert_msg(score.full == rows[i].met, "row %zu", i);
        ck_assert_double_eq(of(WORK)->score, 0);
        ck_assert_double_eq(score.points, rows[i].met ? 100 : 50);
    }
}
END_TEST

/* Goals of its run alone, with no points, a reason and no say about a real GPU; other limits, other runs and what has a reason of its own stay. */
START_TEST(a_broken_limit_voids_the_goals_of_its_run)
{
    has_value(FIRST, "w", 11);
    lab.goals->goals[GOAL].metric = "absent";
    score_again();
    ck_assert_double_eq(score.points, 50);
    ck_assert(!score.full && !of(CORRECT)->met && of(CORRECT)->is_void && of(CORRECT)->score == 0);
    has_reason(CORRECT, "over the limit: work");
    has_reason(GOAL, "nothing to measure: the run has no absent");
    ck_assert(!of(GOAL)->is_void);
    ck_assert(of(SPEED)->skipped && !of(SPEED)->is_void);
    ck_assert(of(MORE)->met && !of(MORE)->is_void && of(RULE)->met && of(OTHER)->met && of(RIGHT)->met);
    ck_assert(!of(WORK)->is_void && of(WORK)->has_value && !of(BEAT)->has_value);
    has_reason(WORK, "");
}
END_TEST

/* Of a limit without a value nobody can say that the run went over it. */
START_TEST(a_limit_that_cannot_be_measured_voids_its_run_and_says_so)
{
    lab.goals->goals[WORK].metric = "absent";
    score_again();
    ck_assert_double_eq(score.points, 50);
    ck_assert(!of(WORK)->met && !of(WORK)->has_value && of(CORRECT)->is_void);
    has_reason(CORRECT, "a limit could not be measured: work");
}
END_TEST

START_TEST(a_wrong_kernel_has_no_points)
{
    kernels[0].wrong = true;
    score_again();
    ck_assert_double_eq(score.points, 50);
    ck_assert(!score.full && !of(CORRECT)->is_void && !of(GOAL)->met && of(OTHER)->met);
    has_reason(GOAL, "one is wrong");
    has_reason(WORK, "one is wrong");
    kernels[0].wrong = false, kernels[2].wrong = true; /* measured by `second`; nothing is to be predicted of it */
    score_again();
    ck_assert_double_eq(score.points, 70);
    has_reason(OTHER, "three is wrong");
    ck_assert(of(RIGHT)->met && !score.full);
}
END_TEST

START_TEST(predictions_are_about_kernels_as_they_were_given)
{
    ck_assert(!score_is_given(&lab, 0) && score_is_given(&lab, 1) && !score_is_given(&lab, 2));
    kernels[1].wrong = true;
    score_again();
    ck_assert_double_eq(score.points, 80);
    ck_assert(of(RIGHT)->is_void && !of(RIGHT)->met && !score.full);
    has_reason(RIGHT, "two is not as it was given");
    lab.goals->runs[TABLE].kernel = 0; /* nothing is to be predicted any more */
    ck_assert(!score_is_given(&lab, 1));
}
END_TEST

START_TEST(predictions_of_another_learners_numbers_have_no_points)
{
    static const uint8_t init[8] = {5, 0, 0, 0, 1};
    static Variable variable = {.name = "variant", .space = SPACE_CONST, .bytes = 8, .function = NO_INDEX, .init = init};
    program.variables = &variable, program.n_variables = 1;
    for (int64_t asked = -1; asked < 8; asked++) {
        lab.asked_variant = asked;
        score_again();
        const bool foreign = asked >= 0 && asked != 5;
        ck_assert_msg(score_is_foreign(&lab) == foreign, "%d", (int)asked);
        ck_assert(of(RIGHT)->is_void == foreign && of(RIGHT)->met != foreign && of(GOAL)->met && of(OTHER)->met);
        ck_assert_double_eq(score.points, foreign ? 80 : 100);
    }
    has_reason(RIGHT, "these are variant 5's numbers; this learner has variant 7's");
    lab.goals->n_varied = 0;
    ck_assert(!score_is_foreign(&lab));
    program.variables = NULL, program.n_variables = 0;
}
END_TEST

START_TEST(what_did_not_take_place_has_no_points)
{
    runs[FIRST].done = false;
    score_again();
    has_reason(CORRECT, "nothing was measured");
    ck_assert_double_eq(score.points, 50);
    runs[FIRST].done = runs[TABLE].failed = true;
    score_again();
    has_reason(RIGHT, "nothing was measured");
    ck_assert_double_eq(score.points, 80);
}
END_TEST

/* A limit of what a launch leaves alone is kept, and a goal is not: who avoids an access has not learnt to make it well. In a sum with others it
 * counts 0. A rule that has no value is kept, another limit is not. */
START_TEST(what_has_no_value_says_why)
{
    static const struct {
        const char *metric, *reason;
        bool goal_met, limit_met;
    } rows[] = {
        {"1 / (m - 4)", "nothing to measure: the run makes no such access", false, false},
        {"model.time_us", "no modelled time", false, false},
        {"missing", "nothing to measure: the run has no missing", false, false},
        {"shared.load.bank_conflicts", "nothing to measure: the run does not use shared memory", false, true},
        {"local.store.requests * 2", "nothing to measure: the run does not use local memory", false, true},
        {"shared.load.wavefronts + local.load.sectors", "nothing to measure: the run does not use shared memory", false, true},
        {"m + shared.load.wavefronts", "nothing to measure: the run does not use shared memory", false, true},
        {"global.load.sectors + shared.load.wavefronts", "", true, true},
        {"shared.load.wavefronts + global.load.sectors", "", true, true},
        {"second.shared.load.wavefronts", "nothing to measure: the run has no second.shared.load.wavefronts", false, true}};
    has_value(FIRST, "global.load.sectors", 4);
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        lab.goals->goals[GOAL].metric = lab.goals->goals[WORK].metric = lab.goals->goals[RULE].metric = rows[i].metric;
        score_again();
        ck_assert_msg(of(GOAL)->met == rows[i].goal_met, "%s", rows[i].metric);
        ck_assert_msg(of(WORK)->met == rows[i].limit_met, "%s", rows[i].metric);
        ck_assert_msg(of(RULE)->met, "%s", rows[i].metric);
        if (rows[i].limit_met) has_reason(WORK, "");
        has_reason(GOAL, rows[i].reason);
    }
}
END_TEST

/* By the model's own words; what they are worth is unit-test_model's affair. */
START_TEST(yardsticks_are_of_the_bytes_that_must_move)
{
    const Profile *h200 = lab.profile;
    Goal *goal = &lab.goals->goals[GOAL];
    static const struct {
        const char *metric;
        uint64_t reads, writes;
        double value;
    } rows[] = {{"needed_bytes", 3000, 1000, 4000}, {"unread", 100, 0, 0.25},     {"unread", 75, 0, 0}, {"unread", 60, 0, 0},
                {"unread", 300, 50, 0.75},          {"first.unread", 150, 0, 0.5}};
    keep_launch(FIRST);
    goal->metric = "unread", runs[FIRST].reads = 100;
    score_again();
    ck_assert_double_eq(of(GOAL)->value, 1); /* it loads nothing */
    has_value(FIRST, "global.load.unique_bytes", 75);
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        goal->metric = rows[i].metric;
        runs[FIRST].reads = rows[i].reads, runs[FIRST].writes = rows[i].writes;
        score_again();
        ck_assert_msg(of(GOAL)->has_value && of(GOAL)->value == rows[i].value, "row %zu: %g", i, of(GOAL)->value);
    }
    runs[FIRST].reads = 3 << 20, runs[FIRST].writes = 1 << 20;
    goal->metric = "roof.model.time_us", lab.goals->goals[WORK].metric = "copy.model.time_us";
    lab.goals->goals[WORK].full = 1e9;
    score_again();
    ck_assert_double_eq(of(GOAL)->value, model_roof_us(h200, 3 << 20, 1 << 20));
    ck_assert_double_eq(of(WORK)->value, model_copy_time_us(h200, 2 << 20));
    kept.result.model.time_us = 2 * model_copy_time_us(h200, 2 << 20);
    ck_assert_double_eq_tol(score_speed(&lab, FIRST), 0.5, 1e-6);
    goal->metric = "copy.model.time_us / model.time_us"; /* one result is one number, wherever it is told */
    kept.result.model.time_us = 5.1140947;
    score_again();
    ck_assert_double_eq(of(GOAL)->value, score_speed(&lab, FIRST));
    goal->metric = "roof.model.time_us";
    kept.result.model.time_us = 0;
    ck_assert_double_eq(score_speed(&lab, FIRST), 0);
    kept.result.model.time_us = 1;
    runs[FIRST].reads = runs[FIRST].writes = 0;
    ck_assert_double_eq(score_speed(&lab, FIRST), 0);
    score_again();
    has_reason(GOAL, "no modelled time");
    runs[FIRST].kept = NULL;
    ck_assert_double_eq(score_speed(&lab, FIRST), 0);
    goal->metric = "needed_bytes";
    score_again();
    has_reason(GOAL, "nothing to measure: the run has no needed_bytes");
}
END_TEST

/* 24 blocks of 2 warps are 48: 30 * 48 / 1000, 5 * 48 / 120. */
START_TEST(counts_have_their_names)
{
    static const struct {
        const char *name;
        double value;
    } rows[] = {{"global.load.lines", 7}, {"global.store.lines", 9}, {"warp_imbalance", 1.44},
                {"access_imbalance", 2},  {"l2.read_sectors", 77},   {"first.l2.read_sectors", 77}};
    counters.busiest_warp = 30, counters.most_accesses = 5;
    counters.global[COUNTER_LOAD] = (SectorCounters){.requests = 60, .lines = 7};
    counters.global[COUNTER_STORE] = (SectorCounters){.requests = 40, .lines = 9};
    counters.global[COUNTER_ATOMIC] = (SectorCounters){.requests = 20, .lines = 11};
    request.launch.block[0] = 33;
    keep_launch(FIRST);
    counters.l2_read_sectors = 77;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        lab.goals->goals[GOAL].metric = rows[i].name;
        score_again();
        ck_assert_msg(of(GOAL)->has_value && fabs(of(GOAL)->value - rows[i].value) < 1e-12, "%s: %g", rows[i].name,
                      of(GOAL)->value);
    }
    static const char *const none[] = {"l2",  "l2.text", "l2.read", "global.load", "global.load.line", "l2.read_sectors.more",
                                       "lane"};
    for (size_t i = 0; i < sizeof none / sizeof *none; i++) {
        lab.goals->goals[GOAL].metric = none[i];
        score_again();
        ck_assert_msg(!of(GOAL)->has_value, "%s", none[i]);
    }
    char reason[100];
    counters.instructions = 0; /* before the first of them: a share of nothing */
    for (int op = 0; op < COUNTER_OPS; op++) counters.global[op].requests = 0;
    for (size_t i = 2; i < 4; i++) {
        lab.goals->goals[GOAL].metric = rows[i].name;
        score_again();
        snprintf(reason, sizeof reason, "nothing to measure: the run has no %s", rows[i].name);
        has_reason(GOAL, reason);
    }
}
END_TEST

START_TEST(a_metric_is_worked_out_without_some_counts)
{
    static const struct {
        const char *metric;
        double without;
    } rows[] = {{"global.load.requests", 99},       {"global.load.sectors", 180},        {"global.load.lines", 270},
                {"global.load.wavefronts", 360},    {"global.load.bank_conflicts", 460}, {"global.load.bytes", 600},
                {"global.load_more.sectors", 700},  {"global.store.sectors", 800},       {"first.global.load.sectors", 200},
                {"global.load.sectors / 2 + m", 94}};
    static const char *const names[] = {"global.load.requests",     "global.load.sectors",        "global.load.lines",
                                        "global.load.wavefronts",   "global.load.bank_conflicts", "global.load.bytes",
                                        "global.load_more.sectors", "global.store.sectors"};
    const ScoreLess less = {
        "global.load", {.requests = 1, .sectors = 20, .lines = 30}, {.wavefronts = 40, .bank_conflicts = 40}};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) has_value(FIRST, names[i], 100 * ((double)i + 1));
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        double value = -1;
        const Goal goal = {.run = FIRST, .metric = rows[i].metric};
        ck_assert_msg(score_without(&lab, &goal, &less, &value), "%s", rows[i].metric);
        ck_assert_msg(value == rows[i].without, "%s: %g", rows[i].metric, value);
    }
    double value;
    ck_assert(!score_without(&lab, &(Goal){.run = FIRST, .metric = "none"}, &less, &value));
    ck_assert(!score_without(&lab, &(Goal){.run = FIRST, .metric = "1 / (global.load.sectors - 180)"}, &less, &value));
}
END_TEST

START_TEST(a_run_adds_its_goals_up)
{
    has_value(FIRST, "m", 6); /* half of 30 */
    has_value(FIRST, "f", 0.5);
    score_again();
    RunScore sum = score_run(&lab, &score, FIRST);
    ck_assert(sum.points == 35 && sum.most == 50 && sum.limits == 3 && sum.over == 0 && !sum.met);
    sum = score_run(&lab, &score, SECOND);
    ck_assert(sum.points == 30 && sum.most == 30 && sum.limits == 1 && sum.over == 0 && sum.met);
    has_value(FIRST, "m", 4);
    score_again();
    sum = score_run(&lab, &score, FIRST);
    ck_assert(sum.met && sum.points == 50); /* neither a speed on a GPU nor a figure is asked for */
    has_value(FIRST, "w", 11);
    has_value(FIRST, "u", 6);
    score_again();
    sum = score_run(&lab, &score, FIRST);
    ck_assert(sum.points == 0 && sum.limits == 3 && sum.over == 2 && !sum.met);
}
END_TEST

/* First limits, then goals; of what was edited before all else. */
START_TEST(what_to_look_at_next)
{
    ck_assert_int_eq(score_next(&lab, &score), -1);
    has_value(TABLE, "right", 2);
    score_again();
    ck_assert_int_eq(score_next(&lab, &score), RIGHT);
    has_value(FIRST, "m", -3);
    score_again();
    ck_assert_int_eq(score_next(&lab, &score), OTHER);
    kernels[2].edited = true;
    ck_assert_int_eq(score_next(&lab, &score), OTHER);
    kernels[2].edited = false;
    has_value(FIRST, "m", 5);
    score_again();
    ck_assert_int_eq(score_next(&lab, &score), GOAL);
    has_value(SECOND, "m", -5);
    score_again();
    ck_assert_int_eq(score_next(&lab, &score), GOAL);
    kernels[2].edited = true;
    ck_assert_int_eq(score_next(&lab, &score), OTHER);
    has_value(FIRST, "v", 11);
    score_again();
    ck_assert_int_eq(score_next(&lab, &score), OTHER);
    kernels[2].edited = false;
    ck_assert_int_eq(score_next(&lab, &score), MORE);
    has_value(FIRST, "v", 10);
    has_value(SECOND, "u", 6);
    score_again();
    ck_assert_int_eq(score_next(&lab, &score), RULE + 1);
    kernels[0].edited = true;
    ck_assert_int_eq(score_next(&lab, &score), GOAL);
    kernels[0].edited = false;
    has_value(FIRST, "v", 11);
    has_value(SECOND, "u", 5);
    score_again();
    ck_assert(score_is_missed(&lab, &score, MORE) && !score_is_missed(&lab, &score, GOAL));
    ck_assert(!score_is_missed(&lab, &score, SPEED) && !score_is_missed(&lab, &score, BEAT));
    kernels[0].wrong = true;
    score_again();
    ck_assert_int_eq(score_next(&lab, &score), OTHER);
    ck_assert(!score_is_missed(&lab, &score, GOAL));
    runs[TABLE].failed = true;
    score_again();
    ck_assert(!score_is_missed(&lab, &score, RIGHT));
}
END_TEST

START_TEST(of_wrong_kernels_the_first_that_was_edited_comes_first)
{
    ck_assert_int_eq(score_wrong_kernel(&lab), -1);
    kernels[1].wrong = kernels[2].wrong = true;
    ck_assert_int_eq(score_wrong_kernel(&lab), 1);
    kernels[2].edited = true;
    ck_assert_int_eq(score_wrong_kernel(&lab), 2);
    kernels[0].wrong = true;
    ck_assert_int_eq(score_wrong_kernel(&lab), 2);
    kernels[1].edited = true;
    ck_assert_int_eq(score_wrong_kernel(&lab), 1);
    kernels[0].edited = true;
    ck_assert_int_eq(score_wrong_kernel(&lab), 0);
}
END_TEST

SUITE_WITH("score", begin, graded_end, everything_met_is_full_marks, a_goal_has_its_share_of_the_points,
           a_limit_is_kept_up_to_its_bound, a_broken_limit_voids_the_goals_of_its_run, a_wrong_kernel_has_no_points,
           predictions_are_about_kernels_as_they_were_given, predictions_of_another_learners_numbers_have_no_points,
           what_did_not_take_place_has_no_points, what_has_no_value_says_why, yardsticks_are_of_the_bytes_that_must_move,
           counts_have_their_names, a_metric_is_worked_out_without_some_counts, a_run_adds_its_goals_up, what_to_look_at_next,
           of_wrong_kernels_the_first_that_was_edited_comes_first, a_limit_that_cannot_be_measured_voids_its_run_and_says_so)
