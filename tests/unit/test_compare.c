#include "lab/compare.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "suite.h"

enum { MOST = 128 * 128 };

static float expected[MOST], got[MOST], input[MOST];

/* A rows x cols matrix of values that occur once: element i is 1000 + i. `input` holds others. */
static Comparison matrix(uint64_t rows, uint64_t cols) {
    static const CompareSource sources[] = {{"in", input, TYPE_f32, MOST}};
    for (uint64_t i = 0; i < rows * cols; i++) expected[i] = got[i] = 1000 + (float)i;
    for (uint64_t i = 0; i < MOST; i++) input[i] = -5000 - (float)i;
    return (Comparison){.name = "out",
                        .type = TYPE_f32,
                        .got = got,
                        .expected = expected,
                        .rows = rows,
                        .cols = cols,
                        .tolerance = -1,
                        .sources = sources,
                        .n_sources = 1};
}

static void unwrite(uint64_t i) { memset(&got[i], COMPARE_POISON, sizeof got[i]); }

static void says(const Comparison *comparison, const char *in_message, const char *in_cause) {
    Text message = {0}, cause = {0};
    ck_assert(!compare_arrays(comparison, &message, &cause));
    ck_assert_msg(strstr(text_string(&message), in_message) != NULL, "'%s' instead of '%s'", text_string(&message), in_message);
    ck_assert_msg(strstr(text_string(&cause), in_cause) != NULL, "'%s' instead of '%s'", text_string(&cause), in_cause);
    if (!*in_cause) ck_assert_msg(!cause.length, "a cause out of nothing: %s", text_string(&cause));
    text_free(&message);
    text_free(&cause);
}

START_TEST(equal_arrays_are_fine)
{
    Comparison comparison = matrix(10, 10);
    Text message = {0}, cause = {0};
    ck_assert(compare_arrays(&comparison, &message, &cause));
    ck_assert_uint_eq(message.length + cause.length, 0);
    comparison.rows = 0;
    got[0] = 0;
    ck_assert(compare_arrays(&comparison, &message, &cause));
}
END_TEST

START_TEST(zeros_of_two_signs_differ_in_bits)
{
    Comparison comparison = matrix(10, 12);
    expected[30] = -0.0f, got[30] = 0.0f;
    says(&comparison, "1 of 120", "only bits differ");
    expected[30] = NAN, got[30] = -NAN;
    says(&comparison, "1 of 120", "only bits differ");
    got[30] = 0;
    says(&comparison, "1 of 120", "it is 0");
}
END_TEST

/* An array that is copied as it is has all elements that are wanted; of a matrix it says which mistake that is. */
START_TEST(a_copied_source_has_all_elements)
{
    static const struct {
        uint64_t rows, cols, count;
        const char *cause;
    } cases[] = {{1, 2, 2, "'in' is copied as it is"},
                 {1, 2, 1, "it is element 0 of 'in'"},
                 {2, 1, 2, "'in' is copied as it is: row and column swapped in one index"}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        Comparison comparison = matrix(cases[i].rows, cases[i].cols);
        const CompareSource source = {"in", input, TYPE_f32, cases[i].count};
        Text message = {0}, cause = {0};
        comparison.sources = &source;
        got[0] = input[0];
        ck_assert(!compare_arrays(&comparison, &message, &cause));
        ck_assert_str_eq(text_string(&cause), cases[i].cause);
        text_free(&message);
        text_free(&cause);
    }
}
END_TEST

START_TEST(a_constant_factor_is_named)
{
    Comparison comparison = matrix(10, 12);
    for (int i = 30; i < 60; i++) got[i] = -2 * expected[i];
    says(&comparison, "30 of 120 elements are wrong", "each is -2 times what is expected");
    for (int i = 30; i < 60; i++) got[i] = expected[i] / 32;
    says(&comparison, "30 of 120", "each is what is expected, divided by 32");
    for (int i = 30; i < 60; i++) got[i] = 1.000001f * expected[i];
    says(&comparison, "30 of 120", "each is nearly what is expected: is it computed in a narrower type, as float for double");
    for (int i = 30; i < 60; i++) got[i] = 1.5f * expected[i];
    says(&comparison, "30 of 120", "");
    for (int i = 30; i < 60; i++) got[i] = 0;
    says(&comparison, "30 of 120", "it is 0: was it cleared and never added to");
}
END_TEST

