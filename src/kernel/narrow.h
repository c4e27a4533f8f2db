/* narrow.h: loads of which not all elements are used, as the assembler makes them. */
#pragma once

#include "ptx/program.h"

enum { NARROWED_MOST = 2 };

/* What becomes of a load: as it is, or accesses of so many bytes each, that far from its own address; none where it is left out. */
typedef struct Narrowed {
    bool changed;
    bool once; /* for a loop, not in each of its iterations */
    uint8_t count, offset[NARROWED_MOST], bytes[NARROWED_MOST];
    uint32_t with; /* where it is made once: the first instruction of those of which that is so together */
} Narrowed;

/* Fills narrowed, by instruction of the program, of the function's; used as traits_find has it. Whether any is changed.
 *
 * The rule was read from ptxas 13.0's machine code for sm_80, sm_90 and sm_100, of each set of elements that may be used, in global and in shared memory:
 * - A load of which nothing is used is left out, unless it is volatile or .mmio; how else it is cached or ordered changes nothing.
 * - Of two elements, the one that is used is loaded alone.
 * - Of four, three are loaded as four; two as a half where they are one; else each alone, of 2 bytes all four. A single one is loaded alone.
 * - Elements of one byte are loaded all, and so is more than 16 bytes (sm_100) of which any is used.
 * - A load through .nc is made once for a loop, wherever no address register of it is written there, no branch of the loop stands before it, and no fence and no
 *   call is in it (a barrier, stores and atomics may be); a plain load stays. Several of one place, as unrolling leaves them, are made once together.
 * Not seen, where ptxas does: values that only an unused carry needs, elements of 8 bytes of which one half is used, and values that are overwritten before
 * anything reads them. */
bool narrow_find(const Program *program, const Function *function, const uint8_t *used, Narrowed *narrowed);
