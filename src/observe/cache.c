#include "observe/cache.h"

#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#include "base/alloc.h"
#include "observe/match.h"
#include "observe/sectors.h"

/* Of way w's four sectors, bits 0-3 of state[w] say which are valid as a whole, bits 4-7 which are dirty. A dirty sector that is not valid as a
 * whole consists of its words in the cache's `written`; its other words are still in the level below. A set takes two lines of the host's
 * cache; the words, which only partly written sectors need, lie elsewhere. */
typedef struct Set {
    _Alignas(64) uint32_t tag[CACHE_WAYS_MAX];
    uint8_t state[CACHE_WAYS_MAX];
    uint64_t order;   /* the ways, 4 bits each: lowest the most recently used one, then the one before, … */
    uint16_t partial; /* bit w: written holds words of way w's line */
} Set;

enum { ROW_LINES_LOG2 = 3, ROWS_OPEN_LOG2 = 14 };

enum { DIRTY = 4, SECTOR_WORDS = 8, HOST_LINE_BYTES = 64, HUGE_PAGE = 2 << 20 };

/* No two caches share a pair of the host's lines, since neighbouring SMs' caches are used by different processors. */
struct Cache {
    _Alignas(HOST_PAIR_BYTES) Set *sets;
    uint32_t *written;               /* by set and way */
    uint32_t n_sets, ways, all_ways; /* all_ways: a bit for each */
    uint32_t oldest;                 /* where in a set's order the least recently used way stands: bits to shift by */
    bool pairs;
    uint32_t *open; /* rows fetched from recently, by hash; + 1, 0: none. NULL: they are not counted */
    CacheTraffic traffic;
};

/* Large caches' sets lie in huge pages where the host has them: hashing makes nearly every look-up one of another page. */
static Set *sets_new(uint32_t count) {
    size_t bytes = count * sizeof(Set), unit = bytes < HUGE_PAGE ? HOST_LINE_BYTES : HUGE_PAGE;
    Set *sets = alloc_aligned(unit, bytes);
#ifdef MADV_HUGEPAGE
    if (unit == HUGE_PAGE) madvise(sets, bytes, MADV_HUGEPAGE);
#endif
    for (uint32_t s = 0; s < count; s++) sets[s] = (Set){.order = UINT64_C(0xfedcba9876543210)};
    return sets;
}

Cache *cache_new(const CacheConfig *config) {
    Cache *cache = alloc_aligned(HOST_PAIR_BYTES, sizeof *cache);
    memset(cache, 0, sizeof *cache);
    cache->ways = config->ways < 1 ? 1 : config->ways > CACHE_WAYS_MAX ? CACHE_WAYS_MAX : config->ways;
    cache->pairs = config->pairs;
    if (config->rows) cache->open = alloc_zeroed(1 << ROWS_OPEN_LOG2, sizeof *cache->open);
    cache->n_sets = (uint32_t)(config->bytes / LINE_BYTES / cache->ways);
    if (cache->n_sets == 0) return cache;
    cache->sets = sets_new(cache->n_sets);
    cache->written = alloc_bytes(cache->n_sets * CACHE_WAYS_MAX * sizeof *cache->written); /* read where `partial` says so */
    cache->all_ways = (2u << (cache->ways - 1)) - 1;
    cache->oldest = 4 * (cache->ways - 1);
    return cache;
}

void cache_free(Cache *cache) {
    if (cache) free(cache->written);
    if (!cache) return;
    free(cache->sets);
    free(cache->open);
    free(cache);
}

const CacheTraffic *cache_traffic(const Cache *cache) { return &cache->traffic; }

/* Multiplying by the golden ratio spreads any run of lines, and any strided one, evenly over the sets. */
static inline Set *set_of(const Cache *cache, uint32_t line) {
    uint32_t hash = line * UINT32_C(0x9e3779b1);
    return &cache->sets[(uint64_t)hash * cache->n_sets >> 32];
}

void cache_prefetch(const Cache *cache, uint32_t line) {
    if (cache->n_sets == 0) return;
    const char *set = (const char *)set_of(cache, line);
    __builtin_prefetch(set, 1);
    __builtin_prefetch(set + HOST_LINE_BYTES, 1);
}

