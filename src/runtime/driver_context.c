/* The driver API's device and contexts. */
#include <stdatomic.h>
#include <stdio.h>
#include <string.h>

#include "runtime/driver_calls.h"
#include "runtime/driver_errors.h"
#include "runtime/driver_module.h"
#include "runtime/errors.h"

DRIVER_CALL(DRIVER_ANYTIME, cuInit, (unsigned flags), (flags)) {
    if (flags) return cudaErrorInvalidValue;
    driver_initialise();
    return cudaSuccess;
}

DRIVER_CALL(DRIVER_ANYTIME, cuDriverGetVersion, (int *version), (version)) { return cudaDriverGetVersion(version); }

DRIVER_CALL(DRIVER_ANYTIME, cuGetErrorName, (CUresult error, const char **name), (error, name)) {
    if (!name) return cudaErrorInvalidValue;
    context_asked((cudaError_t)error);
    *name = driver_error_name(error);
    return *name ? cudaSuccess : cudaErrorInvalidValue;
}

DRIVER_CALL(DRIVER_ANYTIME, cuGetErrorString, (CUresult error, const char **text), (error, text)) {
    if (!text) return cudaErrorInvalidValue;
    context_asked((cudaError_t)error);
    *text = driver_error_name(error) ? error_text((cudaError_t)error) : NULL;
    return *text ? cudaSuccess : cudaErrorInvalidValue;
}

/* --- the device: number 0, the only one --- */

DRIVER_CALL(DRIVER_INITIALISED, cuDeviceGet, (CUdevice * device, int number), (device, number)) {
    if (!device) return cudaErrorInvalidValue;
    if (number != 0) return cudaErrorInvalidDevice;
    *device = 0;
    return cudaSuccess;
}

DRIVER_CALL(DRIVER_INITIALISED, cuDeviceGetCount, (int *count), (count)) { return cudaGetDeviceCount(count); }

DRIVER_CALL(DRIVER_INITIALISED, cuDeviceGetName, (char *name, int bytes, CUdevice device), (name, bytes, device)) {
    struct cudaDeviceProp properties;
    if (!name || bytes <= 0) return cudaErrorInvalidValue;
    const cudaError_t error = cudaGetDeviceProperties(&properties, device);
    if (!error) snprintf(name, (size_t)bytes, "%s", properties.name);
    return error;
}

DRIVER_CALL(DRIVER_INITIALISED, cuDeviceGetUuid, (CUuuid * uuid, CUdevice device), (uuid, device)) {
    struct cudaDeviceProp properties;
    if (!uuid) return cudaErrorInvalidValue;
    const cudaError_t error = cudaGetDeviceProperties(&properties, device);
    if (!error) *uuid = properties.uuid;
    return error;
}

DRIVER_CALL(DRIVER_INITIALISED, cuDeviceTotalMem, (size_t * bytes, CUdevice device), (bytes, device)) {
    struct cudaDeviceProp properties;
    if (!bytes) return cudaErrorInvalidValue;
    const cudaError_t error = cudaGetDeviceProperties(&properties, device);
    if (!error) *bytes = properties.totalGlobalMem;
    return error;
}

/* The numbers of attributes are the runtime's. */
DRIVER_CALL(DRIVER_INITIALISED, cuDeviceGetAttribute, (int *value, CUdevice_attribute attribute, CUdevice device),
            (value, attribute, device)) {
    return cudaDeviceGetAttribute(value, (enum cudaDeviceAttr)attribute, device);
}

DRIVER_CALL(DRIVER_INITIALISED, cuDeviceGetProperties, (CUdevprop * into, CUdevice device), (into, device)) {
    struct cudaDeviceProp properties;
    if (!into) return cudaErrorInvalidValue;
    const cudaError_t error = cudaGetDeviceProperties(&properties, device);
    if (error) return error;
    *into = (CUdevprop){.maxThreadsPerBlock = properties.maxThreadsPerBlock,
                        .sharedMemPerBlock = (int)properties.sharedMemPerBlock,
                        .totalConstantMemory = (int)properties.totalConstMem,
                        .SIMDWidth = properties.warpSize,
                        .memPitch = (int)properties.memPitch,
                        .regsPerBlock = properties.regsPerBlock,
                        .clockRate = properties.clockRate,
                        .textureAlign = (int)properties.textureAlignment};
    memcpy(into->maxThreadsDim, properties.maxThreadsDim, sizeof into->maxThreadsDim);
    memcpy(into->maxGridSize, properties.maxGridSize, sizeof into->maxGridSize);
    return cudaSuccess;
}

