#include "runtime/array.h"

#include <stdlib.h>

#include "base/alloc.h"
#include "runtime/capture.h"
#include "runtime/device_memory.h"
#include "runtime/submit.h"

/* --- formats --- */

unsigned format_bytes(const struct cudaChannelFormatDesc *format) {
    const int bits[] = {format->x, format->y, format->z, format->w};
    unsigned channels = 0;
    while (channels < 4 && bits[channels] == bits[0] && bits[0] > 0) channels++;
    for (unsigned c = channels; c < 4; c++)
        if (bits[c]) return 0;
    const bool real = format->f == cudaChannelFormatKindFloat;
    const bool integer = format->f == cudaChannelFormatKindSigned || format->f == cudaChannelFormatKindUnsigned;
    const bool width = bits[0] == 16 || bits[0] == 32 || (bits[0] == 8 && !real);
    if (!(real || integer) || !width || channels == 0 || channels == 3) return 0;
    return channels * (unsigned)bits[0] / 8;
}

struct cudaChannelFormatDesc cudaCreateChannelDesc(int x, int y, int z, int w, enum cudaChannelFormatKind kind) {
    return (struct cudaChannelFormatDesc){x, y, z, w, kind};
}

/* --- arrays --- */

const struct cudaArray *array_find(const Context *context, cudaArray_const_t handle) {
    const struct cudaArray *array = context->arrays;
    while (array && array != handle) array = array->next;
    return array;
}

static size_t at_least_one(size_t extent) { return extent ? extent : 1; }

size_t array_row(const struct cudaArray *array) { return array->extent.width * format_bytes(&array->format); }

Side array_side(const struct cudaArray *array, size_t x_bytes, size_t y, size_t z) {
    const size_t row = array_row(array), slice = row * at_least_one(array->extent.height);
    return (Side){array->allocation->address + z * slice + y * row + x_bytes, row, slice};
}

static bool within(size_t at, size_t extent, size_t limit) { return at <= limit && extent <= limit - at; }

bool array_holds(const struct cudaArray *array, const struct cudaPos *at, Box box) {
    return within(at->x, box.width, array_row(array)) && within(at->y, box.height, at_least_one(array->extent.height)) &&
           within(at->z, box.depth, at_least_one(array->extent.depth));
}

/* What an H100 takes: CUDA C++ Programming Guide, "Technical Specifications per Compute Capability". */
static bool fits(const struct cudaExtent *extent, bool layered) {
    const size_t w = extent->width, h = extent->height, d = extent->depth;
    if (!w || (layered && !d)) return false;
    if (layered) return w <= 32768 && h <= 32768 && d <= 2048;
    if (d) return h && w <= 16384 && h <= 16384 && d <= 16384;
    return h ? w <= 131072 && h <= 65536 : w <= 131072;
}

enum {
    FLAGS_KNOWN = cudaArrayLayered | cudaArraySurfaceLoadStore | cudaArrayTextureGather,
    FLAGS_REFUSED = cudaArrayCubemap | cudaArrayColorAttachment | cudaArraySparse | cudaArrayDeferredMapping
};

static API_CALL(array_new,
                (const char *call, cudaArray_t *array, const struct cudaChannelFormatDesc *format, struct cudaExtent extent,
                 unsigned flags),
                (call, array, format, extent, flags));
static cudaError_t array_new_locked(Context *context, const char *call, cudaArray_t *array,
                                    const struct cudaChannelFormatDesc *format, struct cudaExtent extent, unsigned flags) {
    const cudaError_t forbidden = capture_forbids(context);
    if (forbidden) return forbidden;
    if (!array || !format) return cudaErrorInvalidValue;
    if (flags & FLAGS_REFUSED) {
        note("%s: cube maps, sparse arrays and those of graphics are not emulated", call);
        return cudaErrorNotSupported;
    }
    if (flags & ~(unsigned)FLAGS_KNOWN) return cudaErrorInvalidValue;
    const unsigned bytes = format_bytes(format);
    if (!bytes) {
        note("%s: a texel has 1, 2 or 4 channels of 8, 16 or 32 bits each, which are integers or floats", call);
        return cudaErrorInvalidChannelDescriptor;
    }
    if (!fits(&extent, flags & cudaArrayLayered)) return cudaErrorInvalidValue;
    Allocation *allocation =
        device_memory_take(context, call, extent.width * bytes * at_least_one(extent.height) * at_least_one(extent.depth));
    if (!allocation) return cudaErrorMemoryAllocation;
    allocation->tag = TAG_ARRAY;
    struct cudaArray *made = alloc_bytes(sizeof *made);
    *made = (struct cudaArray){context->arrays, allocation, *format, extent, flags};
    context->arrays = *array = made;
    return cudaSuccess;
}

