/* What a byte of shared memory is called (report/sharedname.h), and whose a source file is (report/sources.h). */
#include "report/sharedname.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "input/source.h"
#include "suite.h"

/* rotate has 32 x 33 floats from byte 0 on, 4224 bytes, and 32 floats behind them; one has 8 doubles; unknown 24 bytes of which its text says
 * something else; open asks for memory when it is launched, behind 16 bytes. */
static const char ptx[] =
    ".version 7.0\n.target sm_75\n.address_size 64\n.extern .shared .align 4 .b8 buf[];\n"
    ".visible .entry _Z6rotatePf() { .reg .b32 %r<3>; .shared .align 4 .b8 _ZZ6rotatePfE4tile[4224]; "
    ".shared .align 4 .b8 _ZZ6rotatePfE3row[128];\nmov.u32 %r1, _ZZ6rotatePfE4tile; mov.u32 %r2, _ZZ6rotatePfE3row; ret; }\n"
    ".visible .entry _Z3onev() { .reg .b32 %r<3>; .shared .align 8 .b8 _ZZ3onevE4data[64];\nmov.u32 %r1, _ZZ3onevE4data; ret; "
    "}\n"
    ".visible .entry _Z7unknownv() { .reg .b32 %r<3>; .shared .align 4 .b8 _ZZ7unknownvE4data[24];\nmov.u32 %r1, "
    "_ZZ7unknownvE4data; ret; }\n"
    ".visible .entry _Z4sixesv() { .reg .b32 %r<3>; .shared .align 4 .b8 _ZZ4sixesvE4data[24];\nmov.u32 %r1, "
    "_ZZ4sixesvE4data; ret; }\n"
    ".visible .entry _Z7alignedv() { .reg .b32 %r<3>; .shared .align 16 .b8 _ZZ7alignedvE4tile[512];\nmov.u32 %r1, "
    "_ZZ7alignedvE4tile; ret; }\n"
    ".visible .entry _Z5loosev() { .reg .b32 %r<3>; .shared .align 16 .b8 _ZZ5loosevE4tile[512];\nmov.u32 %r1, "
    "_ZZ5loosevE4tile; ret; }\n"
    ".visible .entry _Z4widev() { .reg .b32 %r<3>; .shared .b8 _ZZ4widevE4data[130]; .shared .b8 _ZZ4widevE4fits[128];\n"
    "mov.u32 %r1, _ZZ4widevE4data; mov.u32 %r2, _ZZ4widevE4fits; ret; }\n"
    ".visible .entry _Z6secondv() { .reg .b32 %r<3>; .shared .align 4 .b8 _ZZ6secondvE4data[16];\nmov.u32 %r1, "
    "_ZZ6secondvE4data; ret; }\n"
    ".visible .entry _Z5splitv() { .reg .b32 %r<5>; .shared .align 4 .f32 _ZZ5splitvE4tile_$_1_$_0;\n"
    ".shared .align 4 .b8 _ZZ5splitvE4rows_$_1[16]; .shared .align 4 .u32 _ZZ5splitvE5state_$_2; .shared .align 4 .u32 "
    "_ZZ5splitvE5total;\n"
    "mov.u32 %r1, _ZZ5splitvE4tile_$_1_$_0; mov.u32 %r2, _ZZ5splitvE4rows_$_1; mov.u32 %r3, _ZZ5splitvE5state_$_2; mov.u32 "
    "%r4, "
    "_ZZ5splitvE5total; ret; }\n"
    ".visible .entry _Z4openv() { .reg .b32 %r<3>; .shared .align 4 .b8 _ZZ4openvE5fixed[16];\n"
    "mov.u32 %r1, _ZZ4openvE5fixed; mov.u32 %r2, buf; ret; }\n";
static const char text[] =
    "constexpr int TILE = 32;\n__global__ void one() {\n    __shared__ double data[8];\n}\n"
    "__global__ void rotate(float *x) {\n    __shared__ float tile[TILE][TILE + 1];\n    __shared__ float row[TILE];\n}\n"
    "__global__ void unknown() {\n    __shared__ int data[5];\n}\n"
    "__global__ void sixes() {\n    __shared__ int data[4];\n}\n"
    "__global__ void aligned() {\n    __shared__ __align__(16) float tile[8][16];\n}\n"
    "__global__ void loose() { /* not __aligned */\n    __shared__ float tile[8][16];\n}\n"
    "__global__ void wide() {\n    __shared__ Wide data[2];\n    __shared__ Line fits[2];\n}\n"
    "__global__ void second() {\n    __shared__ float data[4];\n}\n"
    "__global__ void split() {\n    __shared__ float tile[2][2];\n    __shared__ int rows[3][4];\n    __shared__ S state;\n    "
    "__shared__ int total;\n}\n"
    "__global__ void open() {\n    __shared__ int fixed[4];\n    extern __shared__ float buf[];\n}\n";

