#define _GNU_SOURCE /* setresuid, CLONE_NEWUSER */
#include "grade/confine.h"

#include <string.h>

enum { CONFINE_PATHS = 64 };

#ifdef __linux__

#include <errno.h>
#include <fcntl.h>
#include <grp.h>
#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <sched.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "base/alloc.h"
#include "grade/hide.h"

enum { NOBODY = 65534 };

/* --- files ----------------------------------------------------------------------------------------------------------------
 * linux/landlock.h of older distributions lacks what newer kernels offer: the numbers stand here, as that header has them. */

enum { CALL_CREATE_RULESET = 444, CALL_ADD_RULE = 445, CALL_RESTRICT_SELF = 446 };
enum { RULESET_VERSION = 1, RULE_PATH_BENEATH = 1 };

#define ACCESS_EXECUTE ((uint64_t)1 << 0)
#define ACCESS_WRITE_FILE ((uint64_t)1 << 1)
#define ACCESS_READ_FILE ((uint64_t)1 << 2)
#define ACCESS_READ_DIR ((uint64_t)1 << 3)
#define ACCESS_TRUNCATE ((uint64_t)1 << 14)
#define ACCESS_IOCTL_DEV ((uint64_t)1 << 15)

typedef struct Ruleset {
    uint64_t access_fs, access_net, scoped;
} Ruleset;

typedef struct PathRule {
    uint64_t access;
    int32_t fd;
} __attribute__((packed)) PathRule;

/* What each version of Landlock can forbid: 1 to 3 more and more about files, 4 TCP, 5 ioctl, 6 signals to processes outside. */
static Ruleset ruleset_of(long version) {
    static const int file_rights[] = {0, 13, 14, 15, 15, 16};
    Ruleset ruleset = {.access_fs = ((uint64_t)1 << file_rights[version < 5 ? version : 5]) - 1};
    if (version >= 4) ruleset.access_net = 3;
    if (version >= 6) ruleset.scoped = 3;
    return ruleset;
}

/* False when a file that exists cannot be opened or allowed. */
static bool allow(int ruleset, const char *path, uint64_t access) {
    int fd = open(path, O_PATH | O_CLOEXEC);
    if (fd < 0) return errno == ENOENT;
    struct stat status;
    bool good = fstat(fd, &status) == 0;
    if (good && !S_ISDIR(status.st_mode)) access &= ACCESS_EXECUTE | ACCESS_WRITE_FILE | ACCESS_READ_FILE | ACCESS_IOCTL_DEV;
    PathRule rule = {.access = access, .fd = fd};
    good = good && syscall(CALL_ADD_RULE, ruleset, RULE_PATH_BENEATH, &rule, 0) == 0;
    close(fd);
    return good;
}

static bool allow_listed(int ruleset, const char *path, const Confinement *confinement, uint64_t handled) {
    struct stat status;
    bool is_device = confinement->drives_gpu && stat(path, &status) == 0 && S_ISCHR(status.st_mode);
    return allow(ruleset, path,
                 is_device ? handled & (ACCESS_READ_FILE | ACCESS_WRITE_FILE | ACCESS_IOCTL_DEV)
                           : ACCESS_EXECUTE | ACCESS_READ_FILE | ACCESS_READ_DIR);
}

/* CUDA writes to /proc/self/task/N/comm, opened by fopen's "w", as it begins, and ends where it may not: with error 304, as seen with driver 580.
 * Threads that are to come have no folder there yet. */
static bool allow_for_gpu(int ruleset, uint64_t handled) {
    return allow(ruleset, "/proc", handled & (ACCESS_READ_FILE | ACCESS_READ_DIR | ACCESS_WRITE_FILE | ACCESS_TRUNCATE)) &&
           allow(ruleset, "/sys", ACCESS_READ_FILE | ACCESS_READ_DIR);
}

