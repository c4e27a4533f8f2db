#include "observe/copy_groups.h"

#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "ptx/program.h"

void copy_blocks_free(CopyBlocks *blocks) {
    for (uint32_t slot = 0; slot < blocks->count; slot++) free(blocks->warps[slot]);
    free(blocks->warps);
    *blocks = (CopyBlocks){0};
}

void copy_waits_add(CopyWaits *sum, const CopyWaits *from) {
    sum->waits += from->waits;
    sum->shares += from->shares;
}

/* All but the latest `left` groups are waited for: as long as the latest of them takes. */
static void wait_for(CopyGroups *groups, uint32_t left, CopyWaits *sum) {
    uint32_t since = 0;
    for (; groups->committed - groups->complete > left; groups->complete++)
        if (groups->since[groups->complete % COPY_GROUPS]) since = groups->since[groups->complete % COPY_GROUPS];
    if (!since) return;
    groups->waits++;
    const uint32_t in_flight = groups->waits + 1 - since;
    sum->waits++;
    const uint64_t share = COPY_SHARES / (in_flight < COPY_GROUPS ? in_flight : COPY_GROUPS);
    sum->shares += share;
    groups->waited += share;
}

static void commit(CopyGroups *groups, CopyWaits *sum) {
    wait_for(groups, COPY_GROUPS - 1, sum);
    groups->since[groups->committed++ % COPY_GROUPS] = groups->open ? groups->waits + 1 : 0;
    groups->open = false;
}

static uint32_t warps_of(const Place *place) { return (place->threads + WARP_LANES - 1) / WARP_LANES; }

/* Of the block's warps; NULL: none has done anything. */
static CopyGroups *of_block(const CopyBlocks *blocks, const Place *place) {
    return place->block_slot < blocks->count ? blocks->warps[place->block_slot] : NULL;
}

static CopyGroups *made_for_block(CopyBlocks *blocks, const Place *place) {
    const uint32_t slot = place->block_slot;
    if (slot >= blocks->count) {
        blocks->warps = alloc_resize(blocks->warps, slot + 1, sizeof *blocks->warps);
        memset(blocks->warps + blocks->count, 0, (slot + 1 - blocks->count) * sizeof *blocks->warps);
        blocks->count = slot + 1;
    }
    if (!blocks->warps[slot]) blocks->warps[slot] = alloc_zeroed(warps_of(place), sizeof *blocks->warps[slot]);
    return blocks->warps[slot];
}

static CopyArrival *arrival_at(CopyGroups *groups, uint32_t barrier, uint32_t phase) {
    return &groups->arrivals[(barrier / MBARRIER_BYTES * 2 + phase % 2) % COPY_ARRIVALS];
}

/* The phase that is going on is complete when one more is than event->phase. */
static void arrive(CopyGroups *groups, const AsyncEvent *event, bool with_copies) {
    const uint64_t there = with_copies && groups->there > groups->waited ? groups->there : groups->waited;
    *arrival_at(groups, event->barrier, event->phase + 1) = (CopyArrival){event->barrier, event->phase + 1, there};
}

/* The latest phase that is complete. Where a place has an arrival at another mbarrier, that at this one may have stood there before, and was no later. */
static void await(CopyGroups *block, const Place *place, const AsyncEvent *event, CopyWaits *sum) {
    CopyGroups *groups = &block[place->warp];
    uint64_t most = groups->waited;
    for (uint32_t warp = 0; warp < warps_of(place); warp++) {
        const CopyArrival *arrival = arrival_at(&block[warp], event->barrier, event->phase);
        const bool counts = arrival->phase && (arrival->barrier != event->barrier || arrival->phase == event->phase);
        if (counts && arrival->there > most) most = arrival->there;
    }
    sum->waits += most > groups->waited;
    sum->shares += most - groups->waited;
    groups->waited = most;
}

void copy_groups_event(CopyBlocks *blocks, const Place *place, const AsyncEvent *event, CopyWaits *sum) {
    CopyGroups *block = made_for_block(blocks, place), *groups = &block[place->warp];
    switch (event->variant) {
    case CP_ASYNC_COPY:
        groups->open = true;
        groups->there = groups->waited + COPY_SHARES;
        break;
    case CP_ASYNC_COMMIT: commit(groups, sum); break;
    case CP_ASYNC_WAIT_GROUP: wait_for(groups, event->left, sum); break;
    case CP_ASYNC_WAIT_ALL:
        commit(groups, sum);
        wait_for(groups, 0, sum);
        break;
    case CP_ASYNC_ARRIVE:
    case CP_ASYNC_ARRIVE_NOINC: arrive(groups, event, true); break;
    case MBARRIER_ARRIVE:
    case MBARRIER_ARRIVE_DROP: arrive(groups, event, false); break;
    case MBARRIER_TEST_WAIT:
    case MBARRIER_TRY_WAIT: await(block, place, event, sum); break;
    }
}

void copy_groups_begin(CopyBlocks *blocks, const Place *place) {
    CopyGroups *block = of_block(blocks, place);
    if (block) memset(block, 0, warps_of(place) * sizeof *block);
}

void copy_groups_meet(CopyBlocks *blocks, const Place *place, uint32_t warps, CopyWaits *sum) {
    CopyGroups *block = of_block(blocks, place);
    uint64_t most = 0;
    for (uint32_t left = block ? warps : 0; left; left &= left - 1) {
        const uint64_t waited = block[__builtin_ctz(left)].waited;
        most = waited > most ? waited : most;
    }
    for (uint32_t left = most ? warps : 0; left; left &= left - 1) {
        CopyGroups *groups = &block[__builtin_ctz(left)];
        sum->shares += most - groups->waited;
        groups->waited = most;
    }
}
