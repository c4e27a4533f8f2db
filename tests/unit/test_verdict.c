/* Sentences about one access: the whole sentence, since a learner reads the whole of it. */
#include "handmade.h"
#include "report/pattern.h"
#include "report/verdict.h"
#include "suite.h"

/* The sentence, valid until the next one. */
static const char *sentence(Sample sample) {
    static char copy[400];
    Text text = {0};
    if (!sample.cost) fill_cost(&sample);
    bool fine = verdict_sentence(&sample, &text);
    snprintf(copy, sizeof copy, "%s", text_string(&text));
    ck_assert_int_eq(fine, strstr(copy, "would do") == NULL);
    text_free(&text);
    return copy;
}

static const char *global(uint32_t bytes, int64_t stride, uint64_t offset, uint32_t active) {
    return sentence(strided(SPACE_GLOBAL, ACCESS_LOAD, bytes, stride, offset, active));
}

static const char *shared(AccessKind kind, uint32_t bytes, int64_t stride) {
    return sentence(strided(SPACE_SHARED, kind, bytes, stride, 0, LANES_ALL));
}

START_TEST(contiguous_lanes_are_fine)
{
    /* 32 lanes x 4 bytes = 128 bytes = 4 sectors */
    ck_assert_str_eq(global(4, 4, 0, LANES_ALL), "fine: 4 sectors a request, the fewest that hold its 128 bytes");
    ck_assert_str_eq(global(16, 16, 0, LANES_ALL), "fine: 16 sectors a request, the fewest that hold its 512 bytes");
    ck_assert_str_eq(global(4, -4, 124, LANES_ALL), "fine: 4 sectors a request, the fewest that hold its 128 bytes");
}
END_TEST

START_TEST(a_shifted_warp_is_told_how_far_it_is_off)
{
    /* bytes 4 to 131 lie in sectors 0 to 4 */
    ck_assert_str_eq(global(4, 4, 4, LANES_ALL),
                     "5 sectors a request, 4 would do: the first byte is 4 past a 32-byte boundary");
    /* bytes 24 to 279 lie in sectors 0 to 8; 256 bytes would fit in 8 */
    ck_assert_str_eq(global(8, 8, 24, LANES_ALL),
                     "9 sectors a request, 8 would do: the first byte is 24 past a 32-byte boundary");
}
END_TEST

START_TEST(strided_lanes_are_told_their_distance)
{
    /* 32 x 8 bytes = 256 bytes spanned = 8 sectors */
    ck_assert_str_eq(global(4, 8, 0, LANES_ALL), "8 sectors a request, 4 would do: lanes are 8 bytes apart and use 4 of them");
    ck_assert_str_eq(global(4, 4096, 0, LANES_ALL), "32 sectors a request, 4 would do: lanes are 4096 bytes apart");
    ck_assert_str_eq(global(4, 40000, 0, LANES_ALL), "32 sectors a request, 4 would do: lanes are 40,000 bytes apart");
    ck_assert_str_eq(global(4, -128, 8192, LANES_ALL), "32 sectors a request, 4 would do: lanes are 128 bytes apart");
}
END_TEST

START_TEST(lanes_of_one_address_are_said_to_share_it)
{
    ck_assert_str_eq(global(4, 0, 8, LANES_ALL), "fine: every lane reads the same address: 1 sector");
    ck_assert_str_eq(global(4, 0, 8, 0xff), "fine: every active lane reads the same address: 1 sector");
    ck_assert_str_eq(sentence(strided(SPACE_GLOBAL, ACCESS_STORE, 4, 0, 0, LANES_ALL)),
                     "fine: every lane writes the same address: 1 sector");
    ck_assert_str_eq(global(4, 0, 8, 1), "fine: one lane reads 4 bytes: 1 sector");
    ck_assert_str_eq(global(1, 0, 8, 1u << 31), "fine: one lane reads 1 byte: 1 sector");
}
END_TEST

