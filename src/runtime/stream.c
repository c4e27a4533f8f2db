#include "runtime/stream.h"

#include <math.h>
#include <stdlib.h>

#include "base/alloc.h"
#include "runtime/nested.h"
#include "runtime/traceevents.h"

/* --- which streams there are --- */

static Stream *stream_new(Context *context, Stream like) {
    Stream *stream = alloc_bytes(sizeof *stream), **at = &context->streams;
    *stream = like;
    stream->next = NULL;
    stream->end = context->clock.host;
    stream->number = order_stream(context, stream->blocking);
    while (*at) at = &(*at)->next;
    return *at = stream;
}

static Stream *legacy(Context *context) {
    return context->streams ? context->streams : stream_new(context, (Stream){.legacy = true, .blocking = true});
}

static Stream *per_thread(Context *context) {
    for (Stream *stream = legacy(context); stream; stream = stream->next)
        if (stream->per_thread && pthread_equal(stream->owner, pthread_self())) return stream;
    return stream_new(context, (Stream){.per_thread = true, .blocking = true, .owner = pthread_self()});
}

_Thread_local bool stream_default_is_own;

Stream *stream_find(Context *context, cudaStream_t handle) {
    if (!handle) handle = stream_default_is_own ? cudaStreamPerThread : cudaStreamLegacy;
    if (handle == cudaStreamLegacy) return legacy(context);
    if (handle == cudaStreamPerThread) return per_thread(context);
    for (Stream *stream = legacy(context); stream; stream = stream->next)
        if (stream == handle) return stream->destroyed ? NULL : stream;
    return NULL;
}

static void stream_free(Stream *stream) {
    nodes_free(&stream->tail);
    vectorclock_free(&stream->clock);
    vectorclock_free(&stream->asked);
    free(stream);
}

static void stream_remove(Context *context, Stream *stream) {
    Stream **at = &context->streams;
    while (*at != stream) at = &(*at)->next;
    *at = stream->next;
    /* Its work goes on (CUDA Runtime API, cudaStreamDestroy). */
    for (int blocking = 0; blocking <= stream->blocking; blocking++)
        context->destroyed_end[blocking] = fmax(context->destroyed_end[blocking], stream->end);
    order_destroyed(context, stream);
    stream_free(stream);
}

void stream_hold(Stream *stream) { stream->users++; }

void stream_release(Context *context, Stream *stream) {
    if (--stream->users == 0 && stream->destroyed) stream_remove(context, stream);
}

void streams_free(Context *context) {
    bool used = false;
    for (const Stream *stream = context->streams; stream; stream = stream->next) used |= stream->users;
    for (Stream **at = &context->streams; *at;) {
        Stream *stream = *at;
        const bool stays = stream->users || (used && stream->legacy); /* the list begins with the default stream */
        if (stays) {
            nodes_free(&stream->tail);
            stream->capture = NULL;
            stream->destroyed = !stream->legacy;
            at = &stream->next;
        } else {
            *at = stream->next;
            stream_free(stream);
        }
    }
}

/* --- work --- */

double stream_ready(Context *context, const Stream *stream) {
    double ready = fmax(stream->end, context->clock.host);
    if (!stream->blocking) return ready;
    if (stream->legacy) ready = fmax(ready, context->destroyed_end[true]);
    for (const Stream *other = context->streams; other; other = other->next)
        if (other->legacy || (stream->legacy && other->blocking)) ready = fmax(ready, other->end);
    return ready;
}

cudaError_t stream_run(Context *context, Stream *stream, const WorkOrder *submission, const Work *work) {
    const double ready = stream_ready(context, stream);
    const uint32_t before = order_before(context);
    Duration duration = {0};
    stream_hold(stream);
    const cudaError_t error = nested_run(context, stream, work, ready, &duration);
    if (!error) order_ran(context, stream, submission, work, before);
    stream->end = clock_run(&context->clock, ready, duration);
    if (!error) traceevents_add(context, stream, work, stream->end, duration, submission->site);
    stream_release(context, stream);
    return error;
}

/* --- the calls --- */

API_CALL(cudaStreamCreateWithPriority, (cudaStream_t * handle, unsigned flags, int priority), (handle, flags, priority));
static cudaError_t cudaStreamCreateWithPriority_locked(Context *context, cudaStream_t *handle, unsigned flags, int priority) {
    if (!handle || flags > cudaStreamNonBlocking) return cudaErrorInvalidValue;
    legacy(context);
    *handle = stream_new(
        context, (Stream){.blocking = !(flags & cudaStreamNonBlocking), .attributes.priority = attributes_priority(priority)});
    return cudaSuccess;
}

cudaError_t cudaStreamCreateWithFlags(cudaStream_t *stream, unsigned flags) {
    CALLSITE_BEGIN();
    return cudaStreamCreateWithPriority(stream, flags, 0);
}

cudaError_t cudaStreamCreate(cudaStream_t *stream) {
    CALLSITE_BEGIN();
    return cudaStreamCreateWithFlags(stream, cudaStreamDefault);
}

PER_THREAD_CALL(cudaStreamGetFlags, _ptsz, (cudaStream_t handle, unsigned *flags), (handle, flags));
static cudaError_t cudaStreamGetFlags_locked(Context *context, cudaStream_t handle, unsigned *flags) {
    const Stream *stream = stream_find(context, handle);
    if (!stream) return cudaErrorInvalidResourceHandle;
    if (!flags) return cudaErrorInvalidValue;
    *flags = stream->blocking ? cudaStreamDefault : cudaStreamNonBlocking;
    return cudaSuccess;
}

PER_THREAD_CALL(cudaStreamGetPriority, _ptsz, (cudaStream_t handle, int *priority), (handle, priority));
static cudaError_t cudaStreamGetPriority_locked(Context *context, cudaStream_t handle, int *priority) {
    const Stream *stream = stream_find(context, handle);
    if (!stream) return cudaErrorInvalidResourceHandle;
    if (!priority) return cudaErrorInvalidValue;
    *priority = stream->attributes.priority;
    return cudaSuccess;
}

API_CALL(cudaDeviceGetStreamPriorityRange, (int *least, int *greatest), (least, greatest));
static cudaError_t cudaDeviceGetStreamPriorityRange_locked(Context *context, int *least, int *greatest) {
    (void)context;
    if (least) *least = PRIORITY_LEAST;
    if (greatest) *greatest = PRIORITY_GREATEST;
    return cudaSuccess;
}
