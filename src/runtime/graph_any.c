/* graph_any.c: nodes of any type by one description, what a kernel's node is launched with, and graphs as text. */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "runtime/graph.h"

/* --- one description --- */

static bool is_plain(const struct cudaGraphNodeParams *params) {
    const int *reserved = params->reserved0;
    const bool empty = params->type == cudaGraphNodeTypeEmpty, copy = params->type == cudaGraphNodeTypeMemcpy;
    for (size_t i = 0; empty && i < sizeof params->reserved1 / sizeof *params->reserved1; i++)
        if (params->reserved1[i]) return false;
    return !reserved[0] && !reserved[1] && !reserved[2] && !params->reserved2 && (!copy || !params->memcpy.flags);
}

static struct cudaKernelNodeParams kernel_of(const struct cudaGraphNodeParams *params) {
    const struct cudaKernelNodeParamsV2 *given = &params->kernel;
    return (struct cudaKernelNodeParams){given->func,           given->gridDim,      given->blockDim,
                                         given->sharedMemBytes, given->kernelParams, given->extra};
}

static struct cudaMemsetParams fill_of(const struct cudaGraphNodeParams *params) {
    const struct cudaMemsetParamsV2 *given = &params->memset;
    return (struct cudaMemsetParams){given->dst, given->pitch, given->value, given->elementSize, given->width, given->height};
}

/* Where a node is to have this work: behind others of a graph, in a graph, or in one that is ready to run. */
typedef struct NodePlace {
    cudaGraphNode_t *made;
    cudaGraph_t graph;
    const cudaGraphNode_t *after;
    size_t count;
    cudaGraphExec_t ready;
    cudaGraphNode_t node;
} NodePlace;

static cudaError_t add(const NodePlace *at, struct cudaGraphNodeParams *params) {
    const struct cudaKernelNodeParams kernel = kernel_of(params);
    const struct cudaMemsetParams fill = fill_of(params);
    const struct cudaHostNodeParams host = {params->host.fn, params->host.userData};
    struct cudaMemAllocNodeParams memory = {params->alloc.poolProps, params->alloc.accessDescs, params->alloc.accessDescCount,
                                            params->alloc.bytesize, NULL};
    switch ((int)params->type) {
    case cudaGraphNodeTypeKernel: return cudaGraphAddKernelNode(at->made, at->graph, at->after, at->count, &kernel);
    case cudaGraphNodeTypeMemcpy:
        return cudaGraphAddMemcpyNode(at->made, at->graph, at->after, at->count, &params->memcpy.copyParams);
    case cudaGraphNodeTypeMemset: return cudaGraphAddMemsetNode(at->made, at->graph, at->after, at->count, &fill);
    case cudaGraphNodeTypeHost: return cudaGraphAddHostNode(at->made, at->graph, at->after, at->count, &host);
    case cudaGraphNodeTypeGraph:
        return cudaGraphAddChildGraphNode(at->made, at->graph, at->after, at->count, params->graph.graph);
    case cudaGraphNodeTypeEmpty: return cudaGraphAddEmptyNode(at->made, at->graph, at->after, at->count);
    case cudaGraphNodeTypeWaitEvent:
        return cudaGraphAddEventWaitNode(at->made, at->graph, at->after, at->count, params->eventWait.event);
    case cudaGraphNodeTypeEventRecord:
        return cudaGraphAddEventRecordNode(at->made, at->graph, at->after, at->count, params->eventRecord.event);
    case cudaGraphNodeTypeMemFree: return cudaGraphAddMemFreeNode(at->made, at->graph, at->after, at->count, params->free.dptr);
    case cudaGraphNodeTypeMemAlloc: {
        const cudaError_t error = cudaGraphAddMemAllocNode(at->made, at->graph, at->after, at->count, &memory);
        params->alloc.dptr = memory.dptr;
        return error;
    }
    }
    return cudaErrorInvalidValue;
}

static cudaError_t set(const NodePlace *at, const struct cudaGraphNodeParams *params) {
    const struct cudaKernelNodeParams kernel = kernel_of(params);
    const struct cudaMemsetParams fill = fill_of(params);
    const struct cudaHostNodeParams host = {params->host.fn, params->host.userData};
    switch ((int)params->type) {
    case cudaGraphNodeTypeKernel: return cudaGraphKernelNodeSetParams(at->node, &kernel);
    case cudaGraphNodeTypeMemcpy: return cudaGraphMemcpyNodeSetParams(at->node, &params->memcpy.copyParams);
    case cudaGraphNodeTypeMemset: return cudaGraphMemsetNodeSetParams(at->node, &fill);
    case cudaGraphNodeTypeHost: return cudaGraphHostNodeSetParams(at->node, &host);
    case cudaGraphNodeTypeWaitEvent: return cudaGraphEventWaitNodeSetEvent(at->node, params->eventWait.event);
    case cudaGraphNodeTypeEventRecord: return cudaGraphEventRecordNodeSetEvent(at->node, params->eventRecord.event);
    }
    return cudaErrorInvalidValue;
}

