/* shared_visit.h: one access as the check of shared memory sees it, and how what is wrong is told. For
 * shared_check.c, shared_peers.c and shared_tell.c alone. */
#pragma once

#include "observe/shared_check.h"
#include "observe/shared_mark.h"
#include "observe/shared_peers.h"

typedef struct Cells {
    Mark *write, *read; /* by granule; only plain reads are kept */
    uint8_t *bytes;     /* by byte: what stores wrote */
} Cells;

struct SharedCheck {
    const Kernel *kernel;
    uint32_t granule, capacity; /* cells that there is room for */
    Cells cells;
    const BlockOrder *order;
    uint32_t stored_time[BLOCK_WARPS]; /* of each warp's last store to shared memory */
    LaterReads *later;                 /* of the host thread */
    SharedPeers *peers;                /* NULL: no other block has been here */
    uint32_t written_epoch;            /* the clock's, when something was last written; 0: nothing was */
    FindingLog *log;
    Origins *origins;
    Fault early; /* an uninitialised read that may prove to be a race; kind FAULT_none: there is none */
    uint32_t early_epoch, early_cell;
    bool early_used; /* something depends on what it read */
};

/* Whether something has been written before this cell in the same PADDING_UNIT bytes. */
static inline bool shared_follows_written(const SharedCheck *check, uint32_t cell) {
    for (; cell * check->granule % PADDING_UNIT; cell--)
        if (shared_mark_time(check->cells.write[cell - 1]) > check->order->clock.base) return true;
    return false;
}

/* One access, and the block as its warp sees it. */
typedef struct SharedVisit {
    SharedCheck *check;
    const Place *place;
    const Access *access;
    Fault *fault;
    uint32_t granules; /* of one lane */
    uint32_t tag;      /* without lane */
    uint32_t now;      /* of the warp */
    uint32_t unsynced; /* what the warp's other lanes did from this time on is not ordered with what it does now */
    uint32_t epoch, base;
    Strength strength;
    bool reads, writes;
    bool
        whole; /* nothing but barriers of the whole block has ordered it with other warps: what is not kept one by one counts */
} SharedVisit;

/* Of the lane: the fault is complete but for its thread. True when the check goes on. */
bool shared_tell(const SharedVisit *visit, uint32_t lane);

/* What is known of the thread that made the earlier access. */
typedef enum Who { WHO_TAG, WHO_OTHER_LANE, WHO_OTHER_THREAD } Who;

bool shared_tell_race(const SharedVisit *visit, uint32_t lane, uint32_t cell, uint32_t other, const char *did, Who whose);

/* Of its nth granule the lane reads what nothing has written: kept, if it may prove to be a race; and what was kept. */
void shared_keep_early(const SharedVisit *visit, Gap gap);
/* ended: so has the block. */
void shared_take_early(SharedCheck *check, bool ended, Fault *fault);