START_TEST(atomics_on_one_address_are_serialised)
{
    /* 32 lanes, each with the sector in a turn of its own */
    ck_assert_str_eq(sentence(strided(SPACE_GLOBAL, ACCESS_REDUCTION, 4, 0, 0, LANES_ALL)),
                     "32 sectors a request, 1 would do: every lane updates the same address, in turn");
    Sample pairs = in_runs(SPACE_GLOBAL, 2, 0, 4, 0);
    pairs.access.kind = ACCESS_ATOMIC;
    /* 16 words = 2 sectors, twice */
    ck_assert_str_eq(sentence(pairs), "4 sectors a request, 2 would do: up to 2 lanes update the same address, in turn");
    pairs = in_runs(SPACE_GLOBAL, 2, 0, 64, 0);
    pairs.access.kind = ACCESS_ATOMIC;
    /* 16 words in 16 sectors, twice */
    ck_assert_str_eq(sentence(pairs),
                     "32 sectors a request, 2 would do: each pair of lanes uses the same 4 bytes, the next 2 are 64 "
                     "bytes away, and up to 2 lanes update the same address, in turn");
    ck_assert_str_eq(sentence(strided(SPACE_GLOBAL, ACCESS_ATOMIC, 4, 4, 0, LANES_ALL)),
                     "fine: 4 sectors a request, the fewest that hold its 128 bytes");
}
END_TEST

START_TEST(runs_of_lanes_are_named)
{
    /* 16 pairs, each in a sector of its own; 16 x 4 = 64 distinct bytes = 2 sectors */
    ck_assert_str_eq(
        sentence(in_runs(SPACE_GLOBAL, 2, 0, 4096, 0)),
        "16 sectors a request, 2 would do: each pair of lanes uses the same 4 bytes, the next 2 are 4096 bytes away");
    ck_assert_str_eq(sentence(in_runs(SPACE_GLOBAL, 8, 0, 64, 0)),
                     "4 sectors a request, 1 would do: every 8 lanes use the same 4 bytes, the next 8 are 64 bytes away");
    /* 4 runs of 32 bytes, each shifted by 4: two sectors each */
    ck_assert_str_eq(sentence(in_runs(SPACE_GLOBAL, 8, 4, 4096, 4)),
                     "8 sectors a request, 4 would do: runs of 8 lanes start 4 bytes past a 32-byte boundary");
    /* 8 runs of 16 bytes */
    ck_assert_str_eq(sentence(in_runs(SPACE_GLOBAL, 4, 4, 4096, 0)),
                     "8 sectors a request, 4 would do: runs of 4 lanes are 4096 bytes apart");
    /* a 4 x 8 piece of a column-major matrix: 4 columns of 8 neighbouring elements, 32 bytes each */
    ck_assert_str_eq(sentence(in_runs(SPACE_GLOBAL, 4, 1024, 4, 0)),
                     "fine: 4 sectors a request, the fewest that hold its 128 bytes");
}
END_TEST

/* Pairs of neighbouring floats, 1000 bytes apart: three pairs are six lanes, the fewest of which a rule is told. */
START_TEST(a_few_lanes_are_no_runs)
{
    Access access = {.bytes = 4, .active = 0x3f};
    for (uint32_t i = 0; i < 6; i++) access.addr[i] = 4096 + i / 2 * 1000 + i % 2 * 4;
    Pattern pattern = pattern_find(&access);
    ck_assert_int_eq(pattern.kind, PATTERN_RUNS);
    ck_assert_uint_eq(pattern.run, 2);
    ck_assert_int_eq(pattern.stride, 4);
    ck_assert_int_eq(pattern.jump, 1000);
    access.active = 0x1f;
    ck_assert_int_eq(pattern_find(&access).kind, PATTERN_SCATTERED);
}
END_TEST

