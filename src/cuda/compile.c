#include "cuda/compile.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "cuda/clang.h"
#include "cuda/compilation.h"
#include "cuda/door.h"
#include "cuda/find.h"
#include "cuda/home.h"
#include "cuda/host.h"
#include "cuda/options.h"
#include "cuda/ptxcache.h"

#define OBJECT_LIMIT ((size_t)1 << 30) /* bytes */

bool compile_find(CompilerChoice choice, char *path, size_t path_bytes, char *name, size_t name_bytes) {
    if (choice == COMPILER_AUTO) {
        return compile_find(COMPILER_NVCC, path, path_bytes, name, name_bytes) ||
               compile_find(COMPILER_CLANG, path, path_bytes, name, name_bytes);
    }
    if (!find_compiler(choice, path, path_bytes)) return false;
    find_version(choice, path, name, name_bytes);
    return true;
}

bool compile_fits_runtime(const char *name) {
    unsigned major;
    return sscanf(name, "nvcc %u", &major) != 1 || major >= 13;
}

/* The guard of the header with libstdc++'s special functions (std::beta, std::legendre, ...), which <cmath> and so each compilation reads: a
 * quarter of nvcc's time for a small kernel, and nothing that a kernel can call. */
static const char no_special_functions[] = "-D_GLIBCXX_BITS_SPECFUN_H";

/* For the host's g++, which preprocesses: clang ends by itself after so many, but g++ goes through all of a file that includes itself twice, which is
 * without an end. */
static const char few_errors[] = "-Xcompiler=-fmax-errors=20";

static bool run_nvcc_with(Compilation *compilation, const char *const *words, const char *const *more, const char *output,
                          bool has_special) {
    const CompileRequest *request = compilation->request;
    bool debugs = options_have(request->options, request->option_count, "-G"); /* which excludes -lineinfo */
    LOCAL_ARGV command = {0};
    Aliases *aliases = &compilation->aliases;
    LOCAL_TEXT program = alias_path(aliases, compilation->compiler);
    argv_add(&command, text_string(&program));
    argv_add_all(&command, words);
    argv_add(&command, "-Wno-deprecated-gpu-targets");
    if (!debugs) argv_add(&command, "-lineinfo");
    if (!has_special) argv_add(&command, no_special_functions);
    if (!options_have(request->options, request->option_count, "-ccbin")) argv_add(&command, few_errors);
    if (!options_have(request->options, request->option_count, "-std")) argv_add(&command, "-std=c++17");
    bool fine = alias_add_options(aliases, &command, request->options, request->option_count, compilation->diag);
    if (more) argv_add_all(&command, more);
    argv_add(&command, "-o");
    argv_add(&command, output);
    return fine && alias_add_source(aliases, &command, request->path, compilation->diag) &&
           compilation_run(compilation, &command);
}

/* Runs nvcc with these words before the user's options. more: the last options, or NULL. Again with the special functions if host code may
 * want one. */
static bool run_nvcc_once(Compilation *compilation, const char *const *words, const char *const *more, const char *output) {
    Text *messages = &compilation->result->messages;
    if (run_nvcc_with(compilation, words, more, output, false)) return true;
    if (!strstr(text_string(messages), "namespace \"std\" has no member")) return false;
    text_free(messages);
    *compilation->diag = (Diag){0};
    return run_nvcc_with(compilation, words, more, output, true);
}

static bool hint_host(Compilation *compilation, unsigned newest) {
    char known[40] = "that is installed";
    if (newest) snprintf(known, sizeof known, "newer than %u", newest);
    return diag_hint(compilation->diag, "this nvcc takes no g++ %s: ./setup --cuda gets a newer nvcc; or --cc clang", known);
}

/* Again with another compiler of host code, if nvcc refused the one that it found and the user did not choose it. For PTX the host's
 * compiler is just the preprocessor, so any that can read nvcc's headers will do. */
