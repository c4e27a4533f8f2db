#include "machine/collective.h"

#include <string.h>

#include "machine/alu_lanes.h"
#include "machine/defined.h"
#include "machine/lanes.h"
#include "machine/shadow.h"
#include "machine/warp_fault.h"

/* PTX ISA, shfl: c holds the clamp value in bits 0-4 and the segment mask in bits 8-12. Returns the lanes whose source is in range; the others take
 * their own value. */
static ALWAYS_INLINE uint32_t find_sources(ShuffleOp variant, const uint32_t *b, const uint32_t *c, uint32_t *sources) {
    _Alignas(SLOT_BYTES) uint32_t valid[WARP_LANES];
    EACH_LANE {
        uint32_t clamp = c[i] & 0x1f, segment = c[i] >> 8 & 0x1f, offset = b[i] & 0x1f;
        uint32_t least = i & segment, most = least | (clamp & ~segment);
        uint32_t source = variant == SHFL_UP     ? i - offset
                          : variant == SHFL_DOWN ? i + offset
                          : variant == SHFL_BFLY ? i ^ offset
                                                 : least | (offset & ~segment);
        bool in_range = variant == SHFL_UP ? (int32_t)source >= (int32_t)most : source <= most;
        sources[i] = in_range ? source & 31 : i;
        valid[i] = in_range ? UINT32_MAX : 0;
    }
    return LANES_PACK(valid);
}

static uint32_t shuffle_sources(uint8_t variant, const uint32_t *b, const uint32_t *c, uint32_t *sources) {
    switch ((ShuffleOp)variant) {
    case SHFL_UP: return find_sources(SHFL_UP, b, c, sources);
    case SHFL_DOWN: return find_sources(SHFL_DOWN, b, c, sources);
    case SHFL_BFLY: return find_sources(SHFL_BFLY, b, c, sources);
    case SHFL_IDX: break;
    }
    return find_sources(SHFL_IDX, b, c, sources);
}

/* What is told of masks follows PTX ISA, shfl.sync and vote.sync, and what devices do since compute capability 7.0:
 * - A mask may name lanes that have left: only threads that have not exited are waited for. A vote, match or redux without them is defined,
 *   and nothing is told.
 * - A shuffle that takes the value of a lane that has left, that the block never had, or that it does not wait for, gives an undefined value,
 *   and the device goes on. Where the lane is not there, or shuffles as well but is not named in the taker's mask (an H200 gives its value), that may be the
 *   unused end of a reduction; it is a finding, and the kernel goes on in any case. Where the lane is elsewhere (an H200 gives 0), what
 *   comes of it depends on how the warp diverged: a fault.
 * - A lane whose own mask does not name it: undefined; devices go on. A fault.
 * - A mask that names a lane which never comes: the device waits for ever. A fault that nothing goes on after.
 * With ON_FAULT_GO_ON the faults that devices go on after are findings too. A shuffle's undefined value is told when something
 * depends on it (defined.h), and never where it is thrown away. */
static uint32_t mask_of(const Warp *warp, Slot slot, unsigned lane, uint32_t active) {
    return slot == NO_SLOT ? active : ((const uint32_t *)warp_at(warp, slot))[lane];
}

/* Of each lane the active ones that its mask names. */
static void find_groups(const Warp *warp, Slot slot, uint32_t active, uint32_t *groups) {
    if (slot == NO_SLOT) {
        lanes_fill32(groups, active, LANES_ALL);
        return;
    }
    const uint32_t *masks = warp_at(warp, slot);
    EACH_LANE groups[i] = masks[i] & active;
}

/* Of lanes that take what no lane gives. The first kind that occurs is told, of the first such lane. */
static Origin undefined_origin(const Warp *warp, const Step *step, uint32_t active, const uint32_t *sources, uint32_t lanes) {
    uint32_t of_kind[SOURCE_KINDS] = {0}, begun = warp_begun(warp);
    EACH_ACTIVE_LANE(l, lanes) {
        unsigned source = sources[l];
        UndefinedSource kind = active >> source & 1       ? SOURCE_UNNAMED
                               : warp->live >> source & 1 ? SOURCE_ELSEWHERE
                               : begun >> source & 1      ? SOURCE_GONE
                                                          : SOURCE_NEVER;
        of_kind[kind] |= 1u << l;
    }
    UndefinedSource kind = SOURCE_ELSEWHERE;
    while (!of_kind[kind]) kind++;
    unsigned first = lanes_first(of_kind[kind]);
    return (Origin){.pc = step->pc,
                    .kind = ORIGIN_SHUFFLE,
                    .lane = (uint8_t)first,
                    .source = (uint8_t)sources[first],
                    .which = (uint8_t)kind};
}

