/* What the text of a source declares. Lines and values are read off the source below. */
#include "input/declared.h"

#include <string.h>

#include "lab/given.h"
#include "suite.h"

static const char source[] = "#define SIDE 16\n"                                                /* 1 */
                             "constexpr int TILE = 2 * SIDE, PAD = 1; // TILE = 7\n"            /* 2 */
                             "const unsigned SHIFTED = (1u << 4) - 0x6;\n"                      /* 3 */
                             "extern \"C\" __global__ void first(float *out, const int n) {\n"  /* 4 */
                             "    __shared__ float tile[TILE][TILE + PAD];\n"                   /* 5 */
                             "    int local = 3;\n"                                             /* 6 */
                             "    if (n) { out[0] = '}'; /* } */ }\n"                           /* 7 */
                             "}\n"                                                              /* 8 */
                             "PREDICT(second, 4)\n"                                             /* 9 */
                             "extern \"C\" { __constant__ int rows[3] = {1, 2, 3}; }\n"         /* 10 */
                             "extern \"C\" __global__ void second(float *out) { first_one(); }" /* 11 */
    ;

START_TEST(a_name_has_the_line_of_its_declaration)
{
    ck_assert_uint_eq(declared_line(source, "first", "__global__"), 4);
    ck_assert_uint_eq(declared_line(source, "second", "__global__"), 11);
    ck_assert_uint_eq(declared_line(source, "rows", "__constant__"), 10);
    ck_assert_uint_eq(declared_line(source, "first_one", "__global__"), 0); /* in a body */
    ck_assert_uint_eq(declared_prediction(source, "right.second"), 9);
    ck_assert_uint_eq(declared_prediction(source, "right.rows"), 10);
    ck_assert_uint_eq(declared_prediction(source, "global.load.sectors"), 0);
}
END_TEST

static void check_fraction(const char *text, uint32_t line, const char *number) {
    char found[DECLARED_NUMBER] = "";
    ck_assert_uint_eq(declared_fraction(text, "predicted_sectors_tile", found), line);
    if (line) ck_assert_str_eq(found, number);
}

START_TEST(predictions_with_a_fraction_are_found)
{
    check_fraction("int a;\nPREDICT(tile, 2, 12.5)\n", 2, "12.5");
    check_fraction("\nPREDICT_READ(tile, .5f, 12)\n", 2, ".5");
    check_fraction("\nPREDICT(sectors_tile, 2, 125e-1)\n", 2, "125e-1");
    check_fraction("\nPREDICT(tile, 2, 12)\nPREDICT(tile, 2, 3 * 0.25)\n", 3, "0.25");
    check_fraction("\nPREDICT(tile, 2.0, 0x1e) // not 12.5\n", 0, "");
    check_fraction("\nPREDICT(tile, 1e2, tile2.5)\n", 0, "");
    check_fraction("\nPREDICT(tiles, 2, 12.5)\nPREDICT(ile, 2, 12.5)\nPREDICT(, 0.5)\n", 0, "");
    check_fraction("PREDICT(tile, 2, 12.5)\n#define PREDICT(tile, 0.5)\n", 0, ""); /* no row begins a text */
    check_fraction("\nPREDICT(tile", 0, "");
    check_fraction("\nPREDICT(tile, 2\n, 12.5)", 0, "");
}
END_TEST

static void as_numbers(bool wanted, const char *text, const char *constant, int32_t value) {
    ck_assert_msg(declared_as_numbers(text, constant, &value, 1) == wanted, "%s", text);
}