START_TEST(lanes_without_a_rule_are_scattered)
{
    Sample sample = strided(SPACE_GLOBAL, ACCESS_LOAD, 4, 0, 0, LANES_ALL);
    /* squares: 0, 1, 4, ... 961 times 64 bytes, all in sectors of their own; the last byte is 961 * 64 + 3 */
    for (uint32_t i = 0; i < WARP_LANES; i++) sample.access.addr[i] += i * i * 64;
    ck_assert_str_eq(sentence(sample), "32 sectors a request, 4 would do: the addresses are scattered over 61,508 bytes");
    /* every other lane 5 bytes further: no whole number from lane to lane */
    Sample halves = strided(SPACE_GLOBAL, ACCESS_LOAD, 1, 0, 0, 0x55555555);
    for (uint32_t i = 0; i < WARP_LANES; i += 2) halves.access.addr[i] += 5 * i / 2;
    ck_assert_str_eq(sentence(halves), "3 sectors a request, 1 would do: the addresses are scattered over 76 bytes");
}
END_TEST

START_TEST(lanes_that_take_no_part_are_blamed_for_gaps)
{
    /* every other lane of a contiguous warp: 64 bytes used of 4 sectors; as a rule lanes are still 4 bytes apart */
    ck_assert_str_eq(global(4, 4, 0, 0x55555555),
                     "4 sectors a request, 2 would do: inactive lanes leave gaps between the bytes used");
    ck_assert_str_eq(global(4, 4, 0, 0xffff), "fine: 2 sectors a request, the fewest that hold its 64 bytes");
}
END_TEST

START_TEST(whole_lines_are_blamed_on_the_device)
{
    /* compute capability 2.x: one float costs its whole 128-byte line, counted as 4 sectors */
    Sample sample = strided(SPACE_GLOBAL, ACCESS_LOAD, 4, 0, 0, 1);
    sample.cost = 4;
    ck_assert_str_eq(sentence(sample), "4 sectors a request, 1 would do: lines of 128 bytes are moved whole");
    sample = strided(SPACE_GLOBAL, ACCESS_LOAD, 4, 256, 0, LANES_ALL);
    sample.cost = 128;
    ck_assert_str_eq(sentence(sample),
                     "128 sectors a request, 4 would do: lines of 128 bytes are moved whole, and lanes are 256 "
                     "bytes apart");
}
END_TEST

START_TEST(local_memory_is_explained_by_its_interleaving)
{
    /* word w of lane l at (w * 32 + l) * 4: 8 bytes a lane are two rows of 128 bytes */
    ck_assert_str_eq(sentence(strided(SPACE_LOCAL, ACCESS_LOAD, 8, 4, 0, LANES_ALL)),
                     "fine: 8 sectors in 2 requests, the fewest that hold its 256 bytes");
    /* lane l uses element l: rows l * 128, one lane in each */
    ck_assert_str_eq(
        sentence(strided(SPACE_LOCAL, ACCESS_LOAD, 4, 132, 0, LANES_ALL)),
        "32 sectors a request, 4 would do: the lanes use different elements of local memory, which is interleaved, 4 "
        "bytes a lane");
    /* 4 lanes x 8 bytes = 32 bytes, in two rows */
    ck_assert_str_eq(
        sentence(strided(SPACE_LOCAL, ACCESS_LOAD, 8, 4, 0, 0xf)),
        "2 sectors in 2 requests, 1 would do: local memory is interleaved, 4 bytes a lane, and not all lanes are active");
}
END_TEST

START_TEST(bank_conflicts_are_told_by_bank)
{
    ck_assert_str_eq(shared(ACCESS_LOAD, 4, 4), "fine: 1 wavefront a request, the fewest possible");
    ck_assert_str_eq(shared(ACCESS_LOAD, 4, 132), "fine: 1 wavefront a request, the fewest possible");
    ck_assert_str_eq(shared(ACCESS_LOAD, 4, 128),
                     "32 wavefronts a request, 1 would do: lanes are 128 bytes apart, all in bank 0");
    /* stride of 2 words: lanes i and i + 16 are 32 words apart */
    ck_assert_str_eq(shared(ACCESS_STORE, 4, 8),
                     "2 wavefronts a request, 1 would do: lanes are 8 bytes apart, so that 2 of them meet in bank 0");
    ck_assert_str_eq(shared(ACCESS_LOAD, 4, 0), "fine: every lane reads the same address: 1 wavefront");
    /* pairs of lanes in words 0, 33, 66, ...: as if 16 lanes went a bank further each */
    ck_assert_str_eq(sentence(in_runs(SPACE_SHARED, 2, 0, 132, 0)), "fine: 1 wavefront a request, the fewest possible");
    /* runs of 8 lanes, 128 bytes apart: lanes 0, 8, 16, 24 want words 0, 32, 64, 96 of bank 0 */
    ck_assert_str_eq(sentence(in_runs(SPACE_SHARED, 8, 4, 128, 0)),
                     "4 wavefronts a request, 1 would do: lanes 0, 8, 16, 24 want 4 different words of bank 0");
}
END_TEST

