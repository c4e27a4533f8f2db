/* driver_asks.c: the driver API's questions, and what is the runtime's by other names: pools, streams' attributes, ranges, peers, processes, occupancy. */
#include <string.h>

#include "machine/grid.h"
#include "runtime/device_memory.h"
#include "runtime/driver_calls.h"
#include "runtime/mempool.h"

/* --- pointers --- */

typedef struct PointerQuestion {
    CUpointer_attribute attribute;
    CUdeviceptr pointer;
    void *value;
} PointerQuestion;

static bool is_host(const Allocation *in) { return tag_kind(in) == TAG_PINNED || tag_kind(in) == TAG_REGISTERED; }

/* The pool that it was allocated from, or NULL. */
static MemPool *pool_of(const Context *context, const Allocation *in) {
    const uint32_t number = tag_kind(in) == TAG_DEVICE ? in->tag >> TAG_FLAGS_SHIFT : 0;
    MemPool *pool = number ? context->pools : NULL;
    while (pool && pool->number != number) pool = pool->next;
    return pool;
}

/* What a number, or an address, is; false: it is none. */
static bool give_number(const Context *context, const PointerQuestion *asked, const Allocation *in) {
    void *value = asked->value;
    switch ((int)asked->attribute) {
    case CU_POINTER_ATTRIBUTE_MEMORY_TYPE:
        *(unsigned *)value = is_host(in) ? CU_MEMORYTYPE_HOST : CU_MEMORYTYPE_DEVICE;
        return true;
    case CU_POINTER_ATTRIBUTE_SYNC_MEMOPS: *(unsigned *)value = !is_host(in); return true;
    case CU_POINTER_ATTRIBUTE_BUFFER_ID:
    case CU_POINTER_ATTRIBUTE_MEMORY_BLOCK_ID: *(unsigned long long *)value = in->address >> 8; return true;
    case CU_POINTER_ATTRIBUTE_IS_MANAGED: *(unsigned *)value = in->unified && !is_host(in); return true;
    case CU_POINTER_ATTRIBUTE_DEVICE_ORDINAL: *(int *)value = 0; return true;
    case CU_POINTER_ATTRIBUTE_IS_LEGACY_CUDA_IPC_CAPABLE:
        *(unsigned *)value = tag_kind(in) == TAG_DEVICE && !(in->tag >> TAG_FLAGS_SHIFT);
        return true;
    case CU_POINTER_ATTRIBUTE_RANGE_SIZE:
    case CU_POINTER_ATTRIBUTE_MAPPING_SIZE: *(size_t *)value = in->bytes; return true;
    case CU_POINTER_ATTRIBUTE_MAPPED: *(unsigned *)value = 1; return true;
    case CU_POINTER_ATTRIBUTE_ALLOWED_HANDLE_TYPES: *(unsigned long long *)value = 0; return true;
    case CU_POINTER_ATTRIBUTE_IS_GPU_DIRECT_RDMA_CAPABLE:
    case CU_POINTER_ATTRIBUTE_IS_HW_DECOMPRESS_CAPABLE: *(unsigned *)value = 0; return true;
    case CU_POINTER_ATTRIBUTE_ACCESS_FLAGS: *(unsigned *)value = CU_MEM_ACCESS_FLAGS_PROT_READWRITE; return true;
    case CU_POINTER_ATTRIBUTE_MEMPOOL_HANDLE: *(CUmemoryPool *)value = pool_of(context, in); return true;
    }
    return false;
}

static cudaError_t give(const Context *context, const PointerQuestion *asked) {
    const Allocation *in = memory_find(context->memory, asked->pointer);
    void *value = asked->value;
    if (!value || !in) return cudaErrorInvalidValue;
    switch ((int)asked->attribute) {
    case CU_POINTER_ATTRIBUTE_CONTEXT: *(CUcontext *)value = driver_current(); return cudaSuccess;
    case CU_POINTER_ATTRIBUTE_DEVICE_POINTER: *(CUdeviceptr *)value = asked->pointer; return cudaSuccess;
    case CU_POINTER_ATTRIBUTE_HOST_POINTER:
        if (!in->unified) return cudaErrorInvalidValue;
        *(void **)value = driver_at(asked->pointer);
        return cudaSuccess;
    case CU_POINTER_ATTRIBUTE_RANGE_START_ADDR:
    case CU_POINTER_ATTRIBUTE_MAPPING_BASE_ADDR: *(CUdeviceptr *)value = in->address; return cudaSuccess;
    }
    return give_number(context, asked, in) ? cudaSuccess : cudaErrorInvalidValue;
}

