/* Many granules at once, as global_race.c has them one by one, where nothing is wrong or in need of a closer look: plain accesses, ordered by nothing
 * but barriers of the whole block. */
#include "observe/race_calm.h"

#include <string.h>

/* --- marks one by one ------------------------------------------------------------------------------------------------------------ */

/* Granules with their marks before and, of reads or writes, after. */
typedef struct MarkChunk {
    const uint64_t *own, *write, *read;
    uint64_t *next;
} MarkChunk;

/* Fills next of count granules. False: some need a closer look. */
VECTOR bool chunk_is_calm(const RaceVisit *visit, const Calm *calm, MarkChunk chunk, uint32_t count) {
    uint64_t bad = 0;
    for (uint32_t i = 0; i < count; i++) bad |= write_harms(calm, chunk.own[i], chunk.write[i]);
    if (visit->stores) {
        for (uint32_t i = 0; i < count; i++) bad |= read_harms(calm, chunk.own[i], chunk.read[i]);
        memcpy(chunk.next, chunk.own, count * sizeof *chunk.next);
    } else {
        for (uint32_t i = 0; i < count; i++) bad |= read_is_odd(calm, chunk.own[i], chunk.read[i]);
        for (uint32_t i = 0; i < count; i++) chunk.next[i] = read_next(calm, chunk.own[i], chunk.read[i]);
    }
    return !bad;
}

/* Where a row has its marks of one kind. */
typedef struct RowPlace {
    uint64_t row;    /* 0: it has none */
    uint64_t *words; /* NULL: in order */
    bool split;
} RowPlace;

static inline RowPlace row_place(const RaceVisit *visit, const Marks *marks, bool any, uint64_t number) {
    const MarkLayout *at = &visit->race->at;
    const uint64_t row = any ? row_at(at, marks, number) : 0;
    if (!row || !row_is_apart(at, row)) return (RowPlace){row, NULL, false};
    const uint64_t first = row & APART_PAGE && row_is_split(row) ? number * MARKS_ROW % MARKS_PAGE : 0;
    return (RowPlace){row, row_words(at, marks, row) + first, row_is_split(row)};
}

/* Its marks at these places, where it is not split. */
static void row_load_other(const RaceVisit *visit, const Marks *marks, const RowPlace *place, const RowCells *cells,
                           const uint64_t *in, uint64_t *loaded) {
    const MarkLayout *at = &visit->race->at;
    const uint64_t row = place->row, first = cells->number * MARKS_ROW;
    if (!row) {
        memset(loaded, 0, MARKS_ROW * sizeof *loaded);
    } else if (!place->words) {
        const RowShape *shape = &row_shapes[row_shape(row)];
        const uint64_t first_mark = row & ~ROW_SHAPE_FLAGS;
        for (uint32_t i = 0; i < MARKS_ROW; i++)
            loaded[i] = in[i] & -(uint64_t)(shape->places >> i & 1) &
                        (first_mark + ((uint64_t)(int64_t)shape->lanes[i] << at->thread_at));
    } else if (row_is_pair(row)) {
        for (uint32_t i = 0; i < MARKS_ROW; i++) loaded[i] = in[i] & pair_mark(at, place->words, i);
    } else if (row & APART_PAGE) {
        for (uint32_t i = 0; i < MARKS_ROW; i++)
            loaded[i] = in[i] & packed_mark(at, marks, place->words, (uint32_t)(first + i) % MARKS_PAGE);
    } else {
        const uint32_t *close = close_marks(place->words);
        const uint64_t context = *place->words;
        for (uint32_t i = 0; i < MARKS_ROW; i++)
            loaded[i] = close[i] & CLOSE_MARKED ? in[i] & (context | (close[i] & at->own)) : 0;
    }
}

VECTOR void row_load(const RaceVisit *visit, const Marks *marks, const RowPlace *place, const RowCells *cells,
                     const uint64_t *in, uint64_t *loaded) {
    if (place->split)
        for (uint32_t i = 0; i < MARKS_ROW; i++) loaded[i] = in[i] & place->words[i];
    else
        row_load_other(visit, marks, place, cells, in, loaded);
}

