/* Lanes of a warp exchange values: shuffles, votes, matches, reductions. */
#include <stdio.h>
#include <string.h>

#include "machine/warp.h"

/* PTX ISA, shfl: c holds the clamp value in bits 0-4 and the segment mask in bits 8-12. */
static unsigned shuffle_source(uint8_t variant, unsigned lane, uint32_t b, uint32_t c, bool *valid) {
    unsigned clamp = c & 0x1f, segment = c >> 8 & 0x1f, offset = b & 0x1f;
    int least = (int)(lane & segment), most = (int)((lane & segment) | (clamp & ~segment)), source;
    switch ((Variant)variant) {
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
    default: source = least | (int)(offset & ~segment); *valid = source <= most;
    }
    return *valid ? (unsigned)source & 31 : lane;
}

bool warp_shuffle(Warp *warp, const Step *step, uint32_t active) {
    uint32_t from[WARP_LANES], bits = 0;
    memcpy(from, warp_at(warp, step->s[0]), sizeof from); /* a copy: d may be the same register */
    const uint32_t *b = warp_at(warp, step->s[1]), *c = warp_at(warp, step->s[2]);
    uint32_t result[WARP_LANES];
    for (unsigned l = 0; l < WARP_LANES; l++) {
        bool valid;
        unsigned source = shuffle_source(step->insn->variant, l, b[l], c[l], &valid);
        result[l] = from[source];
        bits |= (uint32_t)valid << l;
        if (active >> l & 1 && !(active >> source & 1) && warp->live >> source & 1) {
            fault_set(&warp->worker->fault, FAULT_sync_mask, step->pc,
                      "lane %u of warp %u takes the value of lane %u, which does not take part in this shuffle", l,
                      warp->place.warp, source);
            snprintf(warp->worker->fault.hint, sizeof warp->worker->fault.hint,
                     "every lane that is read from must execute the shuffle and be named in its mask");
            return warp_blame(warp, l);
        }
    }
    uint32_t *d = warp_at(warp, step->d);
    for (int l = 0; l < WARP_LANES; l++) d[l] = active >> l & 1 ? result[l] : d[l];
    if (step->d2 != NO_SLOT) {
        uint32_t *p = warp_at(warp, step->d2);
        *p = (*p & ~active) | (bits & active);
    }
    return true;
}

static uint32_t mask_of(const Warp *warp, Slot slot, unsigned lane, uint32_t active) {
    return slot == NO_SLOT ? active : ((const uint32_t *)warp_at(warp, slot))[lane];
}

bool warp_vote(Warp *warp, const Step *step, uint32_t active) {
    uint32_t votes = *(const uint32_t *)warp_at(warp, step->s[0]);
    if (step->negated) votes = ~votes;
    uint32_t bits = 0, ballot[WARP_LANES] = {0};
    for (unsigned l = 0; l < WARP_LANES; l++) {
        if (!(active >> l & 1)) continue;
        uint32_t group = mask_of(warp, step->s[1], l, active) & active, yes = votes & group;
        ballot[l] = yes;
        bool result = step->insn->variant == VOTE_ALL   ? yes == group
                      : step->insn->variant == VOTE_ANY ? yes != 0
                                                        : yes == group || !yes;
        bits |= (uint32_t)result << l;
    }
    uint32_t *d = warp_at(warp, step->d);
    if (step->insn->variant == VOTE_BALLOT) {
        for (int l = 0; l < WARP_LANES; l++) d[l] = active >> l & 1 ? ballot[l] : d[l];
    } else {
        *d = (*d & ~active) | (bits & active);
    }
    return true;
}

bool warp_match(Warp *warp, const Step *step, uint32_t active) {
    uint64_t value[WARP_LANES];
    bool wide = type_bytes[step->insn->type] == 8;
    const void *a = warp_at(warp, step->s[0]);
    for (int l = 0; l < WARP_LANES; l++) value[l] = wide ? ((const uint64_t *)a)[l] : ((const uint32_t *)a)[l];
    uint32_t result[WARP_LANES] = {0}, bits = 0;
    for (unsigned l = 0; l < WARP_LANES; l++) {
        if (!(active >> l & 1)) continue;
        uint32_t group = mask_of(warp, step->s[1], l, active) & active, same = 0;
        for (unsigned k = 0; k < WARP_LANES; k++)
            if (group >> k & 1 && value[k] == value[l]) same |= 1u << k;
        bool all = same == group;
        result[l] = step->insn->variant == MATCH_ANY ? same : all ? group : 0;
        bits |= (uint32_t)all << l;
    }
    uint32_t *d = warp_at(warp, step->d);
    for (int l = 0; l < WARP_LANES; l++) d[l] = active >> l & 1 ? result[l] : d[l];
    if (step->d2 != NO_SLOT) {
        uint32_t *p = warp_at(warp, step->d2);
        *p = (*p & ~active) | (bits & active);
    }
    return true;
}

static uint32_t reduce(uint8_t variant, bool is_signed, uint32_t x, uint32_t y) {
    switch ((Variant)variant) {
    case ATOM_ADD: return x + y;
    case ATOM_MIN: return (is_signed ? (int32_t)y < (int32_t)x : y < x) ? y : x;
    case ATOM_MAX: return (is_signed ? (int32_t)y > (int32_t)x : y > x) ? y : x;
    case ATOM_AND: return x & y;
    case ATOM_OR: return x | y;
    default: return x ^ y;
    }
}

bool warp_reduce(Warp *warp, const Step *step, uint32_t active) {
    uint32_t from[WARP_LANES], *d = warp_at(warp, step->d);
    memcpy(from, warp_at(warp, step->s[0]), sizeof from);
    bool is_signed = type_kinds[step->insn->type] == KIND_SIGNED;
    for (unsigned l = 0; l < WARP_LANES; l++) {
        if (!(active >> l & 1)) continue;
        uint32_t group = mask_of(warp, step->s[1], l, active) & active;
        unsigned first = (unsigned)__builtin_ctz(group);
        uint32_t result = from[first];
        for (unsigned k = first + 1; k < WARP_LANES; k++)
            if (group >> k & 1) result = reduce(step->insn->variant, is_signed, result, from[k]);
        d[l] = result;
    }
    return true;
}

/* PTX ISA, elect.sync: the same lane for the same mask every time. Which one is the device's choice; here it is the lowest. */
bool warp_elect(Warp *warp, const Step *step, uint32_t active) {
    uint32_t *d = warp_at(warp, step->d), elected = 0;
    for (unsigned l = 0; l < WARP_LANES; l++) {
        if (!(active >> l & 1)) continue;
        uint32_t group = mask_of(warp, step->s[0], l, active) & active, leader = (uint32_t)__builtin_ctz(group);
        d[l] = leader;
        elected |= (uint32_t)(leader == l) << l;
    }
    if (step->d2 == NO_SLOT) return true;
    uint32_t *p = warp_at(warp, step->d2);
    *p = (*p & ~active) | elected;
    return true;
}
