/* Any bytes at all are what decides how a file is compiled, on every way that SECURITY.md's table has: options in the file's comments, its name and its
 * folder's, the current folder's, the values of variables, and options that a person gave. No compiler runs: posix_spawnp is this file's, and looks at what
 * would have been started. What may be there is written here once more, from that table, and asks no function that decides it.
 *
 * The bytes are texts with NULs between: the comments, the file's path, the current folder, the variables' value, then the person's options. */
#define _GNU_SOURCE /* posix_spawn_file_actions_addchdir_np */
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <spawn.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "cuda/compile.h"
#include "cuda/folder.h"
#include "input/launch_options.h"
#include "lsp/launches.h"
#include "lsp/worker.h"

enum { COMMENTS, PATH_OF_FILE, CURRENT_FOLDER, VARIABLES, OPTIONS, TEXTS_MOST = 16, NAME_MOST = 200 };

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void promise_broken(const char *what, const char *of, int line) {
    fprintf(stderr, "fuzz_options.c:%d: broken promise: %s: '%s'\n", line, what, of);
    abort();
}

#define PROMISE(condition, of) ((condition) ? (void)0 : promise_broken(#condition, of, __LINE__))

/* What is being tried. */
static struct {
    char tree[PATH_MAX];      /* ours */
    char temporary[PATH_MAX]; /* where a trial's own files are */
    const char *file;         /* the path that is compiled */
    const char *folder;       /* that a program is to run in; NULL: the current one */
    CompilerChoice compiler;  /* COMPILER_AUTO: none */
    bool by_comment;          /* all that is given comes from a comment */
    size_t started;           /* programs that would have run */
} trial;

/* --- the table ---------------------------------------------------------------------------------------------------------------- */

#define LETTERS "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ_"
#define DIGITS "0123456789"

static bool consists_of(const char *text, const char *characters) { return *text && !text[strspn(text, characters)]; }

/* What a shell takes as it is. */
static bool is_plain(const char *text) {
    for (const char *at = text; *at; at++)
        if ((unsigned char)*at < 0x80 && !strchr(LETTERS DIGITS "./+-:,=", *at)) return false;
    return *text;
}

static bool is_anything(const char *value) { return value; }
static bool is_word(const char *value) { return consists_of(value, LETTERS DIGITS); }
static bool is_no_file(const char *value) { return !strchr(value, '@'); }

static bool is_macro(const char *value) {
    const char *behind = value + strspn(value, LETTERS DIGITS);
    if (behind == value || strchr(DIGITS, *value)) return false;
    return !*behind || (*behind == '=' && consists_of(behind + 1, LETTERS DIGITS ".+-"));
}

typedef struct Row {
    const char *option;
    bool (*admits)(const char *value); /* NULL: it has none */
    bool compiles;
    const char *known_as; /* of those that compile: to input/launch_options.h */
} Row;

static const Row rows[] = {
    {"--kernel", is_anything, false, NULL},    {"--grid", is_anything, false, NULL},
    {"--block", is_anything, false, NULL},     {"--arg", is_no_file, false, NULL},
    {"--shared", is_anything, false, NULL},    {"--cooperative", NULL, false, NULL},
    {"--device", is_anything, false, NULL},    {"--l1", is_anything, false, NULL},
    {"--joins", is_anything, false, NULL},     {"--check", is_anything, false, NULL},
    {"--max-steps", is_anything, false, NULL}, {"--cc", is_word, true, "cc"},
    {"--arch", is_word, true, "arch"},         {"-D", is_macro, true, "D"},
};

/* The row of the first word, and *taken words with its value, which it admits; NULL: none of the table. */
static const Row *row_of(const char *const *words, size_t *taken, const char **value) {
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        const Row *row = &rows[i];
        size_t length = strlen(row->option);
        if (strncmp(words[0], row->option, length) != 0) continue;
        const char *behind = words[0] + length;
        *taken = *behind || !row->admits ? 1 : 2;
        if (!row->admits && !*behind) return row;
        if (!row->admits || (*behind && row->option[1] == '-' && *behind != '=')) continue;
        *value = !*behind ? words[1] : behind + (row->option[1] == '-');
        if (*value && row->admits(*value)) return row;
    }
    return NULL;
}

