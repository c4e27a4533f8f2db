/* bases.h: what the addresses that a kernel stores to are derived from: pointers among its parameters, and variables. By C++'s rules arithmetic
 * with a pointer stays within what that points into ([expr.add]), so that a launch's parameters tell which allocations it may write.
 *
 * A value is derived from all that goes into it, whichever way lanes take. What was loaded, or is a call's result, may be any pointer, but not where
 * it is multiplied, divided, shifted to the left or was widened from less than 64 bits: that is an index. */
#pragma once

#include "base/arena.h"
#include "kernel/reach.h"

typedef struct StoreBase {
    bool is_variable;
    uint32_t at; /* a variable of the program; else where in the parameter block the pointer stands */
} StoreBase;

typedef struct StoreBases {
    bool any; /* pointers of which nothing is known */
    size_t count;
    const StoreBase *bases;
} StoreBases;

/* Of a kernel and all that it can reach; from the arena. */
StoreBases bases_find(const Program *program, const Reach *reach, Arena *arena);
