#include "machine/block.h"

#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "machine/barrier.h"
#include "machine/cluster.h"
#include "machine/defined.h"
#include "machine/effort.h"
#include "machine/lanes.h"
#include "machine/mbarrier.h"

/* Local and shared memory before anything is written: not a number, and an unlikely index. (One value for all bytes would be a call of
 * memset, which is slow to start.) */
#define POISON 0xff
#define POISON_WORD UINT32_C(0xffffdead)

enum { ROUNDS_MOST = 1024 }; /* of its warps before other blocks run; a round may be from barrier to barrier */

static void *allocate_aligned(size_t bytes) {
    void *memory = alloc_aligned(64, bytes + 64);
    return memset(memory, 0, bytes);
}

/* Special registers that stay the same for every block that runs in this block slot. */
static void set_special(Warp *warp, Special special, uint32_t value) {
    Slot slot = warp->worker->code->specials[special];
    if (slot == NO_SLOT) return;
    lanes_fill32(warp_at(warp, slot), value, LANES_ALL);
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
    set_special(warp, SPECIAL_nwarpid, warp->worker->machine->warps);
    set_special(warp, SPECIAL_nsmid, warp->worker->machine->sms_shown);
    set_special(warp, SPECIAL_gridid, 1);
    set_special(warp, SPECIAL_dynamic_smem_size, launch->shared_bytes);
    const uint32_t unit = warp->worker->machine->shared_unit;
    set_special(warp, SPECIAL_total_smem_size, (warp->block->shared_bytes + unit - 1) / unit * unit);
    set_special(warp, SPECIAL_envreg1, (uint32_t)(warp->worker->machine->workspace >> 32));
    set_special(warp, SPECIAL_envreg2, (uint32_t)warp->worker->machine->workspace);
}

/* Beside the blocks' own memory what checks keep: for each byte of shared memory some, and a word for each byte of a lane's local memory. */
static bool memory_fits(Worker *worker, uint64_t warps) {
    const Launch *launch = worker->launch;
    const Code *code = worker->code;
    uint64_t local = (uint64_t)code->stack_local_bytes * (WARP_LANES + sizeof(uint32_t));
    worker->bytes +=
        launch_shared(launch) * (worker->machine->n_observers > 1 ? 8 : 1) + warps * (local + code->stack_slots_bytes);
    if (!launch->max_bytes || worker->bytes <= launch->max_bytes) return true;
    fault_hint(&worker->fault, "%s",
               "large arrays inside the kernel? Each thread has its own: keep them in shared memory, or do without");
    return fault_set(
        &worker->fault, FAULT_memory_limit, NO_INSN,
        "the local memory and registers of the blocks that run together need more than %llu MiB: %u bytes of local "
        "memory for each thread",
        (unsigned long long)launch->max_bytes >> 20, code->stack_local_bytes);
}

