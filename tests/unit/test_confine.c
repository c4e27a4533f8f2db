/* What a confined process can no longer do. Each test does it in a child, which is lost for anything else, and looks at its status. */
#define _GNU_SOURCE
#include "grade/confine.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "suite.h"

#ifdef __linux__
#include <grp.h>
#include <linux/capability.h>
#include <linux/random.h>
#include <sched.h>
#include <signal.h>
#include <sys/ioctl.h>
#include <sys/prctl.h>
#include <sys/ptrace.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/sysmacros.h>
#include <sys/un.h>

static char root[SUITE_FOLDER];
static char writable[64] = "/tmp", allowed[64] = "/usr", secret[64], program[64] = "/usr", device[64] = "/usr";

static const char *const system_folders[] = {"/usr",  "/bin",  "/lib", "/lib64", "/etc/ld.so.cache", "/no/such/folder",
                                             allowed, program, device, NULL};

enum { CHILD_FINE, CHILD_WRONG, CHILD_NOT_CONFINED = 77 };

static bool hides;

static bool confined(bool drives_gpu) {
    Diag diag = {0};
    return confine(&(Confinement){.readable = system_folders, .writable = writable, .drives_gpu = drives_gpu, .hides = hides},
                   &diag);
}

/* Status of a confined child that does this. */
static int child_of(bool drives_gpu, bool (*act)(void)) {
    fflush(NULL);
    pid_t pid = fork();
    if (pid < 0) abort();
    if (!pid) _exit(!confined(drives_gpu) ? CHILD_NOT_CONFINED : act() ? CHILD_FINE : CHILD_WRONG);
    int status;
    if (waitpid(pid, &status, 0) != pid) abort();
    return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

static int child(bool (*act)(void)) { return child_of(false, act); }

static void ends_fine(pid_t pid) {
    int status;
    ck_assert_int_eq(waitpid(pid, &status, 0), pid);
    ck_assert(WIFEXITED(status) && WEXITSTATUS(status) == CHILD_FINE);
}

static bool refuses_file(const char *path, int flags) {
    int fd = open(path, flags, 0600);
    if (fd >= 0) close(fd);
    return fd < 0 && errno == EACCES;
}

static bool is_missing(const char *path) {
    struct stat status;
    return stat(path, &status) != 0 && errno == ENOENT && access(path, F_OK) != 0 && errno == ENOENT &&
           open(path, O_RDONLY) < 0 && errno == ENOENT;
}

/* What is not listed is not there, by any way; what is, and all above it, is; what is made is. */
static bool hidden(void) {
    char path[128];
    struct stat status;
    snprintf(path, sizeof path, "%s/../%s", writable, strrchr(secret, '/') + 1);
    if (!is_missing(secret) || !is_missing(path) || !is_missing("/etc/passwd") || !is_missing("/usr/../etc/passwd"))
        return false;
    if (chdir(writable) != 0 || !is_missing("../../etc/passwd") || !is_missing("/proc/self/status")) return false;
    if (stat("/etc", &status) != 0 || stat("/", &status) != 0 || stat("/usr/bin/../bin", &status) != 0) return false;
    int fd = open("made", O_CREAT | O_RDWR, 0600);
    if (fd < 0 || access("made", F_OK) != 0 || open(allowed, O_RDONLY) < 0 || open("/dev/null", O_RDONLY) < 0) return false;
    char command[300];
    snprintf(command, sizeof command, "test ! -e %s && test ! -e ../secret && test -e %s && ! ls -d /etc/passwd 2>made", secret,
             allowed);
    return system(command) == 0 && system("grep -q 'No such file' made") == 0; /* programs are told the same */
}

static bool files(void) {
    char text[8] = "", path[128];
    int fd = open(allowed, O_RDONLY);
    if (fd < 0 || read(fd, text, sizeof text) != 7 || memcmp(text, "allowed", 7) != 0) return false;
    snprintf(path, sizeof path, "%s/made", writable);
    fd = open(path, O_CREAT | O_RDWR, 0600);
    if (fd < 0 || write(fd, "x", 1) != 1) return false;
    fd = open("/dev/null", O_WRONLY | O_TRUNC);
    if (fd < 0 || open("/usr", O_RDONLY | O_DIRECTORY) < 0) return false;
    if (open("/dev/urandom", O_RDONLY) < 0 || !refuses_file("/dev/urandom", O_WRONLY)) return false;
    snprintf(path, sizeof path, "%s/made", root);
    return refuses_file(secret, O_RDONLY) && refuses_file("/etc/passwd", O_RDONLY) &&
           refuses_file("/proc/self/environ", O_RDONLY) && refuses_file("/dev/zero", O_RDONLY) &&
           refuses_file(allowed, O_WRONLY) && refuses_file(path, O_CREAT | O_WRONLY) &&
           refuses_file("/", O_RDONLY | O_DIRECTORY);
}

/* Of what the suite had open nothing is left but the standard streams. */
static bool closed(void) {
    for (int fd = STDERR_FILENO + 1; fd < 1024; fd++)
        if (fcntl(fd, F_GETFD) >= 0) return false;
    return fcntl(STDERR_FILENO, F_GETFD) >= 0;
}

static long landlock(void) { return syscall(444, NULL, 0, 1); }

/* Landlock 5 (linux/landlock.h): a device takes no ioctl but those of any file. RNDGETENTCNT is anybody's. */
static bool devices(void) {
    int bits, fd = open("/dev/urandom", O_RDONLY);
    return ioctl(fd, RNDGETENTCNT, &bits) < 0 && errno == EACCES;
}

static bool refused(long result) { return result < 0 && errno == EPERM; }

/* Landlock 6: no signal to who is not confined. */
static bool signals(void) { return refused(kill(getppid(), 0)); }

/* What these would do with such arguments is something else than EPERM: EBADF, EFAULT, EINVAL or nothing wrong. */
static bool harmless_calls(void) {
    static const long numbers[] = {
        SYS_connect,        SYS_bind,           SYS_listen,
        SYS_accept,         SYS_accept4,        SYS_sendto,
        SYS_shmget,         SYS_msgget,         SYS_semget,
        SYS_mq_open,        SYS_personality,    SYS_process_vm_readv,
        SYS_keyctl,         SYS_add_key,        SYS_process_vm_writev,
        SYS_request_key,    SYS_setns,          SYS_name_to_handle_at,
#ifdef SYS_io_uring_setup
        SYS_io_uring_setup, SYS_io_uring_enter, SYS_io_uring_register,
#endif
#ifdef SYS_pidfd_getfd
        SYS_pidfd_getfd,
#endif
    };
    for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++)
        if (!refused(syscall(numbers[i], -1L, 0L, 0L, 0L, 0L, 0L))) return false;
    return true;
}

