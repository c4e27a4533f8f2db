#define _GNU_SOURCE /* mkdtemp; O_DIRECTORY by POSIX 2008 */
#include "grade/scratch.h"

#include <dirent.h>
#include <fcntl.h>
#include <limits.h>
#include <signal.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/text.h"
#include "cuda/door.h"
#include "cuda/folder.h"
#include "host/process.h"

enum { TRIES = 16 };

static const char prefix[] = "warpscope.";

static Text mine;   /* the folder's path; empty: there is none */
static Text before; /* what TMPDIR said */
static bool had_one;
static int lock = -1;
static volatile pid_t owner; /* 0: a signal removes nothing */

/* --- removing, by descriptors alone: no link is followed, whoever puts one there meanwhile -------------------------------------- */

/* What is in the folder; takes the descriptor. */
static void empty_folder(int fd) {
    DIR *dir = fdopendir(fd);
    if (!dir) close(fd);
    for (struct dirent *entry; dir && (entry = readdir(dir)) != NULL;) {
        const char *name = entry->d_name;
        if (strcmp(name, ".") == 0 || strcmp(name, "..") == 0 || unlinkat(fd, name, 0) == 0) continue;
        int inner = openat(fd, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
        if (inner >= 0) empty_folder(inner);
        unlinkat(fd, name, AT_REMOVEDIR);
    }
    if (dir) closedir(dir);
}

/* Whether the folder is nobody's; it is locked then. */
static bool is_left_behind(int fd) {
    struct stat status;
    return fstat(fd, &status) == 0 && status.st_uid == geteuid() && flock(fd, LOCK_EX | LOCK_NB) == 0;
}

static void remove_left_behind(const char *base) {
    DIR *dir = opendir(base);
    for (struct dirent *entry; dir && (entry = readdir(dir)) != NULL;) {
        const char *name = entry->d_name;
        if (strncmp(name, prefix, sizeof prefix - 1) != 0) continue;
        int fd = openat(dirfd(dir), name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
        if (fd >= 0 && is_left_behind(fd)) {
            empty_folder(dup(fd));
            unlinkat(dirfd(dir), name, AT_REMOVEDIR);
        }
        if (fd >= 0) close(fd);
    }
    if (dir) closedir(dir);
}

/* --- the own one -------------------------------------------------------------------------------------------------------------------- */

/* Between its making and its locking another may have removed it. */
static bool is_there(const char *path, int fd) {
    struct stat here, there;
    return fstat(fd, &here) == 0 && lstat(path, &there) == 0 && here.st_ino == there.st_ino && here.st_dev == there.st_dev;
}

/* The sandbox's other user passes through it to a folder of its own: src/grade/sandbox. */
static bool make_one(const char *base) {
    text_add(&mine, "%s/%sXXXXXX", base, prefix);
    if (mkdtemp(mine.data)) {
        lock = open(mine.data, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
        if (lock >= 0 && flock(lock, LOCK_EX | LOCK_NB) == 0 && is_there(mine.data, lock) && fchmod(lock, 0711) == 0)
            return true;
        rmdir(mine.data);
        if (lock >= 0) close(lock);
        lock = -1;
    }
    text_free(&mine);
    return false;
}

/* A signal's handler may neither read a folder, since that allocates, nor fork, which waits for whoever allocates: another program removes it, by vfork. */
static void remove_by_program(void) {
    char *const words[] = {"rm", "-rf", "--", mine.data, NULL}, *const environment[] = {NULL};
    pid_t child = vfork();
    if (child == 0) {
        execve("/bin/rm", words, environment);
        _exit(127);
    }
    if (child > 0) waitpid(child, NULL, 0);
}

static void on_signal(int number) {
    if (getpid() == owner && rmdir(mine.data) != 0) remove_by_program();
    signal(number, SIG_DFL);
    raise(number);
}

void scratch_catch_signals(void) {
    if (lock < 0) return;
    static const int signals[] = {PROCESS_ENDING_SIGNALS};
    for (size_t i = 0; i < sizeof signals / sizeof *signals; i++) {
        struct sigaction before, action = {.sa_handler = on_signal};
        sigaction(signals[i], NULL, &before);
        if (before.sa_handler == SIG_DFL) sigaction(signals[i], &action, NULL);
    }
}

void scratch_begin(void) {
    const char *tmpdir = getenv("TMPDIR");
    char base[PATH_MAX];
    if (!realpath(folder_base(), base)) return;
    if (!door_takes_path(base)) strcpy(base, "/tmp"); /* a plain link to a folder that is none */
    remove_left_behind(base);
    bool made = false;
    for (int i = 0; i < TRIES && !made; i++) made = make_one(base);
    if (!made) return;
    owner = getpid();
    if (tmpdir) text_add(&before, "%s", tmpdir);
    had_one = tmpdir != NULL;
    setenv("TMPDIR", mine.data, 1);
    scratch_catch_signals();
}

const char *scratch_folder(void) { return lock < 0 ? NULL : text_string(&mine); }

void scratch_leave_variable(void) {
    if (lock < 0) return;
    if (had_one)
        setenv("TMPDIR", text_string(&before), 1);
    else
        unsetenv("TMPDIR");
}

void scratch_end(void) {
    if (lock < 0 || getpid() != owner) return;
    scratch_leave_variable();
    empty_folder(dup(lock));
    rmdir(mine.data);
    owner = 0;
    close(lock);
    lock = -1;
    LOCAL_TEXT base = text_from("%.*s/", (int)(strrchr(mine.data, '/') - mine.data), mine.data);
    remove_left_behind(text_string(&base));
    text_free(&mine);
    text_free(&before);
}
