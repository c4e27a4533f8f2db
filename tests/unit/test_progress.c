#include "lab/progress.h"

#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/sysmacros.h>
#include <sys/wait.h>
#include <unistd.h>

#include "host/replace.h"
#include "lab/history.h"
#include "suite.h"

/* In place of the C library's: a write that is interrupted, then takes three bytes; a file system without locks. */
static bool writes_little, no_locks;
static unsigned interrupts;

ssize_t write(int fd, const void *bytes, size_t count) {
    if (writes_little && interrupts++ % 2 == 0) return errno = EINTR, -1;
    return syscall(SYS_write, fd, bytes, writes_little && count > 3 ? 3 : count);
}

int flock(int fd, int operation) {
    if (!no_locks) return (int)syscall(SYS_flock, fd, operation);
    errno = interrupts++ % 2 == 0 ? EINTR : ENOLCK;
    return -1;
}

static char folder[SUITE_FOLDER], path[SUITE_PATH], beside[64];

static void write_text(const char *text) {
    FILE *file = fopen(path, "w");
    ck_assert(file && fputs(text, file) >= 0 && fclose(file) == 0);
}

static void holds(const char *expected) {
    size_t length;
    char *text = text_read_file(path, 1 << 20, &length);
    ck_assert_ptr_nonnull(text);
    ck_assert_str_eq(text, expected);
    free(text);
    ck_assert_msg(access(beside, F_OK) != 0, "%s was left", beside);
}

static Progress read_progress(const char *strange_part) {
    Progress progress;
    Text strange = {0};
    Diag diag = {0};
    ck_assert(progress_read(&progress, path, &strange, &diag));
    ck_assert_msg(strange_part ? strstr(text_string(&strange), strange_part) != NULL : !strange.length, "%s",
                  text_string(&strange));
    text_free(&strange);
    return progress;
}

START_TEST(points_and_hints_are_remembered)
{
    Diag diag = {0};
    ck_assert(progress_graded(path, "05", 40, "abc", "", &diag));
    ck_assert(progress_hinted(path, "05", 2, &diag));
    ck_assert(progress_graded(path, "05", 35.5, "def", "", &diag));
    ck_assert(progress_hinted(path, "01", 1, &diag));
    holds("05 best 40 last 35.5 hints 2 graded def\n01 hints 1\n");
    Progress progress = read_progress(NULL);
    LabMark five = progress_of(&progress, "05"), one = progress_of(&progress, "01"), none = progress_of(&progress, "02");
    ck_assert(five.is_graded && five.best == 40 && five.last == 35.5 && five.hints == 2);
    ck_assert_str_eq(five.graded, "def");
    ck_assert(!one.is_graded && one.hints == 1 && !none.is_graded && !none.hints);
    progress_free(&progress);
}
END_TEST

START_TEST(words_in_any_order_are_read)
{
    write_text("07 graded 12-3 last 10 hints 3 best 100\n08 hints 999\n");
    Progress progress = read_progress(NULL);
    LabMark mark = progress_of(&progress, "07");
    ck_assert(mark.is_graded && mark.best == 100 && mark.last == 10 && mark.hints == 3);
    ck_assert_uint_eq(progress_of(&progress, "08").hints, 999); /* of three digits, and no more */
    progress_free(&progress);
}
END_TEST

static const char *const strange[] = {
    "hello",         "05 best",           "05 best x last 3", "05 best 3",    "05 best nan last 3", "5x hints 1",
    "05 wishes 3",   "05 best 1 last -1", "\001\002\377",     "05 hints 1e9", "123456789 hints 1",  "<<<<<<< HEAD",
    "05 hints 1000",
};

START_TEST(lines_that_are_not_understood_stay)
{
    char text[200], wanted[300], said[100];
    Diag diag = {0};
    snprintf(text, sizeof text, "%s\n09 best 1 last 1\n", strange[_i]);
    snprintf(wanted, sizeof wanted, "%s\n09 best 1 last 1\n05 best 7 last 7 graded z\n", strange[_i]);
    snprintf(said, sizeof said, "%s:1: this line is not understood", path);
    write_text(text);
    Progress progress = read_progress(said);
    ck_assert(!progress_of(&progress, "05").is_graded);
    progress_free(&progress);
    ck_assert(progress_graded(path, "05", 7, "z", "", &diag));
    holds(wanted);
}
END_TEST

