#include "runtime/launch_kernel.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "device/fifo.h"
#include "include/cuda.h"
#include "machine/calls.h"
#include "runtime/beside.h"
#include "runtime/function.h"
#include "runtime/groups.h"
#include "runtime/hostmap.h"
#include "runtime/long_launch.h"
#include "runtime/note.h"
#include "runtime/order.h"
#include "runtime/pointers.h"
#include "runtime/replay.h"

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

typedef struct RefusedLaunch { /* or a copy or fill of a kernel's */
    const void *call;
    char *what, *why, *where; /* where: "host.cu:14", or "" */
    uint64_t count;
} RefusedLaunch;

enum { REFUSED_MOST = 64 }; /* that are told one by one */

static void note_refused(Context *context, const char *what, const Diag *diag) {
    const void *call = callsite_now.address;
    callsite_now.told = true;
    for (size_t i = 0; i < context->n_launches; i++) {
        RefusedLaunch *before = &context->launches[i];
        if (before->call != call || strcmp(before->what, what) != 0 || strcmp(before->why, diag->message) != 0) continue;
        before->count++;
        return;
    }
    if (context->n_launches == REFUSED_MOST) {
        if (!context->launches_more++) note("refused launches of further kinds are counted, but not told");
        return;
    }
    const HostSpot spot = callsite_of_program(call, callsite_around());
    LOCAL_TEXT where = {0};
    callsite_add(&spot, &where);
    ALLOC_ADD(context->launches, context->n_launches) =
        (RefusedLaunch){call, alloc_copy(what), alloc_copy(diag->message), alloc_copy(text_string(&where)), 1};
    note_diag(what, diag);
}

void kernel_note_refused(Context *context, const KernelWork *work, const Diag *diag) {
    char what[320];
    FREED char *name = program_demangle(work->kernel->name);
    FREED char *by = work->launcher ? program_demangle(work->launcher->name) : NULL;
    snprintf(what, sizeof what, "launch of %.150s%s%.120s refused", name, by ? " by " : "", by ? by : "");
    note_refused(context, what, diag);
}

void kernel_note_move_refused(Context *context, const ImageKernel *by, const char *move, const Diag *diag) {
    char what[200];
    FREED char *name = program_demangle(by->name);
    snprintf(what, sizeof what, "%s by %.150s refused", move, name);
    note_refused(context, what, diag);
}

void kernel_count_refused(const Context *context) {
    for (size_t i = 0; i < context->n_launches; i++) {
        const RefusedLaunch *launch = &context->launches[i];
        if (launch->count > 1)
            note_unplaced("%s%s%s %llu times", launch->where, *launch->where ? ": " : "", launch->what,
                          (unsigned long long)launch->count);
    }
    if (context->launches_more) note_unplaced("%llu other launches refused", (unsigned long long)context->launches_more);
}

