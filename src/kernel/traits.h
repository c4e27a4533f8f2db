/* traits.h: what single instructions are like, as far as the rest of their function tells. */
#pragma once

#include "ptx/program.h"

enum Trait {
    TRAIT_PIECE = 1,    /* a load beside others from the same register on, or of a vector: it may be a structure's part */
    TRAIT_CORRECTS = 2, /* atomic compare-and-swap, minimum or maximum: a stale value read before it does no harm */
    TRAIT_EXCHANGE = 4, /* atomic exchange: writes whatever was there */
    TRAIT_UNREAD =
        8, /* nothing that is kept reads what it gives. Of arithmetic: ptxas has left it out, or a sum contains it (ptx/contract.h) */
    TRAIT_PRINTS = 16,   /* a store that hands printf what it is to print */
    TRAIT_SUMS = 32,     /* atomic addition of floats */
    TRAIT_ACQUIRES = 64, /* a fence, or a load or an atomic that acquires, of more than a block: L1 is emptied behind it */
    TRAIT_AHEAD = 128,   /* as kernel/ahead.h says */
};

enum { USED_ALL = 0xff };

/* By instruction of the program: adds those of the function's, TRAIT_PRINTS and TRAIT_AHEAD aside. used: of loads, a bit for each element on which something hangs; USED_ALL for what
 * the assembler takes as it is. */
void traits_find(const Program *program, const Function *function, uint8_t *traits, uint8_t *used);
