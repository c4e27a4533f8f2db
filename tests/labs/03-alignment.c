/* Lab 03: alignment: what offsets cost; rows with a pitch, in words; a piece that is moved to another offset. Predictions are judged by numbers that
 * are derived here by hand. */
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include "lab/lab.h"

/* --- predictions --------------------------------------------------------------------------------------------------------- */

typedef struct Answer {
    const char *name;
    int32_t number;
} Answer;

/* Sectors of the given kernels' loads:
 *   doubles_late  bytes 24 to 279: sectors 0 to 8
 *   pairs_late    bytes 32 to 287: sectors 1 to 8
 *   nine_lanes    bytes 16 to 159: sectors 0 to 4
 *   rows_of_70    rows begin at bytes 0, 280, 560 and 840, which are 0, 24, 16 and 8 past the beginning of a sector: 4 + 5 + 5 + 5
 * The least multiple of elements that is a multiple of 32 bytes: 4 * 8; 16 * 2; 32 * 3, since 3 and 32 have no common divisor; 8 * 12 = 96, since 12 and 32
 * have 4 in common.
 * Rows of 1002 floats are 4008 bytes, 501 * 8: each begins at a multiple of 8, those of even number at one of 16. */
static const Answer answers[] = {
    {"doubles_late", 9},        {"pairs_late", 8},          {"nine_lanes", 5},          {"rows_of_70", 19},
    {"multiple_of_doubles", 4}, {"multiple_of_shorts", 16}, {"multiple_of_pixels", 32}, {"multiple_of_points", 8},
    {"rows_for_float2", 8},     {"rows_for_float4", 4},
};
enum { N_ANSWERS = sizeof answers / sizeof *answers };

static void run_predictions(Lab *lab, const char *none) {
    (void)none;
    const char *empty = NULL;
    uint32_t right = 0;
    for (size_t i = 0; i < N_ANSWERS; i++) {
        char name[80];
        snprintf(name, sizeof name, "predicted_%s", answers[i].name);
        int32_t prediction = lab_constant(lab, name, 0, INT32_MIN, INT32_MAX);
        snprintf(name, sizeof name, "right.%s", answers[i].name);
        lab_value(lab, name, prediction == answers[i].number);
        right += prediction == answers[i].number;
        if (!prediction && !empty) empty = answers[i].name;
    }
    lab_note_predictions(lab, right, N_ANSWERS, empty);
}

enum { LANES = 32, ROWS_OF_70 = 4, MOST_WORDS = 4 * LANES };

typedef struct Given {
    const char *kernel;
    Type type;
    uint32_t in_words;        /* of `in` */
    uint32_t first, pitch;    /* words of `in` to the first that is read, and from row to row */
    uint32_t rows, row_words; /* what is read */
} Given;

static const Given given[] = {
    {"doubles_late", TYPE_f64, 35, 3, 0, 1, 32},
    {"pairs_late", TYPE_f32, 72, 8, 0, 1, 64},
    {"nine_lanes", TYPE_f32, 40, 4, 0, 1, 36},
    {"rows_of_70", TYPE_f32, 3 * 70 + 32, 0, 70, ROWS_OF_70, 32},
};

/* The given kernels must be those that the predictions are about: the same results, and the counts derived above. */
static void is_as_given(Lab *lab, const char *kernel) {
    uint32_t which = 0;
    while (strcmp(given[which].kernel, kernel) != 0) which++;
    const Given *g = &given[which];
    uint32_t bytes = type_bytes[g->type], row_bytes = g->row_words * bytes;
    uint8_t results[MOST_WORDS * sizeof(double)];
    LabCase *c = lab_case(lab, kernel, "one block of %u x %u threads", LANES, g->rows);
    LabBuffer *in = lab_input(c, "in", g->type, g->in_words), *out = lab_output(c, "out", g->type, g->rows * g->row_words);
    lab_launch(c, (LabShape){.x = 1}, (LabShape){LANES, g->rows, 1}, 0);
    for (uint32_t row = 0; row < g->rows; row++)
        memcpy(results + row * row_bytes, (const uint8_t *)lab_data(in) + (g->first + row * g->pitch) * bytes, row_bytes);
    lab_expect(c, out, results, g->rows, g->row_words);
    if (lab_is_counted(lab) &&
        (lab_metric(c, "global.load.requests") != g->rows || lab_metric(c, "global.load.sectors") != answers[which].number))
        lab_wrong(c, "it loads in another way than the kernel that was given: put it back as it was");
    lab_end(c);
}

