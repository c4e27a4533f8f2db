/* Memory that host and device share: pinned, registered and managed. Its address is the same on both sides. */
#include <inttypes.h>
#include <stdio.h>

#include "runtime/device_memory.h"
#include "runtime/hostmap.h"
#include "runtime/stream.h"

static Allocation *allocate(Context *context, const char *call, uint64_t bytes, uint32_t tag) {
    char name[64];
    snprintf(name, sizeof name, "%s %" PRIu64, call, ++context->allocations);
    Allocation *allocation = memory_allocate_unified(context->memory, bytes, name);
    allocation->tag = tag;
    return allocation;
}

/* --- pinned --- */

static cudaError_t allocate_pinned(const char *call, void **pointer, size_t bytes, unsigned flags) {
    cudaError_t error;
    Context *context = api_begin(&error);
    const unsigned known = cudaHostAllocPortable | cudaHostAllocMapped | cudaHostAllocWriteCombined;
    if (context && (!pointer || flags & ~known)) error = cudaErrorInvalidValue;
    if (context && !error) {
        *pointer = NULL;
        if (bytes) *pointer = allocate(context, call, bytes, TAG_PINNED | flags << TAG_FLAGS_SHIFT)->host;
    }
    return api_end(context, error);
}

cudaError_t cudaHostAlloc(void **pointer, size_t bytes, unsigned flags) {
    return allocate_pinned("cudaHostAlloc", pointer, bytes, flags);
}

cudaError_t cudaMallocHost(void **pointer, size_t bytes) {
    return allocate_pinned("cudaMallocHost", pointer, bytes, cudaHostAllocDefault);
}

/* The allocation of this kind that begins at the pointer, or NULL. */
static Allocation *find(const Context *context, const void *pointer, uint32_t kind) {
    Allocation *allocation = memory_find(context->memory, (uintptr_t)pointer);
    return allocation && allocation->address == (uintptr_t)pointer && tag_kind(allocation) == kind ? allocation : NULL;
}

cudaError_t cudaFreeHost(void *pointer) {
    cudaError_t error;
    Context *context = api_begin(&error);
    if (!context || !pointer) return api_end(context, error);
    Allocation *allocation = find(context, pointer, TAG_PINNED);
    if (!allocation) {
        note("cudaFreeHost: %p is not the beginning of memory from cudaMallocHost or cudaHostAlloc", pointer);
        return api_end(context, cudaErrorInvalidValue);
    }
    memory_retire(context->memory, allocation);
    return api_end(context, cudaSuccess);
}

/* --- registered --- */

static bool overlaps(const Context *context, uint64_t address, uint64_t bytes) {
    for (size_t i = 0; i < memory_count(context->memory); i++) {
        const Allocation *allocation = memory_at(context->memory, i);
        if (allocation->address < address + bytes && address < allocation->address + allocation->bytes) return true;
    }
    return false;
}

cudaError_t cudaHostRegister(void *pointer, size_t bytes, unsigned flags) {
    cudaError_t error;
    Context *context = api_begin(&error);
    if (!context) return api_end(context, error);
    const unsigned known = cudaHostRegisterPortable | cudaHostRegisterMapped | cudaHostRegisterReadOnly;
    uint64_t address = (uintptr_t)pointer;
    if (!pointer || !bytes || flags & ~known || address + bytes < address || !hostmap_holds(address) ||
        !hostmap_holds(address + bytes - 1))
        return api_end(context, cudaErrorInvalidValue);
    if (overlaps(context, address, bytes)) return api_end(context, cudaErrorHostMemoryAlreadyRegistered);
    char name[64];
    snprintf(name, sizeof name, "cudaHostRegister %" PRIu64, ++context->allocations);
    Allocation *allocation = memory_borrow(context->memory, pointer, bytes, name);
    allocation->tag = TAG_REGISTERED | flags << TAG_FLAGS_SHIFT;
    return api_end(context, cudaSuccess);
}

cudaError_t cudaHostUnregister(void *pointer) {
    cudaError_t error;
    Context *context = api_begin(&error);
    if (!context) return api_end(context, error);
    if (!pointer) return api_end(context, cudaErrorInvalidValue);
    Allocation *allocation = find(context, pointer, TAG_REGISTERED);
    if (!allocation) return api_end(context, cudaErrorHostMemoryNotRegistered);
    memory_release(context->memory, allocation);
    return api_end(context, cudaSuccess);
}

/* --- managed --- */

