#include "runtime/limits.h"

#include "runtime/replay.h"

enum {
    STACK_UNIT = 16,
    STACK_REFUSED = 512 << 10,
    FIFO_LEAST = 512 << 10,
    HEAP_LEAST = 4 << 20,
    PENDING_LEAST = 32,
    PENDING_MOST = 599186
};
#define FIFO_MOST (UINT64_C(2) << 30)

/* What a device makes of the value: a stack is whole units, and printf's memory and the heap have bounds to both sides. */
static size_t settled(const Context *context, enum cudaLimit limit, size_t value) {
    const size_t most = limit == cudaLimitPrintfFifoSize ? FIFO_MOST : context->options.profile->memory_bytes / 8;
    const size_t least = limit == cudaLimitPrintfFifoSize ? FIFO_LEAST : HEAP_LEAST;
    if (limit == cudaLimitDevRuntimePendingLaunchCount)
        return value < PENDING_LEAST ? PENDING_LEAST : value > PENDING_MOST ? PENDING_MOST : value;
    if (limit == cudaLimitStackSize) return (value + STACK_UNIT - 1) / STACK_UNIT * STACK_UNIT;
    return value < least ? least : value > most ? most : value;
}

static cudaError_t unknown_limit(enum cudaLimit limit) {
    return (unsigned)limit > cudaLimitPersistingL2CacheSize ? cudaErrorInvalidValue : cudaErrorUnsupportedLimit;
}

static bool is_known(enum cudaLimit limit) {
    return (unsigned)limit <= cudaLimitMallocHeapSize || limit == cudaLimitDevRuntimePendingLaunchCount;
}

cudaError_t limits_get(const Context *context, enum cudaLimit limit, size_t *value) {
    if (!is_known(limit)) return unknown_limit(limit);
    *value = context->limits[limit];
    return cudaSuccess;
}

API_CALL(cudaDeviceSetLimit, (enum cudaLimit limit, size_t value), (limit, value));
static cudaError_t cudaDeviceSetLimit_locked(Context *context, enum cudaLimit limit, size_t value) {
    if (!is_known(limit)) return unknown_limit(limit);
    if (limit == cudaLimitMallocHeapSize && context->heap) return cudaErrorInvalidValue; /* in use */
    if (limit == cudaLimitStackSize && value >= STACK_REFUSED) return cudaErrorInvalidValue;
    const size_t kept = settled(context, limit, value);
    if (context->limits[limit] != kept) replay_forget(context);
    context->limits[limit] = kept;
    return cudaSuccess;
}

API_CALL(cudaDeviceGetLimit, (size_t * value, enum cudaLimit limit), (value, limit));
static cudaError_t cudaDeviceGetLimit_locked(Context *context, size_t *value, enum cudaLimit limit) {
    return value ? limits_get(context, limit, value) : cudaErrorInvalidValue;
}
