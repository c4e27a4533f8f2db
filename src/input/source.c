#include "input/source.h"

#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static bool is_cuda_name(const char *path) {
    static const char *const endings[] = {".cu", ".cuh", ".cpp", ".cc", ".cxx", ".c", ".h", ".hpp"};
    for (size_t i = 0; i < sizeof endings / sizeof *endings; i++)
        if (text_ends(path, endings[i])) return true;
    return false;
}

/* Reads the file's text. */
static SourceStatus read_input(Source *source, size_t *length, Diag *diag) {
    const char *path = source->path;
    if (!source->is_ptx && !is_cuda_name(path)) {
        diag_error(diag, path, 0, 0, "neither CUDA nor PTX by its name");
        diag_hint(diag, "CUDA source ends in .cu, PTX in .ptx");
        return SOURCE_UNREADABLE;
    }
    const char *text = source->text = text_read_file(path, COMPILE_SOURCE_LIMIT, length);
    if (!text) {
        diag_error(diag, path, 0, 0, "cannot be read: %s", text_file_problem(errno));
        return SOURCE_UNREADABLE;
    }
    if (!memchr(text, 0, *length)) return SOURCE_GOOD;
    if (strncmp(text, "\xff\xfe", 2) == 0 || strncmp(text, "\xfe\xff", 2) == 0) {
        diag_error(diag, path, 0, 0, "is text in UTF-16, which compilers do not read");
        diag_hint(diag, "save it as UTF-8: editors ask for the encoding where they save under a name");
    } else {
        diag_error(diag, path, 0, 0, "is a binary file, not text");
        diag_hint(diag, "give the .cu source; the PTX inside a program can be had with cuobjdump -ptx");
    }
    return SOURCE_WRONG;
}

/* Whether our headers are needed and not there; nvcc has its own. */
static bool headers_missing(const CompileRequest *request) {
    char path[PATH_MAX], name[64];
    if (request->include_dir || request->compiler == COMPILER_NVCC) return false;
    return request->compiler == COMPILER_CLANG || !compile_find(COMPILER_NVCC, path, sizeof path, name, sizeof name);
}

enum { PTX_LINE_BYTES = 400 }; /* of which .loc, .file and .entry with their words need no more */

/* Copies the line that begins here, or its beginning. Returns the next one. */
static const char *ptx_line(const char *at, char line[PTX_LINE_BYTES]) {
    size_t length = strcspn(at, "\n");
    snprintf(line, PTX_LINE_BYTES, "%.*s", (int)(length < PTX_LINE_BYTES ? length : PTX_LINE_BYTES - 1), at);
    return at + length + (at[length] == '\n');
}

/* The number by which .loc knows the author's file; 0: none. */
static unsigned ptx_file(const char *ptx, const char *path) {
    for (const char *at = ptx; (at = strstr(at, ".file")); at++) {
        char line[PTX_LINE_BYTES], name[PTX_LINE_BYTES];
        unsigned number;
        ptx_line(at, line);
        if (sscanf(line, ".file %u \"%399[^\"]", &number, name) == 2 && strcmp(text_last_name(name), text_last_name(path)) == 0)
            return number;
    }
    return 0;
}

/* Where in the author's file the PTX comes from that diag is about: the line that .loc names before it, or at least the kernel. */
static void locate(const char *ptx, const char *path, Diag *diag) {
    unsigned number = 1, file, from = 0, row, own = ptx_file(ptx, path);
    char line[PTX_LINE_BYTES], kernel[100] = "", name[100];
    for (const char *at = ptx; *at && number <= diag->line; number++) {
        at = ptx_line(at, line);
        const char *entry = strstr(line, ".entry ");
        if (entry && sscanf(entry, ".entry %99[A-Za-z0-9_$]", name) == 1) from = 0, snprintf(kernel, sizeof kernel, "%s", name);
        if (sscanf(line, " .loc %u %u", &file, &row) == 2) from = file == own ? row : 0;
    }
    if (from)
        diag_hint(diag, "it comes from line %u of %s", from, path);
    else if (kernel[0])
        diag_hint(diag, "it is in kernel '%s'", kernel);
}

