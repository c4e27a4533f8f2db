/* What is kept of compilations, without compiling: results are made up, and the compiler is a file that never runs. tests/grade and tests/labs hold
 * that a grade from the cache is the compiler's own. */
#define _GNU_SOURCE /* setenv */
#include <dirent.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "cuda/ptxcache.h"
#include "cuda/standalone.h"
#include "suite.h"

enum { NOBODY = 65534 };

static char folder[SUITE_FOLDER], source[96], other_source[96], compiler[96], headers[96];

static void write_file(const char *path, const char *text) {
    FILE *file = fopen(path, "w");
    ck_assert_ptr_nonnull(file);
    fputs(text, file);
    ck_assert_int_eq(fclose(file), 0);
}

static void begin(void) {
    suite_folder(folder);
    snprintf(source, sizeof source, "%s/kernel.cu", folder);
    snprintf(other_source, sizeof other_source, "%s/other.cu", folder);
    snprintf(compiler, sizeof compiler, "%s/clang", folder);
    snprintf(headers, sizeof headers, "%s/include", folder);
    mkdir(headers, 0700);
    write_file(source, "__global__ void k(int *p) { *p = 1; }\n");
    write_file(other_source, "__global__ void k(int *p) { *p = 1; }\n");
    write_file(compiler, "a compiler");
    char header[128];
    snprintf(header, sizeof header, "%s/warpscope_cuda.h", headers);
    write_file(header, "#define one 1\n");
    setenv("XDG_CACHE_HOME", folder, 1);
    unsetenv("WARPSCOPE_CACHE");
}

/* --- one compilation --- */

static CompileRequest compile;
static PtxcacheRequest request;

static void ask(const char *path) {
    compile = (CompileRequest){.path = path, .include_dir = headers};
    request = (PtxcacheRequest){.compile = &compile, .used = COMPILER_CLANG, .compiler = compiler, .arch = 75};
}

static void add_ptx(CompileResult *result, const char *path, const char *note) {
    snprintf(result->compiler, sizeof result->compiler, "clang 1.2.3");
    text_add(&result->ptx, ".version 7.0\n// %s\n\t.file\t1 \"%s\"\n\t.file\t2 \"%s/warpscope_cuda.h\"\n\t.loc 1 1\n", note,
             path, headers);
}

/* Keeps PTX that says the note. */
static void keep(const char *note, const char *messages) {
    PtxcacheEntry entry;
    CompileResult result = {0};
    if (ptxcache_begin(&entry, &request)) {
        add_ptx(&result, request.name ? request.name : compile.path, note);
        text_add(&result.messages, "%s", messages);
        ptxcache_keep(&entry, &result);
    }
    ptxcache_end(&entry);
    compile_result_free(&result);
}

/* What is found must be exactly what compiling this file would give. */
static bool finds(const char *note, const char *messages) {
    PtxcacheEntry entry;
    CompileResult result = {0}, right = {0};
    bool found = ptxcache_begin(&entry, &request) && ptxcache_find(&entry, &result);
    if (found) {
        add_ptx(&right, request.name ? request.name : compile.path, note);
        ck_assert_str_eq(text_string(&result.ptx), text_string(&right.ptx));
        ck_assert_str_eq(text_string(&result.messages), messages);
        ck_assert_str_eq(result.compiler, "clang 1.2.3");
    } else {
        ck_assert_uint_eq(result.ptx.length, 0);
    }
    ptxcache_end(&entry);
    compile_result_free(&result);
    compile_result_free(&right);
    return found;
}

/* The entry's file, of which there is one. */
static const char *entry_path(void) {
    static char path[400];
    char command[200];
    snprintf(command, sizeof command, "find %s/warpscope/?? -type f", folder);
    FILE *pipe = popen(command, "r");
    ck_assert(pipe && fgets(path, sizeof path, pipe));
    path[strcspn(path, "\n")] = 0;
    pclose(pipe);
    return path;
}

static int files(void) {
    char command[200], number[32];
    snprintf(command, sizeof command, "find %s/warpscope/?? -type f 2>/dev/null | wc -l", folder);
    FILE *pipe = popen(command, "r");
    ck_assert(pipe && fgets(number, sizeof number, pipe));
    pclose(pipe);
    return atoi(number);
}

