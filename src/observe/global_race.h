/* global_race.h: races on global memory, between threads of one block and between blocks. For every granule of an allocation two marks are kept,
 * made when a launch first touches it: of the last write and of a read since, each with its thread, its time and its instruction, and flags for
 * what others did that is not kept one by one.
 *
 * A race: two threads touch the same granule, at least one writes, nothing orders them, and not both are atomic for each other. This is the rule
 * of the PTX ISA (memory consistency model: data races, causality order, morally strong operations) and of CUDA C++, by which the guide's chapter
 * on independent thread scheduling does not count on lanes of a warp to run in step either.
 *   - What orders: barriers of the block, __syncwarp() within a warp, the grid's own barrier, and in kernels with fences (or acquire and release)
 *     what these and atomic operations hand over: causality.h. Between the blocks of other kernels nothing does, whatever order they run in here.
 *   - Atomic: atomic operations, relaxed, acquire and release accesses, and as PTX has it volatile ones (ld.volatile: relaxed.sys); those
 *     of block scope (atomicAdd_block) for the threads of one block alone.
 * Not reported, but under the strict rule (--check strict), by which volatile is not atomic either, as in C++:
 *   - A plain write of the value that the last plain write, by another thread, has stored: `flag = 1`, by several.
 *   - A plain read before a compare-and-swap, minimum or maximum that corrects it: see kernel_guesses.
 * Not reported at all:
 *   - In kernels with fences: readers and atomic writers other than the latest of each granule, where blocks are several.
 *   - What another block does behind a barrier of all blocks that a program makes of a counter, where a block reads that so late that the other has
 *     added to it again.
 *   - With barriers for some of the warps, or once something has been handed over within the block: reads by others than the latest.
 *   - Atomic reads by several warps of the block, where one has read plainly as well.
 *   - Reads of an allocation where no store leads, which leave no marks (kernel/bases.h), unless their block has stored there before all the same, by
 *     a pointer to another allocation. Such a launch has strayed: whoever launches lets all reads leave marks the next time.
 *   - What a block does once it has synchronised more often than the times in marks can count: 2^20 times in common grids, 2^8 in the largest.
 * Verdicts do not depend on the order in which blocks run, nor on the number of host threads; but in kernels with fences what is handed over is
 * what the run had, and another might hand over less. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "kernel/kernel.h"
#include "machine/findings.h"
#include "machine/memory.h"
#include "machine/module.h"
#include "observe/block_order.h"
#include "observe/race_rows.h"

typedef struct GlobalRace GlobalRace; /* of a launch */

/* Of a launch: how many blocks, of how many threads; several host threads run it; what it has read is asked for
 * (imprint.h), as that of unified memory may be always; what its kernel was given. */
typedef struct RaceGrid {
    uint64_t blocks, threads;
    bool shared, imprinted;
    const uint8_t *params;
    const Module *module;
} RaceGrid;

/* causality: what fences hand over, NULL where nothing orders blocks. Kernel and causality must outlive it. */
GlobalRace *global_race_new(Memory *memory, const Kernel *kernel, Causality *causality, RaceGrid grid, bool strict);
void global_race_free(GlobalRace *race);

/* Whether a block has stored where no store was to lead, so that not all reads have left marks. */
bool global_race_strayed(const GlobalRace *race);

/* Of one host thread. log: where faults go, if the check goes on after them (findings_take). */
typedef struct RaceWorker {
    GlobalRace *race;
    FindingLog *log;
    MarkPool pool;
} RaceWorker;

RaceWorker race_worker(GlobalRace *race, FindingLog *log);

/* False with a filled fault at a race. */
bool race_worker_access(RaceWorker *worker, BlockOrder *order, const Place *place, const Access *access,
                        const GlobalTouch *touched, Fault *fault);
