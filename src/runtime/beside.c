#include "runtime/beside.h"

#include <dirent.h>
#include <math.h>
#include <signal.h>
#include <stdlib.h>
#include <time.h>

#include "base/alloc.h"
#include "host/now.h"
#include "runtime/hostwatch.h"
#include "runtime/order.h"
#include "runtime/replay.h"

#define FIRST_MOMENT_S \
    0.001 /* for the host, where a kernel counts how long it waits; each is twice as long as the one before */
#define LAST_MOMENT_S 0.02
#define FIRST_NAP_S 20e-6 /* between two looks at the memory */
#define LAST_NAP_S 0.001
#define HOST_FUNCTION_S 0.02 /* that a call waits for one */

/* A launch that waits. */
typedef struct HostWait {
    struct HostWait *next;
    const Awaited *awaited;
    const char *kernel; /* its name, as PTX has it */
    bool threaded;      /* in a thread of ours; else in one of the program's, where none could be started */
} HostWait;

typedef struct BesideJob {
    Context *context;
    BesideCall *run, *behind;
    void (*last)(Context *);
    void *data;
    Callsite site;
    const bool *in_host_function; /* that thread's; NULL: it has not begun */
    bool waits;                   /* for the host, once at least */
    bool left;                    /* by the call, which has come back */
    bool done;
} BesideJob;

static _Thread_local BesideJob *own; /* this thread's; NULL: it is the program's */

static bool has_shared_memory(const Memory *memory) {
    for (size_t i = 0; i < memory_count(memory); i++)
        if (memory_at(memory, i)->unified) return true;
    return false;
}

bool beside_may_wait(const Context *context, const KernelWork *work) {
    return image_known(work->kernel)->reach.ordered && has_shared_memory(context->memory);
}

bool beside_waits(const Context *context) { return context->waits != NULL; }

/* --- threads --- */

static void *job_main(void *argument) {
    BesideJob *job = argument;
    Context *context = context_lock();
    own = job;
    job->in_host_function = &in_host_function;
    callsite_now = job->site;
    job->run(context, job->data);
    job->site.told = callsite_now.told;
    callsite_now = (Callsite){0};
    if (job->left) job->behind(context, job->data);
    const BesideJob copy = *job;
    BesideJob rest = {.left = true};
    own = &rest;
    job->done = true;
    context_moved(context);
    if (copy.left) free(job);
    copy.last(context);
    context->beside--;
    context_unlock(context);
    return NULL;
}

/* Signals that come from outside are for the program's own threads. */
static bool start(BesideJob *job) {
    static const int own_faults[] = {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGTRAP, SIGABRT};
    pthread_t thread;
    sigset_t most, before;
    sigfillset(&most);
    for (size_t i = 0; i < sizeof own_faults / sizeof *own_faults; i++) sigdelset(&most, own_faults[i]);
    pthread_sigmask(SIG_SETMASK, &most, &before);
    const bool started = pthread_create(&thread, NULL, job_main, job) == 0;
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    if (started) pthread_detach(thread);
    return started;
}

/* Comes back when it is done, or not to be waited for any longer. What runs on the device has the context locked. */
static void wait_for(const BesideJob *job) {
    double since = 0;
    while (!job->done && !job->waits) {
        context_wait_for(job->context, HOST_FUNCTION_S);
        if (job->done || !job->in_host_function || !*job->in_host_function)
            since = 0;
        else if (since == 0)
            since = now_s();
        else if (now_s() - since > HOST_FUNCTION_S)
            return;
    }
}

bool beside_call(Context *context, BesideCall *run, BesideCall *behind, void (*last)(Context *), void *data) {
    BesideJob *job = alloc_zeroed(1, sizeof *job);
    *job = (BesideJob){.context = context, .run = run, .behind = behind, .last = last, .data = data, .site = callsite_now};
    job->site.around = callsite_around();
    if (!start(job)) {
        free(job);
        run(context, data);
        return true;
    }
    context->beside++;
    wait_for(job);
    callsite_now.told |= job->site.told;
    const bool done = job->done;
    if (done)
        free(job);
    else
        job->left = true;
    return done;
}

/* --- waiting --- */

/* Threads of the program's own; at least 1. */
static unsigned host_threads(const Context *context) {
    unsigned count = 0;
    DIR *folder = opendir("/proc/self/task");
    if (!folder) return UINT32_MAX;
    for (const struct dirent *entry; (entry = readdir(folder)) != NULL;) count += entry->d_name[0] != '.';
    closedir(folder);
    const unsigned ours = context->beside + (context->still != NULL);
    return count > ours ? count - ours : 1;
}

