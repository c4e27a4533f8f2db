// Nodes of graphs that allocate and free, nodes of any type by one description, kernels' attributes, graphs as text, and libraries of kernels.
#include "calls.h"
#include <unistd.h>

__device__ int word = 5;
__managed__ int shared_word = 6;
__global__ void put(int *p, int value) { *p = value; }
__global__ void nothing() {}
static void on_host(void *) {}

static cudaMemAllocNodeParams wanted(size_t bytes) {
    cudaMemAllocNodeParams p;
    memset(&p, 0, sizeof(p));
    p.poolProps.allocType = cudaMemAllocationTypePinned;
    p.poolProps.location.type = cudaMemLocationTypeDevice;
    p.bytesize = bytes;
    return p;
}

static void show_memory() {
    for (int attribute = 0; attribute <= 4; attribute++) {
        unsigned long long value = 77;
        const cudaError_t error = cudaDeviceGetGraphMemAttribute(0, (cudaGraphMemAttributeType)attribute, &value);
        cudaGetLastError();
        printf("graph memory %d: %s %llu\n", attribute, error_word(error), value);
    }
}

static void memory_nodes() {
    cudaGraph_t g;
    cudaGraphNode_t a, b, k, other;
    cudaGraphExec_t e, e2;
    NEED(cudaGraphCreate(&g, 0));
    show_memory();
    cudaMemAllocNodeParams p = wanted(1000), q;
    CALL(cudaGraphAddMemAllocNode(&a, g, nullptr, 0, &p));
    SHOW(p.dptr != nullptr);
    SHOW((size_t)p.dptr % 256);
    CALL(cudaGraphMemAllocNodeGetParams(a, &q));
    SHOW(q.bytesize);
    SHOW(q.dptr == p.dptr);
    SHOW(q.poolProps.allocType);
    cudaGraphNodeType type;
    NEED(cudaGraphNodeGetType(a, &type));
    SHOW(type);
    show_memory();
    cudaPointerAttributes of;
    CALL(cudaPointerGetAttributes(&of, p.dptr));
    SHOW(of.type);
    CALL(cudaFree(p.dptr));
    CALL(cudaMemset(p.dptr, 0, 4));
    int value = 3;
    void *arguments[] = {&p.dptr, &value};
    cudaKernelNodeParams kernel;
    memset(&kernel, 0, sizeof(kernel));
    kernel.func = (void *)put;
    kernel.gridDim = kernel.blockDim = dim3(1);
    kernel.kernelParams = arguments;
    NEED(cudaGraphAddKernelNode(&k, g, &a, 1, &kernel));
    CALL(cudaGraphAddMemFreeNode(&other, g, &k, 1, nullptr));
    CALL(cudaGraphAddMemFreeNode(&other, g, &k, 1, (char *)p.dptr + 4));
    CALL(cudaGraphAddMemFreeNode(nullptr, g, &k, 1, p.dptr));
    CALL(cudaGraphAddMemFreeNode(&b, g, &k, 1, p.dptr));
    CALL(cudaGraphAddMemFreeNode(&other, g, &k, 1, p.dptr));
    void *freed = nullptr;
    CALL(cudaGraphMemFreeNodeGetParams(b, &freed));
    SHOW(freed == p.dptr);
    CALL(cudaGraphMemFreeNodeGetParams(a, &freed));
    CALL(cudaGraphMemFreeNodeGetParams(b, nullptr));
    CALL(cudaGraphMemAllocNodeGetParams(b, &q));
    CALL(cudaGraphMemAllocNodeGetParams(a, nullptr));
    CALL(cudaGraphDestroyNode(b));
    CALL(cudaGraphDestroyNode(a));
    cudaGraph_t clone;
    CALL(cudaGraphClone(&clone, g));
    CALL(cudaGraphInstantiate(&e, g, 0));
    CALL(cudaGraphInstantiate(&e2, g, 0));
    show_memory();
    CALL(cudaGraphLaunch(e, 0));
    CALL(cudaDeviceSynchronize());
    show_memory();
    CALL(cudaGraphLaunch(e, 0));
    CALL(cudaDeviceSynchronize());
    CALL(cudaDeviceGraphMemTrim(0));
    show_memory();
    CALL(cudaDeviceGraphMemTrim(1));
    CALL(cudaGraphExecDestroy(e));
    CALL(cudaDeviceGraphMemTrim(0));
    show_memory();
    unsigned long long set = 0;
    for (int attribute = 0; attribute <= 4; attribute++) {
        printf("set graph memory %d\n", attribute);
        set = 0;
        CALL(cudaDeviceSetGraphMemAttribute(0, (cudaGraphMemAttributeType)attribute, &set));
        set = 5;
        CALL(cudaDeviceSetGraphMemAttribute(0, (cudaGraphMemAttributeType)attribute, &set));
    }
    show_memory();
    CALL(cudaDeviceSetGraphMemAttribute(1, cudaGraphMemAttrUsedMemHigh, &set));
    CALL(cudaDeviceGetGraphMemAttribute(1, cudaGraphMemAttrUsedMemHigh, &set));
    CALL(cudaGraphDestroy(g));
}

