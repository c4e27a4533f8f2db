/* cmd_lab_watch.c: warpscope lab watch: grades a lab at every save, goes on to the next when it is solved, and answers keys. */
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <termios.h>
#include <time.h>
#include <unistd.h>

#include "command/cmd_lab.h"
#include "grade/scratch.h"

enum { WATCH_MS = 200 };

/* --- the terminal --------------------------------------------------------------------------------------------------------- */

/* While a key is waited for, the terminal gives each at once and shows none. Whatever ends or stops this process then first puts it back, and is
 * answered as it was before (grade/scratch.h). */
static struct termios found;
static volatile sig_atomic_t is_changed;

static const int signals[] = {SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGTSTP};

enum { SIGNALS = sizeof signals / sizeof *signals };

static struct sigaction before[SIGNALS];

static void put_terminal_back(void) {
    if (is_changed) tcsetattr(STDIN_FILENO, TCSANOW, &found);
    is_changed = 0;
}

static void on_signal(int number) {
    put_terminal_back();
    for (int i = 0; i < SIGNALS; i++)
        if (signals[i] == number) sigaction(number, &before[i], NULL);
    raise(number); /* delivered when this handler returns */
}

/* Not in the background, where a change of the terminal would stop the process. */
static bool has_keys(void) { return isatty(STDIN_FILENO) && isatty(STDOUT_FILENO) && tcgetpgrp(STDIN_FILENO) == getpgrp(); }

/* Also those that a shell in the background ignores. */
static void catch_signals(void) {
    const struct sigaction ours = {.sa_handler = on_signal, .sa_flags = SA_RESTART};
    for (int i = 0; i < SIGNALS; i++) {
        struct sigaction now;
        sigaction(signals[i], NULL, &now);
        if (now.sa_handler == on_signal) continue;
        if (now.sa_handler == SIG_IGN) signal(signals[i], SIG_DFL);
        scratch_catch_signals();
        sigaction(signals[i], &ours, &before[i]);
    }
}

static void take_keys(void) {
    if (is_changed || tcgetattr(STDIN_FILENO, &found) != 0) return;
    struct termios changed = found;
    changed.c_lflag &= ~(tcflag_t)(ICANON | ECHO);
    changed.c_cc[VMIN] = 1;
    changed.c_cc[VTIME] = 0;
    catch_signals();
    is_changed = 1; /* before the change, so that a signal between the two undoes it */
    tcsetattr(STDIN_FILENO, TCSANOW, &changed);
}

/* Waits a moment: the key that was typed, 'q' where the terminal is gone, 0: none. */
static char wait_for_key(void) {
    struct pollfd input = {.fd = STDIN_FILENO, .events = POLLIN};
    char key = 0;
    if (!has_keys()) {
        nanosleep(&(struct timespec){.tv_nsec = WATCH_MS * 1000000}, NULL);
        return 0;
    }
    take_keys();
    if (poll(&input, 1, WATCH_MS) <= 0) return 0;
    return read(STDIN_FILENO, &key, 1) == 1 ? key : 'q';
}

/* --- watching ------------------------------------------------------------------------------------------------------------- */

typedef struct LabWatch {
    LabTree *tree;
    const CatalogueEntry *lab;
    LabWords words;
    char graded[32]; /* the checksum of what was graded last; "": nothing yet */
    bool is_named;   /* the learner chose this lab, so that its being solved already is no reason to leave it */
    bool is_missed;  /* that the file is gone was said */
} LabWatch;

static void say_where(const LabWatch *watch) {
    LOCAL_TEXT sum = {0};
    const char *number = watch->lab->goals->number;
    LabMark mark = progress_of(&watch->tree->progress, number);
    cmd_lab_sum(watch->tree, &sum);
    printf("\nLab %s: %g points, best %g; %s\n", number, mark.last, mark.best, text_string(&sum));
    if (has_keys())
        printf("Watching kernel.cu of lab %s: h hint, a all, r run, n next lab, q quit\n", number);
    else
        printf("Watching %s; Ctrl-C ends.\n", watch->lab->kernel);
    fflush(stdout);
}

static void move_to(LabWatch *watch, const CatalogueEntry *lab) {
    watch->lab = lab;
    watch->words.kernel = NULL; /* of the lab before */
    watch->is_named = watch->is_missed = false;
    cmd_lab_checksum(lab, watch->graded, sizeof watch->graded);
}

/* Grades what was saved. A lab that this solved is left for the first that is not; that one is graded when it is saved. */
static void grade_saved(LabWatch *watch, const char *checksum, Diag *diag) {
    strcpy(watch->graded, checksum);
    watch->is_missed = false;
    put_terminal_back();
    if (isatty(STDOUT_FILENO)) fputs("\033[H\033[2J", stdout);
    int status = cmd_lab_show_own(watch->tree, watch->lab, &watch->words, diag);
    cmd_lab_explore_anew(watch->tree, watch->lab, &watch->words);
    const CatalogueEntry *next = cmd_lab_unsolved(watch->tree);
    if (status == EXIT_FINE && !watch->is_named && next) move_to(watch, next);
    watch->is_named = false;
    say_where(watch);
}

static void show_all(LabWatch *watch, Diag *diag) {
    LabWords words = watch->words;
    words.all = true;
    words.kernel = NULL;
    cmd_lab_show_own(watch->tree, watch->lab, &words, diag);
}

/* False when the watch ends. */
static bool obey(LabWatch *watch, char key) {
    const CatalogueEntry *labs = watch->tree->catalogue.labs, *end = labs + watch->tree->catalogue.count;
    const LabWords words = {.lab = watch->lab->goals->number, .cc = watch->words.cc};
    Diag diag = {0};
    put_terminal_back();
    switch (key) {
    case 'h': cmd_lab_hint(watch->tree, &words, &diag), cmd_lab_recall(watch->tree, false); break;
    case 'a': show_all(watch, &diag); break;
    case 'r': cmd_lab_run(watch->tree, &words, &diag); break;
    case 'n': move_to(watch, watch->lab + 1 < end ? watch->lab + 1 : labs); break;
    case 'q': return false;
    }
    fflush(stdout);
    if (diag.set) print_diag(&diag);
    say_where(watch);
    return true;
}

/* Looks at the file itself five times a second: events do not come from shared folders of virtual machines, and some kilobytes cost
 * nothing. */
int cmd_lab_watch(LabTree *tree, const LabWords *words, Diag *diag) {
    LabWatch watch = {.tree = tree, .lab = cmd_lab_chosen(tree, words, diag), .words = *words, .is_named = words->lab != NULL};
    if (has_keys()) catch_signals();
    while (watch.lab && !diag->set) {
        char now[32];
        cmd_lab_checksum(watch.lab, now, sizeof now);
        if (now[0] && strcmp(now, watch.graded) != 0) {
            grade_saved(&watch, now, diag);
            continue;
        }
        Diag gone = {0};
        if (!watch.is_missed && !cmd_lab_has_kernel(watch.lab, &gone)) {
            print_diag(&gone);
            say_where(&watch);
            watch.is_missed = true;
        }
        char key = wait_for_key();
        if (key && !obey(&watch, key)) return EXIT_FINE;
    }
    put_terminal_back();
    return EXIT_USAGE;
}
