#include "runtime/context.h"

#include <stdatomic.h>
#include <stdio.h>

#include "report/sources.h"
#include "runtime/driver_errors.h"
#include "runtime/errors.h"
#include "runtime/hostmap.h"
#include "runtime/hostwatch.h"
#include "runtime/limits.h"
#include "runtime/logs.h"
#include "runtime/long_launch.h"
#include "runtime/order.h"

#define GIVE_WAY_S 1e-4
enum { ERRORS = 1000 }; /* numbers of them */

static Context the_context = {.lock = PTHREAD_MUTEX_INITIALIZER, .moved = PTHREAD_COND_INITIALIZER};
static _Thread_local cudaError_t last_error;
static _Thread_local bool runtime_called;
static _Thread_local RuntimeUse runtime_use;
static atomic_bool made;
static atomic_bool asked[ERRORS]; /* what the program asked for or wanted the words of */

static void context_make(Context *context) {
    context->options = environment_options();
    note_to_editor(context->options.problems);
    environment_open_files(&context->options, &context->json, &context->trace);
    context->memory = memory_new();
    context->still = long_launch_new(context->options.tell_after_s);
    context->sources = sources_new(NULL, NULL, 0);
    context->order = order_new();
    limits_reset(context);
    hostmap_guard(context->memory, hostwatch_fault);
    atomic_store(&made, true);
}

Context *context_lock(void) {
    pthread_mutex_lock(&the_context.lock);
    logs_wait();
    if (!the_context.memory) context_make(&the_context);
    order_unwatch(&the_context);
    return &the_context;
}

void context_wait(Context *context) {
    pthread_cond_wait(&context->moved, &context->lock);
    order_unwatch(context);
}

void context_wait_for(Context *context, double seconds) {
    struct timespec until;
    clock_gettime(CLOCK_REALTIME, &until);
    until.tv_nsec += (long)(seconds * 1e9);
    if (until.tv_nsec >= 1000000000) until.tv_sec++, until.tv_nsec -= 1000000000;
    pthread_cond_timedwait(&context->moved, &context->lock, &until);
    order_unwatch(context);
}

void context_give_way(Context *context) { context_wait_for(context, GIVE_WAY_S); }

void context_moved(Context *context) {
    context->moves++;
    context->hosts_woken = context->hosts_in_calls;
    pthread_cond_broadcast(&context->moved);
}

static atomic_bool driver_started;
void context_start_driver(void) {
    if (!callsite_now.driver) atomic_store(&driver_started, true);
}
bool context_has_started_driver(void) { return atomic_load(&driver_started); }

bool context_is_made(void) { return atomic_load(&made); }

void context_unlock(Context *context) {
    order_watch(context);
    pthread_mutex_unlock(&context->lock);
    logs_go_on();
}

void context_flush(Context *context) {
    context->prints = 0;
    if (!context->output.length) return;
    fwrite(text_string(&context->output), 1, context->output.length, stdout);
    context->output.length = 0;
}

void context_call(Context *context, void (*function)(void *), void *data) {
    order_host_function(context, true);
    in_host_function = true; /* while it is locked: other threads look at it */
    context_unlock(context);
    const Callsite outside = callsite_now;
    callsite_now = (Callsite){0};
    function(data);
    callsite_now = outside;
    order_host_function(context_lock(), false);
    in_host_function = false;
}

/* --- calls --- */

Context *api_begin_always(cudaError_t *error) {
    context_start_driver();
    *error = in_host_function ? cudaErrorNotPermitted : cudaSuccess;
    return *error ? NULL : context_lock();
}

bool context_is_of_runtime(void) { return runtime_called; }

RuntimeUse context_take_runtime_use(void) {
    const RuntimeUse use = runtime_use;
    runtime_use = RUNTIME_UNUSED;
    return use;
}

void context_be_of_runtime(RuntimeUse use) {
    context_start_driver();
    if (callsite_now.driver) return;
    runtime_called = true;
    if (runtime_use < use) runtime_use = use;
}

Context *api_begin(cudaError_t *error) {
    context_be_of_runtime(RUNTIME_CALLED);
    Context *context = api_begin_always(error);
    if (!context || !context->sticky) return context;
    *error = context->sticky;
    context_unlock(context);
    return NULL;
}

/* A call that is refused does nothing, and a program that does not look at its error goes on as if it had. Said once of each call. */
static void tell_refused(Context *context, cudaError_t error) {
    const void *call = callsite_now.address;
    if (error == context->sticky || !call || callsite_now.told) return;
    for (size_t i = 0; i < context->n_refused; i++)
        if (context->refused[i] == call) return;
    ALLOC_ADD(context->refused, context->n_refused) = call;
    const char *name = callsite_now.driver ? driver_error_name(driver_error(error)) : error_name(error);
    const cudaError_t said = callsite_now.driver ? (cudaError_t)driver_error(error) : error;
    note("%s: %s: %s", callsite_name(), name, error_text(said));
}

cudaError_t api_end(Context *context, cudaError_t error) {
    /* Not being ready is an answer, as an H100 has it. */
    const bool refused = error != cudaSuccess && error != cudaErrorNotReady;
    if (refused && !context) context = context_lock();
    if (refused) tell_refused(context, error);
    if (context) context_unlock(context);
    /* Host functions have a thread of their own on a device. */
    if (refused && !in_host_function && !callsite_now.driver) last_error = error;
    return error;
}

static void set_asked(unsigned error, bool value) {
    if (error < ERRORS) atomic_store(&asked[error], value);
}

static bool is_asked(unsigned error) { return error < ERRORS && atomic_load(&asked[error]); }

void context_asked(cudaError_t error) { set_asked(error, true); }

void context_came_late(Context *context, cudaError_t error) {
    if (!context->late_error) context->late_error = error;
    context->late_unheard = error;
    set_asked(error, false);
    set_asked(driver_error(error), false);
}

void context_ends(Context *context, cudaError_t error) {
    if (context->sticky || !error) return;
    context->sticky = error;
    set_asked(error, false);
    set_asked(driver_error(error), false);
}

bool context_is_unheard(const Context *context) {
    const cudaError_t error = context->sticky ? context->sticky : context->late_unheard;
    return error && !is_asked(error) && !is_asked(driver_error(error));
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

const char *cudaGetErrorName(cudaError_t error) {
    context_asked(error);
    return error_name(error);
}

const char *cudaGetErrorString(cudaError_t error) {
    context_asked(error);
    return error_text(error);
}
