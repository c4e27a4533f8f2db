#include "machine/memory.h"

#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "machine/hostpages.h"
#include "machine/written.h"

/* Allocations are spread out, so that an index that runs past one buffer does not land in the next. */
enum { RETIRED_MOST = 8192 };
enum { ALIGNMENT = 256, SLACK = 64 };
/* Half of the 256 GiB that counting tells apart away from MEMORY_FIRST. */
#define FIRST_UNIFIED UINT64_C(0x202000000000)
#define GAP_BYTES UINT64_C(0x1000000)
/* No process has as many addresses. */
#define UNIFIED_MOST (UINT64_C(1) << 47)
/* A program that allocates again and again still finds addresses: after 300,000 allocations they lie closer. */
#define FIRST_CLOSE UINT64_C(0x690000000000)
#define CLOSE_GAP_BYTES UINT64_C(0x10000)

typedef struct List { /* in order of address */
    Allocation **items;
    size_t count, capacity;
} List;

struct Memory {
    List live, retired;
    List kept;        /* that have ended, while launches may know them: memory_keep */
    unsigned keepers; /* such launches */
    uint64_t n_ended;
    uint64_t next;         /* address of the next global allocation */
    uint64_t next_const;   /* of the next constant one */
    uint64_t next_unified; /* wished for the next unified one */
    uint32_t generation;   /* of marks */
    WordPool mark_words, mark_contexts;
};

Memory *memory_new(void) {
    Memory *memory = alloc_zeroed(1, sizeof *memory);
    memory->next = MEMORY_FIRST;
    memory->next_const = WINDOW_CONST;
    memory->next_unified = FIRST_UNIFIED;
    return memory;
}

static uint64_t marks_bytes(const Allocation *allocation) {
    return 2 * (allocation_row_room(allocation) + allocation_page_room(allocation)) * sizeof(uint64_t);
}

static void marks_remove(Allocation *allocation) {
    if (allocation->marks)
        hostpages_free(allocation->marks, marks_bytes(allocation)); /* which none have before a granule is known */
    allocation->marks = NULL;
}

/* What an allocation holds beside its record. */
static void pages_free(Allocation *allocation) {
    marks_remove(allocation);
    if (!allocation->unified)
        hostpages_free(allocation->host, allocation->bytes + SLACK);
    else if (!allocation->borrowed && allocation->host)
        hostpages_unmap(allocation->host, allocation->bytes + SLACK);
    hostpages_free(allocation->bytes_written, written_size(allocation));
    allocation->host = allocation->bytes_written = NULL;
    memory_define(allocation);
}

static void allocation_free(Allocation *allocation) {
    pages_free(allocation);
    free(allocation->name);
    free(allocation);
}

static void list_free(List *list) {
    for (size_t i = 0; i < list->count; i++) allocation_free(list->items[i]);
    free(list->items);
}

void memory_free(Memory *memory) {
    if (!memory) return;
    list_free(&memory->live);
    list_free(&memory->retired);
    list_free(&memory->kept);
    wordpool_free(&memory->mark_words);
    wordpool_free(&memory->mark_contexts);
    free(memory);
}

WordPool *memory_mark_words(Memory *memory) { return &memory->mark_words; }

WordPool *memory_mark_contexts(Memory *memory) { return &memory->mark_contexts; }

