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

/* Granules with their marks before, NULL where there are none of the kind, and, of reads or writes, after. */
typedef struct MarkChunk {
    const uint64_t *own, *write, *read;
    uint64_t *next;
} MarkChunk;

/* Fills next of count granules. False: some need a closer look. */
VECTOR bool chunk_is_calm(const RaceVisit *visit, const Calm *calm, MarkChunk chunk, uint32_t count) {
    uint64_t bad = 0, wrote = 0, was_read = 0;
    for (uint32_t i = 0; chunk.write && i < count; i++) wrote |= chunk.write[i];
    for (uint32_t i = 0; chunk.read && i < count; i++) was_read |= chunk.read[i];
    for (uint32_t i = 0; wrote && i < count; i++) bad |= !write_is_calm(calm, chunk.own[i], chunk.write[i]);
    if (visit->stores || !was_read) {
        for (uint32_t i = 0; was_read && i < count; i++) bad |= !read_is_calm(calm, chunk.own[i], chunk.read[i]);
        memcpy(chunk.next, chunk.own, count * sizeof *chunk.next);
    } else {
        for (uint32_t i = 0; i < count; i++) chunk.next[i] = read_next(calm, chunk.own[i], chunk.read[i]);
        for (uint32_t i = 0; i < count; i++) bad |= read_is_odd(calm, chunk.own[i], chunk.read[i]);
    }
    return !bad;
}

static bool may_be_calm(const RaceVisit *visit) { return !visit->strong && visit->whole; }

static const Marks *marks_changed(const RaceVisit *visit) { return visit->stores ? &visit->writes : &visit->reads; }

/* All of a row's marks. NULL: it has none. */
static const uint64_t *row_load(const RaceVisit *visit, const Marks *marks, bool any, uint64_t number, uint64_t *loaded) {
    const MarkLayout *at = &visit->race->at;
    const uint64_t row = any ? row_at(at, marks, number) : 0, first = number * MARKS_ROW;
    if (!row) return NULL;
    if (!row_is_apart(at, row)) {
        for (uint32_t i = 0; i < MARKS_ROW; i++) loaded[i] = row_mark_in_order(at, row, i);
    } else if (row & APART_SMALL) {
        for (uint32_t i = 0; i < MARKS_ROW; i++) loaded[i] = row_mark_apart(at, marks, row, first + i);
    } else {
        const uint64_t *words = row_words(at, marks, row) + (row & APART_PAGE ? first % MARKS_PAGE : 0);
        memcpy(loaded, words, MARKS_ROW * sizeof *loaded);
    }
    return loaded;
}

/* Of a row whose granules have a mark each in 64 bits; else NULL. */
static uint64_t *split_words(const RaceVisit *visit, const Marks *marks, uint64_t number) {
    const MarkLayout *at = &visit->race->at;
    const uint64_t row = row_at(at, marks, number);
    if (!row || !row_is_apart(at, row) || row & (APART_SMALL | APART_PAGE)) return NULL;
    return row_words(at, marks, row);
}

