#include "observe/shared_peers.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "machine/lanes.h"
#include "machine/launch.h"
#include "observe/shared_visit.h"
#include "observe/updates.h"
#include "ptx/opcode.h"

/* What a thread of any block did. */
typedef struct PeerMark {
    uint64_t block;
    uint32_t meeting; /* the owner's count; an earlier one: the cluster has met since, or there is nothing */
    uint32_t time;    /* since that block began */
    uint32_t pc;
    uint8_t warp, lane, strength;
} PeerMark;

/* A warp's last access; of strong writes and arrivals at mbarriers one apart, since these hand over what was before them, but not themselves. */
typedef struct LastAccess {
    Place place;
    PeerMark mark;
    uint64_t byte;
    uint8_t kind;
    bool meets, odd; /* at an mbarrier, in a phase of odd number */
    bool seen;       /* of those: another warp has read the place strongly, or has waited for the phase */
} LastAccess;

struct SharedPeers {
    PeerMark *write, *read; /* by granule; of reads plain ones alone */
    uint32_t capacity, n_last;
    LastAccess *last;                     /* by block and warp, two for each: the last that signals comes second */
    uint64_t blocks[CLUSTER_BLOCKS_MOST]; /* that have been here, one after the other */
    uint32_t n_blocks;
    uint32_t meeting; /* when another block last was here */
};

/* One access, by a thread of the block that `by` is of. */
typedef struct PeerVisit {
    SharedCheck *check;
    const BlockOrder *by;
    const Place *place;
    const Access *access;
    Fault *fault;
    Strength strength;
} PeerVisit;

void shared_peers_free(SharedPeers *peers) {
    if (!peers) return;
    free(peers->write);
    free(peers->read);
    free(peers->last);
    free(peers);
}

void shared_peers_block(SharedCheck *check) {
    if (!check->peers) return;
    check->peers->meeting = check->peers->n_blocks = 0;
}

static LastAccess *last_of(SharedPeers *peers, const Place *place, bool signals) {
    const uint32_t warps = (place->threads + WARP_LANES - 1) / WARP_LANES;
    uint32_t nth = 0;
    while (nth < peers->n_blocks && peers->blocks[nth] != place->block) nth++;
    if (nth == peers->n_blocks) peers->blocks[peers->n_blocks++] = place->block;
    const uint32_t index = 2 * (nth * warps + place->warp) + signals;
    if (index >= peers->n_last) {
        const uint32_t count = 2 * (nth + 1) * warps;
        LastAccess *more = alloc_zeroed(count, sizeof *more);
        if (peers->n_last) memcpy(more, peers->last, peers->n_last * sizeof *more);
        free(peers->last);
        peers->last = more;
        peers->n_last = count;
    }
    return &peers->last[index];
}

/* Room for the marks of all cells. */
static SharedPeers *peers_of(SharedCheck *check) {
    if (!check->peers) check->peers = alloc_zeroed(1, sizeof *check->peers);
    SharedPeers *peers = check->peers;
    if (peers->capacity < check->capacity) {
        free(peers->write);
        free(peers->read);
        peers->capacity = check->capacity;
        peers->write = alloc_zeroed(peers->capacity, sizeof *peers->write);
        peers->read = alloc_zeroed(peers->capacity, sizeof *peers->read);
    }
    return peers;
}

/* --- what was there before ---------------------------------------------------------------------------------------------------- */

static PeerMark mark_of_own(const SharedCheck *check, Mark mark, bool is_write) {
    const BlockOrder *order = check->order;
    const uint32_t time = shared_mark_time(mark), tag = shared_mark_tag(mark);
    if (time <= order->clock.first || time < order->met) return (PeerMark){0};
    return (PeerMark){.block = order->block,
                      .meeting = order->meetings,
                      .time = time - order->clock.base,
                      .pc = tag_pc(tag),
                      .warp = (uint8_t)((tag & WARP_MASK) / WARP_LANES),
                      .lane = (uint8_t)(tag & LANE_MASK),
                      .strength = is_write ? (uint8_t)((tag & STRENGTH_MASK) >> STRENGTH_SHIFT) : STRENGTH_PLAIN};
}

