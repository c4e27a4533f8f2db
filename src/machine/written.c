#include "machine/written.h"

#include "machine/hostpages.h"

typedef uint64_t Words; /* of which eight are asked for and set at once */
#define WORDS_ALL (UINT64_C(0x0101010101010101) * WRITTEN_WORD_ALL)

/* Bytes of one word, from..to. */
static uint8_t bits_between(uint64_t from, uint64_t to) { return (uint8_t)(((1u << (to - from)) - 1) << from % WRITTEN_WORD); }

static uint8_t *written_page(const Allocation *allocation, uint64_t offset) {
    return allocation->bytes_written + written_words(allocation) + offset / WRITTEN_PAGE;
}

static bool page_is_written(const Allocation *allocation, uint64_t offset) {
    return allocation->bytes_written && __atomic_load_n(written_page(allocation, offset), __ATOMIC_ACQUIRE);
}

/* The end of what begins here and lies in one page. */
static uint64_t page_end(uint64_t offset, uint64_t end) {
    const uint64_t next = (offset / WRITTEN_PAGE + 1) * WRITTEN_PAGE;
    return next < end ? next : end;
}

static bool is_page(const Allocation *allocation, uint64_t offset, uint64_t end) {
    return offset % WRITTEN_PAGE == 0 && (end - offset == WRITTEN_PAGE || end == allocation->bytes);
}

/* Whole words: n of them. */
static bool words_all(const uint8_t *word, uint64_t n) {
    uint32_t all = WRITTEN_WORD_ALL;
    Words eight = WORDS_ALL;
    for (; n && (uintptr_t)word % sizeof(Words); n--, word++) all &= __atomic_load_n(word, __ATOMIC_RELAXED);
    for (; n >= sizeof(Words); n -= sizeof(Words), word += sizeof(Words))
        eight &= __atomic_load_n((const Words *)(const void *)word, __ATOMIC_RELAXED);
    for (; n; n--, word++) all &= __atomic_load_n(word, __ATOMIC_RELAXED);
    return all == WRITTEN_WORD_ALL && eight == WORDS_ALL;
}

static void words_set(uint8_t *word, uint64_t n, bool written) {
    const uint8_t one = written ? WRITTEN_WORD_ALL : 0;
    for (; n && (uintptr_t)word % sizeof(Words); n--, word++) __atomic_store_n(word, one, __ATOMIC_RELAXED);
    for (; n >= sizeof(Words); n -= sizeof(Words), word += sizeof(Words))
        __atomic_store_n((Words *)(void *)word, written ? WORDS_ALL : 0, __ATOMIC_RELAXED);
    for (; n; n--, word++) __atomic_store_n(word, one, __ATOMIC_RELAXED);
}

/* The words that an access begins and ends in, of which others may have the other bytes; those between are whole. */
static uint64_t word_first(uint64_t offset) { return (offset + WRITTEN_WORD - 1) / WRITTEN_WORD; }
static uint64_t word_last(uint64_t end) { return end / WRITTEN_WORD; }

static bool word_has(const uint8_t *word, uint8_t bits) { return !(bits & ~__atomic_load_n(word, __ATOMIC_RELAXED)); }

static bool bytes_all(const Allocation *allocation, uint64_t offset, uint64_t end) {
    const uint64_t first = word_first(offset), last = word_last(end);
    const uint8_t *words = allocation->bytes_written;
    if (first > last) return word_has(words + last, bits_between(offset, end));
    return (offset % WRITTEN_WORD == 0 || word_has(words + first - 1, bits_between(offset, first * WRITTEN_WORD))) &&
           (end % WRITTEN_WORD == 0 || word_has(words + last, bits_between(last * WRITTEN_WORD, end))) &&
           words_all(words + first, last - first);
}

static void word_set(uint8_t *word, uint8_t bits, bool written) {
    if (bits && written) __atomic_fetch_or(word, bits, __ATOMIC_RELAXED);
    if (bits && !written) __atomic_fetch_and(word, (uint8_t)~bits, __ATOMIC_RELAXED);
}

static void bytes_set(const Allocation *allocation, uint64_t offset, uint64_t end, bool written) {
    const uint64_t first = word_first(offset), last = word_last(end);
    uint8_t *words = allocation->bytes_written;
    if (first > last) {
        word_set(words + last, bits_between(offset, end), written);
        return;
    }
    if (offset % WRITTEN_WORD) word_set(words + first - 1, bits_between(offset, first * WRITTEN_WORD), written);
    if (end % WRITTEN_WORD) word_set(words + last, bits_between(last * WRITTEN_WORD, end), written);
    words_set(words + first, last - first, written);
}

bool written_all(const Allocation *allocation, uint64_t offset, uint64_t bytes) {
    if (allocation->initialized || !bytes) return true;
    if (!allocation->bytes_written) return false;
    const uint64_t end = offset + bytes;
    for (uint64_t at = offset, next; at < end; at = next) {
        next = page_end(at, end);
        if (!page_is_written(allocation, at) && !bytes_all(allocation, at, next)) return false;
    }
    return true;
}

void written_add(Allocation *allocation, uint64_t offset, uint64_t bytes) {
    hostpages_keep((void **)&allocation->bytes_written, written_size(allocation));
    const uint64_t end = offset + bytes;
    for (uint64_t at = offset, next; at < end; at = next) {
        next = page_end(at, end);
        if (is_page(allocation, at, next))
            __atomic_store_n(written_page(allocation, at), 1, __ATOMIC_RELEASE);
        else if (!page_is_written(allocation, at))
            bytes_set(allocation, at, next, true);
    }
}

void written_remove(Allocation *allocation, uint64_t offset, uint64_t bytes) {
    const uint64_t end = offset + bytes;
    for (uint64_t at = offset, next; allocation->bytes_written && at < end; at = next) {
        const uint64_t page = at / WRITTEN_PAGE * WRITTEN_PAGE;
        next = page_end(at, end);
        if (page_is_written(allocation, at)) bytes_set(allocation, page, page_end(page, allocation->bytes), true);
        bytes_set(allocation, at, next, false);
        __atomic_store_n(written_page(allocation, at), 0, __ATOMIC_RELEASE);
    }
}
