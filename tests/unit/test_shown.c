/* A graded lab as people are told of it (lab/result.h, goaltable.h, warnings.h): of kernels, counts and failures that stand in shapes_lab.h. */
#include "lab/warnings.h"
#include "shapes_lab.h"
#include "suite.h"

static void shows(const char *wanted) {
    Text out = {0};
    score_again();
    result_show(&lab, &score, &out);
    ck_assert_str_eq(text_string(&out), wanted);
    text_free(&out);
}

/* Points end at column 80 of each line that has them. A run whose goals are all met is folded while something else is missed. */
#define HEAD(points) "Lab 07 Shapes: " points " of 100 points  (nvcc 13.0, H200 emulated)\n\n"
#define RIGHT HEAD_RIGHT("6", "one, two, given")
#define HEAD_RIGHT(cases, names) "right  in " cases " cases: " names "\n"
#define A_FOLDED "\na: one, 8 floats                                                        40 of 40\n  all goals met\n"
#define TWO_RUNS                                                                \
    "  SKIPPED fast                     0.9 of a copy's speed, on a real GPU\n" \
    "                                   make grade LAB=07 DEVICE=gpu\n"         \
    "  figure  beat                          0.625  reference 0.5 to 0.75\n"
#define TWO_FOLDED \
    "\ntwo: 9 floats                                                           40 of 40\n  all goals met\n" TWO_RUNS
#define TWO_WRONG                                                                          \
    "\ntwo: 9 floats                                                            0 of 40\n" \
    "  not measured: a wrong kernel scores 0\n"
#define TABLE_FOLDED "\ntable: a table                                                          20 of 20\n  all goals met\n"
#define TABLE_MISSED                                                                       \
    "\ntable: a table                                                          10 of 20\n" \
    "  MISSED  guess                             2  goal           3         10 of 20\n"
#define A_OVER                                                                             \
    "\na: one, 8 floats                                                         0 of 40\n" \
    "  void    correct                                                        0 of 10\n"   \
    "  void    loads                             7  goal           4          0 of 30\n"   \
    "  OVER    work                             11  most          10\n  over a limit: the run scores 0\n"
#define HINT "A hint: make hint LAB=07\n"

START_TEST(full_marks_show_every_goal)
{
    shows(HEAD("100") RIGHT "\na: one, 8 floats                                                        40 of 40\n"
                            "  met     correct                                                       10 of 10\n"
                            "  met     loads                             4  goal           4         30 of 30\n"
                            "  1 limit kept\n"
                            "\ntwo: 9 floats                                                           40 of 40\n"
                            "  met     time                            9.5  goal          10         40 of 40\n"
                            "          modelled time, not measured\n" TWO_RUNS
                            "\ntable: a table                                                          20 of 20\n"
                            "  met     guess                             3  goal           3         20 of 20\n"
                            "\nSolved.\n");
}
END_TEST

/* 7 of 8 to 4 is a quarter of 30 points. */
START_TEST(a_missed_goal_is_explained_and_advised)
{
    has_value(A, "l", 7);
    shows(HEAD("77.5") RIGHT "\na: one, 8 floats                                                      17.5 of 40\n"
                             "  met     correct                                                       10 of 10\n"
                             "  MISSED  loads                             7  goal           4        7.5 of 30\n"
                             "  1 limit kept\n" TWO_FOLDED TABLE_FOLDED
                             "\nloads: 7; full points at 4, none at 8\n\nNext: load less\n" HINT);
}
END_TEST

START_TEST(a_limit_comes_first_and_goals_that_it_voids_keep_their_values)
{
    has_value(A, "w", 11);
    has_value(A, "l", 7);
    has_value(TABLE, "right", 2);
    shows(HEAD("50") RIGHT A_OVER TWO_FOLDED TABLE_MISSED
          "\nwork: 11; at most 10 is allowed\n\nNext: do less\n" HINT
          "All that is wrong: make grade LAB=07 ALL=1  (of one kernel: KERNEL=one)\n");
    lab.all = true;
    shows(HEAD("50") RIGHT A_OVER TWO_FOLDED TABLE_MISSED
          "\nwork: 11; at most 10 is allowed\n\nguess: 2 of 3 predictions right\n  count\n\nNext: do less\n" HINT
          "The same data again: make grade LAB=07 SEED=77\n");
    lab.all = false;
    lab.explained = 0;
    shows(HEAD("50") "right  in 1 case: one\n" A_OVER "\nwork: 11; at most 10 is allowed\n\nNext: do less\n" HINT
                     "All that is wrong: make grade LAB=07 ALL=1  (of one kernel: KERNEL=one)\n");
    lab.explained = 1;
    shows(HEAD("50") "right  in 2 cases: two\n" TWO_FOLDED "\ntwo: nothing is left to do.\n"
                     "All that is wrong: make grade LAB=07 ALL=1  (of one kernel: KERNEL=one)\n");
}
END_TEST

