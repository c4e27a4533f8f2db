#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "oracle.h"

enum { LANES = 32 };

START_TEST(votes_over_a_whole_warp_are_right)
{
    enum { N = 150 };
    int32_t *in = random_ints(N, -2, 93, 1);
    uint32_t expected[N];
    for (int i = 0; i < N; i++) {
        uint32_t ballot = 0;
        int all = 1, any = 0;
        for (int lane = 0; lane < LANES; lane++) {
            int at = i / LANES * LANES + lane, v = at < N ? in[at] : 0;
            ballot |= (uint32_t)(v & 1) << lane;
            all &= v >= 0;
            any |= v > 90;
        }
        expected[i] = ballot ^ (uint32_t)(all << 3) ^ (uint32_t)(any << 4);
    }
    Run *run = run_new(_i, "warp.cu", "votes");
    run_input(run, in, N * 4);
    const void *out = run_output(run, sizeof expected);
    run_i32(run, N);
    run_launch(run, (Shape){2, 1, 1}, (Shape){96, 1, 1}, 0);
    run_equal(run, TYPE_u32, out, expected, N);
    run_free(run);
    free(in);
}
END_TEST

START_TEST(votes_of_the_active_lanes_are_right)
{
    int32_t *in = random_ints(LANES, 0, 60, 2);
    in[20] = 42;
    uint32_t expected[LANES], ballot = 0, low = 0;
    for (int i = 0; i < LANES; i++) {
        if (in[i] & 1) ballot |= (uint32_t)(in[i] >> 1 & 1) << i;
        if (!(in[i] & 1)) low += i < 16;
    }
    for (int i = 0; i < LANES; i++) expected[i] = in[i] & 1 ? ballot : i < 16 ? low : in[i] == 42 ? 7 : 1;
    Run *run = run_new(_i, "warp.cu", "votes_of_some");
    run_input(run, in, LANES * 4);
    const void *out = run_output(run, sizeof expected);
    run_launch(run, (Shape){1, 1, 1}, (Shape){LANES, 1, 1}, 0);
    run_equal(run, TYPE_u32, out, expected, LANES);
    run_free(run);
    free(in);
}
END_TEST

START_TEST(matches_are_right)
{
    for (int same = 0; same < 2; same++) {
        int32_t *in = random_ints(LANES, 3000, same ? 3004 : 4001, 3), expected_agree[LANES];
        if (!same) in[3] = 4000;
        uint32_t expected[96];
        for (int i = 0; i < LANES; i++) {
            expected[i] = 0;
            for (int j = 0; j < LANES; j++) expected[i] |= (uint32_t)(in[j] == in[i]) << j;
            expected[32 + i] = same ? 0xffffffff : 0;
            expected[64 + i] = expected[i];
            expected_agree[i] = same;
        }
        Run *run = run_new(_i, "warp.cu", "matches");
        run_input(run, in, LANES * 4);
        const void *out = run_output(run, sizeof expected);
        const int32_t *agree = run_output(run, sizeof expected_agree);
        run_launch(run, (Shape){1, 1, 1}, (Shape){LANES, 1, 1}, 0);
        run_equal(run, TYPE_u32, out, expected, 96);
        for (int i = 0; i < LANES; i++) ck_assert_int_eq(agree[i] != 0, expected_agree[i]);
        run_free(run);
        free(in);
    }
}
END_TEST

START_TEST(shuffles_of_every_kind_and_width_are_right)
{
    int32_t *in = random_ints(LANES, -1000000, 1000000, 4), expected[9 * LANES];
    for (int i = 0; i < LANES; i++) {
        const int from[9] = {
            5,
            i * 7 % 32,
            i >= 3 ? i - 3 : i,
            i + 9 < 32 ? i + 9 : i,
            i ^ 21,
            i / 8 * 8 + (i + 3) % 8,
            i % 4 ? i - 1 : i,
            i % 16 + 2 < 16 ? i + 2 : i,
            i ^ 1,
        };
        for (int k = 0; k < 9; k++) expected[k * LANES + i] = in[from[k]];
    }
    Run *run = run_new(_i, "warp.cu", "shuffles");
    run_input(run, in, LANES * 4);
    const void *out = run_output(run, sizeof expected);
    run_launch(run, (Shape){1, 1, 1}, (Shape){LANES, 1, 1}, 0);
    run_equal(run, TYPE_s32, out, expected, 9 * LANES);
    run_free(run);
    free(in);
}
END_TEST

