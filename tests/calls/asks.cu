// What programs ask of the device, of streams and of kernels: peers, other processes, identifiers, attributes, occupancy of clusters.
#include "calls.h"
#include <vector>

__global__ void nothing() {}
__global__ void several(char c, double d, int *p, short s) { p[0] = (int)d + c + s; }
__global__ void with_shared(int *p) {
    __shared__ int all[1024];
    all[threadIdx.x] = *p;
    __syncthreads();
    p[threadIdx.x] = all[1023 - threadIdx.x];
}
static void host_function() {}

static void choosing() {
    int device = 77, list[3] = {0, 0, 1};
    cudaDeviceProp p;
    memset(&p, 0, sizeof(p));
    CALL(cudaChooseDevice(&device, &p));
    SHOW(device);
    p.major = 99;
    CALL(cudaChooseDevice(&device, &p));
    SHOW(device);
    CALL(cudaChooseDevice(nullptr, &p));
    CALL(cudaChooseDevice(&device, nullptr));
    CALL(cudaSetValidDevices(list, 1));
    CALL(cudaSetValidDevices(list, 2));
    CALL(cudaSetValidDevices(list, 0));
    CALL(cudaSetValidDevices(nullptr, 0));
    CALL(cudaSetValidDevices(nullptr, 1));
    CALL(cudaSetValidDevices(list, -1));
    CALL(cudaSetValidDevices(list + 2, 1));
    CALL(cudaSetValidDevices(list + 1, 2));
    char id[20] = "";
    NEED(cudaDeviceGetPCIBusId(id, sizeof(id), 0));
    CALL(cudaDeviceGetByPCIBusId(&device, id));
    SHOW(device);
    CALL(cudaDeviceGetByPCIBusId(&device, id + 5));
    device = 77;
    CALL(cudaDeviceGetByPCIBusId(&device, "0000:7e:1f.0"));
    SHOW(device);
    CALL(cudaDeviceGetByPCIBusId(&device, "what"));
    CALL(cudaDeviceGetByPCIBusId(&device, ""));
    CALL(cudaDeviceGetByPCIBusId(&device, nullptr));
    CALL(cudaDeviceGetByPCIBusId(nullptr, id));
}

static void widths() {
    size_t width = 77;
    cudaChannelFormatDesc formats[] = {cudaCreateChannelDesc<float>(), cudaCreateChannelDesc<float4>(),
                                       cudaCreateChannelDesc<char>(), cudaCreateChannelDesc<short2>()};
    for (const cudaChannelFormatDesc &format : formats) {
        CALL(cudaDeviceGetTexture1DLinearMaxWidth(&width, &format, 0));
        SHOW(width);
    }
    cudaChannelFormatDesc wrong = {7, 0, 0, 0, cudaChannelFormatKindFloat};
    CALL(cudaDeviceGetTexture1DLinearMaxWidth(&width, &wrong, 0));
    CALL(cudaDeviceGetTexture1DLinearMaxWidth(&width, formats, 1));
    CALL(cudaDeviceGetTexture1DLinearMaxWidth(&width, formats, -1));
    CALL(cudaDeviceGetTexture1DLinearMaxWidth(nullptr, formats, 0));
}

static void peers() {
    int value = 77;
    for (int attribute = 0; attribute < 7; attribute++) {
        value = 77;
        printf("attribute %d\n", attribute);
        CALL(cudaDeviceGetP2PAttribute(&value, (cudaDeviceP2PAttr)attribute, 0, 0));
        SHOW(value);
    }
    CALL(cudaDeviceGetP2PAttribute(&value, cudaDevP2PAttrAccessSupported, 0, 1));
    CALL(cudaDeviceGetP2PAttribute(&value, cudaDevP2PAttrAccessSupported, 1, 0));
    CALL(cudaDeviceGetP2PAttribute(&value, cudaDevP2PAttrAccessSupported, -1, 0));
    CALL(cudaDeviceGetP2PAttribute(nullptr, cudaDevP2PAttrAccessSupported, 0, 0));
    unsigned can[13];
    cudaAtomicOperation operations[13];
    for (int i = 0; i < 13; i++) operations[i] = (cudaAtomicOperation)i, can[i] = 77;
    CALL(cudaDeviceGetHostAtomicCapabilities(can, operations, 13, 0));
    for (int i = 0; i < 13; i++) SHOW(can[i]);
    CALL(cudaDeviceGetHostAtomicCapabilities(can, operations, 0, 0));
    CALL(cudaDeviceGetHostAtomicCapabilities(nullptr, operations, 13, 0));
    CALL(cudaDeviceGetHostAtomicCapabilities(can, nullptr, 13, 0));
    CALL(cudaDeviceGetHostAtomicCapabilities(can, operations, 13, 1));
    operations[0] = (cudaAtomicOperation)99;
    CALL(cudaDeviceGetHostAtomicCapabilities(can, operations, 13, 0));
    operations[0] = cudaAtomicOperationIntegerAdd;
    CALL(cudaDeviceGetP2PAtomicCapabilities(can, operations, 13, 0, 0));
    for (int i = 0; i < 13; i += 4) SHOW(can[i]);
    CALL(cudaDeviceGetP2PAtomicCapabilities(can, operations, 13, 0, 1));
    CALL(cudaDeviceGetP2PAtomicCapabilities(nullptr, operations, 13, 0, 0));
}

