#include "grade/limit.h"

#include <errno.h>
#include <signal.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

#include "base/sanitized.h"

/* No higher than the limit that there is already. */
static bool set(int resource, uint64_t soft, uint64_t hard, const char *what, Diag *diag) {
    struct rlimit limit;
    if (getrlimit(resource, &limit) == 0) {
        if (limit.rlim_max == RLIM_INFINITY || hard < limit.rlim_max) limit.rlim_max = (rlim_t)hard;
        limit.rlim_cur = soft < limit.rlim_max ? (rlim_t)soft : limit.rlim_max;
        if (setrlimit(resource, &limit) == 0) return true;
    }
    return diag_say(diag, "this system sets no limit to %s: %s", what, strerror(errno));
}

bool limit_process(const Limits *limits, Diag *diag) {
    alarm(limits->wall_seconds);
    return set(RLIMIT_CPU, limits->seconds, limits->seconds + 5, "processor time", diag) &&
           set(RLIMIT_FSIZE, limits->file_bytes, limits->file_bytes, "files", diag) &&
           set(RLIMIT_CORE, 0, 0, "core dumps", diag)
#ifdef RLIMIT_AS
           && (SANITIZED ||
               set(limits->reserves ? RLIMIT_DATA : RLIMIT_AS, limits->memory_bytes, limits->memory_bytes, "memory", diag))
#endif
#ifdef RLIMIT_NPROC
           && (!limits->alone || set(RLIMIT_NPROC, 0, 0, "processes", diag))
#endif
        ;
}

/* --- last words ----------------------------------------------------------------------------------------------------------- */

enum { STACK_BYTES = 64 << 10 }; /* of the handlers' own: a stack that has run over is no place for them */

static LastWords last;

static void say(int number) {
    const char *text = number == SIGXCPU || number == SIGALRM ? last.time : number == SIGABRT ? last.memory : last.crash;
    for (size_t length = strlen(text); length;) {
        ssize_t written = write(last.fd, text, length);
        if (written <= 0) break;
        text += written;
        length -= (size_t)written;
    }
    _exit(last.status);
}

void limit_last_words(const LastWords *words) {
    static const int of_limits[] = {SIGXCPU, SIGALRM}, of_mistakes[] = {SIGABRT, SIGSEGV, SIGBUS, SIGFPE, SIGILL};
    last = *words;
    static _Alignas(16) char bytes[STACK_BYTES];
    stack_t stack = {.ss_sp = bytes, .ss_size = sizeof bytes};
    struct sigaction action = {.sa_handler = say, .sa_flags = SA_ONSTACK};
    sigaltstack(&stack, NULL);
    sigfillset(&action.sa_mask);
    for (size_t i = 0; i < sizeof of_limits / sizeof *of_limits; i++) sigaction(of_limits[i], &action, NULL);
    for (size_t i = 0; !SANITIZED && i < sizeof of_mistakes / sizeof *of_mistakes; i++)
        sigaction(of_mistakes[i], &action, NULL);
    action.sa_handler = SIG_IGN; /* what cannot be written is an error of the write */
    sigaction(SIGXFSZ, &action, NULL);
    sigaction(SIGPIPE, &action, NULL);
}
