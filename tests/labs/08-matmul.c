/* Lab 08: products of an m x k and a k x n matrix, all by blocks of 32 x 32 threads for 32 x 32 results. */
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include "lab/failure.h"

enum { TILE = 32, RUN_M = 96, RUN_N = 128, RUN_K = 64 };

typedef struct Product {
    uint32_t m, n, k;
    bool b_transposed; /* B has n rows of k elements */
    const float *a, *b;
} Product;

static float a_at(const Product *p, uint32_t row, uint32_t i) { return row < p->m && i < p->k ? p->a[row * p->k + i] : 0; }

static float b_at(const Product *p, uint32_t i, uint32_t col) {
    if (i >= p->k || col >= p->n) return 0;
    return p->b_transposed ? p->b[col * p->k + i] : p->b[i * p->n + col];
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
    bool c_by_columns;                             /* stored at col * m + row */
    bool first_tile_only, last_tile_only, no_tail; /* of the sum */
    bool stale;                                    /* beyond k both tiles hold what they held before */
    const char *cause;
} Mistake;

static const Mistake mistakes[] = {
    {.c_by_columns = true, .cause = "C is stored column by column: C(row, col) belongs at c[row * n + col]"},
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
    if (mixup == ROWS_FOR_COLUMNS && i < p->k && col < p->n)
        return p->b_transposed ? p->b[i * p->n + col] : p->b[col * p->k + i];
    if (mixup == TILE_TURNED) return b_at(p, i / TILE * TILE + col % TILE, col / TILE * TILE + i % TILE);
    return b_at(p, i, col);
}

/* The element of C; exact, since all numbers are (see small_odds). */
static float element(const Product *p, const Mistake *mistake, uint32_t row, uint32_t col) {
    uint32_t whole = p->k / TILE * TILE, last = (p->k - 1) / TILE * TILE;
    uint32_t begin = mistake->last_tile_only ? last : 0, end = lab_blocks(p->k, TILE) * TILE;
    if (mistake->no_tail) end = whole;
    if (mistake->first_tile_only) end = TILE;
    float sum = 0;
    for (uint32_t i = begin; i < end; i++) {
        uint32_t from = mistake->stale && i >= p->k && i >= TILE ? i - TILE : i;
        sum += mixed_a(p, mistake->a, row, from) * mixed_b(p, mistake->b, from, col);
    }
    return sum;
}

static void product(const Product *p, const Mistake *mistake, float *c) {
    for (uint32_t row = 0; row < p->m; row++)
        for (uint32_t col = 0; col < p->n; col++)
            c[mistake->c_by_columns ? col * p->m + row : row * p->n + col] = element(p, mistake, row, col);
}

/* --- cases ---------------------------------------------------------------------------------------------------------------- */

/* Odd numbers from -15 to 15, divided by 16. A product is a multiple of 1/256 of at most 225/256, so sums of up to 2^24 / 225 products
 * are exact in whatever order, and no product is 0. */
static LabBuffer *small_odds(LabCase *c, const char *name, uint32_t count, uint64_t first) {
    float *values = lab_scratch(c, count * sizeof *values);
    for (uint32_t i = 0; i < count; i++) values[i] = (float)(2 * (int)(lab_random(c, first + i) >> 60) - 15) / 16;
    return lab_input_data(c, name, TYPE_f32, count, values);
}

/* Ends the test where the kernel made a product that one of the mistakes explains as a whole. */
static void look_for_mistakes(LabCase *c, const Product *p, const float *got, const float *expected) {
    uint32_t count = p->m * p->n, first = 0;
    float *other = lab_scratch(c, count * sizeof *other);
    while (first < count && memcmp(&got[first], &expected[first], sizeof *got) == 0) first++;
    for (size_t i = 0; first < count && i < sizeof mistakes / sizeof *mistakes; i++) {
        product(p, &mistakes[i], other);
        if (memcmp(got, other, count * sizeof *got) != 0) continue;
        LabFailure *failure = lab_failure(c->lab, c);
        if (failure) {
            text_add(&failure->message, "element (%u, %u) of 'c' is %.7g, expected %.7g", first / p->n, first % p->n,
                     got[first], expected[first]);
            text_add(&failure->cause, "%s", mistakes[i].cause);
        }
        lab_stop();
    }
}

static LabCase *matmul(Lab *lab, const char *kernel, uint32_t m, uint32_t n, uint32_t k) {
    static const Mistake none = {.cause = ""};
    Product p = {.m = m, .n = n, .k = k, .b_transposed = strcmp(kernel, "matmul_abt") == 0};
    LabCase *c = lab_case(lab, kernel, "m = %u, n = %u, k = %u", m, n, k);
    p.a = lab_data(small_odds(c, "a", m * k, 0));
    p.b = lab_data(small_odds(c, "b", k * n, (uint64_t)m * k));
    LabBuffer *out = lab_output(c, "c", TYPE_f32, m * n);
    lab_i32(c, (int32_t)m), lab_i32(c, (int32_t)n), lab_i32(c, (int32_t)k);
    float *expected = lab_scratch(c, m * n * sizeof *expected);
    product(&p, &none, expected);
    lab_launch(c, (LabShape){lab_blocks(n, TILE), lab_blocks(m, TILE), 1}, (LabShape){TILE, TILE, 1}, 0);
    look_for_mistakes(c, &p, lab_data(out), expected);
    lab_expect(c, out, expected, m, n);
    return c;
}

