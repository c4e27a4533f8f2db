#include "observe/race_rows.h"

static uint64_t take_close(MarkPool *pool) {
    if (!pool->unused) return wordpool_take(pool->words, CLOSE_WORDS);
    const uint64_t number = pool->unused - 1;
    pool->unused = *wordpool_at(pool->words, number);
    return number;
}

static void leave_close(const MarkLayout *at, const Marks *marks, uint64_t row) {
    if (marks->pool->shared) return;
    *row_words(at, marks, row) = marks->pool->unused;
    marks->pool->unused = ((row - at->floor) >> at->thread_at) + 1;
}

/* What this launch has marked of the row is of the mark's block and time. */
static bool is_close(const MarkLayout *at, uint64_t row, uint64_t mark) {
    return !row || (!row_is_apart(at, row) && !((row ^ mark) & ~at->own));
}

void mark_make_room(const MarkLayout *at, const Marks *marks, uint64_t cell, uint64_t mark) {
    const uint64_t row = row_at(at, marks, cell / MARKS_ROW), place = cell % MARKS_ROW;
    const bool close = is_close(at, row, mark);
    const uint64_t number = close ? take_close(marks->pool) : wordpool_take(marks->pool->words, SPLIT_WORDS);
    uint64_t *words = wordpool_at(marks->pool->words, number);
    if (close) *words = mark & ~at->own;
    for (uint32_t i = 0; i < MARKS_ROW; i++) {
        const uint64_t known = i == place ? mark : row_mark(at, marks, row, i);
        if (close)
            close_marks(words)[i] = known ? (uint32_t)(known & at->own) | CLOSE_MARKED : 0;
        else
            words[i] = known;
    }
    __atomic_store_n(&marks->rows[cell / MARKS_ROW], row_apart(at, number, close), __ATOMIC_RELEASE);
    if (row && row_is_apart(at, row)) leave_close(at, marks, row);
}
