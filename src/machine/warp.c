#include "machine/warp.h"

#include <string.h>

#include "kernel/loop.h"
#include "machine/asynccopy.h"
#include "machine/atomics.h"
#include "machine/barrier.h"
#include "machine/bulkcopy.h"
#include "machine/calls.h"
#include "machine/cluster.h"
#include "machine/collective.h"
#include "machine/defined.h"
#include "machine/fetch.h"
#include "machine/lanes.h"
#include "machine/loadstore.h"
#include "machine/matrix.h"
#include "machine/mbarrier.h"
#include "machine/mma.h"
#include "machine/peers.h"
#include "machine/tensorcopy.h"
#include "machine/tracing.h"
#include "machine/warp_fault.h"

/* Iterations of a polling loop after which lanes that wait to reconverge with the polling ones go on without them. Lanes that are to be
 * parked do not get so far: for them see block_release. */
enum { SPIN_LIMIT = 256 };

void warp_start(Warp *warp, uint32_t lanes) {
    const Code *code = warp->worker->code;
    warp->live = lanes;
    warp->carry = 0;
    warp->stack.depth = 0;
    warp->state = WARP_READY;
    warp->steps_left = warp->steps_begun = warp->worker->launch->max_steps;
    warp->gone = warp->missed = warp->cluster_arrived = warp->cluster_owing = warp->told = warp->n_partings = 0;
    warp->progressed = warp->changed = warp->read_global = warp->polled = false;
    warp->spins = 0;
    warp->accesses = 0;
    warp->shown = NULL;
    spin_reset(&warp->spin);
    warp->frames[0] = (Frame){.function = 0};
    stack_push(&warp->stack, (StackEntry){.pc = code->functions[0].first, .reconverge = NO_INSN, .mask = lanes});
    defined_start(warp);
}

static void move4(const Warp *warp, const Step *step, uint32_t active) {
    uint32_t *d = __builtin_assume_aligned(warp_at(warp, step->d), 64);
    const uint32_t *s = __builtin_assume_aligned(warp_at(warp, step->s[0]), 64);
    if (active == LANES_ALL) {
        memmove(d, s, 4 * WARP_LANES);
        return;
    }
    lanes_set32(d, s, active);
}

static void move8(const Warp *warp, const Step *step, uint32_t active) {
    uint64_t *d = __builtin_assume_aligned(warp_at(warp, step->d), 64);
    const uint64_t *s = __builtin_assume_aligned(warp_at(warp, step->s[0]), 64);
    if (active == LANES_ALL) {
        memmove(d, s, 8 * WARP_LANES);
        return;
    }
    lanes_set64(d, s, active);
}

static void compare(Warp *warp, const Step *step, uint32_t active) {
    uint32_t bits = 0, with = 0;
    step->alu(&bits, warp_at(warp, step->s[0]), warp_at(warp, step->s[1]), LANES_ALL, NULL);
    uint32_t not_bits = ~bits;
    if (step->insn->boolop) {
        with = *(const uint32_t *)warp_at(warp, step->s[2]);
        if (step->negated) with = ~with;
    }
    switch ((BoolOp)step->insn->boolop) {
    case BOOL_NONE: break;
    case BOOL_AND:
        bits &= with;
        not_bits &= with;
        break;
    case BOOL_OR:
        bits |= with;
        not_bits |= with;
        break;
    case BOOL_XOR:
        bits ^= with;
        not_bits ^= with;
        break;
    }
    lanes_set_predicate(warp_at(warp, step->d), bits, active);
    if (step->d2 != NO_SLOT) lanes_set_predicate(warp_at(warp, step->d2), not_bits, active);
}

static void set_value(Warp *warp, const Step *step, uint32_t active) {
    uint32_t with;
    AluMore more = {0};
    if (step->s[2] != NO_SLOT) {
        with = *(const uint32_t *)warp_at(warp, step->s[2]);
        if (step->negated) with = ~with;
        more.c = &with;
    }
    step->alu(warp_at(warp, step->d), warp_at(warp, step->s[0]), warp_at(warp, step->s[1]), active, &more);
}

