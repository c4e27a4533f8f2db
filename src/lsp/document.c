#include "lsp/document.h"

#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "lsp/uri.h"

Document *document_new(const char *uri) {
    Document *document = alloc_zeroed(1, sizeof *document);
    LOCAL_TEXT path = {0};
    document->uri = alloc_copy(uri);
    if (uri_path(uri, &path)) document->path = alloc_copy(text_string(&path));
    document->version = -1;
    return document;
}

void document_free(Document *document) {
    free(document->uri);
    free(document->path);
    text_free(&document->text);
    json_decref(document->remarks);
    linemap_free(&document->shown);
    linemap_free(&document->graded);
    free(document);
}

/* What is too large is not kept: where things are in it took each edit longer than its writer. */
static void measure(Document *document) {
    document->is_large = document->text.length > DOCUMENT_BYTES;
    if (!document->is_large) return;
    text_free(&document->text);
    linemap_free(&document->shown);
    linemap_free(&document->graded);
    json_decref(document->remarks);
    document->remarks = NULL;
}

void document_set_text(Document *document, const json_t *text) {
    text_free(&document->text);
    text_add_bytes(&document->text, json_is_string(text) ? json_string_value(text) : "", json_string_length(text));
    measure(document);
}

bool document_read_position(const json_t *object, Position *position) {
    const json_t *line = json_object_get(object, "line"), *character = json_object_get(object, "character");
    json_int_t l = json_integer_value(line), c = json_integer_value(character);
    if (!json_is_integer(line) || !json_is_integer(character) || l < 0 || c < 0 || l > INT32_MAX) return false;
    *position = (Position){(size_t)l, (size_t)c};
    return true;
}

void document_line_ends(const Document *document, size_t line, size_t *begin, size_t *end) {
    size_t bytes, blanks = 0;
    const char *at = position_line(text_string(&document->text), document->text.length, line, &bytes);
    while (blanks < bytes && (at[blanks] == ' ' || at[blanks] == '\t')) blanks++;
    *begin = blanks;
    *end = position_units(at, bytes);
}

static void replace(Document *document, Position from, Position to, const char *text, size_t count) {
    const char *old = text_string(&document->text);
    size_t length = document->text.length, bytes;
    const char *line = position_line(old, length, from.line, &bytes);
    const size_t before = (size_t)(line - old), units = position_units(line, bytes);
    const size_t begin = before + position_offset(line, length - before, (Position){0, from.character});
    const size_t end = before + position_offset(line, length - before, (Position){to.line - from.line, to.character});
    if (end < begin) return;
    Text now = {0};
    text_add_bytes(&now, old, begin);
    text_add_bytes(&now, text, count);
    text_add_bytes(&now, old + end, length - end);
    text_free(&document->text);
    document->text = now;
    linemap_edit(&document->shown, from, units, to, text, count);
    linemap_edit(&document->graded, from, units, to, text, count);
    measure(document);
}

void document_change(Document *document, const json_t *change) {
    const json_t *text = json_object_get(change, "text"), *range = json_object_get(change, "range");
    Position from, to;
    if (!json_is_string(text)) return;
    if (!range) {
        /* What has become of a line cannot be known. Nothing has where the text is the same. */
        bool same = json_string_length(text) == document->text.length &&
                    memcmp(json_string_value(text), text_string(&document->text), document->text.length) == 0;
        if (same) return;
        document_set_text(document, text);
        linemap_free(&document->shown);
        linemap_free(&document->graded);
    } else if (!document->is_large && document_read_position(json_object_get(range, "start"), &from) &&
               document_read_position(json_object_get(range, "end"), &to) && from.line <= to.line) {
        replace(document, from, to, json_string_value(text), json_string_length(text));
    }
}

void document_begin(Document *document) {
    linemap_begin(&document->graded, position_count_lines(text_string(&document->text), document->text.length) + 1);
}

void document_finish(Document *document, json_t *remarks) {
    LineMap before = document->shown;
    document->shown = document->graded;
    document->graded = (LineMap){0};
    linemap_free(&before);
    json_decref(document->remarks);
    document->remarks = remarks;
}
