#include "machine/defined.h"

#include <stdlib.h>
#include <string.h>

#include "machine/collective.h"
#include "machine/lanes.h"
#include "machine/lower.h"
#include "machine/mbarrier.h"
#include "machine/mma.h"
#include "machine/shadow.h"
#include "machine/warp_fault.h"

void defined_free(Warp *warp) {
    Shadow *shadow = warp->shadow;
    if (!shadow) return;
    for (int area = 0; area < AREAS; area++) {
        free(shadow->bits[area]);
        free(shadow->origins[area]);
    }
    free(shadow);
}

/* --- where undefined values come from --- */

static void mark_unwritten(Warp *warp, const CodeFunction *function, uint32_t slots_base, uint32_t lanes) {
    Shadow *shadow = shadow_of(warp);
    for (uint32_t i = 0; i < function->n_unwritten; i++) {
        const Unwritten *unwritten = &function->unwritten[i];
        const uint32_t offset = slots_base + SLOT_OFFSET(unwritten->slot);
        Lanes bits;
        lanes_fill_undefined(&bits, unwritten->width, lanes);
        if (SLOT_AREA(unwritten->slot) != AREA_FRAME) continue;
        memcpy(shadow->bits[AREA_FRAME] + offset, bits.bytes, shadow_slot_bytes(unwritten->width));
        shadow->origins[AREA_FRAME][offset / ORIGIN_BYTES] = (Origin){.pc = NO_INSN, .kind = ORIGIN_REGISTER};
        shadow->n_origins++;
    }
    warp->watched = shadow->n_origins;
}

static void forget(Shadow *shadow, uint32_t area, uint32_t from, uint32_t bytes) {
    memset(shadow->bits[area] + from, 0, bytes);
    for (uint32_t i = from / ORIGIN_BYTES; i < (from + bytes) / ORIGIN_BYTES; i++) {
        shadow->n_origins -= shadow->origins[area][i].kind != ORIGIN_NONE;
        shadow->origins[area][i] = (Origin){0};
    }
}

void defined_start(Warp *warp) {
    const CodeFunction *kernel = &warp->worker->code->functions[0];
    Shadow *shadow = warp->shadow;
    if (shadow) shadow_put_carry(warp, 0, LANES_ALL, (Origin){0});
    for (uint32_t area = 0; shadow && shadow->n_origins && area < AREAS; area++)
        if (shadow->bytes[area]) forget(shadow, area, 0, shadow->bytes[area]);
    warp->watched = false;
    if (warp->worker->launch->checks && kernel->n_unwritten) mark_unwritten(warp, kernel, 0, warp->live);
}

void defined_enter(Warp *warp, const Frame *frame) {
    const CodeFunction *function = &warp->worker->code->functions[frame->function];
    if (!warp->watched && !(warp->worker->launch->checks && function->n_unwritten)) return;
    forget(shadow_of(warp), AREA_FRAME, frame->slots_base, function->frame_slots_bytes);
    mark_unwritten(warp, function, frame->slots_base, LANES_ALL);
}

void defined_loaded(Warp *warp, const Step *step, uint32_t active) {
    const Undefined *undefined = &warp->worker->undefined;
    if (!undefined->any && !warp->watched) return;
    Origin origin = undefined->origin;
    origin.extended |= step->bytes < step->lane_bytes;
    shadow_of(warp);
    for (unsigned i = 0; i < step->vec; i++) {
        if (step->data[i] == NO_SLOT || (!undefined->any && !shadow_undefined(warp, step->data[i]))) continue;
        Lanes bits = lanes_defined;
        EACH_ACTIVE_LANE(l, undefined->any ? active : 0) {
            uint64_t value = 0;
            memcpy(&value, undefined->bits + l * step->whole + i * step->bytes, step->bytes);
            value = shadow_extended(value, step->bytes, step->sign);
            memcpy(bits.bytes + l * step->lane_bytes, &value, step->lane_bytes);
        }
        shadow_put(warp, step->data[i], step->lane_bytes, &bits, active, origin);
    }
}

/* --- what comes of them --- */

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

/* Something depends on a value that a shuffle took and no lane gave. False after a fault. */
static bool tell_taken(Warp *warp, const Origin *taken) {
    FindingLog *log = &warp->worker->findings;
    Fault *fault = &warp->worker->fault;
    fault_hint(fault, "%s", source_texts[taken->which].hint);
    warp_fault(warp, taken->lane, FAULT_sync_mask, taken->pc, "lane %u of warp %u takes the value of lane %u, which %s",
               taken->lane, warp->place.warp, taken->source, source_texts[taken->which].which);
    if (taken->which == SOURCE_ELSEWHERE) return findings_take(log, &warp->place, fault);
    findings_keep(log, &warp->place, fault);
    return true;
}

