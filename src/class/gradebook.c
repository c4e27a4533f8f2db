#include "class/gradebook.h"

#include <math.h>
#include <string.h>

#include "base/visible.h"
#include "class/ongpu.h"
#include "class/pages.h"
#include "lab/ungraded.h"
#include "report/csv.h"
#include "report/html.h"
#include "report/object.h"

static bool put_out(const Class *class, const char *name, Text *text, Diag *diag) {
    bool good = out_put(&class->out, name, text_string(text), text->length, diag);
    text_free(text);
    return good;
}

/* --- CSV ------------------------------------------------------------------------------------------------------------------ */

static void add_number(Text *out, const json_t *number) {
    if (number)
        text_add(out, ",%.10g", json_number_value(number));
    else
        text_add(out, ",");
}

static bool counts(const Goal *goal) { return goal->points > 0; }

static Text title_of(const Goals *goals, const Goal *goal) {
    return goal->kind == GOAL_CORRECT ? text_from("correct %s", goals->runs[goal->run].name) : text_from("%s", goal->name);
}

static void add_csv_head(const Goals *goals, bool on_gpu, Text *out) {
    text_add(out, "submission,student,status,score,points,reason");
    for (uint32_t i = 0; i < goals->n_goals; i++) {
        if (!counts(&goals->goals[i])) continue;
        LOCAL_TEXT title = title_of(goals, &goals->goals[i]);
        csv_cell(out, text_string(&title));
    }
    if (on_gpu) text_add(out, ",gpu,on gpu");
    for (uint32_t i = 0; on_gpu && i < goals->n_goals; i++)
        if (goals->goals[i].kind == GOAL_MEASURED) csv_cell(out, goals->goals[i].name);
    text_add(out, "\r\n");
}

static const json_t *score_of(const json_t *result, size_t goal) {
    return json_object_get(json_array_get(json_object_get(json_object_get(result, "result"), "goals"), goal), "score");
}

static void add_measured(const Goals *goals, const json_t *measured, Text *line) {
    LOCAL_TEXT said = {0};
    double value;
    ongpu_add(measured, &said);
    csv_cell(line, object_string(measured, "device"));
    csv_cell(line, text_string(&said));
    for (uint32_t i = 0; i < goals->n_goals; i++) {
        if (goals->goals[i].kind != GOAL_MEASURED) continue;
        text_add(line, ",");
        if (ongpu_value(measured, goals->goals[i].name, &value)) text_add(line, "%.4g", value);
    }
}

static void add_csv(const Goals *goals, const json_t *result, bool on_gpu, Text *out) {
    LOCAL_TEXT line = {0};
    csv_cell(&line, object_string(result, "submission"));
    csv_cell(&line, object_string(result, "student"));
    csv_cell(&line, object_string(result, "status"));
    add_number(&line, json_object_get(result, "score"));
    add_number(&line, json_object_get(result, "points"));
    csv_cell(&line, object_string(result, "reason"));
    for (uint32_t i = 0; i < goals->n_goals; i++)
        if (counts(&goals->goals[i])) add_number(&line, score_of(result, i));
    if (on_gpu) add_measured(goals, json_object_get(result, "measured"), &line);
    text_add(out, "%s\r\n", text_string(&line));
}

/* --- JUnit ---------------------------------------------------------------------------------------------------------------- */

static void add_case(const char *class_name, const char *name, const char *kind, const char *message, Text *out) {
    html_put(out, "    <testcase classname=\"", class_name, "\" name=\"");
    html_add(out, name);
    if (!kind) {
        text_add(out, "\"/>\n");
        return;
    }
    text_add(out, "\"><%s message=\"", kind);
    html_put(out, "", message, "\"/></testcase>\n");
}

