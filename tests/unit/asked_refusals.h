/* asked_refusals.h: what the calls refuse that ask about devices, streams, kernels and ranges, copy in batches, load libraries and describe nodes: rows of
 * test_runtime_refusals.c, which has what they share. Where the documents leave it open, as an H200 answers (tests/calls/h200.log). */
#pragma once

/* --- devices --- */

FAILS(cudaDeviceGetByPCIBusId) {
    int found;
    REFUSES(cudaErrorInvalidDevice, cudaDeviceGetByPCIBusId(&found, "0000:7e:1f.0"));
    REFUSES(cudaErrorInvalidValue, cudaDeviceGetByPCIBusId(&found, "what"));
    REFUSES(cudaErrorInvalidValue, cudaDeviceGetByPCIBusId(&found, "0000:00:00.0x"));
    REFUSES(cudaErrorInvalidValue, cudaDeviceGetByPCIBusId(&found, NULL));
    REFUSES(cudaErrorInvalidValue, cudaDeviceGetByPCIBusId(NULL, "0000:00:00.0"));
}
FAILS(cudaChooseDevice) {
    struct cudaDeviceProp wanted = {.major = 99};
    int found;
    REFUSES(cudaErrorInvalidValue, cudaChooseDevice(NULL, &wanted));
    REFUSES(cudaErrorInvalidValue, cudaChooseDevice(&found, NULL));
}
FAILS(cudaSetValidDevices) {
    int list[] = {0, 0}, other = 1;
    REFUSES(cudaErrorInvalidValue, cudaSetValidDevices(list, 2));
    REFUSES(cudaErrorInvalidValue, cudaSetValidDevices(NULL, 1));
    REFUSES(cudaErrorInvalidValue, cudaSetValidDevices(list, -1));
    REFUSES(cudaErrorInvalidDevice, cudaSetValidDevices(&other, 1));
}
FAILS(cudaDeviceGetTexture1DLinearMaxWidth) {
    const struct cudaChannelFormatDesc floats = {32, 0, 0, 0, cudaChannelFormatKindFloat},
                                       none = {7, 0, 0, 0, cudaChannelFormatKindFloat};
    size_t width;
    REFUSES(cudaErrorInvalidChannelDescriptor, cudaDeviceGetTexture1DLinearMaxWidth(&width, &none, 0));
    REFUSES(cudaErrorInvalidDevice, cudaDeviceGetTexture1DLinearMaxWidth(&width, &floats, 1));
    REFUSES(cudaErrorInvalidValue, cudaDeviceGetTexture1DLinearMaxWidth(NULL, &floats, 0));
}
FAILS(cudaDeviceGetP2PAttribute) {
    int value;
    REFUSES(cudaErrorInvalidDevice, cudaDeviceGetP2PAttribute(&value, cudaDevP2PAttrAccessSupported, 0, 0));
    REFUSES(cudaErrorInvalidDevice, cudaDeviceGetP2PAttribute(&value, cudaDevP2PAttrAccessSupported, 0, 1));
    REFUSES(cudaErrorInvalidValue, cudaDeviceGetP2PAttribute(NULL, cudaDevP2PAttrAccessSupported, 0, 0));
}
FAILS(cudaDeviceGetP2PAtomicCapabilities) {
    const enum cudaAtomicOperation add = cudaAtomicOperationIntegerAdd;
    unsigned can;
    REFUSES(cudaErrorInvalidDevice, cudaDeviceGetP2PAtomicCapabilities(&can, &add, 1, 0, 0));
    REFUSES(cudaErrorInvalidValue, cudaDeviceGetP2PAtomicCapabilities(NULL, &add, 1, 0, 0));
}
FAILS(cudaDeviceGetHostAtomicCapabilities) {
    const enum cudaAtomicOperation add = cudaAtomicOperationIntegerAdd, none = (enum cudaAtomicOperation)99;
    unsigned can;
    REFUSES(cudaErrorInvalidDevice, cudaDeviceGetHostAtomicCapabilities(&can, &add, 1, 1));
    REFUSES(cudaErrorInvalidValue, cudaDeviceGetHostAtomicCapabilities(&can, &none, 1, 0));
    REFUSES(cudaErrorInvalidValue, cudaDeviceGetHostAtomicCapabilities(&can, &add, 0, 0));
    REFUSES(cudaErrorInvalidValue, cudaDeviceGetHostAtomicCapabilities(&can, NULL, 1, 0));
}
static void noticed(cudaAsyncNotificationInfo_t *info, void *data, cudaAsyncCallbackHandle_t handle) {
    (void)info, (void)data, (void)handle;
}
FAILS(cudaDeviceRegisterAsyncNotification) {
    cudaAsyncCallbackHandle_t handle;
    REFUSES(cudaErrorInvalidDevice, cudaDeviceRegisterAsyncNotification(1, noticed, NULL, &handle));
    REFUSES(cudaErrorInvalidValue, cudaDeviceRegisterAsyncNotification(0, NULL, NULL, &handle));
}
FAILS(cudaDeviceUnregisterAsyncNotification) {
    cudaAsyncCallbackHandle_t handle;
    FINE(cudaDeviceRegisterAsyncNotification(0, noticed, NULL, &handle));
    REFUSES(cudaErrorInvalidDevice, cudaDeviceUnregisterAsyncNotification(1, handle));
    FINE(cudaDeviceUnregisterAsyncNotification(0, handle));
    REFUSES(cudaErrorInvalidValue, cudaDeviceUnregisterAsyncNotification(0, handle));
}
FAILS(cudaDeviceFlushGPUDirectRDMAWrites) {
    const enum cudaFlushGPUDirectRDMAWritesTarget current = cudaFlushGPUDirectRDMAWritesTargetCurrentDevice;
    REFUSES(cudaErrorInvalidValue, cudaDeviceFlushGPUDirectRDMAWrites(current, (enum cudaFlushGPUDirectRDMAWritesScope)5));
}
FAILS(cudaCtxResetPersistingL2Cache) {
    fault();
    REFUSES(cudaErrorIllegalAddress, cudaCtxResetPersistingL2Cache());
}

