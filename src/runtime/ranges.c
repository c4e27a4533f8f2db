/* ranges.c: managed memory by ranges: advice, prefetches, and what is known of them. Where it resides, and what migrating it costs, is not modelled: advice and places are
 * kept for who asks. */
#include "runtime/ranges.h"

#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "runtime/batch.h"
#include "runtime/device_memory.h"
#include "runtime/submit.h"

typedef struct cudaMemLocation AdvisedPlace;

/* What is known of a byte. */
typedef enum AdviceKind {
    ADVICE_READ_MOSTLY,
    ADVICE_PREFERRED,
    ADVICE_BY_HOST, /* accessed by it */
    ADVICE_BY_DEVICE,
    ADVICE_PREFETCHED
} AdviceKind;

/* The last of its kind that has a byte holds for it. */
struct Advice {
    uint64_t begin, end;
    AdviceKind kind;
    bool is_set;
    AdvisedPlace where;
};

static void forget(Context *context, uint64_t begin, uint64_t end, int kind) { /* -1: of all kinds */
    size_t kept = 0;
    for (size_t i = 0; i < context->n_advice; i++) {
        const struct Advice *each = &context->advice[i];
        const bool goes = each->begin >= begin && each->end <= end && (kind < 0 || each->kind == (AdviceKind)kind);
        if (!goes) context->advice[kept++] = *each;
    }
    context->n_advice = kept;
}

void ranges_forget(Context *context, uint64_t address, uint64_t bytes) { forget(context, address, address + bytes, -1); }

static void keep(Context *context, const void *pointer, size_t bytes, AdviceKind kind, bool is_set, AdvisedPlace where) {
    const uint64_t begin = (uintptr_t)pointer, end = begin + bytes;
    forget(context, begin, end, (int)kind);
    ALLOC_ADD(context->advice, context->n_advice) = (struct Advice){begin, end, kind, is_set, where};
}

static const struct Advice *advice_at(const Context *context, uint64_t address, AdviceKind kind) {
    for (size_t i = context->n_advice; i-- > 0;) {
        const struct Advice *each = &context->advice[i];
        if (each->kind == kind && address >= each->begin && address < each->end) return each->is_set ? each : NULL;
    }
    return NULL;
}

static bool is_same(const struct Advice *a, const struct Advice *b) {
    if (!a || !b) return a == b;
    return a->where.type == b->where.type && a->where.id == b->where.id;
}

/* What all of the range has; NULL where a part of it has none, or another. */
static const struct Advice *advice_of(const Context *context, uint64_t begin, uint64_t end, AdviceKind kind) {
    const struct Advice *first = advice_at(context, begin, kind);
    bool same = first;
    for (size_t i = 0; same && i < context->n_advice; i++) {
        const uint64_t edges[] = {context->advice[i].begin, context->advice[i].end};
        for (unsigned e = 0; e < 2; e++)
            if (edges[e] > begin && edges[e] < end) same &= is_same(first, advice_at(context, edges[e], kind));
    }
    return same ? first : NULL;
}

/* --- calls --- */

/* Managed memory that holds these bytes, or NULL. */
static Allocation *managed(const Context *context, const void *pointer, size_t bytes) {
    Allocation *allocation = memory_find(context->memory, (uintptr_t)pointer);
    if (!allocation || !allocation->unified || (tag_kind(allocation) != TAG_MANAGED && tag_kind(allocation) != TAG_VARIABLE))
        return NULL;
    return bytes <= allocation->bytes - ((uintptr_t)pointer - allocation->address) ? allocation : NULL;
}

static bool is_place(struct cudaMemLocation location) {
    switch (location.type) {
    case cudaMemLocationTypeDevice: return location.id == 0;
    case cudaMemLocationTypeHost:
    case cudaMemLocationTypeHostNuma:
    case cudaMemLocationTypeHostNumaCurrent: return true;
    case cudaMemLocationTypeInvalid: break;
    }
    return false;
}

API_CALL(cudaMemAdvise, (const void *pointer, size_t bytes, enum cudaMemoryAdvise advice, struct cudaMemLocation location),
         (pointer, bytes, advice, location));
static cudaError_t cudaMemAdvise_locked(Context *context, const void *pointer, size_t bytes, enum cudaMemoryAdvise advice,
                                        struct cudaMemLocation location) {
    bool placed = advice != cudaMemAdviseSetReadMostly && advice != cudaMemAdviseUnsetReadMostly;
    bool good = bytes && managed(context, pointer, bytes) && advice >= cudaMemAdviseSetReadMostly &&
                advice <= cudaMemAdviseUnsetAccessedBy && (!placed || is_place(location));
    if (!good) return cudaErrorInvalidValue;
    const AdviceKind by = location.type == cudaMemLocationTypeDevice ? ADVICE_BY_DEVICE : ADVICE_BY_HOST;
    switch (advice) {
    case cudaMemAdviseSetReadMostly:
    case cudaMemAdviseUnsetReadMostly:
        keep(context, pointer, bytes, ADVICE_READ_MOSTLY, advice == cudaMemAdviseSetReadMostly, (AdvisedPlace){0});
        break;
    case cudaMemAdviseSetPreferredLocation:
    case cudaMemAdviseUnsetPreferredLocation:
        keep(context, pointer, bytes, ADVICE_PREFERRED, advice == cudaMemAdviseSetPreferredLocation, location);
        break;
    case cudaMemAdviseSetAccessedBy:
    case cudaMemAdviseUnsetAccessedBy: keep(context, pointer, bytes, by, advice == cudaMemAdviseSetAccessedBy, location); break;
    }
    return cudaSuccess;
}

