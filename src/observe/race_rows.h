/* race_rows.h: how marks of an allocation are kept, so that what a warp accesses in order costs little. MARKS_ROW neighbouring granules are a row, which is,
 * for writes and reads apart:
 *   - unmarked in this launch: its word is below the launch's floor;
 *   - in order: its word is the mark of its first granule; the others' are those of the following lanes, each of which has 1, 2, 4 or 8 granules;
 *   - close: words of the launch's pool have what all its marks share, block and time, and each one's rest in 32 bits;
 *   - split: there each granule has a mark in 64 bits.
 * A row becomes what is behind in this list where it must, and never again what is before. A row's lock is held where it is changed. */
#pragma once

#include "machine/memory.h"
#include "observe/race_mark.h"

/* Of one kind. */
typedef struct Marks {
    uint64_t *rows;
    struct MarkPool *pool;
} Marks;

/* Of a launch. */
typedef struct MarkPool {
    WordPool *words;
    uint64_t unused; /* of words that a close row had: the number of the first, plus 1, which has the next one's; 0: none */
    bool shared;     /* by host threads, which may still look at words that are not used any more */
} MarkPool;

enum { CLOSE_WORDS = 1 + MARKS_ROW / 2, SPLIT_WORDS = MARKS_ROW };
#define CLOSE_MARKED (UINT32_C(1) << 31) /* of the 32 bits: there is a mark */

/* --- words of rows that this launch has marked: --- */

/* Not in order: no instruction has this number, which leaves room for that of words of the pool, and a flag for which of both it is. */
#define ROW_CLOSE 1u
static inline bool row_is_apart(const MarkLayout *at, uint64_t row) { return (row & at->no_pc) == at->no_pc; }
static inline uint64_t row_apart(const MarkLayout *at, uint64_t number, bool close) {
    return at->floor | number << at->thread_at | at->no_pc | (close ? ROW_CLOSE : 0);
}
static inline uint64_t *row_words(const MarkLayout *at, const Marks *marks, uint64_t row) {
    return wordpool_at(marks->pool->words, (row - at->floor) >> at->thread_at);
}

/* In order: plain accesses leave two flags free, which say how many granules (log2) each lane has. */
#define ROW_SHIFT_FLAGS UINT64_C(17)
static inline uint64_t row_in_order(uint64_t first, uint32_t shift) { return first | (shift & 1) | (shift & 2) << 3; }
static inline uint32_t row_shift(uint64_t row) { return (uint32_t)((row & 1) | (row >> 3 & 2)); }

/* Its granule's mark at this place. */
static inline uint64_t row_mark_in_order(const MarkLayout *at, uint64_t row, uint32_t place) {
    return (row & ~ROW_SHIFT_FLAGS) + ((uint64_t)(place >> row_shift(row)) << at->thread_at);
}

static inline uint32_t *close_marks(uint64_t *words) { return (uint32_t *)(void *)(words + 1); }

static inline uint64_t row_mark_apart(const MarkLayout *at, const Marks *marks, uint64_t row, uint32_t place) {
    uint64_t *words = row_words(at, marks, row);
    if (!(row & ROW_CLOSE)) return __atomic_load_n(&words[place], __ATOMIC_RELAXED);
    const uint32_t close = __atomic_load_n(&close_marks(words)[place], __ATOMIC_RELAXED);
    return close & CLOSE_MARKED ? __atomic_load_n(words, __ATOMIC_RELAXED) | (close & at->own) : 0;
}

/* --- marks --- */

static inline uint64_t row_at(const MarkLayout *at, const Marks *marks, uint64_t number) {
    return mark_live(at->floor, __atomic_load_n(&marks->rows[number], __ATOMIC_ACQUIRE));
}

static inline uint64_t row_mark(const MarkLayout *at, const Marks *marks, uint64_t row, uint32_t place) {
    if (!row) return 0;
    return row_is_apart(at, row) ? row_mark_apart(at, marks, row, place) : row_mark_in_order(at, row, place);
}

/* 0: none of this launch. */
static inline uint64_t mark_at(const MarkLayout *at, const Marks *marks, uint64_t cell) {
    return row_mark(at, marks, row_at(at, marks, cell / MARKS_ROW), cell % MARKS_ROW);
}

/* Where the row cannot take the mark as it is. */
void mark_make_room(const MarkLayout *at, const Marks *marks, uint64_t cell, uint64_t mark);

static inline void mark_set(const MarkLayout *at, const Marks *marks, uint64_t cell, uint64_t mark) {
    const uint64_t row = row_at(at, marks, cell / MARKS_ROW);
    uint64_t *words = row && row_is_apart(at, row) ? row_words(at, marks, row) : NULL;
    if (words && !(row & ROW_CLOSE))
        __atomic_store_n(&words[cell % MARKS_ROW], mark, __ATOMIC_RELAXED);
    else if (words && *words == (mark & ~at->own))
        __atomic_store_n(&close_marks(words)[cell % MARKS_ROW], (uint32_t)(mark & at->own) | CLOSE_MARKED, __ATOMIC_RELAXED);
    else
        mark_make_room(at, marks, cell, mark);
}
