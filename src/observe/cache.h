/* cache.h: a sectored cache: tags of 128-byte lines with four 32-byte sectors each. Pure state, no addresses' data.
 *
 * Set-associative with a hashed set index, so that strides of a power of two do not meet in one set; the least recently used line of
 * a set gives way. A line is filled sector by sector. Lines are named by a 32-bit number of the caller's choice. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

enum { CACHE_WAYS_MAX = 16 };

/* Processors fetch two of their lines of memory at a time: what different ones are busy with lies so far apart. */
enum { HOST_PAIR_BYTES = 128 };

typedef struct CacheConfig {
    uint64_t bytes; /* capacity; 0: nothing is ever kept */
    uint32_t ways;  /* of each set, at most CACHE_WAYS_MAX */
    bool pairs;     /* reading brings in 64 bytes: with a missing sector its neighbour of the same aligned pair */
    bool rows;      /* counts the rows that are opened */
} CacheConfig;

typedef struct Cache Cache;

/* What went on below the cache, in sectors. */
typedef struct CacheTraffic {
    uint64_t read;    /* fetched because they were read and missing */
    uint64_t filled;  /* fetched to complete a partly written sector: when it is read, or when it is written back */
    uint64_t written; /* written back when their line gave way */
    /* If asked for: 1024-byte rows opened for reading, that is, not among some thousand read lately. A partly written line that gives
     * way opens one by itself, for what is missing. */
    uint64_t rows;
} CacheTraffic;

Cache *cache_new(const CacheConfig *config); /* cold */
void cache_free(Cache *cache);

/* Looks the sectors (a mask of 4 bits) of a line up and fetches those that are missing. Returns the mask of those that were there. */
uint32_t cache_read(Cache *cache, uint32_t line, uint32_t sectors);

/* The same without fetching anything or changing the line's age. */
uint32_t cache_look(const Cache *cache, uint32_t line, uint32_t sectors);

/* Write-back with allocation, nothing is fetched. words: bit w for each of the line's 4-byte words that is written; bytes within a word
 * are taken to be written together. A sector whose eight words have all been written needs no fetching later. */
void cache_write(Cache *cache, uint32_t line, uint32_t words);

/* Writing through with allocation, nothing is fetched and nothing is dirty: sectors whose eight words have all been written since the
 * line came are valid from then on. words: as above. */
void cache_write_through(Cache *cache, uint32_t line, uint32_t words);

/* Makes the sectors valid without fetching anything. */
void cache_fill(Cache *cache, uint32_t line, uint32_t sectors);

/* Makes the line's data invalid without writing anything back. */
void cache_drop(Cache *cache, uint32_t line);

/* Asks the host processor for a line's set ahead of its use; changes no state. */
void cache_expect(const Cache *cache, uint32_t line);

/* The same for all sets of a small cache that was last used a while ago. */
void cache_expect_all(const Cache *cache);

const CacheTraffic *cache_traffic(const Cache *cache);
