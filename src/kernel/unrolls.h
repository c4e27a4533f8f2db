/* unrolls.h: loops of which the assembler makes several iterations one.
 *
 * Compilers unroll loops and mark those of which they want no more of it (`.pragma "nounroll"`: what is left over, and what `#pragma unroll` asked
 * for). Of others ptxas makes four iterations one, so that the warp waits for the loads of all four together. Found with ptxas 13.0 for compute capability
 * 9.0, on some two hundred loops that differ in one thing each: the step is a constant, and the loop ends by a comparison of what was stepped with what
 * does not change (of a sum with something else, or of the value before the step: not unrolled); no instruction becomes a call or a loop of its
 * own (div.rn, sqrt.rn); nothing else leaves the loop; at most 48 instructions; fewer than 16 loads. Loops of a constant number of iterations are unrolled
 * further, up to some hundred loads: here they count as the others. */
#pragma once

#include "kernel/regions.h"
#include "ptx/program.h"

enum { UNROLLED = 4 };

/* By instruction of the function, from its first: sets the entries of those with which such a loop begins. */
void unrolls_find(const Program *program, const Function *function, const Regions *regions, bool *unrolls);
