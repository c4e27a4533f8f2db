/* strangers.h: connections that have not shown the token. Where they are a crowd they are ended after some seconds, however slowly they speak, so that
 * it keeps others out for no longer. Where they are few there is time: browsers open connections ahead of use, and on a busy machine a request
 * takes its while. */
#pragma once

#include <microhttpd.h>

/* From how many on they are a crowd, and seconds that each may stay then; seconds that any connection may say nothing. */
enum { CROWD = 256, STRANGER_S = 5, IDLE_S = 60 };

typedef struct Stranger Stranger;

typedef struct Strangers {
    Stranger *first;
} Strangers;

/* MHD's callback; strangers: these. */
void strangers_notify(void *strangers, struct MHD_Connection *connection, void **kept,
                      enum MHD_ConnectionNotificationCode code);

/* It is none: it may stay. */
void strangers_admit(struct MHD_Connection *connection);

/* In a process that is no server: all connections are the server's alone, so that pages see its end. */
void strangers_leave(const Strangers *strangers);

/* Ends those whose time is over. */
void strangers_end(const Strangers *strangers);
