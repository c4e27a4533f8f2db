/* Lab 01: requests and sectors. Predictions are judged by counts that are derived here by hand. */
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include "lab/lab.h"

/* --- the given kernels: launched as kernel.cu says ----------------------------------------------------------------------- */

enum { WARPS = 2, LANES = 32, GIVEN_THREADS = WARPS * LANES, TILE_SIDE = 8, SECTOR = 32 };

/* What the book's numbers come to; those of other variants are worked out in the same way (truth_of). Two warps; `in` begins at a sector.
 *   small_steps   lanes 20 bytes apart, less than a sector: none between the first and the last is left out. Warp 0 touches bytes 0 to
 *                 31 * 20 + 3 = 623, sectors 0 to 19: 20. Warp 1 begins at byte 640, a sector, and touches 20 as well
 *   some_share    warp 0 reads elements 0 to 7, warp 1 elements 8 to 15: 32 bytes, 1 sector each
 *   red_bytes     bytes 0 to 93 and 96 to 189, none of the sectors left out: 3 each
 *   first_floats  bytes 0 to 79: 3 sectors; warp 1 has no active lane and makes no request
 *   tile          a warp is four rows of 32 bytes, 80 bytes apart. Rows 0 to 3 are bytes 0 to 31 (sector 0), 80 to 111 (2, 3), 160 to 191 (5) and
 *                 240 to 271 (7, 8): 6. Warp 1 begins at byte 320, a sector: 6
 *   staircase     warp 0: lanes 16 to 31 in one iteration, 64 bytes: 1 request, 2 sectors. Warp 1: two iterations with all lanes, 4 sectors
 *                 each, and one with lanes 16 to 31, 2 sectors: 3 requests, 10 sectors. `in` has 64 floats for each iteration */
static const char *const given[] = {"small_steps", "some_share", "red_bytes", "first_floats", "tile", "staircase"};

enum { N_GIVEN = sizeof given / sizeof *given };

/* How many elements of `in` a thread reads, and the first of them, which is all that it does but in a staircase. */
static uint32_t given_reads(const Lab *lab, const char *kernel, uint32_t thread) {
    if (strcmp(kernel, "staircase") == 0) return thread / (uint32_t)lab_number(lab, "stairs.step");
    return strcmp(kernel, "first_floats") != 0 || thread < (uint32_t)lab_number(lab, "first");
}

static uint32_t given_source(const Lab *lab, const char *kernel, uint32_t thread) {
    if (strcmp(kernel, "small_steps") == 0) return thread * (uint32_t)lab_number(lab, "small");
    if (strcmp(kernel, "some_share") == 0) return thread / (uint32_t)lab_number(lab, "share");
    if (strcmp(kernel, "red_bytes") == 0) return thread * (uint32_t)lab_number(lab, "pixel");
    if (strcmp(kernel, "tile") == 0) return thread / TILE_SIDE * (uint32_t)lab_number(lab, "columns") + thread % TILE_SIDE;
    return thread;
}

static float staircase_sum(const float *in, uint32_t thread, uint32_t floats) {
    float sum = 0;
    for (uint32_t k = 0; k < floats; k++) sum += in[GIVEN_THREADS * k + thread];
    return sum;
}

/* What is to be predicted of a kernel. */
typedef struct Truth {
    uint32_t requests, sectors;
} Truth;

/* A request for each warp and iteration in which a lane is active. */
static Truth truth_of(const Lab *lab, const char *kernel) {
    const uint32_t bytes = strcmp(kernel, "red_bytes") == 0 ? 1 : sizeof(float);
    Truth truth = {0};
    for (uint32_t warp = 0; warp < WARPS; warp++) {
        uint32_t active = 1;
        for (uint32_t k = 0; active; k++) {
            uint32_t places[LANES];
            active = 0;
            for (uint32_t thread = warp * LANES; thread < (warp + 1) * LANES; thread++)
                if (k < given_reads(lab, kernel, thread))
                    places[active++] = (given_source(lab, kernel, thread) + k * GIVEN_THREADS) * bytes;
            truth.requests += active > 0;
            truth.sectors += lab_pieces(places, active, bytes, SECTOR);
        }
    }
    return truth;
}

