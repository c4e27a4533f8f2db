/* updates.h: hints for races that one more barrier does not end, such as those of a statement with itself: `x += 1` loads and stores apart, and none can
 * stand between the two. Also whether a kernel has what would order the two: locks and flags. */
#pragma once

#include <stdbool.h>

#include "kernel/kernel.h"
#include "machine/access.h"
#include "machine/fault.h"

/* A race whose instructions are of such a statement gets the hint that helps; others are left alone: false. certain: the other access was by this
 * instruction, or lanes meet; else it may have been by another load of the line. blocks: the other access was by another block. */
bool updates_hint(const Program *program, Fault *fault, bool certain, bool blocks);

/* Whether some block takes a lock (an exchange, or a compare-and-swap), or waits for a flag or a ticket of other blocks (reads one in a loop), in front of
 * this instruction; NO_INSN: anywhere. What barriers of a cluster or a grid wait for themselves is none. */
bool waits_for_block(const Kernel *kernel, uint32_t pc);

bool syncs_grid(const Kernel *kernel); /* it has this_grid().sync() */

/* Whether it has fences wider than a block; those of a grid's barrier are its own. */
bool has_fence(const Kernel *kernel);

/* Another lane of the access is at this one's place. */
bool updates_meet(const Access *access, uint32_t lane);

/* Where two threads of a block have one statement write different values to one place, a barrier would decide no more than which of them stays: the hint.
 * False: the race is another one. */
bool overwrite_hint(const Program *program, Fault *fault);

/* Of two threads that store one value, which races under the strict rule alone: what the other one did, and the hint. False: they do not. */
#define GAVE_SAME "gave the same value"
bool same_value_hint(Fault *fault, bool same);

/* Behind the __syncthreads() of a hint about shared memory: what stands in its place where a cluster's blocks share it. Empty where the kernel names no other. */
const char *or_cluster_sync(const Kernel *kernel);

/* Where not all threads come to a barrier that stands between the two accesses: that one is the hint. False: there is no such barrier. */
bool skipped_hint(const Kernel *kernel, Fault *fault);
