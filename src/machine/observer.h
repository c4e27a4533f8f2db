/* observer.h: the one place where others watch the machine. Observers never change what a kernel computes; one may end the launch
 * with a fault. Each worker thread has observers of its own, so callbacks of one observer never overlap.
 *
 * Work is dealt out in batches: blocks that are resident together on one SM. Batches of one SM run in order. */
#pragma once

#include "machine/access.h"
#include "machine/fault.h"

struct Turn;

/* Where a warp stands. Valid during the callback. */
typedef struct Place {
    uint64_t block; /* linear index in the grid */
    uint32_t ctaid[3];
    uint32_t warp;             /* in its block */
    uint32_t slot;             /* which of the blocks resident together this is: 0 … max_resident - 1 */
    uint32_t sm;               /* the SM that runs the block: block mod number of SMs */
    uint32_t threads;          /* of the block */
    const uint32_t *block_dim; /* [3] */
} Place;

typedef struct Observer {
    void *self;
    /* Any callback may be NULL. Those that return bool return false after filling fault (kind, pc, lane, message) to end the launch;
     * the machine adds block, thread and warp from the place and fault->lane. */
    void (*on_batch_begin)(void *self, uint64_t batch);
    void (*on_block_begin)(void *self, const Place *place, uint32_t shared_bytes);
    bool (*on_access)(void *self, const Place *place, const Access *access, Fault *fault);
    /* The warps in the set (bit w: warp w) have met at a barrier: what they did before is ordered before what they do next. */
    void (*on_barrier)(void *self, const Place *place, uint32_t warps);
    /* __syncwarp(lanes) by this warp. */
    void (*on_warp_sync)(void *self, const Place *place, uint32_t lanes);
    void (*on_block_end)(void *self, const Place *place);
    /* After the batch's last block. */
    void (*on_batch_end)(void *self, uint64_t batch);
    /* Batches are committed in order of their number, one at a time, whatever thread ran them: the place for state that all SMs
     * share (L2). Called on any thread at any time after the batch's end, while its observer may have begun later batches; not called
     * for batches behind one that a fault stopped. */
    void (*on_batch_commit)(void *self, uint64_t batch);
    /* For observers that log during a batch and must not let the log grow without bound: see turn_wait in grid.h. */
    struct Turn *turn;
} Observer;
