#include "observe/touch.h"

Strength strength_of(const Access *access) {
    if (access->kind == ACCESS_ATOMIC || access->kind == ACCESS_REDUCTION) return STRENGTH_ATOMIC;
    switch ((Order)access->order) {
    case ORDER_WEAK: return STRENGTH_PLAIN;
    case ORDER_VOLATILE: return STRENGTH_VOLATILE;
    case ORDER_RELAXED:
    case ORDER_ACQUIRE:
    case ORDER_RELEASE:
    case ORDER_ACQ_REL:
    case ORDER_SC: break;
    }
    return STRENGTH_ATOMIC;
}

void touch_fill(Touch *touch, const uint64_t *addr, uint32_t active, uint64_t base, uint32_t bytes) {
    uint32_t first = (uint32_t)__builtin_ctz(active);
    uint64_t start = addr[first] - base;
    if (active == LANES_ALL) {
        for (uint32_t l = 0; l < WARP_LANES; l++) touch->lane[l] = l;
        for (uint32_t l = 0; l < WARP_LANES; l++) touch->offset[l] = addr[l] - base;
    } else {
        for (uint32_t l = 0; l < WARP_LANES; l++) touch->lane[l] = active >> l & 1 ? l : first;
        for (uint32_t l = 0; l < WARP_LANES; l++) touch->offset[l] = active >> l & 1 ? addr[l] - base : start;
    }
    uint64_t gap = 0, upper_gap = 0;
    uint32_t runs = 1;
    for (uint32_t l = 0; l < WARP_LANES / 2; l++) gap |= touch->offset[l] - start - (uint64_t)l * bytes;
    for (uint32_t l = 0; l < WARP_LANES / 2; l++)
        upper_gap |= touch->offset[l + WARP_LANES / 2] - touch->offset[WARP_LANES / 2] - (uint64_t)l * bytes;
    touch->halves = active == LANES_ALL && !gap && !upper_gap;
    touch->contiguous = touch->rising = touch->halves && touch->offset[WARP_LANES / 2] - start == WARP_LANES / 2 * bytes;
    touch->lowest = start;
    touch->highest = start + (uint64_t)(WARP_LANES - 1) * bytes;
    touch->runs = LANES_ALL;
    if (touch->contiguous) return;
    uint64_t low = start, high = start, falls = 0;
    for (uint32_t l = 0; l < WARP_LANES; l++) low = touch->offset[l] < low ? touch->offset[l] : low;
    for (uint32_t l = 0; l < WARP_LANES; l++) high = touch->offset[l] > high ? touch->offset[l] : high;
    for (uint32_t l = 1; l < WARP_LANES; l++) falls |= touch->offset[l] <= touch->offset[l - 1];
    for (uint32_t l = 1; l < WARP_LANES; l++) runs |= (uint32_t)(touch->offset[l] != touch->offset[l - 1]) << l;
    touch->rising = !falls;
    touch->runs = runs;
    touch->lowest = low;
    touch->highest = high;
}

/* What it says of all 32 lanes, by eights: within each they have one stride, which is not negative. */
static void touch_fill_eights(Touch *touch, const Access *access, uint64_t base) {
    const int64_t stride = access->stride;
    const uint64_t *offset = touch->offset, last = 7 * (uint64_t)stride;
    for (uint32_t l = 0; l < WARP_LANES; l++) touch->lane[l] = l;
    for (uint32_t l = 0; l < WARP_LANES; l++) touch->offset[l] = access->addr[l] - base;
    const bool follows = stride == access->bytes;
    bool rising = stride > 0, next[3];
    uint64_t low = offset[0], high = offset[0];
    touch->runs = stride ? LANES_ALL : 1;
    for (uint32_t e = 1; e < WARP_LANES / EIGHT; e++) {
        const uint64_t first = offset[e * EIGHT], before = offset[e * EIGHT - 1];
        next[e - 1] = first - before == access->bytes;
        rising &= first > before;
        if (first < low) low = first;
        if (first > high) high = first;
        if (first == before)
            touch->runs &= ~(1u << (e * EIGHT));
        else
            touch->runs |= 1u << (e * EIGHT);
    }
    touch->halves = follows && next[0] && next[2];
    touch->contiguous = touch->halves && next[1];
    touch->rising = rising;
    touch->lowest = low;
    touch->highest = high + last;
}

void touch_access(Touch *touch, const Access *access, uint32_t lanes, uint64_t base) {
    if (lanes == LANES_ALL && (access->strided || access->eights) && access->stride >= 0)
        touch_fill_eights(touch, access, base);
    else
        touch_fill(touch, access->addr, lanes, base, access->bytes);
}

bool touch_rises(const Touch *touch, uint32_t lanes) {
    uint64_t least = 0;
    for (; lanes && !touch->rising; lanes &= lanes - 1) {
        const uint64_t offset = touch->offset[__builtin_ctz(lanes)];
        if (offset < least) return false;
        least = offset + 1;
    }
    return true;
}

static Allocation *find(const Memory *memory, Allocation **recent, uint64_t address) {
    if (*recent && address - (*recent)->address < (*recent)->bytes) return *recent;
    Allocation *found = memory_find(memory, address);
    if (!found || found->constant) return NULL;
    return *recent = found;
}

bool touch_next(GlobalTouch *touched, const Memory *memory, Allocation **recent, const Access *access, uint32_t *left) {
    Allocation *in = NULL;
    while (*left && !(in = find(memory, recent, access->addr[__builtin_ctz(*left)]))) *left &= *left - 1;
    if (!in) return false;
    uint32_t lanes = *left;
    touch_access(&touched->touch, access, lanes, in->address);
    if (touched->touch.lowest >= in->bytes || touched->touch.highest >= in->bytes) {
        for (uint32_t l = 0; l < WARP_LANES; l++)
            if (access->addr[l] - in->address >= in->bytes) lanes &= ~(1u << l);
        touch_access(&touched->touch, access, lanes, in->address);
    }
    touched->in = in;
    touched->lanes = lanes;
    *left &= ~lanes;
    return true;
}
