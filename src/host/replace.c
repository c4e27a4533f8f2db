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

static bool write_file_whole(const char *path, mode_t mode, const void *bytes, size_t count) {
    int fd = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC, mode);
    if (fd < 0) return false;
    bool good = fchmod(fd, mode) == 0 && file_write(fd, bytes, count) && fsync(fd) == 0;
    int error = errno;
    if (close(fd) != 0 && good) return false;
    errno = error;
    return good;
}

bool file_replace(const char *path, const void *bytes, size_t count, Diag *diag) {
    Text beside = {0};
    struct stat status;
    sigset_t all, before;
    mode_t mode = stat(path, &status) == 0 ? status.st_mode & 0777 : 0644;
    text_add(&beside, "%s.new", path);
    sigfillset(&all);
    sigprocmask(SIG_BLOCK, &all, &before);
    bool good = write_file_whole(text_string(&beside), mode, bytes, count) && rename(text_string(&beside), path) == 0;
    if (!good) diag_error(diag, path, 0, 0, "cannot be written: %s", strerror(errno));
    if (!good) unlink(text_string(&beside));
    sigprocmask(SIG_SETMASK, &before, NULL);
    text_free(&beside);
    return good;
}
