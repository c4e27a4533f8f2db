/* show.c: a graded lab for people. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "lab/case.h"
#include "lab/result.h"
#include "report/map.h"
#include "report/paint.h"
#include "report/plain.h"
#include "report/spot.h"

static void add_head(const Lab *lab, const Score *score, bool colour, Text *out) {
    Text head = {0};
    text_add(&head, "Lab %s %s: %g of %g points%s", lab->goals->number, lab->goals->title, score->points, lab->goals->points,
             lab->untouched ? ", not begun" : "");
    paint(out, colour, PAINT_HEAD, text_string(&head));
    const char *device = lab->profile->full_name;
    if (strncmp(device, "NVIDIA ", 7) == 0) device += 7;
    text_add(out, "  (%s, %s emulated)\n", lab->compiler, device);
    text_free(&head);
}

/* --- kernels -------------------------------------------------------------------------------------------------------------- */

static void add_failure(const LabFailure *failure, Text *out) {
    if (failure->is_fault)
        text_add(out, "%s", text_string(&failure->message)); /* lines as faulttext.h lays them out */
    else
        plain_wrap(out, "", text_string(&failure->message));
    if (failure->cause.length) plain_wrap(out, "probable cause: ", text_string(&failure->cause));
}

/* label in colour, then the text, wrapped behind it. */
static void add_labelled(const char *label, Paint which, const char *text, bool colour, Text *out) {
    Text lines = {0};
    char first[16];
    snprintf(first, sizeof first, "%-7s", label);
    plain_wrap(&lines, first, text);
    paint(out, colour, which, label);
    text_add(out, "%s", text_string(&lines) + strlen(label));
    text_free(&lines);
}

static void add_right(const Lab *lab, bool colour, Text *out) {
    Text names = {0}, list = {0};
    uint32_t cases = 0;
    for (uint32_t i = 0; i < lab->goals->n_kernels; i++) {
        if (lab->kernels[i].wrong) continue;
        text_add(&names, "%s%s", names.length ? ", " : "", lab->goals->kernels[i]);
        cases += lab->kernels[i].cases;
    }
    text_add(&list, "in ");
    plain_count(&list, cases, "case");
    text_add(&list, ": %s", text_string(&names));
    if (names.length) add_labelled("right", PAINT_GOOD, text_string(&list), colour, out);
    text_free(&names);
    text_free(&list);
}

static void add_wrong(const Lab *lab, uint32_t index, bool colour, Text *out) {
    const KernelResult *kernel = &lab->kernels[index];
    Text where = {0};
    text_add(&where, "%s", lab->goals->kernels[index]);
    if (kernel->failure.where.length) text_add(&where, " with %s", text_string(&kernel->failure.where));
    if (kernel->cases) {
        text_add(&where, ", right in ");
        plain_count(&where, kernel->cases, "case");
        text_add(&where, " before that");
    }
    add_labelled("WRONG", PAINT_BAD, text_string(&where), colour, out);
    text_free(&where);
}

/* Of the wrong kernels the first comes last, in full: it is the next to fix. */
static void add_kernels(const Lab *lab, bool colour, Text *out) {
    int shown = score_wrong_kernel(lab);
    text_add(out, "\n");
    add_right(lab, colour, out);
    if (shown < 0) return;
    for (uint32_t i = (uint32_t)shown + 1; i < lab->goals->n_kernels; i++)
        if (lab->kernels[i].wrong) add_wrong(lab, i, colour, out);
    add_wrong(lab, (uint32_t)shown, colour, out);
    add_failure(&lab->kernels[shown].failure, out);
}

/* --- goals ---------------------------------------------------------------------------------------------------------------- */

static Plain number(double value) {
    Plain plain;
    if (value >= 0 && value < 1e9 && value == (double)(uint64_t)value) return plain_number((uint64_t)value);
    snprintf(plain.text, sizeof plain.text, "%.6g", value);
    return plain;
}

/* A number to beat. */
static void add_figure(const Goal *goal, const GoalResult *result, bool colour, Text *out) {
    text_add(out, "  ");
    paint(out, colour, PAINT_HEAD, "figure");
    text_add(out, "  %-24.24s", goal->name);
    if (result->has_value)
        text_add(out, "%11s", number(result->value).text);
    else
        text_add(out, "%11s", "none");
    text_add(out, "  reference %-8s", number(goal->full).text);
    if (result->has_value) text_add(out, "%15s\n", result->value > goal->full ? "yours is better" : "");
    if (!result->has_value) text_add(out, "\n");
}

