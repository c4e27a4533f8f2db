/* Many granules at once, as global_race.c has them one by one, where nothing is wrong or in need of a closer look: plain accesses, ordered by nothing
 * but barriers of the whole block. */
#include "observe/race_calm.h"

#include <string.h>

#include "machine/lanes.h"

/* --- marks one by one ------------------------------------------------------------------------------------------------------------ */

/* Granules with their marks before and, of reads or writes, after; bad: not 0 where a closer look is needed. */
typedef struct MarkChunk {
    const uint64_t *own, *write, *read;
    uint64_t *next, *bad;
} MarkChunk;

/* Fills next and bad of count granules. */
VECTOR void chunk_look(const RaceVisit *visit, const Calm *of_visit, MarkChunk chunk, uint32_t count) {
    const Calm known = *of_visit, *calm = &known;
    if (visit->stores) {
        EACH_WORD(i, count) {
            chunk.bad[i] = write_harms(calm, chunk.own[i], chunk.write[i]) | read_harms(calm, chunk.own[i], chunk.read[i]);
            chunk.next[i] = chunk.own[i];
        }
    } else {
        EACH_WORD(i, count) {
            chunk.bad[i] = write_harms(calm, chunk.own[i], chunk.write[i]) | read_is_odd(calm, chunk.own[i], chunk.read[i]);
            chunk.next[i] = read_next(calm, chunk.own[i], chunk.read[i]);
        }
    }
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

/* Adds the marks that a word has in order. */
VECTOR void row_spread(const RaceVisit *visit, uint64_t row, const uint64_t *in, uint64_t *loaded) {
    const RowShape *shape = &row_shapes[row_shape(row)];
    const uint64_t first = row & ~ROW_SHAPE_FLAGS, thread_at = visit->race->at.thread_at, places = shape->places;
    EACH_WORD(i, MARKS_ROW)
    loaded[i] |= in[i] & -(places >> i & 1) & (first + ((uint64_t)shape->lanes[i] << thread_at));
}

/* Its marks at these places, where it is not split. */
static void row_load_other(const RaceVisit *visit, const Marks *marks, const RowPlace *place, const RowCells *cells,
                           const uint64_t *in, uint64_t *loaded) {
    const MarkLayout *at = &visit->race->at;
    const uint64_t row = place->row, first = cells->number * MARKS_ROW % MARKS_PAGE;
    memset(loaded, 0, MARKS_ROW * sizeof *loaded);
    if (!row) return;
    if (!place->words) {
        row_spread(visit, row, in, loaded);
    } else if (row_is_pair(row)) {
        for (uint32_t i = 0; i < 2; i++) row_spread(visit, __atomic_load_n(&place->words[i], __ATOMIC_RELAXED), in, loaded);
    } else if (row & APART_PAGE) {
        EACH_ACTIVE_LANE(i, cells->places) loaded[i] = packed_mark(at, marks, place->words, (uint32_t)first + i);
    } else {
        const uint32_t *close = close_marks(place->words);
        const uint64_t context = *place->words, own = at->own;
        EACH_WORD(i, MARKS_ROW) loaded[i] = in[i] & (close[i] & CLOSE_MARKED ? UINT64_MAX : 0) & (context | (close[i] & own));
    }
}

VECTOR void row_load(const RaceVisit *visit, const Marks *marks, const RowPlace *place, const RowCells *cells,
                     const uint64_t *in, uint64_t *loaded) {
    if (place->split)
        EACH_WORD(i, MARKS_ROW) loaded[i] = in[i] & place->words[i];
    else
        row_load_other(visit, marks, place, cells, in, loaded);
}

bool race_row_is_calm(const RaceVisit *visit, const Calm *calm, const RowCells *cells) {
    uint64_t write[MARKS_ROW], read[MARKS_ROW], next[MARKS_ROW], bad[MARKS_ROW], in[MARKS_ROW], harm = 0, changed = 0;
    const uint64_t places = cells->places;
    const RowPlace writes = row_place(visit, &visit->writes, has_writes(visit), cells->number),
                   reads = row_place(visit, &visit->reads, has_reads(visit), cells->number);
    EACH_WORD(i, MARKS_ROW) in[i] = -(places >> i & 1);
    row_load(visit, &visit->writes, &writes, cells, in, write);
    row_load(visit, &visit->reads, &reads, cells, in, read);
    chunk_look(visit, calm, (MarkChunk){cells->own, write, read, next, bad}, MARKS_ROW);
    EACH_WORD(i, MARKS_ROW) harm |= bad[i];
    if (harm) return false;
    const RowPlace *place = visit->stores ? &writes : &reads;
    if (place->split && !visit->race->stripes) { /* nobody reads them meanwhile */
        EACH_WORD(i, MARKS_ROW) place->words[i] ^= in[i] & (next[i] ^ place->words[i]);
        return true;
    }
    const uint64_t *before = visit->stores ? write : read;
    EACH_WORD(i, MARKS_ROW) changed |= in[i] & (next[i] ^ before[i]);
    if (changed) mark_set_row(&visit->race->at, marks_changed(visit), cells->number, cells->places, next);
    return true;
}

/* Cells of one row by successive lanes, of which not all are accessed or which have marks of their own. */
static bool run_is_calm(const RaceVisit *visit, const Calm *calm, uint32_t lane, uint64_t base, uint64_t first, uint64_t end) {
    const uint32_t shift = (uint32_t)__builtin_ctz(visit->granules), from = first % MARKS_ROW, count = (uint32_t)(end - first);
    const uint64_t lanes = own_mark(visit, lane), start = first - base;
    RowCells cells = {.number = first / MARKS_ROW, .places = ((1u << count) - 1) << from};
    EACH_WORD(i, MARKS_ROW) {
        const uint64_t place = i - from, nth = start + (place < count ? place : 0);
        cells.own[i] = lanes + (nth >> shift << calm->thread_at);
    }
    return race_row_is_calm(visit, calm, &cells);
}

/* --- rows -------------------------------------------------------------------------------------------------------------------------- */

enum { ROWS = RACE_LOCKED / MARKS_ROW };

/* Of a row that is wholly accessed, by successive lanes in this order: whether what it was read by in another order must be looked at granule by granule,
 * unless 0. */
VECTOR uint64_t read_differs(const Calm *calm, uint64_t own, uint64_t read, uint64_t order) {
    const uint64_t diff = read ^ own, same_block = diff >> calm->block_at ? 0 : 1;
    const uint64_t same_warp = (diff >> calm->thread_at & 1023) < WARP_LANES ? same_block : 0;
    const uint64_t alone = row_shape(read) < ROW_CHECKED ? same_warp : 1;
    const uint64_t differs = alone ? unordered(calm, own, read, 1) | (read & READ_WARPS) : 0;
    const uint64_t other = (read & ROW_SHAPE_FLAGS) == order ? 0 : differs;
    return read ? other : 0;
}

/* Likewise of what it was written by. Its first granule's lane stands for all in shapes that are alike. */
VECTOR uint64_t write_differs(const Calm *calm, uint64_t own, uint64_t write, uint64_t alike) {
    const uint64_t differs = alike >> row_shape(write) & 1 ? 0 : unordered(calm, own, write, 1);
    return write ? differs : 0;
}

/* Of the rows that have one lock, those of a run's cells that are in order and wholly accessed, all at once. Gives, as bits, the ones that are calm and have
 * got their marks. */
static uint32_t rows_are_calm(const RaceVisit *visit, const Calm *calm, uint32_t lane, uint64_t base, uint64_t first,
                              uint64_t end) {
    const MarkLayout *at = &visit->race->at;
    const uint64_t number = first / RACE_LOCKED * ROWS, floor = at->floor, no_pc = at->no_pc, lanes = own_mark(visit, lane);
    const uint32_t shift = (uint32_t)__builtin_ctz(visit->granules), in_row = shift < 3 ? shift : 3;
    const uint64_t from = (first + MARKS_ROW - 1) / MARKS_ROW - number, to = end / MARKS_ROW - number;
    const uint64_t order = row_in_order(0, ROW_WHOLE + in_row), alike = row_shapes_alike[in_row];
    const uint64_t start = number * MARKS_ROW - base, wrote = has_writes(visit) ? UINT64_MAX : 0,
                   was_read = has_reads(visit) ? UINT64_MAX : 0;
    const uint64_t *writes = &visit->writes.rows[number], *reads = &visit->reads.rows[number];
    uint64_t *rows = &marks_changed(visit)->rows[number], own[ROWS], write[ROWS], read[ROWS], next[ROWS], bad[ROWS], odd[ROWS];
    uint32_t done = 0;
    if (from >= to || base & ((1u << in_row) - 1)) return 0;
    if (page_at(at, &visit->writes, number) || page_at(at, &visit->reads, number)) return 0;
    EACH_WORD(i, ROWS) own[i] = lanes + ((start + i * MARKS_ROW) >> shift << calm->thread_at);
    EACH_WORD(i, ROWS) {
        const uint64_t was_written = mark_live(floor, writes[i]) & wrote, was = mark_live(floor, reads[i]) & was_read;
        const uint64_t written_apart = (was_written & no_pc) == no_pc ? 1 : 0, read_apart = (was & no_pc) == no_pc ? 1 : 0;
        const uint64_t left = i - from < to - from ? 0 : 1;
        odd[i] = left | written_apart | read_apart | write_differs(calm, own[i], was_written, alike) |
                 read_differs(calm, own[i], was, order);
        write[i] = was_written & ~ROW_SHAPE_FLAGS;
        read[i] = was & ~ROW_SHAPE_FLAGS;
    }
    chunk_look(visit, calm, (MarkChunk){own, write, read, next, bad}, ROWS);
    EACH_WORD(i, ROWS) {
        const uint64_t shape = (next[i] ^ own[i]) >> MARK_FLAGS ? reads[i] & ROW_SHAPE_FLAGS : order;
        bad[i] |= odd[i];
        rows[i] = bad[i] ? rows[i] : next[i] | shape;
    }
    for (uint32_t i = 0; i < ROWS; i++) done |= (uint32_t)!bad[i] << i;
    return done;
}

/* The cells of one row. True when the check goes on. */
static bool visit_row(const RaceVisit *visit, const Calm *calm, uint32_t lane, uint64_t base, uint64_t first, uint64_t end) {
    const uint32_t shift = (uint32_t)__builtin_ctz(visit->granules);
    if (calm && run_is_calm(visit, calm, lane, base, first, end)) return true;
    for (uint64_t cell = first; cell < end; cell++) {
        const uint32_t nth = (uint32_t)(cell - base);
        if (!race_cell(visit, lane + (nth >> shift), nth & (visit->granules - 1), cell)) return false;
    }
    return true;
}

bool race_run(const RaceVisit *visit, uint32_t lane, uint64_t base, uint64_t first, uint64_t end) {
    const uint32_t shift = (uint32_t)__builtin_ctz(visit->granules), nth = (uint32_t)(first - base), at = lane + (nth >> shift);
    const Calm calm = calm_of(visit), *may_be = race_may_be_calm(visit) ? &calm : NULL;
    const uint32_t done = may_be ? rows_are_calm(visit, &calm, lane, base, first, end) : 0;
    bool fine = true;
    for (uint64_t cell = first, next; fine && cell < end; cell = next) {
        next = cell / MARKS_ROW * MARKS_ROW + MARKS_ROW;
        if (next > end) next = end;
        fine = done >> cell / MARKS_ROW % ROWS & 1 || visit_row(visit, may_be, lane, base, cell, next);
    }
    if (fine && visit->stores) race_place(visit, at, nth & (visit->granules - 1), first, (uint32_t)(end - first));
    return fine;
}

/* --- lanes at any places --------------------------------------------------------------------------------------------------------- */

/* Those of the access's lanes; the others repeat the first. False: some are read with their lock alone. */
static bool marks_load(const RaceVisit *visit, const Marks *marks, const uint64_t *cells, uint64_t *loaded) {
    const MarkLayout *at = &visit->race->at;
    const uint32_t active = visit->access->active;
    uint64_t start = 0, cells_there = 0, row = 0, *words = NULL; /* of the lane before: its row's or page's cells */
    EACH_ACTIVE_LANE(l, active) {
        if (cells[l] - start >= cells_there) {
            row = row_at(at, marks, cells[l] / MARKS_ROW);
            words = row_is_apart(at, row) ? row_words(at, marks, row) : NULL;
            cells_there = words && row & APART_PAGE ? MARKS_PAGE : MARKS_ROW;
            start = cells[l] & ~(cells_there - 1);
            if (cells_there == MARKS_PAGE && visit->race->stripes) return false;
        }
        loaded[l] = words ? row_mark_in(at, marks, row, words, cells[l]) : row_mark(at, marks, row, cells[l]);
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
    uint64_t cells[WARP_LANES], own[WARP_LANES], write[WARP_LANES], read[WARP_LANES], next[WARP_LANES], bad[WARP_LANES];
    uint64_t harm = 0, changed = 0;
    if (!race_may_be_calm(visit) || visit->granules > 1) return false;
    EACH_WORD(l, WARP_LANES) cells[l] = touch->offset[l] >> shift;
    EACH_WORD(l, WARP_LANES) own[l] = own_mark(visit, touch->lane[l]);
    memset(write, 0, wrote ? 0 : sizeof write);
    memset(read, 0, was_read ? 0 : sizeof read);
    if (wrote && !marks_load(visit, &visit->writes, cells, write)) return false;
    if (was_read && !marks_load(visit, &visit->reads, cells, read)) return false;
    chunk_look(visit, &calm, (MarkChunk){own, write, read, next, bad}, WARP_LANES);
    const uint64_t *before = visit->stores ? write : read;
    EACH_WORD(l, WARP_LANES) harm |= bad[l];
    EACH_WORD(l, WARP_LANES) changed |= next[l] ^ before[l];
    if (harm) return false;
    if (!changed) return true;
    if (visit->race->stripes || !touch_rises(touch, visit->access->active)) return false;
    EACH_ACTIVE_LANE(l, visit->access->active) {
        if (next[l] != before[l]) mark_set(at, marks, cells[l], next[l]);
    }
    return true;
}
