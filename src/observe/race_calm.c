/* Many granules at once, as global_race.c has them one by one, where nothing is wrong or in need of a closer look: plain accesses, ordered by nothing
 * but barriers of the whole block. */
#include <string.h>

#include "observe/race_visit.h"

/* The rules' numbers, for loops that compilers make vectors of. */
typedef struct Calm {
    uint32_t thread_at, time_at, block_at;
    uint64_t times, epoch, unsynced, now;
    bool handed; /* something may be, between blocks */
} Calm;

static inline Calm calm_of(const RaceVisit *visit) {
    const MarkLayout *at = &visit->race->at;
    return (Calm){at->thread_at, at->time_at,     at->block_at, (UINT64_C(1) << (at->block_at - at->time_at)) - 1,
                  visit->epoch,  visit->unsynced, visit->now,   visit->race->causality};
}

#define VECTOR static inline __attribute__((always_inline))

/* Of mark and own mark, which an access leaves: whether the same thread, or one that is ordered with it, has left it. */
VECTOR bool is_ordered(const Calm *calm, uint64_t own, uint64_t mark, bool alone) {
    const uint64_t diff = mark ^ own, thread = diff >> calm->thread_at & 1023, time = mark >> calm->time_at & calm->times;
    const uint64_t limit = thread < WARP_LANES ? calm->unsynced : calm->epoch;
    return (((!thread) & alone) | (time < limit)) & !(diff >> calm->block_at);
}

VECTOR bool write_is_calm(const Calm *calm, uint64_t own, uint64_t mark) {
    return (mark == 0) | (is_ordered(calm, own, mark, true) & !(mark & (WRITE_BLOCKS | WRITE_THREADS)));
}

VECTOR bool read_is_calm(const Calm *calm, uint64_t own, uint64_t mark) {
    const bool fresh = (mark >> calm->time_at & calm->times) >= calm->epoch;
    const bool others = (mark & (READ_BLOCKS | READ_STRONG_TOO)) | (fresh & ((mark & READ_WARPS) != 0));
    return (mark == 0) | (is_ordered(calm, own, mark, !(mark & READ_LANES)) & !others);
}

/* The read's next mark, as next_read of a plain one. */
VECTOR uint64_t read_next(const Calm *calm, uint64_t own, uint64_t mark) {
    const uint64_t diff = mark ^ own, thread = diff >> calm->thread_at & 1023, time = mark >> calm->time_at & calm->times;
    const uint64_t fresh = time >= calm->epoch, warp = thread < WARP_LANES;
    const uint64_t lanes = thread ? READ_LANES : 0, warps = fresh ? mark & READ_WARPS : 0;
    const uint64_t ours = (fresh & !warp)                        ? mark | READ_WARPS
                          : (fresh & warp & (time == calm->now)) ? mark | lanes
                                                                 : own | (mark & READ_STRONG_TOO) | warps;
    const uint64_t seen = mark & READ_BLOCKS ? mark : diff >> calm->block_at ? mark | READ_BLOCKS : ours;
    return mark ? seen : own;
}

/* It has no simple next mark. */
VECTOR bool read_is_odd(const Calm *calm, uint64_t own, uint64_t mark) {
    const bool foreign = (mark ^ own) >> calm->block_at;
    return (mark & READ_STRONG) | ((mark != 0) & foreign & !(mark & READ_BLOCKS) & calm->handed);
}

/* --- marks one by one ------------------------------------------------------------------------------------------------------------ */

/* Granules with their marks before and, of reads or writes, after. */
typedef struct MarkChunk {
    bool wrote, was_read; /* there are marks of the kind */
    uint64_t own[WARP_LANES], write[WARP_LANES], read[WARP_LANES], next[WARP_LANES];
} MarkChunk;

