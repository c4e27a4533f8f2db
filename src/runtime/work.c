#include "runtime/work.h"

#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "machine/heap.h"
#include "observe/checks.h"
#include "runtime/device_memory.h"
#include "runtime/event.h"
#include "runtime/hostmap.h"
#include "runtime/image.h"
#include "runtime/launch_kernel.h"
#include "runtime/planned.h"
#include "runtime/stream.h"
#include "runtime/transform.h"

void work_free(Work *work) {
    if (work->kind == WORK_KERNEL) free(work->kernel.params);
    if (work->kind != WORK_LIBRARY) return;
    free(work->library->bytes);
    transform_release(work->library->transform);
    free(work->library);
}

Work work_copy(const Work *work) {
    Work copy = *work;
    if (work->kind == WORK_LIBRARY) {
        copy.library = alloc_bytes(sizeof *copy.library);
        *copy.library = *work->library;
        transform_hold(work->library->transform);
        if (work->library->bytes) {
            const size_t bytes = work->library->operands[0].box.width;
            copy.library->bytes = memcpy(alloc_bytes(bytes), work->library->bytes, bytes);
        }
    }
    if (work->kind != WORK_KERNEL) return copy;
    size_t bytes = work->kernel.kernel->function->param_bytes + 8;
    copy.kernel.params = alloc_bytes(bytes);
    memcpy(copy.kernel.params, work->kernel.params, bytes);
    return copy;
}

/* --- where memory is --- */

/* A side of a copy: in an allocation of the device's, or on the host. */
typedef struct Span {
    Allocation *allocation; /* NULL: the host's own */
    uint8_t *host;          /* where its first byte is */
} Span;

/* No memory is as large as these, whose product no size_t need have. */
static bool is_huge(size_t count, size_t bytes) {
    size_t product;
    return __builtin_mul_overflow(count, bytes, &product) || product > SIZE_MAX / 4;
}

/* From a box's first byte to behind its last; SIZE_MAX where no memory is that large. */
static size_t extent(const Side *side, const Box *box) {
    if (!box->width || !box->height || !box->depth) return 0;
    if (is_huge(box->depth - 1, side->slice) || is_huge(box->height - 1, side->pitch) || is_huge(box->width, 1))
        return SIZE_MAX;
    return (box->depth - 1) * side->slice + (box->height - 1) * side->pitch + box->width;
}

/* False, after a message, when the side leaves its allocation, or all memory, or is a device address in none; for a kernel, any address in none. */
static bool locate(const Context *context, const char *call, const Side *side, const Box *box, Span *span) {
    Allocation *in = memory_find(context->memory, side->address);
    const Allocation *freed = memory_retired(context->memory, side->address);
    if (!in && context->counted != COUNTED_PRESENT) {
        PlannedMemory *planned = planned_find(context, side->address);
        if (planned && (planned->expected || context->counted == COUNTED_PLANNED)) in = &planned->memory;
    }
    *span = (Span){in, (uint8_t *)side->address};
    size_t bytes = extent(side, box);
    if (bytes == SIZE_MAX) {
        note("%s reaches past the end of all memory", call);
        return false;
    }
    if (in) {
        uint64_t offset = side->address - in->address;
        span->host = in->host + offset;
        if (bytes <= in->bytes - offset) return true;
        uint64_t past = offset + bytes - in->bytes;
        note("%s: %zu byte%s at '%s'+%llu reach%s %llu byte%s past its end", call, bytes, plural_s(bytes), in->name,
             (unsigned long long)offset, bytes == 1 ? "es" : "", (unsigned long long)past, plural_s(past));
        return false;
    }
    const bool on_host = side->address < MEMORY_FIRST || side->address >= WINDOW_FUNCTION + WINDOW_BYTES;
    if (on_host && !context->by_kernel) return true;
    note("%s: 0x%llx is %s%s%s", call, (unsigned long long)side->address,
         freed     ? "in '"
         : on_host ? "no memory of the device's"
                   : "a device address in no allocation",
         freed ? freed->name : "", freed ? "', which has been freed" : "");
    if (on_host && !freed)
        note_hint(
            "what kernels copy and fill comes from cudaMalloc, cudaMallocManaged or cudaHostAlloc, or from malloc in a kernel");
    return false;
}

