#include "lab/causes.h"

#include <string.h>

#include "input/declared.h"
#include "lab/bottleneck.h"
#include "lab/case.h"
#include "lab/culprit.h"
#include "lab/ungraded.h"
#include "report/object.h"
#include "report/spot.h"

static void set_place(json_t *object, const Lab *lab, uint32_t line, uint32_t column) {
    if (!line) return;
    object_text(object, "file", lab->name);
    object_number(object, "line", line);
    if (column) object_number(object, "column", column);
}

/* --- wrong kernels -------------------------------------------------------------------------------------------------------- */

static json_t *wrong_object(const Lab *lab, const char *kernel, const LabFailure *failure) {
    json_t *object = json_object();
    result_text(object, "severity", "wrong");
    result_text(object, "kind", failure->is_fault ? fault_kinds[failure->fault.kind].name : "wrong_result");
    result_text(object, "kernel", kernel);
    bool known = failure->line || !kernel || !lab->source.text;
    set_place(object, lab, known ? failure->line : declared_line(lab->source.text, kernel, "__global__"), failure->column);
    result_text(object, "where", text_string(&failure->where));
    result_text(object, "message", text_string(failure->is_fault ? &failure->sentence : &failure->message));
    result_text(object, "hint", failure->cause.length ? text_string(&failure->cause) : failure->fault.hint);
    return object;
}

/* --- missed goals --------------------------------------------------------------------------------------------------------- */

bool causes_is_empty(const Lab *lab, const Goal *goal) {
    const char *row = strchr(goal->metric, '.');
    return row && goals_listed(text_string(&lab->runs[goal->run].empty), row + 1);
}

void causes_say_goal(const Lab *lab, const Score *score, uint32_t index, Text *out) {
    const Goal *goal = &lab->goals->goals[index];
    const GoalResult *result = &score->goals[index];
    text_add(out, "%s: ", goal->name);
    if (result->has_value && strncmp(goal->metric, "right.", 6) == 0)
        text_add(out, causes_is_empty(lab, goal) ? "there is no prediction yet" : "the prediction is not right yet");
    else if (result->has_value && strncmp(goal->metric, "right", 5) == 0)
        text_add(out, "%s of %s predictions right", plain_value(result->value).text, plain_value(goal->full).text);
    else if (result->has_value && goal->kind == GOAL_LIMIT)
        text_add(out, "%s; at most %s is allowed", plain_value(result->value).text, plain_value(goal->full).text);
    else if (result->has_value)
        text_add(out, "%s; full points at %s, none at %s", plain_value(result->value).text, plain_value(goal->full).text,
                 plain_value(goal->zero).text);
    else
        text_add(out, "%s", result->reason);
}

bool causes_is_time(const Lab *lab, const Goal *goal) { return strstr(goal->metric, "model.") && lab->runs[goal->run].kept; }

void causes_advise(const Lab *lab, const Score *score, uint32_t index, Text *out) {
    const Goal *goal = &lab->goals->goals[index];
    if (causes_is_time(lab, goal) && bottleneck_advise(lab, goal->run, out)) return;
    const Sample *sample = strstr(goal->metric, "global.") ? culprit_of(lab, score, index).sample : NULL;
    if (sample && sample->access.space == SPACE_SHARED) text_add(out, "The bank conflicts come first. Then: ");
    text_add(out, "%s", goal->advice);
}

static json_t *missed_object(const Lab *lab, const Score *score, uint32_t index) {
    const Goal *goal = &lab->goals->goals[index];
    const GoalRun *of = &lab->goals->runs[goal->run];
    const RunResult *run = &lab->runs[goal->run];
    const Sample *sample = culprit_of(lab, score, index).sample;
    json_t *object = json_object();
    LOCAL_TEXT message = {0}, hint = {0};
    Spot spot = {"", 0, 0};
    if (sample) {
        Report report = case_report(run->kept);
        spot = spot_of(&report, sample->access.pc);
        if (spot.file != report.source_path) spot = (Spot){"", 0, 0};
    }
    if (!spot.line && lab->source.text)
        spot.line = of->kernel >= 0 ? declared_line(lab->source.text, lab->goals->kernels[of->kernel], "__global__")
                                    : declared_prediction(lab->source.text, goal->metric);
    causes_say_goal(lab, score, index, &message);
    result_text(object, "severity", "missed");
    result_text(object, "kind", goal_kind_name(goal));
    if (of->kernel >= 0) result_text(object, "kernel", lab->goals->kernels[of->kernel]);
    result_text(object, "run", of->name);
    result_text(object, "goal", goal->name);
    set_place(object, lab, spot.line, spot.column);
    result_text(object, "message", text_string(&message));
    causes_advise(lab, score, index, &hint);
    result_text(object, "hint", text_string(&hint));
    return object;
}

json_t *causes_array(const Lab *lab, const Score *score) {
    const Goals *goals = lab->goals;
    json_t *array = json_array();
    for (uint32_t i = 0; i < goals->n_kernels; i++)
        if (lab->kernels[i].wrong) json_array_append_new(array, wrong_object(lab, goals->kernels[i], &lab->kernels[i].failure));
    for (uint32_t i = 0; i < goals->n_runs; i++) {
        if (!lab->runs[i].failed) continue;
        json_t *object = wrong_object(lab, NULL, &lab->runs[i].failure);
        result_text(object, "run", goals->runs[i].name);
        json_array_append_new(array, object);
    }
    for (uint32_t i = 0; i < goals->n_goals; i++)
        if (score_is_missed(lab, score, i)) json_array_append_new(array, missed_object(lab, score, i));
    return array;
}
