#include "runtime/nested.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "machine/heap.h"
#include "runtime/errors.h"
#include "runtime/function.h"
#include "runtime/launch_kernel.h"
#include "runtime/limits.h"
#include "runtime/order.h"
#include "runtime/properties.h"

/* The named streams of device code (cuda_device_runtime_api.h), and where those that it makes begin. */
enum { STREAM_TAIL = 3, STREAM_FIRE_AND_FORGET = 4, STREAM_FIRST = 0x1000 };

enum { NESTING_MOST = 24 };             /* grids within each other, below the host's */
enum { BUFFERS_BYTES = 64 << 20 };      /* of parameters that kernels are filling in */
#define ERRORS_MOST (UINT64_C(1) << 28) /* threads whose last errors are kept apart */

/* Where a thread writes the arguments of a kernel that it is about to launch. */
typedef struct NestedBuffer {
    uint64_t address;
    KernelWork work; /* without them */
} NestedBuffer;

typedef struct WorkList {
    Work *items;
    size_t count;
} WorkList;

/* A host's launch with all that comes of it. */
typedef struct Nested {
    NestedHost host;
    Context *context;
    const KernelWork *by; /* what runs */
    NestedBuffer *buffers;
    size_t n_buffers;
    uint16_t *errors;        /* by thread of `by`; NULL: none */
    WorkList launched, tail; /* by it */
    WorkList waiting;        /* by those before; the last runs next */
    uint64_t first, handles; /* of its streams and events: those from first up to handles */
    Allocation **texts;      /* that it was given */
    size_t n_texts;
} Nested;

/* --- errors --- */

static uint16_t *error_at(Nested *nested, const NestedCall *call) {
    const Launch shape = {.grid = {nested->by->grid[0], nested->by->grid[1], nested->by->grid[2]},
                          .block = {nested->by->block[0], nested->by->block[1], nested->by->block[2]}};
    const uint64_t threads = launch_blocks(&shape) * launch_threads(&shape);
    if (!nested->errors) nested->errors = alloc_zeroed(threads < ERRORS_MOST ? threads : ERRORS_MOST, sizeof *nested->errors);
    return &nested->errors[call->thread % ERRORS_MOST];
}

static cudaError_t last_error(Nested *nested, const NestedCall *call, bool forgets) {
    if (!nested->errors) return cudaSuccess;
    uint16_t *at = error_at(nested, call);
    const cudaError_t error = (cudaError_t)*at;
    if (forgets) *at = cudaSuccess;
    return error;
}

/* A string in the device's memory, as long as the host's launch lasts. */
static uint64_t text_of(Nested *nested, const char *text) {
    const size_t bytes = strlen(text) + 1;
    for (size_t i = 0; i < nested->n_texts; i++)
        if (nested->texts[i]->bytes == bytes && memcmp(nested->texts[i]->host, text, bytes) == 0)
            return nested->texts[i]->address;
    Allocation *allocation = memory_allocate(nested->context->memory, bytes, "an error's text", false);
    memcpy(allocation->host, text, bytes);
    allocation->initialized = true;
    ALLOC_ADD(nested->texts, nested->n_texts) = allocation;
    return allocation->address;
}

/* --- launches --- */

static bool is_own_handle(const Nested *nested, uint64_t handle) { return handle >= nested->first && handle < nested->handles; }

static bool is_stream(const Nested *nested, uint64_t handle) {
    return handle <= STREAM_FIRE_AND_FORGET || is_own_handle(nested, handle);
}

static cudaError_t queue(Nested *nested, uint64_t stream, const Work *work) {
    const size_t pending = nested->launched.count + nested->tail.count + nested->waiting.count;
    if (!is_stream(nested, stream)) return cudaErrorInvalidResourceHandle;
    if (pending >= nested->context->limits[cudaLimitDevRuntimePendingLaunchCount]) return cudaErrorLaunchPendingCountExceeded;
    WorkList *list = stream == STREAM_TAIL ? &nested->tail : &nested->launched;
    ALLOC_ADD(list->items, list->count) = work_copy(work);
    nested->host.used = true;
    return cudaSuccess;
}

static ImageKernel *kernel_named(const Nested *nested, uint64_t pointer) {
    return image_kernel_at(nested->by->kernel->image, (pointer - WINDOW_FUNCTION) / 16 - 1);
}

