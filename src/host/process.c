#define _GNU_SOURCE /* posix_spawn_file_actions_addchdir_np, pthread_setattr_default_np */
#include "host/process.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <spawn.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#ifdef __linux__
#include <sys/prctl.h>
#endif
#include <time.h>
#include <unistd.h>

#include "base/alloc.h"
#include "host/now.h"

#define NEVER LLONG_MAX

extern char **environ;

/* environ with TMPDIR set; the array and its first string are the caller's to free. */
static char **environment_with(const char *temp_dir) {
    size_t count = 0, kept = 1;
    while (environ[count]) count++;
    char **env = alloc_bytes((count + 2) * sizeof *env);
    char *first = alloc_bytes(strlen(temp_dir) + sizeof "TMPDIR=");
    strcpy(first, "TMPDIR=");
    strcat(first, temp_dir);
    env[0] = first;
    for (size_t i = 0; i < count; i++) {
        if (strncmp(environ[i], "TMPDIR=", 7) != 0) env[kept++] = environ[i];
    }
    env[kept] = NULL;
    return env;
}

/* output: the descriptor for what is caught; -1: none. mask: the program's signal mask. */
static int start(const ProcessRequest *request, int output, const sigset_t *mask, pid_t *pid) {
    bool background = request->mode == PROCESS_BACKGROUND;
    posix_spawn_file_actions_t actions;
    posix_spawnattr_t attributes;
    posix_spawn_file_actions_init(&actions);
    if (background) {
        posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
        posix_spawn_file_actions_adddup2(&actions, output, STDOUT_FILENO);
    }
    if (background && request->errors_path)
        posix_spawn_file_actions_addopen(&actions, STDERR_FILENO, request->errors_path, O_WRONLY | O_CREAT | O_TRUNC, 0600);
    else if (output >= 0)
        posix_spawn_file_actions_adddup2(&actions, output, STDERR_FILENO);
    posix_spawnattr_init(&attributes);
    posix_spawnattr_setpgroup(&attributes, 0);
    posix_spawnattr_setsigmask(&attributes, mask);
    sigset_t by_default;
    sigemptyset(&by_default);
    sigaddset(&by_default, SIGXCPU);
    posix_spawnattr_setsigdefault(&attributes, &by_default);
    posix_spawnattr_setflags(&attributes,
                             POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF | (background ? POSIX_SPAWN_SETPGROUP : 0));
    if (request->folder) posix_spawn_file_actions_addchdir_np(&actions, request->folder);
    char **own = request->temp_dir && !request->environment ? environment_with(request->temp_dir) : NULL;
    char *const *env = request->environment ? request->environment : own ? own : environ;
    int error = posix_spawnp(pid, request->argv[0], &actions, &attributes, (char *const *)request->argv, env);
    if (own) free(own[0]);
    free(own);
    posix_spawnattr_destroy(&attributes);
    posix_spawn_file_actions_destroy(&actions);
    return error;
}

/* Programs begin with the limits of who starts them, so that this process has the limit meanwhile, and passes over what it says of its own time. Where
 * the signal is blocked it waits, ignored or not, until it is ignored once more. A limit that is set once the program runs comes too late for what it has
 * started already. */
static int start_limited(const ProcessRequest *request, int output, const sigset_t *mask, pid_t *pid) {
    struct rlimit own, limit;
    if (!request->processor_s || getrlimit(RLIMIT_CPU, &own) != 0 || own.rlim_cur <= request->processor_s)
        return start(request, output, mask, pid);
    limit = own;
    limit.rlim_cur = request->processor_s;
    const struct sigaction ignored = {.sa_handler = SIG_IGN};
    struct sigaction before;
    sigaction(SIGXCPU, &ignored, &before);
    setrlimit(RLIMIT_CPU, &limit);
    int error = start(request, output, mask, pid);
    setrlimit(RLIMIT_CPU, &own);
    sigaction(SIGXCPU, &ignored, NULL);
    sigaction(SIGXCPU, &before, NULL);
    return error;
}

double process_children_s(void) {
    struct rusage used;
    getrusage(RUSAGE_CHILDREN, &used);
    return (double)(used.ru_utime.tv_sec + used.ru_stime.tv_sec) +
           1e-6 * (double)(used.ru_utime.tv_usec + used.ru_stime.tv_usec);
}