static API_CALL(ask_pointer, (const PointerQuestion *asked), (asked));
static cudaError_t ask_pointer_locked(Context *context, const PointerQuestion *asked) { return give(context, asked); }

DRIVER_CALL(DRIVER_CURRENT, cuPointerGetAttribute, (void *value, CUpointer_attribute attribute, CUdeviceptr pointer),
            (value, attribute, pointer)) {
    return ask_pointer(&(PointerQuestion){attribute, pointer, value});
}

/* Of its value. */
static size_t bytes_of(CUpointer_attribute attribute) {
    switch ((int)attribute) {
    case CU_POINTER_ATTRIBUTE_CONTEXT:
    case CU_POINTER_ATTRIBUTE_DEVICE_POINTER:
    case CU_POINTER_ATTRIBUTE_HOST_POINTER:
    case CU_POINTER_ATTRIBUTE_BUFFER_ID:
    case CU_POINTER_ATTRIBUTE_RANGE_START_ADDR:
    case CU_POINTER_ATTRIBUTE_RANGE_SIZE:
    case CU_POINTER_ATTRIBUTE_ALLOWED_HANDLE_TYPES:
    case CU_POINTER_ATTRIBUTE_MEMPOOL_HANDLE:
    case CU_POINTER_ATTRIBUTE_MAPPING_SIZE:
    case CU_POINTER_ATTRIBUTE_MAPPING_BASE_ADDR:
    case CU_POINTER_ATTRIBUTE_MEMORY_BLOCK_ID: return sizeof(uint64_t);
    }
    return sizeof(uint32_t);
}

/* What cannot be said of the address is 0. */
static API_CALL(ask_all, (unsigned count, const CUpointer_attribute *attributes, void **values, CUdeviceptr pointer),
                (count, attributes, values, pointer));
static cudaError_t ask_all_locked(Context *context, unsigned count, const CUpointer_attribute *attributes, void **values,
                                  CUdeviceptr pointer) {
    if (!count || !attributes || !values) return cudaErrorInvalidValue;
    for (unsigned i = 0; i < count; i++) {
        const CUpointer_attribute attribute = attributes[i];
        if (!values[i] || (unsigned)attribute - 1 >= CU_POINTER_ATTRIBUTE_IS_HW_DECOMPRESS_CAPABLE)
            return cudaErrorInvalidValue;
        if (!give(context, &(PointerQuestion){attribute, pointer, values[i]})) continue;
        memset(values[i], 0, bytes_of(attribute));
    }
    return cudaSuccess;
}

DRIVER_CALL(DRIVER_CURRENT, cuPointerGetAttributes,
            (unsigned count, CUpointer_attribute *attributes, void **values, CUdeviceptr pointer),
            (count, attributes, values, pointer)) {
    return ask_all(count, attributes, values, pointer);
}

/* The one that can be set has host code wait for what is always waited for here. */
DRIVER_CALL(DRIVER_CURRENT, cuPointerSetAttribute, (const void *value, CUpointer_attribute attribute, CUdeviceptr pointer),
            (value, attribute, pointer)) {
    unsigned ignored;
    if (!value || attribute != CU_POINTER_ATTRIBUTE_SYNC_MEMOPS) return cudaErrorInvalidValue;
    return ask_pointer(&(PointerQuestion){CU_POINTER_ATTRIBUTE_MAPPED, pointer, &ignored});
}

DRIVER_CALL(DRIVER_CURRENT, cuMemRangeGetAttribute,
            (void *into, size_t into_bytes, CUmem_range_attribute attribute, CUdeviceptr pointer, size_t bytes),
            (into, into_bytes, attribute, pointer, bytes)) {
    return cudaMemRangeGetAttribute(into, into_bytes, (enum cudaMemRangeAttribute)attribute, driver_at(pointer), bytes);
}

