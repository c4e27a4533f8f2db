/* Expected bytes are written by hand; the numbers of splitmix64 are those of its authors' reference program. */
#include <fcntl.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "input/arguments.h"
#include "input/numbers.h"
#include "input/signature.h"
#include "suite.h"

/* --- numbers ------------------------------------------------------------------------------------------------------------- */

static uint64_t parsed(const char *text, const char *type) {
    uint8_t bytes[8];
    const char *problem = number_parse(text, strlen(text), number_type(type, strlen(type)), bytes);
    ck_assert_msg(!problem, "'%s' %s", text, problem);
    uint64_t value = 0;
    memcpy(&value, bytes, type_bytes[number_type(type, strlen(type))]);
    return value;
}

static const char *refused(const char *text, const char *type) {
    uint8_t bytes[8];
    return number_parse(text, strlen(text), number_type(type, strlen(type)), bytes);
}

START_TEST(integers_are_decimal_hexadecimal_and_negative)
{
    ck_assert_uint_eq(parsed("5", "i32"), 5);
    ck_assert_uint_eq(parsed("-1", "i32"), 0xffffffff);
    ck_assert_uint_eq(parsed("+7", "u8"), 7);
    ck_assert_uint_eq(parsed("0x10", "u64"), 16);
    ck_assert_uint_eq(parsed("010", "u32"), 10); /* no octal */
    ck_assert_uint_eq(parsed("0xffffffff", "i32"), 0xffffffff);
    ck_assert_uint_eq(parsed("-0x80", "i8"), 0x80);
    ck_assert_uint_eq(parsed("18446744073709551615", "u64"), UINT64_MAX);
    ck_assert_uint_eq(parsed("-9223372036854775808", "i64"), UINT64_C(1) << 63);
}
END_TEST

START_TEST(an_integer_must_fit_its_type)
{
    ck_assert_str_eq(refused("256", "u8"), "does not fit in u8 (0 to 255)");
    ck_assert_str_eq(refused("-129", "i8"), "does not fit in i8 (-128 to 127)");
    ck_assert_str_eq(refused("-1", "u32"), "does not fit in u32 (0 to 4294967295)");
    ck_assert_str_eq(refused("2147483648", "i32"), "does not fit in i32 (-2147483648 to 2147483647)");
    ck_assert_str_eq(refused("0x1ffffffff", "i32"), "does not fit in i32 (-2147483648 to 2147483647)");
    ck_assert_str_eq(refused("18446744073709551616", "u64"), "does not fit in u64 (0 to 18446744073709551615)");
}
END_TEST

START_TEST(what_is_no_number_is_refused)
{
    static const char *const integers[] = {"five", "5x", "0x", "0xg", "--5", "- 5", " 5", "5 ", "1.5", "1e3", "-", "+-1"};
    for (size_t i = 0; i < sizeof integers / sizeof *integers; i++)
        ck_assert_msg(refused(integers[i], "i32") != NULL, "'%s' was taken", integers[i]);
    static const char *const floats[] = {"pi", "1.5x", " 1", "1 ", "1e", "."};
    for (size_t i = 0; i < sizeof floats / sizeof *floats; i++)
        ck_assert_msg(refused(floats[i], "f32") != NULL, "'%s' was taken", floats[i]);
    ck_assert_str_eq(refused("", "i32"), "is missing");
}
END_TEST

START_TEST(floats_are_rounded_once_and_may_be_nan_or_infinite)
{
    ck_assert_uint_eq(parsed("1.5", "f32"), 0x3fc00000);
    ck_assert_uint_eq(parsed("-0", "f32"), 0x80000000);
    ck_assert_uint_eq(parsed("inf", "f32"), 0x7f800000);
    ck_assert_uint_eq(parsed("-inf", "f64"), UINT64_C(0xfff0000000000000));
    ck_assert_uint_eq(parsed("0x1p-3", "f64"), UINT64_C(0x3fc0000000000000));
    ck_assert_uint_eq(parsed("nan", "f32") & 0x7fc00000, 0x7fc00000);
    /* 1 + 2^-24 + 2^-60 is just above the middle between 1 and its successor; rounded to double first it would fall on the middle and
     * then to 1. */
    ck_assert_uint_eq(parsed("1.000000059604644776257986737988403547205962240695953369140625", "f32"), 0x3f800001);
    ck_assert_str_eq(refused("1e39", "f32"), "does not fit in f32");
    ck_assert_str_eq(refused("1e309", "f64"), "does not fit in f64");
}
END_TEST

