#define _GNU_SOURCE /* memmem */
#include "cuda/compile.h"

#include <ctype.h>
#include <dirent.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cuda/imitate.h"
#include "cuda/process.h"

#define DEFAULT_ARCH "sm_75"
#define ARCH_OPTION "-arch="
#define IR_LIMIT ((size_t)256 << 20)
#define PATH_BYTES 4096

static const char *const clang_names[] = {"clang",    "clang-22", "clang-21", "clang-20", "clang-19", "clang-18",
                                          "clang-17", "clang-16", "clang-15", "clang-14", NULL};
static const char *const nvcc_names[] = {"nvcc", NULL};

/* Beside PATH. Homebrew's clang is not in PATH, and Apple's own cannot make PTX. */
static const char *const clang_dirs[] = {"/opt/homebrew/opt/llvm/bin", "/usr/local/opt/llvm/bin", NULL};
static const char *const nvcc_dirs[] = {"/usr/local/cuda/bin", "/opt/cuda/bin", NULL};

/* A command line that grows; the strings are copies. */
typedef struct Command {
    char **words; /* NULL-terminated */
    size_t count, capacity;
} Command;

static void command_add(Command *command, const char *word) {
    if (command->count + 2 > command->capacity) {
        command->capacity = command->capacity ? 2 * command->capacity : 32;
        command->words = realloc(command->words, command->capacity * sizeof *command->words);
        if (!command->words) abort();
    }
    command->words[command->count] = strdup(word);
    if (!command->words[command->count]) abort();
    command->words[++command->count] = NULL;
}

static void command_add_all(Command *command, const char *const *words) {
    for (; *words; words++) command_add(command, *words);
}

/* A word made of two, as in "-arch=" "sm_75". */
static void command_add_pair(Command *command, const char *first, const char *second) {
    Text word = {0};
    text_add(&word, "%s%s", first, second);
    command_add(command, text_string(&word));
    text_free(&word);
}

static void command_free(Command *command) {
    for (size_t i = 0; i < command->count; i++) free(command->words[i]);
    free(command->words);
    *command = (Command){0};
}

/* --- finding a compiler --- */

static bool is_program(const char *dir, size_t dir_length, const char *name, char *path, size_t path_bytes) {
    int n = snprintf(path, path_bytes, "%.*s/%s", (int)dir_length, dir_length ? dir : ".", name);
    return dir_length > 0 && n > 0 && (size_t)n < path_bytes && access(path, X_OK) == 0;
}

static bool find_in_path(const char *name, char *path, size_t path_bytes) {
    const char *dir = getenv("PATH");
    while (dir && *dir) {
        size_t length = strcspn(dir, ":");
        if (is_program(dir, length, name, path, path_bytes)) return true;
        dir += length + (dir[length] == ':');
    }
    return false;
}

static bool locate(CompilerChoice choice, char *path, size_t path_bytes) {
    bool is_nvcc = choice == COMPILER_NVCC;
    const char *cuda_home = is_nvcc ? getenv("CUDA_HOME") : NULL;
    if (cuda_home && *cuda_home) {
        Text bin = {0};
        text_add(&bin, "%s/bin", cuda_home);
        bool found = is_program(text_string(&bin), bin.length, "nvcc", path, path_bytes);
        text_free(&bin);
        if (found) return true;
    }
    for (const char *const *dir = is_nvcc ? nvcc_dirs : clang_dirs; !is_nvcc && *dir; dir++) {
        if (is_program(*dir, strlen(*dir), "clang", path, path_bytes)) return true;
    }
    for (const char *const *name = is_nvcc ? nvcc_names : clang_names; *name; name++) {
        if (find_in_path(*name, path, path_bytes)) return true;
    }
    for (const char *const *dir = nvcc_dirs; is_nvcc && *dir; dir++) {
        if (is_program(*dir, strlen(*dir), "nvcc", path, path_bytes)) return true;
    }
    return false;
}

/* "nvcc 13.0" from "release 13.0, V13.0.88", "clang 14.0.6" from "Debian clang version 14.0.6". Compilers write these words into
 * their output too, so that no further run is needed to learn them. */
