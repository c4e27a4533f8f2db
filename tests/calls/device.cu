// The device and its kernels: devices, attributes, limits, launches, what kernels need, occupancy, and errors that stay.
#include "calls.h"
#include <cuda_profiler_api.h>

__global__ void put(int *p, int value) { *p = value; }
__global__ void nothing() {}
__global__ void __launch_bounds__(128) bounded(int *p) { p[threadIdx.x] = 1; }
__global__ void with_shared(int *p) {
    __shared__ int all[1024];
    extern __shared__ int more[];
    all[threadIdx.x] = more[threadIdx.x];
    __syncthreads();
    p[threadIdx.x] = all[1023 - threadIdx.x];
}
__device__ int word;
static int host_word;
static void host_function() {}

static void devices() {
    int count = 77, device = 77, can = 77;
    unsigned flags = 77;
    CALL(cudaGetDeviceCount(&count));
    SHOW(count);
    CALL(cudaGetDeviceCount(nullptr));
    CALL(cudaGetDevice(&device));
    SHOW(device);
    CALL(cudaGetDevice(nullptr));
    CALL(cudaSetDevice(0));
    CALL(cudaSetDevice(-1));
    CALL(cudaSetDevice(1));
    CALL(cudaSetDevice(1000));
    CALL(cudaInitDevice(0, 0, 0));
    CALL(cudaInitDevice(0, cudaDeviceScheduleSpin, cudaInitDeviceFlagsAreValid));
    CALL(cudaInitDevice(0, 0, 99));
    CALL(cudaInitDevice(1, 0, 0));
    CALL(cudaInitDevice(-1, 0, 0));
    CALL(cudaGetDeviceFlags(&flags));
    SHOW(flags);
    CALL(cudaGetDeviceFlags(nullptr));
    for (unsigned f : {0u, 1u, 2u, 3u, 4u, 7u, 8u, 16u, 32u, 128u, 256u, 999u}) {
        printf("flags %u\n", f);
        CALL(cudaSetDeviceFlags(f));
        CALL(cudaGetDeviceFlags(&flags));
        SHOW(flags);
    }
    CALL(cudaDeviceCanAccessPeer(&can, 0, 0));
    SHOW(can);
    CALL(cudaDeviceCanAccessPeer(&can, 0, 1));
    CALL(cudaDeviceCanAccessPeer(&can, 5, 0));
    CALL(cudaDeviceCanAccessPeer(nullptr, 0, 0));
    CALL(cudaDeviceEnablePeerAccess(0, 0));
    CALL(cudaDeviceEnablePeerAccess(1, 0));
    CALL(cudaDeviceEnablePeerAccess(0, 1));
    CALL(cudaDeviceDisablePeerAccess(0));
    CALL(cudaDeviceDisablePeerAccess(1));
    char name[64] = "";
    CALL(cudaDeviceGetPCIBusId(name, sizeof(name), 0));
    SHOW(strlen(name));
    CALL(cudaDeviceGetPCIBusId(name, 4, 0));
    CALL(cudaDeviceGetPCIBusId(name, 13, 0));
    CALL(cudaDeviceGetPCIBusId(name, 12, 0));
    CALL(cudaDeviceGetPCIBusId(name, 0, 0));
    CALL(cudaDeviceGetPCIBusId(name, sizeof(name), 1));
    CALL(cudaDeviceGetPCIBusId(nullptr, sizeof(name), 0));
    int version = 0;
    CALL(cudaRuntimeGetVersion(&version));
    SHOW(version);
    CALL(cudaRuntimeGetVersion(nullptr));
    CALL(cudaDriverGetVersion(&version));
    SHOW(version >= 13000);
    CALL(cudaDriverGetVersion(nullptr));
    CALL(cudaProfilerStart());
    CALL(cudaProfilerStop());
    CALL(cudaProfilerStop());
    CALL(cudaDeviceSynchronize());
    CALL(cudaDeviceReset());
    CALL(cudaDeviceReset());
}

