/* cmd_lab_grade.c: warpscope lab start, grade and verify: files given to the labs' graders, build/labs/NN-slug. */
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "base/alloc.h"
#include "base/visible.h"
#include "class/sandboxed.h"
#include "class/submissions.h"
#include "command/cmd_lab.h"
#include "cuda/home.h"
#include "host/checksum.h"
#include "host/process.h"
#include "lab/outcome.h"
#include "lab/problems.h"
#include "lab/ungraded.h"
#include "report/page.h"

enum { GRADER_WORDS = 24, POINTS_BYTES = 64 };

/* A command line of a grader. */
typedef struct Grader {
    const char *argv[GRADER_WORDS + 1];
    int count;
    const char *file;
    char program[PATH_MAX], columns[24];
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
    if (words->all) add_word(grader, "--all");
    if (words->kernel) add_word(grader, "--kernel"), add_word(grader, words->kernel);
    return true;
}

/* The output is kept to be shown later on: for the page that standard output is. */
static void add_page(Grader *grader) {
    Page page = page_of(STDOUT_FILENO);
    if (page.colour) add_word(grader, "--colour");
    snprintf(grader->columns, sizeof grader->columns, "%zu", page.columns);
    add_word(grader, "--columns"), add_word(grader, grader->columns);
}

/* Grades and fetches the points, "" when there are none, and what was seen (NULL: nobody asks). The exit status is the grader's. */
static int grader_run(Grader *grader, ChildOutput output, Text *kept, char points[POINTS_BYTES], Text *seen) {
    int ends[2];
    char said[SEEN_BYTES + 64];
    char number[16];
    if (pipe(ends) != 0) {
        fprintf(stderr, "warpscope: no pipe can be made: %s\n", strerror(errno));
        return EXIT_USAGE;
    }
    fcntl(ends[0], F_SETFD, FD_CLOEXEC);
    fcntl(ends[0], F_SETFL, O_NONBLOCK); /* a compiler that outlives its grader may still hold the other end */
    snprintf(number, sizeof number, "%d", ends[1]);
    add_word(grader, "--score"), add_word(grader, number);
    if (seen) add_word(grader, "--seen");
    add_word(grader, grader->file);
    int status = cmd_lab_child(grader->argv, output, kept);
    close(ends[1]);
    ssize_t got = read(ends[0], said, sizeof said - 1);
    close(ends[0]);
    said[got > 0 ? got : 0] = 0;
    size_t length = strcspn(said, "\n");
    const char *rest = said + length + (said[length] == '\n');
    snprintf(points, POINTS_BYTES, "%.*s", (int)length, said);
    if (seen) text_add_bytes(seen, rest, strcspn(rest, "\n"));
    return status;
}

void cmd_lab_checksum(const CatalogueEntry *lab, char *checksum, size_t size) {
    FREED char *text = text_read_file(lab->kernel, KERNEL_BYTES, NULL);
    checksum[0] = 0;
    if (text && *text) snprintf(checksum, size, "%016" PRIx64, checksum_of(text));
}

/* The grader could not work: that is no verdict. */
static int say_unable(const CatalogueEntry *lab, const LabWords *words, const char *file, const char *why) {
    LOCAL_TEXT text = {0}, visible = {0};
    visible_add(&visible, why, strlen(why) - (*why && why[strlen(why) - 1] == '\n'));
    result_unable(lab->goals, file, words->json, text_string(&visible), &text);
    fputs(text_string(&text), words->json ? stdout : stderr);
    return EXIT_UNABLE;
}

/* The learner's file, as it was when it was last graded and as it is. */
typedef struct Own {
    LabMark before;
    char checksum[32];          /* "": it cannot be read or is empty */
    Text kernels, edited, seen; /* outcome.h: its kernels, those that changed, what this grading sees */
} Own;

/* What the learner's file is, before it is graded: what is saved meanwhile is graded again. */
static void remember_kernels(const LabTree *tree, const CatalogueEntry *lab, Own *own) {
    FREED char *text = text_read_file(lab->kernel, KERNEL_BYTES, NULL);
    own->before = progress_of(&tree->progress, lab->goals->number);
    if (text && *text) snprintf(own->checksum, sizeof own->checksum, "%016" PRIx64, checksum_of(text));
    if (text) outcome_add_kernels(lab->goals, text, &own->kernels);
    outcome_edited(lab->goals, own->before.seen, text_string(&own->kernels), &own->edited);
}

