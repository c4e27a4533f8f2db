/* unswitched.h: an `if` in a loop that goes the same way in each iteration and for all threads. nvcc makes two loops of such a one, and each is unrolled, so that
 * its loads are waited for together; clang leaves the `if` where it stands. */
#pragma once

#include "kernel/kernel.h"

/* The first such branch of the kernel's own function, in a loop that loads from or stores to global memory. NO_INSN: there is none. */
uint32_t unswitched_branch(const Kernel *kernel);
