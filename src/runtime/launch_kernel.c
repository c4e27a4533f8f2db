#include "runtime/launch_kernel.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "runtime/groups.h"
#include "runtime/hostpointer.h"
#include "runtime/long_launch.h"
#include "runtime/replay.h"
#include "runtime/stream.h"

/* --- the <<<…>>> of a call, between the host code that evaluates it and the stub that launches --- */

typedef struct Configuration {
    dim3 grid, block;
    size_t shared_bytes;
    void *stream;
    const void *site; /* of the <<<…>>>: callsite.h */
} Configuration;

enum { CONFIGURATIONS = 16 }; /* nested: a launch in the arguments of a launch */
static _Thread_local Configuration configurations[CONFIGURATIONS];
static _Thread_local unsigned configured;
static _Thread_local const void *launched_at; /* between the configuration and its launch */

unsigned __cudaPushCallConfiguration(dim3 grid, dim3 block, size_t shared_bytes, void *stream) {
    CALLSITE_BEGIN();
    if (configured == CONFIGURATIONS) return 1;
    configurations[configured++] = (Configuration){grid, block, shared_bytes, stream, callsite_now};
    return 0;
}

/* That of a program whose default stream is each thread's own: see warpscope/launch.h. */
unsigned __cudaPushCallConfiguration_ptsz(dim3 grid, dim3 block, size_t shared_bytes, void *stream);
unsigned __cudaPushCallConfiguration_ptsz(dim3 grid, dim3 block, size_t shared_bytes, void *stream) {
    CALLSITE_BEGIN();
    return __cudaPushCallConfiguration(grid, block, shared_bytes, stream ? stream : cudaStreamPerThread);
}

cudaError_t __cudaPopCallConfiguration(dim3 *grid, dim3 *block, size_t *shared_bytes, void *stream) {
    if (!configured) return cudaErrorMissingConfiguration;
    const Configuration *top = &configurations[--configured];
    *grid = top->grid;
    *block = top->block;
    *shared_bytes = top->shared_bytes;
    *(void **)stream = top->stream;
    launched_at = top->site;
    return cudaSuccess;
}

/* --- the outcome of a launch --- */

static cudaError_t error_of(FaultKind kind) {
#define FAULT(name, error, ...) cudaError##error,
    static const cudaError_t errors[FAULT_COUNT] = {cudaSuccess, FAULT_KINDS(FAULT)};
#undef FAULT
    return errors[kind];
}

/* Checking may have stopped at a race or an uninitialised read, so everything that the launch wrote counts as initialised. */
static void settle(Context *context) {
    for (size_t i = 0; i < memory_count(context->memory); i++) {
        Allocation *allocation = memory_at(context->memory, i);
        if (!allocation->written) continue;
        allocation->initialized = true;
        memory_define(allocation);
    }
}

static void note_refused(const ImageKernel *kernel, const Diag *diag) {
    char what[200], *name = program_demangle(kernel->name);
    snprintf(what, sizeof what, "launch of %.150s refused", name);
    free(name);
    note_diag(what, diag);
}

static cudaError_t refused(Context *context, const ImageKernel *kernel, const LaunchRequest *request, LaunchRefusal refusal,
                           const Diag *diag) {
    groups_refused(context, request, diag);
    note_refused(kernel, diag);
    switch (refusal) {
    case REFUSAL_NONE:
    case REFUSAL_SHAPE: return cudaErrorInvalidConfiguration;
    case REFUSAL_BOUNDS: return cudaErrorInvalidValue;
    case REFUSAL_COOPERATIVE: return cudaErrorCooperativeLaunchTooLarge;
    case REFUSAL_MEMORY: break;
    case REFUSAL_NOT_EMULATED: context->not_emulated = true;
    }
    return cudaErrorNotSupported;
}

/* The share of the device's room for resident blocks that the grid takes, and its time. */
static Duration duration_of(const LaunchRequest *request, double time_us) {
    const Profile *profile = request->profile;
    const uint32_t threads = launch_threads(&request->launch), shared = (uint32_t)launch_shared(&request->launch);
    const double room = (double)profile->sms * profile_resident_blocks(profile, threads, shared);
    const double blocks = (double)launch_blocks(&request->launch);
    return (Duration){ENGINE_KERNELS, time_us, blocks < room ? blocks / room : 1};
}

static bool calls_malloc(const Program *program) {
    for (uint32_t f = 0; f < program->n_functions; f++)
        if (!program->functions[f].is_defined && strcmp(program->functions[f].name, "malloc") == 0) return true;
    return false;
}

/* Four times that of `warpscope launch`: a program is not written for the emulator. */
#define PROGRAM_UNENDED (UINT64_C(1) << 30)

