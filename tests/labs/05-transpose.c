/* Lab 05: what becomes of rows that turn into columns: an image that is rotated, a triangle that is made whole, many small matrices. */
#include <stdbool.h>
#include <string.h>

#include "lab/lab.h"

enum { SECTOR = 32, TILE = 32, MIRROR_ROWS = 8, SIDE = 12, SMALL_THREADS = 256 };

typedef LabCase *CaseOf(Lab *lab, const char *kernel, uint32_t rows, uint32_t cols);

/* --- predictions --------------------------------------------------------------------------------------------------------- */

/* A warp has 32 / width rows of `width` elements. A load touches a row's bytes in each: floats 16 wide are 2 rows of 64 bytes, 2 sectors each; 8
 * wide 4 rows of one sector; 2 wide 16 rows of a part of one. Doubles 16 wide are 2 rows of 128 bytes, 4 wide 8 rows of 32. A store touches
 * 32 / width elements in each of `width` rows: 2 floats in 16 rows, 4 floats in 8, 16 floats (2 sectors) in 2; 2 doubles in 16, 8 doubles
 * (2 sectors) in 4. */
enum { PATCHES = 5, FLOAT_PATCHES = 3, NUMBERS = 32 * 32 };
static const uint32_t patch_widths[PATCHES] = {16, 8, 2, 16, 4};

/* Sectors that a patch loads, or stores. */
static int32_t patch_sectors(uint32_t patch, bool stored) {
    const uint32_t width = patch_widths[patch], bytes = patch < FLOAT_PATCHES ? sizeof(float) : sizeof(double);
    uint32_t places[32];
    for (uint32_t lane = 0; lane < 32; lane++) {
        const uint32_t row = lane / width, col = lane % width;
        places[lane] = (stored ? 32 * col + row : 32 * row + col) * bytes;
    }
    return (int32_t)lab_pieces(places, 32, bytes, SECTOR);
}

/* The last of the patches of its type is launched. */
static void run_patches(Lab *lab, const char *kernel) {
    const bool floats = strcmp(kernel, "patch_floats") == 0;
    const uint32_t first = floats ? 0 : FLOAT_PATCHES, end = floats ? FLOAT_PATCHES : PATCHES, width = patch_widths[end - 1];
    int32_t loads[PATCHES], stores[PATCHES];
    lab_predictions(lab, "patch_loads", loads, PATCHES);
    lab_predictions(lab, "patch_stores", stores, PATCHES);
    uint32_t right = 0;
    for (uint32_t i = first; i < end; i++) {
        right += (uint32_t)(loads[i] == patch_sectors(i, false)) + (uint32_t)(stores[i] == patch_sectors(i, true));
        if (!loads[i] || !stores[i]) lab_no_prediction(lab, kernel);
    }
    lab_value(lab, "right_numbers", right);
    lab_value(lab, "given.loads", patch_sectors(end - 1, false));
    lab_value(lab, "given.stores", patch_sectors(end - 1, true));
    lab_note_predictions(lab, right, 2 * (end - first));
    const Type type = floats ? TYPE_u32 : TYPE_u64;
    const size_t size = type_bytes[type];
    LabCase *c = lab_case(lab, kernel, "one warp, width %u", width);
    LabBuffer *in = lab_input(c, "in", type, NUMBERS);
    char *expected = lab_scratch(c, NUMBERS * size);
    LabBuffer *out = lab_inout(c, "out", type, NUMBERS, expected);
    lab_i32(c, (int32_t)width);
    lab_launch(c, (LabShape){.x = 1}, (LabShape){.x = 32}, 0);
    for (uint32_t lane = 0; lane < 32; lane++)
        memcpy(expected + (lane % width * 32 + lane / width) * size,
               (const char *)lab_data(in) + (lane / width * 32 + lane % width) * size, size);
    lab_expect(c, out, expected, 32, 32);
    lab_measure(c, 0, 0);
    lab_end(c);
}

/* --- an image that is rotated -------------------------------------------------------------------------------------------- */

