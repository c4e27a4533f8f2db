/* The device: there is one, and its properties come from its profile. */
#include <stdio.h>
#include <string.h>

#include "runtime/context.h"

/* Of CUDA 13.0, whose interface this is. */
enum { CUDA_VERSION_NUMBER = 13000 };

enum { WARP_SIZE = 32, BLOCK_THREADS = 1024, COPY_ENGINES = 2, TEXTURE_ALIGNMENT = 512 };

/* A call that says one value. */
#define SAYS(name, type, value)                                 \
    cudaError_t name(type *into) {                              \
        if (!into) return api_end(NULL, cudaErrorInvalidValue); \
        *into = value;                                          \
        return cudaSuccess;                                     \
    }

SAYS(cudaDriverGetVersion, int, CUDA_VERSION_NUMBER)
SAYS(cudaRuntimeGetVersion, int, CUDA_VERSION_NUMBER)

/* --- which device --- */

SAYS(cudaGetDeviceCount, int, 1)
SAYS(cudaGetDevice, int, 0)

API_CALL_ALWAYS(cudaSetDevice, (int device), (device));
static cudaError_t cudaSetDevice_locked(Context *context, int device) {
    (void)context;
    return device == 0 ? cudaSuccess : cudaErrorInvalidDevice;
}

static const unsigned known_flags =
    cudaDeviceScheduleMask | cudaDeviceMapHost | cudaDeviceLmemResizeToMax | cudaDeviceSyncMemops;

static _Thread_local unsigned device_flags;

cudaError_t cudaInitDevice(int device, unsigned flags, unsigned valid) {
    CALLSITE_BEGIN();
    if (valid & ~(unsigned)cudaInitDeviceFlagsAreValid) return api_end(NULL, cudaErrorInvalidValue);
    cudaError_t error = cudaSetDevice(device);
    return !error && valid ? cudaSetDeviceFlags(flags) : error;
}

cudaError_t cudaSetDeviceFlags(unsigned flags) {
    CALLSITE_BEGIN();
    unsigned schedule = flags & cudaDeviceScheduleMask;
    if (flags & ~known_flags || (schedule & (schedule - 1))) return api_end(NULL, cudaErrorInvalidValue);
    device_flags = flags;
    return cudaSuccess;
}

/* Host memory can always be mapped. */
SAYS(cudaGetDeviceFlags, unsigned, device_flags | cudaDeviceMapHost)

cudaError_t cudaDeviceGetPCIBusId(char *name, int name_bytes, int device) {
    CALLSITE_BEGIN();
    static const char id[] = "0000:00:00.0";
    if (!name || name_bytes < (int)sizeof id) return api_end(NULL, cudaErrorInvalidValue);
    cudaError_t error = cudaSetDevice(device);
    if (!error) memcpy(name, id, sizeof id);
    return error;
}

/* --- its properties --- */

static int memory_khz(const Profile *profile) { /* two transfers a clock: bandwidth = 2 * clock * bus width */
    return (int)(profile->time.dram_gb_s * 1e6 / (2 * profile->memory_bits / 8.0));
}

static struct cudaDeviceProp properties_of(const Profile *profile) {
    struct cudaDeviceProp properties = {
        .totalGlobalMem = profile->memory_bytes,
        .sharedMemPerBlock = profile->shared_per_block_default,
        .regsPerBlock = (int)profile->registers,
        .warpSize = WARP_SIZE,
        .memPitch = 0x7fffffff,
        .maxThreadsPerBlock = BLOCK_THREADS,
        .maxThreadsDim = {1024, 1024, 64},
        .maxGridSize = {0x7fffffff, 65535, 65535},
        .totalConstMem = CONSTANT_BYTES,
        .major = (int)profile->compute_major,
        .minor = (int)profile->compute_minor,
        .textureAlignment = TEXTURE_ALIGNMENT,
        .texturePitchAlignment = 32,
        .multiProcessorCount = (int)profile->sms,
        .canMapHostMemory = 1,
        .surfaceAlignment = TEXTURE_ALIGNMENT,
        .concurrentKernels = 1,
        .asyncEngineCount = COPY_ENGINES,
        .unifiedAddressing = 1,
        .memoryBusWidth = (int)profile->memory_bits,
        .l2CacheSize = (int)profile->l2_bytes,
        .maxThreadsPerMultiProcessor = (int)profile->max_threads_per_sm,
        .streamPrioritiesSupported = 1,
        .globalL1CacheSupported = 1,
        .localL1CacheSupported = 1,
        .sharedMemPerMultiprocessor = profile->shared_per_sm,
        .regsPerMultiprocessor = (int)profile->registers,
        .managedMemory = 1,
        .concurrentManagedAccess = 1,
        .computePreemptionSupported = profile->compute_major >= 6,
        .canUseHostPointerForRegisteredMem = 1,
        .cooperativeLaunch = 1,
        .clusterLaunch = profile->compute_major >= 9,
        .sharedMemPerBlockOptin = profile->shared_per_block,
        .maxBlocksPerMultiProcessor = (int)profile->max_blocks_per_sm,
        .reservedSharedMemPerBlock = profile->shared_reserved,
        .hostRegisterSupported = 1,
        .memoryPoolsSupported = 1,
        .clockRate = (int)(profile->time.clock_ghz * 1e6),
        .memoryClockRate = memory_khz(profile),
        .deviceOverlap = 1,
    };
    snprintf(properties.name, sizeof properties.name, "%s", profile->full_name);
    return properties;
}

