/* What compilers are given (door.h, alias.h), by programs that say what they got, and by the compilers that are installed: a loop test runs once for nvcc
 * and once for clang, as far as they are. "oops" is a file that only a shell, which took a name for a command, would make. */
#define _GNU_SOURCE /* setenv */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "cuda/compile.h"
#include "cuda/door.h"
#include "cuda/find.h"
#include "cuda/folder.h"
#include "suite.h"

/* Without CUDA's headers, which take nvcc five times as long: what it is told of files and folders is the same. */
#define KERNEL "extern \"C\" __attribute__((global)) void k(int *p) { *p = 1; }\n"
#define NO_HEADERS "-D__CUDA_RUNTIME_H__"

static const CompilerChoice compilers[] = {COMPILER_NVCC, COMPILER_CLANG};
static char scratch[SUITE_FOLDER], *back; /* folders: of the test, which it is in; and the tree */
static char headers[4096];
static CompileResult result;
static Diag diag;

static void shell(const char *command) { ck_assert_int_eq(system(command), 0); }

static void open_scratch(void) {
    setenv("WARPSCOPE_CACHE", "off", 1);
    suite_folder(scratch);
    back = getcwd(NULL, 0);
    snprintf(headers, sizeof headers, "%s/src/include", back);
    ck_assert_int_eq(chdir(scratch), 0);
    result = (CompileResult){0};
    diag = (Diag){0};
}

static void close_scratch(void) {
    ck_assert_int_eq(chdir(back), 0);
    compile_result_free(&result);
    free(back);
}

/* --- what a program is given -------------------------------------------------------------------------------------------------- */

static const struct {
    const char *text;
    bool plain;
} words[] = {
    {"/usr/local/cuda-13.0/bin/nvcc", true},
    {"-Xcompiler=-fPIC,-O2", true},
    {"arch=compute_75,code=compute_75", true},
    {"-std=c++17", true},
    {"C:/x", true},
    {"\xc3\xa9t\xc3\xa9.cu", true},
    {"", false},
    {"a b", false},
    {"a\tb", false},
    {"a\nb", false},
    {"$(x)", false},
    {"${x}", false},
    {"`x`", false},
    {"a\"b", false},
    {"a'b", false},
    {"a\\b", false},
    {"a;b", false},
    {"a&b", false},
    {"a|b", false},
    {"a<b", false},
    {"a>b", false},
    {"a(b", false},
    {"a*b", false},
    {"a?b", false},
    {"a[b]", false},
    {"a{b", false},
    {"~a", false},
    {"#a", false},
    {"a!b", false},
    {"%a", false},
    {"a^b", false},
    {"@a", false},
    {"a\x7f", false},
    {"a\rb", false},
};

START_TEST(plain_is_what_no_shell_changes)
{ ck_assert_int_eq(door_is_plain(words[_i].text), words[_i].plain); }
END_TEST

/* Whether it is started; its output then is the result's messages. */
static bool starts(CompilerChoice compiler, const char *const *argv, const char *temp_dir, const char *folder) {
    ProcessRequest request = {.argv = argv, .temp_dir = temp_dir, .folder = folder, .timeout_s = 600, .output_limit = 1 << 16};
    ProcessResult run;
    diag = (Diag){0};
    bool fine = door_run(compiler, &request, &run, &diag);
    ck_assert(fine || diag.set);
    text_free(&result.messages);
    result.messages = run.output;
    return fine;
}

START_TEST(nvcc_is_given_no_word_folder_or_path_that_its_shell_could_run)
{
    const char *const fine[] = {"/bin/echo", "-DX=1", NULL}, *const command[] = {"/bin/echo", "-DX=$(touch oops)", NULL},
                      *const path[] = {"/bin/$(touch oops)", "x", NULL};
    ck_assert(starts(COMPILER_NVCC, fine, "/tmp", NULL));
    ck_assert(!starts(COMPILER_NVCC, command, "/tmp", NULL));
    ck_assert_ptr_nonnull(strstr(diag.message, "-DX=$(touch oops)"));
    ck_assert_ptr_nonnull(strstr(diag.hint, "--cc clang"));
    ck_assert(starts(COMPILER_CLANG, command, "/tmp", NULL));
    ck_assert(!starts(COMPILER_NVCC, path, "/tmp", NULL));
    ck_assert(!starts(COMPILER_NVCC, fine, "/tmp/$(touch oops)", NULL));
    ck_assert(!starts(COMPILER_NVCC, fine, "/tmp", "/tmp/`touch oops`"));
    ck_assert_int_eq(mkdir("here;touch oops", 0700) + chdir("here;touch oops"), 0);
    ck_assert(!starts(COMPILER_NVCC, fine, "/tmp", NULL));
    ck_assert(starts(COMPILER_NVCC, fine, "/tmp", "/"));
    ck_assert(starts(COMPILER_CLANG, fine, "/tmp", NULL));
}
END_TEST

