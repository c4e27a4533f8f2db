/* Any bytes at all are what an editor sends to the language server, in pieces of any size. What it answers must be messages, and whatever came
 * before, it must still end when it is asked to. Documents are said to be graded with remarks that are always the same; comments of what was
 * opened are read for launches, and positions and URIs come from the bytes. */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "lsp/launches.h"
#include "lsp/remarks.h"
#include "lsp/server.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void promise_broken(const char *what, int line) {
    fprintf(stderr, "fuzz_lsp.c:%d: broken promise: %s\n", line, what);
    abort();
}

#define PROMISE(condition) ((condition) ? (void)0 : promise_broken(#condition, __LINE__))

static void feed(LspServer *server, WireReader *reader, const char *bytes, size_t count) {
    json_t *message;
    wire_feed(reader, bytes, count);
    for (WireStatus status; (status = wire_take(reader, &message)) != WIRE_NONE;) {
        if (status == WIRE_MESSAGE)
            server_receive(server, message);
        else
            server_receive_bad(server, status);
        json_decref(message);
    }
}

/* What would have been found: lines 0 to 4 of any text. */
static json_t *found(const Document *document) {
    static const char report[] = "{\"kernel\":\"k(int)\",\"model\":{\"time_us\":1},\"faults\":[{\"file\":\"x\",\"line\":3,"
                                 "\"message\":\"m\",\"block\":[1,2,3]}],"
                                 "\"lines\":[{\"file\":\"x\",\"line\":5,\"space\":\"global\",\"op\":\"load\",\"requests\":1,"
                                 "\"sectors\":8,\"ideal_sectors\":4,"
                                 "\"l1_hit_sectors\":1,\"verdict\":\"v\",\"map\":\"m\\n\",\"svg\":\"<svg/>\"}]}";
    Remarks remarks;
    Text text = {0};
    json_t *launch = json_loads(report, 0, NULL);
    PROMISE(launch != NULL);
    remarks_begin(&remarks, "x", text_string(&document->text), document->text.length);
    remarks_add_launch(&remarks, 1, launch);
    remarks_add_messages(&remarks, text_string(&document->text), 2);
    remarks_end(&remarks, &text);
    json_t *object = json_loadb(text_string(&text), text.length, 0, NULL);
    PROMISE(object != NULL);
    json_decref(launch);
    text_free(&text);
    return object;
}

static void grade(LspServer *server) {
    for (Document *document = server->documents; document; document = document->next) {
        if (!document->wants_work) continue;
        Arena *arena = arena_new();
        size_t count;
        PROMISE(document->path && document->path[0] == '/');
        launches_read(text_string(&document->text), document->text.length, arena, &count);
        PROMISE(count <= LAUNCHES_MOST);
        arena_free(arena);
        document->wants_work = false;
        server_finish(server, document, found(document));
    }
}

/* All that was sent is messages. How many. */
static size_t check_output(LspServer *server) {
    WireReader reader = {0};
    json_t *message;
    size_t count = 0;
    wire_feed(&reader, text_string(&server->output), server->output.length);
    for (WireStatus status; (status = wire_take(&reader, &message)) != WIRE_NONE; count++) {
        PROMISE(status == WIRE_MESSAGE);
        PROMISE(strcmp(json_string_value(json_object_get(message, "jsonrpc")), "2.0") == 0);
        json_decref(message);
    }
    PROMISE(reader.bytes.length == reader.used);
    wire_free(&reader);
    text_free(&server->output);
    return count;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    static const char end[] = "Content-Length: 44\r\n\r\n{\"id\":1,\"method\":\"initialize\",\"params\":null}"
                              "Content-Length: 45\r\n\r\n{\"id\":\"last\",\"method\":\"shutdown\",\"params\":[]}"
                              "Content-Length: 17\r\n\r\n{\"method\":\"exit\"}";
    LspServer server = {0};
    WireReader reader = {0};
    size_t step = size ? data[0] % 64 + 1u : 1;
    for (size_t at = 0; at < size; at += step) {
        feed(&server, &reader, (const char *)data + at, size - at < step ? size - at : step);
        grade(&server);
    }
    check_output(&server);
    wire_free(&reader);
    feed(&server, &reader, end, sizeof end - 1);
    PROMISE(check_output(&server) == 2 && server.is_shut_down && server.has_exited);
    wire_free(&reader);
    server_free(&server);
    return 0;
}
