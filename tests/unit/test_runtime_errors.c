/* The runtime's errors, its launches and its device; test_runtime_refusals.c has what each call refuses in any state. Expected: CUDA
 * Runtime API's documentation of the call; for launches and sticky errors, what programs see on hardware (tests/programs/errors.cu,
 * errors_sticky.cu). */
#include "runtime_test.h"

/* --- the last error --- */

START_TEST(the_last_error_is_kept_until_it_is_asked_for)
{
    runtime_register();
    GIVES(cudaErrorInvalidValue, cudaMalloc(NULL, 4));
    FINE(cudaDeviceSynchronize());
    GIVES(cudaErrorInvalidValue, cudaPeekAtLastError());
    GIVES(cudaErrorInvalidValue, cudaGetLastError());
    FINE(cudaGetLastError());
}
END_TEST

START_TEST(errors_have_names_and_texts)
{
    ck_assert_str_eq(cudaGetErrorName(cudaErrorIllegalAddress), "cudaErrorIllegalAddress");
    ck_assert_str_eq(cudaGetErrorString(cudaErrorIllegalAddress), "an illegal memory access was encountered");
    ck_assert_str_eq(cudaGetErrorString(cudaSuccess), "no error");
    ck_assert_str_eq(cudaGetErrorString(cudaErrorInvalidConfiguration), "invalid configuration argument");
    ck_assert_int_eq(cudaErrorIllegalAddress, 700);
    ck_assert_int_eq(cudaErrorAssert, 710);
    ck_assert_int_eq(cudaErrorInvalidDeviceFunction, 98);
}
END_TEST

/* --- launches --- */

static cudaError_t launch(void (*kernel)(void), dim3 grid, dim3 block, size_t shared_bytes) {
    static void *p = NULL;
    static unsigned value = 1, n = 0;
    void *arguments[] = {&p, &value, &n};
    return cudaLaunchKernel((const void *)kernel, grid, block, arguments, shared_bytes, NULL);
}

START_TEST(launches_of_wrong_shape_are_refused)
{
    dim3 one = {1, 1, 1};
    runtime_register();
    GIVES(cudaErrorInvalidConfiguration, launch(fill, (dim3){0, 1, 1}, one, 0));
    GIVES(cudaErrorInvalidConfiguration, launch(fill, one, (dim3){0, 1, 1}, 0));
    GIVES(cudaErrorInvalidConfiguration, launch(fill, one, (dim3){1025, 1, 1}, 0));
    GIVES(cudaErrorInvalidConfiguration, launch(fill, one, (dim3){32, 33, 1}, 0));
    GIVES(cudaErrorInvalidConfiguration, launch(fill, one, (dim3){1, 1, 65}, 0));
    GIVES(cudaErrorInvalidConfiguration, launch(fill, (dim3){1, 65536, 1}, one, 0));
    GIVES(cudaErrorInvalidConfiguration, cudaGetLastError());
    FINE(launch(fill, one, (dim3){1, 1, 64}, 0));
    FINE(cudaDeviceSynchronize());
}
END_TEST

START_TEST(shared_memory_beyond_48_kib_needs_leave)
{
    dim3 one = {1, 1, 1};
    struct cudaFuncAttributes attributes;
    runtime_register();
    FINE(launch(fill, one, one, 49152));
    GIVES(cudaErrorInvalidValue, launch(fill, one, one, 49153));
    FILE *heard = listen(); /* 227 KiB: all that an H200's block can have */
    GIVES(cudaErrorInvalidValue, launch(fill, one, one, 232448));
    said(heard, "warpscope: launch of fill refused: 232448 bytes of dynamic and 0 of static shared memory, of at most 49152\n"
                "  hint: cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, 232448) first\n");
    heard = listen();
    GIVES(cudaErrorInvalidValue, launch(fill, one, one, 232449));
    FINE(cudaFuncSetAttribute(fill, cudaFuncAttributeMaxDynamicSharedMemorySize, 50000));
    GIVES(cudaErrorInvalidValue, launch(fill, one, one, 50001));
    said(heard, "warpscope: launch of fill refused: 232449 bytes of dynamic and 0 of static shared memory, of at most 49152\n"
                "warpscope: launch of fill refused: 50001 bytes of dynamic and 0 of static shared memory, of at most 50000\n"
                "  hint:");
    GIVES(cudaErrorInvalidValue, cudaFuncSetAttribute(fill, cudaFuncAttributeMaxDynamicSharedMemorySize, 227 * 1024 + 1));
    GIVES(cudaErrorInvalidValue, cudaFuncSetAttribute(fill, cudaFuncAttributeMaxDynamicSharedMemorySize, -1));
    FINE(cudaFuncSetAttribute(fill, cudaFuncAttributeMaxDynamicSharedMemorySize, 100000));
    FINE(launch(fill, one, one, 100000));
    GIVES(cudaErrorInvalidValue, launch(fill, one, one, 100001));
    FINE(cudaFuncGetAttributes(&attributes, fill));
    ck_assert_int_eq(attributes.maxDynamicSharedSizeBytes, 100000);
}
END_TEST