static bool confine_files(const Confinement *confinement, Diag *diag) {
    long version = syscall(CALL_CREATE_RULESET, NULL, 0, RULESET_VERSION);
    if (version < 1) {
        diag_say(diag, "this system's kernel has no Landlock (%s)", strerror(errno));
        return diag_hint(diag, "Linux 5.13 and newer have it, where lsm= of the kernel's command line does not leave it out");
    }
    Ruleset ruleset = ruleset_of(version);
    size_t size = version >= 6 ? sizeof ruleset : version >= 4 ? offsetof(Ruleset, scoped) : offsetof(Ruleset, access_net);
    int fd = (int)syscall(CALL_CREATE_RULESET, &ruleset, size, 0);
    if (fd < 0) return diag_say(diag, "Landlock makes no rules: %s", strerror(errno));
    bool good = allow(fd, "/dev/null", ACCESS_READ_FILE | ACCESS_WRITE_FILE) && allow(fd, "/dev/urandom", ACCESS_READ_FILE) &&
                allow(fd, confinement->writable, ruleset.access_fs & ~ACCESS_EXECUTE);
    for (const char *const *path = confinement->readable; good && *path; path++)
        good = allow_listed(fd, *path, confinement, ruleset.access_fs);
    if (confinement->drives_gpu) good = good && allow_for_gpu(fd, ruleset.access_fs);
    good = good && syscall(CALL_RESTRICT_SELF, fd, 0) == 0;
    if (!good) diag_say(diag, "Landlock takes no rule: %s", strerror(errno));
    close(fd);
    return good;
}

/* --- system calls ---------------------------------------------------------------------------------------------------------- */

#if defined(__x86_64__)
#define ARCH_HERE AUDIT_ARCH_X86_64
#elif defined(__aarch64__)
#define ARCH_HERE AUDIT_ARCH_AARCH64
#endif

#ifdef ARCH_HERE

/* None of them is needed to compile; the first LOCAL_CALLS are by CUDA, which listens at a socket of its own. Those that an older kernel's
 * headers do not know it does not have. */
static const uint32_t refused[] = {
    SYS_bind,
    SYS_listen,
    SYS_accept,
    SYS_accept4,
    SYS_sendto,
    SYS_socket,
    SYS_connect,
    SYS_ptrace,
    SYS_process_vm_readv,
    SYS_process_vm_writev,
    SYS_mount,
    SYS_umount2,
    SYS_pivot_root,
    SYS_chroot,
    SYS_unshare,
    SYS_setns,
    SYS_bpf,
    SYS_perf_event_open,
    SYS_userfaultfd,
    SYS_keyctl,
    SYS_add_key,
    SYS_request_key,
    SYS_init_module,
    SYS_finit_module,
    SYS_delete_module,
    SYS_kexec_load,
    SYS_reboot,
    SYS_swapon,
    SYS_swapoff,
    SYS_open_by_handle_at,
    SYS_name_to_handle_at,
    SYS_quotactl,
    SYS_acct,
    SYS_settimeofday,
    SYS_clock_settime,
    SYS_sethostname,
    SYS_shmget,
    SYS_msgget,
    SYS_semget,
    SYS_mq_open,
    SYS_personality,
#ifdef SYS_io_uring_setup
    SYS_io_uring_setup,
    SYS_io_uring_enter,
    SYS_io_uring_register,
#endif
#ifdef SYS_pidfd_getfd
    SYS_pidfd_getfd,
#endif
};

enum { SOCKET_TYPES = 15 }; /* of the second word of socket(), whose other bits are flags */
enum { LOCAL_CALLS = 6, REFUSED = sizeof refused / sizeof *refused };

static bool confine_calls(bool drives_gpu, Diag *diag) {
    struct sock_filter code[REFUSED + 24];
    unsigned short n = 0;
#define PUT(...) code[n++] = (struct sock_filter)__VA_ARGS__
    PUT(BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, arch)));
    PUT(BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, ARCH_HERE, 1, 0));
    PUT(BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_KILL_PROCESS)); /* 32-bit calls have other numbers */
    PUT(BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr)));
    PUT(BPF_JUMP(BPF_JMP | BPF_JGE | BPF_K, 0x40000000, 0, 1)); /* and so have those of x32 */
    PUT(BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_KILL_PROCESS));
