#define _GNU_SOURCE /* memmem */
#include "cuda/find.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "cuda/door.h"
#include "cuda/home.h"
#include "host/process.h"

enum { CLANG_NEWEST = 99, CLANG_OLDEST = 10, VERSION_PROCESSOR_S = 10, VERSION_TIMEOUT_S = 60 };

/* Beside PATH. Homebrew's clang is not in PATH, and Apple's own cannot make PTX. */
static const char *const clang_dirs[] = {"/opt/homebrew/opt/llvm/bin", "/usr/local/opt/llvm/bin", NULL};
static const char *const nvcc_dirs[] = {"/usr/local/cuda/bin", "/opt/cuda/bin", NULL};

/* What was asked for comes first: by CUDA_HOME, then by ./setup --cuda. */
static bool find_chosen_nvcc(char *path, size_t path_bytes) {
    const char *cuda_home = getenv("CUDA_HOME");
    return (cuda_home && program_in(cuda_home, strlen(cuda_home), "bin/nvcc", path, path_bytes)) ||
           home_nvcc(NULL, path, path_bytes);
}

bool find_compiler(CompilerChoice choice, char *path, size_t path_bytes) {
    bool is_nvcc = choice == COMPILER_NVCC;
    if (is_nvcc && find_chosen_nvcc(path, path_bytes)) return true;
    for (const char *const *dir = is_nvcc ? nvcc_dirs : clang_dirs; !is_nvcc && *dir; dir++) {
        if (program_in(*dir, strlen(*dir), "clang", path, path_bytes)) return true;
    }
    if (program_in_path(is_nvcc ? "nvcc" : "clang", path, path_bytes)) return true;
    for (int version = CLANG_NEWEST; !is_nvcc && version >= CLANG_OLDEST; version--) {
        char name[16];
        snprintf(name, sizeof name, "clang-%d", version);
        if (program_in_path(name, path, path_bytes)) return true;
    }
    for (const char *const *dir = nvcc_dirs; is_nvcc && *dir; dir++) {
        if (program_in(*dir, strlen(*dir), "nvcc", path, path_bytes)) return true;
    }
    return false;
}

bool find_failed(CompilerChoice choice, const char *path, Diag *diag) {
    if (choice == COMPILER_NVCC) {
        diag_error(diag, path, 0, 0, "nvcc was not found: warpscope compilers --help says where it is looked for");
        return diag_hint(diag, "./setup --cuda gets it, with no root; clang needs no NVIDIA software: --cc clang");
    }
    diag_error(diag, path, 0, 0, "no compiler for CUDA: %s",
               choice == COMPILER_AUTO ? "neither nvcc nor clang is installed" : "clang is not installed");
    return diag_hint(diag, "./setup installs clang, or: sudo apt install clang");
}

bool find_version_in(CompilerChoice choice, const char *text, size_t length, char *name, size_t name_bytes) {
    const char *key = choice == COMPILER_NVCC ? "release " : "clang version ";
    const char *at = text ? memmem(text, length, key, strlen(key)) : NULL;
    if (!at) return false;
    at += strlen(key);
    snprintf(name, name_bytes, "%s %.*s", choice == COMPILER_NVCC ? "nvcc" : "clang", (int)strspn(at, "0123456789."), at);
    return true;
}

void find_version(CompilerChoice choice, const char *path, char *name, size_t name_bytes) {
    const char *const argv[] = {path, "--version", NULL};
    ProcessRequest request = {.argv = argv,
                              .temp_dir = "/tmp",
                              .timeout_s = VERSION_TIMEOUT_S,
                              .processor_s = VERSION_PROCESSOR_S,
                              .output_limit = 4096};
    ProcessResult result;
    door_run(choice, &request, &result, &(Diag){0});
    if (!find_version_in(choice, result.output.data, result.output.length, name, name_bytes)) {
        snprintf(name, name_bytes, "%s", choice == COMPILER_NVCC ? "nvcc" : "clang");
    }
    text_free(&result.output);
}
