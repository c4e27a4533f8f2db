/* Lab 02: sectors and lines. Predictions are judged by counts that are derived here by hand. */
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include "lab/lab.h"
#include "observe/sectors.h"

/* --- the given kernels: launched as kernel.cu says ----------------------------------------------------------------------- */

enum { LANES = 32, MOST_OUTPUTS = 40, NO_LINES = 0 /* a store: the old rule is not asked for */ };

typedef struct Given {
    const char *kernel;
    uint32_t in_elements, out_elements;
    uint32_t lines, sectors;
} Given;

/* `in` and `out` begin at a line.
 *   read_aligned        bytes 0 to 127: 1 line, 4 sectors
 *   read_permuted       5 and 32 have no common divisor, so 5 * lane + 3 modulo 32 takes each value once: the same bytes
 *   read_misaligned     bytes 4 to 131: sectors 0 to 4, lines 0 and 1
 *   read_one_address    bytes 28 to 31: 1 sector, 1 line
 *   read_scattered      32 different multiples of 128 bytes: 32 lines, a sector in each
 *   write_aligned       bytes 0 to 127: 4 sectors
 *   write_three_pieces  32 bytes each at bytes 0, 64 and 128: 3 sectors
 *   write_shorts        32 * 2 = 64 bytes: 2 sectors */
static const Given given[] = {
    {"read_aligned", 32, 32, 1, 4},
    {"read_permuted", 32, 32, 1, 4},
    {"read_misaligned", 33, 32, 2, 5},
    {"read_one_address", 8, 32, 1, 1},
    {"read_scattered", 1024, 32, 32, 32},
    {"write_aligned", 32, 32, NO_LINES, 4},
    {"write_three_pieces", 24, 40, NO_LINES, 3},
    {"write_shorts", 32, 32, NO_LINES, 2},
};

static const Given *given_find(const char *kernel) {
    for (size_t i = 0; i < sizeof given / sizeof *given; i++)
        if (strcmp(given[i].kernel, kernel) == 0) return &given[i];
    return NULL;
}

/* The element of `in` that the lane reads. */
static uint32_t given_source(const char *kernel, uint32_t lane) {
    if (strcmp(kernel, "read_permuted") == 0) return (5 * lane + 3) % LANES;
    if (strcmp(kernel, "read_scattered") == 0) return (5 * lane + 3) % LANES * LANES;
    if (strcmp(kernel, "read_misaligned") == 0) return lane + 1;
    return strcmp(kernel, "read_one_address") == 0 ? 7 : lane;
}

static void check_counts(LabCase *c, const Given *truth) {
    bool stores = truth->lines == NO_LINES;
    double requests = lab_metric(c, stores ? "global.store.requests" : "global.load.requests"), lines = NO_LINES;
    double sectors = lab_metric(c, stores ? "global.store.sectors" : "global.load.sectors");
    if (!stores) {
        lab_device(c, "fermi");
        lab_launch(c, (LabShape){.x = 1}, (LabShape){.x = LANES}, 0);
        lines = lab_metric(c, "global.load.sectors") / LINE_SECTORS;
    }
    if (requests != 1 || sectors != truth->sectors || lines != truth->lines)
        lab_wrong(c, "it touches other places than the kernel that was given: put it back as it was");
}

/* The given kernels must be those that the predictions are about: the same results, and the counts derived above. */
static void is_as_given(Lab *lab, const char *kernel) {
    const Given *truth = given_find(kernel);
    bool pieces = strcmp(kernel, "write_three_pieces") == 0, shorts = strcmp(kernel, "write_shorts") == 0;
    static const float zeros[MOST_OUTPUTS];
    LabCase *c = lab_case(lab, kernel, "one warp");
    LabBuffer *in = lab_input(c, "in", shorts ? TYPE_s16 : TYPE_f32, truth->in_elements);
    LabBuffer *out = pieces ? lab_inout(c, "out", TYPE_f32, truth->out_elements, zeros)
                            : lab_output(c, "out", shorts ? TYPE_s16 : TYPE_f32, truth->out_elements);
    lab_launch(c, (LabShape){.x = 1}, (LabShape){.x = LANES}, 0);
    float results[MOST_OUTPUTS] = {0};
    const float *elements = lab_data(in);
    for (uint32_t lane = 0; lane < (pieces ? 24 : LANES) && !shorts; lane++)
        results[pieces ? 16 * (lane / 8) + lane % 8 : lane] = elements[given_source(kernel, lane)];
    lab_expect(c, out, shorts ? lab_data(in) : results, 1, truth->out_elements);
    if (lab_is_counted(lab)) check_counts(c, truth);
    lab_end(c);
}

static uint32_t predicted(Lab *lab, const char *what, const char *kernel) {
    char name[80];
    snprintf(name, sizeof name, "predicted_%s_%s", what, kernel);
    return (uint32_t)lab_constant(lab, name, 0, 0, 1000000);
}

/* Remarks on the first prediction that is not right only. */
static void judge(Lab *lab, const char *kernel, const char *what, uint32_t truth, bool *remarked) {
    uint32_t prediction = predicted(lab, what, kernel);
    char name[64];
    snprintf(name, sizeof name, "%s.%s", what, kernel);
    lab_value(lab, name, prediction == truth);
    if (*remarked || prediction == truth) return;
    *remarked = true;
    if (prediction)
        lab_note(lab, "For %s you predict %u %s: too %s", kernel, prediction, what, prediction < truth ? "few" : "many");
    else
        lab_note(lab, "No prediction of the %s of %s yet: put your numbers into the table of kernel.cu", what, kernel);
}

