/* graph_refusals.h: what the calls of pools, of captures into graphs and of graphs refuse: rows of test_runtime_refusals.c, which has what
 * they share. */
#pragma once

/* --- pools --- */

#define NO_POOL ((cudaMemPool_t)host)

static cudaMemPool_t own_pool(void) {
    cudaMemPool_t pool;
    FINE(cudaDeviceGetDefaultMemPool(&pool, 0));
    return pool;
}

FAILS(cudaDeviceGetDefaultMemPool) {
    cudaMemPool_t pool;
    REFUSES(cudaErrorInvalidDevice, cudaDeviceGetDefaultMemPool(&pool, 1));
    REFUSES(cudaErrorInvalidValue, cudaDeviceGetDefaultMemPool(NULL, 0));
}
FAILS(cudaDeviceGetMemPool) {
    cudaMemPool_t pool;
    REFUSES(cudaErrorInvalidDevice, cudaDeviceGetMemPool(&pool, 1));
    REFUSES(cudaErrorInvalidValue, cudaDeviceGetMemPool(NULL, 0));
}
FAILS(cudaDeviceSetMemPool) { REFUSES(cudaErrorInvalidValue, cudaDeviceSetMemPool(0, NO_POOL)); }
FAILS(cudaMemPoolCreate) {
    const struct cudaMemPoolProps none = {.location = here}, far = {cudaMemAllocationTypePinned, .location = elsewhere};
    cudaMemPool_t pool;
    REFUSES(cudaErrorInvalidValue, cudaMemPoolCreate(&pool, &none));
    REFUSES(cudaErrorInvalidValue, cudaMemPoolCreate(&pool, &far));
    REFUSES(cudaErrorInvalidValue, cudaMemPoolCreate(&pool, NULL));
}
FAILS(cudaMemPoolDestroy) {
    REFUSES(cudaErrorInvalidValue, cudaMemPoolDestroy(own_pool()));
    REFUSES(cudaErrorInvalidValue, cudaMemPoolDestroy(NO_POOL));
}
FAILS(cudaMemPoolTrimTo) { REFUSES(cudaErrorInvalidValue, cudaMemPoolTrimTo(NO_POOL, 0)); }
FAILS(cudaMemPoolGetAttribute) {
    uint64_t value;
    REFUSES(cudaErrorInvalidValue, cudaMemPoolGetAttribute(NO_POOL, cudaMemPoolAttrUsedMemHigh, &value));
    REFUSES(cudaErrorInvalidValue, cudaMemPoolGetAttribute(own_pool(), (enum cudaMemPoolAttr)99, &value));
}
FAILS(cudaMemPoolSetAttribute) {
    uint64_t value = 1;
    REFUSES(cudaErrorInvalidValue, cudaMemPoolSetAttribute(own_pool(), cudaMemPoolAttrUsedMemHigh, &value));
    REFUSES(cudaErrorInvalidValue, cudaMemPoolSetAttribute(own_pool(), cudaMemPoolAttrUsedMemCurrent, &value));
}
FAILS(cudaMemPoolSetAccess) {
    REFUSES(cudaErrorInvalidValue, cudaMemPoolSetAccess(own_pool(), NULL, 1));
    REFUSES(cudaErrorInvalidValue, cudaMemPoolSetAccess(NO_POOL, NULL, 0));
}
FAILS(cudaMemPoolGetAccess) {
    struct cudaMemLocation far = elsewhere;
    enum cudaMemAccessFlags flags;
    REFUSES(cudaErrorInvalidValue, cudaMemPoolGetAccess(&flags, own_pool(), &far));
    REFUSES(cudaErrorInvalidValue, cudaMemPoolGetAccess(&flags, own_pool(), NULL));
}
FAILS(cudaMallocFromPoolAsync) {
    REFUSES(cudaErrorInvalidValue, cudaMallocFromPoolAsync(&p, 4, NO_POOL, stream));
    REFUSES(cudaErrorInvalidValue, cudaMallocFromPoolAsync(NULL, 4, own_pool(), stream));
}

/* --- captures into graphs --- */

