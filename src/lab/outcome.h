/* outcome.h: what a grading saw of a lab in one word, which .progress remembers, and what changed since. Items end in ';':
 *
 *     rows=66,8448,0,12.5:0.9,1.02;
 *                               a run: points; where it was measured sectors of global and local memory, bank conflicts, modelled microseconds;
 *                               then its share of a copy's speed and the values of its goals (outcome_has_value), '-' where there is none
 *     rows=wrong;               a run whose kernel was wrong
 *     +darken=1a2b3c4d;         a kernel: the checksum of its text
 *     +=1a2b3c4d;               what stands around the kernels
 */
#pragma once

#include <stdbool.h>

#include "base/text.h"
#include "lab/goals.h"

enum { SEEN_BYTES = 2000 };

/* Appends the kernels of this source. */
void outcome_add_kernels(const Goals *goals, const char *source, Text *out);

/* Appends the names, with commas between, of the kernels whose text is known in both words and differs. */
void outcome_edited(const Goals *goals, const char *before, const char *now, Text *names);

/* Whether a run's item has this goal's value: of goals for points, but for predictions. */
bool outcome_has_value(const Goals *goals, uint32_t run, uint32_t goal);

enum { SEEN_VALUES = 16 };

/* What a word says of a run. */
typedef struct OutcomeRun {
    bool known, wrong, measured;
    double points, sectors, conflicts, time_us; /* the last three where measured */
    double values[SEEN_VALUES];                 /* the share of a copy's speed, then those of goals; NAN: unknown */
    uint32_t n_values;                          /* 0: nothing of the kind was kept */
} OutcomeRun;

OutcomeRun outcome_run(const char *word, const char *run);

/* Appends lines that say of each run what changed: nothing where `before` knows no run. Sizes are drawn anew at each grading, so that values of goals
 * are compared, which are per element, never counts; values that differ by less than 5 percent are no change, and a run whose kernel
 * is as it was, with all around it, takes a line only where the kernel is right and was not, or the other way round. */
void outcome_say_changes(const Goals *goals, const char *before, const char *now, size_t columns, Text *out);
