#include "machine/bulkcopy.h"

#include <string.h>

#include "machine/atomics.h"
#include "machine/bounds.h"
#include "machine/lanes.h"
#include "machine/loadstore.h"
#include "machine/mbarrier.h"
#include "machine/peers.h"
#include "machine/warp_fault.h"

static void copy_in(Warp *warp, const Step *step, const Resolved *at) {
    (void)step;
    const size_t bytes = warp->worker->access.bytes;
    EACH_ACTIVE_LANE(l, at->lanes) memcpy(warp->worker->copied[l], resolved_at(at, l), bytes);
}

static void copy_out(Warp *warp, const Step *step, const Resolved *at) {
    (void)step;
    const size_t bytes = warp->worker->access.bytes;
    EACH_ACTIVE_LANE(l, at->lanes) memcpy(resolved_at(at, l), warp->worker->copied[l], bytes);
}

/* The element that stands first in what was copied. */
static void update(Warp *warp, const Step *step, const Resolved *at) {
    EACH_ACTIVE_LANE(l, at->lanes) {
        uint64_t value = 0;
        memcpy(&value, warp->worker->copied[l], step->bytes);
        atomics_update(warp, step, at->space == SPACE_GLOBAL, resolved_at(at, l), value);
    }
}

static bool access(Warp *warp, const Step *step, const Bulk *bulk, uint64_t address, Transfer transfer) {
    transfer.lanes = 1u << bulk->lane;
    warp_addresses(warp, NO_SLOT, 8, address, transfer.lanes);
    return warp_access(warp, step, transfer);
}

static bool reduce_unit(Warp *warp, const Step *step, const Bulk *bulk, uint64_t at, uint8_t bytes) {
    uint8_t *unit = warp->worker->copied[bulk->lane];
    for (unsigned done = 0; done < bytes; done += step->bytes) {
        if (!access(warp, step, bulk, at + done, (Transfer){bulk->to_space, ACCESS_REDUCTION, step->bytes, 0, NULL, update}))
            return false;
        memmove(unit, unit + step->bytes, BULK_UNIT - step->bytes);
    }
    return true;
}

/* What observers see of values that are written: each lane's behind the one before it. */
static bool write_unit(Warp *warp, const Step *step, const Bulk *bulk, uint64_t to, uint8_t bytes) {
    const uint8_t *data = warp->worker->copied[bulk->lane] - (size_t)bulk->lane * bytes;
    return access(warp, step, bulk, to, (Transfer){bulk->to_space, ACCESS_STORE, bytes, 0, data, copy_out});
}

bool bulk_move(Warp *warp, const Step *step, const Bulk *bulk, uint64_t to, uint64_t from, uint8_t bytes) {
    warp->worker->undefined.any = false;
    if (!access(warp, step, bulk, from, (Transfer){bulk->from_space, ACCESS_LOAD, bytes, 0, NULL, copy_in})) return false;
    return bulk->reduces ? reduce_unit(warp, step, bulk, to, bytes) : write_unit(warp, step, bulk, to, bytes);
}

bool bulk_fill(Warp *warp, const Step *step, const Bulk *bulk, uint64_t to, const void *from, uint8_t bytes) {
    warp->worker->undefined.any = false;
    memcpy(warp->worker->copied[bulk->lane], from, bytes);
    return write_unit(warp, step, bulk, to, bytes);
}

static void notify(Warp *warp, const Step *step, const Bulk *bulk) {
    uint64_t barrier = bulk->barrier;
    uint32_t rank;
    const Block *owner = bulk->peer ? peers_owner(warp->block, bulk->barrier, &barrier, &rank) : warp->block;
    if (!owner) return; /* the mbarrier is nobody's, which is about to be told */
    const AsyncEvent event = {.pc = step->pc,
                              .lanes = 1u << bulk->lane,
                              .variant = step->insn->variant,
                              .peer = bulk->peer ? &owner->warps[0].place : NULL,
                              .barrier = (uint32_t)barrier,
                              .phase = bulk->tied ? mbarrier_phase(owner, barrier) : 0,
                              .to = bulk->to,
                              .from = bulk->from,
                              .bytes = bulk->bytes,
                              .runs = bulk->runs,
                              .n_runs = bulk->n_runs,
                              .to_space = bulk->to_space,
                              .from_space = bulk->from_space,
                              .tied = bulk->tied,
                              .again = bulk->again};
    OBSERVERS_NOTIFY(warp->worker->observers, warp->worker->n_observers, on_async, &warp->place, &event);
}

/* Who waits for the phase takes over what was copied. */
static bool complete(Warp *warp, const Step *step, const Bulk *bulk) {
    return mbarrier_release(warp, step, bulk->lane, bulk->barrier) &&
           mbarrier_complete(warp, step, bulk->lane, bulk->barrier, bulk->bytes);
}

