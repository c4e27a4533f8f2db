#include "runtime/late.h"

#include <stdlib.h>

#include "base/alloc.h"
#include "runtime/beside.h"
#include "runtime/event.h"
#include "runtime/graph.h"
#include "runtime/stream.h"

struct LateWork {
    struct LateWork *next;
    Stream *stream;
    WorkOrder at;
    Work work;
    bool runs;
    cudaError_t error; /* that it has ended with */
};

static struct LateWork *put(Context *context, Stream *stream, WorkOrder submission, Work work) {
    struct LateWork *late = alloc_zeroed(1, sizeof *late), **last = &context->late;
    *late = (struct LateWork){.stream = stream, .at = submission, .work = work};
    while (*last) last = &(*last)->next;
    *last = late;
    stream_hold(stream);
    event_hold_of(&work);
    return late;
}

void late_put(Context *context, Stream *stream, WorkOrder submission, Work work) { put(context, stream, submission, work); }

/* --- which is next --- */

static bool precedes(const struct LateWork *late, const VectorClock *clock) {
    return late->at.nth <= vectorclock_at(clock, late->at.stream);
}

bool late_is_left(const Context *context, const VectorClock *clock) {
    for (const struct LateWork *late = context->late; late; late = late->next)
        if (precedes(late, clock)) return true;
    return false;
}

bool late_frees(const Context *context, uint64_t address) {
    for (const struct LateWork *late = context->late; late; late = late->next)
        if (late->work.kind == WORK_FREE && late->work.memory == address) return true;
    return false;
}

static bool frees(const struct LateWork *late, uint64_t memory) {
    if (late->work.kind == WORK_GRAPH) return graph_has_work(late->work.child, WORK_FREE, memory);
    return late->work.kind == WORK_FREE && late->work.memory == memory;
}

bool late_leaves(const Context *context, const VectorClock *clock, uint64_t memory, bool is_there) {
    for (const struct LateWork *late = context->late; late; late = late->next) {
        if (clock && !precedes(late, clock)) continue;
        const bool made = late->work.kind == WORK_GRAPH && graph_leaves(late->work.child, memory);
        is_there = made || (is_there && !frees(late, memory));
    }
    return is_there;
}

/* The least number of each stream's work that is left; 0: none is. */
static VectorClock least_left(const Context *context) {
    VectorClock least = {0};
    for (const struct LateWork *late = context->late; late; late = late->next)
        if (!vectorclock_at(&least, late->at.stream)) vectorclock_raise(&least, late->at.stream, late->at.nth);
    return least;
}

/* Whether nothing that is left must come before it. */
static bool is_next(const struct LateWork *late, const VectorClock *least) {
    for (size_t s = 0; s < least->count; s++)
        if (least->items[s] && s != late->at.stream && least->items[s] <= vectorclock_at(&late->at.clock, s)) return false;
    return vectorclock_at(least, late->at.stream) == late->at.nth;
}

/* What comes before the clock and can be done: of several streams' work the one that was submitted last. NULL: there is none. */
static struct LateWork *choose(const Context *context, const VectorClock *clock) {
    LOCAL_CLOCK least = least_left(context);
    struct LateWork *chosen = NULL;
    for (struct LateWork *late = context->late; late; late = late->next)
        if (!late->runs && precedes(late, clock) && is_next(late, &least)) chosen = late;
    return chosen;
}

/* --- doing it --- */

static cudaError_t do_work(Context *context, const struct LateWork *late) {
    return late->work.kind == WORK_GRAPH ? graph_run(context, late->stream, &late->at, late->work.child)
                                         : stream_run(context, late->stream, &late->at, &late->work);
}

/* It stays in the list until it is done, destructors of what its launch kept among that, so that nothing that comes after it begins and nobody who waits for it goes on. */
static void run(Context *context, void *item) {
    struct LateWork *late = item, **at = &context->late;
    const Callsite waiting = callsite_now;
    callsite_now.address = late->at.site;
    callsite_now.call = late->at.call;
    if (!context->sticky) late->error = do_work(context, late);
    callsite_now.address = waiting.address;
    callsite_now.call = waiting.call;
    if (late->work.kind == WORK_GRAPH) graph_end_launch(context, late->work.child);
    while (*at != late) at = &(*at)->next;
    *at = late->next;
    event_release_of(context, &late->work);
    if (late->work.kind == WORK_GRAPH) graph_free(context, late->work.child);
    work_free(&late->work);
    stream_release(context, late->stream);
    workorder_free(&late->at);
    context_moved(context);
}

static void behind(Context *context, void *item);

static bool may_wait(const Context *context, const Work *work) {
    if (work->kind == WORK_GRAPH) return graph_may_wait(context, work->child);
    return work->kind == WORK_KERNEL && beside_may_wait(context, &work->kernel);
}

/* Comes back when it is done, or when its launch waits for the host. */
static cudaError_t begin(Context *context, struct LateWork *late) {
    late->runs = true;
    if (may_wait(context, &late->work)) {
        if (!beside_call(context, run, behind, late)) return cudaSuccess;
    } else {
        run(context, late);
    }
    const cudaError_t error = late->error;
    free(late);
    return error;
}

/* Of work whose call has come back: another one returns its error. */
static void keep_error(Context *context, cudaError_t error) {
    if (!error || context->sticky) return;
    if (!context->late_error) context->late_error = error;
    context->late_unheard = error;
}

cudaError_t late_take_error(Context *context) {
    const cudaError_t error = context->late_error;
    context->late_error = cudaSuccess;
    return error;
}

bool late_try(Context *context, const VectorClock *given) {
    LOCAL_CLOCK clock = vectorclock_copy(given); /* a host function may have a stream's clock change meanwhile */
    for (struct LateWork *late; (late = choose(context, &clock)) != NULL;) keep_error(context, begin(context, late));
    return !late_is_left(context, &clock);
}

/* A device goes on with what waited for the launch, whether the host waits for that or not. */
static void go_on(Context *context) {
    if (context->options.schedule.late || !context->late) return;
    LOCAL_CLOCK all = order_all(context);
    late_try(context, &all);
}

static void behind(Context *context, void *item) {
    const struct LateWork *late = item;
    keep_error(context, late->error);
    free(item);
    go_on(context);
}

cudaError_t late_begin(Context *context, Stream *stream, WorkOrder submission, Work work) {
    const cudaError_t error = begin(context, put(context, stream, submission, work));
    go_on(context);
    return error;
}

void late_run(Context *context, const VectorClock *given) {
    LOCAL_CLOCK clock = vectorclock_copy(given);
    while (!late_try(context, &clock)) beside_host_waits(context);
}

void late_run_all(Context *context) {
    LOCAL_CLOCK all = order_all(context);
    late_run(context, &all);
}
