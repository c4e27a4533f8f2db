// A graph made node by node, asked about, changed, cloned, run, updated and written out: what the runtime answers, right and wrong.
#include <cstdlib>
#include <cstring>

#include "log.h"

__global__ void add(int *to, int value) { *to += value; }
__global__ void twice(int *to) { *to *= 2; }
__device__ int variable;

static void count(void *data) { ++*(int *)data; }

static int value_of(const int *device) {
    int value = -1;
    cudaMemcpy(&value, device, sizeof value, cudaMemcpyDeviceToHost);
    return value;
}

static cudaKernelNodeParams adding(void **arguments) {
    cudaKernelNodeParams p = {};
    p.func = (void *)add;
    p.gridDim = dim3(1);
    p.blockDim = dim3(1);
    p.kernelParams = arguments;
    return p;
}

static void ask(cudaGraph_t graph, cudaGraphNode_t fill, cudaGraphNode_t kernel) {
    size_t n = 0, edges = 0;
    cudaGraphNode_t nodes[16] = {}, from[16] = {}, to[16] = {};
    cudaGraphNodeType type;
    LOG(cudaGraphGetNodes(graph, nullptr, &n));
    VALUE(n);
    n = 2;
    LOG(cudaGraphGetNodes(graph, nodes, &n));
    VALUE(n);
    VALUE(nodes[0] == fill);
    VALUE(nodes[2] == nullptr);
    n = 16;
    LOG(cudaGraphGetRootNodes(graph, nodes, &n));
    VALUE(n);
    VALUE(nodes[0] == fill);
    LOG(cudaGraphGetEdges(graph, nullptr, nullptr, nullptr, &edges));
    VALUE(edges);
    edges = 16;
    LOG(cudaGraphGetEdges(graph, from, to, nullptr, &edges));
    VALUE(edges);
    VALUE(from[0] == fill);
    VALUE(to[0] == kernel);
    n = 16;
    LOG(cudaGraphNodeGetDependencies(kernel, nodes, nullptr, &n));
    VALUE(n);
    VALUE(nodes[0] == fill);
    n = 16;
    LOG(cudaGraphNodeGetDependentNodes(fill, nodes, nullptr, &n));
    VALUE(n);
    VALUE(nodes[0] == kernel);
    LOG(cudaGraphNodeGetType(fill, &type));
    VALUE(type);
    LOG(cudaGraphNodeGetType(kernel, &type));
    VALUE(type);
    LOG(cudaGraphNodeGetType(kernel, nullptr));
}

static void dependencies(cudaGraph_t graph, cudaGraphNode_t a, cudaGraphNode_t b, cudaGraphNode_t c) {
    size_t edges = 0;
    LOG(cudaGraphAddDependencies(graph, &a, &b, nullptr, 1)); // is there already
    LOG(cudaGraphAddDependencies(graph, &b, &a, nullptr, 1)); // a circle
    LOG(cudaGraphAddDependencies(graph, &a, &a, nullptr, 1));
    LOG(cudaGraphAddDependencies(graph, &a, &c, nullptr, 1));
    LOG(cudaGraphGetEdges(graph, nullptr, nullptr, nullptr, &edges));
    VALUE(edges);
    LOG(cudaGraphRemoveDependencies(graph, &a, &c, nullptr, 1));
    LOG(cudaGraphRemoveDependencies(graph, &a, &c, nullptr, 1)); // is not there
    LOG(cudaGraphAddDependencies(graph, nullptr, nullptr, nullptr, 0));
    LOG(cudaGraphAddDependencies(graph, nullptr, nullptr, nullptr, 1));
    cudaGraphRemoveDependencies(graph, &b, &a, nullptr, 1);
}

