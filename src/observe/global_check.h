/* global_check.h: global memory that is read before it is written. An allocation that the host has not filled has a shadow, which keeps for every
 * granule whether it was written. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "kernel/kernel.h"
#include "machine/findings.h"
#include "machine/memory.h"
#include "observe/origins.h"
#include "observe/touch.h"

typedef struct GlobalCheck GlobalCheck; /* of a launch */

/* Prepares the shadows of all allocations. The kernel must outlive it. */
GlobalCheck *global_check_new(Memory *memory, const Kernel *kernel);
void global_check_free(GlobalCheck *check);

/* Between launches: bytes of the allocation that are initialised from now on. */
void global_check_host_wrote(Allocation *allocation, uint64_t offset, uint64_t bytes);

/* Between launches: whether the byte was never written, or with undefined bits. */
bool global_check_undefined(const Allocation *allocation, uint64_t offset);

typedef struct GlobalWorker GlobalWorker;

/* log: where faults go, if the check goes on after them (findings_take). origins: who is told of loads that nothing has written. */
GlobalWorker *global_worker_new(GlobalCheck *check, FindingLog *log, Origins *origins);
void global_worker_free(GlobalWorker *worker);

/* False with a filled fault where an atomic operation updates what was never written. */
bool global_worker_access(GlobalWorker *worker, const Place *place, const Access *access, Fault *fault);
