/* touch.h: an access as the checks look at it: how strongly it is ordered, and lane by lane. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "machine/access.h"
#include "machine/memory.h"

/* How strongly an access is ordered with others to the same place. */
typedef enum Strength { STRENGTH_PLAIN, STRENGTH_VOLATILE, STRENGTH_ATOMIC } Strength;

Strength strength_of(const Access *access);

/* An access without a mask, for loops over 32 lanes: an inactive lane repeats the first active one. */
typedef struct Touch {
    uint32_t lane[WARP_LANES];
    uint64_t offset[WARP_LANES]; /* bytes from some base */
    uint64_t lowest, highest;    /* of the offsets */
    uint32_t runs;               /* bit i: lane i's place is not its predecessor's; 1 when all are at the same place */
    bool contiguous;             /* all lanes active, each bytes after its predecessor */
    bool halves;                 /* likewise, but for a jump from lane 15 to lane 16 */
    bool rising; /* each lane above its predecessor, so that no two are at the same place; all are active then */
} Touch;

void touch_fill(Touch *touch, const uint64_t *addr, uint32_t active, uint64_t base, uint32_t bytes);

/* The same of these lanes of an access, by what it claims of its addresses where it does. */
void touch_access(Touch *touch, const Access *access, uint32_t lanes, uint64_t base);

/* Each of these lanes is above its predecessor among them, so that no two are at the same place. */
bool touch_rises(const Touch *touch, uint32_t lanes);

/* The lanes of an access to global memory that are in one allocation, with offsets from its first byte. */
typedef struct GlobalTouch {
    Allocation *in;
    uint32_t lanes;
    Touch touch;
} GlobalTouch;

/* Takes those out of *left, lanes of the access that were not looked at, beginning with the lowest; lanes in constant memory, and in none, are left out.
 * False: no others are left. recent: kept for each instruction, the allocation that it touched last. */
bool touch_next(GlobalTouch *touched, const Memory *memory, Allocation **recent, const Access *access, uint32_t *left);
