/* Lab 09: transposes of a rows x cols matrix, of floats and of doubles, whose block and tile the learner chose. */
#include <stdio.h>
#include <string.h>

#include "lab/lab.h"
#include "lab/running.h" /* the model of a case's launch */

/* What stands in the learner's constants. */
typedef struct Plan {
    uint32_t tile_cols, tile_rows, block_x, block_y;
} Plan;

enum { TILE_MOST = 512, BLOCK_MOST = 1024 };

static const char *word(const char *kernel) { return strcmp(kernel, "transpose_doubles") == 0 ? "double" : "float"; }

static uint32_t choice(Lab *lab, const char *kernel, const char *what, int32_t most) {
    char name[40];
    snprintf(name, sizeof name, "%s_%s", word(kernel), what);
    return (uint32_t)lab_constant(lab, name, 0, 1, most);
}

static Plan plan_of(Lab *lab, const char *kernel) {
    return (Plan){choice(lab, kernel, "tile_cols", TILE_MOST), choice(lab, kernel, "tile_rows", TILE_MOST),
                  choice(lab, kernel, "block_x", BLOCK_MOST), choice(lab, kernel, "block_y", BLOCK_MOST)};
}

static void check_block(LabCase *c, const char *kernel, const Plan *plan) {
    uint32_t threads = plan->block_x * plan->block_y;
    if (threads < WARP_LANES || threads > BLOCK_MOST)
        lab_wrong(c, "a block of %s_block_x x %s_block_y = %u x %u threads has %u; it may have %u to %u", word(kernel),
                  word(kernel), plan->block_x, plan->block_y, threads, WARP_LANES, BLOCK_MOST);
}

static LabCase *transpose(Lab *lab, const char *kernel, uint32_t rows, uint32_t cols) {
    Plan plan = plan_of(lab, kernel);
    Type type = strcmp(kernel, "transpose_doubles") == 0 ? TYPE_f64 : TYPE_f32;
    size_t size = type_bytes[type];
    uint64_t n = (uint64_t)rows * cols;
    LabCase *c = lab_case(lab, kernel, "%u x %u %ss", rows, cols, word(kernel));
    check_block(c, kernel, &plan);
    LabBuffer *in = lab_input(c, "in", type, n), *out = lab_output(c, "out", type, n);
    lab_i32(c, (int32_t)rows);
    lab_i32(c, (int32_t)cols);
    char *expected = lab_scratch(c, n * size);
    const char *elements = lab_data(in);
    for (uint64_t row = 0; row < rows; row++)
        for (uint64_t col = 0; col < cols; col++)
            memcpy(expected + (col * rows + row) * size, elements + (row * cols + col) * size, size);
    uint32_t tiles = lab_blocks(cols, plan.tile_cols) * lab_blocks(rows, plan.tile_rows);
    lab_launch(c, (LabShape){tiles, 1, 1}, (LabShape){plan.block_x, plan.block_y, 1}, 0);
    lab_expect(c, out, expected, cols, rows);
    return c;
}

/* --- tests ---------------------------------------------------------------------------------------------------------------- */

enum { MOST_ELEMENTS = 1 << 17 };

static void try_shape(Lab *lab, const char *kernel, uint32_t rows, uint32_t cols) {
    if ((uint64_t)rows * cols <= MOST_ELEMENTS) lab_end(transpose(lab, kernel, rows, cols));
}

/* Whole tiles first, which show a mistake most plainly; then about one and two tiles, whatever their shape. */
static void transposes_about_its_tiles(Lab *lab, const char *kernel) {
    Plan plan = plan_of(lab, kernel);
    uint32_t w = plan.tile_cols, h = plan.tile_rows;
    try_shape(lab, kernel, 2 * h, 3 * w);
    const uint32_t rows[] = {h, h + 1, h > 1 ? h - 1 : 1, 2 * h + 3, h / 2 + 1, 1},
                   cols[] = {w, w + 1, w > 1 ? w - 1 : 1, 2 * w + 3, w / 2 + 1, 1};
    enum { EDGES = sizeof rows / sizeof *rows };
    for (uint32_t i = 0; i < EDGES; i++)
        for (uint32_t j = 0; j < EDGES; j++) try_shape(lab, kernel, rows[i], cols[j]);
}

/* All squares to 64, all rows and all columns to 64 in other shapes; primes; thin and wide; rows of `in`, of `out`, of both or of neither that
 * begin at multiples of 16 bytes. */
