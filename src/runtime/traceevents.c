#include "runtime/traceevents.h"

#include <math.h>

#include "base/alloc.h"
#include "report/object.h"
#include "runtime/errors.h"

/* ROUNDED of an event's time: a nanosecond, which is 1e-3 of it. */
enum { DEVICE = 1, TIME_DIGITS = 15 };
#define ROUNDED 1e3

typedef struct TracePlace {
    const void *site;
    char *text; /* "host.cu:14", or "" */
} TracePlace;

static const char *place_of(Context *context, const void *site) {
    for (size_t i = 0; i < context->n_trace_places; i++)
        if (context->trace_places[i].site == site) return context->trace_places[i].text;
    const HostSpot spot = callsite_of_program(site, site == callsite_now.address ? callsite_around() : NULL);
    LOCAL_TEXT text = {0};
    callsite_add(&spot, &text);
    char *kept = alloc_copy(text_string(&text));
    ALLOC_ADD(context->trace_places, context->n_trace_places) = (TracePlace){site, kept};
    return kept;
}

static void write_event(Context *context, json_t *event) {
    LOCAL_TEXT text = {0};
    object_write(event, JSON_REAL_PRECISION(TIME_DIGITS) | JSON_COMPACT, &text);
    text_add(&text, "\n");
    environment_add_json(context->trace, &text);
    json_decref(event);
}

static json_t *event_new(const char *phase, const char *name, size_t thread) {
    json_t *event = json_object();
    object_text(event, "ph", phase);
    object_text(event, "name", name);
    object_number(event, "pid", DEVICE);
    object_number(event, "tid", thread);
    return event;
}

static void set_time(json_t *event, const char *key, double us) {
    object_set(event, key, object_real(round(us * ROUNDED) / ROUNDED));
}

/* --- names of threads --- */

static void write_name(Context *context, const char *what, size_t thread, const char *name) {
    json_t *event = event_new("M", what, thread), *arguments = json_object();
    object_text(arguments, "name", name);
    object_set(event, "args", arguments);
    write_event(context, event);
}

static void write_names(Context *context, const Stream *stream, unsigned lane, size_t thread) {
    LOCAL_TEXT name = {0};
    if (ftell(context->trace) == 0) {
        LOCAL_TEXT device = text_from("%s, modelled time", context->options.profile->full_name);
        write_name(context, "process_name", thread, text_string(&device));
    }
    if (stream->legacy)
        text_add(&name, "default stream");
    else if (stream->per_thread)
        text_add(&name, "default stream of a thread, %zu", stream->number);
    else
        text_add(&name, "stream %zu%s", stream->number, stream->blocking ? "" : ", non-blocking");
    if (lane) text_add(&name, ", at the same time (%u)", lane + 1);
    write_name(context, "thread_name", thread, text_string(&name));
}

/* Viewers have no room for two events of a thread at once. */
static size_t thread_for(Context *context, Stream *stream, double start_us, double end_us) {
    unsigned lane = 0;
    while (lane < TRACE_LANES - 1 && stream->traced[lane].used && stream->traced[lane].end_us > start_us + 0.5 / ROUNDED)
        lane++;
    const size_t thread = stream->number * TRACE_LANES + lane;
    if (!stream->traced[lane].used) write_names(context, stream, lane, thread);
    stream->traced[lane].used = true;
    stream->traced[lane].end_us = end_us;
    return thread;
}

/* --- works --- */

static uint64_t box_bytes(const Box *box) { return (uint64_t)box->width * box->height * box->depth; }

static const char *copy_name(Engine engine) {
    switch (engine) {
    case ENGINE_TO_DEVICE: return "copy to the device";
    case ENGINE_FROM_DEVICE: return "copy to the host";
    case ENGINE_KERNELS: return "copy within the device";
    case ENGINE_NONE:
    case ENGINES: break;
    }
    return "copy";
}

static void describe_kernel(const KernelWork *work, Text *name, json_t *arguments) {
    FREED char *demangled = program_demangle(work->kernel->name);
    text_add(name, "%s", demangled);
    object_three(arguments, "grid", work->grid);
    object_three(arguments, "block", work->block);
    if (work->shared_bytes) object_number(arguments, "shared_bytes", work->shared_bytes);
}

/* Its category; NULL: it is not shown. */
static const char *describe(const Work *work, Duration duration, Text *name, json_t *arguments) {
    switch (work->kind) {
    case WORK_KERNEL: describe_kernel(&work->kernel, name, arguments); return "kernel";
    case WORK_COPY:
        text_add(name, "%s", copy_name(duration.engine));
        object_number(arguments, "bytes", box_bytes(&work->copy.box));
        return "copy";
    case WORK_FILL:
        text_add(name, "memset");
        object_number(arguments, "bytes", box_bytes(&work->fill.box));
        return "memset";
    case WORK_HOST: text_add(name, "host function"); return "host";
    case WORK_LIBRARY: text_add(name, "%s", work->library->call); return "library";
    case WORK_RECORD: text_add(name, "event recorded"); return "event";
    case WORK_WAIT: text_add(name, "waits for an event"); return duration.us > 0 ? "event" : NULL;
    case WORK_ALLOCATE:
    case WORK_FREE:
    case WORK_EMPTY:
    case WORK_GRAPH: break;
    }
    return NULL;
}

void traceevents_add(Context *context, Stream *stream, const Work *work, double end_us, Duration duration, const void *site) {
    if (!context->trace) return;
    LOCAL_TEXT name = {0};
    json_t *arguments = json_object();
    const char *category = describe(work, duration, &name, arguments), *place = category ? place_of(context, site) : "";
    const double start_us = end_us - duration.us;
    if (*place) object_text(arguments, "at", place);
    if (context->sticky && work->kind == WORK_KERNEL) object_text(arguments, "error", error_name(context->sticky));
    if (category) {
        const bool takes_time = duration.us > 0 || work->kind == WORK_KERNEL;
        json_t *event = event_new(takes_time ? "X" : "i", text_string(&name), thread_for(context, stream, start_us, end_us));
        object_text(event, "cat", category);
        set_time(event, "ts", start_us);
        if (takes_time)
            set_time(event, "dur", duration.us);
        else
            object_text(event, "s", "t");
        object_set(event, "args", json_incref(arguments));
        write_event(context, event);
    }
    json_decref(arguments);
}
