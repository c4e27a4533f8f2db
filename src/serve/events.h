/* events.h: who looks at which lab, and what they are to be told: Server-Sent Events. */
#pragma once

#include <jansson.h>
#include <microhttpd.h>
#include <stdbool.h>

#include "serve/labdesk.h"

typedef struct Watcher Watcher;

typedef struct Events {
    Watcher *first;
} Events;

/* Answers with a stream that has as its first event `hello`, whose data it takes. */
enum MHD_Result events_begin(Events *events, struct MHD_Connection *connection, const DeskLab *lab, json_t *hello);

/* To all who look at the lab. Takes the data. */
void events_tell(Events *events, const DeskLab *lab, const char *event, json_t *data);
bool events_watched(const Events *events, const DeskLab *lab);

/* Now and then: says something to streams that had nothing for a while, so that those whose pages are gone are noticed. */
void events_beat(Events *events);

/* Wakes all streams and ends them, which must be before the server stops. */
void events_end(Events *events);
