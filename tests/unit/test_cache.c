/* Sequences whose hits follow by hand from the rules in cache.h. */
#include <string.h>

#include "device/profile.h"
#include "observe/cache.h"
#include "suite.h"

enum { ALL = 0xf };

static Cache *cache_of(uint64_t lines, uint32_t ways) {
    CacheConfig config = {.bytes = lines * 128, .ways = ways};
    return cache_new(&config);
}

START_TEST(a_line_fills_sector_by_sector)
{
    Cache *cache = cache_of(64, 16);
    ck_assert_uint_eq(cache_read(cache, 7, 0x1), 0);
    ck_assert_uint_eq(cache_read(cache, 7, 0x3), 0x1); /* the tag is there, sector 1 is not */
    ck_assert_uint_eq(cache_read(cache, 7, ALL), 0x3);
    ck_assert_uint_eq(cache_read(cache, 7, ALL), ALL);
    ck_assert_uint_eq(cache_read(cache, 8, ALL), 0);
    ck_assert_uint_eq(cache_traffic(cache)->read, 8);
    ck_assert_uint_eq(cache_traffic(cache)->written, 0);
    cache_free(cache);
}
END_TEST

START_TEST(pairs_bring_in_the_sector_beside)
{
    CacheConfig config = {.bytes = 64 * 128, .ways = 16, .pairs = true};
    Cache *cache = cache_new(&config);
    ck_assert_uint_eq(cache_read(cache, 7, 0x2), 0);
    ck_assert_uint_eq(cache_read(cache, 7, ALL), 0x3); /* sector 0 came with 1; 2 and 3 are a pair of their own */
    ck_assert_uint_eq(cache_traffic(cache)->read, 4);
    cache_write(cache, 8, 0xff01);                   /* sector 0 in part, all of sector 1 */
    ck_assert_uint_eq(cache_read(cache, 8, 0x4), 0); /* brings 2 and 3, not 0 */
    ck_assert_uint_eq(cache_read(cache, 8, ALL), 0xe);
    ck_assert_uint_eq(cache_traffic(cache)->read, 6);
    ck_assert_uint_eq(cache_traffic(cache)->filled, 1);
    cache_write(cache, 9, 0x01); /* sector 0 in part: its other words stay below when 1 is read */
    ck_assert_uint_eq(cache_read(cache, 9, 0x2), 0);
    ck_assert_uint_eq(cache_traffic(cache)->read, 7);
    ck_assert_uint_eq(cache_read(cache, 9, 0x3), 0x2);
    ck_assert_uint_eq(cache_traffic(cache)->read, 7);
    ck_assert_uint_eq(cache_traffic(cache)->filled, 2);
    cache_free(cache);
}
END_TEST

START_TEST(a_row_stays_open_for_its_eight_lines)
{
    CacheConfig config = {.bytes = 1024 * 128, .ways = 16, .rows = true};
    Cache *cache = cache_new(&config);
    for (uint32_t line = 0; line < 64; line++) cache_read(cache, line, ALL);
    ck_assert_uint_eq(cache_traffic(cache)->rows, 8);
    for (uint32_t line = 64; line < 64 + 8 * 64; line += 8) cache_read(cache, line, 1); /* one line of each of 64 rows */
    ck_assert_uint_eq(cache_traffic(cache)->rows, 8 + 64);
    for (uint32_t line = 0; line < 64; line++) cache_read(cache, line, ALL); /* nothing is fetched */
    ck_assert_uint_eq(cache_traffic(cache)->rows, 8 + 64);
    cache_free(cache);
}
END_TEST

/* 16,384 places for rows, by the golden ratio's hash, under which 10,946 neighbours (a Fibonacci number) are at least 1/15,127 apart: each has
 * a place of its own. */
START_TEST(thousands_of_neighbouring_rows_stay_open)
{
    CacheConfig config = {.bytes = 128, .ways = 1, .rows = true};
    Cache *cache = cache_new(&config);
    for (int pass = 0; pass < 3; pass++)
        for (uint32_t row = 1000; row < 1000 + 10946; row++) cache_read(cache, 8 * row, 1);
    ck_assert_uint_eq(cache_traffic(cache)->read, 3 * 10946);
    ck_assert_uint_eq(cache_traffic(cache)->rows, 10946);
    cache_free(cache);
}
END_TEST