/* Those that execute the step and name all lanes. */
static bool is_whole(const Step *step, uint32_t active) { return step->names_all && active == LANES_ALL; }

/* Active lanes that take the value of a lane which they do not name or which is not there. */
static uint32_t lanes_astray(const Warp *warp, const Step *step, uint32_t active, const uint32_t *sources) {
    _Alignas(SLOT_BYTES) uint32_t groups[WARP_LANES], missing[WARP_LANES];
    find_groups(warp, step->s[3], active, groups);
    EACH_LANE missing[i] = groups[i] >> sources[i] & 1 ? 0 : UINT32_MAX;
    return LANES_PACK(missing) & active;
}

static bool shuffle(Warp *warp, const Step *step, uint32_t active) {
    const uint32_t *from = warp_at(warp, step->s[0]);
    _Alignas(SLOT_BYTES) uint32_t result[WARP_LANES], sources[WARP_LANES];
    uint32_t valid = shuffle_sources(step->insn->variant, warp_at(warp, step->s[1]), warp_at(warp, step->s[2]), sources);
    lanes_take32(result, from, sources);
    uint32_t undefined = is_whole(step, active) ? 0 : lanes_astray(warp, step, active, sources);
    Origin origin = {0};
    if (undefined) {
        origin = undefined_origin(warp, step, active, sources, undefined);
        uint32_t elsewhere = warp->live & ~active;
        EACH_LANE result[i] = elsewhere >> sources[i] & 1 ? 0 : result[i];
    }
    if (warp->watched || undefined) defined_collective(warp, step, active, sources, undefined, origin);
    lanes_set32(warp_at(warp, step->d), result, active);
    if (step->d2 != NO_SLOT) lanes_set_predicate(warp_at(warp, step->d2), valid, active);
    return true;
}

static bool vote(Warp *warp, const Step *step, uint32_t active) {
    uint32_t votes = *(const uint32_t *)warp_at(warp, step->s[0]);
    if (step->negated) votes = ~votes;
    _Alignas(SLOT_BYTES) uint32_t groups[WARP_LANES], all[WARP_LANES], any[WARP_LANES];
    find_groups(warp, step->s[1], active, groups);
    if (step->insn->variant == VOTE_BALLOT) {
        EACH_LANE groups[i] &= votes;
        lanes_set32(warp_at(warp, step->d), groups, active);
        return true;
    }
    EACH_LANE {
        all[i] = groups[i] & ~votes ? 0 : UINT32_MAX;
        any[i] = groups[i] & votes ? UINT32_MAX : 0;
    }
    uint32_t of_all = LANES_PACK(all), of_any = LANES_PACK(any);
    uint32_t bits = step->insn->variant == VOTE_ALL ? of_all : step->insn->variant == VOTE_ANY ? of_any : of_all | ~of_any;
    lanes_set_predicate(warp_at(warp, step->d), bits, active);
    return true;
}

static bool match(Warp *warp, const Step *step, uint32_t active) {
    uint64_t value[WARP_LANES];
    bool wide = type_bytes[step->insn->type] == 8;
    const void *a = warp_at(warp, step->s[0]);
    for (int l = 0; l < WARP_LANES; l++) value[l] = wide ? ((const uint64_t *)a)[l] : ((const uint32_t *)a)[l];
    uint32_t result[WARP_LANES] = {0}, bits = 0;
    EACH_ACTIVE_LANE(l, active) {
        uint32_t group = mask_of(warp, step->s[1], l, active) & active, same = lanes_equal64(value, value[l], group);
        bool all = same == group;
        result[l] = step->insn->variant == MATCH_ANY ? same : all ? group : 0;
        bits |= (uint32_t)all << l;
    }
    lanes_set32(warp_at(warp, step->d), result, active);
    if (step->d2 != NO_SLOT) lanes_set_predicate(warp_at(warp, step->d2), bits, active);
    return true;
}

static uint32_t combine(uint8_t variant, bool is_signed, uint32_t x, uint32_t y) {
    switch ((AtomOp)variant) {
    case ATOM_ADD: return x + y;
    case ATOM_MIN: return (is_signed ? (int32_t)y < (int32_t)x : y < x) ? y : x;
    case ATOM_MAX: return (is_signed ? (int32_t)y > (int32_t)x : y > x) ? y : x;
    case ATOM_AND: return x & y;
    case ATOM_OR: return x | y;
    case ATOM_XOR: return x ^ y;
    case ATOM_EXCH:
    case ATOM_CAS:
    case ATOM_INC:
    case ATOM_DEC: break; /* the parser lets none of them through */
    }
    return x;
}

