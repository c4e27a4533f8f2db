#include "cuda/constants.h"

#include <limits.h>
#include <stdio.h>
#include <string.h>

#include "base/text.h"

enum { SOURCE_LIMIT = 16 << 20 };

static void tell(const char *path, unsigned line, unsigned column, Diag *diag) {
    size_t length;
    diag_error(diag, path, line, column, "a kernel cannot write to a __constant__ variable");
    diag_hint(
        diag,
        "kernels only read them, and the host fills them before the launch: cudaMemcpyToSymbol(variable, &values, bytes). "
        "What kernels write is a __device__ variable, or a buffer");
    FREED char *text = line ? text_read_file(path, SOURCE_LIMIT, &length) : NULL;
    if (text) diag_quote(diag, text, length);
}

/* `.file 1 "/home/me/kernel.cu"`: whether it is the path's. */
static bool is_file(const char *ptx, unsigned number, const char *path) {
    for (const char *at = ptx; (at = strstr(at, "\t.file\t")); at++) {
        char name[PATH_MAX];
        unsigned which;
        const bool named = sscanf(at, " .file %u \"%4095[^\"]", &which, name) == 2;
        if (named && which == number) return strcmp(text_last_name(name), text_last_name(path)) == 0;
    }
    return false;
}

bool constants_unwritten(const char *ptx, const char *path, Diag *diag) {
    const char *store = strstr(ptx, "\tst.const.");
    unsigned file, line = 0, column = 0;
    if (!store) return true;
    const char *loc = store;
    while (loc > ptx && strncmp(loc, "\t.loc\t", 6) != 0) loc--;
    if (sscanf(loc, " .loc %u %u %u", &file, &line, &column) != 3 || !is_file(ptx, file, path)) line = column = 0;
    tell(path, line, column, diag);
    return false;
}

/* "Cannot select: …: i32,ch = AtomicLoadAdd<(load store seq_cst (s32) on @n, addrspace 4)> …, kernel.cu:8:5", and behind a function's place
 * in brackets where it is called. */
bool constants_explain(const char *reason, const char *path, Diag *diag) {
    const char *atomic = strstr(reason, "Cannot select: ") ? strstr(reason, "Atomic") : NULL, *name = text_last_name(path);
    unsigned line = 0, column = 0;
    if (!atomic || !strstr(atomic, "addrspace 4)")) return false;
    for (const char *at = atomic; (at = strstr(at, name)); at += strlen(name))
        sscanf(at + strlen(name), ":%u:%u", &line, &column);
    tell(path, line, column, diag);
    return true;
}
