/* graph_nodes.c: the calls that add nodes to graphs, and say and change what these do: in a graph, or in one that is ready to run. */
#include "runtime/graph_nodes.h"

#include "base/alloc.h"

cudaError_t graph_add_node(Context *context, cudaGraphNode_t *handle, cudaGraph_t graph_handle, const Nodes *given,
                           NodeWork *made) {
    Graph *graph = graph_find(context, graph_handle);
    Nodes after = {0};
    if (!handle || !graph || !graph_take_list(graph, given->list, given->count, &after)) {
        work_free(&made->work);
        if (made->work.kind == WORK_GRAPH) graph_free(context, made->work.child);
        return cudaErrorInvalidValue;
    }
    const Work empty = {.kind = made->work.kind};
    Node *node = graph_add(context, graph, made->work.kind == WORK_GRAPH ? made->work : empty, &after);
    nodes_free(&after);
    *handle = node;
    return made->work.kind == WORK_GRAPH ? cudaSuccess : nodework_set(context, node, made);
}

/* The node of a graph that is ready to run, which stands for one of the graph that it was made of; NULL where there is none. */
static Node *ready_node(const Context *context, cudaGraphExec_t handle, cudaGraphNode_t node_handle) {
    const GraphExec *executable = graph_find_executable(context, handle);
    const Node *node = graph_find_node(context, node_handle);
    return executable && node ? graph_copy_of(executable->graph, node) : NULL;
}

static cudaError_t set_ready(Context *context, cudaGraphExec_t handle, cudaGraphNode_t node_handle, NodeWork *made) {
    Node *node = ready_node(context, handle, node_handle);
    if (node && node->work.kind == made->work.kind && !nodework_fits(&node->work, &made->work)) {
        work_free(&made->work);
        return cudaErrorInvalidValue;
    }
    return nodework_set(context, node, made);
}

static cudaError_t set_node(Context *context, cudaGraphNode_t handle, NodeWork *made) {
    return nodework_set(context, graph_find_node(context, handle), made);
}

/* The three calls that describe a node's work by these parameters: they add one, change one, and change one of a graph that is ready to run.
 * MAKE gives a NodeWork *made, or an error. */
#define NODE_CALLS(Add, Set, SetReady, make, parameters, arguments)                                                          \
    API_CALL(Add,                                                                                                            \
             (cudaGraphNode_t * handle, cudaGraph_t graph, const cudaGraphNode_t *after, size_t count, UNPACKED parameters), \
             (handle, graph, after, count, UNPACKED arguments)) {                                                            \
        NodeWork made = {0};                                                                                                 \
        const cudaError_t error = make;                                                                                      \
        const Nodes given = {(cudaGraphNode_t *)(uintptr_t)after, count};                                                    \
        return error ? error : graph_add_node(context, handle, graph, &given, &made);                                        \
    }                                                                                                                        \
    API_CALL(Set, (cudaGraphNode_t handle, UNPACKED parameters), (handle, UNPACKED arguments)) {                             \
        NodeWork made = {0};                                                                                                 \
        const cudaError_t error = make;                                                                                      \
        return error ? error : set_node(context, handle, &made);                                                             \
    }                                                                                                                        \
    API_CALL(SetReady, (cudaGraphExec_t ready, cudaGraphNode_t handle, UNPACKED parameters),                                 \
             (ready, handle, UNPACKED arguments)) {                                                                          \
        NodeWork made = {0};                                                                                                 \
        const cudaError_t error = make;                                                                                      \
        return error ? error : set_ready(context, ready, handle, &made);                                                     \
    }

NODE_CALLS(cudaGraphAddKernelNode, cudaGraphKernelNodeSetParams, cudaGraphExecKernelNodeSetParams,
           nodework_kernel(context, params, &made), (const struct cudaKernelNodeParams *params), (params))
NODE_CALLS(cudaGraphAddMemcpyNode, cudaGraphMemcpyNodeSetParams, cudaGraphExecMemcpyNodeSetParams,
           nodework_copy(context, params, &made), (const struct cudaMemcpy3DParms *params), (params))
NODE_CALLS(cudaGraphAddMemsetNode, cudaGraphMemsetNodeSetParams, cudaGraphExecMemsetNodeSetParams,
           nodework_fill(context, params, &made), (const struct cudaMemsetParams *params), (params))
NODE_CALLS(cudaGraphAddHostNode, cudaGraphHostNodeSetParams, cudaGraphExecHostNodeSetParams, nodework_host(params, &made),
           (const struct cudaHostNodeParams *params), (params))