static void check_table(const char *const *words, size_t count, bool compiles) {
    const char *value;
    for (size_t i = 0, taken; i < count; i += taken) {
        const Row *row = row_of(words + i, &taken, &value);
        PROMISE(row && row->compiles == compiles && i + taken <= count, words[i]);
    }
}

/* --- what would be started ------------------------------------------------------------------------------------------------------ */

static const char *variable_in(char *const *environment, const char *name) {
    size_t length = strlen(name);
    for (; *environment; environment++)
        if (strncmp(*environment, name, length) == 0 && (*environment)[length] == '=') return *environment + length + 1;
    return NULL;
}

static void check_environment(char *const *environment, bool has_shell) {
    static const char *const names[] = {"HOME",    "USER",          "LOGNAME", "LD_LIBRARY_PATH", "DYLD_LIBRARY_PATH", "PWD",
                                        "SDKROOT", "DEVELOPER_DIR", "PATH",    "TMPDIR"};
    for (char *const *one = environment; *one; one++) {
        bool found = false;
        for (size_t i = 0; i < sizeof names / sizeof *names && !found; i++)
            found = strncmp(*one, names[i], strlen(names[i])) == 0 && (*one)[strlen(names[i])] == '=';
        PROMISE(found, *one);
        const char *value = strchr(*one, '=') + 1;
        PROMISE(!has_shell || is_plain(value) || (value == variable_in(environment, "PATH") && !*value), *one);
    }
    for (const char *path = variable_in(environment, "PATH"); has_shell && path && *path;
         path += path[strcspn(path, ":")] == ':') {
        PROMISE(*path == '/', path);
        path += strcspn(path, ":");
    }
}

/* A name in the private folder that is as plain as the folder's. */
static bool is_made(const char *word, const char *folder) {
    size_t length = strlen(folder);
    return strncmp(word, folder, length) == 0 && word[length] == '/' && is_plain(word) && !strpbrk(word, ",:") &&
           !strstr(word, "/../");
}

static bool is_ours(const char *word, const char *folder) {
    static const char *const fixed[] = {"-ptx",
                                        "-Wno-deprecated-gpu-targets",
                                        "-Wno-register",
                                        "-lineinfo",
                                        "-D_GLIBCXX_BITS_SPECFUN_H",
                                        "-Xcompiler=-fmax-errors=20",
                                        "-std=c++17",
                                        "-o",
                                        "-x",
                                        "cuda",
                                        "--cuda-path=/nonexistent",
                                        "-nocudainc",
                                        "-nocudalib",
                                        "-Xclang",
                                        "-target-sdk-version=11.5",
                                        "-isystem",
                                        "-include",
                                        "warpscope_cuda.h",
                                        "-DWARPSCOPE_CPP",
                                        "--cuda-device-only",
                                        "-O3",
                                        "-S",
                                        "-emit-llvm",
                                        "-disable-llvm-passes",
                                        "-gline-tables-only",
                                        "-fno-finite-loops",
                                        "-ffp-contract=fast-honor-pragmas",
                                        "-target-feature"};
    static const char *const numbered[] = {"-arch=sm_", "--cuda-gpu-arch=sm_", "+ptx"};
    static const char *const named[] = {"", "-iquote", "-Xcompiler=-iquote,"};
    for (size_t i = 0; i < sizeof fixed / sizeof *fixed; i++)
        if (strcmp(word, fixed[i]) == 0) return true;
    for (size_t i = 0; i < sizeof numbered / sizeof *numbered; i++)
        if (strncmp(word, numbered[i], strlen(numbered[i])) == 0) return consists_of(word + strlen(numbered[i]), DIGITS);
    for (size_t i = 0; i < sizeof named / sizeof *named; i++)
        if (strncmp(word, named[i], strlen(named[i])) == 0 && is_made(word + strlen(named[i]), folder)) return true;
    return strcmp(word, trial.tree) == 0;
}

