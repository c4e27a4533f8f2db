/* shared_clock.h: which accesses of a block's threads are ordered. Each warp has a clock that ticks when it synchronises; an access
 * happens at its warp's time. Times go on from block to block, so that what an earlier block left behind is simply old. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "machine/access.h"

enum { BLOCK_WARPS = 32 };

typedef struct SharedClock {
    uint32_t base;                /* what happened at this time or before belongs to earlier blocks */
    uint32_t epoch;               /* what happened before this time is before everything that any warp does from now on */
    bool parted;                  /* since then warps have synchronised in part: `known` matters */
    uint32_t warps;               /* of the block */
    uint32_t threads;             /* of the block */
    uint32_t now[BLOCK_WARPS];    /* each warp's time */
    uint32_t synced[BLOCK_WARPS]; /* what a warp's lanes did up to this time is before what its other lanes do now */
    uint32_t known[BLOCK_WARPS]
                  [BLOCK_WARPS];   /* [w][v]: what warp v did up to this time is before what w does now, beyond `epoch` */
    uint32_t offered[BLOCK_WARPS]; /* likewise for whoever reads a flag */
    uint32_t (*met)[WARP_LANES][WARP_LANES]; /* [w][i][j]: what lane j of w did up to this time is before what lane i does now;
                                                 NULL until a part of a warp synchronises */
} SharedClock;

/* A new block. False when times would run out: the caller must forget all old times, and the clock has started from zero. */
bool shared_clock_block(SharedClock *clock, uint32_t threads);

void shared_clock_barrier(SharedClock *clock, uint32_t warps);
void shared_clock_barrier_all(SharedClock *clock);
void shared_clock_warp_sync(SharedClock *clock, uint32_t warp, uint32_t lanes);

/* A flag is set or read, in a program whose fences give that a meaning. */
void shared_clock_release(SharedClock *clock, uint32_t warp);
void shared_clock_acquire(SharedClock *clock, uint32_t warp);

/* Whether what thread `other` of the block did at `time` is before what thread `self` does now. */
bool shared_clock_ordered(const SharedClock *clock, uint32_t self, uint32_t other, uint32_t time);
