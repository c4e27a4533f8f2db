#include "lab/goaltable.h"

#include <stdio.h>
#include <string.h>

#include "kernel/unswitched.h"
#include "lab/case.h"
#include "report/paint.h"
#include "report/plain.h"

/* A page is at least this wide for a goal to stand in one line. Wider ones give their columns to the names, up to NAME_MOST. */
enum { LABEL = 10, VALUE = 11, NAME = 24, NAME_MOST = 36, POINTS = 16 };

static size_t name_columns(const Lab *lab) {
    size_t spare = lab->page.columns > PAGE_COLUMNS ? lab->page.columns - PAGE_COLUMNS : 0;
    return NAME + spare < NAME_MOST ? NAME + spare : NAME_MOST;
}

/* Of the whole table, so that points stand below each other. */
static size_t table_columns(const Lab *lab) {
    return lab->page.columns < PAGE_COLUMNS ? lab->page.columns : PAGE_COLUMNS - NAME + name_columns(lab);
}

static bool is_narrow(const Lab *lab) { return lab->page.columns < PAGE_COLUMNS; }

/* The text, cut, and behind it something at the right margin. */
static void add_between(const char *text, size_t columns, const char *right, Text *out) {
    size_t room = columns - strlen(right) - (*right != 0), used = plain_line(out, text, strlen(text), room);
    if (*right) text_add(out, "%*s", (int)(columns - used), right);
    text_add(out, "\n");
}

/* In a wide page: one that does not fit has a line of its own. */
static void add_name(const char *name, int columns, Text *out) {
    if (strlen(name) <= (size_t)columns)
        text_add(out, "%-*s", columns, name);
    else
        text_add(out, "%s\n%*s", name, LABEL + columns, "");
}

/* A number to beat. */
static void add_figure(const Lab *lab, const Goal *goal, const GoalResult *result, Text *out) {
    text_add(out, "  ");
    paint(out, lab->page, PAINT_HEAD, "figure");
    int columns = (int)name_columns(lab);
    if (is_narrow(lab))
        text_add(out, "  %s\n%*s", goal->name, LABEL, "");
    else
        text_add(out, "  "), add_name(goal->name, columns, out);
    text_add(out, "%*s", is_narrow(lab) ? 0 : VALUE, plain_value(result->value).text);
    static const char better[] = ": yours is better";
    LOCAL_TEXT reference = text_from("  reference %s", plain_value(goal->zero).text);
    if (goal->full > goal->zero) text_add(&reference, " to %s", plain_value(goal->full).text);
    bool fits = !is_narrow(lab) && LABEL + (size_t)columns + VALUE + reference.length + strlen(better) <= lab->page.columns;
    text_add(out, "%s", text_string(&reference));
    if (result->value > goal->full && fits) text_add(out, "%s", better);
    if (result->value > goal->full && !fits) text_add(out, "\n%*s%s", LABEL, "", better + 2);
    text_add(out, "\n");
}

static void add_skipped(const Lab *lab, const Goal *goal, Text *out) {
    int columns = (int)name_columns(lab);
    if (is_narrow(lab))
        text_add(out, "  %-8s%s\n%10s%g of a copy's speed, on a real GPU:\n%10s", "SKIPPED", goal->name, "", goal->full, "");
    else
        text_add(out, "  %-8s%-*.*s %g of a copy's speed, on a real GPU\n%*s", "SKIPPED", columns, columns, goal->name,
                 goal->full, LABEL + columns + 1, "");
    text_add(out, "make grade LAB=%s DEVICE=gpu\n", lab->goals->number);
}

/* 1 and 0 of a prediction would look like what was predicted. */
static bool is_judged(const Goal *goal, const GoalResult *result) {
    return result->has_value && strncmp(goal->metric, "right.", 6) == 0;
}

/* "32.1016  goal           9", in columns unless the page is narrow. */
static void add_numbers(const Lab *lab, const Goal *goal, const GoalResult *result, Text *out) {
    const char *word = goal->kind == GOAL_LIMIT ? "most" : "goal";
    Plain value = {""}, full = plain_value(goal->full);
    if (result->has_value) value = plain_value(result->value);
    if (is_narrow(lab) && result->has_value)
        text_add(out, "%*s%s, %s %s\n", LABEL, "", value.text, word, full.text);
    else if (!is_narrow(lab) && goal->kind == GOAL_CORRECT)
        text_add(out, "%11s%18s", value.text, "");
    else if (!is_narrow(lab))
        text_add(out, "%11s  %4s%12s", value.text, word, full.text);
}

/* Where nvcc would make other loops of the same source. */
static void add_unswitched(const Lab *lab, const Goal *goal, Text *out) {
    const LabCase *kept = lab->runs[goal->run].kept;
    if (!kept || !text_begins(lab->compiler, "clang")) return;
    const Kernel *kernel = kept->request.launch.kernel;
    const uint32_t branch = unswitched_branch(kernel);
    if (branch == NO_INSN) return;
    const uint32_t line = kernel->program->locations[kernel->program->insns[branch].location].line;
    text_add(out, ". By nvcc this may be worth more: it takes the if ");
    if (line) text_add(out, "of line %u ", line);
    text_add(out, "out of its loop, since it goes one way in all iterations, and unrolls both loops that it makes of it");
}