START_TEST(the_first_wrong_element_is_named)
{
    Comparison comparison = matrix(10, 12);
    got[27] = -1.5f, got[100] = 7;
    says(&comparison, "element (2, 3) of 'out' is -1.5, expected 1027; 2 of 120 elements are wrong", "");
    comparison.rows = 2, comparison.cols = 60;
    says(&comparison, "element (0, 27) of", "");
    comparison.rows = 1, comparison.cols = 120;
    says(&comparison, "element 27 of 'out' is -1.5, expected 1027", "");
}
END_TEST

START_TEST(nothing_written_is_said)
{
    Comparison comparison = matrix(10, 10);
    for (int i = 0; i < 100; i++) unwrite((uint64_t)i);
    says(&comparison, "element (0, 0) of 'out' is never written, expected 1000", "nothing was written to 'out' at all");
}
END_TEST

START_TEST(rows_of_each_tile_never_written)
{
    Comparison comparison = matrix(96, 40);
    for (uint64_t i = 0; i < 96 * 40; i++)
        if (i / 40 % 32 >= 8) unwrite(i);
    says(&comparison, "(8, 0)", "rows 8-31 of each 32 were never written");
    comparison = matrix(40, 96);
    for (uint64_t i = 0; i < 96 * 40; i++)
        if (i % 96 % 16 >= 4) unwrite(i);
    says(&comparison, "(0, 4)", "columns 4-15 of each 16 were never written");
    comparison = matrix(96, 40);
    for (uint64_t i = 0; i < 96 * 40; i++)
        if (i / 40 == 63) unwrite(i);
    says(&comparison, "(63, 0)", "row 63 of each 64 was never written");
    comparison = matrix(1, 90);
    for (uint64_t i = 0; i < 90; i++)
        if (i % 2) unwrite(i);
    says(&comparison, "element 1 ", "element 1 of each 2 was never written");
}
END_TEST

START_TEST(an_end_never_written)
{
    Comparison comparison = matrix(70, 10);
    for (uint64_t i = 640; i < 700; i++) unwrite(i);
    says(&comparison, "(64, 0)", "rows 64 and after were never written: does a guard");
    comparison = matrix(20, 10);
    for (uint64_t i = 80; i < 200; i++) unwrite(i);
    says(&comparison, "(8, 0)",
         "rows 8 and after were never written: does every block, and every thread, do all of its share?");
    /* From a power of two below 32 on it looks like the rows of one block; never in a single row, where a guard decides. */
    static const struct {
        uint64_t rows, cols, from;
        bool share;
    } ends[] = {{2, 10, 1, true},   {3, 10, 1, true},    {20, 10, 5, false},  {20, 10, 6, false}, {20, 10, 12, false},
                {40, 10, 16, true}, {70, 10, 31, false}, {70, 10, 32, false}, {1, 20, 8, false}};
    for (size_t e = 0; e < sizeof ends / sizeof *ends; e++) {
        char cause[200];
        const bool one = ends[e].rows == 1;
        comparison = matrix(ends[e].rows, ends[e].cols);
        for (uint64_t i = ends[e].from * (one ? 1 : ends[e].cols); i < ends[e].rows * ends[e].cols; i++) unwrite(i);
        snprintf(cause, sizeof cause, "%s %d and after were never written: %s", one ? "elements" : "rows", (int)ends[e].from,
                 ends[e].share ? "does every block" : "does a guard");
        if (ends[e].from + 1 == ends[e].rows) strcpy(cause, "the last row was never written: does every block");
        says(&comparison, "never written", cause);
    }
    comparison = matrix(20, 10);
    unwrite(55), unwrite(77);
    says(&comparison, "(5, 5)", "2 elements were never written: does a guard leave them out, or");
    comparison.unguarded = true;
    says(&comparison, "(5, 5)",
         "2 elements were never written: do too few threads take part, or does no thread's index come to them?");
    comparison.stored_bytes = 198 * sizeof(float); /* each of the others once */
    says(&comparison, "(5, 5)", "does no thread's index come to them?");
    comparison.stored_bytes += sizeof(float);
    says(&comparison, "(5, 5)",
         "2 elements were never written: others were written more than once: do several threads have the same ones?");
    comparison = matrix(20, 10);
    unwrite(55);
    says(&comparison, "1 of 200 elements is wrong", "1 element was never written: does a guard leave it out?");
    comparison = matrix(1, 20);
    unwrite(19);
    says(&comparison, "1 of 20 elements is wrong", "the last element was never written: does a guard leave it out?");
}
END_TEST

