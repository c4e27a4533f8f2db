/* graph_run.c: graphs that can be run, and running them. */
#include <math.h>

#include "base/alloc.h"
#include "runtime/beside.h"
#include "runtime/capture.h"
#include "runtime/event.h"
#include "runtime/graph_memory.h"
#include "runtime/submit.h"
#include "runtime/traceevents.h"

API_CALL(cudaGraphInstantiateWithFlags, (cudaGraphExec_t * handle, cudaGraph_t graph_handle, unsigned long long flags),
         (handle, graph_handle, flags));
static cudaError_t cudaGraphInstantiateWithFlags_locked(Context *context, cudaGraphExec_t *handle, cudaGraph_t graph_handle,
                                                        unsigned long long flags) {
    const Graph *graph = graph_find(context, graph_handle);
    const unsigned long long known =
        cudaGraphInstantiateFlagAutoFreeOnLaunch | cudaGraphInstantiateFlagUpload | cudaGraphInstantiateFlagUseNodePriority;
    if (!handle || !graph || graph->parent || flags & ~known) return cudaErrorInvalidValue;
    const cudaError_t unfit = graph_memory_may_run(context, graph);
    if (unfit) return unfit;
    if (graph_has_circle(graph)) {
        note("cudaGraphInstantiate: nodes of the graph wait for each other");
        return cudaErrorInvalidValue;
    }
    GraphExec *executable = alloc_zeroed(1, sizeof *executable);
    executable->graph = graph_copy(context, graph);
    executable->flags = flags;
    executable->next = context->executables;
    *handle = context->executables = executable;
    return cudaSuccess;
}

cudaError_t cudaGraphInstantiate(cudaGraphExec_t *executable, cudaGraph_t graph, unsigned long long flags) {
    CALLSITE_BEGIN();
    return cudaGraphInstantiateWithFlags(executable, graph, flags);
}

PER_THREAD(cudaGraphInstantiateWithParams, _ptsz,
           (cudaGraphExec_t * executable, cudaGraph_t graph, cudaGraphInstantiateParams *how), (executable, graph, how));
static cudaError_t cudaGraphInstantiateWithParams_called(cudaGraphExec_t *executable, cudaGraph_t graph,
                                                         cudaGraphInstantiateParams *how) {
    if (!how) return api_end(NULL, cudaErrorInvalidValue);
    const cudaError_t error = cudaGraphInstantiateWithFlags(executable, graph, how->flags);
    how->errNode_out = NULL;
    how->result_out = error ? cudaGraphInstantiateError : cudaGraphInstantiateSuccess;
    return error;
}

API_CALL(cudaGraphExecGetFlags, (cudaGraphExec_t handle, unsigned long long *flags), (handle, flags));
static cudaError_t cudaGraphExecGetFlags_locked(Context *context, cudaGraphExec_t handle, unsigned long long *flags) {
    const GraphExec *executable = graph_find_executable(context, handle);
    if (!executable || !flags) return cudaErrorInvalidValue;
    *flags = executable->flags;
    return cudaSuccess;
}

/* --- running --- */

typedef struct GraphRun {
    Stream *stream;
    const WorkOrder *submission;
    double end;
} GraphRun;

static cudaError_t run_nodes(Context *context, GraphRun *run, const Graph *graph, double ready);

/* An event that is gone, but for the node that names it. */
static bool is_done(Context *context, const Node *node) {
    const bool of_event = node->work.kind == WORK_RECORD || node->work.kind == WORK_WAIT;
    return node->disabled || (of_event && !event_find(context, node->work.event));
}

static cudaError_t run_node(Context *context, GraphRun *run, Node *node, double start) {
    node->end = start;
    if (is_done(context, node)) return cudaSuccess;
    if (node->work.kind == WORK_GRAPH) {
        GraphRun child = {run->stream, run->submission, start};
        const cudaError_t error = run_nodes(context, &child, node->work.child, start);
        node->end = child.end;
        return error;
    }
    Duration duration = {0};
    cudaError_t error = work_check(context, &node->work);
    const uint32_t before = order_before(context);
    if (!error) error = work_run(context, run->stream, &node->work, start, &duration);
    if (!error) order_ran(context, run->stream, run->submission, &node->work, before);
    node->end = clock_run(&context->clock, start, duration);
    if (!error) traceevents_add(context, run->stream, &node->work, node->end, duration, run->submission->site);
    return error ? error : context->sticky;
}

/* In order; on the timeline each starts when its predecessors have ended. */
static cudaError_t run_nodes(Context *context, GraphRun *run, const Graph *graph, double ready) {
    FREED Node **order = graph_order(graph);
    cudaError_t error = cudaSuccess;
    for (size_t i = 0; i < graph->count && !error; i++) {
        double start = ready;
        for (size_t n = 0; n < order[i]->after.count; n++) start = fmax(start, order[i]->after.list[n]->end);
        error = run_node(context, run, order[i], start);
        run->end = fmax(run->end, order[i]->end);
    }
    return error;
}

