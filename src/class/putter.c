#include "class/putter.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static const char may_not[] = "who can put files into its folder may not all read it, so that it could be a link to somebody "
                              "else's: give a copy, or chmod a+r";

/* A hard link gives a file of ours another name in a folder where others may write, and what grading says of it shows what they may not read. So all who
 * may put names into the folder must be able to read the file, going by the permissions of both; or it is another user's and has this name alone, as
 * what a learner hands in for nobody else to see. Who owns the folder alone may do there as they like, with files of their own. */
static bool may_read(const struct stat *folder, const struct stat *file) {
    bool by_all = (file->st_mode & 0444) == 0444;
    bool by_owner = folder->st_uid == geteuid() || folder->st_uid == 0 || folder->st_uid == file->st_uid;
    bool by_group = !(folder->st_mode & S_IWGRP) || (folder->st_gid == file->st_gid && file->st_mode & S_IRGRP);
    bool by_others = !(folder->st_mode & S_IWOTH);
    return by_all || (by_owner && by_group && by_others) || (file->st_uid != geteuid() && file->st_nlink == 1);
}

/* The file itself, or -1 with errno, and its folder's status. Each folder on the way is opened by itself, so that none of them is a link either. */
static int open_beneath(int folder, const char *path, struct stat *holder) {
    int at = folder, next = -1;
    for (const char *rest = path; rest;) {
        size_t length = strcspn(rest, "/");
        bool is_last = !rest[length];
        LOCAL_TEXT step = {0};
        text_add_bytes(&step, rest, length);
        next = openat(at, text_string(&step), O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC | (is_last ? 0 : O_DIRECTORY));
        int error = errno;
        fstat(at, holder);
        if (at != folder) close(at);
        errno = error;
        at = next;
        rest = is_last || next < 0 ? NULL : rest + length + 1;
    }
    return next;
}

static bool read_all(int fd, size_t limit, Text *bytes) {
    char block[1 << 16];
    while (bytes->length <= limit) {
        size_t room = limit + 1 - bytes->length;
        ssize_t got = read(fd, block, room < sizeof block ? room : sizeof block);
        if (got < 0 && errno == EINTR) continue;
        if (got <= 0) return got == 0;
        text_add_bytes(bytes, block, (size_t)got);
    }
    return true;
}

bool take_bytes(int folder, const char *path, size_t limit, Text *bytes, bool *refused, Diag *diag) {
    struct stat status = {0}, holder = {0};
    int fd = open_beneath(folder, path, &holder);
    const char *why = fd < 0 && errno == ELOOP                              ? "it is a link"
                      : fd < 0                                              ? NULL
                      : fstat(fd, &status) != 0 || !S_ISREG(status.st_mode) ? "it is no regular file"
                      : !may_read(&holder, &status)                         ? may_not
                                                                            : NULL;
    if (refused) *refused = why != NULL;
    if (why)
        diag_error(diag, path, 0, 0, "%s", why);
    else if (fd < 0)
        diag_error(diag, path, 0, 0, "%s", strerror(errno));
    else if (!read_all(fd, limit, bytes))
        diag_error(diag, path, 0, 0, "it cannot be read: %s", strerror(errno));
    if (fd >= 0) close(fd);
    return !diag->set;
}
