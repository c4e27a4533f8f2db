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

enum { WRONG_MOVES_TOLD = 16 };                             /* of a grid, and that there are further ones */
enum { BUFFERS_BYTES = 64 << 20, LAUNCHED_MOST = 1 << 20 }; /* of parameters that kernels are filling in; by one grid */
#define THREADS_MOST (UINT64_C(1) << 28)                    /* of a grid, that are told apart */

/* Where a thread writes the arguments of a kernel that it is about to launch. */
typedef struct NestedBuffer {
    uint64_t address;
    KernelWork work; /* without them */
} NestedBuffer;

typedef struct ThreadState {
    uint16_t error; /* its last one */
    bool launched;  /* something, not in the tail stream */
} ThreadState;

/* Whether what is asked for can wait. */
typedef enum Room { ROOM_LEFT, ROOM_TOO_MANY, ROOM_TOO_DEEP, ROOM_NOT_EMULATED } Room;

typedef struct WorkList {
    Work *items;
    size_t count;
} WorkList;

/* A host's launch with all that comes of it. */
typedef struct Nested {
    DeviceCallHost host;
    Context *context;
    const KernelWork *by; /* what runs */
    NestedBuffer *buffers;
    size_t n_buffers;
    ThreadState *threads;    /* of `by`; NULL: none has launched or had an error */
    uint64_t launchers;      /* of them: those that have launched */
    unsigned wrong_moves;    /* copies and fills of its that lead outside its memory */
    bool handed_private;     /* a pointer to what it alone has, which is its fault */
    WorkList launched, tail; /* by it */
    WorkList waiting;        /* by those before; the last runs next */
    uint64_t first, handles; /* of its streams and events: those from first up to handles */
} Nested;

/* --- threads, errors --- */

static ThreadState *thread_of(Nested *nested, const DeviceCall *call) {
    const KernelWork *by = nested->by;
    const uint64_t blocks = (uint64_t)by->grid[0] * by->grid[1] * by->grid[2];
    const uint64_t threads = blocks * by->block[0] * by->block[1] * by->block[2];
    if (!nested->threads)
        nested->threads = alloc_zeroed(threads < THREADS_MOST ? threads : THREADS_MOST, sizeof *nested->threads);
    return &nested->threads[call->thread % THREADS_MOST];
}

static cudaError_t last_error(Nested *nested, const DeviceCall *call, bool forgets) {
    if (!nested->threads) return cudaSuccess;
    ThreadState *thread = thread_of(nested, call);
    const cudaError_t error = (cudaError_t)thread->error;
    if (forgets) thread->error = cudaSuccess;
    return error;
}

/* A string in the device's memory, which stays as a constant of its library would. */
static uint64_t text_of(Context *context, const char *text) {
    const size_t bytes = strlen(text) + 1;
    for (size_t i = 0; i < context->n_texts; i++)
        if (context->texts[i]->bytes == bytes && memcmp(context->texts[i]->host, text, bytes) == 0)
            return context->texts[i]->address;
    Allocation *allocation = memory_allocate(context->memory, bytes, "an error's text", false);
    memcpy(allocation->host, text, bytes);
    allocation->initialized = true;
    ALLOC_ADD(context->texts, context->n_texts) = allocation;
    return allocation->address;
}

void nested_reset(Context *context) {
    for (size_t i = 0; i < context->n_texts; i++) memory_retire(context->memory, context->texts[i]);
    free(context->texts);
    context->texts = NULL;
    context->n_texts = 0;
}

/* --- launches --- */

static bool is_own_handle(const Nested *nested, uint64_t handle) { return handle >= nested->first && handle < nested->handles; }

static bool is_stream(const Nested *nested, uint64_t handle) {
    return handle <= STREAM_FIRE_AND_FORGET || is_own_handle(nested, handle);
}