/* What a suite notes about its table takes the place of the sentence; of a kernel's run it stands below that. */
START_TEST(notes_stand_with_their_goals)
{
    has_value(TABLE, "right", 2);
    text_add(&runs[TABLE].note, "2 of 3 right");
    shows(HEAD("90") RIGHT A_FOLDED TWO_FOLDED TABLE_MISSED "\nguess: not right yet; 2 of 3 right\n\nNext: count\n" HINT);
    text_free(&runs[TABLE].note);
    has_value(TABLE, "right", 3);
    has_value(A, "l", 8);
    text_add(&runs[A].note, "it pays");
    shows(HEAD("70") RIGHT "\na: one, 8 floats                                                        10 of 40\n"
                           "  met     correct                                                       10 of 10\n"
                           "  MISSED  loads                             8  goal           4          0 of 30\n"
                           "  1 limit kept\n" TWO_FOLDED TABLE_FOLDED
                           "\nloads: 8; full points at 4, none at 8\n  it pays\n\nNext: load less\n" HINT);
}
END_TEST

START_TEST(a_wrong_kernel_is_explained_last_and_put_right_first)
{
    has_value(TABLE, "right", 2);
    is_wrong(1, "33 floats", "element 3 is 1, expected 2", "off by one");
    shows(HEAD("50") HEAD_RIGHT(
        "4",
        "one, given") "WRONG  two with 33 floats, right in 2 cases before that (first 1 float; last 9\n       floats)\n"
                      "element 3 is 1, expected 2\nprobable cause: off by one\n" A_FOLDED TWO_WRONG TABLE_MISSED
                      "\nguess: 2 of 3 predictions right\n  count\n\nNext: get two right first; how fast it is counts only "
                      "then.\n" HINT);
    is_wrong(0, "", "first", "");
    kernels[0].cases = 0;
    shows(HEAD("10")
              HEAD_RIGHT("3", "given") "WRONG  two with 33 floats, right in 2 cases before that (first 1 float; last 9\n       "
                                       "floats)\nWRONG  one\nfirst\n"
                                       "\na: one, 8 floats                                                         0 of 40\n"
                                       "  not measured: a wrong kernel scores 0\n" TWO_WRONG TABLE_MISSED
                                       "\nguess: 2 of 3 predictions right\n  count\n\nNext: get one right first; how fast it "
                                       "is counts only then.\n" HINT
                                       "All that is wrong: make grade LAB=07 ALL=1  (of one kernel: KERNEL=one)\n");
    lab.explained = 1;
    shows(HEAD("10") "WRONG  two with 33 floats, right in 2 cases before that (first 1 float; last 9\n       floats)\n"
                     "element 3 is 1, expected 2\nprobable cause: off by one\n" TWO_WRONG "\ntwo: nothing is left to do.\n"
                     "All that is wrong: make grade LAB=07 ALL=1  (of one kernel: KERNEL=one)\n");
    lab.explained = -1;
    lab.all = lab.untouched = true;
    shows("Lab 07 Shapes: 10 of 100 points, not begun  (nvcc 13.0, H200 emulated)\n\n" HEAD_RIGHT(
        "3", "given") "WRONG  two with 33 floats, right in 2 cases before that (first 1 float; last 9\n       floats)\nelement "
                      "3 is 1, "
                      "expected 2\nprobable cause: off by "
                      "one\n\n"
                      "WRONG  one\nfirst\n"
                      "\na: one, 8 floats                                                         0 of 40\n"
                      "  not measured: a wrong kernel scores 0\n" TWO_WRONG TABLE_MISSED
                      "\nguess: 2 of 3 predictions right\n  count\n\nNext: get one right first; how fast it is counts only "
                      "then.\n" HINT);
}
END_TEST

/* Whichever it is that is put right next, those before it and behind it are named. */
START_TEST(other_wrong_kernels_are_named)
{
    for (int k = 0; k < 3; k++) is_wrong(k, "", "no", ""), kernels[k].cases = 1;
    for (int k = 0; k < 3; k++) {
        static const char *const others[] = {"two", "one", "one"}, *const more[] = {"given", "given", "two"};
        char wanted[400];
        for (int i = 0; i < 3; i++) kernels[i].edited = i == k;
        snprintf(wanted, sizeof wanted,
                 "\nWRONG  %s, right in 1 case before that (1 float)\nWRONG  %s, right in 1 case before that (1 float)\nWRONG  "
                 "%s, right in 1 case "
                 "before that (1 float)\nno\n",
                 others[k], more[k], lab.goals->kernels[k]);
        has_part(wanted, true);
    }
}
END_TEST

