/* main.c: the warpscope command: the table of commands, and the shortest ones. */
#include <stdio.h>
#include <string.h>

#include "command/command.h"
#include "cuda/options.h"
#include "grade/confine.h"
#include "grade/scratch.h"
#include "host/output.h"
#include "host/process.h"
#include "machine/fault.h"
#include "report/plain.h"
#include "runtime/functions.h"

#define VERSION "0.1"

/* --- compile ------------------------------------------------------------------------------------------------------------- */

static const char compile_help[] =
    "warpscope compile FILE.cu [--cc nvcc|clang] [-o FILE.ptx] [-I DIR] [-D NAME] [--timeout N]\n"
    "                  [--arch sm_NN] [--confine FOLDER[:PATH...]]\n"
    "\n"
    "Writes the file's device code as PTX, to standard output without -o. Its first line names the compiler.\n"
    "--arch sm_NN: what it compiles for, as nvcc's -arch (default " KERNELS_ARCH ").\n"
    "--timeout: seconds after which the compiler is ended (default 600, of which each of its programs may compute 60).\n"
    "\n"
    "--confine: for untrusted files. Gives up, before the file is opened, the rights to write but beneath "
    "FOLDER, to read\n"
    "but there and beneath the PATHs, to use the network, and to be root. Linux; fails where the system cannot do that.\n";

typedef struct CompileOptions {
    LaunchOptions *launch;
    const char *output;
    const char *confinement; /* NULL: none */
} CompileOptions;

static bool compile_parse(CompileOptions *compile, int argc, char **argv, Diag *diag) {
    static const OptionRow own_rows[] = {
        OPTION_TEXT("o", CompileOptions, output), OPTION_TEXT("confine", CompileOptions, confinement), {0}};
    LaunchOptions *options = compile->launch;
    const OptionTable tables[] = {{own_rows, compile, NULL}, {launch_rows, options, "cc arch timeout help I D"}, {0}};
    if (!options_read(tables, argc, argv, NULL, "compile", diag)) return false;
    return options->path || options->help || diag_say(diag, "no file given");
}

static int compile_with(const CompileOptions *compile, const char *program, Diag *diag) {
    LaunchOptions *options = compile->launch;
    LOCAL_SOURCE source = {0};
    char include_dir[4096];
    if (!spares_input("-o", compile->output, options->path, diag)) return EXIT_USAGE;
    prepare_source(options, program, include_dir, sizeof include_dir);
    options->source.timeout_s = (unsigned)options->timeout_s;
    if (compile->confinement)
        scratch_end(); /* who is confined may be another user, and the folder it may write in is removed as a whole */
    if (compile->confinement && !confine_to(compile->confinement, false, true, diag)) return EXIT_USAGE;
    SourceStatus loaded = source_load(&options->source, &source, diag);
    print_messages(options, &source, diag);
    if (loaded != SOURCE_GOOD) return loaded == SOURCE_UNREADABLE ? EXIT_USAGE : EXIT_SOURCE;
    LOCAL_TEXT ptx = text_from("// compiled by %s\n%s", source.is_ptx ? "?" : source.compiled.compiler, source_ptx(&source));
    return write_output(compile->output, &ptx) ? EXIT_FINE : EXIT_USAGE;
}

int command_compile(int argc, char **argv) {
    LaunchOptions options = {.arena = arena_new()};
    CompileOptions compile = {.launch = &options};
    Diag diag = {0};
    int status = EXIT_USAGE;
    if (compile_parse(&compile, argc, argv, &diag))
        status = options.help ? print_help(compile_help) : compile_with(&compile, argv[0], &diag);
    return end_command(status, &options, &diag);
}

/* --- confine ------------------------------------------------------------------------------------------------------------- */

static const char confine_help[] =
    "warpscope confine FOLDER[:PATH...] PROGRAM [ARG...]\n"
    "\n"
    "Runs another program without the rights to write but beneath FOLDER, to read but there and beneath the PATHs, to use\n"
    "the network, and to be root. Modes, times and attributes of the user's own files it may still change: Landlock does not\n"
    "know of them. Linux; status 2 where the system cannot do that.\n";

