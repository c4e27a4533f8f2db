/* Variables with their initialisers, formal parameters, registers: PTX ISA, "State Spaces, Types, and Variables". */
#include <stdio.h>
#include <string.h>

#include "ptx/parser.h"

Type type_named(const char *text, size_t length) {
    if (length < 2 || text[0] != '.') return TYPE_none;
    for (Type type = TYPE_none + 1; type < TYPE_COUNT; type++)
        if (strlen(type_names[type]) == length - 1 && memcmp(type_names[type], text + 1, length - 1) == 0) return type;
    return TYPE_none;
}

/* Instructions alone have the others: PTX ISA, "Fundamental Types", as ptxas has it. */
static Type type_of_variable(const Token *word) {
    enum { OF_INSTRUCTIONS = 1 << TYPE_tf32 | 1 << TYPE_bf16 | 1 << TYPE_bf16x2 | 1 << TYPE_u16x2 | 1 << TYPE_s16x2 };
    const Type type = type_named(word->text, word->length);
    return OF_INSTRUCTIONS >> type & 1 ? TYPE_none : type;
}

const Symbol *parser_find(const Parser *parser, const Token *word) {
    return symbols_find(&parser->symbols, word->text, word->length);
}

/* What stands between the state space and the first name. */
typedef struct Declared {
    Type type;
    unsigned lanes; /* of .v2, .v4; else 1 */
    uint32_t align;
    bool managed;
} Declared;

static bool align_parse(Parser *parser, uint32_t *align) {
    Token at = parser->token;
    uint64_t value;
    if (!parser_take_count(parser, "an alignment", MAX_ALIGN, &value)) return false;
    if (!value || (value & (value - 1))) return parser_fail(parser, &at, "an alignment is a power of two");
    *align = (uint32_t)value;
    return true;
}

/* `.managed`, `.unified(1, 2)` */
static bool attribute_one(Parser *parser, bool *managed) {
    Token name;
    if (!parser_take_dot(parser, "an attribute", &name)) return false;
    if (!token_is(&name, ".managed") && !token_is(&name, ".unified"))
        return parser_fail(parser, &name, "unknown attribute '%.*s'", TOKEN_TEXT(&name));
    *managed |= token_is(&name, ".managed");
    if (!parser_accept(parser, '(')) return true;
    do {
        uint64_t part;
        if (!parser_take_count(parser, "an identifier", UINT64_MAX, &part)) return false;
    } while (parser_accept(parser, ','));
    return parser_expect(parser, ')');
}

/* `.attribute(.managed, .unified(1, 2))`: managed memory is the device's own here. */
bool attribute_parse(Parser *parser, bool *managed) {
    if (!parser_expect(parser, '(')) return false;
    do
        if (!attribute_one(parser, managed)) return false;
    while (parser_accept(parser, ','));
    return parser_expect(parser, ')');
}

static bool declared_parse(Parser *parser, Declared *declared) {
    *declared = (Declared){.lanes = 1};
    for (;;) {
        Token word = parser->token;
        if (!parser_take_dot(parser, "a type", &word)) return false;
        if (token_is(&word, ".align")) {
            if (!align_parse(parser, &declared->align)) return false;
        } else if (token_is(&word, ".attribute")) {
            if (!attribute_parse(parser, &declared->managed)) return false;
        } else if (token_is(&word, ".v2") || token_is(&word, ".v4")) {
            declared->lanes = (unsigned)(word.text[2] - '0');
        } else {
            declared->type = type_of_variable(&word);
            if (declared->type == TYPE_none) {
                bool opaque = token_is(&word, ".texref") || token_is(&word, ".surfref") || token_is(&word, ".samplerref");
                if (opaque)
                    return parser_fail(
                        parser, &word,
                        "'%.*s' is not emulated: texture references are of CUDA 11, and textures are objects here",
                        TOKEN_TEXT(&word));
                return parser_fail(parser, &word, "unknown type '%.*s'", TOKEN_TEXT(&word));
            }
            if (declared->type == TYPE_pred) return parser_fail(parser, &word, "a predicate cannot stand in memory");
            uint32_t natural = type_bytes[declared->type] * declared->lanes;
            if (!declared->align) declared->align = natural;
            return true;
        }
    }
}

