/* device_memory_calls.c: cudaMalloc and its kin, cudaFree. */
#include "base/alloc.h"
#include "runtime/capture.h"
#include "runtime/device_memory.h"
#include "runtime/late.h"
#include "runtime/submit.h"

enum { PITCH = 512 }; /* rows of cudaMallocPitch begin at multiples of it */

Allocation *device_memory_take(Context *context, const char *call, uint64_t bytes) {
    FREED char *name = alloc_copy(call); /* calls whose work is done here have names of their own */
    for (uint64_t left; bytes > (left = device_memory_left(context));)
        if (!late_make_room(context, bytes - left)) break;
    return device_memory_allocate(context, name, bytes);
}

static API_CALL(allocate_call, (const char *call, void **pointer, size_t bytes, size_t pitch), (call, pointer, bytes, pitch));
cudaError_t device_memory_new(Context *context, const char *call, void **pointer, size_t bytes, size_t pitch) {
    cudaError_t forbidden = capture_forbids(context);
    if (forbidden) return forbidden;
    if (!pointer) return cudaErrorInvalidValue;
    *pointer = NULL;
    if (!bytes) return cudaSuccess;
    Allocation *allocation = device_memory_take(context, call, bytes);
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

API_CALL(cudaFree, (void *pointer), (pointer));
static cudaError_t cudaFree_locked(Context *context, void *pointer) {
    const cudaError_t forbidden = capture_forbids(context);
    if (forbidden || !pointer) return forbidden;
    const cudaError_t found = stream_wait_for_all(context);
    if (context->sticky) return found;
    const cudaError_t error = device_memory_free(context, callsite_name(), pointer);
    return found ? found : error;
}

API_CALL(cudaMemGetInfo, (size_t * available, size_t *total), (available, total));
static cudaError_t cudaMemGetInfo_locked(Context *context, size_t *available, size_t *total) {
    if (total) *total = context->options.profile->memory_bytes;
    if (available) *available = device_memory_left(context);
    return cudaSuccess;
}