DRIVER_CALL(DRIVER_INITIALISED, cuDeviceComputeCapability, (int *major, int *minor, CUdevice device), (major, minor, device)) {
    struct cudaDeviceProp properties;
    if (!major || !minor) return cudaErrorInvalidValue;
    const cudaError_t error = cudaGetDeviceProperties(&properties, device);
    if (error) return error;
    *major = properties.major;
    *minor = properties.minor;
    return cudaSuccess;
}

DRIVER_CALL(DRIVER_INITIALISED, cuDeviceGetPCIBusId, (char *name, int bytes, CUdevice device), (name, bytes, device)) {
    return cudaDeviceGetPCIBusId(name, bytes, device);
}

DRIVER_CALL(DRIVER_INITIALISED, cuDeviceCanAccessPeer, (int *can, CUdevice device, CUdevice peer), (can, device, peer)) {
    return cudaDeviceCanAccessPeer(can, device, peer);
}

/* --- the primary context, which the runtime API uses --- */

static cudaError_t check_device(CUdevice device) { return device == 0 ? cudaSuccess : cudaErrorInvalidDevice; }

DRIVER_CALL(DRIVER_INITIALISED, cuDevicePrimaryCtxRetain, (CUcontext * context, CUdevice device), (context, device)) {
    if (!context) return cudaErrorInvalidValue;
    const cudaError_t error = check_device(device);
    if (error) return error;
    driver_primary()->retained++;
    *context = driver_primary();
    return cudaSuccess;
}

/* Where the runtime API uses it, too, it stays. */
DRIVER_CALL(DRIVER_INITIALISED, cuDevicePrimaryCtxRelease, (CUdevice device), (device)) {
    const cudaError_t error = check_device(device);
    if (error) return error;
    unsigned before = driver_primary()->retained;
    do
        if (!before) return cudaErrorDeviceUninitialized;
    while (!atomic_compare_exchange_weak(&driver_primary()->retained, &before, before - 1));
    return before == 1 && !context_is_of_runtime() ? cudaDeviceReset() : cudaSuccess;
}

DRIVER_CALL(DRIVER_INITIALISED, cuDevicePrimaryCtxReset, (CUdevice device), (device)) {
    const cudaError_t error = check_device(device);
    return error ? error : cudaDeviceReset();
}

DRIVER_CALL(DRIVER_INITIALISED, cuDevicePrimaryCtxSetFlags, (CUdevice device, unsigned flags), (device, flags)) {
    const cudaError_t error = check_device(device);
    return error ? error : cudaSetDeviceFlags(flags);
}

DRIVER_CALL(DRIVER_INITIALISED, cuDevicePrimaryCtxGetState, (CUdevice device, unsigned *flags, int *active),
            (device, flags, active)) {
    if (!flags || !active) return cudaErrorInvalidValue;
    const cudaError_t error = check_device(device);
    if (error) return error;
    *active = driver_primary()->retained || context_is_of_runtime();
    return cudaGetDeviceFlags(flags);
}

/* --- contexts --- */

static cudaError_t create(CUcontext *context, unsigned flags, CUdevice device) {
    const unsigned schedule = flags & CU_CTX_SCHED_MASK;
    if (!context || flags & ~(unsigned)CU_CTX_FLAGS_MASK || (schedule & (schedule - 1))) return cudaErrorInvalidValue;
    const cudaError_t error = check_device(device);
    if (error) return error;
    *context = driver_add(flags);
    driver_push(*context);
    return cudaSuccess;
}

DRIVER_CALL(DRIVER_INITIALISED, cuCtxCreate_v2, (CUcontext * context, unsigned flags, CUdevice device),
            (context, flags, device)) {
    return create(context, flags, device);
}

DRIVER_CALL(DRIVER_INITIALISED, cuCtxCreate,
            (CUcontext * context, CUctxCreateParams *parameters, unsigned flags, CUdevice device),
            (context, parameters, flags, device)) {
    if (!parameters || (!parameters->numExecAffinityParams && !parameters->cigParams)) return create(context, flags, device);
    note("cuCtxCreate: contexts of some of the SMs, and of graphics, are not emulated");
    return cudaErrorNotSupported;
}