static void kept_memory() {
    cudaGraph_t g, g2;
    cudaGraphNode_t a, k, f;
    cudaGraphExec_t e, e2, e3;
    NEED(cudaGraphCreate(&g, 0));
    NEED(cudaGraphCreate(&g2, 0));
    cudaMemAllocNodeParams p = wanted(4096);
    NEED(cudaGraphAddMemAllocNode(&a, g, nullptr, 0, &p));
    int value = 7, back = 0;
    void *arguments[] = {&p.dptr, &value};
    cudaKernelNodeParams kernel;
    memset(&kernel, 0, sizeof(kernel));
    kernel.func = (void *)put;
    kernel.gridDim = kernel.blockDim = dim3(1);
    kernel.kernelParams = arguments;
    NEED(cudaGraphAddKernelNode(&k, g, &a, 1, &kernel));
    NEED(cudaGraphInstantiate(&e, g, 0));
    CALL(cudaMemcpy(&back, p.dptr, 4, cudaMemcpyDeviceToHost));
    CALL(cudaGraphLaunch(e, 0));
    CALL(cudaDeviceSynchronize());
    CALL(cudaMemcpy(&back, p.dptr, 4, cudaMemcpyDeviceToHost));
    SHOW(back);
    show_memory();
    CALL(cudaGraphLaunch(e, 0));
    CALL(cudaFreeAsync(p.dptr, 0));
    CALL(cudaDeviceSynchronize());
    show_memory();
    CALL(cudaGraphLaunch(e, 0));
    CALL(cudaFree(p.dptr));
    CALL(cudaGraphLaunch(e, 0));
    CALL(cudaGraphAddMemFreeNode(&f, g2, nullptr, 0, p.dptr));
    CALL(cudaGraphInstantiate(&e2, g2, 0));
    CALL(cudaGraphLaunch(e2, 0));
    CALL(cudaDeviceSynchronize());
    show_memory();
    CALL(cudaGraphLaunch(e2, 0));
    CALL(cudaDeviceSynchronize());
    CALL(cudaGraphExecDestroy(e));
    CALL(cudaGraphInstantiate(&e3, g, cudaGraphInstantiateFlagAutoFreeOnLaunch));
    CALL(cudaGraphLaunch(e3, 0));
    CALL(cudaGraphLaunch(e3, 0));
    CALL(cudaDeviceSynchronize());
    show_memory();
    CALL(cudaGraphExecDestroy(e3));
    CALL(cudaDeviceSynchronize());
    show_memory();
}

