/* strangers.h: connections that have not shown the token. However slowly they speak, they are ended after some seconds, so that no crowd of them keeps
 * others out for longer. */
#pragma once

#include <microhttpd.h>

enum { STRANGER_S = 5 };

typedef struct Stranger Stranger;

typedef struct Strangers {
    Stranger *first;
} Strangers;

/* MHD's callback; strangers: these. */
void strangers_notify(void *strangers, struct MHD_Connection *connection, void **kept,
                      enum MHD_ConnectionNotificationCode code);

/* It is none: it may stay. */
void strangers_admit(struct MHD_Connection *connection);

/* Ends those whose time is over. */
void strangers_end(const Strangers *strangers);
