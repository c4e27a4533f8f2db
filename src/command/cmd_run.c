/* cmd_run.c: warpscope run and warpscope cc: whole CUDA programs. */
#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "command/build.h"
#include "command/command.h"
#include "cuda/argv.h"
#include "cuda/folder.h"
#include "cuda/home.h"
#include "cuda/options.h"
#include "cuda/optionsfile.h"
#include "device/profile.h"
#include "grade/scratch.h"
#include "runtime/environment.h"

static const char run_help[] =
    "warpscope run [options] PROGRAM.cu [-- arguments of the program]\n"
    "\n"
    "Compiles a whole CUDA program, unmodified, and runs it with no GPU. At its end, a report of each kernel's memory\n"
    "behaviour on standard error. The exit status is the program's; 2 for wrong usage, 3 when it does not compile,\n"
    "or says that all is well although a kernel could not be emulated; 1 when it does so although one was stopped, whose\n"
    "error it did not ask for.\n"
    "\n"
    "  --device NAME     the GPU to be (default h200)\n"
    "  --l1 on|off       off: global loads bypass L1, as with -Xptxas -dlcm=cg\n"
    "  --joins on|off    off: accesses are counted as they are written, not as the assembler joins and combines those to\n"
    "                    shared memory and atomics, and loads only what is used\n"
    "  --check all|none|strict  none: no search for " FAULTS_SEARCHED "; bounds are always checked. strict: by the\n"
    "                    letter of the rules: also what GPUs run through, such as threads that left before a barrier\n"
    "  --on-fault stop|report  report: kernels go on after all that a real GPU runs through and all of it is told, misused\n"
    "                    shuffles and accesses to the page behind a buffer as well; the exit status is then 1 in place of\n"
    "                    the program's 0. stop (default): the first race or uninitialised read of a launch is told, and\n"
    "                    the kernel goes on; any other fault ends it with CUDA's error\n"
    "  --json FILE       write an array with one JSON object for each launch\n"
    "  --trace FILE      write what streams did when, in modelled time, for ui.perfetto.dev and chrome://tracing\n"
    "  --report all|summary|gcc  summary: kernels, launches and times, without each kernel's table; gcc: what is wrong as\n"
    "                    lines FILE:LINE:COLUMN: error: TEXT, by which editors jump\n"
    "  --replay on|off   off: launches that must come to the same as one before are executed all the same\n"
    "  --threads N       host threads (default: all, but one for a small launch); counts do not depend on it\n"
    "  --schedule usual|worst|N|late  in which order warps and blocks run: as with `warpscope launch`. late: launches and\n"
    "                    asynchronous copies are done when the host waits for them: what is read too early differs\n"
    "  --max-steps N     what each launch may cost, as with `warpscope launch`. Without it, one is ended once one warp has "
    "run\n"
    "                    268,435,456 instructions, or those that run together 1,073,741,824 with no block ended\n"
    "  --cc nvcc|clang   the compiler (default: nvcc where there is one, else clang)\n"
    "  all others        go to the compiler: -I, -D, -std=, -O, -arch=, -L, -l, further files, ...\n";

static const char cc_help[] =
    "warpscope cc [--cc nvcc|clang] ...\n"
    "\n"
    "Compiles and links as nvcc does, with nvcc's usual options, programs that run on the emulated GPU:\n"
    "    make NVCC='warpscope cc'\n"
    "    CUDACXX=warpscope-nvcc cmake -B build\n"
    "Run the program as any other. WARPSCOPE_DEVICE, _L1, _JOINS, _CHECK, _ON_FAULT, _JSON, _REPORT, _REPLAY, _THREADS,\n"
    "_SCHEDULE, _TRACE and _MAX_STEPS in its environment do what the options of `warpscope run` do.\n";

typedef struct RunCommand {
    bool runs; /* `run`, not `cc` */
    Arena *arena;
    Build build;
    const char **words; /* for the compiler, as given */
    size_t count;
    Argv whole;       /* with those of files of options */
    char **arguments; /* of the program, after --; NULL: none */
    bool help;
} RunCommand;

/* --- options --- */

/* "--device NAME" and "--device=NAME": the value, and how many words it took; NULL when the word is another option. */
static const char *value_of(const char *option, char **words, size_t *taken) {
    size_t length = strlen(option);
    if (strncmp(words[0], option, length) != 0) return NULL;
    *taken = words[0][length] == '=' ? 1 : 2;
    if (words[0][length] == '=') return words[0] + length + 1;
    return words[0][length] == 0 && words[1] ? words[1] : NULL;
}

/* One option of ours, which becomes a variable of the program's environment; how many words it took, 0 when it is none or after an error. */
static size_t read_ours(RunCommand *run, char **words, Diag *diag) {
    size_t taken;
    const char *value = value_of("--cc", words, &taken);
    if (value) return parse_compiler(value, &run->build.compiler, diag) ? taken : 0;
    for (const OptionRow *row = environment_rows; run->runs && row->name; row++) {
        LOCAL_TEXT option = text_from("--%s", row->name), variable = environment_variable(row);
        value = value_of(option.data, words, &taken);
        if (!value) continue;
        if (!option_set(row, option.data, &(Options){0}, value, diag)) return 0;
        setenv(variable.data, value, 1);
        return taken;
    }
    return 0;
}

