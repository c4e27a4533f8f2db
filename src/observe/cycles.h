/* cycles.h: times of the timeline: cycles modulo 2^32, of which no two that are compared lie 2^31 apart. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

static inline bool before(uint32_t a, uint32_t b) { return (int32_t)(a - b) < 0; }
static inline uint32_t later_of(uint32_t a, uint32_t b) { return before(a, b) ? b : a; }

/* Below `most`, as if by chance: of a time and a number. */
static inline uint32_t hash_below(uint32_t time, uint32_t index, uint64_t most) {
    uint32_t mixed = time * UINT32_C(2654435761) ^ index * UINT32_C(2246822519);
    mixed ^= mixed >> 15;
    mixed *= UINT32_C(0x2c1b3c6d);
    mixed ^= mixed >> 12;
    return (uint32_t)(most * (mixed >> 16) >> 16);
}