START_TEST(a_changed_given_kernel_is_to_be_put_back)
{
    is_wrong(2, "", "gone", "");
    kernels[2].cases = 1;
    shows(HEAD("80")
              HEAD_RIGHT("3", "one, two") "WRONG  given, right in 1 case before that (1 float)\ngone\n" A_FOLDED TWO_FOLDED
                                          "\ntable: a table                                                           0 of 20\n"
                                          "  MISSED  guess                                goal           3          0 of 20\n"
                                          "          given is not as it was given\n"
                                          "\nNext: put given back as it was given: the predictions are about it.\n" HINT);
}
END_TEST

START_TEST(a_table_that_is_not_there_is_said)
{
    runs[TABLE].failed = true;
    text_add(&runs[TABLE].failure.message, "the file has no table");
    shows(HEAD("80") RIGHT A_FOLDED TWO_FOLDED
          "\ntable: a table                                                           0 of 20\n  the file has no table\n"
          "\nNext: fix what is said about table above.\n" HINT);
}
END_TEST

/* What comes next is the run that failed, whichever it is: a goal that another misses has its advice beside it. */
START_TEST(a_run_that_failed_comes_before_the_advice_of_a_goal)
{
    lab.goals->runs[A].kernel = -1; /* only a run of no kernel fails itself */
    runs[A].failed = true;
    has_value(TABLE, "right", 2);
    has_part("\nguess: 2 of 3 predictions right\n  count\n\nNext: fix what is said about a above.\n", true);
    runs[A].failed = false, runs[TABLE].failed = true;
    has_value(A, "l", 7);
    has_part("\nloads: 7; full points at 4, none at 8\n  load less\n\nNext: fix what is said about table above.\n", true);
}
END_TEST

/* Behind the last of each are a goal that is missed, a run that fails or not, and a kernel that is wrong or not. */
START_TEST(what_is_behind_the_last_is_none)
{
    has_value(A, "l", 7);
    has_value(TABLE, "right", 2);
    has_part("\nAll that is wrong", true); /* two are missed */
    lab.goals->n_goals = GUESS, lab.goals->n_runs = TABLE, lab.goals->n_kernels = 2;
    is_wrong(2, "", "gone", "");
    text_add(&kernels[2].printed, "x\n");
    for (int i = 0; i < 8; i++) {
        Text out = {0};
        lab.all = i & 1, runs[TABLE].failed = i & 2, kernels[2].wrong = i & 4;
        result_show(&lab, &score, &out);
        ck_assert_ptr_nonnull(strstr(text_string(&out), "\nloads: 7; full points at 4, none at 8\n\nNext: load less\n"));
        static const char *const others[] = {"guess", "table", "given", "gone", "x\n", "All that is wrong"};
        for (size_t o = 0; o < sizeof others / sizeof *others; o++)
            ck_assert_msg(!strstr(text_string(&out), others[o]), "%s in\n%s", others[o], text_string(&out));
        text_free(&out);
    }
}
END_TEST

/* 10 columns, 24 of the name, 11 of the value, 28 of the reference, and 17 would follow. */
START_TEST(what_does_not_fit_behind_a_reference_stands_below_it)
{
    Text out = {0};
    has_value(TWO, "f", 0.834601);
    lab.goals->goals[BEAT].zero = 0.8212, lab.goals->goals[BEAT].full = 0.8243;
    score_again();
    result_show(&lab, &score, &out);
    ck_assert_ptr_nonnull(strstr(text_string(&out),
                                 "  figure  beat                       0.834601  reference 0.8212 to 0.8243\n"
                                 "          yours is better\n"));
    text_free(&out);
}
END_TEST