START_TEST(launch_bounds_hold)
{
    dim3 one = {1, 1, 1};
    struct cudaFuncAttributes attributes;
    runtime_register();
    FINE(launch(bounded, one, (dim3){64, 1, 1}, 0));
    GIVES(cudaErrorInvalidValue, launch(bounded, one, (dim3){65, 1, 1}, 0));
    FINE(cudaFuncGetAttributes(&attributes, bounded));
    ck_assert_int_eq(attributes.maxThreadsPerBlock, 64);
}
END_TEST

START_TEST(what_is_no_kernel_is_not_launched)
{
    dim3 one = {1, 1, 1};
    cudaKernel_t handle;
    runtime_register();
    GIVES(cudaErrorInvalidDeviceFunction, launch(unknown_kernel, one, one, 0));
    FINE(__cudaGetKernel(&handle, unknown_kernel));
    GIVES(cudaErrorInvalidDeviceFunction, __cudaLaunchKernel(handle, one, one, NULL, 0, NULL));
    GIVES(cudaErrorInvalidValue, cudaLaunchKernel(fill, one, one, NULL, 0, NULL));
    GIVES(cudaErrorInvalidResourceHandle, launch_in((cudaStream_t)&handle, fill, 1, 1, (void *[]){NULL, NULL, NULL}));
}
END_TEST

START_TEST(a_configuration_is_taken_by_the_next_stub)
{
    dim3 grid, block;
    size_t shared_bytes;
    cudaStream_t stream;
    GIVES(cudaErrorMissingConfiguration, __cudaPopCallConfiguration(&grid, &block, &shared_bytes, &stream));
    ck_assert_uint_eq(__cudaPushCallConfiguration((dim3){2, 3, 4}, (dim3){5, 6, 7}, 8, NULL), 0);
    ck_assert_uint_eq(__cudaPushCallConfiguration((dim3){9, 1, 1}, (dim3){1, 1, 1}, 0, cudaStreamPerThread), 0);
    FINE(__cudaPopCallConfiguration(&grid, &block, &shared_bytes, &stream));
    ck_assert_uint_eq(grid.x, 9);
    ck_assert_ptr_eq(stream, cudaStreamPerThread);
    FINE(__cudaPopCallConfiguration(&grid, &block, &shared_bytes, &stream));
    ck_assert_uint_eq(grid.z, 4);
    ck_assert_uint_eq(block.y, 6);
    ck_assert_uint_eq(shared_bytes, 8);
}
END_TEST

