#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "oracle.h"

/* Runs a kernel of (const int *in, int *out, int n) and compares out. */
static void check_map(int compiler, const char *kernel, const int32_t *in, const int32_t *expected, int n, uint32_t block) {
    Run *run = run_new(compiler, "control.cu", kernel);
    run_input(run, in, (uint64_t)n * 4);
    const void *out = run_output(run, (uint64_t)n * 4);
    run_i32(run, n);
    run_launch(run, (Shape){blocks_for((uint64_t)n, block), 1, 1}, (Shape){block, 1, 1}, 0);
    run_equal(run, TYPE_s32, out, expected, (uint64_t)n);
    run_free(run);
}

enum { N = 333 };

START_TEST(loops_of_different_length_are_right)
{
    int32_t *in = random_ints(N, 1, 3000, 1), expected[N];
    for (int i = 0; i < N; i++) {
        expected[i] = 0;
        for (uint64_t x = (uint64_t)in[i]; x != 1; expected[i]++) x = x % 2 ? 3 * x + 1 : x / 2;
    }
    check_map(_i, "collatz", in, expected, N, 100);
    free(in);
}
END_TEST

START_TEST(breaks_and_continues_in_nested_loops_are_right)
{
    int32_t *in = random_ints(N, -50, 500, 2), expected[N];
    for (int i = 0; i < N; i++) {
        int seed = in[i], sum = 0;
        for (int j = 0; j < 40; j++) {
            if ((seed + j) % 3 == 0) continue;
            if (j > 5 && (seed ^ j) % 11 == 0) break;
            for (int k = 0; k < 6; k++) {
                if (k == (seed & 7)) break;
                if ((k + j) & 1) continue;
                sum += j * k;
            }
            sum += seed & j;
        }
        expected[i] = sum;
    }
    check_map(_i, "breaks_and_continues", in, expected, N, 64);
    free(in);
}
END_TEST

static int nested(const int *in, int n, int i) {
    int v = in[i], r = 0;
    if (v & 1) {
        r = 1;
        if (v & 2)
            r += 10 + (v & 4 ? 100 : 1000 * (v >> 3 & 7));
        else if (v & 8)
            r += 7 * (v > 0 ? (v + 15) / 16 : 1);
        return 2 * r + 3;
    }
    if ((v & 6) == 0) return v + 5 + 3;
    if ((v & 6) == 2) return 5 + 3;
    if ((v & 6) == 4) return in[n - 1 - i] + 3;
    return v > 100 ? 0 : -v + 3;
}

START_TEST(nested_branches_with_loops_and_goto_are_right)
{
    int32_t *in = random_ints(N, 0, 255, 3), expected[N];
    for (int i = 0; i < N; i++) expected[i] = nested(in, N, i);
    check_map(_i, "nested_divergence", in, expected, N, 128);
    free(in);
}
END_TEST

START_TEST(lanes_that_return_early_leave_the_others_going)
{
    int32_t *in = random_ints(N, -3, 15, 4), expected[N];
    for (int i = 0; i < N; i++) expected[i] = in[i] >= 0 && in[i] < 10 ? in[i] * 100 : 5;
    check_map(_i, "early_return", in, expected, N, 96);
    free(in);
}
END_TEST

START_TEST(a_switch_with_many_cases_is_right)
{
    int32_t *in = random_ints(N, -1, 12, 5), expected[N];
    in[7] = 1000;
    for (int i = 0; i < N; i++) {
        const int cases[] = {in[i] + i, i * i, ~i, i << 3, i / 3, i % 7, -i, i ^ 0x55, i & 12, i | 12, i >> 2, 1};
        expected[i] = in[i] == 1000 ? 2 : in[i] >= 0 && in[i] < 12 ? cases[in[i]] : 99;
    }
    check_map(_i, "dense_switch", in, expected, N, 64);
    free(in);
}
END_TEST

/* --- integers -------------------------------------------------------------------------------------------------------------- */