static void keep(const ProcessRequest *request, ProcessResult *result, const char *bytes, size_t count) {
    size_t room = request->output_limit - result->output.length;
    if (count > room) result->truncated = true;
    text_add_bytes(&result->output, bytes, count < room ? count : room);
}

/* --- signals that ask us to end --- */

static const int signals[] = {PROCESS_ENDING_SIGNALS};

enum { SIGNALS = sizeof signals / sizeof *signals };

static struct sigaction before[SIGNALS];
static unsigned holds;
static volatile sig_atomic_t noted; /* the signal to answer when nothing holds it any more */
static volatile sig_atomic_t child; /* the program that runs; 0: none */
static volatile sig_atomic_t in_foreground;
static volatile sig_atomic_t shared; /* the signal that came while the last program ran in the foreground */

/* What a terminal sends (si_code above 0) reaches a program in the foreground anyway; we only wait for it to end. */
static void on_signal(int number, siginfo_t *info, void *context) {
    (void)context;
    int error = errno;
    if (in_foreground)
        shared = number;
    else
        noted = number;
    if (child && !in_foreground) kill(-child, SIGTERM);
    if (child && in_foreground && info->si_code <= 0) kill(child, number);
    errno = error;
}

/* Of 96 KiB nvcc and clang end by a signal; 128 do for small kernels. */
enum { STACK_LEAST = 256 << 10, STACK_USUAL = 8 << 20 };

bool process_expect_stack(Diag *diag) {
    struct rlimit limit;
    if (getrlimit(RLIMIT_STACK, &limit) != 0 || limit.rlim_cur >= STACK_LEAST) return true;
    limit.rlim_cur = limit.rlim_max < STACK_USUAL ? limit.rlim_max : STACK_USUAL;
    if (limit.rlim_cur < STACK_LEAST || setrlimit(RLIMIT_STACK, &limit) != 0) {
        diag_say(diag, "the stack may have %llu KiB, and needs %d", (unsigned long long)limit.rlim_cur >> 10,
                 STACK_LEAST >> 10);
        return diag_hint(diag, "ulimit -s says what is allowed; a new shell without that limit helps");
    }
    pthread_attr_t threads; /* which else have what the limit was when the program began */
    if (pthread_getattr_default_np(&threads) != 0) return true;
    pthread_attr_setstacksize(&threads, limit.rlim_cur);
    pthread_setattr_default_np(&threads);
    pthread_attr_destroy(&threads);
    return true;
}

bool process_begin(Diag *diag) {
    signal(SIGCHLD, SIG_DFL);
    umask(umask(S_IRWXG | S_IRWXO) & ~(mode_t)S_IRWXU);
    return process_expect_stack(diag);
}

void process_hold_signals(void) {
    if (holds++) return;
    for (int i = 0; i < SIGNALS; i++) {
        struct sigaction action = {.sa_sigaction = on_signal, .sa_flags = SA_SIGINFO};
        sigaction(signals[i], NULL, &before[i]);
        if (before[i].sa_handler != SIG_IGN) sigaction(signals[i], &action, NULL);
    }
}

void process_release_signals(void) {
    if (--holds) return;
    for (int i = 0; i < SIGNALS; i++) sigaction(signals[i], &before[i], NULL);
    int number = noted;
    noted = 0;
    if (number) raise(number);
}

bool process_is_asked_to_end(void) { return noted != 0; }

int process_shared_signal(void) { return shared; }

/* Whether children whose parents end become this process's, while a program runs: some systems' first process leaves them in their group for
 * seconds. */
static void adopt(bool wanted) {
#ifdef __linux__
    prctl(PR_SET_CHILD_SUBREAPER, wanted);
#else
    (void)wanted;
#endif
}

/* Whether a child still runs: the first process of a sandbox is none of the group, and ends by itself soon after the others. Earlier ones, whose
 * session is not ours either, are taken from the system's table; who has ended of our own children is their maker's to ask. */
static bool has_living_child(void) {
    siginfo_t info = {0};
    while (waitid(P_ALL, 0, &info, WEXITED | WNOHANG | WNOWAIT) == 0) {
        if (!info.si_pid) return true;
        if (getsid(info.si_pid) == getsid(0)) return false;
        waitpid(info.si_pid, NULL, WNOHANG);
        info.si_pid = 0;
    }
    return false;
}