START_TEST(no_compiler_is_given_a_file_of_further_words)
{
    for (int i = 0; i < 2; i++) {
        const char *const at_once[] = {"/bin/echo", "@words", NULL}, *const in_a_folder[] = {"/bin/echo", "a/@words.cu", NULL};
        ck_assert(!starts(compilers[i], at_once, "/tmp", NULL));
        ck_assert(!starts(compilers[i], in_a_folder, "/tmp", NULL));
    }
}
END_TEST

/* Each was seen to reach nvcc's shell, or to change what is compiled or started. */
static const char *const dropped[] = {"NVCC_APPEND_FLAGS",
                                      "NVCC_PREPEND_FLAGS",
                                      "NVCC_CCBIN",
                                      "INCLUDES",
                                      "SYSTEM_INCLUDES",
                                      "CUDAFE_FLAGS",
                                      "PTXAS_FLAGS",
                                      "LIBRARIES",
                                      "CPATH",
                                      "C_INCLUDE_PATH",
                                      "CPLUS_INCLUDE_PATH",
                                      "LIBRARY_PATH",
                                      "COMPILER_PATH",
                                      "GCC_EXEC_PREFIX",
                                      "CCC_OVERRIDE_OPTIONS",
                                      "LD_PRELOAD",
                                      "DEPENDENCIES_OUTPUT",
                                      "SUNPRO_DEPENDENCIES",
                                      "GCC_COMPARE_DEBUG",
                                      "ENV",
                                      "BASH_ENV",
                                      "LC_ALL",
                                      "LANG",
                                      "IFS",
                                      "SLURM_JOB_ID",
                                      "SLURM_EXPORT_ENV",
                                      "SLURMD_NODENAME",
                                      "SBATCH_EXPORT"};

START_TEST(a_compiler_has_the_environment_that_it_needs_and_no_more)
{
    const char *const env[] = {"/usr/bin/env", "-u", "nothing", NULL};
    for (size_t i = 0; i < sizeof dropped / sizeof *dropped; i++)
        if (strcmp(dropped[i], "LD_PRELOAD") != 0) setenv(dropped[i], "$(touch oops)", 1);
    setenv("HOME", "/home/a b", 1);
    setenv("LD_LIBRARY_PATH", "/opt/lib", 1);
    setenv("PATH", "/usr/bin:/o$(touch oops):bin::/bin", 1);
    for (int i = 0; i < 2; i++) {
        bool nvcc = compilers[i] == COMPILER_NVCC;
        ck_assert_msg(starts(compilers[i], env, "/tmp/t", NULL), "%s", diag.message);
        const char *got = text_string(&result.messages);
        for (size_t d = 0; d < sizeof dropped / sizeof *dropped; d++) {
            char line[64];
            snprintf(line, sizeof line, "\n%s=", dropped[d]);
            ck_assert_msg(!strstr(got, line), "%s in %s", dropped[d], got);
        }
        ck_assert_ptr_nonnull(strstr(got, "TMPDIR=/tmp/t\n"));
        ck_assert_ptr_nonnull(strstr(got, "LD_LIBRARY_PATH=/opt/lib\n"));
        ck_assert_int_eq(strstr(got, "HOME=/home/a b\n") == NULL, nvcc);
        ck_assert_ptr_nonnull(strstr(got, nvcc ? "PATH=/usr/bin:/bin\n" : "PATH=/usr/bin:/o$(touch oops):bin::/bin\n"));
    }
}
END_TEST

/* --- the compilers ------------------------------------------------------------------------------------------------------------ */

static bool installed(CompilerChoice choice) {
    char path[4096];
    return find_compiler(choice, path, sizeof path);
}

