#include "machine/bulkcopy.h"

#include <string.h>

#include "machine/atomics.h"
#include "machine/bounds.h"
#include "machine/lanes.h"
#include "machine/loadstore.h"
#include "machine/mbarrier.h"
#include "machine/peers.h"
#include "machine/warp_fault.h"

/* What one lane has copied. */
typedef struct Bulk {
    unsigned lane;
    uint64_t to, from, barrier; /* the own block's as offsets, another's by its address in the cluster */
    uint32_t bytes;
    uint8_t to_space, from_space;
    bool reduces, tied;
    bool peer; /* one of these is another block's */
} Bulk;

static void copy_in(Warp *warp, const Step *step, const Resolved *at) {
    (void)step;
    EACH_ACTIVE_LANE(l, at->lanes) memcpy(warp->worker->copied[l], resolved_at(at, l), BULK_UNIT);
}

static void copy_out(Warp *warp, const Step *step, const Resolved *at) {
    (void)step;
    EACH_ACTIVE_LANE(l, at->lanes) memcpy(resolved_at(at, l), warp->worker->copied[l], BULK_UNIT);
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

static bool reduce_unit(Warp *warp, const Step *step, const Bulk *bulk, uint64_t at) {
    uint8_t *unit = warp->worker->copied[bulk->lane];
    for (unsigned done = 0; done < BULK_UNIT; done += step->bytes) {
        if (!access(warp, step, bulk, at + done, (Transfer){bulk->to_space, ACCESS_REDUCTION, step->bytes, 0, NULL, update}))
            return false;
        memmove(unit, unit + step->bytes, BULK_UNIT - step->bytes);
    }
    return true;
}

static bool copy_units(Warp *warp, const Step *step, const Bulk *bulk) {
    const Transfer in = {bulk->from_space, ACCESS_LOAD, BULK_UNIT, 0, NULL, copy_in};
    const Transfer out = {bulk->to_space, ACCESS_STORE, BULK_UNIT, 0, warp->worker->copied, copy_out};
    for (uint32_t done = 0; done < bulk->bytes; done += BULK_UNIT) {
        warp->worker->undefined.any = false;
        if (!access(warp, step, bulk, bulk->from + done, in)) return false;
        const uint64_t to = bulk->to + done;
        if (!(bulk->reduces ? reduce_unit(warp, step, bulk, to) : access(warp, step, bulk, to, out))) return false;
    }
    return true;
}

static void notify(Warp *warp, const Step *step, const Bulk *bulk) {
    const AsyncEvent event = {.pc = step->pc,
                              .lanes = 1u << bulk->lane,
                              .variant = step->insn->variant,
                              .barrier = (uint32_t)bulk->barrier,
                              .phase = bulk->tied && !bulk->peer ? mbarrier_phase(warp->block, bulk->barrier) : 0,
                              .to = bulk->to,
                              .from = bulk->from,
                              .bytes = bulk->bytes,
                              .to_space = bulk->to_space,
                              .from_space = bulk->from_space,
                              .tied = bulk->tied,
                              .peer = bulk->peer};
    OBSERVERS_NOTIFY(warp->worker->observers, warp->worker->n_observers, on_async, &warp->place, &event);
}

static void nothing(Warp *warp, const Step *step, const Resolved *at) {
    (void)warp;
    (void)step;
    (void)at;
}

/* Who waits for the phase takes over what was copied. */
static bool complete(Warp *warp, const Step *step, const Bulk *bulk) {
    const Transfer transfer = {SPACE_SHARED, ACCESS_REDUCTION, MBARRIER_BYTES, 0, NULL, nothing};
    Step releasing = *step;
    releasing.order = ORDER_RELEASE;
    return access(warp, &releasing, bulk, bulk->barrier, transfer) &&
           mbarrier_complete(warp, step, bulk->lane, bulk->barrier, bulk->bytes);
}

/* An address of 64 bits may be a generic one of shared memory. */
static uint64_t place_at(Warp *warp, const CopyPlace *place, uint8_t space, Bulk *bulk) {
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
    bulk.from = place_at(warp, &copy->from, bulk.from_space, &bulk);
    if (!prefetches) bulk.to = place_at(warp, &copy->to, bulk.to_space, &bulk);
    if (bulk.tied) bulk.barrier = place_at(warp, &copy->barrier, SPACE_SHARED, &bulk);
    if (!is_aligned(warp, step, &bulk)) return false;
    if (!prefetches && !copy_units(warp, step, &bulk)) return false;
    notify(warp, step, &bulk);
    return !bulk.tied || complete(warp, step, &bulk);
}

bool warp_bulk(Warp *warp, const Step *step, uint32_t active) {
    warp->read_global = warp->changed = true;
    EACH_ACTIVE_LANE(l, active) {
        if (!run_lane(warp, step, l)) return false;
    }
    return true;
}
