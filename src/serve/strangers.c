#include "serve/strangers.h"

#include <stdbool.h>
#include <stdlib.h>
#include <sys/socket.h>
#include <unistd.h>

#include "base/alloc.h"
#include "host/now.h"

struct Stranger {
    Stranger *next;
    int socket;
    long long begin_ms;
    bool is_admitted;
};

static void begin(Strangers *strangers, struct MHD_Connection *connection, void **kept) {
    Stranger *stranger = alloc_zeroed(1, sizeof *stranger);
    stranger->socket = MHD_get_connection_info(connection, MHD_CONNECTION_INFO_CONNECTION_FD)->connect_fd;
    stranger->begin_ms = now_ms();
    stranger->next = strangers->first;
    *kept = strangers->first = stranger;
}

static void forget(Strangers *strangers, Stranger *stranger) {
    Stranger **at = &strangers->first;
    while (*at && *at != stranger) at = &(*at)->next;
    if (*at) *at = stranger->next;
    free(stranger);
}

void strangers_notify(void *strangers, struct MHD_Connection *connection, void **kept,
                      enum MHD_ConnectionNotificationCode code) {
    if (code == MHD_CONNECTION_NOTIFY_STARTED)
        begin(strangers, connection, kept);
    else
        forget(strangers, *kept);
}

void strangers_admit(struct MHD_Connection *connection) {
    Stranger *stranger = MHD_get_connection_info(connection, MHD_CONNECTION_INFO_SOCKET_CONTEXT)->socket_context;
    stranger->is_admitted = true;
}

void strangers_leave(const Strangers *strangers) {
    for (const Stranger *at = strangers->first; at; at = at->next) close(at->socket);
}

void strangers_end(const Strangers *strangers) {
    const long long now = now_ms();
    unsigned count = 0;
    for (const Stranger *at = strangers->first; at; at = at->next) count += !at->is_admitted;
    const long long most_ms = 1000ll * (count < CROWD ? IDLE_S : STRANGER_S);
    for (const Stranger *at = strangers->first; at; at = at->next)
        if (!at->is_admitted && now - at->begin_ms > most_ms) shutdown(at->socket, SHUT_RDWR);
}
