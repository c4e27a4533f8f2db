#define _GNU_SOURCE /* strchrnul */
#include "lab/given.h"

#include <ctype.h>
#include <inttypes.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include "input/declared.h"

enum { NAME_BYTES = 64 };

/* The text without what stands between the marks. */
static void add_outside(const char *text, Text *out) {
    while (*text) {
        const char *begin = strstr(text, "// BEGIN YOUR CODE"), *end = begin ? strstr(begin, "// END YOUR CODE") : NULL;
        text_add_bytes(out, text, begin ? (size_t)(begin - text) : strlen(text));
        if (!end) return;
        text = end + strlen("// END YOUR CODE");
    }
}

/* --- lines ---------------------------------------------------------------------------------------------------------------- */

/* A place in a text, between its lines. */
typedef struct LineWalk {
    const char *at;
    uint32_t line; /* the last one that was read, counted from 1 */
    bool is_yours; /* what follows stands between marks */
} LineWalk;

/* Whether there is a line: it, and whether it is the learner's; the marks are not. */
static bool next_line(LineWalk *walk, const char **line, size_t *length, bool *is_yours) {
    if (!*walk->at) return false;
    const char *end = strchrnul(walk->at, '\n');
    const char *begins = strstr(walk->at, "// BEGIN YOUR CODE"), *ends = strstr(walk->at, "// END YOUR CODE");
    if (ends && ends < end) walk->is_yours = false;
    *line = walk->at;
    *length = (size_t)(end - walk->at);
    *is_yours = walk->is_yours;
    if (begins && begins < end) walk->is_yours = true;
    walk->at = end + (*end != 0);
    walk->line++;
    return true;
}

bool given_is_yours(const char *text, uint32_t line) {
    LineWalk walk = {.at = text};
    const char *at;
    size_t length;
    bool is_yours = false, marked = strstr(text, "// BEGIN YOUR CODE") != NULL;
    while (walk.line < line && next_line(&walk, &at, &length, &is_yours))
        ;
    return is_yours || !marked;
}

/* The next line outside the marks that is more than blanks and a comment: without those. Empty where there is none. */
static void next_bare(LineWalk *walk, Text *bare) {
    const char *line;
    size_t length;
    bool is_yours;
    text_free(bare);
    while (!bare->length && next_line(walk, &line, &length, &is_yours))
        for (size_t i = 0; i < length && !is_yours && strncmp(line + i, "//", 2) != 0; i++)
            if (!isspace((unsigned char)line[i])) text_add_bytes(bare, line + i, 1);
}

uint32_t given_edited(const char *given, const char *text) {
    LineWalk was = {.at = given}, is = {.at = text};
    LOCAL_TEXT old = {0}, new = {0};
    do {
        next_bare(&was, &old);
        next_bare(&is, &new);
        if (strcmp(text_string(&old), text_string(&new)) != 0) return is.line;
    } while (old.length);
    return 0;
}

/* --- kernels -------------------------------------------------------------------------------------------------------------- */

static bool uses(const char *kernel, size_t length, const char *name) {
    size_t wanted = strlen(name);
    for (size_t i = 0; i + wanted <= length; i++)
        if (strncmp(kernel + i, name, wanted) == 0 && (i == 0 || !text_is_word(kernel[i - 1])) &&
            !text_is_word(kernel[i + wanted]))
            return true;
    return false;
}

/* Whether the kernel as it was given begins outside the marks. */
static bool is_outside(const char *given, const char *kernel) {
    LOCAL_TEXT outside = {0};
    add_outside(given, &outside);
    return declared_line(text_string(&outside), kernel, "__global__") != 0;
}

/* The kernel's name and its parameters, with single blanks; bare: only where a blank parts two words. Empty where it is not found. */
static void add_head(const char *text, const char *kernel, bool bare, Text *out) {
    size_t length;
    const char *start = declared_kernel(text, kernel, &length), *open = start ? strchr(start, '{') : NULL;
    for (const char *at = start; open && at < open; at++) {
        bool is_blank = isspace((unsigned char)*at), is_between = at > start && text_is_word(at[-1]) && text_is_word(at[1]);
        if (is_blank && (at[1] == '{' || isspace((unsigned char)at[1]) || (bare && !is_between))) continue;
        text_add_bytes(out, is_blank ? " " : at, 1);
    }
}

/* The parameter that begins here: its end; where its name begins. */
static const char *parameter_end(const char *at, const char **name) {
    const char *end = at + strcspn(at, ",)");
    *name = end;
    while (*name > at && text_is_word((*name)[-1])) --*name;
    return end;
}

/* Whether the parameters have other types, or each other's names. New names change nothing. */
static bool differs(const char *was, const char *is) {
    const char *all = was += strcspn(was, "(");
    is += strcspn(is, "(");
    while (*was && *is && *was != ')') {
        const char *old_name, *name, *old_end = parameter_end(was + 1, &old_name), *end = parameter_end(is + 1, &name);
        char called[NAME_BYTES];
        snprintf(called, sizeof called, "%.*s", (int)(end - name), name);
        bool same_type = old_name - was == name - is && strncmp(was, is, (size_t)(name - is)) == 0 && *end == *old_end;
        bool same_name = strncmp(old_name, called, strlen(called)) == 0 && !text_is_word(old_name[strlen(called)]);
        if (!same_type || (!same_name && uses(all, strlen(all), called))) return true;
        was = old_end, is = end;
    }
    return false;
}

/* Nothing where the parameters are the learner's own. */
static bool says_head(const char *given, const char *text, const char *kernel, Text *out) {
    LOCAL_TEXT was = {0}, is = {0};
    add_head(given, kernel, true, &was);
    add_head(text, kernel, true, &is);
    bool altered =
        differs(text_string(&was), text_string(&is)) && !strstr(text_string(&was), "YOUR CODE") && is_outside(given, kernel);
    if (altered) {
        text_add(out, "line %" PRIu32 " declares ", declared_line(text, kernel, "__global__"));
        add_head(text, kernel, false, out);
        text_add(out, "; the exercise gives it as ");
        add_head(given, kernel, false, out);
    }
    return altered;
}

void given_say_changes(const char *given, const char *text, const char *kernel, Text *out) {
    size_t length;
    const char *body = declared_kernel(text, kernel, &length);
    LOCAL_TEXT outside = {0};
    bool found = says_head(given, text, kernel, out);
    add_outside(given, &outside);
    for (const char *at = text_string(&outside); body && *at && !found; at += *at != 0) {
        char name[NAME_BYTES];
        size_t bytes = 0;
        for (; text_is_word(*at); at++)
            if (bytes < sizeof name - 1) name[bytes++] = *at;
        name[bytes] = 0;
        int64_t was, is;
        uint32_t line;
        if (!bytes || isdigit((unsigned char)*name)) continue;
        if (!declared_integer(text_string(&outside), name, &was, &line) || !uses(body, length, name)) continue;
        if (!declared_integer(text, name, &is, &line)) continue;
        found = was != is;
        if (found)
            text_add(out,
                     "%s is %" PRId64 " in line %u; the exercise gives it as %" PRId64
                     ", and the grader's launches rest on that",
                     name, is, line, was);
    }
}
