/* What a grading says of the one before it. */
#include "lab/outcome.h"

#include <math.h>
#include <string.h>

#include "suite.h"

static const char *kernels[] = {"darken", "move"};
static GoalRun runs[] = {
    {"rows", "about 264 rows", 0, false}, {"move", "some floats", 1, false}, {"predictions", "a table", -1, false}};
static Goal all[] = {{.kind = GOAL_CORRECT, .name = "correct", .metric = "", .run = 0},
                     {.kind = GOAL_METRIC, .name = "row_sectors", .metric = "global.load.sectors / rows", .run = 0},
                     {.kind = GOAL_LIMIT, .name = "row_lines", .metric = "global.load.lines", .run = 0},
                     {.kind = GOAL_METRIC, .name = "row_stores", .metric = "global.store.sectors / rows", .run = 0},
                     {.kind = GOAL_METRIC, .name = "move_speed", .metric = "copy.model.time_us / model.time_us", .run = 1},
                     {.kind = GOAL_METRIC, .name = "predict", .metric = "right.one", .run = 2}};
static const Goals goals = {.n_kernels = 2, .n_runs = 3, .n_goals = 6, .kernels = kernels, .runs = runs, .goals = all};

static void check_changes(const char *before, const char *now, const char *expected) {
    Text said = {0};
    outcome_say_changes(&goals, before, now, 80, &said);
    ck_assert_str_eq(text_string(&said), expected);
    text_free(&said);
}

/* rows: share of a copy's speed, row_sectors, row_stores; the move's speed is a goal and is said once. */
START_TEST(each_run_that_changed_takes_a_line)
{
    check_changes("rows=8,17424,0,12.5:0.5,33,8;move=0,100,7,3:0.4,0.4;predictions=0;",
                  "rows=34,8448,0,9.1:0.7,8,8.1;move=9,100,0,3:0.6,0.6;predictions=27;",
                  "\nSince the grading before:\n"
                  "  rows: 8 -> 34 points; row_sectors 33 -> 8, 0.5 -> 0.7 of a copy's speed\n"
                  "  move: 0 -> 9 points; move_speed 0.4 -> 0.6\n"
                  "  predictions: 0 -> 27 points\n");
    check_changes("rows=wrong;move=36,10,0,3:0.4,0.4;", "rows=34,8448,0,9.1:0.7,8,8;move=wrong;",
                  "\nSince the grading before:\n"
                  "  rows: 0 -> 34 points; darken is right now\n"
                  "  move: 36 -> 0 points; move is wrong now\n");
}
END_TEST

/* A run that became slower while its goal was met: both are said. */
START_TEST(a_run_with_more_points_that_is_slower_says_both)
{
    check_changes("rows=0,9,0,5:0.4,9,4;", "rows=33,9,0,8:0.3,4,4;",
                  "\nSince the grading before:\n"
                  "  rows: 0 -> 33 points; row_sectors 9 -> 4, 0.4 -> 0.3 of a copy's speed\n");
}
END_TEST

/* The counts of another size are others; values for each element are not. */
START_TEST(what_drawing_anew_makes_of_the_numbers_is_no_change)
{
    check_changes("rows=8,1000,100,10:0.5,8,4;", "rows=8,2000,300,20:0.5,8.2,4.1;",
                  "\nSince the grading before: no run changed\n");
    /* 5% are no change, a little more is */
    check_changes("rows=8,1,1,1:0.5,100,0;", "rows=8,1,1,1:0.5,95,0;", "\nSince the grading before: no run changed\n");
    check_changes("rows=8,1,1,1:0.5,100,0;", "rows=8,1,1,1:0.5,94,0;",
                  "\nSince the grading before:\n  rows: 8 -> 8 points; row_sectors 100 -> 94\n");
    check_changes("", "rows=8,1000,100,10:0.5,8,4;", "");
    check_changes("+darken=1;", "rows=8;", "");
    check_changes("rows=nonsense;", "rows=0;", "\nSince the grading before: no run changed\n");
}
END_TEST

