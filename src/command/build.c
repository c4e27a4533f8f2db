#include "command/build.h"

#include <ctype.h>
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "command/buildmessages.h"
#include "command/command.h"
#include "command/devicelink.h"
#include "cuda/argv.h"
#include "cuda/cuda12.h"
#include "cuda/door.h"
#include "cuda/find.h"
#include "cuda/folder.h"
#include "cuda/host.h"
#include "cuda/options.h"
#include "host/output.h"
#include "host/process.h"

/* From the Makefile: what a program with our library in it is linked with. */
#ifndef LINK_FLAGS
#define LINK_FLAGS "-ljansson -lstdc++ -lm -lpthread -ldl"
#endif

enum { COMPILE_SECONDS = 600 };

/* --- reading --- */

static bool read_option(Build *build, const Option *option, Diag *diag) {
    const char *word = option->words[0], *value = option->value;
    if (option->kind->takes != VALUE_NONE && !value) return diag_say(diag, "option '%.200s' needs a value", word);
    switch (option->kind->use) {
    case USE_FILE:
        if (!build->first_file) build->first_file = word;
        break;
    case USE_OUTPUT: build->output = value; break;
    case USE_DEBUG: build->debug = true; break;
    case USE_RELOCATABLE: build->relocatable = strcmp(value, "true") == 0; break;
    case USE_DEVICE_MODE:
        build->relocatable = true;
        build->links = false;
        break;
    case USE_DEVICE_LINK:
        build->device_link = true;
        build->links = false;
        break;
    case USE_DEVICE_CODE:
    case USE_MODE: build->links = false; break;
    case USE_LANGUAGE: build->cuda = strcmp(value, "cu") == 0; break;
    case USE_STREAM:
        if (strcmp(value, "per-thread") == 0 || strcmp(value, "legacy") == 0 || strcmp(value, "null") == 0) break;
        return diag_say(diag, "--default-stream '%.100s' is not legacy, null or per-thread", value);
    case USE_REFUSE:
        return diag_say(diag, "'%.100s' makes machine code or links it, of which the emulated device knows nothing", word);
    case USE_COMPILE:
    case USE_PATH:
    case USE_PROGRAM:
    case USE_MACRO:
    case USE_PARTS:
    case USE_MORE_FILES:
    case USE_LINK:
    case USE_ARCH:
    case USE_DROP: break;
    }
    return true;
}

bool build_read(Build *build, const char *const *words, size_t count, unsigned newest, Diag *diag) {
    build->words = words;
    build->count = count;
    build->links = true;
    build->newest = newest;
    build->arch = options_arch(words, count, newest, ARCH_OLDEST);
    for (Option option = {0}; option_next(words, count, &option);)
        if (!read_option(build, &option, diag)) return false;
    return true;
}

/* Names that make takes for names in a list of dependencies, where compilers write ; and = and the end of a line as they are. */
static bool is_dependency(const char *name) {
    for (; *name; name++)
        if (!isalnum((unsigned char)*name) && (unsigned char)*name < 0x80 && !strchr("_./+-,@ ", *name)) return false;
    return true;
}

/* What the compiler would list for make, and under which names. */
static bool check_dependencies(const Build *build, Diag *diag) {
    static const char *const lists[] = {"-MD", "-MMD", "-M", "-MM"};
    const char *list = NULL;
    for (size_t i = 0; i < sizeof lists / sizeof *lists; i++)
        if (options_have(build->words, build->count, lists[i])) list = lists[i];
    for (Option option = {0}; list && option_next(build->words, build->count, &option);) {
        const char *name = option.kind->use == USE_FILE ? option.words[0] : option.kind->use == USE_PATH ? option.value : "";
        if (is_dependency(name)) continue;
        diag_say(diag, "'%s' does not go with the name '%.300s', of which make would read a part as a rule", list, name);
        return diag_hint(diag, "letters, digits, blanks and _ . / + - , @ may stand in it");
    }
    return true;
}

static bool check_file(const Build *build, const char *file, const BuildOutputs *others, Diag *diag) {
    for (Option option = {0}; option_next(build->words, build->count, &option);)
        if (strcmp(option.kind->name, "-MF") == 0 && !spares_input("-MF", option.value, file, diag)) return false;
    return spares_input("-o", build->output, file, diag) && spares_input("--json", others->json, file, diag) &&
           spares_input("--trace", others->trace, file, diag);
}

