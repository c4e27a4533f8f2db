#include "cuda/compilation.h"

#include <errno.h>
#include <limits.h>
#include <signal.h>
#include <string.h>
#include <sys/resource.h>

#include "cuda/advice.h"
#include "cuda/door.h"
#include "cuda/find.h"
#include "cuda/folder.h"
#include "cuda/message.h"
#include "cuda/options.h"
#include "host/process.h"

#define SOURCE_LIMIT ((size_t)16 << 20) /* bytes; advice is given on no larger file */

Text compilation_file(const Compilation *compilation, const char *name) {
    return text_from("%s/%s", text_string(&compilation->temp_dir), name);
}

bool compilation_unable(Compilation *compilation) {
    compilation->result->unable = true;
    return false;
}

/* --- running the compiler --- */

static void advise(Compilation *compilation) {
    const char *path = compilation->request->path;
    FREED char *text = text_read_file(path, SOURCE_LIMIT, NULL);
    advice_add(compilation->diag, text_string(&compilation->result->messages), path, text);
}

/* Whether the programs that ran have used up the processor time that each may have: what the compiler says of one that was ended for it may be lost
 * among its messages. */
static bool lacked_time(const ProcessResult *run, unsigned *limit_s) {
    struct rlimit limit;
    *limit_s = COMPILE_PROCESSOR_S;
    if (getrlimit(RLIMIT_CPU, &limit) == 0 && limit.rlim_cur < *limit_s) *limit_s = (unsigned)limit.rlim_cur;
    return run->used_s >
           0.8 * *limit_s; /* Linux counts for the limit in ticks, and often ends a program before this sum has reached it */
}

/* Whether this process has a limit that ends what needs more, or the compiler was ended by one. */
static bool is_limited(int status) {
    static const int kinds[] = {RLIMIT_AS, RLIMIT_FSIZE, RLIMIT_DATA};
    struct rlimit limit;
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++)
        if (getrlimit(kinds[i], &limit) == 0 && limit.rlim_cur != RLIM_INFINITY) return true;
    return status == 128 + SIGXFSZ || status == 128 + SIGXCPU || status == 128 + SIGKILL;
}

static bool fail(Compilation *compilation, const ProcessResult *run) {
    const char *path = compilation->request->path;
    unsigned limit_s;
    if (run->error)
        return compilation_unable(compilation) ||
               diag_error(compilation->diag, path, 0, 0, "cannot start %s: %s", compilation->compiler, strerror(run->error));
    if (run->timed_out) {
        diag_error(compilation->diag, path, 0, 0, "%s needed more than %u s and was stopped", compilation->result->compiler,
                   compilation->timeout_s);
        return diag_hint(compilation->diag, "templates or initialisers that the compiler expands endlessly do this");
    }
    if (run->flooded) {
        diag_error(compilation->diag, path, 0, 0, "%s wrote more than %zu MiB of messages and was stopped",
                   compilation->result->compiler, COMPILE_FLOOD >> 20);
        return diag_hint(compilation->diag, "a file that includes itself does this");
    }
    if (lacked_time(run, &limit_s))
        return diag_error(compilation->diag, path, 0, 0, "%s needed more than %u s of processor time and was stopped",
                          compilation->result->compiler, limit_s);
    const char *at = text_string(&compilation->result->messages);
    if (run->status >= 128 || strstr(at, "PLEASE submit a bug report")) {
        diag_error(compilation->diag, path, 0, 0, "%s crashed", compilation->result->compiler);
        if (is_limited(run->status))
            return diag_hint(compilation->diag, "a limit may have ended it: ulimit -a shows this shell's");
        return diag_hint(compilation->diag, "another version of it may not; nor may a lower -std=");
    }
    if (message_first_error(at, compilation->diag)) {
        advise(compilation);
        return false;
    }
    if (run->status == 126 || run->status == 127)
        compilation_unable(compilation); /* of the system: it, or a part of it, does not start */
    return diag_error(compilation->diag, path, 0, 0, "%s failed with status %d", compilation->result->compiler, run->status);
}