START_TEST(line_zero_is_a_line_like_others)
{
    Cache *cache = cache_of(16, 16);
    ck_assert_uint_eq(cache_read(cache, 0, 0x2), 0);
    ck_assert_uint_eq(cache_read(cache, 0, 0x2), 0x2);
    for (uint32_t line = 1; line <= 16; line++) cache_read(cache, line, 1);
    ck_assert_uint_eq(cache_read(cache, 0, 0x2), 0); /* 16 others came since */
    cache_free(cache);
}
END_TEST

START_TEST(the_least_recently_used_line_gives_way)
{
    for (uint32_t ways = 1; ways <= 16; ways++) {
        Cache *cache = cache_of(ways, ways); /* a single set */
        for (uint32_t line = 1; line <= ways; line++) ck_assert_uint_eq(cache_read(cache, line, ALL), 0);
        for (uint32_t line = 1; line <= ways; line++) ck_assert_uint_eq(cache_read(cache, line, ALL), ALL);
        ck_assert_uint_eq(cache_read(cache, 1, ALL), ALL); /* 1 is now the youngest, 2 the oldest (with one way, 1) */
        ck_assert_uint_eq(cache_read(cache, 100, ALL), 0);
        ck_assert_uint_eq(cache_probe(cache, 1, ALL, UINT32_MAX), ways > 1 ? ALL : 0);
        ck_assert_uint_eq(cache_probe(cache, 2, ALL, UINT32_MAX), 0);
        ck_assert_uint_eq(cache_probe(cache, 100, ALL, UINT32_MAX), ALL);
        if (ways > 2) ck_assert_uint_eq(cache_probe(cache, 3, ALL, UINT32_MAX), ALL);
        cache_free(cache);
    }
}
END_TEST

START_TEST(looking_does_not_fetch_or_refresh)
{
    Cache *cache = cache_of(2, 2);
    ck_assert_uint_eq(cache_probe(cache, 1, ALL, UINT32_MAX), 0);
    ck_assert_uint_eq(cache_read(cache, 1, ALL), 0);
    ck_assert_uint_eq(cache_read(cache, 2, ALL), 0);
    ck_assert_uint_eq(cache_probe(cache, 1, ALL, UINT32_MAX), ALL);
    ck_assert_uint_eq(cache_read(cache, 3, ALL), 0); /* 1 is still the oldest */
    ck_assert_uint_eq(cache_probe(cache, 1, ALL, UINT32_MAX), 0);
    ck_assert_uint_eq(cache_probe(cache, 2, ALL, UINT32_MAX), ALL);
    cache_free(cache);
}
END_TEST

START_TEST(dirty_sectors_are_written_when_their_line_gives_way)
{
    Cache *cache = cache_of(1, 1);
    cache_write(cache, 1, UINT32_MAX);
    ck_assert_uint_eq(cache_read(cache, 1, ALL), ALL); /* written whole: nothing to fetch */
    ck_assert_uint_eq(cache_traffic(cache)->written, 0);
    cache_read(cache, 2, 0x1);
    ck_assert_uint_eq(cache_traffic(cache)->written, 4);
    ck_assert_uint_eq(cache_traffic(cache)->filled, 0);
    ck_assert_uint_eq(cache_traffic(cache)->read, 1);
    cache_read(cache, 3, 0x1); /* line 2 is clean */
    ck_assert_uint_eq(cache_traffic(cache)->written, 4);
    cache_free(cache);
}
END_TEST

START_TEST(a_partly_written_sector_costs_a_fetch)
{
    Cache *cache = cache_of(1, 1);
    cache_write(cache, 1, 0x00000101); /* a word each of sectors 0 and 1 */
    cache_read(cache, 2, 0x1);
    ck_assert_uint_eq(cache_traffic(cache)->written, 2);
    ck_assert_uint_eq(cache_traffic(cache)->filled, 2);
    cache_write(cache, 3, 0x1);
    ck_assert_uint_eq(cache_read(cache, 3, 0x1), 0); /* the other seven words come from below */
    ck_assert_uint_eq(cache_traffic(cache)->filled, 3);
    ck_assert_uint_eq(cache_read(cache, 3, 0x1), 0x1);
    cache_read(cache, 4, 0x1); /* written back, whole by now */
    ck_assert_uint_eq(cache_traffic(cache)->written, 3);
    ck_assert_uint_eq(cache_traffic(cache)->filled, 3);
    cache_free(cache);
}
END_TEST