static __attribute__((noinline)) void compute_more(Warp *warp, const Step *step, uint32_t active) {
    AluMore more = {.c = warp_at(warp, step->s[2]), .e = warp_at(warp, step->s[3]), .imm = step->imm, .carry = &warp->carry};
    step->alu(warp_at(warp, step->d), warp_at(warp, step->s[0]), warp_at(warp, step->s[1]), active, &more);
}

static void pack(const Warp *warp, const Step *step, uint32_t active) {
    uint64_t whole[WARP_LANES] = {0}; /* a copy: the destination may share an element's register */
    unsigned stride = step->bytes == 8 ? 8 : 4;
    for (unsigned i = 0; i < step->vec; i++) {
        const uint8_t *element = warp_at(warp, step->data[i]);
        for (unsigned l = 0; l < WARP_LANES; l++)
            memcpy((uint8_t *)&whole[l] + i * step->bytes, element + l * stride, step->bytes);
    }
    uint8_t *d = warp_at(warp, step->d);
    EACH_ACTIVE_LANE(l, active) memcpy(d + l * step->lane_bytes, &whole[l], step->lane_bytes);
}

static void unpack(const Warp *warp, const Step *step, uint32_t active) {
    uint64_t whole[WARP_LANES]; /* a copy: an element may share the source's register */
    const uint8_t *s = warp_at(warp, step->s[0]);
    for (unsigned l = 0; l < WARP_LANES; l++) {
        whole[l] = 0;
        memcpy(&whole[l], s + l * step->lane_bytes, step->lane_bytes);
    }
    for (unsigned i = 0; i < step->vec; i++) {
        if (step->data[i] == NO_SLOT) continue;
        uint8_t *element = warp_at(warp, step->data[i]);
        unsigned stride = step->bytes == 8 ? 8 : 4;
        EACH_ACTIVE_LANE(l, active) {
            uint64_t value = whole[l] >> (8 * step->bytes * i);
            if (step->bytes < 8) value &= (UINT64_C(1) << (8 * step->bytes)) - 1;
            memcpy(element + l * stride, &value, stride);
        }
    }
}

static void narrow(const Warp *warp, const Step *step) {
    uint32_t *d = warp_at(warp, step->d);
    const uint64_t *s = warp_at(warp, step->s[0]);
    for (int l = 0; l < WARP_LANES; l++) d[l] = (uint32_t)s[l];
}

static void widen(const Warp *warp, const Step *step, uint32_t active) {
    uint64_t *d = warp_at(warp, step->d);
    const uint32_t *s = warp_at(warp, step->s[0]);
    for (int l = 0; l < WARP_LANES; l++)
        if (active >> l & 1) d[l] = step->exec == EXEC_WIDEN ? s[l] : (uint64_t)(int64_t)(int32_t)s[l];
}

/* The number of instructions that the warp has run stands for time: it rises, and is the same on every run. */
static void read_clock(const Warp *warp, const Step *step) {
    uint64_t *d = warp_at(warp, step->d), now = warp->worker->launch->max_steps - warp->steps_left;
    if (step->imm == SPECIAL_clock || step->imm == SPECIAL_globaltimer_lo) now &= UINT32_MAX;
    if (step->imm == SPECIAL_clock_hi || step->imm == SPECIAL_globaltimer_hi) now >>= 32;
    for (int l = 0; l < WARP_LANES; l++) d[l] = now;
}

static void local_address(const Warp *warp, const Step *step) {
    uint64_t *d = warp_at(warp, step->d), base = step->offset;
    base += step->space == SPACE_SHARED ? warp->block->shared_base : warp_frame(warp)->local_base;
    for (int l = 0; l < WARP_LANES; l++) d[l] = base;
}

