#include "runtime/context.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "runtime/groups.h"

static Context the_context = {.lock = PTHREAD_MUTEX_INITIALIZER};
static _Thread_local cudaError_t last_error;

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
    Text text = {0};
    diag_format(diag, &text);
    fflush(stdout);
    fprintf(stderr, "warpscope: %s: %s", what, text_string(&text));
    text_free(&text);
}

/* --- the context --- */

static bool is_off(const char *variable, const char *off) {
    const char *value = getenv(variable);
    return value && strcmp(value, off) == 0;
}

static const Profile *chosen_profile(void) {
    const char *name = getenv("WARPSCOPE_DEVICE");
    Diag diag = {0};
    const Profile *profile = profile_find(name && *name ? name : "h200", &diag);
    if (profile) return profile;
    note_diag("WARPSCOPE_DEVICE", &diag);
    exit(2);
}

static void at_exit(void) {
    Context *context = context_lock();
    if (context->output.length)
        note("%zu bytes that kernels printed were never shown: the program ended without cudaDeviceSynchronize",
             context->output.length);
    groups_report(context);
    context_unlock(context);
}

static void context_make(Context *context) {
    const char *threads = getenv("WARPSCOPE_THREADS");
    context->options = (Options){.profile = chosen_profile(),
                                 .l1 = !is_off("WARPSCOPE_L1", "off"),
                                 .checks = !is_off("WARPSCOPE_CHECK", "none"),
                                 .threads = threads ? (unsigned)strtoul(threads, NULL, 10) : 0};
    context->memory = memory_new();
    atexit(at_exit);
}

Context *context_lock(void) {
    pthread_mutex_lock(&the_context.lock);
    if (!the_context.memory) context_make(&the_context);
    return &the_context;
}

void context_unlock(Context *context) { pthread_mutex_unlock(&context->lock); }

void context_flush(Context *context) {
    if (!context->output.length) return;
    fwrite(text_string(&context->output), 1, context->output.length, stdout);
    context->output.length = 0;
}

/* --- calls --- */

Context *api_begin(cudaError_t *error) {
    Context *context = context_lock();
    *error = context->sticky;
    if (!*error) return context;
    context_unlock(context);
    return NULL;
}

cudaError_t api_end(Context *context, cudaError_t error) {
    if (context) context_unlock(context);
    if (error != cudaSuccess) last_error = error;
    return error;
}

cudaError_t cudaPeekAtLastError(void) { return last_error; }

cudaError_t cudaGetLastError(void) {
    cudaError_t error = last_error;
    Context *context = context_lock();
    if (error != context->sticky) last_error = cudaSuccess;
    context_unlock(context);
    return error;
}