/* The given kernels must be those that the predictions are about: the same results, and the counts derived above. */
static void is_as_given(Lab *lab, const char *kernel) {
    const Truth truth = truth_of(lab, kernel);
    bool bytes = strcmp(kernel, "red_bytes") == 0, tile = strcmp(kernel, "tile") == 0;
    bool staircase = strcmp(kernel, "staircase") == 0;
    Type type = bytes ? TYPE_u8 : TYPE_f32;
    uint32_t last = GIVEN_THREADS - 1, iterations = given_reads(lab, kernel, last), outputs = GIVEN_THREADS;
    if (strcmp(kernel, "first_floats") == 0) outputs = (uint32_t)lab_number(lab, "first"), iterations = 1;
    LabCase *c = lab_case(lab, kernel, "one block of %s threads", tile ? "8 x 8" : "64");
    LabBuffer *in = lab_input(c, "in", type, given_source(lab, kernel, last) + (iterations - 1) * GIVEN_THREADS + 1),
              *out = lab_output(c, "out", type, outputs);
    float results[GIVEN_THREADS];
    uint8_t byte_results[GIVEN_THREADS];
    lab_launch(c, (LabShape){.x = 1}, tile ? (LabShape){TILE_SIDE, TILE_SIDE, 1} : (LabShape){.x = GIVEN_THREADS}, 0);
    for (uint32_t i = 0; i < outputs; i++) {
        uint32_t source = given_source(lab, kernel, i);
        if (bytes)
            byte_results[i] = ((const uint8_t *)lab_data(in))[source];
        else
            results[i] =
                staircase ? staircase_sum(lab_data(in), i, given_reads(lab, kernel, i)) : ((const float *)lab_data(in))[source];
    }
    lab_expect(c, out, bytes ? (const void *)byte_results : results, 1, outputs);
    if (lab_is_counted(lab) &&
        (lab_metric(c, "global.load.requests") != truth.requests || lab_metric(c, "global.load.sectors") != truth.sectors))
        lab_wrong(c, "it loads in another way than the kernel that was given: put it back as it was");
    lab_end(c);
}

static uint32_t predicted(Lab *lab, const char *what, const char *kernel) {
    char name[80];
    snprintf(name, sizeof name, "predicted_%s_%s", what, kernel);
    return (uint32_t)lab_prediction(lab, name, 0);
}

static void run_predictions(Lab *lab, const char *none) {
    (void)none;
    uint32_t right = 0;
    for (size_t i = 0; i < N_GIVEN; i++) {
        const Truth truth = truth_of(lab, given[i]);
        uint32_t requests = predicted(lab, "requests", given[i]), sectors = predicted(lab, "sectors", given[i]);
        bool is_right = requests == truth.requests && sectors == truth.sectors;
        char name[40];
        snprintf(name, sizeof name, "right.%s", given[i]);
        lab_value(lab, name, is_right);
        right += is_right;
        if (!requests || !sectors) lab_no_prediction(lab, given[i]);
    }
    lab_note_predictions(lab, right, N_GIVEN);
}

/* --- changes and weigh --------------------------------------------------------------------------------------------------- */

typedef struct Launch {
    uint32_t blocks, threads; /* of a block */
} Launch;

static const Launch launches[] = {{2, 33}, {1, 1}, {1, 64}, {3, 128}}, measured = {256, 256};
enum { N_LAUNCHES = sizeof launches / sizeof *launches, MOST_FLOATS = 1 << 20 };

/* What a case expects. Static, since a wrong element ends a test in the middle. */
static float expected[MOST_FLOATS];

enum { BLOCKS_MOST = 300, THREADS_MOST = 1024, EACH_MOST = 128 };

