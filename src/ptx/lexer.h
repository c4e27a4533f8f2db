/* lexer.h: PTX text cut into tokens. Comments and white space vanish here. Any bytes are accepted as input; bad ones end in a Diag. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/diag.h"

typedef enum TokenKind {
    TOKEN_END,      /* of the text, or an error: lexer->failed tells which */
    TOKEN_WORD,     /* identifiers, registers (%r1), opcodes up to their first dot, `_` */
    TOKEN_DOT_WORD, /* .global, .shared::cta, .L2::128B; text begins with the dot */
    TOKEN_INTEGER,  /* bits: the value */
    TOKEN_SINGLE,   /* 0f3F800000; bits: the 32 bits */
    TOKEN_DOUBLE,   /* 0d…, 1.5, 2e3; bits: the 64 bits */
    TOKEN_STRING,   /* text and length without the quotes; escapes untouched */
    TOKEN_PUNCT,    /* punct: the character, or a PunctPair */
} TokenKind;

typedef enum PunctPair {
    PUNCT_SHL = 256, /* << */
    PUNCT_SHR,       /* >> */
    PUNCT_LE,
    PUNCT_GE,
    PUNCT_EQ,
    PUNCT_NE,
    PUNCT_AND, /* && */
    PUNCT_OR,  /* || */
} PunctPair;

typedef struct Token {
    uint8_t kind;     /* TokenKind */
    bool is_unsigned; /* integers with the suffix U */
    uint16_t punct;   /* TOKEN_PUNCT; else 0 */
    uint32_t line;    /* 1-based */
    uint32_t column;  /* 1-based, in bytes */
    uint32_t length;  /* of text */
    const char *text; /* inside the lexer's input, not NUL-terminated */
    uint64_t bits;
} Token;

typedef struct Lexer {
    const char *text;
    size_t length, at;
    size_t line_start; /* offset of the current line's first byte */
    uint32_t line;
    bool failed;
    const char *name; /* of the text, for messages */
    Diag *diag;
} Lexer;

/* `text` stays the caller's and must outlive the tokens. */
void lexer_start(Lexer *lexer, const char *text, size_t length, const char *name, Diag *diag);

/* The next token. After the end or an error: TOKEN_END, again and again. */
Token lexer_next(Lexer *lexer);

/* The bytes a string token stands for, escapes (\n, \t, \", \\, \x41, \101 …) resolved, into out (room for token->length bytes).
 * Returns their number. */
size_t lexer_unescape(const Token *token, char *out);
