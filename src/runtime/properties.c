/* The device: there is one, and its properties come from its profile. */
#include "runtime/properties.h"

#include <stdio.h>
#include <string.h>

enum { WARP_SIZE = 32, BLOCK_THREADS = 1024, COPY_ENGINES = 2, TEXTURE_ALIGNMENT = 512 };

/* Of textures and surfaces, as arrays are emulated on all devices: those of compute capability 6.0 and later (CUDA C++ Programming Guide, "Technical
 * Specifications per Compute Capability"), and as an H200 says. */
enum {
    TEXELS_1D = 131072,
    TEXELS_2D_HIGH = 65536,
    TEXELS_3D = 16384,
    TEXELS_3D_ALT = 8192,
    TEXELS_WIDE = 32768, /* in layers, of cubes, gathered, with mipmaps */
    TEXELS_LINEAR = 1 << 28,
    TEXELS_LINEAR_HIGH = 65000,
    PITCH_LINEAR = 2097120,
    LAYERS = 2048,
    FACES = 2046
};

/* A call that says one value. */
#define SAYS(name, type, value)                                 \
    cudaError_t name(type *into) {                              \
        context_start_driver();                                 \
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
    if (device == 0 && strcmp(callsite_name(), "cudaSetDevice") == 0)
        context_be_of_runtime(RUNTIME_DEVICE_SET); /* as since CUDA 12 */
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
    if (strcmp(callsite_name(), "cudaSetDeviceFlags") == 0) context_be_of_runtime(RUNTIME_CALLED);
    device_flags = flags;
    return cudaSuccess;
}

/* Host memory can always be mapped. */
SAYS(cudaGetDeviceFlags, unsigned, device_flags | cudaDeviceMapHost)

/* --- its properties --- */

static int memory_khz(const Profile *profile) { /* two transfers a clock: bandwidth = 2 * clock * bus width */
    return (int)(profile->time.dram_gb_s * 1e6 / (2 * profile->memory_bits / 8.0));
}