static void noticed(cudaAsyncNotificationInfo *, void *, cudaAsyncCallbackHandle_t) {}
static void notices() {
    cudaAsyncCallbackHandle_t first = nullptr, second = nullptr;
    CALL(cudaDeviceRegisterAsyncNotification(0, noticed, nullptr, &first));
    SHOW(first != nullptr);
    CALL(cudaDeviceRegisterAsyncNotification(0, noticed, nullptr, &second));
    SHOW(first != second);
    CALL(cudaDeviceRegisterAsyncNotification(1, noticed, nullptr, &second));
    CALL(cudaDeviceRegisterAsyncNotification(0, nullptr, nullptr, &second));
    CALL(cudaDeviceUnregisterAsyncNotification(0, first));
    CALL(cudaDeviceUnregisterAsyncNotification(1, second));
    CALL(cudaDeviceUnregisterAsyncNotification(0, second));
    CALL(cudaDeviceFlushGPUDirectRDMAWrites(cudaFlushGPUDirectRDMAWritesTargetCurrentDevice,
                                            cudaFlushGPUDirectRDMAWritesToOwner));
    CALL(cudaDeviceFlushGPUDirectRDMAWrites(cudaFlushGPUDirectRDMAWritesTargetCurrentDevice,
                                            cudaFlushGPUDirectRDMAWritesToAllDevices));
    CALL(cudaDeviceFlushGPUDirectRDMAWrites((cudaFlushGPUDirectRDMAWritesTarget)5, cudaFlushGPUDirectRDMAWritesToOwner));
    CALL(cudaDeviceFlushGPUDirectRDMAWrites(cudaFlushGPUDirectRDMAWritesTargetCurrentDevice,
                                            (cudaFlushGPUDirectRDMAWritesScope)5));
    CALL(cudaCtxResetPersistingL2Cache());
}

static void processes() {
    int *p = nullptr, *q = nullptr, *opened = nullptr, *managed = nullptr, *pinned = nullptr, here = 0;
    cudaIpcMemHandle_t memory, again;
    memset(&memory, 0, sizeof(memory));
    memset(&again, 0, sizeof(again));
    NEED(cudaMalloc(&p, 4 << 20));
    NEED(cudaMalloc(&q, 4096));
    NEED(cudaMallocManaged(&managed, 4096));
    NEED(cudaMallocHost(&pinned, 4096));
    CALL(cudaIpcGetMemHandle(&memory, p));
    CALL(cudaIpcGetMemHandle(&again, p));
    SHOW(memcmp(&memory, &again, sizeof(memory)));
    CALL(cudaIpcGetMemHandle(&again, p + 100));
    CALL(cudaIpcGetMemHandle(&again, q));
    CALL(cudaIpcGetMemHandle(&again, managed));
    CALL(cudaIpcGetMemHandle(&again, pinned));
    CALL(cudaIpcGetMemHandle(&again, &here));
    CALL(cudaIpcGetMemHandle(&again, nullptr));
    CALL(cudaIpcOpenMemHandle((void **)&opened, memory, cudaIpcMemLazyEnablePeerAccess));
    CALL(cudaIpcOpenMemHandle((void **)&opened, memory, 0));
    memset(&again, 0, sizeof(again));
    CALL(cudaIpcOpenMemHandle((void **)&opened, again, cudaIpcMemLazyEnablePeerAccess));
    CALL(cudaIpcCloseMemHandle(p));
    CALL(cudaIpcCloseMemHandle(&here));
    CALL(cudaIpcCloseMemHandle(nullptr));
    cudaEvent_t own, shared, gone = nullptr;
    cudaIpcEventHandle_t event;
    memset(&event, 0, sizeof(event));
    NEED(cudaEventCreate(&own));
    CALL(cudaEventCreateWithFlags(&shared, cudaEventInterprocess | cudaEventDisableTiming));
    CALL(cudaIpcGetEventHandle(&event, own));
    CALL(cudaIpcOpenEventHandle(&gone, event));
    CALL(cudaIpcGetEventHandle(&event, shared));
    CALL(cudaIpcOpenEventHandle(&gone, event));
}