START_TEST(the_same_is_found_again)
{
    ask(source);
    ck_assert(!finds("a", ""));
    keep("a", "");
    ck_assert(finds("a", ""));
}
END_TEST

START_TEST(another_file_of_the_same_bytes_has_its_own_name_in_ptx)
{
    ask(source);
    keep("a", "");
    ask(other_source);
    ck_assert(finds("a", ""));
}
END_TEST

/* PTX has names as strings of C. */
START_TEST(a_name_with_a_quote_is_one_in_ptx)
{
    char quoted[96], escaped[100];
    snprintf(quoted, sizeof quoted, "%s/a\"\\.cu", folder);
    snprintf(escaped, sizeof escaped, "%s/a\\\"\\\\.cu", folder);
    write_file(quoted, "__global__ void k(int *p) { *p = 1; }\n");
    ask(source);
    keep("a", "");
    ask(quoted);
    PtxcacheEntry entry;
    CompileResult found = {0};
    ck_assert(ptxcache_begin(&entry, &request) && ptxcache_find(&entry, &found));
    ck_assert_msg(strstr(text_string(&found.ptx), escaped) != NULL, "%s", text_string(&found.ptx));
    ptxcache_end(&entry);
    compile_result_free(&found);
}
END_TEST

START_TEST(messages_are_those_of_one_name)
{
    ask(source);
    keep("a", "kernel.cu:1: warning: x\n");
    ck_assert(finds("a", "kernel.cu:1: warning: x\n"));
    ask(other_source);
    ck_assert(!finds("a", ""));
}
END_TEST

START_TEST(who_asks_for_its_name_has_ptx_of_one_name)
{
    write_file(source, "__device__ const char *name = __FILE__;\n");
    write_file(other_source, "__device__ const char *name = __FILE__;\n");
    ask(source);
    keep("a", "");
    ck_assert(finds("a", ""));
    ask(other_source);
    ck_assert(!finds("a", ""));
}
END_TEST

/* Each changes one thing that PTX depends on. */
static void other_bytes(void) { write_file(source, "__global__ void k(int *p) { *p = 2; }\n"); }
static void other_arch(void) { request.arch = 80; }
static void other_compiler(void) { write_file(compiler, "a newer compiler"); }
static void other_header(void) {
    char path[128];
    snprintf(path, sizeof path, "%s/warpscope_cuda.h", headers);
    write_file(path, "#define one 2\n");
}
static void further_header(void) {
    char path[128];
    snprintf(path, sizeof path, "%s/further.h", headers);
    write_file(path, "");
}
static void with_option(void) {
    static const char *const words[] = {"-DN=1"};
    compile.options = words;
    compile.option_count = 1;
}
static void with_two_options(void) {
    static const char *const words[] = {"-DN=1", "-DM"};
    compile.options = words;
    compile.option_count = 2;
}
static void with_warnings(void) { compile.warns = true; }
static void in_sandbox(void) { request.name = "/submission/kernel.cu"; }
static void (*const changes[])(void) = {other_bytes, other_arch,       other_compiler, other_header, further_header,
                                        with_option, with_two_options, with_warnings,  in_sandbox};

START_TEST(what_ptx_depends_on_is_looked_at)
{
    ask(source);
    keep("a", "");
    changes[_i]();
    ck_assert(!finds("a", ""));
    keep("b", "");
    ck_assert(finds("b", ""));
}
END_TEST

START_TEST(words_of_options_do_not_run_together)
{
    static const char *const one[] = {"-DA", "-DB"}, *const other[] = {"-DA-DB"};
    ask(source);
    compile.options = one;
    compile.option_count = 2;
    keep("a", "");
    compile.options = other;
    compile.option_count = 1;
    ck_assert(!finds("a", ""));
}
END_TEST

START_TEST(off_is_off)
{
    ask(source);
    keep("a", "");
    setenv("WARPSCOPE_CACHE", _i ? "headers" : "off", 1);
    ck_assert(!finds("a", ""));
    write_file(source, "// another\n");
    keep("b", "");
    ck_assert_int_eq(files(), 1);
}
END_TEST

