/* Expected counts are derived in the comments, or are those that an H200 showed (tests/hardware). */
#include <stdio.h>

#include "../hardware/patterns.h"
#include "masks.h"
#include "observe/banks.h"
#include "suite.h"

static Access strided(AccessKind kind, uint32_t bytes, int64_t stride, uint32_t active) {
    Access access = {.space = SPACE_SHARED, .kind = (uint8_t)kind, .bytes = (uint8_t)bytes, .active = active};
    for (int i = 0; i < WARP_LANES; i++)
        access.addr[i] = active >> i & 1 ? (uint64_t)(16384 + i * stride) : UINT64_C(0xdeadbeef0000);
    return access;
}

static uint32_t wavefronts(AccessKind kind, uint32_t bytes, int64_t stride, uint32_t active) {
    Access access = strided(kind, bytes, stride, active);
    return banks_count(&access).wavefronts;
}

/* degree(S) as banks.h defines it: of the words of each bank, those that differ. */
static uint32_t degree(const Access *access, uint32_t lanes) {
    uint64_t word[32][32 * 8];
    uint32_t count[32] = {0}, most = 0;
    for (uint32_t i = 0; i < 32; i++) {
        uint64_t last = access->addr[i] + (access->bytes > 4 ? access->bytes : 4) - 4;
        for (uint64_t addr = access->addr[i]; access->active & lanes & 1u << i && addr <= last; addr += 4) {
            uint32_t bank = addr / 4 % 32, k = 0;
            while (k < count[bank] && word[bank][k] != addr / 4) k++;
            word[bank][k] = addr / 4;
            count[bank] += k == count[bank];
            most = count[bank] > most ? count[bank] : most;
        }
    }
    return most;
}

static bool partners_equal(const Access *access, uint32_t lanes, uint32_t x) {
    for (uint32_t i = 0; i < 32; i++) {
        uint32_t active = access->active & lanes;
        if (active >> i & 1 && active >> (i ^ x) & 1 && access->addr[i] != access->addr[i ^ x]) return false;
    }
    return true;
}

/* Lanes of the fullest bank, or pair of banks. */
static uint32_t lanes_a_bank(const Access *access, uint32_t lanes) {
    uint32_t unit = access->bytes > 4 ? access->bytes : 4, count[32] = {0}, most = 0;
    for (uint32_t i = 0; i < 32; i++)
        if (access->active & lanes & 1u << i) {
            uint32_t *bank = &count[access->addr[i] / unit % (128 / unit)];
            most = ++*bank > most ? *bank : most;
        }
    return most;
}

/* The rules of banks.h, read out one after the other. */
static BankCount count_slowly(const Access *access) {
    BankCount count = {0, 0};
    uint32_t lanes = access->bytes <= 4 ? 32 : 128 / access->bytes, least = 0;
    bool atomic = access->kind == ACCESS_ATOMIC || access->kind == ACCESS_REDUCTION;
    if (access->kind == ACCESS_LOAD && (access->bytes == 8 || access->bytes == 16) &&
        (partners_equal(access, LANES_ALL, 1) || partners_equal(access, LANES_ALL, 2)))
        lanes *= 2;
    for (uint32_t first = 0; first < 32; first += lanes) {
        uint32_t group = (lanes == 32 ? LANES_ALL : (1u << lanes) - 1) << first;
        const bool any = access->active & group, tries = atomic && access->service == SERVICE_TRY;
        const bool each = atomic && access->service != SERVICE_TOGETHER;
        count.wavefronts += tries ? any : each ? lanes_a_bank(access, group) : degree(access, group);
        least += (access->active & group) != 0;
    }
    count.conflicts = count.wavefronts - least;
    if (atomic && (access->service == SERVICE_SWAP || access->service == SERVICE_TRY)) count.wavefronts *= 2;
    return count;
}

/* What banks.h says of banks_serve: as many wavefronts as are counted, none of them empty; in each, lanes of one group alone, and no bank
 * that gives two words (or, to atomics, anything to two lanes). */
