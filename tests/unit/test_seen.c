/* What a grading says of the one before it. */
#include "lab/seen.h"

#include <check.h>
#include <string.h>

static const char *kernels[] = {"darken", "move"};
static GoalRun runs[] = {
    {"rows", "about 264 rows", 0, false}, {"move", "some floats", 1, false}, {"predictions", "a table", -1, false}};
static const Goals goals = {.n_kernels = 2, .n_runs = 3, .kernels = kernels, .runs = runs};

static void check_changes(const char *before, const char *now, const char *expected) {
    Text said = {0};
    seen_say_changes(&goals, before, now, 80, &said);
    ck_assert_str_eq(text_string(&said), expected);
    text_free(&said);
}

START_TEST(each_run_that_changed_takes_a_line)
{
    check_changes("rows=8,17424,0,12.5;move=0,100,7,3;predictions=0;", "rows=34,8448,0,9.1;move=0,100,0,3;predictions=27;",
                  "\nSince the grading before:\n"
                  "  rows: 8 -> 34 points, 17,424 -> 8448 sectors, 12.5 -> 9.1 us modelled\n"
                  "  move: 0 -> 0 points, 7 -> 0 bank conflicts\n"
                  "  predictions: 0 -> 27 points\n");
    check_changes("rows=wrong;move=36,10,0,3;", "rows=34,8448,0,9.1;move=wrong;",
                  "\nSince the grading before:\n"
                  "  rows: 0 -> 34 points; darken is right now\n"
                  "  move: 36 -> 0 points; move is wrong now\n");
}
END_TEST

START_TEST(what_drawing_anew_makes_of_the_numbers_is_no_change)
{
    check_changes("rows=8,1000,100,10;", "rows=8,1049,96,10.4;", "\nSince the grading before: no run changed\n");
    check_changes("", "rows=8,1000,100,10;", "");
    check_changes("+darken=1;", "rows=8;", "");
    check_changes("rows=nonsense;", "rows=0;", "\nSince the grading before: no run changed\n");
}
END_TEST

static void check_edited(const char *before, const char *source, const char *expected) {
    Text now = {0}, names = {0};
    seen_add_kernels(&goals, source, &now);
    seen_edited(&goals, before, text_string(&now), &names);
    ck_assert_str_eq(text_string(&names), expected);
    text_free(&now);
    text_free(&names);
}

START_TEST(a_kernel_is_edited_when_its_own_text_differs)
{
    Text before = {0};
    seen_add_kernels(&goals, "__global__ void darken() { a; }\n__global__ void move() { b; }\n", &before);
    check_edited(text_string(&before), "// more\n__global__ void darken() { a; }\n__global__ void move() { b; }\n", "");
    check_edited(text_string(&before), "__global__ void darken() { a; }\n__global__ void move() { c; }\n", "move");
    check_edited(text_string(&before), "__global__ void darken() { x; }\n__global__ void move() { c; }\n", "darken,move");
    check_edited("", "__global__ void darken() { x; }\n", "");
    text_free(&before);
}
END_TEST

int main(void) {
    Suite *suite = suite_create("seen");
    TCase *facts = tcase_create("facts");
    tcase_add_test(facts, each_run_that_changed_takes_a_line);
    tcase_add_test(facts, what_drawing_anew_makes_of_the_numbers_is_no_change);
    tcase_add_test(facts, a_kernel_is_edited_when_its_own_text_differs);
    suite_add_tcase(suite, facts);
    SRunner *runner = srunner_create(suite);
    srunner_run_all(runner, CK_ENV);
    int failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    return failed != 0;
}