bool build_check(const Build *build, const BuildOutputs *others, Diag *diag) {
    size_t files = 0;
    for (Option option = {0}; option_next(build->words, build->count, &option);) {
        if (option.kind->use == USE_FILE && !check_file(build, option.words[0], others, diag)) return false;
        files += option.kind->use == USE_FILE;
    }
    const bool compiles = options_have(build->words, build->count, "-c") || options_have(build->words, build->count, "-dc");
    if (!files && (build->links || compiles)) return diag_say(diag, "no file given");
    const bool names_cubin = !build->output && options_have(build->words, build->count, "-cubin");
    if (files < 2 || !(names_cubin || (build->output && compiles))) return check_dependencies(build, diag);
    diag_say(diag, "%s one %s at a time, and %zu files are given", names_cubin ? "warpscope makes" : "-o names",
             names_cubin ? ".cubin" : "object", files);
    return diag_hint(diag, names_cubin ? "compile one at a time" : "leave it out, or compile one at a time");
}

/* --- what both compilers need --- */

/* Whether the program is one for an older CUDA than that as which it was compiled. */
static bool is_for_older(Build *build, const Text *messages) {
    LOCAL_TEXT names = {0};
    if (!build->include_dir || build->older == 11) return false;
    const unsigned had_all = cuda12_missed(text_string(messages), &names);
    if (!had_all || had_all == build->older) return false;
    text_add(&build->missed, "%s%s", build->missed.length ? ", " : "", text_string(&names));
    build->wanted = had_all;
    return true;
}

/* Shows what a compiler said, and says in diag what the program uses that the emulated device does not have. False as well where the program is
 * one for CUDA 12 or 11, and all is compiled again. */
static bool show(Build *build, bool fine, const Text *messages, Diag *diag) {
    if (is_for_older(build, messages)) return false;
    print_visible(messages, stderr);
    if (!fine) build_explain(text_string(messages), build->name, diag);
    return fine;
}

/* Runs the command, whose messages go to errors as well as to the user. */
static bool run_once(Build *build, CompilerChoice compiler, const Argv *command, const char *folder, Text *errors, Diag *diag) {
    ProcessRequest request = {.argv = (const char *const *)command->words,
                              .mode = PROCESS_CATCHES_ERRORS,
                              .temp_dir = folder,
                              .output_limit = COMPILE_MESSAGES_LIMIT};
    ProcessResult result;
    bool fine = door_run(compiler, &request, &result, diag);
    if (diag->set) return false;
    if (result.error) diag_say(diag, "cannot start %s: %s", command->words[0], strerror(result.error));
    text_free(errors);
    *errors = result.output;
    return show(build, fine, errors, diag);
}

/* Runs and frees the command of a compiler that has no shell. folder: its temporary one. */
static bool run(Build *build, Argv *command, const char *folder, Diag *diag) {
    LOCAL_TEXT errors = {0};
    bool fine = run_once(build, COMPILER_CLANG, command, folder, &errors, diag);
    argv_free(command);
    return fine;
}

/* --- linking device code --- */

/* nvcc looks for libraries in all folders that are named, before or behind them. */
static bool add_library(const Build *build, DeviceLink *link, const char *name, Diag *diag) {
    for (Option option = {0}; option_next(build->words, build->count, &option);) {
        if (strcmp(option.kind->name, "-L") != 0) continue;
        LOCAL_TEXT path = text_from("%s/lib%s.a", option.value, name);
        if (text_file_readable(text_string(&path), SIZE_MAX)) return devicelink_add(link, text_string(&path), NULL, diag);
    }
    return true;
}

/* The C that links device code of these objects, or, where they are none, the build's files, and of its libraries; empty where there is none. */
static bool write_link(const Build *build, const Argv *objects, Text *code, Diag *diag) {
    DeviceLink *link = devicelink_new(build->newest);
    bool fine = true;
    for (size_t i = 0, m; fine && i < objects->count; i++) {
        for (m = 0; m < build->made.count && strcmp(build->made.words[m], objects->words[i]) != 0;) m += 2;
        fine = devicelink_add(link, objects->words[i], m < build->made.count ? build->made.words[m + 1] : NULL, diag);
    }
    for (Option option = {0}; fine && option_next(build->words, build->count, &option);) {
        if (option.kind->use == USE_FILE && !objects->count) fine = devicelink_add(link, option.words[0], NULL, diag);
        if (strcmp(option.kind->name, "-l") == 0 && option.value) fine = add_library(build, link, option.value, diag);
    }
    fine = fine && devicelink_write(link, code, diag);
    devicelink_free(link);
    return fine;
}

