#include "lab/export.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/visible.h"
#include "report/csv.h"
#include "report/html.h"
#include "report/object.h"
#include "report/page.h"
#include "report/plain.h"

enum { POINTS_MOST = 100000 };   /* of a lab: far more than any has, and few enough to be counted in hundredths */
enum { SHOWN_BYTES = 16 << 10 }; /* of one message: PrairieLearn takes 1 MB in all, JSON needs six bytes for some */

typedef struct Test {
    Text name, about, says; /* about: what was run; says: why, or how far it is */
    bool is_kernel, passed, has_points;
    double score, points;
} Test;

typedef struct Verdict {
    json_t *result; /* NULL: none */
    const char *lab, *title;
    bool graded, refused; /* refused: it does not compile, or there is no file to compile */
    double score, points;
    Text head, why;  /* one sentence; of what was not graded or is refused: why */
    Text unmeasured; /* a line for each reason for which limits were not measured, and one for what a real GPU would measure */
    Test *tests;
    size_t n_tests;
} Verdict;

/* --- reading -------------------------------------------------------------------------------------------------------------- */

static double number_of(const json_t *object, const char *key) { return json_number_value(json_object_get(object, key)); }
static bool truth_of(const json_t *object, const char *key) { return json_is_true(json_object_get(object, key)); }

/* What others wrote, without what moves a cursor, and not too much of it. */
static void add_foreign(Text *out, const char *text) {
    size_t length = strlen(text);
    visible_add(out, text, length < SHOWN_BYTES ? length : SHOWN_BYTES);
    if (length >= SHOWN_BYTES) text_add(out, "\n(cut here)");
}

static void add_sentence(Text *out, const char *text) {
    if (*text && out->length) text_add(out, "\n");
    add_foreign(out, text);
}

static Test *new_test(Verdict *verdict) {
    Test *test = &ALLOC_ADD(verdict->tests, verdict->n_tests);
    *test = (Test){0};
    return test;
}

static void read_kernel(Verdict *verdict, const json_t *kernel) {
    Test *test = new_test(verdict);
    test->is_kernel = true;
    test->passed = truth_of(kernel, "correct");
    text_add(&test->name, "kernel %s", object_string(kernel, "name"));
    text_add(&test->about, "its results");
    if (test->passed) {
        text_add(&test->says, "right in ");
        plain_count(&test->says, (uint64_t)json_integer_value(json_object_get(kernel, "cases")), "case");
    } else if (*object_string(kernel, "where")) {
        text_add(&test->says, "wrong with ");
        add_foreign(&test->says, object_string(kernel, "where"));
    }
    add_sentence(&test->says, object_string(kernel, "message"));
    if (*object_string(kernel, "cause")) {
        add_sentence(&test->says, "probable cause: ");
        add_foreign(&test->says, object_string(kernel, "cause"));
    }
}

/* As the labs' own programs write it; in full where it would read like another number that it is not. */
static void add_value(Text *out, double value, double other) {
    const Plain plain = plain_value(value);
    if (value != other && strcmp(plain.text, plain_value(other).text) == 0)
        text_add(out, "%.17g", value);
    else
        text_add(out, "%s", plain.text);
}

static bool is_limit(const json_t *goal) {
    const char *kind = object_string(goal, "kind");
    return strcmp(kind, "limit") == 0 || strcmp(kind, "rule") == 0;
}

static const json_t *named_of(const json_t *array, const char *name) {
    size_t i;
    const json_t *item;
    json_array_foreach(array, i, item) if (strcmp(object_string(item, "name"), name) == 0) return item;
    return NULL;
}

/* "4.5; full points at 1, none at 4.5": the number, or why there is none, and what to do. What a wrong kernel's goals advise is
 * no remedy: nothing was measured. */
