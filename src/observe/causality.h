/* causality.h: what atomic operations and fences order, between warps of any blocks: the happens-before of a launch beyond its barriers.
 *
 * A fence, and later an atomic (or volatile) write by the same warp, hand over what was before the fence; an atomic (or volatile) read of the
 * place takes it over, from that write or from read-modify-writes that followed it (PTX ISA, memory consistency model: release and acquire
 * patterns, release sequences). Both scopes count: what a fence or an atomic operation of .cta scope hands over, or takes, is for
 * the own block alone. Deliberately generous:
 *   - A read takes over without a fence behind it, as tickets and flags in NVIDIA's guides are read. Only under the strict rule
 *     a compare-and-swap needs its fence: until there is one it takes nothing over; and what is done before that one, with the lock
 *     taken, is not handed over with the lock either, since in another order of the threads it would be a race.
 *   - A warp's lanes take over and hand over together.
 * The grid's own barrier, a word to which each block adds as it arrives and which it reads until all have, orders as such: what was before a round of
 * it is before what follows that round, but nothing that a block does behind it is before what another does there, though that may read the word late,
 * when the next arrivals are in it. So do phases of mbarriers (block_order.c), at which arriving alone takes nothing over.
 *
 * What a warp knows of others is a clock: to each warp of each block the time up to which what that did is known. Clocks are trees that share what
 * they have in common, so that a chain of blocks costs each of them a few nodes. All host threads of a launch may call at once. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "machine/access.h"

enum { ORDER_WARPS = 32 };

typedef struct CausalClock CausalClock; /* NULL: nothing is known */

typedef struct Causality Causality; /* of a launch */

/* barrier: address of the grid's own, as machine/launch.h has it; 0: none. */
Causality *causality_new(uint64_t blocks, bool strict, uint64_t barrier);
void causality_free(Causality *causality);

/* What one warp has taken over and may hand over: each pair is what counts for the own block, and for all. */
typedef struct WarpOrder {
    CausalClock *known;      /* taken over */
    CausalClock *fenced[2];  /* what its last fence lets it hand over: [0] to its block, [1] to all */
    CausalClock *pending[2]; /* read by a compare-and-swap, until a fence: under the strict rule */
    uint64_t lock;           /* the place of its last compare-and-swap, under the strict rule; 0: none */
    bool lock_fenced[2];     /* a fence has come since */
    bool lock_early[2];      /* other memory was accessed before one */
    uint32_t arrivals;       /* at the grid's barrier */
} WarpOrder;

/* The warp's clock in its own block: by warp, the time up to which it is known; its own is now. */
typedef struct OwnTimes {
    uint64_t block;
    uint32_t warps;
    uint32_t time[ORDER_WARPS];
} OwnTimes;

void causality_fence(Causality *causality, WarpOrder *order, const OwnTimes *own, bool of_block);

typedef enum AtomicKind { ATOMIC_READ, ATOMIC_WRITE, ATOMIC_UPDATE, ATOMIC_CAS } AtomicKind;

/* An atomic access of some lane of this block. */
typedef struct AtomicAccess {
    uint64_t block, place; /* causality_place */
    AtomicKind kind;
    bool returns;    /* the warp gets the value that was there */
    bool of_block;   /* .cta: other blocks need not see it in this order */
    uint64_t before; /* a place from which it hands on what was handed over there, as what follows it knows that too; 0: none */
} AtomicAccess;

void causality_access(Causality *causality, WarpOrder *order, const AtomicAccess *access);

/* A plain access, which matters to a lock that has been taken. */
void causality_plain(WarpOrder *order);

/* Warps of one block synchronise: each knows then, and may hand over, what any of them could. A fence before a barrier of the block counts for the
 * thread that writes the flag behind it: PTX asks for one thread that does both, but programs do so everywhere. */
void causality_barrier(Causality *causality, WarpOrder *orders, uint32_t warps);

/* Whether what the warp of the block did at this time is before what the owner of `order` does now. */
bool causality_knows(const Causality *causality, const WarpOrder *order, uint64_t block, uint32_t warp, uint32_t time);

/* A new block of this warp's place. */
void causality_forget(Causality *causality, WarpOrder *order);

/* A global address, or an offset in a block's shared memory, as a place. */
static inline uint64_t causality_place(uint8_t space, uint64_t block, uint64_t address) {
    return space == SPACE_SHARED ? UINT64_C(1) << 63 | block << 20 | address : address;
}