static bool compile_link(Build *build, const char *compiler, const Text *code, const char *folder, const char *object,
                         Diag *diag) {
    LOCAL_TEXT source = text_from("%s/devicelink.c", folder);
    if (!text_write_file(text_string(&source), text_string(code), code->length))
        return diag_error(diag, text_string(&source), 0, 0, "cannot be written: %s", strerror(errno));
    Argv command = {0};
    const char *const words[] = {compiler, "-x", "c", "-c", "-fPIC", text_string(&source), "-o", object, NULL};
    argv_add_all(&command, words);
    return run(build, &command, folder, diag);
}

/* Adds the object that links device code to the command, where there is such code: before the libraries whose members it asks for. */
static bool add_link(Build *build, const char *compiler, const Argv *objects, const char *folder, Argv *command, Diag *diag) {
    LOCAL_TEXT code = {0}, object = text_from("%s/devicelink.o", folder);
    if (!write_link(build, objects, &code, diag)) return false;
    if (!code.length) return true;
    argv_add(command, text_string(&object));
    return compile_link(build, compiler, &code, folder, text_string(&object), diag);
}

/* -dlink: that object alone, with nothing in it where there is no such code. */
static bool link_device_code(Build *build, const char *compiler, Diag *diag) {
    LOCAL_TEXT code = {0}, folder = {0};
    const char *object = build->output ? build->output : "a_dlink.o";
    if (!write_link(build, &(Argv){0}, &code, diag) || !folder_make(&folder, diag)) return false;
    bool fine = compile_link(build, compiler, &code, text_string(&folder), object, diag);
    folder_remove(text_string(&folder));
    return fine;
}

/* --- nvcc: does it all itself --- */

/* Runs nvcc's command: again with another compiler of host code, if it refuses the one that it found. */
static bool run_with_host(Build *build, Argv *command, const char *folder, Diag *diag) {
    LOCAL_TEXT errors = {0};
    char other[32];
    bool fine = run_once(build, COMPILER_NVCC, command, folder, &errors, diag);
    const bool chosen = options_have(build->words, build->count, "-ccbin");
    if (!fine && !chosen && host_refused(text_string(&errors))) {
        if (host_instead(text_string(&errors), other, sizeof other)) {
            fprintf(stderr, "warpscope: again with %s (-ccbin %s does so at once)\n", other, other);
            argv_add(command, "-ccbin");
            argv_add(command, other);
            fine = run_once(build, COMPILER_NVCC, command, folder, &errors, diag);
        } else {
            diag_say(diag, "nvcc does not take the g++ that is installed");
            diag_hint(diag, "./setup --cuda gets a newer nvcc; or --cc clang");
        }
    }
    return fine;
}

/* Has a header of ours read before each source. */
static void add_header(Argv *command, const Build *build, const char *name) {
    char path[4096];
    if (!build->include_dir) return;
    snprintf(path, sizeof path, "%s/warpscope/%s", build->include_dir, name);
    argv_add(command, "-include");
    argv_add(command, path);
}

static void add_older(Argv *command, const Build *build) {
    if (build->older) add_header(command, build, "cuda12.h");
    if (build->older == 11) add_header(command, build, "cuda11.h");
}

/* Which clang's own header does of the first. */
static void add_headers(Argv *command, const Build *build) {
    add_header(command, build, "runtime_mark.h");
    add_older(command, build);
}

/* Where the linker finds our runtime by its usual names, before it looks for NVIDIA's: CMake takes the folders from nvcc, and names the runtime itself. */
static void add_folder(Argv *command, const Build *build) {
    const size_t length = (size_t)(text_last_name(build->library) - build->library);
    LOCAL_TEXT folder = text_from("-L%.*scudart", (int)length, build->library);
    argv_add(command, text_string(&folder));
}

