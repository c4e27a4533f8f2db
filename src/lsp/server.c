#include "lsp/server.h"

#include <stdio.h>
#include <string.h>

#include "lsp/answer.h"
#include "lsp/uri.h"
#include "report/object.h"

/* JSON-RPC's numbers for what went wrong, and the protocol's. */
enum {
    BAD_JSON = -32700,
    BAD_REQUEST = -32600,
    NO_METHOD = -32601,
    BAD_PARAMS = -32602,
    NOT_INITIALIZED = -32002,
    REQUEST_FAILED = -32803
};

enum { MESSAGE_WARNING = 2, MESSAGE_INFO, MESSAGE_LOG, SYNC_INCREMENTAL = 2 };

/* What begins the id of a request to show a file; its path follows. */
#define SHOW_ID "show:"

/* --- what is sent --------------------------------------------------------------------------------------------------------- */

static void put(LspServer *server, json_t *message) {
    object_text(message, "jsonrpc", "2.0");
    wire_put(&server->output, message);
}

/* id is borrowed, result taken. */
static void reply(LspServer *server, const json_t *id, json_t *result) {
    json_t *message = json_object();
    object_set(message, "id", json_deep_copy(id));
    object_set(message, "result", result);
    put(server, message);
}

static void refuse(LspServer *server, const json_t *id, int code, const char *why) {
    json_t *message = json_object(), *error = json_object();
    object_set(error, "code", json_integer(code));
    object_text(error, "message", why);
    object_set(message, "id", id ? json_deep_copy(id) : json_null());
    object_set(message, "error", error);
    put(server, message);
}

static void notify(LspServer *server, const char *method, json_t *params) {
    json_t *message = json_object();
    object_text(message, "method", method);
    object_set(message, "params", params);
    put(server, message);
}

static void ask(LspServer *server, const char *id, const char *method, json_t *params) {
    json_t *message = json_object();
    object_text(message, "id", id);
    object_text(message, "method", method);
    if (params) object_set(message, "params", params);
    put(server, message);
}

static void say(LspServer *server, const char *method, int type, const char *text) {
    json_t *params = json_object();
    object_set(params, "type", json_integer(type));
    object_text(params, "message", text);
    notify(server, method, params);
}

static void publish(LspServer *server, const Document *document, json_t *diagnostics) {
    json_t *params = json_object();
    object_text(params, "uri", document->uri);
    if (server->versions && document->version >= 0) object_set(params, "version", json_integer(document->version));
    object_set(params, "diagnostics", diagnostics);
    notify(server, "textDocument/publishDiagnostics", params);
}

/* --- beginning and end ---------------------------------------------------------------------------------------------------- */

/* The value at a path of keys: "textDocument.hover". */
static const json_t *value_at(const json_t *object, const char *keys) {
    while (object && *keys) {
        size_t length = strcspn(keys, ".");
        char key[64];
        snprintf(key, sizeof key, "%.*s", (int)length, keys);
        object = json_object_get(object, key);
        keys += length + (keys[length] == '.');
    }
    return object;
}

static bool takes_markdown(const json_t *client) {
    const json_t *formats = value_at(client, "textDocument.hover.contentFormat");
    const char *first = json_string_value(json_array_get(formats, 0));
    return first && strcmp(first, "markdown") == 0;
}

static json_t *capabilities(const LspServer *server) {
    return json_pack("{s:s, s:{s:b, s:i, s:{s:b}}, s:b, s:b, s:{s:[s]}, s:o}", "positionEncoding", "utf-16", "textDocumentSync",
                     "openClose", 1, "change", SYNC_INCREMENTAL, "save", "includeText", 0, "hoverProvider", 1,
                     "codeActionProvider", 1, "executeCommandProvider", "commands", ANSWER_MAP_COMMAND,
                     server->hints ? "inlayHintProvider" : "codeLensProvider", server->hints ? json_true() : json_object());
}

