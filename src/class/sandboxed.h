/* sandboxed.h: a file that somebody else wrote, graded by src/grade/sandbox: copied once, compiled and graded apart, under limits. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/diag.h"
#include "base/text.h"

enum { SUBMITTED_BYTES = 1 << 20, ARCHIVE_BYTES = 64 << 20 }; /* the most of a kernel.cu, of an archive */

/* The statuses of a grading, as of all commands. */
typedef enum Graded { GRADED_FULL, GRADED_LESS, GRADED_USAGE, GRADED_REFUSED, GRADED_UNABLE } Graded;

typedef struct SandboxRequest {
    const char *build;             /* the build folder */
    const char *lab;               /* "05-transpose" */
    const char *name;              /* what people call the file */
    const char *cc, *seed;         /* NULL: the preferred compiler, the seed of file and secret */
    uint32_t variant;              /* that the exercise must be: lab/variants.h */
    bool json, colour, shown, all; /* shown: the JSON holds what people are shown as well */
    const char *kernel;            /* of which alone all is explained; NULL: none is asked for */
    size_t columns;                /* of the page; 0: as it comes */
    const char *only; /* not NULL: kernels of these names, with commas between, run on the GPU, and nothing is graded */
    const Text *ptx;  /* with only: what the file compiled to; NULL: it is compiled */
    bool is_archive;  /* the bytes are an archive that holds a kernel.cu */
} SandboxRequest;

typedef struct SandboxResult {
    Graded status;
    Text result; /* what the lab's program printed; "" when there is nothing */
    Text ptx;    /* what the file compiles to; "" when it does not */
    Text source; /* of an archive that compiles: the kernel.cu that it held */
    Text said;   /* the sandbox's own words; behind GRADED_UNABLE why */
} SandboxResult;

/* Appends the bytes of the regular file at path beneath the folder (an open descriptor), following no links, not even hard ones to what others may not
 * read (class/putter.h), and at most one byte more than limit. False with a message. */
bool take_bytes(int folder, const char *path, size_t limit, Text *bytes, Diag *diag);

/* Grades the bytes. The current folder is the tree's root, or WARPSCOPE_HOME names it. */
void sandbox_grade(const SandboxRequest *request, const Text *bytes, SandboxResult *result);
void sandbox_free(SandboxResult *result);
