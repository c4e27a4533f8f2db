/* cmd_launch.c: warpscope launch: one kernel, on the emulated device or on the real one. */
#include "command/cmd_launch.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "device/fifo.h"
#include "input/declared.h"
#include "report/faulttext.h"
#include "report/json.h"
#include "report/measured.h"
#include "report/object.h"
#include "report/problem.h"
#include "report/svg.h"
#include "report/table.h"

static bool write_dumps(const LaunchCommand *launch) {
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
    LOCAL_TEXT text = {0};
    report_svg(report, worst, &text);
    return write_file("--svg", path, text_string(&text), text.length);
}

static void say_lost(uint64_t prints) {
    LOCAL_TEXT what = {0};
    const char *hint;
    if (fifo_say(prints, FIFO_BYTES, &what, &hint)) fprintf(stderr, "warpscope: %s\n  hint: %s\n", text_string(&what), hint);
}

static bool launch_report(const LaunchCommand *launch) {
    const LaunchOptions *options = launch->options;
    FREED char *name = program_demangle(launch->request.launch.kernel->function->name);
    Report report = {
        .request = &launch->request,
        .result = &launch->result,
        .kernel_name = name,
        .compiler = source_compiler(launch->source),
        .source_path = options->path,
        .source_text = launch->source->text,
        .sources = sources_new(options->path, options->compile_options, options->n_compile_options),
        .pictured = options->pictures,
    };
    LOCAL_TEXT text = {0};
    if (options->json)
        report_json(&report, &text);
    else if (options->gcc)
        problem_faults(&report, &text), problem_lines(&report, &text);
    else
        report_table(&report, page_of(STDOUT_FILENO), &text);
    print_visible(&launch->result.output, options->json ? stderr : stdout);
    say_lost(launch->result.prints);
    fwrite(text_string(&text), 1, text.length, stdout);
    bool good = flush_output();
    good = write_dumps(launch) && good;
    if (options->svg) good = write_svg(&report, options->svg) && good;
    sources_free(report.sources);
    return good;
}

static bool gpu_report(const LaunchCommand *launch, const GpuRequest *asked, const GpuResult *result) {
    FREED char *name = program_demangle(launch->request.launch.kernel->function->name);
    MeasuredReport report = {.request = &launch->request,
                             .asked = asked,
                             .result = result,
                             .kernel_name = name,
                             .compiler = source_compiler(launch->source)};
    LOCAL_TEXT text = {0};
    if (launch->options->json)
        report_measured_json(&report, &text);
    else
        report_measured_table(&report, page_of(STDOUT_FILENO), &text);
    fwrite(text_string(&text), 1, text.length, stdout);
    return flush_output() && (result->fault.kind != FAULT_none || write_dumps(launch));
}

GpuRequest launch_on_gpu_request(const LaunchCommand *launch) {
    const LaunchOptions *options = launch->options;
    return (GpuRequest){.launch = &launch->request,
                        .ptx = source_ptx(launch->source),
                        .optimization = (int)options->optimization,
                        .warmup = options->repeats ? 3 : 0,
                        .repeats = (uint32_t)options->repeats,
                        .timeout_s = (unsigned)options->timeout_s,
                        .copy_bytes = (options->moves ? options->moves : options->arguments.buffer_bytes / 2) / 16 * 16};
}

static int launch_on_gpu(LaunchCommand *launch, Diag *diag) {
    const LaunchOptions *options = launch->options;
    if (options->cooperative) {
        diag_say(diag, "--cooperative with --on gpu: a real GPU is given ordinary launches only");
        diag_hint(diag, "leave out --on gpu: the emulated GPU runs and counts cooperative launches");
        return EXIT_USAGE;
    }
    launch_fill(launch);
    GpuRequest asked = launch_on_gpu_request(launch);
    Gpu *gpu = gpu_new();
    GpuResult result;
    int status = EXIT_USAGE;
    if (gpu_launch(gpu, &asked, &result, diag))
        status = !gpu_report(launch, &asked, &result) ? EXIT_USAGE : result.fault.kind == FAULT_none ? EXIT_FINE : EXIT_FAULT;
    gpu_free(gpu);
    return status;
}