START_TEST(launches_with_attributes)
{
    void *p = NULL;
    unsigned value = 1, n = 0;
    void *arguments[] = {&p, &value, &n};
    cudaLaunchAttribute cooperative = {.id = cudaLaunchAttributeCooperative, .val.cooperative = 1};
    cudaLaunchAttribute cluster = {.id = cudaLaunchAttributeClusterDimension, .val.clusterDim = {2, 1, 1}};
    cudaLaunchConfig_t config = {.gridDim = {265, 1, 1}, .blockDim = {1024, 1, 1}};
    runtime_register();
    FINE(cudaLaunchKernelExC(&config, fill, arguments));
    config.attrs = &cooperative;
    config.numAttrs = 1;
    GIVES(cudaErrorCooperativeLaunchTooLarge, cudaLaunchKernelExC(&config, fill, arguments));
    config.attrs = &cluster;
    GIVES(cudaErrorInvalidClusterSize, cudaLaunchKernelExC(&config, fill, arguments)); /* 265 blocks in pairs */
    config.gridDim.x = 264;
    FINE(cudaLaunchKernelExC(&config, fill, arguments));
    config.attrs = NULL;
    GIVES(cudaErrorInvalidValue, cudaLaunchKernelExC(&config, fill, arguments));
    GIVES(cudaErrorInvalidValue, cudaLaunchKernelExC(NULL, fill, arguments));
}
END_TEST

/* --- sticky errors: the launch itself succeeds, and all that comes after it fails --- */

static void all_fail_with(cudaError_t error) {
    void *p;
    int device;
    cudaStream_t stream;
    GIVES(error, cudaDeviceSynchronize());
    GIVES(error, cudaMalloc(&p, 4));
    GIVES(error, cudaFree(NULL));
    GIVES(error, cudaStreamCreate(&stream));
    GIVES(error, launch_fill(NULL, 0, 1));
    GIVES(error, cudaGetLastError()); /* which forgets it: the next call returns it again (tests/calls) */
    FINE(cudaGetLastError());
    GIVES(error, cudaMallocHost(&p, 4));
    FINE(cudaGetDevice(&device));
    FINE(cudaDeviceReset());
    GIVES(error, cudaMalloc(&p, 4));
}

START_TEST(an_access_out_of_bounds_sticks)
{
    runtime_register();
    void *p = device_memory(400);
    FINE(launch_fill(p, 1, 101));
    FINE(cudaGetLastError());
    all_fail_with(cudaErrorIllegalAddress);
}
END_TEST

START_TEST(a_fault_is_told_with_its_launch)
{
    runtime_register();
    unsigned value = 1, n = 500;
    void *p = device_memory(400), *arguments[] = {&p, &value, &n};
    FILE *heard = listen();
    FINE(cudaLaunchKernel((const void *)fill, (dim3){5, 3, 2}, (dim3){32, 4, 1}, arguments, 0, NULL));
    GIVES(cudaErrorIllegalAddress, cudaDeviceSynchronize());
    said(heard, "warpscope: fill, grid (5,3,2), block (32,4,1): ");
    GIVES(cudaErrorIllegalAddress, cudaGetLastError()); /* who never asks does not end with 0 */
}
END_TEST

START_TEST(use_after_free_sticks)
{
    runtime_register();
    void *p = device_memory(400);
    FINE(cudaFree(p));
    FINE(launch_fill(p, 1, 100));
    all_fail_with(cudaErrorIllegalAddress);
}
END_TEST

START_TEST(a_host_pointer_in_a_kernel_sticks)
{
    unsigned host[4] = {0};
    runtime_register();
    FINE(launch_fill(host, 1, 4));
    all_fail_with(cudaErrorIllegalAddress);
    ck_assert_uint_eq(host[0], 0);
}
END_TEST

START_TEST(a_misaligned_access_sticks)
{
    runtime_register();
    void *p = device_memory(400), *arguments[] = {&p};
    FINE(launch_in(NULL, misaligned, 1, 1, arguments));
    all_fail_with(cudaErrorMisalignedAddress);
}
END_TEST

START_TEST(a_trap_sticks)
{
    runtime_register();
    FINE(launch_in(NULL, stop, 1, 1, NULL));
    all_fail_with(cudaErrorLaunchFailure);
}
END_TEST

/* --- devices --- */

