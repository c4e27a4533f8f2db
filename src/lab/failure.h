/* failure.h: how a test or run of a lab ends when the learner's file is wrong: the first failure is recorded, and Check is left. */
#pragma once

#include "lab/running.h"

/* Ends the running test, whose failure is recorded already. */
_Noreturn void lab_stop(void);

/* Marks what is being tested as wrong: the record of its failure, empty but for a cause that the file shows, or NULL when an earlier failure is there. c may be NULL. */
LabFailure *lab_failure(Lab *lab, const LabCase *c);

/* Ends the test with this sentence; lab_wrong (lab.h) does so for a case. */
_Noreturn void lab_reject(Lab *lab, const char *format, ...) __attribute__((format(printf, 2, 3)));

void failure_free(LabFailure *failure);
