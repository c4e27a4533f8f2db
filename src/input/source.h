/* source.h: from a file on the command line to a Program: .ptx is read, everything else that CUDA programmers write is compiled. */
#pragma once

#include "base/diag.h"
#include "cuda/compile.h"
#include "ptx/program.h"

typedef struct Source {
    Program *program;
    const char *path;       /* the request's */
    bool is_ptx;            /* nothing was compiled */
    char *text;             /* the file as it stands on the disk, NUL-terminated */
    CompileResult compiled; /* compiler's name and messages; empty for PTX */
} Source;

typedef enum SourceStatus {
    SOURCE_GOOD,
    SOURCE_UNREADABLE, /* nothing is known of its text: the file cannot be read, or no compiler be started */
    SOURCE_WRONG,      /* it does not compile or parse */
} SourceStatus;

/* Fills source, to be freed with source_free in every case; diag unless SOURCE_GOOD. The request's path may also end in .ptx, and the
 * rest of the request is ignored then. */
SourceStatus source_load(const CompileRequest *request, Source *source, Diag *diag);

/* The same for a file that `warpscope compile` has compiled already: its PTX is read, messages and lines are the file's. */
SourceStatus source_load_compiled(const char *path, const char *ptx, Source *source, Diag *diag);

/* The same for PTX that lies in memory, NUL-terminated: nothing is read, and there is no text to show. path: the source's, or of PTX that
 * nobody compiled. False and a message where it does not parse. */
bool source_from_ptx(const char *path, const char *ptx, size_t bytes, Source *source, Diag *diag);

void source_free(Source *source);

/* Declares a source that is freed where its block ends. */
#define LOCAL_SOURCE __attribute__((cleanup(source_free))) Source

/* The PTX, given or compiled: NUL-terminated, the source's. */
const char *source_ptx(const Source *source);
const char *source_compiler(const Source *source); /* NULL: it is PTX */

/* The kernel of this name (see program_kernel), or with a NULL name the only kernel that the file has. NULL and a message that
 * lists the kernels otherwise. */
const Function *source_kernel(const Source *source, const char *name, Diag *diag);
