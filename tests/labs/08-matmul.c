/* Lab 08: products of an m x k and a k x n matrix, stored in several ways, by blocks of several shapes. */
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include "lab/failure.h"

enum { TILE = 32, SIDE = 16, LANES = 32, SECTOR = 32, RUN_N = 120, RUN_K = 56, SUMMED_MOST = 585 };

/* A kernel: how its matrices are stored and how its blocks look. */
typedef struct Kind {
    const char *kernel;
    bool a_transposed, b_transposed; /* A has k rows of m elements, B has n rows of k */
    bool c_transposed;               /* the result has n rows of m */
    bool symmetric;                  /* B is n x n, and the half with row >= column is stored */
    bool down;                       /* threadIdx.x is the row */
    const char
        *shape; /* of blocks, as lab.goals calls it, for as many elements of C; NULL: SIDE x SIDE threads for TILE x TILE */
} Kind;

/* What the book's shapes of blocks come to; those of other variants are worked out in the same way (sectors_of).
 * small_blocks: a warp is 4 rows of 8 columns. A: one float in each of 4 rows. B: 8 neighbouring floats. C: 8 floats in 4 rows.
 * lanes_down: one column, 32 rows. A: 32 neighbouring floats of a row of A transposed. B: one float. C: one float in each of 32 rows.
 * b_sideways: 2 rows of 16 columns. A: one float in each of 2 rows. B: one float in each of 16 rows of B transposed. C: 64 bytes in 2 rows. */
static const Kind kinds[] = {
    {.kernel = "small_blocks", .shape = "small"},
    {.kernel = "lanes_down", .a_transposed = true, .down = true, .shape = "down"},
    {.kernel = "b_sideways", .b_transposed = true, .shape = "sideways"},
    {.kernel = "product_turned", .c_transposed = true},
    {.kernel = "times_symmetric", .symmetric = true},
};
enum { GIVEN = 3 };

static const Kind *kind_of(const char *kernel) {
    const Kind *kind = kinds;
    while (strcmp(kind->kernel, kernel) != 0) kind++;
    return kind;
}

static LabShape block_of(const Lab *lab, const Kind *kind) {
    char x[40], y[40];
    if (!kind->shape) return (LabShape){SIDE, SIDE, 1};
    snprintf(x, sizeof x, "%s.x", kind->shape);
    snprintf(y, sizeof y, "%s.y", kind->shape);
    return (LabShape){(uint32_t)lab_number(lab, x), (uint32_t)lab_number(lab, y), 1};
}

/* Of the matrices, as they are predicted: sectors of one request of the first warp, where k = 64 and n = 128, so that the rows of all
 * matrices begin at multiples of 128 bytes. */
enum { MATRICES = 3, PREDICTED_M = 96, PREDICTED_N = 128, PREDICTED_K = 64 };

static void sectors_of(const Lab *lab, const Kind *kind, uint32_t sectors[MATRICES]) {
    const uint32_t across = block_of(lab, kind).x, m = PREDICTED_M, n = PREDICTED_N, k = PREDICTED_K;
    uint32_t places[MATRICES][LANES];
    for (uint32_t lane = 0; lane < LANES; lane++) {
        uint32_t x = lane % across, y = lane / across, row = kind->down ? x : y, col = kind->down ? y : x;
        places[0][lane] = (kind->a_transposed ? row : row * k) * sizeof(float);
        places[1][lane] = (kind->b_transposed ? col * k : col) * sizeof(float);
        places[2][lane] = (kind->c_transposed ? col * m + row : row * n + col) * sizeof(float);
    }
    for (int i = 0; i < MATRICES; i++) sectors[i] = lab_pieces(places[i], LANES, sizeof(float), SECTOR);
}

typedef struct Product {
    const Kind *kind;
    uint32_t m, n, k;
    const float *a, *b;
} Product;

static float a_at(const Product *p, uint32_t row, uint32_t i) {
    if (row >= p->m || i >= p->k) return 0;
    return p->a[p->kind->a_transposed ? i * p->m + row : row * p->k + i];
}

static uint32_t packed(uint32_t i, uint32_t j) { return i * (i + 1) / 2 + j; }

static float b_at(const Product *p, uint32_t i, uint32_t col) {
    if (i >= p->k || col >= p->n) return 0;
    if (p->kind->symmetric) return p->b[i >= col ? packed(i, col) : packed(col, i)];
    return p->b[p->kind->b_transposed ? col * p->k + i : i * p->n + col];
}

