#include "runtime/mempool.h"

#include <stdlib.h>

#include "base/alloc.h"

uint64_t mempool_chunks(uint64_t bytes) {
    enum { CHUNK = 32 << 20 };
    return (bytes + CHUNK - 1) / CHUNK * CHUNK;
}

static MemPool *pool_new(Context *context) {
    MemPool *pool = alloc_zeroed(1, sizeof *pool), **at = &context->pools;
    for (int i = 0; i < 3; i++) pool->reuse[i] = 1;
    pool->number = ++context->n_pools;
    while (*at) at = &(*at)->next;
    return *at = pool;
}

MemPool *mempool_own(Context *context) {
    if (!context->pools) pool_new(context)->is_own = true;
    return context->pools;
}

MemPool *mempool_current(Context *context) {
    MemPool *own = mempool_own(context);
    return context->pool ? context->pool : own;
}

MemPool *mempool_find(Context *context, cudaMemPool_t handle) {
    MemPool *pool = mempool_own(context);
    while (pool && pool != handle) pool = pool->next;
    return pool && !pool->destroyed ? pool : NULL;
}

static MemPool *numbered(const Context *context, uint32_t number) {
    MemPool *pool = context->pools;
    while (pool && pool->number != number) pool = pool->next;
    return pool;
}

void mempool_take(Context *context, uint32_t number, uint64_t bytes) {
    MemPool *pool = numbered(context, number);
    if (!pool) return;
    pool->used += bytes;
    if (pool->used > pool->reserved) pool->reserved = mempool_chunks(pool->used);
    if (pool->used > pool->used_high) pool->used_high = pool->used;
    if (pool->reserved > pool->reserved_high) pool->reserved_high = pool->reserved;
}

static void remove_unused(Context *context, MemPool *pool) {
    MemPool **at = &context->pools;
    if (!pool->destroyed || pool->used) return;
    while (*at != pool) at = &(*at)->next;
    *at = pool->next;
    free(pool);
}

void mempool_give_back(Context *context, uint32_t number, uint64_t bytes) {
    MemPool *pool = numbered(context, number);
    if (!pool) return;
    pool->used -= bytes;
    remove_unused(context, pool);
}

static void trim(MemPool *pool, uint64_t kept) {
    const uint64_t least = mempool_chunks(pool->used);
    if (kept < least) kept = least;
    if (pool->reserved > kept) pool->reserved = mempool_chunks(kept);
}

void mempools_release(Context *context) {
    for (MemPool *pool = context->pools; pool; pool = pool->next)
        if (pool->reserved > pool->threshold) trim(pool, pool->threshold);
}

void mempools_free(Context *context) {
    for (MemPool *pool = context->pools, *next; pool; pool = next) {
        next = pool->next;
        free(pool);
    }
    context->pools = context->pool = NULL;
}

/* --- which pool --- */

API_CALL(cudaDeviceGetDefaultMemPool, (cudaMemPool_t * pool, int device), (pool, device));
static cudaError_t cudaDeviceGetDefaultMemPool_locked(Context *context, cudaMemPool_t *pool, int device) {
    if (!pool) return cudaErrorInvalidValue;
    if (device) return cudaErrorInvalidDevice;
    *pool = mempool_own(context);
    return cudaSuccess;
}

API_CALL(cudaDeviceGetMemPool, (cudaMemPool_t * pool, int device), (pool, device));
static cudaError_t cudaDeviceGetMemPool_locked(Context *context, cudaMemPool_t *pool, int device) {
    if (!pool) return cudaErrorInvalidValue;
    if (device) return cudaErrorInvalidDevice;
    *pool = mempool_current(context);
    return cudaSuccess;
}

API_CALL(cudaDeviceSetMemPool, (int device, cudaMemPool_t handle), (device, handle));
static cudaError_t cudaDeviceSetMemPool_locked(Context *context, int device, cudaMemPool_t handle) {
    MemPool *pool = mempool_find(context, handle);
    if (device || !pool) return cudaErrorInvalidValue;
    context->pool = pool;
    return cudaSuccess;
}

/* --- which pool a place's memory of a type comes from: the device's, of its own memory, is the only one --- */

static cudaError_t check_place(const struct cudaMemLocation *place, enum cudaMemAllocationType type) {
    if (!place || (place->type == cudaMemLocationTypeDevice && place->id)) return cudaErrorInvalidValue;
    if (place->type == cudaMemLocationTypeDevice && type == cudaMemAllocationTypePinned) return cudaSuccess;
    if (type == cudaMemAllocationTypePinned || type == cudaMemAllocationTypeManaged)
        note("%s: pools of the host's memory, and of managed memory, are not emulated", callsite_name());
    return cudaErrorInvalidValue;
}

