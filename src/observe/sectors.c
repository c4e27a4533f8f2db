#include "observe/sectors.h"

#include <stdbool.h>
#include <string.h>

enum { TABLE_BITS = 6, WIDE_TABLE_BITS = 9, NO_LINE = 0xffff };

static inline uint32_t line_of(uint64_t addr) { return (uint32_t)(addr / LINE_BYTES) & LINE_NUMBERS; }

/* Lines found so far, by hash of their number; byte b of a line is bit b % 64 of touched[line][b / 64]. */
typedef struct Finder {
    Footprint *out;
    uint64_t (*touched)[2];
    uint16_t *table;
    uint32_t bits;
    uint32_t last; /* index of the line found last, most often the next lane's too */
} Finder;

static inline uint32_t finder_line(Finder *finder, uint32_t line) {
    Footprint *out = finder->out;
    if (out->n_lines > 0 && out->line[finder->last] == line) return finder->last;
    uint32_t entry = line * UINT32_C(0x9e3779b1) >> (32 - finder->bits);
    while (finder->table[entry] != NO_LINE && out->line[finder->table[entry]] != line)
        entry = (entry + 1) & ((1u << finder->bits) - 1);
    if (finder->table[entry] == NO_LINE) {
        uint32_t index = out->n_lines++;
        finder->table[entry] = (uint16_t)index;
        out->line[index] = line;
        finder->touched[index][0] = finder->touched[index][1] = 0;
        out->words[index] = 0;
    }
    return finder->last = finder->table[entry];
}

static inline void finder_add(Finder *finder, uint64_t addr, uint64_t bytes_mask, uint32_t words_mask) {
    uint32_t index = finder_line(finder, line_of(addr));
    finder->touched[index][addr >> 6 & 1] |= bytes_mask << (addr & 63);
    finder->out->words[index] |= words_mask << (addr / 4 % LINE_WORDS);
}

static void finder_end(Finder *finder) {
    Footprint *out = finder->out;
    uint32_t sectors = 0, bytes = 0, words = 0;
    for (uint32_t i = 0; i < out->n_lines; i++) {
        uint64_t low = finder->touched[i][0], high = finder->touched[i][1];
        uint32_t mask = ((uint32_t)low != 0) | (low >> 32 != 0) << 1 | ((uint32_t)high != 0) << 2 | (high >> 32 != 0) << 3;
        out->mask[i] = (uint8_t)mask;
        sectors += (uint32_t)__builtin_popcount(mask);
        bytes += (uint32_t)(__builtin_popcountll(low) + __builtin_popcountll(high));
        words += (uint32_t)__builtin_popcount(out->words[i]);
    }
    out->sectors = sectors;
    out->unique_bytes = bytes;
    out->n_words = words;
}

/* The words of an element of so many bytes, as a mask yet to be shifted. */
static uint32_t words_of(uint32_t bytes) { return (1u << (bytes + 3) / 4) - 1; }

/* Any addresses. */
static void find_any(const uint64_t *addr, uint32_t n, uint32_t bytes, Footprint *out) {
    uint64_t touched[WARP_LANES][2];
    uint16_t table[1 << TABLE_BITS];
    memset(table, 0xff, sizeof table);
    out->n_lines = 0;
    Finder finder = {.out = out, .touched = touched, .table = table, .bits = TABLE_BITS};
    uint64_t bytes_mask = UINT64_MAX >> (64 - bytes);
    for (uint32_t i = 0; i < n; i++) finder_add(&finder, addr[i], bytes_mask, words_of(bytes));
    finder_end(&finder);
}

/* Local memory interleaves the lanes' 4-byte words, so that a wider element is several words, 128 bytes apart. */
static void find_local_words(const uint64_t *addr, uint32_t n, uint32_t bytes, Footprint *out) {
    uint64_t touched[FOOTPRINT_LINES][2];
    uint16_t table[1 << WIDE_TABLE_BITS];
    memset(table, 0xff, sizeof table);
    out->n_lines = 0;
    Finder finder = {.out = out, .touched = touched, .table = table, .bits = WIDE_TABLE_BITS};
    for (uint32_t word = 0; word < bytes / 4; word++)
        for (uint32_t i = 0; i < n; i++) finder_add(&finder, addr[i] + word * LINE_BYTES, 0xf, 1);
    finder_end(&finder);
}