/* Index of the first allocation whose address is above this one. */
static size_t list_above(const List *list, uint64_t address) {
    size_t low = 0, high = list->count;
    while (low < high) {
        size_t middle = (low + high) / 2;
        if (list->items[middle]->address <= address)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

static void list_insert(List *list, Allocation *allocation) {
    if (list->count == list->capacity) {
        list->capacity = list->capacity ? list->capacity * 2 : 16;
        list->items = alloc_resize(list->items, list->capacity, sizeof *list->items);
    }
    size_t at = list_above(list, allocation->address);
    memmove(list->items + at + 1, list->items + at, (list->count - at) * sizeof *list->items);
    list->items[at] = allocation;
    list->count++;
}

static void list_remove(List *list, const Allocation *allocation) {
    size_t at = list_above(list, allocation->address) - 1;
    memmove(list->items + at, list->items + at + 1, (list->count - at - 1) * sizeof *list->items);
    list->count--;
}

static Allocation *list_find(const List *list, uint64_t address) {
    size_t above = list_above(list, address);
    if (!above) return NULL;
    Allocation *below = list->items[above - 1];
    return address - below->address < below->bytes ? below : NULL;
}

static Allocation *memory_insert(Memory *memory, Allocation allocation, const char *name) {
    Allocation *kept = alloc_bytes(sizeof *kept);
    *kept = allocation;
    kept->name = alloc_copy(name);
    list_insert(&memory->live, kept);
    return kept;
}

static uint64_t take_addresses(Memory *memory, uint64_t bytes, bool constant) {
    uint64_t *next = constant ? &memory->next_const : &memory->next;
    const uint64_t address = *next, gap = constant ? ALIGNMENT : address < FIRST_CLOSE ? GAP_BYTES : CLOSE_GAP_BYTES;
    *next += (bytes + gap + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT;
    return address;
}

Allocation *memory_allocate(Memory *memory, uint64_t bytes, const char *name, bool constant) {
    const uint64_t address = take_addresses(memory, bytes, constant);
    Allocation allocation = {.address = address, .bytes = bytes, .constant = constant, .host = hostpages_new(bytes + SLACK)};
    return memory_insert(memory, allocation, name);
}

uint64_t memory_reserve(Memory *memory, uint64_t bytes) { return take_addresses(memory, bytes, false); }

Allocation *memory_allocate_at(Memory *memory, uint64_t address, uint64_t bytes, const char *name) {
    return memory_insert(memory, (Allocation){.address = address, .bytes = bytes, .host = hostpages_new(bytes + SLACK)}, name);
}

Allocation *memory_allocate_unified(Memory *memory, uint64_t bytes, const char *name) {
    void *host = bytes < UNIFIED_MOST ? hostpages_map_if((void *)memory->next_unified, bytes + SLACK) : NULL;
    if (!host) return NULL;
    Allocation allocation = {.bytes = bytes, .host = host, .initialized = true, .unified = true};
    allocation.address = (uintptr_t)allocation.host;
    if (allocation.address >= MEMORY_FIRST && allocation.address < WINDOW_FUNCTION + WINDOW_BYTES) abort();
    memory->next_unified = (allocation.address + bytes + GAP_BYTES) / GAP_BYTES * GAP_BYTES;
    return memory_insert(memory, allocation, name);
}

Allocation *memory_borrow(Memory *memory, void *host, uint64_t bytes, const char *name) {
    Allocation allocation = {
        .address = (uintptr_t)host, .bytes = bytes, .host = host, .initialized = true, .borrowed = true, .unified = true};
    return memory_insert(memory, allocation, name);
}

/* It is in no list. */
static void allocation_end(Memory *memory, Allocation *allocation) {
    memory->n_ended++;
    if (!memory->keepers) {
        allocation_free(allocation);
        return;
    }
    pages_free(allocation);
    allocation->bytes = 0;
    list_insert(&memory->kept, allocation);
}

void memory_release(Memory *memory, Allocation *allocation) {
    list_remove(&memory->live, allocation);
    allocation_end(memory, allocation);
}

uint64_t memory_ended(const Memory *memory) { return memory->n_ended; }

void memory_keep(Memory *memory) { memory->keepers++; }

void memory_keep_no_more(Memory *memory) {
    if (--memory->keepers) return;
    list_free(&memory->kept);
    memory->kept = (List){0};
}

/* Those at the lowest addresses, which were given out first, are forgotten. */
static void retired_halve(List *retired) {
    size_t half = retired->count / 2;
    for (size_t i = 0; i < half; i++) allocation_free(retired->items[i]);
    memmove(retired->items, retired->items + half, (retired->count - half) * sizeof *retired->items);
    retired->count -= half;
}

/* One that has some of these addresses. */
static Allocation *list_overlapping(const List *list, const Allocation *allocation) {
    Allocation *at = list_find(list, allocation->address);
    const size_t above = list_above(list, allocation->address);
    if (at || above == list->count) return at;
    return list->items[above]->address - allocation->address < allocation->bytes ? list->items[above] : NULL;
}

void memory_retire(Memory *memory, Allocation *allocation) {
    Allocation *retired = allocation;
    list_remove(&memory->live, allocation);
    pages_free(allocation);
    if (memory->keepers) {
        retired = alloc_bytes(sizeof *retired);
        *retired = *allocation;
        retired->name = alloc_copy(allocation->name);
        allocation_end(memory, allocation);
    } else {
        memory->n_ended++;
    }
    /* Host addresses may be given out again by the host: the newest owner is the one to name. */
    for (Allocation *old; (old = list_overlapping(&memory->retired, retired)) != NULL;) {
        list_remove(&memory->retired, old);
        allocation_free(old);
    }
    list_insert(&memory->retired, retired);
    if (memory->retired.count > RETIRED_MOST) retired_halve(&memory->retired);
}

const Allocation *memory_retired(const Memory *memory, uint64_t address) { return list_find(&memory->retired, address); }

Allocation *memory_find(const Memory *memory, uint64_t address) { return list_find(&memory->live, address); }

Allocation *memory_nearest(const Memory *memory, uint64_t address) {
    const List *live = &memory->live;
    size_t above = list_above(live, address);
    Allocation *before = above ? live->items[above - 1] : NULL;
    Allocation *after = above < live->count ? live->items[above] : NULL;
    if (!before || !after) return before ? before : after;
    uint64_t inside = address - before->address, past = inside < before->bytes ? 0 : inside - before->bytes,
             ahead = after->address - address;
    return past <= ahead ? before : after;
}

size_t memory_count(const Memory *memory) { return memory->live.count; }

Allocation *memory_at(const Memory *memory, size_t index) { return memory->live.items[index]; }

uint8_t *memory_undefined(Allocation *allocation) {
    return hostpages_keep((void **)&allocation->undefined, allocation->bytes + SLACK);
}

void memory_define(Allocation *allocation) {
    hostpages_free(allocation->undefined, allocation->bytes + SLACK);
    allocation->undefined = NULL;
}

void memory_marks(Allocation *allocation, uint32_t granule) {
    if (__atomic_load_n(&allocation->marks, __ATOMIC_ACQUIRE)) return;
    __atomic_store_n(&allocation->marks_granule, granule, __ATOMIC_RELAXED);
    hostpages_keep((void **)&allocation->marks, marks_bytes(allocation));
}

uint32_t memory_generation(Memory *memory, uint32_t granule, uint32_t most) {
    const bool anew = memory->generation == most;
    for (size_t i = 0; i < memory->live.count; i++) {
        Allocation *allocation = memory->live.items[i];
        if (anew || allocation->marks_granule != granule) marks_remove(allocation);
        allocation->marks_written = allocation->marks_read = false;
    }
    memory->mark_words.used = memory->mark_contexts.used = 0;
    memory->generation = anew ? 1 : memory->generation + 1;
    return memory->generation;
}

uint32_t memory_last_generation(const Memory *memory) { return memory->generation; }

static void marks_renew(Allocation *allocation, uint64_t offset, uint64_t bytes) {
    if (!allocation->marks) return;
    const uint64_t row = allocation->marks_granule * MARKS_ROW, first = offset / row, last = (offset + bytes - 1) / row;
    for (int reads = 0; reads <= 1; reads++)
        memset(allocation_rows_of(allocation, reads) + first, 0, (last - first + 1) * sizeof(uint64_t));
}

void memory_renew(Allocation *allocation, uint64_t offset, uint64_t bytes) {
    if (!bytes) return;
    marks_renew(allocation, offset, bytes);
    if (allocation->undefined) memset(allocation->undefined + offset, 0, bytes);
    written_remove(allocation, offset, bytes);
}
