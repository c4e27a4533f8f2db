/* order.h: what orders the work of streams and the host's own accesses, and what is told where nothing does. Work comes after what its stream has had,
 * after the default stream's (or, in that one, after all blocking streams'), after events that it waits for, and after all that the host had
 * waited for when it was submitted. The host comes after what it has waited for alone, whichever of its threads that was.
 *
 * Told: two works that touch the same bytes (imprint.h), unordered: a stream race; host code that touches bytes of work that it has not waited
 * for: a host race, as pages of memory that both sides have show it (hostwatch.h). What a host function does, launches that were replayed, those of kernels, and the nodes of
 * one graph among themselves are not looked at. Internal to src/runtime. */
#pragma once

#include "runtime/callsite.h"
#include "runtime/vectorclock.h"
#include "runtime/work.h"

typedef struct StreamOrder StreamOrder;

/* A work's place in the order. */
typedef struct WorkOrder {
    size_t stream; /* its number */
    uint64_t nth;  /* in its stream */
    VectorClock clock;
    const void *site; /* see callsite.h */
    const char *call;
    bool blocking, legacy; /* of its stream */
} WorkOrder;

StreamOrder *order_new(void);

/* The number of a new stream. */
size_t order_stream(Context *context, bool blocking);

/* Before a stream is gone. */
void order_destroyed(Context *context, const Stream *stream);

/* What comes next in the stream comes after this; it is the stream's own clock. */
const VectorClock *order_ready(Context *context, Stream *stream);

/* Work takes its place. To be freed. */
WorkOrder order_submit(Context *context, Stream *stream, const Work *work);
void workorder_free(WorkOrder *submission);

/* There are streams that need not wait for each other; without any, all work is in one order. */
bool order_has_several(const Context *context);

/* Before a work runs: remembers what tells later whether races were looked for in it. */
uint32_t order_before(const Context *context);

/* It has run: what is wrong is told, and what it touched is in flight. */
void order_ran(Context *context, Stream *stream, const WorkOrder *submission, const Work *work, uint32_t before);

/* The host has waited for all that is in the clock. */
void order_waited(Context *context, const VectorClock *clock);
bool order_has_waited(const Context *context, const VectorClock *clock);

/* For everything. */
VectorClock order_all(Context *context);

/* What the launch that runs, or has just run, touches is not looked at: it lets the host go on beside it, or has launched others. */
void order_leave_out(Context *context);

/* Around a host function, in which nothing is watched. */
void order_host_function(Context *context, bool begins);

/* Between calls: pages of what is in flight are watched; in a call none is, and what host code did there meanwhile is told. */
void order_watch(Context *context);
void order_unwatch(Context *context);
