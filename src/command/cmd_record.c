/* cmd_record.c: warpscope record: a list of launches, one after the other, into one JSON file. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "base/alloc.h"
#include "command/cmd_launch.h"
#include "report/record.h"

static const char record_help[] =
    "warpscope record DEFINITIONS [--on gpu|emulated] [--device NAME] [--repeat N] [--counters FILE]\n"
    "                             [-o FILE]\n"
    "\n"
    "Makes the launches that a file lists and writes one JSON object of them all. A line of the file is\n"
    "  NAME: FILE.cu ARGUMENTS...           what `warpscope launch` is given\n"
    "  NAME: geam f32|f64 ROWS,COLS         a transpose by NVIDIA's library cuBLAS; on the GPU only\n"
    "or empty, or a comment that begins with #. Paths begin at the current folder.\n"
    "\n"
    "  --on gpu|emulated  where (default gpu)\n"
    "  --device NAME      the GPU to emulate (default h200)\n"
    "  --repeat N         on the GPU: launches that are timed, alternating with copies (default 30; 0: each once, untimed)\n"
    "  --counters FILE    what Nsight Compute wrote of such a run with --repeat 0; its counters go into the record\n"
    "  -o FILE            write there, not to standard output\n"
    "\n"
    "Exit status: 0 fine; 1 a launch failed: the others are written; 2 wrong usage, or no GPU.\n";

enum { WORDS_MOST = 64 };

typedef struct Recording {
    const char *program, *definitions, *counters_path, *output, *device;
    bool emulated;
    uint64_t repeats;
    Arena *arena;
    NcuRun counters;
    size_t next_counters; /* the launch that comes next in them */
    Gpu *gpu;
    Record *record;
    Source source; /* of source_path: lines of one file follow one another */
    char *source_path;
    uint8_t source_compiler;
    bool failed;
} Recording;

/* One line of the definitions, cut into words. */
typedef struct Line {
    uint32_t number;
    const char *name, *text; /* text: after the name's colon */
    char *words[WORDS_MOST + 1];
    int count;
} Line;

/* --- one run -------------------------------------------------------------------------------------------------------------- */

/* The file's source, compiled again unless the run before used the same. */
static const Source *source_of(Recording *recording, LaunchOptions *options, Diag *diag) {
    char include_dir[4096];
    bool same = recording->source_path && !options->n_compile_options && strcmp(recording->source_path, options->path) == 0 &&
                recording->source_compiler == (uint8_t)options->source.compiler;
    if (same) return &recording->source;
    source_free(&recording->source);
    recording->source = (Source){0};
    free(recording->source_path);
    recording->source_path = NULL;
    prepare_source(options, recording->program, include_dir, sizeof include_dir);
    SourceStatus status = launch_load(options, &recording->source, diag);
    print_messages(options, &recording->source, diag);
    if (status != SOURCE_GOOD) return NULL;
    if (!options->n_compile_options) recording->source_path = alloc_copy(options->path);
    recording->source_compiler = (uint8_t)options->source.compiler;
    recording->source.path = NULL; /* the request's, which goes with this run */
    return &recording->source;
}

/* The counters of the next launch of this kernel; NULL where there are none. */
static const NcuLaunch *counters_of(Recording *recording, const char *kernel) {
    size_t at = recording->next_counters;
    if (at >= recording->counters.count || strcmp(recording->counters.launches[at].kernel, kernel) != 0) return NULL;
    recording->next_counters++;
    return &recording->counters.launches[at];
}

static bool measure(Recording *recording, LaunchCommand *launch, const RecordedRun *run, const char *kernel_name, Diag *diag) {
    GpuResult result;
    launch_fill(launch);
    GpuRequest asked = launch_on_gpu_request(launch);
    asked.repeats = (uint32_t)recording->repeats;
    asked.warmup = asked.repeats ? 3 : 0;
    asked.discard = true;
    const NcuLaunch *counters = counters_of(recording, launch->request.launch.kernel->function->name);
    if (!gpu_launch(recording->gpu, &asked, &result, diag)) return false;
    if (result.fault.kind != FAULT_none) return diag_say(diag, "%s", result.fault.message);
    MeasuredReport report = {.request = &launch->request,
                             .asked = &asked,
                             .result = &result,
                             .kernel_name = kernel_name,
                             .compiler = source_compiler(launch->source)};
    record_measured(recording->record, run, &report, counters);
    return true;
}