/* The address tells host from device memory, and a kind that names the device must agree: what it calls the host's may be the device's too. */
static bool kind_agrees(const Span *to, const Span *from, enum cudaMemcpyKind kind) {
    switch (kind) {
    case cudaMemcpyDefault: return true;
    case cudaMemcpyHostToDevice: return to->allocation;
    case cudaMemcpyDeviceToHost: return from->allocation;
    case cudaMemcpyDeviceToDevice: return to->allocation && from->allocation;
    case cudaMemcpyHostToHost: break;
    }
    return (!to->allocation || to->allocation->unified) && (!from->allocation || from->allocation->unified);
}

static const char *const kind_names[] = {"cudaMemcpyHostToHost", "cudaMemcpyHostToDevice", "cudaMemcpyDeviceToHost",
                                         "cudaMemcpyDeviceToDevice", "cudaMemcpyDefault"};

/* What was meant, where nothing but the pointers and the kind are known. */
static void hint_copy(const Context *context, const CopyWork *copy, const Span *to, const Span *from) {
    const DeviceVariable *variable = to->allocation ? NULL : image_variable_at(context, copy->to.address);
    if (!variable && !from->allocation) variable = image_variable_at(context, copy->from.address);
    LOCAL_TEXT hint = {0};
    if (variable)
        text_add(&hint, "the device has a '%s' of its own: cudaMemcpyToSymbol and cudaMemcpyFromSymbol copy it",
                 variable->name);
    else if (!to->allocation && !from->allocation)
        text_add(&hint, "the device's side must point to memory of cudaMalloc's, and not to the pointer itself: a, not &a");
    else
        text_add(&hint, "cudaMemcpy(to, from, bytes, kind): are the pointers swapped, or is %s meant?",
                 kind_names[to->allocation ? cudaMemcpyHostToDevice : cudaMemcpyDeviceToHost]);
    note_hint(text_string(&hint));
}

/* As an H100 has it of the host's copies, which fills such memory all the same. */
static bool is_of_kernels(const Context *context, const Span *span, const Side *side) {
    if (context->by_kernel || !context->heap || !span->allocation || span->allocation != heap_memory(context->heap))
        return false;
    note("copy: 0x%llx comes from malloc or new in a kernel, and is no memory for the host's calls: have a kernel copy it",
         (unsigned long long)side->address);
    return true;
}

static cudaError_t check_copy(const Context *context, const CopyWork *copy) {
    Span to, from;
    if (!extent(&copy->to, &copy->box)) return cudaSuccess;
    const bool narrow = copy->to.pitch < copy->box.width || copy->from.pitch < copy->box.width;
    if (narrow && copy->box.height > 1)
        return cudaErrorInvalidPitchValue; /* in the order in which an H100's runtime looks at them */
    if ((unsigned)copy->kind > cudaMemcpyDefault) return cudaErrorInvalidMemcpyDirection;
    if (narrow) return cudaErrorInvalidValue;
    if (!context->by_kernel && (!copy->to.address || !copy->from.address)) return cudaErrorInvalidValue;
    if (!locate(context, "copy", &copy->to, &copy->box, &to) || !locate(context, "copy", &copy->from, &copy->box, &from))
        return cudaErrorInvalidValue;
    if (is_of_kernels(context, &to, &copy->to) || is_of_kernels(context, &from, &copy->from)) return cudaErrorInvalidValue;
    if (kind_agrees(&to, &from, copy->kind)) return cudaSuccess;
    note("copy with %s: the destination is %s memory, the source %s memory", kind_names[copy->kind],
         to.allocation ? "device" : "host", from.allocation ? "device" : "host");
    hint_copy(context, copy, &to, &from);
    return cudaErrorInvalidValue;
}

