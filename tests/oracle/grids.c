#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "oracle.h"

/* --- matrix products: whole numbers small enough that every sum is exact ---------------------------------------------------- */

static float *product(const float *a, const float *b, int m, int n, int k) {
    float *c = calloc((size_t)(m * n), sizeof *c);
    for (int row = 0; row < m; row++)
        for (int col = 0; col < n; col++)
            for (int i = 0; i < k; i++) c[row * n + col] += a[row * k + i] * b[i * n + col];
    return c;
}

static double *widened(const float *in, uint64_t count) {
    double *out = malloc(count * sizeof *out);
    for (uint64_t i = 0; i < count; i++) out[i] = in[i];
    return out;
}

static void check_product(int compiler, const char *kernel, int m, int n, int k, uint32_t tile, Shape block) {
    uint64_t na = (uint64_t)(m * k), nb = (uint64_t)(k * n), nc = (uint64_t)(m * n);
    float *a = random_whole_floats(na, -8, 8, 1), *b = random_whole_floats(nb, -8, 8, 2), *c = product(a, b, m, n, k);
    bool wide = strstr(kernel, "double") != NULL;
    void *in_a = wide ? (void *)widened(a, na) : a, *in_b = wide ? (void *)widened(b, nb) : b;
    void *expected = wide ? (void *)widened(c, nc) : c;
    unsigned bytes = wide ? 8 : 4;
    Run *run = run_new(compiler, "grids.cu", kernel);
    run_input(run, in_a, na * bytes);
    run_input(run, in_b, nb * bytes);
    const void *out = run_output(run, nc * bytes);
    run_i32(run, m);
    run_i32(run, n);
    run_i32(run, k);
    run_launch(run, (Shape){blocks_for((uint64_t)n, tile), blocks_for((uint64_t)m, tile), 1}, block, 0);
    run_equal(run, wide ? TYPE_f64 : TYPE_f32, out, expected, nc);
    run_free(run);
    if (wide) {
        free(in_a);
        free(in_b);
        free(expected);
    }
    free(a);
    free(b);
    free(c);
}

START_TEST(matrix_products_are_right)
{
    check_product(_i, "product_naive", 33, 17, 29, 16, (Shape){16, 16, 1});
    check_product(_i, "product_naive", 1, 1, 1, 16, (Shape){16, 16, 1});
    check_product(_i, "product_tiled<float, 16>", 48, 32, 64, 16, (Shape){16, 16, 1});
    check_product(_i, "product_tiled<float, 16>", 19, 45, 37, 16, (Shape){16, 16, 1});
    check_product(_i, "product_tiled<double, 8>", 19, 21, 11, 8, (Shape){8, 8, 1});
    check_product(_i, "product_registers", 64, 32, 96, 32, (Shape){8, 8, 1});
}
END_TEST

/* --- stencils -------------------------------------------------------------------------------------------------------------- */

START_TEST(a_stencil_on_a_line_with_halo_is_right)
{
    static const int lengths[] = {1, 3, 127, 128, 129, 400};
    for (int l = 0; l < 6; l++) {
        int n = lengths[l];
        int32_t *in = random_ints((uint64_t)n, -1000, 1000, 4), *expected = calloc((size_t)n, 4);
        for (int i = 0; i < n; i++)
            for (int d = -3; d <= 3; d++) expected[i] += i + d >= 0 && i + d < n ? in[i + d] : 0;
        Run *run = run_new(_i, "grids.cu", "stencil_line");
        run_input(run, in, (uint64_t)n * 4);
        const void *out = run_output(run, (uint64_t)n * 4);
        run_i32(run, n);
        run_launch(run, (Shape){blocks_for((uint64_t)n, 128), 1, 1}, (Shape){128, 1, 1}, 0);
        run_equal(run, TYPE_s32, out, expected, (uint64_t)n);
        run_free(run);
        free(in);
        free(expected);
    }
}
END_TEST

START_TEST(stencils_on_a_plane_are_right)
{
    enum { WIDTH = 53, HEIGHT = 37, N = WIDTH * HEIGHT };
    float *in = random_whole_floats(N, -100, 100, 9), *start = random_whole_floats(N, 5, 9, 10), *expected = malloc(N * 4);
    memcpy(expected, start, N * 4); /* the border stays */
    for (int y = 1; y < HEIGHT - 1; y++)
        for (int x = 1; x < WIDTH - 1; x++) {
            const float *p = in + y * WIDTH + x;
            expected[y * WIDTH + x] = 0.5f * p[0] + 0.125f * (p[-1] + p[1] + p[-WIDTH] + p[WIDTH]);
        }
    static const char *const kernels[] = {"stencil_plane", "stencil_plane_tiled"};
    for (int k = 0; k < 2; k++) {
        Run *run = run_new(_i, "grids.cu", kernels[k]);
        run_input(run, in, N * 4);
        const void *out = run_inout(run, start, N * 4);
        run_i32(run, WIDTH);
        run_i32(run, HEIGHT);
        run_launch(run, (Shape){blocks_for(WIDTH, 16), blocks_for(HEIGHT, 16), 1}, (Shape){16, 16, 1}, 0);
        run_equal(run, TYPE_f32, out, expected, N);
        run_free(run);
    }
    free(in);
    free(start);
    free(expected);
}
END_TEST