/* Where the value at (r, c) of an n x n matrix comes from, by each mistake. */
static void each_mistake(unsigned which, unsigned n, unsigned r, unsigned c, unsigned from[2]) {
    static const unsigned tiles[] = {16, 32, 64};
    const unsigned tile = tiles[which % 3], kind = which / 3, y = r % tile, x = c % tile, at_y = r - y, at_x = c - x;
    from[0] = r, from[1] = c;
    if (kind == 0) from[0] = at_y + x, from[1] = at_x + y;                       /* inside tiles */
    if (kind == 1) from[0] = at_x + y, from[1] = at_y + x;                       /* the tiles */
    if (kind == 2) from[0] = at_y + tile - 1 - x, from[1] = at_x + tile - 1 - y; /* inside, by the other diagonal */
    if (which == 9) from[1] = n - 1 - c;
    if (which == 10) from[0] = n - 1 - r;
    if (which == 11) from[0] = n - 1 - r, from[1] = n - 1 - c;
    if (which == 12) from[0] = r + 1;
    if (which == 13) from[0] = r - 1;
    if (which == 14) from[1] = c + 1;
    if (which == 15) from[1] = c - 1;
}

START_TEST(each_mistake_is_recognised_by_its_rule)
{
    static const char *const causes[16] = {
        "swapped inside each 16 x 16 tile, the tiles are in place",
        "swapped inside each 32 x 32 tile, the tiles are in place",
        "swapped inside each 64 x 64 tile, the tiles are in place",
        "the 16 x 16 tiles are right inside",
        "the 32 x 32 tiles are right inside",
        "the 64 x 64 tiles are right inside",
        "swapped inside each 16 x 16 tile, about the diagonal",
        "swapped inside each 32 x 32 tile, about the diagonal",
        NULL, /* not looked for */
        "each row is in the reverse order",
        "the rows are in the reverse order",
        "turned by 180 degrees",
        "the value of the next row",
        "the value of the row before",
        "the value of the next element",
        "the value of the element before",
    };
    enum { N = 128 };
    for (unsigned which = 0; which < 16; which++) {
        if (!causes[which]) continue;
        Comparison comparison = matrix(N, N);
        for (unsigned r = 0; r < N; r++) {
            for (unsigned c = 0; c < N; c++) {
                unsigned from[2];
                each_mistake(which, N, r, c, from);
                if (from[0] < N && from[1] < N) got[r * N + c] = expected[from[0] * N + from[1]];
            }
        }
        says(&comparison, "elements are wrong", causes[which]);
    }
}
END_TEST

/* (r, c) has the value of (n - 1 - c % n, n - 1 - r % n) of its tile of n x n. A tile as large as the matrix is not spoken of as one, one that is as high, or as
 * wide, is. */
START_TEST(tiles_are_smaller_than_the_matrix)
{
    static const struct {
        int n, rows, cols;
        const char *cause;
    } rows[] = {{32, 32, 32, ""},
                {16, 16, 16, ""},
                {32, 32, 64, "swapped inside each 32 x 32 tile, about the diagonal"},
                {32, 64, 32, "swapped inside each 32 x 32 tile, about the diagonal"}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        const int cols = rows[i].cols, n = rows[i].n;
        Comparison comparison = matrix((uint64_t)rows[i].rows, (uint64_t)cols);
        for (int r = 0; r < rows[i].rows; r++)
            for (int c = 0; c < cols; c++)
                got[r * cols + c] = expected[(r / n * n + n - 1 - c % n) * cols + c / n * n + n - 1 - r % n];
        Text message = {0}, cause = {0};
        ck_assert(!compare_arrays(&comparison, &message, &cause));
        ck_assert_msg(*rows[i].cause ? strstr(text_string(&cause), rows[i].cause) != NULL
                                     : !strstr(text_string(&cause), "tile"),
                      "%d x %d: %s", rows[i].rows, cols, text_string(&cause));
        text_free(&message);
        text_free(&cause);
    }
}
END_TEST