static cudaError_t check_fill(const Context *context, const FillWork *fill) {
    Span to;
    if (!extent(&fill->to, &fill->box)) return cudaSuccess;
    if (fill->to.pitch < fill->box.width && fill->box.height > 1) return cudaErrorInvalidValue;
    if (!locate(context, "memset", &fill->to, &fill->box, &to)) return cudaErrorInvalidValue;
    if (to.allocation) return cudaSuccess;
    note("memset: %p is host memory", (void *)fill->to.address);
    return cudaErrorInvalidValue;
}

/* Of graphs alone: what is launched by itself has run before its module is unloaded. */
static cudaError_t check_kernel(Context *context, const KernelWork *work) {
    const Image *image = work->kernel->image;
    if (image->module || !image->name)
        return context->options.schedule.late || context->late ? kernel_check(context, work) : cudaSuccess;
    Diag diag = {0};
    diag_say(&diag, "%s, which it is of, has been unloaded", image->name);
    diag_hint(&diag, "unload a module after the last graph with kernels of it has run");
    kernel_note_refused(context, work, &diag);
    return cudaErrorInvalidDeviceFunction;
}

cudaError_t work_check(Context *context, const Work *work) {
    switch (work->kind) {
    case WORK_COPY: return check_copy(context, &work->copy);
    case WORK_FILL: return check_fill(context, &work->fill);
    case WORK_KERNEL: return check_kernel(context, &work->kernel);
    case WORK_HOST:
    case WORK_EMPTY:
    case WORK_RECORD:
    case WORK_GRAPH:
    case WORK_WAIT:
    case WORK_ALLOCATE:
    case WORK_FREE:
    case WORK_LIBRARY: break;
    }
    return cudaSuccess;
}

static cudaError_t check_counting(Context *context, const Work *work, MemoryCounted counted) {
    context->counted = counted;
    const cudaError_t error = work_check(context, work);
    context->counted = COUNTED_PRESENT;
    return error;
}

cudaError_t work_check_node(Context *context, const Work *work) { return check_counting(context, work, COUNTED_PLANNED); }

cudaError_t work_check_late(Context *context, const Work *work) { return check_counting(context, work, COUNTED_EXPECTED); }

cudaError_t work_check_by_kernel(Context *context, const Work *work) {
    context->by_kernel = true;
    const cudaError_t error = work_check(context, work);
    context->by_kernel = false;
    return error;
}

/* --- copies and fills --- */

/* A row of a box in an allocation: its offset there. */
static uint64_t row_offset(const Span *span, const Side *side, size_t z, size_t y) {
    return side->address - span->allocation->address + z * side->slice + y * side->pitch;
}

/* What was filled or copied there is initialised, as far as the source is; it is a change where it differs from the old bytes. */
static void wrote(const Span *to, const Side *side, const Span *from, const Side *source, const Box *box, bool changed) {
    if (!to->allocation) return;
    to->allocation->version += changed;
    for (size_t z = 0; z < box->depth; z++) {
        bool whole = side->pitch == box->width && (!from || source->pitch == box->width);
        size_t width = whole ? box->width * box->height : box->width;
        for (size_t y = 0; y < (whole ? 1 : box->height); y++) {
            uint64_t offset = row_offset(to, side, z, y);
            if (from && from->allocation)
                checks_copied(to->allocation, offset, from->allocation, row_offset(from, source, z, y), width);
            else
                checks_host_wrote(to->allocation, offset, width);
        }
    }
}

