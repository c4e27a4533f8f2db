/* environment.h: what `warpscope run` asks of the runtime of a program, through the environment, and the files of its JSON. Internal to src/runtime. */
#pragma once

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include "base/text.h"
#include "device/device.h"
#include "input/option_table.h"

/* The options of `warpscope run`, which come through the environment. */
typedef struct Options {
    const Profile *profile; /* WARPSCOPE_DEVICE, "h200" */
    bool strict;            /* WARPSCOPE_CHECK=strict */
    bool l1, joins, checks,
        replay;           /* WARPSCOPE_L1=off, WARPSCOPE_JOINS=off, WARPSCOPE_CHECK=none, WARPSCOPE_REPLAY=off turn them off */
    OnFault on_fault;     /* WARPSCOPE_ON_FAULT=report: ON_FAULT_GO_ON */
    bool details;         /* each kernel's table in the report; WARPSCOPE_REPORT=summary turns them off */
    bool problems;        /* WARPSCOPE_REPORT=gcc: what is wrong as lines for editors (report/problem.h), and no other report */
    unsigned threads;     /* WARPSCOPE_THREADS; 0: all */
    Schedule schedule;    /* WARPSCOPE_SCHEDULE */
    double host_wait_s;   /* WARPSCOPE_HOST_WAIT: how long a thread of the host waits for a launch that waits for the host */
    double tell_after_s;  /* WARPSCOPE_TELL_AFTER: a launch that runs for so long is told of */
    uint64_t max_steps;   /* WARPSCOPE_MAX_STEPS: what a launch may cost; 0: the default */
    const char *json;     /* WARPSCOPE_JSON: the file for one object per launch, or NULL */
    const char *trace;    /* WARPSCOPE_TRACE: the file for what ran when (traceevents.h), or NULL */
    const char *compiler; /* WARPSCOPE_COMPILER: which one compiled the program (a fat binary does not say), or NULL */
} Options;

/* Those that have a variable each: --max-steps of `warpscope run` is WARPSCOPE_MAX_STEPS, which the caller frees. Target: Options. */
extern const OptionRow environment_rows[];
Text environment_variable(const OptionRow *row);

/* As the environment has them; where a variable says what it may not, that ends the program. */
Options environment_options(void);

/* Files that are a whole JSON array after every object, however the program ends; NULL where none is asked for. What is asked for and cannot be had ends the
 * program before it has done anything; so does one file for both. */
void environment_open_files(const Options *options, FILE **json, FILE **trace);
void environment_add_json(FILE *file, const Text *object);

/* False, after a message, where it could not be written whole. */
bool environment_close_json(const char *path, FILE *file);

/* The status of a program that cannot write what it is asked for. */
enum { UNWRITTEN_STATUS = 2 };
