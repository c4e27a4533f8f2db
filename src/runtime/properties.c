/* The device: there is one, and its properties come from its profile. */
#include <stdio.h>
#include <string.h>

#include "runtime/context.h"

/* Of CUDA 13.0, whose interface this is. */
enum { CUDA_VERSION_NUMBER = 13000 };

enum { WARP_SIZE = 32, BLOCK_THREADS = 1024, CONSTANT_BYTES = 64 << 10, COPY_ENGINES = 2, TEXTURE_ALIGNMENT = 512 };

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

API_CALL_ALWAYS(cudaSetDevice, (int device), (device)) {
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

API_CALL_ALWAYS(cudaGetDeviceProperties, (struct cudaDeviceProp * properties, int device), (properties, device)) {
    if (!properties) return cudaErrorInvalidValue;
    if (device != 0) return cudaErrorInvalidDevice;
    const Profile *profile = context->options.profile;
    *properties = (struct cudaDeviceProp){
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
        .sharedMemPerBlockOptin = profile->shared_per_block,
        .maxBlocksPerMultiProcessor = (int)profile->max_blocks_per_sm,
        .reservedSharedMemPerBlock = profile->shared_reserved,
        .hostRegisterSupported = 1,
        .memoryPoolsSupported = 1,
        .clockRate = (int)(profile->time.clock_ghz * 1e6),
        .memoryClockRate = memory_khz(profile),
        .deviceOverlap = 1,
    };
    snprintf(properties->name, sizeof properties->name, "%s", profile->full_name);
    return cudaSuccess;
}

/* Those that the profile knows, and those that are the same for every device; -1 for all others. */
static int attribute_of(const Profile *profile, enum cudaDeviceAttr attribute) {
    switch ((int)attribute) {
    case cudaDevAttrMaxThreadsPerBlock:
    case cudaDevAttrMaxBlockDimX:
    case cudaDevAttrMaxBlockDimY: return BLOCK_THREADS;
    case cudaDevAttrMaxBlockDimZ: return 64;
    case cudaDevAttrMaxGridDimX:
    case cudaDevAttrMaxPitch: return 0x7fffffff;
    case cudaDevAttrMaxGridDimY:
    case cudaDevAttrMaxGridDimZ: return 65535;
    case cudaDevAttrMaxSharedMemoryPerBlock: return (int)profile->shared_per_block_default;
    case cudaDevAttrMaxSharedMemoryPerBlockOptin: return (int)profile->shared_per_block;
    case cudaDevAttrMaxSharedMemoryPerMultiprocessor: return (int)profile->shared_per_sm;
    case cudaDevAttrReservedSharedMemoryPerBlock: return (int)profile->shared_reserved;
    case cudaDevAttrTotalConstantMemory: return CONSTANT_BYTES;
    case cudaDevAttrWarpSize: return WARP_SIZE;
    case cudaDevAttrMaxRegistersPerBlock:
    case cudaDevAttrMaxRegistersPerMultiprocessor: return (int)profile->registers;
    case cudaDevAttrClockRate: return (int)(profile->time.clock_ghz * 1e6);
    case cudaDevAttrMemoryClockRate: return memory_khz(profile);
    case cudaDevAttrGlobalMemoryBusWidth: return (int)profile->memory_bits;
    case cudaDevAttrL2CacheSize: return (int)profile->l2_bytes;
    case cudaDevAttrMultiProcessorCount: return (int)profile->sms;
    case cudaDevAttrMaxThreadsPerMultiProcessor: return (int)profile->max_threads_per_sm;
    case cudaDevAttrMaxBlocksPerMultiprocessor: return (int)profile->max_blocks_per_sm;
    case cudaDevAttrAsyncEngineCount: return COPY_ENGINES;
    case cudaDevAttrComputeCapabilityMajor: return (int)profile->compute_major;
    case cudaDevAttrComputeCapabilityMinor: return (int)profile->compute_minor;
    case cudaDevAttrComputePreemptionSupported: return profile->compute_major >= 6;
    case cudaDevAttrTextureAlignment:
    case cudaDevAttrSurfaceAlignment: return TEXTURE_ALIGNMENT;
    case cudaDevAttrTexturePitchAlignment: return 32;
    case cudaDevAttrGpuOverlap:
    case cudaDevAttrCanMapHostMemory:
    case cudaDevAttrConcurrentKernels:
    case cudaDevAttrUnifiedAddressing:
    case cudaDevAttrStreamPrioritiesSupported:
    case cudaDevAttrGlobalL1CacheSupported:
    case cudaDevAttrLocalL1CacheSupported:
    case cudaDevAttrManagedMemory:
    case cudaDevAttrConcurrentManagedAccess:
    case cudaDevAttrCanUseHostPointerForRegisteredMem:
    case cudaDevAttrCooperativeLaunch:
    case cudaDevAttrMemoryPoolsSupported:
    case cudaDevAttrHostRegisterSupported: return 1;
    /* Features that this device does not have. */
    case cudaDevAttrKernelExecTimeout:
    case cudaDevAttrIntegrated:
    case cudaDevAttrComputeMode:
    case cudaDevAttrEccEnabled:
    case cudaDevAttrPciBusId:
    case cudaDevAttrPciDeviceId:
    case cudaDevAttrPciDomainId:
    case cudaDevAttrTccDriver:
    case cudaDevAttrIsMultiGpuBoard:
    case cudaDevAttrMultiGpuBoardGroupID:
    case cudaDevAttrHostNativeAtomicSupported:
    case cudaDevAttrPageableMemoryAccess:
    case cudaDevAttrPageableMemoryAccessUsesHostPageTables:
    case cudaDevAttrDirectManagedMemAccessFromHost:
    case cudaDevAttrCanFlushRemoteWrites:
    case cudaDevAttrMaxPersistingL2CacheSize:
    case cudaDevAttrMaxAccessPolicyWindowSize:
    case cudaDevAttrGPUDirectRDMASupported:
    case cudaDevAttrClusterLaunch:
    case cudaDevAttrIpcEventSupport:
    case cudaDevAttrMpsEnabled: return 0;
    }
    return -1;
}

API_CALL_ALWAYS(cudaDeviceGetAttribute, (int *value, enum cudaDeviceAttr attribute, int device), (value, attribute, device)) {
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
