#include "input/launch_options.h"

#include <getopt.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "device/gpu.h"
#include "input/numbers.h"
#include "machine/fault.h"

const char launch_help[] =
    "warpscope launch FILE.cu|FILE.ptx --grid X[,Y[,Z]] --block X[,Y[,Z]] [--arg ARG]... [options]\n"
    "\n"
    "Runs one CUDA kernel on an emulated GPU and says how it uses memory.\n"
    "\n"
    "  --kernel NAME     which one, by its mangled or demangled name; needed only where the file has several\n"
    "  --grid X[,Y[,Z]]  blocks in the grid\n"
    "  --block X[,Y[,Z]] threads in a block\n"
    "  --arg ARG         the kernel's next argument:\n"
    "      i32:V u32:V i64:V u64:V f32:V f64:V   a number (also i8 u8 i16 u16)\n"
    "      bytes:HEX                             a struct by value\n"
    "      buf:TYPE:COUNT[:FILL]                 a device buffer; TYPE is u8 i8 u16 i16 u32 i32 u64 i64 f32 f64\n"
    "        FILL: zero; iota (0, 1, 2, ...); random[:SEED] (splitmix64: integers over their whole range, floats\n"
    "        uniform in [-1, 1)); list:a,b,c; @FILE (raw, little-endian). Without FILL the buffer is uninitialised.\n"
    "  --shared BYTES    dynamic shared memory of a block\n"
    "  --cooperative     as with cudaLaunchCooperativeKernel: all blocks run together, this_grid().sync() works\n"
    "  --device NAME     the GPU to count for (default h200)\n"
    "  --l1 on|off       off: global loads bypass L1, as with -Xptxas -dlcm=cg\n"
    "  --joins on|off    off: accesses to shared memory and atomics are counted one by one, not as the assembler joins and "
    "combines them\n"
    "  --check all|none|strict  none: no search for " FAULTS_SEARCHED "; bounds are always checked. strict: by the\n"
    "                    letter of the rules: also what GPUs run through, such as threads that left before a barrier\n"
    "  --on-fault stop|report  report: the kernel goes on after what a real GPU runs through, and all of it is told: races,\n"
    "                    uninitialised reads, misused shuffles, accesses to the page behind a buffer (default stop: the "
    "first)\n"
    "  --cc nvcc|clang   the compiler (default: nvcc where there is one, else clang); -I DIR and -D NAME go to it\n"
    "  --arch sm_NN      what it compiles for, as nvcc's -arch (default sm_75)\n"
    "  --ptx FILE        the file's PTX as `warpscope compile` wrote it before, so that it is not compiled again\n"
    "  --json            print one JSON object; the kernel's printf goes to standard error\n"
    "  --pictures        with --json: the map, the figure and a sentence about each line, for editors\n"
    "  --format gcc|text gcc: what is wrong as lines FILE:LINE:COLUMN: error: TEXT, by which editors jump\n"
    "  --dump I=FILE     write argument I's buffer to FILE after the launch\n"
    "  --svg FILE        write a figure of the costliest access\n"
    "  --trace BLOCK     with --json: what the warps of this block (0 is the first) do, instruction by instruction\n"
    "  --threads N       host threads (default: all, but one for a small launch); counts do not depend on it\n"
    "  --schedule usual|worst|N  in which order warps and blocks run. worst: the last first, each handing over when it has\n"
    "                    read memory; N: drawn, the same for the same number. What comes out differently is a race\n"
    "  --max-steps N     what the launch may cost before it is ended: instructions of all warps, for each block as many as\n"
    "                    starting it takes, and for each line that an access needs beyond its first 1, or 3 where L1 has it "
    "not.\n"
    "                    Without it a launch may cost anything as long as blocks end: it is ended\n"
    "                    once one warp has run 268,435,456 instructions, or those that run together on an SM (in the whole\n"
    "                    grid, where blocks wait for each other) have, with no block ended. The same for any --threads\n"
    "  --on gpu|emulated gpu: run it on this computer's GPU and time it; nothing is counted or checked then\n"
    "  --repeat N        on the GPU: launches that are timed, alternating with a copy of as many bytes (default 20)\n"
    "  --moves BYTES     on the GPU: what each of those copies reads, and writes as much (default: half of all buffers)\n"
    "  --timeout N       on the GPU: seconds after which the launches are given up (default 60)\n"
    "  --opt 0..4        on the GPU: optimisation level of the driver's compiler (default 4)\n"
    "\n"
    "Exit status: 0 fine; 1 the kernel did something wrong; 2 wrong usage; 3 the file does not compile or parse.\n";

