#include "observe/stores.h"

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
