/* timing.h: statistics of repeated timings: median, spread, and whether a fraction of a yardstick's speed is reached. Pure functions. */
#pragma once

#include <stddef.h>

typedef struct Timing {
    double median_us;
    double low_us, high_us; /* the first and third quartile */
} Timing;

/* n times, at least 1, in any order; they are sorted. */
Timing timing_of(double *times_us, size_t n);

typedef enum TimingVerdict { TIMING_PASSED, TIMING_FAILED, TIMING_INCONCLUSIVE } TimingVerdict;

/* How fast `kernel` is as a fraction of `yardstick`, both timed alternately in one run, with the range that the quartiles leave open. */
typedef struct Fraction {
    double value, least, most;
} Fraction;

Fraction timing_fraction(const Timing *kernel, const Timing *yardstick);

/* Passed when the whole range reaches `wanted`, failed when none of it does. A range that contains `wanted` is as good as its middle where
 * it is narrow (within 2% of its middle on both sides: what GPUs show on a quiet machine), and inconclusive where it is not. */
TimingVerdict timing_verdict(const Fraction *fraction, double wanted);
