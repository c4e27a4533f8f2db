/* checks.h: finds, while a kernel runs, memory that is read before anything has written it, data races on shared memory between
 * barriers, and races on global memory between blocks. One bad kernel gives one message: the first fault ends the launch; or, with
 * ON_FAULT_NOTE, ends the checking of the worker that found it, and with ON_FAULT_GO_ON nothing ends and everything is told.
 *
 * What is a race, and what is deliberately not reported, is described in global_check.h and shared_check.h; what counts as uninitialised:
 *   - Global: granules of an Allocation that is not `initialized` and that no kernel has written since. Shared: granules that no thread
 *     of the block has written. Local: bytes that the lane itself has not written in this block. A granule is 4 bytes, or less in a
 *     kernel that has narrower accesses. atom.exch counts as a write alone, all other atomics read too.
 *   - A load is reported when any of its bytes is unwritten, with one exception: a load whose result goes only into stores is a copy, and may
 *     carry a struct's padding; it is reported when all of its bytes are unwritten. */
#pragma once

#include <stdint.h>

#include "kernel/kernel.h"
#include "machine/findings.h"
#include "machine/memory.h"

typedef struct CheckSet CheckSet;

/* State of one launch of this kernel. Gives every allocation of memory a shadow, or clears what an earlier launch left
 * in it except which granules are initialised. Memory and kernel stay the caller's and must outlive the set. workers: host threads
 * that will run; max_resident: above every Place.block_slot. */
CheckSet *checks_new(Memory *memory, const Kernel *kernel, OnFault on_fault, uint32_t workers, uint32_t max_resident);
void checks_free(CheckSet *checks);

/* Between launches: host code has written these bytes of an allocation, so that reading them is no fault. */
void checks_host_wrote(Allocation *allocation, uint64_t offset, uint64_t bytes);

/* The observer of one worker; valid as long as the set. */
Observer *checks_observer(CheckSet *checks, uint32_t worker);

/* Adds what was found to the launch's log: the earliest alone unless all is wanted, since each worker's checks have ended with its first. */
void checks_tell(const CheckSet *checks, FindingLog *log);
