/* replay.h: launches that need not be executed again. A kernel whose arguments, shape and inputs are unchanged, and whose outputs nothing
 * has written since, would write the same bytes to the same addresses: its counts and modelled time are taken from the earlier launch.
 *
 * That is allowed when the earlier launch read and wrote no allocation both, touched none that the host can change without a call (managed,
 * pinned, registered), read no clock, printed nothing and had no fault or race. Whether anything was written since shows in the versions
 * of allocations: every launch, copy and fill that changes bytes increments one. Internal to src/runtime. */
#pragma once

#include "runtime/sparse.h"
#include "runtime/work.h"

/* An allocation that a launch read or wrote, and its version afterwards. */
typedef struct Touched {
    uint64_t address, version;
} Touched;

typedef struct Memo {
    struct Memo *next;
    KernelWork work; /* params are its own */
    Touched *touched;
    size_t count;
    SparseCounters counts;
    Model model;
    unsigned threads;
    struct LaunchGroup *group; /* that the launch belongs to */
} Memo;

/* The earlier launch that this one would repeat, or NULL. */
Memo *replay_find(Context *context, const KernelWork *work);

/* Before a launch is executed: clears the marks of what earlier ones read and wrote. */
void replay_watch(Context *context);

/* Afterwards: increments the versions of what was written, and remembers the launch if it may be replayed. */
void replay_remember(Context *context, const KernelWork *work, const LaunchResult *result, struct LaunchGroup *group);

/* Increments them alone, and in the midst of a launch as well. */
void replay_wrote(Context *context);

/* All of them: where kernels or limits are set to something else as well, which decides what launches do and kernels are answered. */
void replay_forget(Context *context);
