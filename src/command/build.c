#include "command/build.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cuda/argv.h"
#include "cuda/folder.h"
#include "cuda/host.h"
#include "cuda/options.h"
#include "runtime/child.h"
#include "runtime/functions.h"

/* From the Makefile: what a program with our library in it is linked with. */
#ifndef LINK_FLAGS
#define LINK_FLAGS "-ljansson -lstdc++ -lm -lpthread -ldl"
#endif

enum { ARCH_DEFAULT = 75, COMPILE_SECONDS = 600 };

/* --- options --- */

typedef enum Fate {
    FATE_PASS,
    FATE_PASS_VALUE, /* with its value, the next word */
    FATE_LINK_VALUE, /* likewise, for the linker */
    FATE_OUTPUT,
    FATE_DROP,
    FATE_DROP_VALUE,
    FATE_ARCH,    /* names architectures */
    FATE_OBJECT,  /* makes objects or text: nothing is linked */
    FATE_COMPILE, /* -dc: as -c */
    FATE_DEBUG,
    FATE_STREAM,      /* which stream is the default one */
    FATE_RELOCATABLE, /* whether device code of several files is linked */
    FATE_REFUSE
} Fate;

/* A name that ends in '=' stands for all words that begin so. */
static const struct {
    const char *name;
    Fate fate;
} known[] = {
    {"-arch", FATE_ARCH},
    {"-arch=", FATE_ARCH},
    {"--gpu-architecture", FATE_ARCH},
    {"--gpu-architecture=", FATE_ARCH},
    {"-gencode", FATE_ARCH},
    {"-gencode=", FATE_ARCH},
    {"--generate-code", FATE_ARCH},
    {"--generate-code=", FATE_ARCH},
    {"-code", FATE_DROP_VALUE},
    {"-code=", FATE_DROP},
    {"--gpu-code", FATE_DROP_VALUE},
    {"--gpu-code=", FATE_DROP},
    {"-cudart", FATE_DROP_VALUE},
    {"-cudart=", FATE_DROP},
    {"--cudart", FATE_DROP_VALUE},
    {"--cudart=", FATE_DROP},
    {"-lcudart", FATE_DROP},
    {"-lcudart_static", FATE_DROP},
    {"-lcudadevrt", FATE_DROP},
    {"-rdc", FATE_RELOCATABLE},
    {"-rdc=", FATE_RELOCATABLE},
    {"--relocatable-device-code", FATE_RELOCATABLE},
    {"--relocatable-device-code=", FATE_RELOCATABLE},
    {"-lineinfo", FATE_DROP},
    {"--generate-line-info", FATE_DROP},
    {"-G", FATE_DEBUG},
    {"--device-debug", FATE_DEBUG},
    {"-c", FATE_OBJECT},
    {"--compile", FATE_OBJECT},
    {"-dc", FATE_COMPILE},
    {"--device-c", FATE_COMPILE},
    {"-E", FATE_OBJECT},
    {"--preprocess", FATE_OBJECT},
    {"-M", FATE_OBJECT},
    {"-MM", FATE_OBJECT},
    {"-ptx", FATE_OBJECT},
    {"--ptx", FATE_OBJECT},
    {"-S", FATE_OBJECT},
    {"-lib", FATE_OBJECT},
    {"--lib", FATE_OBJECT},
    {"--version", FATE_OBJECT},
    {"-V", FATE_OBJECT},
    {"-dlink", FATE_REFUSE},
    {"--device-link", FATE_REFUSE},
    {"-cubin", FATE_REFUSE},
    {"--cubin", FATE_REFUSE},
    {"-fatbin", FATE_REFUSE},
    {"--fatbin", FATE_REFUSE},
    {"-run", FATE_REFUSE},
    {"--run", FATE_REFUSE},
    {"-o", FATE_OUTPUT},
    {"--output-file", FATE_OUTPUT},
    {"-I", FATE_PASS_VALUE},
    {"-isystem", FATE_PASS_VALUE},
    {"-include", FATE_PASS_VALUE},
    {"-D", FATE_PASS_VALUE},
    {"-U", FATE_PASS_VALUE},
    {"-L", FATE_LINK_VALUE},
    {"-l", FATE_LINK_VALUE},
    {"-x", FATE_PASS_VALUE},
    {"-std", FATE_PASS_VALUE},
    {"--std", FATE_PASS_VALUE},
    {"-O", FATE_PASS_VALUE},
    {"-ccbin", FATE_PASS_VALUE},
    {"-maxrregcount", FATE_PASS_VALUE},
    {"-Xcompiler", FATE_PASS_VALUE},
    {"--compiler-options", FATE_PASS_VALUE},
    {"-Xptxas", FATE_PASS_VALUE},
    {"--ptxas-options", FATE_PASS_VALUE},
    {"-Xlinker", FATE_LINK_VALUE},
    {"--linker-options", FATE_LINK_VALUE},
    {"-Xcudafe", FATE_PASS_VALUE},
    {"-Xnvlink", FATE_DROP_VALUE},
    {"-diag-suppress", FATE_PASS_VALUE},
    {"-default-stream", FATE_STREAM},
    {"-default-stream=", FATE_STREAM},
    {"--default-stream", FATE_STREAM},
    {"--default-stream=", FATE_STREAM},
    {"-odir", FATE_PASS_VALUE},
    {"--output-directory", FATE_PASS_VALUE},
    {"-keep-dir", FATE_PASS_VALUE},
    {"--keep-dir", FATE_PASS_VALUE},
    {"-optf", FATE_PASS_VALUE},
    {"--options-file", FATE_PASS_VALUE},
    {"-idirafter", FATE_PASS_VALUE},
    {"-iquote", FATE_PASS_VALUE},
    {"--include-path", FATE_PASS_VALUE},
    {"--system-include", FATE_PASS_VALUE},
    {"--pre-include", FATE_PASS_VALUE},
    {"--define-macro", FATE_PASS_VALUE},
    {"--undefine-macro", FATE_PASS_VALUE},
    {"--library", FATE_LINK_VALUE},
    {"--library-path", FATE_LINK_VALUE},
    {"--optimize", FATE_PASS_VALUE},
    {"--maxrregcount", FATE_PASS_VALUE},
    {"--compiler-bindir", FATE_PASS_VALUE},
    {"--threads", FATE_PASS_VALUE},
    {"-t", FATE_PASS_VALUE},
    {"-MF", FATE_PASS_VALUE},
    {"-MT", FATE_PASS_VALUE},
};