static bool calls(void) {
    return harmless_calls() && refused(socket(AF_INET, SOCK_STREAM, 0)) && refused(socket(AF_UNIX, SOCK_STREAM, 0)) &&
           refused(ptrace(PTRACE_TRACEME, 0, 0, 0)) && refused(unshare(CLONE_NEWUSER)) && refused(chroot("/usr"));
}

static bool can_make; /* that device */

/* A device that is listed: for who drives a GPU to be written and asked, for all others to be read. */
static bool device_is_read_only(void) {
    int bits, fd = open(device, O_RDONLY);
    if (!can_make) return true;
    return fd >= 0 && refuses_file(device, O_WRONLY) &&
           (landlock() < 5 || (ioctl(fd, RNDGETENTCNT, &bits) < 0 && errno == EACCES));
}

static bool device_is_driven(void) {
    int bits, fd = open(device, O_RDWR);
    return fd >= 0 && ioctl(fd, RNDGETENTCNT, &bits) == 0;
}

/* What CUDA does as it begins: it names its threads, reads what machine this is, and listens at a socket of its own. Whom it does not
 * reach: any other process, and any file but what was listed. */
static bool drives(void) {
    struct sockaddr_un own = {.sun_family = AF_UNIX, .sun_path = ""};
    char path[64];
    snprintf(path, sizeof path, "/proc/self/task/%ld/comm", syscall(SYS_gettid));
    int comm = open(path, O_RDWR | O_CREAT | O_TRUNC, 0666), in = socket(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0);
    if (comm < 0 || write(comm, "named", 5) != 5 || open("/sys", O_RDONLY | O_DIRECTORY) < 0) return false;
    snprintf(own.sun_path + 1, sizeof own.sun_path - 1, "test_confine %ld", (long)getpid());
    if (in < 0 || bind(in, (struct sockaddr *)&own, sizeof own) != 0 || listen(in, 1) != 0) return false;
    if (socket(AF_UNIX, SOCK_STREAM, 0) < 0 || !refused(connect(in, (struct sockaddr *)&own, sizeof own))) return false;
    static const int families[] = {AF_INET, AF_INET6, AF_NETLINK}, types[] = {SOCK_DGRAM, SOCK_RAW, SOCK_DGRAM | SOCK_CLOEXEC};
    for (size_t i = 0; i < 3; i++)
        if (!refused(socket(families[i], SOCK_STREAM, 0)) || !refused(socket(AF_UNIX, types[i], 0))) return false;
    snprintf(path, sizeof path, "/proc/%ld/environ", (long)getppid());
    static const char notes[] = "/sys/kernel/notes"; /* a container may have an empty /sys */
    return refused(ptrace(PTRACE_TRACEME, 0, 0, 0)) && refused(unshare(CLONE_NEWUSER)) && open(path, O_RDONLY) < 0 &&
           refuses_file(secret, O_RDONLY) && refuses_file("/etc/passwd", O_RDONLY) && refuses_file("/dev/zero", O_RDONLY) &&
           refuses_file(allowed, O_WRONLY) && (access(notes, F_OK) != 0 || refuses_file(notes, O_WRONLY));
}