static void write_text(const char *path, const char *text) {
    FILE *file = fopen(path, "w");
    ck_assert_msg(file != NULL, "%s", path);
    fputs(text, file);
    ck_assert_int_eq(fclose(file), 0);
}

static bool compile(CompilerChoice choice, const char *path, const char *const *options, size_t count) {
    const char *all[4] = {0};
    ck_assert(count < sizeof all / sizeof *all);
    for (size_t i = 0; i < count; i++) all[i] = options[i];
    if (choice == COMPILER_NVCC) all[count++] = NO_HEADERS;
    CompileRequest request = {.path = path, .compiler = choice, .include_dir = headers, .options = all, .option_count = count};
    compile_result_free(&result);
    diag = (Diag){0};
    return compile_cu(&request, &result, &diag);
}

/* Nothing ran, neither here nor in the folder where the compiler may have been. */
static void is_unharmed(const char *by) {
    char found[200];
    snprintf(found, sizeof found, "test -z \"$(find '%s' -name 'oops*' -newer '%s/begun')\"", scratch, scratch);
    ck_assert_msg(system(found) == 0 && access("oops", F_OK) != 0, "%s", by);
}

static void compiles(CompilerChoice choice, const char *path, const char *const *options, size_t count, const char *by) {
    bool fine = compile(choice, path, options, count);
    ck_assert_msg(fine, "%s: %s\n%s", by, diag.message, text_string(&result.messages));
    ck_assert_ptr_nonnull(strstr(text_string(&result.ptx), ".entry k("));
    is_unharmed(by);
}

static const char *const hostile[] = {"$(touch oops)",
                                      "a\";touch oops;\"",
                                      "`touch oops`",
                                      "a';touch oops;'",
                                      "a;touch oops",
                                      "a&touch oops&",
                                      "a|touch oops",
                                      "a\ntouch oops\n",
                                      "a\\\";touch oops;\"",
                                      "${PATH:+$(touch oops)}",
                                      "two words",
                                      "back\\slash",
                                      "com,ma:colon",
                                      "a\\",
                                      "#1",
                                      "a -o oops",
                                      "-o oops",
                                      "@words",
                                      "*",
                                      "~"};

enum { HOSTILE = sizeof hostile / sizeof *hostile, FEW = 5 };

START_TEST(a_file_may_have_any_name_and_none_is_run)
{
    if (!installed(compilers[_i])) return;
    write_text("begun", "");
    write_text("words", "-load\noops.so\n");
    for (size_t i = 0; i < HOSTILE; i++) {
        if (compilers[_i] == COMPILER_CLANG && !strpbrk(hostile[i], "@-$")) continue; /* which starts no shell */
        char name[200];
        snprintf(name, sizeof name, "%s.cu", hostile[i]);
        write_text(name, KERNEL);
        if (i % 2) snprintf(name, sizeof name, "%s/%s.cu", scratch, hostile[i]);
        compiles(compilers[_i], name, NULL, 0, name);
        unlink(name);
    }
}
END_TEST

/* A file in it, the current one, where headers are, and where temporary files are to be: names take turns. */
START_TEST(a_folder_may_have_any_name_and_none_is_run)
{
    enum { FILE_IN_IT, HEADERS, CURRENT, TEMPORARY, USES };
    if (!installed(compilers[_i])) return;
    write_text("begun", "");
    write_text("k.cu", "#include \"beside.h\"\n" KERNEL);
    write_text("beside.h", "");
    write_text("includes.cu", "#include <beside.h>\n#ifndef BESIDE\n#error another\n#endif\n" KERNEL);
    for (size_t i = 0; i < HOSTILE; i++) {
        if (compilers[_i] == COMPILER_CLANG && !strpbrk(hostile[i], "@-$")) continue;
        char path[200], option[200];
        ck_assert_int_eq(mkdir(hostile[i], 0700), 0);
        snprintf(path, sizeof path, "%s/k.cu", hostile[i]);
        snprintf(option, sizeof option, "-I%s", hostile[i]);
        const char *const options[] = {option};
        write_text(path, "#include \"beside.h\"\n" KERNEL);
        snprintf(path, sizeof path, "%s/beside.h", hostile[i]);
        write_text(path, "#define BESIDE 1\n");
        switch (i % USES) {
        case FILE_IN_IT:
            snprintf(path, sizeof path, "%s%s/k.cu", hostile[i][0] == '-' ? "./" : "", hostile[i]);
            compiles(compilers[_i], path, NULL, 0, path);
            break;
        case HEADERS: compiles(compilers[_i], "includes.cu", options, 1, option); break;
        case CURRENT:
            ck_assert_int_eq(chdir(hostile[i]), 0);
            compiles(compilers[_i], "k.cu", NULL, 0, hostile[i]);
            ck_assert_int_eq(chdir(scratch), 0);
            break;
        case TEMPORARY:
            snprintf(path, sizeof path, "%s/%s", scratch, hostile[i]);
            setenv("TMPDIR", path, 1);
            compiles(compilers[_i], "k.cu", NULL, 0, path);
            unsetenv("TMPDIR");
            break;
        }
    }
}
END_TEST