/* How many times as many float as double operations an SM starts (CUDA C++ Programming Guide, "Throughput of Native Arithmetic Instructions"). */
static int double_ratio(const Profile *profile) {
    switch (10 * profile->compute_major + profile->compute_minor) {
    case 20:
    case 60:
    case 70:
    case 80:
    case 90: return 2;
    case 86:
    case 89: return 64;
    default: return 32;
    }
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
        .maxTexture1D = TEXELS_1D,
        .maxTexture1DMipmap = TEXELS_WIDE,
        .maxTexture2D = {TEXELS_1D, TEXELS_2D_HIGH},
        .maxTexture2DMipmap = {TEXELS_WIDE, TEXELS_WIDE},
        .maxTexture2DLinear = {TEXELS_1D, TEXELS_LINEAR_HIGH, PITCH_LINEAR},
        .maxTexture2DGather = {TEXELS_WIDE, TEXELS_WIDE},
        .maxTexture3D = {TEXELS_3D, TEXELS_3D, TEXELS_3D},
        .maxTexture3DAlt = {TEXELS_3D_ALT, TEXELS_3D_ALT, TEXELS_WIDE},
        .maxTextureCubemap = TEXELS_WIDE,
        .maxTexture1DLayered = {TEXELS_WIDE, LAYERS},
        .maxTexture2DLayered = {TEXELS_WIDE, TEXELS_WIDE, LAYERS},
        .maxTextureCubemapLayered = {TEXELS_WIDE, FACES},
        .maxSurface1D = TEXELS_WIDE,
        .maxSurface2D = {TEXELS_1D, TEXELS_2D_HIGH},
        .maxSurface3D = {TEXELS_3D, TEXELS_3D, TEXELS_3D},
        .maxSurface1DLayered = {TEXELS_WIDE, LAYERS},
        .maxSurface2DLayered = {TEXELS_WIDE, TEXELS_WIDE, LAYERS},
        .maxSurfaceCubemap = TEXELS_WIDE,
        .maxSurfaceCubemapLayered = {TEXELS_WIDE, FACES},
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
        .hostRegisterReadOnlySupported = 1,
        .memoryPoolsSupported = 1,
        .clockRate = (int)(profile->time.clock_ghz * 1e6),
        .memoryClockRate = memory_khz(profile),
        .deviceOverlap = 1,
        .singleToDoublePrecisionPerfRatio = double_ratio(profile),
        .deviceNumaId = -1,
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
    OF(MaxTexture1DWidth, maxTexture1D), OF(MaxTexture2DWidth, maxTexture2D[0]), OF(MaxTexture2DHeight, maxTexture2D[1]),
    OF(MaxTexture3DWidth, maxTexture3D[0]), OF(MaxTexture3DHeight, maxTexture3D[1]), OF(MaxTexture3DDepth, maxTexture3D[2]),
    OF(MaxTexture3DWidthAlt, maxTexture3DAlt[0]), OF(MaxTexture3DHeightAlt, maxTexture3DAlt[1]),
    OF(MaxTexture3DDepthAlt, maxTexture3DAlt[2]), OF(MaxTexture2DLayeredWidth, maxTexture2DLayered[0]),
    OF(MaxTexture2DLayeredHeight, maxTexture2DLayered[1]), OF(MaxTexture2DLayeredLayers, maxTexture2DLayered[2]),
    OF(MaxTexture1DLayeredWidth, maxTexture1DLayered[0]), OF(MaxTexture1DLayeredLayers, maxTexture1DLayered[1]),
    OF(MaxTexture2DGatherWidth, maxTexture2DGather[0]), OF(MaxTexture2DGatherHeight, maxTexture2DGather[1]),
    OF(MaxTextureCubemapWidth, maxTextureCubemap), OF(MaxTextureCubemapLayeredWidth, maxTextureCubemapLayered[0]),
    OF(MaxTextureCubemapLayeredLayers, maxTextureCubemapLayered[1]), OF(MaxTexture2DLinearWidth, maxTexture2DLinear[0]),
    OF(MaxTexture2DLinearHeight, maxTexture2DLinear[1]), OF(MaxTexture2DLinearPitch, maxTexture2DLinear[2]),
    OF(MaxTexture2DMipmappedWidth, maxTexture2DMipmap[0]), OF(MaxTexture2DMipmappedHeight, maxTexture2DMipmap[1]),
    OF(MaxTexture1DMipmappedWidth, maxTexture1DMipmap), OF(MaxSurface1DWidth, maxSurface1D),
    OF(MaxSurface2DWidth, maxSurface2D[0]), OF(MaxSurface2DHeight, maxSurface2D[1]), OF(MaxSurface3DWidth, maxSurface3D[0]),
    OF(MaxSurface3DHeight, maxSurface3D[1]), OF(MaxSurface3DDepth, maxSurface3D[2]),
    OF(MaxSurface1DLayeredWidth, maxSurface1DLayered[0]), OF(MaxSurface1DLayeredLayers, maxSurface1DLayered[1]),
    OF(MaxSurface2DLayeredWidth, maxSurface2DLayered[0]), OF(MaxSurface2DLayeredHeight, maxSurface2DLayered[1]),
    OF(MaxSurface2DLayeredLayers, maxSurface2DLayered[2]), OF(MaxSurfaceCubemapWidth, maxSurfaceCubemap),
    OF(MaxSurfaceCubemapLayeredWidth, maxSurfaceCubemapLayered[0]),
    OF(MaxSurfaceCubemapLayeredLayers, maxSurfaceCubemapLayered[1]),
    OF(SingleToDoublePrecisionPerfRatio, singleToDoublePrecisionPerfRatio),
    OF(HostRegisterReadOnlySupported, hostRegisterReadOnlySupported), OF(NumaId, deviceNumaId),
};
#undef OF
/* clang-format on */

/* What is not emulated, the device has not: 0. */
static int attribute_of(const Profile *profile, enum cudaDeviceAttr attribute) {
    const struct cudaDeviceProp properties = properties_of(profile);
    if (attribute == cudaDevAttrMaxTexture1DLinearWidth) return TEXELS_LINEAR; /* no member of the properties */
    if (attribute == cudaDevAttrMemSyncDomainCount) return profile->compute_major >= 9 ? 4 : 1;
    for (size_t i = 0; i < sizeof members / sizeof *members; i++) {
        const void *at = (const char *)&properties + members[i].at;
        if (members[i].attribute == attribute)
            return members[i].bytes == sizeof(size_t) ? (int)*(const size_t *)at : *(const int *)at;
    }
    return 0;
}

cudaError_t properties_attribute(const Context *context, enum cudaDeviceAttr attribute, int *value) {
    if (attribute < cudaDevAttrMaxThreadsPerBlock || attribute >= cudaDevAttrMax) return cudaErrorInvalidValue;
    *value = attribute_of(context->options.profile, attribute);
    return cudaSuccess;
}

API_CALL_ALWAYS(cudaDeviceGetAttribute, (int *value, enum cudaDeviceAttr attribute, int device), (value, attribute, device));
static cudaError_t cudaDeviceGetAttribute_locked(Context *context, int *value, enum cudaDeviceAttr attribute, int device) {
    if (!value) return cudaErrorInvalidValue;
    return device == 0 ? properties_attribute(context, attribute, value) : cudaErrorInvalidDevice;
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

/* There is no profiler to start or stop. */
cudaError_t cudaProfilerStart(void) { return cudaSuccess; }
cudaError_t cudaProfilerStop(void) { return cudaSuccess; }
