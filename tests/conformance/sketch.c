#include "sketch.h"

#include <string.h>

static const uint64_t prime = (UINT64_C(1) << 61) - 1;

static uint64_t reduced(uint64_t a) {
    a = (a & prime) + (a >> 61);
    return a >= prime ? a - prime : a;
}
static uint64_t add(uint64_t a, uint64_t b) { return reduced(a + b); }
static uint64_t sub(uint64_t a, uint64_t b) { return a >= b ? a - b : a + prime - b; }
static uint64_t mul(uint64_t a, uint64_t b) {
    const unsigned __int128 product = (unsigned __int128)a * b;
    return reduced(((uint64_t)product & prime) + (uint64_t)(product >> 61));
}

static uint64_t inverse(uint64_t a) { /* a^(prime - 2) */
    uint64_t result = 1;
    for (uint64_t n = prime - 2; n; n >>= 1, a = mul(a, a))
        if (n & 1) result = mul(result, a);
    return result;
}

Sketch sketch_of(const uint64_t *values, size_t count) {
    Sketch sketch = {0};
    for (size_t i = 0; i < count; i++) {
        uint64_t term = reduced(values[i]);
        sketch.groups[i % SKETCH_GROUPS] += (uint8_t)((values[i] ^ i) * UINT64_C(0x9e3779b97f4a7c15) >> 56);
        for (unsigned s = 0; s < SKETCH_SUMS; s++) {
            sketch.sums[s] = add(sketch.sums[s], term);
            term = mul(term, i + 1);
        }
    }
    return sketch;
}

bool sketch_equal(const Sketch *a, const Sketch *b) { return !memcmp(a->sums, b->sums, sizeof a->sums); }

/* With errors e and f at x and y, the differences of the sums are d[j] = e x^j + f y^j, and x and y the roots of z^2 - s z + p, where
 * d[2] = s d[1] - p d[0] and d[3] = s d[2] - p d[1]. */
unsigned sketch_differing(const uint64_t *values, size_t count, const Sketch *wanted, Differing places[SKETCH_MOST]) {
    const Sketch here = sketch_of(values, count);
    uint64_t d[SKETCH_SUMS];
    for (unsigned s = 0; s < SKETCH_SUMS; s++) d[s] = sub(here.sums[s], wanted->sums[s]);
    if (sketch_equal(&here, wanted)) return 0;
    const uint64_t determinant = sub(mul(d[1], d[1]), mul(d[0], d[2]));
    if (!determinant) {
        const uint64_t x = d[0] ? mul(d[1], inverse(d[0])) : 0;
        if (!x || x > count || mul(d[2], x) != d[3]) return 3;
        places[0] = (Differing){(size_t)x - 1, sub(reduced(values[x - 1]), d[0])};
        return 1;
    }
    const uint64_t by = inverse(determinant), s = mul(by, sub(mul(d[1], d[2]), mul(d[0], d[3])));
    const uint64_t p = mul(by, sub(mul(d[2], d[2]), mul(d[1], d[3])));
    unsigned found = 0;
    for (uint64_t x = 1; x <= count && found < 2; x++) {
        if (add(sub(mul(x, x), mul(s, x)), p)) continue;
        const uint64_t y = sub(s, x), error = mul(sub(d[1], mul(d[0], y)), inverse(sub(x, y)));
        places[found++] = (Differing){(size_t)x - 1, sub(reduced(values[x - 1]), error)};
    }
    return found == 2 ? 2 : 3;
}
