#include "report/pattern.h"

static uint32_t first_lane(uint32_t active) { return (uint32_t)__builtin_ctz(active); }

/* Active lanes fit base + (i / run) * jump + (i % run) * stride. What no pair of lanes tells is taken to be 0. */
static bool fits(const Access *access, uint32_t run, int64_t stride, int64_t jump) {
    uint32_t first = first_lane(access->active);
    for (uint32_t i = first + 1; i < WARP_LANES; i++) {
        if (!(access->active >> i & 1)) continue;
        int64_t rows = (int64_t)(i / run) - (int64_t)(first / run), columns = (int64_t)(i % run) - (int64_t)(first % run);
        if (access->addr[i] - access->addr[first] != (uint64_t)rows * (uint64_t)jump + (uint64_t)columns * (uint64_t)stride)
            return false;
    }
    return true;
}

/* The distance from a lane to the next, from the first two active lanes of one run; false when they are no whole number apart. */
static bool find_stride(const Access *access, uint32_t run, int64_t *stride) {
    for (uint32_t i = 0; i < WARP_LANES; i++)
        for (uint32_t k = i + 1; k < WARP_LANES && k / run == i / run; k++) {
            if (!(access->active >> i & 1) || !(access->active >> k & 1)) continue;
            int64_t distance = (int64_t)(access->addr[k] - access->addr[i]);
            *stride = distance / (int64_t)(k - i);
            return distance % (int64_t)(k - i) == 0;
        }
    return false;
}

/* With fewer lanes than this, runs (a base, a stride and a jump) would fit almost anything. */
enum { RUN_LANES_MIN = 6 };

static bool find_runs(const Access *access, Pattern *pattern) {
    uint32_t first = first_lane(access->active);
    if (__builtin_popcount(access->active) < RUN_LANES_MIN) return false;
    for (uint32_t run = 2; run <= WARP_LANES / 2; run++) {
        int64_t stride, jump = 0;
        if (!find_stride(access, run, &stride)) continue;
        for (uint32_t i = first + 1; i < WARP_LANES; i++) {
            if (!(access->active >> i & 1) || i / run == first / run) continue;
            int64_t columns = (int64_t)(i % run) - (int64_t)(first % run), rows = (int64_t)(i / run - first / run);
            jump = (int64_t)(access->addr[i] - access->addr[first] - (uint64_t)columns * (uint64_t)stride);
            if (jump % rows) break;
            jump /= rows;
            if (!fits(access, run, stride, jump)) break;
            pattern->run = run;
            pattern->stride = stride;
            pattern->jump = jump;
            return true;
        }
    }
    return false;
}

Pattern pattern_find(const Access *access) {
    uint32_t active = access->active, first = first_lane(active), lanes = active >> first;
    Pattern pattern = {.kind = PATTERN_SCATTERED, .low = access->addr[first], .holes = (lanes & (lanes + 1)) != 0};
    uint64_t high = pattern.low;
    for (uint32_t i = first; i < WARP_LANES; i++) {
        if (!(active >> i & 1)) continue;
        if (access->addr[i] < pattern.low) pattern.low = access->addr[i];
        if (access->addr[i] > high) high = access->addr[i];
    }
    pattern.span = high - pattern.low + access->bytes;
    if (lanes == 1)
        pattern.kind = PATTERN_SINGLE;
    else if (high == pattern.low)
        pattern.kind = PATTERN_SAME;
    else if (find_stride(access, WARP_LANES, &pattern.stride) && fits(access, WARP_LANES, pattern.stride, 0))
        pattern.kind = PATTERN_STRIDE;
    else if (find_runs(access, &pattern))
        pattern.kind = PATTERN_RUNS;
    return pattern;
}
