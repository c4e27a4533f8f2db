#include "runtime/long_launch.h"

#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "base/alloc.h"
#include "base/visible.h"

#define REDRAW_S 0.5
enum { DRAWN_EARLIER = 5 }; /* than the first line that stays: after 2 s of 10 */

typedef struct LongRun {
    struct LongRun *before; /* that it runs beside */
    const LaunchRequest *request;
    double after_s; /* from the launch's start until the next line */
    double draw_s;  /* and until the next that is erased */
    struct timespec begin;
    Sight sights[SIGHTS];
} LongRun;

struct LongLaunch {
    pthread_mutex_t lock;
    pthread_cond_t changed;
    LongRun *last; /* of the launches that run the one that began last, of which alone something is said; NULL: none runs */
    double first_s;
    bool draws, drawn; /* lines that are erased; one stands there */
};

/* Of the first host thread that is at work; NO_INSN: none is yet. */
static uint32_t place_of(const LongRun *run) {
    uint32_t pc = NO_INSN;
    for (unsigned t = 0; t < SIGHTS && pc == NO_INSN; t++) pc = __atomic_load_n(&run->sights[t].pc, __ATOMIC_RELAXED);
    return pc;
}

static void add_place(const Program *program, uint32_t pc, Text *out) {
    if (pc >= program->n_insns) return;
    const Location *location = program_location(program, program_lined(program, pc), NULL);
    if (!location->line) return;
    text_add(out, ", at ");
    visible_add_line(out, text_last_name(program->files[location->file]));
    text_add(out, ":%u", location->line);
}

/* What the terminal does not take is lost. */
static void put(const Text *text) {
    ssize_t written = write(STDERR_FILENO, text_string(text), text->length);
    (void)written;
}

/* The cursor stays where the program has left it, and a line that is too long does not go on in the next: what stands behind the cursor is ours. */
#define BEGINS "\0337\033[?7l"
#define ENDS "\033[?7h\0338"
#define ERASES "\033[K"

static void erase(LongLaunch *still) {
    LOCAL_TEXT text = text_from(ERASES);
    if (still->drawn) put(&text);
    still->drawn = false;
}

static double elapsed_s(const LongRun *run) {
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)(now.tv_sec - run->begin.tv_sec) + (double)(now.tv_nsec - run->begin.tv_nsec) * 1e-9;
}

static void draw(LongLaunch *still, LongRun *run) {
    const Launch *launch = &run->request->launch;
    const double seconds = elapsed_s(run);
    uint64_t ended = 0;
    for (unsigned t = 0; t < SIGHTS; t++) ended += __atomic_load_n(&run->sights[t].ended, __ATOMIC_RELAXED);
    FREED char *name = program_demangle(launch->kernel->function->name);
    LOCAL_TEXT line = text_from(BEGINS ERASES "warpscope: ");
    visible_add_line(&line, name);
    text_add(&line, ": %llu of %llu blocks, %.0f s" ENDS, (unsigned long long)ended, (unsigned long long)launch_blocks(launch),
             seconds);
    put(&line);
    still->drawn = true;
    run->draw_s = seconds + REDRAW_S;
}

static void say(LongLaunch *still, const LongRun *run) {
    erase(still);
    const LaunchRequest *request = run->request;
    const uint32_t *grid = request->launch.grid, *block = request->launch.block;
    FREED char *name = program_demangle(request->launch.kernel->function->name);
    LOCAL_TEXT line = text_from("warpscope: still running after %g s: ", run->after_s);
    visible_add_line(&line, name);
    text_add(&line, ", grid (%u,%u,%u), block (%u,%u,%u)", grid[0], grid[1], grid[2], block[0], block[1], block[2]);
    add_place(request->launch.kernel->program, place_of(run), &line);
    text_add(&line, "; Ctrl-C ends it\n");
    put(&line);
}

static struct timespec moment_of(const LongRun *run, double after_s) {
    struct timespec moment = run->begin;
    double whole_s = (double)(uint64_t)after_s;
    moment.tv_sec += (time_t)whole_s;
    moment.tv_nsec += (long)((after_s - whole_s) * 1e9);
    if (moment.tv_nsec >= 1000000000) moment.tv_sec++, moment.tv_nsec -= 1000000000;
    return moment;
}

static bool draws_next(const LongLaunch *still, const LongRun *run) { return still->draws && run->draw_s < run->after_s; }

/* What is due next. */
static void tell(LongLaunch *still, LongRun *run) {
    if (draws_next(still, run)) {
        draw(still, run);
        return;
    }
    say(still, run);
    run->after_s *= 2;
}

static void *watch_launches(void *argument) {
    LongLaunch *still = argument;
    pthread_mutex_lock(&still->lock);
    for (;;) {
        LongRun *run = still->last;
        if (!run) {
            pthread_cond_wait(&still->changed, &still->lock);
            continue;
        }
        const double due_s = draws_next(still, run) ? run->draw_s : run->after_s;
        const struct timespec moment = moment_of(run, due_s);
        if (elapsed_s(run) >= due_s)
            tell(still, run);
        else
            pthread_cond_timedwait(&still->changed, &still->lock, &moment);
    }
    return NULL;
}

/* The program's signals are for the program's own threads. */
static bool start(LongLaunch *still) {
    pthread_t thread;
    sigset_t all, before;
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before);
    bool started = pthread_create(&thread, NULL, watch_launches, still) == 0;
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    if (started) pthread_detach(thread);
    return started;
}

LongLaunch *long_launch_new(double after_s) {
    if (!(after_s > 0) || after_s > 1e9 || !isatty(STDERR_FILENO)) return NULL;
    LongLaunch *still = alloc_bytes(sizeof *still);
    pthread_condattr_t clock;
    const char *terminal = getenv("TERM");
    *still = (LongLaunch){.first_s = after_s, .draws = terminal && strcmp(terminal, "dumb") != 0};
    pthread_condattr_init(&clock);
    pthread_condattr_setclock(&clock, CLOCK_MONOTONIC);
    pthread_mutex_init(&still->lock, NULL);
    pthread_cond_init(&still->changed, &clock);
    pthread_condattr_destroy(&clock);
    if (start(still)) return still;
    free(still);
    return NULL;
}

void long_launch_watch(LongLaunch *still, LaunchRequest *request) {
    if (!still) return;
    LongRun *run = alloc_aligned(64, sizeof *run);
    *run = (LongRun){.request = request, .after_s = still->first_s, .draw_s = still->first_s / DRAWN_EARLIER};
    for (unsigned t = 0; t < SIGHTS; t++) run->sights[t].pc = NO_INSN;
    request->launch.sights = run->sights;
    clock_gettime(CLOCK_MONOTONIC, &run->begin);
    pthread_mutex_lock(&still->lock);
    run->before = still->last;
    still->last = run;
    pthread_cond_signal(&still->changed);
    pthread_mutex_unlock(&still->lock);
}

void long_launch_leave(LongLaunch *still, const LaunchRequest *request) {
    if (!still) return;
    pthread_mutex_lock(&still->lock);
    LongRun **at = &still->last;
    while ((*at)->request != request) at = &(*at)->before;
    LongRun *run = *at;
    *at = run->before;
    erase(still);
    pthread_cond_signal(&still->changed);
    pthread_mutex_unlock(&still->lock);
    free(run);
}
