#include "lab/outcome.h"

#include <inttypes.h>
#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "host/checksum.h"
#include "input/declared.h"
#include "report/plain.h"

enum { CHANGE_PERCENT = 5 };

/* --- writing -------------------------------------------------------------------------------------------------------------- */

void outcome_add_kernels(const Goals *goals, const char *source, Text *out) {
    FREED char *rest = alloc_copy(source);
    for (uint32_t k = 0; k < goals->n_kernels; k++) {
        size_t length;
        const char *kernel = declared_kernel(source, goals->kernels[k], &length);
        if (!kernel) continue;
        FREED char *text = alloc_text(kernel, length);
        text_add(out, "+%s=%08" PRIx32 ";", goals->kernels[k], (uint32_t)checksum_of(text));
        memset(rest + (kernel - source), ' ', length);
    }
    text_add(out, "+=%08" PRIx32 ";", (uint32_t)checksum_of(rest));
}

bool outcome_has_value(const Goals *goals, uint32_t run, uint32_t goal) {
    const Goal *of = &goals->goals[goal];
    return of->run == run && of->kind == GOAL_METRIC && strncmp(of->metric, "right", 5) != 0;
}

/* --- reading -------------------------------------------------------------------------------------------------------------- */

/* The value of an item, with its length; NULL where there is none. */
static const char *find(const char *word, const char *mark, const char *name, size_t *length) {
    size_t wanted = strlen(mark) + strlen(name);
    for (const char *at = word; *at; at += strcspn(at, ";"), at += *at == ';') {
        if (strncmp(at, mark, strlen(mark)) != 0 || strncmp(at + strlen(mark), name, strlen(name)) != 0 || at[wanted] != '=')
            continue;
        *length = strcspn(at + wanted + 1, ";");
        return at + wanted + 1;
    }
    return NULL;
}

/* Whether both words know the kernel ("": what stands around them), and it is the same, or another one. */
static bool is_same(const char *before, const char *now, const char *kernel, bool same) {
    size_t old_length, length;
    const char *old = find(before, "+", kernel, &old_length), *new = find(now, "+", kernel, &length);
    return old && new && (old_length == length && memcmp(old, new, length) == 0) == same;
}

void outcome_edited(const Goals *goals, const char *before, const char *now, Text *names) {
    for (uint32_t k = 0; k < goals->n_kernels; k++)
        if (is_same(before, now, goals->kernels[k], false))
            text_add(names, "%s%s", names->length ? "," : "", goals->kernels[k]);
}

/* ":0.93,-,1.02", where a line stands for what has no value. */
static void read_values(const char *at, OutcomeRun *run) {
    while (run->n_values < SEEN_VALUES && (*at == ':' || *at == ',')) {
        char *end;
        double value = strtod(++at, &end);
        run->values[run->n_values++] = end > at ? value : NAN;
        at = end + (*at == '-');
    }
}

OutcomeRun outcome_run(const char *word, const char *name) {
    OutcomeRun run = {0};
    size_t length;
    int read = 0;
    const char *value = find(word, "", name, &length);
    run.known = value != NULL;
    run.wrong = value && strncmp(value, "wrong", 5) == 0;
    if (!value || run.wrong) return run;
    run.measured = sscanf(value, "%lf,%lf,%lf,%lf%n", &run.points, &run.sectors, &run.conflicts, &run.time_us, &read) == 4;
    if (run.measured) read_values(value + read, &run);
    return run;
}

/* Not where either is unknown. */
static bool differs(double before, double now) {
    return fabs(now - before) * 100 > CHANGE_PERCENT * fmax(fabs(before), fabs(now));
}

static void add_change(const char *what, double before, double now, Text *out) {
    if (!differs(before, now)) return;
    text_add(out, "%s%s", what, *what ? " " : "");
    text_add(out, "%s -> %s", plain_value(before).text, plain_value(now).text);
}

/* "; rotate_sectors 4.4 -> 1.03, rotate_speed 0.41 -> 0.79", or the speed where no goal is about it: "; 0.41 -> 0.31 of a copy's speed". */
static void add_values(const Goals *goals, uint32_t run, const OutcomeRun *before, const OutcomeRun *now, Text *out) {
    uint32_t v = 1;
    bool is_timed = false;
    const char *between = "; ";
    if (!before->n_values || before->n_values != now->n_values) return;
    for (uint32_t g = 0; g < goals->n_goals && v < now->n_values; g++) {
        if (!outcome_has_value(goals, run, g)) continue;
        is_timed |= strstr(goals->goals[g].metric, "model.") != NULL;
        if (differs(before->values[v], now->values[v])) text_add(out, "%s", between), between = ", ";
        add_change(goals->goals[g].name, before->values[v], now->values[v], out);
        v++;
    }
    if (is_timed || !differs(before->values[0], now->values[0])) return;
    text_add(out, "%s", between);
    add_change("", before->values[0], now->values[0], out);
    text_add(out, " of a copy's speed");
}

/* "rows: 30 -> 66 points; rotate_sectors 4.4 -> 1.03"; nothing where nothing changed but by what was drawn. */
static void add_run(const Goals *goals, uint32_t index, const char *before, const char *now, Text *out) {
    const GoalRun *run = &goals->runs[index];
    const char *kernel = run->kernel >= 0 ? goals->kernels[run->kernel] : run->name;
    const OutcomeRun old = outcome_run(before, run->name), new = outcome_run(now, run->name);
    const bool unedited = is_same(before, now, kernel, true) && is_same(before, now, "", true);
    LOCAL_TEXT values = {0};
    if (!old.known || !new.known) return;
    if (old.measured && new.measured) add_values(goals, index, &old, &new, &values);
    if (old.wrong != new.wrong || (!unedited && (old.points != new.points || values.length))) {
        text_add(out, "%s: %s -> %s points", run->name, plain_value(old.points).text, plain_value(new.points).text);
        if (old.wrong != new.wrong) text_add(out, "; %s is %s now", kernel, new.wrong ? "wrong" : "right");
        text_add(out, "%s", text_string(&values));
    }
}

void outcome_say_changes(const Goals *goals, const char *before, const char *now, size_t columns, Text *out) {
    LOCAL_TEXT lines = {0};
    bool compared = false;
    for (uint32_t r = 0; r < goals->n_runs; r++) {
        const char *name = goals->runs[r].name;
        LOCAL_TEXT line = {0};
        compared |= outcome_run(before, name).known && outcome_run(now, name).known;
        add_run(goals, r, before, now, &line);
        if (line.length) plain_wrap(&lines, columns, "  ", text_string(&line));
    }
    if (compared)
        text_add(out, "\nSince the grading before:%s\n%s", lines.length ? "" : " no run changed", text_string(&lines));
}
