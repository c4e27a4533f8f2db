/* race_rows.h: how marks of an allocation are kept, so that what a warp accesses in order costs little, and what it scatters not much. MARKS_ROW
 * neighbouring granules are a row, which is, for writes and reads apart:
 *   - unmarked in this launch: its word is below the launch's floor;
 *   - in order: its word is the mark of its first granule that has one; where the others are, and which lanes' their marks are, is its shape's;
 *   - a pair: two words of the launch's pool, each of every other granule, or of every other two, as rows in order have theirs;
 *   - close: words of the launch's pool have what all its marks share, block and time, and each one's rest in 32 bits;
 *   - split: there each granule has a mark in 64 bits.
 * Granules of less than a word are too many for that: MARKS_PAGE of them are a page, which has a word of its own, and is unmarked in this launch,
 * as its rows have it, or, as soon as one row would be a pair, close or split,
 *   - packed: each granule has 28 bits: the number of a context, which is all of a mark but its lane (mark_near) and whether there were other
 *     blocks, and these. So a byte's two marks take 7 bytes, and contexts another 8 for each access of a warp that left some: half a byte
 *     where all lanes do, but up to 16 where a large block has only one lane access any;
 *   - split, where the launch has left more contexts than have numbers.
 * A row or page becomes what is behind in its list where it must, and never again what is before. Its lock is held where it is changed. */
#pragma once

#include <string.h>

#include "machine/memory.h"
#include "observe/race_mark.h"

/* Of one kind. */
typedef struct Marks {
    uint64_t *rows, *pages; /* pages: NULL where granules are words or parts of the allocation are renewed */
    struct MarkPool *pool;
} Marks;

/* One that a host thread has left. */
typedef struct KnownContext {
    uint64_t context;
    uint32_t number;
} KnownContext;

enum { CONTEXTS_KNOWN_LOG2 = 10 };

/* Of a host thread in a launch. */
typedef struct MarkPool {
    WordPool *words, *contexts;
    uint64_t
        unused; /* words for close rows and pairs that are free: the number of the first, plus 1, which has the next one's; 0: none */
    bool shared;             /* by host threads, which may still look at words that are not used any more */
    uint64_t context;        /* the one that was looked up last */
    uint32_t context_number; /* its number, plus 1; 0: none was */
    KnownContext known[1 << CONTEXTS_KNOWN_LOG2]; /* by hash */
} MarkPool;

MarkPool mark_pool(Memory *memory, bool shared);
static inline Marks marks_of(const Allocation *allocation, bool reads, MarkPool *pool) {
    const bool paged = allocation->marks_granule < sizeof(uint32_t) && !allocation->in_chunks;
    return (Marks){allocation_rows_of(allocation, reads), paged ? allocation_pages_of(allocation, reads) : NULL, pool};
}

enum { CLOSE_WORDS = 1 + MARKS_ROW / 2, SPLIT_WORDS = MARKS_ROW };
#define CLOSE_MARKED (UINT32_C(1) << 31) /* of the 32 bits: there is a mark */

/* Two granules are PACKED_PAIR bytes. Of 28 bits, from the bottom: mark_near, MARK_BLOCKS, and the context's number, plus 1; 0: no mark. */
enum { PACKED_BITS = 28, PACKED_PAIR = 7, PACKED_WORDS = MARKS_PAGE / 2 * PACKED_PAIR / 8, CONTEXTS_MOST = 1 << 22 };
enum { CONTEXTS_LEFT_OVER = 1024 * MARKS_PAGE }; /* for a page of each host thread that is about to have one */
#define PACKED_ALL ((1u << PACKED_BITS) - 1)
_Static_assert(2 * PACKED_BITS == 8 * PACKED_PAIR && PACKED_WORDS * 16 == MARKS_PAGE * PACKED_PAIR, "pages are whole words");

/* --- words of rows and pages that this launch has marked: --- */

