#include "runtime/vectorclock.h"

#include <stdlib.h>

#include "base/alloc.h"

void vectorclock_free(VectorClock *clock) {
    free(clock->items);
    *clock = (VectorClock){0};
}

VectorClock vectorclock_copy(const VectorClock *clock) {
    VectorClock copy = {0};
    vectorclock_join(&copy, clock);
    return copy;
}

uint64_t vectorclock_at(const VectorClock *clock, size_t stream) { return stream < clock->count ? clock->items[stream] : 0; }

void vectorclock_raise(VectorClock *clock, size_t stream, uint64_t nth) {
    while (clock->count <= stream) ALLOC_ADD(clock->items, clock->count) = 0;
    if (clock->items[stream] < nth) clock->items[stream] = nth;
}

void vectorclock_join(VectorClock *clock, const VectorClock *other) {
    for (size_t s = 0; s < other->count; s++) vectorclock_raise(clock, s, other->items[s]);
}

bool vectorclock_covers(const VectorClock *clock, const VectorClock *other) {
    for (size_t s = 0; s < other->count; s++)
        if (other->items[s] > vectorclock_at(clock, s)) return false;
    return true;
}
