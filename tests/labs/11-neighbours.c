/* Lab 11: a swizzled tile, and a histogram across a cluster. Predictions are judged by what is worked out here by hand. */
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include "lab/lab.h"

enum { LANES = 32, SECTOR = 32, WORD = 4, PACK = 16, ROW = 128, TILE = 32, THREADS = 256, BINS = 1 << 14, BLOCKS = 4 };

/* --- predictions ---------------------------------------------------------------------------------------------------------- */

static uint32_t given(const Lab *lab, const char *name) { return (uint32_t)lab_number(lab, name); }

/* The float of a swizzled tile at which this one of this row stands. */
static uint32_t swizzled(uint32_t row, uint32_t col) { return TILE * row + 4 * (col / 4 ^ row % 8) + col % 4; }

/* What the book's numbers come to, and of the last three how. column: rows r and r + 8 have a column in the same bank, and eight rows in eight different ones:
 * 4 wavefronts. packs: eight lanes read packs of every second row, of which two stand at each of four places: 2 wavefronts for eight lanes, 8 in all.
 * neighbour: words 0 to 93, 3 apart: bytes 0 to 375, in which no sector is left out: 12. */
enum { COLUMN = 13 };

static bool is_packs(const char *kernel) { return strcmp(kernel, "packs") == 0; }

static uint32_t row_of(const Lab *lab, const char *kernel, uint32_t lane) {
    return is_packs(kernel) ? given(lab, "packs.step") * lane % TILE : lane % given(lab, "column.rows");
}

static uint32_t wavefronts_of(const Lab *lab, const char *kernel) {
    const uint32_t bytes = is_packs(kernel) ? PACK : WORD;
    uint32_t places[LANES];
    for (uint32_t lane = 0; lane < LANES; lane++)
        places[lane] = swizzled(row_of(lab, kernel, lane), COLUMN) * WORD / bytes * bytes;
    return lab_wavefronts(places, bytes);
}

static uint32_t wavefronts_column(const Lab *lab) { return wavefronts_of(lab, "column"); }
static uint32_t wavefronts_packs(const Lab *lab) { return wavefronts_of(lab, "packs"); }

static uint32_t sectors_of_neighbour(const Lab *lab) {
    uint32_t places[LANES];
    for (uint32_t lane = 0; lane < LANES; lane++) places[lane] = given(lab, "neighbour.step") * lane * WORD;
    return lab_pieces(places, LANES, WORD, SECTOR);
}

static uint32_t float_of_tile(const Lab *lab) { return swizzled(given(lab, "float.row"), given(lab, "float.col")); }

/* As many counters in each block. */
static uint32_t block_counters(const Lab *lab) { return given(lab, "counters.all") / given(lab, "counters.blocks"); }
static uint32_t block_of_counter(const Lab *lab) { return given(lab, "counters.one") / block_counters(lab); }
static uint32_t word_of_counter(const Lab *lab) { return given(lab, "counters.one") % block_counters(lab); }

static void counts_as_given(LabCase *c, const char *metric, uint32_t number) {
    if (lab_metric(c, metric) != number)
        lab_wrong(c, "it reads in another way than the kernel that was given: put it back as it was");
}

/* The given kernels must be those that the predictions are about. */
static void reads_tile_as_given(Lab *lab, const char *kernel) {
    const uint32_t words = is_packs(kernel) ? PACK / WORD : 1, first = COLUMN / words * words;
    LabCase *c = lab_case(lab, kernel, "one warp");
    LabBuffer *out = lab_output(c, "out", TYPE_f32, LANES * words);
    lab_i32(c, COLUMN);
    float *expected = lab_scratch(c, LANES * words * sizeof *expected);
    for (uint32_t i = 0; i < LANES * words; i++)
        expected[i] = (float)(TILE * row_of(lab, kernel, i / words) + first + i % words);
    lab_launch(c, (LabShape){.x = 1}, (LabShape){.x = LANES}, 0);
    lab_expect(c, out, expected, 1, LANES * words);
    if (lab_is_counted(lab)) counts_as_given(c, "shared.load.wavefronts", wavefronts_of(lab, kernel));
    lab_end(c);
}

