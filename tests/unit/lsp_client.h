/* lsp_client.h: an editor's side of the language server, over pipes: starts it, speaks to it, waits for what it says. */
#pragma once

#include <check.h>
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#ifdef __linux__
#include <sys/prctl.h>
#endif
#include <time.h>
#include <unistd.h>

#include "lsp/uri.h"
#include "lsp/wire.h"

enum { PATIENCE_S = 200 };

static char temporary[60]; /* the server's TMPDIR */
static const char *server_option;
static pid_t server;
static int to_server, from_server;
static WireReader received;

static double now_s(void) {
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

/* --- the client ----------------------------------------------------------------------------------------------------------- */

static const char *server_program(void) {
    const char *program = getenv("WARPSCOPE");
    return program ? program : "build/warpscope";
}

/* Not where an emulator runs this suite: what it starts, the system runs as it is. */
static bool can_start(void) {
    int status = 0;
    pid_t child = fork();
    if (child == 0) {
        close(STDOUT_FILENO);
        execl(server_program(), "warpscope", "--version", NULL);
        _exit(127);
    }
    return child > 0 && waitpid(child, &status, 0) == child && !(WIFEXITED(status) && WEXITSTATUS(status) == 127);
}

static void start(void) {
    int in[2], out[2];
    ck_assert(pipe(in) == 0 && pipe(out) == 0);
    server = fork();
    if (server == 0) {
        dup2(in[0], STDIN_FILENO);
        dup2(out[1], STDOUT_FILENO);
        for (int i = 0; i < 2; i++) close(in[i]), close(out[i]);
        setenv("TMPDIR", temporary, 1);
        execl(server_program(), "warpscope", "lsp", "--stdio", server_option, NULL);
        _exit(127);
    }
    close(in[0]);
    close(out[1]);
    to_server = in[1];
    from_server = out[0];
    fcntl(to_server, F_SETFD, FD_CLOEXEC);
    fcntl(from_server, F_SETFD, FD_CLOEXEC);
}

static void write_bytes(const char *bytes, size_t count) {
    for (ssize_t done; count; bytes += done, count -= (size_t)done) {
        done = write(to_server, bytes, count);
        ck_assert_msg(done > 0, "the server does not read: %s", strerror(errno));
    }
}

static void send_message(json_t *message) {
    Text text = {0};
    ck_assert_ptr_nonnull(message);
    wire_put(&text, message);
    write_bytes(text_string(&text), text.length);
    text_free(&text);
}

/* The next message; NULL: the server has closed its end. */
static json_t *receive(void) {
    char bytes[65536];
    json_t *message;
    double begin = now_s();
    for (;;) {
        WireStatus status = wire_take(&received, &message);
        if (status == WIRE_MESSAGE) return message;
        ck_assert_int_eq(status, WIRE_NONE);
        struct pollfd ready = {.fd = from_server, .events = POLLIN};
        ck_assert_msg(poll(&ready, 1, 1000) >= 0 && now_s() - begin < PATIENCE_S, "no answer came");
        if (!ready.revents) continue;
        ssize_t count = read(from_server, bytes, sizeof bytes);
        if (count <= 0) return NULL;
        wire_feed(&received, bytes, (size_t)count);
    }
}

static const char *text_of(const json_t *object, const char *key) {
    const char *text = json_string_value(json_object_get(object, key));
    return text ? text : "";
}

/* Skips what else comes. */
static json_t *receive_answer(int id) {
    for (json_t *message; (message = receive()); json_decref(message))
        if (!json_object_get(message, "method") && json_integer_value(json_object_get(message, "id")) == id) return message;
    ck_abort_msg("the server ended");
}

static json_t *ask(const char *method, json_t *params) {
    static int id;
    send_message(json_pack("{s:s, s:i, s:s, s:o}", "jsonrpc", "2.0", "id", ++id, "method", method, "params", params));
    json_t *message = receive_answer(id), *result = json_incref(json_object_get(message, "result"));
    ck_assert_msg(result != NULL, "%s: %s", method, json_dumps(message, JSON_COMPACT));
    json_decref(message);
    return result;
}

static void tell(const char *method, json_t *params) {
    send_message(json_pack("{s:s, s:s, s:o}", "jsonrpc", "2.0", "method", method, "params", params));
}

/* options: for the server, or NULL */
static void begin_with(json_t *options) {
    start();
    json_t *params = json_pack("{s:{s:{s:{}}}}", "capabilities", "textDocument", "inlayHint");
    if (options) json_object_set_new(params, "initializationOptions", options);
    json_decref(ask("initialize", params));
    tell("initialized", json_object());
}

static inline void begin(void) { begin_with(NULL); }

static json_t *document(const char *path) {
    Text uri = {0};
    uri_add(&uri, path);
    json_t *params = json_pack("{s:{s:s}}", "textDocument", "uri", text_string(&uri));
    text_free(&uri);
    return params;
}

static void write_text(const char *path, const char *text) {
    FILE *file = fopen(path, "w");
    ck_assert_msg(file && fputs(text, file) >= 0 && fclose(file) == 0, "%s", path);
}

static void open_text(const char *path, const char *text) {
    json_t *params = document(path), *opened = json_object_get(params, "textDocument");
    json_object_set_new(opened, "languageId", json_string("cuda"));
    json_object_set_new(opened, "version", json_integer(1));
    json_object_set_new(opened, "text", json_string(text));
    tell("textDocument/didOpen", params);
}

static void save(const char *path) { tell("textDocument/didSave", document(path)); }

/* As an editor that sends whole texts. */
static void save_text(const char *path, const char *text) {
    json_t *params = document(path);
    json_object_set_new(params, "contentChanges", json_pack("[{s:s}]", "text", text));
    write_text(path, text);
    tell("textDocument/didChange", params);
    save(path);
}

/* The diagnostics of the next publishing for the file. The caller frees. */
static json_t *diagnostics(const char *path) {
    json_t *wanted = document(path);
    const char *uri = text_of(json_object_get(wanted, "textDocument"), "uri");
    for (json_t *message; (message = receive()); json_decref(message)) {
        json_t *params = json_object_get(message, "params");
        if (strcmp(text_of(message, "method"), "textDocument/publishDiagnostics") != 0 ||
            strcmp(text_of(params, "uri"), uri) != 0)
            continue;
        json_t *list = json_incref(json_object_get(params, "diagnostics"));
        json_decref(message);
        json_decref(wanted);
        return list;
    }
    ck_abort_msg("the server ended");
}

static void has_diagnostics(const char *path, size_t count) {
    json_t *list = diagnostics(path);
    ck_assert_msg(json_array_size(list) == count, "%s", json_dumps(list, JSON_COMPACT));
    json_decref(list);
}

/* A diagnostic of this severity stands in the line, from 0, and its code or message has the text in it. */
static bool is_diagnosed(const json_t *list, int line, int severity, const char *text) {
    size_t i;
    json_t *one;
    json_array_foreach(list, i, one) {
        int at = -1, of = 0;
        json_unpack(one, "{s:{s:{s:i}}, s:i}", "range", "start", "line", &at, "severity", &of);
        if (at == line && of == severity && (strstr(text_of(one, "message"), text) || strstr(text_of(one, "code"), text)))
            return true;
    }
    return false;
}

/* The hint of the line; "": it has none. */
static void has_hint(const char *path, int line, const char *expected) {
    json_t *params = document(path), *hint;
    size_t i;
    json_object_set_new(
        params, "range",
        json_pack("{s:{s:i, s:i}, s:{s:i, s:i}}", "start", "line", line, "character", 0, "end", "line", line, "character", 0));
    json_t *hints = ask("textDocument/inlayHint", params);
    const char *got = "";
    json_array_foreach(hints, i, hint) got = text_of(hint, "label");
    ck_assert_str_eq(got, expected);
    json_decref(hints);
}

static void ends_with(int status) {
    int got;
    ck_assert_int_eq(waitpid(server, &got, 0), server);
    ck_assert_int_eq(WIFEXITED(got) ? WEXITSTATUS(got) : 128 + WTERMSIG(got), status);
    server = 0;
}

/* --- what is left behind -------------------------------------------------------------------------------------------------- */

/* From then on what the server started, and left when it ended, is this process's, in namespaces of their own too. */
static void adopt_what_is_left(void) {
#ifdef __linux__
    prctl(PR_SET_CHILD_SUBREAPER, 1);
#endif
}

/* Whether, the server having ended, a program of it is still there. The system takes a moment to end what dies with its namespace. */
static bool is_something_left(void) {
    for (double begin = now_s(); now_s() - begin < 2;) {
        pid_t ended = waitpid(-1, NULL, WNOHANG);
        if (ended < 0 && errno == ECHILD) return false;
        if (ended == 0) nanosleep(&(struct timespec){.tv_nsec = 1000000}, NULL);
    }
    return true;
}

static void shut_down(void) {
    json_decref(ask("shutdown", json_null()));
    tell("exit", json_null());
    ends_with(0);
}

/* By a signal, or as an editor ends it. */
static void end_either_way(bool by_signal) {
    if (by_signal) {
        kill(server, SIGTERM);
        ends_with(128 + SIGTERM);
    } else {
        shut_down();
    }
}
