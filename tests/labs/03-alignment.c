/* Lab 03: alignment: what offsets cost; rows with a pitch, in words; a piece that is moved to another offset. Predictions are judged by numbers that
 * are derived here by hand. */
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include "lab/lab.h"

/* --- predictions --------------------------------------------------------------------------------------------------------- */

enum { LANES = 32, SECTOR = 32, MOST_BYTES_READ = 1024, N_ANSWERS = 10 };

typedef struct Given {
    const char *kernel;
    Type type;
    uint32_t lane_words;
} Given;

/* Sectors of the given kernels' loads, for the book's numbers; those of other variants are worked out in the same way (sectors_of):
 *   doubles_late  bytes 24 to 279: sectors 0 to 8
 *   pairs_late    bytes 32 to 287: sectors 1 to 8
 *   some_lanes    9 of them, bytes 16 to 159: sectors 0 to 4
 *   rows_apart    rows begin at bytes 0, 280, 560 and 840, which are 0, 24, 16 and 8 past the beginning of a sector: 4 + 5 + 5 + 5 */
static const Given given[] = {
    {"doubles_late", TYPE_f64, 1}, {"pairs_late", TYPE_f32, 2}, {"some_lanes", TYPE_f32, 4}, {"rows_apart", TYPE_f32, 1}};

enum { N_GIVEN = sizeof given / sizeof *given };

/* What a given kernel does: rows of so many lanes that read, and the words of `in` to the first that is read, and from row to row. */
typedef struct Pattern {
    uint32_t threads, lanes, rows, first, pitch;
} Pattern;

static uint32_t number(const Lab *lab, const char *name) { return (uint32_t)lab_number(lab, name); }

static Pattern pattern_of(const Lab *lab, const Given *g) {
    Pattern p = {.threads = LANES, .lanes = LANES, .rows = 1};
    if (g == &given[0]) p.threads = p.lanes = number(lab, "doubles.lanes"), p.first = number(lab, "doubles.by");
    if (g == &given[1]) p.threads = p.lanes = number(lab, "pairs.lanes"), p.first = number(lab, "pairs.by");
    if (g == &given[2]) p.lanes = number(lab, "lanes.count"), p.first = number(lab, "lanes.by");
    if (g == &given[3]) p.rows = number(lab, "rows.count"), p.pitch = number(lab, "rows.pitch");
    p.first *= g->lane_words;
    return p;
}

static uint32_t sectors_of(const Lab *lab, const Given *g) {
    const Pattern p = pattern_of(lab, g);
    const uint32_t bytes = type_bytes[g->type];
    uint32_t sectors = 0;
    for (uint32_t row = 0; row < p.rows; row++) {
        uint32_t places[LANES];
        for (uint32_t lane = 0; lane < p.lanes; lane++) places[lane] = (p.first + row * p.pitch + lane * g->lane_words) * bytes;
        sectors += lab_pieces(places, p.lanes, g->lane_words * bytes, SECTOR);
    }
    return sectors;
}

/* The book's: 4 * 8; 16 * 2; 32 * 3, since 3 and 32 have no common divisor; 8 * 12 = 96, since 12 and 32 have 4 in common. */
static uint32_t multiple_of(uint32_t bytes) {
    uint32_t multiple = 1;
    while (multiple * bytes % SECTOR != 0) multiple++;
    return multiple;
}

/* The book's rows of 1002 floats are 4008 bytes, 501 * 8: each begins at a multiple of 8, those of even number at one of 16. */
static uint32_t rows_for(const Lab *lab, uint32_t bytes) {
    uint32_t rows = 0;
    for (uint32_t row = 0; row < number(lab, "matrix.rows"); row++)
        rows += row * number(lab, "matrix.columns") * sizeof(float) % bytes == 0;
    return rows;
}