/* As nvcc hands them on: those for the compiler of host code behind its option for such. */
static void add_link_flags(Argv *command) {
    LOCAL_ARGV flags = {0};
    argv_add_split(&flags, LINK_FLAGS);
    for (size_t i = 0; i < flags.count; i++) {
        if (!text_begins(flags.words[i], "-l") && !text_begins(flags.words[i], "-L")) argv_add(command, "-Xcompiler");
        argv_add(command, flags.words[i]);
    }
}

static void add_nvcc(Argv *command, const Build *build, const char *path) {
    argv_add(command, path);
    argv_add_split(
        command,
        "-cudart none -no-compress -Wno-deprecated-gpu-targets -D__WARPSCOPE__=1 -Xcompiler -g1,-fno-optimize-sibling-calls");
    if (!build->debug) argv_add(command, "-lineinfo");
    argv_add(command, build->relocatable ? "-rdc=true" : "-rdc=false");
    if (build->links) argv_add(command, "-nodlink");
    add_headers(command, build);
    LOCAL_TEXT code = text_from("arch=compute_%u,code=compute_%u", build->arch, build->arch);
    argv_add(command, "-gencode");
    argv_add(command, text_string(&code));
    options_add_nvcc(command, build->words, build->count);
    if (build->output) argv_add(command, "-o");
    if (build->output) argv_add(command, build->output);
    if (build->links) {
        if (build->cuda) argv_add(command, "-Xlinker"); /* nvcc would compile the library as well */
        argv_add(command, build->library);
        add_folder(command, build);
        add_link_flags(command);
    }
}

/* Whether nvcc's shell takes all that it would be told (door.h). */
static bool is_plain(const Argv *command) {
    bool plain = door_takes_path(".");
    for (size_t i = 0; i < command->count; i++) plain = plain && door_is_plain(command->words[i]);
    return plain;
}

static bool run_nvcc(Build *build, const Argv *command, Diag *diag) {
    LOCAL_TEXT folder = {0};
    LOCAL_ARGV copy = {0};
    if (!folder_make(&folder, diag)) return false;
    argv_add(&copy, command->words[0]);
    bool fine = !build->links || add_link(build, "g++", &(Argv){0}, text_string(&folder), &copy, diag);
    argv_add_all(&copy, (const char *const *)command->words + 1);
    fine = fine && run_with_host(build, &copy, text_string(&folder), diag);
    folder_remove(text_string(&folder));
    return fine;
}

/* --- file by file: clang, and nvcc where it cannot be told of all at once --- */

typedef struct FileBuild {
    Build *build;
    const char *path; /* of what links: clang, or the compiler of host code */
    Text folder;      /* temporary, for objects that only the linker needs */
    Argv link;        /* what is linked, in order */
    CompileRequest request;
} FileBuild;

static bool is_cpp(const char *path) {
    static const char *const endings[] = {".cpp", ".cc", ".cxx", ".c++", ".C", ".c", NULL};
    for (const char *const *ending = endings; *ending; ending++)
        if (text_ends(path, *ending)) return true;
    return false;
}

/* Where the file's object goes: where -o says, into the current folder under the file's name, or into the temporary folder. */
static void object_path(FileBuild *files, const char *file, char *path, size_t size) {
    const char *base = text_last_name(file), *dot = strrchr(base, '.');
    if (files->build->links)
        snprintf(path, size, "%s/%zu.o", text_string(&files->folder), files->build->made.count / 2);
    else if (files->build->output)
        snprintf(path, size, "%s", files->build->output);
    else
        snprintf(path, size, "%.*s.o", (int)(dot ? (size_t)(dot - base) : strlen(base)), base);
}

/* Variables that are .extern in the file's PTX; .extern .shared is the block's dynamic memory. */
static bool has_all_variables(const char *file, const char *ptx, Diag *diag) {
    for (const char *at = ptx; (at = strstr(at, "\n.extern .")) != NULL;) {
        at += strlen("\n.extern .");
        if (!text_begins(at, "global") && !text_begins(at, "const")) continue;
        size_t length = strcspn(at, ";[\n");
        const char *name = at + length;
        while (name > at && name[-1] != ' ') name--;
        diag_error(diag, file, 0, 0, "'%.*s' is a device variable of another file", (int)(at + length - name), name);
        return diag_hint(diag, "-rdc=true, for each file that is compiled, links device code of several");
    }
    return true;
}