/* The copy's first line is the file's true name, as C writes it, and nothing else. */
static void check_copy(const char *path) {
    size_t length = 0, at = 5, named = 0;
    char name[2 * PATH_MAX];
    char *text = text_read_file(path, SIZE_MAX, &length);
    PROMISE(text && strncmp(text, "# 1 \"", at) == 0, path);
    for (; text[at] != '"'; at++) {
        PROMISE(at < length && (unsigned char)text[at] >= ' ' && text[at] != 127, text);
        PROMISE(named + 1 < sizeof name, text);
        unsigned char code = (unsigned char)text[at];
        if (code == '\\') {
            at++;
            bool is_number = strchr("0123", text[at]) && strspn(text + at, "01234567") >= 3;
            PROMISE(is_number || text[at] == '\\' || text[at] == '"', text);
            code = (unsigned char)text[at];
            if (is_number) code = (unsigned char)((text[at] - '0') * 64 + (text[at + 1] - '0') * 8 + text[at + 2] - '0');
            if (is_number) at += 2;
        }
        name[named++] = (char)code;
    }
    PROMISE(text[at + 1] == '\n', text);
    name[named] = 0;
    size_t given = strlen(trial.file);
    PROMISE(named >= given && strcmp(name + named - given, trial.file) == 0, name);
    PROMISE(named == given || (name[0] == '/' && name[named - given - 1] == '/'), name);
    free(text);
}

static void check_file(const char *word, const char *folder) {
    bool is_dotted = strncmp(word, "./", 2) == 0 && strcmp(word + 2, trial.file) == 0;
    PROMISE(is_dotted || strcmp(word, trial.file) == 0 || is_made(word, folder), word);
    PROMISE(*word != '-', word);
    if (is_made(word, folder)) check_copy(word);
}

/* Macros of a person whose values are not plain. */
static void check_macros(const char *path) {
    size_t length;
    char *text = text_read_file(path, SIZE_MAX, &length);
    bool is_continued = false;
    for (char *line = text; line && *line; line += strcspn(line, "\n") + 1) {
        size_t bytes = strcspn(line, "\n");
        PROMISE(is_continued ? !bytes : !bytes || strncmp(line, "#define ", 8) == 0 || strncmp(line, "#undef ", 7) == 0, line);
        is_continued = bytes && line[bytes - 1] == '\\';
    }
    free(text);
}

static void check_compiler(const char *const *argv, char *const *environment) {
    bool asks_version = argv[1] && strcmp(argv[1], "--version") == 0 && !argv[2];
    bool has_shell = trial.compiler == COMPILER_NVCC && !asks_version;
    const char *folder = variable_in(environment, "TMPDIR"), *value;
    char here[PATH_MAX];
    check_environment(environment, has_shell);
    if (asks_version) return;
    PROMISE(folder && *folder == '/' && is_plain(folder), folder ? folder : "");
    PROMISE(!has_shell || is_plain(trial.folder ? trial.folder : getcwd(here, sizeof here)), "the current folder");
    size_t taken, last = 1;
    while (argv[last + 1]) last++;
    for (size_t i = 0; i <= last; i++) {
        PROMISE(!has_shell || is_plain(argv[i]), argv[i]);
        const char *slash = strrchr(argv[i], '/'), *name = slash ? slash + 1 : argv[i];
        PROMISE(argv[i][0] == '-' || name[0] != '@', argv[i]);
    }
    for (size_t i = 1; i < last && trial.by_comment; i += taken) {
        taken = 1;
        if (is_ours(argv[i], folder)) continue;
        const Row *row = row_of(argv + i, &taken, &value);
        PROMISE(row && row->compiles && strcmp(row->known_as, "D") == 0 && i + taken <= last, argv[i]);
    }
    check_file(argv[last], folder);
    snprintf(here, sizeof here, "%s/macros.h", folder);
    PROMISE(!trial.by_comment || access(here, F_OK) != 0, here);
    check_macros(here);
}

