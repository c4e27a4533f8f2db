/* pool_memory.c: memory in stream order, of pools; of a stream that is being captured, by nodes of a graph. */
#include "runtime/device_memory.h"
#include "runtime/graph_memory.h"
#include "runtime/late.h"
#include "runtime/mempool.h"
#include "runtime/submit.h"

/* --- in stream order: memory is there when the call returns, and gone when what comes before that is done --- */

/* Of a stream that is being captured it becomes a node. */
static cudaError_t allocate_of_pool(Context *context, const char *call, void **pointer, size_t bytes, MemPool *pool,
                                    cudaStream_t handle) {
    Stream *stream = stream_find(context, handle);
    if (!stream) return cudaErrorInvalidResourceHandle;
    if (!pool || !pointer) return cudaErrorInvalidValue;
    if (stream->capture && bytes) return graph_memory_capture(context, stream, pointer, bytes);
    const uint32_t number = pool->number; /* the pool may go while it is waited for memory */
    const cudaError_t error = device_memory_new(context, call, pointer, bytes, 0);
    if (error || !bytes) return error;
    memory_find(context->memory, (uintptr_t)*pointer)->tag |= number << TAG_FLAGS_SHIFT;
    mempool_take(context, number, bytes);
    return cudaSuccess;
}

PER_THREAD_CALL(cudaMallocAsync, _ptsz, (void **pointer, size_t bytes, cudaStream_t stream), (pointer, bytes, stream));
static cudaError_t cudaMallocAsync_locked(Context *context, void **pointer, size_t bytes, cudaStream_t stream) {
    return allocate_of_pool(context, callsite_name(), pointer, bytes, mempool_current(context), stream);
}

PER_THREAD_CALL(cudaMallocFromPoolAsync, _ptsz, (void **pointer, size_t bytes, cudaMemPool_t pool, cudaStream_t stream),
                (pointer, bytes, pool, stream));
static cudaError_t cudaMallocFromPoolAsync_locked(Context *context, void **pointer, size_t bytes, cudaMemPool_t pool,
                                                  cudaStream_t stream) {
    return allocate_of_pool(context, callsite_name(), pointer, bytes, mempool_find(context, pool), stream);
}

/* What a graph allocates that is left comes to be there. */
static cudaError_t may_free(const Context *context, const void *pointer) {
    const uint64_t address = (uintptr_t)pointer;
    const Allocation *now = memory_find(context->memory, address);
    const bool is_there = now && now->address == address, leaves = late_leaves(context, NULL, address, is_there);
    if (leaves && !is_there) return cudaSuccess;
    if (leaves || !late_frees(context, address)) return device_memory_may_free(context, callsite_name(), pointer);
    note("%s: %p has been freed already", callsite_name(), pointer);
    return cudaErrorInvalidValue;
}

PER_THREAD_CALL(cudaFreeAsync, _ptsz, (void *pointer, cudaStream_t handle), (pointer, handle));
static cudaError_t cudaFreeAsync_locked(Context *context, void *pointer, cudaStream_t handle) {
    Stream *stream = stream_find(context, handle);
    if (!stream) return cudaErrorInvalidResourceHandle;
    if (stream->capture) return graph_memory_capture_free(context, stream, pointer);
    if (!pointer) return cudaSuccess;
    const cudaError_t error = may_free(context, pointer);
    return error ? error : stream_submit(context, stream, &(Work){.kind = WORK_FREE, .memory = (uintptr_t)pointer});
}
