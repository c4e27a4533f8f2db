#include "runtime/planned.h"

#include <inttypes.h>
#include <stdlib.h>

#include "base/alloc.h"
#include "runtime/device_memory.h"
#include "runtime/mempool.h"

PlannedMemory *planned_find(const Context *context, uint64_t address) {
    PlannedMemory *at = context->planned;
    while (at && !allocation_holds(&at->memory, address, 1)) at = at->next;
    return at;
}

Allocation *planned_at(const Context *context, uint64_t address) {
    PlannedMemory *found = planned_find(context, address);
    return found ? &found->memory : NULL;
}

Allocation *planned_live(const Context *context, const PlannedMemory *planned) {
    Allocation *allocation = memory_find(context->memory, planned->memory.address);
    return allocation && allocation->address == planned->memory.address ? allocation : NULL;
}

uint64_t planned_new(Context *context, uint64_t bytes) {
    PlannedMemory *made = alloc_zeroed(1, sizeof *made);
    Text name = text_from("%s %llu", callsite_name(), (unsigned long long)++context->allocations);
    made->memory = (Allocation){.address = memory_reserve(context->memory, bytes),
                                .bytes = bytes,
                                .name = alloc_copy(text_string(&name)),
                                .tag = TAG_DEVICE,
                                .site = callsite_now.address,
                                .site_around = callsite_around()};
    text_free(&name);
    made->next = context->planned;
    context->planned = made;
    return made->memory.address;
}

void planned_reset(Context *context) {
    for (PlannedMemory *at = context->planned, *next; at; at = next) {
        next = at->next;
        free(at->memory.name);
        free(at);
    }
    context->planned = NULL;
    context->planned_reserved = context->planned_high[0] = context->planned_high[1] = 0;
}

uint64_t planned_used(const Context *context) {
    uint64_t bytes = 0;
    for (const PlannedMemory *at = context->planned; at; at = at->next)
        if (planned_live(context, at)) bytes += at->memory.bytes;
    return bytes;
}

static void raise(uint64_t *value, uint64_t to) {
    if (*value < to) *value = to;
}

cudaError_t planned_begin(Context *context, uint64_t address) {
    const PlannedMemory *planned = planned_find(context, address);
    if (!planned) return cudaErrorInvalidValue; /* the device was reset while the graph ran */
    if (planned_live(context, planned)) {
        note("a graph allocates '%s', which is allocated already", planned->memory.name);
        return cudaErrorInvalidValue;
    }
    const uint64_t left = device_memory_left(context);
    if (planned->memory.bytes > left) {
        note("a graph allocates '%s': %" PRIu64 " bytes, of the device's %" PRIu64 " left", planned->memory.name,
             planned->memory.bytes, left);
        return cudaErrorMemoryAllocation;
    }
    Allocation *made = memory_allocate_at(context->memory, address, planned->memory.bytes, planned->memory.name);
    made->tag = TAG_DEVICE;
    made->site = planned->memory.site;
    made->site_around = planned->memory.site_around;
    context->allocated += made->bytes;
    raise(&context->planned_reserved, mempool_chunks(planned_used(context)));
    for (int i = 0; i < 2; i++) raise(&context->planned_high[i], context->planned_reserved);
    return cudaSuccess;
}

cudaError_t planned_end(Context *context, uint64_t address) {
    const PlannedMemory *planned = planned_find(context, address);
    if (!planned) return cudaErrorInvalidValue;
    Allocation *allocation = planned_live(context, planned);
    if (!allocation) {
        note("a graph frees '%s', which is not allocated", planned->memory.name);
        return cudaErrorInvalidValue;
    }
    context->allocated -= allocation->bytes;
    memory_retire(context->memory, allocation);
    return cudaSuccess;
}
