/* The memory that kernels allocate: chunks of a power of two with 16 bytes before them (machine/heap.h). */

#include "machine/heap.h"

#include <string.h>

#include "machine/written.h"
#include "suite.h"

enum { HEADER = 16 };

START_TEST(chunks_are_powers_of_two_and_come_again)
{
    Memory *memory = memory_new();
    Heap *heap = heap_new(memory, 256);
    const uint64_t begin = heap_memory(heap)->address, first = heap_allocate(heap, 1), second = heap_allocate(heap, 16),
                   third = heap_allocate(heap, 17);
    ck_assert_uint_eq(first, begin + HEADER);                          /* 32 bytes */
    ck_assert_uint_eq(second, begin + 32 + HEADER);                    /* 16 and 16: 32 bytes */
    ck_assert_uint_eq(third, begin + 64 + HEADER);                     /* 17 and 16: 64 bytes */
    ck_assert_uint_eq(heap_allocate(heap, 113), 0);                    /* 256 bytes, of which 128 are left */
    ck_assert_uint_eq(heap_allocate(heap, 112), begin + 128 + HEADER); /* 128: all that is left */
    ck_assert_uint_eq(heap_allocate(heap, 1), 0);
    ck_assert(heap_release(heap, first) && heap_release(heap, second));
    ck_assert_uint_eq(heap_allocate(heap, 17), 0); /* free chunks of 32 bytes are no room for 64 */
    ck_assert_uint_eq(heap_allocate(heap, 16), second);
    ck_assert_uint_eq(heap_allocate(heap, 0), first);
    ck_assert_uint_eq(heap_allocate(heap, 0), 0);
    ck_assert_uint_eq(heap_allocate(heap, UINT64_MAX), 0);
    ck_assert_uint_eq(heap_allocate(heap, UINT64_C(1) << 47), 0);
    ck_assert(heap_memory(heap)->read && heap_memory(heap)->written);
    heap_free(heap);
    memory_free(memory);
}
END_TEST

START_TEST(what_is_no_chunk_in_use_is_not_freed)
{
    Memory *memory = memory_new();
    Heap *heap = heap_new(memory, 1024);
    const uint64_t chunk = heap_allocate(heap, 48);
    ck_assert(heap_release(heap, 0));
    for (uint64_t beside = 1; beside < 64; beside++) ck_assert(!heap_release(heap, chunk + beside));
    /* what a kernel wrote may look like a header, but none begins between multiples of 16 */
    uint8_t *own = heap_memory(heap)->host;
    for (uint64_t beside = 24; beside < 48; beside += HEADER) {
        memcpy(own + beside, own, HEADER); /* where that of chunk + beside would be */
        ck_assert(!heap_release(heap, chunk + beside));
    }
    ck_assert(!heap_release(heap, chunk - 1));
    ck_assert(!heap_release(heap, chunk + 64)); /* never allocated */
    ck_assert(!heap_release(heap, chunk + 4096));
    ck_assert(!heap_release(heap, chunk + (UINT64_C(1) << 40))); /* far from all of it */
    ck_assert(!heap_release(heap, 4096));
    ck_assert(heap_release(heap, chunk));
    ck_assert(!heap_release(heap, chunk));
    heap_free(heap);
    memory_free(memory);
}
END_TEST

/* A kernel that writes out of bounds may have left anything in a chunk's header: free chunks of its size are lost, not handed out. */
START_TEST(an_overwritten_header_loses_its_list)
{
    Memory *memory = memory_new();
    Heap *heap = heap_new(memory, 256);
    const uint64_t chunk = heap_allocate(heap, 16), begin = heap_memory(heap)->address;
    ck_assert(heap_release(heap, chunk));
    heap_memory(heap)->host[0] ^= 0xff;
    ck_assert_uint_eq(heap_allocate(heap, 16), begin + 32 + HEADER);
    ck_assert_uint_eq(heap_allocate(heap, 16), begin + 64 + HEADER);
    ck_assert(!heap_release(heap, chunk));
    heap_free(heap);
    memory_free(memory);
}
END_TEST

/* What it was written with before is another's; its neighbours keep what they have. */
START_TEST(memory_that_is_given_again_counts_as_not_written)
{
    Memory *memory = memory_new();
    Heap *heap = heap_new(memory, 1024);
    const uint64_t first = heap_allocate(heap, 48), second = heap_allocate(heap, 48), begin = heap_memory(heap)->address;
    Allocation *allocation = memory_find(memory, begin);
    written_add(allocation, first - begin, 48);
    written_add(allocation, second - begin, 48);
    ck_assert(written_all(allocation, first - begin, 48));
    ck_assert(heap_release(heap, first));
    ck_assert_uint_eq(heap_allocate(heap, 48), first);
    for (uint64_t byte = 0; byte < 48; byte++) ck_assert(!written_all(allocation, first - begin + byte, 1));
    ck_assert(written_all(allocation, second - begin, 48));
    heap_free(heap);
    memory_free(memory);
}
END_TEST

SUITE("heap", chunks_are_powers_of_two_and_come_again, what_is_no_chunk_in_use_is_not_freed,
      an_overwritten_header_loses_its_list, memory_that_is_given_again_counts_as_not_written)