static void parameters(cudaGraphNode_t fill, cudaGraphNode_t kernel, cudaGraphNode_t copy, cudaGraphNode_t host, int *d,
                       int *h) {
    cudaMemsetParams m = {};
    cudaKernelNodeParams k = {};
    cudaMemcpy3DParms c = {};
    cudaHostNodeParams f = {};
    LOG(cudaGraphMemsetNodeGetParams(fill, &m));
    VALUE(m.dst == d);
    VALUE(m.pitch);
    VALUE(m.value);
    VALUE(m.elementSize);
    VALUE(m.width);
    VALUE(m.height);
    LOG(cudaGraphKernelNodeGetParams(kernel, &k));
    VALUE(k.func == (void *)add);
    VALUE(k.gridDim.x * 100 + k.blockDim.x);
    VALUE(k.sharedMemBytes);
    VALUE(*(int **)k.kernelParams[0] == d);
    VALUE(*(int *)k.kernelParams[1]);
    VALUE(k.extra == nullptr);
    LOG(cudaGraphMemcpyNodeGetParams(copy, &c));
    VALUE(c.srcPtr.ptr == d);
    VALUE(c.srcPtr.pitch);
    VALUE(c.srcPtr.xsize);
    VALUE(c.srcPtr.ysize);
    VALUE(c.dstPtr.ptr == h);
    VALUE(c.dstPtr.pitch);
    VALUE(c.extent.width);
    VALUE(c.extent.height);
    VALUE(c.extent.depth);
    VALUE(c.kind);
    LOG(cudaGraphHostNodeGetParams(host, &f));
    VALUE(f.fn == count);
    LOG(cudaGraphHostNodeGetParams(fill, &f)); // of another type
    LOG(cudaGraphKernelNodeGetParams(fill, &k));
    LOG(cudaGraphMemsetNodeGetParams(fill, nullptr));
    m.elementSize = 3;
    LOG(cudaGraphMemsetNodeSetParams(fill, &m));
    m.elementSize = 4;
    m.value = 5;
    LOG(cudaGraphMemsetNodeSetParams(fill, &m));
    k.func = (void *)add;
    k.blockDim = dim3(2048);
    LOG(cudaGraphKernelNodeSetParams(kernel, &k));
}

static void wrong(cudaGraph_t graph, cudaGraphNode_t fill, int *d, int *h) {
    cudaGraphNode_t node = nullptr;
    int value = 1;
    void *arguments[] = {&d, &value};
    cudaKernelNodeParams k = adding(arguments);
    cudaHostNodeParams f = {nullptr, nullptr};
    LOG(cudaGraphCreate(nullptr, 0));
    cudaGraph_t other;
    LOG(cudaGraphCreate(&other, 1));
    LOG(cudaGraphCreate(&other, 0));
    LOG(cudaGraphAddEmptyNode(nullptr, graph, nullptr, 0));
    LOG(cudaGraphAddEmptyNode(&node, graph, nullptr, 1));
    LOG(cudaGraphAddEmptyNode(&node, other, &fill, 1)); // of another graph
    cudaGraphNode_t both[] = {fill, fill};
    LOG(cudaGraphAddEmptyNode(&node, graph, both, 2)); // twice
    k.func = nullptr;
    LOG(cudaGraphAddKernelNode(&node, graph, nullptr, 0, &k));
    k = adding(arguments);
    k.gridDim = dim3(0);
    LOG(cudaGraphAddKernelNode(&node, graph, nullptr, 0, &k));
    k = adding(arguments);
    k.blockDim = dim3(1025);
    LOG(cudaGraphAddKernelNode(&node, graph, nullptr, 0, &k));
    LOG(cudaGraphAddKernelNode(&node, graph, nullptr, 0, nullptr));
    LOG(cudaGraphAddHostNode(&node, graph, nullptr, 0, &f));
    LOG(cudaGraphAddMemcpyNode1D(&node, graph, nullptr, 0, h, nullptr, 4, cudaMemcpyDeviceToHost));
    LOG(cudaGraphAddMemcpyNode1D(&node, graph, nullptr, 0, h, d, 4, (cudaMemcpyKind)9));
    LOG(cudaGraphAddMemcpyNode1D(&node, graph, nullptr, 0, h, d, 0, cudaMemcpyDeviceToHost));
    LOG(cudaGraphAddEventRecordNode(&node, graph, nullptr, 0, nullptr));
    LOG(cudaGraphDestroy(other));
    LOG(cudaGraphDestroy(nullptr));
}