PER_THREAD_CALL(cudaMemPrefetchAsync, _ptsz,
                (const void *pointer, size_t bytes, struct cudaMemLocation location, unsigned flags, cudaStream_t stream),
                (pointer, bytes, location, flags, stream));
static cudaError_t cudaMemPrefetchAsync_locked(Context *context, const void *pointer, size_t bytes,
                                               struct cudaMemLocation location, unsigned flags, cudaStream_t stream) {
    if (!bytes || flags || !managed(context, pointer, bytes)) return cudaErrorInvalidValue;
    if (!is_place(location)) return location.type == cudaMemLocationTypeDevice ? cudaErrorInvalidDevice : cudaErrorInvalidValue;
    if (!stream_find(context, stream)) return cudaErrorInvalidResourceHandle;
    keep(context, pointer, bytes, ADVICE_PREFETCHED, true, location);
    return cudaSuccess;
}

PER_THREAD_CALL(cudaStreamAttachMemAsync, _ptsz, (cudaStream_t stream, void *pointer, size_t bytes, unsigned flags),
                (stream, pointer, bytes, flags));
static cudaError_t cudaStreamAttachMemAsync_locked(Context *context, cudaStream_t stream, void *pointer, size_t bytes,
                                                   unsigned flags) {
    const Stream *to = stream_find(context, stream);
    if (!to) return cudaErrorInvalidResourceHandle;
    const bool single = flags == cudaMemAttachSingle && !to->legacy; /* which belongs to nobody */
    const Allocation *allocation = managed(context, pointer, bytes);
    const bool whole = allocation && (!bytes || bytes == allocation->bytes);
    return whole && (single || flags == cudaMemAttachGlobal || flags == cudaMemAttachHost) ? cudaSuccess
                                                                                           : cudaErrorInvalidValue;
}

/* --- many ranges --- */

typedef struct RangeBatch {
    void **pointers;
    const size_t *bytes;
    size_t count;
    const AdvisedPlace *places;
    const size_t *indices; /* which range each of the places begins with */
    size_t n_places;       /* 0: the ranges are not prefetched */
} RangeBatch;

static bool are_ranges(const Context *context, const RangeBatch *batch) {
    bool good = batch->pointers && batch->bytes && batch->count;
    for (size_t i = 0; good && i < batch->count; i++)
        good = batch->bytes[i] && managed(context, batch->pointers[i], batch->bytes[i]);
    return good;
}

static cudaError_t check_places(const RangeBatch *batch) {
    bool good = batch->places && batch_are_indices(batch->indices, batch->n_places, batch->count);
    for (size_t i = 0; good && i < batch->n_places; i++) good = is_place(batch->places[i]);
    return good ? cudaSuccess : cudaErrorInvalidValue;
}

static API_CALL(take_ranges, (RangeBatch batch, bool prefetches, unsigned long long flags, cudaStream_t handle),
                (batch, prefetches, flags, handle));
static cudaError_t take_ranges_locked(Context *context, RangeBatch batch, bool prefetches, unsigned long long flags,
                                      cudaStream_t handle) {
    const Stream *stream = stream_find(context, handle);
    if (flags || !are_ranges(context, &batch)) return cudaErrorInvalidValue;
    const cudaError_t error = prefetches ? check_places(&batch) : cudaSuccess;
    if (error) return error;
    if (!stream) return cudaErrorInvalidResourceHandle;
    if (stream->legacy) return cudaErrorInvalidValue;
    if (stream->capture) return cudaErrorStreamCaptureUnsupported;
    for (size_t i = 0, place = 0; prefetches && i < batch.count; i++) {
        if (place + 1 < batch.n_places && batch.indices[place + 1] == i) place++;
        keep(context, batch.pointers[i], batch.bytes[i], ADVICE_PREFETCHED, true, batch.places[place]);
    }
    return cudaSuccess;
}

PER_THREAD(cudaMemPrefetchBatchAsync, _ptsz,
           (void **pointers, size_t *bytes, size_t count, struct cudaMemLocation *places, size_t *indices, size_t n_places,
            unsigned long long flags, cudaStream_t stream),
           (pointers, bytes, count, places, indices, n_places, flags, stream));
static cudaError_t cudaMemPrefetchBatchAsync_called(void **pointers, size_t *bytes, size_t count, AdvisedPlace *places,
                                                    size_t *indices, size_t n_places, unsigned long long flags,
                                                    cudaStream_t stream) {
    return take_ranges((RangeBatch){pointers, bytes, count, places, indices, n_places}, true, flags, stream);
}

