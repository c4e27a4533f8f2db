#include "runtime/device_memory.h"

#include <inttypes.h>
#include <stdio.h>

#include "machine/access.h"
#include "machine/heap.h"
#include "runtime/hostmap.h"
#include "runtime/mempool.h"

/* Managed memory may take more than the device has. */
uint64_t device_memory_left(const Context *context) {
    const uint64_t all = context->options.profile->memory_bytes;
    return context->allocated < all ? all - context->allocated : 0;
}

Allocation *device_memory_allocate(Context *context, const char *call, uint64_t bytes) {
    const uint64_t all = context->options.profile->memory_bytes, left = device_memory_left(context);
    if (bytes > left) {
        note("%s: %" PRIu64 " byte%s asked for, %" PRIu64 " of the device's %" PRIu64 " left", call, bytes, plural_s(bytes),
             left, all);
        return NULL;
    }
    char name[64];
    snprintf(name, sizeof name, "%s %" PRIu64, call, ++context->allocations);
    Allocation *allocation = memory_allocate(context->memory, bytes, name, false);
    allocation->tag = TAG_DEVICE;
    allocation->site = callsite_now.address;
    allocation->site_around = callsite_around();
    context->allocated += bytes;
    return allocation;
}

/* --- freeing --- */

static void note_free(const Context *context, const char *call, uint64_t address, const char *wanted) {
    const Allocation *in = memory_find(context->memory, address), *freed = in ? NULL : memory_retired(context->memory, address);
    if (freed)
        note("%s: 0x%" PRIx64 " has been freed already ('%s')", call, address, freed->name);
    else if (in && context->heap && in == heap_memory(context->heap))
        note("%s: 0x%" PRIx64 " comes from malloc or new in a kernel: free or delete it there", call, address);
    else if (in && in->address != address)
        note("%s: 0x%" PRIx64 " is byte %" PRIu64 " of '%s': only its beginning can be freed", call, address,
             address - in->address, in->name);
    else if (in)
        note("%s: '%s' was not allocated with %s%s", call, in->name, wanted,
             tag_kind(in) == TAG_PINNED  ? ": cudaFreeHost frees it"
             : tag_kind(in) == TAG_ARRAY ? ": cudaFreeArray frees it"
                                         : "");
    else
        note("%s: 0x%" PRIx64 " was never allocated with %s%s", call, address, wanted,
             hostmap_holds(address) ? ": it is the host's own memory" : "");
}

cudaError_t device_memory_may_free(const Context *context, const char *call, const void *pointer) {
    const Allocation *allocation = memory_find(context->memory, (uintptr_t)pointer);
    if (allocation && allocation->address == (uintptr_t)pointer &&
        (tag_kind(allocation) == TAG_DEVICE || tag_kind(allocation) == TAG_MANAGED))
        return cudaSuccess;
    note_free(context, call, (uintptr_t)pointer, "cudaMalloc");
    return cudaErrorInvalidValue;
}

cudaError_t device_memory_free(Context *context, const char *call, void *pointer) {
    if (!pointer) return cudaSuccess;
    const cudaError_t error = device_memory_may_free(context, call, pointer);
    if (error) return error;
    Allocation *allocation = memory_find(context->memory, (uintptr_t)pointer);
    context->allocated -= allocation->bytes;
    mempool_give_back(context, allocation->tag >> TAG_FLAGS_SHIFT, allocation->bytes);
    memory_retire(context->memory, allocation);
    return cudaSuccess;
}

enum { LEAKS_NAMED = 5 };

void device_memory_note_leaks(Context *context) {
    uint64_t count = 0, bytes = 0;
    LOCAL_TEXT names = {0};
    for (size_t i = 0; i < memory_count(context->memory); i++) {
        const Allocation *allocation = memory_at(context->memory, i);
        if (tag_kind(allocation) == TAG_VARIABLE || tag_kind(allocation) == TAG_REGISTERED) continue;
        if (count < LEAKS_NAMED)
            text_add(&names, "%s'%s' of %" PRIu64 " byte%s", count ? ", " : "", allocation->name, allocation->bytes,
                     plural_s(allocation->bytes));
        count++;
        bytes += allocation->bytes;
    }
    if (count)
        note("%" PRIu64 " allocation%s never freed, %" PRIu64 " byte%s: %s%s", count, count == 1 ? " was" : "s were", bytes,
             plural_s(bytes), text_string(&names), count > LEAKS_NAMED ? ", ..." : "");
}
