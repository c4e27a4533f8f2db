#define _GNU_SOURCE
#include "grade/scratch.h"

#include <dirent.h>
#include <fcntl.h>
#include <signal.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/text.h"
#include "suite.h"

static char base[SUITE_FOLDER];

static void begin(void) {
    suite_folder(base);
    setenv("TMPDIR", base, 1);
}

static void end(void) { ck_assert_int_eq(rmdir(base), 0); }

static unsigned entries(void) {
    unsigned count = 0;
    DIR *dir = opendir(base);
    for (struct dirent *entry; (entry = readdir(dir)) != NULL;) count += *entry->d_name != '.';
    closedir(dir);
    return count;
}

static void put(const char *folder, const char *name) {
    Text path = {0};
    text_add(&path, "%s/%s", folder, name);
    int fd = open(text_string(&path), O_WRONLY | O_CREAT, 0600);
    ck_assert_int_ge(fd, 0);
    close(fd);
    text_free(&path);
}

/* A process that begins, fills its folder and says so; it waits until it is killed. */
static pid_t start(bool fills) {
    int ready[2];
    char byte;
    ck_assert_int_eq(pipe(ready), 0);
    pid_t pid = fork();
    if (!pid) {
        signal(SIGTERM, SIG_DFL), signal(SIGINT, SIG_DFL); /* Check's own handlers end its tests */
        scratch_begin();
        Text inner = {0};
        text_add(&inner, "%s/inner", getenv("TMPDIR"));
        if (fills) mkdir(text_string(&inner), 0700);
        if (fills) put(text_string(&inner), "file");
        text_add(&inner, "/link");
        if (fills && symlink(base, text_string(&inner)) != 0) _exit(1); /* which nobody may follow */
        if (write(ready[1], "", 1) == 1) pause();
        _exit(0);
    }
    ck_assert_int_eq(read(ready[0], &byte, 1), 1);
    close(ready[0]), close(ready[1]);
    return pid;
}

static void finish(pid_t pid, int number) {
    int status;
    kill(pid, number);
    ck_assert_int_eq(waitpid(pid, &status, 0), pid);
    ck_assert(WIFSIGNALED(status) && WTERMSIG(status) == number);
}

START_TEST(one_folder_and_nothing_behind)
{
    scratch_begin();
    ck_assert_str_ne(getenv("TMPDIR"), base);
    put(getenv("TMPDIR"), "file");
    ck_assert_uint_eq(entries(), 1);
    scratch_end();
    ck_assert_uint_eq(entries(), 0);
    scratch_end();
}
END_TEST

START_TEST(what_a_killed_one_left_the_next_removes)
{
    finish(start(true), SIGKILL);
    ck_assert_uint_eq(entries(), 1);
    scratch_begin();
    ck_assert_uint_eq(entries(), 1); /* its own */
    scratch_end();
    ck_assert_uint_eq(entries(), 0);
}
END_TEST

START_TEST(who_is_alive_keeps_its_folder)
{
    pid_t alive = start(true);
    scratch_begin();
    ck_assert_uint_eq(entries(), 2);
    scratch_end();
    ck_assert_uint_eq(entries(), 1);
    finish(alive, SIGKILL);
    setenv("TMPDIR", base, 1);
    scratch_begin();
    scratch_end();
    ck_assert_uint_eq(entries(), 0);
}
END_TEST

/* The parent is gone, its child still at work. */
START_TEST(a_child_that_is_left_keeps_it)
{
    int done[2];
    ck_assert_int_eq(pipe(done), 0);
    pid_t pid = fork();
    if (!pid) {
        scratch_begin();
        pid_t child = fork();
        if (!child) pause();
        if (write(done[1], &child, sizeof child) == sizeof child) raise(SIGKILL);
        _exit(1);
    }
    pid_t child;
    ck_assert_int_eq(read(done[0], &child, sizeof child), sizeof child);
    waitpid(pid, NULL, 0);
    scratch_begin();
    ck_assert_uint_eq(entries(), 2);
    scratch_end();
    kill(child, SIGKILL); /* and somebody else waits for it: its lock ends a little later */
    while (entries()) {
        setenv("TMPDIR", base, 1);
        scratch_begin();
        scratch_end();
        usleep(10000);
    }
}
END_TEST

START_TEST(a_signal_leaves_no_folder)
{
    finish(start(false), SIGTERM);
    ck_assert_uint_eq(entries(), 0);
    finish(start(true), SIGINT);
    ck_assert_uint_eq(entries(), 0);
}
END_TEST

/* The handlers stay; what they remove is the own folder, and nothing once that is gone. */
START_TEST(a_signal_removes_nothing_else)
{
    put(base, "beside");
    pid_t pid = fork();
    if (!pid) {
        signal(SIGTERM, SIG_DFL);
        scratch_begin();
        scratch_end();
        raise(SIGTERM);
        _exit(1);
    }
    ck_assert_int_eq(waitpid(pid, NULL, 0), pid);
    ck_assert_uint_eq(entries(), 1);
    Text beside = {0};
    text_add(&beside, "%s/beside", base);
    unlink(text_string(&beside));
    text_free(&beside);
}
END_TEST

/* A file of that name, a link, and a folder of another kind. */
START_TEST(what_is_not_of_the_kind_stays)
{
    Text link = {0}, other = {0};
    text_add(&link, "%s/warpscope.link", base);
    text_add(&other, "%s/other", base);
    ck_assert_int_eq(mkdir(text_string(&other), 0700), 0);
    put(text_string(&other), "file");
    ck_assert_int_eq(symlink(text_string(&other), text_string(&link)), 0);
    put(base, "warpscope.file");
    scratch_begin();
    scratch_end();
    ck_assert_uint_eq(entries(), 3);
    unlink(text_string(&link));
    text_add(&other, "/file");
    ck_assert_int_eq(unlink(text_string(&other)), 0);
    *strrchr(other.data, '/') = 0;
    rmdir(other.data);
    text_free(&link);
    text_add(&link, "%s/warpscope.file", base);
    unlink(text_string(&link));
    text_free(&link);
    text_free(&other);
}
END_TEST

START_TEST(where_no_folder_can_be_made_there_is_none)
{
    setenv("TMPDIR", "/nowhere/at/all", 1);
    scratch_begin();
    ck_assert_str_eq(getenv("TMPDIR"), "/nowhere/at/all");
    scratch_end();
}
END_TEST

SUITE_WITH("scratch", begin, end, one_folder_and_nothing_behind, what_a_killed_one_left_the_next_removes,
           who_is_alive_keeps_its_folder, a_child_that_is_left_keeps_it, a_signal_leaves_no_folder,
           a_signal_removes_nothing_else, what_is_not_of_the_kind_stays, where_no_folder_can_be_made_there_is_none)
