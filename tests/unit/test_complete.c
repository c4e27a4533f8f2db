/* Whether a lab's suite tests and measures all that lab.goals names, and whether it did (lab/complete.h). */
#include "lab/complete.h"

#include <stdlib.h>
#include <string.h>

#include "suite.h"

static const char facts[] =
    "LAB(\"07\", \"slug\", \"Title\", 20) KERNEL(a) KERNEL(b) RUN(first, b, \"8\") RUN(table, none, \"t\")\n"
    "CORRECT(first, 20) MEASURED(fast, first, 0.9, \"x\")";

static void test(Lab *lab, const char *kernel) { (void)lab, (void)kernel; }

static LabTest tests[2];
static LabRun runs[3];
static LabSuite suite;
static KernelResult kernels[2];
static RunResult results[2];
static Lab lab;

static void begin(void) {
    Diag diag = {0};
    tests[0] = (LabTest){"a", "one", test}, tests[1] = (LabTest){"b", "two", test};
    runs[0] = (LabRun){"first", test}, runs[1] = (LabRun){"table", test}, runs[2] = (LabRun){"first", test};
    suite = (LabSuite){"07-slug", tests, 2, runs, 2};
    memset(kernels, 0, sizeof kernels);
    memset(results, 0, sizeof results);
    for (int i = 0; i < 2; i++) kernels[i].tested = results[i].done = true, kernels[i].cases = 1;
    lab = (Lab){.goals = goals_parse("", facts, "lab.goals", &diag),
                .suite = &suite,
                .kernels = kernels,
                .runs = results,
                .n_entries = 4};
    ck_assert(lab.goals != NULL);
}

static void end(void) { goals_free(lab.goals); }

/* The message; "": all is there. */
static void suite_is(const char *wanted) {
    Diag diag = {0};
    ck_assert(complete_suite(&lab, &diag) == !*wanted);
    ck_assert_str_eq(diag.message, wanted);
}

static void grading_is(const char *wanted) {
    Diag diag = {0};
    ck_assert(complete_grading(&lab, &diag) == !*wanted);
    ck_assert_str_eq(diag.message, wanted);
}

START_TEST(a_suite_leaves_nothing_out)
{
    suite_is("");
    suite.n_tests = 1; /* b is run, which tests it as well */
    suite_is("");
    suite.n_tests = 0;
    suite_is("the suite does not test 'a'");
    suite.n_tests = 2, suite.n_runs = 1;
    suite_is("the suite does not measure 'table'");
    suite.n_runs = 0;
    suite_is("the suite does not measure 'first'");
    suite.tests = tests + 1, suite.n_tests = 1, suite.n_runs = 2;
    suite_is("the suite does not test 'a'");
}
END_TEST

START_TEST(rows_of_a_suite_are_complete_and_known)
{
    tests[1].name = NULL;
    suite_is("row 2 of the suite's tests is not complete");
    tests[1] = (LabTest){NULL, "two", test};
    suite_is("row 2 of the suite's tests is not complete");
    tests[1] = (LabTest){"c", "two", test};
    suite_is("the suite tests 'c', which is no KERNEL of exercises/07-slug/lab.goals");
    tests[1].kernel = "b";
    runs[1].run = NULL;
    suite_is("row 2 of the suite's runs is not complete");
    runs[1] = (LabRun){NULL, test};
    suite_is("row 2 of the suite's runs is not complete");
    runs[1] = (LabRun){"second", test};
    suite_is("the suite measures 'second', which is no RUN of exercises/07-slug/lab.goals");
}
END_TEST

/* What is wrong need not have been measured. */
START_TEST(a_grading_has_tested_and_measured_all)
{
    grading_is("");
    lab.n_entries = 3;
    grading_is("only 3 of 4 tests and runs took place");
    lab.n_entries = 4, lab.unended = "two";
    grading_is("'two' does not end its case: lab_end is missing");
    lab.uncompared = "first";
    grading_is("'first' measures a launch without having compared every output: lab_expect or lab_compared is missing");
    lab.unended = lab.uncompared = NULL;
    kernels[0].tested = false;
    grading_is("'a' was not tested");
    kernels[0].tested = true, kernels[0].cases = 0;
    grading_is("'a' was not tested");
    kernels[0].wrong = true;
    grading_is("");
    results[0].done = false;
    grading_is("'first' was not measured");
    kernels[1].wrong = true;
    grading_is("");
    results[1].done = false;
    grading_is("'table' was not measured");
    results[1].failed = true;
    grading_is("");
}
END_TEST

/* There a run is asked for only by a goal that is measured. */
START_TEST(on_a_gpu_less_is_measured)
{
    lab.gpu = gpu_new();
    kernels[0].tested = false;
    results[1].done = false;
    grading_is("");
    results[0].done = false;
    grading_is("'first' was not measured");
    gpu_free(lab.gpu);
}
END_TEST

SUITE_WITH("complete", begin, end, a_suite_leaves_nothing_out, rows_of_a_suite_are_complete_and_known,
           a_grading_has_tested_and_measured_all, on_a_gpu_less_is_measured)
