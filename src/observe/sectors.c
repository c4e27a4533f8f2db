#include "observe/sectors.h"

#include <stdbool.h>
#include <string.h>

enum { TABLE_BITS = 6, WIDE_TABLE_BITS = 9, NO_LINE = 0xffff };

/* Lines found so far, by hash of their number; byte b of a line is bit b % 64 of touched[line][b / 64]. */
typedef struct Finder {
    Footprint *out;
    uint64_t (*touched)[2];
    uint16_t *table;
    uint32_t bits;
    uint32_t last; /* index of the line found last, where the next lane's is most often */
} Finder;

static inline uint32_t finder_line(Finder *finder, uint64_t line) {
    Footprint *out = finder->out;
    if (out->n_lines > 0 && out->line[finder->last] == line) return finder->last;
    uint32_t slot = (uint32_t)(line * UINT64_C(0x9e3779b97f4a7c15) >> (64 - finder->bits));
    while (finder->table[slot] != NO_LINE && out->line[finder->table[slot]] != line)
        slot = (slot + 1) & ((1u << finder->bits) - 1);
    if (finder->table[slot] == NO_LINE) {
        uint32_t index = out->n_lines++;
        finder->table[slot] = (uint16_t)index;
        out->line[index] = line;
        finder->touched[index][0] = finder->touched[index][1] = 0;
        out->words[index] = 0;
    }
    return finder->last = finder->table[slot];
}

static inline void finder_add(Finder *finder, uint64_t addr, uint64_t bytes_mask, uint32_t words_mask) {
    uint32_t index = finder_line(finder, addr / LINE_BYTES);
    finder->touched[index][addr >> 6 & 1] |= bytes_mask << (addr & 63);
    finder->out->words[index] |= words_mask << (addr / 4 % LINE_WORDS);
}

static void finder_end(Finder *finder) {
    Footprint *out = finder->out;
    uint32_t sectors = 0, bytes = 0;
    for (uint32_t i = 0; i < out->n_lines; i++) {
        uint64_t low = finder->touched[i][0], high = finder->touched[i][1];
        uint32_t mask = ((uint32_t)low != 0) | (low >> 32 != 0) << 1 | ((uint32_t)high != 0) << 2 | (high >> 32 != 0) << 3;
        out->mask[i] = (uint8_t)mask;
        sectors += (uint32_t)__builtin_popcount(mask);
        bytes += (uint32_t)(__builtin_popcountll(low) + __builtin_popcountll(high));
    }
    out->sectors = sectors;
    out->unique_bytes = bytes;
}

/* The words of an element of so many bytes, as a mask to be shifted to its place. */
static uint32_t words_of(uint32_t bytes) { return (1u << (bytes + 3) / 4) - 1; }

/* Any addresses. */
static void find_any(const uint64_t *addr, uint32_t n, uint32_t bytes, Footprint *out) {
    uint64_t touched[WARP_LANES][2];
    uint16_t table[1 << TABLE_BITS];
    memset(table, 0xff, sizeof table);
    Finder finder = {.out = out, .touched = touched, .table = table, .bits = TABLE_BITS};
    uint64_t bytes_mask = (UINT64_C(1) << bytes) - 1;
    for (uint32_t i = 0; i < n; i++) finder_add(&finder, addr[i], bytes_mask, words_of(bytes));
    finder_end(&finder);
}

/* Local memory interleaves the lanes' 4-byte words, so that a wider element is several words, 128 bytes apart. */
static void find_local_words(const uint64_t *addr, uint32_t n, uint32_t bytes, Footprint *out) {
    uint64_t touched[FOOTPRINT_LINES][2];
    uint16_t table[1 << WIDE_TABLE_BITS];
    memset(table, 0xff, sizeof table);
    Finder finder = {.out = out, .touched = touched, .table = table, .bits = WIDE_TABLE_BITS};
    for (uint32_t word = 0; word < bytes / 4; word++)
        for (uint32_t i = 0; i < n; i++) finder_add(&finder, addr[i] + word * LINE_BYTES, 0xf, 1);
    finder_end(&finder);
}

/* Neighbouring lanes at most a sector apart: every sector from the first to the last byte is touched. */
static void find_span(uint64_t low, uint32_t span, bool descending, Footprint *out) {
    uint64_t high = low + span - 1, first_line = low / LINE_BYTES;
    uint32_t sectors = (uint32_t)(high / SECTOR_BYTES - low / SECTOR_BYTES + 1);
    uint32_t n_lines = (uint32_t)(high / LINE_BYTES - first_line + 1);
    uint64_t mask = ((UINT64_C(1) << sectors) - 1) << low / SECTOR_BYTES % LINE_SECTORS;
    out->sectors = sectors;
    out->n_lines = n_lines;
    for (uint32_t i = 0; i < n_lines; i++) {
        uint32_t at = descending ? n_lines - 1 - i : i;
        out->line[at] = first_line + i;
        out->mask[at] = mask >> (LINE_SECTORS * i) & 0xf;
    }
}

