/* api.h: CUDA's runtime API as programs see it: our own headers, which need no CUDA toolkit, and the functions that compilers call
 * without a header. */
#pragma once

#include "include/cuda_runtime_api.h"

void **__cudaRegisterFatBinary(void *wrapper);
void __cudaRegisterFatBinaryEnd(void **handle);
void __cudaUnregisterFatBinary(void **handle);
/* A translation unit whose device code is linked with others'. The link step of `warpscope cc` writes the calls (command/devicelink.c). */
typedef struct LinkedUnits {
    void *image;   /* NULL at first */
    unsigned left; /* units that have yet to register */
} LinkedUnits;
void __warpscopeRegisterLinked(LinkedUnits *units, void (*with_handle)(void **), const void *wrapper);
void __cudaRegisterFunction(void **handle, const char *stub, char *device_stub, const char *name, int thread_limit,
                            uint3 *thread, uint3 *block, dim3 *block_dim, dim3 *grid_dim, int *warp_size);
void __cudaRegisterVar(void **handle, char *host, char *device_address, const char *name, int external, size_t bytes,
                       int constant, int global);
void __cudaRegisterManagedVar(void **handle, void **host, char *device_address, const char *name, int external, size_t bytes,
                              int constant, int global);
char __cudaInitModule(void **handle);
cudaError_t __cudaGetKernel(cudaKernel_t *kernel, const void *stub);
unsigned __cudaPushCallConfiguration(dim3 grid, dim3 block, size_t shared_bytes, void *stream);
cudaError_t __cudaPopCallConfiguration(dim3 *grid, dim3 *block, size_t *shared_bytes, void *stream);
cudaError_t __cudaLaunchKernel(cudaKernel_t kernel, dim3 grid, dim3 block, void **arguments, size_t shared_bytes,
                               cudaStream_t stream);
