/* typed.h: the C++ forms of the runtime API, which take typed pointers, kernels and variables (CUDA Runtime API, "C++ API
 * Routines"), and those of CUDA 12 that programs still use. */
#pragma once

#include "../cuda_runtime_api.h"

WARPSCOPE_HOST cudaError_t cudaEventCreate(cudaEvent_t *event, unsigned int flags) {
    return cudaEventCreateWithFlags(event, flags);
}
template <typename T> WARPSCOPE_HOST cudaError_t cudaMalloc(T **p, size_t bytes) { return cudaMalloc((void **)p, bytes); }
template <typename T> WARPSCOPE_HOST cudaError_t cudaMallocHost(T **p, size_t bytes, unsigned int flags = 0) {
    return cudaHostAlloc((void **)p, bytes, flags);
}
template <typename T> WARPSCOPE_HOST cudaError_t cudaHostAlloc(T **p, size_t bytes, unsigned int flags) {
    return cudaHostAlloc((void **)p, bytes, flags);
}
template <typename T>
WARPSCOPE_HOST cudaError_t cudaMallocManaged(T **p, size_t bytes, unsigned int flags = cudaMemAttachGlobal) {
    return cudaMallocManaged((void **)p, bytes, flags);
}
template <typename T> WARPSCOPE_HOST cudaError_t cudaMallocPitch(T **p, size_t *pitch, size_t width, size_t height) {
    return cudaMallocPitch((void **)p, pitch, width, height);
}
template <typename T> WARPSCOPE_HOST cudaError_t cudaMallocAsync(T **p, size_t bytes, cudaStream_t stream) {
    return cudaMallocAsync((void **)p, bytes, stream);
}
template <typename T>
WARPSCOPE_HOST cudaError_t cudaMallocFromPoolAsync(T **p, size_t bytes, cudaMemPool_t pool, cudaStream_t stream) {
    return cudaMallocFromPoolAsync((void **)p, bytes, pool, stream);
}
template <typename T> WARPSCOPE_HOST cudaError_t cudaMallocAsync(T **p, size_t bytes, cudaMemPool_t pool, cudaStream_t stream) {
    return cudaMallocFromPoolAsync((void **)p, bytes, pool, stream);
}
template <typename T> WARPSCOPE_HOST cudaError_t cudaHostGetDevicePointer(T **device, void *host, unsigned int flags) {
    return cudaHostGetDevicePointer((void **)device, host, flags);
}
template <typename T>
WARPSCOPE_HOST cudaError_t cudaMemcpyToSymbol(const T &symbol, const void *from, size_t bytes, size_t offset = 0,
                                              enum cudaMemcpyKind kind = cudaMemcpyHostToDevice) {
    return cudaMemcpyToSymbol((const void *)&symbol, from, bytes, offset, kind);
}
template <typename T>
WARPSCOPE_HOST cudaError_t cudaMemcpyFromSymbol(void *to, const T &symbol, size_t bytes, size_t offset = 0,
                                                enum cudaMemcpyKind kind = cudaMemcpyDeviceToHost) {
    return cudaMemcpyFromSymbol(to, (const void *)&symbol, bytes, offset, kind);
}
template <typename T>
WARPSCOPE_HOST cudaError_t cudaMemcpyToSymbolAsync(const T &symbol, const void *from, size_t bytes, size_t offset = 0,
                                                   enum cudaMemcpyKind kind = cudaMemcpyHostToDevice, cudaStream_t stream = 0) {
    return cudaMemcpyToSymbolAsync((const void *)&symbol, from, bytes, offset, kind, stream);
}
template <typename T>
WARPSCOPE_HOST cudaError_t cudaMemcpyFromSymbolAsync(void *to, const T &symbol, size_t bytes, size_t offset = 0,
                                                     enum cudaMemcpyKind kind = cudaMemcpyDeviceToHost,
                                                     cudaStream_t stream = 0) {
    return cudaMemcpyFromSymbolAsync(to, (const void *)&symbol, bytes, offset, kind, stream);
}
template <typename T> WARPSCOPE_HOST cudaError_t cudaGetSymbolAddress(void **p, const T &symbol) {
    return cudaGetSymbolAddress(p, (const void *)&symbol);
}
template <typename T> WARPSCOPE_HOST cudaError_t cudaGetSymbolSize(size_t *bytes, const T &symbol) {
    return cudaGetSymbolSize(bytes, (const void *)&symbol);
}
template <typename T>
WARPSCOPE_HOST cudaError_t cudaLaunchKernel(T *kernel, dim3 grid, dim3 block, void **arguments, size_t shared_bytes = 0,
                                            cudaStream_t stream = 0) {
    return cudaLaunchKernel((const void *)kernel, grid, block, arguments, shared_bytes, stream);
}
template <typename T>
WARPSCOPE_HOST cudaError_t cudaLaunchCooperativeKernel(T *kernel, dim3 grid, dim3 block, void **arguments,
                                                       size_t shared_bytes = 0, cudaStream_t stream = 0) {
    return cudaLaunchCooperativeKernel((const void *)kernel, grid, block, arguments, shared_bytes, stream);
}
template <typename T>
WARPSCOPE_HOST cudaError_t cudaLaunchKernelExC(const cudaLaunchConfig_t *config, const T *kernel, void **arguments) {
    return cudaLaunchKernelExC(config, (const void *)kernel, arguments);
}
/* Arguments are converted to the kernel's own types before their addresses are taken. */
template <typename... Parameters, typename... Arguments>
WARPSCOPE_HOST cudaError_t cudaLaunchKernelEx(const cudaLaunchConfig_t *config, void (*kernel)(Parameters...),
                                              Arguments &&...arguments) {
    return [&](Parameters... values) {
        void *addresses[] = {(void *)&values..., nullptr};
        return cudaLaunchKernelExC(config, (const void *)kernel, addresses);
    }(static_cast<Arguments &&>(arguments)...);
}
template <typename T>
WARPSCOPE_HOST cudaError_t cudaGraphAddMemcpyNodeToSymbol(cudaGraphNode_t *node, cudaGraph_t graph,
                                                          const cudaGraphNode_t *after, size_t count, const T &symbol,
                                                          const void *from, size_t bytes, size_t offset,
                                                          enum cudaMemcpyKind kind) {
    return cudaGraphAddMemcpyNodeToSymbol(node, graph, after, count, (const void *)&symbol, from, bytes, offset, kind);
}
template <typename T>
WARPSCOPE_HOST cudaError_t cudaGraphAddMemcpyNodeFromSymbol(cudaGraphNode_t *node, cudaGraph_t graph,
                                                            const cudaGraphNode_t *after, size_t count, void *to,
                                                            const T &symbol, size_t bytes, size_t offset,
                                                            enum cudaMemcpyKind kind) {
    return cudaGraphAddMemcpyNodeFromSymbol(node, graph, after, count, to, (const void *)&symbol, bytes, offset, kind);
}
template <typename T> WARPSCOPE_HOST cudaError_t cudaFuncSetCacheConfig(T *kernel, enum cudaFuncCache config) {
    return cudaFuncSetCacheConfig((const void *)kernel, config);
}
template <typename T> WARPSCOPE_HOST cudaError_t cudaFuncSetSharedMemConfig(T *kernel, enum cudaSharedMemConfig config) {
    return cudaFuncSetSharedMemConfig((const void *)kernel, config);
}
template <typename T> WARPSCOPE_HOST cudaError_t cudaFuncSetAttribute(T *kernel, enum cudaFuncAttribute attribute, int value) {
    return cudaFuncSetAttribute((const void *)kernel, attribute, value);
}
template <typename T> WARPSCOPE_HOST cudaError_t cudaFuncGetAttributes(struct cudaFuncAttributes *attributes, T *kernel) {
    return cudaFuncGetAttributes(attributes, (const void *)kernel);
}
template <typename T>
WARPSCOPE_HOST cudaError_t cudaOccupancyMaxActiveBlocksPerMultiprocessor(int *blocks, T kernel, int block_size,
                                                                         size_t shared_bytes) {
    return cudaOccupancyMaxActiveBlocksPerMultiprocessor(blocks, (const void *)kernel, block_size, shared_bytes);
}
template <typename T>
WARPSCOPE_HOST cudaError_t cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(int *blocks, T kernel, int block_size,
                                                                                  size_t shared_bytes, unsigned int flags) {
    return cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(blocks, (const void *)kernel, block_size, shared_bytes,
                                                                  flags);
}

