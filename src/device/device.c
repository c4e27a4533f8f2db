#include "device/device.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "base/alloc.h"
#include "machine/grid.h"
#include "machine/module.h"
#include "machine/reach.h"
#include "observe/checks.h"
#include "observe/trace.h"
#include "ptx/joins.h"
#include "ptx/opcode.h"
#include "ptx/printargs.h"
#include "ptx/trips.h"

/* Of one warp, and of all warps that run together until a block ends: a few seconds where they compute, up to a minute or two where every request
 * misses the caches. */
#define DEFAULT_STEPS (UINT64_C(1) << 28)

/* CUDA C++ Programming Guide, table of technical specifications: the same for all devices from compute capability 3.0 on. */
static const uint32_t grid_limits[3] = {0x7fffffff, 65535, 65535};
static const uint32_t block_limits[3] = {1024, 1024, 64};
enum { BLOCK_THREADS = 1024 };

static bool shape_error(Diag *diag, const char *what, const uint32_t *shape, unsigned axis, uint32_t limit) {
    if (!shape[axis])
        diag_say(diag, "a %s of %u x %u x %u: no extent may be 0", what, shape[0], shape[1], shape[2]);
    else
        diag_say(diag, "a %s of %u x %u x %u: at most %u in %c", what, shape[0], shape[1], shape[2], limit, "xyz"[axis]);
    return false;
}

static Allocation *workspace_new(Memory *memory) {
    Allocation *workspace = memory_allocate(memory, GRID_WORKSPACE_BYTES, "the grid's barrier", false);
    uint32_t bytes = GRID_WORKSPACE_BYTES;
    memcpy(workspace->host, &bytes, sizeof bytes);
    workspace->initialized = true;
    return workspace;
}

static bool check_shape(const LaunchRequest *request, Diag *diag) {
    for (unsigned axis = 0; axis < 3; axis++) {
        if (!request->grid[axis] || request->grid[axis] > grid_limits[axis])
            return shape_error(diag, "grid", request->grid, axis, grid_limits[axis]);
        if (!request->block[axis] || request->block[axis] > block_limits[axis])
            return shape_error(diag, "block", request->block, axis, block_limits[axis]);
    }
    uint64_t threads = (uint64_t)request->block[0] * request->block[1] * request->block[2];
    if (threads <= BLOCK_THREADS) return true;
    diag_say(diag, "a block of %llu threads: a block has at most %d", (unsigned long long)threads, BLOCK_THREADS);
    return diag_hint(diag, "use smaller blocks and more of them");
}

static bool check_bounds(const LaunchRequest *request, Diag *diag) {
    uint64_t threads = (uint64_t)request->block[0] * request->block[1] * request->block[2], most = BLOCK_THREADS;
    const uint32_t *bounds = request->kernel->max_threads, *required = request->kernel->required_threads;
    if (bounds[0]) most = (uint64_t)bounds[0] * bounds[1] * bounds[2];
    if (threads > most)
        return diag_say(diag, "a block of %llu threads: the kernel is compiled for at most %llu (__launch_bounds__)",
                        (unsigned long long)threads, (unsigned long long)most);
    for (unsigned axis = 0; required[0] && axis < 3; axis++)
        if (request->block[axis] != required[axis])
            return diag_say(diag, "the kernel is compiled for blocks of exactly %u x %u x %u threads", required[0], required[1],
                            required[2]);
    return true;
}

/* What the device's assembler refuses, and what is not emulated. */
static bool check_function(const LaunchRequest *request, const Function *function, Diag *diag) {
    const Program *program = request->program;
    const Profile *profile = request->profile;
    if (function->refused) {
        *diag = *function->refused;
        return false;
    }
    unsigned since = function->since, has = 10 * profile->compute_major + profile->compute_minor;
    if (since <= has) return true;
    const Insn *insn = &program->insns[function->since_insn];
    bool is_wide = insn->op == OP_ld || insn->op == OP_st;
    const Location *location = program_location(program, function->since_insn, NULL);
    diag_say(diag, "'%s'%s at line %u needs compute capability %u.%u or higher; the %s has %u.%u", opcode_names[insn->op],
             is_wide ? " of 32 bytes a lane" : "", location && location->line ? location->line : insn->line, since / 10,
             since % 10, profile->full_name, has / 10, has % 10);
    return diag_hint(diag, is_wide ? "a lane loads or stores 16 bytes at most" : "take a newer device: --device");
}

