/* event.h: events: points on the modelled timelines of streams. Internal to src/runtime. */
#pragma once

#include "runtime/graph.h"
#include "runtime/vectorclock.h"

struct CUevent_st {
    Event *next;
    bool timed, recorded;
    bool between_processes;   /* made for what another process would open: ipc.c */
    double at;                /* modelled */
    Capture *capture;         /* in which it was recorded; else NULL */
    VectorClock clock, asked; /* what it stands for: order.h; what the program has been told once is not done yet */
    Nodes nodes;              /* of that capture: what it stands for */
};

/* The event of a handle, or NULL. */
Event *event_find(Context *context, cudaEvent_t handle);

void events_free(Context *context);