/* The words of such a span, whose lines are found: all between its ends when the elements touch, else each element's. */
static void find_span_words(const uint64_t *addr, uint32_t n, uint32_t bytes, bool dense, Footprint *out) {
    uint64_t low = addr[0] < addr[n - 1] ? addr[0] : addr[n - 1], first_line = low / LINE_BYTES;
    bool descending = out->line[0] != first_line;
    for (uint32_t i = 0; i < out->n_lines; i++) out->words[i] = dense ? UINT32_MAX : 0;
    if (!dense) {
        for (uint32_t i = 0; i < n; i++) {
            uint32_t line = (uint32_t)(addr[i] / LINE_BYTES - first_line);
            out->words[descending ? out->n_lines - 1 - line : line] |= words_of(bytes) << (addr[i] / 4 % LINE_WORDS);
        }
        return;
    }
    uint64_t high = addr[0] + addr[n - 1] - low + bytes - 1;
    uint32_t first = descending ? out->n_lines - 1 : 0, last = descending ? 0 : out->n_lines - 1;
    out->words[first] &= UINT32_MAX << (low / 4 % LINE_WORDS);
    out->words[last] &= UINT32_MAX >> (LINE_WORDS - 1 - high / 4 % LINE_WORDS);
}

/* Neighbouring lanes at least a line apart: a line and a sector for each lane. addr has WARP_LANES entries. */
static void find_lines(const uint64_t *addr, uint32_t n, uint32_t bytes, Footprint *out) {
    for (uint32_t i = 0; i < WARP_LANES; i++) out->line[i] = addr[i] / LINE_BYTES;
    for (uint32_t i = 0; i < WARP_LANES; i++) out->mask[i] = (uint8_t)(1u << (addr[i] / SECTOR_BYTES % LINE_SECTORS));
    for (uint32_t i = 0; i < WARP_LANES; i++) out->words[i] = words_of(bytes) << (addr[i] / 4 % LINE_WORDS);
    out->sectors = out->n_lines = n;
}

static void find(const Access *access, Footprint *out) {
    const uint64_t *addr = access->addr;
    if (access->contiguous && (access->space != SPACE_LOCAL || access->bytes <= 4)) {
        find_span(addr[0], WARP_LANES * access->bytes, false, out);
        out->unique_bytes = WARP_LANES * access->bytes;
        if (access->kind != ACCESS_LOAD) find_span_words(addr, WARP_LANES, access->bytes, true, out);
        return;
    }
    uint64_t packed[WARP_LANES];
    uint32_t n = WARP_LANES, bytes = access->bytes;
    if (access->active != LANES_ALL) {
        uint32_t lanes = access->active;
        packed[0] = addr[__builtin_ctz(lanes)];
        for (n = 1; lanes &= lanes - 1; n++) packed[n] = addr[__builtin_ctz(lanes)];
        uint64_t step = n > 1 ? packed[1] - packed[0] : 0;
        for (uint32_t i = n; i < WARP_LANES; i++) packed[i] = packed[0] + i * step;
        addr = packed;
    }
    out->n_lines = 0;
    if (access->space == SPACE_LOCAL && bytes > 4) {
        find_local_words(addr, n, bytes, out);
        return;
    }
    uint64_t stride = addr[1] - addr[0], expected = addr[0], uneven = 0;
    for (uint32_t i = 0; i < WARP_LANES; i++) {
        uneven |= addr[i] ^ expected;
        expected += stride;
    }
    bool descending = stride >> 63;
    uint64_t distance = descending ? -stride : stride;
    if (uneven || (distance > SECTOR_BYTES && distance < LINE_BYTES)) {
        find_any(addr, n, bytes, out);
        return;
    }
    if (distance >= LINE_BYTES) {
        find_lines(addr, n, bytes, out);
        out->unique_bytes = n * bytes;
        return;
    }
    bool dense = distance == bytes || distance == 0;
    n = distance == 0 ? 1 : n;
    find_span(addr[descending ? n - 1 : 0], (n - 1) * (uint32_t)distance + bytes, descending, out);
    out->unique_bytes = n * bytes;
    if (access->kind != ACCESS_LOAD) find_span_words(addr, n, bytes, dense, out);
}

/* How often sectors are touched when each lane that shares its address with earlier lanes comes a turn later: pairs of sector and turn. */
static uint32_t sectors_in_turns(const Access *access) {
    uint64_t addr[WARP_LANES], key[WARP_LANES];
    uint32_t turn[WARP_LANES] = {0}, again[WARP_LANES] = {0}, active = access->active, sum = 0;
    for (uint32_t i = 0; i < WARP_LANES; i++) addr[i] = active >> i & 1 ? access->addr[i] : UINT64_MAX - i;
    for (uint32_t k = 0; k < WARP_LANES; k++)
        for (uint32_t i = 0; i < WARP_LANES; i++) turn[i] += (uint32_t)(addr[i] == addr[k]) & (uint32_t)(i > k);
    for (uint32_t i = 0; i < WARP_LANES; i++) key[i] = addr[i] / SECTOR_BYTES * WARP_LANES + turn[i];
    for (uint32_t k = 0; k < WARP_LANES; k++)
        for (uint32_t i = 0; i < WARP_LANES; i++) again[i] |= (uint32_t)(key[i] == key[k]) & (uint32_t)(i > k);
    for (uint32_t i = 0; i < WARP_LANES; i++) sum += (active >> i & 1) & ~again[i];
    return sum;
}

void sectors_find(const Access *access, Footprint *out) {
    find(access, out);
    bool atomic = access->kind == ACCESS_ATOMIC || access->kind == ACCESS_REDUCTION;
    if (atomic && out->unique_bytes < (uint32_t)__builtin_popcount(access->active) * access->bytes)
        out->sectors = sectors_in_turns(access);
}

uint32_t sectors_whole_words(uint32_t words) {
    uint32_t kept = 0;
    for (uint32_t s = 0; s < LINE_SECTORS; s++) {
        uint32_t sector = UINT32_C(0xff) << s * (LINE_WORDS / LINE_SECTORS);
        kept |= (words & sector) == sector ? sector : 0;
    }
    return kept;
}