/* What depends on a slot's lanes of so many bytes, of which the lowest `bytes` count; 0: predicates. */
typedef struct SlotUse {
    Slot slot;
    unsigned width, bytes;
    UseKind kind;
} SlotUse;

/* Tells it of the first of these lanes. The slot then counts as defined: one mistake is told once. */
static bool use(Warp *warp, const Step *step, SlotUse of, uint32_t lanes) {
    Worker *worker = warp->worker;
    ValueUse used = {.pc = step->pc, .lane = lanes_first(lanes), .kind = of.kind, .origin = *shadow_origin(warp, of.slot)};
    shadow_put(warp, of.slot, of.width, &lanes_defined, LANES_ALL, (Origin){0});
    if (used.origin.kind == ORIGIN_SHUFFLE) return tell_taken(warp, &used.origin);
    if (used.origin.pc == NO_INSN) used.origin.pc = step->pc;
    for (uint32_t o = 0; o < worker->n_observers; o++) {
        const Observer *observer = worker->observers[o];
        if (observer->on_use && !observer->on_use(observer->self, &warp->place, &used, &worker->fault)) return false;
    }
    return true;
}

static bool use_is_defined(Warp *warp, const Step *step, SlotUse of, uint32_t active) {
    const uint32_t lanes = shadow_lanes(warp, of.slot, of.width, of.bytes) & active;
    return !lanes || use(warp, step, of, lanes);
}

static bool address_is_defined(Warp *warp, const Step *step, uint32_t active) {
    return use_is_defined(warp, step, (SlotUse){step->s[0], step->address_bytes, step->address_bytes, USE_OF_ADDRESS}, active);
}

/* --- memory --- */

static void results_are_defined(Warp *warp, const Step *step, uint32_t active) {
    for (unsigned i = 0; i < step->vec; i++) shadow_define(warp, step->data[i], step->lane_bytes, active);
}

/* The bits of what is about to be stored, for the observers. */
static void stored(Warp *warp, const Step *step) {
    Undefined *undefined = &warp->worker->undefined;
    undefined->any = false;
    for (unsigned i = 0; i < step->vec; i++) {
        if (!shadow_undefined(warp, step->data[i])) continue;
        if (!undefined->any) {
            memset(undefined->bits, 0, (size_t)step->whole * WARP_LANES);
            undefined->origin = *shadow_origin(warp, step->data[i]);
            if (undefined->origin.pc == NO_INSN) undefined->origin.pc = step->pc;
        }
        undefined->any = true;
        for (unsigned l = 0; l < WARP_LANES; l++) {
            const uint64_t bits = shadow_lane(warp, step->data[i], step->lane_bytes, l);
            memcpy(undefined->bits + l * step->whole + i * step->bytes, &bits, step->bytes);
        }
    }
}

/* A shuffle's value is told here, any other by the checks. */
bool defined_leaves(Warp *warp, uint32_t lanes, unsigned bytes) {
    Undefined *undefined = &warp->worker->undefined;
    if (undefined->origin.kind != ORIGIN_SHUFFLE) return true;
    bool any = false;
    EACH_ACTIVE_LANE(l, lanes) any |= memcmp(undefined->bits + l * bytes, lanes_defined.bytes, bytes) != 0;
    undefined->any &= !any;
    return !any || tell_taken(warp, &undefined->origin);
}

static bool atomic(Warp *warp, const Step *step, uint32_t active) {
    const unsigned width = step->bytes == 8 ? 8 : 4;
    if (!address_is_defined(warp, step, active)) return false;
    for (unsigned i = 1; i <= 2; i++)
        if (!use_is_defined(warp, step, (SlotUse){step->s[i], width, step->bytes, USE_OF_OPERAND}, active)) return false;
    shadow_define(warp, step->d, width, active);
    return true;
}

/* The address, then a count, a state or a parity. */
static bool mbarrier(Warp *warp, const Step *step, uint32_t active) {
    const unsigned width = step->lane_bytes;
    if (step->insn->variant != MBARRIER_PENDING_COUNT && !address_is_defined(warp, step, active)) return false;
    if (!use_is_defined(warp, step, (SlotUse){step->s[1], width, width, USE_OF_OPERAND}, active)) return false;
    shadow_define(warp, step->d,
                  mbarrier_is_wait(step->insn)                    ? 0
                  : step->insn->variant == MBARRIER_PENDING_COUNT ? 4
                                                                  : 8,
                  active);
    return true;
}

