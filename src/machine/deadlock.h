/* deadlock.h: who waits for what, when no thread can go on. */
#pragma once

#include "machine/warp.h"

typedef struct Waiting {
    const uint32_t *block_slots; /* of the blocks that have not ended: at least one */
    uint32_t count;
    uint64_t started;    /* blocks of the grid that have started */
    uint64_t iterations; /* of their loops in which nothing changed, where that is all that is known; 0: nothing can change */
} Waiting;

/* Fills the worker's fault. Returns false. */
bool deadlock_report(Worker *worker, const Waiting *waiting);
