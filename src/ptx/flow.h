/* flow.h: where lanes that parted at a branch meet again: the first instruction that all of their paths to the function's end pass,
 * the branch's immediate post-dominator. */
#pragma once

#include "ptx/program.h"

/* Sets `reconverge` of every guarded bra, of every brx, and of guarded ret and exit in the function's instructions. Where paths meet
 * only by leaving the function, or never (in an endless loop), it is NO_INSN. Near-linear in the number of instructions. */
void flow_reconverge(Program *program, const Function *function);
