#include "observe/banks.h"

#include <stdbool.h>

#include "machine/lanes.h"
#include "observe/match.h"

/* An element of up to 4 bytes lies in one bank's word. A wider one covers neighbouring banks, so that elements of 8 bytes compete for
 * 16 double banks as those of 4 bytes do for 32. Such a word is a unit here: unit = address / unit bytes, and a group of lanes that
 * is served together has as many lanes as there are units in a wavefront: 32, 16, 8 or 4. */
enum { GROUPS = 8 };

/* True when every active lane's unit equals that of its partner, lane XOR x, wherever that is active. */
static inline bool pairs_equal(const uint32_t *unit, uint32_t active, uint32_t x) {
    uint32_t differ = 0;
    for (uint32_t lane = 0; lane < WARP_LANES; lane++)
        differ |= (unit[lane] ^ unit[lane ^ x]) & -(active >> lane & active >> (lane ^ x) & 1);
    return !differ;
}

static bool merges(const uint32_t *unit, uint32_t active) {
    return pairs_equal(unit, active, 1) || pairs_equal(unit, active, 2);
}

bool banks_serve_each(const Access *access) {
    const bool atomic = access->kind == ACCESS_ATOMIC || access->kind == ACCESS_REDUCTION;
    return atomic && (access->service == SERVICE_EACH || access->service == SERVICE_SWAP);
}

bool banks_try(const Access *access) { return access->kind >= ACCESS_ATOMIC && access->service == SERVICE_TRY; }

uint32_t banks_turn(const Access *access) {
    const bool atomic = access->kind == ACCESS_ATOMIC || access->kind == ACCESS_REDUCTION;
    return atomic && (access->service == SERVICE_SWAP || access->service == SERVICE_TRY) ? 2 : 1;
}

/* Lanes put their numbers into a table by hash; those that find another word's there do it again. */
uint32_t banks_words(const uint64_t word[WARP_LANES], uint32_t active) {
    enum { TABLE_LOG2 = 8 };
    uint8_t table[1 << TABLE_LOG2];
    uint32_t slot[WARP_LANES], lanes = 0;
    for (uint32_t i = 0; i < WARP_LANES; i++) slot[i] = (uint32_t)word[i] * UINT32_C(0x9e3779b1) >> (32 - TABLE_LOG2);
    for (uint32_t left = active, open = 0; left; left = open, open = 0) {
        EACH_ACTIVE_LANE(lane, left) table[slot[lane]] = (uint8_t)lane;
        EACH_ACTIVE_LANE(lane, left) {
            const uint32_t last = table[slot[lane]];
            lanes |= (uint32_t)(last == lane) << lane;
            open |= (uint32_t)(word[last] != word[lane]) << lane;
        }
    }
    return lanes;
}

/* The same of 32-bit words: with AVX-512, 64 comparisons of 16 words take less time than the table. */
static uint32_t words_once(const uint32_t word[WARP_LANES], uint32_t active) {
#ifdef __AVX512F__
    uint32_t lanes = 0;
    for (uint32_t k = 0; k < WARP_LANES; k++) {
        const uint32_t same = (match_words(word, word[k]) | match_words(word + MATCH_WORDS, word[k]) << MATCH_WORDS) & active;
        lanes |= same & -same;
    }
    return lanes;
#else
    uint64_t wide[WARP_LANES];
    for (uint32_t i = 0; i < WARP_LANES; i++) wide[i] = word[i];
    return banks_words(wide, active);
#endif
}

