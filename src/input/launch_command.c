#include "input/launch_command.h"

LaunchOptions launch_defaults(void) {
    return (LaunchOptions){.device = "h200",
                           .l1 = true,
                           .joins = true,
                           .checks = true,
                           .optimization = 4,
                           .repeats = 20,
                           .arguments = arguments_new(),
                           .arena = arena_new()};
}

void launch_fill(LaunchCommand *launch) {
    Launch *asked = &launch->request.launch;
    const Function *function = asked->kernel->function;
    const LaunchOptions *options = launch->options;
    uint8_t *params = arena_alloc(options->arena, function->param_bytes + 8);
    launch->buffers = ARENA_ARRAY(options->arena, Allocation *, function->n_params + 1);
    asked->params = params;
    asked->memory = memory_new();
    arguments_build(&options->arguments, asked->kernel->program, function, asked->memory, params, launch->buffers);
}

static bool launch_once(LaunchCommand *launch, unsigned threads, Diag *diag) {
    launch_fill(launch);
    launch->request.launch.threads = threads;
    launch->trace.block = launch->options->trace;
    if (launch->options->traced) launch->request.trace = &launch->trace;
    return device_launch(&launch->request, &launch->result, diag);
}

void launch_free(LaunchCommand *launch) {
    trace_free(&launch->trace);
    if (launch->result.owner) device_result_free(&launch->result);
    if (launch->request.launch.memory) memory_free(launch->request.launch.memory);
    launch->request.launch.memory = NULL;
}

static bool launch_again(LaunchCommand *launch, unsigned threads, Diag *diag) {
    launch_free(launch);
    launch->result = (LaunchResult){0};
    return launch_once(launch, threads, diag);
}

/* A launch that stored where none was to lead is run again with marks of all that it reads. With several host threads, chance decides which of two racing blocks the fault names; with one it is always the same, so a launch that
 * failed is run again with one. */
bool launch_run(LaunchCommand *launch, Diag *diag) {
    if (!launch_once(launch, (unsigned)launch->options->threads, diag)) return false;
    if (launch->result.strayed) {
        launch->request.launch.imprinted = true;
        if (!launch_again(launch, (unsigned)launch->options->threads, diag)) return false;
    }
    if ((launch->result.fault.kind == FAULT_none && !launch->result.findings.count) || launch->result.threads == 1) return true;
    return launch_again(launch, 1, diag);
}

bool launch_prepare(LaunchCommand *launch, Diag *diag) {
    const LaunchOptions *options = launch->options;
    const Program *program = launch->source->program;
    const Function *kernel = source_kernel(launch->source, options->kernel, diag);
    const Profile *profile = profile_find(options->device, diag);
    if (!kernel || !profile || !arguments_fit(&options->arguments, program, kernel, diag)) return false;
    launch->request = (LaunchRequest){
        .launch.kernel = kernel_prepare(program, kernel),
        .launch.grid = {options->grid[0], options->grid[1], options->grid[2]},
        .launch.block = {options->block[0], options->block[1], options->block[2]},
        .launch.cluster = {options->cluster[0], options->cluster[1], options->cluster[2]},
        .wide_clusters = true,
        .launch.shared_bytes = (uint32_t)options->shared_bytes,
        .profile = profile,
        .l1 = options->l1,
        .joins = options->joins,
        .launch.checks = options->checks,
        .launch.strict = options->strict,
        .launch.on_fault = options->goes_on ? ON_FAULT_GO_ON : ON_FAULT_STOP,
        .launch.cooperative = options->cooperative,
        .launch.schedule = options->schedule,
        .launch.max_steps = options->max_steps,
        .launch.max_effort = options->max_steps,
    };
    return true;
}