/* --- other processes --- */

FAILS(cudaIpcGetMemHandle) {
    cudaIpcMemHandle_t handle;
    REFUSES(cudaErrorInvalidValue, cudaIpcGetMemHandle(&handle, managed));
    REFUSES(cudaErrorInvalidValue, cudaIpcGetMemHandle(&handle, pinned));
    REFUSES(cudaErrorInvalidValue, cudaIpcGetMemHandle(&handle, host));
}
FAILS(cudaIpcOpenMemHandle) {
    cudaIpcMemHandle_t own, none = {{0}};
    void *opened;
    FINE(cudaIpcGetMemHandle(&own, device));
    REFUSES(cudaErrorDeviceUninitialized, cudaIpcOpenMemHandle(&opened, own, cudaIpcMemLazyEnablePeerAccess));
    REFUSES(cudaErrorInvalidValue, cudaIpcOpenMemHandle(&opened, own, 0));
    REFUSES(cudaErrorInvalidValue, cudaIpcOpenMemHandle(&opened, none, cudaIpcMemLazyEnablePeerAccess));
    own.reserved[8] ^= 1; /* of a process of another number */
    REFUSES(cudaErrorNotSupported, cudaIpcOpenMemHandle(&opened, own, cudaIpcMemLazyEnablePeerAccess));
}
FAILS(cudaIpcCloseMemHandle) { REFUSES(cudaErrorInvalidValue, cudaIpcCloseMemHandle(device)); }
FAILS(cudaIpcGetEventHandle) {
    cudaIpcEventHandle_t handle;
    REFUSES(cudaErrorInvalidResourceHandle, cudaIpcGetEventHandle(&handle, event)); /* not made for it */
    REFUSES(cudaErrorInvalidResourceHandle, cudaIpcGetEventHandle(&handle, NO_EVENT));
}
FAILS(cudaIpcOpenEventHandle) {
    cudaIpcEventHandle_t own, none = {{0}};
    cudaEvent_t shared, opened;
    FINE(cudaEventCreateWithFlags(&shared, cudaEventInterprocess | cudaEventDisableTiming));
    FINE(cudaIpcGetEventHandle(&own, shared));
    REFUSES(cudaErrorDeviceUninitialized, cudaIpcOpenEventHandle(&opened, own));
    REFUSES(cudaErrorMapBufferObjectFailed, cudaIpcOpenEventHandle(&opened, none));
}

