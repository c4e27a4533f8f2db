#define _GNU_SOURCE /* realpath */
#include "lsp/worker.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/arena.h"
#include "class/sandboxed.h"
#include "cuda/argv.h"
#include "cuda/home.h"
#include "host/process.h"
#include "lab/variants.h"
#include "lsp/launches.h"
#include "lsp/remarks.h"

enum { FILE_BYTES = 64 << 20, OUTPUT_BYTES = 64 << 20, ERROR_BYTES = 1 << 20 };

#define ALL_BUT 0.9 /* what a limit of processor time ended has taken a little less by the other clock */

/* The file's path without links, and what it is for. */
typedef struct Errand {
    const Workplace *place;
    char path[PATH_MAX];
    char errors_path[PATH_MAX]; /* where programs write their standard error */
    char *text;
    size_t length;
} Errand;

/* "05-transpose" where the path is ROOT/exercises/05-transpose/kernel.cu, or solutions; NULL where it is none of a lab. */
static char *lab_of(const char *root, const char *path) {
    static const char *const folders[] = {"/exercises/", "/solutions/"};
    size_t length = strlen(root);
    if (strncmp(path, root, length) != 0) return NULL;
    for (size_t i = 0; i < sizeof folders / sizeof *folders; i++) {
        const char *name = path + length + strlen(folders[i]);
        if (strncmp(path + length, folders[i], strlen(folders[i])) != 0) continue;
        const char *slash = strchr(name, '/');
        if (slash && strcmp(slash, "/kernel.cu") == 0) return strndup(name, (size_t)(slash - name));
    }
    return NULL;
}

/* Whether the file is a lab's, and the program that grades it. Only one beside our own is started: a folder that is opened has no say. */
static bool find_grader(const Errand *errand, char *grader, size_t size) {
    char labs[PATH_MAX], root[PATH_MAX];
    if (!home_labs(errand->place->program, labs, sizeof labs) || !realpath(labs, root)) return false;
    FREED char *lab = lab_of(root, errand->path);
    return lab && home_grader(errand->place->program, lab, grader, size);
}

/* Runs the program; what it writes to standard error is *errors. Its output as JSON; NULL: it is none. */
static json_t *run(const Errand *errand, const char *const *argv, Text *errors) {
    ProcessRequest request = {.argv = argv,
                              .mode = PROCESS_BACKGROUND,
                              .errors_path = errand->errors_path,
                              .temp_dir = errand->place->folder,
                              .timeout_s = SANDBOXED_S,
                              .output_limit = OUTPUT_BYTES};
    ProcessResult result;
    size_t length;
    process_run(&request, &result);
    FREED char *said = text_read_file(errand->errors_path, ERROR_BYTES, &length);
    text_add(errors, "%s", said ? said : "");
    if (result.timed_out) text_add(errors, "it took more than %d s and was ended\n", SANDBOXED_S);
    if (result.error) text_add(errors, "%s cannot be started: %s\n", argv[0], strerror(result.error));
    json_t *object = json_loadb(text_string(&result.output), result.output.length, 0, NULL);
    unlink(errand->errors_path);
    text_free(&result.output);
    return object;
}

/* Why there is none; "": there is. */
static void check_sandbox(const char *script, Text *why) {
    const char *argv[] = {script, "--check", NULL};
    ProcessResult result;
    process_run(&(ProcessRequest){.argv = argv, .timeout_s = SANDBOXED_S, .output_limit = ERROR_BYTES}, &result);
    if (result.status == GRADED_UNABLE) text_add(why, "%s", text_string(&result.output));
    text_free(&result.output);
}

/* As run, in the sandbox. NULL with unsandboxed said where there is none. */
static json_t *run_apart(const Errand *errand, SandboxRequest request, Remarks *remarks, Text *errors) {
    char script[PATH_MAX], build[PATH_MAX];
    const Text bytes = {.data = errand->text, .length = errand->length};
    SandboxResult result;
    if (!home_sandbox(errand->place->program, script, sizeof script) ||
        !home_build(errand->place->program, build, sizeof build)) {
        text_add(&remarks->unsandboxed, "src/grade/sandbox, which belongs to it, is not found");
        return NULL;
    }
    request.script = script;
    request.build = build;
    request.kept = errand->place->folder;
    request.path = errand->path;
    sandbox_grade(&request, &bytes, &result);
    if (result.status == GRADED_UNABLE) check_sandbox(script, &remarks->unsandboxed);
    text_add(errors, "%s", text_string(&result.said));
    json_t *object = json_loadb(text_string(&result.result), result.result.length, 0, NULL);
    sandbox_free(&result);
    return object;
}