bool option_refused(int option, const char *word, const char *command, Diag *diag) {
    const char letter[] = {'-', (char)optopt, 0}; /* of several in one word, or of one whose word getopt has not passed yet */
    if (option == '?' && optopt > ' ' && optopt < 127) word = letter;
    diag_say(diag, option == ':' ? "option '%.200s' needs a value" : "unknown option '%.200s'", word);
    if (strncmp(word, "-O", 2) == 0) return diag_hint(diag, OPTIMISED);
    return diag_hint(diag, "warpscope %s --help lists the options", command);
}

static bool usage_error(Diag *diag, const char *option, const char *value, const char *wanted) {
    return diag_say(diag, "%s '%.200s' is not %s", option, value, wanted);
}

/* "X", "X,Y" or "X,Y,Z"; what is absent is 1. */
static bool parse_shape(const char *option, const char *text, uint32_t shape[3], Diag *diag) {
    const char *at = text;
    for (int i = 0; i < 3; i++) shape[i] = 1;
    for (int i = 0;; i++) {
        size_t length = strcspn(at, ",");
        uint64_t value = 0;
        if (i == 3 || !number_unsigned(at, length, UINT32_MAX, &value))
            return usage_error(diag, option, text, "of the form X[,Y[,Z]], such as 16,16");
        if (!value) {
            diag_say(diag, "%s '%.100s' has no %s: each dimension must be at least 1", option, text,
                     option[2] == 'g' ? "blocks" : "threads");
            return false;
        }
        shape[i] = (uint32_t)value;
        if (!at[length]) return true;
        at += length + 1;
    }
}

bool parse_number(const char *option, const char *text, uint64_t least, uint64_t most, uint64_t *value, Diag *diag) {
    if (number_unsigned(text, strlen(text), most, value) && *value >= least) return true;
    return diag_say(diag, "%s '%.200s' is not a whole number from %" PRIu64 " to %" PRIu64, option, text, least, most);
}

static bool parse_dump(LaunchOptions *options, const char *text, Diag *diag) {
    size_t length = strcspn(text, "=");
    Dump dump = {.path = text + length + 1};
    if (!text[length] || !text[length + 1] || !number_unsigned(text, length, UINT32_MAX, &dump.argument))
        return usage_error(diag, "--dump", text, "of the form I=FILE, where I counts the --arg from 0");
    ARENA_ADD(options->arena, options->dumps, options->n_dumps) = dump;
    return true;
}

static bool add_compile_word(LaunchOptions *options, const char *option) {
    ARENA_ADD(options->arena, options->compile_options, options->n_compile_options) = option;
    return true;
}

static void add_compile_option(LaunchOptions *options, char letter, const char *value) {
    char *option = arena_alloc(options->arena, strlen(value) + 3);
    sprintf(option, "-%c%s", letter, value);
    add_compile_word(options, option);
}

bool parse_choice(const char *option, const char *text, const char *yes, const char *no, bool *value, Diag *diag) {
    char wanted[40];
    snprintf(wanted, sizeof wanted, "'%s' or '%s'", yes, no);
    *value = strcmp(text, yes) == 0;
    return *value || strcmp(text, no) == 0 || usage_error(diag, option, text, wanted);
}

bool parse_schedule(const char *option, const char *text, Schedule *schedule, Diag *diag) {
    *schedule = (Schedule){.kind = strcmp(text, "worst") == 0 ? SCHEDULE_WORST : SCHEDULE_USUAL};
    schedule->late = strcmp(text, "late") == 0;
    if (schedule->late || schedule->kind == SCHEDULE_WORST || strcmp(text, "usual") == 0) return true;
    schedule->kind = SCHEDULE_DRAWN;
    return number_unsigned(text, strlen(text), UINT64_MAX, &schedule->seed) ||
           usage_error(diag, option, text, "'usual', 'worst', 'late' or a number");
}

/* A launch by itself has no host that could be too early. */
static bool parse_launch_schedule(const char *text, Schedule *schedule, Diag *diag) {
    if (!parse_schedule("--schedule", text, schedule, diag)) return false;
    if (!schedule->late) return true;
    diag_say(diag, "--schedule late is for whole programs, whose host code may be too early");
    return diag_hint(diag, "warpscope run --schedule late PROGRAM.cu");
}

