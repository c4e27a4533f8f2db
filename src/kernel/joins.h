/* joins.h: loads and stores of shared memory that the assembler makes one. */
#pragma once

#include "kernel/flow.h"

/* What becomes of an instruction's access. A width is that of the one access, in bytes, whose address is aligned to it. */
enum { JOIN_NONE = 0, JOIN_TAKEN = 1 /* it is part of another instruction's */ };

/* Fills joins, by instruction of the function, from its first: JOIN_NONE, JOIN_TAKEN, or the bytes that a lane accesses at once in place of its own.
 * Whether anything is joined. shared_offset: by variable, where it stands in the block's shared memory. used: by instruction of the program, as traits_find has it; NULL: all is;
 * elements that are not used, and loads that are left out, join nothing.
 *
 * The rule was found by assembling some 1500 random pieces of code with ptxas 13.0 for sm_90 and reading the machine code; single shapes are joined alike
 * for sm_75, sm_80, sm_89 and sm_100:
 * - Four neighbouring elements of 2 or 4 bytes, or two of 8, make a window, aligned to its size; a vector access is so many elements. Accesses to one
 *   window become one of half of it where they cover that half, and one of all of it where they cover all; of loads, three elements of four are enough.
 * - The addresses are the same but for constants, and ptxas can see how they are aligned: from constants, products, shifts, masks, and what a
 *   loop adds. Static arrays stand one behind the other as they are declared; dynamic ones begin at a multiple of 16.
 * - Loads are joined where all ways to the later one pass the first (a branch that is not taken, the end of an `if`, however long), and on none of them is a
 *   loop's beginning, a store or an atomic that may be one of shared memory, a barrier (also of a warp), a fence, or a call. Under the same
 *   conditions a load of what has been loaded is dropped, whatever its alignment.
 * - Stores are joined where no other access to shared memory stands between them, and no branch.
 * - Not joined are volatile and guarded accesses, those of 1 byte, 16-bit loads of which something makes 32 unsigned bits (also add, sub, and, shl of 16 bits),
 *   generic addresses, and global memory. Nothing is known of local memory's, whose requests are counted by the word. Code compiled to be debugged
 *   is left as it is.
 * tests/survey compares all of it with the machine code of whole files. Not seen, where ptxas does: a loop that ptxas unrolls, where the alignment is only
 * known then, or what is repeated; a store that is made one with another in an `if` behind it; an address that is computed twice by different ways. */
bool joins_find(const Program *program, const Function *function, const Flow *flow, const uint64_t *shared_offset,
                const uint8_t *used, uint8_t *joins);
