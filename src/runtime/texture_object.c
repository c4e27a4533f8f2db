#include "runtime/texture_object.h"

#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "runtime/array.h"

/* What an object was made of, for those who ask. */
typedef struct TextureObject {
    struct TextureObject *next;
    uint64_t handle;
    bool is_surface;
    struct cudaResourceDesc resource;
    struct cudaTextureDesc sampling; /* of textures */
} TextureObject;

enum { TEXTURE_OFFSET = 512, TEXTURE_PITCH = 32, BUFFER_TEXELS_MOST = 1 << 28 };

static TextureObject **object_at(Context *context, uint64_t handle, bool is_surface) {
    TextureObject **at = &context->texture_objects;
    while (*at && ((*at)->handle != handle || (*at)->is_surface != is_surface)) at = &(*at)->next;
    return at;
}

/* --- resources --- */

static cudaError_t take_format(const struct cudaChannelFormatDesc *format, Texture *texture) {
    const unsigned bytes = format_bytes(format);
    if (!bytes) return cudaErrorInvalidChannelDescriptor;
    texture->channel_bytes = (uint8_t)(format->x / 8);
    texture->channels = (uint8_t)(bytes / texture->channel_bytes);
    texture->kind = format->f == cudaChannelFormatKindFloat    ? TEXEL_FLOAT
                    : format->f == cudaChannelFormatKindSigned ? TEXEL_SIGNED
                                                               : TEXEL_UNSIGNED;
    return cudaSuccess;
}

static cudaError_t take_array(const Context *context, cudaArray_const_t handle, Texture *texture) {
    const struct cudaArray *array = array_find(context, handle);
    if (!array) return cudaErrorInvalidResourceHandle;
    const struct cudaExtent *extent = &array->extent;
    const Side side = array_side(array, 0, 0, 0);
    const bool layered = array->flags & cudaArrayLayered;
    texture->address = side.address;
    texture->pitch = side.pitch;
    texture->slice = side.slice;
    texture->layers = layered ? (uint32_t)extent->depth : 0;
    texture->dimensions = !layered && extent->depth ? 3 : extent->height ? 2 : 1;
    const size_t extents[TEXTURE_AXES] = {extent->width, extent->height, layered ? 0 : extent->depth};
    for (unsigned axis = 0; axis < TEXTURE_AXES; axis++) texture->extent[axis] = extents[axis] ? (uint32_t)extents[axis] : 1;
    return take_format(&array->format, texture);
}

/* Memory of the device's, from an address that textures take on. */
static cudaError_t take_buffer(const Context *context, const void *pointer, uint64_t bytes, Texture *texture) {
    const Allocation *in = memory_find(context->memory, (uintptr_t)pointer);
    if (!in || !allocation_holds(in, (uintptr_t)pointer, bytes)) {
        note("%s: %p is not the beginning of %llu bytes of device memory", callsite_name(), pointer, (unsigned long long)bytes);
        return cudaErrorInvalidValue;
    }
    if (((uintptr_t)pointer - in->address) % TEXTURE_OFFSET) {
        note("%s: a texture begins at a multiple of %d bytes, as cudaMalloc gives: textureAlignment", callsite_name(),
             TEXTURE_OFFSET);
        return cudaErrorInvalidValue;
    }
    texture->address = (uintptr_t)pointer;
    return cudaSuccess;
}

static cudaError_t take_linear(const Context *context, const struct cudaResourceDesc *resource, Texture *texture) {
    cudaError_t error = take_format(&resource->res.linear.desc, texture);
    if (error) return error;
    const size_t bytes = resource->res.linear.sizeInBytes, count = bytes / texel_bytes(texture);
    if (!count || count > BUFFER_TEXELS_MOST) return cudaErrorInvalidValue;
    texture->extent[0] = (uint32_t)count;
    texture->extent[1] = texture->extent[2] = texture->dimensions = 1;
    texture->is_linear = true;
    return take_buffer(context, resource->res.linear.devPtr, bytes, texture);
}