cudaError_t cudaMallocArray(cudaArray_t *array, const struct cudaChannelFormatDesc *format, size_t width, size_t height,
                            unsigned flags) {
    CALLSITE_BEGIN();
    if (flags & cudaArrayLayered) return api_end(NULL, cudaErrorInvalidValue);
    return array_new("cudaMallocArray", array, format, (struct cudaExtent){width, height, 0}, flags);
}

cudaError_t cudaMalloc3DArray(cudaArray_t *array, const struct cudaChannelFormatDesc *format, struct cudaExtent extent,
                              unsigned flags) {
    CALLSITE_BEGIN();
    return array_new("cudaMalloc3DArray", array, format, extent, flags);
}

API_CALL(cudaFreeArray, (cudaArray_t array), (array));
static cudaError_t cudaFreeArray_locked(Context *context, cudaArray_t array) {
    if (!array) return cudaSuccess;
    const cudaError_t forbidden = capture_forbids(context);
    if (forbidden) return forbidden;
    const cudaError_t found = stream_wait_for_all(context);
    if (context->sticky) return found;
    struct cudaArray **at = &context->arrays;
    while (*at && *at != array) at = &(*at)->next;
    if (!*at) return found ? found : cudaErrorInvalidResourceHandle;
    *at = array->next;
    context->allocated -= array->allocation->bytes;
    memory_retire(context->memory, array->allocation);
    free(array);
    return found;
}

API_CALL(cudaArrayGetInfo,
         (struct cudaChannelFormatDesc * format, struct cudaExtent *extent, unsigned *flags, cudaArray_t handle),
         (format, extent, flags, handle));
static cudaError_t cudaArrayGetInfo_locked(Context *context, struct cudaChannelFormatDesc *format, struct cudaExtent *extent,
                                           unsigned *flags, cudaArray_t handle) {
    const struct cudaArray *array = array_find(context, handle);
    if (!array) return cudaErrorInvalidResourceHandle;
    if (format) *format = array->format;
    if (extent) *extent = array->extent;
    if (flags) *flags = array->flags;
    return cudaSuccess;
}

API_CALL(cudaGetChannelDesc, (struct cudaChannelFormatDesc * format, cudaArray_const_t handle), (format, handle));
static cudaError_t cudaGetChannelDesc_locked(Context *context, struct cudaChannelFormatDesc *format, cudaArray_const_t handle) {
    const struct cudaArray *array = array_find(context, handle);
    if (!array) return cudaErrorInvalidResourceHandle;
    if (!format) return cudaErrorInvalidValue;
    *format = array->format;
    return cudaSuccess;
}

/* What is asked of arrays for video, of those whose memory is mapped later, and of sparse ones, which are all refused when they are made: others have none of it. */
API_CALL(cudaArrayGetPlane, (cudaArray_t * plane, cudaArray_t handle, unsigned index), (plane, handle, index));
static cudaError_t cudaArrayGetPlane_locked(Context *context, cudaArray_t *plane, cudaArray_t handle, unsigned index) {
    (void)index;
    return plane && !array_find(context, handle) ? cudaErrorInvalidResourceHandle : cudaErrorInvalidValue;
}

API_CALL(cudaArrayGetMemoryRequirements, (struct cudaArrayMemoryRequirements * needs, cudaArray_t handle, int device),
         (needs, handle, device));
static cudaError_t cudaArrayGetMemoryRequirements_locked(Context *context, struct cudaArrayMemoryRequirements *needs,
                                                         cudaArray_t handle, int device) {
    (void)context;
    (void)needs;
    (void)handle;
    (void)device;
    return cudaErrorInvalidValue;
}

API_CALL(cudaArrayGetSparseProperties, (struct cudaArraySparseProperties * properties, cudaArray_t handle),
         (properties, handle));
static cudaError_t cudaArrayGetSparseProperties_locked(Context *context, struct cudaArraySparseProperties *properties,
                                                       cudaArray_t handle) {
    (void)context;
    (void)properties;
    (void)handle;
    return cudaErrorInvalidValue;
}

void arrays_reset(Context *context) {
    while (context->arrays) {
        struct cudaArray *array = context->arrays;
        context->arrays = array->next;
        free(array);
    }
}
