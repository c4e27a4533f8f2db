/* stores.h: stores that leave their SM together. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "machine/observer.h"
#include "observe/coalescer.h"
#include "observe/sectors.h"
#include "observe/timeline.h"

enum { NEAR_STORES = 4, NEAR_LINES = 16 };

/* A store of a few lines that later ones of its warp may join. */
typedef struct NearStore {
    uint64_t block;
    uint32_t warp, pc, active, bytes; /* pc: of the last that has joined; bytes: of an element */
    uint32_t joined;                  /* how many have */
    uint32_t n_lines, line[NEAR_LINES];
    uint32_t words[NEAR_LINES];
    uint8_t mask[NEAR_LINES];
} NearStore;

/* What a warp has waited for since it stored last. */
typedef enum StoreWait {
    WAITED_NOT,
    WAITED_ALONE,    /* for a line that it has asked L2 for: others come earlier or later */
    WAITED_TOGETHER, /* at a barrier, or for a line that another warp has asked for: all of them go on at once */
} StoreWait;

enum { STORE_FETCHES = 64, FETCH_LOADS = 256 };

/* A line that one of the SM's warps has asked L2 for, and after how many of the SM's loads. */
typedef struct StoreFetch {
    uint32_t line, at, resident_warp;
} StoreFetch;

/* What an SM stored last, and may leave with what comes. */
typedef struct StoreTail {
    uint32_t n_lines, line[NEAR_LINES], words[NEAR_LINES];
    uint32_t stores;                   /* that left together; 0: none yet */
    uint32_t warp;                     /* the last one */
    uint64_t block, warps;             /* its block, and which of its warps have stored so */
    bool loaded;                       /* the SM has loaded from memory since */
    bool odd;                          /* every second time */
    bool joined;                       /* the store that is being counted has joined it */
    uint8_t waited[RESIDENT_WARPS];    /* StoreWait, by the SM's warp */
    uint32_t loads;                    /* of the SM, so far */
    StoreFetch fetched[STORE_FETCHES]; /* by line, the last one */
    NearStore near[NEAR_STORES];
    uint32_t next_near;
} StoreTail;

/* The sectors of a store with this footprint that reach L2: all but those that leave together with the stores before it.
 *
 * Of one warp: a store of one line joins the one before it that ended in that line, with no load by the SM and no barrier in between, where both write one run of words
 * (measured with offset copies on an H200).
 * Of several warps: where they store to lines of the one before, 16 of them at most, each warp joins once, within some 40 cycles (stores.cu, meet, an H200: up
 * to 32 cycles apart nearly all join, from 64 on none). So warps that go on from a barrier together, or with a line that one of them has asked L2 for, all
 * join: of 2 to 32 warps a half to 1/31 is left (loops, kind 4 and 5; columns). Those that wait for lines of their own join every second time, as in offset
 * copies, where they store to 8 lines at most (of 16 one in ten does: read-coalesced-2048-16x16 of the record); and of these and of those that wait for nothing so many as the device's `stores` says. */
uint32_t stores_count(StoreTail *tail, const MergeConfig *merge, const Place *place, const Footprint *footprint);

/* To be called after it. */
void stores_end(StoreTail *tail, const Place *place, const Footprint *footprint);

/* How many sectors of a store of a warp's lanes go with one that it made a few instructions before, to these sectors: they reach L2 with that one, and
 * L1 takes both as one. Asked before stores_count, which is then to be asked of `left`, the lines of the other sectors, if there are any; it is
 * written where the result is not 0. alone: the SM has no other warp.
 *
 * Measured on an H100 (tests/hardware/h100-shapes.csv, j_, l_, m_, ml_, w_, x_): of stores to neighbouring words (out[2 * t], out[2 * t + 1]) half reach
 * L2, of three a third, of four a quarter, of any number where a warp is alone and they have at most 16 lines. Where an SM has work enough, of stores of
 * 2 to 4 lines nearly all join that can, of 5 to 8 lines fewer (every second warp's second store stands for that), of 16 or 32 lines none. Stores of
 * other lanes do not join, and nor do those that 16 multiplications are between, or a load, for whose value the later one may wait. Where a
 * store has further sectors too, the sectors that it shares with the warp's latest near store join that one, unless it also rewrites one of its words (an
 * H200's h200-lines.csv, shifted: kind 3 and 6 join, kind 7 hardly); where the warp is alone they join even then (x_rows). */
uint32_t stores_join_near(StoreTail *tail, const Access *access, const Place *place, const Footprint *footprint, bool alone,
                          Footprint *left);

/* To be called where a block's warps leave a barrier; place is one of them. */
void stores_meet(StoreTail *tail, const Place *place, uint32_t warps);

/* To be called where the warp loads, then for each line of that. */
void stores_wait(StoreTail *tail, const Place *place);
static inline void stores_wait_for_line(StoreTail *tail, uint32_t resident_warp, uint32_t line, bool misses) {
    StoreFetch *fetch = &tail->fetched[line % STORE_FETCHES];
    uint8_t *waited = &tail->waited[resident_warp];
    const bool fetched = fetch->line == line && tail->loads - fetch->at < FETCH_LOADS;
    if (!misses) {
        if (fetched && *waited == WAITED_NOT) *waited = WAITED_TOGETHER;
        return;
    }
    if (!fetched || fetch->resident_warp == resident_warp) *waited = WAITED_ALONE;
    *fetch = (StoreFetch){line, tail->loads, resident_warp};
}
