/* cmd_lab_progress.c: warpscope lab progress: the learner's page. */
#include <stdio.h>
#include <stdlib.h>

#include "base/alloc.h"
#include "command/cmd_lab.h"
#include "host/replace.h"
#include "lab/learner_page.h"

/* What both files of a lab that was begun look like now. One that cannot be graded has no pictures. */
static void look_at(const LabTree *tree, const CatalogueEntry *lab, LearnerLab *of, Diag *diag) {
    of->before = cmd_lab_figures(tree, lab, lab->untouched, diag);
    of->now = cmd_lab_figures(tree, lab, lab->kernel, diag);
}

int cmd_lab_progress(LabTree *tree, const LabWords *words, Diag *diag) {
    const Catalogue *catalogue = &tree->catalogue;
    FREED LearnerLab *labs = alloc_zeroed(catalogue->count, sizeof *labs);
    History history = {0};
    LOCAL_TEXT path = {0}, page = {0};
    (void)words;
    history_path(tree->progress_path, &path);
    bool good = history_read(&history, text_string(&path), diag);
    path.length = 0;
    text_add(&path, "%s/progress.html", cmd_lab_build(tree));
    for (size_t i = 0; good && i < catalogue->count; i++) {
        labs[i].goals = catalogue->labs[i].goals;
        labs[i].mark = progress_of(&tree->progress, labs[i].goals->number);
        if (labs[i].mark.best > 0) {
            printf("  %-7s %s\n", "LOOK", catalogue->labs[i].folder);
            fflush(stdout);
            look_at(tree, &catalogue->labs[i], &labs[i], diag);
        }
    }
    if (good && !diag->set) {
        learner_page(labs, catalogue->count, &history, &page);
        good = file_replace(text_string(&path), text_string(&page), page.length, diag);
        if (good) printf("Your progress: %s (open it in a browser)\n", text_string(&path));
    }
    for (size_t i = 0; i < catalogue->count; i++) json_decref(labs[i].before), json_decref(labs[i].now);
    history_free(&history);
    return good && !diag->set ? EXIT_FINE : EXIT_USAGE;
}