START_TEST(shuffles_move_values_of_64_bits)
{
    double in[LANES], expected[3 * LANES];
    for (int i = 0; i < LANES; i++) in[i] = 1e10 / (i + 3) * (i % 2 ? -1 : 1);
    for (int i = 0; i < LANES; i++) {
        expected[i] = in[i ^ 1];
        expected[32 + i] = (double)(int64_t)in[i + 4 < 32 ? i + 4 : i];
        expected[64 + i] = (float)in[i >= 2 ? i - 2 : i];
    }
    Run *run = run_new(_i, "warp.cu", "shuffles_of_64_bits");
    run_input(run, in, sizeof in);
    const void *out = run_output(run, sizeof expected);
    run_launch(run, (Shape){1, 1, 1}, (Shape){LANES, 1, 1}, 0);
    run_equal(run, TYPE_f64, out, expected, 3 * LANES);
    run_free(run);
}
END_TEST

static int by_value(const void *a, const void *b) {
    int32_t x = *(const int32_t *)a, y = *(const int32_t *)b;
    return (x > y) - (x < y);
}

START_TEST(compaction_keeps_each_even_value_once)
{
    enum { N = 500 };
    int32_t *in = random_ints(N, 0, 9999, 5), kept[N], zero = 0, count = 0, *none = calloc(N, 4);
    for (int i = 0; i < N; i++)
        if (in[i] % 2 == 0) kept[count++] = in[i];
    Run *run = run_new(_i, "warp.cu", "compact");
    run_input(run, in, N * 4);
    int32_t *out = run_inout(run, none, N * 4);
    const void *counter = run_inout(run, &zero, 4);
    run_i32(run, N);
    run_launch(run, (Shape){4, 1, 1}, (Shape){128, 1, 1}, 0);
    run_equal(run, TYPE_s32, counter, &count, 1);
    qsort(kept, (size_t)count, 4, by_value);
    qsort(out, (size_t)count, 4, by_value);
    run_equal(run, TYPE_s32, out, kept, (uint64_t)count);
    run_free(run);
    free(in);
    free(none);
}
END_TEST

START_TEST(barriers_that_count_and_vote_are_right)
{
    static const int lengths[] = {1, 40, 77, 96};
    for (int l = 0; l < 4; l++) {
        int32_t *in = random_ints(96, 0, 100, 6 + (uint64_t)l), expected[96], count = 0, any = 0;
        if (l == 2) in[70] = 77;
        if (l == 3) in[5] = 1000; /* not all are below 1000 */
        for (int i = 0; i < lengths[l]; i++) {
            count += in[i] > 50;
            any |= in[i] == 77;
        }
        for (int i = 0; i < 96; i++) expected[i] = count * 4 + (l == 3 ? 0 : 2) + any;
        Run *run = run_new(_i, "warp.cu", "block_votes");
        run_input(run, in, (uint64_t)lengths[l] * 4);
        const void *out = run_output(run, sizeof expected);
        run_i32(run, lengths[l]);
        run_launch(run, (Shape){1, 1, 1}, (Shape){96, 1, 1}, 0);
        run_equal(run, TYPE_s32, out, expected, 96);
        run_free(run);
        free(in);
    }
}
END_TEST

START_TEST(named_barriers_order_producers_and_consumers)
{
    enum { ROUNDS = 5 };
    int32_t *in = random_ints(ROUNDS * 64, -1000, 1000, 7), expected[ROUNDS * 64];
    for (int i = 0; i < ROUNDS * 64; i++) expected[i] = in[i / 64 * 64 + 63 - i % 64] * 3;
    Run *run = run_new(_i, "warp.cu", "named_barriers");
    run_input(run, in, sizeof expected);
    const void *out = run_output(run, sizeof expected);
    run_i32(run, ROUNDS);
    run_launch(run, (Shape){1, 1, 1}, (Shape){128, 1, 1}, 0);
    run_equal(run, TYPE_s32, out, expected, ROUNDS * 64);
    run_free(run);
    free(in);
}
END_TEST

START_TEST(a_warp_that_spins_on_a_flag_lets_the_other_warp_run)
{
    int32_t expected = 1234;
    Run *run = run_new(_i, "warp.cu", "flag_between_warps");
    const void *out = run_output(run, 4);
    run_launch(run, (Shape){1, 1, 1}, (Shape){64, 1, 1}, 0);
    run_equal(run, TYPE_s32, out, &expected, 1);
    run_free(run);
}
END_TEST

