/* NVRTC: source text that a program has becomes PTX, by the compiler that is installed. The text is laid into a folder of its own, with the headers that
 * the program names; what names its expressions stand for is what the compiler gives variables that point to them, which are taken out of the PTX. */
#include "include/nvrtc.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/alloc.h"
#include "cuda/compile.h"
#include "cuda/folder.h"
#include "cuda/home.h"
#include "cuda/options.h"
#include "runtime/context.h"

typedef struct NamedText {
    char *name, *text; /* of a header; of an expression: it, and the name that it stands for or NULL */
} NamedText;

struct _nvrtcProgram {
    struct _nvrtcProgram *next;
    char *source, *name;
    NamedText *headers, *expressions;
    size_t n_headers, n_expressions;
    bool compiled, fine;
    bool real; /* for a device, sm_90, not for those that are like one, compute_90 */
    Text ptx, log;
};

static pthread_mutex_t programs_lock = PTHREAD_MUTEX_INITIALIZER;
static nvrtcProgram programs;

static bool is_program(nvrtcProgram wanted) {
    pthread_mutex_lock(&programs_lock);
    nvrtcProgram at = programs;
    while (at && at != wanted) at = at->next;
    pthread_mutex_unlock(&programs_lock);
    return at;
}

/* Of NVRTC 13.0. */
const char *nvrtcGetErrorString(nvrtcResult result) {
    static const char *const names[] = {"NVRTC_SUCCESS",
                                        "NVRTC_ERROR_OUT_OF_MEMORY",
                                        "NVRTC_ERROR_PROGRAM_CREATION_FAILURE",
                                        "NVRTC_ERROR_INVALID_INPUT",
                                        "NVRTC_ERROR_INVALID_PROGRAM",
                                        "NVRTC_ERROR_INVALID_OPTION",
                                        "NVRTC_ERROR_COMPILATION",
                                        "NVRTC_ERROR_BUILTIN_OPERATION_FAILURE",
                                        "NVRTC_ERROR_NO_NAME_EXPRESSIONS_AFTER_COMPILATION",
                                        "NVRTC_ERROR_NO_LOWERED_NAMES_BEFORE_COMPILATION",
                                        "NVRTC_ERROR_NAME_EXPRESSION_NOT_VALID",
                                        "NVRTC_ERROR_INTERNAL_ERROR"};
    return (unsigned)result < sizeof names / sizeof *names ? names[result] : "NVRTC_ERROR unknown";
}

nvrtcResult nvrtcVersion(int *major, int *minor) {
    if (!major || !minor) return NVRTC_ERROR_INVALID_INPUT;
    *major = 13;
    *minor = 0;
    return NVRTC_SUCCESS;
}

static const int archs[] = {75, 80, 86, 87, 88, 89, 90, 100, 103, 110, 120, 121};

nvrtcResult nvrtcGetNumSupportedArchs(int *count) {
    if (!count) return NVRTC_ERROR_INVALID_INPUT;
    *count = sizeof archs / sizeof *archs;
    return NVRTC_SUCCESS;
}

nvrtcResult nvrtcGetSupportedArchs(int *into) {
    if (!into) return NVRTC_ERROR_INVALID_INPUT;
    memcpy(into, archs, sizeof archs);
    return NVRTC_SUCCESS;
}

/* --- programs --- */

nvrtcResult nvrtcCreateProgram(nvrtcProgram *program, const char *source, const char *name, int count,
                               const char *const *headers, const char *const *names) {
    if (!program) return NVRTC_ERROR_INVALID_PROGRAM; /* as NVIDIA's has it */
    if (!source || count < 0 || (count && (!headers || !names))) return NVRTC_ERROR_INVALID_INPUT;
    nvrtcProgram made = alloc_zeroed(1, sizeof *made);
    made->source = alloc_copy(source);
    made->name = alloc_copy(name && *name ? name : "default_program");
    for (int i = 0; i < count; i++)
        ALLOC_ADD(made->headers, made->n_headers) = (NamedText){alloc_copy(names[i]), alloc_copy(headers[i])};
    pthread_mutex_lock(&programs_lock);
    made->next = programs;
    programs = *program = made;
    pthread_mutex_unlock(&programs_lock);
    return NVRTC_SUCCESS;
}

