/* submitted.h: what a submission's file is now, and the name under which what is said of it is kept. */
#pragma once

#include "class/class.h"

enum { TAKEN_KEY = 42 };

typedef struct Submitted {
    const Class *class;
    const Submission *submission;
    Text bytes;
    char key[TAKEN_KEY + 1];
    Diag why;     /* set: nothing could be taken */
    bool refused; /* that is the submission's fault */
    Text unable;  /* why the grader could not work */
} Submitted;

/* The key is that of the first draw. submitted_release in any case. */
void submitted_take(Submitted *taken, const Class *class, const Submission *submission);
void submitted_release(Submitted *taken);

/* Makes the key that of a draw. */
void submitted_name(Submitted *taken, unsigned draw);

/* "state/graded/KEY" and what it ends with, which is below OUT. */
Text submitted_path(const Submitted *taken, const char *end);

/* Of the exercise that this learner must have. */
uint32_t submitted_variant(const Submitted *taken);
