#include "explore/explore.h"

#include <stdlib.h>
#include <string.h>

#include "input/launch_command.h"
#include "report/faulttext.h"
#include "report/json.h"
#include "report/object.h"

#define BUFFER_BYTES_MOST (UINT64_C(128) << 20)
#define MACHINE_BYTES_MOST (UINT64_C(256) << 20)
#define EFFORT_MOST (UINT64_C(1) << 26) /* a few seconds in a page; --max-steps says otherwise */

static bool write_error(const Diag *diag, Text *out) {
    json_t *object = json_object();
    object_set(object, "error", object_error(diag));
    object_print(object, 0, out);
    return false;
}

static bool write_launch(LaunchCommand *launch, Text *out) {
    FREED char *name = program_demangle(launch->request.launch.kernel->function->name);
    Report report = {
        .request = &launch->request,
        .result = &launch->result,
        .kernel_name = name,
        .compiler = source_compiler(launch->source),
        .source_path = launch->options->path,
        .sources = sources_new(launch->options->path, NULL, 0),
        .pictured = launch->options->pictures,
    };
    faulttext_settle(&report, &launch->result.findings);
    json_t *printed = json_object();
    object_text(printed, "output", text_string(&launch->result.output));
    text_add(out, "{\"launch\":");
    report_json(&report, out);
    LOCAL_TEXT rest = {0};
    object_print(printed, 0, &rest);
    text_add(out, ",%s", text_string(&rest) + 1); /* its brace was the launch's */
    sources_free(report.sources);
    return true;
}

/* Options that need what a page does not have. */
static bool fits_a_page(const LaunchOptions *options, Diag *diag) {
    const char *option = options->on_gpu    ? "--on gpu"
                         : options->ptx     ? "--ptx"
                         : options->n_dumps ? "--dump"
                         : options->svg     ? "--svg"
                         : options->gcc     ? "--format gcc"
                         : options->help    ? "--help"
                                            : NULL;
    if (!option) return true;
    diag_say(diag, "%s has no place in an explorer", option);
    return diag_hint(diag, "an explorer runs one kernel on the emulated GPU and shows its JSON");
}

static bool launch_source(const LaunchOptions *options, const Source *source, Diag *diag, Text *out) {
    LaunchCommand launch = {.options = options, .source = source};
    bool good = launch_prepare(&launch, diag);
    launch.request.launch.max_bytes = MACHINE_BYTES_MOST;
    if (!options->max_steps) launch.request.launch.max_steps = launch.request.launch.max_effort = EFFORT_MOST;
    good = good && launch_run(&launch, diag) && write_launch(&launch, out);
    launch_free(&launch);
    return good;
}

bool explore_launch(const ExploreRequest *request, Text *out) {
    LaunchOptions options = launch_defaults();
    options.threads = 1;
    options.arguments.limit_bytes = BUFFER_BYTES_MOST;
    static char program[] = "launch", json[] = "--json";
    char **words = ARENA_ARRAY(options.arena, char *, (size_t)request->n_words + 4);
    words[0] = program;
    words[1] = json;
    words[2] = (char *)request->path;
    memcpy(words + 3, request->words, (size_t)request->n_words * sizeof *words);
    Source source = {0};
    Diag diag = {0};
    bool good = options_parse(&options, request->n_words + 3, words, &diag) && fits_a_page(&options, &diag) &&
                source_from_ptx(request->path, request->ptx, request->ptx_bytes, &source, &diag) &&
                launch_source(&options, &source, &diag, out);
    if (!good) write_error(&diag, out);
    source_free(&source);
    arguments_free(&options.arguments);
    arena_free(options.arena);
    return good;
}
