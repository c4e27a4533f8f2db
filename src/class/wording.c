#include "class/wording.h"

#include <ctype.h>
#include <string.h>

#include "base/alloc.h"
#include "host/checksum.h"

/* A token's hash is made of its bytes; these are one token each. */
static const char a_name[] = "name", a_number[] = "0";

/* Of the language and of CUDA; so is what begins with two underscores. */
static const char *const kept[] = {"auto",     "blockDim", "blockIdx", "bool",     "break",     "case",     "char",
                                   "continue", "do",       "double",   "else",     "extern",    "float",    "for",
                                   "goto",     "gridDim",  "if",       "int",      "long",      "return",   "short",
                                   "sizeof",   "struct",   "switch",   "template", "threadIdx", "typename", "union",
                                   "unsigned", "void",     "warpSize", "while",    "x",         "y",        "z"};
static const char *const left_out[] = {"_Pragma", "const",    "constexpr",    "inline",          "register",  "restrict",
                                       "static",  "volatile", "__restrict__", "__forceinline__", "__restrict"};

typedef struct Wording {
    const char *at, *end;
    uint32_t line;
} Wording;

static bool is_among(const char *const *words, size_t count, const char *word, size_t length) {
    for (size_t i = 0; i < count; i++)
        if (strlen(words[i]) == length && memcmp(words[i], word, length) == 0) return true;
    return false;
}

static bool begins(const Wording *wording, const char *with) {
    size_t length = strlen(with);
    return (size_t)(wording->end - wording->at) >= length && memcmp(wording->at, with, length) == 0;
}

/* Past the end of what is closed by these words, or of the text. */
static void pass(Wording *wording, const char *closing) {
    while (wording->at < wording->end && !begins(wording, closing)) wording->line += *wording->at++ == '\n';
    if (wording->at < wording->end && *closing != '\n') wording->at += strlen(closing);
}

static void pass_line(Wording *wording) {
    do {
        pass(wording, "\n");
        if (wording->at == wording->end || wording->at[-1] != '\\') return;
        wording->line++;
    } while (++wording->at < wording->end);
}

static bool is_pragma(Wording wording) {
    if (*wording.at != '#') return false;
    for (wording.at++; wording.at < wording.end && (*wording.at == ' ' || *wording.at == '\t');) wording.at++;
    return begins(&wording, "pragma");
}

/* What is no token. False at the end. */
static bool pass_space(Wording *wording) {
    while (wording->at < wording->end) {
        if (begins(wording, "//") || is_pragma(*wording))
            pass_line(wording);
        else if (begins(wording, "/*"))
            wording->at += 2, pass(wording, "*/");
        else if (isspace((unsigned char)*wording->at) || begins(wording, "\\\n"))
            wording->line += *wording->at++ == '\n';
        else
            return true;
    }
    return false;
}

static bool is_of_word(char c) { return isalnum((unsigned char)c) || c == '_' || (unsigned char)c >= 0x80; }

/* Of a number with all that may stand in one: 0x1p-3f, 1'000. */
static size_t number_length(const char *at, const char *end) {
    const char *from = at;
    for (; at < end; at++) {
        bool sign = (*at == '+' || *at == '-') && strchr("eEpP", at[-1]);
        if (at > from && !is_of_word(*at) && *at != '.' && *at != '\'' && !sign) break;
    }
    return (size_t)(at - from);
}

/* The next token's hash; 0: it is left out. */
static uint64_t take_token(Wording *wording) {
    const char *at = wording->at, *end = wording->end;
    size_t length = 1;
    if (isdigit((unsigned char)*at) || (*at == '.' && at + 1 < end && isdigit((unsigned char)at[1]))) {
        wording->at += number_length(at, end);
        return checksum_bytes(a_number, 1, 0);
    }
    if (!is_of_word(*at)) {
        wording->at++;
        return checksum_bytes(at, 1, 0);
    }
    while (at + length < end && is_of_word(at[length])) length++;
    wording->at += length;
    if (length == 7 && memcmp(at, "_Pragma", length) == 0) pass(wording, ")");
    if (is_among(left_out, sizeof left_out / sizeof *left_out, at, length)) return 0;
    if ((length > 2 && memcmp(at, "__", 2) == 0) || is_among(kept, sizeof kept / sizeof *kept, at, length))
        return checksum_bytes(at, length, 0);
    return checksum_bytes(a_name, sizeof a_name - 1, 0);
}

void wording_take(const char *text, size_t length, Fingerprints *prints) {
    Wording wording = {.at = text, .end = text + length, .line = 1};
    Fingerprint *items = alloc_zeroed(length + 1, sizeof *items);
    uint64_t tokens[WORDING_TOKENS] = {0};
    uint32_t lines[WORDING_TOKENS] = {0};
    size_t count = 0, n = 0;
    while (pass_space(&wording)) {
        uint32_t line = wording.line;
        uint64_t token = take_token(&wording), all = 0;
        if (!token) continue;
        tokens[n % WORDING_TOKENS] = token;
        lines[n % WORDING_TOKENS] = line;
        if (++n < WORDING_TOKENS) continue;
        for (size_t i = n; i < n + WORDING_TOKENS; i++)
            all = checksum_bytes((const char *)&all, sizeof all, 0) ^ tokens[i % WORDING_TOKENS];
        items[count++] = (Fingerprint){all, 1, lines[n % WORDING_TOKENS]};
    }
    *prints = fingerprints_of(items, count);
}
