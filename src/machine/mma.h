/* mma.h: mma.sync: d = a b + c, where a has 16 rows of k elements, b 8 columns, and the lanes of a warp have them in registers of 32 bits as PTX ISA,
 * "Matrix fragments for mma", lays them out. Sums of floating point are those of an H100 (tests/hardware/h100-mma.txt has 165 products of random
 * matrices, all elements of which come out to the bit):
 * - The products are exact. They and c are cut, towards zero, below 2^(e - 25), where 2^e is the largest of what they have for powers of two: of a product
 *   the factors' powers, multiplied.
 * - The sum of all k + 1 is exact. To f32 it is cut towards zero, to f16 rounded to the nearest.
 * - Of a tf32 the low 13 bits are not read.
 * So are subnormal numbers, zeros, what is too large for an f32, infinite values, and NaN, which is 0x7fffffff, of bf16 (tests/ptx/mma_of_numbers_at_the_edges.ptx);
 * not measured, and by the same rule, those of other types. */
#pragma once

#include "machine/warp.h"

/* False after a fault: a lane does not take part. */
bool warp_mma(Warp *warp, const Step *step, uint32_t active);

/* Before the step, of a warp that is watched: an element of d is undefined where anything is that it is made of. */
void mma_defined(Warp *warp, const Step *step);
