#include "command/command.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/visible.h"
#include "cuda/home.h"
#include "host/output.h"
#include "host/process.h"
#include "report/problem.h"

enum { TEXT_MOST = 64 << 20 };

void print_diag(const Diag *diag) {
    LOCAL_TEXT text = {0};
    diag_format(diag, &text);
    fprintf(stderr, "%s%s", diag->file[0] ? "" : "warpscope: ", text_string(&text));
}

void print_visible(const Text *text, FILE *file) {
    LOCAL_TEXT visible = {0};
    visible_add(&visible, text_string(text), text->length);
    fwrite(text_string(&visible), 1, visible.length, file);
}

bool is_help(const char *word) { return strcmp(word, "--help") == 0 || strcmp(word, "-h") == 0; }

int print_help(const char *text) {
    fputs(text, stdout);
    return flush_output() ? EXIT_FINE : EXIT_USAGE;
}

bool spares_input(const char *option, const char *output, const char *input, Diag *diag) {
    if (!output_is(output, input)) return true;
    diag_say(diag, "%s: '%.300s' would be written over, and it is read", option, output);
    return diag_hint(diag, "name another file");
}

bool write_file(const char *option, const char *path, const void *bytes, size_t count) {
    FILE *file = output_open(path);
    if (file) fwrite(bytes, 1, count, file);
    bool good = file && output_close(file);
    if (!good) fprintf(stderr, "warpscope: %s: cannot write '%s': %s\n", option, path, output_problem(errno));
    return good;
}

bool write_output(const char *path, const Text *text) {
    if (path) return write_file("-o", path, text_string(text), text->length);
    fwrite(text_string(text), 1, text->length, stdout);
    return flush_output();
}

bool flush_output(void) {
    if (fflush(stdout) == 0 && !ferror(stdout)) return true;
    fprintf(stderr, "warpscope: cannot write to standard output: %s\n", strerror(errno));
    return false;
}

int end_command(int status, LaunchOptions *options, const Diag *diag) {
    if (diag->set) print_diag(diag);
    arguments_free(&options->arguments);
    arena_free(options->arena);
    return status;
}

char *read_text(const char *path, Diag *diag) {
    size_t length = 0;
    char *text = text_read_file(path, TEXT_MOST, &length);
    if (!text) return diag_say(diag, "cannot read '%.300s': %s", path, text_file_problem(errno)), NULL;
    if (strlen(text) == length) return text;
    free(text);
    return diag_say(diag, "cannot read '%.300s': it has a NUL byte, and is no text", path), NULL;
}

void prepare_source(LaunchOptions *options, const char *program, char *include_dir, size_t size) {
    options->source.path = options->path;
    options->source.options = options->compile_options;
    options->source.option_count = options->n_compile_options;
    if (home_headers(program, include_dir, size)) options->source.include_dir = include_dir;
}

void print_messages(const LaunchOptions *options, const Source *source, Diag *diag) {
    const CompileResult *compiled = &source->compiled;
    LOCAL_TEXT problems = {0};
    if (options->gcc) problem_compiled(text_string(&compiled->messages), &problems);
    print_visible(options->gcc ? &problems : &compiled->messages, stderr);
    if (!source->program && compiled->messages.length && !compiled->ptx.length && diag->line) {
        /* The compiler has said it all; diag would say its first error again. */
        const Diag first = *diag;
        *diag = (Diag){0};
        diag_say(diag, "'%s' does not compile with %s", options->path, compiled->compiler);
        if (first.hint[0]) diag_hint(diag, "%s", first.hint);
    }
}

int run_program(const char *const *argv) {
    ProcessResult result;
    fflush(NULL);
    process_run(&(ProcessRequest){.argv = argv, .mode = PROCESS_FOREGROUND}, &result);
    if (!result.error) return result.status;
    fprintf(stderr, "warpscope: cannot start %s: %s\n", argv[0], strerror(result.error));
    return EXIT_UNSTARTED;
}

int become_program(const char *const *argv) {
    fflush(NULL);
    execv(argv[0], (char *const *)argv);
    fprintf(stderr, "warpscope: cannot start %s: %s\n", argv[0], strerror(errno));
    return EXIT_UNSTARTED;
}
