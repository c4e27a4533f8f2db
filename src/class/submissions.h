/* submissions.h: what lies in the folder that a teacher points at, and what is taken of it. All that learners hand in comes through here, be it as
 * a class, as one file, or on a platform. */
#pragma once

#include <stdbool.h>
#include <stddef.h>

#include "base/diag.h"
#include "base/text.h"

/* An entry of the folder: a .cu file, an archive, or a folder that holds one of them. */
typedef struct Submission {
    char *name;    /* the entry's, any bytes */
    char *student; /* the name without .cu, .zip and the like */
    char *
        slug; /* the name as that of a folder for results: letters, digits, - _ . and for other bytes =XX; at most 200 of them */
    char *path;      /* the file's, beneath the folder; NULL: there is none that can be taken */
    char *why;       /* why not; NULL where there is one */
    bool unreadable; /* the reason is the system's: nothing is said about the submission */
    bool
        is_archive; /* anything but a .cu file is taken for one; so is one that begins as archives do: platforms rename what is handed in */
} Submission;

typedef struct Submissions {
    Submission *items; /* in order of the names' bytes */
    size_t count;
} Submissions;

/* Looks at the folder (an open descriptor; path for messages), following no links. Entries that begin with a dot, unless their names end as those
 * of kernels and archives, __MACOSX, and the folder that
 * `results` (a descriptor, or -1) is, are none. In a folder the file is the kernel.cu at its top, else the only kernel.cu below, else the only
 * .cu, else the only archive. What changed less than `settled` seconds ago may still be being written, and is left out. False with a message. submissions_free in any case. */
bool submissions_find(Submissions *submissions, int folder, const char *path, int results, unsigned settled, Diag *diag);
void submissions_free(Submissions *submissions);

/* The one submission that the folder's entry of this name is. submission_free in any case. */
void submission_find(Submission *submission, int folder, const char *name);
void submission_free(Submission *submission);

/* Appends the submission's bytes, and no more of them than shows that they are too many. False with a message; *refused: that is the submission's
 * fault. */
bool submission_take(const Submission *submission, int folder, Text *bytes, bool *refused, Diag *why);