static void add_goal_text(const Verdict *verdict, Test *test, const json_t *goal, const json_t *run) {
    const json_t *kernel = named_of(json_object_get(verdict->result, "kernels"), object_string(run, "kernel"));
    if (json_is_false(json_object_get(kernel, "correct"))) {
        text_add(&test->says, "not measured: ");
        add_foreign(&test->says, object_string(goal, "reason"));
        return;
    }
    if (json_object_get(goal, "value")) {
        const double value = number_of(goal, "value"), full = number_of(goal, "full");
        add_value(&test->says, value, test->passed ? value : full);
        text_add(&test->says, is_limit(goal) ? "; at most " : "; full points at ");
        add_value(&test->says, full, test->passed ? full : value);
        if (is_limit(goal))
            text_add(&test->says, " is allowed");
        else
            text_add(&test->says, ", none at %s", plain_value(number_of(goal, "zero")).text);
    }
    add_sentence(&test->says, object_string(goal, "reason"));
    if (!test->passed) add_sentence(&test->says, object_string(run, "note"));
    add_sentence(&test->says, object_string(goal, "advice"));
}

static bool is_unmeasured(const json_t *goal) {
    return is_limit(goal) && !truth_of(goal, "met") && !json_object_get(goal, "value");
}

static void read_goal(Verdict *verdict, const json_t *goal) {
    const char *kind = object_string(goal, "kind");
    const bool has_points = strcmp(kind, "goal") == 0 || strcmp(kind, "correct") == 0;
    const bool met = truth_of(goal, "met");
    if (is_unmeasured(goal) || (!has_points && (!is_limit(goal) || met))) return;
    const json_t *run = named_of(json_object_get(verdict->result, "runs"), object_string(goal, "run"));
    Test *test = new_test(verdict);
    text_add(&test->name, "%s%s", is_limit(goal) ? "limit " : "", object_string(goal, "name"));
    if (*object_string(goal, "run")) text_add(&test->name, " (%s)", object_string(goal, "run"));
    text_add(&test->about, "%s", object_string(run, "text"));
    test->passed = met;
    test->has_points = has_points;
    test->score = number_of(goal, "score");
    test->points = number_of(goal, "points");
    add_goal_text(verdict, test, goal, run);
}

/* A limit that was not measured was neither kept nor gone over: it is no test, but it is told, once for each reason. */
static void read_unmeasured(Verdict *verdict, const json_t *goals) {
    size_t i, j, skipped = 0;
    const json_t *goal, *other;
    json_array_foreach(goals, i, goal) {
        const char *reason = object_string(goal, "reason");
        size_t count = 0, first = i;
        skipped += truth_of(goal, "skipped");
        if (!is_unmeasured(goal)) continue;
        json_array_foreach(goals, j, other) {
            if (!is_unmeasured(other) || strcmp(object_string(other, "reason"), reason) != 0) continue;
            if (count++ == 0) first = j;
        }
        if (first != i) continue;
        add_sentence(&verdict->unmeasured, "not measured, so neither kept nor gone over: ");
        plain_count(&verdict->unmeasured, count, "limit");
        text_add(&verdict->unmeasured, *reason ? ", since " : "");
        add_foreign(&verdict->unmeasured, reason);
    }
    if (!skipped) return;
    add_sentence(&verdict->unmeasured, "skipped, and worth no points: ");
    plain_count(&verdict->unmeasured, skipped, "goal");
    text_add(&verdict->unmeasured, " for a real GPU");
}

/* Platforms add the tests' points up. Where that would not be the score, as for an exercise that was not begun, one test has all of it. */
static void settle_points(Verdict *verdict) {
    double sum = 0;
    for (size_t i = 0; i < verdict->n_tests; i++) sum += verdict->tests[i].has_points ? verdict->tests[i].score : 0;
    if (fabs(sum - verdict->score) < 1e-6) return;
    for (size_t i = 0; i < verdict->n_tests; i++) verdict->tests[i].has_points = false;
    Test *test = new_test(verdict);
    text_add(&test->name, "points");
    text_add(&test->says, "%s", text_string(&verdict->head));
    test->has_points = true;
    test->score = verdict->score;
    test->points = verdict->points;
    test->passed = verdict->score >= verdict->points;
}

