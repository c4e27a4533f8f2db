#include "ptx/lexer.h"

#include <stdlib.h>
#include <string.h>

static bool is_digit(int c) { return c >= '0' && c <= '9'; }
static bool is_letter(int c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); }
static bool is_name(int c) { return is_letter(c) || is_digit(c) || c == '_' || c == '$'; }

static int hex_value(int c) {
    if (is_digit(c)) return c - '0';
    if (c >= 'a' && c <= 'f') return c - 'a' + 10;
    if (c >= 'A' && c <= 'F') return c - 'A' + 10;
    return -1;
}

void lexer_start(Lexer *lexer, const char *text, size_t length, const char *name, Diag *diag) {
    *lexer = (Lexer){.text = text, .length = length, .line = 1, .name = name, .diag = diag};
}

/* The byte `ahead` places on, or -1 past the end. */
static int peek(const Lexer *lexer, size_t ahead) {
    return lexer->length - lexer->at > ahead ? (unsigned char)lexer->text[lexer->at + ahead] : -1;
}

static unsigned column_at(const Lexer *lexer, size_t offset) { return (unsigned)(offset - lexer->line_start + 1); }

static void fail_at(Lexer *lexer, unsigned line, unsigned column, const char *message) {
    diag_error(lexer->diag, lexer->name, line, column, "%s", message);
    lexer->failed = true;
    lexer->at = lexer->length;
}

static void fail_here(Lexer *lexer, const char *message) { fail_at(lexer, lexer->line, column_at(lexer, lexer->at), message); }

static void step(Lexer *lexer) {
    if (lexer->text[lexer->at] == '\n') {
        lexer->line++;
        lexer->line_start = lexer->at + 1;
    }
    lexer->at++;
}

static void skip_comment(Lexer *lexer) {
    unsigned line = lexer->line, column = column_at(lexer, lexer->at);
    lexer->at += 2;
    while (lexer->at < lexer->length) {
        if (peek(lexer, 0) == '*' && peek(lexer, 1) == '/') {
            lexer->at += 2;
            return;
        }
        step(lexer);
    }
    fail_at(lexer, line, column, "this comment never ends");
}

static void skip_blank(Lexer *lexer) {
    for (;;) {
        int c = peek(lexer, 0);
        if (c == ' ' || c == '\t' || c == '\n' || c == '\r' || c == '\v' || c == '\f') {
            step(lexer);
        } else if (c == '/' && peek(lexer, 1) == '/') {
            while (lexer->at < lexer->length && lexer->text[lexer->at] != '\n') lexer->at++;
        } else if (c == '/' && peek(lexer, 1) == '*') {
            skip_comment(lexer);
        } else {
            return;
        }
    }
}

/* 0f and 0d: the bits themselves, in exactly 8 or 16 hexadecimal digits. */
static bool read_float_bits(Lexer *lexer, Token *token) {
    bool single = peek(lexer, 1) == 'f' || peek(lexer, 1) == 'F';
    unsigned digits = single ? 8 : 16;
    for (unsigned i = 0; i < digits; i++) {
        int value = hex_value(peek(lexer, 2 + i));
        if (value < 0) {
            fail_here(lexer, single ? "a single-precision constant has eight hexadecimal digits after 0f"
                                    : "a double-precision constant has sixteen hexadecimal digits after 0d");
            return false;
        }
        token->bits = token->bits << 4 | (unsigned)value;
    }
    token->kind = single ? TOKEN_SINGLE : TOKEN_DOUBLE;
    lexer->at += 2 + digits;
    return true;
}

static bool read_integer(Lexer *lexer, Token *token) {
    unsigned base = 10;
    size_t at = 0;
    if (peek(lexer, 0) == '0') {
        int next = peek(lexer, 1);
        base = next == 'x' || next == 'X' ? 16 : next == 'b' || next == 'B' ? 2 : 8;
        at = base == 8 ? 1 : 2;
    }
    size_t first = at;
    for (;; at++) {
        int value = hex_value(peek(lexer, at));
        if (value < 0 || (unsigned)value >= base) break;
        if (token->bits > (UINT64_MAX - (unsigned)value) / base) {
            fail_here(lexer, "this integer does not fit in 64 bits");
            return false;
        }
        token->bits = token->bits * base + (unsigned)value;
    }
    if (at == first && base != 8) {
        fail_here(lexer, "a number without digits");
        return false;
    }
    token->kind = TOKEN_INTEGER;
    if (peek(lexer, at) == 'U') {
        token->is_unsigned = true;
        at++;
    }
    lexer->at += at;
    return true;
}

/* Length of a decimal floating-point constant that starts here, or 0 when it is an integer. */
static size_t decimal_length(const Lexer *lexer) {
    size_t at = 0;
    bool real = false;
    while (is_digit(peek(lexer, at))) at++;
    const int behind = peek(lexer, at + 1);
    if (peek(lexer, at) == '.' && (!is_letter(behind) || behind == 'e' || behind == 'E')) {
        real = true;
        for (at++; is_digit(peek(lexer, at));) at++;
    }
    if (peek(lexer, at) == 'e' || peek(lexer, at) == 'E') {
        size_t sign = peek(lexer, at + 1) == '+' || peek(lexer, at + 1) == '-';
        if (is_digit(peek(lexer, at + 1 + sign))) {
            real = true;
            for (at += 1 + sign; is_digit(peek(lexer, at));) at++;
        }
    }
    return real ? at : 0;
}

