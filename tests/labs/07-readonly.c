/* Lab 07: read-only data. Predictions are judged by what is derived here by hand. */
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include "lab/lab.h"

/* --- the given kernels: launched as kernel.cu says ----------------------------------------------------------------------- */

enum { LANES = 32, WHICH = 13 /* the element that constant_one reads */ };

typedef struct Given {
    const char *kernel;
    bool constant;
    uint32_t nc, sectors; /* global */
    uint32_t addresses;   /* constant */
} Given;

/* 32 floats from the beginning of a sector fill 4 sectors, whichever load brings them. Two lanes share each element of
 * constant_pairs. */
static const Given given[] = {
    {"plain", false, 0, 4, 0},    {"only_const", false, 0, 4, 0},     {"with_ldg", false, 1, 4, 0},
    {"promised", false, 1, 4, 0}, {"constant_pairs", true, 0, 0, 16}, {"constant_one", true, 0, 0, 1},
};

static const Given *given_find(const char *kernel) {
    for (size_t i = 0; i < sizeof given / sizeof *given; i++)
        if (strcmp(given[i].kernel, kernel) == 0) return &given[i];
    return NULL;
}

/* How many ld.global.nc the kernel has. */
static uint32_t count_nc(const Lab *lab, const char *kernel) {
    const Program *program = lab_program(lab);
    Diag diag = {0};
    const Function *function = program_kernel(program, kernel, &diag);
    uint32_t found = 0;
    for (uint32_t i = 0; function && i < function->count; i++) found += program->insns[function->first + i].policy == POLICY_NC;
    return found;
}

/* The given kernels must be those that the predictions are about. */
static void is_as_given(Lab *lab, const char *kernel) {
    const Given *truth = given_find(kernel);
    LabCase *c = lab_case(lab, kernel, "one warp");
    float results[LANES];
    if (truth->constant) {
        if (truth->addresses == 1) lab_i32(c, WHICH);
        for (uint32_t i = 0; i < LANES; i++) results[i] = (float)(truth->addresses == 1 ? WHICH : i / 2) + 0.5f;
    } else {
        memcpy(results, lab_data(lab_input(c, "in", TYPE_f32, LANES)), sizeof results);
    }
    LabBuffer *out = lab_output(c, "out", TYPE_f32, LANES);
    lab_launch(c, (LabShape){.x = 1}, (LabShape){.x = LANES}, 0);
    lab_expect(c, out, results, 1, LANES);
    if (count_nc(lab, kernel) != truth->nc || (lab_is_counted(lab) && (lab_metric(c, "global.load.sectors") != truth->sectors ||
                                                                       lab_metric(c, "constant.requests") != truth->constant)))
        lab_wrong(c, "it loads in another way than the kernel that was given: put it back as it was");
    lab_end(c);
}

static int32_t predicted(Lab *lab, const char *what, const char *kernel) {
    char name[80];
    snprintf(name, sizeof name, "predicted_%s_%s", what, kernel);
    return lab_constant(lab, name, -1, -1, 1000000);
}

/* Whether the prediction is right; a remark on the first of all that is not. */
static bool judge(Lab *lab, const char *kernel, const char *what, uint32_t truth, bool *remarked) {
    int32_t prediction = predicted(lab, what, kernel);
    bool right = prediction == (int32_t)truth;
    if (right || *remarked) return right;
    *remarked = true;
    if (prediction < 0)
        lab_note(lab, "No prediction of %s's %s yet: put your numbers into the table of kernel.cu", kernel, what);
    else
        lab_note(lab, "For %s you predict %s = %d, which is not right", kernel, what, prediction);
    return right;
}

static void run_predictions(Lab *lab, const char *none) {
    (void)none;
    bool remarked = false;
    for (size_t i = 0; i < sizeof given / sizeof *given; i++) {
        const Given *truth = &given[i];
        char name[40];
        snprintf(name, sizeof name, "right.%s", truth->kernel);
        if (truth->constant) {
            lab_value(lab, name, judge(lab, truth->kernel, "addresses", truth->addresses, &remarked));
        } else {
            bool nc = judge(lab, truth->kernel, "nc", truth->nc, &remarked);
            bool sectors = judge(lab, truth->kernel, "sectors", truth->sectors, &remarked);
            lab_value(lab, name, (nc + sectors) / 2.0);
        }
    }
}

/* --- scale_all, filter, lookup ------------------------------------------------------------------------------------------- */

enum { TAPS = 9, CODES = 256, MOST_ELEMENTS = 1 << 16 };

static LabCase *scale_case(Lab *lab, const char *kernel, uint32_t n, uint32_t blocks, uint32_t threads) {
    LabCase *c = lab_case(lab, kernel, "%u floats, grid %u, block %u", n, blocks, threads);
    const float *in = lab_data(lab_input(c, "in", TYPE_f32, n)), *factor = lab_data(lab_input(c, "factor", TYPE_f32, 1));
    LabBuffer *out = lab_output(c, "out", TYPE_f32, n);
    lab_i32(c, (int32_t)n);
    float *expected = lab_scratch(c, n * sizeof *expected);
    for (uint32_t i = 0; i < n; i++) expected[i] = factor[0] * in[i];
    lab_launch(c, (LabShape){.x = blocks}, (LabShape){.x = threads}, 0);
    lab_expect(c, out, expected, 1, n);
    return c;
}

