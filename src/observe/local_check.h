/* local_check.h: local memory that a lane reads before it has written it: arrays that the compiler could not keep in registers, spilled
 * registers. What it reads there is undefined. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "kernel/kernel.h"
#include "machine/findings.h"
#include "observe/origins.h"
#include "observe/touch.h"

typedef struct LocalCheck LocalCheck; /* of one block slot */

/* log: where faults go, if the check goes on after them (findings_take). origins: who is told of loads that nothing has written. */
LocalCheck *local_check_new(const Kernel *kernel, FindingLog *log, Origins *origins);
void local_check_free(LocalCheck *check);
void local_check_block(LocalCheck *check);
bool local_check_access(LocalCheck *check, const Place *place, const Access *access, Fault *fault);
