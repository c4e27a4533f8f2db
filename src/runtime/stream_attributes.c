/* stream_attributes.c: what a stream is besides an order of work. Attributes are kept; but for the priority none changes anything. */
#include "runtime/stream.h"

PER_THREAD_CALL(cudaStreamGetId, _ptsz, (cudaStream_t handle, unsigned long long *id), (handle, id));
static cudaError_t cudaStreamGetId_locked(Context *context, cudaStream_t handle, unsigned long long *id) {
    const Stream *stream = stream_find(context, handle);
    if (!stream) return cudaErrorInvalidResourceHandle;
    if (!id) return cudaErrorInvalidValue;
    *id = stream->number + 1;
    return cudaSuccess;
}

PER_THREAD_CALL(cudaStreamGetDevice, _ptsz, (cudaStream_t handle, int *device), (handle, device));
static cudaError_t cudaStreamGetDevice_locked(Context *context, cudaStream_t handle, int *device) {
    if (!stream_find(context, handle)) return cudaErrorInvalidResourceHandle;
    if (!device) return cudaErrorInvalidValue;
    *device = 0;
    return cudaSuccess;
}

static bool is_of_streams(cudaLaunchAttributeID attribute) {
    return attribute != cudaLaunchAttributeClusterSchedulingPolicyPreference &&
           attribute != cudaLaunchAttributePreferredSharedMemoryCarveout;
}

PER_THREAD_CALL(cudaStreamGetAttribute, _ptsz,
                (cudaStream_t handle, cudaLaunchAttributeID attribute, cudaLaunchAttributeValue *value),
                (handle, attribute, value));
static cudaError_t cudaStreamGetAttribute_locked(Context *context, cudaStream_t handle, cudaLaunchAttributeID attribute,
                                                 cudaLaunchAttributeValue *value) {
    const Stream *stream = stream_find(context, handle);
    if (!stream) return cudaErrorInvalidResourceHandle;
    return value && is_of_streams(attribute) && attributes_give(&stream->attributes, attribute, value) ? cudaSuccess
                                                                                                       : cudaErrorInvalidValue;
}

PER_THREAD_CALL(cudaStreamSetAttribute, _ptsz,
                (cudaStream_t handle, cudaLaunchAttributeID attribute, const cudaLaunchAttributeValue *value),
                (handle, attribute, value));
static cudaError_t cudaStreamSetAttribute_locked(Context *context, cudaStream_t handle, cudaLaunchAttributeID attribute,
                                                 const cudaLaunchAttributeValue *value) {
    Stream *stream = stream_find(context, handle);
    if (!stream) return cudaErrorInvalidResourceHandle;
    return value && is_of_streams(attribute) && attributes_take(&stream->attributes, attribute, value) ? cudaSuccess
                                                                                                       : cudaErrorInvalidValue;
}

PER_THREAD_CALL(cudaStreamCopyAttributes, _ptsz, (cudaStream_t to_handle, cudaStream_t from_handle), (to_handle, from_handle));
static cudaError_t cudaStreamCopyAttributes_locked(Context *context, cudaStream_t to_handle, cudaStream_t from_handle) {
    Stream *to = stream_find(context, to_handle);
    const Stream *from = stream_find(context, from_handle);
    if (!to || !from) return cudaErrorInvalidResourceHandle;
    to->attributes = from->attributes;
    return cudaSuccess;
}
