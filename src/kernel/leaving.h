/* leaving.h: the branches of a kernel by which threads go where no barrier is reached any more, such as a return in front of one; and which
 * condition it is that sends the lanes of a warp different ways. */
#pragma once

#include <stdbool.h>

#include "kernel/flow.h"

/* Where the one way of a branch leads to a barrier, the other does not. */
typedef enum Leaving { LEAVES_NOT, LEAVES_BY_JUMP, LEAVES_BY_FALLING } Leaving;

/* A barrier of the block's. */
bool insn_waits(const Insn *insn);

/* By instruction of the function, from its first: the Leaving of its branches. From the arena; NULL where there is no barrier. A call is
 * one where `calls_wait`: some function that may be called has a barrier. */
uint8_t *leaving_find(const Program *program, const Function *function, const Flow *flow, bool calls_wait, Arena *arena);

/* Compilers make one branch of several conditions, `if (a) return; if (b) return;`. That which can differ between the lanes of a warp: the
 * instruction that works it out; the branch itself where it has one condition alone; NO_INSN where several can, or none is known to. */
uint32_t leaving_condition(const Program *program, const Function *function, uint32_t branch);