static void own_free(Own *own) {
    text_free(&own->kernels);
    text_free(&own->edited);
    text_free(&own->seen);
}

static void remember_history(const LabTree *tree, const CatalogueEntry *lab, const Own *own, double points) {
    HistoryEntry entry = {
        .time = time(NULL), .points = points, .hints = own->before.hints, .seen = (char *)text_string(&own->seen)};
    snprintf(entry.number, sizeof entry.number, "%s", lab->goals->number);
    cmd_lab_add_history(tree, &entry);
}

/* Remembers the points, and says what changed. */
static void remember_result(LabTree *tree, const CatalogueEntry *lab, Own *own, const char *points, Text *changes) {
    Diag unwritten = {0};
    bool is_new = strcmp(own->checksum, own->before.graded) != 0;
    if (is_new)
        outcome_say_changes(lab->goals, own->before.seen, text_string(&own->seen), page_of(STDOUT_FILENO).columns, changes);
    if (is_new || strtod(points, NULL) != own->before.last) remember_history(tree, lab, own, strtod(points, NULL));
    text_add(&own->seen, "%s", text_string(&own->kernels));
    if (!progress_graded(tree->progress_path, lab->goals->number, strtod(points, NULL), own->checksum, text_string(&own->seen),
                         &unwritten))
        print_diag(&unwritten);
    cmd_lab_recall(tree, false);
}

/* Grades the learner's file and remembers the points. */
static int grade_own(LabTree *tree, const CatalogueEntry *lab, const LabWords *words, ChildOutput output, Text *kept,
                     Diag *diag) {
    Grader grader;
    Own own = {0};
    char points[POINTS_BYTES];
    if (!grader_begin(&grader, tree, lab, words, diag)) return EXIT_USAGE;
    if (!cmd_lab_has_kernel(lab, diag)) return EXIT_SOURCE;
    if (output == OUTPUT_KEPT) add_page(&grader);
    remember_kernels(tree, lab, &own);
    if (own.edited.length) add_word(&grader, "--edited"), add_word(&grader, text_string(&own.edited));
    grader.file = lab->kernel;
    int status = grader_run(&grader, output, kept, points, &own.seen);
    cmd_lab_end_as(status);
    if (status > EXIT_UNABLE) status = say_unable(lab, words, grader.file, "the program that grades it was ended");
    LOCAL_TEXT changes = {0};
    if (status <= EXIT_FAULT && points[0]) remember_result(tree, lab, &own, points, &changes);
    if (kept && !words->json) text_add(kept, "%s", text_string(&changes));
    if (!kept && !words->json) fputs(text_string(&changes), stdout);
    own_free(&own);
    return status;
}

int cmd_lab_show_own(LabTree *tree, const CatalogueEntry *lab, const LabWords *words, Diag *diag) {
    int status = grade_own(tree, lab, words, OUTPUT_SHOWN, NULL, diag);
    if (status == EXIT_FINE) cmd_lab_say_next(tree);
    if (status == EXIT_SOURCE && !diag->set)
        printf("To begin anew: make reset LAB=%s   (keeps a copy of yours)\n", lab->goals->number);
    return status;
}

/* The same for editors. */
static int jump_own(LabTree *tree, const CatalogueEntry *lab, const LabWords *words, Diag *diag) {
    LabWords json = *words;
    LOCAL_TEXT said = {0}, lines = {0};
    json.json = true;
    int status = grade_own(tree, lab, &json, OUTPUT_KEPT, &said, diag);
    json_auto_t *result = json_loadb(text_string(&said), said.length, 0, NULL);
    if (result)
        problems_of(result, &lines);
    else
        text_add(&lines, "%s", text_string(&said)); /* said by one that could not even begin */
    fputs(text_string(&lines), stdout);
    return status;
}

