/* cmd_lab_grade.c: warpscope lab start, grade, watch and verify: files given to the labs' graders, build/labs/NN-slug. */
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "base/alloc.h"
#include "base/visible.h"
#include "class/sandboxed.h"
#include "command/cmd_lab.h"
#include "cuda/home.h"
#include "lab/checksum.h"
#include "lab/unable.h"

enum { GRADER_WORDS = 16, WATCH_MS = 200 };

/* A command line of a grader. */
typedef struct Grader {
    const char *argv[GRADER_WORDS + 1];
    int count;
    char program[PATH_MAX], file[2 * PATH_MAX];
} Grader;

static void add_word(Grader *grader, const char *word) { grader->argv[grader->count++] = word; }

/* False with a message where the lab has no grader, as one that is not finished. */
static bool grader_begin(Grader *grader, const LabTree *tree, const CatalogueEntry *lab, const LabWords *words, Diag *diag) {
    *grader = (Grader){0};
    snprintf(grader->program, sizeof grader->program, "%s/labs/%s", tree->build, lab->folder);
    if (access(grader->program, X_OK) != 0) {
        diag_error(diag, grader->program, 0, 0, "the program that grades lab %s is not there", lab->goals->number);
        return diag_hint(diag, "make programs builds it from tests/labs/%s.c", lab->folder);
    }
    add_word(grader, grader->program);
    if (words->json) add_word(grader, "--json");
    if (words->cc) add_word(grader, "--cc"), add_word(grader, words->cc);
    if (words->seed) add_word(grader, "--seed"), add_word(grader, words->seed);
    return true;
}

/* Grades and fetches the points, "" when there are none. The exit status is the grader's. */
static int grader_run(Grader *grader, const char *file, ChildOutput output, Text *kept, char *points, size_t size) {
    int ends[2];
    char number[16];
    if (pipe(ends) != 0) {
        fprintf(stderr, "warpscope: no pipe can be made: %s\n", strerror(errno));
        return EXIT_USAGE;
    }
    fcntl(ends[0], F_SETFD, FD_CLOEXEC);
    fcntl(ends[0], F_SETFL, O_NONBLOCK); /* a compiler that outlives its grader may still hold the other end */
    snprintf(number, sizeof number, "%d", ends[1]);
    add_word(grader, "--score"), add_word(grader, number);
    add_word(grader, file);
    int status = lab_child(grader->argv, output, kept);
    close(ends[1]);
    ssize_t got = read(ends[0], points, size - 1);
    close(ends[0]);
    points[got > 0 ? got : 0] = 0;
    points[strcspn(points, "\n")] = 0;
    return status;
}

/* The checksum of the learner's file; "" when it cannot be read or is empty. */
static void checksum_file(const CatalogueEntry *lab, char *checksum, size_t size) {
    char path[PATH_MAX];
    size_t length = 0;
    snprintf(path, sizeof path, "exercises/%s/kernel.cu", lab->folder);
    char *text = text_read_file(path, KERNEL_BYTES, &length);
    checksum[0] = 0;
    if (text && length) snprintf(checksum, size, "%016" PRIx64, checksum_of(text));
    free(text);
}

/* The grader could not work: that is no verdict. */
static int say_unable(const CatalogueEntry *lab, const LabWords *words, const char *file, const char *why) {
    Text text = {0}, visible = {0};
    visible_add(&visible, why, strlen(why) - (*why && why[strlen(why) - 1] == '\n'));
    result_unable(lab->goals, file, words->json, text_string(&visible), &text);
    fputs(text_string(&text), words->json ? stdout : stderr);
    text_free(&text);
    text_free(&visible);
    return EXIT_UNABLE;
}

