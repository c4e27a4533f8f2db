#define _GNU_SOURCE /* realpath, st_mtim */
#include "cuda/ptxkey.h"

#include <dirent.h>
#include <inttypes.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "cuda/alias.h"
#include "cuda/home.h"
#include "cuda/standalone.h"
#include "host/checksum.h"

#ifndef CODE_CHECKSUM
#error "the Makefile gives the checksum of src/cuda"
#endif

#define SOURCE_LIMIT ((size_t)512 << 10) /* bytes; a larger file is compiled each time */

/* --- what is installed --- */

/* Which version of a file or folder this is: installing another changes its size or its time. */
static void add_version(Text *key, const char *path) {
    char true_path[PATH_MAX];
    struct stat status;
    if (!realpath(path, true_path) || stat(true_path, &status) != 0) return;
    text_add(key, "%s %lld %lld.%09ld\n", true_path, (long long)status.st_size, (long long)status.st_mtim.tv_sec,
             status.st_mtim.tv_nsec);
}

/* PROGRAM's folder/BESIDE. */
static void add_beside(Text *key, const char *program, const char *beside) {
    char path[PATH_MAX];
    if (!realpath(program, path)) return;
    LOCAL_TEXT other = text_from("%.*s/%s", (int)(strrchr(path, '/') - path), path, beside);
    add_version(key, text_string(&other));
}

static void add_host_compiler(Text *key) {
    static const char *const names[] = {"gcc", "g++"};
    char path[4096];
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (program_in_path(names[i], path, sizeof path)) add_version(key, path);
}

static int by_name(const struct dirent **a, const struct dirent **b) { return strcmp((*a)->d_name, (*b)->d_name); }

static int is_shown(const struct dirent *entry) { return entry->d_name[0] != '.'; }

/* Every file of the folder and of those in it; timed: and when it was last changed. */
static uint64_t headers_hash(const char *folder, bool timed, uint64_t hash) {
    struct dirent **entries;
    int n = scandir(folder, &entries, is_shown, by_name);
    for (int i = 0; i < n; i++) {
        struct stat status;
        size_t length;
        LOCAL_TEXT path = text_from("%s/%s", folder, entries[i]->d_name);
        hash = checksum_bytes(entries[i]->d_name, strlen(entries[i]->d_name), hash);
        if (stat(text_string(&path), &status) == 0 && S_ISDIR(status.st_mode)) {
            hash = headers_hash(text_string(&path), timed, hash);
        } else {
            FREED char *text = text_read_file(text_string(&path), SOURCE_LIMIT, &length);
            if (text) hash = checksum_bytes(text, length, hash);
            const int64_t changed[] = {status.st_mtim.tv_sec, status.st_mtim.tv_nsec};
            if (text && timed) hash = checksum_bytes((const char *)changed, sizeof changed, hash);
        }
        free(entries[i]);
    }
    if (n >= 0) free(entries);
    return hash;
}

void ptxkey_add_installed(Text *key, CompilerChoice used, const char *compiler, const char *headers, bool timed) {
    static const char *const nvcc[] = {"../include", "../nvvm/bin/cicc", "nvcc.profile", "cudafe++"};
    text_add(key, "%s\n", CODE_CHECKSUM);
    add_version(key, compiler);
    if (used == COMPILER_NVCC) {
        for (size_t i = 0; i < sizeof nvcc / sizeof *nvcc; i++) add_beside(key, compiler, nvcc[i]);
        add_host_compiler(key);
    } else {
        add_beside(key, compiler, "../lib");
        text_add(key, "%016" PRIx64 "\n", headers_hash(headers, timed, 0));
    }
    add_version(key, "/usr/include");
    add_version(key, "/usr/local/include");
}

/* --- the file --- */

/* The current folder, by the name that $PWD has for it, if it is one: clang takes that. */
static bool current_folder(char path[PATH_MAX]) {
    const char *named = getenv("PWD");
    struct stat here, there;
    if (named && named[0] == '/' && strlen(named) < PATH_MAX && stat(named, &there) == 0 && stat(".", &here) == 0 &&
        here.st_ino == there.st_ino && here.st_dev == there.st_dev)
        return strcpy(path, named);
    return getcwd(path, PATH_MAX);
}

/* As PTX has it. */
static bool add_name(Text *name, const char *path) {
    char folder[PATH_MAX];
    if (path[0] != '/') {
        if (!current_folder(folder)) return false;
        alias_add_escaped(name, folder);
        text_add(name, "/");
    }
    alias_add_escaped(name, path);
    return true;
}

