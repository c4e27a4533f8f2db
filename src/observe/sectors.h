/* sectors.h: which 32-byte sectors of which 128-byte lines one access touches. A pure function of the Access.
 *
 * A request's sectors are the distinct values of address >> 5 over all bytes of its active lanes, over the whole warp, for every
 * element size, loads and stores alike: measured on an H200 (compute capability 9.0) with 1-, 2-, 4-, 8- and 16-byte elements, full
 * and partial warps, and lane masks with holes. A 32-byte element (ld.v4.b64) is counted by the same rule; it was not measured.
 *
 * Atomics and reductions: lanes with equal addresses are serialised, and each replay touches its sectors anew: a sector counts as often as
 * the most frequent address in it. Measured likewise (with one set of random addresses, 4-byte ones but compare-and-swap
 * showed one sector more than that).
 */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "machine/access.h"

enum {
    SECTOR_BYTES = 32,
    LINE_BYTES = 128,
    LINE_SECTORS = 4,
    SECTORS_ALL = 0xf,
    LINE_WORDS = 32,           /* of 4 bytes */
    LINE_NUMBERS = 0x7fffffff, /* distinguished: 256 GiB of addresses */
    FOOTPRINT_LINES = 256,     /* a 32-byte element in local memory: eight words a lane, each in a line of its own */
};

/* Lines stand in the order in which the lanes, lowest first, touch them (local memory: first words first). */
typedef struct Footprint {
    uint32_t sectors;      /* as counted: distinct sectors; atomics may touch some several times */
    uint32_t unique_bytes; /* distinct bytes */
    uint32_t n_words;      /* distinct 4-byte words of which a byte is touched */
    uint32_t n_lines;
    bool spans; /* of a load with gaps: the words are all from the first to the last, until sectors_set_words */
    uint32_t line[FOOTPRINT_LINES];  /* address / 128, its bits in LINE_NUMBERS */
    uint32_t words[FOOTPRINT_LINES]; /* bit w: a byte of the line's 4-byte word w is touched */
    uint8_t mask[FOOTPRINT_LINES];   /* bit s: sector s of the line is touched */
} Footprint;

/* Global and local accesses. Addresses are multiples of the element size (in local memory of 4 bytes at most), as the machine
 * checked. Only the first n_lines entries of the arrays are written. */
void sectors_find(const Access *access, Footprint *footprint);

/* Makes the words of a load exact, which few need. */
void sectors_set_words(const Access *access, Footprint *footprint);

/* Words that differ, of the access's width and at least 4 bytes: the constant cache hands out one at a time, to all lanes that want it
 * (CUDA C++ Programming Guide, constant memory: as many requests as there are different addresses). On an H100 a load of one word is 1 request, of 32
 * words 32 (tests/hardware/h100-atomics.csv). */
uint32_t sectors_constant_words(const Access *access);

/* The sectors of a line that have a word in `words`: each byte's bits are gathered into its lowest, then those four side by side. */
static inline uint32_t sectors_touched(uint32_t words) {
    uint32_t any = words | (words >> 4 & UINT32_C(0x0f0f0f0f));
    any |= any >> 2;
    any = (any | any >> 1) & UINT32_C(0x01010101);
    return any * UINT32_C(0x01020408) >> 24 & SECTORS_ALL;
}

/* All words of these sectors. */
static inline uint32_t sectors_words(uint32_t sectors) {
    return (sectors * UINT32_C(0x00204081) & UINT32_C(0x01010101)) * 0xff;
}

/* Those with all their words in `words`. */
static inline uint32_t sectors_whole(uint32_t words) { return SECTORS_ALL & ~sectors_touched(~words); }