START_TEST(eight_scattered_words_make_a_sector_whole)
{
    Cache *cache = cache_of(1, 1);
    for (uint32_t word = 8; word < 16; word++) cache_write(cache, 1, 1u << word);
    ck_assert_uint_eq(cache_read(cache, 1, 0x2), 0x2);
    cache_read(cache, 2, 0x1);
    ck_assert_uint_eq(cache_traffic(cache)->written, 1);
    ck_assert_uint_eq(cache_traffic(cache)->filled, 0);
    cache_free(cache);
}
END_TEST

/* As an H100 shows (tests/hardware/h100-atomics.csv, p_half, p_halfmiss and p_twohalf): every second word of two sectors is written, and those hit; others
 * do not, and bring the sector in; words written later are added. */
START_TEST(a_word_that_was_written_is_served)
{
    Cache *cache = cache_of(1, 1);
    cache_write_through(cache, 1, 0x5555, false);
    ck_assert_uint_eq(cache_read_words(cache, 1, 0x3, 0x5555), 0x3);
    ck_assert_uint_eq(cache_read_words(cache, 1, 0x3, 0x1044), 0x3);
    ck_assert_uint_eq(cache_read_words(cache, 1, 0x3, 0x2055), 0x1); /* the second sector's is fetched */
    ck_assert_uint_eq(cache_read_words(cache, 1, 0x2, 0xff00), 0x2);
    cache_write_through(cache, 1, 0x00aa, false);
    ck_assert_uint_eq(cache_read_words(cache, 1, 0x1, 0x00ff), 0x1);
    ck_assert_uint_eq(cache_traffic(cache)->read, 1);
    ck_assert_uint_eq(cache_probe(cache, 2, ALL, UINT32_MAX), 0); /* another line */
    cache_free(cache);
}
END_TEST

START_TEST(written_words_are_forgotten_with_their_line)
{
    Cache *cache = cache_of(1, 1);
    cache_write_through(cache, 1, 0x0f, false);
    cache_read(cache, 2, ALL);
    cache_write_through(cache, 1, 0xf0, false);
    ck_assert_uint_eq(cache_probe(cache, 1, ALL, UINT32_MAX), 0);
    cache_write_through(cache, 1, 0x0f, false);
    ck_assert_uint_eq(cache_probe(cache, 1, ALL, UINT32_MAX), 0x1);
    ck_assert_uint_eq(cache_traffic(cache)->written, 0); /* written through: never dirty */
    cache_invalidate(cache, 1);
    ck_assert_uint_eq(cache_probe(cache, 1, ALL, UINT32_MAX), 0);
    cache_write_through(cache, 1, 0x80, false);
    ck_assert_uint_eq(cache_probe(cache, 1, ALL, UINT32_MAX), 0);
    cache_free(cache);
}
END_TEST

START_TEST(a_cache_without_room_keeps_nothing)
{
    Cache *cache = cache_of(0, 16);
    ck_assert_uint_eq(cache_read(cache, 1, ALL), 0);
    ck_assert_uint_eq(cache_read(cache, 1, ALL), 0);
    cache_write(cache, 1, 0x00ff00ff);
    ck_assert_uint_eq(cache_traffic(cache)->read, 8);
    ck_assert_uint_eq(cache_traffic(cache)->written, 2);
    cache_free(cache);
}
END_TEST

START_TEST(no_stride_thrashes_half_the_capacity)
{
    for (uint32_t stride = 1; stride <= 4096; stride *= 2) {
        Cache *cache = cache_of(1792, 16);
        uint32_t hits = 0;
        for (uint32_t pass = 0; pass < 2; pass++)
            for (uint32_t i = 0; i < 896; i++) hits += cache_read(cache, 5000 + i * stride, 1);
        ck_assert_msg(hits == 896, "stride %u: %u of 896 hit", stride, hits);
        cache_free(cache);
    }
}
END_TEST