START_TEST(swapped_indices_are_recognised)
{
    Comparison comparison = matrix(50, 50);
    for (int r = 0; r < 50; r++)
        for (int c = 0; c < 50; c++) got[r * 50 + c] = expected[c * 50 + r];
    says(&comparison, "(0, 1)", "row and column swapped");
    comparison = matrix(64, 96);
    for (int r = 0; r < 64; r++)
        for (int c = 0; c < 96; c++) got[r * 96 + c] = expected[(r / 32 * 32 + c % 32) * 96 + c / 32 * 32 + r % 32];
    says(&comparison, "(0, 1)", "swapped inside each 32 x 32 tile");
    comparison = matrix(64, 64);
    for (int r = 0; r < 64; r++)
        for (int c = 0; c < 64; c++) got[r * 64 + c] = expected[(c / 32 * 32 + r % 32) * 64 + r / 32 * 32 + c % 32];
    says(&comparison, "(0, 32)", "32 x 32 tiles are right inside");
}
END_TEST

/* got(r, c) becomes expected(r', c'), as the formula of each says. */
START_TEST(reversed_orders_are_recognised)
{
    enum { ROWS = 64, COLS = 96 };
    static const char *const causes[] = {"each row is in the reverse order", "the rows are in the reverse order",
                                         "turned by 180 degrees",
                                         "swapped inside each 32 x 32 tile, about the diagonal from the lower left"};
    for (int kind = 0; kind < 4; kind++) {
        Comparison comparison = matrix(ROWS, COLS);
        for (int r = 0; r < ROWS; r++)
            for (int c = 0; c < COLS; c++) {
                int row = kind == 0 ? r : ROWS - 1 - r, col = kind == 1 ? c : COLS - 1 - c;
                if (kind == 3) row = r / 32 * 32 + 31 - c % 32, col = c / 32 * 32 + 31 - r % 32;
                got[r * COLS + c] = expected[row * COLS + col];
            }
        says(&comparison, "elements are wrong", causes[kind]);
    }
    Comparison line = matrix(1, 50);
    for (int i = 0; i < 50; i++) got[i] = expected[49 - i];
    says(&line, "50 of 50", "the elements are in the reverse order");
}
END_TEST

START_TEST(an_input_copied_as_it_is)
{
    Comparison comparison = matrix(20, 30);
    memcpy(got, input, 600 * sizeof *got);
    says(&comparison, "(0, 0)", "'in' is copied as it is: row and column swapped in one index");
    comparison.rows = 1, comparison.cols = 600;
    says(&comparison, "element 0 ", "'in' is copied as it is");
}
END_TEST

START_TEST(one_wrong_element_is_explained_too)
{
    Comparison comparison = matrix(1, 500);
    got[7] = expected[8];
    says(&comparison, "element 7 ", "the value of the next element");
}
END_TEST

START_TEST(off_by_one)
{
    Comparison comparison = matrix(1, 500);
    for (int i = 0; i < 499; i++) got[i] = expected[i + 1];
    says(&comparison, "element 0 ", "the value of the next element");
    comparison = matrix(1, 500);
    for (int i = 1; i < 500; i++) got[i] = expected[i - 1];
    says(&comparison, "element 1 ", "the value of the element before");
    comparison = matrix(50, 40);
    for (int i = 40; i < 2000; i++) got[i] = expected[i - 40];
    says(&comparison, "(1, 0)", "the value of the row before");
}
END_TEST

/* A mistake explains what nearly all wrong elements have: nine of ten of those for which it says something, which must be half of all. */
START_TEST(a_mistake_must_explain_nearly_all_wrong_elements)
{
    for (int others = 2; others <= 3; others++) { /* of 20 wrong elements 18, or 17, are those of the next one */
        Text message = {0}, cause = {0};
        Comparison comparison = matrix(1, 40);
        for (int i = 0; i < 20; i++) got[i] = i && i <= others ? -7 - (float)i : expected[i + 1];
        ck_assert(!compare_arrays(&comparison, &message, &cause));
        ck_assert_msg(!strstr(text_string(&cause), "next element") == (others == 3), "%d: %s", others, text_string(&cause));
        text_free(&message), text_free(&cause);
    }
    for (int others = 12; others <= 13; others++) { /* 12 are swapped; what would stand behind column 3 is in no row */
        enum { ROWS = 4, COLS = 12 };
        Text message = {0}, cause = {0};
        Comparison comparison = matrix(ROWS, COLS);
        for (int r = 0; r < ROWS; r++)
            for (int c = 0; c < ROWS; c++) got[r * COLS + c] = expected[c * COLS + r];
        for (int i = 0; i < others; i++) got[i / 8 * COLS + ROWS + i % 8] = -7 - (float)(i * i);
        ck_assert(!compare_arrays(&comparison, &message, &cause));
        ck_assert_msg(!strstr(text_string(&cause), "row and column swapped") == (others == 13), "%d: %s", others,
                      text_string(&cause));
        text_free(&message), text_free(&cause);
    }
}
END_TEST

