/* graph_update.c: a graph that is ready to run takes what the nodes of another one of its shape do. */
#include "runtime/graph_nodes.h"

typedef struct GraphChange {
    enum cudaGraphExecUpdateResult result;
    Node *node, *from; /* where it does not fit, and what that waits for, where that is it */
} GraphChange;

/* The first node that `given` waits for, and `ready` does not. */
static Node *other_edge(const Node *ready, const Node *given) {
    for (size_t i = 0; i < given->after.count; i++) {
        const size_t at = graph_place(given->graph, given->after.list[i]);
        if (!nodes_have(&ready->after, ready->graph->nodes[at])) return given->after.list[i];
    }
    return NULL;
}

/* Nodes stand for each other in the order in which they were added. */
static GraphChange compare(const Graph *ready, const Graph *given) {
    if (ready->count != given->count) return (GraphChange){cudaGraphExecUpdateErrorTopologyChanged, NULL, NULL};
    for (size_t i = 0; i < ready->count; i++) {
        const Node *before = ready->nodes[i];
        Node *node = given->nodes[i], *edge = other_edge(before, node);
        if (before->work.kind != node->work.kind) return (GraphChange){cudaGraphExecUpdateErrorNodeTypeChanged, node, NULL};
        if (edge || before->after.count != node->after.count)
            return (GraphChange){cudaGraphExecUpdateErrorTopologyChanged, node, edge};
        if (!nodework_fits(&before->work, &node->work))
            return (GraphChange){cudaGraphExecUpdateErrorParametersChanged, node, NULL};
        if (node->work.kind != WORK_GRAPH) continue;
        const GraphChange child = compare(before->work.child, node->work.child);
        if (child.result) return child;
    }
    return (GraphChange){cudaGraphExecUpdateSuccess, NULL, NULL};
}

static void take(Context *context, const Graph *ready, const Graph *given) {
    for (size_t i = 0; i < ready->count; i++) {
        const Node *from = given->nodes[i];
        Node *to = ready->nodes[i];

        if (from->work.kind == WORK_GRAPH) {
            take(context, to->work.child, from->work.child);
        } else {
            graph_node_take(context, to, work_copy(&from->work));
            to->given = from->given;
            to->described = from->described;
        }
    }
}

API_CALL(cudaGraphExecUpdate, (cudaGraphExec_t handle, cudaGraph_t graph_handle, cudaGraphExecUpdateResultInfo *info),
         (handle, graph_handle, info));
static cudaError_t cudaGraphExecUpdate_locked(Context *context, cudaGraphExec_t handle, cudaGraph_t graph_handle,
                                              cudaGraphExecUpdateResultInfo *info) {
    const GraphExec *executable = graph_find_executable(context, handle);
    const Graph *graph = graph_find(context, graph_handle);
    if (!executable || !graph || !info || graph_has_circle(graph)) return cudaErrorInvalidValue;
    const GraphChange change = compare(executable->graph, graph);
    *info = (cudaGraphExecUpdateResultInfo){change.result, change.node, change.from};
    if (change.result) return cudaErrorGraphExecUpdateFailure;
    take(context, executable->graph, graph);
    return cudaSuccess;
}

API_CALL(cudaGraphExecChildGraphNodeSetParams, (cudaGraphExec_t handle, cudaGraphNode_t node_handle, cudaGraph_t child),
         (handle, node_handle, child));
static cudaError_t cudaGraphExecChildGraphNodeSetParams_locked(Context *context, cudaGraphExec_t handle,
                                                               cudaGraphNode_t node_handle, cudaGraph_t child) {
    const GraphExec *executable = graph_find_executable(context, handle);
    const Node *node = graph_find_node(context, node_handle);
    const Graph *given = graph_find(context, child);
    const Node *ready = executable && node ? graph_copy_of(executable->graph, node) : NULL;
    if (!ready || ready->work.kind != WORK_GRAPH || !given || graph_has_circle(given)) return cudaErrorInvalidValue;
    if (compare(ready->work.child, given).result) return cudaErrorGraphExecUpdateFailure;
    take(context, ready->work.child, given);
    return cudaSuccess;
}