static int jump_all(LabTree *tree, const LabWords *words, Diag *diag) {
    int worst = EXIT_FINE;
    for (size_t i = 0; i < tree->catalogue.count; i++) {
        int status = jump_own(tree, &tree->catalogue.labs[i], words, diag);
        if (worst != EXIT_UNABLE && status != EXIT_FINE) worst = status == EXIT_UNABLE ? status : EXIT_FAULT;
    }
    return worst;
}

/* The grader's JSON of a file, with what `part` asks for besides. */
static json_t *graded_parts(const LabTree *tree, const CatalogueEntry *lab, const char *cc, const char *part, const char *path,
                            Diag *diag) {
    const LabWords json = {.json = true, .cc = cc};
    Grader grader;
    LOCAL_TEXT said = {0};
    if (!grader_begin(&grader, tree, lab, &json, diag)) return NULL;
    add_word(&grader, part), add_word(&grader, path);
    cmd_lab_end_as(cmd_lab_child(grader.argv, OUTPUT_KEPT, &said));
    return json_loadb(text_string(&said), said.length, 0, NULL);
}

json_t *cmd_lab_figures(const LabTree *tree, const CatalogueEntry *lab, const char *path, Diag *diag) {
    return graded_parts(tree, lab, NULL, "--figures", path, diag);
}

json_t *cmd_lab_launches(const LabTree *tree, const CatalogueEntry *lab, const LabWords *words, Diag *diag) {
    json_t *result = graded_parts(tree, lab, words->cc, "--launches", lab->kernel, diag);
    if (!result && !diag->set) diag_say(diag, "the grader of lab %s said nothing", lab->goals->number);
    return result;
}

/* Whether an exercise as it was given can be compiled here; if not, why not. */
static bool kernels_work(const LabTree *tree, Text *why) {
    char include_dir[PATH_MAX];
    LOCAL_SOURCE source = {0};
    Diag diag = {0};
    CompileRequest request = {.path = tree->catalogue.labs[0].untouched};
    if (home_headers(tree->program, include_dir, sizeof include_dir)) request.include_dir = include_dir;
    bool good = source_load(&request, &source, &diag) == SOURCE_GOOD;
    if (!good && source.compiled.messages.length)
        text_add(why, "%s", text_string(&source.compiled.messages));
    else if (!good)
        diag_format(&diag, why);
    return good;
}

/* --- several labs at once ------------------------------------------------------------------------------------------------- */

enum { KNOWN = -1 }; /* status of a lab that need not be graded */

typedef struct Several {
    pid_t pid; /* 0: not begun, or done */
    FILE *output;
    Text said;
    int status;
} Several;

/* In a process of its own, which ends here. */
static _Noreturn void grade_apart(LabTree *tree, const CatalogueEntry *lab, const LabWords *words, FILE *output) {
    Diag diag = {0};
    Text said = {0};
    process_release_signals();
    int status = grade_own(tree, lab, words, OUTPUT_KEPT, &said, &diag);
    if (diag.set) print_diag(&diag);
    if (fputs(text_string(&said), output) < 0 || fflush(output) != 0) status = EXIT_UNABLE;
    fflush(NULL);
    _exit(status);
}

/* False where no process can be had. */
static bool begin_apart(LabTree *tree, const CatalogueEntry *lab, const LabWords *words, Several *one) {
    one->output = tmpfile();
    if (!one->output) return false;
    fflush(NULL);
    one->pid = fork();
    if (one->pid == 0) grade_apart(tree, lab, words, one->output);
    if (one->pid > 0) return true;
    fclose(one->output);
    one->pid = 0;
    return false;
}

static void end_apart(Several *one, int status) {
    one->pid = 0;
    one->status = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
    rewind(one->output);
    text_add_stream(&one->said, one->output);
    fclose(one->output);
}

/* Waits for one of them to end. A signal that asks us to end is handed on to all. */
static void await_one(Several *several, size_t count) {
    int status;
    pid_t pid;
    while ((pid = waitpid(-1, &status, 0)) < 0 && errno == EINTR)
        for (size_t i = 0; i < count; i++)
            if (several[i].pid) kill(several[i].pid, SIGTERM);
    for (size_t i = 0; i < count; i++)
        if (pid > 0 && several[i].pid == pid) end_apart(&several[i], status);
}

