#include "machine/collective.h"

#include <string.h>

#include "machine/defined.h"
#include "machine/lanes.h"
#include "machine/warp_fault.h"

/* PTX ISA, shfl: c holds the clamp value in bits 0-4 and the segment mask in bits 8-12. */
static unsigned shuffle_source(uint8_t variant, unsigned lane, uint32_t b, uint32_t c, bool *valid) {
    unsigned clamp = c & 0x1f, segment = c >> 8 & 0x1f, offset = b & 0x1f;
    int least = (int)(lane & segment), most = (int)((lane & segment) | (clamp & ~segment)), source = (int)lane;
    *valid = false;
    switch ((ShuffleOp)variant) {
    case SHFL_UP:
        source = (int)lane - (int)offset;
        *valid = source >= most;
        break;
    case SHFL_DOWN:
        source = (int)lane + (int)offset;
        *valid = source <= most;
        break;
    case SHFL_BFLY:
        source = (int)(lane ^ offset);
        *valid = source <= most;
        break;
    case SHFL_IDX:
        source = least | (int)(offset & ~segment);
        *valid = source <= most;
        break;
    }
    return *valid ? (unsigned)source & 31 : lane;
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

typedef enum UndefinedSource { SOURCE_ELSEWHERE, SOURCE_GONE, SOURCE_NEVER, SOURCE_UNNAMED, SOURCE_KINDS } UndefinedSource;

static const struct {
    const char *which, *hint;
} source_texts[SOURCE_KINDS] = {
    [SOURCE_ELSEWHERE] = {"does not take part in this shuffle",
                          "every lane that is read from must execute the shuffle and be named in its mask"},
    [SOURCE_GONE] = {"has left the kernel and does not take part in the shuffle",
                     "let every lane that is read from reach the shuffle: no return before it, no if or loop around it that "
                     "only some lanes take"},
    [SOURCE_NEVER] =
        {"the block never had",
         "the block's threads are no multiple of 32, so that its last warp has fewer: add up what they have alone, or "
         "launch a multiple of 32"},
    [SOURCE_UNNAMED] = {"its mask does not name",
                        "name every lane that is read from in the mask, or shuffle within a width that keeps to it"},
};

bool collective_tell(Warp *warp, const Origin *taken) {
    FindingLog *log = &warp->worker->findings;
    Fault *fault = &warp->worker->fault;
    fault_hint(fault, "%s", source_texts[taken->which].hint);
    warp_fault(warp, taken->lane, FAULT_sync_mask, taken->pc, "lane %u of warp %u takes the value of lane %u, which %s",
               taken->lane, warp->place.warp, taken->source, source_texts[taken->which].which);
    if (taken->which == SOURCE_ELSEWHERE) return findings_take(log, &warp->place, fault);
    findings_keep(log, &warp->place, fault);
    return true;
}

static bool shuffle(Warp *warp, const Step *step, uint32_t active) {
    uint32_t from[WARP_LANES], bits = 0, begun = warp_begun(warp), undefined[SOURCE_KINDS] = {0};
    memcpy(from, warp_at(warp, step->s[0]), sizeof from); /* a copy: d may be the same register */
    const uint32_t *b = warp_at(warp, step->s[1]), *c = warp_at(warp, step->s[2]);
    uint32_t result[WARP_LANES], sources[WARP_LANES];
    for (unsigned l = 0; l < WARP_LANES; l++) {
        bool valid;
        unsigned source = sources[l] = shuffle_source(step->insn->variant, l, b[l], c[l], &valid);
        bits |= (uint32_t)valid << l;
        UndefinedSource kind = active >> source & 1       ? SOURCE_UNNAMED
                               : warp->live >> source & 1 ? SOURCE_ELSEWHERE
                               : begun >> source & 1      ? SOURCE_GONE
                                                          : SOURCE_NEVER;
        uint32_t named = mask_of(warp, step->s[3], l, active) & active;
        undefined[kind] |= (active >> l & ~named >> source & 1) << l;
        result[l] = kind == SOURCE_ELSEWHERE ? 0 : from[source];
    }
    UndefinedSource kind = SOURCE_KINDS; /* the first of those that occur */
    uint32_t taken = 0;
    for (UndefinedSource k = 0; k < SOURCE_KINDS; k++) {
        if (!taken) kind = k;
        taken |= undefined[k];
    }
    unsigned first = taken ? lanes_first(undefined[kind]) : 0;
    Origin origin = {.pc = step->pc, .kind = ORIGIN_SHUFFLE, .lane = (uint8_t)first, .source = (uint8_t)sources[first]};
    origin.which = (uint8_t)kind;
    defined_collective(warp, step, active, sources, taken, origin);
    lanes_set32(warp_at(warp, step->d), result, active);
    if (step->d2 != NO_SLOT) lanes_set_predicate(warp_at(warp, step->d2), bits, active);
    return true;
}

static bool vote(Warp *warp, const Step *step, uint32_t active) {
    uint32_t votes = *(const uint32_t *)warp_at(warp, step->s[0]);
    if (step->negated) votes = ~votes;
    uint32_t bits = 0, ballot[WARP_LANES] = {0};
    EACH_ACTIVE_LANE(l, active) {
        uint32_t group = mask_of(warp, step->s[1], l, active) & active, yes = votes & group;
        ballot[l] = yes;
        bool result = step->insn->variant == VOTE_ALL   ? yes == group
                      : step->insn->variant == VOTE_ANY ? yes != 0
                                                        : yes == group || !yes;
        bits |= (uint32_t)result << l;
    }
    if (step->insn->variant == VOTE_BALLOT)
        lanes_set32(warp_at(warp, step->d), ballot, active);
    else
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
    EACH_ACTIVE_LANE(l, active) {
        uint32_t group = mask_of(warp, step->s[1], l, active) & active;
        uint32_t result = from[lanes_first(group)];
        EACH_ACTIVE_LANE(k, group & (group - 1)) result = combine(step->insn->variant, is_signed, result, from[k]);
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

static void missing_fault(Warp *warp, const Step *step, uint32_t active, uint32_t missing) {
    char here[100], there[100];
    fault_hint(&warp->worker->fault, "all lanes in the mask must reach the same instruction; name only those that do");
    warp_fault(warp, lanes_first(active), FAULT_sync_mask, step->pc,
               "%s of warp %u wait%s here for %s, which the mask names but which never come%s",
               lanes_text(active, here, sizeof here), warp->place.warp, lanes_verb_s(active),
               lanes_text(missing, there, sizeof there), lanes_verb_s(missing));
}

static Convergence converge(Warp *warp, const Step *step, uint32_t *active) {
    uint32_t own = *active, together = own | stack_waiting_lanes(&warp->stack);
    stack_top(&warp->stack)->blocked = false;
    uint32_t missing = named_lanes(warp, step, together) & warp->live & ~together;
    EACH_ACTIVE_LANE(l, own) {
        if (named_lanes(warp, step, 1u << l) >> l & 1) continue;
        warp_fault(warp, l, FAULT_sync_mask, step->pc, "lane %u of warp %u takes part, but its mask does not name it", l,
                   warp->place.warp);
        if (!findings_take(&warp->worker->findings, &warp->place, &warp->worker->fault)) return CONVERGENCE_FAULT;
        break;
    }
    if (missing) {
        stack_top(&warp->stack)->blocked = true;
        if (stack_yield(&warp->stack) || stack_release(&warp->stack)) return CONVERGENCE_WAITS;
        missing_fault(warp, step, own, missing);
        return CONVERGENCE_FAULT;
    }
    stack_converge(&warp->stack);
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
    Convergence convergence = converge(warp, step, &active);
    if (convergence == CONVERGED && step->exec != EXEC_SHFL) defined_collective(warp, step, active, NULL, 0, (Origin){0});
    return convergence != CONVERGED || run[step->exec](warp, step, active) ? convergence : CONVERGENCE_FAULT;
}