static void on_initialize(LspServer *server, const json_t *id, const json_t *params) {
    const json_t *client = json_object_get(params, "capabilities");
    if (server->is_initialized) {
        refuse(server, id, BAD_REQUEST, "initialize came before");
        return;
    }
    server->is_initialized = true;
    server->hints = json_is_object(value_at(client, "textDocument.inlayHint"));
    server->refreshes = json_is_true(
        value_at(client, server->hints ? "workspace.inlayHint.refreshSupport" : "workspace.codeLens.refreshSupport"));
    server->markdown = takes_markdown(client);
    server->shows_documents = json_is_true(value_at(client, "window.showDocument.support"));
    server->versions = json_is_true(value_at(client, "textDocument.publishDiagnostics.versionSupport"));
    reply(server, id, json_pack("{s:o, s:{s:s}}", "capabilities", capabilities(server), "serverInfo", "name", "warpscope"));
}

static void on_shutdown(LspServer *server, const json_t *id, const json_t *params) {
    (void)params;
    server->is_shut_down = true;
    for (Document *document = server->documents; document; document = document->next) document->wants_work = false;
    reply(server, id, json_null());
}

static void on_exit_asked(LspServer *server, const json_t *params) {
    (void)params;
    server->has_exited = true;
}

/* --- documents ------------------------------------------------------------------------------------------------------------ */

static Document *document_of(const LspServer *server, const char *uri) {
    Document *document = server->documents;
    while (document && (document->is_closed || strcmp(document->uri, uri) != 0)) document = document->next;
    return document;
}

static Document *find_document(const LspServer *server, const json_t *params) {
    return document_of(server, object_string(json_object_get(params, "textDocument"), "uri"));
}

/* To be graded, also when it is being graded: that ends then. */
static void want_work(Document *document) {
    if (!document->path || document->is_large) return;
    document->wants_work = true;
    document_begin(document);
    job_cancel(&document->job);
}

/* Once, when it has become so. */
static void leave_large(LspServer *server, Document *document, bool was_large) {
    if (!document->is_large || was_large) return;
    LOCAL_TEXT text =
        text_from("%s: more than %d bytes are not graded, launched or followed as you type; open it again when it is smaller",
                  document->path ? document->path : document->uri, DOCUMENT_BYTES);
    document->wants_work = false;
    job_cancel(&document->job);
    publish(server, document, json_array());
    say(server, "window/showMessage", MESSAGE_WARNING, text_string(&text));
}

static void on_open(LspServer *server, const json_t *params) {
    const json_t *opened = json_object_get(params, "textDocument"), *version = json_object_get(opened, "version");
    const char *uri = object_string(opened, "uri");
    if (!*uri) return;
    Document *document = find_document(server, params);
    if (!document) {
        document = document_new(uri);
        document->next = server->documents;
        server->documents = document;
    }
    if (json_is_integer(version)) document->version = json_integer_value(version);
    const bool was_large = document->is_large;
    document_set_text(document, json_object_get(opened, "text"));
    leave_large(server, document, was_large);
    want_work(document);
}

static void on_change(LspServer *server, const json_t *params) {
    Document *document = find_document(server, params);
    const json_t *version = value_at(params, "textDocument.version");
    size_t i;
    json_t *change;
    if (!document) return;
    if (json_is_integer(version)) document->version = json_integer_value(version);
    const bool was_large = document->is_large;
    json_array_foreach(json_object_get(params, "contentChanges"), i, change) document_change(document, change);
    leave_large(server, document, was_large);
}

static void on_save(LspServer *server, const json_t *params) {
    Document *document = find_document(server, params);
    if (document) want_work(document);
}

static void on_close(LspServer *server, const json_t *params) {
    Document *document = find_document(server, params);
    if (!document) return;
    publish(server, document, json_array());
    document->is_closed = true;
    document->wants_work = false;
    job_cancel(&document->job);
    server_sweep(server);
}

/* Once: what is opened later is not compiled either. */
static void warn_unsandboxed(LspServer *server, const char *why) {
    LOCAL_TEXT text = {0};
    if (!*why || server->warned) return;
    server->warned = true;
    text_add(&text,
             "warpscope compiles and launches nothing that is opened: %s\nWhere you trust all the files that you open, let the "
             "editor "
             "start `warpscope lsp --no-sandbox`.",
             why);
    say(server, "window/showMessage", MESSAGE_WARNING, text_string(&text));
}