static void served_by_the_rules(const Access *access, const char *what) {
    uint8_t wavefront[32];
    uint32_t conflicts = 0;
    bool seen[256] = {false};
    uint32_t unit = access->bytes > 4 ? access->bytes : 4, cost = banks_turn(access), count = 0;
    const bool each = banks_serve_each(access), tries = banks_try(access);
    bool wide_load = access->kind == ACCESS_LOAD && (access->bytes == 8 || access->bytes == 16);
    bool merged = wide_load && (partners_equal(access, LANES_ALL, 1) || partners_equal(access, LANES_ALL, 2));
    uint32_t group = (access->bytes <= 4 ? 32 : 128 / access->bytes) << merged;
    uint32_t late = banks_serve(access, wavefront);
    ck_assert_msg(!(late & ~access->active), "%s: inactive lanes are late", what);
    for (uint32_t i = 0; i < 32; i++) {
        if (!(access->active >> i & 1)) continue;
        conflicts += !seen[wavefront[i]] && late >> i & 1;
        count += seen[wavefront[i]] ? 0 : cost;
        seen[wavefront[i]] = true;
        for (uint32_t k = 0; k < i; k++) {
            if (!(access->active >> k & 1)) continue;
            bool together = wavefront[i] == wavefront[k], word = access->addr[i] / unit == access->addr[k] / unit;
            bool bank = access->addr[i] / unit % (128 / unit) == access->addr[k] / unit % (128 / unit);
            if (together)
                ck_assert_msg(i / group == k / group && (!bank || tries || (word && !each)), "%s: lanes %u and %u", what, k, i);
            if (i / group == k / group && word && !each) ck_assert_msg(together, "%s: the word of lanes %u and %u", what, k, i);
        }
    }
    uint32_t wavefronts = banks_count(access).wavefronts;
    ck_assert_msg(conflicts == banks_count(access).conflicts, "%s: %u wavefronts of late lanes", what, conflicts);
    ck_assert_msg(count == wavefronts, "%s: served in %u wavefronts of %u", what, count, wavefronts);
    for (uint32_t w = 0; w < count; w += cost) ck_assert_msg(seen[w], "%s: nobody is served in wavefront %u", what, w);
}

static void same_as_rules(const Access *given, const char *what) {
    Access told = *given;
    const Access *access = &told;
    told.strided = is_strided(given, 32) && given->addr[0] / given->bytes % 2; /* half of those that are say so */
    told.eights = is_strided(given, EIGHT) && given->addr[0] / given->bytes % 4 < 2;
    told.stride = (int64_t)(given->addr[1] - given->addr[0]);
    BankCount fast = banks_count(access), slow = count_slowly(access);
    ck_assert_msg(fast.wavefronts == slow.wavefronts, "%s: %u wavefronts, not %u", what, fast.wavefronts, slow.wavefronts);
    ck_assert_msg(fast.conflicts == slow.conflicts, "%s: %u conflicts, not %u", what, fast.conflicts, slow.conflicts);
    served_by_the_rules(access, what);
}

START_TEST(every_h200_shared_pattern_has_the_measured_wavefronts)
{
    size_t count, compared = 0;
    Pattern *patterns = patterns_read(&count);
    for (size_t i = 0; i < count; i++) {
        const Pattern *p = &patterns[i];
        bool gather = !strcmp(p->kind, "sgather"), scatter = !strcmp(p->kind, "sscatter");
        if (!gather && !scatter) continue;
        Access access = pattern_access(p, SPACE_SHARED, gather ? ACCESS_LOAD : ACCESS_STORE, 0);
        BankCount count = banks_count(&access);
        uint64_t measured = gather ? p->load_wavefronts : p->store_wavefronts;
        uint64_t conflicts = gather ? p->load_conflicts : p->store_conflicts;
        ck_assert_msg(count.wavefronts == measured, "%s: %u, measured %u", p->name, count.wavefronts, (unsigned)measured);
        ck_assert_msg(count.conflicts == conflicts, "%s: %u conflicts, measured %u", p->name, count.conflicts,
                      (unsigned)conflicts);
        same_as_rules(&access, p->name);
        compared++;
    }
    free(patterns);
    ck_assert_uint_eq(count, 468);
    ck_assert_uint_eq(compared, 208);
}
END_TEST