static LaunchRequest request_of(Context *context, const KernelWork *work) {
    const Image *image = work->kernel->image;
    if (!context->heap && calls_malloc(image->program))
        context->heap = heap_new(context->memory, context->limits[cudaLimitMallocHeapSize]);
    LaunchRequest request = {.launch.kernel = image_known(work->kernel),
                             .launch.shared_bytes = work->shared_bytes,
                             .launch.cooperative = work->cooperative,
                             .launch.params = work->params,
                             .launch.memory = context->memory,
                             .launch.module = image->module,
                             .launch.heap = context->heap,
                             .launch.stack_bytes = context->limits[cudaLimitStackSize],
                             .profile = context->options.profile,
                             .l1 = context->options.l1,
                             .joins = context->options.joins,
                             .launch.checks = context->options.checks,
                             .launch.strict = context->options.strict,
                             .launch.on_fault = context->options.on_fault,
                             .launch.max_steps = context->options.max_steps,
                             .launch.max_effort = context->options.max_steps,
                             .launch.max_unended = context->options.max_steps ? 0 : PROGRAM_UNENDED,
                             .launch.schedule = context->options.schedule,
                             .launch.threads = context->options.threads};
    memcpy(request.launch.grid, work->grid, sizeof request.launch.grid);
    memcpy(request.launch.block, work->block, sizeof request.launch.block);
    return request;
}

/* Messages call allocations by the names of the parameters that point to them. */
static void name_arguments(Context *context, const KernelWork *work) {
    const Function *function = work->kernel->function;
    for (uint32_t i = function->n_params; i-- > 0;) { /* the first of two that point to one allocation names it */
        const Variable *param = &work->kernel->image->program->variables[function->params[i]];
        uint64_t value = 0;
        if (param->bytes != sizeof value) continue;
        memcpy(&value, work->params + param->offset, sizeof value);
        Allocation *allocation = memory_find(context->memory, value);
        const char *name = allocation ? image_parameter(work->kernel, i) : NULL;
        if (!name || strcmp(name, allocation->name) == 0) continue;
        free(allocation->name);
        allocation->name = alloc_copy(name);
    }
}

cudaError_t kernel_check(Context *context, const KernelWork *work) {
    const LaunchRequest request = request_of(context, work);
    Diag diag = {0};
    const LaunchRefusal refusal = device_refusal(&request, &diag);
    return refusal == REFUSAL_NONE ? cudaSuccess : refused(context, work->kernel, &request, refusal, &diag);
}

cudaError_t kernel_run(Context *context, const KernelWork *work, Duration *duration) {
    LaunchRequest request = request_of(context, work);
    Memo *memo = context->options.replay ? replay_find(context, work) : NULL;
    if (memo) {
        groups_repeat(context, &request, memo);
        *duration = duration_of(&request, memo->model.time_us);
        return cudaSuccess;
    }
    name_arguments(context, work);
    replay_watch(context);
    LaunchResult result;
    Diag diag = {0};
    long_launch_watch(context->still, &request);
    const bool ran = device_launch(&request, &result, &diag);
    long_launch_leave(context->still);
    if (!ran) return refused(context, work->kernel, &request, result.refusal, &diag);
    text_add_bytes(&context->output, text_string(&result.output), result.output.length);
    groups_settle(context, work->kernel, &request, &result);
    if (result.fault.address) hostpointer_explain(context, work, &result.fault);
    if (result.findings.count && result.findings.on_fault != ON_FAULT_GO_ON) settle(context);
    struct LaunchGroup *group = groups_add(context, work->kernel, &request, &result);
    replay_remember(context, work, &result, group);
    context->sticky = error_of(result.fault.kind);
    context->not_emulated |= result.fault.kind == FAULT_unsupported;
    *duration = duration_of(&request, result.model.time_us);
    device_result_free(&result);
    return cudaSuccess;
}

/* --- the calls --- */

/* The kernel's parameter block from pointers to the arguments. */
static uint8_t *pack(const Program *program, const Function *function, void **arguments) {
    uint8_t *params = alloc_zeroed(1, function->param_bytes + 8);
    for (uint32_t i = 0; i < function->n_params; i++) {
        const Variable *param = &program->variables[function->params[i]];
        memcpy(params + param->offset, arguments[i], param->bytes);
    }
    return params;
}

