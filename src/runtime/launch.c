/* Kernel launches. The work is done at once; what is asynchronous on a device shows only in the modelled time, and in that a kernel's
 * fault is told by the calls that come after the launch. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "runtime/groups.h"
#include "runtime/image.h"

/* --- the <<<…>>> of a call, between the host code that evaluates it and the stub that launches --- */

typedef struct Configuration {
    dim3 grid, block;
    size_t shared_bytes;
    void *stream;
} Configuration;

enum { CONFIGURATIONS = 16 }; /* nested: a launch in the arguments of a launch */
static _Thread_local Configuration configurations[CONFIGURATIONS];
static _Thread_local unsigned configured;

unsigned __cudaPushCallConfiguration(dim3 grid, dim3 block, size_t shared_bytes, void *stream) {
    if (configured == CONFIGURATIONS) return 1;
    configurations[configured++] = (Configuration){grid, block, shared_bytes, stream};
    return 0;
}

cudaError_t __cudaPopCallConfiguration(dim3 *grid, dim3 *block, size_t *shared_bytes, void *stream) {
    if (!configured) return cudaErrorMissingConfiguration;
    const Configuration *top = &configurations[--configured];
    *grid = top->grid;
    *block = top->block;
    *shared_bytes = top->shared_bytes;
    *(void **)stream = top->stream;
    return cudaSuccess;
}

/* --- launching --- */

static cudaError_t error_of(FaultKind kind) {
    switch (kind) {
    case FAULT_none: return cudaSuccess;
    case FAULT_out_of_bounds:
    case FAULT_read_only: return cudaErrorIllegalAddress;
    case FAULT_misaligned: return cudaErrorMisalignedAddress;
    case FAULT_assert_failed: return cudaErrorAssert;
    case FAULT_stack_overflow: return cudaErrorHardwareStackError;
    case FAULT_deadlock:
    case FAULT_step_limit: return cudaErrorLaunchTimeout;
    case FAULT_unsupported: return cudaErrorNotSupported;
    case FAULT_uninitialized:
    case FAULT_shared_race:
    case FAULT_global_race:
    case FAULT_barrier_divergence:
    case FAULT_sync_mask:
    case FAULT_trap:
    case FAULT_COUNT: break;
    }
    return cudaErrorLaunchFailure;
}

static void note_fault(const Kernel *kernel, const LaunchRequest *request, const Fault *fault) {
    char *name = program_demangle(kernel->name);
    const Location *location = fault->pc < request->program->n_insns
                                   ? program_location(request->program, fault->pc, kernel->image->source_path)
                                   : NULL;
    const char *file = location && location->line ? request->program->files[location->file] : "";
    note("%s%s%u%skernel %s, block (%u,%u,%u), thread (%u,%u,%u): %s", file, *file ? ":" : "", location ? location->line : 0,
         *file ? ": " : "", name, fault->block[0], fault->block[1], fault->block[2], fault->thread[0], fault->thread[1],
         fault->thread[2], fault->message);
    if (fault->hint[0]) note("hint: %s", fault->hint);
    free(name);
}

/* The kernel's parameter block from pointers to the arguments. The caller frees. */
static uint8_t *pack(const Program *program, const Function *function, void **arguments) {
    uint8_t *params = calloc(1, function->param_bytes + 8);
    if (!params) abort();
    for (uint32_t i = 0; i < function->n_params; i++) {
        const Variable *param = &program->variables[function->params[i]];
        memcpy(params + param->offset, arguments[i], param->bytes);
    }
    return params;
}

static cudaError_t launch(Context *context, const void *stub, dim3 grid, dim3 block, void **arguments, size_t shared_bytes) {
    cudaError_t error;
    Kernel *kernel = image_kernel(context, stub, &error);
    if (!kernel) return error;
    const Image *image = kernel->image;
    uint8_t *params = pack(image->program, kernel->function, arguments);
    LaunchRequest request = {.program = image->program,
                             .kernel = kernel->function,
                             .grid = {grid.x, grid.y, grid.z},
                             .block = {block.x, block.y, block.z},
                             .shared_bytes = (uint32_t)shared_bytes,
                             .params = params,
                             .memory = context->memory,
                             .module = image->module,
                             .profile = context->options.profile,
                             .l1 = context->options.l1,
                             .checks = context->options.checks,
                             .threads = context->options.threads};
    LaunchResult result;
    Diag diag = {0};
    if (!device_launch(&request, &result, &diag)) {
        note_diag(kernel->name, &diag);
        error = cudaErrorInvalidConfiguration;
    } else {
        text_add_bytes(&context->output, text_string(&result.output), result.output.length);
        if (result.fault.kind != FAULT_none) note_fault(kernel, &request, &result.fault);
        context->sticky = error_of(result.fault.kind);
        groups_add(context, kernel, &request, &result);
        device_result_free(&result);
    }
    free(params);
    return error;
}

cudaError_t cudaLaunchKernel(const void *function, dim3 grid, dim3 block, void **arguments, size_t shared_bytes,
                             cudaStream_t stream) {
    (void)stream;
    cudaError_t error;
    Context *context = api_begin(&error);
    if (context) error = launch(context, function, grid, block, arguments, shared_bytes);
    return api_end(context, error);
}

cudaError_t __cudaLaunchKernel(cudaKernel_t kernel, dim3 grid, dim3 block, void **arguments, size_t shared_bytes,
                               cudaStream_t stream) {
    return cudaLaunchKernel(kernel, grid, block, arguments, shared_bytes, stream);
}

cudaError_t cudaDeviceSynchronize(void) {
    cudaError_t error;
    Context *context = api_begin(&error);
    if (context) context_flush(context);
    return api_end(context, error);
}
