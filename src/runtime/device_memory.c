#include "runtime/device_memory.h"

#include <inttypes.h>
#include <stdio.h>

#include "machine/access.h"
#include "machine/heap.h"
#include "runtime/beside.h"
#include "runtime/capture.h"
#include "runtime/hostmap.h"
#include "runtime/late.h"
#include "runtime/mempool.h"
#include "runtime/submit.h"

enum { PITCH = 512 }; /* rows of cudaMallocPitch begin at multiples of it */

/* Managed memory may take more than the device has. */
uint64_t device_memory_left(const Context *context) {
    const uint64_t all = context->options.profile->memory_bytes;
    return context->allocated < all ? all - context->allocated : 0;
}

Allocation *device_memory_allocate(Context *context, const char *call, uint64_t bytes) {
    const uint64_t all = context->options.profile->memory_bytes, left = device_memory_left(context);
    if (bytes > left) {
        note("%s: %" PRIu64 " byte%s asked for, %" PRIu64 " of the device's %" PRIu64 " left", call, bytes, plural_s(bytes),
             left, all);
        return NULL;
    }
    char name[64];
    snprintf(name, sizeof name, "%s %" PRIu64, call, ++context->allocations);
    Allocation *allocation = memory_allocate(context->memory, bytes, name, false);
    allocation->tag = TAG_DEVICE;
    allocation->site = callsite_now.address;
    allocation->site_around = callsite_around();
    context->allocated += bytes;
    return allocation;
}

static API_CALL(allocate_call, (const char *call, void **pointer, size_t bytes, size_t pitch), (call, pointer, bytes, pitch));
cudaError_t device_memory_new(Context *context, const char *call, void **pointer, size_t bytes, size_t pitch) {
    cudaError_t forbidden = capture_forbids(context);
    if (forbidden) return forbidden;
    if (!pointer) return cudaErrorInvalidValue;
    *pointer = NULL;
    if (!bytes) return cudaSuccess;
    if (bytes > device_memory_left(context)) late_run_all(context); /* which may free some */
    Allocation *allocation = device_memory_allocate(context, call, bytes);
    if (!allocation) return cudaErrorMemoryAllocation;
    allocation->pitch = pitch;
    *pointer = (void *)allocation->address;
    return cudaSuccess;
}

static cudaError_t allocate_call_locked(Context *context, const char *call, void **pointer, size_t bytes, size_t pitch) {
    return device_memory_new(context, call, pointer, bytes, pitch);
}

cudaError_t cudaMalloc(void **pointer, size_t bytes) {
    CALLSITE_BEGIN();
    return pointer ? allocate_call(callsite_name(), pointer, bytes, 0) : api_end(NULL, cudaErrorInvalidValue);
}

static size_t pitch_of(size_t width) { return (width + PITCH - 1) / PITCH * PITCH; }

cudaError_t cudaMallocPitch(void **pointer, size_t *pitch, size_t width, size_t height) {
    CALLSITE_BEGIN();
    size_t bytes;
    if (!pitch || width > SIZE_MAX - PITCH || __builtin_mul_overflow(pitch_of(width), height, &bytes))
        return api_end(NULL, cudaErrorInvalidValue);
    cudaError_t error = allocate_call(callsite_name(), pointer, bytes, pitch_of(width));
    if (!error) *pitch = bytes ? pitch_of(width) : 0;
    return error;
}

cudaError_t cudaMalloc3D(struct cudaPitchedPtr *pointer, struct cudaExtent extent) {
    CALLSITE_BEGIN();
    size_t rows, bytes;
    if (!pointer || extent.width > SIZE_MAX - PITCH || __builtin_mul_overflow(extent.height, extent.depth, &rows) ||
        __builtin_mul_overflow(pitch_of(extent.width), rows, &bytes))
        return api_end(NULL, cudaErrorInvalidValue);
    *pointer = (struct cudaPitchedPtr){NULL, pitch_of(extent.width), extent.width, extent.height};
    return allocate_call("cudaMalloc3D", &pointer->ptr, bytes, pointer->pitch);
}

/* --- freeing --- */

