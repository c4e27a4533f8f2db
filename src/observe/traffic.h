/* traffic.h: what leaves the SMs: requests merged on their way, the L2 cache, device memory.
 *
 * Blocks run on several host threads, but L2 must see one order. So each worker notes its batch's requests in a log and plays it
 * back when the batch's turn comes: counts never depend on the number of threads.
 *
 * Two effects that Nsight Compute shows between L1 and L2 are modelled; everything measured on an H200, see MergeConfig:
 * - The request coalescer: reads of the same sectors of a line by SMs near each other at about the same time reach L2 as one.
 *   Time is not modelled; batches of neighbouring SMs in the same round count as simultaneous, request by request. Of reads past L1, those of
 *   four neighbouring warps come in turns, as the SM's four schedulers issue them.
 * - Stores of neighbouring warps that meet in one line leave the SM together: see stores_join. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "machine/observer.h"
#include "observe/cache.h"
#include "observe/sectors.h"

/* The request coalescer. limit 0: there is none. */
typedef struct MergeConfig {
    uint32_t limit;     /* requests that become one at most */
    uint32_t sms;       /* SMs with consecutive numbers that share one, while each has its first blocks */
    uint32_t later_sms; /* of those, how many are still in step in later rounds of blocks */
    /* Lines that it holds for one SM, by hash: a request merges with the last one for its line, if that was for the same sectors and no
     * other line has taken its entry since. */
    uint32_t entries_log2;
    uint32_t
        window; /* how far apart in their batches' reads two SMs may be, at most 8; requests of as many lines meet no other SM's */
    uint32_t
        in_step; /* lines that a warp has looked up since its block began, or since a barrier, while which SMs run in step */
    uint32_t stores; /* stores that leave together at most; 0 or 1: never */
} MergeConfig;

typedef struct Traffic Traffic;       /* shared by all workers */
typedef struct TrafficLog TrafficLog; /* one worker's */

Traffic *traffic_new(const MergeConfig *merge, uint32_t sms, const CacheConfig *l2);
void traffic_free(Traffic *traffic);

TrafficLog *traffic_log_new(Traffic *traffic);
void traffic_log_free(TrafficLog *log);

typedef enum TrafficKind { TRAFFIC_READ, TRAFFIC_READ_IN_STEP, TRAFFIC_WRITE, TRAFFIC_ATOMIC } TrafficKind;

/* mask: sectors of the line; words: its 4-byte words that are written. A full log waits for the batch's turn (NULL: it is our turn). */
void traffic_note(TrafficLog *log, TrafficKind kind, uint32_t line, uint32_t mask, uint32_t words, struct CommitTicket *turn);

/* To be called before the notes of a read past L1. */
void traffic_bypass_l1(TrafficLog *log, const Place *place);

/* The same for a request that writes; each line joins the last write to it where that is still at hand. */
void traffic_write(TrafficLog *log, const Footprint *footprint, struct CommitTicket *turn);

/* Around the notes of a batch. */
void traffic_begin(TrafficLog *log, uint64_t batch);
void traffic_end(TrafficLog *log);

/* Plays back what was noted of the log's oldest batch, which has ended. To be called in order of batches, on any thread. */
void traffic_commit(TrafficLog *log, uint64_t batch);

/* Totals so far. l2_read_sectors: after merging. */
typedef struct TrafficTotals {
    uint64_t l2_read_sectors;
    CacheTraffic dram;
} TrafficTotals;

TrafficTotals traffic_totals(const Traffic *traffic);

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

/* A store touches this: returns the sectors of its first line that it shares with the end of the store before it and that reach L2 once
 * instead of twice. Both must write one run of words there. With a load by the SM in between, which leaves the earlier one time to go,
 * only stores of different warps meet, and every second time. Measured with offset copies and stores without loads: half and nearly
 * all of the possible joins. */
uint32_t stores_join(StoreTail *tail, const MergeConfig *merge, const Place *place, const Footprint *footprint);

/* To be called after it. */
void stores_end(StoreTail *tail, const Place *place, const Footprint *footprint);
