/* formats.h: the platforms' formats: which keys there may be, which there must be, and of which type. */
#pragma once

#include <assert.h>
#include <jansson.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "lab/export.h"

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

/* Whole numbers, none below 0, and no more than there is to have. */
static bool is_share(const json_t *object) {
    const json_t *score = json_object_get(object, "score"), *most = json_object_get(object, "max-score");
    return json_is_integer(score) && json_is_integer(most) && json_integer_value(score) >= 0 &&
           json_integer_value(score) <= json_integer_value(most);
}

/* Classroom 50, "Advanced Autograding", The result.json contract: the sums are those of the tests, and 0 of 0 with no tests is an error's. The
 * names of classroom, assignment, submission and its pages are the package's to add; "message" is one of the tests' own, kept as it is. */
static bool fits_classroom50(const json_t *object, bool was_graded) {
    const json_t *tests = json_object_get(object, "tests");
    static const char *const added[] = {"classroom", "assignment", "submission", "commit", "release", "review", "datetime"};
    json_t *own = json_deep_copy(object);
    for (size_t i = 0; i < sizeof added / sizeof *added; i++) json_object_del(own, added[i]);
    bool good = fits(own, "schema:s score:n max-score:n tests:a");
    json_decref(own);
    for (size_t i = 0; i < json_array_size(tests); i++) good = good && is_share(json_array_get(tests, i));
    return good && is_one_of(object, "schema", "classroom50/result/v1") && is_share(object) &&
           all_fit(tests, "test-name:s passed:b score:n max-score:n message:s") &&
           sum_of(tests, "score") == json_number_value(json_object_get(object, "score")) &&
           sum_of(tests, "max-score") == json_number_value(json_object_get(object, "max-score")) &&
           (json_number_value(json_object_get(object, "max-score")) > 0) == was_graded &&
           (json_array_size(tests) > 0) == was_graded;
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
    case EXPORT_CLASSROOM50: good = good && fits_classroom50(object, was_graded); break;
    case EXPORT_MOODLE: good = good && (*text != ',') == was_graded && strchr(text, '\n') == text + strlen(text) - 1; break;
    case EXPORT_TEXT: good = good && *text; break;
    }
    json_decref(object);
    return good;
}