static void properties() {
    cudaDeviceProp p;
    memset(&p, 0x55, sizeof(p));
    CALL(cudaGetDeviceProperties(&p, 0));
    SHOW(p.sharedMemPerBlock);
    SHOW(p.regsPerBlock);
    SHOW(p.warpSize);
    SHOW(p.memPitch);
    SHOW(p.maxThreadsPerBlock);
    SHOW(p.maxThreadsDim[2]);
    SHOW(p.maxGridSize[0]);
    SHOW(p.maxGridSize[1]);
    SHOW(p.totalConstMem);
    SHOW(p.major * 10 + p.minor);
    SHOW(p.textureAlignment);
    SHOW(p.texturePitchAlignment);
    SHOW(p.multiProcessorCount);
    SHOW(p.integrated);
    SHOW(p.canMapHostMemory);
    SHOW(p.surfaceAlignment);
    SHOW(p.concurrentKernels);
    SHOW(p.asyncEngineCount);
    SHOW(p.unifiedAddressing);
    SHOW(p.memoryBusWidth);
    SHOW(p.maxThreadsPerMultiProcessor);
    SHOW(p.streamPrioritiesSupported);
    SHOW(p.globalL1CacheSupported);
    SHOW(p.localL1CacheSupported);
    SHOW(p.sharedMemPerMultiprocessor);
    SHOW(p.regsPerMultiprocessor);
    SHOW(p.managedMemory);
    SHOW(p.concurrentManagedAccess);
    SHOW(p.computePreemptionSupported);
    SHOW(p.canUseHostPointerForRegisteredMem);
    SHOW(p.cooperativeLaunch);
    SHOW(p.sharedMemPerBlockOptin);
    SHOW(p.maxBlocksPerMultiProcessor);
    SHOW(p.reservedSharedMemPerBlock);
    SHOW(p.hostRegisterSupported);
    SHOW(p.memoryPoolsSupported);
    CALL(cudaGetDeviceProperties(&p, 1));
    CALL(cudaGetDeviceProperties(&p, -1));
    int value = 77;
    for (int attribute = 0; attribute <= 150; attribute++) {
        value = 77;
        cudaError_t error = cudaDeviceGetAttribute(&value, (cudaDeviceAttr)attribute, 0);
        cudaGetLastError();
        printf("attribute %d: %s %d\n", attribute, error_word(error), value);
    }
    CALL(cudaDeviceGetAttribute(&value, (cudaDeviceAttr)-1, 0));
    CALL(cudaDeviceGetAttribute(&value, cudaDevAttrWarpSize, 1));
    CALL(cudaDeviceGetAttribute(&value, cudaDevAttrWarpSize, -1));
    CALL(cudaDeviceGetAttribute(nullptr, cudaDevAttrWarpSize, 0));
}
static void properties_into_nowhere() { CALL(cudaGetDeviceProperties(nullptr, 0)); }

static void limits() {
    size_t value;
    for (int limit = 0; limit <= 7; limit++) {
        value = 77;
        printf("limit %d\n", limit);
        CALL(cudaDeviceGetLimit(&value, (cudaLimit)limit));
        if (limit < 5) SHOW(value);
    }
    CALL(cudaDeviceGetLimit(&value, (cudaLimit)99));
    CALL(cudaDeviceGetLimit(&value, (cudaLimit)-1));
    CALL(cudaDeviceGetLimit(nullptr, cudaLimitStackSize));
    for (size_t bytes : {(size_t)0, (size_t)1, (size_t)1000, (size_t)4096, (size_t)512 << 10, (size_t)1 << 40}) {
        printf("stack %zu\n", bytes);
        CALL(cudaDeviceSetLimit(cudaLimitStackSize, bytes));
        CALL(cudaDeviceGetLimit(&value, cudaLimitStackSize));
        SHOW(value);
    }
    for (size_t bytes : {(size_t)0, (size_t)1, (size_t)100000, (size_t)1 << 20, (size_t)1 << 45}) {
        printf("bytes %zu\n", bytes);
        CALL(cudaDeviceSetLimit(cudaLimitPrintfFifoSize, bytes));
        CALL(cudaDeviceGetLimit(&value, cudaLimitPrintfFifoSize));
        SHOW(value);
        CALL(cudaDeviceSetLimit(cudaLimitMallocHeapSize, bytes));
        CALL(cudaDeviceGetLimit(&value, cudaLimitMallocHeapSize));
        SHOW(value);
    }
    CALL(cudaDeviceSetLimit(cudaLimitDevRuntimeSyncDepth, 2));
    CALL(cudaDeviceSetLimit(cudaLimitDevRuntimePendingLaunchCount, 100));
    CALL(cudaDeviceSetLimit(cudaLimitMaxL2FetchGranularity, 64));
    CALL(cudaDeviceSetLimit(cudaLimitMaxL2FetchGranularity, 999));
    CALL(cudaDeviceSetLimit(cudaLimitPersistingL2CacheSize, 0));
    CALL(cudaDeviceSetLimit((cudaLimit)7, 1));
    CALL(cudaDeviceSetLimit((cudaLimit)99, 1));
    cudaFuncCache cache = (cudaFuncCache)77;
    cudaSharedMemConfig config = (cudaSharedMemConfig)77;
    for (int c = -1; c <= 4; c++) {
        printf("config %d\n", c);
        CALL(cudaDeviceSetCacheConfig((cudaFuncCache)c));
        CALL(cudaDeviceGetCacheConfig(&cache));
        SHOW(cache);
        CALL(cudaDeviceSetSharedMemConfig((cudaSharedMemConfig)c));
        CALL(cudaDeviceGetSharedMemConfig(&config));
        SHOW(config);
        CALL(cudaFuncSetCacheConfig((const void *)nothing, (cudaFuncCache)c));
        CALL(cudaFuncSetSharedMemConfig((const void *)nothing, (cudaSharedMemConfig)c));
    }
    CALL(cudaDeviceGetCacheConfig(nullptr));
    CALL(cudaDeviceGetSharedMemConfig(nullptr));
    CALL(cudaFuncSetCacheConfig(nullptr, cudaFuncCachePreferL1));
    CALL(cudaFuncSetCacheConfig((const void *)host_function, cudaFuncCachePreferL1));
    CALL(cudaFuncSetSharedMemConfig((const void *)host_function, cudaSharedMemBankSizeFourByte));
}
static void heap_is_used() {
    nothing<<<1, 1>>>();
    NEED(cudaDeviceSynchronize());
    CALL(cudaDeviceSetLimit(cudaLimitPrintfFifoSize, 1 << 21));
    CALL(cudaDeviceSetLimit(cudaLimitMallocHeapSize, 1 << 21));
    CALL(cudaDeviceSetLimit(cudaLimitStackSize, 2048));
}

