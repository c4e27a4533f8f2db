/* printargs.h: the stores by which a kernel hands printf what it is to print. Compilers put the arguments of a call of vprintf into a piece of the
 * frame's local memory that nothing else uses; that is the debugging's doing, not the algorithm's. */
#pragma once

#include "ptx/program.h"

/* By instruction of the program: adds TRAIT_PRINTS to those of the function. Whether it calls printf. */
bool printargs_find(const Program *program, const Function *function, uint8_t *traits);