/* --- mistakes, and what they make of a product ---------------------------------------------------------------------------- */

/* Which element stands where (row, i) of A or (i, col) of B should. */
typedef enum Mixup {
    AS_IT_IS,
    ROWS_FOR_COLUMNS, /* the array read as if it were stored the other way round */
    TILE_TURNED,      /* row and column swapped inside each tile */
} Mixup;

typedef struct Mistake {
    Mixup a, b;
    bool other_order;                              /* stored as if the result were not transposed, or the other way round */
    bool lower_half_only;                          /* of the symmetric matrix */
    bool first_tile_only, last_tile_only, no_tail; /* of the sum */
    bool stale;                                    /* beyond k both tiles hold what they held before */
    const char *cause;
} Mistake;

static const Mistake mistakes[] = {
    {.other_order = true,
     .cause = "row and column of the result are swapped: look again how many rows it has, and of how many elements"},
    {.lower_half_only = true, .cause = "the other half of S is missing: S(i, j) with j > i is S(j, i)"},
    {.last_tile_only = true, .cause = "only the last tile's products are in the sum: does it begin at 0 again for each tile?"},
    {.first_tile_only = true, .cause = "only the first tile's products are in the sum: does the loop go on to k?"},
    {.no_tail = true, .cause = "the products of the last, shorter tile are missing: k need not be a multiple of 32"},
    {.stale = true, .cause = "beyond k the tiles still hold elements of the tile before: put 0 there"},
    {.a = ROWS_FOR_COLUMNS, .cause = "row and column of A are swapped: A has m rows of k elements"},
    {.b = ROWS_FOR_COLUMNS,
     .cause = "row and column of B are swapped: look again how many rows it has, and of how many elements"},
    {.a = TILE_TURNED, .cause = "row and column are swapped inside each tile of A"},
    {.b = TILE_TURNED, .cause = "row and column are swapped inside each tile of B"},
};

static float mixed_a(const Product *p, Mixup mixup, uint32_t row, uint32_t i) {
    if (mixup == ROWS_FOR_COLUMNS && row < p->m && i < p->k) return p->a[i * p->m + row];
    if (mixup == TILE_TURNED) return a_at(p, row / TILE * TILE + i % TILE, i / TILE * TILE + row % TILE);
    return a_at(p, row, i);
}

static float mixed_b(const Product *p, Mixup mixup, uint32_t i, uint32_t col) {
    if (mixup == ROWS_FOR_COLUMNS && !p->kind->symmetric && i < p->k && col < p->n) return p->b[col * p->k + i];
    if (mixup == TILE_TURNED) return b_at(p, i / TILE * TILE + col % TILE, col / TILE * TILE + i % TILE);
    return b_at(p, i, col);
}

/* The element of C; exact, since all numbers are (see odds). */
static float element(const Product *p, const Mistake *mistake, uint32_t row, uint32_t col) {
    uint32_t whole = p->k / TILE * TILE, last = (p->k - 1) / TILE * TILE;
    uint32_t begin = mistake->last_tile_only ? last : 0, end = lab_blocks(p->k, TILE) * TILE;
    if (mistake->no_tail) end = whole;
    if (mistake->first_tile_only) end = TILE;
    float sum = 0;
    for (uint32_t i = begin; i < end; i++) {
        uint32_t from = mistake->stale && i >= p->k && i >= TILE ? i - TILE : i;
        if (mistake->lower_half_only && from < col) continue;
        sum += mixed_a(p, mistake->a, row, from) * mixed_b(p, mistake->b, from, col);
    }
    return sum;
}

static void product(const Product *p, const Mistake *mistake, float *c) {
    for (uint32_t row = 0; row < p->m; row++)
        for (uint32_t col = 0; col < p->n; col++)
            c[p->kind->c_transposed != mistake->other_order ? col * p->m + row : row * p->n + col] =
                element(p, mistake, row, col);
}

/* --- cases ---------------------------------------------------------------------------------------------------------------- */

/* Odd numbers, divided by a power of two: wide ones from -4095 to 4095, which neither bytes nor half floats hold, and narrow ones from -7 to
 * 7. A wide one times a narrow one is at most 28,665 units, so sums of up to 585 products are exact in whatever order, and no product is 0. */