START_TEST(a_single_value_is_traced)
{
    Comparison comparison = matrix(20, 20);
    got[45] = expected[313];
    says(&comparison, "(2, 5)", "the value that belongs to element (15, 13)");
    got[45] = input[123];
    says(&comparison, "(2, 5)", "element 123 of 'in'");
    got[45] = NAN;
    says(&comparison, "(2, 5)", "not a number");
    got[45] = 0;
    says(&comparison, "(2, 5)", "it is 0");
}
END_TEST

/* A mistake is named where its values say so, and not where one of so many alike stands at its place by chance. */
START_TEST(values_that_many_elements_have_tell_nothing)
{
    static uint32_t is[MOST], should[MOST], others[MOST];
    const CompareSource source = {"in", others, TYPE_u32, MOST};
    for (uint32_t i = 0; i < MOST; i++) is[i] = should[i] = 1000 + i * 17 % 500, others[i] = 7 + i % 90;
    const Comparison line = {
        .name = "o", .type = TYPE_u32, .got = is, .expected = should, .rows = 1, .cols = MOST, .tolerance = -1};
    const struct {
        uint32_t at, value;
        bool in;
        const char *cause;
    } rows[] = {
        {100, 1003, false, ""},        /* 32 elements or more have each value */
        {100, should[101], false, ""}, /* the next one too, and others */
        {100, should[99], false, ""},
        {100, should[MOST - 101], false, ""},
        {100, others[3], true, ""},
        {100, others[100], true, ""},
        {100, 0, true, ""},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        Comparison comparison = line;
        if (rows[i].in) comparison.sources = &source, comparison.n_sources = 1;
        is[rows[i].at] = rows[i].value;
        says(&comparison, "1 of 16384", rows[i].cause);
        is[rows[i].at] = should[rows[i].at];
    }
    /* Two of the sixteen thousand have the value; then one alone. */
    Comparison comparison = line;
    should[5000] = is[5000] = 770000, should[6000] = is[6000] = 770000, is[100] = 770000;
    says(&comparison, "1 of 16384", "");
    should[6000] = is[6000] = 880000;
    says(&comparison, "1 of 16384", "it is the value that belongs to element 5000");
    comparison.sources = &source, comparison.n_sources = 1;
    others[60] = 990000, is[100] = 990000;
    says(&comparison, "1 of 16384", "it is element 60 of 'in'");
    others[61] = 990000;
    says(&comparison, "1 of 16384", "");
    /* One alone, but among others that are nearly it. */
    should[5000] = is[5000] = 1500, is[100] = 1500;
    says(&line, "1 of 16384", "");
}
END_TEST

START_TEST(a_shift_of_values_that_many_have_is_told_by_several)
{
    static uint32_t is[MOST], should[MOST];
    uint32_t drawn = 1;
    for (uint32_t i = 0; i < MOST; i++) is[i] = should[i] = 1 + ((drawn = drawn * 1664525 + 1013904223) >> 24) % 200;
    for (uint32_t i = 50; i < 60; i++) is[i] = should[i + 1];
    Comparison comparison = {
        .name = "o", .type = TYPE_u32, .got = is, .expected = should, .rows = 1, .cols = MOST, .tolerance = -1};
    says(&comparison, "of 16384", "the value of the next element");
    /* One value in the place of the others is no shift, however many stand beside one that has it. */
    for (uint32_t i = 0; i < MOST; i++) is[i] = should[i] = i % 2 ? 8 : 9;
    for (uint32_t i = 50; i < 90; i += 2) is[i] = 8;
    says(&comparison, "20 of 16384", "");
}
END_TEST

