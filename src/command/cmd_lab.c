/* cmd_lab.c: warpscope lab: what make's targets for learners do. */
#include "command/cmd_lab.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cuda/home.h"
#include "lab/variants.h"

static const char lab_help[] =
    "warpscope lab COMMAND [LAB] [OPTION...]\n"
    "\n"
    "What make's targets for learners do. LAB is 05, 5, transpose or 05-transpose.\n"
    "  start           grades what changed, lists all labs, says what to do next\n"
    "  list            all labs and your points\n"
    "  next            which lab comes next, and what to do\n"
    "  progress        your labs, points and pictures as one page, BUILD/progress.html\n"
    "  grade [LAB]     one lab in full; without LAB all of them, and the first that is not solved in full\n"
    "                  [--json] [--cc nvcc|clang] [--on gpu|emulated]\n"
    "                  [--format gcc: what is wrong as lines FILE:LINE:COLUMN: error: TEXT, for editors]\n"
    "                  [--submission PATH: an untrusted file, archive or folder, in a sandbox]\n"
    "                  [--variant N: with --submission, the variant that it must be (0)]\n"
    "                  [--seed N: the data of an earlier grading again]\n"
    "                  [--kernel NAME: all that is wrong with this kernel] [--all: with all of them]\n"
    "  watch [LAB]     grades again whenever kernel.cu changes [--cc] [--kernel] [--all]\n"
    "  explore [LAB] [RUN] [--cc nvcc|clang]\n"
    "                  a launch of the lab, BUILD/explore-LAB.html, to step through in a browser: a wrong kernel's, else the\n"
    "                  first missed goal's, or that of RUN\n"
    "  hint [LAB]      the next hint\n"
    "  variant [LAB] --learner NAME --course WORD, or --variant N\n"
    "                  writes the numbers of your own variant into the exercises, where your teacher asks for it; what you\n"
    "                  have written stays; 0: the book's again\n"
    "  reset LAB       begins it anew, points and hints too; keeps your kernel.cu beside it [--yes: without a question]\n"
    "  run [--on gpu|emulated] [--cc nvcc|clang] [LAB] [ARG...]\n"
    "                  the lab's whole program, main.cu, on the emulated device or on a GPU\n"
    "  verify [LAB]    grades the reference solutions\n"
    "  certificate [--learner NAME]\n"
    "                  what you have solved as a page, BUILD/certificate.html, with the kernels in it\n"
    "                  [--submission PAGE: grades the kernels of such a page in a sandbox: are its points so?]\n"
    "  goals [LAB]     what is asked, a line a goal: kind, name, run, points, metric; --json: all of it, without LAB an array\n"
    "  export PLATFORM [RESULT.json|-]\n"
    "                  what grade --json --submission printed, as gradescope, autolab, prairielearn, classroom50, moodle or\n"
    "                  text; status 4, and no points in it, when the file could not be graded\n"
    "\n"
    "BUILD: the build folder (build). PROGRESS: the file that remembers points and hints (.progress);\n"
    "beside it, .progress.history has every grading.\n"
    "Exit status: 0 full marks for all that was graded; 1 less; 2 wrong usage; 3 a file does not compile; 4 the grader\n"
    "could not work, which says nothing about the file.\n";

/* --- goals and list ------------------------------------------------------------------------------------------------------- */

static void print_goals(const CatalogueEntry *lab) {
    for (uint32_t i = 0; i < lab->goals->n_goals; i++) {
        const Goal *goal = &lab->goals->goals[i];
        printf("%-8s %s %s %g %s\n", goal_kind_name(goal), goal->name, lab->goals->runs[goal->run].name, goal->points,
               goal->metric);
    }
}

static int cmd_lab_goals(LabTree *tree, const LabWords *words, Diag *diag) {
    const CatalogueEntry *chosen = words->lab ? catalogue_find(&tree->catalogue, words->lab, diag) : NULL;
    LOCAL_TEXT text = {0};
    if (words->lab && !chosen) return EXIT_USAGE;
    for (size_t i = 0; i < tree->catalogue.count; i++) {
        const CatalogueEntry *lab = &tree->catalogue.labs[i];
        if (chosen && lab != chosen) continue;
        if (!words->json) {
            print_goals(lab);
            continue;
        }
        if (!chosen) text_add(&text, i ? ",\n" : "[\n");
        goals_json(lab->goals, &text);
    }
    if (words->json) printf("%s%s\n", text_string(&text), chosen ? "" : "\n]");
    return EXIT_FINE;
}

static int cmd_lab_list_all(LabTree *tree, const LabWords *words, Diag *diag) {
    (void)words, (void)diag;
    cmd_lab_list(tree, NULL);
    return EXIT_FINE;
}

