/* grader.c: a suite's main: compiles the file, runs tests and runs under Check, prints the result. It prints, since a grader is a program
 * of its own; the other files here do not. */
#include "base/alloc.h"
#include "lab/lab.h"

#include <check.h>
#include <ctype.h>
#include <errno.h>
#include <limits.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/visible.h"
#include "cuda/home.h"
#include "grade/confine.h"
#include "grade/limit.h"
#include "host/output.h"
#include "host/process.h"
#include "input/launch_options.h"
#include "lab/case.h"
#include "lab/complete.h"
#include "lab/corners.h"
#include "lab/expected.h"
#include "lab/failure.h"
#include "lab/random.h"
#include "lab/required.h"
#include "lab/result.h"
#include "lab/running.h"
#include "lab/speed.h"
#include "lab/ungraded.h"
#include "lab/variants.h"
#include "lab/warnings.h"
#include "report/plain.h"

enum { EXIT_FULL, EXIT_LESS, EXIT_MISTAKE, EXIT_SOURCE, EXIT_UNABLE };
enum { SOURCE_BYTES = 64 << 20 };

/* Check gives a test only a number. */
static Lab *graded;
static const char
    *check_words; /* while Check runs: what is said when it ends the program, which it does where it can write no file */

static void check_gave_up(void) {
    if (!check_words) return;
    fputs(check_words, stdout);
    fflush(stdout);
    _exit(EXIT_UNABLE);
}

/* While suites run, Check answers Ctrl-C by killing the whole process group, warpscope and make too: what was set before is put back. */
enum { END_SIGNALS = 3 };

static const int end_signals[END_SIGNALS] = {SIGINT, SIGTERM, SIGALRM};
static struct sigaction end_actions[END_SIGNALS];

/* Before and behind each test Check makes a file and takes it out of its folder; no signal ends it between the two. */
static sigset_t while_testing;

static void hold_signals(void) {
    sigset_t all;
    sigfillset(&all);
    sigprocmask(SIG_BLOCK, &all, &while_testing);
}

/* --- running -------------------------------------------------------------------------------------------------------------- */

static void free_cases(Lab *lab) {
    for (LabCase *c = lab->cases, *next; c; c = next) {
        next = c->next;
        case_free(c);
    }
    lab->cases = NULL;
    if (lab->corners) corners_free(lab->corners);
    lab->corners = NULL;
}

static void test_kernel(Lab *lab, const LabTest *test) {
    lab->kernel = goals_kernel(lab->goals, test->kernel);
    lab->run = -1;
    if (lab->kernels[lab->kernel].wrong || lab->kernels[lab->kernel].left_out) return;
    test->test(lab, test->kernel);
    lab->kernels[lab->kernel].tested = true;
}

static void measure_run(Lab *lab, const LabRun *run) {
    lab->run = goals_run(lab->goals, run->name);
    lab->run_cases = lab->run_draws = 0;
    lab->kernel = lab->goals->runs[lab->run].kernel;
    if (lab->kernel >= 0 && (lab->kernels[lab->kernel].wrong || lab->kernels[lab->kernel].left_out)) return;
    if (lab->gpu && !measured_is_wanted(lab, (uint32_t)lab->run)) return;
    run->run(lab, lab->kernel >= 0 ? lab->goals->kernels[lab->kernel] : "none");
    if (lab->kernel >= 0) lab->kernels[lab->kernel].tested = true;
}

/* Of a test or, behind those, of a run. */
static const char *name_of(const LabSuite *suite, size_t index) {
    return index < suite->n_tests ? suite->tests[index].name : suite->runs[index - suite->n_tests].name;
}