/* Root's groups are left as well, also those that could be taken again. */
static bool was_root, can_start;
static bool is_nobody(void) {
    uid_t user[3];
    gid_t group[3];
    if (getresuid(&user[0], &user[1], &user[2]) || getresgid(&group[0], &group[1], &group[2])) return false;
    for (int i = 0; i < 3; i++)
        if (user[i] == 0 || (was_root && (user[i] != 65534 || group[i] != 65534))) return false;
    return setuid(0) != 0 && (!was_root || getgroups(0, NULL) == 0);
}

/* What it starts is confined too, and still runs. */
static bool programs(void) {
    char command[300];
    snprintf(command, sizeof command, "cat %s >/dev/null && ! cat %s 2>/dev/null", allowed, secret);
    if (system("true") != 0 || system(command) != 0) return false;
    if (!can_start) return true; /* where nobody starts what lies in /tmp */
    if (WEXITSTATUS(system(program)) != 5) return false;
    /* what it made itself it does not run */
    snprintf(command, sizeof command, "cd %s && cp %s copy && chmod 755 copy && ./copy 2>/dev/null", writable, program);
    return WEXITSTATUS(system(command)) == 126; /* the shell's status of what cannot be executed */
}

/* A new user namespace by clone as well, whose flags the filter looks at; other children are fine. */
static bool clones(void) {
    if (!refused(syscall(SYS_clone, CLONE_NEWUSER | SIGCHLD, NULL, NULL, NULL, 0))) return false;
#ifdef SYS_clone3 /* EINVAL without the filter */
    if (syscall(SYS_clone3, NULL, 0) >= 0 || errno != ENOSYS) return false;
#endif
    const long pid = syscall(SYS_clone, SIGCHLD, NULL, NULL, NULL, 0);
    int status = 0;
    if (!pid) _exit(5);
    return pid > 0 && waitpid((pid_t)pid, &status, 0) == pid && WIFEXITED(status) && WEXITSTATUS(status) == 5;
}

#ifdef __x86_64__
/* System calls by the numbers of x32 and of 32-bit programs, which the list of refused ones does not know. */
static bool other_numbers(void) {
    for (int which = 0; which < 2; which++) {
        const pid_t pid = fork();
        long number = 20; /* getpid */
        if (!pid) {
            if (which)
                __asm__ volatile("int $0x80" : "+a"(number)::"memory");
            else
                number = syscall(0x40000000 + SYS_getpid);
            _exit(0);
        }
        int status;
        if (waitpid(pid, &status, 0) != pid || !WIFSIGNALED(status)) return false;
        if (!which && WTERMSIG(status) != SIGSYS) return false;
    }
    return true;
}
#endif

