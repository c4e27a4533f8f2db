#include "ptx/parser.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

/* -- tokens and errors */

bool token_is(const Token *token, const char *text) {
    return (token->kind == TOKEN_WORD || token->kind == TOKEN_DOT_WORD) && strlen(text) == token->length &&
           memcmp(token->text, text, token->length) == 0;
}

static bool fail_with(Parser *parser, const Token *at, const char *format, va_list args) {
    char message[sizeof parser->diag->message];
    vsnprintf(message, sizeof message, format, args);
    return diag_error(parser->diag, parser->lexer.name, at->line, at->column, "%s", message);
}

bool parser_fail(Parser *parser, const Token *at, const char *format, ...) {
    va_list args;
    va_start(args, format);
    fail_with(parser, at, format, args);
    va_end(args);
    return false;
}

bool parser_refuse(Parser *parser, const Token *at, const char *format, ...) {
    va_list args;
    va_start(args, format);
    parser->refuses = !parser->diag->set;
    fail_with(parser, at, format, args);
    va_end(args);
    return false;
}

bool parser_fail_here(Parser *parser, const char *format, ...) {
    va_list args;
    va_start(args, format);
    fail_with(parser, &parser->token, format, args);
    va_end(args);
    return false;
}

bool parser_expected(Parser *parser, const char *what) {
    const Token *token = &parser->token;
    if (token->kind == TOKEN_END) return parser_fail_here(parser, "the text ends where %s is expected", what);
    if (token->kind == TOKEN_STRING) return parser_fail_here(parser, "%s is expected here, not a string", what);
    return parser_fail_here(parser, "%s is expected here, not '%.*s'", what, TOKEN_TEXT(token));
}

void parser_advance(Parser *parser) { parser->token = lexer_next(&parser->lexer); }

bool parser_at(const Parser *parser, int punct) { return parser->token.kind == TOKEN_PUNCT && parser->token.punct == punct; }

bool parser_at_dot(const Parser *parser, const char *text) {
    return parser->token.kind == TOKEN_DOT_WORD && token_is(&parser->token, text);
}

bool parser_accept(Parser *parser, int punct) {
    if (!parser_at(parser, punct)) return false;
    parser_advance(parser);
    return true;
}

bool parser_accept_dot(Parser *parser, const char *text) {
    if (!parser_at_dot(parser, text)) return false;
    parser_advance(parser);
    return true;
}

bool parser_expect(Parser *parser, int punct) {
    char what[8];
    snprintf(what, sizeof what, "'%c'", punct);
    return parser_accept(parser, punct) || parser_expected(parser, what);
}

bool parser_take_word(Parser *parser, const char *what, Token *word) {
    if (parser->token.kind != TOKEN_WORD) return parser_expected(parser, what);
    *word = parser->token;
    parser_advance(parser);
    return true;
}

bool parser_take_dot(Parser *parser, const char *what, Token *word) {
    if (parser->token.kind != TOKEN_DOT_WORD) return parser_expected(parser, what);
    *word = parser->token;
    parser_advance(parser);
    return true;
}

bool parser_take_count(Parser *parser, const char *what, uint64_t max, uint64_t *value) {
    Token at = parser->token;
    Constant constant;
    if (!constant_starts(parser)) return parser_expected(parser, what);
    if (!constant_parse(parser, &constant)) return false;
    if (constant.kind != TOKEN_INTEGER) return parser_fail(parser, &at, "%s is a whole number", what);
    if (constant.bits > max)
        return parser_fail(parser, &at, "%s is out of range: 0 to %llu are allowed", what, (unsigned long long)max);
    *value = constant.bits;
    return true;
}

/* -- module directives */

