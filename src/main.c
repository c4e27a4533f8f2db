/* main.c: the warpscope command. Everything that is printed is printed here. */
#include <errno.h>
#include <getopt.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "device/device.h"
#include "lab/arguments.h"
#include "lab/numbers.h"
#include "lab/source.h"
#include "report/report.h"

#define VERSION "0.1"

enum { EXIT_FINE, EXIT_FAULT, EXIT_USAGE, EXIT_SOURCE };

/* --- messages ------------------------------------------------------------------------------------------------------------ */

static void print_diag(const Diag *diag) {
    Text text = {0};
    diag_format(diag, &text);
    fprintf(stderr, "%s%s", diag->file[0] ? "" : "warpscope: ", text_string(&text));
    text_free(&text);
}

/* --- launch: options ----------------------------------------------------------------------------------------------------- */

typedef struct Dump {
    uint64_t argument;
    const char *path;
} Dump;

typedef struct LaunchOptions {
    const char *path, *kernel, *device, *svg;
    uint32_t grid[3], block[3];
    uint32_t shared_bytes;
    bool l1, checks, json, help;
    unsigned threads;
    uint64_t max_steps;
    CompileRequest source;
    Arguments arguments;
    Arena *arena;
    Dump *dumps;
    size_t n_dumps, dump_capacity;
    const char **compile_options;
    size_t n_compile_options, compile_capacity;
} LaunchOptions;

enum {
    OPTION_KERNEL = 256,
    OPTION_GRID,
    OPTION_BLOCK,
    OPTION_ARG,
    OPTION_SHARED,
    OPTION_DEVICE,
    OPTION_L1,
    OPTION_CC,
    OPTION_JSON,
    OPTION_DUMP,
    OPTION_SVG,
    OPTION_THREADS,
    OPTION_MAX_STEPS,
    OPTION_CHECK,
    OPTION_HELP
};

static const char launch_help[] =
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
    "  --device NAME     the GPU to count for (default h200)\n"
    "  --l1 on|off       off: global loads go past L1, as with -Xptxas -dlcm=cg\n"
    "  --check all|none  none: no search for races and uninitialised memory; bounds are always checked\n"
    "  --cc nvcc|clang   the compiler (default: nvcc where there is one, else clang); -I DIR and -D NAME go to it\n"
    "  --json            print one JSON object; the kernel's printf goes to standard error\n"
    "  --dump I=FILE     write argument I's buffer to FILE after the launch\n"
    "  --svg FILE        write a figure of the costliest access\n"
    "  --threads N       host threads (default: all); results and counts do not depend on it\n"
    "  --max-steps N     instructions that one warp may run before the launch is ended\n"
    "\n"
    "Exit status: 0 fine; 1 the kernel did something wrong; 2 wrong usage; 3 the file does not compile or parse.\n";

static bool usage_error(Diag *diag, const char *option, const char *value, const char *wanted) {
    return diag_error(diag, NULL, 0, 0, "%s '%.200s' is not %s", option, value, wanted);
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
            diag_error(diag, NULL, 0, 0, "%s '%.100s' has no %s: every part must be at least 1", option, text,
                       option[2] == 'g' ? "blocks" : "threads");
            return false;
        }
        shape[i] = (uint32_t)value;
        if (!at[length]) return true;
        at += length + 1;
    }
}

static bool parse_number(const char *option, const char *text, uint64_t least, uint64_t most, uint64_t *value, Diag *diag) {
    if (number_unsigned(text, strlen(text), most, value) && *value >= least) return true;
    return diag_error(diag, NULL, 0, 0, "%s '%.200s' is not a whole number from %" PRIu64 " to %" PRIu64, option, text, least,
                      most);
}

static bool parse_dump(LaunchOptions *options, const char *text, Diag *diag) {
    size_t length = strcspn(text, "=");
    Dump dump = {.path = text + length + 1};
    if (!text[length] || !text[length + 1] || !number_unsigned(text, length, UINT32_MAX, &dump.argument))
        return usage_error(diag, "--dump", text, "of the form I=FILE, where I counts the --arg from 0");
    options->dumps = arena_grow(options->arena, options->dumps, options->n_dumps, &options->dump_capacity, sizeof dump);
    options->dumps[options->n_dumps++] = dump;
    return true;
}

