#include "machine/memory.h"

#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

/* Allocations are spread out, so that an index that runs past one buffer does not land in the next. */
enum { ALIGNMENT = 256, SLACK = 64, HUGE_FROM = 8 << 20 };
#define FIRST_ADDRESS UINT64_C(0x700000000000)
#define FIRST_UNIFIED UINT64_C(0x200000000000)
#define GAP_BYTES UINT64_C(0x1000000)

struct Memory {
    Allocation **live; /* in order of address */
    size_t count, capacity;
    uint64_t next;         /* address of the next global allocation */
    uint64_t next_const;   /* of the next constant one */
    uint64_t next_unified; /* wished for the next unified one */
};

Memory *memory_new(void) {
    Memory *memory = calloc(1, sizeof *memory);
    if (!memory) abort();
    memory->next = FIRST_ADDRESS;
    memory->next_const = WINDOW_CONST;
    memory->next_unified = FIRST_UNIFIED;
    return memory;
}

static void allocation_free(Allocation *allocation) {
    if (!allocation->borrowed) munmap(allocation->host, allocation->bytes + SLACK);
    if (allocation->shadow) munmap(allocation->shadow, (allocation->bytes / allocation->granule + 1) * sizeof(uint32_t));
    free(allocation->name);
    free(allocation);
}

void memory_free(Memory *memory) {
    if (!memory) return;
    for (size_t i = 0; i < memory->count; i++) allocation_free(memory->live[i]);
    free(memory->live);
    free(memory);
}

static void *map_zeroed(void *wish, uint64_t bytes) {
    void *pages = mmap(wish, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (pages == MAP_FAILED) abort();
#ifdef MADV_HUGEPAGE
    if (bytes >= HUGE_FROM) madvise(pages, bytes, MADV_HUGEPAGE); /* strided kernels touch a new page with every lane */
#endif
    return pages;
}

/* Index of the first allocation whose address is above this one. */
static size_t memory_above(const Memory *memory, uint64_t address) {
    size_t low = 0, high = memory->count;
    while (low < high) {
        size_t middle = (low + high) / 2;
        if (memory->live[middle]->address <= address)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

static Allocation *memory_insert(Memory *memory, Allocation allocation, const char *name) {
    Allocation *kept = malloc(sizeof *kept);
    if (!kept) abort();
    *kept = allocation;
    kept->name = strdup(name);
    if (!kept->name) abort();
    if (memory->count == memory->capacity) {
        memory->capacity = memory->capacity ? memory->capacity * 2 : 16;
        memory->live = realloc(memory->live, memory->capacity * sizeof *memory->live);
        if (!memory->live) abort();
    }
    size_t at = memory_above(memory, kept->address);
    memmove(memory->live + at + 1, memory->live + at, (memory->count - at) * sizeof *memory->live);
    memory->live[at] = kept;
    memory->count++;
    return kept;
}

Allocation *memory_allocate(Memory *memory, uint64_t bytes, const char *name, bool constant) {
    uint64_t *next = constant ? &memory->next_const : &memory->next;
    Allocation allocation = {.address = *next, .bytes = bytes, .constant = constant, .host = map_zeroed(NULL, bytes + SLACK)};
    uint64_t gap = constant ? ALIGNMENT : GAP_BYTES;
    *next += (bytes + gap + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT;
    return memory_insert(memory, allocation, name);
}

Allocation *memory_allocate_unified(Memory *memory, uint64_t bytes, const char *name) {
    Allocation allocation = {
        .bytes = bytes, .host = map_zeroed((void *)memory->next_unified, bytes + SLACK), .initialized = true};
    allocation.address = (uintptr_t)allocation.host;
    if (allocation.address >= FIRST_ADDRESS && allocation.address < WINDOW_FUNCTION + WINDOW_BYTES) abort();
    memory->next_unified = (allocation.address + bytes + GAP_BYTES) / GAP_BYTES * GAP_BYTES;
    return memory_insert(memory, allocation, name);
}

Allocation *memory_borrow(Memory *memory, void *host, uint64_t bytes, const char *name) {
    Allocation allocation = {.address = (uintptr_t)host, .bytes = bytes, .host = host, .initialized = true, .borrowed = true};
    return memory_insert(memory, allocation, name);
}

void memory_release(Memory *memory, Allocation *allocation) {
    size_t at = memory_above(memory, allocation->address) - 1;
    memmove(memory->live + at, memory->live + at + 1, (memory->count - at - 1) * sizeof *memory->live);
    memory->count--;
    allocation_free(allocation);
}

Allocation *memory_find(const Memory *memory, uint64_t address) {
    size_t above = memory_above(memory, address);
    if (!above) return NULL;
    Allocation *below = memory->live[above - 1];
    return address - below->address < below->bytes ? below : NULL;
}

Allocation *memory_nearest(const Memory *memory, uint64_t address) {
    size_t above = memory_above(memory, address);
    Allocation *before = above ? memory->live[above - 1] : NULL;
    Allocation *after = above < memory->count ? memory->live[above] : NULL;
    if (!before || !after) return before ? before : after;
    uint64_t inside = address - before->address, past = inside < before->bytes ? 0 : inside - before->bytes,
             ahead = after->address - address;
    return past <= ahead ? before : after;
}

size_t memory_count(const Memory *memory) { return memory->count; }

Allocation *memory_at(const Memory *memory, size_t index) { return memory->live[index]; }

void memory_shadow(Allocation *allocation, uint32_t granule) {
    if (allocation->shadow) munmap(allocation->shadow, (allocation->bytes / allocation->granule + 1) * sizeof(uint32_t));
    allocation->granule = granule;
    allocation->shadow = map_zeroed(NULL, (allocation->bytes / granule + 1) * sizeof(uint32_t));
}