bool bulk_done(Warp *warp, const Step *step, const Bulk *bulk) {
    notify(warp, step, bulk);
    return !bulk->tied || complete(warp, step, bulk);
}

uint64_t bulk_place(Warp *warp, const CopyPlace *place, uint8_t space, Bulk *bulk) {
    warp_addresses(warp, place->slot, place->slot_bytes, place->offset, 1u << bulk->lane);
    uint64_t address = warp->worker->access.addr[bulk->lane], offset;
    uint32_t rank;
    if (space != SPACE_SHARED) return address;
    if (window_space(address) == SPACE_SHARED) address -= WINDOW_SHARED;
    const bool own = peers_owner(warp->block, address, &offset, &rank) == warp->block;
    bulk->peer |= !own;
    return own ? offset : address;
}

static bool is_aligned(Warp *warp, const Step *step, const Bulk *bulk) {
    const char *const what[] = {"bytes", "where to", "where from"};
    const uint64_t values[] = {bulk->bytes, bulk->to, bulk->from};
    for (unsigned i = 0; i < sizeof values / sizeof *values; i++) {
        if (values[i] % BULK_UNIT == 0) continue;
        fault_hint(&warp->worker->fault,
                   "bulk copies are of multiples of 16 bytes, and begin at multiples of 16 on both sides: __align__(128)");
        return warp_fault(warp, bulk->lane, FAULT_misaligned, step->pc,
                          "lane %u of warp %u copies %u bytes in bulk (%s: 0x%llx), which is not a multiple of 16", bulk->lane,
                          warp->place.warp, bulk->bytes, what[i], (unsigned long long)values[i]);
    }
    return true;
}

/* The copy goes to the same places of each block; that of the blocks which comes first has read what all get. */
bool bulk_each_block(Warp *warp, const Step *step, const Bulk *bulk, BulkRunner *run) {
    Bulk own = *bulk;
    if (step->copy->mask == NO_SLOT) return run(warp, step, &own);
    const uint32_t ranks = ((const uint32_t *)warp_at(warp, step->copy->mask))[bulk->lane] & UINT16_MAX;
    bool first = true;
    EACH_ACTIVE_LANE(rank, ranks) {
        Bulk one = *bulk;
        one.peer = rank != warp->block->rank;
        one.to = peers_address(warp->block, rank, bulk->to);
        one.barrier = peers_address(warp->block, rank, bulk->barrier);
        one.again = !first;
        if (!run(warp, step, &one)) return false;
        first = false;
    }
    return true;
}

static bool copy_all(Warp *warp, const Step *step, Bulk *bulk) {
    const bool prefetches = step->insn->variant == BULK_PREFETCH;
    for (uint32_t done = 0; !prefetches && done < bulk->bytes; done += BULK_UNIT)
        if (!bulk_move(warp, step, bulk, bulk->to + done, bulk->from + done, BULK_UNIT)) return false;
    return bulk_done(warp, step, bulk);
}

static bool run_lane(Warp *warp, const Step *step, unsigned lane) {
    const Insn *insn = step->insn;
    const AsyncCopy *copy = step->copy;
    const bool prefetches = insn->variant == BULK_PREFETCH;
    Bulk bulk = {.lane = lane,
                 .bytes = ((const uint32_t *)warp_at(warp, copy->size))[lane],
                 .to_space = insn->space,
                 .from_space = insn->flags & INSN_FROM_SHARED ? SPACE_SHARED : SPACE_GLOBAL,
                 .reduces = insn->variant <= ATOM_DEC,
                 .tied = insn->space == SPACE_SHARED};
    bulk.from = bulk_place(warp, &copy->from, bulk.from_space, &bulk);
    bulk.peer = false; /* of what is written, and of its mbarrier */
    if (!prefetches) bulk.to = bulk_place(warp, &copy->to, bulk.to_space, &bulk);
    if (bulk.tied) bulk.barrier = bulk_place(warp, &copy->barrier, SPACE_SHARED, &bulk);
    const bool outside = bulk.to_space == SPACE_GLOBAL, inside = bulk.from_space == SPACE_SHARED && !outside;
    const BulkRun run = {outside && !prefetches ? bulk.to : bulk.from, bulk.bytes};
    bulk.runs = &run;
    bulk.n_runs = !inside;
    return is_aligned(warp, step, &bulk) && bulk_each_block(warp, step, &bulk, copy_all);
}

bool warp_bulk(Warp *warp, const Step *step, uint32_t active) {
    warp->read_global = warp->changed = true;
    EACH_ACTIVE_LANE(l, active) {
        if (!run_lane(warp, step, l)) return false;
    }
    return true;
}