static void add_compile_option(LaunchOptions *options, char letter, const char *value) {
    char *option = arena_alloc(options->arena, strlen(value) + 3);
    sprintf(option, "-%c%s", letter, value);
    options->compile_options = arena_grow(options->arena, options->compile_options, options->n_compile_options,
                                          &options->compile_capacity, sizeof *options->compile_options);
    options->compile_options[options->n_compile_options++] = option;
}

static bool parse_choice(const char *option, const char *text, const char *yes, const char *no, bool *value, Diag *diag) {
    char wanted[40];
    snprintf(wanted, sizeof wanted, "'%s' or '%s'", yes, no);
    *value = strcmp(text, yes) == 0;
    return *value || strcmp(text, no) == 0 || usage_error(diag, option, text, wanted);
}

static bool parse_option(LaunchOptions *options, int option, const char *value, Diag *diag) {
    uint64_t number = 0;
    bool good = true, nvcc;
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
    case OPTION_CC:
        good = parse_choice("--cc", value, "nvcc", "clang", &nvcc, diag);
        options->source.compiler = nvcc ? COMPILER_NVCC : COMPILER_CLANG;
        break;
    case OPTION_JSON: options->json = true; break;
    case OPTION_DUMP: return parse_dump(options, value, diag);
    case OPTION_SVG: options->svg = value; break;
    case OPTION_THREADS:
        good = parse_number("--threads", value, 1, 1024, &number, diag);
        options->threads = (unsigned)number;
        break;
    case OPTION_MAX_STEPS: return parse_number("--max-steps", value, 1, UINT64_MAX, &options->max_steps, diag);
    case OPTION_CHECK: return parse_choice("--check", value, "all", "none", &options->checks, diag);
    case OPTION_HELP: options->help = true; break;
    case 'I':
    case 'D': add_compile_option(options, (char)option, value); break;
    }
    return good;
}

/* What must be there before a launch can be thought of. */
static bool options_complete(const LaunchOptions *options, Diag *diag) {
    if (!options->path) {
        diag_error(diag, NULL, 0, 0, "no file given");
        return diag_hint(diag, "warpscope launch FILE.cu --grid X --block X --arg ...; --help says more");
    }
    if (!options->grid[0] || !options->block[0]) {
        diag_error(diag, NULL, 0, 0, "%s is missing", options->grid[0] ? "--block" : "--grid");
        return diag_hint(diag, options->grid[0] ? "--block X[,Y[,Z]]: the threads of a block, such as --block 256"
                                                : "--grid X[,Y[,Z]]: the blocks of the grid, such as --grid 64");
    }
    for (size_t i = 0; i < options->n_dumps; i++) {
        uint64_t argument = options->dumps[i].argument;
        if (argument >= options->arguments.count)
            return diag_error(diag, NULL, 0, 0, "--dump %" PRIu64 "=%.150s: there is no argument %" PRIu64 ", only %zu given",
                              argument, options->dumps[i].path, argument, options->arguments.count);
        if (!options->arguments.items[argument].is_buffer)
            return diag_error(diag, NULL, 0, 0, "--dump %" PRIu64 "=%.150s: argument %" PRIu64 ", '%.100s', is no buffer",
                              argument, options->dumps[i].path, argument, options->arguments.items[argument].text);
    }
    return true;
}

static bool options_parse(LaunchOptions *options, int argc, char **argv, Diag *diag) {
    static const struct option table[] = {{"kernel", 1, 0, OPTION_KERNEL},
                                          {"grid", 1, 0, OPTION_GRID},
                                          {"block", 1, 0, OPTION_BLOCK},
                                          {"arg", 1, 0, OPTION_ARG},
                                          {"shared", 1, 0, OPTION_SHARED},
                                          {"device", 1, 0, OPTION_DEVICE},
                                          {"l1", 1, 0, OPTION_L1},
                                          {"cc", 1, 0, OPTION_CC},
                                          {"json", 0, 0, OPTION_JSON},
                                          {"dump", 1, 0, OPTION_DUMP},
                                          {"svg", 1, 0, OPTION_SVG},
                                          {"threads", 1, 0, OPTION_THREADS},
                                          {"max-steps", 1, 0, OPTION_MAX_STEPS},
                                          {"check", 1, 0, OPTION_CHECK},
                                          {"help", 0, 0, OPTION_HELP},
                                          {0}};
    opterr = 0;
    for (;;) {
        int option = getopt_long(argc, argv, "+:I:D:", table, NULL);
        if (option == ':' || option == '?') {
            diag_error(diag, NULL, 0, 0, option == ':' ? "option '%.200s' needs a value" : "unknown option '%.200s'",
                       argv[optind - 1]);
            return diag_hint(diag, "warpscope launch --help lists the options");
        }
        if (option != -1) {
            if (!parse_option(options, option, optarg, diag)) return false;
            continue;
        }
        if (optind >= argc) return options->help || options_complete(options, diag);
        if (options->path)
            return diag_error(diag, NULL, 0, 0, "one file at a time: '%.100s' and '%.100s'", options->path, argv[optind]);
        options->path = argv[optind++];
    }
}

