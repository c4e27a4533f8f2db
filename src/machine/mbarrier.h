/* mbarrier.h: barriers that are objects of 64 bits in shared memory (mbarrier.*): threads arrive at them and go on, asynchronous copies complete
 * bytes on them, and who must have what came before waits for a phase of theirs. PTX ISA, "mbarrier": a phase completes when no arrival and no
 * byte of it is pending; the next one then begins, with as many arrivals as are expected.
 *
 * An object is the 64 bits that stand in shared memory, so that a copy of it, or what a warp polls, is what it is on a device; their layout is
 * our own, since PTX calls it opaque. */
#pragma once

#include "machine/warp.h"

/* What an instruction has last done to an object, for messages. */
typedef struct MbarrierNote {
    uint32_t offset;    /* in shared memory */
    uint32_t phase;     /* how many have completed */
    uint32_t init_pc;   /* NO_INSN: invalidated since */
    uint32_t expect_pc; /* expect_tx; NO_INSN: none */
} MbarrierNote;

/* False after a fault. */
bool warp_mbarrier(Warp *warp, const Step *step, uint32_t active);

/* Bytes that a bulk copy of this lane has completed on the object at this address of .shared::cluster, which it has accessed. False after a fault. */
bool mbarrier_complete(Warp *warp, const Step *step, unsigned lane, uint64_t address, uint32_t bytes);

/* An access of this lane to the object at this address of .shared::cluster, by which who waits for the phase takes over what the warp did. */
bool mbarrier_release(Warp *warp, const Step *step, unsigned lane, uint64_t address);

/* Whether it waits for a phase. */
static inline bool mbarrier_is_wait(const Insn *insn) {
    return insn->variant == MBARRIER_TEST_WAIT || insn->variant == MBARRIER_TRY_WAIT;
}

/* How many phases of the object at this offset are complete; 0 where there is none. */
uint32_t mbarrier_phase(const Block *block, uint64_t offset);

/* What a warp that polls an object waits for. */
typedef struct MbarrierWait {
    char what[100];  /* "phase 0 of the mbarrier at byte 16 of shared memory" */
    char lacks[160]; /* "1 of 2 arrivals" */
    uint32_t pc;     /* where that many were asked for */
    uint32_t over; /* the phase before it, where nothing has been done about this one: it may have been meant; NO_INSN: none */
} MbarrierWait;

/* False: it polls none. */
bool mbarrier_awaited(const Warp *warp, MbarrierWait *wait);

/* A new block. */
void mbarriers_begin(Block *block);
