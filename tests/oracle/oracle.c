#include "oracle.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cuda/home.h"
#include "input/arguments.h"
#include "input/source.h"

enum { POISON = 0xa5, RUN_PARAMS = 16, FILES = 8, COMPILERS = 2 };

static const char *const files[FILES] = {"transpose.cu", "reduce.cu",  "grids.cu", "control.cu",
                                         "warp.cu",      "numbers.cu", "text.cu",  "groups.cu"};

typedef struct Build {
    Source source;
    SourceStatus status;
    Diag diag;
} Build;

static Build builds[COMPILERS][FILES]; /* written before the first test forks */
static int n_compilers;

typedef struct Buffer {
    Allocation *allocation;
    void *before; /* inputs: what must still be there */
} Buffer;

struct Run {
    const Source *source;
    const char *file;
    char title[120];
    LaunchRequest request;
    LaunchResult result;
    uint8_t *params;
    uint32_t n_params;
    Buffer buffers[RUN_PARAMS];
};

/* --- building ------------------------------------------------------------------------------------------------------------ */

static void build_all(void) {
    static char include_dir[4096];
    static const CompilerChoice choices[] = {COMPILER_NVCC, COMPILER_CLANG};
    const char *dir = home_headers(NULL, include_dir, sizeof include_dir) ? include_dir : NULL;
    for (int c = 0; c < COMPILERS; c++) {
        char path[4096], name[64];
        if (!compile_find(choices[c], path, sizeof path, name, sizeof name)) continue;
        for (int f = 0; f < FILES; f++) {
            snprintf(path, sizeof path, "tests/oracle/%s", files[f]);
            CompileRequest request = {.path = path, .compiler = choices[c], .include_dir = dir};
            Build *build = &builds[n_compilers][f];
            build->status = source_load(&request, &build->source, &build->diag);
            build->source.path = files[f];
        }
        n_compilers++;
    }
}

static void free_all(void) {
    for (int c = 0; c < n_compilers; c++)
        for (int f = 0; f < FILES; f++) source_free(&builds[c][f].source);
}

static void fail_with(const char *title, const Diag *diag, const char *messages) {
    Text text = {0};
    diag_format(diag, &text);
    ck_abort_msg("%s: %.500s%.400s", title, text_string(&text), messages); /* Check limits a message's length */
}

void oracle_add(TCase *tcase, const TTest *test) { tcase_add_loop_test(tcase, test, 0, n_compilers); }

/* --- one launch ---------------------------------------------------------------------------------------------------------- */

Run *run_new(int compiler, const char *file, const char *kernel) {
    int f = 0;
    while (f < FILES && strcmp(files[f], file) != 0) f++;
    ck_assert_msg(f < FILES, "no file %s", file);
    Build *build = &builds[compiler][f];
    Run *run = calloc(1, sizeof *run);
    run->source = &build->source;
    run->file = file;
    snprintf(run->title, sizeof run->title, "%s of %s by %s", kernel, file, build->source.compiled.compiler);
    if (build->status != SOURCE_GOOD) fail_with(run->title, &build->diag, text_string(&build->source.compiled.messages));
    Diag diag = {0};
    const Function *found = source_kernel(&build->source, kernel, &diag);
    if (!found) fail_with(run->title, &diag, "");
    run->params = calloc(1, found->param_bytes + 1);
    run->request = (LaunchRequest){
        .launch.kernel = kernel_prepare(build->source.program, found),
        .launch.params = run->params,
        .launch.memory = memory_new(),
        .profile = profile_find("h200", &diag),
        .l1 = true,
        .launch.checks = true,
        .launch.threads = 2,
    };
    ck_assert_msg(run->request.profile, "%s", diag.message);
    return run;
}

void run_free(Run *run) {
    if (run->result.owner) device_result_free(&run->result);
    memory_free(run->request.launch.memory);
    for (int i = 0; i < RUN_PARAMS; i++) free(run->buffers[i].before);
    free(run->params);
    free(run);
}

void run_struct(Run *run, const void *value, uint64_t bytes) {
    const Function *kernel = run->request.launch.kernel->function;
    ck_assert_msg(run->n_params < kernel->n_params, "%s has only %u parameters", run->title, kernel->n_params);
    const Variable *param = &run->request.launch.kernel->program->variables[kernel->params[run->n_params]];
    ck_assert_msg(param->bytes == bytes, "%s: parameter %u has %" PRIu64 " bytes, not %" PRIu64, run->title, run->n_params,
                  param->bytes, bytes);
    memcpy(run->params + param->offset, value, bytes);
    run->n_params++;
}

