/* cuda12.h: what programs for CUDA 12 and older call and CUDA 13 has no longer (CUDA 12.9's Runtime API; the shuffles and votes without a mask of
 * CUDA 8, by the lanes that are active). `warpscope cc` and `run` lay it before each source when a program does not compile for want of it. */
#pragma once

#ifdef __cplusplus
#include <cuda_runtime.h>

static inline cudaError_t cudaThreadSynchronize() { return cudaDeviceSynchronize(); }
static inline cudaError_t cudaThreadExit() { return cudaDeviceReset(); }
static inline cudaError_t cudaThreadSetLimit(cudaLimit limit, size_t value) { return cudaDeviceSetLimit(limit, value); }
static inline cudaError_t cudaThreadGetLimit(size_t *value, cudaLimit limit) { return cudaDeviceGetLimit(value, limit); }
static inline cudaError_t cudaThreadSetCacheConfig(cudaFuncCache config) { return cudaDeviceSetCacheConfig(config); }
static inline cudaError_t cudaThreadGetCacheConfig(cudaFuncCache *config) { return cudaDeviceGetCacheConfig(config); }

#ifndef WARPSCOPE_CUDA_HEADERS /* which have these */
/* The emulated device gives the members' values where CUDA 13 reserves room (driver_types.h of our headers). */
struct warpscopeDeviceProp : cudaDeviceProp {
    int clockRate, memoryClockRate, deviceOverlap, kernelExecTimeoutEnabled, computeMode, cooperativeMultiDeviceLaunch;
    int singleToDoublePrecisionPerfRatio;
};
static inline cudaError_t cudaGetDeviceProperties(warpscopeDeviceProp *properties, int device) {
    cudaError_t error = cudaGetDeviceProperties(static_cast<cudaDeviceProp *>(properties), device);
    if (error != cudaSuccess) return error;
    const int *value = properties->reserved;
    properties->clockRate = value[0];
    properties->memoryClockRate = value[1];
    properties->deviceOverlap = value[2];
    properties->kernelExecTimeoutEnabled = value[3];
    properties->computeMode = value[4];
    properties->cooperativeMultiDeviceLaunch = value[5];
    properties->singleToDoublePrecisionPerfRatio = value[6];
    return error;
}
#define cudaDeviceProp warpscopeDeviceProp

static inline cudaMemLocation warpscope_location(int device) {
    cudaMemLocation location = {};
    location.type = device == cudaCpuDeviceId ? cudaMemLocationTypeHost : cudaMemLocationTypeDevice;
    location.id = device == cudaCpuDeviceId ? 0 : device;
    return location;
}
static inline cudaError_t cudaMemPrefetchAsync(const void *p, size_t bytes, int device, cudaStream_t stream = 0) {
    return cudaMemPrefetchAsync(p, bytes, warpscope_location(device), 0, stream);
}
static inline cudaError_t cudaMemAdvise(const void *p, size_t bytes, cudaMemoryAdvise advice, int device) {
    return cudaMemAdvise(p, bytes, advice, warpscope_location(device));
}
#endif

#define __shfl(value, ...) __shfl_sync(__activemask(), value, __VA_ARGS__)
#define __shfl_up(value, ...) __shfl_up_sync(__activemask(), value, __VA_ARGS__)
#define __shfl_down(value, ...) __shfl_down_sync(__activemask(), value, __VA_ARGS__)
#define __shfl_xor(value, ...) __shfl_xor_sync(__activemask(), value, __VA_ARGS__)
#define __any(predicate) __any_sync(__activemask(), predicate)
#define __all(predicate) __all_sync(__activemask(), predicate)
#define __ballot(predicate) __ballot_sync(__activemask(), predicate)
#endif