START_TEST(predictions_are_numbers_that_are_written)
{
    as_numbers(true, "\nPREDICT(tile, 2, 12)\n", "predicted_sectors_tile", 12);
    as_numbers(true, "PREDICT_READ( tile,2 , 12 ) // of rows\n", "predicted_lines_tile", 2);
    as_numbers(true, "PREDICT(tile, 2, 3 * (2 + 2))", "predicted_sectors_tile", 12);
    as_numbers(true, "PREDICT(tile, /* two */ 2, 0x0c)", "predicted_sectors_tile", 12);
    as_numbers(true, "PREDICT(tile, -1, 0)", "predicted_nc_tile", -1);
    as_numbers(true, "PREDICT(tile, 7, 8, 9)", "sectors_tile_b", 8);
    as_numbers(true, "PREDICT(tiles, f(1))\nPREDICT(tile, 12)", "predicted_tile", 12);
    as_numbers(true, "__constant__ int predicted_tile = 12;", "predicted_tile", 12);
    /* worked out, in whatever way */
    as_numbers(false, "PREDICT(tile, 2, sectors(20))", "predicted_sectors_tile", 12);
    as_numbers(false, "constexpr int n = 12;\nPREDICT(tile, 2, n)", "predicted_sectors_tile", 12);
    as_numbers(false, "#define n 12\n__constant__ int predicted_tile = n;", "predicted_tile", 12);
    as_numbers(false, "__constant__ int predicted_tile = sizeof(int[12]) / 4;", "predicted_tile", 12);
    as_numbers(false, "__constant__ int predicted_tile{12};", "predicted_tile", 12);
    /* by another macro of that name, under a name that is put together, in one of two places, among many */
    as_numbers(false, "#define PREDICT(a, b, c) __constant__ int predicted_sectors_##a = count();\nPREDICT(tile, 2, 0)",
               "predicted_sectors_tile", 12);
    as_numbers(false, "MAKE(predicted_, tile, 12)", "predicted_tile", 12);
    as_numbers(false, "#if 0\nPREDICT(tile, 12)\n#else\nPREDICT(tile, n)\n#endif", "predicted_tile", 12);
    as_numbers(false, "PREDICT(tile, 9, 10, 11, 12)", "predicted_tile", 12);
    as_numbers(false, "// PREDICT(tile, 12)\n", "predicted_tile", 12);
    as_numbers(false, "/*\nPREDICT(tile, 12)\n*/", "predicted_tile", 12);
    as_numbers(false, "", "predicted_tile", 12);
    as_numbers(false, "PREDICT(tile, ", "predicted_tile", 0);
    as_numbers(false, "PREDICT(tile", "predicted_tile", 0);
    as_numbers(false, "__constant__ int predicted_tile =", "predicted_tile", 0);
    /* lists */
    const int32_t list[] = {3, 4};
    ck_assert(declared_as_numbers("__constant__ int rows[2] = {3, 4};", "rows", list, 2));
    ck_assert(declared_as_numbers("__constant__ int rows[2] = { // two\n  3,   4 };", "rows", list, 2));
    ck_assert(!declared_as_numbers("__constant__ int rows[2] = {3, f()};", "rows", list, 2));
    ck_assert(!declared_as_numbers("__constant__ int rows[2] = {4, 3};", "rows", list, 2));
    ck_assert(!declared_as_numbers("__constant__ int rows[2] = {3};", "rows", list, 2));
    const int32_t begun[] = {3, 0}, none[] = {0, 0}; /* what is left out is 0: it is still to be predicted */
    ck_assert(declared_as_numbers("__constant__ int rows[2] = {3};", "rows", begun, 2));
    ck_assert(declared_as_numbers("__constant__ int rows[2] = { };", "rows", none, 2));
    ck_assert(!declared_as_numbers("__constant__ int rows[2] = {f()};", "rows", none, 2));
}
END_TEST

START_TEST(a_kernel_ends_at_its_own_brace)
{
    size_t length;
    const char *kernel = declared_kernel(source, "first", &length);
    ck_assert_ptr_nonnull(kernel);
    ck_assert(strncmp(kernel, "first(float", 11) == 0);
    ck_assert(strncmp(kernel + length - 3, "}\n}", 3) == 0);
    ck_assert_ptr_null(declared_kernel(source, "tile", &length));
}
END_TEST

START_TEST(parameters_have_names)
{
    static const char text[] =
        "template <typename T> __global__ void k(const T *__restrict__ in, T (&tile)[4], Pair<int, T> two,\n"
        "                                        /* the, last */ float *out, int n = 3) { k2(0); }";
    static const char *const names[] = {"in", NULL, "two", "out", "n"};
    char name[16];
    for (size_t i = 0; i < 5; i++) {
        bool found = declared_parameter(text, "k", i, name, sizeof name);
        if (names[i]) ck_assert_msg(found && strcmp(name, names[i]) == 0, "%zu: %s", i, found ? name : "not found");
    }
    ck_assert(!declared_parameter(text, "k", 5, name, sizeof name));
    ck_assert(!declared_parameter(text, "other", 0, name, sizeof name));
    ck_assert(!declared_parameter(text, "k", 3, name, 3)); /* no room */
    ck_assert(declared_parameter(source, "second", 0, name, sizeof name));
    ck_assert_str_eq(name, "out");
}
END_TEST