/* All bytes from low on. */
static inline void find_span(uint64_t low, uint32_t span, Footprint *out) {
    uint64_t high = low + span - 1;
    uint32_t last = (uint32_t)(high / LINE_BYTES - low / LINE_BYTES);
    uint32_t words_before = low / 4 % LINE_WORDS, words_after = LINE_WORDS - 1 - high / 4 % LINE_WORDS;
    uint32_t sectors_before = low / SECTOR_BYTES % LINE_SECTORS;
    uint32_t sectors_after = LINE_SECTORS - 1 - high / SECTOR_BYTES % LINE_SECTORS;
    out->n_lines = last + 1;
    out->sectors = (last + 1) * LINE_SECTORS - sectors_before - sectors_after;
    out->n_words = (last + 1) * LINE_WORDS - words_before - words_after;
    out->unique_bytes = span;
    out->line[0] = line_of(low);
    out->words[0] = UINT32_MAX << words_before;
    out->mask[0] = (uint8_t)(SECTORS_ALL << sectors_before & SECTORS_ALL);
    for (uint32_t i = 1; i <= last; i++) {
        out->line[i] = line_of(low + (uint64_t)i * LINE_BYTES);
        out->words[i] = UINT32_MAX;
        out->mask[i] = SECTORS_ALL;
    }
    out->words[last] &= UINT32_MAX >> words_after;
    out->mask[last] &= (uint8_t)(SECTORS_ALL >> sectors_after);
}

/* Of neighbouring lines in the order of the lanes. */
static void set_words(const uint64_t *addr, uint32_t n, uint32_t bytes, Footprint *out) {
    for (uint32_t i = 0; i < out->n_lines; i++) out->words[i] = 0;
    for (uint32_t i = 0; i < n; i++) {
        const uint64_t first = addr[0] / LINE_BYTES, here = addr[i] / LINE_BYTES;
        out->words[here < first ? first - here : here - first] |= words_of(bytes) << (addr[i] / 4 % LINE_WORDS);
    }
    out->n_words = 0;
    for (uint32_t i = 0; i < out->n_lines; i++) out->n_words += (uint32_t)__builtin_popcount(out->words[i]);
}

/* Neighbouring lanes at most a sector apart, but not side by side: every sector from the first byte to the last is touched, but not every
 * word. Lines stand in the order of the lanes. */
static void find_sparse_span(const uint64_t *addr, uint32_t n, uint32_t bytes, int64_t stride, bool load, Footprint *out) {
    bool descends = stride < 0;
    uint64_t low = descends ? addr[n - 1] : addr[0];
    find_span(low, (n - 1) * (uint32_t)(descends ? -stride : stride) + bytes, out);
    out->unique_bytes = n * bytes;
    for (uint32_t i = 0, j = out->n_lines - 1; descends && i < j; i++, j--) {
        uint32_t line = out->line[i];
        uint8_t mask = out->mask[i];
        out->line[i] = out->line[j];
        out->mask[i] = out->mask[j];
        out->line[j] = line;
        out->mask[j] = mask;
    }
    out->spans = load;
    if (!load) set_words(addr, n, bytes, out);
}

/* Neighbouring lanes at least a line apart: a line and a sector for each lane. addr has WARP_LANES entries. */
static void find_lines(const uint64_t *addr, uint32_t n, uint32_t bytes, Footprint *out) {
    for (uint32_t i = 0; i < WARP_LANES; i++) out->line[i] = line_of(addr[i]);
    for (uint32_t i = 0; i < WARP_LANES; i++) out->mask[i] = (uint8_t)(1u << (addr[i] / SECTOR_BYTES % LINE_SECTORS));
    for (uint32_t i = 0; i < WARP_LANES; i++) out->words[i] = words_of(bytes) << (addr[i] / 4 % LINE_WORDS);
    out->sectors = out->n_lines = n;
    out->n_words = n * ((bytes + 3) / 4);
    out->unique_bytes = n * bytes;
}

/* n lanes, each `stride` bytes from its predecessor. */
static void find_strided(const Access *access, const uint64_t *addr, uint32_t n, int64_t stride, Footprint *out) {
    uint32_t bytes = access->bytes;
    uint64_t distance = (uint64_t)(stride < 0 ? -stride : stride);
    if (stride == 0)
        find_span(addr[0], bytes, out);
    else if (distance == bytes && stride > 0)
        find_span(addr[0], n * bytes, out);
    else if (distance <= SECTOR_BYTES)
        find_sparse_span(addr, n, bytes, stride, access->kind == ACCESS_LOAD, out);
    else if (distance >= LINE_BYTES)
        find_lines(addr, n, bytes, out);
    else
        find_any(addr, n, bytes, out);
}

/* The active lanes' addresses, one behind the other. How many. */
static uint32_t pack(const Access *access, uint64_t packed[WARP_LANES]) {
    uint32_t n = 0;
    packed[0] = 0; /* where no lane is active */
    for (uint32_t lanes = access->active; lanes; lanes &= lanes - 1) packed[n++] = access->addr[__builtin_ctz(lanes)];
    return n;
}