static cudaError_t refused(Context *context, const KernelWork *work, const LaunchRequest *request, LaunchRefusal refusal,
                           const Diag *diag) {
    groups_refused(context, request, diag);
    kernel_note_refused(context, work, diag);
    switch (refusal) {
    case REFUSAL_NONE:
    case REFUSAL_SHAPE: return cudaErrorInvalidConfiguration;
    case REFUSAL_CLUSTER: return cudaErrorInvalidClusterSize;
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

static bool uses_heap(const Program *program) {
    for (uint32_t f = 0; f < program->n_functions; f++) {
        DeviceFunction asked = DEVICE_FUNCTIONS;
        const Function *function = &program->functions[f];
        if (function->is_defined) continue;
        if (call_is_of_heap(function->name)) return true;
        if (devicecall_find(function->name, &asked) && (asked == DEVICE_Malloc || asked == DEVICE_Free)) return true;
    }
    return false;
}

/* Four times that of `warpscope launch`: a program is not written for the emulator. */
#define PROGRAM_UNENDED (UINT64_C(1) << 30)

static LaunchRequest request_of(Context *context, const KernelWork *work) {
    const Image *image = work->kernel->image;
    if (!context->heap && uses_heap(image->program))
        context->heap = heap_new(context->memory, context->limits[cudaLimitMallocHeapSize], "device heap");
    LaunchRequest request = {.launch.kernel = image_known(work->kernel),
                             .launch.shared_bytes = work->shared_bytes,
                             .launch.cooperative = work->cooperative,
                             .launch.params = work->params,
                             .launch.memory = context->memory,
                             .launch.module = image->module,
                             .launch.textures = &context->textures,
                             .launch.heap = context->heap,
                             .launch.nested = work->nested,
                             .launch.stack_bytes = context->limits[cudaLimitStackSize],
                             .profile = context->options.profile,
                             .l1 = context->options.l1,
                             .joins = context->options.joins,
                             .launch.checks = context->options.checks && !beside_waits(context),
                             .launch.imprinted = work->kernel->strayed || order_has_several(context),
                             .launch.strict = context->options.strict && !beside_waits(context),
                             .launch.on_fault = context->options.on_fault,
                             .launch.max_steps = context->options.max_steps,
                             .launch.max_effort = context->options.max_steps,
                             .launch.max_unended = context->options.max_steps ? 0 : PROGRAM_UNENDED,
                             .launch.schedule = context->options.schedule,
                             .launch.threads = context->options.threads};
    image_cluster(work->kernel, work->cluster, request.launch.cluster);
    request.wide_clusters = work->kernel->wide_clusters != 0;
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
    return refusal == REFUSAL_NONE ? cudaSuccess : refused(context, work, &request, refusal, &diag);
}

static void note_printed(Context *context, uint64_t prints) {
    LOCAL_TEXT what = {0};
    const char *hint;
    context->prints += prints;
    if (context->fifo_told || !fifo_say(context->prints, context->limits[cudaLimitPrintfFifoSize], &what, &hint)) return;
    context->fifo_told = true;
    note("%s", text_string(&what));
    note_hint(hint);
}

cudaError_t kernel_run(Context *context, const KernelWork *work, Duration *duration) {
    LaunchRequest request = request_of(context, work);
    const bool alone = !beside_waits(context);
    Memo *memo = context->options.replay && alone ? replay_find(context, work) : NULL;
    if (memo) {
        groups_repeat(context, &request, memo);
        *duration = duration_of(&request, memo->model.time_us);
        return cudaSuccess;
    }
    name_arguments(context, work);
    if (alone) replay_watch(context);
    LaunchResult result;
    Diag diag = {0};
    Beside beside;
    const bool may_wait = beside_may_wait(context, work);
    if (may_wait) request.launch.host = beside_begin(&beside, context, work->kernel->function->name);
    long_launch_watch(context->still, &request);
    memory_keep(context->memory);
    const bool ran = device_launch(&request, &result, &diag);
    memory_keep_no_more(context->memory);
    long_launch_leave(context->still, &request);
    if (!ran) return refused(context, work, &request, result.refusal, &diag);
    text_add_bytes(&context->output, text_string(&result.output), result.output.length);
    note_printed(context, result.prints);
    if (may_wait && beside.stopped) {
        device_result_free(&result);
        return context->sticky;
    }
    groups_settle(context, work->kernel, &request, &result);
    pointers_explain(context, work, &result.fault);
    for (size_t i = 0; i < result.findings.count; i++) pointers_explain(context, work, &result.findings.items[i].fault);
    if (!alone || (result.findings.count && result.findings.on_fault != ON_FAULT_GO_ON)) settle(context);
    struct LaunchGroup *group = groups_add(context, work, &request, &result);
    if (!alone || (may_wait && beside.waited) || (work->nested && work->nested->used))
        replay_wrote(context);
    else
        replay_remember(context, work, &result, group);
    work->kernel->strayed |= result.strayed;
    context_ends(context, error_of(result.fault.kind));
    context->not_emulated |= result.fault.kind == FAULT_unsupported;
    *duration = duration_of(&request, result.model.time_us);
    device_result_free(&result);
    return cudaSuccess;
}

bool kernel_shared_fits(Context *context, const KernelWork *work, size_t dynamic) {
    const ImageKernel *kernel = work->kernel;
    const Profile *profile = context->options.profile;
    const uint64_t fixed = function_shared(kernel), of_fixed = profile->shared_per_block_default,
                   limit = function_dynamic_limit(context, kernel), most = fixed > of_fixed ? of_fixed : fixed + limit;
    if (fixed <= of_fixed && dynamic <= limit) return true;
    Diag diag = {0};
    diag_say(&diag, "%zu bytes of dynamic and %llu of static shared memory, of at most %llu", dynamic,
             (unsigned long long)fixed, (unsigned long long)most);
    if (fixed > of_fixed)
        diag_hint(&diag,
                  "what is declared with a size has 48 KiB at most: a larger array is extern __shared__, and the launch's "
                  "third argument its bytes");
    else if (dynamic <= profile->shared_per_block && fixed + dynamic <= profile->shared_per_block)
        diag_hint(&diag, "cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, %zu) first", dynamic);
    LaunchRequest request = request_of(context, work);
    groups_refused(context, &request, &diag);
    kernel_note_refused(context, work, &diag);
    return false;
}

uint8_t *kernel_pack(const ImageKernel *kernel, void **arguments) {
    const Function *function = kernel->function;
    uint8_t *params = alloc_zeroed(1, function->param_bytes + 8);
    for (uint32_t i = 0; i < function->n_params; i++) {
        const Variable *param = &kernel->image->program->variables[function->params[i]];
        hostmap_copying("cudaLaunchKernel", arguments[i], param->bytes);
        memcpy(params + param->offset, arguments[i], param->bytes);
    }
    hostmap_copying(NULL, NULL, 0);
    return params;
}

bool kernel_read_extra(void **extra, PackedParameters *packed) {
    for (; *extra != CU_LAUNCH_PARAM_END; extra += 2) {
        if (*extra == CU_LAUNCH_PARAM_BUFFER_POINTER)
            packed->bytes = extra[1];
        else if (*extra == CU_LAUNCH_PARAM_BUFFER_SIZE && extra[1])
            packed->count = *(const size_t *)extra[1];
        else
            return false;
    }
    return true;
}
