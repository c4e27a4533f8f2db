/* halves.h: f16 and bf16 beside float and double, bit by bit. */
#pragma once

#include <math.h>
#include <stdint.h>
#include <string.h>

static inline uint32_t f32_bits(float x) {
    uint32_t bits;
    memcpy(&bits, &x, sizeof bits);
    return bits;
}
static inline float f32_from_bits(uint32_t bits) {
    float x;
    memcpy(&x, &bits, sizeof x);
    return x;
}
static inline uint64_t f64_bits(double x) {
    uint64_t bits;
    memcpy(&bits, &x, sizeof bits);
    return bits;
}
static inline double f64_from_bits(uint64_t bits) {
    double x;
    memcpy(&x, &bits, sizeof x);
    return x;
}

/* Halves. Every f16 and bf16 is a float exactly. */
static inline float f16_to_f32(uint32_t half) {
    const uint32_t magnitude = half & 0x7fffu, sign = (half & 0x8000u) << 16;
    const uint32_t normal = (magnitude << 13) + ((127 - 15) << 23), special = magnitude << 13 | 0x7f800000u;
    const uint32_t subnormal = f32_bits((float)(int32_t)magnitude * 0x1p-24f);
    return f32_from_bits((magnitude < 0x400u ? subnormal : magnitude < 0x7c00u ? normal : special) | sign);
}
static inline float bf16_to_f32(uint32_t half) { return f32_from_bits(half << 16); }

/* Rounds a float or double (real, whose bits make a word with `stored` bits of mantissa) to the nearest half, ties to even.
 * bits: of the half's mantissa; tiny: its least normal number; unit: 2^stored times its least subnormal, the sum with which
 * rounds to it; bias: difference of the exponents' biases; infinity: its bits. NaN gives 0x7fff. */
#define HALF_ROUND(name, real, word, bits_of, from_bits, stored, bits, tiny, unit, bias, infinity)           \
    static inline uint32_t name(real x) {                                                                    \
        const word raw = bits_of(x) & (word)-1 >> 1, sign = bits_of(x) >> (sizeof(word) * 8 - 16) & 0x8000u; \
        const word nearest = raw + ((word)1 << (stored - bits - 1)) - 1 + (raw >> (stored - bits) & 1);      \
        const word normal = (nearest >> (stored - bits)) - ((word)(bias) << bits);                           \
        const word subnormal = bits_of(from_bits(raw) + unit) - bits_of(unit);                               \
        const word finite = from_bits(raw) < tiny ? subnormal : normal;                                      \
        const word rounded = raw >= bits_of(INFINITY) || finite > infinity ? infinity : finite;              \
        return x != x ? 0x7fffu : (uint32_t)(rounded | sign);                                                \
    }
HALF_ROUND(f16_round, float, uint32_t, f32_bits, f32_from_bits, 23, 10, 0x1p-14f, 0x1p-1f, 127 - 15, 0x7c00)
HALF_ROUND(bf16_round, float, uint32_t, f32_bits, f32_from_bits, 23, 7, 0x1p-126f, 0x1p-110f, 0, 0x7f80)
HALF_ROUND(f16_round_f64, double, uint64_t, f64_bits, f64_from_bits, 52, 10, 0x1p-14, 0x1p28, 1023 - 15, 0x7c00)
HALF_ROUND(bf16_round_f64, double, uint64_t, f64_bits, f64_from_bits, 52, 7, 0x1p-126, 0x1p-81, 1023 - 127, 0x7f80)
