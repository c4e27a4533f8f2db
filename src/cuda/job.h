/* job.h: one compilation: which compiler does it, the temporary directory that it works in, its messages and its first error. */
#pragma once

#include <stdbool.h>
#include <stddef.h>

#include "base/diag.h"
#include "base/text.h"
#include "cuda/argv.h"
#include "cuda/compile.h"

#define JOB_PATH_BYTES 4096

typedef struct Job {
    const CompileRequest *request;
    CompileResult *result;
    Diag *diag;
    char compiler[JOB_PATH_BYTES];
    Text temp_dir;
    char arch[32]; /* "sm_75" */
    unsigned timeout_s;
} Job;

/* Chooses the compiler and makes the directory. False with diag set when it cannot; job_end is called in any case. */
bool job_begin(Job *job, const CompileRequest *request, CompileResult *result, Diag *diag);
void job_end(Job *job);

/* The path of a file in the temporary directory; the caller frees it with text_free. */
Text job_file(const Job *job, const char *name);

/* Runs the compiler; its messages are added to the result's. False with diag set to its first error when it fails. */
bool job_run(Job *job, const Argv *command);

/* The text of a file that the compiler wrote, which the caller frees; NULL with diag set when it is longer than limit or absent. */
char *job_read(Job *job, const char *path, size_t limit, size_t *length);

/* The file's text becomes the result's ptx. */
bool job_keep_ptx(Job *job, const char *path);
