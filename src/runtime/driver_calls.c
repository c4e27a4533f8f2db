#include "runtime/driver_calls.h"

#include <stdatomic.h>
#include <stdlib.h>

#include "base/alloc.h"
#include "runtime/driver_errors.h"

static atomic_bool initialised;
static struct CUctx_st primary = {.primary = true};
static CUcontext contexts; /* that were created: what is destroyed stays, as others may have it current */

typedef struct ContextStack {
    CUcontext *items;
    size_t count;
} ContextStack;

static _Thread_local ContextStack stack;

void driver_initialise(void) { atomic_store(&initialised, true); }

CUcontext driver_primary(void) { return &primary; }

CUcontext driver_current(void) {
    if (stack.count) return stack.items[stack.count - 1];
    return context_is_of_runtime() ? &primary : NULL;
}

void driver_push(CUcontext context) { ALLOC_ADD(stack.items, stack.count) = context; }

CUcontext driver_pop(void) { return stack.count ? stack.items[--stack.count] : NULL; }

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
    if (owner && !owner->primary) ALLOC_ADD(owner->allocations, owner->n_allocations) = pointer;
    context_unlock(context);
}

void driver_forget(CUdeviceptr pointer) {
    Context *context = context_lock();
    for (CUcontext owner = contexts; owner; owner = owner->next)
        for (size_t i = 0; i < owner->n_allocations; i++)
            if (owner->allocations[i] == pointer) owner->allocations[i] = owner->allocations[--owner->n_allocations];
    context_unlock(context);
}

/* A kernel's fault, and a stream's host function, forbid all that needs a context. */
cudaError_t driver_ready(DriverNeed need) {
    if (need == DRIVER_ANYTIME) return cudaSuccess;
    if (!atomic_load(&initialised) && !context_is_of_runtime()) return cudaErrorInitializationError;
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