/* --- specifications ------------------------------------------------------------------------------------------------------ */

static Arguments arguments;
static Diag diag;

static void setup(void) {
    arguments = arguments_new();
    diag = (Diag){0};
}

static void teardown(void) { arguments_free(&arguments); }

static const Argument *added(const char *text) {
    ck_assert_msg(arguments_add(&arguments, text, &diag), "%s", diag.message);
    return &arguments.items[arguments.count - 1];
}

static void assert_refused(const char *text, const char *message) {
    diag = (Diag){0};
    size_t before = arguments.count;
    ck_assert_msg(!arguments_add(&arguments, text, &diag), "'%s' was taken", text);
    ck_assert_uint_eq(arguments.count, before);
    ck_assert_str_eq(diag.message, message);
}

/* The buffer of the last argument, as a kernel of one pointer gets it. */
static Allocation *built(Memory *memory) {
    Variable *params = calloc(arguments.count, sizeof *params);
    uint32_t *indices = calloc(arguments.count, sizeof *indices);
    Allocation **buffers = calloc(arguments.count, sizeof *buffers);
    uint8_t *block = calloc(arguments.count, 64);
    for (uint32_t i = 0; i < arguments.count; i++) {
        params[i] = (Variable){.bytes = arguments.items[i].bytes, .offset = i * UINT64_C(64)};
        indices[i] = i;
    }
    Program program = {.variables = params, .n_variables = (uint32_t)arguments.count};
    Function kernel = {.name = "k", .n_params = (uint32_t)arguments.count, .params = indices};
    arguments_build(&arguments, &program, &kernel, memory, block, buffers);
    Allocation *last = buffers[arguments.count - 1];
    uint64_t passed;
    memcpy(&passed, block + (arguments.count - 1) * 64, 8);
    ck_assert_uint_eq(passed, last->address);
    free(params);
    free(indices);
    free(buffers);
    free(block);
    return last;
}

START_TEST(a_struct_is_its_bytes_in_order)
{
    const Argument *argument = added("bytes:0000803fFf");
    static const uint8_t expected[] = {0, 0, 0x80, 0x3f, 0xff};
    ck_assert_uint_eq(argument->bytes, 5);
    ck_assert_mem_eq(argument->data, expected, 5);
    assert_refused("bytes:123", "argument 1, 'bytes:123': a struct needs two hexadecimal digits for each byte, and here are 3");
    assert_refused("bytes:12g4", "argument 1, 'bytes:12g4': 'g4' at byte 1 is not hexadecimal");
    assert_refused("bytes:", "argument 1, 'bytes:': a struct needs two hexadecimal digits for each byte, and here are 0");
}
END_TEST

START_TEST(iota_counts_from_zero_and_wraps_in_narrow_types)
{
    Memory *memory = memory_new();
    added("buf:u8:258:iota");
    const Allocation *bytes = built(memory);
    ck_assert_uint_eq(bytes->bytes, 258);
    ck_assert(bytes->initialized);
    for (int i = 0; i < 258; i++) ck_assert_uint_eq(bytes->host[i], (uint8_t)i);
    added("buf:f32:5:iota");
    static const float floats[] = {0, 1, 2, 3, 4};
    ck_assert_mem_eq(built(memory)->host, floats, sizeof floats);
    added("buf:i64:3:iota");
    static const int64_t longs[] = {0, 1, 2};
    ck_assert_mem_eq(built(memory)->host, longs, sizeof longs);
    memory_free(memory);
}
END_TEST

START_TEST(a_buffer_without_fill_counts_as_uninitialised)
{
    Memory *memory = memory_new();
    added("buf:f64:7");
    ck_assert(!built(memory)->initialized);
    ck_assert_uint_eq(built(memory)->bytes, 56);
    added("buf:f64:7:zero");
    const Allocation *zero = built(memory);
    ck_assert(zero->initialized);
    for (int i = 0; i < 56; i++) ck_assert_uint_eq(zero->host[i], 0);
    memory_free(memory);
}
END_TEST