static cudaGraphExec_t run(cudaGraph_t graph, cudaStream_t stream, const int *h, const int *called) {
    cudaGraphExec_t exec = nullptr;
    unsigned long long flags = 99;
    LOG(cudaGraphInstantiate(&exec, graph, 0));
    LOG(cudaGraphExecGetFlags(exec, &flags));
    VALUE(flags);
    LOG(cudaGraphUpload(exec, stream));
    for (int i = 0; i < 2; i++) {
        LOG(cudaGraphLaunch(exec, stream));
        LOG(cudaStreamSynchronize(stream));
        VALUE(*h);
        VALUE(*called);
    }
    return exec;
}

static void change(cudaGraphExec_t exec, cudaGraphNode_t fill, cudaGraphNode_t kernel, cudaGraphNode_t host, int *d,
                   const int *h, const int *called, cudaStream_t stream) {
    int value = 100;
    unsigned enabled = 7;
    void *arguments[] = {&d, &value};
    cudaKernelNodeParams k = adding(arguments);
    LOG(cudaGraphExecKernelNodeSetParams(exec, kernel, &k));
    LOG(cudaGraphExecKernelNodeSetParams(exec, fill, &k));
    cudaMemsetParams m = {d, 0, 7, 4, 1, 1};
    LOG(cudaGraphExecMemsetNodeSetParams(exec, fill, &m));
    cudaGraphLaunch(exec, stream);
    cudaStreamSynchronize(stream);
    VALUE(*h);
    LOG(cudaGraphNodeGetEnabled(exec, kernel, &enabled));
    VALUE(enabled);
    LOG(cudaGraphNodeSetEnabled(exec, kernel, 0));
    LOG(cudaGraphNodeSetEnabled(exec, host, 0)); // kernels, fills and copies alone
    cudaGraphLaunch(exec, stream);
    cudaStreamSynchronize(stream);
    VALUE(*h);
    VALUE(*called);
    LOG(cudaGraphNodeSetEnabled(exec, kernel, 1));
}

static void update(cudaGraphExec_t exec, cudaGraph_t graph, cudaGraphNode_t fill, cudaStream_t stream, const int *h) {
    cudaGraph_t clone = nullptr;
    cudaGraphNode_t found = nullptr, extra = nullptr;
    LOG(cudaGraphClone(&clone, graph));
    LOG(cudaGraphNodeFindInClone(&found, fill, clone));
    VALUE(found != nullptr && found != fill);
    LOG(cudaGraphNodeFindInClone(&extra, found, graph)); // the other way round
    cudaMemsetParams m = {};
    cudaGraphMemsetNodeGetParams(found, &m);
    m.value = 1000;
    LOG(cudaGraphMemsetNodeSetParams(found, &m));
    cudaGraphExecUpdateResultInfo info = {};
    LOG(cudaGraphExecUpdate(exec, clone, &info));
    VALUE(info.result);
    cudaGraphLaunch(exec, stream);
    cudaStreamSynchronize(stream);
    VALUE(*h);
    LOG(cudaGraphAddEmptyNode(&extra, clone, nullptr, 0));
    LOG(cudaGraphExecUpdate(exec, clone, &info));
    VALUE(info.result);
    LOG(cudaGraphDestroyNode(extra));
    LOG(cudaGraphExecUpdate(exec, clone, &info));
    VALUE(info.result);
    LOG(cudaGraphDestroyNode(found));
    LOG(cudaGraphDestroy(clone));
}

static void children(int *d, cudaStream_t stream) {
    cudaGraph_t inner, outer, inside = nullptr;
    cudaGraphNode_t node, child, after;
    int value = 1;
    void *arguments[] = {&d, &value}, *doubled[] = {&d};
    cudaKernelNodeParams k = adding(arguments);
    cudaGraphExec_t exec;
    LOG(cudaGraphCreate(&inner, 0));
    LOG(cudaGraphAddKernelNode(&node, inner, nullptr, 0, &k));
    LOG(cudaGraphCreate(&outer, 0));
    LOG(cudaGraphAddChildGraphNode(&child, outer, nullptr, 0, inner));
    k.func = (void *)twice;
    k.kernelParams = doubled;
    LOG(cudaGraphAddKernelNode(&after, outer, &child, 1, &k));
    LOG(cudaGraphChildGraphNodeGetGraph(child, &inside));
    VALUE(inside != inner);
    LOG(cudaGraphDestroy(inner));
    LOG(cudaGraphInstantiate(&exec, outer, 0));
    cudaMemset(d, 0, sizeof *d);
    LOG(cudaGraphLaunch(exec, stream));
    LOG(cudaGraphLaunch(exec, stream));
    LOG(cudaStreamSynchronize(stream));
    VALUE(value_of(d)); // (0 + 1) * 2, then (2 + 1) * 2
    LOG(cudaGraphExecDestroy(exec));
    LOG(cudaGraphDestroy(outer));
}

