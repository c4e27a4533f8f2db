/* history.h: every grading of a learner's labs, in a file beside .progress: a line each, in order of time, never rewritten,
 *
 *     05 1763865600 70 hints 1 seen rows=35.5,8448,0,12.5;
 *     05 1763869200 reset
 *
 * lab, seconds since 1970, points, the hints that were shown until then and what the grading saw (outcome.h). Lines that are not understood are
 * passed over. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/diag.h"
#include "base/text.h"

typedef struct HistoryEntry {
    char number[8];
    int64_t time;
    bool is_reset; /* the lab was begun anew; what follows is of gradings alone */
    double points;
    unsigned hints;
    char *seen; /* "" where nothing was measured */
} HistoryEntry;

typedef struct History {
    HistoryEntry *entries;
    size_t count;
} History;

/* The path of the history of a .progress: "PATH.history". */
void history_path(const char *progress_path, Text *out);

/* Appends a line in one piece. False with a message. */
bool history_add(const char *path, const HistoryEntry *entry, Diag *diag);

/* Reads the file, which need not exist. False with a message; history_free in any case. */
bool history_read(History *history, const char *path, Diag *diag);
void history_free(History *history);