static bool place_is_defined(Warp *warp, const Step *step, const CopyPlace *place, uint32_t active) {
    return use_is_defined(warp, step, (SlotUse){place->slot, place->slot_bytes, place->slot_bytes, USE_OF_ADDRESS}, active);
}

static bool async_copy(Warp *warp, const Step *step, uint32_t active) {
    const AsyncCopy *copy = step->copy;
    for (unsigned d = 0; d < TENSOR_DIMENSIONS; d++)
        if (!use_is_defined(warp, step, (SlotUse){copy->at[d], 4, 4, USE_OF_ADDRESS}, active)) return false;
    return place_is_defined(warp, step, &copy->from, active) && place_is_defined(warp, step, &copy->to, active) &&
           place_is_defined(warp, step, &copy->barrier, active) && place_is_defined(warp, step, &copy->map, active) &&
           use_is_defined(warp, step, (SlotUse){copy->mask, 4, 2, USE_OF_OPERAND}, active) &&
           use_is_defined(warp, step, (SlotUse){copy->size, 4, 4, USE_OF_OPERAND}, active);
}

/* A texture's or surface's object, layer and coordinates. */
static bool texel(Warp *warp, const Step *step, uint32_t active) {
    const Insn *insn = step->insn;
    const unsigned at = insn->geometry ? geometry_dimensions(insn->geometry) + geometry_layered(insn->geometry) : 0;
    if (!use_is_defined(warp, step, (SlotUse){step->s[0], 8, 8, USE_OF_ADDRESS}, active)) return false;
    for (unsigned i = 0; i < at; i++)
        if (!use_is_defined(warp, step, (SlotUse){step->data[step->vec + i], 4, 4, USE_OF_ADDRESS}, active)) return false;
    if (step->exec == EXEC_SURFACE && !insn->n_dst) stored(warp, step);
    if (step->exec == EXEC_TEXTURE_QUERY) shadow_define(warp, step->d, 4, active);
    return true;
}

/* --- lanes exchange values --- */

/* Of a slot, or of none, as whoever depends on it here tells it. */
static Origin origin_at(const Warp *warp, const Step *step, Slot slot) {
    Origin origin = shadow_origin_or_none(warp, slot);
    if (origin.kind != ORIGIN_NONE && origin.pc == NO_INSN) origin.pc = step->pc;
    return origin;
}

/* Lanes of a slot of words of which one of these bits is undefined. */
static uint32_t lanes_open(const Warp *warp, Slot slot, uint32_t bits) {
    uint32_t lanes = 0;
    if (!shadow_undefined(warp, slot)) return 0;
    const uint32_t *of = shadow_bits(warp, slot);
    for (unsigned l = 0; l < WARP_LANES; l++) lanes |= (uint32_t)((of[l] & bits) != 0) << l;
    return lanes;
}

/* The bits of a shuffle's operands that say from where a lane takes: PTX ISA, shfl. */
enum { SHUFFLE_LANE = 0x1f, SHUFFLE_SEGMENT = 0x1f1f };

static void shuffle(Warp *warp, const Step *step, uint32_t active, const uint32_t *sources, uint32_t taken,
                    Origin taken_origin) {
    const Slot from = step->s[0];
    const uint32_t by_lane = lanes_open(warp, step->s[1], SHUFFLE_LANE) & active,
                   anywhere = by_lane | (lanes_open(warp, step->s[2], SHUFFLE_SEGMENT) & active);
    const Origin place = origin_at(warp, step, by_lane ? step->s[1] : step->s[2]);
    Lanes bits, valid;
    Origin origin = origin_at(warp, step, from);
    lanes_fill_undefined(&bits, 4, taken | anywhere);
    if (origin.kind != ORIGIN_NONE) {
        const uint32_t *of = shadow_bits(warp, from);
        for (unsigned l = 0; l < WARP_LANES; l++) bits.words[l] |= of[sources[l]];
    }
    if (anywhere) origin = place;
    if (taken) origin = taken_origin;
    shadow_put(warp, step->d, 4, &bits, active, origin);
    lanes_fill_undefined(&valid, 0, anywhere);
    shadow_put(warp, step->d2, 0, &valid, active, place);
}

static uint32_t named_by(const Warp *warp, const Step *step, unsigned lane) {
    const Slot slot = collective_mask(step);
    return slot == NO_SLOT ? LANES_ALL : ((const uint32_t *)warp_at(warp, slot))[lane];
}