START_TEST(a_file_saved_meanwhile_is_not_kept)
{
    PtxcacheEntry entry;
    CompileResult result = {0};
    ask(source);
    ck_assert(ptxcache_begin(&entry, &request));
    other_bytes(); /* the compiler reads these */
    add_ptx(&result, source, "of the later bytes");
    ptxcache_keep(&entry, &result);
    ptxcache_end(&entry);
    compile_result_free(&result);
    ck_assert_int_eq(files(), 0);
}
END_TEST

/* --- damage --- */

START_TEST(an_entry_cut_off_anywhere_is_none)
{
    ask(source);
    keep("a", "");
    struct stat status;
    const char *path = entry_path();
    ck_assert_int_eq(stat(path, &status), 0);
    for (off_t length = status.st_size - 1; length >= 0; length -= 1 + length / 40) {
        ck_assert_int_eq(truncate(path, length), 0);
        ck_assert(!finds("a", ""));
    }
    keep("a", "");
    ck_assert(finds("a", ""));
}
END_TEST

START_TEST(an_entry_with_a_changed_byte_is_none)
{
    ask(source);
    keep("a", "");
    int fd = open(entry_path(), O_RDWR);
    struct stat status;
    ck_assert(fd >= 0 && fstat(fd, &status) == 0);
    for (off_t at = 0; at < status.st_size; at += 3) {
        char byte, changed;
        ck_assert_int_eq(pread(fd, &byte, 1, at), 1);
        changed = (char)(byte ^ 4);
        ck_assert_int_eq(pwrite(fd, &changed, 1, at), 1);
        finds("a", ""); /* which compares what it finds */
        ck_assert_int_eq(pwrite(fd, &byte, 1, at), 1);
    }
    close(fd);
    ck_assert(finds("a", ""));
}
END_TEST

START_TEST(an_entry_of_another_key_is_none)
{ /* the right checksum, under the wrong name */
    char command[1000], first[400];
    ask(source);
    keep("a", "");
    strcpy(first, entry_path());
    ask(other_source);
    write_file(other_source, "// another\n");
    PtxcacheEntry entry;
    ck_assert(ptxcache_begin(&entry, &request));
    snprintf(command, sizeof command, "cp %s %s", first, text_string(&entry.path));
    ptxcache_end(&entry);
    ck_assert_int_eq(system(command), 0);
    ck_assert(!finds("b", ""));
}
END_TEST

/* --- others --- */

START_TEST(what_others_may_write_is_not_used)
{
    ask(source);
    keep("a", "");
    const char *path = entry_path();
    ck_assert_int_eq(chmod(path, 0666), 0);
    ck_assert(!finds("a", ""));
    chmod(path, 0600);
    char inner[400], whole[100];
    snprintf(whole, sizeof whole, "%s/warpscope", folder);
    snprintf(inner, sizeof inner, "%s", path);
    *strrchr(inner, '/') = 0;
    ck_assert_int_eq(chmod(inner, 0770), 0);
    ck_assert(!finds("a", ""));
    chmod(inner, 0700);
    ck_assert_int_eq(chmod(whole, 0707), 0);
    ck_assert(!finds("a", ""));
    chmod(whole, 0700);
    ck_assert(finds("a", ""));
}
END_TEST

START_TEST(what_others_own_is_not_used)
{
    char inner[400];
    if (geteuid() != 0) return; /* who is not root gives nothing away */
    ask(source);
    keep("a", "");
    strcpy(inner, entry_path());
    ck_assert_int_eq(chown(inner, NOBODY, NOBODY), 0);
    ck_assert(!finds("a", ""));
    ck_assert_int_eq(chown(inner, 0, 0), 0);
    *strrchr(inner, '/') = 0;
    ck_assert_int_eq(chown(inner, NOBODY, NOBODY), 0);
    ck_assert(!finds("a", ""));
}
END_TEST

START_TEST(links_and_pipes_are_not_followed)
{
    char path[400], elsewhere[500];
    ask(source);
    keep("a", "");
    strcpy(path, entry_path());
    snprintf(elsewhere, sizeof elsewhere, "%s/elsewhere", folder);
    ck_assert_int_eq(rename(path, elsewhere), 0);
    ck_assert_int_eq(symlink(elsewhere, path), 0);
    ck_assert(!finds("a", ""));
    unlink(path);
    ck_assert_int_eq(mkfifo(path, 0600), 0);
    ck_assert(!finds("a", ""));
    keep("a", ""); /* in its place */
    ck_assert(finds("a", ""));
}
END_TEST