static int command_confine(int argc, char **argv) {
    Diag diag = {0};
    if (argc > 1 && is_help(argv[1])) return print_help(confine_help);
    if (argc < 3)
        diag_say(&diag, "confine needs what may be used and a program");
    else if (confine_to(argv[1], false, false, &diag))
        return run_program((const char *const *)argv + 2);
    print_diag(&diag);
    return EXIT_USAGE;
}

/* --- compilers ----------------------------------------------------------------------------------------------------------- */

static const char compilers_help[] =
    "warpscope compilers [nvcc|clang]\n"
    "\n"
    "Says which compilers there are for kernels, the preferred one first, each with its version, a tab, and its path;\n"
    "for an nvcc older than CUDA 13, whose runtime API whole programs call, a tab and 'for kernels alone'.\n"
    "Looks for nvcc in $CUDA_HOME/bin, where ./setup --cuda puts it, in PATH, in /usr/local/cuda and /opt/cuda.\n"
    "\n"
    "Exit status: 0 fine; 1 there is none, or not that one; 2 wrong usage.\n";

static int command_compilers(int argc, char **argv) {
    static const struct {
        const char *name;
        CompilerChoice choice;
    } known[] = {{"nvcc", COMPILER_NVCC}, {"clang", COMPILER_CLANG}};
    const char *wanted = argc > 1 ? argv[1] : NULL;
    if (wanted && is_help(wanted)) return print_help(compilers_help);
    if (argc > 2 || (wanted && strcmp(wanted, "nvcc") != 0 && strcmp(wanted, "clang") != 0)) {
        Diag diag = {0};
        diag_say(&diag, "compilers takes 'nvcc', 'clang' or nothing, unlike '%.200s'", argv[argc - 1]);
        print_diag(&diag);
        return EXIT_USAGE;
    }
    bool found = false;
    for (size_t i = 0; i < sizeof known / sizeof *known; i++) {
        char path[4096], name[64];
        if (wanted && strcmp(wanted, known[i].name) != 0) continue;
        if (!compile_find(known[i].choice, path, sizeof path, name, sizeof name)) continue;
        printf("%s\t%s%s\n", name, path, compile_fits_runtime(name) ? "" : "\tfor kernels alone");
        found = true;
    }
    return !flush_output() ? EXIT_USAGE : found ? EXIT_FINE : EXIT_FAULT;
}

/* --- doctor -------------------------------------------------------------------------------------------------------------- */

static const char doctor_help[] = "warpscope doctor\n\nSays which functions of CUDA's runtime API `warpscope run` covers, what "
                                  "to do without the others, and which kinds of\n"
                                  "mistakes are told of kernels. `make doctor` says what is installed.\n";

enum { DOCTOR_COLUMNS = 110 };

/* By name, as the JSON has them. */
static void list_kinds(Text *out) {
    LOCAL_TEXT line = {0};
    for (FaultKind kind = FAULT_none + 1; kind < FAULT_COUNT; kind++)
        text_add(&line, "%s%s", kind > FAULT_none + 1 ? " " : "", fault_kinds[kind].name);
    plain_wrap(out, DOCTOR_COLUMNS, "    ", text_string(&line));
}

static int command_doctor(int argc, char **argv) {
    if (argc > 1 && is_help(argv[1])) return print_help(doctor_help);
    if (argc > 1) {
        Diag diag = {0};
        diag_say(&diag, "doctor takes no arguments, unlike '%.200s'", argv[1]);
        print_diag(&diag);
        return EXIT_USAGE;
    }
    LOCAL_TEXT text = {0};
    functions_list(&text);
    text_add(&text, "mistakes of kernels that are told (appendix C of the book says by which rules, and what is not seen):\n");
    list_kinds(&text);
    bool good = write_output(NULL, &text);
    return good ? EXIT_FINE : EXIT_USAGE;
}

/* --- commands ------------------------------------------------------------------------------------------------------------ */

