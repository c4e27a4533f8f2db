#include "lab/declared.h"

#include <ctype.h>
#include <stdbool.h>
#include <string.h>

static bool is_word(char c) { return isalnum((unsigned char)c) || c == '_'; }

static uint32_t line_at(const char *text, const char *at) {
    uint32_t line = 1;
    for (; text < at; text++) line += *text == '\n';
    return line;
}

/* Whether `mark` stands between the end of the statement or body before and the word. */
static bool is_headed_by(const char *text, const char *word, const char *mark) {
    size_t length = strlen(mark);
    for (const char *at = word; at > text && !strchr(";}", at[-1]); at--)
        if (strncmp(at, mark, length) == 0) return true;
    return false;
}

static const char *find(const char *text, const char *name, const char *mark) {
    size_t length = strlen(name);
    for (const char *at = text; length && (at = strstr(at, name)); at += length)
        if ((at == text || !is_word(at[-1])) && !is_word(at[length]) && is_headed_by(text, at, mark)) return at;
    return NULL;
}

uint32_t declared_line(const char *text, const char *name, const char *mark) {
    const char *at = find(text, name, mark);
    return at ? line_at(text, at) : 0;
}

uint32_t declared_prediction(const char *text, const char *metric) {
    const char *name = strncmp(metric, "right.", 6) == 0 ? metric + 6 : "";
    size_t length = strlen(name);
    for (const char *at = text; length && (at = strstr(at, "\nPREDICT")); at++) {
        const char *row = at + 1 + strcspn(at + 1, "(\n");
        if (*row == '(' && strncmp(row + 1, name, length) == 0 && row[1 + length] == ',') return line_at(text, at + 1);
    }
    return declared_line(text, name, "__constant__");
}

/* Behind the comment, string or character that begins here; else the next character. */
static const char *skip(const char *at) {
    const char *end = NULL;
    if (strncmp(at, "//", 2) == 0) return at + strcspn(at, "\n");
    if (strncmp(at, "/*", 2) == 0) return (end = strstr(at + 2, "*/")) ? end + 2 : at + strlen(at);
    if (*at != '"' && *at != '\'') return at + 1;
    for (end = at + 1; *end && *end != *at && *end != '\n'; end++) end += *end == '\\' && end[1];
    return end + (*end == *at);
}

const char *declared_kernel(const char *text, const char *name, size_t *length) {
    const char *start = find(text, name, "__global__"), *at = start;
    int depth = 0;
    while (at && *at) {
        depth += (*at == '{') - (*at == '}');
        bool ends = *at == '}' && depth <= 0;
        at = skip(at);
        if (ends) break;
    }
    *length = start ? (size_t)(at - start) : 0;
    return start;
}
