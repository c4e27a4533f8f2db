#include "base/alloc.h"

#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#ifdef __GLIBC__
#include <malloc.h>
#endif

static void *have(void *memory) {
    if (!memory) abort();
    return memory;
}

void *alloc_zeroed(size_t count, size_t element_bytes) { return have(calloc(count ? count : 1, element_bytes)); }

void *alloc_bytes(size_t bytes) { return have(malloc(bytes ? bytes : 1)); }

void *alloc_resize(void *old, size_t count, size_t element_bytes) {
    if (element_bytes && count > SIZE_MAX / element_bytes) abort();
    size_t bytes = count * element_bytes;
    return have(realloc(old, bytes ? bytes : 1));
}

void *alloc_more(void *list, size_t count, size_t element_bytes) {
    bool full = (count & (count - 1)) == 0; /* 0 as well */
    return full ? alloc_resize(list, count ? 2 * count : 1, element_bytes) : list;
}

void *alloc_aligned(size_t alignment, size_t bytes) {
    size_t rounded = (bytes + alignment - 1) / alignment * alignment;
    return have(aligned_alloc(alignment, rounded ? rounded : alignment));
}

void alloc_keep_freed(void) {
#ifdef __GLIBC__
    enum { MAPPED_FROM = 8 << 20, KEPT = 64 << 20 };
    mallopt(M_MMAP_THRESHOLD, MAPPED_FROM);
    mallopt(M_TRIM_THRESHOLD, KEPT);
#endif
}

char *alloc_copy(const char *text) { return have(strdup(text)); }

char *alloc_text(const char *bytes, size_t count) { return have(strndup(bytes, count)); }

void alloc_freed(void *pointer) {
    void *memory;
    memcpy(&memory, pointer, sizeof memory);
    free(memory);
}
