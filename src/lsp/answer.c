#include "lsp/answer.h"

#include <string.h>

#include "report/object.h"

/* Where the finding is now, or LINE_GONE. */
static long present_line(const Document *document, const json_t *found) {
    json_int_t line = json_integer_value(json_object_get(found, "line"));
    return line < 0 ? LINE_GONE : linemap_at(&document->shown, (size_t)line);
}

static bool is_within(long line, const json_t *range) {
    Position from, to;
    if (!range) return true;
    return document_read_position(json_object_get(range, "start"), &from) &&
           document_read_position(json_object_get(range, "end"), &to) && line >= (long)from.line && line <= (long)to.line;
}

static json_t *map_command(const Document *document, const char *title, long line, size_t map) {
    json_t *command = json_object();
    json_t *arguments = json_pack("[s, I, I]", document->uri, (json_int_t)line, (json_int_t)map);
    object_text(command, "title", title);
    object_text(command, "command", ANSWER_MAP_COMMAND);
    object_set(command, "arguments", arguments);
    return command;
}

json_t *answer_hints(const Document *document, const json_t *wanted) {
    json_t *hints = json_array(), *found;
    size_t i, begin, end;
    json_array_foreach(json_object_get(document->remarks, "lines"), i, found) {
        long line = present_line(document, found);
        if (line == LINE_GONE || !is_within(line, wanted)) continue;
        document_line_ends(document, (size_t)line, &begin, &end);
        json_t *hint = json_object();
        object_set(hint, "position", position_json((size_t)line, end));
        object_text(hint, "label", object_string(found, "label"));
        object_set(hint, "paddingLeft", json_true());
        json_array_append_new(hints, hint);
    }
    return hints;
}

json_t *answer_lenses(const Document *document) {
    json_t *lenses = json_array(), *found;
    size_t i, begin, end;
    json_array_foreach(json_object_get(document->remarks, "lines"), i, found) {
        long line = present_line(document, found);
        if (line == LINE_GONE) continue;
        document_line_ends(document, (size_t)line, &begin, &end);
        json_t *lens = json_object();
        object_set(lens, "range", position_range((size_t)line, begin, end));
        object_set(lens, "command", map_command(document, object_string(found, "label"), line, 0));
        json_array_append_new(lenses, lens);
    }
    return lenses;
}

/* Without the marks of Markdown, which the maps do not use. */
static json_t *without_marks(const char *hover) {
    LOCAL_TEXT text = {0};
    for (const char *at = hover; *at;) {
        size_t length = strcspn(at, "\n");
        if (strncmp(at, "```", 3) != 0) {
            for (size_t i = 0; i < length; i++)
                if (at[i] != '*' || at[i + 1] != '*')
                    text_add_bytes(&text, at + i, 1);
                else
                    i++;
            text_add(&text, "\n");
        }
        at += length + (at[length] == '\n');
    }
    return json_string(text_string(&text));
}

json_t *answer_hover(const Document *document, size_t wanted, bool markdown) {
    json_t *found;
    size_t i, begin, end;
    json_array_foreach(json_object_get(document->remarks, "lines"), i, found) {
        if (present_line(document, found) != (long)wanted) continue;
        const char *text = object_string(found, "hover");
        json_t *hover = json_object(), *contents = json_object();
        object_text(contents, "kind", markdown ? "markdown" : "plaintext");
        object_set(contents, "value", markdown ? json_string(text) : without_marks(text));
        object_set(hover, "contents", contents);
        document_line_ends(document, wanted, &begin, &end);
        object_set(hover, "range", position_range(wanted, begin, end));
        return hover;
    }
    return json_null();
}

json_t *answer_actions(const Document *document, const json_t *wanted) {
    json_t *actions = json_array(), *found, *map;
    size_t i, k;
    json_array_foreach(json_object_get(document->remarks, "lines"), i, found) {
        long line = present_line(document, found);
        if (line == LINE_GONE || !is_within(line, wanted)) continue;
        json_array_foreach(json_object_get(found, "maps"), k, map) {
            LOCAL_TEXT title = text_from("Show the map of line %ld: %s", line + 1, object_string(map, "title"));
            json_t *action = json_object();
            object_text(action, "title", text_string(&title));
            object_set(action, "command", map_command(document, text_string(&title), line, k));
            json_array_append_new(actions, action);
        }
    }
    return actions;
}

json_t *answer_diagnostics(const Document *document) {
    json_t *diagnostics = json_array(), *found;
    size_t i;
    json_array_foreach(json_object_get(document->remarks, "diagnostics"), i, found) {
        Position from, to;
        const json_t *where = json_object_get(found, "range");
        if (!document_read_position(json_object_get(where, "start"), &from) ||
            !document_read_position(json_object_get(where, "end"), &to))
            continue;
        long line = linemap_at(&document->shown, from.line);
        if (line == LINE_GONE) continue;
        json_t *diagnostic = json_copy(found);
        object_set(diagnostic, "range", position_range((size_t)line, from.character, to.character));
        json_array_append_new(diagnostics, diagnostic);
    }
    return diagnostics;
}

const char *answer_svg(const Document *document, size_t wanted, size_t map) {
    json_t *found;
    size_t i;
    json_array_foreach(json_object_get(document->remarks, "lines"), i, found) {
        if (present_line(document, found) != (long)wanted) continue;
        const char *svg = object_string(json_array_get(json_object_get(found, "maps"), map), "svg");
        return *svg ? svg : NULL;
    }
    return NULL;
}
