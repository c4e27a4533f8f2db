#include "observe/banks.h"

#include <stdbool.h>

/* An element of up to 4 bytes lies in one bank's word. A wider one covers neighbouring banks, so that elements of 8 bytes compete for
 * 16 double banks as those of 4 bytes do for 32. Such a word is a unit here: unit = address / unit bytes, and a group of lanes that
 * is served together has as many lanes as there are units in a wavefront: 32, 16, 8 or 4. */
enum { GROUPS = 8 };

/* True when among `lanes` every active lane's unit equals that of its active partner, lane XOR x. */
static bool pairs_equal(const uint32_t *unit, uint32_t active, uint32_t lanes, uint32_t x) {
    for (uint32_t rest = active & lanes; rest; rest &= rest - 1) {
        uint32_t lane = (uint32_t)__builtin_ctz(rest), partner = lane ^ x;
        if (active >> partner & 1 && unit[lane] != unit[partner]) return false;
    }
    return true;
}

static bool merges(const uint32_t *unit, uint32_t active, uint32_t lanes) {
    return pairs_equal(unit, active, lanes, 1) || pairs_equal(unit, active, lanes, 2);
}

/* Any units. Quadratic in the lanes but without branches: two passes of 32 x 32 comparisons. */
static Passes count_any(const uint32_t *unit, uint32_t active, uint32_t banks, const uint32_t *group) {
    uint32_t key[WARP_LANES], bank[WARP_LANES], again[WARP_LANES] = {0}, load[WARP_LANES] = {0};
    for (uint32_t i = 0; i < WARP_LANES; i++) {
        bool on = active >> i & 1;
        key[i] = on ? unit[i] * GROUPS + group[i] : UINT32_MAX - i;
        bank[i] = on ? (unit[i] & (banks - 1)) * GROUPS + group[i] : UINT32_MAX;
    }
    for (uint32_t k = 0; k < WARP_LANES; k++)
        for (uint32_t i = 0; i < WARP_LANES; i++) again[i] |= (uint32_t)(key[i] == key[k]) & (uint32_t)(i > k);
    for (uint32_t k = 0; k < WARP_LANES; k++) {
        uint32_t first = 1 - again[k];
        for (uint32_t i = 0; i < WARP_LANES; i++) load[i] += bank[i] == bank[k] ? first : 0;
    }
    uint32_t degree[GROUPS] = {0};
    for (uint32_t rest = active; rest; rest &= rest - 1) {
        uint32_t lane = (uint32_t)__builtin_ctz(rest), g = group[lane];
        degree[g] = load[lane] > degree[g] ? load[lane] : degree[g];
    }
    Passes passes = {0, 0};
    for (uint32_t g = 0; g < GROUPS; g++) {
        passes.wavefronts += degree[g];
        passes.least += degree[g] > 0;
    }
    return passes;
}

/* Groups of `size` lanes with an active lane. */
static uint32_t groups_active(uint32_t active, uint32_t size) {
    uint32_t count = 0;
    for (uint32_t first = 0; first < WARP_LANES; first += size) count += (active >> first << (WARP_LANES - size)) != 0;
    return count;
}

/* Fills the group of each lane, halves or quarters merged where the rule says so; returns how many groups have an active lane. */
static uint32_t groups_find(const uint32_t *unit, const Access *access, uint32_t size, uint32_t *group) {
    uint32_t active = access->active, half = size * 2, merged = 0;
    bool wide_load = access->kind == ACCESS_LOAD && (size == 16 || size == 8);
    for (uint32_t i = 0; i < WARP_LANES; i++) group[i] = i / size;
    if (!wide_load) return groups_active(active, size);
    for (uint32_t first = 0; first < WARP_LANES; first += half) {
        uint32_t lanes = (uint32_t)(((UINT64_C(1) << half) - 1) << first);
        bool both = (active & lanes & lanes >> size) && (active & lanes & lanes << size);
        if (!both || !merges(unit, active, lanes)) continue;
        for (uint32_t i = size; i < half; i++) group[first + i] = first / size;
        merged++;
    }
    return groups_active(active, size) - merged;
}

Passes banks_count(const Access *access) {
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
    /* As many banks as lanes, and so no two equal addresses in a group: nothing conflicts and, when all take part, nothing merges. */
    bool unmerged = active == LANES_ALL || access->kind != ACCESS_LOAD || bytes <= 4;
    if (unmerged && __builtin_popcount(seen) == __builtin_popcount(active)) {
        uint32_t groups = groups_active(active, size);
        return (Passes){groups, groups};
    }
    uint32_t stride = unit[1] - unit[0], expected = unit[0], uneven = 0;
    for (uint32_t i = 0; i < WARP_LANES; i++) {
        uneven |= unit[i] ^ expected;
        expected += stride;
    }
    if (active == LANES_ALL && !uneven && stride != 0) {
        uint32_t lanes_a_bank = stride & -stride; /* the greatest common divisor with the banks, a power of two */
        lanes_a_bank = lanes_a_bank < size ? lanes_a_bank : size;
        return (Passes){WARP_LANES / size * lanes_a_bank, WARP_LANES / size};
    }
    uint32_t group[WARP_LANES], groups = groups_find(unit, access, size, group);
    if (high - low < size) return (Passes){groups, groups};
    return count_any(unit, active, size, group);
}
