/* The driver API's launches, streams, events and captured graphs. */
#include <string.h>

#include "runtime/driver_calls.h"
#include "runtime/image.h"
#include "runtime/launch_kernel.h"

/* --- launches --- */

/* Where each parameter is in them; the caller frees. */
static API_CALL(unpack, (CUfunction function, const PackedParameters *packed, void ***parameters),
                (function, packed, parameters));
static cudaError_t unpack_locked(Context *context, CUfunction function, const PackedParameters *packed, void ***parameters) {
    cudaError_t error;
    const ImageKernel *kernel = image_kernel(context, function, &error);
    if (!kernel) return error;
    const uint32_t n = kernel->function->n_params;
    if (n && !packed->bytes) return cudaErrorInvalidValue;
    *parameters = alloc_zeroed(n + 1, sizeof **parameters);
    for (uint32_t i = 0; i < n; i++) {
        const Variable *parameter = &kernel->image->program->variables[kernel->function->params[i]];
        if (parameter->offset + parameter->bytes > packed->count) {
            note("%s: the kernel's parameters take more than the %zu bytes of CU_LAUNCH_PARAM_BUFFER_SIZE", callsite_name(),
                 packed->count);
            return cudaErrorInvalidValue;
        }
        (*parameters)[i] = (void *)(uintptr_t)(packed->bytes + parameter->offset);
    }
    return cudaSuccess;
}

static cudaError_t launch(const CUlaunchConfig *config, CUfunction function, void **parameters, void **extra) {
    PackedParameters packed = {0};
    FREED void **unpacked = NULL;
    if (!function) return cudaErrorInvalidResourceHandle;
    if (!config || (config->numAttrs && !config->attrs)) return cudaErrorInvalidValue;
    if (extra && (parameters || !kernel_read_extra(extra, &packed))) return cudaErrorInvalidValue;
    const cudaError_t error = extra ? unpack(function, &packed, &unpacked) : cudaSuccess;
    if (error) return error;
    const cudaLaunchConfig_t of_runtime = driver_launch_config(config);
    return cudaLaunchKernelExC(&of_runtime, function, extra ? unpacked : parameters);
}

DRIVER_STREAM_CALL(_ptsz, cuLaunchKernel,
                   (CUfunction function, unsigned grid_x, unsigned grid_y, unsigned grid_z, unsigned block_x, unsigned block_y,
                    unsigned block_z, unsigned shared_bytes, CUstream stream, void **parameters, void **extra),
                   (function, grid_x, grid_y, grid_z, block_x, block_y, block_z, shared_bytes, stream, parameters, extra)) {
    return launch(&(CUlaunchConfig){grid_x, grid_y, grid_z, block_x, block_y, block_z, shared_bytes, stream, NULL, 0}, function,
                  parameters, extra);
}

DRIVER_STREAM_CALL(_ptsz, cuLaunchKernelEx,
                   (const CUlaunchConfig *config, CUfunction function, void **parameters, void **extra),
                   (config, function, parameters, extra)) {
    return launch(config, function, parameters, extra);
}

DRIVER_STREAM_CALL(_ptsz, cuLaunchCooperativeKernel,
                   (CUfunction function, unsigned grid_x, unsigned grid_y, unsigned grid_z, unsigned block_x, unsigned block_y,
                    unsigned block_z, unsigned shared_bytes, CUstream stream, void **parameters),
                   (function, grid_x, grid_y, grid_z, block_x, block_y, block_z, shared_bytes, stream, parameters)) {
    CUlaunchAttribute together = {.id = CU_LAUNCH_ATTRIBUTE_COOPERATIVE, .value.cooperative = 1};
    return launch(&(CUlaunchConfig){grid_x, grid_y, grid_z, block_x, block_y, block_z, shared_bytes, stream, &together, 1},
                  function, parameters, NULL);
}

DRIVER_STREAM_CALL(_ptsz, cuLaunchHostFunc, (CUstream stream, CUhostFn function, void *data), (stream, function, data)) {
    return cudaLaunchHostFunc(stream, function, data);
}

/* --- occupancy --- */

DRIVER_CALL(DRIVER_CURRENT, cuOccupancyMaxActiveBlocksPerMultiprocessor,
            (int *blocks, CUfunction function, int threads, size_t shared_bytes), (blocks, function, threads, shared_bytes)) {
    return cudaOccupancyMaxActiveBlocksPerMultiprocessor(blocks, function, threads, shared_bytes);
}

DRIVER_CALL(DRIVER_CURRENT, cuOccupancyMaxActiveBlocksPerMultiprocessorWithFlags,
            (int *blocks, CUfunction function, int threads, size_t shared_bytes, unsigned flags),
            (blocks, function, threads, shared_bytes, flags)) {
    return cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(blocks, function, threads, shared_bytes, flags);
}

/* --- streams --- */

DRIVER_CALL(DRIVER_CURRENT, cuStreamCreate, (CUstream * stream, unsigned flags), (stream, flags)) {
    return cudaStreamCreateWithFlags(stream, flags);
}

DRIVER_CALL(DRIVER_CURRENT, cuStreamCreateWithPriority, (CUstream * stream, unsigned flags, int priority),
            (stream, flags, priority)) {
    return cudaStreamCreateWithPriority(stream, flags, priority);
}