static void memory_refusals() {
    cudaGraph_t g;
    cudaGraphNode_t a;
    NEED(cudaGraphCreate(&g, 0));
    cudaMemAllocNodeParams p = wanted(0);
    CALL(cudaGraphAddMemAllocNode(&a, g, nullptr, 0, &p));
    p = wanted((size_t)1 << 50);
    CALL(cudaGraphAddMemAllocNode(&a, g, nullptr, 0, &p));
    p = wanted(64);
    p.poolProps.location.id = 3;
    CALL(cudaGraphAddMemAllocNode(&a, g, nullptr, 0, &p));
    p = wanted(64);
    p.poolProps.location.type = cudaMemLocationTypeHost;
    CALL(cudaGraphAddMemAllocNode(&a, g, nullptr, 0, &p));
    p = wanted(64);
    p.poolProps.allocType = cudaMemAllocationTypeInvalid;
    CALL(cudaGraphAddMemAllocNode(&a, g, nullptr, 0, &p));
    p = wanted(64);
    p.poolProps.handleTypes = cudaMemHandleTypePosixFileDescriptor;
    CALL(cudaGraphAddMemAllocNode(&a, g, nullptr, 0, &p));
}

static void captured_memory() {
    cudaStream_t s;
    cudaGraph_t g = nullptr;
    cudaGraphExec_t e;
    int *p = nullptr;
    NEED(cudaStreamCreate(&s));
    NEED(cudaStreamBeginCapture(s, cudaStreamCaptureModeGlobal));
    CALL(cudaMallocAsync(&p, 1024, s));
    SHOW(p != nullptr);
    CALL(cudaMemsetAsync(p, 1, 1024, s));
    CALL(cudaFreeAsync(p, s));
    CALL(cudaStreamEndCapture(s, &g));
    size_t count = 0;
    CALL(cudaGraphGetNodes(g, nullptr, &count));
    SHOW(count);
    cudaGraphNode_t nodes[3];
    cudaGraphNodeType type;
    NEED(cudaGraphGetNodes(g, nodes, &count));
    for (cudaGraphNode_t node : nodes) {
        NEED(cudaGraphNodeGetType(node, &type));
        SHOW(type);
    }
    CALL(cudaGraphInstantiate(&e, g, 0));
    CALL(cudaGraphLaunch(e, s));
    CALL(cudaStreamSynchronize(s));
}