/* --- the log --- */

static void logged(void *data, cudaLogLevel level, char *message, size_t length) {
    (void)level, (void)message;
    *(size_t *)data += length;
}
FAILS(cudaLogsRegisterCallback) {
    cudaLogsCallbackHandle handle;
    REFUSES(cudaErrorInvalidValue, cudaLogsRegisterCallback(NULL, NULL, &handle));
}
FAILS(cudaLogsUnregisterCallback) {
    cudaLogsCallbackHandle handle;
    size_t bytes = 0;
    FINE(cudaLogsRegisterCallback(logged, &bytes, &handle));
    FINE(cudaLogsUnregisterCallback(handle));
    REFUSES(cudaErrorInvalidValue, cudaLogsUnregisterCallback(handle));
}
FAILS(cudaLogsCurrent) { REFUSES(cudaErrorInvalidValue, cudaLogsCurrent(NULL, 0)); }
FAILS(cudaLogsDumpToFile) {
    REFUSES(cudaErrorInvalidValue, cudaLogsDumpToFile(NULL, NULL, 0));
    REFUSES(cudaErrorInvalidValue, cudaLogsDumpToFile(NULL, "/no/such/folder", 0));
}
FAILS(cudaLogsDumpToMemory) {
    char text[256] = "";
    size_t bytes = sizeof text;
    REFUSES(cudaErrorInvalidDevice, cudaSetDevice(7));
    FINE(cudaLogsDumpToMemory(NULL, text, &bytes, 0));
    ck_assert_uint_eq(bytes, strlen(text));
    ck_assert_ptr_nonnull(strstr(text, "cudaSetDevice"));
    bytes = 4; /* no message has room */
    REFUSES(cudaErrorInvalidValue, cudaLogsDumpToMemory(NULL, text, &bytes, 0));
    ck_assert_uint_eq(bytes, 0);
    REFUSES(cudaErrorInvalidValue, cudaLogsDumpToMemory(NULL, NULL, &bytes, 0));
}

/* --- streams --- */

static cudaLaunchAttributeValue attribute;
#define PRIORITY cudaLaunchAttributePriority
FAILS(cudaStreamGetId) {
    unsigned long long id;
    REFUSES(cudaErrorInvalidResourceHandle, cudaStreamGetId(NO_STREAM, &id));
    REFUSES(cudaErrorInvalidValue, cudaStreamGetId(stream, NULL));
}
FAILS(cudaStreamGetDevice) {
    int found;
    REFUSES(cudaErrorInvalidResourceHandle, cudaStreamGetDevice(NO_STREAM, &found));
    REFUSES(cudaErrorInvalidValue, cudaStreamGetDevice(stream, NULL));
}
FAILS(cudaStreamGetAttribute) {
    REFUSES(cudaErrorInvalidResourceHandle, cudaStreamGetAttribute(NO_STREAM, PRIORITY, &attribute));
    REFUSES(cudaErrorInvalidValue, cudaStreamGetAttribute(stream, cudaLaunchAttributeCooperative, &attribute));
}
FAILS(cudaStreamSetAttribute) {
    attribute.syncPolicy = (enum cudaSynchronizationPolicy)9;
    REFUSES(cudaErrorInvalidValue, cudaStreamSetAttribute(stream, cudaLaunchAttributeSynchronizationPolicy, &attribute));
    attribute.accessPolicyWindow = (struct cudaAccessPolicyWindow){.hitRatio = 1.5F};
    REFUSES(cudaErrorInvalidValue, cudaStreamSetAttribute(stream, cudaLaunchAttributeAccessPolicyWindow, &attribute));
    attribute.accessPolicyWindow = (struct cudaAccessPolicyWindow){.num_bytes = (128 << 20) + 1, .hitRatio = 1};
    REFUSES(cudaErrorInvalidValue, cudaStreamSetAttribute(stream, cudaLaunchAttributeAccessPolicyWindow, &attribute));
    REFUSES(cudaErrorInvalidResourceHandle, cudaStreamSetAttribute(NO_STREAM, PRIORITY, &attribute));
}
FAILS(cudaStreamCopyAttributes) {
    REFUSES(cudaErrorInvalidResourceHandle, cudaStreamCopyAttributes(NO_STREAM, stream));
    REFUSES(cudaErrorInvalidResourceHandle, cudaStreamCopyAttributes(stream, NO_STREAM));
}