static void convert_address(const Warp *warp, const Step *step, uint32_t active) {
    uint64_t *d = __builtin_assume_aligned(warp_at(warp, step->d), 64);
    const uint64_t *s = __builtin_assume_aligned(warp_at(warp, step->s[0]), 64);
    for (int l = 0; l < WARP_LANES; l++) d[l] = active >> l & 1 ? s[l] + step->offset : d[l];
}

/* A kernel's parameters count as global memory as well, as does what is in no window, 0 among it (an H100). */
static void is_space(const Warp *warp, const Step *step, uint32_t active) {
    const uint64_t *s = warp_at(warp, step->s[0]);
    uint32_t bits = 0;
    for (int l = 0; l < WARP_LANES; l++) {
        uint64_t window = s[l] & ~(WINDOW_BYTES - 1);
        uint8_t space = window == WINDOW_SHARED  ? SPACE_SHARED
                        : window == WINDOW_LOCAL ? SPACE_LOCAL
                        : window == WINDOW_CONST ? SPACE_CONST
                        : window == WINDOW_PARAM ? SPACE_PARAM
                                                 : SPACE_GLOBAL;
        const bool is_peers = space == SPACE_SHARED && !(step->insn->flags & INSN_CLUSTER) && !peers_is_own(warp->block, s[l]);
        const bool is_in = space == step->space || (space == SPACE_PARAM && step->space == SPACE_GLOBAL);
        bits |= (uint32_t)(is_in && !is_peers) << l;
    }
    lanes_set_predicate(warp_at(warp, step->d), bits, active);
}

/* brx.idx: the lanes diverge once for each distinct target; those that go elsewhere stay at the branch, as the top entry. */
static __attribute__((noinline)) void branch_table(Warp *warp, const Step *step, uint32_t active) {
    const uint32_t *index = warp_at(warp, step->s[0]);
    StackEntry *top = stack_top(&warp->stack);
    uint32_t next = top->pc + 1, left = active, inactive = top->mask & ~active;
    while (left) {
        uint32_t wanted = index[lanes_first(left)], same = lanes_equal32(index, wanted, left);
        uint32_t target = wanted < step->imm ? step->table[wanted] : next;
        left &= ~same;
        top = stack_top(&warp->stack);
        if (!left && !inactive) {
            top->pc = target;
            return;
        }
        uint32_t pc = top->pc, lanes = top->mask & ~same,
                 reconverge = step->reconverge == NO_INSN ? top->reconverge : step->reconverge;
        StackEntry others = {.pc = pc, .reconverge = reconverge, .mask = lanes, .frame = top->frame};
        if (reconverge == top->reconverge)
            stack_pop(&warp->stack);
        else
            top->pc = reconverge;
        if (target != reconverge)
            stack_push(&warp->stack, (StackEntry){.pc = target, .reconverge = reconverge, .mask = same, .frame = others.frame});
        stack_push(&warp->stack, others);
    }
    stack_top(&warp->stack)->pc = next;
}

/* At the end of a loop's iteration: should others run? *end then says why. */
static bool iteration_ends(Warp *warp, RunEnd *end) {
    bool polled = warp->polled, changed = warp->changed, read_global = warp->read_global;
    warp->polled = warp->changed = warp->read_global = false;
    if (changed) {
        warp->progressed = warp->touched = true;
        warp->spins = 0;
        spin_reset(&warp->spin);
    } else if (polled) {
        warp->progressed |= spin_iteration(warp);
        if (++warp->spins % SPIN_LIMIT || !stack_release(&warp->stack)) stack_yield(&warp->stack);
        *end = warp->spin.parked ? RUN_PARKED : RUN_SPIN;
        return true;
    }
    if (read_global) *end = RUN_YIELD;
    return read_global;
}

static bool step_limit(Warp *warp, uint32_t pc) {
    const Loop loop = loop_around(warp->worker->code->kernel->program, pc);
    fault_hint(
        &warp->worker->fault, "%s",
        !loop.empty
            ? "an endless loop? --max-steps allows more"
            : "nothing changes in this loop: does it change what it compares? What other threads change it must read anew: "
              "volatile or atomic");
    return warp_fault(warp, lanes_first(stack_top(&warp->stack)->mask), FAULT_step_limit, loop.pc,
                      "warp %u has run %llu instructions and does not end", warp->place.warp,
                      (unsigned long long)warp->worker->launch->max_steps);
}

