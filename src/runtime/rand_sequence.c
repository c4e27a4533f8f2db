#include "runtime/rand_sequence.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"

/* --- XORWOW: Marsaglia's, five words that are linear over bits, and one that counts ------------------------------------------- */

enum { XOR_WORDS = 5, XOR_BITS = 32 * XOR_WORDS, XOR_APART = 67, COUNTED = 362437 };

static uint32_t xorwow_next(uint32_t *state) {
    const uint32_t first = state[0] ^ state[0] >> 2, last = state[4];
    memmove(state, state + 1, (XOR_WORDS - 1) * sizeof *state);
    state[4] = last ^ last << 4 ^ first ^ first << 1;
    state[5] += COUNTED;
    return state[4] + state[5];
}

static void xorwow_seed(uint64_t seed, uint32_t *state) {
    const uint32_t low = 1099087573U * ((uint32_t)seed ^ 0xaad26b49U),
                   high = 2591861531U * ((uint32_t)(seed >> 32) ^ 0xf7dcefddU);
    const uint32_t from[] = {123456789U + low, 362436069U ^ low, 521288629U + high,
                             88675123U ^ high, 5783321U + low,   6615241U + low + high};
    memcpy(state, from, sizeof from);
}

/* What one bit of a state becomes, for each bit. */
typedef uint32_t BitMatrix[XOR_BITS][XOR_WORDS];

static void bits_multiply(BitMatrix matrix, uint32_t *state) {
    uint32_t sum[XOR_WORDS] = {0};
    for (size_t bit = 0; bit < XOR_BITS; bit++)
        for (size_t i = 0; i < XOR_WORDS; i++) sum[i] ^= matrix[bit][i] & -(state[bit / 32] >> bit % 32 & 1);
    memcpy(state, sum, sizeof sum);
}

static void bits_square(BitMatrix matrix) {
    BitMatrix before;
    memcpy(before, matrix, sizeof before);
    for (size_t bit = 0; bit < XOR_BITS; bit++) bits_multiply(before, matrix[bit]);
}

/* The first stream's state after so many numbers, and what leads to the next stream. */
static void xorwow_begin(uint64_t seed, uint64_t numbers, uint32_t *state, BitMatrix apart) {
    xorwow_seed(seed, state);
    for (size_t bit = 0; bit < XOR_BITS; bit++) {
        uint32_t one[6] = {0};
        one[bit / 32] = 1U << bit % 32;
        xorwow_next(one);
        memcpy(apart[bit], one, sizeof apart[bit]);
    }
    for (unsigned i = 0; i < XOR_APART; i++, bits_square(apart))
        if (i < 64 && numbers >> i & 1) bits_multiply(apart, state);
    state[5] += COUNTED * (uint32_t)numbers;
}

static void xorwow_streams(Sequence *sequence) {
    BitMatrix apart;
    xorwow_begin(sequence->seed, sequence->position / sequence->streams, sequence->states[0], apart);
    for (uint32_t i = 1; i < sequence->streams; i++) {
        memcpy(sequence->states[i], sequence->states[i - 1], sizeof *sequence->states);
        bits_multiply(apart, sequence->states[i]); /* the count comes to the same: 2^67 is a multiple of 2^32 */
    }
}

/* --- MRG32k3a: L'Ecuyer's, two recurrences of three words ------------------------------------------------------------------------ */

enum { MRG_APART = 76 };

static const uint64_t mrg_modulus[2] = {4294967087U, 4294944443U};

/* In [1, the first modulus]. */
static uint64_t mrg_next(uint32_t *state) {
    const uint64_t *m = mrg_modulus;
    const uint64_t first = (1403580 * (uint64_t)state[1] + 810728 * (m[0] - state[0])) % m[0],
                   second = (527612 * (uint64_t)state[5] + 1370589 * (m[1] - state[3])) % m[1];
    memmove(state, state + 1, 5 * sizeof *state);
    state[2] = (uint32_t)first;
    state[5] = (uint32_t)second;
    return first > second ? first - second : first + m[0] - second;
}