static uint64_t give_buffer(Nested *nested, const NestedCall *call, cudaError_t *error) {
    const uint64_t *words = call->words;
    ImageKernel *kernel = kernel_named(nested, words[0]);
    *error = kernel ? cudaErrorLaunchPendingCountExceeded : cudaErrorInvalidDeviceFunction;
    const uint64_t address =
        kernel ? heap_allocate(nested->context->launch_buffers, kernel->function->param_bytes + sizeof(uint64_t)) : 0;
    if (!address) return 0;
    *error = cudaSuccess;
    NestedBuffer buffer = {.address = address,
                           .work = {.kernel = kernel,
                                    .shared_bytes = (uint32_t)words[7],
                                    .launcher = nested->by->kernel,
                                    .depth = nested->by->depth + 1}};
    for (unsigned axis = 0; axis < 3; axis++) {
        buffer.work.grid[axis] = (uint32_t)words[1 + axis];
        buffer.work.block[axis] = (uint32_t)words[4 + axis];
    }
    ALLOC_ADD(nested->buffers, nested->n_buffers) = buffer;
    return address;
}

/* The launch that it was given for; its memory may be given again. False: it was given for none. */
static bool take_buffer(Nested *nested, uint64_t address, KernelWork *work) {
    size_t i = nested->n_buffers;
    while (i > 0 && nested->buffers[i - 1].address != address) i--;
    if (!i) return false;
    *work = nested->buffers[i - 1].work;
    nested->buffers[i - 1] = nested->buffers[--nested->n_buffers];
    const Allocation *in = memory_find(nested->context->memory, address);
    const size_t bytes = work->kernel->function->param_bytes;
    work->params = memcpy(alloc_zeroed(1, bytes + sizeof(uint64_t)), in->host + (address - in->address), bytes);
    heap_release(nested->context->launch_buffers, address);
    return true;
}

/* What the thread alone has, or its block, a kernel that it launches cannot reach. */
static bool has_private_pointer(const KernelWork *work, NestedCall *call) {
    const Function *function = work->kernel->function;
    for (uint64_t at = 0; at + sizeof(uint64_t) <= function->param_bytes; at += sizeof(uint64_t)) {
        uint64_t value;
        memcpy(&value, work->params + at, sizeof value);
        if (value - WINDOW_SHARED >= WINDOW_BYTES && value - WINDOW_LOCAL >= WINDOW_BYTES) continue;
        const bool shared = value - WINDOW_SHARED < WINDOW_BYTES;
        FREED char *name = program_demangle(work->kernel->name);
        snprintf(call->wrong, sizeof call->wrong, "launches %.*s with a pointer to its own %s memory",
                 (int)(strcspn(name, "(") < 80 ? strcspn(name, "(") : 80), name, shared ? "shared" : "local");
        snprintf(call->hint, sizeof call->hint,
                 "a kernel that is launched has %s memory of its own: hand over what it needs by "
                 "value, or in global memory",
                 shared ? "shared" : "local");
        return true;
    }
    return false;
}

static cudaError_t launch(Nested *nested, NestedCall *call) {
    Work work = {.kind = WORK_KERNEL};
    if (!take_buffer(nested, call->words[0], &work.kernel)) return cudaErrorInvalidValue;
    cudaError_t error = cudaErrorInvalidValue;
    if (has_private_pointer(&work.kernel, call)) {
    } else if (work.kernel.depth > NESTING_MOST) {
        error = cudaErrorLaunchMaxDepthExceeded;
    } else if (kernel_shared_fits(nested->context, &work.kernel, work.kernel.shared_bytes)) {
        error = kernel_check(nested->context, &work.kernel);
        if (!error) error = queue(nested, call->words[1], &work);
    }
    work_free(&work);
    return error;
}

/* --- streams, events, copies --- */

/* A handle, to where the first argument points. */
static cudaError_t make_handle(Nested *nested, NestedCall *call, bool flags_are_right) {
    if (!flags_are_right || !call->words[0]) return cudaErrorInvalidValue;
    const uint64_t handle = nested->handles++;
    call->to = call->words[0];
    call->bytes = sizeof handle;
    memcpy(call->answer, &handle, sizeof handle);
    return cudaSuccess;
}

static cudaError_t of_handle(const Nested *nested, uint64_t handle) {
    return is_own_handle(nested, handle) ? cudaSuccess : cudaErrorInvalidResourceHandle;
}

/* What an event orders is in order anyhow. */
static cudaError_t of_event(const Nested *nested, uint64_t event, uint64_t stream) {
    return is_stream(nested, stream) ? of_handle(nested, event) : cudaErrorInvalidResourceHandle;
}

static cudaError_t move_bytes(Nested *nested, const Work *work, uint64_t stream) {
    if (work->kind == WORK_COPY && work->copy.kind != cudaMemcpyDeviceToDevice && work->copy.kind != cudaMemcpyDefault)
        return cudaErrorInvalidMemcpyDirection;
    const cudaError_t error = work_check(nested->context, work);
    return error ? error : queue(nested, stream, work);
}