/* Cells of one row, of which not all are accessed or which have marks of their own. */
static bool cells_are_calm(const RaceVisit *visit, const Calm *calm, uint32_t lane, uint64_t base, uint64_t first,
                           uint64_t end) {
    const Marks *marks = marks_changed(visit);
    const uint32_t shift = (uint32_t)__builtin_ctz(visit->granules), from = first % MARKS_ROW,
                   to = from + (uint32_t)(end - first);
    const uint64_t number = first / MARKS_ROW;
    uint64_t own[MARKS_ROW], write[MARKS_ROW], read[MARKS_ROW], next[MARKS_ROW];
    MarkChunk chunk = {own, row_load(visit, &visit->writes, has_writes(visit), number, write),
                       row_load(visit, &visit->reads, has_reads(visit), number, read), next};
    for (uint32_t i = 0; i < MARKS_ROW; i++) {
        const bool in = i >= from && i < to;
        own[i] = own_mark(visit, lane + (uint32_t)((first - base + (in ? i - from : 0)) >> shift));
        if (chunk.write && !in) write[i] = 0;
        if (chunk.read && !in) read[i] = 0;
    }
    if (!chunk_is_calm(visit, calm, chunk, MARKS_ROW)) return false;
    const uint64_t *before = visit->stores ? chunk.write : chunk.read;
    uint64_t *words = before ? split_words(visit, marks, number) : NULL;
    if (words) {
        for (uint32_t i = from; i < to; i++) __atomic_store_n(&words[i], next[i], __ATOMIC_RELAXED);
        return true;
    }
    for (uint32_t i = from; i < to; i++)
        if (!before || next[i] != before[i]) mark_set(&visit->race->at, marks, number * MARKS_ROW + i, next[i]);
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
static bool row_is_calm(const RaceVisit *visit, const Calm *calm, uint64_t own, uint32_t shift, uint64_t first, uint64_t end) {
    const bool whole = end - first == MARKS_ROW;
    uint64_t *row = &marks_changed(visit)->rows[first / MARKS_ROW];
    bool fine = true;
    const uint64_t write = has_writes(visit) ? row_seen(visit, &visit->writes, first, own, shift, &fine) : 0;
    const uint64_t read = has_reads(visit) ? row_seen(visit, &visit->reads, first, own, shift, &fine) : 0;
    if (!fine || !write_is_calm(calm, own, write)) return false;
    if (visit->stores) {
        if (!read_is_calm(calm, own, read) || (!whole && write != own)) return false;
        if (whole) *row = row_in_order(own, shift);
        return true;
    }
    const uint64_t next = read_next(calm, own, read);
    if (read_is_odd(calm, own, read)) return false;
    if (next == read) return true;
    const bool renewed = (next ^ own) >> MARK_FLAGS == 0;
    if (whole) *row = row_in_order(next, renewed ? shift : row_shift(*row));
    return whole;
}

enum { ROWS = RACE_LOCKED / MARKS_ROW };

/* As many rows as have one lock, all of them accessed, at once; the lanes of each are so far above those of its predecessor. A warp's own writes of another
 * width are by other lanes in some of the rows, if not in the first. */
static bool rows_are_calm(const RaceVisit *visit, const Calm *calm, uint64_t own, uint64_t step, uint32_t shift,
                          uint64_t number) {
    const uint64_t floor = visit->race->at.floor, no_pc = visit->race->at.no_pc, order = row_in_order(0, shift);
    const bool wrote = has_writes(visit), was_read = has_reads(visit);
    if (page_at(&visit->race->at, &visit->writes, number) || page_at(&visit->race->at, &visit->reads, number)) return false;
    uint64_t *rows = marks_changed(visit)->rows + number, owns[ROWS], write[ROWS], read[ROWS], next[ROWS], bad = 0;
    for (uint32_t i = 0; i < ROWS; i++) owns[i] = own + i * step;
    for (uint32_t i = 0; i < ROWS; i++) write[i] = wrote ? mark_live(floor, visit->writes.rows[number + i]) : 0;
    for (uint32_t i = 0; i < ROWS; i++) read[i] = was_read ? mark_live(floor, visit->reads.rows[number + i]) : 0;
    for (uint32_t i = 0; i < ROWS; i++) bad |= (write[i] & no_pc) == no_pc || (read[i] & no_pc) == no_pc;
    for (uint32_t i = 0; i < ROWS; i++) bad |= read[i] && (read[i] & ROW_SHIFT_FLAGS) != order;
    for (uint32_t i = 0; i < ROWS; i++) write[i] &= ~ROW_SHIFT_FLAGS;
    for (uint32_t i = 0; i < ROWS; i++) read[i] &= ~ROW_SHIFT_FLAGS;
    if (bad || !chunk_is_calm(visit, calm, (MarkChunk){owns, wrote ? write : NULL, was_read ? read : NULL, next}, ROWS))
        return false;
    for (uint32_t i = 0; i < ROWS; i++) rows[i] = next[i] | order;
    return true;
}

/* The cells of one row. True when the check goes on. */
static bool visit_row(const RaceVisit *visit, const Calm *calm, uint32_t lane, uint64_t base, uint64_t first, uint64_t end) {
    const uint32_t shift = (uint32_t)__builtin_ctz(visit->granules), in_row = shift < 3 ? shift : 3;
    const uint64_t own = own_mark(visit, lane + (uint32_t)((first - base) >> shift));
    const bool aligned = !(base & ((1u << in_row) - 1));
    if (calm && aligned && row_is_calm(visit, calm, own, in_row, first, end)) return true;
    if (calm && cells_are_calm(visit, calm, lane, base, first, end)) return true;
    for (uint64_t cell = first; cell < end; cell++) {
        const uint32_t nth = (uint32_t)(cell - base);
        if (!race_cell(visit, lane + (nth >> shift), nth & (visit->granules - 1), cell)) return false;
    }
    return true;
}

bool race_run(const RaceVisit *visit, uint32_t lane, uint64_t base, uint64_t first, uint64_t end) {
    const uint32_t shift = (uint32_t)__builtin_ctz(visit->granules), nth = (uint32_t)(first - base), at = lane + (nth >> shift);
    const bool may_be = may_be_calm(visit), all = end - first == RACE_LOCKED && shift <= 3 && !(base & (visit->granules - 1));
    const Calm calm = calm_of(visit);
    const uint64_t step = (uint64_t)(MARKS_ROW >> shift) << calm.thread_at;
    bool fine = may_be && all && rows_are_calm(visit, &calm, own_mark(visit, at), step, shift, first / MARKS_ROW);
    if (!fine) {
        fine = true;
        for (uint64_t cell = first, next; fine && cell < end; cell = next) {
            next = cell / MARKS_ROW * MARKS_ROW + MARKS_ROW;
            if (next > end) next = end;
            fine = visit_row(visit, may_be ? &calm : NULL, lane, base, cell, next);
        }
    }
    if (fine && visit->stores) race_place(visit, at, nth & (visit->granules - 1), first, (uint32_t)(end - first));
    return fine;
}

/* --- lanes at any places --------------------------------------------------------------------------------------------------------- */

/* Those of the access's lanes; the others repeat the first. False: some are read with their lock alone. */
static bool marks_load(const RaceVisit *visit, const Marks *marks, const uint64_t *cells, uint64_t *loaded) {
    const MarkLayout *at = &visit->race->at;
    const uint32_t active = visit->access->active;
    bool locked = false;
    for (uint32_t left = active; left; left &= left - 1) {
        const uint32_t l = (uint32_t)__builtin_ctz(left);
        loaded[l] = row_at(at, marks, cells[l] / MARKS_ROW);
        locked |= row_is_apart(at, loaded[l]) && loaded[l] & APART_PAGE;
    }
    if (locked && visit->race->stripes) return false;
    uint64_t *words = NULL, last = 0; /* of the row of the lane before */
    for (uint32_t left = active; left; left &= left - 1) {
        const uint32_t l = (uint32_t)__builtin_ctz(left);
        const uint64_t row = loaded[l];
        if (!row_is_apart(at, row)) {
            loaded[l] = row_mark(at, marks, row, cells[l]);
            continue;
        }
        if (row != last) words = row_words(at, marks, row), last = row;
        loaded[l] = row_mark_in(at, marks, row, words, cells[l]);
    }
    const uint64_t first = loaded[__builtin_ctz(active)];
    for (uint32_t l = 0; l < WARP_LANES; l++) loaded[l] = active >> l & 1 ? loaded[l] : first;
    return true;
}

bool race_lanes_are_calm(const RaceVisit *visit, const Touch *touch) {
    const MarkLayout *at = &visit->race->at;
    const Marks *marks = marks_changed(visit);
    const Calm calm = calm_of(visit);
    const uint32_t shift = (uint32_t)__builtin_ctz(visit->granule);
    const bool wrote = has_writes(visit), was_read = has_reads(visit);
    uint64_t cells[WARP_LANES], own[WARP_LANES], write[WARP_LANES], read[WARP_LANES], next[WARP_LANES], changed = 0;
    if (!may_be_calm(visit) || visit->granules > 1) return false;
    for (uint32_t l = 0; l < WARP_LANES; l++) cells[l] = touch->offset[l] >> shift;
    for (uint32_t l = 0; l < WARP_LANES; l++) own[l] = own_mark(visit, touch->lane[l]);
    if (wrote && !marks_load(visit, &visit->writes, cells, write)) return false;
    if (was_read && !marks_load(visit, &visit->reads, cells, read)) return false;
    const MarkChunk chunk = {own, wrote ? write : NULL, was_read ? read : NULL, next};
    if (!chunk_is_calm(visit, &calm, chunk, WARP_LANES)) return false;
    const uint64_t *before = visit->stores ? chunk.write : chunk.read;
    for (uint32_t l = 0; l < WARP_LANES; l++) changed |= next[l] ^ (before ? before[l] : 0);
    if (!changed) return true;
    if (visit->race->stripes || !touch_rises(touch, visit->access->active)) return false;
    for (uint32_t left = visit->access->active; left; left &= left - 1) {
        const uint32_t l = (uint32_t)__builtin_ctz(left);
        mark_set(at, marks, cells[l], next[l]);
    }
    return true;
}
