#include "lsp/remarks.h"

#include <string.h>

#include "cuda/message.h"
#include "lsp/lines.h"
#include "lsp/position.h"
#include "report/object.h"
#include "report/plain.h"

void remarks_begin(Remarks *remarks, const char *path, const char *text, size_t length) {
    *remarks = (Remarks){.path = path,
                         .text = text,
                         .length = length,
                         .reports = json_array(),
                         .lines = json_array(),
                         .diagnostics = json_array()};
}

void remarks_end(Remarks *remarks, Text *out) {
    lines_add(remarks->reports, remarks->path, remarks->lines);
    json_auto_t *object = json_object();
    object_set(object, "lines", remarks->lines);
    object_set(object, "diagnostics", remarks->diagnostics);
    object_text(object, "said", text_string(&remarks->said));
    if (remarks->goals) object_set(object, "goals", remarks->goals);
    if (remarks->unsandboxed.length) object_text(object, "unsandboxed", text_string(&remarks->unsandboxed));
    object_write(object, JSON_COMPACT, out);
    json_decref(remarks->reports);
    text_free(&remarks->said);
    text_free(&remarks->unsandboxed);
    *remarks = (Remarks){0};
}

void remarks_add_diagnostic(Remarks *remarks, size_t line, size_t column, Severity severity, const char *code,
                            const char *message) {
    size_t bytes, begin = 0;
    const char *text = position_line(remarks->text, remarks->length, line, &bytes);
    while (begin < bytes && (text[begin] == ' ' || text[begin] == '\t')) begin++;
    if (column && column <= bytes) begin = column - 1;
    json_t *object = json_object();
    object_set(object, "range", position_range(line, position_units(text, begin), position_units(text, bytes)));
    object_number(object, "severity", severity);
    object_text(object, "source", "warpscope");
    if (*code) object_text(object, "code", code);
    object_text(object, "message", message);
    size_t i;
    json_t *earlier;
    json_array_foreach(remarks->diagnostics, i, earlier) {
        if (!json_equal(earlier, object)) continue;
        json_decref(object); /* each launch compiles the file */
        return;
    }
    json_array_append_new(remarks->diagnostics, object);
}

/* --- what a compiler says ------------------------------------------------------------------------------------------------- */

/* Whether the line is a message of an error. What is wrong in another file, which is included, is said in the first line. */
static bool add_message(Remarks *remarks, const char *line, size_t length) {
    Diag diag = {0};
    MessageKind kind = message_read(line, length, &diag);
    if (kind == MESSAGE_NONE) return false;
    Severity severity = kind == MESSAGE_ERROR ? SEVERITY_ERROR : SEVERITY_WARNING;
    if (diag.line && strcmp(text_last_name(diag.file), text_last_name(remarks->path)) == 0) {
        remarks_add_diagnostic(remarks, diag.line - 1, diag.column, severity, "", diag.message);
    } else {
        LOCAL_TEXT text = text_from("%s:%u: %s", diag.file, diag.line, diag.message);
        remarks_add_diagnostic(remarks, 0, 0, severity, "", text_string(&text));
    }
    return kind == MESSAGE_ERROR;
}

void remarks_add_messages(Remarks *remarks, const char *messages, long line) {
    bool read = false;
    for (const char *at = messages; *at;) {
        size_t length = strcspn(at, "\n");
        read |= add_message(remarks, at, length);
        at += length + (at[length] == '\n');
    }
    if (!read && line >= 0 && *messages) remarks_add_diagnostic(remarks, (size_t)line, 0, SEVERITY_ERROR, "", messages);
}

/* --- a launch ------------------------------------------------------------------------------------------------------------- */

static void add_report(Remarks *remarks, const char *title, json_t *report) {
    json_t *object = json_object();
    object_text(object, "title", title);
    object_set(object, "report", json_incref(report));
    json_array_append_new(remarks->reports, object);
}

static void add_line(Remarks *remarks, size_t line, const char *label, const char *hover) {
    json_t *object = json_object();
    object_number(object, "line", line);
    object_text(object, "label", label);
    object_text(object, "hover", hover);
    object_set(object, "maps", json_array());
    json_array_append_new(remarks->lines, object);
}

/* "…, block (7,0,0), thread (104,0,0)". */
static void add_three(const json_t *fault, const char *key, Text *out) {
    const json_t *three = json_object_get(fault, key);
    if (json_array_size(three) != 3) return;
    text_add(out, ", %s (", key);
    for (size_t i = 0; i < 3; i++) text_add(out, i ? ",%lld" : "%lld", (long long)json_integer_value(json_array_get(three, i)));
    text_add(out, ")");
}

static void add_faults(Remarks *remarks, size_t line, const json_t *report) {
    size_t i;
    json_t *fault;
    json_array_foreach(json_object_get(report, "faults"), i, fault) {
        size_t at = (size_t)json_integer_value(json_object_get(fault, "line"));
        bool here = at && strcmp(text_last_name(object_string(fault, "file")), text_last_name(remarks->path)) == 0;
        LOCAL_TEXT text = text_from("%s", object_string(fault, "message"));
        add_three(fault, "block", &text);
        add_three(fault, "thread", &text);
        size_t column = here ? (size_t)json_integer_value(json_object_get(fault, "column")) : 0;
        remarks_add_diagnostic(remarks, here ? at - 1 : line, column, SEVERITY_ERROR, object_string(fault, "kind"),
                               text_string(&text));
    }
}

