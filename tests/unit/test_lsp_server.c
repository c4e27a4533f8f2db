/* The language server's answers, with no process and no pipe: what a client says goes in, what it gets is read back. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "lsp/server.h"
#include "suite.h"

static LspServer server;
static WireReader sent;
static char folder[SUITE_FOLDER];

/* Takes a JSON text. */
static void says(const char *text) {
    json_error_t error;
    json_t *message = json_loads(text, JSON_DECODE_ANY, &error);
    ck_assert_msg(message != NULL, "%s: %s", error.text, text);
    server_receive(&server, message);
    json_decref(message);
}

/* The next message that the server sent, as compact JSON with sorted keys; "" when there is none. Lives until the next call. */
static const char *next(void) {
    static char *text;
    json_t *message;
    free(text);
    text = NULL;
    wire_feed(&sent, text_string(&server.output), server.output.length);
    text_free(&server.output);
    if (wire_take(&sent, &message) != WIRE_MESSAGE) return "";
    text = json_dumps(message, JSON_COMPACT | JSON_SORT_KEYS);
    json_decref(message);
    return text;
}

static void is_sent(const char *expected) { ck_assert_str_eq(next(), expected); }
static void is_sent_with(const char *part) {
    const char *got = next();
    ck_assert_msg(strstr(got, part) != NULL, "%s lacks %s", got, part);
}

static void begin(const char *capabilities) {
    char text[1000];
    snprintf(text, sizeof text, "{\"id\":0,\"method\":\"initialize\",\"params\":{\"capabilities\":%s}}", capabilities);
    says(text);
    is_sent_with("\"capabilities\"");
    says("{\"method\":\"initialized\",\"params\":{}}");
}

#define URI "file:///tmp/a.cu"
#define DOCUMENT "\"textDocument\":{\"uri\":\"" URI "\"}"

static Document *opens(const char *text) {
    json_t *message = json_pack("{s:s, s:{s:{s:s, s:i, s:s}}}", "method", "textDocument/didOpen", "params", "textDocument",
                                "uri", URI, "version", 1, "text", text);
    server_receive(&server, message);
    json_decref(message);
    ck_assert(server.documents && server.documents->wants_work);
    server.documents->wants_work = false; /* as if its job had begun */
    return server.documents;
}

/* One line of counts and one diagnostic, both of line 1. */
static json_t *remarks(void) {
    return json_loads(
        "{\"lines\":[{\"line\":1,\"label\":\"L\",\"hover\":\"**b** c\\n\\n```text\\n|\\n```\\n\","
        "\"maps\":[{\"title\":\"global load\",\"svg\":\"<svg/>\"}]}],"
        "\"diagnostics\":[{\"range\":{\"start\":{\"line\":1,\"character\":0},\"end\":{\"line\":1,\"character\":3}},"
        "\"severity\":1,\"message\":\"M\"}],\"said\":\"\"}",
        0, NULL);
}

/* --- beginning and end ---------------------------------------------------------------------------------------------------- */

START_TEST(nothing_is_answered_before_initialize)
{
    says("{\"id\":1,\"method\":\"textDocument/hover\",\"params\":{}}");
    is_sent("{\"error\":{\"code\":-32002,\"message\":\"initialize comes first\"},\"id\":1,\"jsonrpc\":\"2.0\"}");
    says("{\"method\":\"textDocument/didOpen\",\"params\":{" DOCUMENT "}}");
    ck_assert_ptr_null(server.documents);
    begin("{}");
    says("{\"id\":2,\"method\":\"initialize\"}");
    is_sent_with("\"code\":-32600");
}
END_TEST

START_TEST(shutdown_comes_before_exit)
{
    begin("{}");
    opens("");
    server.documents->wants_work = true;
    says("{\"id\":\"last\",\"method\":\"shutdown\"}");
    is_sent("{\"id\":\"last\",\"jsonrpc\":\"2.0\",\"result\":null}");
    ck_assert(!server.documents->wants_work);
    says("{\"id\":2,\"method\":\"textDocument/hover\"}");
    is_sent_with("\"code\":-32600");
    says("{\"method\":\"textDocument/didSave\",\"params\":{" DOCUMENT "}}");
    ck_assert(!server.documents->wants_work && !server.has_exited);
    says("{\"method\":\"exit\"}");
    ck_assert(server.has_exited && server.is_shut_down);
}
END_TEST

START_TEST(exit_may_come_at_any_time)
{
    says("{\"method\":\"exit\"}");
    ck_assert(server.has_exited && !server.is_shut_down);
    is_sent("");
}
END_TEST