static int64_t integer(const char *name) {
    int64_t value;
    uint32_t line;
    return declared_integer(source, name, &value, &line) ? value : -1;
}

START_TEST(integers_are_worked_out)
{
    ck_assert_int_eq(integer("SIDE"), 16);
    ck_assert_int_eq(integer("TILE"), 32);
    ck_assert_int_eq(integer("PAD"), 1);
    ck_assert_int_eq(integer("SHIFTED"), 10);
    ck_assert_int_eq(integer("n"), -1);     /* a parameter that is const */
    ck_assert_int_eq(integer("local"), -1); /* may change */
    ck_assert_int_eq(integer("nothing"), -1);
    int64_t value;
    uint32_t line;
    ck_assert(declared_integer(source, "PAD", &value, &line));
    ck_assert_uint_eq(line, 2);
    ck_assert(!declared_integer("#define A B\n#define B A\n", "A", &value, &line));
    Text doubling = {0}; /* each name twice the next: 2^40 ways to the last */
    for (int i = 0; i < 40; i++) text_add(&doubling, "#define A%d A%d + A%d\n", i, i + 1, i + 1);
    text_add(&doubling, "#define A40 1\n");
    ck_assert(!declared_integer(text_string(&doubling), "A0", &value, &line));
    ck_assert(declared_integer(text_string(&doubling), "A36", &value, &line));
    ck_assert_int_eq(value, 16);
    text_free(&doubling);
    ck_assert(!declared_integer("#define A (1 / 0)\n", "A", &value, &line));
    ck_assert(!declared_integer("#define A 2147483647 * 2147483647 * 2147483647\n", "A", &value, &line));
    ck_assert(!declared_integer("#define A f(3)\n", "A", &value, &line));
}
END_TEST

START_TEST(arrays_have_the_dimensions_that_they_are_declared_with)
{
    int64_t dimensions[DECLARED_DIMENSIONS];
    ck_assert_uint_eq(declared_dimensions(source, "tile", "__shared__", dimensions), 2);
    ck_assert_int_eq(dimensions[0], 32);
    ck_assert_int_eq(dimensions[1], 33);
    ck_assert_uint_eq(declared_dimensions("__shared__ float all[n];", "all", "__shared__", dimensions), 0);
    ck_assert_uint_eq(declared_dimensions("extern __shared__ float all[];", "all", "__shared__", dimensions), 0);
    ck_assert_uint_eq(declared_dimensions("__shared__ int a[2][2][2][2][2];", "a", "__shared__", dimensions), 0);
}
END_TEST

static void check_altered(const char *given, const char *text, const char *expected) {
    Text said = {0};
    given_say_changes(given, text, "k", &said);
    ck_assert_str_eq(text_string(&said), expected);
    text_free(&said);
}

START_TEST(parameters_that_were_edited_are_named)
{
    static const char given[] = "extern \"C\" __global__ void k(const float *in, int rows, int cols) {\n}\n";
    check_altered(given, "\nextern \"C\" __global__ void k(const float* source,int rows,\n  int cols) {}", "");
    check_altered(
        given, "\n__global__ void k(const double *in, int rows, int cols) {}",
        "line 2 declares k(const double *in, int rows, int cols); the exercise gives it as k(const float *in, int rows, int "
        "cols)");
    check_altered(
        given, "__global__ void k(const float *in, int cols, int rows) {}",
        "line 1 declares k(const float *in, int cols, int rows); the exercise gives it as k(const float *in, int rows, int "
        "cols)");
    check_altered(
        given, "__global__ void k(const float *in, int rows) {}",
        "line 1 declares k(const float *in, int rows); the exercise gives it as k(const float *in, int rows, int cols)");
    /* the learner's own */
    check_altered("__global__ void k(int a) {}\n", "__global__ void other(int a) {}\n", "");
    check_altered("// BEGIN YOUR CODE\n__global__ void k(int a) {}\n// END YOUR CODE\n", "__global__ void k(float a) {}", "");
    check_altered("__global__ void k(\n// BEGIN YOUR CODE\nint a) {\n// END YOUR CODE\n}\n", "__global__ void k(float a) {}",
                  "");
}
END_TEST