static cudaError_t take_pitched(const Context *context, const struct cudaResourceDesc *resource, Texture *texture) {
    const size_t width = resource->res.pitch2D.width, height = resource->res.pitch2D.height,
                 pitch = resource->res.pitch2D.pitchInBytes;
    cudaError_t error = take_format(&resource->res.pitch2D.desc, texture);
    if (error) return error;
    if (!width || !height || width > 131072 || height > 65000) return cudaErrorInvalidValue;
    const size_t row = width * texel_bytes(texture);
    if (pitch < row || pitch % TEXTURE_PITCH || pitch >= INT32_MAX) {
        note("%s: rows of a texture are apart by a multiple of %d bytes: cudaMallocPitch", callsite_name(), TEXTURE_PITCH);
        return cudaErrorInvalidValue;
    }
    texture->pitch = pitch;
    texture->extent[0] = (uint32_t)width;
    texture->extent[1] = (uint32_t)height;
    texture->extent[2] = 1;
    texture->dimensions = 2;
    return take_buffer(context, resource->res.pitch2D.devPtr, (height - 1) * pitch + row, texture);
}

static cudaError_t take_resource(const Context *context, const struct cudaResourceDesc *resource, Texture *texture) {
    if (resource->flags) return cudaErrorInvalidValue;
    if (texture->is_surface && resource->resType != cudaResourceTypeArray) return cudaErrorInvalidChannelDescriptor;
    switch (resource->resType) {
    case cudaResourceTypeArray: return take_array(context, resource->res.array.array, texture);
    case cudaResourceTypeLinear: return take_linear(context, resource, texture);
    case cudaResourceTypePitch2D: return take_pitched(context, resource, texture);
    case cudaResourceTypeMipmappedArray: note("%s: mipmaps are not emulated", callsite_name()); return cudaErrorNotSupported;
    }
    return cudaErrorInvalidValue;
}

/* --- sampling --- */

/* What wraps and mirrors needs coordinates from 0 to 1; a buffer gives 0 outside. */
static uint8_t mode_of(const struct cudaTextureDesc *sampling, unsigned axis, const Texture *texture) {
    const enum cudaTextureAddressMode mode = sampling->addressMode[axis];
    if (texture->is_linear || mode == cudaAddressModeBorder) return ADDRESS_BORDER;
    if (!sampling->normalizedCoords || mode == cudaAddressModeClamp) return ADDRESS_CLAMP;
    return mode == cudaAddressModeWrap ? ADDRESS_WRAP : ADDRESS_MIRROR;
}

static cudaError_t take_sampling(const struct cudaTextureDesc *sampling, Texture *texture) {
    const bool fractions = sampling->readMode == cudaReadModeNormalizedFloat;
    if (sampling->sRGB) {
        note("%s: conversions from sRGB are not emulated", callsite_name());
        return cudaErrorNotSupported;
    }
    for (unsigned axis = 0; axis < TEXTURE_AXES; axis++)
        if ((unsigned)sampling->addressMode[axis] > cudaAddressModeBorder) return cudaErrorInvalidValue;
    if ((unsigned)sampling->filterMode > cudaFilterModeLinear || (unsigned)sampling->readMode > cudaReadModeNormalizedFloat)
        return cudaErrorInvalidValue;
    if (fractions && (texture->channel_bytes > 2 || texture->kind == TEXEL_FLOAT)) return cudaErrorInvalidNormSetting;
    texture->gives_fractions = fractions;
    texture->filters = sampling->filterMode == cudaFilterModeLinear && !texture->is_linear;
    if (texture->filters && texture->kind != TEXEL_FLOAT && !fractions) return cudaErrorInvalidFilterSetting;
    texture->normalised = sampling->normalizedCoords != 0 && !texture->is_linear;
    for (unsigned axis = 0; axis < TEXTURE_AXES; axis++) texture->mode[axis] = mode_of(sampling, axis, texture);
    if (!texture->is_linear) memcpy(texture->border, sampling->borderColor, sizeof texture->border);
    return cudaSuccess;
}

/* --- objects --- */

static cudaError_t object_new(Context *context, const struct cudaResourceDesc *resource, const struct cudaTextureDesc *sampling,
                              uint64_t *handle) {
    Texture texture = {.is_surface = !sampling};
    cudaError_t error = take_resource(context, resource, &texture);
    if (!error && sampling) error = take_sampling(sampling, &texture);
    if (error) return error;
    *handle = textures_add(&context->textures, texture);
    TextureObject *object = alloc_zeroed(1, sizeof *object);
    object->next = context->texture_objects;
    object->handle = *handle;
    object->is_surface = !sampling;
    object->resource = *resource;
    if (sampling) object->sampling = *sampling;
    context->texture_objects = object;
    return cudaSuccess;
}

API_CALL(cudaCreateTextureObject,
         (cudaTextureObject_t * handle, const struct cudaResourceDesc *resource, const struct cudaTextureDesc *sampling,
          const struct cudaResourceViewDesc *view),
         (handle, resource, sampling, view));
