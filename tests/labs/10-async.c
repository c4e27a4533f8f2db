/* Lab 10: asynchronous copies. Predictions are judged by what is worked out here by hand. */
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include "lab/lab.h"

enum { LANES = 32, SECTOR = 32, PACK = 16 };

/* --- predictions ---------------------------------------------------------------------------------------------------------- */

static uint32_t given(const Lab *lab, const char *name) { return (uint32_t)lab_number(lab, name); }

/* The byte from which on a lane of the given kernel copies. What the book's numbers come to: apart: 4 bytes every 12 from byte 8 on: the last float ends at
 * byte 384, the first begins in the first sector, and no sector between is left out: 12. packs: 64 contiguous bytes for four lanes, the next 80 bytes on, so
 * that every second four lanes' begin in the middle of a sector: 2 and 3 in turn, 20. */
static uint32_t place_of(const Lab *lab, const char *kernel, uint32_t lane) {
    if (strcmp(kernel, "apart") == 0)
        return (given(lab, "apart.step") * lane + given(lab, "apart.first")) * (uint32_t)sizeof(float);
    const uint32_t many = given(lab, "packs.many");
    return (lane / many * given(lab, "packs.apart") + lane % many) * PACK;
}

static uint32_t bytes_of(const char *kernel) { return strcmp(kernel, "apart") == 0 ? sizeof(float) : PACK; }

static uint32_t sectors_of(const Lab *lab, const char *kernel) {
    uint32_t places[LANES];
    for (uint32_t lane = 0; lane < LANES; lane++) places[lane] = place_of(lab, kernel, lane);
    return lab_pieces(places, LANES, bytes_of(kernel), SECTOR);
}

/* The given kernels must be those that the predictions are about. */
static void is_as_given(Lab *lab, const char *kernel) {
    const uint32_t words = bytes_of(kernel) / sizeof(float),
                   read = place_of(lab, kernel, LANES - 1) / (uint32_t)sizeof(float) + words;
    LabCase *c = lab_case(lab, kernel, "one warp");
    const float *in = lab_data(lab_input(c, "in", TYPE_f32, read));
    LabBuffer *out = lab_output(c, "out", TYPE_f32, LANES * words);
    float *expected = lab_scratch(c, LANES * words * sizeof *expected);
    for (uint32_t i = 0; i < LANES * words; i++) expected[i] = in[place_of(lab, kernel, i / words) / sizeof(float) + i % words];
    lab_launch(c, (LabShape){.x = 1}, (LabShape){.x = LANES}, 0);
    lab_expect(c, out, expected, 1, LANES * words);
    if (lab_is_counted(lab) && (lab_metric(c, "global.load.sectors") != sectors_of(lab, kernel) ||
                                lab_metric(c, "async.bytes") != LANES * bytes_of(kernel)))
        lab_wrong(c, "it copies in another way than the kernel that was given: put it back as it was");
    lab_end(c);
}

static uint32_t sectors_apart(const Lab *lab) { return sectors_of(lab, "apart"); }
static uint32_t sectors_packs(const Lab *lab) { return sectors_of(lab, "packs"); }

/* All groups but the latest `left`: of the book's 7 but 3, and of 4 but 1. What has arrived at the first wait stays, though of 6 groups 4 may be in flight at the second. */
static uint32_t arrived_early(const Lab *lab) { return given(lab, "early.made") - given(lab, "early.left"); }
static uint32_t arrived_again(const Lab *lab) {
    const uint32_t made = given(lab, "again.made"), first = made - given(lab, "again.left"),
                   second = made + given(lab, "again.more") - given(lab, "again.last");
    return first > second ? first : second;
}

/* ring: the oldest buffer and all the others are asked for. alone: all but the one that was just used. */
static uint32_t bytes_ring(const Lab *lab) {
    return given(lab, "ring.blocks") * given(lab, "ring.threads") * given(lab, "ring.bytes") * given(lab, "ring.buffers");
}
static uint32_t bytes_alone(const Lab *lab) {
    return given(lab, "alone.threads") * given(lab, "alone.bytes") * (given(lab, "alone.buffers") - 1);
}