static LabBuffer *odds(LabCase *c, const char *name, uint32_t count, uint64_t first, bool wide) {
    const float scale = (float)lab_scale(c);
    float *values = lab_scratch(c, count * sizeof *values);
    int bits = wide ? 12 : 3, most = (1 << bits) - 1;
    for (uint32_t i = 0; i < count; i++)
        values[i] = (float)(2 * (int)(lab_random(c, first + i) >> (64 - bits)) - most) / (float)(most + 1) * scale;
    return lab_input_data(c, name, TYPE_f32, count, values);
}

/* Numbers of 24 bits, which no narrower type holds; of A's only one in each row is not 0, so that each sum is one product, whatever the order. */
static LabBuffer *precise(LabCase *c, const char *name, uint32_t rows, uint32_t cols, uint64_t first, bool sparse,
                          bool across) {
    const uint32_t count = rows * cols;
    const float scale = (float)lab_scale(c);
    float *values = lab_scratch(c, count * sizeof *values);
    for (uint32_t i = 0; i < count; i++) {
        const uint32_t line = across ? i % cols : i / cols, place = across ? i / cols : i % cols;
        const bool is_one = lab_random(c, first + count + line) % (across ? rows : cols) == place;
        if (!sparse || is_one)
            values[i] = (float)(2 * (int)(lab_random(c, first + i) >> 41) - ((1 << 23) - 1)) / (1 << 23) * scale;
    }
    return lab_input_data(c, name, TYPE_f32, count, values);
}

/* Ends the test where the kernel made a product that one of the mistakes explains as a whole. */
static void look_for_mistakes(LabCase *c, const Product *p, const float *got, const float *expected) {
    uint32_t count = p->m * p->n, first = 0, across = p->kind->c_transposed ? p->m : p->n;
    float *other = lab_scratch(c, count * sizeof *other);
    while (first < count && memcmp(&got[first], &expected[first], sizeof *got) == 0) first++;
    for (size_t i = 0; first < count && i < sizeof mistakes / sizeof *mistakes; i++) {
        product(p, &mistakes[i], other);
        if (memcmp(got, other, count * sizeof *got) != 0) continue;
        LabFailure *failure = lab_failure(c->lab, c);
        if (failure) {
            text_add(&failure->message, "element (%u, %u) of the result is %.7g, expected %.7g", first / across, first % across,
                     got[first], expected[first]);
            text_add(&failure->cause, "%s", mistakes[i].cause);
        }
        lab_stop();
    }
}

typedef enum Numbers { ODDS, PRECISE } Numbers;

static void add_factors(LabCase *c, Product *p, Numbers numbers, bool a_is_wide) {
    const Kind *kind = p->kind;
    const char *b_name = kind->symmetric ? "s" : "b";
    const uint32_t m = p->m, n = p->n, k = p->k, b_count = kind->symmetric ? packed(n, 0) : k * n;
    if (numbers == ODDS) {
        p->a = lab_data(odds(c, "a", m * k, 0, a_is_wide));
        p->b = lab_data(odds(c, b_name, b_count, (uint64_t)m * k, !a_is_wide));
    } else {
        const bool across = kind->a_transposed;
        p->a = lab_data(precise(c, "a", across ? k : m, across ? m : k, 0, true, across));
        p->b = lab_data(precise(c, b_name, 1, b_count, UINT64_C(1) << 32, false, false));
    }
}

static LabCase *matmul_of(Lab *lab, const char *kernel, uint32_t m, uint32_t n, uint32_t k, Numbers numbers) {
    static const Mistake none = {.cause = ""};
    const Kind *kind = kind_of(kernel);
    if (kind->symmetric) k = n;
    Product p = {.kind = kind, .m = m, .n = n, .k = k};
    LabCase *c = kind->symmetric ? lab_case(lab, kernel, "m = %u, n = %u", m, n)
                                 : lab_case(lab, kernel, "m = %u, n = %u, k = %u", m, n, k);
    add_factors(c, &p, numbers, lab_draw(lab, 0, 1));
    LabBuffer *out = lab_output(c, kind->c_transposed ? "d" : "c", TYPE_f32, m * n);
    lab_i32(c, (int32_t)m), lab_i32(c, (int32_t)n);
    if (!kind->symmetric) lab_i32(c, (int32_t)k);
    float *expected = lab_scratch(c, m * n * sizeof *expected);
    product(&p, &none, expected);
    LabShape block = block_of(lab, kind);
    uint32_t cols = !kind->shape ? TILE
                    : kind->down ? block.y
                                 : block.x,
             rows = !kind->shape ? TILE
                    : kind->down ? block.x
                                 : block.y;
    lab_launch(c, (LabShape){lab_blocks(n, cols), lab_blocks(m, rows), 1}, block, 0);
    if (numbers == ODDS) look_for_mistakes(c, &p, lab_data(out), expected);
    lab_expect(c, out, expected, kind->c_transposed ? n : m, kind->c_transposed ? m : n);
    return c;
}

