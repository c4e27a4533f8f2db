/* uniform.h: which registers are the same in all lanes of a warp that run an instruction, as the assembler can see.
 *
 * Found by assembling some 120 kernels with ptxas 13.0 for sm_75, 80, 89, 90 and 100 and reading the machine code. A value differs where
 * - it comes of %tid, %laneid or a lane mask, of local memory, an atomic operation's result, a call, a parameter of a function that is no kernel, a
 *   shuffle that is no shfl.idx of the whole warp from a lane that is the same, or match.any; and where it comes of one that differs. Loads from
 *   an address that is the same are the same, whoever writes there meanwhile.
 * - lanes come from different ways with what they wrote there: where paths of a branch that lanes may take different ways join, and at the beginning of a
 *   loop that lanes may leave after different iterations. Behind such a loop, what it wrote last counts as the same.
 * Not seen, where ptxas does: x & 0, x - x. */
#pragma once

#include "base/arena.h"
#include "kernel/flow.h"

typedef struct Uniform {
    bool *differs;           /* by register of the function */
    const Operand **numbers; /* by register: the number that it always is, as mov has it; NULL: another value */
} Uniform;

/* From the arena. */
Uniform uniform_find(const Program *program, const Function *function, const Flow *flow, Arena *arena);

bool uniform_differs(const Uniform *uniform, const Operand *operand);
/* Of a Special. */
bool uniform_special_differs(uint32_t special);
/* The number that the operand is, as an immediate operand; NULL: none. */
const Operand *uniform_number(const Uniform *uniform, const Operand *operand);