void server_finish(LspServer *server, Document *document, json_t *remarks) {
    char id[32];
    if (document->is_closed || document->is_large || document->wants_work || server->is_shut_down) {
        json_decref(remarks);
        return;
    }
    document_finish(document, remarks);
    publish(server, document, answer_diagnostics(document));
    const char *said = object_string(remarks, "said");
    if (*said) say(server, "window/logMessage", MESSAGE_LOG, said);
    warn_unsandboxed(server, object_string(remarks, "unsandboxed"));
    if (!server->refreshes) return;
    snprintf(id, sizeof id, "refresh:%llu", (unsigned long long)++server->requests);
    ask(server, id, server->hints ? "workspace/inlayHint/refresh" : "workspace/codeLens/refresh", NULL);
}

/* --- questions ------------------------------------------------------------------------------------------------------------ */

static void on_hints(LspServer *server, const json_t *id, const json_t *params) {
    Document *document = find_document(server, params);
    reply(server, id, document && server->hints ? answer_hints(document, json_object_get(params, "range")) : json_array());
}

static void on_lenses(LspServer *server, const json_t *id, const json_t *params) {
    Document *document = find_document(server, params);
    reply(server, id, document && !server->hints ? answer_lenses(document) : json_array());
}

static void on_hover(LspServer *server, const json_t *id, const json_t *params) {
    Document *document = find_document(server, params);
    Position at;
    if (!document_read_position(json_object_get(params, "position"), &at))
        refuse(server, id, BAD_PARAMS, "hover needs a position");
    else
        reply(server, id, document ? answer_hover(document, at.line, server->markdown) : json_null());
}

static void on_actions(LspServer *server, const json_t *id, const json_t *params) {
    Document *document = find_document(server, params);
    reply(server, id, document ? answer_actions(document, json_object_get(params, "range")) : json_array());
}

/* The map becomes a file, which the client opens, or whose path it shows. False where it cannot be written. */
static bool write_map(const LspServer *server, const Document *document, size_t line, size_t map, const char *svg, Text *path) {
    const char *name = strrchr(document->path, '/') + 1;
    if (!server->folder) return false;
    text_add(path, "%s/%.100s-line-%zu", server->folder, name, line + 1);
    if (map) text_add(path, "-%zu", map + 1);
    text_add(path, ".svg");
    return text_write_file(text_string(path), svg, strlen(svg));
}

static void tell_path(LspServer *server, const char *path) {
    LOCAL_TEXT text = text_from("The map is in %s", path);
    say(server, "window/showMessage", MESSAGE_INFO, text_string(&text));
}

static void show(LspServer *server, const char *path) {
    LOCAL_TEXT uri = {0};
    uri_add(&uri, path);
    LOCAL_TEXT id = text_from(SHOW_ID "%s", path);
    if (server->shows_documents)
        ask(server, text_string(&id), "window/showDocument", json_pack("{s:s, s:b}", "uri", text_string(&uri), "external", 1));
    else
        tell_path(server, path);
}

static void show_map(LspServer *server, const json_t *id, const Document *document, size_t line, size_t map) {
    const char *svg = document ? answer_svg(document, line, map) : NULL;
    LOCAL_TEXT path = {0};
    if (!svg) {
        refuse(server, id, REQUEST_FAILED, "there is no map of this line: save the file, and wait until it is graded");
    } else if (!write_map(server, document, line, map, svg, &path)) {
        refuse(server, id, REQUEST_FAILED, "the map cannot be written: is there room in $TMPDIR, or /tmp?");
    } else {
        reply(server, id, json_null());
        show(server, text_string(&path));
    }
}

static void on_command(LspServer *server, const json_t *id, const json_t *params) {
    const json_t *arguments = json_object_get(params, "arguments");
    const char *uri = json_string_value(json_array_get(arguments, 0));
    json_int_t line = json_integer_value(json_array_get(arguments, 1)), map = json_integer_value(json_array_get(arguments, 2));
    if (strcmp(object_string(params, "command"), ANSWER_MAP_COMMAND) != 0)
        refuse(server, id, BAD_PARAMS, "the only command is " ANSWER_MAP_COMMAND);
    else if (!uri || line < 0 || map < 0)
        refuse(server, id, BAD_PARAMS, ANSWER_MAP_COMMAND " takes a document, a line and the number of a map");
    else
        show_map(server, id, document_of(server, uri), (size_t)line, (size_t)map);
}

