#define _GNU_SOURCE /* memmem, realpath */
#include "cuda/standalone.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "cuda/options.h"

/* Where one stands, the result may differ with the time, with what other files there are, or with the file's name and folder (from NAMING on). The
 * last three of the first kind are other spellings of # and of a \. */
static const char *const asking[] = {
    "__DATE", "__TIME", "__has_", "_Pragma",     "incbin",         "__INCLUDE_LEVEL", "%:",
    "?\?=",   "?\?/",   "__FILE", "__BASE_FILE", "__builtin_FILE", "source_location", "assert"};
enum { NAMING = 9, ASKING = sizeof asking / sizeof *asking };

static const char *const directives[] = {"define", "undef", "if",    "ifdef",  "ifndef", "elif",
                                         "else",   "endif", "error", "pragma", "warning"};

/* The text as the preprocessor joins its lines: without a \ at the end of a line, be there spaces behind it, as compilers allow, or not. */
static Text joined_lines(const char *text, size_t length) {
    Text joined = {0};
    for (size_t at = 0; at < length; at++) {
        size_t behind = at + 1;
        while (text[at] == '\\' && behind < length && strchr(" \t\r\f\v", text[behind])) behind++;
        if (text[at] == '\\' && behind < length && text[behind] == '\n')
            at = behind;
        else
            text_add_bytes(&joined, text + at, 1);
    }
    return joined;
}

/* at: a quote or double quote. Behind the one that ends it; NULL: none does on this line. */
static const char *behind_quoted(const char *at) {
    const char quote = *at++;
    for (; *at && *at != '\n'; at++) {
        if (*at == quote) return at + 1;
        if (*at == '\\' && at[1]) at++;
    }
    return NULL;
}

/* at: the / that begins a comment, or not. Behind it. */
static const char *behind_comment(const char *at) {
    if (at[1] == '/') return at + strcspn(at, "\n");
    if (at[1] != '*') return NULL;
    const char *end = strstr(at + 2, "*/");
    return end ? end + 2 : at + strlen(at);
}

/* Appends lines without their comments. False where it is not plain which is one: a raw string, a quote that parts digits. */
static bool add_code(Text *code, const char *text) {
    for (const char *at = text, *behind; *at;) {
        if (*at == '/' && (behind = behind_comment(at)) != NULL) {
            text_add(code, " ");
        } else if (*at == '"' || *at == '\'') {
            if ((at > text && text_is_word(at[-1])) || !(behind = behind_quoted(at))) return false;
            text_add_bytes(code, at, (size_t)(behind - at));
        } else {
            text_add_bytes(code, at, 1);
            behind = at + 1;
        }
        at = behind;
    }
    return true;
}

/* "<name>" of an installed header: not a path that leads elsewhere, nor what an administrator put into /usr/local; links from there to a toolkit
 * are the toolkit's. */