START_TEST(atomics_of_every_kind_are_right)
{
    enum { N = 200 };
    int32_t *in = random_ints(N, -5000, 5000, 8), out[7] = {0, 0, INT32_MAX, INT32_MIN, -1, 0, 0};
    uint32_t wrap[4] = {0, 0, UINT32_MAX, 0}, before[4];
    uint64_t wide[3] = {0}, wide_before[3] = {0};
    int32_t out_before[7];
    memcpy(out_before, out, sizeof out);
    memcpy(before, wrap, sizeof wrap);
    for (int i = 0; i < N; i++) {
        int32_t v = in[i];
        uint32_t u = (uint32_t)v;
        out[0] += v;
        out[1] -= v;
        out[2] = v < out[2] ? v : out[2];
        out[3] = v > out[3] ? v : out[3];
        out[4] &= v | 0xff00;
        out[5] |= v;
        out[6] ^= v;
        wrap[2] = u < wrap[2] ? u : wrap[2];
        wrap[3] = u > wrap[3] ? u : wrap[3];
        wide[0] += (uint64_t)v << 20;
        wide[1] = u > wide[1] ? u : wide[1];
        wide[2] ^= (uint64_t)u << 7;
    }
    wrap[0] = N % 11;             /* 0, 1, … 10, 0, … */
    wrap[1] = (11 - N % 11) % 11; /* 0, 10, 9, … 0, 10, … */
    Run *run = run_new(_i, "warp.cu", "atomics");
    const void *got_out = run_inout(run, out_before, sizeof out), *got_wrap = run_inout(run, before, sizeof before);
    const void *got_wide = run_inout(run, wide_before, sizeof wide);
    run_input(run, in, N * 4);
    run_i32(run, N);
    run_launch(run, (Shape){2, 1, 1}, (Shape){128, 1, 1}, 0);
    run_equal(run, TYPE_s32, got_out, out, 7);
    run_equal(run, TYPE_u32, got_wrap, wrap, 4);
    run_equal(run, TYPE_u64, got_wide, wide, 3);
    run_free(run);
    free(in);
}
END_TEST

START_TEST(atomics_on_floats_are_right)
{
    enum { N = 200 };
    float *in = random_whole_floats(N, -50, 5000, 9), sum = 0, zero = 0, most = -1e30f, least = -1e30f;
    double wide = 0, wide_zero = 0;
    for (int i = 0; i < N; i++) {
        sum += in[i];
        wide += in[i] * 0.5;
        most = fmaxf(most, in[i]);
    }
    Run *run = run_new(_i, "warp.cu", "atomics_on_floats");
    const void *got_sum = run_inout(run, &zero, 4), *got_wide = run_inout(run, &wide_zero, 8),
               *got_most = run_inout(run, &least, 4);
    run_input(run, in, N * 4);
    run_i32(run, N);
    run_launch(run, (Shape){2, 1, 1}, (Shape){128, 1, 1}, 0);
    run_equal(run, TYPE_f32, got_sum, &sum, 1);
    run_equal(run, TYPE_f64, got_wide, &wide, 1);
    run_equal(run, TYPE_f32, got_most, &most, 1);
    run_free(run);
    free(in);
}
END_TEST

START_TEST(atomic_exchange_hands_each_value_on_once)
{
    enum { N = 300 };
    int32_t none = -1, seen[N] = {0};
    Run *run = run_new(_i, "warp.cu", "linked_list");
    const int32_t *head = run_inout(run, &none, 4), *next = run_output(run, N * 4);
    run_i32(run, N);
    run_launch(run, (Shape){3, 1, 1}, (Shape){128, 1, 1}, 0);
    int length = 0;
    for (int at = *head; at != -1; at = next[at], length++) {
        ck_assert_msg(at >= 0 && at < N && !seen[at], "element %d of the list is %d", length, at);
        seen[at] = 1;
    }
    ck_assert_int_eq(length, N);
    run_free(run);
}
END_TEST

START_TEST(atomics_aggregated_by_matching_keys_are_right)
{
    enum { N = 333, KEYS = 9 };
    int32_t *keys = random_ints(N, 0, KEYS - 1, 10), counts[KEYS] = {0}, zero[KEYS] = {0};
    for (int i = 0; i < N; i++) counts[keys[i]]++;
    Run *run = run_new(_i, "warp.cu", "aggregated");
    run_input(run, keys, N * 4);
    const void *out = run_inout(run, zero, sizeof zero);
    run_i32(run, N);
    run_launch(run, (Shape){3, 1, 1}, (Shape){128, 1, 1}, 0);
    run_equal(run, TYPE_s32, out, counts, KEYS);
    run_free(run);
    free(keys);
}
END_TEST

