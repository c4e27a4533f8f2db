/* compiled.h: a file compiled by one of the compilers that are installed here, and what is said of it. */
#pragma once

#include <stdlib.h>
#include <string.h>

#include "cuda/compile.h"
#include "suite.h"

#define HEADERS "src/include"

static const CompilerChoice compilers[] = {COMPILER_NVCC, COMPILER_CLANG};

static CompileResult result;
static Diag diag;

/* What to compile; of what was compiled before, nothing is left. The headers by their whole path: clang may read them as they were kept
 * (precompiled.h). */
static inline CompileRequest compile_anew(CompilerChoice choice, const char *path, const char *const *options, size_t count) {
    static char *headers;
    if (!headers) headers = realpath(HEADERS, NULL);
    compile_result_free(&result);
    diag = (Diag){0};
    return (CompileRequest){
        .path = path, .compiler = choice, .include_dir = headers, .options = options, .option_count = count};
}

static inline int occurrences(const char *text, const char *what) {
    int count = 0;
    for (; (text = strstr(text, what)) != NULL; text += strlen(what)) count++;
    return count;
}
