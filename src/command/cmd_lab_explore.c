/* cmd_lab_explore.c: warpscope lab explore: a launch of a lab's grading as a page that the learner steps through. */
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "command/cmd_lab.h"
#include "cuda/home.h"
#include "explore/explorer_page.h"
#include "host/replace.h"
#include "report/object.h"

/* Of the grader's JSON an object of this name in a list; NULL: none. */
static const json_t *named(const json_t *result, const char *list, const char *name) {
    const json_t *array = json_object_get(result, list);
    for (size_t i = 0; i < json_array_size(array); i++)
        if (strcmp(object_string(json_array_get(array, i), "name"), name) == 0) return json_array_get(array, i);
    return NULL;
}

/* What is worth looking at: a wrong kernel's launch, else that of the first missed goal, else the first there is. *title says which. */
static const json_t *choose(const json_t *result, Text *title) {
    const json_t *kernels = json_object_get(result, "kernels"), *goals = json_object_get(result, "goals"),
                 *runs = json_object_get(result, "runs");
    for (size_t i = 0; i < json_array_size(kernels); i++) {
        const json_t *kernel = json_array_get(kernels, i), *launch = json_object_get(kernel, "launch");
        if (!launch) continue;
        text_add(title, "%s, %s: wrong", object_string(kernel, "name"), object_string(kernel, "where"));
        return launch;
    }
    for (size_t i = 0; i < json_array_size(goals); i++) {
        const json_t *goal = json_array_get(goals, i),
                     *launch = json_object_get(named(result, "runs", object_string(goal, "run")), "launch");
        if (!launch || json_is_true(json_object_get(goal, "met"))) continue;
        text_add(title, "%s", object_string(goal, "run"));
        return launch;
    }
    for (size_t i = 0; i < json_array_size(runs); i++) {
        const json_t *run = json_array_get(runs, i), *launch = json_object_get(run, "launch");
        if (!launch) continue;
        text_add(title, "%s", object_string(run, "name"));
        return launch;
    }
    return NULL;
}

static const json_t *chosen(const json_t *result, const char *name, Text *title, Diag *diag) {
    if (!name) {
        const json_t *launch = choose(result, title);
        if (!launch) diag_say(diag, "no launch to be shown: kernels that are wrong, and numbers that you predict, come first");
        return launch;
    }
    const json_t *run = named(result, "runs", name), *launch = json_object_get(run, "launch");
    text_add(title, "%s", name);
    if (launch) return launch;
    if (run) {
        diag_say(diag, "run '%.60s' has no launch to be shown: its kernel is wrong, or its numbers are yours to predict first",
                 name);
        return NULL;
    }
    LOCAL_TEXT names = {0};
    const json_t *runs = json_object_get(result, "runs");
    for (size_t i = 0; i < json_array_size(runs); i++)
        text_add(&names, "%s%s", i ? ", " : "", object_string(json_array_get(runs, i), "name"));
    diag_say(diag, "the lab has no run '%.60s'", name);
    diag_hint(diag, "it has %s", text_string(&names));
    return NULL;
}

static Text page_path(const LabTree *tree, const CatalogueEntry *lab, const char *ending) {
    return text_from("%s/explore-%s.%s", cmd_lab_build(tree), lab->folder, ending);
}

static bool write_both(const LabTree *tree, const CatalogueEntry *lab, const Text *page, Diag *diag) {
    LOCAL_TEXT path = page_path(tree, lab, "html"), stamp = page_path(tree, lab, "js"), said = {0};
    page_stamp(page, &said);
    bool good = file_replace(text_string(&path), text_string(page), page->length, diag) &&
                file_replace(text_string(&stamp), text_string(&said), said.length, diag);
    if (good) printf("%s shows a launch, step by step\n", text_string(&path));
    return good;
}

static bool write_launch(const LabTree *tree, const CatalogueEntry *lab, const json_t *launch, const char *title,
                         const LabWords *words, Diag *diag) {
    char include_dir[PATH_MAX], follows[PATH_MAX];
    LOCAL_TEXT page = {0};
    LOCAL_SOURCE source = {0};
    CompileRequest request = {.path = lab->kernel, .arch = goals_arch(lab->goals)};
    snprintf(follows, sizeof follows, "explore-%s.js", lab->folder);
    if (home_headers(tree->program, include_dir, sizeof include_dir)) request.include_dir = include_dir;
    if (words->cc) request.compiler = *words->cc == 'n' ? COMPILER_NVCC : COMPILER_CLANG;
    LOCAL_TEXT heading = text_from("Lab %s: %s", lab->goals->number, title);
    return source_load(&request, &source, diag) == SOURCE_GOOD &&
           page_write(&(ExplorePage){.program = tree->program,
                                     .title = text_string(&heading),
                                     .path = lab->kernel,
                                     .source = &source,
                                     .words = object_string(launch, "words"),
                                     .device = "h200",
                                     .l1 = true,
                                     .arrays = json_object_get(launch, "arrays"),
                                     .follows = follows},
                      &page, diag) &&
           write_both(tree, lab, &page, diag);
}

static int explore_lab(LabTree *tree, const CatalogueEntry *lab, const LabWords *words, const char *run, Diag *diag) {
    json_auto_t *result = cmd_lab_launches(tree, lab, words, diag);
    LOCAL_TEXT title = {0};
    int status = EXIT_USAGE;
    const char *refused = object_string(result, "refused"),
               *unable = object_string(json_object_get(result, "error"), "message");
    if (*refused || *unable) {
        fprintf(stderr, "%s\n", *refused ? refused : unable);
        status = *refused ? EXIT_SOURCE : EXIT_UNABLE;
    } else if (result) {
        const json_t *launch = chosen(result, run, &title, diag);
        if (launch && write_launch(tree, lab, launch, text_string(&title), words, diag)) status = EXIT_FINE;
    }
    return status;
}

int cmd_lab_explore(LabTree *tree, const LabWords *words, Diag *diag) {
    const CatalogueEntry *lab = cmd_lab_chosen(tree, words, diag);
    if (!lab || !cmd_lab_has_kernel(lab, diag)) return EXIT_USAGE;
    const char *run = words->rest ? words->rest[0] : NULL;
    if (run && words->rest[1]) {
        diag_say(diag, "one run at a time: '%.60s' and '%.60s'", run, words->rest[1]);
        return EXIT_USAGE;
    }
    return explore_lab(tree, lab, words, run, diag);
}

void cmd_lab_explore_anew(LabTree *tree, const CatalogueEntry *lab, const LabWords *words) {
    LOCAL_TEXT path = page_path(tree, lab, "html");
    if (access(text_string(&path), F_OK) == 0) explore_lab(tree, lab, words, NULL, &(Diag){0});
}
