#include "machine/barrier.h"

#include <stdio.h>
#include <string.h>

#include "machine/lanes.h"
#include "machine/warp_fault.h"

static bool complete(const Block *block, const Barrier *barrier) {
    if (!barrier->arrived) return false;
    if (barrier->expected) return barrier->threads >= barrier->expected;
    return (barrier->arrived & block->live_warps) == block->live_warps;
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

/* Whether the kernel ends where the entry's lanes wait, also by a return from functions that were called last. */
static bool ends(const Warp *warp, const StackEntry *entry) {
    const Code *code = warp->worker->code;
    const Frame *frame = &warp->frames[entry->frame];
    const Step *step = behind_jumps(code, &code->steps[entry->pc]);
    while (step->exec == EXEC_RETURN && step->guard_is == GUARD_NONE) {
        step = behind_jumps(code, &code->steps[frame->call + 1]);
        frame = &warp->frames[frame->caller];
    }
    return step->exec == EXEC_EXIT && step->guard_is == GUARD_NONE;
}

/* Lanes that wait for others only where the kernel ends have left: a device does not bring lanes together to exit. */
static void leave(Warp *warp) {
    uint32_t above = stack_top(&warp->stack)->mask, ended = 0;
    for (uint32_t i = warp->stack.depth - 1; i-- > 0;) {
        const StackEntry *entry = &warp->stack.entries[i];
        if (!entry->blocked && ends(warp, entry)) ended |= entry->mask & ~above;
        above |= entry->mask;
    }
    warp->live &= ~ended;
    stack_remove(&warp->stack, ended);
}

/* Where these lanes wait at another barrier; NO_INSN where not all of them do. */
static uint32_t other_barrier(const Warp *warp, uint32_t lanes) {
    const Step *found = NULL;
    for (uint32_t i = warp->stack.depth - 1; i-- > 0;) {
        const StackEntry *entry = &warp->stack.entries[i];
        const Step *step = &warp->worker->code->steps[entry->pc];
        if (!entry->blocked || step->exec != EXEC_BARRIER) continue;
        lanes &= ~entry->mask;
        found = step;
    }
    return found && !lanes ? found->pc : NO_INSN;
}

/* The branch at which these two lanes last went different ways; NO_INSN where too many have since. */
static uint32_t parting_of(const Warp *warp, uint32_t a, uint32_t b) {
    for (uint32_t i = warp->n_partings; i-- > 0 && i + PARTINGS >= warp->n_partings;) {
        const Parting *parting = &warp->partings[i % PARTINGS];
        if ((parting->taken >> a & 1 && parting->others >> b & 1) || (parting->taken >> b & 1 && parting->others >> a & 1))
            return parting->pc;
    }
    return NO_INSN;
}

/* Of these lanes, which are in this frame; 0 where the step has no such operand. */
static uint32_t operand(const Warp *warp, const Step *step, unsigned index, uint32_t frame, uint32_t lanes) {
    if (step->insn->n_src <= index) return 0;
    const Slot slot = step->s[index];
    const void *at = SLOT_AREA(slot) == AREA_FRAME ? warp->registers + warp->frames[frame].slots_base + SLOT_OFFSET(slot)
                                                   : warp_at(warp, slot);
    return ((const uint32_t *)at)[lanes_first(lanes)];
}

/* Whether the entry's lanes wait at what is the same barrier without .aligned: the lanes of a warp may then come to it at several places, also of
 * several functions. */
static bool joins(const Warp *warp, const StackEntry *entry, const Step *step, uint32_t active) {
    const Step *at = &warp->worker->code->steps[entry->pc];
    const uint32_t frame = stack_top(&warp->stack)->frame;
    bool same = entry->blocked && at->exec == EXEC_BARRIER && !((at->insn->flags | step->insn->flags) & INSN_ALIGNED) &&
                at->insn->variant == BAR_SYNC && step->insn->variant == BAR_SYNC && at->insn->n_src == step->insn->n_src;
    for (unsigned i = 0; same && i < 2; i++)
        same = operand(warp, at, i, entry->frame, entry->mask) == operand(warp, step, i, frame, active);
    return same;
}

/* The lanes that arrive with these, which each go on behind their own instruction. */
static uint32_t join(Warp *warp, const Step *step, uint32_t active) {
    uint32_t joined = active, depth = warp->stack.depth - 1;
    for (uint32_t i = 0; i < depth; i++)
        if (joins(warp, &warp->stack.entries[i], step, active)) joined |= warp->stack.entries[i].mask;
    if (joined != warp->live) return active;
    for (uint32_t i = 0; i < depth; i++) {
        StackEntry *entry = &warp->stack.entries[i];
        if (!joins(warp, entry, step, active)) continue;
        entry->blocked = false;
        entry->pc++;
    }
    return joined;
}

/* Lanes of the warp have neither left nor reached this barrier. PTX ISA, barrier: the executing thread waits for all threads of its warp that
 * have not exited, which with .aligned, as bar and __syncthreads() are, are to execute the same instruction. */
static bool missing_lanes(Warp *warp, const Step *step, uint32_t active, uint32_t missing) {
    char here[100], there[100];
    uint32_t other = missing & warp->live ? other_barrier(warp, missing) : NO_INSN;
    Fault *fault = &warp->worker->fault;
    fault_hint(fault, "every thread that has not left the kernel must reach the same __syncthreads(): move it out of the if or "
                      "loop that only some threads take");
    warp_fault(warp, lanes_first(active), FAULT_barrier_divergence, step->pc, "%s of warp %u reach%s this barrier, %s %s",
               lanes_text(active, here, sizeof here), warp->place.warp, active & (active - 1) ? "" : "es",
               lanes_text(missing, there, sizeof there),
               other != NO_INSN          ? "another one"
               : missing & (missing - 1) ? "are elsewhere"
                                         : "is elsewhere");
    fault->other_pc = other != NO_INSN ? other : parting_of(warp, lanes_first(active), lanes_first(missing));
    return false;
}

/* Lanes that wait where others will join them go on without those that wait at the barrier: an H100 lets them run as far as they come. */
static bool let_go_on(Warp *warp, const Step *step, uint32_t active) {
    if (!stack_release(&warp->stack)) return false;
    warp->missed |= stack_top(&warp->stack)->mask;
    warp->missed_step = (uint32_t)(step - warp->worker->code->steps);
    warp->missed_by = active;
    warp->progressed |= warp->changed;
    warp->changed = warp->touched = false;
    return true;
}

bool barrier_gathers(Warp *warp, const Step *step, uint32_t *active) {
    leave(warp);
    StackEntry *top = stack_top(&warp->stack);
    uint32_t together = *active | stack_waiting_lanes(&warp->stack);
    top->blocked = false;
    if (together != warp->live && *active == top->mask) {
        top->blocked = true;
        if (stack_yield(&warp->stack) || let_go_on(warp, step, together)) return false;
        top->blocked = false;
    }
    stack_converge(&warp->stack);
    *active = together;
    return true;
}

void barrier_missed(Warp *warp, uint32_t lanes) {
    const Step *step = &warp->worker->code->steps[warp->missed_step];
    bool harmless = !(warp->changed | warp->touched) || !(step->insn->flags & INSN_ALIGNED);
    uint32_t missed = lanes & warp->missed;
    warp->missed &= ~lanes;
    if (harmless || !missed) return;
    missing_lanes(warp, step, warp->missed_by, missed);
    findings_keep(&warp->worker->findings, &warp->place, &warp->worker->fault);
}

/* --- what a device runs through and the rules of old forbid ---------------------------------------------------------------- */

/* Where the first of these lanes left the kernel, as far as is known. */
static uint32_t left_at(const Warp *warp, uint32_t lanes) {
    return lanes & warp->gone ? warp->gone_at[lanes_first(lanes & warp->gone)] : NO_INSN;
}

static void remark_left(Warp *warp, uint32_t lanes, const Step *step) {
    char who[100] = "";
    Fault *fault = &warp->worker->fault;
    if (warp->live) lanes_text(lanes, who, sizeof who);
    fault_hint(
        fault,
        "devices wait only for threads that have not left. To keep the older rule, by which all threads of the block come "
        "to each barrier, put the work into an if and the barrier behind it");
    warp_fault(warp, lanes_first(lanes), FAULT_barrier_divergence, step->pc,
               "%s%swarp %u had left the kernel when other threads came to this barrier", who, warp->live ? " of " : "",
               warp->place.warp);
    fault->other_pc = left_at(warp, lanes);
    findings_keep(&warp->worker->findings, &warp->place, fault);
}

/* All who have met are told apart by where: one instruction is one __syncthreads(). */
static void remark_meeting(Block *block, const Barrier *barrier) {
    const Step *steps = block->worker->code->steps;
    uint32_t first = lanes_first(barrier->arrived), others = 0;
    char here[100], there[100];
    for (uint32_t w = 0; w < block->n_warps; w++)
        others |= (uint32_t)(barrier->arrived >> w & 1 && barrier->step[w] != barrier->step[first]) << w;
    if (!others) return;
    lanes_text(barrier->arrived & ~others, here, sizeof here); /* "lanes 0-2" becomes "warps 0-2" */
    lanes_text(others, there, sizeof there);
    Warp *warp = &block->warps[first];
    Fault *fault = &block->worker->fault;
    fault_hint(fault,
               "devices count threads, at whichever __syncthreads(); by the rule all threads of the block reach the same one");
    warp_fault(warp, lanes_first(barrier->lanes[first]), FAULT_barrier_divergence, steps[barrier->step[first]].pc,
               "warp%s wait%s at this barrier, warp%s at another one", here + 4, lanes_verb_s(barrier->arrived & ~others),
               there + 4);
    fault->other_pc = steps[barrier->step[lanes_first(others)]].pc;
    findings_keep(&block->worker->findings, &warp->place, fault);
}

static void remark(Block *block, const Barrier *barrier) {
    const Step *step = &block->worker->code->steps[barrier->step[lanes_first(barrier->arrived)]];
    for (uint32_t w = 0; w < block->n_warps; w++) {
        Warp *warp = &block->warps[w];
        uint32_t left = warp_begun(warp) & ~warp->live & ~warp->told;
        if (!left || (barrier->expected && !(barrier->arrived >> w & 1))) continue;
        warp->told |= left;
        remark_left(warp, left, step);
    }
    if (!barrier->expected) remark_meeting(block, barrier);
}

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
    if (block->worker->launch->tells_left) remark(block, barrier);
    OBSERVERS_NOTIFY(block->worker->observers, block->worker->n_observers, on_barrier, &by->place, barrier->arrived);
    memset(barrier, 0, sizeof *barrier);
}

