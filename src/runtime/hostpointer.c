#include "runtime/hostpointer.h"

#include <stdio.h>
#include <string.h>

#include "runtime/hostmap.h"

/* An index leads no farther from what a pointer points to; what was copied to the device and is looked through for pointers. */
enum { NEAR_BYTES = 1 << 26, SEARCHED_BYTES = 64 << 20 };

#define REMEDY "copy to memory of cudaMalloc's with cudaMemcpy, or use cudaMallocManaged"

static uint64_t word_at(const void *bytes) {
    uint64_t word;
    memcpy(&word, bytes, sizeof word);
    return word;
}

/* Whether a kernel that takes this for a pointer may have come to the address. */
static bool explains(const Context *context, uint64_t word, uint64_t address) {
    bool near = word <= address ? address - word < NEAR_BYTES : word - address < NEAR_BYTES;
    return word >= 0x10000 && near && !memory_find(context->memory, word) && hostmap_holds(word);
}

/* A pointer that is an argument, or in a structure that is one. */
static bool in_argument(const Context *context, const KernelWork *work, uint32_t i, Fault *fault) {
    const Variable *param = &work->kernel->image->program->variables[work->kernel->function->params[i]];
    for (uint64_t at = 0; at + sizeof(uint64_t) <= param->bytes; at += sizeof(uint64_t)) {
        if (!explains(context, word_at(work->params + param->offset + at), fault->address)) continue;
        const char *name = image_parameter(work->kernel, i);
        return !fault_hint(fault, "argument %u%s%.60s%s %s: " REMEDY, i + 1, name ? ", '" : "", name ? name : "",
                           name ? "'," : "",
                           param->bytes == sizeof(uint64_t) ? "is a host pointer passed to a kernel" : "holds a host pointer");
    }
    return false;
}

/* A pointer in what the host copied to the device. */
static bool in_memory(const Context *context, const Allocation *in, Fault *fault) {
    for (uint64_t at = 0; at + sizeof(uint64_t) <= in->bytes; at += sizeof(uint64_t)) {
        if (!explains(context, word_at(in->host + at), fault->address)) continue;
        if (hostmap_is_constant(word_at(in->host + at)))
            return !fault_hint(
                fault,
                "the object at '%.60s'+%llu was made by the host, whose virtual functions it has: have a kernel make "
                "objects with virtual functions, with new",
                in->name, (unsigned long long)at);
        return !fault_hint(
            fault, "'%.60s'+%llu holds a host pointer: what it points to must be copied as well, to memory of cudaMalloc's",
            in->name, (unsigned long long)at);
    }
    return false;
}

void hostpointer_explain(const Context *context, const KernelWork *work, Fault *fault) {
    uint64_t searched = 0;
    for (uint32_t i = 0; i < work->kernel->function->n_params; i++)
        if (in_argument(context, work, i, fault)) return;
    for (size_t i = 0; i < memory_count(context->memory); i++) {
        const Allocation *in = memory_at(context->memory, i);
        searched += in->bytes;
        if (searched > SEARCHED_BYTES || in_memory(context, in, fault)) return;
    }
}