static void add_goal(const Lab *lab, const Goal *goal, const GoalResult *result, bool colour, Text *out) {
    char points[40], label[16];
    if (goal->kind == GOAL_FIGURE) {
        add_figure(goal, result, colour, out);
        return;
    }
    if (result->skipped) {
        text_add(out, "  %-8s%-24.24s %g of a copy's speed, on a real GPU\n", "SKIPPED", goal->name, goal->full);
        text_add(out, "%35smake grade LAB=%s DEVICE=gpu\n", "", lab->goals->number);
        return;
    }
    bool over = goal->kind == GOAL_LIMIT && result->has_value && !result->met;
    snprintf(label, sizeof label, "  %-8s", result->met ? "met" : over ? "OVER" : "MISSED");
    paint(out, colour, result->met ? PAINT_GOOD : PAINT_BAD, label);
    text_add(out, "%-24.24s", goal->name);
    if (result->has_value)
        text_add(out, "%11s", number(result->value).text);
    else
        text_add(out, "%11s", "");
    if (goal->kind == GOAL_CORRECT) {
        text_add(out, "%18s", "");
    } else {
        text_add(out, "  %4s%12s", goal->kind == GOAL_LIMIT ? "most" : "goal", number(goal->full).text);
    }
    snprintf(points, sizeof points, "%g of %g", result->score, goal->points);
    text_add(out, goal->kind == GOAL_LIMIT ? "\n" : " %16s\n", points);
    if (result->reason[0])
        text_add(out, "          %.70s\n", result->reason);
    else if (strstr(goal->metric, "model."))
        text_add(out, "          modelled time, not measured\n");
}

typedef struct RunScore {
    double points, most;
    uint32_t limits, over; /* limits over which the run went */
    bool met;
} RunScore;

static RunScore run_score(const Lab *lab, const Score *score, uint32_t run) {
    RunScore sum = {.met = true};
    for (uint32_t i = 0; i < lab->goals->n_goals; i++) {
        const Goal *goal = &lab->goals->goals[i];
        if (goal->run != run) continue;
        sum.points += score->goals[i].score;
        sum.most += goal->points;
        sum.limits += goal->kind == GOAL_LIMIT;
        sum.over += goal->kind == GOAL_LIMIT && !score->goals[i].met;
        sum.met &= score->goals[i].met || score->goals[i].skipped || goal->kind == GOAL_FIGURE;
    }
    return sum;
}

static void add_run_head(const Lab *lab, const GoalRun *run, const RunScore *sum, Text *out) {
    Text head = {0};
    char points[40];
    text_add(&head, "%s: %s%s%s", run->name, run->kernel >= 0 ? lab->goals->kernels[run->kernel] : "",
             run->kernel >= 0 ? ", " : "", run->text);
    snprintf(points, sizeof points, "%g of %g", sum->points, sum->most);
    text_add(out, "%-64.64s%16s\n", text_string(&head), points);
    text_free(&head);
}

/* A run with nothing left to do takes one line while there is something to do elsewhere. Limits are listed when one is not kept. */
static void add_run(const Lab *lab, const Score *score, uint32_t index, bool colour, Text *out) {
    const Goals *goals = lab->goals;
    const GoalRun *run = &goals->runs[index];
    RunScore sum = run_score(lab, score, index);
    text_add(out, "\n");
    add_run_head(lab, run, &sum, out);
    if (run->kernel >= 0 && lab->kernels[run->kernel].wrong) {
        text_add(out, "  not measured: a wrong kernel scores 0\n");
        return;
    }
    if (lab->runs[index].failed) {
        add_failure(&lab->runs[index].failure, out);
        return;
    }
    const bool folded = sum.met && !score->full;
    if (folded) text_add(out, "  all goals met\n");
    for (uint32_t i = 0; i < goals->n_goals; i++) {
        const Goal *goal = &goals->goals[i];
        bool stays = score->goals[i].skipped || goal->kind == GOAL_FIGURE;
        bool hidden = goal->kind == GOAL_LIMIT ? score->goals[i].met : (sum.over > 0 || folded) && !stays;
        if (goal->run == index && !hidden) add_goal(lab, goal, &score->goals[i], colour, out);
    }
    if (sum.over) {
        text_add(out, "  over a limit: the run scores 0\n");
    } else if (sum.limits && !folded) {
        text_add(out, "  ");
        plain_count(out, sum.limits, "limit");
        text_add(out, " kept\n");
    }
}

