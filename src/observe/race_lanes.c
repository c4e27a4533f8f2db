/* race_lanes.c: race_lanes of race_visit.h: lanes that are not in long runs, by the rows that they lie in; and the locks of rows. */
#include <sched.h>

#include "machine/lanes.h"
#include "observe/race_calm.h"

uint8_t *race_lock_shared(const RaceVisit *visit, uint64_t cell) {
    const GlobalRace *race = visit->race;
    const uint64_t locked = visit->writes.pages ? MARKS_PAGE : RACE_LOCKED;
    const uint64_t line = (uintptr_t)(visit->writes.rows + cell / locked) / sizeof(uint64_t);
    uint8_t *stripe = &race->stripes[(line ^ line >> 12) % RACE_LOCKS * RACE_LOCK_BYTES];
    while (__atomic_exchange_n(stripe, 1, __ATOMIC_ACQUIRE)) sched_yield();
    return stripe;
}

static uint64_t cell_of(const RaceVisit *visit, const Touch *touch, uint32_t lane) {
    return touch->offset[lane] >> __builtin_ctz(visit->granule);
}

/* Each exactly. */
static bool visit_exactly(const RaceVisit *visit, const Touch *touch, uint32_t lanes) {
    EACH_ACTIVE_LANE(l, lanes) {
        if (!race_cells(visit, l, cell_of(visit, touch, l))) return false;
    }
    return true;
}

/* --- lanes of one row ------------------------------------------------------------------------------------------------------ */

/* The lowest of these lanes and those behind it that touch other granules of its row. Gives the lanes. */
static uint32_t row_of_lanes(const RaceVisit *visit, const Touch *touch, uint32_t lanes, RowCells *cells) {
    const uint32_t granules = visit->granules, all = (1u << granules) - 1;
    uint32_t taken = 0;
    cells->number = cell_of(visit, touch, (uint32_t)__builtin_ctz(lanes)) / MARKS_ROW;
    cells->places = 0;
    EACH_ACTIVE_LANE(l, lanes) {
        const uint64_t cell = cell_of(visit, touch, l);
        const uint32_t place = cell % MARKS_ROW, places = all << place;
        if (cell / MARKS_ROW != cells->number || cells->places & places) break;
        for (uint32_t i = 0; i < granules; i++) cells->own[place + i] = own_mark(visit, l);
        cells->places |= places;
        taken |= 1u << l;
    }
    return taken;
}

/* One granule, likewise. */
static bool cell_is_calm(const RaceVisit *visit, const Calm *calm, uint64_t own, uint64_t cell) {
    const uint64_t write = write_at(visit, cell), read = read_at(visit, cell);
    if (write_harms(calm, own, write)) return false;
    if (visit->stores ? read_harms(calm, own, read) : read_is_odd(calm, own, read)) return false;
    const uint64_t before = visit->stores ? write : read, next = visit->stores ? own : read_next(calm, own, read);
    if (next != before) mark_set(&visit->race->at, marks_changed(visit), cell, next);
    return true;
}

/* With their row's lock. cells: NULL where they are known to be calm. */
static bool visit_row_of_lanes(const RaceVisit *visit, const Calm *calm, const Touch *touch, uint32_t lanes,
                               const RowCells *cells) {
    if (cells && !race_row_is_calm(visit, calm, cells)) return visit_exactly(visit, touch, lanes);
    if (visit->stores && visit->race->stripes)
        EACH_ACTIVE_LANE(l, lanes) race_place(visit, l, 0, cell_of(visit, touch, l), visit->granules);
    return true;
}

/* By rows, of which none lies across a lane's granules. */
static bool visit_rows(const RaceVisit *visit, const Touch *touch, uint32_t lanes) {
    const Calm calm = calm_of(visit);
    RowCells cells = {.places = 0};
    for (uint32_t left = lanes, taken; left; left &= ~taken) {
        taken = row_of_lanes(visit, touch, left, &cells);
        uint8_t *lock = race_lock(visit, cells.number * MARKS_ROW);
        const bool fine = visit_row_of_lanes(visit, &calm, touch, taken, &cells);
        race_unlock(lock);
        if (!fine) return false;
    }
    return true;
}

/* --- lanes that keep a distance ------------------------------------------------------------------------------------------------- */

/* Lanes from `first` on, at `cell` and each so many granules on. */
typedef struct Ladder {
    uint32_t first;
    uint64_t cell;
    int64_t step;
} Ladder;