/* The script makes one text of the options, and words of that. */
static void check_script(const char *const *argv) {
    if (strcmp(argv[1], "--check") == 0) return;
    size_t count = 0, behind = 0;
    while (argv[count]) count++;
    PROMISE(count > 5 && argv[1][0] == '/' && is_plain(argv[1]) && !strpbrk(argv[1], ",:"), argv[1]);
    PROMISE(strcmp(argv[2], "launch") == 0 && strcmp(argv[4], "any") == 0 && !strchr(argv[3], '/'), argv[3]);
    for (behind = 5; behind < count && strcmp(argv[behind], "--") != 0;) {
        PROMISE(argv[behind][0] && !strpbrk(argv[behind], " \t\n*?["), argv[behind]);
        behind++;
    }
    PROMISE(behind < count, argv[3]);
    check_table(argv + 5, behind - 5, true);
    check_table(argv + behind + 1, count - behind - 1, false);
}

/* In the place of the system's. */
int posix_spawn_file_actions_addchdir_np(posix_spawn_file_actions_t *actions, const char *path) {
    (void)actions;
    trial.folder = path;
    return 0;
}

int posix_spawnp(pid_t *pid, const char *program, const posix_spawn_file_actions_t *actions,
                 const posix_spawnattr_t *attributes, char *const argv[], char *const environment[]) {
    (void)pid, (void)program, (void)actions, (void)attributes;
    const char *const *words = (const char *const *)argv;
    trial.started++;
    if (trial.compiler != COMPILER_AUTO)
        check_compiler(words, environment);
    else
        check_script(words);
    trial.folder = NULL;
    return ENOENT;
}

/* --- one trial ---------------------------------------------------------------------------------------------------------------- */

static void compile(CompilerChoice compiler, const char *const *options, size_t count) {
    CompileResult result;
    const CompileRequest request = {
        .path = trial.file, .compiler = compiler, .include_dir = trial.tree, .options = options, .option_count = count};
    size_t before = trial.started;
    Diag diag = {0};
    trial.compiler = compiler;
    PROMISE(!compile_cu(&request, &result, &diag) && diag.set && diag.message[0], trial.file);
    /* libFuzzer's alarm, which asks whether a trial hangs, keeps a compiler from being started, as any alarm does. */
    bool alarmed = strstr(diag.message, strerror(EINTR)) != NULL;
    PROMISE(!trial.by_comment || alarmed || trial.started > before, diag.message);
    compile_result_free(&result);
    trial.compiler = COMPILER_AUTO;
}

/* As src/grade/sandbox and `warpscope compile` do. */
static void compile_by_comment(const CommentLaunch *launch) {
    LaunchOptions options = {.arena = arena_new()};
    Diag diag = {0};
    const char *value;
    for (size_t i = 0, taken; i < launch->n_words && !diag.set; i += taken) {
        const Row *row = row_of(launch->words + i, &taken, &value);
        PROMISE(row, launch->words[i]);
        const OptionRow *known = launch_rows;
        while (row->compiles && strcmp(known->name, row->known_as) != 0) known++;
        if (row->compiles) option_set(known, row->option, &options, value, &diag);
    }
    for (int i = 0; i < 2 && !diag.set; i++)
        compile(i ? COMPILER_CLANG : COMPILER_NVCC, options.compile_options, options.n_compile_options);
    arena_free(options.arena);
}

static void try_comments(const char *text) {
    Arena *arena = arena_new();
    size_t count;
    CommentLaunch *launches = launches_read(text, strlen(text), arena, &count);
    trial.by_comment = true;
    for (size_t i = 0; i < count; i++) {
        PROMISE(!launches[i].refused || launches[i].instead, "a word is refused without what may stand there");
        if (!launches[i].refused) compile_by_comment(&launches[i]);
    }
    trial.by_comment = false;
    arena_free(arena);
}

/* What an editor's file would have the sandbox do. */
static void try_editor(void) {
    Text remarks = {0};
    worker_run(&(Workplace){.program = "none", .folder = trial.temporary}, trial.file, &remarks);
    text_free(&remarks);
}

/* A name of one folder or file, which is no way to others; NULL: it is none. */
static const char *name_in(const char *text) {
    return *text && !strchr(text, '/') && strcmp(text, ".") != 0 && strcmp(text, "..") != 0 && strlen(text) < NAME_MOST ? text
                                                                                                                        : NULL;
}

