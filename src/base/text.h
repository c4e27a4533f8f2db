/* text.h: a growing string. Appending never fails visibly: running out of memory ends the program, as everywhere here. */
#pragma once

#include <stddef.h>
#include <stdio.h>

typedef struct Text {
    char *data; /* NUL-terminated once anything was added; NULL before */
    size_t length;
    size_t capacity;
} Text;

void text_add(Text *text, const char *format, ...) __attribute__((format(printf, 2, 3)));
void text_add_bytes(Text *text, const char *bytes, size_t count);
void text_add_stream(Text *text, FILE *stream); /* all that is left of it */
void text_free(Text *text);                     /* back to the empty text */

/* The text as a C string; "" when nothing was added. Valid until the next change. */
const char *text_string(const Text *text);

/* Whole file as NUL-terminated bytes (caller frees) with its length, or NULL with errno set. Files over limit bytes give EFBIG. */
char *text_read_file(const char *path, size_t limit, size_t *length);

/* "b.cu" of "/a/b.cu": what stands behind the last '/', within the same bytes. */
const char *text_last_name(const char *path);
