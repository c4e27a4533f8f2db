#include "class/sandboxed.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "class/included.h"
#include "class/putter.h"
#include "cuda/argv.h"
#include "cuda/folder.h"
#include "host/process.h"
#include "host/replace.h"

enum { SAID_BYTES = 64 << 10, RESULT_BYTES = 64 << 20 };

/* The file itself, or -1 with errno, and its folder's status. Each folder on the way is opened by itself, so that none of them is a link either. */
static int open_beneath(int folder, const char *path, struct stat *holder) {
    Text step = {0};
    int at = folder, next = -1;
    for (const char *rest = path; rest;) {
        size_t length = strcspn(rest, "/");
        bool is_last = !rest[length];
        text_free(&step);
        text_add_bytes(&step, rest, length);
        next = openat(at, text_string(&step), O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC | (is_last ? 0 : O_DIRECTORY));
        int error = errno;
        fstat(at, holder);
        if (at != folder) close(at);
        errno = error;
        at = next;
        rest = is_last || next < 0 ? NULL : rest + length + 1;
    }
    text_free(&step);
    return next;
}

static bool read_all(int fd, size_t limit, Text *bytes) {
    char block[1 << 16];
    while (bytes->length <= limit) {
        size_t room = limit + 1 - bytes->length;
        ssize_t got = read(fd, block, room < sizeof block ? room : sizeof block);
        if (got < 0 && errno == EINTR) continue;
        if (got <= 0) return got == 0;
        text_add_bytes(bytes, block, (size_t)got);
    }
    return true;
}

bool take_bytes(int folder, const char *path, size_t limit, Text *bytes, bool *refused, Diag *diag) {
    struct stat status = {0}, holder = {0};
    int fd = open_beneath(folder, path, &holder);
    const char *why = fd < 0 && errno == ELOOP                              ? "it is a link"
                      : fd < 0                                              ? NULL
                      : fstat(fd, &status) != 0 || !S_ISREG(status.st_mode) ? "it is no regular file"
                      : !putter_may_read(&holder, &status)                  ? putter_may_not
                                                                            : NULL;
    *refused = why != NULL;
    if (why)
        diag_error(diag, path, 0, 0, "%s", why);
    else if (fd < 0)
        diag_error(diag, path, 0, 0, "%s", strerror(errno));
    else if (!read_all(fd, limit, bytes))
        diag_error(diag, path, 0, 0, "it cannot be read: %s", strerror(errno));
    if (fd >= 0) close(fd);
    return !diag->set;
}

/* What the sandbox left behind. */
static void fetch(const char *folder, const char *name, Text *result) {
    size_t length = 0;
    LOCAL_TEXT path = text_from("%s/%s", folder, name);
    FREED char *bytes = text_read_file(text_string(&path), RESULT_BYTES, &length);
    if (bytes) text_add_bytes(result, bytes, length);
}

static void add_option(Argv *argv, const char *option, const char *value) {
    if (!value) return;
    argv_add(argv, option);
    argv_add(argv, value);
}

static void add_grading(Argv *argv, const SandboxRequest *request) {
    char number[24];
    snprintf(number, sizeof number, "%u", request->variant);
    add_option(argv, "--variant", number);
    if (request->json) argv_add(argv, "--json");
    if (request->shown) argv_add(argv, "--shown");
    if (request->pictures) argv_add(argv, "--pictures");
    if (request->colour) argv_add(argv, "--colour");
    if (request->all) argv_add(argv, "--all");
    add_option(argv, "--kernel", request->kernel);
    snprintf(number, sizeof number, "%zu", request->columns);
    add_option(argv, "--columns", request->columns ? number : NULL);
    if (request->only) add_option(argv, "--on", "gpu");
    add_option(argv, "--only", request->only);
    add_option(argv, "--seed", request->seed);
}

static void run_sandbox(const SandboxRequest *request, const char *folder, SandboxResult *result) {
    const char *const words[] = {request->script ? request->script : "src/grade/sandbox",
                                 folder,
                                 request->lab,
                                 request->name,
                                 request->cc ? request->cc : "any",
                                 NULL};
    LOCAL_ARGV argv = {0};
    ProcessResult run;
    argv_add_all(&argv, words);
    if (request->launch)
        argv_add_all(&argv, request->launch);
    else
        add_grading(&argv, request);
    setenv("BUILD", request->build, 1);
    process_run(
        &(ProcessRequest){
            .argv = (const char *const *)argv.words, .temp_dir = folder, .timeout_s = SANDBOXED_S, .output_limit = SAID_BYTES},
        &run);
    result->status = run.error || run.timed_out || run.status > GRADED_UNABLE ? GRADED_UNABLE : (Graded)run.status;
    result->said = run.output;
    if (result->status != GRADED_USAGE || !result->said.length) fetch(folder, "result", &result->result);
    if (result->status <= GRADED_LESS) fetch(folder, "in/.own/kernel.ptx", &result->ptx);
    if (result->status <= GRADED_LESS && request->is_archive) fetch(folder, "kernel.cu", &result->source);
    if (run.timed_out) text_free(&result->said);
    if (run.timed_out)
        text_add(&result->said, "it took more than %d s: is this computer very slow, or very busy?", SANDBOXED_S);
    else if (run.error)
        text_add(&result->said, "src/grade/sandbox cannot be started: %s", strerror(run.error));
    else if (result->status == GRADED_UNABLE && !result->said.length && !result->result.length)
        text_add(&result->said, "the sandbox was ended");
}

void sandbox_grade(const SandboxRequest *request, const Text *bytes, SandboxResult *result) {
    LOCAL_TEXT folder = {0};
    Diag unable = {0};
    *result = (SandboxResult){.status = GRADED_UNABLE};
    bool made = folder_make(&folder, &unable);
    LOCAL_TEXT copy = text_from("%s/%s", text_string(&folder), request->is_archive ? "archive" : "kernel.cu");
    LOCAL_TEXT ptx = text_from("%s/kernel.ptx", text_string(&folder));
    LOCAL_TEXT inside = text_from("%s/in", text_string(&folder));
    if (made && request->path) included_copy(request->path, text_string(bytes), text_string(&inside));
    if (made && file_replace(text_string(&copy), text_string(bytes), bytes->length, &unable) &&
        (!request->ptx || file_replace(text_string(&ptx), text_string(request->ptx), request->ptx->length, &unable)))
        run_sandbox(request, text_string(&folder), result);
    else
        text_add(&result->said, "%s", unable.message);
    if (made) folder_remove(text_string(&folder));
}

void sandbox_free(SandboxResult *result) {
    text_free(&result->result);
    text_free(&result->said);
    text_free(&result->ptx);
    text_free(&result->source);
}