static const struct {
    const char *message, *answer; /* a part of it; "": none comes */
} strange[] = {
    {"{\"id\":7,\"method\":\"nothing/known\"}", "\"code\":-32601,"},
    {"{\"id\":\"seven\",\"method\":\"$/unknown\",\"params\":[]}", "\"id\":\"seven\""},
    {"{\"id\":7.5,\"method\":\"$/unknown\"}", "\"id\":7.5"},
    {"{\"id\":null,\"method\":\"shutdown\"}", "\"code\":-32600,"},
    {"{\"id\":{},\"method\":\"shutdown\"}", "\"id\":null"},
    {"{\"id\":1,\"method\":7}", "\"code\":-32600,"},
    {"{\"id\":1}", "\"code\":-32600,"},
    {"{}", "\"code\":-32600,"},
    {"[]", "\"code\":-32600,"},
    {"[{\"id\":1,\"method\":\"shutdown\"}]", "\"code\":-32600,"},
    {"\"text\"", "\"code\":-32600,"},
    {"{\"method\":\"nothing/known\"}", ""},
    {"{\"method\":\"$/cancelRequest\",\"params\":{\"id\":7}}", ""},
    {"{\"id\":9,\"result\":null}", ""},
    {"{\"id\":9,\"error\":{\"code\":1}}", ""},
    {"{\"method\":\"textDocument/didOpen\"}", ""},
    {"{\"method\":\"textDocument/didOpen\",\"params\":{\"textDocument\":{\"uri\":7,\"text\":8}}}", ""},
    {"{\"method\":\"textDocument/didClose\",\"params\":{" DOCUMENT "}}", ""},
    {"{\"method\":\"textDocument/didSave\",\"params\":[7]}", ""},
    {"{\"id\":1,\"method\":\"textDocument/hover\",\"params\":{" DOCUMENT "}}", "\"code\":-32602,"},
    {"{\"id\":1,\"method\":\"textDocument/hover\",\"params\":{" DOCUMENT ",\"position\":{\"line\":-1,\"character\":0}}}",
     "\"code\":-32602,"},
    {"{\"id\":1,\"method\":\"textDocument/hover\",\"params\":{" DOCUMENT ",\"position\":{\"line\":1,\"character\":0}}}",
     "\"result\":null"},
    {"{\"id\":1,\"method\":\"textDocument/codeLens\",\"params\":{" DOCUMENT "}}", "\"result\":[]"},
    {"{\"id\":1,\"method\":\"textDocument/inlayHint\",\"params\":{}}", "\"result\":[]"},
    {"{\"id\":1,\"method\":\"textDocument/codeAction\"}", "\"result\":[]"},
    {"{\"id\":1,\"method\":\"workspace/executeCommand\",\"params\":{\"command\":\"rm\"}}", "\"code\":-32602,"},
    {"{\"id\":1,\"method\":\"workspace/executeCommand\",\"params\":{\"command\":\"warpscope.showMap\",\"arguments\":[1]}}",
     "\"code\":-32602,"},
    {"{\"id\":1,\"method\":\"workspace/executeCommand\",\"params\":{\"command\":\"warpscope.showMap\",\"arguments\":[\"" URI
     "\",0,99999999999]}}",
     "\"code\":-32803,"},
};

START_TEST(whatever_comes_is_answered)
{
    begin("{}");
    says(strange[_i].message);
    if (*strange[_i].answer) is_sent_with(strange[_i].answer);
    is_sent("");
    says("{\"id\":2,\"method\":\"shutdown\"}");
    is_sent_with("\"result\":null");
}
END_TEST

START_TEST(what_is_no_message_is_answered_too)
{
    server_receive_bad(&server, WIRE_BAD_JSON);
    is_sent("{\"error\":{\"code\":-32700,\"message\":\"the message is no JSON\"},\"id\":null,\"jsonrpc\":\"2.0\"}");
    server_receive_bad(&server, WIRE_BAD_HEADER);
    is_sent_with("\"code\":-32600");
}
END_TEST

/* --- hints, lenses, hover ------------------------------------------------------------------------------------------------- */

