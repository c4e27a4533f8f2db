/* What a language server does with a stranger's file: it compiles and launches it in the sandbox, of either kind, with what it includes from its own
 * folder; and nothing where there is no sandbox, until the user has said on the command line that all files are trusted. WARPSCOPE: the program. */
#include "base/sanitized.h"
#include "lsp_client.h"
#include "suite.h"

#include <libgen.h>
#include <limits.h>
#include <signal.h>
#include <sys/stat.h>

static const char *const kinds[] = {"bubblewrap", "landlock"};
enum { KINDS = sizeof kinds / sizeof *kinds };

static char folder[SUITE_FOLDER], project[80], kernel[100];

/* As in the README: lanes 8 bytes apart over 256 bytes are 8 sectors, and 128 bytes that are stored are 4. */
#define HEAD \
    "// warpscope: --grid 8 --block 128 --arg buf:f32:1024 --arg buf:f32:2048:iota --arg i32:2 -DSTEP=step --arch sm_80\n"
#define KERNEL                                                          \
    "__global__ void stride(float *out, const float *in, int step) {\n" \
    "    int i = blockIdx.x * blockDim.x + threadIdx.x;\n"              \
    "    out[i] = in[i * STEP];\n}\n"
static const char hint[] = "load: 8 sectors a request, 4 would do; 0% hit L1 | store: 4 sectors a request, the fewest";

/* False, with a line, where this kind of sandbox is not to be had. */
static bool choose(const char *kind) {
    setenv("SANDBOX", kind, 1);
    if (!SANITIZED && system("src/grade/sandbox --check >/dev/null 2>&1") == 0) return true;
    printf("%s is not tried: it is not to be had here\n", kind);
    return false;
}

static void write_in(const char *name, const char *text) {
    char path[200];
    snprintf(path, sizeof path, "%s/%s", project, name);
    write_text(path, text);
}

START_TEST(headers_beside_a_file_go_with_it)
{
    if (!choose(kinds[_i])) return;
    static const char text[] = HEAD "#include \"own.h\"\n#ifndef ONE\n#error no own.h\n#endif\n" KERNEL;
    write_in("own.h", "#include \"in it/deep.h\"\n");
    write_in("in it/deep.h", "#include \"../kernel.ptx/ptx.h\"\n#include \"../messages/said.h\"\n");
    write_in("kernel.ptx/ptx.h", ""); /* as files of the sandbox's own are called */
    write_in("messages/said.h", "#include \"../more.cuh\"\n");
    write_in("more.cuh", "#define ONE 1\n");
    write_text(kernel, text);
    begin();
    open_text(kernel, text);
    has_diagnostics(kernel, 0);
    has_hint(kernel, 7, hint);
    write_in("more.cuh", "#define ONE 1\nint x = ;\n");
    save(kernel);
    json_t *list = diagnostics(kernel);
    ck_assert_msg(is_diagnosed(list, 0, 1, "more.cuh:2: "), "%s", json_dumps(list, JSON_COMPACT));
    ck_assert_msg(!strstr(json_dumps(list, JSON_COMPACT), temporary), "%s", json_dumps(list, JSON_COMPACT));
    json_decref(list);
    shut_down();
}
END_TEST

/* Of one text, which is compiled once for each: 4 bytes apart a warp's 128 bytes are 4 sectors. */
START_TEST(each_launch_has_its_own_macros)
{
    static const char text[] = "// warpscope: --grid 8 --block 128 --arg buf:f32:1024 --arg buf:f32:2048:iota -DSTEP=1\n"
                               "// warpscope: --grid 8 --block 128 --arg buf:f32:1024 --arg buf:f32:2048:iota -D STEP=2\n"
                               "__global__ void k(float *out, const float *in) {\n"
                               "    int i = blockIdx.x * blockDim.x + threadIdx.x;\n"
                               "#if STEP == 1\n"
                               "    out[i] = in[i];\n"
                               "#else\n"
                               "    out[i] = in[i * STEP];\n"
                               "#endif\n}\n";
    if (!choose(kinds[_i])) return;
    begin();
    write_text(kernel, text);
    open_text(kernel, text);
    for (int again = 0; again < 2; again++) {
        has_diagnostics(kernel, 0);
        has_hint(kernel, 5, "load: 4 sectors a request, the fewest; 0% hit L1 | store: 4 sectors a request, the fewest");
        has_hint(kernel, 7, hint);
        if (!again) save(kernel);
    }
    shut_down();
}
END_TEST

/* Each is there for the user, whom the compiler would be if nothing were between. */
static const char *const others[] = {"/etc/passwd",          "../secret.h",      "alias.h", "linked/secret.h",
                                     "in it/../../secret.h", ".hidden/secret.h", "secret",  "PROJECT/../secret.h"};
