#include "runtime/build.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void argv_add(Argv *words, const char *word) {
    for (size_t room = 0; room < 2; room++) /* one for the word, one for the NULL behind it */
        words->list = arena_grow(words->arena, words->list, words->count + room, &words->capacity, sizeof *words->list);
    words->list[words->count++] = word;
    words->list[words->count] = NULL;
}

#ifndef LINK_FLAGS
#define LINK_FLAGS "-ljansson -lstdc++ -lm -lpthread -ldl"
#endif

/* LINK_FLAGS comes from the Makefile: what a program with our library in it is linked with. */
static void add_link_flags(Argv *command) {
    for (const char *at = LINK_FLAGS; *(at += strspn(at, " "));) {
        size_t length = strcspn(at, " ");
        bool library = strncmp(at, "-l", 2) == 0 || strncmp(at, "-L", 2) == 0;
        if (!library) argv_add(command, "-Xcompiler");
        argv_add(command, arena_copy(command->arena, at, length));
        at += length;
    }
}

/* Adds each word of a text. */
static void add_split(Argv *words, const char *text) {
    while (*(text += strspn(text, " "))) {
        size_t length = strcspn(text, " ");
        argv_add(words, arena_copy(words->arena, text, length));
        text += length;
    }
}

/* --- options --- */

typedef enum Fate {
    FATE_PASS,
    FATE_PASS_VALUE, /* with its value, in the word itself ("-Ifolder", "-std=c++17") or the next */
    FATE_DROP,
    FATE_DROP_VALUE,
    FATE_ARCH,    /* names architectures */
    FATE_OBJECT,  /* makes objects or text: nothing is linked */
    FATE_COMPILE, /* -dc: as -c */
    FATE_DEBUG,
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
    {"-rdc", FATE_DROP_VALUE},
    {"-rdc=", FATE_DROP},
    {"--relocatable-device-code", FATE_DROP_VALUE},
    {"--relocatable-device-code=", FATE_DROP},
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
    {"-o", FATE_PASS_VALUE},
    {"--output-file", FATE_PASS_VALUE},
    {"-I", FATE_PASS_VALUE},
    {"-isystem", FATE_PASS_VALUE},
    {"-include", FATE_PASS_VALUE},
    {"-D", FATE_PASS_VALUE},
    {"-U", FATE_PASS_VALUE},
    {"-L", FATE_PASS_VALUE},
    {"-l", FATE_PASS_VALUE},
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
    {"-Xlinker", FATE_PASS_VALUE},
    {"--linker-options", FATE_PASS_VALUE},
    {"-Xcudafe", FATE_PASS_VALUE},
    {"-Xnvlink", FATE_DROP_VALUE},
    {"-diag-suppress", FATE_PASS_VALUE},
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

/* --- the command --- */

typedef struct Reading {
    Build *build;
    Argv *command;
    unsigned arch;
    bool debug;
} Reading;

static bool is_file(const char *word) { return word[0] != '-' && word[0] != '@'; }

/* One option with its value; returns how many words it took, 0 after an error. */
static size_t read_option(Reading *reading, const char *const *words, size_t left, Diag *diag) {
    const char *option = words[0];
    bool in_word = strchr(option, '=') != NULL;
    Fate fate = fate_of(option);
    bool valued = !in_word && (fate == FATE_PASS_VALUE || fate == FATE_DROP_VALUE || fate == FATE_ARCH);
    if (valued && left < 2) {
        diag_error(diag, NULL, 0, 0, "option '%.200s' needs a value", option);
        return 0;
    }
    switch (fate) {
    case FATE_PASS:
        if (is_file(option) && !reading->build->first_file) reading->build->first_file = option;
        argv_add(reading->command, option);
        break;
    case FATE_PASS_VALUE:
        argv_add(reading->command, option);
        if (valued) argv_add(reading->command, words[1]);
        break;
    case FATE_DROP:
    case FATE_DROP_VALUE: break;
    case FATE_ARCH: choose_arch(&reading->arch, in_word && !valued ? option : words[1], reading->build->newest); break;
    case FATE_DEBUG:
        reading->debug = true;
        argv_add(reading->command, option);
        break;
    case FATE_COMPILE:
    case FATE_OBJECT:
        reading->build->links = false;
        argv_add(reading->command, fate == FATE_COMPILE ? "-c" : option);
        break;
    case FATE_REFUSE:
        diag_error(diag, NULL, 0, 0, "'%.100s' makes machine code or links it, of which the emulated device knows nothing",
                   option);
        return 0;
    }
    return valued ? 2 : 1;
}

bool build_command(Build *build, const char *const *options, size_t count, Argv *command, Diag *diag) {
    char path[4096], code[80];
    if (!compile_find(COMPILER_NVCC, path, sizeof path, build->name, sizeof build->name))
        return diag_error(diag, NULL, 0, 0, "nvcc is not installed");
    Reading reading = {.build = build, .command = command};
    build->links = true;
    build->first_file = NULL;
    argv_add(command, arena_copy(command->arena, path, strlen(path)));
    add_split(command, "-cudart none -no-compress -Wno-deprecated-gpu-targets");
    for (size_t i = 0; i < count;) {
        size_t taken = read_option(&reading, options + i, count - i, diag);
        if (!taken) return false;
        i += taken;
    }
    if (!reading.debug) argv_add(command, "-lineinfo");
    unsigned arch = reading.arch ? reading.arch : 75;
    snprintf(code, sizeof code, "-gencode arch=compute_%u,code=compute_%u", arch, arch);
    add_split(command, code);
    if (build->links) {
        argv_add(command, build->library);
        add_link_flags(command);
    }
    return true;
}