static void texts_free(NamedText *texts, size_t count) {
    for (size_t i = 0; i < count; i++) {
        free(texts[i].name);
        free(texts[i].text);
    }
    free(texts);
}

nvrtcResult nvrtcDestroyProgram(nvrtcProgram *program) {
    nvrtcProgram gone = program ? *program : NULL, *at = &programs;
    pthread_mutex_lock(&programs_lock); /* of two threads that destroy it, one finds it */
    while (*at && *at != gone) at = &(*at)->next;
    const bool found = *at;
    if (found) *at = gone->next;
    pthread_mutex_unlock(&programs_lock);
    if (!found) return NVRTC_ERROR_INVALID_PROGRAM;
    texts_free(gone->headers, gone->n_headers);
    texts_free(gone->expressions, gone->n_expressions);
    text_free(&gone->ptx);
    text_free(&gone->log);
    free(gone->source);
    free(gone->name);
    free(gone);
    *program = NULL;
    return NVRTC_SUCCESS;
}

nvrtcResult nvrtcAddNameExpression(nvrtcProgram program, const char *expression) {
    if (!is_program(program)) return NVRTC_ERROR_INVALID_PROGRAM;
    if (!expression) return NVRTC_ERROR_INVALID_INPUT;
    if (program->compiled) return NVRTC_ERROR_NO_NAME_EXPRESSIONS_AFTER_COMPILATION;
    ALLOC_ADD(program->expressions, program->n_expressions) = (NamedText){alloc_copy(expression), NULL};
    return NVRTC_SUCCESS;
}

nvrtcResult nvrtcGetLoweredName(nvrtcProgram program, const char *expression, const char **name) {
    if (!is_program(program)) return NVRTC_ERROR_INVALID_PROGRAM;
    if (!expression || !name) return NVRTC_ERROR_INVALID_INPUT;
    if (!program->fine) return NVRTC_ERROR_NO_LOWERED_NAMES_BEFORE_COMPILATION;
    for (size_t i = 0; i < program->n_expressions; i++)
        if (strcmp(program->expressions[i].name, expression) == 0 && program->expressions[i].text)
            return *name = program->expressions[i].text, NVRTC_SUCCESS;
    return NVRTC_ERROR_NAME_EXPRESSION_NOT_VALID;
}

/* --- compiling --- */

/* Options of NVRTC's and nvcc's that need no row of their own elsewhere: the word, or what stands before its '='. */
static bool is_plain_option(const char *word) {
    static const char *const names[] = {
        "w", "ftz", "prec-div", "prec-sqrt", "dopt", "restrict", "extra-device-vectorization", "disable-warnings"};
    word += strspn(word, "-");
    const size_t length = strcspn(word, "=");
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (strlen(names[i]) == length && strncmp(word, names[i], length) == 0) return true;
    return false;
}

/* Those that say how device code is compiled, and nothing of files but where headers are. The compiler itself knows options that load code or write
 * files: what is not known here does not reach it, not even as another option's value. */
static bool is_admitted(const Option *option) {
    if (!*option->kind->name) return *option->words[0] == '-' && is_plain_option(option->words[0]);
    if (option->value && *option->value == '-') return false;
    switch (option->kind->use) {
    case USE_COMPILE:
    case USE_PATH:
    case USE_MACRO:
    case USE_ARCH:
    case USE_DEBUG:
    case USE_RELOCATABLE:
    case USE_DROP: return option->kind->takes == VALUE_NONE || option->value;
    case USE_FILE:
    case USE_PROGRAM:
    case USE_PARTS:
    case USE_MORE_FILES:
    case USE_LINK:
    case USE_OUTPUT:
    case USE_MODE:
    case USE_DEVICE_CODE:
    case USE_DEVICE_LINK:
    case USE_DEVICE_MODE:
    case USE_LANGUAGE:
    case USE_STREAM:
    case USE_REFUSE: break;
    }
    return false;
}

static bool take_options(nvrtcProgram program, const char *const *words, size_t count) {
    for (size_t i = 0; i < count; i++)
        if (!words[i]) return text_add(&program->log, "nvrtc: error: an option is a null pointer\n"), false;
    program->real = false;
    for (Option option = {0}; option_next(words, count, &option);) {
        if (option.kind->use == USE_ARCH && option.value) program->real = strncmp(option.value, "compute_", 8) != 0;
        if (is_admitted(&option)) continue;
        text_add(&program->log, "nvrtc: error: option '%s' is not taken here\n", option.words[0]);
        return false;
    }
    return true;
}

