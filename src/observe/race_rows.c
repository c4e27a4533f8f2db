#include "observe/race_rows.h"

#include "machine/hostpages.h"
#include "machine/lanes.h"

enum { ROWS_IN_PAGE = MARKS_PAGE / MARKS_ROW };

MarkPool mark_pool(Memory *memory, bool shared) {
    return (MarkPool){.words = memory_mark_words(memory), .contexts = memory_mark_contexts(memory), .shared = shared};
}

const RowShape row_shapes[16] = {
    {0xff, {0, 1, 2, 3, 4, 5, 6, 7}}, /* ROW_WHOLE */
    {0xff, {0, 0, 1, 1, 2, 2, 3, 3}},
    {0xff, {0, 0, 0, 0, 1, 1, 1, 1}},
    {0xff, {0, 0, 0, 0, 0, 0, 0, 0}},
    {0x55, {[2] = 2, [4] = 4, [6] = 6}}, /* ROW_MASKED */
    {0xaa, {[3] = 2, [5] = 4, [7] = 6}},
    {0x55, {[2] = 1, [4] = 2, [6] = 3}}, /* ROW_APART */
    {0xaa, {[3] = 1, [5] = 2, [7] = 3}},
    {0x33, {[4] = 2, [5] = 2}}, /* ROW_WIDE */
    {0xcc, {[6] = 2, [7] = 2}},
    {0x33, {[4] = 1, [5] = 1}},
    {0xcc, {[6] = 1, [7] = 1}},
    {0xff, {0, -1, -2, -3, -4, -5, -6, -7}}, /* ROW_FALLING */
    {0xff, {0, 0, -1, -1, -2, -2, -3, -3}},
};

const uint16_t row_shapes_alike[4] = {
    1 << ROW_WHOLE | 1 << ROW_MASKED,
    1 << (ROW_WHOLE + 1) | 3 << ROW_APART | 1 << ROW_WIDE,
    1 << (ROW_WHOLE + 2) | 3 << (ROW_WIDE + 2),
    1 << (ROW_WHOLE + 3),
};

/* --- rows ---------------------------------------------------------------------------------------------------------- */

enum { CLOSE_AT_ONCE = SPLIT_WORDS }; /* so that what split rows have is a line of the host's caches */

static void may_be_used(MarkPool *pool, uint64_t number) {
    *wordpool_at(pool->words, number) = pool->unused;
    pool->unused = number + 1;
}

static uint64_t take_close(MarkPool *pool) {
    if (!pool->unused) {
        const uint64_t first = wordpool_take(pool->words, CLOSE_AT_ONCE * CLOSE_WORDS);
        for (uint32_t i = CLOSE_AT_ONCE; i-- > 0;) may_be_used(pool, first + i * CLOSE_WORDS);
    }
    const uint64_t number = pool->unused - 1;
    pool->unused = *wordpool_at(pool->words, number);
    return number;
}

static void leave_close(const MarkLayout *at, const Marks *marks, uint64_t row) {
    if (!marks->pool->shared) may_be_used(marks->pool, (row - at->floor) >> at->thread_at);
}

/* What this launch has marked of the row is of the mark's block and time. */
static bool is_close(const MarkLayout *at, uint64_t row, uint64_t mark) {
    return !row || (!row_is_apart(at, row) && !((row ^ mark) & ~at->own));
}

/* next: of these places the marks. */
static void row_make_room(const MarkLayout *at, const Marks *marks, uint64_t number, uint32_t places, const uint64_t *next) {
    const uint64_t row = row_at(at, marks, number), mark = next[__builtin_ctz(places)];
    bool close = is_close(at, row, mark);
    for (uint32_t i = 0; i < MARKS_ROW; i++) close &= !(places >> i & 1) || !((next[i] ^ mark) & ~at->own);
    const uint64_t taken = close ? take_close(marks->pool) : wordpool_take(marks->pool->words, SPLIT_WORDS);
    uint64_t *words = wordpool_at(marks->pool->words, taken);
    if (close) *words = mark & ~at->own;
    for (uint32_t i = 0; i < MARKS_ROW; i++) {
        const uint64_t known = places >> i & 1 ? next[i] : row_mark(at, marks, row, number * MARKS_ROW + i);
        if (close)
            close_marks(words)[i] = known ? (uint32_t)(known & at->own) | CLOSE_MARKED : 0;
        else
            words[i] = known;
    }
    __atomic_store_n(&marks->rows[number], row_apart(at, taken, close ? APART_SMALL : 0), __ATOMIC_RELEASE);
    if (row && row_is_apart(at, row)) leave_close(at, marks, row);
}

/* --- pages --------------------------------------------------------------------------------------------------------- */

static bool has_contexts(const MarkPool *pool) {
    return __atomic_load_n(&pool->contexts->used, __ATOMIC_RELAXED) < CONTEXTS_MOST - CONTEXTS_LEFT_OVER;
}

/* was: what the place has, of whose context the mark may be again. */
static uint32_t context_number(MarkPool *pool, uint64_t context, uint32_t was) {
    KnownContext *known = &pool->known[context * UINT64_C(0x9e3779b97f4a7c15) >> (64 - CONTEXTS_KNOWN_LOG2)];
    if (known->context == context) return known->number;
    if (was && *wordpool_at(pool->contexts, was / 64 - 1) == context) return was / 64 - 1;
    *known = (KnownContext){context, (uint32_t)wordpool_take(pool->contexts, 1)};
    *wordpool_at(pool->contexts, known->number) = context;
    return known->number;
}