static void show_stream(cudaStream_t stream) {
    for (int attribute = 0; attribute <= 17; attribute++) {
        cudaStreamAttrValue value;
        memset(&value, 0x55, sizeof(value));
        const cudaError_t error = cudaStreamGetAttribute(stream, (cudaStreamAttrID)attribute, &value);
        cudaGetLastError();
        int words[2];
        memcpy(words, &value, sizeof(words));
        printf("attribute %d: %s %x %x\n", attribute, error_word(error), words[0], words[1]);
    }
}

static void streams() {
    cudaStream_t a, b;
    unsigned long long id[4] = {77, 77, 77, 77};
    int device = 77;
    NEED(cudaStreamCreate(&a));
    NEED(cudaStreamCreateWithPriority(&b, cudaStreamNonBlocking, -2));
    CALL(cudaStreamGetId(a, &id[0]));
    CALL(cudaStreamGetId(b, &id[1]));
    CALL(cudaStreamGetId(0, &id[2]));
    CALL(cudaStreamGetId(cudaStreamLegacy, &id[3]));
    SHOW(id[2] == id[3]);
    SHOW(id[0] != id[1] && id[0] != id[2] && id[1] != id[2]);
    CALL(cudaStreamGetId(cudaStreamPerThread, &id[3]));
    SHOW(id[2] != id[3]);
    CALL(cudaStreamGetId(a, nullptr));
    CALL(cudaStreamGetDevice(a, &device));
    SHOW(device);
    CALL(cudaStreamGetDevice(0, &device));
    show_stream(a);
    show_stream(b);
    show_stream(0);
    cudaStreamAttrValue value;
    memset(&value, 0, sizeof(value));
    value.syncPolicy = cudaSyncPolicySpin;
    CALL(cudaStreamSetAttribute(a, cudaLaunchAttributeSynchronizationPolicy, &value));
    value.syncPolicy = (cudaSynchronizationPolicy)9;
    CALL(cudaStreamSetAttribute(a, cudaLaunchAttributeSynchronizationPolicy, &value));
    for (int priority : {-1, -5, -99, 7}) {
        memset(&value, 0, sizeof(value));
        value.priority = priority;
        CALL(cudaStreamSetAttribute(a, cudaLaunchAttributePriority, &value));
        int is = 77;
        NEED(cudaStreamGetPriority(a, &is));
        SHOW(is);
    }
    memset(&value, 0, sizeof(value));
    for (int attribute = 0; attribute <= 17; attribute++) {
        cudaStreamAttrValue other;
        memset(&other, 0, sizeof(other));
        const cudaError_t error = cudaStreamSetAttribute(b, (cudaStreamAttrID)attribute, &other);
        cudaGetLastError();
        printf("set %d: %s\n", attribute, error_word(error));
    }
    int *p;
    NEED(cudaMalloc(&p, 1 << 20));
    memset(&value, 0, sizeof(value));
    value.accessPolicyWindow.base_ptr = p;
    value.accessPolicyWindow.num_bytes = 1 << 20;
    value.accessPolicyWindow.hitRatio = 0.5f;
    value.accessPolicyWindow.hitProp = cudaAccessPropertyPersisting;
    value.accessPolicyWindow.missProp = cudaAccessPropertyStreaming;
    CALL(cudaStreamSetAttribute(a, cudaLaunchAttributeAccessPolicyWindow, &value));
    memset(&value, 0x55, sizeof(value));
    CALL(cudaStreamGetAttribute(a, cudaLaunchAttributeAccessPolicyWindow, &value));
    SHOW(value.accessPolicyWindow.base_ptr == p);
    SHOW(value.accessPolicyWindow.num_bytes);
    SHOW(value.accessPolicyWindow.hitRatio * 100);
    SHOW(value.accessPolicyWindow.hitProp);
    value.accessPolicyWindow.hitRatio = 1.5f;
    CALL(cudaStreamSetAttribute(a, cudaLaunchAttributeAccessPolicyWindow, &value));
    value.accessPolicyWindow.hitRatio = 1;
    value.accessPolicyWindow.missProp = cudaAccessPropertyPersisting;
    CALL(cudaStreamSetAttribute(a, cudaLaunchAttributeAccessPolicyWindow, &value));
    value.accessPolicyWindow.missProp = cudaAccessPropertyNormal;
    value.accessPolicyWindow.num_bytes = (size_t)1 << 40;
    CALL(cudaStreamSetAttribute(a, cudaLaunchAttributeAccessPolicyWindow, &value));
    CALL(cudaStreamCopyAttributes(b, a));
    show_stream(b);
    CALL(cudaStreamCopyAttributes(b, b));
    CALL(cudaStreamCopyAttributes(0, a));
}