static void reads_neighbour_as_given(Lab *lab, const char *kernel) {
    enum { CLUSTERS = 2, WORDS = 256 };
    const int32_t step = lab_number(lab, "neighbour.step");
    LabCase *c = lab_case(lab, kernel, "%d blocks of one warp", CLUSTERS * BLOCKS);
    LabBuffer *out = lab_output(c, "out", TYPE_s32, CLUSTERS * BLOCKS * LANES);
    lab_i32(c, step);
    int32_t *expected = lab_scratch(c, CLUSTERS * BLOCKS * LANES * sizeof *expected);
    for (int32_t i = 0; i < CLUSTERS * BLOCKS * LANES; i++)
        expected[i] = WORDS * ((i / LANES + 1) % BLOCKS) + step * (i % LANES);
    lab_launch(c, (LabShape){.x = CLUSTERS * BLOCKS}, (LabShape){.x = LANES}, 0);
    lab_expect(c, out, expected, 1, CLUSTERS * BLOCKS * LANES);
    if (lab_is_counted(lab)) counts_as_given(c, "cluster.load_sectors", CLUSTERS * BLOCKS * sectors_of_neighbour(lab));
    lab_end(c);
}

static const struct Row {
    const char *name, *variable;
    uint32_t (*answer)(const Lab *lab);
} rows[] = {{"column", "wavefronts_column", wavefronts_column},       {"packs", "wavefronts_packs", wavefronts_packs},
            {"neighbour", "sectors_neighbour", sectors_of_neighbour}, {"float", "float_of_tile", float_of_tile},
            {"block", "block_of_counter", block_of_counter},          {"word", "word_of_counter", word_of_counter}};

static void run_predictions(Lab *lab, const char *none) {
    (void)none;
    enum { ROWS = sizeof rows / sizeof *rows };
    uint32_t right = 0;
    for (size_t i = 0; i < ROWS; i++) {
        char name[40];
        snprintf(name, sizeof name, "right.%s", rows[i].name);
        const int32_t number = lab_prediction(lab, rows[i].variable, 0);
        const bool is_right = number == (int32_t)rows[i].answer(lab);
        lab_value(lab, name, is_right);
        right += is_right;
        if (!number) lab_no_prediction(lab, rows[i].name);
    }
    lab_note_predictions(lab, right, ROWS);
}

/* --- tile ----------------------------------------------------------------------------------------------------------------- */

static LabCase *tile_case(Lab *lab, const char *kernel, uint32_t n_rows, uint32_t cols) {
    LabCase *c = lab_case(lab, kernel, "%u x %u floats", n_rows, cols);
    const uint64_t n = (uint64_t)n_rows * cols;
    lab_moves(c);
    LabBuffer *in = lab_input(c, "in", TYPE_f32, n), *out = lab_output(c, "out", TYPE_f32, n);
    lab_i32(c, (int32_t)n_rows), lab_i32(c, (int32_t)cols);
    const float *from = lab_data(in);
    float *expected = lab_scratch(c, n * sizeof *expected);
    for (uint32_t row = 0; row < n_rows; row++)
        for (uint32_t col = 0; col < cols; col++) expected[(uint64_t)col * n_rows + row] = from[(uint64_t)row * cols + col];
    lab_launch(c, (LabShape){cols / TILE, n_rows / TILE, 1}, (LabShape){.x = THREADS}, 0);
    lab_expect(c, out, expected, cols, n_rows);
    return c;
}

static void try_tile(Lab *lab, const char *kernel, const uint32_t *sizes) {
    lab_end(tile_case(lab, kernel, TILE * sizes[0], TILE * sizes[1]));
}

static void transposes_every_shape(Lab *lab, const char *kernel) {
    for (uint32_t down = 1; down <= 3; down++)
        for (uint32_t across = 1; across <= 3; across++) lab_end(tile_case(lab, kernel, TILE * down, TILE * across));
    lab_try(lab, kernel, &(LabRanges){2, 2, 24, 120, {{1, 120}, {1, 120}}}, try_tile);
}

static void run_tile(Lab *lab, const char *kernel) {
    const uint32_t side = lab_side(lab, 0), drawn = side ? side / TILE * TILE : TILE * lab_draw(lab, 16, 18);
    LabCase *c = tile_case(lab, kernel, drawn, drawn);
    const uint64_t bytes = (uint64_t)drawn * drawn * sizeof(float);
    lab_measure(c, bytes, bytes);
    lab_end(c);
}

/* --- histogram ------------------------------------------------------------------------------------------------------------ */

/* How the values are spread: over all bins, or nearly all in a few of them, or in one. */
typedef enum Spread { SPREAD_EVEN, SPREAD_FEW, SPREAD_ONE } Spread;

