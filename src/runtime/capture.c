#include "runtime/capture.h"

#include <stdlib.h>

#include "base/alloc.h"

cudaError_t capture_add(Context *context, Stream *stream, Work *work) {
    if (stream->capture->invalid) {
        work_free(work);
        return cudaErrorStreamCaptureInvalidated;
    }
    Node *node = graph_add(context, stream->capture->graph, *work, &stream->tail);
    nodes_free(&stream->tail);
    nodes_add(&stream->tail, node);
    return cudaSuccess;
}

void capture_record(Stream *stream, Event *event) {
    event->capture = stream->capture;
    nodes_free(&event->nodes);
    nodes_join(&event->nodes, &stream->tail);
}

cudaError_t capture_wait(Stream *stream, const Event *event) {
    if (stream->legacy) {
        capture_invalidate(event->capture);
        return cudaErrorStreamCaptureImplicit;
    }
    if (stream->capture && stream->capture != event->capture) {
        capture_invalidate(stream->capture);
        capture_invalidate(event->capture);
        return cudaErrorStreamCaptureMerge;
    }
    stream->capture = event->capture;
    nodes_join(&stream->tail, &event->nodes);
    return cudaSuccess;
}

static _Thread_local enum cudaStreamCaptureMode thread_mode; /* cudaThreadExchangeStreamCaptureMode */

/* A capture in global mode forbids such calls to every thread, one in thread-local mode to its own. */
cudaError_t capture_forbids(Context *context) {
    if (thread_mode == cudaStreamCaptureModeRelaxed) return cudaSuccess;
    for (const Stream *stream = context->streams; stream; stream = stream->next) {
        Capture *capture = stream->capture;
        if (!capture || capture->mode == cudaStreamCaptureModeRelaxed) continue;
        const bool own = thread_mode == cudaStreamCaptureModeThreadLocal || capture->mode == cudaStreamCaptureModeThreadLocal;
        if (own && !pthread_equal(capture->thread, pthread_self())) continue;
        capture_invalidate(capture);
        return cudaErrorStreamCaptureUnsupported;
    }
    return cudaSuccess;
}

cudaError_t capture_forbids_all(Context *context, bool of_legacy) {
    cudaError_t error = cudaSuccess;
    for (const Stream *stream = context->streams; stream; stream = stream->next) {
        if (!stream->capture || (of_legacy && !stream->blocking)) continue;
        capture_invalidate(stream->capture);
        error = of_legacy ? cudaErrorStreamCaptureImplicit : cudaErrorStreamCaptureUnsupported;
    }
    return error;
}

bool capture_is_into(const Context *context, const Graph *graph) {
    for (const Stream *stream = context->streams; stream; stream = stream->next)
        if (stream->capture && graph_is_within(stream->capture->graph, graph)) return true;
    return false;
}

static cudaError_t capture_begin(Context *context, Stream *stream, Graph *given, const Nodes *after,
                                 enum cudaStreamCaptureMode mode) {
    if (stream->legacy) return cudaErrorStreamCaptureUnsupported;
    if (stream->capture) return cudaErrorIllegalState;
    Graph *graph = given ? given : graph_new(context);
    if (!given) graph_publish(context, graph); /* for who asks meanwhile: cudaStreamGetCaptureInfo */
    stream->capture = alloc_bytes(sizeof *stream->capture);
    *stream->capture =
        (Capture){.graph = graph, .given = given != NULL, .origin = stream, .mode = mode, .thread = pthread_self()};
    stream->capture->number = ++context->graph_numbers;
    nodes_join(&stream->tail, after);
    return cudaSuccess;
}

PER_THREAD_CALL(cudaStreamBeginCapture, _ptsz, (cudaStream_t handle, enum cudaStreamCaptureMode mode), (handle, mode));
static cudaError_t cudaStreamBeginCapture_locked(Context *context, cudaStream_t handle, enum cudaStreamCaptureMode mode) {
    Stream *stream = stream_find(context, handle);
    if (!stream) return cudaErrorInvalidResourceHandle;
    if ((unsigned)mode > cudaStreamCaptureModeRelaxed) return cudaErrorInvalidValue;
    return capture_begin(context, stream, NULL, &(Nodes){0}, mode);
}

PER_THREAD_CALL(cudaStreamBeginCaptureToGraph, _ptsz,
                (cudaStream_t handle, cudaGraph_t graph_handle, const cudaGraphNode_t *list, const cudaGraphEdgeData *edges,
                 size_t count, enum cudaStreamCaptureMode mode),
                (handle, graph_handle, list, edges, count, mode));
static cudaError_t cudaStreamBeginCaptureToGraph_locked(Context *context, cudaStream_t handle, cudaGraph_t graph_handle,
                                                        const cudaGraphNode_t *list, const cudaGraphEdgeData *edges,
                                                        size_t count, enum cudaStreamCaptureMode mode) {
    Stream *stream = stream_find(context, handle);
    Graph *graph = graph_find(context, graph_handle);
    Nodes after = {0};
    if (!stream) return cudaErrorInvalidResourceHandle;
    if (!graph || (unsigned)mode > cudaStreamCaptureModeRelaxed || !graph_edges_are_whole(edges, count) ||
        !graph_take_list(graph, list, count, &after))
        return cudaErrorInvalidValue;
    const cudaError_t error = capture_begin(context, stream, graph, &after, mode);
    nodes_free(&after);
    return error;
}

/* Whether everything captured in other streams precedes the origin's tail. */
static bool is_joined(const Context *context, const Capture *capture) {
    bool joined = graph_leads_to(capture->graph, &capture->left, &capture->origin->tail);
    for (const Stream *stream = context->streams; stream; stream = stream->next)
        if (stream->capture == capture) joined &= graph_leads_to(capture->graph, &stream->tail, &capture->origin->tail);
    return joined;
}

