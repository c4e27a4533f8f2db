#include "lsp/launches.h"

#include <stdbool.h>
#include <string.h>

#include "lsp/position.h"

#define MARK "warpscope:"

static bool is_blank(char c) { return c == ' ' || c == '\t'; }

/* What follows the mark in a comment line; NULL: it is no such line. */
static const char *behind_mark(const char *line, const char *end) {
    while (line < end && is_blank(*line)) line++;
    if (end - line < 2 || line[0] != '/' || line[1] != '/') return NULL;
    for (line += 2; line < end && is_blank(*line);) line++;
    return (size_t)(end - line) >= sizeof MARK - 1 && memcmp(line, MARK, sizeof MARK - 1) == 0 ? line + sizeof MARK - 1 : NULL;
}

/* Moves the next word to *room, *at behind the one and *room behind the other; NULL: there is none. A quote that is not closed ends with the
 * line. */
static const char *read_word(const char **at, const char *end, char **room) {
    while (*at < end && is_blank(**at)) ++*at;
    if (*at == end) return NULL;
    char *word = *room, quote = 0;
    for (; *at < end && (quote || !is_blank(**at)); ++*at) {
        char c = **at;
        if (quote ? c == quote : c == '"' || c == '\'')
            quote = quote ? 0 : c;
        else if (c)
            *(*room)++ = c;
    }
    *(*room)++ = 0;
    return word;
}

/* How many words an option takes, itself among them; 0: it must not stand there. */
static size_t option_words(const char *word) {
    static const char *const with_value[] = {"--kernel", "--grid",  "--block", "--arg", "--shared",   "--device",
                                             "--l1",     "--joins", "--check", "--cc",  "--max-steps"};
    if (strcmp(word, "--cooperative") == 0) return 1;
    if (strncmp(word, "-D", 2) == 0 || strncmp(word, "-I", 2) == 0) return word[2] ? 1 : 2;
    for (size_t i = 0; i < sizeof with_value / sizeof *with_value; i++) {
        size_t length = strlen(with_value[i]);
        if (strncmp(word, with_value[i], length) == 0 && (!word[length] || word[length] == '=')) return word[length] ? 1 : 2;
    }
    return 0;
}

static const char *find_refused(const CommentLaunch *launch) {
    for (size_t i = 0, words; i < launch->n_words; i += words) {
        words = option_words(launch->words[i]);
        if (!words) return launch->words[i];
    }
    return NULL;
}

CommentLaunch *launches_read(const char *text, size_t length, Arena *arena, size_t *count) {
    CommentLaunch *launches = ARENA_ARRAY(arena, CommentLaunch, LAUNCHES_MOST);
    const char *end = text + length;
    *count = 0;
    for (size_t number = 0; text < end && *count < LAUNCHES_MOST; number++) {
        size_t bytes;
        const char *line = position_line(text, (size_t)(end - text), 0, &bytes), *at = behind_mark(line, line + bytes);
        if (at) {
            CommentLaunch *launch = &launches[(*count)++];
            size_t most = (size_t)(line + bytes - at) / 2 + 1; /* words of one letter, and a blank between any two */
            char *room = arena_alloc(arena, 3 * most);
            *launch = (CommentLaunch){.line = number, .words = ARENA_ARRAY(arena, const char *, most)};
            for (const char *word; (word = read_word(&at, line + bytes, &room));) launch->words[launch->n_words++] = word;
            launch->refused = find_refused(launch);
        }
        const char *feed = memchr(line + bytes, '\n', (size_t)(end - line) - bytes);
        text = feed ? feed + 1 : end;
    }
    return launches;
}