static bool run_nvcc(Compilation *compilation, const char *const *words, bool ptx_alone, const char *output) {
    const CompileRequest *request = compilation->request;
    if (run_nvcc_once(compilation, words, NULL, output)) return true;
    Text *messages = &compilation->result->messages;
    if (options_have(request->options, request->option_count, "-ccbin") || !host_refused(text_string(messages))) return false;
    unsigned newest = host_newest(text_string(messages));
    char other[COMPILER_PATH_BYTES];
    bool takes = host_instead(text_string(messages), other, sizeof other);
    if (!takes && !(ptx_alone && program_in_path("g++", other, sizeof other))) return hint_host(compilation, newest);
    text_free(messages);
    *compilation->diag = (Diag){0};
    LOCAL_TEXT host = {0};
    if (strchr(other, '/'))
        host = alias_path(&compilation->aliases, other);
    else
        text_add(&host, "%s", other);
    const char *const more[] = {"-ccbin", text_string(&host), takes ? NULL : "-allow-unsupported-compiler", NULL};
    if (run_nvcc_once(compilation, words, more, output)) return true;
    return !takes && strcmp(compilation->diag->file, request->path) != 0 && hint_host(compilation, newest);
}

static bool device_by_nvcc(Compilation *compilation) {
    CompileResult *result = compilation->result;
    LOCAL_TEXT ptx = compilation_file(compilation, "out.ptx"), arch = text_from("-arch=sm_%u", compilation->arch);
    const char *const words[] = {"-ptx", text_string(&arch), NULL};
    bool fine = run_nvcc(compilation, words, true, text_string(&ptx)) && compilation_keep_ptx(compilation, text_string(&ptx));
    if (fine &&
        !find_version_in(COMPILER_NVCC, result->ptx.data, result->ptx.length, result->compiler, sizeof result->compiler)) {
        find_version(COMPILER_NVCC, compilation->compiler, result->compiler, sizeof result->compiler);
    }
    return fine;
}

/* What nvcc wrote into the private folder becomes the file whose name it cannot be given. */
static bool move_object(Compilation *compilation, const char *from, const char *to) {
    size_t length;
    FREED char *object = compilation_read(compilation, from, OBJECT_LIMIT, &length);
    return object && (text_write_file(to, object, length) ||
                      diag_error(compilation->diag, to, 0, 0, "cannot be written: %s", strerror(errno)));
}

/* PTX alone goes into the fat binary, as text. */
static bool object_by_nvcc(Compilation *compilation, const char *object_path) {
    LOCAL_TEXT code = text_from("arch=compute_%u,code=compute_%u", compilation->arch, compilation->arch),
               made = compilation_file(compilation, "out.o");
    bool moves = !door_takes_path(object_path);
    const char *const words[] = {"-c",
                                 "-cudart",
                                 "none",
                                 "-no-compress",
                                 "-gencode",
                                 text_string(&code),
                                 compilation->request->relocatable ? "-rdc=true" : NULL,
                                 NULL};
    bool fine = run_nvcc(compilation, words, false, moves ? text_string(&made) : object_path) &&
                (!moves || move_object(compilation, text_string(&made), object_path));
    if (fine)
        find_version(COMPILER_NVCC, compilation->compiler, compilation->result->compiler, sizeof compilation->result->compiler);
    return fine;
}

static bool find_or_compile(Compilation *compilation) {
    CompileResult *result = compilation->result;
    const PtxcacheRequest request = {
        .compile = compilation->request, .used = result->used, .compiler = compilation->compiler, .arch = compilation->arch};
    PtxcacheEntry entry;
    bool found = ptxcache_begin(&entry, &request) && ptxcache_find(&entry, result);
    bool fine = found || (result->used == COMPILER_NVCC ? device_by_nvcc(compilation) : clang_device(compilation, false));
    if (fine && !found) ptxcache_keep(&entry, result);
    ptxcache_end(&entry);
    return fine;
}

bool compile_cu(const CompileRequest *request, CompileResult *result, Diag *diag) {
    Compilation compilation;
    *result = (CompileResult){0};
    bool fine = compilation_begin(&compilation, request, result, diag) && find_or_compile(&compilation);
    compilation_end(&compilation);
    if (!fine) text_free(&result->ptx);
    return fine;
}

bool compile_object(const CompileRequest *request, const char *object_path, CompileResult *result, Diag *diag) {
    Compilation compilation;
    *result = (CompileResult){0};
    bool fine = compilation_begin(&compilation, request, result, diag) &&
                (result->used == COMPILER_NVCC ? object_by_nvcc(&compilation, object_path)
                                               : clang_device(&compilation, true) && clang_host(&compilation, object_path));
    compilation_end(&compilation);
    if (!fine) text_free(&result->ptx);
    return fine;
}
