#include "lab/result.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "lab/case.h"
#include "lab/causes.h"
#include "lab/outcome.h"
#include "lab/relaunch.h"
#include "lab/ungraded.h"
#include "report/object.h"
#include "report/spot.h"
#include "report/svg.h"

static void set_failure(json_t *object, const LabFailure *failure) {
    result_text(object, "where", text_string(&failure->where));
    result_text(object, "message", text_string(&failure->message));
    result_text(object, "cause", text_string(&failure->cause));
}

static json_t *kernels_array(const Lab *lab) {
    json_t *array = json_array();
    for (uint32_t i = 0; i < lab->goals->n_kernels; i++) {
        const KernelResult *kernel = &lab->kernels[i];
        json_t *object = json_object();
        result_text(object, "name", lab->goals->kernels[i]);
        object_set(object, "correct", json_boolean(!kernel->wrong));
        object_set(object, "cases", json_integer(kernel->cases));
        object_number(object, "effort", kernel->effort);
        if (kernel->wrong) set_failure(object, &kernel->failure);
        if (kernel->relaunch) object_set(object, "launch", json_incref(kernel->relaunch));
        result_text(object, "printed_with", text_string(&kernel->printed_with));
        result_text(object, "printed", text_string(&kernel->printed));
        json_array_append_new(array, object);
    }
    return array;
}

static void add_figure(const Report *report, const Sample *sample, json_t *array) {
    LOCAL_TEXT access = {0}, svg = {0};
    json_t *object = json_object();
    spot_add_kind(sample->access.space, spot_op(&sample->access), &access);
    report_svg(report, sample, &svg);
    object_text(object, "access", text_string(&access));
    object_text(object, "svg", text_string(&svg));
    json_array_append_new(array, object);
}

/* Of each kind of access the costliest. */
static json_t *figures_array(const LabCase *kept) {
    const Report report = case_report(kept);
    const Sample *worst = report_worst(&report), *kinds[SPACE_COUNT][COUNTER_OPS] = {{NULL}};
    const Counters *counters = report.result->counters;
    json_t *array = json_array();
    for (uint32_t pc = 0; pc < counters->n_insns; pc++) {
        const Sample *sample = &counters->insns[pc].worst;
        uint8_t space = sample->access.space;
        if (!sample->cost || (space != SPACE_GLOBAL && space != SPACE_SHARED)) continue;
        const Sample **kind = &kinds[space][spot_op(&sample->access)];
        if (!*kind || sample->cost > (*kind)->cost) *kind = sample;
    }
    if (worst && (worst->access.space == SPACE_GLOBAL || worst->access.space == SPACE_SHARED)) {
        kinds[worst->access.space][spot_op(&worst->access)] = NULL;
        add_figure(&report, worst, array);
    }
    for (size_t i = 0; i < SPACE_COUNT * COUNTER_OPS; i++)
        if (kinds[i / COUNTER_OPS][i % COUNTER_OPS]) add_figure(&report, kinds[i / COUNTER_OPS][i % COUNTER_OPS], array);
    return array;
}

/* Whether the run is of a kernel whose numbers are predicted, and they are not right yet: then they must not be told. */
static bool is_to_predict(const Lab *lab, const Score *score, uint32_t run) {
    bool predicted = false, missed = false;
    for (uint32_t v = 0; v < lab->runs[run].n_values; v++)
        predicted |= strncmp(lab->runs[run].values[v].name, "given.", 6) == 0;
    for (uint32_t g = 0; g < lab->goals->n_goals; g++) missed |= lab->goals->goals[g].run == run && !score->goals[g].met;
    return predicted && missed;
}

static json_t *runs_array(const Lab *lab, const Score *score, bool figures) {
    const Goals *goals = lab->goals;
    json_t *array = json_array();
    for (uint32_t i = 0; i < goals->n_runs; i++) {
        const RunResult *run = &lab->runs[i];
        json_t *object = json_object(), *values = json_object();
        result_text(object, "name", goals->runs[i].name);
        if (goals->runs[i].kernel >= 0) result_text(object, "kernel", goals->kernels[goals->runs[i].kernel]);
        result_text(object, "text", goals->runs[i].text);
        result_text(object, "note", text_string(&run->note));
        if (run->failed) set_failure(object, &run->failure);
        if (run->report) object_set(object, "report", json_incref(run->report));
        if (figures && run->kept) object_set(object, "figures", figures_array(run->kept));
        const bool to_predict = is_to_predict(lab, score, i);
        if (to_predict) object_set(object, "to_predict", json_true());
        if (run->kept && run->kept->words.length && !to_predict)
            object_set(object, "launch", relaunch_object(run->kept, &run->kept->words));
        for (uint32_t v = 0; v < run->n_values; v++) object_set(values, run->values[v].name, object_real(run->values[v].value));
        if (run->n_values)
            object_set(object, "values", values);
        else
            json_decref(values);
        json_array_append_new(array, object);
    }
    return array;
}

