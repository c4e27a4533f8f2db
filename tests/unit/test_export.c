/* The exports, field by field. Also a validator for tests/export/run: test_export PLATFORM graded|ungraded <FILE holds what a platform was given to
 * the platform's format. */
#define _GNU_SOURCE
#include "lab/export.h"

#include "formats.h"
#include "suite.h"

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

static const ExportPlatform platforms[] = {EXPORT_GRADESCOPE,  EXPORT_AUTOLAB, EXPORT_PRAIRIELEARN,
                                           EXPORT_CLASSROOM50, EXPORT_MOODLE,  EXPORT_TEXT};
enum { N_PLATFORMS = sizeof platforms / sizeof *platforms };

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
    ck_assert_str_eq(text_at(object, "output"),
                     "Lab 05 Transpose: 27.5 of 50 points\nskipped, and worth no points: 1 goal for a real GPU");
    /* two kernels, two goals with points, one limit; not the rule that is kept, what was not measured, nor figures */
    ck_assert_uint_eq(json_array_size(tests), 5);
    ck_assert_str_eq(text_at(item(object, "tests", 0), "name"), "kernel a");
    ck_assert_str_eq(text_at(item(object, "tests", 0), "status"), "passed");
    ck_assert_str_eq(text_at(item(object, "tests", 0), "output"), "right in 3 cases");
    ck_assert_ptr_null(json_object_get(item(object, "tests", 0), "score"));
    ck_assert_str_eq(text_at(item(object, "tests", 1), "name"), "kernel b");
    ck_assert_str_eq(text_at(item(object, "tests", 1), "output"),
                     "wrong with 7 floats\nelement 3 is 1, not 2\nprobable cause: a \\x1b[2J guard");
    ck_assert_str_eq(text_at(item(object, "tests", 2), "name"), "correct (r)");
    ck_assert_str_eq(text_at(item(object, "tests", 2), "status"), "passed");
    ck_assert_str_eq(text_at(stores, "name"), "stores (r)");
    ck_assert_double_eq(number_at(stores, "score"), 7.5);
    ck_assert_double_eq(number_at(stores, "max_score"), 30);
    ck_assert_str_eq(text_at(stores, "status"), "failed");
    ck_assert_str_eq(text_at(stores, "output"), "3.25; full points at 1, none at 4\na note\nstore \"rows\" <first>");
    ck_assert_str_eq(text_at(item(object, "tests", 4), "name"), "limit loads (r)");
    ck_assert_str_eq(text_at(item(object, "tests", 4), "output"), "9; at most 8 is allowed\na note");
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
    ck_assert_str_eq(text_at(item(object, "tests", 0), "name"), "the file can be graded");
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
    char *text = exported(EXPORT_AUTOLAB, unable, false);
    snprintf(both, sizeof both, "%s\n  there is no sandbox\n{\"scores\": {\"Lab 05\": null}}\n", said);
    ck_assert_str_eq(text, both);
    free(text);
    text = exported(EXPORT_MOODLE, unable, false);
    snprintf(both, sizeof both, ",%s\n", said);
    ck_assert_str_eq(text, both);
    free(text);
}
END_TEST

