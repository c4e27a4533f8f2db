/* class.h: the submissions of a class graded: each once, by as many processes as are wanted, also of several computers that share the folder of
 * results. Whatever ends one of them, the next call goes on.
 *
 * OUT/results/SLUG/result.json    a submission's result:
 *     {"submission", "student", "file", "lab", "status": graded | refused | ungraded, "score", "points", "reason", "key",
 *      "versions": {"grader", "compiler"}, "result": what the lab's program printed (lab/result.h),
 *      "measured": what its kernels did on a GPU (class/ongpu.h), if they were to run there}
 *     Ungraded, which is nobody's fault, has no score. A key that does not apply is absent. Nothing else than "measured" depends
 *     on when, where or beside what it was graded.
 * OUT/state/secret                what the data of the class is drawn from, unless the teacher names another file; secret.2, …: further draws
 * OUT/state/graded/KEY.json       what the grader said of these bytes; equal files are graded once, for each variant that they must be
 * OUT/state/graded/KEY.ptx        what they compile to
 * OUT/state/graded/KEY.cu         the kernel.cu that an archive held
 * OUT/state/graded/KEY.gpu        what that did on a GPU, which is asked once for equal files
 * OUT/state/locks, names, book    locked while a key is graded, a result is written, the gradebook is */
#pragma once

#include <jansson.h>
#include <stdint.h>

#include "class/out.h"
#include "class/submissions.h"
#include "device/gpu.h"
#include "lab/catalogue.h"
#include "lab/random.h"

#define KEY_VARIANT "v" /* in a key: behind it the variant that the submission had to be */

typedef struct ClassRequest {
    const char *dir, *out, *build;
    const char *within; /* OUT lies below that of a course, or of another class; NULL: it is the user's own word */
    const CatalogueEntry *lab;
    const char *cc, *secret; /* NULL: the preferred compiler; OUT/state/secret */
    uint64_t jobs;
    unsigned share, shares; /* the share-th of so many: every shares-th submission; 1 of 1: all */
    bool again;             /* also what has been graded already */
    uint64_t settled;       /* seconds for which a submission must not have changed; 0: it is taken as it is */
    const char *course;     /* the word that variants follow from (lab/variants.h); NULL: all submissions must be variant 0 */
    bool on_gpu;            /* the kernels that are right are to run on this computer's GPU as well */
    unsigned draws;         /* of shapes and data for each file: the least score counts */
} ClassRequest;

typedef struct Class {
    ClassRequest request;
    Submissions submissions;
    char **secrets;                    /* files, one a draw: the secret, and what is derived from it */
    uint8_t (*keys)[RANDOM_KEY_BYTES]; /* what they hold */
    char grader[17];                   /* what the results depend on besides file and secret: programs, goals, compilers */
    int folder;                        /* DIR */
    Out out;
    GpuInfo gpu; /* with on_gpu, once ongpu_find has found it */
} Class;

/* How far it is. Of those that are done, `graded` were graded now, the others before or as an equal file. */
typedef struct ClassProgress {
    size_t total, done, graded, ungraded;
} ClassProgress;

/* Makes OUT and what it needs, and finds the submissions. False with a message. class_close in any case. */
bool class_open(Class *class, const ClassRequest *request, Diag *diag);
void class_close(Class *class);

/* Grades what is not graded yet. tell is called a few times a second, in the calling process. False with a message where that could not be
 * done for all: diag is set when something stands against it (no room left), or interrupted is the signal that ended it. */
bool class_grade(const Class *class, void (*tell)(const ClassProgress *progress), ClassProgress *progress, int *interrupted,
                 Diag *diag);

/* The JSON that OUT/NAME holds; NULL: none. To be freed by json_decref. */
json_t *class_read(const Class *class, const char *name);

/* A submission's result as the file holds it, or NULL where there is none of this grader and this file: to be freed by json_decref. */
json_t *class_result(const Class *class, const Submission *submission);

/* Writes a submission's result, unless the file holds it already, and frees it. */
bool class_put_result(const Class *class, const Submission *submission, json_t *result, Diag *diag);

/* A byte of OUT/state/FILE stands for a text, and whoever has it locked is the only one at work on what the text names. Locks end with their process,
 * whatever ends it, and hold on shared file systems as well. class_lock waits; one process has one lock of a file at a time. */
int class_lock(const Class *class, const char *file, const char *text);
void class_unlock(int lock);

/* "results/SLUG/NAME", which is below OUT. */
Text class_path(const Submission *submission, const char *name);
