/* grader.c: a suite's main: compiles the file, runs tests and runs under Check, prints the result. It prints, since a grader is a program
 * of its own; the other files here do not. */
#include "base/alloc.h"
#include "lab/lab.h"

#include <check.h>
#include <ctype.h>
#include <errno.h>
#include <getopt.h>
#include <limits.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cuda/home.h"
#include "lab/case.h"
#include "lab/expected.h"
#include "lab/failure.h"
#include "lab/random.h"
#include "lab/result.h"
#include "lab/running.h"
#include "lab/speed.h"
#include "report/json.h"

enum { EXIT_FULL, EXIT_LESS, EXIT_MISTAKE, EXIT_SOURCE };
enum { SOURCE_BYTES = 64 << 20 };

/* Check gives a test only a number. */
static Lab *graded;

/* While suites run, Check answers Ctrl-C by killing the whole process group, warpscope and make too: what was set before is put back. */
static const int end_signals[] = {SIGINT, SIGTERM};
static struct sigaction end_actions[2];

/* --- running -------------------------------------------------------------------------------------------------------------- */

static void free_cases(Lab *lab) {
    for (LabCase *c = lab->cases, *next; c; c = next) {
        next = c->next;
        case_free(c);
    }
    lab->cases = NULL;
}

static void test_kernel(Lab *lab, const LabTest *test) {
    lab->kernel = goals_kernel(lab->goals, test->kernel);
    lab->run = -1;
    if (lab->kernels[lab->kernel].wrong) return;
    test->test(lab, test->kernel);
    lab->kernels[lab->kernel].tested = true;
}

static void measure_run(Lab *lab, const LabRun *run) {
    lab->run = goals_run(lab->goals, run->name);
    lab->kernel = lab->goals->runs[lab->run].kernel;
    if (lab->kernel >= 0 && lab->kernels[lab->kernel].wrong) return;
    if (lab->gpu && !measured_is_wanted(lab, (uint32_t)lab->run)) return;
    run->run(lab, lab->kernel >= 0 ? lab->goals->kernels[lab->kernel] : "none");
    if (lab->kernel >= 0) lab->kernels[lab->kernel].tested = true;
}

/* Of a test or, behind those, of a run. */
static const char *name_of(const LabSuite *suite, size_t index) {
    return index < suite->n_tests ? suite->tests[index].name : suite->runs[index - suite->n_tests].name;
}

START_TEST(entry)
{
    Lab *lab = graded;
    for (int i = 0; i < 2; i++) sigaction(end_signals[i], &end_actions[i], NULL);
    size_t index = (size_t)_i;
    free_cases(lab);
    lab->n_entries++;
    if (index < lab->suite->n_tests)
        test_kernel(lab, &lab->suite->tests[index]);
    else
        measure_run(lab, &lab->suite->runs[index - lab->suite->n_tests]);
    if (!lab->cases) return;
    lab->unended = name_of(lab->suite, index);
    if (lab->run >= 0) lab->runs[lab->run].kept = NULL; /* goes with the others */
}
END_TEST

/* The tests first: what they find wrong is not measured. The learner's code is interpreted, so nothing it does can end this process. */
static void grade_kernels(Lab *lab) {
    static const char *const selectors[] = {"CK_RUN_SUITE", "CK_RUN_CASE", "CK_INCLUDE_TAGS", "CK_EXCLUDE_TAGS"};
    for (size_t i = 0; i < sizeof selectors / sizeof *selectors; i++) unsetenv(selectors[i]);
    Suite *suite = suite_create(lab->suite->folder);
    TCase *tcase = tcase_create("kernels");
    tcase_add_loop_test(tcase, entry, 0, (int)(lab->suite->n_tests + lab->suite->n_runs));
    suite_add_tcase(suite, tcase);
    SRunner *runner = srunner_create(suite);
    srunner_set_fork_status(runner, CK_NOFORK);
    graded = lab;
    for (int i = 0; i < 2; i++) sigaction(end_signals[i], NULL, &end_actions[i]);
    srunner_run_all(runner, CK_SILENT);
    srunner_free(runner);
    free_cases(lab);
}

