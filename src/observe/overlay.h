/* overlay.h: bytes of memory that have been written with undefined bits, or with others of their granule unwritten: the exceptions to what the
 * checks of global and shared memory know by granules. An overlay has one byte for each, whose bits are those that are undefined. */
#pragma once

#include "observe/origins.h"

/* An access to global memory: a load takes its undefined bits, anything else leaves what it writes. Allocations get an overlay when they need one. */
void overlay_global(const Memory *memory, Origins *origins, const Place *place, const Access *access);

/* That of a block's shared memory. */
typedef struct SharedOverlay {
    uint8_t *bits; /* NULL: none is needed */
    Origin *from;
    uint32_t bytes; /* that there is room for */
    bool any;       /* it is not all 0 */
} SharedOverlay;

void shared_overlay_block(SharedOverlay *overlay, uint32_t shared_bytes);
/* The same of shared memory. */
void shared_overlay_access(SharedOverlay *overlay, Origins *origins, const Place *place, const Access *access);
void shared_overlay_free(SharedOverlay *overlay);

static inline bool stores_undefined(const Access *access) {
    return access->kind == ACCESS_STORE && access->undefined && access->undefined->any;
}
