/* Lab 06: what waits for banks: floats in the order of a Fourier transform, channels in doubles, sums of a weighted histogram. */
#include <stdio.h>
#include <string.h>

#include "lab/lab.h"

enum { LANES = 32, WORD = 4, THREADS = 256, SEGMENT = 1024, CHANNELS = 16, MOMENTS = 64, LEVELS = 16, VALUES = 4096 };

/* --- predictions --------------------------------------------------------------------------------------------------------- */

enum { STEPS = 3 };

/* What the book's numbers come to; those of other variants are worked out in the same way.
 * bytes    12 apart: words 3 * i, an odd stride, all banks once. 16 apart: words 4 * i, in 8 banks. 5 apart: words 5 * i / 4, up to 38; words 32
 *          to 38 but 34 lie in the banks of words 0 to 6
 * rows     32: four words in each of 8 banks. 40: rows begin in banks 0, 8, 16, 24. 36: in banks 0, 4, 8, 12, and each overlaps the next by four
 * doubles  in two halves of 16 lanes over 16 pairs of banks. 5: odd, all pairs once: 1 a half. 12: 4 pairs, 4 a half. 6: 8 pairs, 2 a half */
typedef struct Pattern {
    const char *kernel, *answers, *steps; /* steps: as lab.goals calls them */
    uint32_t bytes;                       /* of a lane */
} Pattern;

static const Pattern patterns[] = {
    {"bytes_apart", "wavefronts_of_bytes", "bytes", 1},
    {"four_rows", "wavefronts_of_rows", "rows", WORD},
    {"doubles_apart", "wavefronts_of_doubles", "doubles", 2 * WORD},
};

static int32_t step_of(const Lab *lab, const Pattern *p, uint32_t number) {
    char name[40];
    snprintf(name, sizeof name, "%s.%u", p->steps, number + 1);
    return lab_number(lab, name);
}

/* The byte that a lane has. */
static uint32_t byte_of(const Pattern *p, uint32_t step, uint32_t lane) {
    if (strcmp(p->kernel, "bytes_apart") == 0) return step * lane;
    if (strcmp(p->kernel, "four_rows") == 0) return (lane / 8 * step + lane % 8) * WORD;
    return step * lane * 2 * WORD;
}

static int32_t wavefronts_of(const Pattern *p, uint32_t step) {
    uint32_t places[LANES];
    for (uint32_t lane = 0; lane < LANES; lane++) places[lane] = byte_of(p, step, lane);
    return (int32_t)lab_wavefronts(places, p->bytes);
}

/* The last step of each is launched. */
static void run_pattern(Lab *lab, const char *kernel) {
    const Pattern *p = patterns;
    while (strcmp(p->kernel, kernel) != 0) p++;
    int32_t answers[STEPS];
    uint32_t right = 0;
    lab_predictions(lab, p->answers, answers, STEPS);
    for (uint32_t i = 0; i < STEPS; i++) {
        right += answers[i] == wavefronts_of(p, (uint32_t)step_of(lab, p, i));
        if (!answers[i]) lab_no_prediction(lab, kernel);
    }
    lab_value(lab, "right_numbers", right);
    const int32_t step = step_of(lab, p, STEPS - 1);
    lab_value(lab, "given.wavefronts", wavefronts_of(p, (uint32_t)step));
    lab_note_predictions(lab, right, STEPS);
    LabCase *c = lab_case(lab, kernel, "one warp, %d", step);
    LabBuffer *out = lab_output(c, "out", TYPE_s32, LANES);
    lab_i32(c, step);
    lab_launch(c, (LabShape){.x = 1}, (LabShape){.x = LANES}, 0);
    int32_t *expected = lab_scratch(c, LANES * sizeof *expected);
    for (int32_t i = 0; i < LANES; i++) expected[i] = i;
    lab_expect(c, out, expected, 1, LANES);
    lab_measure(c, 0, 0);
    lab_end(c);
}

/* --- segments ------------------------------------------------------------------------------------------------------------ */

/* Where the element at `place` of a segment belongs. */
static uint32_t place_after(const char *kernel, uint32_t place) {
    if (strcmp(kernel, "channels") == 0) return place % CHANNELS * MOMENTS + place / CHANNELS;
    uint32_t reversed = 0;
    for (uint32_t bit = 1; bit < SEGMENT; bit *= 2) reversed = 2 * reversed + ((place & bit) != 0);
    return reversed;
}

static Type element_of(const char *kernel) { return strcmp(kernel, "channels") == 0 ? TYPE_f64 : TYPE_f32; }

static LabCase *segments_case(Lab *lab, const char *kernel, uint32_t segments) {
    const Type type = element_of(kernel);
    const size_t size = type_bytes[type];
    const uint64_t n = (uint64_t)segments * SEGMENT;
    LabCase *c = lab_case(lab, kernel, segments == 1 ? "%u segment" : "%u segments", segments);
    lab_moves(c);
    LabBuffer *in = lab_input(c, "in", type, n), *out = lab_output(c, "out", type, n);
    lab_i32(c, (int32_t)segments);
    char *expected = lab_scratch(c, n * size);
    const char *elements = lab_data(in);
    for (uint32_t place = 0; place < SEGMENT; place++) {
        const uint32_t to = place_after(kernel, place);
        for (uint64_t first = 0; first < n; first += SEGMENT)
            memcpy(expected + (first + to) * size, elements + (first + place) * size, size);
    }
    lab_launch(c, (LabShape){.x = segments}, (LabShape){.x = THREADS}, 0);
    lab_expect(c, out, expected, segments, SEGMENT);
    return c;
}

