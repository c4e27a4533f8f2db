/* hostpointer.h: why a kernel accessed memory of the host's: which argument, or what that points to, holds the pointer. */
#pragma once

#include "machine/fault.h"
#include "runtime/work.h"

/* Gives the fault, an access outside all allocations, a hint where a host pointer explains it. */
void hostpointer_explain(const Context *context, const KernelWork *work, Fault *fault);