static LabCase *rotation(Lab *lab, const char *kernel, uint32_t rows, uint32_t cols) {
    static const int32_t heights[] = {1, 2, 4, 8, 16, 32}; /* with others the last rows of a block lie outside its tile */
    uint32_t height = (uint32_t)lab_constant_of(lab, "rows_block", 8, heights, sizeof heights / sizeof *heights);
    LabCase *c = lab_case(lab, kernel, "%u x %u floats", rows, cols);
    lab_moves(c);
    LabBuffer *in = lab_input(c, "in", TYPE_f32, (uint64_t)rows * cols);
    LabBuffer *out = lab_output(c, "out", TYPE_f32, (uint64_t)rows * cols);
    lab_i32(c, (int32_t)rows);
    lab_i32(c, (int32_t)cols);
    float *expected = lab_scratch(c, (uint64_t)rows * cols * sizeof *expected);
    const float *pixels = lab_data(in);
    for (uint32_t row = 0; row < rows; row++)
        for (uint32_t col = 0; col < cols; col++)
            expected[(uint64_t)col * rows + rows - 1 - row] = pixels[(uint64_t)row * cols + col];
    lab_launch(c, (LabShape){.x = lab_blocks(cols, TILE) * lab_blocks(rows, TILE)}, (LabShape){TILE, height, 1}, 0);
    lab_expect(c, out, expected, cols, rows);
    return c;
}

static void try_rotation(Lab *lab, const char *kernel, const uint32_t *sizes) {
    lab_end(rotation(lab, kernel, sizes[0], sizes[1]));
}

/* Whole tiles first, which show a mistake most plainly; then shapes about one, two and three tiles, and others. */
static void rotates_every_shape(Lab *lab, const char *kernel) {
    static const uint32_t edges[] = {1, 7, 31, 32, 33, 67};
    enum { EDGES = sizeof edges / sizeof *edges };
    lab_end(rotation(lab, kernel, 64, 96));
    for (uint32_t i = 0; i < EDGES; i++)
        for (uint32_t j = 0; j < EDGES; j++) lab_end(rotation(lab, kernel, edges[i], edges[j]));
    lab_try(lab, kernel, &(LabRanges){2, 2, 1 << 15, 1 << 19, {{1, 4096}, {1, 4096}}}, try_rotation);
}

/* Whole sectors, so that rows begin at one, and no whole tiles. */
static uint32_t drawn_side(Lab *lab, uint32_t tiles) {
    const uint32_t whole = TILE * lab_draw(lab, tiles - 1, tiles);
    return whole + 8 * lab_draw(lab, 1, 3);
}

static void run_rotate(Lab *lab, const char *kernel) {
    const uint32_t rows = lab_side(lab, drawn_side(lab, 24)), cols = lab_side(lab, drawn_side(lab, 16));
    LabCase *c = rotation(lab, kernel, rows, cols);
    lab_measure(c, (uint64_t)rows * cols * sizeof(float), (uint64_t)rows * cols * sizeof(float));
    lab_end(c);
}

/* --- a triangle that is made whole --------------------------------------------------------------------------------------- */

static LabCase *mirrored(Lab *lab, const char *kernel, uint32_t n) {
    const uint32_t tiles = lab_blocks(n, TILE);
    LabCase *c = lab_case(lab, kernel, "n = %u", n);
    lab_moves(c);
    LabBuffer *packed = lab_input(c, "packed", TYPE_f32, (uint64_t)n * (n + 1) / 2);
    LabBuffer *out = lab_output(c, "out", TYPE_f32, (uint64_t)n * n);
    lab_i32(c, (int32_t)n);
    float *expected = lab_scratch(c, (uint64_t)n * n * sizeof *expected);
    const float *element = lab_data(packed);
    for (uint32_t row = 0; row < n; row++)
        for (uint32_t col = 0; col <= row; col++, element++) expected[row * n + col] = expected[col * n + row] = *element;
    lab_launch(c, (LabShape){.x = tiles * (tiles + 1) / 2}, (LabShape){TILE, MIRROR_ROWS, 1}, 0);
    lab_expect(c, out, expected, n, n);
    return c;
}

static void try_mirror(Lab *lab, const char *kernel, const uint32_t *sizes) { lab_end(mirrored(lab, kernel, sizes[0])); }

static void mirrors_any_size(Lab *lab, const char *kernel) {
    static const uint32_t sizes[] = {64, 1, 2, 31, 32, 33, 63, 65, 96, 97, 100};
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) lab_end(mirrored(lab, kernel, sizes[i]));
    lab_try(lab, kernel, &(LabRanges){1, 1, 400, 700, {{1, 700}}}, try_mirror);
}

static void run_mirror(Lab *lab, const char *kernel) {
    const uint32_t n = drawn_side(lab, 16), packed = n * (n + 1) / 2, all = n * n;
    LabCase *c = mirrored(lab, kernel, n);
    lab_measure(c, packed * sizeof(float), all * sizeof(float));
    lab_value(lab, "packed", packed);
    lab_value(lab, "all", all);
    lab_end(c);
}