static uint64_t count_at(const json_t *report, const char *space, const char *key) {
    return (uint64_t)json_integer_value(json_object_get(json_object_get(report, space), key));
}

/* What a launch took as a whole, at the comment that asked for it. */
static void add_totals(Remarks *remarks, size_t line, const char *title, const json_t *report) {
    const json_t *model = json_object_get(report, "model");
    if (!model) return;
    LOCAL_TEXT label = text_from("%s modelled", plain_time(json_number_value(json_object_get(model, "time_us"))).text);
    LOCAL_TEXT hover = text_from("**%s**\n\n%s\n\nL2: ", title, text_string(&label));
    text_add(&hover, "%s sectors read, ", plain_number(count_at(report, "l2", "read_sectors")).text);
    text_add(&hover, "%s written\n\nDRAM: ", plain_number(count_at(report, "l2", "write_sectors")).text);
    text_add(&hover, "%s read, ", plain_bytes(count_at(report, "dram", "read_bytes")).text);
    text_add(&hover, "%s written\n", plain_bytes(count_at(report, "dram", "write_bytes")).text);
    add_line(remarks, line, text_string(&label), text_string(&hover));
}

void remarks_add_launch(Remarks *remarks, size_t line, const json_t *report) {
    const char *kernel = object_string(report, "kernel");
    LOCAL_TEXT title = text_from("%.*s", (int)strcspn(kernel, "("), kernel);
    text_add(&remarks->said, "%s%s", remarks->said.length ? ", " : "launched ", text_string(&title));
    add_three(report, "grid", &title);
    add_three(report, "block", &title);
    add_report(remarks, text_string(&title), (json_t *)report);
    add_faults(remarks, line, report);
    add_totals(remarks, line, text_string(&title), report);
}

/* --- a lab ---------------------------------------------------------------------------------------------------------------- */

static void add_runs(Remarks *remarks, const json_t *result) {
    size_t i;
    json_t *run;
    json_array_foreach(json_object_get(result, "runs"), i, run) {
        json_t *report = json_object_get(run, "report");
        if (!report || json_is_true(json_object_get(run, "to_predict"))) continue; /* its numbers are not told yet */
        LOCAL_TEXT title = text_from("%s: %s", object_string(run, "name"), object_string(run, "text"));
        add_report(remarks, text_string(&title), report);
    }
}

static void add_cause(Remarks *remarks, const json_t *cause) {
    bool wrong = strcmp(object_string(cause, "severity"), "wrong") == 0;
    size_t line = (size_t)json_integer_value(json_object_get(cause, "line"));
    size_t column = (size_t)json_integer_value(json_object_get(cause, "column"));
    const char *where = object_string(cause, "where"), *hint = object_string(cause, "hint");
    const char *goal = object_string(cause, "goal");
    LOCAL_TEXT text = {0};
    if (*where) text_add(&text, "%s: ", where);
    text_add(&text, "%s", object_string(cause, "message"));
    if (*hint) text_add(&text, "\n%s", hint);
    remarks_add_diagnostic(remarks, line ? line - 1 : 0, line ? column : 0, wrong ? SEVERITY_ERROR : SEVERITY_WARNING,
                           *goal ? goal : object_string(cause, "kind"), text_string(&text));
}

static void add_goals(Remarks *remarks, const json_t *result) {
    static const char *const keys[] = {"name", "score", "points", "met", "advice"};
    size_t i;
    json_t *goal;
    remarks->goals = json_array();
    json_array_foreach(json_object_get(result, "goals"), i, goal) {
        if (json_number_value(json_object_get(goal, "points")) <= 0) continue;
        json_t *of = json_object();
        for (size_t k = 0; k < sizeof keys / sizeof *keys; k++)
            if (json_object_get(goal, keys[k])) object_set(of, keys[k], json_incref(json_object_get(goal, keys[k])));
        json_array_append_new(remarks->goals, of);
    }
}

void remarks_add_lab(Remarks *remarks, const json_t *result) {
    const char *refused = object_string(result, "refused");
    const char *unable = object_string(json_object_get(result, "error"), "message");
    const char *lab = object_string(result, "lab"), *title = object_string(result, "title");
    size_t i;
    json_t *cause;
    if (*unable) {
        remarks_add_diagnostic(remarks, 0, 0, SEVERITY_INFORMATION, "", unable);
        text_add(&remarks->said, "Lab %s %s could not be graded", lab, title);
        return;
    }
    if (*refused) {
        remarks_add_messages(remarks, refused, 0);
        text_add(&remarks->said, "Lab %s %s: not graded, as the file was refused", lab, title);
        return;
    }
    add_runs(remarks, result);
    add_goals(remarks, result);
    json_array_foreach(json_object_get(result, "causes"), i, cause) add_cause(remarks, cause);
    text_add(&remarks->said, "Lab %s %s: %g of %g points", lab, title, json_number_value(json_object_get(result, "score")),
             json_number_value(json_object_get(result, "points")));
    LOCAL_TEXT shown = text_from("```text\n%s```\n", object_string(result, "shown"));
    add_line(remarks, 0, text_string(&remarks->said), text_string(&shown));
}
