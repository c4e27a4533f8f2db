/* The limits that a process sets itself, and what it says when it ends by one (grade/limit.h). Each test does it in a child. */
#include "grade/limit.h"

#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/sanitized.h"
#include "suite.h"

enum { STATUS = 37, FINE = 0, WRONG = 1 };

static bool is_set(int resource, uint64_t soft, uint64_t hard) {
    struct rlimit limit;
    return getrlimit(resource, &limit) == 0 && limit.rlim_cur == soft && limit.rlim_max == hard;
}

/* QEMU's user mode takes a limit of memory and keeps none. */
static bool keeps_memory_limits(int resource) {
    const rlim_t bytes = (rlim_t)16 << 30;
    return setrlimit(resource, &(struct rlimit){bytes, bytes}) == 0 && is_set(resource, bytes, bytes);
}

static bool limits_are_set(void) {
    Diag diag = {0};
    const bool of_memory = !SANITIZED && keeps_memory_limits(RLIMIT_AS);
    if (!limit_process(
            &(Limits){
                .seconds = 100, .wall_seconds = 200, .memory_bytes = UINT64_C(8) << 30, .file_bytes = 4096, .alone = true},
            &diag))
        return false;
    const unsigned left = alarm(0);
    return left > 190 && left <= 200 && is_set(RLIMIT_CPU, 100, 105) && is_set(RLIMIT_FSIZE, 4096, 4096) &&
           is_set(RLIMIT_CORE, 0, 0) && (!of_memory || is_set(RLIMIT_AS, UINT64_C(8) << 30, UINT64_C(8) << 30)) &&
           is_set(RLIMIT_NPROC, 0, 0);
}

/* Addresses may be reserved then, and writing is limited. */
static bool reservations_are_free(void) {
    struct rlimit before;
    Diag diag = {0};
    getrlimit(RLIMIT_AS, &before);
    if (SANITIZED) return true;
    const bool of_memory = keeps_memory_limits(RLIMIT_DATA);
    return limit_process(&(Limits){.seconds = 100,
                                   .wall_seconds = 200,
                                   .memory_bytes = UINT64_C(8) << 30,
                                   .file_bytes = 4096,
                                   .reserves = true},
                         &diag) &&
           is_set(RLIMIT_AS, before.rlim_cur, before.rlim_max) &&
           (!of_memory || is_set(RLIMIT_DATA, UINT64_C(8) << 30, UINT64_C(8) << 30));
}

static bool others_may_be_started(void) {
    struct rlimit before;
    Diag diag = {0};
    getrlimit(RLIMIT_NPROC, &before);
    return limit_process(&(Limits){.seconds = 100, .wall_seconds = 200, .memory_bytes = UINT64_C(8) << 30, .file_bytes = 4096},
                         &diag) &&
           is_set(RLIMIT_NPROC, before.rlim_cur, before.rlim_max);
}

/* A limit that there is already stays where it is lower, the hard one as well as the soft one. */
static bool lower_limits_stay(void) {
    Diag diag = {0};
    setrlimit(RLIMIT_CPU, &(struct rlimit){40, 50});
    setrlimit(RLIMIT_FSIZE, &(struct rlimit){2000, 9000});
    return limit_process(&(Limits){.seconds = 60, .wall_seconds = 200, .memory_bytes = UINT64_C(8) << 30, .file_bytes = 4096},
                         &diag) &&
           is_set(RLIMIT_CPU, 50, 50) && is_set(RLIMIT_FSIZE, 4096, 4096);
}

