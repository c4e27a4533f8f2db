#include "machine/atomics.h"

#include <math.h>
#include <string.h>

#include "machine/lanes.h"
#include "machine/loadstore.h"

static float f32_of(uint64_t bits) {
    uint32_t word = (uint32_t)bits;
    float value;
    memcpy(&value, &word, sizeof value);
    return value;
}

static uint64_t bits_of_f32(float value) {
    uint32_t word;
    memcpy(&word, &value, sizeof word);
    return word;
}

static double f64_of(uint64_t bits) {
    double value;
    memcpy(&value, &bits, sizeof value);
    return value;
}

static uint64_t bits_of_f64(double value) {
    uint64_t bits;
    memcpy(&bits, &value, sizeof bits);
    return bits;
}

/* PTX ISA, atom: f32 additions in global memory flush subnormal inputs and results to zero, in shared memory they do not. */
static float flush(float value, bool global) {
    return global && fpclassify(value) == FP_SUBNORMAL ? copysignf(0, value) : value;
}

static uint64_t float_update(uint8_t variant, uint8_t type, bool global, uint64_t old, uint64_t b) {
    if (type == TYPE_f64) {
        double x = f64_of(old), y = f64_of(b);
        return bits_of_f64(variant == ATOM_ADD ? x + y : variant == ATOM_MIN ? fmin(x, y) : fmax(x, y));
    }
    float x = f32_of(old), y = f32_of(b);
    if (variant == ATOM_ADD) {
        float sum = flush(flush(x, global) + flush(y, global), global);
        return sum != sum ? 0x7fffffff : bits_of_f32(sum);
    }
    return bits_of_f32(variant == ATOM_MIN ? fminf(x, y) : fmaxf(x, y));
}

static int64_t as_signed(uint64_t value, uint8_t type) { return type == TYPE_s32 ? (int32_t)value : (int64_t)value; }

static uint64_t update(uint8_t variant, uint8_t type, bool global, uint64_t old, uint64_t b, uint64_t c) {
    if (type_kinds[type] == KIND_FLOAT && (variant == ATOM_ADD || variant == ATOM_MIN || variant == ATOM_MAX))
        return float_update(variant, type, global, old, b);
    bool is_signed = type_kinds[type] == KIND_SIGNED;
    switch ((Variant)variant) {
    case ATOM_ADD: return old + b;
    case ATOM_MIN: return (is_signed ? as_signed(b, type) < as_signed(old, type) : b < old) ? b : old;
    case ATOM_MAX: return (is_signed ? as_signed(b, type) > as_signed(old, type) : b > old) ? b : old;
    case ATOM_AND: return old & b;
    case ATOM_OR: return old | b;
    case ATOM_XOR: return old ^ b;
    case ATOM_EXCH: return b;
    case ATOM_CAS: return old == b ? c : old;
    case ATOM_INC: return old >= b ? 0 : old + 1;
    case ATOM_DEC: return old == 0 || old > b ? b : old - 1;
    default: return old;
    }
}

static uint64_t exchange4(Warp *warp, const Step *step, bool global, uint8_t *at, uint64_t b, uint64_t c) {
    uint32_t old = __atomic_load_n((uint32_t *)(void *)at, __ATOMIC_RELAXED), new;
    do new = (uint32_t)update(step->insn->variant, step->insn->type, global, old, (uint32_t)b, (uint32_t)c);
    while (!__atomic_compare_exchange_n((uint32_t *)(void *)at, &old, new, true, __ATOMIC_RELAXED, __ATOMIC_RELAXED));
    warp->changed |= new != old;
    return old;
}

static uint64_t exchange8(Warp *warp, const Step *step, bool global, uint8_t *at, uint64_t b, uint64_t c) {
    uint64_t old = __atomic_load_n((uint64_t *)(void *)at, __ATOMIC_RELAXED), new;
    do new = update(step->insn->variant, step->insn->type, global, old, b, c);
    while (!__atomic_compare_exchange_n((uint64_t *)(void *)at, &old, new, true, __ATOMIC_RELAXED, __ATOMIC_RELAXED));
    warp->changed |= new != old;
    return old;
}

static uint64_t operand(const Warp *warp, const Step *step, Slot slot, unsigned lane) {
    if (slot == NO_SLOT) return 0;
    return step->bytes == 8 ? ((const uint64_t *)warp_at(warp, slot))[lane] : ((const uint32_t *)warp_at(warp, slot))[lane];
}

/* Local memory is interleaved by words, so an 8-byte value is in two places; no other thread can see it. */
static uint64_t exchange_local(const Step *step, const Resolved *at, unsigned lane, uint64_t b, uint64_t c) {
    uint8_t *low = (uint8_t *)at->host + (at->addr[lane] / 4 * WARP_LANES + lane) * 4, *high = low + 4 * WARP_LANES;
    uint64_t old = 0;
    memcpy(&old, low, 4);
    if (step->bytes == 8) memcpy((uint8_t *)&old + 4, high, 4);
    uint64_t new = update(step->insn->variant, step->insn->type, false, old, b, c);
    memcpy(low, &new, 4);
    if (step->bytes == 8) memcpy(high, (uint8_t *)&new + 4, 4);
    return old;
}

static void update_lanes(Warp *warp, const Step *step, const Resolved *at) {
    bool global = at->space == SPACE_GLOBAL;
    EACH_ACTIVE_LANE(l, at->lanes) {
        uint64_t b = operand(warp, step, step->s[1], l), c = operand(warp, step, step->s[2], l), old;
        uint8_t *host = resolved_at(at, l);
        if (at->space == SPACE_LOCAL)
            old = exchange_local(step, at, l, b, c);
        else
            old = step->bytes == 8 ? exchange8(warp, step, global, host, b, c) : exchange4(warp, step, global, host, b, c);
        if (step->d == NO_SLOT) continue;
        if (step->bytes == 8)
            ((uint64_t *)warp_at(warp, step->d))[l] = old;
        else
            ((uint32_t *)warp_at(warp, step->d))[l] = (uint32_t)old;
    }
}

bool warp_atomic(Warp *warp, const Step *step, uint32_t active) {
    warp_step_addresses(warp, step, active);
    warp->wrote = true;
    uint8_t kind = step->d == NO_SLOT ? ACCESS_REDUCTION : ACCESS_ATOMIC;
    return warp_access(warp, step, step->space, kind, active, step->bytes, NULL, update_lanes);
}
