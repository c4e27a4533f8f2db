/* local_check.h: local memory that a lane reads before it has written it: arrays that the compiler could not keep in registers, spilled
 * registers. A load narrower than 4 bytes whose result goes only into stores may copy a struct's padding, and is not reported. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "kernel/kernel.h"
#include "machine/findings.h"
#include "observe/touch.h"

typedef struct LocalCheck LocalCheck; /* of one block slot */

/* log: where faults go, if the check goes on after them (findings_take). */
LocalCheck *local_check_new(const Kernel *kernel, FindingLog *log);
void local_check_free(LocalCheck *check);
void local_check_block(LocalCheck *check);
bool local_check_access(LocalCheck *check, const Place *place, const Access *access, Fault *fault);
