/* driver.h: NVIDIA's CUDA driver library, opened at run time: nothing of it is needed to build or to start this program. Names, numbers
 * and signatures are those of the CUDA Driver API reference; a test holds them to cuda.h where there is one. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/diag.h"

typedef int DriverStatus;            /* CUresult: 0 is success */
typedef uint64_t DriverAddress;      /* CUdeviceptr */
typedef struct DriverObject *Handle; /* CUcontext, CUmodule, CUfunction, CUevent, CUstream */

enum {
    DRIVER_SUCCESS = 0,
    DRIVER_OUT_OF_MEMORY = 2,
    DRIVER_NO_DEVICE = 100,
    DRIVER_NO_BINARY = 209,
    DRIVER_INVALID_PTX = 218,
    DRIVER_UNSUPPORTED_PTX = 222,
    DRIVER_ILLEGAL_ADDRESS = 700,
    DRIVER_LAUNCH_OUT_OF_RESOURCES = 701,
    DRIVER_LAUNCH_TIMEOUT = 702,
    DRIVER_ASSERT = 710,
    DRIVER_MISALIGNED = 716,
    DRIVER_LAUNCH_FAILED = 719,
};

enum { /* CUdevice_attribute */
       ATTRIBUTE_CLOCK_KHZ = 13,
       ATTRIBUTE_SMS = 16,
       ATTRIBUTE_MEMORY_CLOCK_KHZ = 36,
       ATTRIBUTE_L2_BYTES = 38,
       ATTRIBUTE_COMPUTE_MAJOR = 75,
       ATTRIBUTE_COMPUTE_MINOR = 76,
};

enum { /* CUjit_option, CUjit_cacheMode, CUfunction_attribute */
       JIT_ERROR_LOG = 5,
       JIT_ERROR_LOG_BYTES = 6,
       JIT_OPTIMIZATION = 7,
       JIT_CACHE_MODE = 14,
       CACHE_MODE_DEFAULT = 0,
       CACHE_MODE_L2_ONLY = 1,
       FUNCTION_DYNAMIC_SHARED = 8,
       FUNCTION_CLUSTER_WIDTH = 11, /* then its height and its depth */
       FUNCTION_WIDE_CLUSTERS = 14, /* of more blocks than every device has */
};

/* CALL(member, symbol, parameters): what is used of the library. */
#define DRIVER_CALLS(CALL)                                                                                                     \
    CALL(init, "cuInit", (unsigned flags))                                                                                     \
    CALL(version, "cuDriverGetVersion", (int *version))                                                                        \
    CALL(device, "cuDeviceGet", (int *device, int ordinal))                                                                    \
    CALL(device_name, "cuDeviceGetName", (char *name, int bytes, int device))                                                  \
    CALL(device_bus, "cuDeviceGetPCIBusId", (char *bus, int bytes, int device))                                                \
    CALL(device_attribute, "cuDeviceGetAttribute", (int *value, int attribute, int device))                                    \
    CALL(context_retain, "cuDevicePrimaryCtxRetain", (Handle * context, int device))                                           \
    CALL(context_use, "cuCtxSetCurrent", (Handle context))                                                                     \
    CALL(synchronize, "cuCtxSynchronize", (void))                                                                              \
    CALL(module_load, "cuModuleLoadDataEx", (Handle * module, const void *image, unsigned count, int *options, void **values)) \
    CALL(module_unload, "cuModuleUnload", (Handle module))                                                                     \
    CALL(module_function, "cuModuleGetFunction", (Handle * function, Handle module, const char *name))                         \
    CALL(function_set, "cuFuncSetAttribute", (Handle function, int attribute, int value))                                      \
    CALL(allocate, "cuMemAlloc_v2", (DriverAddress * address, size_t bytes))                                                   \
    CALL(release, "cuMemFree_v2", (DriverAddress address))                                                                     \
    CALL(upload, "cuMemcpyHtoD_v2", (DriverAddress to, const void *from, size_t bytes))                                        \
    CALL(download, "cuMemcpyDtoH_v2", (void *to, DriverAddress from, size_t bytes))                                            \
    CALL(copy, "cuMemcpyDtoDAsync_v2", (DriverAddress to, DriverAddress from, size_t bytes, Handle stream))                    \
    CALL(fill, "cuMemsetD8Async", (DriverAddress to, unsigned char value, size_t bytes, Handle stream))                        \
    CALL(launch, "cuLaunchKernel",                                                                                             \
         (Handle function, unsigned grid_x, unsigned grid_y, unsigned grid_z, unsigned block_x, unsigned block_y,              \
          unsigned block_z, unsigned shared_bytes, Handle stream, void **params, void **extra))                                \
    CALL(event_new, "cuEventCreate", (Handle * event, unsigned flags))                                                         \
    CALL(event_record, "cuEventRecord", (Handle event, Handle stream))                                                         \
    CALL(event_wait, "cuEventSynchronize", (Handle event))                                                                     \
    CALL(event_elapsed, "cuEventElapsedTime", (float *ms, Handle start, Handle stop))                                          \
    CALL(error_name, "cuGetErrorName", (DriverStatus status, const char **name))                                               \
    CALL(error_text, "cuGetErrorString", (DriverStatus status, const char **text))

/* Of newer drivers, or NULL. */
#define DRIVER_NEWER_CALLS(CALL)                                                                                        \
    CALL(tensor_map, "cuTensorMapEncodeTiled",                                                                          \
         (void *map, int element, uint32_t rank, DriverAddress address, const uint64_t *sizes, const uint64_t *strides, \
          const uint32_t *box, const uint32_t *steps, int interleave, int swizzle, int promotion, int fill))

typedef struct Driver {
#define CALL(member, symbol, parameters) DriverStatus(*member) parameters;
    DRIVER_CALLS(CALL)
    DRIVER_NEWER_CALLS(CALL)
#undef CALL
} Driver;

/* Opens the library that $WARPSCOPE_LIBCUDA names, else libcuda.so.1. False and one clear message when there is none, or when it lacks
 * a call. It stays open until the process ends. */
bool driver_open(Driver *driver, Diag *diag);