static void read_graded(Verdict *verdict) {
    const json_t *result = verdict->result, *item;
    const bool begun = !json_is_false(json_object_get(result, "begun"));
    size_t i;
    verdict->refused = json_object_get(result, "refused");
    text_add(&verdict->head, "Lab %s %s: %g of %g points%s", verdict->lab, verdict->title, verdict->score, verdict->points,
             verdict->refused ? ", refused"
             : begun          ? ""
                              : ", not begun");
    if (!verdict->refused) {
        json_array_foreach(json_object_get(result, "kernels"), i, item) read_kernel(verdict, item);
        json_array_foreach(json_object_get(result, "goals"), i, item) read_goal(verdict, item);
        read_unmeasured(verdict, json_object_get(result, "goals"));
    } else {
        Test *test = new_test(verdict);
        add_foreign(&verdict->why, object_string(result, "refused"));
        text_add(&test->name, "the file can be graded");
        text_add(&test->says, "%s", text_string(&verdict->why));
        test->has_points = true;
        test->points = verdict->points;
    }
    settle_points(verdict);
}

/* Of a result or a goal: whether its points are such, and its score a share of them, but for rounding. */
static bool has_score(const json_t *object) {
    const double score = number_of(object, "score"), points = number_of(object, "points");
    return points >= 0 && points <= POINTS_MOST && score >= 0 && score <= points + 1e-6;
}

static bool has_scores(const json_t *result) {
    const json_t *goal;
    size_t i;
    json_array_foreach(json_object_get(result, "goals"), i, goal) if (!has_score(goal)) return false;
    return has_score(result);
}

static void verdict_read(Verdict *verdict, const char *lab, const char *bytes, size_t length, Diag *diag) {
    json_error_t error;
    *verdict = (Verdict){.result = json_loadb(bytes, length, 0, &error)};
    const json_t *result = verdict->result, *score = json_object_get(result, "score");
    const char *message = object_string(json_object_get(result, "error"), "message");
    verdict->lab = *object_string(result, "lab") ? object_string(result, "lab") : lab;
    verdict->title = object_string(result, "title");
    verdict->points = number_of(result, "points");
    verdict->score = number_of(result, "score");
    verdict->graded = json_is_number(score) && verdict->points > 0 && !json_object_get(result, "error") && has_scores(result);
    if (verdict->graded) {
        read_graded(verdict);
        return;
    }
    text_add(&verdict->head, "Lab %s%scould not be graded: no points were given or taken.", verdict->lab,
             *verdict->lab ? " " : "");
    add_foreign(&verdict->why, *message ? message : "the grader ended without a result");
    if (!result)
        diag_error(diag, "", (unsigned)(error.line > 0 ? error.line : 0), 0, "no result: %.200s", error.text);
    else if (json_is_number(score) && !has_scores(result))
        diag_say(diag, "no result: a score is not from 0 to its points, or these are not from 0 to %d", POINTS_MOST);
    else if (!*message)
        diag_say(diag, "no result: it has neither a score nor an error with a message");
    if (diag->set) diag_hint(diag, "give what warpscope lab grade LAB --json --submission FILE printed");
}

static void verdict_free(Verdict *verdict) {
    for (size_t i = 0; i < verdict->n_tests; i++) {
        text_free(&verdict->tests[i].name);
        text_free(&verdict->tests[i].about);
        text_free(&verdict->tests[i].says);
    }
    free(verdict->tests);
    text_free(&verdict->head);
    text_free(&verdict->why);
    text_free(&verdict->unmeasured);
    json_decref(verdict->result);
}

/* --- for people ----------------------------------------------------------------------------------------------------------- */

/* Each line of the text behind the label, wrapped; a line of source, or of carets below one, begins with a blank and stays where it is. So no
 * line begins as a platform's own lines may. */