static void try_segments(Lab *lab, const char *kernel, const uint32_t *sizes) { lab_end(segments_case(lab, kernel, sizes[0])); }

static void orders_any_number_of_segments(Lab *lab, const char *kernel) {
    for (uint32_t segments = 1; segments <= 4; segments++) lab_end(segments_case(lab, kernel, segments));
    lab_try(lab, kernel, &(LabRanges){1, 1, 24, 420, {{1, 420}}}, try_segments);
}

/* On a GPU as many elements as a square of lab_side has; else a number that is drawn, so that no kernel is made for one. */
static uint32_t segments_measured(Lab *lab, uint32_t least) {
    const uint32_t side = lab_side(lab, 0);
    return side ? (uint32_t)((uint64_t)side * side / SEGMENT) + 1 : lab_draw(lab, least, least + 16);
}

static void run_segments(Lab *lab, const char *kernel) {
    const Type type = element_of(kernel);
    const uint32_t segments = segments_measured(lab, type == TYPE_f64 ? 184 : 376);
    LabCase *c = segments_case(lab, kernel, segments);
    const uint64_t bytes = (uint64_t)segments * SEGMENT * type_bytes[type];
    lab_measure(c, bytes, bytes);
    lab_end(c);
}

/* --- a histogram --------------------------------------------------------------------------------------------------------- */

/* clustered: most values have one of two levels, and some are 0 or have all bits. */
static LabCase *histogram_case(Lab *lab, const char *kernel, uint32_t n, bool clustered) {
    const uint32_t blocks = lab_blocks(n, VALUES);
    LabCase *c = lab_case(lab, kernel, clustered ? "n = %u, few levels" : "n = %u", n);
    uint32_t *values = lab_scratch(c, n * sizeof *values), *expected = lab_scratch(c, blocks * LEVELS * sizeof *expected);
    for (uint32_t i = 0; i < n; i++) {
        const uint64_t bits = lab_random(c, i);
        values[i] = (uint32_t)bits;
        if (clustered && bits >> 61) values[i] = (values[i] & 0x9fffffff) | 0x40000000;
        if (clustered && (bits >> 32) % 16 < 2) values[i] = (bits >> 32) % 16 ? UINT32_MAX : 0;
        expected[i / VALUES * LEVELS + (values[i] >> 28)] += values[i];
    }
    lab_input_data(c, "values", TYPE_u32, n, values);
    LabBuffer *sums = lab_output(c, "sums", TYPE_u32, blocks * LEVELS);
    lab_i32(c, (int32_t)n);
    lab_launch(c, (LabShape){.x = blocks}, (LabShape){.x = THREADS}, 0);
    lab_expect(c, sums, expected, blocks, LEVELS);
    return c;
}

static void try_histogram(Lab *lab, const char *kernel, const uint32_t *sizes) {
    lab_end(histogram_case(lab, kernel, sizes[0], sizes[1]));
}

static void adds_up_any_number(Lab *lab, const char *kernel) {
    static const uint32_t numbers[] = {4096, 1, 31, 255, 256, 257, 4095, 4097, 10000};
    for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++) lab_end(histogram_case(lab, kernel, numbers[i], i % 2));
    lab_try(lab, kernel, &(LabRanges){2, 1, 8 * VALUES, 100 * VALUES, {{1, 100 * VALUES}, {0, 1}}}, try_histogram);
}

/* The last block has fewer values than the others. */
static void run_histogram(Lab *lab, const char *kernel) {
    const uint32_t n = lab_draw(lab, 94 * VALUES, 98 * VALUES);
    LabCase *c = histogram_case(lab, kernel, n, false);
    lab_measure(c, n * sizeof(uint32_t), lab_blocks(n, VALUES) * LEVELS * sizeof(uint32_t));
    lab_value(lab, "values", n);
    lab_end(c);
}

/* Why the goals are what they are, and what cannot be had without the lesson; lab.goals, which learners read, says only what is counted.
 *
 * swizzled: 256 bytes that are moved, loads and stores together, are a wavefront that fills shared memory and one that reads it when no lane
 * waits. Wavefronts are counted in all, not conflicts for each request: requests without conflicts beside the others make them no fewer.
 * The limit for the way asks for no less than the data takes. What keeps shared memory from being left out is the limit for lines: each of 128
 * bytes is touched by one request, both in `in` and in `out`. Of the 128 elements that a warp moves, the lines that it loads and those that it
 * stores have only a few in common (16 of reverse, 64 of channels), so that no warp can do without what others have loaded.
 *
 * counted: For every 32 values: a load and a store of a sum, a sixteenth of sixteen sums that are cleared, and as many that are added up:
 * four wavefronts, whatever the values are, and a little in the last block. The levels are random, so no other arrangement is without
 * conflicts by luck. The bound of work and the limits keep the sums in shared memory: an instruction or two a value and level are 32 at least
 * where they stand in registers, and in local memory they make requests there. Ballots count, but add nothing up. */
static const LabTest tests[] = {
    {"reverse", "orders_any_number_of_segments", orders_any_number_of_segments},
    {"channels", "orders_any_number_of_segments", orders_any_number_of_segments},
    {"histogram", "adds_up_any_number", adds_up_any_number},
};

static const LabRun runs[] = {{"bytes", run_pattern},     {"four_rows", run_pattern}, {"some_doubles", run_pattern},
                              {"swizzled", run_segments}, {"doubles", run_segments},  {"counted", run_histogram}};

int main(int argc, char **argv) { return lab_main(argc, argv, &(LabSuite){"06-banks", LAB_TABLE(tests), LAB_TABLE(runs)}); }
