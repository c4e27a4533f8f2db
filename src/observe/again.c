#include "observe/again.h"

#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"

static bool has_loaded(const LastLoad *last, const Place *place, const Access *access) {
    if (last->block != place->block || last->warp != place->warp || access->active & ~last->active) return false;
    for (uint32_t left = access->active; left; left &= left - 1) {
        const int lane = __builtin_ctz(left);
        if (last->addr[lane] != access->addr[lane]) return false;
    }
    return true;
}

bool loads_again(LastLoads *loads, const Place *place, const Access *access, uint32_t with) {
    if (!loads->at) loads->at = alloc_zeroed(loads->n_insns, sizeof *loads->at);
    LastLoad **at = &loads->at[with];
    if (!*at) *at = alloc_zeroed(RESIDENT_WARPS, sizeof **at);
    LastLoad *last = &(*at)[place->resident_warp % RESIDENT_WARPS];
    if (has_loaded(last, place, access)) return true;
    last->block = place->block;
    last->warp = place->warp;
    last->active = access->active;
    memcpy(last->addr, access->addr, sizeof last->addr);
    return false;
}

void last_loads_free(LastLoads *loads) {
    for (uint32_t pc = 0; loads->at && pc < loads->n_insns; pc++) free(loads->at[pc]);
    free(loads->at);
}
