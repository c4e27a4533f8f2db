/* walk.h: which registers an instruction reads and writes, and where it may go on: all that is found out about code begins with these. */
#pragma once

#include "ptx/program.h"

/* for (RegisterWalk at = walk_reads(insn); walk_next(&at);) … at.index …
 * Reads: the guard, the sources and the registers of addresses; of a call also its arguments, and the pointer that it goes through. Writes: the
 * destinations, and the results of a call. */
typedef struct RegisterWalk {
    uint32_t index;                    /* the register */
    uint32_t n_alone, alone[2];        /* guard and pointer */
    const Operand *operands, *of_call; /* of_call: behind the others */
    uint32_t next, end, n_of_call;     /* of operands; how many of_call */
} RegisterWalk;

RegisterWalk walk_reads(const Insn *insn);
RegisterWalk walk_writes(const Insn *insn);
bool walk_next(RegisterWalk *walk);

/* Where a branch may lead, as indices of instructions of the program; none for all others. */
BranchTable insn_targets(const Insn *insn);

bool insn_leaves(const Insn *insn);   /* the function ends here for the lanes that execute it */
bool insn_branches(const Insn *insn); /* its lanes need not go on at the next instruction: it ends a basic block */
bool insn_falls(const Insn *insn);    /* lanes may go on at the next instruction */