START_TEST(there_is_one_device)
{
    int value = -1;
    unsigned flags;
    FINE(cudaGetDeviceCount(&value));
    ck_assert_int_eq(value, 1);
    FINE(cudaSetDevice(0));
    FINE(cudaGetDevice(&value));
    ck_assert_int_eq(value, 0);
    GIVES(cudaErrorInvalidDevice, cudaSetDevice(-1));
    GIVES(cudaErrorInvalidDevice, cudaInitDevice(1, 0, 0));
    FINE(cudaInitDevice(0, cudaDeviceScheduleSpin, cudaInitDeviceFlagsAreValid));
    GIVES(cudaErrorInvalidValue, cudaDeviceGetAttribute(&value, (enum cudaDeviceAttr)0, 0));
    GIVES(cudaErrorInvalidValue, cudaSetDeviceFlags(cudaDeviceScheduleSpin | cudaDeviceScheduleYield));
    FINE(cudaSetDeviceFlags(cudaDeviceScheduleYield));
    FINE(cudaGetDeviceFlags(&flags));
    ck_assert_uint_eq(flags, cudaDeviceScheduleYield | cudaDeviceMapHost);
}
END_TEST

START_TEST(it_has_no_peers)
{
    int can = -1;
    FINE(cudaDeviceCanAccessPeer(&can, 0, 0));
    ck_assert_int_eq(can, 0);
    GIVES(cudaErrorInvalidValue, cudaDeviceCanAccessPeer(NULL, 0, 0));
    GIVES(cudaErrorPeerAccessUnsupported, cudaDeviceEnablePeerAccess(0, 0));
}
END_TEST