API_CALL_ALWAYS(cudaGetDeviceProperties, (struct cudaDeviceProp * properties, int device), (properties, device));
static cudaError_t cudaGetDeviceProperties_locked(Context *context, struct cudaDeviceProp *properties, int device) {
    if (!properties) return cudaErrorInvalidValue;
    if (device != 0) return cudaErrorInvalidDevice;
    *properties = properties_of(context->options.profile);
    return cudaSuccess;
}

/* Attributes that are members of the properties as well. */
/* clang-format off */
#define OF(attribute, member) {cudaDevAttr##attribute, offsetof(struct cudaDeviceProp, member), sizeof ((struct cudaDeviceProp *)0)->member}
static const struct {
    enum cudaDeviceAttr attribute;
    size_t at, bytes; /* of a size_t, or of an int */
} members[] = {
    OF(MaxThreadsPerBlock, maxThreadsPerBlock), OF(MaxBlockDimX, maxThreadsDim[0]), OF(MaxBlockDimY, maxThreadsDim[1]),
    OF(MaxBlockDimZ, maxThreadsDim[2]), OF(MaxGridDimX, maxGridSize[0]), OF(MaxGridDimY, maxGridSize[1]),
    OF(MaxGridDimZ, maxGridSize[2]), OF(MaxPitch, memPitch), OF(MaxSharedMemoryPerBlock, sharedMemPerBlock),
    OF(MaxSharedMemoryPerBlockOptin, sharedMemPerBlockOptin), OF(MaxSharedMemoryPerMultiprocessor, sharedMemPerMultiprocessor),
    OF(ReservedSharedMemoryPerBlock, reservedSharedMemPerBlock), OF(TotalConstantMemory, totalConstMem), OF(WarpSize, warpSize),
    OF(MaxRegistersPerBlock, regsPerBlock), OF(MaxRegistersPerMultiprocessor, regsPerMultiprocessor), OF(ClockRate, clockRate),
    OF(MemoryClockRate, memoryClockRate), OF(GlobalMemoryBusWidth, memoryBusWidth), OF(L2CacheSize, l2CacheSize),
    OF(MultiProcessorCount, multiProcessorCount), OF(MaxThreadsPerMultiProcessor, maxThreadsPerMultiProcessor),
    OF(MaxBlocksPerMultiprocessor, maxBlocksPerMultiProcessor), OF(AsyncEngineCount, asyncEngineCount),
    OF(ComputeCapabilityMajor, major), OF(ComputeCapabilityMinor, minor),
    OF(ComputePreemptionSupported, computePreemptionSupported), OF(TextureAlignment, textureAlignment),
    OF(SurfaceAlignment, surfaceAlignment), OF(TexturePitchAlignment, texturePitchAlignment), OF(GpuOverlap, deviceOverlap),
    OF(CanMapHostMemory, canMapHostMemory), OF(ConcurrentKernels, concurrentKernels), OF(UnifiedAddressing, unifiedAddressing),
    OF(StreamPrioritiesSupported, streamPrioritiesSupported), OF(GlobalL1CacheSupported, globalL1CacheSupported),
    OF(LocalL1CacheSupported, localL1CacheSupported), OF(ManagedMemory, managedMemory),
    OF(ConcurrentManagedAccess, concurrentManagedAccess),
    OF(CanUseHostPointerForRegisteredMem, canUseHostPointerForRegisteredMem), OF(CooperativeLaunch, cooperativeLaunch),
    OF(MemoryPoolsSupported, memoryPoolsSupported), OF(HostRegisterSupported, hostRegisterSupported),
    OF(KernelExecTimeout, kernelExecTimeoutEnabled), OF(Integrated, integrated), OF(ComputeMode, computeMode),
    OF(EccEnabled, ECCEnabled), OF(PciBusId, pciBusID), OF(PciDeviceId, pciDeviceID), OF(PciDomainId, pciDomainID),
    OF(TccDriver, tccDriver), OF(IsMultiGpuBoard, isMultiGpuBoard), OF(MultiGpuBoardGroupID, multiGpuBoardGroupID),
    OF(HostNativeAtomicSupported, hostNativeAtomicSupported), OF(PageableMemoryAccess, pageableMemoryAccess),
    OF(PageableMemoryAccessUsesHostPageTables, pageableMemoryAccessUsesHostPageTables),
    OF(DirectManagedMemAccessFromHost, directManagedMemAccessFromHost), OF(MaxPersistingL2CacheSize, persistingL2CacheMaxSize),
    OF(MaxAccessPolicyWindowSize, accessPolicyMaxWindowSize), OF(GPUDirectRDMASupported, gpuDirectRDMASupported),
    OF(ClusterLaunch, clusterLaunch), OF(IpcEventSupport, ipcEventSupported), OF(MpsEnabled, mpsEnabled),
};
#undef OF
/* clang-format on */

