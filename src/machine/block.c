/* Blocks: their warps' turns, and barriers. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "machine/warp.h"

/* Local and shared memory before anything is written: not a number, and an unlikely index. (One value for all bytes would be a call of
 * memset, which is slow to start.) */
#define POISON 0xff
#define POISON_WORD UINT32_C(0xffffdead)

enum { PASSES = 1024 }; /* from barrier to barrier, say, before other blocks have their turn */

static void *allocate_lines(size_t bytes) {
    void *memory = aligned_alloc(64, (bytes + 63) / 64 * 64 + 64);
    if (!memory) abort();
    memset(memory, 0, bytes);
    return memory;
}

/* Special registers that stay the same for every block that runs in this place. */
static void set_special(Warp *warp, Special special, uint32_t value) {
    Slot slot = warp->worker->code->specials[special];
    if (slot == NO_SLOT) return;
    uint32_t *lanes = warp_at(warp, slot);
    for (int l = 0; l < WARP_LANES; l++) lanes[l] = value;
}

static void set_thread_specials(Warp *warp) {
    const Launch *launch = warp->worker->launch;
    const Code *code = warp->worker->code;
    for (unsigned l = 0; l < WARP_LANES; l++) {
        uint32_t thread = warp->place.warp * WARP_LANES + l, bit = 1u << l;
        const uint32_t values[][2] = {
            {SPECIAL_tid_x, thread % launch->block[0]},
            {SPECIAL_tid_y, thread / launch->block[0] % launch->block[1]},
            {SPECIAL_tid_z, thread / launch->block[0] / launch->block[1]},
            {SPECIAL_laneid, l},
            {SPECIAL_lanemask_eq, bit},
            {SPECIAL_lanemask_lt, bit - 1},
            {SPECIAL_lanemask_le, bit | (bit - 1)},
            {SPECIAL_lanemask_gt, ~(bit | (bit - 1))},
            {SPECIAL_lanemask_ge, ~(bit - 1)},
        };
        for (size_t i = 0; i < sizeof values / sizeof *values; i++)
            if (code->specials[values[i][0]] != NO_SLOT)
                ((uint32_t *)warp_at(warp, code->specials[values[i][0]]))[l] = values[i][1];
    }
    for (unsigned axis = 0; axis < 3; axis++) {
        set_special(warp, SPECIAL_ntid_x + axis, launch->block[axis]);
        set_special(warp, SPECIAL_nctaid_x + axis, launch->grid[axis]);
    }
    set_special(warp, SPECIAL_warpid, warp->place.warp);
    set_special(warp, SPECIAL_nwarpid, warp->block->n_warps);
    set_special(warp, SPECIAL_nsmid, launch->sms);
    set_special(warp, SPECIAL_gridid, 1);
    set_special(warp, SPECIAL_dynamic_smem_size, launch->shared_dynamic);
    set_special(warp, SPECIAL_total_smem_size, warp->block->shared_bytes);
    set_special(warp, SPECIAL_envreg1, (uint32_t)(launch->workspace >> 32));
    set_special(warp, SPECIAL_envreg2, (uint32_t)launch->workspace);
}

Block *block_new(Worker *worker, uint32_t slot) {
    const Launch *launch = worker->launch;
    const Code *code = worker->code;
    Block *block = calloc(1, sizeof *block);
    if (!block) abort();
    block->worker = worker;
    block->slot = slot;
    uint32_t threads = launch->block[0] * launch->block[1] * launch->block[2];
    block->n_warps = (threads + WARP_LANES - 1) / WARP_LANES;
    block->shared_bytes = code->shared_static + launch->shared_dynamic;
    block->shared = allocate_lines(block->shared_bytes + 16);
    block->warps = calloc(block->n_warps, sizeof *block->warps);
    if (!block->warps) abort();
    for (uint32_t w = 0; w < block->n_warps; w++) {
        Warp *warp = &block->warps[w];
        warp->block = block;
        warp->worker = worker;
        warp->place = (Place){.warp = w, .slot = slot, .threads = threads, .block_dim = launch->block};
        warp->registers_bytes = code->stack_slots_bytes;
        warp->registers = allocate_lines(warp->registers_bytes);
        warp->local = allocate_lines((size_t)code->stack_local_bytes * WARP_LANES);
        warp->frame_capacity = 4;
        warp->frames = calloc(warp->frame_capacity, sizeof *warp->frames);
        if (!warp->frames) abort();
        warp->own = allocate_lines(code->warp_area_bytes);
        warp_set_area(warp, AREA_FRAME, warp->registers);
        warp_set_area(warp, AREA_CONSTANT, code->constants);
        warp_set_area(warp, AREA_WARP, warp->own);
        warp_set_area(warp, AREA_NONE, warp->own);
        set_thread_specials(warp);
    }
    return block;
}

