#include "cuda/process.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

extern char **environ;

static long long now_ms(void) {
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (long long)t.tv_sec * 1000 + t.tv_nsec / 1000000;
}

/* environ with TMPDIR set; the array and its first string are the caller's to free. */
static char **environment_with(const char *temp_dir) {
    size_t count = 0, kept = 1;
    while (environ[count]) count++;
    char **env = malloc((count + 2) * sizeof *env);
    char *first = malloc(strlen(temp_dir) + sizeof "TMPDIR=");
    if (!env || !first) abort();
    strcpy(first, "TMPDIR=");
    strcat(first, temp_dir);
    env[0] = first;
    for (size_t i = 0; i < count; i++) {
        if (strncmp(environ[i], "TMPDIR=", 7) != 0) env[kept++] = environ[i];
    }
    env[kept] = NULL;
    return env;
}

static int start(const ProcessRequest *request, int output, pid_t *pid) {
    posix_spawn_file_actions_t actions;
    posix_spawnattr_t attributes;
    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
    posix_spawn_file_actions_adddup2(&actions, output, STDOUT_FILENO);
    posix_spawn_file_actions_adddup2(&actions, output, STDERR_FILENO);
    posix_spawnattr_init(&attributes);
    posix_spawnattr_setpgroup(&attributes, 0);
    posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETPGROUP);
    char **env = request->temp_dir ? environment_with(request->temp_dir) : environ;
    int error = posix_spawnp(pid, request->argv[0], &actions, &attributes, (char *const *)request->argv, env);
    if (env != environ) {
        free(env[0]);
        free(env);
    }
    posix_spawnattr_destroy(&attributes);
    posix_spawn_file_actions_destroy(&actions);
    return error;
}

/* Reads until every writer has closed its end, or until the deadline. */
static void collect(int input, long long deadline_ms, const ProcessRequest *request, ProcessResult *result) {
    char piece[4096];
    for (;;) {
        long long left = deadline_ms - now_ms();
        if (left <= 0) {
            result->timed_out = true;
            return;
        }
        struct pollfd ready = {.fd = input, .events = POLLIN};
        int found = poll(&ready, 1, left > 1000 ? 1000 : (int)left);
        if (found < 0 && errno != EINTR) return;
        if (found <= 0) continue;
        ssize_t got = read(input, piece, sizeof piece);
        if (got < 0 && errno == EINTR) continue;
        if (got <= 0) return;
        size_t room = request->output_limit - result->output.length;
        if ((size_t)got > room) result->truncated = true;
        text_add_bytes(&result->output, piece, (size_t)got < room ? (size_t)got : room);
    }
}

/* The program may close its output long before it ends, so waiting has the deadline too. */
static int await(pid_t pid, long long deadline_ms, bool *timed_out) {
    int status = 0;
    for (;;) {
        pid_t ended = waitpid(pid, &status, *timed_out ? 0 : WNOHANG);
        if (ended == pid) return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
        if (ended < 0 && errno != EINTR) return -1;
        if (ended == 0 && now_ms() >= deadline_ms) {
            *timed_out = true;
            kill(-pid, SIGKILL);
        } else if (ended == 0) {
            nanosleep(&(struct timespec){.tv_nsec = 1000000}, NULL);
        }
    }
}

bool process_run(const ProcessRequest *request, ProcessResult *result) {
    *result = (ProcessResult){.status = -1};
    int ends[2];
    if (pipe(ends) != 0) {
        result->error = errno;
        return false;
    }
    fcntl(ends[0], F_SETFD, FD_CLOEXEC);
    fcntl(ends[1], F_SETFD, FD_CLOEXEC);
    pid_t pid = 0;
    result->error = start(request, ends[1], &pid);
    close(ends[1]);
    if (result->error == 0) {
        long long deadline_ms = now_ms() + 1000ll * request->timeout_s;
        collect(ends[0], deadline_ms, request, result);
        if (result->timed_out) kill(-pid, SIGKILL);
        result->status = await(pid, deadline_ms, &result->timed_out);
    }
    close(ends[0]);
    return result->error == 0 && !result->timed_out && result->status == 0;
}