bool race_row_is_calm(const RaceVisit *visit, const Calm *calm, const RowCells *cells) {
    uint64_t write[MARKS_ROW], read[MARKS_ROW], next[MARKS_ROW], in[MARKS_ROW], changed = 0;
    const RowPlace writes = row_place(visit, &visit->writes, has_writes(visit), cells->number),
                   reads = row_place(visit, &visit->reads, has_reads(visit), cells->number);
    for (uint32_t i = 0; i < MARKS_ROW; i++) in[i] = -(uint64_t)(cells->places >> i & 1);
    row_load(visit, &visit->writes, &writes, cells, in, write);
    row_load(visit, &visit->reads, &reads, cells, in, read);
    if (!chunk_is_calm(visit, calm, (MarkChunk){cells->own, write, read, next}, MARKS_ROW)) return false;
    const RowPlace *place = visit->stores ? &writes : &reads;
    if (place->split && !visit->race->stripes) { /* nobody reads them meanwhile */
        for (uint32_t i = 0; i < MARKS_ROW; i++) place->words[i] ^= in[i] & (next[i] ^ place->words[i]);
        return true;
    }
    const uint64_t *before = visit->stores ? write : read;
    for (uint32_t i = 0; i < MARKS_ROW; i++) changed |= in[i] & (next[i] ^ before[i]);
    if (changed) mark_set_row(&visit->race->at, marks_changed(visit), cells->number, cells->places, next);
    return true;
}

/* Cells of one row by successive lanes, of which not all are accessed or which have marks of their own. */
static bool run_is_calm(const RaceVisit *visit, const Calm *calm, uint32_t lane, uint64_t base, uint64_t first, uint64_t end) {
    const uint32_t shift = (uint32_t)__builtin_ctz(visit->granules), from = first % MARKS_ROW, count = (uint32_t)(end - first);
    RowCells cells = {.number = first / MARKS_ROW, .places = ((1u << count) - 1) << from};
    for (uint32_t i = 0; i < MARKS_ROW; i++)
        cells.own[i] =
            own_mark(visit, lane + (uint32_t)((first - base + (i >= from && i < from + count ? i - from : 0)) >> shift));
    return race_row_is_calm(visit, calm, &cells);
}

/* --- rows -------------------------------------------------------------------------------------------------------------------------- */

/* A row's mark against this access, as its first accessed granule has it; fine says whether that stands for all of them. */
VECTOR uint64_t row_seen(const RaceVisit *visit, const Marks *marks, uint64_t cell, uint64_t own, uint32_t shift, bool *fine) {
    const MarkLayout *at = &visit->race->at;
    const uint64_t row = row_at(at, marks, cell / MARKS_ROW);
    if (!row) return 0;
    const bool own_warp = !((row ^ own) >> at->block_at) && ((row ^ own) >> at->thread_at & 1023) < WARP_LANES;
    const uint32_t shape = row_shape(row);
    *fine &= !row_is_apart(at, row) && shape < ROW_CHECKED && !(own_warp && shape != ROW_WHOLE + shift);
    return *fine ? (row & ~ROW_SHAPE_FLAGS) + ((uint64_t)(cell % MARKS_ROW >> shape) << at->thread_at) : 0;
}

/* The cells of one row by its mark. False: a closer look is needed. */
static bool row_is_calm(const RaceVisit *visit, const Calm *calm, uint64_t own, uint32_t shift, uint64_t first, uint64_t end) {
    const bool whole = end - first == MARKS_ROW;
    uint64_t *row = &marks_changed(visit)->rows[first / MARKS_ROW];
    bool fine = true;
    const uint64_t write = has_writes(visit) ? row_seen(visit, &visit->writes, first, own, shift, &fine) : 0;
    const uint64_t read = has_reads(visit) ? row_seen(visit, &visit->reads, first, own, shift, &fine) : 0;
    if (!fine || write_harms(calm, own, write)) return false;
    if (visit->stores) {
        if (read_harms(calm, own, read) || (!whole && write != own)) return false;
        if (whole) *row = row_in_order(own, ROW_WHOLE + shift);
        return true;
    }
    const uint64_t next = read_next(calm, own, read);
    if (read_is_odd(calm, own, read)) return false;
    if (next == read) return true;
    const bool renewed = (next ^ own) >> MARK_FLAGS == 0;
    if (whole) *row = row_in_order(next, renewed ? ROW_WHOLE + shift : row_shape(*row));
    return whole;
}

enum { ROWS = RACE_LOCKED / MARKS_ROW };

/* As many rows as have one lock, all of them accessed, at once; the lanes of each are so far above those of its predecessor. What a warp wrote in another
 * shape may be by other lanes, though its first granule is by the same. */