/* Any units. each: a wavefront for every lane, even where lanes have the same unit. served: the lanes of a group. */
static BankCount count_any(const uint32_t *unit, uint32_t active, uint32_t banks, uint32_t served, bool each) {
    uint32_t word[WARP_LANES]; /* units are below 2^26, since offsets are below 2^28 */
    uint32_t bank[WARP_LANES], lanes = active, group_shift = (uint32_t)__builtin_ctz(served);
    uint8_t load[WARP_LANES] = {0}; /* of the banks, for each group apart */
    for (uint32_t i = 0; i < WARP_LANES; i++) {
        word[i] = unit[i] * GROUPS + (i >> group_shift);
        bank[i] = (unit[i] & (banks - 1)) + (i >> group_shift) * banks;
    }
    if (!each) lanes = words_once(word, active);
    EACH_ACTIVE_LANE(lane, lanes) load[bank[lane]]++;
    BankCount count = {0, 0};
    for (uint32_t first = 0; first < WARP_LANES / served * banks; first += banks) {
        uint32_t degree = 0;
        for (uint32_t k = first; k < first + banks; k++) degree = load[k] > degree ? load[k] : degree;
        count.wavefronts += degree;
        count.conflicts += degree > 0 ? degree - 1 : 0;
    }
    return count;
}

/* Groups of `size` lanes with an active lane. */
static uint32_t groups_active(uint32_t active, uint32_t size) {
    uint32_t count = 0;
    for (uint32_t first = 0; first < WARP_LANES; first += size) count += (active >> first << (WARP_LANES - size)) != 0;
    return count;
}

/* All lanes, each so many units of 1 << shift bytes (not 0) from its predecessor. */
static inline BankCount count_strided(uint32_t stride, uint32_t shift) {
    uint32_t banks = (BANKS * BANK_BYTES) >> shift, groups = 1u << shift >> 2; /* of as many lanes as there are banks */
    uint32_t lanes_a_bank = stride & -stride; /* the greatest common divisor with the banks, a power of two */
    lanes_a_bank = lanes_a_bank < banks ? lanes_a_bank : banks;
    return (BankCount){groups * lanes_a_bank, groups * (lanes_a_bank - 1)};
}

/* Each eight lanes at one address. */
static BankCount count_alike(const Access *access) {
    bool wide_load = access->kind == ACCESS_LOAD && (access->bytes == 8 || access->bytes == 16);
    uint32_t shift = access->bytes <= 4 ? 2 : (uint32_t)__builtin_ctz(access->bytes), size = (BANKS * BANK_BYTES) >> shift;
    uint32_t served = wide_load ? size * 2 : size; /* lanes, as those side by side have one unit: see merges */
    BankCount count = {0, 0};
    for (uint32_t first = 0; first < WARP_LANES; first += served) {
        uint32_t unit[WARP_LANES / EIGHT], n = 0, degree = 1;
        for (uint32_t lane = first; lane < first + served; lane += EIGHT) {
            uint32_t here = (uint32_t)(access->addr[lane] >> shift), words = 1;
            bool again = false;
            for (uint32_t k = 0; k < n; k++) {
                again |= unit[k] == here;
                words += (unit[k] ^ here) % size == 0;
            }
            if (again) continue;
            unit[n++] = here;
            degree = words > degree ? words : degree;
        }
        count.wavefronts += degree;
        count.conflicts += degree - 1;
    }
    return count;
}

/* True where each eight lanes have 4-byte words side by side and no bank has two different ones: one wavefront. */
static bool rows_agree(const Access *access) {
    bool agree = access->bytes == BANK_BYTES && access->stride == BANK_BYTES;
    for (uint32_t i = EIGHT; i < WARP_LANES && agree; i += EIGHT)
        for (uint32_t k = 0; k < i; k += EIGHT) {
            uint32_t apart = (uint32_t)(access->addr[i] - access->addr[k]) / BANK_BYTES;
            agree &= apart == 0 || (apart % BANKS >= EIGHT && apart % BANKS <= BANKS - EIGHT);
        }
    return agree;
}