/* Values of every magnitude and sign, and the edges. */
static int64_t wide_value(uint64_t seed, int i) {
    static const int64_t edges[] = {1, -1, 2, INT64_MAX, INT64_MIN + 1, INT32_MAX, INT32_MIN, 0x100000000, -0x100000001, 10};
    if (i < 10) return edges[i];
    uint64_t bits = random_bits(seed, 2 * (uint64_t)i);
    int64_t value = (int64_t)(bits >> (random_bits(seed, 2 * (uint64_t)i + 1) % 64));
    return bits & 1 ? value : -value;
}

START_TEST(division_of_64_bit_integers_is_right)
{
    int64_t a[N], b[N], quotient[N], remainder[N];
    uint64_t unsigned_quotient[N], unsigned_remainder[N];
    for (int i = 0; i < N; i++) {
        a[i] = wide_value(6, (i * 7) % N);
        b[i] = wide_value(7, i);
        if (!b[i]) b[i] = 3;
        quotient[i] = a[i] / b[i];
        remainder[i] = a[i] % b[i];
        unsigned_quotient[i] = (uint64_t)a[i] / (uint64_t)b[i];
        unsigned_remainder[i] = (uint64_t)a[i] % (uint64_t)b[i];
    }
    for (int s = 0; s < 2; s++) {
        Run *run = run_new(_i, "control.cu", s ? "divide_64" : "divide_64_unsigned");
        run_input(run, a, sizeof a);
        run_input(run, b, sizeof b);
        const void *q = run_output(run, sizeof a), *r = run_output(run, sizeof a);
        run_i32(run, N);
        run_launch(run, (Shape){3, 1, 1}, (Shape){128, 1, 1}, 0);
        run_equal(run, TYPE_s64, q, s ? (void *)quotient : unsigned_quotient, N);
        run_equal(run, TYPE_s64, r, s ? (void *)remainder : unsigned_remainder, N);
        run_free(run);
    }
}
END_TEST

START_TEST(division_of_32_bit_integers_is_right)
{
    int32_t a[N], b[N], expected[6 * N];
    for (int i = 0; i < N; i++) {
        a[i] = (int32_t)wide_value(8, i);
        b[i] = (int32_t)wide_value(9, (i * 5) % N);
        if (!b[i] || (a[i] == INT32_MIN && b[i] == -1)) b[i] = 5;
        short narrow = (short)(b[i] | 1);
        const int32_t row[6] = {a[i] / b[i],
                                a[i] % b[i],
                                (int32_t)((uint32_t)a[i] / (uint32_t)b[i]),
                                (int32_t)((uint32_t)a[i] % (uint32_t)b[i]),
                                a[i] / 10,
                                (short)a[i] / narrow};
        memcpy(expected + 6 * i, row, sizeof row);
    }
    Run *run = run_new(_i, "control.cu", "divide_32");
    run_input(run, a, sizeof a);
    run_input(run, b, sizeof b);
    const void *out = run_output(run, sizeof expected);
    run_i32(run, N);
    run_launch(run, (Shape){3, 1, 1}, (Shape){128, 1, 1}, 0);
    run_equal(run, TYPE_s32, out, expected, 6 * N);
    run_free(run);
}
END_TEST

static uint32_t byte_of(uint32_t x, uint32_t y, unsigned index) {
    return (index < 4 ? x >> 8 * index : y >> 8 * (index - 4)) & 255;
}

static uint32_t reversed(uint32_t v) {
    uint32_t r = 0;
    for (int bit = 0; bit < 32; bit++) r |= (v >> bit & 1) << (31 - bit);
    return r;
}

