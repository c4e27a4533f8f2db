/* facts.h: what the checks must know, before it runs, of a kernel and of all functions that it can call: how narrow its accesses are, and by
 * what means other than barriers its threads may order them. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "machine/access.h"
#include "ptx/program.h"

enum Trait {
    TRAIT_COPY = 1,     /* a load whose result goes only into stores, or cp.async */
    TRAIT_CORRECTS = 2, /* atomic compare-and-swap, minimum or maximum: a stale value read before it does no harm */
    TRAIT_EXCHANGE = 4, /* atomic exchange: writes whatever was there */
};

typedef struct Facts {
    uint32_t n_insns;
    uint32_t global_granule, shared_granule; /* bytes: no access to that space is narrower; 4 at most */
    bool fenced;                             /* there are fences, or accesses with acquire or release */
    bool counted_barriers;                   /* barriers that count threads: for some of the block's warps */
    bool local;      /* writes to local memory are all seen, so that reading unwritten bytes can be judged */
    uint8_t *traits; /* by pc */
} Facts;

/* Other kernels of the program have no influence. */
void facts_find(Facts *facts, const Program *program, const Function *kernel);
void facts_free(Facts *facts);

/* How strongly an access is ordered with others to the same place. */
typedef enum Strength { STRENGTH_PLAIN, STRENGTH_VOLATILE, STRENGTH_ATOMIC } Strength;

Strength strength_of(const Access *access);

/* A plain read that stands in the program before a compare-and-swap, minimum or maximum of the same place is a guess that the atomic
 * operation corrects: `old = *p; do … atomicCAS(p, …)`, `if (x > *p) atomicMax(p, x)`. Such pairs are no race. */
static inline bool facts_guess(const Facts *facts, uint32_t read_pc, uint32_t atomic_pc) {
    return read_pc < atomic_pc && atomic_pc < facts->n_insns && facts->traits[atomic_pc] & TRAIT_CORRECTS;
}

/* An access without a mask, for loops over 32 lanes: an inactive lane repeats the first active one. */
typedef struct Touch {
    uint32_t lane[WARP_LANES];
    uint64_t offset[WARP_LANES]; /* bytes from some base */
    uint64_t lowest, highest;    /* of the offsets */
    uint32_t runs;               /* bit i: lane i's place is not its predecessor's; 1 when all are at the same place */
    bool contiguous;             /* all lanes active, each bytes after its predecessor */
    bool halves;                 /* likewise, but for a jump from lane 15 to lane 16 */
    bool rising; /* each lane above its predecessor, so that no two are at the same place; all are active then */
} Touch;

void touch_fill(Touch *touch, const uint64_t *addr, uint32_t active, uint64_t base, uint32_t bytes);