NODE_CALLS(cudaGraphAddEventRecordNode, cudaGraphEventRecordNodeSetEvent, cudaGraphExecEventRecordNodeSetEvent,
           nodework_event(context, WORK_RECORD, event, &made), (cudaEvent_t event), (event))
NODE_CALLS(cudaGraphAddEventWaitNode, cudaGraphEventWaitNodeSetEvent, cudaGraphExecEventWaitNodeSetEvent,
           nodework_event(context, WORK_WAIT, event, &made), (cudaEvent_t event), (event))

static cudaError_t row(Context *context, struct cudaMemcpy3DParms params, NodeWork *made) {
    const cudaError_t error = params.extent.width ? nodework_copy(context, &params, made) : cudaErrorInvalidValue;
    made->copy.srcPtr = (struct cudaPitchedPtr){.ptr = params.srcPtr.ptr}; /* a row has no pitch, for an H100 */
    made->copy.dstPtr = (struct cudaPitchedPtr){.ptr = params.dstPtr.ptr};
    return error;
}

static cudaError_t row_to(Context *context, const void *symbol, struct cudaMemcpy3DParms params, size_t offset,
                          NodeWork *made) {
    const cudaError_t error = nodework_symbol(context, symbol, params.extent.width, offset, &params.dstPtr.ptr);
    return error ? error : row(context, params, made);
}

static cudaError_t row_from(Context *context, const void *symbol, struct cudaMemcpy3DParms params, size_t offset,
                            NodeWork *made) {
    const cudaError_t error = nodework_symbol(context, symbol, params.extent.width, offset, &params.srcPtr.ptr);
    return error ? error : row(context, params, made);
}

NODE_CALLS(cudaGraphAddMemcpyNode1D, cudaGraphMemcpyNodeSetParams1D, cudaGraphExecMemcpyNodeSetParams1D,
           row(context, nodework_row(to, from, bytes, kind), &made),
           (void *to, const void *from, size_t bytes, enum cudaMemcpyKind kind), (to, from, bytes, kind))
NODE_CALLS(cudaGraphAddMemcpyNodeToSymbol, cudaGraphMemcpyNodeSetParamsToSymbol, cudaGraphExecMemcpyNodeSetParamsToSymbol,
           row_to(context, symbol, nodework_row(NULL, from, bytes, kind), offset, &made),
           (const void *symbol, const void *from, size_t bytes, size_t offset, enum cudaMemcpyKind kind),
           (symbol, from, bytes, offset, kind))
NODE_CALLS(cudaGraphAddMemcpyNodeFromSymbol, cudaGraphMemcpyNodeSetParamsFromSymbol, cudaGraphExecMemcpyNodeSetParamsFromSymbol,
           row_from(context, symbol, nodework_row(to, NULL, bytes, kind), offset, &made),
           (void *to, const void *symbol, size_t bytes, size_t offset, enum cudaMemcpyKind kind),
           (to, symbol, bytes, offset, kind))

API_CALL(cudaGraphAddEmptyNode, (cudaGraphNode_t * handle, cudaGraph_t graph, const cudaGraphNode_t *after, size_t count),
         (handle, graph, after, count)) {
    NodeWork made = {.work.kind = WORK_EMPTY};
    return graph_add_node(context, handle, graph, &(Nodes){(cudaGraphNode_t *)(uintptr_t)after, count}, &made);
}

/* --- child graphs --- */

API_CALL(cudaGraphAddChildGraphNode,
         (cudaGraphNode_t * handle, cudaGraph_t graph_handle, const cudaGraphNode_t *after, size_t count, cudaGraph_t child),
         (handle, graph_handle, after, count, child)) {
    const Graph *graph = graph_find(context, graph_handle), *inner = graph_find(context, child);
    if (!graph || !inner || graph_is_within(graph, inner)) return cudaErrorInvalidValue;
    if (graph_has_memory(inner)) return cudaErrorNotSupported;
    NodeWork made = {.work = {.kind = WORK_GRAPH, .child = graph_copy(context, inner)}};
    return graph_add_node(context, handle, graph_handle, &(Nodes){(cudaGraphNode_t *)(uintptr_t)after, count}, &made);
}

API_CALL(cudaGraphChildGraphNodeGetGraph, (cudaGraphNode_t handle, cudaGraph_t *child), (handle, child)) {
    const Node *node = graph_find_node_of(context, handle, WORK_GRAPH);
    if (!node || !child) return cudaErrorInvalidValue;
    *child = node->work.child;
    return cudaSuccess;
}

/* --- what they do --- */