static bool reduce(Warp *warp, const Step *step, uint32_t active) {
    uint32_t from[WARP_LANES], *d = warp_at(warp, step->d);
    memcpy(from, warp_at(warp, step->s[0]), sizeof from);
    bool is_signed = type_kinds[step->insn->type] == KIND_SIGNED;
    uint32_t group = 0, result = 0;
    EACH_ACTIVE_LANE(l, active) {
        uint32_t others = mask_of(warp, step->s[1], l, active) & active;
        if (others != group) { /* most often all lanes name the same */
            group = others;
            result = from[lanes_first(group)];
            EACH_ACTIVE_LANE(k, group & (group - 1)) result = combine(step->insn->variant, is_signed, result, from[k]);
        }
        d[l] = result;
    }
    return true;
}

/* PTX ISA, elect.sync: the same lane for the same mask every time. Which one is the device's choice; here it is the lowest. */
static bool elect(Warp *warp, const Step *step, uint32_t active) {
    uint32_t *d = warp_at(warp, step->d), elected = 0;
    EACH_ACTIVE_LANE(l, active) {
        uint32_t group = mask_of(warp, step->s[0], l, active) & active, leader = lanes_first(group);
        d[l] = leader;
        elected |= (uint32_t)(leader == l) << l;
    }
    if (step->d2 != NO_SLOT) lanes_set_predicate(warp_at(warp, step->d2), elected, active);
    return true;
}

/* --- who is there --- */

/* The lanes that these lanes' _sync masks name, together; *unnamed: those of them that their own does not name. */
static uint32_t named_lanes(const Warp *warp, const Step *step, uint32_t lanes, uint32_t *unnamed) {
    Slot slot = collective_mask(step);
    *unnamed = 0;
    if (slot == NO_SLOT) return lanes; /* the old forms without .sync */
    const uint32_t *masks = warp_at(warp, slot);
    uint32_t named = 0, own = 0;
    for (unsigned l = 0; l < WARP_LANES; l++) {
        named |= lanes >> l & 1 ? masks[l] : 0;
        own |= masks[l] & 1u << l;
    }
    *unnamed = lanes & ~own;
    return named;
}

static void missing_fault(Warp *warp, const Step *step, uint32_t active, uint32_t missing) {
    char here[100], there[100];
    fault_hint(&warp->worker->fault, "all lanes in the mask must reach the same instruction; name only those that do");
    warp_fault(warp, lanes_first(active), FAULT_sync_mask, step->pc,
               "%s of warp %u wait%s here for %s, which the mask names but which never come%s",
               lanes_text(active, here, sizeof here), warp->place.warp, lanes_verb_s(active),
               lanes_text(missing, there, sizeof there), lanes_verb_s(missing));
}

/* --- lanes that come to the step by other calls of its function, with registers in frames of their own (an H200 lets them meet) --- */

static bool is_other_call(const StackEntry *entry, const StackEntry *top) {
    return entry->blocked && entry->pc == top->pc && entry->frame != top->frame;
}

static uint32_t lanes_of_other_calls(const Warp *warp) {
    const StackEntry *top = stack_top(&warp->stack);
    uint32_t lanes = 0;
    for (const StackEntry *entry = warp->stack.entries; entry < top; entry++)
        if (is_other_call(entry, top)) lanes |= entry->mask;
    return lanes;
}

/* These lanes of a register change places with those of another frame; width: of a lane, 0: a predicate. */
static void swap_lanes(Warp *warp, Slot slot, unsigned width, const StackEntry *other) {
    uint8_t *here = warp_at(warp, slot), *there = warp->registers + warp->frames[other->frame].slots_base + SLOT_OFFSET(slot);
    if (!width) {
        const uint32_t differ = (*(uint32_t *)(void *)here ^ *(uint32_t *)(void *)there) & other->mask;
        *(uint32_t *)(void *)here ^= differ;
        *(uint32_t *)(void *)there ^= differ;
        return;
    }
    EACH_ACTIVE_LANE(l, other->mask) {
        uint8_t kept[8];
        memcpy(kept, here + l * width, width);
        memcpy(here + l * width, there + l * width, width);
        memcpy(there + l * width, kept, width);
    }
}

