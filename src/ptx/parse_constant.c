/* Constant expressions: PTX ISA, "Constants". Integers are 64 bits wide, signed unless one of them is unsigned; as ptxas 13.0 has them, `~` gives an
 * unsigned one, `%` is one of unsigned ones, a shift takes its count modulo 64, and no integer goes together with a floating-point number. */
#include <string.h>

#include "ptx/parser.h"

enum { MAX_DEPTH = 100 }; /* of parentheses and signs: deeper ones would only exhaust the stack */

static const char integers_only[] = "this operator works on integers only";

typedef struct ConstantReader {
    Parser *parser;
    int depth;
} ConstantReader;

/* Of one that is no integer. */
static double as_double(const Constant *constant) {
    double value;
    float single;
    const uint32_t bits = (uint32_t)constant->bits;
    memcpy(&value, &constant->bits, sizeof value);
    memcpy(&single, &bits, sizeof single);
    return constant->kind == TOKEN_DOUBLE ? value : single;
}

static Constant from_double(double value) {
    Constant constant = {.kind = TOKEN_DOUBLE};
    memcpy(&constant.bits, &value, sizeof value);
    return constant;
}

static Constant from_bool(bool value) { return (Constant){.kind = TOKEN_INTEGER, .bits = value}; }

bool constant_starts(const Parser *parser) {
    const Token *token = &parser->token;
    switch ((TokenKind)token->kind) {
    case TOKEN_INTEGER:
    case TOKEN_SINGLE:
    case TOKEN_DOUBLE: return true;
    case TOKEN_PUNCT: return token->punct == '-' || token->punct == '+' || token->punct == '~' || token->punct == '(';
    case TOKEN_WORD: return token_is(token, "WARP_SZ");
    case TOKEN_END:
    case TOKEN_DOT_WORD:
    case TOKEN_STRING: return false;
    }
    return false;
}

static bool parse_ternary(ConstantReader *reader, Constant *out);

static bool parse_atom(ConstantReader *reader, Constant *out) {
    Parser *parser = reader->parser;
    Token token = parser->token;
    if (token.kind == TOKEN_INTEGER || token.kind == TOKEN_SINGLE || token.kind == TOKEN_DOUBLE) {
        *out = (Constant){token.kind, token.is_unsigned || (token.kind == TOKEN_INTEGER && token.bits > INT64_MAX), token.bits};
        parser_advance(parser);
        return true;
    }
    if (token_is(&token, "WARP_SZ")) {
        *out = (Constant){.kind = TOKEN_INTEGER, .bits = 32};
        parser_advance(parser);
        return true;
    }
    if (!parser_accept(parser, '(')) return parser_expected(parser, "a constant");
    return parse_ternary(reader, out) && parser_expect(parser, ')');
}

static bool parse_unary(ConstantReader *reader, Constant *out);

/* `(.s64) x`, after its `(`. */
static bool parse_cast(ConstantReader *reader, Constant *out) {
    Parser *parser = reader->parser;
    Token type;
    if (!parser_take_dot(parser, "a type", &type) || !parser_expect(parser, ')') || !parse_unary(reader, out)) return false;
    bool to_unsigned = token_is(&type, ".u64");
    if (!to_unsigned && !token_is(&type, ".s64")) return parser_fail(parser, &type, "a constant is cast to .s64 or .u64 only");
    if (out->kind != TOKEN_INTEGER) {
        double value = as_double(out);
        bool fits = to_unsigned ? value > -1.0 && value < 0x1p64 : value >= -0x1p63 && value < 0x1p63;
        if (!fits) return parser_fail(parser, &type, "this constant does not fit in 64 bits");
        out->bits = to_unsigned ? (uint64_t)value : (uint64_t)(int64_t)value;
    }
    out->kind = TOKEN_INTEGER;
    out->is_unsigned = to_unsigned;
    return true;
}

static bool apply_unary(ConstantReader *reader, const Token *at, Constant *out) {
    bool integer = out->kind == TOKEN_INTEGER;
    if (!integer && (at->punct == '!' || at->punct == '~')) return parser_fail(reader->parser, at, "%s", integers_only);
    switch (at->punct) {
    case '-':
        if (integer) {
            out->bits = 0 - out->bits;
        } else {
            out->bits ^= out->kind == TOKEN_SINGLE ? UINT64_C(1) << 31 : UINT64_C(1) << 63;
        }
        return true;
    case '!': *out = from_bool(out->bits == 0); return true;
    case '~':
        out->bits = ~out->bits;
        out->is_unsigned = true;
        return true;
    }
    return true; /* + */
}

