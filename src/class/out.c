#define _GNU_SOURCE /* O_DIRECTORY, O_NOFOLLOW by POSIX 2008 */
#include "class/out.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "class/putter.h"
#include "host/replace.h"

enum { NOBODY = 65534 };

static bool say(const Out *out, const char *name, Diag *diag, const char *format, const char *word) {
    LOCAL_TEXT path = {0};
    text_add(&path, "%s%s%s", out->path, *name ? "/" : "", name);
    diag_error(diag, text_string(&path), 0, 0, format, word);
    return false;
}

static bool say_not_ours(const Out *out, const char *name, Diag *diag) {
    say(out, name, diag, "this is no folder of yours alone, as that of the secret and of %s must be", "the grades");
    return diag_hint(diag, "name another folder by --out (OUT=), or grade as the user who made this one");
}

/* Whoever else made it knows the secret, and can put grades there. On file systems of other computers root's files are nobody's. */
static bool is_ours(int folder, bool closed) {
    struct stat status;
    return fstat(folder, &status) == 0 && !(closed && status.st_mode & (S_IWGRP | S_IWOTH)) &&
           (status.st_uid == geteuid() || (geteuid() == 0 && status.st_uid == NOBODY));
}

/* The folder in which NAME lies, made if diag is given; *last is what it is called there. Each folder on the way is opened by itself. -1: there is
 * none, or it is not ours. */
static int holder_of(const Out *out, const char *name, const char **last, Diag *diag) {
    int at = dup(out->folder);
    const bool closed = strncmp(name, "state/", 6) == 0;
    for (const char *slash, *step = name; at >= 0 && ((*last = step), (slash = strchr(step, '/')) != NULL); step = slash + 1) {
        LOCAL_TEXT path = {0};
        text_add_bytes(&path, name, (size_t)(slash - name));
        const char *own = text_string(&path) + (step - name);
        bool made = !diag || mkdirat(at, own, closed ? 0700 : 0777) == 0 || errno == EEXIST;
        if (!made) say(out, text_string(&path), diag, "this folder cannot be made: %s", strerror(errno));
        int next = made ? openat(at, own, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC) : -1;
        close(at);
        if (made && (next < 0 || !is_ours(next, closed))) {
            if (diag) say_not_ours(out, text_string(&path), diag);
            if (next >= 0) close(next);
            next = -1;
        }
        at = next;
    }
    if (at < 0 && diag && !diag->set) say(out, name, diag, "%s", strerror(errno));
    return at;
}

/* The folder that the user named, also by a link of his own, or root's: in a folder of everybody's another one's may lead anywhere. -1 with errno. */
static int open_named(const char *path) {
    struct stat status;
    int folder = open(path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
    if (folder >= 0 || lstat(path, &status) != 0 || !S_ISLNK(status.st_mode)) return folder;
    if (status.st_uid == geteuid() || status.st_uid == 0) return open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    errno = EPERM;
    return -1;
}

bool out_open(Out *out, const char *path, const char *within, Diag *diag) {
    *out = (Out){.folder = -1, .path = path};
    if (!within && mkdir(path, 0777) != 0 && errno != EEXIST)
        return diag_error(diag, path, 0, 0, "this folder cannot be made: %s", strerror(errno));
    Out outer = {.folder = open_named(within ? within : path), .path = within ? within : path};
    if (outer.folder < 0 && errno == EPERM)
        return diag_error(diag, outer.path, 0, 0, "this is a link that somebody else made"),
               diag_hint(diag, "name another folder by --out (OUT=)");
    if (outer.folder < 0) return diag_error(diag, outer.path, 0, 0, "%s", strerror(errno));
    out->folder = within ? out_folder(&outer, path + strlen(within) + 1, diag) : outer.folder;
    if (within) close(outer.folder);
    return out->folder >= 0;
}

void out_close(Out *out) {
    if (out->folder >= 0) close(out->folder);
    out->folder = -1;
}

int out_folder(const Out *out, const char *name, Diag *diag) {
    const char *last;
    LOCAL_TEXT inner = text_from("%s/", name);
    return holder_of(out, text_string(&inner), &last, diag);
}

char *out_read(const Out *out, const char *name, size_t limit, size_t *length) {
    const char *last;
    Text bytes = {0};
    int folder = holder_of(out, name, &last, NULL);
    bool good = folder >= 0 && take_bytes(folder, last, limit, &bytes, NULL, &(Diag){0}) && bytes.length <= limit;
    if (folder >= 0) close(folder);
    if (good && !bytes.data) text_add(&bytes, "%s", "");
    if (!good) text_free(&bytes);
    *length = bytes.length;
    return bytes.data;
}

bool out_put(const Out *out, const char *name, const void *bytes, size_t length, Diag *diag) {
    size_t held = 0;
    const char *last;
    FREED char *before = out_read(out, name, length, &held);
    bool same = before && held == length && memcmp(before, bytes, length) == 0;
    if (same) return true;
    int folder = holder_of(out, name, &last, diag);
    if (folder < 0) return false;
    bool good = file_replace_at(folder, last, bytes, length) || say(out, name, diag, "cannot be written: %s", strerror(errno));
    close(folder);
    return good;
}
