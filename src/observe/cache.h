/* cache.h: a sectored cache: tags of 128-byte lines with four 32-byte sectors each. Pure state, no addresses' data.
 *
 * Set-associative with a hashed set index, so that lines a power of two apart do not all fall into one set; the least recently used
 * line of a set is evicted. A line is filled sector by sector. Lines are named by a 32-bit number of the caller's choice. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

enum { CACHE_WAYS_MAX = 16 };

typedef struct CacheConfig {
    uint64_t bytes; /* capacity; 0: nothing is ever kept */
    uint32_t ways;  /* of each set, at most CACHE_WAYS_MAX */
    bool pairs;     /* a read fetches 64 bytes: with a missing sector the other one of its aligned pair */
    bool rows;      /* count the rows that are opened */
} CacheConfig;

typedef struct Cache Cache;

/* Traffic with the level below the cache, in sectors. */
typedef struct CacheTraffic {
    uint64_t read;    /* fetched because they were read and missing */
    uint64_t filled;  /* fetched to complete a partly written sector: when it is read, or when it is written back */
    uint64_t written; /* written back when their line was evicted */
    /* If asked for: 1024-byte rows opened for reading, that is, not among some thousand read recently. Evicting a partly written line
     * always opens one, for what is missing. */
    uint64_t rows;
} CacheTraffic;

Cache *cache_new(const CacheConfig *config); /* cold */
void cache_free(Cache *cache);

/* Looks the sectors (a mask of 4 bits) of a line up and fetches those that miss. Returns the mask of those that hit. */
uint32_t cache_read(Cache *cache, uint32_t line, uint32_t sectors);

/* The same of a cache that is written through: a sector of which only some words have been written hits where no others are read. words: a bit for each
 * of the line's 4-byte words that is read, in those sectors and at least one in each of them. */
uint32_t cache_read_words(Cache *cache, uint32_t line, uint32_t sectors, uint32_t words);

/* The same without fetching anything or making the line recently used. */
uint32_t cache_probe(const Cache *cache, uint32_t line, uint32_t sectors, uint32_t words);

/* Write-back, write-allocate; nothing is fetched. words: bit w for each of the line's 4-byte words that is written; bytes within a word
 * are taken to be written together. A sector whose eight words have all been written needs no fetching later. */
void cache_write(Cache *cache, uint32_t line, uint32_t words);

/* Write-through, write-allocate; nothing is fetched and nothing becomes dirty: sectors whose eight words have all been written since the line
 * was allocated are valid from then on. words: as above. alone: of these words' sectors no others count as written any more. */
void cache_write_through(Cache *cache, uint32_t line, uint32_t words, bool alone);

/* Of sectors that are not whole, no word counts as written any more. */
void cache_forget_words(Cache *cache, uint32_t line, uint32_t sectors);

/* Allocates the line and makes the sectors valid without fetching anything. */
void cache_fill(Cache *cache, uint32_t line, uint32_t sectors);

/* Invalidates the line without writing anything back. */
void cache_invalidate(Cache *cache, uint32_t line);

/* The same of all lines with numbers below this. */
void cache_empty(Cache *cache, uint32_t below);

/* Prefetches a line's set into the host's caches; changes no state. */
void cache_prefetch(const Cache *cache, uint32_t line);

/* The same for all sets of a small cache. */
void cache_prefetch_all(const Cache *cache);

/* The aligned pairs of sectors that these are in. */
static inline uint32_t sector_pairs(uint32_t sectors) { return sectors | (sectors & 0x5) << 1 | (sectors & 0xa) >> 1; }

/* A line's place in a table: neighbouring lines have neighbouring ones, and lines a power of two apart do not all fall together. */
static inline uint32_t line_slot(uint32_t line, uint32_t bits) {
    return (line + (line >> bits) * UINT32_C(0x9e3779b1)) & ((1u << bits) - 1);
}

const CacheTraffic *cache_traffic(const Cache *cache);
