/* bench KERNELS.cu INCLUDE_DIR: the emulator's speed in thread-instructions a second and as a ratio to the same work written as plain C
 * on one core of this machine: machines differ, ratios less so. The runs are made in turn and the shortest of each shown, which other
 * programs disturbed least; native and emulated results must be the same bytes. Counting includes both caches; "checked" adds races and
 * uninitialised memory, whose part is the median of what pairs of runs say, and whose memory is that of two processes. */
#include <math.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "cuda/compile.h"
#include "device/device.h"
#include "observe/checks.h"
#include "ptx/program.h"

enum { ROUNDS = 9, BUFFERS_MOST = 3 };

typedef struct Job {
    const char *name;
    uint32_t grid[3], block[3];
    uint32_t buffers;  /* the first is the output */
    uint32_t elements; /* of each buffer, 4 bytes each */
    int32_t last;      /* the last parameter */
    void (*native)(void *const *buffers, uint32_t elements, int32_t last);
    uint32_t results; /* elements of the output that are written; 0: all */
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

enum { WARP = 32, TABLE = 1024, BLOCK = 256 };

static void native_shuffle(void *const *buffers, uint32_t elements, int32_t rounds) {
    for (uint32_t i = 0; i < elements; i += WARP) {
        uint32_t *x = (uint32_t *)buffers[0] + i;
        for (uint32_t k = 0; k < WARP; k++) x[k] = i + k;
        for (int r = 0; r < rounds; r++)
            for (uint32_t apart = WARP / 2; apart > 0; apart /= 2) {
                uint32_t sum[WARP];
                for (uint32_t k = 0; k < WARP; k++) sum[k] = x[k] + x[k ^ apart];
                memcpy(x, sum, sizeof sum);
            }
    }
}

static void native_vote(void *const *buffers, uint32_t elements, int32_t rounds) {
    for (uint32_t i = 0; i < elements; i += WARP) {
        uint32_t *x = (uint32_t *)buffers[0] + i;
        for (uint32_t k = 0; k < WARP; k++) x[k] = i + k;
        for (int r = 0; r < rounds; r++) {
            uint32_t ballot = 0;
            for (uint32_t k = 0; k < WARP; k++) ballot |= (x[k] >> 16 & 1) << k;
            for (uint32_t k = 0; k < WARP; k++) x[k] = x[k] * 1664525u + ballot;
        }
    }
}

static void native_functions(void *const *buffers, uint32_t elements, int32_t rounds) {
    for (uint32_t i = 0; i < elements; i++) {
        float x = (float)i;
        for (int r = 0; r < rounds; r++) x += (float)log2((double)((float)exp2((double)(float)sin((double)x)) + 1));
        ((float *)buffers[0])[i] = x;
    }
}

static void native_irregular(void *const *buffers, uint32_t elements, int32_t rounds) {
    uint32_t table[TABLE], histogram[TABLE], *x = buffers[0];
    for (uint32_t k = 0; k < TABLE; k++) table[k] = k * 2654435761u;
    for (uint32_t first = 0; first < elements; first += BLOCK) {
        memset(histogram, 0, sizeof histogram);
        for (uint32_t i = first; i < first + BLOCK; i++) {
            x[i] = i;
            for (int r = 0; r < rounds; r++) {
                x[i] = x[i] * 1664525u + table[x[i] >> 22];
                histogram[x[i] >> 22]++;
            }
        }
        for (uint32_t k = 0; k < TABLE; k++) x[first + k % BLOCK] ^= histogram[k] << k % 8;
    }
}

static void native_reduce(void *const *buffers, uint32_t elements, int32_t n) {
    enum { BLOCKS = 1024, THREADS = 256 };
    (void)elements;
    float *out = buffers[0];
    const float *in = buffers[1];
    for (int b = 0; b < BLOCKS; b++) {
        float part[THREADS] = {0};
        for (int from = b * THREADS; from < n; from += BLOCKS * THREADS)
            for (int t = 0; t < THREADS; t++) part[t] += in[from + t];
        for (int step = THREADS / 2; step; step /= 2)
            for (int t = 0; t < step; t++) part[t] += part[t + step];
        out[b] = part[0];
    }
}

static void native_stencil(void *const *buffers, uint32_t elements, int32_t n) {
    (void)elements;
    float *out = buffers[0];
    const float *in = buffers[1];
    memcpy(out, in, sizeof(float) * (size_t)n * (size_t)n);
    for (int y = 1; y < n - 1; y++)
        for (int i = y * n + 1; i < y * n + n - 1; i++) out[i] = in[i] + in[i - 1] + in[i + 1] + in[i - n] + in[i + n];
}

static void native_bytes(void *const *buffers, uint32_t elements, int32_t n) {
    (void)elements;
    uint8_t *out = buffers[0];
    const uint8_t *in = buffers[1];
    for (int i = 0; i < n; i++) out[i] = in[i] ^ 0xff;
}

static const Job jobs[] = {
    {"hash", {64, 1, 1}, {256, 1, 1}, 1, 64 * 256, 1000, native_hash, 0},
    {"copy", {4096, 1, 1}, {256, 1, 1}, 2, 1 << 20, 1 << 20, native_copy, 0},
    {"naive", {128, 128, 1}, {32, 8, 1}, 2, 1 << 24, 4096, native_transpose, 0},
    {"transpose", {128, 128, 1}, {32, 8, 1}, 2, 1 << 24, 4096, native_transpose, 0},
    {"product", {12, 12, 1}, {16, 16, 1}, 3, 192 * 192, 192, native_product, 0},
    {"shuffle", {64, 1, 1}, {BLOCK, 1, 1}, 1, 64 * BLOCK, 100, native_shuffle, 0},
    {"vote", {64, 1, 1}, {BLOCK, 1, 1}, 1, 64 * BLOCK, 500, native_vote, 0},
    {"functions", {64, 1, 1}, {BLOCK, 1, 1}, 1, 64 * BLOCK, 100, native_functions, 0},
    {"irregular", {64, 1, 1}, {BLOCK, 1, 1}, 1, 64 * BLOCK, 200, native_irregular, 0},
    {"reduce", {1024, 1, 1}, {256, 1, 1}, 2, 1 << 24, 1 << 24, native_reduce, 1024},
    {"stencil", {128, 512, 1}, {32, 8, 1}, 2, 1 << 24, 4096, native_stencil, 0},
    {"bytes", {1 << 17, 1, 1}, {256, 1, 1}, 2, 1 << 23, 1 << 25, native_bytes, 0},
};

static double now(void) {
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (double)time.tv_sec + (double)time.tv_nsec * 1e-9;
}

static double shortest(const double *seconds) {
    double least = seconds[0];
    for (int r = 1; r < ROUNDS; r++) least = seconds[r] < least ? seconds[r] : least;
    return least;
}

static void fail(const char *what, const Diag *diag) {
    Text text = {0};
    if (diag) diag_format(diag, &text);
    fprintf(stderr, "bench: %s\n%s", what, text_string(&text));
    exit(1);
}

/* Seconds of one launch. */
static double emulate(const Job *job, const Program *program, Memory *memory, const uint8_t *params, unsigned threads,
                      bool checks, double *lanes) {
    Diag diag = {0};
    LaunchRequest request = {.launch.params = params,
                             .launch.memory = memory,
                             .l1 = true,
                             .joins = true,
                             .launch.checks = checks,
                             .launch.threads = threads};
    const Function *function = program_kernel(program, job->name, &diag);
    request.profile = profile_find("h200", &diag);
    if (!function || !request.profile) fail(job->name, &diag);
    request.launch.kernel = kernel_prepare(program, function);
    memcpy(request.launch.grid, job->grid, sizeof request.launch.grid);
    memcpy(request.launch.block, job->block, sizeof request.launch.block);
    LaunchResult result = {0};
    if (!device_launch(&request, &result, &diag)) fail(job->name, &diag);
    if (result.fault.kind != FAULT_none) fail(result.fault.message, NULL);
    *lanes = (double)result.counters->thread_instructions;
    double seconds = result.seconds;
    device_result_free(&result);
    return seconds;
}

/* The job's buffers on the device; the output's pages are there before anything is timed. */
static Memory *make_buffers(const Job *job, uint8_t *params, void **buffers) {
    Memory *memory = memory_new();
    size_t bytes = sizeof(float) * (size_t)job->elements;
    for (uint32_t i = 0; i < job->buffers; i++) {
        Allocation *allocation = memory_allocate(memory, bytes, "buffer", false);
        allocation->initialized = i > 0;
        for (uint32_t k = 0; k < job->elements; k++) ((float *)allocation->host)[k] = (float)(k * 2654435761u >> 8) * 0x1p-24f;
        memcpy(params + 8 * i, &allocation->address, 8);
        buffers[i] = allocation->host;
    }
    memcpy(params + 8 * job->buffers, &job->last, 4);
    return memory;
}

typedef struct Native {
    const Job *job;
    void *const *buffers;
} Native;

static void *native_main(void *argument) {
    const Native *native = argument;
    native->job->native(native->buffers, native->job->elements, native->job->last);
    return NULL;
}

/* Seconds of the native work done twice at the same time, on two cores where there are two that are free. */
static double native_twice(const Job *job, void *const *buffers, void *second) {
    void *others[BUFFERS_MOST] = {second, buffers[1], buffers[2]};
    Native one = {job, buffers}, two = {job, others};
    pthread_t thread;
    double start = now();
    if (pthread_create(&thread, NULL, native_main, &two)) fail("cannot start a thread", NULL);
    native_main(&one);
    pthread_join(thread, NULL);
    return now() - start;
}

static int by_size(const void *a, const void *b) {
    const double one = *(const double *)a, other = *(const double *)b;
    return (one > other) - (one < other);
}

static double median(double *values) {
    qsort(values, ROUNDS, sizeof *values, by_size);
    return values[ROUNDS / 2];
}

/* The most memory that a process holds which does nothing but one launch, in bytes. */
static double peak_bytes(const Job *job, const Program *program, bool checks) {
    fflush(stdout);
    pid_t child = fork();
    if (child < 0) fail("cannot fork", NULL);
    if (child == 0) {
        uint8_t params[BUFFERS_MOST * 8 + 8] = {0};
        void *buffers[BUFFERS_MOST];
        double lanes;
        Memory *memory = make_buffers(job, params, buffers);
        emulate(job, program, memory, params, 1, checks, &lanes);
        memory_free(memory);
        _exit(0);
    }
    struct rusage usage;
    int status;
    if (wait4(child, &status, 0, &usage) != child || status != 0) fail("the launch for its memory failed", NULL);
    return (double)usage.ru_maxrss * 1024; /* kilobytes on Linux */
}

static unsigned processors(void) {
    long count = sysconf(_SC_NPROCESSORS_ONLN);
    return count > 0 ? (unsigned)count : 1;
}

static void run_job(const Job *job, const Program *program) {
    uint8_t params[BUFFERS_MOST * 8 + 8] = {0};
    void *buffers[BUFFERS_MOST] = {0};
    const double peak = peak_bytes(job, program, true), unchecked = peak_bytes(job, program, false);
    Memory *memory = make_buffers(job, params, buffers);
    size_t bytes = sizeof(float) * (size_t)job->elements,
           written = sizeof(float) * (size_t)(job->results ? job->results : job->elements);
    void *emulated = buffers[0];
    void *second = calloc(1, bytes);
    buffers[0] = malloc(bytes);
    if (!buffers[0] || !second) abort();
    double native_s[ROUNDS], pair_s[ROUNDS], one_s[ROUNDS], two_s[ROUNDS], all_s[ROUNDS], checked_s[ROUNDS], part[ROUNDS],
        lanes = 0;
    for (int r = 0; r < ROUNDS; r++) {
        double start = now();
        job->native(buffers, job->elements, job->last);
        native_s[r] = now() - start;
        pair_s[r] = native_twice(job, buffers, second);
        one_s[r] = emulate(job, program, memory, params, 1, false, &lanes);
        if (memcmp(emulated, buffers[0], written) != 0) fail("native and emulated results differ", NULL);
        two_s[r] = emulate(job, program, memory, params, 2, false, &lanes);
        all_s[r] = emulate(job, program, memory, params, processors(), false, &lanes);
        checked_s[r] = emulate(job, program, memory, params, 1, true, &lanes);
        part[r] = checked_s[r] / one_s[r];
    }
    double native = shortest(native_s), pair = shortest(pair_s), one = shortest(one_s), two = shortest(two_s),
           all = shortest(all_s), checked = shortest(checked_s);
    printf("%-10s %7.2f ms %4.2f x %5.2f G/s %5.1f x %4.2f x %4.1f x %5.2f G/s %5.1f x %5.2f x %4.0f MB", job->name,
           native * 1e3, 2 * native / pair, lanes / one * 1e-9, one / native, one / two, one / all, lanes / checked * 1e-9,
           checked / native, median(part), peak * 1e-6);
    double own = (double)bytes * job->buffers, base = 64 * 0x1p20;
    if (own > base) printf(" %4.2f x %5.2f", (peak - base) / own, (peak - unchecked) / own);
    printf("\n");
    free(buffers[0]);
    free(second);
    memory_free(memory);
}

/* A first launch of the smallest job beside a buffer of which the host has written all but the last byte. */
static void run_beside(const Program *program) {
    const Job *job = &jobs[0];
    uint8_t params[BUFFERS_MOST * 8 + 8] = {0};
    void *buffers[BUFFERS_MOST] = {0};
    double first[2], lanes;
    for (int beside = 0; beside < 2; beside++) {
        Memory *memory = make_buffers(job, params, buffers);
        const double start = now();
        if (beside) {
            Allocation *large = memory_allocate(memory, UINT64_C(1) << 30, "large", false);
            checks_host_wrote(large, 0, large->bytes - 1);
        }
        emulate(job, program, memory, params, 1, true, &lanes);
        first[beside] = now() - start;
        memory_free(memory);
    }
    printf("first launch of hash %.3f s, beside a GiB that is partly written %.3f s\n", first[0], first[1]);
}

static void run_compiler(const CompileRequest *request) {
    Diag diag = {0};
    CompileResult compiled = {0};
    double start = now();
    if (!compile_cu(request, &compiled, &diag)) fail(text_string(&compiled.messages), &diag);
    double seconds = now() - start;
    Program *program = program_parse(compiled.ptx.data, compiled.ptx.length, request->path, &diag);
    if (!program) fail("no program", &diag);
    printf("\nPTX of %s (its kernels from CUDA to PTX in %.2f s); shortest of %d\n", compiled.compiler, seconds, ROUNDS);
    printf("%-10s %10s %6s %9s %7s %6s %6s %9s %7s %7s %7s %6s %5s\n", "", "plain C", "two", "counted", "to C", "two", "all",
           "checked", "to C", "part", "memory", "of own", "kept");
    for (size_t i = 0; i < sizeof jobs / sizeof *jobs; i++) run_job(&jobs[i], program);
    run_beside(program);
    program_free(program);
    compile_result_free(&compiled);
}

int main(int argc, char **argv) {
    if (argc != 3) {
        fprintf(stderr, "usage: bench KERNELS.cu INCLUDE_DIR\n");
        return 2;
    }
    printf("counted, checked: thread-instructions a second on one thread; to C: times as long as plain C on one core;\n"
           "two: how much more two threads do in a time than one, plain C (what this machine can give) and counted; all: as "
           "many as\n"
           "processors, %u; part: checked to counted; memory: the most that a checked launch held; kept: bytes of it, for a "
           "byte of\n"
           "the kernel's buffers, for checks alone; of own: less 64 MiB, as a multiple of the kernel's own buffers, where "
           "those are large\n",
           processors());
    CompileRequest request = {.path = argv[1], .include_dir = argv[2]};
    Diag diag = {0};
    CompileResult found = {0};
    if (!compile_cu(&request, &found, &diag)) fail(text_string(&found.messages), &diag);
    CompilerChoice used = found.used;
    compile_result_free(&found);
    if (used == COMPILER_NVCC) {
        request.compiler = COMPILER_NVCC;
        run_compiler(&request);
    }
    request.compiler = COMPILER_CLANG;
    run_compiler(&request);
    return 0;
}
