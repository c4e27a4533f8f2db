/* The driver API's memory, copies and fills. */
#include "runtime/device_memory.h"
#include "runtime/driver_calls.h"
#include "runtime/submit.h"

static cudaError_t kept(cudaError_t error, const void *pointer) {
    if (!error) driver_keep((CUdeviceptr)pointer);
    return error;
}

/* --- memory. Nothing of no bytes is allocated, where the runtime has a null pointer --- */

DRIVER_CALL(DRIVER_CURRENT, cuMemGetInfo, (size_t * available, size_t *total), (available, total)) {
    return available && total ? cudaMemGetInfo(available, total) : cudaErrorInvalidValue;
}

DRIVER_CALL(DRIVER_CURRENT, cuMemAlloc, (CUdeviceptr * pointer, size_t bytes), (pointer, bytes)) {
    if (!pointer || !bytes) return cudaErrorInvalidValue;
    const cudaError_t error = cudaMalloc((void **)pointer, bytes);
    return kept(error, error ? NULL : driver_at(*pointer));
}

DRIVER_CALL(DRIVER_CURRENT, cuMemAllocPitch,
            (CUdeviceptr * pointer, size_t *pitch, size_t width, size_t height, unsigned element_bytes),
            (pointer, pitch, width, height, element_bytes)) {
    const bool known = element_bytes == 4 || element_bytes == 8 || element_bytes == 16;
    if (!pointer || !pitch || !width || !height || !known) return cudaErrorInvalidValue;
    const cudaError_t error = cudaMallocPitch((void **)pointer, pitch, width, height);
    return kept(error, error ? NULL : driver_at(*pointer));
}

DRIVER_CALL(DRIVER_CURRENT, cuMemAllocManaged, (CUdeviceptr * pointer, size_t bytes, unsigned flags), (pointer, bytes, flags)) {
    if (!pointer || !bytes) return cudaErrorInvalidValue;
    const cudaError_t error = cudaMallocManaged((void **)pointer, bytes, flags);
    return kept(error, error ? NULL : driver_at(*pointer));
}

DRIVER_STREAM_CALL(_ptsz, cuMemAllocAsync, (CUdeviceptr * pointer, size_t bytes, CUstream stream), (pointer, bytes, stream)) {
    if (!pointer || !bytes) return cudaErrorInvalidValue;
    const cudaError_t error = cudaMallocAsync((void **)pointer, bytes, stream);
    return kept(error, error ? NULL : driver_at(*pointer));
}

DRIVER_CALL(DRIVER_CURRENT, cuMemFree, (CUdeviceptr pointer), (pointer)) { return cudaFree(driver_at(pointer)); }

DRIVER_STREAM_CALL(_ptsz, cuMemFreeAsync, (CUdeviceptr pointer, CUstream stream), (pointer, stream)) {
    return cudaFreeAsync(driver_at(pointer), stream);
}

static API_CALL(find_range, (CUdeviceptr * start, size_t *bytes, CUdeviceptr pointer), (start, bytes, pointer));
static cudaError_t find_range_locked(Context *context, CUdeviceptr *start, size_t *bytes, CUdeviceptr pointer) {
    const Allocation *allocation = memory_find(context->memory, pointer);
    if (!allocation) return cudaErrorSymbolNotFound;
    if (start) *start = allocation->address;
    if (bytes) *bytes = allocation->bytes;
    return cudaSuccess;
}

DRIVER_CALL(DRIVER_CURRENT, cuMemGetAddressRange, (CUdeviceptr * start, size_t *bytes, CUdeviceptr pointer),
            (start, bytes, pointer)) {
    return start || bytes ? find_range(start, bytes, pointer) : cudaErrorInvalidValue;
}

DRIVER_CALL(DRIVER_CURRENT, cuMemAllocHost, (void **pointer, size_t bytes), (pointer, bytes)) {
    if (!pointer || !bytes) return cudaErrorInvalidValue;
    const cudaError_t error = cudaMallocHost(pointer, bytes);
    return kept(error, *pointer);
}

DRIVER_CALL(DRIVER_CURRENT, cuMemHostAlloc, (void **pointer, size_t bytes, unsigned flags), (pointer, bytes, flags)) {
    if (!pointer || !bytes) return cudaErrorInvalidValue;
    const cudaError_t error = cudaHostAlloc(pointer, bytes, flags);
    return kept(error, *pointer);
}