static void events(cudaStream_t stream) {
    cudaGraph_t graph;
    cudaGraphNode_t record, wait;
    cudaEvent_t first, second, got = nullptr;
    cudaEventCreate(&first);
    cudaEventCreate(&second);
    LOG(cudaGraphCreate(&graph, 0));
    LOG(cudaGraphAddEventRecordNode(&record, graph, nullptr, 0, first));
    LOG(cudaGraphAddEventWaitNode(&wait, graph, &record, 1, first));
    LOG(cudaGraphEventRecordNodeGetEvent(record, &got));
    VALUE(got == first);
    LOG(cudaGraphEventRecordNodeSetEvent(record, second));
    LOG(cudaGraphEventWaitNodeGetEvent(wait, &got));
    VALUE(got == first);
    LOG(cudaGraphEventWaitNodeSetEvent(record, first));
    cudaGraphExec_t exec;
    LOG(cudaGraphInstantiate(&exec, graph, 0));
    LOG(cudaGraphLaunch(exec, stream));
    LOG(cudaStreamSynchronize(stream));
    LOG(cudaEventQuery(second));
    LOG(cudaGraphExecEventRecordNodeSetEvent(exec, record, first));
    LOG(cudaGraphExecDestroy(exec));
    LOG(cudaGraphDestroy(graph));
    cudaEventDestroy(first);
    cudaEventDestroy(second);
}

static void symbols(cudaStream_t stream) {
    cudaGraph_t graph;
    cudaGraphNode_t to, from;
    int given = 42, taken = 0;
    cudaGraphExec_t exec;
    LOG(cudaGraphCreate(&graph, 0));
    LOG(cudaGraphAddMemcpyNodeToSymbol(&to, graph, nullptr, 0, variable, &given, sizeof given, 0, cudaMemcpyHostToDevice));
    LOG(cudaGraphAddMemcpyNodeFromSymbol(&from, graph, &to, 1, &taken, variable, sizeof taken, 0, cudaMemcpyDeviceToHost));
    LOG(cudaGraphInstantiate(&exec, graph, 0));
    LOG(cudaGraphLaunch(exec, stream));
    LOG(cudaStreamSynchronize(stream));
    VALUE(taken);
    LOG(cudaGraphExecDestroy(exec));
    LOG(cudaGraphDestroy(graph));
}

static void captured(int *d, cudaStream_t stream) {
    cudaGraph_t graph = nullptr, seen = nullptr;
    cudaGraphNode_t extra;
    const cudaGraphNode_t *tail = nullptr;
    size_t n = 99;
    unsigned long long id = 0;
    cudaStreamCaptureStatus status;
    LOG(cudaStreamGetCaptureInfo(stream, &status, &id, &seen, nullptr, nullptr, nullptr));
    VALUE(status);
    LOG(cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal));
    cudaMemsetAsync(d, 0, sizeof *d, stream);
    LOG(cudaStreamGetCaptureInfo(stream, &status, &id, &seen, &tail, nullptr, &n));
    VALUE(status);
    VALUE(id != 0);
    VALUE(n);
    int value = 3;
    void *arguments[] = {&d, &value};
    cudaKernelNodeParams k = adding(arguments);
    LOG(cudaGraphAddKernelNode(&extra, seen, tail, n, &k));
    LOG(cudaStreamUpdateCaptureDependencies(stream, &extra, nullptr, 1, cudaStreamSetCaptureDependencies));
    add<<<1, 1, 0, stream>>>(d, 4);
    LOG(cudaStreamEndCapture(stream, &graph));
    VALUE(graph == seen);
    LOG(cudaStreamBeginCaptureToGraph(stream, graph, nullptr, nullptr, 0, cudaStreamCaptureModeGlobal));
    LOG(cudaStreamEndCapture(stream, &seen));
    VALUE(graph == seen);
    cudaGraphExec_t exec;
    LOG(cudaGraphInstantiate(&exec, graph, 0));
    LOG(cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal));
    LOG(cudaGraphLaunch(exec, stream));
    LOG(cudaStreamEndCapture(stream, &seen));
    VALUE(seen != nullptr);
    LOG(cudaGraphLaunch(exec, stream));
    LOG(cudaStreamSynchronize(stream));
    VALUE(value_of(d));
    LOG(cudaGraphExecDestroy(exec));
    LOG(cudaGraphDestroy(graph));
    cudaStreamCaptureMode mode = cudaStreamCaptureModeRelaxed;
    LOG(cudaThreadExchangeStreamCaptureMode(&mode));
    VALUE(mode);
    LOG(cudaThreadExchangeStreamCaptureMode(&mode));
    VALUE(mode);
}

