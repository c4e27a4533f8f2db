/* trips.h: which of a kernel's loads a warp waits for together.
 *
 * A warp runs on past a load and waits where the value is used; the compiler moves the loads of a region ahead of the uses as far as dependences
 * allow. So the loads of a region form round trips to memory: one whose address depends on no other load of the region is in the first, one
 * whose address comes from the first is in the second, and so on. A store may write what a later load reads, which is then in a later round trip
 * than the values stored (unless ptxas sees that it does not: kernel/ahead.h). A value is followed through registers, shared memory and parameters of calls. A
 * barrier or a fence ends all round trips. Loads in flight pass a __syncwarp(): what stands behind it waits only for values that were loaded and stored, or
 * used as an address, in front of it. What stands behind a wait for asynchronous copies begins when these are there (what it leaves out
 * may go on), and what is guarded by a value that was loaded begins when that is there.
 *
 * A branch round a few instructions ends none (regions.h), so that a series of guarded loads is waited for together. On an H200 a transpose of 10007 x 9973 floats, 16 loads a thread, takes as long with an `if` around each load (215.6 us) as with
 * none (215.9 us: what lies outside is read at the edge instead). */
#pragma once

#include "kernel/regions.h"
#include "ptx/program.h"

typedef struct Trip {
    uint32_t block; /* the first instruction of its region, or the barrier there that it is behind */
    uint16_t level; /* which round trip of that */
    bool follows;   /* its address comes from what the thread has loaded, in whichever block */
    bool again;     /* of a loop's region: in the next iteration it would have to wait for nothing of this one */
} Trip;

/* What an instruction does in memory. Global and local memory count as one. */
enum Errand {
    ERRAND_LOAD = 1, /* makes a round trip */
    ERRAND_STORE = 2,
    ERRAND_SHARED_LOAD = 4, /* makes none, but follows what was stored there */
    ERRAND_SHARED_STORE = 8,
    ERRAND_AHEAD = 16 /* a load that ptxas puts ahead of the stores before it */
};

/* As far as the text tells: what may go to global or local memory; an atomic is both, and nothing is said of shared memory. */
uint8_t trips_errand(const Insn *insn);

/* By instruction of the function, from its first: fills the entries of ERRAND_LOADs, `follows` aside. `again` is said of regions that lead back to
 * their beginning and in which nothing is waited for. */
void trips_find(const Program *program, const Function *function, const Regions *regions, const uint8_t *errands, Trip *trips);

/* Likewise: sets `follows` of loads. */
void trips_follow(const Program *program, const Function *function, Trip *trips);
