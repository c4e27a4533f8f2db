/* The exports, field by field. Also a validator for tests/export/run: test_export PLATFORM graded|ungraded <FILE holds what a platform was given to
 * the platform's format: which keys there may be, which there must be, and of which type. */
#define _GNU_SOURCE
#include "lab/export.h"

#include <assert.h>
#include <check.h>
#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* 20 of 20 for a's results, 7.5 of 30 for its stores: 27.5 of 50. A limit is gone over, a rule is kept, nothing was measured, one figure has
 * a value and one has none. */
#define HEAD "{\"lab\": \"05\", \"slug\": \"transpose\", \"title\": \"Transpose\", \"file\": \"kernel.cu\", "
static const char graded[] =
    HEAD "\"compiler\": \"nvcc 13.0\", \"device\": \"h200\", \"seed\": 77, \"score\": 27.5, \"points\": 50.0, \"full\": false,"
         "\"kernels\": [{\"name\": \"a\", \"correct\": true, \"cases\": 3, \"effort\": 9},"
         "{\"name\": \"b\", \"correct\": false, \"cases\": 0, \"effort\": 9, \"where\": \"7 floats\","
         " \"message\": \"element 3 is 1, not 2\", \"cause\": \"a \\u001b[2J guard\"}],"
         "\"runs\": [{\"name\": \"r\", \"kernel\": \"a\", \"text\": \"8 x 8 floats\", \"note\": \"a note\", \"report\": "
         "{\"x\": 1}}],"
         "\"goals\": [{\"name\": \"correct\", \"kind\": \"correct\", \"run\": \"r\", \"score\": 20.0, \"points\": 20.0, "
         "\"met\": true},"
         "{\"name\": \"stores\", \"kind\": \"goal\", \"run\": \"r\", \"metric\": \"m / 8\", \"value\": 3.25, \"full\": 1.0,"
         " \"zero\": 4.0, \"score\": 7.5, \"points\": 30.0, \"met\": false, \"advice\": \"store \\\"rows\\\" <first>\"},"
         "{\"name\": \"loads\", \"kind\": \"limit\", \"run\": \"r\", \"metric\": \"l\", \"value\": 9.0, \"full\": 8.0, "
         "\"met\": false},"
         "{\"name\": \"atomics\", \"kind\": \"rule\", \"run\": \"r\", \"metric\": \"x\", \"value\": 0.0, \"full\": 0.0, "
         "\"met\": true},"
         "{\"name\": \"fast\", \"kind\": \"measured\", \"run\": \"r\", \"full\": 0.9, \"skipped\": true, \"met\": false},"
         "{\"name\": \"share\", \"kind\": \"figure\", \"run\": \"r\", \"metric\": \"s\", \"value\": 0.5, \"full\": 0.9},"
         "{\"name\": \"other\", \"kind\": \"figure\", \"run\": \"r\", \"metric\": \"s\", \"full\": 0.9}]}";
static const char refused[] =
    HEAD "\"score\": 0.0, \"points\": 50.0, \"full\": false, \"refused\": \"kernel.cu:3: error: no\"}";
static const char unable[] = HEAD "\"error\": {\"message\": \"there is no sandbox\"}}";

static const ExportPlatform platforms[] = {EXPORT_GRADESCOPE, EXPORT_AUTOLAB, EXPORT_PRAIRIELEARN,
                                           EXPORT_CLASSROOM,  EXPORT_MOODLE,  EXPORT_TEXT};
enum { N_PLATFORMS = sizeof platforms / sizeof *platforms };

/* --- the formats ---------------------------------------------------------------------------------------------------------- */

static bool has_type(const json_t *value, char type) {
    switch (type) {
    case 'n': return json_is_number(value);
    case 's': return json_is_string(value);
    case 'b': return json_is_boolean(value);
    case 'a': return json_is_array(value);
    case 'o': return json_is_object(value);
    case '0': return json_is_null(value);
    }
    return false;
}

