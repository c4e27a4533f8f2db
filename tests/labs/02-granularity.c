/* Lab 02: sectors and lines. Predictions are judged by counts that are derived here by hand. */
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include "lab/lab.h"
#include "observe/sectors.h"

/* --- the given kernels: launched as kernel.cu says ----------------------------------------------------------------------- */

enum { LANES = 32, MOST_BYTES = 1024 /* of what a given kernel writes */, SECTOR = 32, LINE = LINE_SECTORS * SECTOR };

typedef struct Given {
    const char *kernel;
    Type type;
    bool stores; /* it is about its stores, and the old rule is not asked for */
} Given;

/* What the book's numbers come to; those of other variants are worked out in the same way (truth_of). `in` and `out` begin at a line.
 *   two_ends     elements 0 to 15 and 256 to 271: 64 bytes from byte 0 on, 64 from byte 1024 on: 2 sectors and 1 line each
 *   large_steps  36 bytes from lane to lane, more than a sector: 32 sectors. Up to byte 31 * 36 + 3 = 1119, which is in line 8, and no line left out: 9
 *   four_rows    the first 8 floats of four rows of 256 bytes: a sector and a line each
 *   shorts_late  bytes 100 to 163: sectors 3, 4 and 5, lines 0 and 1
 *   kinds        byte 6 of each of 32 items of 8 bytes, 256 bytes: 8 sectors, 2 lines
 *   write_late   bytes 20 to 131: sectors 0 to 4
 *   write_apart  bytes 0 to 186 in steps of 6: sectors 0 to 5 */
static const Given given[] = {
    {"two_ends", TYPE_f32, false},    {"large_steps", TYPE_f32, false}, {"four_rows", TYPE_f32, false},
    {"shorts_late", TYPE_s16, false}, {"kinds", TYPE_u8, false},        {"write_late", TYPE_f32, true},
    {"write_apart", TYPE_u8, true},
};

static const Given *given_find(const char *kernel) {
    for (size_t i = 0; i < sizeof given / sizeof *given; i++)
        if (strcmp(given[i].kernel, kernel) == 0) return &given[i];
    return NULL;
}

/* A warp of a given kernel: how many of its lanes take part, and the element of `in` that each reads, and that of `out` that it writes. */
typedef struct Warp {
    uint32_t lanes, source[LANES], place[LANES];
} Warp;

static Warp warp_of(const Lab *lab, const char *kernel) {
    const bool ends = strcmp(kernel, "two_ends") == 0, late = strcmp(kernel, "write_late") == 0;
    Warp warp = {.lanes = late ? (uint32_t)lab_number(lab, "late.lanes") : LANES};
    const uint32_t first = ends ? (uint32_t)lab_number(lab, "ends.first") : 0, gap = (uint32_t)lab_number(lab, "ends.gap");
    for (uint32_t lane = 0; lane < warp.lanes; lane++) {
        uint32_t source = lane, place = lane;
        if (ends) source = lane < first ? lane : gap + lane;
        if (late) place = lane + (uint32_t)lab_number(lab, "late.by");
        if (strcmp(kernel, "large_steps") == 0) source = lane * (uint32_t)lab_number(lab, "large");
        if (strcmp(kernel, "four_rows") == 0) source = lane % 4 * (uint32_t)lab_number(lab, "row") + lane / 4;
        if (strcmp(kernel, "shorts_late") == 0) source = lane + (uint32_t)lab_number(lab, "shorts");
        if (strcmp(kernel, "kinds") == 0) source = lane * (uint32_t)lab_number(lab, "item.bytes") + 6;
        if (strcmp(kernel, "write_apart") == 0) place = lane * (uint32_t)lab_number(lab, "apart");
        warp.source[lane] = source, warp.place[lane] = place;
    }
    return warp;
}

/* What is to be predicted of a kernel. */
typedef struct Truth {
    uint32_t sectors, lines;
} Truth;