/* --- launch: the launch -------------------------------------------------------------------------------------------------- */

typedef struct Launch {
    const LaunchOptions *options;
    const Source *source;
    LaunchRequest request;
    Allocation **buffers;
    LaunchResult result;
} Launch;

/* One launch with buffers of its own, on `threads` host threads. */
static bool launch_once(Launch *launch, unsigned threads, Diag *diag) {
    LaunchRequest *request = &launch->request;
    const LaunchOptions *options = launch->options;
    uint8_t *params = arena_alloc(options->arena, request->kernel->param_bytes + 8);
    launch->buffers = ARENA_ARRAY(options->arena, Allocation *, request->kernel->n_params + 1);
    request->params = params;
    request->memory = memory_new();
    request->threads = threads;
    arguments_build(&options->arguments, request->program, request->kernel, request->memory, params, launch->buffers);
    return device_launch(request, &launch->result, diag);
}

static void launch_free(Launch *launch) {
    if (launch->result.owner) device_result_free(&launch->result);
    if (launch->request.memory) memory_free(launch->request.memory);
    launch->request.memory = NULL;
}

/* With several threads the fault that comes first depends on chance; with one it does not, so one thread has the last word. */
static bool launch_run(Launch *launch, Diag *diag) {
    if (!launch_once(launch, launch->options->threads, diag)) return false;
    if (launch->result.fault.kind == FAULT_none || launch->result.threads == 1) return true;
    launch_free(launch);
    launch->result = (LaunchResult){0};
    return launch_once(launch, 1, diag);
}

static bool launch_prepare(Launch *launch, Diag *diag) {
    const LaunchOptions *options = launch->options;
    const Program *program = launch->source->program;
    const Function *kernel = source_kernel(launch->source, options->kernel, diag);
    const Profile *profile = profile_find(options->device, diag);
    if (!kernel || !profile || !arguments_fit(&options->arguments, program, kernel, diag)) return false;
    launch->request = (LaunchRequest){
        .program = program,
        .kernel = kernel,
        .grid = {options->grid[0], options->grid[1], options->grid[2]},
        .block = {options->block[0], options->block[1], options->block[2]},
        .shared_bytes = options->shared_bytes,
        .profile = profile,
        .l1 = options->l1,
        .checks = options->checks,
        .max_steps = options->max_steps,
    };
    return true;
}

static bool write_file(const char *option, const char *path, const void *bytes, size_t count) {
    FILE *file = fopen(path, "wb");
    bool good = file && fwrite(bytes, 1, count, file) == count;
    int error = errno;
    if (file && fclose(file) != 0 && good) {
        good = false;
        error = errno;
    }
    if (!good) fprintf(stderr, "warpscope: %s: cannot write '%s': %s\n", option, path, strerror(error));
    return good;
}

static bool write_dumps(const Launch *launch) {
    const LaunchOptions *options = launch->options;
    for (size_t i = 0; i < options->n_dumps; i++) {
        const Allocation *buffer = launch->buffers[options->dumps[i].argument];
        if (!write_file("--dump", options->dumps[i].path, buffer->host, buffer->bytes)) return false;
    }
    return true;
}

static bool write_svg(const Report *report, const char *path) {
    const Sample *worst = report_worst(report);
    if (!worst) {
        fprintf(stderr, "warpscope: --svg: the kernel made no access that a figure could show; '%s' is not written\n", path);
        return true;
    }
    Text text = {0};
    report_svg(report, worst, &text);
    bool good = write_file("--svg", path, text_string(&text), text.length);
    text_free(&text);
    return good;
}