/* -- formal parameters */

/* `.ptr .global .align 8`: a promise about what the pointer points to. */
static bool pointer_parse(Parser *parser) {
    uint32_t align;
    if (!parser_accept_dot(parser, ".ptr")) return true;
    for (;;) {
        if (parser_accept_dot(parser, ".align")) {
            if (!align_parse(parser, &align)) return false;
        } else if (!parser_accept_dot(parser, ".global") && !parser_accept_dot(parser, ".shared") &&
                   !parser_accept_dot(parser, ".const") && !parser_accept_dot(parser, ".local")) {
            return true;
        }
    }
}

static bool count_bytes(Parser *parser, const Token *at, uint64_t *bytes, uint64_t factor) {
    const uint64_t most = UINT64_C(1) << 40;
    if (factor && *bytes > most / factor) return parser_fail(parser, at, "this variable is larger than any memory");
    *bytes *= factor;
    return true;
}

bool formal_parse(Parser *parser, Formal *formal) {
    *formal = (Formal){.name = {.kind = TOKEN_END}};
    formal->is_register = parser_at_dot(parser, ".reg");
    if (!formal->is_register && !parser_at_dot(parser, ".param")) return parser_expected(parser, ".param or .reg");
    Token at = parser->token;
    Declared declared;
    parser_advance(parser);
    if (!declared_parse(parser, &declared) || !pointer_parse(parser)) return false;
    if (formal->is_register && declared.lanes > 1) return parser_fail(parser, &at, "vector registers are not emulated");
    formal->type = declared.type;
    formal->align = declared.align;
    formal->bytes = (uint64_t)type_bytes[declared.type] * declared.lanes;
    if (parser->token.kind == TOKEN_WORD) {
        formal->name = parser->token;
        parser_advance(parser);
    }
    while (parser_accept(parser, '[')) {
        uint64_t dimension;
        if (parser_at(parser, ']')) return parser_fail_here(parser, "a parameter of unknown size is not emulated");
        if (!parser_take_count(parser, "an array size", UINT32_MAX, &dimension)) return false;
        if (!count_bytes(parser, &at, &formal->bytes, dimension) || !parser_expect(parser, ']')) return false;
    }
    if (formal->bytes > MAX_PARAM_BYTES) return parser_fail(parser, &at, "a parameter has at most %d bytes", MAX_PARAM_BYTES);
    return true;
}

/* -- registers */

bool register_add(Parser *parser, const Token *at, const char *name, uint32_t length, Type type, uint32_t *index) {
    Body *body = &parser->body;
    if (body->n_registers >= MAX_FUNCTION_REGISTERS)
        return parser_fail(parser, at, "a function has at most %d registers", MAX_FUNCTION_REGISTERS);
    if (++parser->n_registers_total > MAX_REGISTERS)
        return parser_fail(parser, at, "a module has at most %d registers", MAX_REGISTERS);
    const char *copy = arena_copy(parser->arena, name, length);
    if (!symbols_add(&parser->symbols, copy, length, SYMBOL_REGISTER, (uint32_t)body->n_registers))
        return parser_fail(parser, at, "'%.80s' is declared already", copy);
    *index = (uint32_t)body->n_registers;
    ARENA_ADD(parser->scratch, parser->registers, body->n_registers) = (Register){.name = copy, .type = (uint8_t)type};
    return true;
}

/* `%r<10>` stands for %r0 to %r9. */
static bool range_parse(Parser *parser, const Token *prefix, Type type) {
    Token count = parser->token;
    if (count.kind != TOKEN_INTEGER) return parser_expected(parser, "a number of registers");
    if (count.bits > MAX_FUNCTION_REGISTERS)
        return parser_fail(parser, &count, "a function has at most %d registers", MAX_FUNCTION_REGISTERS);
    if (prefix->length > 200) return parser_fail(parser, prefix, "this name is too long for a range of registers");
    parser_advance(parser);
    for (uint32_t i = 0; i < count.bits; i++) {
        char name[256];
        uint32_t index;
        int length = snprintf(name, sizeof name, "%.*s%u", (int)prefix->length, prefix->text, i);
        if (!register_add(parser, prefix, name, (uint32_t)length, type, &index)) return false;
    }
    return parser_expect(parser, '>');
}