/* No thread has so many elements that it runs for long. */
static uint32_t fewer(uint32_t elements, Launch launch) {
    const uint32_t most = EACH_MOST * launch.blocks * launch.threads;
    return elements < most ? elements : most;
}

static LabCase *changes_case(Lab *lab, const char *kernel, uint32_t n, Launch launch) {
    LabCase *c = lab_case(lab, kernel, "%u floats, grid %u, block %u", n, launch.blocks, launch.threads);
    LabBuffer *in = lab_input(c, "in", TYPE_f32, n), *out = lab_output(c, "out", TYPE_f32, n);
    const float *elements = lab_data(in);
    for (uint32_t i = 0; i < n; i++) expected[i] = i ? elements[i] - elements[i - 1] : elements[i];
    lab_i32(c, (int32_t)n);
    lab_launch(c, (LabShape){.x = launch.blocks}, (LabShape){.x = launch.threads}, 0);
    lab_expect(c, out, expected, 1, n);
    return c;
}

static void try_changes(Lab *lab, const char *kernel, const uint32_t *sizes) {
    const Launch launch = {sizes[1], sizes[2]};
    lab_end(changes_case(lab, kernel, fewer(sizes[0], launch), launch));
}

static void takes_every_difference(Lab *lab, const char *kernel) {
    static const uint32_t sizes[] = {33, 1, 2, 31, 32, 65, 131, 1009};
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++)
        for (size_t k = 0; k < N_LAUNCHES; k++) lab_end(changes_case(lab, kernel, sizes[i], launches[k]));
    lab_try(lab, kernel,
            &(LabRanges){3, 1, MOST_FLOATS / 64, MOST_FLOATS, {{1, MOST_FLOATS}, {1, BLOCKS_MOST}, {1, THREADS_MOST}}},
            try_changes);
}

static void run_changes(Lab *lab, const char *kernel) {
    LabCase *c = changes_case(lab, kernel, MOST_FLOATS, measured);
    lab_measure(c, MOST_FLOATS * sizeof(float), MOST_FLOATS * sizeof(float));
    lab_end(c);
}

enum { MOST_ROWS = 2048, ROW_FLOATS = 128 /* on average */ };
static int32_t starts[MOST_ROWS + 1];

static LabCase *weigh_case(Lab *lab, const char *kernel, uint32_t rows, const uint32_t *lengths, Launch launch) {
    for (uint32_t row = 0; row < rows; row++) starts[row + 1] = starts[row] + (int32_t)lengths[row];
    uint32_t n = (uint32_t)starts[rows];
    LabCase *c = lab_case(lab, kernel, "%u rows, %u floats in all, grid %u, block %u", rows, n, launch.blocks, launch.threads);
    LabBuffer *in = lab_input(c, "in", TYPE_f32, n), *out = lab_output(c, "out", TYPE_f32, n);
    lab_input_data(c, "start", TYPE_s32, rows + 1, starts);
    const float *elements = lab_data(in), *weights = lab_data(lab_input(c, "weight", TYPE_f32, rows));
    for (uint32_t row = 0; row < rows; row++)
        for (int32_t i = starts[row]; i < starts[row + 1]; i++) expected[i] = weights[row] * elements[i];
    lab_i32(c, (int32_t)rows);
    lab_launch(c, (LabShape){.x = launch.blocks}, (LabShape){.x = launch.threads}, 0);
    lab_expect(c, out, expected, 1, n);
    return c;
}

/* Rows up to a length. */
static void try_weigh(Lab *lab, const char *kernel, const uint32_t *sizes) {
    uint32_t lengths[MOST_ROWS];
    for (uint32_t row = 0; row < sizes[0]; row++) lengths[row] = lab_draw(lab, 0, sizes[1]);
    lengths[0] += 1; /* a buffer has an element or more */
    lab_end(weigh_case(lab, kernel, sizes[0], lengths, (Launch){sizes[2], LANES * sizes[3]}));
}

