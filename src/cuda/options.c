#include "cuda/options.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define DEFAULT_ARCH "sm_75"

typedef enum Fate {
    FATE_PASS,
    FATE_DROP,
    FATE_DROP_TWO, /* the value is the next word */
    FATE_FAST_MATH,
    FATE_NO_FMA,
    FATE_DEBUG_DEVICE,
    FATE_DEBUG_HOST,
    FATE_HOST,     /* "-Xcompiler=-Wall,-fPIC": words for the host's compiler */
    FATE_HOST_TWO, /* the same in two words */
    FATE_STANDARD  /* "-std c++20" */
} Fate;

/* nvcc's own options; the rest have the same names in clang. The first row that fits counts. */
static Fate fate_of(const char *option) {
    static const struct {
        const char *prefix;
        bool whole;
        Fate fate;
    } known[] = {
        {"--use_fast_math", true, FATE_FAST_MATH},
        {"-use_fast_math", true, FATE_FAST_MATH},
        {"--fmad=false", true, FATE_NO_FMA},
        {"-fmad=false", true, FATE_NO_FMA},
        {"--fmad=true", true, FATE_DROP},
        {"-fmad=true", true, FATE_DROP},
        {"-lineinfo", true, FATE_DROP},
        {"--generate-line-info", true, FATE_DROP},
        {"--expt-", false, FATE_DROP},
        {"-expt-", false, FATE_DROP},
        {"--extended-lambda", true, FATE_DROP},
        {"-extended-lambda", true, FATE_DROP},
        {"-rdc=", false, FATE_DROP},
        {"--relocatable-device-code", false, FATE_DROP},
        {"-maxrregcount", false, FATE_DROP},
        {"--maxrregcount", false, FATE_DROP},
        {"-Xcompiler=", false, FATE_HOST},
        {"--compiler-options=", false, FATE_HOST},
        {"-Xcompiler", true, FATE_HOST_TWO},
        {"--compiler-options", true, FATE_HOST_TWO},
        {"-std", true, FATE_STANDARD},
        {"--std", true, FATE_STANDARD},
        {"-Xptxas=", false, FATE_DROP},
        {"--ptxas-options=", false, FATE_DROP},
        {"-Xptxas", true, FATE_DROP_TWO},
        {"--ptxas-options", true, FATE_DROP_TWO},
        {"-gencode", true, FATE_DROP_TWO},
        {"-gencode=", false, FATE_DROP},
        {"--generate-code", true, FATE_DROP_TWO},
        {"--generate-code=", false, FATE_DROP},
        {"-arch", true, FATE_DROP_TWO},
        {"-arch=", false, FATE_DROP},
        {"--gpu-architecture", true, FATE_DROP_TWO},
        {"--gpu-architecture=", false, FATE_DROP},
        {"-code=", false, FATE_DROP},
        {"-ccbin", true, FATE_DROP_TWO},
        {"-ccbin=", false, FATE_DROP},
        {"-cudart", true, FATE_DROP_TWO},
        {"-cudart=", false, FATE_DROP},
        {"--cudart=", false, FATE_DROP},
        {"-x", true, FATE_DROP_TWO},
        {"-res-usage", true, FATE_DROP},
        {"--resource-usage", true, FATE_DROP},
        {"--diag-suppress", false, FATE_DROP},
        {"-diag-suppress", false, FATE_DROP},
        {"-Wno-deprecated-gpu-targets", true, FATE_DROP},
        {"-forward-unknown-to-host-compiler", true, FATE_DROP},
        {"-G", true, FATE_DEBUG_DEVICE},
        {"--device-debug", true, FATE_DEBUG_DEVICE},
        {"-g", true, FATE_DEBUG_HOST},
        {"--debug", true, FATE_DEBUG_HOST},
    };
    for (size_t i = 0; i < sizeof known / sizeof *known; i++) {
        size_t length = known[i].whole ? strlen(option) + 1 : strlen(known[i].prefix);
        if (strncmp(option, known[i].prefix, length) == 0) return known[i].fate;
    }
    return FATE_PASS;
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

/* --use_fast_math flushes denormals and takes the approximate instructions; it is no leave to reorder sums or to forget NaN, which is
 * what clang's -ffast-math would be. The headers do their part, the second half of the compilation the division's. */
static void add_fast_math(Argv *command) {
    argv_add(command, "-fgpu-flush-denormals-to-zero");
    argv_add(command, "-D__USE_FAST_MATH__=1");
}

void options_add(Argv *command, const CompileRequest *request, CompileSide side) {
    bool device = side == SIDE_DEVICE;
    for (size_t i = 0; i < request->option_count; i++) {
        const char *option = request->options[i];
        const char *next = i + 1 < request->option_count ? request->options[i + 1] : "";
        switch (fate_of(option)) {
        case FATE_PASS: argv_add(command, option); break;
        case FATE_DROP: break;
        case FATE_DROP_TWO: i++; break;
        case FATE_FAST_MATH:
            if (device) add_fast_math(command);
            break;
        case FATE_NO_FMA:
            if (!device) break;
            argv_add(command, "-Xclang");
            argv_add(command, "-ffp-contract=off");
            break;
        case FATE_DEBUG_DEVICE:
            if (device) argv_add(command, "-O0");
            break;
        case FATE_DEBUG_HOST:
            if (!device) argv_add(command, "-g");
            break;
        case FATE_HOST:
            if (!device) add_host_words(command, strchr(option, '=') + 1);
            break;
        case FATE_HOST_TWO:
            i++;
            if (!device) add_host_words(command, next);
            break;
        case FATE_STANDARD:
            i++;
            argv_add_pair(command, "-std=", next);
            break;
        }
    }
}

bool options_have(const CompileRequest *request, const char *prefix) {
    for (size_t i = 0; i < request->option_count; i++) {
        if (strncmp(request->options[i], prefix, strlen(prefix)) == 0) return true;
    }
    return false;
}

/* Takes "sm_80", "compute_80" and "arch=compute_80,code=sm_80"; a word such as native names no device. */
static bool read_arch(const char *text, char *arch, size_t arch_bytes) {
    if (strncmp(text, "arch=", 5) == 0) text += 5;
    size_t skip = strncmp(text, "sm_", 3) == 0 ? 3 : strncmp(text, "compute_", 8) == 0 ? 8 : 0;
    if (skip == 0) return false;
    snprintf(arch, arch_bytes, "sm_%.*s", (int)strcspn(text + skip, ","), text + skip);
    return true;
}

static const char *const arch_names[] = {"-arch", "--gpu-architecture", "-gencode", "--generate-code", NULL};

/* The value of an option that names a device, in the same word or the next; NULL for every other option. */
static const char *arch_value(const CompileRequest *request, size_t i, bool *two_words) {
    const char *option = request->options[i];
    *two_words = false;
    for (const char *const *name = arch_names; *name; name++) {
        size_t length = strlen(*name);
        if (strncmp(option, *name, length) != 0) continue;
        if (option[length] == '=') return option + length + 1;
        *two_words = option[length] == 0 && i + 1 < request->option_count;
        if (*two_words) return request->options[i + 1];
    }
    return NULL;
}

void options_add_nvcc(Argv *command, const CompileRequest *request) {
    for (size_t i = 0; i < request->option_count; i++) {
        bool two_words;
        if (!arch_value(request, i, &two_words)) argv_add(command, request->options[i]);
        if (two_words) i++;
    }
}

void options_arch(const CompileRequest *request, char *arch, size_t arch_bytes) {
    snprintf(arch, arch_bytes, "%s", request->arch ? request->arch : DEFAULT_ARCH);
    for (size_t i = 0; i < request->option_count && !request->arch; i++) {
        bool two_words;
        const char *value = arch_value(request, i, &two_words);
        if (value && read_arch(value, arch, arch_bytes)) return;
    }
}

const char *options_level(const CompileRequest *request) {
    const char *level = "-O3";
    for (size_t i = 0; i < request->option_count; i++) {
        const char *option = request->options[i];
        if (strncmp(option, "-O", 2) == 0) level = option;
        if (fate_of(option) == FATE_DEBUG_DEVICE) level = "-O0";
    }
    return level;
}
