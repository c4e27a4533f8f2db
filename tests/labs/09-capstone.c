/* Lab 09: transposes of a rows x cols matrix, of bytes, floats and doubles, whose block and tile the learner chose. */
#include <stdio.h>
#include <string.h>

#include "lab/lab.h"
#include "machine/access.h"

/* What stands in the learner's constants. */
typedef struct Plan {
    uint32_t tile_cols, tile_rows, block_x, block_y;
} Plan;

enum { TILE_MOST = 512, BLOCK_MOST = 1024 };

static Type type_of(const char *kernel) {
    if (strcmp(kernel, "transpose_bytes") == 0) return TYPE_u8;
    return strcmp(kernel, "transpose_doubles") == 0 ? TYPE_f64 : TYPE_f32;
}

static const char *word(const char *kernel) {
    Type type = type_of(kernel);
    return type == TYPE_u8 ? "byte" : type == TYPE_f64 ? "double" : "float";
}

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

/* In squares, which fit a cache: a large column after the other would miss it at each element. */
#define EXPECT(name, Element)                                                         \
    static void name(const Element *in, Element *out, uint64_t rows, uint64_t cols) { \
        enum { SIDE = 64 };                                                           \
        for (uint64_t top = 0; top < rows; top += SIDE)                               \
            for (uint64_t left = 0; left < cols; left += SIDE)                        \
                for (uint64_t col = left; col < cols && col < left + SIDE; col++)     \
                    for (uint64_t row = top; row < rows && row < top + SIDE; row++)   \
                        out[col * rows + row] = in[row * cols + col];                 \
    }
EXPECT(expect_bytes, uint8_t)
EXPECT(expect_words, uint32_t)
EXPECT(expect_double_words, uint64_t)