/* Grades all labs but those of status KNOWN, as many at once as there are processors. */
static void grade_several(LabTree *tree, const LabWords *words, Several *several, Diag *diag) {
    const Catalogue *catalogue = &tree->catalogue;
    long processors = sysconf(_SC_NPROCESSORS_ONLN), running = 0;
    process_hold_signals();
    for (size_t i = 0; i < catalogue->count && !process_is_asked_to_end(); i++) {
        if (several[i].status == KNOWN) continue;
        if (running == (processors > 0 ? processors : 1)) await_one(several, catalogue->count), running--;
        if (begin_apart(tree, &catalogue->labs[i], words, &several[i]))
            running++;
        else
            several[i].status = grade_own(tree, &catalogue->labs[i], words, OUTPUT_KEPT, &several[i].said, diag);
    }
    while (running) await_one(several, catalogue->count), running--;
    process_release_signals();
    for (size_t i = 0; i < catalogue->count; i++) cmd_lab_end_as(several[i].status);
    cmd_lab_recall(tree, false);
}

static void several_free(Several *several, size_t count) {
    for (size_t i = 0; i < count; i++) text_free(&several[i].said);
    free(several);
}

/* --- start ---------------------------------------------------------------------------------------------------------------- */

static int say_ungraded(const LabTree *tree, const bool *is_ungraded) {
    LOCAL_TEXT why = {0}, names = {0};
    const char *last = "";
    for (size_t i = 0; i < tree->catalogue.count; i++) {
        if (!is_ungraded[i]) continue;
        last = tree->catalogue.labs[i].goals->number;
        text_add(&names, " %s", last);
    }
    if (!names.length)
        cmd_lab_say_next(tree);
    else if (kernels_work(tree, &why))
        printf("\nNot graded:%s. To see why: make grade LAB=%s\n", text_string(&names), last);
    else
        printf("\n%s\nNo kernel can be compiled here, so no lab was graded.\nTo see what is missing: make doctor\n",
               text_string(&why));
    return names.length ? EXIT_FAULT : EXIT_FINE;
}

/* is_ungraded[i]: what changed of the i-th lab could not be graded. */
static void grade_changed(LabTree *tree, const LabWords *words, bool *is_ungraded, Diag *diag) {
    size_t count = tree->catalogue.count;
    Several *several = alloc_zeroed(count, sizeof *several);
    for (size_t i = 0; i < count; i++) {
        const CatalogueEntry *lab = &tree->catalogue.labs[i];
        LabMark mark = progress_of(&tree->progress, lab->goals->number);
        char checksum[32];
        cmd_lab_checksum(lab, checksum, sizeof checksum);
        if (checksum[0] && strcmp(checksum, mark.graded) == 0)
            several[i].status = KNOWN;
        else
            printf("  %-7s %s\n", "GRADE", lab->folder);
    }
    grade_several(tree, words, several, diag);
    for (size_t i = 0; i < count; i++) is_ungraded[i] = several[i].status > EXIT_FAULT;
    several_free(several, count);
}

/* Fails when a lab could not be graded, and says which and why. */
int cmd_lab_start(LabTree *tree, const LabWords *words, Diag *diag) {
    FREED bool *is_ungraded = alloc_zeroed(tree->catalogue.count, sizeof *is_ungraded);
    grade_changed(tree, words, is_ungraded, diag);
    cmd_lab_list(tree, is_ungraded);
    return say_ungraded(tree, is_ungraded);
}

bool cmd_lab_regrade(LabTree *tree, Diag *diag) {
    FREED bool *is_ungraded = alloc_zeroed(tree->catalogue.count, sizeof *is_ungraded);
    grade_changed(tree, &(LabWords){0}, is_ungraded, diag);
    return !memchr(is_ungraded, true, tree->catalogue.count) || say_ungraded(tree, is_ungraded) == EXIT_FINE;
}

/* --- grade ---------------------------------------------------------------------------------------------------------------- */