#ifdef SYS_clone3
    /* Its flags lie in memory, where no filter can look; the C library then uses clone. */
    PUT(BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_clone3, 0, 1));
    PUT(BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | ENOSYS));
#endif
    if (drives_gpu) { /* a socket that must be connected to reach anybody; datagrams need not */
        PUT(BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_socket, 0, 8));
        PUT(BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, args)));
        PUT(BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, AF_UNIX, 0, 4));
        PUT(BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, args[1])));
        PUT(BPF_STMT(BPF_ALU | BPF_AND | BPF_K, SOCKET_TYPES));
        PUT(BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SOCK_STREAM, 2, 0));
        PUT(BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SOCK_SEQPACKET, 1, 0));
        PUT(BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | EPERM));
        PUT(BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW));
    }
    for (int i = drives_gpu ? LOCAL_CALLS : 0; i < REFUSED; i++)
        PUT(BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, refused[i], REFUSED + 3 - i, 0)); /* to the end */
    PUT(BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_clone, 0, 2));
    PUT(BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, args)));
    PUT(BPF_JUMP(BPF_JMP | BPF_JSET | BPF_K, CLONE_NEWUSER, 1, 0));
    PUT(BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW));
    PUT(BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | EPERM));
#undef PUT
    struct sock_fprog program = {.len = n, .filter = code};
    if (prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program) == 0) return true;
    return diag_say(diag, "this system's kernel filters no system calls: %s", strerror(errno));
}

#else

static bool confine_calls(bool drives_gpu, Diag *diag) {
    (void)drives_gpu;
    return diag_say(diag, "system calls can be filtered on x86-64 and AArch64 only");
}

#endif

/* --- all together ---------------------------------------------------------------------------------------------------------- */

static bool leave_root(Diag *diag) {
    if (geteuid() != 0) return true;
    if (setgroups(0, NULL) == 0 && setresgid(NOBODY, NOBODY, NOBODY) == 0 && setresuid(NOBODY, NOBODY, NOBODY) == 0 &&
        setuid(0) != 0)
        return true;
    diag_say(diag, "root cannot become another user here: %s", strerror(errno));
    return diag_hint(diag, "grade as another user than root");
}

static void hide_others(const Confinement *confinement) {
    const char *shown[CONFINE_PATHS + 4] = {confinement->writable, "/dev/null", "/dev/urandom"};
    for (size_t i = 0; i < CONFINE_PATHS && confinement->readable[i]; i++) shown[3 + i] = confinement->readable[i];
    hide_unlisted(shown);
}

bool confine(const Confinement *confinement, Diag *diag) {
    for (int fd = STDERR_FILENO + 1; fd < 1024; fd++) close(fd);
    if (!leave_root(diag)) return false;
    if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0)
        return diag_say(diag, "privileges cannot be given up: %s", strerror(errno));
    if (!confine_files(confinement, diag)) return false;
    if (confinement->hides) hide_others(confinement);
    return confine_calls(confinement->drives_gpu, diag);
}

#else

bool confine(const Confinement *confinement, Diag *diag) {
    (void)confinement;
    return diag_say(diag, "this system is no Linux: there is no sandbox here");
}

#endif

bool confine_to(const char *list, bool drives_gpu, bool hides, Diag *diag) {
    FREED char *copy = alloc_copy(list);
    const char *readable[CONFINE_PATHS + 1] = {0}, *writable = strtok(copy, ":");
    size_t n = 0;
    if (!writable) return diag_say(diag, "confinement needs a folder");
    for (char *path; (path = strtok(NULL, ":"));) {
        if (n == CONFINE_PATHS) return diag_say(diag, "confinement takes at most %d paths", CONFINE_PATHS);
        readable[n++] = path;
    }
    return confine(&(Confinement){.readable = readable, .writable = writable, .drives_gpu = drives_gpu, .hides = hides}, diag);
}