bool parse_checks(const char *option, const char *text, bool *checks, bool *strict, Diag *diag) {
    *strict = strcmp(text, "strict") == 0;
    *checks = *strict || strcmp(text, "all") == 0;
    return *checks || strcmp(text, "none") == 0 || usage_error(diag, option, text, "'all', 'none' or 'strict'");
}

bool parse_compiler(const char *text, CompilerChoice *compiler, Diag *diag) {
    bool nvcc, good = parse_choice("--cc", text, "nvcc", "clang", &nvcc, diag);
    *compiler = nvcc ? COMPILER_NVCC : COMPILER_CLANG;
    return good;
}

/* As nvcc's option, which both compilers understand. */
static bool parse_arch(LaunchOptions *options, const char *text, Diag *diag) {
    uint64_t number;
    size_t length = strspn(text + (strncmp(text, "sm_", 3) == 0 ? 3 : 0), "0123456789");
    if (strncmp(text, "sm_", 3) != 0 || text[3 + length] || !number_unsigned(text + 3, length, 999, &number))
        return usage_error(diag, "--arch", text, "of the form sm_80");
    char *option = arena_alloc(options->arena, strlen(text) + sizeof "-arch=");
    sprintf(option, "-arch=%s", text);
    return add_compile_word(options, option);
}

bool parse_option(LaunchOptions *options, int option, const char *value, Diag *diag) {
    uint64_t number = 0;
    bool good = true;
    switch (option) {
    case OPTION_KERNEL: options->kernel = value; break;
    case OPTION_GRID: return parse_shape("--grid", value, options->grid, diag);
    case OPTION_BLOCK: return parse_shape("--block", value, options->block, diag);
    case OPTION_ARG: return arguments_add(&options->arguments, value, diag);
    case OPTION_SHARED:
        good = parse_number("--shared", value, 0, UINT32_MAX, &number, diag);
        options->shared_bytes = (uint32_t)number;
        break;
    case OPTION_DEVICE: options->device = value; break;
    case OPTION_L1: return parse_choice("--l1", value, "on", "off", &options->l1, diag);
    case OPTION_JOINS: return parse_choice("--joins", value, "on", "off", &options->joins, diag);
    case OPTION_CC: return parse_compiler(value, &options->source.compiler, diag);
    case OPTION_ARCH: return parse_arch(options, value, diag);
    case OPTION_PTX: options->ptx = value; break;
    case OPTION_JSON: options->json = true; break;
    case OPTION_PICTURES: options->pictures = true; break;
    case OPTION_FORMAT: return parse_choice("--format", value, "gcc", "text", &options->gcc, diag);
    case OPTION_DUMP: return parse_dump(options, value, diag);
    case OPTION_SVG: options->svg = value; break;
    case OPTION_TRACE: options->traced = true; return parse_number("--trace", value, 0, UINT64_MAX, &options->trace, diag);
    case OPTION_THREADS:
        good = parse_number("--threads", value, 1, THREADS_MOST, &number, diag);
        options->threads = (unsigned)number;
        break;
    case OPTION_MAX_STEPS: return parse_number("--max-steps", value, 1, UINT64_MAX, &options->max_steps, diag);
    case OPTION_CHECK: return parse_checks("--check", value, &options->checks, &options->strict, diag);
    case OPTION_ON_FAULT: return parse_choice("--on-fault", value, "report", "stop", &options->goes_on, diag);
    case OPTION_SCHEDULE: return parse_launch_schedule(value, &options->schedule, diag);
    case OPTION_ON: return parse_choice("--on", value, "gpu", "emulated", &options->on_gpu, diag);
    case OPTION_OPT: return parse_number("--opt", value, 0, 4, &options->optimization, diag);
    case OPTION_REPEAT: return parse_number("--repeat", value, 0, GPU_REPEATS_MOST, &options->repeats, diag);
    case OPTION_TIMEOUT: return parse_number("--timeout", value, 1, 86400, &options->timeout_s, diag);
    case OPTION_MOVES: return parse_number("--moves", value, 16, UINT64_C(1) << 40, &options->moves, diag);
    case OPTION_COOPERATIVE: options->cooperative = true; break;
    case OPTION_HELP: options->help = true; break;
    case 'I':
    case 'D': add_compile_option(options, (char)option, value); break;
    }
    return good;
}

