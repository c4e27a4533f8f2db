#include "device/device.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/alloc.h"
#include "host/now.h"
#include "machine/grid.h"
#include "machine/module.h"
#include "observe/checks.h"
#include "observe/trace.h"
#include "ptx/opcode.h"

/* Of one warp, and of all warps that run together until a block ends: a few seconds where they compute, up to a minute or two where every request
 * misses the caches. */
#define DEFAULT_STEPS (UINT64_C(1) << 28)

/* Of starting all blocks, some 8 s of one host thread: 2^24 blocks of eight warps, whose threads are more than a host has words for. */
#define DEFAULT_STARTS (UINT64_C(1) << 30)

/* CUDA C++ Programming Guide, table of technical specifications: the same for all devices from compute capability 3.0 on. */
static const uint32_t grid_limits[3] = {0x7fffffff, 65535, 65535};
static const uint32_t block_limits[3] = {1024, 1024, 64};
enum { BLOCK_THREADS = 1024 };

static bool shape_error(Diag *diag, bool is_grid, const uint32_t *shape, unsigned axis) {
    const char *what = is_grid ? "grid" : "block";
    if (!shape[axis]) {
        diag_say(diag, "a %s of %u x %u x %u: no extent may be 0", what, shape[0], shape[1], shape[2]);
        return is_grid && diag_hint(diag, "n / threads is rounded down, and 0 where n is less: (n + threads - 1) / threads");
    }
    diag_say(diag, "a %s of %u x %u x %u: at most %u in %c", what, shape[0], shape[1], shape[2],
             (is_grid ? grid_limits : block_limits)[axis], "xyz"[axis]);
    if (is_grid) return diag_hint(diag, "the largest extent is x's: put most blocks there");
    return diag_hint(diag, "<<<blocks, threads>>>: the number of blocks comes first, the threads of each second");
}

static Allocation *workspace_new(Memory *memory) {
    Allocation *workspace = memory_allocate(memory, GRID_WORKSPACE_BYTES, "the grid's barrier", false);
    uint32_t bytes = GRID_WORKSPACE_BYTES;
    memcpy(workspace->host, &bytes, sizeof bytes);
    workspace->initialized = true;
    return workspace;
}

static bool check_shape(const Launch *launch, Diag *diag) {
    for (unsigned axis = 0; axis < 3; axis++) {
        if (!launch->grid[axis] || launch->grid[axis] > grid_limits[axis]) return shape_error(diag, true, launch->grid, axis);
        if (!launch->block[axis] || launch->block[axis] > block_limits[axis])
            return shape_error(diag, false, launch->block, axis);
    }
    if (launch_threads(launch) <= BLOCK_THREADS) return true;
    diag_say(diag, "a block of %u threads: a block has at most %d", launch_threads(launch), BLOCK_THREADS);
    return diag_hint(diag, "use smaller blocks and more of them");
}

static bool check_bounds(const Launch *launch, Diag *diag) {
    const Function *function = launch->kernel->function;
    const uint32_t *bounds = function->max_threads, *required = function->required_threads;
    const uint64_t most = bounds[0] ? (uint64_t)bounds[0] * bounds[1] * bounds[2] : BLOCK_THREADS;
    if (launch_threads(launch) > most)
        return diag_say(diag, "a block of %u threads: the kernel is compiled for at most %llu (__launch_bounds__)",
                        launch_threads(launch), (unsigned long long)most);
    for (unsigned axis = 0; required[0] && axis < 3; axis++)
        if (launch->block[axis] != required[axis])
            return diag_say(diag, "the kernel is compiled for blocks of exactly %u x %u x %u threads", required[0], required[1],
                            required[2]);
    return true;
}

