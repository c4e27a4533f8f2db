/* Lab 02: sectors and lines. Predictions are judged by counts that are derived here by hand. */
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include "lab/lab.h"
#include "observe/sectors.h"

/* --- the given kernels: launched as kernel.cu says ----------------------------------------------------------------------- */

enum { LANES = 32, MOST_OUTPUTS = 192, NO_LINES = 0 /* a store: the old rule is not asked for */, NOT_ASKED = 0 };

typedef struct Given {
    const char *kernel;
    Type type;
    uint32_t in_elements, out_elements, lanes; /* lanes that take part */
    uint32_t lines, sectors;
} Given;

/* `in` and `out` begin at a line.
 *   two_ends     elements 0 to 15 and 256 to 271: 64 bytes from byte 0 on, 64 from byte 1024 on: 2 sectors and 1 line each
 *   every_ninth  36 bytes from lane to lane, more than a sector: 32 sectors. Up to byte 31 * 36 + 3 = 1119, which is in line 8, and no line left out: 9
 *   four_rows    the first 8 floats of four rows of 256 bytes: a sector and a line each
 *   shorts_late  bytes 100 to 163: sectors 3, 4 and 5, lines 0 and 1
 *   kinds        byte 6 of each of 32 items of 8 bytes, 256 bytes: 8 sectors, 2 lines
 *   write_late   bytes 24 to 103: sectors 0 to 3
 *   write_apart  bytes 0 to 186 in steps of 6: sectors 0 to 5 */
static const Given given[] = {
    {"two_ends", TYPE_f32, 272, 32, 32, 2, 4},
    {"every_ninth", TYPE_f32, 280, 32, 32, 9, 32},
    {"four_rows", TYPE_f32, 256, 32, 32, 4, 4},
    {"shorts_late", TYPE_s16, 82, 32, 32, 2, 3},
    {"kinds", TYPE_u8, 256, 32, 32, 2, 8},
    {"write_late", TYPE_f32, 20, 26, 20, NO_LINES, 4},
    {"write_apart", TYPE_u8, 32, 187, 32, NO_LINES, 6},
};

static const Given *given_find(const char *kernel) {
    for (size_t i = 0; i < sizeof given / sizeof *given; i++)
        if (strcmp(given[i].kernel, kernel) == 0) return &given[i];
    return NULL;
}

/* The element of `in` that the lane reads, and that of `out` that it writes. */
static uint32_t given_source(const char *kernel, uint32_t lane) {
    if (strcmp(kernel, "two_ends") == 0) return lane < 16 ? lane : 240 + lane;
    if (strcmp(kernel, "every_ninth") == 0) return 9 * lane;
    if (strcmp(kernel, "four_rows") == 0) return 64 * (lane % 4) + lane / 4;
    if (strcmp(kernel, "shorts_late") == 0) return lane + 50;
    return strcmp(kernel, "kinds") == 0 ? 8 * lane + 6 : lane;
}

static uint32_t given_place(const char *kernel, uint32_t lane) {
    if (strcmp(kernel, "write_late") == 0) return lane + 6;
    return strcmp(kernel, "write_apart") == 0 ? 6 * lane : lane;
}

static _Noreturn void not_as_given(LabCase *c) {
    lab_wrong(c, "it touches other places than the kernel that was given: put it back as it was");
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
    if (requests != 1 || sectors != truth->sectors || lines != truth->lines) not_as_given(c);
}

/* The given kernels must be those that the predictions are about: the same results, and the counts derived above. */
static void is_as_given(Lab *lab, const char *kernel) {
    const Given *truth = given_find(kernel);
    static const uint8_t zeros[MOST_OUTPUTS * sizeof(float)];
    uint8_t results[sizeof zeros] = {0};
    uint32_t bytes = type_bytes[truth->type];
    LabCase *c = lab_case(lab, kernel, "one warp");
    LabBuffer *in = lab_input(c, "in", truth->type, truth->in_elements);
    LabBuffer *out = lab_inout(c, "out", truth->type, truth->out_elements, zeros);
    lab_launch(c, (LabShape){.x = 1}, (LabShape){.x = LANES}, 0);
    const uint8_t *elements = lab_data(in);
    for (uint32_t lane = 0; lane < truth->lanes; lane++)
        memcpy(&results[bytes * given_place(kernel, lane)], &elements[bytes * given_source(kernel, lane)], bytes);
    lab_expect(c, out, results, 1, truth->out_elements);
    if (lab_is_counted(lab)) check_counts(c, truth);
    lab_end(c);
}

