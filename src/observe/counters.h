/* counters.h: what an NVIDIA GPU's counters would show for a launch, per kernel and per instruction. An observer; the names are
 * those of Nsight Compute. The rules and their sources are in sectors.h, banks.h and cache.h. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "kernel/trips.h"
#include "machine/access.h"
#include "machine/observer.h"
#include "observe/assembled.h"
#include "observe/bulk.h"
#include "observe/cache.h"
#include "observe/copy_groups.h"
#include "observe/sectors.h"
#include "observe/serialised.h"
#include "observe/traffic.h"

/* The members of these two, and of Counters before n_insns, are counts, each a uint64_t: counters_add_… rely on that, so that a new one
 * is summed without further code. */
typedef struct SectorCounters { /* global and local memory */
    uint64_t requests;          /* an element of 8, 16 bytes in local memory, which interleaves words, is 2, 4 requests */
    uint64_t sectors;
    uint64_t lines;         /* distinct 128-byte lines of each request, summed over requests: what L1 looks up */
    uint64_t ideal_sectors; /* fewest that could hold the distinct bytes, per request: ceil(unique bytes / 32) summed */
    uint64_t bytes;         /* sum over active lanes */
    uint64_t unique_bytes;  /* distinct bytes of each request, summed over requests */
    uint64_t l1_hit_sectors;
    /* Of loads in the first wave of blocks: their lines, and the cycles in which L1 serves these (passes.h); the sectors that hit, and of these those in lines that
     * another warp has asked L2 for, when this one needs them for the first time: they may be in flight still. */
    uint64_t first_lines, first_passes, first_hits, late_hits;
    uint64_t combined; /* atomic operations that the assembler makes one for all lanes (kernel/combines.h) */
} SectorCounters;

typedef struct BankCounters { /* shared memory */
    uint64_t requests;
    uint64_t wavefronts;
    uint64_t bank_conflicts;
    uint64_t
        joined; /* accesses that are part of another instruction's request (kernel/joins.h), which is the one that counts */
    uint64_t combined; /* as above, or whose lanes with one address are served at once */
} BankCounters;

/* Shared memory of other blocks of the cluster. As an H200 counts it (l1tex__t_requests_pipe_lsu_mem_dshared, l1tex__t_sectors_…): like global memory in L1's
 * tag stage, beside which nothing of it is in the counts of shared memory. */
typedef struct PeerCounters {
    uint64_t requests; /* of warps: one, with whichever lanes, of however many blocks' memory */
    uint64_t sectors;  /* distinct ones of each request */
    uint64_t lines;    /* of 128 bytes, likewise */
    uint64_t further;  /* blocks of a request beyond its first */
} PeerCounters;

/* One warp-level access as it was, kept for figures. */
typedef struct Sample {
    uint64_t block;
    uint32_t warp;
    uint32_t cost; /* sectors or wavefronts; 0: no sample */
    Access access;
} Sample;

typedef enum CounterOp { COUNTER_LOAD, COUNTER_STORE, COUNTER_ATOMIC, COUNTER_OPS } CounterOp;

static inline CounterOp counter_op(uint8_t access_kind) {
    return access_kind == ACCESS_LOAD ? COUNTER_LOAD : access_kind == ACCESS_STORE ? COUNTER_STORE : COUNTER_ATOMIC;
}

/* Counts of one instruction of the program. space is SPACE_GENERIC until it first runs; an instruction that accesses several spaces
 * (generic addresses) counts in both `sectors` and `banks`; space is then the first of them in the order of Space. */
typedef struct InsnCounters {
    uint8_t space;
    uint8_t op;        /* CounterOp */
    uint64_t executed; /* how often a warp ran it, with whichever lanes; set after the launch */
    SectorCounters sectors;
    BankCounters banks;
    PeerCounters peers;
    Sample worst; /* the costliest access; of equals that of the lowest block and warp, so that it does not depend on threads */
} InsnCounters;

