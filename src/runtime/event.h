/* event.h: events: points on the modelled timelines of streams. Internal to src/runtime. */
#pragma once

#include "runtime/graph.h"
#include "runtime/vectorclock.h"

struct CUevent_st {
    Event *next;
    bool timed, recorded;
    bool destroyed;           /* freed when its last user releases it */
    unsigned users;           /* nodes of graphs, work that is not done yet, and calls that wait */
    bool between_processes;   /* made for what another process would open: ipc.c */
    double at;                /* modelled */
    Capture *capture;         /* in which it was recorded; else NULL */
    VectorClock clock, asked; /* what it stands for: order.h; what the program has been told once is not done yet */
    Nodes nodes;              /* of that capture: what it stands for */
};

/* The event of a handle, or NULL. */
Event *event_find(Context *context, cudaEvent_t handle);

/* Around work, and wherever the context may be another thread's meanwhile: the event lives until its last user releases it. */
void event_hold(Event *event);
void event_release(Context *context, Event *event);

/* The same of the event that work records or waits for, where there is one. */
void event_hold_of(const Work *work);
void event_release_of(Context *context, const Work *work);

/* All but those that have users, which go with the last of them. */
void events_free(Context *context);