FAILS(cudaStreamBeginCaptureToGraph) {
    REFUSES(cudaErrorInvalidValue,
            cudaStreamBeginCaptureToGraph(stream, (cudaGraph_t)host, NULL, NULL, 0, cudaStreamCaptureModeGlobal));
    REFUSES(cudaErrorInvalidValue, cudaStreamBeginCaptureToGraph(stream, graph, NULL, NULL, 1, cudaStreamCaptureModeGlobal));
}
FAILS(cudaThreadExchangeStreamCaptureMode) {
    enum cudaStreamCaptureMode mode = (enum cudaStreamCaptureMode)9;
    REFUSES(cudaErrorInvalidValue, cudaThreadExchangeStreamCaptureMode(&mode));
}
FAILS(cudaStreamGetCaptureInfo) {
    REFUSES(cudaErrorInvalidValue, cudaStreamGetCaptureInfo(stream, NULL, NULL, NULL, NULL, NULL, NULL));
}
FAILS(cudaStreamUpdateCaptureDependencies) {
    REFUSES(cudaErrorIllegalState,
            cudaStreamUpdateCaptureDependencies(stream, NULL, NULL, 0, cudaStreamSetCaptureDependencies));
}

/* --- graphs --- */

#define NO_GRAPH ((cudaGraph_t)host)
#define NO_NODE ((cudaGraphNode_t)host)
#define NO_EXECUTABLE ((cudaGraphExec_t)host)
static cudaGraphNode_t node;

/* The one node of graph: it fills. */
static cudaGraphNode_t filling(void) {
    size_t count = 1;
    FINE(cudaGraphGetNodes(graph, &node, &count));
    return node;
}

/* A graph is refused that there is not, and so is a node that it should wait for; a node that there is not, and one of another kind. */
#define NODE_REFUSES(Add, Set, SetReady, ...)                                            \
    FAILS(Add) {                                                                         \
        const cudaGraphNode_t none = NO_NODE;                                            \
        REFUSES(cudaErrorInvalidValue, Add(&node, NO_GRAPH, NULL, 0, __VA_ARGS__));      \
        REFUSES(cudaErrorInvalidValue, Add(&node, graph, &none, 1, __VA_ARGS__));        \
        REFUSES(cudaErrorInvalidValue, Add(NULL, graph, NULL, 0, __VA_ARGS__));          \
    }                                                                                    \
    FAILS(Set) { REFUSES(cudaErrorInvalidValue, Set(NO_NODE, __VA_ARGS__)); }            \
    FAILS(SetReady) {                                                                    \
        REFUSES(cudaErrorInvalidValue, SetReady(NO_EXECUTABLE, filling(), __VA_ARGS__)); \
        REFUSES(cudaErrorInvalidValue, SetReady(executable, NO_NODE, __VA_ARGS__));      \
    }

static void *fill_arguments[] = {&device, &(unsigned){1}, &(unsigned){1}};

NODE_REFUSES(cudaGraphAddKernelNode, cudaGraphKernelNodeSetParams, cudaGraphExecKernelNodeSetParams,
             &((struct cudaKernelNodeParams){(void *)fill, one, one, 0, fill_arguments, NULL}))
NODE_REFUSES(cudaGraphAddMemcpyNode, cudaGraphMemcpyNodeSetParams, cudaGraphExecMemcpyNodeSetParams,
             &((struct cudaMemcpy3DParms){
                 .srcPtr = {host, 4, 4, 1}, .dstPtr = {device, 4, 4, 1}, .extent = {4, 1, 1}, .kind = cudaMemcpyHostToDevice}))
NODE_REFUSES(cudaGraphAddMemsetNode, cudaGraphMemsetNodeSetParams, cudaGraphExecMemsetNodeSetParams,
             &((struct cudaMemsetParams){device, 4, 0, 4, 1, 1}))
NODE_REFUSES(cudaGraphAddHostNode, cudaGraphHostNodeSetParams, cudaGraphExecHostNodeSetParams,
             &((struct cudaHostNodeParams){nothing, NULL}))
NODE_REFUSES(cudaGraphAddEventRecordNode, cudaGraphEventRecordNodeSetEvent, cudaGraphExecEventRecordNodeSetEvent, event)
NODE_REFUSES(cudaGraphAddEventWaitNode, cudaGraphEventWaitNodeSetEvent, cudaGraphExecEventWaitNodeSetEvent, event)
NODE_REFUSES(cudaGraphAddMemcpyNode1D, cudaGraphMemcpyNodeSetParams1D, cudaGraphExecMemcpyNodeSetParams1D, device, host, 4,
             cudaMemcpyHostToDevice)
NODE_REFUSES(cudaGraphAddMemcpyNodeToSymbol, cudaGraphMemcpyNodeSetParamsToSymbol, cudaGraphExecMemcpyNodeSetParamsToSymbol,
             &total, host, 4, 0, cudaMemcpyHostToDevice)
