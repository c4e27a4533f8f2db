/* serving.c: warpscope-serve, which `warpscope serve` starts: the course at one address of this computer. */
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <netinet/in.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cuda/folder.h"
#include "cuda/home.h"
#include "grade/scratch.h"
#include "host/output.h"
#include "host/process.h"
#include "serve/http.h"

enum { PORT = 3232, CONNECTIONS = 512, BODY_BYTES = 65536, ROUND_MS = 100, WATCHED_MOST = 64 };

typedef struct ServeOptions {
    unsigned port;
    const char *host;
    bool is_trusting;
} ServeOptions;

static bool read_port(const char *word, unsigned *port) {
    char *end;
    errno = 0;
    unsigned long number = strtoul(word, &end, 10);
    *port = (unsigned)number;
    return *word >= '0' && *word <= '9' && !*end && !errno && number <= UINT16_MAX;
}

static bool read_options(int argc, char **argv, ServeOptions *options, Diag *diag) {
    *options = (ServeOptions){.port = PORT};
    for (int i = 1; i < argc; i++) {
        const char *value = i + 1 < argc ? argv[i + 1] : "";
        if (strcmp(argv[i], "--no-sandbox") == 0) {
            options->is_trusting = true;
        } else if (strcmp(argv[i], "--port") == 0 && read_port(value, &options->port)) {
            i++;
        } else if (strcmp(argv[i], "--host") == 0 && *value) {
            options->host = argv[++i];
        } else {
            diag_say(diag, "serve takes --port N (0 to 65535), --host NAME and --no-sandbox, unlike '%.200s'", argv[i]);
            return false;
        }
    }
    return true;
}

static void tell_pages(void *context, const DeskLab *lab, const char *event, json_t *data) {
    events_tell(&((CourseServer *)context)->events, lab, event, data);
}

static bool is_watched(void *context, const DeskLab *lab) { return events_watched(&((CourseServer *)context)->events, lab); }

/* Its folders, and its labs. */
static bool open_course(CourseServer *course, const char *program, Diag *diag) {
    char root[PATH_MAX], build[PATH_MAX];
    if (!home_labs(program, root, sizeof root) || !home_build(program, build, sizeof build)) {
        diag_say(diag, "there are no labs here: the course is served from its tree, where make built it");
        return false;
    }
    course->root = text_from("%s", root);
    course->build = text_from("%s", build);
    course->site = text_from("%s/book/site", build);
    course->pages = text_from("%s/src/serve/desk", root);
    course->editor = text_from("/usr/share/javascript/codemirror");
    course->desk.tell = tell_pages;
    course->desk.is_watched = is_watched;
    course->desk.context = course;
    return desk_open(&course->desk, root, diag);
}

static void close_course(CourseServer *course) {
    desk_close(&course->desk);
    text_free(&course->root);
    text_free(&course->build);
    text_free(&course->site);
    text_free(&course->pages);
    text_free(&course->editor);
}

/* One server has a build folder: two would share the token, which the one that ends first takes from the other. A lock of this kind is the process's alone, so
 * that none of its gradings has it when it was killed. False with a message. */
static bool have_alone(const CourseServer *course, Diag *diag) {
    LOCAL_TEXT path = text_from("%s/serve.lock", text_string(&course->build));
    struct flock lock = {.l_type = F_WRLCK, .l_whence = SEEK_SET};
    const int file = open(text_string(&path), O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0600);
    if (file < 0) return diag_error(diag, text_string(&path), 0, 0, "cannot be written: %s", strerror(errno));
    if (fcntl(file, F_SETLK, &lock) == 0 || (errno != EACCES && errno != EAGAIN))
        return true; /* not on every disk are there locks */
    fcntl(file, F_GETLK, &lock);
    close(file);
    return diag_say(diag, "another server has this course: process %ld. End it, or serve another tree", (long)lock.l_pid);
}

/* A grading's process has no use for the port, which whoever begins anew after a kill must find free, nor for connections, by whose end pages see it. */
static int listening = -1;
static const Strangers *connected;

static void leave_sockets(void) {
    if (listening < 0) return;
    close(listening);
    strangers_leave(connected);
}

