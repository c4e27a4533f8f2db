/* limits.h: the limits of cudaDeviceSetLimit. Internal to src/runtime. */
#pragma once

#include "device/fifo.h"
#include "runtime/context.h"

/* As an H200's: 1 KiB of stack, 8,448 KiB for printf, 8 MiB of heap, 2048 launches of kernels. */
static inline void limits_reset(Context *context) {
    context->limits[cudaLimitStackSize] = 1 << 10;
    context->limits[cudaLimitPrintfFifoSize] = FIFO_BYTES;
    context->limits[cudaLimitMallocHeapSize] = 8 << 20;
    context->limits[cudaLimitDevRuntimePendingLaunchCount] = 2048;
}

/* cudaDeviceGetLimit's answer. */
cudaError_t limits_get(const Context *context, enum cudaLimit limit, size_t *value);
