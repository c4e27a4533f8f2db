/* checks.h: finds, while a kernel runs, memory that is read before anything has written it, and data races on shared
 * and on global memory. One bad kernel gives one message: the first fault ends the launch; or, with
 * ON_FAULT_NOTE, ends the checking of the worker that found it, and with ON_FAULT_GO_ON nothing ends and everything is told.
 *
 * What is a race, and what is deliberately not reported, is described in global_race.h and shared_check.h. What is uninitialised:
 *   - Global: bytes of an Allocation that is not `initialized` and that neither the host nor a kernel has written since. Shared: bytes that no
 *     thread of the block has written. Local: bytes that the lane itself has not written in this block. Registers: see machine/defined.h.
 *   - To read them is no mistake, and to copy them none: padding and unused components of vectors are. Told is what depends on them: an address, a
 *     branch, an atomic operation (atom.exch alone only writes), what is printed, and a value stored to global memory of which
 *     nothing is defined, unless it may be a structure's padding: moved only, behind written bytes of the same 16, and not of an array's
 *     neighbouring elements. */
#pragma once

#include <stdint.h>

#include "kernel/kernel.h"
#include "machine/findings.h"
#include "machine/memory.h"
#include "machine/module.h"

typedef struct CheckSet CheckSet;

typedef struct CheckConfig {
    OnFault on_fault;
    bool imprinted;        /* what the launch has read is asked for: imprint.h; that of unified memory may be always */
    bool strict;           /* about races: see global_race.h */
    uint32_t workers;      /* host threads that will run */
    uint32_t max_resident; /* above every Place.block_slot */
    uint64_t blocks;       /* of the grid */
    uint64_t threads;      /* of a block */
    uint64_t barrier;      /* the grid's own, its address; 0: none */
    /* Of the launch; read where the kernel stores by what they hold. */
    const uint8_t *params;
    const Module *module;
} CheckConfig;

/* State of one launch of this kernel. What it keeps of an allocation is made where the launch touches it. Memory and kernel stay the caller's and
 * must outlive the set. */
CheckSet *checks_new(Memory *memory, const Kernel *kernel, const CheckConfig *config);
void checks_free(CheckSet *checks);

/* Between launches: host code has written these bytes of an allocation, so that reading them is no fault. */
void checks_host_wrote(Allocation *allocation, uint64_t offset, uint64_t bytes);

/* Between launches: bytes were copied within device memory, which is written or not as where they come from. */
void checks_copied(Allocation *to, uint64_t to_offset, const Allocation *from, uint64_t from_offset, uint64_t bytes);

/* Bytes that were never written, by an allocation's offset. */
typedef struct UnwrittenBytes {
    uint64_t first, count;
    uint64_t looked_at;
    uint64_t few_first, few_count, few_runs; /* of runs of less than 16, which may be structures' padding */
} UnwrittenBytes;

/* Adds those among the bytes from this offset on. */
void checks_find_unwritten(const Allocation *allocation, uint64_t offset, uint64_t bytes, UnwrittenBytes *found);

/* When all was looked at: of an array one or two short runs count as well, as an element at its end that nothing writes. They are no padding, which is
 * narrower than the widest member of a structure, and no member that nobody uses, which each element of an array has. */
void checks_settle_unwritten(UnwrittenBytes *found);

/* The observer of one worker; valid as long as the set. */
Observer *checks_observer(CheckSet *checks, uint32_t worker);

/* Whether the launch has strayed: see global_race.h. */
bool checks_strayed(const CheckSet *checks);

/* Adds what was found to the launch's log: the earliest alone unless all is wanted, since each worker's checks have ended with its first. */
void checks_tell(const CheckSet *checks, FindingLog *log);
