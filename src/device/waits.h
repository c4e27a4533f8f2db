/* waits.h: how often warps wait for what they load, from a launch's counts and the shape of its code.
 *
 * A warp runs on past a load and waits where the value is used; the compiler moves the loads of a basic block ahead of the uses as far as
 * dependences allow. So the loads of a basic block form round trips to memory: a load whose address depends on no other load of the block
 * is in the first, one whose address comes from the first is in the second, and so on. A store may write what a later load of the same
 * space reads, so that load is in a later round trip than the values stored (loads through .nc are promised not to alias). A barrier ends
 * all round trips. Each is waited for once, each time the block runs; iterations of a loop that was not unrolled follow one another.
 *
 * A branch over a few instructions ends no basic block: the compiler guards them one by one instead, so that a series of guarded loads is waited
 * for together. On an H200 a transpose of 10007 x 9973 floats, 16 loads a thread, takes as long with an `if` around each load (215.6 us) as with
 * none (215.9 us: what lies outside is read at the edge instead). */
#pragma once

#include "observe/counters.h"
#include "ptx/program.h"

/* Round trips waited for, summed over all warps of a launch, by where the slowest of their loads is answered. Where some of a load's
 * sectors hit L1 and some miss, its round trip is divided in proportion. Shared memory is not included. */
typedef struct Waits {
    double l1;     /* global and local loads that L1 answers */
    double beyond; /* those that L2 or device memory answers, and atomics whose result is used */
    /* Cycles by which basic blocks take longer than to issue their instructions, since these wait for each other's results, in all warps
     * together (device/arithmetic.h). Round trips are not included. */
    double chains;
    double slow; /* cycles of quarters of SMs that slow instructions take */
} Waits;

/* All functions of the program count with what ran of them. */
Waits waits_find(const Program *program, const Counters *counters);
