/* wordpool.h: words that are taken one after the other and all given back at once, by number: memory that is used is next to each other, and stays
 * mapped for the next time. Any number of threads may take some; they are not zeroed. */
#pragma once

#include <stdint.h>

enum { WORDPOOL_FIRST = 1 << 13, WORDPOOL_CHUNKS = 40 };

typedef struct WordPool {
    uint64_t used;
    uint64_t *chunks[WORDPOOL_CHUNKS]; /* each of twice its predecessor's words; NULL: not needed so far */
} WordPool;

/* The number of the first of so many words, few enough for a chunk, which lie one behind the other. */
uint64_t wordpool_take(WordPool *pool, uint32_t words);

void wordpool_free(WordPool *pool);

static inline uint64_t *wordpool_at(const WordPool *pool, uint64_t number) {
    const uint64_t first = number / WORDPOOL_FIRST + 1;
    const int chunk = 63 - __builtin_clzll(first);
    return __atomic_load_n(&pool->chunks[chunk], __ATOMIC_ACQUIRE) + (number - (WORDPOOL_FIRST << chunk) + WORDPOOL_FIRST);
}
