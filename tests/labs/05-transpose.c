/* Lab 05: transposes of a rows x cols matrix of floats. */
#include <string.h>

#include "lab/lab.h"

enum { TILE = 32 };

/* The rows of a block that the learner chose for transpose_rows; all others have 32. */
static uint32_t block_rows(Lab *lab, const char *kernel) {
    return strcmp(kernel, "transpose_rows") == 0 ? (uint32_t)lab_constant(lab, "rows_block", 8, 1, TILE) : TILE;
}

static LabCase *transpose(Lab *lab, const char *kernel, uint32_t rows, uint32_t cols) {
    uint32_t height = block_rows(lab, kernel);
    LabCase *c = lab_case(lab, kernel, "%u x %u floats", rows, cols);
    LabBuffer *in = lab_input(c, "in", TYPE_f32, (uint64_t)rows * cols);
    LabBuffer *out = lab_output(c, "out", TYPE_f32, (uint64_t)rows * cols);
    lab_i32(c, (int32_t)rows);
    lab_i32(c, (int32_t)cols);
    float *expected = lab_scratch(c, (uint64_t)rows * cols * sizeof *expected);
    const float *elements = lab_data(in);
    for (uint32_t row = 0; row < rows; row++)
        for (uint32_t col = 0; col < cols; col++) expected[(uint64_t)col * rows + row] = elements[(uint64_t)row * cols + col];
    lab_launch(c, (LabShape){lab_blocks(cols, TILE), lab_blocks(rows, TILE), 1}, (LabShape){TILE, height, 1}, 0);
    lab_expect(c, out, expected, cols, rows);
    return c;
}

/* Whole tiles first, which show a mistake most plainly; all squares to 64, all rows and all columns to 64 in other shapes, and sizes about
 * one, two and three tiles. */
static void transposes_every_shape(Lab *lab, const char *kernel) {
    static const uint32_t edges[] = {1, 7, 31, 32, 33, 64, 67, 97};
    enum { EDGES = sizeof edges / sizeof *edges };
    lab_end(transpose(lab, kernel, 64, 96));
    for (uint32_t n = 1; n <= 64; n++) {
        lab_end(transpose(lab, kernel, n, n));
        lab_end(transpose(lab, kernel, n, 65 - n));
    }
    for (uint32_t i = 0; i < EDGES; i++)
        for (uint32_t j = 0; j < EDGES; j++)
            if (i != j) lab_end(transpose(lab, kernel, edges[i], edges[j]));
}

static void run_transpose(Lab *lab, const char *kernel) {
    const uint32_t rows = lab_side(lab, 768), cols = lab_side(lab, 512);
    LabCase *c = transpose(lab, kernel, rows, cols);
    lab_measure(c, (uint64_t)rows * cols * sizeof(float), (uint64_t)rows * cols * sizeof(float));
    lab_end(c);
}

static const LabTest tests[] = {
    {"transpose_read", "transposes_every_shape", transposes_every_shape},
    {"transpose_write", "transposes_every_shape", transposes_every_shape},
    {"transpose_tiled", "transposes_every_shape", transposes_every_shape},
    {"transpose_rows", "transposes_every_shape", transposes_every_shape},
};

static const LabRun runs[] = {{"write", run_transpose}, {"tiled", run_transpose}, {"rows", run_transpose}};

int main(int argc, char **argv) { return lab_main(argc, argv, &(LabSuite){"05-transpose", LAB_TABLE(tests), LAB_TABLE(runs)}); }