/* Which loads are in flight together is the compiler's choice, where the source leaves it. */
static void add_modelled(const Lab *lab, const Goal *goal, bool met, Text *out) {
    LOCAL_TEXT said = text_from("modelled time%s%s, not measured", met ? "" : " by the code of ", met ? "" : lab->compiler);
    if (!met) add_unswitched(lab, goal, &said);
    plain_wrap(out, lab->page.columns, "          ", text_string(&said));
}

static void add_goal(const Lab *lab, const Goal *goal, const GoalResult *result, Text *out) {
    char points[40], label[16];
    int columns = (int)name_columns(lab);
    bool over = goal->kind == GOAL_LIMIT && result->has_value && !result->met;
    const bool voided =
        result->is_void && (result->has_value || goal->kind == GOAL_CORRECT); /* its value stands all the same */
    snprintf(label, sizeof label, "  %-8s", result->met ? "met" : over ? "OVER" : voided ? "void" : "MISSED");
    paint(out, lab->page, result->met ? PAINT_GOOD : PAINT_BAD, label);
    snprintf(points, sizeof points, "%g of %g", result->score, goal->points);
    if (goal->kind == GOAL_LIMIT) points[0] = 0;
    const char *judged = result->met ? "right" : "wrong";
    if (is_narrow(lab)) {
        add_between(goal->name, table_columns(lab) - LABEL, points, out);
        if (is_judged(goal, result))
            text_add(out, "%*s%s\n", LABEL, "", judged);
        else
            add_numbers(lab, goal, result, out);
    } else if (is_judged(goal, result)) {
        text_add(out, "%-*s%11s %*s\n", columns + 18, goal->name, judged, POINTS, points);
    } else {
        add_name(goal->name, columns, out);
        add_numbers(lab, goal, result, out);
        text_add(out, points[0] ? " %*s\n" : "\n", POINTS, points);
    }
    if (result->reason[0] && !voided)
        plain_wrap(out, lab->page.columns, "          ", result->reason);
    else if (strstr(goal->metric, "model."))
        add_modelled(lab, goal, result->met, out);
}

static void add_row(const Lab *lab, const Goal *goal, const GoalResult *result, Text *out) {
    if (goal->kind == GOAL_FIGURE && result->has_value)
        add_figure(lab, goal, result, out);
    else if (result->skipped)
        add_skipped(lab, goal, out);
    else if (goal->kind != GOAL_FIGURE)
        add_goal(lab, goal, result, out);
}

static void add_head(const Lab *lab, const GoalRun *run, const RunScore *sum, Text *out) {
    LOCAL_TEXT head = {0};
    char points[40];
    bool named = run->kernel >= 0 && strcmp(run->name, lab->goals->kernels[run->kernel]) != 0;
    text_add(&head, "%s: %s%s%s", run->name, named ? lab->goals->kernels[run->kernel] : "", named ? ", " : "", run->text);
    snprintf(points, sizeof points, "%g of %g", sum->points, sum->most);
    const char *at = text_string(&head);
    size_t room = table_columns(lab) - strlen(points) - 2;
    for (size_t part = plain_break(at, room); at[part]; part = plain_break(at, room - 2)) {
        text_add(out, "%.*s\n  ", (int)part, at);
        at += part + strspn(at + part, " ");
    }
    add_between(at, table_columns(lab) - (at > text_string(&head) ? 2 : 0), points, out);
}

void goaltable_add(const Lab *lab, const Score *score, uint32_t index, Text *out) {
    const Goals *goals = lab->goals;
    const GoalRun *run = &goals->runs[index];
    RunScore sum = score_run(lab, score, index);
    text_add(out, "\n");
    add_head(lab, run, &sum, out);
    if (run->kernel >= 0 && lab->kernels[run->kernel].wrong) {
        text_add(out, "  not measured: a wrong kernel scores 0\n");
        return;
    }
    if (lab->runs[index].failed) {
        plain_wrap(out, lab->page.columns, "  ", text_string(&lab->runs[index].failure.message));
        return;
    }
    const bool folded = sum.met && !score->full;
    if (folded) text_add(out, "  all goals met\n");
    for (uint32_t i = 0; i < goals->n_goals; i++) {
        const Goal *goal = &goals->goals[i];
        bool stays = score->goals[i].skipped || goal->kind == GOAL_FIGURE;
        bool hidden = goal->kind == GOAL_LIMIT ? score->goals[i].met && (folded || !lab->all) : folded && !stays;
        if (goal->run == index && !hidden) add_row(lab, goal, &score->goals[i], out);
    }
    if (sum.over) {
        text_add(out, "  over a limit: the run scores 0\n");
    } else if (sum.limits && !folded && !lab->all) {
        text_add(out, "  ");
        plain_count(out, sum.limits, "limit");
        text_add(out, " kept\n");
    }
}