template <typename T> WARPSCOPE_HOST cudaError_t cudaFuncGetName(const char **name, T *kernel) {
    return cudaFuncGetName(name, (const void *)kernel);
}
template <typename T> WARPSCOPE_HOST cudaError_t cudaGetFuncBySymbol(cudaFunction_t *function, T *kernel) {
    return cudaGetFuncBySymbol(function, (const void *)kernel);
}
template <typename T> WARPSCOPE_HOST cudaError_t cudaGetKernel(cudaKernel_t *handle, T *kernel) {
    return cudaGetKernel(handle, (const void *)kernel);
}
template <typename T>
WARPSCOPE_HOST cudaError_t cudaOccupancyAvailableDynamicSMemPerBlock(size_t *bytes, T *kernel, int blocks, int block_size) {
    return cudaOccupancyAvailableDynamicSMemPerBlock(bytes, (const void *)kernel, blocks, block_size);
}
template <typename T>
WARPSCOPE_HOST cudaError_t cudaOccupancyMaxPotentialClusterSize(int *size, T *kernel, const cudaLaunchConfig_t *config) {
    return cudaOccupancyMaxPotentialClusterSize(size, (const void *)kernel, config);
}
template <typename T>
WARPSCOPE_HOST cudaError_t cudaOccupancyMaxActiveClusters(int *clusters, T *kernel, const cudaLaunchConfig_t *config) {
    return cudaOccupancyMaxActiveClusters(clusters, (const void *)kernel, config);
}
template <typename T>
WARPSCOPE_HOST cudaError_t cudaLibraryGetGlobal(T **p, size_t *bytes, cudaLibrary_t library, const char *name) {
    return cudaLibraryGetGlobal((void **)p, bytes, library, name);
}
template <typename T>
WARPSCOPE_HOST cudaError_t cudaLibraryGetManaged(T **p, size_t *bytes, cudaLibrary_t library, const char *name) {
    return cudaLibraryGetManaged((void **)p, bytes, library, name);
}
template <typename T>
WARPSCOPE_HOST cudaError_t cudaLibraryGetUnifiedFunction(T **function, cudaLibrary_t library, const char *name) {
    return cudaLibraryGetUnifiedFunction((void **)function, library, name);
}

