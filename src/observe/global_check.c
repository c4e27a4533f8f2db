#include "observe/global_check.h"

#include <string.h>

#include "machine/lanes.h"
#include "machine/written.h"

void global_check_host_wrote(Allocation *allocation, uint64_t offset, uint64_t bytes) {
    if (!bytes) return;
    if (bytes == allocation->bytes) {
        allocation->initialized = true;
        memory_define(allocation);
        return;
    }
    if (!allocation->initialized) written_add(allocation, offset, bytes);
    if (allocation->undefined) memset(allocation->undefined + offset, 0, bytes);
}

bool global_check_undefined(const Allocation *allocation, uint64_t offset) {
    return (allocation->undefined && allocation->undefined[offset]) || !written_all(allocation, offset, 1);
}

/* --- one access ---------------------------------------------------------------------------------------------------------- */

typedef struct GlobalVisit {
    const GlobalWorker *worker;
    const Place *place;
    const Access *access;
    Fault *fault;
    Allocation *in;
} GlobalVisit;

/* The fault is complete but for its thread. True when the check goes on. */
static bool tell_race(const GlobalVisit *visit, uint32_t lane) {
    fault_blame(visit->fault, visit->place, lane);
    return findings_take(visit->worker->log, visit->place, visit->fault);
}

static bool follows_written(const GlobalVisit *visit, uint64_t offset) {
    for (; offset % PADDING_UNIT; offset--)
        if (written_all(visit->in, offset - 1, 1)) return true;
    return false;
}

/* Bytes of one word from nth on that were never written. */
static uint32_t gap_bytes(const GlobalVisit *visit, uint64_t offset, uint32_t nth) {
    uint32_t end = nth;
    while (end < visit->access->bytes && end / WRITTEN_WORD == nth / WRITTEN_WORD && !written_all(visit->in, offset + end, 1))
        end++;
    return end - nth;
}

/* What a load reads of bytes that were never written is undefined, which is told where something depends on it; an atomic operation does. */
static bool lane_is_written(const GlobalVisit *visit, uint32_t lane, uint64_t offset) {
    const Access *access = visit->access;
    if (written_all(visit->in, offset, access->bytes)) return true;
    for (uint32_t nth = 0, bytes; nth < access->bytes; nth += bytes ? bytes : 1) {
        bytes = gap_bytes(visit, offset, nth);
        if (!bytes) continue;
        if (access->kind == ACCESS_LOAD && access->undefined) {
            const Gap gap = {lane, nth, bytes, 0xff, follows_written(visit, offset + nth), WRITER_UNKNOWN};
            origins_add(visit->worker->origins, visit->place, access, visit->in, gap);
            continue;
        }
        origins_fault_now(visit->place, access, visit->in, (Gap){.lane = lane, .nth = nth}, visit->fault);
        return tell_race(visit, lane);
    }
    return true;
}

/* Whether these lanes' bytes were written already, as they mostly were. */
static bool all_written(const GlobalVisit *visit, const Touch *touch, uint32_t lanes) {
    const uint32_t bytes = visit->access->bytes;
    if (!visit->in->bytes_written) return false;
    if (touch->contiguous) return written_all(visit->in, touch->lowest, (uint64_t)bytes * WARP_LANES);
    bool all = true;
    EACH_ACTIVE_LANE(l, lanes) all &= written_few(visit->in, touch->offset[l], bytes);
    return all;
}

static void widen(Allocation *in, uint8_t bytes) {
    if (__atomic_load_n(&in->widest_written, __ATOMIC_RELAXED) < bytes)
        __atomic_store_n(&in->widest_written, bytes, __ATOMIC_RELAXED);
}

bool global_worker_access(const GlobalWorker *worker, const Place *place, const Access *access, const GlobalTouch *touched,
                          Fault *fault) {
    const bool exchanges = worker->kernel->traits[access->pc] & TRAIT_EXCHANGE;
    const bool reads = access->kind != ACCESS_STORE && !exchanges, writes = access->kind != ACCESS_LOAD;
    const GlobalVisit visit = {worker, place, access, fault, touched->in};
    const Touch *touch = &touched->touch;
    const uint32_t lanes = touch->runs == 1 && !reads ? touched->lanes & -touched->lanes : touched->lanes;
    if (touched->in->initialized || all_written(&visit, touch, lanes)) return true;
    if (writes) widen(touched->in, access->bytes);
    if (writes && !reads && touch->contiguous) {
        written_add(touched->in, touch->lowest, (uint64_t)access->bytes * WARP_LANES);
        return true;
    }
    EACH_ACTIVE_LANE(l, lanes) {
        if (reads && !lane_is_written(&visit, l, touch->offset[l])) return false;
        if (writes) written_add(touched->in, touch->offset[l], access->bytes);
    }
    return true;
}
