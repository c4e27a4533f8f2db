/* ipc.c: what processes would share. Handles are given out; nothing is opened by one: a process cannot open its own, and each process has a device of its own here. */
#include <string.h>
#include <unistd.h>

#include "runtime/device_memory.h"
#include "runtime/event.h"

/* What is in a handle of CUDA_IPC_HANDLE_SIZE bytes. */
typedef struct SharedHandle {
    char magic[8];
    uint64_t process, address, bytes;
} SharedHandle;

static const char magic_memory[8] = "wsmemory", magic_event[8] = "wsevent";

static SharedHandle handle_of(const char magic[8], uint64_t address, uint64_t bytes) {
    SharedHandle made = {.process = (uint64_t)getpid(), .address = address, .bytes = bytes};
    memcpy(made.magic, magic, sizeof made.magic);
    return made;
}

/* What opening it comes to. */
static cudaError_t open_handle(const void *given, const char magic[8]) {
    SharedHandle handle;
    memcpy(&handle, given, sizeof handle);
    if (memcmp(handle.magic, magic, sizeof handle.magic) != 0) return cudaErrorInvalidValue;
    if (handle.process == (uint64_t)getpid()) return cudaErrorDeviceUninitialized;
    note("%s: the handle is process %llu's, and processes share no memory and no events here", callsite_name(),
         (unsigned long long)handle.process);
    note_hint("give the bytes to the other process by the host's memory, or do the work of both in one process");
    return cudaErrorNotSupported;
}

/* --- memory --- */

API_CALL(cudaIpcGetMemHandle, (cudaIpcMemHandle_t * handle, void *pointer), (handle, pointer));
static cudaError_t cudaIpcGetMemHandle_locked(Context *context, cudaIpcMemHandle_t *handle, void *pointer) {
    const Allocation *in = memory_find(context->memory, (uintptr_t)pointer);
    if (!handle || !in || tag_kind(in) != TAG_DEVICE || in->tag >> TAG_FLAGS_SHIFT) return cudaErrorInvalidValue;
    const SharedHandle made = handle_of(magic_memory, in->address, in->bytes);
    memset(handle, 0, sizeof *handle);
    memcpy(handle, &made, sizeof made);
    return cudaSuccess;
}

API_CALL(cudaIpcOpenMemHandle, (void **pointer, cudaIpcMemHandle_t handle, unsigned flags), (pointer, handle, flags));
static cudaError_t cudaIpcOpenMemHandle_locked(Context *context, void **pointer, cudaIpcMemHandle_t handle, unsigned flags) {
    (void)context;
    if (!pointer || flags != cudaIpcMemLazyEnablePeerAccess) return cudaErrorInvalidValue;
    return open_handle(&handle, magic_memory);
}

/* None was ever opened. */
API_CALL(cudaIpcCloseMemHandle, (void *pointer), (pointer));
static cudaError_t cudaIpcCloseMemHandle_locked(Context *context, void *pointer) {
    (void)context;
    (void)pointer;
    return cudaErrorInvalidValue;
}

/* --- events --- */

API_CALL(cudaIpcGetEventHandle, (cudaIpcEventHandle_t * handle, cudaEvent_t event_handle), (handle, event_handle));
static cudaError_t cudaIpcGetEventHandle_locked(Context *context, cudaIpcEventHandle_t *handle, cudaEvent_t event_handle) {
    const Event *event = event_find(context, event_handle);
    if (!event || !event->between_processes) return cudaErrorInvalidResourceHandle;
    if (!handle) return cudaErrorInvalidValue;
    const SharedHandle made = handle_of(magic_event, (uintptr_t)event, 0);
    memset(handle, 0, sizeof *handle);
    memcpy(handle, &made, sizeof made);
    return cudaSuccess;
}

API_CALL(cudaIpcOpenEventHandle, (cudaEvent_t * event, cudaIpcEventHandle_t handle), (event, handle));
static cudaError_t cudaIpcOpenEventHandle_locked(Context *context, cudaEvent_t *event, cudaIpcEventHandle_t handle) {
    (void)context;
    const cudaError_t error = event ? open_handle(&handle, magic_event) : cudaErrorInvalidValue;
    return event && error == cudaErrorInvalidValue ? cudaErrorMapBufferObjectFailed
                                                   : error; /* as an H200 has it of no handle */
}
