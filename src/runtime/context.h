/* context.h: the emulated device of this process, the library's one mutable object. Every API call locks it with api_begin and unlocks it
 * with api_end, so programs may have several threads. Internal to src/runtime.
 *
 * src/runtime is CUDA's runtime library for the emulated device; whole programs are linked with it. It prints the report when the program
 * ends. */
#pragma once

#include <pthread.h>
#include <stdbool.h>
#include <stdio.h>

#include "device/device.h"
#include "machine/texture.h"
#include "runtime/api.h"
#include "runtime/callsite.h"
#include "runtime/clock.h"
#include "runtime/environment.h"
#include "runtime/note.h"

typedef struct CUstream_st Stream;
typedef struct CUevent_st Event;
typedef struct CUgraph_st Graph;
typedef struct CUgraphExec_st GraphExec;
typedef struct Capture Capture;

/* Of memory that graphs allocate: what is there, what work that is left allocates as well, or all that nodes allocate. */
typedef enum MemoryCounted { COUNTED_PRESENT, COUNTED_EXPECTED, COUNTED_PLANNED } MemoryCounted;

typedef struct Context {
    pthread_mutex_t lock;
    pthread_cond_t moved; /* work has been done, or waits for the host now */
    Options options;
    Memory *memory;
    struct cudaArray *arrays;              /* array.h */
    TextureTable textures;                 /* what handles mean to kernels */
    struct TextureObject *texture_objects; /* what they were made of */
    Heap *heap;                            /* of cudaLimitMallocHeapSize; NULL until a kernel runs that may call malloc */
    Heap *launch_buffers;                  /* of kernels that launch kernels: nested.c; NULL until one runs */
    Allocation **texts;                    /* of errors, that kernels were given: nested.c */
    size_t n_texts;
    uint64_t allocated, allocations; /* bytes of device memory in use; allocations so far, for their names */
    cudaError_t sticky;              /* a kernel's fault: every later call returns it */
    bool found;                      /* a copy took what nothing has written */
    bool not_emulated;               /* a kernel did not run because of that: the program does not end well */
    Text output;                     /* of kernels' printf, until the program synchronises */
    Clock clock;
    struct Image *images;
    unsigned modules;           /* that the program has loaded, for their names */
    struct LaunchGroup *groups; /* what ran, for the report */
    struct Sources *sources;    /* for the report */
    struct LongLaunch *still;   /* tells of launches that run for long; NULL: it does not */
    struct Memo *memos;         /* launches that can be replayed */
    Stream *streams;            /* the legacy default stream is the first, once there is any */
    double destroyed_end[2];    /* when the work of streams that are no longer here ends: of all, of blocking ones */
    Event *events;
    Graph *graphs;
    GraphExec *executables;
    uint64_t graph_numbers;                  /* of graphs and nodes so far */
    struct CUmemPoolHandle_st *pools, *pool; /* mempool.h; the one that was chosen, or NULL */
    uint32_t n_pools;                        /* made so far */
    struct CUuserObject_st *user_objects;    /* userobject.h */
    struct cudaAsyncCallbackEntry *notices;  /* one_device.c */
    struct CUlinkState_st *links;            /* driver_link.c */
    struct Advice *advice;                   /* ranges.c: of managed memory */
    size_t n_advice;
    struct PlannedMemory *planned; /* planned.h */
    uint64_t planned_high[2];      /* what of it was used, and reserved, at most */
    uint64_t planned_reserved;
    bool by_kernel;                 /* while what a kernel asks for is checked: the host's own memory is none */
    MemoryCounted counted;          /* as there, while work is checked */
    struct StreamOrder *order;      /* what orders their work: order.h */
    struct LateWork *late;          /* not done yet: late.h */
    cudaError_t late_error;         /* the first of work that was left, which a call that waits has yet to return */
    cudaError_t late_unheard;       /* the last such, returned or not */
    struct HostWait *waits;         /* launches that wait for the host: beside.h */
    unsigned beside, hosts_waiting; /* threads that run launches; threads of the program that wait for them */
    unsigned hosts_in_calls;        /* of the latter those in beside_host_waits */
    unsigned hosts_woken;           /* of these, those that context_moved has woken and that have not looked yet */
    uint64_t moves;                 /* calls of context_moved */
    const void **refused;           /* calls that were, of which something was said */
    size_t n_refused;
    struct RefusedLaunch *launches; /* that were refused: launch_kernel.h */
    size_t n_launches;
    uint64_t launches_more;                /* others that were refused, when these were too many to be told */
    struct cublasContext *blas;            /* handles of cuBLAS's */
    struct curandGenerator_st *generators; /* of cuRAND */
    struct FourierPlan *fourier_plans;     /* of cuFFT, the newest first */
    int fourier_handle;                    /* of the plan that was made last: none has another's */
    struct FourierLibrary *fourier;        /* transform.h; NULL: not opened */
    uint64_t library_calls, random_calls;  /* of cuBLAS and cuRAND, that the host has done */
    uint64_t fourier_calls;                /* the same of cuFFT */
    struct ToldList *told;                 /* tell.h */
    uint64_t prints;                       /* calls of printf since the host last fetched what was printed */
    bool fifo_told;                        /* that they may be too many */
    size_t limits[5];                      /* by cudaLimit, up to cudaLimitDevRuntimePendingLaunchCount */
    FILE *json, *trace;
    struct TracePlace *trace_places; /* traceevents.h */
    size_t n_trace_places;
} Context;