typedef struct Counters {
    uint64_t instructions;        /* warp-level PTX instructions */
    uint64_t thread_instructions; /* those times their active lanes */
    uint64_t busiest_warp;        /* instructions of the warp that ran most: the launch waits for it at the end */
    uint64_t most_accesses;       /* requests to global memory of the warp that made most */
    SectorCounters global[COUNTER_OPS];
    SectorCounters local[COUNTER_OPS];
    BankCounters shared[COUNTER_OPS];
    PeerCounters peers[COUNTER_OPS];
    BulkCounters bulk;
    CopyWaits copy_waits;
    uint64_t constant_requests; /* a load's different words, each of which is one */
    uint64_t barriers;          /* arrivals of warps at barriers, the block's and those of its cluster */
    uint64_t
        swap_rounds; /* iterations of the loops that the assembler makes of atomic operations in shared memory, of all warps */
    SerialisedCounts serialised;                /* atomic operations that wait for each other */
    uint64_t l2_read_sectors, l2_write_sectors; /* by loads and stores; atomics are not among them */
    uint64_t dram_read_bytes, dram_write_bytes;
    uint64_t timed_reads, late_cycles; /* of L2: see coalescer.h */
    uint64_t dram_rows;                /* rows of device memory opened for reading: see cache.h */
    uint32_t n_insns;
    InsnCounters *insns; /* indexed by pc */
} Counters;

void counters_add_sectors(SectorCounters *sum, const SectorCounters *from);
void counters_add_banks(BankCounters *sum, const BankCounters *from);
/* A request, as the assembler makes it. True. */
bool peers_count(PeerCounters *peers, const Assembly *assembly, const Access *access);
void counters_add_peers(PeerCounters *sum, const PeerCounters *from);
void counters_add_bulk(BulkCounters *sum, const BulkCounters *from);
/* The totals, not those of single instructions. busiest_warp becomes the greater of the two. */
void counters_add_totals(Counters *sum, const Counters *from);

typedef struct CounterConfig {
    bool l1;            /* false: global loads bypass L1 (-Xptxas -dlcm=cg) */
    bool line_requests; /* compute capability 2.x and 3.x: 128-byte transactions with L1 on, 32-byte with it off */
    CacheConfig l1_cache;
    CacheConfig l2_cache;
    MergeConfig merge;
    uint32_t sms;          /* at most 256 */
    const uint8_t *traits; /* by pc, as in kernel/traits.h; NULL: none is known of */
    bool prints_aside;     /* accesses of what has TRAIT_PRINTS are left out */
    Assembly assembly;
    const Trip *trips; /* by pc, as in kernel/trips.h; NULL: nothing is known of them */
    uint64_t blocks;   /* of the grid */
    bool clusters;     /* it is launched in such, be they of one block */
    bool
        sms_alone; /* what L2 reads, and DRAM does, and what only the model of time needs (first_…, late_…, serialised) is not counted: 0 */
} CounterConfig;

/* State shared by the workers of one launch (caches, merged totals). */
typedef struct CounterSet CounterSet;

/* caches cold. workers: number of threads that will run. */
CounterSet *counters_new(const CounterConfig *config, uint32_t n_insns, uint32_t workers);
void counters_free(CounterSet *set);

/* The observer of one worker; valid as long as the set. */
Observer *counters_observer(CounterSet *set, uint32_t worker);

/* What one of the worker's accesses is about to be counted as. Changes nothing; hits gets the sectors of each of the footprint's lines that L1
 * has. Global and local memory. */
void counters_preview(const Observer *observer, const Place *place, const Access *access, Footprint *footprint, uint8_t *hits);

/* What the assembler is taken to make of accesses. */
const Assembly *counters_assembly(const Observer *observer);

/* Totals over all workers after the launch, valid until counters_free. instructions, thread_instructions and busiest_warp are the
 * machine's to fill. */
Counters *counters_result(CounterSet *set);