/* Ends the program and all others of its group, which have two seconds for what they must remove. Its status. */
static int end_group(pid_t pid) {
    long long deadline_ms = now_ms() + 2000;
    int status = 0;
    bool ended = false;
    kill(-pid, SIGTERM);
    while (now_ms() < deadline_ms && (!ended || kill(-pid, 0) == 0 || has_living_child())) {
        int of_one;
        for (pid_t one; (one = waitpid(-pid, &of_one, WNOHANG)) > 0;) {
            if (one != pid) continue;
            status = of_one;
            ended = true;
        }
        nanosleep(&(struct timespec){.tv_nsec = 1000000}, NULL);
    }
    kill(-pid, SIGKILL);
    while (!ended && (waitpid(pid, &status, 0) == pid || errno != EINTR)) ended = true;
    return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

/* --- collecting --- */

/* Reads until every writer has closed its end, until the deadline, until too much was written, or until a signal asks us to end. */
static void collect(int input, long long deadline_ms, const ProcessRequest *request, ProcessResult *result) {
    char buffer[4096];
    size_t caught = 0;
    while (!noted) {
        long long left = deadline_ms - now_ms();
        result->timed_out = left <= 0;
        if (left <= 0) return;
        struct pollfd ready = {.fd = input, .events = POLLIN};
        int found = poll(&ready, 1, left > 1000 ? 1000 : (int)left);
        if (found < 0 && errno != EINTR) return;
        if (found <= 0) continue;
        ssize_t got = read(input, buffer, sizeof buffer);
        if (got < 0 && errno == EINTR) continue;
        if (got <= 0) return;
        keep(request, result, buffer, (size_t)got);
        caught += (size_t)got;
        result->flooded = request->flood && caught > request->flood;
        if (result->flooded) return;
    }
}

/* The program may close its output long before it ends, so waiting has the deadline too. */
static int await(pid_t pid, long long deadline_ms, ProcessResult *result) {
    int status = 0;
    for (;;) {
        if (noted || result->timed_out || result->flooded) return end_group(pid);
        pid_t ended = waitpid(pid, &status, deadline_ms == NEVER ? 0 : WNOHANG);
        if (ended == pid) return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
        if (ended < 0 && errno != EINTR) return -1;
        if (ended == 0) nanosleep(&(struct timespec){.tv_nsec = 1000000}, NULL);
        result->timed_out = now_ms() >= deadline_ms;
    }
}

static void collect_and_await(int input, pid_t pid, const ProcessRequest *request, ProcessResult *result) {
    long long deadline_ms = request->mode == PROCESS_BACKGROUND ? now_ms() + 1000ll * request->timeout_s : NEVER;
    if (input >= 0) collect(input, deadline_ms, request, result);
    result->status = await(pid, deadline_ms, result);
}

/* Signals are blocked until there is a program to answer them with. */
static void run(const ProcessRequest *request, const int ends[2], ProcessResult *result) {
    sigset_t blocked, mask;
    pid_t pid = 0;
    sigemptyset(&blocked);
    for (int i = 0; i < SIGNALS; i++) sigaddset(&blocked, signals[i]);
    pthread_sigmask(SIG_BLOCK, &blocked, &mask);
    adopt(true);
    shared = 0;
    result->error = noted ? EINTR : start_limited(request, ends[1], &mask, &pid);
    child = result->error ? 0 : pid;
    in_foreground = child && request->mode != PROCESS_BACKGROUND;
    pthread_sigmask(SIG_SETMASK, &mask, NULL);
    if (ends[1] >= 0) close(ends[1]);
    if (child) collect_and_await(ends[0], pid, request, result);
    child = in_foreground = 0;
    adopt(false);
    if (ends[0] >= 0) close(ends[0]);
}

bool process_run(const ProcessRequest *request, ProcessResult *result) {
    int ends[2] = {-1, -1};
    *result = (ProcessResult){.status = -1};
    if (request->mode != PROCESS_FOREGROUND && pipe(ends) != 0) {
        result->error = errno;
        return false;
    }
    for (int i = 0; i < 2 && ends[i] >= 0; i++) fcntl(ends[i], F_SETFD, FD_CLOEXEC);
    process_hold_signals();
    const double before_s = process_children_s();
    run(request, ends, result);
    result->used_s = process_children_s() - before_s;
    process_release_signals();
    return result->error == 0 && !result->timed_out && result->status == 0;
}

void process_reap(void) {
    while (waitpid(-1, NULL, WNOHANG) > 0) {}
}