/* Fills next of count granules, a multiple of MARKS_ROW. False: some need a closer look. */
VECTOR bool chunk_is_calm(const RaceVisit *visit, MarkChunk *chunk, uint32_t count) {
    const Calm calm = calm_of(visit);
    uint64_t bad = 0, wrote = 0, was_read = 0;
    for (uint32_t i = 0; chunk->wrote && i < count; i++) wrote |= chunk->write[i];
    for (uint32_t i = 0; chunk->was_read && i < count; i++) was_read |= chunk->read[i];
    for (uint32_t i = 0; wrote && i < count; i++) bad |= !write_is_calm(&calm, chunk->own[i], chunk->write[i]);
    if (visit->stores) {
        for (uint32_t i = 0; was_read && i < count; i++) bad |= !read_is_calm(&calm, chunk->own[i], chunk->read[i]);
        memcpy(chunk->next, chunk->own, count * sizeof *chunk->next);
    } else if (!was_read) {
        memcpy(chunk->next, chunk->own, count * sizeof *chunk->next);
    } else {
        for (uint32_t i = 0; i < count; i++) chunk->next[i] = read_next(&calm, chunk->own[i], chunk->read[i]);
        for (uint32_t i = 0; i < count; i++) bad |= read_is_odd(&calm, chunk->own[i], chunk->read[i]);
    }
    return !bad;
}

static bool may_be_calm(const RaceVisit *visit) { return !visit->strong && visit->whole; }

static const Marks *marks_changed(const RaceVisit *visit) { return visit->stores ? &visit->writes : &visit->reads; }

/* Cells of one row, of which not all are accessed or which have marks of their own. */
static bool cells_are_calm(const RaceVisit *visit, uint32_t lane, uint64_t base, uint64_t first, uint64_t end) {
    const MarkLayout *at = &visit->race->at;
    const Marks *marks = marks_changed(visit);
    const uint32_t shift = (uint32_t)__builtin_ctz(visit->granules), count = (uint32_t)(end - first);
    MarkChunk chunk = {.wrote = has_writes(visit), .was_read = has_reads(visit)};
    const uint64_t number = first / MARKS_ROW, written = chunk.wrote ? row_at(at, &visit->writes, number) : 0;
    const uint64_t read = chunk.was_read ? row_at(at, &visit->reads, number) : 0;
    for (uint32_t i = 0; i < MARKS_ROW; i++) {
        const bool in = i < count;
        chunk.own[i] = own_mark(visit, lane + (uint32_t)((first - base + (in ? i : 0)) >> shift));
        chunk.write[i] = in ? row_mark(at, &visit->writes, written, (first + i) % MARKS_ROW) : 0;
        chunk.read[i] = in ? row_mark(at, &visit->reads, read, (first + i) % MARKS_ROW) : 0;
    }
    if (!chunk_is_calm(visit, &chunk, MARKS_ROW)) return false;
    const uint64_t *before = visit->stores ? chunk.write : chunk.read;
    if (memcmp(before, chunk.next, count * sizeof *before) == 0) return true;
    for (uint32_t i = 0; i < count; i++)
        if (chunk.next[i] != before[i]) mark_set(at, marks, first + i, chunk.next[i]);
    return true;
}

/* --- rows -------------------------------------------------------------------------------------------------------------------------- */

/* A row's mark against this access, as its first accessed granule has it; fine says whether that stands for all of them. */
VECTOR uint64_t row_seen(const RaceVisit *visit, const Marks *marks, uint64_t cell, uint64_t own, uint32_t shift, bool *fine) {
    const MarkLayout *at = &visit->race->at;
    const uint64_t row = row_at(at, marks, cell / MARKS_ROW);
    if (!row) return 0;
    const bool own_warp = !((row ^ own) >> at->block_at) && ((row ^ own) >> at->thread_at & 1023) < WARP_LANES;
    *fine &= !row_is_apart(at, row) && !(own_warp && row_shift(row) != shift);
    return *fine ? row_mark_in_order(at, row, cell % MARKS_ROW) : 0;
}