static void add_lines(Text *out, const char *label, const char *text) {
    while (*text) {
        size_t length = strcspn(text, "\n");
        LOCAL_TEXT line = {0};
        text_add_bytes(&line, text, length);
        if (*text == ' ' && length <= PAGE_COLUMNS)
            text_add(out, "%s\n", text_string(&line));
        else
            plain_wrap(out, PAGE_COLUMNS, label, text_string(&line));
        text += length + (text[length] == '\n');
    }
}

static void add_test_text(const Test *test, Text *out) {
    LOCAL_TEXT label = {0}, points = {0}, line = {0};
    if (test->has_points) text_add(&points, "%g of %g", test->score, test->points);
    text_add(&label, "%-6s %-12s ", test->passed ? "passed" : "MISSED", text_string(&points));
    text_add(&line, "%s%s%s", text_string(&test->name), test->about.length ? ": " : "", text_string(&test->about));
    plain_wrap(out, PAGE_COLUMNS, text_string(&label), text_string(&line));
    if (!test->passed) add_lines(out, "    ", text_string(&test->says));
}

static void write_text(const Verdict *verdict, Text *out) {
    plain_wrap(out, PAGE_COLUMNS, "", text_string(&verdict->head));
    if (!verdict->graded) {
        add_lines(out, "  ", text_string(&verdict->why));
        return;
    }
    if (json_object_get(verdict->result, "seed"))
        text_add(out, "compiled by %s, %s emulated, seed %" JSON_INTEGER_FORMAT "\n",
                 object_string(verdict->result, "compiler"), object_string(verdict->result, "device"),
                 json_integer_value(json_object_get(verdict->result, "seed")));
    add_lines(out, "", text_string(&verdict->unmeasured));
    text_add(out, "\n");
    for (size_t i = 0; i < verdict->n_tests; i++) add_test_text(&verdict->tests[i], out);
}

/* --- the platforms -------------------------------------------------------------------------------------------------------- */

static void set_string(json_t *object, const char *key, const Text *text) { object_text(object, key, text_string(text)); }

static void append(json_t *array, json_t *value) {
    if (json_array_append_new(array, value) != 0) abort(); /* out of memory */
}

/* One line, and frees the object. */
static void add_line(json_t *object, Text *out) {
    object_write(object, JSON_REAL_PRECISION(10), out);
    text_add(out, "\n");
    json_decref(object);
}

static void add_page(json_t *object, Text *out) {
    object_write(object, JSON_INDENT(2) | JSON_REAL_PRECISION(10), out);
    text_add(out, "\n");
    json_decref(object);
}

/* Two texts, one below the other. */
static void set_both(json_t *object, const char *key, const char *first, const Text *second) {
    LOCAL_TEXT text = text_from("%s%s%s", first, second->length ? "\n" : "", text_string(second));
    object_text(object, key, text_string(&text));
}

static void set_head(json_t *object, const char *key, const Verdict *verdict) {
    set_both(object, key, text_string(&verdict->head), verdict->graded ? &verdict->unmeasured : &verdict->why);
}

