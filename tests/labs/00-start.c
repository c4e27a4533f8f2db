/* Lab 00: a thread's number. Predictions are judged by numbers that are derived here by hand. */
#include <stdbool.h>
#include <stdio.h>

#include "lab/lab.h"

/* 5000 elements and 192 threads a block: 26 blocks have 4992, so that it takes 27, of which the last has 8 elements and 184 threads without. Before
 * block 3 there are three blocks, 576 threads. */
static const struct {
    const char *name;
    uint64_t mark;
} truths[] = {{"blocks", UINT64_C(0xa3b050005cefed20)},
              {"idle", UINT64_C(0xa00f31e06ecea225)},
              {"element", UINT64_C(0xfe83c58028c7fd23)}};

enum { N_TRUTHS = sizeof truths / sizeof *truths };

static void run_predictions(Lab *lab, const char *none) {
    (void)none;
    uint32_t right = 0;
    for (size_t i = 0; i < N_TRUTHS; i++) {
        char name[40];
        snprintf(name, sizeof name, "predicted_%s", truths[i].name);
        const int32_t number = lab_prediction(lab, name, 0);
        const bool is_right = lab_mark(truths[i].name, &number, 1) == truths[i].mark;
        snprintf(name, sizeof name, "right.%s", truths[i].name);
        lab_value(lab, name, is_right);
        right += is_right;
        if (number == 0) lab_no_prediction(lab, truths[i].name);
    }
    lab_note_predictions(lab, right, N_TRUTHS);
}

enum { MEASURED_FLOATS = 1000000, MEASURED_THREADS = 256 };

/* What a case expects. Static, since a wrong element ends a test in the middle. */
static float expected[MEASURED_FLOATS];

static LabCase *add_case(Lab *lab, const char *kernel, uint32_t n, uint32_t threads) {
    const uint32_t blocks = (n + threads - 1) / threads;
    LabCase *c = lab_case(lab, kernel, "%u floats, grid %u, block %u", n, blocks, threads);
    const float *a = lab_data(lab_input(c, "a", TYPE_f32, n)), *b = lab_data(lab_input(c, "b", TYPE_f32, n));
    LabBuffer *out = lab_output(c, "out", TYPE_f32, n);
    for (uint32_t i = 0; i < n; i++) expected[i] = a[i] + b[i];
    lab_i32(c, (int32_t)n);
    lab_launch(c, (LabShape){.x = blocks}, (LabShape){.x = threads}, 0);
    lab_expect(c, out, expected, 1, n);
    return c;
}

/* So few blocks that starting them takes no time. */
enum { MOST_BLOCKS = 1 << 11 };

static void try_add(Lab *lab, const char *kernel, const uint32_t *sizes) {
    const uint32_t most = MOST_BLOCKS * sizes[1];
    lab_end(add_case(lab, kernel, sizes[0] < most ? sizes[0] : most, sizes[1]));
}

/* One block that is full, two, one that is not; blocks of one thread, of no whole warp, and the largest; then any. */
static void adds_every_element(Lab *lab, const char *kernel) {
    static const struct {
        uint32_t n, threads;
    } rows[] = {{512, 256}, {1000, 256}, {256, 256}, {1, 32}, {5, 1}, {100, 33}, {4096, 1024}, {1025, 1024}, {3000, 100}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) lab_end(add_case(lab, kernel, rows[i].n, rows[i].threads));
    lab_try(lab, kernel, &(LabRanges){2, 1, MEASURED_FLOATS / 32, MEASURED_FLOATS, {{1, MEASURED_FLOATS}, {1, 1024}}}, try_add);
}

static void run_add(Lab *lab, const char *kernel) {
    LabCase *c = add_case(lab, kernel, MEASURED_FLOATS, MEASURED_THREADS);
    lab_measure(c, 2 * MEASURED_FLOATS * sizeof(float), MEASURED_FLOATS * sizeof(float));
    lab_end(c);
}

/* Why the goals are what they are; lab.goals, which learners read, says only what is counted.
 *
 * Neighbouring threads on neighbouring elements are what everybody writes who has followed the chapter. A number with block and thread exchanged is right
 * as well, and takes eight times the sectors, since the lanes of a warp are as many elements apart as there are blocks: that is worth half, and what it
 * means is lab 01's. Two elements for each thread take twice the sectors, if they are neighbours, and leave half of the warps without any, which is worth
 * nearly all. A float4 for each takes no more sectors, and leaves three of four warps. */
static const LabTest tests[] = {{"add", "adds_every_element", adds_every_element}};

static const LabRun runs[] = {{"predictions", run_predictions}, {"add", run_add}};

int main(int argc, char **argv) { return lab_main(argc, argv, &(LabSuite){"00-start", LAB_TABLE(tests), LAB_TABLE(runs)}); }
