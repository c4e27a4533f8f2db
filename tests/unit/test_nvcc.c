/* Which nvcc is taken, and what is done when it refuses this system's g++. The compilers here are shell scripts. */
#define _GNU_SOURCE /* setenv */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "cuda/compile.h"
#include "cuda/find.h"
#include "cuda/folder.h"
#include "cuda/host.h"
#include "suite.h"

#define NVIDIAS "#error -- unsupported GNU version! gcc versions later than 11 are not supported!"
#define DEBIANS "ERROR: No supported gcc/g++ host compiler found, but clang-14 is available."
#define DEBIANS_ADVICE "       Use 'nvcc -ccbin clang-14' to use that instead."

static Text scratch; /* the path of a folder */
static char *old_path;

static void write_script(const char *name, const char *text) {
    char path[200], command[5000];
    snprintf(path, sizeof path, "%s/%s", text_string(&scratch), name);
    snprintf(command, sizeof command, "PATH='%s' && mkdir -p \"$(dirname %s)\"", old_path, path);
    ck_assert_int_eq(system(command), 0);
    FILE *file = fopen(path, "w");
    ck_assert_ptr_nonnull(file);
    fprintf(file, "#!/bin/sh\n%s\n", text);
    ck_assert_int_eq(fclose(file), 0);
    ck_assert_int_eq(chmod(path, 0755), 0);
}

static void set_folder(const char *variable, const char *folder) {
    char value[4096];
    snprintf(value, sizeof value, "%s/%s", text_string(&scratch), folder);
    ck_assert_int_eq(setenv(variable, value, 1), 0);
}

static void open_scratch(void) {
    old_path = strdup(getenv("PATH"));
    Diag diag = {0};
    ck_assert_msg(folder_make(&scratch, &diag), "%s", diag.message);
    write_script("home/src/include/warpscope_cuda.h", "");
    set_folder("WARPSCOPE_HOME", "home");
    set_folder("PATH", "path"); /* with none of this system's compilers */
    unsetenv("CUDA_HOME");
}

static void close_scratch(void) {
    setenv("PATH", old_path, 1);
    free(old_path);
    folder_remove(text_string(&scratch));
    text_free(&scratch);
}

static void found_in(const char *folder) {
    char path[4096], expected[4096];
    snprintf(expected, sizeof expected, "%s/%s/nvcc", text_string(&scratch), folder);
    ck_assert(find_compiler(COMPILER_NVCC, path, sizeof path));
    ck_assert_str_eq(path, expected);
}

START_TEST(what_was_asked_for_comes_before_what_is_there)
{
    write_script("path/nvcc", "");
    found_in("path");
    write_script("home/.cuda/nvidia/cu13/bin/nvcc", "");
    found_in("home/.cuda/nvidia/cu13/bin");
    write_script("chosen/bin/nvcc", "");
    set_folder("CUDA_HOME", "chosen");
    found_in("chosen/bin");
    set_folder("CUDA_HOME", "empty");
    found_in("home/.cuda/nvidia/cu13/bin");
}
END_TEST

START_TEST(another_compiler_of_host_code_is_of_a_version_that_fits)
{
    char name[32];
    ck_assert(host_refused(NVIDIAS) && host_refused(DEBIANS));
    ck_assert(!host_refused("kernel.cu(3): error: identifier \"x\" is undefined"));
    ck_assert_uint_eq(host_newest(NVIDIAS), 11);
    ck_assert_uint_eq(host_newest(DEBIANS), 0);
    ck_assert(!host_instead(NVIDIAS, name, sizeof name));
    ck_assert(!host_instead(DEBIANS "\n" DEBIANS_ADVICE, name, sizeof name));
    write_script("path/g++-12", "");
    write_script("path/g++-10", "");
    write_script("path/g++-9", "");
    write_script("path/clang-14", "");
    ck_assert(host_instead(NVIDIAS, name, sizeof name));
    ck_assert_str_eq(name, "g++-10");
    ck_assert(host_instead(DEBIANS "\n" DEBIANS_ADVICE, name, sizeof name));
    ck_assert_str_eq(name, "clang-14");
}
END_TEST

/* An nvcc that takes nothing but what stands in the pattern, and then writes its options as PTX. */
static void nvcc_takes(const char *pattern, const char *refusal) {
    char script[1000];
    snprintf(script, sizeof script,
             "case \"$*\" in *'%s'*) ;; *) printf '%%s\\n' \"%s\" >&2; exit 1 ;; esac\n"
             "options=$*\nwhile [ \"$1\" != -o ]; do shift; done\necho \"// release 11.8 $options\" >\"$2\"\n",
             pattern, refusal);
    write_script("path/nvcc", script);
}

static bool compile(const char *const *options, size_t count, CompileResult *result, Diag *diag) {
    CompileRequest request = {
        .path = "tests/cuda/lines.cu", .compiler = COMPILER_NVCC, .options = options, .option_count = count};
    *diag = (Diag){0};
    return compile_cu(&request, result, diag);
}

START_TEST(a_refused_g_plus_plus_is_replaced)
{
    CompileResult result;
    Diag diag;
    write_script("path/g++-10", "");
    nvcc_takes("-ccbin g++-10", NVIDIAS);
    ck_assert_msg(compile(NULL, 0, &result, &diag), "%s", diag.message);
    ck_assert_ptr_null(strstr(text_string(&result.ptx), "unsupported"));
    ck_assert_str_eq(text_string(&result.messages), "");
    ck_assert_str_eq(result.compiler, "nvcc 11.8");
    compile_result_free(&result);
    /* none that fits: PTX does not depend on it */
    write_script("path/g++", "");
    nvcc_takes("/g++ -allow-unsupported-compiler", DEBIANS);
    ck_assert_msg(compile(NULL, 0, &result, &diag), "%s", diag.message);
    compile_result_free(&result);
    /* the user's choice stands */
    const char *const options[] = {"-ccbin=g++-13"};
    ck_assert(!compile(options, 1, &result, &diag));
    compile_result_free(&result);
}
END_TEST

START_TEST(host_code_is_left_to_no_compiler_that_nvcc_refuses)
{
    CompileResult result;
    Diag diag = {0};
    CompileRequest request = {.path = "tests/cuda/lines.cu", .compiler = COMPILER_NVCC};
    write_script("path/g++", "");
    nvcc_takes("-allow-unsupported-compiler", "x.h:3: error: " NVIDIAS);
    ck_assert(!compile_object(&request, "/dev/null", &result, &diag));
    ck_assert_ptr_nonnull(strstr(diag.hint, "no g++ newer than 11"));
    ck_assert_ptr_nonnull(strstr(diag.hint, "./setup --cuda"));
    compile_result_free(&result);
}
END_TEST

START_TEST(an_nvcc_older_than_the_c_library_is_told_with_its_remedy)
{
    CompileResult result;
    Diag diag;
    nvcc_takes(
        "never",
        "/usr/include/x86_64-linux-gnu/bits/mathcalls.h(206): error: exception specification is incompatible with that of "
        "previous function \\\"rsqrt\\\"");
    ck_assert(!compile(NULL, 0, &result, &diag));
    ck_assert_ptr_nonnull(strstr(diag.hint, "too old for this C library"));
    compile_result_free(&result);
}
END_TEST

SUITE_WITH("nvcc", open_scratch, close_scratch, what_was_asked_for_comes_before_what_is_there,
           another_compiler_of_host_code_is_of_a_version_that_fits, a_refused_g_plus_plus_is_replaced,
           host_code_is_left_to_no_compiler_that_nvcc_refuses, an_nvcc_older_than_the_c_library_is_told_with_its_remedy)