typedef struct Command {
    const char *name;
    CommandMain *run; /* argv[0] is warpscope's, argv[1] the command's first word */
    bool has_scratch; /* it makes temporary files, which go into one folder */
    const char *what;
} Command;

static const Command commands[] = {
    {"launch", command_launch, true, "run one kernel of a .cu or .ptx file and report its memory accesses"},
    {"compile", command_compile, true, "write the PTX of a .cu file"},
    {"run", command_run, true, "compile and run a whole CUDA program"},
    {"cc", command_cc, true, "compile and link CUDA programs as nvcc does, to run here"},
    {"explore", command_explore, true, "a launch as a page that is stepped through, the emulator in it"},
    {"record", command_record, true, "times, or counts, of many launches listed in a file"},
    {"evidence", command_evidence, true, "a record of a GPU against the emulator's of the same launches"},
    {"lab", command_lab, true, "the labs: grades, hints, progress"},
    {"class", command_class, true, "a folder of submissions graded: gradebook and pages"},
    {"serve", command_serve, false, "the course in a browser: a chapter, and its lab beside it"},
    {"lsp", command_lsp, true, "a language server: counts, maps and missed goals in an editor"},
    {"confine", command_confine, false, "another program with few rights, for what strangers wrote"},
    {"compilers", command_compilers, false, "where nvcc and clang are, and of which version"},
    {"cache", command_cache, false, "what is kept of earlier compilations"},
    {"doctor", command_doctor, false, "which functions of CUDA's runtime API are covered, which mistakes are told"},
};

enum { COMMANDS = sizeof commands / sizeof *commands };

static void print_commands(void) {
    puts("warpscope COMMAND ...: CUDA kernels on an emulated GPU, every memory transaction counted\n");
    for (int i = 0; i < COMMANDS; i++) printf("  warpscope %-9s %s\n", commands[i].name, commands[i].what);
    puts("\nwarpscope COMMAND --help says more; warpscope --version says which one this is.");
}

static int run(const Command *command, int argc, char **argv) {
    if (command->has_scratch) scratch_begin();
    int status = command->run(argc, argv);
    scratch_end();
    return status <= EXIT_FAULT && !flush_output() ? EXIT_USAGE : status;
}

static const Command *find(const char *name) {
    for (int i = 0; i < COMMANDS; i++)
        if (strcmp(name, commands[i].name) == 0) return &commands[i];
    return NULL;
}

/* By this name it is one word that stands for a compiler, which CMake asks for. */
static bool is_compiler(const char *program) { return program && strcmp(text_last_name(program), "warpscope-nvcc") == 0; }

int main(int argc, char **argv) {
    const char *name = argc > 1 ? argv[1] : "";
    output_hold_standard();
    Diag diag = {0};
    if (!process_begin(&diag)) {
        print_diag(&diag);
        return EXIT_USAGE;
    }
    if (is_compiler(argv[0])) return run(find("cc"), argc, argv);
    if (is_help(name) || strcmp(name, "help") == 0) {
        print_commands();
        return flush_output() ? EXIT_FINE : EXIT_USAGE;
    }
    if (strcmp(name, "--version") == 0) {
        puts("warpscope " VERSION " (Thirty-Two)");
        return flush_output() ? EXIT_FINE : EXIT_USAGE;
    }
    const Command *command = find(name);
    if (command) {
        argv[1] = argv[0];
        return run(command, argc - 1, argv + 1);
    }
    if (*name)
        fprintf(stderr, "warpscope: unknown command '%.200s'\n", name);
    else
        fputs("warpscope: no command given\n", stderr);
    if (cmd_lab_knows(name)) {
        fprintf(stderr, "hint: warpscope lab %s; or make %s\n", name, name);
        return EXIT_USAGE;
    }
    fputs("hint: warpscope", stderr);
    for (int i = 0; i < COMMANDS; i++) fprintf(stderr, "%s %s", i ? "," : "", commands[i].name);
    fputs("; warpscope --help says what they do\n", stderr);
    return EXIT_USAGE;
}
