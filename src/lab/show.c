/* show.c: a graded lab for people. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "lab/bottleneck.h"
#include "lab/case.h"
#include "lab/causes.h"
#include "lab/culprit.h"
#include "lab/formula.h"
#include "lab/given.h"
#include "lab/goaltable.h"
#include "lab/result.h"
#include "lab/warnings.h"
#include "report/drift.h"
#include "report/map.h"
#include "report/paint.h"
#include "report/plain.h"
#include "report/spot.h"

enum { PRINTED_LINES = 20 };

static void add_head(const Lab *lab, const Score *score, Text *out) {
    LOCAL_TEXT head = text_from("Lab %s %s: %g of %g points%s", lab->goals->number, lab->goals->title, score->points,
                                lab->goals->points, lab->untouched ? ", not begun" : "");
    paint(out, lab->page, PAINT_HEAD, text_string(&head));
    const char *device = lab->profile->full_name;
    if (strncmp(device, "NVIDIA ", 7) == 0) device += 7;
    bool fits = head.length + strlen(lab->compiler) + strlen(device) + 15 <= lab->page.columns;
    text_add(out, "%s  (%s, %s emulated)\n", fits ? "" : "\n", lab->compiler, device);
}

/* Whether only this kernel is asked for, and it is another one. */
static bool is_left_out(const Lab *lab, int kernel) { return lab->explained >= 0 && lab->explained != kernel; }

/* --- kernels -------------------------------------------------------------------------------------------------------------- */

/* label in colour, then the text, wrapped behind it. */
static void add_labelled(const Lab *lab, const char *label, Paint which, const char *text, Text *out) {
    LOCAL_TEXT lines = {0};
    char first[16];
    snprintf(first, sizeof first, "%-7s", label);
    plain_wrap(&lines, lab->page.columns, first, text);
    paint(out, lab->page, which, label);
    text_add(out, "%s", text_string(&lines) + strlen(label));
}

static void add_right(const Lab *lab, Text *out) {
    LOCAL_TEXT names = {0}, list = {0};
    uint32_t cases = 0;
    for (uint32_t i = 0; i < lab->goals->n_kernels; i++) {
        if (lab->kernels[i].wrong || is_left_out(lab, (int)i)) continue;
        text_add(&names, "%s%s", names.length ? ", " : "", lab->goals->kernels[i]);
        cases += lab->kernels[i].cases;
    }
    text_add(&list, "in ");
    plain_count(&list, cases, "case");
    text_add(&list, ": %s", text_string(&names));
    if (names.length) add_labelled(lab, "right", PAINT_GOOD, text_string(&list), out);
}

static void add_wrong(const Lab *lab, uint32_t index, Text *out) {
    const KernelResult *kernel = &lab->kernels[index];
    LOCAL_TEXT where = text_from("%s", lab->goals->kernels[index]);
    if (kernel->failure.where.length) text_add(&where, " with %s", text_string(&kernel->failure.where));
    if (kernel->cases) {
        text_add(&where, ", right in ");
        plain_count(&where, kernel->cases, "case");
        text_add(&where, " before that (%s%s", kernel->cases > 1 ? "first " : "", kernel->first_right);
        if (kernel->cases > 1) text_add(&where, "; last %s", kernel->last_right);
        text_add(&where, ")");
    }
    add_labelled(lab, "WRONG", PAINT_BAD, text_string(&where), out);
}

static void add_failure(const Lab *lab, uint32_t index, Text *out) {
    const LabFailure *failure = &lab->kernels[index].failure;
    add_wrong(lab, index, out);
    if (failure->is_fault)
        text_add(out, "%s", text_string(&failure->message)); /* lines as faulttext.h lays them out */
    else
        plain_wrap(out, lab->page.columns, "", text_string(&failure->message));
    if (failure->cause.length) plain_wrap(out, lab->page.columns, "probable cause: ", text_string(&failure->cause));
    warnings_add(lab, lab->goals->kernels[index], out);
}