/* The lanes whose result depends on an undefined value: on that of any lane which their mask names, but where the others decide a vote. */
static uint32_t lanes_undecided(const Warp *warp, const Step *step, uint32_t active, uint32_t open) {
    const bool vote = step->exec == EXEC_VOTE;
    const uint8_t variant = step->insn->variant;
    const uint32_t votes = vote ? *(const uint32_t *)warp_at(warp, step->s[0]) ^ (step->negated ? LANES_ALL : 0) : 0;
    uint32_t lanes = 0;
    EACH_ACTIVE_LANE(l, active) {
        const uint32_t group = named_by(warp, step, l) & active, known = group & ~open;
        const bool some = votes & known, lacks_some = ~votes & known;
        const bool decided = vote && (variant == VOTE_ALL   ? lacks_some
                                      : variant == VOTE_ANY ? some
                                      : variant == VOTE_UNI ? some && lacks_some
                                                            : false);
        lanes |= (uint32_t)(group & open && !decided) << l;
    }
    return lanes;
}

/* Votes, matches and sums: on one undefined value the results of all lanes that name it depend, of a ballot one bit of each. */
static void combined(Warp *warp, const Step *step, uint32_t active) {
    const bool vote = step->exec == EXEC_VOTE, ballot = vote && step->insn->variant == VOTE_BALLOT;
    const unsigned from_width = vote ? 0 : lower_operand_width(step->insn, step->insn->n_dst), width = vote && !ballot ? 0 : 4;
    const uint32_t open = shadow_lanes(warp, step->s[0], from_width, from_width) & active,
                   lanes = open ? lanes_undecided(warp, step, active, open) : 0;
    const Origin origin = open ? *shadow_origin(warp, step->s[0]) : (Origin){0};
    Lanes bits, agree;
    lanes_fill_undefined(&bits, width, lanes);
    for (unsigned l = 0; ballot && l < WARP_LANES; l++) bits.words[l] &= open & named_by(warp, step, l);
    shadow_put(warp, step->d, width, &bits, active, origin);
    lanes_fill_undefined(&agree, 0, lanes);
    shadow_put(warp, step->d2, 0, &agree, active, origin);
}

void defined_collective(Warp *warp, const Step *step, uint32_t active, const uint32_t *sources, uint32_t taken, Origin origin) {
    if (!warp->watched && !taken) return;
    shadow_of(warp);
    if (step->exec == EXEC_SHFL) {
        shuffle(warp, step, active, sources, taken, origin);
    } else if (step->exec == EXEC_ELECT) {
        shadow_define(warp, step->d, 4, active);
        shadow_define(warp, step->d2, 0, active);
    } else if (step->exec != EXEC_WARP_SYNC) {
        combined(warp, step, active);
    }
}

/* --- all steps --- */

static bool reads_or_writes_undefined(const Warp *warp, const Step *step) {
    bool any = shadow_undefined(warp, step->d) || shadow_undefined(warp, step->d2);
    for (unsigned i = 0; i < SOURCES_MOST; i++) any |= shadow_undefined(warp, step->s[i]);
    return any;
}

/* A guard that is undefined: a branch on it, and what is seen outside the warp, are uses; else the result is undefined. */
static bool guard_is_defined(Warp *warp, const Step *step, uint32_t mask) {
    return use_is_defined(warp, step, (SlotUse){step->guard, 0, 0, USE_OF_CONDITION}, mask);
}

/* Through a pointer or not. A register that gets the result is written when the function returns. */
static bool call(Warp *warp, const Step *step, uint32_t active) {
    const CallSite *site = step->insn->call;
    const Code *code = warp->worker->code;
    const Function *in = &code->program->functions[code->functions[warp_frame(warp)->function].function];
    if (!use_is_defined(warp, step, (SlotUse){step->s[0], 8, 8, USE_OF_ADDRESS}, active)) return false;
    const Slot result = site->n_results ? step->data[site->n_arguments] : NO_SLOT;
    if (result != NO_SLOT) shadow_define(warp, result, lower_register_width(in, site->results[0].index), active);
    return true;
}

/* Which lanes exchange values. */
static bool mask_is_defined(Warp *warp, const Step *step, uint32_t active) {
    return use_is_defined(warp, step, (SlotUse){collective_mask(step), 4, 4, USE_OF_OPERAND}, active);
}

