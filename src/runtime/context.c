#include "runtime/context.h"

#include <errno.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "host/output.h"
#include "input/launch_options.h"
#include "report/sources.h"
#include "runtime/device_memory.h"
#include "runtime/event.h"
#include "runtime/groups.h"
#include "runtime/hostmap.h"
#include "runtime/late.h"
#include "runtime/limits.h"
#include "runtime/long_launch.h"
#include "runtime/stream.h"

enum { TELL_AFTER_S = 10 };

/* As where a kernel did something wrong, where a file cannot be written, where one does not compile. */
enum { FOUND_STATUS = 1, UNWRITTEN_STATUS = 2, NOT_EMULATED_STATUS = 3 };

static Context the_context = {.lock = PTHREAD_MUTEX_INITIALIZER};
static _Thread_local cudaError_t last_error;
static _Thread_local bool in_host_function;
static atomic_int asked_error; /* what the program asked for last or wanted the words of */

/* --- messages --- */

void note(const char *format, ...) {
    va_list args;
    va_start(args, format);
    fflush(stdout);
    fputs("warpscope: ", stderr);
    vfprintf(stderr, format, args);
    fputc('\n', stderr);
    va_end(args);
}

void note_diag(const char *what, const Diag *diag) {
    LOCAL_TEXT text = {0};
    diag_format(diag, &text);
    fflush(stdout);
    fprintf(stderr, "warpscope: %s: %s", what, text_string(&text));
}

/* --- the context --- */

/* Where a variable says what it may not, as where an option does. */
static _Noreturn void refuse(const Diag *diag) {
    note("%s", diag->message);
    exit(2);
}

static const char *value_of(const char *variable) {
    const char *value = getenv(variable);
    return value && *value ? value : NULL;
}

/* Whether the variable says `yes`, not `no`; unset: what `otherwise` is. */
static bool chosen(const char *variable, const char *yes, const char *no, bool otherwise) {
    const char *value = value_of(variable);
    Diag diag = {0};
    if (value && !parse_choice(variable, value, yes, no, &otherwise, &diag)) refuse(&diag);
    return otherwise;
}

/* Unset: as they are. */
static void choose_checks(bool *checks, bool *strict) {
    const char *value = value_of("WARPSCOPE_CHECK");
    Diag diag = {0};
    if (value && !parse_checks("WARPSCOPE_CHECK", value, checks, strict, &diag)) refuse(&diag);
}

/* 0: unset. */
static uint64_t chosen_number(const char *variable) {
    const char *value = value_of(variable);
    uint64_t number = 0;
    Diag diag = {0};
    if (value && !parse_number(variable, value, 0, UINT64_MAX, &number, &diag)) refuse(&diag);
    return number;
}

static Schedule chosen_schedule(void) {
    const char *value = value_of("WARPSCOPE_SCHEDULE");
    Schedule schedule = {0};
    Diag diag = {0};
    if (value && !parse_schedule("WARPSCOPE_SCHEDULE", value, &schedule, &diag)) refuse(&diag);
    return schedule;
}

static double chosen_seconds(void) {
    const char *value = value_of("WARPSCOPE_TELL_AFTER");
    char *end = NULL;
    double seconds = value ? strtod(value, &end) : TELL_AFTER_S;
    Diag diag = {0};
    if (value && (*end || !(seconds > 0 && seconds < 1e9))) {
        diag_say(&diag, "WARPSCOPE_TELL_AFTER '%.200s' is no number of seconds", value);
        refuse(&diag);
    }
    return seconds;
}

static const Profile *chosen_profile(void) {
    const char *name = getenv("WARPSCOPE_DEVICE");
    Diag diag = {0};
    const Profile *profile = profile_find(name && *name ? name : "h200", &diag);
    if (profile) return profile;
    note_diag("WARPSCOPE_DEVICE", &diag);
    exit(2);
}

/* As many as `warpscope run --threads` takes at most: each has its counters. */
static unsigned chosen_threads(void) {
    uint64_t count = chosen_number("WARPSCOPE_THREADS");
    return count > THREADS_MOST ? THREADS_MOST : (unsigned)count;
}

static void note_unwritten(const char *path, int error) {
    note("JSON cannot be written to '%s': %s", path,
         error == ESPIPE ? "it is a pipe, and each launch is written over what ends the one before" : output_problem(error));
}

/* What is asked for and cannot be had ends the program before it has done anything. */
static FILE *open_json(const char *path) {
    FILE *file = path ? output_open(path) : NULL;
    if (!path || (file && fseek(file, 0, SEEK_SET) == 0)) return file;
    note_unwritten(path, errno);
    exit(UNWRITTEN_STATUS);
}

/* False where it was asked for and is not whole. */
static bool close_json(Context *context) {
    FILE *file = context->json;
    if (!file) return true;
    if (ftell(file) == 0) fputs("[]\n", file);
    context->json = NULL;
    bool good = output_close(file);
    if (!good) note_unwritten(context->options.json, errno);
    return good;
}

/* A kernel's fault that the program never asked about: its 0 says nothing of it. */
static bool is_unheard(const Context *context) {
    return context->sticky && context->sticky != (cudaError_t)atomic_load(&asked_error);
}

/* A program that checks its results against those of kernels that never ran, or does not check them, may find all well. */
static void end_as(int status, bool not_emulated, bool unwritten, bool unheard, bool found) {
    if (status != 0 || (!not_emulated && !unwritten && !unheard && !found)) return;
    int instead = not_emulated ? NOT_EMULATED_STATUS : unwritten ? UNWRITTEN_STATUS : FOUND_STATUS;
    if (not_emulated)
        note("a kernel or a library could not be emulated, or not to its end: the exit status is %d, not the program's 0",
             instead);
    else if (found && !unwritten)
        note("kernels did something wrong: the exit status is %d, not 0", instead);
    else if (!unwritten)
        note("a kernel was stopped, and the program did not ask for its error: the exit status is %d, not 0", instead);
    fflush(NULL);
    _exit(instead);
}