bool registers_parse(Parser *parser) {
    Token word;
    if (!parser_take_dot(parser, "a type", &word)) return false;
    if (token_is(&word, ".v2") || token_is(&word, ".v4"))
        return parser_refuse(parser, &word, "vector registers are not emulated");
    Type type = type_of_variable(&word);
    if (type == TYPE_none) return parser_fail(parser, &word, "unknown type '%.*s'", TOKEN_TEXT(&word));
    if (type == TYPE_b128) return parser_refuse(parser, &word, "128-bit registers are not emulated");
    do {
        Token name;
        uint32_t index;
        if (!parser_take_word(parser, "a register's name", &name)) return false;
        if (parser_accept(parser, '<')) {
            if (!range_parse(parser, &name, type)) return false;
        } else if (!register_add(parser, &name, name.text, name.length, type, &index)) {
            return false;
        }
    } while (parser_accept(parser, ','));
    return parser_expect(parser, ';');
}

/* -- initialisers */

typedef struct Init {
    Parser *parser;
    Type type;
    uint64_t sizes[MAX_DIMENSIONS + 2]; /* elements below each dimension: sizes[0] all, sizes[n_dimensions] 1 */
    unsigned n_dimensions;
    size_t bytes; /* written so far, gaps included */
    size_t n_relocations;
} Init;

/* Room for `count` elements from `element` on in the parser's buffer; what was skipped is zero. NULL on error. */
static uint8_t *init_room(Init *init, const Token *at, uint64_t element, uint64_t count) {
    Parser *parser = init->parser;
    uint64_t size = type_bytes[init->type];
    if (element > MAX_INIT_BYTES || count > MAX_INIT_BYTES || (element + count) * size > MAX_INIT_BYTES) {
        parser_fail(parser, at, "the initialisers have more than %d MiB", MAX_INIT_BYTES >> 20);
        return NULL;
    }
    size_t end = (size_t)((element + count) * size);
    while (init->bytes < end) ARENA_ADD(parser->scratch, parser->init, init->bytes) = 0;
    return parser->init + element * size;
}

/* `x`, `x+8`, `generic(x)+8`, `f`. */
static bool init_address(Init *init, uint64_t element) {
    Parser *parser = init->parser;
    Token name = parser->token;
    parser_advance(parser);
    bool generic = token_is(&name, "generic") && parser_accept(parser, '(');
    if (generic && (!parser_take_word(parser, "a variable's name", &name) || !parser_expect(parser, ')'))) return false;
    const Symbol *symbol = parser_find(parser, &name);
    bool known = symbol && (symbol->kind == SYMBOL_VARIABLE || symbol->kind == SYMBOL_FUNCTION);
    if (!known) return parser_fail(parser, &name, "'%.*s' is not a variable or function declared above", TOKEN_TEXT(&name));
    bool is_function = symbol->kind == SYMBOL_FUNCTION;
    uint32_t index = symbol->index;
    if (!is_function) {
        Space space = (Space)parser->program->variables[index].space;
        if (space != SPACE_GLOBAL && space != SPACE_CONST)
            return parser_fail(parser, &name, "the address of a .%s variable is not known before the launch",
                               space_names[space]);
    }
    if (type_bytes[init->type] != 8 || type_kinds[init->type] == KIND_FLOAT) {
        parser_fail(parser, &name, "an address does not fit in .%s", type_names[init->type]);
        return diag_hint(parser->diag, "declare the variable with .u64");
    }
    uint64_t addend;
    if (!constant_parse_offset(parser, &addend)) return false;
    if (++parser->n_relocations_total > MAX_RELOCATIONS)
        return parser_fail(parser, &name, "the initialisers have more than %d addresses", MAX_RELOCATIONS);
    if (!init_room(init, &name, element, 1)) return false;
    ARENA_ADD(parser->scratch, parser->relocations, init->n_relocations) = (Relocation){
        .at = element * 8, .is_function = is_function, .generic = generic, .index = index, .addend = (int64_t)addend};
    return true;
}

