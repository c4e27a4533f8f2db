/* rand_sequence.h: the sequences of cuRAND's generators, on the host. Internal to src/runtime.
 * XORWOW and MRG32k3a are many streams, far apart in one sequence, of which each number is the next one's: which, cuRAND's guide says under
 * "ordering". How seeds become states, and numbers of 32 bits others, is in NVIDIA's curand_kernel.h, curand_uniform.h and curand_normal.h. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "runtime/twister.h"

typedef enum SequenceKind {
    SEQUENCE_XORWOW,
    SEQUENCE_MRG32K3A,
    SEQUENCE_PHILOX,
    SEQUENCE_MT19937,
    SEQUENCE_SOBOL32
} SequenceKind;

typedef struct Sequence {
    SequenceKind kind;
    uint32_t streams; /* of XORWOW and MRG32k3a */
    uint64_t seed;
    uint32_t dimensions; /* of Sobol32: as many runs of numbers stand one behind the other */
    uint64_t
        position; /* in numbers of 32 bits; of streams, those that have been asked for a number; of Sobol32 in each dimension */
    uint32_t (*states)[6]; /* one for each stream; NULL: they are made when they are needed. On the heap */
    Twister *twister;      /* of MT19937; NULL: likewise */
} Sequence;

enum { SOBOL_DIMENSIONS_MOST = 16 };

/* What numbers are made of it. */
typedef enum Distribution {
    DISTRIBUTION_BITS,
    DISTRIBUTION_UNIFORM,
    DISTRIBUTION_NORMAL,
    DISTRIBUTION_LOG_NORMAL
} Distribution;

typedef struct Draw {
    Distribution distribution;
    bool wide; /* doubles in place of floats; never of bits */
    double mean, deviation;
} Draw;

size_t draw_bytes(const Draw *draw); /* of one number */

/* Of how many a count must be a multiple. */
size_t sequence_unit(const Sequence *sequence, const Draw *draw);

/* The next numbers. */
void sequence_fill(Sequence *sequence, const Draw *draw, size_t count, void *numbers);

/* Another seed, position or number of streams: forgets the states. */
void sequence_restart(Sequence *sequence);
