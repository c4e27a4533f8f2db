#include "machine/wordpool.h"

#include <stdlib.h>

#include "machine/hostpages.h"

static int chunk_of(uint64_t number) { return 63 - __builtin_clzll(number / WORDPOOL_FIRST + 1); }

static uint64_t chunk_bytes(int chunk) { return ((uint64_t)WORDPOOL_FIRST << chunk) * sizeof(uint64_t); }

uint64_t wordpool_take(WordPool *pool, uint32_t words) {
    uint64_t number;
    int chunk;
    do {
        number = __atomic_fetch_add(&pool->used, words, __ATOMIC_RELAXED);
        chunk = chunk_of(number);
    } while (chunk_of(number + words - 1) != chunk);
    if (chunk >= WORDPOOL_CHUNKS) abort();
    hostpages_keep_in_order((void **)&pool->chunks[chunk], chunk_bytes(chunk));
    return number;
}

void wordpool_free(WordPool *pool) {
    for (int chunk = 0; chunk < WORDPOOL_CHUNKS; chunk++) hostpages_free(pool->chunks[chunk], chunk_bytes(chunk));
}