/* -1: not known. */
static int attribute_of(const Profile *profile, enum cudaDeviceAttr attribute) {
    const struct cudaDeviceProp properties = properties_of(profile);
    for (size_t i = 0; i < sizeof members / sizeof *members; i++) {
        const void *at = (const char *)&properties + members[i].at;
        if (members[i].attribute == attribute)
            return members[i].bytes == sizeof(size_t) ? (int)*(const size_t *)at : *(const int *)at;
    }
    return attribute == cudaDevAttrCanFlushRemoteWrites ? 0 : -1;
}

API_CALL_ALWAYS(cudaDeviceGetAttribute, (int *value, enum cudaDeviceAttr attribute, int device), (value, attribute, device));
static cudaError_t cudaDeviceGetAttribute_locked(Context *context, int *value, enum cudaDeviceAttr attribute, int device) {
    if (!value) return cudaErrorInvalidValue;
    if (device != 0) return cudaErrorInvalidDevice;
    int found = attribute_of(context->options.profile, attribute);
    if (found < 0) {
        bool exists = attribute >= cudaDevAttrMaxThreadsPerBlock && attribute < cudaDevAttrMax;
        if (exists) note("cudaDeviceGetAttribute: attribute %d of the emulated device is not known", (int)attribute);
        return exists ? cudaErrorNotSupported : cudaErrorInvalidValue;
    }
    *value = found;
    return cudaSuccess;
}

/* --- settings. Caches and banks are as the profile has them; these calls only check their arguments. --- */

static _Thread_local enum cudaFuncCache cache_config;
static _Thread_local enum cudaSharedMemConfig bank_config = cudaSharedMemBankSizeFourByte;

cudaError_t cudaDeviceSetCacheConfig(enum cudaFuncCache config) {
    CALLSITE_BEGIN();
    if ((unsigned)config > cudaFuncCachePreferEqual) return api_end(NULL, cudaErrorInvalidValue);
    cache_config = config;
    return cudaSuccess;
}

SAYS(cudaDeviceGetCacheConfig, enum cudaFuncCache, cache_config)

/* Banks of eight bytes exist on compute capability 3.x alone; elsewhere the setting is accepted and ignored. */
cudaError_t cudaDeviceSetSharedMemConfig(enum cudaSharedMemConfig config) {
    CALLSITE_BEGIN();
    return (unsigned)config > cudaSharedMemBankSizeEightByte ? api_end(NULL, cudaErrorInvalidValue) : cudaSuccess;
}

SAYS(cudaDeviceGetSharedMemConfig, enum cudaSharedMemConfig, bank_config)

/* --- other devices: none --- */

cudaError_t cudaDeviceCanAccessPeer(int *can, int device, int peer) {
    CALLSITE_BEGIN();
    if (!can) return api_end(NULL, cudaErrorInvalidValue);
    if (device != 0 || peer != 0) return api_end(NULL, cudaErrorInvalidDevice);
    *can = 0; /* a device is no peer of its own */
    return cudaSuccess;
}

cudaError_t cudaDeviceEnablePeerAccess(int peer, unsigned flags) {
    CALLSITE_BEGIN();
    if (flags) return api_end(NULL, cudaErrorInvalidValue);
    return api_end(NULL, peer == 0 ? cudaErrorPeerAccessUnsupported : cudaSetDevice(peer));
}

cudaError_t cudaDeviceDisablePeerAccess(int peer) {
    CALLSITE_BEGIN();
    return api_end(NULL, peer == 0 ? cudaErrorPeerAccessNotEnabled : cudaSetDevice(peer));
}

/* There is no profiler to start or stop. */
cudaError_t cudaProfilerStart(void) { return cudaSuccess; }
cudaError_t cudaProfilerStop(void) { return cudaSuccess; }
