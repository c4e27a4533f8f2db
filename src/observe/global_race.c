#include "observe/global_race.h"

#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "observe/race_visit.h"
#include "observe/touch.h"
#include "observe/updates.h"

/* --- the launch ------------------------------------------------------------------------------------------------------------- */

/* One that is derived from the pointer may be where it points, or end there. False: the pointer tells nothing. */
static bool may_be_stored(const Memory *memory, uint64_t pointer) {
    Allocation *in = memory_find(memory, pointer), *ends = memory_find(memory, pointer - 1);
    if (in) in->only_read = false;
    if (ends) ends->only_read = false;
    return in || ends || pointer < MEMORY_FIRST; /* which is a number, or null */
}

/* Finds the allocations that no store of the launch leads to. */
static void find_only_read(Memory *memory, const StoreBases *stored, const RaceGrid *grid) {
    bool known = !stored->any && !grid->imprinted;
    for (size_t i = 0; i < memory_count(memory); i++) memory_at(memory, i)->only_read = known && !memory_at(memory, i)->unified;
    for (size_t i = 0; known && i < stored->count; i++) {
        const StoreBase *base = &stored->bases[i];
        uint64_t pointer = 0;
        if (base->is_variable)
            pointer = grid->module->variables[base->at]->address;
        else
            memcpy(&pointer, grid->params + base->at, sizeof pointer);
        known = may_be_stored(memory, pointer);
    }
    for (size_t i = 0; !known && i < memory_count(memory); i++) memory_at(memory, i)->only_read = false;
}

GlobalRace *global_race_new(Memory *memory, const Kernel *kernel, Causality *causality, RaceGrid grid, bool strict) {
    GlobalRace *race = alloc_zeroed(1, sizeof *race);
    race->kernel = kernel;
    race->strict = strict;
    race->causality = causality;
    race->at = mark_layout(kernel, grid.blocks, memory_generation(memory, kernel->global_granule, MARK_LAUNCHES));
    race->memory = memory;
    while (race->at.lane_bits && grid.threads <= UINT64_C(1) << (race->at.lane_bits - 1)) race->at.lane_bits--;
    find_only_read(memory, &kernel->stored, &grid);
    if (grid.shared) race->stripes = alloc_zeroed(RACE_LOCKS, RACE_LOCK_BYTES);
    return race;
}

void global_race_free(GlobalRace *race) {
    if (!race) return;
    mark_layout_free(&race->at);
    free(race->stripes);
    free(race);
}

bool global_race_strayed(const GlobalRace *race) { return race->strayed; }

RaceWorker race_worker(GlobalRace *race, FindingLog *log) {
    return (RaceWorker){race, log, mark_pool(race->memory, race->stripes)};
}

/* --- the lanes --------------------------------------------------------------------------------------------------------------------- */

/* So many lanes from this one on, each behind its predecessor. */
static bool visit_run(const RaceVisit *visit, const Touch *touch, uint32_t lane, uint32_t lanes) {
    const uint64_t base = touch->offset[lane] / visit->granule, end = base + (uint64_t)visit->granules * lanes;
    bool fine = true;
    for (uint64_t cell = base, next; fine && cell < end; cell = next) {
        next = cell / RACE_LOCKED * RACE_LOCKED + RACE_LOCKED;
        if (next > end) next = end;
        uint8_t *stripe = race_lock(visit, cell);
        fine = race_run(visit, lane, base, cell, next);
        race_unlock(stripe);
    }
    return fine;
}

/* Lanes of one store that write to one place; the others are left in *lanes. */
static bool visit_clashes(const RaceVisit *visit, uint32_t *lanes) {
    const Access *access = visit->access;
    const uint8_t *data = access->data;
    for (uint32_t l = 1; l < WARP_LANES; l++) {
        for (uint32_t m = 0; m < l && *lanes >> l & 1; m++) {
            if (!(*lanes >> m & 1) || access->addr[m] != access->addr[l]) continue;
            *lanes &= ~(1u << l);
            const bool same = memcmp(data + (size_t)l * access->bytes, data + (size_t)m * access->bytes, access->bytes) == 0;
            if (visit->strong || (same && !visit->race->strict)) continue;
            const uint64_t offset = access->addr[l] - visit->in->address;
            fault_set(visit->fault, FAULT_global_race, access->pc, "lanes %u and %u of warp %u write %s to '%s'+%llu at once",
                      m, l, visit->place->warp, same ? "one value, but not atomically," : "different values", visit->in->name,
                      (unsigned long long)offset);
            visit->fault->other_pc = access->pc;
            if (!updates_hint(visit->race->kernel->program, visit->fault, true, false) && !same_value_hint(visit->fault, same))
                fault_hint(visit->fault, "only one of the values stays: let one lane write, or use an atomic operation");
            fault_blame(visit->fault, visit->place, m);
            if (!findings_take(visit->log, visit->place, visit->fault)) return false;
        }
    }
    return true;
}

