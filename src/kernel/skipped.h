/* skipped.h: a barrier that not all threads come to, though it stands between two of their accesses: `if (x < n) { tile[x] = …; __syncthreads(); }`. */
#pragma once

#include "kernel/kernel.h"

/* Of two instructions the barrier between them in the text, nearest to the second, that a way to this one goes round by a branch on what differs between
 * threads. NO_INSN: there is none, or they are not both the kernel's own. */
uint32_t skipped_barrier(const Kernel *kernel, uint32_t first, uint32_t second);