static void any_type() {
    cudaGraph_t g, inner;
    cudaGraphNode_t node, k, m, f, h, c, empty;
    cudaGraphExec_t e;
    cudaEvent_t event;
    int *p, value = 9, back = 0;
    NEED(cudaMalloc(&p, 256));
    NEED(cudaMemset(p, 0, 256));
    NEED(cudaEventCreate(&event));
    NEED(cudaGraphCreate(&g, 0));
    NEED(cudaGraphCreate(&inner, 0));
    cudaGraphNodeParams n = {};
    memset(&n, 0, sizeof(n));
    n.type = cudaGraphNodeTypeEmpty;
    CALL(cudaGraphAddNode(&empty, g, nullptr, nullptr, 0, &n));
    n.type = cudaGraphNodeTypeMemset;
    n.memset.dst = p;
    n.memset.value = 4;
    n.memset.elementSize = 4;
    n.memset.width = 64;
    n.memset.height = 1;
    CALL(cudaGraphAddNode(&f, g, &empty, nullptr, 1, &n));
    n.memset.elementSize = 3;
    CALL(cudaGraphAddNode(&node, g, &empty, nullptr, 1, &n));
    void *arguments[] = {&p, &value};
    memset(&n, 0, sizeof(n));
    n.type = cudaGraphNodeTypeKernel;
    n.kernel.func = (void *)put;
    n.kernel.gridDim = n.kernel.blockDim = dim3(1);
    n.kernel.kernelParams = arguments;
    CALL(cudaGraphAddNode(&k, g, &f, nullptr, 1, &n));
    n.kernel.func = nullptr;
    CALL(cudaGraphAddNode(&node, g, &f, nullptr, 1, &n));
    memset(&n, 0, sizeof(n));
    n.type = cudaGraphNodeTypeMemcpy;
    n.memcpy.copyParams.srcPtr = make_cudaPitchedPtr(p, 4, 4, 1);
    n.memcpy.copyParams.dstPtr = make_cudaPitchedPtr(&back, 4, 4, 1);
    n.memcpy.copyParams.extent = make_cudaExtent(4, 1, 1);
    n.memcpy.copyParams.kind = cudaMemcpyDefault;
    CALL(cudaGraphAddNode(&m, g, &k, nullptr, 1, &n));
    n.memcpy.flags = 1;
    CALL(cudaGraphAddNode(&node, g, &k, nullptr, 1, &n));
    memset(&n, 0, sizeof(n));
    n.type = cudaGraphNodeTypeHost;
    n.host.fn = on_host;
    CALL(cudaGraphAddNode(&h, g, &m, nullptr, 1, &n));
    memset(&n, 0, sizeof(n));
    n.type = cudaGraphNodeTypeGraph;
    n.graph.graph = inner;
    CALL(cudaGraphAddNode(&c, g, nullptr, nullptr, 0, &n));
    n.graph.ownership = cudaGraphChildGraphOwnershipMove;
    CALL(cudaGraphAddNode(&c, g, nullptr, nullptr, 0, &n));
    memset(&n, 0, sizeof(n));
    n.type = cudaGraphNodeTypeEventRecord;
    n.eventRecord.event = event;
    CALL(cudaGraphAddNode(&node, g, &h, nullptr, 1, &n));
    n.type = cudaGraphNodeTypeWaitEvent;
    CALL(cudaGraphAddNode(&node, g, &node, nullptr, 1, &n));
    memset(&n, 0, sizeof(n));
    n.type = cudaGraphNodeTypeMemAlloc;
    n.alloc.poolProps.allocType = cudaMemAllocationTypePinned;
    n.alloc.poolProps.location.type = cudaMemLocationTypeDevice;
    n.alloc.bytesize = 64;
    CALL(cudaGraphAddNode(&node, g, nullptr, nullptr, 0, &n));
    SHOW(n.alloc.dptr != nullptr);
    void *allocated = n.alloc.dptr;
    memset(&n, 0, sizeof(n));
    n.type = cudaGraphNodeTypeMemFree;
    n.free.dptr = allocated;
    CALL(cudaGraphAddNode(&node, g, &node, nullptr, 1, &n));
    for (int type : {8, 9, 12, 13, 14, 99}) {
        memset(&n, 0, sizeof(n));
        n.type = (cudaGraphNodeType)type;
        printf("type %d\n", type);
        CALL(cudaGraphAddNode(&node, g, nullptr, nullptr, 0, &n));
    }
    n.type = cudaGraphNodeTypeEmpty;
    n.reserved0[0] = 1;
    CALL(cudaGraphAddNode(&node, g, nullptr, nullptr, 0, &n));
    n.reserved0[0] = 0;
    n.reserved2 = 1;
    CALL(cudaGraphAddNode(&node, g, nullptr, nullptr, 0, &n));
    n.reserved2 = 0;
    n.reserved1[0] = 1;
    CALL(cudaGraphAddNode(&node, g, nullptr, nullptr, 0, &n));
    CALL(cudaGraphAddNode(&node, g, nullptr, nullptr, 0, nullptr));
    CALL(cudaGraphAddNode(nullptr, g, nullptr, nullptr, 0, &n));
    CALL(cudaGraphAddNode(&node, nullptr, nullptr, nullptr, 0, &n));
    cudaGraphEdgeData edge;
    memset(&edge, 0, sizeof(edge));
    memset(&n, 0, sizeof(n));
    n.type = cudaGraphNodeTypeEmpty;
    CALL(cudaGraphAddNode(&node, g, &empty, &edge, 1, &n));
    edge.type = 1;
    CALL(cudaGraphAddNode(&node, g, &empty, &edge, 1, &n));
    NEED(cudaGraphInstantiate(&e, g, 0));
    CALL(cudaGraphLaunch(e, 0));
    CALL(cudaDeviceSynchronize());
    SHOW(back);
    value = 11;
    memset(&n, 0, sizeof(n));
    n.type = cudaGraphNodeTypeKernel;
    n.kernel.func = (void *)put;
    n.kernel.gridDim = n.kernel.blockDim = dim3(1);
    n.kernel.kernelParams = arguments;
    CALL(cudaGraphNodeSetParams(k, &n));
    CALL(cudaGraphNodeSetParams(f, &n));
    CALL(cudaGraphLaunch(e, 0));
    CALL(cudaDeviceSynchronize());
    SHOW(back);
    CALL(cudaGraphExecNodeSetParams(e, k, &n));
    CALL(cudaGraphExecNodeSetParams(e, f, &n));
    CALL(cudaGraphExecNodeSetParams(e, k, nullptr));
    CALL(cudaGraphNodeSetParams(k, nullptr));
    CALL(cudaGraphNodeSetParams(nullptr, &n));
    CALL(cudaGraphExecNodeSetParams(nullptr, k, &n));
    n.type = cudaGraphNodeTypeEmpty;
    CALL(cudaGraphNodeSetParams(empty, &n));
    CALL(cudaGraphExecNodeSetParams(e, empty, &n));
    CALL(cudaGraphLaunch(e, 0));
    CALL(cudaDeviceSynchronize());
    SHOW(back);
}

