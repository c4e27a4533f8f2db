/* Expected counts are derived in the comments, or are those that an H200 showed (tests/hardware). */
#include "../hardware/patterns.h"
#include "machine/memory.h"
#include "masks.h"
#include "observe/sectors.h"
#include "suite.h"

enum { BASE = 0x10000 };

static Access access_of(uint32_t bytes, uint32_t active) {
    Access access = {.space = SPACE_GLOBAL, .kind = ACCESS_STORE, .bytes = (uint8_t)bytes, .active = active};
    for (int i = 0; i < WARP_LANES; i++) access.addr[i] = UINT64_C(0xdeadbeef0000); /* inactive lanes hold anything */
    return access;
}

static Footprint strided(uint32_t bytes, uint64_t first, int64_t stride, uint32_t active) {
    Access access = access_of(bytes, active);
    for (int i = 0; i < WARP_LANES; i++)
        if (active >> i & 1) access.addr[i] = first + (uint64_t)(i * stride);
    Footprint footprint;
    sectors_find(&access, &footprint);
    return footprint;
}

static uint32_t sectors(uint32_t bytes, uint64_t first, int64_t stride, uint32_t active) {
    return strided(bytes, first, stride, active).sectors;
}

/* For every sector the number of lanes at its most wanted address, summed. */
static uint32_t touches_in_turns(const Access *access) {
    uint32_t sum = 0;
    for (uint32_t i = 0; i < 32; i++) {
        uint32_t most = 0;
        bool first = access->active >> i & 1;
        for (uint32_t k = 0; k < 32; k++) {
            bool here = access->active >> k & 1 && access->addr[k] / 32 == access->addr[i] / 32;
            uint32_t wanted = 0;
            for (uint32_t l = 0; l < 32; l++) wanted += here && access->active >> l & 1 && access->addr[l] == access->addr[k];
            most = wanted > most ? wanted : most;
            first = first && !(here && k < i);
        }
        sum += first ? most : 0;
    }
    return sum;
}

/* The definition, byte by byte: the lines in order of their first lane, with what is touched of each. */
static void find_slowly(const Access *access, Footprint *out) {
    static uint8_t touched[FOOTPRINT_LINES][LINE_BYTES];
    memset(touched, 0, sizeof touched);
    memset(out, 0, sizeof *out);
    uint32_t pieces = access->space == SPACE_LOCAL && access->bytes > 4 ? access->bytes / 4 : 1;
    for (uint32_t piece = 0; piece < pieces; piece++)
        for (uint32_t i = 0; i < WARP_LANES; i++)
            for (uint32_t b = 0; access->active >> i & 1 && b < access->bytes / pieces; b++) {
                uint64_t byte = access->addr[i] + piece * 128 + b;
                uint32_t line = 0;
                while (line < out->n_lines && out->line[line] != (uint32_t)(byte / 128 & LINE_NUMBERS)) line++;
                if (line == out->n_lines) out->line[out->n_lines++] = (uint32_t)(byte / 128 & LINE_NUMBERS);
                touched[line][byte % 128] = 1;
            }
    for (uint32_t line = 0; line < out->n_lines; line++)
        for (uint32_t s = 0; s < 4; s++) {
            uint32_t bytes = 0;
            for (uint32_t b = 0; b < 32; b++) bytes += touched[line][s * 32 + b];
            out->unique_bytes += bytes;
            out->sectors += bytes > 0;
            out->mask[line] |= (uint8_t)((bytes > 0) << s);
        }
    if (access->kind == ACCESS_ATOMIC || access->kind == ACCESS_REDUCTION) out->sectors = touches_in_turns(access);
    for (uint32_t line = 0; line < out->n_lines; line++)
        for (uint32_t b = 0; b < 128; b++) out->words[line] |= (uint32_t)touched[line][b] << b / 4;
    for (uint32_t line = 0; line < out->n_lines; line++) out->n_words += (uint32_t)__builtin_popcount(out->words[line]);
}

