/* What the language server reads and counts: messages, URIs, positions, lines that move, launches in comments, compilers' words, labels. Expected
 * values by hand. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cuda/message.h"
#include "lsp/launches.h"
#include "lsp/linemap.h"
#include "lsp/remarks.h"
#include "lsp/uri.h"
#include "lsp/wire.h"
#include "suite.h"

/* --- messages ------------------------------------------------------------------------------------------------------------- */

/* What comes of the bytes, fed in pieces of `step`: m a message, h a bad header, j a body that is no JSON. */
static void takes(const char *bytes, size_t count, size_t step, const char *expected) {
    WireReader reader = {0};
    char got[64] = "";
    for (size_t at = 0; at < count; at += step) {
        json_t *message;
        wire_feed(&reader, bytes + at, at + step <= count ? step : count - at);
        for (WireStatus status; (status = wire_take(&reader, &message)) != WIRE_NONE;) {
            ck_assert_int_eq(message != NULL, status == WIRE_MESSAGE);
            ck_assert_uint_lt(strlen(got), sizeof got - 1);
            strcat(got, status == WIRE_MESSAGE ? "m" : status == WIRE_BAD_HEADER ? "h" : "j");
            json_decref(message);
        }
    }
    wire_free(&reader);
    ck_assert_msg(strcmp(got, expected) == 0, "%.*s in pieces of %zu: %s, not %s", (int)count, bytes, step, got, expected);
}

static const struct {
    const char *bytes, *expected;
} streams[] = {
    {"Content-Length: 2\r\n\r\n{}", "m"},
    {"Content-Length: 2\r\n\r\n{}Content-Length: 2\r\n\r\n{}", "mm"},
    {"Content-Type: x\r\ncontent-length:2\r\n\r\n[]", "m"},
    {"Content-Length: 2\n\n{}", "m"},
    {"Content-Length: 9\r\n\r\n{\"a\":\"\\u0000\"}", "j"},
    {"Content-Length: 14\r\n\r\n{\"a\":\"\\u0000\"}", "m"},
    {"Content-Length: 3\r\n\r\n{}", ""},
    {"Content-Length: 2\r\n\r\n{xContent-Length: 2\r\n\r\n{}", "jm"},
    {"Content-Length: 0\r\n\r\nContent-Length: 2\r\n\r\n{}", "jm"},
    {"Content-Length: -2\r\n\r\n{}Content-Length: 2\r\n\r\n{}", "hm"},
    {"Content-Length: 99999999999999999999\r\n\r\n{}Content-Length: 2\r\n\r\n{}", "hm"},
    {"Content-Length: 16777217\r\n\r\n{}Content-Length: 2\r\n\r\n{}", "hm"},
    {"Content-Length: two\r\n\r\n{}Content-Length: 2\r\n\r\n{}", "hm"},
    {"Content-Type: x\r\n\r\n{}Content-Length: 2\r\n\r\n{}", "hm"},
    {"\r\n\r\n\r\nContent-Length: 2\r\n\r\n{}", "hm"},
    {"hello\r\nContent-LenContent-Length: 2\r\n\r\n{}", "hm"},
};

START_TEST(messages_are_found_in_what_comes)
{
    for (size_t step = 1; step <= 64; step *= 2)
        takes(streams[_i].bytes, strlen(streams[_i].bytes), step, streams[_i].expected);
}
END_TEST

/* A header without an end is given up, and what follows it is not kept. */
START_TEST(a_header_without_end_takes_no_memory)
{
    WireReader reader = {0};
    json_t *message;
    char bytes[1000];
    int bad = 0;
    memset(bytes, 'x', sizeof bytes);
    for (int i = 0; i < 100000; i++) {
        wire_feed(&reader, bytes, sizeof bytes);
        bad += wire_take(&reader, &message) == WIRE_BAD_HEADER;
        while (wire_take(&reader, &message) != WIRE_NONE) bad++;
        ck_assert_uint_lt(reader.bytes.capacity, 64 << 10);
    }
    ck_assert_int_eq(bad, 1);
    wire_free(&reader);
}
END_TEST

START_TEST(a_message_has_its_bytes_counted)
{
    Text out = {0};
    wire_put(&out, json_pack("{s:s}", "a", "\xc3\xa9"));
    ck_assert_str_eq(text_string(&out), "Content-Length: 10\r\n\r\n{\"a\":\"\xc3\xa9\"}"); /* é has two */
    text_free(&out);
}
END_TEST