enum { OTHERS = sizeof others / sizeof *others };

static void put_secrets(void) {
    char command[900];
    snprintf(command, sizeof command,
             "cd '%s' && echo 'int secret_4711 = ;' >../secret.h && cp ../secret.h secret && mkdir .hidden && cp secret "
             ".hidden/secret.h "
             "&& ln -s ../secret.h alias.h && mkdir ../there && cp secret ../there/secret.h && ln -s ../there linked",
             project);
    ck_assert_int_eq(system(command), 0);
}

START_TEST(nothing_else_is_read)
{
    if (!choose(kinds[_i / OTHERS])) return;
    char text[600], name[100];
    const char *other = others[_i % OTHERS];
    snprintf(name, sizeof name, "%s%s", *other == 'P' ? project : other, *other == 'P' ? strchr(other, '/') : "");
    snprintf(text, sizeof text, "// warpscope: --grid 1 --block 1\n#include \"%s\"\n__global__ void k() {}\n", name);
    put_secrets();
    write_text(kernel, text);
    begin();
    open_text(kernel, text);
    json_t *list = diagnostics(kernel);
    char *said = json_dumps(list, JSON_COMPACT);
    ck_assert_msg(is_diagnosed(list, 1, 1, "o such file") || is_diagnosed(list, 1, 1, "not found"), "%s", said);
    ck_assert_msg(!strstr(said, "4711") && !strstr(said, "root:"), "%s", said);
    free(said);
    json_decref(list);
    shut_down();
}
END_TEST

/* No warp is near its own limit. */
#define LONG                                                       \
    "// warpscope: --grid 65536 --block 32 --arg buf:f32:1:zero\n" \
    "__global__ void k(float *out) {\n"                            \
    "    float x = threadIdx.x;\n"                                 \
    "    for (int i = 0; i < 1 << 20; i++) x = x * 0.5f + 1;\n"    \
    "    if (x == 7) out[0] = x;\n}\n"

START_TEST(a_launch_has_limits)
{
    static const char text[] = "// warpscope: --grid 1 --block 1 --arg buf:u8:4000000000:zero\n"
                               "__global__ void k(char *out) { out[0] = 1; }\n";
    if (!choose(kinds[_i])) return;
    setenv("SANDBOX_SECONDS", "2", 1);
    begin();
    write_text(kernel, text);
    open_text(kernel, text);
    json_t *list = diagnostics(kernel);
    ck_assert_msg(is_diagnosed(list, 0, 1, "too much memory, and was ended"), "%s", json_dumps(list, JSON_COMPACT));
    json_decref(list);
    save_text(kernel, LONG);
    list = diagnostics(kernel);
    ck_assert_msg(is_diagnosed(list, 0, 1, "more than 2 s of processor time"), "%s", json_dumps(list, JSON_COMPACT));
    json_decref(list);
    shut_down();
}
END_TEST

/* However many a file asks for, they are not begun when those before have taken it all. */
START_TEST(a_files_launches_have_limits_together)
{
    static const char text[] = LONG "// warpscope: --grid 1 --block 1 --arg buf:f32:1\n";
    if (!choose(kinds[_i])) return;
    setenv("SANDBOX_SECONDS", "2", 1);
    begin();
    write_text(kernel, text);
    open_text(kernel, text);
    json_t *list = diagnostics(kernel);
    ck_assert_msg(is_diagnosed(list, 0, 1, "more than 2 s of processor time"), "%s", json_dumps(list, JSON_COMPACT));
    ck_assert_msg(is_diagnosed(list, 6, 1, "not launched: those above have taken 1.8 of the 2 s"), "%s",
                  json_dumps(list, JSON_COMPACT));
    json_decref(list);
    shut_down();
}
END_TEST

/* While it compiles, while it launches. */
START_TEST(what_runs_in_the_sandbox_ends_with_the_server)
{
    if (!choose(kinds[_i / 8])) return;
    write_text(kernel, LONG);
    begin();
    open_text(kernel, LONG);
    nanosleep(&(struct timespec){.tv_sec = _i % 8 / 4, .tv_nsec = 200000000 * (_i % 4)}, NULL);
    end_either_way(_i % 2);
}
END_TEST

/* --- where there is none -------------------------------------------------------------------------------------------------- */

