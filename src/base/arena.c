#include "base/arena.h"

#include <stdalign.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"

enum { CHUNK_BYTES = 64 * 1024 };

typedef struct Chunk {
    struct Chunk *next;
    size_t used, size;
    alignas(max_align_t) unsigned char data[];
} Chunk;

struct Arena {
    Chunk *chunks; /* the first one is being filled */
};

Arena *arena_new(void) {
    Arena *arena = alloc_zeroed(1, sizeof *arena);
    return arena;
}

void arena_free(Arena *arena) {
    if (!arena) return;
    for (Chunk *chunk = arena->chunks, *next; chunk; chunk = next) {
        next = chunk->next;
        free(chunk);
    }
    free(arena);
}

void *arena_alloc(Arena *arena, size_t bytes) {
    size_t need = (bytes + alignof(max_align_t) - 1) / alignof(max_align_t) * alignof(max_align_t);
    if (need < bytes) abort();
    Chunk *chunk = arena->chunks;
    if (!chunk || chunk->size - chunk->used < need) {
        size_t size = need > CHUNK_BYTES ? need : CHUNK_BYTES;
        chunk = alloc_zeroed(1, sizeof *chunk + size);
        chunk->size = size;
        chunk->next = arena->chunks;
        arena->chunks = chunk;
    }
    void *result = chunk->data + chunk->used;
    chunk->used += need;
    return result;
}

char *arena_copy(Arena *arena, const char *bytes, size_t count) {
    char *copy = arena_alloc(arena, count + 1);
    if (count) memcpy(copy, bytes, count);
    return copy;
}

void *arena_grow(Arena *arena, void *array, size_t count, size_t *capacity, size_t element_bytes) {
    if (count < *capacity) return array;
    size_t wanted = *capacity ? *capacity * 2 : 8;
    void *grown = arena_alloc(arena, wanted * element_bytes);
    if (count) memcpy(grown, array, count * element_bytes);
    *capacity = wanted;
    return grown;
}
