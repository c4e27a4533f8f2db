/* global_check.h: global memory that is read before it is written, byte by byte: machine/written.h keeps what was, of an allocation that the host has
 * not filled. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "kernel/kernel.h"
#include "machine/findings.h"
#include "machine/memory.h"
#include "observe/origins.h"
#include "observe/touch.h"

/* Between launches: bytes of the allocation that are initialised from now on. */
void global_check_host_wrote(Allocation *allocation, uint64_t offset, uint64_t bytes);

/* Between launches: whether the byte was never written, or with undefined bits. */
bool global_check_undefined(const Allocation *allocation, uint64_t offset);

typedef struct GlobalWorker {
    const Kernel *kernel;
    FindingLog *log;  /* where faults go, if the check goes on after them (findings_take) */
    Origins *origins; /* who is told of loads that nothing has written */
} GlobalWorker;

/* False with a filled fault where an atomic operation updates what was never written. */
bool global_worker_access(const GlobalWorker *worker, const Place *place, const Access *access, const GlobalTouch *touched,
                          Fault *fault);