static bool check_instructions(const LaunchRequest *request, Diag *diag) {
    Arena *arena = arena_new();
    Reach reach;
    reach_functions(request->program, request->kernel, arena, &reach);
    bool fine = true;
    for (uint32_t f = 0; fine && f < reach.n_functions; f++)
        fine = check_function(request, &request->program->functions[reach.functions[f]], diag);
    arena_free(arena);
    return fine;
}

/* The message begins as cudaGetErrorString(cudaErrorCooperativeLaunchTooLarge) has it. */
static bool check_cooperative(const LaunchRequest *request, uint32_t resident, Diag *diag) {
    uint64_t blocks = (uint64_t)request->grid[0] * request->grid[1] * request->grid[2];
    uint64_t most = (uint64_t)request->profile->sms * resident;
    if (blocks <= most) return true;
    diag_say(diag,
             "too many blocks in cooperative launch: %llu, and the device holds %llu at a time (%u on each of its %u SMs)",
             (unsigned long long)blocks, (unsigned long long)most, resident, request->profile->sms);
    return diag_hint(diag, "cudaOccupancyMaxActiveBlocksPerMultiprocessor times the number of SMs is the most");
}

enum { SHADOW_BYTES = 4 }; /* that checks keep for a byte of a variable */

/* The program's variables, which are made anew for each launch. */
static bool check_variables(const LaunchRequest *request, Diag *diag) {
    const Program *program = request->program;
    uint64_t bytes = 0;
    for (uint32_t i = 0; i < program->n_variables; i++) {
        const Variable *variable = &program->variables[i];
        if (variable->space == SPACE_GLOBAL || variable->space == SPACE_CONST) bytes += variable->bytes;
    }
    if (!request->max_bytes || bytes <= request->max_bytes / (1 + SHADOW_BYTES)) return true;
    diag_say(diag, "the file's __device__ and __constant__ variables take %llu bytes, and may take %llu",
             (unsigned long long)bytes, (unsigned long long)request->max_bytes / (1 + SHADOW_BYTES));
    return diag_hint(diag, "large tables belong in a buffer that the host fills");
}

/* What preparing a launch costs: decoding instructions, copying initialisers. */
static uint64_t effort_begun(const Program *program) {
    enum { COPIED_BYTES = 128, DECODED = 16 };
    uint64_t effort = (uint64_t)program->n_insns * DECODED;
    for (uint32_t i = 0; i < program->n_variables; i++)
        if (program->variables[i].init) effort += program->variables[i].bytes / COPIED_BYTES;
    return effort;
}

static bool refuse(LaunchResult *result, LaunchRefusal why) {
    result->refusal = why;
    return false;
}

/* Who sets a limit to the whole launch has said how much it may cost. */
static uint64_t unended_of(const LaunchRequest *request) {
    return request->max_unended ? request->max_unended : request->max_effort ? 0 : DEFAULT_STEPS;
}

static double now(void) {
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (double)time.tv_sec + (double)time.tv_nsec * 1e-9;
}

/* For a small launch, starting a second thread would take longer than it saves; and two blocks that race find each other for certain only
 * on one thread (observe/global_check.h). */
enum { SMALL_WARPS = 256, THREADS_MOST = 256 };

static unsigned threads_for(const LaunchRequest *request, uint32_t threads_per_block) {
    uint64_t blocks = (uint64_t)request->grid[0] * request->grid[1] * request->grid[2];
    uint64_t warps = blocks * ((threads_per_block + WARP_LANES - 1) / WARP_LANES);
    long processors = sysconf(_SC_NPROCESSORS_ONLN);
    if (request->trace) return 1;
    if (request->threads) return request->threads;
    return warps <= SMALL_WARPS || processors < 1 ? 1 : processors > THREADS_MOST ? THREADS_MOST : (unsigned)processors;
}

/* The observers of a launch. */
typedef struct Watchers {
    CounterSet *counters;
    CheckSet *checks; /* NULL without checks */
    FindingLog *logs; /* of what they find, by thread; NULL: that ends the launch */
    unsigned threads;
    Observer **
        observers; /* threads x each, in the order in which they see an access: checkers first, so that a faulty one is not counted */
    uint32_t each;
} Watchers;

