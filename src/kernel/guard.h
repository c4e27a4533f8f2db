/* guard.h: the condition that decides whether a thread comes to an instruction, where there is one. */
#pragma once

#include "kernel/flow.h"

/* Of an instruction of the function: itself where it has a predicate; else, of the branches by one way of which all threads come to it and by the other
 * perhaps not, the nearest in the text in front of it, or behind it where a loop has its only condition there. NO_INSN: every thread that begins the
 * function comes to it. Near-linear in the blocks for each branch, and asked for when something went wrong. */
uint32_t guard_find(const Program *program, const Function *function, const Flow *flow, uint32_t insn);
