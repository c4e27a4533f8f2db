#include "device/timing.h"

#include <stdlib.h>

static int ascending(const void *a, const void *b) {
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

/* Between the two nearest of n sorted values. */
static double quantile(const double *sorted, size_t n, double q) {
    double at = q * (double)(n - 1);
    size_t below = (size_t)at;
    if (below + 1 >= n) return sorted[n - 1];
    return sorted[below] + (at - (double)below) * (sorted[below + 1] - sorted[below]);
}

Timing timing_of(double *times_us, size_t n) {
    qsort(times_us, n, sizeof *times_us, ascending);
    return (Timing){quantile(times_us, n, 0.5), quantile(times_us, n, 0.25), quantile(times_us, n, 0.75)};
}

Fraction timing_fraction(const Timing *kernel, const Timing *yardstick) {
    return (Fraction){yardstick->median_us / kernel->median_us, yardstick->low_us / kernel->high_us,
                      yardstick->high_us / kernel->low_us};
}

TimingVerdict timing_verdict(const Fraction *fraction, double wanted) {
    if (fraction->least >= wanted) return TIMING_PASSED;
    if (fraction->most < wanted) return TIMING_FAILED;
    double slack = 0.02 * fraction->value;
    if (fraction->value - fraction->least > slack || fraction->most - fraction->value > slack) return TIMING_INCONCLUSIVE;
    return fraction->value >= wanted ? TIMING_PASSED : TIMING_FAILED;
}