static Watchers watchers_new(const LaunchRequest *request, const CounterConfig *config, unsigned threads, uint32_t resident) {
    Watchers watchers = {.counters = counters_new(config, request->program->n_insns, threads),
                         .each = 1 + request->checks + (request->trace != NULL),
                         .threads = threads};
    if (request->checks)
        watchers.checks = checks_new(request->memory, request->program, request->kernel, threads, config->sms * resident);
    bool logs = request->checks && (request->run_through || request->goes_on);
    if (logs) watchers.logs = alloc_zeroed(threads, sizeof *watchers.logs);
    watchers.observers = alloc_zeroed((size_t)threads * watchers.each, sizeof *watchers.observers);
    for (unsigned t = 0; t < threads; t++) {
        Observer **own = watchers.observers + (size_t)t * watchers.each;
        if (logs) watchers.logs[t] = (FindingLog){.program = request->program, .all = request->goes_on};
        if (watchers.checks) *own = checks_observer(watchers.checks, t, logs ? &watchers.logs[t] : NULL);
        Observer *counters = own[watchers.each - 1] = counters_observer(watchers.counters, t);
        if (request->trace)
            own[watchers.each - 2] = trace_begin(request->trace, request->program->n_insns, request->memory, counters);
    }
    return watchers;
}

/* All but the counters, which become the result's. */
static void watchers_free(Watchers *watchers) {
    free(watchers->observers);
    checks_free(watchers->checks);
    for (unsigned t = 0; watchers->logs && t < watchers->threads; t++) findings_free(&watchers->logs[t]);
    free(watchers->logs);
}

/* What the checks found; the earliest alone unless all is wanted, since each thread's checks have ended with its first. */
static void add_checked(FindingLog *findings, const Watchers *watchers) {
    FindingLog checked = {.program = findings->program};
    for (unsigned t = 0; watchers->logs && t < watchers->threads; t++) findings_merge(&checked, &watchers->logs[t]);
    findings_sort(&checked);
    if (!findings->all && checked.count) checked.count = 1;
    findings_merge(findings, &checked);
    findings_sort(findings);
    findings_free(&checked);
}

static Model model_of(const LaunchRequest *request, uint32_t threads, uint32_t shared_bytes, const Counters *counters) {
    ModelInput input = {.profile = request->profile,
                        .counters = counters,
                        .blocks = (uint64_t)request->grid[0] * request->grid[1] * request->grid[2],
                        .threads = threads,
                        .shared_bytes = shared_bytes,
                        .waits = waits_find(request->program, counters)};
    return model_time(&input);
}

/* executed: by instruction, as in Launch. */
static void result_fill(LaunchResult *result, const LaunchOutcome *outcome, const Watchers *watchers,
                        const uint64_t *executed) {
    result->counters = counters_result(watchers->counters);
    for (uint32_t pc = 0; pc < result->counters->n_insns; pc++) result->counters->insns[pc].executed = executed[pc];
    result->counters->instructions = outcome->instructions;
    result->counters->thread_instructions = outcome->thread_instructions;
    result->counters->busiest_warp = outcome->busiest_warp;
    result->counters->most_accesses = outcome->most_accesses;
    result->fault = outcome->fault;
    result->findings = outcome->findings;
    add_checked(&result->findings, watchers);
    result->output = outcome->output;
    result->threads = outcome->threads;
    result->effort = outcome->effort;
    result->owner = watchers->counters;
}

/* What the counters know of the code, by instruction of the program. joins: NULL where nothing is joined. */
typedef struct Findings {
    uint8_t *joins;
    Trip *trips;
} Findings;

static void find_joins(const Program *program, const Function *function, const Reach *reach, uint8_t **joins) {
    uint8_t *found = joins_find(program, function, reach->shared_offset);
    if (!found) return;
    if (!*joins) *joins = alloc_zeroed(program->n_insns, sizeof **joins);
    memcpy(*joins + function->first, found, function->count);
    free(found);
}

static Findings find_in_code(const LaunchRequest *request) {
    const Program *program = request->program;
    Findings found = {.trips = alloc_zeroed(program->n_insns + 1, sizeof *found.trips)};
    Arena *arena = arena_new();
    Reach reach;
    reach_find(program, request->kernel, arena, &reach);
    for (uint32_t f = 0; f < reach.n_functions; f++) {
        const Function *function = &program->functions[reach.functions[f]];
        trips_find(program, function, found.trips);
        if (request->joins) find_joins(program, function, &reach, &found.joins);
    }
    arena_free(arena);
    return found;
}

