/* Which bytes were written, against a byte for each (machine/written.h); and what that costs of a large buffer. */
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "machine/written.h"
#include "suite.h"

static uint64_t state;
static uint32_t pick(uint32_t below) {
    state ^= state << 13;
    state ^= state >> 7;
    state ^= state << 17;
    return (uint32_t)(state >> 20) % below;
}

static bool all_of(const uint8_t *written, uint64_t offset, uint64_t bytes) { return !memchr(written + offset, 0, bytes); }

static void agrees(const Allocation *a, const uint8_t *written, uint64_t offset, uint64_t bytes) {
    ck_assert_msg(written_all(a, offset, bytes) == all_of(written, offset, bytes), "%llu bytes at %llu of %llu",
                  (unsigned long long)bytes, (unsigned long long)offset, (unsigned long long)a->bytes);
}

/* Sizes about those of pages and words; ranges about their ends. */
START_TEST(what_was_added_and_not_removed_is_written)
{
    static const uint32_t sizes[] = {1, 3, 4, 7, 64, 4095, 4096, 4097, 3 * 4096, 5 * 4096 + 2};
    state = 88172645463325252u;
    for (size_t s = 0; s < sizeof sizes / sizeof *sizes; s++)
        for (int run = 0; run < 40; run++) {
            const uint32_t size = sizes[s];
            Memory *memory = memory_new();
            Allocation *a = memory_allocate(memory, size, "a", false);
            uint8_t *written = calloc(size + 1, 1);
            for (int step = 0; step < 30; step++) {
                const bool ends = pick(2);
                uint32_t offset = ends ? pick(size / 4096 + 1) * 4096 : pick(size), bytes = 1 + pick(ends ? 9000 : 70);
                if (offset >= size) offset = 0;
                if (offset + bytes > size) bytes = size - offset;
                const bool add = pick(4);
                if (add)
                    written_add(a, offset, bytes);
                else
                    memory_renew(a, offset, bytes);
                memset(written + offset, add, bytes);
                for (int look = 0; look < 60; look++) {
                    const uint32_t at = pick(size), most = size - at;
                    agrees(a, written, at, 1 + pick(most));
                    agrees(a, written, at, 1 + pick(most < 40 ? most : 40));
                    const uint32_t wide = 1u << pick(6), aligned = at / wide * wide;
                    if (!a->bytes_written || aligned + wide > size) continue;
                    ck_assert(written_few(a, aligned, wide) == all_of(written, aligned, wide));
                }
            }
            free(written);
            memory_free(memory);
        }
}
END_TEST

/* Bytes that are kept of it, in memory. */
static uint64_t resident(const Allocation *a) {
    const uint64_t page = (uint64_t)sysconf(_SC_PAGESIZE), pages = (written_size(a) + page - 1) / page;
    unsigned char *in = malloc(pages);
    ck_assert_int_eq(mincore(a->bytes_written, written_size(a), in), 0);
    uint64_t count = 0;
    for (uint64_t i = 0; i < pages; i++) count += in[i] & 1;
    free(in);
    return count * page;
}

/* A gibibyte of which the last byte is missing: a byte for each of its pages, and words of the last. Twice two huge pages are room enough. */
START_TEST(what_the_host_writes_costs_a_byte_a_page)
{
    Memory *memory = memory_new();
    Allocation *a = memory_allocate(memory, UINT64_C(1) << 30, "a", false);
    written_add(a, 0, a->bytes - 1);
    ck_assert(written_all(a, 0, a->bytes - 1) && !written_all(a, a->bytes - 1, 1));
    ck_assert_uint_le(resident(a), 8 << 20);
    memory_free(memory);
}
END_TEST

SUITE("written", what_was_added_and_not_removed_is_written, what_the_host_writes_costs_a_byte_a_page)
