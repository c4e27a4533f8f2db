/* warpscope lsp as an editor starts it: over pipes, with files, compilers and graders. Behind each test no process and no temporary file may be
 * left. WARPSCOPE: the program. */
#include "base/sanitized.h"
#include "lsp_client.h"
#include "suite.h"

#include <dirent.h>
#include <limits.h>
#include <signal.h>
#include <sys/stat.h>

enum { SAVES = 200 };

static char folder[SUITE_FOLDER], kernel[200];

/* --- launches ------------------------------------------------------------------------------------------------------------- */

/* As in the README: lanes 8 bytes apart over 256 bytes are 8 sectors, and 128 bytes that are stored are 4. */
#define HEAD "// warpscope: --grid 8 --block 128 --arg buf:f32:1024 --arg buf:f32:2048:iota --arg i32:2\n"
#define KERNEL(statement)                                               \
    "__global__ void stride(float *out, const float *in, int step) {\n" \
    "    int i = blockIdx.x * blockDim.x + threadIdx.x;\n"              \
    "    " statement "\n}\n"
static const char good[] = HEAD KERNEL("out[i] = in[i * step];");
static const char hint[] = "load: 8 sectors a request, 4 would do; 0% hit L1 | store: 4 sectors a request, the fewest";

START_TEST(a_save_is_answered)
{
    begin();
    write_text(kernel, good);
    open_text(kernel, good);
    has_diagnostics(kernel, 0);
    has_hint(kernel, 3, hint);
    double began = now_s();
    save(kernel);
    has_diagnostics(kernel, 0);
    printf("a save of one launch was answered after %.2f s\n", now_s() - began);
    fflush(stdout);
    shut_down();
}
END_TEST

START_TEST(errors_come_and_go)
{
    begin();
    write_text(kernel, good);
    open_text(kernel, HEAD KERNEL("nothing[i] = in[i * step];"));
    has_diagnostics(kernel, 0); /* what is on the disk counts */
    save_text(kernel, HEAD KERNEL("nothing[i] = in[i * step];"));
    json_t *list = diagnostics(kernel);
    ck_assert_msg(is_diagnosed(list, 3, 1, "nothing"), "%s", json_dumps(list, JSON_COMPACT));
    json_decref(list);
    has_hint(kernel, 3, "");
    save_text(kernel, HEAD KERNEL("out[i + 1] = in[i * step];"));
    list = diagnostics(kernel);
    ck_assert_msg(is_diagnosed(list, 3, 1, "out_of_bounds"), "%s", json_dumps(list, JSON_COMPACT));
    json_decref(list);
    save_text(kernel, good);
    has_diagnostics(kernel, 0);
    has_hint(kernel, 3, hint);
    shut_down();
}
END_TEST

/* Opening a file must not let it write others. */
START_TEST(a_comment_may_not_write_files)
{
    char text[500], victim[100];
    snprintf(victim, sizeof victim, "%s/victim", folder);
    snprintf(text, sizeof text,
             "// warpscope: --grid 1 --block 1 --dump 0=%s\n// warpscope: --grid 1 --svg %s\n// warpscope: --grid\n%s", victim,
             victim, KERNEL(""));
    begin();
    write_text(kernel, text);
    open_text(kernel, text);
    json_t *list = diagnostics(kernel);
    ck_assert(is_diagnosed(list, 0, 1, "'--dump' must not stand here"));
    ck_assert(is_diagnosed(list, 1, 1, "'--svg' must not stand here"));
    ck_assert(is_diagnosed(list, 2, 1, "--grid"));
    json_decref(list);
    ck_assert_int_ne(access(victim, F_OK), 0);
    shut_down();
}
END_TEST

