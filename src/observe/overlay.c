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

static void take(const uint8_t *bits, const Origin *from, Origins *origins, const Place *place, const Access *access,
                 const Allocation *in, unsigned lane, uint64_t offset) {
    for (unsigned b = 0; b < access->bytes; b++) {
        if (!bits[b]) continue;
        bool stored = from && from[(offset + b) / WORD].kind != ORIGIN_NONE;
        if (access->kind == ACCESS_LOAD && access->undefined)
            origins_add(origins, place, access, in, (Gap){lane, b, 1, bits[b], follows_defined(bits + b, offset + b)});
        if (stored && access->undefined) access->undefined->origin = from[(offset + b) / WORD];
    }
}

static void leave(uint8_t *bits, Origin *from, const Access *access, unsigned lane, uint64_t offset) {
    bool undefined = stores_undefined(access);
    const uint8_t *own = undefined ? access->undefined->bits + lane * access->bytes : NULL;
    for (unsigned b = 0; b < access->bytes; b++) {
        bits[b] = own ? own[b] : 0;
        if (from && bits[b]) from[(offset + b) / WORD] = access->undefined->origin;
    }
}

void overlay_access(uint8_t *overlay, Origin *from, uint64_t address, Origins *origins, const Place *place,
                    const Access *access, const Allocation *in, uint32_t lanes) {
    EACH_ACTIVE_LANE(l, lanes) {
        const uint64_t offset = access->addr[l] - address;
        if (access->kind != ACCESS_STORE) take(overlay + offset, from, origins, place, access, in, l, offset);
        if (access->kind != ACCESS_LOAD) leave(overlay + offset, from, access, l, offset);
    }
}

void overlay_global(const Memory *memory, Origins *origins, const Place *place, const Access *access) {
    for (uint32_t left = access->active; left;) {
        Allocation *in = memory_find(memory, access->addr[lanes_first(left)]);
        uint32_t lanes = left & -left;
        EACH_ACTIVE_LANE(l, left) lanes |= in && access->addr[l] - in->address < in->bytes ? 1u << l : 0;
        left &= ~lanes;
        if (!in || (!in->undefined && !stores_undefined(access))) continue;
        overlay_access(memory_undefined(in), NULL, in->address, origins, place, access, in, lanes);
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
    overlay_access(overlay->bits, overlay->from, 0, origins, place, access, NULL, access->active);
}

void shared_overlay_free(SharedOverlay *overlay) {
    free(overlay->bits);
    free(overlay->from);
    *overlay = (SharedOverlay){0};
}