START_TEST(an_unchanged_kernel_takes_no_line_unless_its_verdict_changed)
{
    static const char *const before = "rows=8,9,0,5:0.5,9,4;+darken=1;+=7;", *const other =
                                                                                 "rows=7,9,0,5:0.4,12,4;+darken=1;+=7;";
    check_changes(before, other, "\nSince the grading before: no run changed\n");
    check_changes(before, "rows=wrong;+darken=1;+=7;",
                  "\nSince the grading before:\n  rows: 8 -> 0 points; darken is wrong now\n");
    /* what stands around it may be a constant of it */
    check_changes(before, "rows=9,9,0,5:0.5,8.9,4;+darken=1;+=8;", "\nSince the grading before:\n  rows: 8 -> 9 points\n");
    check_changes(before, "rows=9,9,0,5:0.5,8.9,4;+darken=2;+=7;", "\nSince the grading before:\n  rows: 8 -> 9 points\n");
}
END_TEST

/* Of words that an earlier version wrote, or of another lab.goals, points are compared. */
START_TEST(words_without_values_are_compared_by_points)
{
    check_changes("rows=8,17424,0,12.5;", "rows=34,8448,0,9.1:0.7,8,8;",
                  "\nSince the grading before:\n  rows: 8 -> 34 points\n");
    check_changes("rows=8,17424,0,12.5:-,-,8;", "rows=34,8448,0,9.1:0.7,8,4;",
                  "\nSince the grading before:\n  rows: 8 -> 34 points; row_stores 8 -> 4\n");
    OutcomeRun run = outcome_run("rows=8,17424,0,12.5:-,3,x;", "rows");
    ck_assert_uint_eq(run.n_values, 3);
    ck_assert(isnan(run.values[0]) && isnan(run.values[2]));
    ck_assert_double_eq(run.values[1], 3);
}
END_TEST

static void check_edited(const char *before, const char *source, const char *expected) {
    Text now = {0}, names = {0};
    outcome_add_kernels(&goals, source, &now);
    outcome_edited(&goals, before, text_string(&now), &names);
    ck_assert_str_eq(text_string(&names), expected);
    text_free(&now);
    text_free(&names);
}

START_TEST(a_kernel_is_edited_when_its_own_text_differs)
{
    Text before = {0};
    outcome_add_kernels(&goals, "__global__ void darken() { a; }\n__global__ void move() { b; }\n", &before);
    check_edited(text_string(&before), "// more\n__global__ void darken() { a; }\n__global__ void move() { b; }\n", "");
    check_edited(text_string(&before), "__global__ void darken() { a; }\n__global__ void move() { c; }\n", "move");
    check_edited(text_string(&before), "__global__ void darken() { x; }\n__global__ void move() { c; }\n", "darken,move");
    check_edited("", "__global__ void darken() { x; }\n", "");
    text_free(&before);
}
END_TEST

/* The last item is of what stands around the kernels. */
START_TEST(what_stands_around_kernels_has_an_item_of_its_own)
{
    static const char *const same[] = {"__global__ void move() { b; }\n", "__global__ void move() { c; }\n"},
                             *const other = "__global__ void move() { b; } \n";
    Text word[3] = {0};
    for (int i = 0; i < 3; i++) {
        outcome_add_kernels(&goals, i < 2 ? same[i] : other, &word[i]);
        ck_assert(strncmp(text_string(&word[i]), "+move=", 6) == 0 && strstr(text_string(&word[i]), ";+=") != NULL);
    }
    ck_assert_str_eq(strstr(text_string(&word[0]), ";+="), strstr(text_string(&word[1]), ";+="));
    ck_assert_str_ne(strstr(text_string(&word[0]), ";+="), strstr(text_string(&word[2]), ";+="));
    for (int i = 0; i < 3; i++) text_free(&word[i]);
}
END_TEST

SUITE("seen", each_run_that_changed_takes_a_line, a_run_with_more_points_that_is_slower_says_both,
      an_unchanged_kernel_takes_no_line_unless_its_verdict_changed, words_without_values_are_compared_by_points,
      what_drawing_anew_makes_of_the_numbers_is_no_change, a_kernel_is_edited_when_its_own_text_differs,
      what_stands_around_kernels_has_an_item_of_its_own)