/* Launches that do not wait, and host functions, may set what others wait for, and so may threads of the host that do not. */
static bool is_hopeless(Beside *beside, const Awaited *own_wait, double now) {
    const Context *context = beside->context;
    unsigned launches = 0;
    for (const HostWait *wait = context->waits; wait; wait = wait->next) {
        if (wait->awaited->changed(wait->awaited->of)) return false;
        if (own_wait->of_launch && !wait->awaited->of_launch) return false; /* which is told first */
        launches += wait->threaded;
    }
    if (context->hosts_woken) return false; /* they may have what they waited for */
    if (!context->hosts_waiting) beside->hosts_since = 0;
    if (!context->hosts_waiting || launches < context->beside) return false;
    if (context->hosts_waiting >= host_threads(context)) return true;
    if (beside->hosts_since == 0) beside->hosts_since = now;
    return now - fmax(beside->hosts_since, beside->idle_since) > context->options.host_wait_s;
}

static void tell_waiting(Beside *beside, const Awaited *awaited, double now) {
    const double waited_s = now - beside->idle_since;
    if (beside->told || !(beside->context->options.tell_after_s > 0) || waited_s < beside->context->options.tell_after_s)
        return;
    beside->told = true;
    FREED char *name = program_demangle(beside->kernel);
    note("%s has waited for %.0f s for what %s may set", name, waited_s, awaited->of_launch ? "another launch" : "the host");
}

static void nap(double seconds) { nanosleep(&(struct timespec){0, (long)(seconds * 1e9)}, NULL); }

/* The context is another thread's between two looks. */
static AwaitedEnd watch(Beside *beside, const Awaited *awaited, double until) {
    Context *context = beside->context;
    for (double nap_s = FIRST_NAP_S;; nap_s = fmin(2 * nap_s, LAST_NAP_S)) {
        const double now = now_s();
        if (context->sticky) return AWAITED_NO_MORE;
        if (now >= until || awaited->changed(awaited->of)) return AWAITED_MAY_BE;
        if (is_hopeless(beside, awaited, now)) return AWAITED_NEVER;
        if (isinf(until)) tell_waiting(beside, awaited, now);
        context_unlock(context);
        nap(nap_s);
        context_lock();
    }
}

static void wait_ends(Context *context, const HostWait *wait) {
    HostWait **at = &context->waits;
    while (*at != wait) at = &(*at)->next;
    *at = wait->next;
}

static AwaitedEnd wait_for_host(void *self, const Awaited *awaited) {
    Beside *beside = self;
    Context *context = beside->context;
    HostWait wait = {context->waits, awaited, beside->kernel, own != NULL};
    const double now = now_s();
    if (beside->idle_since == 0) beside->idle_since = now, beside->moment_s = FIRST_MOMENT_S;
    replay_wrote(context);
    order_leave_out(context);
    beside->waited = true;
    context->waits = &wait;
    if (own)
        own->waits = true;
    else
        context->hosts_waiting++;
    context_moved(context);
    const AwaitedEnd end = watch(beside, awaited, awaited->counted ? now + beside->moment_s : INFINITY);
    wait_ends(context, &wait);
    context->hosts_waiting -= !own;
    beside->stopped = end == AWAITED_NO_MORE;
    const bool idle = awaited->counted && end == AWAITED_MAY_BE && !awaited->changed(awaited->of);
    beside->moment_s = fmin(2 * beside->moment_s, LAST_MOMENT_S);
    if (!idle) beside->idle_since = 0;
    return end;
}

static const char *other_that_waits(void *self) {
    const Beside *beside = self;
    return beside->context->waits ? beside->context->waits->kernel : NULL;
}

void beside_host_waits(Context *context) {
    const uint64_t before = context->moves;
    context->hosts_waiting++;
    context->hosts_in_calls++;
    context_wait(context);
    context->hosts_waiting--;
    context->hosts_in_calls--;
    context->hosts_woken -= context->moves != before;
}

const HostBeside *beside_begin(Beside *beside, Context *context, const char *kernel) {
    *beside = (Beside){.host = {beside, wait_for_host, other_that_waits}, .context = context, .kernel = kernel};
    return &beside->host;
}