/* The cells of one row by its mark. False: a closer look is needed. */
static bool row_is_calm(const RaceVisit *visit, uint64_t own, uint32_t shift, uint64_t first, uint64_t end) {
    const Calm calm = calm_of(visit);
    const bool whole = end - first == MARKS_ROW;
    uint64_t *row = &marks_changed(visit)->rows[first / MARKS_ROW];
    bool fine = true;
    const uint64_t write = has_writes(visit) ? row_seen(visit, &visit->writes, first, own, shift, &fine) : 0;
    const uint64_t read = has_reads(visit) ? row_seen(visit, &visit->reads, first, own, shift, &fine) : 0;
    if (!fine || !write_is_calm(&calm, own, write)) return false;
    if (visit->stores) {
        if (!read_is_calm(&calm, own, read) || (!whole && write != own)) return false;
        if (whole) *row = row_in_order(own, shift);
        return true;
    }
    const uint64_t next = read_next(&calm, own, read);
    if (read_is_odd(&calm, own, read)) return false;
    if (next == read) return true;
    const bool renewed = (next ^ own) >> MARK_FLAGS == 0;
    if (whole) *row = row_in_order(next, renewed ? shift : row_shift(*row));
    return whole;
}

bool race_run(const RaceVisit *visit, uint32_t lane, uint64_t base, uint64_t first, uint64_t end) {
    const uint32_t shift = (uint32_t)__builtin_ctz(visit->granules), in_row = shift < 3 ? shift : 3;
    const bool calm = may_be_calm(visit), aligned = !(base & ((1u << in_row) - 1));
    for (uint64_t cell = first, next; cell < end; cell = next) {
        next = cell / MARKS_ROW * MARKS_ROW + MARKS_ROW;
        if (next > end) next = end;
        const uint32_t nth = (uint32_t)(cell - base), at = lane + (nth >> shift);
        if (calm && ((aligned && row_is_calm(visit, own_mark(visit, at), in_row, cell, next)) ||
                     cells_are_calm(visit, lane, base, cell, next))) {
            if (visit->stores) race_place(visit, at, nth & (visit->granules - 1), cell, (uint32_t)(next - cell));
            continue;
        }
        for (uint64_t i = cell; i < next; i++) {
            const uint32_t of = (uint32_t)(i - base);
            if (!race_cell(visit, lane + (of >> shift), of & (visit->granules - 1), i)) return false;
        }
    }
    return true;
}

/* --- lanes at any places --------------------------------------------------------------------------------------------------------- */

static void marks_load(const MarkLayout *at, const Marks *marks, const uint64_t *cells, uint64_t *loaded) {
    for (uint32_t l = 0; l < WARP_LANES; l++) loaded[l] = row_at(at, marks, cells[l] / MARKS_ROW);
    for (uint32_t l = 0; l < WARP_LANES; l++) loaded[l] = row_mark(at, marks, loaded[l], cells[l] % MARKS_ROW);
}

bool race_lanes_are_calm(const RaceVisit *visit, const Touch *touch) {
    const MarkLayout *at = &visit->race->at;
    const Marks *marks = marks_changed(visit);
    const uint32_t shift = (uint32_t)__builtin_ctz(visit->granule);
    MarkChunk chunk;
    uint64_t cells[WARP_LANES], changed = 0;
    chunk.wrote = has_writes(visit);
    chunk.was_read = has_reads(visit);
    if (!may_be_calm(visit) || visit->granules > 1) return false;
    for (uint32_t l = 0; l < WARP_LANES; l++) cells[l] = touch->offset[l] >> shift;
    for (uint32_t l = 0; l < WARP_LANES; l++) chunk.own[l] = own_mark(visit, touch->lane[l]);
    if (chunk.wrote) marks_load(at, &visit->writes, cells, chunk.write);
    if (chunk.was_read) marks_load(at, &visit->reads, cells, chunk.read);
    if (!chunk_is_calm(visit, &chunk, WARP_LANES)) return false;
    const uint64_t *before = visit->stores ? chunk.write : chunk.read;
    const bool had = visit->stores ? chunk.wrote : chunk.was_read;
    for (uint32_t l = 0; l < WARP_LANES; l++) changed |= chunk.next[l] ^ (had ? before[l] : 0);
    if (!changed) return true;
    if (visit->race->stripes || !touch->rising) return false;
    for (uint32_t l = 0; l < WARP_LANES; l++) mark_set(at, marks, cells[l], chunk.next[l]);
    return true;
}