void run_i32(Run *run, int32_t value) { run_struct(run, &value, sizeof value); }
void run_f32(Run *run, float value) { run_struct(run, &value, sizeof value); }
void run_u64(Run *run, uint64_t value) { run_struct(run, &value, sizeof value); }

static Allocation *add_buffer(Run *run, const void *data, uint64_t bytes) {
    char name[32];
    snprintf(name, sizeof name, "argument %u", run->n_params);
    Allocation *allocation = memory_allocate(run->request.launch.memory, bytes, name, false);
    allocation->initialized = data != NULL;
    if (data && bytes)
        memcpy(allocation->host, data, bytes);
    else
        memset(allocation->host, POISON, bytes);
    ck_assert(run->n_params < RUN_PARAMS);
    run->buffers[run->n_params].allocation = allocation;
    run_u64(run, allocation->address);
    return allocation;
}

const void *run_input(Run *run, const void *data, uint64_t bytes) {
    Allocation *allocation = add_buffer(run, data, bytes);
    void *before = malloc(bytes + 1);
    memcpy(before, data, bytes);
    run->buffers[run->n_params - 1].before = before;
    return allocation->host;
}

void *run_output(Run *run, uint64_t bytes) { return add_buffer(run, NULL, bytes)->host; }
void *run_inout(Run *run, const void *data, uint64_t bytes) { return add_buffer(run, data, bytes)->host; }

void run_cooperative(Run *run) { run->request.launch.cooperative = true; }

void run_limit_steps(Run *run, uint64_t steps) { run->request.launch.max_steps = steps; }

static uint32_t at_least_one(uint32_t n) { return n ? n : 1; }

static void launch(Run *run, Shape grid, Shape block, uint32_t shared_bytes) {
    LaunchRequest *request = &run->request;
    ck_assert_msg(run->n_params == request->launch.kernel->function->n_params, "%s: %u of %u parameters given", run->title,
                  run->n_params, request->launch.kernel->function->n_params);
    const uint32_t grid_parts[3] = {at_least_one(grid.x), at_least_one(grid.y), at_least_one(grid.z)};
    const uint32_t block_parts[3] = {at_least_one(block.x), at_least_one(block.y), at_least_one(block.z)};
    memcpy(request->launch.grid, grid_parts, sizeof grid_parts);
    memcpy(request->launch.block, block_parts, sizeof block_parts);
    request->launch.shared_bytes = shared_bytes;
    if (run->result.owner) device_result_free(&run->result);
    run->result = (LaunchResult){0};
    Diag diag = {0};
    if (!device_launch(request, &run->result, &diag)) fail_with(run->title, &diag, "");
}

const LaunchResult *run_launch(Run *run, Shape grid, Shape block, uint32_t shared_bytes) {
    launch(run, grid, block, shared_bytes);
    const Fault *fault = &run->result.fault;
    const Location *location = program_location(run->request.launch.kernel->program, fault->pc, run->file);
    ck_assert_msg(fault->kind == FAULT_none, "%s: %s at line %u, block (%u,%u,%u) thread (%u,%u,%u): %s", run->title,
                  fault->kind == FAULT_none ? "" : fault_kinds[fault->kind].name, location ? location->line : 0,
                  fault->block[0], fault->block[1], fault->block[2], fault->thread[0], fault->thread[1], fault->thread[2],
                  fault->message);
    for (uint32_t i = 0; i < run->n_params; i++)
        if (run->buffers[i].before)
            ck_assert_msg(memcmp(run->buffers[i].before, run->buffers[i].allocation->host, run->buffers[i].allocation->bytes) ==
                              0,
                          "%s: argument %u, an input, was changed", run->title, i);
    return &run->result;
}

/* Whether this line (from 1) of the text holds the words. */
static bool line_holds(const char *text, uint32_t line, const char *words) {
    for (uint32_t at = 1; at < line && text; at++) {
        text = strchr(text, '\n');
        if (text) text++;
    }
    const char *found = text ? strstr(text, words) : NULL;
    return found && found < text + strcspn(text, "\n");
}

