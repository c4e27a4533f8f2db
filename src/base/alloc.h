/* alloc.h: the C library's memory, for callers that cannot go on without: none of these returns NULL, running out of memory ends the
 * program. A size of 0 gives something that free takes. */
#pragma once

#include <stddef.h>

void *alloc_zeroed(size_t count, size_t element_bytes);

/* Not zeroed. */
void *alloc_bytes(size_t bytes);

/* realloc, with the same care about count * element_bytes as calloc takes. What is new is not zeroed. */
void *alloc_resize(void *old, size_t count, size_t element_bytes);

/* The list with room for one element more than its count: it grows where that is a power of two, so that what is added costs little. */
void *alloc_more(void *list, size_t count, size_t element_bytes);

/* The place of a new last element, to be assigned to; not zeroed. The count is one more then, and the others may have moved: what is assigned must read neither. */
#define ALLOC_ADD(list, count) (*((list) = alloc_more((list), (count), sizeof *(list)), &(list)[(count)++]))

/* Host processors fetch two of their lines at a time: what different ones write is kept so far apart. */
enum { HOST_PAIR_BYTES = 128 };

/* aligned_alloc; bytes need not be a multiple of the alignment, which is a power of two. Not zeroed. */
void *alloc_aligned(size_t alignment, size_t bytes);

char *alloc_copy(const char *text);
char *alloc_text(const char *bytes, size_t count); /* NUL-terminated */

/* For a program that allocates again and again what it has freed: the C library keeps that, up to 64 MiB, in place of having the host map and
 * clear it anew. Only glibc does. */
void alloc_keep_freed(void);

/* Declares a pointer to what is freed where its block ends. */
#define FREED __attribute__((cleanup(alloc_freed)))
void alloc_freed(void *pointer); /* what the pointer at this address points to */