/* Whether they are, by a step of which rows have shapes. */
static bool find_ladder(const RaceVisit *visit, const Touch *touch, uint32_t lanes, Ladder *ladder) {
    const uint32_t first = (uint32_t)__builtin_ctz(lanes), others = lanes & (lanes - 1);
    if (!others || visit->granules > 2) return false;
    const uint32_t next = (uint32_t)__builtin_ctz(others) - first, shift = (uint32_t)__builtin_ctz(visit->granule);
    const uint64_t start = touch->offset[first], bytes = visit->access->bytes;
    const int64_t apart = (int64_t)(touch->offset[first + next] - start), lane = apart >> __builtin_ctz(next);
    uint64_t wrong = start & (bytes - 1);
    if (lane != (int64_t)bytes && lane != 2 * (int64_t)bytes && lane != -(int64_t)bytes) return false;
    for (uint32_t l = 0; l < WARP_LANES; l++) {
        const uint64_t expected = start + (uint64_t)lane * l - (uint64_t)lane * first;
        wrong |= lanes >> l & 1 ? touch->offset[l] ^ expected : 0;
    }
    *ladder = (Ladder){first, start >> shift, lane >> shift};
    return !wrong;
}

enum { NO_SHAPE = 16 };

/* Of so many lanes in a row, of which these are active, the first at this place. */
static uint32_t shape_of(const RaceVisit *visit, int64_t step, uint32_t place, uint32_t count, uint32_t active) {
    const uint32_t granules = visit->granules, wide = granules == 2, all = (1u << count) - 1;
    if (step < 0) return active == all && count * granules == MARKS_ROW ? ROW_FALLING + wide : NO_SHAPE;
    if (step > granules) {
        if (active != all || count * 2 * granules != MARKS_ROW) return NO_SHAPE;
        return wide ? ROW_WIDE + 2 + place / 2 : ROW_APART + place;
    }
    if (count * granules != MARKS_ROW) return NO_SHAPE;
    if (active == (all & 0x55)) return wide ? ROW_WIDE : ROW_MASKED;
    if (active == (all & 0xaa)) return wide ? ROW_WIDE + 1 : ROW_MASKED + 1;
    return active == all ? ROW_WHOLE + wide : NO_SHAPE;
}

/* Some of a row's lanes, of which the first has its first granule at this place. */
static void fill_cells(const RaceVisit *visit, int64_t step, uint32_t lane, uint32_t place, uint32_t active, RowCells *cells) {
    const uint64_t thread = visit->race->at.thread_at, lanes = visit->mine + ((uint64_t)lane << thread);
    const uint32_t granules = visit->granules, shift = (uint32_t)__builtin_ctz((uint32_t)step), all = (1u << granules) - 1;
    const uint64_t top = place + granules - 1;
    cells->places = 0;
    if (step > 0 && !(active & (active + 1)) && place + __builtin_popcount(active) * step >= MARKS_ROW)
        cells->places = (step == granules ? 0xff : granules == 2 ? 0x33 : 0x55) << place & 0xff; /* all that fit */
    else
        EACH_ACTIVE_LANE(l, active) cells->places |= all << (int64_t)(place + l * step);
    if (step < 0)
        EACH_WORD(i, MARKS_ROW) cells->own[i] = lanes + ((top - i) >> shift << thread);
    else
        EACH_WORD(i, MARKS_ROW) cells->own[i] = lanes + ((i - place) >> shift << thread);
}

/* Where a row has the word of this shape's granules, or is to have it, as its granules are marked alone or not at all. *mark: as the first of them has
 * it; 0: none of them has one. NULL: a closer look is needed. */
VECTOR uint64_t *shape_word(const RaceVisit *visit, const Marks *marks, uint64_t number, uint32_t shape, uint64_t *mark) {
    const MarkLayout *at = &visit->race->at;
    const uint32_t places = row_shapes[shape].places;
    uint64_t row = row_at(at, marks, number), *word = &marks->rows[number];
    *mark = 0;
    if (!row) return word;
    if (row_is_apart(at, row)) { /* of whose words each is of one half of the row: another shape's granules are in both */
        if (!row_is_pair(row)) return NULL;
        word = pair_word_of(row_words(at, marks, row), &row_shapes[shape]);
        row = __atomic_load_n(word, __ATOMIC_RELAXED);
    }
    if (!(row_shapes[row_shape(row)].places & places)) return word;
    *mark = row & ~ROW_SHAPE_FLAGS;
    return row_shape(row) == shape ? word : NULL;
}

