/* nested.h: dynamic parallelism: kernels that launch kernels (CUDA C++ Programming Guide, "CUDA Dynamic Parallelism", its second version). A grid's
 * launches, copies and fills run when it has ended: one after the other as they were launched, each with all that it launches itself; last what it
 * has in the tail stream. All that streams and events of a kernel order is in order then, and no kernel may rely on what it launched
 * running beside it. Internal to src/runtime. */
#pragma once

#include "runtime/work.h"

/* As work_run, with all that a kernel launches; *duration is the time of all. */
cudaError_t nested_run(Context *context, Stream *stream, const Work *work, double ready, Duration *duration);

/* Retires what kernels were given and keep. */
void nested_reset(Context *context);
