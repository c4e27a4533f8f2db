#include "observe/stores.h"

#include <string.h>

enum { LINES_OF_SOME = 8 };

static bool one_run(uint32_t words) {
    uint32_t run = words >> __builtin_ctz(words);
    return (run & (run + 1)) == 0;
}

static bool same_warp(const StoreTail *tail, const Place *place) {
    return tail->block == place->block && tail->warp == place->warp;
}

static uint8_t *waited_of(StoreTail *tail, const Place *place) { return &tail->waited[place->resident_warp % RESIDENT_WARPS]; }

static bool joins_own(const StoreTail *tail, const Footprint *footprint) {
    const uint32_t last = tail->n_lines - 1;
    return !tail->loaded && tail->line[last] == footprint->line[0] && one_run(tail->words[last]) &&
           one_run(footprint->words[0]);
}

static uint64_t warp_bit(const Place *place) { return UINT64_C(1) << place->warp % 64; }

static bool joins_others(StoreTail *tail, const MergeConfig *merge, const Place *place, uint32_t n_lines) {
    const uint8_t waited = *waited_of(tail, place);
    const bool again = tail->block == place->block && tail->warps & warp_bit(place);
    if (waited == WAITED_TOGETHER) return !again;
    if (waited == WAITED_ALONE && (n_lines > LINES_OF_SOME || !(tail->odd = !tail->odd))) return false;
    return !again && tail->stores < merge->stores;
}

/* Where it has the line; NEAR_LINES: nowhere. */
static uint32_t find_line(const StoreTail *tail, uint32_t line) {
    for (uint32_t i = 0; i < tail->n_lines; i++)
        if (tail->line[i] == line) return i;
    return NEAR_LINES;
}

static bool joins(StoreTail *tail, const MergeConfig *merge, const Place *place, const Footprint *footprint) {
    if (tail->stores == 0 || merge->stores < 2 || footprint->n_lines > NEAR_LINES) return false;
    if (same_warp(tail, place)) return tail->stores < merge->stores && !*waited_of(tail, place) && joins_own(tail, footprint);
    bool any = false;
    for (uint32_t i = 0; !any && i < footprint->n_lines; i++) any = find_line(tail, footprint->line[i]) < NEAR_LINES;
    return any && joins_others(tail, merge, place, footprint->n_lines);
}

/* The words of a line that the store leaves together with. */
static uint32_t words_before(const StoreTail *tail, uint32_t line) {
    const uint32_t at = tail->joined ? find_line(tail, line) : NEAR_LINES;
    return at < NEAR_LINES ? tail->words[at] : 0;
}

/* Without a branch, so that compilers vectorise it. */
static uint32_t sectors_alone(const Footprint *footprint) {
    uint32_t sectors = 0;
    for (uint32_t i = 0; i < footprint->n_lines; i++)
        sectors += (uint32_t)__builtin_popcount(sectors_touched(footprint->words[i]));
    return sectors;
}

uint32_t stores_count(StoreTail *tail, const MergeConfig *merge, const Place *place, const Footprint *footprint) {
    uint32_t sectors = sectors_alone(footprint);
    tail->joined = joins(tail, merge, place, footprint);
    for (uint32_t i = 0; tail->joined && i < footprint->n_lines; i++) {
        const uint32_t before = sectors_touched(words_before(tail, footprint->line[i]));
        sectors -= (uint32_t)__builtin_popcount(sectors_touched(footprint->words[i]) & before);
    }
    return sectors;
}

static bool has_all(const StoreTail *tail, const Footprint *footprint) {
    for (uint32_t i = 0; i < footprint->n_lines; i++)
        if (find_line(tail, footprint->line[i]) == NEAR_LINES) return false;
    return true;
}

/* Of more lines than are kept, the last is. */
void stores_end(StoreTail *tail, const Place *place, const Footprint *footprint) {
    const bool goes_on = tail->joined && has_all(tail, footprint);
    const uint32_t first = footprint->n_lines > NEAR_LINES ? footprint->n_lines - 1 : 0, n = footprint->n_lines - first;
    uint32_t words[NEAR_LINES];
    for (uint32_t i = 0; i < n; i++) words[i] = footprint->words[first + i] | words_before(tail, footprint->line[first + i]);
    if (goes_on) {
        for (uint32_t i = 0; i < n; i++) tail->words[find_line(tail, footprint->line[i])] = words[i];
    } else {
        memcpy(tail->line, &footprint->line[first], n * sizeof *tail->line);
        memcpy(tail->words, words, n * sizeof *words);
        tail->n_lines = n;
    }
    tail->warps = (goes_on && tail->block == place->block ? tail->warps : 0) | warp_bit(place);
    tail->stores = goes_on ? tail->stores + 1 : 1;
    tail->warp = place->warp;
    tail->block = place->block;
    tail->loaded = tail->joined = false;
    *waited_of(tail, place) = WAITED_NOT;
}