static LabCase *matmul(Lab *lab, const char *kernel, uint32_t m, uint32_t n, uint32_t k) {
    return matmul_of(lab, kernel, m, n, k, ODDS);
}

/* Whole tiles and then a shorter last one first, which show a mistake most plainly. After them every m meets every n, every k meets every
 * m and every n: a Latin square. */
static void multiplies_every_shape(Lab *lab, const char *kernel) {
    static const uint32_t sizes[] = {1, 7, 33, 65};
    enum { SIZES = sizeof sizes / sizeof *sizes };
    lab_end(matmul(lab, kernel, 64, 96, 64));
    lab_end(matmul(lab, kernel, 64, 32, 72));
    for (uint32_t i = 0; i < SIZES; i++)
        for (uint32_t j = 0; j < SIZES; j++) lab_end(matmul(lab, kernel, sizes[i], sizes[j], sizes[(i + j) % SIZES]));
}

/* Small ones; few rows and a long sum, whose rows and columns do not fit into shared memory; and one of more than 2^16 results. */
static void multiplies_what_is_drawn(Lab *lab, const char *kernel) {
    static const uint32_t of_three[][3][2] = {{{1, 100}, {1, 100}, {1, 100}},
                                              {{1, 100}, {1, 100}, {1, 100}},
                                              {{1, 8}, {1, 40}, {400, 500}},
                                              {{260, 400}, {260, 400}, {1, 12}}};
    static const uint32_t symmetric[][3][2] = {
        {{1, 100}, {1, 100}}, {{1, 100}, {1, 100}}, {{1, 8}, {240, 300}}, {{2600, 3000}, {26, 34}}};
    for (size_t i = 0; i < sizeof of_three / sizeof *of_three; i++) {
        const uint32_t(*sizes)[2] = kind_of(kernel)->symmetric ? symmetric[i] : of_three[i];
        uint32_t m = lab_draw(lab, sizes[0][0], sizes[0][1]), n = lab_draw(lab, sizes[1][0], sizes[1][1]);
        lab_end(matmul(lab, kernel, m, n, lab_draw(lab, sizes[2][0], sizes[2][1])));
    }
}

static void try_product(Lab *lab, const char *kernel, const uint32_t *sizes) {
    const bool symmetric = kind_of(kernel)->symmetric;
    lab_end(matmul_of(lab, kernel, sizes[0], sizes[1], symmetric ? 0 : sizes[2], sizes[symmetric ? 2 : 3] ? PRECISE : ODDS));
}

/* Sums of at most SUMMED_MOST products are exact (odds). */
static void multiplies_any_shape(Lab *lab, const char *kernel) {
    static const LabRanges of_three = {4, 3, 1 << 12, 1 << 16, {{1, 1000}, {1, 1000}, {1, SUMMED_MOST}, {0, 1}}},
                           symmetric = {3, 2, 1 << 9, 1 << 12, {{1, 1000}, {1, 160}, {0, 1}}};
    lab_try(lab, kernel, kind_of(kernel)->symmetric ? &symmetric : &of_three, try_product);
}

/* A given kernel must be the one that the predictions are about, here in matrices of whole sectors that take less time than its own. */
static void is_as_given(Lab *lab, const char *kernel) {
    enum { M = 64, N = 64, K = 32, WARPS = M * N / 32 };
    uint32_t sectors[MATRICES];
    sectors_of(lab, kind_of(kernel), sectors);
    lab_end(matmul(lab, kernel, 33, 65, 7));
    LabCase *c = matmul(lab, kernel, M, N, K);
    if (lab_is_counted(lab) &&
        (lab_metric(c, "global.load.requests") != WARPS * K * 2 ||
         lab_metric(c, "global.load.sectors") != WARPS * K * (sectors[0] + sectors[1]) ||
         lab_metric(c, "global.store.requests") != WARPS || lab_metric(c, "global.store.sectors") != WARPS * sectors[2]))
        lab_wrong(c, "it loads or stores in another way than the kernel that was given: put it back as it was");
    lab_end(c);
}

/* --- runs ----------------------------------------------------------------------------------------------------------------- */

