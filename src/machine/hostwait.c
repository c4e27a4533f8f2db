#include "machine/hostwait.h"

static bool is_shared(const Warp *warp, uint64_t address) {
    const Allocation *in = memory_find(warp->worker->launch->memory, address);
    return in && in->unified;
}

/* Memory that both have is at one address for both. */
uint64_t hostwait_address(const Warp *warp) {
    const Spin *spin = &warp->spin;
    if (spin->pc != NO_INSN && is_shared(warp, spin->address)) return spin->address;
    for (uint32_t i = 0; i < spin->n_polled; i++)
        if (is_shared(warp, (uintptr_t)spin->polled[i].host)) return (uintptr_t)spin->polled[i].host;
    return 0;
}

static bool awaits_host(const Warp *warp) { return warp->state == WARP_READY && warp->spin.watching && hostwait_address(warp); }

typedef struct Blocks {
    const Worker *worker;
    const Waiting *waiting;
} Blocks;

static Block *block_at(const Worker *worker, const Waiting *waiting, uint32_t i) {
    return worker->blocks[waiting->block_slots[i]];
}

static bool any_changed(const void *of) {
    const Blocks *blocks = of;
    for (uint32_t i = 0; i < blocks->waiting->count; i++) {
        const Block *block = block_at(blocks->worker, blocks->waiting, i);
        for (uint32_t w = 0; w < block->n_warps; w++)
            if (block->warps[w].state == WARP_READY && spin_changed(&block->warps[w])) return true;
    }
    return false;
}

Warp *hostwait_first(const Worker *worker, const Waiting *waiting) {
    Warp *first = NULL;
    for (uint32_t i = 0; i < waiting->count; i++) {
        Block *block = block_at(worker, waiting, i);
        if (first && first->place.block < block->index) continue;
        for (uint32_t w = block->n_warps; w-- > 0;)
            if (awaits_host(&block->warps[w])) first = &block->warps[w];
    }
    return first;
}

static bool polls_shared(const Worker *worker) {
    for (uint32_t s = 0; s < worker->code->n_steps; s++) {
        const Step *step = &worker->code->steps[s];
        if (step->order == ORDER_WEAK && step->exec != EXEC_ATOM) continue;
        const Allocation *last = worker->recent[step->pc].allocation;
        if (last && last->unified) return true;
    }
    return false;
}

AwaitedEnd hostwait_share(Worker *worker, const Waiting *waiting) {
    const HostBeside *host = worker->launch->host;
    if (!polls_shared(worker)) return AWAITED_MAY_BE;
    return host->wait(host->self, &(Awaited){any_changed, &(Blocks){worker, waiting}, .counted = true});
}

AwaitedEnd hostwait_ended(Worker *worker, const Waiting *waiting) {
    const HostBeside *host = worker->launch->host;
    const bool of_host = host && hostwait_first(worker, waiting);
    if (!of_host && !(host && host->other(host->self))) return AWAITED_NEVER;
    return host->wait(host->self, &(Awaited){any_changed, &(Blocks){worker, waiting}, waiting->iterations != 0, !of_host});
}
