#include "machine/asynccopy.h"

#include <string.h>

#include "machine/lanes.h"
#include "machine/loadstore.h"

static void copy_in(Warp *warp, const Step *step, const Resolved *at) {
    const uint32_t *size = step->copy->size == NO_SLOT ? NULL : warp_at(warp, step->copy->size);
    EACH_ACTIVE_LANE(l, at->lanes) {
        uint32_t bytes = size && size[l] < step->copy->bytes ? size[l] : step->copy->bytes;
        memcpy(warp->worker->copied[l], resolved_at(at, l), bytes);
    }
}

static void copy_out(Warp *warp, const Step *step, const Resolved *at) {
    EACH_ACTIVE_LANE(l, at->lanes) memcpy(resolved_at(at, l), warp->worker->copied[l], step->copy->bytes);
}

/* What was loaded is stored as it is, undefined or not; zeros fill the rest. */
static void keep_undefined(Warp *warp, const AsyncCopy *copy) {
    Undefined *undefined = &warp->worker->undefined;
    const uint32_t *size = copy->size == NO_SLOT ? NULL : warp_at(warp, copy->size);
    for (unsigned l = 0; undefined->any && l < WARP_LANES; l++) {
        uint32_t bytes = size && size[l] < copy->bytes ? size[l] : copy->bytes;
        memset(undefined->bits + l * copy->bytes + bytes, 0, copy->bytes - bytes);
    }
}

bool warp_async_copy(Warp *warp, const Step *step, uint32_t active) {
    const AsyncCopy *copy = step->copy;
    const uint8_t bytes = (uint8_t)copy->bytes;
    uint32_t reading = active;
    /* Lanes that copy nothing read nothing: their shared memory is filled with zeros. */
    if (copy->size != NO_SLOT) reading &= ~lanes_equal32(warp_at(warp, copy->size), 0, LANES_ALL);
    memset(warp->worker->copied, 0, sizeof warp->worker->copied);
    warp->read_global = warp->changed = true;
    warp->worker->undefined.any = false;
    if (reading) {
        warp_addresses(warp, copy->from.slot, copy->from.slot_bytes, copy->from.offset, reading);
        if (!warp_access(warp, step, (Transfer){SPACE_GLOBAL, ACCESS_LOAD, bytes, reading, NULL, copy_in})) return false;
    }
    keep_undefined(warp, copy);
    uint8_t packed[WARP_LANES * ASYNC_COPY_BYTES_MOST];
    for (unsigned l = 0; l < WARP_LANES; l++) memcpy(packed + l * copy->bytes, warp->worker->copied[l], copy->bytes);
    warp_addresses(warp, copy->to.slot, copy->to.slot_bytes, copy->to.offset, active);
    if (!warp_access(warp, step, (Transfer){SPACE_SHARED, ACCESS_STORE, bytes, active, packed, copy_out})) return false;
    const AsyncEvent event = {.pc = step->pc, .lanes = active, .variant = CP_ASYNC_COPY};
    OBSERVERS_NOTIFY(warp->worker->observers, warp->worker->n_observers, on_async, &warp->place, &event);
    return true;
}