static LabCase *histogram_case(Lab *lab, const char *kernel, uint32_t n, uint32_t clusters, Spread spread) {
    static const char *const texts[] = {"", ", most in 3 bins", ", all in one bin"};
    LabCase *c = lab_case(lab, kernel, "%u value%s%s, %u cluster%s", n, n == 1 ? "" : "s", texts[spread], clusters,
                          clusters == 1 ? "" : "s");
    uint32_t *values = lab_scratch(c, n * sizeof *values + 1), *counts = lab_scratch(c, BINS * sizeof *counts),
             *expected = lab_scratch(c, BINS * sizeof *expected);
    for (uint32_t bin = 0; bin < BINS; bin++) expected[bin] = counts[bin] = (uint32_t)lab_random(c, ~(uint64_t)bin) % 1000;
    const uint32_t one = (uint32_t)lab_random(c, n);
    for (uint32_t i = 0; i < n; i++) {
        const uint64_t bits = lab_random(c, i);
        values[i] = (uint32_t)bits;
        const uint32_t few = (one + (uint32_t)(bits >> 40) % 3 * 0x51234567) >> 18 << 18;
        if (spread == SPREAD_ONE || (spread == SPREAD_FEW && bits >> 32 & 7))
            values[i] = (spread == SPREAD_ONE ? one >> 18 << 18 : few) | values[i] >> 14;
        expected[values[i] >> 18]++;
    }
    lab_input_data(c, "values", TYPE_u32, n, values);
    LabBuffer *out = lab_inout(c, "counts", TYPE_u32, BINS, counts);
    lab_i32(c, (int32_t)n);
    lab_launch(c, (LabShape){.x = clusters * BLOCKS}, (LabShape){.x = THREADS}, 0);
    lab_expect(c, out, expected, 1, BINS);
    return c;
}

static void counts_any_number_of_values(Lab *lab, const char *kernel) {
    static const uint32_t numbers[] = {1, 31, 255, 256, 257, 1024, 1025, 3000};
    for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++)
        lab_end(histogram_case(lab, kernel, numbers[i], 1 + i % 3, SPREAD_EVEN));
}

/* A bin has more than 65,535 values. */
static void counts_however_they_are_spread(Lab *lab, const char *kernel) {
    lab_end(histogram_case(lab, kernel, 9000, 2, SPREAD_FEW));
    lab_end(histogram_case(lab, kernel, 70000, 1, SPREAD_ONE));
}

static void try_histogram(Lab *lab, const char *kernel, const uint32_t *sizes) {
    lab_end(histogram_case(lab, kernel, sizes[0], sizes[1], SPREAD_EVEN));
}

static void counts_what_is_drawn(Lab *lab, const char *kernel) {
    lab_try(lab, kernel, &(LabRanges){2, 1, 4000, 20000, {{1, 20000}, {1, 4}}}, try_histogram);
}

static void run_histogram(Lab *lab, const char *kernel) {
    enum { SMS = 132, SM_BLOCKS = 8 };
    const uint32_t side = lab_side(lab, 0), n = side ? side * side : lab_draw(lab, 400000, 420000),
                   clusters = side ? SMS * SM_BLOCKS / BLOCKS : lab_draw(lab, 4, 6);
    LabCase *c = histogram_case(lab, kernel, n, clusters, SPREAD_EVEN);
    lab_value(lab, "values", n);
    lab_value(lab, "bins", (double)clusters * BINS);
    if (lab_is_counted(lab)) {
        lab_value(lab, "counted", lab_metric(c, "cluster.atomic_requests") + lab_metric(c, "shared.atomic.requests"));
        lab_value(lab, "others", lab_metric(c, "cluster.load_sectors") + lab_metric(c, "cluster.store_sectors"));
        lab_value(lab, "others_added", lab_metric(c, "cluster.atomic_sectors"));
    }
    lab_measure(c, (uint64_t)n * sizeof(uint32_t), 0);
    lab_end(c);
}

static const LabTest tests[] = {
    {"column", "reads_tile_as_given", reads_tile_as_given},
    {"packs", "reads_tile_as_given", reads_tile_as_given},
    {"neighbour", "reads_neighbour_as_given", reads_neighbour_as_given},
    {"tile", "transposes_every_shape", transposes_every_shape},
    {"histogram", "counts_any_number_of_values", counts_any_number_of_values},
    {"histogram", "counts_however_they_are_spread", counts_however_they_are_spread},
    {"histogram", "counts_what_is_drawn", counts_what_is_drawn},
};

static const LabRun runs[] = {{"predictions", run_predictions}, {"tile", run_tile}, {"histogram", run_histogram}};

int main(int argc, char **argv) {
    return lab_main(argc, argv, &(LabSuite){"11-neighbours", LAB_TABLE(tests), LAB_TABLE(runs)});
}