static void masked_is_as_measured(const Masked *row) {
    BankCount count = banks_count(&row->access);
    char what[100];
    snprintf(what, sizeof what, "%s, %u bytes, %s, mask %08x", row->kind, row->access.bytes, row->pattern, row->access.active);
    ck_assert_msg(count.wavefronts == row->wavefronts, "%s: %u, measured %u", what, count.wavefronts, row->wavefronts);
    ck_assert_msg(count.conflicts == row->conflicts, "%s: %u conflicts, measured %u", what, count.conflicts, row->conflicts);
    same_as_rules(&row->access, what);
}

START_TEST(lane_masks_with_holes_and_atomics_have_the_measured_wavefronts)
{ ck_assert_uint_gt(masked_each('s', masked_is_as_measured), 400); }
END_TEST

START_TEST(a_power_of_two_stride_conflicts_an_odd_one_does_not)
{
    for (int stride = 1; stride < 64; stride += 2) ck_assert_uint_eq(wavefronts(ACCESS_LOAD, 4, 4 * stride, LANES_ALL), 1);
    ck_assert_uint_eq(wavefronts(ACCESS_LOAD, 4, 8, LANES_ALL), 2);
    ck_assert_uint_eq(wavefronts(ACCESS_STORE, 4, 64, LANES_ALL), 16);
    ck_assert_uint_eq(wavefronts(ACCESS_STORE, 4, 128, LANES_ALL), 32); /* the column of a 32-wide tile */
    ck_assert_uint_eq(wavefronts(ACCESS_STORE, 4, 132, LANES_ALL), 1);  /* the same with a padding column */
    ck_assert_uint_eq(wavefronts(ACCESS_STORE, 4, 256, LANES_ALL), 32);
    ck_assert_uint_eq(wavefronts(ACCESS_STORE, 4, -128, LANES_ALL), 32);
    ck_assert_uint_eq(wavefronts(ACCESS_STORE, 4, 24, LANES_ALL), 2); /* 6 words: every other bank */
}
END_TEST