DRIVER_CALL(DRIVER_CURRENT, cuMemRangeGetAttributes,
            (void **into, size_t *into_bytes, CUmem_range_attribute *attributes, size_t count, CUdeviceptr pointer,
             size_t bytes),
            (into, into_bytes, attributes, count, pointer, bytes)) {
    return cudaMemRangeGetAttributes(into, into_bytes, (enum cudaMemRangeAttribute *)attributes, count, driver_at(pointer),
                                     bytes);
}

/* --- pools --- */

DRIVER_CALL(DRIVER_INITIALISED, cuDeviceGetDefaultMemPool, (CUmemoryPool * pool, CUdevice device), (pool, device)) {
    return device ? cudaErrorInvalidValue : cudaDeviceGetDefaultMemPool(pool, device);
}

DRIVER_CALL(DRIVER_INITIALISED, cuDeviceGetMemPool, (CUmemoryPool * pool, CUdevice device), (pool, device)) {
    return device ? cudaErrorInvalidValue : cudaDeviceGetMemPool(pool, device);
}

DRIVER_CALL(DRIVER_INITIALISED, cuDeviceSetMemPool, (CUdevice device, CUmemoryPool pool), (device, pool)) {
    return cudaDeviceSetMemPool(device, pool);
}

DRIVER_CALL(DRIVER_INITIALISED, cuMemPoolCreate, (CUmemoryPool * pool, const CUmemPoolProps *properties), (pool, properties)) {
    return cudaMemPoolCreate(pool, (const struct cudaMemPoolProps *)properties);
}

DRIVER_CALL(DRIVER_INITIALISED, cuMemPoolDestroy, (CUmemoryPool pool), (pool)) { return cudaMemPoolDestroy(pool); }

DRIVER_CALL(DRIVER_INITIALISED, cuMemPoolTrimTo, (CUmemoryPool pool, size_t kept), (pool, kept)) {
    return cudaMemPoolTrimTo(pool, kept);
}

DRIVER_CALL(DRIVER_INITIALISED, cuMemPoolGetAttribute, (CUmemoryPool pool, CUmemPool_attribute which, void *into),
            (pool, which, into)) {
    return cudaMemPoolGetAttribute(pool, (enum cudaMemPoolAttr)which, into);
}

DRIVER_CALL(DRIVER_INITIALISED, cuMemPoolSetAttribute, (CUmemoryPool pool, CUmemPool_attribute which, void *value),
            (pool, which, value)) {
    return cudaMemPoolSetAttribute(pool, (enum cudaMemPoolAttr)which, value);
}

DRIVER_CALL(DRIVER_INITIALISED, cuMemPoolSetAccess, (CUmemoryPool pool, const CUmemAccessDesc *list, size_t count),
            (pool, list, count)) {
    return cudaMemPoolSetAccess(pool, (const struct cudaMemAccessDesc *)list, count);
}

DRIVER_CALL(DRIVER_INITIALISED, cuMemPoolGetAccess, (CUmemAccess_flags * flags, CUmemoryPool pool, CUmemLocation *location),
            (flags, pool, location)) {
    return cudaMemPoolGetAccess((enum cudaMemAccessFlags *)flags, pool, (struct cudaMemLocation *)location);
}

DRIVER_STREAM_CALL(_ptsz, cuMemAllocFromPoolAsync, (CUdeviceptr * pointer, size_t bytes, CUmemoryPool pool, CUstream stream),
                   (pointer, bytes, pool, stream)) {
    if (!pointer || !bytes) return cudaErrorInvalidValue;
    const cudaError_t error = cudaMallocFromPoolAsync((void **)pointer, bytes, pool, stream);
    if (!error) driver_keep(*pointer);
    return error;
}

/* --- streams --- */

DRIVER_STREAM_CALL(_ptsz, cuStreamGetId, (CUstream stream, unsigned long long *id), (stream, id)) {
    return cudaStreamGetId(stream, id);
}

DRIVER_STREAM_CALL(_ptsz, cuStreamGetDevice, (CUstream stream, CUdevice *device), (stream, device)) {
    return cudaStreamGetDevice(stream, device);
}