/* Blanks and comments outside the marks mean nothing, what is between them is the learner's. */
START_TEST(lines_outside_the_marks_that_were_edited_are_found)
{
    static const char given[] = "int a;\n// BEGIN YOUR CODE\nint b;\n// END YOUR CODE\nint c;\n";
    static const struct {
        const char *text;
        uint32_t line; /* 0: none was edited */
    } rows[] = {
        {"int a;\n// BEGIN YOUR CODE\nint b;\n// END YOUR CODE\nint c;\n", 0},
        {"// mine\n\nint  a; // too\n    // BEGIN YOUR CODE\n// END YOUR CODE\n int c;", 0},
        {"int a;\n// BEGIN YOUR CODE\nint x;\nint y;\n// END YOUR CODE\nint c;\n", 0},
        {"int a = 1;\n// BEGIN YOUR CODE\n// END YOUR CODE\nint c;\n", 1},
        {"int a;\nint x;\n// BEGIN YOUR CODE\n// END YOUR CODE\nint c;\n", 2},
        {"int a;\n// BEGIN YOUR CODE\nint b;\n// END YOUR CODE\nint d;\n", 5},
        {"int a;\n// BEGIN YOUR CODE\nint b;\n// END YOUR CODE\n", 4},
        {"int a;\nint b;\nint c;\n", 2},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        ck_assert_msg(given_edited(given, rows[i].text) == rows[i].line, "%s: %u", rows[i].text,
                      given_edited(given, rows[i].text));
    for (uint32_t line = 1; line <= 5; line++) ck_assert_int_eq(given_is_yours(given, line), line == 3);
    ck_assert(given_is_yours("int a;\n", 1));
}
END_TEST

START_TEST(a_size_that_was_edited_is_named_where_the_kernel_uses_it)
{
    static const char given[] = "constexpr int TILE = 32, SIDE = 8;\n// BEGIN YOUR CODE\n#define ROWS 4\n// END YOUR CODE\n";
    check_altered(given,
                  "// mine\nconstexpr int TILE = 24, SIDE = 8;\n// BEGIN YOUR CODE\n#define ROWS 4\n// END YOUR CODE\n"
                  "__global__ void k() { f(TILE); }",
                  "TILE is 24 in line 2; the exercise gives it as 32, and the grader's launches rest on that");
    check_altered(given, "constexpr int TILE = 24, SIDE = 8;\n__global__ void k() { f(SIDE, TILES, SUBTILE); }", "");
    check_altered(given,
                  "constexpr int TILE = 32, SIDE = 8;\n// BEGIN YOUR CODE\n#define ROWS 5\n// END YOUR CODE\n"
                  "__global__ void k() { f(TILE, ROWS); }",
                  ""); /* to be edited */
}
END_TEST

static void check_newer(const char *text, unsigned target, uint32_t line, unsigned needed) {
    unsigned found = 0;
    ck_assert_uint_eq(declared_for_newer(text, target, &found), line);
    if (line) ck_assert_uint_eq(found, needed);
}

START_TEST(code_for_newer_devices_is_found_by_its_condition)
{
    check_newer("int a;\n#if __CUDA_ARCH__ >= 800\n", 75, 2, 80);
    check_newer("int a;\n#if __CUDA_ARCH__ >= 800\n", 80, 0, 0);
    check_newer("int a;\n#if __CUDA_ARCH__ >= 800\n", 90, 0, 0);
    check_newer("#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 800\n", 75, 1, 80);
    check_newer("#if __CUDA_ARCH__ > 750\n", 75, 1, 76); /* the lowest that there could be */
    check_newer("#if __CUDA_ARCH__ == 900\n", 89, 1, 90);
    check_newer("#if __CUDA_ARCH__ >= 600\n  #  elif defined(X) && __CUDA_ARCH__>=1000\n", 90, 2, 100);
    check_newer("#if __CUDA_ARCH__ < 800\n#ifdef __CUDA_ARCH__\n#if __CUDA_ARCH__", 75, 0, 0);
    check_newer("// __CUDA_ARCH__ >= 800\n#define NEW __CUDA_ARCH__ >= 800\n", 75, 0, 0);
    check_newer("#if __CUDA_ARCH__ >=", 75, 0, 0);
    check_newer("", 75, 0, 0);
}
END_TEST

SUITE("declared", a_name_has_the_line_of_its_declaration, predictions_with_a_fraction_are_found,
      predictions_are_numbers_that_are_written, a_kernel_ends_at_its_own_brace, parameters_have_names, integers_are_worked_out,
      arrays_have_the_dimensions_that_they_are_declared_with, parameters_that_were_edited_are_named,
      lines_outside_the_marks_that_were_edited_are_found, code_for_newer_devices_is_found_by_its_condition,
      a_size_that_was_edited_is_named_where_the_kernel_uses_it)
