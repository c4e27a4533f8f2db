/* graph_calls.c: the calls that make graphs and ask how their nodes follow each other. */
#include <stdlib.h>

#include "base/alloc.h"
#include "runtime/capture.h"
#include "runtime/graph.h"

API_CALL(cudaGraphCreate, (cudaGraph_t * handle, unsigned flags), (handle, flags));
static cudaError_t cudaGraphCreate_locked(Context *context, cudaGraph_t *handle, unsigned flags) {
    if (!handle || flags) return cudaErrorInvalidValue;
    *handle = graph_new(context);
    graph_publish(context, *handle);
    return cudaSuccess;
}

/* Whether it is to stay, since a stream's capture adds to it. */
static bool is_captured_into(const Context *context, const Graph *graph) {
    if (!capture_is_into(context, graph)) return false;
    note("%s: a stream is being captured into the graph", callsite_name());
    note_hint("cudaStreamEndCapture first");
    return true;
}

API_CALL(cudaGraphDestroy, (cudaGraph_t handle), (handle));
static cudaError_t cudaGraphDestroy_locked(Context *context, cudaGraph_t handle) {
    Graph *graph = graph_find(context, handle);
    if (!graph || graph->parent || is_captured_into(context, graph)) return cudaErrorInvalidValue;
    graph_destroy(context, graph);
    return cudaSuccess;
}

API_CALL(cudaGraphClone, (cudaGraph_t * clone, cudaGraph_t handle), (clone, handle));
static cudaError_t cudaGraphClone_locked(Context *context, cudaGraph_t *clone, cudaGraph_t handle) {
    const Graph *graph = graph_find(context, handle);
    if (!clone || !graph) return cudaErrorInvalidValue;
    if (graph_has_memory(graph)) return cudaErrorNotSupported;
    *clone = graph_copy(context, graph);
    graph_publish(context, *clone);
    return cudaSuccess;
}

API_CALL(cudaGraphNodeFindInClone, (cudaGraphNode_t * found, cudaGraphNode_t handle, cudaGraph_t clone_handle),
         (found, handle, clone_handle));
static cudaError_t cudaGraphNodeFindInClone_locked(Context *context, cudaGraphNode_t *found, cudaGraphNode_t handle,
                                                   cudaGraph_t clone_handle) {
    const Node *node = graph_find_node(context, handle);
    const Graph *clone = graph_find(context, clone_handle);
    if (!found || !node || !clone) return cudaErrorInvalidValue;
    Node *copy = graph_copy_of(clone, node);
    if (!copy) return cudaErrorInvalidValue;
    *found = copy;
    return cudaSuccess;
}

API_CALL(cudaGraphDestroyNode, (cudaGraphNode_t handle), (handle));
static cudaError_t cudaGraphDestroyNode_locked(Context *context, cudaGraphNode_t handle) {
    Node *node = graph_find_node(context, handle);
    if (!node || is_captured_into(context, node->graph)) return cudaErrorInvalidValue;
    if (graph_has_memory(node->graph)) return cudaErrorNotSupported;
    graph_remove(context, node);
    return cudaSuccess;
}

/* --- lists --- */

/* What is beyond the last becomes NULL, and *count how many there are, or as many as there was room for (CUDA Runtime API, cudaGraphGetNodes). */
static cudaError_t give_list(const Nodes *found, cudaGraphNode_t *into, size_t *count) {
    const size_t room = into ? *count : 0;
    for (size_t i = 0; i < room; i++) into[i] = i < found->count ? found->list[i] : NULL;
    if (!into || found->count < room) *count = found->count;
    return cudaSuccess;
}

API_CALL(cudaGraphGetNodes, (cudaGraph_t handle, cudaGraphNode_t *nodes, size_t *count), (handle, nodes, count));
static cudaError_t cudaGraphGetNodes_locked(Context *context, cudaGraph_t handle, cudaGraphNode_t *nodes, size_t *count) {
    const Graph *graph = graph_find(context, handle);
    if (!graph || !count) return cudaErrorInvalidValue;
    return give_list(&(Nodes){graph->nodes, graph->count}, nodes, count);
}