void block_free(Block *block) {
    if (!block) return;
    for (uint32_t w = 0; w < block->n_warps; w++) {
        Warp *warp = &block->warps[w];
        free(warp->registers);
        free(warp->local);
        free(warp->frames);
        free(warp->paths);
        spin_free(&warp->spin);
        free(warp->own);
    }
    free(block->warps);
    free(block->shared);
    free(block);
}

void block_start(Block *block, uint64_t index) {
    Worker *worker = block->worker;
    const Launch *launch = worker->launch;
    block->index = index;
    uint32_t ctaid[3] = {(uint32_t)(index % launch->grid[0]), (uint32_t)(index / launch->grid[0] % launch->grid[1]),
                         (uint32_t)(index / launch->grid[0] / launch->grid[1])};
    memset(block->barriers, 0, sizeof block->barriers);
    block->ended_writing = 0;
    uint32_t *words = (uint32_t *)(void *)block->shared, count = (block->shared_bytes + 3) / 4;
    for (uint32_t i = 0; i < count; i++) words[i] = POISON_WORD;
    block->live_warps = block->n_warps == WARP_LANES ? LANES_ALL : (1u << block->n_warps) - 1;
    for (uint32_t w = 0; w < block->n_warps; w++) {
        Warp *warp = &block->warps[w];
        warp->place.block = index;
        warp->place.sm = (uint32_t)(index % launch->sms);
        memcpy(warp->place.ctaid, ctaid, sizeof ctaid);
        for (unsigned axis = 0; axis < 3; axis++) set_special(warp, SPECIAL_ctaid_x + axis, ctaid[axis]);
        set_special(warp, SPECIAL_smid, warp->place.sm);
        if (worker->code->reads_undefined) memset(warp->registers, 0, warp->registers_bytes);
        if (worker->code->has_local) memset(warp->local, POISON, (size_t)worker->code->stack_local_bytes * WARP_LANES);
        uint32_t threads = warp->place.threads - w * WARP_LANES;
        warp_start(warp, threads >= WARP_LANES ? LANES_ALL : (1u << threads) - 1);
    }
    for (uint32_t o = 0; o < worker->n_observers; o++) {
        const Observer *observer = worker->observers[o];
        if (observer->on_block_begin) observer->on_block_begin(observer->self, &block->warps[0].place, block->shared_bytes);
    }
}

static void release(Block *block, Barrier *barrier, Warp *by) {
    for (uint32_t w = 0; w < block->n_warps; w++) {
        Warp *warp = &block->warps[w];
        if (barrier->arrived >> w & 1) warp->wrote = false;
        if (!(barrier->waiting >> w & 1)) continue;
        warp->state = WARP_READY;
        const Step *step = &block->worker->code->steps[barrier->step[w]];
        uint8_t variant = step->insn->variant;
        uint32_t lanes = barrier->lanes[w];
        if (step->d == NO_SLOT) continue;
        uint32_t *d = warp_at(warp, step->d);
        if (variant == BAR_RED_POPC) {
            for (int l = 0; l < WARP_LANES; l++) d[l] = lanes >> l & 1 ? barrier->red_count : d[l];
        } else {
            bool result = variant == BAR_RED_AND ? barrier->red_count == barrier->red_lanes : barrier->red_count > 0;
            *d = (*d & ~lanes) | (result ? lanes : 0);
        }
    }
    const Worker *worker = block->worker;
    for (uint32_t o = 0; o < worker->n_observers; o++) {
        const Observer *observer = worker->observers[o];
        if (observer->on_barrier) observer->on_barrier(observer->self, &by->place, barrier->arrived);
    }
    memset(barrier, 0, sizeof *barrier);
}

