/* written.h: which bytes of an allocation have been written since it was made: by pages, where all of one has been at once, else byte by byte, four
 * in a byte. It is made when something is written to part of the allocation, mapped lazily, and freed with it; for the checks alone. Threads of a
 * launch may ask and add at once; nothing is taken back but by memory_renew and between launches. */
#pragma once

#include "machine/memory.h"

enum { WRITTEN_WORD = 4, WRITTEN_WORD_ALL = 15, WRITTEN_PAGE = 4096 };

/* Its words, one byte each: bit b of word w is of byte 4 w + b. Behind them its pages, one byte each: 1 where all was written, whatever words say. */
static inline uint64_t written_words(const Allocation *allocation) { return allocation->bytes / WRITTEN_WORD + 1; }
static inline uint64_t written_size(const Allocation *allocation) {
    return written_words(allocation) + allocation->bytes / WRITTEN_PAGE + 1;
}

/* Bytes were written, by threads of a launch or between launches. */
void written_add(Allocation *allocation, uint64_t offset, uint64_t bytes);

/* They count as never written. */
void written_remove(Allocation *allocation, uint64_t offset, uint64_t bytes);

/* Whether all of them were. */
bool written_all(const Allocation *allocation, uint64_t offset, uint64_t bytes);

/* The same of so many bytes, 1, 2 or a multiple of 4, at a multiple of their number, where the allocation has words. */
static inline bool written_few(const Allocation *allocation, uint64_t offset, uint32_t bytes) {
    const uint8_t *words = allocation->bytes_written, *word = words + offset / WRITTEN_WORD;
    if (__atomic_load_n(words + written_words(allocation) + offset / WRITTEN_PAGE, __ATOMIC_ACQUIRE)) return true;
    if (bytes < WRITTEN_WORD) {
        const uint32_t wanted = ((1u << bytes) - 1) << offset % WRITTEN_WORD;
        return (__atomic_load_n(word, __ATOMIC_RELAXED) & wanted) == wanted;
    }
    uint32_t all = WRITTEN_WORD_ALL;
    for (uint32_t w = 0; w < bytes / WRITTEN_WORD; w++) all &= __atomic_load_n(word + w, __ATOMIC_RELAXED);
    return all == WRITTEN_WORD_ALL;
}
