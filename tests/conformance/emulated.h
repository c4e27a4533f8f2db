/* emulated.h: what the emulator makes of a line. */
#pragma once

#include "plan.h"

/* Whether it can be run at all, and if not, why; the compute capability, times ten, that it needs. */
bool line_admitted(const Candidate *candidate, const Line *line, unsigned *since, Diag *diag);

/* Runs a job as gpu_run does. */
bool emulator_run(const Job *job, Diag *diag);