#define LAUNCH(kernel, ...)                       \
    do {                                          \
        kernel<<<__VA_ARGS__>>>();                \
        called(#__VA_ARGS__, cudaGetLastError()); \
    } while (0)
static void launches() {
    int *p = nullptr, value = 1;
    NEED(cudaMalloc(&p, 4096));
    void *arguments[] = {&p, &value}, *bare[] = {&p};
    cudaStream_t stream = nullptr;
    LAUNCH(nothing, 1, 1);
    LAUNCH(nothing, 0, 1);
    LAUNCH(nothing, 1, 0);
    LAUNCH(nothing, dim3(1, 0), 1);
    LAUNCH(nothing, dim3(1, 1, 0), 1);
    LAUNCH(nothing, 1, dim3(1, 0));
    LAUNCH(nothing, 1, 1024);
    LAUNCH(nothing, 1, 1025);
    LAUNCH(nothing, 1, dim3(32, 32, 1));
    LAUNCH(nothing, 1, dim3(32, 32, 2));
    LAUNCH(nothing, 1, dim3(1, 1, 64));
    LAUNCH(nothing, 1, dim3(1, 1, 65));
    LAUNCH(nothing, dim3(1, 65535), 1);
    LAUNCH(nothing, dim3(1, 65536), 1);
    LAUNCH(nothing, dim3(1, 1, 65536), 1);
    LAUNCH(nothing, 0x80000000u, 1);
    LAUNCH(nothing, 1, 1, 48 << 10);
    LAUNCH(nothing, 1, 1, (48 << 10) + 1);
    LAUNCH(nothing, 1, 1, (size_t)-1);
    bounded<<<1, 128>>>(p);
    CALL(cudaGetLastError());
    bounded<<<1, 129>>>(p);
    CALL(cudaGetLastError());
    with_shared<<<1, 32, 44 << 10>>>(p);
    CALL(cudaGetLastError());
    with_shared<<<1, 32, (44 << 10) + 1>>>(p);
    CALL(cudaGetLastError());
    with_shared<<<1, 32, (size_t)-1>>>(p);
    CALL(cudaGetLastError());
    with_shared<<<1, 32, ((size_t)1 << 32) + 64>>>(p);
    CALL(cudaGetLastError());
    CALL(cudaDeviceSynchronize());
    CALL(cudaLaunchKernel((const void *)put, 1, 1, arguments, 0, 0));
    CALL(cudaLaunchKernel((const void *)nothing, 1, 1, nullptr, 0, 0));
    CALL(cudaLaunchKernel((const void *)nullptr, 1, 1, arguments, 0, 0));
    CALL(cudaLaunchKernel((const void *)host_function, 1, 1, arguments, 0, 0));
    CALL(cudaLaunchKernel((const void *)&host_word, 1, 1, arguments, 0, 0));
    CALL(cudaLaunchKernel((const void *)put, 0, 1, arguments, 0, 0));
    CALL(cudaLaunchKernel((const void *)put, 1, 2000, arguments, 0, 0));
    CALL(cudaLaunchKernel((const void *)put, 1, 1, arguments, 1 << 20, 0));
    CALL(cudaLaunchCooperativeKernel((const void *)bounded, 1, 32, bare, 0, 0));
    CALL(cudaLaunchCooperativeKernel((const void *)nothing, 132 * 32, 32, nullptr, 0, 0));
    CALL(cudaLaunchCooperativeKernel((const void *)nothing, 132 * 32 + 1, 32, nullptr, 0, 0));
    CALL(cudaLaunchCooperativeKernel((const void *)nothing, 0, 32, nullptr, 0, 0));
    CALL(cudaLaunchCooperativeKernel((const void *)host_function, 1, 32, nullptr, 0, 0));
    NEED(cudaStreamCreate(&stream));
    cudaLaunchConfig_t config = {};
    config.gridDim = 1, config.blockDim = 1, config.stream = stream;
    CALL(cudaLaunchKernelExC(&config, (const void *)put, arguments));
    CALL(cudaLaunchKernelExC(nullptr, (const void *)put, arguments));
    CALL(cudaLaunchKernelExC(&config, (const void *)nullptr, arguments));
    config.blockDim = 0;
    CALL(cudaLaunchKernelExC(&config, (const void *)put, arguments));
    config.blockDim = 1;
    cudaLaunchAttribute attribute = {};
    config.attrs = &attribute, config.numAttrs = 1;
    attribute.id = cudaLaunchAttributeIgnore;
    CALL(cudaLaunchKernelExC(&config, (const void *)put, arguments));
    attribute.id = cudaLaunchAttributeCooperative, attribute.val.cooperative = 1;
    CALL(cudaLaunchKernelExC(&config, (const void *)put, arguments));
    attribute.id = cudaLaunchAttributePriority, attribute.val.priority = -1;
    CALL(cudaLaunchKernelExC(&config, (const void *)put, arguments));
    attribute.id = (cudaLaunchAttributeID)99;
    CALL(cudaLaunchKernelExC(&config, (const void *)put, arguments));
    config.attrs = nullptr;
    CALL(cudaLaunchKernelExC(&config, (const void *)put, arguments));
    CALL(cudaDeviceSynchronize());
}
static void launch_without_arguments() {
    CALL(cudaLaunchKernel((const void *)put, 1, 1, nullptr, 0, 0));
    CALL(cudaDeviceSynchronize());
}

static void functions() {
    cudaFuncAttributes a;
    memset(&a, 0, sizeof(a));
    CALL(cudaFuncGetAttributes(&a, (const void *)with_shared));
    SHOW(a.sharedSizeBytes);
    SHOW(a.constSizeBytes);
    SHOW(a.localSizeBytes);
    SHOW(a.maxThreadsPerBlock);
    SHOW(a.cacheModeCA);
    SHOW(a.maxDynamicSharedSizeBytes);
    SHOW(a.preferredShmemCarveout);
    CALL(cudaFuncGetAttributes(&a, (const void *)bounded));
    SHOW(a.maxThreadsPerBlock);
    CALL(cudaFuncGetAttributes(&a, (const void *)host_function));
    CALL(cudaFuncGetAttributes(&a, (const void *)nullptr));
    CALL(cudaFuncGetAttributes(nullptr, (const void *)bounded));
    const void *k = (const void *)with_shared;
    CALL(cudaFuncSetAttribute(k, cudaFuncAttributeMaxDynamicSharedMemorySize, 100 << 10));
    CALL(cudaFuncGetAttributes(&a, k));
    SHOW(a.maxDynamicSharedSizeBytes);
    CALL(cudaFuncSetAttribute(k, cudaFuncAttributeMaxDynamicSharedMemorySize, 223 << 10));
    CALL(cudaFuncSetAttribute(k, cudaFuncAttributeMaxDynamicSharedMemorySize, (223 << 10) + 1));
    CALL(cudaFuncSetAttribute(k, cudaFuncAttributeMaxDynamicSharedMemorySize, 0));
    CALL(cudaFuncSetAttribute(k, cudaFuncAttributeMaxDynamicSharedMemorySize, -1));
    CALL(cudaFuncGetAttributes(&a, k));
    SHOW(a.maxDynamicSharedSizeBytes);
    for (int carveout : {-2, -1, 0, 50, 100, 101}) {
        printf("carveout %d\n", carveout);
        CALL(cudaFuncSetAttribute(k, cudaFuncAttributePreferredSharedMemoryCarveout, carveout));
        CALL(cudaFuncGetAttributes(&a, k));
        SHOW(a.preferredShmemCarveout);
    }
    CALL(cudaFuncSetAttribute(k, cudaFuncAttributeNonPortableClusterSizeAllowed, 1));
    CALL(cudaFuncSetAttribute(k, cudaFuncAttributeRequiredClusterWidth, 1));
    CALL(cudaFuncSetAttribute(k, (cudaFuncAttribute)0, 1));
    CALL(cudaFuncSetAttribute(k, (cudaFuncAttribute)99, 1));
    CALL(cudaFuncSetAttribute((const void *)host_function, cudaFuncAttributeMaxDynamicSharedMemorySize, 1024));
    CALL(cudaFuncSetAttribute((const void *)nullptr, cudaFuncAttributeMaxDynamicSharedMemorySize, 1024));
    int blocks = 77;
    for (int size : {-1, 0, 1, 32, 1024, 1025}) {
        printf("block of %d\n", size);
        blocks = 77;
        CALL(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, (const void *)nothing, size, 0));
        SHOW(blocks);
    }
    CALL(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, k, 128, 44 << 10));
    SHOW(blocks);
    CALL(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, k, 128, 300 << 10));
    SHOW(blocks);
    CALL(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, (const void *)bounded, 256, 0));
    SHOW(blocks);
    CALL(cudaOccupancyMaxActiveBlocksPerMultiprocessor(nullptr, k, 128, 0));
    CALL(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, (const void *)nullptr, 128, 0));
    CALL(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, (const void *)host_function, 128, 0));
    CALL(cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(&blocks, k, 128, 0, 1));
    CALL(cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(&blocks, k, 128, 0, 99));
}

