/* process.h: runs another program without a shell, within a time limit, and catches what it writes. */
#pragma once

#include <stdbool.h>
#include <stddef.h>

#include "base/text.h"

typedef struct ProcessRequest {
    const char *const *argv; /* argv[0] is the program: a path, or a name to look up in PATH; NULL-terminated */
    const char *temp_dir;    /* the child's TMPDIR; NULL leaves the environment alone */
    unsigned timeout_s;      /* after that the program and all its children in its group are killed */
    size_t output_limit;     /* bytes of standard output and error, together, that are kept; the rest is read and dropped */
} ProcessRequest;

typedef struct ProcessResult {
    Text output; /* caller frees with text_free */
    int status;  /* exit status; 128 + signal when killed; -1 when it could not be started (error says why) */
    bool timed_out;
    bool truncated; /* output went past its limit */
    int error;      /* errno of the failed start */
} ProcessResult;

/* Fills *result. True when the program ran and ended with status 0. */
bool process_run(const ProcessRequest *request, ProcessResult *result);
