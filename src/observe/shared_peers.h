/* shared_peers.h: races between the blocks of a cluster in one block's shared memory, and blocks that leave while others may still be using it. For
 * shared_check.c alone.
 *
 * For every granule the last write and a read by other blocks are kept since the cluster last met, beside what the check keeps of the own block. A race: two
 * blocks, or two threads of another one, touch a granule, at least one writes, and nothing orders them: neither the cluster's barrier nor what fences,
 * mbarriers and atomic operations hand over (block_order.h). What excuses threads of one block excuses blocks: see shared_check.h. Not reported:
 *   - What a block does between its arrival at the cluster's barrier and the barrier's end, if it comes before the last arrival here.
 *   - What an arrival at that barrier with .relaxed does not hand over: it counts as any other.
 *   - Reads by others than the one that is kept, and atomic operations before the last one.
 * Of a block that leaves: each warp's last access is to be known to it by then, and its last strong write or arrival at an mbarrier, for which it is
 * enough that another warp has read the place strongly since, or has waited for the phase. */
#pragma once

#include "observe/shared_check.h"

typedef struct SharedPeers SharedPeers;

void shared_peers_free(SharedPeers *peers);

/* A new block. */
void shared_peers_block(SharedCheck *check);

/* By a thread of the own block; false with a filled fault at a race. */
bool shared_peers_own(SharedCheck *check, const Place *place, const Access *access, Fault *fault);

/* As shared_check_block_end. */
bool shared_peers_block_end(const SharedCheck *check, const Place *place, Fault *fault);
