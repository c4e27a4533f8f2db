#include "class/tables.h"

#include <stdlib.h>
#include <string.h>

#include "base/visible.h"
#include "lab/replace.h"

enum { FILE_BYTES = 1 << 30 };

bool table_put(const char *out, const char *name, const Text *text, Diag *diag) {
    Text path = {0};
    size_t length = 0;
    text_add(&path, "%s/%s", out, name);
    char *before = text_read_file(text_string(&path), FILE_BYTES, &length);
    bool same = before && length == text->length && memcmp(before, text_string(text), length) == 0;
    bool good = same || file_replace(text_string(&path), text_string(text), text->length, diag);
    free(before);
    text_free(&path);
    return good;
}

void table_cell(Text *out, const char *value) {
    Text visible = {0};
    visible_add_line(&visible, value);
    const char *text = text_string(&visible);
    bool formula = *text && strchr("=+-@", *text);
    if (out->length && out->data[out->length - 1] != '\n') text_add(out, ",");
    if (!formula && !text[strcspn(text, ",\"\n'")]) {
        text_add(out, "%s", text);
    } else {
        text_add(out, "\"%s", formula ? "'" : "");
        for (; *text; text++) text_add(out, *text == '"' ? "\"\"" : "%c", *text);
        text_add(out, "\"");
    }
    text_free(&visible);
}