void cache_prefetch_all(const Cache *cache) {
    for (uint32_t s = 0; s < cache->n_sets; s++) {
        __builtin_prefetch(&cache->sets[s], 1, 2);
        __builtin_prefetch((const char *)&cache->sets[s] + HOST_LINE_BYTES, 1, 2);
    }
}

static void write_back(Cache *cache, uint32_t dirty, uint32_t whole) {
    cache->traffic.written += (uint32_t)__builtin_popcount(dirty);
    cache->traffic.filled += (uint32_t)__builtin_popcount(dirty & ~whole);
    cache->traffic.rows += cache->open && (dirty & ~whole) != 0;
}

/* Bit w: way w carries the line's tag. */
static inline uint32_t ways_of(const Cache *cache, const Set *set, uint32_t line) {
    return match_words(set->tag, line) & cache->all_ways;
}

/* Makes the way that stands so many bits up in the order the most recently used one. */
static inline void make_recent(Set *set, uint32_t way, uint32_t at) {
    uint64_t recent = set->order & ((UINT64_C(1) << at) - 1), older = set->order & (UINT64_MAX - 15) << at;
    set->order = older | recent << 4 | way;
}

/* Where the way stands in the order. */
static inline uint32_t set_place(const Set *set, uint32_t way) {
    const uint64_t ones = UINT64_C(0x1111111111111111);
    uint64_t others = set->order ^ way * ones; /* 0 where the way stands; borrows go up from there only */
    return (uint32_t)__builtin_ctzll((others - ones) & ~others & ones << 3) - 3;
}

/* The line's way, allocated if need be by evicting the least recently used one; now the most recently used. */
static inline uint32_t way_of(Cache *cache, Set *set, uint32_t line) {
    uint32_t way = set->order & 15;
    if (set->tag[way] == line) return way;
    uint32_t match = ways_of(cache, set, line);
    if (match) {
        way = (uint32_t)__builtin_ctz(match);
        make_recent(set, way, set_place(set, way));
        return way;
    }
    way = set->order >> cache->oldest & 15;
    make_recent(set, way, cache->oldest);
    uint32_t state = set->state[way];
    if (state >> DIRTY) write_back(cache, state >> DIRTY, state & SECTORS_ALL);
    set->state[way] = 0;
    set->tag[way] = line;
    set->partial &= (uint16_t) ~(1u << way);
    return way;
}

/* Counts a fetch from the line's row. */
static void open_row(Cache *cache, uint32_t line) {
    uint32_t row = line >> ROW_LINES_LOG2, *open = &cache->open[row * UINT32_C(0x9e3779b1) >> (32 - ROWS_OPEN_LOG2)];
    cache->traffic.rows += *open != row + 1;
    *open = row + 1;
}

static void fetch(Cache *cache, Set *set, uint32_t way, uint32_t line, uint32_t missing) {
    uint32_t state = set->state[way], partly = missing & state >> DIRTY, whole = missing & ~partly;
    if (cache->pairs) whole |= sector_pairs(whole) & ~(missing | state | state >> DIRTY);
    cache->traffic.read += (uint32_t)__builtin_popcount(whole);
    cache->traffic.filled += (uint32_t)__builtin_popcount(partly);
    if (cache->open) open_row(cache, line);
    set->state[way] = (uint8_t)(state | missing | whole);
}

uint32_t cache_read(Cache *cache, uint32_t line, uint32_t sectors) {
    if (cache->n_sets == 0) {
        cache->traffic.read += (uint32_t)__builtin_popcount(sectors);
        return 0;
    }
    Set *set = set_of(cache, line);
    uint32_t way = way_of(cache, set, line), hits = sectors & set->state[way];
    if (hits != sectors) fetch(cache, set, way, line, sectors & ~hits);
    return hits;
}

