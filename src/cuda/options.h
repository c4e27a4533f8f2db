/* options.h: nvcc's options, which are what users write, read for both of their uses: one file's compilation and a build of whole
 * programs. All that is known of an option stands in its row of options.def. */
#pragma once

#include <stdbool.h>
#include <stddef.h>

#include "cuda/argv.h"

typedef enum OptionValue { VALUE_NONE, VALUE_WORD, VALUE_JOINED } OptionValue;

/* What a word of the command line is for. */
typedef enum OptionUse {
    USE_FILE, /* no option */
    USE_COMPILE,
    USE_PATH,       /* for the compiler: of a file or folder that it reads */
    USE_PROGRAM,    /* for the compiler: another program, by its path or its name */
    USE_MACRO,      /* for the compiler: NAME or NAME=VALUE */
    USE_PARTS,      /* for the compiler: further words, parted by commas or blanks, for a program that it starts */
    USE_MORE_FILES, /* for the compiler: which other files it reads options from or writes */
    USE_LINK,
    USE_OUTPUT,
    USE_MODE,        /* makes objects or text: nothing is linked */
    USE_DEVICE_CODE, /* -fatbin, -cubin: device code alone, which is a fat binary that holds PTX */
    USE_DEVICE_LINK, /* -dlink: links device code */
    USE_DEVICE_MODE, /* -dc: as -c, of device code that is meant to be linked */
    USE_ARCH,        /* names devices */
    USE_DEBUG,       /* for the compiler; excludes -lineinfo */
    USE_LANGUAGE,    /* for the compiler: what files are, whatever their names */
    USE_STREAM,      /* for the compiler: which stream is the default one */
    USE_RELOCATABLE, /* whether device code of several files is meant to be linked */
    USE_DROP,        /* the build decides it, whatever the user says */
    USE_REFUSE       /* makes machine code or links it */
} OptionUse;

/* How it is passed on to clang. */
typedef enum OptionClang {
    CLANG_SAME,
    CLANG_DROP,
    CLANG_REFUSE, /* clang has no such option, and leaving it out would not do what the user wants */
    CLANG_FAST_MATH,
    CLANG_FMAD,
    CLANG_DEBUG_DEVICE,
    CLANG_DEBUG_HOST,
    CLANG_STREAM,
    CLANG_STANDARD,
    CLANG_HOST_WORDS,  /* "-Wall,-fPIC": for the host's compiler */
    CLANG_LINKER_WORDS /* "-rpath,/lib": for the linker */
} OptionClang;

typedef struct OptionKind {
    const char *name, *long_name; /* name: what code calls the option, however the user spelt it */
    OptionValue takes;
    OptionUse use;
    OptionClang clang;
} OptionKind;

/* One option, or file, of a list of words. */
typedef struct Option {
    const OptionKind *kind;   /* never NULL: an option without a row is clang's too */
    const char *const *words; /* as the user gave it */
    size_t count;             /* of words: 1 or 2; 0 before the first option */
    const char *value;        /* NULL: it takes none, or the list ends before it */
} Option;

/* The next option of the list: for (Option option = {0}; option_next(words, count, &option);) … */
bool option_next(const char *const *words, size_t count, Option *option);

typedef enum CompileSide { SIDE_DEVICE, SIDE_HOST } CompileSide;

/* Adds one option as clang spells it; for one of the linker's, the side does not matter. */
void option_add(Argv *command, const Option *option, CompileSide side);

/* Adds a file that the linker is given: none that is NVIDIA's driver, whose calls our library has, as it is for "-lcuda" above. */
void option_add_file(Argv *command, const Option *option);

/* Adds what clang's compilation of that side needs of the options. */
void options_add(Argv *command, const char *const *words, size_t count, CompileSide side);

/* Adds files and options for nvcc itself, except those that name devices or the output and those that the build decides. Of -cubin without -o, which
 * goes with one file, it adds the output too. */
void options_add_nvcc(Argv *command, const char *const *words, size_t count);

/* Whether there is an option of that name (options.def's short one). */
bool options_have(const char *const *words, size_t count, const char *name);

/* Whether they ask ptxas for global loads that bypass L1: -Xptxas -dlcm=cg, or --def-load-cache=cg, as the last of its kind. */
bool options_bypass_l1(const char *const *words, size_t count);

/* Compute capabilities, times ten. The oldest of CUDA 13, for which nvcc compiles a whole program where nothing else is said: it means the same by
 * each compiler. And what a kernel by itself is compiled for then: the oldest that has what labs are solved by, such as cp.async, which a GPU's driver
 * refuses where the PTX is for an older one. */
#define ARCH_OLDEST 75
#define ARCH_OF_KERNELS 80
#define ARCH_WORD_OF(number) "sm_" #number
#define ARCH_WORD(number) ARCH_WORD_OF(number)
#define KERNELS_ARCH ARCH_WORD(ARCH_OF_KERNELS) /* "sm_80" */

/* The device that the options name, 80 for -arch=sm_80, -arch compute_80 and -gencode arch=compute_80,code=…: the newest up to one;
 * if all are newer, the oldest; ARCH_OLDEST if it is older; `unnamed` if there is none. */
unsigned options_arch(const char *const *words, size_t count, unsigned newest, unsigned unnamed);

/* The level at which device code is optimised: "3" where nothing else is asked for. */
const char *options_level(const char *const *words, size_t count);