START_TEST(a_client_that_knows_hints_gets_hints)
{
    begin("{\"textDocument\":{\"inlayHint\":{},\"codeLens\":{}},\"workspace\":{\"inlayHint\":{\"refreshSupport\":true}}}");
    server_finish(&server, opens("a\n  b\xf0\x9d\x84\x9e\nc\n"), remarks());
    is_sent_with("\"textDocument/publishDiagnostics\"");
    is_sent("{\"id\":\"refresh:1\",\"jsonrpc\":\"2.0\",\"method\":\"workspace/inlayHint/refresh\"}");
    says("{\"id\":1,\"method\":\"textDocument/inlayHint\",\"params\":{" DOCUMENT "}}");
    is_sent("{\"id\":1,\"jsonrpc\":\"2.0\",\"result\":[{\"label\":\"L\",\"paddingLeft\":true,"
            "\"position\":{\"character\":5,\"line\":1}}]}"); /* two blanks, b, and two units */
    says("{\"id\":2,\"method\":\"textDocument/inlayHint\",\"params\":{" DOCUMENT
         ",\"range\":{\"start\":{\"line\":2,\"character\":0},\"end\":{\"line\":9,\"character\":0}}}}");
    is_sent_with("\"result\":[]");
    says("{\"id\":3,\"method\":\"textDocument/codeLens\",\"params\":{" DOCUMENT "}}");
    is_sent_with("\"result\":[]");
}
END_TEST

START_TEST(a_client_that_does_not_gets_lenses)
{
    says("{\"id\":0,\"method\":\"initialize\",\"params\":{\"capabilities\":{}}}");
    is_sent_with("\"codeLensProvider\":{}");
    server_finish(&server, opens("a\n  b\nc\n"), remarks());
    is_sent_with("\"textDocument/publishDiagnostics\"");
    is_sent("");
    says("{\"id\":1,\"method\":\"textDocument/codeLens\",\"params\":{" DOCUMENT "}}");
    is_sent("{\"id\":1,\"jsonrpc\":\"2.0\",\"result\":[{\"command\":{\"arguments\":[\"" URI
            "\",1,0],\"command\":\"warpscope.showMap\","
            "\"title\":\"L\"},\"range\":{\"end\":{\"character\":3,\"line\":1},\"start\":{\"character\":2,\"line\":1}}}]}");
}
END_TEST

static const char hover[] =
    "{\"id\":1,\"method\":\"textDocument/hover\",\"params\":{" DOCUMENT ",\"position\":{\"line\":1,\"character\":2}}}";

START_TEST(hover_is_what_the_client_can_show)
{
    begin(_i ? "{\"textDocument\":{\"hover\":{\"contentFormat\":[\"markdown\",\"plaintext\"]}}}"
             : "{\"textDocument\":{\"hover\":{\"contentFormat\":[\"plaintext\",\"markdown\"]}}}");
    server_finish(&server, opens("a\nb\nc\n"), remarks());
    is_sent_with("publishDiagnostics");
    says(hover);
    is_sent_with(_i ? "{\"kind\":\"markdown\",\"value\":\"**b** c\\n\\n```text\\n|\\n```\\n\"}"
                    : "{\"kind\":\"plaintext\",\"value\":\"b c\\n\\n|\\n\"}");
}
END_TEST

static void changes(const char *change) {
    char text[500];
    snprintf(text, sizeof text,
             "{\"method\":\"textDocument/didChange\",\"params\":{\"textDocument\":{\"uri\":\"" URI
             "\",\"version\":2},\"contentChanges\":[%s]}}",
             change);
    says(text);
}

static void lens_is_in_line(int line) {
    char part[60];
    says("{\"id\":1,\"method\":\"textDocument/codeLens\",\"params\":{" DOCUMENT "}}");
    snprintf(part, sizeof part, line < 0 ? "\"result\":[]" : "\"start\":{\"character\":0,\"line\":%d}", line);
    is_sent_with(part);
}

#define AT(l, c) "{\"line\":" #l ",\"character\":" #c "}"
#define CHANGE(from, to, text) "{\"range\":{\"start\":" from ",\"end\":" to "},\"text\":\"" text "\"}"

START_TEST(what_is_known_moves_with_its_line)
{
    begin("{}");
    Document *document = opens("a\nb\xf0\x9d\x84\x9e\xc3\xa9\nc\n");
    server_finish(&server, document, remarks());
    is_sent_with("publishDiagnostics");
    changes(CHANGE(AT(0, 0), AT(0, 0), "new\\nlines\\n"));
    lens_is_in_line(3);
    changes(CHANGE(AT(0, 1), AT(0, 3), "") "," CHANGE(AT(4, 0), AT(4, 1), "x"));
    lens_is_in_line(3);
    ck_assert_str_eq(text_string(&document->text), "n\nlines\na\nb\xf0\x9d\x84\x9e\xc3\xa9\nx\n");
    changes(CHANGE(AT(3, 3), AT(3, 4), "e")); /* behind the letter of two units */
    lens_is_in_line(-1);
    ck_assert_str_eq(text_string(&document->text), "n\nlines\na\nb\xf0\x9d\x84\x9e"
                                                   "e\nx\n");
    changes(CHANGE(AT(0, 0), AT(99, 0), ""));
    ck_assert_str_eq(text_string(&document->text), "");
    changes("{\"text\":\"whole\"}," CHANGE(AT(9, 9), AT(0, 0), "no") "," CHANGE(AT(0, 5), AT(0, 5),
                                                                                "!") ",{\"range\":7,\"text\":\"no\"},8");
    ck_assert_str_eq(text_string(&document->text), "whole!");
}
END_TEST