static void same_as_definition(const Access *given, const char *what) {
    Footprint fast, slow;
    Access told = *given;
    const Access *access = &told;
    told.strided = is_strided(given, 32) && given->addr[0] / given->bytes % 2; /* half of those that are say so */
    told.eights = is_strided(given, EIGHT);
    told.stride = (int64_t)(given->addr[1] - given->addr[0]);
    sectors_find(access, &fast);
    find_slowly(access, &slow);
    ck_assert_msg(fast.sectors == slow.sectors, "%s: %u sectors, not %u", what, fast.sectors, slow.sectors);
    ck_assert_msg(fast.unique_bytes == slow.unique_bytes, "%s: %u bytes, not %u", what, fast.unique_bytes, slow.unique_bytes);
    ck_assert_msg(fast.n_lines == slow.n_lines, "%s: %u lines, not %u", what, fast.n_lines, slow.n_lines);
    if (access->kind != ACCESS_LOAD)
        ck_assert_msg(fast.n_words == slow.n_words, "%s: %u words, not %u", what, fast.n_words, slow.n_words);
    for (uint32_t i = 0; i < slow.n_lines; i++) {
        ck_assert_msg(fast.line[i] == slow.line[i], "%s: line %u", what, i);
        ck_assert_msg(fast.mask[i] == slow.mask[i], "%s: line %u: mask %x, not %x", what, i, fast.mask[i], slow.mask[i]);
        if (access->kind != ACCESS_LOAD)
            ck_assert_msg(fast.words[i] == slow.words[i], "%s: line %u: words %x, not %x", what, i, fast.words[i],
                          slow.words[i]);
    }
}

START_TEST(every_h200_gather_and_scatter_has_the_measured_sectors)
{
    size_t count, compared = 0;
    Pattern *patterns = patterns_read(&count);
    for (size_t i = 0; i < count; i++) {
        const Pattern *p = &patterns[i];
        bool gather = !strcmp(p->kind, "gather"), scatter = !strcmp(p->kind, "scatter");
        if (!gather && !scatter) continue;
        Access access = pattern_access(p, SPACE_GLOBAL, gather ? ACCESS_LOAD : ACCESS_STORE, BASE);
        Footprint footprint;
        sectors_find(&access, &footprint);
        uint64_t index_load = (p->lanes * 4 + 31) / 32; /* every launch also loads its indices, 4 bytes a lane */
        uint64_t measured = gather ? p->load_sectors - index_load : p->store_sectors;
        ck_assert_msg(footprint.sectors == measured, "%s: %u, measured %u", p->name, footprint.sectors, (unsigned)measured);
        same_as_definition(&access, p->name);
        compared++;
    }
    free(patterns);
    ck_assert_uint_eq(count, 468);
    ck_assert_uint_eq(compared, 260);
}
END_TEST

static void masked_is_as_measured(const Masked *row) {
    Footprint footprint;
    sectors_find(&row->access, &footprint);
    char what[100];
    snprintf(what, sizeof what, "%s, %u bytes, %s, mask %08x", row->kind, row->access.bytes, row->pattern, row->access.active);
    bool odd_one = !strcmp(row->pattern, "rand256") && row->access.active == LANES_ALL && row->access.bytes == 4 &&
                   strcmp(row->kind, "gatom_cas_b32") && row->kind[1] != 'l' && row->kind[1] != 's';
    uint32_t measured = row->sectors - odd_one; /* see tests/hardware/README.md */
    ck_assert_msg(footprint.sectors == measured, "%s: %u, measured %u", what, footprint.sectors, measured);
    same_as_definition(&row->access, what);
}

START_TEST(lane_masks_with_holes_and_atomics_have_the_measured_sectors)
{ ck_assert_uint_gt(masked_each('g', masked_is_as_measured), 200); }
END_TEST

/* A warp of a block 8 or 16 threads wide: each row wherever it is, in the order of the lanes, also in the same line or on top of another. */
START_TEST(rows_of_eight_lanes_are_as_the_definition_has_them)
{
    static const AccessKind kinds[] = {ACCESS_LOAD, ACCESS_STORE, ACCESS_ATOMIC};
    uint32_t random = 1;
    for (uint32_t n = 0; n < 6000; n++) {
        uint32_t bytes = 1u << n % 5;
        Access access = access_of(bytes, LANES_ALL);
        access.kind = (uint8_t)kinds[n / 5 % 3];
        for (uint32_t i = 0; i < 32; i += EIGHT) {
            random = random * 1664525 + 1013904223;
            uint64_t row = BASE + (random >> 20) % (n % 2 ? 64 : 1024) * (n % 4 < 2 ? 4 : EIGHT) * bytes;
            for (uint32_t k = i; k < i + EIGHT; k++) access.addr[k] = row + (n % 7 ? (k - i) * bytes : 0);
        }
        same_as_definition(&access, "rows");
    }
}
END_TEST

