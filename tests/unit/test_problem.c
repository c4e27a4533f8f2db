#include "report/problem.h"

#include "lab/problems.h"
#include "suite.h"

static void compiled(const char *messages, const char *expected) {
    Text text = {0};
    problem_compiled(messages, &text);
    ck_assert_str_eq(text_string(&text), expected);
    text_free(&text);
}

START_TEST(nvcc_errors_are_written_as_gcc_does)
{
    compiled("a b.cu(12): error: expected a \";\"\n  int x\n      ^\n\n",
             "a b.cu:12:1: error: expected a \";\"\n  int x\n      ^\n\n");
    compiled("x.cu(3): warning #177-D: variable \"i\" was declared",
             "x.cu:3:1: warning: variable \"i\" was declared [#177-D]\n");
    compiled("x(1).cu(3): catastrophic error: cannot open\n", "x(1).cu:3:1: error: cannot open\n");
    compiled("x.cu(3): remark: fine\n", "x.cu:3:1: note: fine\n");
}
END_TEST

START_TEST(other_lines_stay)
{
    compiled("", "");
    compiled("x.cu:3:7: error: clang's\n", "x.cu:3:7: error: clang's\n");
    compiled("f(3): what\n(3): error: no file\nx.cu(): error: no line\nx.cu(3) error\n",
             "f(3): what\n(3): error: no file\nx.cu(): error: no line\nx.cu(3) error\n");
    compiled("x\033[2J.cu(3): error: \033[1mtext\n", "x\\x1b[2J.cu:3:1: error: \\x1b[1mtext\n");
}
END_TEST

START_TEST(what_is_unknown_is_left_out)
{
    Text text = {0};
    problem_add((Spot){"k.cu", 7, 9}, "error", "one\ntwo", &text);
    problem_add((Spot){"k.cu", 7, 0}, "note", "text", &text);
    problem_add((Spot){"k.cu", 0, 0}, "warning", "text", &text);
    ck_assert_str_eq(text_string(&text), "k.cu:7:9: error: one\\x0atwo\nk.cu:7:1: note: text\nk.cu: warning: text\n");
    text_free(&text);
}
END_TEST

static void lab(const char *json, const char *expected) {
    json_t *result = json_loads(json, 0, NULL);
    Text text = {0};
    ck_assert_ptr_nonnull(result);
    problems_of(result, &text);
    ck_assert_str_eq(text_string(&text), expected);
    json_decref(result);
    text_free(&text);
}

START_TEST(a_lab_lists_wrong_kernels_and_missed_goals)
{
    lab("{\"lab\": \"05\", \"title\": \"T\", \"file\": \"k.cu\", \"score\": 40, \"points\": 100, \"causes\": ["
        "{\"severity\": \"wrong\", \"kernel\": \"rotate\", \"where\": \"1 x 1\", \"file\": \"k.cu\", \"line\": 5, \"column\": "
        "2,"
        " \"message\": \"m\", \"hint\": \"h\"},"
        "{\"severity\": \"missed\", \"kernel\": \"rotate\", \"file\": \"k.cu\", \"line\": 9, \"message\": \"n\"}]}",
        "k.cu:5:2: error: rotate with 1 x 1: m\nk.cu:5:2: note: h\nk.cu:9:1: warning: n\nLab 05 T: 40 of 100 points\n");
}
END_TEST

START_TEST(a_lab_that_was_not_begun_or_not_graded_lists_nothing)
{
    lab("{\"lab\": \"05\", \"title\": \"T\", \"score\": 0, \"points\": 100, \"begun\": false, \"causes\": [{\"message\": "
        "\"m\"}]}",
        "Lab 05 T: 0 of 100 points, not begun\n");
    lab("{\"lab\": \"05\", \"title\": \"T\", \"error\": {\"message\": \"no room\"}}",
        "Lab 05 T: not graded, and that is not the file's fault: no room\n");
    lab("{\"lab\": \"05\", \"title\": \"T\", \"score\": 0, \"points\": 100, \"refused\": \"k.cu(3): error: x\\n\"}",
        "k.cu:3:1: error: x\nLab 05 T: 0 of 100 points\n");
}
END_TEST

SUITE("problem", nvcc_errors_are_written_as_gcc_does, other_lines_stay, what_is_unknown_is_left_out,
      a_lab_lists_wrong_kernels_and_missed_goals, a_lab_that_was_not_begun_or_not_graded_lists_nothing)