bool compilation_run(Compilation *compilation, const Argv *command) {
    bool is_nvcc = compilation->result->used == COMPILER_NVCC;
    ProcessRequest request = {.argv = (const char *const *)command->words,
                              .temp_dir = text_string(&compilation->temp_dir),
                              .folder = is_nvcc && !door_takes_path(".") ? text_string(&compilation->temp_dir) : NULL,
                              .timeout_s = compilation->timeout_s,
                              .processor_s = COMPILE_PROCESSOR_S,
                              .output_limit = COMPILE_MESSAGES_LIMIT,
                              .flood = COMPILE_FLOOD};
    ProcessResult run;
    bool fine = door_run(compilation->result->used, &request, &run, compilation->diag);
    if (compilation->diag->set) return compilation_unable(compilation);
    aliases_resolve(&compilation->aliases, &run.output, false);
    text_add_bytes(&compilation->result->messages, text_string(&run.output), run.output.length);
    if (run.truncated) text_add(&compilation->result->messages, "\n(the rest of the compiler's messages was dropped)\n");
    text_free(&run.output);
    if (fine) return true;
    find_version(compilation->result->used, compilation->compiler, compilation->result->compiler,
                 sizeof compilation->result->compiler);
    return fail(compilation, &run);
}

char *compilation_read(Compilation *compilation, const char *path, size_t limit, size_t *length) {
    char *text = text_read_file(path, limit, length);
    if (text) return text;
    if (errno == EFBIG) {
        diag_error(compilation->diag, compilation->request->path, 0, 0, "compiles to more than %zu MiB", limit >> 20);
        diag_hint(compilation->diag, "large tables belong in a buffer that the host fills");
    } else {
        diag_error(compilation->diag, compilation->request->path, 0, 0, "the compiler's output cannot be read: %s",
                   text_file_problem(errno));
        compilation_unable(compilation);
    }
    return NULL;
}

bool compilation_keep_ptx(Compilation *compilation, const char *path) {
    size_t length;
    FREED char *ptx = compilation_read(compilation, path, COMPILE_PTX_LIMIT, &length);
    if (!ptx) return false;
    text_add_bytes(&compilation->result->ptx, ptx, length);
    aliases_resolve(&compilation->aliases, &compilation->result->ptx, true);
    return true;
}

/* --- beginning and end --- */

static bool choose_compiler(Compilation *compilation) {
    static const CompilerChoice choices[] = {COMPILER_NVCC, COMPILER_CLANG};
    CompilerChoice wanted = compilation->request->compiler;
    for (size_t i = 0; i < sizeof choices / sizeof *choices; i++) {
        if (wanted != COMPILER_AUTO && wanted != choices[i]) continue;
        if (!find_compiler(choices[i], compilation->compiler, sizeof compilation->compiler)) continue;
        compilation->result->used = choices[i];
        return true;
    }
    return find_failed(wanted, compilation->request->path, compilation->diag);
}

unsigned compile_arch(const CompileRequest *request) {
    return request->arch ? request->arch : options_arch(request->options, request->option_count, UINT_MAX, ARCH_OF_KERNELS);
}

bool compilation_begin(Compilation *compilation, const CompileRequest *request, CompileResult *result, Diag *diag) {
    *compilation = (Compilation){.request = request,
                                 .result = result,
                                 .diag = diag,
                                 .arch = compile_arch(request),
                                 .known_arch = compile_arch(request),
                                 .timeout_s = request->timeout_s ? request->timeout_s : COMPILE_TIMEOUT_S};
    if (!text_file_readable(request->path, COMPILE_SOURCE_LIMIT))
        return diag_error(diag, request->path, 0, 0, "%s", text_file_problem(errno));
    bool fine = (choose_compiler(compilation) && folder_make(&compilation->temp_dir, diag)) || compilation_unable(compilation);
    aliases_begin(&compilation->aliases, text_string(&compilation->temp_dir), result->used == COMPILER_NVCC);
    return fine;
}

void compilation_end(Compilation *compilation) {
    if (compilation->temp_dir.length > 0) folder_remove(text_string(&compilation->temp_dir));
    text_free(&compilation->temp_dir);
    aliases_end(&compilation->aliases);
}