START_TEST(the_profile_speaks_through_properties_and_attributes)
{
    struct cudaDeviceProp properties;
    int value;
    FINE(cudaGetDeviceProperties(&properties, 0));
    ck_assert_str_eq(properties.name, "NVIDIA H200");
    ck_assert_int_eq(properties.major, 9);
    ck_assert_int_eq(properties.multiProcessorCount, 132);
    ck_assert_uint_eq(properties.sharedMemPerBlock, 49152);
    ck_assert_uint_eq(properties.sharedMemPerBlockOptin, 227 * 1024);
    /* peak bandwidth as programs compute it: 2 * memory clock in kHz * bus width in bytes: the data sheet's 4.8 TB/s */
    double gb_s = 2.0 * properties.memoryClockRate * (properties.memoryBusWidth / 8) / 1e6;
    ck_assert(gb_s > 4799 && gb_s < 4801);
    static const struct {
        enum cudaDeviceAttr attribute;
        int expected;
    } known[] = {{cudaDevAttrWarpSize, 32},
                 {cudaDevAttrMaxThreadsPerBlock, 1024},
                 {cudaDevAttrMaxBlockDimZ, 64},
                 {cudaDevAttrMultiProcessorCount, 132},
                 {cudaDevAttrComputeCapabilityMajor, 9},
                 {cudaDevAttrComputeCapabilityMinor, 0},
                 {cudaDevAttrMaxSharedMemoryPerMultiprocessor, 228 * 1024},
                 {cudaDevAttrMaxBlockDimX, 1024},
                 {cudaDevAttrMaxBlockDimY, 1024},
                 {cudaDevAttrMaxGridDimX, 2147483647},
                 {cudaDevAttrMaxGridDimY, 65535},
                 {cudaDevAttrMaxGridDimZ, 65535},
                 {cudaDevAttrMaxPitch, 2147483647},
                 {cudaDevAttrMaxSharedMemoryPerBlock, 49152},
                 {cudaDevAttrMaxSharedMemoryPerBlockOptin, 232448},
                 {cudaDevAttrReservedSharedMemoryPerBlock, 1024},
                 {cudaDevAttrTotalConstantMemory, 65536},
                 {cudaDevAttrMaxRegistersPerBlock, 65536},
                 {cudaDevAttrMaxRegistersPerMultiprocessor, 65536},
                 {cudaDevAttrClockRate, 1980000},
                 {cudaDevAttrMemoryClockRate, 3125000},
                 {cudaDevAttrGlobalMemoryBusWidth, 6144},
                 {cudaDevAttrL2CacheSize, 33554432},
                 {cudaDevAttrMaxThreadsPerMultiProcessor, 2048},
                 {cudaDevAttrMaxBlocksPerMultiprocessor, 32},
                 {cudaDevAttrAsyncEngineCount, 2},
                 {cudaDevAttrTextureAlignment, 512},
                 {cudaDevAttrSurfaceAlignment, 512},
                 {cudaDevAttrTexturePitchAlignment, 32},
                 {cudaDevAttrGpuOverlap, 1},
                 {cudaDevAttrCanMapHostMemory, 1},
                 {cudaDevAttrConcurrentKernels, 1},
                 {cudaDevAttrUnifiedAddressing, 1},
                 {cudaDevAttrStreamPrioritiesSupported, 1},
                 {cudaDevAttrGlobalL1CacheSupported, 1},
                 {cudaDevAttrLocalL1CacheSupported, 1},
                 {cudaDevAttrManagedMemory, 1},
                 {cudaDevAttrConcurrentManagedAccess, 1},
                 {cudaDevAttrCanUseHostPointerForRegisteredMem, 1},
                 {cudaDevAttrCooperativeLaunch, 1},
                 {cudaDevAttrMemoryPoolsSupported, 1},
                 {cudaDevAttrHostRegisterSupported, 1},
                 {cudaDevAttrKernelExecTimeout, 0},
                 {cudaDevAttrIntegrated, 0},
                 {cudaDevAttrComputeMode, 0},
                 {cudaDevAttrEccEnabled, 0},
                 {cudaDevAttrPciBusId, 0},
                 {cudaDevAttrPciDeviceId, 0},
                 {cudaDevAttrPciDomainId, 0},
                 {cudaDevAttrTccDriver, 0},
                 {cudaDevAttrIsMultiGpuBoard, 0},
                 {cudaDevAttrMultiGpuBoardGroupID, 0},
                 {cudaDevAttrHostNativeAtomicSupported, 0},
                 {cudaDevAttrPageableMemoryAccess, 0},
                 {cudaDevAttrPageableMemoryAccessUsesHostPageTables, 0},
                 {cudaDevAttrDirectManagedMemAccessFromHost, 0},
                 {cudaDevAttrComputePreemptionSupported, 1},
                 {cudaDevAttrCanFlushRemoteWrites, 0},
                 {cudaDevAttrMaxPersistingL2CacheSize, 0},
                 {cudaDevAttrMaxAccessPolicyWindowSize, 0},
                 {cudaDevAttrGPUDirectRDMASupported, 0},
                 {cudaDevAttrClusterLaunch, 1},
                 {cudaDevAttrIpcEventSupport, 0},
                 {cudaDevAttrMaxTexture1DWidth, 131072}, /* as an H200 says, as the next ones */
                 {cudaDevAttrMaxTexture3DDepthAlt, 32768},
                 {cudaDevAttrMaxTexture2DLinearPitch, 2097120},
                 {cudaDevAttrMaxSurface2DHeight, 65536},
                 {cudaDevAttrMaxTexture1DLinearWidth, 1 << 28},
                 {cudaDevAttrSingleToDoublePrecisionPerfRatio, 2},
                 {cudaDevAttrMemSyncDomainCount, 4},
                 {cudaDevAttrNumaId, -1},
                 {cudaDevAttrSparseCudaArraySupported, 0}, /* not emulated */
                 {cudaDevAttrMpsEnabled, 0}};
    for (size_t i = 0; i < sizeof known / sizeof *known; i++) {
        FINE(cudaDeviceGetAttribute(&value, known[i].attribute, 0));
        ck_assert_int_eq(value, known[i].expected);
    }
    FILE *heard = listen();
    GIVES(cudaErrorInvalidValue, cudaDeviceGetAttribute(&value, cudaDevAttrMax, 0));
    GIVES(cudaErrorInvalidValue, cudaDeviceGetAttribute(&value, (enum cudaDeviceAttr) - 1, 0));
    said(heard, "warpscope: cudaDeviceGetAttribute: cudaErrorInvalidValue: invalid argument\n");
}
END_TEST

