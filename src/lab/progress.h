/* progress.h: what is remembered of a learner's labs, in the file .progress of the tree: a line a lab,
 *
 *     05 best 40 last 35.5 hints 1 graded 9ae16a3b2f90404f seen rows=35.5,8448,0,12.5;+darken=1a2b3c4d;
 *
 * the points at best and at the last grading, hints that were shown, the checksum of the file that was graded, and what that
 * grading saw (outcome.h). Absent words: never.
 * Lines that are not understood stay as they are. */
#pragma once

#include <stdbool.h>

#include "base/diag.h"
#include "base/text.h"
#include "lab/outcome.h"

typedef struct LabMark {
    char number[8];
    bool is_graded;
    double best, last; /* where is_graded */
    unsigned hints;
    char graded[40]; /* "": unknown */
    char seen[SEEN_BYTES];
} LabMark;

typedef struct ProgressLine {
    char *text; /* a line that is not understood; NULL: mark */
    LabMark mark;
} ProgressLine;

typedef struct Progress {
    ProgressLine *lines;
    size_t count;
} Progress;

/* Reads the file, which need not exist. Appends a sentence to `strange` for each line that is not understood. False with a message, and
 * empty, when the file cannot be read. progress_free in any case. */
bool progress_read(Progress *progress, const char *path, Text *strange, Diag *diag);
void progress_free(Progress *progress);

/* What is known of a lab; nothing but its number where it has no line. */
LabMark progress_of(const Progress *progress, const char *number);

/* Each of these reads the file again under a lock, changes one lab's line and replaces the file at once, so that commands that run side by
 * side lose nothing of each other. False with a message, and with the file as it was, when it cannot be written. */
bool progress_graded(const char *path, const char *number, double points, const char *checksum, const char *seen, Diag *diag);
bool progress_hinted(const char *path, const char *number, unsigned hints, Diag *diag);

/* Forgets points, hints and what was graded. */
bool progress_reset(const char *path, const char *number, Diag *diag);