DRIVER_CALL(DRIVER_CURRENT, cuMemFreeHost, (void *pointer), (pointer)) {
    return pointer ? cudaFreeHost(pointer) : cudaErrorInvalidValue;
}

DRIVER_CALL(DRIVER_CURRENT, cuMemHostGetDevicePointer, (CUdeviceptr * device, void *host, unsigned flags),
            (device, host, flags)) {
    return cudaHostGetDevicePointer((void **)device, host, flags);
}

DRIVER_CALL(DRIVER_CURRENT, cuMemHostGetFlags, (unsigned *flags, void *host), (flags, host)) {
    return cudaHostGetFlags(flags, host);
}

DRIVER_CALL(DRIVER_CURRENT, cuMemHostRegister, (void *pointer, size_t bytes, unsigned flags), (pointer, bytes, flags)) {
    return cudaHostRegister(pointer, bytes, flags);
}

DRIVER_CALL(DRIVER_CURRENT, cuMemHostUnregister, (void *pointer), (pointer)) { return cudaHostUnregister(pointer); }

static struct cudaMemLocation place(CUmemLocation location) {
    return (struct cudaMemLocation){(enum cudaMemLocationType)location.type, location.id};
}

DRIVER_CALL(DRIVER_CURRENT, cuMemAdvise, (CUdeviceptr pointer, size_t bytes, CUmem_advise advice, CUmemLocation location),
            (pointer, bytes, advice, location)) {
    return cudaMemAdvise(driver_at(pointer), bytes, (enum cudaMemoryAdvise)advice, place(location));
}

DRIVER_STREAM_CALL(_ptsz, cuMemPrefetchAsync,
                   (CUdeviceptr pointer, size_t bytes, CUmemLocation location, unsigned flags, CUstream stream),
                   (pointer, bytes, location, flags, stream)) {
    return cudaMemPrefetchAsync(driver_at(pointer), bytes, place(location), flags, stream);
}

/* --- copies. That the device's side is the device's is looked at, as the runtime does for its kinds --- */

DRIVER_STREAM_CALL(_ptds, cuMemcpy, (CUdeviceptr to, CUdeviceptr from, size_t bytes), (to, from, bytes)) {
    return cudaMemcpy(driver_at(to), driver_at(from), bytes, cudaMemcpyDefault);
}

DRIVER_STREAM_CALL(_ptsz, cuMemcpyAsync, (CUdeviceptr to, CUdeviceptr from, size_t bytes, CUstream stream),
                   (to, from, bytes, stream)) {
    return cudaMemcpyAsync(driver_at(to), driver_at(from), bytes, cudaMemcpyDefault, stream);
}

DRIVER_STREAM_CALL(_ptds, cuMemcpyPeer,
                   (CUdeviceptr to, CUcontext to_context, CUdeviceptr from, CUcontext from_context, size_t bytes),
                   (to, to_context, from, from_context, bytes)) {
    if (!driver_has(to_context) || !driver_has(from_context)) return cudaErrorDeviceUninitialized;
    return cudaMemcpyPeer(driver_at(to), 0, driver_at(from), 0, bytes);
}

DRIVER_STREAM_CALL(_ptsz, cuMemcpyPeerAsync,
                   (CUdeviceptr to, CUcontext to_context, CUdeviceptr from, CUcontext from_context, size_t bytes,
                    CUstream stream),
                   (to, to_context, from, from_context, bytes, stream)) {
    if (!driver_has(to_context) || !driver_has(from_context)) return cudaErrorDeviceUninitialized;
    return cudaMemcpyPeerAsync(driver_at(to), 0, driver_at(from), 0, bytes, stream);
}

DRIVER_STREAM_CALL(_ptds, cuMemcpyHtoD, (CUdeviceptr to, const void *from, size_t bytes), (to, from, bytes)) {
    return cudaMemcpy(driver_at(to), from, bytes, cudaMemcpyHostToDevice);
}

DRIVER_STREAM_CALL(_ptds, cuMemcpyDtoH, (void *to, CUdeviceptr from, size_t bytes), (to, from, bytes)) {
    return cudaMemcpy(to, driver_at(from), bytes, cudaMemcpyDeviceToHost);
}

