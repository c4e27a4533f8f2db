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

/* NULL: all do. */
static bool precedes(const struct LateWork *late, const VectorClock *clock) {
    return !clock || late->at.nth <= vectorclock_at(clock, late->at.stream);
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
        if (!precedes(late, clock)) continue;
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
static void go_on(Context *context);

/* Whether the host may go on before it is done. */
static bool may_last(const Context *context, const Work *work) {
    if (work->kind == WORK_GRAPH) return graph_may_last(context, work->child);
    return work->kind == WORK_HOST || (work->kind == WORK_KERNEL && beside_may_wait(context, &work->kernel));
}

/* Comes back when it is done, when its launch waits for the host, or when its host function lasts. */
static cudaError_t begin(Context *context, struct LateWork *late) {
    late->runs = true;
    if (may_last(context, &late->work)) {
        if (!beside_call(context, run, behind, go_on, late)) return cudaSuccess;
    } else {
        run(context, late);
    }
    const cudaError_t error = late->error;
    free(late);
    return error;
}

/* Of work whose call has come back: another one returns its error. */
static void keep_error(Context *context, cudaError_t error) {
    if (error && !context->sticky) context_came_late(context, error);
}

cudaError_t late_take_error(Context *context) {
    const cudaError_t error = context->late_error;
    context->late_error = cudaSuccess;
    return error;
}

/* What can be of what comes before the clock, or of all (NULL), with what is submitted meanwhile. */
static void begin_each(Context *context, const VectorClock *clock) {
    for (struct LateWork *late; (late = choose(context, clock)) != NULL;) keep_error(context, begin(context, late));
}

/* A device goes on with what waited for other work, whether the host waits for that or not. */
static void go_on(Context *context) {
    if (!context->options.schedule.late) begin_each(context, NULL);
}

bool late_try(Context *context, const VectorClock *given) {
    LOCAL_CLOCK clock = vectorclock_copy(given); /* a host function may have a stream's clock change meanwhile */
    begin_each(context, &clock);
    go_on(context); /* where a destructor let others submit what waited for its graph */
    return !late_is_left(context, &clock);
}

static void behind(Context *context, void *item) {
    const struct LateWork *late = item;
    keep_error(context, late->error);
    free(item);
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

/* Of what is there now. */
static uint64_t bytes_freed(const Context *context, const Work *work) {
    uint64_t bytes = 0;
    const Allocation *now = work->kind == WORK_FREE ? memory_find(context->memory, work->memory) : NULL;
    for (size_t i = 0; work->kind == WORK_GRAPH && i < work->child->count; i++)
        bytes += bytes_freed(context, &work->child->nodes[i]->work);
    return bytes + (now ? now->bytes : 0);
}

bool late_make_room(Context *context, uint64_t bytes) {
    const struct LateWork *first = NULL;
    uint64_t freed = 0;
    for (const struct LateWork *late = context->late; late; late = late->next) {
        const uint64_t each = bytes_freed(context, &late->work);
        if (each && !first) first = late;
        freed += each;
    }
    if (!first || freed < bytes) return false;
    late_run(context, &first->at.clock);
    return true;
}
