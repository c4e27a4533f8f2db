/* cuda.h: CUDA's driver API, as far as the emulated device has it, for C and C++. Names and parameters are CUDA 13's (CUDA Driver API, "Modules"). What
 * is not declared here is refused when it is called, or does not compile. */
#pragma once
#define __cuda_cuda_h__ /* programs ask for it */

#ifdef __CUDA__
#include "warpscope_cuda.h"
#endif
#include "warpscope/driver_api_types.h"
#include "warpscope/tensormap.h"

/* Functions whose parameters or meaning have changed since CUDA 1 are called by later names. */
#ifdef CUDA_API_PER_THREAD_DEFAULT_STREAM
#define WARPSCOPE_PTDS(name) name##_ptds
#define WARPSCOPE_PTSZ(name) name##_ptsz
#else
#define WARPSCOPE_PTDS(name) name
#define WARPSCOPE_PTSZ(name) name
#endif
#define cuDeviceGetUuid cuDeviceGetUuid_v2
#define cuDeviceTotalMem cuDeviceTotalMem_v2
#define cuDevicePrimaryCtxRelease cuDevicePrimaryCtxRelease_v2
#define cuDevicePrimaryCtxReset cuDevicePrimaryCtxReset_v2
#define cuDevicePrimaryCtxSetFlags cuDevicePrimaryCtxSetFlags_v2
#define cuCtxCreate cuCtxCreate_v4
#define cuCtxDestroy cuCtxDestroy_v2
#define cuCtxPopCurrent cuCtxPopCurrent_v2
#define cuCtxPushCurrent cuCtxPushCurrent_v2
#define cuModuleGetGlobal cuModuleGetGlobal_v2
#define cuMemGetInfo cuMemGetInfo_v2
#define cuMemAlloc cuMemAlloc_v2
#define cuMemAllocPitch cuMemAllocPitch_v2
#define cuMemFree cuMemFree_v2
#define cuMemGetAddressRange cuMemGetAddressRange_v2
#define cuMemAllocHost cuMemAllocHost_v2
#define cuMemHostGetDevicePointer cuMemHostGetDevicePointer_v2
#define cuMemHostRegister cuMemHostRegister_v2
#define cuMemAdvise cuMemAdvise_v2
#define cuMemPrefetchAsync WARPSCOPE_PTSZ(cuMemPrefetchAsync_v2)
#define cuMemAllocAsync WARPSCOPE_PTSZ(cuMemAllocAsync)
#define cuMemFreeAsync WARPSCOPE_PTSZ(cuMemFreeAsync)
#define cuMemcpy WARPSCOPE_PTDS(cuMemcpy)
#define cuMemcpyAsync WARPSCOPE_PTSZ(cuMemcpyAsync)
#define cuMemcpyPeer WARPSCOPE_PTDS(cuMemcpyPeer)
#define cuMemcpyPeerAsync WARPSCOPE_PTSZ(cuMemcpyPeerAsync)
#define cuMemcpyHtoD WARPSCOPE_PTDS(cuMemcpyHtoD_v2)
#define cuMemcpyDtoH WARPSCOPE_PTDS(cuMemcpyDtoH_v2)
#define cuMemcpyDtoD WARPSCOPE_PTDS(cuMemcpyDtoD_v2)
#define cuMemcpyHtoDAsync WARPSCOPE_PTSZ(cuMemcpyHtoDAsync_v2)
#define cuMemcpyDtoHAsync WARPSCOPE_PTSZ(cuMemcpyDtoHAsync_v2)
#define cuMemcpyDtoDAsync WARPSCOPE_PTSZ(cuMemcpyDtoDAsync_v2)
#define cuMemcpy2D WARPSCOPE_PTDS(cuMemcpy2D_v2)
#define cuMemcpy2DUnaligned WARPSCOPE_PTDS(cuMemcpy2DUnaligned_v2)
#define cuMemcpy2DAsync WARPSCOPE_PTSZ(cuMemcpy2DAsync_v2)
#define cuMemsetD8 WARPSCOPE_PTDS(cuMemsetD8_v2)
#define cuMemsetD16 WARPSCOPE_PTDS(cuMemsetD16_v2)
#define cuMemsetD32 WARPSCOPE_PTDS(cuMemsetD32_v2)
#define cuMemsetD2D8 WARPSCOPE_PTDS(cuMemsetD2D8_v2)
#define cuMemsetD2D16 WARPSCOPE_PTDS(cuMemsetD2D16_v2)
#define cuMemsetD2D32 WARPSCOPE_PTDS(cuMemsetD2D32_v2)
#define cuMemsetD8Async WARPSCOPE_PTSZ(cuMemsetD8Async)
#define cuMemsetD16Async WARPSCOPE_PTSZ(cuMemsetD16Async)
#define cuMemsetD32Async WARPSCOPE_PTSZ(cuMemsetD32Async)
#define cuMemsetD2D8Async WARPSCOPE_PTSZ(cuMemsetD2D8Async)
#define cuMemsetD2D16Async WARPSCOPE_PTSZ(cuMemsetD2D16Async)
#define cuMemsetD2D32Async WARPSCOPE_PTSZ(cuMemsetD2D32Async)
#define cuStreamGetPriority WARPSCOPE_PTSZ(cuStreamGetPriority)
#define cuStreamGetFlags WARPSCOPE_PTSZ(cuStreamGetFlags)
#define cuStreamGetCtx WARPSCOPE_PTSZ(cuStreamGetCtx)
#define cuStreamWaitEvent WARPSCOPE_PTSZ(cuStreamWaitEvent)
#define cuStreamAddCallback WARPSCOPE_PTSZ(cuStreamAddCallback)
#define cuStreamQuery WARPSCOPE_PTSZ(cuStreamQuery)
#define cuStreamSynchronize WARPSCOPE_PTSZ(cuStreamSynchronize)
#define cuStreamDestroy cuStreamDestroy_v2
#define cuStreamBeginCapture WARPSCOPE_PTSZ(cuStreamBeginCapture_v2)
#define cuStreamEndCapture WARPSCOPE_PTSZ(cuStreamEndCapture)
#define cuStreamIsCapturing WARPSCOPE_PTSZ(cuStreamIsCapturing)
#define cuStreamAttachMemAsync WARPSCOPE_PTSZ(cuStreamAttachMemAsync)
#define cuEventRecord WARPSCOPE_PTSZ(cuEventRecord)
#define cuEventRecordWithFlags WARPSCOPE_PTSZ(cuEventRecordWithFlags)
#define cuEventDestroy cuEventDestroy_v2
#define cuEventElapsedTime cuEventElapsedTime_v2
#define cuLaunchKernel WARPSCOPE_PTSZ(cuLaunchKernel)
#define cuLaunchKernelEx WARPSCOPE_PTSZ(cuLaunchKernelEx)
#define cuLaunchCooperativeKernel WARPSCOPE_PTSZ(cuLaunchCooperativeKernel)
#define cuLaunchHostFunc WARPSCOPE_PTSZ(cuLaunchHostFunc)
#define cuGraphInstantiate cuGraphInstantiateWithFlags
#define cuGetProcAddress cuGetProcAddress_v2
#define cuLinkCreate cuLinkCreate_v2
#define cuLinkAddData cuLinkAddData_v2
#define cuLinkAddFile cuLinkAddFile_v2
#define cuMemcpy3D WARPSCOPE_PTDS(cuMemcpy3D_v2)
#define cuMemcpy3DAsync WARPSCOPE_PTSZ(cuMemcpy3DAsync_v2)
#define cuMemAllocFromPoolAsync WARPSCOPE_PTSZ(cuMemAllocFromPoolAsync)
#define cuStreamGetId WARPSCOPE_PTSZ(cuStreamGetId)
#define cuStreamGetDevice WARPSCOPE_PTSZ(cuStreamGetDevice)
#define cuStreamGetAttribute WARPSCOPE_PTSZ(cuStreamGetAttribute)
#define cuStreamSetAttribute WARPSCOPE_PTSZ(cuStreamSetAttribute)
#define cuStreamCopyAttributes WARPSCOPE_PTSZ(cuStreamCopyAttributes)
#define cuIpcOpenMemHandle cuIpcOpenMemHandle_v2
#define cuGraphLaunch WARPSCOPE_PTSZ(cuGraphLaunch)