static Truth truth_of(const Lab *lab, const Given *g) {
    const Warp warp = warp_of(lab, g->kernel);
    const uint32_t bytes = type_bytes[g->type];
    uint32_t places[LANES];
    for (uint32_t lane = 0; lane < warp.lanes; lane++) places[lane] = bytes * (g->stores ? warp.place : warp.source)[lane];
    return (Truth){lab_pieces(places, warp.lanes, bytes, SECTOR), lab_pieces(places, warp.lanes, bytes, LINE)};
}

static _Noreturn void not_as_given(LabCase *c) {
    lab_wrong(c, "it touches other places than the kernel that was given: put it back as it was");
}

static void check_counts(LabCase *c, const Given *g, Truth truth) {
    double requests = lab_metric(c, g->stores ? "global.store.requests" : "global.load.requests");
    double sectors = lab_metric(c, g->stores ? "global.store.sectors" : "global.load.sectors");
    bool same = requests == 1 && sectors == truth.sectors;
    if (!g->stores) {
        lab_device(c, "fermi");
        lab_launch(c, (LabShape){.x = 1}, (LabShape){.x = LANES}, 0);
        same &= lab_metric(c, "global.load.sectors") / LINE_SECTORS == truth.lines;
    }
    if (!same) not_as_given(c);
}

static uint32_t count_of(const uint32_t *elements, uint32_t lanes) {
    uint32_t last = 0;
    for (uint32_t lane = 0; lane < lanes; lane++) last = elements[lane] > last ? elements[lane] : last;
    return last + 1;
}

/* The given kernels must be those that the predictions are about: the same results, and the counts derived above. */
static void is_as_given(Lab *lab, const char *kernel) {
    const Given *g = given_find(kernel);
    const Warp warp = warp_of(lab, kernel);
    static const uint8_t zeros[MOST_BYTES];
    uint8_t results[MOST_BYTES] = {0};
    uint32_t bytes = type_bytes[g->type], n = count_of(warp.place, warp.lanes);
    LabCase *c = lab_case(lab, kernel, "one warp");
    LabBuffer *in = lab_input(c, "in", g->type, count_of(warp.source, warp.lanes));
    LabBuffer *out = lab_inout(c, "out", g->type, n, zeros);
    lab_launch(c, (LabShape){.x = 1}, (LabShape){.x = LANES}, 0);
    const uint8_t *elements = lab_data(in);
    for (uint32_t lane = 0; lane < warp.lanes; lane++)
        memcpy(&results[bytes * warp.place[lane]], &elements[bytes * warp.source[lane]], bytes);
    lab_expect(c, out, results, 1, n);
    if (lab_is_counted(lab)) check_counts(c, g, truth_of(lab, g));
    lab_end(c);
}

/* The book's second float of a sum is 32 behind the first. Both loads of a warp want 64 floats, 8 sectors, from its first element on; warp 1 begins 32
 * floats behind warp 0. In all 96 floats, 12 sectors: all that one L1 has to fetch. Of two L1s each fetches 8. */
enum { OVERLAP_ELEMENTS = 64 };

static uint32_t fetched_by(const Lab *lab, uint32_t first, uint32_t threads) {
    uint32_t places[2 * OVERLAP_ELEMENTS];
    for (uint32_t i = 0; i < threads; i++) {
        places[2 * i] = (first + i) * sizeof(float);
        places[2 * i + 1] = (first + i + (uint32_t)lab_number(lab, "overlap")) * sizeof(float);
    }
    return lab_pieces(places, 2 * threads, sizeof(float), SECTOR);
}

static uint32_t fetched_truth(const Lab *lab, uint32_t blocks) {
    uint32_t sectors = 0, threads = OVERLAP_ELEMENTS / blocks;
    for (uint32_t block = 0; block < blocks; block++) sectors += fetched_by(lab, block * threads, threads);
    return sectors;
}

static double fetched(LabCase *c) { return lab_metric(c, "global.load.sectors") - lab_metric(c, "global.load.l1_hit_sectors"); }