static bool complete(const Block *block, const Barrier *barrier) {
    if (!barrier->arrived) return false;
    if (barrier->expected) return barrier->threads >= barrier->expected;
    return (barrier->arrived & block->live_warps) == block->live_warps;
}

static const char *const barrier_hint =
    "every thread of the block must reach the same __syncthreads(): move it out of the if or loop that only some "
    "threads take";

/* A barrier for all warps that one left out by ending, after it had written memory since the last barrier, is no accident: it took another
 * way round. (Threads that have merely left do not count: CUDA C++ Programming Guide, independent thread scheduling.) */
static bool left_out(Warp *waiting, const Step *step, unsigned ended) {
    Fault *fault = &waiting->worker->fault;
    fault_set(fault, FAULT_barrier_divergence, step->pc,
              "warp %u waits at this barrier, but warp %u wrote memory and ended without coming to it", waiting->place.warp,
              ended);
    snprintf(fault->hint, sizeof fault->hint, "%s", barrier_hint);
    return warp_blame(waiting, (unsigned)__builtin_ctz(waiting->live));
}

/* Lanes of the warp that have neither left nor come to this barrier. */
static bool missing_lanes(Warp *warp, const Step *step, uint32_t active) {
    char here[100], there[100];
    uint32_t missing = warp->live & ~active;
    Fault *fault = &warp->worker->fault;
    fault_set(fault, FAULT_barrier_divergence, step->pc, "%s of warp %u reach%s this barrier, %s %s elsewhere",
              lanes_text(active, here, sizeof here), warp->place.warp, active & (active - 1) ? "" : "es",
              lanes_text(missing, there, sizeof there), missing & (missing - 1) ? "are" : "is");
    snprintf(fault->hint, sizeof fault->hint, "%s", barrier_hint);
    return warp_blame(warp, (unsigned)__builtin_ctz(active));
}

bool block_arrive(Warp *warp, const Step *step, uint32_t active) {
    Block *block = warp->block;
    if (active != warp->live) return missing_lanes(warp, step, active);
    unsigned lane = (unsigned)__builtin_ctz(active), sources = step->insn->n_src;
    bool red = step->insn->n_dst > 0, counted = sources >= (red ? 3u : 2u);
    uint32_t id = ((const uint32_t *)warp_at(warp, step->s[0]))[lane],
             expected = counted ? ((const uint32_t *)warp_at(warp, step->s[1]))[lane] : 0;
    if (id >= BARRIERS || expected % WARP_LANES || (counted && !expected)) {
        fault_set(&warp->worker->fault, FAULT_barrier_divergence, step->pc,
                  id >= BARRIERS ? "barrier %u: a block has barriers 0 to 15"
                                 : "barrier %u for %u threads: the number must be a multiple of 32 above 0",
                  id, expected);
        return warp_blame(warp, lane);
    }
    spin_reset(&warp->spin);
    if (!expected && block->ended_writing) return left_out(warp, step, (unsigned)__builtin_ctz(block->ended_writing));
    Barrier *barrier = &block->barriers[id];
    uint32_t bit = 1u << warp->place.warp;
    barrier->expected = expected;
    barrier->arrived |= bit;
    barrier->threads += WARP_LANES;
    barrier->step[warp->place.warp] = (uint32_t)(step - warp->worker->code->steps);
    barrier->lanes[warp->place.warp] = active;
    if (red) {
        uint32_t votes = *(const uint32_t *)warp_at(warp, step->s[sources - 1]);
        if (step->negated) votes = ~votes;
        barrier->red_count += (unsigned)__builtin_popcount(votes & active);
        barrier->red_lanes += (unsigned)__builtin_popcount(active);
    }
    if (step->insn->variant != BAR_ARRIVE) {
        barrier->waiting |= bit;
        warp->state = WARP_AT_BARRIER;
    }
    if (complete(block, barrier)) release(block, barrier, warp);
    return true;
}

