#define _GNU_SOURCE /* memmem */
#include "lsp/wire.h"

#include <string.h>
#include <strings.h>

#include "input/numbers.h"
#include "report/object.h"

#define LENGTH "Content-Length:"

void wire_feed(WireReader *reader, const char *bytes, size_t count) { text_add_bytes(&reader->bytes, bytes, count); }

void wire_free(WireReader *reader) {
    text_free(&reader->bytes);
    *reader = (WireReader){0};
}

/* Makes room: what was used goes once it is more than half, so that each byte is moved about once. */
static void forget_used(WireReader *reader) {
    Text *bytes = &reader->bytes;
    size_t left = bytes->length - reader->used;
    if (!left) {
        text_free(bytes);
    } else if (reader->used > left) {
        memmove(bytes->data, bytes->data + reader->used, left + 1);
        bytes->length = left;
    } else {
        return;
    }
    reader->used = 0;
}

/* Drops what stands before the next header. False where there is none yet; then no more is kept than what may be its beginning. */
static bool find_header(WireReader *reader) {
    const char *at = text_string(&reader->bytes) + reader->used;
    size_t left = reader->bytes.length - reader->used, keep = sizeof LENGTH - 2;
    const char *found = memmem(at, left, LENGTH, sizeof LENGTH - 1);
    reader->used += found ? (size_t)(found - at) : left > keep ? left - keep : 0;
    reader->is_lost = !found;
    return found;
}

/* One line of a header, of `length` bytes. False where it is a length that cannot be. */
static bool read_line(const char *line, size_t length, uint64_t *body_bytes, bool *has_length) {
    size_t name = sizeof LENGTH - 1;
    if (length < name || strncasecmp(line, LENGTH, name) != 0) return memchr(line, ':', length) != NULL;
    while (name < length && (line[name] == ' ' || line[name] == '\t')) name++;
    while (length > name && (line[length - 1] == ' ' || line[length - 1] == '\t')) length--;
    *has_length = number_unsigned(line + name, length - name, WIRE_MESSAGE_BYTES, body_bytes);
    return *has_length;
}

/* Reads the header lines at *at and moves it behind their empty line. */
static WireStatus read_header(const char **at, const char *end, uint64_t *body_bytes) {
    const char *begin = *at;
    bool has_length = false;
    for (const char *line = begin, *next; (next = memchr(line, '\n', (size_t)(end - line))); line = next + 1) {
        size_t length = (size_t)(next - line);
        if (length && line[length - 1] == '\r') length--;
        if (!length) {
            *at = next + 1;
            return has_length ? WIRE_MESSAGE : WIRE_BAD_HEADER;
        }
        if (next - begin > WIRE_HEADER_BYTES || !read_line(line, length, body_bytes, &has_length)) return WIRE_BAD_HEADER;
    }
    return end - begin > WIRE_HEADER_BYTES ? WIRE_BAD_HEADER : WIRE_NONE;
}

WireStatus wire_take(WireReader *reader, json_t **message) {
    *message = NULL;
    if (reader->is_lost && !find_header(reader)) {
        forget_used(reader);
        return WIRE_NONE;
    }
    const char *begin = text_string(&reader->bytes), *at = begin + reader->used, *end = begin + reader->bytes.length;
    uint64_t body_bytes = 0;
    WireStatus status = read_header(&at, end, &body_bytes);
    if (status == WIRE_BAD_HEADER) {
        /* Behind its first letter, so that the same header is not found again. */
        reader->used++;
        reader->is_lost = true;
        return status;
    }
    if (status == WIRE_NONE || (uint64_t)(end - at) < body_bytes) return WIRE_NONE;
    *message = json_loadb(at, body_bytes, JSON_ALLOW_NUL, NULL);
    reader->used = (size_t)(at - begin) + body_bytes;
    forget_used(reader);
    return *message ? WIRE_MESSAGE : WIRE_BAD_JSON;
}

void wire_put(Text *out, json_t *message) {
    LOCAL_TEXT body = {0};
    object_write(message, JSON_COMPACT, &body);
    json_decref(message);
    text_add(out, LENGTH " %zu\r\n\r\n", body.length);
    text_add_bytes(out, text_string(&body), body.length);
}
