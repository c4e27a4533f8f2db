/* nested.h: what kernels ask of CUDA's runtime on the device: launches of their own, their streams and copies (CUDA C++ Programming Guide, "CUDA
 * Dynamic Parallelism"). nvcc makes calls of functions without a body of it, which who launches the kernel answers. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

typedef enum NestedFunction {
#define NESTED(name) NESTED_##name,
#include "machine/nested.def"
#undef NESTED
    NESTED_FUNCTIONS
} NestedFunction;

enum { NESTED_WORDS = 12, NESTED_ANSWER_BYTES = 160 };

/* A thread's call. */
typedef struct NestedCall {
    NestedFunction function;
    uint64_t thread;              /* whose: linear in the grid */
    uint64_t words[NESTED_WORDS]; /* the arguments; one of 12 bytes, as a dim3, is three words */
    /* For who answers: */
    uint64_t result;
    uint64_t to;    /* where the caller wants more: a generic address */
    unsigned bytes; /* of that, a multiple of 4; 0: nothing more is wanted */
    uint8_t answer[NESTED_ANSWER_BYTES];
    char wrong[160], hint[160]; /* wrong is not "": the thread has a fault, which says that it … */
} NestedCall;

/* Who answers. Kernels that call launch on one host thread, so that it is asked by one thread at a time. */
typedef struct NestedHost {
    void *self;
    void (*answer)(void *self, NestedCall *call);
    bool used; /* by a call that leaves more than its answer: the launch cannot stand for others */
} NestedHost;

/* Whether PTX calls one of these functions by the name. */
bool nested_find(const char *name, NestedFunction *function);

/* All, as programs call them: "cudaGetLastError". */
const char *nested_name(NestedFunction function);
