#include "runtime/order.h"

#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "observe/imprint.h"
#include "runtime/event.h"
#include "runtime/hostwatch.h"
#include "runtime/stream.h"
#include "runtime/tell.h"
#include "runtime/transform.h"

/* Work that the host has not waited for, and what it touched. */
typedef struct PendingWork {
    struct PendingWork *next;
    WorkOrder at;
    char what[100];
    Imprint *prints;
    size_t count;
} PendingWork;

enum { IN_FLIGHT_MOST = 1024, WATCHED_MOST = 64 }; /* of works; the oldest are dropped, those of the latest are watched */

struct StreamOrder {
    VectorClock host, destroyed[2]; /* of streams that are no longer here: of all, of blocking ones */
    size_t streams;
    unsigned blocking, others; /* streams beside the legacy one: how many */
    PendingWork *works;        /* the oldest first */
    size_t in_flight;
    uint32_t beside;         /* the generation of marks (memory.h) of the launch that last let the host go on */
    unsigned host_functions; /* that run: what they touch they may, and the system may for them */
};

StreamOrder *order_new(void) { return alloc_zeroed(1, sizeof(StreamOrder)); }

size_t order_stream(Context *context, bool blocking) {
    StreamOrder *order = context->order;
    if (order->streams) *(blocking ? &order->blocking : &order->others) += 1;
    return order->streams++;
}

void order_destroyed(Context *context, const Stream *stream) {
    for (int blocking = 0; blocking <= stream->blocking; blocking++)
        vectorclock_join(&context->order->destroyed[blocking], &stream->clock);
}

/* --- clocks --- */

const VectorClock *order_ready(Context *context, Stream *stream) {
    const StreamOrder *order = context->order;
    vectorclock_join(&stream->clock, &order->host);
    if (!stream->blocking) return &stream->clock;
    if (stream->legacy) vectorclock_join(&stream->clock, &order->destroyed[true]);
    for (const Stream *other = context->streams; other; other = other->next)
        if (other != stream && (other->legacy || (stream->legacy && other->blocking)))
            vectorclock_join(&stream->clock, &other->clock);
    return &stream->clock;
}

WorkOrder order_submit(Context *context, Stream *stream, const Work *work) {
    order_ready(context, stream);
    if (work->kind == WORK_WAIT) vectorclock_join(&stream->clock, &work->event->clock);
    const uint64_t nth = vectorclock_at(&stream->clock, stream->number) + 1;
    vectorclock_raise(&stream->clock, stream->number, nth);
    if (work->kind == WORK_RECORD) {
        work->event->capture = NULL;
        vectorclock_free(&work->event->clock);
        work->event->clock = vectorclock_copy(&stream->clock);
    }
    return (WorkOrder){.stream = stream->number,
                       .nth = nth,
                       .clock = vectorclock_copy(&stream->clock),
                       .site = callsite_now.address,
                       .call = callsite_now.call,
                       .blocking = stream->blocking,
                       .legacy = stream->legacy};
}

void workorder_free(WorkOrder *submission) { vectorclock_free(&submission->clock); }

VectorClock order_all(Context *context) {
    VectorClock all = vectorclock_copy(&context->order->destroyed[false]);
    for (const Stream *stream = context->streams; stream; stream = stream->next) vectorclock_join(&all, &stream->clock);
    return all;
}

/* --- what is in flight --- */

static void in_flight_free(PendingWork *work) {
    for (size_t i = 0; i < work->count; i++) imprint_free(&work->prints[i]);
    free(work->prints);
    workorder_free(&work->at);
    free(work);
}

void order_waited(Context *context, const VectorClock *clock) {
    StreamOrder *order = context->order;
    vectorclock_join(&order->host, clock);
    for (PendingWork **at = &order->works; *at;) {
        PendingWork *work = *at;
        if (work->at.nth > vectorclock_at(&order->host, work->at.stream)) {
            at = &work->next;
            continue;
        }
        *at = work->next;
        order->in_flight--;
        in_flight_free(work);
    }
}

bool order_has_waited(const Context *context, const VectorClock *clock) {
    return vectorclock_covers(&context->order->host, clock);
}

static void add_print(PendingWork *work, Imprint print) {
    if (!print.count) return;
    ALLOC_ADD(work->prints, work->count) = print;
}

bool order_has_several(const Context *context) { return context->order->others || context->order->blocking > 1; }

static void add_launch(const Context *context, PendingWork *work, const KernelWork *kernel) {
    const uint64_t blocks = (uint64_t)kernel->grid[0] * kernel->grid[1] * kernel->grid[2];
    for (size_t i = 0; i < memory_count(context->memory); i++) {
        const Allocation *allocation = memory_at(context->memory, i);
        if (!allocation->read && !allocation->written) continue;
        if (!allocation->unified && !order_has_several(context)) continue;
        add_print(work, imprint_of_launch(context->memory, allocation, image_known(kernel->kernel), blocks));
    }
}