/* Whole tiles and then a shorter last one first, which show a mistake most plainly. After them every m meets every n, every k meets every
 * m and every n: a Latin square. */
static void multiplies_every_shape(Lab *lab, const char *kernel) {
    static const uint32_t sizes[] = {1, 7, 31, 32, 33, 65};
    enum { SIZES = sizeof sizes / sizeof *sizes };
    lab_end(matmul(lab, kernel, 64, 96, 64));
    lab_end(matmul(lab, kernel, 64, 32, 72));
    for (uint32_t i = 0; i < SIZES; i++)
        for (uint32_t j = 0; j < SIZES; j++) lab_end(matmul(lab, kernel, sizes[i], sizes[j], sizes[(i + j) % SIZES]));
}

/* matmul_rows must be the kernel that the predictions are about. 384 warps make 64 steps; in each a load from A, whose 32 rows begin 256
 * bytes apart, touches 32 sectors, and one from B a single one. A store goes to 32 rows of C: 32 sectors. */
static void is_as_given(Lab *lab, const char *kernel) {
    enum { WARPS = RUN_M * RUN_N / 32 };
    lab_end(matmul(lab, kernel, 33, 65, 7));
    LabCase *c = matmul(lab, kernel, RUN_M, RUN_N, RUN_K);
    if (lab_is_counted(lab) &&
        (lab_metric(c, "global.load.requests") != WARPS * RUN_K * 2 ||
         lab_metric(c, "global.load.sectors") != WARPS * RUN_K * (32 + 1) || lab_metric(c, "global.store.requests") != WARPS ||
         lab_metric(c, "global.store.sectors") != WARPS * 32))
        lab_wrong(c, "it loads or stores in another way than the kernel that was given: put it back as it was");
    lab_end(c);
}

/* --- runs ----------------------------------------------------------------------------------------------------------------- */

/* Sectors a request. One row of 32 floats that begins at a multiple of 128 bytes is 4; rows that are 256 or 512 bytes apart are 32; one
 * float for all lanes is 1. */
static const struct Prediction {
    const char *kernel, *matrix;
    int32_t sectors;
} predictions[] = {{"rows", "a", 32}, {"rows", "b", 1}, {"rows", "c", 32},
                   {"cols", "a", 1},  {"cols", "b", 4}, {"cols", "c", 4}};

/* One remark: about the first prediction that is not right. */
static void run_predictions(Lab *lab, const char *none) {
    (void)none;
    bool remarked = false;
    for (size_t i = 0; i < sizeof predictions / sizeof *predictions; i++) {
        const struct Prediction *truth = &predictions[i];
        char constant[40], value[40];
        snprintf(constant, sizeof constant, "sectors_%s_%s", truth->kernel, truth->matrix);
        snprintf(value, sizeof value, "right.%s_%s", truth->kernel, truth->matrix);
        int32_t predicted = lab_constant(lab, constant, 0, 0, 1000000);
        lab_value(lab, value, predicted == truth->sectors);
        if (remarked || predicted == truth->sectors) continue;
        remarked = true;
        char matrix = (char)(truth->matrix[0] - 'a' + 'A');
        if (predicted == 0)
            lab_note(lab, "No prediction for %s and %c yet: put your numbers into the table of kernel.cu", truth->kernel,
                     matrix);
        else
            lab_note(lab, "For %s and %c you predict %d sectors", truth->kernel, matrix, predicted);
    }
}

static void run_matmul(Lab *lab, const char *kernel) {
    LabCase *c = matmul(lab, kernel, RUN_M, RUN_N, RUN_K);
    lab_measure(c, 0, 0);
    lab_end(c);
}

static const LabTest tests[] = {
    {"matmul_rows", "is_as_given", is_as_given},
    {"matmul_cols", "multiplies_every_shape", multiplies_every_shape},
    {"matmul_tiled", "multiplies_every_shape", multiplies_every_shape},
    {"matmul_abt", "multiplies_every_shape", multiplies_every_shape},
};

static const LabRun runs[] = {
    {"predictions", run_predictions}, {"cols", run_matmul}, {"tiled", run_matmul}, {"abt", run_matmul}};

int main(int argc, char **argv) { return lab_main(argc, argv, &(LabSuite){"08-matmul", LAB_TABLE(tests), LAB_TABLE(runs)}); }
