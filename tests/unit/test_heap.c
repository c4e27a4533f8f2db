/* The memory that kernels allocate: chunks of a power of two with 16 bytes before them (machine/heap.h). */

#include "machine/heap.h"

#include <string.h>

#include "machine/written.h"
#include "suite.h"

enum { HEADER = 16 };

START_TEST(chunks_are_powers_of_two_and_come_again)
{
    Memory *memory = memory_new();
    Heap *heap = heap_new(memory, 256, "device heap");
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
    Heap *heap = heap_new(memory, 1024, "device heap");
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
    /* who frees has read the heap and written it, as who allocates: such a launch is not skipped as a repetition */
    Allocation *all = memory_at(memory, 0);
    all->read = all->written = false;
    ck_assert(heap_release(heap, 0) && !all->read && !all->written);
    ck_assert(heap_release(heap, chunk) && all->read && all->written);
    ck_assert(!heap_release(heap, chunk));
    heap_free(heap);
    memory_free(memory);
}
END_TEST

/* A kernel that writes out of bounds may have left anything in a chunk's header: free chunks of its size are lost, not handed out. */
START_TEST(an_overwritten_header_loses_its_list)
{
    Memory *memory = memory_new();
    Heap *heap = heap_new(memory, 256, "device heap");
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

/* A header that a kernel has made up leads nowhere beyond what was allocated, and gives no room that is not there. */
START_TEST(a_header_that_was_made_up_is_not_followed)
{
    static const struct {
        uint32_t log2;
        uint64_t next;
    } rows[] = {{5, UINT64_C(1) << 40}, {5, UINT64_MAX}, {5, 4096}, {5, 96 + 1}, {5, 8 + 1}, {7, 0}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        Memory *memory = memory_new();
        Heap *heap = heap_new(memory, 256, "device heap");
        const uint64_t chunk = heap_allocate(heap, 16), other = heap_allocate(heap, 16), begin = heap_memory(heap)->address;
        uint8_t *host = heap_memory(heap)->host;
        ck_assert(heap_release(heap, other) && heap_release(heap, chunk));
        memcpy(host + 4, &rows[i].log2, sizeof rows[i].log2);
        memcpy(host + 8, &rows[i].next, sizeof rows[i].next);
        const bool of_another_size = rows[i].log2 != 5;
        ck_assert_uint_eq(heap_allocate(heap, 16), of_another_size ? begin + 64 + HEADER : chunk);
        ck_assert_uint_eq(heap_allocate(heap, 16), begin + (of_another_size ? 96 : 64) + HEADER);
        heap_free(heap);
        memory_free(memory);
    }
    /* a chunk in a chunk, which says that it is larger than what there is */
    Memory *memory = memory_new();
    Heap *heap = heap_new(memory, 256, "device heap");
    const uint64_t chunk = heap_allocate(heap, 48);
    const uint32_t made_up[2] = {0x7a4e0a11, 7};
    memcpy(heap_memory(heap)->host + 32, made_up, sizeof made_up);
    heap_release(heap, chunk + 32);
    ck_assert_uint_eq(heap_allocate(heap, 100), heap_memory(heap)->address + 64 + HEADER);
    heap_free(heap);
    memory_free(memory);
}
END_TEST

/* What it was written with before is another's; its neighbours keep what they have. */
START_TEST(memory_that_is_given_again_counts_as_not_written)
{
    Memory *memory = memory_new();
    Heap *heap = heap_new(memory, 1024, "device heap");
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
      an_overwritten_header_loses_its_list, a_header_that_was_made_up_is_not_followed,
      memory_that_is_given_again_counts_as_not_written)