static bool read_version(CompilerChoice choice, const char *text, size_t length, char *name, size_t name_bytes) {
    const char *key = choice == COMPILER_NVCC ? "release " : "clang version ";
    const char *at = text ? memmem(text, length, key, strlen(key)) : NULL;
    if (!at) return false;
    at += strlen(key);
    snprintf(name, name_bytes, "%s %.*s", choice == COMPILER_NVCC ? "nvcc" : "clang", (int)strspn(at, "0123456789."), at);
    return true;
}

static void ask_version(CompilerChoice choice, const char *path, char *name, size_t name_bytes) {
    const char *const argv[] = {path, "--version", NULL};
    ProcessRequest request = {.argv = argv, .timeout_s = 10, .output_limit = 4096};
    ProcessResult result;
    process_run(&request, &result);
    if (!read_version(choice, result.output.data, result.output.length, name, name_bytes)) {
        snprintf(name, name_bytes, "%s", choice == COMPILER_NVCC ? "nvcc" : "clang");
    }
    text_free(&result.output);
}

bool compile_find(CompilerChoice choice, char *path, size_t path_bytes, char *name, size_t name_bytes) {
    if (choice == COMPILER_AUTO) {
        return compile_find(COMPILER_NVCC, path, path_bytes, name, name_bytes) ||
               compile_find(COMPILER_CLANG, path, path_bytes, name, name_bytes);
    }
    if (!locate(choice, path, path_bytes)) return false;
    ask_version(choice, path, name, name_bytes);
    return true;
}

/* --- the temporary directory --- */

static bool directory_make(Text *dir, Diag *diag) {
    const char *base = getenv("TMPDIR");
    text_add(dir, "%s/warpscope-XXXXXX", base && *base ? base : "/tmp");
    if (mkdtemp(dir->data)) return true;
    diag_error(diag, "", 0, 0, "cannot make a temporary directory %s: %s", dir->data, strerror(errno));
    return diag_hint(diag, "TMPDIR names a directory that can be written");
}

/* Compilers leave their own files behind when they are killed, so whatever is there goes. */
static void directory_remove(const char *path) {
    DIR *dir = opendir(path);
    for (struct dirent *entry; dir && (entry = readdir(dir)) != NULL;) {
        if (strcmp(entry->d_name, ".") == 0 || strcmp(entry->d_name, "..") == 0) continue;
        Text inner = {0};
        text_add(&inner, "%s/%s", path, entry->d_name);
        if (unlink(text_string(&inner)) != 0) directory_remove(text_string(&inner));
        text_free(&inner);
    }
    if (dir) closedir(dir);
    rmdir(path);
}

/* --- running the compiler --- */

typedef struct Job {
    const CompileRequest *request;
    CompileResult *result;
    Diag *diag;
    char compiler[PATH_BYTES];
    const char *temp_dir;
    const char *arch;
    unsigned timeout_s;
} Job;

/* "a.cu:3:5: error: …" as clang writes it, "a.cu(3): error: …" as nvcc does. */
static bool read_error(const char *line, size_t length, Diag *diag) {
    static const char *const keys[] = {": fatal error: ", ": error: ", ": error #", NULL};
    const char *key = NULL;
    size_t key_length = 0;
    for (const char *const *k = keys; *k && !key; k++) {
        key = memmem(line, length, *k, strlen(*k));
        key_length = strlen(*k);
    }
    if (!key) return false;
    const char *end = key;
    unsigned numbers[2] = {0, 0};
    if (end > line && end[-1] == ')') {
        const char *open = memrchr(line, '(', (size_t)(end - line));
        if (!open) return false;
        numbers[0] = (unsigned)strtoul(open + 1, NULL, 10);
        end = open;
    } else {
        for (int i = 1; i >= 0; i--) {
            const char *colon = memrchr(line, ':', (size_t)(end - line));
            if (!colon || !isdigit((unsigned char)colon[1])) break;
            numbers[i] = (unsigned)strtoul(colon + 1, NULL, 10);
            end = colon;
        }
        if (numbers[0] == 0) { /* a line without a column */
            numbers[0] = numbers[1];
            numbers[1] = 0;
        }
    }
    char file[sizeof diag->file];
    snprintf(file, sizeof file, "%.*s", (int)(end - line), line);
    const char *message = key + key_length;
    return !diag_error(diag, file, numbers[0], numbers[1], "%.*s", (int)(line + length - message), message);
}