static void mrg_seed(uint64_t seed, uint32_t *state) {
    const uint32_t low = seed ? (uint32_t)seed ^ 0x55555555U : 1, high = seed ? (uint32_t)(seed >> 32) ^ 0xaaaaaaaaU : 1;
    for (size_t i = 0; i < 6; i++) state[i] = (uint32_t)((uint64_t)(i % 2 ? high : low) * 12345 % mrg_modulus[i / 3]);
}

typedef uint64_t MrgMatrix[3][3];

static void mrg_multiply(MrgMatrix matrix, uint64_t modulus, uint32_t *words) {
    uint32_t product[3];
    for (size_t i = 0; i < 3; i++) {
        uint64_t sum = 0;
        for (size_t j = 0; j < 3; j++) sum = (sum + matrix[i][j] * words[j]) % modulus;
        product[i] = (uint32_t)sum;
    }
    memcpy(words, product, sizeof product);
}

static void mrg_square(MrgMatrix matrix, uint64_t modulus) {
    MrgMatrix before;
    memcpy(before, matrix, sizeof before);
    for (size_t j = 0; j < 3; j++) {
        uint32_t column[3];
        for (size_t i = 0; i < 3; i++) column[i] = (uint32_t)before[i][j];
        mrg_multiply(before, modulus, column);
        for (size_t i = 0; i < 3; i++) matrix[i][j] = column[i];
    }
}

static void mrg_streams(Sequence *sequence) {
    const uint64_t numbers = sequence->position / sequence->streams;
    MrgMatrix apart[2] = {{{0, 1, 0}, {0, 0, 1}, {mrg_modulus[0] - 810728, 1403580, 0}},
                          {{0, 1, 0}, {0, 0, 1}, {mrg_modulus[1] - 1370589, 0, 527612}}};
    mrg_seed(sequence->seed, sequence->states[0]);
    for (size_t half = 0; half < 2; half++)
        for (unsigned i = 0; i < MRG_APART; i++, mrg_square(apart[half], mrg_modulus[half]))
            if (i < 64 && numbers >> i & 1) mrg_multiply(apart[half], mrg_modulus[half], sequence->states[0] + 3 * half);
    for (uint32_t i = 1; i < sequence->streams; i++) {
        memcpy(sequence->states[i], sequence->states[i - 1], sizeof *sequence->states);
        for (size_t half = 0; half < 2; half++) mrg_multiply(apart[half], mrg_modulus[half], sequence->states[i] + 3 * half);
    }
}

/* --- Philox-4x32-10: Salmon's and others', four words of a counter ----------------------------------------------------------------- */

static void philox(uint64_t counter, uint32_t stream, uint64_t seed, uint32_t words[4]) {
    const uint32_t from[4] = {(uint32_t)counter, (uint32_t)(counter >> 32), stream, 0};
    uint32_t low = (uint32_t)seed, high = (uint32_t)(seed >> 32);
    memcpy(words, from, sizeof from);
    for (unsigned round = 0; round < 10; round++, low += 0x9e3779b9U, high += 0xbb67ae85U) {
        const uint64_t even = 0xd2511f53ULL * words[0], odd = 0xcd9e8d57ULL * words[2];
        const uint32_t after[4] = {(uint32_t)(odd >> 32) ^ words[1] ^ low, (uint32_t)odd,
                                   (uint32_t)(even >> 32) ^ words[3] ^ high, (uint32_t)even};
        memcpy(words, after, sizeof after);
    }
}

/* --- Sobol32: numbers whose bits choose direction vectors ------------------------------------------------------------------------- */

enum { SOBOL_BITS = 32, SOBOL_DEGREE_MOST = 6 };

/* Of each dimension but the first, after Joe and Kuo's table for 6 dimensions: a primitive polynomial by its degree and its inner coefficients, and the
 * first odd numbers. */