/* The weights are all multiples of 1/32. The compiler may join products and sums: hence the tolerance. */
static LabCase *filter_case(Lab *lab, const char *kernel, uint32_t n, uint32_t blocks, uint32_t threads) {
    static const double weights[TAPS] = {0.03125, 0.0625, 0.125, 0.1875, 0.25, 0.15625, 0.09375, 0.0625, 0.03125};
    LabCase *c = lab_case(lab, kernel, "%u floats, grid %u, block %u", n, blocks, threads);
    const float *in = lab_data(lab_input(c, "in", TYPE_f32, n + TAPS - 1));
    LabBuffer *out = lab_output(c, "out", TYPE_f32, n);
    lab_i32(c, (int32_t)n);
    float *expected = lab_scratch(c, n * sizeof *expected);
    for (uint32_t i = 0; i < n; i++) {
        double sum = 0;
        for (uint32_t k = 0; k < TAPS; k++) sum += weights[k] * in[i + k];
        expected[i] = (float)sum;
    }
    lab_launch(c, (LabShape){.x = blocks}, (LabShape){.x = threads}, 0);
    lab_expect_near(c, out, expected, 1, n, 1e-5);
    return c;
}

static LabCase *lookup_case(Lab *lab, const char *kernel, uint32_t n, uint32_t blocks, uint32_t threads) {
    LabCase *c = lab_case(lab, kernel, "%u codes, grid %u, block %u", n, blocks, threads);
    const uint8_t *codes = lab_data(lab_input(c, "codes", TYPE_u8, n));
    const float *table = lab_data(lab_input(c, "table", TYPE_f32, CODES));
    LabBuffer *out = lab_output(c, "out", TYPE_f32, n);
    lab_i32(c, (int32_t)n);
    float *expected = lab_scratch(c, n * sizeof *expected);
    for (uint32_t i = 0; i < n; i++) expected[i] = table[codes[i]];
    lab_launch(c, (LabShape){.x = blocks}, (LabShape){.x = threads}, 0);
    lab_expect(c, out, expected, 1, n);
    return c;
}

typedef LabCase *MakeCase(Lab *lab, const char *kernel, uint32_t n, uint32_t blocks, uint32_t threads);

static const uint32_t sizes[] = {512, 33, 1, 2, 31, 32, 63, 64, 65, 131, 257, 1009};

static void in_every_shape(Lab *lab, const char *kernel, MakeCase *make) {
    static const uint32_t shapes[][2] = {{2, 96}, {2, 33}, {1, 1}, {3, 256}}; /* blocks, threads of a block */
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++)
        for (size_t s = 0; s < sizeof shapes / sizeof *shapes; s++)
            lab_end(make(lab, kernel, sizes[i], shapes[s][0], shapes[s][1]));
}

static void scales_every_element(Lab *lab, const char *kernel) { in_every_shape(lab, kernel, scale_case); }
static void looks_every_code_up(Lab *lab, const char *kernel) { in_every_shape(lab, kernel, lookup_case); }

static void filters_every_element(Lab *lab, const char *kernel) {
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++)
        for (uint32_t threads = 32; threads <= 96; threads += 32)
            lab_end(filter_case(lab, kernel, sizes[i], lab_blocks(sizes[i], threads), threads));
}

static void measure(LabCase *c) {
    lab_measure(c, MOST_ELEMENTS * sizeof(float), MOST_ELEMENTS * sizeof(float));
    lab_end(c);
}

static void run_scale_all(Lab *lab, const char *kernel) { measure(scale_case(lab, kernel, MOST_ELEMENTS, 8, 256)); }
static void run_filter(Lab *lab, const char *kernel) { measure(filter_case(lab, kernel, MOST_ELEMENTS, 256, 256)); }
static void run_lookup(Lab *lab, const char *kernel) { measure(lookup_case(lab, kernel, MOST_ELEMENTS, 64, 256)); }

static const LabTest tests[] = {
    {"plain", "is_as_given", is_as_given},
    {"only_const", "is_as_given", is_as_given},
    {"with_ldg", "is_as_given", is_as_given},
    {"promised", "is_as_given", is_as_given},
    {"constant_pairs", "is_as_given", is_as_given},
    {"constant_one", "is_as_given", is_as_given},
    {"scale_all", "scales_every_element", scales_every_element},
    {"filter", "filters_every_element", filters_every_element},
    {"lookup", "looks_every_code_up", looks_every_code_up},
};

static const LabRun runs[] = {
    {"predictions", run_predictions}, {"scale_all", run_scale_all}, {"filter", run_filter}, {"lookup", run_lookup}};

int main(int argc, char **argv) { return lab_main(argc, argv, &(LabSuite){"07-readonly", LAB_TABLE(tests), LAB_TABLE(runs)}); }