static struct MHD_Daemon *listen_at(CourseServer *course, unsigned port, Diag *diag) {
    const struct sockaddr_in address = {
        .sin_family = AF_INET, .sin_port = htons((uint16_t)port), .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
    errno = 0;
    struct MHD_Daemon *daemon = MHD_start_daemon(
        MHD_USE_EPOLL | MHD_ALLOW_SUSPEND_RESUME, (uint16_t)port, NULL, NULL, http_answer, course, MHD_OPTION_SOCK_ADDR,
        &address, MHD_OPTION_CONNECTION_LIMIT, (unsigned)CONNECTIONS, MHD_OPTION_CONNECTION_TIMEOUT, (unsigned)IDLE_S,
        MHD_OPTION_CONNECTION_MEMORY_LIMIT, (size_t)BODY_BYTES, MHD_OPTION_NOTIFY_COMPLETED, http_ended, NULL,
        MHD_OPTION_NOTIFY_CONNECTION, strangers_notify, &course->strangers, MHD_OPTION_END);
    if (!daemon) {
        diag_say(diag, "port %u cannot be had%s%s: another server has it, perhaps; --port takes another", port,
                 errno ? ": " : "", errno ? strerror(errno) : "");
        return NULL;
    }
    listening = MHD_get_daemon_info(daemon, MHD_DAEMON_INFO_LISTEN_FD)->listen_fd;
    connected = &course->strangers;
    pthread_atfork(NULL, NULL, leave_sockets);
    course->admission.port = MHD_get_daemon_info(daemon, MHD_DAEMON_INFO_BIND_PORT)->port;
    return daemon;
}

/* Waits for what comes first. */
static void wait_round(const CourseServer *course, struct MHD_Daemon *daemon) {
    struct pollfd watched[WATCHED_MOST] = {
        {.fd = MHD_get_daemon_info(daemon, MHD_DAEMON_INFO_EPOLL_FD)->epoll_fd, .events = POLLIN}};
    nfds_t count = 1;
    MHD_UNSIGNED_LONG_LONG most;
    int timeout = MHD_get_timeout(daemon, &most) == MHD_YES && most < ROUND_MS ? (int)most : ROUND_MS;
    for (size_t i = 0; i < course->desk.count && count < WATCHED_MOST; i++)
        if (course->desk.labs[i].job.pid)
            watched[count++] = (struct pollfd){.fd = course->desk.labs[i].job.output, .events = POLLIN};
    poll(watched, count, timeout);
}

static void go_on(CourseServer *course, struct MHD_Daemon *daemon) {
    while (!process_is_asked_to_end()) {
        wait_round(course, daemon);
        MHD_run(daemon);
        desk_step(&course->desk);
        events_beat(&course->events);
        strangers_end(&course->strangers);
    }
    events_end(&course->events);
    MHD_run(daemon);
    MHD_stop_daemon(daemon);
}

static bool serve(CourseServer *course, const ServeOptions *options, const char *program, Diag *diag) {
    LOCAL_TEXT folder = {0}, token = {0};
    if (!open_course(course, program, diag)) return false;
    if (!have_alone(course, diag)) return false;
    token = text_from("%s/serve.token", text_string(&course->build));
    if (!admit_token(&course->admission, text_string(&token), diag) || !folder_make(&folder, diag)) return false;
    course->desk.place = (Workplace){.program = program, .folder = text_string(&folder), .is_trusting = options->is_trusting};
    course->admission.host = options->host;
    struct MHD_Daemon *daemon = listen_at(course, options->port, diag);
    if (daemon) {
        printf("the course: http://127.0.0.1:%u/?token=%s   (Ctrl-C ends it)\n", course->admission.port,
               course->admission.token);
        fflush(stdout);
        go_on(course, daemon);
        unlink(text_string(&token));
    }
    desk_close(&course->desk); /* gradings use the folder */
    folder_remove(text_string(&folder));
    return daemon;
}

int main(int argc, char **argv) {
    ServeOptions options;
    Diag diag = {0};
    CourseServer course = {0};
    LOCAL_TEXT warpscope = {0};
    output_hold_standard();
    if (!process_begin(&diag) || !read_options(argc, argv, &options, &diag)) {
        fprintf(stderr, "warpscope: %s\n", diag.message);
        return 2;
    }
    const char *slash = strrchr(argv[0], '/');
    warpscope = text_from("%.*swarpscope", slash ? (int)(slash + 1 - argv[0]) : 0, argv[0]);
    course.warpscope = text_string(&warpscope);
    signal(SIGPIPE, SIG_IGN);
    scratch_begin();
    bool good = serve(&course, &options, argv[0], &diag);
    close_course(&course);
    scratch_end();
    if (diag.set) fprintf(stderr, "warpscope: %s%s%s\n", diag.file, *diag.file ? ": " : "", diag.message);
    return good ? 0 : 2;
}