static const struct {
    uint32_t degree, inner, odd[SOBOL_DEGREE_MOST];
} sobol_rows[SOBOL_DIMENSIONS_MOST - 1] = {
    {1, 0, {1}},
    {2, 1, {1, 3}},
    {3, 1, {1, 3, 1}},
    {3, 2, {1, 1, 1}},
    {4, 1, {1, 1, 3, 3}},
    {4, 4, {1, 3, 5, 13}},
    {5, 2, {1, 1, 5, 5, 17}},
    {5, 4, {1, 1, 5, 5, 5}},
    {5, 7, {1, 1, 7, 11, 19}},
    {5, 11, {1, 1, 5, 1, 1}},
    {5, 13, {1, 1, 1, 3, 11}},
    {5, 14, {1, 3, 5, 5, 31}},
    {6, 1, {1, 3, 3, 9, 7, 49}},
    {6, 13, {1, 1, 1, 15, 21, 21}},
    {6, 16, {1, 3, 1, 13, 27, 49}},
};

static void sobol_directions(uint32_t dimension, uint32_t directions[SOBOL_BITS]) {
    const uint32_t degree = dimension ? sobol_rows[dimension - 1].degree : 0;
    for (uint32_t i = 0; i < SOBOL_BITS; i++) {
        if (!dimension || i < degree) {
            directions[i] = (dimension ? sobol_rows[dimension - 1].odd[i] : 1) << (SOBOL_BITS - 1 - i);
            continue;
        }
        directions[i] = directions[i - degree] ^ directions[i - degree] >> degree;
        for (uint32_t j = 1; j < degree; j++)
            if (sobol_rows[dimension - 1].inner >> (degree - 1 - j) & 1) directions[i] ^= directions[i - j];
    }
}

static uint32_t sobol_number(const uint32_t directions[SOBOL_BITS], uint64_t position) {
    const uint32_t low = (uint32_t)position, code = low ^ low >> 1; /* after 2^32 numbers they begin again */
    uint32_t number = 0;
    for (uint32_t i = 0; i < SOBOL_BITS; i++) number ^= directions[i] & -(code >> i & 1);
    return number;
}

/* --- numbers of a distribution ------------------------------------------------------------------------------------------------------ */

/* What a uniform number is made of: 32 bits, of a double two times 32, of MRG32k3a its number. */
typedef struct RandomSource {
    SequenceKind kind;
    uint64_t first, second;
} RandomSource;

static const double mrg_to_uniform = 2.3283065498378288e-10; /* 1 / the first modulus */

static float uniform_float(const RandomSource *source) {
    if (source->kind == SEQUENCE_MRG32K3A) return (float)((double)source->first * mrg_to_uniform);
    return (float)(uint32_t)source->first * 0x1p-32F + 0x1p-33F;
}

static double uniform_double(const RandomSource *source) {
    if (source->kind == SEQUENCE_MRG32K3A) return (double)source->first * mrg_to_uniform;
    if (source->kind == SEQUENCE_MT19937) return (double)source->first * 0x1p-32 + 0x1p-33;
    if (source->kind == SEQUENCE_SOBOL32) return (double)source->first * 0x1p-32 + 0x1p-32;
    return (double)(source->first ^ source->second << 21) * 0x1p-53 + 0x1p-54;
}

/* By Box and Muller, of two uniform numbers two. */
static void normal_floats(const RandomSource sources[2], float normal[2]) {
    const float whole = 6.2831855F, scale = 0x1p-32F * whole;
    const float angle = sources[1].kind == SEQUENCE_MRG32K3A ? uniform_float(&sources[1]) * whole
                                                             : (float)(uint32_t)sources[1].first * scale + scale / 2;
    const float radius = sqrtf(-2 * logf(uniform_float(&sources[0])));
    normal[0] = sinf(angle) * radius;
    normal[1] = cosf(angle) * radius;
}

static void normal_doubles(const RandomSource sources[2], double normal[2]) {
    const double angle = 2 * uniform_double(&sources[1]) * 3.1415926535897932;
    const double radius = sqrt(-2 * log(uniform_double(&sources[0])));
    normal[0] = sin(angle) * radius;
    normal[1] = cos(angle) * radius;
}

