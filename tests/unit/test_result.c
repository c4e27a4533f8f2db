/* A graded lab as programs are told of it (lab/result.h, causes.h): every key of the JSON, and the word that is remembered. */
#include "lab/result.h"

#include "lab/ungraded.h"
#include "shapes_lab.h"
#include "suite.h"

static json_t *json_of(ResultParts parts) {
    Text out = {0};
    score_again();
    result_json(&lab, &score, parts, &out);
    json_t *object = json_loads(text_string(&out), 0, NULL);
    ck_assert(object != NULL);
    text_free(&out);
    return object;
}

/* The value under the key is this. */
static void is_json(json_t *object, const char *key, const char *wanted) {
    json_t *value = json_loads(wanted, JSON_DECODE_ANY, NULL), *got = json_object_get(object, key);
    char *text = got ? json_dumps(got, JSON_ENCODE_ANY | JSON_SORT_KEYS) : NULL;
    ck_assert_msg(value != NULL, "%s", wanted);
    ck_assert_msg(json_equal(value, got), "%s: %.3000s", key, text ? text : "absent");
    free(text);
    json_decref(value);
}

/* The text is this and no more. */
static void is_all(const Text *text, const char *wanted) {
    json_t *all = json_pack("{so}", "all", json_loads(text_string(text), 0, NULL));
    is_json(all, "all", wanted);
    json_decref(all);
}

START_TEST(json_has_all_that_was_graded)
{
    has_value(A, "l", 7);
    text_add(&runs[TABLE].note, "a note");
    runs[TWO].report = json_loads("{\"x\": 1}", 0, NULL);
    kernels[0].effort = 9;
    text_add(&kernels[0].printed, "hello");
    text_add(&kernels[0].printed_with, "7 floats");
    json_t *object = json_of((ResultParts){false, false});
    ck_assert_uint_eq(json_object_size(object), 14);
    is_json(object, "lab", "\"07\"");
    is_json(object, "slug", "\"shapes\"");
    is_json(object, "title", "\"Shapes\"");
    is_json(object, "file", "\"kernel.cu\"");
    is_json(object, "compiler", "\"nvcc 13.0\"");
    is_json(object, "device", "\"h200\"");
    is_json(object, "seed", "77");
    is_json(object, "score", "77.5");
    is_json(object, "points", "100.0");
    is_json(object, "full", "false");
    is_json(object, "kernels",
            "[{\"name\":\"one\",\"correct\":true,\"cases\":1,\"effort\":9,\"printed\":\"hello\",\"printed_with\":\"7 floats\"},"
            "{\"name\":\"two\",\"correct\":true,\"cases\":2,\"effort\":0},{\"name\":\"given\",\"correct\":true,\"cases\":3,"
            "\"effort\":0}]");
    is_json(object, "runs",
            "[{\"name\":\"a\",\"kernel\":\"one\",\"text\":\"8 floats\",\"values\":{\"l\":7.0,\"w\":10.0}},"
            "{\"name\":\"two\",\"kernel\":\"two\",\"text\":\"9 "
            "floats\",\"report\":{\"x\":1},\"values\":{\"model.time_us\":9.5,\"f\":0.625}},"
            "{\"name\":\"table\",\"text\":\"a table\",\"note\":\"a note\",\"values\":{\"right\":3.0}}]");
    is_json(
        object, "goals",
        "[{\"name\":\"correct\",\"kind\":\"correct\",\"run\":\"a\",\"score\":10.0,\"points\":10.0,\"met\":true},"
        "{\"name\":\"loads\",\"kind\":\"goal\",\"run\":\"a\",\"metric\":\"l\",\"value\":7.0,\"full\":4.0,\"zero\":8.0,"
        "\"score\":7.5,"
        "\"points\":30.0,\"met\":false,\"advice\":\"load less\"},"
        "{\"name\":\"work\",\"kind\":\"limit\",\"run\":\"a\",\"metric\":\"w\",\"value\":10.0,\"full\":10.0,\"met\":true},"
        "{\"name\":\"time\",\"kind\":\"goal\",\"run\":\"two\",\"metric\":\"model.time_us\",\"value\":9.5,\"full\":10.0,"
        "\"zero\":20.0,"
        "\"score\":40.0,\"points\":40.0,\"met\":true},"
        "{\"name\":\"fast\",\"kind\":\"measured\",\"run\":\"two\",\"full\":0.9,\"skipped\":true,\"met\":false},"
        "{\"name\":\"beat\",\"kind\":\"figure\",\"run\":\"two\",\"metric\":\"f\",\"value\":0.625,\"full\":0.75,\"advice\":"
        "\"y\"},"
        "{\"name\":\"guess\",\"kind\":\"goal\",\"run\":\"table\",\"metric\":\"right\",\"value\":3.0,\"full\":3.0,\"zero\":1.0,"
        "\"score\":20.0,\"points\":20.0,\"met\":true}]");
    /* the kernel 'one' is not in the text, so that its line is not known */
    is_json(object, "causes",
            "[{\"severity\":\"missed\",\"kind\":\"goal\",\"kernel\":\"one\",\"run\":\"a\",\"goal\":\"loads\","
            "\"message\":\"loads: 7; full points at 4, none at 8\",\"hint\":\"load less\"}]");
    json_decref(object);
}
END_TEST

