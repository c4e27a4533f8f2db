/* one_device.c: which devices there are, and what other devices and processes could do with this one's: there is one, number 0. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "runtime/array.h"

static const char bus_id[] = "0000:00:00.0";

cudaError_t cudaDeviceGetPCIBusId(char *name, int name_bytes, int device) {
    CALLSITE_BEGIN();
    if (!name || name_bytes < (int)sizeof bus_id) return api_end(NULL, cudaErrorInvalidValue);
    cudaError_t error = cudaSetDevice(device);
    if (!error) memcpy(name, bus_id, sizeof bus_id);
    return error;
}

/* domain:bus:device.function, of which the first and the last may be left out. */
static bool reads_bus_id(const char *name, unsigned place[4]) {
    int end = -1;
    place[0] = place[3] = 0;
    if (name[strspn(name, "0123456789abcdefABCDEF:.")]) return false;
    if (sscanf(name, "%x:%x:%x.%x%n", &place[0], &place[1], &place[2], &place[3], &end) == 4 && end > 0 && !name[end])
        return true;
    end = -1, place[0] = 0;
    if (sscanf(name, "%x:%x.%x%n", &place[1], &place[2], &place[3], &end) == 3 && end > 0 && !name[end]) return true;
    end = -1, place[3] = 0;
    return sscanf(name, "%x:%x:%x%n", &place[0], &place[1], &place[2], &end) == 3 && end > 0 && !name[end];
}

API_CALL_ALWAYS(cudaDeviceGetByPCIBusId, (int *device, const char *name), (device, name));
static cudaError_t cudaDeviceGetByPCIBusId_locked(Context *context, int *device, const char *name) {
    unsigned wanted[4], own[4];
    (void)context;
    if (!device || !name || !reads_bus_id(name, wanted)) return cudaErrorInvalidValue;
    reads_bus_id(bus_id, own);
    if (memcmp(wanted, own, sizeof own) != 0) return cudaErrorInvalidDevice;
    *device = 0;
    return cudaSuccess;
}

/* The nearest to what is wanted is the only one. */
API_CALL_ALWAYS(cudaChooseDevice, (int *device, const struct cudaDeviceProp *wanted), (device, wanted));
static cudaError_t cudaChooseDevice_locked(Context *context, int *device, const struct cudaDeviceProp *wanted) {
    (void)context;
    if (!device || !wanted) return cudaErrorInvalidValue;
    *device = 0;
    return cudaSuccess;
}

API_CALL_ALWAYS(cudaSetValidDevices, (int *devices, int count), (devices, count));
static cudaError_t cudaSetValidDevices_locked(Context *context, int *devices, int count) {
    (void)context;
    if (count < 0 || count > 1 || (count && !devices)) return cudaErrorInvalidValue;
    for (int i = 0; i < count; i++)
        if (devices[i]) return cudaErrorInvalidDevice;
    return cudaSuccess;
}

/* Texels of linear memory. */
API_CALL_ALWAYS(cudaDeviceGetTexture1DLinearMaxWidth, (size_t * width, const struct cudaChannelFormatDesc *format, int device),
                (width, format, device));
static cudaError_t cudaDeviceGetTexture1DLinearMaxWidth_locked(Context *context, size_t *width,
                                                               const struct cudaChannelFormatDesc *format, int device) {
    (void)context;
    if (!width || !format) return cudaErrorInvalidValue;
    if (device) return cudaErrorInvalidDevice;
    const unsigned texel = format_bytes(format);
    if (!texel) return cudaErrorInvalidChannelDescriptor;
    *width = texel > 4 ? ((size_t)1 << 32) / texel : (size_t)1 << 30; /* as an H200 says */
    return cudaSuccess;
}

/* --- other devices: none --- */

cudaError_t cudaDeviceCanAccessPeer(int *can, int device, int peer) {
    CALLSITE_BEGIN();
    if (!can) return api_end(NULL, cudaErrorInvalidValue);
    if (device != 0 || peer != 0) return api_end(NULL, cudaErrorInvalidDevice);
    *can = 0; /* a device is no peer of its own */
    return cudaSuccess;
}

cudaError_t cudaDeviceEnablePeerAccess(int peer, unsigned flags) {
    CALLSITE_BEGIN();
    if (flags) return api_end(NULL, cudaErrorInvalidValue);
    return api_end(NULL, peer == 0 ? cudaErrorPeerAccessUnsupported : cudaSetDevice(peer));
}

cudaError_t cudaDeviceDisablePeerAccess(int peer) {
    CALLSITE_BEGIN();
    return api_end(NULL, peer == 0 ? cudaErrorPeerAccessNotEnabled : cudaSetDevice(peer));
}

API_CALL_ALWAYS(cudaDeviceGetP2PAttribute, (int *value, enum cudaDeviceP2PAttr attribute, int device, int peer),
                (value, attribute, device, peer));