cudaError_t graph_run(Context *context, Stream *stream, const WorkOrder *submission, const Graph *graph) {
    const double ready = stream_ready(context, stream);
    GraphRun run = {stream, submission, ready};
    const cudaError_t error = run_nodes(context, &run, graph, ready);
    stream->end = run.end;
    return context->sticky ? cudaSuccess : error; /* the next call reports a kernel's fault */
}

bool graph_may_wait(const Context *context, const Graph *graph) {
    for (size_t i = 0; i < graph->count; i++) {
        const Work *work = &graph->nodes[i]->work;
        if (graph->nodes[i]->disabled) continue;
        if (work->kind == WORK_GRAPH && graph_may_wait(context, work->child)) return true;
        if (work->kind == WORK_KERNEL && beside_may_wait(context, &work->kernel)) return true;
    }
    return false;
}

/* --- launching --- */

/* Nodes that wait for events wait for what was recorded before the graph was launched. */
static void join_waits(Context *context, Stream *stream, const Graph *graph) {
    for (size_t i = 0; i < graph->count; i++) {
        const Work *work = &graph->nodes[i]->work;
        if (work->kind == WORK_GRAPH) join_waits(context, stream, work->child);
        if (work->kind == WORK_WAIT && event_find(context, work->event)) vectorclock_join(&stream->clock, &work->event->clock);
    }
}

/* Who waits for events that nodes record waits for the launch, from now on. */
static void join_records(Context *context, const Graph *graph, const VectorClock *clock) {
    for (size_t i = 0; i < graph->count; i++) {
        const Work *work = &graph->nodes[i]->work;
        if (work->kind == WORK_GRAPH) join_records(context, work->child, clock);
        if (work->kind != WORK_RECORD || !event_find(context, work->event)) continue;
        work->event->capture = NULL;
        vectorclock_join(&work->event->clock, clock);
    }
}

/* What runs is a copy: what the program changes meanwhile is for the next launch (CUDA Runtime API, cudaGraphExecKernelNodeSetParams). */
static cudaError_t launch_graph(Context *context, Stream *stream, GraphExec *executable) {
    Work work = {.kind = WORK_GRAPH, .child = graph_copy(context, executable->graph)};
    join_waits(context, stream, work.child);
    vectorclock_join(&stream->clock, &executable->clock);
    const cudaError_t unfit =
        graph_memory_is_free(context, stream, work.child, executable->flags & cudaGraphInstantiateFlagAutoFreeOnLaunch);
    if (unfit) {
        graph_free(context, work.child);
        return unfit;
    }
    const WorkOrder submission = order_submit(context, stream, &work);
    join_records(context, work.child, &submission.clock);
    vectorclock_join(&executable->clock, &submission.clock);
    return submit_ordered(context, stream, submission, &work);
}

PER_THREAD_CALL(cudaGraphLaunch, _ptsz, (cudaGraphExec_t handle, cudaStream_t stream_handle), (handle, stream_handle));
static cudaError_t cudaGraphLaunch_locked(Context *context, cudaGraphExec_t handle, cudaStream_t stream_handle) {
    Stream *stream = stream_find(context, stream_handle);
    if (!stream) return cudaErrorInvalidResourceHandle;
    GraphExec *executable = graph_find_executable(context, handle);
    if (!executable) return cudaErrorInvalidValue;
    if (stream->capture) { /* as an H200 has it: a graph within a graph is a child node */
        capture_invalidate(stream->capture);
        return cudaErrorStreamCaptureUnsupported;
    }
    executable->users++;
    stream_hold(stream);
    cudaError_t error = launch_graph(context, stream, executable);
    stream_release(context, stream);
    graph_release_executable(context, executable);
    return error;
}

/* Where an executable graph is kept is not modelled. */
PER_THREAD_CALL(cudaGraphUpload, _ptsz, (cudaGraphExec_t handle, cudaStream_t stream_handle), (handle, stream_handle));
static cudaError_t cudaGraphUpload_locked(Context *context, cudaGraphExec_t handle, cudaStream_t stream_handle) {
    if (!stream_find(context, stream_handle)) return cudaErrorInvalidResourceHandle;
    return graph_find_executable(context, handle) ? cudaSuccess : cudaErrorInvalidValue;
}

API_CALL(cudaGraphExecDestroy, (cudaGraphExec_t handle), (handle));
static cudaError_t cudaGraphExecDestroy_locked(Context *context, cudaGraphExec_t handle) {
    GraphExec *executable = graph_find_executable(context, handle);
    if (!executable) return cudaErrorInvalidValue;
    graph_destroy_executable(context, executable);
    return cudaSuccess;
}