/* --- kernels --- */

FAILS(cudaFuncGetName) {
    const char *name;
    REFUSES(cudaErrorInvalidDeviceFunction, cudaFuncGetName(&name, host));
    REFUSES(cudaErrorInvalidValue, cudaFuncGetName(NULL, (const void *)fill));
}
FAILS(cudaFuncGetParamInfo) {
    size_t offset, bytes;
    REFUSES(cudaErrorInvalidValue, cudaFuncGetParamInfo((const void *)fill, 99, &offset, &bytes));
    REFUSES(cudaErrorInvalidDeviceFunction, cudaFuncGetParamInfo(host, 0, &offset, &bytes));
}
FAILS(cudaGetFuncBySymbol) {
    cudaFunction_t function;
    REFUSES(cudaErrorInvalidDeviceFunction, cudaGetFuncBySymbol(&function, host));
}
FAILS(cudaGetKernel) {
    cudaKernel_t kernel;
    REFUSES(cudaErrorInvalidDeviceFunction, cudaGetKernel(&kernel, host));
    REFUSES(cudaErrorInvalidValue, cudaGetKernel(NULL, (const void *)fill));
}
FAILS(cudaOccupancyAvailableDynamicSMemPerBlock) {
    size_t bytes;
    REFUSES(cudaErrorInvalidValue, cudaOccupancyAvailableDynamicSMemPerBlock(&bytes, (const void *)fill, 0, 64));
    REFUSES(cudaErrorInvalidValue, cudaOccupancyAvailableDynamicSMemPerBlock(&bytes, (const void *)fill, 33, 64)); /* of 32 */
    REFUSES(cudaErrorInvalidValue, cudaOccupancyAvailableDynamicSMemPerBlock(&bytes, (const void *)fill, 1, 1025));
}
FAILS(cudaOccupancyMaxActiveClusters) {
    cudaLaunchAttribute size = {.id = cudaLaunchAttributeClusterDimension, .val.clusterDim = {3, 1, 1}};
    cudaLaunchConfig_t config = {.gridDim = {64, 1, 1}, .blockDim = {64, 1, 1}, .attrs = &size, .numAttrs = 1};
    int clusters;
    REFUSES(cudaErrorInvalidClusterSize,
            cudaOccupancyMaxActiveClusters(&clusters, (const void *)fill, &config)); /* 64 is no multiple */
    size.val.clusterDim.x = 16;
    REFUSES(cudaErrorInvalidClusterSize, cudaOccupancyMaxActiveClusters(&clusters, (const void *)fill, &config));
    REFUSES(cudaErrorInvalidValue, cudaOccupancyMaxActiveClusters(&clusters, (const void *)fill, NULL));
}
FAILS(cudaOccupancyMaxPotentialClusterSize) {
    const cudaLaunchConfig_t config = {.gridDim = {64, 1, 1}, .blockDim = {0, 1, 1}};
    int size;
    REFUSES(cudaErrorInvalidValue, cudaOccupancyMaxPotentialClusterSize(&size, (const void *)fill, &config));
    REFUSES(cudaErrorInvalidDeviceFunction, cudaOccupancyMaxPotentialClusterSize(&size, host, &config));
}

/* --- libraries --- */

