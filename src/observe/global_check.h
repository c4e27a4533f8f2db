/* global_check.h: global memory that is read before it is written, and races between blocks of one launch. An allocation's shadow keeps
 * one 32-bit word for every granule: whether it is initialised, and how, by which block and by which instruction it was accessed last in
 * this launch.
 *
 * A race: two blocks touch the same granule, at least one writes, and not both are atomic operations or volatile, relaxed, acquire or
 * release accesses. Not reported:
 *   - A plain write of the value that is there already, after a plain write by another block: `flag = 1`, by several.
 *   - A plain read before a compare-and-swap, minimum or maximum that corrects it: see kernel_guesses.
 *   - In a kernel with fences (or acquire and release): whatever another block did, once that block has made an atomic or volatile
 *     write and this block has made an atomic or volatile read after that. So the last block of a reduction may read what the others
 *     wrote before their fence and their ticket, and locks and look-back work. Races in which such a kernel gets its protocol wrong
 *     are missed.
 *   - Accesses by two host threads within a fraction of a microsecond, where neither sees the other's (as above, when the first one's value
 *     has not arrived). A single pair may be missed so; of a mistake that many blocks make, hardly all. Small launches run on one thread.
 *   - What one word cannot keep: a plain read that is followed by an atomic operation of the same block; volatile reads before plain
 *     writes; blocks whose numbers agree in the few bits that are kept, in huge grids of huge programs.
 * Threads of one block are not distinguished here. */
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
GlobalCheck *global_check_new(Memory *memory, const Kernel *kernel, uint32_t max_resident);
void global_check_free(GlobalCheck *check);

/* Between launches: bytes of the allocation that are initialised from now on. */
void global_check_host_wrote(Allocation *allocation, uint64_t offset, uint64_t bytes);

/* Between launches: whether the byte was never written, or with undefined bits. */
bool global_check_undefined(const Allocation *allocation, uint64_t offset);

typedef struct GlobalWorker GlobalWorker;

/* log: where faults go, if the check goes on after them (findings_take). origins: who is told of loads that nothing has written. */
GlobalWorker *global_worker_new(GlobalCheck *check, FindingLog *log, Origins *origins);
void global_worker_free(GlobalWorker *worker);

void global_worker_block(GlobalWorker *worker, const Place *place);

/* False with a filled fault at a race, or where an atomic operation updates what was never written. */
bool global_worker_access(GlobalWorker *worker, const Place *place, const Access *access, Fault *fault);