START_TEST(a_macro_may_have_any_value_and_none_is_run)
{
    static const struct {
        const char *option, *value; /* what it is then, as an expression of C++ that is true */
    } macros[] = {{"-DX=(2 + 3) * 4", "X == 20"},
                  {"-DX=\"$(touch oops)\"", "sizeof X == 14"},
                  {"-DX=\"`touch oops`\"", "sizeof X == 13"},
                  {"-DX=\";touch oops;\"", "sizeof X == 13"},
                  {"-DX='a'", "X == 'a'"},
                  {"-DX(a)=a & 6", "(X(3)) == 2"}};
    if (!installed(compilers[_i])) return;
    write_text("begun", "");
    for (size_t i = 0; i < sizeof macros / sizeof *macros; i++) {
        const char *const options[] = {macros[i].option, "-DY=3"};
        char text[300];
        snprintf(text, sizeof text, "static_assert(%s && Y == 3, \"\");\n" KERNEL, macros[i].value);
        write_text("k.cu", text);
        compiles(compilers[_i], "k.cu", options, 2, macros[i].option);
    }
}
END_TEST

/* As nvcc's users write it, whose shell takes the backslashes away. */
START_TEST(a_string_is_defined_as_nvcc_takes_it)
{
    const char *const options[] = {"-DX=\\\"two words\\\""};
    if (!installed(COMPILER_NVCC)) return;
    write_text("begun", "");
    write_text("k.cu", "static_assert(sizeof X == 10, \"\");\n" KERNEL);
    compiles(COMPILER_NVCC, "k.cu", options, 1, options[0]);
}
END_TEST

START_TEST(nvcc_itself_may_lie_anywhere)
{
    char path[4096], command[9000];
    if (!find_compiler(COMPILER_NVCC, path, sizeof path)) return;
    write_text("begun", "");
    write_text("k.cu", KERNEL);
    for (size_t i = 0; i < FEW; i++) {
        snprintf(command, sizeof command, "ln -s \"$(dirname \"$(dirname \"$(readlink -f '%s')\")\")\" \"$FOLDER\"", path);
        snprintf(path, sizeof path, "%s/%s", scratch, hostile[i]);
        setenv("FOLDER", path, 1);
        shell(command);
        setenv("CUDA_HOME", path, 1);
        compiles(COMPILER_NVCC, "k.cu", NULL, 0, path);
        unsetenv("CUDA_HOME");
        ck_assert(find_compiler(COMPILER_NVCC, path, sizeof path));
    }
}
END_TEST

/* An option that is neither a macro nor a path is as it is, or is refused. */
START_TEST(other_options_are_not_run)
{
    static const char *const options[] = {"-Xcompiler=-DX=$(touch oops)", "-std=`touch oops`", "--foo;touch oops",
                                          "-O\";touch oops;\"", "-ccbin=g++;touch oops"};
    if (!installed(COMPILER_NVCC)) return;
    write_text("begun", "");
    write_text("k.cu", KERNEL);
    for (size_t i = 0; i < sizeof options / sizeof *options; i++) {
        ck_assert_msg(!compile(COMPILER_NVCC, "k.cu", options + i, 1), "%s", options[i]);
        ck_assert_ptr_nonnull(strstr(diag.message, "is not given to nvcc"));
        is_unharmed(options[i]);
    }
    const char *const blanks[] = {"-Xcompiler", "-DX=1  -DY=2"};
    write_text("k.cu", "static_assert(X == 1 && Y == 2, \"\");\n" KERNEL);
    compiles(COMPILER_NVCC, "k.cu", blanks, 2, blanks[1]);
}
END_TEST