/* A number, a count of threads, and the predicate of bar.red, the last: the block's other threads get what comes of it. */
static bool barrier(Warp *warp, const Step *step, uint32_t active) {
    const unsigned sources = step->insn->n_src;
    const bool reduces = step->insn->n_dst > 0;
    for (unsigned i = 0; i < sources; i++) {
        const unsigned width = reduces && i + 1 == sources ? 0 : 4;
        if (!use_is_defined(warp, step, (SlotUse){step->s[i], width, width, USE_OF_OPERAND}, active)) return false;
    }
    shadow_define(warp, step->d, step->insn->variant == BAR_RED_POPC ? 4 : 0, active);
    return true;
}

/* mapa, getctarank */
static bool cluster_address(Warp *warp, const Step *step, unsigned bytes, uint32_t active) {
    const SlotUse address = {step->s[0], step->lane_bytes, step->lane_bytes, USE_OF_ADDRESS},
                  rank = {step->s[1], 4, 4, USE_OF_ADDRESS};
    if (!use_is_defined(warp, step, address, active)) return false;
    if (step->s[1] != NO_SLOT && !use_is_defined(warp, step, rank, active)) return false;
    shadow_define(warp, step->d, bytes, active);
    return true;
}

bool defined_step(Warp *warp, const Step *step, uint32_t mask, uint32_t active) {
    if (step->guard_is != GUARD_NONE && !guard_is_defined(warp, step, mask)) return false;
    switch ((Exec)step->exec) {
    case EXEC_ALU:
    case EXEC_ALU_MORE:
    case EXEC_SET:
        if (reads_or_writes_undefined(warp, step) || warp->shadow->carry) shadow_arithmetic(warp, step, active);
        return true;
    case EXEC_SETP:
        if (reads_or_writes_undefined(warp, step)) shadow_comparison(warp, step, active);
        return true;
    case EXEC_MOVE4:
    case EXEC_MOVE8:
    case EXEC_NARROW:
    case EXEC_WIDEN:
    case EXEC_WIDEN_SIGNED:
        if (reads_or_writes_undefined(warp, step)) shadow_move(warp, step, active);
        return true;
    case EXEC_PACK:
    case EXEC_UNPACK: shadow_move(warp, step, active); return true;
    case EXEC_MOVE_PREDICATE: shadow_move_predicate(warp, step, active); return true;
    case EXEC_CVTA:
    case EXEC_ISSPACEP: shadow_address(warp, step, active); return true;
    case EXEC_CLOCK:
    case EXEC_LOCAL_ADDRESS: shadow_define(warp, step->d, 8, LANES_ALL); return true;
    case EXEC_MAPA: return cluster_address(warp, step, step->lane_bytes, active);
    case EXEC_GETCTARANK: return cluster_address(warp, step, 4, active);
    case EXEC_WHOLE:
    case EXEC_ACTIVEMASK: shadow_define(warp, step->d, 4, active); return true;
    case EXEC_PARAM:
    case EXEC_FRAME_LOAD: results_are_defined(warp, step, active); return true;
    case EXEC_LOAD:
    case EXEC_MATRIX: return address_is_defined(warp, step, active);
    case EXEC_STORE: stored(warp, step); return address_is_defined(warp, step, active);
    case EXEC_ATOM: return atomic(warp, step, active);
    case EXEC_CP_ASYNC:
    case EXEC_TENSOR:
    case EXEC_BULK: return async_copy(warp, step, active);
    case EXEC_MBARRIER: return mbarrier(warp, step, active);
    case EXEC_TEXTURE:
    case EXEC_SURFACE:
    case EXEC_TEXTURE_QUERY: return texel(warp, step, active);
    case EXEC_MMA: mma_defined(warp, step); return true;
    case EXEC_BRANCH_TABLE: return use_is_defined(warp, step, (SlotUse){step->s[0], 4, 4, USE_OF_CONDITION}, active);
    case EXEC_SHFL:
    case EXEC_VOTE:
    case EXEC_MATCH:
    case EXEC_REDUX:
    case EXEC_ELECT:
    case EXEC_WARP_SYNC: return mask_is_defined(warp, step, active);
    case EXEC_BARRIER: return barrier(warp, step, active);
    case EXEC_CALL: return call(warp, step, active);
    case EXEC_ASYNC_GROUP:
    case EXEC_FRAME_STORE:
    case EXEC_BRANCH:
    case EXEC_RETURN:
    case EXEC_EXIT:
    case EXEC_TRAP:
    case EXEC_CLUSTER_ARRIVE:
    case EXEC_CLUSTER_WAIT:
    case EXEC_FENCE:
    case EXEC_TRACE:
    case EXEC_NOTHING: break;
    }
    return true;
}
