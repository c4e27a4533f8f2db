#define _GNU_SOURCE /* realpath */
#include "report/sources.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/alloc.h"
#include "base/text.h"
#include "host/kept.h"

#define TEXT_BYTES_MOST ((size_t)16 << 20)

typedef struct SourceFile {
    struct SourceFile *next;
    char *path, *text;
    bool library;
} SourceFile;

struct Sources {
    SourceFile *files;
    bool all;       /* regular files */
    char **folders; /* without links; what is below one may be read */
    size_t count;
};

static void admit_folder(Sources *sources, const char *folder) {
    char real[PATH_MAX];
    if (realpath(folder, real)) sources->folders[sources->count++] = alloc_copy(real);
}

Sources *sources_new(const char *source, const char *const *options, size_t count) {
    Sources *sources = alloc_zeroed(1, sizeof *sources);
    sources->all = !source;
    if (!source) return sources;
    const char *slash = strrchr(source, '/');
    LOCAL_TEXT folder = text_from("%.*s", slash ? (int)(slash + 1 - source) : 2, slash ? source : "./");
    sources->folders = alloc_zeroed(count + 1, sizeof *sources->folders);
    admit_folder(sources, text_string(&folder));
    for (size_t i = 0; i < count; i++)
        if (strncmp(options[i], "-I", 2) == 0) admit_folder(sources, options[i] + 2);
    return sources;
}

void sources_free(Sources *sources) {
    if (!sources) return;
    for (SourceFile *file = sources->files, *next; file; file = next) {
        next = file->next;
        free(file->path);
        free(file->text);
        free(file);
    }
    for (size_t i = 0; i < sources->count; i++) free(sources->folders[i]);
    free(sources->folders);
    free(sources);
}

/* Whether the file, or a folder that it is in, stands beside CUDA's runtime API. kept: where nobody else can have laid that. */
static bool is_beside_cuda(const char *path, bool kept) {
    char folder[PATH_MAX], header[PATH_MAX + 32];
    if (strlen(path) >= sizeof folder) return false;
    strcpy(folder, path);
    for (char *slash; (slash = strrchr(folder, '/')) != NULL && slash > folder;) {
        *slash = 0;
        snprintf(header, sizeof header, "%s/cuda_runtime_api.h", folder);
        if (access(header, R_OK) == 0 && (!kept || (path_is_kept(folder, NULL) && path_is_kept(header, NULL)))) return true;
    }
    return false;
}

static bool is_library(const char *path) {
    static const char *const folders[] = {"/cub/", "/thrust/", "/libcudacxx/"};
    for (size_t i = 0; i < sizeof folders / sizeof *folders; i++)
        if (strstr(path, folders[i])) return true;
    return strncmp(path, "/usr/", 5) == 0 || is_beside_cuda(path, false);
}

static bool is_below(const char *path, const char *folder) {
    size_t length = strlen(folder);
    return strncmp(path, folder, length) == 0 && (path[length] == '/' || (length && folder[length - 1] == '/'));
}

/* Keys, histories and settings are no sources: the same holds for class/included.h. */
static bool is_hidden(const char *below) { return *below == '.' || strstr(below, "/.") != NULL; }

static char *read_source(const Sources *sources, const char *path) {
    char real[PATH_MAX];
    if (!realpath(path, real)) return NULL;
    bool may = sources->all || is_below(real, "/usr") || is_beside_cuda(real, true);
    for (size_t i = 0; i < sources->count; i++)
        may |= is_below(real, sources->folders[i]) && !is_hidden(real + strlen(sources->folders[i]));
    return may ? text_read_file(real, TEXT_BYTES_MOST, NULL) : NULL;
}

static const SourceFile *find(Sources *sources, const char *path) {
    for (const SourceFile *file = sources->files; file; file = file->next)
        if (strcmp(file->path, path) == 0) return file;
    SourceFile *file = alloc_zeroed(1, sizeof *file);
    *file = (SourceFile){.next = sources->files, .path = alloc_copy(path), .library = is_library(path)};
    file->text = read_source(sources, path);
    sources->files = file;
    return file;
}

const char *sources_text(Sources *sources, const char *path) { return find(sources, path)->text; }

bool sources_is_library(Sources *sources, const char *path) { return find(sources, path)->library; }