/* The object has these keys, "key:type", with ? those that may be missing, and no other. */
static bool fits(const json_t *object, const char *keys) {
    size_t found = 0;
    char copy[512], *rest = copy;
    assert(strlen(keys) < sizeof copy);
    strcpy(copy, keys);
    for (char *word; (word = strtok_r(rest, " ", &rest));) {
        char *type = strchr(word, ':');
        *type++ = 0;
        const json_t *value = json_object_get(object, word);
        found += value != NULL;
        if (value ? !has_type(value, *type) : type[1] != '?') {
            printf("'%s' is missing, or of another type than %c\n", word, *type);
            return false;
        }
    }
    if (found != json_object_size(object)) printf("there are keys besides %s\n", keys);
    return found == json_object_size(object);
}

static bool all_fit(const json_t *array, const char *keys) {
    for (size_t i = 0; i < json_array_size(array); i++)
        if (!fits(json_array_get(array, i), keys)) return false;
    return true;
}

/* One of these words. */
static bool is_one_of(const json_t *object, const char *key, const char *words) {
    const char *value = json_string_value(json_object_get(object, key));
    char padded[64], word[64];
    snprintf(padded, sizeof padded, " %s ", words);
    snprintf(word, sizeof word, " %s ", value ? value : "?");
    return strstr(padded, word) != NULL;
}

static double sum_of(const json_t *array, const char *key) {
    double sum = 0;
    for (size_t i = 0; i < json_array_size(array); i++)
        sum += json_number_value(json_object_get(json_array_get(array, i), key));
    return sum;
}

/* Gradescope, "Autograder Specifications", Output format. */
static bool fits_gradescope(const json_t *object, bool was_graded) {
    const json_t *tests = json_object_get(object, "tests");
    if (!fits(object,
              "score:n? output:s output_format:s test_output_format:s test_name_format:s visibility:s stdout_visibility:s "
              "extra_data:o tests:a? leaderboard:a?"))
        return false;
    if (!is_one_of(object, "visibility", "visible") || !is_one_of(object, "stdout_visibility", "hidden")) return false;
    if (!is_one_of(object, "output_format", "text") || !is_one_of(object, "test_output_format", "text")) return false;
    if (!was_graded) return !json_object_get(object, "score") && !tests && !json_object_get(object, "leaderboard");
    for (size_t i = 0; i < json_array_size(tests); i++)
        if (!is_one_of(json_array_get(tests, i), "status", "passed failed")) return false;
    return json_object_get(object, "score") && all_fit(tests, "score:n? max_score:n? status:s name:s output:s") &&
           all_fit(json_object_get(object, "leaderboard"), "name:s value:n") &&
           sum_of(tests, "score") == json_number_value(json_object_get(object, "score"));
}

/* PrairieLearn, "External Grading", Grading results. */
static bool fits_prairielearn(const json_t *object, bool was_graded) {
    const double score = json_number_value(json_object_get(object, "score"));
    if (!json_is_true(json_object_get(object, "gradable")))
        return fits(object, was_graded ? "gradable:b message:s format_errors:s" : "gradable:b message:s");
    return was_graded && fits(object, "gradable:b score:n message:s tests:a") && score >= 0 && score <= 1 &&
           all_fit(json_object_get(object, "tests"), "name:s description:s points:n? max_points:n? message:s");
}

/* The source of autograding-grading-reporter v1: it adds up max_score and the tests' scores, and reports nothing where max_score is 0. */
static bool fits_classroom(const json_t *object, bool was_graded) {
    const json_t *tests = json_object_get(object, "tests");
    for (size_t i = 0; i < json_array_size(tests); i++)
        if (!is_one_of(json_array_get(tests, i), "status", was_graded ? "pass fail" : "error")) return false;
    return fits(object, "version:n status:s max_score:n tests:a") &&
           is_one_of(object, "status", was_graded ? "pass fail" : "error") &&
           (json_number_value(json_object_get(object, "max_score")) > 0) == was_graded && json_array_size(tests) > 0 &&
           all_fit(tests, "name:s status:s score:n message:s filename:s");
}

