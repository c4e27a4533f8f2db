#include "lab/result.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "report/words.h"

static void set(json_t *object, const char *key, json_t *value) {
    if (json_object_set_new(object, key, value) != 0) abort(); /* out of memory */
}

/* Left out when there is none. */
static void set_text(json_t *object, const char *key, const char *value) {
    Text text = {0};
    if (!value || !*value) return;
    words_utf8(&text, value, strlen(value));
    set(object, key, json_stringn(text_string(&text), text.length));
    text_free(&text);
}

static void set_failure(json_t *object, const LabFailure *failure) {
    set_text(object, "where", text_string(&failure->where));
    set_text(object, "message", text_string(&failure->message));
    set_text(object, "cause", text_string(&failure->cause));
}

static json_t *kernels_array(const Lab *lab) {
    json_t *array = json_array();
    for (uint32_t i = 0; i < lab->goals->n_kernels; i++) {
        const KernelResult *kernel = &lab->kernels[i];
        json_t *object = json_object();
        set_text(object, "name", lab->goals->kernels[i]);
        set(object, "correct", json_boolean(!kernel->wrong));
        set(object, "cases", json_integer(kernel->cases));
        if (kernel->wrong) set_failure(object, &kernel->failure);
        json_array_append_new(array, object);
    }
    return array;
}

static json_t *runs_array(const Lab *lab) {
    const Goals *goals = lab->goals;
    json_t *array = json_array();
    for (uint32_t i = 0; i < goals->n_runs; i++) {
        const RunResult *run = &lab->runs[i];
        json_t *object = json_object(), *values = json_object();
        set_text(object, "name", goals->runs[i].name);
        if (goals->runs[i].kernel >= 0) set_text(object, "kernel", goals->kernels[goals->runs[i].kernel]);
        set_text(object, "text", goals->runs[i].text);
        set_text(object, "note", text_string(&run->note));
        if (run->failed) set_failure(object, &run->failure);
        if (run->report) set(object, "report", json_incref(run->report));
        for (uint32_t v = 0; v < run->n_values; v++) set(values, run->values[v].name, json_real(run->values[v].value));
        if (run->n_values)
            set(object, "values", values);
        else
            json_decref(values);
        json_array_append_new(array, object);
    }
    return array;
}

static json_t *goals_array(const Lab *lab, const Score *score) {
    static const char *const kinds[] = {
        [GOAL_CORRECT] = "correct", [GOAL_METRIC] = "goal", [GOAL_LIMIT] = "limit", [GOAL_MEASURED] = "measured"};
    const Goals *goals = lab->goals;
    json_t *array = json_array();
    for (uint32_t i = 0; i < goals->n_goals; i++) {
        const Goal *goal = &goals->goals[i];
        const GoalResult *result = &score->goals[i];
        json_t *object = json_object();
        set_text(object, "name", goal->name);
        set_text(object, "kind", kinds[goal->kind]);
        set_text(object, "run", goals->runs[goal->run].name);
        set_text(object, "metric", goal->metric);
        if (result->has_value) set(object, "value", json_real(result->value));
        if (goal->kind != GOAL_CORRECT) set(object, "full", json_real(goal->full));
        if (goal->kind == GOAL_METRIC) set(object, "zero", json_real(goal->zero));
        if (goal->kind != GOAL_LIMIT && goal->kind != GOAL_MEASURED) {
            set(object, "score", json_real(result->score));
            set(object, "points", json_real(goal->points));
        }
        if (result->skipped) set(object, "skipped", json_true());
        set(object, "met", json_boolean(result->met));
        set_text(object, "reason", result->reason);
        if (!result->met && !result->skipped) set_text(object, "advice", goal->advice);
        json_array_append_new(array, object);
    }
    return array;
}

static json_t *head(const Lab *lab) {
    json_t *object = json_object();
    set_text(object, "lab", lab->goals->number);
    set_text(object, "slug", lab->goals->slug);
    set_text(object, "title", lab->goals->title);
    set_text(object, "file", lab->source.path);
    set_text(object, "compiler", lab->compiler);
    set_text(object, "device", lab->profile->name);
    return object;
}

static void dump(json_t *object, Text *out) {
    char *text = json_dumps(object, JSON_INDENT(2) | JSON_REAL_PRECISION(10));
    if (!text) abort();
    text_add(out, "%s\n", text);
    free(text);
    json_decref(object);
}

void result_json(const Lab *lab, const Score *score, Text *out) {
    json_t *object = head(lab);
    set(object, "seed", json_integer((json_int_t)lab->seed));
    set(object, "score", json_real(score->points));
    set(object, "points", json_real(lab->goals->points));
    set(object, "full", json_boolean(score->full));
    set(object, "kernels", kernels_array(lab));
    set(object, "runs", runs_array(lab));
    set(object, "goals", goals_array(lab, score));
    dump(object, out);
}

void result_refused(const Lab *lab, const char *why, Text *out) {
    json_t *object = head(lab);
    set(object, "score", json_real(0));
    set(object, "points", json_real(lab->goals->points));
    set(object, "full", json_false());
    set_text(object, "refused", why);
    dump(object, out);
}