/* Whether suite and lab.goals speak of the same kernels and runs. */
static bool check_suite(const Lab *lab, Diag *diag) {
    const LabSuite *suite = lab->suite;
    const Goals *goals = lab->goals;
    for (size_t i = 0; i < suite->n_tests; i++) {
        const LabTest *test = &suite->tests[i];
        if (!test->kernel || !test->name || !test->test)
            return diag_say(diag, "row %zu of the suite's tests is not complete", i + 1);
        if (goals_kernel(goals, test->kernel) < 0)
            return diag_say(diag, "the suite tests '%s', which is no KERNEL of exercises/%s/lab.goals", test->kernel,
                            suite->folder);
    }
    for (size_t i = 0; i < suite->n_runs; i++) {
        const LabRun *run = &suite->runs[i];
        if (!run->name || !run->run) return diag_say(diag, "row %zu of the suite's runs is not complete", i + 1);
        if (goals_run(goals, run->name) < 0)
            return diag_say(diag, "the suite measures '%s', which is no RUN of exercises/%s/lab.goals", run->name,
                            suite->folder);
    }
    for (uint32_t k = 0; k < goals->n_kernels; k++) {
        bool tested = false; /* by a test, or at least by a run */
        for (size_t i = 0; i < suite->n_tests; i++) tested |= strcmp(goals->kernels[k], suite->tests[i].kernel) == 0;
        for (uint32_t r = 0; r < goals->n_runs; r++) tested |= goals->runs[r].kernel == (int)k;
        if (!tested) return diag_say(diag, "the suite does not test '%s'", goals->kernels[k]);
    }
    for (uint32_t r = 0; r < goals->n_runs; r++) {
        bool measured = false;
        for (size_t i = 0; i < suite->n_runs; i++) measured |= strcmp(goals->runs[r].name, suite->runs[i].name) == 0;
        if (!measured) return diag_say(diag, "the suite does not measure '%s'", goals->runs[r].name);
    }
    return true;
}

/* Whether every test and run came to an end that the score may rest on. */
static bool check_complete(const Lab *lab, Diag *diag) {
    const Goals *goals = lab->goals;
    if (lab->n_entries != lab->suite->n_tests + lab->suite->n_runs)
        return diag_say(diag, "only %u of %zu tests and runs took place", lab->n_entries,
                        lab->suite->n_tests + lab->suite->n_runs);
    if (lab->uncompared)
        return diag_say(diag,
                        "'%s' measures a launch without having compared every output: lab_expect or lab_compared is missing",
                        lab->uncompared);
    if (lab->unended) return diag_say(diag, "'%s' does not end its case: lab_end is missing", lab->unended);
    for (uint32_t k = 0; k < goals->n_kernels; k++)
        if (!lab->gpu && !lab->kernels[k].wrong && (!lab->kernels[k].tested || !lab->kernels[k].cases))
            return diag_say(diag, "'%s' was not tested", goals->kernels[k]);
    for (uint32_t r = 0; r < goals->n_runs; r++) {
        int kernel = goals->runs[r].kernel;
        bool wrong = lab->runs[r].failed || (kernel >= 0 && lab->kernels[kernel].wrong);
        bool wanted = !lab->gpu || measured_is_wanted(lab, r);
        if (wanted && !wrong && !lab->runs[r].done) return diag_say(diag, "'%s' was not measured", goals->runs[r].name);
    }
    return true;
}

/* --- the file ------------------------------------------------------------------------------------------------------------- */

typedef struct LabOptions {
    const char *path, *ptx, *verdict, *refused;
    int score; /* file descriptor for the points; 0: none */
    CompilerChoice choice;
    bool json, colour, seeded, on_gpu;
    uint64_t seed;
    unsigned threads;
} LabOptions;

static bool is_kernel(const Goals *goals, const char *name) { return goals_kernel(goals, name) >= 0; }

/* The first kernel that the file should define and does not, or NULL. */
static const char *missing_kernel(const Lab *lab) {
    const Program *program = lab->source.program;
    for (uint32_t k = 0; k < lab->goals->n_kernels; k++) {
        bool found = false;
        for (uint32_t i = 0; i < program->n_functions; i++) {
            const Function *function = &program->functions[i];
            found |= function->is_entry && function->is_defined && strcmp(function->name, lab->goals->kernels[k]) == 0;
        }
        if (!found) return lab->goals->kernels[k];
    }
    return NULL;
}

