#include "class/tables.h"

#include <stdlib.h>
#include <string.h>

#include "host/replace.h"

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
