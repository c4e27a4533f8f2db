/* device_memory.h: the kinds of memory that a program can allocate. Internal to src/runtime. */
#pragma once

#include "runtime/context.h"

/* Allocation.tag: a kind, and the flags of cudaHostAlloc or cudaHostRegister above it. */
enum { TAG_VARIABLE, TAG_DEVICE, TAG_PINNED, TAG_REGISTERED, TAG_MANAGED, TAG_ARRAY, TAG_MASK = 15, TAG_FLAGS_SHIFT = 4 };

static inline uint32_t tag_kind(const Allocation *allocation) { return allocation->tag & TAG_MASK; }

/* Bytes. */
uint64_t device_memory_left(const Context *context);

/* A new device allocation; NULL, after a message, when the device's memory is full. */
Allocation *device_memory_allocate(Context *context, const char *call, uint64_t bytes);

/* The same, but where it is full, what is left and frees enough is done first, as far as it is needed. */
Allocation *device_memory_take(Context *context, const char *call, uint64_t bytes);

/* cudaMalloc, of rows that lie so many bytes apart or 0, and cudaFree without waiting for anything: the calls' errors. */
cudaError_t device_memory_new(Context *context, const char *call, void **pointer, size_t bytes, size_t pitch);
cudaError_t device_memory_free(Context *context, const char *call, void *pointer);

/* Whether it can be freed now; an error, after a message, where not. */
cudaError_t device_memory_may_free(const Context *context, const char *call, const void *pointer);

/* Prints which allocations were never freed. */
void device_memory_note_leaks(Context *context);
