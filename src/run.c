/* run.c: warpscope run and warpscope cc: whole CUDA programs. */
#include <errno.h>
#include <limits.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "command.h"
#include "device/profile.h"
#include "runtime/build.h"

static const char run_help[] =
    "warpscope run [options] PROGRAM.cu [-- arguments of the program]\n"
    "\n"
    "Compiles a whole CUDA program, unmodified, and runs it with no GPU. At its end, a report of each kernel's memory\n"
    "behaviour on standard error. The exit status is the program's; 2 for wrong usage, 3 when it does not compile.\n"
    "\n"
    "  --device NAME     the GPU to be (default h200)\n"
    "  --l1 on|off       off: global loads go past L1, as with -Xptxas -dlcm=cg\n"
    "  --check all|none  none: no search for races and uninitialised memory; bounds are always checked\n"
    "  --json FILE       write an array with one JSON object for each launch\n"
    "  --replay on|off   off: launches that must come to the same as one before are executed all the same\n"
    "  --threads N       host threads (default: all); results and counts do not depend on it\n"
    "  --cc nvcc|clang   the compiler (default: nvcc where there is one, else clang)\n"
    "  all others        go to the compiler: -I, -D, -std=, -O, -arch=, -L, -l, further files, ...\n";

static const char cc_help[] =
    "warpscope cc [--cc nvcc|clang] ...\n"
    "\n"
    "Compiles and links as nvcc does, with nvcc's usual options, programs that run on the emulated GPU:\n"
    "    make NVCC='warpscope cc'\n"
    "Run the program as any other. WARPSCOPE_DEVICE, _L1, _CHECK, _JSON, _REPLAY and _THREADS in its environment do what\n"
    "the options of `warpscope run` do.\n";

/* Options of ours: each becomes a variable of the program's environment. */
static const struct {
    const char *option, *variable;
} ours[] = {
    {"--device", "WARPSCOPE_DEVICE"},
    {"--l1", "WARPSCOPE_L1"},
    {"--check", "WARPSCOPE_CHECK"},
    {"--json", "WARPSCOPE_JSON"},
    {"--replay", "WARPSCOPE_REPLAY"},
    {"--threads", "WARPSCOPE_THREADS"},
};

typedef struct Command {
    Arena *arena;
    Argv options;     /* for the compiler */
    char **arguments; /* of the program, after --; NULL: none */
    Build build;
    bool help;
} Command;

/* "--device NAME" and "--device=NAME": the value, and how many words it took; NULL when the word is another option. */
static const char *value_of(const char *option, char **words, size_t *taken) {
    size_t length = strlen(option);
    if (strncmp(words[0], option, length) != 0) return NULL;
    *taken = words[0][length] == '=' ? 1 : 2;
    if (words[0][length] == '=') return words[0] + length + 1;
    return words[0][length] == 0 && words[1] ? words[1] : NULL;
}

static bool is_one_of(const char *option, const char *value, const char *yes, const char *no, Diag *diag) {
    if (strcmp(value, yes) == 0 || strcmp(value, no) == 0) return true;
    return diag_error(diag, NULL, 0, 0, "%s '%.200s' is not '%s' or '%s'", option, value, yes, no);
}

static bool is_good(const char *option, const char *value, Diag *diag) {
    if (strcmp(option, "--device") == 0) return profile_find(value, diag) != NULL;
    if (strcmp(option, "--l1") == 0) return is_one_of(option, value, "on", "off", diag);
    if (strcmp(option, "--replay") == 0) return is_one_of(option, value, "on", "off", diag);
    if (strcmp(option, "--json") == 0) return *value || diag_error(diag, NULL, 0, 0, "--json needs a file's name");
    if (strcmp(option, "--check") == 0) return is_one_of(option, value, "all", "none", diag);
    char *end;
    unsigned long number = strtoul(value, &end, 10);
    return (*value >= '0' && *value <= '9' && !*end && number >= 1 && number <= 1024) ||
           diag_error(diag, NULL, 0, 0, "%s '%.200s' is not a whole number from 1 to 1024", option, value);
}

/* One option of ours; how many words it took, 0 when it is none or after an error. */
static size_t read_ours(Command *command, char **words, Diag *diag) {
    size_t taken;
    const char *value = value_of("--cc", words, &taken);
    if (value) {
        command->build.compiler = strcmp(value, "nvcc") == 0 ? COMPILER_NVCC : COMPILER_CLANG;
        return is_one_of("--cc", value, "nvcc", "clang", diag) ? taken : 0;
    }
    for (size_t i = 0; i < sizeof ours / sizeof *ours; i++) {
        value = value_of(ours[i].option, words, &taken);
        if (!value) continue;
        if (!is_good(ours[i].option, value, diag)) return 0;
        setenv(ours[i].variable, value, 1);
        return taken;
    }
    return 0;
}

static bool read_words(Command *command, char **words, bool runs, Diag *diag) {
    command->options.arena = command->arena;
    while (*words) {
        size_t taken = read_ours(command, words, diag);
        if (diag->set) return false;
        words += taken;
        if (taken) continue;
        if (runs && strcmp(*words, "--") == 0) {
            command->arguments = words + 1;
            return true;
        }
        command->help |= strcmp(*words, "--help") == 0 || strcmp(*words, "-h") == 0;
        argv_add(&command->options, *words++);
    }
    return true;
}

