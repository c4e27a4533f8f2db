#include "observe/stores.h"

#include <string.h>

static bool one_run(uint32_t words) {
    uint32_t run = words >> __builtin_ctz(words);
    return (run & (run + 1)) == 0;
}

uint32_t stores_join(StoreTail *tail, const MergeConfig *merge, const Place *place, const Footprint *footprint) {
    uint32_t line = footprint->line[0], words = footprint->words[0];
    if (tail->stores == 0 || tail->line != line || tail->stores >= merge->stores || !one_run(words) || !one_run(tail->words))
        return 0;
    if (tail->loaded) {
        bool same_warp = tail->block == place->block && tail->warp == place->warp;
        if (same_warp || (tail->odd = !tail->odd) == false) return 0;
    }
    uint32_t shared = 0;
    for (uint32_t s = 0; s < LINE_SECTORS; s++)
        shared += (uint8_t)(words >> 8 * s) != 0 && (uint8_t)(tail->words >> 8 * s) != 0;
    tail->joined = true;
    return shared;
}

void stores_end(StoreTail *tail, const Place *place, const Footprint *footprint) {
    uint32_t last = footprint->n_lines - 1;
    bool joined = tail->joined && last == 0;
    tail->words = footprint->words[last] | (joined ? tail->words : 0);
    tail->stores = joined ? tail->stores + 1 : 1;
    tail->line = footprint->line[last];
    tail->warp = place->warp;
    tail->block = place->block;
    tail->loaded = tail->joined = false;
}

enum { NEAR_INSNS = 12, LINES_OF_ALL = 4, LINES_OF_SOME = 8 };

static bool covers(const NearStore *near, const Footprint *footprint) {
    for (uint32_t i = 0, k = 0; i < footprint->n_lines; i++) {
        for (k = 0; k < near->n_lines && near->line[k] != footprint->line[i];) k++;
        if (k == near->n_lines || footprint->mask[i] & ~near->mask[k]) return false;
    }
    return true;
}

static bool is_near(const NearStore *near, const Access *access, const Place *place) {
    return near->n_lines && near->warp == place->warp && near->block == place->block && near->active == access->active &&
           near->bytes == access->bytes && access->pc - near->pc - 1 < NEAR_INSNS;
}

bool stores_join_near(StoreTail *tail, const Access *access, const Place *place, const Footprint *footprint, bool alone) {
    const uint32_t n = footprint->n_lines;
    if (n > NEAR_LINES) return false;
    for (uint32_t i = 0; i < NEAR_STORES; i++) {
        NearStore *near = &tail->near[i];
        if (!is_near(near, access, place) || !covers(near, footprint)) continue;
        const bool some = n <= LINES_OF_SOME && near->joined == 0 && place->warp % 2 == 0;
        if (n > LINES_OF_ALL && !some && !alone) break;
        near->joined++;
        near->pc = access->pc;
        return true;
    }
    NearStore *near = &tail->near[tail->next_near++ % NEAR_STORES];
    *near = (NearStore){.block = place->block,
                        .warp = place->warp,
                        .pc = access->pc,
                        .active = access->active,
                        .bytes = access->bytes,
                        .n_lines = n};
    memcpy(near->line, footprint->line, n * sizeof *near->line);
    memcpy(near->mask, footprint->mask, n);
    return false;
}

void stores_wait(StoreTail *tail, const Place *place) {
    for (uint32_t i = 0; i < NEAR_STORES; i++)
        if (tail->near[i].warp == place->warp && tail->near[i].block == place->block) tail->near[i].n_lines = 0;
}
