/* compile.h: a CUDA source file becomes PTX text, or an object file, by NVIDIA's nvcc or, with no NVIDIA software at all, by clang
 * and the headers in src/include. No line of the author's code runs. This module starts programs and writes a temporary directory,
 * which it removes before a function returns. */
#pragma once

#include <stdbool.h>
#include <stddef.h>

#include "base/diag.h"
#include "base/text.h"

typedef enum CompilerChoice { COMPILER_AUTO, COMPILER_NVCC, COMPILER_CLANG } CompilerChoice;

typedef struct CompileRequest {
    const char *path;           /* the .cu file; its name may have any characters */
    CompilerChoice compiler;    /* COMPILER_AUTO: nvcc where there is one, else clang */
    const char *include_dir;    /* directory of warpscope_cuda.h, which clang needs and nvcc never sees */
    unsigned arch;              /* 75 for compute capability 7.5; 0: as compile_arch says */
    const char *const *options; /* as the user gave them, in nvcc's language, passed on after ours (options.h); may be NULL */
    size_t option_count;
    bool relocatable;   /* an object's device code is linked with others' */
    bool warns;         /* clang is asked for what nvcc warns of by itself */
    unsigned timeout_s; /* the compiler and its children are killed after that; 0 for COMPILE_TIMEOUT_S */
} CompileRequest;

typedef struct CompileResult {
    Text ptx;            /* empty when compiling failed */
    Text messages;       /* what the compiler wrote, whole: warnings, or the errors */
    char compiler[64];   /* "nvcc 13.0", "clang 14.0.6"; "" when none was found */
    CompilerChoice used; /* never COMPILER_AUTO once a compiler was found */
    bool unable;         /* it failed for want of a compiler, of room or of the like: nothing is known of the file */
} CompileResult;

/* What each of a compiler's programs may compute, and all of them may take, so that a busy computer refuses nothing: a template without an end
 * computes. */
#define COMPILE_PROCESSOR_S 60
#define COMPILE_TIMEOUT_S 600
#define COMPILE_SOURCE_LIMIT ((size_t)256 << 20) /* bytes of a source file */
#define COMPILE_PTX_LIMIT ((size_t)64 << 20)     /* bytes of PTX that are accepted */
#define COMPILE_MESSAGES_LIMIT ((size_t)1 << 20) /* bytes of messages that are kept; the rest is dropped with a remark */
#define COMPILE_FLOOD \
    (4 *              \
     COMPILE_MESSAGES_LIMIT) /* a compiler that writes more is stopped: a file that includes itself again and again never ends */

/* The compute capability, times ten, that a request's file is compiled for: its own, else what its options name, else ARCH_OF_KERNELS (options.h). */
unsigned compile_arch(const CompileRequest *request);

/* Device code alone. Fills *result, which the caller frees in any case with compile_result_free. False with diag set when no compiler
 * was found, when it refused the file, or when it ran past its time; diag's position is the compiler's first error where one could
 * be read. */
bool compile_cu(const CompileRequest *request, CompileResult *result, Diag *diag);

/* The whole program, host code and device code: writes an object file, to be linked with a CUDA runtime and the C++ library. Its
 * constructor registers the PTX by __cudaRegisterFatBinary(): clang's is the NUL-terminated text itself, which is in result->ptx
 * too; nvcc's is in a fat binary, not compressed, and result->ptx is empty. Clang reads the file twice, but each warning and each
 * error is in result->messages once. */
bool compile_object(const CompileRequest *request, const char *object_path, CompileResult *result, Diag *diag);

static inline void compile_result_free(CompileResult *result) {
    text_free(&result->ptx);
    text_free(&result->messages);
}

/* Declares a result that is freed where its block ends. */
#define LOCAL_COMPILED __attribute__((cleanup(compile_result_free))) CompileResult

/* Whether whole programs built by a compiler of that name fit our runtime. Its API is that of CUDA 13; the headers of an older nvcc
 * declare other layouts, of cudaDeviceProp for one. Kernels are the same. */
bool compile_fits_runtime(const char *name);

/* Where a compiler is and what it calls itself, for `make doctor` and the like. False when there is none of that kind. */
bool compile_find(CompilerChoice choice, char *path, size_t path_bytes, char *name, size_t name_bytes);