/* As many as say all that is measured, and none of those in which 0.1 is not 0.1. */
START_TEST(numbers_have_ten_digits)
{
    has_value(A, "l", 4.0 / 3);
    has_value(A, "w", 1234567891);
    Text out = {0};
    score_again();
    result_json(&lab, &score, (ResultParts){false, false}, &out);
    ck_assert_msg(strstr(text_string(&out), "\"l\": 1.333333333,\n"), "%s", text_string(&out));
    ck_assert_msg(strstr(text_string(&out), "\"w\": 1234567891.0\n"), "%s", text_string(&out));
    text_free(&out);
}
END_TEST

START_TEST(json_has_more_where_it_applies)
{
    static const uint8_t init[4] = {5};
    static Variable variable = {.name = "variant", .space = SPACE_CONST, .bytes = 4, .function = NO_INDEX, .init = init};
    program.variables = &variable, program.n_variables = 1;
    json_t *object = json_of((ResultParts){false, false});
    ck_assert(!json_object_get(object, "variant") && !json_object_get(object, "begun"));
    json_decref(object);
    lab.goals->n_varied = 1;
    lab.untouched = true;
    make_accesses();
    object = json_of((ResultParts){true, true});
    is_json(object, "variant", "5");
    is_json(object, "begun", "false");
    ck_assert(!json_object_get(object, "asked_variant"));
    const char *shown = json_string_value(json_object_get(object, "shown"));
    ck_assert(shown && strncmp(shown, "Lab 07 Shapes: 70 of 100 points, not begun", 42) == 0);
    const char *picture =
        json_string_value(json_object_get(json_array_get(json_object_get(object, "goals"), LOADS), "picture"));
    ck_assert(picture && strncmp(picture, "       2 | float v = in[i];\n", 28) == 0);
    ck_assert(!json_object_get(json_array_get(json_object_get(object, "goals"), TIME), "picture"));
    json_decref(object);
    lab.asked_variant = 6;
    object = json_of((ResultParts){false, false});
    is_json(object, "asked_variant", "6");
    ck_assert(!json_object_get(object, "shown"));
    json_decref(object);
    program.variables = NULL, program.n_variables = 0;
}
END_TEST

