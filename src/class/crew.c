#include "class/crew.h"

#include <errno.h>
#include <signal.h>
#include <stdatomic.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#ifdef __linux__
#include <sys/prctl.h>
#endif
#include <time.h>
#include <unistd.h>

#include "base/alloc.h"
#include "host/process.h"

enum { TELL_MS = 200 };

/* After so many in a row that could not be graded it is asked whether anything could. */
enum { UNABLE_IN_A_ROW = 3 };

/* What the processes share. */
typedef struct Board {
    _Atomic size_t next, done, graded, ungraded;
    _Atomic unsigned unable; /* in a row */
    _Atomic bool stopped;
    _Atomic bool said; /* one of them has written why */
    Diag why;
} Board;

/* False with a message where the grader is at fault, rather than what it was given. */
static bool may_go_on(const Class *class, const CrewTask *task, Board *board, bool was_unable, Diag *diag) {
    if (!was_unable) board->unable = 0;
    if (!was_unable || atomic_fetch_add(&board->unable, 1) + 1 < UNABLE_IN_A_ROW) return true;
    board->unable = 0;
    return task->works(class, diag);
}

static void work(const Class *class, const CrewTask *task, Board *board) {
    for (;;) {
        size_t mine = atomic_fetch_add(&board->next, 1);
        size_t index = (class->request.share - 1) + mine * class->request.shares;
        Diag diag = {0};
        ClassProgress did = {0};
        if (index >= class->submissions.count || board->stopped) return;
        bool good = task->step(class, &class->submissions.items[index], &did, &diag);
        process_reap(); /* bubblewrap leaves its first process behind */
        atomic_fetch_add(&board->graded, did.graded);
        atomic_fetch_add(&board->ungraded, did.ungraded);
        if (did.graded) good = good && may_go_on(class, task, board, did.ungraded, &diag);
        if (!good) {
            if (!atomic_exchange(&board->said, true)) board->why = diag;
            board->stopped = true;
            return;
        }
        atomic_fetch_add(&board->done, 1);
    }
}

static const int signals[] = {PROCESS_ENDING_SIGNALS};

enum { SIGNALS = sizeof signals / sizeof *signals };

static struct sigaction before[SIGNALS];
static volatile sig_atomic_t asked; /* the signal that asks us to end */

static void on_signal(int number) { asked = number; }

/* A shell has what runs in the background ignore SIGINT, and whoever sends it all the same means it. Who ignores SIGPIPE looks at what fails. */
static bool is_caught(int i) { return signals[i] != SIGPIPE || before[i].sa_handler != SIG_IGN; }

static void read_board(const Board *board, ClassProgress *progress) {
    progress->done = board->done;
    progress->graded = board->graded;
    progress->ungraded = board->ungraded;
}

/* Waits for all of them, and tells. Asked to end it asks them to, who then remove what is theirs. */
static bool wait_for(const pid_t *pids, unsigned count, const Board *board, void (*tell)(const ClassProgress *),
                     ClassProgress *progress) {
    unsigned left = count, bad = 0;
    int handed_on = 0;
    while (left) {
        int status;
        pid_t one = waitpid(-1, &status, WNOHANG);
        if (one > 0) {
            for (unsigned i = 0; i < count; i++)
                if (pids[i] == one) left--, bad += status != 0;
            continue;
        }
        if (one < 0 && errno == ECHILD) break;
        if (asked && !handed_on) {
            handed_on = asked;
            for (unsigned i = 0; i < count; i++) kill(pids[i], SIGTERM);
        }
        read_board(board, progress);
        if (tell) tell(progress);
        nanosleep(&(struct timespec){.tv_nsec = TELL_MS * 1000000L}, NULL);
    }
    read_board(board, progress);
    return bad == 0;
}

static pid_t start_one(const Class *class, const CrewTask *task, Board *board) {
    fflush(NULL);
    pid_t parent = getpid(), pid = fork();
    if (pid) return pid;
    for (int i = 0; i < SIGNALS; i++)
        if (is_caught(i)) signal(signals[i], SIG_DFL);
#ifdef __linux__
    prctl(PR_SET_PDEATHSIG, SIGTERM);
#endif
    if (getppid() == parent) work(class, task, board);
    _exit(0);
}

bool crew_run(const Class *class, const CrewTask *task, void (*tell)(const ClassProgress *progress), ClassProgress *progress,
              int *interrupted, Diag *diag) {
    size_t count = class->submissions.count, share = class->request.share, shares = class->request.shares;
    *progress = (ClassProgress){.total = count < share ? 0 : (count - share) / shares + 1};
    *interrupted = 0;
    Board *board = mmap(NULL, sizeof *board, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (board == MAP_FAILED) return diag_say(diag, "no memory can be shared: %s", strerror(errno));
    asked = 0;
    struct sigaction action = {.sa_handler = on_signal};
    for (int i = 0; i < SIGNALS; i++) {
        sigaction(signals[i], NULL, &before[i]);
        if (is_caught(i)) sigaction(signals[i], &action, NULL);
    }
    unsigned started = 0, wanted = task->jobs < progress->total ? task->jobs : (unsigned)progress->total;
    FREED pid_t *pids = alloc_zeroed(wanted + 1, sizeof *pids);
    while (started < wanted && (pids[started] = start_one(class, task, board)) > 0) started++;
    if (started < wanted && !started) diag_say(diag, "no process can be started: %s", strerror(errno));
    bool good = wait_for(pids, started, board, tell, progress) && !diag->set;
    for (int i = 0; i < SIGNALS; i++) sigaction(signals[i], &before[i], NULL);
    *interrupted = asked;
    if (board->said && !diag->set) *diag = board->why;
    if (!good && !asked && !diag->set) diag_say(diag, "a process that grades was ended; the same command goes on");
    munmap(board, sizeof *board);
    return good && !asked && !diag->set;
}