/* Exactly the kernels of lab.goals: what is missing cannot be graded, and what is too much may hide something. */
static bool check_kernels(const Lab *lab, Diag *diag) {
    const Program *program = lab->source.program;
    const char *missing = missing_kernel(lab);
    for (uint32_t i = 0; i < program->n_functions; i++) {
        const Function *function = &program->functions[i];
        if (!function->is_entry || !function->is_defined || is_kernel(lab->goals, function->name)) continue;
        char *name = program_demangle(function->name);
        char plain[128];
        snprintf(plain, sizeof plain, "%.*s", (int)strcspn(name, "(<"), name);
        diag_error(diag, lab->source.path, 0, 0, "the lab does not ask for a kernel '%.100s'", name);
        if (is_kernel(lab->goals, plain))
            diag_hint(diag, "it needs the words extern \"C\" in front and no template");
        else if (missing)
            diag_hint(diag, "'%s' is missing: was its name changed?", missing);
        else
            diag_hint(diag, "make it a __device__ function and call it from a kernel that the lab asks for");
        free(name);
        return false;
    }
    if (!missing) return true;
    diag_error(diag, lab->source.path, 0, 0, "the file does not define the kernel '%s'", missing);
    return diag_hint(diag, "put it back as the exercise has it, also when it is not done yet");
}

/* The file's first bytes; false with a message where it has fewer. */
static bool read_secret(const char *path, uint8_t key[RANDOM_KEY_BYTES], Diag *diag) {
    FILE *file = fopen(path, "rb");
    size_t got = file ? fread(key, 1, RANDOM_KEY_BYTES, file) : 0;
    if (!file) return diag_error(diag, path, 0, 0, "the secret cannot be read: %s", strerror(errno));
    fclose(file);
    if (got == RANDOM_KEY_BYTES) return true;
    diag_error(diag, path, 0, 0, "the secret has %zu bytes; %d are needed", got, RANDOM_KEY_BYTES);
    return diag_hint(diag, "head -c %d /dev/urandom > %s makes one", RANDOM_KEY_BYTES, path);
}

/* Under a secret of the grader's, data depends on the file and is the same whenever the same file is graded; without one it is another at
 * each grading. Nobody can prepare for it. Every JSON reader keeps 53 bits. */
static bool choose_seed(Lab *lab, const LabOptions *options, Diag *diag) {
    uint8_t key[RANDOM_KEY_BYTES];
    const char *secret = getenv("WARPSCOPE_SECRET");
    lab->seed = options->seed;
    if (options->seeded) return true;
    if (secret && *secret) {
        if (!read_secret(secret, key, diag)) return false;
    } else if (getentropy(key, sizeof key) != 0) {
        return diag_say(diag, "this system gives no random bytes: %s", strerror(errno));
    }
    lab->seed = random_seed(key, lab->source.text, strlen(lab->source.text)) >> 11;
    return true;
}

/* The text without comments and blanks. */
static void add_bare(const char *text, Text *out) {
    while (*text) {
        if (strncmp(text, "//", 2) == 0) {
            text += strcspn(text, "\n");
        } else if (strncmp(text, "/*", 2) == 0) {
            const char *end = strstr(text + 2, "*/");
            text = end ? end + 2 : text + strlen(text);
        } else {
            if (!isspace((unsigned char)*text)) text_add_bytes(out, text, 1);
            text++;
        }
    }
}

/* Whether the file is the exercise as it was given, but for comments and blanks. */
static bool is_untouched(const Lab *lab, const char *root) {
    Text path = {0}, given = {0}, got = {0};
    size_t length;
    text_add(&path, "%s/exercises/untouched/%s.cu", root, lab->suite->folder);
    char *text = text_read_file(text_string(&path), SOURCE_BYTES, &length);
    if (text) add_bare(text, &given), add_bare(lab->source.text, &got);
    bool same = text && strcmp(text_string(&given), text_string(&got)) == 0;
    free(text);
    text_free(&path);
    text_free(&given);
    text_free(&got);
    return same;
}

/* Somebody else tried to compile the file. */
static SourceStatus load_refusal(Lab *lab, const LabOptions *options, Diag *diag) {
    size_t length;
    char *messages = text_read_file(options->refused, (size_t)1 << 20, &length);
    text_add(&lab->source.compiled.messages, "%s", messages && length ? messages : "it does not compile\n");
    free(messages);
    diag_error(diag, options->path, 0, 0, "it does not compile");
    return SOURCE_WRONG;
}