NODE_REFUSES(cudaGraphAddMemcpyNodeFromSymbol, cudaGraphMemcpyNodeSetParamsFromSymbol,
             cudaGraphExecMemcpyNodeSetParamsFromSymbol, host, &total, 4, 0, cudaMemcpyDeviceToHost)

FAILS(cudaGraphAddEmptyNode) { REFUSES(cudaErrorInvalidValue, cudaGraphAddEmptyNode(&node, NO_GRAPH, NULL, 0)); }
FAILS(cudaGraphAddChildGraphNode) {
    REFUSES(cudaErrorInvalidValue, cudaGraphAddChildGraphNode(&node, graph, NULL, 0, NO_GRAPH));
    REFUSES(cudaErrorInvalidValue, cudaGraphAddChildGraphNode(&node, graph, NULL, 0, graph));
}
FAILS(cudaGraphExecChildGraphNodeSetParams) {
    REFUSES(cudaErrorInvalidValue, cudaGraphExecChildGraphNodeSetParams(executable, filling(), graph));
}

/* A node of another kind has not what is asked for. */
#define KIND_REFUSES(Get, Type)                                 \
    FAILS(Get) {                                                \
        Type given;                                             \
        REFUSES(cudaErrorInvalidValue, Get(NO_NODE, &given));   \
        REFUSES(cudaErrorInvalidValue, Get(filling(), &given)); \
    }
KIND_REFUSES(cudaGraphChildGraphNodeGetGraph, cudaGraph_t)
KIND_REFUSES(cudaGraphKernelNodeGetParams, struct cudaKernelNodeParams)
KIND_REFUSES(cudaGraphMemcpyNodeGetParams, struct cudaMemcpy3DParms)
KIND_REFUSES(cudaGraphHostNodeGetParams, struct cudaHostNodeParams)
KIND_REFUSES(cudaGraphEventRecordNodeGetEvent, cudaEvent_t)
KIND_REFUSES(cudaGraphEventWaitNodeGetEvent, cudaEvent_t)
FAILS(cudaGraphMemsetNodeGetParams) { REFUSES(cudaErrorInvalidValue, cudaGraphMemsetNodeGetParams(filling(), NULL)); }
FAILS(cudaGraphNodeGetType) { REFUSES(cudaErrorInvalidValue, cudaGraphNodeGetType(filling(), NULL)); }

FAILS(cudaGraphCreate) {
    cudaGraph_t made;
    REFUSES(cudaErrorInvalidValue, cudaGraphCreate(NULL, 0));
    REFUSES(cudaErrorInvalidValue, cudaGraphCreate(&made, 1));
}
FAILS(cudaGraphClone) {
    cudaGraph_t made;
    REFUSES(cudaErrorInvalidValue, cudaGraphClone(&made, NO_GRAPH));
}
FAILS(cudaGraphNodeFindInClone) { /* of itself a graph is no clone */
    REFUSES(cudaErrorInvalidValue, cudaGraphNodeFindInClone(&node, filling(), graph));
}
FAILS(cudaGraphDestroyNode) {
    FINE(cudaGraphDestroyNode(filling()));
    REFUSES(cudaErrorInvalidValue, cudaGraphDestroyNode(node));
}
FAILS(cudaGraphGetRootNodes) { REFUSES(cudaErrorInvalidValue, cudaGraphGetRootNodes(graph, NULL, NULL)); }
FAILS(cudaGraphGetEdges) {
    size_t count = 1;
    REFUSES(cudaErrorInvalidValue, cudaGraphGetEdges(graph, NULL, NULL, NULL, NULL));
    REFUSES(cudaErrorInvalidValue, cudaGraphGetEdges(graph, &node, NULL, NULL, &count));
}
FAILS(cudaGraphNodeGetDependencies) {
    REFUSES(cudaErrorInvalidValue, cudaGraphNodeGetDependencies(filling(), NULL, NULL, NULL));
}
FAILS(cudaGraphNodeGetDependentNodes) {
    REFUSES(cudaErrorInvalidValue, cudaGraphNodeGetDependentNodes(filling(), NULL, NULL, NULL));
}
FAILS(cudaGraphAddDependencies) {
    filling();
    REFUSES(cudaErrorInvalidValue, cudaGraphAddDependencies(graph, &node, &node, NULL, 1));
    REFUSES(cudaErrorInvalidValue, cudaGraphAddDependencies(graph, NULL, &node, NULL, 1));
}
FAILS(cudaGraphRemoveDependencies) {
    filling();
    REFUSES(cudaErrorInvalidValue, cudaGraphRemoveDependencies(graph, &node, &node, NULL, 1));
}
FAILS(cudaGraphInstantiateWithParams) {
    REFUSES(cudaErrorInvalidValue, cudaGraphInstantiateWithParams(&executable, graph, NULL));
}
FAILS(cudaGraphExecGetFlags) { REFUSES(cudaErrorInvalidValue, cudaGraphExecGetFlags(executable, NULL)); }
FAILS(cudaGraphUpload) { REFUSES(cudaErrorInvalidValue, cudaGraphUpload(NO_EXECUTABLE, stream)); }
FAILS(cudaGraphNodeSetEnabled) { REFUSES(cudaErrorInvalidValue, cudaGraphNodeSetEnabled(executable, NO_NODE, 0)); }
FAILS(cudaGraphNodeGetEnabled) { REFUSES(cudaErrorInvalidValue, cudaGraphNodeGetEnabled(executable, filling(), NULL)); }
FAILS(cudaGraphExecUpdate) {
    cudaGraphExecUpdateResultInfo told;
    cudaGraph_t empty;
    FINE(cudaGraphCreate(&empty, 0));
    REFUSES(cudaErrorGraphExecUpdateFailure, cudaGraphExecUpdate(executable, empty, &told));
    ck_assert_int_eq(told.result, cudaGraphExecUpdateErrorTopologyChanged);
    REFUSES(cudaErrorInvalidValue, cudaGraphExecUpdate(executable, NO_GRAPH, &told));
}

