/* compilation.h: one compilation: which compiler does it, the temporary directory that it works in, its messages and its first error. */
#pragma once

#include <stdbool.h>
#include <stddef.h>

#include "base/diag.h"
#include "base/text.h"
#include "cuda/alias.h"
#include "cuda/argv.h"
#include "cuda/compile.h"

#define COMPILER_PATH_BYTES 4096

typedef struct Compilation {
    const CompileRequest *request;
    CompileResult *result;
    Diag *diag;
    char compiler[COMPILER_PATH_BYTES];
    Text temp_dir;
    Aliases aliases;
    unsigned arch;       /* 75 for compute capability 7.5 */
    unsigned known_arch; /* the same or, with a clang that does not know that, the newest that it does */
    unsigned timeout_s;
} Compilation;

/* Chooses the compiler and makes the directory. False with diag set when it cannot; compilation_end is called in any case. */
bool compilation_begin(Compilation *compilation, const CompileRequest *request, CompileResult *result, Diag *diag);
void compilation_end(Compilation *compilation);

/* The path of a file in the temporary directory; the caller frees it with text_free. */
Text compilation_file(const Compilation *compilation, const char *name);

/* Notes that nothing is known of the file, for want of something else than its own text. False. */
bool compilation_unable(Compilation *compilation);

/* Runs the compiler; its messages are added to the result's. False with diag set to its first error when it fails. */
bool compilation_run(Compilation *compilation, const Argv *command);

/* The text of a file that the compiler wrote, which the caller frees; NULL with diag set when it is longer than limit or absent. */
char *compilation_read(Compilation *compilation, const char *path, size_t limit, size_t *length);

/* The file's text becomes the result's ptx. */
bool compilation_keep_ptx(Compilation *compilation, const char *path);
