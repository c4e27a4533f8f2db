#include "host/output.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { UNREAD_PIPE = ENXIO, STANDARD = 3 };

/* Without waiting; behind the standard ones. */
static int open_to_write(const char *path, int more) {
    int fd = open(path, O_WRONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC | more, 0666);
    if (fd < 0 || fd >= STANDARD) return fd;
    int other = fcntl(fd, F_DUPFD_CLOEXEC, STANDARD), error = errno;
    close(fd);
    errno = error;
    return other;
}

bool output_takes(const char *path) {
    struct stat status;
    if (stat(path, &status) != 0) return errno == ENOENT;
    if (S_ISDIR(status.st_mode)) errno = EISDIR;
    if (!S_ISFIFO(status.st_mode)) return !S_ISDIR(status.st_mode);
    int fd = open_to_write(path, 0);
    if (fd >= 0) close(fd);
    return fd >= 0;
}

bool output_is(const char *path, const char *input) {
    struct stat written, read;
    return path && input && stat(path, &written) == 0 && stat(input, &read) == 0 && S_ISREG(written.st_mode) &&
           written.st_dev == read.st_dev && written.st_ino == read.st_ino;
}

FILE *output_open(const char *path) {
    int fd = open_to_write(path, O_CREAT | O_TRUNC), flags = fd < 0 ? -1 : fcntl(fd, F_GETFL);
    if (flags >= 0) fcntl(fd, F_SETFL, flags & ~O_NONBLOCK);
    FILE *file = fd < 0 ? NULL : fdopen(fd, "w");
    if (fd >= 0 && !file) close(fd);
    return file;
}

bool output_close(FILE *file) {
    bool good = fflush(file) == 0 && !ferror(file);
    int error = errno;
    if (fclose(file) != 0 && good) return false;
    errno = error;
    return good;
}

void output_hold_standard(void) {
    for (int fd = 0; fd < STANDARD; fd++)
        if (fcntl(fd, F_GETFD) < 0 && errno == EBADF && open("/dev/null", O_RDONLY) < 0) return;
}

const char *output_problem(int error) { return error == UNREAD_PIPE ? "it is a pipe that nobody reads from" : strerror(error); }