API_CALL(cudaGraphGetRootNodes, (cudaGraph_t handle, cudaGraphNode_t *nodes, size_t *count), (handle, nodes, count));
static cudaError_t cudaGraphGetRootNodes_locked(Context *context, cudaGraph_t handle, cudaGraphNode_t *nodes, size_t *count) {
    const Graph *graph = graph_find(context, handle);
    if (!graph || !count) return cudaErrorInvalidValue;
    Nodes roots = {0};
    for (size_t i = 0; i < graph->count; i++)
        if (!graph->nodes[i]->after.count) ALLOC_ADD(roots.list, roots.count) = graph->nodes[i];
    give_list(&roots, nodes, count);
    nodes_free(&roots);
    return cudaSuccess;
}

/* Edges say no more than that one node waits for the whole of another. */
static void clear_edges(cudaGraphEdgeData *edges, size_t count) {
    for (size_t i = 0; edges && i < count; i++) edges[i] = (cudaGraphEdgeData){0};
}

/* The nodes on one side of a node; NULL: there is no such node. */
static cudaError_t give_neighbours(const Nodes *found, cudaGraphNode_t *into, cudaGraphEdgeData *edges, size_t *count) {
    if (!found || !count || (edges && !into)) return cudaErrorInvalidValue;
    clear_edges(edges, *count);
    return give_list(found, into, count);
}

API_CALL(cudaGraphNodeGetDependencies,
         (cudaGraphNode_t handle, cudaGraphNode_t *nodes, cudaGraphEdgeData *edges, size_t *count),
         (handle, nodes, edges, count));
static cudaError_t cudaGraphNodeGetDependencies_locked(Context *context, cudaGraphNode_t handle, cudaGraphNode_t *nodes,
                                                       cudaGraphEdgeData *edges, size_t *count) {
    const Node *node = graph_find_node(context, handle);
    return give_neighbours(node ? &node->after : NULL, nodes, edges, count);
}

API_CALL(cudaGraphNodeGetDependentNodes,
         (cudaGraphNode_t handle, cudaGraphNode_t *nodes, cudaGraphEdgeData *edges, size_t *count),
         (handle, nodes, edges, count));
static cudaError_t cudaGraphNodeGetDependentNodes_locked(Context *context, cudaGraphNode_t handle, cudaGraphNode_t *nodes,
                                                         cudaGraphEdgeData *edges, size_t *count) {
    const Node *node = graph_find_node(context, handle);
    Nodes found = {0};
    for (size_t i = 0; node && i < node->graph->count; i++)
        if (nodes_have(&node->graph->nodes[i]->after, handle)) ALLOC_ADD(found.list, found.count) = node->graph->nodes[i];
    const cudaError_t error = give_neighbours(node ? &found : NULL, nodes, edges, count);
    nodes_free(&found);
    return error;
}

API_CALL(cudaGraphGetEdges,
         (cudaGraph_t handle, cudaGraphNode_t *from, cudaGraphNode_t *to, cudaGraphEdgeData *edges, size_t *count),
         (handle, from, to, edges, count));
static cudaError_t cudaGraphGetEdges_locked(Context *context, cudaGraph_t handle, cudaGraphNode_t *from, cudaGraphNode_t *to,
                                            cudaGraphEdgeData *edges, size_t *count) {
    const Graph *graph = graph_find(context, handle);
    if (!graph || !count || !from != !to || (edges && !from)) return cudaErrorInvalidValue;
    clear_edges(edges, *count);
    Nodes first = {0}, second = {0};
    size_t room = *count;
    for (size_t i = 0; i < graph->count; i++)
        for (size_t n = 0; n < graph->nodes[i]->after.count; n++) {
            ALLOC_ADD(first.list, first.count) = graph->nodes[i]->after.list[n];
            ALLOC_ADD(second.list, second.count) = graph->nodes[i];
        }
    give_list(&first, from, count);
    give_list(&second, to, &room);
    nodes_free(&first);
    nodes_free(&second);
    return cudaSuccess;
}

/* --- changing them --- */

