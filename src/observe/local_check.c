#include "observe/local_check.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "machine/lanes.h"

enum { WARPS = 32 };

typedef struct LocalWarp {
    uint32_t *written; /* by byte of a lane's local memory: the lanes that have written theirs */
    uint64_t used, capacity;
} LocalWarp;

struct LocalCheck {
    const Kernel *kernel;
    FindingLog *log;
    LocalWarp warps[WARPS];
};

LocalCheck *local_check_new(const Kernel *kernel, FindingLog *log) {
    LocalCheck *check = alloc_zeroed(1, sizeof *check);
    check->kernel = kernel;
    check->log = log;
    return check;
}

void local_check_free(LocalCheck *check) {
    if (!check) return;
    for (int w = 0; w < WARPS; w++) free(check->warps[w].written);
    free(check);
}

void local_check_block(LocalCheck *check) {
    for (int w = 0; w < WARPS; w++) {
        LocalWarp *warp = &check->warps[w];
        if (warp->used) memset(warp->written, 0, warp->used * sizeof *warp->written);
        warp->used = 0;
    }
}

static void reach(LocalWarp *warp, uint64_t bytes) {
    if (bytes <= warp->used) return;
    warp->used = bytes;
    if (bytes <= warp->capacity) return;
    uint64_t capacity = warp->capacity ? warp->capacity : 64;
    while (capacity < bytes) capacity *= 2;
    warp->written = alloc_resize(warp->written, capacity, sizeof *warp->written);
    memset(warp->written + warp->capacity, 0, (capacity - warp->capacity) * sizeof *warp->written);
    warp->capacity = capacity;
}

static bool report(const LocalCheck *check, const Place *place, const Access *access, Fault *fault, uint32_t lane,
                   uint32_t byte) {
    fault_set(fault, FAULT_uninitialized, access->pc,
              "lane %u of warp %u %s %u bytes of local memory at byte %llu, where byte %llu was never written", lane,
              place->warp, access_verb(access->kind), access->bytes, (unsigned long long)access->local[lane],
              (unsigned long long)(access->local[lane] + byte));
    fault_hint(fault, "a local array or variable is read before anything is assigned to it: initialise it");
    fault_blame(fault, place, lane);
    return findings_take(check->log, place, fault);
}

static bool check_lane(const LocalCheck *check, const Place *place, const Access *access, Fault *fault, uint32_t lane) {
    const uint32_t *written = check->warps[place->warp].written + access->local[lane];
    uint32_t missing = 0, first = 0;
    for (uint32_t b = access->bytes; b-- > 0;) {
        if (written[b] >> lane & 1) continue;
        missing++;
        first = b;
    }
    bool copy = check->kernel->traits[access->pc] & TRAIT_COPY && (missing < access->bytes || access->bytes < 4);
    return !missing || copy || report(check, place, access, fault, lane, first);
}

bool local_check_access(LocalCheck *check, const Place *place, const Access *access, Fault *fault) {
    LocalWarp *warp = &check->warps[place->warp];
    uint32_t active = access->active, first = (uint32_t)__builtin_ctz(active);
    uint64_t highest = 0, apart = 0;
    for (uint32_t l = 0; l < WARP_LANES; l++) {
        uint64_t offset = active >> l & 1 ? access->local[l] : access->local[first];
        highest = offset > highest ? offset : highest;
        apart |= offset ^ access->local[first];
    }
    reach(warp, highest + access->bytes);
    bool reads = access->kind != ACCESS_STORE && !(check->kernel->traits[access->pc] & TRAIT_EXCHANGE);
    uint32_t written = active;
    if (!apart)
        for (uint32_t b = 0; b < access->bytes; b++) written &= warp->written[access->local[first] + b];
    if (reads && (apart || written != active)) {
        EACH_ACTIVE_LANE(lane, active) {
            if (!check_lane(check, place, access, fault, lane)) return false;
        }
    }
    if (access->kind == ACCESS_LOAD) return true;
    if (!apart) {
        for (uint32_t b = 0; b < access->bytes; b++) warp->written[access->local[first] + b] |= active;
        return true;
    }
    EACH_ACTIVE_LANE(lane, active) {
        for (uint32_t b = 0; b < access->bytes; b++) warp->written[access->local[lane] + b] |= 1u << lane;
    }
    return true;
}
