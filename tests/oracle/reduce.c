#include <stdlib.h>
#include <string.h>

#include "oracle.h"

static const int lengths[] = {1, 31, 32, 33, 1000, 4097};

#define EACH_LENGTH(n) \
    for (size_t at = 0, n = 0; at < sizeof lengths / sizeof *lengths && (n = (size_t)lengths[at], true); at++)

START_TEST(sums_by_block_in_shared_memory_are_right)
{
    EACH_LENGTH(n) {
        int32_t *in = random_ints(n, -1000, 1000, n);
        uint32_t blocks = blocks_for(n, 128);
        int32_t *expected = calloc(blocks, 4);
        for (size_t i = 0; i < n; i++) expected[i / 128] += in[i];
        Run *run = run_new(_i, "reduce.cu", "sum_interleaved");
        run_input(run, in, n * 4);
        const void *out = run_output(run, blocks * 4);
        run_i32(run, (int32_t)n);
        run_launch(run, (Shape){blocks, 1, 1}, (Shape){128, 1, 1}, 128 * 4);
        run_equal(run, TYPE_s32, out, expected, blocks);
        run_free(run);
        free(in);
        free(expected);
    }
}
END_TEST

START_TEST(grid_stride_sums_are_right)
{
    EACH_LENGTH(n) {
        enum { BLOCKS = 3, THREADS = 64 };
        float *in = random_whole_floats(n, -50, 50, n), expected[BLOCKS] = {0};
        for (size_t i = 0; i < n; i++) expected[i / THREADS % BLOCKS] += in[i];
        Run *run = run_new(_i, "reduce.cu", "sum_sequential");
        run_input(run, in, n * 4);
        const void *out = run_output(run, sizeof expected);
        run_i32(run, (int32_t)n);
        run_launch(run, (Shape){BLOCKS, 1, 1}, (Shape){THREADS, 1, 1}, THREADS * 4);
        run_equal(run, TYPE_f32, out, expected, BLOCKS);
        run_free(run);
        free(in);
    }
}
END_TEST

static void check_unrolled(int compiler, const char *kernel, uint32_t block, size_t n) {
    int32_t *in = random_ints(n, -100000, 100000, n);
    uint32_t blocks = blocks_for(n, 2 * block);
    int32_t *expected = calloc(blocks, 4);
    for (size_t i = 0; i < n; i++) expected[i / (2 * block)] += in[i];
    Run *run = run_new(compiler, "reduce.cu", kernel);
    run_input(run, in, n * 4);
    const void *out = run_output(run, blocks * 4);
    run_i32(run, (int32_t)n);
    run_launch(run, (Shape){blocks, 1, 1}, (Shape){block, 1, 1}, 0);
    run_equal(run, TYPE_s32, out, expected, blocks);
    run_free(run);
    free(in);
    free(expected);
}

START_TEST(an_unrolled_last_warp_with_syncwarp_is_right_and_clean)
{
    EACH_LENGTH(n) {
        check_unrolled(_i, "sum_unrolled<64>", 64, n);
        check_unrolled(_i, "sum_unrolled<256>", 256, n);
    }
}
END_TEST

START_TEST(sums_by_shuffles_are_right)
{
    EACH_LENGTH(n) {
        float *in = random_whole_floats(n, -50, 50, n), sum = 0, zero = 0;
        double *wide = malloc(n * 8), wide_sum = 0, wide_zero = 0;
        int32_t *whole = malloc(n * 4), whole_sum = 0;
        for (size_t i = 0; i < n; i++) {
            sum += in[i];
            wide[i] = in[i] * 0.125;
            wide_sum += wide[i];
            whole[i] = (int32_t)in[i];
            whole_sum += whole[i];
        }
        const struct {
            const char *kernel;
            uint8_t type;
            const void *in, *expected, *zero;
        } cases[] = {{"sum_shuffle<float>", TYPE_f32, in, &sum, &zero},
                     {"sum_shuffle<double>", TYPE_f64, wide, &wide_sum, &wide_zero},
                     {"sum_shuffle<int>", TYPE_s32, whole, &whole_sum, &zero}};
        for (int c = 0; c < 3; c++) {
            unsigned bytes = type_bytes[cases[c].type];
            Run *run = run_new(_i, "reduce.cu", cases[c].kernel);
            run_input(run, cases[c].in, n * bytes);
            const void *out = run_inout(run, cases[c].zero, bytes);
            run_i32(run, (int32_t)n);
            run_launch(run, (Shape){4, 1, 1}, (Shape){96, 1, 1}, 0);
            run_equal(run, cases[c].type, out, cases[c].expected, 1);
            run_free(run);
        }
        free(in);
        free(wide);
        free(whole);
    }
}
END_TEST

