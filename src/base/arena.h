/* arena.h: memory that is freed whole. One arena per Program, one per launch. */
#pragma once

#include <stddef.h>

typedef struct Arena Arena;

Arena *arena_new(void);
void arena_free(Arena *arena); /* frees everything that was allocated from it; NULL is fine */

/* Zeroed memory, aligned for any type. Never NULL: running out of memory ends the program. */
void *arena_alloc(Arena *arena, size_t bytes);

/* A NUL-terminated copy of count bytes. */
char *arena_copy(Arena *arena, const char *bytes, size_t count);

#define ARENA_NEW(arena, type) ((type *)arena_alloc((arena), sizeof(type)))
#define ARENA_ARRAY(arena, type, count) ((type *)arena_alloc((arena), sizeof(type) * (size_t)(count)))

/* Room for one more element of a growing array kept in an arena: doubles by copying; the old copy stays until the arena goes. */
void *arena_grow(Arena *arena, void *array, size_t count, size_t *capacity, size_t element_bytes);