static bool fail(Job *job, const ProcessResult *run) {
    const char *path = job->request->path;
    if (run->error) return diag_error(job->diag, path, 0, 0, "cannot start %s: %s", job->compiler, strerror(run->error));
    if (run->timed_out) {
        diag_error(job->diag, path, 0, 0, "%s needed more than %u s and was stopped", job->result->compiler, job->timeout_s);
        return diag_hint(job->diag, "templates or initialisers that the compiler expands endlessly do this");
    }
    const char *at = text_string(&job->result->messages);
    while (*at) {
        size_t length = strcspn(at, "\n");
        if (read_error(at, length, job->diag)) return false;
        at += length + (at[length] == '\n');
    }
    return diag_error(job->diag, path, 0, 0, "%s failed with status %d", job->result->compiler, run->status);
}

static bool run_compiler(Job *job, const Command *command) {
    ProcessRequest request = {.argv = (const char *const *)command->words,
                              .temp_dir = job->temp_dir,
                              .timeout_s = job->timeout_s,
                              .output_limit = COMPILE_MESSAGES_LIMIT};
    ProcessResult run;
    bool fine = process_run(&request, &run);
    text_add_bytes(&job->result->messages, text_string(&run.output), run.output.length);
    if (run.truncated) text_add(&job->result->messages, "\n(the rest of the compiler's messages was dropped)\n");
    text_free(&run.output);
    if (fine) return true;
    ask_version(job->result->used, job->compiler, job->result->compiler, sizeof job->result->compiler);
    return fail(job, &run);
}

/* Caller frees. */
static char *read_output(Job *job, const char *path, size_t limit, size_t *length) {
    char *text = text_read_file(path, limit, length);
    if (text) return text;
    if (errno == EFBIG) {
        diag_error(job->diag, job->request->path, 0, 0, "compiles to more than %zu MiB", limit >> 20);
        diag_hint(job->diag, "large tables belong in a buffer that the host fills");
    } else {
        diag_error(job->diag, job->request->path, 0, 0, "the compiler's output cannot be read: %s", strerror(errno));
    }
    return NULL;
}

static bool keep_ptx(Job *job, const char *path) {
    size_t length;
    char *ptx = read_output(job, path, COMPILE_PTX_LIMIT, &length);
    if (!ptx) return false;
    text_add_bytes(&job->result->ptx, ptx, length);
    free(ptx);
    return true;
}

/* A file whose name begins with a dash is no option. */
static void command_add_input(Command *command, const char *path) {
    command_add_pair(command, path[0] == '-' ? "./" : "", path);
}

static bool has_option(const CompileRequest *request, const char *prefix) {
    for (size_t i = 0; i < request->option_count; i++) {
        if (strncmp(request->options[i], prefix, strlen(prefix)) == 0) return true;
    }
    return false;
}

/* The device: as the request says, else as the user's options do. */
static const char *choose_arch(const CompileRequest *request) {
    if (request->arch) return request->arch;
    for (size_t i = 0; i < request->option_count; i++) {
        if (strncmp(request->options[i], ARCH_OPTION, strlen(ARCH_OPTION)) == 0)
            return request->options[i] + strlen(ARCH_OPTION);
    }
    return DEFAULT_ARCH;
}

