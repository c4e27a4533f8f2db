/* The compilers themselves, as they are installed here; tests/cuda holds what they compile. A loop test runs once for nvcc and once
 * for clang. Where one is missing its runs check that the message says so; where both are, the suite is skipped. */
#define _GNU_SOURCE /* setenv */
#include <dirent.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include "compiled.h"

static const char *const compiler_names[] = {"nvcc", "clang"};

static char scratch[SUITE_FOLDER];

static void open_scratch(void) { suite_folder(scratch); }
static void close_scratch(void) {
    compile_result_free(&result);
    ck_assert_int_eq(rmdir(scratch), 0); /* nothing may be left in it */
}

static bool installed(CompilerChoice choice) {
    char path[4096], name[64];
    return compile_find(choice, path, sizeof path, name, sizeof name);
}

static bool compile(CompilerChoice choice, const char *path, const char *const *options, size_t count) {
    CompileRequest request = compile_anew(choice, path, options, count);
    return compile_cu(&request, &result, &diag);
}

/* Compiles, and says whether there is PTX to look at; a compiler that is not installed is named in the message. */
static bool compiles(int which, const char *path, const char *const *options, size_t count) {
    if (compile(compilers[which], path, options, count)) return true;
    ck_assert_msg(!installed(compilers[which]), "%s: %s\n%s", path, diag.message, text_string(&result.messages));
    ck_assert_ptr_nonnull(strstr(diag.message, compiler_names[which]));
    return false;
}

/* The text of one kernel, up to the brace that ends it. */
static const char *kernel(const char *name) {
    static char text[65536];
    char entry[64];
    snprintf(entry, sizeof entry, ".entry %s(", name);
    const char *begin = strstr(text_string(&result.ptx), entry);
    ck_assert_msg(begin != NULL, "no kernel %s", name);
    const char *end = strstr(begin, "\n}");
    ck_assert(end != NULL && (size_t)(end - begin) < sizeof text);
    memcpy(text, begin, (size_t)(end - begin));
    text[end - begin] = 0;
    return text;
}

/* Accesses of 16 bytes, as four registers of 32 bits or two of 64: compilers differ, memory does not. */
static int wide(const char *text, const char *access) {
    int count = 0;
    size_t length = strlen(access);
    for (const char *at = text; (at = strstr(at, access)) != NULL; at += length)
        count += strncmp(at + length, ".v4.", 4) == 0 || strncmp(at + length, ".v2.b64", 7) == 0;
    return count;
}

START_TEST(a_float4_copy_is_one_load_and_one_store)
{
    static const char *const names[] = {"direct", "by_cast", "by_variable", "own_struct"};
    if (!compiles(_i, "tests/cuda/float4_copy.cu", NULL, 0)) return;
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        const char *text = kernel(names[i]);
        ck_assert_msg(occurrences(text, "ld.global") == 1 && occurrences(text, "st.global") == 1, "%s: %s", names[i], text);
        ck_assert_msg(wide(text, "ld.global") == 1 && wide(text, "st.global") == 1, "%s: %s", names[i], text);
        ck_assert_int_eq(occurrences(text, ".local"), 0);
    }
    ck_assert(compiles(_i, "tests/cuda/float4_shared.cu", NULL, 0));
    const char *text = kernel("through_tile");
    ck_assert_int_eq(wide(text, "ld.global"), 1);
    ck_assert_int_eq(wide(text, "st.shared"), 1);
    ck_assert_int_eq(wide(text, "ld.shared"), 1);
    ck_assert_int_eq(wide(text, "st.global"), 1);
    ck_assert_int_eq(occurrences(kernel("through_bytes"), ".shared.u32") + occurrences(kernel("through_bytes"), ".shared.b32"),
                     2);
    ck_assert_int_eq(occurrences(kernel("through_packed"), "ld.global"), 4); /* byte by byte */
}
END_TEST

START_TEST(both_compilers_reload_the_same)
{
    if (!compiles(_i, "tests/cuda/reloads.cu", NULL, 0)) return;
    ck_assert_int_eq(occurrences(kernel("scalar_changes"), "ld.global"), 2);
    ck_assert_int_eq(occurrences(kernel("member_stays"), "ld.global"), 1);
}
END_TEST

