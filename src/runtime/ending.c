/* ending.c: what a program's end says of it, and cudaDeviceReset. */
#include <stdlib.h>
#include <unistd.h>

#include "host/output.h"
#include "host/process.h"
#include "runtime/array.h"
#include "runtime/blas.h"
#include "runtime/device_memory.h"
#include "runtime/event.h"
#include "runtime/fourier.h"
#include "runtime/graph.h"
#include "runtime/groups.h"
#include "runtime/hostwatch.h"
#include "runtime/late.h"
#include "runtime/launch_kernel.h"
#include "runtime/limits.h"
#include "runtime/mempool.h"
#include "runtime/nested.h"
#include "runtime/planned.h"
#include "runtime/rand.h"
#include "runtime/replay.h"
#include "runtime/submit.h"
#include "runtime/texture_object.h"

/* As where a kernel did something wrong, where one does not compile. */
enum { FOUND_STATUS = 1, NOT_EMULATED_STATUS = 3 };

/* A program that checks its results against those of kernels that never ran, or does not check them, may find all well. */
static void end_as(int status, bool not_emulated, bool unwritten, const char *unheard, bool found) {
    if (status != 0 || (!not_emulated && !unwritten && !unheard && !found)) return;
    int instead = not_emulated ? NOT_EMULATED_STATUS : unwritten ? UNWRITTEN_STATUS : FOUND_STATUS;
    if (not_emulated)
        note("a kernel or a library could not be emulated, or not to its end: the exit status is %d, not the program's 0",
             instead);
    else if (found && !unwritten)
        note("kernels did something wrong: the exit status is %d, not 0", instead);
    else if (!unwritten)
        note("%s, and the program did not ask for its error: the exit status is %d, not 0", unheard, instead);
    fflush(NULL);
    _exit(instead);
}

/* A host function that ends the program never comes back: what comes after it is left. */
static void finish(Context *context) {
    LOCAL_CLOCK all = order_all(context);
    if (in_host_function)
        late_try(context, &all);
    else
        late_run(context, &all);
}

static void report(int status) {
    if (!context_is_made()) return;
    Context *context = context_lock();
    finish(context);
    const char *unheard = !context_is_unheard(context) ? NULL
                          : context->sticky            ? "a kernel was stopped"
                                                       : "work that had waited for other work was not done";
    const bool not_emulated = context->not_emulated,
               found = context->options.on_fault == ON_FAULT_GO_ON && (context->found || groups_found(context));
    if (context->output.length)
        note("%zu bytes that kernels printed were never shown: the program ended without cudaDeviceSynchronize",
             context->output.length);
    kernel_count_refused(context);
    if (!context->sticky) device_memory_note_leaks(context); /* after a fault the program could free nothing */
    groups_report(context);
    FILE *json = context->json, *trace = context->trace;
    context->json = context->trace = NULL;
    const bool json_written = environment_close_json(context->options.json, json);
    const bool trace_written = environment_close_json(context->options.trace, trace);
    context_unlock(context);
    end_as(status, not_emulated, !json_written || !trace_written, unheard, found);
}

/* Before all other constructors, so that what the program does at its end comes first. Only glibc gives the exit status to what runs at exit. */
enum { FIRST_CONSTRUCTOR = 101 };
#ifdef __GLIBC__
static void at_exit(int status, void *unused) {
    (void)unused;
    report(status);
}
static void report_at_exit(void) { on_exit(at_exit, NULL); }
#else
static void at_exit(void) { report(EXIT_FAILURE); }
static void report_at_exit(void) { atexit(at_exit); }
#endif

/* The report is for standard error: where that is closed, no file that the program opens is taken for it. */
__attribute__((constructor(FIRST_CONSTRUCTOR))) static void begin(void) {
    Diag diag = {0};
    output_hold_standard();
    if (!process_expect_stack(&diag)) {
        note("%s: %s", diag.message, diag.hint);
        _exit(NOT_EMULATED_STATUS);
    }
    report_at_exit();
}

/* Memory is retired, not just released: the report, and messages about pointers that are still in use, name it. */
static cudaError_t reset(Context *context) {
    const cudaError_t found = stream_wait_until_idle(context);
    replay_forget(context);
    mempools_free(context);
    planned_reset(context);
    streams_free(context);
    events_free(context);
    texture_objects_reset(context);
    arrays_reset(context);
    blas_reset(context);
    rand_reset(context);
    fourier_reset(context);
    nested_reset(context);
    for (size_t i = memory_count(context->memory); i-- > 0;) {
        Allocation *allocation = memory_at(context->memory, i);
        const bool heap = (context->heap && allocation == heap_memory(context->heap)) ||
                          (context->launch_buffers && allocation == heap_memory(context->launch_buffers));
        if (heap || tag_kind(allocation) != TAG_VARIABLE) memory_retire(context->memory, allocation);
    }
    heap_free(context->heap);
    heap_free(context->launch_buffers);
    context->heap = context->launch_buffers = NULL;
    context->allocated = 0;
    image_reset(context);
    limits_reset(context);
    graphs_free(context); /* last, since it calls functions of the program */
    return found;
}

/* After a kernel's fault it frees nothing, since nothing works on the device any more. */
cudaError_t cudaDeviceReset(void) {
    CALLSITE_BEGIN();
    cudaError_t error;
    Context *context = api_begin_always(&error);
    if (context) context_flush(context);
    if (context && !context->sticky) error = reset(context);
    return api_end(context, error);
}