static bool init_string(Init *init, uint64_t element, uint64_t *count) {
    Parser *parser = init->parser;
    Token token = parser->token;
    if (type_bytes[init->type] != 1)
        return parser_fail(parser, &token, "a string initialises bytes, not .%s", type_names[init->type]);
    uint8_t *room = init_room(init, &token, element, (uint64_t)token.length + 1);
    if (!room) return false;
    size_t length = lexer_unescape(&token, (char *)room);
    init->bytes = (size_t)element + length;
    *count = length;
    parser_advance(parser);
    return true;
}

/* One scalar at `element`; *count is how many elements it filled: more than one for a string. */
static bool init_element(Init *init, uint64_t element, uint64_t *count) {
    Parser *parser = init->parser;
    Token at = parser->token;
    *count = 1;
    if (at.kind == TOKEN_STRING) return init_string(init, element, count);
    if (at.kind == TOKEN_WORD && !token_is(&at, "WARP_SZ")) return init_address(init, element);
    Constant constant;
    uint64_t bits;
    if (!constant_starts(parser) && !parser_at(parser, '!')) return parser_expected(parser, "an initial value");
    if (!constant_parse(parser, &constant)) return false;
    if (parser_at(parser, '(')) return parser_fail(parser, &at, "parts of an address, as in 0xFF(x), are not emulated");
    if (!constant_convert(parser, &constant, &at, init->type, &bits)) return false;
    uint8_t *room = init_room(init, &at, element, 1);
    if (!room) return false;
    for (unsigned i = 0; i < type_bytes[init->type]; i++) room[i] = i < 8 ? (uint8_t)(bits >> (8 * i)) : 0;
    return true;
}

/* The list after a `{`: elements from `base` on. Recursion is bounded by the number of dimensions. */
static bool init_list(Init *init, unsigned depth, uint64_t base, uint64_t *filled) {
    Parser *parser = init->parser;
    uint64_t at = base, count;
    do {
        if (parser_at(parser, '}')) break;
        Token token = parser->token;
        if (parser_at(parser, '{')) {
            if (depth + 1 >= init->n_dimensions) return parser_fail_here(parser, "more braces than the array has dimensions");
            parser_advance(parser);
            if (!init_list(init, depth + 1, at, &count)) return false;
            at += init->sizes[depth + 1];
        } else if (depth + 1 < init->n_dimensions) {
            return parser_expected(parser, "'{', for a row of the array");
        } else {
            if (!init_element(init, at, &count)) return false;
            at += count;
        }
        if (at - base > init->sizes[depth])
            return parser_fail(parser, &token, "more initial values than the variable has room for");
    } while (parser_accept(parser, ','));
    *filled = at - base;
    return parser_expect(parser, '}');
}

/* After `=`. An array of unknown size gets its size here. */
static bool init_parse(Parser *parser, const Token *name, const Declared *declared, const uint64_t *dimensions,
                       unsigned n_dimensions, Variable *variable) {
    Init init = {.parser = parser, .type = declared->type, .n_dimensions = n_dimensions};
    bool unsized = n_dimensions && dimensions[0] == 0;
    init.sizes[n_dimensions] = 1;
    for (unsigned d = n_dimensions; d > 0; d--) init.sizes[d - 1] = init.sizes[d] * dimensions[d - 1];
    if (unsized) init.sizes[0] = UINT64_MAX;
    uint64_t filled = 0;
    if (parser->token.kind == TOKEN_STRING || !parser_at(parser, '{')) {
        if (n_dimensions && parser->token.kind != TOKEN_STRING) return parser_expected(parser, "'{'");
        if (!init_element(&init, 0, &filled)) return false;
        if (filled > init.sizes[0]) return parser_fail(parser, name, "the string is longer than the variable");
    } else {
        parser_advance(parser);
        if (!init_list(&init, 0, 0, &filled)) return false;
    }
    if (unsized) variable->bytes = filled * type_bytes[declared->type];
    if (variable->bytes > MAX_INIT_BYTES || (parser->init_bytes += variable->bytes) > MAX_INIT_BYTES)
        return parser_fail(parser, name, "the initialisers have more than %d MiB", MAX_INIT_BYTES >> 20);
    uint8_t *bytes = arena_alloc(parser->arena, variable->bytes + 1);
    if (init.bytes) memcpy(bytes, parser->init, init.bytes < variable->bytes ? init.bytes : variable->bytes);
    variable->init = bytes;
    Relocation *relocations = ARENA_ARRAY(parser->arena, Relocation, init.n_relocations);
    if (init.n_relocations) memcpy(relocations, parser->relocations, init.n_relocations * sizeof *relocations);
    variable->relocations = relocations;
    variable->n_relocations = (uint32_t)init.n_relocations;
    return true;
}