#define NO_LIBRARY ((cudaLibrary_t)host)
static const char idle_ptx[] = ".version 7.5\n.target sm_75\n.address_size 64\n.visible .entry idle() {\nret;\n}\n";
static cudaLibrary_t library(void) {
    cudaLibrary_t made;
    FINE(cudaLibraryLoadData(&made, idle_ptx, NULL, NULL, 0, NULL, NULL, 0));
    return made;
}
FAILS(cudaLibraryLoadData) {
    cudaLibrary_t made;
    REFUSES(cudaErrorInvalidValue, cudaLibraryLoadData(NULL, idle_ptx, NULL, NULL, 0, NULL, NULL, 0));
    REFUSES(cudaErrorInvalidValue, cudaLibraryLoadData(&made, idle_ptx, NULL, NULL, 1, NULL, NULL, 0));
    REFUSES(cudaErrorInvalidKernelImage, cudaLibraryLoadData(&made, "no PTX", NULL, NULL, 0, NULL, NULL, 0));
}
FAILS(cudaLibraryLoadFromFile) {
    cudaLibrary_t made;
    REFUSES(cudaErrorInvalidValue, cudaLibraryLoadFromFile(&made, NULL, NULL, NULL, 0, NULL, NULL, 0));
    REFUSES(cudaErrorFileNotFound, cudaLibraryLoadFromFile(&made, "/no/such/file", NULL, NULL, 0, NULL, NULL, 0));
}
FAILS(cudaLibraryUnload) { REFUSES(cudaErrorInvalidResourceHandle, cudaLibraryUnload(NO_LIBRARY)); }
FAILS(cudaLibraryGetKernel) {
    cudaKernel_t kernel;
    REFUSES(cudaErrorSymbolNotFound, cudaLibraryGetKernel(&kernel, library(), "nobody"));
    REFUSES(cudaErrorInvalidResourceHandle, cudaLibraryGetKernel(&kernel, NO_LIBRARY, "idle"));
}
FAILS(cudaLibraryGetKernelCount) {
    unsigned count;
    REFUSES(cudaErrorInvalidResourceHandle, cudaLibraryGetKernelCount(&count, NO_LIBRARY));
    REFUSES(cudaErrorInvalidValue, cudaLibraryGetKernelCount(NULL, library()));
}
FAILS(cudaLibraryEnumerateKernels) { REFUSES(cudaErrorInvalidValue, cudaLibraryEnumerateKernels(NULL, 2, library())); }
FAILS(cudaLibraryGetGlobal) {
    void *found;
    REFUSES(cudaErrorSymbolNotFound, cudaLibraryGetGlobal(&found, NULL, library(), "nobody"));
}
FAILS(cudaLibraryGetManaged) {
    void *found;
    REFUSES(cudaErrorSymbolNotFound, cudaLibraryGetManaged(&found, NULL, library(), "nobody"));
}
FAILS(cudaLibraryGetUnifiedFunction) {
    void *found;
    REFUSES(cudaErrorInvalidValue, cudaLibraryGetUnifiedFunction(&found, library(), "idle"));
}
FAILS(cudaKernelSetAttributeForDevice) {
    cudaKernel_t kernel;
    FINE(cudaLibraryGetKernel(&kernel, library(), "idle"));
    const enum cudaFuncAttribute shared = cudaFuncAttributeMaxDynamicSharedMemorySize;
    REFUSES(cudaErrorInvalidValue, cudaKernelSetAttributeForDevice(kernel, shared, 1 << 20, 0));
    REFUSES(cudaErrorInvalidDevice, cudaKernelSetAttributeForDevice(kernel, shared, 0, 1));
    REFUSES(cudaErrorInvalidResourceHandle, cudaKernelSetAttributeForDevice(NULL, shared, 0, 0));
}

/* --- copies and ranges --- */