/* Autolab, "Guide for Lab Authors" and "Formatted Feedback": the last line, and the one before it. */
static bool fits_autolab(const char *text, bool was_graded) {
    char *copy = strdup(text), *last, *before;
    copy[strlen(copy) - 1] = 0;
    last = strrchr(copy, '\n');
    *last++ = 0;
    before = strrchr(copy, '\n') + 1;
    json_t *scores = json_loads(last, 0, NULL), *feedback = json_loads(before, 0, NULL);
    json_t *score = json_object_get(json_object_get(scores, "scores"), "Lab 05"),
           *kernels = json_object_get(feedback, "Kernels");
    bool good =
        fits(scores, "scores:o scoreboard:a?") && has_type(score, was_graded ? 'n' : '0') && (feedback != NULL) == was_graded;
    if (good && was_graded) good = fits(feedback, "_presentation:s stages:a Kernels:o? Goals:o");
    const char *name;
    json_t *test;
    json_object_foreach(kernels, name, test) good = good && fits(test, "passed:b hint:s?");
    json_object_foreach(json_object_get(feedback, "Goals"), name, test) good = good && fits(test, "passed:b hint:s?");
    json_decref(scores);
    json_decref(feedback);
    free(copy);
    return good;
}

static bool fits_format(ExportPlatform platform, const char *text, bool was_graded) {
    bool good = strlen(text) < 1000000;
    json_t *object = json_loads(text, 0, NULL);
    switch (platform) {
    case EXPORT_GRADESCOPE: good = good && fits_gradescope(object, was_graded); break;
    case EXPORT_AUTOLAB: good = good && fits_autolab(text, was_graded); break;
    case EXPORT_PRAIRIELEARN: good = good && fits_prairielearn(object, was_graded); break;
    case EXPORT_CLASSROOM: good = good && fits_classroom(object, was_graded); break;
    case EXPORT_MOODLE: good = good && (*text != ',') == was_graded && strchr(text, '\n') == text + strlen(text) - 1; break;
    case EXPORT_TEXT: good = good && *text; break;
    }
    json_decref(object);
    return good;
}

/* --- the tests ------------------------------------------------------------------------------------------------------------ */

static char *exported(ExportPlatform platform, const char *result, bool was_graded) {
    Text out = {0};
    Diag diag = {0};
    ck_assert_int_eq(export_result(platform, "", result, strlen(result), &out, &diag), was_graded);
    ck_assert_msg(!diag.set, "%s", diag.message);
    return out.data;
}

static json_t *exported_json(ExportPlatform platform, const char *result, bool was_graded) {
    char *text = exported(platform, result, was_graded);
    json_t *object = json_loads(text, 0, NULL);
    ck_assert_msg(object != NULL, "%s", text);
    free(text);
    return object;
}

static const json_t *item(const json_t *object, const char *key, size_t index) {
    return json_array_get(json_object_get(object, key), index);
}

static const char *text_at(const json_t *object, const char *key) { return json_string_value(json_object_get(object, key)); }
static double number_at(const json_t *object, const char *key) {
    ck_assert_msg(json_is_number(json_object_get(object, key)), "no number '%s'", key);
    return json_number_value(json_object_get(object, key));
}

START_TEST(every_platform_gets_its_format)
{
    for (size_t i = 0; i < N_PLATFORMS; i++) {
        char *good = exported(platforms[i], graded, true), *bad = exported(platforms[i], refused, true),
             *none = exported(platforms[i], unable, false);
        ck_assert_msg(fits_format(platforms[i], good, true), "%s", good);
        ck_assert_msg(fits_format(platforms[i], bad, true), "%s", bad);
        ck_assert_msg(fits_format(platforms[i], none, false), "%s", none);
        if (platforms[i] != EXPORT_TEXT)
            ck_assert(!fits_format(platforms[i], none, true) && !fits_format(platforms[i], good, false));
        free(good);
        free(bad);
        free(none);
    }
}
END_TEST

