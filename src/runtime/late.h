/* late.h: --schedule late: work is done as late as may be: when the host waits for it, or for work that comes after it; at the program's end what is
 * left. What host code reads too early is then not there yet, what it changes too early is what a copy takes, and of streams that nothing orders the
 * one whose work was submitted last comes first. Graphs, and what the calls themselves need, are done at once. Internal to src/runtime. */
#pragma once

#include "runtime/order.h"

/* Keeps the work, which it takes over together with its place in the order. */
void late_put(Context *context, Stream *stream, WorkOrder submission, Work work);

/* Does what comes before this. */
void late_run(Context *context, const VectorClock *clock);
void late_run_all(Context *context);
