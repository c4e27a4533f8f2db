/* late.h: work that is not done yet. With --schedule late all work waits until the host waits for it, or for work that comes after it; at the program's end what is
 * left is done. What host code reads too early is then not there yet, what it changes too early is what a copy takes, and of streams that nothing orders the
 * one whose work was submitted last comes first. What the calls themselves need is done at once.
 *
 * With the usual schedule work waits here where a launch that comes before it waits for the host, or a host function lasts (beside.h), until that has ended. Internal to
 * src/runtime. */
#pragma once

#include "runtime/order.h"

/* Keeps the work, which it takes over together with its place in the order. */
void late_put(Context *context, Stream *stream, WorkOrder submission, Work work);

/* The same for work during which the host may go on: a launch that may wait for it, a host function, a graph. It begins at once. The error is its own, where it
 * has ended. */
cudaError_t late_begin(Context *context, Stream *stream, WorkOrder submission, Work work);

/* Whether something is left that comes before this. */
bool late_is_left(const Context *context, const VectorClock *clock);

/* Whether a call that frees this memory is left. */
bool late_frees(const Context *context, uint64_t address);

/* Whether memory will be there, that is now or not, when what is left and comes before this (NULL: all that is left) has been done. */
bool late_leaves(const Context *context, const VectorClock *clock, uint64_t memory, bool is_there);

/* The first error of work whose call had come back, for a call that waits to return; it is returned once. */
cudaError_t late_take_error(Context *context);

/* Does what comes before this, and waits for launches among it. */
void late_run(Context *context, const VectorClock *clock);

/* The same up to the first that frees memory, where all that is left frees so many bytes; else nothing, and false. */
bool late_make_room(Context *context, uint64_t bytes);

/* The same without waiting: whether all of it is done. */
bool late_try(Context *context, const VectorClock *clock);
