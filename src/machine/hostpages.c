#include "machine/hostpages.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "base/alloc.h"

enum { MAPPED_FROM = 32 << 10, HOST_LINE_BYTES = 64 };
enum { HUGE_FROM = 8 << 20, HUGE_FROM_IN_ORDER = 64 << 20 };

static void *map_if(void *wish, uint64_t bytes, uint64_t huge_from) {
    void *pages = mmap(wish, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (pages == MAP_FAILED) return NULL;
#ifdef MADV_HUGEPAGE
    if (bytes >= huge_from) madvise(pages, bytes, MADV_HUGEPAGE); /* strided kernels touch a new page with every lane */
#endif
    return pages;
}

static void *map(uint64_t bytes, uint64_t huge_from) {
    void *pages = map_if(NULL, bytes, huge_from);
    if (!pages) abort();
    return pages;
}

void *hostpages_map_if(void *wish, uint64_t bytes) { return map_if(wish, bytes, HUGE_FROM); }

void hostpages_unmap(void *pages, uint64_t bytes) { munmap(pages, bytes); }

static void *zeroed(uint64_t bytes, uint64_t huge_from) {
    return bytes < MAPPED_FROM ? memset(alloc_aligned(HOST_LINE_BYTES, bytes), 0, bytes) : map(bytes, huge_from);
}

void *hostpages_new(uint64_t bytes) { return zeroed(bytes, HUGE_FROM); }

void hostpages_free(void *pages, uint64_t bytes) {
    if (bytes < MAPPED_FROM)
        free(pages);
    else if (pages)
        hostpages_unmap(pages, bytes);
}

void hostpages_leave(void *pages, uint64_t bytes) {
#ifdef MADV_DONTNEED
    if (bytes % (uint64_t)sysconf(_SC_PAGESIZE) == 0) madvise(pages, bytes, MADV_DONTNEED);
#else
    (void)pages, (void)bytes;
#endif
}

static void *keep(void **kept, uint64_t bytes, uint64_t huge_from) {
    void *known = __atomic_load_n(kept, __ATOMIC_ACQUIRE);
    if (known) return known;
    void *made = zeroed(bytes, huge_from);
    if (__atomic_compare_exchange_n(kept, &known, made, false, __ATOMIC_ACQ_REL, __ATOMIC_ACQUIRE)) return made;
    hostpages_free(made, bytes);
    return known;
}

void *hostpages_keep(void **kept, uint64_t bytes) { return keep(kept, bytes, HUGE_FROM); }

void *hostpages_keep_in_order(void **kept, uint64_t bytes) { return keep(kept, bytes, HUGE_FROM_IN_ORDER); }
