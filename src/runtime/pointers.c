#include "runtime/pointers.h"

#include <stdio.h>
#include <string.h>

#include "machine/heap.h"
#include "runtime/device_memory.h"
#include "runtime/hostmap.h"

/* An index leads no farther from what a pointer points to; what was copied to the device and is looked through for pointers. */
enum { NEAR_BYTES = 1 << 26, SEARCHED_BYTES = 64 << 20 };

/* Below it there is no memory: a null pointer, or one with an offset. */
enum { NULL_BYTES = 0x10000 };

#define REMEDY "copy to memory of cudaMalloc's with cudaMemcpy, or use cudaMallocManaged"

/* An argument: "argument 2, 'n',". */
typedef struct Given {
    uint64_t value; /* its first 8 bytes */
    uint64_t bytes;
    char what[90];
} Given;

typedef struct Case {
    const Context *context;
    const KernelWork *work;
    Fault *fault;
    const Allocation *near; /* the one that the address is in, or is nearest to */
} Case;

static uint64_t word_at(const void *bytes) {
    uint64_t word;
    memcpy(&word, bytes, sizeof word);
    return word;
}

static const Variable *parameter(const Case *of, uint32_t i) {
    return &of->work->kernel->image->program->variables[of->work->kernel->function->params[i]];
}

/* There are 8 bytes behind the last one. */
static Given given(const Case *of, uint32_t i) {
    const Variable *param = parameter(of, i);
    const char *name = image_parameter(of->work->kernel, i);
    Given it = {.value = word_at(of->work->params + param->offset), .bytes = param->bytes};
    if (it.bytes < sizeof it.value) it.value &= (UINT64_C(1) << 8 * it.bytes) - 1;
    snprintf(it.what, sizeof it.what, name ? "argument %u, '%.60s'," : "argument %u", i + 1, name);
    return it;
}

#define EACH_ARGUMENT(i, of) for (uint32_t i = 0; i < (of)->work->kernel->function->n_params; i++)

/* --- pointers of the host's ------------------------------------------------------------------------------------------------- */

/* Whether a kernel that takes this for a pointer may have come to the address. */
static bool leads(const Case *of, uint64_t word) {
    const uint64_t address = of->fault->address;
    const bool near = word <= address ? address - word < NEAR_BYTES : word - address < NEAR_BYTES;
    return word >= NULL_BYTES && near && !memory_find(of->context->memory, word) && hostmap_holds(word);
}

/* A pointer that is an argument, or in a structure that is one. */
static bool in_argument(const Case *of, uint32_t i) {
    const Variable *param = parameter(of, i);
    for (uint64_t at = 0; at + sizeof(uint64_t) <= param->bytes; at += sizeof(uint64_t)) {
        const uint64_t word = word_at(of->work->params + param->offset + at);
        if (!leads(of, word)) continue;
        const Given it = given(of, i);
        const DeviceVariable *variable = image_variable_at(of->context, word);
        if (variable)
            return !fault_hint(of->fault,
                               "%s is the host's address of '%.40s', which the device has elsewhere: name it in the kernel, "
                               "or pass what cudaGetSymbolAddress gives",
                               it.what, variable->name);
        return !fault_hint(of->fault, "%s %s: " REMEDY, it.what,
                           param->bytes == sizeof(uint64_t) ? "is a host pointer passed to a kernel" : "holds a host pointer");
    }
    return false;
}

/* A pointer in what the host copied to the device. */
static bool in_memory(const Case *of, const Allocation *in) {
    for (uint64_t at = 0; at + sizeof(uint64_t) <= in->bytes; at += sizeof(uint64_t)) {
        if (!leads(of, word_at(in->host + at))) continue;
        if (hostmap_is_constant(word_at(in->host + at)))
            return !fault_hint(
                of->fault,
                "the object at '%.60s'+%llu was made by the host, whose virtual functions it has: have a kernel make "
                "objects with virtual functions, with new",
                in->name, (unsigned long long)at);
        return !fault_hint(of->fault,
                           "'%.60s'+%llu holds a host pointer: what it points to must be copied as well, to memory of "
                           "cudaMalloc's",
                           in->name, (unsigned long long)at);
    }
    return false;
}

static bool is_the_hosts(const Case *of) {
    uint64_t searched = 0;
    EACH_ARGUMENT(i, of)
    if (in_argument(of, i)) return true;
    for (size_t i = 0; i < memory_count(of->context->memory); i++) {
        const Allocation *in = memory_at(of->context->memory, i);
        searched += in->bytes;
        if (searched > SEARCHED_BYTES || in_memory(of, in)) return true;
    }
    return false;
}

/* --- pointers that were cut off, or never set --------------------------------------------------------------------------------- */

static bool is_cut(const Case *of) {
    const uint64_t address = of->fault->address;
    if (address > UINT32_MAX && address < UINT64_C(0xffffffff80000000)) return false;
    for (size_t i = 0; i < memory_count(of->context->memory); i++) {
        const Allocation *in = memory_at(of->context->memory, i);
        if ((uint32_t)address - (uint32_t)in->address >= in->bytes) continue;
        return !fault_hint(of->fault,
                           "these are the lower 32 bits of an address in '%.60s': a pointer has 64, which long long, size_t "
                           "and uintptr_t hold",
                           in->name);
    }
    return false;
}

/* The one argument of a pointer's size that is 0. */
static bool is_null_argument(const Case *of) {
    uint32_t which = 0, count = 0;
    EACH_ARGUMENT(i, of) {
        const Given it = given(of, i);
        if (it.bytes != sizeof it.value || it.value) continue;
        which = i;
        count++;
    }
    return count == 1 &&
           !fault_hint(of->fault, "%s is a null pointer: has cudaMalloc given it its address, and was that not refused?",
                       given(of, which).what);
}

