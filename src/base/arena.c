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

/* Before a list's first element. */
typedef struct ListHead {
    alignas(max_align_t) size_t room; /* for so many elements */
} ListHead;

void *arena_more(Arena *arena, void *list, size_t count, size_t element_bytes) {
    if (list && count < ((ListHead *)list - 1)->room) return list;
    const size_t room = count ? 2 * count : 8;
    ListHead *grown = arena_alloc(arena, sizeof *grown + room * element_bytes);
    grown->room = room;
    if (list) memcpy(grown + 1, list, count * element_bytes);
    return grown + 1;
}