/* Said before anything that may come of it. */
static void say_left_out(const char *path, const Source *source) {
    unsigned needed;
    uint32_t line = source->is_ptx ? 0 : declared_for_newer(source->text, source->program->target, &needed);
    if (!line) return;
    fprintf(stderr, "warpscope: %.60s:%u: left out, since it is compiled for sm_%u\n", text_last_name(path), line,
            source->program->target);
    fprintf(stderr, "  hint: --arch sm_%u compiles what needs it\n", needed);
}

static void settle(LaunchCommand *launch) {
    const Report report = {.request = &launch->request,
                           .result = &launch->result,
                           .source_path = launch->options->path,
                           .sources = sources_new(launch->options->path, NULL, 0)};
    faulttext_settle(&report, &launch->result.findings);
    sources_free(report.sources);
}

static int launch_source(const LaunchOptions *options, const Source *source, Diag *diag) {
    LaunchCommand launch = {.options = options, .source = source};
    int status = EXIT_USAGE;
    if (!launch_prepare(&launch, diag)) return status;
    say_left_out(options->path, source);
    if (options->on_gpu) {
        status = launch_on_gpu(&launch, diag);
    } else if (launch_run(&launch, diag)) {
        settle(&launch);
        bool fine = launch.result.fault.kind == FAULT_none && !launch.result.findings.count;
        status = !launch_report(&launch) ? EXIT_USAGE : fine ? EXIT_FINE : EXIT_FAULT;
    } else if (launch.result.refusal == REFUSAL_NOT_EMULATED) {
        status = EXIT_SOURCE;
    }
    launch_free(&launch);
    return status;
}

SourceStatus launch_load(const LaunchOptions *options, Source *source, Diag *diag) {
    if (options->ptx) return source_load_compiled(options->path, options->ptx, source, diag);
    return source_load(&options->source, source, diag);
}

/* Said before anything is compiled. */
static bool spares_source(const LaunchOptions *options, Diag *diag) {
    bool good =
        spares_input("--svg", options->svg, options->path, diag) && spares_input("--svg", options->svg, options->ptx, diag);
    for (size_t i = 0; good && i < options->n_dumps; i++)
        good = spares_input("--dump", options->dumps[i].path, options->path, diag) &&
               spares_input("--dump", options->dumps[i].path, options->ptx, diag);
    return good;
}

static int launch_with(LaunchOptions *options, const char *program, Diag *diag) {
    char include_dir[4096];
    prepare_source(options, program, include_dir, sizeof include_dir);
    LOCAL_SOURCE source = {0};
    int status = EXIT_USAGE;
    if (!spares_source(options, diag)) return status;
    switch (launch_load(options, &source, diag)) {
    case SOURCE_GOOD: status = launch_source(options, &source, diag); break;
    case SOURCE_UNREADABLE: break;
    case SOURCE_WRONG: status = EXIT_SOURCE; break;
    }
    print_messages(options, &source, diag);
    return status;
}

/* Who reads JSON is told there as well why there is none of a launch. */
static void print_error(const Diag *diag) {
    json_t *object = json_object();
    LOCAL_TEXT text = {0};
    object_set(object, "error", object_error(diag));
    object_print(object, 2, &text);
    fwrite(text_string(&text), 1, text.length, stdout);
}

int command_launch(int argc, char **argv) {
    LaunchOptions options = launch_defaults();
    Diag diag = {0};
    int status = EXIT_USAGE;
    if (options_parse(&options, argc, argv, &diag))
        status = options.help ? print_help(launch_help) : launch_with(&options, argv[0], &diag);
    if (diag.set && options.json) print_error(&diag);
    return end_command(status, &options, &diag);
}