/* To look at a file is not to run what it says: neither in its comments, nor in its name and its folder's, which nvcc's shell would read. */
START_TEST(opening_a_file_runs_nothing)
{
    char text[600], oops[100], path[300], inside[200];
    snprintf(oops, sizeof oops, "%s/oops", folder);
    snprintf(text, sizeof text,
             "// warpscope: --grid 1 --block 1 '-DX=$(touch %s)'\n// warpscope: --grid 1 --block 1 -I %s\n"
             "// warpscope: --grid 1 --block 1 --arg buf:u8:4:@/etc/passwd\n%s",
             oops, folder, good);
    snprintf(inside, sizeof inside, "%s/zz$(touch oops)", folder);
    snprintf(path, sizeof path, "%s/a\";touch oops;\"`touch oops`.cu", inside);
    ck_assert_int_eq(mkdir(inside, 0700), 0);
    begin();
    write_text(path, text);
    open_text(path, text);
    json_t *list = diagnostics(path);
    ck_assert(is_diagnosed(list, 0, 1, "must not stand here: -DNAME and -DNAME=VALUE may"));
    ck_assert(is_diagnosed(list, 1, 1, "'-I' must not stand here"));
    ck_assert(is_diagnosed(list, 2, 1, "'--arg' must not stand here: --arg may without @FILE"));
    ck_assert_uint_eq(json_array_size(list), 3);
    json_decref(list);
    has_hint(path, 6, hint);
    shut_down();
    ck_assert_int_ne(access(oops, F_OK), 0);
    unlink(path);
    ck_assert_int_eq(rmdir(inside), 0); /* nothing else is in it */
}
END_TEST

START_TEST(names_may_have_any_letters)
{
    char path[200];
    snprintf(path, sizeof path, "%s/100%% \xc3\xa9 #1.cu", folder);
    begin();
    write_text(path, good);
    open_text(path, good);
    has_diagnostics(path, 0);
    has_hint(path, 3, hint);
    unlink(path);
    shut_down();
}
END_TEST

START_TEST(files_may_be_deleted)
{
    begin();
    write_text(kernel, good);
    open_text(kernel, good);
    has_diagnostics(kernel, 0);
    unlink(kernel);
    save(kernel);
    has_diagnostics(kernel, 0);
    has_hint(kernel, 3, "");
    write_text(kernel, good);
    save(kernel);
    has_diagnostics(kernel, 0);
    has_hint(kernel, 3, hint);
    shut_down();
}
END_TEST

START_TEST(two_documents_at_once)
{
    char paths[3][200];
    begin();
    for (int i = 0; i < 3; i++) {
        snprintf(paths[i], sizeof paths[i], "%s/%d.cu", folder, i);
        write_text(paths[i], i == 1 ? HEAD KERNEL("nothing[i] = 1;") : good);
        open_text(paths[i], good);
    }
    bool seen[3] = {0};
    for (int left = 3; left;) {
        json_t *message = receive();
        const json_t *params = json_object_get(message, "params");
        const char *name = strrchr(text_of(params, "uri"), '/');
        if (name && strcmp(text_of(message, "method"), "textDocument/publishDiagnostics") == 0) {
            int which = name[1] - '0';
            ck_assert(which >= 0 && which < 3 && !seen[which]);
            seen[which] = true;
            left--;
            ck_assert_int_eq(json_array_size(json_object_get(params, "diagnostics")) > 0, which == 1);
        }
        json_decref(message);
    }
    has_hint(paths[0], 3, hint);
    has_hint(paths[1], 3, "");
    has_hint(paths[2], 3, hint);
    for (int i = 0; i < 3; i++) unlink(paths[i]);
    shut_down();
}
END_TEST

/* Requests are answered while a file is graded, and a closed one is not spoken of again. */
START_TEST(nobody_waits_for_a_grading)
{
    begin();
    write_text(kernel, HEAD HEAD HEAD KERNEL("for (;;) out[i] = in[i];"));
    open_text(kernel, HEAD HEAD HEAD KERNEL("for (;;) out[i] = in[i];"));
    double began = now_s();
    has_hint(kernel, 3, "");
    tell("textDocument/didClose", document(kernel));
    has_diagnostics(kernel, 0);
    json_t *params = document(kernel);
    json_object_set_new(params, "position", json_pack("{s:i, s:i}", "line", 0, "character", 0));
    json_decref(ask("textDocument/hover", params));
    ck_assert_msg(now_s() - began < 20, "it took %.1f s", now_s() - began); /* the launches take minutes */
    shut_down();
}
END_TEST

/* --- a lab ---------------------------------------------------------------------------------------------------------------- */

