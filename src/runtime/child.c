#include "runtime/child.h"

#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

static volatile sig_atomic_t child;

static void hand_on(int number) {
    if (child > 0) kill(child, number);
}

int child_run(char *const *argv) {
    child = fork();
    if (child < 0) {
        fprintf(stderr, "warpscope: cannot start a process: %s\n", strerror(errno));
        return 127;
    }
    if (child == 0) {
        execvp(argv[0], argv);
        fprintf(stderr, "warpscope: cannot start %s: %s\n", argv[0], strerror(errno));
        _exit(127);
    }
    /* What a terminal sends goes to both anyway; we only wait for its end. */
    static const int signals[] = {SIGTERM, SIGINT, SIGHUP, SIGQUIT};
    for (size_t i = 0; i < sizeof signals / sizeof *signals; i++) signal(signals[i], signals[i] == SIGTERM ? hand_on : SIG_IGN);
    int status;
    while (waitpid(child, &status, 0) < 0 && errno == EINTR) continue;
    for (size_t i = 0; i < sizeof signals / sizeof *signals; i++) signal(signals[i], SIG_DFL);
    return WIFSIGNALED(status) ? 128 + WTERMSIG(status) : WEXITSTATUS(status);
}