/* On as many host threads as a launch takes by itself: a small one takes one, so that no race is missed (see global_check.h). */
const Fault *run_fault(Run *run, Shape grid, Shape block, uint32_t shared_bytes, FaultKind kind, const char *line_text) {
    run->request.launch.threads = 0;
    launch(run, grid, block, shared_bytes);
    const Fault *fault = &run->result.fault;
    ck_assert_msg(fault->kind == kind, "%s: %s (%s) instead of %s", run->title,
                  fault->kind == FAULT_none ? "no fault" : fault_kinds[fault->kind].name, fault->message,
                  fault_kinds[kind].name);
    ck_assert_msg(fault->message[0], "%s: no message", run->title);
    if (line_text) {
        const Location *location = program_location(run->request.launch.kernel->program, fault->pc, run->file);
        ck_assert_msg(location && line_holds(run->source->text, location->line, line_text),
                      "%s: at line %u, which does not hold '%s'", run->title, location ? location->line : 0, line_text);
    }
    return fault;
}

/* --- comparing ----------------------------------------------------------------------------------------------------------- */

/* Element i as a number, and its distance from one to the next in that type at that magnitude. */
static double element(uint8_t type, const void *data, uint64_t i, double *ulp) {
    double value;
    if (type == TYPE_f64) {
        value = ((const double *)data)[i];
        double size = fabs(value);
        *ulp = isfinite(size) ? nextafter(size, INFINITY) - size : 0;
    } else {
        value = ((const float *)data)[i];
        float size = fabsf((float)value);
        *ulp = isfinite(size) ? (double)nextafterf(size, INFINITY) - size : 0;
    }
    return value;
}

static void print_element(uint8_t type, const void *data, uint64_t i, char *text, size_t size) {
    unsigned bytes = type_bytes[type];
    uint64_t bits = 0;
    memcpy(&bits, (const uint8_t *)data + i * bytes, bytes);
    double ulp;
    if (type == TYPE_f32 || type == TYPE_f64)
        snprintf(text, size, "%.17g (0x%" PRIx64 ")", element(type, data, i, &ulp), bits);
    else
        snprintf(text, size, "%" PRId64 " (0x%" PRIx64 ")", (int64_t)(bits << (64 - 8 * bytes)) >> (64 - 8 * bytes), bits);
}

static void differs(const Run *run, uint8_t type, const void *got, const void *expected, uint64_t i) {
    char is[80], should[80];
    print_element(type, got, i, is, sizeof is);
    print_element(type, expected, i, should, sizeof should);
    ck_abort_msg("%s: element %" PRIu64 " is %s, expected %s", run->title, i, is, should);
}

void run_equal(const Run *run, uint8_t type, const void *got, const void *expected, uint64_t count) {
    unsigned bytes = type_bytes[type];
    for (uint64_t i = 0; i < count; i++)
        if (memcmp((const uint8_t *)got + i * bytes, (const uint8_t *)expected + i * bytes, bytes) != 0)
            differs(run, type, got, expected, i);
}

void run_near(const Run *run, uint8_t type, const void *got, const void *expected, uint64_t count, double ulps) {
    for (uint64_t i = 0; i < count; i++) {
        double ulp, ignored, a = element(type, got, i, &ignored), b = element(type, expected, i, &ulp);
        bool alike = a == b || (isnan(a) && isnan(b)) || fabs(a - b) <= ulps * ulp;
        if (!alike) differs(run, type, got, expected, i);
    }
}

/* --- data ---------------------------------------------------------------------------------------------------------------- */

uint64_t random_bits(uint64_t seed, uint64_t index) { return arguments_random(seed, index); }

int32_t *random_ints(uint64_t count, int32_t least, int32_t most, uint64_t seed) {
    int32_t *data = malloc(count * sizeof *data + 1);
    for (uint64_t i = 0; i < count; i++)
        data[i] = (int32_t)(least + (int64_t)(random_bits(seed, i) % ((uint64_t)((int64_t)most - least) + 1)));
    return data;
}

float *random_whole_floats(uint64_t count, int32_t least, int32_t most, uint64_t seed) {
    int32_t *whole = random_ints(count, least, most, seed);
    float *data = malloc(count * sizeof *data + 1);
    for (uint64_t i = 0; i < count; i++) data[i] = (float)whole[i];
    free(whole);
    return data;
}

int main(void) {
    build_all();
    if (!n_compilers) {
        puts("needs nvcc or clang");
        return 77;
    }
    Suite *suite = suite_create("oracle");
    add_transposes(suite);
    add_reductions(suite);
    add_grids(suite);
    add_control(suite);
    add_warps(suite);
    add_numbers(suite);
    add_text(suite);
    add_groups(suite);
    SRunner *runner = srunner_create(suite);
    srunner_run_all(runner, CK_ENV);
    int failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    free_all();
    return failed != 0;
}