static void bit_results(uint32_t v, uint32_t *o) {
    uint64_t w = ((uint64_t)v << 32 | (uint32_t)~v) * UINT64_C(0x9e3779b97f4a7c15);
    o[0] = (uint32_t)__builtin_popcount(v);
    o[1] = v ? (uint32_t)__builtin_clz(v) : 32;
    o[2] = (uint32_t)__builtin_ffs((int)v);
    o[3] = reversed(v);
    o[4] = byte_of(v, ~v, 5) | byte_of(v, ~v, 1) << 8 | byte_of(v, ~v, 6) << 16 | byte_of(v, ~v, 3) << 24; /* selector 0x3615 */
    o[5] = (uint32_t)((((uint64_t)(uint32_t)~v << 32 | v) << 7) >> 32);
    o[6] = (uint32_t)((uint64_t)v * 0x12345678u >> 32);
    o[7] = (uint32_t)((int64_t)(int32_t)v * -77 >> 32);
    o[8] = (uint32_t)__builtin_popcountll(w);
    o[9] = w ? (uint32_t)__builtin_clzll(w) : 64;
    o[10] = (uint32_t)(w >> (v & 63));
    o[11] = (uint32_t)((int64_t)w >> (v & 63));
    o[12] = (uint32_t)(w << (v & 31));
    o[13] = (uint32_t)(uint8_t)v * (uint16_t)(v >> 8);
    o[14] = (uint32_t)((unsigned __int128)w * UINT64_C(0xfedcba9876543210) >> 64);
    o[15] = (uint32_t)(int8_t)v;
}

START_TEST(shifts_and_bit_intrinsics_are_right)
{
    static uint32_t in[N], expected[16 * N];
    for (int i = 0; i < N; i++) {
        in[i] = (uint32_t)wide_value(10, i);
        if (i == 20) in[i] = 0;
        bit_results(in[i], expected + 16 * i);
    }
    Run *run = run_new(_i, "control.cu", "shifts_and_bits");
    run_input(run, in, sizeof in);
    const void *out = run_output(run, sizeof expected);
    run_i32(run, N);
    run_launch(run, (Shape){6, 1, 1}, (Shape){64, 1, 1}, 0);
    run_equal(run, TYPE_u32, out, expected, 16 * N);
    run_free(run);
}
END_TEST

/* --- calls, memory, parameters --------------------------------------------------------------------------------------------- */

static int64_t called(int v) {
    int doubled = 2 * v + 1, high = doubled / 100, low = doubled % 100;
    int y = v & 1 ? 1 + 2 * 2 + (v & 7) * 4 : 1 - 2;
    int64_t sum = v;
    int product = 3;
    if (v % 3) {
        sum += high;
        product *= high;
    }
    return (sum + low) * 1000 + product * low + y;
}

START_TEST(device_functions_that_are_called_for_real_are_right)
{
    int32_t *in = random_ints(N, 0, 20000, 11);
    int64_t expected[N];
    for (int i = 0; i < N; i++) expected[i] = called(in[i]);
    Run *run = run_new(_i, "control.cu", "calls");
    run_input(run, in, N * 4);
    const void *out = run_output(run, sizeof expected);
    run_i32(run, N);
    run_launch(run, (Shape){3, 1, 1}, (Shape){128, 1, 1}, 0);
    run_equal(run, TYPE_s64, out, expected, N);
    run_free(run);
    free(in);
}
END_TEST

START_TEST(function_pointers_that_differ_by_lane_are_right)
{
    int32_t *in = random_ints(N, 0, 1000, 12), expected[N];
    for (int i = 0; i < N; i++) expected[i] = in[i] % 3 == 0 ? in[i] + i : in[i] % 3 == 1 ? in[i] - i : in[i] * i;
    check_map(_i, "function_pointers", in, expected, N, 64);
    free(in);
}
END_TEST

START_TEST(arrays_in_local_memory_are_right)
{
    enum { THREADS = 75 };
    uint8_t in[THREADS * 16], expected[THREADS * 16];
    for (int i = 0; i < THREADS * 16; i++) in[i] = (uint8_t)(random_bits(13, (uint64_t)i) % 10);
    for (int t = 0; t < THREADS; t++)
        for (int d = 0, at = 0; d < 10; d++)
            for (int i = 0; i < 16; i++)
                if (in[t * 16 + i] == d) expected[t * 16 + at++] = (uint8_t)d;
    Run *run = run_new(_i, "control.cu", "local_array");
    run_input(run, in, sizeof in);
    const void *out = run_output(run, sizeof in);
    run_i32(run, THREADS);
    run_launch(run, (Shape){2, 1, 1}, (Shape){64, 1, 1}, 0);
    run_equal(run, TYPE_u8, out, expected, sizeof in);
    run_free(run);
}
END_TEST