static void overlaps_as_given(Lab *lab, const char *kernel) {
    const uint32_t behind = (uint32_t)lab_number(lab, "overlap");
    for (uint32_t blocks = 1; blocks <= 2; blocks++) {
        LabCase *c = lab_case(lab, kernel, "grid %u, block %u", blocks, OVERLAP_ELEMENTS / blocks);
        LabBuffer *in = lab_input(c, "in", TYPE_f32, OVERLAP_ELEMENTS + behind),
                  *out = lab_output(c, "out", TYPE_f32, OVERLAP_ELEMENTS);
        float results[OVERLAP_ELEMENTS];
        const float *elements = lab_data(in);
        for (uint32_t i = 0; i < OVERLAP_ELEMENTS; i++) results[i] = elements[i] + elements[i + behind];
        lab_launch(c, (LabShape){.x = blocks}, (LabShape){.x = OVERLAP_ELEMENTS / blocks}, 0);
        lab_expect(c, out, results, 1, OVERLAP_ELEMENTS);
        if (lab_is_counted(lab) && fetched(c) != fetched_truth(lab, blocks)) not_as_given(c);
        lab_end(c);
    }
}

static uint32_t predicted(Lab *lab, const char *what, const char *of) {
    char name[80];
    snprintf(name, sizeof name, "predicted_%s_%s", what, of);
    return (uint32_t)lab_prediction(lab, name, 0);
}

typedef struct Table {
    uint32_t rows, right;
} Table;

static bool is_right(Lab *lab, const char *what, const char *row, uint32_t truth) {
    uint32_t prediction = predicted(lab, what, row);
    if (!prediction) lab_no_prediction(lab, row);
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
        const char *kernel = given[i].kernel;
        const Truth truth = truth_of(lab, &given[i]);
        bool lines = given[i].stores || is_right(lab, "lines", kernel, truth.lines);
        end_row(lab, kernel, is_right(lab, "sectors", kernel, truth.sectors) && lines, &table);
    }
    end_row(lab, "one_block", is_right(lab, "fetched", "one_block", fetched_truth(lab, 1)), &table);
    end_row(lab, "two_blocks", is_right(lab, "fetched", "two_blocks", fetched_truth(lab, 2)), &table);
    lab_note_predictions(lab, table.right, table.rows);
}

/* --- denoise and join ---------------------------------------------------------------------------------------------------- */

typedef struct Launch {
    uint32_t blocks, threads; /* of a block */
} Launch;

static const Launch launches[] = {{2, 33}, {1, 1}, {1, 64}, {5, 96}};
enum { N_LAUNCHES = sizeof launches / sizeof *launches, MICROPHONES = 8, MOST_FLOATS = 1 << 18 };

enum { BLOCKS_MOST = 300, THREADS_MOST = 1024, EACH_MOST = 64 };

/* No thread has so many elements that it runs for long; one at least. */
static uint32_t fewer(uint32_t count, uint32_t elements, Launch launch) {
    const uint32_t most = EACH_MOST * launch.blocks * launch.threads / elements;
    return count < most ? count : most + !most;
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
    lab_expect_near(c, out, expected, frames, pixels, mean_tolerance * lab_scale(c));
    return c;
}

enum { MEASURED_FRAMES = 6, MEASURED_PIXELS = 40000 };

static void try_denoise(Lab *lab, const char *kernel, const uint32_t *sizes) {
    const Launch launch = {sizes[2], sizes[3]};
    lab_end(denoise_case(lab, kernel, sizes[0], fewer(sizes[1], sizes[0], launch), launch));
}

static void denoises_every_frame(Lab *lab, const char *kernel) {
    static const uint32_t sizes[][2] = {{3, 33}, {1, 1}, {1, 100}, {40, 1}, {2, 31}, {5, 64}};
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++)
        for (size_t k = 0; k < N_LAUNCHES; k++) lab_end(denoise_case(lab, kernel, sizes[i][0], sizes[i][1], launches[k]));
    lab_try(
        lab, kernel,
        &(LabRanges){
            4, 2, 1 << 14, MEASURED_FRAMES * MEASURED_PIXELS, {{1, 200}, {1, 1 << 16}, {1, BLOCKS_MOST}, {1, THREADS_MOST}}},
        try_denoise);
}