/* Both loads of a warp want 64 floats, 8 sectors, from its first element on; warp 1 begins 32 floats behind warp 0. In all 96 floats, 12 sectors: all
 * that one L1 has to fetch. Of two L1s each fetches 8. */
enum { OVERLAP_ELEMENTS = 64, FETCHED_ONE_BLOCK = 12, FETCHED_TWO_BLOCKS = 16 };

static double fetched(LabCase *c) { return lab_metric(c, "global.load.sectors") - lab_metric(c, "global.load.l1_hit_sectors"); }

static void overlaps_as_given(Lab *lab, const char *kernel) {
    for (uint32_t blocks = 1; blocks <= 2; blocks++) {
        LabCase *c = lab_case(lab, kernel, "grid %u, block %u", blocks, OVERLAP_ELEMENTS / blocks);
        LabBuffer *in = lab_input(c, "in", TYPE_f32, OVERLAP_ELEMENTS + LANES),
                  *out = lab_output(c, "out", TYPE_f32, OVERLAP_ELEMENTS);
        float results[OVERLAP_ELEMENTS];
        const float *elements = lab_data(in);
        for (uint32_t i = 0; i < OVERLAP_ELEMENTS; i++) results[i] = elements[i] + elements[i + LANES];
        lab_launch(c, (LabShape){.x = blocks}, (LabShape){.x = OVERLAP_ELEMENTS / blocks}, 0);
        lab_expect(c, out, results, 1, OVERLAP_ELEMENTS);
        if (lab_is_counted(lab) && fetched(c) != (blocks == 1 ? FETCHED_ONE_BLOCK : FETCHED_TWO_BLOCKS)) not_as_given(c);
        lab_end(c);
    }
}

static uint32_t predicted(Lab *lab, const char *what, const char *of) {
    char name[80];
    snprintf(name, sizeof name, "predicted_%s_%s", what, of);
    return (uint32_t)lab_constant(lab, name, 0, INT32_MIN, INT32_MAX);
}

typedef struct Table {
    uint32_t rows, right;
    const char *empty; /* the first row without a number; NULL: there is none */
} Table;

static bool is_right(Lab *lab, const char *what, const char *row, uint32_t truth, Table *table) {
    uint32_t prediction = predicted(lab, what, row);
    if (!prediction && !table->empty) table->empty = row;
    return prediction == truth;
}

static void end_row(Lab *lab, const char *row, bool right, Table *table) {
    char value[64];
    snprintf(value, sizeof value, "right.%s", row);
    lab_value(lab, value, right);
    table->rows++;
    table->right += right;
}

static void run_predictions(Lab *lab, const char *none) {
    (void)none;
    Table table = {0};
    for (size_t i = 0; i < sizeof given / sizeof *given; i++) {
        const Given *truth = &given[i];
        bool lines = truth->lines == NO_LINES || is_right(lab, "lines", truth->kernel, truth->lines, &table);
        end_row(lab, truth->kernel, is_right(lab, "sectors", truth->kernel, truth->sectors, &table) && lines, &table);
    }
    end_row(lab, "one_block", is_right(lab, "fetched", "one_block", FETCHED_ONE_BLOCK, &table), &table);
    end_row(lab, "two_blocks", is_right(lab, "fetched", "two_blocks", FETCHED_TWO_BLOCKS, &table), &table);
    lab_note_predictions(lab, table.right, table.rows, table.empty);
}

/* --- denoise and join ---------------------------------------------------------------------------------------------------- */

typedef struct Launch {
    uint32_t blocks, threads; /* of a block */
} Launch;

static const Launch launches[] = {{2, 33}, {1, 1}, {1, 64}, {5, 96}};
enum { N_LAUNCHES = sizeof launches / sizeof *launches, MICROPHONES = 8, MOST_FLOATS = 1 << 18 };

static Launch drawn_launch(Lab *lab) {
    uint32_t blocks = lab_draw(lab, 8, 40), threads = lab_draw(lab, 50, 300);
    return (Launch){blocks, threads};
}

/* What a case expects. Static, since a wrong element ends a test in the middle. */
static float expected[MOST_FLOATS];

/* Three values below 1 are added in some order: two sums below 3, each rounded by 2^-23 at most, so 8e-8 after the division; that, or a
 * product with a rounded 1/3, adds less than 2^-24. */
static const double mean_tolerance = 2e-7;