FAILS(cudaMemcpy3DPeer) {
    const struct cudaMemcpy3DPeerParms far = {.srcDevice = 1};
    REFUSES(cudaErrorInvalidDevice, cudaMemcpy3DPeer(&far));
    REFUSES(cudaErrorInvalidValue, cudaMemcpy3DPeer(NULL));
}
FAILS(cudaMemcpy3DPeerAsync) { REFUSES(cudaErrorInvalidValue, cudaMemcpy3DPeerAsync(NULL, stream)); }
FAILS(cudaMemcpyBatchAsync) {
    struct cudaMemcpyAttributes how = {.srcAccessOrder = cudaMemcpySrcAccessOrderStream};
    void *to = device;
    const void *from = host;
    size_t bytes = 4, first = 0, late = 1;
    REFUSES(cudaErrorInvalidValue, cudaMemcpyBatchAsync(&to, &from, &bytes, 1, &how, &first, 1, NULL)); /* the default stream */
    REFUSES(cudaErrorInvalidValue, cudaMemcpyBatchAsync(&to, &from, &bytes, 1, &how, &late, 1, stream));
    REFUSES(cudaErrorInvalidValue, cudaMemcpyBatchAsync(&to, &from, &bytes, 1, &how, &first, 0, stream));
    bytes = 65;
    REFUSES(cudaErrorInvalidValue, cudaMemcpyBatchAsync(&to, &from, &bytes, 1, &how, &first, 1, stream));
    how.srcAccessOrder = cudaMemcpySrcAccessOrderInvalid;
    REFUSES(cudaErrorInvalidValue, cudaMemcpyBatchAsync(&to, &from, &bytes, 1, &how, &first, 1, stream));
}
FAILS(cudaMemcpy3DBatchAsync) {
    struct cudaMemcpy3DBatchOp copy = {.srcAccessOrder = cudaMemcpySrcAccessOrderStream};
    REFUSES(cudaErrorInvalidValue, cudaMemcpy3DBatchAsync(1, &copy, 0, stream)); /* of nothing */
    REFUSES(cudaErrorInvalidValue, cudaMemcpy3DBatchAsync(1, NULL, 0, stream));
}
FAILS(cudaMemPrefetchBatchAsync) {
    void *ranges[] = {device};
    size_t bytes = 64, first = 0;
    struct cudaMemLocation place = here;
    REFUSES(cudaErrorInvalidValue,
            cudaMemPrefetchBatchAsync(ranges, &bytes, 1, &place, &first, 1, 0, stream)); /* not managed */
    ranges[0] = managed;
    REFUSES(cudaErrorInvalidValue, cudaMemPrefetchBatchAsync(ranges, &bytes, 1, &place, &first, 1, 1, stream));
}
FAILS(cudaMemDiscardBatchAsync) {
    void *ranges[] = {device};
    size_t bytes = 64;
    REFUSES(cudaErrorInvalidValue, cudaMemDiscardBatchAsync(ranges, &bytes, 1, 0, stream));
}
FAILS(cudaMemDiscardAndPrefetchBatchAsync) {
    void *ranges[] = {managed};
    size_t bytes = 64, first = 0;
    struct cudaMemLocation place = elsewhere;
    REFUSES(cudaErrorInvalidValue, cudaMemDiscardAndPrefetchBatchAsync(ranges, &bytes, 1, &place, &first, 1, 0, stream));
}
FAILS(cudaMemRangeGetAttribute) {
    int value;
    REFUSES(cudaErrorInvalidValue, cudaMemRangeGetAttribute(&value, 3, cudaMemRangeAttributeReadMostly, managed, 64));
    REFUSES(cudaErrorInvalidValue, cudaMemRangeGetAttribute(&value, 4, cudaMemRangeAttributeReadMostly, device, 64));
    REFUSES(cudaErrorInvalidValue, cudaMemRangeGetAttribute(&value, 4, (enum cudaMemRangeAttribute)9, managed, 64));
}
FAILS(cudaMemRangeGetAttributes) {
    void *into[] = {host};
    size_t bytes = 4;
    enum cudaMemRangeAttribute which = cudaMemRangeAttributeReadMostly;
    REFUSES(cudaErrorInvalidValue, cudaMemRangeGetAttributes(into, &bytes, &which, 0, managed, 64));
}
FAILS(cudaArrayGetPlane) {
    cudaArray_t plane;
    REFUSES(cudaErrorInvalidResourceHandle, cudaArrayGetPlane(&plane, NO_ARRAY, 0));
}
FAILS(cudaArrayGetMemoryRequirements) {
    struct cudaArrayMemoryRequirements needs;
    REFUSES(cudaErrorInvalidValue, cudaArrayGetMemoryRequirements(&needs, NO_ARRAY, 0));
}
FAILS(cudaArrayGetSparseProperties) {
    struct cudaArraySparseProperties properties;
    REFUSES(cudaErrorInvalidValue, cudaArrayGetSparseProperties(&properties, NO_ARRAY));
}

