/* pointers.h: why a kernel accessed what is no memory of its own, or what nobody has written, as far as the host's side explains it: which argument
 * holds the pointer, how long the memory is that it points to, what was copied there. */
#pragma once

#include "machine/fault.h"
#include "runtime/work.h"

/* Gives the fault another hint where one of these explains it. */
void pointers_explain(const Context *context, const KernelWork *work, Fault *fault);