/* Loads of loops of two ends, one by one or four at a time and one by one what is left over: nvcc's 13.0, clang's 14 to 19. */
START_TEST(loops_of_two_ends_are_unrolled_as_they_are_known_to_be)
{
    static const struct {
        const char *name;
        int loads[2]; /* by compilers */
    } rows[] = {{"by_one", {5, 5}},          {"by_two", {1, 1}},        {"by_warp", {1, 1}},
                {"by_warp_at_head", {1, 1}}, {"by_warp_named", {1, 1}}, {"by_block", {1, 1}},
                {"at_head", {5, 1}},         {"named", {1, 5}},         {"known", {1, 16}}};
    if (!compiles(_i, "tests/cuda/two_ends.cu", NULL, 0)) return;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        ck_assert_msg(occurrences(kernel(rows[i].name), "ld.global") == rows[i].loads[_i], "%s: %s", rows[i].name,
                      kernel(rows[i].name));
}
END_TEST

/* Lines 5, 6 and 7 of the file load, load and store; __ldg is made in a header but the line that uses it must be found. */
START_TEST(accesses_carry_the_lines_of_the_source)
{
    if (!compiles(_i, "tests/cuda/lines.cu", NULL, 0)) return;
    ck_assert_int_ge(occurrences(text_string(&result.ptx), "tests/cuda/lines.cu\""), 1);
    const char *text = kernel("lines");
    for (int line = 5; line <= 7; line++) {
        char direct[32], inlined[48];
        snprintf(direct, sizeof direct, ".loc\t1 %d ", line);
        snprintf(inlined, sizeof inlined, "inlined_at 1 %d ", line);
        ck_assert_msg(strstr(text, direct) || strstr(text, inlined), "line %d: %s", line, text);
    }
    ck_assert_int_eq(occurrences(text, "ld.global.nc.f32") + occurrences(text, "ld.global.nc.b32"), 1);
}
END_TEST

START_TEST(an_error_is_placed_and_the_messages_are_whole)
{
    if (!installed(compilers[_i])) return;
    ck_assert(!compile(compilers[_i], "tests/cuda/broken.cu", NULL, 0));
    ck_assert_ptr_nonnull(strstr(diag.file, "broken.cu"));
    ck_assert_uint_eq(diag.line, 3);
    ck_assert_ptr_nonnull(strstr(diag.message, "missing"));
    ck_assert_ptr_nonnull(strstr(text_string(&result.messages), "missing"));
    /* the quoted line, or what nvcc 11 has in its place, its last words */
    ck_assert(strstr(text_string(&result.messages), "out[0]") || strstr(text_string(&result.messages), "1 error detected"));
    ck_assert_uint_eq(result.ptx.length, 0);
    ck_assert_int_eq(strncmp(result.compiler, compiler_names[_i], strlen(compiler_names[_i])), 0);
}
END_TEST

/* The sum of a product and a constant becomes one fma under both, as long as nobody forbids it. */
START_TEST(options_reach_the_compiler)
{
    static const char *const plain[] = {"-Itests/cuda/include", "-DVALUE=5"};
    static const char *const apart[] = {"-Itests/cuda/include", "-DVALUE=5", "-fmad=false"};
    static const char *const fast[] = {"-Itests/cuda/include", "-DVALUE=5", "--use_fast_math"};
    if (!compiles(_i, "tests/cuda/options.cu", plain, 2)) return;
    const char *text = kernel("options");
    ck_assert_int_ge(occurrences(text, "fma.rn.f32"), 1);
    ck_assert_int_ge(occurrences(text, "0f40A00000"), 1); /* 5.0f */
    ck_assert(compiles(_i, "tests/cuda/options.cu", apart, 3));
    text = kernel("options");
    ck_assert_int_ge(occurrences(text, "0f40A00000"), 1);
    const char *five = strstr(text, "0f40A00000");
    while (five > text && five[-1] != '\n') five--;
    ck_assert_msg(strstr(five, "add") && strstr(five, "add") < strchr(five, '\n'), "%s", text);
    ck_assert(compiles(_i, "tests/cuda/options.cu", fast, 3));
    ck_assert_int_ge(occurrences(kernel("options"), "ex2.approx.ftz.f32"), 1);
}
END_TEST