static void run_predictions(Lab *lab, const char *none) {
    (void)none;
    bool remarked = false;
    for (size_t i = 0; i < sizeof given / sizeof *given; i++) {
        if (given[i].lines != NO_LINES) judge(lab, given[i].kernel, "lines", given[i].lines, &remarked);
        judge(lab, given[i].kernel, "sectors", given[i].sectors, &remarked);
    }
}

/* --- blur and gather ----------------------------------------------------------------------------------------------------- */

enum { MOST_ELEMENTS = 1 << 19, BLUR_ELEMENTS = 9 };

/* What a case expects. Static, since a wrong element ends a test in the middle. */
static float expected[MOST_ELEMENTS];

/* Nine values below 1 are added in some order: eight sums below 9, each rounded by 2^-21 at most, so 4e-6 / 9 after the division; that,
 * or a product with a rounded 1/9, adds less than 2^-23. */
static const double blur_tolerance = 1e-6;

static float blurred(const float *elements) {
    double sum = 0;
    for (int k = 0; k < BLUR_ELEMENTS; k++) sum += elements[k];
    return (float)(sum / BLUR_ELEMENTS);
}

static LabCase *blur_case(Lab *lab, const char *kernel, uint32_t n, LabShape grid, LabShape block) {
    LabCase *c = lab_case(lab, kernel, "%u floats, grid %u, block %u", n, grid.x, block.x);
    LabBuffer *in = lab_input(c, "in", TYPE_f32, n + BLUR_ELEMENTS - 1), *out = lab_output(c, "out", TYPE_f32, n);
    const float *elements = lab_data(in);
    for (uint32_t i = 0; i < n; i++) expected[i] = blurred(&elements[i]);
    lab_i32(c, (int32_t)n);
    lab_launch(c, grid, block, 0);
    lab_expect_near(c, out, expected, 1, n, blur_tolerance);
    return c;
}

static void blurs_every_element(Lab *lab, const char *kernel) {
    static const uint32_t sizes[] = {33, 1, 2, 31, 32, 63, 64, 65, 127, 131, 1009}, blocks[] = {1, 33, 64, 256};
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++)
        for (size_t b = 0; b < sizeof blocks / sizeof *blocks; b++)
            for (uint32_t more = 0; more < 2; more++)
                lab_end(blur_case(lab, kernel, sizes[i], (LabShape){.x = lab_blocks(sizes[i], blocks[b]) + more},
                                  (LabShape){.x = blocks[b]}));
}

static void run_blur(Lab *lab, const char *kernel) {
    const uint32_t n = 65536;
    LabCase *c = blur_case(lab, kernel, n, (LabShape){.x = n / 256}, (LabShape){.x = 256});
    lab_measure(c, n * sizeof(float), n * sizeof(float));
    lab_end(c);
}

static LabCase *gather_case(Lab *lab, const char *kernel, uint32_t records, LabShape grid, LabShape block) {
    LabCase *c = lab_case(lab, kernel, "%u records, grid %u, block %u", records, grid.x, block.x);
    LabBuffer *in = lab_input(c, "in", TYPE_f32, 8 * records), *out = lab_output(c, "out", TYPE_f32, 8 * records);
    const float *elements = lab_data(in);
    for (uint32_t field = 0; field < 8; field++)
        for (uint32_t record = 0; record < records; record++) expected[field * records + record] = elements[record * 8 + field];
    lab_i32(c, (int32_t)records);
    lab_launch(c, grid, block, 0);
    lab_expect(c, out, expected, 8, records);
    return c;
}

static void gathers_every_field(Lab *lab, const char *kernel) {
    static const uint32_t sizes[] = {33, 1, 2, 7, 8, 31, 32, 63, 65, 101};
    static const uint32_t shapes[][2] = {{2, 33}, {1, 1}, {1, 64}, {3, 128}}; /* blocks, threads of a block */
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++)
        for (size_t s = 0; s < sizeof shapes / sizeof *shapes; s++)
            lab_end(gather_case(lab, kernel, sizes[i], (LabShape){.x = shapes[s][0]}, (LabShape){.x = shapes[s][1]}));
}

/* One block for each of the H200's multiprocessors: the threads are no divisor of the records, so that in output order the eight
 * fields of a record meet different blocks. */
static void run_gather(Lab *lab, const char *kernel) {
    const uint32_t records = MOST_ELEMENTS / 8;
    LabCase *c = gather_case(lab, kernel, records, (LabShape){.x = 132}, (LabShape){.x = 128});
    lab_measure(c, 8 * records * sizeof(float), 8 * records * sizeof(float));
    lab_end(c);
}

static const LabTest tests[] = {
    {"read_aligned", "is_as_given", is_as_given},         {"read_permuted", "is_as_given", is_as_given},
    {"read_misaligned", "is_as_given", is_as_given},      {"read_one_address", "is_as_given", is_as_given},
    {"read_scattered", "is_as_given", is_as_given},       {"write_aligned", "is_as_given", is_as_given},
    {"write_three_pieces", "is_as_given", is_as_given},   {"write_shorts", "is_as_given", is_as_given},
    {"blur", "blurs_every_element", blurs_every_element}, {"gather", "gathers_every_field", gathers_every_field},
};

static const LabRun runs[] = {{"predictions", run_predictions}, {"blur", run_blur}, {"gather", run_gather}};

int main(int argc, char **argv) {
    return lab_main(argc, argv, &(LabSuite){"02-granularity", LAB_TABLE(tests), LAB_TABLE(runs)});
}
