/* graph_launch.c: the calls that make a graph ready to run, launch and destroy it. */
#include "base/alloc.h"
#include "runtime/capture.h"
#include "runtime/event.h"
#include "runtime/graph_memory.h"
#include "runtime/submit.h"

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
    Work work = {.kind = WORK_GRAPH, .child = graph_launch_copy(context, executable)};
    const bool frees = executable->flags & cudaGraphInstantiateFlagAutoFreeOnLaunch;
    join_waits(context, stream, work.child);
    vectorclock_join(&stream->clock, &executable->clock);
    const cudaError_t unfit = frees ? cudaSuccess : graph_memory_is_free(context, stream, work.child);
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
    const cudaError_t forbidden = stream_forbidden(context, stream);
    if (forbidden) return forbidden;
    return launch_graph(context, stream, executable); /* which uses both until it is done, and no longer */
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