/* CUDA C++ Programming Guide, "Intrinsic Functions", and nvcc's -ftz, -prec-div and -prec-sqrt: approximate quotients, roots and functions,
 * denormals as zero. What names its rounding keeps it, and double knows nothing of all this. */
START_TEST(fast_math_takes_the_approximate_forms)
{
    static const char *const fast[] = {"--use_fast_math"};
    static const struct {
        const char *kernel, *exact, *approximate; /* one of them */
    } rows[] = {{"quotient", "div.rn.f32", "div.approx.ftz.f32"}, {"reciprocal", "rcp.rn.f32", "rcp.approx.ftz.f32"},
                {"root", "sqrt.rn.f32", "sqrt.approx.ftz.f32"},   {"functions", NULL, "sin.approx.ftz.f32"},
                {"functions", NULL, "cos.approx.ftz.f32"},        {"functions", NULL, "lg2.approx.ftz.f32"},
                {"functions", NULL, "ex2.approx.ftz.f32"},        {"rounded", "div.rn.f32", "div.rn.ftz.f32"},
                {"rounded", "sqrt.rn.f32", "sqrt.rn.ftz.f32"},    {"twice", "div.rn.f64", "div.rn.f64"},
                {"twice", "sqrt.rn.f64", "sqrt.rn.f64"}};
    for (size_t option = 0; option < 2; option++) {
        if (!compiles(_i, "tests/cuda/fast.cu", fast, option)) return;
        for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
            const char *text = kernel(rows[i].kernel), *wanted = option ? rows[i].approximate : rows[i].exact;
            if (wanted) ck_assert_msg(occurrences(text, wanted) == 1, "no %s: %s", wanted, text);
        }
        const char *text = kernel("sum");
        ck_assert_msg(occurrences(text, ".ftz.f32") == (int)option, "%s", text);
        if (option) ck_assert_int_eq(occurrences(kernel("functions"), ".rn"), 0);
    }
}
END_TEST

/* -G keeps variables and calls apart as the source has them; what comes out must still be a whole program. */
START_TEST(code_for_debuggers_compiles)
{
    static const char *const debug[] = {"-G", "-g"};
    if (!compiles(_i, "tests/cuda/headers.cu", debug, 2)) return;
    ck_assert_int_eq(occurrences(text_string(&result.ptx), ".visible .entry"), 4);
    ck_assert(compiles(_i, "tests/cuda/lines.cu", debug, 2));
    ck_assert_int_ge(occurrences(kernel("lines"), ".loc"), 3);
}
END_TEST

START_TEST(the_device_may_be_chosen)
{
    static const char *const newer[] = {"-arch=sm_86"}, *const newest[] = {"-arch=sm_90"}, *const none[] = {"-arch=sm_95"};
    if (!compiles(_i, "tests/cuda/lines.cu", NULL, 0)) return;
    ck_assert_int_eq(occurrences(text_string(&result.ptx), ".target sm_80"), 1);
    ck_assert(compiles(_i, "tests/cuda/lines.cu", newer, 1));
    ck_assert_int_eq(occurrences(text_string(&result.ptx), ".target sm_86"), 1);
    ck_assert_str_eq(text_string(&result.messages), "");
    ck_assert(compiles(_i, "tests/cuda/lines.cu", newest, 1)); /* by a clang before 16 as well, which does not know it */
    ck_assert_int_eq(occurrences(text_string(&result.ptx), ".target sm_90\n"), 1);
    ck_assert_int_eq(occurrences(text_string(&result.ptx), ".target"), 1);
    ck_assert_int_eq(
        occurrences(text_string(&result.ptx), ".version 7.8\n") + occurrences(text_string(&result.ptx), ".version 9."), 1);
    ck_assert_str_eq(text_string(&result.messages), "");
    ck_assert(!compile(compilers[_i], "tests/cuda/lines.cu", none, 1)); /* there is no such device */
}
END_TEST