static void set_picture(json_t *object, const Lab *lab, const Score *score, uint32_t goal) {
    LOCAL_TEXT picture = {0};
    result_picture(lab, score, goal, &picture);
    result_text(object, "picture", text_string(&picture));
}

static json_t *goals_array(const Lab *lab, const Score *score, bool shown) {
    const Goals *goals = lab->goals;
    json_t *array = json_array();
    for (uint32_t i = 0; i < goals->n_goals; i++) {
        const Goal *goal = &goals->goals[i];
        const GoalResult *result = &score->goals[i];
        json_t *object = json_object();
        result_text(object, "name", goal->name);
        result_text(object, "kind", goal_kind_name(goal));
        result_text(object, "run", goals->runs[goal->run].name);
        result_text(object, "metric", goal->metric);
        if (result->has_value) object_set(object, "value", object_real(result->value));
        if (goal->kind != GOAL_CORRECT) object_set(object, "full", object_real(goal->full));
        if (goal->kind == GOAL_METRIC) object_set(object, "zero", object_real(goal->zero));
        if (goal->kind == GOAL_CORRECT || goal->kind == GOAL_METRIC) {
            object_set(object, "score", object_real(result->score));
            object_set(object, "points", object_real(goal->points));
        }
        if (result->skipped) object_set(object, "skipped", json_true());
        if (goal->kind != GOAL_FIGURE) object_set(object, "met", json_boolean(result->met));
        result_text(object, "reason", result->reason);
        LOCAL_TEXT advice = {0};
        if (!result->met && !result->skipped) causes_advise(lab, score, i, &advice);
        result_text(object, "advice", text_string(&advice));
        if (shown && goal->kind == GOAL_METRIC && !result->met) set_picture(object, lab, score, i);
        json_array_append_new(array, object);
    }
    return array;
}

static json_t *head(const Lab *lab) {
    json_t *object = result_head(lab->goals, lab->name);
    result_text(object, "compiler", lab->compiler);
    result_text(object, "device", lab->profile->name);
    return object;
}

static void set_shown(json_t *object, const Lab *lab, const Score *score) {
    LOCAL_TEXT text = {0};
    result_show(lab, score, &text);
    result_text(object, "shown", text_string(&text));
}

void result_json(const Lab *lab, const Score *score, ResultParts parts, Text *out) {
    json_t *object = head(lab);
    object_set(object, "seed", json_integer((json_int_t)lab->seed));
    object_set(object, "score", object_real(score->points));
    object_set(object, "points", object_real(lab->goals->points));
    object_set(object, "full", json_boolean(score->full));
    if (lab->untouched) object_set(object, "begun", json_false());
    if (lab->goals->n_varied && lab_variant(lab)) object_set(object, "variant", json_integer(lab_variant(lab)));
    if (score_is_foreign(lab)) object_set(object, "asked_variant", json_integer((json_int_t)lab->asked_variant));
    object_set(object, "kernels", kernels_array(lab));
    object_set(object, "runs", runs_array(lab, score, parts.figures));
    object_set(object, "goals", goals_array(lab, score, parts.shown));
    object_set(object, "causes", causes_array(lab, score));
    if (parts.shown) set_shown(object, lab, score);
    result_write(object, out);
}

void result_refused(const Lab *lab, const char *why, Text *out) { result_refusal(lab->goals, head(lab), why, out); }

static void add_seen_value(bool known, double value, Text *out) {
    if (known)
        text_add(out, "%.6g", value);
    else
        text_add(out, "-");
}

static void add_seen_values(const Lab *lab, const Score *score, uint32_t run, Text *out) {
    double speed = score_speed(lab, run);
    add_seen_value(speed > 0, speed, out);
    for (uint32_t g = 0; g < lab->goals->n_goals; g++) {
        if (!outcome_has_value(lab->goals, run, g)) continue;
        text_add(out, ",");
        add_seen_value(score->goals[g].has_value && !score->goals[g].is_void, score->goals[g].value, out);
    }
}

void result_seen(const Lab *lab, const Score *score, Text *out) {
    for (uint32_t r = 0; r < lab->goals->n_runs; r++) {
        const GoalRun *run = &lab->goals->runs[r];
        const LabCase *kept = lab->runs[r].kept;
        bool wrong = lab->runs[r].failed || (run->kernel >= 0 && lab->kernels[run->kernel].wrong);
        text_add(out, "%s=", run->name);
        if (wrong)
            text_add(out, "wrong");
        else
            text_add(out, "%g", score_run(lab, score, r).points);
        if (!wrong && kept) {
            const Counters *counters = kept->result.counters;
            uint64_t sectors = 0, conflicts = 0;
            for (int op = 0; op < COUNTER_OPS; op++) {
                sectors += counters->global[op].sectors + counters->local[op].sectors;
                conflicts += counters->shared[op].bank_conflicts;
            }
            text_add(out, ",%" PRIu64 ",%" PRIu64 ",%.6g:", sectors, conflicts, kept->result.model.time_us);
            add_seen_values(lab, score, r, out);
        }
        text_add(out, ";");
    }
}