static bool emulate(Recording *recording, LaunchCommand *launch, const RecordedRun *run, const char *kernel_name, Diag *diag) {
    if (!launch_run(launch, diag)) return false;
    if (launch->result.fault.kind != FAULT_none) return diag_say(diag, "%s", launch->result.fault.message);
    Report report = {.request = &launch->request,
                     .result = &launch->result,
                     .kernel_name = kernel_name,
                     .compiler = source_compiler(launch->source)};
    record_emulated(recording->record, run, &report);
    return true;
}

static bool run_kernel(Recording *recording, Line *line, LaunchOptions *options, Diag *diag) {
    line->words[0] = (char *)recording->program;
    options->checks = false;
    if (!options_parse(options, line->count, line->words, diag)) return false;
    const char *arguments = strstr(line->text, options->path);
    RecordedRun run = {line->name, options->path, arguments + strlen(options->path)};
    run.arguments += strspn(run.arguments, " ");
    if (options->dumps || options->svg || options->json || options->help)
        return diag_say(diag, "--dump, --svg, --json and --help have no place in a record");
    const Source *source = source_of(recording, options, diag);
    if (!source) return false;
    LaunchCommand launch = {.options = options, .source = source};
    if (!launch_prepare(&launch, diag)) return false;
    FREED char *name = program_demangle(launch.request.launch.kernel->function->name);
    bool good =
        recording->emulated ? emulate(recording, &launch, &run, name, diag) : measure(recording, &launch, &run, name, diag);
    launch_free(&launch);
    return good;
}

static bool run_geam(Recording *recording, const Line *line, Diag *diag) {
    GpuGeam geam = {0};
    GpuResult result;
    char end;
    bool f64 = line->count > 2 && strcmp(line->words[2], "f64") == 0;
    if (line->count != 4 || (!f64 && strcmp(line->words[2], "f32") != 0) ||
        sscanf(line->words[3], "%" SCNu32 ",%" SCNu32 "%c", &geam.rows, &geam.cols, &end) != 2)
        return diag_say(diag, "'%.100s' is not of the form geam f32|f64 ROWS,COLS", line->text);
    /* Counters are those of our own kernels only. */
    if (recording->emulated || !recording->repeats) return true;
    geam.element_bytes = f64 ? sizeof(double) : sizeof(float);
    if (!gpu_geam(recording->gpu, &geam, (uint32_t)recording->repeats, &result, diag)) return false;
    if (result.fault.kind != FAULT_none) return diag_say(diag, "%s", result.fault.message);
    record_geam(recording->record, &(RecordedRun){line->name, "cuBLAS", line->text}, &geam, (uint32_t)recording->repeats,
                &result);
    return true;
}

static void run_line(Recording *recording, Line *line) {
    LaunchOptions options = launch_defaults();
    if (recording->device) options.device = recording->device;
    Diag diag = {0};
    bool geam = strcmp(line->words[1], "geam") == 0;
    if (geam ? run_geam(recording, line, &diag) : run_kernel(recording, line, &options, &diag)) {
        fprintf(stderr, "  %s\n", line->name);
    } else {
        fprintf(stderr, "warpscope: %s:%u: %s: %s%s%s%s%s\n", recording->definitions, line->number, line->name, diag.file,
                diag.file[0] ? ": " : "", diag.set ? diag.message : "it does not compile", diag.hint[0] ? "; " : "", diag.hint);
        recording->failed = true;
    }
    arguments_free(&options.arguments);
    arena_free(options.arena);
}

/* --- the list ------------------------------------------------------------------------------------------------------------- */

/* Cuts a line, which it may write to. False for an empty line or a comment. */
static bool cut_line(char *text, Arena *arena, Line *line) {
    text += strspn(text, " \t");
    char *colon = strchr(text, ':');
    if (!*text || *text == '#') return false;
    line->name = text;
    line->text = "";
    line->count = 1;
    if (!colon || strcspn(text, " \t") < (size_t)(colon - text)) return true; /* no name: no words */
    *colon++ = 0;
    colon += strspn(colon, " \t");
    line->text = arena_copy(arena, colon, strlen(colon));
    for (char *word = strtok(colon, " \t\r"); word && line->count < WORDS_MOST; word = strtok(NULL, " \t\r"))
        line->words[line->count++] = word;
    line->words[line->count] = NULL;
    return true;
}

