#include "cuda/options.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"

/* --- reading --- */

static const OptionKind kinds[] = {
#define OPTION(short, long, value, use, clang) {short, long, VALUE_##value, USE_##use, CLANG_##clang},
#include "cuda/options.def"
#undef OPTION
};
static const OptionKind file = {"", NULL, VALUE_NONE, USE_FILE, CLANG_SAME},
                        unknown = {"", NULL, VALUE_NONE, USE_COMPILE, CLANG_SAME},
                        runtime = {"", NULL, VALUE_NONE, USE_DROP, CLANG_DROP};

/* What follows the name of a library of NVIDIA's runtime, or of cuBLAS, cuRAND or cuFFT, which would take the place of ours; NULL: it is another. */
static const char *after_runtime(const char *name) {
    static const char *const names[] = {"cudart_static", "cudart",        "cudadevrt", "cublas_static",
                                        "cublas",        "curand_static", "curand",    "cufft_static_nocallback",
                                        "cufft_static",  "cufft"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (strncmp(name, names[i], strlen(names[i])) == 0) return name + strlen(names[i]);
    return NULL;
}

/* Whether this follows the name in that of a library's file: ".a", ".so.13", or, of NVRTC's, ".alt.so". */
static bool is_library_ending(const char *ending) {
    if (text_begins(ending, ".alt.")) ending += strlen(".alt");
    return strcmp(ending, ".a") == 0 || strcmp(ending, ".so") == 0 || text_begins(ending, ".so.");
}

/* By its file's path, which is how CMake links it. */
static bool is_runtime_file(const char *path) {
    const char *name = text_last_name(path);
    const char *ending = strncmp(name, "lib", 3) == 0 ? after_runtime(name + 3) : NULL;
    return ending && is_library_ending(ending);
}

/* What is told the linker: a name behind -l, or -l and a name. */
static bool is_runtime_library(const char *value) {
    if (strncmp(value, "-l", 2) == 0) value += 2;
    const char *ending = after_runtime(value);
    return (ending && *ending == 0) || is_runtime_file(value + (*value == ':'));
}

/* How many characters of the word are this spelling; 0 if the word is another option. */
static size_t spelt(const OptionKind *kind, const char *spelling, const char *word) {
    size_t length = spelling ? strlen(spelling) : 0;
    if (length == 0 || strncmp(word, spelling, length) != 0) return 0;
    bool apart = word[length] == 0 || (word[length] == '=' && kind->takes != VALUE_NONE);
    return apart || kind->takes == VALUE_JOINED ? length : 0;
}

/* The longest spelling wins: "-lineinfo" is not the library "ineinfo". */
static const OptionKind *find(const char *word, size_t *length) {
    const OptionKind *found = &unknown;
    *length = 0;
    if (word[0] != '-') return &file;
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++) {
        size_t one = spelt(&kinds[i], kinds[i].name, word), other = spelt(&kinds[i], kinds[i].long_name, word);
        size_t longer = one > other ? one : other;
        if (longer <= *length) continue;
        *length = longer;
        found = &kinds[i];
    }
    return found;
}

bool option_next(const char *const *words, size_t count, Option *option) {
    const char *const *at = option->count ? option->words + option->count : words;
    size_t left = count - (size_t)(at - words), length;
    if (left == 0) return false;
    *option = (Option){.kind = find(at[0], &length), .words = at, .count = 1};
    if (option->kind->use == USE_FILE && is_runtime_file(at[0])) option->kind = &runtime;
    if (option->kind->takes == VALUE_NONE) return true;
    const char *rest = at[0] + length;
    if (*rest) {
        option->value = rest + (*rest == '=');
    } else if (left > 1) {
        option->value = at[1];
        option->count = 2;
    }
    if (option->kind->use == USE_LINK && option->value && is_runtime_library(option->value)) option->kind = &runtime;
    return true;
}

/* --- writing --- */

static void add_words(Argv *command, const Option *option) {
    for (size_t i = 0; i < option->count; i++) argv_add(command, option->words[i]);
}

