#include "report/sources.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/alloc.h"
#include "base/text.h"

#define TEXT_BYTES_MOST ((size_t)16 << 20)

typedef struct SourceFile {
    struct SourceFile *next;
    char *path, *text;
    bool library;
} SourceFile;

struct Sources {
    SourceFile *files;
};

Sources *sources_new(void) { return alloc_zeroed(1, sizeof(Sources)); }

void sources_free(Sources *sources) {
    if (!sources) return;
    for (SourceFile *file = sources->files, *next; file; file = next) {
        next = file->next;
        free(file->path);
        free(file->text);
        free(file);
    }
    free(sources);
}

/* Whether the file, or a folder that it is in, stands beside CUDA's runtime API. */
static bool is_beside_cuda(const char *path) {
    char folder[PATH_MAX], header[PATH_MAX + 32];
    if (strlen(path) >= sizeof folder) return false;
    strcpy(folder, path);
    for (char *slash; (slash = strrchr(folder, '/')) != NULL && slash > folder;) {
        *slash = 0;
        snprintf(header, sizeof header, "%s/cuda_runtime_api.h", folder);
        if (access(header, R_OK) == 0) return true;
    }
    return false;
}

static bool is_library(const char *path) {
    static const char *const folders[] = {"/cub/", "/thrust/", "/libcudacxx/"};
    for (size_t i = 0; i < sizeof folders / sizeof *folders; i++)
        if (strstr(path, folders[i])) return true;
    return strncmp(path, "/usr/", 5) == 0 || is_beside_cuda(path);
}

static const SourceFile *find(Sources *sources, const char *path) {
    for (const SourceFile *file = sources->files; file; file = file->next)
        if (strcmp(file->path, path) == 0) return file;
    SourceFile *file = alloc_zeroed(1, sizeof *file);
    size_t length;
    *file = (SourceFile){.next = sources->files, .path = alloc_copy(path), .library = is_library(path)};
    file->text = text_read_file(path, TEXT_BYTES_MOST, &length);
    sources->files = file;
    return file;
}

const char *sources_text(Sources *sources, const char *path) { return find(sources, path)->text; }

bool sources_is_library(Sources *sources, const char *path) { return find(sources, path)->library; }