/* One warp of a block reads so many lines twice; the H200's hits of the second pass, for blocks with so much shared memory. */
static const struct {
    uint32_t lines, shared_kb, hits;
} passes[] = {{1024, 0, 1024}, {1536, 0, 1536}, {1792, 0, 1419}, {1920, 0, 570},  {2048, 0, 101}, {2304, 0, 2},
              {3072, 0, 0},    {256, 16, 49},   {768, 16, 0},    {256, 64, 256},  {768, 64, 32},  {1280, 64, 0},
              {256, 112, 49},  {768, 112, 0},   {256, 160, 256}, {768, 160, 529}, {1280, 160, 0}};

START_TEST(second_passes_hit_where_those_of_an_h200_do)
{
    for (size_t i = 0; i < sizeof passes / sizeof *passes; i++) {
        CounterConfig config = profile_counters(profile_find("h200", NULL), 32, passes[i].shared_kb * 1024, true);
        Cache *cache = cache_new(&config.l1_cache);
        uint32_t hits = 0;
        for (uint32_t pass = 0; pass < 2; pass++)
            for (uint32_t line = 0; line < passes[i].lines; line++) hits += cache_read(cache, 1000 + line, ALL) == ALL;
        /* Near the capacity the unknown index of the H200 decides: three tenths of the lines either way. */
        uint32_t apart = hits > passes[i].hits ? hits - passes[i].hits : passes[i].hits - hits;
        ck_assert_msg(apart * 10 <= passes[i].lines * 3, "%u lines, %u KB: %u hit, measured %u", passes[i].lines,
                      passes[i].shared_kb, hits, passes[i].hits);
        cache_free(cache);
    }
}
END_TEST

/* One set as the rules say it, line by line: the first is the most recently used. */
enum { PLAIN_WAYS = 4, SECTOR = 0xff };
typedef struct PlainLine {
    uint32_t number, valid, dirty, words; /* words: written since it was allocated */
} PlainLine;
typedef struct PlainSet {
    PlainLine lines[PLAIN_WAYS];
    unsigned count;
    bool opened[64]; /* rows */
    CacheTraffic traffic;
} PlainSet;

static PlainLine *plain_find(PlainSet *set, uint32_t number) {
    for (unsigned i = 0; i < set->count; i++)
        if (set->lines[i].number == number) return &set->lines[i];
    return NULL;
}

static PlainLine *plain_use(PlainSet *set, uint32_t number) {
    PlainLine *found = plain_find(set, number), line = found ? *found : (PlainLine){.number = number};
    if (!found && set->count == PLAIN_WAYS) {
        const PlainLine *last = &set->lines[PLAIN_WAYS - 1];
        const uint32_t partly = last->dirty & ~last->valid;
        set->traffic.written += (unsigned)__builtin_popcount(last->dirty);
        set->traffic.filled += (unsigned)__builtin_popcount(partly);
        set->traffic.rows += partly != 0;
        found = &set->lines[PLAIN_WAYS - 1];
    }
    if (!found) found = &set->lines[set->count++];
    memmove(set->lines + 1, set->lines, (size_t)(found - set->lines) * sizeof line);
    set->lines[0] = line;
    return set->lines;
}

static uint32_t plain_read(PlainSet *set, uint32_t number, uint32_t sectors, bool pairs) {
    PlainLine *line = plain_use(set, number);
    const uint32_t hits = sectors & line->valid, missing = sectors & ~hits;
    uint32_t fetched = missing & ~line->dirty;
    if (!missing) return hits;
    for (unsigned s = 0; pairs && s < 4; s++)
        if (missing >> s & ~line->dirty >> s & 1 && !((missing | line->valid | line->dirty) >> (s ^ 1) & 1))
            fetched |= 1u << (s ^ 1);
    set->traffic.read += (unsigned)__builtin_popcount(fetched);
    set->traffic.filled += (unsigned)__builtin_popcount(missing & line->dirty);
    set->traffic.rows += !set->opened[number / 8];
    set->opened[number / 8] = true;
    line->valid |= missing | fetched;
    return hits;
}

static uint32_t plain_touched(uint32_t words) {
    uint32_t touched = 0;
    for (unsigned s = 0; s < 4; s++)
        if (words >> 8 * s & SECTOR) touched |= 1u << s;
    return touched;
}

/* What the words touch; those that are complete become valid. */
static uint32_t plain_write(PlainLine *line, uint32_t words) {
    line->words |= words;
    for (unsigned s = 0; s < 4; s++)
        if ((line->words >> 8 * s & SECTOR) == SECTOR) line->valid |= 1u << s;
    return plain_touched(words);
}