/* Of three lanes, words 0, 16 and 32: bank 16 is used in the first wavefront alone. */
START_TEST(a_few_lanes_meet_in_one_of_their_banks)
{
    ck_assert_str_eq(sentence(strided(SPACE_SHARED, ACCESS_LOAD, 4, 64, 0, 7)),
                     "2 wavefronts a request, 1 would do: lanes are 64 bytes apart, so that 2 of them meet in bank 0");
}
END_TEST

START_TEST(wide_elements_are_served_in_parts_of_the_warp)
{
    ck_assert_str_eq(shared(ACCESS_LOAD, 8, 8), "fine: 2 wavefronts a request, the fewest for 8-byte elements");
    ck_assert_str_eq(shared(ACCESS_LOAD, 16, 16), "fine: 4 wavefronts a request, the fewest for 16-byte elements");
    /* 16 bytes apart: in each half-warp lanes i and i + 8 are 128 bytes apart */
    ck_assert_str_eq(
        shared(ACCESS_STORE, 8, 16),
        "4 wavefronts a request, 2 would do: lanes are 16 bytes apart, so that 2 of each half-warp meet in bank 0");
    ck_assert_str_eq(shared(ACCESS_STORE, 16, 128),
                     "32 wavefronts a request, 4 would do: lanes are 128 bytes apart, all in banks 0 to 3");
}
END_TEST

START_TEST(shared_atomics_are_serialised)
{
    ck_assert_str_eq(shared(ACCESS_ATOMIC, 4, 0),
                     "32 wavefronts a request, 1 would do: every lane updates the same address, in turn");
    ck_assert_str_eq(shared(ACCESS_ATOMIC, 4, 4), "fine: 1 wavefront a request, the fewest possible");
    Sample quads = in_runs(SPACE_SHARED, 4, 0, 4, 0);
    quads.access.kind = ACCESS_ATOMIC;
    ck_assert_str_eq(sentence(quads), "4 wavefronts a request, 1 would do: lanes 0-3 update words of bank 0, in turn");
    /* 8 bytes: a wavefront for each of 16 lanes of each half-warp; of a compare-and-swap two */
    ck_assert_str_eq(shared(ACCESS_REDUCTION, 8, 0),
                     "32 wavefronts a request, 2 would do: every lane updates the same address, in turn");
    Sample swap = strided(SPACE_SHARED, ACCESS_ATOMIC, 8, 0, 0, LANES_ALL);
    swap.access.service = SERVICE_SWAP;
    ck_assert_str_eq(sentence(swap), "64 wavefronts a request, 4 would do: every lane updates the same address, in turn");
}
END_TEST

SUITE_WITH("verdict", setup, teardown, contiguous_lanes_are_fine, a_shifted_warp_is_told_how_far_it_is_off,
           strided_lanes_are_told_their_distance, lanes_of_one_address_are_said_to_share_it,
           atomics_on_one_address_are_serialised, runs_of_lanes_are_named, a_few_lanes_are_no_runs,
           lanes_without_a_rule_are_scattered, lanes_that_take_no_part_are_blamed_for_gaps,
           whole_lines_are_blamed_on_the_device, local_memory_is_explained_by_its_interleaving, bank_conflicts_are_told_by_bank,
           a_few_lanes_meet_in_one_of_their_banks, wide_elements_are_served_in_parts_of_the_warp, shared_atomics_are_serialised)