static int grade_all(LabTree *tree, const LabWords *words, Diag *diag) {
    const Catalogue *catalogue = &tree->catalogue;
    Several *several = alloc_zeroed(catalogue->count, sizeof *several);
    int worst = EXIT_FINE;
    grade_several(tree, words, several, diag);
    for (size_t i = 0; i < catalogue->count; i++) {
        int status = several[i].status;
        if (worst != EXIT_UNABLE && status != EXIT_FINE) worst = status == EXIT_UNABLE ? status : EXIT_FAULT;
    }
    cmd_lab_list(tree, NULL);
    const CatalogueEntry *current = cmd_lab_unsolved(tree);
    if (current)
        printf("\n%s", text_string(&several[current - catalogue->labs].said));
    else
        cmd_lab_say_next(tree);
    several_free(several, catalogue->count);
    return worst;
}

/* Opens the folder that the path's last part is in, through links as one may have typed it; *name is that part. -1 with errno. */
static int open_folder_of(const LabTree *tree, const char *path, const char **name) {
    LOCAL_TEXT folder = {0};
    const char *slash = strrchr(path, '/');
    if (*path != '/' && tree->caller[0]) text_add(&folder, "%s/", tree->caller);
    text_add_bytes(&folder, path, slash ? (size_t)(slash + 1 - path) : 0);
    *name = slash ? slash + 1 : path;
    return open(folder.length ? text_string(&folder) : ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
}

static int grade_bytes(const LabTree *tree, const CatalogueEntry *lab, const LabWords *words, const char *file, bool is_archive,
                       const Text *bytes) {
    SandboxResult graded;
    SandboxRequest request = {.build = tree->build,
                              .lab = lab->folder,
                              .name = file,
                              .cc = words->cc,
                              .seed = words->seed,
                              .variant = words->variant,
                              .json = words->json,
                              .colour = !words->json && page_of(STDOUT_FILENO).colour,
                              .columns = page_of(STDOUT_FILENO).columns,
                              .kernel = words->kernel,
                              .all = words->all,
                              .is_archive = is_archive};
    sandbox_grade(&request, bytes, &graded);
    int status = (int)graded.status;
    fwrite(text_string(&graded.result), 1, graded.result.length, stdout);
    if (!graded.result.length && graded.status != GRADED_USAGE)
        status = say_unable(lab, words, file, text_string(&graded.said));
    else if (graded.said.length)
        print_visible(&graded.said, stderr);
    sandbox_free(&graded);
    return status;
}

static int say_refused(const CatalogueEntry *lab, const LabWords *words, const char *file, const char *why) {
    LOCAL_TEXT text = {0};
    result_refusal(lab->goals, words->json ? result_head(lab->goals, file) : NULL, why, &text);
    fputs(text_string(&text), stdout);
    return EXIT_SOURCE;
}

/* What a class takes is taken here as well: a file, an archive, or a folder of its own. path: as it was typed, with no slash at its end. */
static int grade_entry(const LabTree *tree, const CatalogueEntry *lab, const LabWords *words, const char *path, int folder,
                       const char *name) {
    Submission submission;
    LOCAL_TEXT bytes = {0};
    Diag why = {0};
    bool refused;
    int status = EXIT_USAGE;
    submission_find(&submission, folder, name);
    LOCAL_TEXT file = text_from("%s%s", path, submission.path ? submission.path + strlen(name) : "");
    if (submission_take(&submission, folder, &bytes, &refused, &why))
        status = grade_bytes(tree, lab, words, text_string(&file), submission.is_archive, &bytes);
    else if (refused)
        status = say_refused(lab, words, text_string(&file), why.message);
    else
        status = say_unable(lab, words, text_string(&file), why.message);
    submission_free(&submission);
    return status;
}

static int grade_submission(LabTree *tree, const CatalogueEntry *lab, const LabWords *words, Diag *diag) {
    Grader grader;
    struct stat entry;
    const char *name;
    int status = EXIT_USAGE;
    if (!grader_begin(&grader, tree, lab, words, diag)) return EXIT_USAGE;
    FREED char *path = alloc_copy(words->submission);
    for (size_t end = strlen(path); end > 1 && path[end - 1] == '/'; end--) path[end - 1] = 0;
    int folder = open_folder_of(tree, path, &name);
    if (folder < 0 || fstatat(folder, name, &entry, AT_SYMLINK_NOFOLLOW) != 0)
        diag_error(diag, path, 0, 0, "%s", strerror(errno));
    else if (S_ISLNK(entry.st_mode))
        diag_error(diag, path, 0, 0, "it is a link: give the file itself");
    else if (!S_ISREG(entry.st_mode) && !S_ISDIR(entry.st_mode))
        diag_error(diag, path, 0, 0, "it is neither a file nor a folder");
    else
        status = grade_entry(tree, lab, words, path, folder, name);
    if (folder >= 0) close(folder);
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
        add_word(&grader, "--on"), add_word(&grader, "gpu"), add_word(&grader, lab->kernel);
        int status = cmd_lab_child(grader.argv, OUTPUT_SHOWN, NULL);
        cmd_lab_end_as(status);
        if (status != EXIT_FINE) worst = EXIT_FAULT;
    }
    return worst;
}

