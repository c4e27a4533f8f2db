#include <string.h>

#include "oracle.h"

START_TEST(printf_writes_in_order_of_blocks)
{
    Run *run = run_new(_i, "text.cu", "says");
    run_i32(run, 6);
    const LaunchResult *result = run_launch(run, (Shape){2, 1, 1}, (Shape){4, 1, 1}, 0);
    ck_assert_str_eq(text_string(&result->output), "block 0 thread 0:  0.00 word a 1099511627776 0%\n"
                                                   "block 0 thread 1:  0.25 word b 1099511627776 1%\n"
                                                   "block 0 thread 2:  0.50 word c 1099511627776 2%\n"
                                                   "block 0 thread 3:  0.75 word d 1099511627776 3%\n"
                                                   "block 1 thread 0:  1.00 word e 1099511627776 4%\n"
                                                   "block 1 thread 1:  1.25 word f 1099511627776 5%\n");
    run_free(run);
    run = run_new(_i, "text.cu", "says_nothing_special");
    ck_assert_str_eq(text_string(&run_launch(run, (Shape){1, 1, 1}, (Shape){2, 1, 1}, 0)->output), "plain\nplain\n");
    run_free(run);
}
END_TEST

static const int32_t zeroes[128];

/* The output buffer is 64 ints, the input as many as said. */
static const Fault *fault_of(Run *run, uint32_t threads, FaultKind kind, const char *line_text) {
    return run_fault(run, (Shape){1, 1, 1}, (Shape){threads, 1, 1}, 0, kind, line_text);
}

START_TEST(a_failing_assert_names_itself)
{
    int32_t in[32] = {0};
    in[17] = 5;
    Run *run = run_new(_i, "text.cu", "asserts");
    run_input(run, in, sizeof in);
    run_i32(run, 5);
    const Fault *fault = fault_of(run, 32, FAULT_assert_failed, NULL);
    ck_assert_msg(strstr(fault->message, "in[threadIdx.x] < limit"), "%s", fault->message);
    ck_assert_msg(strstr(fault->message, "text.cu"), "%s", fault->message);
    ck_assert_uint_eq(fault->thread[0], 17);
    run_free(run);
    run = run_new(_i, "text.cu", "asserts");
    run_input(run, in, sizeof in);
    run_i32(run, 6);
    run_launch(run, (Shape){1, 1, 1}, (Shape){32, 1, 1}, 0);
    run_free(run);
}
END_TEST

START_TEST(a_trap_ends_the_launch)
{
    Run *run = run_new(_i, "text.cu", "traps");
    run_i32(run, 40);
    const Fault *fault = fault_of(run, 64, FAULT_trap, "__trap()");
    ck_assert_uint_eq(fault->thread[0], 40);
    run_free(run);
}
END_TEST

START_TEST(a_read_past_the_end_names_lane_line_and_buffer)
{
    Run *run = run_new(_i, "text.cu", "reads_past_the_end");
    run_input(run, zeroes, 64 * 4);
    run_output(run, 64 * 4);
    const Fault *fault = fault_of(run, 64, FAULT_out_of_bounds, "in[threadIdx.x + 1]");
    ck_assert_uint_eq(fault->thread[0], 63);
    ck_assert_uint_eq(fault->lane, 31);
    ck_assert_msg(strstr(fault->message, "argument 0"), "%s", fault->message);
    run_free(run);
}
END_TEST

START_TEST(a_null_pointer_is_out_of_bounds)
{
    Run *run = run_new(_i, "text.cu", "reads_null");
    run_u64(run, 0);
    run_output(run, 64 * 4);
    fault_of(run, 32, FAULT_out_of_bounds, "in[threadIdx.x]");
    run_free(run);
}
END_TEST

START_TEST(a_misaligned_read_is_refused)
{
    Run *run = run_new(_i, "text.cu", "misaligned");
    run_input(run, zeroes, sizeof zeroes);
    run_output(run, 64 * 4);
    fault_of(run, 32, FAULT_misaligned, "*(const int *)");
    run_free(run);
}
END_TEST

START_TEST(memory_that_nobody_wrote_is_not_read)
{
    Run *run = run_new(_i, "text.cu", "reads_unwritten");
    run_output(run, 64 * 4);
    run_output(run, 64 * 4);
    const Fault *fault = fault_of(run, 32, FAULT_uninitialized, "in[threadIdx.x] + 1");
    ck_assert_msg(strstr(fault->message, "argument 0"), "%s", fault->message);
    run_free(run);
}
END_TEST

START_TEST(a_missing_barrier_before_a_read_is_a_race)
{
    /* Whichever warp comes first reads what is not there yet: unwritten memory to the machine, a missing barrier to the learner. */
    Run *run = run_new(_i, "text.cu", "misses_a_barrier");
    run_output(run, 64 * 4);
    const Fault *fault = fault_of(run, 64, FAULT_shared_race, "box[63 - threadIdx.x]");
    ck_assert_msg(strstr(fault->message, "__syncthreads()"), "%s", fault->message);
    run_free(run);
}
END_TEST

