/* Object files of whole programs, compiled here, linked with a runtime that prints how it is called (tests/cuda/recorder.c), and run.
 * Loop tests run for nvcc and for clang, as far as they are installed; with neither the suite is skipped. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "compiled.h"
#include "host/process.h"

static char scratch[SUITE_FOLDER], object[64], program[64];

static void open_scratch(void) {
    suite_folder(scratch);
    snprintf(object, sizeof object, "%s/program.o", scratch);
    snprintf(program, sizeof program, "%s/program", scratch);
}
static void close_scratch(void) {
    compile_result_free(&result);
    unlink(object);
    unlink(program);
    ck_assert_int_eq(rmdir(scratch), 0); /* nothing else may be left in it */
}

static bool installed(CompilerChoice choice) {
    char path[4096], name[64];
    return compile_find(choice, path, sizeof path, name, sizeof name) && compile_fits_runtime(name);
}

static bool compile(CompilerChoice choice, const char *path, const char *const *options, size_t count) {
    CompileRequest request = compile_anew(choice, path, options, count);
    return compile_object(&request, object, &result, &diag);
}

/* What a program writes; the caller frees it. */
static Text output_of(const char *const *argv) {
    ProcessRequest request = {.argv = argv, .timeout_s = 600, .output_limit = 1 << 20};
    ProcessResult run;
    bool fine = process_run(&request, &run);
    ck_assert_msg(fine, "%s: status %d\n%s", argv[0], run.status, text_string(&run.output));
    return run.output;
}

/* Links the object with the recorder and, where it is not NULL, a C file, and runs it; the caller frees the output. */
static Text run_object(const char *extra) {
    const char *const link[] = {"cc",   "-I" HEADERS, "-o",  program, "tests/cuda/recorder.c",
                                object, "-lstdc++",   "-lm", extra,   NULL},
                      *const run[] = {program, NULL};
    Text linking = output_of(link);
    text_free(&linking);
    return output_of(run);
}

/* Every number stands in recorded.cu: <<<2, 64, 256, cudaStreamPerThread>>> (a stream whose handle is 2), 12 bytes for three floats,
 * kinds 1 and 2 for to and from the device. The kernel templates of C++ are known by their mangled names. */
START_TEST(an_object_registers_its_code_and_launches)
{
    static const char *const lines[] = {"variable weights: 12 bytes, constant\n", "variable counter: 4 bytes\n",
                                        "main begins\n_Z5scalePfid <<<(2,1,1), (64,1,1), 256, 2>>> 0x1000 3 0.5\n"
                                        "_Z3addIiEvPT_S0_ <<<(4,5,6), (7,8,1), 0, 0>>> 0x2000 9\n"
                                        "to weights: 12 bytes at 0 from 0x1000, kind 1\n"
                                        "from counter to its shadow: 4 bytes at 0, kind 2\nmain ends\n"};
    if (!installed(compilers[_i])) return;
    ck_assert_msg(compile(compilers[_i], "tests/cuda/recorded.cu", NULL, 0), "%s", text_string(&result.messages));
    ck_assert_str_eq(text_string(&result.messages), "");
    Text text = run_object(NULL);
    const char *expected =
        result.used == COMPILER_CLANG ? "wrapper 466243b1 version 1: PTX\n" : "wrapper 466243b1 version 1: fat binary\n";
    ck_assert_msg(strstr(text_string(&text), expected) != NULL, "%s", text_string(&text));
    for (size_t i = 0; i < sizeof lines / sizeof *lines; i++) {
        ck_assert_msg(strstr(text_string(&text), lines[i]) != NULL, "%s\n%s", lines[i], text_string(&text));
    }
    ck_assert_int_eq(occurrences(text_string(&text), "variable "), 2);
    ck_assert_int_eq(result.ptx.length > 0, result.used == COMPILER_CLANG);
    ck_assert_ptr_null(strstr(text_string(&result.ptx), "warpscope")); /* nothing of the headers that nobody uses */
    text_free(&text);
}
END_TEST

