#include "lsp/job.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <sys/wait.h>
#ifdef __linux__
#include <sys/prctl.h>
#endif
#include <unistd.h>

#include "host/now.h"
#include "host/replace.h"
#include "lsp/worker.h"

enum { PATIENCE_MS = 5000 }; /* process_run gives what it ends two seconds */

/* In the process of its own. The editor's pipes are the server's alone: it must see their end when the server ends. */
static void be_worker(const Workplace *place, const char *path, int output, pid_t server) {
#ifdef __linux__
    prctl(PR_SET_PDEATHSIG, SIGTERM);
    if (getppid() != server) return;
#else
    (void)server;
#endif
    int nothing = open("/dev/null", O_RDWR);
    dup2(nothing, STDIN_FILENO);
    dup2(nothing, STDOUT_FILENO);
    close(nothing);
    signal(SIGPIPE, SIG_DFL);
    Text remarks = {0};
    worker_run(place, path, &remarks);
    file_write(output, text_string(&remarks), remarks.length);
}

bool job_begin(Job *job, const Workplace *place, const char *path) {
    int ends[2];
    pid_t server = getpid();
    if (pipe(ends) != 0) return false;
    for (int i = 0; i < 2; i++) fcntl(ends[i], F_SETFD, FD_CLOEXEC);
    pid_t pid = fork();
    if (pid == 0) {
        close(ends[0]); /* which would keep the pipe open when the server has gone */
        be_worker(place, path, ends[1], server);
        _exit(0);
    }
    close(ends[1]);
    if (pid < 0) {
        close(ends[0]);
        return false;
    }
    *job = (Job){.pid = pid, .output = ends[0]};
    return true;
}

void job_cancel(Job *job) {
    if (!job->pid || job->is_cancelled) return;
    job->is_cancelled = true;
    job->kill_ms = now_ms() + PATIENCE_MS;
    kill(job->pid, SIGTERM);
}

bool job_read(Job *job, json_t **remarks) {
    char buffer[65536];
    struct pollfd ready = {.fd = job->output, .events = POLLIN};
    *remarks = NULL;
    if (job->is_cancelled && now_ms() > job->kill_ms) kill(job->pid, SIGKILL);
    if (poll(&ready, 1, 0) <= 0) return false;
    ssize_t count = read(job->output, buffer, sizeof buffer);
    if (count > 0 && !job->is_cancelled) text_add_bytes(&job->text, buffer, (size_t)count);
    if (count > 0 || (count < 0 && errno == EINTR)) return false;
    close(job->output);
    while (waitpid(job->pid, NULL, 0) < 0 && errno == EINTR) continue;
    if (!job->is_cancelled) *remarks = json_loadb(text_string(&job->text), job->text.length, 0, NULL);
    text_free(&job->text);
    *job = (Job){0};
    return true;
}

void job_wait(Job *job) {
    json_t *remarks;
    while (job->pid && !job_read(job, &remarks)) poll(&(struct pollfd){.fd = job->output, .events = POLLIN}, 1, 100);
}