static bool parse_unary(ConstantReader *reader, Constant *out) {
    Parser *parser = reader->parser;
    if (++reader->depth > MAX_DEPTH) return parser_fail_here(parser, "this constant expression is nested too deeply");
    Token at = parser->token;
    bool fine;
    if (at.kind == TOKEN_PUNCT && (at.punct == '-' || at.punct == '+' || at.punct == '!' || at.punct == '~')) {
        parser_advance(parser);
        fine = parse_unary(reader, out) && apply_unary(reader, &at, out);
    } else if (parser_at(parser, '(')) {
        parser_advance(parser);
        if (parser->token.kind == TOKEN_DOT_WORD)
            fine = parse_cast(reader, out);
        else
            fine = parse_ternary(reader, out) && parser_expect(parser, ')');
    } else {
        fine = parse_atom(reader, out);
    }
    reader->depth--;
    return fine;
}

/* Binding strength of a binary operator, 0 for anything else. */
static int strength(const Token *token) {
    if (token->kind != TOKEN_PUNCT) return 0;
    switch (token->punct) {
    case '*':
    case '/':
    case '%': return 10;
    case '+':
    case '-': return 9;
    case PUNCT_SHL:
    case PUNCT_SHR: return 8;
    case '<':
    case '>':
    case PUNCT_LE:
    case PUNCT_GE: return 7;
    case PUNCT_EQ:
    case PUNCT_NE: return 6;
    case '&': return 5;
    case '^': return 4;
    case '|': return 3;
    case PUNCT_AND: return 2;
    case PUNCT_OR: return 1;
    }
    return 0;
}

static bool apply_double(ConstantReader *reader, const Token *at, Constant *left, const Constant *right) {
    double a = as_double(left), b = as_double(right);
    switch (at->punct) {
    case '*': *left = from_double(a * b); return true;
    case '/':
        if (b == 0) return parser_fail(reader->parser, at, "division by zero in a constant expression");
        *left = from_double(a / b);
        return true;
    case '+': *left = from_double(a + b); return true;
    case '-': *left = from_double(a - b); return true;
    case '<': *left = from_bool(a < b); return true;
    case '>': *left = from_bool(a > b); return true;
    case PUNCT_LE: *left = from_bool(a <= b); return true;
    case PUNCT_GE: *left = from_bool(a >= b); return true;
    case PUNCT_EQ: *left = from_bool(a == b); return true;
    case PUNCT_NE: *left = from_bool(a != b); return true;
    }
    return parser_fail(reader->parser, at, "%s", integers_only);
}

/* A remainder is one of unsigned integers. */
static bool divide(ConstantReader *reader, const Token *at, Constant *left, uint64_t b) {
    uint64_t a = left->bits;
    if (b == 0) return parser_fail(reader->parser, at, "division by zero in a constant expression");
    if (at->punct == '%')
        *left = (Constant){TOKEN_INTEGER, true, a % b};
    else if (left->is_unsigned)
        left->bits = a / b;
    else if (b == UINT64_MAX)
        left->bits = 0 - a; /* the lowest integer divided by -1 wraps */
    else
        left->bits = (uint64_t)((int64_t)a / (int64_t)b);
    return true;
}

static uint64_t shift_right(const Constant *left, unsigned count) {
    bool negative = !left->is_unsigned && left->bits >> 63;
    return left->bits >> count | (negative && count ? UINT64_MAX << (64 - count) : 0);
}

static bool apply_binary(ConstantReader *reader, const Token *at, Constant *left, const Constant *right) {
    const bool integer = left->kind == TOKEN_INTEGER;
    if (integer != (right->kind == TOKEN_INTEGER))
        return parser_fail(reader->parser, at, "an integer and a floating-point constant do not go together");
    if (!integer) return apply_double(reader, at, left, right);
    uint64_t a = left->bits, b = right->bits;
    bool shift = at->punct == PUNCT_SHL || at->punct == PUNCT_SHR;
    if (!shift) left->is_unsigned |= right->is_unsigned;
    uint64_t bias = left->is_unsigned ? 0 : UINT64_C(1) << 63; /* turns signed order into unsigned order */
    switch (at->punct) {
    case '*': left->bits = a * b; return true;
    case '/':
    case '%': return divide(reader, at, left, b);
    case '+': left->bits = a + b; return true;
    case '-': left->bits = a - b; return true;
    case PUNCT_SHL: left->bits = a << b % 64; return true;
    case PUNCT_SHR: left->bits = shift_right(left, b % 64); return true;
    case '<': *left = from_bool((a ^ bias) < (b ^ bias)); return true;
    case '>': *left = from_bool((a ^ bias) > (b ^ bias)); return true;
    case PUNCT_LE: *left = from_bool((a ^ bias) <= (b ^ bias)); return true;
    case PUNCT_GE: *left = from_bool((a ^ bias) >= (b ^ bias)); return true;
    case PUNCT_EQ: *left = from_bool(a == b); return true;
    case PUNCT_NE: *left = from_bool(a != b); return true;
    case '&': left->bits = a & b; return true;
    case '^': left->bits = a ^ b; return true;
    case '|': left->bits = a | b; return true;
    case PUNCT_AND: *left = from_bool(a && b); return true;
    case PUNCT_OR: *left = from_bool(a || b); return true;
    }
    return parser_fail(reader->parser, at, "unknown operator");
}

