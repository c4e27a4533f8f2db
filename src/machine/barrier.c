#include "machine/barrier.h"

#include <stdio.h>
#include <string.h>

#include "machine/lanes.h"
#include "machine/warp_fault.h"

static void release(Block *block, Barrier *barrier, Warp *by) {
    for (uint32_t w = 0; w < block->n_warps; w++) {
        Warp *warp = &block->warps[w];
        if (!(barrier->waiting >> w & 1)) continue;
        warp->state = WARP_READY;
        const Step *step = &block->worker->code->steps[barrier->step[w]];
        uint8_t variant = step->insn->variant;
        uint32_t lanes = barrier->lanes[w];
        if (step->d == NO_SLOT) continue;
        if (variant == BAR_RED_POPC) {
            lanes_fill32(warp_at(warp, step->d), barrier->red_count, lanes);
        } else {
            bool result = variant == BAR_RED_AND ? barrier->red_count == barrier->red_lanes : barrier->red_count > 0;
            lanes_set_predicate(warp_at(warp, step->d), result ? LANES_ALL : 0, lanes);
        }
    }
    OBSERVERS_NOTIFY(block->worker->observers, block->worker->n_observers, on_barrier, &by->place, barrier->arrived);
    memset(barrier, 0, sizeof *barrier);
}

static bool complete(const Block *block, const Barrier *barrier) {
    if (!barrier->arrived) return false;
    if (barrier->expected) return barrier->threads >= barrier->expected;
    return (barrier->arrived & block->live_warps) == block->live_warps;
}

static bool divergence_hint(Warp *warp) {
    return fault_hint(&warp->worker->fault,
                      "every thread of the block must reach the same __syncthreads(): move it out of the if or loop that only "
                      "some threads take");
}

/* A warp that ends without reaching a barrier for all warps, after it had written memory since the last one, has diverged from the others.
 * (Threads that have merely left do not count: CUDA C++ Programming Guide, independent thread scheduling.) */
static bool left_out(Warp *waiting, const Step *step, unsigned ended) {
    divergence_hint(waiting);
    return warp_fault(waiting, lanes_first(waiting->live), FAULT_barrier_divergence, step->pc,
                      "warp %u waits at this barrier, but warp %u wrote memory and ended without reaching it",
                      waiting->place.warp, ended);
}

/* Where a step leads without executing anything. */
static const Step *behind_jumps(const Code *code, const Step *step) {
    for (int jumps = 0; jumps < 10; jumps++)
        if (step->exec == EXEC_NOTHING || step->exec == EXEC_TRACE)
            step++;
        else if (step->exec == EXEC_BRANCH && step->guard_is == GUARD_NONE)
            step = &code->steps[step->target];
        else
            break;
    return step;
}

/* Whether all these lanes wait at the end of the kernel, where those that reach the barrier will come as well. */
static bool have_returned(const Warp *warp, uint32_t lanes) {
    const Code *code = warp->worker->code;
    for (uint32_t i = warp->stack.depth - 1; i-- > 0 && lanes;) {
        const StackEntry *entry = &warp->stack.entries[i];
        if (!(entry->mask & lanes)) continue;
        if (behind_jumps(code, &code->steps[entry->pc])->exec != EXEC_EXIT) return false;
        lanes &= ~entry->mask;
    }
    return !lanes;
}

/* The only branch in front of the barrier that leads to the end of the kernel; NO_INSN where there are several. */
static uint32_t returning_branch(const Code *code, const Step *barrier) {
    uint32_t found = NO_INSN;
    for (const Step *step = code->steps; step < barrier; step++) {
        bool leads = step->exec == EXEC_BRANCH && step->guard_is != GUARD_NONE &&
                     behind_jumps(code, &code->steps[step->target])->exec == EXEC_EXIT;
        if (leads && found != NO_INSN) return NO_INSN;
        if (leads) found = step->pc;
    }
    return found;
}

