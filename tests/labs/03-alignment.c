/* Lab 03: alignment: rows with a pitch; 16-byte accesses; head, body and tail. */
#include <stdbool.h>
#include <string.h>

#include "lab/lab.h"

enum { MOST_FLOATS = 1 << 19 };

/* What a case expects: elements that the kernel must not touch stay as they were. Static, since a wrong element ends a test in the
 * middle. */
static float expected[MOST_FLOATS];

static float some_factor(LabCase *c) { return 2 + (float)(lab_random(c, 0) % 1000) / 1000; }

/* expected[begin …] of an output that was not launched on yet. */
static void expect_scaled(const LabBuffer *in, float factor, uint32_t begin, uint32_t count) {
    const float *elements = lab_data(in);
    for (uint32_t i = begin; i < begin + count; i++) expected[i] = factor * elements[i];
}

static void expect_untouched(const LabBuffer *out) { memcpy(expected, lab_data(out), lab_count(out) * sizeof(float)); }

/* Whether something was written to the element, which is none of those that the kernel was to compute. */
static bool was_touched(const LabBuffer *out, uint32_t i) {
    return memcmp((const float *)lab_data(out) + i, &expected[i], sizeof expected[i]) != 0;
}

/* --- rows with a pitch --------------------------------------------------------------------------------------------------- */

enum { MOST_MULTIPLE = 128 };

static LabCase *rows_case(Lab *lab, const char *kernel, uint32_t rows, uint32_t columns, uint32_t multiple) {
    uint32_t pitch = lab_blocks(columns, multiple) * multiple;
    LabCase *c = lab_case(lab, kernel, "rows = %u, columns = %u, pitch = %u", rows, columns, pitch);
    LabBuffer *in = lab_input(c, "in", TYPE_f32, rows * pitch), *out = lab_output(c, "out", TYPE_f32, rows * pitch);
    float factor = some_factor(c);
    expect_untouched(out);
    for (uint32_t row = 0; row < rows; row++) expect_scaled(in, factor, row * pitch, columns);
    lab_f32(c, factor), lab_i32(c, (int32_t)rows), lab_i32(c, (int32_t)columns), lab_i32(c, (int32_t)pitch);
    lab_launch(c, (LabShape){lab_blocks(columns, 32), lab_blocks(rows, 8), 1}, (LabShape){32, 8, 1}, 0);
    for (uint32_t row = 0; row < rows; row++)
        for (uint32_t i = row * pitch + columns; i < (row + 1) * pitch; i++)
            if (was_touched(out, i))
                lab_wrong(c,
                          "element %u of 'out' was written, but belongs to no row: row %u is elements %u to %u, row %u begins "
                          "at %u",
                          i, row, row * pitch, row * pitch + columns - 1, row + 1, (row + 1) * pitch);
    lab_expect(c, out, expected, rows, pitch);
    return c;
}

static uint32_t chosen_multiple(Lab *lab) { return (uint32_t)lab_constant(lab, "row_multiple", 1, 1, MOST_MULTIPLE); }

static void scales_rows_of_every_width(Lab *lab, const char *kernel) {
    static const uint32_t heights[] = {3, 1, 2, 8, 17}, widths[] = {9, 1, 2, 3, 7, 8, 31, 32, 33, 63, 67, 101};
    uint32_t multiple = chosen_multiple(lab);
    for (size_t h = 0; h < sizeof heights / sizeof *heights; h++)
        for (size_t w = 0; w < sizeof widths / sizeof *widths; w++)
            lab_end(rows_case(lab, kernel, heights[h], widths[w], multiple));
}

static void run_rows(Lab *lab, const char *kernel) {
    const uint32_t rows = 256, columns = 1001;
    LabCase *c = rows_case(lab, kernel, rows, columns, chosen_multiple(lab));
    lab_measure(c, rows * columns * sizeof(float), rows * columns * sizeof(float));
    lab_end(c);
}

/* --- a whole array, and a piece of one ----------------------------------------------------------------------------------- */

typedef struct Launch {
    uint32_t blocks, threads;
} Launch;

static const Launch measured = {64, 256};

