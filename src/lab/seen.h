/* seen.h: what a grading saw of a lab in one word, which .progress remembers, and what changed since. Items end in ';':
 *
 *     rows=66,8448,0,12.5;      a run: points; where it was measured sectors of global and local memory, bank conflicts, modelled microseconds
 *     rows=wrong;               a run whose kernel was wrong
 *     +darken=1a2b3c4d;         a kernel: the checksum of its text
 */
#pragma once

#include <stdbool.h>

#include "base/text.h"
#include "lab/goals.h"

enum { SEEN_BYTES = 2000 };

/* Appends the kernels of this source. */
void seen_add_kernels(const Goals *goals, const char *source, Text *out);

/* Appends the names, with commas between, of the kernels whose text is known in both words and differs. */
void seen_edited(const Goals *goals, const char *before, const char *now, Text *names);

/* What a word says of a run. */
typedef struct SeenRun {
    bool known, wrong, measured;
    double points, sectors, conflicts, time_us; /* the last three where measured */
} SeenRun;

SeenRun seen_run(const char *word, const char *run);

/* Appends lines that say of each run what changed: nothing where `before` knows no run. Inputs are drawn anew at each grading: numbers that
 * differ by less than 5 percent are no change. */
void seen_say_changes(const Goals *goals, const char *before, const char *now, size_t columns, Text *out);
