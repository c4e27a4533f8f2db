/* text.h: a growing string. Appending never fails visibly: running out of memory ends the program, as everywhere here. */
#pragma once

#include <errno.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

#include "base/alloc.h"

typedef struct Text {
    char *data; /* NUL-terminated once anything was added; NULL before */
    size_t length;
    size_t capacity;
} Text;

void text_add(Text *text, const char *format, ...) __attribute__((format(printf, 2, 3)));
void text_add_list(Text *text, const char *format, va_list args) __attribute__((format(printf, 2, 0)));
void text_add_bytes(Text *text, const char *bytes, size_t count);
void text_add_stream(Text *text, FILE *stream); /* all that is left of it */
void text_free(Text *text);                     /* back to the empty text */

/* Declares texts that are freed where their block ends. */
#define LOCAL_TEXT __attribute__((cleanup(text_free))) Text

/* A text that begins with this. */
Text text_from(const char *format, ...) __attribute__((format(printf, 1, 2)));

/* The text as a C string; "" when nothing was added. Valid until the next change. */
const char *text_string(const Text *text);

/* Whole file as NUL-terminated bytes (caller frees) with its length (unless NULL), or NULL with errno set. Files over limit bytes give EFBIG. It waits for
 * nothing and has an end: pipes, devices (/dev/null is an empty file), sockets and folders are refused, and of a file that grows, or of whose length the system says
 * nothing (/proc), only as many bytes are read as it had by its own word when it was opened. */
char *text_read_file(const char *path, size_t limit, size_t *length);

/* Writes a file of these bytes over what the path leads to. False with errno. */
bool text_write_file(const char *path, const char *bytes, size_t count);

/* Whether a file is there that text_read_file would read; false with errno. Compilers wait at pipes for ever, and read what has no use as well. */
bool text_file_readable(const char *path, size_t limit);

/* Whether it is /dev/null, which is read as an empty file and keeps nothing of what it is given. */
bool text_is_nowhere(const char *path);

/* errno of what is no regular file; no call here gives it otherwise, and each C library has it. */
enum { TEXT_NOT_REGULAR = EDOM };

/* Why it could not be read or written, from errno: strerror's words where there are no better ones. */
const char *text_file_problem(int error);

/* "b.cu" of "/a/b.cu": what stands behind the last '/', within the same bytes. */
const char *text_last_name(const char *path);

/* Whether it may stand within a name in C: a letter, a digit or _. */
bool text_is_word(char c);

bool text_begins(const char *text, const char *with);
bool text_ends(const char *text, const char *with); /* behind something else */

/* Where it stands first between two places; NULL: nowhere. */
const char *text_find(const char *from, const char *end, const char *what);