START_TEST(a_stencil_in_a_box_is_right)
{
    enum { NX = 19, NY = 11, NZ = 7, N = NX * NY * NZ };
    float *in = random_whole_floats(N, -100, 100, 11), *expected = malloc(N * 4);
    for (int z = 0; z < NZ; z++)
        for (int y = 0; y < NY; y++)
            for (int x = 0; x < NX; x++) {
                const float *p = in + (z * NY + y) * NX + x;
                float sum = 6 * *p;
                sum -= x > 0 ? p[-1] : 0;
                sum -= x < NX - 1 ? p[1] : 0;
                sum -= y > 0 ? p[-NX] : 0;
                sum -= y < NY - 1 ? p[NX] : 0;
                sum -= z > 0 ? p[-NX * NY] : 0;
                sum -= z < NZ - 1 ? p[NX * NY] : 0;
                expected[p - in] = sum;
            }
    Run *run = run_new(_i, "grids.cu", "stencil_box");
    run_input(run, in, N * 4);
    const void *out = run_output(run, N * 4);
    run_i32(run, NX);
    run_i32(run, NY);
    run_i32(run, NZ);
    run_launch(run, (Shape){3, 3, 2}, (Shape){8, 4, 2}, 0);
    run_equal(run, TYPE_f32, out, expected, N);
    run_free(run);
    free(in);
    free(expected);
}
END_TEST

static int clamped(int x, int size) { return x < 0 ? 0 : x >= size ? size - 1 : x; }

START_TEST(a_convolution_with_constant_weights_is_right)
{
    enum { WIDTH = 41, HEIGHT = 23, N = WIDTH * HEIGHT };
    static const int line[5] = {1, 2, 3, 2, 1}; /* the weights are the products of two such lines */
    float *in = random_whole_floats(N, -100, 100, 12), *expected = calloc(N, 4);
    for (int y = 0; y < HEIGHT; y++)
        for (int x = 0; x < WIDTH; x++)
            for (int dy = -2; dy <= 2; dy++)
                for (int dx = -2; dx <= 2; dx++)
                    expected[y * WIDTH + x] +=
                        (float)(line[dy + 2] * line[dx + 2]) * in[clamped(y + dy, HEIGHT) * WIDTH + clamped(x + dx, WIDTH)];
    Run *run = run_new(_i, "grids.cu", "convolve_constant");
    run_input(run, in, N * 4);
    const void *out = run_output(run, N * 4);
    run_i32(run, WIDTH);
    run_i32(run, HEIGHT);
    run_launch(run, (Shape){2, 3, 1}, (Shape){32, 8, 1}, 0);
    run_equal(run, TYPE_f32, out, expected, N);
    run_free(run);
    free(in);
    free(expected);
}
END_TEST

/* --- layouts --------------------------------------------------------------------------------------------------------------- */

typedef struct Particle {
    float x, y, z;
    int id;
    double mass;
} Particle;

START_TEST(structures_are_read_and_written_whole)
{
    enum { N = 77 };
    Particle in[N], expected[N];
    for (int i = 0; i < N; i++) {
        in[i] = (Particle){(float)i, (float)(2 * i), (float)(3 * i), 1000 - i, 0.25 * i};
        expected[i] = (Particle){(float)i + 1.5f, (float)(2 * i) - 1.5f, (float)(6 * i), 1000 - i, 0.25 * i + (1000 - i)};
    }
    Run *run = run_new(_i, "grids.cu", "push_structures");
    const void *out = run_inout(run, in, sizeof in);
    run_i32(run, N);
    run_f32(run, 1.5f);
    run_launch(run, (Shape){2, 1, 1}, (Shape){48, 1, 1}, 0);
    run_equal(run, TYPE_b32, out, expected, sizeof in / 4);
    run_free(run);
}
END_TEST

START_TEST(arrays_of_coordinates_are_read_and_written)
{
    enum { N = 77 };
    float x[N], y[N], z[N];
    for (int i = 0; i < N; i++) {
        x[i] = (float)i;
        y[i] = (float)(2 * i);
        z[i] = (float)(3 * i);
    }
    Run *run = run_new(_i, "grids.cu", "push_arrays");
    const void *out_x = run_inout(run, x, sizeof x), *out_y = run_inout(run, y, sizeof y), *out_z = run_inout(run, z, sizeof z);
    run_i32(run, N);
    run_f32(run, 1.5f);
    run_launch(run, (Shape){2, 1, 1}, (Shape){48, 1, 1}, 0);
    for (int i = 0; i < N; i++) {
        x[i] += 1.5f;
        y[i] -= 1.5f;
        z[i] *= 2;
    }
    run_equal(run, TYPE_f32, out_x, x, N);
    run_equal(run, TYPE_f32, out_y, y, N);
    run_equal(run, TYPE_f32, out_z, z, N);
    run_free(run);
}
END_TEST