bool barrier_arrive(Warp *warp, const Step *step, uint32_t active) {
    Block *block = warp->block;
    if (active != warp->live) active = join(warp, step, active);
    if (active != warp->live) return missing_lanes(warp, step, active, warp->live & ~active);
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

/* PTX ISA, exit: barriers that wait for all threads are released when those that exit are the last that they waited for; those that count
 * threads are not. */
void barrier_warp_ended(Warp *warp) {
    Block *block = warp->block;
    block->live_warps &= ~(1u << warp->place.warp);
    for (int i = 0; i < BARRIERS && block->live_warps; i++)
        if (complete(block, &block->barriers[i])) release(block, &block->barriers[i], warp);
}

/* The first warp that has ended, of those that a barrier may have waited for; NULL: there is none. */
static const Warp *ended_warp(const Block *block) {
    for (uint32_t w = 0; w < block->n_warps; w++)
        if (!block->warps[w].live) return &block->warps[w];
    return NULL;
}

void barrier_deadlock(Block *block) {
    for (int i = 0; i < BARRIERS; i++) {
        const Barrier *barrier = &block->barriers[i];
        if (!barrier->waiting) continue;
        char waiting[100], others[100], what[60] = "all warps of the block";
        uint32_t missing = block->live_warps & ~barrier->arrived;
        unsigned first = lanes_first(barrier->waiting);
        const Warp *ended = ended_warp(block);
        lanes_text(barrier->waiting, waiting, sizeof waiting); /* "lanes 0-2" becomes "warps 0-2" */
        lanes_text(missing, others, sizeof others);
        if (barrier->expected) snprintf(what, sizeof what, "%u threads", barrier->expected);
        fault_hint(
            &block->worker->fault, "%s",
            ended ? "all threads that a barrier counts must reach it: one with a number of threads counts no warp that has "
                    "left the kernel"
                  : "all threads that a barrier counts must reach it");
        warp_fault(&block->warps[first], lanes_first(barrier->lanes[first]), FAULT_deadlock,
                   block->worker->code->steps[barrier->step[first]].pc, "warp%s wait%s at barrier %d for %s; %s%s%s%s",
                   waiting + 4, lanes_verb_s(barrier->waiting), i, what, missing ? "warp" : "no others are left",
                   missing ? others + 4 : "", missing ? " never come" : "", missing ? lanes_verb_s(missing) : "");
        if (ended) block->worker->fault.other_pc = left_at(ended, warp_begun(ended));
        return;
    }
}