static bool is_null_variable(const Case *of) {
    const DeviceVariable *unset = NULL;
    for (const DeviceVariable *each = of->work->kernel->image->variables; each; each = each->next) {
        if (each->bytes != sizeof(uint64_t) || !each->allocation || word_at(each->allocation->host)) continue;
        if (unset) return false;
        unset = each;
    }
    return unset && !fault_hint(of->fault, "'%.60s' is a null pointer: cudaMemcpyToSymbol gives it one", unset->name);
}

static bool is_null(const Case *of) {
    if (is_null_argument(of)) return true;
    if (!of->context->heap || !heap_has_refused(of->context->heap)) return is_null_variable(of);
    return !fault_hint(of->fault,
                       "malloc and new give a null pointer when the heap of %zu bytes is full: "
                       "cudaDeviceSetLimit(cudaLimitMallocHeapSize, bytes) before the first launch makes it larger",
                       of->context->limits[cudaLimitMallocHeapSize]);
}

/* --- memory that is shorter than was meant --------------------------------------------------------------------------------------- */

/* "'a' (host.cu:24)": where it was allocated. */
static void add_allocation(const Allocation *in, Text *out) {
    const HostSpot spot = callsite_of_program(in->site, in->site_around);
    text_add(out, "'%.60s'", in->name);
    if (spot.line) text_add(out, ", allocated at ");
    callsite_add(&spot, out);
    if (spot.line) text_add(out, ",");
}

/* An argument that points behind it already. */
static bool points_behind(const Case *of) {
    const uint64_t end = of->near->address + of->near->bytes;
    EACH_ARGUMENT(i, of) {
        const Given it = given(of, i);
        if (it.bytes != sizeof it.value || it.value < end || it.value > of->fault->address) continue;
        return !fault_hint(of->fault,
                           "%s points %llu byte%s past the end of '%.60s' already: pointer + n counts elements, not bytes",
                           it.what, (unsigned long long)(it.value - end), plural_s(it.value - end), of->near->name);
    }
    return false;
}

/* Where an argument is the number of its elements, but of smaller ones. */
static bool is_counted(const Case *of, const char *name) {
    EACH_ARGUMENT(i, of) {
        const Given it = given(of, i);
        for (uint32_t size = 1; size < of->fault->bytes; size *= 2) {
            if (!it.value || it.value * size != of->near->bytes) continue;
            if (size == 1)
                return !fault_hint(of->fault, "%s has %llu bytes, and %s is as many elements: is * sizeof missing?", name,
                                   (unsigned long long)of->near->bytes, it.what);
            return !fault_hint(of->fault, "%s is %llu, and %s has room for as many elements of %u bytes, not of %u", it.what,
                               (unsigned long long)it.value, name, size, of->fault->bytes);
        }
    }
    return false;
}

static bool counts_pitch(const Case *of) {
    EACH_ARGUMENT(i, of) {
        if (given(of, i).value != of->near->pitch) continue;
        return !fault_hint(of->fault,
                           "the rows of '%.60s' are %llu bytes apart, and a pitch counts bytes: (float *)((char *)p + row * "
                           "pitch) + column",
                           of->near->name, (unsigned long long)of->near->pitch);
    }
    return false;
}

static bool is_short(const Case *of) {
    LOCAL_TEXT name = {0};
    if (of->fault->address < of->near->address) return false;
    if (points_behind(of) || (of->near->pitch && counts_pitch(of))) return true;
    add_allocation(of->near, &name);
    if (is_counted(of, text_string(&name))) return true;
    return of->near->bytes == sizeof(void *) && tag_kind(of->near) == TAG_DEVICE &&
           !fault_hint(of->fault, "%s has 8 bytes, the size of a pointer: sizeof(p) is not the size of what p points to",
                       text_string(&name));
}

/* --- memory of which the beginning was written ------------------------------------------------------------------------------------ */

static bool is_begun(const Case *of) {
    const uint64_t written = of->fault->address - of->near->address;
    if (written == sizeof(void *))
        return !fault_hint(of->fault,
                           "the first 8 bytes of '%.60s' were written, the size of a pointer: sizeof(p) is not the size of "
                           "what p points to",
                           of->near->name);
    return of->fault->bytes > 1 && written * of->fault->bytes == of->near->bytes &&
           !fault_hint(of->fault,
                       "the first %llu of the %llu bytes of '%.60s' were written: cudaMemcpy counts bytes, not elements: is * "
                       "sizeof missing?",
                       (unsigned long long)written, (unsigned long long)of->near->bytes, of->near->name);
}

void pointers_explain(const Context *context, const KernelWork *work, Fault *fault) {
    enum { FAR_SHIFT = 36 }; /* farther from every allocation, an address is no index gone wrong: machine/bounds.c */
    const Memory *memory = context->memory;
    const Allocation *in = memory_find(memory, fault->address), *near = in ? in : memory_nearest(memory, fault->address);
    const Case of = {context, work, fault, near};
    if (!fault->bytes || (fault->kind != FAULT_out_of_bounds && fault->kind != FAULT_uninitialized)) return;
    if (fault->kind == FAULT_uninitialized) {
        if (in) is_begun(&of);
        return;
    }
    if (fault->address < NULL_BYTES) {
        is_null(&of);
        return;
    }
    const bool below = near && fault->address < near->address;
    const uint64_t distance = !near ? UINT64_MAX : below ? near->address - fault->address : fault->address - near->address;
    if (distance >> FAR_SHIFT)
        (void)(is_cut(&of) || is_the_hosts(&of));
    else
        is_short(&of);
}