/* --- the program's objects, which graphs keep --- */

#define NO_OBJECT ((cudaUserObject_t)host)

/* With one reference. */
static cudaUserObject_t object(void) {
    cudaUserObject_t made;
    FINE(cudaUserObjectCreate(&made, host, nothing, 1, cudaUserObjectNoDestructorSync));
    return made;
}

FAILS(cudaUserObjectCreate) {
    cudaUserObject_t made;
    REFUSES(cudaErrorInvalidValue, cudaUserObjectCreate(&made, host, nothing, 0, cudaUserObjectNoDestructorSync));
    REFUSES(cudaErrorInvalidValue, cudaUserObjectCreate(&made, host, nothing, 1, 0));
    REFUSES(cudaErrorInvalidValue, cudaUserObjectCreate(&made, host, NULL, 1, cudaUserObjectNoDestructorSync));
}
FAILS(cudaUserObjectRetain) { REFUSES(cudaErrorInvalidValue, cudaUserObjectRetain(NO_OBJECT, 1)); }
FAILS(cudaUserObjectRelease) {
    REFUSES(cudaErrorInvalidValue, cudaUserObjectRelease(NO_OBJECT, 1));
    REFUSES(cudaErrorInvalidValue, cudaUserObjectRelease(object(), 0));
}
FAILS(cudaGraphRetainUserObject) {
    REFUSES(cudaErrorInvalidValue, cudaGraphRetainUserObject(NO_GRAPH, object(), 1, 0));
    REFUSES(cudaErrorInvalidValue, cudaGraphRetainUserObject(graph, NO_OBJECT, 1, 0));
    REFUSES(cudaErrorInvalidValue, cudaGraphRetainUserObject(graph, object(), 1, 2));
}
FAILS(cudaGraphReleaseUserObject) {
    REFUSES(cudaErrorInvalidValue, cudaGraphReleaseUserObject(graph, NO_OBJECT, 1));
    REFUSES(cudaErrorInvalidValue, cudaGraphReleaseUserObject(graph, object(), 1));
}

/* --- the driver's functions --- */

FAILS(cudaGetDriverEntryPoint) {
    REFUSES(cudaErrorInvalidValue, cudaGetDriverEntryPoint(NULL, &p, 0, NULL));
    REFUSES(cudaErrorInvalidValue, cudaGetDriverEntryPoint("cuTensorMapEncodeTiled", NULL, 0, NULL));
}
FAILS(cudaGetDriverEntryPointByVersion) {
    REFUSES(cudaErrorInvalidValue, cudaGetDriverEntryPointByVersion("cuTensorMapEncodeTiled", &p, 12000, 64, NULL));
    REFUSES(cudaErrorSymbolNotFound, cudaGetDriverEntryPointByVersion("cuNoSuchFunction", &p, 12000, 0, NULL));
}