static LabCase *all_case(Lab *lab, const char *kernel, uint32_t n, Launch launch) {
    LabCase *c = lab_case(lab, kernel, "n = %u, grid %u, block %u", n, launch.blocks, launch.threads);
    LabBuffer *in = lab_input(c, "in", TYPE_f32, n), *out = lab_output(c, "out", TYPE_f32, n);
    float factor = some_factor(c);
    expect_scaled(in, factor, 0, n);
    lab_f32(c, factor), lab_i32(c, (int32_t)n);
    lab_launch(c, (LabShape){.x = launch.blocks}, (LabShape){.x = launch.threads}, 0);
    lab_expect(c, out, expected, 1, n);
    return c;
}

static void scales_arrays_of_every_length(Lab *lab, const char *kernel) {
    static const uint32_t lengths[] = {8, 9, 6, 15, 31, 32, 33, 126, 127, 128, 129, 511, 514, 1021, 1, 2, 3, 4, 5, 7, 0};
    static const Launch launches[] = {{1, 1}, {1, 64}, {2, 33}, {3, 128}};
    for (size_t i = 0; i < sizeof lengths / sizeof *lengths; i++)
        for (size_t k = 0; k < sizeof launches / sizeof *launches; k++) lab_end(all_case(lab, kernel, lengths[i], launches[k]));
}

static void run_all(Lab *lab, const char *kernel) {
    const uint32_t n = (1 << 18) + 3;
    LabCase *c = all_case(lab, kernel, n, measured);
    lab_measure(c, n * sizeof(float), n * sizeof(float));
    lab_end(c);
}

/* The arrays go on behind the piece, so that whatever is touched there shows. */
static LabCase *piece_case(Lab *lab, const char *kernel, uint32_t first, uint32_t n, Launch launch) {
    LabCase *c = lab_case(lab, kernel, "first = %u, n = %u, grid %u, block %u", first, n, launch.blocks, launch.threads);
    uint32_t count = first + n + 13;
    LabBuffer *in = lab_input(c, "in", TYPE_f32, count), *out = lab_output(c, "out", TYPE_f32, count);
    float factor = some_factor(c);
    expect_untouched(out);
    expect_scaled(in, factor, first, n);
    lab_f32(c, factor), lab_i32(c, (int32_t)first), lab_i32(c, (int32_t)n);
    lab_launch(c, (LabShape){.x = launch.blocks}, (LabShape){.x = launch.threads}, 0);
    for (uint32_t i = 0; i < count; i++)
        if ((i < first || i >= first + n) && was_touched(out, i))
            lab_wrong(c, "element %u of 'out' was written, %s the piece", i,
                      i < first ? "before the beginning of" : "behind the end of");
    lab_expect(c, out, expected, 1, count);
    return c;
}

static void scales_pieces_that_begin_anywhere(Lab *lab, const char *kernel) {
    static const uint32_t lengths[] = {29, 16, 64, 131, 9, 8, 7, 5, 4, 3, 2, 1, 0};
    static const Launch launches[] = {{1, 64}, {2, 33}, {1, 5}};
    for (uint32_t first = 0; first < 9; first++)
        for (size_t i = 0; i < sizeof lengths / sizeof *lengths; i++)
            lab_end(piece_case(lab, kernel, first, lengths[i], launches[(first + i) % 3]));
}

static void scales_pieces_far_inside(Lab *lab, const char *kernel) {
    static const uint32_t firsts[] = {31, 33, 100, 1003};
    for (size_t i = 0; i < sizeof firsts / sizeof *firsts; i++)
        for (uint32_t n = 509; n < 517; n++) lab_end(piece_case(lab, kernel, firsts[i], n, (Launch){2, 64}));
}

static void run_piece(Lab *lab, const char *kernel) {
    const uint32_t n = (1 << 18) + 6;
    LabCase *c = piece_case(lab, kernel, 3, n, measured);
    lab_measure(c, n * sizeof(float), n * sizeof(float));
    lab_end(c);
}

static const LabTest tests[] = {
    {"scale_rows", "scales_rows_of_every_width", scales_rows_of_every_width},
    {"scale_all", "scales_arrays_of_every_length", scales_arrays_of_every_length},
    {"scale_piece", "scales_pieces_that_begin_anywhere", scales_pieces_that_begin_anywhere},
    {"scale_piece", "scales_pieces_far_inside", scales_pieces_far_inside},
};

static const LabRun runs[] = {{"rows", run_rows}, {"all", run_all}, {"piece", run_piece}};

int main(int argc, char **argv) { return lab_main(argc, argv, &(LabSuite){"03-alignment", LAB_TABLE(tests), LAB_TABLE(runs)}); }
