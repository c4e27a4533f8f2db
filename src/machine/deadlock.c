#include "machine/deadlock.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "machine/cluster.h"
#include "machine/hostwait.h"
#include "machine/lanes.h"
#include "machine/mbarrier.h"
#include "machine/warp_fault.h"

enum { RANGES_MOST = 5 };

/* The first warp that waits in a loop: at least one does in an open block that is not stuck at its barriers. */
static Warp *waiting_warp(Block *block) {
    Warp *first = NULL;
    for (uint32_t w = 0; w < block->n_warps; w++) {
        Warp *warp = &block->warps[w];
        if (warp->state == WARP_READY && (!first || (first->spin.pc == NO_INSN && warp->spin.pc != NO_INSN))) first = warp;
    }
    return first;
}

static bool at_grid_barrier(const Warp *warp) {
    uint64_t workspace = warp->worker->machine->workspace;
    return workspace && warp->spin.pc != NO_INSN && warp->spin.address - workspace < GRID_WORKSPACE_BYTES;
}

static void place_text(const Warp *warp, uint64_t address, char *buffer, size_t size) {
    const Allocation *in = memory_find(warp->worker->launch->memory, address);
    if (!address)
        snprintf(buffer, size, "memory");
    else if (in)
        snprintf(buffer, size, "'%s'+%llu", in->name, (unsigned long long)(address - in->address));
    else
        snprintf(buffer, size, "byte %llu of shared memory", (unsigned long long)(address - WINDOW_SHARED));
}

/* 0: there is none. */
static uint64_t last_address(const Warp *warp) { return warp->spin.pc == NO_INSN ? 0 : warp->spin.address; }

static uint32_t waiting_lanes(const Warp *warp) {
    return warp->spin.pc == NO_INSN ? stack_top(&warp->stack)->mask : warp->spin.lanes;
}

/* "lane 0 of warp 2 waits for 'flag'+0 to change"; with the block where there are several. */
static void wait_text(const Warp *warp, uint64_t address, bool with_block, char *buffer, size_t size) {
    uint32_t lanes = waiting_lanes(warp);
    char who[100], where[160], block[40] = "";
    MbarrierWait wait;
    const bool of_phase = mbarrier_awaited(warp, &wait);
    if (of_phase)
        snprintf(where, sizeof where, "%s", wait.what);
    else
        place_text(warp, address, where, sizeof where);
    if (with_block) snprintf(block, sizeof block, " of block %llu", (unsigned long long)warp->place.block);
    snprintf(buffer, size, "%s of warp %u%s wait%s for %s%s", lanes_text(lanes, who, sizeof who), warp->place.warp, block,
             lanes_verb_s(lanes), where, of_phase ? "" : " to change");
}

/* "block 3", "blocks 0-4, 6-131, 140, ...": those in `set`, a bool for each block of the grid. */
static void blocks_text(const bool *set, uint64_t count, char *buffer, size_t size) {
    size_t used = 0;
    uint64_t members = 0;
    for (uint64_t b = 0; b < count; b++) members += set[b];
    used += (size_t)snprintf(buffer, size, members == 1 ? "block " : "blocks ");
    int ranges = 0;
    for (uint64_t first = 0; first < count && used < size; first++) {
        if (!set[first]) continue;
        uint64_t last = first;
        while (last + 1 < count && set[last + 1]) last++;
        const char *separator = ranges ? ", " : "";
        if (ranges++ == RANGES_MOST) {
            snprintf(buffer + used, size - used, ", ...");
            return;
        }
        if (first == last)
            used += (size_t)snprintf(buffer + used, size - used, "%s%llu", separator, (unsigned long long)first);
        else
            used += (size_t)snprintf(buffer + used, size - used, "%s%llu-%llu", separator, (unsigned long long)first,
                                     (unsigned long long)last);
        first = last;
    }
}

/* Some blocks wait at this_grid().sync(): says which, and which others never reach it. False when there are none. */
static bool grid_barrier(Worker *worker, const Waiting *waiting) {
    const uint32_t *grid = worker->launch->grid;
    uint64_t blocks = (uint64_t)grid[0] * grid[1] * grid[2];
    FREED bool *at = alloc_zeroed(blocks, sizeof *at), *missing = alloc_bytes(blocks * sizeof *missing);
    memset(missing, true, blocks);
    Warp *first = NULL, *elsewhere = NULL;
    for (uint32_t i = 0; i < waiting->count; i++) {
        Warp *warp = waiting_warp(worker->blocks[waiting->block_slots[i]]);
        uint64_t block = warp->place.block;
        missing[block] = false;
        at[block] = at_grid_barrier(warp);
        Warp **lowest = at[block] ? &first : &elsewhere;
        if (!*lowest || block < (*lowest)->place.block) *lowest = warp;
    }
    bool ended = memchr(missing, true, blocks), found = first && (ended || elsewhere);
    if (found) {
        char reached[120], others[300];
        blocks_text(at, blocks, reached, sizeof reached);
        if (ended)
            blocks_text(missing, blocks, others, sizeof others);
        else
            wait_text(elsewhere, last_address(elsewhere), true, others, sizeof others);
        fault_hint(&worker->fault, "every block of the grid must reach every grid.sync()");
        warp_fault(first, lanes_first(waiting_lanes(first)), FAULT_deadlock, first->spin.pc,
                   "%s wait%s at the grid's barrier, %s %s%s", reached, strchr(reached, 's') ? "" : "s",
                   ended ? "but" : "while", others, ended ? " ended without reaching it" : "");
    }
    return found;
}