/* --- URIs ----------------------------------------------------------------------------------------------------------------- */

static const struct {
    const char *uri, *path; /* NULL: no file */
} uris[] = {
    {"file:///home/ada/a.cu", "/home/ada/a.cu"},
    {"file:///home/ada/50%25%20done%3b.cu", "/home/ada/50% done;.cu"},
    {"file:///%e2%82%AC.cu", "/\xe2\x82\xac.cu"},
    {"FILE://localhost/a", "/a"},
    {"file:///a%2Fb?x#y", "/a/b"},
    {"file:///a%00b", NULL},
    {"file:///a%2", NULL},
    {"file:///a%zz", NULL},
    {"file://other/a", NULL},
    {"file:a", NULL},
    {"untitled:1", NULL},
    {"", NULL},
};

START_TEST(a_uri_names_a_path)
{
    Text path = {0};
    bool found = uri_path(uris[_i].uri, &path);
    ck_assert_msg(found == (uris[_i].path != NULL), "%s", uris[_i].uri);
    if (found) ck_assert_str_eq(text_string(&path), uris[_i].path);
    text_free(&path);
}
END_TEST

START_TEST(a_path_becomes_a_uri_and_comes_back)
{
    const char *path = "/a b/50%#?\xc3\xa9~x.cu";
    Text uri = {0}, back = {0};
    uri_add(&uri, path);
    ck_assert_str_eq(text_string(&uri), "file:///a%20b/50%25%23%3F%C3%A9~x.cu");
    ck_assert(uri_path(text_string(&uri), &back));
    ck_assert_str_eq(text_string(&back), path);
    text_free(&uri);
    text_free(&back);
}
END_TEST

/* --- positions ------------------------------------------------------------------------------------------------------------ */

/* U+1D11E has four bytes and two units, the euro three bytes and one unit. */
static const char lines[] = "ab\r\n\xf0\x9d\x84\x9e\xe2\x82\xacx\n\nlast";

static const struct {
    size_t line, character, offset;
} positions[] = {
    {0, 0, 0},  {0, 2, 2},  {0, 9, 2},  {1, 0, 4},  {1, 2, 8},  {1, 3, 11},  {1, 4, 12}, {1, 99, 12},
    {2, 0, 13}, {2, 5, 13}, {3, 4, 18}, {3, 5, 18}, {4, 0, 18}, {99, 7, 18}, {1, 1, 4} /* within a letter: before it */};

START_TEST(positions_are_counted_in_utf_16)
{
    Position at = {positions[_i].line, positions[_i].character};
    ck_assert_uint_eq(position_offset(lines, sizeof lines - 1, at), positions[_i].offset);
}
END_TEST

/* Eight plain letters are counted at a time: before the euro are ten, behind it, two bytes further, ten more. */
START_TEST(plain_letters_are_counted_alike)
{
    static const char text[] = "0123456789\xe2\x82\xac"
                               "abcdefghij";
    ck_assert_uint_eq(position_units(text, sizeof text - 1), 21);
    for (size_t c = 0; c <= 30; c++)
        ck_assert_uint_eq(position_offset(text, sizeof text - 1, (Position){0, c}), c <= 10 ? c : c <= 21 ? c + 2 : 23);
}
END_TEST

/* Lines of 0, 1, 2, … letters: the one of n begins behind n (n - 1) / 2 letters and n feeds. */
START_TEST(lines_are_found_wherever_they_end)
{
    enum { LINES = 60 };
    LOCAL_TEXT text = {0};
    for (size_t n = 0; n < LINES; n++)
        text_add(&text, "%.*s\n", (int)n, "nnnnnnnnnnnnnnnnnnnn\x8annnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnn");
    for (size_t n = 0, bytes; n < LINES; n++) {
        const char *at = position_line(text_string(&text), text.length, n, &bytes);
        ck_assert_uint_eq((size_t)(at - text_string(&text)), n * (n - (n > 0)) / 2 + n);
        ck_assert_uint_eq(bytes, n);
    }
}
END_TEST

START_TEST(a_line_ends_before_its_carriage_return)
{
    size_t bytes;
    ck_assert(position_line(lines, sizeof lines - 1, 0, &bytes) == lines && bytes == 2);
    ck_assert(position_line(lines, sizeof lines - 1, 1, &bytes) == lines + 4 && bytes == 8);
    ck_assert_uint_eq(position_units(lines + 4, 8), 4);
    ck_assert(position_line(lines, sizeof lines - 1, 9, &bytes) == lines + 18 && bytes == 0);
    ck_assert_uint_eq(position_count_lines(lines, sizeof lines - 1), 3);
}
END_TEST