/* As commands that run side by side: 4 processes of 50 changes each, to labs of their own and to one that all of them have. */
START_TEST(nothing_is_lost_when_many_write)
{
    enum { WRITERS = 4, CHANGES = 50 };
    for (int writer = 0; writer < WRITERS; writer++) {
        if (fork()) continue;
        char number[12];
        Diag diag = {0};
        bool good = true;
        snprintf(number, sizeof number, "%02d", writer + 1);
        for (int i = 1; good && i <= CHANGES; i++)
            good = progress_hinted(path, number, (unsigned)i, &diag) &&
                   progress_graded(path, "09", writer * CHANGES + i, "x", "", &diag);
        _exit(good ? 0 : 1);
    }
    for (int writer = 0, status; writer < WRITERS; writer++) ck_assert(wait(&status) > 0 && status == 0);
    Progress progress = read_progress(NULL);
    for (int writer = 0; writer < WRITERS; writer++) {
        char number[12];
        snprintf(number, sizeof number, "%02d", writer + 1);
        ck_assert_uint_eq(progress_of(&progress, number).hints, CHANGES);
    }
    ck_assert(progress_of(&progress, "09").best == WRITERS * CHANGES);
    progress_free(&progress);
    ck_assert(access(beside, F_OK) != 0);
}
END_TEST

/* Whenever a signal comes, what is there is whole. SIGKILL may leave the new file, which the next change overwrites. */
START_TEST(an_interrupt_leaves_a_whole_file)
{
    static const int signals[] = {SIGINT, SIGTERM, SIGKILL};
    Diag diag = {0};
    signal(SIGINT, SIG_DFL), signal(SIGTERM, SIG_DFL); /* Check has handlers of its own */
    ck_assert(progress_graded(path, "05", 40, "abc", "", &diag));
    for (int i = 0; i < 60; i++) {
        pid_t child = fork();
        if (!child) {
            for (unsigned hints = 1;; hints = hints % 900 + 1)
                if (!progress_hinted(path, "01", hints, &diag)) _exit(1);
        }
        int status, sent = signals[i % 3];
        usleep(1000 + (useconds_t)(i * 137 % 5000));
        kill(child, sent);
        ck_assert(waitpid(child, &status, 0) == child && WIFSIGNALED(status) && WTERMSIG(status) == sent);
        Progress progress = read_progress(NULL);
        ck_assert(progress_of(&progress, "05").best == 40);
        progress_free(&progress);
        ck_assert(sent == SIGKILL ? unlink(beside) <= 0 : access(beside, F_OK) != 0);
    }
    ck_assert(progress_hinted(path, "01", 1, &diag));
    holds("05 best 40 last 40 graded abc\n01 hints 1\n");
}
END_TEST

/* A limit on the size of files stands in for a full disk. */
START_TEST(all_is_written_a_few_bytes_at_a_time)
{
    Diag diag = {0};
    writes_little = true;
    ck_assert(progress_graded(path, "05", 40, "abc", "", &diag));
    writes_little = false;
    ck_assert_uint_gt(interrupts, 2);
    holds("05 best 40 last 40 graded abc\n");
    interrupts = 0, no_locks = true;
    ck_assert(progress_hinted(path, "01", 1, &diag));
    no_locks = false;
    ck_assert_uint_eq(interrupts, 2);
    holds("05 best 40 last 40 graded abc\n01 hints 1\n");
    FILE *left = fopen(beside, "w"); /* by a command that was killed */
    ck_assert(left && fprintf(left, "%4000d", 0) == 4000 && fclose(left) == 0);
    ck_assert(progress_hinted(path, "01", 2, &diag));
    holds("05 best 40 last 40 graded abc\n01 hints 2\n");
}
END_TEST

START_TEST(a_full_disk_is_said_and_nothing_is_lost)
{
    struct rlimit before, none = {0};
    Diag diag = {0};
    write_text("05 best 40 last 40\n");
    ck_assert_int_eq(getrlimit(RLIMIT_FSIZE, &before), 0);
    signal(SIGXFSZ, SIG_IGN);
    none.rlim_max = before.rlim_max;
    ck_assert_int_eq(setrlimit(RLIMIT_FSIZE, &none), 0);
    bool written = progress_graded(path, "05", 100, "x", "", &diag);
    ck_assert_int_eq(setrlimit(RLIMIT_FSIZE, &before), 0);
    ck_assert(!written);
    ck_assert_ptr_nonnull(strstr(diag.message, "cannot be written"));
    holds("05 best 40 last 40\n");
}
END_TEST