#ifdef __cplusplus
extern "C" {
#endif

/* --- the driver, errors, devices --- */

CUresult cuInit(unsigned int flags);
CUresult cuDriverGetVersion(int *version);
CUresult cuGetErrorName(CUresult error, const char **name);
CUresult cuGetErrorString(CUresult error, const char **text);
CUresult cuDeviceGet(CUdevice *device, int number);
CUresult cuDeviceGetCount(int *count);
CUresult cuDeviceGetName(char *name, int bytes, CUdevice device);
CUresult cuDeviceGetUuid(CUuuid *uuid, CUdevice device);
CUresult cuDeviceTotalMem(size_t *bytes, CUdevice device);
CUresult cuDeviceGetAttribute(int *value, CUdevice_attribute attribute, CUdevice device);
CUresult cuDeviceGetProperties(CUdevprop *properties, CUdevice device);
CUresult cuDeviceComputeCapability(int *major, int *minor, CUdevice device);
CUresult cuDeviceGetPCIBusId(char *name, int bytes, CUdevice device);
CUresult cuDeviceCanAccessPeer(int *can, CUdevice device, CUdevice peer);

/* --- contexts --- */

CUresult cuDevicePrimaryCtxRetain(CUcontext *context, CUdevice device);
CUresult cuDevicePrimaryCtxRelease(CUdevice device);
CUresult cuDevicePrimaryCtxReset(CUdevice device);
CUresult cuDevicePrimaryCtxSetFlags(CUdevice device, unsigned int flags);
CUresult cuDevicePrimaryCtxGetState(CUdevice device, unsigned int *flags, int *active);
CUresult cuCtxCreate(CUcontext *context, CUctxCreateParams *parameters, unsigned int flags, CUdevice device);
CUresult cuCtxCreate_v2(CUcontext *context, unsigned int flags, CUdevice device);
CUresult cuCtxDestroy(CUcontext context);
CUresult cuCtxPushCurrent(CUcontext context);
CUresult cuCtxPopCurrent(CUcontext *context);
CUresult cuCtxSetCurrent(CUcontext context);
CUresult cuCtxGetCurrent(CUcontext *context);
CUresult cuCtxGetDevice(CUdevice *device);
CUresult cuCtxGetFlags(unsigned int *flags);
CUresult cuCtxGetApiVersion(CUcontext context, unsigned int *version);
CUresult cuCtxSynchronize(void);
CUresult cuCtxSetLimit(CUlimit limit, size_t value);
CUresult cuCtxGetLimit(size_t *value, CUlimit limit);
CUresult cuCtxSetCacheConfig(CUfunc_cache config);
CUresult cuCtxGetCacheConfig(CUfunc_cache *config);
CUresult cuCtxGetStreamPriorityRange(int *least, int *greatest);

/* --- modules, libraries, functions --- */

CUresult cuModuleLoad(CUmodule *module, const char *path);
CUresult cuModuleLoadData(CUmodule *module, const void *image);
CUresult cuModuleLoadDataEx(CUmodule *module, const void *image, unsigned int count, CUjit_option *options, void **values);
CUresult cuModuleLoadFatBinary(CUmodule *module, const void *image);
CUresult cuModuleUnload(CUmodule module);
CUresult cuModuleGetFunction(CUfunction *function, CUmodule module, const char *name);
CUresult cuModuleGetGlobal(CUdeviceptr *pointer, size_t *bytes, CUmodule module, const char *name);
CUresult cuModuleGetFunctionCount(unsigned int *count, CUmodule module);
CUresult cuModuleEnumerateFunctions(CUfunction *functions, unsigned int count, CUmodule module);
CUresult cuModuleGetLoadingMode(CUmoduleLoadingMode *mode);
CUresult cuLibraryLoadData(CUlibrary *library, const void *image, CUjit_option *jit_options, void **jit_values,
                           unsigned int jit_count, CUlibraryOption *options, void **values, unsigned int count);
CUresult cuLibraryLoadFromFile(CUlibrary *library, const char *path, CUjit_option *jit_options, void **jit_values,
                               unsigned int jit_count, CUlibraryOption *options, void **values, unsigned int count);
CUresult cuLibraryUnload(CUlibrary library);
CUresult cuLibraryGetKernel(CUkernel *kernel, CUlibrary library, const char *name);
CUresult cuLibraryGetKernelCount(unsigned int *count, CUlibrary library);
CUresult cuLibraryGetModule(CUmodule *module, CUlibrary library);
CUresult cuLibraryGetGlobal(CUdeviceptr *pointer, size_t *bytes, CUlibrary library, const char *name);
CUresult cuKernelGetFunction(CUfunction *function, CUkernel kernel);
CUresult cuKernelGetName(const char **name, CUkernel kernel);
CUresult cuKernelGetAttribute(int *value, CUfunction_attribute attribute, CUkernel kernel, CUdevice device);
CUresult cuKernelSetAttribute(CUfunction_attribute attribute, int value, CUkernel kernel, CUdevice device);
CUresult cuFuncGetAttribute(int *value, CUfunction_attribute attribute, CUfunction function);
CUresult cuFuncSetAttribute(CUfunction function, CUfunction_attribute attribute, int value);
CUresult cuFuncSetCacheConfig(CUfunction function, CUfunc_cache config);
CUresult cuFuncGetModule(CUmodule *module, CUfunction function);
CUresult cuFuncGetName(const char **name, CUfunction function);
CUresult cuFuncGetParamInfo(CUfunction function, size_t index, size_t *offset, size_t *bytes);
CUresult cuOccupancyMaxActiveBlocksPerMultiprocessor(int *blocks, CUfunction function, int threads, size_t shared_bytes);
CUresult cuOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(int *blocks, CUfunction function, int threads,
                                                              size_t shared_bytes, unsigned int flags);

/* --- launches --- */

CUresult cuLaunchKernel(CUfunction function, unsigned int grid_x, unsigned int grid_y, unsigned int grid_z,
                        unsigned int block_x, unsigned int block_y, unsigned int block_z, unsigned int shared_bytes,
                        CUstream stream, void **parameters, void **extra);
CUresult cuLaunchKernelEx(const CUlaunchConfig *config, CUfunction function, void **parameters, void **extra);
CUresult cuLaunchCooperativeKernel(CUfunction function, unsigned int grid_x, unsigned int grid_y, unsigned int grid_z,
                                   unsigned int block_x, unsigned int block_y, unsigned int block_z, unsigned int shared_bytes,
                                   CUstream stream, void **parameters);
CUresult cuLaunchHostFunc(CUstream stream, CUhostFn function, void *data);

/* --- memory --- */

CUresult cuMemGetInfo(size_t *available, size_t *total);
CUresult cuMemAlloc(CUdeviceptr *pointer, size_t bytes);
CUresult cuMemAllocPitch(CUdeviceptr *pointer, size_t *pitch, size_t width, size_t height, unsigned int element_bytes);
CUresult cuMemAllocManaged(CUdeviceptr *pointer, size_t bytes, unsigned int flags);
CUresult cuMemAllocAsync(CUdeviceptr *pointer, size_t bytes, CUstream stream);
CUresult cuMemFree(CUdeviceptr pointer);
CUresult cuMemFreeAsync(CUdeviceptr pointer, CUstream stream);
CUresult cuMemGetAddressRange(CUdeviceptr *start, size_t *bytes, CUdeviceptr pointer);
CUresult cuMemAllocHost(void **pointer, size_t bytes);
CUresult cuMemHostAlloc(void **pointer, size_t bytes, unsigned int flags);
CUresult cuMemFreeHost(void *pointer);
CUresult cuMemHostGetDevicePointer(CUdeviceptr *device, void *host, unsigned int flags);
CUresult cuMemHostGetFlags(unsigned int *flags, void *host);
CUresult cuMemHostRegister(void *pointer, size_t bytes, unsigned int flags);
CUresult cuMemHostUnregister(void *pointer);
CUresult cuMemAdvise(CUdeviceptr pointer, size_t bytes, CUmem_advise advice, CUmemLocation location);
CUresult cuMemPrefetchAsync(CUdeviceptr pointer, size_t bytes, CUmemLocation location, unsigned int flags, CUstream stream);
CUresult cuPointerGetAttribute(void *value, CUpointer_attribute attribute, CUdeviceptr pointer);

/* --- copies and fills --- */

CUresult cuMemcpy(CUdeviceptr to, CUdeviceptr from, size_t bytes);
CUresult cuMemcpyAsync(CUdeviceptr to, CUdeviceptr from, size_t bytes, CUstream stream);
CUresult cuMemcpyPeer(CUdeviceptr to, CUcontext to_context, CUdeviceptr from, CUcontext from_context, size_t bytes);
CUresult cuMemcpyPeerAsync(CUdeviceptr to, CUcontext to_context, CUdeviceptr from, CUcontext from_context, size_t bytes,
                           CUstream stream);
CUresult cuMemcpyHtoD(CUdeviceptr to, const void *from, size_t bytes);
CUresult cuMemcpyDtoH(void *to, CUdeviceptr from, size_t bytes);
CUresult cuMemcpyDtoD(CUdeviceptr to, CUdeviceptr from, size_t bytes);
CUresult cuMemcpyHtoDAsync(CUdeviceptr to, const void *from, size_t bytes, CUstream stream);
CUresult cuMemcpyDtoHAsync(void *to, CUdeviceptr from, size_t bytes, CUstream stream);
CUresult cuMemcpyDtoDAsync(CUdeviceptr to, CUdeviceptr from, size_t bytes, CUstream stream);
CUresult cuMemcpy2D(const CUDA_MEMCPY2D *copy);
CUresult cuMemcpy2DUnaligned(const CUDA_MEMCPY2D *copy);
CUresult cuMemcpy2DAsync(const CUDA_MEMCPY2D *copy, CUstream stream);
CUresult cuMemsetD8(CUdeviceptr to, unsigned char value, size_t count);
CUresult cuMemsetD16(CUdeviceptr to, unsigned short value, size_t count);
CUresult cuMemsetD32(CUdeviceptr to, unsigned int value, size_t count);
CUresult cuMemsetD2D8(CUdeviceptr to, size_t pitch, unsigned char value, size_t width, size_t height);
CUresult cuMemsetD2D16(CUdeviceptr to, size_t pitch, unsigned short value, size_t width, size_t height);
CUresult cuMemsetD2D32(CUdeviceptr to, size_t pitch, unsigned int value, size_t width, size_t height);
CUresult cuMemsetD8Async(CUdeviceptr to, unsigned char value, size_t count, CUstream stream);
CUresult cuMemsetD16Async(CUdeviceptr to, unsigned short value, size_t count, CUstream stream);
CUresult cuMemsetD32Async(CUdeviceptr to, unsigned int value, size_t count, CUstream stream);
CUresult cuMemsetD2D8Async(CUdeviceptr to, size_t pitch, unsigned char value, size_t width, size_t height, CUstream stream);
CUresult cuMemsetD2D16Async(CUdeviceptr to, size_t pitch, unsigned short value, size_t width, size_t height, CUstream stream);
CUresult cuMemsetD2D32Async(CUdeviceptr to, size_t pitch, unsigned int value, size_t width, size_t height, CUstream stream);

/* --- streams, events, captured graphs --- */

CUresult cuStreamCreate(CUstream *stream, unsigned int flags);
CUresult cuStreamCreateWithPriority(CUstream *stream, unsigned int flags, int priority);
CUresult cuStreamGetPriority(CUstream stream, int *priority);
CUresult cuStreamGetFlags(CUstream stream, unsigned int *flags);
CUresult cuStreamGetCtx(CUstream stream, CUcontext *context);
CUresult cuStreamWaitEvent(CUstream stream, CUevent event, unsigned int flags);
CUresult cuStreamAddCallback(CUstream stream, CUstreamCallback callback, void *data, unsigned int flags);
CUresult cuStreamAttachMemAsync(CUstream stream, CUdeviceptr pointer, size_t bytes, unsigned int flags);
CUresult cuStreamQuery(CUstream stream);
CUresult cuStreamSynchronize(CUstream stream);
CUresult cuStreamDestroy(CUstream stream);
CUresult cuStreamBeginCapture(CUstream stream, CUstreamCaptureMode mode);
CUresult cuStreamEndCapture(CUstream stream, CUgraph *graph);
CUresult cuStreamIsCapturing(CUstream stream, CUstreamCaptureStatus *status);
CUresult cuEventCreate(CUevent *event, unsigned int flags);
CUresult cuEventRecord(CUevent event, CUstream stream);
CUresult cuEventRecordWithFlags(CUevent event, CUstream stream, unsigned int flags);
CUresult cuEventQuery(CUevent event);
CUresult cuEventSynchronize(CUevent event);
CUresult cuEventDestroy(CUevent event);
CUresult cuEventElapsedTime(float *ms, CUevent start, CUevent end);
CUresult cuGraphInstantiate(CUgraphExec *executable, CUgraph graph, unsigned long long flags);
CUresult cuGraphLaunch(CUgraphExec executable, CUstream stream);
CUresult cuGraphExecDestroy(CUgraphExec executable);
CUresult cuGraphDestroy(CUgraph graph);
CUresult cuTensorMapEncodeTiled(CUtensorMap *map, CUtensorMapDataType element, cuuint32_t rank, void *address,
                                const cuuint64_t *size, const cuuint64_t *strides, const cuuint32_t *box,
                                const cuuint32_t *steps, CUtensorMapInterleave interleave, CUtensorMapSwizzle swizzle,
                                CUtensorMapL2promotion promotion, CUtensorMapFloatOOBfill fill);
CUresult cuProfilerStart(void);
CUresult cuProfilerStop(void);

/* --- entry points by name, linking --- */

CUresult cuGetProcAddress(const char *name, void **function, int version, cuuint64_t flags,
                          CUdriverProcAddressQueryResult *result);
CUresult cuLinkCreate(unsigned int count, CUjit_option *options, void **values, CUlinkState *state);
CUresult cuLinkAddData(CUlinkState state, CUjitInputType type, void *data, size_t bytes, const char *name, unsigned int count,
                       CUjit_option *options, void **values);
CUresult cuLinkAddFile(CUlinkState state, CUjitInputType type, const char *path, unsigned int count, CUjit_option *options,
                       void **values);
CUresult cuLinkComplete(CUlinkState state, void **image, size_t *bytes);
CUresult cuLinkDestroy(CUlinkState state);

/* --- boxes, pools, streams' attributes, ranges, peers, processes --- */

CUresult cuMemcpy3D(const CUDA_MEMCPY3D *copy);
CUresult cuMemcpy3DAsync(const CUDA_MEMCPY3D *copy, CUstream stream);
CUresult cuPointerGetAttributes(unsigned int count, CUpointer_attribute *attributes, void **values, CUdeviceptr pointer);
CUresult cuPointerSetAttribute(const void *value, CUpointer_attribute attribute, CUdeviceptr pointer);
CUresult cuMemRangeGetAttribute(void *into, size_t into_bytes, CUmem_range_attribute attribute, CUdeviceptr pointer,
                                size_t bytes);
CUresult cuMemRangeGetAttributes(void **into, size_t *into_bytes, CUmem_range_attribute *attributes, size_t count,
                                 CUdeviceptr pointer, size_t bytes);
CUresult cuDeviceGetDefaultMemPool(CUmemoryPool *pool, CUdevice device);
CUresult cuDeviceGetMemPool(CUmemoryPool *pool, CUdevice device);
CUresult cuDeviceSetMemPool(CUdevice device, CUmemoryPool pool);
CUresult cuMemPoolCreate(CUmemoryPool *pool, const CUmemPoolProps *properties);
CUresult cuMemPoolDestroy(CUmemoryPool pool);
CUresult cuMemPoolTrimTo(CUmemoryPool pool, size_t kept);
CUresult cuMemPoolGetAttribute(CUmemoryPool pool, CUmemPool_attribute which, void *into);
CUresult cuMemPoolSetAttribute(CUmemoryPool pool, CUmemPool_attribute which, void *value);
CUresult cuMemPoolSetAccess(CUmemoryPool pool, const CUmemAccessDesc *list, size_t count);
CUresult cuMemPoolGetAccess(CUmemAccess_flags *flags, CUmemoryPool pool, CUmemLocation *location);
CUresult cuMemAllocFromPoolAsync(CUdeviceptr *pointer, size_t bytes, CUmemoryPool pool, CUstream stream);
CUresult cuStreamGetId(CUstream stream, unsigned long long *id);
CUresult cuStreamGetDevice(CUstream stream, CUdevice *device);
CUresult cuStreamGetAttribute(CUstream stream, CUstreamAttrID attribute, CUstreamAttrValue *value);
CUresult cuStreamSetAttribute(CUstream stream, CUstreamAttrID attribute, const CUstreamAttrValue *value);
CUresult cuStreamCopyAttributes(CUstream to, CUstream from);
CUresult cuDeviceGetByPCIBusId(CUdevice *device, const char *name);
CUresult cuDeviceGetP2PAttribute(int *value, CUdevice_P2PAttribute attribute, CUdevice device, CUdevice peer);
CUresult cuCtxEnablePeerAccess(CUcontext context, unsigned int flags);
CUresult cuCtxDisablePeerAccess(CUcontext context);
CUresult cuCtxGetId(CUcontext context, unsigned long long *id);
CUresult cuCtxResetPersistingL2Cache(void);
CUresult cuIpcGetMemHandle(CUipcMemHandle *handle, CUdeviceptr pointer);
CUresult cuIpcOpenMemHandle(CUdeviceptr *pointer, CUipcMemHandle handle, unsigned int flags);
CUresult cuIpcCloseMemHandle(CUdeviceptr pointer);
CUresult cuIpcGetEventHandle(CUipcEventHandle *handle, CUevent event);
CUresult cuIpcOpenEventHandle(CUevent *event, CUipcEventHandle handle);

/* --- more of functions --- */

CUresult cuFuncIsLoaded(CUfunctionLoadingState *state, CUfunction function);
CUresult cuFuncLoad(CUfunction function);
CUresult cuKernelGetLibrary(CUlibrary *library, CUkernel kernel);
CUresult cuKernelGetParamInfo(CUkernel kernel, size_t index, size_t *offset, size_t *bytes);
CUresult cuKernelSetCacheConfig(CUkernel kernel, CUfunc_cache config, CUdevice device);
CUresult cuLibraryEnumerateKernels(CUkernel *kernels, unsigned int count, CUlibrary library);
CUresult cuLibraryGetManaged(CUdeviceptr *pointer, size_t *bytes, CUlibrary library, const char *name);
CUresult cuLibraryGetUnifiedFunction(void **function, CUlibrary library, const char *name);
CUresult cuOccupancyAvailableDynamicSMemPerBlock(size_t *shared_bytes, CUfunction function, int blocks, int threads);
CUresult cuOccupancyMaxPotentialBlockSize(int *blocks, int *threads, CUfunction function, CUoccupancyB2DSize shared_bytes_of,
                                          size_t shared_bytes, int limit);
CUresult cuOccupancyMaxPotentialBlockSizeWithFlags(int *blocks, int *threads, CUfunction function,
                                                   CUoccupancyB2DSize shared_bytes_of, size_t shared_bytes, int limit,
                                                   unsigned int flags);
CUresult cuOccupancyMaxPotentialClusterSize(int *size, CUfunction function, const CUlaunchConfig *config);
CUresult cuOccupancyMaxActiveClusters(int *clusters, CUfunction function, const CUlaunchConfig *config);

#ifdef __cplusplus
}
/* As up to CUDA 12. */
static inline CUresult cuCtxCreate(CUcontext *context, unsigned int flags, CUdevice device) {
    return cuCtxCreate_v2(context, flags, device);
}
#endif