static bool compile_by_nvcc(Job *job) {
    const CompileRequest *request = job->request;
    if (strpbrk(request->path, "$`\\\n")) { /* nvcc gives the name to a shell, in double quotes */
        diag_error(job->diag, request->path, 0, 0, "nvcc cannot take a file name with $, ` or \\ in it");
        return diag_hint(job->diag, "rename the file, or let clang compile it: --cc clang");
    }
    CompileResult *result = job->result;
    Text ptx = {0};
    text_add(&ptx, "%s/out.ptx", job->temp_dir);
    Command command = {0};
    const char *const fixed[] = {job->compiler, "-ptx", "-lineinfo", "-Wno-deprecated-gpu-targets", NULL};
    command_add_all(&command, fixed);
    if (!has_option(request, "-std") && !has_option(request, "--std")) command_add(&command, "-std=c++17");
    command_add_pair(&command, "-arch=", job->arch);
    for (size_t i = 0; i < request->option_count; i++) {
        if (strncmp(request->options[i], ARCH_OPTION, strlen(ARCH_OPTION)) != 0) command_add(&command, request->options[i]);
    }
    const char *const output[] = {"-o", text_string(&ptx), NULL};
    command_add_all(&command, output);
    command_add_input(&command, request->path);
    bool fine = run_compiler(job, &command) && keep_ptx(job, text_string(&ptx));
    if (fine && !read_version(COMPILER_NVCC, result->ptx.data, result->ptx.length, result->compiler, sizeof result->compiler)) {
        ask_version(COMPILER_NVCC, job->compiler, result->compiler, sizeof result->compiler);
    }
    command_free(&command);
    text_free(&ptx);
    return fine;
}

/* The oldest PTX version that knows the device (PTX ISA, "Release Notes"), and never below 7.0: `_sync` built-ins need it. */
static const char *ptx_feature(const char *arch) {
    int number = strncmp(arch, "sm_", 3) == 0 ? atoi(arch + 3) : 0;
    if (number >= 120) return "+ptx87";
    if (number >= 100) return "+ptx86";
    if (number >= 89) return "+ptx78";
    if (number >= 87) return "+ptx74";
    if (number >= 81) return "+ptx71";
    return "+ptx70";
}

typedef enum OptionFate { OPTION_PASS, OPTION_DROP, OPTION_DROP_TWO, OPTION_FAST_MATH, OPTION_NO_FMA, OPTION_DEBUG } OptionFate;

/* What nvcc's own options mean to clang; the rest have the same names. */
static OptionFate clang_option(const char *option) {
    static const struct {
        const char *prefix;
        bool whole;
        OptionFate fate;
    } known[] = {
        {"--use_fast_math", true, OPTION_FAST_MATH},
        {"-use_fast_math", true, OPTION_FAST_MATH},
        {"--fmad=false", true, OPTION_NO_FMA},
        {"-fmad=false", true, OPTION_NO_FMA},
        {"-lineinfo", true, OPTION_DROP},
        {"--generate-line-info", true, OPTION_DROP},
        {"--expt-", false, OPTION_DROP},
        {"-expt-", false, OPTION_DROP},
        {"--extended-lambda", true, OPTION_DROP},
        {"-extended-lambda", true, OPTION_DROP},
        {"-rdc=", false, OPTION_DROP},
        {"--relocatable-device-code", false, OPTION_DROP},
        {"-maxrregcount", false, OPTION_DROP},
        {"--maxrregcount", false, OPTION_DROP},
        {"-Xcompiler=", false, OPTION_DROP},
        {"-Xptxas=", false, OPTION_DROP},
        {"-Xcompiler", true, OPTION_DROP_TWO},
        {"-Xptxas", true, OPTION_DROP_TWO},
        {"-gencode", true, OPTION_DROP_TWO},
        {"-gencode=", false, OPTION_DROP},
        {ARCH_OPTION, false, OPTION_DROP},
        {"-G", true, OPTION_DEBUG},
        {"--device-debug", true, OPTION_DEBUG},
        {"-ccbin", true, OPTION_DROP_TWO},
    };
    for (size_t i = 0; i < sizeof known / sizeof *known; i++) {
        size_t length = known[i].whole ? strlen(option) + 1 : strlen(known[i].prefix);
        if (strncmp(option, known[i].prefix, length) == 0) return known[i].fate;
    }
    return OPTION_PASS;
}

