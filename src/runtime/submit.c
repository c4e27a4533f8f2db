#include "runtime/submit.h"

#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "runtime/beside.h"
#include "runtime/capture.h"
#include "runtime/late.h"
#include "runtime/mempool.h"
#include "runtime/planned.h"

cudaError_t stream_forbidden(Context *context, const Stream *stream) {
    const bool forbidden = stream->legacy && (capture_forbids_all(context, true) || capture_forbids(context));
    return forbidden ? cudaErrorStreamCaptureImplicit : cudaSuccess;
}

/* CUDA Programming Guide, "Lazy Loading": a kernel is loaded when it is first asked for, and that may wait for all that run. As an H200 has it, where the host
 * never comes to what the others wait for. */
static void load_kernel(const Context *context, ImageKernel *kernel) {
    const char *chosen = getenv("CUDA_MODULE_LOADING");
    const bool first = !kernel->loaded && !kernel->image->name && !(chosen && strcmp(chosen, "EAGER") == 0);
    kernel->loaded = true;
    if (!first || !beside_waits(context)) return;
    FREED char *name = program_demangle(kernel->name);
    const int length = (int)strcspn(name, "(");
    LOCAL_TEXT hint = text_from(
        "cudaFuncGetAttributes(&attributes, %.*s) first, or CUDA_MODULE_LOADING=EAGER in the environment", length, name);
    note("%.*s is launched for the first time while another kernel waits for the host: a GPU that loads it may wait for that "
         "one",
         length, name);
    note_hint(text_string(&hint));
}

/* Whether others may submit work before it has ended. */
static bool lets_host_go_on(const Context *context, const Work *work) {
    return work->kind == WORK_HOST || work->kind == WORK_GRAPH ||
           (work->kind == WORK_KERNEL && beside_may_wait(context, &work->kernel));
}

cudaError_t submit_ordered(Context *context, Stream *stream, WorkOrder submission, Work *work) {
    if (context->options.schedule.late || late_is_left(context, &submission.clock)) {
        late_put(context, stream, submission, *work);
        return cudaSuccess;
    }
    if (lets_host_go_on(context, work)) return late_begin(context, stream, submission, *work);
    const cudaError_t error = stream_run(context, stream, &submission, work);
    workorder_free(&submission);
    work_free(work);
    return error;
}

/* Memory that launches before it allocate, which are left, counts as there. */
static cudaError_t check_behind(Context *context, Stream *stream, const Work *work) {
    const VectorClock *ready = order_ready(context, stream);
    for (PlannedMemory *planned = context->planned; planned; planned = planned->next)
        planned->expected = late_leaves(context, ready, planned->memory.address, planned_live(context, planned));
    return work_check_late(context, work);
}

cudaError_t stream_check(Context *context, Stream *stream, const Work *work) {
    if (stream->capture) return work_check_node(context, work);
    return context->late ? check_behind(context, stream, work) : work_check(context, work);
}

cudaError_t stream_submit(Context *context, Stream *stream, Work *work) {
    cudaError_t error = stream_check(context, stream, work);
    if (!error && stream->capture) return capture_add(context, stream, work);
    if (!error) error = stream_forbidden(context, stream);
    if (error) {
        work_free(work);
        return error;
    }
    if (work->kind == WORK_KERNEL) load_kernel(context, work->kernel.kernel);
    const WorkOrder submission = order_submit(context, stream, work);
    LOCAL_CLOCK clock = vectorclock_copy(&submission.clock);
    const bool waits = work_holds_host(context, work);
    error = submit_ordered(context, stream, submission, work);
    const cudaError_t found = waits && !error ? stream_host_waits(context, &clock) : cudaSuccess;
    return error ? error : found;
}

cudaError_t submit_work(Context *context, cudaStream_t handle, Work *work) {
    const bool async = work->kind == WORK_FILL || work->copy.async;
    Stream *stream = stream_find(context, handle);
    if (!stream) return cudaErrorInvalidResourceHandle;
    if (!async && stream->capture) { /* a synchronous call in a per-thread default stream */
        capture_invalidate(stream->capture);
        return cudaErrorStreamCaptureUnsupported;
    }
    cudaError_t error = stream_submit(context, stream, work);
    if (!async && !error) context_flush(context);
    return error;
}

cudaError_t stream_host_waits(Context *context, const VectorClock *clock) {
    LOCAL_CLOCK all = vectorclock_copy(clock); /* whose owner may be gone after a host function */
    late_run(context, &all);
    order_waited(context, &all);
    mempools_release(context);
    return context->sticky ? context->sticky : late_take_error(context);
}

cudaError_t stream_wait_for_all(Context *context) {
    LOCAL_CLOCK all = order_all(context);
    return stream_host_waits(context, &all);
}