static const struct Row {
    const char *name, *variable;
    uint32_t (*answer)(const Lab *lab);
} rows[] = {{"apart", "sectors_apart", sectors_apart}, {"packs", "sectors_packs", sectors_packs},
            {"early", "arrived_early", arrived_early}, {"again", "arrived_again", arrived_again},
            {"ring", "bytes_ring", bytes_ring},        {"alone", "bytes_alone", bytes_alone}};

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

/* --- edges ---------------------------------------------------------------------------------------------------------------- */

enum { POINTS = 512, FLOATS = 3 * POINTS, THREADS = 128, SMS = 132 };

/* Differences of numbers below 1 are below 2 and rounded by 2^-24, their squares below 4, the sum below 12, each rounded by half of its last bit: below 1e-6 times
 * 4 in all. */
static const double sum_tolerance = 4e-6;

static LabCase *edges_case(Lab *lab, const char *kernel, uint32_t outlines, uint32_t blocks) {
    LabCase *c = lab_case(lab, kernel, outlines == 1 ? "%u outline, grid %u" : "%u outlines, grid %u", outlines, blocks);
    const uint32_t n = outlines * FLOATS;
    float *points = lab_scratch(c, n * sizeof *points), *expected = lab_scratch(c, n / 3 * sizeof *expected);
    for (uint32_t i = 0; i < n; i++) points[i] = lab_float(c, i);
    for (uint32_t i = 0; i < n / 3; i++) {
        const uint32_t next = i % POINTS == POINTS - 1 ? i + 1 - POINTS : i + 1;
        double sum = 0;
        for (uint32_t k = 0; k < 3; k++) {
            const double difference = (double)points[3 * next + k] - points[3 * i + k];
            sum += difference * difference;
        }
        expected[i] = (float)sum;
    }
    lab_input_data(c, "points", TYPE_f32, n, points);
    LabBuffer *lengths = lab_output(c, "lengths", TYPE_f32, n / 3);
    lab_i32(c, (int32_t)outlines);
    lab_launch(c, (LabShape){.x = blocks}, (LabShape){.x = THREADS}, 0);
    lab_expect_near(c, lengths, expected, outlines, POINTS, sum_tolerance * lab_scale(c) * lab_scale(c));
    return c;
}

/* Fewer outlines than a ring has buffers, just as many, more; blocks without any. */
static void measures_any_number_of_outlines(Lab *lab, const char *kernel) {
    for (uint32_t outlines = 1; outlines <= 18; outlines++) lab_end(edges_case(lab, kernel, outlines, 1));
    for (uint32_t blocks = 2; blocks <= 9; blocks++) lab_end(edges_case(lab, kernel, 7, blocks));
}

static void try_edges(Lab *lab, const char *kernel, const uint32_t *sizes) {
    lab_end(edges_case(lab, kernel, sizes[0], sizes[1]));
}

static void measures_what_is_drawn(Lab *lab, const char *kernel) {
    lab_try(lab, kernel, &(LabRanges){2, 1, 40, 300, {{1, 300}, {1, SMS}}}, try_edges);
}

static void run_edges(Lab *lab, const char *kernel) {
    const uint32_t side = lab_side(lab, 0), outlines = side ? side / 64 * (side / 64) : lab_draw(lab, 2500, 2640);
    LabCase *c = edges_case(lab, kernel, outlines, SMS);
    lab_value(lab, "read_bytes", (double)outlines * FLOATS * sizeof(float));
    lab_measure(c, (uint64_t)outlines * FLOATS * sizeof(float), (uint64_t)outlines * POINTS * sizeof(float));
    lab_end(c);
}

static const LabTest tests[] = {
    {"apart", "is_as_given", is_as_given},
    {"packs", "is_as_given", is_as_given},
    {"edges", "measures_any_number_of_outlines", measures_any_number_of_outlines},
    {"edges", "measures_what_is_drawn", measures_what_is_drawn},
};

static const LabRun runs[] = {{"predictions", run_predictions}, {"edges", run_edges}};

int main(int argc, char **argv) { return lab_main(argc, argv, &(LabSuite){"10-async", LAB_TABLE(tests), LAB_TABLE(runs)}); }
