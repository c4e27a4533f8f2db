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

struct LongLaunch {
    pthread_mutex_t lock;
    pthread_cond_t changed;
    const LaunchRequest *request; /* that runs; NULL: none */
    double after_s;               /* from the launch's start until the next line */
    double draw_s;                /* and until the next that is erased */
    double first_s;
    bool draws, drawn; /* lines that are erased; one stands there */
    struct timespec begin;
    Sight sights[SIGHTS];
};

/* Of the first host thread that is at work; NO_INSN: none is yet. */
static uint32_t place_of(const LongLaunch *still) {
    uint32_t pc = NO_INSN;
    for (unsigned t = 0; t < SIGHTS && pc == NO_INSN; t++) pc = __atomic_load_n(&still->sights[t].pc, __ATOMIC_RELAXED);
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

static double elapsed_s(const LongLaunch *still) {
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)(now.tv_sec - still->begin.tv_sec) + (double)(now.tv_nsec - still->begin.tv_nsec) * 1e-9;
}

static void draw(LongLaunch *still) {
    const Launch *launch = &still->request->launch;
    const double seconds = elapsed_s(still);
    uint64_t ended = 0;
    for (unsigned t = 0; t < SIGHTS; t++) ended += __atomic_load_n(&still->sights[t].ended, __ATOMIC_RELAXED);
    FREED char *name = program_demangle(launch->kernel->function->name);
    LOCAL_TEXT line = text_from(BEGINS ERASES "warpscope: ");
    visible_add_line(&line, name);
    text_add(&line, ": %llu of %llu blocks, %.0f s" ENDS, (unsigned long long)ended, (unsigned long long)launch_blocks(launch),
             seconds);
    put(&line);
    still->drawn = true;
    still->draw_s = seconds + REDRAW_S;
}

static void say(LongLaunch *still) {
    erase(still);
    const LaunchRequest *request = still->request;
    const uint32_t *grid = request->launch.grid, *block = request->launch.block;
    FREED char *name = program_demangle(request->launch.kernel->function->name);
    LOCAL_TEXT line = text_from("warpscope: still running after %g s: ", still->after_s);
    visible_add_line(&line, name);
    text_add(&line, ", grid (%u,%u,%u), block (%u,%u,%u)", grid[0], grid[1], grid[2], block[0], block[1], block[2]);
    add_place(request->launch.kernel->program, place_of(still), &line);
    text_add(&line, "; Ctrl-C ends it\n");
    put(&line);
}

static struct timespec moment_of(const LongLaunch *still, double after_s) {
    struct timespec moment = still->begin;
    double whole_s = (double)(uint64_t)after_s;
    moment.tv_sec += (time_t)whole_s;
    moment.tv_nsec += (long)((after_s - whole_s) * 1e9);
    if (moment.tv_nsec >= 1000000000) moment.tv_sec++, moment.tv_nsec -= 1000000000;
    return moment;
}

/* What is due next. */
static void tell(LongLaunch *still) {
    if (still->draws && still->draw_s < still->after_s) {
        draw(still);
        return;
    }
    say(still);
    still->after_s *= 2;
}

static void *watch_launches(void *argument) {
    LongLaunch *still = argument;
    pthread_mutex_lock(&still->lock);
    for (;;) {
        const double due_s = still->draws && still->draw_s < still->after_s ? still->draw_s : still->after_s;
        struct timespec moment = moment_of(still, due_s);
        if (!still->request)
            pthread_cond_wait(&still->changed, &still->lock);
        else if (elapsed_s(still) >= due_s)
            tell(still);
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
    LongLaunch *still = alloc_aligned(64, sizeof *still);
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
    pthread_mutex_lock(&still->lock);
    for (unsigned t = 0; t < SIGHTS; t++) still->sights[t] = (Sight){.pc = NO_INSN};
    request->launch.sights = still->sights;
    still->request = request;
    still->after_s = still->first_s;
    still->draw_s = still->first_s / DRAWN_EARLIER;
    clock_gettime(CLOCK_MONOTONIC, &still->begin);
    pthread_cond_signal(&still->changed);
    pthread_mutex_unlock(&still->lock);
}

void long_launch_leave(LongLaunch *still) {
    if (!still) return;
    pthread_mutex_lock(&still->lock);
    still->request = NULL;
    erase(still);
    pthread_mutex_unlock(&still->lock);
}