/* Of each kind of access the costliest, and first the one that wastes most over the launch; local memory is not drawn. */
START_TEST(figures_are_of_each_kind_the_costliest)
{
    static const char *const wanted[] = {"shared store", "global load", "global store"};
    make_accesses();
    put(2, 2, strided(SPACE_GLOBAL, ACCESS_LOAD, 4, 64, 0, LANES_ALL), 1);
    put(3, 1, strided(SPACE_SHARED, ACCESS_STORE, 4, 128, 0, LANES_ALL), 50); /* 31 conflicts each, more than 280 */
    put(4, 1, strided(SPACE_SHARED, ACCESS_STORE, 4, 8, 0, LANES_ALL), 1);
    insn_counters[2].worst.cost = 33;
    put(5, 1, strided(SPACE_LOCAL, ACCESS_LOAD, 4, 4, 0, LANES_ALL), 1);
    keep_launch(A);
    json_t *object = json_of((ResultParts){false, true}),
           *figures = json_object_get(json_array_get(json_object_get(object, "runs"), A), "figures");
    ck_assert_uint_eq(json_array_size(figures), 3);
    for (size_t i = 0; i < 3; i++) {
        const char *svg = json_string_value(json_object_get(json_array_get(figures, i), "svg"));
        ck_assert_str_eq(json_string_value(json_object_get(json_array_get(figures, i), "access")), wanted[i]);
        ck_assert(svg && strncmp(svg, "<svg", 4) == 0);
    }
    const char *svg = json_string_value(json_object_get(json_array_get(figures, 1), "svg"));
    ck_assert_msg(strstr(svg, "kernel.cu:3, global load"), "%.500s", svg); /* the one that costs 33 */
    ck_assert(!json_object_get(json_array_get(json_object_get(object, "runs"), TWO), "figures"));
    json_decref(object);
}
END_TEST

/* Numbers of a given kernel that are to be predicted are not told by stepping through it. */
START_TEST(a_launch_to_predict_is_not_given_away)
{
    keep_launch(A);
    text_add(&kept.words, "--kernel one");
    static const struct {
        double value, loads;
        bool given, told;
    } rows[] = {{4, 4, false, true}, {4, 7, false, true}, {4, 4, true, true}, {4, 7, true, false}};
    for (size_t i = 0; i < 4; i++) {
        runs[A].n_values = 0;
        has_value(A, "l", rows[i].loads);
        has_value(A, "w", 1);
        has_value(A, rows[i].given ? "given.x" : "given", 1);
        json_t *object = json_of((ResultParts){false, false}),
               *launch = json_object_get(json_array_get(json_object_get(object, "runs"), A), "launch");
        ck_assert_msg((launch != NULL) == rows[i].told, "row %zu", i);
        json_t *asked = json_object_get(json_array_get(json_object_get(object, "runs"), A), "to_predict");
        ck_assert_msg(json_is_true(asked) == !rows[i].told, "row %zu", i);
        if (launch) is_json(launch, "words", "\"--kernel one\"");
        json_decref(object);
    }
    text_free(&kept.words);
}
END_TEST

START_TEST(a_run_that_failed_is_a_cause)
{
    for (int run = 0; run < 3; run++) {
        runs[run].failed = true;
        text_add(&runs[run].failure.message, "it failed");
        json_t *object = json_of((ResultParts){false, false}), *first = json_array_get(json_object_get(object, "causes"), 0);
        is_json(first, "severity", "\"wrong\"");
        is_json(first, "message", "\"it failed\"");
        ck_assert_str_eq(json_string_value(json_object_get(first, "run")), lab.goals->runs[run].name);
        json_decref(object);
        runs[run].failed = false;
    }
}
END_TEST

