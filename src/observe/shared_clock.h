/* shared_clock.h: which accesses of a block's threads are ordered: vector clocks. Each warp has a clock that ticks when it synchronises; an
 * access happens at its warp's time. Times continue from block to block, so that the marks of an earlier block are simply old. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "machine/access.h"

enum { BLOCK_WARPS = 32 };

typedef struct SharedClock {
    uint32_t base;                /* what happened at this time or before belongs to earlier blocks */
    uint32_t first;               /* behind all those, before all that the block does */
    uint32_t epoch;               /* what happened before this time is before everything that any warp does from now on */
    bool partial;                 /* since then some of the warps have synchronised: `known` matters */
    uint32_t warps;               /* of the block */
    uint32_t threads;             /* of the block */
    uint32_t now[BLOCK_WARPS];    /* each warp's time */
    uint32_t synced[BLOCK_WARPS]; /* what a warp's lanes did up to this time is before what its other lanes do now */
    uint32_t known[BLOCK_WARPS]
                  [BLOCK_WARPS]; /* [w][v]: what warp v did up to this time is before what w does now, beyond `epoch` */
    uint32_t (
        *lane_known)[WARP_LANES][WARP_LANES]; /* [w][i][j]: what lane j of w did up to this time is before what lane i does now;
                                                 NULL until some lanes of a warp synchronise */
} SharedClock;

/* A new block. False when times would overflow: the clock has started from zero, and the caller must discard all times that it keeps. */
bool shared_clock_block(SharedClock *clock, uint32_t threads);

void shared_clock_barrier(SharedClock *clock, uint32_t warps);
void shared_clock_barrier_all(SharedClock *clock);
void shared_clock_warp_sync(SharedClock *clock, uint32_t warp, uint32_t lanes);

/* Whether what thread `other` of the block did at `time` is before what thread `self` does now. */
bool shared_clock_ordered(const SharedClock *clock, uint32_t self, uint32_t other, uint32_t time);