static bool flush_output(void) {
    if (fflush(stdout) == 0 && !ferror(stdout)) return true;
    fprintf(stderr, "warpscope: cannot write to standard output: %s\n", strerror(errno));
    return false;
}

static bool launch_report(const Launch *launch) {
    const LaunchOptions *options = launch->options;
    char *name = program_demangle(launch->request.kernel->name);
    Report report = {
        .request = &launch->request,
        .result = &launch->result,
        .kernel_name = name,
        .compiler = launch->source->is_ptx ? NULL : launch->source->compiled.compiler,
        .source_path = options->path,
        .source_text = launch->source->text,
    };
    const char *no_color = getenv("NO_COLOR");
    Text text = {0};
    if (options->json)
        report_json(&report, &text);
    else
        report_table(&report, isatty(STDOUT_FILENO) && !(no_color && *no_color), &text);
    fwrite(text_string(&launch->result.output), 1, launch->result.output.length, options->json ? stderr : stdout);
    fwrite(text_string(&text), 1, text.length, stdout);
    text_free(&text);
    bool good = flush_output();
    good = write_dumps(launch) && good;
    if (options->svg) good = write_svg(&report, options->svg) && good;
    free(name);
    return good;
}

static int launch_source(const LaunchOptions *options, const Source *source, Diag *diag) {
    Launch launch = {.options = options, .source = source};
    int status = EXIT_USAGE;
    if (launch_prepare(&launch, diag) && launch_run(&launch, diag)) {
        bool fine = launch.result.fault.kind == FAULT_none;
        status = !launch_report(&launch) ? EXIT_USAGE : fine ? EXIT_FINE : EXIT_FAULT;
    }
    launch_free(&launch);
    return status;
}

static void prepare_source(LaunchOptions *options, const char *program, char *include_dir, size_t size) {
    options->source.path = options->path;
    options->source.options = options->compile_options;
    options->source.option_count = options->n_compile_options;
    if (source_include_dir(program, include_dir, size)) options->source.include_dir = include_dir;
}

/* What the compiler wrote. */
static void print_messages(const LaunchOptions *options, const Source *source, Diag *diag) {
    const CompileResult *compiled = &source->compiled;
    fputs(text_string(&compiled->messages), stderr);
    if (!source->program && compiled->messages.length && !compiled->ptx.length && diag->line) {
        /* The compiler has said it all; diag would say its first error again. */
        fprintf(stderr, "warpscope: '%s' does not compile with %s\n", options->path, compiled->compiler);
        *diag = (Diag){0};
    }
}

static int launch_with(LaunchOptions *options, const char *program, Diag *diag) {
    char include_dir[4096];
    prepare_source(options, program, include_dir, sizeof include_dir);
    Source source = {0};
    int status = EXIT_USAGE;
    switch (source_load(&options->source, &source, diag)) {
    case SOURCE_GOOD: status = launch_source(options, &source, diag); break;
    case SOURCE_UNREADABLE: break;
    case SOURCE_WRONG: status = EXIT_SOURCE; break;
    }
    print_messages(options, &source, diag);
    source_free(&source);
    return status;
}

static int command_launch(int argc, char **argv) {
    LaunchOptions options = {.device = "h200", .l1 = true, .checks = true, .arguments = arguments_new(), .arena = arena_new()};
    Diag diag = {0};
    int status = EXIT_USAGE;
    if (options_parse(&options, argc, argv, &diag)) {
        if (options.help) {
            fputs(launch_help, stdout);
            status = flush_output() ? EXIT_FINE : EXIT_USAGE;
        } else {
            status = launch_with(&options, argv[0], &diag);
        }
    }
    if (diag.set) print_diag(&diag);
    arguments_free(&options.arguments);
    arena_free(options.arena);
    return status;
}

/* --- compile ------------------------------------------------------------------------------------------------------------- */

static const char compile_help[] =
    "warpscope compile FILE.cu [--cc nvcc|clang] [-o FILE.ptx] [-I DIR] [-D NAME]\n"
    "\n"
    "Writes the file's device code as PTX, to standard output without -o. Its first line names the compiler.\n";