/* 60 columns: the goal's numbers take a line of their own, and a figure's reference too. */
START_TEST(narrow_pages_take_more_lines)
{
    lab.page = page_with(page_plain, 60);
    has_value(A, "l", 7);
    has_value(TWO, "f", 0.8);
    lab.goals->runs[TABLE].text = "a table of predictions with a name that is longer";
    shows("Lab 07 Shapes: 77.5 of 100 points\n  (nvcc 13.0, H200 emulated)\n\n" RIGHT
          "\na: one, 8 floats                                  17.5 of 40\n"
          "  met     correct                                   10 of 10\n"
          "  MISSED  loads                                    7.5 of 30\n          7, goal 4\n  1 limit kept\n"
          "\ntwo: 9 floats                                       40 of 40\n  all goals met\n"
          "  SKIPPED fast\n          0.9 of a copy's speed, on a real GPU:\n          make grade LAB=07 DEVICE=gpu\n"
          "  figure  beat\n          0.8  reference 0.5 to 0.75\n          yours is better\n"
          "\ntable: a table of predictions with a name that is\n  longer                                            20 of 20\n"
          "  all goals met\n"
          "\nloads: 7; full points at 4, none at 8\n\nNext: load less\n" HINT);
}
END_TEST

/* Of 100 columns 36 are the names', 12 more than of 80, and points end at column 92. */
START_TEST(wide_pages_give_their_columns_to_names)
{
    lab.page = page_with(page_plain, 100);
    lab.goals->goals[TIME].name = "a_time_with_a_name_of_36_characters_";
    lab.goals->goals[BEAT].name = "a_figure_with_a_name_of_38_characters_";
    has_value(TWO, "f", 0.75);
    lab.goals->goals[BEAT].zero = 0.75;
    lab.explained = 1;
    shows(HEAD("100") "right  in 2 cases: two\n"
                      "\ntwo: 9 floats                                                                       40 of 40\n"
                      "  met     a_time_with_a_name_of_36_characters_        9.5  goal          10         40 of 40\n"
                      "          modelled time, not measured\n"
                      "  SKIPPED fast                                 0.9 of a copy's speed, on a real GPU\n"
                      "                                               make grade LAB=07 DEVICE=gpu\n"
                      "  figure  a_figure_with_a_name_of_38_characters_\n"
                      "                                                     0.75  reference 0.75\n"
                      "\ntwo: nothing is left to do.\n");
}
END_TEST

START_TEST(colour_marks_verdicts)
{
    Text out = {0};
    lab.page.colour = true;
    has_value(A, "l", 7);
    is_wrong(1, "", "no", "");
    score_again();
    result_show(&lab, &score, &out);
    static const char *const painted[] = {"\x1b[1mLab 07 Shapes: 37.5 of 100 points\x1b[0m",
                                          "\x1b[32mright\x1b[0m  in",
                                          "\x1b[1;31mWRONG\x1b[0m  two",
                                          "\x1b[32m  met     \x1b[0mcorrect",
                                          "\x1b[1;31m  MISSED  \x1b[0mloads",
                                          "\x1b[1mNext:\x1b[0m get two right first"};
    for (size_t i = 0; i < sizeof painted / sizeof *painted; i++)
        ck_assert_msg(strstr(text_string(&out), painted[i]), "%s", painted[i]);
    text_free(&out);
}
END_TEST

/* 20 lines at most, with what they left out. */
START_TEST(what_a_kernel_prints_is_shown_from_its_beginning)
{
    text_add(&kernels[0].printed_with, "7 floats");
    text_add(&kernels[0].printed, "x\ny");
    kernels[0].printed_bytes = 3;
    has_part("\n\nprintf in one, with 7 floats:\n  | x\n  | y\n\na: one", true);
    kernels[0].printed_bytes = 4000;
    has_part("  | x\n  | y\n  It printed 4000 bytes; these are the first 2 lines. Let one thread print: if", true);
    text_free(&kernels[0].printed);
    for (int i = 0; i < 20; i++) text_add(&kernels[0].printed, "%d\n", i);
    kernels[0].printed_bytes = kernels[0].printed.length;
    has_part("  | 19\n\na: one", true);
    has_part("It printed", false);
    text_add(&kernels[0].printed, "20\n");
    kernels[0].printed_bytes = 53;
    has_part("  | 19\n  It printed 53 bytes; these are the first 20 lines.", true);
    lab.explained = 1;
    has_part("printf", false);
}
END_TEST

START_TEST(warnings_about_a_wrong_kernel_stand_with_it)
{
    static char text[] = "__global__ void other() {\n}\n__global__ void two(float *x) {\n    int v;\n    x[0] = v;\n}\n";
    lab.source.text = text;
    text_add(&lab.source.compiled.messages,
             "exercises/kernel.cu(2): warning #549-D: not of this kernel\n"
             "exercises/kernel.cu(3): warning #177-D: variable \"w\" was declared\n"
             "other.cu(4): warning #1-D: of another file\n"
             "exercises/kernel.cu(6): warning #549-D: variable \"v\" is used\n"
             "exercises/kernel.cu:5:12: warning: variable 'v' is uninitialized [-Wuninitialized]\n"
             "exercises/kernel.cu(7): warning #549-D: behind it\n"
             "exercises/kernel.cu:4:1: warning: a fourth\n");
    is_wrong(1, "", "no", "");
    has_part(
        "\nno\nthe compiler warns: line 3: variable \"w\" was declared\nthe compiler warns: line 6: variable \"v\" is used\n"
        "the compiler warns: line 5: variable 'v' is uninitialized\n\na: one",
        true);
}
END_TEST