/* What came later than the device, or than the target that it is compiled for, the assembler refuses. */
static bool check_need(const Kernel *kernel, const Profile *profile, Diag *diag) {
    const Program *program = kernel->program;
    const Need *need = &kernel->need;
    const unsigned has = 10 * profile->compute_major + profile->compute_minor;
    if (need->since <= has && need->since <= program->target) return true;
    const Insn *insn = &program->insns[need->insn];
    const Location *location = program_location(program, need->insn, NULL);
    const unsigned line = location && location->line ? location->line : insn->line;
    const bool is_word = need->what[0] == '.'; /* of the instruction's own */
    LOCAL_TEXT name = {0};
    text_add(&name, is_word ? "'%s%s'" : "'%s'%s", opcode_spelling(insn), need->what);
    if (need->since > has) {
        diag_say(diag, "%s at line %u needs compute capability %u.%u or higher; the %s has %u.%u", text_string(&name), line,
                 need->since / 10, need->since % 10, profile->full_name, has / 10, has % 10);
        return diag_hint(diag, "take a newer device by --device, or an instruction that this one has");
    }
    diag_say(diag, "%s at line %u needs .target sm_%u or higher; the PTX has sm_%u", text_string(&name), line, need->since,
             program->target);
    return diag_hint(diag, "compile with -arch=sm_%u; warpscope launch takes --arch sm_%u", need->since, need->since);
}

/* What the device's assembler refuses, and what is not emulated. */
static bool check_instructions(const LaunchRequest *request, Diag *diag) {
    const Kernel *kernel = request->launch.kernel;
    const Profile *profile = request->profile;
    if (request->of_lab && kernel->bulk)
        return diag_say(diag, "bulk copies (cp.async.bulk) are not counted in this lab: load and store in the kernel");
    if (request->of_lab && !request->launch.cluster[0] && (kernel->clusters || kernel->function->cluster[0]))
        return diag_say(diag,
                        "the lab does not launch this kernel in clusters of blocks: each block has shared memory of its own");
    if (request->of_lab && kernel->mma)
        return diag_say(diag, "tensor instructions (mma.sync) are not counted in this lab: multiply and add in the kernel");
    if (request->of_lab && kernel->textured)
        return diag_say(diag, "textures and surfaces are not counted in this lab: load and store in the kernel");
    if (kernel->refused) *diag = *kernel->refused;
    return !kernel->refused && check_need(kernel, profile, diag);
}

/* The dynamic part counts against what a kernel must ask for; without one a block has what every device gives. */
static uint32_t shared_limit(const LaunchRequest *request) {
    return request->launch.shared_bytes ? request->profile->shared_per_block : request->profile->shared_per_block_default;
}

static bool shared_fits(const LaunchRequest *request) { return launch_shared(&request->launch) <= shared_limit(request); }

static uint32_t resident_blocks(const LaunchRequest *request) {
    if (!shared_fits(request)) return 1;
    return profile_resident_blocks(request->profile, launch_threads(&request->launch),
                                   (uint32_t)launch_shared(&request->launch));
}

/* The message begins as cudaGetErrorString(cudaErrorCooperativeLaunchTooLarge) has it. */
static bool check_cooperative(const LaunchRequest *request, Diag *diag) {
    const uint32_t resident = resident_blocks(request);
    const uint64_t blocks = launch_blocks(&request->launch), most = (uint64_t)request->profile->sms * resident;
    if (!request->launch.cooperative || blocks <= most) return true;
    diag_say(diag,
             "too many blocks in cooperative launch: %llu, and the device holds %llu at a time (%u on each of its %u SMs)",
             (unsigned long long)blocks, (unsigned long long)most, resident, request->profile->sms);
    return diag_hint(diag, "cudaOccupancyMaxActiveBlocksPerMultiprocessor times the number of SMs is the most");
}

/* Those that the launch has: its own or, where it names none, the kernel's. */
static const uint32_t *cluster_of(const Launch *launch) {
    const bool named = launch->cluster[0] | launch->cluster[1] | launch->cluster[2];
    return named ? launch->cluster : launch->kernel->function->cluster;
}

bool device_has_own_cluster(const Launch *launch, Diag *diag) {
    const uint32_t *cluster = cluster_of(launch), *own = launch->kernel->function->cluster;
    if (!own[0] || memcmp(cluster, own, sizeof launch->cluster) == 0) return true;
    return diag_say(diag, "clusters of %u x %u x %u blocks: the kernel is compiled for those of %u x %u x %u", cluster[0],
                    cluster[1], cluster[2], own[0], own[1], own[2]);
}

