/* l1.h: what loads and stores do in an SM's L1. */
#pragma once

#include "observe/cache.h"
#include "observe/counters.h"

/* Lines have 32-bit numbers: below 2^31 those of global memory; above, 2^17 lines of local memory for every resident warp of every SM (512 KiB
 * a thread, the most there is). */
enum { LOCAL_LINES_LOG2 = 17 };
#define LOCAL_LINE (1u << 31)

typedef struct L1 {
    Cache *cache;                                     /* NULL until its SM's first access */
    uint32_t allocated[FOOTPRINT_LINES], n_allocated; /* lines that a store allocated last */
    uint32_t recent;                                  /* lines that loads and other stores have accessed since then, at most */
    bool stored;                                      /* words have been written */
    bool filled;                                      /* loads or stores have used it since it was emptied */
} L1;

typedef enum L1Use { L1_FILL, L1_PROBE, L1_BYPASS } L1Use;

/* How a load uses L1, as measured on an H200: loads that must see what other SMs have written invalidate the line; a last use (.lu) may hit but
 * allocates nothing. The compiler's option to bypass L1 (-dlcm=cg) concerns plain loads. */
static inline L1Use l1_use(const CounterConfig *config, const Access *access) {
    if (access->space == SPACE_LOCAL) return L1_FILL;
    if (access->order != ORDER_WEAK) return L1_BYPASS;
    switch ((Policy)access->policy) {
    case POLICY_NONE: return config->l1 ? L1_FILL : L1_BYPASS;
    case POLICY_LU: return L1_PROBE;
    case POLICY_CA:
    case POLICY_CS:
    case POLICY_NC:
    case POLICY_WB: return L1_FILL;
    case POLICY_CG:
    case POLICY_CV:
    case POLICY_WT: return L1_BYPASS;
    }
    return L1_BYPASS;
}

/* Of one of a load's lines: the sectors that hit. words: those that are read, as cache_read_words wants them. */
static inline uint32_t l1_load(L1 *l1, L1Use use, uint32_t line, uint32_t sectors, uint32_t words) {
    l1->filled |= use == L1_FILL;
    switch (use) {
    case L1_FILL: return cache_read_words(l1->cache, line, sectors, words);
    case L1_PROBE: return cache_probe(l1->cache, line, sectors, words);
    case L1_BYPASS: break;
    }
    cache_invalidate(l1->cache, line);
    return 0;
}

/* Of sectors of which L1 does not know all words, a store's are the only ones that it knows from then on, unless it joins the one before it. A
 * request that leaves gaps in words makes none valid, since L1 knows no bytes. Sectors that are valid stay so. Measured on an H100
 * (tests/hardware/h100-shapes.csv, p_). Local memory is taken word by word. */
void l1_store(L1 *l1, const Access *access, const Footprint *footprint, bool joins, bool line_requests);

/* Behind a fence of more than a block, or what acquires for more: of all lines but those of local memory nothing is valid (an H200:
 * tests/hardware/h200-fences.csv). A second time it costs nothing, as for who polls. */
static inline void l1_empty(L1 *l1) {
    if (l1->filled) cache_empty(l1->cache, LOCAL_LINE);
    l1->filled = false;
}
