#include "runtime/names.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"

/* The source without comments and strings: blanks stand for them. The caller frees. */
static char *without_comments(const char *source) {
    char *text = alloc_copy(source);
    for (char *at = text; *at;) {
        char *end = at;
        if (at[0] == '/' && at[1] == '/')
            end = at + strcspn(at, "\n");
        else if (at[0] == '/' && at[1] == '*')
            end = (end = strstr(at + 2, "*/")) ? end + 2 : at + strlen(at);
        else if (*at == '"')
            for (end = at + 1; *end && *end != '"' && *end != '\n'; end += end[0] == '\\' && end[1] ? 2 : 1) continue;
        if (end == at) {
            at++;
        } else {
            memset(at, ' ', (size_t)(end - at));
            at = end + (*end == '"');
        }
    }
    return text;
}

/* Whether __global__ stands between the end of the declaration before and here. */
static bool is_kernel(const char *text, const char *at) {
    const char *start = at;
    while (start > text && !strchr(";}", start[-1])) start--;
    const char *found = strstr(start, "__global__");
    return found && found < at;
}

/* The last word of a parameter, before its array extents or default value. */
static char *name_in(const char *start, const char *end) {
    for (const char *at = start; at < end; at++)
        if (*at == '=' || *at == '[') end = at;
    while (end > start && !text_is_word(end[-1])) end--;
    const char *word = end;
    while (word > start && text_is_word(word[-1])) word--;
    if (word == end || isdigit((unsigned char)*word)) return NULL;
    const char *before = word; /* a type alone has nothing in front of it */
    while (before > start && isspace((unsigned char)before[-1])) before--;
    return before > start ? strndup(word, (size_t)(end - word)) : NULL;
}

/* The parameters in the list that begins at its '('. */
static bool list_names(const char *at, uint32_t n, char **names) {
    uint32_t found = 0;
    int depth = 0;
    const char *start = at + 1;
    bool whole = false;
    for (; *at && !whole; at++) {
        bool opens = strchr("([{<", *at) != NULL, closes = strchr(")]}>", *at) != NULL;
        depth += opens - closes;
        if (!(depth == 0 && closes) && !(depth == 1 && *at == ',')) continue;
        if (found == n || !(names[found] = name_in(start, at))) break;
        found++;
        start = at + 1;
        whole = depth == 0;
    }
    if (whole && found == n) return true;
    while (found) {
        free(names[--found]);
        names[found] = NULL;
    }
    return false;
}

bool names_find(const char *source, const char *kernel, uint32_t n, char **names) {
    FREED char *text = without_comments(source);
    size_t length = strlen(kernel);
    bool good = false;
    for (const char *at = text; n && length && !good && (at = strstr(at, kernel)); at += length) {
        const char *list = at + length + strspn(at + length, " \t\r\n");
        good = (at == text || !text_is_word(at[-1])) && *list == '(' && is_kernel(text, at) && list_names(list, n, names);
    }
    return good;
}
