#include "command/buildmessages.h"

#include <string.h>

#include "base/alloc.h"
#include "base/text.h"
#include "cuda/advice.h"
#include "cuda/compile.h"
#include "cuda/message.h"
#include "runtime/functions.h"

/* A kernel that launches one. */
static void explain_launch(const char *messages, Diag *diag) {
    const bool nvcc = strstr(messages, "kernel launch from __device__ or __global__ functions") != NULL;
    const bool clang = strstr(messages, "reference to __global__ function '") != NULL;
    if (!nvcc && !clang) return;
    diag_say(diag, "a kernel launches a kernel (dynamic parallelism)%s", nvcc ? "" : ", which clang does not compile");
    diag_hint(diag,
              nvcc ? "-rdc=true, as nvcc says" : "--cc nvcc -rdc=true, where there is an nvcc; or launch it from the host");
}

/* Where compiler or linker misses what has a name that begins with this one; NULL: nowhere. */
static const char *missing_name(const char *messages, const char *name) {
    for (const char *at = messages; (at = strstr(at, name)) != NULL; at++) {
        const char *line = at;
        while (line > messages && line[-1] != '\n') line--;
        const char *error = text_find(line, at, "fatal error: "), *unfound = text_find(line, at, "cannot find -l");
        if (unfound) unfound += strlen(text_begins(unfound, "cannot find -l:") ? "cannot find -l:lib" : "cannot find -l");
        if (unfound ? at == unfound : error && strchr(" '\"/", at[-1])) return at;
    }
    return NULL;
}

/* Headers and libraries that a toolkit may lack, and what to do then. */
static void explain_missing(const char *messages, Diag *diag) {
    static const struct {
        const char *name, *what, *remedy;
    } rows[] = {
#define SAMPLE(name)                                       \
    {name, "of NVIDIA's CUDA samples, not of its toolkit", \
     "-I FOLDER, where FOLDER is Common in the samples' source (github.com/NVIDIA/cuda-samples)"},
#define OLD_SAMPLE(name)                                         \
    {name, "of the CUDA SDK up to 4.2, and in no toolkit since", \
     "-I FOLDER, where FOLDER is C/common/inc of that SDK; many a program has a copy"},
#define LIBRARY(name, library) \
    {name, library ", which is not emulated", "leave its calls out with #ifndef __WARPSCOPE__, or write the kernel"},
#define TEMPLATES(name) {name, "of NVIDIA's CUDA toolkit", "--cc nvcc, where there is one; ./setup --cuda gets it"},
#include "command/missing.def"
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows && !diag->set; i++) {
        if (!missing_name(messages, rows[i].name)) continue;
        diag_say(diag, "'%s' is %s", rows[i].name, rows[i].what);
        diag_hint(diag, "%s", rows[i].remedy);
    }
}

/* What the linker misses; nvcc leaves it to the linker that host code has no threadIdx. */
static void explain_undefined(const char *messages, Diag *diag) {
    if (strstr(messages, "undefined reference to `main'")) {
        diag_say(diag, "there is no main: a file of kernels alone is no program");
        diag_hint(diag, "warpscope launch FILE.cu --grid X --block X --arg … runs one of its kernels");
    } else if (strstr(messages, "undefined reference to `__device_builtin_variable_")) {
        diag_say(diag, "host code reads what threads alone have");
        diag_hint(diag, ADVICE_REGISTERS);
    }
}

/* What helps against the first error, where that is known. */
static void explain_error(const char *messages, const char *compiler, Diag *diag) {
    Diag first = {0};
    if (!message_first_error(messages, &first)) return;
    FREED char *text = text_read_file(first.file, COMPILE_SOURCE_LIMIT, NULL);
    advice_add(&first, messages, first.file, text);
    if (!first.hint[0]) return;
    diag_say(diag, "'%.200s' does not compile with %s", first.file, compiler);
    diag_hint(diag, "%s", first.hint);
}

void build_explain(const char *messages, const char *compiler, Diag *diag) {
    if (!functions_explain(messages, diag)) explain_launch(messages, diag);
    if (!diag->set) explain_missing(messages, diag);
    if (!diag->set) explain_undefined(messages, diag);
    if (!diag->set) explain_error(messages, compiler, diag);
}