/* For nvcc, which parts such a list at commas and has its shell part it at blanks. */
static void add_parts(Argv *command, const Option *option) {
    LOCAL_TEXT list = {0};
    for (const char *at = option->value ? option->value : ""; *(at += strspn(at, " "));) {
        size_t length = strcspn(at, " ");
        text_add(&list, "%s%.*s", list.length ? "," : "", (int)length, at);
        at += length;
    }
    argv_add(command, option->kind->name);
    if (list.length) argv_add(command, text_string(&list));
}

static void add_same(Argv *command, const Option *option) {
    const char *name = option->kind->name;
    switch (option->kind->takes) {
    case VALUE_NONE: argv_add(command, option->words[0]); break;
    case VALUE_WORD:
        argv_add(command, name);
        argv_add(command, option->value);
        break;
    case VALUE_JOINED: argv_add_pair(command, name, option->value); break;
    }
}

static void add_host_words(Argv *command, const char *list) {
    while (*list) {
        char word[1024];
        size_t length = strcspn(list, ", ");
        if (length > 0 && length < sizeof word) {
            memcpy(word, list, length);
            word[length] = 0;
            argv_add(command, word);
        }
        list += length + (list[length] != 0);
    }
}

/* --use_fast_math flushes denormals and takes the approximate instructions; it does not allow reordering sums or ignoring NaN, which is
 * what clang's -ffast-math would be. The headers and, for division, the second half of the compilation do the rest of it. */
static const char fast_math[] = "-fgpu-flush-denormals-to-zero -D__USE_FAST_MATH__=1";

/* A library whose calls are in ours, which each program is linked with: NVIDIA's would be asked for a GPU when the program starts. */
static bool is_in_ours(const Option *option) {
    static const char *const libraries[] = {
        "cuda", "nvrtc", "nvrtc_static", "nvrtc-builtins", "nvrtc-builtins_static", "nvptxcompiler_static"};
    const char *name = option->kind->use == USE_FILE           ? text_last_name(option->words[0])
                       : strcmp(option->kind->name, "-l") == 0 ? option->value
                                                               : NULL;
    if (!name) return false;
    const bool by_file = option->kind->use == USE_FILE || *name == ':';
    name += *name == ':';
    if (by_file && !text_begins(name, "lib")) return false;
    name += by_file ? strlen("lib") : 0;
    for (size_t i = 0; i < sizeof libraries / sizeof *libraries; i++) {
        const char *ending = text_begins(name, libraries[i]) ? name + strlen(libraries[i]) : NULL;
        if (ending && (by_file ? is_library_ending(ending) : *ending == 0)) return true;
    }
    return false;
}

void option_add(Argv *command, const Option *option, CompileSide side) {
    bool device = side == SIDE_DEVICE;
    if (is_in_ours(option)) return;
    if (option->kind->takes != VALUE_NONE && !option->value) return;
    switch (option->kind->clang) {
    case CLANG_SAME: add_same(command, option); break;
    case CLANG_DROP:
    case CLANG_REFUSE: break;
    case CLANG_FAST_MATH:
        if (device) argv_add_split(command, fast_math);
        break;
    case CLANG_FMAD:
        if (device && strcmp(option->value, "false") == 0) argv_add_split(command, "-Xclang -ffp-contract=off");
        break;
    case CLANG_DEBUG_DEVICE:
        if (device) argv_add(command, "-O0");
        break;
    case CLANG_DEBUG_HOST:
        if (!device) argv_add(command, "-g");
        break;
    case CLANG_STREAM:
        if (strcmp(option->value, "per-thread") == 0) argv_add(command, "-DCUDA_API_PER_THREAD_DEFAULT_STREAM=1");
        break;
    case CLANG_STANDARD: argv_add_pair(command, "-std=", option->value); break;
    case CLANG_HOST_WORDS:
        if (!device) add_host_words(command, option->value);
        break;
    case CLANG_LINKER_WORDS: argv_add_pair(command, "-Wl,", option->value); break;
    }
}

void option_add_file(Argv *command, const Option *option) {
    if (!is_in_ours(option)) argv_add_input(command, option->words[0]);
}

void options_add(Argv *command, const char *const *words, size_t count, CompileSide side) {
    for (Option option = {0}; option_next(words, count, &option);) {
        if (option.kind->use != USE_FILE && option.kind->use != USE_LINK) option_add(command, &option, side);
    }
}

