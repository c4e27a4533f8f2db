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

/* --- what may stand there --- */

static bool is_any(const char *value) { return value; }
static bool is_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_'; }
static bool is_digit(char c) { return c >= '0' && c <= '9'; }

/* NAME, or NAME= and a number or a word. */
static bool is_macro(const char *value) {
    if (!is_letter(*value)) return false;
    while (is_letter(*value) || is_digit(*value)) value++;
    if (!*value) return true;
    if (*value != '=' || !*++value) return false;
    while (is_letter(*value) || is_digit(*value) || (*value && strchr(".+-", *value))) value++;
    return !*value;
}

/* @FILE fills a buffer from a file. */
static bool reads_no_file(const char *value) { return !strchr(value, '@'); }

/* None is the empty one, which the sandbox's script would lose: the next option would be the value. */
static bool is_word(const char *value) {
    if (!*value) return false;
    while (is_letter(*value) || is_digit(*value)) value++;
    return !*value;
}

typedef struct Admitted {
    const char *name;
    bool (*admits)(const char *value); /* NULL: it takes none */
    const char *form;                  /* of a value that is admitted; NULL: `warpscope launch` judges it */
    bool compiles;                     /* it is the compilation's */
} Admitted;

static const Admitted admitted[] = {
    {"--kernel", is_any, NULL, false},
    {"--grid", is_any, NULL, false},
    {"--block", is_any, NULL, false},
    {"--arg", reads_no_file, "--arg may without @FILE", false},
    {"--shared", is_any, NULL, false},
    {"--cooperative", NULL, NULL, false},
    {"--cluster", is_any, NULL, false},
    {"--device", is_any, NULL, false},
    {"--l1", is_any, NULL, false},
    {"--joins", is_any, NULL, false},
    {"--check", is_any, NULL, false},
    {"--cc", is_word, "--cc may with a compiler's name", true},
    {"--arch", is_word, "--arch may as sm_NN", true},
    {"--max-steps", is_any, NULL, false},
    {"-D", is_macro, "-DNAME and -DNAME=VALUE may, where VALUE is a number or a word of letters, digits and _ . + -", true},
};

/* How many of the words this option takes, itself among them; 0 where it must not stand there, with what may. */
static size_t option_words(const char *const *words, size_t count, const char **instead, bool *compiles) {
    *instead =
        "--kernel, --grid, --block, --arg, --shared, --cooperative, --cluster, --device, --l1, --joins, --check, --cc, --arch, "
        "--max-steps and -D may";
    for (size_t i = 0; i < sizeof admitted / sizeof *admitted; i++) {
        size_t length = strlen(admitted[i].name);
        bool is_short = admitted[i].name[1] != '-';
        if (strncmp(words[0], admitted[i].name, length) != 0) continue;
        *compiles = admitted[i].compiles;
        const char *behind = words[0] + length, *value = is_short ? behind : behind + 1;
        if (!admitted[i].admits) return !*behind;
        if (*behind && *behind != '=' && !is_short) continue;
        if (!*behind) value = count > 1 ? words[1] : NULL; /* else whatever follows where it is given would be the value */
        if (!value) *instead = "it needs a value";
        if (!value) return 0;
        if (admitted[i].admits(value)) return *behind ? 1 : 2;
        if (admitted[i].form) *instead = admitted[i].form;
        return 0;
    }
    return 0;
}

static const char too_long[] = "such a comment has at most 8192 characters";

static void judge(CommentLaunch *launch) {
    for (size_t i = 0, count; i < launch->n_words && !launch->refused; i += count) {
        bool compiles = false;
        count = option_words(launch->words + i, launch->n_words - i, &launch->instead, &compiles);
        if (!count) launch->refused = launch->words[i];
        for (size_t k = i; k < i + count; k++) launch->compiles[k] = compiles;
    }
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
            *launch = (CommentLaunch){
                .line = number, .words = ARENA_ARRAY(arena, const char *, most), .compiles = ARENA_ARRAY(arena, bool, most)};
            for (const char *word; (word = read_word(&at, line + bytes, &room));) launch->words[launch->n_words++] = word;
            judge(launch);
            if (bytes > LAUNCH_BYTES_MOST && launch->n_words) launch->refused = launch->words[0], launch->instead = too_long;
        }
        const char *feed = memchr(line + bytes, '\n', (size_t)(end - line) - bytes);
        text = feed ? feed + 1 : end;
    }
    return launches;
}
