/* build.h: a CUDA compiler's command line, changed so that what it builds runs on the emulated device: no runtime of NVIDIA's, device
 * code as plain PTX, line numbers, and our library linked in. */
#pragma once

#include <stdbool.h>
#include <stddef.h>

#include "base/arena.h"
#include "base/diag.h"
#include "cuda/compile.h"

/* A command line that grows; words are not copied. */
typedef struct Argv {
    Arena *arena;
    const char **list; /* NULL-terminated once anything was added */
    size_t count, capacity;
} Argv;

void argv_add(Argv *words, const char *word);

typedef struct Build {
    CompilerChoice compiler;
    const char *library; /* path of libthirtytwo.a */
    unsigned newest;     /* compute capability of the device, 90 for 9.0: device code is made for the newest one up to that */
    char name[64];       /* out: "nvcc 13.0" */
    bool links;          /* out: the command makes a program, not objects or text */
    const char *first_file; /* out: the first file named, or NULL */
} Build;

/* Appends the compiler and its options to command, from nvcc's usual options (count of them). False with a message when there is no
 * compiler or an option has no meaning here. */
bool build_command(Build *build, const char *const *options, size_t count, Argv *command, Diag *diag);