START_TEST(whole_programs_and_every_header_compile)
{
    if (!compiles(_i, "tests/cuda/whole_program.cu", NULL, 0)) return;
    ck_assert_int_eq(
        occurrences(text_string(&result.ptx), ".visible .entry") + occurrences(text_string(&result.ptx), ".weak .entry"), 1);
    ck_assert(compiles(_i, "tests/cuda/headers.cu", NULL, 0));
    ck_assert_int_eq(occurrences(text_string(&result.ptx), ".visible .entry"), 4);
    const char *ptx = text_string(&result.ptx);
    ck_assert_int_ge(occurrences(ptx, "vprintf"), 1);
    ck_assert_int_ge(occurrences(ptx, "__assertfail"), 1);
}
END_TEST

/* "on": in a folder that a test has for itself. */
static void use_cache(const char *state) {
    setenv("WARPSCOPE_CACHE", state, 1);
    setenv("XDG_CACHE_HOME", scratch, 1);
}

static void is_as_from_text(const char *path) {
    use_cache("off");
    bool fine = compile(COMPILER_CLANG, path, NULL, 0);
    Text ptx = result.ptx, messages = result.messages;
    Diag said = diag;
    result = (CompileResult){0};
    use_cache("on");
    ck_assert_int_eq(compile(COMPILER_CLANG, path, NULL, 0), fine);
    ck_assert_str_eq(text_string(&result.ptx), text_string(&ptx));
    ck_assert_str_eq(text_string(&result.messages), text_string(&messages));
    ck_assert_str_eq(diag.message, said.message);
    ck_assert_uint_eq(diag.line, said.line);
    text_free(&ptx);
    text_free(&messages);
}

static void in_cache(const char *what) {
    char command[500];
    snprintf(command, sizeof command, "cd %s && %s", scratch, what);
    ck_assert_msg(system(command) == 0, "%s", command);
}

/* A file of which no PTX is kept, since it asks what headers there are. */
static void write_asking(const char *path, const char *more) {
    FILE *file = fopen(path, "w");
    ck_assert_ptr_nonnull(file);
    fprintf(
        file,
        "#include <cuda_runtime.h>\n#include <cooperative_groups.h>\n#if __has_include(<math.h>)\n#include <math.h>\n#endif\n"
        "__global__ void k(float *p) { *p = sinf(*p); }\n%s",
        more);
    fclose(file);
}

/* Headers of two kinds, one for files that name std: kept at their second use, they lead to the same PTX and the same messages; and so they do when they
 * are damaged. */
START_TEST(clang_makes_the_same_of_headers_that_were_kept)
{
    static const char *const texts[] = {"// std::\n", ""};
    char asking[100];
    if (!installed(COMPILER_CLANG)) return;
    snprintf(asking, sizeof asking, "%s/asking.cu", scratch);
    use_cache("on");
    for (int i = 0; i < 4; i++) {
        write_asking(asking, texts[i / 2]);
        ck_assert(compile(COMPILER_CLANG, asking, NULL, 0));
    }
    in_cache("test $(find warpscope/headers -type f -size +1M | wc -l) = 2");
    is_as_from_text("tests/cuda/lines.cu");
    is_as_from_text("tests/agree/language.cu");
    write_asking(asking, "__device__ int x = atomicAdd(1);\n");
    is_as_from_text(asking);
    in_cache("for kept in warpscope/headers/*; do truncate -s 4000 $kept; done");
    write_asking(asking, "");
    is_as_from_text(asking);
    in_cache("rm -r warpscope asking.cu");
}
END_TEST

START_TEST(any_file_name_will_do)
{
    static const char *const names[] = {"two words.cu", "it's \"quoted\".cu", "-dash.cu", "semi;colon.cu", "per%cent&.cu"};
    char back[4096];
    if (!installed(compilers[_i])) return;
    ck_assert_ptr_nonnull(getcwd(back, sizeof back));
    char headers[8192];
    snprintf(headers, sizeof headers, "%s/" HEADERS, back);
    ck_assert_int_eq(chdir(scratch), 0);
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        FILE *file = fopen(names[i], "w");
        ck_assert_ptr_nonnull(file);
        fputs("extern \"C\" __global__ void k(int *p) { *p = 1; }\n", file);
        fclose(file);
        CompileRequest request = {.path = names[i], .compiler = compilers[_i], .include_dir = headers};
        compile_result_free(&result);
        diag = (Diag){0};
        bool fine = compile_cu(&request, &result, &diag);
        ck_assert_int_eq(unlink(names[i]), 0);
        ck_assert_msg(fine, "%s: %s\n%s", names[i], diag.message, text_string(&result.messages));
        ck_assert_int_eq(occurrences(kernel("k"), "st."), 1);
    }
    ck_assert_int_eq(chdir(back), 0);
}
END_TEST