static cudaError_t cudaCreateTextureObject_locked(Context *context, cudaTextureObject_t *handle,
                                                  const struct cudaResourceDesc *resource,
                                                  const struct cudaTextureDesc *sampling,
                                                  const struct cudaResourceViewDesc *view) {
    if (!handle || !resource || !sampling) return cudaErrorInvalidValue;
    if (view) {
        note("%s: views of a resource in another format are not emulated", callsite_name());
        return cudaErrorNotSupported;
    }
    uint64_t made = 0;
    const cudaError_t error = object_new(context, resource, sampling, &made);
    if (!error) *handle = made;
    return error;
}

API_CALL(cudaCreateSurfaceObject, (cudaSurfaceObject_t * handle, const struct cudaResourceDesc *resource), (handle, resource));
static cudaError_t cudaCreateSurfaceObject_locked(Context *context, cudaSurfaceObject_t *handle,
                                                  const struct cudaResourceDesc *resource) {
    if (!handle || !resource) return cudaErrorInvalidValue;
    uint64_t made = 0;
    const cudaError_t error = object_new(context, resource, NULL, &made);
    if (!error) *handle = made;
    return error;
}

static cudaError_t destroy(Context *context, uint64_t handle, bool is_surface) {
    TextureObject **at = object_at(context, handle, is_surface), *object = *at;
    if (!object) return handle ? cudaErrorInvalidValue : cudaSuccess;
    textures_remove(&context->textures, handle, is_surface);
    *at = object->next;
    free(object);
    return cudaSuccess;
}

API_CALL(cudaDestroyTextureObject, (cudaTextureObject_t handle), (handle));
static cudaError_t cudaDestroyTextureObject_locked(Context *context, cudaTextureObject_t handle) {
    return destroy(context, handle, false);
}

API_CALL(cudaDestroySurfaceObject, (cudaSurfaceObject_t handle), (handle));
static cudaError_t cudaDestroySurfaceObject_locked(Context *context, cudaSurfaceObject_t handle) {
    return destroy(context, handle, true);
}

static cudaError_t ask_resource(Context *context, struct cudaResourceDesc *resource, uint64_t handle, bool is_surface) {
    const TextureObject *object = *object_at(context, handle, is_surface);
    if (!object || !resource) return cudaErrorInvalidValue;
    *resource = object->resource;
    return cudaSuccess;
}

API_CALL(cudaGetTextureObjectResourceDesc, (struct cudaResourceDesc * resource, cudaTextureObject_t handle),
         (resource, handle));
static cudaError_t cudaGetTextureObjectResourceDesc_locked(Context *context, struct cudaResourceDesc *resource,
                                                           cudaTextureObject_t handle) {
    return ask_resource(context, resource, handle, false);
}

API_CALL(cudaGetSurfaceObjectResourceDesc, (struct cudaResourceDesc * resource, cudaSurfaceObject_t handle),
         (resource, handle));
static cudaError_t cudaGetSurfaceObjectResourceDesc_locked(Context *context, struct cudaResourceDesc *resource,
                                                           cudaSurfaceObject_t handle) {
    return ask_resource(context, resource, handle, true);
}

API_CALL(cudaGetTextureObjectTextureDesc, (struct cudaTextureDesc * sampling, cudaTextureObject_t handle), (sampling, handle));
static cudaError_t cudaGetTextureObjectTextureDesc_locked(Context *context, struct cudaTextureDesc *sampling,
                                                          cudaTextureObject_t handle) {
    const TextureObject *object = *object_at(context, handle, false);
    if (!object || !sampling) return cudaErrorInvalidValue;
    *sampling = object->sampling;
    return cudaSuccess;
}

/* No object has a view. */
API_CALL(cudaGetTextureObjectResourceViewDesc, (struct cudaResourceViewDesc * view, cudaTextureObject_t handle),
         (view, handle));
static cudaError_t cudaGetTextureObjectResourceViewDesc_locked(Context *context, struct cudaResourceViewDesc *view,
                                                               cudaTextureObject_t handle) {
    (void)view;
    (void)context;
    (void)handle;
    return cudaErrorInvalidValue;
}

void texture_objects_reset(Context *context) {
    while (context->texture_objects) {
        TextureObject *object = context->texture_objects;
        textures_remove(&context->textures, object->handle, object->is_surface);
        context->texture_objects = object->next;
        free(object);
    }
}