/* --- the one thing to look at --------------------------------------------------------------------------------------------- */

void result_picture(const Lab *lab, const Score *score, uint32_t index, bool colour, Text *out) {
    const Goal *goal = &lab->goals->goals[index];
    const Sample *sample = score->goals[index].has_value ? score_sample(lab, goal) : NULL;
    if (!sample) return;
    Report report = case_report(lab->runs[goal->run].kept);
    Spot spot = spot_of(&report, sample->access.pc);
    Text source = {0};
    spot_add_source(&report, spot, PAGE_COLUMNS - 12, &source);
    if (source.length) text_add(out, "%8u | %s\n", spot.line, text_string(&source));
    text_free(&source);
    report_map(&report, sample, colour, out);
}

static void add_missed(const Lab *lab, const Score *score, int index, bool colour, Text *out) {
    const Goal *goal = &lab->goals->goals[index];
    const GoalResult *result = &score->goals[index];
    const RunResult *run = &lab->runs[goal->run];
    Text sentence = {0};
    bool by_note = run->note.length && lab->goals->runs[goal->run].kernel < 0;
    if (by_note)
        text_add(&sentence, "%s: %s", goal->name, text_string(&run->note));
    else if (result->has_value && goal->kind == GOAL_LIMIT)
        text_add(&sentence, "%s: %s is %s; at most %s is allowed", goal->name, goal->metric, number(result->value).text,
                 number(goal->full).text);
    else if (result->has_value)
        text_add(&sentence, "%s: %s is %s; full points at %s, none at %s", goal->name, goal->metric, number(result->value).text,
                 number(goal->full).text, number(goal->zero).text);
    else
        text_add(&sentence, "%s: %s", goal->name, result->reason);
    text_add(out, "\n");
    plain_wrap(out, "", text_string(&sentence));
    text_free(&sentence);
    if (run->note.length && !by_note) plain_wrap(out, "  ", text_string(&run->note));
    result_picture(lab, score, (uint32_t)index, colour, out);
}

static void add_next(const Lab *lab, const char *step, bool colour, Text *out) {
    text_add(out, "\n");
    Text wrapped = {0};
    plain_wrap(&wrapped, "Next: ", step);
    paint(out, colour, PAINT_HEAD, "Next:");
    text_add(out, "%s", text_string(&wrapped) + strlen("Next:"));
    text_add(out, "A hint: make hint LAB=%s\n", lab->goals->number);
    text_free(&wrapped);
}

void result_show(const Lab *lab, const Score *score, bool colour, Text *out) {
    add_head(lab, score, colour, out);
    add_kernels(lab, colour, out);
    for (uint32_t r = 0; r < lab->goals->n_runs; r++) add_run(lab, score, r, colour, out);
    int wrong = score_wrong_kernel(lab), missed = score_next(lab, score);
    if (wrong >= 0) {
        char step[200];
        snprintf(step, sizeof step,
                 score_is_given(lab, (uint32_t)wrong) ? "put %.100s back as it was given: the predictions are about it."
                                                      : "make %.100s right; how fast it is counts only then.",
                 lab->goals->kernels[wrong]);
        add_next(lab, step, colour, out);
    } else if (missed >= 0 && lab->runs[lab->goals->goals[missed].run].failed) {
        char step[200];
        snprintf(step, sizeof step, "fix what is said about %.100s above.",
                 lab->goals->runs[lab->goals->goals[missed].run].name);
        add_next(lab, step, colour, out);
    } else if (missed >= 0 && score_is_foreign(lab) && lab->goals->runs[lab->goals->goals[missed].run].is_varied) {
        char step[200];
        snprintf(step, sizeof step, "make variant VARIANT=%u writes this learner's numbers; those here are variant %u's.",
                 (unsigned)lab->asked_variant, lab_variant(lab));
        add_next(lab, step, colour, out);
    } else if (missed >= 0) {
        add_missed(lab, score, missed, colour, out);
        add_next(lab, lab->goals->goals[missed].advice, colour, out);
    } else {
        text_add(out, "\n");
        paint(out, colour, PAINT_GOOD, "Solved.");
        text_add(out, "\n");
    }
    if (!score->full && !lab->untouched)
        text_add(out, "The same data again: make grade LAB=%s SEED=%llu\n", lab->goals->number, (unsigned long long)lab->seed);
}
