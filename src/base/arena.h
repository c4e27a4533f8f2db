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

/* The list, made here alone and NULL at first, with room for one element more than its count: where there is none it doubles by copying, and the old
 * copy stays until the arena goes. */
void *arena_more(Arena *arena, void *list, size_t count, size_t element_bytes);

/* ALLOC_ADD for such a list. */
#define ARENA_ADD(arena, list, count) (*((list) = arena_more((arena), (list), (count), sizeof *(list)), &(list)[(count)++]))