static void note_free(const Context *context, const char *call, uint64_t address, const char *wanted) {
    const Allocation *in = memory_find(context->memory, address), *freed = in ? NULL : memory_retired(context->memory, address);
    if (in && tag_kind(in) == TAG_FREED) freed = in;
    if (freed)
        note("%s: 0x%" PRIx64 " has been freed already ('%s')", call, address, freed->name);
    else if (in && context->heap && in == heap_memory(context->heap))
        note("%s: 0x%" PRIx64 " comes from malloc or new in a kernel: free or delete it there", call, address);
    else if (in && in->address != address)
        note("%s: 0x%" PRIx64 " is byte %" PRIu64 " of '%s': only its beginning can be freed", call, address,
             address - in->address, in->name);
    else if (in)
        note("%s: '%s' was not allocated with %s%s", call, in->name, wanted,
             tag_kind(in) == TAG_PINNED  ? ": cudaFreeHost frees it"
             : tag_kind(in) == TAG_ARRAY ? ": cudaFreeArray frees it"
                                         : "");
    else
        note("%s: 0x%" PRIx64 " was never allocated with %s%s", call, address, wanted,
             hostmap_holds(address) ? ": it is the host's own memory" : "");
}

cudaError_t device_memory_may_free(const Context *context, const char *call, const void *pointer) {
    const Allocation *allocation = memory_find(context->memory, (uintptr_t)pointer);
    if (allocation && allocation->address == (uintptr_t)pointer &&
        (tag_kind(allocation) == TAG_DEVICE || tag_kind(allocation) == TAG_MANAGED))
        return cudaSuccess;
    note_free(context, call, (uintptr_t)pointer, "cudaMalloc");
    return cudaErrorInvalidValue;
}

void device_memory_retire(Context *context, Allocation *allocation) {
    if (!beside_waits(context)) {
        memory_retire(context->memory, allocation);
        return;
    }
    allocation->tag = TAG_FREED;
    context->freed++;
}

void device_memory_settle(Context *context) {
    if (!context->freed || beside_waits(context)) return;
    for (size_t i = memory_count(context->memory); i-- > 0;) {
        Allocation *allocation = memory_at(context->memory, i);
        if (tag_kind(allocation) == TAG_FREED) memory_retire(context->memory, allocation);
    }
    context->freed = 0;
}

cudaError_t device_memory_free(Context *context, const char *call, void *pointer) {
    if (!pointer) return cudaSuccess;
    const cudaError_t error = device_memory_may_free(context, call, pointer);
    if (error) return error;
    Allocation *allocation = memory_find(context->memory, (uintptr_t)pointer);
    context->allocated -= allocation->bytes;
    mempool_give_back(context, allocation->tag >> TAG_FLAGS_SHIFT, allocation->bytes);
    device_memory_retire(context, allocation);
    return cudaSuccess;
}

API_CALL(cudaFree, (void *pointer), (pointer));
static cudaError_t cudaFree_locked(Context *context, void *pointer) {
    cudaError_t forbidden = capture_forbids(context);
    if (!forbidden && pointer) forbidden = stream_wait_for_all(context);
    return forbidden ? forbidden : device_memory_free(context, callsite_name(), pointer);
}

/* --- questions --- */

API_CALL(cudaMemGetInfo, (size_t * available, size_t *total), (available, total));
static cudaError_t cudaMemGetInfo_locked(Context *context, size_t *available, size_t *total) {
    if (total) *total = context->options.profile->memory_bytes;
    if (available) *available = device_memory_left(context);
    return cudaSuccess;
}

enum { LEAKS_NAMED = 5 };

void device_memory_note_leaks(Context *context) {
    uint64_t count = 0, bytes = 0;
    LOCAL_TEXT names = {0};
    for (size_t i = 0; i < memory_count(context->memory); i++) {
        const Allocation *allocation = memory_at(context->memory, i);
        if (tag_kind(allocation) == TAG_VARIABLE || tag_kind(allocation) == TAG_REGISTERED) continue;
        if (count < LEAKS_NAMED)
            text_add(&names, "%s'%s' of %" PRIu64 " byte%s", count ? ", " : "", allocation->name, allocation->bytes,
                     plural_s(allocation->bytes));
        count++;
        bytes += allocation->bytes;
    }
    if (count)
        note("%" PRIu64 " allocation%s never freed, %" PRIu64 " byte%s: %s%s", count, count == 1 ? " was" : "s were", bytes,
             plural_s(bytes), text_string(&names), count > LEAKS_NAMED ? ", ..." : "");
}