/* Of the sectors with words wanted those that are valid, or have had all these words written. */
static uint32_t plain_hits(const PlainLine *line, uint32_t words) {
    uint32_t hits = line->valid;
    for (unsigned s = 0; s < 4; s++)
        if (!(words & ~line->words & (uint32_t)SECTOR << 8 * s)) hits |= 1u << s;
    return hits & plain_touched(words);
}

START_TEST(any_sequence_agrees_with_the_rules)
{
    const bool pairs = _i;
    Cache *cache = cache_new(&(CacheConfig){.bytes = PLAIN_WAYS * 128, .ways = PLAIN_WAYS, .pairs = pairs, .rows = true});
    PlainSet set = {0};
    uint32_t state = 1;
    for (unsigned step = 0; step < 200000; step++) {
        state = state * 1664525 + 1013904223;
        const uint32_t line = (state >> 28) % 7 * 5, sectors = state >> 24 & ALL, act = (state >> 19 & 31) % 13;
        uint32_t words = 0; /* all of some sectors, or parts of them */
        for (unsigned s = 0; s < 4; s++)
            words |= (uint32_t)(sectors >> s & 1 ? (state >> 17 & 1 ? SECTOR : state >> (9 + s) & SECTOR) : 0) << 8 * s;
        PlainLine *known = plain_find(&set, line);
        if (act < 4) {
            const uint32_t hits = cache_read(cache, line, sectors);
            ck_assert_msg(hits == plain_read(&set, line, sectors, pairs), "step %u", step);
        } else if (act > 4 && act < 9) {
            cache_write(cache, line, words);
            PlainLine *used = plain_use(&set, line);
            used->dirty |= plain_write(used, words);
        } else if (act == 4) {
            PlainLine *used = plain_use(&set, line);
            const uint32_t wanted = plain_touched(words), hits = plain_hits(used, words);
            plain_read(&set, line, wanted & ~hits, pairs);
            ck_assert_msg(cache_read_words(cache, line, wanted, words) == hits, "step %u", step);
        } else if (act == 9) {
            const bool alone = state >> 16 & 1;
            PlainLine *used = plain_use(&set, line);
            for (unsigned s = 0; s < 4; s++)
                if (alone && plain_touched(words) >> s & 1) used->words &= ~((uint32_t)SECTOR << 8 * s);
            cache_write_through(cache, line, words, alone);
            plain_write(used, words);
        } else if (act == 10) {
            cache_fill(cache, line, sectors);
            plain_use(&set, line)->valid |= sectors;
        } else if (act == 11) {
            cache_invalidate(cache, line);
            if (known) known->valid = known->dirty = known->words = 0;
        } else {
            const uint32_t valid = cache_probe(cache, line, plain_touched(words), words);
            ck_assert_msg(valid == (known ? plain_hits(known, words) : 0), "step %u", step);
        }
        const CacheTraffic *traffic = cache_traffic(cache);
        if (memcmp(traffic, &set.traffic, sizeof *traffic))
            ck_abort_msg("step %u: %llu %llu %llu %llu", step, (unsigned long long)traffic->read,
                         (unsigned long long)traffic->filled, (unsigned long long)traffic->written,
                         (unsigned long long)traffic->rows);
    }
    ck_assert(set.traffic.read && set.traffic.filled && set.traffic.written);
    cache_free(cache);
}
END_TEST

SUITE("cache", a_line_fills_sector_by_sector, pairs_bring_in_the_sector_beside, a_row_stays_open_for_its_eight_lines,
      thousands_of_neighbouring_rows_stay_open, line_zero_is_a_line_like_others, the_least_recently_used_line_gives_way,
      looking_does_not_fetch_or_refresh, dirty_sectors_are_written_when_their_line_gives_way,
      a_partly_written_sector_costs_a_fetch, eight_scattered_words_make_a_sector_whole, a_word_that_was_written_is_served,
      written_words_are_forgotten_with_their_line, a_cache_without_room_keeps_nothing, no_stride_thrashes_half_the_capacity,
      second_passes_hit_where_those_of_an_h200_do, REPEATED(2, any_sequence_agrees_with_the_rules))
