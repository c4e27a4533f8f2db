/* nvcc's options as clang, nvcc and a build get them. Meanings are those of `nvcc --help` and of clang's manual. */
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/text.h"
#include "cuda/options.h"
#include "cuda/optionsfile.h"
#include "suite.h"

enum { WORDS_MOST = 16 };

typedef struct List {
    char text[256];
    const char *words[WORDS_MOST];
    size_t count;
} List;

static List split(const char *text) {
    static List list; /* words point into it */
    list.count = 0;
    snprintf(list.text, sizeof list.text, "%s", text);
    for (char *word = strtok(list.text, " "); word; word = strtok(NULL, " ")) list.words[list.count++] = word;
    return list;
}

static void is(const char *what, const char *options, Argv *command, const char *wanted) {
    Text got = {0};
    for (size_t i = 0; i < command->count; i++) text_add(&got, "%s%s", i ? " " : "", command->words[i]);
    ck_assert_msg(strcmp(text_string(&got), wanted) == 0, "%s of '%s': '%s', not '%s'", what, options, text_string(&got),
                  wanted);
    text_free(&got);
    argv_free(command);
}

static void for_clang(const char *options, const char *device, const char *host) {
    Argv command = {0};
    List list = split(options);
    options_add(&command, list.words, list.count, SIDE_DEVICE);
    is("device", options, &command, device);
    options_add(&command, list.words, list.count, SIDE_HOST);
    is("host", options, &command, host);
}

static void for_nvcc(const char *options) {
    Argv command = {0};
    List list = split(options);
    options_add_nvcc(&command, list.words, list.count);
    is("nvcc", options, &command, options);
}

static void same(const char *options, const char *wanted) { for_clang(options, wanted, wanted); }

START_TEST(a_value_may_be_the_next_word_or_behind_a_sign_or_at_once)
{
    static const char *const include[] = {"-I a", "-I=a", "-Ia", "--include-path a", "--include-path=a"};
    static const char *const standard[] = {"-std c++14", "-std=c++14", "--std c++14", "--std=c++14"};
    static const char *const level[] = {"-O 2", "-O=2", "-O2", "--optimize 2", "--optimize=2"};
    for (size_t i = 0; i < sizeof include / sizeof *include; i++) same(include[i], "-Ia");
    for (size_t i = 0; i < sizeof standard / sizeof *standard; i++) same(standard[i], "-std=c++14");
    for (size_t i = 0; i < sizeof level / sizeof *level; i++) {
        List list = split(level[i]);
        ck_assert_str_eq(options_level(list.words, list.count), "2");
        same(level[i], "-O2");
    }
    same("-D X=1 -DY=2 --define-macro Z -UW", "-DX=1 -DY=2 -DZ -UW");
    same("--pre-include a.h -isystem=b --system-include c", "-include a.h -isystem b -isystem c");
}
END_TEST

/* The marks X and Y are left: what is dropped takes its value along, and no more than that. */
START_TEST(what_clang_does_without_goes_with_its_value)
{
    static const char *const valued[] = {"-arch",
                                         "--gpu-architecture",
                                         "-gencode",
                                         "--generate-code",
                                         "-code",
                                         "--gpu-code",
                                         "-rdc",
                                         "--relocatable-device-code",
                                         "-ccbin",
                                         "--compiler-bindir",
                                         "-maxrregcount",
                                         "--maxrregcount",
                                         "-Xptxas",
                                         "--ptxas-options",
                                         "-Xcudafe",
                                         "-Xnvlink",
                                         "-diag-suppress",
                                         "--diag-suppress",
                                         "-t",
                                         "--threads",
                                         "-cudart",
                                         "--cudart",
                                         "-x",
                                         "--x",
                                         "-o",
                                         "--output-file",
                                         "--default-stream"};
    static const char *const alone[] = {"-lineinfo",
                                        "--generate-line-info",
                                        "-lcudart",
                                        "-lcudadevrt",
                                        "--expt-relaxed-constexpr",
                                        "-extended-lambda",
                                        "-res-usage",
                                        "--fmad=true",
                                        "-forward-unknown-to-host-compiler"};
    char options[256];
    for (size_t i = 0; i < sizeof valued / sizeof *valued; i++) {
        snprintf(options, sizeof options, "-DX %s 32 -DY", valued[i]);
        same(options, "-DX -DY");
        snprintf(options, sizeof options, "-DX %s=32 -DY", valued[i]);
        same(options, "-DX -DY");
    }
    for (size_t i = 0; i < sizeof alone / sizeof *alone; i++) {
        snprintf(options, sizeof options, "-DX %s -DY", alone[i]);
        same(options, "-DX -DY");
    }
}
END_TEST