void stores_meet(StoreTail *tail, const Place *place, uint32_t warps) {
    for (uint32_t left = warps; left; left &= left - 1)
        tail->waited[(place->resident_warp - place->warp + (uint32_t)__builtin_ctz(left)) % RESIDENT_WARPS] = WAITED_TOGETHER;
}

enum { NEAR_INSNS = 12, LINES_OF_ALL = 4 };

/* Where it has the line, or would have it. */
static uint32_t near_line(const NearStore *near, uint32_t line) {
    uint32_t k = 0;
    while (k < near->n_lines && near->line[k] != line) k++;
    return k;
}

/* How many of the store's sectors the one before has as well; left: the others; again: it writes words of that one, and has others. */
static uint32_t share(const NearStore *near, const Footprint *footprint, Footprint *left, bool *again) {
    uint32_t shared = 0, same = 0;
    left->n_lines = 0;
    for (uint32_t i = 0; i < footprint->n_lines; i++) {
        const uint32_t k = near_line(near, footprint->line[i]), n = left->n_lines;
        const uint32_t both = k < near->n_lines ? footprint->mask[i] & near->mask[k] : 0;
        shared += (uint32_t)__builtin_popcount(both);
        same |= both ? footprint->words[i] & near->words[k] : 0;
        if (both == footprint->mask[i]) continue;
        left->line[n] = footprint->line[i];
        left->mask[n] = (uint8_t)(footprint->mask[i] & ~both);
        left->words[n] = footprint->words[i] & ~sectors_words(both);
        left->n_lines++;
    }
    *again = same && left->n_lines;
    return shared;
}

/* Later stores may join these sectors, too. */
static void near_take(NearStore *near, const Footprint *footprint) {
    for (uint32_t i = 0; i < footprint->n_lines; i++) {
        const uint32_t k = near_line(near, footprint->line[i]);
        if (k == NEAR_LINES) continue;
        const bool had = k < near->n_lines;
        near->line[k] = footprint->line[i];
        near->mask[k] = (uint8_t)((had ? near->mask[k] : 0) | footprint->mask[i]);
        near->words[k] = (had ? near->words[k] : 0) | footprint->words[i];
        near->n_lines += !had;
    }
}

static bool is_near(const NearStore *near, const Access *access, const Place *place) {
    return near->n_lines && near->warp == place->warp && near->block == place->block && near->active == access->active &&
           near->bytes == access->bytes && access->pc - near->pc - 1 < NEAR_INSNS;
}

uint32_t stores_join_near(StoreTail *tail, const Access *access, const Place *place, const Footprint *footprint, bool alone,
                          Footprint *left) {
    const uint32_t n = footprint->n_lines;
    if (n > NEAR_LINES) return 0;
    for (uint32_t i = 1; i <= NEAR_STORES; i++) {
        NearStore *near = &tail->near[(tail->next_near - i) % NEAR_STORES];
        bool again = false;
        const uint32_t shared = is_near(near, access, place) ? share(near, footprint, left, &again) : 0;
        if (!shared) continue;
        if (again && !alone) break;
        const bool some = n <= LINES_OF_SOME && near->joined == 0 && place->warp % 2 == 0;
        if (n > LINES_OF_ALL && !some && !alone) break;
        near_take(near, footprint);
        near->joined++;
        near->pc = access->pc;
        return shared;
    }
    NearStore *near = &tail->near[tail->next_near++ % NEAR_STORES];
    *near = (NearStore){.block = place->block,
                        .warp = place->warp,
                        .pc = access->pc,
                        .active = access->active,
                        .bytes = access->bytes,
                        .n_lines = n};
    memcpy(near->line, footprint->line, n * sizeof *near->line);
    memcpy(near->words, footprint->words, n * sizeof *near->words);
    memcpy(near->mask, footprint->mask, n);
    return 0;
}

void stores_wait(StoreTail *tail, const Place *place) {
    tail->loaded = true;
    tail->loads++;
    for (uint32_t i = 0; i < NEAR_STORES; i++)
        if (tail->near[i].warp == place->warp && tail->near[i].block == place->block) tail->near[i].n_lines = 0;
}
