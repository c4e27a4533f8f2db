/* cmd_lab_tree.c: what the learner's commands share (command/cmd_lab.h). */
#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "command/cmd_lab.h"
#include "grade/scratch.h"
#include "host/process.h"
#include "lab/variants.h"
#include "report/page.h"

const CatalogueEntry *cmd_lab_unsolved(const LabTree *tree) {
    for (size_t i = 0; i < tree->catalogue.count; i++) {
        const Goals *goals = tree->catalogue.labs[i].goals;
        LabMark mark = progress_of(&tree->progress, goals->number);
        if (!mark.is_graded || mark.best < goals->points) return &tree->catalogue.labs[i];
    }
    return NULL;
}

const CatalogueEntry *cmd_lab_chosen(const LabTree *tree, const LabWords *words, Diag *diag) {
    if (words->lab) return catalogue_find(&tree->catalogue, words->lab, diag);
    const CatalogueEntry *current = cmd_lab_unsolved(tree);
    return current ? current : &tree->catalogue.labs[tree->catalogue.count - 1];
}

char *cmd_lab_read(const char *path, Diag *diag) {
    char *text = text_read_file(path, KERNEL_BYTES, NULL);
    if (!text) diag_error(diag, path, 0, 0, "cannot be read: %s", text_file_problem(errno));
    return text;
}

char *cmd_lab_untouched(const CatalogueEntry *lab, const char *mine, Diag *diag) {
    Text exercise = {0};
    FREED char *book = cmd_lab_read(lab->untouched, diag);
    if (book) variant_write(lab->goals, book, lab->untouched, mine ? variant_in(mine) : 0, &exercise, diag);
    return exercise.data;
}

static bool is_untouched(const CatalogueEntry *lab) {
    FREED char *text = text_read_file(lab->kernel, KERNEL_BYTES, NULL),
               *given = text ? cmd_lab_untouched(lab, text, &(Diag){0}) : NULL;
    return given && strcmp(text, given) == 0;
}

void cmd_lab_list(const LabTree *tree, const bool *is_ungraded) {
    const CatalogueEntry *current = cmd_lab_unsolved(tree);
    puts("");
    for (size_t i = 0; i < tree->catalogue.count; i++) {
        const CatalogueEntry *lab = &tree->catalogue.labs[i];
        LabMark mark = progress_of(&tree->progress, lab->goals->number);
        char note[64] = "not graded yet";
        const bool solved = mark.is_graded && mark.best >= lab->goals->points;
        int length =
            mark.is_graded ? snprintf(note, sizeof note, solved ? "solved" : "%g of %g", mark.best, lab->goals->points) : 0;
        if (mark.is_graded && mark.last < mark.best)
            snprintf(note + length, sizeof note - (size_t)length, ", %g as it is now", mark.last);
        if (mark.is_graded && mark.best == 0 && is_untouched(lab)) strcpy(note, "not begun");
        if (is_ungraded && is_ungraded[i]) strcpy(note, "could not be graded");
        printf("%s %s  %-28s %s\n", lab == current ? ">" : " ", lab->goals->number, lab->goals->title, note);
    }
}

void cmd_lab_sum(const LabTree *tree, Text *out) {
    double points = 0, most = 0;
    size_t solved = 0;
    for (size_t i = 0; i < tree->catalogue.count; i++) {
        const Goals *goals = tree->catalogue.labs[i].goals;
        LabMark mark = progress_of(&tree->progress, goals->number);
        most += goals->points;
        points += mark.best;
        solved += mark.is_graded && mark.best >= goals->points;
    }
    text_add(out, "%zu of %zu labs solved, %g of %g points", solved, tree->catalogue.count, points, most);
}

/* What to type, and a remark behind it; below it where the page is too narrow. */
static void say_step(const char *step, const char *remark) {
    bool fits = strlen(step) + strlen(remark) + 5 <= page_of(STDOUT_FILENO).columns;
    printf("%s%s(%s)\n", step, fits ? "   " : "\n        ", remark);
}