static LabCase *denoise_case(Lab *lab, const char *kernel, uint32_t frames, uint32_t pixels, Launch launch) {
    LabCase *c =
        lab_case(lab, kernel, "%u frames of %u pixels, grid %u, block %u", frames, pixels, launch.blocks, launch.threads);
    uint32_t n = frames * pixels;
    LabBuffer *in = lab_input(c, "in", TYPE_f32, n + 2 * pixels), *out = lab_output(c, "out", TYPE_f32, n);
    const float *floats = lab_data(in);
    for (uint32_t i = 0; i < n; i++)
        expected[i] = (float)(((double)floats[i] + floats[i + pixels] + floats[i + 2 * pixels]) / 3);
    lab_i32(c, (int32_t)frames), lab_i32(c, (int32_t)pixels);
    lab_launch(c, (LabShape){.x = launch.blocks}, (LabShape){.x = launch.threads}, 0);
    lab_expect_near(c, out, expected, frames, pixels, mean_tolerance);
    return c;
}

static void denoises_every_frame(Lab *lab, const char *kernel) {
    static const uint32_t sizes[][2] = {{3, 33}, {1, 1}, {1, 100}, {40, 1}, {2, 31}, {5, 64}};
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++)
        for (size_t k = 0; k < N_LAUNCHES; k++) lab_end(denoise_case(lab, kernel, sizes[i][0], sizes[i][1], launches[k]));
    for (int i = 0; i < 4; i++) {
        Launch launch = drawn_launch(lab);
        uint32_t frames = i < 3 ? lab_draw(lab, 1, 20) : lab_draw(lab, 2, 4);
        lab_end(denoise_case(lab, kernel, frames, i < 3 ? lab_draw(lab, 1, 300) : lab_draw(lab, 1 << 14, 1 << 15), launch));
    }
}

static void run_denoise(Lab *lab, const char *kernel) {
    const uint32_t frames = 6, pixels = 40000;
    LabCase *c = denoise_case(lab, kernel, frames, pixels, (Launch){132, 128}); /* the H200 has 132 multiprocessors */
    lab_measure(c, (frames + 2) * pixels * sizeof(float), frames * pixels * sizeof(float));
    lab_end(c);
}

static LabCase *join_case(Lab *lab, const char *kernel, uint32_t moments, Launch launch) {
    LabCase *c = lab_case(lab, kernel, "%u moments, grid %u, block %u", moments, launch.blocks, launch.threads);
    uint32_t n = MICROPHONES * moments;
    LabBuffer *tracks = lab_input(c, "tracks", TYPE_f32, n), *out = lab_output(c, "out", TYPE_f32, n);
    const float *floats = lab_data(tracks);
    for (uint32_t i = 0; i < n; i++) expected[i] = floats[i % MICROPHONES * moments + i / MICROPHONES];
    lab_i32(c, (int32_t)moments);
    lab_launch(c, (LabShape){.x = launch.blocks}, (LabShape){.x = launch.threads}, 0);
    lab_expect(c, out, expected, moments, MICROPHONES);
    return c;
}

static void joins_every_moment(Lab *lab, const char *kernel) {
    static const uint32_t sizes[] = {33, 1, 2, 4, 31, 32, 65, 101};
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++)
        for (size_t k = 0; k < N_LAUNCHES; k++) lab_end(join_case(lab, kernel, sizes[i], launches[k]));
    for (int i = 0; i < 4; i++) {
        Launch launch = drawn_launch(lab);
        lab_end(join_case(lab, kernel, i < 3 ? lab_draw(lab, 1, 500) : lab_draw(lab, 1 << 13, 1 << 14), launch));
    }
}

static void run_join(Lab *lab, const char *kernel) {
    LabCase *c = join_case(lab, kernel, MOST_FLOATS / MICROPHONES, (Launch){64, 256});
    lab_measure(c, MOST_FLOATS * sizeof(float), MOST_FLOATS * sizeof(float));
    lab_end(c);
}

static const LabTest tests[] = {
    {"two_ends", "is_as_given", is_as_given},
    {"every_ninth", "is_as_given", is_as_given},
    {"four_rows", "is_as_given", is_as_given},
    {"shorts_late", "is_as_given", is_as_given},
    {"kinds", "is_as_given", is_as_given},
    {"write_late", "is_as_given", is_as_given},
    {"write_apart", "is_as_given", is_as_given},
    {"overlap", "overlaps_as_given", overlaps_as_given},
    {"denoise", "denoises_every_frame", denoises_every_frame},
    {"join", "joins_every_moment", joins_every_moment},
};

static const LabRun runs[] = {{"predictions", run_predictions}, {"denoise", run_denoise}, {"join", run_join}};

int main(int argc, char **argv) {
    return lab_main(argc, argv, &(LabSuite){"02-granularity", LAB_TABLE(tests), LAB_TABLE(runs)});
}