/* A row counts where its three predictions are right. The remark tells how many rows are right and which are empty; nothing else, so that
 * nobody finds the numbers by halving. */
static void run_predictions(Lab *lab, const char *none) {
    (void)none;
    uint32_t rows = 0;
    for (size_t i = 0; i < GIVEN; i++) {
        const Kind *truth = &kinds[i];
        uint32_t sectors[MATRICES];
        bool right = true, nothing = false;
        char name[40];
        sectors_of(lab, truth, sectors);
        for (int matrix = 0; matrix < MATRICES; matrix++) {
            snprintf(name, sizeof name, "sectors_%s_%c", truth->kernel, 'a' + matrix);
            int32_t predicted = lab_prediction(lab, name, 0);
            right &= predicted == (int32_t)sectors[matrix], nothing |= predicted == 0;
        }
        snprintf(name, sizeof name, "right.%s", truth->kernel);
        lab_value(lab, name, right);
        rows += right;
        if (nothing) lab_no_prediction(lab, truth->kernel);
    }
    lab_note_predictions(lab, rows, GIVEN);
}

static uint32_t whole_tiles(uint32_t side) { return lab_blocks(side, TILE) * TILE; }

/* Rows begin at sectors, and the last tile of each dimension is three quarters of one: so the goals hold for every size, and who is quick in whole
 * tiles alone is not. Drawn, so that no kernel is made for one size. `products` are those of whole tiles, which a block makes in any case. */
static void run_matmul(Lab *lab, const char *kernel) {
    bool symmetric = kind_of(kernel)->symmetric;
    uint32_t m = TILE * lab_draw(lab, 2, 4) - 8, n = symmetric ? RUN_N : TILE * lab_draw(lab, 3, 5) - 8;
    uint32_t k = symmetric ? n : RUN_K, b = symmetric ? packed(n, 0) : k * n;
    LabCase *c = matmul(lab, kernel, m, n, k);
    lab_measure(c, (m * k + b) * sizeof(float), m * n * sizeof(float));
    lab_value(lab, "results", (double)m * n);
    lab_value(lab, "products", (double)whole_tiles(m) * whole_tiles(n) * whole_tiles(k));
    lab_end(c);
}

/* Why the goals are what they are, and what cannot be had without the lesson; lab.goals, which learners read, says only what is counted.
 *
 * turned: m is 56 to 120, n 88 to 152: the last tile of each dimension is 24 elements. A block goes through k in two steps of two tiles, at
 * most 128 sectors each: 512 loaded for 1024 results, less at the edges, and as many sectors stored as an eighth of the results: 0.59 to 0.61
 * a result. As it is given it is 7.7, with lanes along the rows of C 0.96. Totals for each result: nothing dilutes them. Sectors that are kept
 * in registers by one warp for itself are far more.
 * Traffic: products are those of whole tiles, which a block makes in any case. To fill the tiles is 0.0625 wavefronts for every 32 of them. A
 * thread that makes 2 x 2 results takes 4 wavefronts for 4 products: 1. A result at a time takes 2. The sectors, four wavefronts each, are
 * 0.98 to 1.05. So nobody who does without tiles, or scatters the stores, has points here, and a shared access for show helps nothing.
 *
 * symmetric: S as tiles of unaligned rows, about 5 sectors for 32 floats, and half of each tile on the diagonal, and C: 1.17 to 1.21 a result.
 * Read across its rows it is 2.9. Traffic: about 1 for the sectors, 0.07 and 1. */
static const LabTest tests[] = {
    {"small_blocks", "is_as_given", is_as_given},
    {"lanes_down", "is_as_given", is_as_given},
    {"b_sideways", "is_as_given", is_as_given},
    {"product_turned", "multiplies_every_shape", multiplies_every_shape},
    {"product_turned", "multiplies_what_is_drawn", multiplies_what_is_drawn},
    {"product_turned", "multiplies_any_shape", multiplies_any_shape},
    {"times_symmetric", "multiplies_every_shape", multiplies_every_shape},
    {"times_symmetric", "multiplies_what_is_drawn", multiplies_what_is_drawn},
    {"times_symmetric", "multiplies_any_shape", multiplies_any_shape},
};

static const LabRun runs[] = {{"predictions", run_predictions}, {"turned", run_matmul}, {"symmetric", run_matmul}};

int main(int argc, char **argv) { return lab_main(argc, argv, &(LabSuite){"08-matmul", LAB_TABLE(tests), LAB_TABLE(runs)}); }