/* Lanes of the warp have neither left nor reached this barrier. */
static bool missing_lanes(Warp *warp, const Step *step, uint32_t active) {
    char here[100], there[100];
    uint32_t missing = warp->live & ~active;
    Fault *fault = &warp->worker->fault;
    if (have_returned(warp, missing)) {
        fault_hint(fault,
                   "no thread may leave before a __syncthreads() that others reach: put the work of those that have some into "
                   "an if, and the barrier behind it");
        warp_fault(warp, lanes_first(active), FAULT_barrier_divergence, step->pc,
                   "%s of warp %u reach%s this barrier, %s %s gone to the end of the kernel",
                   lanes_text(active, here, sizeof here), warp->place.warp, active & (active - 1) ? "" : "es",
                   lanes_text(missing, there, sizeof there), missing & (missing - 1) ? "have" : "has");
        fault->other_pc = returning_branch(warp->worker->code, step);
        return false;
    }
    divergence_hint(warp);
    return warp_fault(warp, lanes_first(active), FAULT_barrier_divergence, step->pc,
                      "%s of warp %u reach%s this barrier, %s %s elsewhere", lanes_text(active, here, sizeof here),
                      warp->place.warp, active & (active - 1) ? "" : "es", lanes_text(missing, there, sizeof there),
                      missing & (missing - 1) ? "are" : "is");
}

bool barrier_arrive(Warp *warp, const Step *step, uint32_t active) {
    Block *block = warp->block;
    if (active != warp->live) return missing_lanes(warp, step, active);
    unsigned lane = lanes_first(active), sources = step->insn->n_src;
    bool red = step->insn->n_dst > 0, counted = sources >= (red ? 3u : 2u);
    uint32_t id = ((const uint32_t *)warp_at(warp, step->s[0]))[lane],
             expected = counted ? ((const uint32_t *)warp_at(warp, step->s[1]))[lane] : 0;
    if (id >= BARRIERS || expected % WARP_LANES || (counted && !expected))
        return warp_fault(warp, lane, FAULT_barrier_divergence, step->pc,
                          id >= BARRIERS ? "barrier %u: a block has barriers 0 to 15"
                                         : "barrier %u for %u threads: the number must be a multiple of 32 above 0",
                          id, expected);
    spin_reset(&warp->spin);
    if (!expected && block->ended_writing) return left_out(warp, step, lanes_first(block->ended_writing));
    warp->wrote = false; /* handed over, also when the warp ends before the others come: bar.arrive does not wait */
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

bool barrier_warp_ended(Warp *warp) {
    Block *block = warp->block;
    const Launch *launch = block->worker->launch;
    bool wrote = warp->wrote && launch->checks && launch->on_fault == ON_FAULT_STOP;
    block->live_warps &= ~(1u << warp->place.warp);
    if (wrote) block->ended_writing |= 1u << warp->place.warp;
    for (int i = 0; i < BARRIERS; i++) {
        Barrier *barrier = &block->barriers[i];
        if (wrote && barrier->waiting && !barrier->expected) {
            unsigned waits = lanes_first(barrier->waiting);
            return left_out(&block->warps[waits], &block->worker->code->steps[barrier->step[waits]], warp->place.warp);
        }
        if (block->live_warps && complete(block, barrier)) release(block, barrier, warp);
    }
    return true;
}

void barrier_deadlock(Block *block) {
    for (int i = 0; i < BARRIERS; i++) {
        const Barrier *barrier = &block->barriers[i];
        if (!barrier->waiting) continue;
        char waiting[100], others[100], what[60] = "all warps of the block";
        uint32_t missing = block->live_warps & ~barrier->arrived;
        unsigned first = lanes_first(barrier->waiting);
        lanes_text(barrier->waiting, waiting, sizeof waiting); /* "lanes 0-2" becomes "warps 0-2" */
        lanes_text(missing, others, sizeof others);
        if (barrier->expected) snprintf(what, sizeof what, "%u threads", barrier->expected);
        fault_hint(&block->worker->fault, "all threads that a barrier counts must reach it");
        warp_fault(&block->warps[first], lanes_first(barrier->lanes[first]), FAULT_deadlock,
                   block->worker->code->steps[barrier->step[first]].pc, "warp%s wait%s at barrier %d for %s; %s%s%s",
                   waiting + 4, lanes_verb_s(barrier->waiting), i, what, missing ? "warp" : "no others are left",
                   missing ? others + 4 : "", missing ? " never come" : "");
        return;
    }
}