static PeerMark mark_of_lane(const PeerVisit *visit, unsigned lane) {
    const SharedClock *clock = &visit->by->clock;
    return (PeerMark){.block = visit->by->block,
                      .meeting = visit->check->order->meetings,
                      .time = clock->now[visit->place->warp] - clock->base,
                      .pc = visit->access->pc,
                      .warp = (uint8_t)visit->place->warp,
                      .lane = (uint8_t)lane,
                      .strength = (uint8_t)visit->strength};
}

static bool comes_before(const PeerVisit *visit, unsigned lane, const PeerMark *mark) {
    const uint32_t warp = visit->place->warp;
    if (mark->meeting != visit->check->order->meetings) return true;
    if (mark->block != visit->by->block) return block_order_foreign(visit->by, warp, mark->block, mark->warp, mark->time);
    return block_order_before(visit->by, warp * WARP_LANES + lane, mark->warp * WARP_LANES + mark->lane,
                              mark->time + visit->by->clock.base);
}

static bool is_corrected(const PeerVisit *visit, uint32_t read_pc, uint32_t atomic_pc) {
    return !visit->by->strict && kernel_guesses(visit->check->kernel, read_pc, atomic_pc);
}

static bool writes(const PeerVisit *visit) { return visit->access->kind != ACCESS_LOAD; }

/* Whether the write and this access may come in any order. */
static bool is_excused(const PeerVisit *visit, const PeerMark *write) {
    const bool same_warp = write->block == visit->by->block && write->warp == visit->place->warp;
    if (write->strength != STRENGTH_PLAIN && visit->strength != STRENGTH_PLAIN)
        return write->strength == STRENGTH_ATOMIC || visit->strength == STRENGTH_ATOMIC || !same_warp;
    return !writes(visit) && write->strength == STRENGTH_ATOMIC && is_corrected(visit, visit->access->pc, write->pc);
}

static const uint8_t *data_of(const PeerVisit *visit, unsigned lane, uint32_t nth) {
    return (const uint8_t *)visit->access->data + (size_t)lane * visit->access->bytes + (size_t)nth * visit->check->granule;
}

static bool is_store(const PeerVisit *visit) { return visit->access->kind == ACCESS_STORE && visit->access->data; }

/* Both are plain stores of one value. */
static bool gives_same(const PeerVisit *visit, unsigned lane, uint32_t nth, const PeerMark *write) {
    const SharedCheck *check = visit->check;
    const size_t byte = visit->access->addr[lane] + (size_t)nth * check->granule;
    if (visit->by->strict || !is_store(visit) || visit->strength != STRENGTH_PLAIN || write->strength != STRENGTH_PLAIN)
        return false;
    return memcmp(check->cells.bytes + byte, data_of(visit, lane, nth), check->granule) == 0;
}

/* --- what is told ----------------------------------------------------------------------------------------------------------------- */

static bool tell(const PeerVisit *visit, unsigned lane, uint32_t nth, const PeerMark *mark, const char *did) {
    const Access *access = visit->access;
    const uint64_t byte = access->addr[lane] + (uint64_t)nth * visit->check->granule, owner = visit->check->order->block;
    const bool one_block = mark->block == visit->by->block;
    char where[60] = "", whose[40] = "";
    if (visit->by->block != owner) snprintf(where, sizeof where, " of block %llu", (unsigned long long)owner);
    if (!one_block) snprintf(whose, sizeof whose, " of block %llu", (unsigned long long)mark->block);
    fault_set(visit->fault, FAULT_shared_race, access->pc,
              "lane %u of warp %u %s shared memory%s at byte %llu, which lane %u of warp %u%s %s with no %s between", lane,
              visit->place->warp, access_verb(access->kind), where, (unsigned long long)byte, mark->lane, mark->warp, whose,
              did, one_block ? "__syncthreads()" : "cluster.sync()");
    if (one_block)
        fault_hint(visit->fault,
                   "put a __syncthreads()%s between the two, or __syncwarp() where only the lanes of one warp share",
                   or_cluster_sync(visit->check->kernel));
    else
        fault_hint(visit->fault,
                   "put a cluster.sync() between the two (__syncthreads() orders the threads of one block alone), or have one "
                   "wait for an mbarrier that the other arrives at");
    visit->fault->other_pc = mark->pc;
    fault_blame(visit->fault, visit->place, lane);
    return findings_take(visit->check->log, visit->place, visit->fault);
}