/* A fat binary stands for machine code as well, under the name that nvcc gives that: STEM.cubin, where its own would be STEM.fatbin. */
static void add_device_code(Argv *command, const Option *code, const char *const *words, size_t count) {
    const char *file = NULL, *folder = NULL;
    bool named = strcmp(code->kind->name, "-cubin") != 0;
    for (Option option = {0}; option_next(words, count, &option);) {
        named |= option.kind->use == USE_OUTPUT;
        if (option.kind->use == USE_FILE) file = text_last_name(option.words[0]);
        if (strcmp(option.kind->name, "-odir") == 0) folder = option.value;
    }
    argv_add(command, "-fatbin");
    if (named || !file) return;
    const char *dot = strrchr(file, '.');
    LOCAL_TEXT output = text_from("%s%s%.*s.cubin", folder ? folder : "", folder ? "/" : "",
                                  (int)(dot ? (size_t)(dot - file) : strlen(file)), file);
    argv_add(command, "-o");
    argv_add(command, text_string(&output));
}

void options_add_nvcc(Argv *command, const char *const *words, size_t count) {
    for (Option option = {0}; option_next(words, count, &option);) {
        if (is_in_ours(&option)) continue;
        switch (option.kind->use) {
        case USE_FILE:
        case USE_COMPILE:
        case USE_PATH:
        case USE_PROGRAM:
        case USE_MACRO:
        case USE_MORE_FILES:
        case USE_DEBUG:
        case USE_LANGUAGE:
        case USE_STREAM:
        case USE_LINK:
        case USE_MODE: add_words(command, &option); break;
        case USE_PARTS: add_parts(command, &option); break;
        case USE_DEVICE_MODE: argv_add(command, "-c"); break;
        case USE_DEVICE_CODE: add_device_code(command, &option, words, count); break;
        case USE_DEVICE_LINK:
        case USE_OUTPUT:
        case USE_ARCH:
        case USE_RELOCATABLE:
        case USE_DROP:
        case USE_REFUSE: break;
        }
    }
}

/* --- what the options say --- */

bool options_have(const char *const *words, size_t count, const char *name) {
    for (Option option = {0}; option_next(words, count, &option);) {
        if (strcmp(option.kind->name, name) == 0) return true;
    }
    return false;
}

/* The policy in the text's last -dlcm or --def-load-cache; NULL where there is none. */
static const char *load_cache(const char *text) {
    static const char *const names[] = {"dlcm=", "def-load-cache="};
    const char *last = NULL;
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        for (const char *at = text; (at = strstr(at, names[i])) != NULL;) {
            at += strlen(names[i]);
            if (!last || at > last) last = at;
        }
    }
    return last;
}

bool options_bypass_l1(const char *const *words, size_t count) {
    bool bypass = false;
    for (Option option = {0}; option_next(words, count, &option);) {
        const char *policy = option.value && strcmp(option.kind->name, "-Xptxas") == 0 ? load_cache(option.value) : NULL;
        if (policy) bypass = strncmp(policy, "cg", 2) == 0;
    }
    return bypass;
}

/* The next number after "compute_" or "sm_" in the text; 0 at the end. A word such as native names no device. */
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

unsigned options_arch(const char *const *words, size_t count, unsigned newest, unsigned unnamed) {
    unsigned chosen = 0;
    for (Option option = {0}; option_next(words, count, &option);) {
        const char *text = option.kind->use == USE_ARCH && option.value ? option.value : "";
        if (strcmp(text, "native") == 0) unnamed = ARCH_OF_KERNELS; /* as labs are graded */
        for (unsigned arch; (arch = next_arch(&text)) != 0;)
            if (!chosen || (chosen > newest ? arch < chosen : arch <= newest && arch > chosen)) chosen = arch;
    }
    if (!chosen) return unnamed;
    return chosen > ARCH_OLDEST ? chosen : ARCH_OLDEST;
}

const char *options_level(const char *const *words, size_t count) {
    const char *level = "3";
    for (Option option = {0}; option_next(words, count, &option);) {
        if (strcmp(option.kind->name, "-O") == 0 && option.value) level = option.value;
        if (option.kind->clang == CLANG_DEBUG_DEVICE) level = "0";
    }
    return level;
}
