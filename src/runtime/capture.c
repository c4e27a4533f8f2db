#include "runtime/capture.h"

#include <stdlib.h>

#include "base/alloc.h"

cudaError_t capture_add(Stream *stream, Work *work) {
    if (stream->capture->invalid) {
        work_free(work);
        return cudaErrorStreamCaptureInvalidated;
    }
    size_t node = graph_add(stream->capture->graph, *work, &stream->tail);
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

/* A capture in global mode forbids such calls to every thread, one in thread-local mode to its own. */
cudaError_t capture_forbids(Context *context) {
    for (const Stream *stream = context->streams; stream; stream = stream->next) {
        Capture *capture = stream->capture;
        if (!capture || capture->mode == cudaStreamCaptureModeRelaxed) continue;
        if (capture->mode == cudaStreamCaptureModeThreadLocal && !pthread_equal(capture->thread, pthread_self())) continue;
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

PER_THREAD_CALL(cudaStreamBeginCapture, _ptsz, (cudaStream_t handle, enum cudaStreamCaptureMode mode), (handle, mode));
static cudaError_t cudaStreamBeginCapture_locked(Context *context, cudaStream_t handle, enum cudaStreamCaptureMode mode) {
    Stream *stream = stream_find(context, handle);
    if (!stream) return cudaErrorInvalidResourceHandle;
    if ((unsigned)mode > cudaStreamCaptureModeRelaxed) return cudaErrorInvalidValue;
    if (stream->legacy) return cudaErrorStreamCaptureUnsupported;
    if (stream->capture) return cudaErrorIllegalState;
    stream->capture = alloc_bytes(sizeof *stream->capture);
    *stream->capture = (Capture){.graph = graph_new(), .origin = stream, .mode = mode, .thread = pthread_self()};
    return cudaSuccess;
}

/* Whether everything captured in other streams precedes the origin's tail. */
static bool is_joined(const Context *context, const Capture *capture) {
    bool joined = true;
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
    free(capture);
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
    if (error) {
        graph_free(capture->graph);
    } else {
        graph_publish(context, capture->graph);
        *graph = capture->graph;
    }
    capture_end(context, capture);
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
