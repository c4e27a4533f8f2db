/* oracle.h: launches a kernel of tests/oracle/FILE.cu and compares what it wrote with what the host computed. Everything here ends the
 * running test with a message when it goes wrong; nothing returns an error.
 *
 * Each file is compiled once by each compiler that there is, before the first test; a test is a loop test over the compilers (_i).
 * Outputs are poisoned, inputs must come back untouched, and all checks are on: a kernel that is right must also run clean. */
#pragma once

#include <check.h>
#include <stdint.h>

#include "device/device.h"

typedef struct Run Run;

/* The kernel by any name that --kernel would take, compiled by compiler number `compiler`. */
Run *run_new(int compiler, const char *file, const char *kernel);
void run_free(Run *run);

/* The next parameter: a buffer. Input: a copy of data. Output: poisoned, and uninitialised to the checks. In-out: a copy of data that
 * the kernel may change. The result is the buffer as the kernel leaves it. */
const void *run_input(Run *run, const void *data, uint64_t bytes);
void *run_output(Run *run, uint64_t bytes);
void *run_inout(Run *run, const void *data, uint64_t bytes);

/* The next parameter: a value. */
void run_i32(Run *run, int32_t value);
void run_f32(Run *run, float value);
void run_u64(Run *run, uint64_t value);
void run_struct(Run *run, const void *value, uint64_t bytes);

typedef struct Shape {
    uint32_t x, y, z; /* 0 counts as 1 */
} Shape;

/* A cooperative launch. */
void run_cooperative(Run *run);

/* Instructions that one warp may run; without it the default of a launch. */
void run_limit_steps(Run *run, uint64_t steps);

/* Launches and expects no fault. The counters and the kernel's printf are in the result. */
const LaunchResult *run_launch(Run *run, Shape grid, Shape block, uint32_t shared_bytes);

/* Launches and expects a fault of this kind at a line of the source file that holds `line_text`; NULL: at no particular line. */
const Fault *run_fault(Run *run, Shape grid, Shape block, uint32_t shared_bytes, FaultKind kind, const char *line_text);

/* Ends the test at the first element that differs: by its bits, or for floats by more than `ulps` units in the last place. Two NaN are
 * alike. `type` is that of the elements. */
void run_equal(const Run *run, uint8_t type, const void *got, const void *expected, uint64_t count);
void run_near(const Run *run, uint8_t type, const void *got, const void *expected, uint64_t count, double ulps);

/* Reproducible data. Everything is freed by the caller. */
int32_t *random_ints(uint64_t count, int32_t least, int32_t most, uint64_t seed);
float *random_whole_floats(uint64_t count, int32_t least, int32_t most, uint64_t seed); /* sums of few are exact in any order */
uint64_t random_bits(uint64_t seed, uint64_t index);

/* tcase_add_loop_test over the compilers that there are. */
void oracle_add(TCase *tcase, const TTest *test);

static inline uint32_t blocks_for(uint64_t n, uint32_t per_block) { return (uint32_t)((n + per_block - 1) / per_block); }

/* Each file of tests adds its cases. */
void add_transposes(Suite *suite);
void add_reductions(Suite *suite);
void add_grids(Suite *suite);
void add_control(Suite *suite);
void add_warps(Suite *suite);
void add_numbers(Suite *suite);
void add_text(Suite *suite);
void add_groups(Suite *suite);
