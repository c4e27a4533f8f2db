#include "runtime/driver_calls.h"

#include <stdatomic.h>
#include <stdlib.h>

#include "base/alloc.h"
#include "runtime/device_memory.h"
#include "runtime/driver_errors.h"

static atomic_bool initialised;
static struct CUctx_st primary = {.primary = true};
static CUcontext contexts; /* that were created: what is destroyed stays, as others may have it current */

typedef struct ContextStack {
    CUcontext *items;
    size_t count;
} ContextStack;

static _Thread_local ContextStack stack_so_far;

/* With what the runtime API has put there since the stack was looked at last. */
static ContextStack *stack(void) {
    const RuntimeUse use = context_take_runtime_use();
    if (use && !stack_so_far.count)
        ALLOC_ADD(stack_so_far.items, stack_so_far.count) = &primary;
    else if (use == RUNTIME_DEVICE_SET)
        stack_so_far.items[stack_so_far.count - 1] = &primary;
    return &stack_so_far;
}

void driver_initialise(void) { atomic_store(&initialised, true); }

CUcontext driver_primary(void) { return &primary; }

CUcontext driver_current(void) {
    const ContextStack *of = stack();
    return of->count ? of->items[of->count - 1] : NULL;
}

void driver_push(CUcontext context) {
    ContextStack *of = stack();
    ALLOC_ADD(of->items, of->count) = context;
}

CUcontext driver_pop(void) {
    ContextStack *of = stack();
    return of->count ? of->items[--of->count] : NULL;
}

cudaLaunchConfig_t driver_launch_config(const CUlaunchConfig *config) {
    return (cudaLaunchConfig_t){.gridDim = {config->gridDimX, config->gridDimY, config->gridDimZ},
                                .blockDim = {config->blockDimX, config->blockDimY, config->blockDimZ},
                                .dynamicSmemBytes = config->sharedMemBytes,
                                .stream = config->hStream,
                                .attrs = (cudaLaunchAttribute *)config->attrs, /* of the same layout */
                                .numAttrs = config->numAttrs};
}

CUcontext driver_add(unsigned flags) {
    CUcontext made = alloc_zeroed(1, sizeof *made);
    Context *context = context_lock();
    *made = (struct CUctx_st){.next = contexts, .flags = flags};
    contexts = made;
    context_unlock(context);
    return made;
}

bool driver_has(CUcontext wanted) {
    bool found = wanted == &primary;
    Context *context = context_lock();
    for (CUcontext at = contexts; at && !found; at = at->next) found = at == wanted && !at->destroyed;
    context_unlock(context);
    return found;
}

void driver_keep(CUdeviceptr pointer) {
    Context *context = context_lock();
    CUcontext owner = driver_current();
    Allocation *allocation = memory_find(context->memory, pointer);
    if (allocation && owner && !owner->primary) allocation->owner = owner;
    context_unlock(context);
}

bool driver_take_owned(CUcontext owner, CUdeviceptr *pointer, bool *pinned) {
    bool found = false;
    Context *context = context_lock();
    for (size_t i = memory_count(context->memory); i-- > 0 && !found;) {
        Allocation *allocation = memory_at(context->memory, i);
        if (allocation->owner != owner) continue;
        *pointer = allocation->address;
        *pinned = tag_kind(allocation) == TAG_PINNED;
        allocation->owner = NULL;
        found = true;
    }
    context_unlock(context);
    return found;
}

/* A kernel's fault, and a stream's host function, forbid all that needs a context. */
cudaError_t driver_ready(DriverNeed need) {
    if (need == DRIVER_ANYTIME) return cudaSuccess;
    if (!atomic_load(&initialised) && !context_has_started_driver()) return cudaErrorInitializationError;
    if (need == DRIVER_INITIALISED) return cudaSuccess;
    const CUcontext current = driver_current();
    if (!current) return cudaErrorDeviceUninitialized;
    if (current->destroyed) return cudaErrorContextIsDestroyed;
    cudaError_t error;
    Context *context = api_begin(&error);
    if (context) context_unlock(context);
    return error;
}

CUresult driver_end(cudaError_t error) { return error ? driver_error(api_end(NULL, error)) : CUDA_SUCCESS; }