static Fate fate_of(const char *option) {
    for (size_t i = 0; i < sizeof known / sizeof *known; i++) {
        size_t length = strlen(known[i].name);
        bool open = known[i].name[length - 1] == '=';
        if (open ? strncmp(option, known[i].name, length) == 0 : strcmp(option, known[i].name) == 0) return known[i].fate;
    }
    return FATE_PASS;
}

/* --- architectures --- */

/* The number after "compute_" or "sm_" in the text, each in turn; 0 at the end. */
static unsigned next_arch(const char **text) {
    for (; **text; ++*text) {
        const char *digits = strncmp(*text, "compute_", 8) == 0 ? *text + 8 : strncmp(*text, "sm_", 3) == 0 ? *text + 3 : NULL;
        if (!digits || !isdigit((unsigned char)*digits)) continue;
        char *end;
        unsigned number = (unsigned)strtoul(digits, &end, 10);
        *text = end;
        return number;
    }
    return 0;
}

static void choose_arch(unsigned *chosen, const char *value, unsigned newest) {
    for (unsigned arch; (arch = next_arch(&value)) != 0;)
        if (!*chosen || (*chosen > newest ? arch < *chosen : arch <= newest && arch > *chosen)) *chosen = arch;
}

/* --- reading --- */

static void add_item(Build *build, ItemKind kind, const char *word, const char *value) {
    build->items = arena_grow(build->arena, build->items, build->count, &build->capacity, sizeof *build->items);
    build->items[build->count++] = (Item){kind, word, value};
}