static SourceStatus load_file(Lab *lab, const LabOptions *options, const char *include_dir, Diag *diag) {
    if (options->refused) return load_refusal(lab, options, diag);
    CompileRequest request = {.path = options->path, .compiler = options->choice, .include_dir = include_dir};
    SourceStatus status = options->ptx ? source_load_compiled(options->path, options->ptx, &lab->source, diag)
                                       : source_load(&request, &lab->source, diag);
    lab->compiler = lab->source.compiled.compiler;
    return status;
}

/* --- main ----------------------------------------------------------------------------------------------------------------- */

static int usage(const char *program) {
    fprintf(
        stderr,
        "usage: %s [--json] [--colour] [--cc nvcc|clang] [--ptx FILE] [--seed N] [--threads N] [--on gpu] "
        "[FILE.cu]\n"
        "Grades the file, or the exercise itself. Exit status: 0 full marks, 1 less, 2 usage, 3 the file does not compile.\n",
        program);
    return EXIT_MISTAKE;
}

static bool read_options(int argc, char **argv, LabOptions *options) {
    enum { JSON = 256, COLOUR, CC, PTX, VERDICT, SCORE, REFUSED, SEED, THREADS, ON };
    static const struct option table[] = {{"json", 0, 0, JSON},
                                          {"colour", 0, 0, COLOUR},
                                          {"cc", 1, 0, CC},
                                          {"ptx", 1, 0, PTX},
                                          {"verdict", 1, 0, VERDICT},
                                          {"score", 1, 0, SCORE},
                                          {"refused", 1, 0, REFUSED},
                                          {"seed", 1, 0, SEED},
                                          {"threads", 1, 0, THREADS},
                                          {"on", 1, 0, ON},
                                          {0}};
    optind = 1;
    for (int option; (option = getopt_long(argc, argv, "", table, NULL)) != -1;) {
        switch (option) {
        case JSON: options->json = true; break;
        case COLOUR: options->colour = true; break;
        case CC:
            if (strcmp(optarg, "nvcc") != 0 && strcmp(optarg, "clang") != 0) return false;
            options->choice = *optarg == 'n' ? COMPILER_NVCC : COMPILER_CLANG;
            break;
        case PTX: options->ptx = optarg; break;
        case VERDICT: options->verdict = optarg; break;
        case SCORE: options->score = atoi(optarg); break;
        case REFUSED: options->refused = optarg; break;
        case SEED:
            options->seed = strtoull(optarg, NULL, 0);
            options->seeded = true;
            break;
        case THREADS: options->threads = (unsigned)atoi(optarg); break;
        case ON:
            options->on_gpu = strcmp(optarg, "gpu") == 0;
            if (!options->on_gpu && strcmp(optarg, "emulated") != 0) return false;
            break;
        default: return false;
        }
    }
    if (optind < argc) options->path = argv[optind++];
    return optind == argc && ((!options->ptx && !options->refused) || options->path);
}

static void print_diag(const Diag *diag, FILE *out) {
    Text text = {0};
    diag_format(diag, &text);
    fputs(text_string(&text), out);
    text_free(&text);
}

static int print_verdict(bool holds, Text *why) {
    fputs(text_string(why), stdout);
    text_free(why);
    return holds ? EXIT_FULL : EXIT_LESS;
}

/* The file cannot be graded; the compiler's messages say why, or diag does. */
static int refuse(const Lab *lab, const LabOptions *options, const Diag *diag) {
    const Text *messages = &lab->source.compiled.messages;
    Text why = {0};
    if (messages->length && !lab->source.compiled.ptx.length)
        text_add(&why, "%s", text_string(messages));
    else
        diag_format(diag, &why);
    if (options->verdict) {
        Text difference = {0};
        bool holds = expected_refusal(options->verdict, text_string(&why), &difference);
        text_free(&why);
        return print_verdict(holds, &difference);
    }
    if (options->json) {
        Text text = {0};
        result_refused(lab, text_string(&why), &text);
        fputs(text_string(&text), stdout);
        text_free(&text);
    } else {
        printf("%s\nLab %s %s: not graded. Fix this first.\n", text_string(&why), lab->goals->number, lab->goals->title);
    }
    text_free(&why);
    return EXIT_SOURCE;
}