static void add_box(const Context *context, PendingWork *work, const Side *side, const Box *box, uint32_t how) {
    const Allocation *allocation = memory_find(context->memory, side->address);
    if (!allocation) return;
    Imprint print = {.address = allocation->address};
    for (size_t z = 0; z < box->depth; z++)
        for (size_t y = 0; y < box->height && print.count < IMPRINT_RUNS_MOST; y++) {
            const uint64_t from = side->address - allocation->address + z * side->slice + y * side->pitch;
            imprint_add(&print, from, from + box->width, how);
        }
    add_print(work, print);
}

static int run_order(const void *one, const void *other) {
    const ImprintRun *a = one, *b = other;
    return (a->from > b->from) - (a->from < b->from);
}

/* The numbers alone of a side, whose layout may take turns with another work's, or overlap itself. */
static void add_transform(const Context *context, PendingWork *work, const LibraryWork *library, unsigned side) {
    const Allocation *allocation = memory_find(context->memory, library->operands[side].at.address);
    if (!allocation) return;
    Imprint print = {.address = allocation->address};
    ImprintRun *runs = NULL;
    size_t count = 0;
    Side at;
    Box box;
    for (size_t i = 0; transform_work_box(library, side, i, &at, &box); i++)
        for (size_t row = 0; row < box.height * box.depth && count < IMPRINT_RUNS_MOST; row++) {
            const uint64_t from = at.address - allocation->address + row / box.height * at.slice + row % box.height * at.pitch;
            ALLOC_ADD(runs, count) = (ImprintRun){from, from + box.width, side == TRANSFORM_IN ? IMPRINT_READ : IMPRINT_WRITE};
        }
    qsort(runs, count, sizeof *runs, run_order);
    uint64_t end = 0;
    for (size_t i = 0; i < count; i++) {
        imprint_add(&print, runs[i].from > end ? runs[i].from : end, runs[i].to, runs[i].how);
        end = runs[i].to > end ? runs[i].to : end;
    }
    free(runs);
    add_print(work, print);
}

static void describe(const Work *work, char *text, size_t size) {
    FREED char *name = work->kind == WORK_KERNEL ? program_demangle(work->kernel.kernel->name) : NULL;
    if (name)
        snprintf(text, size, "kernel %.*s", (int)strcspn(name, "("), name);
    else
        snprintf(text, size, "%s",
                 work->kind == WORK_FILL      ? "the memset"
                 : work->kind == WORK_LIBRARY ? work->library->call
                                              : "the copy");
}

/* --- streams --- */

static const char *verb(uint32_t how) { return how & IMPRINT_WRITES ? "writes" : "reads"; }

static void tell_streams(Context *context, const PendingWork *now, const PendingWork *before, const Imprint *print,
                         const ImprintClash *clash) {
    const Allocation *allocation = memory_find(context->memory, print->address);
    LOCAL_TEXT in = text_from("'%s'+%llu", allocation ? allocation->name : "memory", (unsigned long long)clash->offset);
    const bool unblocking = (now->at.legacy && !before->at.blocking) || (before->at.legacy && !now->at.blocking);
    told_say(context,
             &(Told){.kind = FAULT_stream_race,
                     .what = now->what,
                     .does = verb(clash->one),
                     .bytes = text_string(&in),
                     .other = before->what,
                     .other_does = verb(clash->other),
                     .why = " in another stream, and nothing orders the two",
                     .hint = unblocking ? "a stream made with cudaStreamNonBlocking does not wait for the default stream, nor "
                                          "that for it: cudaEventRecord behind the first, cudaStreamWaitEvent before the second"
                                        : "cudaEventRecord behind the first, and cudaStreamWaitEvent before the second in its "
                                          "stream; or one stream for both",
                     .site = now->at.site,
                     .other_site = before->at.site});
}

/* False: something is told. */
static bool compare(Context *context, const PendingWork *now, const PendingWork *before) {
    ImprintClash clash;
    for (size_t i = 0; i < now->count; i++)
        for (size_t j = 0; j < before->count; j++) {
            if (now->prints[i].address != before->prints[j].address) continue;
            if (!imprint_clash(&now->prints[i], &before->prints[j], context->options.strict, &clash)) continue;
            tell_streams(context, now, before, &now->prints[i], &clash);
            return false;
        }
    return true;
}

void order_leave_out(Context *context) { context->order->beside = memory_last_generation(context->memory); }

uint32_t order_before(const Context *context) { return memory_last_generation(context->memory); }

static void keep(StreamOrder *order, PendingWork *work) {
    PendingWork **last = &order->works;
    while (*last) last = &(*last)->next;
    *last = work;
    if (++order->in_flight <= IN_FLIGHT_MOST) return;
    PendingWork *oldest = order->works;
    order->works = oldest->next;
    order->in_flight--;
    in_flight_free(oldest);
}