/* --- room --- */

START_TEST(without_room_nothing_is_left)
{
    ask(source);
    PtxcacheEntry entry; /* the folders first */
    ck_assert(ptxcache_begin(&entry, &request));
    ptxcache_end(&entry);
    signal(SIGXFSZ, SIG_IGN);
    ck_assert_int_eq(setrlimit(RLIMIT_FSIZE, &(struct rlimit){100, RLIM_INFINITY}), 0);
    keep("a", "");
    ck_assert(!finds("a", ""));
    ck_assert_int_eq(setrlimit(RLIMIT_FSIZE, &(struct rlimit){RLIM_INFINITY, RLIM_INFINITY}), 0);
    ck_assert_int_eq(files(), 0);
}
END_TEST

START_TEST(without_a_folder_nothing_is_kept)
{
    ask(source);
    setenv("XDG_CACHE_HOME", source, 1); /* a file */
    keep("a", "");
    ck_assert(!finds("a", ""));
    setenv("XDG_CACHE_HOME", "relative", 1); /* the specification: is to be ignored */
    setenv("HOME", "/proc", 1);
    keep("a", "");
    ck_assert(!finds("a", ""));
    ck_assert_int_ne(access("relative", F_OK), 0);
}
END_TEST

START_TEST(the_oldest_go_first)
{ /* a folder's share is a 256th of what is not for headers, 768 KiB */
    enum { DUMMIES = 4, DUMMY_BYTES = 230 << 10 };
    char path[400], dummy[DUMMIES][500], left[500];
    ask(source);
    keep("a", "");
    strcpy(path, entry_path());
    *strrchr(path, '/') = 0;
    snprintf(left, sizeof left, "%s/new-abcdef", path);
    write_file(left, "of a process that was killed");
    const struct timespec two_hours[2] = {{.tv_sec = time(NULL) - 7200}, {.tv_sec = time(NULL) - 7200}};
    ck_assert_int_eq(utimensat(AT_FDCWD, left, two_hours, 0), 0);
    for (int i = 0; i < DUMMIES; i++) { /* 0 is the oldest */
        snprintf(dummy[i], sizeof dummy[i], "%s/dummy%d", path, i);
        write_file(dummy[i], "");
        ck_assert_int_eq(truncate(dummy[i], DUMMY_BYTES), 0);
        const struct timespec used[2] = {{.tv_sec = 1000 + i}, {.tv_sec = 1000 + i}};
        ck_assert_int_eq(utimensat(AT_FDCWD, dummy[i], used, 0), 0);
    }
    keep("a", ""); /* 4 x 230 KiB and this one: one too many */
    ck_assert_int_ne(access(dummy[0], F_OK), 0);
    for (int i = 1; i < DUMMIES; i++) ck_assert_int_eq(access(dummy[i], F_OK), 0);
    ck_assert_int_ne(access(left, F_OK), 0);
    ck_assert(finds("a", ""));
}
END_TEST

START_TEST(two_hundred_writers_at_once)
{
    enum { WRITERS = 200, KINDS = 10 };
    for (int i = 0; i < WRITERS; i++) {
        pid_t pid = fork();
        ck_assert_int_ge(pid, 0);
        if (pid) continue;
        ask(source);
        request.arch = 75 + (unsigned)i % KINDS;
        char note[16];
        snprintf(note, sizeof note, "arch %u", request.arch);
        bool fine = true;
        for (int j = 0; j < 5; j++) {
            keep(note, "");
            fine = finds(note, "") && fine;
        }
        _exit(!fine);
    }
    for (int i = 0; i < WRITERS; i++) {
        int status;
        ck_assert_int_gt(wait(&status), 0);
        ck_assert_int_eq(status, 0);
    }
    ck_assert_int_eq(files(), KINDS);
    Text path = {0};
    Diag diag = {0};
    PtxcacheTotals totals;
    ck_assert(ptxcache_totals(&path, &totals, &diag));
    ck_assert_uint_eq(totals.hits, 5 * WRITERS);
    ck_assert_uint_eq(totals.misses, 0);
    text_free(&path);
}
END_TEST

