#include "runtime/limits.h"

/* CUDA's own defaults: 1 KiB of stack, 1 MiB for printf, 8 MiB of heap. */
void limits_reset(Context *context) {
    context->limits[cudaLimitStackSize] = 1 << 10;
    context->limits[cudaLimitPrintfFifoSize] = 1 << 20;
    context->limits[cudaLimitMallocHeapSize] = 8 << 20;
}

cudaError_t cudaDeviceSetLimit(enum cudaLimit limit, size_t value) {
    cudaError_t error;
    Context *context = api_begin(&error);
    if (context && (unsigned)limit > cudaLimitMallocHeapSize) error = cudaErrorUnsupportedLimit;
    if (context && !error && limit == cudaLimitMallocHeapSize && context->heap) error = cudaErrorInvalidValue; /* in use */
    if (context && !error) context->limits[limit] = value;
    return api_end(context, error);
}

cudaError_t cudaDeviceGetLimit(size_t *value, enum cudaLimit limit) {
    cudaError_t error;
    Context *context = api_begin(&error);
    if (context && !value) error = cudaErrorInvalidValue;
    if (context && !error && (unsigned)limit > cudaLimitMallocHeapSize) error = cudaErrorUnsupportedLimit;
    if (context && !error) *value = context->limits[limit];
    return api_end(context, error);
}
