/* cmd_explore.c: warpscope explore: a launch as one page that a reader steps through; the engine is in the page. */
#include <inttypes.h>
#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "command/cmd_launch.h"
#include "explore/explorer_page.h"
#include "input/declared.h"
#include "input/words.h"

static const char explore_help[] =
    "warpscope explore FILE.cu|FILE.ptx --grid X[,Y[,Z]] --block X[,Y[,Z]] [--arg ARG]... -o PAGE.html|NAME.js [options]\n"
    "\n"
    "Writes one page that holds the kernel, its data and the emulator itself: any browser shows it without a network.\n"
    "In it you step through a warp instruction by instruction: source line, lanes and their values, sectors and lines\n"
    "of each request, banks of shared memory. It opens at the costliest access, or at the fault.\n"
    "\n"
    "  -o PAGE.html      where to write it\n"
    "  -o NAME.js        the same as a script, for a page of your own, which then has these two lines:\n"
    "                    <script src=\"NAME.js\"></script>\n"
    "                    <warp-explorer launch=\"NAME\"></warp-explorer>\n"
    "  --columns N,...   for each buffer in turn the columns of the matrix that it is, 0 for none: --columns 64,64\n"
    "\n"
    "Kernel, grid, block, arguments, --shared, --cooperative, --device, --l1, --check, --on-fault and the compiler's\n"
    "options are those of `warpscope launch`, which says more.\n"
    "\n"
    "Exit status: 0 written; 2 wrong usage; 3 the file does not compile or parse.\n";

typedef struct ExploreOptions {
    LaunchOptions launch;
    const char *output, *columns;
} ExploreOptions;

/* --- the options: its own beside those of launch ------------------------------------------------------------------------------- */

static const OptionRow own_rows[] = {
    OPTION_TEXT("o", ExploreOptions, output), OPTION_TEXT("columns", ExploreOptions, columns), {0}};

static bool check_own(const ExploreOptions *explore, Diag *diag) {
    const LaunchOptions *launch = &explore->launch;
    if (launch->json || launch->pictures || launch->svg || launch->gcc || launch->on_gpu || launch->traced || launch->n_dumps) {
        diag_say(diag,
                 "explore writes a page and nothing else: an option of launch that asks for other output does not go with it");
        return diag_hint(diag, "warpscope explore --help lists those that do");
    }
    if (explore->output)
        return spares_input("-o", explore->output, launch->path, diag) &&
               spares_input("-o", explore->output, launch->ptx, diag);
    diag_say(diag, "-o is missing: where should the page be written?");
    return diag_hint(diag, "-o page.html");
}

/* --- the words that the page gives to its engine ------------------------------------------------------------------------------- */

/* What --arg was given; a file's contents in its name's place. */
static void add_argument(const Argument *argument, Text *out) {
    const char *file = argument->is_buffer && argument->fill == FILL_BYTES ? strstr(argument->text, ":@") : NULL;
    text_add(out, " --arg %.*s", file ? (int)(file - argument->text) : (int)strlen(argument->text), argument->text);
    if (file) words_add_elements(argument->type, argument->count, argument->data, out);
}

static bool add_words(const LaunchOptions *options, const Function *kernel, Text *out, Diag *diag) {
    text_add(out, "--kernel %s --grid %u,%u,%u --block %u,%u,%u", kernel->name, options->grid[0], options->grid[1],
             options->grid[2], options->block[0], options->block[1], options->block[2]);
    if (options->cluster[0])
        text_add(out, " --cluster %u,%u,%u", options->cluster[0], options->cluster[1], options->cluster[2]);
    if (options->shared_bytes) text_add(out, " --shared %" PRIu64, options->shared_bytes);
    if (options->cooperative) text_add(out, " --cooperative");
    if (!options->checks) text_add(out, " --check none");
    if (options->strict) text_add(out, " --check strict");
    if (options->goes_on) text_add(out, " --on-fault report");
    if (options->max_steps) text_add(out, " --max-steps %" PRIu64, options->max_steps);
    for (size_t i = 0; i < options->arguments.count; i++) {
        const Argument *argument = &options->arguments.items[i];
        if (strpbrk(argument->text, " {}") && !strstr(argument->text, ":@"))
            return diag_say(diag, "--arg '%.100s': a page takes no blanks and braces in an argument", argument->text);
        add_argument(argument, out);
    }
    return true;
}