int cmd_lab_grade(LabTree *tree, const LabWords *words, Diag *diag) {
    const CatalogueEntry *lab = words->lab ? catalogue_find(&tree->catalogue, words->lab, diag) : NULL;
    if (words->lab && !lab) return EXIT_USAGE;
    if (words->on_gpu && words->submission)
        diag_say(diag, "one submission runs on the emulated device only; a GPU measures a class: make class DEVICE=gpu");
    else if (words->has_variant && !words->submission)
        diag_say(diag, "--variant is for a submission; make variant VARIANT=N writes one");
    else if (words->submission && !lab)
        diag_say(diag, "of which lab? make grade LAB=05 SUBMISSION=path/kernel.cu");
    else if (words->json && !lab && !words->on_gpu)
        diag_say(diag, "JSON is of one lab: make grade LAB=05 JSON=1");
    else if (words->gcc && (words->json || words->on_gpu || words->submission))
        diag_say(diag, "FORMAT=gcc is for your own files on the emulated device, without JSON, DEVICE and SUBMISSION");
    if (diag->set) return EXIT_USAGE;
    if (words->on_gpu) return measure_labs(tree, lab, words, diag);
    if (words->submission) return grade_submission(tree, lab, words, diag);
    if (words->gcc) return lab ? jump_own(tree, lab, words, diag) : jump_all(tree, words, diag);
    if (!lab) return grade_all(tree, words, diag);
    return words->json ? grade_own(tree, lab, words, OUTPUT_SHOWN, NULL, diag) : cmd_lab_show_own(tree, lab, words, diag);
}

/* --- verify --------------------------------------------------------------------------------------------------------------- */

static int verify(LabTree *tree, const CatalogueEntry *lab, const char *cc, Diag *diag) {
    const LabWords words = {.cc = cc};
    Grader grader;
    LOCAL_TEXT result = {0};
    char points[POINTS_BYTES];
    if (!grader_begin(&grader, tree, lab, &words, diag)) return EXIT_USAGE;
    LOCAL_TEXT solution = text_from("solutions/%s/kernel.cu", lab->folder);
    grader.file = solution.data;
    int status = grader_run(&grader, OUTPUT_KEPT, &result, points, NULL);
    if (status == EXIT_FINE)
        printf("%s  %-28s %s of %g (%s)\n", lab->goals->number, lab->goals->title, points, lab->goals->points, cc);
    else
        fputs(text_string(&result), stdout);
    cmd_lab_end_as(status);
    return status;
}

int cmd_lab_verify(LabTree *tree, const LabWords *words, Diag *diag) {
    static const char *const compilers[] = {"nvcc", "clang"};
    const CatalogueEntry *chosen = words->lab ? catalogue_find(&tree->catalogue, words->lab, diag) : NULL;
    LOCAL_TEXT why = {0};
    int worst = EXIT_FINE;
    if (words->lab && !chosen) return EXIT_USAGE;
    if (!kernels_work(tree, &why)) {
        print_visible(&why, stderr);
        worst = EXIT_UNABLE;
    }
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