/* Not in order: no instruction has this number, which leaves room for that of words of the pool, and flags for which of them it is. */
#define APART_SMALL 1u /* a pair, close or packed, else split */
#define APART_PAGE 2u
#define APART_PAIR 4u
static inline bool row_is_split(uint64_t row) { return !(row & APART_SMALL); }
static inline bool row_is_pair(uint64_t row) { return row & APART_PAIR; }
static inline bool row_is_apart(const MarkLayout *at, uint64_t row) { return (row & at->no_pc) == at->no_pc; }
static inline uint64_t row_apart(const MarkLayout *at, uint64_t number, uint32_t flags) {
    return at->floor | number << at->thread_at | at->no_pc | flags;
}
static inline uint64_t *row_words(const MarkLayout *at, const Marks *marks, uint64_t row) {
    return wordpool_at(marks->pool->words, (row - at->floor) >> at->thread_at);
}

/* In order: plain accesses leave four flags free, which say in which: ROW_SHAPE_* of the launch's common ones. */
#define ROW_SHAPE_FLAGS UINT64_C(0x71)
enum {
    ROW_WHOLE,       /* + log2 of 1, 2, 4 or 8 granules of each lane: all granules, by successive lanes */
    ROW_CHECKED = 4, /* from here on not all granules, or not by lanes that ascend */
    ROW_MASKED = 4,  /* + 0 or 1: each other granule, from this one on, by each other lane */
    ROW_APART = 6,   /* likewise, by successive lanes */
    ROW_WIDE = 8,    /* ROW_MASKED and ROW_APART of pairs of granules, two each */
    ROW_FALLING = 12 /* + log2 of 1 or 2 granules of each lane: all granules, by lanes that descend */
};

typedef struct RowShape {
    uint64_t places;          /* bit i: granule i is marked */
    int64_t lanes[MARKS_ROW]; /* of those: how many above the first of them */
} RowShape;

extern const RowShape row_shapes[16];

/* Of ROW_WHOLE + n: the shapes, as bits, that have each of their granules by the same lane, where the first of them is by the first. */
extern const uint16_t row_shapes_alike[4];

static inline uint64_t row_in_order(uint64_t first, uint32_t shape) { return first | (shape & 1) | (shape & 14) << 3; }
static inline uint64_t row_shape(uint64_t row) { return (row & 1) | (row >> 3 & 14); }

/* Its granule's mark at this place; 0: it has none. */
static inline uint64_t row_mark_in_order(const MarkLayout *at, uint64_t row, uint32_t place) {
    const RowShape *shape = &row_shapes[row_shape(row)];
    const uint64_t mark = (row & ~ROW_SHAPE_FLAGS) + ((uint64_t)shape->lanes[place] << at->thread_at);
    return shape->places >> place & 1 ? mark : 0;
}

/* Of a pair, the word of granules among which is the row's first comes first. */
static inline uint64_t *pair_word_of(uint64_t *words, const RowShape *shape) { return words + !(shape->places & 1); }

/* The one of this place's granule. */
static inline uint64_t *pair_word(uint64_t *words, uint32_t place) {
    const uint64_t first = __atomic_load_n(words, __ATOMIC_RELAXED);
    return words + !(row_shapes[row_shape(first)].places >> place & 1);
}

static inline uint64_t pair_mark(const MarkLayout *at, uint64_t *words, uint32_t place) {
    return row_mark_in_order(at, __atomic_load_n(pair_word(words, place), __ATOMIC_RELAXED), place);
}

static inline uint32_t *close_marks(uint64_t *words) { return (uint32_t *)(void *)(words + 1); }

static inline uint64_t close_mark(const MarkLayout *at, uint64_t *words, uint32_t place) {
    const uint32_t close = __atomic_load_n(&close_marks(words)[place], __ATOMIC_RELAXED);
    return close & CLOSE_MARKED ? __atomic_load_n(words, __ATOMIC_RELAXED) | (close & at->own) : 0;
}

/* In two words that overlap: a copy of 7 bytes, byte by byte, is waited for. */
static inline uint64_t packed_pair(const uint8_t *bytes) {
    uint32_t low, high;
    memcpy(&low, bytes, sizeof low);
    memcpy(&high, bytes + PACKED_PAIR - sizeof high, sizeof high);
    return low | (uint64_t)high << 24;
}