START_TEST(causes_name_the_line_to_look_at)
{
    static char text[] =
        "// one\n__global__ void one(int *in) {\n    in[0] = 1;\n}\n__global__\nvoid two() {}\n__constant__ int guess = 3;\n";
    lab.source.text = text;
    report.source_text = text;
    has_value(A, "l", 7);
    lab.goals->goals[GUESS].metric = "right.guess";
    has_value(TABLE, "right.guess", 2);
    is_wrong(1, "33 floats", "element 3 is 1", "");
    strcpy(kernels[1].failure.fault.hint, "a hint");
    runs[TABLE].done = true;
    json_t *object = json_of((ResultParts){false, false});
    is_json(object, "causes",
            "[{\"severity\":\"wrong\",\"kind\":\"wrong_result\",\"kernel\":\"two\",\"file\":\"kernel.cu\",\"line\":6,"
            "\"where\":\"33 floats\",\"message\":\"element 3 is 1\",\"hint\":\"a hint\"},"
            "{\"severity\":\"missed\",\"kind\":\"goal\",\"kernel\":\"one\",\"run\":\"a\",\"goal\":\"loads\",\"file\":\"kernel."
            "cu\",\"line\":2,"
            "\"message\":\"loads: 7; full points at 4, none at 8\",\"hint\":\"load less\"},"
            "{\"severity\":\"missed\",\"kind\":\"goal\",\"run\":\"table\",\"goal\":\"guess\",\"file\":\"kernel.cu\",\"line\":7,"
            "\"message\":\"guess: the prediction is not right yet\",\"hint\":\"count\"}]");
    is_json(json_array_get(json_object_get(object, "kernels"), 1), "message", "\"element 3 is 1\"");
    is_json(json_array_get(json_object_get(object, "kernels"), 1), "where", "\"33 floats\"");
    json_decref(object);
    kernels[1].failure.is_fault = true;
    kernels[1].failure.fault.kind = FAULT_out_of_bounds;
    kernels[1].failure.line = 3, kernels[1].failure.column = 9;
    text_add(&kernels[1].failure.sentence, "lane 3 reads");
    text_add(&kernels[1].failure.cause, "a cause");
    runs[TABLE].failed = true;
    text_add(&runs[TABLE].failure.message, "no table");
    runs[A].done = false;
    object = json_of((ResultParts){false, false});
    is_json(
        object, "causes",
        "[{\"severity\":\"wrong\",\"kind\":\"out_of_bounds\",\"kernel\":\"two\",\"file\":\"kernel.cu\",\"line\":3,\"column\":9,"
        "\"where\":\"33 floats\",\"message\":\"lane 3 reads\",\"hint\":\"a cause\"},"
        "{\"severity\":\"wrong\",\"kind\":\"wrong_result\",\"message\":\"no table\",\"run\":\"table\"},"
        "{\"severity\":\"missed\",\"kind\":\"correct\",\"kernel\":\"one\",\"run\":\"a\",\"goal\":\"correct\",\"file\":\"kernel."
        "cu\",\"line\":2,"
        "\"message\":\"correct: nothing was measured\"},"
        "{\"severity\":\"missed\",\"kind\":\"goal\",\"kernel\":\"one\",\"run\":\"a\",\"goal\":\"loads\",\"file\":\"kernel.cu\","
        "\"line\":2,"
        "\"message\":\"loads: nothing was measured\",\"hint\":\"load less\"},"
        "{\"severity\":\"missed\",\"kind\":\"limit\",\"kernel\":\"one\",\"run\":\"a\",\"goal\":\"work\",\"file\":\"kernel.cu\","
        "\"line\":2,"
        "\"message\":\"work: nothing was measured\",\"hint\":\"do less\"}]");
    is_json(json_array_get(json_object_get(object, "runs"), TABLE), "message", "\"no table\"");
    is_json(json_array_get(json_object_get(object, "kernels"), 1), "cause", "\"a cause\"");
    json_decref(object);
    runs[A].done = true;
    kernels[1].wrong = runs[TABLE].failed = false;
    has_value(TABLE, "right.guess", 3);
    make_accesses();
    has_value(A, "w", 10.5);
    object = json_of((ResultParts){false, false});
    is_json(object, "causes",
            "[{\"severity\":\"missed\",\"kind\":\"limit\",\"kernel\":\"one\",\"run\":\"a\",\"goal\":\"work\",\"file\":\"kernel."
            "cu\",\"line\":2,"
            "\"message\":\"work: 10.5; at most 10 is allowed\",\"hint\":\"do less\"}]");
    json_decref(object);
    has_value(A, "w", 1);
    lab.goals->goals[LOADS].metric = "right.one", has_value(A, "right.one", 8);
    insns[0].location = 2;
    object = json_of((ResultParts){false, false});
    is_json(json_array_get(json_object_get(object, "causes"), 0), "message", "\"loads: the prediction is not right yet\"");
    json_decref(object);
    Goal *goal = &lab.goals->goals[LOADS];
    const Goal as_it_was = *goal;
    goal->metric = "right_numbers", goal->full = 6, goal->zero = 0, has_value(A, "right_numbers", 4);
    object = json_of((ResultParts){false, false});
    is_json(json_array_get(json_object_get(object, "causes"), 0), "message", "\"loads: 4 of 6 predictions right\"");
    json_decref(object);
    *goal = as_it_was;
    lab.goals->goals[LOADS].metric = "global.load.sectors";
    object = json_of((ResultParts){false, false});
    is_json(json_array_get(json_object_get(object, "causes"), 0), "line", "3"); /* of the access */
    insns[0].location = 3;                                                      /* in another file */
    json_decref(object);
    object = json_of((ResultParts){false, false});
    is_json(json_array_get(json_object_get(object, "causes"), 0), "line", "2");
    json_decref(object);
}
END_TEST

