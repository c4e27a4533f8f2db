/* Lab 06: transposes and column sums through shared memory, all of rows x cols matrices. */
#include <string.h>

#include "lab/lab.h"

enum { TILE = 32, ROWS = 4 }; /* ROWS: rows of threads in a block of a transpose; column_sums has TILE */

typedef LabCase *CaseOf(Lab *lab, const char *kernel, uint32_t rows, uint32_t cols);

static Type element_of(const char *kernel) { return strcmp(kernel, "transpose_doubles") == 0 ? TYPE_f64 : TYPE_f32; }

static LabCase *transpose(Lab *lab, const char *kernel, uint32_t rows, uint32_t cols) {
    Type type = element_of(kernel);
    size_t size = type_bytes[type];
    uint64_t n = (uint64_t)rows * cols;
    LabCase *c = lab_case(lab, kernel, "%u x %u %s", rows, cols, type == TYPE_f64 ? "doubles" : "floats");
    LabBuffer *in = lab_input(c, "in", type, n), *out = lab_output(c, "out", type, n);
    lab_i32(c, (int32_t)rows);
    lab_i32(c, (int32_t)cols);
    char *expected = lab_scratch(c, n * size);
    const char *elements = lab_data(in);
    for (uint64_t row = 0; row < rows; row++)
        for (uint64_t col = 0; col < cols; col++)
            memcpy(expected + (col * rows + row) * size, elements + (row * cols + col) * size, size);
    lab_launch(c, (LabShape){lab_blocks(rows, TILE), lab_blocks(cols, TILE), 1}, (LabShape){TILE, ROWS, 1}, 0);
    lab_expect(c, out, expected, cols, rows);
    return c;
}

static LabCase *column_sums(Lab *lab, const char *kernel, uint32_t rows, uint32_t cols) {
    LabCase *c = lab_case(lab, kernel, "%u x %u elements", rows, cols);
    LabBuffer *in = lab_input(c, "in", TYPE_u32, (uint64_t)rows * cols), *sums = lab_output(c, "sums", TYPE_u32, cols);
    lab_i32(c, (int32_t)rows);
    lab_i32(c, (int32_t)cols);
    uint32_t *expected = lab_scratch(c, cols * sizeof *expected);
    const uint32_t *elements = lab_data(in);
    for (uint32_t row = 0; row < rows; row++)
        for (uint32_t col = 0; col < cols; col++) expected[col] += elements[(uint64_t)row * cols + col];
    lab_launch(c, (LabShape){lab_blocks(cols, TILE), 1, 1}, (LabShape){TILE, TILE, 1}, 0);
    lab_expect(c, sums, expected, 1, cols);
    return c;
}

/* Whole tiles first, which show a mistake most plainly; then all squares to 64, all rows and all columns to 64 in other shapes,
 * and sizes about one, two and three tiles. */
static void for_every_shape(Lab *lab, const char *kernel, CaseOf *make) {
    static const uint32_t edges[] = {1, 31, 33, 67, 97};
    enum { EDGES = sizeof edges / sizeof *edges };
    lab_end(make(lab, kernel, 64, 96));
    for (uint32_t n = 1; n <= 64; n++) {
        lab_end(make(lab, kernel, n, n));
        lab_end(make(lab, kernel, n, 65 - n));
    }
    for (uint32_t i = 0; i < EDGES; i++)
        for (uint32_t j = 0; j < EDGES; j++)
            if (i != j) lab_end(make(lab, kernel, edges[i], edges[j]));
}

static void transposes_every_shape(Lab *lab, const char *kernel) { for_every_shape(lab, kernel, transpose); }

static void sums_every_column(Lab *lab, const char *kernel) { for_every_shape(lab, kernel, column_sums); }

enum { RUN_ROWS = 384, RUN_COLS = 256 };

static void run_transpose(Lab *lab, const char *kernel) {
    const uint32_t rows = lab_side(lab, RUN_ROWS), cols = lab_side(lab, RUN_COLS);
    LabCase *c = transpose(lab, kernel, rows, cols);
    lab_measure(c, (uint64_t)rows * cols * type_bytes[element_of(kernel)],
                (uint64_t)rows * cols * type_bytes[element_of(kernel)]);
    lab_end(c);
}

static void run_sums(Lab *lab, const char *kernel) {
    LabCase *c = column_sums(lab, kernel, RUN_ROWS, RUN_COLS);
    lab_measure(c, 0, 0);
    lab_end(c);
}

static const LabTest tests[] = {
    {"transpose_padded", "transposes_every_shape", transposes_every_shape},
    {"transpose_swizzled", "transposes_every_shape", transposes_every_shape},
    {"transpose_doubles", "transposes_every_shape", transposes_every_shape},
    {"column_sums", "sums_every_column", sums_every_column},
};

static const LabRun runs[] = {
    {"padded", run_transpose}, {"swizzled", run_transpose}, {"doubles", run_transpose}, {"sums", run_sums}};

int main(int argc, char **argv) { return lab_main(argc, argv, &(LabSuite){"06-banks", LAB_TABLE(tests), LAB_TABLE(runs)}); }