/* What printf printed, the first lines of it. */
static void add_printed(const Lab *lab, uint32_t index, Text *out) {
    const KernelResult *kernel = &lab->kernels[index];
    const char *at = text_string(&kernel->printed);
    uint32_t lines = 0;
    if (!*at) return;
    text_add(out, "\nprintf in %s, with %s:\n", lab->goals->kernels[index], text_string(&kernel->printed_with));
    for (; *at && lines < PRINTED_LINES; lines++) {
        size_t length = strcspn(at, "\n");
        text_add(out, "  | ");
        plain_line(out, at, length, lab->page.columns - 4);
        text_add(out, "\n");
        at += length + (at[length] == '\n');
    }
    if (!*at && kernel->printed_bytes <= kernel->printed.length) return;
    LOCAL_TEXT more = {0};
    text_add(&more, "It printed %s bytes; these are the first ", plain_number(kernel->printed_bytes).text);
    plain_count(&more, lines, "line");
    text_add(&more, ". Let one thread print: if (blockIdx.x == 0 && threadIdx.x == 0) printf(...)");
    plain_wrap(out, lab->page.columns, "  ", text_string(&more));
}

/* Of the wrong kernels the next one to put right comes last, in full. */
static void add_kernels(const Lab *lab, Text *out) {
    int next = lab->explained >= 0 ? lab->explained : score_wrong_kernel(lab);
    text_add(out, "\n");
    add_right(lab, out);
    for (uint32_t i = 0; i < lab->goals->n_kernels; i++) {
        if (!lab->kernels[i].wrong || is_left_out(lab, (int)i) || (int)i == next) continue;
        if (lab->all)
            add_failure(lab, i, out), text_add(out, "\n");
        else
            add_wrong(lab, i, out);
    }
    if (next >= 0 && lab->kernels[next].wrong) add_failure(lab, (uint32_t)next, out);
    for (uint32_t i = 0; i < lab->goals->n_kernels; i++)
        if (!is_left_out(lab, (int)i)) add_printed(lab, i, out);
}

/* --- goals that are missed ------------------------------------------------------------------------------------------------ */

/* What is said where no access explains a goal that is missed. */
static void add_no_picture(const Lab *lab, const Goal *goal, Text *out) {
    LOCAL_TEXT words = {0};
    char subject[32];
    if (causes_is_time(lab, goal) || !lab->runs[goal->run].kept) return;
    if (goal->kind == GOAL_METRIC && goal->full < goal->zero && formula_subject(goal->metric, subject, sizeof subject))
        text_add(&words, "No access wastes this much by itself: they are too many, or ask for the same data again.");
    if (words.length) plain_wrap(out, lab->page.columns, "  ", text_string(&words));
}

static bool is_broadcast(const Access *access) {
    bool same = true;
    const uint64_t first = access->addr[__builtin_ctz(access->active)];
    for (uint32_t lane = 0; lane < WARP_LANES; lane++) same &= !(access->active >> lane & 1) || access->addr[lane] == first;
    return same && (access->active & (access->active - 1));
}

/* Requests of lanes that leave others idle, or want one place, are many whatever a lane takes. */
static void add_frequent(const Lab *lab, const Access *access, Text *out) {
    const int lanes = __builtin_popcount(access->active);
    if (is_broadcast(access)) {
        LOCAL_TEXT same =
            text_from("All %d lanes ask for the same place, which one request brings. It is made too often: load it "
                      "ahead of a loop, or let fewer warps need it.",
                      lanes);
        plain_wrap(out, lab->page.columns, "  ", text_string(&same));
        return;
    }
    LOCAL_TEXT words = text_from("No sector is wasted, but there are many requests: ");
    if (lanes < WARP_LANES)
        text_add(&words, "%d of %d lanes %s part in this one.", lanes, WARP_LANES, lanes == 1 ? "takes" : "take");
    else if (access->bytes < 16)
        plain_count(&words, access->bytes, "byte"), text_add(&words, " a lane, where 16 are the most.");
    else
        return;
    plain_wrap(out, lab->page.columns, "  ", text_string(&words));
}