static bool begins(const char *word, const char *with) { return strncmp(word, with, strlen(with)) == 0; }

static void add_plain(Build *build, const char *word) {
    bool option = word[0] == '-';
    bool link = option && (begins(word, "-l") || begins(word, "-L") || begins(word, "-Wl,"));
    if (!option && !build->first_file) build->first_file = word;
    if (option && begins(word, "-o") && word[2])
        add_item(build, ITEM_OUTPUT, "-o", word + 2);
    else
        add_item(build, !option ? ITEM_FILE : link ? ITEM_LINK : ITEM_COMPILE, word, NULL);
}

/* The macro is all that nvcc makes of the option too. */
static bool read_stream(Build *build, const char *kind, Diag *diag) {
    if (strcmp(kind, "per-thread") == 0)
        add_item(build, ITEM_COMPILE, "-DCUDA_API_PER_THREAD_DEFAULT_STREAM=1", NULL);
    else if (strcmp(kind, "legacy") != 0 && strcmp(kind, "null") != 0)
        return diag_error(diag, NULL, 0, 0, "--default-stream '%.100s' is not legacy, null or per-thread", kind);
    return true;
}

/* One option; returns how many words it took, 0 after an error. */
static size_t read_option(Build *build, const char *const *words, size_t left, Diag *diag) {
    const char *word = words[0], *value = NULL;
    Fate fate = fate_of(word);
    bool valued = fate == FATE_PASS_VALUE || fate == FATE_DROP_VALUE || fate == FATE_LINK_VALUE || fate == FATE_OUTPUT ||
                  fate == FATE_ARCH || fate == FATE_STREAM || fate == FATE_RELOCATABLE;
    if (valued && !strchr(word, '=')) {
        if (left < 2) {
            diag_error(diag, NULL, 0, 0, "option '%.200s' needs a value", word);
            return 0;
        }
        value = words[1];
    }
    switch (fate) {
    case FATE_PASS: add_plain(build, word); break;
    case FATE_PASS_VALUE: add_item(build, ITEM_COMPILE, word, value); break;
    case FATE_LINK_VALUE: add_item(build, ITEM_LINK, word, value); break;
    case FATE_OUTPUT: add_item(build, ITEM_OUTPUT, "-o", value ? value : strchr(word, '=') + 1); break;
    case FATE_DROP:
    case FATE_DROP_VALUE: break;
    case FATE_ARCH: choose_arch(&build->arch, value ? value : word, build->newest); break;
    case FATE_DEBUG:
        build->debug = true;
        add_item(build, ITEM_COMPILE, word, NULL);
        break;
    case FATE_RELOCATABLE: build->relocatable = strcmp(value ? value : strchr(word, '=') + 1, "true") == 0; break;
    case FATE_COMPILE:
    case FATE_OBJECT:
        build->relocatable |= fate == FATE_COMPILE;
        build->links = false;
        add_item(build, ITEM_MODE, fate == FATE_COMPILE ? "-c" : word, NULL);
        break;
    case FATE_STREAM: return read_stream(build, value ? value : strchr(word, '=') + 1, diag) ? (value ? 2 : 1) : 0;
    case FATE_REFUSE:
        diag_error(diag, NULL, 0, 0, "'%.100s' makes machine code or links it, of which the emulated device knows nothing",
                   word);
        return 0;
    }
    return value ? 2 : 1;
}

bool build_read(Build *build, const char *const *words, size_t count, Diag *diag) {
    build->links = true;
    for (size_t i = 0; i < count;) {
        size_t taken = read_option(build, words + i, count - i, diag);
        if (!taken) return false;
        i += taken;
    }
    if (!build->arch) build->arch = ARCH_DEFAULT;
    return true;
}

/* --- what both compilers need --- */