static void add_goal_case(const Goals *goals, uint32_t index, const json_t *goal, Text *out) {
    LOCAL_TEXT name = {0};
    const json_t *value = json_object_get(goal, "value");
    bool met = json_is_true(json_object_get(goal, "met"));
    const Goal *of = &goals->goals[index];
    text_add(&name, "%s%s%s", of->name, of->kind == GOAL_CORRECT ? " " : "",
             of->kind == GOAL_CORRECT ? goals->runs[of->run].name : "");
    LOCAL_TEXT why = text_from("%.10g of %.10g points", json_number_value(json_object_get(goal, "score")), of->points);
    if (value) text_add(&why, "; %.6g, full at %.6g", json_number_value(value), of->full);
    if (*object_string(goal, "reason")) text_add(&why, "; %s", object_string(goal, "reason"));
    add_case(goals->slug, text_string(&name), met ? NULL : "failure", text_string(&why), out);
}

static void add_suite(const Goals *goals, const json_t *result, Text *out) {
    const json_t *list = json_object_get(json_object_get(result, "result"), "goals");
    unsigned tests = 0, failures = 0, errors = 0;
    LOCAL_TEXT cases = {0};
    if (!list) {
        bool refused = strcmp(object_string(result, "status"), "refused") == 0;
        tests = 1;
        (refused ? &failures : &errors)[0] = 1;
        add_case(goals->slug, "graded", refused ? "failure" : "error", object_string(result, "reason"), &cases);
    }
    for (uint32_t i = 0; list && i < goals->n_goals; i++) {
        const json_t *goal = json_array_get(list, i);
        if (!counts(&goals->goals[i])) continue;
        tests++;
        failures += !json_is_true(json_object_get(goal, "met"));
        add_goal_case(goals, i, goal, &cases);
    }
    html_put(out, "  <testsuite name=\"", object_string(result, "submission"), "");
    text_add(out, "\" tests=\"%u\" failures=\"%u\" errors=\"%u\">\n%s  </testsuite>\n", tests, failures, errors,
             text_string(&cases));
}

/* --- JSON ----------------------------------------------------------------------------------------------------------------- */

static json_t *measured_object(const Goals *goals, const json_t *measured) {
    json_t *object = json_object(), *values = json_object();
    LOCAL_TEXT said = {0};
    double value;
    ongpu_add(measured, &said);
    result_text(object, "device", object_string(measured, "device"));
    result_text(object, "text", text_string(&said));
    for (uint32_t i = 0; i < goals->n_goals; i++)
        if (goals->goals[i].kind == GOAL_MEASURED && ongpu_value(measured, goals->goals[i].name, &value))
            object_set(values, goals->goals[i].name, object_real(value));
    object_set(object, "values", values);
    return object;
}

static json_t *row_of(const Goals *goals, const json_t *result, bool on_gpu) {
    json_t *row = json_object(), *scores = json_object();
    static const char *const keys[] = {"submission", "student", "status"};
    for (int i = 0; i < 3; i++) result_text(row, keys[i], object_string(result, keys[i]));
    json_t *score = json_object_get(result, "score");
    if (score) object_set(row, "score", json_incref(score));
    result_text(row, "reason", object_string(result, "reason"));
    for (uint32_t i = 0; i < goals->n_goals; i++) {
        const json_t *of_goal = score_of(result, i);
        if (!counts(&goals->goals[i]) || !of_goal) continue;
        LOCAL_TEXT name = title_of(goals, &goals->goals[i]);
        object_set(scores, text_string(&name), object_real(json_number_value(of_goal)));
    }
    object_set(row, "scores", scores);
    const json_t *measured = json_object_get(result, "measured");
    if (on_gpu && measured) object_set(row, "measured", measured_object(goals, measured));
    return row;
}

