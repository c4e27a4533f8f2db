#include "lab/result.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "report/object.h"

/* Left out when there is none. */
static void set_text(json_t *object, const char *key, const char *value) {
    if (value && *value) object_text(object, key, value);
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
        object_set(object, "correct", json_boolean(!kernel->wrong));
        object_set(object, "cases", json_integer(kernel->cases));
        object_number(object, "effort", kernel->effort);
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
        if (run->report) object_set(object, "report", json_incref(run->report));
        for (uint32_t v = 0; v < run->n_values; v++) object_set(values, run->values[v].name, json_real(run->values[v].value));
        if (run->n_values)
            object_set(object, "values", values);
        else
            json_decref(values);
        json_array_append_new(array, object);
    }
    return array;
}

static json_t *goals_array(const Lab *lab, const Score *score) {
    const Goals *goals = lab->goals;
    json_t *array = json_array();
    for (uint32_t i = 0; i < goals->n_goals; i++) {
        const Goal *goal = &goals->goals[i];
        const GoalResult *result = &score->goals[i];
        json_t *object = json_object();
        set_text(object, "name", goal->name);
        set_text(object, "kind", goal_kind_name(goal));
        set_text(object, "run", goals->runs[goal->run].name);
        set_text(object, "metric", goal->metric);
        if (result->has_value) object_set(object, "value", json_real(result->value));
        if (goal->kind != GOAL_CORRECT) object_set(object, "full", json_real(goal->full));
        if (goal->kind == GOAL_METRIC) object_set(object, "zero", json_real(goal->zero));
        if (goal->kind == GOAL_CORRECT || goal->kind == GOAL_METRIC) {
            object_set(object, "score", json_real(result->score));
            object_set(object, "points", json_real(goal->points));
        }
        if (result->skipped) object_set(object, "skipped", json_true());
        if (goal->kind != GOAL_FIGURE) object_set(object, "met", json_boolean(result->met));
        set_text(object, "reason", result->reason);
        if (!result->met && !result->skipped) set_text(object, "advice", goal->advice);
        json_array_append_new(array, object);
    }
    return array;
}

static json_t *head_of(const Goals *goals, const char *file) {
    json_t *object = json_object();
    set_text(object, "lab", goals->number);
    set_text(object, "slug", goals->slug);
    set_text(object, "title", goals->title);
    set_text(object, "file", file);
    return object;
}

static json_t *head(const Lab *lab) {
    json_t *object = head_of(lab->goals, lab->name);
    set_text(object, "compiler", lab->compiler);
    set_text(object, "device", lab->profile->name);
    return object;
}

static void dump(json_t *object, Text *out) {
    object_write(object, JSON_INDENT(2) | JSON_REAL_PRECISION(10), out);
    text_add(out, "\n");
    json_decref(object);
}

void result_json(const Lab *lab, const Score *score, Text *out) {
    json_t *object = head(lab);
    object_set(object, "seed", json_integer((json_int_t)lab->seed));
    object_set(object, "score", json_real(score->points));
    object_set(object, "points", json_real(lab->goals->points));
    object_set(object, "full", json_boolean(score->full));
    if (lab->untouched) object_set(object, "begun", json_false());
    object_set(object, "kernels", kernels_array(lab));
    object_set(object, "runs", runs_array(lab));
    object_set(object, "goals", goals_array(lab, score));
    dump(object, out);
}

void result_refused(const Lab *lab, const char *why, Text *out) {
    json_t *object = head(lab);
    object_set(object, "score", json_real(0));
    object_set(object, "points", json_real(lab->goals->points));
    object_set(object, "full", json_false());
    set_text(object, "refused", why);
    dump(object, out);
}

void result_unable(const Goals *goals, const char *file, bool json, const char *why, Text *out) {
    if (!json) {
        text_add(out, "Lab %s %s was not graded, and that is not the file's fault:\n  %s\n", goals->number, goals->title, why);
        return;
    }
    json_t *object = head_of(goals, file), *error = json_object();
    set_text(error, "message", why);
    object_set(object, "error", error);
    dump(object, out);
}
