/* show.c: a graded lab for people. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "lab/result.h"
#include "report/paint.h"
#include "report/place.h"
#include "report/words.h"

static void add_head(const Lab *lab, const Score *score, bool colour, Text *out) {
    Text head = {0};
    text_add(&head, "Lab %s %s: %g of %g points", lab->goals->number, lab->goals->title, score->points, lab->goals->points);
    paint(out, colour, PAINT_HEAD, text_string(&head));
    text_add(out, "  (%s, emulated %s)\n", lab->compiler, lab->profile->full_name);
    text_free(&head);
}

/* --- kernels -------------------------------------------------------------------------------------------------------------- */

/* Messages quote the learner's names and text, which may hold anything. */
static void add_sentence(const char *first, const char *sentence, Text *out) {
    Text clean = {0};
    words_line(&clean, sentence, strlen(sentence), SIZE_MAX);
    words_wrap(out, first, text_string(&clean));
    text_free(&clean);
}

static void add_failure(const LabFailure *failure, Text *out) {
    if (failure->where.length) text_add(out, "  at %s\n", text_string(&failure->where));
    if (failure->is_fault) {
        /* Lines as faulttext.h lays them out. */
        text_add(out, "%s", text_string(&failure->message));
    } else {
        add_sentence("  ", text_string(&failure->message), out);
    }
    if (failure->cause.length) add_sentence("  probable cause: ", text_string(&failure->cause), out);
}

static void add_kernels(const Lab *lab, bool colour, Text *out) {
    int shown = score_wrong_kernel(lab);
    text_add(out, "\n");
    for (uint32_t i = 0; i < lab->goals->n_kernels; i++) {
        const KernelResult *kernel = &lab->kernels[i];
        char label[16];
        snprintf(label, sizeof label, "%-7s", kernel->wrong ? "WRONG" : "right");
        paint(out, colour, kernel->wrong ? PAINT_BAD : PAINT_GOOD, label);
        text_add(out, "%s", lab->goals->kernels[i]);
        if (kernel->wrong)
            text_add(out, "%s\n", kernel->cases ? "" : ", in the first case");
        else
            text_add(out, ", in all %u cases\n", kernel->cases);
        if ((int)i == shown) add_failure(&kernel->failure, out);
    }
}

/* --- goals ---------------------------------------------------------------------------------------------------------------- */

static void add_number(double value, Text *out) { text_add(out, value < 1e6 ? "%10.6g" : "%10.4g", value); }

static void add_goal(const Goal *goal, const GoalResult *result, bool colour, Text *out) {
    char points[40], label[16];
    if (result->skipped) {
        text_add(out, "  %-7s%-24.24s%10s  goal%10.6g of a copy's speed\n", "SKIPPED", goal->name, "", goal->full);
        text_add(out, "         measured on a real GPU only: make grade DEVICE=gpu\n");
        return;
    }
    snprintf(label, sizeof label, "  %-7s",
             result->met                                     ? "met"
             : goal->kind == GOAL_LIMIT && result->has_value ? "PASSED"
                                                             : "MISSED");
    paint(out, colour, result->met ? PAINT_GOOD : PAINT_BAD, label);
    text_add(out, "%-24.24s", goal->name);
    if (result->has_value)
        add_number(result->value, out);
    else
        text_add(out, "%10s", "");
    if (goal->kind == GOAL_CORRECT)
        text_add(out, "%17s", "");
    else {
        text_add(out, " %5s", goal->kind == GOAL_LIMIT ? "most" : "goal");
        add_number(goal->full, out);
        text_add(out, " ");
    }
    snprintf(points, sizeof points, "%g of %g", result->score, goal->points);
    text_add(out, goal->kind == GOAL_LIMIT ? "\n" : " %14s\n", points);
    if (result->reason[0])
        text_add(out, "         %.70s\n", result->reason);
    else if (strstr(goal->metric, "model."))
        text_add(out, "         modelled time, not measured\n");
}

