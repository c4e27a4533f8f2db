/* The device's allocations: where they lie, who is at an address, who was there, who is nearest (machine/memory.h). */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "machine/memory.h"
#include "suite.h"

enum {
    RETIRED_MOST = 8192
}; /* freed allocations that are remembered: of more, the half with the lowest addresses is forgotten */

START_TEST(allocations_are_aligned_apart_and_found_to_their_last_byte)
{
    Memory *memory = memory_new();
    Allocation *a = memory_allocate(memory, 1000, "a", false), *b = memory_allocate(memory, 1, "b", false),
               *c = memory_allocate(memory, 10, "c", true), *empty = memory_allocate(memory, 0, "empty", false);
    ck_assert_uint_eq(a->address, MEMORY_FIRST);
    ck_assert(a->address % 256 == 0 && b->address % 256 == 0 && c->address == WINDOW_CONST);
    ck_assert_uint_ge(b->address - a->address, 1000 + (16 << 20)); /* an index that runs past 'a' does not land in 'b' */
    ck_assert_uint_ge(empty->address - b->address, 1 + (16 << 20));
    ck_assert_ptr_eq(memory_find(memory, a->address), a);
    ck_assert_ptr_eq(memory_find(memory, a->address + 999), a);
    ck_assert_ptr_null(memory_find(memory, a->address + 1000));
    ck_assert_ptr_null(memory_find(memory, a->address - 1));
    ck_assert_ptr_null(memory_find(memory, empty->address));
    ck_assert_ptr_eq(memory_find(memory, c->address + 9), c);
    ck_assert_uint_eq(memory_count(memory), 4);
    ck_assert(memory_at(memory, 0) == a && memory_at(memory, 1) == b && memory_at(memory, 2) == empty &&
              memory_at(memory, 3) == c);
    ck_assert(c->constant && !a->constant && !a->initialized && !a->unified);
    ck_assert(allocation_holds(a, a->address + 996, 4) && !allocation_holds(a, a->address + 997, 4));
    ck_assert(!allocation_holds(a, a->address - 1, 4) && !allocation_holds(a, a->address + 1000, 0));
    memory_free(memory);
}
END_TEST

START_TEST(any_order_of_ends_leaves_the_others_in_order)
{
    Memory *memory = memory_new();
    Allocation *items[40];
    for (int i = 0; i < 40; i++) items[i] = memory_allocate(memory, 8, "x", i % 3 == 0);
    for (int i = 0; i < 40; i += 2) memory_release(memory, items[i]);
    ck_assert_uint_eq(memory_count(memory), 20);
    for (int i = 1; i < 40; i += 2) ck_assert_ptr_eq(memory_find(memory, items[i]->address + 7), items[i]);
    for (size_t i = 1; i < 20; i++) ck_assert_uint_lt(memory_at(memory, i - 1)->address, memory_at(memory, i)->address);
    memory_free(memory);
}
END_TEST

static bool is_zero(const uint8_t *bytes, uint64_t count) { return bytes[0] == 0 && memcmp(bytes, bytes + 1, count - 1) == 0; }

/* Small ones come from the host's heap, which gives again what was freed; 64 bytes behind each are its as well. */
START_TEST(an_allocation_is_zero_whatever_was_in_its_place_before)
{
    static const uint64_t sizes[] = {0, 1, 4096, (32 << 10) - 65, (32 << 10) - 64, 1 << 20};
    Memory *memory = memory_new();
    for (size_t i = 0; i < 2 * sizeof sizes / sizeof *sizes; i++) {
        const uint64_t bytes = sizes[i / 2];
        Allocation *allocation = memory_allocate(memory, bytes, "x", false);
        ck_assert(is_zero(allocation->host, bytes + 64));
        memset(allocation->host, 0xff, bytes + 64);
        memset(memory_undefined(allocation), 0xff, bytes + 64);
        memory_define(allocation);
        ck_assert(is_zero(memory_undefined(allocation), bytes + 64));
        memory_release(memory, allocation);
    }
    memory_free(memory);
}
END_TEST

START_TEST(the_nearest_is_told_by_distance_from_its_ends)
{
    Memory *memory = memory_new();
    ck_assert_ptr_null(memory_nearest(memory, MEMORY_FIRST));
    Allocation *a = memory_allocate(memory, 256, "a", false);
    ck_assert_ptr_eq(memory_nearest(memory, 0), a);
    ck_assert_ptr_eq(memory_nearest(memory, UINT64_MAX), a);
    Allocation *b = memory_allocate(memory, 256, "b", false);
    const uint64_t end = a->address + 256, gap = b->address - end;
    ck_assert_ptr_eq(memory_nearest(memory, end + gap / 2), a); /* as near to one as to the other */
    ck_assert_ptr_eq(memory_nearest(memory, end + gap / 2 - 1), a);
    ck_assert_ptr_eq(memory_nearest(memory, end + gap / 2 + 1), b);
    ck_assert_ptr_eq(memory_nearest(memory, a->address + 200), a);
    memory_free(memory);
}
END_TEST

