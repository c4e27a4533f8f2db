#define _GNU_SOURCE /* O_NOFOLLOW, mkostemp */
#include "cuda/precompiled.h"

#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "cuda/ptxcache.h"
#include "cuda/ptxkey.h"
#include "host/checksum.h"

/* Whether clang's words for the user's options are all of these: none names what a user wrote. */
static bool are_plain(const CompileRequest *request, CompileSide side, const Argv *command) {
    LOCAL_ARGV plain = {0}, words = {0};
    argv_add_split(&plain, "-O0 -O1 -O2 -O3 -g -std=c++14 -std=c++17 -std=c++20 -fgpu-flush-denormals-to-zero "
                           "-D__USE_FAST_MATH__=1 -Xclang -ffp-contract=off");
    options_add(&words, request->options, request->option_count, side);
    bool all = strcmp(command->words[command->count - 1], PRECOMPILED_NOT) != 0;
    for (size_t i = 0; all && i < words.count; i++) {
        all = false;
        for (size_t j = 0; !all && j < plain.count; j++) all = strcmp(words.words[i], plain.words[j]) == 0;
    }
    return all;
}

/* FOLDER/CHECKSUM. */
static void add_name(const Compilation *compilation, const Argv *command, Text *path) {
    LOCAL_TEXT key = {0};
    for (size_t i = 0; i < command->count; i++) text_add(&key, "%s\n", command->words[i]);
    ptxkey_add_installed(&key, COMPILER_CLANG, compilation->compiler, compilation->request->include_dir, true);
    uint64_t first = checksum_bytes(text_string(&key), key.length, 0),
             second = checksum_bytes(text_string(&key), key.length, first);
    text_add(path, "/%016" PRIx64 "%016" PRIx64, first, second);
}

/* An empty file, which clang reads from its input, begins as any other does. */
static bool make(const Compilation *compilation, const Argv *command, const char *made) {
    LOCAL_COMPILED said = {.used = COMPILER_CLANG};
    Diag diag = {0};
    Compilation apart = *compilation;
    LOCAL_ARGV words = {0};
    argv_add_all(&words, (const char *const *)command->words);
    argv_add_split(&words, "-include warpscope_cuda.h -Xclang -emit-pch -o");
    argv_add(&words, made);
    argv_add(&words, "-");
    apart.result = &said;
    apart.diag = &diag;
    return compilation_run(&apart, &words) && said.messages.length == 0;
}

/* Whether it is what clang wrote, by its first bytes. */
static bool is_there(const char *path) {
    char first[4] = "";
    size_t length;
    int fd = ptxcache_open(path, PTXCACHE_HEADER_BYTES, &length);
    bool fine = fd >= 0 && read(fd, first, sizeof first) == sizeof first && memcmp(first, "CPCH", sizeof first) == 0;
    if (fd >= 0) close(fd);
    return fine;
}

bool precompiled_find(const Compilation *compilation, CompileSide side, const Argv *command, Text *path) {
    const CompileRequest *request = compilation->request;
    if (!request->include_dir || request->include_dir[0] != '/' || !are_plain(request, side, command)) return false;
    if (ptxcache_folder(path, "headers"))
        add_name(compilation, command, path);
    else
        text_free(path);
    return path->length && is_there(text_string(path));
}

/* Notes by an empty file that it would have been of use. Whether that is new. */
static bool is_first(const char *path) {
    int fd = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
    if (fd >= 0) close(fd);
    return fd >= 0;
}

void precompiled_make(const Compilation *compilation, const Argv *command, const char *path) {
    LOCAL_TEXT folder = {0};
    if (is_first(path)) return;
    text_add_bytes(&folder, path, (size_t)(strrchr(path, '/') - path));
    LOCAL_TEXT made = text_from("%s/" PTXCACHE_UNFINISHED "XXXXXX", text_string(&folder));
    int fd = mkostemp(made.data, O_CLOEXEC);
    if (fd >= 0) {
        bool fine = make(compilation, command, text_string(&made)) && chmod(text_string(&made), 0600) == 0 &&
                    is_there(text_string(&made)) && rename(text_string(&made), path) == 0;
        if (!fine) unlink(text_string(&made));
        close(fd);
        ptxcache_trim(text_string(&folder), PTXCACHE_HEADER_BYTES);
    }
}
