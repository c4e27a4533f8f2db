#include "observe/serialised.h"

#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "machine/lanes.h"

enum { TABLE_LOG2 = 14, WORDS_LOG2 = 12, SLICE_LINES_LOG2 = 3, WORD_BYTES_LOG2 = 2 };

struct Serialised {
    uint64_t slice[1 << TABLE_LOG2], sums[1 << TABLE_LOG2]; /* by hash */
    uint32_t words[1 << WORDS_LOG2];                        /* of the batch, by hash of block and word */
    uint32_t most;                                          /* of them */
    uint64_t word, batches;
};

static Serialised *made(Serialised **serialised) {
    if (!*serialised) *serialised = alloc_zeroed(1, sizeof **serialised);
    return *serialised;
}

void serialised_free(Serialised *serialised) { free(serialised); }

static uint32_t hash(uint32_t key, unsigned bits) { return key * UINT32_C(0x9e3779b1) >> (32 - bits); }

/* Equal numbers: one slice. */
static uint32_t slice_of(uint32_t line) { return line >> SLICE_LINES_LOG2 << 1 | (line >> 1 & 1); }

void serialised_global(Serialised **seen, const Footprint *footprint, bool sums) {
    Serialised *serialised = made(seen);
    uint32_t distinct = 0;
    for (uint32_t i = 0; i < footprint->n_lines; i++)
        distinct += (uint32_t)__builtin_popcount(footprint->mask[i] & SECTORS_ALL);
    for (uint32_t i = 0; i < footprint->n_lines; i++) {
        const uint32_t line = footprint->line[i], n = footprint->n_lines;
        serialised->slice[hash(slice_of(line), TABLE_LOG2)] += footprint->sectors / n + (i < footprint->sectors % n);
        if (sums) serialised->sums[hash(line, TABLE_LOG2)] += (footprint->sectors + distinct - 1) / distinct;
    }
}

void serialised_shared(Serialised **seen, uint32_t block, const Access *access) {
    Serialised *serialised = made(seen);
    EACH_ACTIVE_LANE(lane, access->active) {
        const uint32_t word = (uint32_t)(access->addr[lane] >> WORD_BYTES_LOG2);
        uint32_t *updates = &serialised->words[hash(block << (32 - WORDS_LOG2) ^ word, WORDS_LOG2)];
        if (++*updates > serialised->most) serialised->most = *updates;
    }
}

void serialised_end_batch(Serialised *serialised) {
    if (!serialised || !serialised->most) return;
    serialised->word += serialised->most;
    serialised->batches++;
    serialised->most = 0;
    memset(serialised->words, 0, sizeof serialised->words);
}

SerialisedCounts serialised_count(const Serialised *const *serialised, uint32_t count) {
    SerialisedCounts all = {0};
    bool any = false;
    for (uint32_t i = 0; i < count; i++) any |= serialised[i] != NULL;
    if (!any) return all;
    for (uint32_t entry = 0; entry < 1 << TABLE_LOG2; entry++) {
        uint64_t slice = 0, sums = 0;
        for (uint32_t i = 0; i < count; i++)
            if (serialised[i]) slice += serialised[i]->slice[entry], sums += serialised[i]->sums[entry];
        if (slice > all.slice) all.slice = slice;
        if (sums > all.sums) all.sums = sums;
    }
    for (uint32_t i = 0; i < count; i++)
        if (serialised[i]) all.word += serialised[i]->word, all.batches += serialised[i]->batches;
    return all;
}