/* Grades the learner's file and remembers the points. */
static int grade_own(LabTree *tree, const CatalogueEntry *lab, const LabWords *words, ChildOutput output, Text *kept,
                     Diag *diag) {
    Grader grader;
    char points[64], checksum[32];
    if (!grader_begin(&grader, tree, lab, words, diag)) return EXIT_USAGE;
    if (output == OUTPUT_KEPT && wants_colour()) add_word(&grader, "--colour");
    checksum_file(lab, checksum, sizeof checksum); /* before grading: what is saved meanwhile is graded again */
    snprintf(grader.file, sizeof grader.file, "exercises/%s/kernel.cu", lab->folder);
    int status = grader_run(&grader, grader.file, output, kept, points, sizeof points);
    lab_end_as(status);
    if (status > EXIT_UNABLE) status = say_unable(lab, words, grader.file, "the program that grades it was ended");
    if (status <= EXIT_FAULT && points[0]) {
        Diag unwritten = {0};
        if (!progress_graded(tree->progress_path, lab->goals->number, strtod(points, NULL), checksum, &unwritten))
            print_diag(&unwritten);
        lab_recall(tree, false);
    }
    return status;
}

/* The same for people: what to do next as well. */
static int show_own(LabTree *tree, const CatalogueEntry *lab, const LabWords *words, Diag *diag) {
    int status = grade_own(tree, lab, words, OUTPUT_SHOWN, NULL, diag);
    if (status == EXIT_FINE) lab_say_next(tree);
    if (status == EXIT_SOURCE) printf("To begin anew: make reset LAB=%s   (keeps a copy of yours)\n", lab->goals->number);
    return status;
}

/* Whether an exercise as it was given can be compiled here; if not, why not. */
static bool kernels_work(const LabTree *tree, Text *why) {
    char path[PATH_MAX], include_dir[PATH_MAX];
    Source source = {0};
    Diag diag = {0};
    snprintf(path, sizeof path, "exercises/untouched/%s.cu", tree->catalogue.labs[0].folder);
    CompileRequest request = {.path = path};
    if (home_headers(tree->program, include_dir, sizeof include_dir)) request.include_dir = include_dir;
    bool good = source_load(&request, &source, &diag) == SOURCE_GOOD;
    if (!good && source.compiled.messages.length)
        text_add(why, "%s", text_string(&source.compiled.messages));
    else if (!good)
        diag_format(&diag, why);
    source_free(&source);
    return good;
}

/* --- start ---------------------------------------------------------------------------------------------------------------- */

static int say_ungraded(const LabTree *tree, const bool *is_ungraded) {
    Text why = {0}, names = {0};
    const char *last = "";
    for (size_t i = 0; i < tree->catalogue.count; i++) {
        if (!is_ungraded[i]) continue;
        last = tree->catalogue.labs[i].goals->number;
        text_add(&names, " %s", last);
    }
    if (!names.length)
        lab_say_next(tree);
    else if (kernels_work(tree, &why))
        printf("\nNot graded:%s. To see why: make grade LAB=%s\n", text_string(&names), last);
    else
        printf("\n%s\nNo kernel can be compiled here, so no lab was graded.\nTo see what is missing: make doctor\n",
               text_string(&why));
    int status = names.length ? EXIT_FAULT : EXIT_FINE;
    text_free(&why);
    text_free(&names);
    return status;
}

/* Fails when a lab could not be graded, and says which and why. */
int lab_start(LabTree *tree, const LabWords *words, Diag *diag) {
    bool *is_ungraded = alloc_zeroed(tree->catalogue.count, sizeof *is_ungraded);
    for (size_t i = 0; i < tree->catalogue.count; i++) {
        const CatalogueEntry *lab = &tree->catalogue.labs[i];
        LabMark mark = progress_of(&tree->progress, lab->goals->number);
        char checksum[32];
        checksum_file(lab, checksum, sizeof checksum);
        if (checksum[0] && strcmp(checksum, mark.graded) == 0) continue;
        Text dropped = {0};
        printf("  %-7s %s\n", "GRADE", lab->folder);
        is_ungraded[i] = grade_own(tree, lab, words, OUTPUT_KEPT, &dropped, diag) > EXIT_FAULT;
        text_free(&dropped);
    }
    lab_list(tree, is_ungraded);
    int status = say_ungraded(tree, is_ungraded);
    free(is_ungraded);
    return status;
}

/* --- grade ---------------------------------------------------------------------------------------------------------------- */

