/* gpu.h: kernels on a real GPU, by its driver, in a process of their own: one that fails takes no other with it. */
#pragma once

#include <sys/types.h>

#include "device/driver.h"
#include "plan.h"

typedef struct Gpu {
    pid_t worker; /* 0: none yet */
    int to, from;
    uint8_t *shared; /* what the worker sees of a job */
    char name[128];
    int version;
} Gpu;

/* Runs kernel "k" of a module. False: diag says why. */
bool gpu_run(Gpu *gpu, const Job *job, Diag *diag);
void gpu_close(Gpu *gpu);