static void write_gradescope(const Verdict *verdict, Text *out) {
    static const char *const kept[] = {"lab", "slug", "compiler", "device", "seed"};
    json_t *object = json_object(), *extra = json_object(), *tests = json_array(), *leaderboard = json_array(), *goal;
    size_t i;
    if (verdict->graded) object_set(object, "score", object_real(verdict->score));
    set_head(object, "output", verdict);
    object_text(object, "output_format", "text");
    object_text(object, "test_output_format", "text");
    object_text(object, "test_name_format", "text");
    object_text(object, "visibility", "visible");
    object_text(object, "stdout_visibility", "hidden");
    for (i = 0; i < sizeof kept / sizeof *kept; i++)
        if (json_object_get(verdict->result, kept[i]))
            object_set(extra, kept[i], json_incref(json_object_get(verdict->result, kept[i])));
    object_set(object, "extra_data", extra);
    for (i = 0; i < verdict->n_tests; i++) {
        const Test *test = &verdict->tests[i];
        json_t *item = json_object();
        if (test->has_points) {
            object_set(item, "score", object_real(test->score));
            object_set(item, "max_score", object_real(test->points));
        }
        object_text(item, "status", test->passed ? "passed" : "failed");
        set_string(item, "name", &test->name);
        set_string(item, "output", &test->says);
        append(tests, item);
    }
    json_array_foreach(json_object_get(verdict->result, "goals"), i, goal) {
        if (!verdict->graded || strcmp(object_string(goal, "kind"), "figure") != 0 || !json_object_get(goal, "value")) continue;
        json_t *item = json_object();
        object_text(item, "name", object_string(goal, "name"));
        object_set(item, "value", object_real(number_of(goal, "value")));
        append(leaderboard, item);
    }
    if (json_array_size(tests)) object_set(object, "tests", json_incref(tests));
    if (json_array_size(leaderboard)) object_set(object, "leaderboard", json_incref(leaderboard));
    json_decref(tests);
    json_decref(leaderboard);
    add_page(object, out);
}

/* {"_presentation": "semantic", "stages": ["Kernels", "Goals"], "Kernels": {NAME: {"passed": true}}, …} */
static void add_presentation(const Verdict *verdict, Text *out) {
    static const char *const stages[] = {"Goals", "Kernels"};
    json_t *object = json_object(), *names = json_array(), *tables[2] = {json_object(), json_object()};
    object_text(object, "_presentation", "semantic");
    for (size_t i = 0; i < verdict->n_tests; i++) {
        const Test *test = &verdict->tests[i];
        json_t *item = json_object();
        object_set(item, "passed", json_boolean(test->passed));
        if (!test->passed) set_string(item, "hint", &test->says);
        object_set(tables[test->is_kernel], text_string(&test->name), item);
    }
    for (int which = 1; which >= 0; which--) {
        if (json_object_size(tables[which])) append(names, json_string(stages[which]));
    }
    object_set(object, "stages", names);
    for (int which = 1; which >= 0; which--) {
        if (json_object_size(tables[which])) object_set(object, stages[which], json_incref(tables[which]));
        json_decref(tables[which]);
    }
    add_line(object, out);
}

/* The scoreboard has a column for the points and one for each figure; a figure that has no value is at the end. */
static void write_autolab(const Verdict *verdict, Text *out) {
    json_t *object = json_object(), *scores = json_object(), *board = json_array(), *goal;
    LOCAL_TEXT problem = {0};
    size_t i;
    write_text(verdict, out);
    if (verdict->graded) add_presentation(verdict, out);
    text_add(&problem, "Lab %s", verdict->lab);
    object_set(scores, text_string(&problem), verdict->graded ? object_real(verdict->score) : json_null());
    object_set(object, "scores", scores);
    append(board, object_real(verdict->score));
    json_array_foreach(json_object_get(verdict->result, "goals"), i, goal) {
        if (strcmp(object_string(goal, "kind"), "figure") == 0) append(board, object_real(number_of(goal, "value")));
    }
    if (verdict->graded && json_array_size(board) > 1) object_set(object, "scoreboard", json_incref(board));
    json_decref(board);
    add_line(object, out);
}

/* What is refused is invalid to PrairieLearn, which then gives no points: the head must not speak of 0. */
static void write_prairielearn(const Verdict *verdict, Text *out) {
    json_t *object = json_object();
    object_set(object, "gradable", json_boolean(verdict->graded && !verdict->refused));
    if (!verdict->graded || verdict->refused) {
        LOCAL_TEXT head = text_from("Lab %s %s: refused, and no attempt is counted.", verdict->lab, verdict->title);
        set_both(object, "message", text_string(verdict->graded ? &head : &verdict->head), &verdict->why);
        if (verdict->graded) set_string(object, "format_errors", &verdict->why);
        add_page(object, out);
        return;
    }
    json_t *tests = json_array();
    object_set(object, "score", object_real(fmin(1, fmax(0, verdict->score / verdict->points))));
    set_head(object, "message", verdict);
    for (size_t i = 0; i < verdict->n_tests; i++) {
        const Test *test = &verdict->tests[i];
        json_t *item = json_object();
        set_string(item, "name", &test->name);
        set_string(item, "description", &test->about);
        if (test->has_points) {
            object_set(item, "points", object_real(test->score));
            object_set(item, "max_points", object_real(test->points));
        }
        set_string(item, "message", &test->says);
        append(tests, item);
    }
    object_set(object, "tests", tests);
    add_page(object, out);
}

