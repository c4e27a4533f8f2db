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

typedef struct LabCommand {
    const char *name;
    const char *options; /* that it has; help and h have all */
    bool has_lab;
    bool has_rest; /* behind LAB: words of its own */
    LabRun *run;
} LabCommand;

static const LabCommand commands[] = {
    {"start", "", false, false, cmd_lab_start},
    {"list", "", false, false, cmd_lab_list_all},
    {"next", "", false, false, cmd_lab_next_one},
    {"progress", "", false, false, cmd_lab_progress},
    {"grade", "json cc on submission seed format kernel all variant", true, false, cmd_lab_grade},
    {"watch", "cc kernel all", true, false, cmd_lab_watch},
    {"explore", "cc", true, true, cmd_lab_explore}, /* the rest: a run */
    {"hint", "", true, false, cmd_lab_hint},
    {"variant", "variant learner course", true, false, cmd_lab_variants},
    {"reset", "yes", true, false, cmd_lab_reset},
    {"run", "on cc", true, true, cmd_lab_run},
    {"verify", "", true, false, cmd_lab_verify},
    {"goals", "json", true, false, cmd_lab_goals},
    {"certificate", "cc submission learner", false, false, cmd_lab_certificate},
    {"export", "", true, true, cmd_lab_export}, /* for LAB: a platform */
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

static bool read_compiler(void *command, const char *option, const char *value, Diag *diag) {
    bool is_nvcc;
    ((LabWords *)command)->cc = value;
    return parse_choice(option, value, "nvcc", "clang", &is_nvcc, diag);
}

static bool read_variant(void *command, const char *option, const char *value, Diag *diag) {
    LabWords *words = command;
    words->has_variant = true;
    return parse_number(option, value, 0, MOST_VARIANT, &words->variant, diag);
}

/* An empty LAB is none, as make gives it. */
static bool read_lab(void *command, const char *option, const char *value, Diag *diag) {
    LabWords *words = command;
    (void)option;
    if (*value && (words->named || !words->takes_lab)) {
        diag_say(diag, "'%.100s' is a word too many", value);
        return words->takes_lab && diag_hint(diag, "one lab at a time, or without a name all of them");
    }
    words->named = true;
    if (*value) words->lab = value;
    return true;
}

static const OptionRow rows[] = {
    {"cc", OPTION_READS, .read = read_compiler, .hint = "with make: CC_CUDA=clang"},
    {"on", OPTION_CHOOSES, offsetof(LabWords, on_gpu), .yes = "gpu", .no = "emulated", .hint = "with make: DEVICE=gpu"},
    {"format", OPTION_CHOOSES, offsetof(LabWords, gcc), .yes = "gcc", .no = "text", .hint = "with make: FORMAT=gcc"},
    OPTION_TEXT("submission", LabWords, submission),
    OPTION_TEXT("seed", LabWords, seed),
    OPTION_TEXT("kernel", LabWords, kernel),
    {"variant", OPTION_READS, .read = read_variant},
    OPTION_TEXT("learner", LabWords, learner),
    OPTION_TEXT("course", LabWords, course),
    OPTION_SET("json", LabWords, json),
    OPTION_SET("all", LabWords, all),
    OPTION_SET("yes", LabWords, yes),
    {0}};

static const OptionRow common_rows[] = {
    OPTION_SET("help", LabWords, help), OPTION_SET("h", LabWords, help), {"", OPTION_READS, .read = read_lab}, {0}};

/* Behind the LAB of some commands all words are their own. */
static bool read_words(LabWords *words, const LabCommand *command, int argc, char **argv, Diag *diag) {
    const OptionTable tables[] = {{rows, words, command->options}, {common_rows, words, NULL}, {0}};
    words->takes_lab = command->has_lab;
    return options_read(tables, argc, argv, command->has_rest ? &words->rest : NULL, "lab", diag);
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
    if (command && !read_words(&words, command, argc - 1, argv + 1, &diag)) command = NULL;
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
