/* complete.h: whether a lab's suite leaves nothing out: a mistake of the lab's own, never the learner's. */
#pragma once

#include "lab/running.h"

/* Whether suite and lab.goals speak of the same kernels and runs. False with a message. */
bool complete_suite(const Lab *lab, Diag *diag);

/* Whether every test and run came to an end that the score may rest on. */
bool complete_grading(const Lab *lab, Diag *diag);