START_TEST(gradescope_has_a_test_for_each_kernel_and_goal)
{
    json_t *object = exported_json(EXPORT_GRADESCOPE, graded, true);
    const json_t *tests = json_object_get(object, "tests"), *stores = item(object, "tests", 3);
    ck_assert_double_eq(number_at(object, "score"), 27.5);
    ck_assert_str_eq(text_at(object, "output"), "Lab 05 Transpose: 27.5 of 50 points");
    /* two kernels, two goals with points, one limit; not the rule that is kept, what was not measured, nor figures */
    ck_assert_uint_eq(json_array_size(tests), 5);
    ck_assert_str_eq(text_at(item(object, "tests", 0), "name"), "a is right");
    ck_assert_str_eq(text_at(item(object, "tests", 0), "status"), "passed");
    ck_assert_str_eq(text_at(item(object, "tests", 0), "output"), "right in 3 cases");
    ck_assert_ptr_null(json_object_get(item(object, "tests", 0), "score"));
    ck_assert_str_eq(text_at(item(object, "tests", 1), "name"), "b is wrong");
    ck_assert_str_eq(text_at(item(object, "tests", 1), "output"),
                     "with 7 floats\nelement 3 is 1, not 2\nprobable cause: a \\x1b[2J guard");
    ck_assert_str_eq(text_at(item(object, "tests", 2), "name"), "correct (r)");
    ck_assert_str_eq(text_at(item(object, "tests", 2), "status"), "passed");
    ck_assert_str_eq(text_at(stores, "name"), "stores (r)");
    ck_assert_double_eq(number_at(stores, "score"), 7.5);
    ck_assert_double_eq(number_at(stores, "max_score"), 30);
    ck_assert_str_eq(text_at(stores, "status"), "failed");
    ck_assert_str_eq(text_at(stores, "output"), "m / 8 is 3.25; full points at 1, none at 4\na note\nstore \"rows\" <first>");
    ck_assert_str_eq(text_at(item(object, "tests", 4), "name"), "over the limit loads (r)");
    ck_assert_str_eq(text_at(item(object, "tests", 4), "output"), "l is 9; at most 8 is allowed\na note");
    ck_assert_uint_eq(json_array_size(json_object_get(object, "leaderboard")), 1);
    ck_assert_str_eq(text_at(item(object, "leaderboard", 0), "name"), "share");
    ck_assert_double_eq(number_at(item(object, "leaderboard", 0), "value"), 0.5);
    ck_assert_double_eq(number_at(json_object_get(object, "extra_data"), "seed"), 77);
    json_decref(object);
}
END_TEST

START_TEST(what_does_not_compile_has_0_points_and_says_why)
{
    json_t *object = exported_json(EXPORT_GRADESCOPE, refused, true);
    ck_assert_double_eq(number_at(object, "score"), 0);
    ck_assert_uint_eq(json_array_size(json_object_get(object, "tests")), 1);
    ck_assert_str_eq(text_at(item(object, "tests", 0), "name"), "the file compiles");
    ck_assert_double_eq(number_at(item(object, "tests", 0), "max_score"), 50);
    ck_assert_str_eq(text_at(item(object, "tests", 0), "output"), "kernel.cu:3: error: no");
    json_decref(object);
    object = exported_json(EXPORT_PRAIRIELEARN, refused, true); /* but here it is invalid, and costs no attempt */
    ck_assert(json_is_false(json_object_get(object, "gradable")));
    ck_assert_str_eq(text_at(object, "format_errors"), "kernel.cu:3: error: no");
    json_decref(object);
}
END_TEST

START_TEST(what_could_not_be_graded_says_why_and_has_no_points)
{
    static const char said[] = "Lab 05 could not be graded: no points were given or taken.";
    json_t *object = exported_json(EXPORT_GRADESCOPE, unable, false);
    char both[128];
    snprintf(both, sizeof both, "%s\nthere is no sandbox", said);
    ck_assert_str_eq(text_at(object, "output"), both);
    json_decref(object);
    object = exported_json(EXPORT_PRAIRIELEARN, unable, false);
    ck_assert_str_eq(text_at(object, "message"), both);
    json_decref(object);
    object = exported_json(EXPORT_CLASSROOM, unable, false);
    ck_assert_str_eq(text_at(object, "status"), "error");
    ck_assert_double_eq(number_at(object, "max_score"), 0);
    ck_assert_str_eq(text_at(item(object, "tests", 0), "message"), "there is no sandbox");
    json_decref(object);
    char *text = exported(EXPORT_AUTOLAB, unable, false);
    snprintf(both, sizeof both, "%s\n  there is no sandbox\n{\"scores\": {\"Lab 05\": null}}\n", said);
    ck_assert_str_eq(text, both);
    free(text);
    text = exported(EXPORT_MOODLE, unable, false);
    snprintf(both, sizeof both, ",\"%s\"\n", said);
    ck_assert_str_eq(text, both);
    free(text);
}
END_TEST