START_TEST(totals_and_clearing)
{
    Text path = {0};
    Diag diag = {0};
    PtxcacheTotals totals;
    ask(source);
    finds("a", "");
    keep("a", "");
    finds("a", "");
    finds("a", "");
    write_file(other_source, "#include \"mine.h\"\n");
    ask(other_source);
    finds("a", "");
    ck_assert(ptxcache_totals(&path, &totals, &diag));
    ck_assert_uint_eq(totals.entries, 1);
    ck_assert_uint_gt(totals.bytes, 100);
    ck_assert_uint_eq(totals.misses, 1);
    ck_assert_uint_eq(totals.hits, 2);
    ck_assert_uint_eq(totals.passed, 1);
    ck_assert(ptxcache_clear(&diag));
    text_free(&path);
    ck_assert(ptxcache_totals(&path, &totals, &diag));
    ck_assert_uint_eq(totals.entries + totals.bytes + totals.misses + totals.hits + totals.passed, 0);
    text_free(&path);
}
END_TEST

/* A folder that happens to be called so may be a clone of this project. */
START_TEST(what_is_not_the_caches_is_not_cleared)
{
    char command[200];
    Diag diag = {0};
    snprintf(command, sizeof command,
             "cd %s && mkdir -p -m 700 warpscope/src warpscope/00 && touch warpscope/a warpscope/src/b warpscope/00/c", folder);
    ck_assert_int_eq(system(command), 0);
    ck_assert(ptxcache_clear(&diag));
    snprintf(command, sizeof command, "cd %s/warpscope && test -e a -a -e src/b -a -e 00/c", folder);
    ck_assert_int_eq(system(command), 0);
}
END_TEST

/* --- which files have it all in themselves --- */

static const struct {
    Standalone alone;
    const char *text;
} texts[] = {
    {ALONE, "__global__ void k() {}"},
    {ALONE, "#include <cuda_fp16.h>\n# include <cooperative_groups.h>\n#pragma unroll 4\n#define A(x) x\n#undef A\n"},
    {ALONE, "#if 1\n#elif 2\n#else\n#endif\n#ifdef X\n#endif\n#ifndef X\n#error no\n#endif\n"},
    {ALONE, "// #include \"x.h\" __FILE__ it's\n/* #embed \"x\" __TIME__ */ int x;"},
    {ALONE, "const char *text = \"// no comment\"; char c = '\"'; char d = '\\''; "},
    {ALONE, "static_assert(sizeof(int) == 4, \"x\"); _Static_assert(1, \"\");"},
    {ALONE, "#define P(k, a) int predicted_##k = a;\n"},
    {ALONE, "#define P(k, a)       \\\n  int one_##k##_x = a; \\\n  int one_ ## k = a;\n"},
    {ALONE, "#define S(x) #x\n"},
    {ALONE_BY_NAME, "const char *f = __FILE__;"},
    {ALONE_BY_NAME, "const char *f = __FI\\\nLE__;"},
    {ALONE_BY_NAME, "const char *f = __FI\\ \t\nLE__;"},
    {ALONE_BY_NAME, "__device__ void f(int x) { assert(x); }"},
    {ALONE_BY_NAME, "int x = __builtin_FILE()[0];"},
    {ALONE_BY_NAME, "auto x = std::source_location::current();"},
    {ALONE_BY_NAME, "const char *f = /* \" */ __FILE__; /* \" */"},
    {ALONE_BY_NAME, "char c = '\"'; const char *f = __FILE__; char d = '\"';"},
    {ALONE_NOT, "#include \"mine.h\"\n"},
    {ALONE_NOT, "/**/#/**/include/**/\"mine.h\"\n"},
    {ALONE_NOT, "#inc\\\nlude \"mine.h\"\n"},
    {ALONE_NOT, "#include </etc/passwd>\n"},
    {ALONE_NOT, "#include <../../home/me/mine.h>\n"},
    {ALONE_NOT, "#define H <mine.h>\n#include H\n"},
    {ALONE_NOT, "#include_next <stdio.h>\n"},
    {ALONE_NOT, "#import <stdio.h>\n"},
    {ALONE_NOT, "#embed \"x\"\n"},
    {ALONE_NOT, "#line 7 \"x.cu\"\n"},
    {ALONE_NOT, "# 7 \"x.cu\"\n"},
    {ALONE_NOT, "%:include \"mine.h\"\n"},
    {ALONE_NOT, "?\?=include \"mine.h\"\n"},
    {ALONE_NOT, "const char *t = __TI?\?/\nME__;"},
    {ALONE_NOT, "#pragma GCC dependency \"mine.h\"\n"},
    {ALONE_NOT, "_Pragma(\"GCC dependency \\\"mine.h\\\"\")\n"},
    {ALONE_NOT, "#if __has_include(\"mine.h\")\n#endif\n"},
    {ALONE_NOT, "const char *t = __TIME__;"},
    {ALONE_NOT, "const char *t = __DATE__;"},
    {ALONE_NOT, "const char *t = __TIMESTAMP__;"},
    {ALONE_NOT, "asm(\".incbin \\\"mine\\\"\");"},
    {ALONE_NOT, "#define J(a, b) a##b\nconst char *t = J(__TI, ME__);"},
    {ALONE_NOT, "#define J(a, b) x a ## b\nconst char *t = J(__TI, ME__);"},
    {ALONE_NOT, "#define J(b) __TI##b\nconst char *t = J(ME__);"},
    {ALONE_NOT, "#define J(b) _ ## b\nconst char *t = J(_TIME__);"},
    {ALONE_NOT, "const char *raw = R\"(// )\"; const char *t = \"(\" __FILE__;"},
    {ALONE_NOT, "int n = 1'000; // '\n#include \"mine.h\" // '"},
    {ALONE_NOT, "char *open = \"no end\n\";"},
};

