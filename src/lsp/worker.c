#define _GNU_SOURCE /* realpath */
#include "lsp/worker.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/arena.h"
#include "cuda/home.h"
#include "cuda/process.h"
#include "lsp/launches.h"
#include "lsp/remarks.h"

enum { FILE_BYTES = 64 << 20, OUTPUT_BYTES = 64 << 20, ERROR_BYTES = 1 << 20, TIMEOUT_S = 300 };

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
    char *lab = lab_of(root, errand->path);
    bool found = lab && home_grader(errand->place->program, lab, grader, size);
    free(lab);
    return found;
}

/* Runs the program; what it writes to standard error is *errors. Its output as JSON; NULL: it is none. */
static json_t *run(const Errand *errand, const char *const *argv, Text *errors) {
    ProcessRequest request = {.argv = argv,
                              .mode = PROCESS_BACKGROUND,
                              .errors_path = errand->errors_path,
                              .temp_dir = errand->place->folder,
                              .timeout_s = TIMEOUT_S,
                              .output_limit = OUTPUT_BYTES};
    ProcessResult result;
    size_t length;
    process_run(&request, &result);
    char *said = text_read_file(errand->errors_path, ERROR_BYTES, &length);
    text_add(errors, "%s", said ? said : "");
    if (result.timed_out) text_add(errors, "it took more than %d s and was ended\n", TIMEOUT_S);
    if (result.error) text_add(errors, "%s cannot be started: %s\n", argv[0], strerror(result.error));
    json_t *object = json_loadb(text_string(&result.output), result.output.length, 0, NULL);
    unlink(errand->errors_path);
    text_free(&result.output);
    free(said);
    return object;
}

static void grade(const Errand *errand, const char *grader, Remarks *remarks) {
    const char *argv[] = {grader, "--json", "--shown", "--pictures", errand->path, NULL};
    Text errors = {0};
    json_t *result = run(errand, argv, &errors);
    if (result)
        remarks_add_lab(remarks, result);
    else
        remarks_add_messages(remarks, errors.length ? text_string(&errors) : "the program that grades it was ended", 0);
    json_decref(result);
    text_free(&errors);
}

static void launch(const Errand *errand, const CommentLaunch *asked, const char *warpscope, Arena *arena, Remarks *remarks) {
    const char **argv = ARENA_ARRAY(arena, const char *, asked->n_words + 6);
    size_t n = 0;
    Text errors = {0};
    if (asked->refused) {
        text_add(&errors, "'%s' must not stand here: %s", asked->refused, asked->instead);
        remarks_add_diagnostic(remarks, asked->line, 0, SEVERITY_ERROR, "", text_string(&errors));
        text_free(&errors);
        return;
    }
    argv[n++] = warpscope, argv[n++] = "launch", argv[n++] = "--json", argv[n++] = "--pictures";
    for (size_t i = 0; i < asked->n_words; i++) argv[n++] = asked->words[i];
    argv[n++] = errand->path;
    json_t *report = run(errand, argv, &errors);
    if (report) remarks_add_launch(remarks, asked->line, report);
    remarks_add_messages(remarks, text_string(&errors), report ? -1 : (long)asked->line);
    json_decref(report);
    text_free(&errors);
}

static void launch_all(const Errand *errand, Remarks *remarks) {
    char warpscope[PATH_MAX];
    Arena *arena = arena_new();
    size_t count;
    CommentLaunch *launches = launches_read(errand->text, errand->length, arena, &count);
    ssize_t length = readlink("/proc/self/exe", warpscope, sizeof warpscope - 1);
    if (length > 0)
        warpscope[length] = 0;
    else
        snprintf(warpscope, sizeof warpscope, "%s", errand->place->program);
    for (size_t i = 0; i < count; i++) launch(errand, &launches[i], warpscope, arena, remarks);
    arena_free(arena);
}

/* What a relative path in a comment begins at. */
static void enter_folder_of(const char *path) {
    char folder[PATH_MAX];
    snprintf(folder, sizeof folder, "%.*s", (int)(strrchr(path, '/') - path + 1), path);
    if (chdir(folder) != 0) return; /* such paths lead nowhere then, which is said */
}

void work(const Workplace *place, const char *path, Text *out) {
    Errand errand = {.place = place};
    char grader[PATH_MAX];
    Remarks remarks;
    snprintf(errand.errors_path, sizeof errand.errors_path, "%s/%ld.err", place->folder, (long)getpid());
    if (!realpath(path, errand.path) || !(errand.text = text_read_file(errand.path, FILE_BYTES, &errand.length))) return;
    remarks_begin(&remarks, errand.path, errand.text, errand.length);
    if (find_grader(&errand, grader, sizeof grader)) {
        grade(&errand, grader, &remarks);
    } else {
        enter_folder_of(errand.path);
        launch_all(&errand, &remarks);
    }
    remarks_end(&remarks, out);
    free(errand.text);
}