static void run_predictions(Lab *lab, const char *none) {
    (void)none;
    const struct {
        const char *name;
        uint32_t number;
    } answers[N_ANSWERS] = {
        {"doubles_late", sectors_of(lab, &given[0])},
        {"pairs_late", sectors_of(lab, &given[1])},
        {"some_lanes", sectors_of(lab, &given[2])},
        {"rows_apart", sectors_of(lab, &given[3])},
        {"multiple_of_doubles", multiple_of(sizeof(double))},
        {"multiple_of_shorts", multiple_of(sizeof(int16_t))},
        {"multiple_of_pixels", multiple_of(number(lab, "pixel"))},
        {"multiple_of_points", multiple_of(number(lab, "point") * sizeof(float))},
        {"rows_for_float2", rows_for(lab, 2 * sizeof(float))},
        {"rows_for_float4", rows_for(lab, 4 * sizeof(float))},
    };
    uint32_t right = 0;
    for (size_t i = 0; i < N_ANSWERS; i++) {
        char name[80];
        snprintf(name, sizeof name, "predicted_%s", answers[i].name);
        int32_t prediction = lab_prediction(lab, name, 0);
        bool is_right = prediction == (int32_t)answers[i].number;
        snprintf(name, sizeof name, "right.%s", answers[i].name);
        lab_value(lab, name, is_right);
        right += is_right;
        if (!prediction) lab_no_prediction(lab, answers[i].name);
    }
    lab_note_predictions(lab, right, N_ANSWERS);
}

/* The given kernels must be those that the predictions are about: the same results, and the counts derived above. */
static void is_as_given(Lab *lab, const char *kernel) {
    const Given *g = given;
    while (strcmp(g->kernel, kernel) != 0) g++;
    const Pattern p = pattern_of(lab, g);
    uint32_t bytes = type_bytes[g->type], row_words = p.lanes * g->lane_words, row_bytes = row_words * bytes;
    uint8_t results[MOST_BYTES_READ];
    LabCase *c = lab_case(lab, kernel, "one block of %u x %u threads", p.threads, p.rows);
    LabBuffer *in = lab_input(c, "in", g->type, p.first + (p.rows - 1) * p.pitch + row_words),
              *out = lab_output(c, "out", g->type, p.rows * row_words);
    lab_launch(c, (LabShape){.x = 1}, (LabShape){p.threads, p.rows, 1}, 0);
    for (uint32_t row = 0; row < p.rows; row++)
        memcpy(results + row * row_bytes, (const uint8_t *)lab_data(in) + (p.first + row * p.pitch) * bytes, row_bytes);
    lab_expect(c, out, results, p.rows, row_words);
    if (lab_is_counted(lab) &&
        (lab_metric(c, "global.load.requests") != p.rows || lab_metric(c, "global.load.sectors") != sectors_of(lab, g)))
        lab_wrong(c, "it loads in another way than the kernel that was given: put it back as it was");
    lab_end(c);
}

/* --- rows of pixels ------------------------------------------------------------------------------------------------------ */

enum { MOST_MULTIPLE = 128, MOST_BYTES = 1 << 20, MOST_FLOATS = 1 << 19 };

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

static void try_rows(Lab *lab, const char *kernel, const uint32_t *sizes) {
    lab_end(rows_case(lab, kernel, sizes[0], sizes[1], chosen_multiple(lab), sizes[2]));
}

static void darkens_rows_of_every_width(Lab *lab, const char *kernel) {
    static const uint32_t heights[] = {3, 1, 8, 17}, widths[] = {3, 1, 2, 4, 5, 10, 11, 43, 67};
    uint32_t multiple = chosen_multiple(lab);
    for (size_t h = 0; h < sizeof heights / sizeof *heights; h++)
        for (size_t w = 0; w < sizeof widths / sizeof *widths; w++)
            lab_end(rows_case(lab, kernel, heights[h], widths[w], multiple, 1 + w % 2));
    lab_try(lab, kernel, &(LabRanges){3, 2, 12500, 100000, {{1, 1000}, {1, 4000}, {1, 16}}}, try_rows);
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
    lab_moves(c);
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
    static const Launch launches[] = {
        {1, 64}, {2, 33}, {1, 5}, {1, 1}}; /* 5: fewer threads than a sector has floats; 1: than a float4 */
    uint32_t next = 0;
    for (uint32_t from = 0; from < 5; from++)
        for (uint32_t to = 0; to < 9; to++, next++)
            lab_end(move_case(lab, kernel, from, to, lengths[next % 12], launches[(from + next) % 4]));
    lab_end(move_case(lab, kernel, 1, 0, 0, launches[0]));
}