/* --- lines that move ------------------------------------------------------------------------------------------------------ */

/* Four lines of ten units; one edit; where each is then, - for gone. */
static const struct {
    Position from, to;
    const char *text, *expected;
} edits[] = {
    {{1, 3}, {1, 3}, "x", "0-23"},                                         /* typed into line 1 */
    {{1, 10}, {1, 10}, "\n", "0134"},                                      /* Enter at the end of line 1 */
    {{1, 10}, {1, 10}, "\r\n", "0134"},    {{1, 0}, {1, 0}, "\n", "0234"}, /* Enter at its beginning */
    {{1, 0}, {1, 0}, "new\n", "0234"},                                     /* a line above it */
    {{1, 4}, {1, 4}, "\n", "0-34"},                                        /* broken */
    {{1, 10}, {1, 10}, "x\n", "0-34"},                                     /* typed at its end */
    {{1, 0}, {2, 0}, "", "0-12"},                                          /* deleted with its end */
    {{1, 0}, {2, 0}, "new\n", "0-23"},                                     /* replaced as a line */
    {{0, 10}, {1, 10}, "", "--12"}, /* deleted with the end before; what follows line 0 cannot be told from typing */
    {{1, 10}, {2, 0}, "", "0--2"},  /* joined with the next */
    {{0, 0}, {3, 10}, "x", "----"}, /* all replaced */
    {{2, 0}, {2, 0}, "a\nb\nc\n", "0156"},
};

START_TEST(lines_keep_what_was_found_while_others_change)
{
    LineMap map = {0};
    char got[8] = "";
    linemap_begin(&map, 4);
    linemap_edit(&map, edits[_i].from, 10, edits[_i].to, edits[_i].text, strlen(edits[_i].text));
    for (size_t i = 0; i < 4; i++) got[i] = linemap_at(&map, i) == LINE_GONE ? '-' : (char)('0' + linemap_at(&map, i));
    ck_assert_str_eq(got, edits[_i].expected);
    ck_assert_int_eq(linemap_at(&map, 4), LINE_GONE);
    linemap_free(&map);
}
END_TEST

/* --- launches in comments ------------------------------------------------------------------------------------------------- */

static const struct {
    const char *text, *words; /* of all launches, each behind its line; a refused word behind ! */
} comments[] = {
    {"// warpscope: --grid 8 --block 4\n", "0: --grid 8 --block 4"},
    {"int a;\r\n  //warpscope:--grid 8\r\n", "1: --grid 8"},
    {"// warpscope: --arg 'list a' --kernel \"f(int, int)\"x", "0: --arg list a --kernel f(int, int)x"},
    {"// warpscope: -DN=4 -D M -DA_1=-2.5e+3 -D B=float --grid=8 --arch sm_80",
     "0: -DN=4 -D M -DA_1=-2.5e+3 -D B=float --grid=8 --arch sm_80"},
    {"// warpscope: '-DX=$(touch /tmp/pwned)'", "0: -DX=$(touch /tmp/pwned)!-DX=$(touch /tmp/pwned)"},
    {"// warpscope: -D 'X=`id`'", "0: -D X=`id`!-D"},
    {"// warpscope: '-DX=1;id'", "0: -DX=1;id!-DX=1;id"},
    {"// warpscope: '-DF(x)=x'", "0: -DF(x)=x!-DF(x)=x"},
    {"// warpscope: -D=1", "0: -D=1!-D=1"},
    {"// warpscope: -D 1X", "0: -D 1X!-D"},
    {"// warpscope: -DX=", "0: -DX=!-DX="},
    {"// warpscope: -D@x", "0: -D@x!-D@x"},
    {"// warpscope: -DX=1,Y=2", "0: -DX=1,Y=2!-DX=1,Y=2"},
    {"// warpscope: --grid 8 -I inc", "0: --grid 8 -I inc!-I"},
    {"// warpscope: -I/etc", "0: -I/etc!-I/etc"},
    {"// warpscope: -Xcompiler -fplugin=x", "0: -Xcompiler -fplugin=x!-Xcompiler"},
    {"// warpscope: -UX", "0: -UX!-UX"},
    {"// warpscope: @words", "0: @words!@words"},
    {"// warpscope: --arg buf:u8:4:@/etc/passwd", "0: --arg buf:u8:4:@/etc/passwd!--arg"},
    {"// warpscope: --arg=buf:u8:4:@x", "0: --arg=buf:u8:4:@x!--arg=buf:u8:4:@x"},
    {"// warpscope: --cooperative --l1 off\n\n\n// warpscope:\n", "0: --cooperative --l1 off3:"},
    {"// warpscope: --dump 0=/etc/passwd", "0: --dump 0=/etc/passwd!--dump"},
    {"// warpscope: --grid 8 --svg=x", "0: --grid 8 --svg=x!--svg=x"},
    {"// warpscope: --kernel --dump --gri 8", "0: --kernel --dump --gri 8!--gri"},
    {"// warpscope: --cooperative=x", "0: --cooperative=x!--cooperative=x"},
    {"// warpscope: other.cu", "0: other.cu!other.cu"},
    {"// warpscope: --on gpu", "0: --on gpu!--on"},
    {"// warpscope: --ptx x", "0: --ptx x!--ptx"},
    {"// warpscope: --grid 8 -D", "0: --grid 8 -D!-D"},
    {"// warpscope: --grid 8 --kernel", "0: --grid 8 --kernel!--kernel"},
    {"// warpscope: --cc '' -DX", "0: --cc  -DX!--cc"},
    {"// warpscope: --arch=", "0: --arch=!--arch="},
    {"// warpscope: -DX-1", "0: -DX-1!-DX-1"},
    {"// warpscope: 'open", "0: open!open"},
    {"a; // warpscope: --grid 8", ""},
    {"# warpscope: --grid 8", ""},
    {"// Warpscope: --grid 8\n/", ""},
};