static void add_goals(const Lab *lab, const Score *score, bool colour, Text *out) {
    const Goals *goals = lab->goals;
    for (uint32_t r = 0; r < goals->n_runs; r++) {
        const GoalRun *run = &goals->runs[r];
        text_add(out, "\n%s: %s%s%s\n", run->name, run->kernel >= 0 ? goals->kernels[run->kernel] : "",
                 run->kernel >= 0 ? ", " : "", run->text);
        if (run->kernel >= 0 && lab->kernels[run->kernel].wrong) {
            text_add(out, "  not measured: a wrong kernel scores 0\n");
            continue;
        }
        if (lab->runs[r].failed) add_failure(&lab->runs[r].failure, out);
        for (uint32_t i = 0; i < goals->n_goals; i++)
            if (goals->goals[i].run == r) add_goal(&goals->goals[i], &score->goals[i], colour, out);
    }
}

/* --- the one thing to look at --------------------------------------------------------------------------------------------- */

static void add_missed(const Lab *lab, const Score *score, int index, bool colour, Text *out) {
    const Goal *goal = &lab->goals->goals[index];
    const GoalResult *result = &score->goals[index];
    const RunResult *run = &lab->runs[goal->run];
    Text sentence = {0};
    if (result->has_value && goal->kind == GOAL_LIMIT)
        text_add(&sentence, "%s: %s is %g, at most %g is allowed: the run scores 0", goal->name, goal->metric, result->value,
                 goal->full);
    else if (result->has_value)
        text_add(&sentence, "%s: %s is %g; full points at %g, none at %g", goal->name, goal->metric, result->value, goal->full,
                 goal->zero);
    else
        text_add(&sentence, "%s: %s", goal->name, result->reason);
    text_add(out, "\n");
    add_sentence("", text_string(&sentence), out);
    text_free(&sentence);
    if (run->note.length) add_sentence("  ", text_string(&run->note), out);
    const Sample *sample = result->has_value ? score_sample(lab, goal) : NULL;
    if (!sample) return;
    Report report = case_report(run->kept);
    Spot spot = place_spot(&report, sample->access.pc);
    Text source = {0};
    place_add_source(&report, spot, PAGE_COLUMNS - 12, &source);
    if (source.length) text_add(out, "%8u | %s\n", spot.line, text_string(&source));
    text_free(&source);
    report_map(&report, sample, colour, out);
}

static void add_next(const Lab *lab, const char *step, bool colour, Text *out) {
    text_add(out, "\n");
    Text clean = {0}, wrapped = {0};
    words_line(&clean, step, strlen(step), SIZE_MAX);
    words_wrap(&wrapped, "Next: ", text_string(&clean));
    if (colour)
        text_add(out, "\x1b[1mNext:\x1b[0m%s", text_string(&wrapped) + 5);
    else
        text_add(out, "%s", text_string(&wrapped));
    text_add(out, "A hint: make hint LAB=%s\n", lab->goals->number);
    text_free(&clean);
    text_free(&wrapped);
}

void result_show(const Lab *lab, const Score *score, bool colour, Text *out) {
    add_head(lab, score, colour, out);
    add_kernels(lab, colour, out);
    add_goals(lab, score, colour, out);
    int wrong = score_wrong_kernel(lab), missed = score_next(lab, score);
    if (wrong >= 0) {
        char step[200];
        snprintf(step, sizeof step, "make %.100s right; how fast it is counts only then.", lab->goals->kernels[wrong]);
        add_next(lab, step, colour, out);
    } else if (missed >= 0) {
        add_missed(lab, score, missed, colour, out);
        add_next(lab, lab->goals->goals[missed].advice, colour, out);
    } else {
        text_add(out, "\n");
        paint(out, colour, PAINT_GOOD, "Solved.");
        text_add(out, "\n");
    }
}