enum { MOST_MOVED = (1 << 18) + 4000, EACH_MOST = 128 };

/* No thread has so many elements that it runs for long. */
static void try_move(Lab *lab, const char *kernel, const uint32_t *sizes) {
    const uint32_t most = EACH_MOST * sizes[3] * sizes[4], n = sizes[0] < most ? sizes[0] : most;
    lab_end(move_case(lab, kernel, sizes[1], sizes[2], n + (sizes[1] + n == 0), (Launch){sizes[3], sizes[4]}));
}

static void moves_far_inside(Lab *lab, const char *kernel) {
    static const uint32_t froms[] = {31, 33, 100, 1003};
    for (size_t i = 0; i < sizeof froms / sizeof *froms; i++)
        for (uint32_t n = 509; n < 517; n++) lab_end(move_case(lab, kernel, froms[i], 7 * n % 61, n, (Launch){2, 64}));
    lab_try(lab, kernel,
            &(LabRanges){5, 1, MOST_MOVED / 16, MOST_MOVED, {{0, MOST_MOVED}, {0, 5000}, {0, 5000}, {1, 300}, {1, 1024}}},
            try_move);
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

/* Why the goals are what they are, and what cannot be had without the lesson; lab.goals, which learners read, says only what is counted.
 *
 * rows: A row of 331 to 339 pixels, an odd number, is 248 to 254 words and 1 or 3 bytes: 8 requests and one, 32 sectors and the last of them
 * once more. Byte by byte it is 32 requests, and without a pitch 31 rows of 32 begin inside a sector, so that each request touches 2. Totals
 * for each row: neither requests with few sectors nor sectors with many requests are of use. Wider words than 4 bytes need fewer requests,
 * which is welcome. One byte a lane is 4 requests for every 128 bytes, and a few more where the compiler unrolls the loop and lanes of a warp
 * leave it at different points. With 16 bytes a lane, which is good, 2 of the 8 warps of a row make all requests but for the end of the row,
 * and have nearly all the work.
 *
 * move: About 2^18 floats: a head of 5 to 7, a tail of 0 to 3, float4 between. For every 128 floats it is 1 store request and 16 sectors, and
 * three of each for the ends. A body that begins at the first multiple of 16 bytes begins in the middle of a sector and stores 17. One by one
 * it is 4 and 20. Of the loads 16 sectors for 128 floats must come from L2, a few more where two blocks want the same one: four loads of 4
 * bytes a lane touch 4 times as many, and L1 has all but the first. */
static const LabTest tests[] = {
    {"doubles_late", "is_as_given", is_as_given},
    {"pairs_late", "is_as_given", is_as_given},
    {"some_lanes", "is_as_given", is_as_given},
    {"rows_apart", "is_as_given", is_as_given},
    {"darken", "darkens_rows_of_every_width", darkens_rows_of_every_width},
    {"move", "moves_between_all_offsets", moves_between_all_offsets},
    {"move", "moves_far_inside", moves_far_inside},
};

static const LabRun runs[] = {{"predictions", run_predictions}, {"rows", run_rows}, {"move", run_move}};

int main(int argc, char **argv) { return lab_main(argc, argv, &(LabSuite){"03-alignment", LAB_TABLE(tests), LAB_TABLE(runs)}); }
