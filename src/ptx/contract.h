/* contract.h: products and sums that the assembler makes one instruction with one rounding. */
#pragma once

#include "ptx/program.h"

/* Makes an fma of each add and sub of the function that ptxas would make one of. PTX allows it wherever neither the mul nor the sum names a
 * rounding (.rn); nvcc and clang name one when told -fmad=false. The fma stands where the sum stood; the mul remains, its result unread.
 *
 * The rule was found by assembling some 12,000 random pieces of f32 code with ptxas 13.0 for sm_90 and reading the machine code; single shapes are
 * contracted alike for sm_75 and sm_80, and for f64, f16, bf16 and their pairs:
 * - A product may go into a sum of the same type and .ftz; not one with .sat, with a guard, or used twice in the same sum. A sum may have both.
 * - All uses of the product are such sums, in its own basic block. mov and neg are seen through. What ptxas expands into code with branches ends a
 *   basic block as well: division, remainder, rcp, sqrt, calls, fences (see ends_block).
 * - First those products are taken that are used once, sum by sum, the first operand before the second; then the others, and of two in a sum the one that has fewer uses.
 *   A product that has become the addend of an fma is used otherwise from then on.
 * Not seen, where ptxas does: across iterations of a loop that it unrolls, through memory, through mov of vectors, and where a factor is written anew
 * between product and sum. */
void contract_products(Program *program, const Function *function);
