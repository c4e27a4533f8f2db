#define _GNU_SOURCE /* realpath */
#include "cuda/home.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/text.h"
#include "host/kept.h"

bool program_in(const char *folder, size_t bytes, const char *name, char *path, size_t path_bytes) {
    int n = snprintf(path, path_bytes, "%.*s/%s", (int)bytes, bytes ? folder : ".", name);
    return bytes > 0 && n > 0 && (size_t)n < path_bytes && access(path, X_OK) == 0;
}

bool program_in_path(const char *name, char *path, size_t path_bytes) {
    const char *dir = getenv("PATH");
    while (dir && *dir) {
        size_t length = strcspn(dir, ":");
        if (program_in(dir, length, name, path, path_bytes)) return true;
        dir += length + (dir[length] == ':');
    }
    return false;
}

/* FOLDER/NAME, if it is there. */
static bool is_there(const char *folder, const char *name, char *path, size_t path_bytes) {
    return snprintf(path, path_bytes, "%s/%s", folder, name) < (int)path_bytes && access(path, R_OK) == 0;
}

/* The folder of the running program itself, where a link leads to it. */
static bool own_folder(const char *program, char folder[PATH_MAX]) {
    char found[PATH_MAX];
    ssize_t length = readlink("/proc/self/exe", folder, PATH_MAX - 1);
    if (length > 0) {
        folder[length] = 0;
    } else {
        if (program && !strchr(program, '/') && program_in_path(program, found, sizeof found)) program = found;
        if (!program || !realpath(program, folder)) return false;
    }
    *strrchr(folder, '/') = 0;
    return true;
}

/* Where the headers lie in this folder; NULL: it is not home. */
static const char *headers_in(const char *folder) {
    char path[PATH_MAX];
    if (is_there(folder, "include/warpscope_cuda.h", path, sizeof path)) return "include";
    return is_there(folder, "src/include/warpscope_cuda.h", path, sizeof path) ? "src/include" : NULL;
}

/* Whether nobody but whose the program is can have laid it there: what lies in it is read, and started. */
static bool is_kept_home(const char *folder, const char *headers, const char *program) {
    char path[PATH_MAX];
    snprintf(path, sizeof path, "%.*s/%s/warpscope_cuda.h", PATH_MAX - 100, folder, headers);
    return path_is_kept(folder, program) && path_is_kept(path, program);
}

/* Home, and where the headers lie in it; NULL: there is none. Above the program somebody else may have laid something that looks like it. */
static const char *find_home(const char *program, char folder[PATH_MAX]) {
    const char *chosen = getenv("WARPSCOPE_HOME"), *headers;
    if (chosen && *chosen) return snprintf(folder, PATH_MAX, "%s", chosen) < PATH_MAX ? headers_in(folder) : NULL;
    char own[PATH_MAX];
    if (!own_folder(program, folder)) return NULL;
    strcpy(own, folder);
    while (!(headers = headers_in(folder)) || !is_kept_home(folder, headers, own)) {
        char *slash = strrchr(folder, '/');
        if (!slash) return NULL;
        *slash = 0;
    }
    return headers;
}

/* NAME at home; beside the program. mode: what may be done with it, as for access. */
static bool at_home(const char *program, const char *name, int mode, char *path, size_t path_bytes) {
    char folder[PATH_MAX];
    return find_home(program, folder) && is_there(folder, name, path, path_bytes) && access(path, mode) == 0;
}

static bool beside(const char *program, const char *name, int mode, char *path, size_t path_bytes) {
    char folder[PATH_MAX];
    return own_folder(program, folder) && is_there(folder, name, path, path_bytes) && access(path, mode) == 0;
}

bool home_headers(const char *program, char *path, size_t path_bytes) {
    char folder[PATH_MAX];
    const char *headers = find_home(program, folder);
    return headers && is_there(folder, headers, path, path_bytes);
}

bool home_labs(const char *program, char *path, size_t path_bytes) {
    bool found = at_home(program, "exercises", R_OK, path, path_bytes);
    if (found) *strrchr(path, '/') = 0;
    return found;
}

bool home_nvcc(const char *program, char *path, size_t path_bytes) {
    return at_home(program, ".cuda/nvidia/cu13/bin/nvcc", X_OK, path, path_bytes);
}

bool home_sandbox(const char *program, char *path, size_t path_bytes) {
    return at_home(program, "src/grade/sandbox", X_OK, path, path_bytes);
}

bool home_grader(const char *program, const char *lab, char *path, size_t path_bytes) {
    LOCAL_TEXT name = text_from("labs/%s", lab);
    return beside(program, text_string(&name), X_OK, path, path_bytes);
}

bool home_explorer(const char *program, const char *name, char *path, size_t path_bytes) {
    LOCAL_TEXT file = text_from("explore/%s", name);
    return beside(program, text_string(&file), R_OK, path, path_bytes);
}

bool home_library(const char *program, char *path, size_t path_bytes) {
    return beside(program, "libthirtytwo.a", R_OK, path, path_bytes);
}

bool home_build(const char *program, char *path, size_t path_bytes) {
    char folder[PATH_MAX];
    return own_folder(program, folder) && snprintf(path, path_bytes, "%s", folder) < (int)path_bytes;
}