START_TEST(autolab_has_a_table_and_a_scoreboard)
{
    char *text = exported(EXPORT_AUTOLAB, graded, true);
    /* the points, then a column for each figure: one without a value is at the end */
    static const char last[] = "\n{\"scores\": {\"Lab 05\": 27.5}, \"scoreboard\": [27.5, 0.5, 0.0]}\n";
    static const char table[] =
        "\n{\"_presentation\": \"semantic\", \"stages\": [\"Kernels\", \"Goals\"], "
        "\"Kernels\": {\"a is right\": {\"passed\": true}, \"b is wrong\": {\"passed\": false, \"hint\": ";
    ck_assert_str_eq(strstr(text, "\n{\"scores\""), last);
    const char *begin = strstr(text, table);
    ck_assert_msg(begin, "%s", text);
    /* the other stage's tests: passed where they are met, what is given up otherwise */
    json_t *presentation = json_loads(strndupa(begin + 1, strcspn(begin + 1, "\n")), 0, NULL);
    const json_t *goals = json_object_get(presentation, "Goals");
    ck_assert_uint_eq(json_object_size(presentation), 4);
    ck_assert_uint_eq(json_object_size(json_object_get(presentation, "Kernels")), 2);
    ck_assert_msg(json_object_size(goals) > 0, "%s", text);
    const char *name;
    const json_t *test;
    unsigned passed = 0;
    json_object_foreach((json_t *)goals, name, test) {
        const bool is_passed = json_is_true(json_object_get(test, "passed"));
        ck_assert_msg(is_passed == !json_object_get(test, "hint"), "%s", name);
        passed += is_passed;
    }
    ck_assert(passed > 0 && passed < json_object_size(goals));
    json_decref(presentation);
    free(text);
}
END_TEST

START_TEST(a_scoreboard_takes_a_figure)
{
    json_t *object = json_loads(graded, 0, NULL), *goals = json_object_get(object, "goals");
    static const char *const last[] = {", \"scoreboard\": [27.5, 0.5]}\n", "{\"Lab 05\": 27.5}}\n"};
    for (int i = 0; i < 2; i++) {
        json_array_remove(goals, json_array_size(goals) - 1);
        char *copy = json_dumps(object, 0), *text = exported(EXPORT_AUTOLAB, copy, true);
        ck_assert_msg(strlen(text) > 40 && strstr(text + strlen(text) - 40, last[i]), "%s", text);
        free(copy);
        free(text);
    }
    json_decref(object);
}
END_TEST

START_TEST(prairielearn_has_a_share)
{
    json_t *object = exported_json(EXPORT_PRAIRIELEARN, graded, true);
    ck_assert_double_eq(number_at(object, "score"), 0.55); /* 27.5 / 50 */
    ck_assert_double_eq(number_at(item(object, "tests", 3), "points"), 7.5);
    ck_assert_double_eq(number_at(item(object, "tests", 3), "max_points"), 30);
    ck_assert_str_eq(text_at(item(object, "tests", 3), "description"), "8 x 8 floats");
    ck_assert_ptr_null(json_object_get(item(object, "tests", 0), "max_points"));
    json_decref(object);
}
END_TEST

START_TEST(classroom_adds_the_tests_up)
{
    json_t *object = exported_json(EXPORT_CLASSROOM, graded, true);
    ck_assert_str_eq(text_at(object, "status"), "fail");
    ck_assert_double_eq(number_at(object, "max_score"), 50);
    ck_assert_double_eq(sum_of(json_object_get(object, "tests"), "score"), 27.5);
    json_decref(object);
}
END_TEST