/* The buffers by the names of their parameters. */
static json_t *arrays_of(const ExploreOptions *explore, const Source *source, const Function *kernel) {
    const Arguments *arguments = &explore->launch.arguments;
    const char *columns = explore->columns ? explore->columns : "";
    json_t *arrays = json_array();
    FREED char *plain = program_plain_name(kernel->name);
    for (size_t i = 0; i < arguments->count; i++) {
        const Argument *argument = &arguments->items[i];
        char name[64];
        if (!argument->is_buffer) continue;
        if (!declared_parameter(source->text, plain, i, name, sizeof name)) snprintf(name, sizeof name, "argument %zu", i);
        json_array_append_new(arrays, json_pack("{sssisi}", "label", name, "size", (int)type_bytes[argument->type], "columns",
                                                (int)strtoul(columns, NULL, 10)));
        columns += strcspn(columns, ",");
        columns += *columns == ',';
    }
    return arrays;
}

/* NAME of FOLDER/NAME.js; empty: a page is to be written. */
static Text script_name(const char *output) {
    const char *name = text_last_name(output), *ending = strrchr(name, '.');
    if (!ending || ending == name || strcmp(ending, ".js") != 0) return (Text){0};
    return text_from("%.*s", (int)(ending - name), name);
}

static bool write_page(const ExploreOptions *explore, const char *program, const Source *source, const Function *kernel,
                       Diag *diag) {
    const LaunchOptions *options = &explore->launch;
    LOCAL_TEXT words = {0}, page = {0};
    FREED char *name = program_demangle(kernel->name);
    json_auto_t *arrays = arrays_of(explore, source, kernel);
    bool good = add_words(options, kernel, &words, diag);
    const ExplorePage written = {.program = program,
                                 .title = name,
                                 .path = options->path,
                                 .source = source,
                                 .words = text_string(&words),
                                 .device = options->device,
                                 .l1 = options->l1,
                                 .arrays = arrays};
    LOCAL_TEXT script = script_name(explore->output);
    good = good &&
           (script.length ? page_write_script(&written, text_string(&script), &page, diag) : page_write(&written, &page, diag));
    good = good && write_output(explore->output, &page);
    return good;
}

static int explore_with(ExploreOptions *explore, const char *program, Diag *diag) {
    char include_dir[4096];
    prepare_source(&explore->launch, program, include_dir, sizeof include_dir);
    LOCAL_SOURCE source = {0};
    int status = EXIT_USAGE;
    SourceStatus loaded = launch_load(&explore->launch, &source, diag);
    if (loaded == SOURCE_WRONG) status = EXIT_SOURCE;
    LaunchCommand launch = {.options = &explore->launch, .source = &source};
    if (loaded == SOURCE_GOOD && launch_prepare(&launch, diag) &&
        write_page(explore, program, &source, launch.request.launch.kernel->function, diag))
        status = EXIT_FINE;
    print_messages(&explore->launch, &source, diag);
    return status;
}

int command_explore(int argc, char **argv) {
    ExploreOptions explore = {.launch = launch_defaults()};
    Diag diag = {0};
    int status = EXIT_USAGE;
    const OptionTable tables[] = {{own_rows, &explore, NULL}, {launch_rows, &explore.launch, NULL}, {0}};
    if (options_read(tables, argc, argv, NULL, "explore", &diag) &&
        (explore.launch.help || options_complete(&explore.launch, &diag))) {
        if (explore.launch.help)
            status = print_help(explore_help);
        else if (check_own(&explore, &diag))
            status = explore_with(&explore, argv[0], &diag);
    }
    return end_command(status, &explore.launch, &diag);
}