static void grade(const Errand *errand, const char *grader, Remarks *remarks) {
    const char *argv[] = {grader, "--json", "--shown", "--pictures", errand->path, NULL};
    const SandboxRequest apart = {.lab = text_last_name(grader),
                                  .name = errand->path,
                                  .variant = variant_in(errand->text),
                                  .json = true,
                                  .shown = true,
                                  .pictures = true};
    LOCAL_TEXT errors = {0};
    json_auto_t *result = errand->place->is_trusting ? run(errand, argv, &errors) : run_apart(errand, apart, remarks, &errors);
    if (remarks->unsandboxed.length)
        text_add(&remarks->said, "not graded: there is no sandbox");
    else if (result)
        remarks_add_lab(remarks, result);
    else
        remarks_add_messages(remarks, errors.length ? text_string(&errors) : "the program that grades it was ended", 0);
}

static json_t *launch_apart(const Errand *errand, const CommentLaunch *asked, Remarks *remarks, Text *errors) {
    LOCAL_ARGV words = {0};
    for (int behind = 0; behind < 2; behind++) {
        if (behind) argv_add(&words, "--");
        for (size_t i = 0; i < asked->n_words; i++)
            if (asked->compiles[i] != behind) argv_add(&words, asked->words[i]);
    }
    const SandboxRequest request = {
        .lab = SANDBOX_LAUNCH, .name = text_last_name(errand->path), .launch = (const char *const *)words.words};
    return run_apart(errand, request, remarks, errors);
}

static json_t *launch_here(const Errand *errand, const CommentLaunch *asked, const char *warpscope, Text *errors) {
    const char *const head[] = {warpscope, "launch", "--json", "--pictures", NULL};
    LOCAL_ARGV words = {0};
    argv_add_all(&words, head);
    for (size_t i = 0; i < asked->n_words; i++) argv_add(&words, asked->words[i]);
    argv_add(&words, errand->path);
    return run(errand, (const char *const *)words.words, errors);
}

/* False where it is not to be, which is said at its line. A stranger's launches have together what each program of the sandbox has. */
static bool may_launch(const Errand *errand, const CommentLaunch *asked, Remarks *remarks) {
    LOCAL_TEXT why = {0};
    process_reap(); /* of the sandbox's processes, too, the time is known then */
    if (asked->refused)
        text_add(&why, "'%s' must not stand here: %s", asked->refused, asked->instead);
    else if (!errand->place->is_trusting && process_children_s() > ALL_BUT * sandbox_seconds())
        text_add(&why,
                 "not launched: those above have taken %g of the %u s of processor time that a file's launches have together "
                 "(SANDBOX_SECONDS)",
                 ALL_BUT * sandbox_seconds(), sandbox_seconds());
    if (why.length) remarks_add_diagnostic(remarks, asked->line, 0, SEVERITY_ERROR, "", text_string(&why));
    return !why.length;
}

static void launch(const Errand *errand, const CommentLaunch *asked, const char *warpscope, Remarks *remarks) {
    LOCAL_TEXT errors = {0};
    if (!may_launch(errand, asked, remarks) || remarks->unsandboxed.length) return;
    json_auto_t *report = errand->place->is_trusting ? launch_here(errand, asked, warpscope, &errors)
                                                     : launch_apart(errand, asked, remarks, &errors);
    if (report) remarks_add_launch(remarks, asked->line, report);
    if (!remarks->unsandboxed.length) remarks_add_messages(remarks, text_string(&errors), report ? -1 : (long)asked->line);
}

/* The program that launches: warpscope, which lies beside whichever of ours this is. */
static Text launcher(const Errand *errand) {
    char build[PATH_MAX];
    return home_build(errand->place->program, build, sizeof build) ? text_from("%s/warpscope", build)
                                                                   : text_from("%s", errand->place->program);
}

static void launch_all(const Errand *errand, Remarks *remarks) {
    LOCAL_TEXT warpscope = launcher(errand);
    Arena *arena = arena_new();
    size_t count;
    CommentLaunch *launches = launches_read(errand->text, errand->length, arena, &count);
    for (size_t i = 0; i < count; i++) launch(errand, &launches[i], text_string(&warpscope), remarks);
    arena_free(arena);
}

/* What a relative path in a comment begins at. */
static void enter_folder_of(const char *path) {
    char folder[PATH_MAX];
    snprintf(folder, sizeof folder, "%.*s", (int)(strrchr(path, '/') - path + 1), path);
    if (chdir(folder) != 0) return; /* such paths lead nowhere then, which is said */
}

void worker_run(const Workplace *place, const char *path, Text *out) {
    Errand errand = {.place = place};
    char grader[PATH_MAX];
    Remarks remarks;
    snprintf(errand.errors_path, sizeof errand.errors_path, "%s/%ld.err", place->folder, (long)getpid());
    if (!realpath(path, errand.path) || !(errand.text = text_read_file(errand.path, FILE_BYTES, &errand.length))) return;
    remarks_begin(&remarks, errand.path, errand.text, errand.length);
    if (find_grader(&errand, grader, sizeof grader)) {
        grade(&errand, grader, &remarks);
    } else {
        if (place->is_trusting) enter_folder_of(errand.path);
        launch_all(&errand, &remarks);
    }
    remarks_end(&remarks, out);
    free(errand.text);
}