static void capture_end(Context *context, Capture *capture) {
    for (Stream *stream = context->streams; stream; stream = stream->next)
        if (stream->capture == capture) {
            stream->capture = NULL;
            nodes_free(&stream->tail);
        }
    for (Event *event = context->events; event; event = event->next)
        if (event->capture == capture) {
            event->capture = NULL;
            nodes_free(&event->nodes);
        }
    nodes_free(&capture->left);
    free(capture);
}

void capture_leave(Context *context, Stream *stream) {
    Capture *capture = stream->capture;
    Graph *made = capture->given ? NULL : capture->graph;
    if (stream == capture->origin) {
        capture_end(context, capture);
        if (made && !capture_is_into(context, made)) graph_destroy(context, made);
        return;
    }
    nodes_join(&capture->left, &stream->tail);
    stream->capture = NULL;
    nodes_free(&stream->tail);
}

PER_THREAD_CALL(cudaStreamEndCapture, _ptsz, (cudaStream_t handle, cudaGraph_t *graph), (handle, graph));
static cudaError_t cudaStreamEndCapture_locked(Context *context, cudaStream_t handle, cudaGraph_t *graph) {
    const Stream *stream = stream_find(context, handle);
    if (!stream) return cudaErrorInvalidResourceHandle;
    Capture *capture = stream->capture;
    cudaGraph_t ignored;
    if (!capture) return cudaErrorIllegalState;
    if (!graph) graph = &ignored;
    *graph = NULL;
    if (capture->origin != stream) return cudaErrorStreamCaptureUnmatched;
    if (capture->mode != cudaStreamCaptureModeRelaxed && !pthread_equal(capture->thread, pthread_self()))
        return cudaErrorStreamCaptureWrongThread;
    cudaError_t error = capture->invalid               ? cudaErrorStreamCaptureInvalidated
                        : !is_joined(context, capture) ? cudaErrorStreamCaptureUnjoined
                                                       : cudaSuccess;
    Graph *made = capture->given ? NULL : capture->graph;
    if (!error) *graph = capture->graph;
    capture_end(context, capture);
    if (error && made && !capture_is_into(context, made)) graph_destroy(context, made);
    return error;
}

PER_THREAD_CALL(cudaStreamIsCapturing, _ptsz, (cudaStream_t handle, enum cudaStreamCaptureStatus *status), (handle, status));
static cudaError_t cudaStreamIsCapturing_locked(Context *context, cudaStream_t handle, enum cudaStreamCaptureStatus *status) {
    const Stream *stream = stream_find(context, handle);
    if (!stream) return cudaErrorInvalidResourceHandle;
    if (!status) return cudaErrorInvalidValue;
    *status = !stream->capture           ? cudaStreamCaptureStatusNone
              : stream->capture->invalid ? cudaStreamCaptureStatusInvalidated
                                         : cudaStreamCaptureStatusActive;
    return cudaSuccess;
}

PER_THREAD_CALL(cudaStreamGetCaptureInfo, _ptsz,
                (cudaStream_t handle, enum cudaStreamCaptureStatus *status, unsigned long long *id, cudaGraph_t *graph,
                 const cudaGraphNode_t **list, const cudaGraphEdgeData **edges, size_t *count),
                (handle, status, id, graph, list, edges, count));
static cudaError_t cudaStreamGetCaptureInfo_locked(Context *context, cudaStream_t handle, enum cudaStreamCaptureStatus *status,
                                                   unsigned long long *id, cudaGraph_t *graph, const cudaGraphNode_t **list,
                                                   const cudaGraphEdgeData **edges, size_t *count) {
    const cudaError_t error = cudaStreamIsCapturing_locked(context, handle, status);
    if (error || *status != cudaStreamCaptureStatusActive) return error;
    const Stream *stream = stream_find(context, handle);
    if (id) *id = stream->capture->number;
    if (graph) *graph = stream->capture->graph;
    if (list) *list = stream->tail.list;
    if (edges) *edges = NULL; /* all wait for the whole of what is before them */
    if (count) *count = stream->tail.count;
    return cudaSuccess;
}

PER_THREAD_CALL(cudaStreamUpdateCaptureDependencies, _ptsz,
                (cudaStream_t handle, cudaGraphNode_t *list, const cudaGraphEdgeData *edges, size_t count, unsigned flags),
                (handle, list, edges, count, flags));
static cudaError_t cudaStreamUpdateCaptureDependencies_locked(Context *context, cudaStream_t handle, cudaGraphNode_t *list,
                                                              const cudaGraphEdgeData *edges, size_t count, unsigned flags) {
    Stream *stream = stream_find(context, handle);
    Nodes nodes = {0};
    if (!stream) return cudaErrorInvalidResourceHandle;
    if (!stream->capture) return cudaErrorIllegalState;
    if (flags > cudaStreamSetCaptureDependencies || !graph_edges_are_whole(edges, count) ||
        !graph_take_list(stream->capture->graph, list, count, &nodes))
        return cudaErrorInvalidValue;
    if (flags == cudaStreamSetCaptureDependencies) nodes_free(&stream->tail);
    nodes_join(&stream->tail, &nodes);
    nodes_free(&nodes);
    return cudaSuccess;
}

cudaError_t cudaThreadExchangeStreamCaptureMode(enum cudaStreamCaptureMode *mode) {
    CALLSITE_BEGIN();
    if (!mode || (unsigned)*mode > cudaStreamCaptureModeRelaxed) return api_end(NULL, cudaErrorInvalidValue);
    const enum cudaStreamCaptureMode before = thread_mode;
    thread_mode = *mode;
    *mode = before;
    return cudaSuccess;
}