START_TEST(vectors_of_four_floats_are_moved_whole)
{
    static const int lengths[] = {1, 3, 4, 127, 1000, 1003};
    for (int l = 0; l < 6; l++) {
        uint64_t n = (uint64_t)lengths[l];
        float *x = random_whole_floats(n, -100, 100, 16), *y = random_whole_floats(n, -100, 100, 17);
        Run *run = run_new(_i, "grids.cu", "saxpy_wide");
        run_input(run, x, n * 4);
        const void *out = run_inout(run, y, n * 4);
        run_f32(run, 2.5f);
        run_i32(run, lengths[l]);
        const LaunchResult *result = run_launch(run, (Shape){blocks_for(n / 4 + 3, 64), 1, 1}, (Shape){64, 1, 1}, 0);
        for (uint64_t i = 0; i < n; i++) y[i] += 2.5f * x[i];
        run_equal(run, TYPE_f32, out, y, n);
        /* 1000 floats are 250 vectors: 8 warps, each with one load of x and one of y. */
        if (n == 1000) ck_assert_uint_eq(result->counters->global[COUNTER_LOAD].requests, 16);
        run_free(run);
        free(x);
        free(y);
    }
}
END_TEST

START_TEST(structures_of_three_bytes_are_read)
{
    enum { N = 101 };
    uint8_t in[3 * N], expected[N];
    for (int i = 0; i < 3 * N; i++) in[i] = (uint8_t)random_bits(13, (uint64_t)i);
    for (int i = 0; i < N; i++) expected[i] = (uint8_t)((in[3 * i] * 77 + in[3 * i + 1] * 151 + in[3 * i + 2] * 28) >> 8);
    Run *run = run_new(_i, "grids.cu", "grey");
    run_input(run, in, sizeof in);
    const void *out = run_output(run, N);
    run_i32(run, N);
    run_launch(run, (Shape){1, 1, 1}, (Shape){128, 1, 1}, 0);
    run_equal(run, TYPE_u8, out, expected, N);
    run_free(run);
}
END_TEST

/* --- sorting --------------------------------------------------------------------------------------------------------------- */

static int by_value(const void *a, const void *b) {
    uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
    return (x > y) - (x < y);
}

START_TEST(bitonic_sorts_sort)
{
    static const int sizes[] = {2, 64, 256};
    for (int s = 0; s < 3; s++) {
        uint32_t keys[2 * 256], size = (uint32_t)sizes[s];
        for (uint32_t i = 0; i < 2 * size; i++) keys[i] = (uint32_t)random_bits(14, i) % 1000;
        Run *run = run_new(_i, "grids.cu", "sort_bitonic");
        const void *out = run_inout(run, keys, 2 * size * 4);
        run_i32(run, sizes[s]);
        run_launch(run, (Shape){2, 1, 1}, (Shape){64, 1, 1}, size * 4);
        qsort(keys, size, 4, by_value);
        qsort(keys + size, size, 4, by_value);
        run_equal(run, TYPE_u32, out, keys, 2 * size);
        run_free(run);
    }
}
END_TEST

START_TEST(merging_by_rank_is_right)
{
    enum { NA = 57, NB = 91 };
    uint32_t all[NA + NB];
    for (uint32_t i = 0; i < NA + NB; i++) all[i] = (uint32_t)random_bits(15, i) % 60;
    qsort(all, NA, 4, by_value);
    qsort(all + NA, NB, 4, by_value);
    Run *run = run_new(_i, "grids.cu", "merge_runs");
    run_input(run, all, NA * 4);
    run_i32(run, NA);
    run_input(run, all + NA, NB * 4);
    run_i32(run, NB);
    const void *out = run_output(run, sizeof all);
    run_launch(run, (Shape){3, 1, 1}, (Shape){64, 1, 1}, 0);
    qsort(all, NA + NB, 4, by_value);
    run_equal(run, TYPE_u32, out, all, NA + NB);
    run_free(run);
}
END_TEST

void add_grids(Suite *suite) {
    TCase *tcase = tcase_create("grids");
    oracle_add(tcase, matrix_products_are_right);
    oracle_add(tcase, a_stencil_on_a_line_with_halo_is_right);
    oracle_add(tcase, stencils_on_a_plane_are_right);
    oracle_add(tcase, a_stencil_in_a_box_is_right);
    oracle_add(tcase, a_convolution_with_constant_weights_is_right);
    oracle_add(tcase, structures_are_read_and_written_whole);
    oracle_add(tcase, arrays_of_coordinates_are_read_and_written);
    oracle_add(tcase, vectors_of_four_floats_are_moved_whole);
    oracle_add(tcase, structures_of_three_bytes_are_read);
    oracle_add(tcase, bitonic_sorts_sort);
    oracle_add(tcase, merging_by_rank_is_right);
    suite_add_tcase(suite, tcase);
}
