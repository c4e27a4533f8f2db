#include "runtime/graph.h"

#include <math.h>
#include <stdlib.h>

#include "base/alloc.h"
#include "runtime/capture.h"
#include "runtime/event.h"
#include "runtime/late.h"
#include "runtime/stream.h"

struct CUgraphNode_st {
    Work work;
    Nodes after; /* nodes that it waits for; all come before it in the graph */
};
typedef struct CUgraphNode_st Node;

struct CUgraph_st {
    Graph *next;
    Node **nodes;
    size_t count;
};

struct CUgraphExec_st {
    GraphExec *next;
    Graph *graph;   /* a copy of its own */
    unsigned users; /* launches still using it while a host function runs with the context unlocked */
    bool destroyed; /* removed when the last of them ends */
};

Graph *graph_new(void) { return alloc_zeroed(1, sizeof(Graph)); }

size_t graph_add(Graph *graph, Work work, const Nodes *after) {
    Node *node = ALLOC_ADD(graph->nodes, graph->count) = alloc_zeroed(1, sizeof *node);
    node->work = work;
    nodes_join(&node->after, after);
    return graph->count - 1;
}

void graph_free(Graph *graph) {
    for (size_t i = 0; i < graph->count; i++) {
        work_free(&graph->nodes[i]->work);
        nodes_free(&graph->nodes[i]->after);
        free(graph->nodes[i]);
    }
    free(graph->nodes);
    free(graph);
}

/* Marks a node and all its predecessors. */
static void mark(const Graph *graph, bool *reached, size_t node) {
    if (reached[node]) return;
    reached[node] = true;
    const Nodes *after = &graph->nodes[node]->after;
    for (size_t i = 0; i < after->count; i++) mark(graph, reached, after->list[i]);
}

bool graph_leads_to(const Graph *graph, const Nodes *nodes, const Nodes *last) {
    bool *reached = alloc_zeroed(graph->count + 1, sizeof *reached), all = true;
    for (size_t i = 0; i < last->count; i++) mark(graph, reached, last->list[i]);
    for (size_t i = 0; i < nodes->count; i++) all &= reached[nodes->list[i]];
    free(reached);
    return all;
}

void graph_publish(Context *context, Graph *graph) {
    graph->next = context->graphs;
    context->graphs = graph;
}

void graphs_free(Context *context) {
    for (Graph *graph = context->graphs, *next; graph; graph = next) {
        next = graph->next;
        graph_free(graph);
    }
    for (GraphExec *executable = context->executables, *next; executable; executable = next) {
        next = executable->next;
        graph_free(executable->graph);
        free(executable);
    }
    context->graphs = NULL;
    context->executables = NULL;
}

static Graph **graph_place(Context *context, cudaGraph_t handle) {
    Graph **at = &context->graphs;
    while (*at && *at != handle) at = &(*at)->next;
    return at;
}

static GraphExec **executable_place(Context *context, cudaGraphExec_t handle) {
    GraphExec **at = &context->executables;
    while (*at && *at != handle) at = &(*at)->next;
    return at;
}

/* --- running graphs --- */

API_CALL(cudaGraphInstantiateWithFlags, (cudaGraphExec_t * handle, cudaGraph_t graph_handle, unsigned long long flags),
         (handle, graph_handle, flags));
static cudaError_t cudaGraphInstantiateWithFlags_locked(Context *context, cudaGraphExec_t *handle, cudaGraph_t graph_handle,
                                                        unsigned long long flags) {
    const Graph *graph = *graph_place(context, graph_handle);
    const unsigned long long known =
        cudaGraphInstantiateFlagAutoFreeOnLaunch | cudaGraphInstantiateFlagUpload | cudaGraphInstantiateFlagUseNodePriority;
    if (!handle || !graph || flags & ~known) return cudaErrorInvalidValue;
    GraphExec *executable = alloc_zeroed(1, sizeof *executable);
    executable->graph = graph_new();
    for (size_t i = 0; i < graph->count; i++)
        graph_add(executable->graph, work_copy(&graph->nodes[i]->work), &graph->nodes[i]->after);
    executable->next = context->executables;
    *handle = context->executables = executable;
    return cudaSuccess;
}

cudaError_t cudaGraphInstantiate(cudaGraphExec_t *executable, cudaGraph_t graph, unsigned long long flags) {
    CALLSITE_BEGIN();
    return cudaGraphInstantiateWithFlags(executable, graph, flags);
}

