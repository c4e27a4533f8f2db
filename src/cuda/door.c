#define _GNU_SOURCE /* strchrnul */
#include "cuda/door.h"

#include <limits.h>
#include <string.h>
#include <unistd.h>

#include "base/text.h"
#include "cuda/argv.h"

extern char **environ;

bool door_is_plain(const char *text) {
    for (const char *at = text; *at; at++) {
        unsigned char c = (unsigned char)*at;
        bool is_letter = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9');
        if (!is_letter && c < 0x80 && !strchr("_./+-:,=", c)) return false;
    }
    return *text;
}

static bool is_here_plain(void) {
    char here[PATH_MAX];
    return getcwd(here, sizeof here) && door_is_plain(here);
}

bool door_takes_path(const char *path) {
    return door_is_plain(path) && !strpbrk(path, ",:") && (path[0] == '/' || is_here_plain());
}

/* --- environment --- */

static const char *const kept[] = {"HOME", "USER",    "LOGNAME",      "LD_LIBRARY_PATH", "DYLD_LIBRARY_PATH",
                                   "PWD",  "SDKROOT", "DEVELOPER_DIR"};

static bool is_kept(const char *variable) {
    for (size_t i = 0; i < sizeof kept / sizeof *kept; i++) {
        size_t length = strlen(kept[i]);
        if (strncmp(variable, kept[i], length) == 0 && variable[length] == '=') return true;
    }
    return false;
}

/* PATH as nvcc may see it: plain folders by their whole paths, where its shell looks for what it calls by name. */
static void add_plain_path(Argv *environment, const char *path) {
    LOCAL_TEXT plain = text_from("PATH=");
    for (const char *end; *path; path = end + (*end == ':')) {
        LOCAL_TEXT folder = {0};
        end = strchrnul(path, ':');
        text_add_bytes(&folder, path, (size_t)(end - path));
        if (path[0] == '/' && door_is_plain(text_string(&folder))) text_add(&plain, "%s:", text_string(&folder));
    }
    if (plain.data[plain.length - 1] == ':') plain.data[plain.length - 1] = 0;
    argv_add(environment, text_string(&plain));
}

static void fill_environment(Argv *environment, bool has_shell, const char *temp_dir) {
    for (char **variable = environ; *variable; variable++) {
        const char *value = strchr(*variable, '=');
        bool is_path = strncmp(*variable, "PATH=", 5) == 0;
        if (is_path && has_shell)
            add_plain_path(environment, value + 1);
        else if (is_path || (is_kept(*variable) && (!has_shell || door_is_plain(value + 1))))
            argv_add(environment, *variable);
    }
    argv_add_pair(environment, "TMPDIR=", temp_dir);
}

/* --- words --- */

static bool refuse(const char *what, const char *text, Diag *diag) {
    diag_say(diag, "%s '%.200s' is not given to nvcc, whose shell would read it as part of a command", what, text);
    return diag_hint(diag, "letters, digits and _ . / + - : , = are; or let clang compile it: --cc clang");
}

/* Asked for its version alone, nvcc starts no shell. */
static bool has_shell(CompilerChoice compiler, const char *const *words) {
    return compiler == COMPILER_NVCC && !(words[1] && strcmp(words[1], "--version") == 0 && !words[2]);
}

static bool admits(CompilerChoice compiler, const ProcessRequest *request, Diag *diag) {
    bool shell = has_shell(compiler, request->argv);
    for (const char *const *word = request->argv; *word; word++) {
        if (shell && !door_is_plain(*word)) return refuse(word == request->argv ? "the path" : "the word", *word, diag);
        if (**word == '-' || *text_last_name(*word) != '@') continue;
        diag_say(diag, "'%.200s' is not given to the compiler, which would read it as a file of further options", *word);
        return diag_hint(diag, "another name for it does not begin with @");
    }
    if (shell && !door_is_plain(request->temp_dir)) return refuse("the temporary folder", request->temp_dir, diag);
    if (shell && !(request->folder ? door_is_plain(request->folder) : is_here_plain())) {
        diag_say(diag, "the path of the current folder is not given to nvcc, whose shell would read it as part of a command");
        return diag_hint(diag, "in a folder whose path has only letters, digits and _ . / + - = it works; so does --cc clang");
    }
    return true;
}

bool door_run(CompilerChoice compiler, const ProcessRequest *request, ProcessResult *result, Diag *diag) {
    *result = (ProcessResult){.status = -1};
    if (!admits(compiler, request, diag)) return false;
    LOCAL_ARGV environment = {0};
    ProcessRequest inside = *request;
    fill_environment(&environment, has_shell(compiler, request->argv), request->temp_dir);
    inside.environment = environment.words;
    return process_run(&inside, result);
}