/* What every launch needs. */
static bool options_complete(const LaunchOptions *options, Diag *diag) {
    if (!options->path) {
        diag_say(diag, "no file given");
        return diag_hint(diag, "warpscope launch FILE.cu --grid X --block X --arg ...; --help says more");
    }
    if (!options->grid[0] || !options->block[0]) {
        diag_say(diag, "%s is missing", options->grid[0] ? "--block" : "--grid");
        return diag_hint(diag, options->grid[0] ? "--block X[,Y[,Z]]: the threads of a block, such as --block 256"
                                                : "--grid X[,Y[,Z]]: the blocks of the grid, such as --grid 64");
    }
    if (options->gcc && (options->json || options->on_gpu))
        return diag_say(diag, "--format gcc goes neither with --json nor with --on gpu");
    uint64_t blocks = (uint64_t)options->grid[0] * options->grid[1] * options->grid[2];
    if (options->traced && (!options->json || options->on_gpu))
        return diag_say(diag, "--trace goes with --json on the emulated GPU alone");
    if (options->traced && options->trace >= blocks)
        return diag_say(diag, "--trace %" PRIu64 ": the grid has blocks 0 to %" PRIu64, options->trace, blocks - 1);
    for (size_t i = 0; i < options->n_dumps; i++) {
        uint64_t argument = options->dumps[i].argument;
        if (argument >= options->arguments.count)
            return diag_say(diag, "--dump %" PRIu64 "=%.150s: there is no argument %" PRIu64 ", only %zu given", argument,
                            options->dumps[i].path, argument, options->arguments.count);
        if (!options->arguments.items[argument].is_buffer)
            return diag_say(diag, "--dump %" PRIu64 "=%.150s: argument %" PRIu64 ", '%.100s', is no buffer", argument,
                            options->dumps[i].path, argument, options->arguments.items[argument].text);
    }
    return true;
}

bool options_parse(LaunchOptions *options, int argc, char **argv, Diag *diag) {
    static const struct option table[] = {{"kernel", 1, 0, OPTION_KERNEL},
                                          {"grid", 1, 0, OPTION_GRID},
                                          {"block", 1, 0, OPTION_BLOCK},
                                          {"arg", 1, 0, OPTION_ARG},
                                          {"shared", 1, 0, OPTION_SHARED},
                                          {"device", 1, 0, OPTION_DEVICE},
                                          {"l1", 1, 0, OPTION_L1},
                                          {"joins", 1, 0, OPTION_JOINS},
                                          {"cc", 1, 0, OPTION_CC},
                                          {"arch", 1, 0, OPTION_ARCH},
                                          {"ptx", 1, 0, OPTION_PTX},
                                          {"json", 0, 0, OPTION_JSON},
                                          {"pictures", 0, 0, OPTION_PICTURES},
                                          {"format", 1, 0, OPTION_FORMAT},
                                          {"dump", 1, 0, OPTION_DUMP},
                                          {"svg", 1, 0, OPTION_SVG},
                                          {"threads", 1, 0, OPTION_THREADS},
                                          {"trace", 1, 0, OPTION_TRACE},
                                          {"max-steps", 1, 0, OPTION_MAX_STEPS},
                                          {"check", 1, 0, OPTION_CHECK},
                                          {"cooperative", 0, 0, OPTION_COOPERATIVE},
                                          {"on", 1, 0, OPTION_ON},
                                          {"on-fault", 1, 0, OPTION_ON_FAULT},
                                          {"schedule", 1, 0, OPTION_SCHEDULE},
                                          {"opt", 1, 0, OPTION_OPT},
                                          {"repeat", 1, 0, OPTION_REPEAT},
                                          {"timeout", 1, 0, OPTION_TIMEOUT},
                                          {"moves", 1, 0, OPTION_MOVES},
                                          {"help", 0, 0, OPTION_HELP},
                                          {0}};
    opterr = 0;
    for (;;) {
        int option = getopt_long(argc, argv, "+:I:D:", table, NULL);
        if (option == ':' || option == '?') return option_refused(option, argv[optind - 1], "launch", diag);
        if (option != -1) {
            if (!parse_option(options, option, optarg, diag)) return false;
            continue;
        }
        if (optind >= argc) return options->help || options_complete(options, diag);
        if (options->path) return diag_say(diag, "one file at a time: '%.100s' and '%.100s'", options->path, argv[optind]);
        options->path = argv[optind++];
    }
}
