#include "class/sandboxed.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "class/included.h"
#include "cuda/argv.h"
#include "cuda/folder.h"
#include "host/process.h"
#include "host/replace.h"

enum { SAID_BYTES = 64 << 10, RESULT_BYTES = 64 << 20 };
enum {
#define LIMIT(name, value) DEFAULT_##name = value,
#include "grade/limits.def"
#undef LIMIT
};

unsigned sandbox_seconds(void) {
    const char *said = getenv("SANDBOX_SECONDS");
    unsigned long seconds = said ? strtoul(said, NULL, 10) : 0; /* what is no number the script refuses */
    return seconds ? (unsigned)seconds : DEFAULT_SANDBOX_SECONDS;
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

/* The script is told of a folder in it, which is made if need be. */
static void set_kept(const char *folder) {
    LOCAL_TEXT headers = text_from("%s/headers", folder ? folder : "");
    if (folder && (mkdir(text_string(&headers), 0700) == 0 || errno == EEXIST))
        setenv("SANDBOX_HEADERS", text_string(&headers), 1);
    else
        unsetenv("SANDBOX_HEADERS");
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
    set_kept(request->kept);
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
