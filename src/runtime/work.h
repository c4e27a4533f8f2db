/* work.h: what a stream can be given to do. It is checked when it is submitted, and done then or later (submit.h); what time it takes is modelled. Internal to src/runtime. */
#pragma once

#include "runtime/attributes.h"
#include "runtime/image.h"
#include "runtime/number.h"

typedef enum WorkKind {
    WORK_KERNEL,
    WORK_COPY,
    WORK_FILL,
    WORK_HOST,
    WORK_EMPTY,
    WORK_RECORD,
    WORK_WAIT,
    WORK_LIBRARY,
    WORK_ALLOCATE, /* of a graph's memory: graph_memory.h */
    WORK_FREE,     /* of that, and of pools' in stream order */
    WORK_GRAPH     /* of a child node, or the launch of a graph in a stream: graph_run.c */
} WorkKind;

typedef struct KernelWork {
    ImageKernel *kernel;
    uint32_t grid[3], block[3];
    uint32_t shared_bytes;
    bool cooperative;
    uint32_t cluster[3]; /* 0: none is asked for */
    WorkAttributes attributes;
    const ImageKernel *launcher; /* the kernel that launches it; NULL: the host does */
    uint32_t depth;              /* launches that it is within: 0: the host's */
    DeviceCallHost *nested;      /* while it runs: answers what it asks */
    uint8_t *params;             /* on the heap; work_free frees */
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
    bool async;     /* returns before the copy has ended, if the host's memory is pinned */
    bool by_kernel; /* asked for by one: the host waits for none */
} CopyWork;

typedef struct FillWork {
    Side to;
    Box box;
    int value;
    unsigned element; /* bytes of the value that are repeated: 1, 2 or 4; 0: 1. It divides address, pitch and width */
    bool async;
} FillWork;

typedef struct HostWork {
    cudaHostFn_t function; /* NULL when there is a callback instead */
    cudaStreamCallback_t callback;
    void *data;
} HostWork;

/* A scalar, vector or matrix of a library's call: a column is a row of its box, a matrix of a batch a slice. */
typedef struct LibraryOperand {
    const char *name;
    Side at;
    Box box;
    NumberType type;
    bool reads, writes;
    bool on_host;         /* an address of the host's is meant; else one of the device's */
    bool backwards;       /* a vector whose increment is negative */
    bool listed;          /* address is of as many addresses as the batch has, on the device: each of one matrix */
    bool triangle;        /* of a matrix only the half that the call means is looked at or written */
    unsigned not_if_zero; /* it is not read where this scalar, an operand before it by its number from 1, is 0; 0: always */
    double value;         /* of a scalar that the call was given: address is 0 */
} LibraryOperand;

enum { OPERANDS_MOST = 6 };

typedef struct LibraryWork LibraryWork;
/* Of one matrix of the batch each: what an operand holds as doubles, column by column. What it leaves in those that are written is rounded to their type. */
typedef void LibraryCompute(const LibraryWork *work, double *const values[OPERANDS_MOST]);

/* A call of a library of NVIDIA's, which the host does in its place in the stream. */
struct LibraryWork {
    char call[48];
    LibraryCompute *compute;
    LibraryOperand operands[OPERANDS_MOST];
    unsigned count;
    size_t m, n, k, batch;
    bool transposes[2];
    bool whole;              /* numbers are whole, and wrap in 32 bits */
    bool lower, right, unit; /* which half of a matrix is meant; it stands right of the other; its diagonal is 1 */
    void *bytes;             /* in place of all that is computed: what its one operand gets. On the heap; work_free frees */
    struct Transform
        *transform; /* in place of all that is computed: of the first operand the second (transform.h). work_free releases it */
    bool inverse;   /* of the transform */
};

typedef struct Work {
    WorkKind kind;
    union {
        KernelWork kernel;
        CopyWork copy;
        FillWork fill;
        HostWork host;
        LibraryWork *library; /* on the heap; work_free frees */
        Event *event;         /* WORK_RECORD, WORK_WAIT */
        uint64_t memory;      /* WORK_ALLOCATE, WORK_FREE: the address */
        Graph *child;         /* WORK_GRAPH; whose node, or launch, frees it */
    };
} Work;

void work_free(Work *work);
Work work_copy(const Work *work);

/* Refuses what is known to be wrong before it runs: pointers and sizes of copies and fills. */
cudaError_t work_check(Context *context, const Work *work);

/* The same of a graph's node: memory that graphs are to allocate counts as if it were there. */
cudaError_t work_check_node(Context *context, const Work *work);

/* The same of work that may wait, where the planned memory alone counts that is expected. */
cudaError_t work_check_late(Context *context, const Work *work);

/* The same of a kernel's copy or fill: the host's own memory is none for it, and what malloc gave kernels is. */
cudaError_t work_check_by_kernel(Context *context, const Work *work);

/* Whether the call comes back only when the work is done. */
bool work_holds_host(const Context *context, const Work *work);

/* Does the work now, on a stream that is ready at this time; *duration is the time it takes on the device. */
cudaError_t work_run(Context *context, Stream *stream, const Work *work, double ready, Duration *duration);