/* What confine_to says of a list of so many paths behind the folder, with "allowed" the last of them; "" where it confines as listed. */
static void say_listed(int fd, int paths) {
    char list[1024] = "";
    Diag diag = {0};
    if (paths >= 0) strcpy(list, writable);
    for (int i = 0; i < paths; i++) strcat(strcat(list, ":"), i + 1 == paths ? allowed : "/no/such");
    fd = dup2(fd, 1); /* the others are closed */
    const bool fine = confine_to(list, false, false, &diag);
    const int readable = open(allowed, O_RDONLY);
    const char *said = !fine                            ? diag.message
                       : readable < 0                   ? "not readable"
                       : refuses_file(secret, O_RDONLY) ? ""
                                                        : "not confined";
    if (write(fd, said, strlen(said)) < 0) _exit(1);
    _exit(0);
}

START_TEST(what_may_not_be_read_is_not_there)
{
    hides = true;
    ck_assert_int_eq(child(hidden), CHILD_FINE);
}
END_TEST

START_TEST(lists_have_a_folder_and_at_most_64_paths)
{
    static const struct {
        int paths;
        const char *says;
    } rows[] = {{-1, "confinement needs a folder"}, {1, ""}, {2, ""}, {64, ""}, {65, "confinement takes at most 64 paths"}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        int ends[2];
        char said[200] = "";
        ck_assert_int_eq(pipe(ends), 0);
        fflush(NULL);
        const pid_t pid = fork();
        if (!pid) say_listed(ends[1], rows[i].paths);
        close(ends[1]);
        ck_assert_int_ge(read(ends[0], said, sizeof said - 1), 0);
        close(ends[0]);
        ck_assert_int_eq(waitpid(pid, NULL, 0), pid);
        ck_assert_msg(!strcmp(said, rows[i].says), "%d paths: %s", rows[i].paths, said);
    }
}
END_TEST

/* Other than a path that does not exist, which is left out. */
START_TEST(a_path_that_cannot_be_looked_at_is_said)
{
    static const char *const paths[] = {"/usr", "/dev/null/none", NULL};
    fflush(NULL);
    const pid_t pid = fork();
    if (!pid) {
        Diag diag = {0};
        const bool fine = confine(&(Confinement){.readable = paths, .writable = writable}, &diag);
        _exit(fine || strcmp(diag.message, "Landlock takes no rule: Not a directory") ? CHILD_WRONG : CHILD_FINE);
    }
    ends_fine(pid);
}
END_TEST

/* Also not to a process of the same user, who is nobody before. */
START_TEST(processes_outside_get_no_signal)
{
    fflush(NULL);
    const pid_t pid = fork();
    if (!pid) _exit(was_root && (setgroups(0, NULL) || setresuid(65534, 65534, 65534)) ? CHILD_WRONG : child(signals));
    ends_fine(pid);
}
END_TEST

/* Root without the right to change its groups: nothing is run as it. */
START_TEST(root_that_cannot_be_left_is_an_error)
{
    fflush(NULL);
    const pid_t pid = fork();
    if (!pid) {
        struct __user_cap_header_struct header = {.version = _LINUX_CAPABILITY_VERSION_3};
        struct __user_cap_data_struct rights[2];
        if (syscall(SYS_capget, &header, rights)) _exit(CHILD_WRONG);
        rights[0].effective &= ~(1u << CAP_SETGID);
        _exit(syscall(SYS_capset, &header, rights) || confined(false) ? CHILD_WRONG : CHILD_FINE);
    }
    ends_fine(pid);
}
END_TEST

static void write_text(const char *path, const char *text) {
    FILE *out = fopen(path, "w");
    ck_assert(out && fputs(text, out) >= 0 && fclose(out) == 0 && chmod(path, 0644) == 0);
}

