#include "lab/altered.h"

#include <ctype.h>
#include <inttypes.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include "input/declared.h"

enum { NAME_BYTES = 64 };

static bool is_word(char c) { return isalnum((unsigned char)c) || c == '_'; }

/* The text without what stands between the marks. */
static void add_outside(const char *text, Text *out) {
    while (*text) {
        const char *begin = strstr(text, "// BEGIN YOUR CODE"), *end = begin ? strstr(begin, "// END YOUR CODE") : NULL;
        text_add_bytes(out, text, begin ? (size_t)(begin - text) : strlen(text));
        if (!end) return;
        text = end + strlen("// END YOUR CODE");
    }
}

static bool uses(const char *kernel, size_t length, const char *name) {
    size_t wanted = strlen(name);
    for (size_t i = 0; i + wanted <= length; i++)
        if (strncmp(kernel + i, name, wanted) == 0 && (i == 0 || !is_word(kernel[i - 1])) && !is_word(kernel[i + wanted]))
            return true;
    return false;
}

void altered_say(const char *given, const char *text, const char *kernel, Text *out) {
    size_t length;
    const char *body = declared_kernel(text, kernel, &length);
    Text outside = {0};
    bool found = false;
    add_outside(given, &outside);
    for (const char *at = text_string(&outside); body && *at && !found; at += *at != 0) {
        char name[NAME_BYTES];
        size_t bytes = 0;
        for (; is_word(*at); at++)
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
    text_free(&outside);
}