/* A row's granules of a shape, by the row's words alone. own: the mark that the first of them is left with. False: a closer look is needed. */
static inline bool shape_is_calm(const RaceVisit *visit, const Calm *calm, uint64_t number, uint32_t shape, uint64_t own) {
    const Marks *marks = marks_changed(visit);
    uint64_t read = 0, write = 0, *writes = &visit->writes.rows[number], *reads = &visit->reads.rows[number];
    if (has_reads(visit) && !(reads = shape_word(visit, &visit->reads, number, shape, &read))) return false;
    if (has_writes(visit) && !(writes = shape_word(visit, &visit->writes, number, shape, &write))) return false;
    if (write_harms(calm, own, write)) return false;
    if (visit->stores ? read_harms(calm, own, read) : read_is_odd(calm, own, read)) return false;
    const uint64_t before = visit->stores ? write : read, next = visit->stores ? own : read_next(calm, own, read);
    const uint64_t word = row_in_order(next, shape);
    if (next == before) return true;
    if (!before && row_at(&visit->race->at, marks, number)) return mark_add_order(&visit->race->at, marks, number, word);
    __atomic_store_n(visit->stores ? writes : reads, word, __ATOMIC_RELEASE);
    return true;
}

static bool visit_ladder(const RaceVisit *visit, const Touch *touch, uint32_t lanes, const Ladder *ladder) {
    const Calm calm = calm_of(visit);
    const uint32_t step = (uint32_t)(ladder->step < 0 ? -ladder->step : ladder->step), shift = (uint32_t)__builtin_ctz(step);
    RowCells cells = {.places = 0};
    uint64_t locked = UINT64_MAX;
    uint8_t *lock = NULL;
    bool fine = true;
    for (uint32_t lane = ladder->first, count; fine && lane < WARP_LANES; lane += count) {
        const uint64_t cell = ladder->cell + (lane - ladder->first) * (uint64_t)ladder->step, number = cell / MARKS_ROW;
        const uint32_t place = cell % MARKS_ROW;
        count = ladder->step < 0 ? (place >> shift) + 1 : (MARKS_ROW - place + step - 1) >> shift;
        const uint32_t active = lanes >> lane & ((1u << count) - 1), taken = active << lane;
        if (!active) continue;
        const uint32_t shape = lane + count > WARP_LANES ? NO_SHAPE : shape_of(visit, ladder->step, place, count, active);
        const uint64_t own = own_mark(visit, ladder->step < 0 ? lane + count - 1 : (uint32_t)__builtin_ctz(taken));
        if (cell / RACE_LOCKED != locked) {
            race_unlock(lock);
            locked = cell / RACE_LOCKED;
            lock = race_lock(visit, cell);
        }
        bool is_calm = shape != NO_SHAPE && shape_is_calm(visit, &calm, number, shape, own);
        if (active == 1 && visit->granules == 1) is_calm = cell_is_calm(visit, &calm, own_mark(visit, lane), cell);
        cells.number = number;
        if (!is_calm) fill_cells(visit, ladder->step, lane, place, active, &cells);
        fine = visit_row_of_lanes(visit, &calm, touch, taken, is_calm ? NULL : &cells);
    }
    race_unlock(lock);
    return fine;
}

/* --- lanes at any places --------------------------------------------------------------------------------------------------- */

static bool visit_lanes(const RaceVisit *visit, const Touch *touch, uint32_t lanes) {
    EACH_ACTIVE_LANE(l, lanes) {
        uint8_t *lock = race_lock(visit, cell_of(visit, touch, l));
        const bool fine = visit_exactly(visit, touch, 1u << l);
        race_unlock(lock);
        if (!fine) return false;
    }
    return true;
}

/* Two lanes a row and more, as a rule. */
static bool lie_in_rows(const RaceVisit *visit, const Touch *touch, uint32_t lanes) {
    uint64_t last = UINT64_MAX;
    uint32_t rows = 0, count = 0, across = 0;
    EACH_ACTIVE_LANE(l, lanes) {
        const uint64_t number = cell_of(visit, touch, l) / MARKS_ROW;
        rows += number != last;
        last = number;
        across |= (uint32_t)touch->offset[l] % visit->access->bytes;
        count++;
    }
    return visit->granules <= MARKS_ROW && !across && count >= (visit->race->stripes ? 2 : 4) * rows;
}

bool race_lanes(const RaceVisit *visit, const Touch *touch, uint32_t lanes) {
    Ladder ladder;
    if (race_may_be_calm(visit)) {
        if (find_ladder(visit, touch, lanes, &ladder)) return visit_ladder(visit, touch, lanes, &ladder);
        if (lie_in_rows(visit, touch, lanes)) return visit_rows(visit, touch, lanes);
    }
    return (lanes == visit->access->active && race_lanes_are_calm(visit, touch)) || visit_lanes(visit, touch, lanes);
}
