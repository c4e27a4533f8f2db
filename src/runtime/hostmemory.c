/* Memory that host and device share: pinned, registered and managed. Its address is the same on both sides. */
#include <inttypes.h>
#include <stdio.h>

#include "runtime/capture.h"
#include "runtime/device_memory.h"
#include "runtime/hostmap.h"
#include "runtime/ranges.h"
#include "runtime/submit.h"

/* *pointer is NULL where there is no room. */
static cudaError_t allocate(Context *context, const char *call, void **pointer, uint64_t bytes, uint32_t tag) {
    char name[64];
    snprintf(name, sizeof name, "%s %" PRIu64, call, ++context->allocations);
    Allocation *allocation = memory_allocate_unified(context->memory, bytes, name);
    *pointer = allocation ? allocation->host : NULL;
    if (!allocation) return cudaErrorMemoryAllocation;
    allocation->tag = tag;
    return cudaSuccess;
}

/* --- pinned --- */

static API_CALL(allocate_pinned, (const char *call, void **pointer, size_t bytes, unsigned flags),
                (call, pointer, bytes, flags));
static cudaError_t allocate_pinned_locked(Context *context, const char *call, void **pointer, size_t bytes, unsigned flags) {
    const unsigned known = cudaHostAllocPortable | cudaHostAllocMapped | cudaHostAllocWriteCombined;
    if (!pointer || flags & ~known) return cudaErrorInvalidValue;
    cudaError_t forbidden = capture_forbids(context);
    if (forbidden) return forbidden;
    const uint32_t mapped = flags | cudaHostAllocMapped; /* as all pinned memory is where addresses are unified */
    *pointer = NULL;
    return bytes ? allocate(context, call, pointer, bytes, TAG_PINNED | mapped << TAG_FLAGS_SHIFT) : cudaSuccess;
}

cudaError_t cudaHostAlloc(void **pointer, size_t bytes, unsigned flags) {
    CALLSITE_BEGIN();
    return allocate_pinned(callsite_name(), pointer, bytes, flags);
}

cudaError_t cudaMallocHost(void **pointer, size_t bytes) {
    CALLSITE_BEGIN();
    return allocate_pinned(callsite_name(), pointer, bytes, cudaHostAllocDefault);
}

/* The allocation of this kind that begins at the pointer, or NULL. */
static Allocation *find(const Context *context, const void *pointer, uint32_t kind) {
    Allocation *allocation = memory_find(context->memory, (uintptr_t)pointer);
    return allocation && allocation->address == (uintptr_t)pointer && tag_kind(allocation) == kind ? allocation : NULL;
}

API_CALL(cudaFreeHost, (void *pointer), (pointer));
static cudaError_t cudaFreeHost_locked(Context *context, void *pointer) {
    if (!pointer) return cudaSuccess;
    const cudaError_t error = stream_wait_for_all(context);
    Allocation *allocation = find(context, pointer, TAG_PINNED);
    if (!allocation) {
        note("cudaFreeHost: %p is not the beginning of memory from cudaMallocHost or cudaHostAlloc", pointer);
        return error ? error : cudaErrorInvalidValue;
    }
    memory_retire(context->memory, allocation);
    return error;
}

/* --- registered --- */

static bool overlaps(const Context *context, uint64_t address, uint64_t bytes) {
    for (size_t i = 0; i < memory_count(context->memory); i++) {
        const Allocation *allocation = memory_at(context->memory, i);
        if (allocation->address < address + bytes && address < allocation->address + allocation->bytes) return true;
    }
    return false;
}

