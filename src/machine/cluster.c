#include "machine/cluster.h"

#include <stdio.h>
#include <stdlib.h>

#include "base/alloc.h"
#include "machine/lanes.h"
#include "machine/peers.h"
#include "machine/warp_fault.h"

/* --- which blocks are one --- */

uint64_t cluster_block(const Launch *launch, uint64_t nth, uint32_t rank) {
    uint64_t index = 0, row = 1;
    for (unsigned axis = 0; axis < 3; axis++) {
        const uint32_t extent = launch_cluster_extent(launch, axis), clusters = launch->grid[axis] / extent;
        index += (nth % clusters * extent + rank % extent) * row;
        nth /= clusters;
        rank /= extent;
        row *= launch->grid[axis];
    }
    return index;
}

/* From the cluster's first block on. */
static uint64_t cluster_offset(const Launch *launch, uint32_t rank) { return cluster_block(launch, 0, rank); }

uint32_t cluster_rank(const Launch *launch, const uint32_t ctaid[3], uint32_t clusterid[3]) {
    uint32_t rank = 0;
    for (unsigned axis = 3; axis-- > 0;) {
        const uint32_t extent = launch_cluster_extent(launch, axis);
        rank = rank * extent + ctaid[axis] % extent;
        clusterid[axis] = ctaid[axis] / extent;
    }
    return rank;
}

Cluster *cluster_new(uint32_t count) {
    Cluster *cluster = alloc_zeroed(1, sizeof *cluster);
    cluster->count = count;
    return cluster;
}

void cluster_join(Block *block, Cluster *cluster, uint32_t rank) {
    if (!cluster) {
        block->alone = (Cluster){.count = 1};
        cluster = &block->alone;
    }
    block->cluster = cluster;
    block->rank = rank;
    block->shared_base = cluster->count > 1 ? (rank + 1) * CLUSTER_SPAN : 0;
    cluster->blocks[rank] = block;
    cluster->open++;
}

void cluster_leave(Block *block) {
    Cluster *cluster = block->cluster;
    if (!cluster) return;
    cluster->blocks[block->rank] = NULL;
    block->cluster = NULL;
    if (!--cluster->open && cluster != &block->alone) free(cluster);
}

/* --- its barrier --- */

/* Threads of the warp that have neither left nor arrived. */
static uint32_t missing(const Warp *warp) { return warp->live & ~warp->cluster_arrived; }

static bool is_complete(const Cluster *cluster) {
    for (uint32_t rank = 0; rank < cluster->count; rank++) {
        const Block *block = cluster->blocks[rank];
        for (uint32_t w = 0; block && w < block->n_warps; w++)
            if (missing(&block->warps[w])) return false;
    }
    return true;
}

/* What waits at the barrier comes to it once more. */
static void wake(Warp *warp) {
    for (uint32_t i = 0; i < warp->stack.depth; i++) {
        StackEntry *entry = &warp->stack.entries[i];
        if (warp->worker->code->steps[entry->pc].exec == EXEC_CLUSTER_WAIT) entry->blocked = false;
    }
    if (warp->state == WARP_AT_CLUSTER) warp->state = WARP_READY;
}

/* Twice, so that all blocks have handed over what they did before any of them is the last to take over. */
static void tell(const Cluster *cluster, bool first) {
    for (uint32_t rank = 0; rank < cluster->count; rank++) {
        const Block *block = cluster->blocks[rank];
        uint32_t warps = 0;
        for (uint32_t w = 0; block && w < block->n_warps; w++) warps |= (uint32_t)(block->warps[w].cluster_arrived != 0) << w;
        if (!warps) continue;
        const Worker *worker = block->worker;
        const Place *place = &block->warps[lanes_first(warps)].place;
        const uint64_t meeting = block->index - cluster_offset(worker->launch, block->rank);
        if (first) OBSERVERS_NOTIFY(worker->observers, worker->n_observers, on_barrier, place, warps);
        OBSERVERS_NOTIFY(worker->observers, worker->n_observers, on_cluster, place, meeting, warps);
    }
}