START_TEST(random_is_splitmix64)
{
    /* The reference program seeded with 1234567 gives these as its first three outputs. */
    ck_assert_uint_eq(arguments_random(1234567, 0), UINT64_C(6457827717110365317));
    ck_assert_uint_eq(arguments_random(1234567, 1), UINT64_C(3203168211198807973));
    ck_assert_uint_eq(arguments_random(1234567, 2), UINT64_C(9817491932198370423));
    Memory *memory = memory_new();
    added("buf:u64:3:random:1234567");
    static const uint64_t expected[] = {UINT64_C(6457827717110365317), UINT64_C(3203168211198807973),
                                        UINT64_C(9817491932198370423)};
    ck_assert_mem_eq(built(memory)->host, expected, sizeof expected);
    added("buf:u16:2:random:1234567");
    static const uint16_t low[] = {(uint16_t)UINT64_C(6457827717110365317), (uint16_t)UINT64_C(3203168211198807973)};
    ck_assert_mem_eq(built(memory)->host, low, sizeof low);
    memory_free(memory);
}
END_TEST

START_TEST(random_floats_fill_the_interval_from_minus_one_to_one)
{
    enum { N = 100000 };
    Memory *memory = memory_new();
    added("buf:f32:100000:random:5");
    const float *narrow = (const float *)built(memory)->host;
    added("buf:f64:100000:random:5");
    const double *wide = (const double *)built(memory)->host;
    double sum = 0, least = 1, most = -1;
    for (int i = 0; i < N; i++) {
        ck_assert(narrow[i] >= -1 && narrow[i] < 1 && wide[i] >= -1 && wide[i] < 1);
        ck_assert(fabs(narrow[i] - wide[i]) < 0x1p-22); /* both are cut from the same output */
        sum += wide[i];
        least = fmin(least, wide[i]);
        most = fmax(most, wide[i]);
    }
    /* The mean of N uniform values has a standard deviation of sqrt(1/3/N) = 0.0018; 0.01 is more than five of those. Nothing in the
     * outer 0.001 of either side has probability 0.9995^N = e^-50. */
    ck_assert(fabs(sum / N) < 0.01);
    ck_assert(least < -0.999 && most > 0.999);
    memory_free(memory);
}
END_TEST

START_TEST(random_without_a_seed_is_the_same_each_time)
{
    Memory *memory = memory_new();
    added("buf:i32:64:random");
    const Allocation *first = built(memory), *second = built(memory);
    ck_assert_mem_eq(first->host, second->host, 256);
    added("buf:i32:64:random:33");
    ck_assert_mem_ne(first->host, built(memory)->host, 256);
    assert_refused("buf:i32:4:random:x", "argument 2, 'buf:i32:4:random:x': the seed 'x' is not a number from 0 to 2^64 - 1");
    assert_refused("buf:i32:4:randomly", "argument 2, 'buf:i32:4:randomly': unknown fill 'randomly'");
    memory_free(memory);
}
END_TEST

START_TEST(a_list_has_just_as_many_values_as_the_buffer)
{
    Memory *memory = memory_new();
    added("buf:i16:4:list:1,-2,0x10,32767");
    static const int16_t expected[] = {1, -2, 16, 32767};
    ck_assert_mem_eq(built(memory)->host, expected, sizeof expected);
    assert_refused("buf:i16:4:list:1,2,3",
                   "argument 1, 'buf:i16:4:list:1,2,3': the list has 3 values, and the buffer 4 elements");
    assert_refused("buf:i16:1:list:1,2", "argument 1, 'buf:i16:1:list:1,2': the list has 2 values, and the buffer 1 element");
    assert_refused("buf:i16:2:list:", "argument 1, 'buf:i16:2:list:': the list has 0 values, and the buffer 2 elements");
    assert_refused("buf:i16:2:list:1,", "argument 1, 'buf:i16:2:list:1,': value 1 of the list, '', is missing");
    assert_refused("buf:u8:2:list:1,300",
                   "argument 1, 'buf:u8:2:list:1,300': value 1 of the list, '300', does not fit in u8 (0 to 255)");
    memory_free(memory);
}
END_TEST

