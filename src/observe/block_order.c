#include "observe/block_order.h"

#include <stdlib.h>

#include "ptx/opcode.h"

static void forget(BlockOrder *order) {
    for (uint32_t w = 0; w < BLOCK_WARPS && order->causality; w++) causality_forget(order->causality, &order->warps[w]);
}

bool block_order_begin(BlockOrder *order, const Place *place) {
    forget(order);
    order->block = place->block;
    order->strayed = 0;
    order->meetings++;
    order->met = 0;
    return shared_clock_block(&order->clock, place->threads);
}

void block_order_free(BlockOrder *order) {
    if (!order) return;
    forget(order);
    free(order->clock.lane_known);
    free(order);
}

void block_order_barrier(BlockOrder *order, uint32_t warps) {
    /* Without counts a barrier waits for every warp that has not ended, and those that have ended did so before it. */
    if (order->kernel->counted_barriers)
        shared_clock_barrier(&order->clock, warps);
    else
        shared_clock_barrier_all(&order->clock);
    if (order->causality) causality_barrier(order->causality, order->warps, warps);
}

void block_order_warp_sync(BlockOrder *order, const Place *place, uint32_t lanes) {
    shared_clock_warp_sync(&order->clock, place->warp, lanes);
}

static void fence(BlockOrder *order, uint32_t warp, bool of_block) {
    SharedClock *clock = &order->clock;
    OwnTimes own = {.block = order->block, .warps = clock->warps};
    for (uint32_t v = 0; v < clock->warps; v++) {
        const uint32_t known = clock->known[warp][v], before = clock->epoch - 1;
        own.time[v] = (v == warp ? clock->now[warp] : known > before ? known : before) - clock->base;
    }
    clock->now[warp]++;
    causality_fence(order->causality, &order->warps[warp], &own, of_block);
}

void block_order_fence(BlockOrder *order, const Place *place, uint32_t pc) {
    if (order->causality) fence(order, place->warp, order->kernel->program->insns[pc].of_block);
}

void block_order_cluster(BlockOrder *order, const Place *place, uint64_t first, uint32_t warps) {
    enum { NO_BYTE = (1 << 20) - 1 }; /* behind all shared memory */
    order->meetings++;
    /* It waits for every warp of the block that has not ended, whatever other barriers count. */
    shared_clock_barrier_all(&order->clock);
    order->met = order->clock.epoch;
    if (!order->causality) return;
    const AtomicAccess meets = {
        .block = order->block, .place = causality_place(SPACE_SHARED, first, NO_BYTE), .kind = ATOMIC_UPDATE, .returns = true};
    fence(order, place->warp, false);
    causality_access(order->causality, &order->warps[place->warp], &meets);
    causality_barrier(order->causality, order->warps, warps);
}

static AtomicKind kind_of(const BlockOrder *order, const Access *access) {
    if (access->kind == ACCESS_LOAD) return ATOMIC_READ;
    if (access->kind == ACCESS_STORE) return ATOMIC_WRITE;
    const Insn *insn = &order->kernel->program->insns[access->pc];
    const bool acquires = access->order == ORDER_ACQUIRE || access->order == ORDER_ACQ_REL || access->order == ORDER_SC;
    return insn->variant == ATOM_CAS && !acquires ? ATOMIC_CAS : ATOMIC_UPDATE;
}

/* At an mbarrier a phase hands over to who waits for it, and to the next one, which may have begun by then: each has a place of its own within the
 * object, as the phase before it does. */
static void meet(AtomicAccess *atomic, const Access *access, uint32_t lane) {
    const uint32_t odd = access->odd >> lane & 1;
    if (atomic->kind != ATOMIC_READ) atomic->before = atomic->place + !odd;
    atomic->place += odd;
}

void block_order_access(BlockOrder *order, const Place *place, uint64_t owner, const Access *access) {
    WarpOrder *warp = &order->warps[place->warp];
    if (!order->causality) return;
    if (block_order_strength(order, access) == STRENGTH_PLAIN) {
        causality_plain(warp);
        return;
    }
    const Insn *insn = &order->kernel->program->insns[access->pc];
    /* Programs leave an mbarrier's scope at its default, .cta, where other blocks arrive at it or copy to it as well. */
    const bool of_block = insn->of_block && insn->op != OP_mbarrier;
    if (access->order == ORDER_RELEASE || access->order == ORDER_ACQ_REL || access->order == ORDER_SC)
        fence(order, place->warp, of_block);
    AtomicAccess atomic = {.block = order->block,
                           .kind = kind_of(order, access),
                           .returns = access->kind == ACCESS_LOAD || (access->kind == ACCESS_ATOMIC && !access->meets),
                           .of_block = of_block};
    uint64_t last = UINT64_MAX;
    for (uint32_t l = 0; l < WARP_LANES; l++) {
        if (!(access->active >> l & 1) || access->addr[l] == last) continue;
        last = access->addr[l];
        atomic.place = causality_place(access->space, owner, last);
        if (access->meets) meet(&atomic, access, l);
        causality_access(order->causality, warp, &atomic);
    }
}

bool block_order_before(const BlockOrder *order, uint32_t self, uint32_t other, uint32_t clock_time) {
    const SharedClock *clock = &order->clock;
    if (shared_clock_ordered(clock, self, other, clock_time)) return true;
    return block_order_foreign(order, self / WARP_LANES, order->block, other / WARP_LANES, clock_time - clock->base);
}
