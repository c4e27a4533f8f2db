#include "observe/l1.h"

#include <string.h>

enum { RECENT_LINES = 128 };

/* A store allocates its lines, whether or not their sectors become valid. Neighbouring warps often write to the same lines, which are
 * then still recently used. */
static void allocate_lines(L1 *l1, const Footprint *footprint) {
    uint32_t n = footprint->n_lines;
    if (n == l1->n_allocated && l1->recent < RECENT_LINES &&
        memcmp(l1->allocated, footprint->line, n * sizeof *l1->allocated) == 0)
        return;
    for (uint32_t i = 0; i < n; i++) cache_fill(l1->cache, footprint->line[i], 0);
    memcpy(l1->allocated, footprint->line, n * sizeof *l1->allocated);
    l1->n_allocated = n;
    l1->recent = 0;
}

void l1_store(L1 *l1, const Access *access, const Footprint *footprint, bool joins, bool line_requests) {
    l1->filled = true;
    const bool local = access->space == SPACE_LOCAL, fills = footprint->n_words * 4 == footprint->unique_bytes;
    const bool alone = l1->stored && !local && !joins;
    if (fills && (local || !line_requests)) {
        for (uint32_t i = 0; i < footprint->n_lines; i++)
            cache_write_through(l1->cache, footprint->line[i], footprint->words[i], alone);
        l1->stored = true;
        l1->recent += footprint->n_lines;
        return;
    }
    for (uint32_t i = 0; alone && i < footprint->n_lines; i++)
        cache_forget_words(l1->cache, footprint->line[i], footprint->mask[i]);
    if (!line_requests) allocate_lines(l1, footprint);
}