static void report(int status) {
    Context *context = context_lock();
    late_run_all(context);
    const bool not_emulated = context->not_emulated, unheard = is_unheard(context),
               found = context->options.on_fault == ON_FAULT_GO_ON && (context->found || groups_found(context));
    if (context->output.length)
        note("%zu bytes that kernels printed were never shown: the program ended without cudaDeviceSynchronize",
             context->output.length);
    if (!context->sticky) device_memory_note_leaks(context); /* after a fault the program could free nothing */
    groups_report(context);
    const bool unwritten = !close_json(context);
    context_unlock(context);
    end_as(status, not_emulated, unwritten, unheard, found);
}

/* Only glibc gives the exit status to what runs at exit. */
#ifdef __GLIBC__
static void at_exit(int status, void *unused) {
    (void)unused;
    report(status);
}
#define REPORT_AT_EXIT() on_exit(at_exit, NULL)
#else
static void at_exit(void) { report(EXIT_FAILURE); }
#define REPORT_AT_EXIT() atexit(at_exit)
#endif

static void context_make(Context *context) {
    bool checks = true, strict = false;
    choose_checks(&checks, &strict);
    const char *const report = value_of("WARPSCOPE_REPORT");
    const bool to_editor = report && strcmp(report, "gcc") == 0;
    context->options =
        (Options){.profile = chosen_profile(),
                  .l1 = chosen("WARPSCOPE_L1", "on", "off", true),
                  .joins = chosen("WARPSCOPE_JOINS", "on", "off", true),
                  .checks = checks,
                  .strict = strict,
                  .replay = chosen("WARPSCOPE_REPLAY", "on", "off", true),
                  .on_fault = chosen("WARPSCOPE_ON_FAULT", "report", "stop", false) ? ON_FAULT_GO_ON : ON_FAULT_NOTE,
                  .details = to_editor || chosen("WARPSCOPE_REPORT", "all", "summary", true),
                  .problems = to_editor,
                  .threads = chosen_threads(),
                  .schedule = chosen_schedule(),
                  .max_steps = chosen_number("WARPSCOPE_MAX_STEPS"),
                  .json = value_of("WARPSCOPE_JSON"),
                  .compiler = getenv("WARPSCOPE_COMPILER")};
    context->json = open_json(context->options.json);
    context->memory = memory_new();
    context->still = long_launch_new(chosen_seconds());
    context->sources = sources_new(NULL, NULL, 0);
    context->order = order_new();
    limits_reset(context);
    hostmap_guard(context->memory);
    REPORT_AT_EXIT();
}

Context *context_lock(void) {
    pthread_mutex_lock(&the_context.lock);
    if (!the_context.memory) context_make(&the_context);
    order_unwatch(&the_context);
    return &the_context;
}

void context_unlock(Context *context) {
    order_watch(context);
    pthread_mutex_unlock(&context->lock);
}

void context_flush(Context *context) {
    if (!context->output.length) return;
    fwrite(text_string(&context->output), 1, context->output.length, stdout);
    context->output.length = 0;
}

void context_call(Context *context, void (*function)(void *), void *data) {
    order_host_function(context, true);
    context_unlock(context);
    in_host_function = true;
    function(data);
    in_host_function = false;
    order_host_function(context_lock(), false);
}

bool context_in_host_function(void) { return in_host_function; }

/* Memory is retired, not just released: the report, and messages about pointers that are still in use, name it. */
void context_reset(Context *context) {
    stream_wait_for_all(context);
    replay_forget(context);
    graphs_free(context);
    streams_free(context);
    events_free(context);
    for (size_t i = memory_count(context->memory); i-- > 0;) {
        Allocation *allocation = memory_at(context->memory, i);
        bool heap = context->heap && allocation == heap_memory(context->heap);
        if (heap || tag_kind(allocation) != TAG_VARIABLE) memory_retire(context->memory, allocation);
    }
    heap_free(context->heap);
    context->heap = NULL;
    context->allocated = 0;
    image_reset(context);
    limits_reset(context);
}

/* --- calls --- */

Context *api_begin_always(cudaError_t *error) {
    *error = in_host_function ? cudaErrorNotPermitted : cudaSuccess;
    return *error ? NULL : context_lock();
}

Context *api_begin(cudaError_t *error) {
    Context *context = api_begin_always(error);
    if (!context || !context->sticky) return context;
    *error = context->sticky;
    context_unlock(context);
    return NULL;
}

cudaError_t api_end(Context *context, cudaError_t error) {
    if (context) context_unlock(context);
    /* Not being ready is an answer, as an H100 has it; host functions have a thread of their own on a device. */
    if (error != cudaSuccess && error != cudaErrorNotReady && !in_host_function) last_error = error;
    return error;
}

void context_asked(cudaError_t error) {
    if (error != cudaSuccess) atomic_store(&asked_error, (int)error);
}

cudaError_t cudaPeekAtLastError(void) {
    context_asked(last_error);
    return last_error;
}

/* What a kernel's fault left behind is forgotten here too: it is the next call that returns it again. */
cudaError_t cudaGetLastError(void) {
    cudaError_t error = cudaPeekAtLastError();
    last_error = cudaSuccess;
    return error;
}
