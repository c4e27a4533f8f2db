/* slots.h: register allocation. PTX names a new register for nearly every value; values that are never live together share a slot here, so
 * that a warp's registers stay in the host's nearest cache. */
#pragma once

#include "base/arena.h"
#include "machine/code.h"

/* A slot for every register of this function of the program (an array in the arena). A destination may get the slot of a
 * source that is read for the last time by the same instruction, where that is plain arithmetic or a move. *undefined becomes true when
 * some path may read a register that it has not written; `function` gets those registers and the size of all. */
Slot *slots_assign(const Kernel *kernel, uint32_t index, Arena *arena, CodeFunction *function, bool *undefined);