START_TEST(what_cannot_be_written_or_read_is_said)
{
    Diag diag = {0}, again = {0};
    Progress progress;
    Text none = {0};
    ck_assert(!progress_graded("/nonexistent/progress", "05", 1, "x", "", &diag));
    ck_assert_ptr_nonnull(strstr(diag.message, "cannot be written"));
    ck_assert(!progress_read(&progress, folder, &none, &again));
    ck_assert_ptr_nonnull(strstr(again.message, "cannot be read"));
}
END_TEST

/* Graders that remember nothing have it there, as root too. */
START_TEST(what_goes_to_dev_null_is_not_kept)
{
    Diag diag = {0};
    struct stat status;
    LOCAL_TEXT history = {0};
    history_path("/dev/null", &history);
    ck_assert(progress_graded("/dev/null", "05", 1, "x", "", &diag) && progress_hinted("/dev/null", "05", 1, &diag));
    ck_assert(progress_reset("/dev/null", "05", &diag));
    ck_assert(history_add(text_string(&history), &(HistoryEntry){.number = "05", .seen = ""}, &diag));
    ck_assert(stat("/dev/null", &status) == 0 && S_ISCHR(status.st_mode));
    ck_assert(access("/dev/null.history", F_OK) != 0);
}
END_TEST

/* A device of root's own, where root may make one; who is not root can do those of /dev no harm. */
START_TEST(a_device_is_not_replaced)
{
    Diag diag = {0}, again = {0};
    struct stat status;
    const bool own = mknod(path, S_IFCHR | 0600, makedev(1, 3)) == 0;
    const char *device = own ? path : "/dev/full";
    if (!own && geteuid() == 0) return;
    ck_assert(!file_replace(device, "", 0, &diag));
    ck_assert_ptr_nonnull(strstr(diag.message, "it is no regular file"));
    ck_assert(lstat(device, &status) == 0 && S_ISCHR(status.st_mode));
    ck_assert(!file_replace(folder, "", 0, &again));
    ck_assert_ptr_nonnull(strstr(again.message, "it is a directory"));
    ck_assert(access(beside, F_OK) != 0);
}
END_TEST

START_TEST(what_else_is_there_is_replaced)
{
    Diag diag = {0};
    ck_assert_int_eq(mkfifo(path, 0600), 0);
    ck_assert(file_replace(path, "1\n", 2, &diag));
    holds("1\n");
    ck_assert(unlink(path) == 0 && symlink("elsewhere", path) == 0);
    ck_assert(file_replace(path, "2\n", 2, &diag));
    holds("2\n");
}
END_TEST

START_TEST(no_file_is_no_progress)
{
    Progress progress;
    Text strange = {0};
    Diag diag = {0};
    ck_assert(progress_read(&progress, "/tmp/there/is/none", &strange, &diag) && progress.count == 0);
    ck_assert(!diag.set && !strange.length);
    progress_free(&progress);
}
END_TEST

START_TEST(a_lab_that_is_begun_anew_is_forgotten)
{
    Diag diag = {0};
    ck_assert(progress_graded(path, "05", 40, "abc", "rows=40;", &diag) && progress_hinted(path, "05", 2, &diag));
    ck_assert(progress_hinted(path, "01", 1, &diag));
    ck_assert(progress_reset(path, "05", &diag));
    holds("05\n01 hints 1\n");
    Progress progress = read_progress(NULL);
    LabMark five = progress_of(&progress, "05");
    ck_assert(!five.is_graded && five.best == 0 && five.hints == 0 && !five.graded[0] && !five.seen[0]);
    progress_free(&progress);
}
END_TEST

static void prepare(void) {
    suite_folder(folder);
    snprintf(path, sizeof path, "%s/progress", folder);
    snprintf(beside, sizeof beside, "%s.new", path);
}

SUITE_WITH("progress", prepare, NULL, points_and_hints_are_remembered, no_file_is_no_progress,
           a_lab_that_is_begun_anew_is_forgotten, words_in_any_order_are_read,
           REPEATED(sizeof strange / sizeof *strange, lines_that_are_not_understood_stay), nothing_is_lost_when_many_write,
           an_interrupt_leaves_a_whole_file, all_is_written_a_few_bytes_at_a_time, a_full_disk_is_said_and_nothing_is_lost,
           what_cannot_be_written_or_read_is_said, what_goes_to_dev_null_is_not_kept, a_device_is_not_replaced,
           what_else_is_there_is_replaced)