START_TEST(launches_are_read_from_comments)
{
    Arena *arena = arena_new();
    Text got = {0};
    size_t count;
    CommentLaunch *launches = launches_read(comments[_i].text, strlen(comments[_i].text), arena, &count);
    for (size_t i = 0; i < count; i++) {
        text_add(&got, "%zu:", launches[i].line);
        for (size_t w = 0; w < launches[i].n_words; w++) text_add(&got, " %s", launches[i].words[w]);
        if (launches[i].refused) text_add(&got, "!%s", launches[i].refused);
    }
    ck_assert_str_eq(text_string(&got), comments[_i].words);
    text_free(&got);
    arena_free(arena);
}
END_TEST

START_TEST(no_more_launches_than_are_allowed)
{
    Arena *arena = arena_new();
    Text text = {0};
    size_t count;
    for (int i = 0; i < 40; i++) text_add(&text, "// warpscope: --grid %d\n", i);
    for (int i = 0; i < 100000; i++) text_add(&text, "a ");
    launches_read(text_string(&text), text.length, arena, &count);
    ck_assert_uint_eq(count, LAUNCHES_MOST);
    text_free(&text);
    arena_free(arena);
}
END_TEST

/* Its words become those of a command, of which systems take only so many bytes. */
START_TEST(a_launch_that_fits_into_no_command_is_refused)
{
    Arena *arena = arena_new();
    size_t count;
    for (size_t bytes = LAUNCH_BYTES_MOST; bytes <= LAUNCH_BYTES_MOST + 1; bytes++) {
        Text text = {0};
        text_add(&text, "// warpscope: --kernel a");
        while (text.length < bytes) text_add(&text, "a");
        CommentLaunch *launches = launches_read(text_string(&text), text.length, arena, &count);
        ck_assert_uint_eq(count, 1);
        ck_assert_int_eq(launches[0].refused != NULL, bytes > LAUNCH_BYTES_MOST);
        text_free(&text);
    }
    arena_free(arena);
}
END_TEST

/* --- compilers' words ----------------------------------------------------------------------------------------------------- */

static const struct {
    const char *line;
    MessageKind kind;
    const char *file;
    unsigned at, column;
    const char *message;
} messages[] = {
    {"a b.cu:3:5: error: expected ';'", MESSAGE_ERROR, "a b.cu", 3, 5, "expected ';'"},
    {"/x/a.cu:3:5: warning: unused 'i' [-Wunused]", MESSAGE_WARNING, "/x/a.cu", 3, 5, "unused 'i' [-Wunused]"},
    {"a.cu:3: fatal error: no", MESSAGE_ERROR, "a.cu", 3, 0, "no"},
    {"a.cu(14): error: expected a \";\"", MESSAGE_ERROR, "a.cu", 14, 0, "expected a \";\""},
    {"a.cu(2): warning #177-D: variable", MESSAGE_WARNING, "a.cu", 2, 0, "177-D: variable"},
    {"1 error generated.", MESSAGE_NONE, "", 0, 0, ""},
    {"a.cu:3:5: note: to match this", MESSAGE_NONE, "", 0, 0, ""},
};