/* Launches begin while their grid runs, those of the tail stream behind it. As many may not have begun as cudaLimitDevRuntimePendingLaunchCount says. On an
 * H200, where it is 2048, thousands by one thread all ran; of one each by 4096 to 102,400 threads, whatever the stream, 2048 to 2307; in the tail stream
 * 2048. So of a thread's launches the last one counts. And so many may be within each other: a kernel at that depth gets nothing taken, also in the tail
 * stream, in which kernels that launch each other do so without an end, since each begins when the one before has ended. */
static Room room_for(Nested *nested, const DeviceCall *call, bool tail) {
    const uint64_t most = nested->context->limits[cudaLimitDevRuntimePendingLaunchCount];
    if (nested->by->depth >= most) return ROOM_TOO_DEEP;
    if (tail) return nested->tail.count < most ? ROOM_LEFT : ROOM_TOO_MANY;
    ThreadState *thread = thread_of(nested, call);
    if (!thread->launched && nested->launchers >= most) return ROOM_TOO_MANY;
    nested->launchers += !thread->launched;
    thread->launched = true;
    return nested->launched.count < LAUNCHED_MOST ? ROOM_LEFT : ROOM_NOT_EMULATED;
}

static void tell_refused(const Nested *nested, const Work *work, const Diag *diag) {
    if (work->kind == WORK_KERNEL) return kernel_note_refused(nested->context, &work->kernel, diag);
    kernel_note_move_refused(nested->context, nested->by->kernel, work->kind == WORK_COPY ? "copy" : "fill", diag);
}

static void tell_no_room(Nested *nested, const Work *work, Room room) {
    Diag diag = {0};
    const bool launches = work->kind == WORK_KERNEL;
    const size_t most = nested->context->limits[cudaLimitDevRuntimePendingLaunchCount];
    const char *look = launches ? "cudaGetLastError behind each <<<>>>" : "look at what each call returns";
    switch (room) {
    case ROOM_LEFT: return;
    case ROOM_TOO_MANY:
        diag_say(&diag, "more launches have not begun than cudaLimitDevRuntimePendingLaunchCount, %zu, lets wait", most);
        diag_hint(&diag, "a GPU refuses about as many: cudaDeviceSetLimit before the launch, and %s", look);
        break;
    case ROOM_TOO_DEEP:
        diag_say(&diag, "%zu launches are within each other, of at most cudaLimitDevRuntimePendingLaunchCount, %zu", most,
                 most);
        diag_hint(&diag, "a GPU refuses it as well: is there an end to it? Else cudaDeviceSetLimit before the launch, and %s",
                  look);
        break;
    case ROOM_NOT_EMULATED:
        nested->context->not_emulated = true;
        diag_say(&diag, "%d launches, copies and fills by one grid are as many as are emulated", LAUNCHED_MOST);
        diag_hint(&diag, "a GPU takes more, and what is refused here is missing in the results: launch fewer, larger grids");
    }
    tell_refused(nested, work, &diag);
}

static cudaError_t refuse_stream(const Nested *nested, const Work *work) {
    Diag diag = {0};
    diag_say(&diag, "its stream is none that this grid has made");
    diag_hint(&diag,
              "cudaStreamCreateWithFlags in the kernel makes one; those of the host, and of other grids, are not for it");
    tell_refused(nested, work, &diag);
    return cudaErrorInvalidValue;
}

static cudaError_t queue(Nested *nested, const DeviceCall *call, uint64_t stream, const Work *work) {
    const bool tail = stream == STREAM_TAIL;
    if (!is_stream(nested, stream)) return refuse_stream(nested, work);
    const Room room = room_for(nested, call, tail);
    tell_no_room(nested, work, room);
    if (room != ROOM_LEFT) return cudaErrorLaunchPendingCountExceeded;
    Work copy = work_copy(work);
    if (copy.kind == WORK_KERNEL) copy.kernel.depth = nested->by->depth + !tail;
    WorkList *list = tail ? &nested->tail : &nested->launched;
    ALLOC_ADD(list->items, list->count) = copy;
    return cudaSuccess;
}