/* The one that is named: of the lowest block. */
static Warp *first_warp(Worker *worker, const Waiting *waiting) {
    Block *block = worker->blocks[waiting->block_slots[0]];
    for (uint32_t i = 1; i < waiting->count; i++) {
        Block *other = worker->blocks[waiting->block_slots[i]];
        if (other->index < block->index) block = other;
    }
    return waiting_warp(block);
}

/* Something that the host may set while the kernel runs, and nobody does. */
static bool host_report(Warp *warp, bool with_block) {
    char waits[300];
    wait_text(warp, hostwait_address(warp), with_block, waits, sizeof waits);
    fault_hint(&warp->worker->fault, "set it before the host waits for the launch, or from another of its threads");
    return warp_fault(warp, lanes_first(waiting_lanes(warp)), FAULT_deadlock, warp->spin.pc,
                      "%s, which the host may set; but the host waits for the launch", waits);
}

/* Names what a phase lacks, and where that was asked for. */
static bool mbarrier_report(Warp *warp, const MbarrierWait *wait, const char *waits, const char *rest) {
    Fault *fault = &warp->worker->fault;
    if (wait->over != NO_INSN)
        fault_hint(fault, "phase %u, of parity %u, is over: does the parity that is waited for change with each round?",
                   wait->over, wait->over & 1);
    else
        fault_hint(fault, "%s",
                   "each phase needs as many arrivals as mbarrier.init says, and copies of as many bytes as expect_tx says");
    warp_fault(warp, lanes_first(waiting_lanes(warp)), FAULT_deadlock, warp->spin.pc, "%s%s: it lacks %s", waits, rest,
               wait->lacks);
    fault->other_pc = wait->pc;
    return false;
}

bool deadlock_report(Worker *worker, const Waiting *waiting) {
    const Launch *launch = worker->launch;
    uint64_t blocks = launch_blocks(launch);
    if (cluster_deadlock(worker, waiting->block_slots, waiting->count)) return false;
    if (worker->machine->workspace && grid_barrier(worker, waiting)) return false;
    Warp *warp = first_warp(worker, waiting);
    Warp *of_host = launch->host ? hostwait_first(worker, waiting) : NULL;
    if (of_host) return host_report(of_host, blocks > 1);
    const char *const beside = launch->host ? launch->host->other(launch->host->self) : NULL;
    FREED char *other = beside ? program_demangle(beside) : NULL;
    const char *s = waiting->count > 2 ? "" : "s";
    char waits[300], why[120] = ", and no other thread can go on", others[80] = "", unstarted[80] = "";
    wait_text(warp, last_address(warp), blocks > 1, waits, sizeof waits);
    if (other) snprintf(why, sizeof why, ", and %.80s, which runs beside it, waits too", other);
    if (waiting->iterations)
        snprintf(why, sizeof why, ", and in %llu iterations of such loops no memory has changed",
                 (unsigned long long)waiting->iterations);
    if (waiting->count > 1)
        snprintf(others, sizeof others, "; %u other block%s wait%s too", waiting->count - 1, *s ? "" : "s", s);
    if (waiting->started < blocks)
        snprintf(unstarted, sizeof unstarted, "; %llu more cannot start before one ends",
                 (unsigned long long)(blocks - waiting->started));
    MbarrierWait wait;
    if (mbarrier_awaited(warp, &wait)) return mbarrier_report(warp, &wait, waits, why);
    const bool launched = launch->nested && launch->nested->used;
    fault_hint(&worker->fault, "%s",
               launched
                   ? "what a kernel launches runs here when its grid has ended; a GPU may run it beside the grid, and promises "
                     "nothing: what needs its results belongs in the tail stream"
               : waiting->started < blocks
                   ? "blocks that wait for each other must fit the device together: a cooperative launch refuses a grid that "
                     "does not"
                   : "a lock that is never released, or a flag that is never set?");
    return warp_fault(warp, lanes_first(waiting_lanes(warp)), FAULT_deadlock, warp->spin.pc, "%s%s%s%s", waits, why, others,
                      unstarted);
}
