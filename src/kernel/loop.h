/* loop.h: the loop in which a warp is that does not end: what is told of it. */
#pragma once

#include "ptx/program.h"

typedef struct Loop {
    uint32_t
        pc; /* the instruction, or one of the loop that has a line; where none has, as clang leaves a loop of nothing, the last one before it */
    bool empty; /* nothing but branches, so that nothing changes */
} Loop;

/* Around an instruction: from where the next branch back leads to, to that. Where there is none, the instruction alone. */
Loop loop_around(const Program *program, uint32_t pc);