static void objects() {
    static int freed;
    cudaUserObject_t object;
    cudaGraph_t graph;
    LOG(cudaUserObjectCreate(&object, &freed, count, 1, 0));
    LOG(cudaUserObjectCreate(&object, &freed, count, 2, cudaUserObjectNoDestructorSync));
    LOG(cudaGraphCreate(&graph, 0));
    LOG(cudaGraphRetainUserObject(graph, object, 1, cudaGraphUserObjectMove));
    LOG(cudaUserObjectRetain(object, 1));
    LOG(cudaUserObjectRelease(object, 1));
    LOG(cudaUserObjectRelease(object, 1));
    LOG(cudaGraphReleaseUserObject(graph, object, 0));
    LOG(cudaGraphDestroy(graph));
    LOG(cudaDeviceSynchronize());
}

int main() {
    setvbuf(stdout, nullptr, _IOLBF, 0);
    int *d, *h, called = 0, value = 3;
    cudaMalloc(&d, sizeof *d);
    cudaMallocHost(&h, sizeof *h);
    cudaStream_t stream;
    cudaStreamCreate(&stream);
    cudaGraph_t graph;
    cudaGraphNode_t fill, kernel, copy, host, nothing;
    LOG(cudaGraphCreate(&graph, 0));
    cudaMemsetParams m = {d, 0, 2, 4, 1, 1};
    LOG(cudaGraphAddMemsetNode(&fill, graph, nullptr, 0, &m));
    void *arguments[] = {&d, &value};
    cudaKernelNodeParams k = adding(arguments);
    LOG(cudaGraphAddKernelNode(&kernel, graph, &fill, 1, &k));
    value = 77; // the node has its own by now
    LOG(cudaGraphAddMemcpyNode1D(&copy, graph, &kernel, 1, h, d, sizeof *d, cudaMemcpyDeviceToHost));
    cudaHostNodeParams f = {count, &called};
    LOG(cudaGraphAddHostNode(&host, graph, &copy, 1, &f));
    LOG(cudaGraphAddEmptyNode(&nothing, graph, &host, 1));
    ask(graph, fill, kernel);
    dependencies(graph, fill, kernel, copy);
    parameters(fill, kernel, copy, host, d, h);
    wrong(graph, fill, d, h);
    cudaGraphExec_t exec = run(graph, stream, h, &called);
    LOG(cudaGraphExecMemcpyNodeSetParams1D(exec, copy, d, h, sizeof *d, cudaMemcpyHostToDevice)); // the other way
    change(exec, fill, kernel, host, d, h, &called, stream);
    update(exec, graph, fill, stream, h);
    LOG(cudaGraphExecDestroy(exec));
    LOG(cudaGraphDestroyNode(nothing));
    LOG(cudaGraphDestroy(graph));
    children(d, stream);
    events(stream);
    symbols(stream);
    captured(d, stream);
    objects();
    cudaFree(d);
    cudaFreeHost(h);
    cudaStreamDestroy(stream);
    printf("ok\n");
    return 0;
}
