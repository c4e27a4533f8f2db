/* async_check.h: asynchronous copies (cp.async, cp.async.bulk) whose shared memory is read or written before somebody has waited for them. PTX ISA,
 * "cp.async": a copy is complete for its thread once that has executed wait_all, or a wait_group that leaves fewer groups than were
 * committed since; or, tied to an mbarrier (cp.async.mbarrier.arrive), for whoever has waited for its phase.  A bulk copy into
 * shared memory completes on its mbarrier, one out of it in its thread's groups, of which .read waits as long as shared memory is read; a block
 * that leaves must have waited for both. Another thread must then be ordered behind it, which is the race check's.
 * A bulk copy out of it into another block's completes on that block's mbarrier. In that block it is a write of the thread that began it.
 * Not seen: who reads in global memory what a bulk copy has not written yet; of copies to other blocks, whether who writes where they came from knows
 * that they were waited for, if they were, the earlier of two out of the same bytes, and whether fences are behind what another block stored. */
#pragma once

#include <stdbool.h>

#include "kernel/kernel.h"
#include "machine/findings.h"

typedef struct AsyncCheck AsyncCheck; /* of one block slot */

/* log: where faults go, if the check goes on after them (findings_take). */
AsyncCheck *async_check_new(const Kernel *kernel, FindingLog *log);
void async_check_free(AsyncCheck *check);
/* The block of this number begins. */
void async_check_block(AsyncCheck *check, uint64_t block, uint32_t shared_bytes);

/* peer: of the block that stands at event->peer; NULL: at none. */
void async_check_event(AsyncCheck *check, const AsyncCheck *peer, const Place *place, const AsyncEvent *event);

/* The block has ended. False with a filled fault where a bulk copy is in flight. */
bool async_check_block_end(const AsyncCheck *check, const Place *place, Fault *fault);

/* An access to shared memory. False with a filled fault where a copy to it is in flight. */
bool async_check_access(AsyncCheck *check, const Place *place, const Access *access, Fault *fault);

/* The same by a thread of another block of the cluster. */
bool async_check_peer(AsyncCheck *check, const Place *place, const Access *access, Fault *fault);
