/* block_order.h: what orders the accesses of a block's threads, with each other and with those of other blocks: its barriers by its clock, and in
 * kernels that have fences what these and atomic operations hand over. Times are those since the block began, from 2 on. */
#pragma once

#include "kernel/kernel.h"
#include "machine/observer.h"
#include "observe/causality.h"
#include "observe/shared_clock.h"
#include "observe/touch.h"

typedef struct BlockOrder {
    const Kernel *kernel;
    Causality *causality; /* of the launch; NULL: only barriers order */
    bool strict;          /* volatile is no atomic */
    uint64_t block;
    uint64_t strayed;  /* to which allocations it has stored that no store was to reach: global_race.c */
    uint32_t meetings; /* of its cluster, and blocks before this one, counted on; never 0 once a block has begun */
    uint32_t met;      /* what its threads did before this time on the clock is before the last meeting; 0: none yet */
    SharedClock clock;
    WarpOrder warps[BLOCK_WARPS];
} BlockOrder;

/* False when times have started from zero: see shared_clock_block. */
bool block_order_begin(BlockOrder *order, const Place *place);
/* Of what alloc_zeroed gave; NULL: nothing happens. */
void block_order_free(BlockOrder *order);
void block_order_barrier(BlockOrder *order, uint32_t warps);

/* All blocks of the cluster, whose first has this number, meet: called for each, and once more. */
void block_order_cluster(BlockOrder *order, const Place *place, uint64_t first, uint32_t warps);
void block_order_warp_sync(BlockOrder *order, const Place *place, uint32_t lanes);
void block_order_fence(BlockOrder *order, const Place *place, uint32_t pc);

/* After the access has been checked. Shared memory is that of the block `owner`, another one's in a cluster. */
void block_order_access(BlockOrder *order, const Place *place, uint64_t owner, const Access *access);

/* How strongly an access counts. */
static inline Strength block_order_strength(const BlockOrder *order, const Access *access) {
    const Strength strength = strength_of(access);
    return order->strict && strength == STRENGTH_VOLATILE ? STRENGTH_PLAIN : strength;
}

/* Something has been handed over to this warp, so that what others of its block did may be ordered one by one. */
static inline bool block_order_told(const BlockOrder *order, uint32_t warp) { return order->warps[warp].known != NULL; }

/* Whether what thread `other` of the block did at this time on the clock is before what thread `self` does now. */
bool block_order_before(const BlockOrder *order, uint32_t self, uint32_t other, uint32_t clock_time);

/* Likewise of a thread of another block, at this time since that began. */
static inline bool block_order_foreign(const BlockOrder *order, uint32_t warp, uint64_t block, uint32_t other_warp,
                                       uint32_t time) {
    return order->causality && causality_knows(order->causality, &order->warps[warp], block, other_warp, time);
}
