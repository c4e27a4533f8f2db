/* Operands: registers, special registers, constants, names, addresses, vectors; each checked against the type that reads or writes it. */
#include <stdio.h>
#include <string.h>

#include "ptx/parser.h"

static bool add(Reading *reading, Operand operand) {
    if (reading->n_operands == MAX_OPERANDS) return parser_fail_here(reading->parser, "too many operands");
    reading->operands[reading->n_operands++] = operand;
    return true;
}

/* -- registers */

/* PTX ISA, "Operand Size Exceeding Instruction-Type Size" and "Type Checking Rules": bits agree with everything of their size, signed
 * with unsigned, floating-point types only with themselves. */
static bool agrees(Type reg, Type type, unsigned rules) {
    TypeKind have = (TypeKind)type_kinds[reg], want = (TypeKind)type_kinds[type];
    if (have == KIND_PRED || want == KIND_PRED) return have == want;
    if (type_bytes[reg] < type_bytes[type]) return false;
    if (type_bytes[reg] > type_bytes[type]) return (rules & RULE_WIDER) && (have != KIND_FLOAT || want == KIND_BITS);
    if (have == KIND_BITS || want == KIND_BITS) return true;
    return have == KIND_FLOAT || want == KIND_FLOAT ? reg == type : true;
}

static bool register_check(Parser *parser, const Token *word, uint32_t index, Type type, unsigned rules) {
    Type reg = (Type)parser->registers[index].type;
    if (agrees(reg, type, rules)) return true;
    return parser_fail(parser, word, "'%.*s' is a .%s register, which does not hold a .%s", TOKEN_TEXT(word), type_names[reg],
                       type_names[type]);
}

bool register_find(Parser *parser, const Token *word, uint32_t *index) {
    const Symbol *symbol = parser_find(parser, word);
    if (!symbol || symbol->kind != SYMBOL_REGISTER)
        return parser_fail(parser, word, "'%.*s' is not a register declared here", TOKEN_TEXT(word));
    *index = symbol->index;
    return true;
}

/* -- special registers */

static const struct {
    const char *text;
} specials[SPECIAL_COUNT] = {
#define SPECIAL(name, text) {text},
    PTX_SPECIALS(SPECIAL)
#undef SPECIAL
};

/* Known to PTX and not here. */
static const char *const refused_specials[] = {
    "%aggr_smem_size",
    "%current_graph_exec",
};

static bool special_unknown(Parser *parser, const Token *word) {
    for (size_t i = 0; i < sizeof refused_specials / sizeof *refused_specials; i++)
        if (token_is(word, refused_specials[i]))
            return parser_refuse(parser, word, "special register '%s' is not emulated", refused_specials[i]);
    if (word->length > 22 && memcmp(word->text, "%reserved_smem_offset_", 22) == 0)
        return parser_refuse(parser, word, "special register '%.*s' is not emulated", TOKEN_TEXT(word));
    if (word->length > 7 && memcmp(word->text, "%envreg", 7) == 0)
        return parser_refuse(parser, word, "special register '%.*s' is not emulated: only %%envreg1 and %%envreg2 are",
                             TOKEN_TEXT(word));
    bool counter = word->length > 3 && memcmp(word->text, "%pm", 3) == 0 && word->text[3] >= '0' && word->text[3] <= '7';
    if (counter) return parser_refuse(parser, word, "special register '%.*s' is not emulated", TOKEN_TEXT(word));
    if (word->text[0] == '%') {
        parser_fail(parser, word, "'%.*s' is neither a register declared here nor a special register", TOKEN_TEXT(word));
        return diag_hint(parser->diag, "declare it with .reg");
    }
    return parser_fail(parser, word, "'%.*s' is not declared", TOKEN_TEXT(word));
}

static unsigned special_bytes(Special special, Type type) {
    if (special == SPECIAL_gridid) return type_bytes[type] == 8 ? 8 : 4;
    return special == SPECIAL_clock64 || special == SPECIAL_globaltimer ? 8 : 4;
}

/* Whether `.x`, `.y` or `.z` follows its name. */
static bool special_is_vector(const char *name, size_t length) {
    bool found = false;
    for (Special special = 0; special < SPECIAL_COUNT; special++)
        found |= strncmp(specials[special].text, name, length) == 0 && specials[special].text[length] == '.';
    return found;
}

