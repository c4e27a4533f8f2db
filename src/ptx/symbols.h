/* symbols.h: the names of a module in nested scopes, innermost first. Names point into the parsed text or an arena; nothing is copied. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/arena.h"

typedef enum SymbolKind {
    SYMBOL_REGISTER,       /* index: register of the function */
    SYMBOL_VARIABLE,       /* index: variable of the program */
    SYMBOL_FUNCTION,       /* index: function of the program */
    SYMBOL_LABEL,          /* index: instruction */
    SYMBOL_PROTOTYPE,      /* of an indirect call; index: the parser's list */
    SYMBOL_BRANCH_TARGETS, /* index: the parser's list */
} SymbolKind;

typedef struct Symbol {
    const char *name;
    uint32_t length;
    uint8_t kind;   /* SymbolKind */
    uint32_t scope; /* depth: 0 is the module */
    uint32_t index;
    uint32_t next; /* older symbol in the same bucket, plus one */
    uint64_t hash;
} Symbol;

typedef struct Symbols {
    Arena *arena;
    Symbol *symbols; /* a stack: an inner scope's symbols stand above those of the outer ones */
    size_t count;
    uint32_t *buckets; /* index of the newest symbol, plus one */
    size_t n_buckets;
    uint32_t scope;
    uint64_t seed;
} Symbols;

void symbols_start(Symbols *symbols, Arena *arena);

/* Scopes: leave forgets everything added since the matching enter, which returned the mark. */
size_t symbols_enter(Symbols *symbols);
void symbols_leave(Symbols *symbols, size_t mark);

/* The innermost symbol of that name, or NULL. Valid until the next change. */
const Symbol *symbols_find(const Symbols *symbols, const char *name, uint32_t length);

/* False when the current scope has the name already. */
bool symbols_add(Symbols *symbols, const char *name, uint32_t length, SymbolKind kind, uint32_t index);
