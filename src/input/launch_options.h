/* launch_options.h: what `warpscope launch` and `warpscope compile` read on the command line. */
#pragma once

#include "base/arena.h"
#include "input/arguments.h"
#include "input/source.h"
#include "machine/schedule.h"

typedef struct Dump {
    uint64_t argument;
    const char *path;
} Dump;

typedef struct LaunchOptions {
    const char *path, *ptx, *kernel, *device, *svg;
    uint32_t grid[3], block[3];
    uint32_t shared_bytes;
    bool l1, joins, checks, strict, goes_on, cooperative, json, pictures, gcc, help;
    bool on_gpu;
    bool traced; /* this block, by its linear index */
    uint64_t trace;
    uint64_t optimization, repeats, timeout_s, moves; /* on the GPU */
    unsigned threads;
    uint64_t max_steps;
    Schedule schedule;
    CompileRequest source;
    Arguments arguments;
    Arena *arena;
    Dump *dumps;
    size_t n_dumps;
    const char **compile_options;
    size_t n_compile_options;
} LaunchOptions;

enum {
    OPTION_KERNEL = 256,
    OPTION_GRID,
    OPTION_BLOCK,
    OPTION_ARG,
    OPTION_SHARED,
    OPTION_DEVICE,
    OPTION_L1,
    OPTION_JOINS,
    OPTION_CC,
    OPTION_PTX,
    OPTION_JSON,
    OPTION_PICTURES,
    OPTION_FORMAT,
    OPTION_DUMP,
    OPTION_SVG,
    OPTION_THREADS,
    OPTION_TRACE,
    OPTION_MAX_STEPS,
    OPTION_CHECK,
    OPTION_COOPERATIVE,
    OPTION_ARCH,
    OPTION_ON,
    OPTION_ON_FAULT,
    OPTION_OPT,
    OPTION_REPEAT,
    OPTION_TIMEOUT,
    OPTION_MOVES,
    OPTION_SCHEDULE,
    OPTION_HELP
};

enum { THREADS_MOST = 1024 };

extern const char launch_help[];

/* The hint for one who types nvcc's -O3. */
#define OPTIMISED "leave it out: kernels are always compiled with -O3"

/* getopt's ':' and '?' as a message: an option that lacks its value, an unknown one. False. */
bool option_refused(int option, const char *word, const char *command, Diag *diag);

/* --schedule's: usual, worst, a seed, or for whole programs late. */
bool parse_schedule(const char *option, const char *text, Schedule *schedule, Diag *diag);

/* The value of an option: one of two words, a compiler of --cc, a number. False with a message for another. */
bool parse_choice(const char *option, const char *text, const char *yes, const char *no, bool *value, Diag *diag);

/* What --check says: "all", "none" or "strict", which is all and more. */
bool parse_checks(const char *option, const char *text, bool *checks, bool *strict, Diag *diag);
bool parse_compiler(const char *text, CompilerChoice *compiler, Diag *diag);
bool parse_number(const char *option, const char *text, uint64_t least, uint64_t most, uint64_t *value, Diag *diag);

/* One option that getopt found. False with a message when its value is not of the form wanted. */
bool parse_option(LaunchOptions *options, int option, const char *value, Diag *diag);

/* The whole command line of `launch`. */
bool options_parse(LaunchOptions *options, int argc, char **argv, Diag *diag);