/* What a kernel should have written and the host takes for it. Told once. False: all was. */
static bool tell_unwritten(Context *context, const char *call, const Span *from, const Side *side, const Box *box) {
    UnwrittenBytes found = {0};
    if (!context->options.checks || !from->allocation) return false;
    for (size_t z = 0; z < box->depth; z++)
        for (size_t y = 0; y < box->height; y++)
            checks_find_unwritten(from->allocation, row_offset(from, side, z, y), box->width, &found);
    checks_settle_unwritten(&found);
    if (!found.count) return false;
    context->found = true;
    note("%s: of the %zu bytes of '%s' %llu %s never written, byte %llu the first of them", call,
         box->width * box->height * box->depth, from->allocation->name, (unsigned long long)found.count,
         found.count == 1 ? "was" : "were", (unsigned long long)found.first);
    note_hint("what is read is arbitrary: do enough threads run, and does each write its element? Else read less");
    wrote(from, side, NULL, NULL, box, false);
    return true;
}

static bool copy_box(const CopyWork *copy, const Span *to, const Span *from) {
    const Box *box = &copy->box;
    bool changed = false;
    for (size_t z = 0; z < box->depth; z++)
        for (size_t y = 0; y < box->height; y++) {
            uint8_t *target = to->host + z * copy->to.slice + y * copy->to.pitch;
            const uint8_t *source = from->host + z * copy->from.slice + y * copy->from.pitch;
            if (to->allocation && memcmp(target, source, box->width) == 0) continue;
            memmove(target, source, box->width);
            changed = true;
        }
    return changed;
}

typedef enum MemorySide { SIDE_DEVICE, SIDE_MANAGED, SIDE_PINNED, SIDE_PAGEABLE } MemorySide;

static MemorySide memory_side(const Context *context, const Side *side) {
    const Allocation *in = memory_find(context->memory, side->address);
    if (!in) return planned_at(context, side->address) ? SIDE_DEVICE : SIDE_PAGEABLE;
    if (!in->unified) return SIDE_DEVICE;
    return tag_kind(in) == TAG_PINNED || tag_kind(in) == TAG_REGISTERED ? SIDE_PINNED : SIDE_MANAGED;
}

/* As "API synchronization behavior" of CUDA's runtime API has it. Pageable memory is copied through a buffer of the driver's, so that an asynchronous
 * copy may come back when it is done, as drivers' do: but for the strict rule, by which it need not. */
bool work_holds_host(const Context *context, const Work *work) {
    if (work->kind == WORK_FILL) return !work->fill.async && memory_side(context, &work->fill.to) != SIDE_DEVICE;
    if (work->kind != WORK_COPY || work->copy.by_kernel) return false;
    const MemorySide to = memory_side(context, &work->copy.to), from = memory_side(context, &work->copy.from);
    if (to >= SIDE_PINNED && from >= SIDE_PINNED) return true;
    if (!work->copy.async) return to != SIDE_DEVICE || from != SIDE_DEVICE;
    return !context->options.strict && (to == SIDE_PAGEABLE || from == SIDE_PAGEABLE);
}

static cudaError_t run_copy(Context *context, const CopyWork *copy, double ready, Duration *duration) {
    Span to, from;
    size_t bytes = copy->box.width * copy->box.height * copy->box.depth;
    if (!bytes) return cudaSuccess;
    if (!locate(context, "copy", &copy->to, &copy->box, &to) || !locate(context, "copy", &copy->from, &copy->box, &from))
        return cudaErrorInvalidValue;
    const Span *host = !to.allocation ? &to : &from;
    const Side *side = !to.allocation ? &copy->to : &copy->from;
    if (!host->allocation) hostmap_copying("a copy", host->host, extent(side, &copy->box));
    if (!to.allocation) tell_unwritten(context, "copy to the host", &from, &copy->from, &copy->box);
    bool changed = copy_box(copy, &to, &from);
    hostmap_copying(NULL, NULL, 0);
    wrote(&to, &copy->to, &from, &copy->from, &copy->box, changed);
    bool to_device = to.allocation && !to.allocation->unified, from_device = from.allocation && !from.allocation->unified;
    Engine engine = to_device && from_device ? ENGINE_KERNELS
                    : to_device              ? ENGINE_TO_DEVICE
                    : from_device            ? ENGINE_FROM_DEVICE
                                             : ENGINE_NONE;
    *duration = (Duration){engine, clock_copy_us(context->options.profile, engine, bytes), 1};
    clock_count(&context->clock, *duration, bytes);
    if (work_holds_host(context, &(Work){.kind = WORK_COPY, .copy = *copy})) {
        double start = ready > context->clock.free[engine] || engine == ENGINE_NONE ? ready : context->clock.free[engine];
        clock_wait(&context->clock, start + duration->us);
    }
    return cudaSuccess;
}

