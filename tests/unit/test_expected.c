/* Verdicts that a file must get (lab/expected.h), of kernels, goals and failures that stand in shapes_lab.h. */
#include "lab/expected.h"

#include "shapes_lab.h"
#include "suite.h"

/* What differs from the verdict; "": nothing. */
static void differs(const char *verdict, const char *wanted) {
    Text why = {0};
    score_again();
    const bool holds = expected_holds(&lab, &score, verdict, &why);
    ck_assert_msg(strcmp(text_string(&why), wanted) == 0, "%s: '%s' instead of '%s'", verdict, text_string(&why), wanted);
    ck_assert_int_eq(holds, !*wanted);
    text_free(&why);
}

START_TEST(full_marks_are_full)
{
    differs("full", "");
    differs("  full  ; ", "");
    differs("fully \t ; full", "the verdict is not understood: fully\n");
    differs("full; ; full", "the verdict is not understood: \n");
    differs("", "there is no verdict\n");
    differs(" \n", "there is no verdict\n");
    differs("refused: no", "it was not refused\n");
    differs("wrong one: off", "one is right\n");
    differs("wrong four: off", "the verdict names no kernel of the lab: four\n");
    differs("slow loads", "loads is met\n");
    differs("slow stores", "the verdict names no goal of the lab: stores\n");
    differs("slow correct", "the verdict names no goal of the lab: correct\n");
    has_value(TWO, "f", 0.25); /* a figure is worth nothing */
    differs("full", "");
}
END_TEST

START_TEST(points_are_no_more_than_it_is_worth)
{
    differs("full; worth 100", "");
    differs("full; worth 99.5", "it has 100 points\n");
    differs("worth much; full", "no number of points: much\n");
    differs("worth", "no number of points: \n");
    differs("worth 5 points", "no number of points: 5 points\n");
    has_value(A, "l", 7);
    differs("slow loads; worth 99", "");
}
END_TEST

START_TEST(clauses_are_read_up_to_399_bytes)
{
    for (int length = 398; length < 403; length++) {
        char clause[403] = "", wanted[500];
        memset(clause, 'x', (size_t)length);
        snprintf(wanted, sizeof wanted, "the verdict is not understood: %.399s\n", clause);
        differs(clause, wanted);
    }
}
END_TEST

START_TEST(missed_goals_are_those_that_are_named)
{
    has_value(A, "l", 7);
    differs("slow loads", "");
    differs("full", "loads is missed: 7 \n");
    has_value(TABLE, "right", 2);
    differs("slow loads \t guess", "");
    differs("slow loads; slow guess", "");
    differs("slow guess", "loads is missed: 7 \n");
    differs("slow guess loads time", "time is met\n");
}
END_TEST

/* The wrong kernel's part may stand in its message, in the cause or in the fault; its goals are missed with it. */
START_TEST(wrong_kernels_are_those_that_are_named)
{
    is_wrong(1, "33 floats", "element 3 is 1", "off by one");
    strcpy(kernels[1].failure.fault.message, "lane 3 reads");
    differs("wrong two: element 3", "");
    differs("wrong two: by one", "");
    differs("wrong two: lane 3", "");
    differs("wrong two", "");
    differs(" wrong  two:  by one \n; full", ""); /* blanks around a clause are none of it */
    differs("wrong two: by two", "two is wrong in another way: element 3 is 1 (off by one)\n");
    differs("full", "two is wrong: element 3 is 1 (off by one)\n");
    has_value(A, "l", 7);
    differs("wrong two: off; slow loads", "");
    differs("wrong two: off", "loads is missed: 7 \n");
    is_wrong(0, "8 floats", "element 0 is 2", ""); /* its goals are missed with it too */
    differs("wrong two: off", "one is wrong: element 0 is 2 ()\n");
    is_wrong(2, "10 floats", "element 4 is 5", "twice");
    differs("wrong two", "one is wrong: element 0 is 2 ()\ngiven is wrong: element 4 is 5 (twice)\n");
    differs("wrong one; wrong two; wrong given: twice", "");
}
END_TEST

/* What counts for nothing since its run went over a limit need not be named. */
START_TEST(a_limit_explains_the_goals_of_its_run)
{
    has_value(A, "w", 11);
    has_value(A, "l", 7);
    differs("slow work", "");
    has_value(TABLE, "right", 2);
    differs("slow work", "guess is missed: 2 \n");
}
END_TEST

static void refusal_differs(const char *verdict, const char *wanted) {
    Text why = {0};
    const bool holds = expected_refusal(verdict, "kernel.cu:3: error", &why);
    ck_assert_str_eq(text_string(&why), wanted);
    ck_assert_int_eq(holds, !*wanted);
    text_free(&why);
}

START_TEST(a_refusal_has_its_reason)
{
    refusal_differs("refused: cu:3", "");
    refusal_differs(" refused cu:3", "");
    refusal_differs("refused", "");
    refusal_differs("refused: cu:4", "it was refused: kernel.cu:3: error\n");
    refusal_differs("full", "it was refused: kernel.cu:3: error\n");
}
END_TEST

SUITE_WITH("expected", begin, graded_end, full_marks_are_full, points_are_no_more_than_it_is_worth,
           clauses_are_read_up_to_399_bytes, missed_goals_are_those_that_are_named, wrong_kernels_are_those_that_are_named,
           a_limit_explains_the_goals_of_its_run, a_refusal_has_its_reason)