START_TEST(what_compilers_write_is_read)
{
    Diag diag = {0};
    ck_assert_int_eq(message_read(messages[_i].line, strlen(messages[_i].line), &diag), messages[_i].kind);
    ck_assert_str_eq(diag.file, messages[_i].file);
    ck_assert_uint_eq(diag.line, messages[_i].at);
    ck_assert_uint_eq(diag.column, messages[_i].column);
    ck_assert_str_eq(diag.message, messages[_i].message);
}
END_TEST

/* --- remarks ------------------------------------------------------------------------------------------------------------- */

static json_t *ended(Remarks *remarks) {
    Text text = {0};
    remarks_end(remarks, &text);
    json_t *object = json_loads(text_string(&text), 0, NULL);
    ck_assert_ptr_nonnull(object);
    text_free(&text);
    return object;
}

static const char *label_at(const json_t *remarks, size_t index) {
    const json_t *line = json_array_get(json_object_get(remarks, "lines"), index);
    const char *label = json_string_value(json_object_get(line, "label"));
    return label ? label : "";
}

/* Numbers of one line, and what is said of it: 64 requests of 32 sectors are 2048; 87 of 100 of those hit. */
static const struct {
    const char *json, *label;
} labels[] = {
    {"{\"space\":\"global\",\"op\":\"load\",\"requests\":64,\"sectors\":2048,\"ideal_sectors\":256,\"l1_hit_sectors\":1782}",
     "32 sectors a request, 4 would do; 87% hit L1"},
    {"{\"space\":\"global\",\"op\":\"store\",\"requests\":8,\"sectors\":32,\"ideal_sectors\":32}",
     "4 sectors a request, the fewest"},
    {"{\"space\":\"global\",\"op\":\"load\",\"requests\":8,\"sectors\":8,\"ideal_sectors\":8,\"l1_hit_sectors\":0}",
     "1 sector a request, the fewest; 0% hit L1"},
    {"{\"space\":\"global\",\"op\":\"atomic\",\"requests\":2,\"sectors\":9,\"ideal_sectors\":8}",
     "4.5 sectors a request, 4 would do"},
    {"{\"space\":\"shared\",\"op\":\"load\",\"requests\":5,\"wavefronts\":20,\"bank_conflicts\":15}",
     "4 wavefronts a request, 3 conflicts"},
    {"{\"space\":\"shared\",\"op\":\"store\",\"requests\":5,\"wavefronts\":5,\"bank_conflicts\":0}",
     "1 wavefront a request, no conflict"},
    {"{\"space\":\"shared\",\"op\":\"load\",\"requests\":0,\"wavefronts\":0,\"bank_conflicts\":0,\"joined\":5}",
     "joined to another line's"},
};

START_TEST(a_line_is_spoken_of_in_a_few_words)
{
    Remarks remarks;
    json_t *line = json_loads(labels[_i].json, 0, NULL);
    remarks_begin(&remarks, "/a.cu", "one\ntwo\n", 8);
    json_object_set_new(line, "file", json_string("/a.cu"));
    json_object_set_new(line, "line", json_integer(2));
    json_t *report = json_pack("{s:s, s:[O, {s:s, s:i}]}", "kernel", "f(int)", "lines", line, "file", "/other.cu", "line", 1);
    remarks_add_launch(&remarks, 0, report);
    json_t *object = ended(&remarks);
    ck_assert_str_eq(label_at(object, 0), labels[_i].label);
    ck_assert_uint_eq(json_array_size(json_object_get(object, "lines")), 1); /* none of the other file */
    json_decref(report);
    json_decref(line);
    json_decref(object);
}
END_TEST

#define LINE(op, sectors)                                                                                        \
    "{\"file\":\"/a.cu\",\"line\":1,\"space\":\"global\",\"op\":\"" op "\",\"requests\":1,\"sectors\":" #sectors \
    ",\"ideal_sectors\":4}"

