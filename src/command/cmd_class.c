/* cmd_class.c: warpscope class: a folder of submissions graded, and what comes of it. */
#include <errno.h>
#include <inttypes.h>
#include <limits.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "class/alike.h"
#include "class/course.h"
#include "class/gradebook.h"
#include "class/ongpu.h"
#include "command/command.h"
#include "cuda/home.h"
#include "grade/scratch.h"
#include "host/now.h"

static const char class_help[] =
    "warpscope class DIR --lab LAB --out OUT [OPTION...]\n"
    "warpscope class DIR --teacher FILE --out OUT [OPTION...]\n"
    "\n"
    "Grades a class: each entry of DIR is a submission, a .cu file, an archive, or a folder that holds one of them. Each is\n"
    "graded in the sandbox. OUT gets gradebook.csv, gradebook.json, junit.xml, pages (index.html), and\n"
    "results/NAME/result.json for each. What is graded already is not graded again, unless file, goals or programs\n"
    "changed: an interrupted class goes on. Several graders may share one OUT.\n"
    "\n"
    "  --teacher FILE    a course: the labs of a teacher's file, each of a folder of DIR, with weights and deadlines. OUT "
    "gets\n"
    "                    gradebook.csv and index.html of the course, and OUT/NN all that is said above for lab NN\n"
    "  --jobs N          so many at a time (the processors)\n"
    "  --cc nvcc|clang   the compiler\n"
    "  --on gpu          behind the grading, which is as without it, runs the kernels that it found to be right on this\n"
    "                    computer's GPU, natively, and writes what was measured beside the points, which it does not change.\n"
    "                    They keep the sandbox, but for the GPU's devices and driver; appendix D says what that means\n"
    "  --secret FILE     what the data is drawn from: 16 bytes or more (OUT/state/secret, made at the first use). Keep it to\n"
    "                    yourself, and with OUT: with it the same submissions get the same results\n"
    "  --again           grades also what is graded already\n"
    "  --share K/N       only every N-th submission, beginning with the K-th; writes no gradebook: one task of many\n"
    "  --settled N       leaves out what changed in the last N seconds, as it may still be being written\n"
    "  --collect         grades nothing: writes gradebook and pages of the results there are\n"
    "  --likeness[=N]    writes likeness.html and likeness.json as well: whose kernels are alike by N percent (50) or more,\n"
    "                    whatever names stand there, or are written alike, and which are like the tree's own solution; a hint\n"
    "                    for you, which changes no score\n"
    "  --against FOLDER  with it: compares with the submissions in this folder as well, such as an earlier year's; of a "
    "course\n"
    "                    it has the labs' folders, as DIR has. They are graded once beneath OUT/state. May be given 16 times\n"
    "\n"
    "BUILD: the build folder (build).\n"
    "Exit status: 0 all submissions have a grade; 2 wrong usage, or --on gpu and no GPU; 4 some could not be graded, or\n"
    "measured, or have no result yet.\n";

enum { AGAINST_MOST = 16 };

typedef struct ClassWords {
    ClassRequest request;
    const char *lab, *teacher;
    uint64_t likeness; /* percent; 0: not asked for */
    char *against[AGAINST_MOST];
    size_t n_against;
    bool collect, help;
} ClassWords;

static bool read_share(void *command, const char *option, const char *value, Diag *diag) {
    ClassRequest *request = &((ClassWords *)command)->request;
    int length = 0;
    bool good = sscanf(value, "%u/%u%n", &request->share, &request->shares, &length) == 2 && !value[length];
    good = good && request->share >= 1 && request->share <= request->shares;
    return good || diag_say(diag, "%s %.100s: it is K/N, with K from 1 to N", option, value);
}

static bool read_against(void *command, const char *option, const char *value, Diag *diag) {
    ClassWords *words = command;
    if (words->n_against == AGAINST_MOST) return diag_say(diag, "%s takes at most %d folders", option, AGAINST_MOST);
    words->against[words->n_against++] = (char *)value;
    return true;
}

static bool read_compiler(void *command, const char *option, const char *value, Diag *diag) {
    bool nvcc;
    ((ClassWords *)command)->request.cc = value;
    return parse_choice(option, value, "nvcc", "clang", &nvcc, diag);
}