static bool names_installed(const char *at) {
    static const char letters[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_./+-",
                      local[] = "/usr/local/include/";
    char path[256], true_path[PATH_MAX];
    at += strspn(at, " \t");
    size_t length = *at == '<' ? strspn(at + 1, letters) : 0;
    if (length == 0 || length > 200 || at[1] == '/' || at[1 + length] != '>') return false;
    snprintf(path, sizeof path, "%s%.*s", local, (int)length, at + 1);
    return !strstr(path, "..") && !(realpath(path, true_path) && strncmp(true_path, local, strlen(local)) == 0);
}

/* Whether the word of a macro's line stands in its head, as a parameter does. */
static bool is_parameter(const char *line, const char *word, size_t length) {
    for (const char *at = line; at < word && *at != ')'; at++) {
        if ((at > line && text_is_word(at[-1])) || !text_is_word(*at)) continue;
        if (strncmp(at, word, length) == 0 && !text_is_word(at[length])) return true;
    }
    return false;
}

/* at: in a macro. Where its line begins. */
static const char *line_of(const char *text, const char *at) {
    while (at > text && at[-1] != '\n') at--;
    return at;
}

/* at: the ## of a macro. Whether it joins words to one that asks for nothing: the first stands there as it is, and no word that asks begins so. */
static bool joins_harmlessly(const char *text, const char *at) {
    const char *line = line_of(text, at), *end = at;
    while (end > line && strchr(" \t", end[-1])) end--;
    const char *word = end;
    while (word > line && text_is_word(word[-1])) word--;
    size_t length = (size_t)(end - word);
    const char *before = word;
    while (before > line && strchr(" \t", before[-1])) before--;
    if (before > line + 1 && before[-1] == '#' && before[-2] == '#') return true; /* the first of several decides */
    for (size_t i = 0; i < ASKING; i++)
        if (strncmp(asking[i], word, length) == 0) return false;
    return length > 0 && !is_parameter(line, word, length);
}

/* at: the # of a macro's body before a parameter. */
static bool makes_string(const char *text, const char *at) {
    const char *line = line_of(text, at), *word = at + 1;
    size_t length = 0;
    while (text_is_word(word[length])) length++;
    line += strspn(line, " \t");
    return length && *line == '#' && line != at && text_begins(line + 1 + strspn(line + 1, " \t"), "define") &&
           is_parameter(line, word, length);
}

/* at: a #, the first of its line. */
static bool looks_at_nothing(const char *at) {
    at += 1 + strspn(at + 1, " \t");
    size_t length = strspn(at, "abcdefghijklmnopqrstuvwxyz_"), line = strcspn(at, "\n");
    bool known = false;
    for (size_t i = 0; !known && i < sizeof directives / sizeof *directives; i++)
        known = strlen(directives[i]) == length && text_begins(at, directives[i]);
    if (!known) return length == strlen("include") && text_begins(at, "include") && names_installed(at + length);
    return !memmem(at, line, "depend", strlen("depend")); /* #pragma GCC dependency "file" */
}

/* Whether the word stands there; static_assert is no assert. */
static bool has_word(const char *text, const char *word) {
    static const char no_assert[] = "static_";
    const size_t length = strlen(no_assert);
    for (const char *at = text; (at = strstr(at, word)) != NULL; at++)
        if ((size_t)(at - text) < length || strncasecmp(at - length, no_assert, length) != 0) return true;
    return false;
}

static Standalone alone_code(const char *code) {
    Standalone alone = ALONE;
    for (size_t i = 0; i < ASKING; i++) {
        if (!has_word(code, asking[i])) continue;
        if (i < NAMING) return ALONE_NOT;
        alone = ALONE_BY_NAME;
    }
    for (const char *at = code; (at = strchr(at, '#')) != NULL; at++) {
        bool joins = at[1] == '#';
        if (!(joins ? joins_harmlessly(code, at) : makes_string(code, at) || looks_at_nothing(at))) return ALONE_NOT;
        at += joins;
    }
    return alone;
}

Standalone standalone_text(const char *text, size_t length) {
    if (memchr(text, 0, length)) return ALONE_NOT;
    LOCAL_TEXT joined = joined_lines(text, length), code = {0};
    return add_code(&code, text_string(&joined)) ? alone_code(text_string(&code)) : ALONE_NOT;
}

Standalone standalone_options(const char *const *words, size_t count) {
    static const char *const admitted[] = {"-arch", "-gencode", "-code",          "-lineinfo", "-D",      "-U",
                                           "-std",  "-O",       "-use_fast_math", "-fmad",     "-Xptxas", "-maxrregcount"};
    Standalone all = ALONE;
    for (Option option = {0}; option_next(words, count, &option);) {
        bool known = false;
        for (size_t i = 0; !known && i < sizeof admitted / sizeof *admitted; i++)
            known = strcmp(option.kind->name, admitted[i]) == 0;
        Standalone one = !known ? ALONE_NOT : option.value ? standalone_text(option.value, strlen(option.value)) : ALONE;
        if (one < all) all = one;
    }
    return all;
}