Block *block_new(Worker *worker, uint32_t block_slot) {
    const Launch *launch = worker->launch;
    const Code *code = worker->code;
    if (!memory_fits(worker, (launch_threads(launch) + WARP_LANES - 1) / WARP_LANES)) return NULL;
    Block *block = alloc_zeroed(1, sizeof *block);
    block->worker = worker;
    uint32_t threads = launch_threads(launch);
    block->n_warps = (threads + WARP_LANES - 1) / WARP_LANES;
    block->shared_bytes = (uint32_t)launch_shared(launch);
    block->shared = allocate_aligned(block->shared_bytes + 16);
    block->warps = alloc_zeroed(block->n_warps, sizeof *block->warps);
    for (uint32_t w = 0; w < block->n_warps; w++) {
        Warp *warp = &block->warps[w];
        warp->block = block;
        warp->worker = worker;
        warp->place = (Place){.warp = w,
                              .block_slot = block_slot,
                              .resident_warp = block_slot * block->n_warps + w,
                              .threads = threads,
                              .block_dim = launch->block};
        warp->registers_bytes = code->stack_slots_bytes;
        warp->registers = allocate_aligned(warp->registers_bytes);
        warp->local = allocate_aligned((size_t)code->stack_local_bytes * WARP_LANES);
        warp->frame_capacity = 4;
        warp->frames = alloc_zeroed(warp->frame_capacity, sizeof *warp->frames);
        warp->own = allocate_aligned(code->warp_area_bytes);
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
    cluster_leave(block);
    for (uint32_t w = 0; w < block->n_warps; w++) {
        Warp *warp = &block->warps[w];
        free(warp->registers);
        free(warp->local);
        free(warp->frames);
        free(warp->stack.entries);
        spin_free(&warp->spin);
        defined_free(warp);
        free(warp->own);
    }
    free(block->warps);
    free(block->shared);
    free(block->mbarriers);
    free(block);
}

/* What tells a block of its cluster. */
static void set_cluster_specials(Warp *warp, const uint32_t clusterid[3]) {
    const Launch *launch = warp->worker->launch;
    const Block *block = warp->block;
    for (unsigned axis = 0; axis < 3; axis++) {
        const uint32_t extent = launch_cluster_extent(launch, axis);
        set_special(warp, SPECIAL_clusterid_x + axis, clusterid[axis]);
        set_special(warp, SPECIAL_nclusterid_x + axis, launch->grid[axis] / extent);
        set_special(warp, SPECIAL_cluster_ctaid_x + axis, warp->place.ctaid[axis] % extent);
        set_special(warp, SPECIAL_cluster_nctaid_x + axis, extent);
    }
    set_special(warp, SPECIAL_cluster_ctarank, block->rank);
    set_special(warp, SPECIAL_cluster_nctarank, block->cluster->count);
    const Slot explicitly = warp->worker->code->specials[SPECIAL_is_explicit_cluster];
    if (explicitly != NO_SLOT) *(uint32_t *)warp_at(warp, explicitly) = launch->cluster[0] ? LANES_ALL : 0;
}

void block_start(Block *block, uint64_t index, Cluster *cluster) {
    Worker *worker = block->worker;
    const Launch *launch = worker->launch;
    block->index = index;
    uint32_t ctaid[3] = {(uint32_t)(index % launch->grid[0]), (uint32_t)(index / launch->grid[0] % launch->grid[1]),
                         (uint32_t)(index / launch->grid[0] / launch->grid[1])};
    uint32_t clusterid[3];
    cluster_join(block, cluster, cluster_rank(launch, ctaid, clusterid));
    memset(block->barriers, 0, sizeof block->barriers);
    mbarriers_begin(block);
    uint32_t *words = (uint32_t *)(void *)block->shared, count = (block->shared_bytes + 3) / 4;
    for (uint32_t i = 0; i < count; i++) words[i] = POISON_WORD;
    block->live_warps = block->n_warps == WARP_LANES ? LANES_ALL : (1u << block->n_warps) - 1;
    for (uint32_t w = 0; w < block->n_warps; w++) {
        Warp *warp = &block->warps[w];
        warp->place.block = index;
        warp->place.sm = (uint32_t)(index % worker->machine->sms);
        memcpy(warp->place.ctaid, ctaid, sizeof ctaid);
        for (unsigned axis = 0; axis < 3; axis++) set_special(warp, SPECIAL_ctaid_x + axis, ctaid[axis]);
        if (worker->code->reads_cluster) set_cluster_specials(warp, clusterid);
        set_special(warp, SPECIAL_smid, (uint32_t)(index % worker->machine->sms_shown));
        if (worker->code->reads_undefined) memset(warp->registers, 0, warp->registers_bytes);
        if (worker->code->has_local) memset(warp->local, POISON, (size_t)worker->code->stack_local_bytes * WARP_LANES);
        warp_start(warp, warp_begun(warp));
    }
    effort_block(block);
    OBSERVERS_NOTIFY(worker->observers, worker->n_observers, on_block_begin, &block->warps[0].place, block->shared_bytes);
}

/* For who watches; a warp that has ended goes on with nothing. */
static void show_place(const Warp *warp) {
    const Worker *worker = warp->worker;
    if (!worker->sight || !warp->stack.depth) return;
    __atomic_store_n(&worker->sight->pc, worker->code->steps[stack_top(&warp->stack)->pc].pc, __ATOMIC_RELAXED);
}

BlockEnd block_run(Block *block) {
    for (int round = 0; round < ROUNDS_MOST; round++) {
        bool ready = false, yielded = false, spun = false, progress = false;
        const uint64_t turn = schedule_draw(&block->worker->drawn);
        for (uint32_t w = 0; w < block->n_warps; w++) {
            Warp *warp = &block->warps[schedule_pick(&block->worker->launch->schedule, turn, block->n_warps, w)];
            if (warp->state != WARP_READY) continue;
            ready = true;
            block->worker->effort++;
            if (warp->spin.parked && !spin_wakes(warp)) continue;
            uint64_t before = block->worker->instructions;
            RunEnd end = warp_run(warp);
            show_place(warp);
            effort_run(block->worker, block->worker->instructions - before);
            switch (end) {
            case RUN_DONE:
                progress = true;
                barrier_warp_ended(warp);
                cluster_settle(block);
                break;
            case RUN_BARRIER: progress = true; break;
            case RUN_YIELD: yielded = true; break;
            case RUN_SPIN: spun = true; break;
            case RUN_PARKED: break;
            case RUN_WATCH: break;
            case RUN_FAULT: return BLOCK_FAULT;
            }
            progress |= warp->progressed;
            warp->progressed = false;
            if (!effort_fits(warp)) return BLOCK_FAULT;
        }
        if (!block->live_warps) {
            cluster_leave(block);
            return BLOCK_DONE;
        }
        if (!ready && cluster_awaited(block)) return BLOCK_PARKED;
        if (!ready) {
            barrier_deadlock(block);
            return BLOCK_FAULT;
        }
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
        if (warp->state != WARP_READY || !stack_release(&warp->stack)) continue;
        spin_reset(&warp->spin);
        return true;
    }
    return false;
}
