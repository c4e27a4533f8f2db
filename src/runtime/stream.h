/* stream.h: streams, events, and the work that is given to streams. Work runs at once, or becomes a node of the graph that its stream is
 * capturing. Internal to src/runtime. */
#pragma once

#include "runtime/image.h"

typedef struct Capture Capture;

enum { PRIORITY_LEAST = 0, PRIORITY_GREATEST = -5 }; /* as recent devices have them */

/* Indices of a graph's nodes. */
typedef struct Nodes {
    size_t *list, count, capacity;
} Nodes;

struct CUstream_st {
    Stream *next;
    bool legacy;   /* the default stream, which waits for all blocking ones, and they for it */
    bool blocking; /* made without cudaStreamNonBlocking */
    int priority;
    pthread_t owner; /* of the per-thread default stream */
    bool per_thread;
    unsigned users;   /* calls that go on in it while a host function runs, and the context is unlocked */
    bool destroyed;   /* then: goes when the last of them ends */
    double end;       /* modelled: when its last work ends */
    Capture *capture; /* being captured into a graph; else NULL */
    Nodes tail;       /* then: what the next node depends on */
};

struct CUevent_st {
    Event *next;
    bool timed, recorded;
    double at;        /* modelled */
    Capture *capture; /* recorded in a capturing stream */
    Nodes nodes;      /* then: what it stands for */
};

typedef enum WorkKind { WORK_KERNEL, WORK_COPY, WORK_FILL, WORK_HOST, WORK_EMPTY, WORK_RECORD, WORK_WAIT } WorkKind;

typedef struct KernelWork {
    Kernel *kernel;
    uint32_t grid[3], block[3];
    uint32_t shared_bytes;
    bool cooperative;
    uint8_t *params; /* on the heap; work_free frees */
} KernelWork;

/* A box of bytes: width bytes in height rows in depth slices. */
typedef struct Box {
    size_t width, height, depth;
} Box;

typedef struct Side {
    uintptr_t address;
    size_t pitch, slice; /* bytes from row to row, from slice to slice */
} Side;

typedef struct CopyWork {
    Side to, from;
    Box box;
    enum cudaMemcpyKind kind;
    bool async; /* the program goes on before it ends, if the host's memory is pinned */
} CopyWork;

typedef struct FillWork {
    Side to;
    Box box;
    int value;
} FillWork;

typedef struct HostWork {
    cudaHostFn_t function; /* or, NULL here: */
    cudaStreamCallback_t callback;
    void *data;
} HostWork;

typedef struct Work {
    WorkKind kind;
    union {
        KernelWork kernel;
        CopyWork copy;
        FillWork fill;
        HostWork host;
        Event *event; /* WORK_RECORD, WORK_WAIT */
    };
} Work;

void work_free(Work *work);
Work work_copy(const Work *work);

cudaError_t kernel_run(Context *context, const KernelWork *work, Duration *duration); /* launch.c */

/* Refuses what can be told to be wrong before it runs: pointers and sizes of copies and fills. */
cudaError_t work_check(Context *context, const Work *work);

/* Does the work now, for which the stream is ready at this time; *duration says what it takes on the device. */
cudaError_t work_run(Context *context, Stream *stream, const Work *work, double ready, Duration *duration);

/* Within a call of a program whose default stream is the thread's own: then 0 is cudaStreamPerThread. */
extern _Thread_local bool stream_default_is_own;

/* The stream of a handle: 0, cudaStreamLegacy, cudaStreamPerThread or one that was made. NULL when there is none such. */
Stream *stream_find(Context *context, cudaStream_t handle);
Event *event_find(Context *context, cudaEvent_t handle);

/* When work given to the stream now could start. */
double stream_ready(Context *context, const Stream *stream);

/* Around work: the stream stays until its last user has let it go, though another thread destroys it meanwhile. */
void stream_hold(Stream *stream);
void stream_release(Context *context, Stream *stream);

/* Runs or captures work, and takes it over. */
cudaError_t stream_submit(Context *context, Stream *stream, Work *work);

/* The host waits for the stream. */
cudaError_t stream_wait(Context *context, Stream *stream);

void streams_free(Context *context);

/* capture.c. Whether some stream is being captured so that calls which would wait for the device are forbidden. */
cudaError_t capture_forbids(Context *context);
cudaError_t capture_add(Context *context, Stream *stream, Work *work);
void capture_record(Stream *stream, Event *event);
cudaError_t capture_wait(Stream *stream, const Event *event);
void capture_invalidate(Capture *capture);
void graphs_free(Context *context);

void nodes_add(Nodes *nodes, size_t node);
void nodes_join(Nodes *nodes, const Nodes *other);
void nodes_free(Nodes *nodes);
