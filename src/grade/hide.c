#define _GNU_SOURCE /* process_vm_readv */
#include "grade/hide.h"

#ifdef __linux__

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <pthread.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <unistd.h>

enum { SHOWN_MOST = 160, PAGE = 4096 };

static char *shown[SHOWN_MOST + 1]; /* as they are called and as they are by their real paths, NULL at the end */

/* --- which paths ---------------------------------------------------------------------------------------------------------------- */

static bool begins_with(const char *path, const char *folder) {
    size_t length = strlen(folder);
    return strncmp(path, folder, length) == 0 &&
           (!path[length] || path[length] == '/' || (length && folder[length - 1] == '/'));
}

/* A path that is shown, or that leads to one. */
static bool is_shown(const char *real) {
    for (char *const *one = shown; *one; one++)
        if (begins_with(real, *one) || begins_with(*one, real)) return true;
    return false;
}

/* Adds a name to a real path, or takes one away. False where that is not shown, or at its end not there for other reasons than its name. */
static bool go_on(char at[PATH_MAX], const char *name, size_t length, bool *is_there) {
    char next[PATH_MAX];
    size_t end = strlen(at);
    if (length == 0 || (length == 1 && *name == '.')) return true;
    if (length == 2 && memcmp(name, "..", 2) == 0) {
        char *slash = strrchr(at, '/');
        slash[slash == at] = 0;
        return true;
    }
    if (end == 1) end = 0; /* "/" */
    if (end + 1 + length >= sizeof next) return true;
    memcpy(next, at, end);
    next[end] = '/';
    memcpy(next + end + 1, name, length);
    next[end + 1 + length] = 0;
    if (!is_shown(next)) return false;
    *is_there = realpath(next, at) != NULL;
    return *is_there ? is_shown(at) : errno != EACCES;
}

/* Where each step on the way and the end are shown, as named and as what a link makes of them; or the path ends before. */
static bool is_open(const char *path) {
    char at[PATH_MAX] = "/";
    bool is_there = true;
    if (strncmp(path, "/proc/", 6) == 0)
        return strcmp(path, "/proc/self/exe") == 0; /* where compilers find what belongs to them */
    while (*path && is_there) {
        size_t length = strcspn(path, "/");
        if (!go_on(at, path, length, &is_there)) return false;
        path += length + (path[length] == '/');
    }
    return true;
}

/* --- whose questions ---------------------------------------------------------------------------------------------------------------- */

/* The string at this address of the process, which ends within a page or two. */
static bool read_path(pid_t pid, uint64_t address, char path[PATH_MAX]) {
    for (size_t length = 0; length < PATH_MAX;) {
        size_t room = PAGE - (address + length) % PAGE;
        if (room > PATH_MAX - length) room = PATH_MAX - length;
        struct iovec to = {path + length, room}, from = {(void *)(uintptr_t)(address + length), room};
        ssize_t got = process_vm_readv(pid, &to, 1, &from, 1, 0);
        if (got <= 0) return false;
        if (memchr(path + length, 0, (size_t)got)) return true;
        length += (size_t)got;
    }
    return false;
}

/* Whether the system shall answer by itself: also where the question cannot be understood. */
static bool may_ask(const struct seccomp_notif *request) {
    static const int of_folders[] = {SYS_openat,
                                     SYS_newfstatat,
                                     SYS_statx,
                                     SYS_faccessat,
                                     SYS_readlinkat,
#ifdef SYS_faccessat2
                                     SYS_faccessat2,
#endif
                                     -1};
    char path[PATH_MAX], link[64], whole[2 * PATH_MAX];
    const int *at = of_folders;
    while (*at >= 0 && *at != request->data.nr) at++;
    bool has_folder = *at >= 0;
    if (!read_path((pid_t)request->pid, request->data.args[has_folder], path) || !*path) return true;
    if (*path == '/') return is_open(path);
    if (!has_folder || (int)request->data.args[0] == AT_FDCWD)
        snprintf(link, sizeof link, "/proc/%u/cwd", request->pid);
    else
        snprintf(link, sizeof link, "/proc/%u/fd/%d", request->pid, (int)request->data.args[0]);
    ssize_t length = readlink(link, whole, PATH_MAX - 1);
    if (length <= 0 || *whole != '/') return true;
    snprintf(whole + length, sizeof whole - (size_t)length, "/%s", path);
    return strlen(whole) >= PATH_MAX || is_open(whole);
}