static bool compile_cuda(FileBuild *files, const char *file, const char *object, Diag *diag) {
    CompileRequest request = files->request;
    CompileResult result;
    request.path = file;
    bool fine = compile_object(&request, object, &result, diag);
    if (!fine && result.messages.length) *diag = (Diag){0}; /* the compiler has said it all */
    fine = show(files->build, fine, &result.messages, diag);
    if (fine && !request.relocatable && !has_all_variables(file, text_string(&result.ptx), diag)) {
        if (text_file_readable(object, SIZE_MAX)) unlink(object); /* and no device that it was written to */
        fine = false;
    }
    compile_result_free(&result);
    return fine;
}

static bool compile_cpp(FileBuild *files, const char *file, const char *object, Diag *diag) {
    Argv command = {0};
    argv_add(&command, files->path);
    argv_add_split(&command, text_ends(file, ".c") ? "-x c -c -D__WARPSCOPE__=1" : "-x c++ -c -D__WARPSCOPE__=1");
    if (files->build->include_dir) argv_add(&command, "-isystem");
    if (files->build->include_dir) argv_add(&command, files->build->include_dir);
    add_older(&command, files->build);
    options_add(&command, files->build->words, files->build->count, SIDE_HOST);
    argv_add(&command, "-o");
    argv_add(&command, object);
    argv_add_input(&command, file);
    return run(files->build, &command, text_string(&files->folder), diag);
}

/* Compiles one file, or leaves it to the linker. */
static bool take_file(FileBuild *files, const Option *option, Diag *diag) {
    const char *file = option->words[0];
    bool cpp = is_cpp(file), cuda = text_ends(file, ".cu") || (cpp && files->build->cuda);
    cuda |= cpp && files->request.compiler == COMPILER_NVCC; /* which knows by the name what is in it */
    if (!cuda && !cpp) {
        option_add_file(&files->link, option);
        return true;
    }
    char object[4096];
    object_path(files, file, object, sizeof object);
    argv_add(&files->link, object);
    argv_add(&files->build->made, object);
    argv_add(&files->build->made, file);
    return cuda ? compile_cuda(files, file, object, diag) : compile_cpp(files, file, object, diag);
}

static bool link_program(FileBuild *files, Diag *diag) {
    Argv command = {0};
    argv_add(&command, files->path);
    if (!add_link(files->build, files->path, &files->link, text_string(&files->folder), &command, diag)) {
        argv_free(&command);
        return false;
    }
    argv_add_all(&command, (const char *const *)files->link.words);
    argv_add(&command, files->build->library);
    argv_add_split(&command, LINK_FLAGS);
    argv_add(&command, "-o");
    argv_add(&command, files->build->output ? files->build->output : "a.out");
    return run(files->build, &command, text_string(&files->folder), diag);
}

/* Whether clang does all that is asked for. */
static bool clang_can(const Build *build, Diag *diag) {
    for (Option option = {0}; option_next(build->words, build->count, &option);) {
        if (option.kind->clang != CLANG_REFUSE) continue;
        if (option.kind->use != USE_MODE && option.kind->use != USE_DEVICE_CODE) {
            diag_say(diag, "'%.100s' is nvcc's alone", option.words[0]);
            return diag_hint(diag, "leave it out, or --cc nvcc");
        }
        diag_say(diag, "'%.100s': with clang, warpscope cc makes objects and programs only", option.words[0]);
        return diag_hint(diag, "warpscope compile writes PTX");
    }
    return true;
}

/* Compiles and links; ends what was begun. */
static bool run_files(FileBuild *files, Diag *diag) {
    const Build *build = files->build;
    if (!folder_make(&files->folder, diag)) return false;
    bool fine = true;
    for (Option option = {0}; fine && option_next(build->words, build->count, &option);) {
        if (option.kind->use == USE_FILE) fine = take_file(files, &option, diag);
        if (option.kind->use == USE_LINK) option_add(&files->link, &option, SIDE_HOST);
    }
    if (fine && build->links) fine = link_program(files, diag);
    folder_remove(text_string(&files->folder));
    text_free(&files->folder);
    argv_free(&files->link);
    argv_free(&files->build->made);
    return fine;
}

