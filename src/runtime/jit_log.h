/* jit_log.h: the logs of loading and linking, for which a program gives room by options. Internal to src/runtime. */
#pragma once

#include <stddef.h>

#include "include/cuda.h"

/* As a program gives them. */
typedef struct JitOptions {
    unsigned count;
    const CUjit_option *options;
    void **values;
} JitOptions;

/* Where a log goes; all 0 where the program wants none. */
typedef struct JitLog {
    char *into;
    size_t room;    /* bytes, with the NUL; CUDA takes 32 bits of it */
    void **written; /* an option's value, which says how much was written */
} JitLog;

/* Both logs. The room is read once: what is written says something else in its place. */
typedef struct JitLogs {
    JitLog error, info;
} JitLogs;

JitLogs jit_logs(JitOptions given);

/* Writes what went wrong, "" where nothing did, and into the other log nothing. */
void jit_logs_write(const JitLogs *logs, const char *error);