static void weighs_rows_of_every_length(Lab *lab, const char *kernel) {
    static const Launch whole_warps[] = {{2, 32}, {1, 64}, {3, 96}};
    static const uint32_t lengths[] = {33, 0, 1, 31, 32, 64, 65, 0, 0, 7, 100, 3}, counts[] = {12, 1, 3, 7};
    for (size_t i = 0; i < sizeof counts / sizeof *counts; i++)
        for (size_t k = 0; k < sizeof whole_warps / sizeof *whole_warps; k++)
            lab_end(weigh_case(lab, kernel, counts[i], lengths, whole_warps[k]));
    lab_try(lab, kernel,
            &(LabRanges){4,
                         2,
                         MOST_FLOATS / 64,
                         MOST_FLOATS / 2,
                         {{1, MOST_ROWS}, {1, 1 << 14}, {1, BLOCKS_MOST}, {1, THREADS_MOST / LANES}}},
            try_weigh);
}

/* The first row and the last have 256 floats together, the second and the last but one as well, and so on: 128 on average, and rows begin anywhere. */
static void run_weigh(Lab *lab, const char *kernel) {
    uint32_t lengths[MOST_ROWS];
    for (uint32_t row = 0; row < MOST_ROWS / 2; row++) {
        lengths[row] = lab_draw(lab, 64, 192);
        lengths[MOST_ROWS - 1 - row] = 256 - lengths[row];
    }
    LabCase *c = weigh_case(lab, kernel, MOST_ROWS, lengths, (Launch){16, 128});
    lab_measure(c, (MOST_ROWS * ROW_FLOATS + 2 * MOST_ROWS + 1) * sizeof(float), MOST_ROWS * ROW_FLOATS * sizeof(float));
    lab_end(c);
}

/* Why the goals are what they are, and what cannot be had without the lesson; lab.goals, which learners read, says only what is counted.
 *
 * changes: 1,048,576 floats are 32,768 times 32, and each 32 of them fill 4 sectors. Element and predecessor, both loaded: 4 + 5. With less,
 * the predecessor comes from a neighbouring lane. Four floats a lane make wide requests of a chunk: 10 sectors loaded and 8 stored, whole
 * warps at work and every float once. Its lanes are no neighbours all the same, so that 10.5 and 8 are worth nothing. out[i + 1], computed
 * from in[i] and in[i + 1], is stored across the ends of sectors, 5 for each 32: that is full as well. Totals: more requests do not make them
 * smaller. That each float was loaded, by whole warps of all blocks, is what the rules see to. They allow 1.5 requests for every 128 bytes;
 * two loads and a store for 256 bytes are just that, and a little at the ends. With fewer floats a thread's wait for its own loads would
 * outweigh all sectors.
 *
 * weigh: 2048 rows of 64 to 192 floats, 128 on average: 262,144 floats, 8192 times 32. A row begins anywhere, so that most requests touch 5
 * sectors where 4 hold as much, and its last one is not full: 5.1 sectors for every 32 floats. Each warp of a row also loads two ends and a
 * weight, a sector each, 0.75 for every 32 floats: 5.9 with a warp for each row, 8.1 with the four warps of a block, which is as good an idea
 * and needs no more than 3 requests for 128 bytes. Only totals count: cheap requests do not make them smaller. */
static const LabTest tests[] = {
    {"small_steps", "is_as_given", is_as_given},
    {"some_share", "is_as_given", is_as_given},
    {"red_bytes", "is_as_given", is_as_given},
    {"first_floats", "is_as_given", is_as_given},
    {"tile", "is_as_given", is_as_given},
    {"staircase", "is_as_given", is_as_given},
    {"changes", "takes_every_difference", takes_every_difference},
    {"weigh", "weighs_rows_of_every_length", weighs_rows_of_every_length},
};

static const LabRun runs[] = {{"predictions", run_predictions}, {"changes", run_changes}, {"weigh", run_weigh}};

int main(int argc, char **argv) {
    return lab_main(argc, argv, &(LabSuite){"01-transactions", LAB_TABLE(tests), LAB_TABLE(runs)});
}