static LabCase *transpose(Lab *lab, const char *kernel, uint32_t rows, uint32_t cols) {
    Plan plan = plan_of(lab, kernel);
    Type type = type_of(kernel);
    size_t size = type_bytes[type];
    uint64_t n = (uint64_t)rows * cols;
    LabCase *c = lab_case(lab, kernel, "%u x %u %ss", rows, cols, word(kernel));
    check_block(c, kernel, &plan);
    lab_moves(c);
    LabBuffer *in = lab_input(c, "in", type, n), *out = lab_output(c, "out", type, n);
    lab_i32(c, (int32_t)rows);
    lab_i32(c, (int32_t)cols);
    void *expected = lab_scratch(c, n * size);
    if (type == TYPE_u8) expect_bytes(lab_data(in), expected, rows, cols);
    if (type == TYPE_f32) expect_words(lab_data(in), expected, rows, cols);
    if (type == TYPE_f64) expect_double_words(lab_data(in), expected, rows, cols);
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

/* Whole tiles first, which show a mistake most plainly; then about one and two tiles, whatever their shape: each of the rows meets three
 * of the columns. */
static void transposes_about_its_tiles(Lab *lab, const char *kernel) {
    Plan plan = plan_of(lab, kernel);
    uint32_t w = plan.tile_cols, h = plan.tile_rows;
    try_shape(lab, kernel, 2 * h, 3 * w);
    const uint32_t rows[] = {h, h + 1, h > 1 ? h - 1 : 1, 2 * h + 3, h / 2 + 1, 1},
                   cols[] = {w, w + 1, w > 1 ? w - 1 : 1, 2 * w + 3, w / 2 + 1, 1};
    enum { EDGES = sizeof rows / sizeof *rows };
    for (uint32_t i = 0; i < EDGES; i++)
        for (uint32_t j = 0; j < EDGES; j += 2) try_shape(lab, kernel, rows[i], cols[(i + j) % EDGES]);
}

/* Squares and other shapes to 64, thin and wide, primes; rows of `in`, of `out`, of both or of neither that begin at multiples of 16 bytes. */
static void transposes_every_shape(Lab *lab, const char *kernel) {
    static const uint32_t shapes[][2] = {{1, 1021}, {1021, 1}, {2, 1024}, {1024, 2}, {3, 517},  {97, 127},
                                         {132, 68}, {68, 132}, {64, 101}, {101, 64}, {36, 402}, {320, 256}};
    for (uint32_t n = 1; n <= 64; n += n < 8 ? 1 : 5) {
        try_shape(lab, kernel, n, n);
        try_shape(lab, kernel, n, 65 - n);
    }
    for (size_t i = 0; i < sizeof shapes / sizeof *shapes; i++) try_shape(lab, kernel, shapes[i][0], shapes[i][1]);
}

static void try_transpose(Lab *lab, const char *kernel, const uint32_t *sizes) {
    lab_end(transpose(lab, kernel, sizes[0], sizes[1]));
}

/* Any rows and cols, multiples of 16, and one of each that is large. */
static void transposes_what_is_drawn(Lab *lab, const char *kernel) {
    for (uint32_t i = 0; i < 4; i++) {
        uint32_t unit = i % 2 ? 16 : 1;
        uint32_t rows = lab_draw(lab, 1, 300 / unit), cols = lab_draw(lab, 1, 300 / unit);
        try_shape(lab, kernel, unit * rows, unit * cols);
    }
    uint32_t rows = lab_draw(lab, 257, 360), cols = lab_draw(lab, 257, 360);
    try_shape(lab, kernel, rows, cols);
    rows = lab_draw(lab, 17, 22), cols = lab_draw(lab, 17, 22);
    try_shape(lab, kernel, 16 * rows, 16 * cols);
    lab_try(lab, kernel, &(LabRanges){2, 2, 1 << 13, 1 << 18, {{1, 5000}, {1, 5000}}}, try_transpose);
}

/* --- runs ----------------------------------------------------------------------------------------------------------------- */

/* No less than what the rules `work` and `share` allow to any run. A kernel that breaks one of them on a small matrix is measured there: the large
 * one could take minutes. */
static const double most_work = 130, most_imbalance = 2;

static double work(LabCase *c, uint64_t bytes) { return lab_metric(c, "instructions") * 128 / (2.0 * (double)bytes); }

static void measure(LabCase *c, uint64_t bytes) {
    lab_measure(c, bytes, bytes);
    lab_end(c);
}

static uint32_t whole_tiles(uint32_t least, uint32_t tile) { return lab_blocks(least, tile) * tile; }

/* On a GPU: squares, and 10007 x 9973 where a run is of primes. */
static void run_big(Lab *lab, const char *kernel, bool odd) {
    uint32_t side = lab_side(lab, 0), rows = odd ? side - side / 5 - 233 : side, cols = odd ? side - side / 5 - 267 : side;
    LabCase *c = transpose(lab, kernel, rows, cols);
    uint64_t bytes = (uint64_t)rows * cols * type_bytes[type_of(kernel)];
    lab_measure(c, bytes, bytes);
    lab_end(c);
}

static void run(Lab *lab, const char *kernel, uint32_t rows, uint32_t cols) {
    if (lab_side(lab, 0)) {
        run_big(lab, kernel, rows % 2);
        return;
    }
    Plan plan = plan_of(lab, kernel);
    uint32_t few_rows = whole_tiles(250, plan.tile_rows), few_cols = whole_tiles(250, plan.tile_cols);
    uint64_t size = type_bytes[type_of(kernel)], few = few_rows * few_cols * size;
    LabCase *small = transpose(lab, kernel, few_rows, few_cols);
    if (work(small, few) > most_work || lab_metric(small, "warp_imbalance") > most_imbalance) {
        lab_note(lab, "Measured at %u x %u instead, where it breaks a rule already", few_rows, few_cols);
        measure(small, few);
        return;
    }
    lab_end(small);
    measure(transpose(lab, kernel, rows, cols), rows * cols * size);
}

/* About 8 MB each way. Drawn, so that no kernel is made for one size: rows begin at sectors on both sides, and the last tiles lack so little that
 * large tiles lose nothing by them; the sides of odd_floats are odd. */
static void run_drawn(Lab *lab, const char *kernel, uint32_t rows, uint32_t cols, uint32_t unit, uint32_t most) {
    rows -= unit * lab_draw(lab, 1, most);
    cols -= unit * lab_draw(lab, 1, most);
    run(lab, kernel, rows, cols);
}

static void run_bytes(Lab *lab, const char *kernel) { run_drawn(lab, kernel, 4096, 2048, 32, 2); }
static void run_floats(Lab *lab, const char *kernel) { run_drawn(lab, kernel, 1024, 2048, 8, 4); }
static void run_odd_floats(Lab *lab, const char *kernel) { run_drawn(lab, kernel, 1025, 2049, 2, 4); }
static void run_doubles(Lab *lab, const char *kernel) { run_drawn(lab, kernel, 1024, 1024, 4, 4); }

/* Why the goals are what they are, and what cannot be had without the lesson; lab.goals, which learners read, says only what is counted.
 *
 * all: The tile of lab 06 takes 10 with floats, 6 with doubles, a hundred with bytes.
 *
 * floats: The model is within 15% of an H200 for most kernels, so that for floats, where the tile of lab 06 is modelled as 0.93 of a copy, no
 * points are for the last hundredths. They are what the figures are for.
 *
 * bytes_speed: The tile of lab 06 is modelled as 0.14 of a copy.
 *
 * odd_floats: Both sides are odd. A warp that stores 32 floats of a row of out wherever the row begins touches 5 sectors, mostly: 4.88, as the
 * tiles of labs 05 and 06 do. Only the ends of what a tile writes need to be partial: 4.23 with 128 rows a tile. */
#define TESTS(kernel)                                                   \
    {kernel, "transposes_about_its_tiles", transposes_about_its_tiles}, \
        {kernel, "transposes_every_shape", transposes_every_shape}, {   \
        kernel, "transposes_what_is_drawn", transposes_what_is_drawn    \
    }

static const LabTest tests[] = {TESTS("transpose_bytes"), TESTS("transpose_floats"), TESTS("transpose_doubles")};

static const LabRun runs[] = {
    {"bytes", run_bytes}, {"floats", run_floats}, {"odd_floats", run_odd_floats}, {"doubles", run_doubles}};

int main(int argc, char **argv) { return lab_main(argc, argv, &(LabSuite){"09-capstone", LAB_TABLE(tests), LAB_TABLE(runs)}); }