/* Typed while the grader works: its lines are those of the text that was saved. */
START_TEST(remarks_find_lines_that_moved_meanwhile)
{
    begin("{}");
    Document *document = opens("a\nb\nc\n");
    changes(CHANGE(AT(0, 0), AT(0, 0), "\\n"));
    server_finish(&server, document, remarks());
    is_sent_with("\"start\":{\"character\":0,\"line\":2}");
    lens_is_in_line(2);
    changes("{\"text\":\"\\na\\nb\\nc\\n\"}"); /* the same */
    lens_is_in_line(2);
}
END_TEST

/* --- documents ------------------------------------------------------------------------------------------------------------ */

START_TEST(diagnostics_go_when_put_right_and_when_closed)
{
    begin("{\"textDocument\":{\"publishDiagnostics\":{\"versionSupport\":true}}}");
    Document *document = opens("a\nb\nc\n");
    server_finish(&server, document, remarks());
    is_sent(
        "{\"jsonrpc\":\"2.0\",\"method\":\"textDocument/publishDiagnostics\",\"params\":{\"diagnostics\":[{\"message\":\"M\","
        "\"range\":{\"end\":{\"character\":3,\"line\":1},\"start\":{\"character\":0,\"line\":1}},\"severity\":1}],\"uri\":"
        "\"" URI "\",\"version\":1}}");
    says("{\"method\":\"textDocument/didSave\",\"params\":{" DOCUMENT "}}");
    ck_assert(document->wants_work);
    document->wants_work = false;
    server_finish(&server, document, NULL);
    is_sent_with("\"diagnostics\":[]");
    lens_is_in_line(-1);
    says("{\"method\":\"textDocument/didClose\",\"params\":{" DOCUMENT "}}");
    is_sent_with("\"diagnostics\":[]");
    ck_assert_ptr_null(server.documents);
}
END_TEST

START_TEST(what_was_saved_again_is_not_told)
{
    begin("{}");
    Document *document = opens("a\nb\n");
    says("{\"method\":\"textDocument/didSave\",\"params\":{" DOCUMENT "}}");
    server_finish(&server, document, remarks());
    is_sent("");
    ck_assert(document->wants_work);
}
END_TEST

START_TEST(a_text_that_is_no_file_is_left_alone)
{
    begin("{}");
    says("{\"method\":\"textDocument/didOpen\",\"params\":{\"textDocument\":{\"uri\":\"untitled:1\",\"text\":\"a\"}}}");
    ck_assert(server.documents && !server.documents->wants_work);
}
END_TEST

static void opens_letters(size_t count) {
    char *text = memset(malloc(count + 1), 'a', count);
    text[count] = 0;
    json_t *message = json_pack("{s:s, s:{s:{s:s, s:s}}}", "method", "textDocument/didOpen", "params", "textDocument", "uri",
                                URI, "text", text);
    server_receive(&server, message);
    json_decref(message);
    free(text);
}

/* A letter more than is followed: what was known of the document goes, it is said once, and what was a job's comes too late. */
START_TEST(a_text_that_is_too_large_is_left_alone)
{
    begin("{}");
    opens_letters(DOCUMENT_BYTES);
    Document *document = server.documents;
    ck_assert(document->wants_work);
    document->wants_work = false;
    server_finish(&server, document, remarks());
    is_sent_with("publishDiagnostics");
    is_sent("");
    changes(CHANGE(AT(0, 7), AT(0, 8), "b"));
    is_sent("");
    ck_assert_int_eq(text_string(&document->text)[7], 'b');
    changes(CHANGE(AT(0, 7), AT(0, 7), "b"));
    is_sent_with("\"diagnostics\":[]");
    is_sent_with("/tmp/a.cu: more than 2097152 bytes are not graded, launched or followed as you type");
    ck_assert_uint_eq(document->text.length, 0);
    server_finish(&server, document, remarks());
    changes(CHANGE(AT(0, 7), AT(0, 8), "b") "," CHANGE(AT(0, 0), AT(9, 0), ""));
    says("{\"method\":\"textDocument/didSave\",\"params\":{" DOCUMENT "}}");
    is_sent("");
    ck_assert(!document->wants_work);
    opens_letters(DOCUMENT_BYTES);
    ck_assert(document->wants_work && document->text.length == DOCUMENT_BYTES);
    is_sent("");
}
END_TEST