/* --- rows of pixels ------------------------------------------------------------------------------------------------------ */

enum { MOST_MULTIPLE = 128, MOST_BYTES = 1 << 19, MOST_FLOATS = 1 << 19 };

/* What a case expects: elements that the kernel must not touch stay as they were. Static, since a wrong element ends a test in the
 * middle. */
static uint8_t expected_bytes[MOST_BYTES];
static float expected[MOST_FLOATS];

static LabCase *rows_case(Lab *lab, const char *kernel, uint32_t rows, uint32_t width, uint32_t multiple, uint32_t blocks) {
    uint32_t row_bytes = 3 * width, pitch = lab_blocks(row_bytes, multiple) * multiple;
    LabCase *c = lab_case(lab, kernel, "rows = %u, width = %u, pitch = %u, grid %u x %u", rows, width, pitch, blocks,
                          lab_blocks(rows, 8));
    LabBuffer *in = lab_input(c, "in", TYPE_u8, rows * pitch), *out = lab_output(c, "out", TYPE_u8, rows * pitch);
    const uint8_t *bytes = lab_data(in);
    memcpy(expected_bytes, lab_data(out), rows * pitch);
    for (uint32_t i = 0; i < rows * pitch; i++)
        if (i % pitch < row_bytes) expected_bytes[i] = bytes[i] / 2;
    lab_i32(c, (int32_t)rows), lab_i32(c, (int32_t)width), lab_i32(c, (int32_t)pitch);
    lab_launch(c, (LabShape){blocks, lab_blocks(rows, 8), 1}, (LabShape){32, 8, 1}, 0);
    const uint8_t *found = lab_data(out);
    for (uint32_t i = 0; i < rows * pitch; i++)
        if (i % pitch >= row_bytes && found[i] != expected_bytes[i])
            lab_wrong(c, "byte %u of 'out' was written, but belongs to no row: row %u is bytes %u to %u, row %u begins at %u",
                      i, i / pitch, i / pitch * pitch, i / pitch * pitch + row_bytes - 1, i / pitch + 1,
                      (i / pitch + 1) * pitch);
    lab_expect(c, out, expected_bytes, rows, pitch);
    return c;
}

static uint32_t chosen_multiple(Lab *lab) { return (uint32_t)lab_constant(lab, "row_multiple", 1, 1, MOST_MULTIPLE); }

static void darkens_rows_of_every_width(Lab *lab, const char *kernel) {
    static const uint32_t heights[] = {3, 1, 8, 17}, widths[] = {3, 1, 2, 4, 5, 10, 11, 43, 67};
    uint32_t multiple = chosen_multiple(lab);
    for (size_t h = 0; h < sizeof heights / sizeof *heights; h++)
        for (size_t w = 0; w < sizeof widths / sizeof *widths; w++)
            lab_end(rows_case(lab, kernel, heights[h], widths[w], multiple, 1 + w % 2));
    for (int i = 0; i < 5; i++) {
        uint32_t rows = i < 4 ? lab_draw(lab, 1, 30) : lab_draw(lab, 80, 120);
        uint32_t width = i < 4 ? lab_draw(lab, 1, 200) : lab_draw(lab, 300, 500);
        lab_end(rows_case(lab, kernel, rows, width, multiple, lab_draw(lab, 1, 3)));
    }
}

/* 331, 333, 337 or 339 pixels are 993 to 1017 bytes: 32 sectors, 8 requests of words, and a remainder that is no word. Rounded up to whole words
 * they are not half sectors, as 335 would be. */
static void run_rows(Lab *lab, const char *kernel) {
    static const uint32_t widths[] = {331, 333, 337, 339};
    const uint32_t rows = lab_draw(lab, 257, 271), width = widths[lab_draw(lab, 0, 3)];
    LabCase *c = rows_case(lab, kernel, rows, width, chosen_multiple(lab), 8);
    lab_measure(c, 3 * rows * width, 3 * rows * width);
    lab_value(lab, "rows", rows);
    lab_end(c);
}

/* --- from one place to another ------------------------------------------------------------------------------------------- */

typedef struct Launch {
    uint32_t blocks, threads;
} Launch;