DRIVER_STREAM_CALL(_ptsz, cuStreamGetAttribute, (CUstream stream, CUlaunchAttributeID attribute, CUlaunchAttributeValue *value),
                   (stream, attribute, value)) {
    return cudaStreamGetAttribute(stream, (cudaLaunchAttributeID)attribute, (cudaLaunchAttributeValue *)value);
}

DRIVER_STREAM_CALL(_ptsz, cuStreamSetAttribute,
                   (CUstream stream, CUlaunchAttributeID attribute, const CUlaunchAttributeValue *value),
                   (stream, attribute, value)) {
    return cudaStreamSetAttribute(stream, (cudaLaunchAttributeID)attribute, (const cudaLaunchAttributeValue *)value);
}

DRIVER_STREAM_CALL(_ptsz, cuStreamCopyAttributes, (CUstream to, CUstream from), (to, from)) {
    return cudaStreamCopyAttributes(to, from);
}

/* --- other devices, other processes: none --- */

DRIVER_CALL(DRIVER_INITIALISED, cuDeviceGetByPCIBusId, (CUdevice * device, const char *name), (device, name)) {
    return cudaDeviceGetByPCIBusId(device, name);
}

DRIVER_CALL(DRIVER_INITIALISED, cuDeviceGetP2PAttribute,
            (int *value, CUdevice_P2PAttribute attribute, CUdevice device, CUdevice peer), (value, attribute, device, peer)) {
    return cudaDeviceGetP2PAttribute(value, (enum cudaDeviceP2PAttr)attribute, device, peer);
}

DRIVER_CALL(DRIVER_CURRENT, cuCtxEnablePeerAccess, (CUcontext context, unsigned flags), (context, flags)) {
    if (flags) return cudaErrorInvalidValue;
    if (!driver_has(context)) return cudaErrorDeviceUninitialized;
    return cudaErrorPeerAccessUnsupported; /* of the one device */
}

DRIVER_CALL(DRIVER_CURRENT, cuCtxDisablePeerAccess, (CUcontext context), (context)) {
    return driver_has(context) ? cudaErrorPeerAccessNotEnabled : cudaErrorDeviceUninitialized;
}

DRIVER_CALL(DRIVER_CURRENT, cuIpcGetMemHandle, (CUipcMemHandle * handle, CUdeviceptr pointer), (handle, pointer)) {
    return cudaIpcGetMemHandle((cudaIpcMemHandle_t *)handle, driver_at(pointer));
}

DRIVER_CALL(DRIVER_CURRENT, cuIpcOpenMemHandle, (CUdeviceptr * pointer, CUipcMemHandle handle, unsigned flags),
            (pointer, handle, flags)) {
    return cudaIpcOpenMemHandle((void **)pointer, *(cudaIpcMemHandle_t *)&handle, flags);
}

DRIVER_CALL(DRIVER_CURRENT, cuIpcCloseMemHandle, (CUdeviceptr pointer), (pointer)) {
    return cudaIpcCloseMemHandle(driver_at(pointer));
}

DRIVER_CALL(DRIVER_CURRENT, cuIpcGetEventHandle, (CUipcEventHandle * handle, CUevent event), (handle, event)) {
    return cudaIpcGetEventHandle((cudaIpcEventHandle_t *)handle, event);
}

DRIVER_CALL(DRIVER_CURRENT, cuIpcOpenEventHandle, (CUevent * event, CUipcEventHandle handle), (event, handle)) {
    return cudaIpcOpenEventHandle(event, *(cudaIpcEventHandle_t *)&handle);
}

/* --- contexts --- */

DRIVER_CALL(DRIVER_INITIALISED, cuCtxGetId, (CUcontext context, unsigned long long *id), (context, id)) {
    if (!context) context = driver_current();
    if (!context || !driver_has(context)) return cudaErrorDeviceUninitialized;
    if (!id) return cudaErrorInvalidValue;
    *id = (uintptr_t)context;
    return cudaSuccess;
}

DRIVER_CALL(DRIVER_CURRENT, cuCtxResetPersistingL2Cache, (void), ()) { return cudaCtxResetPersistingL2Cache(); }

/* --- libraries --- */