static __attribute__((noinline)) BankCount count_access(const Access *access, bool each) {
    uint32_t active = access->active, unit[WARP_LANES], bytes = access->bytes;
    uint32_t shift = bytes <= 4 ? 2 : (uint32_t)__builtin_ctz(bytes), size = (BANKS * BANK_BYTES) >> shift;
    uint32_t first = (uint32_t)(access->addr[__builtin_ctz(active)] >> shift), low = first, high = first, seen = 0;
    for (uint32_t i = 0; i < WARP_LANES; i++) {
        uint32_t on = -(active >> i & 1), bank;
        unit[i] = ((uint32_t)(access->addr[i] >> shift) & on) | (first & ~on);
        bank = (unit[i] & (size - 1)) | (i & -size);
        seen |= 1u << bank & on;
        low = unit[i] < low ? unit[i] : low;
        high = unit[i] > high ? unit[i] : high;
    }
    /* As many banks as lanes, and so no two equal addresses in a group: nothing conflicts and, when all lanes are active, nothing merges. */
    bool wide_load = access->kind == ACCESS_LOAD && (bytes == 8 || bytes == 16);
    if ((active == LANES_ALL || !wide_load) && __builtin_popcount(seen) == __builtin_popcount(active))
        return (BankCount){groups_active(active, size), 0};
    if (bytes <= 4 && high - low < BANKS && !each) return (BankCount){1, 0};
    uint32_t stride = unit[1] - unit[0], expected = unit[0], uneven = 0;
    for (uint32_t i = 0; i < WARP_LANES; i++) {
        uneven |= unit[i] ^ expected;
        expected += stride;
    }
    if (active == LANES_ALL && !uneven && stride != 0) return count_strided(stride, shift);
    uint32_t served = wide_load && merges(unit, active) ? size * 2 : size;
    if (high - low < size && !each) return (BankCount){groups_active(active, served), 0};
    return count_any(unit, active, size, served, each);
}

BankCount banks_count(const Access *access) {
    if (banks_try(access))
        return (BankCount){banks_turn(access) * groups_active(access->active, access->bytes > 4 ? WARP_LANES / 2 : WARP_LANES),
                           0};
    bool each = banks_serve_each(access);
    uint32_t shift = (uint32_t)__builtin_ctz(access->bytes);
    bool simple = access->strided && access->stride != 0 && access->bytes >= BANK_BYTES;
    bool alike = !each && (access->strided || access->eights) && access->stride == 0;
    BankCount count = {1, 0};
    if (alike)
        count = count_alike(access);
    else if (simple)
        count = count_strided((uint32_t)(access->stride >> shift), shift);
    else if (each || !access->eights || !rows_agree(access))
        count = count_access(access, each);
    count.wavefronts *= banks_turn(access);
    return count;
}

uint32_t banks_serve(const Access *access, uint8_t wavefront[WARP_LANES]) {
    bool each = banks_serve_each(access),
         wide_load = access->kind == ACCESS_LOAD && (access->bytes == 8 || access->bytes == 16);
    const bool tries = banks_try(access);
    uint32_t shift = access->bytes <= 4 ? 2 : (uint32_t)__builtin_ctz(access->bytes), size = (BANKS * BANK_BYTES) >> shift;
    uint32_t unit[WARP_LANES], begin = 0, late = 0, cost = banks_turn(access);
    for (uint32_t i = 0; i < WARP_LANES; i++) unit[i] = (uint32_t)(access->addr[i] >> shift);
    uint32_t served = wide_load && merges(unit, access->active) ? size * 2 : size;
    for (uint32_t first = 0; first < WARP_LANES; first += served) {
        uint32_t load[BANKS] = {0}, degree = 0;
        for (uint32_t lane = first; lane < first + served; lane++) {
            if (!(access->active >> lane & 1)) continue;
            uint32_t same = first;
            while (same < lane && (each || !(access->active >> same & 1) || unit[same] != unit[lane])) same++;
            uint32_t *bank = &load[unit[lane] & (size - 1)];
            if (tries) *bank = 0; /* a lane that meets another in its bank has failed, which takes no longer */
            wavefront[lane] = same < lane ? wavefront[same] : (uint8_t)(begin + (*bank)++ * cost);
            if (wavefront[lane] > begin) late |= 1u << lane;
            degree = *bank > degree ? *bank : degree;
        }
        begin += degree * cost;
    }
    return late;
}