static void run_entry(Lab *lab, size_t index) {
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

START_TEST(entry)
{
    for (int i = 0; i < END_SIGNALS; i++) sigaction(end_signals[i], &end_actions[i], NULL);
    sigprocmask(SIG_SETMASK, &while_testing, NULL);
    run_entry(graded, (size_t)_i);
    hold_signals();
}
END_TEST

/* The tests first: what they find wrong is not measured. The learner's code is interpreted, so nothing it does can end this process. */
static void grade_kernels(Lab *lab, const char *if_check_gives_up) {
    static const char *const selectors[] = {"CK_RUN_SUITE", "CK_RUN_CASE", "CK_INCLUDE_TAGS", "CK_EXCLUDE_TAGS"};
    for (size_t i = 0; i < sizeof selectors / sizeof *selectors; i++) unsetenv(selectors[i]);
    if (getenv("TMPDIR")) setenv("TEMP", getenv("TMPDIR"), 1); /* where Check writes */
    Suite *suite = suite_create(lab->suite->folder);
    TCase *tcase = tcase_create("kernels");
    tcase_add_loop_test(tcase, entry, 0, (int)(lab->suite->n_tests + lab->suite->n_runs));
    suite_add_tcase(suite, tcase);
    SRunner *runner = srunner_create(suite);
    srunner_set_fork_status(runner, CK_NOFORK);
    graded = lab;
    for (int i = 0; i < END_SIGNALS; i++) sigaction(end_signals[i], NULL, &end_actions[i]);
    check_words = if_check_gives_up;
    atexit(check_gave_up);
    hold_signals();
    srunner_run_all(runner, CK_SILENT);
    sigprocmask(SIG_SETMASK, &while_testing, NULL);
    check_words = NULL;
    srunner_free(runner);
    free_cases(lab);
}

/* --- the file ------------------------------------------------------------------------------------------------------------- */

#define ANY_VARIANT UINT64_MAX

typedef struct LabOptions {
    const char *path, *ptx, *verdict, *refused;
    const char *name;            /* what the file is called, where that is not its path */
    const char *kernel, *edited; /* see running.h; edited: names with commas between; NULL: none */
    const char *only;            /* such names: of the kernels that may run on the GPU; NULL: all */
    const char *confinement;     /* see confine_to; NULL: none */
    uint64_t score;              /* file descriptor for the points; 0: none */
    CompilerChoice choice;
    bool json, shown, pictures, figures, launches, seen, all, colour, seeded, on_gpu, untrusted;
    /* seen: behind the points a line as outcome.h has it */
    uint64_t columns; /* 0: those of standard output */
    uint64_t seed, threads;
    uint64_t variant; /* ANY_VARIANT: whichever the file is */
} LabOptions;

/* What is read before the learner's file is: behind that there may be no way to it. */
typedef struct Ground {
    char root[PATH_MAX], include_dir[PATH_MAX], untouched[PATH_MAX + 100];
    char *given; /* the exercise as it was given; NULL: it is not there */
    uint8_t key[RANDOM_KEY_BYTES];
    bool own; /* a learner's own file, graded without a secret */
} Ground;

/* The grader's secret; else, for another's file, random bytes. For one's own there is nothing to hide: none. */
static bool read_key(const LabOptions *options, Ground *ground, Diag *diag) {
    const char *secret = getenv("WARPSCOPE_SECRET");
    ground->own = !options->untrusted && !(secret && *secret);
    if (ground->own) return true;
    if (secret && *secret) return random_read_key(secret, ground->key, diag);
    return getentropy(ground->key, RANDOM_KEY_BYTES) == 0 ||
           diag_say(diag, "this system gives no random bytes: %s", strerror(errno));
}

/* Under a secret of the grader's, data depends on the file and is the same whenever the same file is graded; of another's file without one it is
 * another at each grading: nobody can prepare for it. A learner's own file has the same data whenever it is graded, and measured runs
 * have the same whatever was edited, so that a figure changes with the kernel alone. Every JSON reader keeps 53 bits. */
static uint64_t seed_of(const Lab *lab, const Ground *ground) {
    const uint64_t tests = (UINT64_C(1) << LAB_TEST_BITS) - 1;
    const char *text = lab->source.text, *folder = lab->suite->folder;
    const uint64_t seed = random_seed(ground->key, text, strlen(text)) >> 11;
    return ground->own ? ((random_seed(ground->key, folder, strlen(folder)) >> 11) & ~tests) | (seed & tests) : seed;
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

/* The exercise as it was given in the file's variant; NULL: it is not there, or not as it was. */
static void take_given(Lab *lab, Ground *ground) {
    LOCAL_TEXT exercise = {0};
    Diag diag = {0};
    bool good =
        ground->given && variant_write(lab->goals, ground->given, ground->untouched, lab_variant(lab), &exercise, &diag);
    free(ground->given);
    ground->given = good ? alloc_copy(text_string(&exercise)) : NULL;
    lab->given = ground->given;
}

/* Whether the file is the exercise as it was given, but for comments and blanks. */
static bool is_untouched(const Lab *lab) {
    LOCAL_TEXT given = {0}, got = {0};
    if (!lab->given) return false;
    add_bare(lab->given, &given);
    add_bare(lab->source.text, &got);
    return strcmp(text_string(&given), text_string(&got)) == 0;
}

/* Somebody else tried to compile the file. */
static SourceStatus load_refusal(Lab *lab, const LabOptions *options, Diag *diag) {
    size_t length;
    FREED char *messages = text_read_file(options->refused, (size_t)1 << 20, &length);
    text_add(&lab->source.compiled.messages, "%s", messages && length ? messages : "it does not compile\n");
    diag_error(diag, lab->name, 0, 0, "it does not compile");
    return SOURCE_WRONG;
}

static CompileRequest request_of(const Lab *lab, const LabOptions *options, const Ground *ground, const char *path) {
    return (CompileRequest){.path = path,
                            .compiler = options->choice,
                            .include_dir = ground->include_dir,
                            .arch = goals_arch(lab->goals),
                            .warns = true};
}

static SourceStatus load_file(Lab *lab, const LabOptions *options, const Ground *ground, Diag *diag) {
    if (options->refused) return load_refusal(lab, options, diag);
    CompileRequest request = request_of(lab, options, ground, options->path);
    SourceStatus status = options->ptx ? source_load_compiled(options->path, options->ptx, &lab->source, diag)
                                       : source_load(&request, &lab->source, diag);
    lab->compiler = lab->source.compiled.compiler;
    return status;
}

/* Whether the exercise as it was given compiles here and now. If not, that some other file does not says nothing about it; *why says what is
 * wrong instead. */
static bool compiler_works(const Lab *lab, const LabOptions *options, const Ground *ground, Text *why) {
    CompileRequest request = request_of(lab, options, ground, ground->untouched);
    Source source = {0};
    Diag diag = {0};
    if (!ground->given) return true;
    bool good = source_load(&request, &source, &diag) == SOURCE_GOOD;
    if (!good)
        text_add(why, "no kernel can be compiled here: make doctor says what is missing\n%s",
                 text_string(&source.compiled.messages));
    if (!good && !source.compiled.messages.length) diag_format(&diag, why);
    source_free(&source);
    return good;
}

/* --- main ----------------------------------------------------------------------------------------------------------------- */

static int usage(const char *program) {
    fprintf(
        stderr,
        "usage: %s [--json] [--all] [--kernel NAME] [--colour] [--columns N] [--cc nvcc|clang] [--ptx FILE] [--seed N]\n"
        "       [--threads N] [--on gpu] [--variant N] [FILE.cu]\n"
        "Grades the file, or the exercise itself. Exit status: 0 full marks, 1 less, 2 usage, 3 the file does not compile,\n"
        "4 the grader could not work.\n",
        program);
    return EXIT_MISTAKE;
}

static bool read_compiler(void *command, const char *option, const char *value, Diag *diag) {
    (void)option;
    return parse_compiler(value, &((LabOptions *)command)->choice, diag);
}

static bool read_seed(void *command, const char *option, const char *value, Diag *diag) {
    LabOptions *options = command;
    options->seeded = true;
    return parse_number(option, value, 0, UINT64_MAX, &options->seed, diag);
}

static bool read_path(void *command, const char *option, const char *value, Diag *diag) {
    LabOptions *options = command;
    (void)option;
    if (options->path) return diag_say(diag, "'%.100s' is a word too many", value);
    options->path = value;
    return true;
}

static bool read_options(int argc, char **argv, LabOptions *options, Diag *diag) {
    static const OptionRow rows[] = {OPTION_SET("json", LabOptions, json),
                                     OPTION_SET("colour", LabOptions, colour),
                                     {"cc", OPTION_READS, .read = read_compiler},
                                     OPTION_TEXT("ptx", LabOptions, ptx),
                                     OPTION_TEXT("verdict", LabOptions, verdict),
                                     OPTION_NUMBER("score", LabOptions, score, 0, INT_MAX),
                                     OPTION_TEXT("refused", LabOptions, refused),
                                     {"seed", OPTION_READS, .read = read_seed},
                                     OPTION_NUMBER("threads", LabOptions, threads, 0, THREADS_MOST),
                                     OPTION_TEXT("name", LabOptions, name),
                                     OPTION_SET("untrusted", LabOptions, untrusted),
                                     OPTION_SET("shown", LabOptions, shown),
                                     OPTION_SET("pictures", LabOptions, pictures),
                                     OPTION_SET("figures", LabOptions, figures),
                                     OPTION_SET("launches", LabOptions, launches),
                                     OPTION_SET("all", LabOptions, all),
                                     OPTION_SET("seen", LabOptions, seen),
                                     OPTION_TEXT("kernel", LabOptions, kernel),
                                     OPTION_TEXT("edited", LabOptions, edited),
                                     OPTION_TEXT("only", LabOptions, only),
                                     OPTION_NUMBER("columns", LabOptions, columns, 0, INT_MAX),
                                     OPTION_NUMBER("variant", LabOptions, variant, 0, INT64_MAX),
                                     OPTION_TEXT("confine", LabOptions, confinement),
                                     OPTION_CHOICE("on", LabOptions, on_gpu, "gpu", "emulated"),
                                     {"", OPTION_READS, .read = read_path},
                                     {0}};
    return options_read((OptionTable[]){{rows, options, NULL}, {0}}, argc, argv, NULL, NULL, diag) &&
           ((!options->ptx && !options->refused) || options->path);
}

static void print_problem(const Diag *diag, FILE *out) {
    LOCAL_TEXT text = {0};
    diag_format(diag, &text);
    fputs(text_string(&text), out);
}

/* Writes and frees the result. The status, where it was written whole. */
static int print_text(Text *text, int status) {
    bool good = fwrite(text_string(text), 1, text->length, stdout) == text->length;
    good = fflush(stdout) == 0 && good;
    if (!good) fprintf(stderr, "the result cannot be written to standard output: %s\n", strerror(errno));
    text_free(text);
    return good ? status : EXIT_UNABLE;
}

static int print_unable(const Lab *lab, const LabOptions *options, const char *why) {
    LOCAL_TEXT text = {0}, visible = {0};
    visible_add(&visible, why, strlen(why));
    result_unable(lab->goals, lab->name, options->json, text_string(&visible), &text);
    if (options->json) return print_text(&text, EXIT_UNABLE);
    fputs(text_string(&text), stderr);
    return EXIT_UNABLE;
}

static int unable_by(const Lab *lab, const LabOptions *options, const Diag *diag) {
    LOCAL_TEXT why = {0};
    diag_format(diag, &why);
    return print_unable(lab, options, text_string(&why));
}

/* The file cannot be graded; the compiler's messages say why, or diag does. */
static int refuse(const Lab *lab, const LabOptions *options, const Diag *diag) {
    const Text *messages = &lab->source.compiled.messages;
    LOCAL_TEXT why = {0};
    Text text = {0};
    if (messages->length && !lab->source.compiled.ptx.length) {
        LOCAL_TEXT sifted = {0};
        warnings_sift(text_string(messages), lab->source.text, &sifted);
        visible_add(&why, text_string(&sifted), sifted.length);
    } else {
        Diag without = *diag;
        without.hint[0] = 0;
        diag_format(&without, &why);
    }
    if (diag->hint[0]) plain_wrap(&why, lab->page.columns, "  hint: ", diag->hint);
    int status = EXIT_SOURCE;
    if (options->verdict)
        status = expected_refusal(options->verdict, text_string(&why), &text) ? EXIT_FULL : EXIT_LESS;
    else if (options->json)
        result_refused(lab, text_string(&why), &text);
    else
        result_refusal(lab->goals, NULL, text_string(&why), &text);
    return print_text(&text, status);
}

static int print_result(const Lab *lab, const LabOptions *options) {
    Score score = score_lab(lab);
    Text text = {0};
    int status = score.full ? EXIT_FULL : EXIT_LESS;
    if (options->verdict)
        status = expected_holds(lab, &score, options->verdict, &text) ? EXIT_FULL : EXIT_LESS;
    else if (options->json)
        result_json(lab, &score, (ResultParts){options->shown, options->figures}, &text);
    else
        result_show(lab, &score, &text);
    LOCAL_TEXT seen = {0};
    if (options->seen) result_seen(lab, &score, &seen), text_add(&seen, "\n");
    free(score.goals);
    status = print_text(&text, status);
    bool unsaid = options->score && dprintf((int)options->score, "%g\n%s", score.points, text_string(&seen)) < 0;
    return unsaid ? EXIT_UNABLE : status;
}

/* absent: why there is no GPU; NULL where there is one. What was skipped has not been passed. */
static int print_measured(const Lab *lab, const LabOptions *options, const Diag *absent) {
    Text text = {0};
    bool full = measured_result(lab, absent, options->json, &text);
    return print_text(&text, full ? EXIT_FULL : EXIT_LESS);
}

/* --- limits --------------------------------------------------------------------------------------------------------------- */

/* What a kernel may cost is limited by its effort and its bytes (case.c), which are the same everywhere and are the learner's. These limits
 * lie beyond what that allows on any computer that is fit for grading: to reach them is the computer's fault, or the grader's. */
enum { PROCESSOR_SECONDS = 300, WALL_FACTOR = 3, MEMORY_MIB = 1024, GPU_MEMORY_MIB = 16384, FILE_MIB = 64 };

typedef struct LastTexts {
    Text time, memory, crash, room;
} LastTexts;

static void prepare_texts(const Lab *lab, const LabOptions *options, unsigned seconds, LastTexts *texts) {
    char why[200];
    snprintf(why, sizeof why,
             "grading took more than %u s: is this computer very slow, or very busy? LAB_SECONDS=%u allows more", seconds,
             10 * seconds);
    result_unable(lab->goals, lab->name, options->json, why, &texts->time);
    snprintf(why, sizeof why, "the grader gave up: it needed more than %d MiB of memory, or has a mistake of its own",
             options->on_gpu ? GPU_MEMORY_MIB : MEMORY_MIB);
    result_unable(lab->goals, lab->name, options->json, why, &texts->memory);
    result_unable(lab->goals, lab->name, options->json, "the grader crashed: a mistake of its own", &texts->crash);
    result_unable(lab->goals, lab->name, options->json, "the grader can write no temporary file: is there room in TMPDIR?",
                  &texts->room);
}

/* Where the file is trusted, a limit that cannot be set is left out. */
static bool limit(const Lab *lab, const LabOptions *options, LastTexts *texts, Diag *diag) {
    const char *chosen = getenv("LAB_SECONDS");
    uint64_t seconds_most = PROCESSOR_SECONDS;
    if (chosen && *chosen && !parse_number("LAB_SECONDS", chosen, 1, 100000, &seconds_most, diag)) return false;
    const unsigned seconds = (unsigned)seconds_most;
    Diag unset = {0};
    prepare_texts(lab, options, seconds, texts);
    limit_last_words(&(LastWords){.fd = options->json ? STDOUT_FILENO : STDERR_FILENO,
                                  .status = EXIT_UNABLE,
                                  .time = text_string(&texts->time),
                                  .memory = text_string(&texts->memory),
                                  .crash = text_string(&texts->crash)});
    return limit_process(&(Limits){.seconds = seconds,
                                   .wall_seconds = WALL_FACTOR * seconds,
                                   .memory_bytes = (uint64_t)(options->on_gpu ? GPU_MEMORY_MIB : MEMORY_MIB) << 20,
                                   .file_bytes = (uint64_t)FILE_MIB << 20,
                                   .reserves = options->on_gpu,
                                   .alone = lab->threads == 1 && !options->on_gpu},
                         options->untrusted ? diag : &unset) ||
           !options->untrusted;
}

static int grade(Lab *lab, const LabOptions *options, Ground *ground, LastTexts *texts, Diag *diag) {
    lab->threads = options->threads ? (unsigned)options->threads : 1;
    if (options->untrusted && (!limit(lab, options, texts, diag) ||
                               (options->confinement && !confine_to(options->confinement, options->on_gpu, false, diag))))
        return unable_by(lab, options, diag);
    SourceStatus loaded = load_file(lab, options, ground, diag);
    const bool unable = lab->source.compiled.unable;
    if ((loaded == SOURCE_WRONG || unable) && !options->ptx && !options->refused) {
        LOCAL_TEXT why = {0};
        bool works = compiler_works(lab, options, ground, &why);
        int status = works ? EXIT_SOURCE : print_unable(lab, options, text_string(&why));
        if (!works) return status;
    }
    if (unable || (loaded == SOURCE_UNREADABLE && options->untrusted)) return unable_by(lab, options, diag);
    if (loaded != SOURCE_GOOD || !required_kernels(lab, diag)) return refuse(lab, options, diag);
    lab->seed = options->seeded ? options->seed : seed_of(lab, ground);
    take_given(lab, ground);
    lab->untouched = is_untouched(lab);
    lab->pictured = options->pictures;
    lab->explored = options->launches;
    lab->asked_variant = options->variant != ANY_VARIANT ? (int64_t)options->variant : options->untrusted ? 0 : -1;
    if (options->on_gpu) {
        lab->gpu = gpu_new();
        if (options->untrusted) gpu_silence(lab->gpu);
        if (options->only) measured_only(lab, options->only);
        if (!gpu_probe(lab->gpu, &lab->gpu_info, diag)) return print_measured(lab, options, diag);
    } else if (!options->untrusted && !limit(lab, options, texts, diag)) {
        return unable_by(lab, options, diag);
    }
    grade_kernels(lab, text_string(&texts->room));
    if (!complete_grading(lab, diag)) return EXIT_MISTAKE;
    return lab->gpu ? print_measured(lab, options, NULL) : print_result(lab, options);
}

static void lab_free(Lab *lab) {
    gpu_free(lab->gpu);
    for (uint32_t i = 0; lab->goals && i < lab->goals->n_kernels; i++) {
        failure_free(&lab->kernels[i].failure);
        text_free(&lab->kernels[i].printed);
        text_free(&lab->kernels[i].printed_with);
        json_decref(lab->kernels[i].relaunch);
    }
    for (uint32_t i = 0; lab->goals && i < lab->goals->n_runs; i++) {
        RunResult *run = &lab->runs[i];
        if (run->kept) case_free(run->kept);
        if (run->report) json_decref(run->report);
        failure_free(&run->failure);
        text_free(&run->note);
        text_free(&run->empty);
    }
    free(lab->kernels);
    free(lab->runs);
    source_free(&lab->source);
    goals_free(lab->goals);
}

/* What is explained, and how it is laid out. JSON and verdicts are for programs. */
static bool set_shown(Lab *lab, const LabOptions *options, Diag *diag) {
    bool is_shown = !options->json && !options->verdict;
    lab->page = is_shown ? page_of(STDOUT_FILENO) : page_plain;
    lab->page.colour |= is_shown && options->colour;
    if (is_shown && options->columns) lab->page = page_with(lab->page, (long)options->columns);
    lab->all = options->all;
    return result_choose(lab, options->kernel, options->edited, diag);
}

/* Reads lab.goals of the suite's folder under root. */
static bool load_goals(Lab *lab, const char *root, Diag *diag) {
    LOCAL_TEXT path = text_from("%s/exercises/%s/lab.goals", root, lab->suite->folder);
    lab->goals = goals_read(text_string(&path), diag);
    if (!lab->goals) return false;
    lab->kernels = alloc_zeroed(lab->goals->n_kernels + 1, sizeof *lab->kernels);
    lab->runs = alloc_zeroed(lab->goals->n_runs + 1, sizeof *lab->runs);
    return complete_suite(lab, diag);
}

static bool find_ground(const LabSuite *suite, const LabOptions *options, const char *program, Ground *ground, Diag *diag) {
    size_t length;
    if (!home_labs(program, ground->root, sizeof ground->root) ||
        !home_headers(program, ground->include_dir, sizeof ground->include_dir)) {
        diag_say(diag, "the folder of exercises is not found");
        return diag_hint(diag, "set WARPSCOPE_HOME to the one that holds exercises and src");
    }
    snprintf(ground->untouched, sizeof ground->untouched, "%s/exercises/untouched/%s.cu", ground->root, suite->folder);
    ground->given = text_read_file(ground->untouched, SOURCE_BYTES, &length);
    return options->seeded || read_key(options, ground, diag);
}

int lab_main(int argc, char **argv, const LabSuite *suite) {
    LabOptions options = {.variant = ANY_VARIANT};
    Ground ground = {0};
    LastTexts texts = {0};
    Diag diag = {0};
    LOCAL_TEXT exercise = {0};
    int status = EXIT_MISTAKE;
    output_hold_standard();
    alloc_keep_freed();
    if (!process_begin(&diag)) {
        print_problem(&diag, stderr);
        return EXIT_MISTAKE;
    }
    if (!read_options(argc, argv, &options, &diag)) {
        if (diag.set) print_problem(&diag, stderr);
        return usage(argv[0]);
    }
    Lab lab = {.suite = suite, .profile = profile_find("h200", &diag), .kernel = -1, .run = -1, .explained = -1};
    lab.small = *lab.profile;
    lab.small.sms = 4;
    lab.small.sms_shown = lab.profile->sms; /* no kernel can tell a test from a measured run by it */
    lab.small.l2_bytes = 64 << 10;
    if (find_ground(suite, &options, argv[0], &ground, &diag) && load_goals(&lab, ground.root, &diag) &&
        set_shown(&lab, &options, &diag)) {
        text_add(&exercise, "%s/exercises/%s/kernel.cu", ground.root, suite->folder);
        if (!options.path) options.path = text_string(&exercise);
        lab.name = options.name ? options.name : options.path;
        status = grade(&lab, &options, &ground, &texts, &diag);
    }
    if (status == EXIT_MISTAKE && diag.set) print_problem(&diag, stderr);
    lab_free(&lab);
    free(ground.given);
    text_free(&texts.time);
    text_free(&texts.memory);
    text_free(&texts.crash);
    text_free(&texts.room);
    return status;
}