static bool warp_ended(Warp *warp) {
    Block *block = warp->block;
    bool wrote = warp->wrote && block->worker->launch->barrier_checks;
    block->live_warps &= ~(1u << warp->place.warp);
    if (wrote) block->ended_writing |= 1u << warp->place.warp;
    for (int i = 0; i < BARRIERS; i++) {
        Barrier *barrier = &block->barriers[i];
        if (wrote && barrier->waiting && !barrier->expected) {
            unsigned waits = (unsigned)__builtin_ctz(barrier->waiting);
            return left_out(&block->warps[waits], &block->worker->code->steps[barrier->step[waits]], warp->place.warp);
        }
        if (block->live_warps && complete(block, barrier)) release(block, barrier, warp);
    }
    return true;
}

/* No warp can run: each waits at a barrier that the others do not come to. */
static BlockEnd stuck_at_barriers(Block *block) {
    Fault *fault = &block->worker->fault;
    for (int i = 0; i < BARRIERS; i++) {
        const Barrier *barrier = &block->barriers[i];
        if (!barrier->waiting) continue;
        char waiting[100], others[100];
        uint32_t rest = block->live_warps & ~barrier->arrived;
        unsigned first = (unsigned)__builtin_ctz(barrier->waiting);
        lanes_text(barrier->waiting, waiting, sizeof waiting);
        lanes_text(rest, others, sizeof others);
        char what[60] = "all warps of the block";
        if (barrier->expected) snprintf(what, sizeof what, "%u threads", barrier->expected);
        fault_set(fault, FAULT_deadlock, block->worker->code->steps[barrier->step[first]].pc,
                  "warp%s wait%s at barrier %d for %s; %s%s%s", waiting + 4,
                  barrier->waiting & (barrier->waiting - 1) ? "" : "s", i, what, rest ? "warp" : "no others are left",
                  rest ? others + 4 : "", rest ? " never come" : "");
        snprintf(fault->hint, sizeof fault->hint, "all threads that a barrier counts must come to it");
        warp_blame(&block->warps[first], (unsigned)__builtin_ctz(barrier->lanes[first]));
        break;
    }
    return BLOCK_FAULT;
}

/* Warps in turn until all have ended or the others on the SM should have their turn. */
BlockEnd block_run(Block *block) {
    for (int pass = 0; pass < PASSES; pass++) {
        bool ready = false, yielded = false, spun = false, progress = false;
        for (uint32_t w = 0; w < block->n_warps; w++) {
            Warp *warp = &block->warps[w];
            if (warp->state != WARP_READY) continue;
            ready = true;
            if (warp->spin.parked && !spin_wakes(warp)) continue;
            switch (warp_run(warp)) {
            case RUN_DONE:
                progress = true;
                if (!warp_ended(warp)) return BLOCK_FAULT;
                break;
            case RUN_BARRIER: progress = true; break;
            case RUN_YIELD: yielded = true; break;
            case RUN_SPIN: spun = true; break;
            case RUN_PARKED: break;
            case RUN_FAULT: return BLOCK_FAULT;
            }
            progress |= warp->moved;
            warp->moved = false;
        }
        if (!block->live_warps) return BLOCK_DONE;
        if (!ready) return stuck_at_barriers(block);
        if (!yielded && !progress) return spun ? BLOCK_SPINS : BLOCK_PARKED;
        if (yielded || spun) return BLOCK_YIELDED;
    }
    return BLOCK_YIELDED;
}

bool block_wakes(Block *block) {
    for (uint32_t w = 0; w < block->n_warps; w++) {
        Warp *warp = &block->warps[w];
        if (warp->state == WARP_READY && (!warp->spin.parked || spin_wakes(warp))) return true;
    }
    return false;
}

bool block_release(Block *block) {
    for (uint32_t w = 0; w < block->n_warps; w++) {
        Warp *warp = &block->warps[w];
        if (warp->state != WARP_READY || !warp_part(warp)) continue;
        spin_reset(&warp->spin);
        return true;
    }
    return false;
}