static void errors() {
    CALL(cudaGetLastError());
    cudaMalloc((void **)nullptr, 1);
    cudaFree((void *)16);
    cudaStreamQuery(0);
    printf("%s %s\n", error_word(cudaPeekAtLastError()), error_word(cudaPeekAtLastError()));
    int device;
    cudaGetDevice(&device);
    const cudaError_t last = cudaGetLastError();
    printf("%s %s\n", error_word(last), error_word(cudaGetLastError()));
    cudaSetDevice(7);
    cudaFree((void *)16);
    printf("%s\n", error_word(cudaGetLastError()));
    for (int code = -1; code <= 1001; code++)
        if (strcmp(cudaGetErrorName((cudaError_t)code), "unrecognized error code") != 0)
            printf("%d %s: %s\n", code, cudaGetErrorName((cudaError_t)code), cudaGetErrorString((cudaError_t)code));
    printf("%s: %s\n", cudaGetErrorName((cudaError_t)12345), cudaGetErrorString((cudaError_t)12345));
}

__global__ void misaligned(char *p) { *(int *)(p + 1) = 1; }
__global__ void trapped() { asm("trap;"); }
__global__ void shared_far() {
    extern __shared__ int far[];
    far[1 << 20] = 1;
}
/* Every call that asks something of the device, behind a fault. */
static void after() {
    void *p = nullptr;
    int device = 77, value = 77, count = 77;
    unsigned flags = 77;
    size_t bytes = 77, total = 77;
    cudaStream_t stream = nullptr;
    cudaEvent_t event = nullptr;
    cudaDeviceProp properties;
    cudaFuncAttributes attributes;
    cudaPointerAttributes of;
    CALL(cudaDeviceSynchronize());
    CALL(cudaPeekAtLastError());
    CALL(cudaGetLastError());
    CALL(cudaMalloc(&p, 16));
    CALL(cudaMallocHost(&p, 16));
    CALL(cudaMallocManaged(&p, 16));
    CALL(cudaMalloc((void **)nullptr, 16));
    CALL(cudaFree(nullptr));
    CALL(cudaMemcpy(&value, &count, 4, cudaMemcpyHostToHost));
    CALL(cudaMemcpyToSymbol(word, &value, 4));
    CALL(cudaMemcpy(nullptr, nullptr, 0, cudaMemcpyHostToDevice));
    CALL(cudaMemGetInfo(&bytes, &total));
    CALL(cudaStreamCreate(&stream));
    CALL(cudaStreamQuery(0));
    CALL(cudaStreamSynchronize(0));
    CALL(cudaEventCreate(&event));
    CALL(cudaEventRecord(nullptr));
    nothing<<<1, 1>>>();
    CALL(cudaGetLastError());
    nothing<<<1, 5000>>>();
    CALL(cudaGetLastError());
    CALL(cudaGetDevice(&device));
    CALL(cudaSetDevice(0));
    CALL(cudaSetDevice(5));
    CALL(cudaGetDeviceCount(&count));
    CALL(cudaGetDeviceProperties(&properties, 0));
    CALL(cudaDeviceGetAttribute(&value, cudaDevAttrWarpSize, 0));
    CALL(cudaDeviceGetLimit(&bytes, cudaLimitStackSize));
    CALL(cudaDeviceSetLimit(cudaLimitStackSize, 2048));
    CALL(cudaGetDeviceFlags(&flags));
    CALL(cudaFuncGetAttributes(&attributes, (const void *)nothing));
    CALL(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&value, (const void *)nothing, 32, 0));
    CALL(cudaPointerGetAttributes(&of, &value));
    CALL(cudaGetSymbolAddress(&p, word));
    CALL(cudaRuntimeGetVersion(&value));
    CALL(cudaDriverGetVersion(&value));
    CALL(cudaDeviceGetStreamPriorityRange(&value, &count));
    CALL(cudaDeviceReset());
    CALL(cudaGetLastError());
    CALL(cudaMalloc(&p, 16));
    CALL(cudaDeviceSynchronize());
}
static void after_illegal_address() {
    put<<<1, 1>>>((int *)16, 1);
    after();
}
static void after_null() {
    put<<<1, 1>>>(nullptr, 1);
    after();
}
static void after_misaligned() {
    char *p;
    NEED(cudaMalloc(&p, 16));
    misaligned<<<1, 1>>>(p);
    after();
}
static void after_trap() {
    trapped<<<1, 1>>>();
    after();
}
static void after_shared() {
    shared_far<<<1, 1, 64>>>();
    after();
}
static void reset_before() {
    put<<<1, 1>>>((int *)16, 1);
    CALL(cudaDeviceReset());
    after();
}
/* Which calls find out that a kernel failed. */
template <class Ask> static void found_by(Ask ask) {
    put<<<1, 1>>>((int *)16, 1);
    ask();
    CALL(cudaDeviceSynchronize());
}
static void found_by_memcpy() {
    int host = 0, *p;
    NEED(cudaMalloc(&p, 4));
    found_by([&] { CALL(cudaMemcpy(&host, p, 4, cudaMemcpyDeviceToHost)); });
}
static void found_by_free() {
    int *p;
    NEED(cudaMalloc(&p, 4));
    found_by([&] { CALL(cudaFree(p)); });
}
static void found_by_event() {
    cudaEvent_t event;
    NEED(cudaEventCreate(&event));
    put<<<1, 1>>>((int *)16, 1);
    cudaEventRecord(event);
    CALL(cudaEventSynchronize(event));
    CALL(cudaEventQuery(event));
    CALL(cudaEventDestroy(event));
}
static void found_by_stream() {
    cudaStream_t stream;
    NEED(cudaStreamCreate(&stream));
    put<<<1, 1, 0, stream>>>((int *)16, 1);
    CALL(cudaStreamSynchronize(stream));
    CALL(cudaStreamQuery(stream));
    CALL(cudaStreamDestroy(stream));
}

static const Group groups[] = {GROUP(devices),
                               GROUP(properties),
                               GROUP(properties_into_nowhere),
                               GROUP(limits),
                               GROUP(heap_is_used),
                               GROUP(launches),
                               GROUP(launch_without_arguments),
                               GROUP(functions),
                               GROUP(errors),
                               GROUP(after_illegal_address),
                               GROUP(after_null),
                               GROUP(after_misaligned),
                               GROUP(after_trap),
                               GROUP(after_shared),
                               GROUP(reset_before),
                               GROUP(found_by_memcpy),
                               GROUP(found_by_free),
                               GROUP(found_by_event),
                               GROUP(found_by_stream)};

int main(int argc, char **argv) { return groups_main(argc, argv, groups, sizeof(groups) / sizeof(*groups)); }