static bool read_dir(void *command, const char *option, const char *value, Diag *diag) {
    ClassRequest *request = &((ClassWords *)command)->request;
    (void)option;
    if (request->dir) return diag_say(diag, "'%.100s' is a word too many", value);
    request->dir = value;
    return true;
}

static bool read_words(ClassWords *words, int argc, char **argv, Diag *diag) {
    static const OptionRow rows[] = {OPTION_TEXT("lab", ClassWords, lab),
                                     OPTION_TEXT("teacher", ClassWords, teacher),
                                     OPTION_TEXT("out", ClassWords, request.out),
                                     OPTION_NUMBER("jobs", ClassWords, request.jobs, 1, 1024),
                                     {"cc", OPTION_READS, .read = read_compiler},
                                     OPTION_TEXT("secret", ClassWords, request.secret),
                                     OPTION_SET("again", ClassWords, request.again),
                                     {"share", OPTION_READS, .read = read_share},
                                     OPTION_NUMBER("settled", ClassWords, request.settled, 1, 1000000),
                                     OPTION_SET("collect", ClassWords, collect),
                                     {"likeness", OPTION_COUNTS, offsetof(ClassWords, likeness), 1, 100, .without = "50"},
                                     {"against", OPTION_READS, .read = read_against},
                                     OPTION_CHOICE("on", ClassWords, request.on_gpu, "gpu", "emulated"),
                                     OPTION_SET("help", ClassWords, help),
                                     OPTION_SET("h", ClassWords, help),
                                     {"", OPTION_READS, .read = read_dir},
                                     {0}};
    long processors = sysconf(_SC_NPROCESSORS_ONLN);
    words->request.jobs = processors > 0 ? (uint64_t)processors : 1;
    words->request.share = words->request.shares = words->request.draws = 1;
    if (!options_read((OptionTable[]){{rows, words, NULL}, {0}}, argc, argv, NULL, "class", diag)) return false;
    if (words->help) return true;
    if (!words->request.dir || !*words->request.dir) return diag_say(diag, "which folder holds the submissions?");
    bool has_lab = words->lab && *words->lab, has_teacher = words->teacher && *words->teacher;
    if (!has_lab && !has_teacher) return diag_say(diag, "which lab is it? --lab 05");
    if (has_lab && has_teacher) return diag_say(diag, "the teacher's file names the labs: leave out --lab (LAB=)");
    if (words->likeness && words->request.shares > 1 && !words->collect)
        return diag_say(diag, "--share sees one share: give --likeness to --collect");
    if (words->n_against && !words->likeness)
        return diag_say(diag, "--against says what to compare with: give --likeness as well (AGAINST= and LIKENESS=1)");
    if (!words->request.out || !*words->request.out) return diag_say(diag, "where shall the results be? --out FOLDER");
    return true;
}

/* --- progress ------------------------------------------------------------------------------------------------------------- */

static double begun_s, told_s;

static void add_left(double seconds, char *text, size_t size) {
    if (seconds < 90)
        snprintf(text, size, "%.0f s", seconds);
    else if (seconds < 5400)
        snprintf(text, size, "%.0f min", seconds / 60);
    else
        snprintf(text, size, "%.1f h", seconds / 3600);
}

/* A bar that is painted over in a terminal; else a line every half minute. The estimate is of those that had to be graded. */
static void tell_progress(const ClassProgress *progress) {
    enum { WIDTH = 30 };
    char left[32] = "";
    double now = now_s(), spent = now - begun_s;
    bool terminal = isatty(STDERR_FILENO);
    if (now - told_s < (terminal ? 0.2 : 30)) return;
    told_s = now;
    if (progress->graded > 2)
        add_left(spent / (double)progress->done * (double)(progress->total - progress->done), left, sizeof left);
    int filled = progress->total ? (int)(progress->done * WIDTH / progress->total) : WIDTH;
    if (terminal)
        fprintf(stderr, "\r[%.*s%*s] %zu of %zu%s%s%s\033[K", filled, "##############################", WIDTH - filled, "",
                progress->done, progress->total, *left ? ", about " : "", left, *left ? " left" : "");
    else
        fprintf(stderr, "%zu of %zu%s%s%s\n", progress->done, progress->total, *left ? ", about " : "", left,
                *left ? " left" : "");
}