static Source source;
static LaunchRequest request;
static Report report;

static void begin(void) {
    Diag diag = {0};
    ck_assert_msg(source_from_ptx("k.ptx", ptx, strlen(ptx), &source, &diag), "%u: %s", diag.line, diag.message);
    request = (LaunchRequest){0};
    report = (Report){.request = &request, .source_path = "k.cu", .source_text = text};
}

static void end(void) { source_free(&source); }

static void of_kernel(const char *name) {
    Diag diag = {0};
    const Function *function = program_kernel(source.program, name, &diag);
    ck_assert_msg(function, "%s", diag.message);
    request.launch.kernel = kernel_prepare(source.program, function);
}

static void put_is(const char *sentence, const char *wanted) {
    Text out = {0};
    sharedname_put(&report, sentence, &out);
    ck_assert_str_eq(text_string(&out), wanted);
    text_free(&out);
}

/* nvcc's numbers of what it has split are indices and members, clang's are not; a number alone needs no offset. */
START_TEST(what_a_compiler_has_split_has_the_name_of_the_whole)
{
    of_kernel("_Z5splitv");
    report.compiler = "nvcc 13.0";
    put_is("reads 4 bytes of shared memory at byte 0, where byte 0 was never written",
           "reads 4 bytes at 'tile[1][0]', which was never written");
    put_is("byte 12 of shared memory", "'rows[1][2]'");
    put_is("4 bytes of shared memory at byte 20, where byte 20 was never written",
           "4 bytes at 'state', which was never written");
    put_is("writes shared memory at byte 24, which", "writes 'total', which");
    report.compiler = "clang 14.0";
    put_is("byte 0 of shared memory", "'tile'");
    put_is("byte 20 of shared memory", "'state'");
}
END_TEST

START_TEST(a_byte_is_an_element_where_dimensions_are_known)
{
    of_kernel("_Z6rotatePf");
    put_is("lane 3 reads byte 132 of shared memory", "lane 3 reads 'tile[1][0]'");
    put_is("byte 0 of shared memory", "'tile[0][0]'");
    put_is("byte 4223 of shared memory!", "'tile[31][32]'!");
    put_is("byte 4224 of shared memory and byte 4351 of shared memory", "'row[0]' and 'row[31]'");
    put_is("4 bytes of shared memory at byte 271, now", "4 bytes at 'tile[2][1]', now");
    put_is("writes shared memory at byte 4228 too", "writes 'row[1]' too");
    put_is("byte 8 of shared memory, which ends at byte 4352", "'tile[0][2]', outside tile[32][33]");
    put_is("byte 8 of shared memory, where byte 9 was never written.", "'tile[0][2]', which was never written.");
}
END_TEST

START_TEST(what_names_no_byte_of_an_array_stays)
{
    static const char *const stay[] = {
        "byte 4352 of shared memory", "byte -1 of shared memory", "byte x of shared memory", "bytes of shared memory",
        "byte 8 of global memory",    "of shared memory",         "shared memory at byte",   "b",
        "byte 8 of shared memor"};
    of_kernel("_Z6rotatePf");
    for (size_t i = 0; i < sizeof stay / sizeof *stay; i++) put_is(stay[i], stay[i]);
    request.launch.kernel = NULL;
    put_is("byte 8 of shared memory", "byte 8 of shared memory");
}
END_TEST

/* Behind the only array, or before it, a byte is still named by it. */
START_TEST(a_kernel_s_only_array_lends_its_name)
{
    of_kernel("_Z3onev");
    put_is("byte 15 of shared memory", "'data[1]'");
    put_is("byte 64 of shared memory, which ends at byte 64", "'data[8]', outside data[8]");
    put_is("byte -8 of shared memory, which ends at byte 64", "'data'-8, outside data[8]");
    report.source_text = NULL;
    put_is("byte 15 of shared memory, which ends at byte 64", "'data'+15, which ends at byte 64");
    report.source_text = text;
    of_kernel("_Z7unknownv"); /* 24 bytes are no five elements */
    put_is("byte 4 of shared memory", "'data'+4");
    of_kernel("_Z4sixesv"); /* four elements of 6 bytes are none that begin at multiples of 4 */
    put_is("byte 4 of shared memory", "'data'+4");
    of_kernel("_Z7alignedv"); /* floats in rows of 16, 64 bytes, from a multiple of 16 on */
    put_is("byte 68 of shared memory", "'tile[1][1]'");
    of_kernel("_Z5loosev"); /* nothing asks for 16: these are no floats */
    put_is("byte 68 of shared memory", "'tile'+68");
    of_kernel("_Z6secondv"); /* its own, not that of the kernel before it */
    put_is("byte 4 of shared memory", "'data[1]'");
    of_kernel("_Z4widev"); /* two of 65 bytes, more than any element has, and two of 64 */
    put_is("byte 65 of shared memory, byte 194 of shared memory", "'data'+65, 'fits[1]'");
}
END_TEST