static void kernel_attributes() {
    cudaGraph_t g;
    cudaGraphNode_t k, other, empty;
    NEED(cudaGraphCreate(&g, 0));
    cudaKernelNodeParams p;
    memset(&p, 0, sizeof(p));
    p.func = (void *)nothing;
    p.gridDim = dim3(4);
    p.blockDim = dim3(32);
    NEED(cudaGraphAddKernelNode(&k, g, nullptr, 0, &p));
    NEED(cudaGraphAddKernelNode(&other, g, nullptr, 0, &p));
    NEED(cudaGraphAddEmptyNode(&empty, g, nullptr, 0));
    cudaKernelNodeAttrValue value;
    for (int attribute = 0; attribute <= 17; attribute++) {
        memset(&value, 0x55, sizeof(value));
        cudaError_t error = cudaGraphKernelNodeGetAttribute(k, (cudaKernelNodeAttrID)attribute, &value);
        cudaGetLastError();
        int words[3];
        memcpy(words, &value, sizeof(words));
        printf("get %d: %s %x %x %x\n", attribute, error_word(error), words[0], words[1], words[2]);
        memset(&value, 0, sizeof(value));
        error = cudaGraphKernelNodeSetAttribute(other, (cudaKernelNodeAttrID)attribute, &value);
        cudaGetLastError();
        printf("set %d: %s\n", attribute, error_word(error));
    }
    value.cooperative = 1;
    CALL(cudaGraphKernelNodeSetAttribute(k, cudaLaunchAttributeCooperative, &value));
    memset(&value, 0, sizeof(value));
    value.priority = -3;
    CALL(cudaGraphKernelNodeSetAttribute(k, cudaLaunchAttributePriority, &value));
    value.priority = -99;
    CALL(cudaGraphKernelNodeSetAttribute(k, cudaLaunchAttributePriority, &value));
    memset(&value, 0, sizeof(value));
    value.clusterDim.x = 2;
    value.clusterDim.y = value.clusterDim.z = 1;
    CALL(cudaGraphKernelNodeSetAttribute(k, cudaLaunchAttributeClusterDimension, &value));
    value.clusterDim.x = 3;
    CALL(cudaGraphKernelNodeSetAttribute(k, cudaLaunchAttributeClusterDimension, &value));
    CALL(cudaGraphKernelNodeCopyAttributes(other, k));
    for (int attribute : {1, 2, 4, 8}) {
        memset(&value, 0x55, sizeof(value));
        const cudaError_t error = cudaGraphKernelNodeGetAttribute(other, (cudaKernelNodeAttrID)attribute, &value);
        int words[3];
        memcpy(words, &value, sizeof(words));
        printf("copied %d: %s %x %x %x\n", attribute, error_word(error), words[0], words[1], words[2]);
    }
    CALL(cudaGraphKernelNodeGetAttribute(empty, cudaLaunchAttributePriority, &value));
    CALL(cudaGraphKernelNodeSetAttribute(empty, cudaLaunchAttributePriority, &value));
    CALL(cudaGraphKernelNodeCopyAttributes(empty, k));
    CALL(cudaGraphKernelNodeCopyAttributes(k, empty));
    CALL(cudaGraphKernelNodeGetAttribute(nullptr, cudaLaunchAttributePriority, &value));
    char path[] = "/tmp/warpscope-XXXXXX";
    const int made = mkstemp(path);
    if (made < 0) exit(3);
    close(made);
    CALL(cudaGraphDebugDotPrint(g, path, 0));
    FILE *file = fopen(path, "r");
    char line[400];
    SHOW(file != nullptr);
    while (file && fgets(line, sizeof(line), file)) fputs(line, stderr);
    CALL(cudaGraphDebugDotPrint(g, "/no/such/folder/graph.dot", 0));
    CALL(cudaGraphDebugDotPrint(g, nullptr, 0));
    CALL(cudaGraphDebugDotPrint(nullptr, path, 0));
    CALL(cudaGraphDebugDotPrint(g, path, 1 << 20));
    if (file) fclose(file);
    unlink(path);
}