static int entries(const char *path) {
    int count = 0;
    DIR *dir = opendir(path);
    for (struct dirent *entry; (entry = readdir(dir)) != NULL;) count += entry->d_name[0] != '.';
    closedir(dir);
    return count;
}

START_TEST(nothing_is_left_behind)
{
    ck_assert_int_eq(setenv("TMPDIR", scratch, 1), 0);
    if (compiles(_i, "tests/cuda/lines.cu", NULL, 0)) ck_assert_int_eq(entries(scratch), 0);
    ck_assert(!compile(compilers[_i], "tests/cuda/broken.cu", NULL, 0));
    ck_assert_int_eq(entries(scratch), 0);
}
END_TEST

/* Stands in for a compiler: it starts a child, writes a file, and never ends. It has more and more time until there was enough for the rest. The
 * child writes to a pipe, which ends when all have ended that could: it is read until then. */
START_TEST(a_compiler_that_does_not_end_is_stopped)
{
    char fake[128], here[128], beat[256], read_there[8], expected[40];
    snprintf(fake, sizeof fake, "%s/clang", scratch);
    snprintf(beat, sizeof beat, "%s/beat", scratch);
    FILE *file = fopen(fake, "w");
    ck_assert_ptr_nonnull(file);
    fprintf(file,
            "#!/bin/sh\n[ \"$1\" = --version ] && echo clang version 99.1 && exit\necho from the fake\necho x "
            ">\"$TMPDIR/litter\"\n(echo beat; while :; do sleep 60; done) >'%s' &\nwhile :; do sleep 60; done\n",
            beat);
    fclose(file);
    ck_assert_int_eq(chmod(fake, 0700), 0);
    char path[256];
    snprintf(path, sizeof path, "%s:/usr/bin:/bin", scratch);
    setenv("PATH", path, 1);
    snprintf(here, sizeof here, "%s/tmp", scratch);
    ck_assert_int_eq(mkdir(here, 0700), 0);
    setenv("TMPDIR", here, 1);
    CompileRequest request = compile_anew(COMPILER_CLANG, "tests/cuda/lines.cu", NULL, 0);
    ck_assert_int_eq(mkfifo(beat, 0600), 0);
    ssize_t length = 0;
    for (request.timeout_s = 1; length == 0; request.timeout_s *= 2) {
        const int pipe = open(beat, O_RDONLY | O_NONBLOCK);
        ck_assert_int_ge(pipe, 0);
        compile_result_free(&result);
        diag = (Diag){0};
        ck_assert(!compile_cu(&request, &result, &diag));
        snprintf(expected, sizeof expected, "more than %u s", request.timeout_s);
        ck_assert_msg(strstr(diag.message, expected) != NULL, "%s", diag.message);
        ck_assert_int_eq(entries(here), 0);
        ck_assert_int_eq(fcntl(pipe, F_SETFL, 0), 0);
        length = read(pipe, read_there, sizeof read_there);
        ck_assert_int_ge(length, 0);
        if (length) ck_assert_int_eq(read(pipe, read_there, sizeof read_there), 0); /* the child lived, and no longer does */
        close(pipe);
    }
    ck_assert_ptr_nonnull(strstr(text_string(&result.messages), "from the fake"));
    ck_assert_str_eq(result.compiler, "clang 99.1");
    ck_assert_int_eq(rmdir(here) + unlink(fake) + unlink(beat), 0);
}
END_TEST

START_TEST(a_compiler_that_writes_without_end_is_stopped)
{
    if (!installed(compilers[_i])) return;
    char path[128];
    snprintf(path, sizeof path, "%s/flood.cu", scratch);
    FILE *file = fopen(path, "w");
    ck_assert_ptr_nonnull(file);
    fputs("#if __INCLUDE_LEVEL__ < 150\n#warning again\n#include __FILE__\n#include __FILE__\n#endif\n", file);
    fclose(file);
    ck_assert(!compile(compilers[_i], path, NULL, 0));
    ck_assert_int_eq(unlink(path), 0);
    ck_assert_msg(strstr(diag.message, "wrote more than 4 MiB of messages and was stopped"), "%s", diag.message);
}
END_TEST