/* The word was consumed; `.x` may follow. */
static bool special_add(Reading *reading, const Token *word, Type type) {
    Parser *parser = reading->parser;
    char name[40];
    int length = snprintf(name, sizeof name, "%.*s", TOKEN_TEXT(word));
    if (length >= (int)sizeof name) return special_unknown(parser, word);
    if (parser->token.kind == TOKEN_DOT_WORD && parser->token.length == 2) {
        if (special_is_vector(name, (size_t)length)) {
            snprintf(name + length, sizeof name - (size_t)length, "%.2s", parser->token.text);
            parser_advance(parser);
        }
    }
    for (Special special = 0; special < SPECIAL_COUNT; special++) {
        if (strcmp(specials[special].text, name) != 0) continue;
        const bool is_predicate = special == SPECIAL_is_explicit_cluster;
        bool fits = (type_kinds[type] == KIND_PRED) == is_predicate && type_kinds[type] != KIND_FLOAT &&
                    (special_bytes(special, type) == 8) == (type_bytes[type] == 8);
        if (!fits && is_predicate) return parser_fail(parser, word, "special register '%s' is a predicate", name);
        if (!fits)
            return parser_fail(parser, word, "special register '%s' has %u bits and does not fit a .%s", name,
                               8 * special_bytes(special, type), type_names[type]);
        return add(reading, (Operand){.kind = OPERAND_SPECIAL, .index = special});
    }
    if (special_is_vector(name, (size_t)length))
        return parser_fail(parser, word, "'%.*s' is a vector: write %.*s.x, .y or .z", TOKEN_TEXT(word), TOKEN_TEXT(word));
    return special_unknown(parser, word);
}

/* -- sources and destinations */

/* The address of a variable or function, as a value. The word was consumed. */
static bool name_add(Reading *reading, const Token *word, const Symbol *symbol, Type type) {
    Parser *parser = reading->parser;
    bool is_function = symbol->kind == SYMBOL_FUNCTION;
    uint32_t index = symbol->index;
    bool passed =
        !is_function && parser->program->variables[index].space == SPACE_PARAM && !parser->program->variables[index].formal;
    if (passed) return parser_fail(parser, word, "'%.*s' is passed to a call and has no address", TOKEN_TEXT(word));
    bool wide = type_bytes[type] == 8, integer = type_kinds[type] != KIND_FLOAT && type_kinds[type] != KIND_PRED;
    Space space = is_function ? SPACE_GLOBAL : (Space)parser->program->variables[index].space;
    bool narrow = type_bytes[type] == 4 && space != SPACE_GLOBAL;
    if (!integer || !(wide || narrow))
        return parser_fail(parser, word, "the address of '%.*s' does not fit in a .%s", TOKEN_TEXT(word), type_names[type]);
    uint64_t offset = 0;
    if (!is_function && !constant_parse_offset(parser, &offset)) return false;
    return add(reading, (Operand){.kind = is_function ? OPERAND_FUNCTION : OPERAND_VARIABLE, .index = index, .bits = offset});
}

static bool constant_add(Reading *reading, Type type) {
    Token at = reading->parser->token;
    Constant constant;
    uint64_t bits;
    if (!constant_parse(reading->parser, &constant) || !constant_convert(reading->parser, &constant, &at, type, &bits))
        return false;
    return add(reading, (Operand){.kind = OPERAND_IMMEDIATE, .bits = bits});
}

bool operand_source(Reading *reading, Type type, unsigned rules) {
    Parser *parser = reading->parser;
    if (constant_starts(parser)) return constant_add(reading, type);
    bool negated = parser_at(parser, '!');
    if (negated && !(rules & RULE_NEGATED)) {
        parser_fail_here(parser, "'%.*s' does not take a negated operand", TOKEN_TEXT(&reading->opcode));
        return diag_hint(parser->diag, "negate the predicate with not.pred first");
    }
    if (negated) parser_advance(parser);
    Token word;
    if (!parser_take_word(parser, "a register or constant", &word)) return false;
    if (token_is(&word, "_")) return parser_fail(parser, &word, "'_' stands only where a result is thrown away");
    const Symbol *symbol = parser_find(parser, &word);
    if (!symbol) return special_add(reading, &word, type);
    if (symbol->kind == SYMBOL_REGISTER) {
        uint32_t index = symbol->index;
        if (!register_check(parser, &word, index, type, rules)) return false;
        return add(reading, (Operand){.kind = OPERAND_REGISTER, .negated = negated, .index = index});
    }
    bool name = (rules & RULE_NAMES) && (symbol->kind == SYMBOL_VARIABLE || symbol->kind == SYMBOL_FUNCTION);
    if (name) return name_add(reading, &word, symbol, type);
    parser_fail(parser, &word, "'%.*s' cannot be an operand of '%.*s'", TOKEN_TEXT(&word), TOKEN_TEXT(&reading->opcode));
    return diag_hint(parser->diag, "move its address into a register first");
}