/* Values of the functions at arguments where they are known: abs(float) and abs(int) differ; sin(pi/2) = 1, cos(pi) = -1; 4^-1/2,
 * 16^-1/2, 8^-1/3; the normal distribution leaves 2.5 % above 1.959964; erf(0.476936) = 0.5; 10^2; 1/2 + 4 + 4 + 3; 4 + 1 and 6 + 1. Of halves:
 * 1.5 + 1, -2 + 1, and their product, cut to -2. 2049 lies between 2048 (0x6800) and 2050 (0x6801); below -1e-9 comes the smallest
 * denormal, -2^-24 (0x8001). */
START_TEST(host_code_calls_cudas_functions)
{
    static const char expected[] = "abs 2.5 2.5 3\n"
                                   "pi 1 -1 1 0\n"
                                   "roots 0.5 0.25 0.5\n"
                                   "normal 0.500000 0.975000 1.959964\n"
                                   "error 0.476936 0.000000 1.000000\n"
                                   "min 1 2 2 2.5 0.5\n"
                                   "more 2 1 100\n"
                                   "both 11.5\n"
                                   "vectors 5 7 1 4 1 16\n"
                                   "halves 2.5 -1 -2.5 -2 1\n"
                                   "rounded 6800 6801 8001\n"
                                   "limits 2147483647 0 1 1\n";
    if (!installed(compilers[_i])) return;
    ck_assert_msg(compile(compilers[_i], "tests/cuda/host_functions.cu", NULL, 0), "%s", text_string(&result.messages));
    Text text = run_object(NULL);
    const char *from = strstr(text_string(&text), "abs");
    ck_assert_ptr_nonnull(from);
    ck_assert_str_eq(from, expected);
    text_free(&text);
}
END_TEST

/* Against the C compiler's own type, where it has one. */
START_TEST(halves_of_the_host_are_right)
{
    const char *const probe[] = {"cc", "-fsyntax-only", "tests/cuda/half_oracle.c", NULL};
    ProcessRequest request = {.argv = probe, .timeout_s = 600, .output_limit = 1 << 20};
    ProcessResult run;
    bool known = process_run(&request, &run);
    text_free(&run.output);
    if (!known || !installed(COMPILER_CLANG)) return;
    ck_assert_msg(compile(COMPILER_CLANG, "tests/cuda/host_half.cu", NULL, 0), "%s", text_string(&result.messages));
    Text text = run_object("tests/cuda/half_oracle.c");
    long wrong = -1, compared = 0;
    ck_assert_int_eq(sscanf(text_string(&text), "wrong %ld of %ld", &wrong, &compared), 2);
    ck_assert_msg(wrong == 0 && compared > 2000000, "%s", text_string(&text));
    text_free(&text);
}
END_TEST

/* Clang reads a file twice; what it says of it must not come twice. */
START_TEST(each_complaint_comes_once)
{
    static const struct {
        const char *option, *complaint;
        unsigned line;
    } rows[] = {{"-DWRONG_DEVICE", "missing_on_the_device", 4},
                {"-DWRONG_HOST", "missing_on_the_host", 11},
                {"-DWRONG_CALL", "on_the_host", 20}};
    if (!installed(compilers[_i])) return;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        ck_assert(!compile(compilers[_i], "tests/cuda/wrong_twice.cu", &rows[i].option, 1));
        ck_assert_msg(strstr(diag.file, "wrong_twice.cu") != NULL, "%s: %s", rows[i].option, diag.file);
        ck_assert_uint_eq(diag.line, rows[i].line);
        ck_assert_msg(strstr(diag.message, rows[i].complaint) != NULL, "%s: %s", rows[i].option, diag.message);
        int errors = occurrences(text_string(&result.messages), "error:");
        ck_assert_msg(errors == 1 || compilers[_i] == COMPILER_NVCC, "%s", text_string(&result.messages));
    }
}
END_TEST

START_TEST(a_warning_comes_once)
{
    static const char *const doubtful[] = {"-DDOUBTFUL"};
    if (!installed(COMPILER_CLANG)) return;
    ck_assert(compile(COMPILER_CLANG, "tests/cuda/wrong_twice.cu", NULL, 0));
    ck_assert_str_eq(text_string(&result.messages), "");
    ck_assert(compile(COMPILER_CLANG, "tests/cuda/wrong_twice.cu", doubtful, 1));
    ck_assert_int_eq(occurrences(text_string(&result.messages), "warning:"), 1);
    ck_assert_ptr_nonnull(strstr(text_string(&result.messages), "wrong_twice.cu:25:"));
}
END_TEST

