/* replay.h: launches that need not run again. A kernel whose arguments, shape and inputs are what they were, and whose outputs nobody has
 * touched since, would write the same bytes to the same places: its counts and its modelled time are taken from the launch before.
 *
 * That holds when the launch before (see replay_remember) met no memory that it both read and wrote, none that the host can change
 * without a call (managed, pinned, registered), no clock, printed nothing and had no fault or race. Versions of allocations
 * tell whether anything was written: every launch, copy and fill that changes bytes counts one up. Internal to src/runtime. */
#pragma once

#include "runtime/sparse.h"
#include "runtime/work.h"

/* An allocation that a launch touched, and its version after it. */
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

/* The launch before that this one would repeat, or NULL. */
Memo *replay_find(Context *context, const KernelWork *work);

/* Before a launch that runs: forgets which allocations earlier ones met. */
void replay_watch(Context *context);

/* After it: counts up the versions of what was written, and remembers the launch if it may be repeated. */
void replay_remember(Context *context, const KernelWork *work, const LaunchResult *result, struct LaunchGroup *group);

void replay_forget(Context *context); /* all */