/* --- what comes ----------------------------------------------------------------------------------------------------------- */

static const struct {
    const char *method;
    void (*answer)(LspServer *server, const json_t *id, const json_t *params);
} requests[] = {
    {"initialize", on_initialize},
    {"shutdown", on_shutdown},
    {"textDocument/inlayHint", on_hints},
    {"textDocument/codeLens", on_lenses},
    {"textDocument/hover", on_hover},
    {"textDocument/codeAction", on_actions},
    {"workspace/executeCommand", on_command},
};

/* Others, such as initialized and $/cancelRequest, change nothing: each request is answered at once. */
static const struct {
    const char *method;
    void (*take)(LspServer *server, const json_t *params);
} notifications[] = {
    {"exit", on_exit_asked},           {"textDocument/didOpen", on_open},   {"textDocument/didChange", on_change},
    {"textDocument/didSave", on_save}, {"textDocument/didClose", on_close},
};

static void receive_request(LspServer *server, const char *method, const json_t *id, const json_t *params) {
    if (!json_is_string(id) && !json_is_number(id)) {
        refuse(server, NULL, BAD_REQUEST, "an id is a number or a text");
        return;
    }
    if (!server->is_initialized && strcmp(method, "initialize") != 0) {
        refuse(server, id, NOT_INITIALIZED, "initialize comes first");
        return;
    }
    if (server->is_shut_down) {
        refuse(server, id, BAD_REQUEST, "only exit may follow shutdown");
        return;
    }
    for (size_t i = 0; i < sizeof requests / sizeof *requests; i++) {
        if (strcmp(requests[i].method, method) != 0) continue;
        requests[i].answer(server, id, params);
        return;
    }
    refuse(server, id, NO_METHOD, "there is no such method here");
}

static void receive_notification(LspServer *server, const char *method, const json_t *params) {
    bool allowed = server->is_initialized && !server->is_shut_down;
    for (size_t i = 0; i < sizeof notifications / sizeof *notifications; i++) {
        bool meant = strcmp(notifications[i].method, method) == 0;
        if (meant && (allowed || notifications[i].take == on_exit_asked)) notifications[i].take(server, params);
    }
}

/* An answer to a request of ours: all that matters is whether a map could be shown. */
static void receive_answer(LspServer *server, const json_t *message) {
    const char *id = object_string(message, "id");
    if (strncmp(id, SHOW_ID, strlen(SHOW_ID)) != 0) return;
    if (!json_is_true(value_at(message, "result.success"))) tell_path(server, id + strlen(SHOW_ID));
}

void server_receive(LspServer *server, const json_t *message) {
    const json_t *method = json_object_get(message, "method"), *id = json_object_get(message, "id");
    const json_t *params = json_object_get(message, "params");
    if (json_is_string(method) && id)
        receive_request(server, json_string_value(method), id, params);
    else if (json_is_string(method))
        receive_notification(server, json_string_value(method), params);
    else if (json_object_get(message, "result") || json_object_get(message, "error"))
        receive_answer(server, message);
    else
        refuse(server, NULL, BAD_REQUEST, "a message is an object with a method");
}

void server_receive_bad(LspServer *server, WireStatus status) {
    refuse(server, NULL, status == WIRE_BAD_JSON ? BAD_JSON : BAD_REQUEST,
           status == WIRE_BAD_JSON ? "the message is no JSON" : "a header without a Content-Length, or one that cannot be");
}

void server_sweep(LspServer *server) {
    for (Document **at = &server->documents; *at;) {
        Document *document = *at;
        if (document->is_closed && !document->job.pid) {
            *at = document->next;
            document_free(document);
        } else {
            at = &document->next;
        }
    }
}

void server_free(LspServer *server) {
    for (Document *document = server->documents, *next; document; document = next) {
        next = document->next;
        document_free(document);
    }
    text_free(&server->output);
    *server = (LspServer){0};
}