void result_picture(const Lab *lab, const Score *score, uint32_t index, Text *out) {
    const Goal *goal = &lab->goals->goals[index];
    const Culprit culprit = culprit_of(lab, score, index);
    const Sample *sample = culprit.sample;
    if (!score->goals[index].has_value) return;
    if (causes_is_time(lab, goal)) {
        LOCAL_TEXT words = {0};
        bottleneck_say(lab, goal->run, &words);
        plain_wrap(out, lab->page.columns, "  ", text_string(&words));
    }
    if (!sample) {
        add_no_picture(lab, goal, out);
        return;
    }
    Report report = case_report(lab->runs[goal->run].kept);
    char array[ARRAY_BYTES];
    spot_array(&report, &sample->access, array);
    spot_add_quote(&report, spot_of(&report, sample->access.pc), array, "", lab->page, out);
    report_map(&report, sample, lab->page, out);
    if (culprit.is_frequent) add_frequent(lab, &sample->access, out);
    if (drift_is_possible(&report, sample))
        plain_wrap(out, lab->page.columns, "  ",
                   "The compiler unrolled the loop: this is one of several copies of the access, in which lanes may be at "
                   "different iterations.");
}

/* Whether the picture of an earlier goal, which was shown, is that of this one. */
static bool is_pictured(const Lab *lab, const Score *score, uint32_t index, uint32_t *earlier) {
    const Sample *sample = culprit_of(lab, score, index).sample;
    for (*earlier = 0; sample && *earlier < index; ++*earlier)
        if (score_is_missed(lab, score, *earlier) && culprit_of(lab, score, *earlier).sample == sample) return true;
    return false;
}

static void add_missed(const Lab *lab, const Score *score, uint32_t index, Text *out) {
    const Goal *goal = &lab->goals->goals[index];
    const RunResult *run = &lab->runs[goal->run];
    LOCAL_TEXT sentence = {0};
    bool by_note = run->note.length && lab->goals->runs[goal->run].kernel < 0;
    if (by_note)
        text_add(&sentence, "%s: %s; %s", goal->name, causes_is_empty(lab, goal) ? "no prediction yet" : "not right yet",
                 text_string(&run->note));
    else
        causes_say_goal(lab, score, index, &sentence);
    text_add(out, "\n");
    plain_wrap(out, lab->page.columns, "", text_string(&sentence));
    if (run->note.length && !by_note) plain_wrap(out, lab->page.columns, "  ", text_string(&run->note));
}

/* The goals that are explained: the next one, or all that are asked for, each with its advice. advised: that of the next one comes last. */
static void add_goals(const Lab *lab, const Score *score, int next, bool advised, Text *out) {
    uint32_t earlier;
    for (uint32_t i = 0; i < lab->goals->n_goals; i++) {
        bool is_asked = (lab->all || lab->explained >= 0) && score_is_missed(lab, score, i) &&
                        !is_left_out(lab, lab->goals->runs[lab->goals->goals[i].run].kernel);
        if (!is_asked && (int)i != next) continue;
        add_missed(lab, score, i, out);
        if (is_asked && is_pictured(lab, score, i, &earlier))
            text_add(out, "  by the access that is shown at %s\n", lab->goals->goals[earlier].name);
        else
            result_picture(lab, score, i, out);
        LOCAL_TEXT advice = {0};
        if ((int)i == next && advised) continue;
        causes_advise(lab, score, i, &advice);
        plain_wrap(out, lab->page.columns, "  ", text_string(&advice));
    }
}

/* --- what to do next ------------------------------------------------------------------------------------------------------ */

static void add_next(const Lab *lab, const char *step, Text *out) {
    text_add(out, "\n");
    LOCAL_TEXT wrapped = {0};
    plain_wrap(&wrapped, lab->page.columns, "Next: ", step);
    paint(out, lab->page, PAINT_HEAD, "Next:");
    text_add(out, "%s", text_string(&wrapped) + strlen("Next:"));
}

/* The first run without a kernel that could not be looked at; -1: none. */
static int failed_run(const Lab *lab) {
    for (uint32_t r = 0; r < lab->goals->n_runs; r++)
        if (lab->runs[r].failed) return (int)r;
    return -1;
}

