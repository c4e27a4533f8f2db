/* event_calls.c: the calls that make, record and ask for events. */
#include "base/alloc.h"
#include "runtime/capture.h"
#include "runtime/event.h"
#include "runtime/submit.h"

API_CALL(cudaEventCreateWithFlags, (cudaEvent_t * handle, unsigned flags), (handle, flags));
static cudaError_t cudaEventCreateWithFlags_locked(Context *context, cudaEvent_t *handle, unsigned flags) {
    const unsigned known = cudaEventBlockingSync | cudaEventDisableTiming | cudaEventInterprocess;
    bool wrong = !handle || flags & ~known || (flags & cudaEventInterprocess && !(flags & cudaEventDisableTiming));
    if (wrong) return cudaErrorInvalidValue;
    Event *event = alloc_zeroed(1, sizeof *event);
    event->timed = !(flags & cudaEventDisableTiming);
    event->between_processes = flags & cudaEventInterprocess;
    event->next = context->events;
    *handle = context->events = event;
    return cudaSuccess;
}

cudaError_t cudaEventCreate(cudaEvent_t *event) {
    CALLSITE_BEGIN();
    return cudaEventCreateWithFlags(event, cudaEventDefault);
}

API_CALL(cudaEventDestroy, (cudaEvent_t handle), (handle));
static cudaError_t cudaEventDestroy_locked(Context *context, cudaEvent_t handle) {
    Event *event = event_find(context, handle);
    if (!event) return cudaErrorInvalidResourceHandle;
    event_hold(event);
    event->destroyed = true;
    event_release(context, event);
    return cudaSuccess;
}

PER_THREAD_CALL(cudaEventRecordWithFlags, _ptsz, (cudaEvent_t handle, cudaStream_t stream_handle, unsigned flags),
                (handle, stream_handle, flags));
static cudaError_t cudaEventRecordWithFlags_locked(Context *context, cudaEvent_t handle, cudaStream_t stream_handle,
                                                   unsigned flags) {
    Event *event = event_find(context, handle);
    Stream *stream = event ? stream_find(context, stream_handle) : NULL;
    if (!stream) return cudaErrorInvalidResourceHandle;
    if (flags > cudaEventRecordExternal) return cudaErrorInvalidValue;
    if (flags & cudaEventRecordExternal && !stream->capture) return cudaErrorIllegalState;
    if (!stream->capture || flags & cudaEventRecordExternal)
        return stream_submit(context, stream, &(Work){.kind = WORK_RECORD, .event = event});
    capture_record(stream, event);
    return cudaSuccess;
}

PER_THREAD(cudaEventRecord, _ptsz, (cudaEvent_t event, cudaStream_t stream), (event, stream));
static cudaError_t cudaEventRecord_called(cudaEvent_t event, cudaStream_t stream) {
    return cudaEventRecordWithFlags(event, stream, cudaEventRecordDefault);
}

PER_THREAD_CALL(cudaStreamWaitEvent, _ptsz, (cudaStream_t stream_handle, cudaEvent_t handle, unsigned flags),
                (stream_handle, handle, flags));
static cudaError_t cudaStreamWaitEvent_locked(Context *context, cudaStream_t stream_handle, cudaEvent_t handle,
                                              unsigned flags) {
    Event *event = event_find(context, handle);
    Stream *stream = event ? stream_find(context, stream_handle) : NULL;
    if (!stream) return cudaErrorInvalidResourceHandle;
    if (flags > cudaEventWaitExternal) return cudaErrorInvalidValue;
    if (flags & cudaEventWaitExternal && !stream->capture) return cudaErrorIllegalState;
    if (!event->capture && !event->clock.count) return cudaSuccess;
    if (event->capture && !(flags & cudaEventWaitExternal)) return capture_wait(stream, event);
    if (!stream->capture || flags & cudaEventWaitExternal)
        return stream_submit(context, stream, &(Work){.kind = WORK_WAIT, .event = event});
    capture_invalidate(stream->capture);
    return cudaErrorStreamCaptureIsolation;
}

/* An error where a capture stands for the event, which is then invalid. */
static cudaError_t forbid_captured(const Event *event) {
    if (!event->capture) return cudaSuccess;
    capture_invalidate(event->capture);
    return cudaErrorCapturedEvent;
}

API_CALL(cudaEventSynchronize, (cudaEvent_t handle), (handle));
static cudaError_t cudaEventSynchronize_locked(Context *context, cudaEvent_t handle) {
    Event *event = event_find(context, handle);
    cudaError_t error = event ? forbid_captured(event) : cudaErrorInvalidResourceHandle;
    if (error) return error;
    event_hold(event);
    error = stream_host_waits(context, &event->clock);
    if (!error && event->recorded) clock_wait(&context->clock, event->at);
    event_release(context, event);
    if (!error) context_flush(context);
    return error;
}

API_CALL(cudaEventQuery, (cudaEvent_t handle), (handle));
static cudaError_t cudaEventQuery_locked(Context *context, cudaEvent_t handle) {
    Event *event = event_find(context, handle);
    if (!event) return cudaErrorInvalidResourceHandle;
    const cudaError_t error = event->capture ? forbid_captured(event) : capture_forbids(context);
    return error ? error : stream_ask(context, &event->clock, &event->asked);
}

/* An H100 says cudaErrorNotReady, too, and leaves the time alone. */
static cudaError_t forbid_early(const Context *context, const Event *start, const Event *end) {
    if (order_has_waited(context, &start->clock) && order_has_waited(context, &end->clock)) return cudaSuccess;
    note("cudaEventElapsedTime: nobody has waited for the event: cudaEventSynchronize(end) first");
    return cudaErrorNotReady;
}

API_CALL(cudaEventElapsedTime, (float *ms, cudaEvent_t start_handle, cudaEvent_t end_handle), (ms, start_handle, end_handle));
static cudaError_t cudaEventElapsedTime_locked(Context *context, float *ms, cudaEvent_t start_handle, cudaEvent_t end_handle) {
    const Event *start = event_find(context, start_handle), *end = event_find(context, end_handle);
    if (!ms) return cudaErrorInvalidValue; /* an H100's runtime looks at that first */
    if (!start) return cudaErrorInvalidResourceHandle;
    const bool known = end && start->timed && end->timed && start->clock.count && end->clock.count;
    if (!known) {
        const bool unrecorded = !start->clock.count || (end && !end->clock.count);
        if (unrecorded)
            note("cudaEventElapsedTime: nobody has recorded the %s event: cudaEventRecord() first",
                 start->clock.count ? "second" : "first");
        return cudaErrorInvalidResourceHandle;
    }
    if (start->capture || end->capture) return cudaErrorCapturedEvent;
    const cudaError_t early = forbid_early(context, start, end);
    if (early) return early;
    *ms = (float)((end->at - start->at) * 1e-3);
    return cudaSuccess;
}