/* --use_fast_math flushes denormals and takes the approximate instructions; it is no leave to reorder sums or to forget NaN, which is
 * what clang's -ffast-math would be. The headers do their part, the second half the division's. */
static void command_add_user_options(Command *command, const CompileRequest *request) {
    for (size_t i = 0; i < request->option_count; i++) {
        switch (clang_option(request->options[i])) {
        case OPTION_PASS: command_add(command, request->options[i]); break;
        case OPTION_DROP: break;
        case OPTION_DROP_TWO: i++; break;
        case OPTION_FAST_MATH:
            command_add(command, "-fgpu-flush-denormals-to-zero");
            command_add(command, "-D__USE_FAST_MATH__=1");
            break;
        case OPTION_NO_FMA:
            command_add(command, "-Xclang");
            command_add(command, "-ffp-contract=off");
            break;
        case OPTION_DEBUG: command_add(command, "-O0"); break;
        }
    }
}

/* nvcc brings <cmath> along. Reading it doubles the time that a small kernel takes, so only a file that says std:: gets it. */
static bool names_std(const char *path) {
    size_t length;
    char *source = text_read_file(path, IR_LIMIT, &length);
    bool named = source && (memmem(source, length, "std::", 5) || memmem(source, length, "namespace std", 13));
    free(source);
    return named;
}

/* First half: C++ to LLVM assembly, not optimised yet. */
static bool clang_front(Job *job, const char *ir) {
    const CompileRequest *request = job->request;
    const char *feature = ptx_feature(job->arch);
    Command command = {0};
    const char *const fixed[] = {job->compiler,
                                 "-x",
                                 "cuda",
                                 "--cuda-device-only",
                                 "--cuda-path=/nonexistent",
                                 "-nocudainc",
                                 "-nocudalib",
                                 "-Xclang",
                                 "-target-sdk-version=11.5",
                                 "-O3",
                                 "-S",
                                 "-emit-llvm",
                                 "-Xclang",
                                 "-disable-llvm-passes",
                                 "-gline-tables-only",
                                 "-Xclang",
                                 "-ffp-contract=fast-honor-pragmas",
                                 NULL};
    command_add_all(&command, fixed);
    if (!has_option(request, "-std") && !has_option(request, "--std")) command_add(&command, "-std=c++17");
    command_add_pair(&command, "--cuda-gpu-arch=", job->arch);
    const char *const target[] = {"-Xclang", "-target-feature", "-Xclang", feature, NULL};
    command_add_all(&command, target);
    const char *const headers[] = {"-isystem",
                                   request->include_dir ? request->include_dir : ".",
                                   "-include",
                                   "warpscope_cuda.h",
                                   names_std(request->path) ? "-include" : NULL,
                                   "cmath",
                                   NULL};
    command_add_all(&command, headers);
    command_add_user_options(&command, request);
    const char *const output[] = {"-o", ir, NULL};
    command_add_all(&command, output);
    command_add_input(&command, request->path);
    bool fine = run_compiler(job, &command);
    command_free(&command);
    return fine;
}

/* Second half: optimised, and written as PTX. Vector combining is off because it takes the wide accesses apart again. */
static bool clang_back(Job *job, const char *ir, const char *ptx) {
    const char *optimisation = "-O3";
    for (size_t i = 0; i < job->request->option_count; i++) {
        const char *option = job->request->options[i];
        if (strncmp(option, "-O", 2) == 0) optimisation = option;
        if (clang_option(option) == OPTION_DEBUG) optimisation = "-O0";
    }
    bool fast = has_option(job->request, "--use_fast_math") || has_option(job->request, "-use_fast_math");
    const char *const approximate[] = {"-mllvm", "-nvptx-prec-divf32=0", NULL};
    Command command = {0};
    const char *const fixed[] = {job->compiler,
                                 "-x",
                                 "ir",
                                 "--target=nvptx64-nvidia-cuda",
                                 "-S",
                                 optimisation,
                                 "-ffp-contract=on",
                                 "-Wno-override-module",
                                 "-Wno-pass-failed",
                                 "-Qunused-arguments",
                                 "-mllvm",
                                 "-disable-vector-combine",
                                 "-Xclang",
                                 "-target-cpu",
                                 "-Xclang",
                                 job->arch,
                                 "-Xclang",
                                 "-target-feature",
                                 "-Xclang",
                                 ptx_feature(job->arch),
                                 "-o",
                                 ptx,
                                 ir,
                                 NULL};
    command_add_all(&command, fixed);
    if (fast) command_add_all(&command, approximate);
    bool fine = run_compiler(job, &command) && keep_ptx(job, ptx);
    command_free(&command);
    return fine;
}