void order_ran(Context *context, Stream *stream, const WorkOrder *submission, const Work *work, uint32_t before) {
    if (!context->options.checks || context->sticky) return;
    PendingWork *now = alloc_zeroed(1, sizeof *now);
    const uint32_t last = memory_last_generation(context->memory);
    if (work->kind == WORK_KERNEL && last != before && last != context->order->beside) add_launch(context, now, &work->kernel);
    if (work->kind == WORK_COPY) add_box(context, now, &work->copy.from, &work->copy.box, IMPRINT_READ);
    if (work->kind == WORK_COPY) add_box(context, now, &work->copy.to, &work->copy.box, IMPRINT_WRITE);
    if (work->kind == WORK_FILL) add_box(context, now, &work->fill.to, &work->fill.box, IMPRINT_WRITE);
    for (unsigned i = 0; work->kind == WORK_LIBRARY && i < work->library->count; i++) {
        const LibraryOperand *operand = &work->library->operands[i];
        if (work->library->transform) add_transform(context, now, work->library, i);
        if (work->library->transform || operand->listed) continue; /* where listed matrices are is known on the device alone */
        if (operand->reads) add_box(context, now, &operand->at, &operand->box, IMPRINT_READ);
        if (operand->writes) add_box(context, now, &operand->at, &operand->box, IMPRINT_WRITE);
    }
    if (!now->count) {
        free(now);
        return;
    }
    now->at = *submission;
    now->at.clock = vectorclock_copy(&submission->clock);
    describe(work, now->what, sizeof now->what);
    for (const PendingWork *other = context->order->works; other; other = other->next)
        if (other->at.nth > vectorclock_at(&now->at.clock, other->at.stream) && !compare(context, now, other))
            vectorclock_raise(&stream->clock, other->at.stream, other->at.nth); /* what comes of it is not told as well */
    keep(context->order, now);
}

/* --- the host --- */

/* What the host may do to bytes that were touched so. */
static bool host_clashes(uint32_t how, bool writes) { return how & IMPRINT_WRITES || (writes && how & IMPRINT_READS); }

static void tell_host(Context *context, const HostTouch *touch, const PendingWork *work, const Allocation *allocation,
                      uint32_t how) {
    LOCAL_TEXT in = text_from("'%s'+%llu", allocation->name, (unsigned long long)(touch->address - allocation->address));
    bool exact = false;
    const void *site = callsite_of_code(&touch->at, &exact);
    told_say(context, &(Told){.kind = FAULT_host_race,
                              .what = "host code",
                              .does = touch->writes ? "writes" : "reads",
                              .bytes = text_string(&in),
                              .other = work->what,
                              .other_does = verb(how),
                              .why = ", and the host has not waited for it",
                              .hint = "launches, memsets and asynchronous copies come back before they are done: "
                                      "cudaDeviceSynchronize() between the two, or cudaStreamSynchronize(stream)",
                              .site = site,
                              .exact = exact,
                              .other_site = work->at.site});
}

/* What host code did between two calls. Memory that a kernel has written atomically tells the host what it waits for itself. */
static void judge_touch(Context *context, const HostTouch *touch) {
    const Allocation *allocation = memory_find(context->memory, touch->address);
    if (!allocation) return;
    const uint64_t offset = touch->address - allocation->address;
    for (const PendingWork *work = context->order->works; work; work = work->next)
        for (size_t i = 0; i < work->count; i++) {
            const uint32_t how = work->prints[i].address == allocation->address ? imprint_at(&work->prints[i], offset) : 0;
            if ((how & IMPRINT_WRITES) == IMPRINT_WRITE_ATOMIC) {
                const VectorClock seen = work->at.clock;
                order_waited(context, &seen);
                return;
            }
            if (!host_clashes(how, touch->writes)) continue;
            tell_host(context, touch, work, allocation, how);
            return;
        }
}

void order_host_function(Context *context, bool begins) { context->order->host_functions += begins ? 1 : -1u; }

void order_unwatch(Context *context) {
    HostTouch touches[HOST_TOUCHES_MOST];
    const size_t count = hostwatch_end(touches);
    for (size_t i = 0; i < count; i++) judge_touch(context, &touches[i]);
}

static void watch(const Context *context, const Imprint *print) {
    const Allocation *allocation = memory_find(context->memory, print->address);
    if (!allocation || !allocation->unified) return;
    for (size_t i = 0; i < print->count; i++)
        hostwatch_add(allocation, print->runs[i].from, print->runs[i].to, print->runs[i].how & IMPRINT_WRITES);
}

void order_watch(Context *context) {
    const StreamOrder *order = context->order;
    if (order->host_functions) return;
    size_t before = order->in_flight > WATCHED_MOST ? order->in_flight - WATCHED_MOST : 0;
    if (!order->works || !hostwatch_begin()) return;
    for (const PendingWork *work = order->works; work; work = work->next)
        for (size_t i = 0; before ? before-- && false : i < work->count; i++) watch(context, &work->prints[i]);
}
