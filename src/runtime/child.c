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

/* Copies what comes from the pipe to standard error until every writer has closed its end. */
static void pass_on(int input, Text *errors) {
    char piece[4096];
    for (ssize_t got; (got = read(input, piece, sizeof piece)) != 0;) {
        if (got < 0 && errno != EINTR) break;
        if (got < 0) continue;
        fwrite(piece, 1, (size_t)got, stderr);
        text_add_bytes(errors, piece, (size_t)got);
    }
    close(input);
}

static int cannot_start(const char *what) {
    fprintf(stderr, "warpscope: cannot start %s: %s\n", what, strerror(errno));
    return 127;
}

int child_run(char *const *argv, Text *errors) {
    int ends[2];
    if (errors && pipe(ends) != 0) return cannot_start(argv[0]);
    child = fork();
    if (child < 0) {
        int status = cannot_start(argv[0]);
        if (errors) close(ends[0]), close(ends[1]);
        return status;
    }
    if (child == 0) {
        if (errors) dup2(ends[1], STDERR_FILENO), close(ends[0]), close(ends[1]);
        execvp(argv[0], argv);
        _exit(cannot_start(argv[0]));
    }
    /* What a terminal sends goes to both anyway; we only wait for its end. */
    static const int signals[] = {SIGTERM, SIGINT, SIGHUP, SIGQUIT};
    for (size_t i = 0; i < sizeof signals / sizeof *signals; i++) signal(signals[i], signals[i] == SIGTERM ? hand_on : SIG_IGN);
    if (errors) {
        close(ends[1]);
        pass_on(ends[0], errors);
    }
    int status;
    while (waitpid(child, &status, 0) < 0 && errno == EINTR) continue;
    for (size_t i = 0; i < sizeof signals / sizeof *signals; i++) signal(signals[i], SIG_DFL);
    return WIFSIGNALED(status) ? 128 + WTERMSIG(status) : WEXITSTATUS(status);
}
