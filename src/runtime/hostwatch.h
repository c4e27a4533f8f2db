/* hostwatch.h: which memory of both sides host code touches between two calls of the library. Pages that work in flight uses are protected meanwhile:
 * the first access to each is a signal, whose handler notes it and opens the page again, so that the program goes on.
 *
 * A page that is in flight in part alone is left open, unless all of the allocation is on it: the system would refuse to read a file into it
 * (EFAULT). Only the first access to a page is seen, none while a call of another thread runs, and none where the program handles SIGSEGV itself. On
 * x86-64 alone, where a fault says whether it wrote. Internal to src/runtime. */
#pragma once

#include <signal.h>

#include "machine/memory.h"
#include "runtime/callsite.h"

enum { HOST_TOUCHES_MOST = 64 }; /* that are noted between two calls */

typedef struct HostTouch {
    uint64_t address;
    Interrupted at;
    bool writes;
} HostTouch;

/* False: host code cannot be watched here. */
bool hostwatch_begin(void);

/* Bytes of an allocation that host code must not write, or not touch at all. */
void hostwatch_add(const Allocation *allocation, uint64_t from, uint64_t to, bool written);

/* Opens all pages; fills what was touched, and returns how many. */
size_t hostwatch_end(HostTouch touches[HOST_TOUCHES_MOST]);

/* Set where this thread is in a function that a stream calls: what that touches it may. */
extern _Thread_local bool in_host_function;

/* For the handler of SIGSEGV: whether it was an access to a page of ours, which may happen now. */
bool hostwatch_fault(const siginfo_t *info, void *where);
