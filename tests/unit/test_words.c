/* Memory as words and back: what arguments.h reads of words.h's text are the bytes that it was made of. */
#include "input/words.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "input/arguments.h"
#include "suite.h"

/* The bytes that the words behind " --arg " stand for. */
static void goes_round(const Text *words, const void *bytes, size_t count) {
    Arguments arguments = arguments_new();
    Diag diag = {0};
    ck_assert(strncmp(text_string(words), " --arg ", 7) == 0);
    ck_assert_msg(arguments_add(&arguments, text_string(words) + 7, &diag), "%s: %s", text_string(words), diag.message);
    ck_assert_uint_eq(arguments.items[0].bytes, count);
    ck_assert_msg(memcmp(arguments.items[0].data, bytes, count) == 0, "%s", text_string(words));
    arguments_free(&arguments);
}

static void buffer_goes_round(uint8_t type, const void *data, uint64_t count, const char *wanted) {
    Text words = {0};
    words_add_buffer(type, count, data, &words);
    if (wanted) ck_assert_str_eq(text_string(&words), wanted);
    goes_round(&words, data, count * type_bytes[type]);
    text_free(&words);
}

START_TEST(buffers)
{
    const float floats[] = {1, -2.5f, 0.1f, 1e-45f, 3.4028234664e38f, -0.0f, INFINITY, -INFINITY};
    const double doubles[] = {0.1, 5e-324, 1.7976931348623157e308};
    const int32_t ints[] = {-1, INT32_MIN, INT32_MAX, 7};
    const uint64_t longs[] = {UINT64_MAX, 0, 1};
    const uint8_t bytes[] = {255, 0, 1};
    buffer_goes_round(TYPE_f32, floats, 8, NULL);
    buffer_goes_round(TYPE_f64, doubles, 3, NULL);
    buffer_goes_round(TYPE_s32, ints, 4, " --arg buf:i32:4:list:-1,-2147483648,2147483647,7");
    buffer_goes_round(TYPE_u64, longs, 3, " --arg buf:u64:3:list:18446744073709551615,0,1");
    buffer_goes_round(TYPE_b8, bytes, 3, " --arg buf:u8:3:list:255,0,1");
    Text words = {0};
    words_add_buffer(TYPE_f32, 5, NULL, &words);
    ck_assert_str_eq(text_string(&words), " --arg buf:f32:5");
    text_free(&words);
    words_add_buffer(TYPE_u16, 2, (const uint8_t *)"\0\0\0\0", &words);
    ck_assert_str_eq(text_string(&words), " --arg buf:u16:2:zero");
    text_free(&words);
}
END_TEST

START_TEST(values)
{
    static const struct {
        uint64_t bytes;
        const char *data, *wanted;
    } rows[] = {
        {4, "\x02\x01\0\0", " --arg u32:258"},
        {8, "\xff\xff\xff\xff\xff\xff\xff\xff", " --arg u64:18446744073709551615"},
        {3, "\x01\x02\xff", " --arg bytes:0102ff"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        Text words = {0};
        words_add_value((const uint8_t *)rows[i].data, rows[i].bytes, &words);
        ck_assert_str_eq(text_string(&words), rows[i].wanted);
        goes_round(&words, rows[i].data, rows[i].bytes);
        text_free(&words);
    }
}
END_TEST

SUITE("words", buffers, values)
