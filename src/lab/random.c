#include "lab/random.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"

enum { SECRET_BYTES = 1 << 20 }; /* of the file, whose first ones are the key */

typedef struct SipState {
    uint64_t v[4];
} SipState;

static uint64_t rotate(uint64_t value, unsigned by) { return value << by | value >> (64 - by); }

/* Little-endian. */
static uint64_t word_at(const uint8_t *bytes, size_t count) {
    uint64_t word = 0;
    for (size_t i = 0; i < count; i++) word |= (uint64_t)bytes[i] << 8 * i;
    return word;
}

static void sip_rounds(SipState *state, int rounds) {
    uint64_t *v = state->v;
    while (rounds--) {
        v[0] += v[1], v[1] = rotate(v[1], 13) ^ v[0], v[0] = rotate(v[0], 32);
        v[2] += v[3], v[3] = rotate(v[3], 16) ^ v[2];
        v[0] += v[3], v[3] = rotate(v[3], 21) ^ v[0];
        v[2] += v[1], v[1] = rotate(v[1], 17) ^ v[2], v[2] = rotate(v[2], 32);
    }
}

static void sip_take(SipState *state, uint64_t word) {
    state->v[3] ^= word;
    sip_rounds(state, 2);
    state->v[0] ^= word;
}

uint64_t random_seed(const uint8_t key[RANDOM_KEY_BYTES], const void *bytes, size_t count) {
    const uint8_t *at = bytes;
    uint64_t low = word_at(key, 8), high = word_at(key + 8, 8);
    SipState state = {{low ^ UINT64_C(0x736f6d6570736575), high ^ UINT64_C(0x646f72616e646f6d),
                       low ^ UINT64_C(0x6c7967656e657261), high ^ UINT64_C(0x7465646279746573)}};
    size_t left = count;
    for (; left >= 8; left -= 8, at += 8) sip_take(&state, word_at(at, 8));
    sip_take(&state, (uint64_t)count << 56 | word_at(at, left));
    state.v[2] ^= 0xff;
    sip_rounds(&state, 4);
    return state.v[0] ^ state.v[1] ^ state.v[2] ^ state.v[3];
}

bool random_read_key(const char *path, uint8_t key[RANDOM_KEY_BYTES], Diag *diag) {
    size_t got;
    FREED char *bytes = text_read_file(path, SECRET_BYTES, &got);
    if (!bytes) return diag_error(diag, path, 0, 0, "the secret cannot be read: %s", text_file_problem(errno));
    if (got >= RANDOM_KEY_BYTES) memcpy(key, bytes, RANDOM_KEY_BYTES);
    if (got >= RANDOM_KEY_BYTES) return true;
    diag_error(diag, path, 0, 0, "the secret has %zu bytes; %d are needed", got, RANDOM_KEY_BYTES);
    return diag_hint(diag, "head -c %d /dev/urandom > %s makes one", RANDOM_KEY_BYTES, path);
}

/* A one-to-one mixture of 64 bits: shifts and products by odd numbers. */
static uint64_t mix(uint64_t value, uint64_t first, uint64_t second) {
    value = (value ^ value >> 30) * first;
    value = (value ^ value >> 27) * second;
    return value ^ value >> 31;
}

/* What the two mixtures make of a seed, for every index the same. */
typedef struct SeedPair {
    uint64_t left, right;
} SeedPair;

static const uint64_t a = UINT64_C(0xbf58476d1ce4e5b9), b = UINT64_C(0x94d049bb133111eb), c = UINT64_C(0xff51afd7ed558ccd),
                      d = UINT64_C(0xc4ceb9fe1a85ec53);

static SeedPair seed_pair(uint64_t seed) {
    return (SeedPair){mix(seed ^ UINT64_C(0x243f6a8885a308d3), c, d), mix(seed ^ UINT64_C(0x13198a2e03707344), a, b)};
}

static uint64_t bits_at(SeedPair pair, uint64_t index) {
    return mix(pair.left + (index + 1) * UINT64_C(0x9e3779b97f4a7c15), a, b) ^
           mix(pair.right - (index + 1) * UINT64_C(0xd1b54a32d192ed03), c, d);
}

uint64_t random_bits(uint64_t seed, uint64_t index) { return bits_at(seed_pair(seed), index); }

void random_fill(uint64_t seed, uint64_t index, uint64_t *bits, size_t count) {
    SeedPair pair = seed_pair(seed);
    for (size_t i = 0; i < count; i++) bits[i] = bits_at(pair, index + i);
}
