/* Modules that are linked: PTX ISA, "Linking Directives". */
#include "ptx/parser.h"

/* Whether other modules have to do with it: not with what a function has for itself, dynamic shared memory included. */
static bool is_shared(const Parser *parser, const Linkage *linkage) {
    return parser->exports && parser->body.function == NO_INDEX &&
           (linkage->visible || linkage->external || linkage->weak || linkage->common);
}

/* NULL: its module declared it as its own first. */
static const char **definer(const Parser *parser, const Token *name) {
    const Symbol *symbol = symbols_find(&parser->exports->symbols, name->text, name->length);
    return symbol ? &parser->exports->definers[symbol - parser->exports->symbols.symbols] : NULL;
}

const Symbol *linkage_find(Parser *parser, const Token *name, const Linkage *linkage) {
    const Symbol *own = parser_find(parser, name);
    if (own || !is_shared(parser, linkage)) return own;
    const Symbol *other = symbols_find(&parser->exports->symbols, name->text, name->length);
    if (!other) return NULL;
    symbols_add(&parser->symbols, name->text, name->length, (SymbolKind)other->kind, other->index);
    return parser_find(parser, name);
}

bool linkage_add(Parser *parser, const Token *name, const Linkage *linkage, SymbolKind kind, uint32_t index) {
    if (!symbols_add(&parser->symbols, name->text, name->length, kind, index))
        return parser_fail(parser, name, "'%.*s' is declared already", TOKEN_TEXT(name));
    if (!is_shared(parser, linkage)) return true;
    Exports *exports = parser->exports;
    symbols_add(&exports->symbols, name->text, name->length, kind, index);
    ARENA_ADD(parser->scratch, exports->definers, exports->n_definers) = NULL;
    return true;
}

bool linkage_define(Parser *parser, const Token *name, const Linkage *linkage) {
    if (!is_shared(parser, linkage)) return true;
    const char **by = definer(parser, name);
    if (!by) return true;
    const char *module = parser->lexer.name;
    if (*by && *by != module && !linkage->weak && !linkage->common) {
        FREED char *mangled = alloc_text(name->text, name->length), *shown = program_demangle(mangled);
        parser_fail(parser, name, "'%.200s' is defined in %.200s too", shown, *by);
        return diag_hint(parser->diag, "define it once; in other files declare it extern, or make it static in each");
    }
    if (!*by && !linkage->weak && !linkage->common) *by = module;
    return true;
}

bool linkage_replaces(const Parser *parser, const Token *name, const Linkage *linkage) {
    if (!is_shared(parser, linkage) || linkage->weak || linkage->common) return false;
    const char **by = definer(parser, name);
    return by && !*by;
}
