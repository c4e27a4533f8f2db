/* bulkcopy.h: cp.async.bulk and cp.reduce.async.bulk: one thread has a range of bytes copied, without registers. The copy is made at once, 16 bytes at
 * a time (a reduction element by element), as accesses of that thread's, and completes its bytes on its mbarrier; who reads or overwrites too early
 * is found out by observe/async_check.h. What the copies of tensors (tensorcopy.h) have in common with it stands here as well. */
#pragma once

#include "machine/loadstore.h"
#include "machine/observer.h"

/* False after a fault. */
bool warp_bulk(Warp *warp, const Step *step, uint32_t active);

/* What one lane has copied. */
typedef struct Bulk {
    unsigned lane;
    uint64_t to, from, barrier; /* the own block's as offsets, another's by its address in the cluster */
    uint32_t bytes;
    uint8_t to_space, from_space;
    bool reduces, tied;
    bool again; /* what another block gets by .multicast::cluster, behind the first */
    bool peer;  /* one of these is another block's */
    const BulkRun *runs;
    uint32_t n_runs; /* as in AsyncEvent */
} Bulk;

/* Where a place of a copy is; of shared memory it may be a generic address. */
uint64_t bulk_place(Warp *warp, const CopyPlace *place, uint8_t space, Bulk *bulk);

/* Moves `bytes` (a power of 2, 16 at most) to another place, or updates elements of step->bytes there with them. False after a fault. */
bool bulk_move(Warp *warp, const Step *step, const Bulk *bulk, uint64_t to, uint64_t from, uint8_t bytes);

/* Writes 16 bytes at most that have no place of their own. */
bool bulk_fill(Warp *warp, const Step *step, const Bulk *bulk, uint64_t to, const void *from, uint8_t bytes);

/* Observers are told, and the bytes complete on the mbarrier. */
bool bulk_done(Warp *warp, const Step *step, const Bulk *bulk);

/* Runs the copy for each block that .multicast::cluster names, or once. */
typedef bool BulkRunner(Warp *warp, const Step *step, Bulk *bulk);
bool bulk_each_block(Warp *warp, const Step *step, const Bulk *bulk, BulkRunner *run);