/* --- building --- */

/* Beside the warpscope program. */
static bool find_library(const char *program, char *path, size_t size) {
    char self[PATH_MAX];
    ssize_t length = readlink("/proc/self/exe", self, sizeof self - 1);
    if (length > 0)
        self[length] = 0;
    else if (!realpath(program, self))
        return false;
    char *slash = strrchr(self, '/');
    if (!slash) return false;
    *slash = 0;
    return snprintf(path, size, "%s/libthirtytwo.a", self) < (int)size && access(path, R_OK) == 0;
}

static const Profile *device(Diag *diag) {
    const char *name = getenv("WARPSCOPE_DEVICE");
    return profile_find(name && *name ? name : "h200", diag);
}

static bool prepare(Command *command, const char *program, Argv *compiler, Diag *diag) {
    char library[PATH_MAX];
    if (!find_library(program, library, sizeof library)) {
        diag_error(diag, NULL, 0, 0, "libthirtytwo.a is not beside the warpscope program");
        return diag_hint(diag, "run the one in the build folder of the tree");
    }
    const Profile *profile = device(diag);
    if (!profile) return false;
    command->build.library = arena_copy(command->arena, library, strlen(library));
    command->build.newest = 10 * profile->compute_major + profile->compute_minor;
    compiler->arena = command->arena;
    return build_command(&command->build, command->options.list, command->options.count, compiler, diag);
}

/* --- running --- */

static volatile sig_atomic_t child;

static void pass_on(int number) {
    if (child > 0) kill(child, number);
}

/* Runs a program with our own input and output, and hands signals on to it. Its exit status; 128 + signal when one ended it. */
static int run_child(char *const *argv) {
    child = fork();
    if (child < 0) {
        fprintf(stderr, "warpscope: cannot start a process: %s\n", strerror(errno));
        return EXIT_USAGE;
    }
    if (child == 0) {
        execvp(argv[0], argv);
        fprintf(stderr, "warpscope: cannot start %s: %s\n", argv[0], strerror(errno));
        _exit(127);
    }
    static const int signals[] = {SIGTERM, SIGINT, SIGHUP, SIGQUIT};
    for (size_t i = 0; i < sizeof signals / sizeof *signals; i++) signal(signals[i], signals[i] == SIGTERM ? pass_on : SIG_IGN);
    int status;
    while (waitpid(child, &status, 0) < 0 && errno == EINTR) continue;
    for (size_t i = 0; i < sizeof signals / sizeof *signals; i++) signal(signals[i], SIG_DFL);
    return WIFSIGNALED(status) ? 128 + WTERMSIG(status) : WEXITSTATUS(status);
}

/* Builds the program in the folder and runs it. */
static int build_and_run(Command *command, Argv *compiler, const char *folder) {
    char path[PATH_MAX];
    snprintf(path, sizeof path, "%s/program", folder);
    argv_add(compiler, "-o");
    argv_add(compiler, path);
    int status = run_child((char *const *)compiler->list);
    if (status != 0) {
        fprintf(stderr, "warpscope: '%s' does not compile with %s\n", command->build.first_file, command->build.name);
        return EXIT_SOURCE;
    }
    Argv program = {.arena = command->arena};
    argv_add(&program, path);
    for (char **word = command->arguments; word && *word; word++) argv_add(&program, *word);
    setenv("WARPSCOPE_COMPILER", command->build.name, 1);
    status = run_child((char *const *)program.list);
    unlink(path);
    return status;
}

static int run_in_folder(Command *command, Argv *compiler) {
    const char *base = getenv("TMPDIR");
    char folder[PATH_MAX - 16];
    snprintf(folder, sizeof folder, "%s/warpscope-XXXXXX", base && *base ? base : "/tmp");
    if (!mkdtemp(folder)) {
        fprintf(stderr, "warpscope: cannot make a temporary directory %s: %s\n", folder, strerror(errno));
        return EXIT_USAGE;
    }
    int status = build_and_run(command, compiler, folder);
    rmdir(folder);
    return status;
}

static int with_command(char **argv, bool runs) {
    Command command = {.arena = arena_new()};
    Argv compiler = {0};
    Diag diag = {0};
    int status = EXIT_USAGE;
    bool good = read_words(&command, argv + 1, runs, &diag);
    if (good && command.help) {
        fputs(runs ? run_help : cc_help, stdout);
        status = 0;
    } else if (good && prepare(&command, argv[0], &compiler, &diag)) {
        if (runs && (!command.build.first_file || !command.build.links)) {
            diag_error(&diag, NULL, 0, 0,
                       command.build.first_file ? "run needs a program: leave -c and its like out" : "no file given");
            diag_hint(&diag, "warpscope run PROGRAM.cu [-- arguments]; --help says more");
        } else {
            status = runs ? run_in_folder(&command, &compiler) : run_child((char *const *)compiler.list);
        }
    }
    if (diag.set) print_diag(&diag);
    arena_free(command.arena);
    return status;
}

int command_run(int argc, char **argv) {
    (void)argc;
    return with_command(argv, true);
}

int command_cc(int argc, char **argv) {
    (void)argc;
    return with_command(argv, false);
}