static bool against_write(const PeerVisit *visit, unsigned lane, uint32_t nth, const PeerMark *write) {
    if (write->meeting != visit->check->order->meetings || is_excused(visit, write) || comes_before(visit, lane, write) ||
        gives_same(visit, lane, nth, write))
        return true;
    return tell(visit, lane, nth, write, write->strength == STRENGTH_ATOMIC ? "updated" : "wrote");
}

static bool against_read(const PeerVisit *visit, unsigned lane, uint32_t nth, const PeerMark *read) {
    if (comes_before(visit, lane, read) || is_corrected(visit, read->pc, visit->access->pc)) return true;
    return tell(visit, lane, nth, read, "read");
}

/* As the own block's threads do: what a lane loads and nobody has written is undefined; what it updates is told. */
static bool is_initialized(const PeerVisit *visit, unsigned lane) {
    SharedCheck *check = visit->check;
    const Access *access = visit->access;
    const uint32_t first = (uint32_t)access->addr[lane] / check->granule, count = access->bytes / check->granule;
    if (access->kind == ACCESS_STORE || check->kernel->traits[access->pc] & TRAIT_EXCHANGE) return true;
    /* Of mbarriers the machine tells itself. */
    if (access->meets || check->kernel->program->insns[access->pc].op == OP_mbarrier) return true;
    for (uint32_t nth = 0; nth < count; nth++) {
        if (shared_mark_time(check->cells.write[first + nth]) > check->order->clock.base) continue;
        const Gap gap = {lane,       nth * check->granule, check->granule, 0xff, shared_follows_written(check, first + nth),
                         WRITER_PEER};
        if (access->kind == ACCESS_LOAD && access->undefined) {
            origins_add(check->origins, visit->place, access, NULL, gap);
            continue;
        }
        origins_fault_now(visit->place, access, NULL, gap, visit->fault);
        return findings_take(check->log, visit->place, visit->fault);
    }
    return true;
}

/* What other blocks did, and for those what the own one did. */
static bool check_lane(const PeerVisit *visit, unsigned lane) {
    const SharedCheck *check = visit->check;
    const bool foreign = visit->by != check->order;
    const uint32_t first = (uint32_t)visit->access->addr[lane] / check->granule, count = visit->access->bytes / check->granule;
    for (uint32_t nth = 0; nth < count; nth++) {
        const uint32_t cell = first + nth;
        const PeerMark write = mark_of_own(check, check->cells.write[cell], true);
        const PeerMark read = mark_of_own(check, check->cells.read[cell], false);
        if (!against_write(visit, lane, nth, &check->peers->write[cell])) return false;
        if (foreign && !against_write(visit, lane, nth, &write)) return false;
        if (writes(visit) && !against_read(visit, lane, nth, &check->peers->read[cell])) return false;
        if (foreign && writes(visit) && !against_read(visit, lane, nth, &read)) return false;
    }
    return true;
}

/* --- what is kept ----------------------------------------------------------------------------------------------------------------- */

static void keep_lane(const PeerVisit *visit, unsigned lane) {
    SharedCheck *check = visit->check;
    const uint32_t granule = check->granule, before = check->order->clock.first;
    const uint32_t first = (uint32_t)visit->access->addr[lane] / granule, count = visit->access->bytes / granule;
    PeerMark mine = mark_of_lane(visit, lane);
    for (uint32_t cell = first; cell < first + count; cell++) {
        PeerMark *kept = writes(visit) ? &check->peers->write[cell] : &check->peers->read[cell];
        if (!writes(visit)) {
            if (visit->strength == STRENGTH_PLAIN && comes_before(visit, lane, kept)) *kept = mine;
            continue;
        }
        const bool again = kept->block == mine.block && kept->meeting == mine.meeting && kept->time == mine.time &&
                           kept->warp == mine.warp && kept->lane == mine.lane;
        const uint8_t strength = again && kept->strength < mine.strength ? kept->strength : mine.strength;
        *kept = mine;
        kept->strength = strength;
        if (is_store(visit)) memcpy(check->cells.bytes + (size_t)cell * granule, data_of(visit, lane, cell - first), granule);
        /* It counts as written, before everything that the own block does. */
        if (shared_mark_time(check->cells.write[cell]) < before) check->cells.write[cell] = shared_mark_of(before, 0);
    }
}