/* Runs the nodes in order; on the timeline each starts when its predecessors have ended. */
static cudaError_t graph_run(Context *context, Stream *stream, const Graph *graph) {
    cudaError_t error = cudaSuccess;
    for (size_t i = 0; i < graph->count; i++)
        if (graph->nodes[i]->work.kind == WORK_WAIT) vectorclock_join(&stream->clock, &graph->nodes[i]->work.event->clock);
    WorkOrder submission = order_submit(context, stream, &(Work){.kind = WORK_EMPTY});
    late_run(context, &submission.clock);
    double ready = stream_ready(context, stream), end = ready;
    FREED double *ends = alloc_zeroed(graph->count + 1, sizeof *ends);
    for (size_t i = 0; i < graph->count && !error; i++) {
        const Node *node = graph->nodes[i];
        double start = ready;
        for (size_t n = 0; n < node->after.count; n++) start = fmax(start, ends[node->after.list[n]]);
        Duration duration = {0};
        error = work_check(context, &node->work);
        const uint32_t before = order_before(context);
        if (!error) error = work_run(context, stream, &node->work, start, &duration);
        if (!error) order_ran(context, stream, &submission, &node->work, before);
        if (node->work.kind == WORK_RECORD) {
            node->work.event->capture = NULL;
            vectorclock_join(&node->work.event->clock, &submission.clock);
        }
        ends[i] = clock_run(&context->clock, start, duration);
        end = fmax(end, ends[i]);
        if (!error) error = context->sticky;
    }
    stream->end = end;
    workorder_free(&submission);
    return context->sticky ? cudaSuccess : error; /* the next call reports a kernel's fault */
}

/* Ends one use; the last one frees what has been destroyed. */
static void executable_release(Context *context, GraphExec *executable) {
    if (--executable->users || !executable->destroyed) return;
    *executable_place(context, executable) = executable->next;
    graph_free(executable->graph);
    free(executable);
}

PER_THREAD_CALL(cudaGraphLaunch, _ptsz, (cudaGraphExec_t handle, cudaStream_t stream_handle), (handle, stream_handle));
static cudaError_t cudaGraphLaunch_locked(Context *context, cudaGraphExec_t handle, cudaStream_t stream_handle) {
    Stream *stream = stream_find(context, stream_handle);
    if (!stream) return cudaErrorInvalidResourceHandle;
    GraphExec *executable = *executable_place(context, handle);
    if (!executable || executable->destroyed) return cudaErrorInvalidValue;
    if (stream->capture) { /* a graph within a graph */
        note("cudaGraphLaunch into a stream that is being captured is not emulated");
        capture_invalidate(stream->capture);
        return cudaErrorNotSupported;
    }
    executable->users++;
    stream_hold(stream);
    cudaError_t error = graph_run(context, stream, executable->graph);
    stream_release(context, stream);
    executable_release(context, executable);
    return error;
}

API_CALL(cudaGraphGetNodes, (cudaGraph_t handle, cudaGraphNode_t *nodes, size_t *count), (handle, nodes, count));
static cudaError_t cudaGraphGetNodes_locked(Context *context, cudaGraph_t handle, cudaGraphNode_t *nodes, size_t *count) {
    const Graph *graph = *graph_place(context, handle);
    if (!graph || !count) return cudaErrorInvalidValue;
    size_t room = nodes ? *count : 0; /* what is beyond the last node becomes NULL (CUDA Runtime API, cudaGraphGetNodes) */
    for (size_t i = 0; i < room; i++) nodes[i] = i < graph->count ? graph->nodes[i] : NULL;
    if (!nodes || graph->count < room) *count = graph->count;
    return cudaSuccess;
}

API_CALL(cudaGraphDestroy, (cudaGraph_t handle), (handle));
static cudaError_t cudaGraphDestroy_locked(Context *context, cudaGraph_t handle) {
    Graph **at = graph_place(context, handle), *graph = *at;
    if (!graph) return cudaErrorInvalidValue;
    *at = graph->next;
    graph_free(graph);
    return cudaSuccess;
}

API_CALL(cudaGraphExecDestroy, (cudaGraphExec_t handle), (handle));
static cudaError_t cudaGraphExecDestroy_locked(Context *context, cudaGraphExec_t handle) {
    GraphExec *executable = *executable_place(context, handle);
    if (!executable || executable->destroyed) return cudaErrorInvalidValue;
    executable->destroyed = true;
    executable->users++;
    executable_release(context, executable);
    return cudaSuccess;
}
