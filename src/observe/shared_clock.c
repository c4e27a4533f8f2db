#include "observe/shared_clock.h"

#include <string.h>

#include "base/alloc.h"

enum { TIME_LIMIT = INT32_MAX };

static uint32_t latest(const SharedClock *clock) {
    uint32_t time = 0;
    for (int w = 0; w < BLOCK_WARPS; w++) time = clock->now[w] > time ? clock->now[w] : time;
    return time;
}

/* All warps continue from a time later than any so far. */
static void restart(SharedClock *clock, uint32_t time) {
    clock->epoch = time;
    clock->partial = false;
    for (int w = 0; w < BLOCK_WARPS; w++) clock->now[w] = time;
    for (int w = 0; w < BLOCK_WARPS; w++) clock->synced[w] = time - 1;
}

bool shared_clock_block(SharedClock *clock, uint32_t threads) {
    uint32_t time = latest(clock);
    bool fits = time < TIME_LIMIT;
    if (!fits) {
        time = 0;
        memset(clock->known, 0, sizeof clock->known);
        if (clock->lane_known) memset(clock->lane_known, 0, BLOCK_WARPS * sizeof *clock->lane_known);
    }
    clock->base = time;
    clock->first = time + 1;
    clock->threads = threads;
    clock->warps = (threads + WARP_LANES - 1) / WARP_LANES;
    restart(clock, clock->first + 1);
    return fits;
}

void shared_clock_barrier_all(SharedClock *clock) { restart(clock, latest(clock) + 1); }

void shared_clock_barrier(SharedClock *clock, uint32_t warps) {
    uint32_t all = clock->warps == BLOCK_WARPS ? UINT32_MAX : (1u << clock->warps) - 1;
    if ((warps & all) == all) {
        shared_clock_barrier_all(clock);
        return;
    }
    uint32_t joined[BLOCK_WARPS] = {0};
    for (uint32_t w = 0; w < clock->warps; w++) {
        if (!(warps >> w & 1)) continue;
        for (int v = 0; v < BLOCK_WARPS; v++) joined[v] = clock->known[w][v] > joined[v] ? clock->known[w][v] : joined[v];
    }
    for (uint32_t w = 0; w < clock->warps; w++)
        if (warps >> w & 1) joined[w] = clock->now[w];
    for (uint32_t w = 0; w < clock->warps; w++) {
        if (!(warps >> w & 1)) continue;
        memcpy(clock->known[w], joined, sizeof joined);
        clock->synced[w] = clock->now[w]++;
    }
    clock->partial = true;
}

void shared_clock_warp_sync(SharedClock *clock, uint32_t warp, uint32_t lanes) {
    uint32_t threads = clock->threads - warp * WARP_LANES;
    uint32_t all = threads >= WARP_LANES ? LANES_ALL : (1u << threads) - 1;
    if ((lanes & all) == all) {
        clock->synced[warp] = clock->now[warp]++;
        return;
    }
    if (!clock->lane_known) clock->lane_known = alloc_zeroed(BLOCK_WARPS, sizeof *clock->lane_known);
    uint32_t joined[WARP_LANES] = {0};
    for (uint32_t i = 0; i < WARP_LANES; i++) {
        if (!(lanes >> i & 1)) continue;
        const uint32_t *row = clock->lane_known[warp][i];
        for (int j = 0; j < WARP_LANES; j++) joined[j] = row[j] > joined[j] ? row[j] : joined[j];
    }
    for (uint32_t i = 0; i < WARP_LANES; i++)
        if (lanes >> i & 1) joined[i] = clock->now[warp];
    for (uint32_t i = 0; i < WARP_LANES; i++)
        if (lanes >> i & 1) memcpy(clock->lane_known[warp][i], joined, sizeof joined);
    clock->now[warp]++;
}

bool shared_clock_ordered(const SharedClock *clock, uint32_t self, uint32_t other, uint32_t time) {
    uint32_t warp = self / WARP_LANES;
    if (self == other || time < clock->epoch) return true;
    if (warp != other / WARP_LANES) return time <= clock->known[warp][other / WARP_LANES];
    return time <= clock->synced[warp] ||
           (clock->lane_known && time <= clock->lane_known[warp][self % WARP_LANES][other % WARP_LANES]);
}
