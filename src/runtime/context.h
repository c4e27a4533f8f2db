/* context.h: the emulated device of this process: the one mutable object of this library. Every call of the interface takes it with
 * api_begin and gives it back with api_end, so that programs may have several threads. Internal to src/runtime. */
#pragma once

#include <pthread.h>
#include <stdbool.h>

#include "device/device.h"
#include "runtime/api.h"

/* What `warpscope run` was told, from the environment. */
typedef struct Options {
    const Profile *profile; /* WARPSCOPE_DEVICE, "h200" */
    bool l1, checks;        /* WARPSCOPE_L1=off, WARPSCOPE_CHECK=none turn them off */
    unsigned threads;       /* WARPSCOPE_THREADS; 0: all */
} Options;

typedef struct Context {
    pthread_mutex_t lock;
    Options options;
    Memory *memory;
    cudaError_t sticky; /* a kernel's fault: every later call returns it */
    struct Image *images;
    struct Group *groups; /* what ran, for the report */
    uint64_t allocations; /* cudaMalloc and its like so far */
    Text output;          /* of kernels' printf, until the program synchronises */
} Context;

/* Locks the context, made at the first call. */
Context *context_lock(void);
void context_unlock(Context *context);

/* context_lock for a call that does nothing after a kernel's fault: NULL then, and *error is what the call returns. */
Context *api_begin(cudaError_t *error);

/* Unlocks (NULL: nothing to unlock), remembers an error as this thread's last one, and returns it. */
cudaError_t api_end(Context *context, cudaError_t error);

/* Shows what kernels printed. On a device too it appears only when the program synchronises. */
void context_flush(Context *context);

/* A line on standard error: "warpscope: …". */
void note(const char *format, ...) __attribute__((format(printf, 1, 2)));
void note_diag(const char *what, const Diag *diag);
