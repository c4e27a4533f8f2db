#include "machine/shadow.h"

#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "machine/lanes.h"

const Lanes lanes_defined;

static void area_fit(Shadow *shadow, uint32_t area, uint32_t bytes) {
    if (bytes <= shadow->bytes[area]) return;
    uint8_t *bits = alloc_aligned(64, bytes + SLOT_BYTES_MOST);
    memset(bits, 0, bytes + SLOT_BYTES_MOST);
    if (shadow->bytes[area]) memcpy(bits, shadow->bits[area], shadow->bytes[area]);
    free(shadow->bits[area]);
    shadow->bits[area] = bits;
    shadow->origins[area] = alloc_resize(shadow->origins[area], bytes / ORIGIN_BYTES + 1, sizeof(Origin));
    const uint32_t had = shadow->bytes[area] / ORIGIN_BYTES;
    memset(shadow->origins[area] + had, 0, (bytes / ORIGIN_BYTES + 1 - had) * sizeof(Origin));
    shadow->bytes[area] = bytes;
}

Shadow *shadow_of(Warp *warp) {
    if (!warp->shadow) warp->shadow = alloc_zeroed(1, sizeof(Shadow));
    area_fit(warp->shadow, AREA_FRAME, warp->registers_bytes);
    area_fit(warp->shadow, AREA_WARP, warp->worker->code->warp_area_bytes);
    return warp->shadow;
}

static bool has_shadow(Slot slot) { return SLOT_AREA(slot) == AREA_FRAME || SLOT_AREA(slot) == AREA_WARP; }

static uint32_t shadow_offset(const Warp *warp, Slot slot) {
    return SLOT_OFFSET(slot) + (SLOT_AREA(slot) == AREA_FRAME ? warp_frame(warp)->slots_base : 0);
}

Origin *shadow_origin(const Warp *warp, Slot slot) {
    return &warp->shadow->origins[SLOT_AREA(slot)][shadow_offset(warp, slot) / ORIGIN_BYTES];
}

void *shadow_bits(const Warp *warp, Slot slot) { return warp->shadow->bits[SLOT_AREA(slot)] + shadow_offset(warp, slot); }

bool shadow_undefined(const Warp *warp, Slot slot) {
    return has_shadow(slot) && shadow_origin(warp, slot)->kind != ORIGIN_NONE;
}

static void set_origin(Warp *warp, Slot slot, Origin origin) {
    Origin *at = shadow_origin(warp, slot);
    warp->shadow->n_origins += (uint32_t)(origin.kind != ORIGIN_NONE) - (uint32_t)(at->kind != ORIGIN_NONE);
    *at = origin;
    warp->watched = warp->shadow->n_origins;
}

/* Scratch slots have lanes of any width, and nothing to keep. */
void shadow_put(Warp *warp, Slot slot, unsigned width, const Lanes *bits, uint32_t active, Origin origin) {
    if (!has_shadow(slot)) return;
    void *to = shadow_bits(warp, slot);
    if (SLOT_AREA(slot) == AREA_WARP) memset(to, 0, SLOT_BYTES_MOST);
    bool own = false, any = false;
    if (width == 0) {
        lanes_set_predicate(to, bits->words[0], active);
        own = bits->words[0] & active;
        any = *(uint32_t *)to;
    }
    for (unsigned l = 0; width && l < WARP_LANES; l++) {
        uint8_t *lane = (uint8_t *)to + l * width;
        if (active >> l & 1) memcpy(lane, bits->bytes + l * width, width);
        bool undefined = memcmp(lane, lanes_defined.bytes, width) != 0;
        any |= undefined;
        own |= undefined && active >> l & 1;
    }
    set_origin(warp, slot, own ? origin : any ? *shadow_origin(warp, slot) : (Origin){0});
}

void shadow_put_carry(Warp *warp, uint32_t lanes, uint32_t active, Origin origin) {
    Shadow *shadow = warp->shadow;
    const uint32_t carry = (shadow->carry & ~active) | (lanes & active);
    shadow->n_origins += (uint32_t)(carry != 0) - (uint32_t)(shadow->carry != 0);
    shadow->carry = carry;
    if (lanes & active) shadow->carry_origin = origin;
    warp->watched = shadow->n_origins;
}

uint32_t shadow_lanes(const Warp *warp, Slot slot, unsigned width, unsigned bytes) {
    if (!shadow_undefined(warp, slot)) return 0;
    const uint8_t *bits = shadow_bits(warp, slot);
    uint32_t lanes = 0;
    if (width == 0) return *(const uint32_t *)(const void *)bits;
    for (unsigned l = 0; l < WARP_LANES; l++)
        lanes |= (uint32_t)(memcmp(bits + l * width, lanes_defined.bytes, bytes < width ? bytes : width) != 0) << l;
    return lanes;
}

void lanes_fill_undefined(Lanes *bits, unsigned width, uint32_t lanes) {
    *bits = lanes_defined;
    if (width == 0) bits->words[0] = lanes;
    EACH_ACTIVE_LANE(l, width ? lanes : 0) memset(bits->bytes + l * width, 0xff, width);
}

void shadow_define(Warp *warp, Slot slot, unsigned width, uint32_t active) {
    if (shadow_undefined(warp, slot)) shadow_put(warp, slot, width, &lanes_defined, active, (Origin){0});
}

uint64_t shadow_extended(uint64_t value, unsigned bytes, bool sign) {
    if (!sign || bytes == 8) return value;
    const unsigned shift = 64 - 8 * bytes;
    return (uint64_t)((int64_t)(value << shift) >> shift);
}

Origin shadow_origin_or_none(const Warp *warp, Slot slot) {
    return shadow_undefined(warp, slot) ? *shadow_origin(warp, slot) : (Origin){0};
}