START_TEST(dynamic_memory_lies_behind_all_else)
{
    of_kernel("_Z4openv");
    put_is("byte 12 of shared memory", "'fixed[3]'");
    put_is("byte 16 of shared memory", "'buf'+0");
    put_is("byte 90000 of shared memory", "'buf'+89984");
    put_is("byte -1 of shared memory", "byte -1 of shared memory");
}
END_TEST

START_TEST(arrays_are_found_by_their_bytes)
{
    char name[64] = "";
    of_kernel("_Z6rotatePf");
    ck_assert(sharedname_of(&report, 4223, name, sizeof name));
    ck_assert_str_eq(name, "tile");
    ck_assert(sharedname_of(&report, 4224, name, sizeof name));
    ck_assert_str_eq(name, "row");
    ck_assert(!sharedname_of(&report, 4352, name, sizeof name));
    ck_assert(!sharedname_of(&report, -1, name, sizeof name));
}
END_TEST

static void write_file(const char *folder, const char *name) {
    char path[200];
    snprintf(path, sizeof path, "%s/%s", folder, name);
    FILE *file = fopen(path, "w");
    ck_assert(file != NULL);
    fputs("text", file);
    fclose(file);
}

START_TEST(libraries_are_told_by_their_folders)
{
    char folder[SUITE_FOLDER], inner[80], path[100], command[100];
    suite_folder(folder);
    snprintf(inner, sizeof inner, "%s/inner", folder);
    snprintf(command, sizeof command, "mkdir %s", inner);
    ck_assert_int_eq(system(command), 0);
    write_file(inner, "mine.h");
    snprintf(path, sizeof path, "%s/mine.h", inner);
    char source[100];
    snprintf(source, sizeof source, "%s/kernel.cu", folder);
    Sources *sources = sources_new(source, NULL, 0);
    ck_assert(!sources_is_library(sources, path));
    ck_assert_str_eq(sources_text(sources, path), "text");
    ck_assert_ptr_eq(sources_text(sources, path), sources_text(sources, path)); /* read once */
    ck_assert_ptr_null(sources_text(sources, "/tmp/there/is/none.h"));
    static const char *const libraries[] = {"/usr/include/x.h", "/a/cub/x.h", "/a/thrust/x.h", "/a/libcudacxx/x.h"},
                             *const others[] = {"/usr2/x.h", "/a/cube/x.h", "cub/x.h", "/a/usr/x.h", "x.h"};
    for (size_t i = 0; i < sizeof libraries / sizeof *libraries; i++)
        ck_assert_msg(sources_is_library(sources, libraries[i]), "%s", libraries[i]);
    for (size_t i = 0; i < sizeof others / sizeof *others; i++)
        ck_assert_msg(!sources_is_library(sources, others[i]), "%s", others[i]);
    sources_free(sources);
    write_file(folder, "cuda_runtime_api.h"); /* one folder further up */
    sources = sources_new(source, NULL, 0);
    ck_assert(sources_is_library(sources, path));
    sources_free(sources);
    const char *own = "/nonexistent/kernel.cu", *options[] = {"-DX=1", "-I", "-I/nonexistent", inner};
    sources = sources_new(own, options, 4); /* neither below the source nor in a folder of -I, but beside CUDA's header */
    ck_assert_str_eq(sources_text(sources, path), "text");
    sources_free(sources);
    snprintf(source, sizeof source, "%s/cuda_runtime_api.h", folder);
    ck_assert_int_eq(unlink(source), 0);
    sources = sources_new(own, options, 4);
    ck_assert_ptr_null(sources_text(sources, path));
    sources_free(sources);
    sources = sources_new(NULL, NULL, 0); /* a whole program's */
    ck_assert_str_eq(sources_text(sources, path), "text");
    sources_free(sources);
    sources_free(NULL);
}
END_TEST

SUITE_WITH("sharedname", begin, end, what_a_compiler_has_split_has_the_name_of_the_whole,
           a_byte_is_an_element_where_dimensions_are_known, what_names_no_byte_of_an_array_stays,
           a_kernel_s_only_array_lends_its_name, dynamic_memory_lies_behind_all_else, arrays_are_found_by_their_bytes,
           libraries_are_told_by_their_folders)
