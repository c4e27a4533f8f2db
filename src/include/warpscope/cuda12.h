/* cuda12.h: what programs for CUDA 12 and older call and CUDA 13 has no longer (CUDA 12.9's Runtime API; the shuffles and votes without a mask of
 * CUDA 8, by the lanes that are active; the bases of Thrust 2's functors). `warpscope cc` and `run` lay it before each source when a program does
 * not compile for want of it. */
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

#include <cuda.h>
/* cuCtxCreate is this name there. */
static inline CUresult cuCtxCreate_v4(CUcontext *context, unsigned flags, CUdevice device) {
    return cuCtxCreate_v4(context, nullptr, flags, device);
}

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

#ifndef WARPSCOPE_CUDA_HEADERS
/* Thrust 2's, from which functors were derived; a program's own of these names, in namespace thrust itself, hide them. */
namespace warpscope_thrust {
template <class A, class R> struct unary_function {
    typedef A argument_type;
    typedef R result_type;
};
template <class A, class B, class R> struct binary_function {
    typedef A first_argument_type;
    typedef B second_argument_type;
    typedef R result_type;
};
} // namespace warpscope_thrust
namespace thrust {
using namespace warpscope_thrust;
}
#endif

#ifdef __CUDACC__
/* Functions of other names, and names alone are replaced: headers declare functions of these names too, half-precision ones and libcu++'s own. */
#define WARPSCOPE_SHUFFLE(name, Lane)                                                          \
    template <class T>                                                                         \
    static __device__ __forceinline__ auto warpscope##name(T value, Lane lane, int width = 32) \
        ->decltype(name##_sync(0u, value, lane, width)) {                                      \
        return name##_sync(__activemask(), value, lane, width);                                \
    }
WARPSCOPE_SHUFFLE(__shfl, int)
WARPSCOPE_SHUFFLE(__shfl_up, unsigned)
WARPSCOPE_SHUFFLE(__shfl_down, unsigned)
WARPSCOPE_SHUFFLE(__shfl_xor, int)
#undef WARPSCOPE_SHUFFLE
static __device__ __forceinline__ int warpscope__any(int predicate) { return __any_sync(__activemask(), predicate); }
static __device__ __forceinline__ int warpscope__all(int predicate) { return __all_sync(__activemask(), predicate); }
static __device__ __forceinline__ unsigned warpscope__ballot(int predicate) { return __ballot_sync(__activemask(), predicate); }
#define __shfl warpscope__shfl
#define __shfl_up warpscope__shfl_up
#define __shfl_down warpscope__shfl_down
#define __shfl_xor warpscope__shfl_xor
#define __any warpscope__any
#define __all warpscope__all
#define __ballot warpscope__ballot
#endif
#endif