static bool read_words(RunCommand *run, char **words, Diag *diag) {
    while (*words) {
        size_t taken = read_ours(run, words, diag);
        if (diag->set) return false;
        words += taken;
        if (taken) continue;
        if (run->runs && strcmp(*words, "--") == 0) {
            run->arguments = words + 1;
            return true;
        }
        run->help |= is_help(*words);
        ARENA_ADD(run->arena, run->words, run->count) = *words++;
    }
    return true;
}

/* --- building --- */

static bool prepare(RunCommand *run, const char *program, Diag *diag) {
    char library[PATH_MAX], headers[PATH_MAX];
    const char *device = getenv("WARPSCOPE_DEVICE");
    const Profile *profile = profile_find(device && *device ? device : "h200", diag);
    if (!profile) return false;
    if (!home_library(program, library, sizeof library)) {
        diag_say(diag, "libthirtytwo.a is not beside the warpscope program");
        return diag_hint(diag, "run the one in the build folder of the tree, or an installed one");
    }
    run->build.library = arena_copy(run->arena, library, strlen(library));
    if (home_headers(program, headers, sizeof headers))
        run->build.include_dir = arena_copy(run->arena, headers, strlen(headers));
    unsigned newest = 10 * profile->compute_major + profile->compute_minor;
    if (!optionsfile_expand(run->words, run->count, &run->whole, diag)) return false;
    const char *const *words = (const char *const *)run->whole.words;
    if (!build_read(&run->build, words, run->whole.count, newest, diag)) return false;
    if (options_bypass_l1(words, run->whole.count)) setenv("WARPSCOPE_L1", "off", 0); /* --l1 on goes before it */
    if (run->build.first_file && !text_file_readable(run->build.first_file, COMPILE_SOURCE_LIMIT) &&
        (run->runs || errno == EFBIG)) /* what else is wrong with a file is cc's compiler's to say */
        return diag_error(diag, run->build.first_file, 0, 0, "cannot be read: %s", text_file_problem(errno));
    if (!run->runs || (run->build.first_file && run->build.links))
        return build_check(
            &run->build,
            &(BuildOutputs){run->runs ? getenv("WARPSCOPE_JSON") : NULL, run->runs ? getenv("WARPSCOPE_TRACE") : NULL}, diag);
    diag_say(diag, run->build.first_file ? "run needs a program: leave -c and its like out" : "no file given");
    return diag_hint(diag, "warpscope run PROGRAM.cu [-- arguments]; --help says more");
}

/* --- running --- */

/* Builds the program in the folder and runs it. */
static int build_and_run(RunCommand *run, const char *folder, Diag *diag) {
    char path[PATH_MAX];
    snprintf(path, sizeof path, "%s/program", folder);
    run->build.output = path;
    if (!build_run(&run->build, diag)) {
        if (!diag->set) diag_say(diag, "'%.200s' does not compile with %s", run->build.first_file, run->build.name);
        return EXIT_SOURCE;
    }
    size_t count = 0;
    while (run->arguments && run->arguments[count]) count++;
    const char **argv = ARENA_ARRAY(run->arena, const char *, count + 2);
    argv[0] = path;
    for (size_t i = 0; i < count; i++) argv[i + 1] = run->arguments[i];
    setenv("WARPSCOPE_COMPILER", run->build.name, 1);
    scratch_leave_variable(); /* what the program keeps there is its own */
    return run_program(argv);
}

static int run_in_folder(RunCommand *run, Diag *diag) {
    LOCAL_TEXT folder = {0};
    if (!folder_make(&folder, diag)) return EXIT_USAGE;
    int status = build_and_run(run, text_string(&folder), diag);
    folder_remove(text_string(&folder));
    return status;
}

static int command_of(char **argv, bool runs) {
    RunCommand run = {.runs = runs, .arena = arena_new()};
    Diag diag = {0};
    int status = EXIT_USAGE;
    bool good = read_words(&run, argv + 1, &diag);
    if (good && run.help) {
        status = print_help(runs ? run_help : cc_help);
    } else if (good && prepare(&run, argv[0], &diag)) {
        if (runs)
            status = run_in_folder(&run, &diag);
        else
            status = build_run(&run.build, &diag) ? EXIT_FINE : EXIT_FAULT;
    }
    if (diag.set) print_diag(&diag);
    arena_free(run.arena);
    argv_free(&run.whole);
    return status;
}

int command_run(int argc, char **argv) {
    (void)argc;
    return command_of(argv, true);
}

int command_cc(int argc, char **argv) {
    (void)argc;
    return command_of(argv, false);
}