static void say_next(const Lab *lab, const Score *score, int wrong, int missed, Text *out) {
    char step[200] = "";
    int failed = failed_run(lab);
    if (wrong >= 0)
        snprintf(step, sizeof step,
                 score_is_given(lab, (uint32_t)wrong) ? "put %.100s back as it was given: the predictions are about it."
                                                      : "get %.100s right first; how fast it is counts only then.",
                 lab->goals->kernels[wrong]);
    else if (failed >= 0)
        snprintf(step, sizeof step, "fix what is said about %.100s above.", lab->goals->runs[failed].name);
    else if (score_is_foreign(lab))
        snprintf(step, sizeof step, "make variant VARIANT=%u writes this learner's numbers; those here are variant %u's.",
                 (unsigned)lab->asked_variant, lab_variant(lab));
    if (step[0] || missed >= 0) {
        LOCAL_TEXT advice = {0};
        if (!step[0]) causes_advise(lab, score, (uint32_t)missed, &advice);
        add_next(lab, step[0] ? step : text_string(&advice), out);
        text_add(out, "A hint: make hint LAB=%s\n", lab->goals->number);
    } else {
        text_add(out, "\n");
        if (lab->explained >= 0) text_add(out, "%s: ", lab->goals->kernels[lab->explained]);
        paint(out, lab->page, PAINT_GOOD, lab->explained >= 0 ? "nothing is left to do." : "Solved.");
        text_add(out, "\n");
    }
}

/* What is edited outside the marks is compiled like all else; who did it without noticing is to know. */
static void say_edited(const Lab *lab, Text *out) {
    const uint32_t line = lab->given && lab->source.text ? given_edited(lab->given, lab->source.text) : 0;
    LOCAL_TEXT words = {0};
    if (!line) return;
    text_add(&words, "Line %u stands outside the marks and is not as the exercise gives it: it is graded as it stands.", line);
    text_add(out, "\n");
    plain_wrap(out, lab->page.columns, "", text_string(&words));
}

/* How to be told more, where there is more than was explained. */
static void say_more(const Lab *lab, const Score *score, Text *out) {
    uint32_t wrong = 0, missed = 0;
    for (uint32_t i = 0; i < lab->goals->n_kernels; i++) wrong += lab->kernels[i].wrong;
    for (uint32_t i = 0; i < lab->goals->n_goals; i++) missed += score_is_missed(lab, score, i);
    if (lab->all || lab->untouched || (wrong < 2 && missed < 2)) return;
    int kernel = score_wrong_kernel(lab), goal = score_next(lab, score);
    if (kernel < 0) kernel = lab->goals->runs[lab->goals->goals[goal].run].kernel;
    LOCAL_TEXT words = text_from("All that is wrong: make grade LAB=%s ALL=1", lab->goals->number);
    if (kernel >= 0) text_add(&words, "  (of one kernel: KERNEL=%s)", lab->goals->kernels[kernel]);
    plain_wrap(out, lab->page.columns, "", text_string(&words));
}

bool result_choose(Lab *lab, const char *kernel, const char *edited, Diag *diag) {
    const Goals *goals = lab->goals;
    lab->explained = kernel ? goals_kernel(goals, kernel) : -1;
    const char *first = kernel ? kernel : edited ? edited : "";
    for (uint32_t k = 0; k < goals->n_kernels; k++) lab->kernels[k].edited |= goals_listed(first, goals->kernels[k]);
    if (!kernel || lab->explained >= 0) return true;
    LOCAL_TEXT names = {0};
    for (uint32_t k = 0; k < goals->n_kernels; k++) text_add(&names, "%s%s", k ? ", " : "", goals->kernels[k]);
    diag_say(diag, "lab %s has no kernel '%.100s'", goals->number, kernel);
    diag_hint(diag, "its kernels: %s", text_string(&names));
    return false;
}

void result_show(const Lab *lab, const Score *score, Text *out) {
    int wrong = score_wrong_kernel(lab), missed = score_next(lab, score);
    if (is_left_out(lab, wrong)) wrong = -1;
    if (missed >= 0 && is_left_out(lab, lab->goals->runs[lab->goals->goals[missed].run].kernel)) missed = -1;
    add_head(lab, score, out);
    add_kernels(lab, out);
    for (uint32_t r = 0; r < lab->goals->n_runs; r++)
        if (!is_left_out(lab, lab->goals->runs[r].kernel)) goaltable_add(lab, score, r, out);
    add_goals(lab, score, missed, wrong < 0 && failed_run(lab) < 0, out);
    say_edited(lab, out);
    say_next(lab, score, wrong, missed, out);
    say_more(lab, score, out);
    if (lab->all && !score->full && !lab->untouched)
        text_add(out, "The same data again: make grade LAB=%s SEED=%llu\n", lab->goals->number, (unsigned long long)lab->seed);
}