DRIVER_STREAM_CALL(_ptds, cuMemcpyDtoD, (CUdeviceptr to, CUdeviceptr from, size_t bytes), (to, from, bytes)) {
    return cudaMemcpy(driver_at(to), driver_at(from), bytes, cudaMemcpyDeviceToDevice);
}

DRIVER_STREAM_CALL(_ptsz, cuMemcpyHtoDAsync, (CUdeviceptr to, const void *from, size_t bytes, CUstream stream),
                   (to, from, bytes, stream)) {
    return cudaMemcpyAsync(driver_at(to), from, bytes, cudaMemcpyHostToDevice, stream);
}

DRIVER_STREAM_CALL(_ptsz, cuMemcpyDtoHAsync, (void *to, CUdeviceptr from, size_t bytes, CUstream stream),
                   (to, from, bytes, stream)) {
    return cudaMemcpyAsync(to, driver_at(from), bytes, cudaMemcpyDeviceToHost, stream);
}

DRIVER_STREAM_CALL(_ptsz, cuMemcpyDtoDAsync, (CUdeviceptr to, CUdeviceptr from, size_t bytes, CUstream stream),
                   (to, from, bytes, stream)) {
    return cudaMemcpyAsync(driver_at(to), driver_at(from), bytes, cudaMemcpyDeviceToDevice, stream);
}

/* One side of a copy of boxes; a height counts the rows from slice to slice. */
typedef struct DriverSide {
    CUmemorytype type;
    const void *host;
    CUdeviceptr device;
    size_t x, y, z, pitch, height;
} DriverSide;

typedef struct DriverBox {
    DriverSide to, from;
    struct cudaExtent box;
} DriverBox;

static struct cudaPitchedPtr memory_of(const DriverSide *side) {
    const void *base = side->type == CU_MEMORYTYPE_HOST ? side->host : driver_at(side->device);
    return (struct cudaPitchedPtr){(void *)base, side->pitch, side->pitch, side->height};
}

/* A pitch or height of 0 is as much as the box needs. */
static bool complete(DriverSide *side, const struct cudaExtent *box) {
    const bool known = side->type >= CU_MEMORYTYPE_HOST && side->type <= CU_MEMORYTYPE_UNIFIED;
    if (!side->pitch) side->pitch = side->x + box->width;
    if (!side->height) side->height = side->y + box->height;
    return known && side->pitch >= box->width && side->pitch - box->width >= side->x && side->height >= box->height &&
           side->height - box->height >= side->y;
}

static cudaError_t copy_box(DriverBox copy, CUstream stream, bool async) {
    DriverSide *to = &copy.to, *from = &copy.from;
    if (to->type == CU_MEMORYTYPE_ARRAY || from->type == CU_MEMORYTYPE_ARRAY) {
        note("%s: copies of arrays are not emulated by the driver API", callsite_name());
        return cudaErrorNotSupported;
    }
    if (!complete(to, &copy.box) || !complete(from, &copy.box)) return cudaErrorInvalidValue;
    const bool unified = to->type == CU_MEMORYTYPE_UNIFIED || from->type == CU_MEMORYTYPE_UNIFIED;
    const bool to_host = to->type == CU_MEMORYTYPE_HOST, from_host = from->type == CU_MEMORYTYPE_HOST;
    const enum cudaMemcpyKind kind = unified                ? cudaMemcpyDefault
                                     : to_host && from_host ? cudaMemcpyHostToHost
                                     : to_host              ? cudaMemcpyDeviceToHost
                                     : from_host            ? cudaMemcpyHostToDevice
                                                            : cudaMemcpyDeviceToDevice;
    const struct cudaMemcpy3DParms same = {.srcPtr = memory_of(from),
                                           .srcPos = {from->x, from->y, from->z},
                                           .dstPtr = memory_of(to),
                                           .dstPos = {to->x, to->y, to->z},
                                           .extent = copy.box,
                                           .kind = kind};
    return async ? cudaMemcpy3DAsync(&same, stream) : cudaMemcpy3D(&same);
}

static cudaError_t copy_rows(const CUDA_MEMCPY2D *copy, CUstream stream, bool async) {
    if (!copy) return cudaErrorInvalidValue;
    const DriverBox box = {
        .to = {copy->dstMemoryType, copy->dstHost, copy->dstDevice, copy->dstXInBytes, copy->dstY, 0, copy->dstPitch, 0},
        .from = {copy->srcMemoryType, copy->srcHost, copy->srcDevice, copy->srcXInBytes, copy->srcY, 0, copy->srcPitch, 0},
        .box = {copy->WidthInBytes, copy->Height, 1}};
    return copy_box(box, stream, async);
}