SourceStatus source_load(const CompileRequest *request, Source *source, Diag *diag) {
    size_t length;
    *source = (Source){.path = request->path, .is_ptx = text_ends(request->path, ".ptx")};
    SourceStatus status = read_input(source, &length, diag);
    if (status != SOURCE_GOOD) return status;
    if (strspn(source->text, " \t\r\n\f\v") == length) {
        diag_error(diag, request->path, 0, 0, "the file is empty");
        return SOURCE_WRONG;
    }
    if (source->is_ptx) {
        source->program = program_parse(source->text, length, request->path, diag);
    } else if (headers_missing(request)) {
        diag_say(diag, "the CUDA headers that clang needs are not found");
        diag_hint(diag, "set WARPSCOPE_HOME to the folder that holds src/include, or include where it is installed");
    } else if (compile_cu(request, &source->compiled, diag)) {
        const Text *ptx = &source->compiled.ptx;
        char name[PATH_MAX + 100]; /* lines in messages are those of the PTX */
        snprintf(name, sizeof name, "%s (PTX by %s)", request->path, source->compiled.compiler);
        source->program = program_parse(text_string(ptx), ptx->length, name, diag);
        if (!source->program) locate(text_string(ptx), request->path, diag);
    }
    return source->program ? SOURCE_GOOD : source->compiled.unable ? SOURCE_UNREADABLE : SOURCE_WRONG;
}

/* The compiler that its first line names has made this PTX of the source. */
static void name_compiler(const char *ptx, Source *source) {
    static const char first_line[] = "// compiled by ";
    ptx += strncmp(ptx, first_line, strlen(first_line)) == 0 ? strlen(first_line) : 0;
    snprintf(source->compiled.compiler, sizeof source->compiled.compiler, "%.*s", (int)strcspn(ptx, "\n"), ptx);
}

SourceStatus source_load_compiled(const char *path, const char *ptx, Source *source, Diag *diag) {
    size_t length;
    SourceStatus status = source_load(&(CompileRequest){.path = ptx}, source, diag);
    if (status != SOURCE_GOOD) return status;
    name_compiler(source->text, source);
    text_add(&source->compiled.ptx, "%s", source->text);
    free(source->text);
    source->path = path;
    source->is_ptx = false;
    return read_input(source, &length, diag);
}

bool source_from_ptx(const char *path, const char *ptx, size_t bytes, Source *source, Diag *diag) {
    *source = (Source){.path = path, .is_ptx = text_ends(path, ".ptx"), .program = program_parse(ptx, bytes, path, diag)};
    if (!source->is_ptx) name_compiler(ptx, source);
    return source->program;
}

const char *source_compiler(const Source *source) { return source->is_ptx ? NULL : source->compiled.compiler; }

const char *source_ptx(const Source *source) { return source->is_ptx ? source->text : text_string(&source->compiled.ptx); }

void source_free(Source *source) {
    if (source->program) program_free(source->program);
    free(source->text);
    compile_result_free(&source->compiled);
    *source = (Source){0};
}

const Function *source_kernel(const Source *source, const char *name, Diag *diag) {
    const Program *program = source->program;
    if (name) return program_kernel(program, name, diag);
    const Function *only = NULL;
    LOCAL_TEXT names = {0};
    unsigned count = 0;
    for (uint32_t i = 0; i < program->n_functions; i++) {
        const Function *function = &program->functions[i];
        if (!function->is_entry || !function->is_defined) continue;
        FREED char *readable = program_demangle(function->name);
        text_add(&names, "%s%s", count++ ? ", " : "", readable);
        only = function;
    }
    if (!count) {
        diag_error(diag, source->path, 0, 0, "the file has no kernel");
        diag_hint(diag, "a kernel is a __global__ function; a template needs an instantiation");
    } else if (count > 1) {
        diag_error(diag, source->path, 0, 0, "the file has %u kernels, and none was chosen", count);
        diag_hint(diag, "--kernel with one of: %s", text_string(&names));
    }
    return count == 1 ? only : NULL;
}
