#include "lab/seen.h"

#include <inttypes.h>
#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "input/declared.h"
#include "lab/checksum.h"
#include "report/plain.h"

enum { CHANGE_PERCENT = 5 };

/* --- writing -------------------------------------------------------------------------------------------------------------- */

void seen_add_kernels(const Goals *goals, const char *source, Text *out) {
    for (uint32_t k = 0; k < goals->n_kernels; k++) {
        size_t length;
        const char *kernel = declared_kernel(source, goals->kernels[k], &length);
        if (!kernel) continue;
        char *text = alloc_text(kernel, length);
        text_add(out, "+%s=%08" PRIx32 ";", goals->kernels[k], (uint32_t)checksum_of(text));
        free(text);
    }
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

void seen_edited(const Goals *goals, const char *before, const char *now, Text *names) {
    for (uint32_t k = 0; k < goals->n_kernels; k++) {
        size_t old_length, length;
        const char *old = find(before, "+", goals->kernels[k], &old_length);
        const char *new = find(now, "+", goals->kernels[k], &length);
        if (!old || !new || (old_length == length && memcmp(old, new, length) == 0)) continue;
        text_add(names, "%s%s", names->length ? "," : "", goals->kernels[k]);
    }
}

SeenRun seen_run(const char *word, const char *name) {
    SeenRun run = {0};
    size_t length;
    const char *value = find(word, "", name, &length);
    run.known = value != NULL;
    run.wrong = value && strncmp(value, "wrong", 5) == 0;
    if (value && !run.wrong)
        run.measured = sscanf(value, "%lf,%lf,%lf,%lf", &run.points, &run.sectors, &run.conflicts, &run.time_us) == 4;
    return run;
}

static bool differs(double before, double now) {
    return fabs(now - before) * 100 > CHANGE_PERCENT * fmax(fabs(before), fabs(now));
}

static void add_change(double before, double now, const char *what, Text *out) {
    if (differs(before, now)) text_add(out, ", %s -> %s %s", plain_value(before).text, plain_value(now).text, what);
}

/* "rows: 30 -> 66 points, 17,424 -> 8448 sectors". */
static void add_run(const Goals *goals, const GoalRun *run, const SeenRun *before, const SeenRun *now, Text *out) {
    const char *kernel = run->kernel >= 0 ? goals->kernels[run->kernel] : run->name;
    text_add(out, "%s: %s -> %s points", run->name, plain_value(before->points).text, plain_value(now->points).text);
    if (before->wrong != now->wrong) text_add(out, "; %s is %s now", kernel, now->wrong ? "wrong" : "right");
    if (!before->measured || !now->measured) return;
    add_change(before->sectors, now->sectors, "sectors", out);
    add_change(before->conflicts, now->conflicts, "bank conflicts", out);
    if (differs(before->time_us, now->time_us))
        text_add(out, ", %.1f -> %s modelled", before->time_us, plain_time(now->time_us).text);
}

static bool is_changed(const SeenRun *before, const SeenRun *now) {
    if (before->points != now->points || before->wrong != now->wrong) return true;
    return before->measured && now->measured &&
           (differs(before->sectors, now->sectors) || differs(before->conflicts, now->conflicts) ||
            differs(before->time_us, now->time_us));
}

void seen_say_changes(const Goals *goals, const char *before, const char *now, size_t columns, Text *out) {
    Text lines = {0};
    bool compared = false;
    for (uint32_t r = 0; r < goals->n_runs; r++) {
        SeenRun old = seen_run(before, goals->runs[r].name), new = seen_run(now, goals->runs[r].name);
        compared |= old.known && new.known;
        if (!old.known || !new.known || !is_changed(&old, &new)) continue;
        Text line = {0};
        add_run(goals, &goals->runs[r], &old, &new, &line);
        plain_wrap(&lines, columns, "  ", text_string(&line));
        text_free(&line);
    }
    if (compared)
        text_add(out, "\nSince the grading before:%s\n%s", lines.length ? "" : " no run changed", text_string(&lines));
    text_free(&lines);
}
