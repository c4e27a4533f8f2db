#include "runtime/late.h"

#include <stdlib.h>

#include "base/alloc.h"
#include "runtime/stream.h"

struct LateWork {
    struct LateWork *next;
    Stream *stream;
    WorkOrder at;
    Work work;
};

void late_put(Context *context, Stream *stream, WorkOrder submission, Work work) {
    struct LateWork *late = alloc_zeroed(1, sizeof *late), **last = &context->late;
    *late = (struct LateWork){.stream = stream, .at = submission, .work = work};
    while (*last) last = &(*last)->next;
    *last = late;
    stream_hold(stream);
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

/* Takes out what comes before the clock: of several streams' work the one that was submitted last. NULL: none is left. */
static struct LateWork *take(Context *context, const VectorClock *clock) {
    LOCAL_CLOCK least = least_left(context);
    struct LateWork **last = NULL;
    for (struct LateWork **at = &context->late; *at; at = &(*at)->next)
        if ((*at)->at.nth <= vectorclock_at(clock, (*at)->at.stream) && is_next(*at, &least)) last = at;
    if (!last) return NULL;
    struct LateWork *late = *last;
    *last = late->next;
    return late;
}

void late_run(Context *context, const VectorClock *given) {
    LOCAL_CLOCK clock = vectorclock_copy(given); /* a host function may have a stream's clock change meanwhile */
    for (struct LateWork *late; (late = take(context, &clock)) != NULL;) {
        const void *waiting = callsite_now.address;
        callsite_now.address = late->at.site;
        if (!context->sticky) stream_run(context, late->stream, &late->at, &late->work);
        callsite_now.address = waiting;
        work_free(&late->work);
        stream_release(context, late->stream);
        workorder_free(&late->at);
        free(late);
    }
}

void late_run_all(Context *context) {
    LOCAL_CLOCK all = order_all(context);
    late_run(context, &all);
}
