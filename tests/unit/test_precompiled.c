/* When our headers are kept precompiled, and when they are found again: the compiler is a script that writes what clang's files begin with and notes that it
 * ran. unit-test_compile holds that clang makes the same of them. */
#define _GNU_SOURCE /* setenv */
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "cuda/precompiled.h"
#include "suite.h"

static char folder[SUITE_FOLDER], script[96], headers[96], source[96];
static Text found;

static void shell(const char *format, ...) {
    char command[600];
    va_list values;
    va_start(values, format);
    vsnprintf(command, sizeof command, format, values);
    va_end(values);
    ck_assert_msg(system(command) == 0, "%s", command);
}

/* The script: its last words are -o FILE -. */
static void clang_writes(const char *text) {
    shell("printf '#!/bin/sh\\necho $* >>%s/ran\\nfor word; do before=$last last=$word; [ \"$before\" != -o ] || to=$word; "
          "done\\n%s\\n' >%s && chmod 755 %s",
          folder, text, script, script);
}

static void begin(void) {
    suite_folder(folder);
    snprintf(script, sizeof script, "%s/clang", folder);
    snprintf(headers, sizeof headers, "%s/include", folder);
    snprintf(source, sizeof source, "%s/kernel.cu", folder);
    shell("mkdir %s && echo '#define one 1' >%s/warpscope_cuda.h && : >%s", headers, headers, source);
    clang_writes("printf CPCH12345678 >$to");
    char path[200];
    snprintf(path, sizeof path, "%s:/usr/bin:/bin", folder);
    setenv("PATH", path, 1);
    setenv("XDG_CACHE_HOME", folder, 1);
    unsetenv("WARPSCOPE_CACHE");
}

static void end(void) { text_free(&found); }

/* Whether they are kept, now if not before: the first time it is noted alone. */
static bool asks(const char *const *options, size_t count, const char *word) {
    CompileRequest request = {
        .path = source, .compiler = COMPILER_CLANG, .include_dir = headers, .options = options, .option_count = count};
    CompileResult result = {0};
    Compilation compilation;
    Diag diag = {0};
    Argv command = {0};
    Text again = {0};
    text_free(&found);
    ck_assert_msg(compilation_begin(&compilation, &request, &result, &diag), "%s", diag.message);
    argv_add(&command, script);
    argv_add(&command, word);
    bool is_kept = precompiled_find(&compilation, SIDE_DEVICE, &command, &found);
    if (!is_kept && found.length) {
        if (access(text_string(&found), F_OK) != 0) precompiled_make(&compilation, &command, text_string(&found));
        ck_assert(!precompiled_find(&compilation, SIDE_DEVICE, &command, &again));
        precompiled_make(&compilation, &command, text_string(&found));
        text_free(&again);
        is_kept = precompiled_find(&compilation, SIDE_DEVICE, &command, &again);
    }
    ck_assert(!diag.set && result.messages.length == 0); /* none of what is said then is about the user's file */
    text_free(&again);
    compilation_end(&compilation);
    compile_result_free(&result);
    argv_free(&command);
    return is_kept;
}

static bool gives(const char *word) { return asks(NULL, 0, word); }

static size_t lines(const char *format, ...) {
    char command[300], number[32];
    va_list values;
    va_start(values, format);
    vsnprintf(command, sizeof command, format, values);
    va_end(values);
    FILE *pipe = popen(command, "r");
    ck_assert(pipe && fgets(number, sizeof number, pipe));
    pclose(pipe);
    return (size_t)atoi(number);
}
static size_t runs(void) { return lines("cat %s/ran 2>/dev/null | wc -l", folder); }
static size_t files(void) { return lines("find %s/warpscope/headers -type f -size +0 2>/dev/null | wc -l", folder); }

START_TEST(the_same_is_read_once)
{
    ck_assert(gives("-O3"));
    char *first = strdup(text_string(&found));
    ck_assert_int_eq(access(first, R_OK), 0);
    ck_assert(gives("-O3"));
    ck_assert_str_eq(text_string(&found), first);
    ck_assert_uint_eq(runs(), 1);
    free(first);
}
END_TEST

START_TEST(other_words_headers_and_compilers_are_others)
{
    ck_assert(gives("-O3") && gives("-O2"));
    ck_assert_uint_eq(files(), 2);
    shell("echo '#define one 2' >%s/warpscope_cuda.h", headers);
    ck_assert(gives("-O3"));
    ck_assert_uint_eq(files(), 3);
    clang_writes("printf CPCH1234567890 >$to");
    ck_assert(gives("-O3"));
    ck_assert_uint_eq(files(), 4);
    shell("touch -d @1 %s/warpscope_cuda.h", headers); /* clang would read it once more, in spite of #pragma once */
    ck_assert(gives("-O3"));
    ck_assert_uint_eq(files(), 5);
}
END_TEST

/* nvcc's options, which clang's words are made of. */
static const struct {
    const char *option;
    bool kept;
} options[] = {{"-std=c++20", true},
               {"-use_fast_math", true},
               {"-arch=sm_90", true},
               {"-lineinfo", true},
               {"-G", true},
               {"-O2", true},
               {"-DN=1", false},
               {"-Dasm=", false},
               {"-I/tmp", false},
               {"-include", false},
               {"-UN", false},
               {"-isystem=/tmp", false},
               {"-std=x", false},
               {"-fplugin=x", false},
               {"-default-stream=per-thread", false}};