/* --- maps ----------------------------------------------------------------------------------------------------------------- */

#define SHOW                                                                                                                \
    "{\"id\":5,\"method\":\"workspace/executeCommand\",\"params\":{\"command\":\"warpscope.showMap\",\"arguments\":[\"" URI \
    "\",1,0]}}"

static void holds_map(const char *path) {
    size_t length;
    char *text = text_read_file(path, 100, &length);
    ck_assert_ptr_nonnull(text);
    ck_assert_str_eq(text, "<svg/>");
    free(text);
    unlink(path);
}

START_TEST(a_map_is_a_command_of_its_line)
{
    begin("{}");
    server_finish(&server, opens("a\nb\n"), remarks());
    is_sent_with("publishDiagnostics");
    says("{\"id\":4,\"method\":\"textDocument/codeAction\",\"params\":{" DOCUMENT
         ",\"range\":{\"start\":" AT(1, 0) ",\"end\":" AT(1, 0) "}}}");
    is_sent_with("{\"arguments\":[\"" URI
                 "\",1,0],\"command\":\"warpscope.showMap\",\"title\":\"Show the map of line 2: global load\"}");
    says("{\"id\":4,\"method\":\"textDocument/codeAction\",\"params\":{" DOCUMENT
         ",\"range\":{\"start\":" AT(0, 0) ",\"end\":" AT(0, 9) "}}}");
    is_sent_with("\"result\":[]");
    says(SHOW);
    is_sent("{\"id\":5,\"jsonrpc\":\"2.0\",\"result\":null}");
    char path[100], part[200];
    snprintf(path, sizeof path, "%s/a.cu-line-2.svg", folder);
    snprintf(part, sizeof part, "\"method\":\"window/showMessage\",\"params\":{\"message\":\"The map is in %s\"", path);
    is_sent_with(part);
    holds_map(path);
}
END_TEST

/* The client opens the file; where it could not, the path is told. */
START_TEST(a_map_is_shown_where_the_client_can)
{
    begin("{\"window\":{\"showDocument\":{\"support\":true}}}");
    server_finish(&server, opens("a\nb\n"), remarks());
    is_sent_with("publishDiagnostics");
    says(SHOW);
    is_sent_with("\"result\":null");
    char path[100], part[200], answer[200];
    snprintf(path, sizeof path, "%s/a.cu-line-2.svg", folder);
    snprintf(part, sizeof part, "\"id\":\"show:%s\",\"jsonrpc\":\"2.0\",\"method\":\"window/showDocument\"", path);
    is_sent_with(part);
    holds_map(path);
    snprintf(answer, sizeof answer, "{\"id\":\"show:%s\",\"result\":{\"success\":true}}", path);
    says(answer);
    is_sent("");
    snprintf(answer, sizeof answer, "{\"id\":\"show:%s\",\"error\":{\"code\":-32601}}", path);
    says(answer);
    is_sent_with("The map is in ");
}
END_TEST

START_TEST(a_map_that_cannot_be_written_is_refused)
{
    server.folder = "/nowhere";
    begin("{}");
    server_finish(&server, opens("a\nb\n"), remarks());
    is_sent_with("publishDiagnostics");
    says(SHOW);
    is_sent_with("cannot be written");
    is_sent("");
}
END_TEST

static void prepare(void) {
    suite_folder(folder);
    server = (LspServer){.folder = folder};
    sent = (WireReader){0};
}

static void clear(void) {
    next();
    server_free(&server);
    wire_free(&sent);
    ck_assert_msg(rmdir(folder) == 0, "something was left in %s", folder);
}

SUITE_WITH("lsp_server", prepare, clear, nothing_is_answered_before_initialize, shutdown_comes_before_exit,
           exit_may_come_at_any_time, REPEATED(sizeof strange / sizeof *strange, whatever_comes_is_answered),
           what_is_no_message_is_answered_too, a_client_that_knows_hints_gets_hints, a_client_that_does_not_gets_lenses,
           REPEATED(2, hover_is_what_the_client_can_show), what_is_known_moves_with_its_line,
           remarks_find_lines_that_moved_meanwhile, diagnostics_go_when_put_right_and_when_closed,
           what_was_saved_again_is_not_told, a_text_that_is_no_file_is_left_alone, a_text_that_is_too_large_is_left_alone,
           a_map_is_a_command_of_its_line, a_map_is_shown_where_the_client_can, a_map_that_cannot_be_written_is_refused)
