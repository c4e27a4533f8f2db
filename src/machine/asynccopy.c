/* cp.async: global to shared memory without registers. The copy is made at once, as a load and a store, and counted so; a kernel that
 * reads too early, before cp.async.wait, is not found out. */
#include <string.h>

#include "machine/warp.h"

static bool take_piece(Warp *warp, const Step *step, const Piece *piece) {
    const uint32_t *size = step->copy->size == NO_SLOT ? NULL : warp_at(warp, step->copy->size);
    for (unsigned l = 0; l < WARP_LANES; l++) {
        if (!(piece->lanes >> l & 1)) continue;
        uint32_t bytes = size && size[l] < step->copy->bytes ? size[l] : step->copy->bytes;
        memset(warp->worker->copied[l], 0, COPY_BYTES);
        memcpy(warp->worker->copied[l], piece_at(piece, l), bytes);
    }
    return true;
}

static bool give_piece(Warp *warp, const Step *step, const Piece *piece) {
    for (unsigned l = 0; l < WARP_LANES; l++)
        if (piece->lanes >> l & 1) memcpy(piece_at(piece, l), warp->worker->copied[l], step->copy->bytes);
    return true;
}

bool warp_async_copy(Warp *warp, const Step *step, uint32_t active) {
    const AsyncCopy *copy = step->copy;
    uint32_t reading = active;
    if (copy->size != NO_SLOT) { /* lanes that copy nothing read nothing: their shared memory is filled with zeros */
        const uint32_t *size = warp_at(warp, copy->size);
        for (unsigned l = 0; l < WARP_LANES; l++)
            if (!size[l]) reading &= ~(1u << l);
    }
    memset(warp->worker->copied, 0, sizeof warp->worker->copied);
    warp->read_global = warp->wrote = warp->changed = true;
    if (reading) {
        warp_addresses(warp, copy->from, copy->from_bytes, copy->from_offset, reading);
        if (!warp_access(warp, step, SPACE_GLOBAL, ACCESS_LOAD, reading, copy->bytes, NULL, take_piece)) return false;
    }
    uint8_t packed[WARP_LANES * COPY_BYTES];
    for (unsigned l = 0; l < WARP_LANES; l++) memcpy(packed + l * copy->bytes, warp->worker->copied[l], copy->bytes);
    warp_addresses(warp, copy->to, copy->to_bytes, copy->to_offset, active);
    return warp_access(warp, step, SPACE_SHARED, ACCESS_STORE, active, copy->bytes, packed, give_piece);
}
