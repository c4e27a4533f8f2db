/* regions.h: what the assembler schedules as one: basic blocks, and short ones that a branch leads round or chooses from.
 *
 * ptxas guards the few instructions of an `if` one by one in place of branching round them, so that they, what stands before and what stands behind become
 * one stretch of code, in which it moves loads ahead of all uses. In the text such instructions may stand anywhere: clang puts them behind
 * the function's end now and then. */
#pragma once

#include "base/arena.h"
#include "kernel/flow.h"
#include "ptx/program.h"

typedef struct Regions {
    uint32_t *
        order; /* the function's instructions, counted from its first, as they follow each other when it runs: those of a region in a row */
    bool *begins; /* by place in that order: a region begins */
    bool *heads;  /* likewise: a basic block does */
    bool *elses;  /* likewise: one that is guarded by what guards the one ahead of it, the other way round */
} Regions;

/* Of a defined function, whose blocks are known; from the arena. A call ends a region, a barrier does not. */
Regions regions_find(const Program *program, const Function *function, const Flow *flow, Arena *arena);
