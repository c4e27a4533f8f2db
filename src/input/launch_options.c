#include "input/launch_options.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "cuda/options.h"
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
    "      tmap:TYPE:WxH...[:box=WxH...][:step=WxH...][:swizzle=32|64|128][:outside=nan][:of=I][:FILL]\n"
    "        a tensor map of 1 to 5 dimensions, the innermost first, over a buffer of its own or argument I's; TYPE is\n"
    "        u8 u16 u32 i32 u64 i64 f32 f64, or f16 or bf16, which are filled as u16\n"
    "  --cluster X[,Y[,Z]]  blocks of a cluster, as with cudaLaunchKernelEx; kernels with __cluster_dims__ need none\n"
    "  --shared BYTES    dynamic shared memory of a block\n"
    "  --cooperative     as with cudaLaunchCooperativeKernel: all blocks run together, this_grid().sync() works\n"
    "  --device NAME     the GPU to count for (default h200)\n"
    "  --l1 on|off       off: global loads bypass L1, as with -Xptxas -dlcm=cg\n"
    "  --joins on|off    off: accesses are counted as they are written, not as the assembler joins and combines those to\n"
    "                    shared memory and atomics, and loads only what is used\n"
    "  --check all|none|strict  none: no search for " FAULTS_SEARCHED "; bounds are always checked. strict: by the\n"
    "                    letter of the rules: also what GPUs run through, such as threads that left before a barrier\n"
    "  --on-fault stop|report  report: the kernel goes on after what a real GPU runs through, and all of it is told: races,\n"
    "                    uninitialised reads, misused shuffles, accesses to the page behind a buffer (default stop: the "
    "first)\n"
    "  --cc nvcc|clang   the compiler (default: nvcc where there is one, else clang); -I DIR and -D NAME go to it\n"
    "  --arch sm_NN      what it compiles for, as nvcc's -arch (default " KERNELS_ARCH ")\n"
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
    "                    Without it starting all blocks may cost 1,073,741,824 (48 million blocks of one warp), and a\n"
    "                    launch anything else as long as blocks end: it is ended\n"
    "                    once one warp has run 268,435,456 instructions, or those that run together on an SM (in the whole\n"
    "                    grid, where blocks wait for each other) have, with no block ended. The same for any --threads\n"
    "  --on gpu|emulated gpu: run it on this computer's GPU and time it; nothing is counted or checked then\n"
    "  --repeat N        on the GPU: launches that are timed, alternating with a copy of as many bytes (default 20)\n"
    "  --moves BYTES     on the GPU: what each of those copies reads, and writes as much (default: half of all buffers)\n"
    "  --timeout N       on the GPU: seconds after which the launches are given up (default 60)\n"
    "  --opt 0..4        on the GPU: optimisation level of the driver's compiler (default 4)\n"
    "\n"
    "Exit status: 0 fine; 1 the kernel did something wrong; 2 wrong usage; 3 the file does not compile or parse.\n";

static bool usage_error(Diag *diag, const char *option, const char *value, const char *wanted) {
    return diag_say(diag, "%s '%.200s' is not %s", option, value, wanted);
}

/* "X", "X,Y" or "X,Y,Z"; what is absent is 1. */
static bool read_shape(void *command, const char *option, const char *text, Diag *diag) {
    LaunchOptions *options = command;
    const char *at = text;
    uint32_t *shape = option[2] == 'g' ? options->grid : option[2] == 'c' ? options->cluster : options->block;
    for (int i = 0; i < 3; i++) shape[i] = 1;
    for (int i = 0;; i++) {
        size_t length = strcspn(at, ",");
        uint64_t value = 0;
        if (i == 3 || !number_unsigned(at, length, UINT32_MAX, &value))
            return usage_error(diag, option, text, "of the form X[,Y[,Z]], such as 16,16");
        if (!value)
            return diag_say(diag, "%s '%.100s' has no %s: each dimension must be at least 1", option, text,
                            option[2] == 'b' ? "threads" : "blocks");
        shape[i] = (uint32_t)value;
        if (!at[length]) return true;
        at += length + 1;
    }
}

static bool read_argument(void *command, const char *option, const char *text, Diag *diag) {
    (void)option;
    return arguments_add(&((LaunchOptions *)command)->arguments, text, diag);
}

static bool read_dump(void *command, const char *option, const char *text, Diag *diag) {
    LaunchOptions *options = command;
    size_t length = strcspn(text, "=");
    Dump dump = {.path = text + length + 1};
    if (!text[length] || !text[length + 1] || !number_unsigned(text, length, UINT32_MAX, &dump.argument))
        return usage_error(diag, option, text, "of the form I=FILE, where I counts the --arg from 0");
    ARENA_ADD(options->arena, options->dumps, options->n_dumps) = dump;
    return true;
}