/* `.version 8.4`: the lexer reads the two numbers as one decimal. */
static bool version_parse(Parser *parser) {
    Token at = parser->token;
    unsigned major = 0, minor = 0;
    if (at.kind != TOKEN_DOUBLE || at.length > 7) return parser_expected(parser, "a PTX version such as 8.4");
    char copy[8] = "";
    memcpy(copy, at.text, at.length);
    if (sscanf(copy, "%u.%u", &major, &minor) != 2) return parser_expected(parser, "a PTX version such as 8.4");
    parser_advance(parser);
    if (parser->program->version_major) return parser_fail(parser, &at, "the module has a .version already");
    if (major < 6 || major > 9) {
        parser_fail(parser, &at, "PTX version %u.%u is not supported: 6.0 to 9.x are", major, minor);
        return diag_hint(parser->diag, "compile with a toolkit from CUDA 9.0 on");
    }
    parser->program->version_major = major;
    parser->program->version_minor = minor;
    return true;
}

static bool target_parse(Parser *parser) {
    do {
        Token word;
        if (!parser_take_word(parser, "a target such as sm_75", &word)) return false;
        parser->program->debug |= token_is(&word, "debug");
        bool mode = token_is(&word, "texmode_unified") || token_is(&word, "texmode_independent") || token_is(&word, "debug") ||
                    token_is(&word, "map_f64_to_f32");
        if (mode) continue;
        unsigned target = 0;
        uint32_t at = 3;
        for (; at < word.length && at < 6 && word.text[at] >= '0' && word.text[at] <= '9'; at++)
            target = target * 10 + (unsigned)(word.text[at] - '0');
        bool suffix = at + 1 == word.length && (word.text[at] == 'a' || word.text[at] == 'f');
        if (word.length < 4 || memcmp(word.text, "sm_", 3) != 0 || at == 3 || (at != word.length && !suffix))
            return parser_fail(parser, &word, "unknown target '%.*s'", TOKEN_TEXT(&word));
        parser->program->target = target;
    } while (parser_accept(parser, ','));
    return true;
}

static bool address_size_parse(Parser *parser) {
    Token at = parser->token;
    uint64_t bits;
    if (!parser_take_count(parser, "the address size", 64, &bits)) return false;
    if (bits == 64) return true;
    parser_fail(parser, &at, ".address_size %llu is not supported", (unsigned long long)bits);
    return diag_hint(parser->diag, "compile for 64-bit addresses");
}

/* `.file 1 "name"`, `.file 1 "directory" "name"`, each with `, timestamp, size` at the end. */
static bool file_parse(Parser *parser) {
    uint64_t number;
    if (!parser_take_count(parser, "a file number", MAX_FILE_NUMBER, &number)) return false;
    Program *program = parser->program;
    number += parser->file_base;
    while (program->n_files <= number) ARENA_ADD(parser->arena, program->files, program->n_files) = "";
    if (parser->token.kind != TOKEN_STRING) return parser_expected(parser, "a file name in quotes");
    Token name = parser->token;
    parser_advance(parser);
    Token directory = {.kind = TOKEN_END};
    if (parser->token.kind == TOKEN_STRING) {
        directory = name;
        name = parser->token;
        parser_advance(parser);
    }
    char *path = arena_alloc(parser->arena, (size_t)directory.length + name.length + 2);
    size_t at = directory.length && name.length && name.text[0] != '/' ? lexer_unescape(&directory, path) : 0;
    if (at) path[at++] = '/';
    path[at + lexer_unescape(&name, path + at)] = 0;
    program->files[number] = path;
    for (int i = 0; i < 2 && parser_accept(parser, ','); i++) {
        uint64_t ignored;
        if (!parser_take_count(parser, "a timestamp or size", UINT64_MAX, &ignored)) return false;
    }
    return true;
}

/* `.section .debug_info { … }`: nothing in it changes what runs. */
static bool section_parse(Parser *parser) {
    Token name;
    if (!parser_take_dot(parser, "a section name", &name) || !parser_expect(parser, '{')) return false;
    while (!parser_at(parser, '}')) {
        if (parser->token.kind == TOKEN_END) return parser_expected(parser, "'}'");
        parser_advance(parser);
    }
    parser_advance(parser);
    return true;
}

