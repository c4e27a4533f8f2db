/* build.h: programs built for the emulated device, from nvcc's usual options: without NVIDIA's runtime, device code as plain PTX with
 * line numbers, linked with our library. By nvcc, or by clang with nothing of NVIDIA's. */
#pragma once

#include <stdbool.h>
#include <stddef.h>

#include "base/diag.h"
#include "cuda/argv.h"
#include "cuda/compile.h"

typedef struct Build {
    CompilerChoice compiler;
    const char *library;     /* path of libthirtytwo.a */
    const char *include_dir; /* of our CUDA headers, NULL: not found */

    /* Set by build_read. */
    const char *const *words; /* as given */
    size_t count;
    const char *first_file; /* or NULL */
    const char *output;     /* as -o says; NULL: the compiler's default */
    bool cuda;              /* -x cu: files with the names of C++ are CUDA too */
    bool links;             /* makes a program, not objects or text */
    bool debug;             /* -G */
    bool device_link;       /* -dlink */
    bool relocatable;       /* -rdc=true, -dc: device code is linked with that of other files */
    unsigned arch, newest;  /* 75 for compute capability 7.5: of the code, of the device */

    /* Set by build_run. */
    char name[64];          /* "nvcc 13.0", once the compiler is found */
    unsigned older, wanted; /* as for CUDA 12 or 11; 0: as for 13. As what it is to be compiled again */
    Argv made;              /* objects, each with the source that it is of behind it */
    Text missed;            /* for the sake of these names */
} Build;

/* Reads options; the words must outlive the build. newest: compute capability of the device, 90 for 9.0: device code is made for the
 * newest one up to that. False with a message for an option without its value or without a meaning here. */
bool build_read(Build *build, const char *const *words, size_t count, unsigned newest, Diag *diag);

/* What the program will write; NULL: it does not. */
typedef struct BuildOutputs {
    const char *json, *trace;
} BuildOutputs;

/* Whether what was read is a build that loses no file: there is one to compile, none is written over, by the program neither, each object has a
 * name of its own, and no name becomes a rule of make. */
bool build_check(const Build *build, const BuildOutputs *others, Diag *diag);

/* Compiles and links. What compilers say goes to standard error. False, with a message in diag unless the compiler has said it all, when
 * either fails. */
bool build_run(Build *build, Diag *diag);