/* --- pools by their places --- */

static struct cudaMemLocation on_device = {cudaMemLocationTypeDevice, 0}, on_other = {cudaMemLocationTypeDevice, 1};
FAILS(cudaMemGetDefaultMemPool) {
    cudaMemPool_t pool;
    REFUSES(cudaErrorInvalidValue, cudaMemGetDefaultMemPool(&pool, &on_other, cudaMemAllocationTypePinned));
    REFUSES(cudaErrorInvalidValue, cudaMemGetDefaultMemPool(NULL, &on_device, cudaMemAllocationTypePinned));
}
FAILS(cudaMemGetMemPool) {
    cudaMemPool_t pool;
    REFUSES(cudaErrorInvalidValue, cudaMemGetMemPool(&pool, NULL, cudaMemAllocationTypePinned));
}
FAILS(cudaMemSetMemPool) {
    REFUSES(cudaErrorInvalidValue, cudaMemSetMemPool(&on_device, cudaMemAllocationTypePinned, NO_POOL));
}
FAILS(cudaMemPoolExportToShareableHandle) {
    int file;
    const enum cudaMemAllocationHandleType posix = cudaMemHandleTypePosixFileDescriptor;
    REFUSES(cudaErrorInvalidValue, cudaMemPoolExportToShareableHandle(&file, own_pool(), posix, 0));
}
FAILS(cudaMemPoolExportPointer) {
    struct cudaMemPoolPtrExportData data;
    REFUSES(cudaErrorInvalidValue, cudaMemPoolExportPointer(&data, device));
}

/* --- nodes of memory, and of any type --- */