/* Each member that is set, and all others 0. */
START_TEST(properties_are_those_of_the_device)
{
    struct cudaDeviceProp properties,
        wanted = {.totalGlobalMem = 17179869184, /* a T4: 16 GB, 40 SMs of compute capability 7.5 */
                  .sharedMemPerBlock = 49152,
                  .regsPerBlock = 65536,
                  .warpSize = 32,
                  .memPitch = 0x7fffffff,
                  .maxThreadsPerBlock = 1024,
                  .maxThreadsDim = {1024, 1024, 64},
                  .maxGridSize = {0x7fffffff, 65535, 65535},
                  .totalConstMem = 65536,
                  .major = 7,
                  .minor = 5,
                  .textureAlignment = 512,
                  .texturePitchAlignment = 32,
                  .multiProcessorCount = 40,
                  .canMapHostMemory = 1,
                  .maxTexture1D = 131072, /* the guide's table of compute capability 7.5 */
                  .maxTexture1DMipmap = 32768,
                  .maxTexture2D = {131072, 65536},
                  .maxTexture2DMipmap = {32768, 32768},
                  .maxTexture2DLinear = {131072, 65000, 2097120},
                  .maxTexture2DGather = {32768, 32768},
                  .maxTexture3D = {16384, 16384, 16384},
                  .maxTexture3DAlt = {8192, 8192, 32768},
                  .maxTextureCubemap = 32768,
                  .maxTexture1DLayered = {32768, 2048},
                  .maxTexture2DLayered = {32768, 32768, 2048},
                  .maxTextureCubemapLayered = {32768, 2046},
                  .maxSurface1D = 32768,
                  .maxSurface2D = {131072, 65536},
                  .maxSurface3D = {16384, 16384, 16384},
                  .maxSurface1DLayered = {32768, 2048},
                  .maxSurface2DLayered = {32768, 32768, 2048},
                  .maxSurfaceCubemap = 32768,
                  .maxSurfaceCubemapLayered = {32768, 2046},
                  .surfaceAlignment = 512,
                  .concurrentKernels = 1,
                  .asyncEngineCount = 2,
                  .unifiedAddressing = 1,
                  .memoryBusWidth = 256,
                  .l2CacheSize = 4 << 20,
                  .maxThreadsPerMultiProcessor = 1024,
                  .streamPrioritiesSupported = 1,
                  .globalL1CacheSupported = 1,
                  .localL1CacheSupported = 1,
                  .sharedMemPerMultiprocessor = 65536,
                  .regsPerMultiprocessor = 65536,
                  .managedMemory = 1,
                  .concurrentManagedAccess = 1,
                  .computePreemptionSupported = 1,
                  .canUseHostPointerForRegisteredMem = 1,
                  .cooperativeLaunch = 1,
                  .sharedMemPerBlockOptin = 65536,
                  .maxBlocksPerMultiProcessor = 16,
                  .reservedSharedMemPerBlock = 0,
                  .hostRegisterSupported = 1,
                  .hostRegisterReadOnlySupported = 1,
                  .memoryPoolsSupported = 1,
                  .deviceNumaId = -1,
                  .singleToDoublePrecisionPerfRatio = 32, /* 64 and 2 of an SM's in a cycle */
                  .clockRate = 1590000,
                  .memoryClockRate = 5000000, /* 320 GB/s of 2 x 32 bytes a clock */
                  .deviceOverlap = 1};
    strcpy(wanted.name, "NVIDIA T4");
    setenv("WARPSCOPE_DEVICE", "t4", 1);
    memset(&properties, 0xff, sizeof properties);
    FINE(cudaGetDeviceProperties(&properties, 0));
    ck_assert_str_eq(properties.name, wanted.name);
    const unsigned char *got = (const unsigned char *)&properties, *right = (const unsigned char *)&wanted;
    for (size_t i = 0; i < sizeof wanted; i++) ck_assert_msg(got[i] == right[i], "byte %zu: %d, not %d", i, got[i], right[i]);
}
END_TEST

START_TEST(a_device_is_named_by_its_bus)
{
    char id[14];
    memset(id, 'x', sizeof id);
    FINE(cudaDeviceGetPCIBusId(id, 13, 0));
    ck_assert_mem_eq(id, "0000:00:00.0\0x", 14);
    GIVES(cudaErrorInvalidValue, cudaDeviceGetPCIBusId(id, 12, 0));
}
END_TEST