static int cmd_lab_next_one(LabTree *tree, const LabWords *words, Diag *diag) {
    LOCAL_TEXT sum = {0};
    (void)words, (void)diag;
    cmd_lab_sum(tree, &sum);
    puts(text_string(&sum));
    cmd_lab_say_next(tree);
    return EXIT_FINE;
}

/* --- the command line ----------------------------------------------------------------------------------------------------- */

enum {
    TAKES_LAB = 1,
    TAKES_JSON = 2,
    TAKES_CC = 4,
    TAKES_ON = 8,
    TAKES_SUBMISSION = 16,
    TAKES_REST = 32,
    TAKES_SEED = 64,
    TAKES_FORMAT = 128,
    TAKES_WHAT = 256,
    TAKES_VARIANT = 512,
    TAKES_LEARNER = 1024,
    TAKES_COURSE = 2048,
    TAKES_YES = 4096
};

typedef struct LabCommand {
    const char *name;
    unsigned takes;
    LabRun *run;
} LabCommand;

static const LabCommand commands[] = {
    {"start", 0, cmd_lab_start},
    {"list", 0, cmd_lab_list_all},
    {"next", 0, cmd_lab_next_one},
    {"progress", 0, cmd_lab_progress},
    {"grade",
     TAKES_LAB | TAKES_JSON | TAKES_CC | TAKES_ON | TAKES_SUBMISSION | TAKES_SEED | TAKES_FORMAT | TAKES_WHAT | TAKES_VARIANT,
     cmd_lab_grade},
    {"watch", TAKES_LAB | TAKES_CC | TAKES_WHAT, cmd_lab_watch},
    {"explore", TAKES_LAB | TAKES_CC | TAKES_REST, cmd_lab_explore}, /* the rest: a run */
    {"hint", TAKES_LAB, cmd_lab_hint},
    {"variant", TAKES_LAB | TAKES_VARIANT | TAKES_LEARNER | TAKES_COURSE, cmd_lab_variants},
    {"reset", TAKES_LAB | TAKES_YES, cmd_lab_reset},
    {"run", TAKES_LAB | TAKES_ON | TAKES_CC | TAKES_REST, cmd_lab_run},
    {"verify", TAKES_LAB, cmd_lab_verify},
    {"goals", TAKES_LAB | TAKES_JSON, cmd_lab_goals},
    {"certificate", TAKES_CC | TAKES_SUBMISSION | TAKES_LEARNER, cmd_lab_certificate},
    {"export", TAKES_LAB | TAKES_REST, cmd_lab_export}, /* for LAB: a platform */
};

bool cmd_lab_knows(const char *command) {
    for (size_t i = 0; i < sizeof commands / sizeof *commands; i++)
        if (strcmp(commands[i].name, command) == 0) return true;
    return false;
}

static const LabCommand *find_command(const char *name, Diag *diag) {
    for (size_t i = 0; i < sizeof commands / sizeof *commands; i++)
        if (strcmp(commands[i].name, name) == 0) return &commands[i];
    diag_say(diag, "there is no command '%.100s' for labs", name);
    diag_hint(diag, "warpscope lab --help lists them");
    return NULL;
}

/* Options that have a value, with make's variable and a value that is often wanted. */
static const struct {
    const char *name;
    unsigned takes;
    const char *variable, *example;
} valued[] = {{"--cc", TAKES_CC, "CC_CUDA", "clang"},       {"--on", TAKES_ON, "DEVICE", "gpu"},
              {"--format", TAKES_FORMAT, "FORMAT", "gcc"},  {"--submission", TAKES_SUBMISSION, "SUBMISSION", "path/kernel.cu"},
              {"--seed", TAKES_SEED, "SEED", "7"},          {"--kernel", TAKES_WHAT, "KERNEL", "rotate"},
              {"--variant", TAKES_VARIANT, "VARIANT", "7"}, {"--learner", TAKES_LEARNER, "LEARNER", "anna"},
              {"--course", TAKES_COURSE, "COURSE", "word"}};

/* A value of two that an option may have. */
static bool read_choice(size_t option, const char *value, const char *first, const char *second, bool *is_second, Diag *diag) {
    *is_second = strcmp(value, second) == 0;
    if (*is_second || strcmp(value, first) == 0) return true;
    diag_say(diag, "%s %.100s: there is '%s' and '%s'", valued[option].name, value, second, first);
    return diag_hint(diag, "with make: %s=%s", valued[option].variable, valued[option].example);
}

static bool read_variant(LabWords *words, const char *value, Diag *diag) {
    char *end;
    unsigned long number = strtoul(value, &end, 10);
    words->variant = (uint32_t)number;
    words->has_variant = *value >= '0' && *value <= '9' && !*end && number <= MOST_VARIANT;
    return words->has_variant || diag_say(diag, "--variant %.100s: it is a number from 0 to %d", value, MOST_VARIANT);
}