static void transposes_every_shape(Lab *lab, const char *kernel) {
    static const uint32_t shapes[][2] = {{1, 1021}, {1021, 1}, {2, 1024}, {1024, 2}, {3, 517},  {517, 3},
                                         {97, 127}, {251, 61}, {132, 68}, {68, 132}, {64, 101}, {101, 64},
                                         {90, 130}, {130, 90}, {36, 402}, {402, 36}, {320, 256}};
    for (uint32_t n = 1; n <= 64; n++) {
        try_shape(lab, kernel, n, n);
        try_shape(lab, kernel, n, 65 - n);
    }
    for (size_t i = 0; i < sizeof shapes / sizeof *shapes; i++) try_shape(lab, kernel, shapes[i][0], shapes[i][1]);
}

/* --- runs ----------------------------------------------------------------------------------------------------------------- */

/* The limits of lab.goals. A kernel that passes one of them on a small matrix is measured there: the large one could take minutes. */
static const double most_instructions_for_32 = 150, most_imbalance = 4;

static double instructions_for_32(LabCase *c, uint32_t rows, uint32_t cols) {
    return lab_metric(c, "instructions") * WARP_LANES / ((double)rows * cols);
}

static void measure(LabCase *c, uint32_t rows, uint32_t cols) {
    Lab *lab = c->lab;
    uint64_t bytes = (uint64_t)rows * cols * type_bytes[c->buffers->type];
    const Model *model = &c->result.model;
    lab_measure(c, bytes, bytes);
    lab_value(lab, "instructions_for_32", instructions_for_32(c, rows, cols));
    lab_note(lab, "Modelled: %.1f us, a copy %.1f us; limited by %s", model->time_us, model_copy_time_us(lab->profile, bytes),
             model_bound_texts[model->bound]);
    lab_end(c);
}

static uint32_t whole_tiles(uint32_t least, uint32_t tile) { return lab_blocks(least, tile) * tile; }

/* On a GPU: squares, and 10007 x 9973 where a run is of primes. */
static void run_big(Lab *lab, const char *kernel, bool odd) {
    uint32_t side = lab_side(lab, 0), rows = odd ? side - side / 5 - 233 : side, cols = odd ? side - side / 5 - 267 : side;
    LabCase *c = transpose(lab, kernel, rows, cols);
    lab_measure(c, (uint64_t)rows * cols * type_bytes[c->buffers->type], (uint64_t)rows * cols * type_bytes[c->buffers->type]);
    lab_end(c);
}

static void run(Lab *lab, const char *kernel, uint32_t rows, uint32_t cols) {
    if (lab_side(lab, 0)) {
        run_big(lab, kernel, rows % 2);
        return;
    }
    Plan plan = plan_of(lab, kernel);
    uint32_t few_rows = whole_tiles(250, plan.tile_rows), few_cols = whole_tiles(250, plan.tile_cols);
    LabCase *small = transpose(lab, kernel, few_rows, few_cols);
    if (instructions_for_32(small, few_rows, few_cols) > most_instructions_for_32 ||
        lab_metric(small, "warp_imbalance") > most_imbalance) {
        lab_note(lab, "Measured at %u x %u instead, where it passes a limit already", few_rows, few_cols);
        measure(small, few_rows, few_cols);
        return;
    }
    lab_end(small);
    measure(transpose(lab, kernel, rows, cols), rows, cols);
}

/* 32 MB each way. */
static void run_floats(Lab *lab, const char *kernel) { run(lab, kernel, 4096, 2048); }
static void run_doubles(Lab *lab, const char *kernel) { run(lab, kernel, 2048, 2048); }

/* Primes, about 16 MB each way. */
static void run_odd_floats(Lab *lab, const char *kernel) { run(lab, kernel, 2053, 2039); }
static void run_odd_doubles(Lab *lab, const char *kernel) { run(lab, kernel, 1447, 1451); }

static const LabTest tests[] = {
    {"transpose_floats", "transposes_about_its_tiles", transposes_about_its_tiles},
    {"transpose_floats", "transposes_every_shape", transposes_every_shape},
    {"transpose_doubles", "transposes_about_its_tiles", transposes_about_its_tiles},
    {"transpose_doubles", "transposes_every_shape", transposes_every_shape},
};

static const LabRun runs[] = {
    {"floats", run_floats}, {"doubles", run_doubles}, {"odd_floats", run_odd_floats}, {"odd_doubles", run_odd_doubles}};

int main(int argc, char **argv) { return lab_main(argc, argv, &(LabSuite){"09-capstone", LAB_TABLE(tests), LAB_TABLE(runs)}); }