/* Each eight lanes side by side, as rows of tiles are, or at one address: four pieces, where none lies in two halves of a line. */
static bool find_rows(const Access *access, Footprint *out) {
    const uint32_t bytes = access->stride == 0 ? access->bytes : EIGHT * access->bytes;
    const uint64_t *addr = access->addr;
    if (access->stride != 0 && access->stride != access->bytes) return false;
    if (bytes > LINE_BYTES / 2 || (addr[0] | addr[EIGHT] | addr[2 * EIGHT] | addr[3 * EIGHT]) % bytes) return false;
    const uint64_t first[] = {addr[0], addr[EIGHT], addr[2 * EIGHT], addr[3 * EIGHT]};
    find_any(first, WARP_LANES / EIGHT, bytes, out);
    return true;
}

static void find(const Access *access, Footprint *out) {
    uint64_t packed[WARP_LANES];
    const uint32_t n = pack(access, packed);
    if (access->space == SPACE_LOCAL && access->bytes > 4) {
        find_local_words(packed, n, access->bytes, out);
        return;
    }
    uint64_t stride = n > 1 ? packed[1] - packed[0] : 0, uneven = 0;
    for (uint32_t i = n; i < WARP_LANES; i++) packed[i] = packed[0] + i * stride;
    for (uint32_t i = 0; i < WARP_LANES; i++) uneven |= packed[i] ^ (packed[0] + i * stride);
    if (uneven)
        find_any(packed, n, access->bytes, out);
    else
        find_strided(access, packed, n, (int64_t)stride, out);
}

/* How many sectors are touched, when each lane that shares its address with earlier lanes goes with a later replay: pairs of sector and replay. */
static uint32_t sectors_replayed(const Access *access) {
    uint64_t addr[WARP_LANES], key[WARP_LANES];
    uint32_t replay[WARP_LANES] = {0}, again[WARP_LANES] = {0}, active = access->active, sum = 0;
    for (uint32_t i = 0; i < WARP_LANES; i++) addr[i] = active >> i & 1 ? access->addr[i] : UINT64_MAX - i;
    for (uint32_t k = 0; k < WARP_LANES; k++)
        for (uint32_t i = 0; i < WARP_LANES; i++) replay[i] += (uint32_t)(addr[i] == addr[k]) & (uint32_t)(i > k);
    for (uint32_t i = 0; i < WARP_LANES; i++) key[i] = addr[i] / SECTOR_BYTES * WARP_LANES + replay[i];
    for (uint32_t k = 0; k < WARP_LANES; k++)
        for (uint32_t i = 0; i < WARP_LANES; i++) again[i] |= (uint32_t)(key[i] == key[k]) & (uint32_t)(i > k);
    for (uint32_t i = 0; i < WARP_LANES; i++) sum += (active >> i & 1) & ~again[i];
    return sum;
}

static __attribute__((noinline)) void find_other(const Access *access, Footprint *out) {
    if (access->strided && access->space == SPACE_GLOBAL)
        find_strided(access, access->addr, WARP_LANES, access->stride, out);
    else if (!access->eights || access->space != SPACE_GLOBAL || !find_rows(access, out))
        find(access, out);
    bool atomic = access->kind == ACCESS_ATOMIC || access->kind == ACCESS_REDUCTION;
    if (atomic && out->unique_bytes < (uint32_t)__builtin_popcount(access->active) * access->bytes)
        out->sectors = sectors_replayed(access);
}

void sectors_set_words(const Access *access, Footprint *out) {
    uint64_t packed[WARP_LANES];
    if (!out->spans) return;
    const uint32_t n = pack(access, packed);
    set_words(packed, n, access->bytes, out);
    out->spans = false;
}

void sectors_find(const Access *access, Footprint *out) {
    out->spans = false;
    if (access_contiguous(access) && access->space == SPACE_GLOBAL)
        find_span(access->addr[0], WARP_LANES * access->bytes, out);
    else
        find_other(access, out);
}

uint32_t sectors_constant_words(const Access *access) {
    const unsigned bytes = access->bytes < 4 ? 4 : access->bytes;
    uint32_t count = 0;
    for (uint32_t left = access->active; left; count++) {
        const uint64_t word = access->addr[__builtin_ctz(left)] / bytes;
        for (uint32_t lanes = left; lanes; lanes &= lanes - 1) {
            const unsigned lane = (unsigned)__builtin_ctz(lanes);
            if (access->addr[lane] / bytes == word) left &= ~(UINT32_C(1) << lane);
        }
    }
    return count;
}
