// The driver API: entry points by name, linking, copies of boxes, occupancy, attributes of pointers and functions, pools and peers.
#include "calls.h"
#include <cuda.h>

static void returned(const char *call, CUresult error) {
    const char *name = nullptr;
    cuGetErrorName(error, &name);
    printf("%s: %s\n", call, name ? name + (strncmp(name, "CUDA_", 5) == 0 ? 5 : 0) : "?");
}
#define DRIVER(call) returned(#call, call)

static const char first[] =
    ".version 7.5\n.target sm_75\n.address_size 64\n.extern .func (.param .u32 r) twice(.param .u32 v);\n"
    ".visible .global .align 4 .u32 count = 12;\n"
    ".visible .entry add(.param .u64 p, .param .u32 n) {\n.reg .u64 %rd<3>;\n.reg .u32 %r<5>;\n"
    "ld.param.u64 %rd1, [p];\nld.param.u32 %r1, [n];\ncvta.to.global.u64 %rd2, %rd1;\n"
    "{\n.param .u32 a;\n.param .u32 b;\nst.param.u32 [a], %r1;\ncall.uni (b), twice, (a);\nld.param.u32 %r4, [b];\n}\n"
    "st.global.u32 [%rd2], %r4;\nret;\n}\n";
static const char second[] = ".version 7.5\n.target sm_75\n.address_size 64\n"
                             ".visible .func (.param .u32 r) twice(.param .u32 v) {\n.reg .u32 %r<3>;\nld.param.u32 %r1, [v];\n"
                             "add.u32 %r2, %r1, %r1;\nst.param.u32 [r], %r2;\nret;\n}\n";

static CUcontext begin() {
    CUcontext context = nullptr;
    CUdevice device;
    if (cuInit(0) || cuDeviceGet(&device, 0) || cuDevicePrimaryCtxRetain(&context, device) || cuCtxSetCurrent(context)) exit(3);
    return context;
}

static void entries() {
    begin();
    void *f = nullptr;
    CUdriverProcAddressQueryResult found = (CUdriverProcAddressQueryResult)77;
    const char *names[] = {"cuInit",         "cuMemAlloc",       "cuMemAlloc_v2", "cuCtxCreate",
                           "cuLaunchKernel", "cuGetProcAddress", "cuNobody",      "cuTensorMapEncodeTiled",
                           "cuMemcpyHtoD",   "cuGetErrorString", "cuStreamGetCtx"};
    for (const char *name : names)
        for (int version : {2000, 3020, 12000, 13000, 99000}) {
            found = (CUdriverProcAddressQueryResult)77, f = (void *)77;
            printf("%s, %d\n", name, version);
            DRIVER(cuGetProcAddress(name, &f, version, 0, &found));
            SHOW(found);
            SHOW(f == nullptr);
        }
    DRIVER(cuGetProcAddress("cuInit", &f, 13000, CU_GET_PROC_ADDRESS_PER_THREAD_DEFAULT_STREAM, &found));
    DRIVER(cuGetProcAddress("cuInit", &f, 13000, 99, &found));
    DRIVER(cuGetProcAddress("cuInit", &f, 13000, 0, nullptr));
    DRIVER(cuGetProcAddress("cuNobody", &f, 13000, 0, nullptr));
}