/* What an expanded wmma begins with. */
static bool whole_warp(Warp *warp, const Step *step, uint32_t active) {
    if (!warp_is_whole(warp, step, active)) return false;
    uint32_t *lanes = warp_at(warp, step->d);
    EACH_LANE lanes[i] = i;
    return true;
}

/* cooperative_groups traps at a grid barrier that the launch has not provided. */
static bool trap(Warp *warp, const Step *step, uint32_t active) {
    unsigned lane = lanes_first(active);
    if (warp->worker->code->specials[SPECIAL_envreg1] != NO_SLOT && !warp->worker->launch->cooperative)
        fault_hint(&warp->worker->fault,
                   "this_grid().sync() needs a cooperative launch: cudaLaunchCooperativeKernel, or --cooperative here");
    else
        fault_hint(&warp->worker->fault,
                   "where no __trap() is meant, the compiler puts one where it sees that the code can only go wrong: a null "
                   "pointer, or a store to __constant__ memory?");
    return warp_fault(warp, lane, FAULT_trap, step->pc, "lane %u of warp %u ran into a trap", lane, warp->place.warp);
}

/* Before a read that may show what other threads did. */
static void note_poll(Warp *warp, const Step *step, uint32_t active) {
    if (step->exec == EXEC_ATOM || step->exec == EXEC_MBARRIER || step->order != ORDER_WEAK) warp->polled = true;
    if (warp->spin.watching) spin_note(warp, step, active);
}

static void fence(Warp *warp, const Step *step) {
    warp->polled = true;
    OBSERVERS_NOTIFY(warp->worker->observers, warp->worker->n_observers, on_fence, &warp->place, step->pc);
}

static void notify_async(Warp *warp, const Step *step, uint32_t active) {
    const AsyncEvent event = {.pc = step->pc, .lanes = active, .variant = step->insn->variant, .left = step->imm};
    OBSERVERS_NOTIFY(warp->worker->observers, warp->worker->n_observers, on_async, &warp->place, &event);
}

