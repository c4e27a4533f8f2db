/* The interpreter's loop: one warp, until it ends, waits or should let others run. */
#include "machine/warp.h"

#include <stdio.h>
#include <string.h>

/* Turns round a loop before lanes that wait to meet the looping ones go on without them. Lanes that would be parked do not get so far:
 * for them see block_release. */
enum { SPIN_LIMIT = 256 };

bool warp_blame(Warp *warp, unsigned lane) {
    Fault *fault = &warp->worker->fault;
    const uint32_t *dim = warp->worker->launch->block;
    uint32_t thread = warp->place.warp * WARP_LANES + lane;
    fault->lane = lane;
    fault->warp = warp->place.warp;
    memcpy(fault->block, warp->place.ctaid, sizeof fault->block);
    fault->thread[0] = thread % dim[0];
    fault->thread[1] = thread / dim[0] % dim[1];
    fault->thread[2] = thread / dim[0] / dim[1];
    return false;
}

char *lanes_text(uint32_t lanes, char *buffer, size_t size) {
    size_t used = (size_t)snprintf(buffer, size, lanes & (lanes - 1) ? "lanes " : "lane ");
    const char *separator = "";
    for (unsigned first = 0; first < WARP_LANES; first++) {
        if (!(lanes >> first & 1)) continue;
        unsigned last = first;
        while (last + 1 < WARP_LANES && lanes >> (last + 1) & 1) last++;
        if (used < size)
            used += (size_t)snprintf(buffer + used, size - used, first == last ? "%s%u" : "%s%u-%u", separator, first, last);
        separator = ", ";
        first = last;
    }
    return buffer;
}

static void move4(const Warp *warp, const Step *step, uint32_t active) {
    uint32_t *d = __builtin_assume_aligned(warp_at(warp, step->d), 64);
    const uint32_t *s = __builtin_assume_aligned(warp_at(warp, step->s[0]), 64);
    if (active == LANES_ALL) {
        memmove(d, s, 4 * WARP_LANES);
        return;
    }
    for (int l = 0; l < WARP_LANES; l++) d[l] = active >> l & 1 ? s[l] : d[l];
}

static void move8(const Warp *warp, const Step *step, uint32_t active) {
    uint64_t *d = __builtin_assume_aligned(warp_at(warp, step->d), 64);
    const uint64_t *s = __builtin_assume_aligned(warp_at(warp, step->s[0]), 64);
    if (active == LANES_ALL) {
        memmove(d, s, 8 * WARP_LANES);
        return;
    }
    for (int l = 0; l < WARP_LANES; l++) d[l] = active >> l & 1 ? s[l] : d[l];
}

static void set_predicate(const Warp *warp, Slot slot, uint32_t value, uint32_t active) {
    uint32_t *d = warp_at(warp, slot);
    *d = (*d & ~active) | (value & active);
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
    set_predicate(warp, step->d, bits, active);
    if (step->d2 != NO_SLOT) set_predicate(warp, step->d2, not_bits, active);
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
    uint64_t whole[WARP_LANES] = {0}; /* a copy: the destination may share a part's register */
    unsigned stride = step->bytes == 8 ? 8 : 4;
    for (unsigned i = 0; i < step->vec; i++) {
        const uint8_t *part = warp_at(warp, step->data[i]);
        for (unsigned l = 0; l < WARP_LANES; l++)
            memcpy((uint8_t *)&whole[l] + i * step->bytes, part + l * stride, step->bytes);
    }
    uint8_t *d = warp_at(warp, step->d);
    for (unsigned l = 0; l < WARP_LANES; l++)
        if (active >> l & 1) memcpy(d + l * step->lane_bytes, &whole[l], step->lane_bytes);
}

