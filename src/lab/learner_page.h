/* learner_page.h: a learner's labs as one page in the book's look: points, gradings over time, best counts and times, and each lab's map as the
 * exercise was given and as it is now. Nothing is fetched from anywhere. */
#pragma once

#include <jansson.h>

#include "lab/goals.h"
#include "lab/history.h"
#include "lab/progress.h"

typedef struct LearnerLab {
    const Goals *goals;
    LabMark mark;
    json_t *before, *now; /* JSON with figures of the exercise as it was given and of the learner's file; NULL: none */
} LearnerLab;

void learner_page(const LearnerLab *labs, size_t count, const History *history, Text *out);