void cmd_lab_say_next(const LabTree *tree) {
    const CatalogueEntry *current = cmd_lab_unsolved(tree);
    puts("");
    if (!current) {
        puts("All labs are solved. A page of it, with harder things to try: make certificate");
        return;
    }
    const char *number = current->goals->number;
    char chapter[PATH_MAX], page[PATH_MAX];
    snprintf(chapter, sizeof chapter, "chapters/%s.md", current->folder);
    snprintf(page, sizeof page, "%s/book/site/%s.html", cmd_lab_build(tree), current->folder);
    LabMark mark = progress_of(&tree->progress, number);
    LOCAL_TEXT read = text_from("  read  %s", chapter);
    printf("Next: lab %s, %s\n", number, current->goals->title);
    if (mark.best > 0 || mark.hints) {
        printf("  so far %g of %g points", mark.best, current->goals->points);
        if (mark.hints) printf(", %u hint%s seen", mark.hints, mark.hints == 1 ? "" : "s");
        puts("");
    }
    if (access(page, R_OK) == 0)
        printf("  read  %s\n", page);
    else if (access(chapter, R_OK) == 0)
        say_step(text_string(&read), "make book: a page with its numbers");
    LOCAL_TEXT edit = text_from("  edit  %s", current->kernel);
    LOCAL_TEXT run = text_from("  run   make grade LAB=%s", number);
    LOCAL_TEXT watch = text_from("or make watch LAB=%s: at every save", number);
    say_step(text_string(&edit), "its head says what to do");
    say_step(text_string(&run), text_string(&watch));
}

const char *cmd_lab_build(const LabTree *tree) {
    char here[PATH_MAX];
    size_t root = getcwd(here, sizeof here) ? strlen(here) : 0;
    return root && strncmp(tree->build, here, root) == 0 && tree->build[root] == '/' ? tree->build + root + 1 : tree->build;
}

void cmd_lab_recall(LabTree *tree, bool aloud) {
    LOCAL_TEXT strange = {0};
    Diag diag = {0};
    progress_free(&tree->progress);
    progress_read(&tree->progress, tree->progress_path, &strange, &diag);
    if (aloud && diag.set) print_diag(&diag);
    if (aloud) fputs(text_string(&strange), stderr);
}

void cmd_lab_add_history(const LabTree *tree, const HistoryEntry *entry) {
    LOCAL_TEXT path = {0};
    Diag diag = {0};
    history_path(tree->progress_path, &path);
    if (!history_add(text_string(&path), entry, &diag)) print_diag(&diag);
}

bool cmd_lab_has_kernel(const CatalogueEntry *lab, Diag *diag) {
    if (access(lab->kernel, F_OK) == 0 || errno != ENOENT) return true;
    diag_error(diag, lab->kernel, 0, 0, "this file is not there");
    return diag_hint(diag, "make reset LAB=%s puts the untouched exercise back", lab->goals->number);
}

/* --- other programs ------------------------------------------------------------------------------------------------------- */

static void put_back(int fd, int copy) {
    dup2(copy, fd);
    close(copy);
}

int cmd_lab_child(const char *const *argv, ChildOutput output, Text *kept) {
    if (output == OUTPUT_SHOWN) return run_program(argv);
    FILE *file = tmpfile(); /* has no name, so that nothing is left of it whatever happens */
    if (!file) {
        text_add(kept, "no temporary file can be made: %s\n", strerror(errno));
        return EXIT_UNSTARTED;
    }
    fflush(NULL);
    int out = dup(STDOUT_FILENO), err = dup(STDERR_FILENO);
    dup2(fileno(file), STDOUT_FILENO);
    dup2(fileno(file), STDERR_FILENO);
    int status = run_program(argv);
    fflush(NULL);
    put_back(STDOUT_FILENO, out);
    put_back(STDERR_FILENO, err);
    rewind(file);
    text_add_stream(kept, file);
    fclose(file);
    return status;
}

void cmd_lab_end_as(int status) {
    static const int signals[] = {SIGINT, SIGTERM, SIGHUP, SIGQUIT};
    for (size_t i = 0; i < sizeof signals / sizeof *signals; i++) {
        if (status != 128 + signals[i] && process_shared_signal() != signals[i]) continue;
        fflush(NULL);
        scratch_end();
        signal(signals[i], SIG_DFL);
        raise(signals[i]);
    }
}