cudaError_t cudaMallocManaged(void **pointer, size_t bytes, unsigned flags) {
    cudaError_t error;
    Context *context = api_begin(&error);
    if (!context) return api_end(context, error);
    if (!pointer || !bytes || (flags != cudaMemAttachGlobal && flags != cudaMemAttachHost))
        return api_end(context, cudaErrorInvalidValue);
    *pointer = allocate(context, "cudaMallocManaged", bytes, TAG_MANAGED)->host;
    context->allocated += bytes;
    return api_end(context, cudaSuccess);
}

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

/* Where managed memory resides, and what migrating it costs, is not modelled: these calls only check their arguments. */
cudaError_t cudaMemAdvise(const void *pointer, size_t bytes, enum cudaMemoryAdvise advice, struct cudaMemLocation location) {
    cudaError_t error;
    Context *context = api_begin(&error);
    bool placed = advice != cudaMemAdviseSetReadMostly && advice != cudaMemAdviseUnsetReadMostly;
    bool good = context && bytes && managed(context, pointer, bytes) && advice >= cudaMemAdviseSetReadMostly &&
                advice <= cudaMemAdviseUnsetAccessedBy && (!placed || is_place(location));
    if (context && !good) error = cudaErrorInvalidValue;
    return api_end(context, error);
}

PER_THREAD(cudaMemPrefetchAsync, _ptsz,
           (const void *pointer, size_t bytes, struct cudaMemLocation location, unsigned flags, cudaStream_t stream),
           (pointer, bytes, location, flags, stream)) {
    cudaError_t error;
    Context *context = api_begin(&error);
    if (context && (!bytes || flags || !managed(context, pointer, bytes))) error = cudaErrorInvalidValue;
    if (context && !error && !is_place(location)) error = cudaErrorInvalidDevice;
    if (context && !error && !stream_find(context, stream)) error = cudaErrorInvalidResourceHandle;
    return api_end(context, error);
}

PER_THREAD(cudaStreamAttachMemAsync, _ptsz, (cudaStream_t stream, void *pointer, size_t bytes, unsigned flags),
           (stream, pointer, bytes, flags)) {
    cudaError_t error;
    Stream *found;
    Context *context = stream_begin(stream, &found, &error);
    bool flag = flags == cudaMemAttachGlobal || flags == cudaMemAttachHost || flags == cudaMemAttachSingle;
    if (context && !error && (!flag || !managed(context, pointer, bytes))) error = cudaErrorInvalidValue;
    return api_end(context, error);
}

/* --- questions --- */

static bool is_pinned(const Allocation *allocation) {
    return allocation && (tag_kind(allocation) == TAG_PINNED || tag_kind(allocation) == TAG_REGISTERED);
}

cudaError_t cudaHostGetDevicePointer(void **device, void *host, unsigned flags) {
    cudaError_t error;
    Context *context = api_begin(&error);
    bool good = context && device && !flags && is_pinned(memory_find(context->memory, (uintptr_t)host));
    if (context && !good) error = cudaErrorInvalidValue;
    if (good) *device = host;
    return api_end(context, error);
}

cudaError_t cudaHostGetFlags(unsigned *flags, void *host) {
    cudaError_t error;
    Context *context = api_begin(&error);
    const Allocation *allocation = context ? memory_find(context->memory, (uintptr_t)host) : NULL;
    bool good = flags && is_pinned(allocation);
    if (context && !good) error = cudaErrorInvalidValue;
    if (good) *flags = allocation->tag >> TAG_FLAGS_SHIFT;
    return api_end(context, error);
}

cudaError_t cudaPointerGetAttributes(struct cudaPointerAttributes *attributes, const void *pointer) {
    cudaError_t error;
    Context *context = api_begin(&error);
    if (!context) return api_end(context, error);
    if (!attributes) return api_end(context, cudaErrorInvalidValue);
    const Allocation *allocation = memory_find(context->memory, (uintptr_t)pointer);
    void *address = (void *)pointer;
    if (!allocation)
        *attributes = (struct cudaPointerAttributes){cudaMemoryTypeUnregistered, cudaInvalidDeviceId, NULL, address, {0}};
    else if (!allocation->unified)
        *attributes = (struct cudaPointerAttributes){cudaMemoryTypeDevice, 0, address, NULL, {0}};
    else
        *attributes = (struct cudaPointerAttributes){
            is_pinned(allocation) ? cudaMemoryTypeHost : cudaMemoryTypeManaged, 0, address, address, {0}};
    return api_end(context, cudaSuccess);
}
