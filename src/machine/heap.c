#include "machine/heap.h"

#include <stdlib.h>

#include "base/alloc.h"

/* Before each chunk's bytes. Free ones of one size are a list. */
typedef struct HeapChunk {
    uint32_t state;     /* CHUNK_IN_USE, CHUNK_FREE; kernels that write out of bounds may leave anything here */
    uint32_t size_log2; /* of chunk and header */
    uint64_t next;      /* offset of the next free chunk's header, plus 1; 0: none */
} HeapChunk;

enum { CHUNK_IN_USE = 0x7a4e0a11, CHUNK_FREE = 0x0f4ee0ff, SIZES = 48, SIZE_LOG2_MIN = 5 };

struct Heap {
    Allocation *memory;
    bool refused;         /* some memory, for want of room */
    uint64_t used;        /* bytes that have ever been allocated */
    uint64_t free[SIZES]; /* by size_log2: offset of a free chunk's header, plus 1 */
};

Heap *heap_new(Memory *memory, uint64_t bytes, const char *name) {
    Heap *heap = alloc_zeroed(1, sizeof *heap);
    heap->memory = memory_allocate(memory, bytes, name, false);
    heap->memory->in_chunks = true;
    return heap;
}

void heap_free(Heap *heap) { free(heap); }

const Allocation *heap_memory(const Heap *heap) { return heap->memory; }

static HeapChunk *chunk_at(const Heap *heap, uint64_t offset) { return (HeapChunk *)(void *)(heap->memory->host + offset); }

/* A launch that allocates cannot be skipped as a repetition: the heap counts as read and written. */
static void touch(Heap *heap) { heap->memory->read = heap->memory->written = true; }

static uint64_t refuse(Heap *heap) {
    heap->refused = true;
    return 0;
}

bool heap_has_refused(const Heap *heap) { return heap->refused; }

/* Whether a free chunk of this size stands there: what a list leads to a kernel may have written. */
static bool is_free(const Heap *heap, uint64_t offset, uint32_t size_log2) {
    if (offset >= heap->used || offset % sizeof(HeapChunk) || heap->used - offset < UINT64_C(1) << size_log2) return false;
    const HeapChunk *chunk = chunk_at(heap, offset);
    return chunk->state == CHUNK_FREE && chunk->size_log2 == size_log2;
}

uint64_t heap_allocate(Heap *heap, uint64_t bytes) {
    uint32_t log2 = SIZE_LOG2_MIN;
    touch(heap);
    while (log2 < SIZES && (UINT64_C(1) << log2) - sizeof(HeapChunk) < bytes) log2++;
    if (log2 == SIZES) return refuse(heap);
    uint64_t offset = heap->free[log2] - 1, size = UINT64_C(1) << log2;
    if (is_free(heap, offset, log2)) {
        heap->free[log2] = chunk_at(heap, offset)->next;
    } else {
        heap->free[log2] = 0; /* where it was overwritten the list is lost */
        if (size > heap->memory->bytes - heap->used) return refuse(heap);
        offset = heap->used;
        heap->used += size;
    }
    *chunk_at(heap, offset) = (HeapChunk){.state = CHUNK_IN_USE, .size_log2 = log2};
    memory_renew(heap->memory, offset, size);
    return heap->memory->address + offset + sizeof(HeapChunk);
}

bool heap_release(Heap *heap, uint64_t address) {
    if (!address) return true;
    touch(heap);
    uint64_t offset = address - heap->memory->address - sizeof(HeapChunk);
    if (offset >= heap->used || offset % sizeof(HeapChunk)) return false;
    HeapChunk *chunk = chunk_at(heap, offset);
    if (chunk->state != CHUNK_IN_USE || chunk->size_log2 >= SIZES) return false;
    *chunk = (HeapChunk){.state = CHUNK_FREE, .size_log2 = chunk->size_log2, .next = heap->free[chunk->size_log2]};
    heap->free[chunk->size_log2] = offset + 1;
    return true;
}
