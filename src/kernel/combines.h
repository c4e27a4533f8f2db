/* combines.h: atomic operations that the assembler makes others of: one for all lanes that have one address, or a loop around a compare-and-swap. */
#pragma once

#include "kernel/flow.h"

/* What becomes of an atomic instruction. Found by assembling some 120 kernels with ptxas 13.0 and reading the machine code, and by the counters of an H100.
 * - An address that is the same in all lanes, as ptxas can see (uniform.h): 32-bit add, and min, max, and, or, xor whose result nothing reads,
 *   are made once for all lanes that run it, as is a 64-bit add of a value that is the same. Where what lanes add differs and the result is read, only a
 *   whole warp's are. Before compute capability 8.0, which has no instruction that reduces a warp's values, the same holds of all that differ.
 * - In shared memory, adding the number 1 of type u32, which is what nvcc and clang write for int as well, where nothing reads the result lets lanes of one word be served together, whatever their
 *   addresses are; since 8.0.
 * - In shared memory, floats, halves and doubles are added in a loop: load, add, compare and swap, until it has; 64-bit integers likewise, but for
 *   exchanges and compare-and-swaps.
 * - inc, dec, exch and cas are left as they are, as is all code that is compiled to be debugged. */
enum { REDUCES_SINCE = 8 /* compute capability */ };

typedef enum Combine {
    COMBINE_NONE,
    COMBINE_EQUAL,       /* once for all active lanes: each does the same */
    COMBINE_REDUCE,      /* the same, of values that differ */
    COMBINE_SCAN,        /* the same, and each lane needs its own result: whole warps alone */
    COMBINE_COUNT,       /* + 1, lanes with one address together */
    COMBINE_COUNT_EQUAL, /* the same, or COMBINE_EQUAL */
    COMBINE_LOOP,        /* a loop of compare-and-swaps */
    COMBINE_EQUAL_LOOP,  /* the same, by one lane for all that are active */
} Combine;

/* By instruction of the function, from its first: a Combine. Whether there is any but COMBINE_NONE. traits: as in traits.h, likewise. */
bool combines_find(const Program *program, const Function *function, const Flow *flow, const uint8_t *traits,
                   uint8_t *combines);