START_TEST(a_device_has_flags_for_each_thread)
{
    static const struct {
        unsigned flags;
        cudaError_t error;
    } rows[] = {{0, cudaSuccess},
                {cudaDeviceScheduleSpin, cudaSuccess},
                {cudaDeviceScheduleYield, cudaSuccess},
                {cudaDeviceScheduleBlockingSync, cudaSuccess},
                {cudaDeviceScheduleBlockingSync | cudaDeviceMapHost | cudaDeviceLmemResizeToMax, cudaSuccess},
                {cudaDeviceSyncMemops, cudaSuccess},
                {cudaDeviceScheduleSpin | cudaDeviceScheduleBlockingSync, cudaErrorInvalidValue},
                {cudaDeviceScheduleYield | cudaDeviceScheduleBlockingSync, cudaErrorInvalidValue},
                {0x100, cudaErrorInvalidValue}};
    unsigned flags;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        for (int init = 0; init < 2; init++) {
            FINE(cudaSetDeviceFlags(0));
            GIVES(rows[i].error,
                  init ? cudaInitDevice(0, rows[i].flags, cudaInitDeviceFlagsAreValid) : cudaSetDeviceFlags(rows[i].flags));
            FINE(cudaGetDeviceFlags(&flags));
            ck_assert_uint_eq(flags, cudaDeviceMapHost | (rows[i].error ? 0 : rows[i].flags));
        }
    FINE(cudaSetDeviceFlags(cudaDeviceScheduleYield));
    FINE(cudaInitDevice(0, cudaDeviceScheduleSpin, 0)); /* flags that are not valid count for nothing */
    FINE(cudaGetDeviceFlags(&flags));
    ck_assert_uint_eq(flags, cudaDeviceMapHost | cudaDeviceScheduleYield);
    GIVES(cudaErrorInvalidDevice, cudaInitDevice(1, 0x100, cudaInitDeviceFlagsAreValid));
}
END_TEST

/* As an H200 has it (tests/calls). */
START_TEST(limits_begin_and_are_kept_as_a_device_has_them)
{
    static const struct {
        enum cudaLimit limit;
        size_t bytes;
        struct {
            size_t asked, kept;
        } sets[3];
    } rows[] = {{cudaLimitStackSize, 1024, {{0, 0}, {1, 16}, {4096, 4096}}},
                {cudaLimitPrintfFifoSize, 8448 << 10, {{0, 512 << 10}, {1 << 20, 1 << 20}, {(size_t)1 << 45, (size_t)2 << 30}}},
                {cudaLimitMallocHeapSize, 8 << 20, {{1, 4 << 20}, {4 << 20, 4 << 20}, {5 << 20, 5 << 20}}}};
    size_t bytes;
    for (size_t i = 0; i < 3; i++) {
        FINE(cudaDeviceGetLimit(&bytes, rows[i].limit));
        ck_assert_uint_eq(bytes, rows[i].bytes);
    }
    for (size_t i = 0; i < 3; i++)
        for (int s = 0; s < 3; s++) {
            FINE(cudaDeviceSetLimit(rows[i].limit, rows[i].sets[s].asked));
            FINE(cudaDeviceGetLimit(&bytes, rows[i].limit));
            ck_assert_uint_eq(bytes, rows[i].sets[s].kept);
        }
    GIVES(cudaErrorInvalidValue, cudaDeviceSetLimit(cudaLimitStackSize, 512 << 10));
    FINE(cudaDeviceGetLimit(&bytes, cudaLimitStackSize));
    ck_assert_uint_eq(bytes, 4096);
}
END_TEST

/* It is forgotten when it is asked for; what a fault left is returned by the next call again. */
START_TEST(each_thread_has_a_last_error_that_a_fault_replaces)
{
    runtime_register();
    void *p = device_memory(400);
    FINE(launch_fill(p, 1, 101));
    GIVES(cudaErrorInvalidValue, cudaGetDeviceCount(NULL));
    GIVES(cudaErrorInvalidValue, cudaGetLastError());
    FINE(cudaGetLastError());
    GIVES(cudaErrorIllegalAddress, cudaDeviceSynchronize());
    GIVES(cudaErrorIllegalAddress, cudaPeekAtLastError());
    GIVES(cudaErrorIllegalAddress, cudaGetLastError());
    FINE(cudaPeekAtLastError());
    GIVES(cudaErrorIllegalAddress, cudaDeviceSynchronize());
    GIVES(cudaErrorIllegalAddress, cudaPeekAtLastError());
}
END_TEST

