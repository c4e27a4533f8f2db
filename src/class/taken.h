/* taken.h: what a submission's file is now, and the name under which what is said of it is kept. */
#pragma once

#include "class/class.h"

enum { TAKEN_KEY = 42 };

typedef struct Taken {
    Text bytes;
    char key[TAKEN_KEY + 1];
    Diag why;     /* set: nothing could be taken */
    bool refused; /* that is the submission's fault */
} Taken;

/* The key is that of the first draw. taken_release in any case. */
void taken_take(Taken *taken, const Class *class, const Submission *submission);
void taken_release(Taken *taken);

/* Makes the key that of a draw. */
void taken_name(Taken *taken, const Class *class, const Submission *submission, unsigned draw);

/* "OUT/state/graded/KEY" and what it ends with, to the empty path. */
void taken_path(const Taken *taken, const Class *class, const char *end, Text *path);

/* Of the exercise that this learner must have. */
uint32_t taken_variant(const Class *class, const Submission *submission);
