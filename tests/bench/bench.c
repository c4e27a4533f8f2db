/* bench KERNELS.cu INCLUDE_DIR: how many times longer the emulator takes for a kernel than this machine takes for the same work
 * written as plain C, on one core. The two are timed in turn, and the ratio of medians is shown: machines differ, ratios less so.
 * Both must give the same bytes. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "cuda/compile.h"
#include "device/device.h"
#include "ptx/program.h"

enum { ROUNDS = 5, BUFFERS_MOST = 3 };

typedef struct Job {
    const char *name;
    uint32_t grid[3], block[3];
    uint32_t buffers;  /* the first is the output */
    uint32_t elements; /* of each buffer, 4 bytes each */
    int32_t last;      /* the last parameter */
    void (*native)(void *const *buffers, uint32_t elements, int32_t last);
} Job;

static void native_hash(void *const *buffers, uint32_t elements, int32_t rounds) {
    uint32_t *out = buffers[0];
    for (uint32_t i = 0; i < elements; i++) {
        uint32_t x = i;
        for (int r = 0; r < rounds; r++) {
            x ^= x << 13;
            x ^= x >> 17;
            x ^= x << 5;
            x = x * 1664525u + i;
        }
        out[i] = x;
    }
}

static void native_copy(void *const *buffers, uint32_t elements, int32_t n) {
    (void)elements;
    memcpy(buffers[0], buffers[1], sizeof(float) * (size_t)n);
}

static void native_transpose(void *const *buffers, uint32_t elements, int32_t n) {
    (void)elements;
    float *out = buffers[0];
    const float *in = buffers[1];
    for (int by = 0; by < n; by += 32)
        for (int bx = 0; bx < n; bx += 32)
            for (int y = by; y < by + 32; y++)
                for (int x = bx; x < bx + 32; x++) out[x * n + y] = in[y * n + x];
}

static void native_product(void *const *buffers, uint32_t elements, int32_t n) {
    (void)elements;
    float *c = buffers[0];
    const float *a = buffers[1], *b = buffers[2];
    memset(c, 0, sizeof(float) * (size_t)n * (size_t)n);
    for (int y = 0; y < n; y++)
        for (int k = 0; k < n; k++)
            for (int x = 0; x < n; x++) c[y * n + x] = fmaf(a[y * n + k], b[k * n + x], c[y * n + x]);
}

static const Job jobs[] = {
    {"hash", {64, 1, 1}, {256, 1, 1}, 1, 64 * 256, 1000, native_hash},
    {"copy", {4096, 1, 1}, {256, 1, 1}, 2, 1 << 20, 1 << 20, native_copy},
    {"transpose", {32, 32, 1}, {32, 8, 1}, 2, 1 << 20, 1024, native_transpose},
    {"product", {12, 12, 1}, {16, 16, 1}, 3, 192 * 192, 192, native_product},
};

static double now(void) {
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (double)time.tv_sec + (double)time.tv_nsec * 1e-9;
}

static int by_value(const void *a, const void *b) {
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

static double median(double *values) {
    qsort(values, ROUNDS, sizeof *values, by_value);
    return values[ROUNDS / 2];
}

static void fail(const char *what, const Diag *diag) {
    Text text = {0};
    if (diag) diag_format(diag, &text);
    fprintf(stderr, "bench: %s\n%s", what, text_string(&text));
    exit(1);
}

/* Seconds of one launch. */
static double emulate(const Job *job, const Program *program, Memory *memory, const uint8_t *params, unsigned threads,
                      double *lanes) {
    Diag diag = {0};
    LaunchRequest request = {
        .program = program, .params = params, .memory = memory, .l1 = true, .checks = true, .threads = threads};
    request.kernel = program_kernel(program, job->name, &diag);
    request.profile = profile_find("h200", &diag);
    if (!request.kernel || !request.profile) fail(job->name, &diag);
    memcpy(request.grid, job->grid, sizeof request.grid);
    memcpy(request.block, job->block, sizeof request.block);
    LaunchResult result = {0};
    double start = now();
    if (!device_launch(&request, &result, &diag)) fail(job->name, &diag);
    double seconds = now() - start;
    if (result.fault.kind != FAULT_none) fail("the kernel faulted", NULL);
    *lanes = (double)result.counters->thread_instructions;
    device_result_free(&result);
    return seconds;
}

static void run_job(const Job *job, const Program *program) {
    Memory *memory = memory_new();
    uint8_t params[BUFFERS_MOST * 8 + 8] = {0};
    void *buffers[BUFFERS_MOST] = {0};
    size_t bytes = sizeof(float) * (size_t)job->elements;
    for (uint32_t i = 0; i < job->buffers; i++) {
        Allocation *allocation = memory_allocate(memory, bytes, "buffer", false);
        allocation->initialized = i > 0;
        for (uint32_t k = 0; i > 0 && k < job->elements; k++)
            ((float *)allocation->host)[k] = (float)(k * 2654435761u >> 8) * 0x1p-24f;
        memcpy(params + 8 * i, &allocation->address, 8);
        buffers[i] = allocation->host;
    }
    memcpy(params + 8 * job->buffers, &job->last, 4);
    void *emulated = buffers[0];
    buffers[0] = malloc(bytes);
    if (!buffers[0]) abort();
    double native_s[ROUNDS], one_s[ROUNDS], all_s[ROUNDS], lanes = 0;
    for (int r = 0; r < ROUNDS; r++) {
        double start = now();
        job->native(buffers, job->elements, job->last);
        native_s[r] = now() - start;
        one_s[r] = emulate(job, program, memory, params, 1, &lanes);
        if (memcmp(emulated, buffers[0], bytes) != 0) fail("native and emulated results differ", NULL);
        all_s[r] = emulate(job, program, memory, params, 0, &lanes);
    }
    double native = median(native_s), one = median(one_s), all = median(all_s);
    printf("%-10s %9.2f ms %9.2f ms %8.1f x %8.1f x %10.2f G/s\n", job->name, native * 1e3, one * 1e3, one / native,
           all / native, lanes / one * 1e-9);
    free(buffers[0]);
    memory_free(memory);
}

int main(int argc, char **argv) {
    if (argc != 3) {
        fprintf(stderr, "usage: bench KERNELS.cu INCLUDE_DIR\n");
        return 2;
    }
    Diag diag = {0};
    CompileResult compiled = {0};
    CompileRequest request = {.path = argv[1], .include_dir = argv[2]};
    if (!compile_cu(&request, &compiled, &diag)) fail(text_string(&compiled.messages), &diag);
    Program *program = program_parse(compiled.ptx.data, compiled.ptx.length, argv[1], &diag);
    if (!program) fail("no program", &diag);
    printf("PTX of %s; medians of %d; the emulator counts and checks everything\n", compiled.compiler, ROUNDS);
    printf("%-10s %12s %12s %10s %10s %14s\n", "kernel", "C, one core", "emulated", "slower", "all cores", "lane-insns");
    for (size_t i = 0; i < sizeof jobs / sizeof *jobs; i++) run_job(&jobs[i], program);
    program_free(program);
    compile_result_free(&compiled);
    return 0;
}
