/* stores.h: stores of neighbouring warps that leave their SM together. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "machine/observer.h"
#include "observe/coalescer.h"
#include "observe/sectors.h"

/* The end of the store that an SM made last. */
typedef struct StoreTail {
    uint32_t line, words;
    uint32_t stores; /* that left together; 0: none yet */
    uint32_t warp;
    uint64_t block;
    bool loaded; /* the SM has loaded from memory since */
    bool odd;    /* every second time */
    bool joined; /* the store that is being counted has joined it */
} StoreTail;

/* For a store with this footprint: the sectors of its first line that the store before it ended in and that reach L2 once instead of twice.
 * Both must write one run of words there. After a load by the SM in between, during which the earlier store may leave, only stores of
 * different warps join, and every second time. Measured with offset copies and with stores without loads: half and nearly all of the possible
 * joins. */
uint32_t stores_join(StoreTail *tail, const MergeConfig *merge, const Place *place, const Footprint *footprint);

/* To be called after it. */
void stores_end(StoreTail *tail, const Place *place, const Footprint *footprint);