static void add_split(Argv *command, const char *text, const char *before_flags) {
    while (*(text += strspn(text, " "))) {
        char word[512];
        size_t length = strcspn(text, " ");
        snprintf(word, sizeof word, "%.*s", (int)length, text);
        if (before_flags && !begins(word, "-l") && !begins(word, "-L")) argv_add(command, before_flags);
        argv_add(command, word);
        text += length;
    }
}

static void add_items(Argv *command, const Build *build, const char *output) {
    for (size_t i = 0; i < build->count; i++) {
        const Item *item = &build->items[i];
        if (item->kind == ITEM_OUTPUT && output) continue;
        argv_add(command, item->word);
        if (item->value) argv_add(command, item->value);
    }
    if (!output) return;
    argv_add(command, "-o");
    argv_add(command, output);
}

/* A device variable that only another file defines. */
static bool refuse_variable(const char *file, const char *name, size_t length, Diag *diag) {
    diag_error(diag, file, 0, 0, "'%.*s' is a device variable of another file, and device code of several files is not linked",
               (int)length, name);
    return diag_hint(diag, "define it in the file that uses it, or include the file that defines it");
}

/* nvcc's warning 20044, which is an error in a build that means to link device code: "the entity \"x\" is treated as a static
 * definition". */
static void explain_variable(const char *messages, Diag *diag) {
    const char *end = strstr(messages, " is treated as a static definition"), *begin = end;
    if (!end) return;
    if (end[-1] == '"') begin = --end;
    while (begin > messages && (isalnum((unsigned char)begin[-1]) || begin[-1] == '_')) begin--;
    refuse_variable(NULL, begin, (size_t)(end - begin), diag);
}

/* Runs the command, whose messages go to errors as well as to the user. diag adds what is missed that the emulated device does not have. */
static bool run_once(const Argv *command, Text *errors, Diag *diag) {
    if (child_run(command->words, errors) == 0) return true;
    if (!functions_explain(text_string(errors), diag)) explain_variable(text_string(errors), diag);
    return false;
}

/* Runs and frees the command. */
static bool run(Argv *command, Diag *diag) {
    Text errors = {0};
    bool fine = run_once(command, &errors, diag);
    text_free(&errors);
    argv_free(command);
    return fine;
}

/* --- nvcc: does it all itself --- */

static bool names_host(const Build *build) {
    for (size_t i = 0; i < build->count; i++) {
        const char *word = build->items[i].word;
        if (begins(word, "-ccbin") || begins(word, "--compiler-bindir")) return true;
    }
    return false;
}

/* Runs and frees nvcc's command: again with another compiler of host code, if it refuses the one that it found. */
static bool run_with_host(Argv *command, bool chosen, Diag *diag) {
    Text errors = {0};
    char other[32];
    bool fine = run_once(command, &errors, diag);
    if (!fine && !chosen && host_refused(text_string(&errors))) {
        if (host_instead(text_string(&errors), other, sizeof other)) {
            fprintf(stderr, "warpscope: again with %s (-ccbin %s does so at once)\n", other, other);
            argv_add(command, "-ccbin");
            argv_add(command, other);
            text_free(&errors);
            fine = run_once(command, &errors, diag);
        } else {
            diag_error(diag, NULL, 0, 0, "nvcc does not take the g++ that is installed");
            diag_hint(diag, "./setup --cuda gets a newer nvcc; or --cc clang");
        }
    }
    text_free(&errors);
    argv_free(command);
    return fine;
}

static bool run_nvcc(Build *build, const char *path, const char *output, Diag *diag) {
    Argv command = {0};
    char code[80];
    argv_add(&command, path);
    add_split(&command, "-cudart none -no-compress -Wno-deprecated-gpu-targets -D__WARPSCOPE__=1", NULL);
    if (!build->debug) argv_add(&command, "-lineinfo");
    if (build->relocatable) argv_add(&command, "-diag-error=20044");
    snprintf(code, sizeof code, "-gencode arch=compute_%u,code=compute_%u", build->arch, build->arch);
    add_split(&command, code, NULL);
    add_items(&command, build, output);
    if (build->links) {
        argv_add(&command, build->library);
        add_split(&command, LINK_FLAGS, "-Xcompiler");
    }
    return run_with_host(&command, names_host(build), diag);
}

