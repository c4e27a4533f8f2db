/* banks.h: how many wavefronts one access to shared memory takes, and how many of them bank conflicts cost. A pure function of the Access.
 *
 * There are 32 banks, each 4 bytes wide: bank = address / 4 mod 32. degree(S) = the largest, over banks, number of distinct 4-byte
 * words of that bank touched by the lanes in S. Measured on an H200 (compute capability 9.0) with full and partial warps and lane
 * masks with holes:
 * - 1-, 2- and 4-byte elements: wavefronts = degree(active lanes), least possible 1.
 * - 8-byte: two half-warps, wavefronts = the sum of their degrees, least = half-warps with an active lane.
 * - 16-byte: four quarter-warps, likewise.
 * - Loads of 8 and 16 bytes: when every active lane i of the warp has the address of lane i XOR 1, or every one that of lane i XOR 2
 *   (an inactive partner counts as equal), the two halves, or the two quarters of each half, are served as one group.
 * - bank conflicts = wavefronts - least.
 * - ldmatrix, stmatrix: as loads and stores of 16 bytes by the lanes that have rows' addresses (an H100, tests/hardware/h100-fragments.csv).
 * - Atomics (measured on an H100 as well): wavefronts = the largest number of lanes whose address lies in one bank, the same word or not; least 1.
 *   Of 8 bytes (exchanges): of each half-warp. Compare-and-swaps take twice the wavefronts; conflicts count lanes beyond the first.
 *   Additions of 1 are served like loads. A try of a loop around a compare-and-swap (SERVICE_TRY) takes two wavefronts, of 8 bytes two for each
 *   half-warp with an active lane, and has no conflicts: one lane of each bank succeeds, and the others try again.
 * - 32-byte elements, which shared memory instructions do not have yet: eight groups of four lanes, never merged. Not measured. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "machine/access.h"

enum { BANKS = 32, BANK_BYTES = 4 };

typedef struct BankCount {
    uint32_t wavefronts;
    uint32_t conflicts;
} BankCount;

/* Shared accesses: addresses are offsets below 256 MB, multiples of the element size. */
BankCount banks_count(const Access *access);

/* Of the active lanes one for each word that differs. */
uint32_t banks_words(const uint64_t word[WARP_LANES], uint32_t active);

bool banks_serve_each(const Access *access); /* an atomic of which lanes with one word are served one by one */
bool banks_try(const Access *access);        /* one of a loop: all lanes of a group at once */
uint32_t banks_turn(const Access *access);   /* wavefronts until a bank serves another word, or another lane */

/* For each active lane the wavefront, from 0, that serves it, where those of banks_count are taken group by group and in a group each bank's
 * words by their lowest lanes; lanes with the same word are served together, those of an atomic one by one. A compare-and-swap takes this
 * wavefront and the next. Returns the lanes that conflicts make late: not served in the first wavefront of their group. (How many
 * wavefronts there are was measured, their order was not.) */
uint32_t banks_serve(const Access *access, uint8_t wavefront[WARP_LANES]);
