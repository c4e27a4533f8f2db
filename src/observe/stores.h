/* stores.h: stores that leave their SM together. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "machine/observer.h"
#include "observe/coalescer.h"
#include "observe/sectors.h"

enum { NEAR_STORES = 4, NEAR_LINES = 16 };

/* A store of a few lines that later ones of its warp may join. */
typedef struct NearStore {
    uint64_t block;
    uint32_t warp, pc, active, bytes; /* pc: of the last that has joined; bytes: of an element */
    uint32_t joined;                  /* how many have */
    uint32_t n_lines, line[NEAR_LINES];
    uint8_t mask[NEAR_LINES];
} NearStore;

/* What an SM stored last, and the end of it. */
typedef struct StoreTail {
    uint32_t line, words;
    uint32_t stores; /* that left together; 0: none yet */
    uint32_t warp;
    uint64_t block;
    bool loaded; /* the SM has loaded from memory since */
    bool odd;    /* every second time */
    bool joined; /* the store that is being counted has joined it */
    NearStore near[NEAR_STORES];
    uint32_t next_near;
} StoreTail;

/* For a store with this footprint: the sectors of its first line that the store before it ended in and that reach L2 once instead of twice.
 * Both must write one run of words there. After a load by the SM in between, during which the earlier store may leave, only stores of
 * different warps join, and every second time. Measured with offset copies and with stores without loads: half and nearly all of the possible
 * joins. */
uint32_t stores_join(StoreTail *tail, const MergeConfig *merge, const Place *place, const Footprint *footprint);

/* To be called after it. */
void stores_end(StoreTail *tail, const Place *place, const Footprint *footprint);

/* Whether a store of a warp's lanes joins one that it made a few instructions before, to the same sectors: all of it then reaches L2 with that one, and
 * L1 takes them as one. Asked before stores_join. alone: the SM has no other warp.
 *
 * Measured on an H100 (tests/hardware/h100-shapes.csv, j_, l_, m_, ml_, w_, x_): of stores to neighbouring words (out[2 * t], out[2 * t + 1]) half reach
 * L2, of three a third, of four a quarter, of any number where a warp is alone and they have at most 16 lines. Where an SM has work enough, of stores of
 * 2 to 4 lines nearly all join that can, of 5 to 8 lines fewer (every second warp's second store stands for that), of 16 or 32 lines none. Stores of
 * other lanes do not join, and nor do those that 16 multiplications are between, or a load, for whose value the later one may wait. */
bool stores_join_near(StoreTail *tail, const Access *access, const Place *place, const Footprint *footprint, bool alone);

/* To be called where the warp loads. */
void stores_wait(StoreTail *tail, const Place *place);
