#include "machine/hostpages.h"

#include <stdbool.h>
#include <stdlib.h>
#include <sys/mman.h>

enum { HUGE_FROM = 8 << 20 };

void *hostpages_map_if(void *wish, uint64_t bytes) {
    void *pages = mmap(wish, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (pages == MAP_FAILED) return NULL;
#ifdef MADV_HUGEPAGE
    if (bytes >= HUGE_FROM) madvise(pages, bytes, MADV_HUGEPAGE); /* strided kernels touch a new page with every lane */
#endif
    return pages;
}

void *hostpages_map(uint64_t bytes) {
    void *pages = hostpages_map_if(NULL, bytes);
    if (!pages) abort();
    return pages;
}

void hostpages_unmap(void *pages, uint64_t bytes) {
    if (pages) munmap(pages, bytes);
}

void *hostpages_keep(void **kept, uint64_t bytes) {
    void *known = __atomic_load_n(kept, __ATOMIC_ACQUIRE);
    if (known) return known;
    void *made = hostpages_map(bytes);
    if (__atomic_compare_exchange_n(kept, &known, made, false, __ATOMIC_ACQ_REL, __ATOMIC_ACQUIRE)) return made;
    hostpages_unmap(made, bytes);
    return known;
}
