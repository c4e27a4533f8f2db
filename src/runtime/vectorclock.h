/* vectorclock.h: how much of each stream's work something comes after: what orders streams, events and the host. By the number of a stream, which no
 * other one ever has; work in it is numbered from 1. Internal to src/runtime. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct VectorClock {
    uint64_t *items;
    size_t count;
} VectorClock;

void vectorclock_free(VectorClock *clock);
#define LOCAL_CLOCK __attribute__((cleanup(vectorclock_free))) VectorClock
VectorClock vectorclock_copy(const VectorClock *clock);

/* Comes after all that the other one comes after, too. */
void vectorclock_join(VectorClock *clock, const VectorClock *other);

uint64_t vectorclock_at(const VectorClock *clock, size_t stream);

/* Comes after this work of the stream's, at least. */
void vectorclock_raise(VectorClock *clock, size_t stream, uint64_t nth);

/* Whether it comes after all that the other one comes after. */
bool vectorclock_covers(const VectorClock *clock, const VectorClock *other);