/* `out` goes on behind the place, so that whatever is touched there shows. `in` does not: what is read there is a fault. */
static LabCase *move_case(Lab *lab, const char *kernel, uint32_t from, uint32_t to, uint32_t n, Launch launch) {
    LabCase *c =
        lab_case(lab, kernel, "from = %u, to = %u, n = %u, grid %u, block %u", from, to, n, launch.blocks, launch.threads);
    uint32_t count = to + n + 13;
    LabBuffer *in = lab_input(c, "in", TYPE_f32, from + n), *out = lab_output(c, "out", TYPE_f32, count);
    memcpy(expected, lab_data(out), count * sizeof(float));
    if (n) memcpy(expected + to, (const float *)lab_data(in) + from, n * sizeof(float));
    lab_i32(c, (int32_t)from), lab_i32(c, (int32_t)to), lab_i32(c, (int32_t)n);
    lab_launch(c, (LabShape){.x = launch.blocks}, (LabShape){.x = launch.threads}, 0);
    const float *found = lab_data(out);
    for (uint32_t i = 0; i < count; i++)
        if ((i < to || i >= to + n) && memcmp(&found[i], &expected[i], sizeof(float)) != 0)
            lab_wrong(c, "element %u of 'out' was written, %s of where the elements go", i,
                      i < to ? "before the beginning" : "behind the end");
    lab_expect(c, out, expected, 1, count);
    return c;
}

static void moves_between_all_offsets(Lab *lab, const char *kernel) {
    static const uint32_t lengths[] = {29, 16, 64, 131, 9, 8, 7, 5, 4, 3, 2, 1};
    static const Launch launches[] = {{1, 64}, {2, 33}, {1, 5}};
    uint32_t next = 0;
    for (uint32_t from = 0; from < 5; from++)
        for (uint32_t to = 0; to < 9; to++, next++)
            lab_end(move_case(lab, kernel, from, to, lengths[next % 12], launches[next % 3]));
    lab_end(move_case(lab, kernel, 1, 0, 0, launches[0]));
}

static void moves_far_inside(Lab *lab, const char *kernel) {
    static const uint32_t froms[] = {31, 33, 100, 1003};
    for (size_t i = 0; i < sizeof froms / sizeof *froms; i++)
        for (uint32_t n = 509; n < 517; n++) lab_end(move_case(lab, kernel, froms[i], 7 * n % 61, n, (Launch){2, 64}));
    for (int i = 0; i < 6; i++) {
        uint32_t blocks = lab_draw(lab, 1, 20), threads = lab_draw(lab, 30, 300);
        uint32_t from = lab_draw(lab, 0, 2000), to = lab_draw(lab, 0, 2000);
        uint32_t n = i < 5 ? lab_draw(lab, 0, 2000) : lab_draw(lab, 1 << 16, 1 << 17);
        lab_end(move_case(lab, kernel, from, to, n + (from + n == 0), (Launch){blocks, threads}));
    }
}

/* `out` begins up to 3 floats behind the beginning of a sector, so that the next multiple of 16 bytes is the middle of one; and `in` not at the
 * same distance from a multiple of 16. */
static void run_move(Lab *lab, const char *kernel) {
    const uint32_t n = lab_draw(lab, (1 << 18) - 2000, (1 << 18) + 2000), sector = 8 * lab_draw(lab, 0, 3);
    const uint32_t to = sector + lab_draw(lab, 1, 3), ahead = 4 * lab_draw(lab, 0, 4), from = to + ahead + lab_draw(lab, 1, 3);
    LabCase *c = move_case(lab, kernel, from, to, n, (Launch){64, 256});
    lab_measure(c, n * sizeof(float), n * sizeof(float));
    lab_end(c);
}

static const LabTest tests[] = {
    {"doubles_late", "is_as_given", is_as_given},
    {"pairs_late", "is_as_given", is_as_given},
    {"nine_lanes", "is_as_given", is_as_given},
    {"rows_of_70", "is_as_given", is_as_given},
    {"darken", "darkens_rows_of_every_width", darkens_rows_of_every_width},
    {"move", "moves_between_all_offsets", moves_between_all_offsets},
    {"move", "moves_far_inside", moves_far_inside},
};

static const LabRun runs[] = {{"predictions", run_predictions}, {"rows", run_rows}, {"move", run_move}};

int main(int argc, char **argv) { return lab_main(argc, argv, &(LabSuite){"03-alignment", LAB_TABLE(tests), LAB_TABLE(runs)}); }