START_TEST(a_structure_by_value_arrives_whole)
{
    struct Settings {
        char mode;
        short offset;
        float factor[3];
        double bias;
        int shift[3];
    } settings = {5, -300, {0.25f, 0.5f, 100}, -2000, {7, 11, 13}};
    int32_t expected[50];
    for (int i = 0; i < 50; i++) expected[i] = 5 - 300 + (int)(settings.factor[i % 3] * 4) - 2000 + 7 + 22 + 39 - 100;
    Run *run = run_new(_i, "control.cu", "struct_by_value");
    run_struct(run, &settings, sizeof settings);
    const void *out = run_output(run, sizeof expected);
    run_i32(run, 50);
    run_struct(run, &(char){-100}, 1);
    run_launch(run, (Shape){1, 1, 1}, (Shape){64, 1, 1}, 0);
    run_equal(run, TYPE_s32, out, expected, 50);
    run_free(run);
}
END_TEST

START_TEST(a_spin_lock_within_a_warp_makes_progress)
{
    int32_t zero = 0, expected = 2 * 40 * 3;
    Run *run = run_new(_i, "control.cu", "spin_lock");
    const void *counter = run_inout(run, &zero, 4);
    run_i32(run, 3);
    run_launch(run, (Shape){2, 1, 1}, (Shape){40, 1, 1}, 0);
    run_equal(run, TYPE_s32, counter, &expected, 1);
    run_free(run);
}
END_TEST

START_TEST(module_variables_hold_their_initialisers)
{
    /* table[i] + table[1 + (i & 1)] + 0, then the letters */
    int32_t expected[14] = {10 + 20, 20 + 30, 30 + 20, 40 + 30};
    for (int i = 0; i < 10; i++) expected[4 + i] = "thirty-two"[i];
    Run *run = run_new(_i, "control.cu", "global_variables");
    const void *out = run_output(run, sizeof expected);
    run_launch(run, (Shape){1, 1, 1}, (Shape){32, 1, 1}, 0);
    run_equal(run, TYPE_s32, out, expected, 14);
    run_free(run);
}
END_TEST

START_TEST(grids_and_blocks_have_three_dimensions)
{
    enum { NX = 13, NY = 7, NZ = 5 };
    int32_t expected[NX * NY * NZ];
    for (int z = 0; z < NZ; z++)
        for (int y = 0; y < NY; y++)
            for (int x = 0; x < NX; x++) expected[(z * NY + y) * NX + x] = x + 100 * y + 10000 * z + 1000000 * (4 * 3 * 2);
    Run *run = run_new(_i, "control.cu", "three_dimensions");
    const void *out = run_output(run, sizeof expected);
    run_i32(run, NX);
    run_i32(run, NY);
    run_i32(run, NZ);
    run_launch(run, (Shape){4, 3, 2}, (Shape){4, 3, 3}, 0);
    run_equal(run, TYPE_s32, out, expected, NX * NY * NZ);
    run_free(run);
}
END_TEST

void add_control(Suite *suite) {
    TCase *tcase = tcase_create("control");
    oracle_add(tcase, loops_of_different_length_are_right);
    oracle_add(tcase, breaks_and_continues_in_nested_loops_are_right);
    oracle_add(tcase, nested_branches_with_loops_and_goto_are_right);
    oracle_add(tcase, lanes_that_return_early_leave_the_others_going);
    oracle_add(tcase, a_switch_with_many_cases_is_right);
    oracle_add(tcase, division_of_64_bit_integers_is_right);
    oracle_add(tcase, division_of_32_bit_integers_is_right);
    oracle_add(tcase, shifts_and_bit_intrinsics_are_right);
    oracle_add(tcase, device_functions_that_are_called_for_real_are_right);
    oracle_add(tcase, function_pointers_that_differ_by_lane_are_right);
    oracle_add(tcase, arrays_in_local_memory_are_right);
    oracle_add(tcase, a_structure_by_value_arrives_whole);
    oracle_add(tcase, a_spin_lock_within_a_warp_makes_progress);
    oracle_add(tcase, module_variables_hold_their_initialisers);
    oracle_add(tcase, grids_and_blocks_have_three_dimensions);
    suite_add_tcase(suite, tcase);
}