static void linking() {
    begin();
    CUlinkState state = nullptr, other = nullptr;
    void *image = nullptr;
    size_t bytes = 0;
    DRIVER(cuLinkCreate(0, nullptr, nullptr, &state));
    DRIVER(cuLinkCreate(0, nullptr, nullptr, nullptr));
    DRIVER(cuLinkCreate(1, nullptr, nullptr, &other));
    DRIVER(cuLinkAddData(state, CU_JIT_INPUT_PTX, (void *)first, sizeof(first), "first.ptx", 0, nullptr, nullptr));
    DRIVER(cuLinkAddData(state, CU_JIT_INPUT_PTX, (void *)"nonsense", 9, "bad.ptx", 0, nullptr, nullptr));
    DRIVER(cuLinkAddData(state, CU_JIT_INPUT_PTX, nullptr, 9, "bad.ptx", 0, nullptr, nullptr));
    DRIVER(cuLinkAddData(state, CU_JIT_INPUT_PTX, (void *)first, 0, "bad.ptx", 0, nullptr, nullptr));
    DRIVER(cuLinkAddFile(state, CU_JIT_INPUT_PTX, "/no/such/file", 0, nullptr, nullptr));
    DRIVER(cuLinkAddData(state, CU_JIT_INPUT_PTX, (void *)second, sizeof(second), nullptr, 0, nullptr, nullptr));
    DRIVER(cuLinkComplete(state, &image, &bytes));
    SHOW(bytes > 0);
    DRIVER(cuLinkDestroy(state));
    DRIVER(cuLinkCreate(0, nullptr, nullptr, &state));
    DRIVER(cuLinkAddData(state, CU_JIT_INPUT_PTX, (void *)first, sizeof(first), "first.ptx", 0, nullptr, nullptr));
    DRIVER(cuLinkAddData(state, CU_JIT_INPUT_PTX, (void *)second, sizeof(second), "second.ptx", 0, nullptr, nullptr));
    DRIVER(cuLinkComplete(state, &image, &bytes));
    SHOW(bytes > 0);
    CUmodule module = nullptr;
    CUfunction function;
    CUdeviceptr p;
    int n = 21, back = 0;
    DRIVER(cuModuleLoadData(&module, image));
    DRIVER(cuLinkDestroy(state));
    DRIVER(cuModuleGetFunction(&function, module, "add"));
    DRIVER(cuMemAlloc(&p, 4));
    void *arguments[] = {&p, &n};
    DRIVER(cuLaunchKernel(function, 1, 1, 1, 1, 1, 1, 0, nullptr, arguments, nullptr));
    DRIVER(cuMemcpyDtoH(&back, p, 4));
    SHOW(back);
    DRIVER(cuLinkCreate(0, nullptr, nullptr, &state));
    DRIVER(cuLinkAddData(state, CU_JIT_INPUT_PTX, (void *)first, sizeof(first), "first.ptx", 0, nullptr, nullptr));
    DRIVER(cuLinkComplete(state, &image, &bytes));
    DRIVER(cuLinkDestroy(state));
    DRIVER(cuLinkCreate(0, nullptr, nullptr, &state));
    DRIVER(cuLinkComplete(state, &image, &bytes));
    DRIVER(cuLinkDestroy(state));
    DRIVER(cuLinkCreate(0, nullptr, nullptr, &state));
    DRIVER(cuLinkAddData(state, CU_JIT_INPUT_PTX, (void *)second, sizeof(second), "a", 0, nullptr, nullptr));
    DRIVER(cuLinkAddData(state, CU_JIT_INPUT_PTX, (void *)second, sizeof(second), "b", 0, nullptr, nullptr));
    DRIVER(cuLinkComplete(state, &image, &bytes));
    DRIVER(cuLinkDestroy(state));
}

static void pointers() {
    CUcontext context = begin(), of = nullptr;
    CUdeviceptr p, managed, value = 0;
    void *pinned;
    int here = 0;
    if (cuMemAlloc(&p, 4096) || cuMemAllocManaged(&managed, 4096, CU_MEM_ATTACH_GLOBAL) || cuMemHostAlloc(&pinned, 4096, 0))
        exit(3);
    const CUdeviceptr all[] = {p + 100, managed, (CUdeviceptr)pinned, (CUdeviceptr)&here, 0};
    for (int i = 0; i < 5; i++)
        for (int attribute = 0; attribute <= 21; attribute++) {
            unsigned long long data[8];
            memset(data, 0, sizeof(data));
            const CUresult error = cuPointerGetAttribute(data, (CUpointer_attribute)attribute, all[i]);
            const bool address = attribute == 1 || (attribute >= 3 && attribute <= 7) || attribute == 11 || attribute == 17;
            printf("pointer %d, attribute %d: %d %llx\n", i, attribute, (int)error,
                   address ? (unsigned long long)(data[0] != 0) : data[0]);
        }
    CUpointer_attribute which[] = {CU_POINTER_ATTRIBUTE_CONTEXT, CU_POINTER_ATTRIBUTE_MEMORY_TYPE,
                                   CU_POINTER_ATTRIBUTE_DEVICE_POINTER};
    unsigned type = 77;
    void *into[] = {&of, &type, &value};
    DRIVER(cuPointerGetAttributes(3, which, into, p));
    SHOW(of == context);
    SHOW(type);
    SHOW(value == p);
    DRIVER(cuPointerGetAttributes(3, which, into, (CUdeviceptr)&here));
    SHOW(of == nullptr);
    SHOW(type);
    SHOW(value);
    DRIVER(cuPointerGetAttributes(0, which, into, p));
    DRIVER(cuPointerGetAttributes(3, nullptr, into, p));
    DRIVER(cuPointerGetAttributes(3, which, nullptr, p));
    unsigned on = 1;
    DRIVER(cuPointerSetAttribute(&on, CU_POINTER_ATTRIBUTE_SYNC_MEMOPS, p));
    DRIVER(cuPointerSetAttribute(&on, CU_POINTER_ATTRIBUTE_MEMORY_TYPE, p));
    DRIVER(cuPointerSetAttribute(nullptr, CU_POINTER_ATTRIBUTE_SYNC_MEMOPS, p));
    DRIVER(cuPointerSetAttribute(&on, CU_POINTER_ATTRIBUTE_SYNC_MEMOPS, 0));
}

