/* context.h: the emulated device of this process: the one mutable object of this library. Every call of the interface takes it with
 * api_begin and gives it back with api_end, so that programs may have several threads. Internal to src/runtime.
 *
 * src/runtime is CUDA's runtime library on the emulated device: what a whole program is linked with. It stands above the report, which it
 * prints when the program ends; src/cuda, which knows how to compile and what the headers are, stands far below it, beside the parser. */
#pragma once

#include <pthread.h>
#include <stdbool.h>
#include <stdio.h>

#include "device/device.h"
#include "runtime/api.h"
#include "runtime/clock.h"

typedef struct CUstream_st Stream;
typedef struct CUevent_st Event;
typedef struct CUgraph_st Graph;
typedef struct CUgraphExec_st GraphExec;

/* What `warpscope run` was told, from the environment. */
typedef struct Options {
    const Profile *profile;  /* WARPSCOPE_DEVICE, "h200" */
    bool l1, checks, replay; /* WARPSCOPE_L1=off, WARPSCOPE_CHECK=none, WARPSCOPE_REPLAY=off turn them off */
    bool details;            /* each kernel's table in the report; WARPSCOPE_REPORT=summary turns them off */
    unsigned threads;        /* WARPSCOPE_THREADS; 0: all */
    const char *json;        /* WARPSCOPE_JSON: the file for one object per launch, or NULL */
    const char *compiler;    /* WARPSCOPE_COMPILER: who compiled the program, which a fat binary does not say, or NULL */
} Options;

typedef struct Context {
    pthread_mutex_t lock;
    Options options;
    Memory *memory;
    Heap *heap;                      /* of cudaLimitMallocHeapSize; NULL until a kernel runs that may want it */
    uint64_t allocated, allocations; /* bytes of device memory in use; allocations so far, for their names */
    cudaError_t sticky;              /* a kernel's fault: every later call returns it */
    Text output;                     /* of kernels' printf, until the program synchronises */
    Clock clock;
    struct Image *images;
    struct Group *groups; /* what ran, for the report */
    struct Memo *memos;   /* what need not run again */
    Stream *streams;      /* the legacy default stream is the first, once there is any */
    Event *events;
    Graph *graphs;
    GraphExec *executables;
    size_t limits[3]; /* cudaLimitStackSize, cudaLimitPrintfFifoSize, cudaLimitMallocHeapSize */
    FILE *json;
} Context;

/* Locks the context, made at the first call. */
Context *context_lock(void);
void context_unlock(Context *context);

/* context_lock for a call of the interface; NULL, with *error to be returned, when it may do nothing: after a kernel's fault, and
 * within a host function of a stream. */
Context *api_begin(cudaError_t *error);

/* Unlocks (NULL: nothing to unlock), remembers an error as this thread's last one, and returns it. */
cudaError_t api_end(Context *context, cudaError_t error);

/* Calls a function of the program's with the context unlocked; calls of the interface in it give cudaErrorNotPermitted. */
void context_call(Context *context, void (*function)(void *), void *data);

/* Shows what kernels printed. On a device too it appears only when the program synchronises. */
void context_flush(Context *context);

/* Frees all memory and forgets what the program's variables held; cudaDeviceReset. */
void context_reset(Context *context);

void limits_reset(Context *context); /* device.c */

/* A line on standard error: "warpscope: …". */
void note(const char *format, ...) __attribute__((format(printf, 1, 2)));
void note_diag(const char *what, const Diag *diag);
