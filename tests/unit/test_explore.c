/* A launch for a page: PTX and words in, JSON out. */
#include <jansson.h>
#include <string.h>

#include "explore/explore.h"
#include "suite.h"

#define HEAD "// compiled by clang 14.0.6\n.version 7.0\n.target sm_75\n.address_size 64\n"
/* Each lane writes 7 behind its number. */
#define KERNEL                                                                                                                 \
    HEAD                                                                                                                       \
        ".visible .entry seven(.param .u64 out)\n{\n.reg .b32 %r<4>;\n.reg .b64 %rd<4>;\n"                                     \
        ".loc 1 3 5\nmov.u32 %r1, %tid.x;\nld.param.u64 %rd1, [out];\nmul.wide.u32 %rd2, %r1, 4;\nadd.s64 %rd3, %rd1, %rd2;\n" \
        "mov.u32 %r2, 7;\nst.global.u32 [%rd3], %r2;\nret;\n}\n.file 1 \"/home/ada/seven.cu\"\n"

enum { WORDS_MOST = 16 };

/* words: apart by blanks. */
static json_t *explored(const char *ptx, const char *path, const char *words, bool good) {
    char copy[400], *list[WORDS_MOST];
    ExploreRequest request = {.ptx = ptx, .ptx_bytes = strlen(ptx), .path = path, .words = list};
    strcpy(copy, words);
    for (char *word = strtok(copy, " "); word; word = strtok(NULL, " ")) list[request.n_words++] = word;
    Text out = {0};
    ck_assert_int_eq(explore_launch(&request, &out), good);
    json_error_t error;
    json_t *object = json_loads(text_string(&out), 0, &error);
    ck_assert_msg(json_is_object(object), "%s: %s", error.text, text_string(&out));
    text_free(&out);
    return object;
}

static json_int_t number(const json_t *object, const char *outer, const char *inner, const char *key) {
    return json_integer_value(json_object_get(json_object_get(json_object_get(object, outer), inner), key));
}

/* 32 lanes of 4 bytes are 4 sectors; 64 threads two requests. Twice, since getopt must begin anew. */
START_TEST(a_launch_is_what_the_command_prints)
{
    for (int i = 0; i < 2; i++) {
        json_t *object = explored(KERNEL, "seven.cu", "--grid 1 --block 64 --arg buf:u32:64 --device a100", true);
        json_t *launch = json_object_get(object, "launch"), *line = json_array_get(json_object_get(launch, "lines"), 0);
        ck_assert_int_eq(number(launch, "global", "store", "requests"), 2);
        ck_assert_int_eq(number(launch, "global", "store", "sectors"), 8);
        ck_assert_str_eq(json_string_value(json_object_get(launch, "device")), "a100");
        ck_assert_str_eq(json_string_value(json_object_get(launch, "compiler")), "clang 14.0.6");
        ck_assert_str_eq(json_string_value(json_object_get(line, "file")), "seven.cu");
        ck_assert_int_eq(json_integer_value(json_object_get(line, "line")), 3);
        ck_assert_str_eq(json_string_value(json_object_get(object, "output")), "");
        json_decref(object);
    }
}
END_TEST

START_TEST(ptx_that_nobody_compiled_names_no_compiler)
{
    json_t *object = explored(KERNEL, "seven.ptx", "--grid 1 --block 1 --arg buf:u32:1", true);
    ck_assert_ptr_null(json_object_get(json_object_get(object, "launch"), "compiler"));
    json_decref(object);
}
END_TEST

START_TEST(a_fault_is_a_launch)
{
    json_t *object = explored(KERNEL, "seven.cu", "--grid 1 --block 32 --arg buf:u32:31", true);
    const json_t *fault = json_array_get(json_object_get(json_object_get(object, "launch"), "faults"), 0);
    ck_assert_str_eq(json_string_value(json_object_get(fault, "kind")), "out_of_bounds");
    json_decref(object);
}
END_TEST

static const struct {
    const char *ptx, *words, *message;
} refused[] = {
    {KERNEL, "--grid 1 --block 1", "takes 1 argument, given 0"},
    {KERNEL, "--grid 1", "--block is missing"},
    {KERNEL, "--grid 1 --block 1 --arg", "option '--arg' needs a value"},
    {KERNEL, "--grid 1 --block 1 --arg buf:u8:134217729", "all buffers together may take 128 MiB here"},
    {KERNEL, "--grid 1 --block 1 --arg buf:u8:4 other.cu", "one file at a time"},
    {KERNEL, "--grid 1 --block 1 --arg buf:u8:4 --on gpu", "--on gpu has no place in an explorer"},
    {KERNEL, "--grid 1 --block 1 --arg buf:u8:4 --dump 0=x", "--dump has no place in an explorer"},
    {KERNEL, "--grid 1 --block 1 --arg buf:u8:4 --svg x", "--svg has no place in an explorer"},
    {KERNEL, "--grid 1 --block 1 --arg buf:u8:4 --ptx x", "--ptx has no place in an explorer"},
    {KERNEL, "--grid 1 --block 1 --arg buf:u8:4 --format gcc", "--format gcc goes neither with --json nor"},
    {KERNEL, "--help", "--help has no place in an explorer"},
    {HEAD ".visible .entry k() {\nlop9 %r1;\n}", "--grid 1 --block 1", "unknown opcode 'lop9'"},
    {HEAD, "--grid 1 --block 1", "the file has no kernel"},
    {HEAD ".global .b8 a[200000000];\n.visible .entry k() {\nret;\n}", "--grid 1 --block 1", "variables take 200000000 bytes"},
};

START_TEST(what_is_refused_says_why)
{
    json_t *object = explored(refused[_i].ptx, "seven.cu", refused[_i].words, false), *error = json_object_get(object, "error");
    const char *message = json_string_value(json_object_get(error, "message"));
    ck_assert_ptr_nonnull(message);
    ck_assert_msg(strstr(message, refused[_i].message), "%s", message);
    ck_assert_ptr_null(json_object_get(object, "launch"));
    json_decref(object);
}
END_TEST

START_TEST(an_error_in_ptx_has_its_place)
{
    json_t *object = explored(HEAD ".visible .entry k() {\nlop9 %r1;\n}", "k.cu", "--grid 1 --block 1", false);
    const json_t *error = json_object_get(object, "error");
    ck_assert_int_eq(json_integer_value(json_object_get(error, "line")), 6);
    ck_assert_str_eq(json_string_value(json_object_get(error, "source")), "lop9 %r1;");
    json_decref(object);
}
END_TEST

START_TEST(a_loop_without_end_is_ended)
{
    json_t *object = explored(HEAD ".visible .entry k() {\nL: bra L;\n}", "k.cu", "--grid 4000 --block 64", true);
    const json_t *fault = json_array_get(json_object_get(json_object_get(object, "launch"), "faults"), 0);
    ck_assert_msg(strstr(json_string_value(json_object_get(fault, "kind")), "_limit"), "%s",
                  json_string_value(json_object_get(fault, "kind")));
    json_decref(object);
}
END_TEST

SUITE("explore", a_launch_is_what_the_command_prints, ptx_that_nobody_compiled_names_no_compiler, a_fault_is_a_launch,
      REPEATED(sizeof refused / sizeof *refused, what_is_refused_says_why), an_error_in_ptx_has_its_place,
      a_loop_without_end_is_ended)