static void prepare(void) {
    suite_folder(root);
    ck_assert(chmod(root, 0755) == 0);
    snprintf(writable, sizeof writable, "%s/writable", root);
    snprintf(allowed, sizeof allowed, "%s/allowed", root);
    snprintf(secret, sizeof secret, "%s/secret", root);
    ck_assert(mkdir(writable, 0777) == 0 && chmod(writable, 0777) == 0);
    write_text(allowed, "allowed");
    write_text(secret, "secret");
    snprintf(program, sizeof program, "%s/program", root);
    write_text(program, "#!/bin/sh\nexit 5\n");
    ck_assert(chmod(program, 0755) == 0);
    ck_assert_int_ge(open(secret, O_RDONLY), 0);        /* for `closed` */
    snprintf(device, sizeof device, "%s/device", root); /* as /dev/urandom; who may make none reads that one alone */
    can_make = mknod(device, S_IFCHR | 0666, makedev(1, 9)) == 0 && chmod(device, 0666) == 0;
    if (!can_make) strcpy(device, "/usr");
    const int made = open(device, O_RDWR);
    can_make = can_make && made >= 0;
    close(made);
    can_start = WEXITSTATUS(system(program)) == 5;
    was_root = geteuid() == 0;
    ck_assert(!was_root || setgroups(1, (const gid_t[]){0}) == 0); /* for `is_nobody` */
}

/* Whether this system has all that it takes, asked without the code that is tested: Landlock (landlock_create_ruleset's version), filters of
 * system calls, another user for root. */
static bool system_can(void) {
    pid_t pid = fork();
    if (pid < 0) abort();
    if (!pid) {
        bool leaves = geteuid() != 0 || (setgroups(0, NULL) == 0 && setresuid(65534, 65534, 65534) == 0);
        _exit(!(leaves && syscall(444, NULL, 0, 1) >= 1 && prctl(PR_GET_SECCOMP) >= 0));
    }
    int status;
    return waitpid(pid, &status, 0) == pid && status == 0;
}

#define FACT(name, act)                           \
    START_TEST(name)                              \
    { ck_assert_int_eq(child(act), CHILD_FINE); } \
    END_TEST

FACT(files_are_read_and_written_where_allowed_alone, files)
FACT(open_files_are_closed, closed)
FACT(devices_take_no_ioctl, devices)
FACT(system_calls_that_no_compiler_needs_are_refused, calls)
FACT(a_child_gets_no_user_namespace, clones)
#ifdef __x86_64__
FACT(calls_by_other_numbers_end_the_process, other_numbers)
#else
#define calls_by_other_numbers_end_the_process NULL
#endif
FACT(a_device_that_is_listed_is_read_alone, device_is_read_only)
FACT(root_is_left_behind, is_nobody)
FACT(programs_that_it_starts_are_confined_too, programs)

START_TEST(who_drives_a_gpu_has_its_devices_and_reaches_nobody)
{
    ck_assert_int_eq(child_of(true, drives), CHILD_FINE);
    if (can_make) ck_assert_int_eq(child_of(true, device_is_driven), CHILD_FINE);
}
END_TEST

SUITE_AS(system_can(), "this system has no Landlock, no filters of system calls, or no user but root: nothing was tried",
         "confine", ((Fixture){prepare, NULL, true}), 1, files_are_read_and_written_where_allowed_alone,
         what_may_not_be_read_is_not_there, open_files_are_closed, who_drives_a_gpu_has_its_devices_and_reaches_nobody,
         a_device_that_is_listed_is_read_alone, landlock() >= 5 ? devices_take_no_ioctl : NULL,
         landlock() >= 6 ? processes_outside_get_no_signal : NULL, a_path_that_cannot_be_looked_at_is_said,
         system_calls_that_no_compiler_needs_are_refused, a_child_gets_no_user_namespace,
         calls_by_other_numbers_end_the_process, lists_have_a_folder_and_at_most_64_paths, root_is_left_behind,
         geteuid() == 0 ? root_that_cannot_be_left_is_an_error : NULL, programs_that_it_starts_are_confined_too)

#else

int main(void) {
    puts("the sandbox is Linux's");
    return 77;
}

#endif