START_TEST(values_pass_from_warp_to_warp_through_barriers)
{
    /* 7; 7 * 3 + 1; 22 * 3 + 2; 68 * 3 + 3 */
    static const int32_t expected[4] = {7, 22, 68, 207};
    Run *run = run_new(_i, "warp.cu", "relay");
    const void *out = run_output(run, sizeof expected);
    run_launch(run, (Shape){1, 1, 1}, (Shape){128, 1, 1}, 0);
    run_equal(run, TYPE_s32, out, expected, 4);
    run_free(run);
}
END_TEST

START_TEST(what_one_thread_writes_before_a_barrier_all_read_after_it)
{
    enum { ROUNDS = 5, THREADS = 40 };
    int32_t *in = random_ints(ROUNDS, -1000, 1000, 11), expected[ROUNDS * THREADS];
    for (int i = 0; i < ROUNDS * THREADS; i++) expected[i] = in[i / THREADS];
    Run *run = run_new(_i, "warp.cu", "thread_tells_all");
    run_input(run, in, ROUNDS * 4);
    const void *out = run_output(run, sizeof expected);
    run_i32(run, ROUNDS);
    run_launch(run, (Shape){1, 1, 1}, (Shape){THREADS, 1, 1}, 0);
    run_equal(run, TYPE_s32, out, expected, ROUNDS * THREADS);
    run_free(run);
    free(in);
}
END_TEST

START_TEST(cooperative_groups_add_up_their_tiles)
{
    enum { N = 192 };
    int32_t *in = random_ints(N, -1000, 1000, 12), expected[2 * N] = {0};
    for (int i = 0; i < N; i++) {
        for (int j = 0; j < 32; j++) expected[2 * i] += in[i / 32 * 32 + j];
        for (int j = 0; j < 8; j++) expected[2 * i + 1] += in[i / 8 * 8 + j];
    }
    Run *run = run_new(_i, "warp.cu", "sums_of_tiles");
    run_input(run, in, N * 4);
    const void *out = run_output(run, sizeof expected);
    run_launch(run, (Shape){2, 1, 1}, (Shape){N / 2, 1, 1}, 0);
    run_equal(run, TYPE_s32, out, expected, 2 * N);
    run_free(run);
    free(in);
}
END_TEST

START_TEST(special_registers_number_lanes_and_warps)
{
    enum { N = 5 * 3 * 4 };
    uint32_t expected[4 * N];
    for (uint32_t i = 0; i < N; i++) {
        uint32_t lane = i % 32;
        const uint32_t row[4] = {lane, i / 32, (UINT32_C(1) << lane) - 1, UINT32_MAX << lane};
        memcpy(expected + 4 * i, row, sizeof row);
    }
    Run *run = run_new(_i, "warp.cu", "special_registers");
    const void *out = run_output(run, sizeof expected);
    run_launch(run, (Shape){1, 1, 1}, (Shape){5, 3, 4}, 0);
    run_equal(run, TYPE_u32, out, expected, 4 * N);
    run_free(run);
}
END_TEST

void add_warps(Suite *suite) {
    TCase *tcase = tcase_create("warps");
    oracle_add(tcase, votes_over_a_whole_warp_are_right);
    oracle_add(tcase, votes_of_the_active_lanes_are_right);
    oracle_add(tcase, matches_are_right);
    oracle_add(tcase, shuffles_of_every_kind_and_width_are_right);
    oracle_add(tcase, shuffles_move_values_of_64_bits);
    oracle_add(tcase, compaction_keeps_each_even_value_once);
    oracle_add(tcase, barriers_that_count_and_vote_are_right);
    oracle_add(tcase, named_barriers_order_producers_and_consumers);
    oracle_add(tcase, a_warp_that_spins_on_a_flag_lets_the_other_warp_run);
    oracle_add(tcase, atomics_of_every_kind_are_right);
    oracle_add(tcase, atomics_on_floats_are_right);
    oracle_add(tcase, atomic_exchange_hands_each_value_on_once);
    oracle_add(tcase, atomics_aggregated_by_matching_keys_are_right);
    oracle_add(tcase, values_pass_from_warp_to_warp_through_barriers);
    oracle_add(tcase, what_one_thread_writes_before_a_barrier_all_read_after_it);
    oracle_add(tcase, cooperative_groups_add_up_their_tiles);
    oracle_add(tcase, special_registers_number_lanes_and_warps);
    suite_add_tcase(suite, tcase);
}
