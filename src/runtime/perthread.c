/* The interface of programs whose default stream is each thread's own (nvcc's --default-stream per-thread): the headers give calls that
 * take a stream, or stand in the default one, names of their own there (cuda_runtime_api.h, CUDA_API_PER_THREAD_DEFAULT_STREAM). They
 * do what those without the suffix do, except that stream 0 is cudaStreamPerThread. */
#include "runtime/stream.h"

/* clang's code for <<<>>> passes the stream here: see warpscope/launch.h. */
unsigned __cudaPushCallConfiguration_ptsz(dim3 grid, dim3 block, size_t shared_bytes, void *stream);
unsigned __cudaPushCallConfiguration_ptsz(dim3 grid, dim3 block, size_t shared_bytes, void *stream) {
    return __cudaPushCallConfiguration(grid, block, shared_bytes, stream ? stream : cudaStreamPerThread);
}

#define PER_THREAD(name, ending, parameters, arguments) \
    cudaError_t name##ending parameters;                \
    cudaError_t name##ending parameters {               \
        stream_default_is_own = true;                   \
        cudaError_t error = name arguments;             \
        stream_default_is_own = false;                  \
        return error;                                   \
    }

PER_THREAD(__cudaLaunchKernel, _ptsz,
           (cudaKernel_t kernel, dim3 grid, dim3 block, void **arguments, size_t shared_bytes, cudaStream_t stream),
           (kernel, grid, block, arguments, shared_bytes, stream))
PER_THREAD(cudaMemcpy, _ptds, (void *to, const void *from, size_t bytes, enum cudaMemcpyKind kind), (to, from, bytes, kind))
PER_THREAD(cudaMemcpyToSymbol, _ptds,
           (const void *symbol, const void *from, size_t bytes, size_t offset, enum cudaMemcpyKind kind),
           (symbol, from, bytes, offset, kind))
PER_THREAD(cudaMemcpyFromSymbol, _ptds, (void *to, const void *symbol, size_t bytes, size_t offset, enum cudaMemcpyKind kind),
           (to, symbol, bytes, offset, kind))
PER_THREAD(cudaMemcpy2D, _ptds,
           (void *to, size_t to_pitch, const void *from, size_t from_pitch, size_t width, size_t height,
            enum cudaMemcpyKind kind),
           (to, to_pitch, from, from_pitch, width, height, kind))
PER_THREAD(cudaMemcpy3D, _ptds, (const struct cudaMemcpy3DParms *parameters), (parameters))
PER_THREAD(cudaMemset, _ptds, (void *p, int value, size_t bytes), (p, value, bytes))
PER_THREAD(cudaMemset2D, _ptds, (void *p, size_t pitch, int value, size_t width, size_t height),
           (p, pitch, value, width, height))
PER_THREAD(cudaMemset3D, _ptds, (struct cudaPitchedPtr p, int value, struct cudaExtent extent), (p, value, extent))
PER_THREAD(cudaGraphLaunch, _ptsz, (cudaGraphExec_t executable, cudaStream_t stream), (executable, stream))
PER_THREAD(cudaStreamBeginCapture, _ptsz, (cudaStream_t stream, enum cudaStreamCaptureMode mode), (stream, mode))
PER_THREAD(cudaStreamEndCapture, _ptsz, (cudaStream_t stream, cudaGraph_t *graph), (stream, graph))
PER_THREAD(cudaStreamIsCapturing, _ptsz, (cudaStream_t stream, enum cudaStreamCaptureStatus *status), (stream, status))
PER_THREAD(cudaMemcpyAsync, _ptsz, (void *to, const void *from, size_t bytes, enum cudaMemcpyKind kind, cudaStream_t stream),
           (to, from, bytes, kind, stream))
PER_THREAD(cudaMemcpyToSymbolAsync, _ptsz,
           (const void *symbol, const void *from, size_t bytes, size_t offset, enum cudaMemcpyKind kind, cudaStream_t stream),
           (symbol, from, bytes, offset, kind, stream))
