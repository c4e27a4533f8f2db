/* coalescer.h: the way from the SMs to L2, and L2: reads of several SMs that become one, the L2 cache, device memory.
 *
 * Each GPC has a request coalescer: a read of the same sectors of a line as one in flight from that GPC joins it, and comes back with it.
 * Measured with Nsight Compute on an H200, reading lts__t_requests_srcunit_tex_op_read; tests/hardware/README.md has the experiments:
 * - Four reads become one at most: 32 warps of one block that read one sector, bypassing L1, are 8 requests. One warp on each of 132 SMs: 35.
 * - SMs of different GPCs share nothing; of one GPC any do.
 * - A read that comes 64 cycles behind another that finds its sector in L2 joins it, half of those that come 96 behind do, and hardly any that come
 *   128 behind, though the answer takes 280. One that waits for device memory is joined for 320 cycles at least, and for 600 now and then.
 * - Once other sectors of the line are asked for, it is joined no more, and what comes then is not joined either, until the first read could be
 *   joined no more. Of 32 reads of one line, whose sectors alternate, 31 are requests; of 32 of an SM that come 48 cycles apart, each eight for
 *   another sector, 14 (h200-windows.csv, spread). What comes meanwhile from other SMs makes it last longer, as products show whose blocks read
 *   halves of lines (h200-meetings.csv, tiled16); and so does what comes from the same SM while all SMs begin their blocks together, so that L2
 *   answers late: columns read bypassing L1 are 0.87 requests a sector in a grid of one wave, 0.7 in one of four, 0.59 in one of 16, 0.54 in one
 *   of 600 (h200-orders.csv, columns). */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "observe/cache.h"

enum { GPCS_MOST = 8 };

typedef struct MergeConfig {
    uint32_t
        limit; /* reads that become one at most; 0 or 1: this device has no coalescer, and nothing else here counts but stores */
    uint32_t gpc_sms[GPCS_MOST]; /* SMs of each GPC, in the order in which blocks are given out */
    uint32_t first_sms;          /* those of the first GPC that get the first blocks, before all GPCs have some */
    uint32_t in_step, lines;     /* see counters.c: reads that join no other SM's */
    uint32_t stores;             /* stores that leave together at most; 0 or 1: never */
    uint32_t way_noise;          /* 256ths of a read's way: a hash says where in a range as wide it ends to be joined */
    uint32_t l1_cycles, l2_cycles, dram_cycles; /* until each answers */
} MergeConfig;

typedef struct Coalescer Coalescer;

/* blocks: of the grid, which say in which GPCs few blocks run. */
Coalescer *coalescer_new(const MergeConfig *config, uint32_t sms, uint64_t blocks, const CacheConfig *l2);
void coalescer_free(Coalescer *coalescer);

/* A read of sectors of a line by an SM. */
typedef struct Read {
    uint32_t line;
    uint8_t mask;
    uint8_t sm;
    uint32_t wave; /* of blocks, in which it is made; 0 is the first */
    bool in_step;  /* it may join another SM's */
} Read;

/* Cycles, modulo 2^32: `at`: when it leaves its SM. Returns when it is answered. Times should come in order, nearly. */
uint32_t coalescer_read(Coalescer *coalescer, const Read *read, uint32_t at);

/* The same of a read that is known to join no other. */
void coalescer_read_alone(Coalescer *coalescer, uint32_t line, uint32_t mask);

/* Whether more than a few of the reads since the last question joined others. */
bool coalescer_was_of_use(Coalescer *coalescer);

/* Into the host's caches what such a read looks up; changes nothing. The other one: what a request that joins none does. */
void coalescer_prefetch(const Coalescer *coalescer, const Read *read);
void coalescer_prefetch_alone(const Coalescer *coalescer, uint32_t line);

/* words: see cache_write. */
void coalescer_write(Coalescer *coalescer, uint32_t line, uint32_t words);
void coalescer_atomic(Coalescer *coalescer, uint32_t line, uint32_t mask, uint32_t words);

/* Totals so far. l2_read_sectors: after merging. */
typedef struct TrafficTotals {
    uint64_t l2_read_sectors;
    uint64_t timed_reads,
        late_cycles; /* requests whose time is known, and by how much all of them are answered later than L2 answers, since another has asked
                                          device memory for their sectors */
    CacheTraffic dram;
} TrafficTotals;

TrafficTotals coalescer_totals(const Coalescer *coalescer);
