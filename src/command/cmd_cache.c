/* cmd_cache.c: `warpscope cache`: what is kept of earlier compilations; and, for grade/sandbox, the two halves of compile_cu for a compiler that runs
 * where it must not write there. */
#include <limits.h>
#include <stdio.h>
#include <string.h>

#include "command/command.h"
#include "cuda/find.h"
#include "cuda/home.h"
#include "cuda/options.h"
#include "cuda/ptxcache.h"

#define COMPILED_BY "// compiled by "

static const char cache_help[] =
    "warpscope cache [--clear]\n"
    "warpscope cache find FILE.cu NAME HEADERS [--cc nvcc|clang] [--arch sm_NN] [-D NAME]\n"
    "warpscope cache keep FILE.cu NAME HEADERS FILE.ptx MESSAGES [--cc nvcc|clang] [--arch sm_NN] [-D NAME]\n"
    "\n"
    "What is kept of earlier compilations, so that the same kernel is not compiled again: how many, of how many bytes, and "
    "how\n"
    "often something was found. It is found for the same bytes, options, compiler and headers alone, so that no result "
    "depends\n"
    "on it; files that include \"others\" are compiled each time, and whole programs as well. Our headers are kept\n"
    "too, as clang has read them, 3 to 5 MiB for each set of options. --clear removes all of it.\n"
    "\n"
    "It lies in $XDG_CACHE_HOME/warpscope, or ~/.cache/warpscope, and has at most 256 MiB, the oldest going first. It is used\n"
    "where nobody but you can write in that folder. WARPSCOPE_CACHE=off does without.\n"
    "\n"
    "find and keep serve the sandbox: FILE.cu was, or is to be, compiled there, where it is called NAME and our headers lie\n"
    "in HEADERS. find writes PTX as `warpscope compile` does, and what the compiler said to standard error; status 1: there\n"
    "is none.\n";

typedef struct SandboxCall {
    const char *words[5]; /* file, name, headers; for keep: PTX, messages */
    int count, takes;
    LaunchOptions options;
    CompileRequest compile;
    PtxcacheRequest request;
    char compiler[4096], headers[4096];
} SandboxCall;

static bool read_word(void *command, const char *option, const char *word, Diag *diag) {
    SandboxCall *call = command;
    (void)option;
    if (call->count == call->takes) return diag_say(diag, "it takes %d words, without '%.200s'", call->takes, word);
    call->words[call->count++] = word;
    return true;
}

static bool read_call(SandboxCall *call, int count, int argc, char **argv, Diag *diag) {
    static const OptionRow own_rows[] = {{"", OPTION_READS, .read = read_word}, {0}};
    call->takes = count;
    const OptionTable tables[] = {{own_rows, call, NULL}, {launch_rows, &call->options, "cc arch D"}, {0}};
    if (!options_read(tables, argc - 1, argv + 1, NULL, "cache", diag)) return false;
    call->compile = (CompileRequest){.compiler = call->options.source.compiler,
                                     .options = call->options.compile_options,
                                     .option_count = call->options.n_compile_options};
    return call->count == count || diag_say(diag, "cache %s takes %d words", argv[1], count);
}

/* False where there is no compiler, or nothing may be kept. */
static bool begin(SandboxCall *call, const char *program, PtxcacheEntry *entry) {
    CompilerChoice wanted = call->compile.compiler, used = wanted == COMPILER_CLANG ? COMPILER_CLANG : COMPILER_NVCC;
    bool found = find_compiler(used, call->compiler, sizeof call->compiler);
    if (!found && wanted == COMPILER_AUTO) {
        used = COMPILER_CLANG;
        found = find_compiler(used, call->compiler, sizeof call->compiler);
    }
    if (!home_headers(program, call->headers, sizeof call->headers)) return false;
    call->compile.path = call->words[0];
    call->compile.include_dir = call->headers;
    call->request = (PtxcacheRequest){.compile = &call->compile,
                                      .used = used,
                                      .compiler = call->compiler,
                                      .arch = compile_arch(&call->compile),
                                      .name = call->words[1],
                                      .headers = call->words[2]};
    return found && ptxcache_begin(entry, &call->request);
}

static int find(SandboxCall *call, const char *program) {
    PtxcacheEntry entry = {0};
    LOCAL_COMPILED result = {0};
    LOCAL_TEXT ptx = {0};
    int status = EXIT_FAULT;
    if (begin(call, program, &entry) && ptxcache_find(&entry, &result)) {
        text_add(&ptx, COMPILED_BY "%s\n%s", result.compiler, text_string(&result.ptx));
        fwrite(text_string(&result.messages), 1, result.messages.length, stderr);
        status = write_output(NULL, &ptx) ? EXIT_FINE : EXIT_USAGE;
    }
    ptxcache_end(&entry);
    return status;
}

static int keep(SandboxCall *call, const char *program, Diag *diag) {
    FREED char *ptx = read_text(call->words[3], diag), *messages = ptx ? read_text(call->words[4], diag) : NULL;
    PtxcacheEntry entry = {0};
    LOCAL_COMPILED result = {0};
    const char *line_end = ptx ? strchr(ptx, '\n') : NULL;
    bool fine = messages && line_end && strncmp(ptx, COMPILED_BY, strlen(COMPILED_BY)) == 0;
    if (fine && begin(call, program, &entry)) {
        const char *compiler = ptx + strlen(COMPILED_BY);
        snprintf(result.compiler, sizeof result.compiler, "%.*s", (int)(line_end - compiler), compiler);
        text_add(&result.ptx, "%s", line_end + 1);
        text_add(&result.messages, "%s", messages);
        ptxcache_keep(&entry, &result);
    }
    ptxcache_end(&entry);
    return fine ? EXIT_FINE : EXIT_USAGE;
}

static int say_totals(Diag *diag) {
    LOCAL_TEXT folder = {0};
    PtxcacheTotals totals;
    bool found = ptxcache_totals(&folder, &totals, diag);
    if (found) {
        printf("folder    %s\n", text_string(&folder));
        printf("kept      %llu, %.1f MiB of at most %llu\n", (unsigned long long)totals.entries,
               (double)totals.bytes / (1 << 20), (unsigned long long)PTXCACHE_BYTES >> 20);
        printf("found     %llu times\n", (unsigned long long)totals.hits);
        printf("compiled  %llu times, since nothing was kept of it\n", (unsigned long long)totals.misses);
        printf("          %llu times, since nothing may be: files that include others or ask for the time\n",
               (unsigned long long)totals.passed);
    }
    return found ? EXIT_FINE : EXIT_FAULT;
}

int command_cache(int argc, char **argv) {
    Diag diag = {0};
    SandboxCall call = {.options = {.arena = arena_new()}};
    const char *what = argc > 1 ? argv[1] : "";
    int status = EXIT_USAGE;
    if (is_help(what))
        status = print_help(cache_help);
    else if (argc == 1)
        status = say_totals(&diag);
    else if (argc == 2 && strcmp(what, "--clear") == 0)
        status = ptxcache_clear(&diag) ? EXIT_FINE : EXIT_FAULT;
    else if (strcmp(what, "find") == 0)
        status = read_call(&call, 3, argc, argv, &diag) ? find(&call, argv[0]) : EXIT_USAGE;
    else if (strcmp(what, "keep") == 0)
        status = read_call(&call, 5, argc, argv, &diag) ? keep(&call, argv[0], &diag) : EXIT_USAGE;
    else
        diag_say(&diag, "cache takes '--clear', or nothing, unlike '%.200s'", what);
    return end_command(status, &call.options, &diag);
}