bool device_launch(const LaunchRequest *request, LaunchResult *result, Diag *diag) {
    *result = (LaunchResult){0};
    if (!check_shape(request, diag)) return refuse(result, REFUSAL_SHAPE);
    if (!check_bounds(request, diag)) return refuse(result, REFUSAL_BOUNDS);
    if (!check_instructions(request, diag)) return refuse(result, REFUSAL_NOT_EMULATED);
    const Profile *profile = request->profile;
    uint32_t threads_per_block = request->block[0] * request->block[1] * request->block[2];
    uint64_t shared = (uint64_t)grid_static_shared(request->program, request->kernel) + request->shared_bytes;
    uint32_t shared_bytes = shared > UINT32_MAX ? UINT32_MAX : (uint32_t)shared;
    uint32_t limit = request->shared_bytes ? profile->shared_per_block : profile->shared_per_block_default;
    uint32_t resident = shared_bytes <= limit ? profile_resident_blocks(profile, threads_per_block, shared_bytes) : 1;
    unsigned threads = threads_for(request, threads_per_block);
    if (request->cooperative && !check_cooperative(request, resident, diag)) return refuse(result, REFUSAL_COOPERATIVE);
    if (!check_variables(request, diag)) return refuse(result, REFUSAL_MEMORY);

    Module *loaded = request->module ? NULL : module_load(request->program, request->memory, NULL);
    Allocation *workspace = request->cooperative ? workspace_new(request->memory) : NULL;
    CounterConfig config = profile_counters(profile, threads_per_block, shared_bytes <= limit ? shared_bytes : 0, request->l1);
    bool *uncounted = request->prints_aside ? printargs_find(request->program) : NULL;
    Findings found = find_in_code(request);
    config.uncounted = uncounted;
    config.joins = found.joins;
    config.trips = found.trips;
    config.blocks = (uint64_t)request->grid[0] * request->grid[1] * request->grid[2];
    Watchers watchers = watchers_new(request, &config, threads, resident);
    Launch launch = {.program = request->program,
                     .kernel = request->kernel,
                     .shared_dynamic = request->shared_bytes,
                     .shared_limit = limit,
                     .params = request->params,
                     .memory = request->memory,
                     .heap = request->heap,
                     .module = loaded ? loaded : request->module,
                     .sms = profile->sms,
                     .sms_shown = profile->sms_shown ? profile->sms_shown : profile->sms,
                     .resident = resident,
                     .threads = threads,
                     .max_steps = request->max_steps ? request->max_steps : DEFAULT_STEPS,
                     .max_effort = request->max_effort,
                     .max_unended = unended_of(request),
                     .max_bytes = request->max_bytes,
                     .observers = watchers.observers,
                     .n_observers = watchers.each,
                     .barrier_checks = request->checks && !request->run_through && !request->goes_on,
                     .goes_on = request->goes_on,
                     .cooperative = request->cooperative,
                     .traced = request->trace != NULL,
                     .quiet = request->quiet,
                     .sights = request->sights,
                     .executed = alloc_zeroed(request->program->n_insns, sizeof *launch.executed),
                     .workspace = workspace ? workspace->address : 0};
    memcpy(launch.grid, request->grid, sizeof launch.grid);
    memcpy(launch.block, request->block, sizeof launch.block);
    LaunchOutcome outcome;
    double start = now();
    bool ran = grid_run(&launch, &outcome, diag);
    double seconds = now() - start;
    free(uncounted);
    free(found.joins);
    free(found.trips);
    if (ran)
        result_fill(result, &outcome, &watchers, launch.executed);
    else
        counters_free(watchers.counters);
    free(launch.executed);
    watchers_free(&watchers);
    if (workspace) memory_release(request->memory, workspace);
    module_unload(loaded, request->memory);
    if (!ran) return refuse(result, shared_bytes > limit ? REFUSAL_MEMORY : REFUSAL_NOT_EMULATED);
    result->seconds = seconds;
    result->effort += effort_begun(request->program);
    if (result->fault.kind == FAULT_none) result->model = model_of(request, threads_per_block, shared_bytes, result->counters);
    return true;
}

void device_result_free(LaunchResult *result) {
    counters_free(result->owner);
    text_free(&result->output);
    findings_free(&result->findings);
    *result = (LaunchResult){0};
}
