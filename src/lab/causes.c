#include "lab/causes.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>

#include "lab/case.h"
#include "lab/unable.h"
#include "report/faulttext.h"
#include "report/object.h"
#include "report/spot.h"

/* --- lines ---------------------------------------------------------------------------------------------------------------- */

static bool is_word(char c) { return isalnum((unsigned char)c) || c == '_'; }

static uint32_t line_at(const char *text, const char *at) {
    uint32_t line = 1;
    for (; text < at; text++) line += *text == '\n';
    return line;
}

/* Whether `mark` stands between the end of the statement or body before and the word. */
static bool is_headed_by(const char *text, const char *word, const char *mark) {
    size_t length = strlen(mark);
    for (const char *at = word; at > text && !strchr(";}", at[-1]); at--)
        if (strncmp(at, mark, length) == 0) return true;
    return false;
}

/* The first line on which `name` is declared with `mark` in front: 0 where none is. */
static uint32_t declared_at(const char *text, const char *name, const char *mark) {
    size_t length = strlen(name);
    for (const char *at = text; (at = strstr(at, name)); at += length)
        if ((at == text || !is_word(at[-1])) && !is_word(at[length]) && is_headed_by(text, at, mark)) return line_at(text, at);
    return 0;
}

/* The row of a table of predictions that a goal is about: "right.tile" is PREDICT…(tile, …). */
static uint32_t predicted_at(const char *text, const char *metric) {
    const char *name = strncmp(metric, "right.", 6) == 0 ? metric + 6 : "";
    size_t length = strlen(name);
    for (const char *at = text; length && (at = strstr(at, "\nPREDICT")); at++) {
        const char *row = at + 1 + strcspn(at + 1, "(\n");
        if (*row == '(' && strncmp(row + 1, name, length) == 0 && row[1 + length] == ',') return line_at(text, at + 1);
    }
    return length ? declared_at(text, name, "__constant__") : 0;
}

static void set_place(json_t *object, const Lab *lab, uint32_t line, uint32_t column) {
    if (!line) return;
    object_text(object, "file", lab->name);
    object_number(object, "line", line);
    if (column) object_number(object, "column", column);
}

/* --- wrong kernels -------------------------------------------------------------------------------------------------------- */

static json_t *wrong_object(const Lab *lab, const char *kernel, const LabFailure *failure) {
    json_t *object = json_object();
    Text message = {0};
    if (failure->is_fault)
        faulttext_sentence(&failure->fault, &message);
    else
        text_add(&message, "%s", text_string(&failure->message));
    result_text(object, "severity", "wrong");
    result_text(object, "kind", failure->is_fault ? fault_names[failure->fault.kind] : "wrong_result");
    result_text(object, "kernel", kernel);
    bool known = failure->line || !kernel || !lab->source.text;
    set_place(object, lab, known ? failure->line : declared_at(lab->source.text, kernel, "__global__"), failure->column);
    result_text(object, "where", text_string(&failure->where));
    result_text(object, "message", text_string(&message));
    result_text(object, "hint", failure->is_fault ? failure->fault.hint : text_string(&failure->cause));
    text_free(&message);
    return object;
}

/* --- missed goals --------------------------------------------------------------------------------------------------------- */

void causes_say_goal(const Lab *lab, const Score *score, uint32_t index, Text *out) {
    const Goal *goal = &lab->goals->goals[index];
    const GoalResult *result = &score->goals[index];
    text_add(out, "%s: ", goal->name);
    if (result->has_value && strncmp(goal->metric, "right.", 6) == 0)
        text_add(out, "the prediction is not right yet");
    else if (result->has_value && goal->kind == GOAL_LIMIT)
        text_add(out, "%s is %s; at most %s is allowed", goal->metric, plain_value(result->value).text,
                 plain_value(goal->full).text);
    else if (result->has_value)
        text_add(out, "%s is %s; full points at %s, none at %s", goal->metric, plain_value(result->value).text,
                 plain_value(goal->full).text, plain_value(goal->zero).text);
    else
        text_add(out, "%s", result->reason);
}

static json_t *missed_object(const Lab *lab, const Score *score, uint32_t index) {
    const Goal *goal = &lab->goals->goals[index];
    const GoalRun *of = &lab->goals->runs[goal->run];
    const RunResult *run = &lab->runs[goal->run];
    const Sample *sample = score->goals[index].has_value ? score_sample(lab, goal) : NULL;
    json_t *object = json_object();
    Text message = {0};
    Spot spot = {"", 0, 0};
    if (sample) {
        Report report = case_report(run->kept);
        spot = spot_of(&report, sample->access.pc);
        if (spot.file != report.source_path) spot = (Spot){"", 0, 0};
    }
    if (!spot.line && lab->source.text)
        spot.line = of->kernel >= 0 ? declared_at(lab->source.text, lab->goals->kernels[of->kernel], "__global__")
                                    : predicted_at(lab->source.text, goal->metric);
    causes_say_goal(lab, score, index, &message);
    result_text(object, "severity", "missed");
    result_text(object, "kind", goal_kind_name(goal));
    if (of->kernel >= 0) result_text(object, "kernel", lab->goals->kernels[of->kernel]);
    result_text(object, "run", of->name);
    result_text(object, "goal", goal->name);
    set_place(object, lab, spot.line, spot.column);
    result_text(object, "message", text_string(&message));
    result_text(object, "hint", goal->advice);
    text_free(&message);
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