/* --- the command ---------------------------------------------------------------------------------------------------------- */

static int say_interrupted(const ClassProgress *progress, int number) {
    fprintf(stderr, "interrupted: %zu of %zu are done; the same command goes on\n", progress->done, progress->total);
    fflush(NULL);
    scratch_end();
    signal(number, SIG_DFL);
    raise(number);
    return EXIT_UNABLE;
}

static int collect(const Class *class, Diag *diag) {
    Gradebook book;
    const Goals *goals = class->request.lab->goals;
    bool written = gradebook_write(class, &book, diag);
    if (written)
        printf(
            "lab %s: %zu submissions: %zu graded, %zu refused, mean %.4g of %g points\n  %s/gradebook.csv\n  %s/index.html\n",
            goals->number, book.count, book.graded, book.refused, book.mean * goals->points, goals->points, class->request.out,
            class->request.out);
    if (written && book.ungraded)
        fprintf(stderr,
                "%zu could not be graded, which says nothing about them: see their results; the same command tries again\n",
                book.ungraded);
    if (written && book.unmeasured)
        fprintf(stderr, "%zu could not be measured, which costs no points; the same command tries again\n", book.unmeasured);
    if (written && book.missing)
        fprintf(stderr, "%zu have no result yet:\n%s%s", book.missing, text_string(&book.absent),
                book.missing > 10 ? "…\n" : "");
    text_free(&book.absent);
    return !written || book.ungraded || book.unmeasured || book.missing ? EXIT_UNABLE : EXIT_FINE;
}

static bool liken(const Class *class, const Class *others, size_t n_others, uint64_t percent, Diag *diag) {
    AlikeCount count;
    if (!alike_write(class, others, n_others, (double)percent / 100, &count, diag)) return false;
    printf("  %s/likeness.html: %zu %s alike in %zu files; a hint, for you alone\n", class->request.out, count.pairs,
           count.pairs == 1 ? "pair is" : "pairs are", count.compared);
    if (count.elsewhere)
        printf("    %zu %s alike with %zu %s of elsewhere\n", count.pairs_elsewhere, count.pairs_elsewhere == 1 ? "is" : "are",
               count.elsewhere, count.elsewhere == 1 ? "file" : "files");
    return true;
}

/* A folder of another class: graded beneath OUT/state as this one is, for what it compiles to, which is once. */
typedef struct Other {
    Class class;
    Text dir, out;
} Other;

static bool grade_other(const Class *class, Other *other, int *interrupted, Diag *diag) {
    static const uint8_t key[RANDOM_KEY_BYTES];
    const ClassRequest *of = &class->request;
    ClassProgress progress = {0};
    text_add(&other->out, "%s/state/against/%016" PRIx64, of->out, random_seed(key, other->dir.data, other->dir.length));
    const ClassRequest request = {.dir = other->dir.data,
                                  .out = other->out.data,
                                  .within = of->out,
                                  .build = of->build,
                                  .lab = of->lab,
                                  .cc = of->cc,
                                  .jobs = of->jobs,
                                  .share = 1,
                                  .shares = 1,
                                  .draws = 1};
    begun_s = told_s = now_s();
    bool good =
        class_open(&other->class, &request, diag) && class_grade(&other->class, tell_progress, &progress, interrupted, diag);
    if (isatty(STDERR_FILENO)) fputs("\r\033[K", stderr);
    return good;
}

/* folder: a lab's, beneath the other folders as beneath DIR; NULL: they are of this lab. False where that could not be done: diag says why, or
 * interrupted is the signal. */