static cudaError_t cudaDeviceGetP2PAttribute_locked(Context *context, int *value, enum cudaDeviceP2PAttr attribute, int device,
                                                    int peer) {
    (void)context;
    (void)attribute;
    (void)device;
    (void)peer;
    if (!value) return cudaErrorInvalidValue;
    return cudaErrorInvalidDevice; /* a device is no peer of its own, and there is no other */
}

/* What kernels' atomic operations do that host code, or another device, sees as one: none across the bus, which these devices are attached by. */
static API_CALL_ALWAYS(list_atomics,
                       (unsigned *capabilities, const enum cudaAtomicOperation *operations, unsigned count, int device),
                       (capabilities, operations, count, device));
static cudaError_t list_atomics_locked(Context *context, unsigned *capabilities, const enum cudaAtomicOperation *operations,
                                       unsigned count, int device) {
    (void)context;
    if (!capabilities || !operations || !count) return cudaErrorInvalidValue;
    if (device) return cudaErrorInvalidDevice;
    for (unsigned i = 0; i < count; i++)
        if ((unsigned)operations[i] > cudaAtomicOperationFloatMax) return cudaErrorInvalidValue;
    memset(capabilities, 0, count * sizeof *capabilities);
    return cudaSuccess;
}

cudaError_t cudaDeviceGetHostAtomicCapabilities(unsigned *capabilities, const enum cudaAtomicOperation *operations,
                                                unsigned count, int device) {
    CALLSITE_BEGIN();
    return list_atomics(capabilities, operations, count, device);
}

cudaError_t cudaDeviceGetP2PAtomicCapabilities(unsigned *capabilities, const enum cudaAtomicOperation *operations,
                                               unsigned count, int device, int peer) {
    CALLSITE_BEGIN();
    (void)device;
    (void)peer;
    const cudaError_t error = list_atomics(capabilities, operations, count, 0);
    return error ? error : api_end(NULL, cudaErrorInvalidDevice); /* a device is no peer of its own */
}

/* --- notices, which never come: nothing limits what a process may have --- */

struct cudaAsyncCallbackEntry {
    struct cudaAsyncCallbackEntry *next;
};

API_CALL_ALWAYS(cudaDeviceRegisterAsyncNotification,
                (int device, cudaAsyncCallback callback, void *data, cudaAsyncCallbackHandle_t *handle),
                (device, callback, data, handle));
static cudaError_t cudaDeviceRegisterAsyncNotification_locked(Context *context, int device, cudaAsyncCallback callback,
                                                              void *data, cudaAsyncCallbackHandle_t *handle) {
    (void)data;
    if (device) return cudaErrorInvalidDevice;
    if (!callback || !handle) return cudaErrorInvalidValue;
    struct cudaAsyncCallbackEntry *made = alloc_zeroed(1, sizeof *made);
    made->next = context->notices;
    *handle = context->notices = made;
    return cudaSuccess;
}

API_CALL_ALWAYS(cudaDeviceUnregisterAsyncNotification, (int device, cudaAsyncCallbackHandle_t handle), (device, handle));
static cudaError_t cudaDeviceUnregisterAsyncNotification_locked(Context *context, int device,
                                                                cudaAsyncCallbackHandle_t handle) {
    struct cudaAsyncCallbackEntry **at = &context->notices;
    if (device) return cudaErrorInvalidDevice;
    while (*at && *at != handle) at = &(*at)->next;
    if (!*at) return cudaErrorInvalidValue;
    struct cudaAsyncCallbackEntry *found = *at;
    *at = found->next;
    free(found);
    return cudaSuccess;
}

/* --- caches and other devices' writes --- */

API_CALL(cudaDeviceFlushGPUDirectRDMAWrites,
         (enum cudaFlushGPUDirectRDMAWritesTarget target, enum cudaFlushGPUDirectRDMAWritesScope scope), (target, scope));
static cudaError_t cudaDeviceFlushGPUDirectRDMAWrites_locked(Context *context, enum cudaFlushGPUDirectRDMAWritesTarget target,
                                                             enum cudaFlushGPUDirectRDMAWritesScope scope) {
    (void)context;
    const bool known = scope == cudaFlushGPUDirectRDMAWritesToOwner || scope == cudaFlushGPUDirectRDMAWritesToAllDevices;
    if (target != cudaFlushGPUDirectRDMAWritesTargetCurrentDevice || !known) return cudaErrorInvalidValue;
    return cudaSuccess; /* no other device has written anything */
}

/* No line is kept for longer than others. */
cudaError_t cudaCtxResetPersistingL2Cache(void) {
    CALLSITE_BEGIN();
    cudaError_t error;
    Context *context = api_begin(&error);
    return api_end(context, error);
}