/* An option that has a value. */
static bool read_option(LabWords *words, unsigned takes, const char *option, const char *value, Diag *diag) {
    size_t which = 0, count = sizeof valued / sizeof *valued;
    bool is_nvcc;
    while (which < count && (strcmp(option, valued[which].name) != 0 || !(valued[which].takes & takes))) which++;
    if (which == count) {
        diag_say(diag, "unknown option '%.100s'", option);
        if (strncmp(option, "-O", 2) == 0) return diag_hint(diag, OPTIMISED);
        return diag_hint(diag, "warpscope lab --help lists the options");
    }
    if (!value) return diag_say(diag, "option '%s' needs a value", option);
    switch (valued[which].takes) {
    case TAKES_ON: return read_choice(which, value, "emulated", "gpu", &words->on_gpu, diag);
    case TAKES_FORMAT: return read_choice(which, value, "text", "gcc", &words->gcc, diag);
    case TAKES_CC: words->cc = value; return read_choice(which, value, "clang", "nvcc", &is_nvcc, diag);
    case TAKES_SUBMISSION: words->submission = value; break;
    case TAKES_SEED: words->seed = value; break;
    case TAKES_WHAT: words->kernel = value; break;
    case TAKES_VARIANT: return read_variant(words, value, diag);
    case TAKES_LEARNER: words->learner = value; break;
    case TAKES_COURSE: words->course = value; break;
    }
    return true;
}

/* An empty LAB is none, as make gives it. Behind the LAB of `run` all words are the program's. */
static bool read_words(LabWords *words, unsigned takes, char **argv, Diag *diag) {
    bool named = false;
    for (; *argv; argv++) {
        const bool ends = named && takes & TAKES_REST;
        if (ends) {
            words->rest = argv;
            return true;
        }
        if (strcmp(*argv, "--help") == 0 || strcmp(*argv, "-h") == 0) {
            words->help = true;
        } else if (strcmp(*argv, "--json") == 0 && takes & TAKES_JSON) {
            words->json = true;
        } else if (strcmp(*argv, "--all") == 0 && takes & TAKES_WHAT) {
            words->all = true;
        } else if (strcmp(*argv, "--yes") == 0 && takes & TAKES_YES) {
            words->yes = true;
        } else if (**argv == '-') {
            if (!read_option(words, takes, *argv, argv[1], diag)) return false;
            argv++;
        } else if (named || !(takes & TAKES_LAB)) {
            if (!**argv) continue;
            diag_say(diag, "'%.100s' is a word too many", *argv);
            return !(takes & TAKES_LAB) || diag_hint(diag, "one lab at a time, or without a name all of them");
        } else {
            named = true;
            if (**argv) words->lab = *argv;
        }
    }
    return true;
}

static bool open_tree(LabTree *tree, const char *program, Diag *diag) {
    char root[PATH_MAX];
    const char *build = getenv("BUILD"), *progress = getenv("PROGRESS");
    tree->program = program;
    tree->build = build && *build ? build : "build";
    tree->progress_path = progress && *progress ? progress : ".progress";
    if (!home_labs(program, root, sizeof root)) {
        diag_say(diag, "the folder of exercises is not found");
        return diag_hint(diag, "set WARPSCOPE_HOME to the one that holds exercises and src");
    }
    if (!getcwd(tree->caller, sizeof tree->caller)) tree->caller[0] = 0;
    if (chdir(root) != 0) return diag_error(diag, root, 0, 0, "%s", strerror(errno));
    return catalogue_read(&tree->catalogue, ".", diag);
}

int command_lab(int argc, char **argv) {
    LabTree tree = {0};
    LabWords words = {0};
    Diag diag = {0};
    int status = EXIT_USAGE;
    const char *name = argc > 1 ? argv[1] : "list";
    words.help = strcmp(name, "--help") == 0 || strcmp(name, "-h") == 0;
    const LabCommand *command = words.help ? NULL : find_command(name, &diag);
    if (command && !read_words(&words, command->takes, argv + (argc > 1 ? 2 : 1), &diag)) command = NULL;
    if (words.help) {
        fputs(lab_help, stdout);
        status = EXIT_FINE;
    } else if (command && open_tree(&tree, argv[0], &diag)) {
        cmd_lab_recall(&tree, true);
        status = command->run(&tree, &words, &diag);
    }
    if (!flush_output()) status = EXIT_UNABLE;
    if (diag.set) print_diag(&diag);
    progress_free(&tree.progress);
    catalogue_free(&tree.catalogue);
    return status;
}