/* CUDA C++ Programming Guide, "Thread Block Clusters". */
static bool check_cluster(const LaunchRequest *request, Diag *diag) {
    const Launch *launch = &request->launch;
    const Function *function = launch->kernel->function;
    const uint32_t *cluster = cluster_of(launch);
    const bool named = cluster[0] | cluster[1] | cluster[2];
    if (!named && function->explicit_cluster) {
        diag_say(diag, "the kernel is launched in clusters alone, whose size it leaves to the launch");
        return diag_hint(diag,
                         "warpscope launch takes --cluster X; cudaLaunchKernelEx has cudaLaunchAttributeClusterDimension");
    }
    if (!named) return true;
    if (!cluster[0] || !cluster[1] || !cluster[2])
        return diag_say(diag, "a cluster of %u x %u x %u blocks: no extent may be 0", cluster[0], cluster[1], cluster[2]);
    const uint64_t count = (uint64_t)cluster[0] * cluster[1] * cluster[2];
    if (request->profile->compute_major < 9) {
        diag_say(diag, "clusters of blocks need compute capability 9.0 or higher; the %s has %u.%u",
                 request->profile->full_name, request->profile->compute_major, request->profile->compute_minor);
        return diag_hint(diag, "take a device that has it: --device h100 or --device h200");
    }
    if (!device_has_own_cluster(launch, diag)) return false;
    const uint32_t most = request->wide_clusters ? CLUSTER_BLOCKS_MOST : CLUSTER_BLOCKS_PORTABLE;
    if (count > most || (function->max_cluster && count > function->max_cluster)) {
        diag_say(diag, "a cluster of %llu blocks: it has at most %u here", (unsigned long long)count,
                 function->max_cluster && function->max_cluster < most ? function->max_cluster : most);
        return !request->wide_clusters && count <= CLUSTER_BLOCKS_MOST &&
               diag_hint(diag,
                         "cudaFuncSetAttribute(kernel, cudaFuncAttributeNonPortableClusterSizeAllowed, 1) allows %d on "
                         "this device",
                         CLUSTER_BLOCKS_MOST);
    }
    for (unsigned axis = 0; axis < 3; axis++) {
        if (launch->grid[axis] % cluster[axis] == 0) continue;
        diag_say(diag, "a grid of %u x %u x %u blocks is no multiple of its clusters, of %u x %u x %u", launch->grid[0],
                 launch->grid[1], launch->grid[2], cluster[0], cluster[1], cluster[2]);
        return diag_hint(diag, "round the grid up to whole clusters: a block that has nothing to do still belongs to one");
    }
    return true;
}

/* As ptxas counts them: all of the file, one behind the other, whether a kernel uses them or not, those of another file as well. */
static bool check_constants(const Program *program, Diag *diag) {
    const Variable *largest = NULL;
    uint64_t end = 0;
    for (uint32_t i = 0; i < program->n_variables; i++) {
        const Variable *variable = &program->variables[i];
        if (variable->space != SPACE_CONST) continue;
        end = (end + variable->align - 1) / variable->align * variable->align + variable->bytes;
        if (!largest || variable->bytes > largest->bytes) largest = variable;
    }
    if (end <= CONSTANT_BYTES) return true;
    char *name = program_demangle(largest->name);
    diag_say(diag, "the file's __constant__ variables take %llu bytes, of at most %d: '%.100s' has %llu of them",
             (unsigned long long)end, CONSTANT_BYTES, name, (unsigned long long)largest->bytes);
    free(name);
    return diag_hint(diag, "a larger table belongs in global memory: __device__ in place of __constant__, or a buffer that the "
                           "host fills, read through const T *__restrict__");
}

enum { SHADOW_BYTES = 4 }; /* that checks keep for a byte of a variable */