START_TEST(ordinary_programs_make_no_warnings)
{
    static const char *const strict[] = {"-Xcompiler", "-Wall,-Wextra", "--expt-relaxed-constexpr"};
    static const char *const paths[] = {"tests/cuda/whole_program.cu", "tests/cuda/headers.cu", "tests/cuda/cpp_library.cu"};
    if (!installed(COMPILER_CLANG)) return;
    for (size_t i = 0; i < sizeof paths / sizeof *paths; i++) {
        ck_assert_msg(compile(COMPILER_CLANG, paths[i], strict, 3), "%s", text_string(&result.messages));
        ck_assert_str_eq(text_string(&result.messages), "");
    }
}
END_TEST

/* Options as nvcc's users write them, each with a mark in the outcome: words for the host's compiler define a macro, and the device
 * is the one asked for. */
START_TEST(options_of_nvcc_mean_the_same_to_clang)
{
    static const char *const rows[][5] = {{"-arch", "compute_80", "-Xcompiler", "-DDOUBTFUL,-fPIC"},
                                          {"-gencode", "arch=compute_80,code=sm_80", "-Xcompiler=-DDOUBTFUL"},
                                          {"--gpu-architecture=sm_80", "-DDOUBTFUL", "-Xptxas", "-v"},
                                          {"-gencode=arch=compute_80,code=[sm_80,compute_80]", "-DDOUBTFUL", "-std", "c++14"}};
    if (!installed(COMPILER_CLANG)) return;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        size_t count = 0;
        while (count < 4 && rows[i][count]) count++;
        ck_assert_msg(compile(COMPILER_CLANG, "tests/cuda/wrong_twice.cu", rows[i], count), "%s",
                      text_string(&result.messages));
        ck_assert_int_eq(occurrences(text_string(&result.messages), "warning:"), 1);
        ck_assert_int_eq(occurrences(text_string(&result.ptx), ".target sm_80"), 1);
    }
}
END_TEST

/* A header that clang has not, and a compiler that crashes, which a script stands in for. */
START_TEST(what_clang_cannot_do_is_told_with_a_way_out)
{
    static const char *const with_thrust[] = {"-include", "thrust/device_vector.h"};
    if (!installed(COMPILER_CLANG)) return;
    ck_assert(!compile(COMPILER_CLANG, "tests/cuda/wrong_twice.cu", with_thrust, 2));
    if (access("/usr/include/thrust/device_vector.h", R_OK) != 0) { /* Debian's package brings it */
        ck_assert_ptr_nonnull(strstr(diag.message, "thrust/device_vector.h"));
        ck_assert_ptr_nonnull(strstr(diag.hint, "--cc nvcc"));
    }

    char fake[128], path[256];
    snprintf(fake, sizeof fake, "%s/clang", scratch);
    snprintf(path, sizeof path, "%s:/usr/bin:/bin", scratch);
    FILE *file = fopen(fake, "w");
    ck_assert_ptr_nonnull(file);
    fputs("#!/bin/sh\necho 'PLEASE submit a bug report'\necho 'clang: error: frontend failed'\nexit 139\n", file);
    fclose(file);
    ck_assert_int_eq(chmod(fake, 0700), 0);
    setenv("PATH", path, 1);
    ck_assert(!compile(COMPILER_CLANG, "tests/cuda/wrong_twice.cu", NULL, 0));
    ck_assert_str_eq(diag.file, "tests/cuda/wrong_twice.cu");
    ck_assert_str_eq(diag.message, "clang crashed");
    ck_assert_int_eq(unlink(fake), 0);
}
END_TEST

SUITE_IF(installed(COMPILER_NVCC) || installed(COMPILER_CLANG), "needs nvcc or clang", "object", open_scratch, close_scratch,
         REPEATED(2, an_object_registers_its_code_and_launches), REPEATED(2, host_code_calls_cudas_functions),
         REPEATED(2, each_complaint_comes_once), ordinary_programs_make_no_warnings, halves_of_the_host_are_right,
         a_warning_comes_once, what_clang_cannot_do_is_told_with_a_way_out, options_of_nvcc_mean_the_same_to_clang)
