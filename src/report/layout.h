/* layout.h: where the lanes of one access fall: byte by byte in sectors, word by word in banks. Pure functions of a Sample, for
 * figures and sentences; the counts themselves are those of observe/sectors.h and observe/banks.h. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "observe/banks.h"
#include "observe/counters.h"
#include "observe/sectors.h"

enum { SECTORS_MAX = FOOTPRINT_LINES * LINE_SECTORS };

/* Consecutive bytes that a lane accesses. In local memory an element wider than 4 bytes is several ranges. */
typedef struct LaneRange {
    uint64_t addr;
    uint32_t bytes;
    uint32_t lane;
} LaneRange;

typedef struct SectorUse {
    uint64_t addr;      /* of its first byte */
    uint32_t bytes;     /* bit b: byte b is touched; 0 in a sector that was moved only because its line was */
    uint32_t lanes;     /* bit i: lane i touches it */
    uint32_t transfers; /* 1, but for atomics: those on one address are served one after another (observe/sectors.h) */
} SectorUse;

typedef struct SectorLayout {
    uint32_t n_sectors; /* distinct ones */
    uint32_t counted;   /* as observe/sectors.h counts them: the sum of their transfers */
    uint32_t unique_bytes;
    uint32_t n_ranges;
    bool whole_lines;                 /* lines were moved whole (compute capability 2.x and 3.x) */
    SectorUse sector[SECTORS_MAX];    /* in order of address */
    LaneRange ranges[WARP_LANES * 8]; /* in order of lane */
} SectorLayout;

/* Global and local accesses. For a load, sample->cost tells whether whole lines were moved. */
void layout_sectors(const Sample *sample, SectorLayout *layout);

/* What is served together: one wavefront, or BankLayout.row_wavefronts of them. The order in which the hardware serves lanes is not known:
 * here each lane is served as early as possible, lowest first. */
typedef struct BankRow {
    uint32_t group;        /* the lanes that are served together: all, or a half- or quarter-warp of wide elements */
    uint32_t lanes[BANKS]; /* that get their word from this bank; 0: the bank is idle */
} BankRow;

typedef struct BankLayout {
    uint32_t n_rows;
    uint32_t row_wavefronts; /* of each row: 2 for atomics of 8 bytes, else 1 */
    uint32_t least;          /* wavefronts that these lanes would take without conflicts */
    BankRow row[WARP_LANES];
} BankLayout;

/* Shared accesses. n_rows * row_wavefronts is what banks_count calls wavefronts. */
void layout_banks(const Access *access, BankLayout *layout);
