#include "serve/events.h"

#include <stdlib.h>
#include <string.h>

#include "host/now.h"
#include "report/object.h"

enum { BLOCK_BYTES = 16384, BEAT_MS = 15000, UNSENT_MOST = 32 << 20 };

struct Watcher {
    Watcher *next;
    Events *events;
    struct MHD_Connection *connection;
    const DeskLab *lab;
    Text unsent;
    long long last_ms;
    bool is_suspended, is_ended;
};

static void wake(Watcher *watcher) {
    if (!watcher->is_suspended) return;
    watcher->is_suspended = false;
    MHD_resume_connection(watcher->connection);
}

static void add_event(Watcher *watcher, const char *event, const json_t *data) {
    LOCAL_TEXT json = {0};
    object_write(data, JSON_COMPACT, &json);
    watcher->last_ms = now_ms();
    if (watcher->unsent.length > UNSENT_MOST) watcher->is_ended = true; /* a page that reads nothing; it connects again */
    text_add(&watcher->unsent, "event: %s\ndata: %s\n\n", event, text_string(&json));
    wake(watcher);
}

static ssize_t hand_out(void *context, uint64_t position, char *buffer, size_t most) {
    Watcher *watcher = context;
    (void)position;
    if (watcher->is_ended) return MHD_CONTENT_READER_END_OF_STREAM;
    if (!watcher->unsent.length) {
        watcher->is_suspended = true;
        MHD_suspend_connection(watcher->connection);
        return 0;
    }
    size_t count = watcher->unsent.length < most ? watcher->unsent.length : most;
    memcpy(buffer, watcher->unsent.data, count);
    memmove(watcher->unsent.data, watcher->unsent.data + count, watcher->unsent.length - count + 1);
    watcher->unsent.length -= count;
    return (ssize_t)count;
}

static void forget(void *context) {
    Watcher *watcher = context;
    for (Watcher **at = &watcher->events->first; *at; at = &(*at)->next) {
        if (*at != watcher) continue;
        *at = watcher->next;
        break;
    }
    text_free(&watcher->unsent);
    free(watcher);
}

enum MHD_Result events_begin(Events *events, struct MHD_Connection *connection, const DeskLab *lab, json_t *hello) {
    Watcher *watcher = calloc(1, sizeof *watcher);
    *watcher = (Watcher){.next = events->first, .events = events, .connection = connection, .lab = lab};
    events->first = watcher;
    add_event(watcher, "hello", hello);
    json_decref(hello);
    struct MHD_Response *response = MHD_create_response_from_callback(MHD_SIZE_UNKNOWN, BLOCK_BYTES, hand_out, watcher, forget);
    MHD_add_response_header(response, "Content-Type", "text/event-stream");
    MHD_add_response_header(response, "Cache-Control", "no-store");
    enum MHD_Result result = MHD_queue_response(connection, MHD_HTTP_OK, response);
    MHD_destroy_response(response);
    return result;
}

void events_tell(Events *events, const DeskLab *lab, const char *event, json_t *data) {
    for (Watcher *watcher = events->first; watcher; watcher = watcher->next)
        if (watcher->lab == lab) add_event(watcher, event, data);
    json_decref(data);
}

bool events_watched(const Events *events, const DeskLab *lab) {
    for (const Watcher *watcher = events->first; watcher; watcher = watcher->next)
        if (watcher->lab == lab) return true;
    return false;
}

void events_beat(Events *events) {
    for (Watcher *watcher = events->first; watcher; watcher = watcher->next) {
        if (now_ms() - watcher->last_ms < BEAT_MS) continue;
        watcher->last_ms = now_ms();
        text_add(&watcher->unsent, ":\n\n");
        wake(watcher);
    }
}

void events_end(Events *events) {
    for (Watcher *watcher = events->first; watcher; watcher = watcher->next) {
        watcher->is_ended = true;
        wake(watcher);
    }
}
