/* Lab 01: requests and sectors. Predictions are judged by counts that are derived here by hand. */
#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include "lab/lab.h"

/* --- the given kernels: launched as kernel.cu says ----------------------------------------------------------------------- */

enum { GIVEN_THREADS = 64, GIVEN_TURNS = 4 /* of own_chunk's loop */, GIVEN_ACTIVE = 40 /* of some_lanes */ };

typedef struct Given {
    const char *kernel;
    uint32_t requests, sectors;
} Given;

/* Two warps; `in` begins at a sector.
 *   neighbours   a warp touches 32 * 4 = 128 bytes: 4 sectors; 2 warps: 8
 *   backwards    warp 0 touches elements 32 to 63, warp 1 elements 0 to 31: 4 sectors each
 *   one_element  1 sector a warp
 *   doubles      32 * 8 = 256 bytes: 8 sectors a warp
 *   some_lanes   warp 0: 4 sectors; of warp 1 lanes 0 to 7: 32 bytes, 1 sector
 *   own_chunk    4 turns * 2 warps = 8 requests; lanes 16 bytes apart: 32 * 16 / 32 = 16 sectors in each: 128 */
static const Given given[] = {
    {"neighbours", 2, 8}, {"backwards", 2, 8},  {"one_element", 2, 2},
    {"doubles", 2, 16},   {"some_lanes", 2, 5}, {"own_chunk", 8, 128},
};

static const Given *given_find(const char *kernel) {
    for (size_t i = 0; i < sizeof given / sizeof *given; i++)
        if (strcmp(given[i].kernel, kernel) == 0) return &given[i];
    return NULL;
}

static float given_result(const char *kernel, const float *in, uint32_t thread) {
    if (strcmp(kernel, "own_chunk") == 0) {
        float sum = 0;
        for (uint32_t k = 0; k < GIVEN_TURNS; k++) sum += in[GIVEN_TURNS * thread + k];
        return sum;
    }
    if (strcmp(kernel, "backwards") == 0) return in[GIVEN_THREADS - 1 - thread];
    return strcmp(kernel, "one_element") == 0 ? in[0] : in[thread];
}

/* The given kernels must be those that the predictions are about: the same results, and the counts derived above. */
static void is_as_given(Lab *lab, const char *kernel) {
    bool doubles = strcmp(kernel, "doubles") == 0;
    Type type = doubles ? TYPE_f64 : TYPE_f32;
    uint32_t turns = strcmp(kernel, "own_chunk") == 0 ? GIVEN_TURNS : 1;
    uint32_t outputs = strcmp(kernel, "some_lanes") == 0 ? GIVEN_ACTIVE : GIVEN_THREADS;
    LabCase *c = lab_case(lab, kernel, "one block of %d threads", GIVEN_THREADS);
    LabBuffer *in = lab_input(c, "in", type, turns * GIVEN_THREADS), *out = lab_output(c, "out", type, outputs);
    float results[GIVEN_THREADS];
    lab_launch(c, (LabShape){.x = 1}, (LabShape){.x = GIVEN_THREADS}, 0);
    for (uint32_t i = 0; i < outputs && !doubles; i++) results[i] = given_result(kernel, lab_data(in), i);
    lab_expect(c, out, doubles ? lab_data(in) : results, 1, outputs);
    const Given *truth = given_find(kernel);
    if (lab_is_counted(lab) &&
        (lab_metric(c, "global.load.requests") != truth->requests || lab_metric(c, "global.load.sectors") != truth->sectors))
        lab_wrong(c, "it loads in another way than the kernel that was given: put it back as it was");
    lab_end(c);
}

static uint32_t predicted(Lab *lab, const char *what, const char *kernel) {
    char name[80];
    snprintf(name, sizeof name, "predicted_%s_%s", what, kernel);
    return (uint32_t)lab_constant(lab, name, 0, 0, 1000000);
}

/* One remark: about the first prediction that is not right. */
static void run_predictions(Lab *lab, const char *none) {
    (void)none;
    bool remarked = false;
    for (size_t i = 0; i < sizeof given / sizeof *given; i++) {
        const Given *truth = &given[i];
        uint32_t requests = predicted(lab, "requests", truth->kernel), sectors = predicted(lab, "sectors", truth->kernel);
        bool requests_right = requests == truth->requests, sectors_right = sectors == truth->sectors;
        char name[40];
        snprintf(name, sizeof name, "right.%s", truth->kernel);
        lab_value(lab, name, (requests_right + sectors_right) / 2.0);
        if (remarked || (requests_right && sectors_right)) continue;
        remarked = true;
        if (!requests && !sectors)
            lab_note(lab, "No prediction for %s yet: put your numbers into the table of kernel.cu", truth->kernel);
        else
            lab_note(lab, "For %s you predict %u requests and %u sectors: %s", truth->kernel, requests, sectors,
                     requests_right  ? "the requests are right, the sectors are not"
                     : sectors_right ? "the sectors are right, the requests are not"
                                     : "neither is right");
    }
}

