/* launch_calls.c: the calls that launch kernels. */
#include <string.h>

#include "runtime/launch_kernel.h"
#include "runtime/submit.h"

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
    configurations[configured++] = (Configuration){grid, block, shared_bytes, stream, callsite_now.address};
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

/* --- the calls --- */

typedef struct LaunchCall {
    const void *function;
    dim3 grid, block;
    void **arguments;
    size_t shared_bytes;
    cudaStream_t stream;
    bool cooperative;
    uint32_t cluster[3]; /* 0: none is asked for */
} LaunchCall;

/* A handle that is no address and may be meant for a number of bytes. */
#define SHARED_LIKELY (1 << 20)

static cudaError_t no_stream(Context *context, ImageKernel *kernel, cudaStream_t handle) {
    Diag diag = {0};
    diag_say(&diag, "%p is no stream, or one that was destroyed", (void *)handle);
    if ((uintptr_t)handle <= SHARED_LIKELY)
        diag_hint(&diag, "in <<<blocks, threads, bytes, stream>>> the third is the bytes of dynamic shared memory");
    kernel_note_refused(context, &(KernelWork){.kernel = kernel}, &diag);
    return cudaErrorInvalidResourceHandle;
}

static API_CALL(launch, (const LaunchCall *call), (call));
static cudaError_t launch_locked(Context *context, const LaunchCall *call) {
    cudaError_t error;
    if (launched_at) callsite_now.address = launched_at;
    launched_at = NULL;
    ImageKernel *kernel = image_kernel(context, call->function, &error);
    if (!kernel) return error;
    Stream *stream = stream_find(context, call->stream);
    if (!stream) return no_stream(context, kernel, call->stream);
    Work work = {.kind = WORK_KERNEL,
                 .kernel = {.kernel = kernel,
                            .grid = {call->grid.x, call->grid.y, call->grid.z},
                            .block = {call->block.x, call->block.y, call->block.z},
                            .shared_bytes = (uint32_t)call->shared_bytes,
                            .cluster = {call->cluster[0], call->cluster[1], call->cluster[2]},
                            .cooperative = call->cooperative}};
    if (!kernel_shared_fits(context, &work.kernel, call->shared_bytes)) return cudaErrorInvalidValue;
    if (kernel->function->n_params && !call->arguments) return cudaErrorInvalidValue;
    work.kernel.params = kernel_pack(kernel, call->arguments);
    return stream_submit(context, stream, &work);
}

PER_THREAD(cudaLaunchKernel, _ptsz,
           (const void *kernel, dim3 grid, dim3 block, void **arguments, size_t shared_bytes, cudaStream_t stream),
           (kernel, grid, block, arguments, shared_bytes, stream));
static cudaError_t cudaLaunchKernel_called(const void *kernel, dim3 grid, dim3 block, void **arguments, size_t shared_bytes,
                                           cudaStream_t stream) {
    return launch(&(LaunchCall){kernel, grid, block, arguments, shared_bytes, stream, false, {0}});
}

PER_THREAD(__cudaLaunchKernel, _ptsz,
           (cudaKernel_t kernel, dim3 grid, dim3 block, void **arguments, size_t shared_bytes, cudaStream_t stream),
           (kernel, grid, block, arguments, shared_bytes, stream));
static cudaError_t __cudaLaunchKernel_called(cudaKernel_t kernel, dim3 grid, dim3 block, void **arguments, size_t shared_bytes,
                                             cudaStream_t stream) {
    return launch(&(LaunchCall){kernel, grid, block, arguments, shared_bytes, stream, false, {0}});
}

PER_THREAD(cudaLaunchCooperativeKernel, _ptsz,
           (const void *kernel, dim3 grid, dim3 block, void **arguments, size_t shared_bytes, cudaStream_t stream),
           (kernel, grid, block, arguments, shared_bytes, stream));
static cudaError_t cudaLaunchCooperativeKernel_called(const void *kernel, dim3 grid, dim3 block, void **arguments,
                                                      size_t shared_bytes, cudaStream_t stream) {
    return launch(&(LaunchCall){kernel, grid, block, arguments, shared_bytes, stream, true, {0}});
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
        memcpy(call->cluster, (const uint32_t[]){size.x, size.y, size.z}, sizeof call->cluster);
        return true;
    case cudaLaunchAttributeClusterSchedulingPolicyPreference: return true;
    }
    note("cudaLaunchKernelExC: attribute %d is not emulated", (int)attribute->id);
    return false;
}

static API_CALL(launch_configured, (const cudaLaunchConfig_t *config, LaunchCall call), (config, call));
static cudaError_t launch_configured_locked(Context *context, const cudaLaunchConfig_t *config, LaunchCall call) {
    for (unsigned i = 0; i < config->numAttrs; i++)
        if (!take_attribute(&config->attrs[i], &call)) return cudaErrorNotSupported;
    return launch_locked(context, &call);
}

PER_THREAD(cudaLaunchKernelExC, _ptsz, (const cudaLaunchConfig_t *config, const void *kernel, void **arguments),
           (config, kernel, arguments));
static cudaError_t cudaLaunchKernelExC_called(const cudaLaunchConfig_t *config, const void *kernel, void **arguments) {
    if (!config || (config->numAttrs && !config->attrs)) return api_end(NULL, cudaErrorInvalidValue);
    return launch_configured(
        config,
        (LaunchCall){
            kernel, config->gridDim, config->blockDim, arguments, config->dynamicSmemBytes, config->stream, false, {0}});
}
