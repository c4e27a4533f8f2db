/* serialised.h: which atomic operations wait for each other, as far as it takes time (device/model.c).
 *
 * As measured on an H200 (tests/hardware/h200-contention.csv): L2 takes one sector of a request at a time, as often as most of its lanes meet in a word, in
 * each of its slices. 1024 bytes lie in two slices, which take 256 bytes alternately: two lines side by side, and two 512 bytes apart, are in one, two 256 bytes
 * apart are not. A sum of floats waits for the one before it in its word, which takes longer.
 * In shared memory it is the loops around compare-and-swaps that wait, for all others of their block that update the same word. */
#pragma once

#include "machine/access.h"
#include "observe/sectors.h"

/* What one host thread has seen; NULL: nothing yet. The first that there is to see makes it. */
typedef struct Serialised Serialised;

void serialised_free(Serialised *serialised);

/* Of an atomic operation in global memory. sums: of floats. */
void serialised_global(Serialised **seen, const Footprint *footprint, bool sums);

/* Of a loop in shared memory, before its first iteration, of the block that has this number among those that are resident together. */
void serialised_shared(Serialised **seen, uint32_t block, const Access *access);

/* The blocks that are resident together have ended. */
void serialised_end_batch(Serialised *serialised);

typedef struct SerialisedCounts {
    uint64_t slice; /* sectors, in the slice that had most of them */
    uint64_t sums;  /* of floats, in the line that had most of them; lanes of one request in different sectors count once */
    uint64_t word;  /* updates of the word that had most of them in its block, added up over the batches that had any */
    uint64_t batches;
} SerialisedCounts;

/* Of several host threads together. Lines and words are told apart by hash. */
SerialisedCounts serialised_count(const Serialised *const *serialised, uint32_t count);