static cudaError_t set_ready(const NodePlace *at, const struct cudaGraphNodeParams *params) {
    const struct cudaKernelNodeParams kernel = kernel_of(params);
    const struct cudaMemsetParams fill = fill_of(params);
    const struct cudaHostNodeParams host = {params->host.fn, params->host.userData};
    switch ((int)params->type) {
    case cudaGraphNodeTypeKernel: return cudaGraphExecKernelNodeSetParams(at->ready, at->node, &kernel);
    case cudaGraphNodeTypeMemcpy: return cudaGraphExecMemcpyNodeSetParams(at->ready, at->node, &params->memcpy.copyParams);
    case cudaGraphNodeTypeMemset: return cudaGraphExecMemsetNodeSetParams(at->ready, at->node, &fill);
    case cudaGraphNodeTypeHost: return cudaGraphExecHostNodeSetParams(at->ready, at->node, &host);
    case cudaGraphNodeTypeGraph: return cudaGraphExecChildGraphNodeSetParams(at->ready, at->node, params->graph.graph);
    case cudaGraphNodeTypeWaitEvent: return cudaGraphExecEventWaitNodeSetEvent(at->ready, at->node, params->eventWait.event);
    case cudaGraphNodeTypeEventRecord:
        return cudaGraphExecEventRecordNodeSetEvent(at->ready, at->node, params->eventRecord.event);
    }
    return cudaErrorInvalidValue;
}

/* False, after a message, for what is not emulated. */
static bool is_emulated(const struct cudaGraphNodeParams *params) {
    const bool moves = params->type == cudaGraphNodeTypeGraph && params->graph.ownership != cudaGraphChildGraphOwnershipClone;
    const char *what = params->type == cudaGraphNodeTypeConditional          ? "conditional nodes"
                       : params->type == cudaGraphNodeTypeExtSemaphoreSignal ? "nodes that signal external semaphores"
                       : params->type == cudaGraphNodeTypeExtSemaphoreWait   ? "nodes that wait for external semaphores"
                       : moves                                               ? "child graphs that move into a graph"
                                                                             : NULL;
    if (what) note("%s: %s are not emulated", callsite_name(), what);
    if (what && params->type == cudaGraphNodeTypeConditional) note_hint("decide on the host, between launches of two graphs");
    if (moves) note_hint("add a copy: cudaGraphChildGraphOwnershipClone, and destroy the graph yourself");
    return !what;
}

cudaError_t cudaGraphAddNode(cudaGraphNode_t *node, cudaGraph_t graph, const cudaGraphNode_t *after,
                             const cudaGraphEdgeData *edges, size_t count, struct cudaGraphNodeParams *params) {
    CALLSITE_BEGIN();
    if (!graph_edges_are_whole(edges, count)) return api_end(NULL, cudaErrorInvalidValue);
    if (!node || !params || !is_plain(params)) return api_end(NULL, cudaErrorInvalidValue);
    if (!is_emulated(params)) return api_end(NULL, cudaErrorNotSupported);
    return api_end(NULL, add(&(NodePlace){.made = node, .graph = graph, .after = after, .count = count}, params));
}

cudaError_t cudaGraphNodeSetParams(cudaGraphNode_t node, struct cudaGraphNodeParams *params) {
    CALLSITE_BEGIN();
    if (!params || !is_plain(params)) return api_end(NULL, cudaErrorInvalidValue);
    return api_end(NULL, set(&(NodePlace){.node = node}, params));
}

cudaError_t cudaGraphExecNodeSetParams(cudaGraphExec_t ready, cudaGraphNode_t node, struct cudaGraphNodeParams *params) {
    CALLSITE_BEGIN();
    if (!params || !is_plain(params)) return api_end(NULL, cudaErrorInvalidValue);
    return api_end(NULL, set_ready(&(NodePlace){.ready = ready, .node = node}, params));
}

/* --- what a kernel is launched with --- */

static KernelWork *kernel_node(const Context *context, cudaGraphNode_t handle) {
    Node *node = graph_find_node_of(context, handle, WORK_KERNEL);
    return node ? &node->work.kernel : NULL;
}

/* Whether the grid is a multiple of such clusters; 0: of none. */
static bool divides(const KernelWork *work, const struct WarpscopeClusterSize *size) {
    const uint32_t of[] = {size->x, size->y, size->z};
    const uint64_t blocks = (uint64_t)of[0] * of[1] * of[2];
    if (!of[0] && !of[1] && !of[2]) return true;
    bool good = blocks && blocks <= (work->kernel->wide_clusters ? CLUSTER_BLOCKS_MOST : CLUSTER_BLOCKS_PORTABLE);
    for (int d = 0; good && d < 3; d++) good = work->grid[d] % of[d] == 0;
    return good;
}

API_CALL(cudaGraphKernelNodeGetAttribute,
         (cudaGraphNode_t handle, cudaLaunchAttributeID attribute, cudaLaunchAttributeValue *value),
         (handle, attribute, value)) {
    const KernelWork *work = kernel_node(context, handle);
    if (!work || !value) return cudaErrorInvalidValue;
    switch ((int)attribute) {
    case cudaLaunchAttributeSynchronizationPolicy: return cudaErrorInvalidValue; /* it is of streams */
    case cudaLaunchAttributeCooperative: value->cooperative = work->cooperative; return cudaSuccess;
    case cudaLaunchAttributeClusterDimension:
        value->clusterDim = (struct WarpscopeClusterSize){work->cluster[0], work->cluster[1], work->cluster[2]};
        return cudaSuccess;
    }
    return attributes_give(&work->attributes, attribute, value) ? cudaSuccess : cudaErrorInvalidValue;
}

