/* callsite.h: where the program's own code calls this library. Calls keep an address, which costs nothing; only what is told has it looked up, in
 * the line table that `warpscope cc` asks the compiler of host code for. Internal to src/runtime. */
#pragma once

#include <stdbool.h>

#include "base/text.h"

/* Within a call of this thread's: the address behind the outermost one; else NULL. */
extern _Thread_local const void *callsite_now;

/* Begins each function that programs call. */
#define CALLSITE_BEGIN()                                                                         \
    __attribute__((unused, cleanup(callsite_leave))) const void *callsite_before = callsite_now; \
    if (!callsite_now) callsite_now = __builtin_return_address(0)
static inline void callsite_leave(const void **before) { callsite_now = *before; }

/* A place in the program's source. file is "" where it is not known. */
typedef struct HostSpot {
    char file[512];
    unsigned line;
} HostSpot;

/* Of the instruction before a return address; exact: at this address. */
HostSpot callsite_spot(const void *address, bool exact);

/* "host.cu:14"; nothing where it is not known. */
void callsite_add(const HostSpot *spot, Text *out);