START_TEST(moodle_has_a_line_of_html)
{
    static const char title[] =
        "{\"lab\": \"01\", \"title\": \"a <b> \\\"c\\\" & d\", \"score\": 33.333333333, \"points\": 100.0,"
        " \"kernels\": [], \"runs\": [], \"goals\": []}";
    char *text = exported(EXPORT_MOODLE, title, true);
    ck_assert_str_eq(text, "33.33333,\"Lab 01 a &lt;b&gt; &quot;c&quot; &amp; d: 33.3333 of 100 points\"\n");
    free(text);
    text = exported(EXPORT_PRAIRIELEARN, title, true); /* JSON has ten digits */
    ck_assert_msg(strstr(text, "0.3333333333,"), "%s", text);
    free(text);
    text = exported(EXPORT_AUTOLAB, title, true);
    ck_assert_msg(strstr(text, " 33.33333333}"), "%s", text);
    free(text);
}
END_TEST

START_TEST(people_get_a_line_each_with_its_reasons)
{
    char *text = exported(EXPORT_TEXT, graded, true);
    ck_assert_str_eq(
        text, "Lab 05 Transpose: 27.5 of 50 points\ncompiled by nvcc 13.0, h200 emulated, seed 77\n\n"
              "passed              a is right: its results\n"
              "MISSED              b is wrong: its results\n    with 7 floats\n    element 3 is 1, not 2\n"
              "    probable cause: a \\x1b[2J guard\n"
              "passed 20 of 20     correct (r): 8 x 8 floats\n"
              "MISSED 7.5 of 30    stores (r): 8 x 8 floats\n    m / 8 is 3.25; full points at 1, none at 4\n"
              "    a note\n    store \"rows\" <first>\n"
              "MISSED              over the limit loads (r): 8 x 8 floats\n    l is 9; at most 8 is allowed\n    a note\n");
    free(text);
}
END_TEST

/* An exercise as it was given has 0 points, whatever its goals say. */
START_TEST(tests_that_do_not_add_up_give_way_to_the_score)
{
    static const char begun[] = HEAD
        "\"score\": 0.0, \"points\": 50.0, \"begun\": false, \"kernels\": [], \"runs\": [], \"goals\": [{\"name\": \"g\","
        " \"kind\": \"goal\", \"run\": \"r\", \"metric\": \"m\", \"value\": 1.0, \"full\": 1.0, \"zero\": 2.0, \"score\": 5.0,"
        " \"points\": 50.0, \"met\": false, \"reason\": \"not begun\"}]}";
    json_t *object = exported_json(EXPORT_GRADESCOPE, begun, true);
    ck_assert_uint_eq(json_array_size(json_object_get(object, "tests")), 2);
    ck_assert_ptr_null(json_object_get(item(object, "tests", 0), "score"));
    ck_assert_double_eq(number_at(item(object, "tests", 1), "score"), 0);
    ck_assert_double_eq(number_at(item(object, "tests", 1), "max_score"), 50);
    ck_assert_str_eq(text_at(object, "output"), "Lab 05 Transpose: 0 of 50 points, not begun");
    json_decref(object);
}
END_TEST

/* What a grader that was ended leaves. */
START_TEST(no_result_is_no_zero)
{
    static const char *const broken[] = {"",
                                         "{\"score\": 5",
                                         "[]",
                                         "{\"lab\": \"05\"}",
                                         "{\"score\": \"50\", \"points\": 50}",
                                         "{\"score\": 0, \"points\": 0}",
                                         "{\"score\": 50, \"points\": 50, \"error\": {}}",
                                         "null"};
    for (size_t b = 0; b < sizeof broken / sizeof *broken; b++) {
        for (size_t i = 0; i < N_PLATFORMS; i++) {
            Text out = {0};
            Diag diag = {0};
            ck_assert(!export_result(platforms[i], "05", broken[b], strlen(broken[b]), &out, &diag));
            ck_assert(diag.set);
            ck_assert_msg(fits_format(platforms[i], text_string(&out), false), "%s", text_string(&out));
            text_free(&out);
        }
    }
}
END_TEST

START_TEST(what_is_no_json_is_named_with_its_line)
{
    static const struct {
        const char *text;
        unsigned line;
    } rows[] = {{"{score", 1}, {"{\n\n\"score\" 5}", 3}, {"{}", 0}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        Text out = {0};
        Diag diag = {0};
        ck_assert(!export_result(EXPORT_TEXT, "05", rows[i].text, strlen(rows[i].text), &out, &diag));
        ck_assert_msg(diag.line == rows[i].line && diag.column == 0 && strncmp(diag.message, "no result: ", 11) == 0,
                      "row %zu: %u: %s", i, diag.line, diag.message);
        ck_assert_str_eq(diag.hint, "give what warpscope lab grade LAB --json --submission FILE printed");
        text_free(&out);
    }
}
END_TEST