static void unpack(const Warp *warp, const Step *step, uint32_t active) {
    uint64_t whole[WARP_LANES]; /* a copy: a part may share the source's register */
    const uint8_t *s = warp_at(warp, step->s[0]);
    for (unsigned l = 0; l < WARP_LANES; l++) {
        whole[l] = 0;
        memcpy(&whole[l], s + l * step->lane_bytes, step->lane_bytes);
    }
    for (unsigned i = 0; i < step->vec; i++) {
        if (step->data[i] == NO_SLOT) continue;
        uint8_t *part = warp_at(warp, step->data[i]);
        unsigned stride = step->bytes == 8 ? 8 : 4;
        for (unsigned l = 0; l < WARP_LANES; l++) {
            uint64_t value = whole[l] >> (8 * step->bytes * i);
            if (step->bytes < 8) value &= (UINT64_C(1) << (8 * step->bytes)) - 1;
            if (active >> l & 1) memcpy(part + l * stride, &value, stride);
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

/* Instructions run stand for time; it passes, and is the same on every run. */
static void read_clock(const Warp *warp, const Step *step) {
    uint64_t *d = warp_at(warp, step->d), now = warp->worker->launch->max_steps - warp->steps_left;
    if (step->imm == SPECIAL_clock || step->imm == SPECIAL_globaltimer_lo) now &= UINT32_MAX;
    if (step->imm == SPECIAL_clock_hi || step->imm == SPECIAL_globaltimer_hi) now >>= 32;
    for (int l = 0; l < WARP_LANES; l++) d[l] = now;
}

static void local_address(const Warp *warp, const Step *step) {
    uint64_t *d = warp_at(warp, step->d), base = warp->frames[warp->paths[warp->n_paths - 1].frame].local_base + step->offset;
    for (int l = 0; l < WARP_LANES; l++) d[l] = base;
}

static void convert_address(const Warp *warp, const Step *step, uint32_t active) {
    uint64_t *d = __builtin_assume_aligned(warp_at(warp, step->d), 64);
    const uint64_t *s = __builtin_assume_aligned(warp_at(warp, step->s[0]), 64);
    for (int l = 0; l < WARP_LANES; l++) d[l] = active >> l & 1 ? s[l] + step->offset : d[l];
}

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
        bits |= (uint32_t)(space == step->space) << l;
    }
    set_predicate(warp, step->d, bits, active);
}

static __attribute__((noinline)) void branch_table(Warp *warp, const Step *step, uint32_t active) {
    const uint32_t *index = warp_at(warp, step->s[0]);
    Path *top = &warp->paths[warp->n_paths - 1];
    uint32_t next = top->pc + 1, left = active, rest = top->mask & ~active;
    /* One split for each distinct target: the lanes that go there leave the others, which look on. */
    while (left) {
        uint32_t wanted = index[__builtin_ctz(left)], same = 0;
        for (unsigned l = 0; l < WARP_LANES; l++)
            if (left >> l & 1 && index[l] == wanted) same |= 1u << l;
        uint32_t target = wanted < step->imm ? step->table[wanted] : next;
        left &= ~same;
        top = &warp->paths[warp->n_paths - 1];
        if (!left && !rest) {
            top->pc = target;
            return;
        }
        uint32_t pc = top->pc, lanes = top->mask & ~same,
                 reconverge = step->reconverge == NO_INSN ? top->reconverge : step->reconverge;
        Path others = {.pc = pc, .reconverge = reconverge, .mask = lanes, .frame = top->frame};
        if (reconverge == top->reconverge)
            warp_pop(warp);
        else
            top->pc = reconverge;
        if (target != reconverge)
            warp_push(warp, (Path){.pc = target, .reconverge = reconverge, .mask = same, .frame = others.frame});
        warp_push(warp, others);
    }
    warp->paths[warp->n_paths - 1].pc = next;
}

/* After a turn round a loop: should others run? */
static bool turn_ends(Warp *warp, RunEnd *end) {
    bool heard = warp->heard, changed = warp->changed, read_global = warp->read_global;
    warp->heard = warp->changed = warp->read_global = false;
    if (changed) {
        warp->moved = true;
        warp->spins = 0;
        spin_reset(&warp->spin);
    } else if (heard) {
        warp->moved |= spin_turn(warp);
        if (++warp->spins % SPIN_LIMIT || !warp_part(warp)) warp_turn(warp);
        *end = warp->spin.parked ? RUN_PARKED : RUN_SPIN;
        return true;
    }
    *end = RUN_YIELD;
    return read_global;
}

static bool step_limit(Warp *warp, uint32_t pc) {
    fault_set(&warp->worker->fault, FAULT_step_limit, pc, "warp %u has run %llu instructions and does not end",
              warp->place.warp, (unsigned long long)warp->worker->launch->max_steps);
    snprintf(warp->worker->fault.hint, sizeof warp->worker->fault.hint, "an endless loop? --max-steps allows more");
    return warp_blame(warp, (unsigned)__builtin_ctz(warp->paths[warp->n_paths - 1].mask));
}

/* cooperative_groups traps at a grid barrier that the launch has not provided. */
static bool trap(Warp *warp, const Step *step, uint32_t active) {
    unsigned lane = (unsigned)__builtin_ctz(active);
    Fault *fault = &warp->worker->fault;
    if (warp->worker->code->specials[SPECIAL_envreg1] != NO_SLOT && !warp->worker->launch->cooperative)
        snprintf(fault->hint, sizeof fault->hint,
                 "this_grid().sync() needs a cooperative launch: cudaLaunchCooperativeKernel, or --cooperative here");
    fault_set(fault, FAULT_trap, step->pc, "lane %u of warp %u ran into a trap", lane, warp->place.warp);
    return warp_blame(warp, lane);
}

/* The warp is about to learn, or may learn, what other threads did. */
static void listen(Warp *warp, const Step *step, uint32_t active) {
    if (step->exec == EXEC_ATOM || step->order != ORDER_WEAK) warp->heard = true;
    if (warp->spin.watching) spin_note(warp, step, active);
}

/* All that is neither plain arithmetic nor a jump. False after a fault. */
static __attribute__((noinline)) bool execute(Warp *warp, const Step *step, uint32_t active) {
    switch ((Exec)step->exec) {
    case EXEC_SETP: compare(warp, step, active); return true;
    case EXEC_SET: set_value(warp, step, active); return true;
    case EXEC_MOVE4: move4(warp, step, active); return true;
    case EXEC_MOVE8: move8(warp, step, active); return true;
    case EXEC_MOVE_PREDICATE: set_predicate(warp, step->d, *(const uint32_t *)warp_at(warp, step->s[0]), active); return true;
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
    case EXEC_ATOM: listen(warp, step, active); return warp_atomic(warp, step, active);
    case EXEC_CP_ASYNC: return warp_async_copy(warp, step, active);
    case EXEC_ACTIVEMASK: {
        uint32_t *d = warp_at(warp, step->d);
        for (int l = 0; l < WARP_LANES; l++) d[l] = active >> l & 1 ? active : d[l];
        return true;
    }
    case EXEC_TRAP: return trap(warp, step, active);
    case EXEC_FENCE: warp->heard = true; return true;
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
    case EXEC_BRANCH:
    case EXEC_BRANCH_TABLE:
    case EXEC_CALL:
    case EXEC_RETURN:
    case EXEC_EXIT: break;
    }
    return true;
}

/* Instructions at which lanes named in a mask must all be present. The path's pc stands at the instruction. */
typedef enum Met { MET_ALL, MET_WAIT, MET_FAULT } Met;

/* Lanes that each active lane's _sync mask names, together. */
static uint32_t named_lanes(const Warp *warp, const Step *step, uint32_t active) {
    Slot slot = step->exec == EXEC_WARP_SYNC || step->exec == EXEC_ELECT ? step->s[0]
                : step->exec == EXEC_SHFL                                ? step->s[3]
                                                                         : step->s[1];
    if (slot == NO_SLOT) return active; /* the old forms without .sync */
    const uint32_t *masks = warp_at(warp, slot);
    uint32_t named = 0;
    for (unsigned l = 0; l < WARP_LANES; l++)
        if (active >> l & 1) named |= masks[l];
    return named;
}

static bool sync_fault(Warp *warp, const Step *step, uint32_t active, uint32_t missing) {
    char here[100], there[100];
    fault_set(&warp->worker->fault, FAULT_sync_mask, step->pc,
              "%s of warp %u wait%s here for %s, which the mask names but which never come%s",
              lanes_text(active, here, sizeof here), warp->place.warp, active & (active - 1) ? "" : "s",
              lanes_text(missing, there, sizeof there), missing & (missing - 1) ? "" : "s");
    snprintf(warp->worker->fault.hint, sizeof warp->worker->fault.hint,
             "all lanes in the mask must reach the same instruction; name only those that do");
    return warp_blame(warp, (unsigned)__builtin_ctz(active));
}

/* Gathers the lanes of other paths that wait at this very instruction. */
static Met meet(Warp *warp, const Step *step, uint32_t *active) {
    uint32_t own = *active, together = own | warp_gathered(warp);
    warp->paths[warp->n_paths - 1].blocked = false;
    uint32_t named = named_lanes(warp, step, together) & warp->live;
    for (unsigned l = 0; l < WARP_LANES; l++) {
        if (!(own >> l & 1) || named_lanes(warp, step, 1u << l) >> l & 1) continue;
        fault_set(&warp->worker->fault, FAULT_sync_mask, step->pc,
                  "lane %u of warp %u takes part, but its mask does not name it", l, warp->place.warp);
        warp_blame(warp, l);
        return MET_FAULT;
    }
    if (named & ~together) {
        warp->paths[warp->n_paths - 1].blocked = true;
        if (warp_turn(warp) || warp_part(warp)) return MET_WAIT;
        sync_fault(warp, step, own, named & ~together);
        return MET_FAULT;
    }
    warp_gather(warp);
    *active = together;
    return MET_ALL;
}

/* At a barrier of the block all lanes of the warp must come together. Some may be waiting in a loop meanwhile, for another warp. */
static Met meet_at_barrier(Warp *warp, uint32_t *active) {
    Path *top = &warp->paths[warp->n_paths - 1];
    uint32_t together = *active | warp_gathered(warp);
    top->blocked = false;
    if (together != warp->live && *active == top->mask) {
        top->blocked = true;
        if (warp_turn(warp)) return MET_WAIT;
        top->blocked = false;
    }
    if (together == warp->live) {
        warp_gather(warp);
        *active = together;
    }
    return MET_ALL;
}

static __attribute__((noinline)) Met collective(Warp *warp, const Step *step, uint32_t active) {
    Met met = meet(warp, step, &active);
    if (met != MET_ALL) return met;
    bool fine = true;
    switch ((Exec)step->exec) {
    case EXEC_SHFL: fine = warp_shuffle(warp, step, active); break;
    case EXEC_VOTE: fine = warp_vote(warp, step, active); break;
    case EXEC_MATCH: fine = warp_match(warp, step, active); break;
    case EXEC_REDUX: fine = warp_reduce(warp, step, active); break;
    case EXEC_ELECT: fine = warp_elect(warp, step, active); break;
    default: /* EXEC_WARP_SYNC */
        for (uint32_t o = 0; o < warp->worker->n_observers; o++) {
            const Observer *observer = warp->worker->observers[o];
            if (observer->on_warp_sync) observer->on_warp_sync(observer->self, &warp->place, active);
        }
    }
    return fine ? MET_ALL : MET_FAULT;
}

/* The top path's lanes have run from steps_left `before` to now. */
static uint64_t count_lanes(Worker *worker, uint32_t mask, uint64_t before, uint64_t now) {
    worker->thread_instructions += (before - now) * (unsigned)__builtin_popcount(mask);
    return now;
}

static void set_pc(Warp *warp, const Step *step) {
    warp->paths[warp->n_paths - 1].pc = (uint32_t)(step - warp->worker->code->steps);
}

/* The loop lives in what stays in registers across calls: warp, step, last, mask and left. All else, the path's pc too, is brought up to
 * date where somebody looks at it. */
RunEnd warp_run(Warp *warp) {
    const Step *const steps = warp->worker->code->steps, *step, *last;
    const AluMore carry = {.carry = &warp->carry};
    uint64_t left = warp->steps_left, counted = left;
    uint32_t mask = 0;
    RunEnd end = RUN_FAULT, turned;
reload:
    counted = count_lanes(warp->worker, mask, counted, left);
    if (!warp->n_paths) {
        warp->state = WARP_DONE;
        end = RUN_DONE;
        goto out;
    }
    const Path *path = &warp->paths[warp->n_paths - 1];
    warp_set_area(warp, AREA_FRAME, warp->registers + warp->frames[path->frame].slots_base);
    step = steps + path->pc;
    last = path->reconverge == NO_INSN ? NULL : steps + path->reconverge;
    mask = path->mask;
    for (;; step++) {
    at_step:
        if (step == last) {
            warp_pop(warp);
            goto reload;
        }
        if (__builtin_sub_overflow(left, step->weight, &left)) {
            left += step->weight;
            step_limit(warp, step->pc);
            goto out;
        }
        if (step->exec == EXEC_ALU && step->guard_is == GUARD_NONE) { /* most steps are: no jump through a table for them */
            step->alu(warp_at(warp, step->d), warp_at(warp, step->s[0]), warp_at(warp, step->s[1]), mask, &carry);
            continue;
        }
        uint32_t active = mask;
        if (step->guard_is != GUARD_NONE) {
            uint32_t guard = *(const uint32_t *)warp_at(warp, step->guard);
            active &= step->guard_is == GUARD_TRUE ? guard : ~guard;
        }
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
            if (step->order != ORDER_WEAK || warp->spin.watching) listen(warp, step, active);
            if (!warp_load(warp, step, active)) goto out;
            continue;
        case EXEC_STORE:
            if (active && !warp_store(warp, step, active)) goto out;
            continue;
        case EXEC_BRANCH: {
            bool back = steps + step->target <= step;
            if (active && active != mask) {
                warp_split(warp, active, step->target, (uint32_t)(step - steps) + 1, step->reconverge);
                if (back && turn_ends(warp, &turned)) goto yield;
                goto reload;
            }
            if (!active) continue;
            step = steps + step->target;
            if (!back) goto at_step;
            set_pc(warp, step);
            if (turn_ends(warp, &turned)) goto yield;
            goto at_step;
        }
        case EXEC_BRANCH_TABLE:
            set_pc(warp, step);
            branch_table(warp, step, active);
            goto reload;
        case EXEC_EXIT:
            set_pc(warp, step + 1);
            warp_exit(warp, active);
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
            switch (collective(warp, step, active)) {
            case MET_ALL: break;
            case MET_WAIT: goto reload;
            case MET_FAULT: goto out;
            }
            if (warp->paths[warp->n_paths - 1].mask == mask) continue;
            set_pc(warp, step + 1); /* lanes have joined */
            goto reload;
        case EXEC_BARRIER:
            set_pc(warp, step);
            if (active && active != warp->live && meet_at_barrier(warp, &active) == MET_WAIT) goto reload;
            set_pc(warp, step + 1);
            if (active && !block_arrive(warp, step, active)) goto out;
            if (warp->state != WARP_AT_BARRIER) goto reload;
            end = RUN_BARRIER;
            goto out;
        default:
            warp->steps_left = left;
            if (active && !execute(warp, step, active)) goto out;
        }
    }
others_first: /* while what was loaded is on its way */
    warp->read_global = false;
    set_pc(warp, step);
    turned = RUN_YIELD;
yield:
    end = turned;
out:
    count_lanes(warp->worker, mask, counted, left);
    warp->worker->instructions += warp->steps_begun - left;
    uint64_t of_warp = warp->worker->launch->max_steps - left;
    if (of_warp > warp->worker->busiest_warp) warp->worker->busiest_warp = of_warp;
    warp->steps_left = warp->steps_begun = left;
    return end;
}
