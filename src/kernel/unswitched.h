/* unswitched.h: an `if` in a loop that goes the same way in each iteration and for all threads. nvcc makes two loops of such a one, and each is unrolled, so that
 * its loads are waited for together; clang leaves the `if` where it stands. */
#pragma once

#include "base/arena.h"
#include "kernel/kernel.h"
#include "kernel/uniform.h"

/* The branches of a function; what is the same for all threads is found out when it is first asked for. */
typedef struct Unswitched {
    const Program *program;
    const Function *function;
    const Flow *flow;
    Arena *arena;
    Uniform uniform; /* differs is NULL: not found out yet */
} Unswitched;

/* Whether an instruction is such a branch, in a loop that loads from or stores to global memory. */
bool unswitched_at(Unswitched *of, uint32_t pc);

/* The first such branch of the kernel's own function with which a region ends (regions.h). NO_INSN: there is none. */
uint32_t unswitched_branch(const Kernel *kernel);
