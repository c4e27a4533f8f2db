/* callsite.h: where the program's own code calls this library. Calls keep an address, which costs nothing; only what is told has it looked up, in
 * the line table that `warpscope cc` asks the compiler of host code for. Internal to src/runtime. */
#pragma once

#include <stdbool.h>

#include "base/text.h"

/* A call of this thread's, the outermost. */
typedef struct Callsite {
    const void *address; /* behind it; NULL: there is none */
    const char *call;    /* "cudaMemcpy" */
    bool told;           /* something has been said of it */
} Callsite;

extern _Thread_local Callsite callsite_now;

/* Begins each function that programs call. */
#define CALLSITE_BEGIN()                                                                               \
    __attribute__((unused, cleanup(callsite_leave))) const bool callsite_inner = callsite_now.address; \
    if (!callsite_inner) callsite_now = (Callsite) {                                                   \
            .address = __builtin_return_address(0), .call = __func__                                   \
        }
static inline void callsite_leave(const bool *inner) {
    if (!*inner) callsite_now = (Callsite){0};
}

/* The call's name without what a per-thread default stream adds to it; until the next use. */
const char *callsite_name(void);

/* A place in the program's source. file is "" where it is not known. */
typedef struct HostSpot {
    char file[512];
    unsigned line;
} HostSpot;

/* Of the instruction before a return address; exact: at this address. */
HostSpot callsite_spot(const void *address, bool exact);

/* Behind the call of the function that made this thread's call; NULL where that is not known. */
const void *callsite_around(void);

/* For the handler of SIGSEGV, of its third argument: the instruction of the program's own code; of a library's function, such as memcpy, the return
 * address into it that is nearest on the stack, which is not exact. NULL where it is not known. */
const void *callsite_interrupted(const void *where, bool *exact);

/* The place of a call, or, where it is in the toolkit's cuda_runtime.h, whose functions call those of C, of the one around it. */
HostSpot callsite_of_program(const void *address, const void *around);

/* "host.cu:14"; nothing where it is not known. */
void callsite_add(const HostSpot *spot, Text *out);