/* Whether that changes it. */
static bool fill_row(uint8_t *row, const FillWork *fill) {
    const size_t element = fill->element ? fill->element : 1, width = fill->box.width;
    if (memcmp(row, &fill->value, element) == 0 && memcmp(row, row + element, width - element) == 0) return false;
    if (element == 1) memset(row, fill->value, width);
    for (size_t at = 0; element > 1 && at < width; at += element) memcpy(row + at, &fill->value, element);
    return true;
}

static cudaError_t run_fill(Context *context, const FillWork *fill, Duration *duration) {
    Span to;
    size_t bytes = fill->box.width * fill->box.height * fill->box.depth;
    if (!bytes) return cudaSuccess;
    if (!locate(context, "memset", &fill->to, &fill->box, &to)) return cudaErrorInvalidValue;
    bool changed = false;
    for (size_t z = 0; z < fill->box.depth; z++)
        for (size_t y = 0; y < fill->box.height; y++)
            changed |= fill_row(to.host + z * fill->to.slice + y * fill->to.pitch, fill);
    wrote(&to, &fill->to, NULL, NULL, &fill->box, changed);
    *duration = (Duration){ENGINE_KERNELS, clock_fill_us(context->options.profile, bytes), 1};
    return cudaSuccess;
}

/* --- calls of libraries --- */

/* Where an operand's number is: of a matrix of the batch, as they come in values. */
static uint8_t *number_at(const LibraryOperand *operand, const Span *span, size_t z, size_t i) {
    const size_t bytes = number_bytes(operand->type), rows = operand->box.width / bytes, count = rows * operand->box.height;
    if (operand->backwards) i = count - 1 - i;
    z = operand->box.depth > 1 ? z : 0;
    return span->host + z * operand->at.slice + i / rows * operand->at.pitch + i % rows * bytes;
}

static size_t numbers_of(const LibraryOperand *operand) {
    return operand->box.width / number_bytes(operand->type) * operand->box.height;
}

/* False: a GPU's kernel would have faulted there. */
static bool find_operand(Context *context, const LibraryWork *work, const LibraryOperand *operand, Span *span) {
    if (!extent(&operand->at, &operand->box) || !operand->at.address) return *span = (Span){0}, true;
    LOCAL_TEXT what = text_from("%s: %s", work->call, operand->name);
    if (!locate(context, text_string(&what), &operand->at, &operand->box, span)) return false;
    if (span->allocation || operand->on_host) return true;
    note("%s is host memory, which the device cannot %s", text_string(&what), operand->reads ? "read" : "write");
    note_hint(work->bytes       ? "cudaMalloc first; or curandCreateGeneratorHost, whose numbers are for the host"
              : work->transform ? "cudaMalloc and cudaMemcpy first"
                                : "cudaMalloc and cublasSetMatrix or cudaMemcpy first; or, of a scalar, cublasSetPointerMode");
    return false;
}

static bool is_read(const LibraryWork *work, const LibraryOperand *operand, double *const *values) {
    return operand->reads && (!operand->not_if_zero || values[operand->not_if_zero - 1][0] != 0) && work->batch;
}

static void load_operand(const LibraryOperand *operand, const Span *span, size_t z, double *values) {
    for (size_t i = 0; i < numbers_of(operand); i++) values[i] = number_load(operand->type, number_at(operand, span, z, i));
}