static void *answer(void *self) {
    int listener = *(const int *)self;
    struct seccomp_notif_sizes sizes;
    if (syscall(SYS_seccomp, SECCOMP_GET_NOTIF_SIZES, 0, &sizes) != 0) abort();
    struct seccomp_notif *request = calloc(1, sizes.seccomp_notif + sizeof *request);
    struct seccomp_notif_resp *response = calloc(1, sizes.seccomp_notif_resp + sizeof *response);
    if (!request || !response) abort();
    for (;;) {
        memset(request, 0, sizes.seccomp_notif);
        if (ioctl(listener, SECCOMP_IOCTL_NOTIF_RECV, request) != 0) {
            if (errno == EINTR || errno == ENOENT) continue;
            return NULL;
        }
        bool open = may_ask(request);
        memset(response, 0, sizes.seccomp_notif_resp);
        response->id = request->id;
        response->flags = open ? SECCOMP_USER_NOTIF_FLAG_CONTINUE : 0;
        response->error = open ? 0 : -ENOENT;
        ioctl(listener, SECCOMP_IOCTL_NOTIF_SEND, response);
    }
}

/* --- the filter ------------------------------------------------------------------------------------------------------------------------ */

static const uint32_t asked[] = {
#ifdef SYS_open
    SYS_open,       SYS_stat,       SYS_lstat, SYS_access,    SYS_readlink,
#endif
#ifdef SYS_faccessat2
    SYS_faccessat2,
#endif
    SYS_openat,     SYS_newfstatat, SYS_statx, SYS_faccessat, SYS_readlinkat,
};

enum { ASKED = sizeof asked / sizeof *asked };

/* The descriptor on which questions arrive, or -1. */
static int listen_to_this(void) {
    struct sock_filter code[ASKED + 3];
    unsigned short n = 0;
    code[n++] = (struct sock_filter)BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr));
    for (int i = 0; i < ASKED; i++)
        code[n++] = (struct sock_filter)BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, asked[i], (unsigned char)(ASKED - i), 0);
    code[n++] = (struct sock_filter)BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW);
    code[n++] = (struct sock_filter)BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_USER_NOTIF);
    struct sock_fprog program = {.len = n, .filter = code};
    return (int)syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER, SECCOMP_FILTER_FLAG_NEW_LISTENER, &program);
}

/* The thread must be there before the filter is, to be left out of it, and waits for what it is to listen to. */
typedef struct Start {
    pthread_mutex_t mutex;
    pthread_cond_t ready;
    int listener; /* -2: not yet */
} Start;

static Start start = {PTHREAD_MUTEX_INITIALIZER, PTHREAD_COND_INITIALIZER, -2};

static void *wait_and_answer(void *none) {
    (void)none;
    pthread_mutex_lock(&start.mutex);
    while (start.listener == -2) pthread_cond_wait(&start.ready, &start.mutex);
    pthread_mutex_unlock(&start.mutex);
    return start.listener < 0 ? NULL : answer(&start.listener);
}

void hide_unlisted(const char *const *paths) {
    size_t count = 0;
    pthread_t thread;
    for (; *paths && count + 2 <= SHOWN_MOST; paths++) {
        if ((shown[count] = realpath(*paths, NULL)) != NULL) count++;
        if ((shown[count] = strdup(*paths)) != NULL) count++;
    }
    if (pthread_create(&thread, NULL, wait_and_answer, NULL) != 0) return;
    pthread_detach(thread);
    int listener = listen_to_this();
    pthread_mutex_lock(&start.mutex);
    start.listener = listener;
    pthread_cond_signal(&start.ready);
    pthread_mutex_unlock(&start.mutex);
}

#else

void hide_unlisted(const char *const *paths) { (void)paths; }

#endif