/* A tree of one lab, so that nobody's own exercise is looked at. */
static void make_tree(void) {
    char name[PATH_MAX];
    Text command = {0};
    ck_assert_ptr_nonnull(getcwd(name, sizeof name));
    text_add(
        &command,
        "cd '%s' && mkdir -p exercises/05-transpose && ln -s '%s/src' src && ln -s '%s/exercises/untouched' "
        "exercises/untouched && "
        "cp '%s/exercises/rules.goals' exercises && cp '%s/exercises/05-transpose/lab.goals' exercises/05-transpose && "
        "cp exercises/untouched/05-transpose.cu exercises/05-transpose/kernel.cu && chmod u+w exercises/05-transpose/kernel.cu",
        folder, name, name, name, name);
    ck_assert_int_eq(system(text_string(&command)), 0);
    text_free(&command);
    setenv("WARPSCOPE_HOME", folder, 1);
    snprintf(kernel, sizeof kernel, "%s/exercises/05-transpose/kernel.cu", folder);
}

static char *read_text(const char *path) {
    size_t length;
    char *text = text_read_file(path, 1 << 20, &length);
    ck_assert_ptr_nonnull(text);
    return text;
}

/* The line, from 0, of the first `what` behind the first `after`. */
static int line_of(const char *text, const char *after, const char *what) {
    const char *at = strstr(text, after);
    at = at ? strstr(at, what) : NULL;
    ck_assert_ptr_nonnull(at);
    int line = 0;
    for (const char *c = text; c < at; c++) line += *c == '\n';
    return line;
}

START_TEST(a_lab_is_graded)
{
    make_tree();
    char *text = read_text(kernel);
    int store = line_of(text, "void rotate(", "out[");
    begin();
    open_text(kernel, text);
    json_t *list = diagnostics(kernel), *params = document(kernel);
    ck_assert_msg(is_diagnosed(list, store, 2, "rotate_sectors"), "%s", json_dumps(list, JSON_COMPACT));
    ck_assert(is_diagnosed(list, store, 2, "Neighbouring lanes")); /* the hint */
    json_decref(list);
    has_hint(kernel, 0, "Lab 05 Transpose: 0 of 100 points");
    has_hint(kernel, line_of(text, "void patch(", "out["), ""); /* is to be predicted */
    json_object_set_new(params, "position", json_pack("{s:i, s:i}", "line", store, "character", 0));
    json_t *hover = ask("textDocument/hover", params);
    ck_assert_ptr_nonnull(strstr(text_of(json_object_get(hover, "contents"), "value"), "A row is a 32-byte sector"));
    json_decref(hover);
    double began = now_s();
    save(kernel);
    json_decref(diagnostics(kernel));
    printf("a save of lab 05 was answered after %.2f s\n", now_s() - began);
    fflush(stdout);
    free(text);
    shut_down();
}
END_TEST

START_TEST(a_lab_that_does_not_compile_says_where)
{
    make_tree();
    char *text = read_text(kernel), *at = strstr(strstr(text, "void rotate("), "out[");
    int store = line_of(text, "void rotate(", "out[");
    memcpy(at, "oof", 3);
    begin();
    write_text(kernel, text);
    open_text(kernel, text);
    json_t *list = diagnostics(kernel);
    ck_assert_msg(is_diagnosed(list, store, 1, "oof"), "%s", json_dumps(list, JSON_COMPACT));
    json_decref(list);
    free(text);
    shut_down();
}
END_TEST

/* --- many saves ----------------------------------------------------------------------------------------------------------- */

static size_t count_entries(const char *path) {
    DIR *entries = opendir(path);
    size_t count = 0;
    while (entries && readdir(entries)) count++;
    if (entries) closedir(entries);
    return count > 2 ? count - 2 : 0;
}

#ifdef __linux__
static size_t count_fds(void) {
    char path[64];
    snprintf(path, sizeof path, "/proc/%d/fd", server);
    return count_entries(path);
}

static size_t count_children(void) {
    char path[64], text[1000] = "";
    size_t count = 0;
    snprintf(path, sizeof path, "/proc/%d/task/%d/children", server, server);
    FILE *file = fopen(path, "r");
    if (file && fgets(text, sizeof text, file))
        for (const char *at = text; *at; at++) count += *at == ' ';
    if (file) fclose(file);
    return count;
}

