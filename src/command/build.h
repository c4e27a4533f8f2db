/* build.h: programs built for the emulated device, from nvcc's usual options: no runtime of NVIDIA's, device code as plain PTX, line
 * numbers, our library linked in. By nvcc, or by clang with nothing of NVIDIA's. */
#pragma once

#include <stdbool.h>
#include <stddef.h>

#include "base/arena.h"
#include "base/diag.h"
#include "cuda/compile.h"

/* What a word of the command line is about. */
typedef enum ItemKind { ITEM_FILE, ITEM_COMPILE, ITEM_LINK, ITEM_OUTPUT, ITEM_MODE } ItemKind;

typedef struct Item {
    ItemKind kind;
    const char *word, *value; /* value: the next word, where it belongs to this one; else NULL */
} Item;

typedef struct Build {
    Arena *arena;
    CompilerChoice compiler;
    const char *library;     /* path of libthirtytwo.a */
    const char *include_dir; /* of our CUDA headers, for clang; NULL: not found */
    unsigned newest; /* compute capability of the device, 90 for 9.0: device code is made for the newest one up to that */

    /* Set by build_read. */
    Item *items;
    size_t count, capacity;
    const char *first_file; /* or NULL */
    bool links;             /* makes a program, not objects or text */
    bool debug;             /* -G */
    bool relocatable;       /* -rdc=true, -dc: device code of several files may be meant to be linked, which is not done */
    unsigned arch;          /* 75 for compute capability 7.5 */

    char name[64]; /* "nvcc 13.0", once build_run has found the compiler */
} Build;

/* Reads options; the words must outlive the build. False with a message for an option without its value or without a meaning here. */
bool build_read(Build *build, const char *const *words, size_t count, Diag *diag);

/* Compiles and links; output: where to, instead of what the options say, or NULL. What compilers say goes to standard error. False, with
 * a message in diag unless the compiler has said it all, when that did not go well. */
bool build_run(Build *build, const char *output, Diag *diag);