bool operand_destination(Reading *reading, Type type, unsigned rules) {
    Parser *parser = reading->parser;
    Token word;
    uint32_t index = 0;
    if (!parser_take_word(parser, "a register", &word)) return false;
    if ((rules & RULE_SINK) && token_is(&word, "_")) return add(reading, (Operand){.kind = OPERAND_SINK});
    if (!register_find(parser, &word, &index) || !register_check(parser, &word, index, type, rules)) return false;
    return add(reading, (Operand){.kind = OPERAND_REGISTER, .index = index});
}

bool operand_vector(Reading *reading, Type type, unsigned rules, bool destination, unsigned *count) {
    Parser *parser = reading->parser;
    *count = 0;
    if (!parser_expect(parser, '{')) return false;
    do {
        bool fine = destination ? operand_destination(reading, type, rules) : operand_source(reading, type, rules);
        if (!fine) return false;
        ++*count;
    } while (parser_accept(parser, ','));
    return parser_expect(parser, '}');
}

/* -- addresses */

/* What is done at an address. */
typedef struct Target {
    Space space;
    uint64_t bytes; /* 0: not known */
    bool writes;
} Target;

/* Whether the variable that an address names may be accessed there. */
static bool variable_check(Reading *reading, const Token *word, const Operand *address, Target target) {
    Parser *parser = reading->parser;
    const Variable *variable = &parser->program->variables[address->index];
    Space own = (Space)variable->space;
    bool generic = target.space == SPACE_GENERIC && own == SPACE_GLOBAL;
    if (own != target.space && !generic) {
        parser_fail(parser, word, "'%.*s' lies in .%s, not in .%s memory", TOKEN_TEXT(word), space_names[own],
                    space_names[target.space]);
        return diag_hint(parser->diag, "write '%.*s.%s'", TOKEN_TEXT(&reading->opcode), space_names[own]);
    }
    if (own != SPACE_PARAM) return true;
    if (target.writes && variable->formal && parser->body.is_entry)
        return parser_fail(parser, word, "a kernel's parameter '%.*s' cannot be written", TOKEN_TEXT(word));
    if (address->bits > variable->bytes || target.bytes > variable->bytes - address->bits)
        return parser_fail(parser, word, "this reaches beyond the %llu bytes of '%.*s'", (unsigned long long)variable->bytes,
                           TOKEN_TEXT(word));
    return true;
}

/* What stands in the brackets, up to what follows it there. */
static bool address_inside(Reading *reading, Target target) {
    Parser *parser = reading->parser;
    Operand operand = {.kind = OPERAND_ADDRESS_IMMEDIATE};
    Token word = {.kind = TOKEN_END};
    if (constant_starts(parser)) {
        Token at = parser->token;
        Constant constant;
        return constant_parse(parser, &constant) && constant_convert(parser, &constant, &at, TYPE_u64, &operand.bits) &&
               add(reading, operand);
    }
    if (!parser_take_word(parser, "an address", &word) || !constant_parse_offset(parser, &operand.bits)) return false;
    const Symbol *symbol = parser_find(parser, &word);
    if (!symbol) return special_unknown(parser, &word);
    operand.index = symbol->index;
    if (symbol->kind == SYMBOL_REGISTER) {
        Type type = (Type)parser->registers[symbol->index].type;
        if (!agrees(type, TYPE_u64, 0) && !agrees(type, TYPE_u32, 0))
            return parser_fail(parser, &word, "'%.*s' is a .%s register, which does not hold an address", TOKEN_TEXT(&word),
                               type_names[type]);
        operand.kind = OPERAND_ADDRESS;
    } else if (symbol->kind == SYMBOL_VARIABLE) {
        operand.kind = OPERAND_ADDRESS_VARIABLE;
        if (!variable_check(reading, &word, &operand, target)) return false;
    } else {
        return parser_fail(parser, &word, "'%.*s' is neither a register nor a variable", TOKEN_TEXT(&word));
    }
    return add(reading, operand);
}

bool operand_address(Reading *reading, Space space, uint64_t bytes, bool writes) {
    Parser *parser = reading->parser;
    return parser_expect(parser, '[') && address_inside(reading, (Target){space, bytes, writes}) && parser_expect(parser, ']');
}

bool operand_tensor(Reading *reading, unsigned rank) {
    Parser *parser = reading->parser;
    unsigned count;
    if (!parser_expect(parser, '[') || !address_inside(reading, (Target){.space = SPACE_GENERIC})) return false;
    if (!parser_expect(parser, ',')) return false;
    const Token at = parser->token;
    if (!operand_vector(reading, TYPE_s32, 0, false, &count)) return false;
    if (count != rank) return parser_fail(parser, &at, "a tensor of %u dimensions has as many coordinates", rank);
    return parser_expect(parser, ']');
}
