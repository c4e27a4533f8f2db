#define _GNU_SOURCE /* memmem */
#include "cuda/relocated.h"

#include <ctype.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"

#define MARK "__static__"
#define LIST "@__clang_gpu_used_external = "

/* Bytes of a name behind its @, which is not in quotes: a variable's in PTX has none that need them. */
static size_t name_length(const char *at) {
    size_t length = 0;
    while (isalnum((unsigned char)at[length]) || at[length] == '_' || at[length] == '$' || at[length] == '.') length++;
    return length;
}

/* Where the line behind this one begins, or the text's end. */
static const char *next_line(const char *line, const char *end) {
    const char *stop = memchr(line, '\n', (size_t)(end - line));
    return stop ? stop + 1 : end;
}

/* A variable's plain name within the registered one. */
typedef struct Registered {
    const char *name;
    size_t plain, whole; /* bytes */
} Registered;

typedef struct RegisteredList {
    Registered *items;
    size_t count;
} RegisteredList;

static RegisteredList registered_find(const char *module, const char *end) {
    RegisteredList list = {0};
    for (const char *line = module; line < end; line = next_line(line, end)) {
        if (*line != '@') continue;
        const size_t whole = name_length(line + 1);
        const char *mark = memmem(line + 1, whole, MARK, strlen(MARK));
        if (mark) ALLOC_ADD(list.items, list.count) = (Registered){line + 1, (size_t)(mark - line - 1), whole};
    }
    return list;
}

static const Registered *registered_as(const RegisteredList *list, const char *name, size_t length) {
    for (size_t i = 0; i < list->count; i++)
        if (list->items[i].plain == length && memcmp(list->items[i].name, name, length) == 0) return &list->items[i];
    return NULL;
}

static bool declares(const RegisteredList *list, const char *line) {
    const size_t length = *line == '@' ? name_length(line + 1) : 0;
    return length && text_begins(line + 1 + length, " = external ") && registered_as(list, line + 1, length);
}

/* The list of what host code needs of other files, without its functions: `ptr @name`. */
static void copy_list(const char *line, const char *end, Text *out) {
    static const char element[] = "ptr @";
    for (const char *at = line + strlen(LIST), *found; at < end; line = at) {
        found = memmem(at, (size_t)(end - at), element, strlen(element));
        if (!found) break;
        text_add(out, "%.*sptr null", (int)(found - line), line);
        at = found + strlen(element);
        at += *at == '"' ? strcspn(at + 1, "\"") + 2 : name_length(at);
    }
    text_add(out, "%.*s", (int)(end - line), line);
}

static void copy_line(const RegisteredList *list, const char *line, const char *end, Text *out) {
    while (line < end) {
        const char *at = memchr(line, '@', (size_t)(end - line));
        if (!at) break;
        const size_t length = name_length(++at);
        const Registered *variable = registered_as(list, at, length);
        text_add(out, "%.*s", (int)(at - line), line);
        text_add(out, "%.*s", variable ? (int)variable->whole : (int)length, variable ? variable->name : at);
        line = at + length;
    }
    text_add(out, "%.*s", (int)(end - line), line);
}

void relocated_module(const char *module, size_t length, Text *out) {
    const char *end = module + length;
    RegisteredList list = registered_find(module, end);
    for (const char *line = module, *next; line < end; line = next) {
        next = next_line(line, end);
        if (text_begins(line, LIST))
            copy_list(line, next, out);
        else if (!declares(&list, line))
            copy_line(&list, line, next, out);
    }
    free(list.items);
}