/* Locks the context, which the first call creates. */
Context *context_lock(void);
void context_unlock(Context *context);

/* The locked context is another thread's until context_moved; it may come back before. */
void context_wait(Context *context);
void context_moved(Context *context);

void context_wait_for(Context *context, double seconds); /* less than one, at most */

/* For a moment it may be another thread's. */
void context_give_way(Context *context);

/* Whether there has been a call. */
bool context_is_made(void);

/* context_lock for an API call. NULL when the call must return *error at once: after a kernel's fault, and within a stream's host
 * function. */
Context *api_begin(cudaError_t *error);

/* The same for a call that a kernel's fault does not concern. */
Context *api_begin_always(cudaError_t *error);

/* Unlocks the context, unless it is NULL, records an error as this thread's last one, and returns it. */
cudaError_t api_end(Context *context, cudaError_t error);

/* Stands before NAME_locked, which it calls between the two: a static function of the locked context and the parameters that returns the error. */
#define API_CALL(name, parameters, arguments) API_CALL_BY(api_begin, name, parameters, arguments)
#define API_CALL_ALWAYS(name, parameters, arguments) API_CALL_BY(api_begin_always, name, parameters, arguments)
#define API_CALL_BY(begin, name, parameters, arguments)                      \
    cudaError_t name parameters;                                             \
    static cudaError_t name##_locked(Context *context, UNPACKED parameters); \
    cudaError_t name parameters {                                            \
        CALLSITE_BEGIN();                                                    \
        cudaError_t error;                                                   \
        Context *context = begin(&error);                                    \
        if (context) error = name##_locked(context, UNPACKED arguments);     \
        return api_end(context, error);                                      \
    }                                                                        \
    static cudaError_t name##_locked(Context *context, UNPACKED parameters)
#define UNPACKED(...) __VA_ARGS__

/* Whether this thread has called the runtime API, which makes the device's primary context its current one. */
bool context_is_of_runtime(void);

/* What of it since that was asked last: cudaSetDevice makes the primary context current whatever is, other calls where none is. */
typedef enum RuntimeUse { RUNTIME_UNUSED, RUNTIME_CALLED, RUNTIME_DEVICE_SET } RuntimeUse;
RuntimeUse context_take_runtime_use(void);
void context_be_of_runtime(RuntimeUse use); /* unless the driver API asks */

/* Whether any thread has called the runtime API, whatever for: the driver is initialised then. */
void context_start_driver(void); /* unless the driver API asks */
bool context_has_started_driver(void);

/* The program has asked for its last error, or for an error's name or text, by whichever API. */
void context_asked(cudaError_t error);

/* An error came of work whose call had come back: what was asked before does not count. */
void context_came_late(Context *context, cudaError_t error);

/* A fault that all calls return from now on, where there is none yet and this is one: nobody has asked for it so far. */
void context_ends(Context *context, cudaError_t error);

/* A kernel's fault, or the error of work that was left, that the program never asked about: its 0 says nothing of it. */
bool context_is_unheard(const Context *context);

/* Calls one of the program's functions with the context unlocked; API calls within it return cudaErrorNotPermitted. */
void context_call(Context *context, void (*function)(void *), void *data);

/* Writes out what kernels have printed, which appears only when the program synchronises, as on a device. */
void context_flush(Context *context);