API_CALL(cudaMemGetDefaultMemPool, (cudaMemPool_t * pool, struct cudaMemLocation *place, enum cudaMemAllocationType type),
         (pool, place, type));
static cudaError_t cudaMemGetDefaultMemPool_locked(Context *context, cudaMemPool_t *pool, struct cudaMemLocation *place,
                                                   enum cudaMemAllocationType type) {
    const cudaError_t error = pool ? check_place(place, type) : cudaErrorInvalidValue;
    if (!error) *pool = mempool_own(context);
    return error;
}

API_CALL(cudaMemGetMemPool, (cudaMemPool_t * pool, struct cudaMemLocation *place, enum cudaMemAllocationType type),
         (pool, place, type));
static cudaError_t cudaMemGetMemPool_locked(Context *context, cudaMemPool_t *pool, struct cudaMemLocation *place,
                                            enum cudaMemAllocationType type) {
    const cudaError_t error = pool ? check_place(place, type) : cudaErrorInvalidValue;
    if (!error) *pool = mempool_current(context);
    return error;
}

API_CALL(cudaMemSetMemPool, (struct cudaMemLocation * place, enum cudaMemAllocationType type, cudaMemPool_t handle),
         (place, type, handle));
static cudaError_t cudaMemSetMemPool_locked(Context *context, struct cudaMemLocation *place, enum cudaMemAllocationType type,
                                            cudaMemPool_t handle) {
    const cudaError_t error = check_place(place, type);
    MemPool *pool = mempool_find(context, handle);
    if (!error && pool) context->pool = pool;
    return error ? error : pool ? cudaSuccess : cudaErrorInvalidValue;
}

/* --- pools that processes share: none is made, so that none is given out --- */

API_CALL(cudaMemPoolExportToShareableHandle,
         (void *handle, cudaMemPool_t pool, enum cudaMemAllocationHandleType type, unsigned flags),
         (handle, pool, type, flags));
static cudaError_t cudaMemPoolExportToShareableHandle_locked(Context *context, void *handle, cudaMemPool_t pool,
                                                             enum cudaMemAllocationHandleType type, unsigned flags) {
    (void)type;
    if (handle && !flags && mempool_find(context, pool))
        note("cudaMemPoolExportToShareableHandle: the pool was made with no type of handle, and is this process's own");
    return cudaErrorInvalidValue;
}

API_CALL(cudaMemPoolExportPointer, (struct cudaMemPoolPtrExportData * data, void *pointer), (data, pointer));
static cudaError_t cudaMemPoolExportPointer_locked(Context *context, struct cudaMemPoolPtrExportData *data, void *pointer) {
    if (data && memory_find(context->memory, (uintptr_t)pointer))
        note("cudaMemPoolExportPointer: the pool that this memory is from was made with no type of handle, and is this "
             "process's own");
    return cudaErrorInvalidValue;
}

/* --- pools that the program makes --- */

/* Of the device's memory alone: what the host has is no pool's here. */
API_CALL(cudaMemPoolCreate, (cudaMemPool_t * handle, const struct cudaMemPoolProps *properties), (handle, properties));
static cudaError_t cudaMemPoolCreate_locked(Context *context, cudaMemPool_t *handle,
                                            const struct cudaMemPoolProps *properties) {
    if (!handle || !properties || properties->allocType != cudaMemAllocationTypePinned) return cudaErrorInvalidValue;
    if (properties->location.type == cudaMemLocationTypeDevice && properties->location.id) return cudaErrorInvalidValue;
    if (properties->location.type != cudaMemLocationTypeDevice || properties->handleTypes) {
        const bool shared = properties->location.type == cudaMemLocationTypeDevice;
        note("cudaMemPoolCreate: pools %s are not emulated", shared ? "that processes share" : "of the host's memory");
        return shared ? cudaErrorNotSupported : cudaErrorInvalidValue;
    }
    mempool_own(context);
    *handle = pool_new(context);
    return cudaSuccess;
}

API_CALL(cudaMemPoolDestroy, (cudaMemPool_t handle), (handle));
static cudaError_t cudaMemPoolDestroy_locked(Context *context, cudaMemPool_t handle) {
    MemPool *pool = mempool_find(context, handle);
    if (!pool || pool->is_own) return cudaErrorInvalidValue;
    if (context->pool == pool) context->pool = NULL;
    pool->destroyed = true;
    remove_unused(context, pool);
    return cudaSuccess;
}

API_CALL(cudaMemPoolTrimTo, (cudaMemPool_t handle, size_t kept), (handle, kept));
static cudaError_t cudaMemPoolTrimTo_locked(Context *context, cudaMemPool_t handle, size_t kept) {
    MemPool *pool = mempool_find(context, handle);
    if (!pool) return cudaErrorInvalidValue;
    trim(pool, kept);
    return cudaSuccess;
}