static inline uint64_t packed_mark(const MarkLayout *at, const Marks *marks, const uint64_t *words, uint32_t place) {
    const uint64_t pair = packed_pair((const uint8_t *)words + (size_t)place / 2 * PACKED_PAIR);
    const uint32_t packed = (uint32_t)(pair >> place % 2 * PACKED_BITS) & PACKED_ALL;
    MarkPool *pool = marks->pool;
    if (!packed) return 0;
    if (packed / 64 != pool->context_number) {
        pool->context_number = packed / 64;
        pool->context = *wordpool_at(pool->contexts, packed / 64 - 1);
    }
    return pool->context | mark_of_near(at, packed % 32) | (packed & 32 ? MARK_BLOCKS : 0);
}

/* words: as row_words has them. */
static inline uint64_t row_mark_in(const MarkLayout *at, const Marks *marks, uint64_t row, uint64_t *words, uint64_t cell) {
    const bool is_small = row & APART_SMALL;
    if (row & APART_PAGE) return is_small ? packed_mark(at, marks, words, cell % MARKS_PAGE) : words[cell % MARKS_PAGE];
    if (row_is_pair(row)) return pair_mark(at, words, cell % MARKS_ROW);
    return is_small ? close_mark(at, words, cell % MARKS_ROW) : __atomic_load_n(&words[cell % MARKS_ROW], __ATOMIC_RELAXED);
}

static inline uint64_t row_mark_apart(const MarkLayout *at, const Marks *marks, uint64_t row, uint64_t cell) {
    return row_mark_in(at, marks, row, row_words(at, marks, row), cell);
}

/* --- marks --- */

static inline uint64_t page_at(const MarkLayout *at, const Marks *marks, uint64_t row) {
    if (!marks->pages) return 0;
    return mark_live(at->floor, __atomic_load_n(&marks->pages[row / (MARKS_PAGE / MARKS_ROW)], __ATOMIC_ACQUIRE));
}

/* Its page's word, where that has one. */
static inline uint64_t row_at(const MarkLayout *at, const Marks *marks, uint64_t number) {
    const uint64_t page = page_at(at, marks, number);
    return page ? page : mark_live(at->floor, __atomic_load_n(&marks->rows[number], __ATOMIC_ACQUIRE));
}

/* row: the cell's, as row_at has it. */
static inline uint64_t row_mark(const MarkLayout *at, const Marks *marks, uint64_t row, uint64_t cell) {
    if (!row) return 0;
    return row_is_apart(at, row) ? row_mark_apart(at, marks, row, cell) : row_mark_in_order(at, row, cell % MARKS_ROW);
}

/* 0: none of this launch. */
static inline uint64_t mark_at(const MarkLayout *at, const Marks *marks, uint64_t cell) {
    return row_mark(at, marks, row_at(at, marks, cell / MARKS_ROW), cell);
}

/* Where the row cannot take the mark as it is. */
void mark_make_room(const MarkLayout *at, const Marks *marks, uint64_t cell, uint64_t mark);

/* Of a page. */
void mark_set_packed(const MarkLayout *at, const Marks *marks, uint64_t page, uint64_t cell, uint64_t mark);

static inline void mark_set(const MarkLayout *at, const Marks *marks, uint64_t cell, uint64_t mark) {
    const uint64_t row = row_at(at, marks, cell / MARKS_ROW);
    uint64_t *words = row && row_is_apart(at, row) ? row_words(at, marks, row) : NULL;
    if (words && row & APART_PAGE && row & APART_SMALL)
        mark_set_packed(at, marks, row, cell, mark);
    else if (words && row_is_split(row))
        __atomic_store_n(&words[cell % (row & APART_PAGE ? MARKS_PAGE : MARKS_ROW)], mark, __ATOMIC_RELAXED);
    else if (words && !row_is_pair(row) && *words == (mark & ~at->own))
        __atomic_store_n(&close_marks(words)[cell % MARKS_ROW], (uint32_t)(mark & at->own) | CLOSE_MARKED, __ATOMIC_RELAXED);
    else
        mark_make_room(at, marks, cell, mark);
}

/* Of these places of a row the marks, next[place], all at once. Its lock is held, or there is one host thread. */
void mark_set_row(const MarkLayout *at, const Marks *marks, uint64_t number, uint32_t places, const uint64_t *next);

/* Likewise, of a row in order, adds this word, of the granules that have no mark. False, and nothing has changed: it cannot take it. */
bool mark_add_order(const MarkLayout *at, const Marks *marks, uint64_t number, uint64_t word);