/* -- variables */

bool variable_add(Parser *parser, const Token *name, Variable variable, uint32_t *index) {
    Program *program = parser->program;
    if (program->n_variables >= MAX_VARIABLES)
        return parser_fail(parser, name, "a module has at most %d variables", MAX_VARIABLES);
    variable.name = arena_copy(parser->arena, name->text, name->kind == TOKEN_WORD ? name->length : 0);
    *index = program->n_variables;
    ARENA_ADD(parser->arena, program->variables, program->n_variables) = variable;
    return true;
}

bool frame_reserve(Parser *parser, const Token *at, uint64_t bytes, uint32_t align, uint64_t *offset) {
    Body *body = &parser->body;
    uint64_t start = (body->frame_at + align - 1) / align * align;
    if (bytes > MAX_LOCAL_BYTES || start + bytes > MAX_LOCAL_BYTES)
        return parser_fail(parser, at, "a thread has at most %d KiB of local memory", MAX_LOCAL_BYTES >> 10);
    *offset = start;
    body->frame_at = start + bytes;
    if (body->frame_bytes < body->frame_at) body->frame_bytes = body->frame_at;
    return true;
}

static bool limit_parse(Parser *parser, const Token *name, const Variable *variable) {
    uint64_t bytes = variable->bytes;
    switch ((Space)variable->space) {
    case SPACE_GLOBAL:
        if (bytes > MAX_GLOBAL_BYTES || (parser->global_bytes += bytes) > MAX_GLOBAL_BYTES)
            return parser_fail(parser, name, "the module's .global variables take more than 8 GiB");
        return true;
    case SPACE_CONST:
        if (bytes > MAX_CONST_BYTES || (parser->const_bytes += bytes) > MAX_CONST_BYTES)
            return parser_fail(parser, name, "the module's .const variables take more than %d KiB", MAX_CONST_BYTES >> 10);
        return true;
    case SPACE_SHARED:
        if (bytes > MAX_SHARED_BYTES)
            return parser_fail(parser, name, "a .shared variable has at most %d KiB", MAX_SHARED_BYTES >> 10);
        return true;
    case SPACE_LOCAL:
    case SPACE_PARAM:
        if (bytes > MAX_LOCAL_BYTES)
            return parser_fail(parser, name, "a thread has at most %d KiB of local memory", MAX_LOCAL_BYTES >> 10);
        return true;
    case SPACE_GENERIC:
    case SPACE_COUNT: break;
    }
    return true;
}