PER_THREAD(cudaMemcpyFromSymbolAsync, _ptsz,
           (void *to, const void *symbol, size_t bytes, size_t offset, enum cudaMemcpyKind kind, cudaStream_t stream),
           (to, symbol, bytes, offset, kind, stream))
PER_THREAD(cudaMemcpy2DAsync, _ptsz,
           (void *to, size_t to_pitch, const void *from, size_t from_pitch, size_t width, size_t height,
            enum cudaMemcpyKind kind, cudaStream_t stream),
           (to, to_pitch, from, from_pitch, width, height, kind, stream))
PER_THREAD(cudaMemcpy3DAsync, _ptsz, (const struct cudaMemcpy3DParms *parameters, cudaStream_t stream), (parameters, stream))
PER_THREAD(cudaMemsetAsync, _ptsz, (void *p, int value, size_t bytes, cudaStream_t stream), (p, value, bytes, stream))
PER_THREAD(cudaMemset2DAsync, _ptsz, (void *p, size_t pitch, int value, size_t width, size_t height, cudaStream_t stream),
           (p, pitch, value, width, height, stream))
PER_THREAD(cudaMemset3DAsync, _ptsz, (struct cudaPitchedPtr p, int value, struct cudaExtent extent, cudaStream_t stream),
           (p, value, extent, stream))
PER_THREAD(cudaStreamQuery, _ptsz, (cudaStream_t stream), (stream))
PER_THREAD(cudaStreamGetFlags, _ptsz, (cudaStream_t stream, unsigned *flags), (stream, flags))
PER_THREAD(cudaStreamGetPriority, _ptsz, (cudaStream_t stream, int *priority), (stream, priority))
PER_THREAD(cudaEventRecord, _ptsz, (cudaEvent_t event, cudaStream_t stream), (event, stream))
PER_THREAD(cudaEventRecordWithFlags, _ptsz, (cudaEvent_t event, cudaStream_t stream, unsigned flags), (event, stream, flags))
PER_THREAD(cudaStreamWaitEvent, _ptsz, (cudaStream_t stream, cudaEvent_t event, unsigned flags), (stream, event, flags))
PER_THREAD(cudaStreamAddCallback, _ptsz, (cudaStream_t stream, cudaStreamCallback_t callback, void *data, unsigned flags),
           (stream, callback, data, flags))
PER_THREAD(cudaStreamAttachMemAsync, _ptsz, (cudaStream_t stream, void *p, size_t bytes, unsigned flags),
           (stream, p, bytes, flags))
PER_THREAD(cudaStreamSynchronize, _ptsz, (cudaStream_t stream), (stream))
PER_THREAD(cudaLaunchKernel, _ptsz,
           (const void *kernel, dim3 grid, dim3 block, void **arguments, size_t shared_bytes, cudaStream_t stream),
           (kernel, grid, block, arguments, shared_bytes, stream))
PER_THREAD(cudaLaunchKernelExC, _ptsz, (const cudaLaunchConfig_t *config, const void *kernel, void **arguments),
           (config, kernel, arguments))
PER_THREAD(cudaLaunchHostFunc, _ptsz, (cudaStream_t stream, cudaHostFn_t function, void *data), (stream, function, data))
PER_THREAD(cudaMemPrefetchAsync, _ptsz,
           (const void *p, size_t bytes, struct cudaMemLocation location, unsigned flags, cudaStream_t stream),
           (p, bytes, location, flags, stream))
PER_THREAD(cudaLaunchCooperativeKernel, _ptsz,
           (const void *kernel, dim3 grid, dim3 block, void **arguments, size_t shared_bytes, cudaStream_t stream),
           (kernel, grid, block, arguments, shared_bytes, stream))
PER_THREAD(cudaMallocAsync, _ptsz, (void **p, size_t bytes, cudaStream_t stream), (p, bytes, stream))
PER_THREAD(cudaFreeAsync, _ptsz, (void *p, cudaStream_t stream), (p, stream))
