#include <stdlib.h>
#include <string.h>

#include "oracle.h"

START_TEST(a_grid_that_meets_after_each_round_sees_all_of_it)
{
    enum { N = 5000, BLOCKS = 11, TIMES = 9 };
    int32_t *a = random_ints(N, -9, 9, 1), *b = random_ints(N, 0, 0, 2), *in = malloc(N * 4), *out = malloc(N * 4);
    memcpy(in, a, N * 4);
    for (int r = 0; r < TIMES; r++) {
        for (int i = 0; i < N; i++) out[i] = in[(i + 1) % N] + in[(i + N - 1) % N];
        int32_t *other = in;
        in = out;
        out = other;
    }
    Run *run = run_new(_i, "groups.cu", "rounds");
    run_cooperative(run);
    const void *even = run_inout(run, a, N * 4), *odd = run_inout(run, b, N * 4);
    run_i32(run, N);
    run_i32(run, TIMES);
    const LaunchResult *result = run_launch(run, (Shape){BLOCKS, 1, 1}, (Shape){96, 1, 1}, 0);
    run_equal(run, TYPE_s32, TIMES % 2 ? odd : even, in, N);
    /* Thread 0 of each block adds to the barrier's word once a round, and nothing else is atomic. */
    ck_assert_uint_eq(result->counters->global[COUNTER_ATOMIC].requests, TIMES * BLOCKS);
    run_free(run);
    free(a);
    free(b);
    free(in);
    free(out);
}
END_TEST

START_TEST(blocks_may_work_between_arriving_and_waiting)
{
    enum { N = 7 * 64 };
    int32_t expected[N];
    for (int i = 0; i < N; i++) expected[i] = i + 100 + (i + 77) % N * 3;
    Run *run = run_new(_i, "groups.cu", "arrive_and_wait");
    run_cooperative(run);
    run_output(run, sizeof expected);
    const void *b = run_output(run, sizeof expected);
    run_i32(run, N);
    run_launch(run, (Shape){7, 1, 1}, (Shape){64, 1, 1}, 0);
    run_equal(run, TYPE_s32, b, expected, N);
    run_free(run);
}
END_TEST

START_TEST(a_block_that_leaves_keeps_the_grid_waiting)
{
    Run *run = run_new(_i, "groups.cu", "one_block_leaves");
    run_cooperative(run);
    run_output(run, 8 * 40 * 4);
    const Fault *fault = run_fault(run, (Shape){8, 1, 1}, (Shape){40, 1, 1}, 0, FAULT_deadlock, NULL);
    ck_assert_str_eq(fault->message, "blocks 0-2, 4-7 wait at the grid's barrier, but block 3 ended without reaching it");
    run_free(run);
}
END_TEST

START_TEST(a_grid_is_no_group_in_an_ordinary_launch)
{
    Run *run = run_new(_i, "groups.cu", "one_block_leaves");
    run_output(run, 8 * 40 * 4);
    const Fault *fault = run_fault(run, (Shape){8, 1, 1}, (Shape){40, 1, 1}, 0, FAULT_trap, NULL);
    ck_assert_ptr_nonnull(strstr(fault->hint, "needs a cooperative launch"));
    run_free(run);
}
END_TEST

START_TEST(a_grid_knows_its_ranks)
{
    /* Blocks 4 x 3 x 5 of threads 8 x 4 x 2. Block (2,1,3) is number 3 * 12 + 1 * 4 + 2 = 42, its thread (4,2,0) number 2 * 8 + 4 = 20 of
     * 64, so 42 * 64 + 20 = 2708 of all; it is thread (2*8+4, 1*4+2, 3*2) = (20, 6, 6) of the grid's. */
    const uint64_t expected[9] = {1, 60 * 64, 60, 60 * 64, 435, 32 * 10000 + 12 * 100 + 10, 42, 2708, 200606};
    Run *run = run_new(_i, "groups.cu", "ranks");
    run_cooperative(run);
    const void *out = run_output(run, sizeof expected);
    run_launch(run, (Shape){4, 3, 5}, (Shape){8, 4, 2}, 0);
    run_equal(run, TYPE_u64, out, expected, 9);
    run_free(run);
}
END_TEST

void add_groups(Suite *suite) {
    TCase *tcase = tcase_create("cooperative groups");
    oracle_add(tcase, a_grid_that_meets_after_each_round_sees_all_of_it);
    oracle_add(tcase, blocks_may_work_between_arriving_and_waiting);
    oracle_add(tcase, a_block_that_leaves_keeps_the_grid_waiting);
    oracle_add(tcase, a_grid_is_no_group_in_an_ordinary_launch);
    oracle_add(tcase, a_grid_knows_its_ranks);
    suite_add_tcase(suite, tcase);
}