/* A header's name is a path below the folder of headers. */
static bool is_below(const char *name) {
    if (!*name || *name == '/') return false;
    for (const char *at = name; *at; at += *at == '/') {
        const size_t length = strcspn(at, "/");
        if (length == 0 || (length == 1 && *at == '.') || (length == 2 && at[0] == '.' && at[1] == '.')) return false;
        at += length;
    }
    return true;
}

static bool write_header(const char *folder, const NamedText *header, Diag *diag) {
    LOCAL_TEXT path = text_from("%s/%s", folder, header->name);
    if (!is_below(header->name)) return diag_say(diag, "the header's name '%.200s' is no path below a folder", header->name);
    for (char *slash = path.data + strlen(folder) + 1; (slash = strchr(slash, '/')) != NULL; *slash++ = '/') {
        *slash = 0;
        mkdir(path.data, 0700);
    }
    LOCAL_TEXT text = text_from("%s", header->text);
    return text_write_file(text_string(&path), text_string(&text), text.length) ||
           diag_say(diag, "the header '%.200s' cannot be written: %s", header->name, strerror(errno));
}

/* The source under its own name, and a variable for each expression. */
static bool write_source(nvrtcProgram program, const char *path, Diag *diag) {
    LOCAL_TEXT text = text_from("#define __CUDACC_RTC__ 1\n#line 1 \"");
    for (const char *at = program->name; *at; at++)
        if (*at != '\n') text_add(&text, "%s%c", strchr("\"\\", *at) ? "\\" : "", *at);
    text_add(&text, "\"\n%s\n#line 1 \"name expressions\"\n", program->source);
    for (size_t i = 0; i < program->n_expressions; i++) {
        const char *expression = program->expressions[i].name;
        text_add(&text, "__device__ auto warpscope_name_%zu = %s%s;\n", i, *expression == '&' ? "" : "&", expression);
    }
    return text_write_file(path, text_string(&text), text.length) ||
           diag_say(diag, "the source cannot be written: %s", strerror(errno));
}

/* ".global .align 8 .u64 warpscope_name_0 = generic(_ZN1N1cE);", a line of its own, says what the first expression is. */
static void take_names(nvrtcProgram program, const char *ptx) {
    static const char mark[] = " warpscope_name_";
    for (const char *line = ptx; *line;) {
        const size_t length = strcspn(line, "\n") + (strchr(line, '\n') != NULL);
        LOCAL_TEXT whole = {0};
        text_add_bytes(&whole, line, length);
        const char *at = *line == '.' ? strstr(text_string(&whole), mark) : NULL, *value = at ? strstr(at, " = ") : NULL;
        const size_t index = at ? strtoul(at + sizeof mark - 1, NULL, 10) : 0;
        if (value && index < program->n_expressions) {
            value += 3;
            if (strncmp(value, "generic(", 8) == 0) value += 8;
            free(program->expressions[index].text);
            program->expressions[index].text = strndup(value, strcspn(value, ");"));
        } else {
            text_add_bytes(&program->ptx, line, length);
        }
        line += length;
    }
}

/* There is no compiler, or no room for it: NVRTC itself would have compiled the program. */
static void mark_unable(void) {
    Context *context = context_lock();
    context->not_emulated = true;
    context_unlock(context);
}

static nvrtcResult compile_in(nvrtcProgram program, const char *folder, const char *const *options, size_t count, Diag *diag) {
    char headers[4096];
    LOCAL_TEXT include = text_from("%s/include", folder), path = text_from("%s/program.cu", folder);
    bool fine = mkdir(text_string(&include), 0700) == 0 || diag_say(diag, "no folder for headers: %s", strerror(errno));
    for (size_t i = 0; fine && i < program->n_headers; i++)
        fine = write_header(text_string(&include), &program->headers[i], diag);
    if (!fine || !write_source(program, text_string(&path), diag)) return NVRTC_ERROR_INVALID_INPUT;
    FREED const char **words = alloc_zeroed(count + 2, sizeof *words);
    words[0] = "-I";
    words[1] = text_string(&include);
    for (size_t i = 0; i < count; i++) words[i + 2] = options[i];
    const CompileRequest request = {.path = text_string(&path),
                                    .include_dir = home_headers(NULL, headers, sizeof headers) ? headers : NULL,
                                    .options = words,
                                    .option_count = count + 2};
    LOCAL_COMPILED result;
    fine = compile_cu(&request, &result, diag);
    text_add(&program->log, "%s", text_string(&result.messages));
    if (!fine && result.used == COMPILER_CLANG && !request.include_dir)
        text_add(&program->log,
                 "nvrtc: set WARPSCOPE_HOME to the folder that holds src/include, or include where warpscope is installed\n");
    if (!fine && result.unable) mark_unable();
    if (fine) take_names(program, text_string(&result.ptx));
    return fine ? NVRTC_SUCCESS : NVRTC_ERROR_COMPILATION;
}