START_TEST(the_last_block_sees_all_partial_sums)
{
    enum { N = 3001, BLOCKS = 7 };
    float *in = random_whole_floats(N, -9, 9, 5), sum = 0;
    for (int i = 0; i < N; i++) sum += in[i];
    Run *run = run_new(_i, "reduce.cu", "sum_last_block");
    run_input(run, in, N * 4);
    run_output(run, BLOCKS * 4);
    const void *out = run_output(run, 4);
    run_i32(run, N);
    run_launch(run, (Shape){BLOCKS, 1, 1}, (Shape){128, 1, 1}, 0);
    run_equal(run, TYPE_f32, out, &sum, 1);
    run_free(run);
    free(in);
}
END_TEST

START_TEST(the_greatest_by_butterfly_is_right)
{
    enum { N = 1003 };
    int32_t *in = random_ints(N, -1000000, 1000000, 6), best = INT32_MIN, least = INT32_MIN;
    for (int i = 0; i < N; i++) best = in[i] > best ? in[i] : best;
    Run *run = run_new(_i, "reduce.cu", "max_shuffle_xor");
    run_input(run, in, N * 4);
    const void *out = run_inout(run, &least, 4);
    run_i32(run, N);
    run_launch(run, (Shape){blocks_for(N, 128), 1, 1}, (Shape){128, 1, 1}, 0);
    run_equal(run, TYPE_s32, out, &best, 1);
    run_free(run);
    free(in);
}
END_TEST

static void check_scan(int compiler, const char *kernel, int n, uint32_t threads, uint32_t shared_bytes, bool inclusive) {
    int32_t *in = random_ints((uint64_t)n, -100, 100, 7), *expected = calloc((size_t)n, 4), sum = 0;
    for (int i = 0; i < n; i++) {
        expected[i] = inclusive ? sum + in[i] : sum;
        sum += in[i];
    }
    Run *run = run_new(compiler, "reduce.cu", kernel);
    run_input(run, in, (uint64_t)n * 4);
    const void *out = run_output(run, (uint64_t)n * 4);
    run_i32(run, n);
    run_launch(run, (Shape){1, 1, 1}, (Shape){threads, 1, 1}, shared_bytes);
    run_equal(run, TYPE_s32, out, expected, (uint64_t)n);
    run_free(run);
    free(in);
    free(expected);
}

START_TEST(prefix_sums_are_right)
{
    static const int sizes[] = {1, 2, 31, 33, 100, 128};
    for (int i = 0; i < 6; i++) {
        check_scan(_i, "scan_hillis_steele", sizes[i], 128, 2 * 128 * 4, true);
        check_scan(_i, "scan_shuffle", sizes[i], 128, 0, true);
        check_scan(_i, "scan_blelloch", sizes[i], 64, (128 + 4) * 4, false);
    }
    check_scan(_i, "scan_hillis_steele", 1000, 1024, 2 * 1024 * 4, true);
    check_scan(_i, "scan_shuffle", 1024, 1024, 0, true);
    check_scan(_i, "scan_blelloch", 2047, 1024, (2048 + 64) * 4, false);
}
END_TEST

START_TEST(histograms_by_atomics_are_right)
{
    enum { N = 5003 };
    uint8_t in[N];
    for (int i = 0; i < N; i++) in[i] = (uint8_t)(random_bits(8, (uint64_t)i) % 251 * (random_bits(8, (uint64_t)i) & 1));
    uint32_t expected[256] = {0}, zero[256] = {0}, six_bits[64] = {0};
    for (int i = 0; i < N; i++) expected[in[i]]++;
    for (int i = 0; i < 5000; i++) six_bits[in[i] >> 2]++;
    static const char *const kernels[] = {"histogram_global", "histogram_shared"};
    for (int k = 0; k < 2; k++) {
        Run *run = run_new(_i, "reduce.cu", kernels[k]);
        run_input(run, in, N);
        const void *bins = run_inout(run, zero, sizeof zero);
        run_i32(run, N);
        run_launch(run, (Shape){5, 1, 1}, (Shape){100, 1, 1}, 0);
        run_equal(run, TYPE_u32, bins, expected, 256);
        run_free(run);
    }
    Run *run = run_new(_i, "reduce.cu", "histogram_per_warp");
    run_input(run, in, 5000);
    const void *bins = run_inout(run, zero, 64 * 4);
    run_i32(run, 1250);
    run_launch(run, (Shape){3, 1, 1}, (Shape){128, 1, 1}, 0);
    run_equal(run, TYPE_u32, bins, six_bits, 64);
    run_free(run);
}
END_TEST

void add_reductions(Suite *suite) {
    TCase *tcase = tcase_create("reductions");
    oracle_add(tcase, sums_by_block_in_shared_memory_are_right);
    oracle_add(tcase, grid_stride_sums_are_right);
    oracle_add(tcase, an_unrolled_last_warp_with_syncwarp_is_right_and_clean);
    oracle_add(tcase, sums_by_shuffles_are_right);
    oracle_add(tcase, the_last_block_sees_all_partial_sums);
    oracle_add(tcase, the_greatest_by_butterfly_is_right);
    oracle_add(tcase, prefix_sums_are_right);
    oracle_add(tcase, histograms_by_atomics_are_right);
    suite_add_tcase(suite, tcase);
}