START_TEST(a_text_is_alone_or_not)
{
    ck_assert_msg(standalone_text(texts[_i].text, strlen(texts[_i].text)) == texts[_i].alone, "%s", texts[_i].text);
    ck_assert_int_eq(standalone_text("int x;\0", 7), ALONE_NOT);
}
END_TEST

static const struct {
    Standalone alone;
    const char *word;
} words[] = {{ALONE, "-DN=4"},
             {ALONE, "-use_fast_math"},
             {ALONE, "-arch=sm_80"},
             {ALONE, "-std=c++14"},
             {ALONE_BY_NAME, "-DF=__FILE__"},
             {ALONE_NOT, "-I."},
             {ALONE_NOT, "-Iinclude"},
             {ALONE_NOT, "-include=x"},
             {ALONE_NOT, "-DT=__TIME__"},
             {ALONE_NOT, "-Xcompiler=-I."},
             {ALONE_NOT, "-ccbin=x"},
             {ALONE_NOT, "-G"},
             {ALONE_NOT, "other.cu"},
             {ALONE_NOT, "--unknown"},
             {ALONE_NOT, "-isystem=x"}};

START_TEST(an_option_is_alone_or_not)
{ ck_assert_msg(standalone_options(&words[_i].word, 1) == words[_i].alone, "%s", words[_i].word); }
END_TEST
#define COUNT(list) (sizeof list / sizeof *list)

SUITE_WITH("ptxcache", begin, NULL, the_same_is_found_again, another_file_of_the_same_bytes_has_its_own_name_in_ptx,
           a_name_with_a_quote_is_one_in_ptx, messages_are_those_of_one_name, who_asks_for_its_name_has_ptx_of_one_name,
           REPEATED(COUNT(changes), what_ptx_depends_on_is_looked_at), words_of_options_do_not_run_together,
           REPEATED(2, off_is_off), a_file_saved_meanwhile_is_not_kept, an_entry_cut_off_anywhere_is_none,
           an_entry_with_a_changed_byte_is_none, an_entry_of_another_key_is_none, what_others_may_write_is_not_used,
           what_others_own_is_not_used, links_and_pipes_are_not_followed, without_room_nothing_is_left,
           without_a_folder_nothing_is_kept, the_oldest_go_first, two_hundred_writers_at_once, totals_and_clearing,
           what_is_not_the_caches_is_not_cleared, REPEATED(COUNT(texts), a_text_is_alone_or_not),
           REPEATED(COUNT(words), an_option_is_alone_or_not))