/* One that JSON can have as it is. */
static bool is_name(const char *name) {
    while (*name > ' ' && *name < 0x7f) name++;
    return !*name;
}

/* Stops at a line that is not a definition. */
static bool run_list(Recording *recording, char *text, Diag *diag) {
    uint32_t number = 1;
    for (char *at = text, *next; at; at = next, number++) {
        next = strchr(at, '\n');
        if (next) *next++ = 0;
        Line line = {.number = number};
        if (!cut_line(at, recording->arena, &line)) continue;
        if (!is_name(line.name))
            return diag_error(diag, recording->definitions, number, 1,
                              "the name of a run is of printable signs of ASCII alone");
        if (line.count == WORDS_MOST)
            return diag_error(diag, recording->definitions, number, 1, "%s has more than %d words", line.name, WORDS_MOST - 2);
        if (line.count < 2) {
            diag_error(diag, recording->definitions, number, 1, "this does not define a run");
            return diag_hint(diag, "write it as NAME: FILE.cu ARGUMENTS...; a comment begins with #");
        }
        run_line(recording, &line);
    }
    return true;
}

static bool read_definitions(void *command, const char *option, const char *path, Diag *diag) {
    Recording *recording = command;
    (void)option;
    if (recording->definitions)
        return diag_say(diag, "one list at a time: '%.100s' and '%.100s'", recording->definitions, path);
    recording->definitions = path;
    return true;
}

static bool parse(Recording *recording, int argc, char **argv, bool *help, Diag *diag) {
    static const OptionRow own_rows[] = {OPTION_TEXT("o", Recording, output),
                                         OPTION_TEXT("counters", Recording, counters_path),
                                         {"", OPTION_READS, .read = read_definitions},
                                         {0}};
    LaunchOptions options = {.repeats = 30, .on_gpu = true};
    const OptionTable tables[] = {{own_rows, recording, NULL}, {launch_rows, &options, "on device repeat help"}, {0}};
    if (!options_read(tables, argc, argv, NULL, "record", diag)) return false;
    recording->emulated = !options.on_gpu;
    recording->device = options.device;
    recording->repeats = options.repeats;
    *help = options.help;
    if (!recording->definitions) return options.help || diag_say(diag, "no list of launches given");
    return spares_input("-o", recording->output, recording->definitions, diag) &&
           spares_input("-o", recording->output, recording->counters_path, diag);
}

/* Writes what there is; the date is today's for a real device. */
static int write_record(Recording *recording) {
    LOCAL_TEXT text = {0};
    char date[16];
    time_t now = time(NULL);
    struct tm parts;
    strftime(date, sizeof date, "%Y-%m-%d", gmtime_r(&now, &parts));
    record_end(recording->record, recording->emulated ? NULL : date, &text);
    bool good = write_output(recording->output, &text);
    return !good ? EXIT_USAGE : recording->failed ? EXIT_FAULT : EXIT_FINE;
}

static bool read_counters(Recording *recording, Diag *diag) {
    if (!recording->counters_path) return true;
    FREED char *text = read_text(recording->counters_path, diag);
    return text && ncu_parse(text, recording->arena, &recording->counters, diag);
}

static int record_all(Recording *recording, Diag *diag) {
    GpuInfo info;
    int status = EXIT_USAGE;
    FREED char *text = read_text(recording->definitions, diag);
    recording->gpu = gpu_new();
    if (text && read_counters(recording, diag) && (recording->emulated || gpu_probe(recording->gpu, &info, diag))) {
        recording->record = record_new();
        bool whole = run_list(recording, text, diag);
        status = write_record(recording);
        if (!whole) status = EXIT_USAGE;
    }
    gpu_free(recording->gpu);
    source_free(&recording->source);
    free(recording->source_path);
    return status;
}

int command_record(int argc, char **argv) {
    Recording recording = {.program = argv[0], .arena = arena_new()};
    Diag diag = {0};
    bool help = false;
    int status = EXIT_USAGE;
    if (parse(&recording, argc, argv, &help, &diag)) status = help ? print_help(record_help) : record_all(&recording, &diag);
    if (diag.set) print_diag(&diag);
    arena_free(recording.arena);
    return status;
}