START_TEST(each_side_gets_what_concerns_it)
{
    for_clang("-G", "-O0", "");
    for_clang("--debug", "", "-g");
    for_clang("--fmad false -Xcompiler=-Wall,-fPIC", "-Xclang -ffp-contract=off", "-Wall -fPIC");
    for_clang("--compiler-options -DA", "", "-DA");
    for_clang("-use_fast_math", "-fgpu-flush-denormals-to-zero -D__USE_FAST_MATH__=1", "");
    same("--default-stream per-thread", "-DCUDA_API_PER_THREAD_DEFAULT_STREAM=1");
    same("-Wall -ftemplate-depth=9 a.cu b.o -lm -L/lib -Wl,-s",
         "-Wall -ftemplate-depth=9"); /* no files, nothing of the linker's */
    same("-I", "");                   /* its value is missing */
}
END_TEST

START_TEST(the_linker_gets_its_own)
{
    List list = split("-lm -l m --library m -L /lib --library-path=/lib -Xlinker -rpath,/lib --linker-options=-s -Wl,-s");
    Argv command = {0};
    for (Option option = {0}; option_next(list.words, list.count, &option);) {
        ck_assert_int_eq(option.kind->use, USE_LINK);
        option_add(&command, &option, SIDE_HOST);
    }
    is("linking", "all", &command, "-lm -lm -lm -L/lib -L/lib -Wl,-rpath,/lib -Wl,-s -Wl,-s");
}
END_TEST

START_TEST(nvcc_gets_its_own_words_but_what_we_decide)
{
    List list = split("-maxrregcount 32 -lineinfo -I a.cu a.cu -arch=sm_80 -lcudart -lm -o a --fmad=false -dc -rdc true");
    Argv command = {0};
    options_add_nvcc(&command, list.words, list.count);
    is("nvcc", "all", &command, "-maxrregcount 32 -I a.cu a.cu -lm --fmad=false -c");
}
END_TEST

/* CUDA Compiler Driver, "Supported Phases": of device code as x.cubin, of a fat binary x.fatbin, where -o does not say otherwise. */
START_TEST(device_code_is_a_fat_binary_under_the_name_that_nvcc_gives_it)
{
    static const char *const rows[][2] = {{"-cubin x/k.cu", "-fatbin -o k.cubin x/k.cu"},
                                          {"k.cu -cubin", "k.cu -fatbin -o k.cubin"},
                                          {"-cubin k.a.cu", "-fatbin -o k.a.cubin k.a.cu"},
                                          {"-cubin k", "-fatbin -o k.cubin k"},
                                          {"-odir x --cubin k.cu", "-odir x -fatbin -o x/k.cubin k.cu"},
                                          {"-cubin k.cu -o other", "-fatbin k.cu"},
                                          {"-cubin", "-fatbin"},
                                          {"-fatbin k.cu", "-fatbin k.cu"}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        Argv command = {0};
        List list = split(rows[i][0]);
        options_add_nvcc(&command, list.words, list.count);
        is("nvcc", rows[i][0], &command, rows[i][1]);
    }
}
END_TEST

START_TEST(no_other_runtime_is_linked)
{
    static const char *const rows[] = {"-lcudart",
                                       "-l cudart_static",
                                       "-l:libcudart.so",
                                       "-lcudadevrt",
                                       "-Xlinker -lcudart",
                                       "-Wl,-lcudart_static",
                                       "/x/libcudart.so.13",
                                       "libcudart_static.a",
                                       "x/libcudadevrt.a",
                                       "-lcublas",
                                       "-l cublas_static",
                                       "/x/libcublas.so.13",
                                       "-lcurand",
                                       "-l curand_static",
                                       "libcurand.so.10",
                                       "-lcufft",
                                       "-l cufft_static",
                                       "/x/libcufft.so.12",
                                       "-lcufft_static_nocallback",
                                       "-lcuda",
                                       "-l:libcuda.so.1",
                                       "/x/stubs/libcuda.so",
                                       "-lnvrtc_static",
                                       "x/libnvrtc.so.13",
                                       "libnvrtc-builtins.alt.so.13.0",
                                       "libnvrtc-builtins_static.a",
                                       "libnvrtc_static.alt.a",
                                       "/x/libnvptxcompiler_static.a"};
    Argv command = {0};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        List list = split(rows[i]);
        options_add_nvcc(&command, list.words, list.count);
        ck_assert_msg(command.count == 0, "%s", rows[i]);
    }
    for_nvcc("-lcudartx -lcufftw -l:cudart libcudart.cu cudart.o x/libcudart/y.o libcudart_static.ab libcudart.source.o");
    for_nvcc(
        "libcuda.cu libcuda.o libcuda.source.o cuda.so x/libcuda.so/y.o libnvrtc.cu libnvrtc_wrapper.cpp -lcudax -lnvrtc2");
}
END_TEST

