#include "runtime/event.h"

#include <stdlib.h>

static void event_free(Event *event) {
    nodes_free(&event->nodes);
    vectorclock_free(&event->clock);
    vectorclock_free(&event->asked);
    free(event);
}

void events_free(Context *context) {
    for (Event **at = &context->events; *at;) {
        Event *event = *at;
        if (event->users) {
            event->destroyed = true;
            at = &event->next;
        } else {
            *at = event->next;
            event_free(event);
        }
    }
}

Event *event_find(Context *context, cudaEvent_t handle) {
    for (Event *event = context->events; event; event = event->next)
        if (event == handle) return event->destroyed ? NULL : event;
    return NULL;
}

void event_hold(Event *event) { event->users++; }

void event_release(Context *context, Event *event) {
    if (--event->users || !event->destroyed) return;
    Event **at = &context->events;
    while (*at != event) at = &(*at)->next;
    *at = event->next;
    event_free(event);
}

static Event *event_of(const Work *work) { return work->kind == WORK_RECORD || work->kind == WORK_WAIT ? work->event : NULL; }

void event_hold_of(const Work *work) {
    if (event_of(work)) event_hold(work->event);
}

void event_release_of(Context *context, const Work *work) {
    if (event_of(work)) event_release(context, work->event);
}