static bool rows_are_calm(const RaceVisit *visit, const Calm *calm, uint64_t own, uint64_t step, uint32_t shift,
                          uint64_t number) {
    const uint64_t floor = visit->race->at.floor, no_pc = visit->race->at.no_pc, order = row_in_order(0, ROW_WHOLE + shift);
    const bool wrote = has_writes(visit), was_read = has_reads(visit);
    const uint32_t alike = row_shapes_alike[shift];
    if (page_at(&visit->race->at, &visit->writes, number) || page_at(&visit->race->at, &visit->reads, number)) return false;
    uint64_t *rows = marks_changed(visit)->rows + number, owns[ROWS], write[ROWS], read[ROWS], next[ROWS], bad = 0;
    for (uint32_t i = 0; i < ROWS; i++) owns[i] = own + i * step;
    for (uint32_t i = 0; i < ROWS; i++) write[i] = wrote ? mark_live(floor, visit->writes.rows[number + i]) : 0;
    for (uint32_t i = 0; i < ROWS; i++) read[i] = was_read ? mark_live(floor, visit->reads.rows[number + i]) : 0;
    for (uint32_t i = 0; i < ROWS; i++) bad |= (write[i] & no_pc) == no_pc || (read[i] & no_pc) == no_pc;
    for (uint32_t i = 0; i < ROWS; i++) bad |= read[i] && (read[i] & ROW_SHAPE_FLAGS) != order;
    for (uint32_t i = 0; i < ROWS; i++)
        bad |= write[i] && !(alike >> row_shape(write[i]) & 1) ? unordered(calm, owns[i], write[i], 1) : 0;
    for (uint32_t i = 0; i < ROWS; i++) write[i] &= ~ROW_SHAPE_FLAGS;
    for (uint32_t i = 0; i < ROWS; i++) read[i] &= ~ROW_SHAPE_FLAGS;
    if (bad || !chunk_is_calm(visit, calm, (MarkChunk){owns, write, read, next}, ROWS)) return false;
    for (uint32_t i = 0; i < ROWS; i++) rows[i] = next[i] | order;
    return true;
}

/* The cells of one row. True when the check goes on. */
static bool visit_row(const RaceVisit *visit, const Calm *calm, uint32_t lane, uint64_t base, uint64_t first, uint64_t end) {
    const uint32_t shift = (uint32_t)__builtin_ctz(visit->granules), in_row = shift < 3 ? shift : 3;
    const uint64_t own = own_mark(visit, lane + (uint32_t)((first - base) >> shift));
    const bool aligned = !(base & ((1u << in_row) - 1));
    if (calm && aligned && row_is_calm(visit, calm, own, in_row, first, end)) return true;
    if (calm && run_is_calm(visit, calm, lane, base, first, end)) return true;
    for (uint64_t cell = first; cell < end; cell++) {
        const uint32_t nth = (uint32_t)(cell - base);
        if (!race_cell(visit, lane + (nth >> shift), nth & (visit->granules - 1), cell)) return false;
    }
    return true;
}

bool race_run(const RaceVisit *visit, uint32_t lane, uint64_t base, uint64_t first, uint64_t end) {
    const uint32_t shift = (uint32_t)__builtin_ctz(visit->granules), nth = (uint32_t)(first - base), at = lane + (nth >> shift);
    const bool may_be = race_may_be_calm(visit),
               all = end - first == RACE_LOCKED && shift <= 3 && !(base & (visit->granules - 1));
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
    if (!race_may_be_calm(visit) || visit->granules > 1) return false;
    for (uint32_t l = 0; l < WARP_LANES; l++) cells[l] = touch->offset[l] >> shift;
    for (uint32_t l = 0; l < WARP_LANES; l++) own[l] = own_mark(visit, touch->lane[l]);
    memset(write, 0, wrote ? 0 : sizeof write);
    memset(read, 0, was_read ? 0 : sizeof read);
    if (wrote && !marks_load(visit, &visit->writes, cells, write)) return false;
    if (was_read && !marks_load(visit, &visit->reads, cells, read)) return false;
    if (!chunk_is_calm(visit, &calm, (MarkChunk){own, write, read, next}, WARP_LANES)) return false;
    const uint64_t *before = visit->stores ? write : read;
    for (uint32_t l = 0; l < WARP_LANES; l++) changed |= next[l] ^ before[l];
    if (!changed) return true;
    if (visit->race->stripes || !touch_rises(touch, visit->access->active)) return false;
    for (uint32_t left = visit->access->active; left; left &= left - 1) {
        const uint32_t l = (uint32_t)__builtin_ctz(left);
        mark_set(at, marks, cells[l], next[l]);
    }
    return true;
}