static uint64_t packed_of(const MarkLayout *at, const Marks *marks, uint64_t mark, uint32_t was) {
    const uint64_t near = mark_near(at, mark), own = near | (mark & MARK_BLOCKS ? 32 : 0);
    const uint64_t context = mark & ~(mark_of_near(at, near) | MARK_BLOCKS);
    return (uint64_t)(context_number(marks->pool, context, was) + 1) * 64 + own;
}

static void pack(const MarkLayout *at, const Marks *marks, uint64_t *words, uint32_t place, uint64_t mark) {
    uint8_t *bytes = (uint8_t *)words + (size_t)place / 2 * PACKED_PAIR;
    const uint32_t shift = place % 2 * PACKED_BITS;
    uint64_t pair = packed_pair(bytes);
    const uint64_t was = pair >> shift & PACKED_ALL, packed = mark ? packed_of(at, marks, mark, (uint32_t)was) : 0;
    pair ^= (was ^ packed) << shift;
    const uint32_t low = (uint32_t)pair, high = (uint32_t)(pair >> 24);
    memcpy(bytes, &low, sizeof low);
    memcpy(bytes + PACKED_PAIR - sizeof high, &high, sizeof high);
}

void mark_set_packed(const MarkLayout *at, const Marks *marks, uint64_t page, uint64_t cell, uint64_t mark) {
    if (has_contexts(marks->pool))
        pack(at, marks, row_words(at, marks, page), cell % MARKS_PAGE, mark);
    else
        mark_make_room(at, marks, cell, mark);
}

/* Rows of which all are in pages, as this one is, are not looked at any more. */
static void leave_rows(const MarkLayout *at, const Marks *marks, uint64_t row) {
    const uint64_t first = row / LEAF_ROWS * LEAF_ROWS;
    for (uint64_t page = 0; page < LEAF_PAGES; page++)
        if (!page_at(at, marks, first + page * ROWS_IN_PAGE)) return;
    hostpages_leave(marks->rows + first, LEAF_BYTES);
}

static void page_make_room(const MarkLayout *at, const Marks *marks, uint64_t cell, uint64_t mark) {
    const uint64_t first = cell / MARKS_PAGE * MARKS_PAGE;
    const bool packs = has_contexts(marks->pool);
    const uint64_t number = wordpool_take(marks->pool->words, packs ? PACKED_WORDS : MARKS_PAGE);
    uint64_t *words = wordpool_at(marks->pool->words, number), *page = &marks->pages[cell / MARKS_PAGE];
    if (packs) memset(words, 0, PACKED_WORDS * sizeof *words);
    for (uint32_t i = 0; i < MARKS_PAGE; i++) {
        const uint64_t known = first + i == cell ? mark : mark_at(at, marks, first + i);
        if (packs)
            pack(at, marks, words, i, known);
        else
            words[i] = known;
    }
    __atomic_store_n(page, row_apart(at, number, APART_PAGE | (packs ? APART_SMALL : 0)), __ATOMIC_RELEASE);
    leave_rows(at, marks, cell / MARKS_ROW);
}

void mark_make_room(const MarkLayout *at, const Marks *marks, uint64_t cell, uint64_t mark) {
    const uint32_t place = cell % MARKS_ROW;
    uint64_t next[MARKS_ROW] = {0};
    next[place] = mark;
    if (marks->pages)
        page_make_room(at, marks, cell, mark);
    else
        row_make_room(at, marks, cell / MARKS_ROW, 1u << place, next);
}

void mark_set_row(const MarkLayout *at, const Marks *marks, uint64_t number, uint32_t places, const uint64_t *next) {
    const uint64_t row = row_at(at, marks, number);
    uint64_t *words = row && row_is_apart(at, row) && !(row & APART_PAGE) ? row_words(at, marks, row) : NULL, apart = 0;
    if (marks->pages) {
        EACH_ACTIVE_LANE(i, places) mark_set(at, marks, number * MARKS_ROW + i, next[i]);
        return;
    }
    if (words && row_is_split(row)) {
        EACH_ACTIVE_LANE(i, places) __atomic_store_n(&words[i], next[i], __ATOMIC_RELAXED);
        return;
    }
    EACH_ACTIVE_LANE(i, words ? places : 0) apart |= (next[i] ^ *words) & ~at->own;
    if (!words || row_is_pair(row) || apart) {
        row_make_room(at, marks, number, places, next);
        return;
    }
    EACH_ACTIVE_LANE(i, places)
    __atomic_store_n(&close_marks(words)[i], (uint32_t)(next[i] & at->own) | CLOSE_MARKED, __ATOMIC_RELAXED);
}

bool mark_add_order(const MarkLayout *at, const Marks *marks, uint64_t number, uint64_t word) {
    const uint64_t row = row_at(at, marks, number);
    if (marks->pages || row_is_apart(at, row)) return false;
    const uint64_t taken = take_close(marks->pool);
    uint64_t *words = wordpool_at(marks->pool->words, taken);
    *pair_word_of(words, &row_shapes[row_shape(row)]) = row;
    *pair_word_of(words, &row_shapes[row_shape(word)]) = word;
    __atomic_store_n(&marks->rows[number], row_apart(at, taken, APART_SMALL | APART_PAIR), __ATOMIC_RELEASE);
    return true;
}