/* Line 1 is given, line 3 the learner's. Clang's notes go with their message, and what is counted at the end is about none. */
START_TEST(warnings_of_what_was_given_are_left_out)
{
    static const char text[] = "int given;\n// BEGIN YOUR CODE\nint mine\n// END YOUR CODE\n";
    static const struct {
        const char *said, *left;
    } rows[] = {
        {"k.cu(1): warning #177-D: unused\n  int given;\n      ^\n\nRemark: The warnings can be suppressed\n\nk.cu(3): error: "
         "expected\n  int mine\n\n1 error detected\n",
         "k.cu(3): error: expected\n  int mine\n\n1 error detected\n"},
        {"k.cu:1:5: warning: unused\nint given;\nk.cu:1:5: note: here\nk.cu:3:5: warning: odd\nint mine\nk.cu:3:9: error: "
         "expected\n1 warning and 1 error generated.\n",
         "k.cu:3:5: warning: odd\nint mine\nk.cu:3:9: error: expected\n1 warning and 1 error generated.\n"},
        {"k.cu:3:9: error: expected\nk.cu:1:5: warning: unused\nint given;\n1 warning and 1 error generated.\n",
         "k.cu:3:9: error: expected\n1 warning and 1 error generated.\n"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        LOCAL_TEXT out = {0};
        warnings_sift(rows[i].said, text, &out);
        ck_assert_str_eq(text_string(&out), rows[i].left);
    }
}
END_TEST

START_TEST(another_learners_numbers_are_to_be_written_anew)
{
    static const uint8_t init[4] = {5};
    static Variable variable = {.name = "variant", .space = SPACE_CONST, .bytes = 4, .function = NO_INDEX, .init = init};
    program.variables = &variable, program.n_variables = 1;
    lab.goals->n_varied = 1;
    lab.goals->runs[TABLE].is_varied = true;
    lab.asked_variant = 123456;
    has_part("\nNext: make variant VARIANT=123456 writes this learner's numbers; those here are\n      variant 5's.\n", true);
    program.variables = NULL, program.n_variables = 0;
}
END_TEST

START_TEST(what_is_explained_can_be_chosen)
{
    Diag diag = {0};
    ck_assert(result_choose(&lab, NULL, "two,given", &diag) && lab.explained == -1);
    ck_assert(!kernels[0].edited && kernels[1].edited && kernels[2].edited);
    kernels[1].edited = kernels[2].edited = false;
    ck_assert(result_choose(&lab, NULL, NULL, &diag) && !kernels[0].edited);
    ck_assert(result_choose(&lab, NULL, "tw,twoo,,one", &diag) && kernels[0].edited && !kernels[1].edited);
    ck_assert(result_choose(&lab, "two", "given", &diag) && lab.explained == 1 && kernels[1].edited && !kernels[2].edited);
    ck_assert(!result_choose(&lab, "three", NULL, &diag));
    ck_assert_str_eq(diag.message, "lab 07 has no kernel 'three'");
    ck_assert_str_eq(diag.hint, "its kernels: one, two, given");
}
END_TEST

SUITE_WITH("shown", begin, graded_end, full_marks_show_every_goal, a_missed_goal_is_explained_and_advised,
           a_limit_comes_first_and_goals_that_it_voids_keep_their_values, notes_stand_with_their_goals,
           a_wrong_kernel_is_explained_last_and_put_right_first, other_wrong_kernels_are_named,
           a_changed_given_kernel_is_to_be_put_back, a_table_that_is_not_there_is_said,
           a_run_that_failed_comes_before_the_advice_of_a_goal, what_is_behind_the_last_is_none,
           what_does_not_fit_behind_a_reference_stands_below_it, narrow_pages_take_more_lines,
           wide_pages_give_their_columns_to_names, colour_marks_verdicts, what_a_kernel_prints_is_shown_from_its_beginning,
           warnings_about_a_wrong_kernel_stand_with_it, warnings_of_what_was_given_are_left_out,
           another_learners_numbers_are_to_be_written_anew, what_is_explained_can_be_chosen)