DRIVER_CALL(DRIVER_CURRENT, cuLibraryGetManaged, (CUdeviceptr * pointer, size_t *bytes, CUlibrary library, const char *name),
            (pointer, bytes, library, name)) {
    return cudaLibraryGetManaged((void **)pointer, bytes, library, name);
}

DRIVER_CALL(DRIVER_CURRENT, cuLibraryGetUnifiedFunction, (void **function, CUlibrary library, const char *name),
            (function, library, name)) {
    return cudaLibraryGetUnifiedFunction(function, library, name);
}

/* --- occupancy --- */

DRIVER_CALL(DRIVER_CURRENT, cuOccupancyAvailableDynamicSMemPerBlock,
            (size_t * bytes, CUfunction function, int blocks, int threads), (bytes, function, blocks, threads)) {
    return cudaOccupancyAvailableDynamicSMemPerBlock(bytes, function, blocks, threads);
}

DRIVER_CALL(DRIVER_CURRENT, cuOccupancyMaxPotentialClusterSize, (int *size, CUfunction function, const CUlaunchConfig *config),
            (size, function, config)) {
    if (!config) return cudaErrorInvalidValue;
    const cudaLaunchConfig_t same = driver_launch_config(config);
    return cudaOccupancyMaxPotentialClusterSize(size, function, &same);
}

DRIVER_CALL(DRIVER_CURRENT, cuOccupancyMaxActiveClusters, (int *clusters, CUfunction function, const CUlaunchConfig *config),
            (clusters, function, config)) {
    if (!config) return cudaErrorInvalidValue;
    const cudaLaunchConfig_t same = driver_launch_config(config);
    return cudaOccupancyMaxActiveClusters(clusters, function, &same);
}

typedef struct BlockQuestion {
    CUfunction function;
    CUoccupancyB2DSize shared_of; /* NULL: as many bytes for each size */
    size_t shared;
    int limit;
    unsigned flags;
} BlockQuestion;

/* The block size, in whole warps, that keeps the most threads of an SM busy, and the fewest blocks that fill the device. */
static cudaError_t best_block(int *blocks, int *threads, const BlockQuestion *asked) {
    struct cudaFuncAttributes of;
    int sms = 0, best = 0, best_size = 0; /* where not one block has room */
    if (!blocks || !threads) return cudaErrorInvalidValue;
    cudaError_t error = cudaFuncGetAttributes(&of, asked->function);
    if (!error) error = cudaDeviceGetAttribute(&sms, cudaDevAttrMultiProcessorCount, 0);
    if (error) return error;
    const int most = asked->limit > 0 && asked->limit < of.maxThreadsPerBlock ? asked->limit : of.maxThreadsPerBlock;
    for (int above = (most + WARP_LANES - 1) / WARP_LANES * WARP_LANES; !error && above > 0; above -= WARP_LANES) {
        const int size = above < most ? above : most;
        const size_t shared = asked->shared_of ? asked->shared_of(size) : asked->shared;
        int resident = 0;
        error = cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(&resident, asked->function, size, shared, asked->flags);
        if (error || resident * size <= best) continue;
        best = resident * size;
        best_size = size;
    }
    if (error) return error;
    *threads = best_size;
    *blocks = best ? best / best_size * sms : 0;
    return cudaSuccess;
}

DRIVER_CALL(DRIVER_CURRENT, cuOccupancyMaxPotentialBlockSizeWithFlags,
            (int *blocks, int *threads, CUfunction function, CUoccupancyB2DSize shared_of, size_t shared, int limit,
             unsigned flags),
            (blocks, threads, function, shared_of, shared, limit, flags)) {
    return best_block(blocks, threads, &(BlockQuestion){function, shared_of, shared, limit, flags});
}

DRIVER_CALL(DRIVER_CURRENT, cuOccupancyMaxPotentialBlockSize,
            (int *blocks, int *threads, CUfunction function, CUoccupancyB2DSize shared_of, size_t shared, int limit),
            (blocks, threads, function, shared_of, shared, limit)) {
    return best_block(blocks, threads, &(BlockQuestion){function, shared_of, shared, limit, CU_OCCUPANCY_DEFAULT});
}
