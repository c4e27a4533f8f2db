#include "runtime/event.h"

#include <stdlib.h>

#include "base/alloc.h"
#include "runtime/capture.h"

void events_free(Context *context) {
    for (Event *event = context->events, *next; event; event = next) {
        next = event->next;
        nodes_free(&event->nodes);
        free(event);
    }
    context->events = NULL;
}

static Event *event_find(Context *context, cudaEvent_t handle) {
    for (Event *event = context->events; event; event = event->next)
        if (event == handle) return event;
    return NULL;
}

cudaError_t cudaEventCreateWithFlags(cudaEvent_t *handle, unsigned flags) {
    cudaError_t error;
    Context *context = api_begin(&error);
    const unsigned known = cudaEventBlockingSync | cudaEventDisableTiming | cudaEventInterprocess;
    bool wrong = !handle || flags & ~known || (flags & cudaEventInterprocess && !(flags & cudaEventDisableTiming));
    if (context && wrong) error = cudaErrorInvalidValue;
    if (context && !error && flags & cudaEventInterprocess) {
        note("cudaEventCreateWithFlags: events between processes are not emulated");
        error = cudaErrorNotSupported;
    }
    if (context && !error) {
        Event *event = alloc_zeroed(1, sizeof *event);
        event->timed = !(flags & cudaEventDisableTiming);
        event->next = context->events;
        *handle = context->events = event;
    }
    return api_end(context, error);
}

cudaError_t cudaEventCreate(cudaEvent_t *event) { return cudaEventCreateWithFlags(event, cudaEventDefault); }

/* Begins a call about one event; NULL with *error set when there is none. */
static Context *begin(cudaEvent_t handle, Event **event, cudaError_t *error) {
    Context *context = api_begin(error);
    if (!context) return NULL;
    *event = event_find(context, handle);
    if (*event) return context;
    context_unlock(context);
    *error = cudaErrorInvalidResourceHandle;
    return NULL;
}

cudaError_t cudaEventDestroy(cudaEvent_t handle) {
    cudaError_t error;
    Event *event;
    Context *context = begin(handle, &event, &error);
    if (!context) return api_end(context, error);
    Event **at = &context->events;
    while (*at != event) at = &(*at)->next;
    *at = event->next;
    nodes_free(&event->nodes);
    free(event);
    return api_end(context, error);
}

/* The same about an event and a stream. */
static Context *begin_in_stream(cudaEvent_t handle, cudaStream_t stream_handle, Event **event, Stream **stream,
                                cudaError_t *error) {
    Context *context = begin(handle, event, error);
    if (!context) return NULL;
    *stream = stream_find(context, stream_handle);
    if (*stream) return context;
    context_unlock(context);
    *error = cudaErrorInvalidResourceHandle;
    return NULL;
}

PER_THREAD(cudaEventRecordWithFlags, _ptsz, (cudaEvent_t handle, cudaStream_t stream_handle, unsigned flags),
           (handle, stream_handle, flags)) {
    cudaError_t error;
    Event *event;
    Stream *stream;
    Context *context = begin_in_stream(handle, stream_handle, &event, &stream, &error);
    if (!context) return api_end(context, error);
    if (flags > cudaEventRecordExternal) return api_end(context, cudaErrorInvalidValue);
    bool captured = stream->capture && !(flags & cudaEventRecordExternal);
    if (captured) {
        capture_record(stream, event);
    } else {
        Work work = {.kind = WORK_RECORD, .event = event};
        error = stream_submit(context, stream, &work);
    }
    return api_end(context, error);
}

PER_THREAD(cudaEventRecord, _ptsz, (cudaEvent_t event, cudaStream_t stream), (event, stream)) {
    return cudaEventRecordWithFlags(event, stream, cudaEventRecordDefault);
}

PER_THREAD(cudaStreamWaitEvent, _ptsz, (cudaStream_t stream_handle, cudaEvent_t handle, unsigned flags),
           (stream_handle, handle, flags)) {
    cudaError_t error;
    Event *event;
    Stream *stream;
    Context *context = begin_in_stream(handle, stream_handle, &event, &stream, &error);
    if (!context) return api_end(context, error);
    if (flags > cudaEventWaitExternal) return api_end(context, cudaErrorInvalidValue);
    if (event->capture && !(flags & cudaEventWaitExternal)) {
        error = capture_wait(stream, event);
    } else if (stream->capture && !(flags & cudaEventWaitExternal)) {
        capture_invalidate(stream->capture);
        error = cudaErrorStreamCaptureIsolation;
    } else {
        Work work = {.kind = WORK_WAIT, .event = event};
        error = stream_submit(context, stream, &work);
    }
    return api_end(context, error);
}

cudaError_t cudaEventSynchronize(cudaEvent_t handle) {
    cudaError_t error;
    Event *event;
    Context *context = begin(handle, &event, &error);
    if (!context) return api_end(context, error);
    if (event->capture) {
        capture_invalidate(event->capture);
        return api_end(context, cudaErrorCapturedEvent);
    }
    if (event->recorded) clock_wait(&context->clock, event->at);
    context_flush(context);
    return api_end(context, error);
}

/* All work is done by the time anyone asks. */
cudaError_t cudaEventQuery(cudaEvent_t handle) {
    cudaError_t error;
    Event *event;
    Context *context = begin(handle, &event, &error);
    if (context && event->capture) {
        capture_invalidate(event->capture);
        error = cudaErrorCapturedEvent;
    }
    return api_end(context, error);
}

cudaError_t cudaEventElapsedTime(float *ms, cudaEvent_t start_handle, cudaEvent_t end_handle) {
    cudaError_t error;
    Event *start;
    Context *context = begin(start_handle, &start, &error);
    if (!context) return api_end(context, error);
    const Event *end = event_find(context, end_handle);
    if (!ms)
        error = cudaErrorInvalidValue;
    else if (!end || !start->timed || !end->timed || !start->recorded || !end->recorded)
        error = cudaErrorInvalidResourceHandle;
    else if (start->capture || end->capture)
        error = cudaErrorCapturedEvent;
    else
        *ms = (float)((end->at - start->at) * 1e-3);
    return api_end(context, error);
}
