#include "lsp/serve.h"

#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <string.h>
#include <unistd.h>

#include "cuda/folder.h"
#include "grade/scratch.h"
#include "host/process.h"
#include "lsp/server.h"

enum { JOBS_MOST = 2, UNSENT_MOST = 1 << 20, WATCHED_MOST = 2 + JOBS_MOST, WRITE_BYTES = 4096 };

typedef struct Connection {
    LspServer server;
    WireReader reader;
    Workplace place;
    Text folder; /* for temporary files; "" once it is removed */
    int input, output;
    bool is_ended;
} Connection;

/* Starts what wants to be graded, the oldest first, a few at a time; one that is being ended counts. */
static void begin_jobs(Connection *connection) {
    int running = 0;
    Document *wanting = NULL;
    for (Document *document = connection->server.documents; document; document = document->next) {
        running += document->job.pid != 0;
        if (document->wants_work && !document->job.pid) wanting = document;
    }
    if (!wanting || running >= JOBS_MOST || connection->server.is_shut_down) return;
    wanting->wants_work = false;
    if (!job_begin(&wanting->job, &connection->place, wanting->path)) server_finish(&connection->server, wanting, NULL);
    begin_jobs(connection);
}

static void read_jobs(Connection *connection) {
    for (Document *document = connection->server.documents; document; document = document->next) {
        json_t *remarks;
        bool cancelled = document->job.is_cancelled;
        if (!document->job.pid || !job_read(&document->job, &remarks)) continue;
        if (!cancelled) server_finish(&connection->server, document, remarks);
    }
    server_sweep(&connection->server);
}

/* Leaves nothing behind; may be called again. */
static void tidy(Connection *connection) {
    for (Document *document = connection->server.documents; document; document = document->next) job_cancel(&document->job);
    for (Document *document = connection->server.documents; document; document = document->next) job_wait(&document->job);
    if (!connection->folder.length) return;
    connection->server.folder = NULL;
    folder_remove(text_string(&connection->folder));
    text_free(&connection->folder);
    scratch_end();
}

static void read_input(Connection *connection) {
    char buffer[65536];
    ssize_t count = read(connection->input, buffer, sizeof buffer);
    if (count < 0 && (errno == EINTR || errno == EAGAIN)) return;
    if (count <= 0) {
        connection->is_ended = true;
        return;
    }
    wire_feed(&connection->reader, buffer, (size_t)count);
    json_t *message;
    for (WireStatus status;
         !connection->server.has_exited && (status = wire_take(&connection->reader, &message)) != WIRE_NONE;) {
        if (status == WIRE_MESSAGE)
            server_receive(&connection->server, message);
        else
            server_receive_bad(&connection->server, status);
        json_decref(message);
    }
    /* Before shutdown is answered: some clients kill the server as soon as it is. */
    if (connection->server.is_shut_down) tidy(connection);
}

/* As much as surely goes without waiting: poll has said that there is room. */
static void send_output(Connection *connection) {
    Text *unsent = &connection->server.output;
    size_t most = unsent->length < WRITE_BYTES ? unsent->length : WRITE_BYTES;
    ssize_t count = write(connection->output, unsent->data, most);
    if (count < 0 && (errno == EINTR || errno == EAGAIN)) return;
    if (count < 0) {
        connection->is_ended = true;
        return;
    }
    memmove(unsent->data, unsent->data + count, unsent->length - (size_t)count + 1);
    unsent->length -= (size_t)count;
    if (!unsent->length) text_free(unsent);
}

/* One round: waits for what comes first. A client that does not read is not read either. */
static void wait_and_do(Connection *connection) {
    const Text *unsent = &connection->server.output;
    struct pollfd watched[WATCHED_MOST] = {
        {.fd = unsent->length < UNSENT_MOST ? connection->input : -1, .events = POLLIN},
        {.fd = unsent->length ? connection->output : -1, .events = POLLOUT},
    };
    nfds_t count = 2;
    for (Document *document = connection->server.documents; document; document = document->next)
        if (document->job.pid) watched[count++] = (struct pollfd){.fd = document->job.output, .events = POLLIN};
    if (poll(watched, count, 1000) < 0) return;
    if (watched[0].revents) read_input(connection);
    if (watched[1].revents) send_output(connection);
    read_jobs(connection);
}

/* What was answered before exit is still sent, where the client takes it. */
static void send_last(Connection *connection) {
    struct pollfd ready = {.fd = connection->output, .events = POLLOUT};
    while (!connection->is_ended && connection->server.output.length && poll(&ready, 1, 1000) > 0) send_output(connection);
}

bool lsp_serve(const char *program, bool is_trusting, int input, int output, Diag *diag) {
    Connection connection = {.input = input, .output = output};
    if (!folder_make(&connection.folder, diag)) return false;
    connection.server.folder = text_string(&connection.folder);
    connection.place = (Workplace){.program = program, .folder = text_string(&connection.folder), .is_trusting = is_trusting};
    signal(SIGPIPE, SIG_IGN);
    while (!connection.is_ended && !connection.server.has_exited && !process_is_asked_to_end()) {
        begin_jobs(&connection);
        wait_and_do(&connection);
    }
    send_last(&connection);
    bool good = connection.server.is_shut_down;
    wire_free(&connection.reader);
    tidy(&connection);
    server_free(&connection.server);
    return good;
}
