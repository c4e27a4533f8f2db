#include "base/text.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/alloc.h"

static void text_reserve(Text *text, size_t extra) {
    if (text->length + extra + 1 <= text->capacity) return;
    size_t capacity = text->capacity ? text->capacity * 2 : 256;
    while (capacity < text->length + extra + 1) capacity *= 2;
    text->data = alloc_resize(text->data, capacity, 1);
    text->capacity = capacity;
}

void text_add_bytes(Text *text, const char *bytes, size_t count) {
    text_reserve(text, count);
    if (count) memcpy(text->data + text->length, bytes, count);
    text->length += count;
    text->data[text->length] = 0;
}

void text_add_stream(Text *text, FILE *stream) {
    char bytes[4096];
    for (size_t count; (count = fread(bytes, 1, sizeof bytes, stream)) > 0;) text_add_bytes(text, bytes, count);
}

void text_add(Text *text, const char *format, ...) {
    va_list args, again;
    va_start(args, format);
    va_copy(again, args);
    int count = vsnprintf(NULL, 0, format, args);
    va_end(args);
    if (count > 0) {
        text_reserve(text, (size_t)count);
        vsnprintf(text->data + text->length, (size_t)count + 1, format, again);
        text->length += (size_t)count;
    }
    va_end(again);
}

void text_free(Text *text) {
    free(text->data);
    *text = (Text){0};
}

const char *text_string(const Text *text) { return text->data ? text->data : ""; }

char *text_read_file(const char *path, size_t limit, size_t *length) {
    FILE *file = fopen(path, "rb");
    if (!file) return NULL;
    struct stat status;
    if (fstat(fileno(file), &status) == 0 && S_ISDIR(status.st_mode)) {
        fclose(file);
        errno = EISDIR;
        return NULL;
    }
    Text text = {0};
    char chunk[65536];
    size_t count;
    while ((count = fread(chunk, 1, sizeof chunk, file)) > 0) {
        if (text.length + count > limit) {
            fclose(file);
            text_free(&text);
            errno = EFBIG;
            return NULL;
        }
        text_add_bytes(&text, chunk, count);
    }
    int failed = ferror(file);
    fclose(file);
    if (failed) {
        text_free(&text);
        errno = EIO;
        return NULL;
    }
    text_add_bytes(&text, "", 0);
    *length = text.length;
    return text.data;
}

const char *text_last_name(const char *path) {
    const char *slash = strrchr(path, '/');
    return slash ? slash + 1 : path;
}