/* What the step reads and writes, to and fro: in between, all lanes have it in the top entry's frame. What they bring counts as defined. */
static void swap_calls(Warp *warp, const Step *step, bool goes_on) {
    StackEntry *top = stack_top(&warp->stack);
    const bool vote = step->exec == EXEC_VOTE, wide = step->exec == EXEC_MATCH && type_bytes[step->insn->type] == 8;
    const Slot slots[] = {step->s[0], step->s[1], step->s[2], step->s[3], step->d, step->d2};
    const unsigned widths[] = {vote ? 0 : wide ? 8 : 4, 4, 4, 4, vote && step->insn->variant != VOTE_BALLOT ? 0 : 4, 0};
    enum { SLOTS = sizeof slots / sizeof *slots };
    for (StackEntry *entry = warp->stack.entries; entry < top; entry++) {
        if (!is_other_call(entry, top)) continue;
        for (unsigned i = 0; i < SLOTS; i++) {
            bool again = slots[i] == NO_SLOT || SLOT_AREA(slots[i]) != AREA_FRAME;
            for (unsigned k = 0; k < i; k++) again |= slots[k] == slots[i];
            if (again) continue;
            swap_lanes(warp, slots[i], widths[i], entry);
            const uint32_t own = top->frame;
            if (goes_on) top->frame = entry->frame; /* whose registers are written */
            if (warp->watched) shadow_define(warp, slots[i], widths[i], entry->mask);
            top->frame = own;
        }
    }
}

static void other_calls_go_on(Warp *warp, const Step *step) {
    const StackEntry *top = stack_top(&warp->stack);
    swap_calls(warp, step, true);
    for (StackEntry *entry = warp->stack.entries; entry < top; entry++) {
        if (!is_other_call(entry, top)) continue;
        entry->blocked = false;
        entry->pc++;
    }
}

/* *calls: lanes of other calls; 0 where the step needs none of them. */
static Convergence converge(Warp *warp, const Step *step, uint32_t *calls, uint32_t *active) {
    uint32_t own = *active, waiting = stack_waiting_lanes(&warp->stack), together = own | waiting;
    stack_top(&warp->stack)->blocked = false;
    uint32_t unnamed, missing = named_lanes(warp, step, together, &unnamed) & warp->live & ~together;
    if (!missing) *calls = 0;
    if (*calls) {
        swap_calls(warp, step, false);
        together |= *calls;
        missing = named_lanes(warp, step, together, &unnamed) & warp->live & ~together;
        if (missing) swap_calls(warp, step, false);
    }
    if (unnamed & own) {
        unsigned l = lanes_first(unnamed & own);
        warp_fault(warp, l, FAULT_sync_mask, step->pc, "lane %u of warp %u takes part, but its mask does not name it", l,
                   warp->place.warp);
        if (!findings_take(&warp->worker->findings, &warp->place, &warp->worker->fault)) return CONVERGENCE_FAULT;
    }
    if (missing) {
        stack_top(&warp->stack)->blocked = true;
        if (stack_yield(&warp->stack) || stack_release(&warp->stack)) return CONVERGENCE_WAITS;
        missing_fault(warp, step, own, missing);
        return CONVERGENCE_FAULT;
    }
    if (waiting) stack_converge(&warp->stack);
    *active = together;
    return CONVERGED;
}

static bool warp_sync(Warp *warp, const Step *step, uint32_t active) {
    (void)step;
    OBSERVERS_NOTIFY(warp->worker->observers, warp->worker->n_observers, on_warp_sync, &warp->place, active);
    return true;
}

Convergence collective_run(Warp *warp, const Step *step, uint32_t active) {
    static bool (*const run[])(Warp *, const Step *, uint32_t) = {
        [EXEC_SHFL] = shuffle, [EXEC_VOTE] = vote,   [EXEC_MATCH] = match,
        [EXEC_REDUX] = reduce, [EXEC_ELECT] = elect, [EXEC_WARP_SYNC] = warp_sync,
    };
    const bool whole = is_whole(step, active);
    uint32_t calls = whole || step->guard_is != GUARD_NONE ? 0 : lanes_of_other_calls(warp);
    Convergence convergence = whole ? CONVERGED : converge(warp, step, &calls, &active);
    if (convergence == CONVERGED && step->exec != EXEC_SHFL && warp->watched)
        defined_collective(warp, step, active, NULL, 0, (Origin){0});
    if (convergence == CONVERGED && !run[step->exec](warp, step, active)) return CONVERGENCE_FAULT;
    if (convergence == CONVERGED && calls) other_calls_go_on(warp, step);
    return convergence;
}