/* The program's variables, which are made anew for each launch. */
static bool check_variables(const Launch *launch, Diag *diag) {
    const Program *program = launch->kernel->program;
    uint64_t bytes = 0;
    if (!check_constants(program, diag)) return false;
    for (uint32_t i = 0; i < program->n_variables; i++) {
        const Variable *variable = &program->variables[i];
        if (variable->space == SPACE_GLOBAL || variable->space == SPACE_CONST) bytes += variable->bytes;
    }
    if (!launch->max_bytes || bytes <= launch->max_bytes / (1 + SHADOW_BYTES)) return true;
    diag_say(diag, "the file's __device__ and __constant__ variables take %llu bytes, and may take %llu",
             (unsigned long long)bytes, (unsigned long long)launch->max_bytes / (1 + SHADOW_BYTES));
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

LaunchRefusal device_refusal(const LaunchRequest *request, Diag *diag) {
    const Launch *launch = &request->launch;
    if (!check_shape(launch, diag)) return REFUSAL_SHAPE;
    if (!check_bounds(launch, diag)) return REFUSAL_BOUNDS;
    if (!check_instructions(request, diag)) return REFUSAL_NOT_EMULATED;
    if (!check_cluster(request, diag)) return REFUSAL_CLUSTER;
    if (!check_cooperative(request, diag)) return REFUSAL_COOPERATIVE;
    return check_variables(launch, diag) ? REFUSAL_NONE : REFUSAL_MEMORY;
}

/* For a small launch, starting a second thread would take longer than it saves. */
enum { SMALL_WARPS = 256, THREADS_MOST = 256 };

static unsigned threads_for(const LaunchRequest *request) {
    const Launch *launch = &request->launch;
    const uint64_t warps = launch_blocks(launch) * ((launch_threads(launch) + WARP_LANES - 1) / WARP_LANES);
    if (request->trace || launch->schedule.kind != SCHEDULE_USUAL) return 1;
    if (launch->threads) return launch->threads;
    if (warps <= SMALL_WARPS) return 1;
    const long processors = sysconf(_SC_NPROCESSORS_ONLN); /* which reads a file */
    return processors < 1 ? 1 : processors > THREADS_MOST ? THREADS_MOST : (unsigned)processors;
}

/* A launch with all that it takes. */
typedef struct Run {
    const LaunchRequest *request;
    Launch launch; /* the request's, with what it leaves open */
    Machine machine;
    Module *loaded;        /* for it alone; NULL: the request has one */
    Allocation *workspace; /* of cooperative launches */
    CounterSet *counters;
    CheckSet *checks; /* NULL without checks */
} Run;

/* Who sets a limit to the whole launch has said how much it may cost. */
static Run run_plan(const LaunchRequest *request) {
    const Profile *profile = request->profile;
    Run run = {.request = request, .launch = request->launch};
    run.launch.threads = threads_for(request);
    memcpy(run.launch.cluster, cluster_of(&request->launch), sizeof run.launch.cluster);
    run.launch.tells_left |= run.launch.strict;
    if (!run.launch.max_steps) run.launch.max_steps = DEFAULT_STEPS;
    if (!run.launch.max_unended && !run.launch.max_effort) run.launch.max_unended = DEFAULT_STEPS;
    if (!run.launch.max_starts && !run.launch.max_effort) run.launch.max_starts = DEFAULT_STARTS;
    run.machine = (Machine){.sms = profile->sms,
                            .sms_shown = profile->sms_shown ? profile->sms_shown : profile->sms,
                            .resident = resident_blocks(request),
                            .warps = profile->max_threads_per_sm / WARP_LANES,
                            /* PTX ISA, "%total_smem_size" */
                            .shared_unit = profile->compute_major >= 8 ? 128 : 256,
                            .shared_limit = shared_limit(request),
                            .traced = request->trace != NULL,
                            .executed = alloc_zeroed(run.launch.kernel->program->n_insns, sizeof(uint64_t))};
    return run;
}

static void run_load(Run *run) {
    Launch *launch = &run->launch;
    if (!launch->module) launch->module = run->loaded = module_load(launch->kernel->program, launch->memory, NULL);
    if (!launch->cooperative) return;
    run->workspace = workspace_new(launch->memory);
    run->machine.workspace = run->workspace->address;
}

static CounterSet *counters_for(const Run *run) {
    const LaunchRequest *request = run->request;
    const Kernel *kernel = run->launch.kernel;
    const uint32_t shared_bytes = shared_fits(request) ? (uint32_t)launch_shared(&run->launch) : 0;
    CounterConfig config = profile_counters(request->profile, launch_threads(&run->launch), shared_bytes, request->l1);
    config.traits = kernel->traits;
    config.prints_aside = request->prints_aside && kernel->prints;
    if (request->joins)
        config.assembly =
            (Assembly){kernel->joins, kernel->combines, kernel->narrowed, request->profile->compute_major >= REDUCES_SINCE};
    config.trips = kernel->trips;
    config.blocks = launch_blocks(&run->launch);
    config.clusters = run->launch.cluster[0] != 0;
    config.sms_alone = request->untimed;
    return counters_new(&config, kernel->program->n_insns, run->launch.threads);
}

/* Observers see an access in their order: checkers first, so that a faulty one is not counted. */
static void run_watch(Run *run) {
    const Launch *launch = &run->launch;
    Machine *machine = &run->machine;
    run->counters = counters_for(run);
    if (launch->checks)
        run->checks = checks_new(launch->memory, launch->kernel,
                                 &(CheckConfig){.on_fault = launch->on_fault,
                                                .strict = launch->strict,
                                                .workers = launch->threads,
                                                .max_resident = machine->sms * machine->resident,
                                                .blocks = launch_blocks(launch),
                                                .threads = launch_threads(launch),
                                                .barrier = machine->workspace,
                                                .imprinted = launch->imprinted,
                                                .params = launch->params,
                                                .module = launch->module});
    machine->n_observers = 1 + launch->checks + machine->traced;
    machine->observers = alloc_zeroed((size_t)launch->threads * machine->n_observers, sizeof *machine->observers);
    for (unsigned t = 0; t < launch->threads; t++) {
        Observer **own = machine->observers + (size_t)t * machine->n_observers;
        Observer *counters = counters_observer(run->counters, t);
        if (run->checks) *own++ = checks_observer(run->checks, t);
        if (machine->traced)
            *own++ = trace_begin(run->request->trace, launch->kernel->program->n_insns, launch->memory, counters);
        *own = counters;
    }
}

static Model model_of(const Run *run, const Counters *counters) {
    const Launch *launch = &run->launch;
    ModelInput input = {.profile = run->request->profile,
                        .counters = counters,
                        .blocks = launch_blocks(launch),
                        .threads = launch_threads(launch),
                        .shared_bytes = (uint32_t)launch_shared(launch),
                        .waits = waits_find(launch->kernel, counters)};
    return model_time(&input);
}

static void run_tell(const Run *run, const LaunchOutcome *outcome, LaunchResult *result) {
    Counters *counters = counters_result(run->counters);
    for (uint32_t pc = 0; pc < counters->n_insns; pc++) counters->insns[pc].executed = run->machine.executed[pc];
    counters->instructions = outcome->instructions;
    counters->thread_instructions = outcome->thread_instructions;
    counters->busiest_warp = outcome->busiest_warp;
    counters->most_accesses = outcome->most_accesses;
    *result = (LaunchResult){.counters = counters,
                             .fault = outcome->fault,
                             .findings = outcome->findings,
                             .prints = outcome->prints,
                             .output = outcome->output,
                             .effort = outcome->effort + effort_begun(run->launch.kernel->program),
                             .threads = outcome->threads,
                             .strayed = run->checks && checks_strayed(run->checks),
                             .owner = run->counters};
    if (run->checks) checks_tell(run->checks, &result->findings);
    if (result->fault.kind == FAULT_none && !run->request->untimed) result->model = model_of(run, counters);
}

/* All but the counters, which become the result's. */
static void run_end(Run *run) {
    Memory *memory = run->launch.memory;
    free(run->machine.observers);
    free(run->machine.executed);
    checks_free(run->checks);
    if (run->workspace) memory_release(memory, run->workspace);
    module_unload(run->loaded, memory);
}

bool device_launch(const LaunchRequest *request, LaunchResult *result, Diag *diag) {
    LaunchOutcome outcome;
    *result = (LaunchResult){.refusal = device_refusal(request, diag)};
    if (result->refusal != REFUSAL_NONE) return false;
    Run run = run_plan(request);
    run_load(&run);
    run_watch(&run);
    const double start = now_s();
    const bool ran = grid_run(&run.launch, &run.machine, &outcome, diag);
    if (ran) {
        run_tell(&run, &outcome, result);
        result->seconds = now_s() - start;
    } else {
        result->refusal = shared_fits(request) ? REFUSAL_NOT_EMULATED : REFUSAL_MEMORY;
        counters_free(run.counters);
    }
    run_end(&run);
    return ran;
}

void device_result_free(LaunchResult *result) {
    counters_free(result->owner);
    text_free(&result->output);
    findings_free(&result->findings);
    *result = (LaunchResult){0};
}
