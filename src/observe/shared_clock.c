#include "observe/shared_clock.h"

#include <stdlib.h>
#include <string.h>

enum { TIME_LIMIT = INT32_MAX };

static uint32_t latest(const SharedClock *clock) {
    uint32_t time = 0;
    for (int w = 0; w < BLOCK_WARPS; w++) time = clock->now[w] > time ? clock->now[w] : time;
    return time;
}

/* All warps go on from a time that none has seen. */
static void restart(SharedClock *clock, uint32_t time) {
    clock->epoch = time;
    clock->parted = false;
    for (int w = 0; w < BLOCK_WARPS; w++) clock->now[w] = time;
    for (int w = 0; w < BLOCK_WARPS; w++) clock->synced[w] = time - 1;
}

bool shared_clock_block(SharedClock *clock, uint32_t threads) {
    uint32_t time = latest(clock);
    bool go_on = time < TIME_LIMIT;
    if (!go_on) {
        time = 0;
        memset(clock->known, 0, sizeof clock->known);
        memset(clock->offered, 0, sizeof clock->offered);
        if (clock->met) memset(clock->met, 0, BLOCK_WARPS * sizeof *clock->met);
    }
    clock->base = time;
    clock->threads = threads;
    clock->warps = (threads + WARP_LANES - 1) / WARP_LANES;
    restart(clock, time + 1);
    return go_on;
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
    clock->parted = true;
}

void shared_clock_warp_sync(SharedClock *clock, uint32_t warp, uint32_t lanes) {
    uint32_t threads = clock->threads - warp * WARP_LANES;
    uint32_t all = threads >= WARP_LANES ? LANES_ALL : (1u << threads) - 1;
    if ((lanes & all) == all) {
        clock->synced[warp] = clock->now[warp]++;
        return;
    }
    if (!clock->met) clock->met = calloc(BLOCK_WARPS, sizeof *clock->met);
    if (!clock->met) abort();
    uint32_t joined[WARP_LANES] = {0};
    for (uint32_t i = 0; i < WARP_LANES; i++) {
        if (!(lanes >> i & 1)) continue;
        const uint32_t *row = clock->met[warp][i];
        for (int j = 0; j < WARP_LANES; j++) joined[j] = row[j] > joined[j] ? row[j] : joined[j];
    }
    for (uint32_t i = 0; i < WARP_LANES; i++)
        if (lanes >> i & 1) joined[i] = clock->now[warp];
    for (uint32_t i = 0; i < WARP_LANES; i++)
        if (lanes >> i & 1) memcpy(clock->met[warp][i], joined, sizeof joined);
    clock->now[warp]++;
}

void shared_clock_release(SharedClock *clock, uint32_t warp) {
    for (int v = 0; v < BLOCK_WARPS; v++)
        clock->offered[v] = clock->known[warp][v] > clock->offered[v] ? clock->known[warp][v] : clock->offered[v];
    clock->offered[warp] = clock->now[warp];
    clock->synced[warp] = clock->now[warp]++;
}

void shared_clock_acquire(SharedClock *clock, uint32_t warp) {
    uint32_t *known = clock->known[warp];
    uint32_t news = 0;
    for (int v = 0; v < BLOCK_WARPS; v++) {
        news |= (clock->offered[v] > known[v]) & (clock->offered[v] >= clock->epoch) & ((uint32_t)v != warp);
        known[v] = clock->offered[v] > known[v] ? clock->offered[v] : known[v];
    }
    if (news) clock->parted = true;
}

bool shared_clock_ordered(const SharedClock *clock, uint32_t self, uint32_t other, uint32_t time) {
    uint32_t warp = self / WARP_LANES;
    if (self == other || time < clock->epoch) return true;
    if (warp != other / WARP_LANES) return time <= clock->known[warp][other / WARP_LANES];
    return time <= clock->synced[warp] || (clock->met && time <= clock->met[warp][self % WARP_LANES][other % WARP_LANES]);
}