static struct cudaMemAllocNodeParams wanted(size_t bytes) {
    return (struct cudaMemAllocNodeParams){.poolProps = {.allocType = cudaMemAllocationTypePinned, .location = here},
                                           .bytesize = bytes};
}
FAILS(cudaGraphAddMemAllocNode) {
    struct cudaMemAllocNodeParams nothing = wanted(0), far = wanted(4), shared = wanted(4);
    cudaGraphNode_t node;
    far.poolProps.location = elsewhere;
    shared.poolProps.handleTypes = cudaMemHandleTypePosixFileDescriptor;
    REFUSES(cudaErrorInvalidValue, cudaGraphAddMemAllocNode(&node, graph, NULL, 0, &nothing));
    REFUSES(cudaErrorInvalidValue, cudaGraphAddMemAllocNode(&node, graph, NULL, 0, &far));
    REFUSES(cudaErrorNotSupported, cudaGraphAddMemAllocNode(&node, graph, NULL, 0, &shared));
    REFUSES(cudaErrorInvalidValue, cudaGraphAddMemAllocNode(&node, graph, NULL, 0, NULL));
}
FAILS(cudaGraphMemAllocNodeGetParams) {
    struct cudaMemAllocNodeParams params;
    REFUSES(cudaErrorInvalidValue, cudaGraphMemAllocNodeGetParams((cudaGraphNode_t)host, &params));
}
FAILS(cudaGraphAddMemFreeNode) {
    cudaGraphNode_t node;
    struct cudaMemAllocNodeParams params = wanted(64);
    FINE(cudaGraphAddMemAllocNode(&node, graph, NULL, 0, &params));
    REFUSES(cudaErrorInvalidValue, cudaGraphAddMemFreeNode(&node, graph, NULL, 0, device));
    REFUSES(cudaErrorInvalidValue, cudaGraphAddMemFreeNode(&node, graph, NULL, 0, (char *)params.dptr + 4));
    FINE(cudaGraphAddMemFreeNode(&node, graph, NULL, 0, params.dptr));
    REFUSES(cudaErrorInvalidValue, cudaGraphAddMemFreeNode(&node, graph, NULL, 0, params.dptr)); /* twice */
    REFUSES(cudaErrorNotSupported, cudaGraphDestroyNode(node));
}
FAILS(cudaGraphMemFreeNodeGetParams) {
    void *freed;
    REFUSES(cudaErrorInvalidValue, cudaGraphMemFreeNodeGetParams((cudaGraphNode_t)host, &freed));
}
FAILS(cudaDeviceGraphMemTrim) { REFUSES(cudaErrorInvalidDevice, cudaDeviceGraphMemTrim(1)); }
FAILS(cudaDeviceGetGraphMemAttribute) {
    uint64_t value;
    REFUSES(cudaErrorInvalidDevice, cudaDeviceGetGraphMemAttribute(1, cudaGraphMemAttrUsedMemHigh, &value));
    REFUSES(cudaErrorInvalidValue, cudaDeviceGetGraphMemAttribute(0, (enum cudaGraphMemAttributeType)4, &value));
}
FAILS(cudaDeviceSetGraphMemAttribute) {
    uint64_t value = 5, zero = 0;
    REFUSES(cudaErrorInvalidValue, cudaDeviceSetGraphMemAttribute(0, cudaGraphMemAttrUsedMemHigh, &value));
    REFUSES(cudaErrorInvalidValue, cudaDeviceSetGraphMemAttribute(0, cudaGraphMemAttrUsedMemCurrent, &zero));
}
FAILS(cudaGraphAddNode) {
    struct cudaGraphNodeParams params = {.type = cudaGraphNodeTypeConditional};
    cudaGraphNode_t node;
    REFUSES(cudaErrorNotSupported, cudaGraphAddNode(&node, graph, NULL, NULL, 0, &params));
    params.type = cudaGraphNodeTypeEmpty;
    params.reserved2 = 1;
    REFUSES(cudaErrorInvalidValue, cudaGraphAddNode(&node, graph, NULL, NULL, 0, &params));
    REFUSES(cudaErrorInvalidValue, cudaGraphAddNode(&node, graph, NULL, NULL, 0, NULL));
}
FAILS(cudaGraphNodeSetParams) {
    struct cudaGraphNodeParams params = {.type = cudaGraphNodeTypeHost, .host = {(cudaHostFn_t)fill, NULL}};
    cudaGraphNode_t node;
    FINE(cudaGraphAddEmptyNode(&node, graph, NULL, 0));
    REFUSES(cudaErrorInvalidValue, cudaGraphNodeSetParams(node, &params));
    REFUSES(cudaErrorInvalidValue, cudaGraphNodeSetParams(node, NULL));
}
FAILS(cudaGraphExecNodeSetParams) {
    struct cudaGraphNodeParams params = {.type = cudaGraphNodeTypeEmpty};
    REFUSES(cudaErrorInvalidValue, cudaGraphExecNodeSetParams(executable, (cudaGraphNode_t)host, &params));
}
static cudaGraphNode_t empty_node(void) {
    cudaGraphNode_t node;
    FINE(cudaGraphAddEmptyNode(&node, graph, NULL, 0));
    return node;
}
FAILS(cudaGraphKernelNodeGetAttribute) {
    REFUSES(cudaErrorInvalidValue, cudaGraphKernelNodeGetAttribute(empty_node(), PRIORITY, &attribute));
}
FAILS(cudaGraphKernelNodeSetAttribute) {
    REFUSES(cudaErrorInvalidValue, cudaGraphKernelNodeSetAttribute(empty_node(), PRIORITY, &attribute));
}
FAILS(cudaGraphKernelNodeCopyAttributes) {
    REFUSES(cudaErrorInvalidValue, cudaGraphKernelNodeCopyAttributes(empty_node(), empty_node()));
}
FAILS(cudaGraphDebugDotPrint) {
    REFUSES(cudaErrorOperatingSystem, cudaGraphDebugDotPrint(graph, "/no/such/folder/graph.dot", 0));
    REFUSES(cudaErrorInvalidValue, cudaGraphDebugDotPrint(graph, NULL, 0));
}