static int status_of(bool (*act)(void)) {
    fflush(NULL);
    const pid_t pid = fork();
    if (!pid) _exit(act() ? FINE : WRONG);
    int status;
    ck_assert_int_eq(waitpid(pid, &status, 0), pid);
    return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

START_TEST(limits_are_those_asked_for_and_no_higher_than_those_there_are)
{
    ck_assert_int_eq(status_of(limits_are_set), FINE);
    ck_assert_int_eq(status_of(reservations_are_free), FINE);
    ck_assert_int_eq(status_of(others_may_be_started), FINE);
    ck_assert_int_eq(status_of(lower_limits_stay), FINE);
}
END_TEST

/* What a child writes that ends by this signal, and its status. */
static int ended_by(int number, char *said, size_t size) {
    int ends[2], status;
    ck_assert_int_eq(pipe(ends), 0);
    fflush(NULL);
    const pid_t pid = fork();
    if (!pid) {
        limit_last_words(&(LastWords){
            .fd = ends[1], .status = STATUS, .time = "out of time", .memory = "out of memory", .crash = "crashed"});
        raise(number);
        _exit(FINE);
    }
    close(ends[1]);
    const ssize_t length = read(ends[0], said, size - 1);
    said[length > 0 ? length : 0] = 0;
    close(ends[0]);
    ck_assert_int_eq(waitpid(pid, &status, 0), pid);
    return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

START_TEST(each_end_has_its_words)
{
    static const struct {
        int number;
        const char *words;
    } rows[] = {{SIGXCPU, "out of time"}, {SIGALRM, "out of time"}, {SIGABRT, "out of memory"}, {SIGSEGV, "crashed"},
                {SIGBUS, "crashed"},      {SIGFPE, "crashed"},      {SIGILL, "crashed"}};
    char said[100];
    for (size_t i = 0; i < (SANITIZED ? 2 : sizeof rows / sizeof *rows); i++) {
        ck_assert_msg(ended_by(rows[i].number, said, sizeof said) == STATUS, "signal %d", rows[i].number);
        ck_assert_str_eq(said, rows[i].words);
    }
    /* what cannot be written is an error of the write, and no end */
    ck_assert_int_eq(ended_by(SIGXFSZ, said, sizeof said), FINE);
    ck_assert_int_eq(ended_by(SIGPIPE, said, sizeof said), FINE);
    ck_assert_str_eq(said, "");
}
END_TEST

/* A write that a stop interrupts has written less than it was to: more than any pipe holds is still said whole, and in order. */
START_TEST(long_words_are_said_whole)
{
    enum { LENGTH = 1 << 20, PERIOD = 26 };
    static char words[LENGTH + 1], said[LENGTH + 2];
    for (int i = 0; i < LENGTH; i++) words[i] = (char)('a' + i / 7 % PERIOD);
    int ends[2], status, waiting = 0;
    size_t length = 0;
    ck_assert_int_eq(pipe(ends), 0);
    fflush(NULL);
    const pid_t pid = fork();
    if (!pid) {
        limit_last_words(&(LastWords){.fd = ends[1], .status = STATUS, .time = words, .memory = "", .crash = ""});
        raise(SIGALRM);
    }
    close(ends[1]);
    ck_assert_int_eq(poll(&(struct pollfd){.fd = ends[0], .events = POLLIN}, 1, -1), 1);
    ck_assert(ioctl(ends[0], FIONREAD, &waiting) == 0 && waiting > 0);
    ck_assert(kill(pid, SIGSTOP) == 0 && waitpid(pid, &status, WUNTRACED) == pid && WIFSTOPPED(status));
    ck_assert_int_eq(kill(pid, SIGCONT), 0);
    for (ssize_t n; (n = read(ends[0], said + length, sizeof said - length)) > 0;) length += (size_t)n;
    close(ends[0]);
    ck_assert_int_eq(waitpid(pid, &status, 0), pid);
    ck_assert(WIFEXITED(status) && WEXITSTATUS(status) == STATUS);
    ck_assert_uint_eq(length, LENGTH);
    ck_assert(memcmp(said, words, LENGTH) == 0);
}
END_TEST

/* The handlers run on a stack of their own, and no second signal cuts the words short. */
static bool handlers_are_alone(void) {
    limit_last_words(&(LastWords){.fd = 2, .status = STATUS, .time = "", .memory = "", .crash = ""});
    stack_t stack;
    struct sigaction action;
    if (sigaltstack(NULL, &stack) || stack.ss_flags & SS_DISABLE || stack.ss_size < 16384) return false;
    static const int numbers[] = {SIGXCPU, SIGALRM, SIGSEGV};
    for (size_t i = 0; i < (SANITIZED ? 2 : 3); i++) {
        if (sigaction(numbers[i], NULL, &action) || !(action.sa_flags & SA_ONSTACK)) return false;
        if (!sigismember(&action.sa_mask, SIGALRM) || !sigismember(&action.sa_mask, SIGXCPU) ||
            !sigismember(&action.sa_mask, SIGTERM))
            return false;
    }
    return true;
}

/* Of 4 KiB a call: a gigabyte. */
static int deep(volatile char *above, int calls) {
    volatile char here[4096];
    here[0] = above ? *above : 0;
    return calls ? deep(here, calls - 1) + here[0] : 0;
}

static bool stack_runs_over(void) {
    setrlimit(RLIMIT_STACK, &(struct rlimit){1 << 20, 1 << 20});
    limit_last_words(&(LastWords){.fd = STDERR_FILENO, .status = STATUS, .time = "", .memory = "", .crash = ""});
    return deep(NULL, 1 << 18) == 0;
}

START_TEST(handlers_have_a_stack_of_their_own)
{
    ck_assert_int_eq(status_of(handlers_are_alone), FINE);
    if (!SANITIZED) ck_assert_int_eq(status_of(stack_runs_over), STATUS);
}
END_TEST

SUITE("limit", limits_are_those_asked_for_and_no_higher_than_those_there_are, each_end_has_its_words, long_words_are_said_whole,
      handlers_have_a_stack_of_their_own)