static bool widen_file(Job *job, const char *from, const char *to) {
    size_t length;
    char *module = read_output(job, from, IR_LIMIT, &length);
    if (!module) return false;
    CompileResult *result = job->result;
    if (!read_version(COMPILER_CLANG, module, length, result->compiler, sizeof result->compiler)) {
        ask_version(COMPILER_CLANG, job->compiler, result->compiler, sizeof result->compiler);
    }
    Text widened = {0};
    imitate_nvcc(module, length, &widened);
    free(module);
    FILE *file = fopen(to, "wb");
    bool fine = file && fwrite(text_string(&widened), 1, widened.length, file) == widened.length;
    if (file && fclose(file) != 0) fine = false;
    text_free(&widened);
    return fine || diag_error(job->diag, job->request->path, 0, 0, "cannot write a temporary file: %s", strerror(errno));
}

static bool compile_by_clang(Job *job) {
    Text front = {0}, widened = {0}, ptx = {0};
    text_add(&front, "%s/front.ll", job->temp_dir);
    text_add(&widened, "%s/wide.ll", job->temp_dir);
    text_add(&ptx, "%s/out.ptx", job->temp_dir);
    bool fine = clang_front(job, text_string(&front)) && widen_file(job, text_string(&front), text_string(&widened)) &&
                clang_back(job, text_string(&widened), text_string(&ptx));
    text_free(&front);
    text_free(&widened);
    text_free(&ptx);
    return fine;
}

static bool choose(Job *job) {
    CompilerChoice wanted = job->request->compiler;
    if (wanted != COMPILER_CLANG && locate(COMPILER_NVCC, job->compiler, sizeof job->compiler)) {
        job->result->used = COMPILER_NVCC;
        return true;
    }
    if (wanted != COMPILER_NVCC && locate(COMPILER_CLANG, job->compiler, sizeof job->compiler)) {
        job->result->used = COMPILER_CLANG;
        return true;
    }
    if (wanted == COMPILER_NVCC) {
        diag_error(job->diag, job->request->path, 0, 0, "no nvcc in PATH, $CUDA_HOME/bin or /usr/local/cuda/bin");
        return diag_hint(job->diag, "clang needs no NVIDIA software: --cc clang");
    }
    diag_error(job->diag, job->request->path, 0, 0, "no compiler for CUDA: %s",
               wanted == COMPILER_AUTO ? "neither nvcc nor clang is installed" : "clang is not installed");
    return diag_hint(job->diag, "./setup installs clang, or: sudo apt install clang");
}

bool compile_cu(const CompileRequest *request, CompileResult *result, Diag *diag) {
    *result = (CompileResult){0};
    Job job = {.request = request,
               .result = result,
               .diag = diag,
               .arch = choose_arch(request),
               .timeout_s = request->timeout_s ? request->timeout_s : COMPILE_TIMEOUT_S};
    if (access(request->path, R_OK) != 0) return diag_error(diag, request->path, 0, 0, "%s", strerror(errno));
    if (!choose(&job)) return false;
    Text dir = {0};
    bool fine = directory_make(&dir, diag);
    if (fine) {
        job.temp_dir = text_string(&dir);
        fine = result->used == COMPILER_NVCC ? compile_by_nvcc(&job) : compile_by_clang(&job);
        directory_remove(job.temp_dir);
    }
    text_free(&dir);
    if (!fine) text_free(&result->ptx);
    return fine;
}

void compile_result_free(CompileResult *result) {
    text_free(&result->ptx);
    text_free(&result->messages);
}
