#include "machine/atomics.h"

#include <assert.h>

#include "machine/alu_lanes.h"
#include "machine/lanes.h"
#include "machine/loadstore.h"

/* PTX ISA, atom: f32 additions in global memory flush subnormal inputs and results to zero, in shared memory they do not; nor, on an H100, in local memory. */
static float flush(float value, bool global) { return global ? f32_flush(value) : value; }

/* .noftz is their only form. */
static uint32_t add_halves(uint32_t x, uint32_t y) { return f16_round(f16_to_f32(x & 0xffff) + f16_to_f32(y & 0xffff)); }
static uint32_t add_bfloats(uint32_t x, uint32_t y) { return bf16_round(bf16_to_f32(x & 0xffff) + bf16_to_f32(y & 0xffff)); }

static uint64_t float_sum(uint8_t type, bool global, uint64_t old, uint64_t b) {
    const uint32_t x = (uint32_t)old, y = (uint32_t)b;
    if (type == TYPE_f64) return f64_bits(f64_from_bits(old) + f64_from_bits(b));
    if (type == TYPE_f16) return add_halves(x, y);
    if (type == TYPE_bf16) return add_bfloats(x, y);
    if (type == TYPE_f16x2) return add_halves(x, y) | add_halves(x >> 16, y >> 16) << 16;
    if (type == TYPE_bf16x2) return add_bfloats(x, y) | add_bfloats(x >> 16, y >> 16) << 16;
    assert(type == TYPE_f32);
    return f32_bits(f32_canonical(flush(flush(f32_from_bits(x), global) + flush(f32_from_bits(y), global), global)));
}

/* Of a bulk reduction: as min and max of halves, where a number comes before NaN and -0 before 0. */
static uint32_t half_choice(uint8_t type, bool larger, uint32_t x, uint32_t y) {
    const float a = type == TYPE_f16 ? f16_to_f32(x) : bf16_to_f32(x), b = type == TYPE_f16 ? f16_to_f32(y) : bf16_to_f32(y);
    if (a != a || b != b) return a != a && b != b ? 0x7fff : a != a ? y : x;
    if (a == b) return larger ? x & y : x | y;
    return (a < b) != larger ? x : y;
}

static int64_t as_signed(uint64_t value, uint8_t type) { return type == TYPE_s32 ? (int32_t)value : (int64_t)value; }

static uint64_t update(uint8_t variant, uint8_t type, bool global, uint64_t old, uint64_t b, uint64_t c) {
    if (type_kinds[type] == KIND_FLOAT && variant == ATOM_ADD) return float_sum(type, global, old, b);
    if (type_kinds[type] == KIND_FLOAT) return half_choice(type, variant == ATOM_MAX, (uint32_t)old, (uint32_t)b);
    bool is_signed = type_kinds[type] == KIND_SIGNED;
    switch ((AtomOp)variant) {
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
    }
    return old;
}

uint64_t atomics_result(uint8_t variant, uint8_t type, uint64_t old, uint64_t with) {
    return update(variant, type, false, old, with, 0);
}

/* Its block's thread alone accesses shared memory. */
#define EXCHANGE(name, word)                                                                                 \
    static uint64_t name(Warp *warp, const Step *step, uint8_t space, uint8_t *at, uint64_t b, uint64_t c) { \
        word *const whole = (word *)(void *)at;                                                              \
        word old = __atomic_load_n(whole, __ATOMIC_RELAXED), new;                                            \
        do {                                                                                                 \
            new = (word)update(step->insn->variant, step->insn->type, space == SPACE_GLOBAL, old, b, c);     \
            if (space == SPACE_SHARED) __atomic_store_n(whole, new, __ATOMIC_RELAXED);                       \
        } while (space != SPACE_SHARED &&                                                                    \
                 !__atomic_compare_exchange_n(whole, &old, new, true, __ATOMIC_RELAXED, __ATOMIC_RELAXED));  \
        warp->changed |= new != old;                                                                         \
        return old;                                                                                          \
    }
EXCHANGE(exchange2, uint16_t)
EXCHANGE(exchange4, uint32_t)
EXCHANGE(exchange8, uint64_t)

static uint64_t operand(const Warp *warp, const Step *step, Slot slot, unsigned lane) {
    if (slot == NO_SLOT) return 0;
    if (step->bytes == 8) return ((const uint64_t *)warp_at(warp, slot))[lane];
    const uint32_t word = ((const uint32_t *)warp_at(warp, slot))[lane];
    return step->bytes == 2 ? (uint16_t)word : word;
}

/* No other thread can see it. */
static uint64_t exchange_local(const Step *step, const Resolved *at, unsigned lane, uint64_t b, uint64_t c) {
    uint8_t *local = (uint8_t *)at->host;
    const uint64_t old = local_get(local, lane, at->addr[lane], step->bytes);
    local_put(local, lane, at->addr[lane], step->bytes, update(step->insn->variant, step->insn->type, false, old, b, c));
    return old;
}

void atomics_update(Warp *warp, const Step *step, bool global, uint8_t *at, uint64_t value) {
    if (step->bytes == 8)
        exchange8(warp, step, global, at, value, 0);
    else if (step->bytes == 4)
        exchange4(warp, step, global, at, value, 0);
    else
        exchange2(warp, step, global, at, value, 0);
}

static void update_lanes(Warp *warp, const Step *step, const Resolved *at) {
    EACH_ACTIVE_LANE(l, at->lanes) {
        uint64_t b = operand(warp, step, step->s[1], l), c = operand(warp, step, step->s[2], l), old;
        uint8_t *host = resolved_at(at, l);
        if (at->space == SPACE_LOCAL)
            old = exchange_local(step, at, l, b, c);
        else if (step->bytes == 8)
            old = exchange8(warp, step, at->space, host, b, c);
        else
            old =
                step->bytes == 4 ? exchange4(warp, step, at->space, host, b, c) : exchange2(warp, step, at->space, host, b, c);
        if (step->d == NO_SLOT) continue;
        if (step->bytes == 8)
            ((uint64_t *)warp_at(warp, step->d))[l] = old;
        else
            ((uint32_t *)warp_at(warp, step->d))[l] = (uint32_t)old;
    }
}

static void find_updates(const Warp *warp, const Step *step, uint32_t active, Updates *updates) {
    updates->words = warp->block->shared;
    updates->variant = step->insn->variant;
    updates->type = step->insn->type;
    EACH_ACTIVE_LANE(l, active) updates->with[l] = operand(warp, step, step->s[1], l);
}

bool warp_atomic(Warp *warp, const Step *step, uint32_t active) {
    Updates updates;
    warp_step_addresses(warp, step, active);
    warp->worker->undefined.any = false;
    warp->worker->access.updates = &updates;
    if (step->bytes == 8) find_updates(warp, step, active, &updates);
    uint8_t kind = step->d == NO_SLOT ? ACCESS_REDUCTION : ACCESS_ATOMIC;
    return warp_access(warp, step, (Transfer){step->space, kind, step->bytes, active, NULL, update_lanes});
}