/* Classroom 50 takes whole numbers alone: hundredths of a point, to which goals are rounded. Whose result it is, the package adds. */
static json_int_t hundredths(double points) { return (json_int_t)llround(points * 100); }

static void write_classroom50(const Verdict *verdict, Text *out) {
    json_t *object = json_object(), *tests = json_array();
    json_int_t score = 0, most = 0;
    for (size_t i = 0; i < verdict->n_tests; i++) {
        const Test *test = &verdict->tests[i];
        const json_int_t got = test->has_points ? hundredths(test->score) : 0,
                         full = test->has_points ? hundredths(test->points) : 0;
        json_t *item = json_object();
        set_string(item, "test-name", &test->name);
        object_set(item, "passed", json_boolean(test->passed));
        object_set(item, "score", json_integer(got));
        object_set(item, "max-score", json_integer(full));
        set_string(item, "message", &test->says);
        append(tests, item);
        score += got, most += full;
    }
    object_text(object, "schema", "classroom50/result/v1");
    object_set(object, "score", json_integer(score));
    object_set(object, "max-score", json_integer(most));
    object_set(object, "tests", tests);
    add_page(object, out);
}

/* The comment is one line: the worksheet is read by spreadsheets and by people, and all the rest is in the report. */
static void write_moodle(const Verdict *verdict, Text *out) {
    LOCAL_TEXT comment = {0}, html = {0}, cell = {0};
    const char *why = text_string(&verdict->why);
    text_add(&comment, "%s%s", text_string(&verdict->head), verdict->refused ? ": " : "");
    if (verdict->refused) text_add_bytes(&comment, why, strcspn(why, "\n"));
    html_add(&html, text_string(&comment));
    csv_cell(&cell, text_string(&html));
    if (verdict->graded) text_add(out, "%.7g", verdict->score);
    text_add(out, ",%s\n", text_string(&cell));
}

static const struct {
    const char *name;
    void (*write)(const Verdict *verdict, Text *out);
} platforms[] = {
    [EXPORT_GRADESCOPE] = {"gradescope", write_gradescope},
    [EXPORT_AUTOLAB] = {"autolab", write_autolab},
    [EXPORT_PRAIRIELEARN] = {"prairielearn", write_prairielearn},
    [EXPORT_CLASSROOM50] = {"classroom50", write_classroom50},
    [EXPORT_MOODLE] = {"moodle", write_moodle},
    [EXPORT_TEXT] = {"text", write_text},
};

enum { N_PLATFORMS = sizeof platforms / sizeof *platforms };

bool export_find(const char *name, ExportPlatform *platform, Diag *diag) {
    LOCAL_TEXT names = {0};
    for (size_t i = 0; i < N_PLATFORMS; i++) {
        *platform = (ExportPlatform)i;
        if (strcmp(name, platforms[i].name) == 0) return true;
        text_add(&names, "%s%s", i ? ", " : "", platforms[i].name);
    }
    diag_say(diag, "there is no platform '%.50s'", name);
    return diag_hint(diag, "there are %s", text_string(&names));
}

bool export_result(ExportPlatform platform, const char *lab, const char *result, size_t length, Text *out, Diag *diag) {
    Verdict verdict;
    verdict_read(&verdict, lab, result, length, diag);
    platforms[platform].write(&verdict, out);
    const bool graded = verdict.graded;
    verdict_free(&verdict);
    return graded;
}