START_TEST(what_was_freed_is_remembered_for_a_while)
{
    Memory *memory = memory_new();
    static uint64_t addresses[RETIRED_MOST + 1];
    for (unsigned i = 0; i <= RETIRED_MOST; i++) {
        char name[20];
        snprintf(name, sizeof name, "%u", i);
        Allocation *allocation = memory_allocate(memory, 16, name, false);
        addresses[i] = allocation->address;
        if (i == RETIRED_MOST) ck_assert_str_eq(memory_retired(memory, addresses[0])->name, "0");
        memory_retire(memory, allocation);
        ck_assert_ptr_null(memory_find(memory, addresses[i]));
    }
    /* One more than are kept: of 8193 the first 4096 are forgotten. */
    ck_assert_ptr_null(memory_retired(memory, addresses[0]));
    ck_assert_ptr_null(memory_retired(memory, addresses[4095]));
    for (unsigned i = 4096; i <= RETIRED_MOST; i++) {
        const Allocation *retired = memory_retired(memory, addresses[i] + 15);
        ck_assert(retired && (unsigned)atoi(retired->name) == i && !retired->host);
    }
    ck_assert_ptr_null(memory_retired(memory, addresses[5000] + 16));
    memory_free(memory);
}
END_TEST

/* The host gives addresses out again, of other sizes: whoever had a byte last is the one to name, and a byte that only older ones had has none. */
START_TEST(the_newest_owner_of_an_address_is_remembered)
{
    static const struct {
        uint32_t old, old_bytes, newer, newer_bytes;
        const char *names; /* of each eight bytes: o, n, or - */
    } rows[] = {{0, 64, 0, 64, "nnnnnnnn"},  {16, 16, 0, 64, "nnnnnnnn"}, {0, 64, 16, 16, "--nn----"},
                {0, 16, 16, 16, "oonn----"}, {16, 16, 0, 16, "nnoo----"}, {0, 32, 16, 32, "--nnnn--"},
                {16, 32, 0, 32, "nnnn----"}, {56, 8, 0, 56, "nnnnnnno"}};
    static uint8_t bytes[64];
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        Memory *memory = memory_new();
        memory_retire(memory, memory_borrow(memory, bytes + rows[i].old, rows[i].old_bytes, "old"));
        memory_retire(memory, memory_borrow(memory, bytes + rows[i].newer, rows[i].newer_bytes, "newer"));
        for (unsigned at = 0; at < 64; at++) {
            const Allocation *owner = memory_retired(memory, (uintptr_t)bytes + at);
            ck_assert_msg((owner ? owner->name[0] : '-') == rows[i].names[at / 8], "row %zu, byte %u: %s", i, at,
                          owner ? owner->name : "none");
        }
        memory_free(memory);
    }
}
END_TEST

START_TEST(memory_of_the_host_has_the_hosts_addresses)
{
    Memory *memory = memory_new();
    static uint8_t bytes[64];
    Allocation *borrowed = memory_borrow(memory, bytes, sizeof bytes, "old"),
               *unified = memory_allocate_unified(memory, 100, "unified");
    ck_assert(borrowed->address == (uintptr_t)bytes && borrowed->host == bytes && borrowed->unified && borrowed->initialized);
    ck_assert(unified->address == (uintptr_t)unified->host && unified->unified && unified->initialized);
    unified->host[99] = 1; /* mapped */
    memory_retire(memory, borrowed);
    memory_retire(memory, memory_borrow(memory, bytes, 32, "new")); /* the newest owner is the one to name */
    ck_assert_str_eq(memory_retired(memory, (uintptr_t)bytes)->name, "new");
    ck_assert_ptr_null(memory_retired(memory, (uintptr_t)bytes + 32));
    memory_free(memory);
}
END_TEST

/* As memory of graphs is: an address that is known before there is anything, and is the same each time. */
START_TEST(a_reserved_address_is_allocated_again_and_again)
{
    Memory *memory = memory_new();
    const uint64_t address = memory_reserve(memory, 64);
    ck_assert_ptr_null(memory_find(memory, address));
    ck_assert_uint_ne(memory_allocate(memory, 64, "other", false)->address, address);
    for (int i = 0; i < 2; i++) {
        Allocation *made = memory_allocate_at(memory, address, 64, "ours");
        ck_assert_ptr_eq(memory_find(memory, address + 63), made);
        ck_assert_uint_eq(made->host[63], 0);
        made->host[63] = 7;
        memory_retire(memory, made);
        ck_assert_ptr_null(memory_find(memory, address));
        ck_assert_str_eq(memory_retired(memory, address)->name, "ours");
    }
    memory_free(memory);
}
END_TEST

SUITE("memory", allocations_are_aligned_apart_and_found_to_their_last_byte, any_order_of_ends_leaves_the_others_in_order,
      an_allocation_is_zero_whatever_was_in_its_place_before, the_nearest_is_told_by_distance_from_its_ends,
      what_was_freed_is_remembered_for_a_while, the_newest_owner_of_an_address_is_remembered,
      memory_of_the_host_has_the_hosts_addresses, a_reserved_address_is_allocated_again_and_again)