/* A module's variable may be declared .extern first and defined later, also by another module: it stays one variable. */
static bool variable_enter(Parser *parser, const Token *name, const Linkage *linkage, const Variable *variable) {
    const Symbol *known = linkage_find(parser, name, linkage);
    const bool repeats = parser->exports && (linkage->weak || linkage->common);
    const bool replaces = !variable->external && linkage_replaces(parser, name, linkage);
    uint32_t index = 0;
    if (known && known->scope == parser->symbols.scope) {
        if (!variable->external && !linkage_define(parser, name, linkage)) return false;
        Variable *old = known->kind == SYMBOL_VARIABLE ? &parser->program->variables[known->index] : NULL;
        bool again = old && (old->external || variable->external || repeats || replaces) && old->space == variable->space;
        if (!again) return parser_fail(parser, name, "'%.*s' is declared already", TOKEN_TEXT(name));
        if (old->align < variable->align) old->align = variable->align;
        if (variable->external || (!old->external && !replaces)) return true;
        const char *copy = old->name;
        const uint32_t align = old->align;
        *old = *variable;
        old->name = copy;
        old->align = align;
        return true;
    }
    if (!variable_add(parser, name, *variable, &index)) return false;
    return linkage_add(parser, name, linkage, SYMBOL_VARIABLE, index) &&
           (variable->external || linkage_define(parser, name, linkage));
}

static bool variable_one(Parser *parser, const Linkage *linkage, Space space, const Declared *declared) {
    Token name;
    uint64_t dimensions[MAX_DIMENSIONS + 1];
    unsigned n_dimensions = 0;
    if (!parser_take_word(parser, "a variable's name", &name)) return false;
    Variable variable = {.space = (uint8_t)space,
                         .align = declared->align,
                         .external = linkage->external,
                         .managed = declared->managed,
                         .function = parser->body.function,
                         .bytes = type_bytes[declared->type]};
    bool unsized = false;
    while (parser_accept(parser, '[')) {
        if (n_dimensions == MAX_DIMENSIONS)
            return parser_fail(parser, &name, "an array has at most %d dimensions", MAX_DIMENSIONS);
        uint64_t *dimension = &dimensions[n_dimensions++];
        *dimension = 0;
        if (n_dimensions == 1 && parser_at(parser, ']'))
            unsized = true;
        else if (!parser_take_count(parser, "an array size", UINT32_MAX, dimension))
            return false;
        bool counted = unsized && n_dimensions == 1;
        if (!parser_expect(parser, ']') || !count_bytes(parser, &name, &variable.bytes, counted ? 1 : *dimension)) return false;
    }
    if (declared->lanes > 1) {
        dimensions[n_dimensions++] = declared->lanes;
        if (!count_bytes(parser, &name, &variable.bytes, declared->lanes)) return false;
    }
    if (n_dimensions && dimensions[0] == 0 && !unsized && parser_at(parser, '='))
        return parser_fail(parser, &name, "an array of no elements has no initial values");
    if (parser_accept(parser, '=')) {
        if ((space != SPACE_GLOBAL && space != SPACE_CONST) || linkage->external)
            return parser_fail(parser, &name, "only .global and .const variables that are defined here have initial values");
        if (!init_parse(parser, &name, declared, dimensions, n_dimensions, &variable)) return false;
    } else if (unsized && !linkage->external) {
        return parser_fail(parser, &name, "the size of '%.*s' is unknown", TOKEN_TEXT(&name));
    } else if (unsized) {
        variable.bytes = 0;
    }
    if (!limit_parse(parser, &name, &variable)) return false;
    if ((space == SPACE_LOCAL || space == SPACE_PARAM) &&
        !frame_reserve(parser, &name, variable.bytes, variable.align, &variable.offset))
        return false;
    return variable_enter(parser, &name, linkage, &variable);
}

bool variable_parse(Parser *parser, const Linkage *linkage) {
    static const struct {
        char text[8];
        Space space;
    } spaces[] = {{".global", SPACE_GLOBAL},
                  {".const", SPACE_CONST},
                  {".shared", SPACE_SHARED},
                  {".local", SPACE_LOCAL},
                  {".param", SPACE_PARAM}};
    Space space = SPACE_GENERIC;
    for (size_t i = 0; i < sizeof spaces / sizeof *spaces; i++)
        if (parser_at_dot(parser, spaces[i].text)) space = spaces[i].space;
    Declared declared;
    parser_advance(parser);
    if (!declared_parse(parser, &declared)) return false;
    do {
        if (!variable_one(parser, linkage, space, &declared)) return false;
    } while (parser_accept(parser, ','));
    return parser_expect(parser, ';');
}
