/* sketch.h: many results in few bytes, which still say which of them differ. They are taken as the coefficients of a Reed-Solomon code over
 * the integers modulo 2^61 - 1: four sums, of v, v x, v x^2 and v x^3, where x is the place, tell up to two places that differ, and what was there.
 * Where more do, sums over each sixteenth place narrow it down. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { SKETCH_SUMS = 4, SKETCH_GROUPS = 16, SKETCH_MOST = 2 };

typedef struct Sketch {
    uint64_t sums[SKETCH_SUMS];
    uint8_t groups[SKETCH_GROUPS]; /* of the places that leave the same remainder */
} Sketch;

typedef struct Differing {
    size_t place;
    uint64_t wanted; /* what the other sketch has there, modulo 2^61 - 1 */
} Differing;

Sketch sketch_of(const uint64_t *values, size_t count);
bool sketch_equal(const Sketch *a, const Sketch *b);

/* How many places differ from those of the sketch `wanted`: 0, 1, 2, or 3 for more than two, of which nothing is said. */
unsigned sketch_differing(const uint64_t *values, size_t count, const Sketch *wanted, Differing places[SKETCH_MOST]);