API_CALL(cudaGraphKernelNodeGetParams, (cudaGraphNode_t handle, struct cudaKernelNodeParams *params), (handle, params)) {
    Node *node = graph_find_node_of(context, handle, WORK_KERNEL);
    if (!node || !params) return cudaErrorInvalidValue;
    const KernelWork *work = &node->work.kernel;
    const Function *function = work->kernel->function;
    if (!node->arguments) node->arguments = alloc_zeroed(function->n_params + 1, sizeof *node->arguments);
    for (uint32_t i = 0; i < function->n_params; i++)
        node->arguments[i] = work->params + work->kernel->image->program->variables[function->params[i]].offset;
    const void *known = work->kernel->stub ? work->kernel->stub : work->kernel; /* a module's has no host function */
    *params = (struct cudaKernelNodeParams){(void *)(uintptr_t)known,
                                            {work->grid[0], work->grid[1], work->grid[2]},
                                            {work->block[0], work->block[1], work->block[2]},
                                            work->shared_bytes,
                                            node->arguments,
                                            NULL};
    return cudaSuccess;
}

API_CALL(cudaGraphMemcpyNodeGetParams, (cudaGraphNode_t handle, struct cudaMemcpy3DParms *params), (handle, params)) {
    const Node *node = graph_find_node_of(context, handle, WORK_COPY);
    if (!node || !params) return cudaErrorInvalidValue;
    const CopyWork *copy = &node->work.copy;
    const Box box = copy->box;
    *params = (struct cudaMemcpy3DParms){.srcPtr = {(void *)copy->from.address, copy->from.pitch, box.width, box.height},
                                         .dstPtr = {(void *)copy->to.address, copy->to.pitch, box.width, box.height},
                                         .extent = {box.width, box.height, box.depth},
                                         .kind = copy->kind};
    if (node->described) *params = node->given.copy;
    return cudaSuccess;
}

API_CALL(cudaGraphMemsetNodeGetParams, (cudaGraphNode_t handle, struct cudaMemsetParams *params), (handle, params)) {
    const Node *node = graph_find_node_of(context, handle, WORK_FILL);
    if (!node || !params) return cudaErrorInvalidValue;
    const FillWork *fill = &node->work.fill;
    const unsigned element = fill->element ? fill->element : 1;
    *params = (struct cudaMemsetParams){(void *)fill->to.address,  fill->to.pitch,  (unsigned)fill->value, element,
                                        fill->box.width / element, fill->box.height};
    if (node->described) *params = node->given.fill;
    return cudaSuccess;
}

API_CALL(cudaGraphHostNodeGetParams, (cudaGraphNode_t handle, struct cudaHostNodeParams *params), (handle, params)) {
    const Node *node = graph_find_node_of(context, handle, WORK_HOST);
    if (!node || !params) return cudaErrorInvalidValue;
    *params = (struct cudaHostNodeParams){node->work.host.function, node->work.host.data};
    return cudaSuccess;
}

static cudaError_t give_event(const Node *node, cudaEvent_t *event) {
    if (!node || !event) return cudaErrorInvalidValue;
    *event = node->work.event;
    return cudaSuccess;
}

API_CALL(cudaGraphEventRecordNodeGetEvent, (cudaGraphNode_t handle, cudaEvent_t *event), (handle, event)) {
    return give_event(graph_find_node_of(context, handle, WORK_RECORD), event);
}

API_CALL(cudaGraphEventWaitNodeGetEvent, (cudaGraphNode_t handle, cudaEvent_t *event), (handle, event)) {
    return give_event(graph_find_node_of(context, handle, WORK_WAIT), event);
}

/* --- in a graph that is ready to run --- */

static bool may_be_disabled(const Node *node) {
    return node && (node->work.kind == WORK_KERNEL || node->work.kind == WORK_COPY || node->work.kind == WORK_FILL);
}

API_CALL(cudaGraphNodeSetEnabled, (cudaGraphExec_t ready, cudaGraphNode_t handle, unsigned enabled), (ready, handle, enabled)) {
    Node *node = ready_node(context, ready, handle);
    if (!may_be_disabled(node)) return cudaErrorInvalidValue;
    node->disabled = !enabled;
    return cudaSuccess;
}

API_CALL(cudaGraphNodeGetEnabled, (cudaGraphExec_t ready, cudaGraphNode_t handle, unsigned *enabled),
         (ready, handle, enabled)) {
    const Node *node = ready_node(context, ready, handle);
    if (!may_be_disabled(node) || !enabled) return cudaErrorInvalidValue;
    *enabled = !node->disabled;
    return cudaSuccess;
}