START_TEST(of_several_runs_the_worst_is_told)
{
    Remarks remarks;
    json_t *result =
        json_loads("{\"lab\":\"99\",\"title\":\"T\",\"score\":5,\"points\":10,\"runs\":["
                   "{\"name\":\"a\",\"text\":\"x\",\"report\":{\"lines\":[" LINE("store", 5) "," LINE(
                       "load", 4) "]}},"
                                  "{\"name\":\"b\",\"text\":\"y\",\"report\":{\"lines\":[" LINE("store", 7) "]}}]}",
                   0, NULL);
    remarks_begin(&remarks, "/a.cu", "one\n", 4);
    remarks_add_lab(&remarks, result);
    json_t *object = ended(&remarks);
    ck_assert_str_eq(label_at(object, 0), "Lab 99 T: 5 of 10 points");
    ck_assert_str_eq(label_at(object, 1),
                     "load: 4 sectors a request, the fewest; 0% hit L1 | store: 7 sectors a request, 4 would do");
    json_decref(result);
    json_decref(object);
}
END_TEST

/* A kernel whose numbers are to be predicted: they are told once the prediction is right. */
START_TEST(a_prediction_is_not_given_away)
{
    for (int told = 0; told < 2; told++) {
        Remarks remarks;
        json_t *result = json_pack("{s:[{s:s, s:b, s:{s:[{s:s, s:i, s:s, s:s, s:i, s:i}]}}]}", "runs", "name", "r",
                                   "to_predict", !told, "report", "lines", "file", "/a.cu", "line", 1, "space", "global", "op",
                                   "store", "requests", 1, "sectors", 16);
        ck_assert_ptr_nonnull(result);
        remarks_begin(&remarks, "/a.cu", "one\n", 4);
        remarks_add_lab(&remarks, result);
        json_t *object = ended(&remarks);
        ck_assert_uint_eq(json_array_size(json_object_get(object, "lines")), 1 + (unsigned)told);
        json_decref(result);
        json_decref(object);
    }
}
END_TEST

static json_t *diagnostic(const json_t *remarks, size_t index) {
    return json_array_get(json_object_get(remarks, "diagnostics"), index);
}

START_TEST(errors_stand_where_the_compiler_saw_them)
{
    const char *text = "first\n  \xf0\x9d\x84\x9e foo()\n";
    Remarks remarks;
    remarks_begin(&remarks, "/x/a.cu", text, strlen(text));
    remarks_add_messages(&remarks,
                         "/x/a.cu:2:8: error: one\nhere\na.cu(2): warning: two\n/y/h.cuh:7:1: error: three\n"
                         "/x/a.cu:2:8: error: one\n",
                         0);
    json_t *object = ended(&remarks);
    int line, begin, end, severity;
    ck_assert_uint_eq(json_array_size(json_object_get(object, "diagnostics")), 3);
    json_unpack(diagnostic(object, 0), "{s:{s:{s:i, s:i}, s:{s:i}}, s:i}", "range", "start", "line", &line, "character", &begin,
                "end", "character", &end, "severity", &severity);
    /* Byte 8 of the line is behind two blanks, four bytes of the letter and a blank: units 2 + 2 + 1. */
    ck_assert(line == 1 && begin == 5 && end == 10 && severity == 1);
    json_unpack(diagnostic(object, 1), "{s:{s:{s:i, s:i}}, s:i}", "range", "start", "line", &line, "character", &begin,
                "severity", &severity);
    ck_assert(line == 1 && begin == 2 && severity == 2);
    ck_assert_str_eq(json_string_value(json_object_get(diagnostic(object, 2), "message")), "/y/h.cuh:7: three");
    json_decref(object);
}
END_TEST

#define COUNT(table) (int)(sizeof(table) / sizeof *(table))

SUITE("lsp_text", REPEATED(COUNT(streams), messages_are_found_in_what_comes), a_header_without_end_takes_no_memory,
      a_message_has_its_bytes_counted, REPEATED(COUNT(uris), a_uri_names_a_path), a_path_becomes_a_uri_and_comes_back,
      REPEATED(COUNT(positions), positions_are_counted_in_utf_16), plain_letters_are_counted_alike,
      lines_are_found_wherever_they_end, a_line_ends_before_its_carriage_return,
      REPEATED(COUNT(edits), lines_keep_what_was_found_while_others_change),
      REPEATED(COUNT(comments), launches_are_read_from_comments), no_more_launches_than_are_allowed,
      a_launch_that_fits_into_no_command_is_refused, REPEATED(COUNT(messages), what_compilers_write_is_read),
      REPEATED(COUNT(labels), a_line_is_spoken_of_in_a_few_words), of_several_runs_the_worst_is_told,
      a_prediction_is_not_given_away, errors_stand_where_the_compiler_saw_them)