/* Whether the access says that it is one or not. */
START_TEST(a_broadcast_is_one_wavefront)
{
    static const struct {
        AccessKind kind;
        uint32_t bytes, wavefronts;
    } rows[] = {
        {ACCESS_LOAD, 1, 1},   {ACCESS_LOAD, 2, 1},   {ACCESS_LOAD, 4, 1},  {ACCESS_LOAD, 8, 1}, /* halves merge */
        {ACCESS_LOAD, 16, 2}, /* quarters merge within each half */
        {ACCESS_LOAD, 32, 8},  {ACCESS_STORE, 1, 1},  {ACCESS_STORE, 2, 1}, {ACCESS_STORE, 4, 1},
        {ACCESS_STORE, 8, 2}, /* stores do not */
        {ACCESS_STORE, 16, 4}, {ACCESS_STORE, 32, 8},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        for (int says = 0; says < 2; says++) {
            Access access = strided(rows[i].kind, rows[i].bytes, 0, LANES_ALL);
            access.strided = says;
            const BankCount count = banks_count(&access);
            ck_assert_msg(count.wavefronts == rows[i].wavefronts && count.conflicts == 0,
                          "row %zu: %u wavefronts, %u conflicts", i, count.wavefronts, count.conflicts);
        }
    ck_assert_uint_eq(wavefronts(ACCESS_LOAD, 1, 1, LANES_ALL), 1); /* 8 words, 4 lanes each */
}
END_TEST

START_TEST(wide_elements_take_a_pass_for_each_half_or_quarter)
{
    Access access = strided(ACCESS_LOAD, 8, 8, LANES_ALL);
    BankCount count = banks_count(&access);
    ck_assert_uint_eq(count.wavefronts, 2);
    ck_assert_uint_eq(count.conflicts, 0);
    access = strided(ACCESS_LOAD, 16, 16, LANES_ALL);
    count = banks_count(&access);
    ck_assert_uint_eq(count.wavefronts, 4);
    ck_assert_uint_eq(count.conflicts, 0);
    ck_assert_uint_eq(wavefronts(ACCESS_LOAD, 8, 256, LANES_ALL), 32); /* all lanes in the first double bank */
    ck_assert_uint_eq(wavefronts(ACCESS_LOAD, 16, 32, LANES_ALL), 8);  /* a quarter's 8 lanes meet in 4 of 8 units: 2 each */
}
END_TEST

START_TEST(lanes_are_served_with_their_group)
{
    uint8_t wavefront[32];
    /* Doubles at stride 2: in each half-warp, lanes l and l + 8 meet in a pair of banks. Two wavefronts for each half, the lower lanes first. */
    Access access = strided(ACCESS_LOAD, 8, 16, LANES_ALL);
    ck_assert_uint_eq(banks_serve(&access, wavefront), 0xff00ff00);
    for (uint32_t l = 0; l < 32; l++) ck_assert_uint_eq(wavefront[l], l / 8);
    access = strided(ACCESS_STORE, 16, 16, 0xff00ff00); /* of the four quarters the second and the fourth */
    ck_assert_uint_eq(banks_serve(&access, wavefront), 0);
    for (uint32_t l = 8; l < 16; l++) ck_assert_uint_eq(wavefront[l], 0);
    for (uint32_t l = 24; l < 32; l++) ck_assert_uint_eq(wavefront[l], 1);
    access = strided(ACCESS_ATOMIC, 8, 0, 7); /* three compare-and-swaps of one number, two wavefronts each */
    access.service = SERVICE_SWAP;
    ck_assert_uint_eq(banks_serve(&access, wavefront), 6);
    for (uint32_t l = 0; l < 3; l++) ck_assert_uint_eq(wavefront[l], 2 * l);
}
END_TEST

START_TEST(atomics_take_a_turn_for_each_lane)
{
    ck_assert_uint_eq(wavefronts(ACCESS_ATOMIC, 4, 0, LANES_ALL), 32);
    ck_assert_uint_eq(wavefronts(ACCESS_REDUCTION, 4, 0, 0x55555555), 16);
    ck_assert_uint_eq(wavefronts(ACCESS_ATOMIC, 4, 4, LANES_ALL), 1);
    ck_assert_uint_eq(wavefronts(ACCESS_ATOMIC, 8, 8, LANES_ALL), 2); /* exchanges of an H100: two halves */
    ck_assert_uint_eq(wavefronts(ACCESS_ATOMIC, 8, 0, LANES_ALL), 32);
}
END_TEST

START_TEST(only_active_lanes_count)
{
    ck_assert_uint_eq(wavefronts(ACCESS_LOAD, 4, 128, 0x0000ffff), 16);
    ck_assert_uint_eq(wavefronts(ACCESS_LOAD, 4, 128, 0x80000000), 1);
    ck_assert_uint_eq(wavefronts(ACCESS_STORE, 8, 8, 0x0000ffff), 1); /* one half has no lane */
    ck_assert_uint_eq(wavefronts(ACCESS_STORE, 8, 8, 0x00010001), 2);
    ck_assert_uint_eq(wavefronts(ACCESS_STORE, 16, 16, 0x0000ff00), 1);
    ck_assert_uint_eq(wavefronts(ACCESS_STORE, 16, 16, 0x01010101), 4);
}
END_TEST

START_TEST(shortcuts_agree_with_the_rules)
{
    for (int round = 0; round < 40000; round++) {
        uint32_t bytes = 1u << next_random(6), shape = (uint32_t)next_random(9);
        Access access = strided((AccessKind)next_random(4), bytes, 0, random_mask());
        if (access.kind >= ACCESS_ATOMIC && bytes <= 8) access.service = (uint8_t)next_random(4);
        uint64_t stride = next_random(80), window = 1u << next_random(10), row[4];
        for (uint32_t i = 0; i < 4; i++) row[i] = next_random(i % 2 ? 4 : window) * (stride < 40 ? 8 : 1);
        for (uint64_t i = 0; i < 32; i++) {
            uint64_t index = 0;
            switch (shape) {
            case 0: index = i * stride + (window & 1); break;
            case 1: index = (31 - i) * stride; break;
            case 2: index = next_random(window); break;
            case 3: index = (i ^ (stride & 31)) + (window & 31) * 32; break; /* a swizzled row */
            case 4: index = (i >> (stride % 4)) * 3; break;                  /* runs of equal addresses */
            case 5: index = (i & ~(1u << stride % 3)) * window; break;       /* pairs at distance 1, 2 or 4 */
            case 6: index = i * stride + (i == 9); break;
            case 7: index = row[i / 8]; break;         /* a column of a tile of four rows */
            case 8: index = row[i / 8] + i % 8; break; /* those rows */
            }
            if (access.active >> i & 1) access.addr[i] = index * bytes;
        }
        char what[80];
        snprintf(what, sizeof what, "round %d: shape %u, %u bytes, mask %08x", round, shape, bytes, access.active);
        same_as_rules(&access, what);
    }
}
END_TEST

/* ldmatrix and stmatrix: each of 8, 16 or 32 lanes has a row of 16 bytes. */
START_TEST(rows_of_matrices_have_the_wavefronts_of_an_h100)
{
    FILE *file = fopen("tests/hardware/h100-fragments.csv", "r");
    char line[400], kernel[16];
    unsigned rows = 0;
    ck_assert_ptr_nonnull(file);
    ck_assert_ptr_nonnull(fgets(line, sizeof line, file));
    for (; fgets(line, sizeof line, file); rows++) {
        unsigned pitch, swizzled, loads, stores, counted[4];
        ck_assert_int_eq(sscanf(line, "%15[^,],%u,%u,%u,%u,%u,%u,%u,%u", kernel, &pitch, &swizzled, &loads, &stores,
                                &counted[0], &counted[1], &counted[2], &counted[3]),
                         9);
        const unsigned lanes = 8 * (unsigned)(kernel[3] - '0');
        Access access = strided(loads ? ACCESS_LOAD : ACCESS_STORE, 16, 0, lanes == WARP_LANES ? LANES_ALL : (1u << lanes) - 1);
        access.strided = access.eights = false;
        for (unsigned l = 0; l < lanes; l++) access.addr[l] = l % 8 * pitch + (swizzled ? (l / 8 ^ l % 8) % 8 : l / 8) * 16;
        const BankCount count = banks_count(&access);
        ck_assert_msg(count.wavefronts == counted[loads ? 0 : 2] && count.conflicts == counted[loads ? 1 : 3], "%s: %u, %u",
                      line, count.wavefronts, count.conflicts);
    }
    fclose(file);
    ck_assert_uint_eq(rows, 49);
}
END_TEST

SUITE("banks", every_h200_shared_pattern_has_the_measured_wavefronts,
      lane_masks_with_holes_and_atomics_have_the_measured_wavefronts, lanes_are_served_with_their_group,
      atomics_take_a_turn_for_each_lane, a_power_of_two_stride_conflicts_an_odd_one_does_not, a_broadcast_is_one_wavefront,
      wide_elements_take_a_pass_for_each_half_or_quarter, only_active_lanes_count, shortcuts_agree_with_the_rules,
      rows_of_matrices_have_the_wavefronts_of_an_h100)