START_TEST(a_file_fills_a_buffer_of_its_own_size_only)
{
    char path[SUITE_PATH], text[100], message[240];
    suite_file(path, "numbers");
    int file = open(path, O_WRONLY | O_CREAT, 0600);
    ck_assert_int_eq(write(file, "\1\0\0\0\2\0\0\0", 8), 8);
    close(file);
    Memory *memory = memory_new();
    snprintf(text, sizeof text, "buf:u32:2:@%s", path);
    added(text);
    static const uint32_t expected[] = {1, 2};
    ck_assert_mem_eq(built(memory)->host, expected, 8);
    snprintf(text, sizeof text, "buf:u32:3:@%s", path);
    snprintf(message, sizeof message, "argument 1, '%s': 3 elements of u32 are 12 bytes, and the file has 8 bytes", text);
    assert_refused(text, message);
    snprintf(text, sizeof text, "buf:u8:7:@%s", path);
    snprintf(message, sizeof message, "argument 1, '%s': 7 elements of u8 are 7 bytes, and the file has more", text);
    assert_refused(text, message);
    unlink(path);
    snprintf(text, sizeof text, "buf:u32:2:@%s", path);
    snprintf(message, sizeof message, "argument 1, '%s': cannot read '%s': No such file or directory", text, path);
    assert_refused(text, message);
    memory_free(memory);
}
END_TEST

/* Elements side by side: of f32 in rows of 16 that are 64 bytes apart, in planes of 4 rows. */
START_TEST(a_tensor_map_says_where_its_buffer_is)
{
    Memory *memory = memory_new();
    const Argument *own = added("tmap:f32:16x4x2:box=8x2x1:step=1x2x1:swizzle=32:outside=nan:iota");
    TensorMap map = own->tensor->map;
    ck_assert(own->is_buffer && own->bytes == 512 && own->type == TYPE_f32 && own->fill == FILL_IOTA);
    ck_assert(map.rank == 3 && map.element == ELEMENT_F32 && map.swizzle == 1 && map.fill == 1 && !map.interleave);
    ck_assert(map.size[0] == 16 && map.size[1] == 4 && map.size[2] == 2 && map.stride[1] == 64 && map.stride[2] == 256);
    ck_assert(map.box[0] == 8 && map.box[1] == 2 && map.box[2] == 1 && map.step[0] == 1 && map.step[1] == 2);
    const Argument *other = added("tmap:bf16:32x2:of=2");
    ck_assert(!other->is_buffer && other->tensor->of == 2 && other->tensor->map.element == ELEMENT_BF16);
    added("buf:u16:64");
    Variable params[3] = {{.bytes = 128}, {.bytes = 128, .offset = 128}, {.bytes = 8, .offset = 256}};
    const uint32_t indices[] = {0, 1, 2};
    const Program program = {.variables = params, .n_variables = 3};
    const Function kernel = {.name = "k", .n_params = 3, .params = (uint32_t *)indices};
    Allocation *buffers[3];
    uint8_t block[264];
    ck_assert(arguments_fit(&arguments, &program, &kernel, &diag));
    arguments_build(&arguments, &program, &kernel, memory, block, buffers);
    ck_assert(tensormap_decode(block, &map) && map.address == buffers[0]->address && map.size[2] == 2);
    ck_assert(tensormap_decode(block + 128, &map) && map.address == buffers[2]->address && !buffers[1]);
    ck_assert(((float *)buffers[0]->host)[127] == 127);
    params[1].bytes = 64;
    ck_assert(!arguments_fit(&arguments, &program, &kernel, &diag));
    memory_free(memory);
}
END_TEST

START_TEST(a_tensor_of_what_is_no_buffer_does_not_fit)
{
    static const char *const rows[][2] = {{"tmap:u16:32x2:of=1", NULL},
                                          {"tmap:u16:32x3:of=1", "'tmap:u16:32x3:of=1' has 192 bytes, and argument 1 128"},
                                          {"tmap:u16:32x2:of=0", "'tmap:u16:32x2:of=0': argument 0 is no buffer"},
                                          {"tmap:u16:32x2:of=2", "'tmap:u16:32x2:of=2': argument 2 is no buffer"}};
    Variable params[2] = {{.bytes = 128}, {.bytes = 8, .offset = 128}};
    const uint32_t indices[] = {0, 1};
    const Program program = {.variables = params, .n_variables = 2};
    const Function kernel = {.name = "k", .n_params = 2, .params = (uint32_t *)indices};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        diag = (Diag){0};
        arguments_free(&arguments);
        arguments = arguments_new();
        added(rows[i][0]);
        added("buf:u16:64");
        ck_assert_int_eq(arguments_fit(&arguments, &program, &kernel, &diag), !rows[i][1]);
        if (rows[i][1]) ck_assert_str_eq(diag.message, rows[i][1]);
    }
}
END_TEST