bool ptxkey_make(const PtxcacheRequest *request, PtxcacheEntry *entry) {
    const CompileRequest *compile = request->compile;
    const char *headers = compile->include_dir ? compile->include_dir : ".";
    size_t length;
    Standalone options = standalone_options(compile->options, compile->option_count);
    if (options == ALONE_NOT || !add_name(&entry->name, request->name ? request->name : compile->path) ||
        !add_name(&entry->headers, request->headers ? request->headers : headers))
        return false;
    struct stat status;
    if (stat(compile->path, &status) != 0) return false;
    FREED char *text = text_read_file(compile->path, SOURCE_LIMIT, &length);
    Standalone alone = text ? standalone_text(text, length) : ALONE_NOT;
    if (alone != ALONE_NOT) {
        text_add(&entry->file, "%s", compile->path);
        entry->changed = status.st_ctim;
        entry->file_bytes = length;
        entry->by_name = alone == ALONE_BY_NAME || options == ALONE_BY_NAME;
        Text *key = &entry->key;
        text_add(key, "sm_%u%s%s\n", request->arch, compile->warns ? ", warns" : "", request->name ? ", in a sandbox" : "");
        for (size_t i = 0; i < compile->option_count; i++) text_add(key, "%s%c", compile->options[i], 0);
        text_add(key, "\n");
        ptxkey_add_installed(key, request->used, request->compiler, headers, false);
        text_add_bytes(key, text, length);
    }
    return alone != ALONE_NOT;
}

bool ptxkey_holds(const PtxcacheEntry *entry) {
    struct stat status;
    size_t length;
    if (stat(text_string(&entry->file), &status) != 0 || status.st_ctim.tv_sec != entry->changed.tv_sec ||
        status.st_ctim.tv_nsec != entry->changed.tv_nsec)
        return false;
    FREED char *text = text_read_file(text_string(&entry->file), SOURCE_LIMIT, &length);
    return text && length == entry->file_bytes && memcmp(text, entry->key.data + entry->key.length - length, length) == 0;
}

/* --- names in PTX --- */

/* at: what .file quotes. How much of it is a name that is left out, and which character stands for it; 0: none. */
static size_t name_at(const char *at, const PtxcacheEntry *entry, char *mark) {
    const Text *name = &entry->name, *headers = &entry->headers;
    *mark = PTXKEY_NAME;
    if (strncmp(at, text_string(name), name->length) == 0 && at[name->length] == '"') return name->length;
    *mark = PTXKEY_HEADERS;
    return strncmp(at, text_string(headers), headers->length) == 0 && at[headers->length] == '/' ? headers->length : 0;
}

bool ptxkey_leave_out(const Text *ptx, const PtxcacheEntry *entry, Text *copy) {
    static const char *const named_by_path[] = {"_INTERNAL_", "__static__", "__intern__"}; /* symbols of one file alone */
    static const char key[] = "\t.file\t";
    const char *text = text_string(ptx), *from = text;
    bool found = false;
    if (entry->by_name || strchr(text, PTXKEY_NAME) || strchr(text, PTXKEY_HEADERS)) return false;
    for (size_t i = 0; i < sizeof named_by_path / sizeof *named_by_path; i++)
        if (strstr(text, named_by_path[i])) return false;
    for (const char *at = text; (at = strstr(at, key)) != NULL; at++) {
        const char *quote = strpbrk(at, "\"\n");
        char mark;
        size_t length = quote && *quote == '"' ? name_at(quote + 1, entry, &mark) : 0;
        if (length == 0) continue;
        text_add_bytes(copy, from, (size_t)(quote + 1 - from));
        text_add_bytes(copy, &mark, 1);
        from = quote + 1 + length;
        found |= mark == PTXKEY_NAME;
    }
    text_add(copy, "%s", from);
    return found;
}

void ptxkey_fill_in(const char *ptx, size_t length, const PtxcacheEntry *entry, Text *copy) {
    const char *from = ptx;
    for (const char *at = ptx; at < ptx + length; at++) {
        if (*at != PTXKEY_NAME && *at != PTXKEY_HEADERS) continue;
        text_add_bytes(copy, from, (size_t)(at - from));
        text_add(copy, "%s", text_string(*at == PTXKEY_NAME ? &entry->name : &entry->headers));
        from = at + 1;
    }
    text_add_bytes(copy, from, (size_t)(ptx + length - from));
}