/* --- what is said ------------------------------------------------------------------------------------------------------------- */

/* Line 3 of the file is wrong, and line 2 of the header. */
START_TEST(messages_and_ptx_have_the_true_names_and_lines)
{
    char path[300], ptx[700];
    if (!installed(compilers[_i])) return;
    write_text("begun", "");
    ck_assert_int_eq(mkdir("a b", 0700), 0);
    write_text("a b/h.h", "#pragma once\n__attribute__((device)) inline int f(int *p) {\n    return p[0] + p[5];\n}\n");
    write_text("a b/wrong.h", "\nint wrong = ;\n");
    write_text("a b/k $x.cu", "\xef\xbb\xbf#pragma once\n#include \"h.h\"\n" KERNEL
                              "extern \"C\" __attribute__((global)) void l(int *p) { *p = f(p); }\n");
    compiles(compilers[_i], "a b/k $x.cu", NULL, 0, "names");
    snprintf(ptx, sizeof ptx, "\"%s/a b/k $x.cu\"", scratch);
    snprintf(path, sizeof path, "\"%s/a b/h.h\"", scratch);
    if (compilers[_i] == COMPILER_NVCC) {
        ck_assert_msg(strstr(text_string(&result.ptx), ptx), "no %s in %s", ptx, text_string(&result.ptx));
        ck_assert_msg(strstr(text_string(&result.ptx), path), "no %s in %s", path, text_string(&result.ptx));
    }
    write_text("a b/k $x.cu", KERNEL "\nint wrong = ;\n");
    ck_assert(!compile(compilers[_i], "a b/k $x.cu", NULL, 0));
    ck_assert_str_eq(diag.file, "a b/k $x.cu");
    ck_assert_uint_eq(diag.line, 3);
    ck_assert_int_eq(chdir("a b"), 0);
    ck_assert(!compile(compilers[_i], "k $x.cu", NULL, 0));
    ck_assert_str_eq(diag.file, "k $x.cu");
    write_text("k.cu", "#include \"wrong.h\"\n");
    ck_assert(!compile(compilers[_i], "k.cu", NULL, 0));
    ck_assert_uint_eq(diag.line, 2);
    ck_assert_msg(strcmp(diag.file, "wrong.h") == 0 || strcmp(diag.file, "./wrong.h") == 0, "%s", diag.file);
    ck_assert_int_eq(chdir(scratch), 0);
    ck_assert(!compile(compilers[_i], "a b/k.cu", NULL, 0));
    ck_assert_str_eq(diag.file, "a b/wrong.h");
    ck_assert_ptr_null(strstr(text_string(&result.messages), "warpscope-"));
}
END_TEST

START_TEST(an_object_is_written_under_any_name)
{
    CompileRequest request = {.path = "k.cu", .compiler = compilers[_i], .include_dir = headers};
    if (!installed(compilers[_i])) return;
    write_text("begun", "");
    write_text("k.cu", KERNEL);
    for (size_t i = 0; i < FEW; i++) {
        char object[200];
        snprintf(object, sizeof object, "%s/%s.o", scratch, hostile[i]);
        compile_result_free(&result);
        diag = (Diag){0};
        ck_assert_msg(compile_object(&request, object, &result, &diag), "%s: %s", object, diag.message);
        ck_assert_msg(access(object, R_OK) == 0, "%s", object);
        unlink(object);
        is_unharmed(object);
    }
}
END_TEST

SUITE_WITH("door", open_scratch, close_scratch, REPEATED(sizeof words / sizeof *words, plain_is_what_no_shell_changes),
           nvcc_is_given_no_word_folder_or_path_that_its_shell_could_run, no_compiler_is_given_a_file_of_further_words,
           a_compiler_has_the_environment_that_it_needs_and_no_more, REPEATED(2, a_file_may_have_any_name_and_none_is_run),
           REPEATED(2, a_folder_may_have_any_name_and_none_is_run), REPEATED(2, a_macro_may_have_any_value_and_none_is_run),
           a_string_is_defined_as_nvcc_takes_it, nvcc_itself_may_lie_anywhere, other_options_are_not_run,
           REPEATED(2, messages_and_ptx_have_the_true_names_and_lines), REPEATED(2, an_object_is_written_under_any_name))