static void run_denoise(Lab *lab, const char *kernel) {
    const uint32_t frames = MEASURED_FRAMES, pixels = MEASURED_PIXELS;
    LabCase *c = denoise_case(lab, kernel, frames, pixels, (Launch){132, 128}); /* the H200 has 132 multiprocessors */
    lab_measure(c, (frames + 2) * pixels * sizeof(float), frames * pixels * sizeof(float));
    lab_end(c);
}

static LabCase *join_case(Lab *lab, const char *kernel, uint32_t moments, Launch launch) {
    LabCase *c = lab_case(lab, kernel, "%u moments, grid %u, block %u", moments, launch.blocks, launch.threads);
    uint32_t n = MICROPHONES * moments;
    lab_moves(c);
    LabBuffer *tracks = lab_input(c, "tracks", TYPE_f32, n), *out = lab_output(c, "out", TYPE_f32, n);
    const float *floats = lab_data(tracks);
    for (uint32_t i = 0; i < n; i++) expected[i] = floats[i % MICROPHONES * moments + i / MICROPHONES];
    lab_i32(c, (int32_t)moments);
    lab_launch(c, (LabShape){.x = launch.blocks}, (LabShape){.x = launch.threads}, 0);
    lab_expect(c, out, expected, moments, MICROPHONES);
    return c;
}

static void try_join(Lab *lab, const char *kernel, const uint32_t *sizes) {
    const Launch launch = {sizes[1], sizes[2]};
    lab_end(join_case(lab, kernel, fewer(sizes[0], MICROPHONES, launch), launch));
}

static void joins_every_moment(Lab *lab, const char *kernel) {
    static const uint32_t sizes[] = {33, 1, 2, 4, 31, 32, 65, 101};
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++)
        for (size_t k = 0; k < N_LAUNCHES; k++) lab_end(join_case(lab, kernel, sizes[i], launches[k]));
    lab_try(lab, kernel,
            &(LabRanges){3,
                         1,
                         MOST_FLOATS / MICROPHONES / 16,
                         MOST_FLOATS / MICROPHONES,
                         {{1, MOST_FLOATS / MICROPHONES}, {1, BLOCKS_MOST}, {1, THREADS_MOST}}},
            try_join);
}

static void run_join(Lab *lab, const char *kernel) {
    LabCase *c = join_case(lab, kernel, MOST_FLOATS / MICROPHONES, (Launch){64, 256});
    lab_measure(c, MOST_FLOATS * sizeof(float), MOST_FLOATS * sizeof(float));
    lab_end(c);
}

/* Why the goals are what they are, and what cannot be had without the lesson; lab.goals, which learners read, says only what is counted.
 *
 * denoise: 8 frames of 40,000 pixels come in, 320,000 floats, 10,000 times 32; 4 sectors hold each 32. Six frames go out. A float that is
 * fetched each time that it is used takes 3 * 6 / 8 of that: 9 sectors. The threads, 16,896, are no divisor of the pixels, so that in the
 * order of the output each frame's pixel meets another block. What L1 does not have is counted: more requests that hit gain nothing. Three
 * loads and a store for 7 bytes in 3 of what must be moved are 1.72 requests for 128 bytes.
 *
 * join: 32,768 moments are 262,144 floats, 8192 times 32. With a moment for each thread every store of a warp touches 32 sectors. Sectors in
 * all: wider stores or more of them do not make them fewer unless they fill them. Two stores of 16 bytes a lane, each with gaps of 16, touch
 * every sector twice, 8, which is a quarter of what there was and half of the lesson: worth half. The tracks come from L2 once, 4 sectors for 32 floats, or nearly: a warp uses 16 bytes of each sector
 * that it touches, and another one of the same block the rest. */
static const LabTest tests[] = {
    {"two_ends", "is_as_given", is_as_given},
    {"large_steps", "is_as_given", is_as_given},
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