START_TEST(a_missing_barrier_before_a_write_is_a_race)
{
    Run *run = run_new(_i, "text.cu", "misses_the_second_barrier");
    run_output(run, 64 * 4);
    const Fault *fault = fault_of(run, 64, FAULT_shared_race, "box[");
    ck_assert_uint_ne(fault->other_pc, NO_INSN);
    run_free(run);
}
END_TEST

START_TEST(blocks_that_write_the_same_word_race)
{
    Run *run = run_new(_i, "text.cu", "blocks_race");
    run_output(run, 4);
    run_fault(run, (Shape){2, 1, 1}, (Shape){1, 1, 1}, 0, FAULT_global_race, "*out = blockIdx.x");
    run_free(run);
}
END_TEST

/* The other warp writes and ends: a barrier waits for those alone that have not exited. */
START_TEST(a_barrier_in_a_branch_that_only_some_warps_take_is_one_of_those)
{
    int32_t expected[64];
    for (int i = 0; i < 64; i++) expected[i] = i < 32 ? 31 - i : i;
    Run *run = run_new(_i, "text.cu", "parts_at_a_barrier");
    const void *out = run_output(run, sizeof expected);
    run_launch(run, (Shape){1, 1, 1}, (Shape){64, 1, 1}, 0);
    run_equal(run, TYPE_s32, out, expected, 64);
    run_free(run);
}
END_TEST

START_TEST(an_endless_loop_ends_at_the_step_limit)
{
    Run *run = run_new(_i, "text.cu", "never_ends");
    run_inout(run, zeroes, 8);
    run_limit_steps(run, 100000);
    fault_of(run, 32, FAULT_step_limit, "while (in[0] == 0)");
    run_free(run);
}
END_TEST

START_TEST(a_wait_for_what_nobody_does_is_a_deadlock)
{
    Run *run = run_new(_i, "text.cu", "waits_for_ever");
    run_input(run, zeroes, 4);
    fault_of(run, 32, FAULT_deadlock, "while (in[0] == 0) {}");
    run_free(run);
}
END_TEST

START_TEST(a_shuffle_by_lanes_outside_its_mask_is_reported)
{
    Run *run = run_new(_i, "text.cu", "shuffles_outside_its_mask");
    run_input(run, zeroes, 128);
    run_output(run, 128);
    const Fault *fault = fault_of(run, 32, FAULT_sync_mask, "__shfl_xor_sync");
    ck_assert_uint_eq(fault->lane, 16);
    run_free(run);
}
END_TEST

START_TEST(warp_synchronous_code_without_syncwarp_is_a_race)
{
    Run *run = run_new(_i, "text.cu", "warp_synchronous");
    run_output(run, 4);
    const Fault *fault = fault_of(run, 32, FAULT_shared_race, "part[");
    ck_assert_msg(strstr(fault->hint, "__syncwarp"), "%s", fault->hint);
    run_free(run);
}
END_TEST

START_TEST(shared_memory_that_was_not_asked_for_is_out_of_bounds)
{
    Run *run = run_new(_i, "text.cu", "writes_past_shared");
    run_output(run, 64 * 4);
    const Fault *fault =
        run_fault(run, (Shape){1, 1, 1}, (Shape){64, 1, 1}, 48 * 4, FAULT_out_of_bounds, "box[threadIdx.x] = threadIdx.x");
    ck_assert_uint_eq(fault->thread[0], 48);
    run_free(run);
    run = run_new(_i, "text.cu", "writes_past_shared");
    run_output(run, 64 * 4);
    run_launch(run, (Shape){1, 1, 1}, (Shape){64, 1, 1}, 64 * 4);
    run_free(run);
}
END_TEST

void add_text(Suite *suite) {
    TCase *tcase = tcase_create("text and faults");
    oracle_add(tcase, printf_writes_in_order_of_blocks);
    oracle_add(tcase, a_failing_assert_names_itself);
    oracle_add(tcase, a_trap_ends_the_launch);
    oracle_add(tcase, a_read_past_the_end_names_lane_line_and_buffer);
    oracle_add(tcase, a_null_pointer_is_out_of_bounds);
    oracle_add(tcase, a_misaligned_read_is_refused);
    oracle_add(tcase, memory_that_nobody_wrote_is_not_read);
    oracle_add(tcase, a_missing_barrier_before_a_read_is_a_race);
    oracle_add(tcase, a_missing_barrier_before_a_write_is_a_race);
    oracle_add(tcase, blocks_that_write_the_same_word_race);
    oracle_add(tcase, a_barrier_in_a_branch_that_only_some_warps_take_is_one_of_those);
    oracle_add(tcase, an_endless_loop_ends_at_the_step_limit);
    oracle_add(tcase, a_wait_for_what_nobody_does_is_a_deadlock);
    oracle_add(tcase, a_shuffle_by_lanes_outside_its_mask_is_reported);
    oracle_add(tcase, warp_synchronous_code_without_syncwarp_is_a_race);
    oracle_add(tcase, shared_memory_that_was_not_asked_for_is_out_of_bounds);
    suite_add_tcase(suite, tcase);
}
