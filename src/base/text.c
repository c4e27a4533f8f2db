#define _GNU_SOURCE /* memmem */
#include "base/text.h"

#include <ctype.h>
#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

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

void text_add_list(Text *text, const char *format, va_list args) {
    va_list again;
    va_copy(again, args);
    int count = vsnprintf(NULL, 0, format, args);
    if (count > 0) {
        text_reserve(text, (size_t)count);
        vsnprintf(text->data + text->length, (size_t)count + 1, format, again);
        text->length += (size_t)count;
    }
    va_end(again);
}

void text_add(Text *text, const char *format, ...) {
    va_list args;
    va_start(args, format);
    text_add_list(text, format, args);
    va_end(args);
}

Text text_from(const char *format, ...) {
    Text text = {0};
    va_list args;
    va_start(args, format);
    text_add_list(&text, format, args);
    va_end(args);
    return text;
}

void text_free(Text *text) {
    free(text->data);
    *text = (Text){0};
}

const char *text_string(const Text *text) { return text->data ? text->data : ""; }

const char *text_file_problem(int error) {
    return error == EISDIR             ? "it is a directory"
           : error == TEXT_NOT_REGULAR ? "it is no regular file, but a pipe, a device or the like"
                                       : strerror(error);
}

static bool is_regular(const struct stat *status) {
    if (!S_ISREG(status->st_mode)) errno = S_ISDIR(status->st_mode) ? EISDIR : TEXT_NOT_REGULAR;
    return S_ISREG(status->st_mode);
}

bool text_file_readable(const char *path, size_t limit) {
    struct stat status;
    if (access(path, R_OK) != 0 || stat(path, &status) != 0 || !is_regular(&status)) return false;
    if ((uintmax_t)status.st_size > limit) errno = EFBIG;
    return (uintmax_t)status.st_size <= limit;
}

/* Looked at before it is opened too, since opening a device may already do something; what was put there meanwhile does not wait. */
static int open_regular(const char *path, struct stat *status) {
    if (!text_file_readable(path, SIZE_MAX)) return -1;
    int fd = open(path, O_RDONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC);
    if (fd < 0 || (fstat(fd, status) == 0 && is_regular(status))) return fd;
    int error = errno;
    close(fd);
    errno = error;
    return -1;
}

/* Not more bytes than it said that it has. False with errno. */
static bool read_bytes(int fd, size_t most, Text *text) {
    text_reserve(text, most);
    while (text->length < most) {
        ssize_t got = read(fd, text->data + text->length, most - text->length);
        if (got < 0 && errno == EINTR) continue;
        if (got < 0) return false;
        if (got == 0) break;
        text->length += (size_t)got;
    }
    text->data[text->length] = 0;
    return true;
}

bool text_is_nowhere(const char *path) { return strcmp(path, "/dev/null") == 0; }

char *text_read_file(const char *path, size_t limit, size_t *length) {
    struct stat status;
    Text text = {0};
    if (length) *length = 0;
    if (text_is_nowhere(path)) return alloc_copy("");
    int fd = open_regular(path, &status), error = 0;
    if (fd < 0) return NULL;
    if ((uintmax_t)status.st_size > limit)
        error = EFBIG;
    else if (!read_bytes(fd, (size_t)status.st_size, &text))
        error = errno;
    close(fd);
    if (error) text_free(&text);
    if (length) *length = text.length;
    errno = error;
    return text.data;
}

bool text_write_file(const char *path, const char *bytes, size_t count) {
    FILE *file = fopen(path, "wb");
    bool fine = file && fwrite(bytes, 1, count, file) == count;
    return file && fclose(file) == 0 && fine;
}

const char *text_last_name(const char *path) {
    const char *slash = strrchr(path, '/');
    return slash ? slash + 1 : path;
}

bool text_is_word(char c) { return isalnum((unsigned char)c) || c == '_'; }

bool text_begins(const char *text, const char *with) { return strncmp(text, with, strlen(with)) == 0; }

bool text_ends(const char *text, const char *with) {
    size_t length = strlen(text), ending = strlen(with);
    return length > ending && strcmp(text + length - ending, with) == 0;
}

const char *text_find(const char *from, const char *end, const char *what) {
    return from < end ? memmem(from, (size_t)(end - from), what, strlen(what)) : NULL;
}