/* FOLDER/NAME or NAME, which then exists in the current folder. */
static bool make_file(char *path, const char *text) {
    char *slash = strchr(path, '/');
    if (slash) *slash = 0;
    if (!name_in(path) || (slash && (!name_in(slash + 1) || mkdir(path, 0700) != 0))) return false;
    if (slash) *slash = '/';
    FILE *file = fopen(path, "w");
    if (!file) return false;
    fputs(text, file);
    return fclose(file) == 0;
}

static void set_variables(const char *folder, const char *value) {
    static const char *const names[] = {"HOME", "LD_LIBRARY_PATH", "NVCC_APPEND_FLAGS", "CPATH", "IFS", "PWD"};
    char here[PATH_MAX], path[PATH_MAX];
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) setenv(names[i], value, 1);
    snprintf(path, sizeof path, "%s/bin:%.1000s:/usr/bin", folder, value);
    setenv("PATH", path, 1);
    if (getcwd(here, sizeof here)) setenv("TMPDIR", here, 1);
}

/* Compilers that are never started, nvcc in a folder of no plain name. */
static void make_compilers(const char *folder) {
    static const char *const folders[] = {"bin", "c u$(d)a", "c u$(d)a/bin"}, *const programs[] = {"bin/clang",
                                                                                                   "c u$(d)a/bin/nvcc"};
    char path[PATH_MAX];
    for (size_t i = 0; i < sizeof folders / sizeof *folders; i++) {
        snprintf(path, sizeof path, "%s/%s", folder, folders[i]);
        PROMISE(mkdir(path, 0700) == 0, path);
    }
    for (size_t i = 0; i < sizeof programs / sizeof *programs; i++) {
        snprintf(path, sizeof path, "%s/%s", folder, programs[i]);
        int program = open(path, O_CREAT | O_WRONLY, 0700);
        PROMISE(program >= 0 && close(program) == 0, path);
    }
    snprintf(path, sizeof path, "%s/%s", folder, folders[1]);
    setenv("CUDA_HOME", path, 1);
}

static void try_all(const char *folder, char *const *texts, size_t count) {
    char file[PATH_MAX];
    make_compilers(folder);
    PROMISE(chdir(folder) == 0, folder);
    if (!name_in(texts[CURRENT_FOLDER]) || (mkdir(texts[CURRENT_FOLDER], 0700) != 0 && errno != EEXIST) ||
        chdir(texts[CURRENT_FOLDER]) != 0)
        return;
    snprintf(file, sizeof file, "%s", texts[PATH_OF_FILE]);
    if (!make_file(file, texts[COMMENTS])) return;
    trial.file = file;
    set_variables(folder, texts[VARIABLES]);
    try_editor();
    try_comments(texts[COMMENTS]);
    for (int i = 0; i < 2; i++)
        compile(i ? COMPILER_CLANG : COMPILER_NVCC, (const char *const *)texts + OPTIONS, count - OPTIONS);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    char *texts[TEXTS_MOST] = {0}, *bytes = malloc(size + 1);
    size_t count = 0;
    Text folder = {0};
    Diag diag = {0};
    if (!bytes || (!trial.tree[0] && !getcwd(trial.tree, sizeof trial.tree))) abort();
    if (!trial.temporary[0]) snprintf(trial.temporary, sizeof trial.temporary, "%s", folder_base());
    if (size) memcpy(bytes, data, size);
    bytes[size] = 0;
    for (char *at = bytes; at <= bytes + size && count < TEXTS_MOST; at += strlen(at) + 1) texts[count++] = at;
    setenv("WARPSCOPE_CACHE", "off", 1);
    setenv("TMPDIR", trial.temporary, 1);
    if (count >= OPTIONS) {
        PROMISE(folder_make(&folder, &diag), diag.message);
        try_all(text_string(&folder), texts, count);
        PROMISE(chdir(trial.tree) == 0, trial.tree);
        folder_remove(text_string(&folder));
    }
    text_free(&folder);
    free(bytes);
    return 0;
}