START_TEST(what_was_updated_is_told_by_what_it_was)
{
    enum { N = 1000 };
    uint32_t before[N], should[N], is[N];
    for (uint32_t i = 0; i < N; i++) before[i] = i % 90, is[i] = should[i] = before[i] + i % 3;
    Comparison comparison = {
        .name = "o", .type = TYPE_u32, .got = is, .expected = should, .rows = 1, .cols = N, .tolerance = -1, .before = before};
    is[100] = before[100];
    says(&comparison, "1 of 1000", "it is as it was before the launch: was nothing written, or added, there?");
    is[101] = before[101];
    says(&comparison, "2 of 1000", "the wrong ones are as they were before the launch");
    is[300]++, is[301] += 2; /* elements 100 and 101 lack 1 and 2 */
    says(&comparison, "4 of 1000", "the sum of all elements is right: is what belongs to one added to another?");
    is[300]++;
    says(&comparison, "4 of 1000", "");
    is[300]--, comparison.before = NULL;
    says(&comparison, "4 of 1000", "");
    comparison.before = before;
    for (uint32_t i = 0; i < N; i++) is[i] = should[i] - before[i];
    says(&comparison, "of 1000", "each lacks what it was before the launch: does a = stand for a +=?");
    is[1] += 2;
    says(&comparison, "of 1000", "");
    for (uint32_t i = 0; i < N; i++) before[i] = 7, is[i] = should[i], should[i] = is[i] + 7; /* or 7 too few */
    says(&comparison, "of 1000", "");
    /* What is to be put in another order has its sum in any. */
    for (uint32_t i = 0; i < N; i++) before[i] = i * i, is[i] = should[i] = (N - 1 - i) * (N - 1 - i);
    is[3] = should[9], is[9] = should[3], comparison.before = before;
    Text message = {0}, cause = {0};
    ck_assert(!compare_arrays(&comparison, &message, &cause));
    ck_assert_ptr_null(strstr(text_string(&cause), "sum"));
    text_free(&message), text_free(&cause);
}
END_TEST

START_TEST(bits_and_factors_are_those_of_all_wrong_elements)
{
    Comparison comparison = matrix(1, 500);
    expected[30] = -0.0f, got[30] = 0.0f, got[31] = -3;
    says(&comparison, "2 of 500", "it is 0");
    comparison = matrix(1, 500);
    for (int i = 0; i < 500; i++) got[i] = expected[i] = i % 100 ? 3 : 1000 + (float)i;
    for (int i = 1; i < 9; i++) got[i] = 6; /* twice, or 3 more */
    says(&comparison, "8 of 500", "");
    expected[10] = 4, got[10] = 8;
    says(&comparison, "9 of 500", "each is 2 times");
}
END_TEST

START_TEST(near_enough_is_right)
{
    Comparison comparison = matrix(1, 10);
    Text message = {0}, cause = {0};
    got[3] += 0.25f;
    comparison.tolerance = 0.25;
    ck_assert(compare_arrays(&comparison, &message, &cause));
    comparison.tolerance = 0.2;
    says(&comparison, "element 3 of 'out' is 1003.25, expected 1003", "");
    comparison.tolerance = 1e30;
    got[3] = NAN;
    says(&comparison, "element 3 of 'out' is nan", "not a number");
    got[3] = INFINITY;
    says(&comparison, "element 3 of 'out' is inf", "");
    expected[3] = INFINITY;
    ck_assert(compare_arrays(&comparison, &message, &cause));
    expected[3] = NAN, got[3] = -NAN;
    ck_assert(compare_arrays(&comparison, &message, &cause));
    expected[3] = NAN, got[3] = 1;
    says(&comparison, "element 3 of 'out' is 1, expected nan", "");
}
END_TEST

START_TEST(integers_are_shown_with_their_sign)
{
    const int16_t is[] = {1, -2, 3}, should[] = {1, 2, 3};
    Comparison comparison = {
        .name = "o", .type = TYPE_s16, .got = is, .expected = should, .rows = 1, .cols = 3, .tolerance = -1};
    says(&comparison, "element 1 of 'o' is -2, expected 2", "");
    comparison.type = TYPE_u16;
    says(&comparison, "element 1 of 'o' is 65534, expected 2", "");
}
END_TEST

SUITE("compare", values_that_many_elements_have_tell_nothing, a_shift_of_values_that_many_have_is_told_by_several,
      what_was_updated_is_told_by_what_it_was, bits_and_factors_are_those_of_all_wrong_elements, equal_arrays_are_fine,
      the_first_wrong_element_is_named, zeros_of_two_signs_differ_in_bits, a_copied_source_has_all_elements,
      a_constant_factor_is_named, nothing_written_is_said, rows_of_each_tile_never_written, an_end_never_written,
      each_mistake_is_recognised_by_its_rule, tiles_are_smaller_than_the_matrix, swapped_indices_are_recognised,
      reversed_orders_are_recognised, an_input_copied_as_it_is, one_wrong_element_is_explained_too, off_by_one,
      a_single_value_is_traced, a_mistake_must_explain_nearly_all_wrong_elements, near_enough_is_right,
      integers_are_shown_with_their_sign)