/* Operators at least as strong as `least`. Recursion is bounded by the ten strengths between parentheses. */
static bool parse_binary(ConstantReader *reader, int least, Constant *out) {
    if (!parse_unary(reader, out)) return false;
    for (;;) {
        Token at = reader->parser->token;
        int found = strength(&at);
        if (found < least || found == 0) return true;
        Constant right;
        parser_advance(reader->parser);
        if (!parse_binary(reader, found + 1, &right) || !apply_binary(reader, &at, out, &right)) return false;
    }
}

static bool parse_ternary(ConstantReader *reader, Constant *out) {
    Parser *parser = reader->parser;
    if (++reader->depth > MAX_DEPTH) return parser_fail_here(parser, "this constant expression is nested too deeply");
    if (!parse_binary(reader, 1, out)) return false;
    Token at = parser->token;
    if (parser_accept(parser, '?')) {
        Constant yes, no;
        const bool chosen = out->bits != 0;
        if (out->kind != TOKEN_INTEGER) return parser_fail(parser, &at, "%s", integers_only);
        if (!parse_ternary(reader, &yes) || !parser_expect(parser, ':') || !parse_ternary(reader, &no)) return false;
        *out = chosen ? yes : no;
    }
    reader->depth--;
    return true;
}

bool constant_parse(Parser *parser, Constant *constant) {
    ConstantReader reader = {.parser = parser};
    return parse_ternary(&reader, constant);
}

/* A term that binds tighter than + and -, with its sign; for offsets in `[r+4-8]`. */
static bool constant_parse_term(Parser *parser, Constant *constant) {
    ConstantReader reader = {.parser = parser};
    return parse_binary(&reader, 10, constant);
}

bool constant_parse_offset(Parser *parser, uint64_t *offset) {
    *offset = 0;
    while (parser_at(parser, '+') || parser_at(parser, '-')) {
        bool minus = parser_at(parser, '-');
        Constant term;
        parser_advance(parser);
        Token at = parser->token;
        if (!constant_parse_term(parser, &term)) return false;
        if (term.kind != TOKEN_INTEGER) return parser_fail(parser, &at, "an offset is a whole number of bytes");
        *offset += minus ? 0 - term.bits : term.bits;
    }
    return true;
}

/* Bits that do not fit are dropped, as ptxas drops them. */
static uint64_t convert_integer(uint64_t value, Type type) {
    unsigned width = type_bytes[type] * 8u;
    if (width >= 64) return value;
    value &= (UINT64_C(1) << width) - 1;
    if (type_kinds[type] == KIND_SIGNED && value >> (width - 1)) value |= UINT64_MAX << width;
    return value;
}

static bool convert_float(Parser *parser, const Constant *constant, const Token *at, Type type, uint64_t *bits) {
    double value = as_double(constant);
    *bits = constant->bits;
    if (constant->kind == TOKEN_INTEGER) {
        parser_fail(parser, at, "an integer stands where a .%s constant is expected", type_names[type]);
        return diag_hint(parser->diag, "write it with a decimal point, or as 0f… or 0d… bits");
    }
    if (type == TYPE_f32) {
        if (constant->kind == TOKEN_SINGLE) return true;
        float single = (float)value;
        uint32_t low;
        memcpy(&low, &single, sizeof low);
        *bits = low;
        return true;
    }
    if (type == TYPE_f64) {
        if (constant->kind == TOKEN_SINGLE) *bits = from_double(value).bits;
        return true;
    }
    parser_fail(parser, at, "a .%s operand cannot be a constant", type_names[type]);
    return diag_hint(parser->diag, "move its bits into a register first: mov.b%u", type_bytes[type] * 8u);
}

bool constant_convert(Parser *parser, const Constant *constant, const Token *at, Type type, uint64_t *bits) {
    bool integer = constant->kind == TOKEN_INTEGER;
    switch ((TypeKind)type_kinds[type]) {
    case KIND_PRED:
        if (!integer) return parser_fail(parser, at, "a predicate constant is an integer");
        *bits = constant->bits ? UINT64_MAX : 0;
        return true;
    case KIND_BITS:
        *bits = constant->bits;
        if (!integer && type_bytes[type] == (constant->kind == TOKEN_SINGLE ? 4 : 8)) return true;
        if (!integer) break;
        *bits = convert_integer(constant->bits, type);
        return true;
    case KIND_UNSIGNED:
    case KIND_SIGNED:
        if (!integer) break;
        *bits = convert_integer(constant->bits, type);
        return true;
    case KIND_FLOAT: return convert_float(parser, constant, at, type, bits);
    case KIND_NONE: break;
    }
    return parser_fail(parser, at, "a floating-point constant stands where a .%s is expected", type_names[type]);
}
