/* lanes.h: loops over a warp's lanes, and results written to the active ones. A register's lanes lie side by side, 64-byte aligned; a
 * predicate is one word, bit i for lane i. */
#pragma once

#include <string.h>

#include "machine/access.h"

/* EACH_LANE vectorises: iteration i neither reads nor writes what another one writes (a destination may be a source: lane i is read before
 * it is written). IN_LANE_ORDER is unrolled, for iterations that may. */
#if defined(__clang__)
#define EACH_LANE _Pragma("clang loop vectorize(assume_safety)") for (unsigned i = 0; i < WARP_LANES; i++)
#define IN_LANE_ORDER _Pragma("clang loop unroll_count(8)") for (unsigned i = 0; i < WARP_LANES; i++)
#elif defined(__GNUC__)
#define EACH_LANE _Pragma("GCC ivdep") for (unsigned i = 0; i < WARP_LANES; i++)
#define IN_LANE_ORDER _Pragma("GCC unroll 8") for (unsigned i = 0; i < WARP_LANES; i++)
#else
#define EACH_LANE for (unsigned i = 0; i < WARP_LANES; i++)
#define IN_LANE_ORDER EACH_LANE
#endif

#define ALWAYS_INLINE inline __attribute__((always_inline))

/* The lanes (or warps) of a mask, lowest first, for loops that compilers would not vectorise. Nested loops need names of their own. */
#define EACH_ACTIVE_LANE(lane, mask)                                                                              \
    for (uint32_t lane##_left = (mask), lane; lane##_left && (lane = (uint32_t)__builtin_ctz(lane##_left), true); \
         lane##_left &= lane##_left - 1)

static inline unsigned lanes_first(uint32_t mask) { return (unsigned)__builtin_ctz(mask); } /* mask is not 0 */

/* The active lanes get their value; the others keep theirs. */
static inline void lanes_set32(uint32_t *d, const uint32_t *values, uint32_t active) {
    if (active == LANES_ALL) {
        memcpy(d, values, sizeof *d * WARP_LANES);
        return;
    }
    for (int l = 0; l < WARP_LANES; l++) d[l] = active >> l & 1 ? values[l] : d[l];
}
static inline void lanes_set64(uint64_t *d, const uint64_t *values, uint32_t active) {
    for (int l = 0; l < WARP_LANES; l++) d[l] = active >> l & 1 ? values[l] : d[l];
}
static inline void lanes_fill32(uint32_t *d, uint32_t value, uint32_t active) {
    for (int l = 0; l < WARP_LANES; l++) d[l] = active >> l & 1 ? value : d[l];
}
static inline void lanes_fill64(uint64_t *d, uint64_t value, uint32_t active) {
    for (int l = 0; l < WARP_LANES; l++) d[l] = active >> l & 1 ? value : d[l];
}
static inline void lanes_set_predicate(uint32_t *d, uint32_t bits, uint32_t active) { *d = (*d & ~active) | (bits & active); }

/* The lanes of the mask whose value this is. */
static inline uint32_t lanes_equal64(const uint64_t *values, uint64_t value, uint32_t mask) {
    uint32_t equal = 0;
    for (unsigned l = 0; l < WARP_LANES; l++) equal |= (uint32_t)(values[l] == value) << l;
    return equal & mask;
}
static inline uint32_t lanes_equal32(const uint32_t *values, uint32_t value, uint32_t mask) {
    uint32_t equal = 0;
    for (unsigned l = 0; l < WARP_LANES; l++) equal |= (uint32_t)(values[l] == value) << l;
    return equal & mask;
}
