/* mman.h: as much of POSIX's as the engine uses of it, to get zeroed memory. */
#pragma once

#include <stddef.h>
#include <stdlib.h>

#define PROT_READ 1
#define PROT_WRITE 2
#define MAP_PRIVATE 1
#define MAP_ANONYMOUS 2
#define MAP_NORESERVE 4
#define MAP_FAILED ((void *)-1)

static inline void *mmap(void *wish, size_t bytes, int protection, int flags, int file, long long offset) {
    (void)wish, (void)protection, (void)flags, (void)file, (void)offset;
    void *pages = calloc(1, bytes);
    return pages ? pages : MAP_FAILED;
}

static inline int munmap(void *pages, size_t bytes) {
    (void)bytes;
    free(pages);
    return 0;
}