static size_t no_shared(int) { return 0; }
static size_t much_shared(int threads) { return (size_t)threads * 64; }

static void functions() {
    begin();
    CUmodule module;
    CUfunction f;
    int value = 77, grid = 77, block = 77;
    size_t bytes = 77;
    static const char ptx[] =
        ".version 7.5\n.target sm_75\n.address_size 64\n.visible .entry k(.param .u64 p, .param .u8 c) {\nret;\n}\n";
    if (cuModuleLoadData(&module, ptx) || cuModuleGetFunction(&f, module, "k")) exit(3);
    for (int attribute = 0; attribute <= 17; attribute++) {
        value = 77;
        const CUresult error = cuFuncGetAttribute(&value, (CUfunction_attribute)attribute, f);
        printf("attribute %d: %d %d\n", attribute, (int)error, attribute == 4 ? value > 0 : value);
    }
    DRIVER(cuFuncGetAttribute(nullptr, CU_FUNC_ATTRIBUTE_NUM_REGS, f));
    DRIVER(cuOccupancyMaxPotentialBlockSize(&grid, &block, f, nullptr, 0, 0));
    SHOW(grid);
    SHOW(block);
    DRIVER(cuOccupancyMaxPotentialBlockSize(&grid, &block, f, no_shared, 0, 300));
    SHOW(grid);
    SHOW(block);
    DRIVER(cuOccupancyMaxPotentialBlockSize(&grid, &block, f, much_shared, 0, 0));
    SHOW(grid);
    SHOW(block);
    DRIVER(cuOccupancyMaxPotentialBlockSize(&grid, &block, f, nullptr, 30000, 0));
    SHOW(grid);
    SHOW(block);
    DRIVER(cuOccupancyMaxPotentialBlockSizeWithFlags(&grid, &block, f, nullptr, 0, 0, 1));
    DRIVER(cuOccupancyMaxPotentialBlockSizeWithFlags(&grid, &block, f, nullptr, 0, 0, 9));
    DRIVER(cuOccupancyMaxPotentialBlockSize(nullptr, &block, f, nullptr, 0, 0));
    DRIVER(cuOccupancyMaxPotentialBlockSize(&grid, &block, nullptr, nullptr, 0, 0));
    DRIVER(cuOccupancyAvailableDynamicSMemPerBlock(&bytes, f, 2, 128));
    SHOW(bytes);
    CUlaunchConfig config;
    memset(&config, 0, sizeof(config));
    config.gridDimX = 64, config.blockDimX = 128, config.gridDimY = config.gridDimZ = config.blockDimY = config.blockDimZ = 1;
    DRIVER(cuOccupancyMaxPotentialClusterSize(&value, f, &config));
    SHOW(value);
    CUlaunchAttribute attribute;
    attribute.id = CU_LAUNCH_ATTRIBUTE_CLUSTER_DIMENSION;
    attribute.value.clusterDim.x = 4, attribute.value.clusterDim.y = attribute.value.clusterDim.z = 1;
    config.attrs = &attribute, config.numAttrs = 1;
    DRIVER(cuOccupancyMaxActiveClusters(&value, f, &config));
    SHOW(value);
    CUfunctionLoadingState state;
    DRIVER(cuFuncIsLoaded(&state, f));
    SHOW(state);
    DRIVER(cuFuncLoad(f));
    DRIVER(cuDeviceGetAttribute(&value, CU_DEVICE_ATTRIBUTE_MAXIMUM_TEXTURE1D_WIDTH, 0));
    SHOW(value);
}