/* An operand that is listed gets the address that the list says of this matrix of the batch. */
static bool find_listed(Context *context, const LibraryWork *work, size_t z, LibraryOperand *operand, Span *span) {
    Span list;
    uint64_t address;
    const Side at = {operand->at.address, work->batch * sizeof address, 0};
    if (!locate(context, work->call, &at, &(Box){at.pitch, 1, 1}, &list)) return false;
    if (!list.allocation) note("%s: the list of addresses of %s is in host memory", work->call, operand->name);
    if (!list.allocation) return false;
    memcpy(&address, list.host + z * sizeof address, sizeof address);
    if (!address) note("%s: an address in the list of %s is null", work->call, operand->name);
    operand->at.address = address;
    return address && find_operand(context, work, operand, span);
}

/* What of a column is written: all, or the half of a triangle. */
static void written_rows(const LibraryWork *work, const LibraryOperand *operand, size_t column, size_t *first, size_t *end) {
    *first = operand->triangle && work->lower ? column : 0;
    *end = operand->triangle && !work->lower ? column + 1 : operand->box.width / number_bytes(operand->type);
}

static void store_operand(const LibraryWork *work, const LibraryOperand *operand, const Span *span, size_t z,
                          const double *values) {
    const size_t rows = operand->box.width / number_bytes(operand->type);
    for (size_t column = 0; column < operand->box.height; column++) {
        size_t first, end;
        written_rows(work, operand, column, &first, &end);
        for (size_t n = column * rows + first; n < column * rows + end; n++)
            number_store(operand->type, number_at(operand, span, z, n), values[n]);
    }
}

/* A triangle is no batch's. */
static void operand_wrote(const LibraryWork *work, const LibraryOperand *operand, const Span *span) {
    if (!operand->triangle) return wrote(span, &operand->at, NULL, NULL, &operand->box, true);
    const size_t bytes = number_bytes(operand->type);
    for (size_t column = 0; column < operand->box.height; column++) {
        size_t first, end;
        written_rows(work, operand, column, &first, &end);
        const Side at = {operand->at.address + column * operand->at.pitch + first * bytes, (end - first) * bytes, 0};
        wrote(span, &at, NULL, NULL, &(Box){at.pitch, 1, 1}, true);
    }
}

/* One matrix of the batch. */
static bool run_one(Context *context, const LibraryWork *work, Span *spans, size_t z, double *const *values) {
    LibraryOperand operands[OPERANDS_MOST];
    for (unsigned i = 0; i < work->count; i++) {
        LibraryOperand *operand = &operands[i];
        *operand = work->operands[i];
        const bool reads = is_read(work, operand, values);
        if (!reads && !operand->writes) continue;
        if (operand->listed && !find_listed(context, work, z, operand, &spans[i])) return false;
        if (!spans[i].host || !reads) continue;
        if (operand->listed) tell_unwritten(context, work->call, &spans[i], &operand->at, &operand->box);
        load_operand(operand, &spans[i], z, values[i]);
    }
    work->compute(work, values);
    for (unsigned i = 0; i < work->count; i++) {
        if (!operands[i].writes || !spans[i].host) continue;
        store_operand(work, &operands[i], &spans[i], z, values[i]);
        if (operands[i].listed) operand_wrote(work, &operands[i], &spans[i]);
    }
    return true;
}

static bool run_bytes(Context *context, const LibraryWork *work) {
    const LibraryOperand *operand = &work->operands[0];
    Span span;
    context->random_calls++;
    if (!find_operand(context, work, operand, &span)) return false;
    if (!span.host) {
        note("%s: %s: a null pointer", work->call, operand->name);
        return false;
    }
    memcpy(span.host, work->bytes, operand->box.width);
    wrote(&span, &operand->at, NULL, NULL, &operand->box, true);
    return true;
}

