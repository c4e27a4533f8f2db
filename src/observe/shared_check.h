/* shared_check.h: shared memory that is read before a thread of the block has written it, and races between the threads of a block. For
 * every granule the check keeps the last write and the first read since the last barrier of the whole block, with their times on clocks
 * that count what each warp has synchronised with: vector clocks, as FastTrack (Flanagan and Freund, PLDI 2009) uses them.
 *
 * A race: two threads touch the same granule, at least one writes, and nothing orders them: neither a barrier of both warps nor, within
 * a warp, a __syncwarp() that names both lanes. Shuffles and votes order nothing, and neither does executing the same instructions, since
 * from compute capability 7.0 on lanes may diverge at any time. Lanes that write different values to one granule in one instruction race.
 * Not reported, but under the strict rule (--check strict), by which volatile is not atomic either, as in C++:
 *   - A plain write of the value that the last plain write, by another thread, has stored: `found = true`, by several.
 *   - A plain read before a compare-and-swap, minimum or maximum that corrects it: see kernel_guesses.
 * Not reported at all:
 *   - Atomic operations with each other, and with relaxed, acquire and release accesses; volatile accesses with those, and with each
 *     other between warps, where they serve as flags; within a warp they are warp-synchronous programming of old, and are reported.
 *   - In a kernel with fences (or acquire and release): what threads did before an atomic or volatile write, against what others do
 *     after a later atomic or volatile read. So locks and flags in shared memory work, and their misuse may be missed.
 *   - A thread's plain write with a __syncwarp() between it and an atomic one of its own, against atomic ones by other warps.
 *   - What is not kept, with barriers for some of the warps: reads by others than the first since then.
 * Warps run one after the other up to a barrier. A read of what nothing has written, by a warp that has stored to shared memory since the
 * last barrier while another has not, is therefore told later: as a race with the write, where a warp behind comes to write it before the
 * next barrier, and as uninitialised where none does. One such read of a block is kept until then. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "kernel/kernel.h"
#include "machine/findings.h"
#include "observe/block_order.h"
#include "observe/origins.h"
#include "observe/shared_later.h"

typedef struct SharedCheck SharedCheck; /* of one block slot */

/* log: where faults go, if the check goes on after them (findings_take). origins: who is told of loads that nothing has written. later: zeroed, one
 * for all block slots of a host thread; it outlives them. */
SharedCheck *shared_check_new(const Kernel *kernel, const BlockOrder *order, FindingLog *log, Origins *origins,
                              LaterReads *later);
void shared_check_free(SharedCheck *check);

/* times_fit: what block_order_begin said. */
void shared_check_block(SharedCheck *check, bool times_fit, uint32_t shared_bytes);

/* False with a filled fault at a race, or where an atomic operation updates what was never written. */
bool shared_check_access(SharedCheck *check, const Place *place, const Access *access, Fault *fault);

/* The same by a thread of another block of the cluster, whose order `by` is: see shared_peers.h. */
bool shared_check_peer(SharedCheck *check, const BlockOrder *by, const Place *place, const Access *access, Fault *fault);

/* Before a fault is told of a value that was never written. Whether it is kept: where this warp read it, it may prove to be a race. An earlier one
 * that was kept so comes first, where only one is wanted. */
bool shared_check_defers(SharedCheck *check, const Place *place, Fault *fault);

/* False with a fault that was found earlier in the block and not told yet. */
bool shared_check_block_end(SharedCheck *check, const Place *place, Fault *fault);