/* Without cudaFuncSetAttribute a block has the 48 KiB that every device gives; static and dynamic memory count together. */
static bool shared_fits(Context *context, const KernelWork *work, size_t dynamic) {
    const ImageKernel *kernel = work->kernel;
    const Profile *profile = context->options.profile;
    uint64_t fixed = image_known(kernel)->reach.shared_static, most = profile->shared_per_block_default;
    if (kernel->shared_limit > 0 && fixed + (uint64_t)kernel->shared_limit > most)
        most = fixed + (uint64_t)kernel->shared_limit;
    if (dynamic <= most && fixed + dynamic <= most) return true;
    Diag diag = {0};
    diag_say(&diag, "%zu bytes of dynamic and %llu of static shared memory, of at most %llu", dynamic,
             (unsigned long long)fixed, (unsigned long long)most);
    if (dynamic <= profile->shared_per_block && fixed + dynamic <= profile->shared_per_block)
        diag_hint(&diag, "cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, %zu) first", dynamic);
    LaunchRequest request = request_of(context, work);
    groups_refused(context, &request, &diag);
    note_refused(kernel, &diag);
    return false;
}

typedef struct LaunchCall {
    const void *function;
    dim3 grid, block;
    void **arguments;
    size_t shared_bytes;
    cudaStream_t stream;
    bool cooperative;
} LaunchCall;

static API_CALL(launch, (const LaunchCall *call), (call)) {
    cudaError_t error;
    if (launched_at) callsite_now = launched_at;
    launched_at = NULL;
    ImageKernel *kernel = image_kernel(context, call->function, &error);
    if (!kernel) return error;
    Stream *stream = stream_find(context, call->stream);
    if (!stream) return cudaErrorInvalidResourceHandle;
    Work work = {.kind = WORK_KERNEL,
                 .kernel = {.kernel = kernel,
                            .grid = {call->grid.x, call->grid.y, call->grid.z},
                            .block = {call->block.x, call->block.y, call->block.z},
                            .shared_bytes = (uint32_t)call->shared_bytes,
                            .cooperative = call->cooperative}};
    if (!shared_fits(context, &work.kernel, call->shared_bytes)) return cudaErrorInvalidValue;
    if (kernel->function->n_params && !call->arguments) return cudaErrorInvalidValue;
    work.kernel.params = pack(kernel->image->program, kernel->function, call->arguments);
    return stream_submit(context, stream, &work);
}

PER_THREAD(cudaLaunchKernel, _ptsz,
           (const void *kernel, dim3 grid, dim3 block, void **arguments, size_t shared_bytes, cudaStream_t stream),
           (kernel, grid, block, arguments, shared_bytes, stream)) {
    return launch(&(LaunchCall){kernel, grid, block, arguments, shared_bytes, stream, false});
}

PER_THREAD(__cudaLaunchKernel, _ptsz,
           (cudaKernel_t kernel, dim3 grid, dim3 block, void **arguments, size_t shared_bytes, cudaStream_t stream),
           (kernel, grid, block, arguments, shared_bytes, stream)) {
    return launch(&(LaunchCall){kernel, grid, block, arguments, shared_bytes, stream, false});
}

PER_THREAD(cudaLaunchCooperativeKernel, _ptsz,
           (const void *kernel, dim3 grid, dim3 block, void **arguments, size_t shared_bytes, cudaStream_t stream),
           (kernel, grid, block, arguments, shared_bytes, stream)) {
    return launch(&(LaunchCall){kernel, grid, block, arguments, shared_bytes, stream, true});
}

/* Hints that change no result say nothing here. False, after a message, for what is not emulated. */
static bool take_attribute(const cudaLaunchAttribute *attribute, LaunchCall *call) {
    const struct WarpscopeClusterSize size = attribute->val.clusterDim;
    switch ((int)attribute->id) {
    case cudaLaunchAttributeCooperative: call->cooperative = attribute->val.cooperative != 0; return true;
    case cudaLaunchAttributeIgnore:
    case cudaLaunchAttributeAccessPolicyWindow:
    case cudaLaunchAttributeSynchronizationPolicy:
    case cudaLaunchAttributeProgrammaticStreamSerialization:
    case cudaLaunchAttributePriority:
    case cudaLaunchAttributePreferredSharedMemoryCarveout: return true;
    case cudaLaunchAttributeClusterDimension:
        if (size.x <= 1 && size.y <= 1 && size.z <= 1) return true;
    }
    note("cudaLaunchKernelExC: attribute %d is not emulated", (int)attribute->id);
    return false;
}

static API_CALL(launch_configured, (const cudaLaunchConfig_t *config, LaunchCall call), (config, call)) {
    for (unsigned i = 0; i < config->numAttrs; i++)
        if (!take_attribute(&config->attrs[i], &call)) return cudaErrorNotSupported;
    return launch_locked(context, &call);
}

PER_THREAD(cudaLaunchKernelExC, _ptsz, (const cudaLaunchConfig_t *config, const void *kernel, void **arguments),
           (config, kernel, arguments)) {
    if (!config || (config->numAttrs && !config->attrs)) return api_end(NULL, cudaErrorInvalidValue);
    return launch_configured(config, (LaunchCall){kernel, config->gridDim, config->blockDim, arguments,
                                                  config->dynamicSmemBytes, config->stream, false});
}