START_TEST(the_newest_device_that_will_do_is_chosen)
{
    static const struct {
        const char *options;
        unsigned newest, arch;
    } rows[] = {{"", 90, 81}, /* what it is asked to be where none is named */
                {"-arch=native", 90, 80},
                {"-arch sm_80", 90, 80},
                {"--gpu-architecture=compute_60", 90, 75} /* CUDA 13 has none before */,
                {"-gencode arch=compute_80,code=[sm_80,compute_80] -gencode=arch=compute_90a,code=sm_90a", 90, 90},
                {"-gencode arch=compute_80,code=sm_80 -gencode=arch=compute_90,code=sm_90", 89, 80},
                {"-arch=sm_120 --generate-code arch=compute_100,code=sm_100", 90, 100},
                {"-DX=sm_90 sm_90.cu", 90, 81}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        List list = split(rows[i].options);
        ck_assert_msg(options_arch(list.words, list.count, rows[i].newest, 81) == rows[i].arch, "'%s'", rows[i].options);
    }
}
END_TEST

START_TEST(an_option_is_known_by_either_name)
{
    List list = split("--compiler-bindir=g++-10 --std c++14 -I -ccbin");
    ck_assert(options_have(list.words, 1, "-ccbin"));
    ck_assert(!options_have(list.words + 1, 4, "-ccbin")); /* the value of -I */
    ck_assert(options_have(list.words, list.count, "-std"));
    ck_assert_str_eq(options_level(list.words, list.count), "3");
    list = split("-G=1 -lineinfo=yes"); /* nvcc: no argument expected */
    ck_assert(!options_have(list.words, list.count, "-G") && !options_have(list.words, list.count, "-lineinfo"));
    list = split("-O2 --device-debug");
    ck_assert_str_eq(options_level(list.words, list.count), "0");
}
END_TEST

START_TEST(the_last_policy_for_loads_counts)
{
    static const struct {
        const char *words[4];
        bool bypasses;
    } rows[] = {{{"-Xptxas", "-dlcm=cg"}, true},
                {{"-Xptxas=-v,--def-load-cache=cg"}, true},
                {{"--ptxas-options", "-v,-dlcm=cg,-O3"}, true},
                {{"-Xptxas", "-dlcm=ca"}, false},
                {{"-Xptxas", "-dlcm=cg", "-Xptxas", "-dlcm=ca"}, false},
                {{"-Xptxas", "-dlcm=cg,-dlcm=ca"}, false},
                {{"-Xptxas", "-v"}, false},
                {{"-Xcompiler", "-dlcm=cg"}, false}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        size_t count = 0;
        while (count < 4 && rows[i].words[count]) count++;
        ck_assert_msg(options_bypass_l1(rows[i].words, count) == rows[i].bypasses, "%s", rows[i].words[count - 1]);
    }
}
END_TEST

START_TEST(a_file_of_options_stands_for_its_words)
{
    const char text[] = "a.o 'b c.o'\n  -L\"/x y\"\td\\ e.o\n";
    char path[SUITE_PATH];
    suite_file(path, "words");
    const char *const words[] = {"-dlink", "--options-file", path, "-o", "out.o"};
    Argv whole = {0};
    Diag diag = {0};
    ck_assert(text_write_file(path, text, sizeof text - 1));
    ck_assert(optionsfile_expand(words, 5, &whole, &diag));
    ck_assert_uint_eq(whole.count, 7); /* -dlink; a.o, "b c.o", "-L/x y", "d e.o"; -o, out.o */
    is("all", "the file", &whole, "-dlink a.o b c.o -L/x y d e.o -o out.o");
    ck_assert(unlink(path) == 0 && !optionsfile_expand(words, 5, &whole, &diag));
    ck_assert_str_eq(diag.file, path);
    argv_free(&whole);
}
END_TEST

SUITE("options", device_code_is_a_fat_binary_under_the_name_that_nvcc_gives_it, a_file_of_options_stands_for_its_words,
      a_value_may_be_the_next_word_or_behind_a_sign_or_at_once, the_last_policy_for_loads_counts,
      what_clang_does_without_goes_with_its_value, each_side_gets_what_concerns_it, the_linker_gets_its_own,
      nvcc_gets_its_own_words_but_what_we_decide, no_other_runtime_is_linked, the_newest_device_that_will_do_is_chosen,
      an_option_is_known_by_either_name)