/* --- scale and brighten -------------------------------------------------------------------------------------------------- */

static const uint32_t shapes[][2] = {{2, 33}, {1, 1}, {1, 64}, {3, 128}}; /* blocks, threads of a block */
enum { N_SHAPES = sizeof shapes / sizeof *shapes, MOST_ELEMENTS = 1 << 18 };

/* What a case expects. Static, since a wrong element ends a test in the middle. */
static float expected[MOST_ELEMENTS];

static LabCase *scale_case(Lab *lab, const char *kernel, uint32_t n, LabShape grid, LabShape block) {
    LabCase *c = lab_case(lab, kernel, "%u floats, grid %u, block %u", n, grid.x, block.x);
    LabBuffer *in = lab_input(c, "in", TYPE_f32, n), *out = lab_output(c, "out", TYPE_f32, n);
    float factor = 2 + (float)(lab_random(c, n) % 1000) / 1000;
    const float *elements = lab_data(in);
    for (uint32_t i = 0; i < n; i++) expected[i] = factor * elements[i];
    lab_f32(c, factor), lab_i32(c, (int32_t)n);
    lab_launch(c, grid, block, 0);
    lab_expect(c, out, expected, 1, n);
    return c;
}

static void scales_every_element(Lab *lab, const char *kernel) {
    static const uint32_t sizes[] = {33, 1, 2, 31, 32, 63, 64, 65, 127, 131, 256, 1009};
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++)
        for (size_t s = 0; s < N_SHAPES; s++)
            lab_end(scale_case(lab, kernel, sizes[i], (LabShape){.x = shapes[s][0]}, (LabShape){.x = shapes[s][1]}));
}

static void run_scale(Lab *lab, const char *kernel) {
    const uint32_t n = MOST_ELEMENTS;
    LabCase *c = scale_case(lab, kernel, n, (LabShape){.x = 64}, (LabShape){.x = 256});
    lab_measure(c, n * sizeof(float), n * sizeof(float));
    lab_end(c);
}

static LabCase *brighten_case(Lab *lab, const char *kernel, uint32_t rows, uint32_t columns, LabShape grid, LabShape block) {
    LabCase *c = lab_case(lab, kernel, "%u x %u pixels, grid %u, block %u", rows, columns, grid.x, block.x);
    uint32_t n = rows * columns;
    LabBuffer *in = lab_input(c, "in", TYPE_f32, n), *out = lab_output(c, "out", TYPE_f32, n);
    float amount = 0.125f + (float)(lab_random(c, n) % 1000) / 2000;
    const float *pixels = lab_data(in);
    for (uint32_t i = 0; i < n; i++) expected[i] = fminf(pixels[i] + amount, 1.0f);
    lab_f32(c, amount), lab_i32(c, (int32_t)rows), lab_i32(c, (int32_t)columns);
    lab_launch(c, grid, block, 0);
    lab_expect(c, out, expected, rows, columns);
    return c;
}

static void brightens_every_pixel(Lab *lab, const char *kernel) {
    static const uint32_t sizes[][2] = {{3, 33}, {1, 1}, {1, 33}, {33, 1}, {2, 31}, {32, 32}, {31, 65}, {65, 7}, {64, 48}};
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++)
        for (size_t s = 0; s < N_SHAPES; s++)
            lab_end(brighten_case(lab, kernel, sizes[i][0], sizes[i][1], (LabShape){.x = shapes[s][0]},
                                  (LabShape){.x = shapes[s][1]}));
}

static void run_brighten(Lab *lab, const char *kernel) {
    const uint32_t rows = 1024, columns = 256;
    LabCase *c = brighten_case(lab, kernel, rows, columns, (LabShape){.x = 8}, (LabShape){.x = 128});
    lab_measure(c, rows * columns * sizeof(float), rows * columns * sizeof(float));
    lab_end(c);
}

static const LabTest tests[] = {
    {"neighbours", "is_as_given", is_as_given},
    {"backwards", "is_as_given", is_as_given},
    {"one_element", "is_as_given", is_as_given},
    {"doubles", "is_as_given", is_as_given},
    {"some_lanes", "is_as_given", is_as_given},
    {"own_chunk", "is_as_given", is_as_given},
    {"scale", "scales_every_element", scales_every_element},
    {"brighten", "brightens_every_pixel", brightens_every_pixel},
};

static const LabRun runs[] = {{"predictions", run_predictions}, {"scale", run_scale}, {"brighten", run_brighten}};

int main(int argc, char **argv) {
    return lab_main(argc, argv, &(LabSuite){"01-transactions", LAB_TABLE(tests), LAB_TABLE(runs)});
}
