/* flow.h: a function's basic blocks, and where lanes that diverge at a branch reconverge: the first instruction that all of their paths to the
 * function's end pass, the branch's immediate post-dominator. */
#pragma once

#include "base/arena.h"
#include "ptx/program.h"

typedef struct BasicBlock {
    uint32_t first, end; /* instructions of the program */
    /* Where lanes that its last instruction sends different ways (a guarded bra, ret or exit, or a brx) reconverge. NO_INSN where they do so only by
     * leaving the function, or never (in an endless loop), and where it sends all one way. */
    uint32_t reconverge;
} BasicBlock;

typedef struct Flow {
    uint32_t n_blocks;
    BasicBlock *blocks; /* in the order of their instructions */
    uint32_t *block_of; /* by instruction, from the function's first */
} Flow;

/* Of a defined function; from the arena. Near-linear in the number of instructions. */
Flow flow_find(const Program *program, const Function *function, Arena *arena);
