/* sandboxed.h: a file that somebody else wrote, graded or launched by src/grade/sandbox: copied once, compiled and graded apart, under limits. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/text.h"

enum { SUBMITTED_BYTES = 1 << 20, ARCHIVE_BYTES = 64 << 20 }; /* the most of a kernel.cu, of an archive */

/* The most that one grading, or launch, may take by the clock: above all limits of the sandbox and of the lab's program together, so that it ends what hangs. */
enum { SANDBOXED_S = 1800 };

/* The statuses of a grading, as of all commands. */
typedef enum Graded { GRADED_FULL, GRADED_LESS, GRADED_USAGE, GRADED_REFUSED, GRADED_UNABLE } Graded;

typedef struct SandboxRequest {
    const char *script;            /* src/grade/sandbox of another tree than the current folder's; NULL: that one */
    const char *build;             /* the build folder */
    const char *lab;               /* "05-transpose"; SANDBOX_LAUNCH: none is graded */
    const char *name;              /* what people call the file */
    const char *cc, *seed;         /* NULL: the preferred compiler, the seed of file and secret */
    uint32_t variant;              /* that the exercise must be: lab/variants.h */
    bool json, colour, shown, all; /* shown: the JSON holds what people are shown as well */
    const char *kernel;            /* of which alone all is explained; NULL: none is asked for */
    size_t columns;                /* of the page; 0: as it comes */
    const char *only; /* not NULL: kernels of these names, with commas between, run on the GPU, and nothing is graded */
    const Text *ptx;  /* with only: what the file compiled to; NULL: it is compiled */
    bool is_archive;  /* the bytes are an archive that holds a kernel.cu */
    bool pictures;    /* the JSON has them, for an editor */
    /* A folder of this user's alone, in which our headers are kept as clang has read them, for files to come; NULL: there is none. */
    const char *kept;
    const char *path;          /* where the file is, so that its headers come along (included.h); NULL: it has none */
    const char *const *launch; /* options of `warpscope compile`, "--", those of `warpscope launch`; NULL at the end */
} SandboxRequest;

typedef struct SandboxResult {
    Graded status;
    Text result; /* what the lab's program, or the launch, printed; "" when there is nothing */
    Text ptx;    /* what the file compiles to; "" when it does not */
    Text source; /* of an archive that compiles: the kernel.cu that it held */
    Text said;   /* the sandbox's own words; behind GRADED_UNABLE why */
} SandboxResult;

/* In the place of a lab: the file is launched, and the result is the launch's JSON. GRADED_REFUSED: it does not compile, or is not emulated. */
#define SANDBOX_LAUNCH "launch"

/* The seconds of processor time that each program in the sandbox has: SANDBOX_SECONDS, as src/grade/sandbox takes it, or what that has without. */
unsigned sandbox_seconds(void);

/* Grades or launches the bytes. Without a script the current folder is the tree's root, or WARPSCOPE_HOME names it. */
void sandbox_grade(const SandboxRequest *request, const Text *bytes, SandboxResult *result);
void sandbox_free(SandboxResult *result);