static void add_json(const Class *class, const Gradebook *book, const ClassTally *tally, json_t *rows, Text *out) {
    const Goals *goals = class->request.lab->goals;
    json_t *object = json_object(), *list = json_array();
    result_text(object, "lab", goals->number);
    result_text(object, "title", goals->title);
    object_set(object, "points", object_real(goals->points));
    object_number(object, "count", book->count);
    object_number(object, "graded", book->graded);
    object_number(object, "refused", book->refused);
    object_number(object, "ungraded", book->ungraded);
    object_number(object, "missing", book->missing);
    object_set(object, "mean", object_real(book->mean));
    for (uint32_t i = 0; i < goals->n_goals; i++) {
        if (!counts(&goals->goals[i])) continue;
        json_t *goal = json_object();
        result_text(goal, "name", goals->goals[i].name);
        result_text(goal, "run", goals->runs[goals->goals[i].run].name);
        object_set(goal, "points", object_real(goals->goals[i].points));
        object_set(goal, "mean", object_real(tally_mean(tally, i)));
        object_number(goal, "met", tally->goals[i].met);
        json_array_append_new(list, goal);
    }
    object_set(object, "goals", list);
    object_set(object, "submissions", rows);
    result_write(object, out);
}

/* --- all ------------------------------------------------------------------------------------------------------------------ */

static void note_absent(Gradebook *book, const Submission *submission) {
    if (book->missing++ >= 10) return;
    visible_add_line(&book->absent, submission->name);
    text_add(&book->absent, "\n");
}

static bool put_page(const Class *class, const Submission *submission, const json_t *result, Diag *diag) {
    LOCAL_TEXT path = class_path(submission, "index.html");
    Text page = {0};
    page_of_submission(class->request.lab->goals, result, &page);
    return put_out(class, text_string(&path), &page, diag);
}

static void count_result(Gradebook *book, const json_t *result, bool on_gpu) {
    const char *status = object_string(result, "status");
    if (strcmp(status, "graded") == 0) book->graded++;
    if (strcmp(status, "refused") == 0) book->refused++;
    if (strcmp(status, "ungraded") == 0) book->ungraded++;
    book->unmeasured += on_gpu && ongpu_is_wanted(result);
    if (json_object_get(result, "score"))
        book->mean +=
            json_number_value(json_object_get(result, "score")) / fmax(1, json_number_value(json_object_get(result, "points")));
}

bool gradebook_write(const Class *class, Gradebook *book, Diag *diag) {
    const Goals *goals = class->request.lab->goals;
    const bool on_gpu = class->request.on_gpu;
    Text csv = {0}, json = {0}, page = {0};
    json_t *rows = json_array();
    ClassTally tally;
    int claim = class_lock(class, "book", ""); /* of two graders the last one finds all results */
    tally_begin(&tally, goals);
    *book = (Gradebook){.count = class->submissions.count};
    add_csv_head(goals, on_gpu, &csv);
    Text xml = text_from("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites name=\"lab %s\">\n", goals->number);
    for (size_t i = 0; i < class->submissions.count && !diag->set; i++) {
        const Submission *submission = &class->submissions.items[i];
        json_auto_t *result = class_result(class, submission);
        if (!result) {
            note_absent(book, submission);
            continue;
        }
        count_result(book, result, on_gpu);
        add_csv(goals, result, on_gpu, &csv);
        add_suite(goals, result, &xml);
        tally_add(&tally, submission, result);
        json_array_append_new(rows, row_of(goals, result, on_gpu));
        put_page(class, submission, result, diag);
    }
    text_add(&xml, "</testsuites>\n");
    if (book->graded + book->refused) book->mean /= (double)(book->graded + book->refused);
    add_json(class, book, &tally, rows, &json);
    page_of_class(class, book, &tally, &page);
    bool good = !diag->set && page_put_style(&class->out, diag);
    good = put_out(class, "gradebook.csv", &csv, diag) && good;
    good = put_out(class, "gradebook.json", &json, diag) && good;
    good = put_out(class, "junit.xml", &xml, diag) && good;
    good = put_out(class, "index.html", &page, diag) && good;
    tally_end(&tally);
    class_unlock(claim);
    return good;
}