/* What is discarded may stay as it is. */
PER_THREAD(cudaMemDiscardBatchAsync, _ptsz,
           (void **pointers, size_t *bytes, size_t count, unsigned long long flags, cudaStream_t stream),
           (pointers, bytes, count, flags, stream));
static cudaError_t cudaMemDiscardBatchAsync_called(void **pointers, size_t *bytes, size_t count, unsigned long long flags,
                                                   cudaStream_t stream) {
    return take_ranges((RangeBatch){.pointers = pointers, .bytes = bytes, .count = count}, false, flags, stream);
}

PER_THREAD(cudaMemDiscardAndPrefetchBatchAsync, _ptsz,
           (void **pointers, size_t *bytes, size_t count, struct cudaMemLocation *places, size_t *indices, size_t n_places,
            unsigned long long flags, cudaStream_t stream),
           (pointers, bytes, count, places, indices, n_places, flags, stream));
static cudaError_t cudaMemDiscardAndPrefetchBatchAsync_called(void **pointers, size_t *bytes, size_t count,
                                                              AdvisedPlace *places, size_t *indices, size_t n_places,
                                                              unsigned long long flags, cudaStream_t stream) {
    return take_ranges((RangeBatch){pointers, bytes, count, places, indices, n_places}, true, flags, stream);
}

/* --- questions --- */

/* As a device's number. */
static int number_of(const struct Advice *advice) {
    if (!advice) return cudaInvalidDeviceId;
    return advice->where.type == cudaMemLocationTypeDevice ? advice->where.id : cudaCpuDeviceId;
}

/* As its own kind of place counts: of a node of the host's memory the node's. */
static int id_of(const struct Advice *advice) {
    return advice && advice->where.type == cudaMemLocationTypeHostNuma ? advice->where.id : number_of(advice);
}

static int type_of(const struct Advice *advice) { return advice ? (int)advice->where.type : (int)cudaMemLocationTypeInvalid; }

/* One int, or, of who accesses it, as many as there is room for, of which those behind the last are no device. */
static bool give_attribute(const Context *context, enum cudaMemRangeAttribute which, const uint64_t range[2], int *into,
                           size_t room) {
    const struct Advice *preferred = advice_of(context, range[0], range[1], ADVICE_PREFERRED);
    const struct Advice *prefetched = advice_of(context, range[0], range[1], ADVICE_PREFETCHED);
    size_t n = 0;
    if (which != cudaMemRangeAttributeAccessedBy && room != 1) return false;
    switch (which) {
    case cudaMemRangeAttributeReadMostly:
        *into = advice_of(context, range[0], range[1], ADVICE_READ_MOSTLY) != NULL;
        return true;
    case cudaMemRangeAttributePreferredLocation: *into = number_of(preferred); return true;
    case cudaMemRangeAttributeAccessedBy:
        if (advice_of(context, range[0], range[1], ADVICE_BY_DEVICE)) into[n++] = 0;
        if (n < room && advice_of(context, range[0], range[1], ADVICE_BY_HOST)) into[n++] = cudaCpuDeviceId;
        while (n < room) into[n++] = cudaInvalidDeviceId;
        return true;
    case cudaMemRangeAttributeLastPrefetchLocation: *into = number_of(prefetched); return true;
    case cudaMemRangeAttributePreferredLocationType: *into = type_of(preferred); return true;
    case cudaMemRangeAttributePreferredLocationId: *into = id_of(preferred); return true;
    case cudaMemRangeAttributeLastPrefetchLocationType: *into = type_of(prefetched); return true;
    case cudaMemRangeAttributeLastPrefetchLocationId: *into = id_of(prefetched); return true;
    }
    return false;
}

API_CALL(cudaMemRangeGetAttributes,
         (void **into, size_t *into_bytes, enum cudaMemRangeAttribute *which, size_t count, const void *pointer, size_t bytes),
         (into, into_bytes, which, count, pointer, bytes));
static cudaError_t cudaMemRangeGetAttributes_locked(Context *context, void **into, size_t *into_bytes,
                                                    enum cudaMemRangeAttribute *which, size_t count, const void *pointer,
                                                    size_t bytes) {
    const uint64_t range[] = {(uintptr_t)pointer, (uintptr_t)pointer + bytes};
    if (!into || !into_bytes || !which || !count || !bytes || !managed(context, pointer, bytes)) return cudaErrorInvalidValue;
    for (size_t i = 0; i < count; i++) {
        const size_t room = into_bytes[i] / sizeof(int);
        if (!into[i] || !room || into_bytes[i] % sizeof(int)) return cudaErrorInvalidValue;
        if (!give_attribute(context, which[i], range, into[i], room)) return cudaErrorInvalidValue;
    }
    return cudaSuccess;
}

cudaError_t cudaMemRangeGetAttribute(void *into, size_t into_bytes, enum cudaMemRangeAttribute which, const void *pointer,
                                     size_t bytes) {
    CALLSITE_BEGIN();
    return cudaMemRangeGetAttributes(&into, &into_bytes, &which, 1, pointer, bytes);
}
