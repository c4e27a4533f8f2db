/* driver_module.h: modules that a program loads by the driver API. Internal to src/runtime. */
#pragma once

#include "runtime/driver_calls.h"
#include "runtime/jit_log.h"

/* Those of a context that ends, behind all work. Returns the error of that; none where a kernel's fault is known, as an H200 has it. */
cudaError_t driver_module_unload_all(CUcontext owner);

typedef struct ModuleSource {
    const char *name;
    const void *data;
    size_t bytes;    /* of it; 0: as many as it says itself */
    CUcontext owner; /* that unloads it at its end; NULL: none, it is a library */
    JitOptions jit;
} ModuleSource;

/* Modules and libraries, whose handle is their image, and functions and kernels, whose handle is their ImageKernel. */
cudaError_t driver_module_load(ModuleSource source, struct Image **image);
cudaError_t driver_module_load_file(const char *path, CUcontext owner, struct Image **image);
cudaError_t driver_module_unload(const void *handle);
cudaError_t driver_module_kernel(struct ImageKernel **found, const void *handle, const char *name);
cudaError_t driver_module_global(CUdeviceptr *pointer, size_t *bytes, const void *handle, const char *name);
cudaError_t driver_module_function(const void *handle, struct ImageKernel **kernel);

/* Kernels into as much room as there is; their number where there is no room. */
cudaError_t driver_module_list(const void **into, unsigned *count, const void *handle);

cudaError_t driver_module_parameter(const void *handle, size_t index, size_t *offset, size_t *bytes);
