/* process.h: runs another program, without a shell: compilers in the background, within a time limit; or, as a shell would, in the
 * foreground. */
#pragma once

#include <stdbool.h>
#include <stddef.h>

#include "base/diag.h"
#include "base/text.h"

typedef enum ProcessMode {
    PROCESS_BACKGROUND,    /* no input; standard output and error are caught */
    PROCESS_FOREGROUND,    /* our own input and output; signals that ask us to end are handed on */
    PROCESS_CATCHES_ERRORS /* likewise, but standard error is caught */
} ProcessMode;

typedef struct ProcessRequest {
    const char *const *argv; /* argv[0] is the program: a path, or a name to look up in PATH; NULL-terminated */
    ProcessMode mode;
    const char *errors_path;  /* in the background: standard error goes into this file and is not caught; NULL: it is */
    const char *temp_dir;     /* the child's TMPDIR; NULL leaves the environment alone */
    char *const *environment; /* all of the child's environment, in place of ours and of temp_dir; NULL: ours */
    const char *folder;       /* that it runs in; NULL: ours */
    unsigned
        timeout_s; /* in the background: after that the program and all its children in its group are ended. On a busy computer a
                                 second is little: it bounds what waits, processor_s what computes */
    unsigned
        processor_s;     /* of processor time, for the program and each that it starts; 0: what this process has. Linux alone */
    size_t output_limit; /* bytes that are kept of what is caught; the rest is read and dropped */
    size_t flood;        /* in the background: when more bytes than these were caught, it is ended likewise; 0: however many */
} ProcessRequest;

typedef struct ProcessResult {
    Text output; /* what was caught; caller frees with text_free */
    int status;  /* exit status; 128 + signal when killed; -1 when it could not be started (error says why) */
    bool timed_out, flooded;
    bool truncated; /* output went past its limit */
    int error;      /* errno of the failed start */
    double used_s;  /* processor time of all that ended */
} ProcessResult;

/* All that ends a program unless it is caught, but for what a mistake of its own raises, and SIGKILL. SIGPIPE: nobody reads what we say any more. */
#define PROCESS_ENDING_SIGNALS SIGTERM, SIGINT, SIGHUP, SIGQUIT, SIGPIPE, SIGALRM, SIGUSR1, SIGUSR2, SIGXCPU

/* From here until the release as often, these signals end the program that process_run has in the background, with all
 * of its group, and this one only at the last release: so that temporary files can be removed first. Further programs are not started. */
void process_hold_signals(void);
void process_release_signals(void);

/* What whoever started this program left to it and is in its way, at its beginning: SIGCHLD ignored, so that what it starts could not be waited for; a
 * umask by which what it makes were not its own to read, write and enter; a small stack (process_expect_stack). False with a message. */
bool process_begin(Diag *diag);

/* Whoever started this program may have given it a stack that kernels, threads and compilers do not fit: it becomes as large as is usual, where that is
 * allowed. At a program's beginning. False with a message where what is allowed is too little. */
bool process_expect_stack(Diag *diag);

/* Whether one of them came since: for loops that wait for more than a program. */
bool process_is_asked_to_end(void);

/* The one that came while the last program ran in the foreground, 0: none. That program had it too, but may have been about to end with a
 * status of its own. */
int process_shared_signal(void);

/* Fills *result. True when the program ran and ended with status 0. In the foreground: one at a time. */
bool process_run(const ProcessRequest *request, ProcessResult *result);

/* Processor time of all that this process started and has waited for, and of theirs, so far. */
double process_children_s(void);

/* Removes from the system's table what programs that ran have left there: processes of theirs that outlived their parents and became children of
 * this one. For a process that has no other children. */
void process_reap(void);
