/* traffic.h: what leaves the SMs: requests coalesced on the way to L2, the L2 cache, device memory.
 *
 * Blocks run on several host threads, but L2 must see one order. So each worker notes its batches' requests in a log, which is applied
 * when the batch is committed: counts never depend on the number of threads.
 *
 * Two effects that Nsight Compute shows between L1 and L2 are modelled; everything measured on an H200, see MergeConfig:
 * - The request coalescer: reads of the same sectors of a line by SMs near each other at about the same time reach L2 as one.
 *   Time is not modelled; batches of neighbouring SMs in the same wave count as simultaneous, request by request. Reads that bypass L1
 *   are interleaved among four neighbouring warps, as the SM's four schedulers issue them.
 * - Stores of neighbouring warps to one line leave the SM together: see stores_join. */
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
    uint32_t later_sms; /* of those, how many are still in step in later waves */
    /* Entries that it has for one SM, by hash of the line: a request merges with the last one for its line, if that was for the same sectors and
     * no other line has replaced its entry since. */
    uint32_t entries_log2;
    /* How far apart in their batches' reads two SMs may be, at most 8; a request of as many lines merges with no other SM's. */
    uint32_t window;
    uint32_t in_step; /* SMs run in step until a warp has looked up so many lines since its block began or since a barrier */
    uint32_t stores;  /* stores that leave together at most; 0 or 1: never */
} MergeConfig;

typedef struct Traffic Traffic;       /* shared by all workers */
typedef struct TrafficLog TrafficLog; /* one worker's */

Traffic *traffic_new(const MergeConfig *merge, uint32_t sms, const CacheConfig *l2);
void traffic_free(Traffic *traffic);

TrafficLog *traffic_log_new(Traffic *traffic);
void traffic_log_free(TrafficLog *log);

typedef enum TrafficKind { TRAFFIC_READ, TRAFFIC_READ_IN_STEP, TRAFFIC_WRITE, TRAFFIC_ATOMIC } TrafficKind;

/* mask: sectors of the line; words: its 4-byte words that are written. A full log waits for the commit of the batches before this one (NULL: there
 * are none). */
void traffic_note(TrafficLog *log, TrafficKind kind, uint32_t line, uint32_t mask, uint32_t words, struct CommitTicket *ticket);

/* To be called before the notes of a read that bypasses L1. */
void traffic_bypass_l1(TrafficLog *log, const Place *place);

/* The same for a request that writes; each line joins the last write to it where that is still known. */
void traffic_write(TrafficLog *log, const Footprint *footprint, struct CommitTicket *ticket);

/* Around the notes of a batch. */
void traffic_begin(TrafficLog *log, uint64_t batch);
void traffic_end(TrafficLog *log);

/* Applies what was noted of the log's oldest batch, which has ended. To be called in order of batches, on any thread. */
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

/* For a store with this footprint: the sectors of its first line that the store before it ended in and that reach L2 once instead of twice.
 * Both must write one run of words there. After a load by the SM in between, during which the earlier store may leave, only stores of
 * different warps join, and every second time. Measured with offset copies and with stores without loads: half and nearly all of the possible
 * joins. */
uint32_t stores_join(StoreTail *tail, const MergeConfig *merge, const Place *place, const Footprint *footprint);

/* To be called after it. */
void stores_end(StoreTail *tail, const Place *place, const Footprint *footprint);
