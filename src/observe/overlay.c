#include "observe/overlay.h"

#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "machine/lanes.h"

enum { WORD = 4 };

static bool follows_defined(const uint8_t *bits, uint64_t byte) {
    for (; byte % PADDING_UNIT; byte--)
        if (*--bits != 0xff) return true;
    return false;
}

/* Memory that has an overlay, and the lanes of an access that are in it. */
typedef struct OverlaidMemory {
    uint64_t address; /* its first byte's */
    uint8_t *bits;
    Origin *from; /* NULL, or by 4 bytes where stored bits come from */
    const Allocation *in;
    uint32_t lanes;
} OverlaidMemory;

static void take(const OverlaidMemory *memory, Origins *origins, const Place *place, const Access *access, unsigned lane) {
    const uint64_t offset = access->addr[lane] - memory->address;
    const uint8_t *bits = memory->bits + offset;
    const Origin *from = memory->from;
    for (unsigned b = 0; b < access->bytes; b++) {
        if (!bits[b]) continue;
        bool stored = from && from[(offset + b) / WORD].kind != ORIGIN_NONE;
        if (access->kind == ACCESS_LOAD && access->undefined)
            origins_add(origins, place, access, memory->in,
                        (Gap){lane, b, 1, bits[b], follows_defined(bits + b, offset + b), WRITER_UNKNOWN});
        if (stored && access->undefined) access->undefined->origin = from[(offset + b) / WORD];
    }
}

static void leave(const OverlaidMemory *memory, const Access *access, unsigned lane) {
    const uint64_t offset = access->addr[lane] - memory->address;
    uint8_t *bits = memory->bits + offset;
    bool undefined = stores_undefined(access);
    const uint8_t *own = undefined ? access->undefined->bits + lane * access->bytes : NULL;
    for (unsigned b = 0; b < access->bytes; b++) {
        bits[b] = own ? own[b] : 0;
        if (memory->from && bits[b]) memory->from[(offset + b) / WORD] = access->undefined->origin;
    }
}

/* A load takes its undefined bits, anything else leaves what it writes. */
static void access_overlay(const OverlaidMemory *memory, Origins *origins, const Place *place, const Access *access) {
    EACH_ACTIVE_LANE(l, memory->lanes) {
        if (access->kind != ACCESS_STORE) take(memory, origins, place, access, l);
        if (access->kind != ACCESS_LOAD) leave(memory, access, l);
    }
}

void overlay_global(const Memory *memory, Origins *origins, const Place *place, const Access *access) {
    for (uint32_t left = access->active; left;) {
        Allocation *in = memory_find(memory, access->addr[lanes_first(left)]);
        uint32_t lanes = left & -left;
        EACH_ACTIVE_LANE(l, left) lanes |= in && access->addr[l] - in->address < in->bytes ? 1u << l : 0;
        left &= ~lanes;
        if (!in || (!in->undefined && !stores_undefined(access))) continue;
        access_overlay(&(OverlaidMemory){in->address, memory_undefined(in), NULL, in, lanes}, origins, place, access);
    }
}

void shared_overlay_block(SharedOverlay *overlay, uint32_t shared_bytes) {
    if (overlay->any) {
        memset(overlay->bits, 0, overlay->bytes);
        memset(overlay->from, 0, (overlay->bytes / WORD + 1) * sizeof *overlay->from);
    }
    overlay->any = false;
    if (overlay->bits && shared_bytes > overlay->bytes) shared_overlay_free(overlay);
    if (!overlay->bits) overlay->bytes = shared_bytes;
}

void shared_overlay_access(SharedOverlay *overlay, Origins *origins, const Place *place, const Access *access) {
    if (!overlay->any && !stores_undefined(access)) return;
    if (!overlay->bits) {
        overlay->bits = alloc_zeroed(overlay->bytes + 1, 1);
        overlay->from = alloc_zeroed(overlay->bytes / WORD + 1, sizeof *overlay->from);
    }
    overlay->any = true;
    access_overlay(&(OverlaidMemory){0, overlay->bits, overlay->from, NULL, access->active}, origins, place, access);
}

void shared_overlay_free(SharedOverlay *overlay) {
    free(overlay->bits);
    free(overlay->from);
    *overlay = (SharedOverlay){0};
}