/* Where erfc is y, in (0, 1]: from Abramowitz and Stegun's 26.2.23 on by Newton's steps, of erf where that is the more exact. */
static double inverse_erfc(double y) {
    const double t = sqrt(-2 * log(y / 2));
    const double guess = t - (2.515517 + t * (0.802853 + t * 0.010328)) / (1 + t * (1.432788 + t * (0.189269 + t * 0.001308)));
    double z = guess * 0.70710678118654752;
    for (int i = 0; i < 4; i++) {
        const double over = y > 0.5 ? (1 - y) - erf(z) : erfc(z) - y;
        z += over / (1.1283791670955126 * exp(-z * z));
    }
    return z;
}

/* By the inverse of its distribution: of one number one. */
static void inverse_normal(const RandomSource *source, double *wide, float *narrow) {
    const bool mirrored = source->first > 0x80000000U;
    const uint32_t low = mirrored ? ~(uint32_t)source->first : (uint32_t)source->first;
    const double sign = mirrored ? 1 : -1;
    *wide = sign * 1.4142135623730951 * inverse_erfc(2 * ((double)low * 0x1p-32 + 0x1p-33));
    *narrow = (float)sign * 1.4142135F * (float)inverse_erfc(2 * ((float)low * 0x1p-32F + 0x1p-33F));
}

static void store(const Draw *draw, size_t i, const double *wide, const float *narrow, void *numbers) {
    const bool log_normal = draw->distribution == DISTRIBUTION_LOG_NORMAL;
    if (draw->wide) {
        const double normal = draw->mean + draw->deviation * *wide;
        ((double *)numbers)[i] = log_normal ? exp(normal) : normal;
    } else {
        const float normal = (float)draw->mean + (float)draw->deviation * *narrow;
        ((float *)numbers)[i] = log_normal ? expf(normal) : normal;
    }
}

/* One number of two sources' pair, which: 0 or 1; of others than normal ones the first source's. */
static void make_number(const Draw *draw, const RandomSource *sources, size_t which, size_t i, void *numbers) {
    double wide[2] = {0};
    float narrow[2] = {0};
    switch (draw->distribution) {
    case DISTRIBUTION_BITS: {
        const bool is_mrg = sources->kind == SEQUENCE_MRG32K3A;
        ((uint32_t *)numbers)[i] = (uint32_t)(is_mrg ? (uint64_t)((double)sources->first * 1.000000048662) : sources->first);
        break;
    }
    case DISTRIBUTION_UNIFORM:
        if (draw->wide)
            ((double *)numbers)[i] = uniform_double(sources);
        else
            ((float *)numbers)[i] = uniform_float(sources);
        break;
    case DISTRIBUTION_NORMAL:
    case DISTRIBUTION_LOG_NORMAL:
        if (sources->kind == SEQUENCE_SOBOL32 || sources->kind == SEQUENCE_MT19937)
            inverse_normal(sources, &wide[which], &narrow[which]);
        else if (draw->wide)
            normal_doubles(sources, wide);
        else
            normal_floats(sources, narrow);
        store(draw, i, &wide[which], &narrow[which], numbers);
    }
}

static bool is_normal(const Draw *draw) {
    return draw->distribution == DISTRIBUTION_NORMAL || draw->distribution == DISTRIBUTION_LOG_NORMAL;
}

/* --- filling -------------------------------------------------------------------------------------------------------------------------- */

static void begin_streams(Sequence *sequence) {
    sequence->states = alloc_zeroed(sequence->streams, sizeof *sequence->states);
    if (sequence->kind == SEQUENCE_XORWOW)
        xorwow_streams(sequence);
    else
        mrg_streams(sequence);
    for (uint32_t i = 0; i < sequence->position % sequence->streams; i++)
        if (sequence->kind == SEQUENCE_XORWOW)
            xorwow_next(sequence->states[i]);
        else
            mrg_next(sequence->states[i]);
}

static RandomSource stream_next(SequenceKind kind, uint32_t *state, bool wide) {
    if (kind == SEQUENCE_MRG32K3A) return (RandomSource){kind, mrg_next(state), 0};
    const uint64_t first = xorwow_next(state);
    return (RandomSource){kind, first, wide ? xorwow_next(state) : 0};
}