nvrtcResult nvrtcCompileProgram(nvrtcProgram program, int count, const char *const *options) {
    CALLSITE_BEGIN();
    Diag diag = {0};
    LOCAL_TEXT folder = {0};
    if (!is_program(program)) return NVRTC_ERROR_INVALID_PROGRAM;
    if (count < 0 || (count && !options)) return NVRTC_ERROR_INVALID_INPUT;
    text_free(&program->log);
    text_free(&program->ptx);
    program->compiled = true;
    program->fine = false;
    if (!take_options(program, options, (size_t)count)) return NVRTC_ERROR_INVALID_OPTION;
    nvrtcResult result = NVRTC_ERROR_INTERNAL_ERROR;
    if (folder_make(&folder, &diag)) {
        result = compile_in(program, text_string(&folder), options, (size_t)count, &diag);
        folder_remove(text_string(&folder));
    }
    program->fine = result == NVRTC_SUCCESS;
    if (result && !program->log.length) diag_format(&diag, &program->log);
    if (result) note("%s: '%s' does not compile", callsite_name(), program->name);
    return result;
}

/* --- what came of it --- */

/* With the NUL. */
static nvrtcResult tell_size(const Text *text, size_t *bytes) {
    *bytes = text->length + 1;
    return NVRTC_SUCCESS;
}

nvrtcResult nvrtcGetPTXSize(nvrtcProgram program, size_t *bytes) {
    if (!is_program(program) || !program->fine) return NVRTC_ERROR_INVALID_PROGRAM;
    return bytes ? tell_size(&program->ptx, bytes) : NVRTC_ERROR_INVALID_INPUT;
}

nvrtcResult nvrtcGetPTX(nvrtcProgram program, char *text) {
    if (!is_program(program) || !program->fine) return NVRTC_ERROR_INVALID_PROGRAM;
    if (!text) return NVRTC_ERROR_INVALID_INPUT;
    memcpy(text, text_string(&program->ptx), program->ptx.length + 1);
    return NVRTC_SUCCESS;
}

nvrtcResult nvrtcGetProgramLogSize(nvrtcProgram program, size_t *bytes) {
    if (!is_program(program)) return NVRTC_ERROR_INVALID_PROGRAM;
    return bytes ? tell_size(&program->log, bytes) : NVRTC_ERROR_INVALID_INPUT;
}

nvrtcResult nvrtcGetProgramLog(nvrtcProgram program, char *text) {
    if (!is_program(program)) return NVRTC_ERROR_INVALID_PROGRAM;
    if (!text) return NVRTC_ERROR_INVALID_INPUT;
    memcpy(text, text_string(&program->log), program->log.length + 1);
    return NVRTC_SUCCESS;
}

/* What is loaded in the place of machine code is the PTX itself; NVRTC makes none where the options name no real device, which is no error. */
nvrtcResult nvrtcGetCUBINSize(nvrtcProgram program, size_t *bytes) {
    if (!is_program(program)) return NVRTC_ERROR_INVALID_PROGRAM;
    if (!bytes) return NVRTC_ERROR_INVALID_INPUT;
    *bytes = 0;
    return program->fine && program->real ? tell_size(&program->ptx, bytes) : NVRTC_SUCCESS;
}

nvrtcResult nvrtcGetCUBIN(nvrtcProgram program, char *image) {
    if (!is_program(program)) return NVRTC_ERROR_INVALID_PROGRAM;
    if (!image) return NVRTC_ERROR_INVALID_INPUT;
    return program->fine && program->real ? nvrtcGetPTX(program, image) : NVRTC_SUCCESS;
}