static void names() {
    const char *name = nullptr;
    size_t offset = 77, bytes = 77;
    CALL(cudaFuncGetName(&name, (const void *)nothing));
    printf("    %s\n", name ? name : "none");
    CALL(cudaFuncGetName(nullptr, (const void *)nothing));
    CALL(cudaFuncGetName(&name, nullptr));
    for (size_t i = 0; i < 5; i++) {
        offset = bytes = 77;
        CALL(cudaFuncGetParamInfo((const void *)several, i, &offset, &bytes));
        SHOW(offset);
        SHOW(bytes);
    }
    CALL(cudaFuncGetParamInfo((const void *)several, 1, &offset, nullptr));
    CALL(cudaFuncGetParamInfo((const void *)several, 1, nullptr, &bytes));
    CALL(cudaFuncGetParamInfo(nullptr, 1, &offset, &bytes));
    CALL(cudaFuncGetParamInfo((const void *)nothing, 0, &offset, &bytes));
    cudaFunction_t function = nullptr;
    cudaKernel_t kernel = nullptr;
    CALL(cudaGetFuncBySymbol(&function, (const void *)nothing));
    SHOW(function != nullptr);
    CALL(cudaGetFuncBySymbol(nullptr, (const void *)nothing));
    CALL(cudaGetFuncBySymbol(&function, nullptr));
    CALL(cudaGetFuncBySymbol(&function, (const void *)host_function));
    CALL(cudaGetKernel(&kernel, (const void *)nothing));
    SHOW(kernel != nullptr);
    CALL(cudaGetKernel(nullptr, (const void *)nothing));
    CALL(cudaGetKernel(&kernel, nullptr));
    CALL(cudaGetKernel(&kernel, (const void *)host_function));
}

static void unused_shared() {
    size_t bytes = 77;
    for (int blocks : {1, 2, 4, 8, 16, 32, 33, 0, -1}) {
        bytes = 77;
        printf("%d blocks\n", blocks);
        CALL(cudaOccupancyAvailableDynamicSMemPerBlock(&bytes, (const void *)nothing, blocks, 64));
        SHOW(bytes);
        CALL(cudaOccupancyAvailableDynamicSMemPerBlock(&bytes, (const void *)with_shared, blocks, 128));
        SHOW(bytes);
    }
    CALL(cudaOccupancyAvailableDynamicSMemPerBlock(&bytes, (const void *)nothing, 3, 1024));
    SHOW(bytes);
    CALL(cudaOccupancyAvailableDynamicSMemPerBlock(&bytes, (const void *)nothing, 1, 0));
    CALL(cudaOccupancyAvailableDynamicSMemPerBlock(&bytes, (const void *)nothing, 1, 1025));
}

static void clusters() {
    int value = 77;
    cudaLaunchAttribute attribute;
    cudaLaunchConfig_t config;
    for (int kernel = 0; kernel < 2; kernel++) {
        const void *f = kernel ? (const void *)with_shared : (const void *)nothing;
        for (int threads : {32, 128, 256, 1024})
            for (size_t shared : {(size_t)0, (size_t)20000, (size_t)100000, (size_t)200000}) {
                if (shared > 49152 && !kernel)
                    NEED(cudaFuncSetAttribute(f, cudaFuncAttributeMaxDynamicSharedMemorySize, 200000));
                if (shared > 100000 && kernel) continue;
                memset(&config, 0, sizeof(config));
                config.gridDim = dim3(1024);
                config.blockDim = dim3(threads);
                config.dynamicSmemBytes = shared;
                printf("kernel %d, %d threads, %d bytes\n", kernel, threads, (int)shared);
                value = 77;
                CALL(cudaOccupancyMaxPotentialClusterSize(&value, f, &config));
                SHOW(value);
                for (int size : {1, 2, 4, 8, 16}) {
                    attribute.id = cudaLaunchAttributeClusterDimension;
                    attribute.val.clusterDim.x = size;
                    attribute.val.clusterDim.y = attribute.val.clusterDim.z = 1;
                    config.attrs = &attribute;
                    config.numAttrs = 1;
                    value = 77;
                    const cudaError_t error = cudaOccupancyMaxActiveClusters(&value, f, &config);
                    cudaGetLastError();
                    printf("    of %d: %s %d\n", size, error_word(error), value);
                }
            }
    }
}

