/* callsite.h: where the program's own code calls this library. Calls keep an address, which costs nothing; only what is told has it looked up, in
 * the line table that `warpscope cc` asks the compiler of host code for. Internal to src/runtime. */
#pragma once

#include <stdbool.h>
#include <stddef.h>

#include "base/text.h"

/* A call of this thread's, the outermost. */
typedef struct Callsite {
    const void *address; /* behind it; NULL: there is none */
    const char *call;    /* "cudaMemcpy" */
    bool driver;         /* of the driver API, whose errors have other names and are not kept */
    bool told;           /* something has been said of it */
    const void *around;  /* of a thread that works for the call: callsite_around() in the call's own */
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

/* The call's name without what a per-thread default stream, or a later version, adds to it; until the next use. */
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

enum { FRAMES_MOST = 16 };

/* Where a signal has come: the instruction, where it is of the program's own code (exact), and behind it return addresses into that, the nearest
 * first: of a library's function, such as memcpy, these alone. */
typedef struct Interrupted {
    const void *at[FRAMES_MOST];
    size_t count;
    bool exact; /* the first */
} Interrupted;

/* For the handler, of its third argument. */
Interrupted callsite_interrupted(const void *where);

/* The first of these that was not written in the C++ library, whose templates are compiled with the program; else the first of all. NULL: none is known. */
const void *callsite_of_code(const Interrupted *interrupted, bool *exact);

/* The place of a call, or, where it is in the toolkit's cuda_runtime.h, whose functions call those of C, of the one around it. */
HostSpot callsite_of_program(const void *address, const void *around);

/* "host.cu:14"; nothing where it is not known. */
void callsite_add(const HostSpot *spot, Text *out);