START_TEST(limits_and_settings)
{
    size_t bytes;
    enum cudaFuncCache cache;
    enum cudaSharedMemConfig banks;
    FINE(cudaDeviceSetLimit(cudaLimitMallocHeapSize, 16 << 20));
    FINE(cudaDeviceGetLimit(&bytes, cudaLimitMallocHeapSize));
    ck_assert_uint_eq(bytes, 16 << 20);
    FINE(cudaDeviceReset());
    FINE(cudaDeviceGetLimit(&bytes, cudaLimitMallocHeapSize));
    ck_assert_uint_eq(bytes, 8 << 20);
    GIVES(cudaErrorUnsupportedLimit, cudaDeviceSetLimit(cudaLimitDevRuntimeSyncDepth, 2));
    FINE(cudaDeviceSetCacheConfig(cudaFuncCachePreferL1));
    FINE(cudaDeviceGetCacheConfig(&cache));
    ck_assert_int_eq(cache, cudaFuncCachePreferL1);
    FINE(cudaDeviceSetSharedMemConfig(cudaSharedMemBankSizeEightByte));
    FINE(cudaDeviceGetSharedMemConfig(&banks));
    ck_assert_int_eq(banks, cudaSharedMemBankSizeFourByte);
}
END_TEST

START_TEST(versions_are_those_of_cuda_13)
{
    int version;
    FINE(cudaRuntimeGetVersion(&version));
    ck_assert_int_eq(version, 13000);
    FINE(cudaDriverGetVersion(&version));
    ck_assert_int_eq(version, 13000);
}
END_TEST

START_TEST(occupancy_is_residency)
{
    int blocks;
    runtime_register();
    FINE(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, fill, 256, 0));
    ck_assert_int_eq(blocks, 8); /* 2048 threads an SM */
    FINE(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, fill, 32, 0));
    ck_assert_int_eq(blocks, 32); /* 32 blocks an SM */
    FINE(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, fill, 128, 40000));
    ck_assert_int_eq(blocks, 5); /* 228 KiB; 40,064 and 1 KiB of the system's a block: 233,472 / 41,088 */
    FINE(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, fill, 1025, 0));
    ck_assert_int_eq(blocks, 0);
    FINE(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, fill, 128, 50000));
    ck_assert_int_eq(blocks, 0); /* without leave for more than 48 KiB */
    GIVES(cudaErrorInvalidValue, cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, fill, 0, 0));
    GIVES(cudaErrorInvalidValue, cudaFuncGetAttributes(NULL, fill));
    GIVES(cudaErrorInvalidValue, cudaFuncSetAttribute(fill, (enum cudaFuncAttribute)99, 0));
}
END_TEST

RUNTIME_MAIN("runtime errors", the_last_error_is_kept_until_it_is_asked_for, errors_have_names_and_texts,
             launches_of_wrong_shape_are_refused, shared_memory_beyond_48_kib_needs_leave, launch_bounds_hold,
             what_is_no_kernel_is_not_launched, a_configuration_is_taken_by_the_next_stub, launches_with_attributes,
             an_access_out_of_bounds_sticks, a_fault_is_told_with_its_launch, use_after_free_sticks,
             a_host_pointer_in_a_kernel_sticks, a_misaligned_access_sticks, a_trap_sticks, there_is_one_device, it_has_no_peers,
             properties_are_those_of_the_device, a_device_is_named_by_its_bus, a_device_has_flags_for_each_thread,
             limits_begin_and_are_kept_as_a_device_has_them, each_thread_has_a_last_error_that_a_fault_replaces,
             the_profile_speaks_through_properties_and_attributes, limits_and_settings, versions_are_those_of_cuda_13,
             occupancy_is_residency)
