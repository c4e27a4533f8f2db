/* devicecall.h: what kernels ask of CUDA's runtime on the device: launches of their own, their streams and copies (CUDA C++ Programming Guide, "CUDA
 * Dynamic Parallelism"). nvcc makes calls of functions without a body of it, which who launches the kernel answers. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

typedef enum DeviceFunction {
#define DEVICE_FUNCTION(name) DEVICE_##name,
#include "machine/devicecall.def"
#undef DEVICE_FUNCTION
    DEVICE_FUNCTIONS
} DeviceFunction;

enum { DEVICECALL_WORDS = 12, DEVICECALL_ANSWER_BYTES = 160 };

/* A thread's call. */
typedef struct DeviceCall {
    DeviceFunction function;
    uint64_t thread;                  /* whose: linear in the grid */
    uint64_t words[DEVICECALL_WORDS]; /* the arguments; one of 12 bytes, as a dim3, is three words */
    /* For who answers: */
    uint64_t result;
    uint64_t to;    /* where the caller wants more: a generic address */
    unsigned bytes; /* of that, a multiple of 4; 0: nothing more is wanted */
    uint8_t answer[DEVICECALL_ANSWER_BYTES];
    char wrong[160], hint[160]; /* wrong is not "": the thread has a fault, which says that it … */
    bool outside;               /* that is one of an address, and not of the call */
} DeviceCall;

/* Who answers. Kernels that call launch on one host thread, so that it is asked by one thread at a time. */
typedef struct DeviceCallHost {
    void *self;
    void (*answer)(void *self, DeviceCall *call);
    bool
        used; /* by a call that leaves more than its answer: the launch cannot stand for others. What is asked for stays: who changes it sees to that */
} DeviceCallHost;

/* Whether PTX calls one of these functions by the name. */
bool devicecall_find(const char *name, DeviceFunction *function);

/* All, as programs call them: "cudaGetLastError". */
const char *devicecall_name(DeviceFunction function);