static cudaError_t copy_slices(const CUDA_MEMCPY3D *copy, CUstream stream, bool async) {
    if (!copy) return cudaErrorInvalidValue;
    const DriverBox box = {.to = {copy->dstMemoryType, copy->dstHost, copy->dstDevice, copy->dstXInBytes, copy->dstY,
                                  copy->dstZ, copy->dstPitch, copy->dstHeight},
                           .from = {copy->srcMemoryType, copy->srcHost, copy->srcDevice, copy->srcXInBytes, copy->srcY,
                                    copy->srcZ, copy->srcPitch, copy->srcHeight},
                           .box = {copy->WidthInBytes, copy->Height, copy->Depth}};
    return copy_box(box, stream, async);
}

DRIVER_STREAM_CALL(_ptds, cuMemcpy2D, (const CUDA_MEMCPY2D *copy), (copy)) { return copy_rows(copy, NULL, false); }
DRIVER_STREAM_CALL(_ptds, cuMemcpy2DUnaligned, (const CUDA_MEMCPY2D *copy), (copy)) { return copy_rows(copy, NULL, false); }
DRIVER_STREAM_CALL(_ptsz, cuMemcpy2DAsync, (const CUDA_MEMCPY2D *copy, CUstream stream), (copy, stream)) {
    return copy_rows(copy, stream, true);
}

DRIVER_STREAM_CALL(_ptds, cuMemcpy3D, (const CUDA_MEMCPY3D *copy), (copy)) { return copy_slices(copy, NULL, false); }
DRIVER_STREAM_CALL(_ptsz, cuMemcpy3DAsync, (const CUDA_MEMCPY3D *copy, CUstream stream), (copy, stream)) {
    return copy_slices(copy, stream, true);
}

/* --- fills, by values of one, two or four bytes --- */

static API_CALL(fill, (CUstream handle, FillWork work), (handle, work));
static cudaError_t fill_locked(Context *context, CUstream handle, FillWork work) {
    Stream *stream = stream_find(context, handle);
    if (!stream) return cudaErrorInvalidResourceHandle;
    if (work.to.address % work.element || (work.box.height > 1 && work.to.pitch % work.element)) return cudaErrorInvalidValue;
    if (__builtin_mul_overflow(work.box.width, (size_t)work.element, &work.box.width)) return cudaErrorInvalidValue;
    if (work.box.height == 1) work.to.pitch = work.box.width;
    return stream_submit(context, stream, &(Work){.kind = WORK_FILL, .fill = work});
}

#define FILLS(name, plane, type, bytes)                                                                          \
    DRIVER_STREAM_CALL(_ptds, name, (CUdeviceptr to, type value, size_t count), (to, value, count)) {            \
        return fill(NULL, (FillWork){{to, 0, 0}, {count, 1, 1}, (int)value, bytes, false});                      \
    }                                                                                                            \
    DRIVER_STREAM_CALL(_ptsz, name##Async, (CUdeviceptr to, type value, size_t count, CUstream stream),          \
                       (to, value, count, stream)) {                                                             \
        return fill(stream, (FillWork){{to, 0, 0}, {count, 1, 1}, (int)value, bytes, true});                     \
    }                                                                                                            \
    DRIVER_STREAM_CALL(_ptds, plane, (CUdeviceptr to, size_t pitch, type value, size_t width, size_t height),    \
                       (to, pitch, value, width, height)) {                                                      \
        return fill(NULL, (FillWork){{to, pitch, 0}, {width, height, 1}, (int)value, bytes, false});             \
    }                                                                                                            \
    DRIVER_STREAM_CALL(_ptsz, plane##Async,                                                                      \
                       (CUdeviceptr to, size_t pitch, type value, size_t width, size_t height, CUstream stream), \
                       (to, pitch, value, width, height, stream)) {                                              \
        return fill(stream, (FillWork){{to, pitch, 0}, {width, height, 1}, (int)value, bytes, true});            \
    }

FILLS(cuMemsetD8, cuMemsetD2D8, unsigned char, 1)
FILLS(cuMemsetD16, cuMemsetD2D16, unsigned short, 2)
FILLS(cuMemsetD32, cuMemsetD2D32, unsigned, 4)