DRIVER_CALL(DRIVER_INITIALISED, cuCtxDestroy, (CUcontext context), (context)) {
    if (!driver_has(context)) return context ? cudaErrorDeviceUninitialized : cudaErrorInvalidValue;
    if (context->primary) return cudaErrorDeviceUninitialized; /* cuDevicePrimaryCtxRelease is for that */
    const cudaError_t found = driver_module_unload_all(context);
    CUdeviceptr pointer;
    for (bool pinned; driver_take_owned(context, &pointer, &pinned);)
        pinned ? cudaFreeHost(driver_at(pointer)) : cudaFree(driver_at(pointer));
    if (driver_current() == context) driver_pop();
    context->destroyed = true;
    return found;
}

DRIVER_CALL(DRIVER_INITIALISED, cuCtxPushCurrent, (CUcontext context), (context)) {
    if (!driver_has(context)) return context ? cudaErrorDeviceUninitialized : cudaErrorInvalidValue;
    driver_push(context);
    return cudaSuccess;
}

DRIVER_CALL(DRIVER_INITIALISED, cuCtxPopCurrent, (CUcontext * context), (context)) {
    const CUcontext current = driver_current();
    if (!current) return cudaErrorDeviceUninitialized;
    driver_pop();
    if (context) *context = current;
    return cudaSuccess;
}

/* NULL: none is current any more, until the runtime API is called. */
DRIVER_CALL(DRIVER_INITIALISED, cuCtxSetCurrent, (CUcontext context), (context)) {
    if (context && !driver_has(context)) return cudaErrorDeviceUninitialized;
    driver_pop();
    if (context) driver_push(context);
    return cudaSuccess;
}

DRIVER_CALL(DRIVER_INITIALISED, cuCtxGetCurrent, (CUcontext * context), (context)) {
    if (!context) return cudaErrorInvalidValue;
    *context = driver_current();
    return cudaSuccess;
}

DRIVER_CALL(DRIVER_CURRENT, cuCtxGetDevice, (CUdevice * device), (device)) {
    if (!device) return cudaErrorInvalidValue;
    *device = 0;
    return cudaSuccess;
}

DRIVER_CALL(DRIVER_CURRENT, cuCtxGetFlags, (unsigned *flags), (flags)) {
    if (!flags) return cudaErrorInvalidValue;
    *flags = driver_current()->flags | CU_CTX_MAP_HOST; /* host memory can always be mapped */
    return cudaSuccess;
}

enum { CONTEXT_INTERFACE = 3020 }; /* since CUDA 3.2 */

DRIVER_CALL(DRIVER_INITIALISED, cuCtxGetApiVersion, (CUcontext context, unsigned *version), (context, version)) {
    if (!version) return cudaErrorInvalidValue;
    if (context ? !driver_has(context) : !driver_current()) return cudaErrorDeviceUninitialized;
    *version = CONTEXT_INTERFACE;
    return cudaSuccess;
}

DRIVER_CALL(DRIVER_CURRENT, cuCtxSynchronize, (void), ()) { return cudaDeviceSynchronize(); }

DRIVER_CALL(DRIVER_CURRENT, cuCtxSetLimit, (CUlimit limit, size_t value), (limit, value)) {
    return cudaDeviceSetLimit((enum cudaLimit)limit, value);
}

DRIVER_CALL(DRIVER_CURRENT, cuCtxGetLimit, (size_t * value, CUlimit limit), (value, limit)) {
    return cudaDeviceGetLimit(value, (enum cudaLimit)limit);
}

DRIVER_CALL(DRIVER_CURRENT, cuCtxSetCacheConfig, (CUfunc_cache config), (config)) {
    return cudaDeviceSetCacheConfig((enum cudaFuncCache)config);
}

DRIVER_CALL(DRIVER_CURRENT, cuCtxGetCacheConfig, (CUfunc_cache * config), (config)) {
    enum cudaFuncCache of_runtime;
    if (!config) return cudaErrorInvalidValue;
    const cudaError_t error = cudaDeviceGetCacheConfig(&of_runtime);
    *config = (CUfunc_cache)of_runtime;
    return error;
}

DRIVER_CALL(DRIVER_CURRENT, cuCtxGetStreamPriorityRange, (int *least, int *greatest), (least, greatest)) {
    return cudaDeviceGetStreamPriorityRange(least, greatest);
}

/* There is no profiler to start or stop. */
DRIVER_CALL(DRIVER_CURRENT, cuProfilerStart, (void), ()) { return cudaSuccess; }
DRIVER_CALL(DRIVER_CURRENT, cuProfilerStop, (void), ()) { return cudaSuccess; }