cudaError_t stream_wait_until_idle(Context *context) {
    for (cudaError_t first = cudaSuccess;;) {
        const cudaError_t error = stream_wait_for_all(context);
        if (!first) first = error;
        if (context->late) continue; /* of other threads */
        if (!context->waits) return first;
        beside_host_waits(context);
    }
}

cudaError_t stream_ask(Context *context, const VectorClock *given, VectorClock *asked) {
    LOCAL_CLOCK all = vectorclock_copy(given); /* as above */
    const VectorClock *clock = &all;
    if (!order_has_waited(context, clock) && !vectorclock_covers(asked, clock)) {
        vectorclock_join(asked, clock);
        return cudaErrorNotReady;
    }
    if (!late_try(context, clock)) { /* the launch that waits may go on before the host asks again */
        context_give_way(context);
        return cudaErrorNotReady;
    }
    return stream_host_waits(context, clock);
}

/* The host waits for the stream. */
static cudaError_t stream_wait(Context *context, Stream *stream) {
    if (stream->capture) {
        capture_invalidate(stream->capture);
        return cudaErrorStreamCaptureUnsupported;
    }
    const cudaError_t forbidden = stream_forbidden(context, stream);
    if (forbidden) return forbidden;
    stream_hold(stream);
    const cudaError_t error = stream_host_waits(context, order_ready(context, stream));
    clock_wait(&context->clock, stream_ready(context, stream));
    stream_release(context, stream);
    context_flush(context);
    return error;
}

/* --- the calls --- */

API_CALL(cudaStreamDestroy, (cudaStream_t handle), (handle));
static cudaError_t cudaStreamDestroy_locked(Context *context, cudaStream_t handle) {
    Stream *stream = stream_find(context, handle);
    if (!stream || stream->legacy || stream->per_thread) return cudaErrorInvalidResourceHandle;
    stream_hold(stream);
    stream->destroyed = true;
    if (stream->capture) capture_leave(context, stream); /* may call functions of the program */
    stream_release(context, stream);
    return cudaSuccess;
}

PER_THREAD_CALL(cudaStreamSynchronize, _ptsz, (cudaStream_t handle), (handle));
static cudaError_t cudaStreamSynchronize_locked(Context *context, cudaStream_t handle) {
    Stream *stream = stream_find(context, handle);
    return stream ? stream_wait(context, stream) : cudaErrorInvalidResourceHandle;
}

PER_THREAD_CALL(cudaStreamQuery, _ptsz, (cudaStream_t handle), (handle));
static cudaError_t cudaStreamQuery_locked(Context *context, cudaStream_t handle) {
    Stream *stream = stream_find(context, handle);
    if (!stream) return cudaErrorInvalidResourceHandle;
    if (!stream->capture) return stream_ask(context, order_ready(context, stream), &stream->asked);
    capture_invalidate(stream->capture);
    return cudaErrorStreamCaptureUnsupported;
}

static API_CALL(submit_host, (cudaStream_t handle, HostWork host), (handle, host));
static cudaError_t submit_host_locked(Context *context, cudaStream_t handle, HostWork host) {
    Stream *stream = stream_find(context, handle);
    if (!stream) return cudaErrorInvalidResourceHandle;
    if (!host.function && !host.callback) return cudaErrorInvalidValue;
    if (host.callback && stream->capture) return capture_invalidate(stream->capture), cudaErrorStreamCaptureUnsupported;
    return stream_submit(context, stream, &(Work){.kind = WORK_HOST, .host = host});
}

PER_THREAD(cudaLaunchHostFunc, _ptsz, (cudaStream_t stream, cudaHostFn_t function, void *data), (stream, function, data));
static cudaError_t cudaLaunchHostFunc_called(cudaStream_t stream, cudaHostFn_t function, void *data) {
    return submit_host(stream, (HostWork){.function = function, .data = data});
}

PER_THREAD(cudaStreamAddCallback, _ptsz, (cudaStream_t stream, cudaStreamCallback_t callback, void *data, unsigned flags),
           (stream, callback, data, flags));
static cudaError_t cudaStreamAddCallback_called(cudaStream_t stream, cudaStreamCallback_t callback, void *data,
                                                unsigned flags) {
    if (flags) return api_end(NULL, cudaErrorInvalidValue);
    return submit_host(stream, (HostWork){.callback = callback, .data = data}); /* which no graph can have */
}

cudaError_t cudaDeviceSynchronize(void) {
    CALLSITE_BEGIN();
    cudaError_t error;
    Context *context = api_begin(&error);
    if (context) error = capture_forbids_all(context, false);
    if (context && !error) {
        error = stream_wait_for_all(context);
        for (const Stream *stream = context->streams; stream; stream = stream->next) clock_wait(&context->clock, stream->end);
        clock_wait(&context->clock, context->destroyed_end[false]);
        context_flush(context);
    }
    return api_end(context, error);
}