void cluster_settle(Block *block) {
    Cluster *cluster = block->cluster;
    if (!cluster->arrived || !is_complete(cluster)) return;
    cluster->arrived = false;
    cluster->phase++;
    tell(cluster, true);
    tell(cluster, false);
    for (uint32_t rank = 0; rank < cluster->count; rank++) {
        Block *of = cluster->blocks[rank];
        for (uint32_t w = 0; of && w < of->n_warps; w++) {
            of->warps[w].cluster_arrived = 0;
            wake(&of->warps[w]);
        }
    }
}

bool cluster_arrive(Warp *warp, const Step *step, uint32_t active) {
    char who[100];
    const uint32_t twice = active & warp->cluster_owing;
    spin_reset(&warp->spin);
    if (twice) {
        fault_hint(&warp->worker->fault, "each thread waits once for each time that it arrives: arrive, then wait");
        warp_fault(warp, lanes_first(twice), FAULT_barrier_divergence, step->pc,
                   "%s of warp %u arrive%s at the cluster's barrier again, without having waited for it",
                   lanes_text(twice, who, sizeof who), warp->place.warp, lanes_verb_s(twice));
        if (!findings_take(&warp->worker->findings, &warp->place, &warp->worker->fault)) return false;
    }
    warp->cluster_arrived |= active;
    warp->cluster_owing |= active;
    warp->block->cluster->arrived = true;
    cluster_settle(warp->block);
    return true;
}

ClusterWait cluster_wait(Warp *warp, const Step *step, uint32_t active) {
    char who[100];
    const uint32_t early = active & ~warp->cluster_owing;
    if (early) {
        fault_hint(&warp->worker->fault, "each thread arrives before it waits: arrive, then wait");
        warp_fault(warp, lanes_first(early), FAULT_barrier_divergence, step->pc,
                   "%s of warp %u wait%s for the cluster's barrier without having arrived at it",
                   lanes_text(early, who, sizeof who), warp->place.warp, lanes_verb_s(early));
        if (!findings_take(&warp->worker->findings, &warp->place, &warp->worker->fault)) return CLUSTER_FAULT;
    }
    cluster_settle(warp->block);
    if (!(active & warp->cluster_arrived)) {
        warp->cluster_owing &= ~active;
        return CLUSTER_PASSES;
    }
    stack_top(&warp->stack)->blocked = true;
    if (!stack_yield(&warp->stack) && !stack_release(&warp->stack)) warp->state = WARP_AT_CLUSTER;
    return CLUSTER_WAITS;
}

static Warp *waiting_warp(const Block *block) {
    for (uint32_t w = 0; w < block->n_warps; w++)
        if (block->warps[w].state == WARP_AT_CLUSTER) return &block->warps[w];
    return NULL;
}

bool cluster_awaited(const Block *block) { return waiting_warp(block) != NULL; }

/* "warp 1 of block 3": the first whose threads have not come. */
static void missing_text(const Cluster *cluster, char *text, size_t size) {
    for (uint32_t rank = 0; rank < cluster->count; rank++) {
        const Block *block = cluster->blocks[rank];
        for (uint32_t w = 0; block && w < block->n_warps; w++) {
            char lanes[100];
            const uint32_t lacks = missing(&block->warps[w]);
            if (!lacks) continue;
            snprintf(text, size, "%s of warp %u of block %llu %s", lanes_text(lacks, lanes, sizeof lanes), w,
                     (unsigned long long)block->index, lacks & (lacks - 1) ? "do not" : "does not");
            return;
        }
    }
}

bool cluster_deadlock(Worker *worker, const uint32_t *block_slots, uint32_t count) {
    Warp *first = NULL;
    for (uint32_t i = 0; i < count; i++) {
        Warp *warp = waiting_warp(worker->blocks[block_slots[i]]);
        if (warp && (!first || warp->place.block < first->place.block)) first = warp;
    }
    if (!first) return false;
    char who[100], lacks[200] = "other threads do not";
    const StackEntry *top = stack_top(&first->stack);
    missing_text(first->block->cluster, lacks, sizeof lacks);
    fault_hint(&worker->fault, "all threads of all blocks of the cluster that have not left must arrive at its barrier");
    warp_fault(first, lanes_first(top->mask), FAULT_deadlock, worker->code->steps[top->pc].pc,
               "%s of warp %u of block %llu wait%s for the cluster's barrier, at which %s arrive",
               lanes_text(top->mask, who, sizeof who), first->place.warp, (unsigned long long)first->place.block,
               lanes_verb_s(top->mask), lacks);
    return true;
}