static bool read_decimal(Lexer *lexer, Token *token, size_t length) {
    char copy[128];
    if (length >= sizeof copy) {
        fail_here(lexer, "this number has too many digits");
        return false;
    }
    memcpy(copy, lexer->text + lexer->at, length);
    copy[length] = 0;
    double value = strtod(copy, NULL);
    memcpy(&token->bits, &value, sizeof value);
    token->kind = TOKEN_DOUBLE;
    lexer->at += length;
    return true;
}

static bool read_number(Lexer *lexer, Token *token) {
    int next = peek(lexer, 0) == '0' ? peek(lexer, 1) : 0;
    size_t length = 0;
    bool read;
    if (next == 'f' || next == 'F' || next == 'd' || next == 'D')
        read = read_float_bits(lexer, token);
    else if ((length = decimal_length(lexer)))
        read = read_decimal(lexer, token, length);
    else
        read = read_integer(lexer, token);
    if (read && is_name(peek(lexer, 0))) {
        fail_here(lexer, "a number ends here, but the text goes on");
        return false;
    }
    return read;
}

static bool read_string(Lexer *lexer, Token *token) {
    unsigned line = lexer->line, column = column_at(lexer, lexer->at);
    size_t at = lexer->at + 1;
    while (at < lexer->length && lexer->text[at] != '"' && lexer->text[at] != '\n')
        at += lexer->text[at] == '\\' && lexer->length - at > 1 && lexer->text[at + 1] != '\n' ? 2 : 1;
    if (at >= lexer->length || lexer->text[at] != '"') {
        fail_at(lexer, line, column, "this string never ends");
        return false;
    }
    token->kind = TOKEN_STRING;
    token->text = lexer->text + lexer->at + 1;
    token->length = (uint32_t)(at - lexer->at - 1);
    lexer->at = at + 1;
    return true;
}

static bool read_punct(Lexer *lexer, Token *token) {
    static const struct {
        char text[3];
        uint16_t punct;
    } pairs[] = {
        {"<<", PUNCT_SHL}, {">>", PUNCT_SHR}, {"<=", PUNCT_LE},  {">=", PUNCT_GE},
        {"==", PUNCT_EQ},  {"!=", PUNCT_NE},  {"&&", PUNCT_AND}, {"||", PUNCT_OR},
    };
    int c = peek(lexer, 0);
    token->kind = TOKEN_PUNCT;
    for (size_t i = 0; i < sizeof pairs / sizeof *pairs; i++) {
        if (c == pairs[i].text[0] && peek(lexer, 1) == pairs[i].text[1]) {
            token->punct = pairs[i].punct;
            lexer->at += 2;
            return true;
        }
    }
    if (c == 0 || c > 126 || !strchr("@!{}[]()<>,;:=+-*/%&|^~?", c)) {
        fail_here(lexer, "this character has no meaning in PTX");
        return false;
    }
    token->punct = (uint16_t)c;
    lexer->at++;
    return true;
}

/* After a dot: letters, digits and `::` between them. */
static size_t dot_word_length(const Lexer *lexer) {
    size_t at = 1;
    for (;;) {
        if (is_name(peek(lexer, at)))
            at++;
        else if (peek(lexer, at) == ':' && peek(lexer, at + 1) == ':' && is_name(peek(lexer, at + 2)))
            at += 2;
        else
            return at;
    }
}

static size_t word_length(const Lexer *lexer) {
    size_t at = 1;
    while (is_name(peek(lexer, at))) at++;
    return at;
}

Token lexer_next(Lexer *lexer) {
    skip_blank(lexer);
    size_t start = lexer->at;
    Token token = {.line = lexer->line, .column = column_at(lexer, start), .text = lexer->text + start};
    int c = peek(lexer, 0);
    bool fine = true;
    if (c < 0) {
        token.kind = TOKEN_END;
    } else if (c == '.' && is_name(peek(lexer, 1))) {
        token.kind = TOKEN_DOT_WORD;
        lexer->at += dot_word_length(lexer);
    } else if (is_letter(c) || c == '_' || c == '$' || (c == '%' && is_name(peek(lexer, 1)))) {
        token.kind = TOKEN_WORD;
        lexer->at += word_length(lexer);
    } else if (is_digit(c)) {
        fine = read_number(lexer, &token);
    } else if (c == '"') {
        fine = read_string(lexer, &token);
    } else {
        fine = read_punct(lexer, &token);
    }
    if (!fine) return (Token){.kind = TOKEN_END, .line = token.line, .column = token.column, .text = token.text};
    if (token.kind != TOKEN_STRING) token.length = (uint32_t)(lexer->at - start);
    return token;
}

size_t lexer_unescape(const Token *token, char *out) {
    static const char from[] = "abfnrtv", to[] = "\a\b\f\n\r\t\v";
    size_t count = 0;
    for (uint32_t i = 0; i < token->length; i++) {
        char c = token->text[i];
        if (c != '\\' || i + 1 >= token->length) {
            out[count++] = c;
            continue;
        }
        c = token->text[++i];
        const char *known = c ? strchr(from, c) : NULL;
        if (known) {
            c = to[known - from];
        } else if (c == 'x' && i + 1 < token->length && hex_value(token->text[i + 1]) >= 0) {
            unsigned value = 0;
            while (i + 1 < token->length && hex_value(token->text[i + 1]) >= 0)
                value = (value << 4 | (unsigned)hex_value(token->text[++i])) & 0xff;
            c = (char)value;
        } else if (c >= '0' && c <= '7') {
            unsigned value = (unsigned)(c - '0');
            for (int digits = 1; digits < 3 && i + 1 < token->length && token->text[i + 1] >= '0' && token->text[i + 1] <= '7';
                 digits++)
                value = value << 3 | (unsigned)(token->text[++i] - '0');
            c = (char)value;
        }
        out[count++] = c;
    }
    return count;
}