START_TEST(a_tensor_map_that_is_none_is_refused)
{
    static const char *const rows[][2] = {
        {"tmap:", "'' is no type of a tensor's elements"},
        {"tmap:i8:16x4", "'i8' is no type of a tensor's elements"},
        {"tmap:u32", "the tensor's sizes are missing"},
        {"tmap:u32:16x", "'16x' is not 1 to 5 whole numbers with x between"},
        {"tmap:u32:4x4x4x4x4x4", "'4x4x4x4x4x4' is not 1 to 5 whole numbers with x between"},
        {"tmap:u32:-4", "'-4' is not 1 to 5 whole numbers with x between"},
        {"tmap:u32:16x0", "dimension 1 has 0 elements; it must have 1 to 2^32"},
        {"tmap:u32:4000000000x4000000000x4000000000", "the tensor is too large"},
        {"tmap:u32:99999999999999999999", "'99999999999999999999' is not 1 to 5 whole numbers with x between"},
        {"tmap:u8:4294967297:box=16", "dimension 0 has 4294967297 elements; it must have 1 to 2^32"},
        {"tmap:u8:4294967296:box=16:iotta", "unknown fill 'iotta'"},
        {"tmap:u8:4294967296", "the box spans 4294967295 elements of dimension 0; it must be 1 to 256"},
        {"tmap:u32:16x4:box=4294967296x1", "'4294967296x1' is not 1 to 5 whole numbers with x between"},
        {"tmap:u32:16x4:box=8", "'8' has 1 number, and the tensor 2 dimensions"},
        {"tmap:u32:16x4:box=17x3x1", "'17x3x1' has 3 numbers, and the tensor 2 dimensions"},
        {"tmap:u32:10x4", "the stride of dimension 1 is 40 bytes; it must be a multiple of 16, and less than 2^40"},
        {"tmap:u32:16x4:step=1x9", "the element stride of dimension 1 is 9; it must be 1 to 8"},
        {"tmap:u32:16x4:swizzle=16", "'16' is none of these: none 32 64 128"},
        {"tmap:u32:16x4:swizzle=32", "a row of the box has 64 bytes; with a swizzle of 32 it must have that many at most"},
        {"tmap:u32:16x4:outside=nan", "only floating-point elements are filled with NaN"},
        {"tmap:u32:512x4", "the box spans 512 elements of dimension 0; it must be 1 to 256"},
        {"tmap:u32:16x4:pad=1", "'pad=' is unknown"},
        {"tmap:u32:16x4:of=x", "of= is an argument's number, from 0 on, not 'x'"},
        {"tmap:u32:16x4:of=1:iota", "'iota' fills a buffer, and the tensor is argument 1's"},
        {"tmap:u32:16x4:iotta", "unknown fill 'iotta'"},
        {"tmap:u32:16x4:list:1,2", "the list has 2 values, and the buffer 64 elements"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        char message[300];
        snprintf(message, sizeof message, "argument 0, '%s': %s", rows[i][0], rows[i][1]);
        assert_refused(rows[i][0], message);
    }
    /* Where no box was given, and a small one would do. */
    static const struct {
        const char *text;
        bool hinted;
    } boxes[] = {{"tmap:u32:512x4", true}, {"tmap:f32:1024x32:iota", true},     {"tmap:u32:16x4:swizzle=32", true},
                 {"tmap:u8:24", true},     {"tmap:u32:512x4:box=512x4", false}, {"tmap:u32:16x4:step=1x9", false}};
    for (size_t i = 0; i < sizeof boxes / sizeof *boxes; i++) {
        diag = (Diag){0};
        ck_assert(!arguments_add(&arguments, boxes[i].text, &diag));
        ck_assert_str_eq(diag.hint,
                         boxes[i].hinted ? "box=WxH says what is copied at once; without it that is all of the tensor" : "");
    }
    diag = (Diag){0};
    ck_assert(!arguments_add(&arguments, "tmap:u32:4294967295x4294967295x4294967295", &diag));
    ck_assert_str_eq(diag.hint, "its elements fill a buffer of the GPU's memory");
}
END_TEST

START_TEST(a_specification_that_is_none_is_refused)
{
    assert_refused("5", "argument 0, '5': not of the form TYPE:VALUE, bytes:HEX, buf:TYPE:COUNT[:FILL] or tmap:TYPE:SIZES");
    assert_refused("", "argument 0, '': not of the form TYPE:VALUE, bytes:HEX, buf:TYPE:COUNT[:FILL] or tmap:TYPE:SIZES");
    assert_refused("int:5",
                   "argument 0, 'int:5': not of the form TYPE:VALUE, bytes:HEX, buf:TYPE:COUNT[:FILL] or tmap:TYPE:SIZES");
    assert_refused("i32:", "argument 0, 'i32:': '' is missing");
    assert_refused("i32:x", "argument 0, 'i32:x': 'x' is not a number");
    assert_refused("buf:float:4", "argument 0, 'buf:float:4': unknown element type 'float'");
    assert_refused("buf:f32", "argument 0, 'buf:f32': the number of elements is missing");
    assert_refused("buf:f32:", "argument 0, 'buf:f32:': the number of elements, '', is not a positive whole number");
    assert_refused("buf:f32:-4", "argument 0, 'buf:f32:-4': the number of elements, '-4', is not a positive whole number");
    assert_refused("buf:f32:4k", "argument 0, 'buf:f32:4k': the number of elements, '4k', is not a positive whole number");
    assert_refused("buf:f32:4:ones", "argument 0, 'buf:f32:4:ones': unknown fill 'ones'");
    assert_refused("buf:f32:4:", "argument 0, 'buf:f32:4:': unknown fill ''");
}
END_TEST

START_TEST(buffers_that_memory_cannot_hold_are_refused)
{
    arguments.limit_bytes = UINT64_C(1) << 20;
    added("buf:f32:131072"); /* 512 KiB */
    static const char *const too_large[] = {"buf:f32:131073", "buf:f64:18446744073709551615", "buf:f64:2305843009213693952"};
    for (size_t i = 0; i < 3; i++) {
        char message[200];
        snprintf(message, sizeof message, "argument 1, '%s': too large: all buffers together may take 1 MiB here",
                 too_large[i]);
        assert_refused(too_large[i], message);
    }
    added("buf:u8:524288");
}
END_TEST

/* --- against a kernel ---------------------------------------------------------------------------------------------------- */

/* A kernel with this mangled name and parameters of these sizes. */
static bool fits(const char *name, uint32_t n_params, const uint64_t *sizes) {
    Variable params[4];
    uint32_t indices[4] = {0, 1, 2, 3};
    for (uint32_t i = 0; i < n_params; i++) params[i] = (Variable){.bytes = sizes[i]};
    Program program = {.variables = params, .n_variables = n_params};
    Function kernel = {.name = name, .n_params = n_params, .params = indices};
    diag = (Diag){0};
    return arguments_fit(&arguments, &program, &kernel, &diag);
}

static const char scale[] = "_Z5scalePffi"; /* scale(float*, float, int) */
static const uint64_t scale_sizes[] = {8, 4, 4};

START_TEST(arguments_of_the_right_kinds_fit)
{
    added("buf:f32:4");
    added("f32:2");
    added("u32:4"); /* unsigned for int */
    ck_assert_msg(fits(scale, 3, scale_sizes), "%s", diag.message);
    ck_assert_msg(fits("scale", 3, scale_sizes), "%s", diag.message);
}
END_TEST

START_TEST(a_wrong_number_of_arguments_lists_the_parameters)
{
    added("buf:f32:4");
    ck_assert(!fits(scale, 3, scale_sizes));
    ck_assert_str_eq(diag.message, "kernel 'scale(float*, float, int)' takes 3 arguments, given 1");
    ck_assert_str_eq(diag.hint, "0: a float* (8 bytes); 1: a float (4 bytes); 2: an int (4 bytes)");
    ck_assert(!fits("scale", 3, scale_sizes));
    ck_assert_str_eq(
        diag.hint, "0: 8 bytes (a pointer or a 64-bit number); 1: 4 bytes (an int or a float); 2: 4 bytes (an int or a float)");
}
END_TEST

START_TEST(a_number_for_a_pointer_is_refused_and_null_is_not)
{
    added("i32:5");
    ck_assert(!fits("_Z1fPf", 1, (uint64_t[]){8}));
    ck_assert_str_eq(diag.message, "argument 0 of kernel 'f(float*)' is a float* (8 bytes), given 'i32:5'");
    ck_assert_str_eq(diag.hint, "give a buffer, such as buf:f32:1024:random");
    arguments.count = 0;
    added("f64:5");
    ck_assert(!fits("_Z1fPf", 1, (uint64_t[]){8}));
    arguments.count = 0;
    added("u64:0");
    ck_assert(fits("_Z1fPf", 1, (uint64_t[]){8}));
}
END_TEST

START_TEST(a_buffer_for_a_number_is_refused)
{
    added("buf:f32:4");
    ck_assert(!fits("_Z1fi", 1, (uint64_t[]){4}));
    ck_assert_str_eq(diag.message, "argument 0 of kernel 'f(int)' is an int (4 bytes), given 'buf:f32:4'");
    ck_assert(!fits("_Z1fl", 1, (uint64_t[]){8}));
    ck_assert(!fits("f", 1, (uint64_t[]){4}));
    ck_assert(fits("f", 1, (uint64_t[]){8}));
}
END_TEST

START_TEST(a_float_for_an_int_is_refused_where_the_name_tells)
{
    added("f32:5");
    ck_assert(!fits("_Z1fi", 1, (uint64_t[]){4}));
    ck_assert_str_eq(diag.message, "argument 0 of kernel 'f(int)' is an int (4 bytes), given 'f32:5'");
    ck_assert_str_eq(diag.hint, "give i32:5");
    ck_assert(fits("f", 1, (uint64_t[]){4}));
    arguments.count = 0;
    added("i32:5");
    ck_assert(!fits("_Z1ff", 1, (uint64_t[]){4}));
    ck_assert_str_eq(diag.hint, "give f32:1.5");
}
END_TEST

START_TEST(a_struct_must_have_its_size)
{
    added("bytes:0000803f0000004000004040");
    ck_assert(fits("_Z1f6float3", 1, (uint64_t[]){12}));
    ck_assert(!fits("_Z1f6float4", 1, (uint64_t[]){16}));
    ck_assert_str_eq(diag.message,
                     "argument 0 of kernel 'f(float4)' is a float4 (16 bytes), given 'bytes:0000803f0000004000004040'");
}
END_TEST

START_TEST(template_arguments_do_not_disturb_the_parameters_types)
{
    added("buf:f32:4");
    added("i32:5");
    /* void f<32, std::pair<int, float> >(std::pair<int, float>*, int) */
    static const char name[] = "_Z1fILi32ESt4pairIifEEvPT0_i";
    ck_assert_msg(fits(name, 2, (uint64_t[]){8, 4}), "%s", diag.message);
    arguments.count = 1;
    added("f32:5");
    ck_assert(!fits(name, 2, (uint64_t[]){8, 4}));
    ck_assert(strstr(diag.message, "is an int (4 bytes), given 'f32:5'"));
}
END_TEST

SUITE_WITH("arguments", setup, teardown, integers_are_decimal_hexadecimal_and_negative, an_integer_must_fit_its_type,
           what_is_no_number_is_refused, floats_are_rounded_once_and_may_be_nan_or_infinite, a_struct_is_its_bytes_in_order,
           iota_counts_from_zero_and_wraps_in_narrow_types, a_buffer_without_fill_counts_as_uninitialised, random_is_splitmix64,
           random_floats_fill_the_interval_from_minus_one_to_one, random_without_a_seed_is_the_same_each_time,
           a_list_has_just_as_many_values_as_the_buffer, a_file_fills_a_buffer_of_its_own_size_only,
           a_tensor_map_says_where_its_buffer_is, a_tensor_of_what_is_no_buffer_does_not_fit,
           a_tensor_map_that_is_none_is_refused, a_specification_that_is_none_is_refused,
           buffers_that_memory_cannot_hold_are_refused, arguments_of_the_right_kinds_fit,
           a_wrong_number_of_arguments_lists_the_parameters, a_number_for_a_pointer_is_refused_and_null_is_not,
           a_buffer_for_a_number_is_refused, a_float_for_an_int_is_refused_where_the_name_tells, a_struct_must_have_its_size,
           template_arguments_do_not_disturb_the_parameters_types)
