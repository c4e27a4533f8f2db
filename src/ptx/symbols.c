#include "ptx/symbols.h"

#include <string.h>

/* The seed is an address, which differs from run to run, so that nobody can prepare a text whose names all collide. It changes no
 * result: only the order inside buckets. */
static uint64_t hash_name(const Symbols *symbols, const char *name, uint32_t length) {
    uint64_t hash = symbols->seed ^ length;
    while (length) {
        uint64_t word = 0;
        uint32_t n = length < 8 ? length : 8;
        memcpy(&word, name, n);
        hash = (hash ^ word) * UINT64_C(0x9e3779b97f4a7c15);
        hash ^= hash >> 29 ^ hash >> 47;
        name += n;
        length -= n;
    }
    hash *= symbols->seed | 1;
    return hash ^ hash >> 32;
}

void symbols_start(Symbols *symbols, Arena *arena) {
    *symbols = (Symbols){.arena = arena, .n_buckets = 1024};
    symbols->buckets = ARENA_ARRAY(arena, uint32_t, symbols->n_buckets);
    symbols->seed = (uint64_t)(uintptr_t)symbols->buckets * UINT64_C(0xd1342543de82ef95) ^ (uint64_t)(uintptr_t)&hash_name;
}

static uint32_t *bucket_of(const Symbols *symbols, uint64_t hash) { return &symbols->buckets[hash & (symbols->n_buckets - 1)]; }

/* Symbols are linked again in the order of the stack, so that inner ones stay in front. */
static void grow_buckets(Symbols *symbols) {
    symbols->n_buckets *= 4;
    symbols->buckets = ARENA_ARRAY(symbols->arena, uint32_t, symbols->n_buckets);
    for (size_t i = 0; i < symbols->count; i++) {
        uint32_t *bucket = bucket_of(symbols, symbols->symbols[i].hash);
        symbols->symbols[i].next = *bucket;
        *bucket = (uint32_t)i + 1;
    }
}

size_t symbols_enter(Symbols *symbols) {
    symbols->scope++;
    return symbols->count;
}

void symbols_leave(Symbols *symbols, size_t mark) {
    while (symbols->count > mark) {
        const Symbol *symbol = &symbols->symbols[--symbols->count];
        *bucket_of(symbols, symbol->hash) = symbol->next;
    }
    symbols->scope--;
}

const Symbol *symbols_find(const Symbols *symbols, const char *name, uint32_t length) {
    uint64_t hash = hash_name(symbols, name, length);
    for (uint32_t at = *bucket_of(symbols, hash); at;) {
        const Symbol *symbol = &symbols->symbols[at - 1];
        if (symbol->hash == hash && symbol->length == length && memcmp(symbol->name, name, length) == 0) return symbol;
        at = symbol->next;
    }
    return NULL;
}

bool symbols_add(Symbols *symbols, const char *name, uint32_t length, SymbolKind kind, uint32_t index) {
    const Symbol *known = symbols_find(symbols, name, length);
    if (known && known->scope == symbols->scope) return false;
    if (symbols->count >= symbols->n_buckets * 2) grow_buckets(symbols);
    uint64_t hash = hash_name(symbols, name, length);
    uint32_t *bucket = bucket_of(symbols, hash);
    ARENA_ADD(symbols->arena, symbols->symbols, symbols->count) = (Symbol){.name = name,
                                                                           .length = length,
                                                                           .kind = (uint8_t)kind,
                                                                           .scope = symbols->scope,
                                                                           .index = index,
                                                                           .next = *bucket,
                                                                           .hash = hash};
    *bucket = (uint32_t)symbols->count;
    return true;
}