API_CALL(cudaHostRegister, (void *pointer, size_t bytes, unsigned flags), (pointer, bytes, flags));
static cudaError_t cudaHostRegister_locked(Context *context, void *pointer, size_t bytes, unsigned flags) {
    const unsigned known = cudaHostRegisterPortable | cudaHostRegisterMapped | cudaHostRegisterReadOnly;
    uint64_t address = (uintptr_t)pointer;
    if (!pointer || !bytes || flags & ~known || address + bytes < address || !hostmap_holds(address) ||
        !hostmap_holds(address + bytes - 1))
        return cudaErrorInvalidValue;
    if (overlaps(context, address, bytes)) return cudaErrorHostMemoryAlreadyRegistered;
    char name[64];
    snprintf(name, sizeof name, "cudaHostRegister %" PRIu64, ++context->allocations);
    Allocation *allocation = memory_borrow(context->memory, pointer, bytes, name);
    allocation->tag = TAG_REGISTERED | (flags | cudaHostRegisterMapped) << TAG_FLAGS_SHIFT;
    return cudaSuccess;
}

API_CALL(cudaHostUnregister, (void *pointer), (pointer));
static cudaError_t cudaHostUnregister_locked(Context *context, void *pointer) {
    const cudaError_t error = stream_wait_for_all(context);
    Allocation *allocation = find(context, pointer, TAG_REGISTERED);
    const bool known = !pointer || memory_find(context->memory, (uintptr_t)pointer);
    if (!allocation) return error ? error : known ? cudaErrorInvalidValue : cudaErrorHostMemoryNotRegistered;
    memory_release(context->memory, allocation);
    return error;
}

/* --- managed --- */

API_CALL(cudaMallocManaged, (void **pointer, size_t bytes, unsigned flags), (pointer, bytes, flags));
static cudaError_t cudaMallocManaged_locked(Context *context, void **pointer, size_t bytes, unsigned flags) {
    if (!pointer || (flags != cudaMemAttachGlobal && flags != cudaMemAttachHost)) return cudaErrorInvalidValue;
    *pointer = NULL;
    if (!bytes) return cudaSuccess;
    cudaError_t error = allocate(context, callsite_name(), pointer, bytes, TAG_MANAGED);
    if (error) return error;
    context->allocated += bytes;
    ranges_forget(context, (uintptr_t)*pointer, bytes);
    return cudaSuccess;
}

/* --- questions --- */

static bool is_pinned(const Allocation *allocation) {
    return allocation && (tag_kind(allocation) == TAG_PINNED || tag_kind(allocation) == TAG_REGISTERED);
}

API_CALL(cudaHostGetDevicePointer, (void **device, void *host, unsigned flags), (device, host, flags));
static cudaError_t cudaHostGetDevicePointer_locked(Context *context, void **device, void *host, unsigned flags) {
    if (!device || flags || !is_pinned(memory_find(context->memory, (uintptr_t)host))) return cudaErrorInvalidValue;
    *device = host;
    return cudaSuccess;
}

API_CALL(cudaHostGetFlags, (unsigned *flags, void *host), (flags, host));
static cudaError_t cudaHostGetFlags_locked(Context *context, unsigned *flags, void *host) {
    const Allocation *allocation = memory_find(context->memory, (uintptr_t)host);
    if (!flags || !is_pinned(allocation)) return cudaErrorInvalidValue;
    *flags = allocation->tag >> TAG_FLAGS_SHIFT;
    return cudaSuccess;
}

API_CALL_ALWAYS(cudaPointerGetAttributes, (struct cudaPointerAttributes * attributes, const void *pointer),
                (attributes, pointer));
static cudaError_t cudaPointerGetAttributes_locked(Context *context, struct cudaPointerAttributes *attributes,
                                                   const void *pointer) {
    if (!attributes) return cudaErrorInvalidValue;
    const Allocation *allocation = memory_find(context->memory, (uintptr_t)pointer);
    void *address = (void *)pointer;
    if (!allocation)
        *attributes = (struct cudaPointerAttributes){cudaMemoryTypeUnregistered, cudaInvalidDeviceId, NULL, address, {0}};
    else if (!allocation->unified)
        *attributes = (struct cudaPointerAttributes){cudaMemoryTypeDevice, 0, address, NULL, {0}};
    else
        *attributes = (struct cudaPointerAttributes){
            is_pinned(allocation) ? cudaMemoryTypeHost : cudaMemoryTypeManaged, 0, address, address, {0}};
    return cudaSuccess;
}