static bool has_node(const Graph *graph, const Node *node) { return node && node->graph == graph; }

/* One edge more. That it closes a circle is found when the graph is made ready to run, as an H100 has it. */
static cudaError_t add_edge(const Graph *graph, Node *from, Node *to) {
    (void)graph;
    if (from == to || nodes_have(&to->after, from)) return cudaErrorInvalidValue;
    nodes_add(&to->after, from);
    return cudaSuccess;
}

static cudaError_t remove_edge(const Graph *graph, Node *from, Node *to) {
    (void)graph;
    if (!nodes_have(&to->after, from)) return cudaErrorInvalidValue;
    nodes_remove(&to->after, from);
    return cudaSuccess;
}

static cudaError_t change_edges(Context *context, const Graph *graph, const cudaGraphNode_t *from, const cudaGraphNode_t *to,
                                size_t count, cudaError_t change(const Graph *, Node *, Node *)) {
    if (!graph || (count && (!from || !to))) return cudaErrorInvalidValue;
    cudaError_t error = cudaSuccess;
    for (size_t i = 0; i < count && !error; i++) {
        Node *first = graph_find_node(context, from[i]), *second = graph_find_node(context, to[i]);
        const bool good = has_node(graph, first) && has_node(graph, second);
        error = good ? change(graph, first, second) : cudaErrorInvalidValue;
    }
    return error;
}

API_CALL(cudaGraphAddDependencies,
         (cudaGraph_t handle, const cudaGraphNode_t *from, const cudaGraphNode_t *to, const cudaGraphEdgeData *edges,
          size_t count),
         (handle, from, to, edges, count));
static cudaError_t cudaGraphAddDependencies_locked(Context *context, cudaGraph_t handle, const cudaGraphNode_t *from,
                                                   const cudaGraphNode_t *to, const cudaGraphEdgeData *edges, size_t count) {
    if (!graph_edges_are_whole(edges, count)) return cudaErrorInvalidValue;
    return change_edges(context, graph_find(context, handle), from, to, count, add_edge);
}

API_CALL(cudaGraphRemoveDependencies,
         (cudaGraph_t handle, const cudaGraphNode_t *from, const cudaGraphNode_t *to, const cudaGraphEdgeData *edges,
          size_t count),
         (handle, from, to, edges, count));
static cudaError_t cudaGraphRemoveDependencies_locked(Context *context, cudaGraph_t handle, const cudaGraphNode_t *from,
                                                      const cudaGraphNode_t *to, const cudaGraphEdgeData *edges, size_t count) {
    const Graph *graph = graph_find(context, handle);
    if (graph && graph_has_memory(graph)) return cudaErrorNotSupported;
    if (!graph_edges_are_whole(edges, count)) return cudaErrorInvalidValue;
    return change_edges(context, graph, from, to, count, remove_edge);
}

API_CALL(cudaGraphNodeGetType, (cudaGraphNode_t handle, enum cudaGraphNodeType *type), (handle, type));
static cudaError_t cudaGraphNodeGetType_locked(Context *context, cudaGraphNode_t handle, enum cudaGraphNodeType *type) {
    static const enum cudaGraphNodeType types[] = {
        [WORK_KERNEL] = cudaGraphNodeTypeKernel,     [WORK_COPY] = cudaGraphNodeTypeMemcpy,
        [WORK_FILL] = cudaGraphNodeTypeMemset,       [WORK_HOST] = cudaGraphNodeTypeHost,
        [WORK_EMPTY] = cudaGraphNodeTypeEmpty,       [WORK_RECORD] = cudaGraphNodeTypeEventRecord,
        [WORK_WAIT] = cudaGraphNodeTypeWaitEvent,    [WORK_GRAPH] = cudaGraphNodeTypeGraph,
        [WORK_ALLOCATE] = cudaGraphNodeTypeMemAlloc, [WORK_FREE] = cudaGraphNodeTypeMemFree};
    const Node *node = graph_find_node(context, handle);
    if (!node || !type) return cudaErrorInvalidValue;
    *type = types[node->work.kind];
    return cudaSuccess;
}
