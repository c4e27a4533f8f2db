/* race_calm.h: the rules of race_cell.c for accesses that may be calm: plain, and ordered by nothing but barriers of the whole block. As words, of
 * which many are looked at at once. For race_calm.c and race_lanes.c alone. */
#pragma once

#include "observe/race_visit.h"

/* The rules' numbers, for loops that compilers make vectors of. */
typedef struct Calm {
    uint32_t thread_at, time_at, block_at;
    uint64_t times, epoch, unsynced, now;
    uint64_t handed; /* all bits: something may be, between blocks */
} Calm;

static inline bool race_may_be_calm(const RaceVisit *visit) { return !visit->strong && visit->whole; }

static inline Calm calm_of(const RaceVisit *visit) {
    const MarkLayout *at = &visit->race->at;
    return (Calm){at->thread_at, at->time_at,     at->block_at, (UINT64_C(1) << (at->block_at - at->time_at)) - 1,
                  visit->epoch,  visit->unsynced, visit->now,   visit->race->causality ? UINT64_MAX : 0};
}

/* A loop over words that compilers make vectors of, which they do not once they have unrolled it. */
#if defined(__clang__)
#define EACH_WORD(i, count) \
    _Pragma("clang loop vectorize(assume_safety) unroll(disable)") for (uint64_t i = 0; i < (count); i++)
#else
#define EACH_WORD(i, count) _Pragma("GCC ivdep") _Pragma("GCC unroll 1") for (uint64_t i = 0; i < (count); i++)
#endif

#define VECTOR static inline __attribute__((always_inline))

/* Words that are 0 where nothing is wrong, and choices between words: compilers make vectors of these, but seldom of truth values. */

/* Of mark and own mark, which an access leaves: neither the same thread nor one that is ordered with it has left it. lanes: others than the thread of
 * the mark are meant as well. */
VECTOR uint64_t unordered(const Calm *calm, uint64_t own, uint64_t mark, uint64_t lanes) {
    const uint64_t diff = mark ^ own, thread = diff >> calm->thread_at & 1023, time = mark >> calm->time_at & calm->times;
    const uint64_t limit = thread < WARP_LANES ? calm->unsynced : calm->epoch, late = time < limit ? 0 : 1;
    return ((thread | lanes) ? late : 0) | diff >> calm->block_at;
}

VECTOR uint64_t write_harms(const Calm *calm, uint64_t own, uint64_t mark) {
    const uint64_t others = mark & (WRITE_BLOCKS | WRITE_THREADS);
    return mark ? unordered(calm, own, mark, 0) | others : 0;
}

VECTOR uint64_t read_harms(const Calm *calm, uint64_t own, uint64_t mark) {
    const uint64_t warps = (mark >> calm->time_at & calm->times) >= calm->epoch ? mark & READ_WARPS : 0;
    const uint64_t others = (mark & (READ_BLOCKS | READ_STRONG_TOO)) | warps;
    return mark ? unordered(calm, own, mark, mark & READ_LANES) | others : 0;
}

/* The read's next mark, as next_read of a plain one. */
VECTOR uint64_t read_next(const Calm *calm, uint64_t own, uint64_t mark) {
    const uint64_t diff = mark ^ own, thread = diff >> calm->thread_at & 1023, time = mark >> calm->time_at & calm->times;
    const uint64_t warps = time >= calm->epoch ? mark & READ_WARPS : 0, later = own | (mark & READ_STRONG_TOO) | warps;
    const uint64_t at_once = time == calm->now ? mark | (thread ? READ_LANES : 0) : later;
    const uint64_t fresh = thread < WARP_LANES ? at_once : mark | READ_WARPS, ours = time >= calm->epoch ? fresh : later;
    const uint64_t foreign = diff >> calm->block_at ? mark | READ_BLOCKS : ours, seen = mark & READ_BLOCKS ? mark : foreign;
    return mark ? seen : own;
}

/* It has no simple next mark. */
VECTOR uint64_t read_is_odd(const Calm *calm, uint64_t own, uint64_t mark) {
    const uint64_t foreign = (mark ^ own) >> calm->block_at ? ~mark & READ_BLOCKS & calm->handed : 0;
    return mark ? (mark & READ_STRONG) | foreign : 0;
}

/* --- rows --- */

static inline const Marks *marks_changed(const RaceVisit *visit) { return visit->stores ? &visit->writes : &visit->reads; }

/* Granules of one row, each accessed by one lane. */
typedef struct RowCells {
    _Alignas(MARKS_ROW * sizeof(uint64_t)) uint64_t own[MARKS_ROW]; /* the marks that the granules leave, which are accessed */
    uint64_t number;                                                /* of the row */
    uint32_t places;                                                /* bit i: granule i of the row is accessed */
} RowCells;

/* Where race_may_be_calm, with the row's lock. False: a closer look is needed, and nothing has changed. */
bool race_row_is_calm(const RaceVisit *visit, const Calm *calm, const RowCells *cells);