/* --- clang: file by file --- */

typedef struct ClangBuild {
    Build *build;
    const char *path, *output;
    Text folder; /* temporary, for objects that only the linker needs */
    unsigned objects;
    Argv link; /* what is linked, in order */
    CompileRequest request;
    const char **options;
    char arch[16];
} ClangBuild;

static bool ends_with(const char *path, const char *ending) {
    size_t length = strlen(path), tail = strlen(ending);
    return length > tail && strcmp(path + length - tail, ending) == 0;
}

static bool is_cpp(const char *path) {
    static const char *const endings[] = {".cpp", ".cc", ".cxx", ".c++", ".C", ".c", NULL};
    for (const char *const *ending = endings; *ending; ending++)
        if (ends_with(path, *ending)) return true;
    return false;
}

/* Where the file's object goes: as -o says, beside us under the file's name, or into the temporary folder. */
static void object_path(ClangBuild *clang, const char *file, char *path, size_t size) {
    const char *slash = strrchr(file, '/'), *base = slash ? slash + 1 : file, *dot = strrchr(base, '.');
    if (clang->build->links)
        snprintf(path, size, "%s/%u.o", text_string(&clang->folder), clang->objects++);
    else if (clang->output)
        snprintf(path, size, "%s", clang->output);
    else
        snprintf(path, size, "%.*s.o", (int)(dot ? (size_t)(dot - base) : strlen(base)), base);
}

/* Variables that are .extern in the file's PTX; .extern .shared is the block's dynamic memory. */
static bool has_all_variables(const char *file, const char *ptx, Diag *diag) {
    for (const char *at = ptx; (at = strstr(at, "\n.extern .")) != NULL;) {
        at += strlen("\n.extern .");
        if (!begins(at, "global") && !begins(at, "const")) continue;
        size_t length = strcspn(at, ";[\n");
        const char *name = at + length;
        while (name > at && name[-1] != ' ') name--;
        return refuse_variable(file, name, (size_t)(at + length - name), diag);
    }
    return true;
}

static bool compile_cuda(ClangBuild *clang, const char *file, const char *object, Diag *diag) {
    CompileRequest request = clang->request;
    CompileResult result;
    request.path = file;
    bool fine = compile_object(&request, object, &result, diag);
    fputs(text_string(&result.messages), stderr);
    if (!fine && result.messages.length) { /* the compiler has said it all */
        *diag = (Diag){0};
        functions_explain(text_string(&result.messages), diag);
    }
    if (fine && !has_all_variables(file, text_string(&result.ptx), diag)) {
        unlink(object);
        fine = false;
    }
    compile_result_free(&result);
    return fine;
}

static bool compile_cpp(ClangBuild *clang, const char *file, const char *object, Diag *diag) {
    Argv command = {0};
    argv_add(&command, clang->path);
    add_split(&command, ends_with(file, ".c") ? "-x c -c -D__WARPSCOPE__=1" : "-x c++ -c -D__WARPSCOPE__=1", NULL);
    if (clang->build->include_dir) argv_add(&command, "-isystem");
    if (clang->build->include_dir) argv_add(&command, clang->build->include_dir);
    options_add(&command, &clang->request, SIDE_HOST);
    argv_add(&command, "-o");
    argv_add(&command, object);
    argv_add_input(&command, file);
    return run(&command, diag);
}

/* Compiles one file, or leaves it to the linker. */
static bool take_file(ClangBuild *clang, const char *file, Diag *diag) {
    bool cuda = ends_with(file, ".cu");
    if (!cuda && !is_cpp(file)) {
        argv_add(&clang->link, file);
        return true;
    }
    char object[4096];
    object_path(clang, file, object, sizeof object);
    argv_add(&clang->link, object);
    return cuda ? compile_cuda(clang, file, object, diag) : compile_cpp(clang, file, object, diag);
}

