#include "host/replace.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/text.h"

bool file_write(int fd, const char *bytes, size_t count) {
    while (count) {
        ssize_t written = write(fd, bytes, count);
        if (written < 0 && errno == EINTR) continue;
        if (written <= 0) return false;
        bytes += written;
        count -= (size_t)written;
    }
    return true;
}

/* Where nothing has the name. */
static bool write_file_whole(int folder, const char *name, mode_t mode, const void *bytes, size_t count) {
    int fd = openat(folder, name, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, mode);
    if (fd < 0) return false;
    bool good = fchmod(fd, mode) == 0 && file_write(fd, bytes, count) && fsync(fd) == 0;
    int error = errno;
    if (close(fd) != 0 && good) return false;
    errno = error;
    return good;
}

/* The name of a device that root replaces is gone for everybody. False, and errno. */
static bool is_replaceable(const struct stat *status) {
    const bool device = S_ISCHR(status->st_mode) || S_ISBLK(status->st_mode);
    if (device || S_ISDIR(status->st_mode)) errno = device ? TEXT_NOT_REGULAR : EISDIR;
    return !device && !S_ISDIR(status->st_mode);
}

bool file_replace_at(int folder, const char *name, const void *bytes, size_t count) {
    Text beside = {0};
    struct stat status;
    sigset_t all, before;
    bool there = fstatat(folder, name, &status, AT_SYMLINK_NOFOLLOW) == 0;
    if (there && !is_replaceable(&status)) return false;
    bool own = there && S_ISREG(status.st_mode) && status.st_uid == geteuid();
    mode_t mode = own ? status.st_mode & 0777 : 0644;
    text_add(&beside, "%s.new", name);
    sigfillset(&all);
    sigprocmask(SIG_BLOCK, &all, &before);
    unlinkat(folder, text_string(&beside), 0);
    bool good = write_file_whole(folder, text_string(&beside), mode, bytes, count) &&
                renameat(folder, text_string(&beside), folder, name) == 0;
    int error = errno;
    if (!good) unlinkat(folder, text_string(&beside), 0);
    sigprocmask(SIG_SETMASK, &before, NULL);
    text_free(&beside);
    errno = error;
    return good;
}

bool file_keep(const char *copy, const char *of, const void *bytes, size_t count) {
    struct stat status;
    bool is_like = lstat(of, &status) == 0 && S_ISREG(status.st_mode) && status.st_uid == geteuid();
    if (write_file_whole(AT_FDCWD, copy, is_like ? status.st_mode & 0777 : 0644, bytes, count)) return true;
    int error = errno;
    if (error != EEXIST) unlink(copy);
    errno = error;
    return false;
}

bool file_replace(const char *path, const void *bytes, size_t count, Diag *diag) {
    return file_replace_at(AT_FDCWD, path, bytes, count) ||
           diag_error(diag, path, 0, 0, "cannot be written: %s", text_file_problem(errno));
}
