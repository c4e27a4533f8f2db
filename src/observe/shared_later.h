/* shared_later.h: plain reads of shared memory that have left no marks so far. With no write since the last barrier of the block there is none that
 * they could race with; their marks matter to a write before the next barrier alone, which seldom comes, as tiles are read many times and then
 * waited for. */
#pragma once

#include "machine/access.h"

typedef struct LaterRead {
    uint32_t pc, warp, now, unsynced; /* the warp's times, as they were */
    uint32_t active;
    uint8_t bytes;
    uint32_t addr[WARP_LANES];
} LaterRead;

enum { LATER_READS_MOST = 256 };

/* Of a host thread: those of one block slot since one barrier. */
typedef struct LaterReads {
    struct SharedCheck *owner; /* NULL: of none */
    uint32_t epoch, count;
    LaterRead reads[LATER_READS_MOST];
} LaterReads;

/* There is room for one more. */
static inline void later_reads_add(LaterReads *later, const Access *access, uint32_t warp, uint32_t now, uint32_t unsynced) {
    LaterRead *read = &later->reads[later->count++];
    read->pc = access->pc;
    read->warp = warp;
    read->now = now;
    read->unsynced = unsynced;
    read->active = access->active;
    read->bytes = access->bytes;
    for (uint32_t l = 0; l < WARP_LANES; l++) read->addr[l] = (uint32_t)access->addr[l];
}