/* bubblewrap as it is where namespaces are forbidden. */
static void forbid_namespaces(void) {
    char path[PATH_MAX], command[400];
    snprintf(command, sizeof command,
             "mkdir '%s/bin' && printf '#!/bin/sh\\necho \"bwrap: setting up uid map: Permission denied\" >&2\\nexit 1\\n' "
             ">'%s/bin/bwrap' && "
             "chmod +x '%s/bin/bwrap'",
             folder, folder, folder);
    ck_assert_int_eq(system(command), 0);
    snprintf(path, sizeof path, "%s/bin:%s", folder, getenv("PATH"));
    setenv("PATH", path, 1);
    setenv("SANDBOX", "bubblewrap", 1);
}

/* Of all messages up to the file's next diagnostics and the answer to a request behind them, those that are shown. */
static size_t count_shown(size_t expected_diagnostics, const char *text) {
    size_t shown = 0;
    bool published = false;
    while (!published) {
        json_t *message = receive();
        const char *method = text_of(message, "method");
        const json_t *params = json_object_get(message, "params");
        ck_assert_ptr_nonnull(message);
        if (strcmp(method, "textDocument/publishDiagnostics") == 0) {
            ck_assert_uint_eq(json_array_size(json_object_get(params, "diagnostics")), expected_diagnostics);
            published = true;
        }
        json_decref(message);
    }
    send_message(json_pack("{s:s, s:i, s:s, s:{}}", "jsonrpc", "2.0", "id", 4711, "method", "no/method", "params"));
    for (json_t *message; (message = receive()); json_decref(message)) {
        if (json_integer_value(json_object_get(message, "id")) == 4711) {
            json_decref(message);
            break;
        }
        if (strcmp(text_of(message, "method"), "window/showMessage") != 0) continue;
        shown += strstr(text_of(json_object_get(message, "params"), "message"), text) != NULL;
    }
    return shown;
}

START_TEST(without_a_sandbox_nothing_is_compiled)
{
    static const char text[] = HEAD "// warpscope: --svg x\n" KERNEL;
    forbid_namespaces();
    write_text(kernel, text);
    begin_with(json_pack("{s:b, s:{s:b}}", "no-sandbox", 1, "warpscope", "no-sandbox", 1));
    tell("workspace/didChangeConfiguration",
         json_pack("{s:{s:{s:b}, s:b}}", "settings", "warpscope", "no-sandbox", 1, "no-sandbox", 1));
    open_text(kernel, text);
    ck_assert_uint_eq(count_shown(1, "there is no sandbox here"), 1); /* and --svg is refused as ever */
    has_hint(kernel, 4, "");
    save(kernel);
    ck_assert_uint_eq(count_shown(1, "sandbox"), 0); /* once */
    shut_down();
}
END_TEST

START_TEST(who_trusts_all_files_says_so)
{
    static const char text[] = HEAD KERNEL;
    forbid_namespaces();
    server_option = "--no-sandbox";
    write_text(kernel, text);
    begin();
    open_text(kernel, text);
    ck_assert_uint_eq(count_shown(0, "sandbox"), 0);
    has_hint(kernel, 3, hint);
    shut_down();
}
END_TEST

static void prepare(void) {
    char command[600], build[PATH_MAX];
    suite_folder(folder);
    snprintf(temporary, sizeof temporary, "%s/tmp", folder);
    snprintf(project, sizeof project, "%s/project", folder);
    snprintf(kernel, sizeof kernel, "%s/kernel.cu", project);
    /* Another user's compiler finds its own. */
    snprintf(command, sizeof command, "chmod 711 '%s' && mkdir '%s' && mkdir -p '%s/in it' '%s/kernel.ptx' '%s/messages'",
             folder, temporary, project, project, project);
    ck_assert_int_eq(system(command), 0);
    snprintf(build, sizeof build, "%s", server_program());
    setenv("BUILD", dirname(build), 1);
    received = (WireReader){0};
    signal(SIGPIPE, SIG_IGN);
    adopt_what_is_left();
}

static void clear(void) {
    if (server) kill(server, SIGKILL);
    wire_free(&received);
    ck_assert(rmdir(temporary) == 0);
    ck_assert_msg(!is_something_left(), "a program was left running");
}

SUITE_IF(can_start(), "the server cannot be started here", "lsp_sandbox", prepare, clear,
         REPEATED(KINDS, headers_beside_a_file_go_with_it), REPEATED(KINDS *OTHERS, nothing_else_is_read),
         REPEATED(KINDS, each_launch_has_its_own_macros), REPEATED(KINDS, a_launch_has_limits),
         REPEATED(KINDS, a_files_launches_have_limits_together),
         REPEATED(KINDS * 8, what_runs_in_the_sandbox_ends_with_the_server), without_a_sandbox_nothing_is_compiled,
         who_trusts_all_files_says_so)