static bool run_clang(Build *build, const char *path, Diag *diag) {
    if (build->device_link) return link_device_code(build, path, diag);
    if (!build->include_dir) {
        diag_say(diag, "the CUDA headers that clang needs are not found");
        return diag_hint(diag, "set WARPSCOPE_HOME to the folder that holds src/include, or include where it is installed");
    }
    LOCAL_ARGV options = {0};
    add_older(&options, build);
    for (size_t i = 0; i < build->count; i++) argv_add(&options, build->words[i]);
    FileBuild files = {.build = build,
                       .path = path,
                       .request = {.compiler = COMPILER_CLANG,
                                   .include_dir = build->include_dir,
                                   .arch = build->arch,
                                   .relocatable = build->relocatable,
                                   .options = (const char *const *)options.words,
                                   .option_count = options.count,
                                   .timeout_s = COMPILE_SECONDS}};
    return clang_can(build, diag) && run_files(&files, diag);
}

/* What goes by itself is one file's compilation to an object. Sets the compiler of host code, where one is chosen. */
static bool nvcc_can_by_file(const Build *build, const char **host, Diag *diag) {
    for (Option option = {0}; option_next(build->words, build->count, &option);) {
        OptionUse use = option.kind->use;
        if (use == USE_PROGRAM) *host = option.value;
        if (use != USE_MORE_FILES && use != USE_DEVICE_CODE && (use != USE_MODE || strcmp(option.kind->name, "-c") == 0))
            continue;
        diag_say(diag, "'%.100s' does not go with names that nvcc's shell would read as part of a command", option.words[0]);
        return diag_hint(diag, "a name, a folder's path or an option has other signs than letters, digits and _ . / + - : , =");
    }
    return true;
}

/* nvcc compiles each file under a name that it can be told (alias.h), and the compiler of host code, which has no shell, links them. */
static bool run_nvcc_by_file(Build *build, Diag *diag) {
    const char *host = "g++";
    LOCAL_ARGV options = {0};
    argv_add(&options, "-D__WARPSCOPE__=1");
    add_headers(&options, build);
    for (size_t i = 0; i < build->count; i++) argv_add(&options, build->words[i]);
    FileBuild files = {.build = build,
                       .request = {.compiler = COMPILER_NVCC,
                                   .arch = build->arch,
                                   .relocatable = build->relocatable,
                                   .options = (const char *const *)options.words,
                                   .option_count = options.count,
                                   .timeout_s = COMPILE_SECONDS}};
    bool fine = nvcc_can_by_file(build, &host, diag);
    files.path = host;
    return fine && run_files(&files, diag);
}

static bool build_by_nvcc(Build *build, const char *path, Diag *diag) {
    if (build->device_link) return link_device_code(build, "g++", diag);
    LOCAL_ARGV command = {0};
    add_nvcc(&command, build, path);
    const bool linked_at_once = build->links && build->relocatable;
    return is_plain(&command) && !linked_at_once ? run_nvcc(build, &command, diag) : run_nvcc_by_file(build, diag);
}

static bool build_once(Build *build, Diag *diag) {
    char path[4096];
    if (build->output && !output_takes(build->output)) /* compilers and linkers would wait */
        return diag_error(diag, build->output, 0, 0, "cannot be written: %s", output_problem(errno));
    bool nvcc =
        build->compiler != COMPILER_CLANG && compile_find(COMPILER_NVCC, path, sizeof path, build->name, sizeof build->name);
    if (nvcc && compile_fits_runtime(build->name)) return build_by_nvcc(build, path, diag);
    if (nvcc && build->compiler == COMPILER_NVCC) {
        diag_say(diag, "%s is older than CUDA 13, whose runtime API programs call here", build->name);
        return diag_hint(diag, "./setup --cuda gets a newer nvcc; or --cc clang");
    }
    if (build->compiler != COMPILER_NVCC && compile_find(COMPILER_CLANG, path, sizeof path, build->name, sizeof build->name))
        return run_clang(build, path, diag);
    return find_failed(nvcc ? COMPILER_CLANG : build->compiler, NULL, diag);
}

bool build_run(Build *build, Diag *diag) {
    bool fine = build_once(build, diag);
    while (build->wanted != build->older) { /* twice at most: 12, then 11 */
        build->older = build->wanted;
        *diag = (Diag){0};
        fine = build_once(build, diag);
    }
    if (fine && build->older)
        fprintf(stderr, "warpscope: compiled as for CUDA %u: %s\n", build->older, text_string(&build->missed));
    text_free(&build->missed);
    return fine;
}
