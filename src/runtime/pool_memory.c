/* pool_memory.c: memory in stream order, of pools; of a stream that is being captured, by nodes of a graph. */
#include "runtime/beside.h"
#include "runtime/device_memory.h"
#include "runtime/graph_memory.h"
#include "runtime/late.h"
#include "runtime/mempool.h"
#include "runtime/submit.h"

/* --- in stream order. Work is done at once, so memory is there, or gone, when the call returns. --- */

/* Of a stream that is being captured it becomes a node. */
static cudaError_t allocate_of_pool(Context *context, const char *call, void **pointer, size_t bytes, MemPool *pool,
                                    cudaStream_t handle) {
    Stream *stream = stream_find(context, handle);
    if (!stream) return cudaErrorInvalidResourceHandle;
    if (!pool || !pointer) return cudaErrorInvalidValue;
    if (stream->capture && bytes) return graph_memory_capture(context, stream, pointer, bytes);
    const cudaError_t error = device_memory_new(context, call, pointer, bytes, 0);
    if (error || !bytes) return error;
    memory_find(context->memory, (uintptr_t)*pointer)->tag |= pool->number << TAG_FLAGS_SHIFT;
    mempool_take(pool, bytes);
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

PER_THREAD_CALL(cudaFreeAsync, _ptsz, (void *pointer, cudaStream_t handle), (pointer, handle));
static cudaError_t cudaFreeAsync_locked(Context *context, void *pointer, cudaStream_t handle) {
    Stream *stream = stream_find(context, handle);
    if (!stream) return cudaErrorInvalidResourceHandle;
    if (stream->capture) return graph_memory_capture_free(context, stream, pointer);
    if (beside_waits(context)) /* a launch may have found it already */
        late_run_all(context);
    else
        late_run(context, order_ready(context, stream));
    return device_memory_free(context, callsite_name(), pointer);
}