/* --- many small matrices ------------------------------------------------------------------------------------------------- */

static LabCase *flipped(Lab *lab, const char *kernel, uint32_t count) {
    const uint32_t in_a_block = (uint32_t)lab_constant(lab, "matrices_block", 16, 1, SMALL_THREADS);
    const uint64_t floats = (uint64_t)count * SIDE * SIDE;
    LabCase *c = lab_case(lab, kernel, "%u matrices", count);
    uint32_t *before = lab_scratch(c, floats * sizeof *before), *expected = lab_scratch(c, floats * sizeof *expected);
    for (uint64_t i = 0; i < floats; i++) {
        const uint64_t row = i / SIDE % SIDE, col = i % SIDE;
        before[i] = (uint32_t)lab_random(c, i) & (lab_scale(c) == 1 ? 0x3fffffff : UINT32_MAX); /* mostly no NaN */
        expected[i - row * SIDE - col + col * SIDE + row] = before[i];
    }
    LabBuffer *matrices = lab_inout(c, "matrices", TYPE_f32, floats, before);
    lab_i32(c, (int32_t)count);
    lab_launch(c, (LabShape){.x = lab_blocks(count, in_a_block)}, (LabShape){.x = SMALL_THREADS}, 0);
    lab_expect(c, matrices, expected, (uint64_t)count * SIDE, SIDE);
    return c;
}

static void try_flip(Lab *lab, const char *kernel, const uint32_t *sizes) { lab_end(flipped(lab, kernel, sizes[0])); }

static void flips_any_number(Lab *lab, const char *kernel) {
    static const uint32_t counts[] = {16, 1, 2, 7, 15, 17, 31, 33, 64, 100};
    for (size_t i = 0; i < sizeof counts / sizeof *counts; i++) lab_end(flipped(lab, kernel, counts[i]));
    lab_try(lab, kernel, &(LabRanges){1, 1, 500, 10000, {{1, 10000}}}, try_flip);
}

static void run_flip(Lab *lab, const char *kernel) {
    const uint32_t count = lab_draw(lab, 8000, 8100);
    LabCase *c = flipped(lab, kernel, count);
    const uint64_t moved = count * SIDE * (SIDE - 1) * sizeof(float); /* the diagonals may stay */
    lab_measure(c, moved, moved);
    lab_value(lab, "matrices", count);
    lab_end(c);
}

/* Why the goals are what they are, and what cannot be had without the lesson; lab.goals, which learners read, says only what is counted.
 *
 * rows: Rows begin at sectors on both sides, and there are no whole tiles: 2 sectors for every 8 pixels, and a little where the loads of a
 * tile at the edge take what they do not need. Totals: cheap requests beside the others cannot make them smaller. One good side and one bad
 * side is 4.5 times as many, whichever side it is. The time is that of a copy at best.
 *
 * mirrored: Rows of `out` begin at sectors. Those of the triangle begin anywhere, so most loads of 32 floats touch five sectors where four
 * would do. Elements that are read twice, above and below the diagonal, are over the limit.
 *
 * flipped: A matrix of 144 floats is 18 sectors to load and as many to store. Each launch is of data of its own, and all of it is compared. So many
 * matrices that loads in flight decide: of 2000, a launch of one matrix a block, or two, is as quick as its start is, though with 16,000 it has
 * half of the speed that 16 a block have.
 *
 * Points of times: compilers take some instructions more or fewer for the same loads, which is a hundredth or two of a copy's speed (tests/answers). So a
 * hundredth is worth 0.36 to 0.56 of a point, by how far apart the ends of a goal are (mirror_speed: 14 points from 0.55 to 0.8), and of each run about half
 * of the points are the sectors', which are the same by all compilers. */
static const LabTest tests[] = {
    {"rotate", "rotates_every_shape", rotates_every_shape},
    {"mirror", "mirrors_any_size", mirrors_any_size},
    {"flip_small", "flips_any_number", flips_any_number},
};

static const LabRun runs[] = {{"float_patches", run_patches},
                              {"double_patches", run_patches},
                              {"rows", run_rotate},
                              {"mirrored", run_mirror},
                              {"flipped", run_flip}};

int main(int argc, char **argv) { return lab_main(argc, argv, &(LabSuite){"05-transpose", LAB_TABLE(tests), LAB_TABLE(runs)}); }