static int print_result(const Lab *lab, const LabOptions *options) {
    Score score = score_lab(lab);
    Text text = {0};
    const char *no_color = getenv("NO_COLOR");
    if (options->verdict) {
        bool holds = expected_holds(lab, &score, options->verdict, &text);
        free(score.goals);
        return print_verdict(holds, &text);
    }
    if (options->json)
        result_json(lab, &score, &text);
    else
        result_show(lab, &score, options->colour || (isatty(STDOUT_FILENO) && !(no_color && *no_color)), &text);
    fputs(text_string(&text), stdout);
    text_free(&text);
    free(score.goals);
    if (options->score && dprintf(options->score, "%g\n", score.points) < 0) return EXIT_MISTAKE;
    return fflush(stdout) != 0 ? EXIT_MISTAKE : score.full ? EXIT_FULL : EXIT_LESS;
}

/* absent: why there is no GPU; NULL where there is one. What was skipped has not been passed. */
static int print_measured(const Lab *lab, const LabOptions *options, const Diag *absent) {
    Text text = {0};
    bool full = measured_result(lab, absent, options->json, &text);
    fputs(text_string(&text), stdout);
    text_free(&text);
    return fflush(stdout) != 0 ? EXIT_MISTAKE : full ? EXIT_FULL : EXIT_LESS;
}

static int grade(Lab *lab, const LabOptions *options, const char *root, const char *include_dir, Diag *diag) {
    if (load_file(lab, options, include_dir, diag) != SOURCE_GOOD || !check_kernels(lab, diag))
        return refuse(lab, options, diag);
    if (!choose_seed(lab, options, diag)) return EXIT_MISTAKE;
    lab->untouched = is_untouched(lab, root);
    lab->threads = options->threads ? options->threads : 1;
    if (options->on_gpu) {
        lab->gpu = gpu_new();
        if (!gpu_probe(lab->gpu, &lab->gpu_info, diag)) return print_measured(lab, options, diag);
    }
    grade_kernels(lab);
    if (!check_complete(lab, diag)) return EXIT_MISTAKE;
    return lab->gpu ? print_measured(lab, options, NULL) : print_result(lab, options);
}

static void lab_free(Lab *lab) {
    gpu_free(lab->gpu);
    for (uint32_t i = 0; lab->goals && i < lab->goals->n_kernels; i++) failure_free(&lab->kernels[i].failure);
    for (uint32_t i = 0; lab->goals && i < lab->goals->n_runs; i++) {
        RunResult *run = &lab->runs[i];
        if (run->kept) case_free(run->kept);
        if (run->report) json_decref(run->report);
        failure_free(&run->failure);
        text_free(&run->note);
    }
    free(lab->kernels);
    free(lab->runs);
    source_free(&lab->source);
    goals_free(lab->goals);
}

/* Reads lab.goals of the suite's folder under root. */
static bool load_goals(Lab *lab, const char *root, Diag *diag) {
    Text path = {0};
    text_add(&path, "%s/exercises/%s/lab.goals", root, lab->suite->folder);
    lab->goals = goals_read(text_string(&path), diag);
    text_free(&path);
    if (!lab->goals) return false;
    lab->kernels = alloc_zeroed(lab->goals->n_kernels + 1, sizeof *lab->kernels);
    lab->runs = alloc_zeroed(lab->goals->n_runs + 1, sizeof *lab->runs);
    return check_suite(lab, diag);
}

int lab_main(int argc, char **argv, const LabSuite *suite) {
    char root[PATH_MAX], include_dir[PATH_MAX];
    LabOptions options = {0};
    Diag diag = {0};
    Text exercise = {0};
    int status = EXIT_MISTAKE;
    if (!read_options(argc, argv, &options)) return usage(argv[0]);
    if (!home_labs(argv[0], root, sizeof root) || !home_headers(argv[0], include_dir, sizeof include_dir)) {
        fputs("the folder of exercises is not found: set WARPSCOPE_HOME to the one that holds exercises and src\n", stderr);
        return EXIT_MISTAKE;
    }
    text_add(&exercise, "%s/exercises/%s/kernel.cu", root, suite->folder);
    if (!options.path) options.path = text_string(&exercise);
    Lab lab = {.suite = suite, .profile = profile_find("h200", &diag), .kernel = -1, .run = -1};
    lab.small = *lab.profile;
    lab.small.sms = 4;
    lab.small.sms_shown = lab.profile->sms; /* no kernel can tell a test from a measured run by it */
    lab.small.l2_bytes = 64 << 10;
    lab.source.path = options.path;
    if (load_goals(&lab, root, &diag)) status = grade(&lab, &options, root, include_dir, &diag);
    if (status == EXIT_MISTAKE && diag.set) print_diag(&diag, stderr);
    lab_free(&lab);
    text_free(&exercise);
    return status;
}