static cudaError_t copy(Nested *nested, Side to, Side from, Box box, const uint64_t *kind_and_stream) {
    const CopyWork copy = {.to = to, .from = from, .box = box, .kind = (enum cudaMemcpyKind)kind_and_stream[0], .async = true};
    return move_bytes(nested, &(Work){.kind = WORK_COPY, .copy = copy}, kind_and_stream[1]);
}

static cudaError_t fill(Nested *nested, Side to, Box box, uint64_t value, uint64_t stream) {
    const FillWork fill = {.to = to, .box = box, .value = (int)value, .async = true};
    return move_bytes(nested, &(Work){.kind = WORK_FILL, .fill = fill}, stream);
}

/* --- what is asked --- */

static cudaError_t give(NestedCall *call, const void *answer, size_t bytes) {
    _Static_assert(sizeof(struct cudaFuncAttributes) <= NESTED_ANSWER_BYTES, "");
    if (!call->words[0]) return cudaErrorInvalidValue;
    call->to = call->words[0];
    call->bytes = (unsigned)bytes;
    memcpy(call->answer, answer, bytes);
    return cudaSuccess;
}

static cudaError_t give_int(NestedCall *call, int value) { return give(call, &value, sizeof value); }

static cudaError_t allocate(const Nested *nested, NestedCall *call) {
    const uint64_t address = heap_allocate(nested->context->heap, call->words[1]);
    const cudaError_t error = give(call, &address, sizeof address);
    return error || address ? error : cudaErrorMemoryAllocation;
}

static cudaError_t attribute(const Nested *nested, NestedCall *call) {
    int value;
    if (call->words[2] != 0) return cudaErrorInvalidDevice;
    const cudaError_t error = properties_attribute(nested->context, (enum cudaDeviceAttr)call->words[1], &value);
    return error ? error : give_int(call, value);
}

static cudaError_t limit(const Nested *nested, NestedCall *call) {
    size_t value;
    const cudaError_t error = limits_get(nested->context, (enum cudaLimit)call->words[1], &value);
    return error ? error : give(call, &value, sizeof value);
}

static cudaError_t function_asked(const Nested *nested, NestedCall *call) {
    const ImageKernel *kernel = kernel_named(nested, call->words[1]);
    if (!kernel) return cudaErrorInvalidDeviceFunction;
    const struct cudaFuncAttributes attributes = function_attributes(nested->context, kernel);
    return give(call, &attributes, sizeof attributes);
}

static cudaError_t occupancy(const Nested *nested, NestedCall *call, uint64_t flags) {
    const uint64_t *words = call->words;
    const ImageKernel *kernel = kernel_named(nested, words[1]);
    const int threads = (int)(uint32_t)words[2];
    if (!kernel) return cudaErrorInvalidDeviceFunction;
    if (threads <= 0 || flags & ~(uint64_t)cudaOccupancyDisableCachingOverride) return cudaErrorInvalidValue;
    return give_int(call, function_resident(nested->context, kernel, threads, words[3]));
}

static cudaError_t ask(Nested *nested, NestedCall *call) {
    const uint64_t *w = call->words;
    switch (call->function) {
    case NESTED_LaunchDeviceV2: return launch(nested, call);
    case NESTED_StreamCreateWithFlags: return make_handle(nested, call, (uint32_t)w[1] == cudaStreamNonBlocking);
    case NESTED_EventCreateWithFlags: return make_handle(nested, call, (uint32_t)w[1] == cudaEventDisableTiming);
    case NESTED_StreamDestroy:
    case NESTED_EventDestroy: return of_handle(nested, w[0]);
    case NESTED_StreamWaitEvent: return of_event(nested, w[1], w[0]);
    case NESTED_EventRecord:
    case NESTED_EventRecordWithFlags: return of_event(nested, w[0], w[1]);
    case NESTED_MemcpyAsync: return copy(nested, (Side){w[0], w[2], 0}, (Side){w[1], w[2], 0}, (Box){w[2], 1, 1}, w + 3);
    case NESTED_Memcpy2DAsync: return copy(nested, (Side){w[0], w[1], 0}, (Side){w[2], w[3], 0}, (Box){w[4], w[5], 1}, w + 6);
    case NESTED_MemsetAsync: return fill(nested, (Side){w[0], w[2], 0}, (Box){w[2], 1, 1}, w[1], w[3]);
    case NESTED_Memset2DAsync: return fill(nested, (Side){w[0], w[1], 0}, (Box){w[3], w[4], 1}, w[2], w[5]);
    case NESTED_Malloc: return allocate(nested, call);
    case NESTED_Free: return heap_release(nested->context->heap, w[0]) ? cudaSuccess : cudaErrorInvalidValue;
    case NESTED_GetDevice: return give_int(call, 0);
    case NESTED_GetDeviceCount: return give_int(call, 1);
    case NESTED_DeviceGetAttribute: return attribute(nested, call);
    case NESTED_DeviceGetLimit: return limit(nested, call);
    case NESTED_DeviceGetCacheConfig: return give_int(call, cudaFuncCachePreferNone);
    case NESTED_RuntimeGetVersion: return give_int(call, CUDA_VERSION_NUMBER);
    case NESTED_FuncGetAttributes: return function_asked(nested, call);
    case NESTED_OccupancyMaxActiveBlocksPerMultiprocessor: return occupancy(nested, call, cudaOccupancyDefault);
    case NESTED_OccupancyMaxActiveBlocksPerMultiprocessorWithFlags: return occupancy(nested, call, (uint32_t)w[4]);
    case NESTED_GetParameterBufferV2: /* which return no errors */
    case NESTED_GetLastError:
    case NESTED_PeekAtLastError:
    case NESTED_GetErrorName:
    case NESTED_GetErrorString:
    case NESTED_FUNCTIONS: break;
    }
    return cudaErrorNotSupported;
}