static bool link_program(ClangBuild *clang, Diag *diag) {
    Argv command = {0};
    argv_add(&command, clang->path);
    argv_add_all(&command, (const char *const *)clang->link.words);
    argv_add(&command, clang->build->library);
    add_split(&command, LINK_FLAGS, NULL);
    argv_add(&command, "-o");
    argv_add(&command, clang->output ? clang->output : "a.out");
    return run(&command, diag);
}

/* Sorts the items: options for compiling; output; what is linked, in order, once files are compiled. */
static bool clang_prepare(ClangBuild *clang, Diag *diag) {
    Build *build = clang->build;
    clang->options = ARENA_ARRAY(build->arena, const char *, 2 * build->count + 1);
    size_t count = 0;
    for (size_t i = 0; i < build->count; i++) {
        const Item *item = &build->items[i];
        if (item->kind == ITEM_OUTPUT && !clang->output) clang->output = item->value;
        if (item->kind == ITEM_MODE && strcmp(item->word, "-c") != 0) {
            diag_error(diag, NULL, 0, 0, "'%.100s': with clang, warpscope cc makes objects and programs only", item->word);
            return diag_hint(diag, "warpscope compile writes PTX");
        }
        if (item->kind != ITEM_COMPILE) continue;
        clang->options[count++] = item->word;
        if (item->value) clang->options[count++] = item->value;
    }
    snprintf(clang->arch, sizeof clang->arch, "sm_%u", build->arch);
    clang->request = (CompileRequest){.compiler = COMPILER_CLANG,
                                      .include_dir = build->include_dir,
                                      .arch = clang->arch,
                                      .options = clang->options,
                                      .option_count = count,
                                      .timeout_s = COMPILE_SECONDS};
    return folder_make(&clang->folder, diag);
}

static bool run_clang(Build *build, const char *path, const char *output, Diag *diag) {
    ClangBuild clang = {.build = build, .path = path, .output = output};
    if (!build->include_dir) {
        diag_error(diag, NULL, 0, 0, "the CUDA headers that clang needs are not found");
        return diag_hint(diag, "set WARPSCOPE_HOME to the folder that holds src/include, or include where it is installed");
    }
    if (!clang_prepare(&clang, diag)) return false;
    bool fine = true;
    for (size_t i = 0; i < build->count && fine; i++) {
        const Item *item = &build->items[i];
        if (item->kind == ITEM_FILE) fine = take_file(&clang, item->word, diag);
        if (item->kind != ITEM_LINK) continue;
        argv_add(&clang.link, item->word);
        if (item->value) argv_add(&clang.link, item->value);
    }
    if (fine && build->links) fine = link_program(&clang, diag);
    folder_remove(text_string(&clang.folder));
    text_free(&clang.folder);
    argv_free(&clang.link);
    return fine;
}

bool build_run(Build *build, const char *output, Diag *diag) {
    char path[4096];
    bool nvcc =
        build->compiler != COMPILER_CLANG && compile_find(COMPILER_NVCC, path, sizeof path, build->name, sizeof build->name);
    if (nvcc && compile_fits_runtime(build->name)) return run_nvcc(build, path, output, diag);
    if (nvcc && build->compiler == COMPILER_NVCC) {
        diag_error(diag, NULL, 0, 0, "%s is older than CUDA 13, whose runtime API programs call here", build->name);
        return diag_hint(diag, "./setup --cuda gets a newer nvcc; or --cc clang");
    }
    if (build->compiler != COMPILER_NVCC && compile_find(COMPILER_CLANG, path, sizeof path, build->name, sizeof build->name))
        return run_clang(build, path, output, diag);
    diag_error(diag, NULL, 0, 0, "%s is not installed", build->compiler == COMPILER_NVCC ? "nvcc" : "clang");
    return diag_hint(diag, "./setup installs clang, or: sudo apt install clang");
}
