/* submissions.h: what lies in the folder that a teacher points at. */
#pragma once

#include <stdbool.h>
#include <stddef.h>

#include "base/diag.h"

/* An entry of the folder: a .cu file, an archive, or a folder that holds one of them. */
typedef struct Submission {
    char *name;    /* the entry's, any bytes */
    char *student; /* the name without .cu, .zip and the like */
    char *
        slug; /* the name as that of a folder for results: letters, digits, - _ . and for other bytes =XX; at most 200 of them */
    char *path;      /* the file's, beneath the folder; NULL: there is none that can be taken */
    char *why;       /* why not; NULL where there is one */
    bool unreadable; /* the reason is the system's: nothing is said about the submission */
    bool is_archive; /* anything but a .cu file is taken for one */
} Submission;

typedef struct Submissions {
    Submission *items; /* in order of the names' bytes */
    size_t count;
} Submissions;

/* Looks at the folder (an open descriptor; path for messages), following no links. Entries that begin with a dot, __MACOSX, and the folder that
 * `results` (a descriptor, or -1) is, are none. In a folder the file is the kernel.cu at its top, else the only kernel.cu below, else the only
 * .cu, else the only archive. What changed less than `settled` seconds ago may still be being written, and is left out. False with a message. submissions_free in any case. */
bool submissions_find(Submissions *submissions, int folder, const char *path, int results, unsigned settled, Diag *diag);
void submissions_free(Submissions *submissions);