START_TEST(equal_addresses_of_an_atomic_take_turns)
{
    Access access = access_of(4, LANES_ALL);
    Footprint f;
    access.kind = ACCESS_ATOMIC;
    for (uint32_t i = 0; i < 32; i++) access.addr[i] = BASE;
    sectors_find(&access, &f);
    ck_assert_uint_eq(f.sectors, 32);
    ck_assert_uint_eq(f.n_lines, 1);
    for (uint32_t i = 0; i < 32; i++) access.addr[i] = BASE + i / 2 * 4; /* 16 words in 2 sectors, each wanted twice */
    sectors_find(&access, &f);
    ck_assert_uint_eq(f.sectors, 4);
    ck_assert_uint_eq(f.unique_bytes, 64);
}
END_TEST

START_TEST(contiguous_elements_need_a_sector_for_32_bytes)
{
    for (uint32_t bytes = 1; bytes <= 32; bytes *= 2) {
        Footprint f = strided(bytes, BASE, bytes, LANES_ALL);
        ck_assert_uint_eq(f.sectors, bytes); /* 32 lanes × bytes / 32 */
        ck_assert_uint_eq(f.unique_bytes, 32 * bytes);
        ck_assert_uint_eq(f.n_lines, bytes < 4 ? 1 : bytes / 4);
        ck_assert_uint_eq(f.words[0], bytes < 4 ? (1u << bytes * 8) - 1 : UINT32_MAX);
        ck_assert_uint_eq(f.line[0], BASE / 128);
    }
}
END_TEST

START_TEST(stride_two_doubles_the_sectors)
{
    ck_assert_uint_eq(sectors(4, BASE, 4, LANES_ALL), 4);
    ck_assert_uint_eq(sectors(4, BASE, 8, LANES_ALL), 8);
    ck_assert_uint_eq(sectors(4, BASE, 12, LANES_ALL), 12); /* 31 × 12 + 4 = 376 bytes end in sector 11 */
    ck_assert_uint_eq(sectors(4, BASE, 32, LANES_ALL), 32);
    ck_assert_uint_eq(sectors(4, BASE, 4096, LANES_ALL), 32);
    ck_assert_uint_eq(sectors(4, BASE + 31 * 12, -12, LANES_ALL), 12);
}
END_TEST

START_TEST(an_offset_of_one_element_costs_one_sector)
{
    Footprint f = strided(4, BASE + 4, 4, LANES_ALL);
    ck_assert_uint_eq(f.sectors, 5);
    ck_assert_uint_eq(f.n_lines, 2);
    ck_assert_uint_eq(f.mask[0], 0xf);
    ck_assert_uint_eq(f.words[0], 0xfffffffe); /* without the first 4 bytes */
    ck_assert_uint_eq(f.mask[1], 0x1);
    ck_assert_uint_eq(f.words[1], 0x1);
}
END_TEST

START_TEST(a_broadcast_is_one_sector)
{
    Footprint f = strided(4, BASE + 100, 0, LANES_ALL); /* byte 100 of the line is in its sector 3 */
    ck_assert_uint_eq(f.sectors, 1);
    ck_assert_uint_eq(f.unique_bytes, 4);
    ck_assert_uint_eq(f.mask[0], 0x8);
    ck_assert_uint_eq(f.words[0], 1u << 25);
    f = strided(32, BASE, 0, LANES_ALL);
    ck_assert_uint_eq(f.words[0], 0xff);
}
END_TEST