/* KiB of memory; 0 where it cannot be read. */
static long resident_kib(void) {
    char path[64], line[200];
    long kib = 0;
    snprintf(path, sizeof path, "/proc/%d/status", server);
    FILE *file = fopen(path, "r");
    while (file && fgets(line, sizeof line, file)) sscanf(line, "VmRSS: %ld", &kib);
    if (file) fclose(file);
    return kib;
}
#else
static size_t count_fds(void) { return 0; }
static size_t count_children(void) { return 0; }
static long resident_kib(void) { return 0; }
#endif

/* AddressSanitizer keeps freed memory, and so tells nothing by it. */
enum { MORE_KIB = SANITIZED ? 1 << 20 : 4096 };

static void save_often(int count) {
    for (int i = 0; i < count; i++) {
        save(kernel);
        nanosleep(&(struct timespec){.tv_nsec = 1000000 * (i % 50)}, NULL); /* each grading is ended somewhere else */
    }
    json_decref(diagnostics(kernel));
}

START_TEST(many_saves_leave_nothing_behind)
{
    make_tree();
    char *text = read_text(kernel);
    begin();
    open_text(kernel, text);
    json_decref(diagnostics(kernel));
    save_often(10);
    has_hint(kernel, 0, "Lab 05 Transpose: 0 of 100 points");
    size_t fds = count_fds(), files = count_entries(temporary);
    long kib = resident_kib();
    double began = now_s();
    save_often(SAVES);
    printf("%d saves took %.1f s; %ld KiB before, %ld KiB after\n", SAVES, now_s() - began, kib, resident_kib());
    fflush(stdout);
    has_hint(kernel, 0, "Lab 05 Transpose: 0 of 100 points");
    /* What is answered may not be tidied away yet. */
    while (count_fds() > fds || count_children() != 0 || count_entries(temporary) > files)
        nanosleep(&(struct timespec){.tv_nsec = 10000000}, NULL);
    ck_assert_int_le(resident_kib(), kib + MORE_KIB);
    free(text);
    shut_down();
}
END_TEST

/* --- what goes wrong ------------------------------------------------------------------------------------------------------ */

START_TEST(garbage_ends_nothing)
{
    char garbage[5000];
    unsigned state = 32;
    begin();
    for (size_t i = 0; i < sizeof garbage; i++) garbage[i] = (char)((state = state * 1103515245 + 12345) >> 16);
    write_bytes(garbage, sizeof garbage);
    write_bytes("Content-Length: 99999999999999\r\n\r\n", 34);
    json_decref(ask("shutdown", json_null()));
    tell("exit", json_null());
    ends_with(0);
}
END_TEST

START_TEST(without_shutdown_the_status_is_one)
{
    begin();
    if (_i) {
        tell("exit", json_null());
    } else {
        close(to_server); /* the editor is gone */
        to_server = -1;
    }
    ends_with(1);
}
END_TEST

/* In the middle of a grading, too. */
START_TEST(ending_leaves_nothing_behind)
{
    begin();
    write_text(kernel, HEAD KERNEL("for (;;) out[i] = in[i];"));
    open_text(kernel, HEAD KERNEL("for (;;) out[i] = in[i];"));
    while (count_entries(temporary) == 0 || (!_i && count_children() == 0))
        nanosleep(&(struct timespec){.tv_nsec = 1000000}, NULL);
    nanosleep(&(struct timespec){.tv_nsec = 100000000 * (_i / 2)}, NULL);
    end_either_way(_i % 2);
}
END_TEST

/* As Emacs does it. */
START_TEST(a_client_may_kill_what_it_has_shut_down)
{
    begin();
    write_text(kernel, HEAD KERNEL("for (;;) out[i] = in[i];"));
    open_text(kernel, HEAD KERNEL("for (;;) out[i] = in[i];"));
    while (count_entries(temporary) == 0) nanosleep(&(struct timespec){.tv_nsec = 1000000}, NULL);
    json_decref(ask("shutdown", json_null()));
    kill(server, SIGKILL);
    ends_with(128 + SIGKILL);
}
END_TEST