static bool liken_all(const ClassWords *words, const Class *class, const char *folder, int *interrupted, Diag *diag) {
    Other others[AGAINST_MOST] = {0};
    Class classes[AGAINST_MOST];
    size_t count = 0;
    bool good = true;
    for (size_t i = 0; i < words->n_against; i++) others[i].class.folder = others[i].class.out.folder = -1;
    for (size_t i = 0; good && i < words->n_against; i++) {
        Other *other = &others[i];
        text_add(&other->dir, "%s%s%s", words->against[i], folder ? "/" : "", folder ? folder : "");
        if (folder && access(other->dir.data, F_OK) != 0) continue;
        good = grade_other(class, other, interrupted, diag);
        classes[count++] = other->class;
    }
    good = good && liken(class, classes, count, words->likeness, diag);
    for (size_t i = 0; i < words->n_against; i++) {
        class_close(&others[i].class);
        text_free(&others[i].dir);
        text_free(&others[i].out);
    }
    return good;
}

/* Behind the grading, whose gradebook is written whatever comes of this. What is said of the sandbox holds for both kinds of it. False where
 * some could not be measured. */
static bool measure(const Class *class, ClassProgress *progress, int *interrupted) {
    Diag unable = {0};
    size_t wanted = ongpu_count(class);
    if (!wanted) return true;
    fprintf(stderr,
            "%s: %zu %s, one at a time, the kernels that are right on the\n"
            "emulated device. They run natively, without network and without your files; but\n"
            "the sandbox opens the GPU's devices, and NVIDIA's driver is then what keeps them\n"
            "in. Points do not change.\n",
            class->gpu.name, wanted, wanted == 1 ? "submission" : "submissions");
    begun_s = told_s = now_s();
    bool good = ongpu_measure(class, tell_progress, progress, interrupted, &unable);
    if (unable.set) print_diag(&unable);
    return good && !progress->ungraded;
}

/* A lab's class; what comes of it goes into the course, if there is one. */
static int grade_class(const ClassWords *words, const ClassRequest *request, Course *course, size_t lab, Diag *diag) {
    Class class;
    ClassProgress progress = {0};
    int status = EXIT_USAGE, interrupted = 0;
    bool measures = request->on_gpu && !words->collect;
    if (class_open(&class, request, diag) && (!measures || ongpu_find(&class.gpu, diag))) {
        bool whole = request->shares == 1, measured = true;
        begun_s = told_s = now_s();
        bool good = words->collect || class_grade(&class, tell_progress, &progress, &interrupted, diag);
        bool graded = !progress.ungraded;
        if (good && measures) measured = measure(&class, &progress, &interrupted);
        if (isatty(STDERR_FILENO) && !words->collect) fputs("\r\033[K", stderr);
        if (interrupted)
            status = say_interrupted(&progress, interrupted);
        else if (!good)
            status = EXIT_UNABLE;
        else if (whole || words->collect)
            status = collect(&class, diag);
        else
            status = graded && measured ? EXIT_FINE : EXIT_UNABLE;
        if (words->likeness && good && !interrupted && !diag->set &&
            !liken_all(words, &class, course ? course->teacher->labs[lab].folder : NULL, &interrupted, diag))
            status = interrupted ? say_interrupted(&progress, interrupted) : EXIT_UNABLE;
        if (course && !diag->set) course_add(course, lab, &class);
    }
    class_close(&class);
    return status;
}

/* A lab whose folder is not there is one that nobody has handed in yet. Of a course of one lab DIR itself may be the folder. */
static int grade_lab(const ClassWords *words, Course *course, size_t index, Diag *diag) {
    const TeacherLab *lab = &course->teacher->labs[index];
    ClassRequest request = words->request;
    LOCAL_TEXT dir = text_from("%s/%s", words->request.dir, lab->folder),
               out = text_from("%s/%s", words->request.out, lab->lab->goals->number);
    int status = EXIT_FINE;
    request.dir = dir.data, request.out = out.data, request.within = words->request.out, request.lab = lab->lab,
    request.draws = lab->draws;
    if (!request.secret) request.secret = course->teacher->secret;
    request.course = course->teacher->course;
    if (course->teacher->n_labs == 1 && access(dir.data, F_OK) != 0) request.dir = words->request.dir;
    if (access(request.dir, F_OK) == 0)
        status = grade_class(words, &request, course, index, diag);
    else
        fprintf(stderr, "lab %s is left out: there is no folder %s\n", lab->lab->goals->number, dir.data);
    return status;
}

