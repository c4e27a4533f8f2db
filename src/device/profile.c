#include "device/profile.h"

#include <string.h>

#include "base/text.h"

#define KB 1024u
#define MB (UINT64_C(1024) * KB)
#define GB (1024 * MB)
#define GIGA UINT64_C(1000000000)

static const Profile profiles[] = {
#define PROFILE(...) {__VA_ARGS__},
#include "device/profiles.def"
#undef PROFILE
};

uint32_t profile_count(void) { return sizeof profiles / sizeof *profiles; }

const Profile *profile_at(uint32_t index) { return &profiles[index]; }

const Profile *profile_find(const char *name, Diag *diag) {
    LOCAL_TEXT known = {0};
    for (uint32_t i = 0; i < profile_count(); i++) {
        if (!strcmp(profiles[i].name, name)) return &profiles[i];
        text_add(&known, "%s%s", i ? ", " : "", profiles[i].name);
    }
    diag_say(diag, "there is no device '%s'; known are %s", name, text_string(&known));
    return NULL;
}

static uint32_t least(uint32_t a, uint32_t b) { return a < b ? a : b; }

/* Shared memory is given out in steps of 128 bytes. */
static uint32_t shared_taken(const Profile *profile, uint32_t shared_bytes) {
    return (shared_bytes + 127) / 128 * 128 + profile->shared_reserved;
}

uint32_t profile_resident_blocks(const Profile *profile, uint32_t threads, uint32_t shared_bytes) {
    uint32_t warps = (threads + WARP_LANES - 1) / WARP_LANES, shared = shared_taken(profile, shared_bytes);
    uint32_t blocks = profile->max_blocks_per_sm;
    if (warps > 0) blocks = least(blocks, profile->max_threads_per_sm / (warps * WARP_LANES));
    if (shared > 0) blocks = least(blocks, profile->shared_per_sm / shared);
    return blocks > 0 ? blocks : 1;
}

/* The smallest supported split of L1 that has room for so much shared memory. */
static uint32_t carveout_bytes(const Profile *profile, uint32_t shared_bytes) {
    uint32_t carveout = profile->carveout_kb[0] * KB;
    for (uint32_t i = 1; carveout < shared_bytes && i < PROFILE_CARVEOUTS && profile->carveout_kb[i] > 0; i++)
        carveout = profile->carveout_kb[i] * KB;
    return carveout;
}

CounterConfig profile_counters(const Profile *profile, uint32_t threads, uint32_t shared_bytes, bool l1) {
    uint32_t blocks = profile_resident_blocks(profile, threads, shared_bytes);
    uint32_t carveout = carveout_bytes(profile, blocks * shared_taken(profile, shared_bytes));
    MergeConfig merge = profile->merge;
    merge.l1_cycles = (uint32_t)profile->time.l1_cycles;
    merge.l2_cycles = (uint32_t)profile->time.l2_cycles;
    merge.dram_cycles = (uint32_t)profile->time.dram_cycles;
    return (CounterConfig){
        .l1 = l1,
        .line_requests = profile->line_requests,
        .l1_cache = {.bytes = profile->l1_bytes - carveout, .ways = profile->l1_ways},
        .l2_cache = {.bytes = profile->l2_bytes, .ways = profile->l2_ways, .pairs = profile->l2_pairs, .rows = true},
        .merge = merge,
        .sms = profile->sms};
}