static ImageKernel *kernel_named(const Nested *nested, uint64_t pointer) {
    return image_kernel_at(nested->by->kernel->image, (pointer - WINDOW_FUNCTION) / 16 - 1);
}

static cudaError_t give_buffer(Nested *nested, DeviceCall *call) {
    const uint64_t *words = call->words;
    ImageKernel *kernel = kernel_named(nested, words[0]);
    call->result = 0;
    if (!kernel) return cudaErrorInvalidDeviceFunction;
    const uint64_t address = heap_allocate(nested->context->launch_buffers, kernel->function->param_bytes + sizeof(uint64_t));
    if (!address) return cudaErrorLaunchPendingCountExceeded;
    call->result = address;
    NestedBuffer buffer = {.address = address,
                           .work = {.kernel = kernel, .shared_bytes = (uint32_t)words[7], .launcher = nested->by->kernel}};
    for (unsigned axis = 0; axis < 3; axis++) {
        buffer.work.grid[axis] = (uint32_t)words[1 + axis];
        buffer.work.block[axis] = (uint32_t)words[4 + axis];
    }
    ALLOC_ADD(nested->buffers, nested->n_buffers) = buffer;
    return cudaSuccess;
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

/* Where a pointer may lead in shared memory, the whole cluster's, and in local memory. */
enum { SHARED_MOST = 1 << 22, LOCAL_MOST = 1 << 19 };

/* What the thread alone has, or its block, a kernel that it launches cannot reach. Of what is no pointer, and looks as one of these, a parameter of 8
 * bytes would have to be. */
static bool has_private_pointer(const KernelWork *work, DeviceCall *call) {
    const Function *function = work->kernel->function;
    for (uint32_t i = 0; i < function->n_params; i++) {
        const Variable *param = &work->kernel->image->program->variables[function->params[i]];
        uint64_t value = 0;
        if (param->bytes == sizeof value) memcpy(&value, work->params + param->offset, sizeof value);
        const bool shared = value - WINDOW_SHARED < SHARED_MOST;
        if (!shared && value - WINDOW_LOCAL >= LOCAL_MOST) continue;
        FREED char *name = program_demangle(work->kernel->name);
        const int length = (int)strcspn(name, "(");
        snprintf(call->wrong, sizeof call->wrong, "launches %.*s with a pointer to its own %s memory",
                 length < 80 ? length : 80, name, shared ? "shared" : "local");
        snprintf(call->hint, sizeof call->hint,
                 "a kernel that is launched has %s memory of its own: hand over what it needs by value, or in global memory",
                 shared ? "shared" : "local");
        return true;
    }
    return false;
}

/* Whatever a launch has wrong, an H200 has one error for it. */
static cudaError_t launch_right(Nested *nested, const DeviceCall *call, const Work *work) {
    const KernelWork *kernel = &work->kernel;
    if (!kernel_shared_fits(nested->context, kernel, kernel->shared_bytes) || kernel_check(nested->context, kernel))
        return image_known(kernel->kernel)->refused ? cudaErrorNotSupported : cudaErrorInvalidConfiguration;
    return queue(nested, call, call->words[1], work);
}

static cudaError_t launch(Nested *nested, DeviceCall *call) {
    Work work = {.kind = WORK_KERNEL};
    nested->host.used = true; /* also where it is refused, which is told */
    if (!take_buffer(nested, call->words[0], &work.kernel)) return cudaErrorInvalidValue;
    const bool private = has_private_pointer(&work.kernel, call);
    const cudaError_t error = private ? cudaErrorInvalidAddressSpace : launch_right(nested, call, &work);
    nested->handed_private |= private;
    work_free(&work);
    return error;
}

/* --- streams, events, copies --- */

/* A handle, to where the first argument points. */
static cudaError_t make_handle(Nested *nested, DeviceCall *call, bool flags_are_right) {
    if (!flags_are_right || !call->words[0]) return cudaErrorInvalidValue;
    const uint64_t handle = nested->handles++;
    call->to = call->words[0];
    call->bytes = sizeof handle;
    memcpy(call->answer, &handle, sizeof handle);
    return cudaSuccess;
}

static cudaError_t of_handle(const Nested *nested, uint64_t handle) {
    return is_own_handle(nested, handle) ? cudaSuccess : cudaErrorInvalidValue;
}

/* What an event orders is in order anyhow. */
static cudaError_t of_event(const Nested *nested, uint64_t event, uint64_t stream) {
    return is_stream(nested, stream) ? of_handle(nested, event) : cudaErrorInvalidValue;
}

/* Nothing leads nowhere, and rows that overlap are refused without a look at where they are. */
static bool is_inside(const Context *context, const Side *side, const Box *box) {
    const Allocation *in = memory_find(context->memory, side->address);
    uint64_t bytes;
    if (!box->width || !box->height || (side->pitch < box->width && box->height > 1)) return true;
    return in && !__builtin_mul_overflow(box->height - 1, side->pitch, &bytes) &&
           !__builtin_add_overflow(bytes, box->width, &bytes) && allocation_holds(in, side->address, bytes);
}

/* Whether that is still told. */
static bool count_wrong_move(Nested *nested) {
    if (nested->wrong_moves == WRONG_MOVES_TOLD) note("further wrong copies and fills of the kernel are refused, but not told");
    return nested->wrong_moves++ < WRONG_MOVES_TOLD;
}

static cudaError_t refuse_kind(const Nested *nested, const Work *work) {
    Diag diag = {0};
    diag_say(&diag, "its kind is neither cudaMemcpyDeviceToDevice nor cudaMemcpyDefault");
    diag_hint(&diag, "in a kernel these are for all memory that the device reaches, pinned and managed memory among it");
    tell_refused(nested, work, &diag);
    return cudaErrorInvalidMemcpyDirection;
}

/* The only reason for which work_check refuses without a word. */
static bool is_narrow(const Work *work, const Box *box) {
    if (!box->width || !box->height) return false;
    if (work->kind == WORK_FILL) return work->fill.to.pitch < box->width && box->height > 1;
    return work->copy.to.pitch < box->width || work->copy.from.pitch < box->width;
}

static void tell_narrow(const Nested *nested, const Work *work, const Box *box) {
    Diag diag = {0};
    diag_say(&diag, "a row of it has %zu bytes, more than a pitch", box->width);
    diag_hint(&diag, "a pitch is the bytes from one row to the next, its padding included");
    tell_refused(nested, work, &diag);
}

static cudaError_t move_bytes(Nested *nested, const DeviceCall *call, const Work *work, uint64_t stream) {
    nested->host.used = true;
    if (work->kind == WORK_COPY && work->copy.kind != cudaMemcpyDeviceToDevice && work->copy.kind != cudaMemcpyDefault)
        return refuse_kind(nested, work);
    const Box *box = work->kind == WORK_COPY ? &work->copy.box : &work->fill.box;
    const bool inside = is_inside(nested->context, work->kind == WORK_COPY ? &work->copy.to : &work->fill.to, box) &&
                        (work->kind != WORK_COPY || is_inside(nested->context, &work->copy.from, box));
    if (!inside && !count_wrong_move(nested)) return cudaErrorInvalidValue;
    const cudaError_t error = work_check_by_kernel(nested->context, work);
    if (error && is_narrow(work, box)) tell_narrow(nested, work, box);
    const cudaError_t queued = error ? error : queue(nested, call, stream, work);
    return queued == cudaErrorLaunchPendingCountExceeded ? cudaErrorUnknown : queued; /* as an H200 has it */
}

/* last: the first of the last two arguments, kind and stream. */
static cudaError_t copy(Nested *nested, const DeviceCall *call, CopyWork copy, unsigned last) {
    copy.kind = (enum cudaMemcpyKind)call->words[last];
    copy.async = copy.by_kernel = true;
    return move_bytes(nested, call, &(Work){.kind = WORK_COPY, .copy = copy}, call->words[last + 1]);
}

static cudaError_t fill(Nested *nested, const DeviceCall *call, FillWork fill, uint64_t stream) {
    fill.async = true;
    return move_bytes(nested, call, &(Work){.kind = WORK_FILL, .fill = fill}, stream);
}

/* --- what is asked --- */

static cudaError_t give(DeviceCall *call, const void *answer, size_t bytes) {
    _Static_assert(sizeof(struct cudaFuncAttributes) <= DEVICECALL_ANSWER_BYTES, "");
    if (!call->words[0]) return cudaErrorInvalidValue;
    call->to = call->words[0];
    call->bytes = (unsigned)bytes;
    memcpy(call->answer, answer, bytes);
    return cudaSuccess;
}

static cudaError_t give_int(DeviceCall *call, int value) { return give(call, &value, sizeof value); }

static cudaError_t allocate(const Nested *nested, DeviceCall *call) {
    if (!call->words[0] || !call->words[1]) return cudaErrorInvalidValue;
    const uint64_t address = heap_allocate(nested->context->heap, call->words[1]);
    return address ? give(call, &address, sizeof address) : cudaErrorMemoryAllocation;
}

/* What `free` faults for, this does. On an H200 a second one fails the launch, and an address that is not malloc's is a fault or worse. */
static cudaError_t release(const Nested *nested, DeviceCall *call) {
    if (heap_release(nested->context->heap, call->words[0])) return cudaSuccess;
    snprintf(call->wrong, sizeof call->wrong, "frees 0x%llx, which malloc did not give or which is free already",
             (unsigned long long)call->words[0]);
    call->outside = true;
    snprintf(call->hint, sizeof call->hint, "a kernel frees what malloc, new or cudaMalloc gave a kernel, once");
    return cudaErrorInvalidValue;
}

static cudaError_t attribute(const Nested *nested, DeviceCall *call) {
    int value;
    if (call->words[2] != 0) return cudaErrorInvalidDevice;
    const cudaError_t error = properties_attribute(nested->context, (enum cudaDeviceAttr)call->words[1], &value);
    return error ? error : give_int(call, value);
}

static cudaError_t limit(const Nested *nested, DeviceCall *call) {
    size_t value;
    const cudaError_t error = limits_get(nested->context, (enum cudaLimit)call->words[1], &value);
    return error ? error : give(call, &value, sizeof value);
}

static cudaError_t function_asked(const Nested *nested, DeviceCall *call) {
    const ImageKernel *kernel = kernel_named(nested, call->words[1]);
    if (!call->words[1]) return cudaErrorInvalidValue; /* as an H200 has it */
    if (!kernel) return cudaErrorInvalidDeviceFunction;
    const struct cudaFuncAttributes attributes = function_attributes(nested->context, kernel);
    return give(call, &attributes, sizeof attributes);
}

static cudaError_t occupancy(const Nested *nested, DeviceCall *call, uint64_t flags) {
    const uint64_t *words = call->words;
    const ImageKernel *kernel = kernel_named(nested, words[1]);
    const int threads = (int)(uint32_t)words[2];
    if (!kernel) return cudaErrorInvalidDeviceFunction;
    if (threads <= 0 || flags & ~(uint64_t)cudaOccupancyDisableCachingOverride) return cudaErrorInvalidValue;
    return give_int(call, function_resident(nested->context, kernel, threads, words[3]));
}

enum { VERSION_TOLD = 6000 }; /* by an H200, with CUDA 13.0 */

/* Most return their error. */
#define RESULT_IS_ERROR UINT64_MAX

static cudaError_t result(DeviceCall *call, uint64_t value) {
    call->result = value;
    return cudaSuccess;
}

static cudaError_t ask(Nested *nested, DeviceCall *call) {
    const uint64_t *w = call->words;
    switch (call->function) {
    case DEVICE_LaunchDeviceV2: return launch(nested, call);
    case DEVICE_StreamCreateWithFlags: return make_handle(nested, call, (uint32_t)w[1] <= cudaStreamNonBlocking);
    case DEVICE_EventCreateWithFlags: return make_handle(nested, call, (uint32_t)w[1] == cudaEventDisableTiming);
    case DEVICE_StreamDestroy:
    case DEVICE_EventDestroy: return of_handle(nested, w[0]);
    case DEVICE_StreamWaitEvent: return of_event(nested, w[1], w[0]);
    case DEVICE_EventRecord:
    case DEVICE_EventRecordWithFlags: return of_event(nested, w[0], w[1]);
    case DEVICE_MemcpyAsync:
        return copy(nested, call, (CopyWork){.to = {w[0], w[2], 0}, .from = {w[1], w[2], 0}, .box = {w[2], 1, 1}}, 3);
    case DEVICE_Memcpy2DAsync:
        return copy(nested, call, (CopyWork){.to = {w[0], w[1], 0}, .from = {w[2], w[3], 0}, .box = {w[4], w[5], 1}}, 6);
    case DEVICE_MemsetAsync:
        return fill(nested, call, (FillWork){.to = {w[0], w[2], 0}, .box = {w[2], 1, 1}, .value = (int)w[1]}, w[3]);
    case DEVICE_Memset2DAsync:
        return fill(nested, call, (FillWork){.to = {w[0], w[1], 0}, .box = {w[3], w[4], 1}, .value = (int)w[2]}, w[5]);
    case DEVICE_Malloc: return allocate(nested, call);
    case DEVICE_Free: return release(nested, call);
    case DEVICE_GetDevice: return give_int(call, 0);
    case DEVICE_GetDeviceCount: return give_int(call, 1);
    case DEVICE_DeviceGetAttribute: return attribute(nested, call);
    case DEVICE_DeviceGetLimit: return limit(nested, call);
    case DEVICE_DeviceGetCacheConfig: return give_int(call, cudaFuncCachePreferNone);
    case DEVICE_RuntimeGetVersion: return give_int(call, VERSION_TOLD);
    case DEVICE_FuncGetAttributes: return function_asked(nested, call);
    case DEVICE_OccupancyMaxActiveBlocksPerMultiprocessor: return occupancy(nested, call, cudaOccupancyDefault);
    case DEVICE_OccupancyMaxActiveBlocksPerMultiprocessorWithFlags: return occupancy(nested, call, (uint32_t)w[4]);
    case DEVICE_GetParameterBufferV2: return give_buffer(nested, call);
    case DEVICE_GetLastError: return result(call, last_error(nested, call, true));
    case DEVICE_PeekAtLastError: return result(call, last_error(nested, call, false));
    case DEVICE_GetErrorName: return result(call, text_of(nested->context, error_name((cudaError_t)(uint32_t)w[0])));
    case DEVICE_GetErrorString: return result(call, text_of(nested->context, error_text((cudaError_t)(uint32_t)w[0])));
    case DEVICE_FUNCTIONS: break;
    }
    return cudaErrorNotSupported;
}

static void answer(void *self, DeviceCall *call) {
    Nested *nested = self;
    call->result = RESULT_IS_ERROR;
    const cudaError_t error = ask(nested, call);
    if (call->result == RESULT_IS_ERROR) call->result = error;
    if (error && !call->wrong[0]) thread_of(nested, call)->error = (uint16_t)error;
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
    if (nested->handed_private && context->sticky) context->sticky = cudaErrorInvalidAddressSpace;
    for (size_t i = 0; i < nested->n_buffers; i++) heap_release(context->launch_buffers, nested->buffers[i].address);
    nested->n_buffers = 0;
    free(nested->threads);
    nested->threads = NULL;
    nested->launchers = 0;
    nested->wrong_moves = 0;
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
    return error;
}
