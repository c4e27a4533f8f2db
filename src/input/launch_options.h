/* launch_options.h: what `warpscope launch` and `warpscope compile` read on the command line. */
#pragma once

#include "base/arena.h"
#include "input/arguments.h"
#include "input/option_table.h"
#include "input/source.h"
#include "machine/schedule.h"

typedef struct Dump {
    uint64_t argument;
    const char *path;
} Dump;

typedef struct LaunchOptions {
    const char *path, *ptx, *kernel, *device, *svg;
    uint32_t grid[3], block[3], cluster[3]; /* cluster[0]: 0: none asked for */
    bool l1, joins, checks, strict, goes_on, cooperative, json, pictures, gcc, help;
    bool on_gpu;
    bool traced; /* this block, by its linear index */
    uint64_t trace;
    uint64_t optimization, repeats, timeout_s, moves; /* on the GPU */
    uint64_t shared_bytes, threads, max_steps;
    Schedule schedule;
    CompileRequest source;
    Arguments arguments;
    Arena *arena;
    Dump *dumps;
    size_t n_dumps;
    const char **compile_options;
    size_t n_compile_options;
} LaunchOptions;

enum { THREADS_MOST = 1024 };

extern const char launch_help[];

/* --schedule's: usual, worst, a seed, or for whole programs late. */
bool parse_schedule(const char *option, const char *text, Schedule *schedule, Diag *diag);

/* What --check says: "all", "none" or "strict", which is all and more. */
bool parse_checks(const char *option, const char *text, bool *checks, bool *strict, Diag *diag);
bool parse_compiler(const char *text, CompilerChoice *compiler, Diag *diag);

/* The options of `launch`, of which other commands have some. Target: LaunchOptions. */
extern const OptionRow launch_rows[];

/* Whether there is what every launch needs. False with a message. */
bool options_complete(const LaunchOptions *options, Diag *diag);

/* The whole command line of `launch`. */
bool options_parse(LaunchOptions *options, int argc, char **argv, Diag *diag);