typedef struct Alias {
    struct Alias *next;
    uint32_t alias, target;
    Token at;
} Alias;

/* `.alias a, b;`: b may be defined further down, so functions are shared only when everything was read. */
static bool alias_parse(Parser *parser) {
    Token names[2];
    uint32_t functions[2];
    for (int i = 0; i < 2; i++) {
        if (i && !parser_expect(parser, ',')) return false;
        if (!parser_take_word(parser, "a function's name", &names[i])) return false;
        const Symbol *symbol = parser_find(parser, &names[i]);
        if (!symbol || symbol->kind != SYMBOL_FUNCTION)
            return parser_fail(parser, &names[i], "'%.*s' is not a function declared above", TOKEN_TEXT(&names[i]));
        functions[i] = symbol->index;
    }
    Alias *alias = ARENA_NEW(parser->scratch, Alias);
    *alias = (Alias){.next = parser->aliases, .alias = functions[0], .target = functions[1], .at = names[0]};
    parser->aliases = alias;
    return parser_expect(parser, ';');
}

static bool resolve_aliases(Parser *parser) {
    for (const Alias *alias = parser->aliases; alias; alias = alias->next) {
        Function *from = &parser->program->functions[alias->alias];
        const Function *to = &parser->program->functions[alias->target];
        if (from->is_defined)
            return parser_fail(parser, &alias->at, "'%.80s' has a body, so it cannot be an alias", from->name);
        if (!to->is_defined)
            return parser_fail(parser, &alias->at, "'%.80s' is an alias of a function without a body", from->name);
        if (from->is_entry || to->is_entry) return parser_fail(parser, &alias->at, "a kernel cannot be part of an alias");
        if (from->n_params != to->n_params)
            return parser_fail(parser, &alias->at, "an alias takes the same parameters as its function");
        const char *name = from->name;
        bool weak = from->is_weak;
        *from = *to;
        from->name = name;
        from->is_weak = weak;
    }
    return true;
}

static bool directive_parse(Parser *parser);

/* `.visible`, `.extern`, `.weak`, `.common` before a function or variable. */
static bool linkage_parse(Parser *parser, Linkage *linkage) {
    for (;;) {
        if (parser_accept_dot(parser, ".visible"))
            linkage->visible = true;
        else if (parser_accept_dot(parser, ".extern"))
            linkage->external = true;
        else if (parser_accept_dot(parser, ".weak"))
            linkage->weak = true;
        else if (parser_accept_dot(parser, ".common"))
            linkage->common = true;
        else
            return true;
    }
}

static bool directive_parse(Parser *parser) {
    Linkage linkage = {0};
    Token at = parser->token;
    if (at.kind != TOKEN_DOT_WORD) {
        parser_expected(parser, "a directive");
        return diag_hint(parser->diag, "instructions stand inside a function's braces");
    }
    if (!linkage_parse(parser, &linkage)) return false;
    Token word = parser->token;
    if (token_is(&word, ".global") || token_is(&word, ".const") || token_is(&word, ".shared"))
        return variable_parse(parser, &linkage);
    if (parser_accept_dot(parser, ".entry")) return function_parse(parser, true, &linkage);
    if (parser_accept_dot(parser, ".func")) return function_parse(parser, false, &linkage);
    if (word.line != at.line || word.column != at.column) return parser_expected(parser, ".entry, .func or a variable");
    if (parser_accept_dot(parser, ".version")) return version_parse(parser);
    if (parser_accept_dot(parser, ".target")) return target_parse(parser);
    if (parser_accept_dot(parser, ".address_size")) return address_size_parse(parser);
    if (parser_accept_dot(parser, ".file")) return file_parse(parser);
    if (parser_accept_dot(parser, ".section")) return section_parse(parser);
    if (parser_accept_dot(parser, ".alias")) return alias_parse(parser);
    if (parser_accept_dot(parser, ".pragma")) return pragma_parse(parser);
    if (parser_accept_dot(parser, ".loc")) return location_parse(parser);
    if (token_is(&word, ".tex") || token_is(&word, ".texref") || token_is(&word, ".surfref") || token_is(&word, ".samplerref"))
        return parser_fail(parser, &at,
                           "'%.*s' is not emulated: texture references are of CUDA 11, and textures are objects here",
                           TOKEN_TEXT(&word));
    if (token_is(&word, ".local") || token_is(&word, ".reg") || token_is(&word, ".param"))
        return parser_fail(parser, &at, "'%.*s' stands only inside a function", TOKEN_TEXT(&word));
    return parser_fail(parser, &at, "unknown directive '%.*s'", TOKEN_TEXT(&word));
}