static void copies() {
    begin();
    CUdeviceptr p, q;
    int from[64], back[64];
    for (int i = 0; i < 64; i++) from[i] = i, back[i] = -1;
    if (cuMemAlloc(&p, 4096) || cuMemAlloc(&q, 4096) || cuMemsetD8(p, 0, 4096)) exit(3);
    CUDA_MEMCPY3D c;
    memset(&c, 0, sizeof(c));
    c.srcMemoryType = CU_MEMORYTYPE_HOST, c.srcHost = from, c.srcPitch = 16, c.srcHeight = 4;
    c.dstMemoryType = CU_MEMORYTYPE_DEVICE, c.dstDevice = p, c.dstPitch = 32, c.dstHeight = 8;
    c.WidthInBytes = 16, c.Height = 4, c.Depth = 2;
    DRIVER(cuMemcpy3D(&c));
    DRIVER(cuMemcpyDtoH(back, p, 256));
    SHOW(back[0]);
    SHOW(back[8]);
    DRIVER(cuMemcpyDtoH(back, p + 256, 64));
    SHOW(back[0]);
    DRIVER(cuMemcpy3DAsync(&c, 0));
    DRIVER(cuMemcpy3D(nullptr));
    c.srcPitch = 8;
    DRIVER(cuMemcpy3D(&c));
    c.srcPitch = 16, c.srcHeight = 2;
    DRIVER(cuMemcpy3D(&c));
    c.srcHeight = 4, c.srcXInBytes = 4;
    DRIVER(cuMemcpy3D(&c));
    c.srcXInBytes = 0, c.Depth = 0;
    DRIVER(cuMemcpy3D(&c));
    c.Depth = 1, c.srcLOD = 1;
    DRIVER(cuMemcpy3D(&c));
    c.srcLOD = 0, c.srcMemoryType = (CUmemorytype)9;
    DRIVER(cuMemcpy3D(&c));
    c.srcMemoryType = CU_MEMORYTYPE_UNIFIED, c.srcDevice = q, c.srcPitch = 0;
    DRIVER(cuMemcpy3D(&c));
    DRIVER(cuMemcpy3DAsync(&c, (CUstream)0x2));
}

static void small() {
    CUcontext context = begin();
    unsigned long long id = 0;
    int value = 77;
    CUdevice device = 77;
    CUmemoryPool pool, own;
    DRIVER(cuCtxGetId(context, &id));
    SHOW(id > 0);
    DRIVER(cuCtxGetId(nullptr, &id));
    DRIVER(cuCtxGetId(context, nullptr));
    DRIVER(cuDeviceGetByPCIBusId(&device, "what"));
    DRIVER(cuDeviceGetP2PAttribute(&value, CU_DEVICE_P2P_ATTRIBUTE_ACCESS_SUPPORTED, 0, 0));
    DRIVER(cuDeviceGetDefaultMemPool(&own, 0));
    DRIVER(cuDeviceGetMemPool(&pool, 0));
    SHOW(pool == own);
    DRIVER(cuDeviceSetMemPool(0, pool));
    DRIVER(cuDeviceGetMemPool(&pool, 1));
    CUmemPoolProps props;
    memset(&props, 0, sizeof(props));
    props.allocType = CU_MEM_ALLOCATION_TYPE_PINNED;
    props.location.type = CU_MEM_LOCATION_TYPE_DEVICE;
    DRIVER(cuMemPoolCreate(&pool, &props));
    CUdeviceptr p = 0;
    DRIVER(cuMemAllocFromPoolAsync(&p, 4096, pool, 0));
    cuuint64_t used = 0;
    DRIVER(cuMemPoolGetAttribute(pool, CU_MEMPOOL_ATTR_USED_MEM_CURRENT, &used));
    SHOW(used);
    DRIVER(cuMemPoolTrimTo(pool, 0));
    DRIVER(cuMemFreeAsync(p, 0));
    DRIVER(cuMemPoolDestroy(pool));
    DRIVER(cuCtxEnablePeerAccess(context, 0));
    DRIVER(cuCtxDisablePeerAccess(context));
    DRIVER(cuCtxResetPersistingL2Cache());
    CUstream s;
    if (cuStreamCreate(&s, 0)) exit(3);
    DRIVER(cuStreamGetId(s, &id));
    DRIVER(cuStreamGetDevice(s, &device));
    SHOW(device);
    CUstreamAttrValue a;
    DRIVER(cuStreamGetAttribute(s, CU_LAUNCH_ATTRIBUTE_PRIORITY, &a));
    SHOW(a.priority);
}

static const Group groups[] = {GROUP(entries), GROUP(linking), GROUP(pointers), GROUP(functions), GROUP(copies), GROUP(small)};
int main(int argc, char **argv) { return groups_main(argc, argv, groups, sizeof(groups) / sizeof(*groups)); }