START_TEST(only_active_lanes_count)
{
    ck_assert_uint_eq(sectors(4, BASE, 4, 0x0000ffff), 2);
    ck_assert_uint_eq(sectors(4, BASE, 4, 0xffff0000), 2);
    ck_assert_uint_eq(sectors(4, BASE, 4, 0x55555555), 4);
    ck_assert_uint_eq(strided(4, BASE, 4, 0x55555555).unique_bytes, 64);
    ck_assert_uint_eq(sectors(4, BASE, 4, 0x80000001), 2); /* lanes 0 and 31: first and last sector */
    ck_assert_uint_eq(sectors(4, BASE, 128, 0x00000100), 1);
    ck_assert_uint_eq(strided(4, BASE, 128, 0x00000100).line[0], BASE / 128 + 8);
    ck_assert_uint_eq(sectors(16, BASE, 16, 0x80000000), 1);
}
END_TEST

START_TEST(a_64_bit_local_variable_is_two_lines_of_words)
{
    /* Word w of lane l is at (w * 32 + l) * 4: the lanes' first words fill line 0, their second words line 1. */
    Access access = access_of(8, LANES_ALL);
    access.space = SPACE_LOCAL;
    for (uint32_t i = 0; i < 32; i++) access.addr[i] = i * 4;
    Footprint f;
    sectors_find(&access, &f);
    ck_assert_uint_eq(f.sectors, 8);
    ck_assert_uint_eq(f.n_lines, 2);
    ck_assert_uint_eq(f.unique_bytes, 256);
    access.bytes = 4;
    sectors_find(&access, &f);
    ck_assert_uint_eq(f.sectors, 4);
    ck_assert_uint_eq(f.n_lines, 1);
}
END_TEST

START_TEST(shortcuts_agree_with_the_definition)
{
    for (int round = 0; round < 20000; round++) {
        uint32_t bytes = 1u << next_random(6), shape = (uint32_t)next_random(6);
        Access access = access_of(bytes, random_mask());
        access.kind = (uint8_t)next_random(4);
        int64_t stride = (int64_t)next_random(80) - 40, window = (int64_t)(1u << next_random(12));
        uint64_t first = BASE * 16 + next_random(64);
        for (int64_t i = 0; i < 32; i++) {
            int64_t index = 0;
            switch (shape) {
            case 0: index = i * stride; break;
            case 1: index = (int64_t)next_random((uint64_t)window); break;
            case 2: index = (i / 8) * stride * 5 + i % 8; break; /* rows of eight */
            case 3: index = (i ^ (stride & 31)) * (1 + (window & 3)); break;
            case 4: index = i * stride + (i == 17); break; /* one lane out of step */
            case 5: index = i * (stride > 0 ? 1 : -1) * window; break;
            }
            if (access.active >> i & 1) access.addr[i] = (first + (uint64_t)index + (UINT64_C(1) << 20)) * bytes;
        }
        char what[80];
        snprintf(what, sizeof what, "round %d: shape %u, %u bytes, mask %08x", round, shape, bytes, access.active);
        if (next_random(8) == 0 && bytes >= 4 && access.kind <= ACCESS_STORE) {
            access.space = SPACE_LOCAL;
            for (int i = 0; i < 32; i++) access.addr[i] = access.addr[i] / bytes % 1024 * 128 + (uint64_t)i * 4;
        }
        same_as_definition(&access, what);
    }
}
END_TEST

/* Else the caches would take one for the other. */
START_TEST(ordinary_and_unified_memory_have_different_lines)
{
    Memory *memory = memory_new();
    uint64_t ordinary = memory_allocate(memory, 1 << 20, "ordinary", false)->address;
    uint64_t unified = memory_allocate_unified(memory, 1 << 20, "unified")->address;
    ck_assert_uint_ne(ordinary / LINE_BYTES & LINE_NUMBERS, unified / LINE_BYTES & LINE_NUMBERS);
    memory_free(memory);
}
END_TEST

SUITE("sectors", rows_of_eight_lanes_are_as_the_definition_has_them, every_h200_gather_and_scatter_has_the_measured_sectors,
      lane_masks_with_holes_and_atomics_have_the_measured_sectors, equal_addresses_of_an_atomic_take_turns,
      contiguous_elements_need_a_sector_for_32_bytes, stride_two_doubles_the_sectors, an_offset_of_one_element_costs_one_sector,
      a_broadcast_is_one_sector, only_active_lanes_count, a_64_bit_local_variable_is_two_lines_of_words,
      ordinary_and_unified_memory_have_different_lines, shortcuts_agree_with_the_definition)