static const char ptx[] = ".version 7.5\n.target sm_75\n.address_size 64\n.visible .global .align 4 .u32 count = 12;\n"
                          ".visible .entry add(.param .u64 p, .param .u32 n) {\n.reg .u64 %rd<3>;\n.reg .u32 %r<4>;\n"
                          "ld.param.u64 %rd1, [p];\nld.param.u32 %r1, [n];\ncvta.to.global.u64 %rd2, %rd1;\n"
                          "ld.global.u32 %r2, [%rd2];\nadd.u32 %r3, %r2, %r1;\nst.global.u32 [%rd2], %r3;\nret;\n}\n"
                          ".visible .entry other() {\nret;\n}\n";

static void libraries() {
    cudaLibrary_t library = nullptr, second = nullptr;
    cudaKernel_t kernel = nullptr, list[4] = {nullptr};
    void *pointer = nullptr;
    size_t bytes = 77;
    unsigned count = 77;
    CALL(cudaLibraryLoadData(&library, ptx, nullptr, nullptr, 0, nullptr, nullptr, 0));
    CALL(cudaLibraryLoadData(nullptr, ptx, nullptr, nullptr, 0, nullptr, nullptr, 0));
    CALL(cudaLibraryLoadData(&second, nullptr, nullptr, nullptr, 0, nullptr, nullptr, 0));
    CALL(cudaLibraryLoadData(&second, "this is no PTX", nullptr, nullptr, 0, nullptr, nullptr, 0));
    CALL(cudaLibraryLoadData(&second, ptx, nullptr, nullptr, 1, nullptr, nullptr, 0));
    CALL(cudaLibraryLoadFromFile(&second, "/no/such/file", nullptr, nullptr, 0, nullptr, nullptr, 0));
    CALL(cudaLibraryLoadFromFile(&second, nullptr, nullptr, nullptr, 0, nullptr, nullptr, 0));
    CALL(cudaLibraryGetKernelCount(&count, library));
    SHOW(count);
    CALL(cudaLibraryGetKernelCount(nullptr, library));
    CALL(cudaLibraryGetKernelCount(&count, nullptr));
    CALL(cudaLibraryEnumerateKernels(list, 4, library));
    SHOW(list[1] != nullptr);
    SHOW(list[2] == nullptr);
    CALL(cudaLibraryEnumerateKernels(list, 1, library));
    CALL(cudaLibraryEnumerateKernels(list, 0, library));
    CALL(cudaLibraryEnumerateKernels(nullptr, 2, library));
    CALL(cudaLibraryGetKernel(&kernel, library, "add"));
    CALL(cudaLibraryGetKernel(&kernel, library, "nobody"));
    CALL(cudaLibraryGetKernel(nullptr, library, "add"));
    CALL(cudaLibraryGetKernel(&kernel, library, nullptr));
    CALL(cudaLibraryGetKernel(&kernel, nullptr, "add"));
    CALL(cudaLibraryGetGlobal(&pointer, &bytes, library, "count"));
    SHOW(bytes);
    int value = 0;
    CALL(cudaMemcpy(&value, pointer, 4, cudaMemcpyDeviceToHost));
    SHOW(value);
    CALL(cudaLibraryGetGlobal(nullptr, &bytes, library, "count"));
    CALL(cudaLibraryGetGlobal(&pointer, nullptr, library, "count"));
    CALL(cudaLibraryGetGlobal(nullptr, nullptr, library, "count"));
    CALL(cudaLibraryGetGlobal(&pointer, &bytes, library, "nobody"));
    CALL(cudaLibraryGetManaged(&pointer, &bytes, library, "count"));
    CALL(cudaLibraryGetManaged(&pointer, &bytes, library, "nobody"));
    CALL(cudaLibraryGetUnifiedFunction(&pointer, library, "add"));
    CALL(cudaLibraryGetUnifiedFunction(&pointer, library, "nobody"));
    int *p, n = 30;
    NEED(cudaLibraryGetKernel(&kernel, library, "add"));
    NEED(cudaLibraryGetGlobal((void **)&p, nullptr, library, "count"));
    void *arguments[] = {&p, &n};
    CALL(cudaLaunchKernel((const void *)kernel, dim3(1), dim3(1), arguments, 0, 0));
    NEED(cudaMemcpy(&value, p, 4, cudaMemcpyDeviceToHost));
    SHOW(value);
    cudaFuncAttributes of;
    CALL(cudaFuncGetAttributes(&of, (const void *)kernel));
    const char *name = nullptr;
    CALL(cudaFuncGetName(&name, (const void *)kernel));
    CALL(cudaKernelSetAttributeForDevice(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, 65536, 0));
    CALL(cudaKernelSetAttributeForDevice(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, 1 << 20, 0));
    CALL(cudaKernelSetAttributeForDevice(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, 0, 1));
    CALL(cudaKernelSetAttributeForDevice(nullptr, cudaFuncAttributeMaxDynamicSharedMemorySize, 0, 0));
    CALL(cudaFuncSetAttribute((const void *)kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, 1024));
    CALL(cudaLibraryUnload(library));
    CALL(cudaLibraryUnload(nullptr));
    cudaKernel_t own = nullptr;
    NEED(cudaGetKernel(&own, (const void *)nothing));
    CALL(cudaLaunchKernel((const void *)own, dim3(1), dim3(1), nullptr, 0, 0));
    CALL(cudaKernelSetAttributeForDevice(own, cudaFuncAttributeMaxDynamicSharedMemorySize, 65536, 0));
    NEED(cudaFuncGetAttributes(&of, (const void *)nothing));
    SHOW(of.maxDynamicSharedSizeBytes);
    CALL(cudaDeviceSynchronize());
}

static const Group groups[] = {GROUP(memory_nodes), GROUP(kept_memory),       GROUP(memory_refusals), GROUP(captured_memory),
                               GROUP(any_type),     GROUP(kernel_attributes), GROUP(libraries)};
int main(int argc, char **argv) { return groups_main(argc, argv, groups, sizeof(groups) / sizeof(*groups)); }
