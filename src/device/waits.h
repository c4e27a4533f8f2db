/* waits.h: how often warps wait for what they load, from a launch's counts and the shape of its code.
 *
 * The loads of a basic block form round trips to memory (kernel/trips.h). Each is waited for once, each time the block runs; iterations of a loop that
 * was not unrolled follow one another. Loads that never ran are left out, which the text does not tell. */
#pragma once

#include "kernel/kernel.h"
#include "observe/counters.h"

#define PEER_ATOMIC_LOADS 1.5 /* measured: 284 to 327 cycles, and 194 to 212 of a load (tests/hardware/h200-dshared.csv) */

/* Round trips waited for, summed over all warps of a launch, by where the slowest of their loads is answered. Where some of a load's
 * sectors hit L1 and some miss, its round trip is divided in proportion. The block's own shared memory is not included. */
typedef struct Waits {
    double l1;       /* global and local loads that L1 answers */
    double beyond;   /* those that L2 or device memory answers, and atomics whose result is used */
    double peers;    /* those that another block of the cluster answers; an atomic operation as PEER_ATOMIC_LOADS of them */
    double meetings; /* at the cluster's barrier, of all warps */
    /* Cycles by which basic blocks take longer than to issue their instructions, since these wait for each other's results, in all warps
     * together (device/arithmetic.h). Round trips are not included. */
    double chains;
    double slow; /* cycles of quarters of SMs that slow instructions take */
} Waits;

/* All functions of the program count with what ran of them. */
Waits waits_find(const Kernel *kernel, const Counters *counters);
