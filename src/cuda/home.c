#define _GNU_SOURCE /* realpath */
#include "cuda/home.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static bool holds_headers(const char *folder) {
    char prelude[PATH_MAX];
    int length = snprintf(prelude, sizeof prelude, "%s/src/include/warpscope_cuda.h", folder);
    return length < (int)sizeof prelude && access(prelude, R_OK) == 0;
}

bool home_find(const char *program, char *path, size_t path_bytes) {
    const char *home = getenv("WARPSCOPE_HOME");
    char folder[PATH_MAX];
    if (home && *home) return holds_headers(home) && snprintf(path, path_bytes, "%s", home) < (int)path_bytes;
    ssize_t length = readlink("/proc/self/exe", folder, sizeof folder - 1);
    if (length > 0)
        folder[length] = 0;
    else if (!program || !realpath(program, folder))
        return false;
    /* The program lies in build/ of the tree; a test deeper. */
    for (char *slash; (slash = strrchr(folder, '/'));) {
        *slash = 0;
        if (holds_headers(folder)) return snprintf(path, path_bytes, "%s", folder) < (int)path_bytes;
    }
    return false;
}
