#include "runtime/limits.h"

/* CUDA's own defaults: 1 KiB of stack, 1 MiB for printf, 8 MiB of heap. */
void limits_reset(Context *context) {
    context->limits[cudaLimitStackSize] = 1 << 10;
    context->limits[cudaLimitPrintfFifoSize] = 1 << 20;
    context->limits[cudaLimitMallocHeapSize] = 8 << 20;
}

API_CALL(cudaDeviceSetLimit, (enum cudaLimit limit, size_t value), (limit, value)) {
    if ((unsigned)limit > cudaLimitMallocHeapSize) return cudaErrorUnsupportedLimit;
    if (limit == cudaLimitMallocHeapSize && context->heap) return cudaErrorInvalidValue; /* in use */
    context->limits[limit] = value;
    return cudaSuccess;
}

API_CALL(cudaDeviceGetLimit, (size_t * value, enum cudaLimit limit), (value, limit)) {
    if (!value) return cudaErrorInvalidValue;
    if ((unsigned)limit > cudaLimitMallocHeapSize) return cudaErrorUnsupportedLimit;
    *value = context->limits[limit];
    return cudaSuccess;
}
