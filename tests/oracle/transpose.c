#include <stdlib.h>
#include <string.h>

#include "oracle.h"

typedef struct Size {
    int rows, cols;
} Size;

/* Edges, primes, multiples of the tile and not, thin ones. */
static const Size sizes[] = {{1, 1}, {1, 64}, {64, 1}, {31, 33}, {32, 32}, {37, 53}, {64, 96}, {65, 31}};

static void *random_elements(uint64_t count, unsigned bytes) {
    uint8_t *data = malloc(count * bytes);
    for (uint64_t i = 0; i < count; i++) {
        uint64_t bits[2] = {random_bits(count, 2 * i), random_bits(count, 2 * i + 1)};
        memcpy(data + i * bytes, bits, bytes);
    }
    return data;
}

static void *transposed(const void *in, int rows, int cols, unsigned bytes) {
    uint8_t *out = malloc((size_t)rows * (size_t)cols * bytes);
    for (int row = 0; row < rows; row++)
        for (int col = 0; col < cols; col++)
            memcpy(out + ((size_t)col * (size_t)rows + (size_t)row) * bytes,
                   (const uint8_t *)in + ((size_t)row * (size_t)cols + (size_t)col) * bytes, bytes);
    return out;
}

/* type: that of the comparison; an element may have several of them. */
static void check(int compiler, const char *kernel, Size size, unsigned bytes, uint8_t type, Shape grid, Shape block) {
    uint64_t count = (uint64_t)size.rows * (uint64_t)size.cols;
    void *in = random_elements(count, bytes), *expected = transposed(in, size.rows, size.cols, bytes);
    Run *run = run_new(compiler, "transpose.cu", kernel);
    run_input(run, in, count * bytes);
    const void *out = run_output(run, count * bytes);
    run_i32(run, size.rows);
    run_i32(run, size.cols);
    run_launch(run, grid, block, 0);
    run_equal(run, type, out, expected, count * bytes / type_bytes[type]);
    run_free(run);
    free(in);
    free(expected);
}

static void check_tiles(int compiler, const char *kernel, unsigned bytes, uint8_t type) {
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
        Shape grid = {blocks_for((uint64_t)sizes[i].cols, 32), blocks_for((uint64_t)sizes[i].rows, 32), 1};
        check(compiler, kernel, sizes[i], bytes, type, grid, (Shape){32, 8, 1});
    }
}

START_TEST(naive_transposes_are_right)
{
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
        uint32_t rows = (uint32_t)sizes[i].rows, cols = (uint32_t)sizes[i].cols;
        check(_i, "naive_read<float>", sizes[i], 4, TYPE_b32, (Shape){blocks_for(cols, 16), blocks_for(rows, 16), 1},
              (Shape){16, 16, 1});
        check(_i, "naive_write<double>", sizes[i], 8, TYPE_b64, (Shape){blocks_for(rows, 32), blocks_for(cols, 4), 1},
              (Shape){32, 4, 1});
        check(_i, "naive_read<char>", sizes[i], 1, TYPE_b8, (Shape){blocks_for(cols, 7), blocks_for(rows, 5), 1},
              (Shape){7, 5, 1});
        check(_i, "naive_write<short>", sizes[i], 2, TYPE_b16, (Shape){blocks_for(rows, 33), blocks_for(cols, 3), 1},
              (Shape){33, 3, 1});
    }
}
END_TEST

START_TEST(tiled_transposes_are_right_for_elements_of_1_to_8_bytes)
{
    check_tiles(_i, "tiled<char, 0>", 1, TYPE_b8);
    check_tiles(_i, "tiled<short, 1>", 2, TYPE_b16);
    check_tiles(_i, "tiled<float, 0>", 4, TYPE_b32);
    check_tiles(_i, "tiled<float, 1>", 4, TYPE_b32);
    check_tiles(_i, "tiled<double, 0>", 8, TYPE_b64);
    check_tiles(_i, "tiled<double, 1>", 8, TYPE_b64);
}
END_TEST

START_TEST(swizzled_transposes_are_right)
{
    check_tiles(_i, "swizzled<char>", 1, TYPE_b8);
    check_tiles(_i, "swizzled<float>", 4, TYPE_b32);
    check_tiles(_i, "swizzled<double>", 8, TYPE_b64);
}
END_TEST

START_TEST(transposes_by_16_byte_accesses_are_right)
{
    check(_i, "wide_tiles", (Size){64, 128}, 4, TYPE_b32, (Shape){2, 1, 1}, (Shape){16, 16, 1});
    check(_i, "wide_tiles", (Size){192, 64}, 4, TYPE_b32, (Shape){1, 3, 1}, (Shape){16, 16, 1});
    check(_i, "elements_of_16_bytes", (Size){35, 21}, 16, TYPE_b32, (Shape){2, 3, 1}, (Shape){16, 16, 1});
}
END_TEST

START_TEST(a_square_matrix_is_transposed_in_place)
{
    enum { N = 96 };
    int32_t *in = random_ints(N * N, -1000000, 1000000, 3);
    int32_t *expected = transposed(in, N, N, 4);
    Run *run = run_new(_i, "transpose.cu", "in_place");
    const void *matrix = run_inout(run, in, N * N * 4);
    run_i32(run, N);
    run_launch(run, (Shape){N / 32, N / 32, 1}, (Shape){32, 8, 1}, 2 * 32 * 33 * 4);
    run_equal(run, TYPE_s32, matrix, expected, N * N);
    run_free(run);
    free(in);
    free(expected);
}
END_TEST

void add_transposes(Suite *suite) {
    TCase *tcase = tcase_create("transposes");
    oracle_add(tcase, naive_transposes_are_right);
    oracle_add(tcase, tiled_transposes_are_right_for_elements_of_1_to_8_bytes);
    oracle_add(tcase, swizzled_transposes_are_right);
    oracle_add(tcase, transposes_by_16_byte_accesses_are_right);
    oracle_add(tcase, a_square_matrix_is_transposed_in_place);
    suite_add_tcase(suite, tcase);
}