/* The sectors that are valid, or of which the words wanted have been written. */
static inline uint32_t hits_of(const Cache *cache, const Set *set, uint32_t way, uint32_t sectors, uint32_t words) {
    const uint32_t hits = sectors & set->state[way];
    if (hits == sectors || !(set->partial >> way & 1)) return hits;
    return hits | (sectors & ~sectors_touched(words & ~cache->written[(size_t)(set - cache->sets) * CACHE_WAYS_MAX + way]));
}

uint32_t cache_read_words(Cache *cache, uint32_t line, uint32_t sectors, uint32_t words) {
    if (cache->n_sets == 0) return cache_read(cache, line, sectors);
    Set *set = set_of(cache, line);
    uint32_t way = way_of(cache, set, line), hits = hits_of(cache, set, way, sectors, words);
    if (hits != sectors) fetch(cache, set, way, line, sectors & ~hits);
    return hits;
}

uint32_t cache_probe(const Cache *cache, uint32_t line, uint32_t sectors, uint32_t words) {
    if (cache->n_sets == 0) return 0;
    const Set *set = set_of(cache, line);
    uint32_t match = ways_of(cache, set, line);
    return match ? hits_of(cache, set, (uint32_t)__builtin_ctz(match), sectors, words) : 0;
}

/* Notes the words as written, in their sectors as the only ones if so asked; returns the sectors that this completes, and maybe some that were complete. */
static inline uint32_t complete(Cache *cache, Set *set, uint32_t way, uint32_t words, bool alone) {
    uint32_t whole = sectors_whole(words), touched = sectors_touched(words);
    if (whole == touched) return whole;
    uint32_t *written = &cache->written[(size_t)(set - cache->sets) * CACHE_WAYS_MAX + way];
    *written = (set->partial >> way & 1 ? *written & ~(alone ? sectors_words(touched) : 0) : 0) | words;
    set->partial |= (uint16_t)(1u << way);
    return alone ? whole : sectors_whole(*written);
}

void cache_write(Cache *cache, uint32_t line, uint32_t words) {
    uint32_t sectors = sectors_touched(words);
    if (cache->n_sets == 0) {
        cache->traffic.written += (uint32_t)__builtin_popcount(sectors);
        return;
    }
    Set *set = set_of(cache, line);
    uint32_t way = way_of(cache, set, line);
    set->state[way] |= (uint8_t)(sectors << DIRTY | complete(cache, set, way, words, false));
}

void cache_fill(Cache *cache, uint32_t line, uint32_t sectors) {
    if (cache->n_sets == 0) return;
    Set *set = set_of(cache, line);
    uint32_t way = way_of(cache, set, line);
    set->state[way] |= (uint8_t)sectors;
}

void cache_write_through(Cache *cache, uint32_t line, uint32_t words, bool alone) {
    if (cache->n_sets == 0) return;
    Set *set = set_of(cache, line);
    uint32_t way = way_of(cache, set, line);
    set->state[way] |= (uint8_t)complete(cache, set, way, words, alone);
}

void cache_forget_words(Cache *cache, uint32_t line, uint32_t sectors) {
    if (cache->n_sets == 0) return;
    Set *set = set_of(cache, line);
    for (uint32_t match = set->partial ? ways_of(cache, set, line) & set->partial : 0; match; match &= match - 1)
        cache->written[(size_t)(set - cache->sets) * CACHE_WAYS_MAX + (uint32_t)__builtin_ctz(match)] &=
            ~sectors_words(sectors);
}

void cache_invalidate(Cache *cache, uint32_t line) {
    if (cache->n_sets == 0) return;
    Set *set = set_of(cache, line);
    for (uint32_t match = ways_of(cache, set, line); match; match &= match - 1) {
        uint32_t way = (uint32_t)__builtin_ctz(match);
        set->state[way] = 0;
        set->partial &= (uint16_t) ~(1u << way);
    }
}

void cache_empty(Cache *cache, uint32_t below) {
    for (Set *set = cache->sets; set < cache->sets + cache->n_sets; set++)
        for (uint32_t way = 0; way < cache->ways; way++) {
            if (set->tag[way] >= below) continue;
            set->state[way] = 0;
            set->partial &= (uint16_t) ~(1u << way);
        }
}