static void cluster_calls() {
    int value = 77;
    cudaLaunchAttribute attribute;
    cudaLaunchConfig_t config;
    memset(&config, 0, sizeof(config));
    config.gridDim = dim3(64);
    config.blockDim = dim3(64);
    CALL(cudaOccupancyMaxActiveClusters(&value, (const void *)nothing, &config));
    SHOW(value);
    CALL(cudaOccupancyMaxActiveClusters(nullptr, (const void *)nothing, &config));
    CALL(cudaOccupancyMaxPotentialClusterSize(nullptr, (const void *)nothing, &config));
    CALL(cudaOccupancyMaxActiveClusters(&value, (const void *)host_function, &config));
    CALL(cudaOccupancyMaxActiveClusters(&value, (const void *)nullptr, &config));
    attribute.id = cudaLaunchAttributeClusterDimension;
    config.attrs = &attribute;
    config.numAttrs = 1;
    const unsigned sizes[][3] = {{2, 2, 2},  {3, 1, 1},  {0, 1, 1}, {2, 0, 1},  {9, 1, 1},
                                 {16, 1, 1}, {17, 1, 1}, {5, 1, 1}, {128, 1, 1}};
    for (const unsigned *size : sizes) {
        attribute.val.clusterDim.x = size[0];
        attribute.val.clusterDim.y = size[1];
        attribute.val.clusterDim.z = size[2];
        value = 77;
        printf("%u x %u x %u\n", size[0], size[1], size[2]);
        CALL(cudaOccupancyMaxActiveClusters(&value, (const void *)nothing, &config));
        SHOW(value);
        CALL(cudaOccupancyMaxPotentialClusterSize(&value, (const void *)nothing, &config));
        SHOW(value);
    }
    attribute.val.clusterDim.x = 2;
    attribute.val.clusterDim.y = attribute.val.clusterDim.z = 1;
    for (dim3 block : {dim3(0), dim3(1025), dim3(33), dim3(2, 2, 65)}) {
        config.blockDim = block;
        CALL(cudaOccupancyMaxActiveClusters(&value, (const void *)nothing, &config));
        CALL(cudaOccupancyMaxPotentialClusterSize(&value, (const void *)nothing, &config));
    }
    config.blockDim = dim3(64);
    config.gridDim = dim3(1);
    CALL(cudaOccupancyMaxActiveClusters(&value, (const void *)nothing, &config));
    config.gridDim = dim3(0);
    CALL(cudaOccupancyMaxActiveClusters(&value, (const void *)nothing, &config));
    config.gridDim = dim3(1024);
    config.dynamicSmemBytes = 60000;
    CALL(cudaOccupancyMaxActiveClusters(&value, (const void *)nothing, &config));
    CALL(cudaOccupancyMaxPotentialClusterSize(&value, (const void *)nothing, &config));
    config.dynamicSmemBytes = 0;
    NEED(cudaFuncSetAttribute((const void *)nothing, cudaFuncAttributeNonPortableClusterSizeAllowed, 1));
    config.numAttrs = 0;
    CALL(cudaOccupancyMaxPotentialClusterSize(&value, (const void *)nothing, &config));
    SHOW(value);
    config.numAttrs = 1;
    attribute.val.clusterDim.x = 16;
    CALL(cudaOccupancyMaxActiveClusters(&value, (const void *)nothing, &config));
    SHOW(value);
}

static void function_attributes() {
    const void *f = (const void *)several;
    cudaFuncAttributes a;
    for (int attribute = 0; attribute <= 17; attribute++)
        for (int value : {0, 1, 4, 1000}) {
            const cudaError_t error = cudaFuncSetAttribute(f, (cudaFuncAttribute)attribute, value);
            cudaGetLastError();
            printf("set %d to %d: %s\n", attribute, value, error_word(error));
        }
    NEED(cudaFuncGetAttributes(&a, f));
    SHOW(a.clusterDimMustBeSet);
    SHOW(a.requiredClusterWidth);
    SHOW(a.clusterSchedulingPolicyPreference);
    SHOW(a.nonPortableClusterSizeAllowed);
    SHOW(a.cacheModeCA);
    SHOW(a.preferredShmemCarveout);
}

static const Group groups[] = {
    GROUP(choosing), GROUP(widths),        GROUP(peers),    GROUP(notices),       GROUP(processes),          GROUP(streams),
    GROUP(names),    GROUP(unused_shared), GROUP(clusters), GROUP(cluster_calls), GROUP(function_attributes)};
int main(int argc, char **argv) { return groups_main(argc, argv, groups, sizeof(groups) / sizeof(*groups)); }