static bool run_compute(Context *context, const LibraryWork *work) {
    Span spans[OPERANDS_MOST] = {{0}};
    double *values[OPERANDS_MOST] = {0};
    bool fine = true;
    for (unsigned i = 0; i < work->count && fine; i++) {
        const LibraryOperand *operand = &work->operands[i];
        values[i] = alloc_zeroed(numbers_of(operand) + 1, sizeof **values);
        values[i][0] = operand->value;
        if (operand->listed) continue;
        fine = find_operand(context, work, operand, &spans[i]);
        if (!fine || !spans[i].host || !is_read(work, operand, values)) continue;
        if (!operand->triangle) tell_unwritten(context, work->call, &spans[i], &operand->at, &operand->box);
        load_operand(operand, &spans[i], 0, values[i]); /* a scalar says whether what follows is read */
    }
    for (size_t z = 0; fine && z < work->batch; z++) fine = run_one(context, work, spans, z, values);
    for (unsigned i = 0; i < work->count; i++) {
        const LibraryOperand *operand = &work->operands[i];
        if (fine && operand->writes && !operand->listed && spans[i].host) operand_wrote(work, operand, &spans[i]);
        free(values[i]);
    }
    context->library_calls++;
    return fine;
}

static bool run_transform(Context *context, const LibraryWork *work) {
    const LibraryOperand *operands = work->operands;
    Span spans[TRANSFORM_SIDES];
    Side at;
    Box box;
    bool told = false;
    context->fourier_calls++;
    for (unsigned i = 0; i < TRANSFORM_SIDES; i++) {
        if (!find_operand(context, work, &operands[i], &spans[i])) return false;
        if (!spans[i].host) note("%s: %s: a null pointer", work->call, operands[i].name);
        if (!spans[i].host) return false;
    }
    for (size_t i = 0; !told && transform_work_box(work, TRANSFORM_IN, i, &at, &box); i++)
        told = tell_unwritten(context, work->call, &spans[TRANSFORM_IN], &at, &box);
    transform_run(work->transform, work->inverse, spans[TRANSFORM_IN].host, spans[TRANSFORM_OUT].host);
    for (size_t i = 0; transform_work_box(work, TRANSFORM_OUT, i, &at, &box); i++)
        wrote(&spans[TRANSFORM_OUT], &at, NULL, NULL, &box, true);
    return true;
}

/* It has no time of its own. A wrong address ends the device's work, as a kernel's fault does. */
static void run_library(Context *context, const LibraryWork *work) {
    if (!(work->bytes ? run_bytes : work->transform ? run_transform : run_compute)(context, work))
        context_ends(context, cudaErrorIllegalAddress);
}

/* --- host functions --- */

typedef struct Callback {
    const HostWork *work;
    cudaStream_t stream;
} Callback;

static void call_back(void *data) {
    const Callback *callback = data;
    callback->work->callback(callback->stream, cudaSuccess, callback->work->data);
}

static void run_host(Context *context, Stream *stream, const HostWork *work) {
    context_flush(context);
    if (work->function) {
        context_call(context, work->function, work->data);
    } else {
        Callback callback = {work, stream->legacy ? NULL : stream};
        context_call(context, call_back, &callback);
    }
}

cudaError_t work_run(Context *context, Stream *stream, const Work *work, double ready, Duration *duration) {
    *duration = (Duration){0};
    switch (work->kind) {
    case WORK_KERNEL: return kernel_run(context, &work->kernel, duration);
    case WORK_COPY: return run_copy(context, &work->copy, ready, duration);
    case WORK_FILL: return run_fill(context, &work->fill, duration);
    case WORK_HOST: run_host(context, stream, &work->host); break;
    case WORK_GRAPH:
    case WORK_EMPTY: break;
    case WORK_LIBRARY: run_library(context, work->library); break;
    case WORK_ALLOCATE: return planned_begin(context, work->memory);
    case WORK_FREE:
        if (planned_find(context, work->memory)) return planned_end(context, work->memory);
        return device_memory_free(context, callsite_name(), (void *)work->memory);
    case WORK_RECORD:
        work->event->at = ready;
        work->event->recorded = true;
        break;
    case WORK_WAIT:
        if (work->event->recorded && work->event->at > ready) duration->us = work->event->at - ready;
        break;
    }
    return cudaSuccess;
}
