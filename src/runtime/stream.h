/* stream.h: streams, and work that runs in one now; how it gets there, and what is left, submit.h and late.h say. Internal to src/runtime. */
#pragma once

#include "runtime/nodes.h"
#include "runtime/order.h"

enum { TRACE_LANES = 8 }; /* threads of a trace that a stream has: traceevents.h */

struct CUstream_st {
    Stream *next;
    bool legacy;   /* the default stream, which waits for all blocking ones, as they wait for it */
    bool blocking; /* made without cudaStreamNonBlocking */
    WorkAttributes attributes;
    pthread_t owner; /* of the per-thread default stream */
    bool per_thread;
    unsigned users;           /* calls still using it while a host function runs with the context unlocked */
    bool destroyed;           /* removed when the last of them ends */
    double end;               /* modelled: when its last work ends */
    size_t number;            /* in clocks: order.h */
    VectorClock clock, asked; /* what its next work comes after; what the program has been told once is not done yet */
    Capture *capture;         /* being captured into a graph; else NULL */
    Nodes tail;               /* of that graph: what the next node depends on */
    struct {
        bool used;
        double end_us; /* of what it has had */
    } traced[TRACE_LANES];
};

/* Set within a call of a program whose default stream is each thread's own: 0 then means cudaStreamPerThread. */
extern _Thread_local bool stream_default_is_own;

/* Stands before NAME_called, for a function that takes a stream, or stands in the default one. Programs whose default stream is each thread's own (nvcc's --default-stream
 * per-thread) call it by a name with this ending, as the headers have it (cuda_runtime_api.h). */
#define PER_THREAD_ENDING(name, ending, parameters, arguments) \
    cudaError_t name##ending parameters;                       \
    cudaError_t name##ending parameters {                      \
        CALLSITE_BEGIN();                                      \
        stream_default_is_own = true;                          \
        cudaError_t error = name arguments;                    \
        stream_default_is_own = false;                         \
        return error;                                          \
    }
#define PER_THREAD(name, ending, parameters, arguments)    \
    PER_THREAD_ENDING(name, ending, parameters, arguments) \
    static cudaError_t name##_called parameters;           \
    cudaError_t name parameters {                          \
        CALLSITE_BEGIN();                                  \
        return name##_called arguments;                    \
    }                                                      \
    static cudaError_t name##_called parameters

/* The same with what API_CALL does. */
#define PER_THREAD_CALL(name, ending, parameters, arguments) \
    PER_THREAD_ENDING(name, ending, parameters, arguments)   \
    API_CALL(name, parameters, arguments)

/* The stream of a handle: 0, cudaStreamLegacy, cudaStreamPerThread or one that was created. NULL when there is none. */
Stream *stream_find(Context *context, cudaStream_t handle);

/* The earliest time at which work submitted now could start. */
double stream_ready(Context *context, const Stream *stream);

/* Around work: the stream lives until its last user releases it, even when another thread destroys it meanwhile. */
void stream_hold(Stream *stream);
void stream_release(Context *context, Stream *stream);

/* Does work at its place in the order. */
cudaError_t stream_run(Context *context, Stream *stream, const WorkOrder *submission, const Work *work);

/* All but those that a call still uses, which go when it ends. */
void streams_free(Context *context);