START_TEST(a_flood_of_messages_is_cut)
{
    Text result = {0};
    text_add(&result, "%s\"score\": 0.0, \"points\": 50.0, \"refused\": \"", HEAD);
    for (int i = 0; i < 500000; i++) text_add(&result, "\\u0001\\n");
    text_add(&result, "\"}");
    for (size_t i = 0; i < N_PLATFORMS; i++) {
        char *text = exported(platforms[i], text_string(&result), true);
        ck_assert_msg(fits_format(platforms[i], text, true), "%zu bytes", strlen(text));
        free(text);
    }
    text_free(&result);
}
END_TEST

START_TEST(a_message_is_no_line_of_the_platform)
{
    static const char forged[] =
        HEAD "\"score\": 0.0, \"points\": 50.0, \"refused\": \"x\\n{\\\"scores\\\": {\\\"Lab 05\\\": 50}}\\n\"}";
    char *text = exported(EXPORT_AUTOLAB, forged, true);
    ck_assert_ptr_null(strstr(text, "\n{\"scores\": {\"Lab 05\": 50}}"));
    ck_assert_str_eq(strstr(text, "\n{\"scores\""), "\n{\"scores\": {\"Lab 05\": 0.0}}\n");
    free(text);
}
END_TEST

START_TEST(platforms_have_names)
{
    ExportPlatform platform;
    Diag diag = {0};
    ck_assert(export_find("moodle", &platform, &diag));
    ck_assert_int_eq(platform, EXPORT_MOODLE);
    ck_assert(!export_find("canvas", &platform, &diag));
    ck_assert_str_eq(diag.message, "there is no platform 'canvas'");
    ck_assert_str_eq(diag.hint, "there are gradescope, autolab, prairielearn, classroom, moodle, text");
}
END_TEST

static int validate(const char *name, bool was_graded) {
    ExportPlatform platform;
    Diag diag = {0};
    Text text = {0};
    char bytes[4096];
    for (size_t count; (count = fread(bytes, 1, sizeof bytes, stdin)) > 0;) text_add_bytes(&text, bytes, count);
    bool good = export_find(name, &platform, &diag) && text.length > 0 && fits_format(platform, text_string(&text), was_graded);
    text_free(&text);
    return good ? 0 : 1;
}

int main(int argc, char **argv) {
    if (argc == 3) return validate(argv[1], strcmp(argv[2], "graded") == 0);
    Suite *suite = suite_create("export");
    TCase *cases = tcase_create("export");
    tcase_add_test(cases, every_platform_gets_its_format);
    tcase_add_test(cases, gradescope_has_a_test_for_each_kernel_and_goal);
    tcase_add_test(cases, what_does_not_compile_has_0_points_and_says_why);
    tcase_add_test(cases, what_could_not_be_graded_says_why_and_has_no_points);
    tcase_add_test(cases, autolab_has_a_table_and_a_scoreboard);
    tcase_add_test(cases, a_scoreboard_takes_a_figure);
    tcase_add_test(cases, prairielearn_has_a_share);
    tcase_add_test(cases, classroom_adds_the_tests_up);
    tcase_add_test(cases, moodle_has_a_line_of_html);
    tcase_add_test(cases, people_get_a_line_each_with_its_reasons);
    tcase_add_test(cases, tests_that_do_not_add_up_give_way_to_the_score);
    tcase_add_test(cases, no_result_is_no_zero);
    tcase_add_test(cases, what_is_no_json_is_named_with_its_line);
    tcase_add_test(cases, a_flood_of_messages_is_cut);
    tcase_add_test(cases, a_message_is_no_line_of_the_platform);
    tcase_add_test(cases, platforms_have_names);
    suite_add_tcase(suite, cases);
    SRunner *runner = srunner_create(suite);
    srunner_run_all(runner, CK_ENV);
    int failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    return failed != 0;
}