/* --- attributes: an int each of the first three, else 64 bits --- */

API_CALL(cudaMemPoolGetAttribute, (cudaMemPool_t handle, enum cudaMemPoolAttr which, void *into), (handle, which, into));
static cudaError_t cudaMemPoolGetAttribute_locked(Context *context, cudaMemPool_t handle, enum cudaMemPoolAttr which,
                                                  void *into) {
    const MemPool *pool = mempool_find(context, handle);
    if (!pool || !into) return cudaErrorInvalidValue;
    switch (which) {
    case cudaMemPoolReuseFollowEventDependencies:
    case cudaMemPoolReuseAllowOpportunistic:
    case cudaMemPoolReuseAllowInternalDependencies:
        *(int *)into = pool->reuse[which - cudaMemPoolReuseFollowEventDependencies];
        return cudaSuccess;
    case cudaMemPoolAttrReleaseThreshold: *(uint64_t *)into = pool->threshold; return cudaSuccess;
    case cudaMemPoolAttrReservedMemCurrent: *(uint64_t *)into = pool->reserved; return cudaSuccess;
    case cudaMemPoolAttrReservedMemHigh: *(uint64_t *)into = pool->reserved_high; return cudaSuccess;
    case cudaMemPoolAttrUsedMemCurrent: *(uint64_t *)into = pool->used; return cudaSuccess;
    case cudaMemPoolAttrUsedMemHigh: *(uint64_t *)into = pool->used_high; return cudaSuccess;
    }
    return cudaErrorInvalidValue;
}

/* The highest values can be set to 0 alone, which begins them anew. */
static cudaError_t begin_anew(uint64_t *high, uint64_t current, uint64_t value) {
    if (value) return cudaErrorInvalidValue;
    *high = current;
    return cudaSuccess;
}

API_CALL(cudaMemPoolSetAttribute, (cudaMemPool_t handle, enum cudaMemPoolAttr which, void *value), (handle, which, value));
static cudaError_t cudaMemPoolSetAttribute_locked(Context *context, cudaMemPool_t handle, enum cudaMemPoolAttr which,
                                                  void *value) {
    MemPool *pool = mempool_find(context, handle);
    if (!pool || !value) return cudaErrorInvalidValue;
    switch (which) {
    case cudaMemPoolReuseFollowEventDependencies:
    case cudaMemPoolReuseAllowOpportunistic:
    case cudaMemPoolReuseAllowInternalDependencies:
        pool->reuse[which - cudaMemPoolReuseFollowEventDependencies] = *(const int *)value != 0;
        return cudaSuccess;
    case cudaMemPoolAttrReleaseThreshold: pool->threshold = *(const uint64_t *)value; return cudaSuccess;
    case cudaMemPoolAttrReservedMemHigh: return begin_anew(&pool->reserved_high, pool->reserved, *(const uint64_t *)value);
    case cudaMemPoolAttrUsedMemHigh: return begin_anew(&pool->used_high, pool->used, *(const uint64_t *)value);
    case cudaMemPoolAttrReservedMemCurrent:
    case cudaMemPoolAttrUsedMemCurrent: break;
    }
    return cudaErrorInvalidValue;
}

/* --- who may use it: the one device may, and nothing takes that from it --- */

API_CALL(cudaMemPoolSetAccess, (cudaMemPool_t handle, const struct cudaMemAccessDesc *list, size_t count),
         (handle, list, count));
static cudaError_t cudaMemPoolSetAccess_locked(Context *context, cudaMemPool_t handle, const struct cudaMemAccessDesc *list,
                                               size_t count) {
    if (!mempool_find(context, handle) || (count && !list)) return cudaErrorInvalidValue;
    for (size_t i = 0; i < count; i++) {
        if (list[i].location.type != cudaMemLocationTypeDevice) return cudaErrorInvalidValue;
        if (list[i].location.id || list[i].flags != cudaMemAccessFlagsProtReadWrite) return cudaErrorInvalidDevice;
    }
    return cudaSuccess;
}

API_CALL(cudaMemPoolGetAccess, (enum cudaMemAccessFlags * flags, cudaMemPool_t handle, struct cudaMemLocation *location),
         (flags, handle, location));
static cudaError_t cudaMemPoolGetAccess_locked(Context *context, enum cudaMemAccessFlags *flags, cudaMemPool_t handle,
                                               struct cudaMemLocation *location) {
    if (!flags || !location || !mempool_find(context, handle)) return cudaErrorInvalidValue;
    if (location->type != cudaMemLocationTypeDevice || location->id) return cudaErrorInvalidValue;
    *flags = cudaMemAccessFlagsProtReadWrite;
    return cudaSuccess;
}
