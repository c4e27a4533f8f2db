/* What a confined process can no longer do. Each test does it in a child, which is lost for anything else, and looks at its status. */
#define _GNU_SOURCE
#include "grade/confine.h"

#include <check.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#ifdef __linux__
#include <grp.h>
#include <sched.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/ptrace.h>
#include <sys/socket.h>
#include <sys/syscall.h>

static char root[] = "/tmp/test_confine_XXXXXX";
static char writable[64] = "/tmp", allowed[64] = "/usr", secret[64];

static const char *const system_folders[] = {"/usr",  "/bin", "/lib", "/lib64", "/etc/ld.so.cache", "/no/such/folder",
                                             allowed, NULL};

enum { CHILD_FINE, CHILD_WRONG, CHILD_NOT_CONFINED = 77 };

static bool confined(void) {
    Diag diag = {0};
    return confine(&(Confinement){.readable = system_folders, .writable = writable}, &diag);
}

/* Status of a confined child that does this. */
static int child(bool (*act)(void)) {
    fflush(NULL);
    pid_t pid = fork();
    if (pid < 0) abort();
    if (!pid) _exit(!confined() ? CHILD_NOT_CONFINED : act() ? CHILD_FINE : CHILD_WRONG);
    int status;
    if (waitpid(pid, &status, 0) != pid) abort();
    return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

static bool refuses_file(const char *path, int flags) {
    int fd = open(path, flags, 0600);
    if (fd >= 0) close(fd);
    return fd < 0 && errno == EACCES;
}

static bool files(void) {
    char text[8] = "", path[128];
    int fd = open(allowed, O_RDONLY);
    if (fd < 0 || read(fd, text, sizeof text) != 7 || memcmp(text, "allowed", 7) != 0) return false;
    snprintf(path, sizeof path, "%s/made", writable);
    fd = open(path, O_CREAT | O_RDWR, 0600);
    if (fd < 0 || write(fd, "x", 1) != 1) return false;
    fd = open("/dev/null", O_WRONLY | O_TRUNC);
    if (fd < 0) return false;
    snprintf(path, sizeof path, "%s/made", root);
    return refuses_file(secret, O_RDONLY) && refuses_file("/etc/passwd", O_RDONLY) &&
           refuses_file("/proc/self/environ", O_RDONLY) && refuses_file("/dev/zero", O_RDONLY) &&
           refuses_file(allowed, O_WRONLY) && refuses_file(path, O_CREAT | O_WRONLY) &&
           refuses_file("/", O_RDONLY | O_DIRECTORY);
}

static bool refused(long result) { return result < 0 && errno == EPERM; }

static bool calls(void) {
    return refused(socket(AF_INET, SOCK_STREAM, 0)) && refused(socket(AF_UNIX, SOCK_STREAM, 0)) &&
           refused(ptrace(PTRACE_TRACEME, 0, 0, 0)) && refused(unshare(CLONE_NEWUSER)) && refused(chroot("/usr"));
}

static bool is_nobody(void) { return getuid() != 0 && geteuid() != 0 && getegid() != 0 && setuid(0) != 0; }

/* What it starts is confined too, and still runs. */
static bool programs(void) {
    char command[300];
    snprintf(command, sizeof command, "cat %s >/dev/null && ! cat %s 2>/dev/null", allowed, secret);
    return system("true") == 0 && system(command) == 0;
}

/* A new user namespace by clone as well, whose flags the filter looks at; other children are fine. */
static bool clones(void) {
    if (!refused(syscall(SYS_clone, CLONE_NEWUSER | SIGCHLD, NULL, NULL, NULL, 0))) return false;
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
    const bool fine = confine_to(list, &diag);
    const int readable = open(allowed, O_RDONLY);
    const char *said = !fine                            ? diag.message
                       : readable < 0                   ? "not readable"
                       : refuses_file(secret, O_RDONLY) ? ""
                                                        : "not confined";
    if (write(fd, said, strlen(said)) < 0) _exit(1);
    _exit(0);
}

START_TEST(lists_have_a_folder_and_at_most_32_paths)
{
    static const struct {
        int paths;
        const char *says;
    } rows[] = {{-1, "confinement needs a folder"}, {1, ""}, {2, ""}, {32, ""}, {33, "confinement takes at most 32 paths"}};
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

static void write_text(const char *path, const char *text) {
    FILE *out = fopen(path, "w");
    ck_assert(out && fputs(text, out) >= 0 && fclose(out) == 0 && chmod(path, 0644) == 0);
}

static void prepare(void) {
    ck_assert(mkdtemp(root) && chmod(root, 0755) == 0);
    snprintf(writable, sizeof writable, "%s/writable", root);
    snprintf(allowed, sizeof allowed, "%s/allowed", root);
    snprintf(secret, sizeof secret, "%s/secret", root);
    ck_assert(mkdir(writable, 0777) == 0 && chmod(writable, 0777) == 0);
    write_text(allowed, "allowed");
    write_text(secret, "secret");
}

static void clear(void) {
    char command[64];
    snprintf(command, sizeof command, "rm -rf %s", root);
    ck_assert_int_eq(system(command), 0);
}

/* Whether this system has all that it takes, asked without the code that is tested: Landlock (landlock_create_ruleset's version), filters of
 * system calls, another user for root. */
static bool system_can(void) {
    pid_t pid = fork();
    if (pid < 0) abort();
    if (!pid) {
        bool leaves = geteuid() != 0 || (setgroups(0, NULL) == 0 && setresuid(65534, 65534, 65534) == 0);
        _exit(!(leaves && syscall(444, NULL, 0, 1) >= 1 && prctl(PR_GET_SECCOMP) == 0));
    }
    int status;
    return waitpid(pid, &status, 0) == pid && status == 0;
}

#define FACT(name, act)                           \
    START_TEST(name)                              \
    { ck_assert_int_eq(child(act), CHILD_FINE); } \
    END_TEST

FACT(files_are_read_and_written_where_allowed_alone, files)
FACT(system_calls_that_no_compiler_needs_are_refused, calls)
FACT(a_child_gets_no_user_namespace, clones)
#ifdef __x86_64__
FACT(calls_by_other_numbers_end_the_process, other_numbers)
#endif
FACT(root_is_left_behind, is_nobody)
FACT(programs_that_it_starts_are_confined_too, programs)

int main(void) {
    Suite *suite = suite_create("confine");
    TCase *tcase = tcase_create("confine");
    tcase_add_unchecked_fixture(tcase, prepare, clear);
    if (!system_can()) {
        puts("this system has no Landlock, no filters of system calls, or no user but root: nothing was tried");
        return 77;
    }
    tcase_add_test(tcase, files_are_read_and_written_where_allowed_alone);
    tcase_add_test(tcase, system_calls_that_no_compiler_needs_are_refused);
    tcase_add_test(tcase, a_child_gets_no_user_namespace);
#ifdef __x86_64__
    tcase_add_test(tcase, calls_by_other_numbers_end_the_process);
#endif
    tcase_add_test(tcase, lists_have_a_folder_and_at_most_32_paths);
    tcase_add_test(tcase, root_is_left_behind);
    tcase_add_test(tcase, programs_that_it_starts_are_confined_too);
    suite_add_tcase(suite, tcase);
    SRunner *runner = srunner_create(suite);
    srunner_run_all(runner, CK_ENV);
    int failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    return failed != 0;
}

#else

int main(void) {
    puts("the sandbox is Linux's");
    return 77;
}

#endif
