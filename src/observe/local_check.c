#include "observe/local_check.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "machine/lanes.h"
#include "observe/overlay.h"

enum { WARPS = 32 };

typedef struct LocalWarp {
    uint32_t *written; /* by byte of a lane's local memory: the lanes that have written theirs */
    uint64_t used, capacity;
} LocalWarp;

struct LocalCheck {
    const Kernel *kernel;
    FindingLog *log;
    Origins *origins;
    LocalWarp warps[WARPS];
};

LocalCheck *local_check_new(const Kernel *kernel, FindingLog *log, Origins *origins) {
    LocalCheck *check = alloc_zeroed(1, sizeof *check);
    check->kernel = kernel;
    check->log = log;
    check->origins = origins;
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

/* written: at this byte of the lane's local memory. */
static bool follows_written(const uint32_t *written, uint64_t byte, uint32_t lane) {
    for (; byte % PADDING_UNIT; byte--)
        if (*--written >> lane & 1) return true;
    return false;
}

static bool check_lane(const LocalCheck *check, const Place *place, const Access *access, Fault *fault, uint32_t lane) {
    const uint32_t *written = check->warps[place->warp].written + access->local[lane];
    for (unsigned b = 0; b < access->bytes; b++) {
        if (written[b] >> lane & 1) continue;
        if (access->kind == ACCESS_LOAD && access->undefined) {
            origins_add(check->origins, place, access, NULL,
                        (Gap){lane, b, 1, 0xff, follows_written(written + b, access->local[lane] + b, lane), WRITER_UNKNOWN});
            continue;
        }
        origins_fault_now(place, access, NULL, (Gap){.lane = lane, .nth = b}, fault);
        return findings_take(check->log, place, fault);
    }
    return true;
}

/* What is stored undefined counts as not written. */
static void forget_undefined(LocalWarp *warp, const Access *access) {
    EACH_ACTIVE_LANE(lane, access->active) {
        for (unsigned b = 0; b < access->bytes; b++)
            if (access->undefined->bits[lane * access->bytes + b]) warp->written[access->local[lane] + b] &= ~(1u << lane);
    }
}

static void keep_written(LocalWarp *warp, const Access *access, bool together) {
    if (together) {
        for (uint32_t b = 0; b < access->bytes; b++)
            warp->written[access->local[lanes_first(access->active)] + b] |= access->active;
        return;
    }
    EACH_ACTIVE_LANE(lane, access->active) {
        for (uint32_t b = 0; b < access->bytes; b++) warp->written[access->local[lane] + b] |= 1u << lane;
    }
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
    keep_written(warp, access, !apart);
    if (stores_undefined(access)) forget_undefined(warp, access);
    return true;
}