DRIVER_STREAM_CALL(_ptsz, cuStreamGetPriority, (CUstream stream, int *priority), (stream, priority)) {
    return cudaStreamGetPriority(stream, priority);
}

DRIVER_STREAM_CALL(_ptsz, cuStreamGetFlags, (CUstream stream, unsigned *flags), (stream, flags)) {
    return cudaStreamGetFlags(stream, flags);
}

DRIVER_STREAM_CALL(_ptsz, cuStreamGetCtx, (CUstream stream, CUcontext *context), (stream, context)) {
    unsigned flags;
    if (!context) return cudaErrorInvalidValue;
    const cudaError_t error = cudaStreamGetFlags(stream, &flags);
    if (!error) *context = driver_current();
    return error;
}

DRIVER_STREAM_CALL(_ptsz, cuStreamWaitEvent, (CUstream stream, CUevent event, unsigned flags), (stream, event, flags)) {
    return cudaStreamWaitEvent(stream, event, flags);
}

/* The status that it is given, success, is the same number. */
DRIVER_STREAM_CALL(_ptsz, cuStreamAddCallback, (CUstream stream, CUstreamCallback callback, void *data, unsigned flags),
                   (stream, callback, data, flags)) {
    cudaStreamCallback_t of_runtime;
    memcpy(&of_runtime, &callback, sizeof of_runtime);
    return cudaStreamAddCallback(stream, of_runtime, data, flags);
}

DRIVER_STREAM_CALL(_ptsz, cuStreamAttachMemAsync, (CUstream stream, CUdeviceptr pointer, size_t bytes, unsigned flags),
                   (stream, pointer, bytes, flags)) {
    return cudaStreamAttachMemAsync(stream, (void *)pointer, bytes, flags); /* NOLINT(performance-no-int-to-ptr) */
}

DRIVER_STREAM_CALL(_ptsz, cuStreamQuery, (CUstream stream), (stream)) { return cudaStreamQuery(stream); }

DRIVER_STREAM_CALL(_ptsz, cuStreamSynchronize, (CUstream stream), (stream)) { return cudaStreamSynchronize(stream); }

DRIVER_CALL(DRIVER_CURRENT, cuStreamDestroy, (CUstream stream), (stream)) { return cudaStreamDestroy(stream); }

DRIVER_STREAM_CALL(_ptsz, cuStreamBeginCapture, (CUstream stream, CUstreamCaptureMode mode), (stream, mode)) {
    return cudaStreamBeginCapture(stream, (enum cudaStreamCaptureMode)mode);
}

DRIVER_STREAM_CALL(_ptsz, cuStreamEndCapture, (CUstream stream, CUgraph *graph), (stream, graph)) {
    return cudaStreamEndCapture(stream, graph);
}

DRIVER_STREAM_CALL(_ptsz, cuStreamIsCapturing, (CUstream stream, CUstreamCaptureStatus *status), (stream, status)) {
    return cudaStreamIsCapturing(stream, (enum cudaStreamCaptureStatus *)status);
}

/* --- events --- */

DRIVER_CALL(DRIVER_CURRENT, cuEventCreate, (CUevent * event, unsigned flags), (event, flags)) {
    return cudaEventCreateWithFlags(event, flags);
}

DRIVER_STREAM_CALL(_ptsz, cuEventRecord, (CUevent event, CUstream stream), (event, stream)) {
    return cudaEventRecord(event, stream);
}

DRIVER_STREAM_CALL(_ptsz, cuEventRecordWithFlags, (CUevent event, CUstream stream, unsigned flags), (event, stream, flags)) {
    return cudaEventRecordWithFlags(event, stream, flags);
}

DRIVER_CALL(DRIVER_CURRENT, cuEventQuery, (CUevent event), (event)) { return cudaEventQuery(event); }

DRIVER_CALL(DRIVER_CURRENT, cuEventSynchronize, (CUevent event), (event)) { return cudaEventSynchronize(event); }

DRIVER_CALL(DRIVER_CURRENT, cuEventDestroy, (CUevent event), (event)) { return cudaEventDestroy(event); }

DRIVER_CALL(DRIVER_CURRENT, cuEventElapsedTime, (float *ms, CUevent begin, CUevent end), (ms, begin, end)) {
    return cudaEventElapsedTime(ms, begin, end);
}

/* --- graphs, as captured from streams --- */

DRIVER_CALL(DRIVER_CURRENT, cuGraphInstantiate, (CUgraphExec * executable, CUgraph graph, unsigned long long flags),
            (executable, graph, flags)) {
    return cudaGraphInstantiateWithFlags(executable, graph, flags);
}

DRIVER_STREAM_CALL(_ptsz, cuGraphLaunch, (CUgraphExec executable, CUstream stream), (executable, stream)) {
    return cudaGraphLaunch(executable, stream);
}

DRIVER_CALL(DRIVER_CURRENT, cuGraphExecDestroy, (CUgraphExec executable), (executable)) {
    return cudaGraphExecDestroy(executable);
}

DRIVER_CALL(DRIVER_CURRENT, cuGraphDestroy, (CUgraph graph), (graph)) { return cudaGraphDestroy(graph); }