/* All that is neither plain arithmetic nor a jump. False after a fault. */
static __attribute__((noinline)) bool execute(Warp *warp, const Step *step, uint32_t active) {
    switch ((Exec)step->exec) {
    case EXEC_SETP: compare(warp, step, active); return true;
    case EXEC_SET: set_value(warp, step, active); return true;
    case EXEC_MOVE4: move4(warp, step, active); return true;
    case EXEC_MOVE8: move8(warp, step, active); return true;
    case EXEC_MOVE_PREDICATE:
        lanes_set_predicate(warp_at(warp, step->d), *(const uint32_t *)warp_at(warp, step->s[0]), active);
        return true;
    case EXEC_NARROW: narrow(warp, step); return true;
    case EXEC_WIDEN:
    case EXEC_WIDEN_SIGNED: widen(warp, step, active); return true;
    case EXEC_PACK: pack(warp, step, active); return true;
    case EXEC_UNPACK: unpack(warp, step, active); return true;
    case EXEC_CLOCK: read_clock(warp, step); return true;
    case EXEC_LOCAL_ADDRESS: local_address(warp, step); return true;
    case EXEC_CVTA: convert_address(warp, step, active); return true;
    case EXEC_ISSPACEP: is_space(warp, step, active); return true;
    case EXEC_PARAM: warp_param_load(warp, step, active); return true;
    case EXEC_FRAME_LOAD: warp_frame_load(warp, step, active); return true;
    case EXEC_FRAME_STORE: warp_frame_store(warp, step, active); return true;
    case EXEC_ATOM: note_poll(warp, step, active); return warp_atomic(warp, step, active);
    case EXEC_CP_ASYNC: return warp_async_copy(warp, step, active);
    case EXEC_BULK: return warp_bulk(warp, step, active);
    case EXEC_TENSOR: return warp_tensor(warp, step, active);
    case EXEC_MBARRIER:
        if (mbarrier_is_wait(step->insn)) note_poll(warp, step, active);
        return warp_mbarrier(warp, step, active);
    case EXEC_MATRIX: return warp_matrix(warp, step, active);
    case EXEC_TEXTURE: return warp_texture(warp, step, active);
    case EXEC_SURFACE: return warp_surface(warp, step, active);
    case EXEC_TEXTURE_QUERY: return warp_texture_query(warp, step, active);
    case EXEC_MMA: return warp_mma(warp, step, active);
    case EXEC_ASYNC_GROUP: notify_async(warp, step, active); return true;
    case EXEC_ACTIVEMASK: lanes_fill32(warp_at(warp, step->d), active, active); return true;
    case EXEC_WHOLE: return whole_warp(warp, step, active);
    case EXEC_TRAP: return trap(warp, step, active);
    case EXEC_MAPA: peers_map(warp, step, active); return true;
    case EXEC_GETCTARANK: peers_rank(warp, step, active); return true;
    case EXEC_CLUSTER_ARRIVE: return cluster_arrive(warp, step, active);
    case EXEC_FENCE: fence(warp, step); return true;
    case EXEC_TRACE: warp_trace(warp, step, active); return true;
    case EXEC_NOTHING: return true;
    case EXEC_ALU:
    case EXEC_ALU_MORE:
    case EXEC_LOAD:
    case EXEC_STORE:
    case EXEC_SHFL:
    case EXEC_VOTE:
    case EXEC_MATCH:
    case EXEC_REDUX:
    case EXEC_ELECT:
    case EXEC_WARP_SYNC:
    case EXEC_BARRIER:
    case EXEC_CLUSTER_WAIT:
    case EXEC_BRANCH:
    case EXEC_BRANCH_TABLE:
    case EXEC_CALL:
    case EXEC_RETURN:
    case EXEC_EXIT: break;
    }
    return true;
}

/* The top entry's lanes have run from steps_left `before` to now. */
static uint64_t count_lanes(Worker *worker, uint32_t mask, uint64_t before, uint64_t now) {
    worker->thread_instructions += (before - now) * (unsigned)__builtin_popcount(mask);
    return now;
}

/* The steps from first to before end have run, once each. */
static void count_run(Warp *warp, const Step *first, const Step *end) {
    Worker *worker = warp->worker;
    worker->begun[first - worker->code->steps]++;
    worker->begun[end - worker->code->steps]--;
}

static __attribute__((noinline)) void note_leaving(Warp *warp, const Step *step, uint32_t active, uint32_t mask) {
    uint32_t leaving = step->leaving == LEAVES_BY_JUMP ? active : mask & ~active;
    warp->gone |= leaving;
    lanes_fill32(warp->gone_at, step->pc, leaving);
}

static void set_pc(Warp *warp, const Step *step) { stack_top(&warp->stack)->pc = (uint32_t)(step - warp->worker->code->steps); }

static bool hands_over(Worker *worker) {
    return worker->scheduled && schedule_hands_over(&worker->launch->schedule, &worker->drawn);
}

/* The loop works on what stays in registers across calls: warp, step, last, mask and left. All else, even the top entry's pc, is updated
 * only where it is going to be read. It is there twice: for warps that have undefined values, and for those that have none. */