/* Each stream gives one number, or a pair of normal ones. */
static void fill_by_streams(Sequence *sequence, const Draw *draw, size_t count, void *numbers) {
    if (!sequence->states) begin_streams(sequence);
    const size_t step = is_normal(draw) ? 2 : 1;
    for (size_t i = 0; i < count; i += step) {
        uint32_t *state = sequence->states[sequence->position++ % sequence->streams];
        RandomSource sources[2];
        for (size_t j = 0; j < step; j++) sources[j] = stream_next(sequence->kind, state, draw->wide);
        for (size_t j = 0; j < step; j++) make_number(draw, sources, j, i + j, numbers);
    }
}

/* 65,536 threads, each with a counter of its own, make four numbers each, of doubles by two steps of the counter. */
static void fill_by_counter(Sequence *sequence, const Draw *draw, size_t count, void *numbers) {
    enum { THREADS = 65536 };
    for (size_t i = 0; i < count; i++) {
        const uint64_t at = sequence->position++, round = at / 4 / THREADS, within = at % 4;
        uint32_t words[4];
        philox(draw->wide ? 2 * round + within / 2 : round, (uint32_t)(at / 4 % THREADS), sequence->seed, words);
        const uint32_t *of = words + (draw->wide ? within % 2 * 2 : is_normal(draw) ? within / 2 * 2 : within);
        RandomSource sources[2] = {{SEQUENCE_PHILOX, of[0], 0}, {SEQUENCE_PHILOX, 0, 0}};
        if (draw->wide && is_normal(draw)) {
            for (size_t j = 0; j < 2; j++) sources[j] = (RandomSource){SEQUENCE_PHILOX, words[2 * j], words[2 * j + 1]};
        } else if (draw->wide) {
            sources[0].second = of[1];
        } else if (is_normal(draw)) {
            sources[1].first = of[1];
        }
        make_number(draw, sources, at % 2, i, numbers);
    }
}

/* Each number is made of one of 32 bits. */
static void fill_by_twister(Sequence *sequence, const Draw *draw, size_t count, void *numbers) {
    if (!sequence->twister) sequence->twister = twister_new(sequence->seed);
    for (size_t i = 0; i < count; i++) {
        const RandomSource source = {SEQUENCE_MT19937, twister_number(sequence->twister, sequence->position++), 0};
        make_number(draw, &source, 0, i, numbers);
    }
}

static void fill_by_dimension(Sequence *sequence, const Draw *draw, size_t count, void *numbers) {
    const size_t each = count / sequence->dimensions;
    for (uint32_t dimension = 0; dimension < sequence->dimensions; dimension++) {
        uint32_t directions[SOBOL_BITS];
        sobol_directions(dimension, directions);
        for (size_t i = 0; i < each; i++) {
            const RandomSource source = {SEQUENCE_SOBOL32, sobol_number(directions, sequence->position + i), 0};
            make_number(draw, &source, 0, dimension * each + i, numbers);
        }
    }
    sequence->position += each;
}

size_t draw_bytes(const Draw *draw) { return draw->wide ? sizeof(double) : sizeof(float); }

size_t sequence_unit(const Sequence *sequence, const Draw *draw) {
    if (sequence->kind == SEQUENCE_SOBOL32) return sequence->dimensions;
    const bool in_pairs = sequence->kind == SEQUENCE_XORWOW || sequence->kind == SEQUENCE_MRG32K3A;
    return in_pairs && is_normal(draw) ? 2 : 1;
}

void sequence_fill(Sequence *sequence, const Draw *draw, size_t count, void *numbers) {
    switch (sequence->kind) {
    case SEQUENCE_XORWOW:
    case SEQUENCE_MRG32K3A: fill_by_streams(sequence, draw, count, numbers); break;
    case SEQUENCE_PHILOX: fill_by_counter(sequence, draw, count, numbers); break;
    case SEQUENCE_MT19937: fill_by_twister(sequence, draw, count, numbers); break;
    case SEQUENCE_SOBOL32: fill_by_dimension(sequence, draw, count, numbers); break;
    }
}

void sequence_restart(Sequence *sequence) {
    free(sequence->states);
    twister_free(sequence->twister);
    sequence->states = NULL;
    sequence->twister = NULL;
}