/* Stands in for one whose messages hide that a program of its was ended: what it ran took a second, and it fails like any other. */
START_TEST(a_compiler_that_used_up_its_processor_time_says_so)
{
    char fake[128];
    snprintf(fake, sizeof fake, "%s/clang", scratch);
    FILE *file = fopen(fake, "w");
    ck_assert_ptr_nonnull(file);
    fputs("#!/bin/sh\n[ \"$1\" = --version ] && echo clang version 99.1 && exit\necho 'a.cu:1:2: error: flood'\n"
          "sh -c 'while :; do :; done'\nexit 1\n",
          file);
    fclose(file);
    ck_assert_int_eq(chmod(fake, 0700), 0);
    char path[256];
    snprintf(path, sizeof path, "%s:/usr/bin:/bin", scratch);
    setenv("PATH", path, 1);
    ck_assert_int_eq(setrlimit(RLIMIT_CPU, &(struct rlimit){.rlim_cur = 1, .rlim_max = 1}), 0);
    CompileRequest request = compile_anew(COMPILER_CLANG, "tests/cuda/lines.cu", NULL, 0);
    ck_assert(!compile_cu(&request, &result, &diag));
    ck_assert_str_eq(diag.message, "clang 99.1 needed more than 1 s of processor time and was stopped");
    ck_assert_int_eq(unlink(fake), 0);
}
END_TEST

START_TEST(a_missing_compiler_is_told_with_its_remedy)
{
    setenv("PATH", "/nonexistent", 1);
    ck_assert(!compile(COMPILER_CLANG, "tests/cuda/lines.cu", NULL, 0));
    ck_assert_ptr_nonnull(strstr(diag.message, "clang"));
    ck_assert_ptr_nonnull(strstr(diag.hint, "./setup"));
    ck_assert_str_eq(result.compiler, "");
}
END_TEST

START_TEST(a_missing_file_is_told_before_any_compiler_starts)
{
    ck_assert(!compile(COMPILER_AUTO, "tests/cuda/no such.cu", NULL, 0));
    ck_assert_str_eq(diag.file, "tests/cuda/no such.cu");
    ck_assert_ptr_nonnull(strstr(diag.message, "No such file"));
}
END_TEST

START_TEST(versions_are_named)
{
    char path[4096], name[64];
    if (!compile_find(compilers[_i], path, sizeof path, name, sizeof name)) return;
    unsigned major = 0;
    char format[32];
    snprintf(format, sizeof format, "%s %%u.", compiler_names[_i]);
    ck_assert_msg(sscanf(name, format, &major) == 1 && major >= 11, "%s", name);
    ck_assert(compile(compilers[_i], "tests/cuda/lines.cu", NULL, 0));
    ck_assert_str_eq(result.compiler, name);
    ck_assert_int_eq(result.used, compilers[_i]);
}
END_TEST

SUITE_IF(installed(COMPILER_NVCC) || installed(COMPILER_CLANG), "needs nvcc or clang", "compile", open_scratch, close_scratch,
         REPEATED(2, a_float4_copy_is_one_load_and_one_store), REPEATED(2, both_compilers_reload_the_same),
         REPEATED(2, loops_of_two_ends_are_unrolled_as_they_are_known_to_be),
         REPEATED(2, accesses_carry_the_lines_of_the_source), REPEATED(2, an_error_is_placed_and_the_messages_are_whole),
         REPEATED(2, options_reach_the_compiler), REPEATED(2, fast_math_takes_the_approximate_forms),
         REPEATED(2, code_for_debuggers_compiles), REPEATED(2, the_device_may_be_chosen),
         REPEATED(2, whole_programs_and_every_header_compile), clang_makes_the_same_of_headers_that_were_kept,
         REPEATED(2, any_file_name_will_do), REPEATED(2, nothing_is_left_behind), REPEATED(2, versions_are_named),
         a_compiler_that_does_not_end_is_stopped, REPEATED(2, a_compiler_that_writes_without_end_is_stopped),
         a_compiler_that_used_up_its_processor_time_says_so, a_missing_compiler_is_told_with_its_remedy,
         a_missing_file_is_told_before_any_compiler_starts)
