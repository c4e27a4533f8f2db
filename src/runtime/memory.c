/* Device memory: allocating, freeing, copying. */
#include <stdio.h>
#include <string.h>

#include "runtime/context.h"

cudaError_t cudaMalloc(void **pointer, size_t bytes) {
    cudaError_t error;
    Context *context = api_begin(&error);
    if (!context) return api_end(context, error);
    if (!pointer) return api_end(context, cudaErrorInvalidValue);
    char name[64];
    snprintf(name, sizeof name, "cudaMalloc %llu", (unsigned long long)++context->allocations);
    *pointer = (void *)memory_allocate(context->memory, bytes, name, false)->address;
    return api_end(context, cudaSuccess);
}

cudaError_t cudaFree(void *pointer) {
    cudaError_t error;
    Context *context = api_begin(&error);
    if (!context || !pointer) return api_end(context, error);
    Allocation *allocation = memory_find(context->memory, (uintptr_t)pointer);
    if (!allocation || allocation->address != (uintptr_t)pointer) return api_end(context, cudaErrorInvalidValue);
    memory_release(context->memory, allocation);
    return api_end(context, cudaSuccess);
}

cudaError_t cudaMemcpy(void *to, const void *from, size_t bytes, enum cudaMemcpyKind kind) {
    cudaError_t error;
    Context *context = api_begin(&error);
    if (!context) return api_end(context, error);
    context_flush(context);
    (void)kind;
    Allocation *target = memory_find(context->memory, (uintptr_t)to), *source = memory_find(context->memory, (uintptr_t)from);
    uint8_t *host_to = target ? target->host + ((uintptr_t)to - target->address) : to;
    const uint8_t *host_from = source ? source->host + ((uintptr_t)from - source->address) : from;
    memmove(host_to, host_from, bytes);
    if (target && bytes == target->bytes) target->initialized = true;
    return api_end(context, cudaSuccess);
}