START_TEST(a_refused_file_has_no_points)
{
    LOCAL_TEXT out = {0};
    result_refused(&lab, "line 3: no", &out);
    is_all(&out, "{\"lab\":\"07\",\"slug\":\"shapes\",\"title\":\"Shapes\",\"file\":\"kernel.cu\",\"compiler\":\"nvcc 13.0\","
                 "\"device\":\"h200\",\"score\":0.0,\"points\":100.0,\"full\":false,\"refused\":\"line 3: no\"}");
}
END_TEST

START_TEST(what_was_not_graded_says_why_and_has_no_score)
{
    LOCAL_TEXT out = {0};
    result_unable(lab.goals, "kernel.cu", false, "no room", &out);
    ck_assert_str_eq(text_string(&out), "Lab 07 Shapes was not graded, and that is not the file's fault:\n  no room\n");
    text_free(&out);
    result_unable(lab.goals, "kernel.cu", true, "no room", &out);
    is_all(
        &out,
        "{\"lab\":\"07\",\"slug\":\"shapes\",\"title\":\"Shapes\",\"file\":\"kernel.cu\",\"error\":{\"message\":\"no room\"}}");
}
END_TEST

/* Sectors of global and local memory of all operations, and conflicts of all; the speed, and of each goal that is no prediction the value. */
START_TEST(what_was_seen_fits_a_word)
{
    Text out = {0};
    make_accesses();
    put(2, 2, strided(SPACE_SHARED, ACCESS_LOAD, 4, 128, 0, LANES_ALL), 3);
    put(3, 2, strided(SPACE_SHARED, ACCESS_STORE, 4, 8, 0, LANES_ALL), 2);
    counters.local[COUNTER_STORE].sectors = 7;
    result.model.time_us = 12.5;
    keep_launch(A);
    score_again();
    result_seen(&lab, &score, &out);
    /* 320 + 40 + 7; 3 * 31 + 2 * 1; the only goal of the run that has a value */
    ck_assert_str_eq(text_string(&out), "a=10,367,95,12.5:-,32;two=40;table=20;");
    text_free(&out);
    runs[A].reads = runs[A].writes = 1 << 20;
    has_value(A, "w", 11);
    kernels[1].wrong = runs[TABLE].failed = true;
    score_again();
    result_seen(&lab, &score, &out);
    /* 24 blocks of 2 warps on 132 SMs of 4 schedulers, and no goal about time: that they are slower than a copy says nothing */
    ck_assert_str_eq(text_string(&out), "a=0,367,95,12.5:-,-;two=wrong;table=wrong;");
    text_free(&out);
    kept.request.launch.grid[0] = 44; /* 528 warps */
    result_seen(&lab, &score, &out);
    char wanted[100];
    ck_assert_double_gt(score_speed(&lab, A), 0);
    snprintf(wanted, sizeof wanted, "a=0,367,95,12.5:%.6g,-;two=wrong;table=wrong;", score_speed(&lab, A));
    ck_assert_str_eq(text_string(&out), wanted);
    text_free(&out);
    kernels[0].wrong = true;
    score_again();
    result_seen(&lab, &score, &out);
    ck_assert_str_eq(text_string(&out), "a=wrong;two=wrong;table=wrong;");
    text_free(&out);
}
END_TEST

SUITE_WITH("result", begin, graded_end, json_has_all_that_was_graded, numbers_have_ten_digits, json_has_more_where_it_applies,
           figures_are_of_each_kind_the_costliest, a_launch_to_predict_is_not_given_away, a_run_that_failed_is_a_cause,
           causes_name_the_line_to_look_at, a_refused_file_has_no_points, what_was_not_graded_says_why_and_has_no_score,
           what_was_seen_fits_a_word)