/* How many of the lanes follow this one, with it, each behind its predecessor. */
static uint32_t run_lanes(const RaceVisit *visit, const Touch *touch, uint32_t lanes, uint32_t lane) {
    uint32_t count = 1;
    while (lane + count < WARP_LANES && lanes >> (lane + count) & 1 &&
           touch->offset[lane + count] - touch->offset[lane] == (uint64_t)count * visit->access->bytes)
        count++;
    return count;
}

/* Lanes in long runs, until one is short; the others are left in *lanes. */
static bool visit_runs(const RaceVisit *visit, const Touch *touch, uint32_t *lanes) {
    while (*lanes) {
        const uint32_t lane = (uint32_t)__builtin_ctz(*lanes), count = run_lanes(visit, touch, *lanes, lane);
        if (count * visit->granules < MARKS_ROW) break;
        if (!visit_run(visit, touch, lane, count)) return false;
        *lanes &= count == WARP_LANES ? 0 : ~(((1u << count) - 1) << lane);
    }
    return true;
}

/* The lanes that touch visit->in. */
static bool visit_allocation(const RaceVisit *visit, const Touch *touch, uint32_t lanes) {
    if (touch->contiguous) return visit_run(visit, touch, 0, WARP_LANES);
    if (!visit->stores && touch->runs == 1) { /* two of them stand for all */
        const uint32_t first = lanes & -lanes, others = lanes & ~first;
        return race_lanes(visit, touch, first | (others & -others));
    }
    const bool apart = (visit->access->strided && visit->access->stride) || touch_rises(touch, lanes);
    if (visit->access->kind == ACCESS_STORE && !apart && !visit_clashes(visit, &lanes)) return false;
    if (!visit_runs(visit, touch, &lanes)) return false;
    return !lanes || race_lanes(visit, touch, lanes);
}

static RaceVisit visit_of(const RaceWorker *worker, const BlockOrder *order, const Place *place, const Access *access,
                          Fault *fault) {
    GlobalRace *race = worker->race;
    const SharedClock *clock = &order->clock;
    RaceVisit visit = {.race = race, .order = order, .log = worker->log, .place = place, .access = access, .fault = fault};
    visit.now = clock->now[place->warp] - clock->base;
    visit.epoch = clock->epoch - clock->base;
    visit.unsynced = clock->synced[place->warp] + 1 - clock->base;
    visit.strong = block_order_strength(order, access) != STRENGTH_PLAIN;
    visit.of_block = visit.strong && race->kernel->program->insns[access->pc].of_block;
    visit.stores = access->kind != ACCESS_LOAD;
    visit.whole = !clock->partial && !block_order_told(order, place->warp);
    visit.mine = race->at.floor | place->block << race->at.block_at | (uint64_t)visit.now << race->at.time_at |
                 (uint64_t)place->warp << (race->at.thread_at + 5) | (uint64_t)race->at.numbers[access->pc] << MARK_FLAGS;
    return visit;
}

/* Whether the block stores here by a pointer to another allocation, or has before. Allocations may share a bit: more reads leave marks then. */
static bool has_strayed(GlobalRace *race, BlockOrder *order, const Access *access, const Allocation *in) {
    const uint64_t bit = UINT64_C(1) << (in->address * UINT64_C(0x9e3779b97f4a7c15) >> 58);
    if (access->kind != ACCESS_LOAD && !(order->strayed & bit)) {
        order->strayed |= bit;
        __atomic_store_n(&race->strayed, true, __ATOMIC_RELAXED);
    }
    return order->strayed & bit;
}

bool race_worker_access(RaceWorker *worker, BlockOrder *order, const Place *place, const Access *access,
                        const GlobalTouch *touched, Fault *fault) {
    if (touched->in->only_read && !has_strayed(worker->race, order, access, touched->in)) return true;
    RaceVisit visit = visit_of(worker, order, place, access, fault);
    if ((uint64_t)visit.now >> (worker->race->at.block_at - worker->race->at.time_at))
        return true; /* more than marks can count */
    memory_marks(touched->in, worker->race->kernel->global_granule);
    visit.in = touched->in;
    visit.granule = visit.in->marks_granule;
    visit.granules = access->bytes >> __builtin_ctz(visit.granule); /* which a division would take long for */
    visit.writes = marks_of(visit.in, false, &worker->pool);
    visit.reads = marks_of(visit.in, true, &worker->pool);
    bool *left_some = visit.stores ? &visit.in->marks_written : &visit.in->marks_read;
    if (!__atomic_load_n(left_some, __ATOMIC_RELAXED)) __atomic_store_n(left_some, true, __ATOMIC_SEQ_CST);
    return visit_allocation(&visit, &touched->touch, touched->lanes);
}