/* This access reads, strongly, what a signal of another warp wrote, or has waited for the phase that it arrived in. */
static void see_signals(const PeerVisit *visit) {
    const SharedPeers *peers = visit->check->peers;
    const Access *access = visit->access;
    const bool reads = access->kind == ACCESS_LOAD || (access->kind == ACCESS_ATOMIC && !access->meets);
    if (visit->strength == STRENGTH_PLAIN || !reads) return;
    for (uint32_t i = 1; i < peers->n_last; i += 2) {
        LastAccess *last = &peers->last[i];
        const bool own = last->mark.block == visit->by->block && last->mark.warp == visit->place->warp;
        if (last->mark.meeting != visit->check->order->meetings || last->seen || own || last->meets != access->meets) continue;
        EACH_ACTIVE_LANE(l, access->active)
        last->seen |= access->addr[l] == last->byte && (!last->meets || (access->odd >> l & 1) == last->odd);
    }
}

static void keep_last(const PeerVisit *visit) {
    const Access *access = visit->access;
    const unsigned first = lanes_first(access->active);
    const bool signals = visit->strength != STRENGTH_PLAIN && access->kind != ACCESS_LOAD;
    *last_of(visit->check->peers, visit->place, signals) = (LastAccess){.place = *visit->place,
                                                                        .mark = mark_of_lane(visit, first),
                                                                        .byte = access->addr[first],
                                                                        .kind = access->kind,
                                                                        .meets = access->meets,
                                                                        .odd = access->odd >> first & 1};
}

bool shared_check_peer(SharedCheck *check, const BlockOrder *by, const Place *place, const Access *access, Fault *fault) {
    SharedPeers *peers = peers_of(check);
    const PeerVisit visit = {check, by, place, access, fault, block_order_strength(by, access)};
    peers->meeting = check->order->meetings;
    keep_last(&visit);
    see_signals(&visit);
    EACH_ACTIVE_LANE(l, access->active) {
        if (!is_initialized(&visit, l) || !check_lane(&visit, l)) return false;
        keep_lane(&visit, l);
    }
    return true;
}

bool shared_peers_own(SharedCheck *check, const Place *place, const Access *access, Fault *fault) {
    const PeerVisit visit = {check, check->order, place, access, fault, block_order_strength(check->order, access)};
    if (!check->peers || check->peers->meeting != check->order->meetings) return true;
    see_signals(&visit);
    EACH_ACTIVE_LANE(l, access->active) {
        if (!check_lane(&visit, l)) return false;
    }
    return true;
}

/* --- who leaves too early ----------------------------------------------------------------------------------------------------------- */

/* Whether any thread of the block knows of it: the block stays until its last one has left. */
static bool is_known(const BlockOrder *order, const LastAccess *last) {
    const PeerMark *mark = &last->mark;
    if (last->seen) return true;
    for (uint32_t w = 0; w < order->clock.warps; w++)
        if (block_order_foreign(order, w, mark->block, mark->warp, mark->time)) return true;
    return false;
}

bool shared_peers_block_end(const SharedCheck *check, const Place *place, Fault *fault) {
    const SharedPeers *peers = check->peers;
    const BlockOrder *order = check->order;
    if (fault->kind != FAULT_none || !peers || peers->meeting != order->meetings) return true;
    for (uint32_t i = 0; i < peers->n_last; i++) {
        const LastAccess *last = &peers->last[i];
        if (last->mark.meeting != order->meetings || is_known(order, last)) continue;
        fault_set(fault, FAULT_shared_race, last->mark.pc,
                  "lane %u of warp %u %s shared memory of block %llu at byte %llu, which may have left the kernel by then",
                  last->mark.lane, last->mark.warp, access_verb(last->kind), (unsigned long long)place->block,
                  (unsigned long long)last->byte);
        fault_hint(fault, "a block must not end while others use its shared memory: cluster.sync() behind the last use, before "
                          "the kernel's end");
        fault_blame(fault, &last->place, last->mark.lane);
        return findings_take(check->log, place, fault);
    }
    return true;
}