static inline __attribute__((always_inline)) RunEnd run(Warp *warp, const bool watched) {
    const Step *const steps = warp->worker->code->steps, *step, *last, *first;
    const AluMore carry = {.carry = &warp->carry};
    uint64_t left = warp->steps_left, counted = left;
    uint32_t mask = 0;
    RunEnd end = RUN_FAULT;
    goto resume;
reload: /* after a step that has run */
    count_run(warp, first, step + 1);
resume:
    counted = count_lanes(warp->worker, mask, counted, left);
    if (!warp->stack.depth) {
        warp->state = WARP_DONE;
        end = RUN_DONE;
        goto out;
    }
    if (warp->watched != watched) {
        end = RUN_WATCH;
        goto out;
    }
    const StackEntry *top = stack_top(&warp->stack);
    warp_set_area(warp, AREA_FRAME, warp->registers + warp->frames[top->frame].slots_base);
    first = step = steps + top->pc;
    last = top->reconverge == NO_INSN ? NULL : steps + top->reconverge;
    mask = top->mask;
    for (;; step++) {
    at_step:
        if (step == last) {
            stack_pop(&warp->stack);
            count_run(warp, first, step);
            goto resume;
        }
        if (__builtin_sub_overflow(left, step->weight, &left)) {
            left += step->weight;
            step_limit(warp, step->pc);
            goto out;
        }
        if (!watched && step->exec == EXEC_ALU &&
            step->guard_is == GUARD_NONE) { /* most steps are: no jump through a table for them */
            step->alu(warp_at(warp, step->d), warp_at(warp, step->s[0]), warp_at(warp, step->s[1]), mask, &carry);
            continue;
        }
        uint32_t active = mask;
        if (step->guard_is != GUARD_NONE) {
            uint32_t guard = *(const uint32_t *)warp_at(warp, step->guard);
            active &= step->guard_is == GUARD_TRUE ? guard : ~guard;
        }
        if (watched && !defined_step(warp, step, mask, active)) goto out;
        switch ((Exec)step->exec) {
        case EXEC_ALU:
            step->alu(warp_at(warp, step->d), warp_at(warp, step->s[0]), warp_at(warp, step->s[1]), active, &carry);
            continue;
        case EXEC_ALU_MORE: compute_more(warp, step, active); continue;
        case EXEC_LOAD:
            if (!active) continue;
            if (step->after_store && warp->read_global) {
                left += step->weight;
                goto others_first;
            }
            if (step->order != ORDER_WEAK || warp->spin.watching) note_poll(warp, step, active);
            if (!warp_load(warp, step, active)) goto out;
            if (!watched && !(warp->worker->undefined.any | warp->worker->scheduled)) continue;
            defined_loaded(warp, step, active);
            if (hands_over(warp->worker)) {
                set_pc(warp, step + 1);
                end = RUN_YIELD;
                goto ran;
            }
            if (warp->watched == watched) continue;
            set_pc(warp, step + 1);
            goto reload;
        case EXEC_MATRIX:
        case EXEC_TEXTURE:
        case EXEC_SURFACE:
            if (active && !execute(warp, step, active)) goto out;
            if (warp->watched == watched) continue;
            set_pc(warp, step + 1);
            goto reload;
        case EXEC_STORE:
            if (active && !warp_store(warp, step, active)) goto out;
            continue;
        case EXEC_BRANCH: {
            bool back = steps + step->target <= step;
            if (step->leaving) note_leaving(warp, step, active, mask);
            if (active && active != mask) {
                warp->partings[warp->n_partings++ % PARTINGS] = (Parting){step->pc, active, mask & ~active};
                stack_diverge(&warp->stack, active, step->target, (uint32_t)(step - steps) + 1, step->reconverge);
                if (hands_over(warp->worker)) stack_yield(&warp->stack);
                if (back && iteration_ends(warp, &end)) goto ran;
                goto reload;
            }
            if (!active) continue;
            count_run(warp, first, step + 1);
            first = step = steps + step->target;
            if (!back) goto at_step;
            set_pc(warp, step);
            if (iteration_ends(warp, &end)) goto out;
            if (watched && !warp->watched) goto resume;
            goto at_step;
        }
        case EXEC_BRANCH_TABLE:
            set_pc(warp, step);
            branch_table(warp, step, active);
            goto reload;
        case EXEC_EXIT:
            set_pc(warp, step + 1);
            if (warp->missed) barrier_missed(warp, active);
            warp->live &= ~active;
            stack_remove(&warp->stack, active);
            goto reload;
        case EXEC_RETURN:
            set_pc(warp, step + 1);
            warp_return(warp, active);
            goto reload;
        case EXEC_CALL:
            set_pc(warp, step + 1);
            if (active && !warp_call(warp, step, active)) goto out;
            goto reload;
        case EXEC_SHFL:
        case EXEC_VOTE:
        case EXEC_MATCH:
        case EXEC_REDUX:
        case EXEC_ELECT:
        case EXEC_WARP_SYNC:
            if (!active) continue;
            set_pc(warp, step);
            switch (collective_run(warp, step, active)) {
            case CONVERGED: break;
            case CONVERGENCE_WAITS: goto reload;
            case CONVERGENCE_FAULT: goto out;
            }
            if (stack_top(&warp->stack)->mask == mask && warp->watched == watched) continue;
            set_pc(warp, step + 1); /* lanes have joined, or there is something to watch now */
            goto reload;
        case EXEC_BARRIER:
            set_pc(warp, step);
            if (active && active != warp->live && !barrier_gathers(warp, step, &active)) goto reload;
            set_pc(warp, step + 1);
            if (active && !barrier_arrive(warp, step, active)) goto out;
            if (warp->state != WARP_AT_BARRIER) goto reload;
            end = RUN_BARRIER;
            goto ran;
        case EXEC_CLUSTER_WAIT:
            if (!active) continue;
            set_pc(warp, step);
            switch (cluster_wait(warp, step, active)) {
            case CLUSTER_PASSES: continue;
            case CLUSTER_FAULT: goto out;
            case CLUSTER_WAITS: break;
            }
            left += step->weight; /* it is run when it passes */
            step--;
            if (warp->state != WARP_AT_CLUSTER) goto reload;
            end = RUN_BARRIER;
            goto ran;
        /* clang-format off */
        case EXEC_SETP: case EXEC_SET: case EXEC_MOVE4: case EXEC_MOVE8: case EXEC_MOVE_PREDICATE: case EXEC_NARROW: case EXEC_WIDEN:
        case EXEC_WIDEN_SIGNED: case EXEC_PACK: case EXEC_UNPACK: case EXEC_CLOCK: case EXEC_LOCAL_ADDRESS: case EXEC_CVTA:
        case EXEC_ISSPACEP: case EXEC_PARAM: case EXEC_FRAME_LOAD: case EXEC_FRAME_STORE: case EXEC_ATOM: case EXEC_CP_ASYNC: case EXEC_BULK: case EXEC_TENSOR: case EXEC_MBARRIER: case EXEC_MMA: case EXEC_TEXTURE_QUERY: case EXEC_ASYNC_GROUP:
        case EXEC_ACTIVEMASK: case EXEC_WHOLE: case EXEC_TRAP: case EXEC_MAPA: case EXEC_GETCTARANK: case EXEC_CLUSTER_ARRIVE: case EXEC_FENCE: case EXEC_TRACE: case EXEC_NOTHING:
            /* clang-format on */
            warp->steps_left = left;
            if (active && !execute(warp, step, active)) goto out;
        }
    }
others_first: /* while what was loaded is in flight */
    warp->read_global = false;
    set_pc(warp, step--);
    end = RUN_YIELD;
ran:
    count_run(warp, first, step + 1);
out:
    count_lanes(warp->worker, mask, counted, left);
    warp->worker->instructions += warp->steps_begun - left;
    uint64_t of_warp = warp->worker->launch->max_steps - left;
    if (of_warp > warp->worker->busiest_warp) warp->worker->busiest_warp = of_warp;
    if (warp->accesses > warp->worker->most_accesses) warp->worker->most_accesses = warp->accesses;
    warp->steps_left = warp->steps_begun = left;
    return end;
}

RunEnd warp_run(Warp *warp) {
    RunEnd end;
    do end = warp->watched ? run(warp, true) : run(warp, false);
    while (end == RUN_WATCH);
    return end;
}