static bool compile_parse(LaunchOptions *options, const char **output, int argc, char **argv, Diag *diag) {
    static const struct option table[] = {{"cc", 1, 0, OPTION_CC}, {"help", 0, 0, OPTION_HELP}, {0}};
    opterr = 0;
    for (;;) {
        int option = getopt_long(argc, argv, "+:I:D:o:", table, NULL);
        if (option == ':' || option == '?') {
            diag_error(diag, NULL, 0, 0, option == ':' ? "option '%.200s' needs a value" : "unknown option '%.200s'",
                       argv[optind - 1]);
            return diag_hint(diag, "warpscope compile --help lists the options");
        }
        if (option == -1 && optind >= argc) break;
        if (option == 'o')
            *output = optarg;
        else if (option == -1)
            options->path = argv[optind++];
        else if (!parse_option(options, option, optarg, diag))
            return false;
    }
    return options->path || options->help || diag_error(diag, NULL, 0, 0, "no file given");
}

static int command_compile(int argc, char **argv) {
    LaunchOptions options = {.arena = arena_new()};
    const char *output = NULL;
    Source source = {0};
    Diag diag = {0};
    Text ptx = {0};
    int status = EXIT_USAGE;
    char include_dir[4096];
    if (!compile_parse(&options, &output, argc, argv, &diag)) goto done;
    if (options.help) {
        fputs(compile_help, stdout);
        status = flush_output() ? EXIT_FINE : EXIT_USAGE;
        goto done;
    }
    prepare_source(&options, argv[0], include_dir, sizeof include_dir);
    SourceStatus loaded = source_load(&options.source, &source, &diag);
    print_messages(&options, &source, &diag);
    if (loaded != SOURCE_GOOD) {
        status = loaded == SOURCE_UNREADABLE ? EXIT_USAGE : EXIT_SOURCE;
        goto done;
    }
    text_add(&ptx, "// compiled by %s\n%s", source.is_ptx ? "?" : source.compiled.compiler,
             source.is_ptx ? source.text : text_string(&source.compiled.ptx));
    bool good = output ? write_file("-o", output, text_string(&ptx), ptx.length)
                       : fwrite(text_string(&ptx), 1, ptx.length, stdout) == ptx.length && flush_output();
    status = good ? EXIT_FINE : EXIT_USAGE;
done:
    if (diag.set) print_diag(&diag);
    text_free(&ptx);
    source_free(&source);
    arena_free(options.arena);
    return status;
}

/* --- commands ------------------------------------------------------------------------------------------------------------ */

static const struct {
    const char *name;
    int (*run)(int argc, char **argv); /* argv[0] is warpscope's, argv[1] the command's first word */
    const char *what;
} commands[] = {
    {"launch", command_launch, "run one kernel of a .cu or .ptx file and report its memory accesses"},
    {"compile", command_compile, "write the PTX of a .cu file"},
};

enum { COMMANDS = sizeof commands / sizeof *commands };

static void print_help(FILE *out) {
    fputs("warpscope COMMAND ...: CUDA kernels on an emulated GPU, every memory transaction counted\n\n", out);
    for (int i = 0; i < COMMANDS; i++) fprintf(out, "  warpscope %-8s %s\n", commands[i].name, commands[i].what);
    fputs("\nwarpscope COMMAND --help says more; warpscope --version says which one this is.\n", out);
}

int main(int argc, char **argv) {
    const char *name = argc > 1 ? argv[1] : "";
    if (strcmp(name, "--help") == 0 || strcmp(name, "-h") == 0 || strcmp(name, "help") == 0) {
        print_help(stdout);
        return flush_output() ? EXIT_FINE : EXIT_USAGE;
    }
    if (strcmp(name, "--version") == 0) {
        puts("warpscope " VERSION " (Thirty-Two)");
        return flush_output() ? EXIT_FINE : EXIT_USAGE;
    }
    for (int i = 0; i < COMMANDS; i++) {
        if (strcmp(name, commands[i].name) != 0) continue;
        argv[1] = argv[0];
        return commands[i].run(argc - 1, argv + 1);
    }
    if (*name) fprintf(stderr, "warpscope: unknown command '%s'\n\n", name);
    print_help(stderr);
    return EXIT_USAGE;
}