/* One that the compilers have as well, as they take it: -I and -D. */
static bool read_compile_option(void *command, const char *option, const char *value, Diag *diag) {
    LaunchOptions *options = command;
    LOCAL_TEXT word = text_from("%s%s", option, value);
    (void)diag;
    ARENA_ADD(options->arena, options->compile_options, options->n_compile_options) =
        arena_copy(options->arena, word.data, word.length);
    return true;
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
static bool read_schedule(void *command, const char *option, const char *text, Diag *diag) {
    Schedule *schedule = &((LaunchOptions *)command)->schedule;
    if (!parse_schedule(option, text, schedule, diag)) return false;
    if (!schedule->late) return true;
    diag_say(diag, "--schedule late is for whole programs, whose host code may be too early");
    return diag_hint(diag, "warpscope run --schedule late PROGRAM.cu");
}

bool parse_checks(const char *option, const char *text, bool *checks, bool *strict, Diag *diag) {
    *strict = strcmp(text, "strict") == 0;
    *checks = *strict || strcmp(text, "all") == 0;
    return *checks || strcmp(text, "none") == 0 || usage_error(diag, option, text, "'all', 'none' or 'strict'");
}

static bool read_checks(void *command, const char *option, const char *text, Diag *diag) {
    LaunchOptions *options = command;
    return parse_checks(option, text, &options->checks, &options->strict, diag);
}

bool parse_compiler(const char *text, CompilerChoice *compiler, Diag *diag) {
    bool nvcc, good = parse_choice("--cc", text, "nvcc", "clang", &nvcc, diag);
    *compiler = nvcc ? COMPILER_NVCC : COMPILER_CLANG;
    return good;
}

static bool read_compiler(void *command, const char *option, const char *text, Diag *diag) {
    (void)option;
    return parse_compiler(text, &((LaunchOptions *)command)->source.compiler, diag);
}

/* As nvcc's option, which both compilers understand. */
static bool read_arch(void *command, const char *option, const char *text, Diag *diag) {
    uint64_t number;
    size_t length = strspn(text + (strncmp(text, "sm_", 3) == 0 ? 3 : 0), "0123456789");
    if (strncmp(text, "sm_", 3) != 0 || text[3 + length] || !number_unsigned(text + 3, length, 999, &number))
        return usage_error(diag, option, text, "of the form sm_80");
    return read_compile_option(command, "-arch=", text, diag);
}

static bool read_trace(void *command, const char *option, const char *text, Diag *diag) {
    LaunchOptions *options = command;
    options->traced = true;
    return parse_number(option, text, 0, UINT64_MAX, &options->trace, diag);
}

static bool read_path(void *command, const char *option, const char *text, Diag *diag) {
    LaunchOptions *options = command;
    (void)option;
    if (options->path) return diag_say(diag, "one file at a time: '%.100s' and '%.100s'", options->path, text);
    options->path = text;
    return true;
}

const OptionRow launch_rows[] = {OPTION_TEXT("kernel", LaunchOptions, kernel),
                                 {"grid", OPTION_READS, .read = read_shape},
                                 {"block", OPTION_READS, .read = read_shape},
                                 {"cluster", OPTION_READS, .read = read_shape},
                                 {"arg", OPTION_READS, .read = read_argument},
                                 OPTION_NUMBER("shared", LaunchOptions, shared_bytes, 0, UINT32_MAX),
                                 OPTION_TEXT("device", LaunchOptions, device),
                                 OPTION_CHOICE("l1", LaunchOptions, l1, "on", "off"),
                                 OPTION_CHOICE("joins", LaunchOptions, joins, "on", "off"),
                                 {"cc", OPTION_READS, .read = read_compiler},
                                 {"arch", OPTION_READS, .read = read_arch},
                                 OPTION_TEXT("ptx", LaunchOptions, ptx),
                                 OPTION_SET("json", LaunchOptions, json),
                                 OPTION_SET("pictures", LaunchOptions, pictures),
                                 OPTION_CHOICE("format", LaunchOptions, gcc, "gcc", "text"),
                                 {"dump", OPTION_READS, .read = read_dump},
                                 OPTION_TEXT("svg", LaunchOptions, svg),
                                 OPTION_NUMBER("threads", LaunchOptions, threads, 1, THREADS_MOST),
                                 {"trace", OPTION_READS, .read = read_trace},
                                 OPTION_NUMBER("max-steps", LaunchOptions, max_steps, 1, UINT64_MAX),
                                 {"check", OPTION_READS, .read = read_checks},
                                 OPTION_SET("cooperative", LaunchOptions, cooperative),
                                 OPTION_CHOICE("on", LaunchOptions, on_gpu, "gpu", "emulated"),
                                 OPTION_CHOICE("on-fault", LaunchOptions, goes_on, "report", "stop"),
                                 {"schedule", OPTION_READS, .read = read_schedule},
                                 OPTION_NUMBER("opt", LaunchOptions, optimization, 0, 4),
                                 OPTION_NUMBER("repeat", LaunchOptions, repeats, 0, GPU_REPEATS_MOST),
                                 OPTION_NUMBER("timeout", LaunchOptions, timeout_s, 1, 86400),
                                 OPTION_NUMBER("moves", LaunchOptions, moves, 16, UINT64_C(1) << 40),
                                 OPTION_SET("help", LaunchOptions, help),
                                 {"I", OPTION_READS, .read = read_compile_option},
                                 {"D", OPTION_READS, .read = read_compile_option},
                                 {"", OPTION_READS, .read = read_path},
                                 {0}};

bool options_complete(const LaunchOptions *options, Diag *diag) {
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
    return options_read((OptionTable[]){{launch_rows, options, NULL}, {0}}, argc, argv, NULL, "launch", diag) &&
           (options->help || options_complete(options, diag));
}
