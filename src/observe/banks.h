/* banks.h: how many passes (wavefronts) one shared-memory access takes. A pure function of the Access.
 *
 * There are 32 banks, each 4 bytes wide: bank = address / 4 mod 32. degree(S) = the largest, over banks, number of distinct 4-byte
 * words of that bank touched by the lanes in S. Measured on an H200 (compute capability 9.0):
 * - 1-, 2- and 4-byte elements: wavefronts = degree(active lanes), least possible 1.
 * - 8-byte: two half-warps, wavefronts = the sum of their degrees, least = half-warps with an active lane. Loads only: when every
 *   active lane i has the address of lane i XOR 1, or every one that of lane i XOR 2 (an inactive partner counts as equal), the
 *   halves merge: degree(active lanes), least 1.
 * - 16-byte: four quarter-warps, likewise; loads merge the two quarters of a half-warp under the same condition within that half.
 * - 32-byte elements, which shared memory instructions do not have yet: eight groups of four lanes, never merged. Not measured. */
#pragma once

#include <stdint.h>

#include "machine/access.h"

enum { BANKS = 32, BANK_BYTES = 4 };

typedef struct Passes {
    uint32_t wavefronts;
    uint32_t least; /* the fewest that lanes like these could take; wavefronts - least are bank conflicts */
} Passes;

/* Shared accesses: addresses are offsets below 1 MB, multiples of the element size. */
Passes banks_count(const Access *access);