/* Both would wait for ever if the server waited for its answers to be taken. */
START_TEST(a_client_that_does_not_read_is_not_read_either)
{
    Text text = {0};
    int asked = 0;
    begin();
    wire_put(&text, json_pack("{s:i, s:s}", "id", 1, "method", "nothing/known"));
    fcntl(to_server, F_SETFL, O_NONBLOCK);
    size_t at = 0;
    for (struct pollfd ready = {.fd = to_server, .events = POLLOUT}; poll(&ready, 1, 2000) > 0;) {
        ssize_t count = write(to_server, text_string(&text) + at, text.length - at);
        if (count < 0) continue;
        at += (size_t)count;
        asked += at == text.length;
        at %= text.length;
        ck_assert_int_lt(asked, 1000000);
    }
    fcntl(to_server, F_SETFL, 0);
    for (int i = 0; i < asked; i++) json_decref(receive_answer(1));
    if (at) write_bytes(text_string(&text) + at, text.length - at), json_decref(receive_answer(1));
    text_free(&text);
    shut_down();
}
END_TEST

#ifdef __linux__
/* Whether a program that the server started still runs: what has its TMPDIR. */
static bool is_left(const char *pid) {
    char path[300], text[65536];
    snprintf(path, sizeof path, "/proc/%s/environ", pid);
    FILE *file = fopen(path, "r");
    size_t count = file ? fread(text, 1, sizeof text - 1, file) : 0;
    if (file) fclose(file);
    text[count] = 0;
    for (const char *at = text; at < text + count; at += strlen(at) + 1)
        if (strncmp(at, "TMPDIR=", 7) == 0 && strncmp(at + 7, temporary, strlen(temporary)) == 0) return true;
    return false;
}

static size_t count_left(void) {
    DIR *entries = opendir("/proc");
    size_t count = 0;
    for (struct dirent *entry; entries && (entry = readdir(entries));)
        count += entry->d_name[0] >= '1' && entry->d_name[0] <= '9' && is_left(entry->d_name);
    if (entries) closedir(entries);
    return count;
}
#else
static size_t count_left(void) { return 0; }
#endif

static void prepare(void) {
    suite_folder(folder);
    ck_assert_int_eq(chmod(folder, 0711), 0); /* under Landlock root's compiler is another user */
    snprintf(temporary, sizeof temporary, "%s/tmp", folder);
    snprintf(kernel, sizeof kernel, "%s/stride.cu", folder);
    char command[100];
    snprintf(command, sizeof command, "mkdir '%s'", temporary);
    ck_assert_int_eq(system(command), 0);
    received = (WireReader){0};
    server_option = SANITIZED ? "--no-sandbox" : NULL; /* which limits addresses */
    signal(SIGPIPE, SIG_IGN);
    adopt_what_is_left();
}

static void clear(void) {
    if (server) kill(server, SIGKILL);
    wire_free(&received);
    size_t left = count_entries(temporary);
    const double begin_s = now_s();
    while (count_left() > 0 && now_s() - begin_s < PATIENCE_S)
        nanosleep(&(struct timespec){.tv_nsec = 10000000}, NULL); /* what is being ended */
    size_t running = count_left();
    ck_assert_msg(left == 0, "%zu temporary files were left", left);
    ck_assert_msg(running == 0, "%zu programs were left running", running);
    ck_assert_msg(!is_something_left(), "a program was left running");
}

SUITE_IF(can_start(), "the server cannot be started here", "lsp_pipes", prepare, clear, a_save_is_answered, errors_come_and_go,
         a_comment_may_not_write_files, opening_a_file_runs_nothing, names_may_have_any_letters, files_may_be_deleted,
         two_documents_at_once, nobody_waits_for_a_grading, a_lab_is_graded, a_lab_that_does_not_compile_says_where,
         many_saves_leave_nothing_behind, garbage_ends_nothing, REPEATED(2, without_shutdown_the_status_is_one),
         REPEATED(8, ending_leaves_nothing_behind), a_client_may_kill_what_it_has_shut_down,
         a_client_that_does_not_read_is_not_read_either)