START_TEST(what_a_user_wrote_is_in_none)
{
    const char *const words[] = {options[_i].option, "x.h"};
    ck_assert_msg(asks(words, strcmp(words[0], "-include") == 0 ? 2 : 1, "-O3") == options[_i].kept, "%s", words[0]);
    ck_assert_uint_eq(runs(), options[_i].kept);
}
END_TEST

START_TEST(functions_of_another_order_are_in_none)
{
    ck_assert(!gives(PRECOMPILED_NOT));
    ck_assert_uint_eq(runs(), 0);
}
END_TEST

/* A compilation is three runs, one of which asks for the version; the second one makes them. */
START_TEST(clang_is_given_them_in_the_place_of_our_header)
{
    const size_t wanted[] = {3, 7, 10};
    for (size_t i = 0; i < sizeof wanted / sizeof *wanted; i++) {
        CompileRequest request = {.path = source, .compiler = COMPILER_CLANG, .include_dir = headers};
        CompileResult result;
        Diag diag = {0};
        shell("echo '// %zu' >%s", i, source); /* another file, of which no PTX is kept */
        ck_assert_msg(compile_cu(&request, &result, &diag), "%s", diag.message);
        compile_result_free(&result);
        ck_assert_uint_eq(runs(), wanted[i]);
    }
    ck_assert_uint_eq(lines("grep -c -e '-Xclang -include-pch -Xclang %s/warpscope/headers/' %s/ran", folder, folder), 1);
    ck_assert_uint_eq(lines("grep -c -e '-include warpscope_cuda.h' %s/ran", folder), 3);
}
END_TEST

START_TEST(without_a_cache_there_is_none)
{
    setenv("WARPSCOPE_CACHE", "off", 1);
    ck_assert(!gives("-O3"));
    ck_assert_uint_eq(runs(), 0);
    setenv("WARPSCOPE_CACHE", "headers", 1);
    ck_assert(gives("-O3"));
    ck_assert_uint_eq(runs(), 1);
}
END_TEST

/* A folder or a file where others may write, or that is a link, is not read; nor is a name that depends on where we are. */
START_TEST(nobody_elses_is_read)
{
    ck_assert(gives("-O3"));
    shell("chmod 666 %s", text_string(&found));
    ck_assert(gives("-O3"));
    ck_assert_uint_eq(runs(), 2);
    shell("mv %s %s/other && ln -s %s/other %s", text_string(&found), folder, folder, text_string(&found));
    ck_assert(gives("-O3"));
    ck_assert_uint_eq(runs(), 3);
    shell("chmod 777 %s/warpscope/headers", folder);
    ck_assert(!gives("-O3"));
    shell("chmod 700 %s/warpscope/headers && chmod 777 %s/warpscope", folder, folder);
    ck_assert(!gives("-O3"));
    shell("chmod 700 %s/warpscope", folder);
    ck_assert(gives("-O3"));
    ck_assert_uint_eq(runs(), 3);
    strcpy(headers, "include");
    ck_assert_int_eq(chdir(folder), 0);
    ck_assert(!gives("-O3"));
    ck_assert_int_eq(chdir("/"), 0);
}
END_TEST

/* Whatever others may read or write of new files elsewhere. */
START_TEST(it_is_ours_under_any_umask)
{
    mode_t before = umask(0);
    clang_writes("rm $to && printf CPCH12345678 >$to");
    ck_assert(gives("-O3") && gives("-O3"));
    umask(before);
    ck_assert_uint_eq(runs(), 1);
}
END_TEST

START_TEST(what_clang_did_not_make_whole_is_not_kept)
{
    static const char *const wrong[] = {"exit 1", "printf CPCH1234 >$to; exit 1", "printf CPC >$to", ":",
                                        "echo a warning; printf CPCH1234 >$to"};
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        clang_writes(wrong[i]);
        ck_assert_msg(!gives("-O3"), "%s", wrong[i]);
        ck_assert_uint_eq(files(), 0);
    }
}
END_TEST

/* Files of 30 MiB: of 64 MiB two have room, and the one that was read least lately goes. */
START_TEST(the_oldest_make_room)
{
    clang_writes("printf CPCH >$to; truncate -s 30M $to");
    ck_assert(gives("-O1"));
    shell("touch -d '2 days ago' %s", text_string(&found));
    ck_assert(gives("-O2"));
    shell("touch -d '1 day ago' %s", text_string(&found));
    ck_assert(gives("-O1") && gives("-O3"));
    ck_assert_uint_eq(files(), 2);
    ck_assert_uint_eq(runs(), 3);
    ck_assert(gives("-O1"));
    ck_assert_uint_eq(runs(), 3);
}
END_TEST

SUITE_WITH("precompiled", begin, end, the_same_is_read_once, other_words_headers_and_compilers_are_others,
           REPEATED(sizeof options / sizeof *options, what_a_user_wrote_is_in_none), functions_of_another_order_are_in_none,
           clang_is_given_them_in_the_place_of_our_header, without_a_cache_there_is_none, nobody_elses_is_read,
           it_is_ours_under_any_umask, what_clang_did_not_make_whole_is_not_kept, the_oldest_make_room)