API_CALL(cudaGraphKernelNodeSetAttribute,
         (cudaGraphNode_t handle, cudaLaunchAttributeID attribute, const cudaLaunchAttributeValue *value),
         (handle, attribute, value)) {
    KernelWork *work = kernel_node(context, handle);
    if (!work || !value) return cudaErrorInvalidValue;
    const struct WarpscopeClusterSize size = value->clusterDim;
    switch ((int)attribute) {
    case cudaLaunchAttributeSynchronizationPolicy: return cudaErrorInvalidValue; /* it is of streams */
    case cudaLaunchAttributeCooperative: work->cooperative = value->cooperative != 0; return cudaSuccess;
    case cudaLaunchAttributeClusterDimension:
        if (!divides(work, &size)) return cudaErrorInvalidClusterSize;
        memcpy(work->cluster, (const uint32_t[]){size.x, size.y, size.z}, sizeof work->cluster);
        return cudaSuccess;
    }
    return attributes_take(&work->attributes, attribute, value) ? cudaSuccess : cudaErrorInvalidValue;
}

API_CALL(cudaGraphKernelNodeCopyAttributes, (cudaGraphNode_t to_handle, cudaGraphNode_t from_handle),
         (to_handle, from_handle)) {
    KernelWork *to = kernel_node(context, to_handle);
    const KernelWork *from = kernel_node(context, from_handle);
    if (!to || !from) return cudaErrorInvalidValue;
    to->attributes = from->attributes;
    to->cooperative = from->cooperative;
    memcpy(to->cluster, from->cluster, sizeof to->cluster);
    return cudaSuccess;
}

/* --- as text, in the language DOT of Graphviz --- */

static void add_label(const Node *node, Text *out) {
    static const char *const names[] = {
        [WORK_KERNEL] = "KERNEL",      [WORK_COPY] = "MEMCPY",     [WORK_FILL] = "MEMSET",         [WORK_HOST] = "HOST",
        [WORK_EMPTY] = "EMPTY",        [WORK_WAIT] = "EVENT_WAIT", [WORK_RECORD] = "EVENT_RECORD", [WORK_GRAPH] = "GRAPH",
        [WORK_ALLOCATE] = "MEM_ALLOC", [WORK_FREE] = "MEM_FREE"};
    const Work *work = &node->work;
    text_add(out, "%s",
             work->kind == WORK_KERNEL    ? work->kernel.kernel->name
             : work->kind == WORK_LIBRARY ? work->library->call
                                          : names[work->kind]);
}

/* A child graph is a cluster of its own, behind the graph that it is in. */
static void add_graph(const Graph *graph, Text *out) {
    text_add(out, "subgraph cluster_%" PRIu64 " {\nlabel=\"graph_%" PRIu64 "\" graph[style=\"dashed\"];\n", graph->number,
             graph->number);
    for (size_t i = 0; i < graph->count; i++) {
        const bool kernel = graph->nodes[i]->work.kind == WORK_KERNEL;
        text_add(out, "\"graph_%" PRIu64 "_node_%zu\"[style=\"%s\" shape=\"%s\" label=\"%zu\n", graph->number, i,
                 kernel ? "bold" : "solid", kernel ? "octagon" : "rectangle", i);
        add_label(graph->nodes[i], out);
        text_add(out, "\n\"];\n\n");
    }
    for (size_t i = 0; i < graph->count; i++)
        for (size_t n = 0; n < graph->nodes[i]->after.count; n++)
            text_add(out, "\"graph_%" PRIu64 "_node_%zu\" -> \"graph_%" PRIu64 "_node_%zu\";\n", graph->number,
                     graph_place(graph, graph->nodes[i]->after.list[n]), graph->number, i);
    text_add(out, "}\n");
    for (size_t i = 0; i < graph->count; i++)
        if (graph->nodes[i]->work.kind == WORK_GRAPH) add_graph(graph->nodes[i]->work.child, out);
}

/* Flags ask for more of each node than its kind. */
API_CALL(cudaGraphDebugDotPrint, (cudaGraph_t handle, const char *path, unsigned flags), (handle, path, flags)) {
    (void)flags;
    const Graph *graph = graph_find(context, handle);
    if (!graph || !path) return cudaErrorInvalidValue;
    LOCAL_TEXT text = text_from("digraph dot {\n");
    add_graph(graph, &text);
    text_add(&text, "}\n");
    FILE *file = fopen(path, "w");
    const bool written = file && fputs(text_string(&text), file) >= 0;
    if (file && fclose(file) == 0 && written) return cudaSuccess;
    note("cudaGraphDebugDotPrint: '%s' cannot be written", path);
    return cudaErrorOperatingSystem;
}
