#include "machine/heap.h"

#include <stdlib.h>
#include <string.h>

/* Before each piece. Freed ones of one size are a list. */
typedef struct Piece {
    uint32_t state;     /* PIECE_TAKEN, PIECE_FREE; kernels that write where they should not may leave anything here */
    uint32_t size_log2; /* of piece and header */
    uint64_t next;      /* offset of the next free piece's header, plus 1; 0: none */
} Piece;

enum { PIECE_TAKEN = 0x7a4e0a11, PIECE_FREE = 0x0f4ee0ff, SIZES = 48, SIZE_LOG2_MIN = 5 };

struct Heap {
    Allocation *memory;
    uint64_t used;        /* bytes that have ever been given out */
    uint64_t free[SIZES]; /* by size_log2: offset of a free piece's header, plus 1 */
};

Heap *heap_new(Memory *memory, uint64_t bytes) {
    Heap *heap = calloc(1, sizeof *heap);
    if (!heap) abort();
    heap->memory = memory_allocate(memory, bytes, "device heap", false);
    return heap;
}

void heap_free(Heap *heap) { free(heap); }

const Allocation *heap_memory(const Heap *heap) { return heap->memory; }

static Piece *piece_at(const Heap *heap, uint64_t offset) { return (Piece *)(void *)(heap->memory->host + offset); }

/* Giving out memory is no repeatable thing: whoever asks is told that the heap was read and written. */
static void touch(Heap *heap) { heap->memory->read = heap->memory->written = true; }

uint64_t heap_take(Heap *heap, uint64_t bytes) {
    uint32_t log2 = SIZE_LOG2_MIN;
    touch(heap);
    while (log2 < SIZES && (UINT64_C(1) << log2) - sizeof(Piece) < bytes) log2++;
    if (log2 == SIZES) return 0;
    uint64_t offset = heap->free[log2] - 1, size = UINT64_C(1) << log2;
    bool again = heap->free[log2] != 0;
    if (again && piece_at(heap, offset)->state == PIECE_FREE) {
        heap->free[log2] = piece_at(heap, offset)->next;
    } else {
        if (again) heap->free[log2] = 0; /* overwritten by a kernel: the list is lost */
        if (size > heap->memory->bytes - heap->used) return 0;
        offset = heap->used;
        heap->used += size;
    }
    *piece_at(heap, offset) = (Piece){.state = PIECE_TAKEN, .size_log2 = log2};
    memory_renew(heap->memory, offset, size);
    return heap->memory->address + offset + sizeof(Piece);
}

bool heap_give(Heap *heap, uint64_t address) {
    if (!address) return true;
    touch(heap);
    uint64_t offset = address - heap->memory->address - sizeof(Piece);
    if (offset >= heap->used || offset % sizeof(Piece)) return false;
    Piece *piece = piece_at(heap, offset);
    if (piece->state != PIECE_TAKEN || piece->size_log2 >= SIZES) return false;
    *piece = (Piece){.state = PIECE_FREE, .size_log2 = piece->size_log2, .next = heap->free[piece->size_log2]};
    heap->free[piece->size_log2] = offset + 1;
    return true;
}