/* What an array's texels are: float, uchar4 … */
template <typename T> struct WarpscopeFormat {
    enum { channels = 0, kind = cudaChannelFormatKindNone };
};
#define WARPSCOPE_FORMAT(type, count, sort)                            \
    template <> struct WarpscopeFormat<type> {                         \
        enum { channels = count, kind = cudaChannelFormatKind##sort }; \
    };
#define WARPSCOPE_FORMATS(type, vector, sort) \
    WARPSCOPE_FORMAT(type, 1, sort)           \
    WARPSCOPE_FORMAT(vector##1, 1, sort)      \
    WARPSCOPE_FORMAT(vector##2, 2, sort)      \
    WARPSCOPE_FORMAT(vector##4, 4, sort)
WARPSCOPE_FORMAT(char, 1, Signed)
WARPSCOPE_FORMATS(signed char, char, Signed)
WARPSCOPE_FORMATS(unsigned char, uchar, Unsigned)
WARPSCOPE_FORMATS(short, short, Signed)
WARPSCOPE_FORMATS(unsigned short, ushort, Unsigned)
WARPSCOPE_FORMATS(int, int, Signed)
WARPSCOPE_FORMATS(unsigned int, uint, Unsigned)
WARPSCOPE_FORMATS(float, float, Float)
#undef WARPSCOPE_FORMATS
#undef WARPSCOPE_FORMAT
template <typename T> WARPSCOPE_HOST struct cudaChannelFormatDesc cudaCreateChannelDesc() {
    const int count = WarpscopeFormat<T>::channels, bits = count ? 8 * (int)sizeof(T) / count : 0;
    return cudaCreateChannelDesc(bits, count > 1 ? bits : 0, count > 2 ? bits : 0, count > 3 ? bits : 0,
                                 (enum cudaChannelFormatKind)WarpscopeFormat<T>::kind);
}
WARPSCOPE_HOST struct cudaChannelFormatDesc cudaCreateChannelDescHalf() {
    return cudaCreateChannelDesc(16, 0, 0, 0, cudaChannelFormatKindFloat);
}
WARPSCOPE_HOST struct cudaChannelFormatDesc cudaCreateChannelDescHalf1() { return cudaCreateChannelDescHalf(); }
WARPSCOPE_HOST struct cudaChannelFormatDesc cudaCreateChannelDescHalf2() {
    return cudaCreateChannelDesc(16, 16, 0, 0, cudaChannelFormatKindFloat);
}
WARPSCOPE_HOST struct cudaChannelFormatDesc cudaCreateChannelDescHalf4() {
    return cudaCreateChannelDesc(16, 16, 16, 16, cudaChannelFormatKindFloat);
}

/* The block size, in whole warps, that keeps the most threads of a multiprocessor busy, and the fewest blocks that fill the device.
 * shared_bytes(size) is the dynamic shared memory that a block of that size needs; limit 0 is no limit. */
template <typename SharedBytes, typename T>
WARPSCOPE_HOST cudaError_t cudaOccupancyMaxPotentialBlockSizeVariableSMemWithFlags(int *grid_size, int *block_size, T kernel,
                                                                                   SharedBytes shared_bytes, int limit = 0,
                                                                                   unsigned int flags = 0) {
    struct cudaFuncAttributes attributes;
    int device = 0, processors = 0, most = 0, best = 0;
    cudaError_t error = cudaGetDevice(&device);
    if (!error) error = cudaDeviceGetAttribute(&processors, cudaDevAttrMultiProcessorCount, device);
    if (!error) error = cudaFuncGetAttributes(&attributes, kernel);
    if (error) return error;
    most = attributes.maxThreadsPerBlock;
    if (limit > 0 && limit < most) most = limit;
    *grid_size = *block_size = 0;
    for (int above = (most + 31) / 32 * 32; !error && above > 0; above -= 32) {
        int blocks = 0, size = above < most ? above : most;
        error = cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(&blocks, kernel, size, shared_bytes(size), flags);
        if (blocks * size <= best) continue;
        best = blocks * size;
        *block_size = size;
        *grid_size = blocks * processors;
    }
    return error;
}
template <typename SharedBytes, typename T>
WARPSCOPE_HOST cudaError_t cudaOccupancyMaxPotentialBlockSizeVariableSMem(int *grid_size, int *block_size, T kernel,
                                                                          SharedBytes shared_bytes, int limit = 0) {
    return cudaOccupancyMaxPotentialBlockSizeVariableSMemWithFlags(grid_size, block_size, kernel, shared_bytes, limit);
}
template <typename T>
WARPSCOPE_HOST cudaError_t cudaOccupancyMaxPotentialBlockSizeWithFlags(int *grid_size, int *block_size, T kernel,
                                                                       size_t shared_bytes = 0, int limit = 0,
                                                                       unsigned int flags = 0) {
    return cudaOccupancyMaxPotentialBlockSizeVariableSMemWithFlags(
        grid_size, block_size, kernel, [shared_bytes](int) { return shared_bytes; }, limit, flags);
}
template <typename T>
WARPSCOPE_HOST cudaError_t cudaOccupancyMaxPotentialBlockSize(int *grid_size, int *block_size, T kernel,
                                                              size_t shared_bytes = 0, int limit = 0) {
    return cudaOccupancyMaxPotentialBlockSizeWithFlags(grid_size, block_size, kernel, shared_bytes, limit);
}

/* --- forms of CUDA 12 --- */

WARPSCOPE_HOST struct cudaMemLocation warpscope_location(int device) {
    struct cudaMemLocation location = {device < 0 ? cudaMemLocationTypeHost : cudaMemLocationTypeDevice,
                                       device < 0 ? 0 : device};
    return location;
}
WARPSCOPE_HOST cudaError_t cudaMemPrefetchAsync(const void *p, size_t bytes, int device, cudaStream_t stream = 0) {
    return cudaMemPrefetchAsync(p, bytes, warpscope_location(device), 0, stream);
}
WARPSCOPE_HOST cudaError_t cudaMemAdvise(const void *p, size_t bytes, enum cudaMemoryAdvise advice, int device) {
    return cudaMemAdvise(p, bytes, advice, warpscope_location(device));
}
WARPSCOPE_HOST cudaError_t cudaGraphInstantiate(cudaGraphExec_t *executable, cudaGraph_t graph, cudaGraphNode_t *failed,
                                                char *log, size_t log_bytes) {
    if (failed) *failed = 0;
    if (log && log_bytes > 0) *log = 0;
    return cudaGraphInstantiate(executable, graph, 0ull);
}