START_TEST(autolab_has_a_table_and_a_scoreboard)
{
    char *text = exported(EXPORT_AUTOLAB, graded, true);
    /* the points, then a column for each figure: one without a value is at the end */
    static const char last[] = "\n{\"scores\": {\"Lab 05\": 27.5}, \"scoreboard\": [27.5, 0.5, 0.0]}\n";
    static const char table[] = "\n{\"_presentation\": \"semantic\", \"stages\": [\"Kernels\", \"Goals\"], "
                                "\"Kernels\": {\"kernel a\": {\"passed\": true}, \"kernel b\": {\"passed\": false, \"hint\": ";
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

/* 27.5 of 50 points; a goal's 87.76 of 90.1 in binary is a little less than that. */
START_TEST(classroom50_has_whole_hundredths)
{
    static const char odd[] = HEAD
        "\"score\": 87.76, \"points\": 90.1, \"kernels\": [], \"runs\": [], \"goals\": [{\"name\": \"g\", \"kind\": \"goal\","
        " \"run\": \"r\", \"metric\": \"m\", \"value\": 1.5, \"full\": 1.0, \"zero\": 2.0, \"score\": 87.76, \"points\": 90.1,"
        " \"met\": false}]}";
    json_t *object = exported_json(EXPORT_CLASSROOM50, graded, true);
    ck_assert_int_eq(json_integer_value(json_object_get(object, "score")), 2750);
    ck_assert_int_eq(json_integer_value(json_object_get(object, "max-score")), 5000);
    ck_assert_int_eq(json_integer_value(json_object_get(item(object, "tests", 3), "score")), 750);
    ck_assert_int_eq(json_integer_value(json_object_get(item(object, "tests", 0), "max-score")), 0);
    json_decref(object);
    object = exported_json(EXPORT_CLASSROOM50, odd, true);
    ck_assert_int_eq(json_integer_value(json_object_get(object, "score")), 8776);
    ck_assert_int_eq(json_integer_value(json_object_get(object, "max-score")), 9010);
    json_decref(object);
}
END_TEST

/* b is wrong: its goal has no points, its three limits are no tests, and neither is a rule of a, of which the metric is absent. */
static const char unmeasured[] = HEAD
    "\"compiler\": \"nvcc 13.0\", \"device\": \"h200\", \"seed\": 77, \"score\": 0.0, \"points\": 50.0,"
    "\"kernels\": [{\"name\": \"a\", \"correct\": true, \"cases\": 1}, {\"name\": \"b\", \"correct\": false, \"message\": "
    "\"no\"}],"
    "\"runs\": [{\"name\": \"r\", \"kernel\": \"a\", \"text\": \"x\"}, {\"name\": \"s\", \"kernel\": \"b\", \"text\": \"y\"}],"
    "\"goals\": [{\"name\": \"g\", \"kind\": \"goal\", \"run\": \"s\", \"metric\": \"m\", \"full\": 1.0, \"zero\": 2.0, "
    "\"score\": 0.0,"
    " \"points\": 50.0, \"met\": false, \"reason\": \"b is wrong\", \"advice\": \"store rows\"},"
    "{\"name\": \"one\", \"kind\": \"limit\", \"run\": \"s\", \"full\": 1.0, \"met\": false, \"reason\": \"b is wrong\", "
    "\"advice\": \"x\"},"
    "{\"name\": \"two\", \"kind\": \"limit\", \"run\": \"s\", \"full\": 1.0, \"met\": false, \"reason\": \"b is wrong\"},"
    "{\"name\": \"odd\", \"kind\": \"limit\", \"run\": \"r\", \"full\": 1.0, \"met\": false, \"reason\": \"nothing was "
    "measured\"},"
    "{\"name\": \"three\", \"kind\": \"rule\", \"run\": \"s\", \"full\": 1.0, \"met\": false, \"reason\": \"b is wrong\"},"
    "{\"name\": \"speed\", \"kind\": \"measured\", \"run\": \"r\", \"full\": 0.9, \"skipped\": true, \"met\": false}]}";

START_TEST(what_was_not_measured_is_neither_kept_nor_gone_over)
{
    static const char said[] = "Lab 05 Transpose: 0 of 50 points\n"
                               "not measured, so neither kept nor gone over: 3 limits, since b is wrong\n"
                               "not measured, so neither kept nor gone over: 1 limit, since nothing was measured\n"
                               "skipped, and worth no points: 1 goal for a real GPU";
    json_t *object = exported_json(EXPORT_GRADESCOPE, unmeasured, true);
    ck_assert_str_eq(text_at(object, "output"), said);
    ck_assert_uint_eq(json_array_size(json_object_get(object, "tests")), 3); /* a, b, g */
    ck_assert_str_eq(text_at(item(object, "tests", 2), "output"), "not measured: b is wrong");
    json_decref(object);
    object = exported_json(EXPORT_PRAIRIELEARN, unmeasured, true);
    ck_assert_str_eq(text_at(object, "message"), said);
    json_decref(object);
    for (size_t i = 0; i < N_PLATFORMS; i++) {
        char *text = exported(platforms[i], unmeasured, true);
        ck_assert_msg(!strstr(text, "over the limit") && !strstr(text, "limit one") && !strstr(text, "store rows"), "%s", text);
        free(text);
    }
}
END_TEST

/* 1 and a 4 millionth more are the same with six digits. */
START_TEST(a_value_does_not_read_like_the_bound_that_it_misses)
{
    static const char near[] = HEAD "\"score\": 0.0, \"points\": 50.0, \"kernels\": [], \"runs\": [], \"goals\": [{\"name\": "
                                    "\"g\", \"kind\": \"goal\", \"run\": \"r\","
                                    " \"metric\": \"m\", \"value\": 1.00000025, \"full\": 1.0, \"zero\": 2.0, \"score\": 0.0, "
                                    "\"points\": 50.0, \"met\": false},"
                                    "{\"name\": \"l\", \"kind\": \"limit\", \"run\": \"r\", \"metric\": \"m\", \"value\": "
                                    "1234568.0, \"full\": 1234567.0, \"met\": false}]}";
    json_t *object = exported_json(EXPORT_GRADESCOPE, near, true);
    ck_assert_msg(strncmp(text_at(item(object, "tests", 0), "output"), "1.00000025;", 11) == 0, "%s",
                  text_at(item(object, "tests", 0), "output"));
    ck_assert_str_eq(text_at(item(object, "tests", 1), "output"), "1,234,568; at most 1,234,567 is allowed");
    json_decref(object);
}
END_TEST

/* No compiler, no seed and no emulator had a part in it. */
START_TEST(what_is_refused_was_not_emulated)
{
    char *text = exported(EXPORT_TEXT, refused, true);
    ck_assert_str_eq(text, "Lab 05 Transpose: 0 of 50 points, refused\n\nMISSED 0 of 50      the file can be graded\n    "
                           "kernel.cu:3: error: no\n");
    free(text);
    text = exported(EXPORT_MOODLE, refused, true);
    ck_assert_str_eq(text, "0,\"Lab 05 Transpose: 0 of 50 points, refused: kernel.cu:3: error: no\"\n");
    free(text);
    json_t *object = exported_json(EXPORT_PRAIRIELEARN, refused, true); /* which gives no points then, not 0 */
    ck_assert_str_eq(text_at(object, "message"),
                     "Lab 05 Transpose: refused, and no attempt is counted.\nkernel.cu:3: error: no");
    json_decref(object);
}
END_TEST

/* Wrapped, carets would point elsewhere. */
START_TEST(a_line_of_source_stays_as_it_is)
{
    static const char line[] = "  the other      58 | tile[threadIdx.y + i][threadIdx.x] = in[(size_t)min(row ..";
    static const char below[] = "                    |                                                 ^";
    Text result = {0};
    text_add(&result, "%s\"score\": 0.0, \"points\": 50.0, \"refused\": \"x\\n%s\\n%s\"}", HEAD, line, below);
    char *text = exported(EXPORT_TEXT, text_string(&result), true);
    char both[256];
    snprintf(both, sizeof both, "    x\n%s\n%s\n", line, below);
    ck_assert_msg(strstr(text, both), "%s", text);
    free(text);
    text_free(&result);
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

/* Where fields are separated by semicolons, what stands behind &quot; begins one: it is no formula there either. */
START_TEST(moodle_has_no_formula)
{
    char *text = exported(EXPORT_MOODLE,
                          "{\"lab\": \"01\", \"title\": \"\\\"=1+1\", \"score\": 0, \"points\": 10, \"kernels\": [],"
                          " \"runs\": [], \"goals\": []}",
                          true);
    ck_assert_str_eq(text, "0,\"Lab 01 &quot;'=1+1: 0 of 10 points\"\n");
    free(text);
}
END_TEST

START_TEST(people_get_a_line_each_with_its_reasons)
{
    char *text = exported(EXPORT_TEXT, graded, true);
    ck_assert_str_eq(text, "Lab 05 Transpose: 27.5 of 50 points\ncompiled by nvcc 13.0, h200 emulated, seed 77\n"
                           "skipped, and worth no points: 1 goal for a real GPU\n\n"
                           "passed              kernel a: its results\n"
                           "MISSED              kernel b: its results\n    wrong with 7 floats\n    element 3 is 1, not 2\n"
                           "    probable cause: a \\x1b[2J guard\n"
                           "passed 20 of 20     correct (r): 8 x 8 floats\n"
                           "MISSED 7.5 of 30    stores (r): 8 x 8 floats\n    3.25; full points at 1, none at 4\n"
                           "    a note\n    store \"rows\" <first>\n"
                           "MISSED              limit loads (r): 8 x 8 floats\n    9; at most 8 is allowed\n    a note\n");
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

/* A goal's, or the whole result's; JSON itself has no infinity, and none that is read as one. */
START_TEST(a_score_beyond_its_points_is_no_result)
{
    static const char *const forged[] = {
        "\"score\": 1e308, \"points\": 1e308}",
        "\"score\": 50, \"points\": 100001}",
        "\"score\": 51, \"points\": 50}",
        "\"score\": -1, \"points\": 50}",
        "\"score\": 50, \"points\": 50, \"goals\": [{\"kind\": \"goal\", \"score\": 1e308, \"points\": 1e308}]}",
        "\"score\": 50, \"points\": 50, \"goals\": [{\"kind\": \"goal\", \"score\": -1e308, \"points\": 50}]}",
        "\"score\": 1e999, \"points\": 50}",
        "\"score\": NaN, \"points\": 50}",
        "\"score\": Infinity, \"points\": 50}",
    };
    for (size_t i = 0; i < sizeof forged / sizeof *forged; i++)
        for (size_t p = 0; p < N_PLATFORMS; p++) {
            Text out = {0};
            Diag diag = {0};
            LOCAL_TEXT result = text_from("%s%s", HEAD, forged[i]);
            ck_assert_msg(!export_result(platforms[p], "05", text_string(&result), result.length, &out, &diag), "row %zu", i);
            ck_assert_msg(strncmp(diag.message, "no result: ", 11) == 0, "row %zu: %s", i, diag.message);
            ck_assert_msg(fits_format(platforms[p], text_string(&out), false), "row %zu: %s", i, text_string(&out));
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
    ck_assert_str_eq(diag.hint, "there are gradescope, autolab, prairielearn, classroom50, moodle, text");
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
    const TTest *const tests[] = {every_platform_gets_its_format,
                                  gradescope_has_a_test_for_each_kernel_and_goal,
                                  what_does_not_compile_has_0_points_and_says_why,
                                  what_could_not_be_graded_says_why_and_has_no_points,
                                  autolab_has_a_table_and_a_scoreboard,
                                  a_scoreboard_takes_a_figure,
                                  prairielearn_has_a_share,
                                  classroom50_has_whole_hundredths,
                                  what_was_not_measured_is_neither_kept_nor_gone_over,
                                  a_value_does_not_read_like_the_bound_that_it_misses,
                                  what_is_refused_was_not_emulated,
                                  a_line_of_source_stays_as_it_is,
                                  moodle_has_a_line_of_html,
                                  moodle_has_no_formula,
                                  people_get_a_line_each_with_its_reasons,
                                  tests_that_do_not_add_up_give_way_to_the_score,
                                  no_result_is_no_zero,
                                  what_is_no_json_is_named_with_its_line,
                                  a_score_beyond_its_points_is_no_result,
                                  a_flood_of_messages_is_cut,
                                  a_message_is_no_line_of_the_platform,
                                  platforms_have_names};
    return suite_run("export", (Fixture){NULL, NULL, false}, 1, tests, sizeof tests / sizeof *tests);
}
