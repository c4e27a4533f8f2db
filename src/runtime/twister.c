#include "runtime/twister.h"

#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"

enum { WORDS = 624, BEHIND = 397, DEGREE = 19937, GENERATORS = 8192, LANES = 8 };
static const uint32_t matrix = 0x9908b0dfU;

/* --- one sequence --- */

/* The word that comes 624 after the first of them. */
static uint32_t word_after(uint32_t first, uint32_t second, uint32_t behind) {
    const uint32_t joined = (first & 0x80000000U) | (second & 0x7fffffffU);
    return behind ^ joined >> 1 ^ (matrix & -(joined & 1));
}

static void words_next(uint32_t *words) {
    for (size_t i = 0; i < WORDS; i++) words[i] = word_after(words[i], words[(i + 1) % WORDS], words[(i + BEHIND) % WORDS]);
}

static void words_seed(uint32_t seed, uint32_t *words) {
    words[0] = seed;
    for (uint32_t i = 1; i < WORDS; i++) words[i] = 1812433253U * (words[i - 1] ^ words[i - 1] >> 30) + i;
}

static uint32_t temper(uint32_t word) {
    word ^= word >> 11;
    word ^= word << 7 & 0x9d2c5680U;
    word ^= word << 15 & 0xefc60000U;
    return word ^ word >> 18;
}

/* --- far ahead in it: the state after 2^2048 numbers is a sum of the next 19937 states, which the remainder of t^(2^2048) by the characteristic
 * polynomial names (Haramoto and others, 2008) --- */

enum { POLY_WORDS = DEGREE / 64 + 1, TERMS_MOST = 256, APART = 2048 };
typedef uint64_t Poly[2 * POLY_WORDS]; /* bit i: the coefficient of t^i */

static void poly_flip(uint64_t *poly, uint64_t bits, size_t at) {
    poly[at / 64] ^= bits << at % 64;
    if (at % 64) poly[at / 64 + 1] ^= bits >> (64 - at % 64);
}

/* By t^more + t^less. */
static void poly_multiply(uint64_t *poly, size_t more, size_t less) {
    Poly product = {0};
    for (size_t i = 0; i < POLY_WORDS; i++) {
        if (!poly[i]) continue;
        poly_flip(product, poly[i], 64 * i + more);
        poly_flip(product, poly[i], 64 * i + less);
    }
    memcpy(poly, product, sizeof product);
}

/* The characteristic polynomial but for t^19937, by its exponents: appendix A of Matsumoto and Nishimura's article. */
static size_t find_terms(uint16_t *terms) {
    Poly poly = {1};
    size_t count = 0;
    for (unsigned i = 0; i < 31; i++) {
        poly_multiply(poly, WORDS - 1, BEHIND - 1);
        poly[0] ^= matrix >> i & 1;
    }
    poly_multiply(poly, WORDS, BEHIND);
    poly[0] ^= matrix >> 31;
    for (uint16_t i = 0; i < DEGREE; i++)
        if (poly[i / 64] >> i % 64 & 1) terms[count++] = i;
    return count;
}

/* The highest term is 227 below 19937, so that a word of 64 bits is done at once. */
static void poly_reduce(uint64_t *poly, const uint16_t *terms, size_t count) {
    for (size_t i = 2 * POLY_WORDS - 1; i >= DEGREE / 64; i--) {
        const size_t from = i == DEGREE / 64 ? DEGREE % 64 : 0;
        const uint64_t high = poly[i] >> from;
        poly[i] ^= high << from;
        for (size_t k = 0; high && k < count; k++) poly_flip(poly, high, 64 * i + from - DEGREE + terms[k]);
    }
}

static uint64_t spread(uint32_t bits) {
    static const uint64_t masks[] = {0x0000ffff0000ffffU, 0x00ff00ff00ff00ffU, 0x0f0f0f0f0f0f0f0fU, 0x3333333333333333U,
                                     0x5555555555555555U};
    uint64_t wide = bits;
    for (unsigned i = 0; i < 5; i++) wide = (wide | wide << (16 >> i)) & masks[i];
    return wide;
}

static void find_jump(uint64_t *poly) {
    uint16_t terms[TERMS_MOST];
    const size_t count = find_terms(terms);
    memset(poly, 0, sizeof(Poly));
    poly[0] = 2; /* t */
    for (unsigned squares = 0; squares < APART; squares++) {
        for (size_t i = POLY_WORDS; i-- > 0;) {
            const uint64_t bits = poly[i];
            poly[2 * i] = spread((uint32_t)bits);
            poly[2 * i + 1] = spread((uint32_t)(bits >> 32));
        }
        poly_reduce(poly, terms, count);
    }
}

static void words_jump(uint32_t *words, const uint64_t *jump) {
    uint32_t *next = alloc_zeroed(DEGREE + WORDS, sizeof *next), sum[WORDS] = {0};
    memcpy(next, words, WORDS * sizeof *words);
    for (size_t i = 0; i < DEGREE; i++) {
        next[i + WORDS] = word_after(next[i], next[i + 1], next[i + BEHIND]);
        if (jump[i / 64] >> i % 64 & 1)
            for (size_t j = 0; j < WORDS; j++) sum[j] ^= next[i + j];
    }
    memcpy(words, sum, sizeof sum);
    free(next);
}

/* --- cuRAND's order --- */

typedef struct Generator {
    uint64_t chunks; /* of 624 numbers, that it has begun */
    uint32_t words[WORDS];
} Generator;

struct Twister {
    Poly jump;
    size_t made;           /* generators, which are made when they are asked for numbers */
    uint32_t first[WORDS]; /* of the last of these, as it was made */
    Generator generators[GENERATORS];
};

Twister *twister_new(uint64_t seed) {
    Twister *twister = alloc_zeroed(1, sizeof *twister);
    find_jump(twister->jump);
    words_seed((uint32_t)seed, twister->first);
    return twister;
}

void twister_free(Twister *twister) { free(twister); }

static Generator *generator_find(Twister *twister, size_t which) {
    for (; twister->made <= which; twister->made++) {
        if (twister->made) words_jump(twister->first, twister->jump);
        memcpy(twister->generators[twister->made].words, twister->first, sizeof twister->first);
    }
    return &twister->generators[which];
}

/* A generator's 624 numbers come in 78 rounds of eight lanes. They are eleven runs of 56, seven a lane and seven apart; before some of the runs stands
 * one more, and these eight are the first round. */
static size_t place_in_chunk(size_t round, size_t lane) {
    static const uint16_t leads[LANES] = {0, 113, 170, 283, 340, 397, 510, 567},
                          runs[] = {1, 57, 114, 171, 227, 284, 341, 398, 454, 511, 568};
    return round ? runs[(round - 1) / 7] + (round - 1) % 7 + 7 * lane : leads[lane];
}

uint32_t twister_number(Twister *twister, uint64_t position) {
    enum { ROUNDS = WORDS / LANES };
    const uint64_t round = position / LANES / GENERATORS;
    Generator *generator = generator_find(twister, position / LANES % GENERATORS);
    for (; generator->chunks <= round / ROUNDS; generator->chunks++) words_next(generator->words);
    return temper(generator->words[place_in_chunk(round % ROUNDS, position % LANES)]);
}