static void answer(void *self, NestedCall *call) {
    Nested *nested = self;
    const cudaError_t asked = (cudaError_t)(uint32_t)call->words[0];
    cudaError_t error = cudaSuccess;
    switch ((unsigned)call->function) {
    case NESTED_GetParameterBufferV2: call->result = give_buffer(nested, call, &error); break;
    case NESTED_GetLastError: call->result = last_error(nested, call, true); break;
    case NESTED_PeekAtLastError: call->result = last_error(nested, call, false); break;
    case NESTED_GetErrorName: call->result = text_of(nested, error_name(asked)); break;
    case NESTED_GetErrorString: call->result = text_of(nested, error_text(asked)); break;
    default: call->result = error = ask(nested, call);
    }
    if (error && !call->wrong[0]) *error_at(nested, call) = (uint16_t)error;
}

/* --- running --- */

static void list_free(WorkList *list) {
    for (size_t i = 0; i < list->count; i++) work_free(&list->items[i]);
    free(list->items);
    *list = (WorkList){0};
}

/* Behind all that waits, so that the first of the list runs next. */
static void put_first(Nested *nested, WorkList *list) {
    for (size_t i = list->count; i-- > 0;) ALLOC_ADD(nested->waiting.items, nested->waiting.count) = list->items[i];
    free(list->items);
    *list = (WorkList){0};
}

static cudaError_t run_grid(Nested *nested, Stream *stream, const Work *work, double ready, Duration *duration) {
    Context *context = nested->context;
    Work own = *work;
    own.kernel.nested = &nested->host;
    nested->by = &work->kernel;
    nested->first = nested->handles;
    nested->host.used = false;
    const cudaError_t error = work_run(context, stream, &own, ready, duration);
    for (size_t i = 0; i < nested->n_buffers; i++) heap_release(context->launch_buffers, nested->buffers[i].address);
    nested->n_buffers = 0;
    free(nested->errors);
    nested->errors = NULL;
    put_first(nested, &nested->tail);
    put_first(nested, &nested->launched);
    return error;
}

static void run_waiting(Nested *nested, Stream *stream, double ready, Duration *duration) {
    WorkList *waiting = &nested->waiting;
    while (waiting->count && !nested->context->sticky) {
        Work work = waiting->items[--waiting->count];
        Duration own = {0};
        if (work.kind == WORK_KERNEL)
            run_grid(nested, stream, &work, ready + duration->us, &own);
        else
            work_run(nested->context, stream, &work, ready + duration->us, &own);
        duration->us += own.us;
        work_free(&work);
    }
}

cudaError_t nested_run(Context *context, Stream *stream, const Work *work, double ready, Duration *duration) {
    if (work->kind != WORK_KERNEL || !work->kernel.kernel->image->nested)
        return work_run(context, stream, work, ready, duration);
    if (!context->launch_buffers) context->launch_buffers = heap_new(context->memory, BUFFERS_BYTES, "launch parameters");
    Nested nested = {.host.answer = answer, .context = context, .handles = STREAM_FIRST};
    nested.host.self = &nested;
    const cudaError_t error = run_grid(&nested, stream, work, ready, duration);
    if (nested.waiting.count) {
        run_waiting(&nested, stream, ready, duration);
        order_leave_out(context);
    }
    list_free(&nested.waiting);
    free(nested.buffers);
    for (size_t i = 0; i < nested.n_texts; i++) memory_release(context->memory, nested.texts[i]);
    free(nested.texts);
    return error;
}