static int grade_course(const ClassWords *words, const Teacher *teacher, Diag *diag) {
    Course course;
    int worst = EXIT_FINE;
    if (mkdir(words->request.out, 0777) != 0 && errno != EEXIST) {
        diag_error(diag, words->request.out, 0, 0, "this folder cannot be made: %s", strerror(errno));
        return EXIT_USAGE;
    }
    course_begin(&course, teacher);
    for (size_t i = 0; i < teacher->n_labs && !diag->set; i++) {
        int status = grade_lab(words, &course, i, diag);
        if (status != EXIT_FINE) worst = status;
    }
    if (!course.count && !diag->set && words->request.shares == 1) {
        diag_error(diag, words->request.dir, 0, 0, "there is no folder of any lab of the course in it");
        diag_hint(diag, "each lab has its own: %s/%s", words->request.dir, teacher->labs[0].folder);
        worst = EXIT_USAGE;
    }
    bool whole = !diag->set && (words->request.shares == 1 || words->collect);
    if (whole && course_write(&course, words->request.out, diag))
        printf("the course: %zu students\n  %s/gradebook.csv\n  %s/index.html\n", course.count, words->request.out,
               words->request.out);
    course_end(&course);
    return diag->set && worst == EXIT_FINE ? EXIT_UNABLE : worst;
}

/* Of one lab, or of a course. */
static int grade(ClassWords *words, const Catalogue *catalogue, Diag *diag) {
    Teacher teacher = {0};
    int status = EXIT_USAGE;
    if (words->teacher) {
        if (teacher_read(&teacher, catalogue, words->teacher, diag)) status = grade_course(words, &teacher, diag);
        teacher_free(&teacher);
        return status;
    }
    words->request.lab = catalogue_find(catalogue, words->lab, diag);
    return words->request.lab ? grade_class(words, &words->request, NULL, 0, diag) : EXIT_USAGE;
}

/* DIR, OUT, the secret and the teacher's file as absolute paths, since the current folder becomes the tree's. */
static char *absolute(const char *path, const char *caller) {
    if (!path || !*path) return NULL;
    return text_from("%s%s%s", *path == '/' ? "" : caller, *path == '/' ? "" : "/", path).data;
}

int command_class(int argc, char **argv) {
    ClassWords words = {0};
    Diag diag = {0};
    Catalogue catalogue = {0};
    char root[PATH_MAX], caller[PATH_MAX];
    const char *build = getenv("BUILD");
    int status = EXIT_USAGE;
    bool good = read_words(&words, argc, argv, &diag);
    if (good && words.help) return print_help(class_help);
    if (good && !home_labs(argv[0], root, sizeof root)) {
        diag_say(&diag, "the folder of exercises is not found");
        good = diag_hint(&diag, "set WARPSCOPE_HOME to the one that holds exercises and src");
    }
    good = good && (getcwd(caller, sizeof caller) || diag_say(&diag, "the current folder is gone"));
    ClassRequest *request = &words.request;
    char *dir = good ? absolute(request->dir, caller) : NULL, *out = good ? absolute(request->out, caller) : NULL,
         *secret = good ? absolute(request->secret, caller) : NULL;
    FREED char *teacher = good ? absolute(words.teacher, caller) : NULL;
    for (size_t i = 0; i < words.n_against; i++) words.against[i] = good ? absolute(words.against[i], caller) : NULL;
    request->dir = dir, request->out = out, request->secret = secret, words.teacher = teacher;
    request->build = build && *build ? build : "build";
    good = good && (chdir(root) == 0 || diag_error(&diag, root, 0, 0, "cannot be entered"));
    for (size_t i = 0; good && i < words.n_against; i++)
        good = (words.against[i] && access(words.against[i], R_OK | X_OK) == 0) ||
               diag_say(&diag, "--against: there is no folder %.200s to look in", words.against[i] ? words.against[i] : "''");
    good = good && catalogue_read(&catalogue, ".", &diag);
    if (good) status = grade(&words, &catalogue, &diag);
    if (!flush_output()) status = EXIT_UNABLE;
    if (diag.set) print_diag(&diag);
    catalogue_free(&catalogue);
    free(dir);
    free(out);
    free(secret);
    for (size_t i = 0; i < words.n_against; i++) free(words.against[i]);
    return status;
}
