/* work.h: what a stream can be given to do. It is checked when it is submitted and done at once; only its modelled time is
 * asynchronous. Internal to src/runtime. */
#pragma once

#include "runtime/image.h"

typedef enum WorkKind { WORK_KERNEL, WORK_COPY, WORK_FILL, WORK_HOST, WORK_EMPTY, WORK_RECORD, WORK_WAIT } WorkKind;

typedef struct KernelWork {
    ImageKernel *kernel;
    uint32_t grid[3], block[3];
    uint32_t shared_bytes;
    bool cooperative;
    uint32_t cluster[3]; /* 0: none is asked for */
    uint8_t *params;     /* on the heap; work_free frees */
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
    bool async; /* returns before the copy has ended, if the host's memory is pinned */
} CopyWork;

typedef struct FillWork {
    Side to;
    Box box;
    int value;
    unsigned unit; /* bytes of the value that are repeated: 1, 2 or 4; 0: 1. It divides address, pitch and width */
    bool async;
} FillWork;

typedef struct HostWork {
    cudaHostFn_t function; /* NULL when there is a callback instead */
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

/* Refuses what is known to be wrong before it runs: pointers and sizes of copies and fills. */
cudaError_t work_check(Context *context, const Work *work);

/* Whether the call comes back only when the work is done. */
bool work_holds_host(const Context *context, const Work *work);

/* Does the work now, on a stream that is ready at this time; *duration is the time it takes on the device. */
cudaError_t work_run(Context *context, Stream *stream, const Work *work, double ready, Duration *duration);