static bool module_parse(Parser *parser) {
    parser_advance(parser);
    if (!parser_at_dot(parser, ".version")) {
        parser_expected(parser, ".version");
        return diag_hint(parser->diag, "a PTX file begins with `.version`; is this PTX at all?");
    }
    while (parser->token.kind != TOKEN_END) {
        if (parser_accept(parser, ';')) continue;
        if (!directive_parse(parser)) return false;
    }
    if (parser->lexer.failed) return false;
    if (!parser->program->target) return parser_fail_here(parser, "the module has no .target");
    return resolve_aliases(parser);
}

/* Locations name files by number; a number without a .file has an empty name. */
static void files_complete(Parser *parser) {
    Program *program = parser->program;
    uint32_t most = 0;
    for (uint32_t i = 0; i < program->n_locations; i++)
        if (program->locations[i].file > most) most = program->locations[i].file;
    while (program->n_files <= most) ARENA_ADD(parser->arena, program->files, program->n_files) = "";
}

/* Reads one module behind those that were read before it. */
static bool text_parse(Parser *parser, const ProgramText *text) {
    Program *program = parser->program;
    const char *name = arena_copy(parser->arena, text->name ? text->name : "", text->name ? strlen(text->name) : 0);
    if (text->length > MAX_TEXT_BYTES)
        return diag_error(parser->diag, name, 0, 0, "the PTX text has more than %d MiB", MAX_TEXT_BYTES >> 20);
    if (!program->name) program->name = name;
    program->target = program->version_major = 0;
    parser->file_base = program->n_files;
    parser->aliases = NULL;
    symbols_start(&parser->symbols, parser->scratch);
    lexer_start(&parser->lexer, text->text, text->length, name, parser->diag);
    if (module_parse(parser)) {
        files_complete(parser);
        return true;
    }
    if (parser->diag->line) diag_quote(parser->diag, text->text, text->length);
    return false;
}

Program *program_link(const ProgramText *texts, size_t count, Diag *diag) {
    Arena *arena = arena_new(), *scratch = arena_new();
    Program *program = ARENA_NEW(arena, Program);
    program->arena = arena;
    program->prepared = ARENA_NEW(arena, struct Prepared *);
    Parser *parser = ARENA_NEW(scratch, Parser);
    Exports exports = {0};
    parser->diag = diag;
    parser->program = program;
    parser->arena = arena;
    parser->scratch = scratch;
    parser->body.function = NO_INDEX;
    symbols_start(&exports.symbols, scratch);
    if (count > 1) parser->exports = &exports;
    ARENA_ADD(arena, program->locations, program->n_locations) = (Location){0};
    bool fine = true;
    for (size_t i = 0; fine && i < count; i++) fine = text_parse(parser, &texts[i]);
    arena_free(scratch);
    if (fine) return program;
    program_free(program);
    return NULL;
}

Program *program_parse(const char *text, size_t length, const char *name, Diag *diag) {
    return program_link(&(ProgramText){text, length, name}, 1, diag);
}
