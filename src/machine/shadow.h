/* shadow.h: the undefined bits of a warp's registers, for the files behind defined.h: where they are kept, and how steps pass them on. */
#pragma once

#include "machine/warp.h"

enum {
    SLOT_BYTES_MOST = 8 * WARP_LANES,
    SOURCES_MOST = 4,
    ORIGIN_BYTES = 4 /* of an area, that have an Origin of their own */
};

/* Of the registers and of AREA_WARP. An area's bits are laid out as its slots are, and 0 where the slot's origin is none. */
typedef struct Shadow {
    uint8_t *bits[AREAS];
    Origin *origins[AREAS];
    uint32_t bytes[AREAS];
    uint32_t n_origins;  /* slots that have an origin, and one more for carries */
    uint32_t carry;      /* lanes whose carry is undefined */
    Origin carry_origin; /* of those */
} Shadow;

/* A slot's lanes, aligned as arithmetic wants them. */
typedef union Lanes {
    _Alignas(64) uint8_t bytes[SLOT_BYTES_MOST];
    uint32_t words[2 * WARP_LANES];
    uint64_t longs[WARP_LANES];
} Lanes;

extern const Lanes lanes_defined; /* all 0 */

/* The warp's shadow, made or made larger where it must be. */
Shadow *shadow_of(Warp *warp);

/* Of a slot of a warp that has a shadow. */
Origin *shadow_origin(const Warp *warp, Slot slot);
void *shadow_bits(const Warp *warp, Slot slot);
bool shadow_undefined(const Warp *warp, Slot slot); /* any bit */
Origin shadow_origin_or_none(const Warp *warp, Slot slot);

/* The slot's lanes in `active` get these bits, the others keep theirs. width: of a lane in bytes, 0: a predicate. */
void shadow_put(Warp *warp, Slot slot, unsigned width, const Lanes *bits, uint32_t active, Origin origin);
void shadow_define(Warp *warp, Slot slot, unsigned width, uint32_t active);

void shadow_put_carry(Warp *warp, uint32_t lanes, uint32_t active, Origin origin);

/* The slot's lanes that have an undefined bit among the lowest of so many bytes. */
uint32_t shadow_lanes(const Warp *warp, Slot slot, unsigned width, unsigned bytes);

/* All bits of these lanes. */
void lanes_fill_undefined(Lanes *bits, unsigned width, uint32_t lanes);

/* A narrower value made as wide as a register. */
uint64_t shadow_extended(uint64_t value, unsigned bytes, bool sign);

static inline uint32_t shadow_slot_bytes(unsigned width) { return width ? width * WARP_LANES : sizeof(uint32_t); }

/* Before a step of arithmetic, or one that moves values from register to register: what its result then depends on. */
void shadow_arithmetic(Warp *warp, const Step *step, uint32_t active);
void shadow_comparison(Warp *warp, const Step *step, uint32_t active);
void shadow_move(Warp *warp, const Step *step, uint32_t active);
void shadow_move_predicate(Warp *warp, const Step *step, uint32_t active);
void shadow_address(Warp *warp, const Step *step, uint32_t active);
uint64_t shadow_lane(const Warp *warp, Slot slot, unsigned width, unsigned lane);