static int grade_all(LabTree *tree, const LabWords *words, Diag *diag) {
    const Catalogue *catalogue = &tree->catalogue;
    Text *results = alloc_zeroed(catalogue->count, sizeof *results);
    int worst = EXIT_FINE;
    for (size_t i = 0; i < catalogue->count; i++) {
        int status = grade_own(tree, &catalogue->labs[i], words, OUTPUT_KEPT, &results[i], diag);
        if (worst != EXIT_UNABLE && status != EXIT_FINE) worst = status == EXIT_UNABLE ? status : EXIT_FAULT;
    }
    lab_list(tree, NULL);
    const CatalogueEntry *current = lab_unsolved(tree);
    if (current)
        printf("\n%s", text_string(&results[current - catalogue->labs]));
    else
        lab_say_next(tree);
    for (size_t i = 0; i < catalogue->count; i++) text_free(&results[i]);
    free(results);
    return worst;
}

/* Opens the folder of the file, through links as one may have typed it; *name is the file in it. -1 with errno. */
static int open_folder_of(const LabTree *tree, const char *path, const char **name) {
    Text folder = {0};
    const char *slash = strrchr(path, '/');
    if (*path != '/' && tree->caller[0]) text_add(&folder, "%s/", tree->caller);
    text_add_bytes(&folder, path, slash ? (size_t)(slash + 1 - path) : 0);
    *name = slash ? slash + 1 : path;
    int fd = open(folder.length ? text_string(&folder) : ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    text_free(&folder);
    return fd;
}

static int grade_bytes(const LabTree *tree, const CatalogueEntry *lab, const LabWords *words, const Text *bytes) {
    SandboxResult graded;
    SandboxRequest request = {.build = tree->build,
                              .lab = lab->folder,
                              .name = words->submission,
                              .cc = words->cc,
                              .seed = words->seed,
                              .variant = words->variant,
                              .json = words->json,
                              .colour = !words->json && wants_colour()};
    sandbox_grade(&request, bytes, &graded);
    int status = (int)graded.status;
    fwrite(text_string(&graded.result), 1, graded.result.length, stdout);
    if (!graded.result.length && graded.status != GRADED_USAGE)
        status = say_unable(lab, words, words->submission, text_string(&graded.said));
    else if (graded.said.length)
        print_visible(&graded.said, stderr);
    sandbox_free(&graded);
    return status;
}

static int grade_submission(LabTree *tree, const CatalogueEntry *lab, const LabWords *words, Diag *diag) {
    Grader grader;
    Text bytes = {0};
    const char *name;
    int status = EXIT_USAGE;
    if (!grader_begin(&grader, tree, lab, words, diag)) return EXIT_USAGE;
    int folder = open_folder_of(tree, words->submission, &name);
    if (folder < 0)
        diag_error(diag, words->submission, 0, 0, "%s", strerror(errno));
    else if (take_bytes(folder, name, SUBMITTED_BYTES, &bytes, diag))
        status = grade_bytes(tree, lab, words, &bytes);
    if (folder >= 0) close(folder);
    text_free(&bytes);
    return status;
}

/* On the real device: one lab, or all that have something to measure. Points are of the emulated device alone. */
static int measure_labs(LabTree *tree, const CatalogueEntry *chosen, const LabWords *words, Diag *diag) {
    int worst = EXIT_FINE;
    for (size_t i = 0; i < tree->catalogue.count; i++) {
        const CatalogueEntry *lab = &tree->catalogue.labs[i];
        bool is_measured = false;
        for (uint32_t g = 0; g < lab->goals->n_goals; g++) is_measured |= lab->goals->goals[g].kind == GOAL_MEASURED;
        if (chosen ? lab != chosen : !is_measured) continue;
        Grader grader;
        if (!grader_begin(&grader, tree, lab, words, diag)) return EXIT_USAGE;
        snprintf(grader.file, sizeof grader.file, "exercises/%s/kernel.cu", lab->folder);
        add_word(&grader, "--on"), add_word(&grader, "gpu"), add_word(&grader, grader.file);
        int status = lab_child(grader.argv, OUTPUT_SHOWN, NULL);
        lab_end_as(status);
        if (status != EXIT_FINE) worst = EXIT_FAULT;
    }
    return worst;
}

int lab_grade(LabTree *tree, const LabWords *words, Diag *diag) {
    const CatalogueEntry *lab = words->lab ? catalogue_find(&tree->catalogue, words->lab, diag) : NULL;
    if (words->lab && !lab) return EXIT_USAGE;
    if (words->on_gpu && words->submission)
        diag_say(diag, "a submission runs on the emulated device only: a GPU has no sandbox");
    else if (words->has_variant && !words->submission)
        diag_say(diag, "--variant is for a submission; make variant VARIANT=N writes one");
    else if (words->submission && !lab)
        diag_say(diag, "of which lab? make grade LAB=05 SUBMISSION=path/kernel.cu");
    else if (words->json && !lab && !words->on_gpu)
        diag_say(diag, "JSON is of one lab: make grade LAB=05 JSON=1");
    if (diag->set) return EXIT_USAGE;
    if (words->on_gpu) return measure_labs(tree, lab, words, diag);
    if (words->submission) return grade_submission(tree, lab, words, diag);
    if (!lab) return grade_all(tree, words, diag);
    return words->json ? grade_own(tree, lab, words, OUTPUT_SHOWN, NULL, diag) : show_own(tree, lab, words, diag);
}

/* --- watch ---------------------------------------------------------------------------------------------------------------- */

/* Looks at the file itself five times a second: events do not come from shared folders of virtual machines, and some kilobytes cost
 * nothing. Ends with Ctrl-C. */
int lab_watch(LabTree *tree, const LabWords *words, Diag *diag) {
    const CatalogueEntry *lab = lab_chosen(tree, words, diag);
    char before[32] = "", now[32];
    while (lab && !diag->set) {
        checksum_file(lab, now, sizeof now);
        if (!now[0] || strcmp(now, before) == 0) {
            nanosleep(&(struct timespec){.tv_nsec = WATCH_MS * 1000000}, NULL);
            continue;
        }
        strcpy(before, now);
        if (isatty(STDOUT_FILENO)) fputs("\033[H\033[2J", stdout);
        show_own(tree, lab, words, diag);
        printf("\nWatching exercises/%s/kernel.cu; Ctrl-C ends.\n", lab->folder);
        fflush(stdout);
    }
    return EXIT_USAGE;
}

/* --- verify --------------------------------------------------------------------------------------------------------------- */

static int verify(LabTree *tree, const CatalogueEntry *lab, const char *cc, Diag *diag) {
    const LabWords words = {.cc = cc};
    Grader grader;
    Text result = {0};
    char points[64];
    if (!grader_begin(&grader, tree, lab, &words, diag)) return EXIT_USAGE;
    snprintf(grader.file, sizeof grader.file, "solutions/%s/kernel.cu", lab->folder);
    int status = grader_run(&grader, grader.file, OUTPUT_KEPT, &result, points, sizeof points);
    if (status == EXIT_FINE)
        printf("%s  %-28s %s of %g (%s)\n", lab->goals->number, lab->goals->title, points, lab->goals->points, cc);
    else
        fputs(text_string(&result), stdout);
    text_free(&result);
    lab_end_as(status);
    return status;
}

int lab_verify(LabTree *tree, const LabWords *words, Diag *diag) {
    static const char *const compilers[] = {"nvcc", "clang"};
    const CatalogueEntry *chosen = words->lab ? catalogue_find(&tree->catalogue, words->lab, diag) : NULL;
    Text why = {0};
    int worst = EXIT_FINE;
    if (words->lab && !chosen) return EXIT_USAGE;
    if (!kernels_work(tree, &why)) {
        print_visible(&why, stderr);
        worst = EXIT_UNABLE;
    }
    text_free(&why);
    for (size_t i = 0; worst != EXIT_UNABLE && i < tree->catalogue.count; i++) {
        const CatalogueEntry *lab = &tree->catalogue.labs[i];
        for (size_t c = 0; (!chosen || lab == chosen) && c < 2; c++) {
            char path[PATH_MAX], name[64];
            if (!compile_find(c == 0 ? COMPILER_NVCC : COMPILER_CLANG, path, sizeof path, name, sizeof name)) continue;
            if (verify(tree, lab, compilers[c], diag) != EXIT_FINE) worst = EXIT_FAULT;
        }
    }
    return worst;
}
